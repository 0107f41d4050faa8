"""The scores of SciFact on validated values: counts for one claim, added up over claims, turned into scores once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from tricord.errors import ValidationError, quoted
from tricord.measures import LabelScores, PrecisionRecallF1, add_up, label_scores, ratio
from tricord.scifact.labels import EVIDENCE_LABELS, LABELS
from tricord.scifact.validation import GoldAbstract, PredictedAbstract

__all__ = [
    "RULES",
    "ClaimCounts",
    "LabelPrediction",
    "Report",
    "Retrieval",
    "Rule",
    "check_rule",
    "complete_sets",
    "count_claims",
    "count_sentences",
    "is_rationalized",
    "label_prediction_scores",
    "sentence_limit",
]

Rule: TypeAlias = Literal["paper", "leaderboard"]

RULES: tuple[str, ...] = get_args(Rule)
"""How many of the predicted sentences count at abstract level; see `sentence_limit`."""

FIRST_SENTENCES = 3


class ClaimCounts(NamedTuple):
    """What claims add to the scores.

    Attributes:
        claims: Number of claims.
        gold_abstracts: Documents with gold evidence.
        predicted_abstracts: Documents that are predicted.
        label_only: Predicted documents with the right label.
        rationalized: Of these, documents of which a gold evidence set is among the predicted sentences that count.
        gold_sentences: Gold evidence sentences, each once.
        predicted_sentences: Predicted sentences, each as often as it is listed.
        selected: Predicted sentences that belong to a wholly predicted gold evidence set.
        labelled: Of these, sentences of documents with the right label.
    """

    claims: int
    gold_abstracts: int
    predicted_abstracts: int
    label_only: int
    rationalized: int
    gold_sentences: int
    predicted_sentences: int
    selected: int
    labelled: int


@dataclass(frozen=True)
class Report:
    """All scores of one set of predictions.

    Attributes:
        sentence_selection: Are the rationale sentences right, whatever the label?
        sentence_label: Are the rationale sentences and the label right?
        abstract_label_only: Are the documents and their labels right?
        abstract_rationalized: Are they, with a whole evidence set among the predicted sentences that count?
        claims: Number of claims.
        rule: How many predicted sentences count at abstract level.
        signature: What the figures depend on, to be quoted with them.
    """

    sentence_selection: PrecisionRecallF1
    sentence_label: PrecisionRecallF1
    abstract_label_only: PrecisionRecallF1
    abstract_rationalized: PrecisionRecallF1
    claims: int
    rule: str
    signature: str

    @classmethod
    def from_counts(cls, counts: ClaimCounts, *, rule: str, signature: str) -> Report:
        """Turn counts over all claims into scores."""
        predicted_sentences, gold_sentences = counts.predicted_sentences, counts.gold_sentences
        predicted_abstracts, gold_abstracts = counts.predicted_abstracts, counts.gold_abstracts
        of = PrecisionRecallF1.of
        return cls(
            sentence_selection=of(correct=counts.selected, predicted=predicted_sentences, gold=gold_sentences),
            sentence_label=of(correct=counts.labelled, predicted=predicted_sentences, gold=gold_sentences),
            abstract_label_only=of(correct=counts.label_only, predicted=predicted_abstracts, gold=gold_abstracts),
            abstract_rationalized=of(correct=counts.rationalized, predicted=predicted_abstracts, gold=gold_abstracts),
            claims=counts.claims,
            rule=rule,
            signature=signature,
        )

    def groups(self) -> dict[str, PrecisionRecallF1]:
        """Give the four groups of scores by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, PrecisionRecallF1)}

    def to_dict(self) -> dict[str, Any]:
        """Lay the report out as the JSON output."""
        return asdict(self)


@dataclass(frozen=True)
class LabelPrediction:
    """How well the label of a claim and a given document is predicted.

    Attributes:
        accuracy: Fraction of documents labelled correctly; in [0, 1].
        macro_f1: Mean F1 of the labels that occur in gold or predictions; in [0, 1].
        macro_f1_without_nei: Mean F1 of CONTRADICT and SUPPORT; in [0, 1].
        total_documents: Number of labelled documents.
        per_label: Counts and scores of each label, in the order of `LABELS`.
        confusion_matrix: Number of documents by gold label and predicted label.
        claims: Number of claims.
        signature: What the figures depend on, to be quoted with them.
    """

    accuracy: float
    macro_f1: float
    macro_f1_without_nei: float
    total_documents: int
    per_label: dict[str, LabelScores]
    confusion_matrix: dict[str, dict[str, int]]
    claims: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Lay the scores out as the JSON output."""
        return asdict(self)


@dataclass(frozen=True)
class Retrieval:
    """How well the documents with evidence are found.

    Attributes:
        hit_one: Fraction of claims with at least one gold document retrieved, or without any; in [0, 1].
        hit_all: Fraction of claims with all gold documents retrieved; in [0, 1].
        hit_one_claims: Number of claims that count for `hit_one`.
        hit_all_claims: Number of claims that count for `hit_all`.
        claims: Number of claims.
        signature: What the figures depend on, to be quoted with them.
    """

    hit_one: float
    hit_all: float
    hit_one_claims: int
    hit_all_claims: int
    claims: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Lay the scores out as the JSON output."""
        return asdict(self)


def check_rule(rule: str) -> None:
    """Refuse an unknown rule.

    Raises:
        ValidationError: The rule is none of `RULES`.
    """
    if rule not in RULES:
        raise ValidationError(f"Expected `rule` to be one of {', '.join(RULES)}, got {quoted(rule)}")


