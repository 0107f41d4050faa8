"""`compute_metrics` for a training loop: bound to evaluation sets, because the metrics need more than labels.

A Trainer hands over predictions and label ids, no instance ids. So a hook is bound to the rows of the evaluation set
beforehand, and each time it checks that the label ids are those of the bound rows, in their order. What each task adds
(how rows are read, what the figures are) is a `HookTask`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from operator import methodcaller
from typing import Any

import numpy as np

from tricord.errors import ValidationError, quoted, some_of
from tricord.inputs.columns import check_equal_lengths, column_values
from tricord.measures import add_up
from tricord.reports import Report
from tricord.training.arrays import Array, as_class_ids, class_ids, first_output

__all__ = [
    "LABEL_COLUMNS",
    "BoundMetrics",
    "EvaluationSet",
    "HookTask",
    "MissingColumnError",
    "bind_sets",
    "check_class_names",
    "column_order",
    "read_columns",
    "read_ids",
    "read_labels",
]

LABEL_COLUMNS = ("labels", "label")
"""The names of a column of label ids, in the order in which they are preferred."""


@dataclass(frozen=True, eq=False)
class EvaluationSet:
    """The rows that predictions are scored against.

    Attributes:
        source: What the set is called in messages.
        gold: n class ids as the Trainer hands them over.
        score: Gives the report for what `HookTask.reduce` made of the outputs of the n rows.
        ids: What tells the rows apart; None where the data has nothing of the kind.
        structure: What the figures depend on besides `gold` and the predictions. Sets that agree in both give the same.
    """

    source: str
    gold: Array
    score: Callable[[Array], Report]
    ids: Sequence[Hashable] | None = None
    structure: Any = None


@dataclass(frozen=True)
class HookTask:
    """What a hook needs to know about its task.

    Attributes:
        classes: The names of the classes in the order of the model's ids.
        bind: Reads an evaluation set; takes what the user gave and what it is called in messages.
        read_ids: Reads what tells the rows of a dataset apart; None where it has nothing of the kind.
        reduce: Turns outputs of the model for some rows into what is kept of them until all rows are there.
        averaged: The figures that are averaged over evaluation sets.
        figures: Chooses what the hook returns; by default the figures of the report.
    """

    classes: Sequence[str]
    bind: Callable[[Any, str], EvaluationSet]
    read_ids: Callable[[Any], Sequence[Hashable] | None]
    reduce: Callable[[Array], Array]
    averaged: tuple[str, ...]
    figures: Callable[[Any], dict[str, float]] = methodcaller("figures")


@dataclass(eq=False)
class BoundMetrics:
    """A `compute_metrics` for `transformers.Trainer` or any other loop; made by the functions of `tricord.training`.

    Call it with an `EvalPrediction` (or anything with `predictions` and `label_ids`, or a pair of them). With
    `batch_eval_metrics=True` it is called for each batch and returns the figures with the last one.

    Where several sets are bound, the one that the label ids belong to is chosen. Sets that have all labels in common but
    differ in their pairs cannot be told apart in this way and are refused; under `tricord.training.TracksMixin` the
    Trainer says which set it evaluates.

    Attributes:
        task: What is measured.
        sets: The bound sets by name; the name is "" where only one is bound.
        report: That of the last evaluation, with its signature, counts and units; None before the first.
    """

    task: HookTask
    sets: Mapping[str, EvaluationSet]
    report: Report | None = field(default=None, init=False, repr=False)
    _batches: list[tuple[Array, Array]] = field(default_factory=list, init=False, repr=False)
    _expected: EvaluationSet | None = field(default=None, init=False, repr=False)

    def __call__(self, evaluation: Any, compute_result: bool = True) -> dict[str, float]:
        """Score the outputs of a model.

        Args:
            evaluation: An `EvalPrediction`: its `predictions` are scores of shape (n, classes), or a tuple that begins
                with them, or n class ids; its `label_ids` the n gold class ids.
            compute_result: False where more batches follow.

        Returns:
            The figures, floats; none where more batches follow.

        Raises:
            ValidationError: The outputs are unusable, or the rows are not those of a bound set; says what to change.
        """
        try:
            predictions, labels = _parts(evaluation)
            self._batches.append((self.task.reduce(first_output(predictions)), self._label_ids(labels)))
            if not compute_result:
                return {}
            predicted, gold = map(np.concatenate, zip(*self._batches, strict=True))
            if len(predicted) != len(gold):
                raise ValidationError(f"Expected one prediction a label, got {len(predicted)} and {len(gold)}")
            self.report = self._choose(gold).score(predicted)
        except BaseException:
            self.reset()
            raise
        self.reset()
        return self.task.figures(self.report)

    def reset(self) -> None:
        """Forget batches of an evaluation that was not finished."""
        self._batches.clear()

    @contextmanager
    def evaluating(self, name: str | None, dataset: Any) -> Iterator[None]:
        """Say which set the calls inside the `with` block belong to.

        Args:
            name: The name of the set, where it has one.
            dataset: The rows. Where they have ids, these must be those of the bound set; rows that are not bound are
                bound for this block.

        Raises:
            ValidationError: The rows are not those that are bound under the name, or cannot be bound.
        """
        self.reset()
        self._expected = self._find(name, dataset)
        try:
            yield
        finally:
            self._expected = None
            self.reset()

    def average(self, figures: Sequence[Mapping[str, float]]) -> dict[str, float]:
        """Average the main figures of several sets, each with the same weight.

        Args:
            figures: What the hook returned for each set, in the order in which it is added up.

        Returns:
            The means, under the names of the figures.
        """
        return {name: add_up(each[name] for each in figures) / len(figures) for name in self.task.averaged}

    def _find(self, name: str | None, dataset: Any) -> EvaluationSet | None:
        """Find the bound set that rows belong to, or bind them; None where only the labels can tell."""
        ids = self.task.read_ids(dataset)
        if name is not None and (bound := self.sets.get(name)) is not None:
            if None not in (ids, bound.ids) and ids != bound.ids:
                raise ValidationError(
                    f"The Trainer evaluates other rows as {quoted(name)} than compute_metrics is bound to; bind it to the "
                    "datasets that are given as eval_dataset, under the same names, with rows in the same order"
                )
            return bound
        if ids is None:
            return None
        for bound in self.sets.values():
            if bound.ids == ids:
                return bound
        try:
            return self.task.bind(dataset, f"the evaluation set {quoted(name)}" if name else "the evaluated dataset")
        except MissingColumnError:
            return None  # no labels, so there will be nothing to score

    def _label_ids(self, labels: Any) -> Array:
        if labels is None:
            raise ValidationError("The rows have no labels, so there is nothing to score; leave compute_metrics out")
        try:
            return as_class_ids(first_output(labels), len(self.task.classes))
        except ValidationError as error:
            raise ValidationError(f"The label ids of the evaluated rows: {error}") from None

    def _choose(self, gold: Array) -> EvaluationSet:
        """Find the set that has exactly these gold class ids."""
        sets = [self._expected] if self._expected is not None else list(self.sets.values())
        fitting = [bound for bound in sets if np.array_equal(bound.gold, gold)]
        if not fitting:
            raise ValidationError(self._mismatch(gold, sets))
        if any(other.structure != fitting[0].structure for other in fitting[1:]):
            raise ValidationError(
                f"{' and '.join(bound.source for bound in fitting)} have the same labels and different pairs, so the "
                "labels do not tell which of them is evaluated; use tricord.training.TrackTrainer, or a Trainer class that "
                "derives from tricord.training.TracksMixin as well, which tells it"
            )
        return fitting[0]

    def _mismatch(self, gold: Array, sets: Sequence[EvaluationSet]) -> str:
        equal = [bound for bound in sets if len(bound.gold) == len(gold)]
        if not equal:
            lengths = ", ".join(f"{bound.source} has {len(bound.gold)}" for bound in sets)
            return (
                f"{len(gold)} rows were evaluated, but {lengths}; bind compute_metrics to the dataset that is evaluated, "
                "after filtering and selecting rows"
            )
        differs = equal[0].gold != gold
        row = int(differs.argmax())
        names = self.task.classes
        which = f" ({equal[0].ids[row]!r})" if equal[0].ids is not None else ""
        return (
            f"{int(differs.sum())} of {len(gold)} label ids are not those of {equal[0].source}: row {row}{which} was "
            f"evaluated with {names[gold[row]]}, bound with {names[equal[0].gold[row]]}. The rows must come in the order in "
            "which they are bound (no shuffling, no grouping by length), and label_names must give the order of the "
            f"model's label ids (now {', '.join(names)})"
        )


class MissingColumnError(ValidationError):
    """Rows lack a column that tells them apart."""


def bind_sets(task: HookTask, evaluation: Any) -> BoundMetrics:
    """Bind a hook to one evaluation set, or to several given by name.

    Args:
        task: What is measured.
        evaluation: The set, or a mapping of name to set.

    Raises:
        ValidationError: There is no set, or one cannot be read.
    """
    if not isinstance(evaluation, Mapping):
        return BoundMetrics(task, {"": task.bind(evaluation, "the bound evaluation set")})
    if not evaluation:
        raise ValidationError("Expected at least one evaluation set, got an empty mapping")
    return BoundMetrics(
        task, {name: task.bind(rows, f"the evaluation set {quoted(name)}") for name, rows in evaluation.items()}
    )


def read_labels(
    evaluation: Any,
    source: str,
    classes: Sequence[str],
    *,
    required: Sequence[str] = (),
    optional: Sequence[str] = (),
    named: bool = True,
) -> tuple[Array, dict[str, list[Any]]]:
    """Read the gold classes of an evaluation set, and other columns.

    Args:
        evaluation: A `datasets.Dataset` or a list of rows.
        source: What it is called in messages.
        classes: The names of the classes in the order of the model's ids.
        required: Other columns that must be there.
        optional: Other columns that are read where they are there.
        named: Whether a `ClassLabel` column must name the classes as `classes` does.

    Returns:
        n class ids, and the other columns.

    Raises:
        MissingColumnError: A column is missing.
        ValidationError: A label is neither a class nor its id, or a `ClassLabel` column numbers its classes otherwise.
    """
    columns = read_columns(evaluation, required, [*LABEL_COLUMNS, *optional], source=source)
    name = next((name for name in LABEL_COLUMNS if name in columns), None)
    if name is None:
        raise MissingColumnError(f"{source}: missing column {' or '.join(map(repr, LABEL_COLUMNS))}")
    if named:
        check_class_names(evaluation, name, classes, source)
    return class_ids(f"{source}: {name}", columns[name], classes), columns


def read_ids(rows: Any, names: Sequence[str]) -> list[Any] | None:
    """Read what tells rows apart: the value of one column, or the values of several; None where one is missing."""
    with suppress(MissingColumnError):
        columns = read_columns(rows, names, source="the rows")
        values = {name: column_values(name, columns[name]) for name in names}
        check_equal_lengths(values)
        return list(values[names[0]] if len(names) == 1 else zip(*values.values(), strict=True))
    return None


def column_order(evaluation: Any, label_names: Any) -> Any:
    """Give the label names, or where there are none those that a `ClassLabel` column of the first dataset gives."""
    if label_names is not None:
        return label_names
    sets = evaluation.values() if isinstance(evaluation, Mapping) else [evaluation]
    named = (_class_names(rows, column) for rows in sets for column in LABEL_COLUMNS)
    return next((names for names in named if names is not None), None)


def check_class_names(rows: Any, column: str, classes: Sequence[str], source: str) -> None:
    """Check that a `ClassLabel` column numbers its classes as the model does.

    Raises:
        ValidationError: It numbers them in another order.
    """
    names = _class_names(rows, column)
    if names is not None and list(names) != list(classes):
        raise ValidationError(
            f"{source}: the column {column!r} numbers the labels {quoted(list(names))}, label_names gives "
            f"{quoted(list(classes))}; let the model's configuration (id2label) and the column follow one order"
        )


def _class_names(rows: Any, column: str) -> list[str] | None:
    features = getattr(rows, "features", None)
    return getattr(features.get(column), "names", None) if isinstance(features, Mapping) else None


def _parts(evaluation: Any) -> tuple[Any, Any]:
    if hasattr(evaluation, "predictions"):
        return evaluation.predictions, evaluation.label_ids
    if isinstance(evaluation, tuple) and len(evaluation) == 2:
        return evaluation
    raise ValidationError(
        f"Expected an EvalPrediction, or a pair of predictions and label ids, got {quoted(evaluation)}"
    )


def read_columns(
    rows: Any, required: Sequence[str], optional: Sequence[str] = (), *, source: str
) -> dict[str, list[Any]]:
    """Read columns of a `datasets.Dataset` or of a list of rows.

    Args:
        rows: A dataset with n rows, whatever its format is set to; or n mappings of column to value.
        required: Columns that must be there.
        optional: Columns that are read where they are there.
        source: What the rows are called in messages.

    Returns:
        The columns, n values each.

    Raises:
        MissingColumnError: A required column is missing.
        ValidationError: It is neither a dataset nor a list of rows.

    Example:
        >>> read_columns([{"id": 1, "text": "a"}, {"id": 2, "text": "b"}], ["id"], source="the rows")
        {'id': [1, 2]}
    """
    if hasattr(rows, "column_names") and hasattr(rows, "__len__"):
        found = list(rows.column_names)
    elif (
        isinstance(rows, Sequence)
        and not isinstance(rows, (str, bytes))
        and all(isinstance(row, Mapping) for row in rows)
    ):
        found = [name for name in (rows[0] if rows else ()) if all(name in row for row in rows)]
    else:
        raise MissingColumnError(
            f"{source}: expected a datasets.Dataset or a list of rows, got {type(rows).__name__}; a dataset that is only "
            "iterated cannot be bound"
        )
    if missing := [name for name in required if name not in found]:
        raise MissingColumnError(
            f"{source}: missing column {some_of(missing)}; found {some_of(found) or 'none'}; keep the column when the "
            "dataset is tokenised (no remove_columns), the Trainer removes it by itself"
        )
    wanted = [*required, *(name for name in optional if name in found)]
    if hasattr(rows, "select_columns"):
        return dict(rows.with_format(None).select_columns(wanted)[:])
    return {name: [row[name] for row in rows] for name in wanted}
