"""Held-out votes: the gold standard that predicted votes are scored against."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from typing import Any

from tricord.commonground.votes import VOTES, check_vote
from tricord.errors import ValidationError, quoted
from tricord.reports import content_hash

__all__ = ["HeldOut", "actual_votes", "check_mapping", "make_held_out"]

_VOTES = frozenset(VOTES)


class HeldOut(Mapping[Hashable, int]):
    """Actual votes by cell id, checked once; scores any number of predictions."""

    def __init__(self, votes: Mapping[Any, int]) -> None:
        self._votes: dict[Hashable, int] = dict(actual_votes(votes))

    def __getitem__(self, cell: Hashable) -> int:
        """Give the vote of a cell."""
        return self._votes[cell]

    def __iter__(self) -> Iterator[Hashable]:
        """Go through the cell ids in the order in which they were given."""
        return iter(self._votes)

    def __len__(self) -> int:
        """Give the number of cells."""
        return len(self._votes)

    @cached_property
    def content_hash(self) -> str:
        """What identifies the votes, in whatever order they come."""
        return content_hash(f"{str(cell)!r}\t{vote}" for cell, vote in self._votes.items())


def make_held_out(votes: Mapping[Any, int]) -> HeldOut:
    """Check held-out votes.

    Args:
        votes: The actual vote (1 agree, -1 disagree, 0 pass) by cell id.

    Returns:
        The votes, to be given to `score`.

    Raises:
        ValidationError: A value is no vote, or `votes` is not a mapping.

    Example:
        >>> dict(make_held_out({"p1-s1": 1.0}))
        {'p1-s1': 1}
    """
    return HeldOut(votes)


def actual_votes(held_out: Mapping[Any, Any]) -> list[tuple[Any, int]]:
    """Check the held-out votes and list them by cell.

    Raises:
        ValidationError: A value is no vote, or `held_out` is not a mapping.
    """
    if isinstance(held_out, HeldOut):
        return list(held_out.items())
    check_mapping("held_out", held_out)
    # Plain votes are tested together; others one by one, to accept numpy's numbers and to name the cell.
    if {int}.issuperset(map(type, held_out.values())) and _VOTES.issuperset(held_out.values()):
        return list(held_out.items())
    return [(cell, check_vote(value, f"held_out[{quoted(cell)}]")) for cell, value in held_out.items()]


def check_mapping(name: str, value: Any) -> None:
    """Refuse what is not a mapping."""
    if not isinstance(value, Mapping):
        raise ValidationError(f"Expected `{name}` to be a mapping by cell id, got {quoted(value)}")
