"""What makes a reference and a submission acceptable, and the validated objects that scoring starts from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, TypeVar

from tricord.dico_nli.instance_ids import infer_reverse_pair_ids
from tricord.dico_nli.labels import (
    LABELS,
    REVERSE_LABEL,
    LabelNames,
    UnknownLabelError,
    decode_labels,
    encode_labels,
)
from tricord.dico_nli.reference import Reference
from tricord.errors import ValidationError, quoted, some_of
from tricord.inputs.columns import are_ids, check_equal_lengths, column_values, is_missing

__all__ = [
    "align_predictions",
    "bind_reference",
    "by_unique_id",
    "check_coverage",
    "encode_by_id",
    "make_reference",
]

T = TypeVar("T")

_NO_ROW = -1
_REVERSE_CODE = {LABELS.index(label): LABELS.index(reverse) for label, reverse in REVERSE_LABEL.items()}
_REVERSE_TABLE = bytes(_REVERSE_CODE.get(code, 255) for code in range(256))  # 255: no label's reverse


def by_unique_id(instance_ids: Sequence[str], values: Iterable[T], source: str) -> dict[str, T]:
    """Map each id to its value.

    Args:
        instance_ids: n ids.
        values: n values.
        source: What the ids' file or argument is called in messages.

    Raises:
        ValidationError: An id stands in two rows; names the first ten such ids.
    """
    mapping = dict(zip(instance_ids, values, strict=True))
    if len(mapping) != len(instance_ids):
        repeated = sorted(name for name, count in Counter(instance_ids).items() if count > 1)
        raise ValidationError(
            f"{source}: duplicate instance_id ({len(repeated)}): {some_of(repeated)}; keep one row for each"
        )
    return mapping


def make_reference(
    instance_ids: Any,
    labels: Any,
    reverse_pair_ids: Any = None,
    pair_ids: Any = None,
    *,
    label_names: LabelNames | None = None,
    source: str = "the reference",
) -> Reference:
    """Validate gold columns and bind them into a reference.

    Args:
        instance_ids: n unique ids.
        labels: n gold labels or their ids.
        reverse_pair_ids: n ids of the instance with the other direction; "", None or NaN for no link. Left out, the
            links follow from the instance ids (the twin rule).
        pair_ids: n ids of source pairs; left out, linked rows are not checked to share one.
        label_names: The labels by id, where label ids do not follow the order of `LABELS`.
        source: What the reference is called in messages: the file's name, say.

    Returns:
        The reference.

    Raises:
        ValidationError: A rule is broken; names the ids, what was found and what was expected.

    Example:
        >>> reference = make_reference(
        ...     ["p1__en-en__original", "p1__en-en__flipped"], ["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT"]
        ... )
        >>> len(reference), list(reference.firsts), list(reference.seconds)
        (2, [0], [1])
    """
    ids = id_values("instance_ids", instance_ids)
    gold_values = column_values("labels", labels)
    columns: dict[str, list[Any]] = {"instance_ids": ids, "labels": gold_values}
    if reverse_pair_ids is not None:
        columns["reverse_pair_ids"] = id_values("reverse_pair_ids", reverse_pair_ids, may_be_missing=True)
    if pair_ids is not None:
        columns["pair_ids"] = id_values("pair_ids", pair_ids)
    if check_equal_lengths(columns) == 0:
        raise ValidationError(f"{source}: has no rows")
    return bind_reference(
        ids,
        encode_by_id(ids, gold_values, label_names, source=source),
        columns.get("reverse_pair_ids"),
        columns.get("pair_ids"),
        source=source,
    )


def bind_reference(
    instance_ids: Sequence[str],
    gold: bytes,
    reverse_pair_ids: Sequence[str] | None,
    pair_ids: Sequence[str] | None,
    *,
    source: str,
) -> Reference:
    """Bind columns whose single values are already known to be sound; `make_reference` tells what is checked.

    Args:
        instance_ids: n > 0 ids.
        gold: n label codes.
        reverse_pair_ids: n ids, "" for no link; None for the twin rule.
        pair_ids: n ids, or None.
        source: What the reference is called in messages.
    """
    row_of = by_unique_id(instance_ids, range(len(instance_ids)), source)
    links = reverse_pair_ids
    if links is None:
        links = infer_reverse_pair_ids(instance_ids, decode_labels(gold))
    firsts, seconds = _find_pairs(row_of, gold, links, pair_ids, source)
    origin = "inferred" if reverse_pair_ids is None else "given"
    return Reference(row_of, gold, firsts, seconds, links=origin, pair_ids=pair_ids, source=source)


def id_values(name: str, column: Any, *, may_be_missing: bool = False) -> list[str]:
    """Turn a column of ids into a list of stripped strings.

    Args:
        name: What the column is called in messages.
        column: n strings; where `may_be_missing`, also "", None and NaN, which all become "".
        may_be_missing: Whether a row may have no id.

    Raises:
        ValidationError: A value is not a string, is empty, or has white space inside; names its position.
    """
    values = column_values(name, column)
    # One look at all of them, since nearly always there is nothing to mend.
    if set(map(type, values)) <= {str} and are_ids(values, may_be_empty=may_be_missing):
        return values
    return [_id_value(name, row, value, may_be_missing) for row, value in enumerate(values)]


def _id_value(name: str, row: int, value: Any, may_be_missing: bool) -> str:
    if is_missing(value):
        if may_be_missing:
            return ""
        raise ValidationError(f"Expected `{name}` to have an id in every row, got {quoted(value)} at {name}[{row}]")
    if not isinstance(value, str) or len(value.split()) != 1:
        raise ValidationError(
            f"Expected `{name}` to hold strings without white space inside, got {quoted(value)} at {name}[{row}]"
        )
    return value.strip()


def encode_by_id(
    ids: Sequence[str], labels: Sequence[Any], label_names: LabelNames | None = None, *, source: str
) -> bytes:
    """Turn labels into codes; an unknown label is reported with the id of its instance.

    Args:
        ids: n instance ids.
        labels: n labels or label ids.
        label_names: The labels by id, where label ids do not follow the order of `LABELS`.
        source: What the labels' file or argument is called in messages.

    Returns:
        n label codes.

    Raises:
        ValidationError: A label is unknown.
    """
    try:
        return encode_labels("labels", labels, label_names)
    except UnknownLabelError as error:
        raise ValidationError(
            f"{source}: instance {quoted(ids[error.row])}: unknown label {quoted(labels[error.row])}; expected one of "
            f"{', '.join(LABELS)}"
        ) from None


def _find_pairs(
    row_of: Mapping[str, int], gold: bytes, links: Sequence[str], pair_ids: Sequence[str] | None, source: str
) -> tuple[list[int], list[int]]:
    """Check every link and list the rows of both members of each pair."""
    twins = list(map(row_of.get, links, repeat(_NO_ROW)))
    firsts = [row for row, twin in enumerate(twins) if row < twin]
    seconds = list(map(twins.__getitem__, firsts))
    if not _links_hold(twins, firsts, seconds, gold, links, pair_ids):
        for row, instance_id in enumerate(row_of):
            if links[row] and (problem := _link_problem(row, twins, gold, links, pair_ids)):
                raise ValidationError(f"{source}: instance {quoted(instance_id)}: {problem}")
    if not firsts:
        raise ValidationError(
            f"{source}: has no reversible pair, so the consistency scores do not exist; link the two directions of a "
            "pair by reverse_pair_id"
        )
    return firsts, seconds


def _links_hold(
    twins: Sequence[int],
    firsts: Sequence[int],
    seconds: Sequence[int],
    gold: bytes,
    links: Sequence[str],
    pair_ids: Sequence[str] | None,
) -> bool:
    """Tell whether all links are as `_link_problem` wants them, looking at whole columns."""
    linked = len(links) - links.count("")
    # Every link leads somewhere, and each belongs to a pair whose second member links back to the first.
    if linked != len(twins) - twins.count(_NO_ROW) or linked != 2 * len(firsts):
        return False
    if list(map(twins.__getitem__, seconds)) != firsts:
        return False
    first_labels, second_labels = (bytes(map(gold.__getitem__, rows)) for rows in (firsts, seconds))
    if first_labels.translate(_REVERSE_TABLE) != second_labels:
        return False
    if pair_ids is None:
        return True
    return list(map(pair_ids.__getitem__, firsts)) == list(map(pair_ids.__getitem__, seconds))


def _link_problem(
    row: int, twins: Sequence[int], gold: bytes, links: Sequence[str], pair_ids: Sequence[str] | None
) -> str:
    """Say what is wrong with one row's link; the empty string where nothing is."""
    link, twin = links[row], twins[row]
    if twin == _NO_ROW:
        return f"reverse_pair_id {quoted(link)} is no instance_id of the reference"
    if twin == row:
        return "reverse_pair_id is the instance's own id; expected that of the other direction"
    if gold[row] not in _REVERSE_CODE:
        return f"NEGATIVE_OTHER has no reverse, yet reverse_pair_id is {quoted(link)}; leave it empty"
    if twins[twin] != row:
        return f"reverse_pair_id {quoted(link)} does not link back; its own reverse_pair_id is {quoted(links[twin])}"
    if pair_ids is not None and pair_ids[row] != pair_ids[twin]:
        return (
            f"pair_id {quoted(pair_ids[row])} differs from {quoted(pair_ids[twin])} of the linked {quoted(link)}; the two "
            "directions of a pair share one pair_id"
        )
    if gold[twin] != _REVERSE_CODE[gold[row]]:
        return (
            f"label {LABELS[gold[row]]} and label {LABELS[gold[twin]]} of the linked {quoted(link)} are not each other's "
            "reverse"
        )
    return ""


