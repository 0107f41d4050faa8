"""The scores of DiCo-NLI on label codes: classification over all instances, consistency over reversible pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from tricord import reports
from tricord.dico_nli.labels import LABELS, REVERSE_LABEL
from tricord.dico_nli.reference import Reference
from tricord.inputs.arguments import whole_number
from tricord.measures import LabelScores, add_up, label_scores, ratio
from tricord.units import Units

__all__ = [
    "MAX_PAIR_ERRORS",
    "OFFICIAL_SCORES",
    "Classification",
    "Consistency",
    "LabelScores",
    "PairError",
    "Report",
    "classification_scores",
    "figures_of_sums",
    "make_report",
]

OFFICIAL_SCORES = ("weighted_f1", "soft_cons", "hard_cons")
"""The scores of the task's leaderboard, in its order."""

MAX_PAIR_ERRORS = 50
"""How many faulty pairs the official report lists."""

_SIZE = len(LABELS)
# For a packed pair of predictions: 1 where they are each other's reverse. NEGATIVE_OTHER has none, so twice that is not.
_REVERSES = {LABELS.index(label) * _SIZE + LABELS.index(reverse) for label, reverse in REVERSE_LABEL.items()}
_SOFT_CONSISTENT = bytes(packed in _REVERSES for packed in range(256))
# For a packed (gold first, gold second, predicted first, predicted second): 1 where the halves agree.
_HARD_CORRECT = bytes(packed >> 4 == packed & 15 for packed in range(256))


@dataclass(frozen=True)
class Classification:
    """How well single instances are labelled.

    Attributes:
        weighted_f1: F1 of the four labels, weighted by support; in [0, 1].
        macro_f1: Mean F1 of the labels that occur in the reference; in [0, 1].
        accuracy: Fraction of instances labelled correctly; in [0, 1].
        total_instances: Number of instances.
        per_label: Counts and scores of each label, in the order of `LABELS`.
        confusion_matrix: Number of instances by gold label and predicted label.
    """

    weighted_f1: float
    macro_f1: float
    accuracy: float
    total_instances: int
    per_label: dict[str, LabelScores]
    confusion_matrix: dict[str, dict[str, int]]


@dataclass(frozen=True)
class PairError:
    """A reversible pair of which at least one member is labelled wrongly."""

    first_id: str
    second_id: str
    first_gold: str
    second_gold: str
    first_prediction: str
    second_prediction: str
    soft_consistent: bool

    def to_dict(self) -> dict[str, str]:
        """Lay the error out as the organisers' report does, with the truth values as strings."""
        return {**asdict(self), "soft_consistent": str(self.soft_consistent).lower(), "hard_correct": "false"}


@dataclass(frozen=True)
class Consistency:
    """How the two directions of reversible pairs fit together.

    Attributes:
        soft_cons: Fraction of pairs whose predictions are each other's reverse, right or wrong; in [0, 1].
        hard_cons: Fraction of pairs with both predictions correct; in [0, 1].
        reversible_pairs: Number of pairs.
        soft_consistent_pairs: Number of pairs that count for `soft_cons`.
        hard_correct_pairs: Number of pairs that count for `hard_cons`.
        pair_errors: The first pairs that are not hard-correct, in reference order.
    """

    soft_cons: float
    hard_cons: float
    reversible_pairs: int
    soft_consistent_pairs: int
    hard_correct_pairs: int
    pair_errors: list[PairError]

    def counts(self) -> dict[str, float]:
        """Give the scores and the counts behind them."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "pair_errors"}

    def to_dict(self) -> dict[str, Any]:
        """Lay the scores out as the organisers' report does."""
        return {**self.counts(), "pair_errors": [error.to_dict() for error in self.pair_errors]}


