"""Precision, recall and F1 from counts: the arithmetic that more than one task is built on.

Every function takes numbers, or arrays of one shape for many sums at once; the operations and their order are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["LabelScores", "PrecisionRecallF1", "add_up", "f1_score", "label_scores", "one_where_zero", "ratio"]


def ratio(numerator: Any, denominator: Any) -> Any:
    """Divide, with 0.0 where both are 0 (the rule of all the tasks for an undefined proportion).

    Free of branches, so that it takes numbers and arrays alike.

    Args:
        numerator: A number or an array; 0 wherever the denominator is 0.
        denominator: A number, or an array of the same shape.

    Example:
        >>> ratio(1, 4), ratio(0, 0)
        (0.25, 0.0)
    """
    return numerator / one_where_zero(denominator)


def one_where_zero(value: Any) -> Any:
    """Replace 0 by 1: what a term is divided by where it is 0 itself, and so are its numerator and the result.

    Example:
        >>> one_where_zero(0), one_where_zero(4)
        (1, 4)
    """
    return value + (value == 0)


def f1_score(precision: Any, recall: Any) -> Any:
    """Compute the harmonic mean of precision and recall, `2 * precision * recall / (precision + recall)`.

    The products are taken in this order, on the two floats rather than on counts, because the tasks' reference scorers
    do so and the last digit depends on it.

    Args:
        precision: In [0, 1].
        recall: In [0, 1].

    Returns:
        F1 in [0, 1]; 0.0 where both are 0.

    Example:
        >>> f1_score(0.5, 0.25)
        0.3333333333333333
    """
    return ratio(2 * precision * recall, precision + recall)


def add_up(values: Iterable[Any]) -> Any:
    """Add floats from left to right, starting at 0.0.

    `sum` compensates for rounding since Python 3.12, so its last digit depends on the interpreter; this does not.

    Example:
        >>> add_up([0.1] * 10)
        0.9999999999999999
    """
    total = 0.0
    for value in values:
        total = total + value
    return total


@dataclass(frozen=True)
class PrecisionRecallF1:
    """How well a set of predicted items matches a set of gold items, with the counts behind the scores.

    Attributes:
        correct: Number of predicted items that are right.
        predicted: Number of predicted items.
        gold: Number of items to be found.
        precision: `correct / predicted`, in [0, 1].
        recall: `correct / gold`, in [0, 1].
        f1: Their harmonic mean, in [0, 1].
    """

    correct: int
    predicted: int
    gold: int
    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, *, correct: Any, predicted: Any, gold: Any) -> PrecisionRecallF1:
        """Compute the scores from the counts.

        Example:
            >>> PrecisionRecallF1.of(correct=1, predicted=5, gold=4).f1
            0.22222222222222224
        """
        precision, recall = ratio(correct, predicted), ratio(correct, gold)
        return cls(correct, predicted, gold, precision, recall, f1_score(precision, recall))


@dataclass(frozen=True)
class LabelScores:
    """Counts and scores of one label."""

    label: str
    support: int
    predicted: int
    true_positive: int
    false_positive: int
    false_negative: int
    precision: float
    recall: float
    f1: float


def label_scores(labels: Sequence[str], confusions: Sequence[Sequence[Any]]) -> dict[str, LabelScores]:
    """Score each label of a classification.

    Args:
        labels: The k labels.
        confusions: k rows of k counts: number of items by gold label (row) and predicted label (column).

    Returns:
        The scores by label, in the order of `labels`.

    Example:
        >>> label_scores(["yes", "no"], [[1, 1], [0, 2]])["yes"].recall
        0.5
    """
    scores = {}
    for row, label in enumerate(labels):
        support, predicted = sum(confusions[row]), sum(counts[row] for counts in confusions)
        correct = confusions[row][row]
        measures = PrecisionRecallF1.of(correct=correct, predicted=predicted, gold=support)
        scores[label] = LabelScores(
            label=label,
            support=support,
            predicted=predicted,
            true_positive=correct,
            false_positive=predicted - correct,
            false_negative=support - correct,
            precision=measures.precision,
            recall=measures.recall,
            f1=measures.f1,
        )
    return scores
