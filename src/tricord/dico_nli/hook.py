"""DiCo-NLI in the training loop: the three official scores of an evaluation set after each evaluation."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from tricord.dico_nli.decoding import Decoding
from tricord.dico_nli.labels import LABELS, LabelNames, label_order
from tricord.dico_nli.metrics import OFFICIAL_SCORES, Report, make_report
from tricord.dico_nli.reference import Reference
from tricord.dico_nli.scorer import read_reference
from tricord.dico_nli.validation import id_values, make_reference
from tricord.measures import add_up
from tricord.training.arrays import Array, as_class_ids, check_scores
from tricord.training.hooks import (
    BoundMetrics,
    EvaluationSet,
    HookTask,
    MissingColumnError,
    bind_sets,
    column_order,
    read_columns,
    read_labels,
)

__all__ = ["dico_nli_metrics"]


def dico_nli_metrics(
    evaluation: Any,
    *,
    label_names: LabelNames | None = None,
    infer_pairs: bool = False,
    decoding: Decoding | None = None,
) -> BoundMetrics:
    """Make a `compute_metrics` that gives the DiCo-NLI scores.

    Args:
        evaluation: The evaluation set, or a mapping of name to set: a `datasets.Dataset` or a list of rows with the
            columns `instance_id` and `label` or `labels` (and `reverse_pair_id`, `pair_id` where they are known; without
            the former the twin rule of the ids links the directions), a reference file, or a `dico_nli.Reference`. Its
            rows must be those of `eval_dataset`, in the same order.
        label_names: The labels in the order of the model's label ids, or its `id2label`. Left out, the names of a
            `ClassLabel` column count, or the order of `dico_nli.LABELS`.
        infer_pairs: Link the directions by the twin rule for reference files without `reverse_pair_id`.
        decoding: How labels are chosen from scores; the arg max of each row by default.

    Returns:
        The hook. Its figures, all in [0, 1]: `weighted_f1`, `soft_cons`, `hard_cons`, their mean `dico_mean`, `macro_f1`
        and `accuracy`.

    Raises:
        InputFileError: A reference file is not as the task demands.
        ValidationError: Rows are no valid reference, or the label names are not the four labels.

    Example:
        >>> rows = [
        ...     {"instance_id": "p1__en-en__original", "label": "FORWARD_ENTAILMENT"},
        ...     {"instance_id": "p1__en-en__flipped", "label": "BACKWARD_ENTAILMENT"},
        ... ]
        >>> compute_metrics = dico_nli_metrics(rows)
        >>> logits, label_ids = np.array([[0.1, 0.6, 0.2, 0.1], [0.3, 0.4, 0.2, 0.1]]), np.array([1, 2])
        >>> compute_metrics((logits, label_ids))["accuracy"]
        0.5
    """
    order = label_order(column_order(evaluation, label_names))
    task = HookTask(
        classes=order,
        bind=partial(_bind, order=order, infer_pairs=infer_pairs, decoding=decoding),
        read_ids=_read_ids,
        reduce=partial(as_class_ids, classes=len(LABELS))
        if decoding is None
        else partial(check_scores, classes=len(LABELS)),
        averaged=(*OFFICIAL_SCORES, "dico_mean"),
        figures=_figures,
    )
    return bind_sets(task, evaluation)


def _bind(
    evaluation: Any, source: str, *, order: tuple[str, ...], infer_pairs: bool, decoding: Decoding | None
) -> EvaluationSet:
    reference = _reference(evaluation, source, order, infer_pairs)
    id_of_code = np.array([order.index(label) for label in LABELS])
    code_of_id = np.array([LABELS.index(label) for label in order], dtype=np.uint8)

    def score(predicted: Array) -> Report:
        ids = predicted if decoding is None else decode(predicted)
        return make_report(reference, code_of_id[ids].tobytes(), max_pair_errors=0)

    if decoding is not None:
        decode = decoding.bind(reference.instance_ids, reference.pair_ids, label_names=order)
    return EvaluationSet(
        source=reference.source,
        gold=id_of_code[np.frombuffer(reference.gold, dtype=np.uint8)],
        score=score,
        ids=reference.instance_ids,
        # A decoder groups rows by their ids; without one only the pairs matter.
        structure=(reference.firsts, reference.seconds, decoding and (reference.instance_ids, reference.pair_ids)),
    )


def _read_ids(rows: Any) -> list[str] | None:
    with suppress(MissingColumnError):
        return id_values("instance_id", read_columns(rows, ["instance_id"], source="the rows")["instance_id"])
    return None


def _figures(report: Report) -> dict[str, float]:
    official = report.official().values()
    return {**report.figures(), "dico_mean": add_up(official) / len(official)}


def _reference(evaluation: Any, source: str, order: tuple[str, ...], infer_pairs: bool) -> Reference:
    if isinstance(evaluation, Reference):
        return evaluation
    if isinstance(evaluation, (str, os.PathLike)):
        return read_reference(evaluation, infer_pairs=infer_pairs)
    gold, columns = read_labels(
        evaluation, source, order, required=["instance_id"], optional=["reverse_pair_id", "pair_id"]
    )
    return make_reference(
        columns["instance_id"],
        gold,
        columns.get("reverse_pair_id"),
        columns.get("pair_id"),
        label_names=order,
        source=source,
    )
