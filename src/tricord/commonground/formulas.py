"""Every formula of the task, once: plain arithmetic that a single call does on numbers and the matrix form on arrays.

Each function takes counts or probabilities as numbers or as arrays of one shape, and is free of branches, so that both
kinds of caller run the same operations in the same order. Addition, multiplication, division and square root are
correctly rounded in `math` and in numpy alike, so the results are equal to the last digit. (The logarithm is not, so the
caller hands in one.) The caller has checked the arguments.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from tricord.measures import one_where_zero

__all__ = [
    "brier_loss",
    "entropy_term",
    "one_proportion_z",
    "pair_difference",
    "reward",
    "skill",
    "smoothed_proportion",
    "two_proportion_z",
]

_LN_3 = math.log(3)


def smoothed_proportion(successes: Any, trials: Any) -> Any:
    """Compute the proportion after adding one success and one failure, (s + 1) / (n + 2); Polis `pa` and `pd`."""
    return (successes + 1) / (trials + 2)


def one_proportion_z(successes: Any, trials: Any, sqrt: Callable[[Any], Any]) -> Any:
    """Test a proportion against one half with one success and trial added; Polis `pat` and `pdt`."""
    s, n = successes + 1, trials + 1
    return 2 * sqrt(n) * (s / n - 0.5)


def two_proportion_z(s_in: Any, s_out: Any, p_in: Any, p_out: Any, sqrt: Callable[[Any], Any]) -> Any:
    """Test two proportions against each other with one success and trial added to each; Polis `rat` and `rdt`.

    The variance is 0 exactly where the pooled proportion is 1; both proportions are 1 then, and the result is 0.
    """
    s_in, s_out, p_in, p_out = s_in + 1, s_out + 1, p_in + 1, p_out + 1
    pooled = (s_in + s_out) / (p_in + p_out)
    variance = pooled * (1 - pooled) * (1 / p_in + 1 / p_out)
    return (s_in / p_in - s_out / p_out) / sqrt(one_where_zero(variance))


def entropy_term(count: Any, total: Any, log: Callable[[Any], Any]) -> Any:
    """Compute one class's part of the entropy to base 3, share * log3(1 / share); 0 for a share of 0.

    Taken as log(total / count) / ln 3, equal counts of three classes add up to exactly 1.
    """
    total = one_where_zero(total)
    return count / total * (log(total / one_where_zero(count)) / _LN_3)


def pair_difference(agree: Any, disagree: Any, passed: Any) -> Any:
    """Compute the fraction of pairs of votes that differ; 0 below two votes.

    Votes of different kinds make agree * disagree + agree * pass + disagree * pass of the n * (n - 1) / 2 pairs.
    """
    seen = agree + disagree + passed
    differing = agree * disagree + agree * passed + disagree * passed
    return differing / one_where_zero(seen * (seen - 1) // 2)


def brier_loss(other: Any, another: Any) -> Any:
    """Compute half the squared distance of a distribution over three classes from a one-hot vote.

    Args:
        other: The probability of one of the two classes that were not voted.
        another: The probability of the other one.

    Returns:
        In [0, 1]. The voted class lacks what these two have, so ((b + c)**2 + b**2 + c**2) / 2 = b**2 + b * c + c**2:
        symmetric, and without the cancellation of 1 - p.
    """
    return other * other + another * another + other * another


def reward(score: Any, cells: Any) -> Any:
    """Turn a Brier score into a reward, 1 - score; 0 for no cells."""
    return (cells > 0) - score


def skill(score: Any, reference: Any, largest: Callable[[Any, Any], Any]) -> Any:
    """Compute the skill 1 - score / reference of a loss; 0 where the reference is perfect.

    Where the reference is so nearly perfect that the result is below all floats, it is the lowest float, not an infinity.
    """
    return largest(1 - score / one_where_zero(reference), -sys.float_info.max) * (reference != 0)
