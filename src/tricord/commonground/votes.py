"""Votes: their values and names, how they are recognised, and how they are counted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, NamedTuple

from tricord.errors import ValidationError, quoted
from tricord.inputs.columns import column_values

__all__ = [
    "VOTES",
    "VOTE_NAMES",
    "VoteCounts",
    "as_number",
    "as_vote",
    "check_vote",
    "count_votes",
    "plain_votes",
    "vote_from_name",
]

VOTES = (1, -1, 0)
"""The three votes; their order is that of the classes everywhere: agree, disagree, pass."""

VOTE_NAMES = ("agree", "disagree", "pass")

_VOTE_OF_NAME = dict(zip(VOTE_NAMES, VOTES, strict=True))
_PLAIN_TYPES = frozenset({int, float, type(None)})


class VoteCounts(NamedTuple):
    """How many of the votes of one statement are of each kind; missing ones are not counted."""

    agree: int
    disagree: int
    passed: int

    @property
    def seen(self) -> int:
        """How many votes are present."""
        return self.agree + self.disagree + self.passed


def _unwrapped(value: Any) -> Any:
    """Take the number out of an array or tensor without dimensions, and leave everything else as it is."""
    return value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value


def as_vote(value: Any) -> int | None:
    """Recognise a vote; None for anything else.

    A vote is a number equal to 1, -1 or 0: `1.0`, numpy's numbers and arrays or tensors without dimensions are votes; a
    bool, a string or None is none.

    Example:
        >>> as_vote(-1.0), as_vote(True), as_vote("1"), as_vote(0.5)
        (-1, None, None, None)
    """
    if type(value) is not int:
        value = _unwrapped(value)
    if isinstance(value, Real) and not isinstance(value, bool):
        # The vote that equals it, so that the result is a plain int whatever kind of number it was.
        return next((vote for vote in VOTES if vote == value), None)
    return None


def as_number(value: Any) -> float:
    """Turn a number into a float; NaN for what is no number (a bool, string, None, list) or too large for a float.

    An array or tensor without dimensions is the number in it.

    Example:
        >>> as_number(3), as_number("3"), as_number(10**400)
        (3.0, nan, nan)
    """
    value = _unwrapped(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan


def vote_from_name(value: Any) -> Any:
    """Turn the name of a vote into the vote and leave everything else as it is.

    Example:
        >>> vote_from_name("disagree"), vote_from_name("perhaps"), vote_from_name(1)
        (-1, 'perhaps', 1)
    """
    return _VOTE_OF_NAME.get(value, value) if isinstance(value, str) else value


def check_vote(value: Any, where: str) -> int:
    """Accept an actual vote.

    Raises:
        ValidationError: The value is no vote; names the place and the value.

    Example:
        >>> check_vote(1.0, "held_out['c7']")
        1
    """
    vote = as_vote(value)
    if vote is None:
        raise ValidationError(f"{where}: expected a vote (1 agree, -1 disagree, 0 pass), got {quoted(value)}")
    return vote


def count_votes(votes: Iterable[int | None]) -> VoteCounts:
    """Count the votes of one statement.

    Args:
        votes: n votes; None for a missing one.

    Returns:
        The counts.

    Raises:
        ValidationError: A value is neither a vote nor None (names its position), or `votes` is no column.

    Example:
        >>> count_votes([1, 1, None, -1])
        VoteCounts(agree=2, disagree=1, passed=0)
    """
    if getattr(votes, "ndim", 1) == 2:
        raise ValidationError(
            f"Expected `votes` to be those of one statement, got shape {tuple(votes.shape)}; "  # type: ignore[attr-defined]
            "tricord.commonground.matrix takes all statements at once"
        )
    values: Sequence[Any] = votes if type(votes) in (list, tuple) else column_values("votes", votes)  # type: ignore[assignment]
    # Plain values are counted by the list itself, at the speed of C; others are looked at one by one.
    if not _PLAIN_TYPES.issuperset(map(type, values)):
        values = plain_votes("votes", values)
    counts = VoteCounts(values.count(1), values.count(-1), values.count(0))
    if counts.seen + values.count(None) != len(values):
        plain_votes("votes", values)  # names the first that is none
    return counts


def plain_votes(name: str, votes: Iterable[Any]) -> list[int | None]:
    """Turn votes of any kind of number into 1, -1 and 0; None stays.

    Raises:
        ValidationError: A value is neither a vote nor None; names its position.

    Example:
        >>> plain_votes("votes", [1.0, None])
        [1, None]
    """
    return [vote if vote is None else check_vote(vote, f"{name}[{row}]") for row, vote in enumerate(votes)]
