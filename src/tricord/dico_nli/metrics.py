"""The scores of DiCo-NLI on label codes: classification over all instances, consistency over reversible pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from numbers import Integral
from typing import Any

from tricord.dico_nli.labels import LABELS, REVERSE_LABEL
from tricord.errors import ValidationError, quoted
from tricord.measures import LabelScores, add_up, label_scores, ratio

__all__ = [
    "Classification",
    "Consistency",
    "LabelScores",
    "PairError",
    "Report",
    "classification_scores",
    "consistency_scores",
]


# The packed predictions (first, second) that are each other's reverse.
_CONSISTENT = frozenset(
    LABELS.index(label) * len(LABELS) + LABELS.index(reverse) for label, reverse in REVERSE_LABEL.items()
)
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

    def to_dict(self) -> dict[str, Any]:
        """Lay the scores out as the organisers' report does."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**fields, "pair_errors": [error.to_dict() for error in self.pair_errors]}


@dataclass(frozen=True)
class Report:
    """All scores of one set of predictions.

    Attributes:
        classification: The scores over instances.
        consistency: The scores over reversible pairs.
        signature: What the figures depend on, to be quoted with them.
    """

    classification: Classification
    consistency: Consistency
    signature: str

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

    def to_dict(self) -> dict[str, Any]:
        """Lay the report out as the organisers' `scores.json`, which has no place for a signature."""
        return {
            "weighted_f1": self.weighted_f1,
            "soft_cons": self.soft_cons,
            "hard_cons": self.hard_cons,
            "classification": asdict(self.classification),
            "consistency": self.consistency.to_dict(),
        }


def classification_scores(gold: bytes, predicted: bytes) -> Classification:
    """Score the labels of single instances.

    Args:
        gold: n label codes, n > 0.
        predicted: n label codes in the same order.

    Returns:
        The scores; each is computed in the order of operations of the task's definition, so it has its last digit.

    Example:
        >>> classification_scores(bytes([0, 1, 2, 3]), bytes([0, 1, 1, 3])).accuracy
        0.75
    """
    counts = _count_confusions(gold, predicted)
    per_label = label_scores(LABELS, counts)
    scores = per_label.values()
    occurring = [score.f1 for score in scores if score.support]
    return Classification(
        weighted_f1=add_up(score.support / len(gold) * score.f1 for score in scores),
        macro_f1=ratio(add_up(occurring), len(occurring)),
        accuracy=sum(score.true_positive for score in scores) / len(gold),
        total_instances=len(gold),
        per_label=per_label,
        confusion_matrix={
            label: dict(zip(LABELS, row, strict=True)) for label, row in zip(LABELS, counts, strict=True)
        },
    )


def consistency_scores(
    gold: tuple[bytes, bytes],
    predicted: tuple[bytes, bytes],
    pair_members: Callable[[int], tuple[str, str]],
    *,
    max_pair_errors: int = 50,
) -> Consistency:
    """Score the two directions of reversible pairs together.

    Args:
        gold: Label codes of the first and of the second member of each of m pairs, m > 0.
        predicted: The predicted codes of the same members.
        pair_members: Gives the instance ids of both members of a pair, for the list of errors.
        max_pair_errors: How many faulty pairs to list at most.

    Returns:
        The scores.

    Raises:
        ValidationError: `max_pair_errors` is not a whole number from 0.

    Example:
        >>> forward, backward, negative = 1, 2, 3
        >>> gold = bytes([forward, backward]), bytes([backward, forward])
        >>> predicted = bytes([forward, negative]), bytes([backward, negative])
        >>> scores = consistency_scores(gold, predicted, lambda pair: (f"{pair}a", f"{pair}b"))
        >>> scores.soft_cons, scores.hard_cons
        (0.5, 0.5)
    """
    if isinstance(max_pair_errors, bool) or not isinstance(max_pair_errors, Integral) or max_pair_errors < 0:
        raise ValidationError(f"Expected max_pair_errors to be a whole number from 0, got {quoted(max_pair_errors)}")
    pairs = len(gold[0])
    predictions = _pack(*predicted)
    # NEGATIVE_OTHER has no reverse, so a pair predicted NEGATIVE_OTHER twice is not among these.
    soft_pairs = sum(map(predictions.count, _CONSISTENT))
    right = _pack(*gold, *predicted).translate(_HARD_CORRECT)
    hard_pairs = right.count(1)
    errors = []
    for pair in _first_zeros(right, max_pair_errors):
        first_id, second_id = pair_members(pair)
        errors.append(
            PairError(
                first_id=first_id,
                second_id=second_id,
                first_gold=LABELS[gold[0][pair]],
                second_gold=LABELS[gold[1][pair]],
                first_prediction=LABELS[predicted[0][pair]],
                second_prediction=LABELS[predicted[1][pair]],
                soft_consistent=predictions[pair] in _CONSISTENT,
            )
        )
    return Consistency(
        soft_cons=soft_pairs / pairs,
        hard_cons=hard_pairs / pairs,
        reversible_pairs=pairs,
        soft_consistent_pairs=soft_pairs,
        hard_correct_pairs=hard_pairs,
        pair_errors=errors,
    )


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
    size = len(LABELS)
    return [[joined.count(row * size + column) for column in range(size)] for row in range(size)]


def _first_zeros(flags: bytes, most: int) -> Iterator[int]:
    position = -1
    for _ in range(most):
        position = flags.find(0, position + 1)
        if position < 0:
            return
        yield position