@dataclass(frozen=True)
class Report(reports.Report):
    """All scores of one set of predictions.

    Attributes:
        classification: The scores over instances.
        consistency: The scores over reversible pairs.
        reference: The n gold rows.
        predictions: n predicted label codes in reference order.
    """

    classification: Classification
    consistency: Consistency
    reference: Reference = field(repr=False, compare=False)
    predictions: bytes = field(repr=False, compare=False)

    @property
    def weighted_f1(self) -> float:
        """The first official score, in [0, 1]."""
        return self.classification.weighted_f1

    @property
    def soft_cons(self) -> float:
        """The second official score, in [0, 1]."""
        return self.consistency.soft_cons

    @property
    def hard_cons(self) -> float:
        """The third official score, in [0, 1]."""
        return self.consistency.hard_cons

    @property
    def signature(self) -> str:
        """What the figures depend on, to be quoted with them."""
        return reports.signature(
            "dico_nli",
            links=self.reference.links,
            gold=self.reference.content_hash,
            instances=len(self.reference),
            pairs=len(self.reference.firsts),
        )

    def official(self) -> dict[str, float]:
        """Give the three official scores."""
        return {name: getattr(self, name) for name in OFFICIAL_SCORES}

    def figures(self) -> dict[str, float]:
        """Give the official scores, macro F1 and accuracy, all in [0, 1]."""
        classification = self.classification
        return {**self.official(), "macro_f1": classification.macro_f1, "accuracy": classification.accuracy}

    def details(self) -> dict[str, Any]:
        """Lay the report out as the organisers' `scores.json`, which has no place for a signature."""
        return {
            **self.official(),
            "classification": asdict(self.classification),
            "consistency": self.consistency.to_dict(),
        }

    @property
    def units(self) -> Units:
        """The rows, each with its place among the 16 confusions, then the pairs, each with (1, soft, hard).

        Those of one source pair are one cluster.
        """
        import numpy as np  # not at the top: files are scored without it

        reference, rows, pairs = self.reference, len(self.reference), len(self.reference.firsts)
        addends = np.zeros((rows + pairs, _SIZE * _SIZE + 3), dtype=np.int64)
        addends[np.arange(rows), np.frombuffer(_pack(reference.gold, self.predictions), dtype=np.uint8)] = 1
        flags = map(np.frombuffer, _pair_flags(reference, self.predictions), [np.uint8] * 2)
        addends[rows:, -3:] = np.stack([np.ones(pairs, dtype=np.uint8), *flags], axis=1)
        clusters = reference.cluster_ids
        return Units(
            ids=[*reference.instance_ids, *map(reference.pair_members, range(pairs))],
            clusters=[*clusters, *map(clusters.__getitem__, reference.firsts)],
            addends=addends,
            formula=figures_of_sums,
        )


def figures_of_sums(*sums: Any) -> dict[str, Any]:
    """Compute the figures of `Report.figures` from sums over units.

    Args:
        *sums: 19 numbers, or arrays of one shape: how many instances have each gold label (slow) and each predicted label
            (fast), and the numbers of pairs, of soft-consistent and of hard-correct ones.

    Returns:
        The figures, each to the last digit that of the report.
    """
    *confusions, pairs, soft, hard = sums
    scores = label_scores(LABELS, [confusions[row * _SIZE : (row + 1) * _SIZE] for row in range(_SIZE)])
    return {**_classification_figures(scores), "soft_cons": ratio(soft, pairs), "hard_cons": ratio(hard, pairs)}


def _classification_figures(per_label: dict[str, LabelScores]) -> dict[str, Any]:
    """Compute each score in the order of operations of the task's definition, so that it has its last digit."""
    scores = per_label.values()
    total = sum(score.support for score in scores)
    return {
        "weighted_f1": add_up(ratio(score.support, total) * score.f1 for score in scores),
        # The F1 of a label that does not occur is 0.
        "macro_f1": ratio(add_up(score.f1 for score in scores), sum(score.support > 0 for score in scores)),
        "accuracy": ratio(sum(score.true_positive for score in scores), total),
    }


