"""Scoring from end to end: claims are read and validated once, predictions are read, checked and counted one by one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tricord.errors import ValidationError
from tricord.inputs.arguments import gold_path
from tricord.scifact.claims import Abstract, Claim, Gold, Labels, Prediction, Retrieved, Selection
from tricord.scifact.metrics import (
    LabelPrediction,
    RationaleSelection,
    Report,
    Retrieval,
    check_rule,
    make_label_prediction,
    make_rationale_selection,
    make_report,
    make_retrieval,
)
from tricord.scifact.records import as_records
from tricord.scifact.validation import (
    bind_claims,
    corpus_abstracts,
    document_labels,
    matched,
    predicted_abstracts,
    retrieved_ids,
    selected_abstracts,
)

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath
    from tricord.scifact.records import Source

__all__ = [
    "abstract_lengths",
    "iter_corpus",
    "read_claim_texts",
    "read_gold",
    "read_predictions",
    "score",
    "score_abstract_retrieval",
    "score_label_prediction",
    "score_rationale_selection",
    "validate_predictions",
]

_EXPECTED = "a Gold (from read_gold), or a list of claims"
_Form = TypeVar("_Form", bound=msgspec.Struct)
_Value = TypeVar("_Value")


def read_gold(claims: Source, *, corpus: Mapping[str, int] | None = None) -> Gold:
    """Read and validate claims with gold evidence.

    Args:
        claims: A JSON Lines file, or the objects as loaded from one.
        corpus: The number of sentences of each document, from `abstract_lengths`; where given, evidence must lie within.

    Returns:
        The gold standard, to be given to `score`.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands; names line and key.
        ValidationError: An object in memory is not as the task demands; or there are no claims.

    Example:
        >>> gold = read_gold([{"id": 1, "evidence": {}}, {"id": 2, "evidence": {}}])
        >>> len(gold)
        2
    """
    return bind_claims(as_records(claims, "claims"), corpus)


def iter_corpus(path: Source) -> Iterator[Abstract]:
    """Read the documents of a corpus one by one.

    Args:
        path: A JSON Lines file, or the objects as loaded from one.

    Yields:
        Each document.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands, or a document is repeated.
        ValidationError: The same for objects in memory; or there are no documents.
    """
    yield from corpus_abstracts(as_records(path, "corpus"))


def abstract_lengths(corpus: Source) -> dict[str, int]:
    """Count the sentences of each document of a corpus, for the checks of `read_gold` and `score`.

    Args:
        corpus: A JSON Lines file, or the objects as loaded from one.

    Returns:
        The number of sentences by document id.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands.
        ValidationError: The same for objects in memory.

    Example:
        >>> abstract_lengths([{"doc_id": 7, "title": "A title", "abstract": ["One.", "Two."]}])
        {'7': 2}
    """
    return {abstract.doc_id: len(abstract.sentences) for abstract in iter_corpus(corpus)}


def read_claim_texts(path: StrPath, claim_ids: Iterable[int]) -> dict[int, str]:
    """Read the texts of some claims of a file that `read_gold` has accepted.

    Args:
        path: The claims.
        claim_ids: The claims whose texts are wanted.

    Returns:
        The texts by claim id; empty for a claim without one.
    """
    wanted = set(claim_ids)
    claims = (claim for _, claim in as_records(path, "claims").read(Claim))
    return {claim.id: claim.claim or "" for claim in claims if claim.id in wanted}


def read_predictions(predictions: Source) -> dict[int, dict[str, dict[str, Any]]]:
    """Read predictions, whatever the claims are.

    Args:
        predictions: A JSON Lines file, or the objects as loaded from one.

    Returns:
        By claim id and document id the predicted `{"sentences": [int], "label": str}`.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands; names line and key.
        ValidationError: An object in memory is not as the task demands.

    Example:
        >>> read_predictions([{"id": 1, "evidence": {7: {"sentences": (2,), "label": "SUPPORT"}}}])
        {1: {'7': {'label': 'SUPPORT', 'sentences': [2]}}}
    """
    records = as_records(predictions, "predictions")
    return {record.id: msgspec.to_builtins(record.evidence) for _, record in records.read(Prediction)}


def score(
    gold: Gold | Source, predictions: Source, *, rule: str = "paper", corpus: Mapping[str, int] | None = None
) -> Report:
    """Score predictions against claims with gold evidence.

    Args:
        gold: From `read_gold`; or a claims file, or the objects as loaded from one, which are read anew each time.
        predictions: A JSON Lines file, or the objects as loaded from one; in any order of claims.
        rule: How many predicted sentences count at abstract level: "paper" keeps the first 3, "leaderboard" the first 3
            or as many as the smallest gold evidence set of the document has.
        corpus: The number of sentences of each document, from `abstract_lengths`; where given, predicted sentences must
            lie within.

    Returns:
        The report.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands; names line and key.
        ValidationError: An object in memory is not as the task demands, the predictions do not cover the claims exactly,
            or the rule is unknown.

    Example:
        >>> gold = read_gold([{"id": 1, "evidence": {"7": [{"sentences": [2, 5], "label": "SUPPORT"}]}}])
        >>> report = score(gold, [{"id": 1, "evidence": {7: {"sentences": [5, 2, 3], "label": "SUPPORT"}}}])
        >>> report.abstract_rationalized.f1, report.sentence_label.precision
        (1.0, 0.6666666666666666)
        >>> report.signature
        'scifact|rule:paper|gold:ae711d20|claims:1|version:0.1.0'
    """
    check_rule(rule)
    claims, predicted = _matched(gold, predictions, "predictions", Prediction, predicted_abstracts(corpus))
    return make_report(claims, predicted, rule)


def validate_predictions(gold: Gold | Source, predictions: Source, *, corpus: Mapping[str, int] | None = None) -> int:
    """Check predictions without scoring them; the arguments and errors are those of `score`.

    Returns:
        The number of claims.
    """
    _, predicted = _matched(gold, predictions, "predictions", Prediction, predicted_abstracts(corpus))
    return sum(1 for _ in predicted)


def _matched(
    gold: Gold | Source,
    predictions: Source,
    name: str,
    form: type[_Form],
    value_of: Callable[[_Form], tuple[int, _Value]],
) -> tuple[Gold, Iterator[tuple[int, _Value]]]:
    """Take the gold standard in any of its forms, and read what is predicted for its claims."""
    if isinstance(predictions, Gold):
        raise ValidationError(
            f"Expected `{name}` to be predictions, got a Gold; gold comes first: score(gold, predictions)"
        )
    if not isinstance(gold, Gold):
        gold = _read_any(gold)
    return gold, matched(gold, as_records(predictions, name), form, value_of)


def _read_any(gold: Any) -> Gold:
    if isinstance(gold, (str, os.PathLike)) or not isinstance(gold, Iterable) or isinstance(gold, Mapping):
        return read_gold(gold_path(gold, expected=_EXPECTED))
    try:
        return read_gold(gold)
    except ValidationError as error:
        raise ValidationError(f"{error}; gold comes first: score(gold, predictions)") from None


def score_rationale_selection(gold: Gold | Source, selections: Source) -> RationaleSelection:
    """Score selected rationale sentences.

    Args:
        gold: As for `score`.
        selections: A JSON Lines file of `{"claim_id": int, "evidence": {doc_id: [int]}}`, or such objects.

    Returns:
        Micro precision, recall and F1 over sentences; a sentence is correct if it belongs to a gold evidence set that is
        wholly selected.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands; names line and key.
        ValidationError: An object in memory is not as the task demands, or the claims are not covered exactly.

    Example:
        >>> gold = read_gold([{"id": 1, "evidence": {"7": [{"sentences": [2, 5], "label": "SUPPORT"}]}}])
        >>> score_rationale_selection(gold, [{"claim_id": 1, "evidence": {"7": [2, 5, 6, 8]}}]).scores.precision
        0.5
    """
    return make_rationale_selection(*_matched(gold, selections, "selections", Selection, selected_abstracts))


def score_label_prediction(gold: Gold | Source, labels: Source) -> LabelPrediction:
    """Score the labels of given documents; the true label of a document without gold evidence is NOT_ENOUGH_INFO.

    Args:
        gold: As for `score`.
        labels: A JSON Lines file of `{"claim_id": int, "labels": {doc_id: {"label": str, "confidence": float}}}`, or such
            objects.

    Returns:
        Accuracy, macro F1, scores of each label and the confusion matrix.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands; names line and key.
        ValidationError: An object in memory is not as the task demands, or the claims are not covered exactly.

    Example:
        >>> gold = read_gold([{"id": 1, "evidence": {"7": [{"sentences": [2, 5], "label": "SUPPORT"}]}}])
        >>> labels = [{"claim_id": 1, "labels": {"7": {"label": "SUPPORT"}, "8": {"label": "NOT_ENOUGH_INFO"}}}]
        >>> score_label_prediction(gold, labels).accuracy
        1.0
    """
    return make_label_prediction(*_matched(gold, labels, "labels", Labels, document_labels))


def score_abstract_retrieval(gold: Gold | Source, retrieved: Source) -> Retrieval:
    """Score retrieved documents.

    Args:
        gold: As for `score`.
        retrieved: A JSON Lines file of `{"claim_id": int, "doc_ids": [int]}`, or such objects.

    Returns:
        The fractions of claims for which one, and for which all documents with evidence are retrieved.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands; names line and key.
        ValidationError: An object in memory is not as the task demands, or the claims are not covered exactly.

    Example:
        >>> gold = read_gold([{"id": 1, "evidence": {"7": [{"sentences": [2, 5], "label": "SUPPORT"}]}}])
        >>> score_abstract_retrieval(gold, [{"claim_id": 1, "doc_ids": [8, 7, 9]}]).hit_one
        1.0
    """
    return make_retrieval(*_matched(gold, retrieved, "retrieved", Retrieved, retrieved_ids))
