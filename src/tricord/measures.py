"""Precision, recall and F1 from counts: the arithmetic that more than one task is built on."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["add_up", "f1_score", "ratio"]


def ratio(numerator: float, denominator: float) -> float:
    """Divide, with 0.0 where the denominator is 0 (the rule of all the tasks for an undefined proportion).

    Example:
        >>> ratio(1, 4), ratio(0, 0)
        (0.25, 0.0)
    """
    return numerator / denominator if denominator else 0.0


def f1_score(precision: float, recall: float) -> float:
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


def add_up(values: Iterable[float]) -> float:
    """Add floats from left to right, starting at 0.0.

    `sum` compensates for rounding since Python 3.12, so its last digit depends on the interpreter; this does not.

    Example:
        >>> add_up([0.1] * 10)
        0.9999999999999999
    """
    total = 0.0
    for value in values:
        total += value
    return total