def check_coverage(expected: Mapping[str, int], found: Mapping[str, Any], source: str) -> None:
    """Check that predictions are given for exactly the expected ids.

    Args:
        expected: The ids of the reference or template.
        found: The ids of the predictions.
        source: What the predictions are called in messages.

    Raises:
        ValidationError: Ids are missing or unknown; says how many, and names the first ten of each in sorted order.
    """
    if expected.keys() == found.keys():
        return
    problems = []
    if missing := sorted(expected.keys() - found.keys()):
        problems.append(f"{len(missing)} without a prediction: {some_of(missing)}")
    if unknown := sorted(found.keys() - expected.keys(), key=str):
        problems.append(f"{len(unknown)} unknown: {some_of(unknown)}")
    raise ValidationError(
        f"{source}: instance ids {'; '.join(problems)}; give one prediction for each instance_id of the reference"
    )


def align_predictions(
    reference: Reference,
    predictions: Any,
    *,
    label_names: LabelNames | None = None,
    source: str = "the predictions",
) -> bytes:
    """Validate predictions and bring them into reference order.

    Args:
        reference: The n gold rows.
        predictions: A mapping of instance id to label or label id (in any order; a pandas series indexed by ids is one),
            or n labels or label ids in reference order (list, numpy array, torch tensor, ...).
        label_names: The labels by id, where label ids do not follow the order of `LABELS`.
        source: What the predictions are called in messages: the file's name, say.

    Returns:
        n label codes.

    Raises:
        ValidationError: Predictions are missing or too many, or a label is unknown.
    """
    index = getattr(predictions, "index", None)
    if index is not None and not callable(index) and set(map(type, index)) == {str}:
        predictions = by_unique_id(list(index), column_values("predictions", predictions), source)
    if not isinstance(predictions, Mapping):
        values = column_values("predictions", predictions)
        check_equal_lengths({"predictions": values, f"{reference.source}": reference.gold})
        return encode_labels("predictions", values, label_names)
    check_coverage(reference.row_of, predictions, source)
    labels = list(map(predictions.__getitem__, reference.row_of))
    return encode_by_id(reference.instance_ids, labels, label_names, source=source)
