"""Scoring from end to end: claims are read and validated once, predictions are read, checked and counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tricord.errors import InputFileError, ValidationError
from tricord.inputs.records import FieldError
from tricord.measures import PrecisionRecallF1
from tricord.reports import signature
from tricord.scifact.io import as_records
from tricord.scifact.labels import NOT_ENOUGH_INFO
from tricord.scifact.metrics import (
    LabelPrediction,
    Report,
    Retrieval,
    check_rule,
    count_claims,
    label_prediction_scores,
)
from tricord.scifact.validation import (
    Abstract,
    Gold,
    GoldAbstract,
    PredictedAbstract,
    accept_predictions,
    claim_text,
    corpus_abstract,
    label_prediction,
    make_gold,
    matched_predictions,
    prediction,
    rationale_selection,
    retrieved_documents,
)

if TYPE_CHECKING:
    from typing import TypeAlias

    from tricord.inputs.text import StrPath

    Source: TypeAlias = StrPath | Iterable[Any]

__all__ = [
    "RationaleSelection",
    "abstract_lengths",
    "iter_corpus",
    "read_claim_texts",
    "read_gold",
    "score",
    "score_abstract_retrieval",
    "score_claims",
    "score_label_prediction",
    "score_rationale_selection",
]


@dataclass(frozen=True)
class RationaleSelection:
    """How well rationale sentences are selected.

    Attributes:
        scores: Micro-averaged over the sentences of all claims.
        claims: Number of claims.
        signature: What the figures depend on, to be quoted with them.
    """

    scores: PrecisionRecallF1
    claims: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Lay the scores out as the JSON output."""
        return {**asdict(self.scores), "claims": self.claims, "signature": self.signature}


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
    return make_gold(as_records(claims, "claims"), corpus)


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
    records = as_records(path, "corpus")
    seen: set[str] = set()
    for number, abstract in records.read(corpus_abstract):
        if abstract.doc_id in seen:
            raise records.error(
                number, FieldError(("doc_id",), f"document {abstract.doc_id} was given before; expected each once")
            )
        seen.add(abstract.doc_id)
        yield abstract
    if not seen:
        kind = InputFileError if records.in_file else ValidationError
        raise kind(f"{records.source}: there are no documents")


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
    texts = (text for _, text in as_records(path, "claims").read(claim_text))
    return {claim_id: text for claim_id, text in texts if claim_id in wanted}


def score(gold: Gold, predictions: Source, *, rule: str = "paper", corpus: Mapping[str, int] | None = None) -> Report:
    """Score predictions against claims with gold evidence.

    Args:
        gold: From `read_gold`.
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
        'scifact|rule:paper|claims:1|version:0.1.0'
    """
    check_rule(rule)
    records = as_records(predictions, "predictions")
    convert = partial(prediction, corpus=corpus)
    predicted = matched_predictions(gold, records, convert, accept_predictions if corpus is None else None)
    return score_claims(((gold.evidence[claim_id], documents) for claim_id, documents in predicted), rule=rule)


def score_claims(
    claims: Iterable[tuple[Sequence[GoldAbstract], Mapping[str, PredictedAbstract]]], *, rule: str
) -> Report:
    """Score claims that are already validated and matched."""
    counts = count_claims(claims, rule)
    return Report.from_counts(counts, rule=rule, signature=signature("scifact", rule=rule, claims=counts.claims))


def score_rationale_selection(gold: Gold, selections: Source) -> RationaleSelection:
    """Score selected rationale sentences.

    Args:
        gold: From `read_gold`.
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
    selected = matched_predictions(gold, as_records(selections, "selections"), rationale_selection)
    counts = count_claims(((gold.evidence[claim_id], documents) for claim_id, documents in selected), "paper")
    scores = PrecisionRecallF1.of(
        correct=counts.selected, predicted=counts.predicted_sentences, gold=counts.gold_sentences
    )
    return RationaleSelection(scores, len(gold), signature("scifact_rationale_selection", claims=len(gold)))


def score_label_prediction(gold: Gold, labels: Source) -> LabelPrediction:
    """Score the labels of given documents; the true label of a document without gold evidence is NOT_ENOUGH_INFO.

    Args:
        gold: From `read_gold`.
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
    pairs: Counter[tuple[str, str]] = Counter()
    for claim_id, predicted in matched_predictions(gold, as_records(labels, "labels"), label_prediction):
        true_labels = {doc_id: label for doc_id, label, _ in gold.evidence[claim_id]}
        for doc_id, label in predicted.items():
            pairs[true_labels.get(doc_id, NOT_ENOUGH_INFO), label] += 1
    return label_prediction_scores(
        pairs, claims=len(gold), signature=signature("scifact_label_prediction", claims=len(gold))
    )


def score_abstract_retrieval(gold: Gold, retrieved: Source) -> Retrieval:
    """Score retrieved documents.

    Args:
        gold: From `read_gold`.
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
    hit_one = hit_all = 0
    for claim_id, doc_ids in matched_predictions(gold, as_records(retrieved, "retrieved"), retrieved_documents):
        wanted = {doc_id for doc_id, _, _ in gold.evidence[claim_id]}
        hit_one += not wanted or not wanted.isdisjoint(doc_ids)
        hit_all += wanted <= set(doc_ids)
    claims = len(gold)
    return Retrieval(
        hit_one=hit_one / claims,
        hit_all=hit_all / claims,
        hit_one_claims=hit_one,
        hit_all_claims=hit_all,
        claims=claims,
        signature=signature("scifact_abstract_retrieval", claims=claims),
    )