def sentence_limit(sets: Sequence[Sequence[int]], rule: str) -> int:
    """Tell how many of the predicted sentences of a document count at abstract level.

    Args:
        sets: The gold evidence sets of the document.
        rule: "paper", the first 3; or "leaderboard", the first 3 or as many as the smallest evidence set has.

    Example:
        >>> sentence_limit([[0, 1, 2, 3], [5, 6, 7, 8, 9]], "paper")
        3
        >>> sentence_limit([[0, 1, 2, 3], [5, 6, 7, 8, 9]], "leaderboard")
        4
    """
    return FIRST_SENTENCES if rule == "paper" else max(FIRST_SENTENCES, min(map(len, sets)))


def complete_sets(sets: Iterable[Sequence[int]], sentences: Iterable[int]) -> list[Sequence[int]]:
    """Find the evidence sets all of whose sentences are among the given ones.

    Example:
        >>> complete_sets([(0, 1), (1, 2, 3), (11,)], [11, 1, 0, 2])
        [(0, 1), (11,)]
    """
    given = set(sentences)
    return [one for one in sets if given.issuperset(one)]


def count_sentences(sets: Sequence[Sequence[int]]) -> int:
    """Count the sentences of evidence sets; one that several sets share counts once.

    Example:
        >>> count_sentences([(0, 1), (1, 2, 3)])
        4
    """
    return len(sets[0]) if len(sets) == 1 else len(set().union(*sets))


def is_rationalized(sets: Sequence[Sequence[int]], sentences: Sequence[int], rule: str) -> bool:
    """Tell whether an evidence set is among those of the predicted sentences that count at abstract level.

    Example:
        >>> is_rationalized([(2, 5), (7,)], [5, 1, 2, 7], "paper"), is_rationalized([(7,)], [5, 1, 2, 7], "paper")
        (True, False)
    """
    return bool(complete_sets(sets, sentences[: sentence_limit(sets, rule)]))


def count_claims(
    claims: Iterable[tuple[Sequence[GoldAbstract], Mapping[str, PredictedAbstract]]], rule: str
) -> ClaimCounts:
    """Count what claims add to the scores.

    Args:
        claims: For each claim the documents with evidence, each once, and the predicted documents by document id.
        rule: How many predicted sentences count at abstract level: one of `RULES`.

    Returns:
        The counts over all the claims.

    Example:
        >>> gold = [("11", "SUPPORT", ((0, 1), (11,))), ("15", "SUPPORT", ((4,),))]
        >>> predicted = {
        ...     "11": {"label": "SUPPORT", "sentences": [1, 11, 13]},
        ...     "16": {"label": "CONTRADICT", "sentences": [18, 20]},
        ... }
        >>> counts = count_claims([(gold, predicted)], "paper")
        >>> counts.rationalized, counts.labelled, counts.predicted_sentences, counts.gold_sentences
        (1, 1, 5, 4)
    """
    number = gold_abstracts = gold_sentences = 0
    predicted_abstracts = predicted_sentences = label_only = rationalized = selected = labelled = 0
    for gold, predicted in claims:
        number += 1
        gold_abstracts += len(gold)
        predicted_abstracts += len(predicted)
        for abstract in predicted.values():
            predicted_sentences += len(abstract["sentences"])
        for doc_id, label, sets in gold:
            gold_sentences += count_sentences(sets)
            if doc_id not in predicted:
                continue
            sentences = predicted[doc_id]["sentences"]
            right_label = predicted[doc_id]["label"] == label
            label_only += right_label
            if complete := complete_sets(sets, sentences):
                correct = count_sentences(complete)
                selected += correct
                if right_label:
                    labelled += correct
                    # Where no sentence is cut off, the set that was found is there.
                    rationalized += len(sentences) <= FIRST_SENTENCES or is_rationalized(sets, sentences, rule)
    return ClaimCounts(
        claims=number,
        gold_abstracts=gold_abstracts,
        predicted_abstracts=predicted_abstracts,
        label_only=label_only,
        rationalized=rationalized,
        gold_sentences=gold_sentences,
        predicted_sentences=predicted_sentences,
        selected=selected,
        labelled=labelled,
    )


def label_prediction_scores(pairs: Mapping[tuple[str, str], int], *, claims: int, signature: str) -> LabelPrediction:
    """Score predicted labels.

    Args:
        pairs: Number of documents by gold label and predicted label.
        claims: Number of claims.
        signature: What the figures depend on.

    Returns:
        The scores; the macro averages follow scikit-learn.

    Example:
        >>> pairs = {("SUPPORT", "SUPPORT"): 3, ("NOT_ENOUGH_INFO", "CONTRADICT"): 1}
        >>> label_prediction_scores(pairs, claims=2, signature="").accuracy
        0.75
    """
    confusions = [[pairs.get((gold, predicted), 0) for predicted in LABELS] for gold in LABELS]
    per_label = label_scores(LABELS, confusions)
    correct = sum(score.true_positive for score in per_label.values())
    total = sum(pairs.values())
    occurring = [score.f1 for score in per_label.values() if score.support or score.predicted]
    evidence = [per_label[label].f1 for label in EVIDENCE_LABELS]
    return LabelPrediction(
        accuracy=ratio(correct, total),
        macro_f1=ratio(add_up(occurring), len(occurring)),
        macro_f1_without_nei=ratio(add_up(evidence), len(evidence)),
        total_documents=total,
        per_label=per_label,
        confusion_matrix={
            label: dict(zip(LABELS, row, strict=True)) for label, row in zip(LABELS, confusions, strict=True)
        },
        claims=claims,
        signature=signature,
    )