def make_report(reference: Reference, predicted: bytes, *, max_pair_errors: int = MAX_PAIR_ERRORS) -> Report:
    """Score label codes that are validated.

    Args:
        reference: The n gold rows.
        predicted: n predicted label codes in reference order.
        max_pair_errors: How many faulty pairs the report lists at most.

    Raises:
        ValidationError: `max_pair_errors` is not a whole number from 0.
    """
    most = whole_number("max_pair_errors", max_pair_errors, least=0)
    return Report(
        classification=classification_scores(reference.gold, predicted),
        consistency=_consistency_scores(reference, predicted, most),
        reference=reference,
        predictions=predicted,
    )


def classification_scores(gold: bytes, predicted: bytes) -> Classification:
    """Score the labels of single instances.

    Args:
        gold: n label codes, n > 0.
        predicted: n label codes in the same order.

    Returns:
        The scores.

    Example:
        >>> classification_scores(bytes([0, 1, 2, 3]), bytes([0, 1, 1, 3])).accuracy
        0.75
    """
    counts = _count_confusions(gold, predicted)
    per_label = label_scores(LABELS, counts)
    return Classification(
        **_classification_figures(per_label),
        total_instances=len(gold),
        per_label=per_label,
        confusion_matrix={
            label: dict(zip(LABELS, row, strict=True)) for label, row in zip(LABELS, counts, strict=True)
        },
    )


def _consistency_scores(reference: Reference, predicted: bytes, max_pair_errors: int) -> Consistency:
    """Score the two directions of reversible pairs together."""
    pairs = len(reference.firsts)
    soft, hard = _pair_flags(reference, predicted)
    soft_pairs, hard_pairs = soft.count(1), hard.count(1)
    errors = [_pair_error(reference, predicted, pair, bool(soft[pair])) for pair in _first_zeros(hard, max_pair_errors)]
    return Consistency(
        soft_cons=ratio(soft_pairs, pairs),
        hard_cons=ratio(hard_pairs, pairs),
        reversible_pairs=pairs,
        soft_consistent_pairs=soft_pairs,
        hard_correct_pairs=hard_pairs,
        pair_errors=errors,
    )


def _pair_error(reference: Reference, predicted: bytes, pair: int, soft_consistent: bool) -> PairError:
    first, second = reference.firsts[pair], reference.seconds[pair]
    first_id, second_id = reference.pair_members(pair)
    return PairError(
        first_id=first_id,
        second_id=second_id,
        first_gold=LABELS[reference.gold[first]],
        second_gold=LABELS[reference.gold[second]],
        first_prediction=LABELS[predicted[first]],
        second_prediction=LABELS[predicted[second]],
        soft_consistent=soft_consistent,
    )


def _pair_flags(reference: Reference, predicted: bytes) -> tuple[bytes, bytes]:
    """Tell of each reversible pair whether it is soft-consistent and whether it is hard-correct, as 0 or 1."""
    predictions = reference.members(predicted)
    soft = _pack(*predictions).translate(_SOFT_CONSISTENT)
    return soft, _pack(*reference.gold_members, *predictions).translate(_HARD_CORRECT)


def _pack(*columns: bytes) -> bytes:
    """Join the codes of a row, two bits each, into one byte a row, the first column in the highest bits.

    A whole column is one large integer here, so that a million rows are shifted and joined by a few machine-speed
    operations; no digit carries over, since a code fills two bits and at most four of them share a byte.
    """
    packed = 0
    for column in columns:
        packed = (packed << 2) | int.from_bytes(column, "big")
    return packed.to_bytes(len(columns[0]), "big")


def _count_confusions(gold: bytes, predicted: bytes) -> list[list[int]]:
    """Count instances by gold code (rows) and predicted code (columns)."""
    joined = _pack(gold, predicted)
    return [[joined.count(row * _SIZE + column) for column in range(_SIZE)] for row in range(_SIZE)]


def _first_zeros(flags: bytes, most: int) -> Iterator[int]:
    position = -1
    for _ in range(most):
        position = flags.find(0, position + 1)
        if position < 0:
            return
        yield position
