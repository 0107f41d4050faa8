"""SciFact in the training loop: the two modules of the pipeline, rationale selection and label prediction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from tricord.errors import ValidationError, quoted
from tricord.inputs.arrays import Array
from tricord.inputs.columns import class_order
from tricord.scifact.claims import Gold
from tricord.scifact.labels import LABELS
from tricord.scifact.metrics import LabelPrediction, RationaleSelection, score_pairs
from tricord.scifact.scorer import read_gold, score_rationale_selection
from tricord.training.arrays import as_class_ids, check_scores, log_softmax
from tricord.training.hooks import BoundMetrics, EvaluationSet, HookTask, bind_sets, column_order, read_ids, read_labels

__all__ = ["scifact_label_metrics", "scifact_rationale_metrics"]

_SENTENCE = ("claim_id", "doc_id", "sentence")
_DOCUMENT = ("claim_id", "doc_id")
_RATIONALE_CLASSES = ("other", "rationale")


def scifact_label_metrics(evaluation: Any, *, label_names: Any = None) -> BoundMetrics:
    """Make a `compute_metrics` for label prediction: the label of a claim and a document, from selected sentences.

    Args:
        evaluation: The evaluation set, or a mapping of name to set: a `datasets.Dataset` or a list of rows with a column
            `label` or `labels` (a label, or its id) and, where they are known, `claim_id` and `doc_id`. Its rows must be
            those of `eval_dataset`, in the same order.
        label_names: The labels in the order of the model's label ids, or its `id2label`. Left out, the names of a
            `ClassLabel` column count, or CONTRADICT, NOT_ENOUGH_INFO, SUPPORT.

    Returns:
        The hook. Its figures, all in [0, 1]: `accuracy`, `macro_f1` and `macro_f1_without_nei`, those of
        `scifact.score_label_prediction`.

    Raises:
        ValidationError: Rows are unusable, or the label names are not the three labels.

    Example:
        >>> compute_metrics = scifact_label_metrics([{"label": "SUPPORT"}, {"label": "CONTRADICT"}])
        >>> compute_metrics((np.array([2, 1]), np.array([2, 0])))["accuracy"]
        0.5
    """
    order = class_order(LABELS, column_order(evaluation, label_names))
    task = HookTask(
        classes=order,
        bind=partial(_bind_labels, order=order),
        read_ids=partial(_read_ids, names=_DOCUMENT),
        reduce=partial(as_class_ids, classes=len(order)),
        averaged=("accuracy", "macro_f1", "macro_f1_without_nei"),
    )
    return bind_sets(task, evaluation)


def scifact_rationale_metrics(evaluation: Any, claims: Any, *, threshold: float = 0.5) -> BoundMetrics:
    """Make a `compute_metrics` for rationale selection: is a sentence evidence for or against a claim?

    Args:
        evaluation: The evaluation set: a `datasets.Dataset` or a list of rows with the columns `claim_id`, `doc_id`,
            `sentence` (its number in the abstract) and `label` or `labels` (1 for a sentence of a gold evidence set, else 0).
        claims: The claims with gold evidence that the rows are of: a JSON Lines file, the objects of one, or a
            `scifact.Gold`. All their gold sentences are to be found, also those that no row holds.
        threshold: A sentence is selected where the probability of class 1 is at least this, in [0, 1].

    Returns:
        The hook. Its figures, all in [0, 1]: `rationale_precision`, `rationale_recall` and `rationale_f1`, those of
        `scifact.score_rationale_selection`.

    Raises:
        InputFileError: The claims' file is not as the task demands.
        ValidationError: Rows are unusable, or are not those of the claims; or the threshold is out of range.

    Example:
        >>> claims = [{"id": 1, "evidence": {"7": [{"sentences": [2], "label": "SUPPORT"}]}}]
        >>> rows = [{"claim_id": 1, "doc_id": 7, "sentence": number, "label": int(number == 2)} for number in range(4)]
        >>> compute_metrics = scifact_rationale_metrics(rows, claims)
        >>> compute_metrics((np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0])))["rationale_precision"]
        0.5
    """
    if isinstance(evaluation, Mapping):
        raise ValidationError("Expected one evaluation set, whose rows are those of the claims, got a mapping of sets")
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 <= threshold <= 1:
        raise ValidationError(f"Expected `threshold` to be a probability, got {quoted(threshold)}")
    gold = claims if isinstance(claims, Gold) else read_gold(claims)
    task = HookTask(
        classes=_RATIONALE_CLASSES,
        bind=partial(_bind_rationales, claims=gold),
        read_ids=partial(_read_ids, names=_SENTENCE),
        reduce=partial(_selected, threshold=threshold),
        averaged=("rationale_precision", "rationale_recall", "rationale_f1"),
        figures=_rationale_figures,
    )
    return bind_sets(task, evaluation)


def _bind_labels(evaluation: Any, source: str, *, order: tuple[str, ...]) -> EvaluationSet:
    gold, _ = read_labels(evaluation, source, order)
    ids = _read_ids(evaluation, _DOCUMENT)
    units = list(range(len(gold)) if ids is None else ids)
    _check_repeated(units, source, "document", "claim, document")
    claims = len(units if ids is None else {claim_id for claim_id, _ in ids})

    def score(predicted: Array) -> LabelPrediction:
        labels = [[order[label] for label in column.tolist()] for column in (gold, predicted)]
        return score_pairs(dict(zip(units, zip(*labels, strict=True), strict=True)), claims=claims)

    return EvaluationSet(source=source, gold=gold, score=score, ids=ids)


def _bind_rationales(evaluation: Any, source: str, *, claims: Gold) -> EvaluationSet:
    gold, columns = read_labels(evaluation, source, _RATIONALE_CLASSES, required=_SENTENCE, named=False)
    rows = [_sentence_id(row) for row in zip(*(columns[name] for name in _SENTENCE), strict=True)]
    _check_rows(rows, gold.tolist(), claims, source)

    def score(selected: Array) -> RationaleSelection:
        evidence: dict[int, dict[str, list[int]]] = {claim_id: {} for claim_id in claims.evidence}
        for (claim_id, doc_id, sentence), chosen in zip(rows, selected.tolist(), strict=True):
            if chosen:
                evidence[claim_id].setdefault(doc_id, []).append(sentence)
        selections = [{"claim_id": claim_id, "evidence": found} for claim_id, found in evidence.items()]
        return score_rationale_selection(claims, selections)

    return EvaluationSet(source=source, gold=gold, score=score, ids=rows, structure=rows)


def _check_rows(rows: list[tuple[Any, str, Any]], labels: list[int], claims: Gold, source: str) -> None:
    """Check that rows are sentences of the claims, each once, labelled as the claims' evidence says."""
    _check_repeated(rows, source, "sentence", "claim, document, number")
    evidence = {
        (claim_id, doc_id, sentence)
        for claim_id, documents in claims.evidence.items()
        for doc_id, _, sets in documents
        for sentences in sets
        for sentence in sentences
    }
    for number, (row, label) in enumerate(zip(rows, labels, strict=True)):
        if row[0] not in claims.evidence:
            raise ValidationError(f"{source}: row {number}: {claims.source} has no claim {quoted(row[0])}")
        if label != (row in evidence):
            raise ValidationError(
                f"{source}: row {number}: the sentence {row} (claim, document, number) is labelled {label}, but by "
                f"{claims.source} it is {'part' if row in evidence else 'no part'} of the evidence"
            )


def _check_repeated(rows: list[Any], source: str, what: str, parts: str) -> None:
    if len(set(rows)) != len(rows):
        repeated = next(row for row, count in Counter(rows).items() if count > 1)
        raise ValidationError(f"{source}: two rows hold the {what} {repeated} ({parts})")


def _rationale_figures(report: RationaleSelection) -> dict[str, float]:
    return {f"rationale_{name}": value for name, value in report.figures().items()}


def _selected(outputs: Array, *, threshold: float) -> Array:
    """Tell which sentences are selected, from logits or class ids."""
    if outputs.ndim == 1:
        return np.asarray(as_class_ids(outputs, len(_RATIONALE_CLASSES)) == 1)
    scores = check_scores(outputs, len(_RATIONALE_CLASSES))
    return np.asarray(np.exp(log_softmax(scores)[:, 1]) >= threshold)


def _sentence_id(row: tuple[Any, ...]) -> tuple[Any, ...]:
    # Document ids are numbers in some files and text in others.
    return (row[0], str(row[1]), *row[2:])


def _read_ids(rows: Any, names: tuple[str, ...]) -> list[Any] | None:
    ids = read_ids(rows, names)
    return None if ids is None else list(map(_sentence_id, ids))
