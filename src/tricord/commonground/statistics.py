"""The statistics of one statement, as Polis computes them: single calls on plain values.

`tricord.commonground.matrix` has the same for whole vote matrices; both take their arithmetic from
`tricord.commonground.formulas`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral
from typing import Any

from tricord.commonground import formulas
from tricord.commonground.votes import VoteCounts, as_number, count_votes
from tricord.errors import ValidationError, quoted

__all__ = [
    "MAX_COUNT",
    "cluster_separation",
    "comment_stats",
    "entropy_of_counts",
    "prop_test",
    "rating_to_vote",
    "representativeness",
    "separation_of_counts",
    "stats_of_counts",
    "two_prop_test",
    "vote_entropy",
]

MAX_COUNT = 2**52 - 1
"""The largest count accepted: up to it, a float tells a pooled proportion below 1 from 1."""


def prop_test(successes: int, trials: int) -> float:
    """Test a proportion of successes against one half.

    With s = successes + 1 and n = trials + 1 the statistic is 2 * sqrt(n) * (s / n - 0.5), a z-score of the binomial
    test with one success added (Polis math, `prop-test`).

    Args:
        successes: From 0 to `trials`.
        trials: From 0 to `MAX_COUNT`.

    Returns:
        The z-score; positive where more than half succeed.

    Raises:
        ValidationError: A count is not a whole number, negative, too large, or there are more successes than trials.

    Example:
        >>> prop_test(3, 3), prop_test(0, 1)
        (2.0, 0.0)
    """
    trials = _count("trials", trials)
    return float(formulas.one_proportion_z(_successes("successes", successes, "trials", trials), trials, math.sqrt))


def two_prop_test(s_in: int, s_out: int, p_in: int, p_out: int) -> float:
    """Test the proportion of successes inside a group against that outside it.

    One is added to every argument; then p1 = s_in / p_in, p2 = s_out / p_out, p = (s_in + s_out) / (p_in + p_out), and
    the statistic is (p1 - p2) / sqrt(p * (1 - p) * (1 / p_in + 1 / p_out)), or 0 where p = 1 (Polis math,
    `two-prop-test`).

    Args:
        s_in: Successes in the group, from 0 to `p_in`.
        s_out: Successes outside it, from 0 to `p_out`.
        p_in: Trials in the group.
        p_out: Trials outside it.

    Returns:
        The z-score; positive where the group has the larger proportion.

    Raises:
        ValidationError: As for `prop_test`.

    Example:
        >>> two_prop_test(4, 4, 4, 4), two_prop_test(4, 0, 4, 4)
        (0.0, 2.581988897471611)
    """
    p_in, p_out = _count("p_in", p_in), _count("p_out", p_out)
    s_in, s_out = _successes("s_in", s_in, "p_in", p_in), _successes("s_out", s_out, "p_out", p_out)
    return float(formulas.two_proportion_z(s_in, s_out, p_in, p_out, math.sqrt))


def _count(name: str, value: Any) -> int:
    whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
    if not whole or isinstance(value, bool) or not 0 <= value <= MAX_COUNT:
        raise ValidationError(f"Expected `{name}` to be a whole number from 0 to {MAX_COUNT}, got {quoted(value)}")
    return int(value)


def _successes(name: str, value: Any, name_of_trials: str, trials: int) -> int:
    successes = _count(name, value)
    if successes > trials:
        raise ValidationError(
            f"Expected `{name}` to be at most `{name_of_trials}`, got {quoted(value)} successes in {trials} trials"
        )
    return successes


def comment_stats(votes: Iterable[int | None]) -> dict[str, float]:
    """Compute the vote counts of a statement, its smoothed proportions and their tests.

    Args:
        votes: n votes: 1 agree, -1 disagree, 0 pass, None missing.

    Returns:
        `agree`, `disagree`, `pass` and `seen` (not missing), counts; `pa` and `pd`, the proportions (agree + 1) / (seen +
        2) and (disagree + 1) / (seen + 2), in (0, 1); `pat` and `pdt`, `prop_test` of agree and disagree.

    Raises:
        ValidationError: A value is neither a vote nor None.

    Example:
        >>> comment_stats([1, 1, 1, None])
        {'agree': 3, 'disagree': 0, 'pass': 0, 'seen': 3, 'pa': 0.8, 'pd': 0.2, 'pat': 2.0, 'pdt': -1.0}
    """
    return stats_of_counts(count_votes(votes))


def stats_of_counts(counts: VoteCounts) -> dict[str, float]:
    """Compute `comment_stats` from counts."""
    agree, disagree, passed = counts
    seen = counts.seen
    return {
        "agree": agree,
        "disagree": disagree,
        "pass": passed,
        "seen": seen,
        "pa": formulas.smoothed_proportion(agree, seen),
        "pd": formulas.smoothed_proportion(disagree, seen),
        "pat": formulas.one_proportion_z(agree, seen, math.sqrt),
        "pdt": formulas.one_proportion_z(disagree, seen, math.sqrt),
    }


def vote_entropy(votes: Iterable[int | None]) -> float:
    """Compute the entropy of the shares of agree, disagree and pass among the votes present, to base 3.

    Args:
        votes: n votes: 1, -1, 0, or None for a missing one.

    Returns:
        In [0, 1]: 0.0 where all agree with each other or none votes, 1.0 where the three are equally many.

    Raises:
        ValidationError: A value is neither a vote nor None.

    Example:
        >>> vote_entropy([1, -1, 0]), vote_entropy([1, 1, None])
        (1.0, 0.0)
    """
    return entropy_of_counts(count_votes(votes))


def entropy_of_counts(counts: VoteCounts) -> float:
    """Compute `vote_entropy` from counts."""
    agree, disagree, passed = (formulas.entropy_term(count, counts.seen, math.log) for count in counts)
    return min(1.0, float(agree + disagree + passed))


def cluster_separation(votes: Iterable[int | None]) -> float:
    """Compute the fraction of the pairs of present votes that differ.

    Args:
        votes: n votes: 1, -1, 0, or None for a missing one.

    Returns:
        In [0, 1]; 0.0 below two votes. It follows from the three counts, so no pair is looked at.

    Raises:
        ValidationError: A value is neither a vote nor None.

    Example:
        >>> cluster_separation([1, 1, -1, -1, None])
        0.6666666666666666
    """
    return separation_of_counts(count_votes(votes))


def separation_of_counts(counts: VoteCounts) -> float:
    """Compute `cluster_separation` from counts."""
    return float(formulas.pair_difference(*counts))


def rating_to_vote(value: Any) -> float:
    """Turn a rating from 0 to 10 into a vote from -1 to 1.

    Args:
        value: The rating.

    Returns:
        2 * (value - 5) / 10 for a number from 0 to 10; 0.0 for everything else: other numbers, NaN, infinities, and what
        is no number (bool, string, None, list).

    Example:
        >>> rating_to_vote(9), rating_to_vote(11), rating_to_vote(float("nan"))
        (0.8, 0.0, 0.0)
    """
    rating = as_number(value)
    return 2 * (rating - 5) / 10 if 0 <= rating <= 10 else 0.0


def representativeness(group: VoteCounts, rest: VoteCounts) -> dict[str, float]:
    """Compare the votes of a group on a statement with those of the rest, as Polis does.

    Args:
        group: The counts of the group's votes.
        rest: The counts of the votes of all other groups.

    Returns:
        `ra` and `rd`, the smoothed proportion of agree (disagree) in the group divided by that of the rest, positive;
        `rat` and `rdt`, `two_prop_test` of the two.

    Example:
        >>> stats = representativeness(VoteCounts(2, 0, 0), VoteCounts(0, 2, 0))
        >>> stats["ra"], stats["rat"] == two_prop_test(2, 0, 2, 2)
        (3.0, True)
    """
    seen, rest_seen = group.seen, rest.seen
    return {
        "ra": formulas.smoothed_proportion(group.agree, seen) / formulas.smoothed_proportion(rest.agree, rest_seen),
        "rd": formulas.smoothed_proportion(group.disagree, seen)
        / formulas.smoothed_proportion(rest.disagree, rest_seen),
        "rat": formulas.two_proportion_z(group.agree, rest.agree, seen, rest_seen, math.sqrt),
        "rdt": formulas.two_proportion_z(group.disagree, rest.disagree, seen, rest_seen, math.sqrt),
    }
