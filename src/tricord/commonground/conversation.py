"""A conversation: the votes of its participants on its statements, and the tables of statistics over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any

from tricord.commonground.statistics import (
    entropy_of_counts,
    representativeness,
    separation_of_counts,
    stats_of_counts,
)
from tricord.commonground.votes import VoteCounts, count_votes
from tricord.errors import ValidationError, quoted, some_of
from tricord.reports import signature

__all__ = ["Conversation", "group_table", "statement_table"]


@dataclass(frozen=True)
class Conversation:
    """The votes of one conversation.

    Attributes:
        participants: n ids.
        statements: m ids (Polis: comment ids).
        votes: m columns of n votes each: 1, -1, 0, or None for missing.
        groups: The group of each participant, "" for none; empty where the data gives no groups.
        texts: The texts of statements by id, where known.
        source: What the conversation is called in messages: the file's name, say.
        stated: What an export states about the votes, by the name of the column and the id, as text: `n-votes`, `n-agree`
            and `n-disagree` of participants, `agrees` and `disagrees` of statements; statistics do not use it.

    Raises:
        ValidationError: An id stands twice, the lengths do not fit each other, or a group is no string.
    """

    participants: Sequence[str]
    statements: Sequence[str]
    votes: Sequence[Sequence[int | None]]
    groups: Sequence[str] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    source: str = "the conversation"
    stated: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, ids in (("participants", self.participants), ("statements", self.statements)):
            if len(set(ids)) < len(ids):
                repeated = [own for own, times in Counter(ids).items() if times > 1]
                raise ValidationError(f"{self.source}: `{name}` has {some_of(repeated)} more than once")
        _check_length(self.source, "votes", self.votes, len(self.statements), "statement")
        for statement, column in zip(self.statements, self.votes, strict=True):
            _check_length(
                self.source, f"votes of statement {quoted(statement)}", column, len(self.participants), "participant"
            )
        if len(self.groups):
            _check_length(self.source, "groups", self.groups, len(self.participants), "participant")
            if faulty := [group for group in self.groups if not isinstance(group, str)]:
                raise ValidationError(
                    f'{self.source}: expected `groups` to be strings, "" for none, got {some_of(faulty)}'
                )

    @property
    def signature(self) -> str:
        """What the statistics of this conversation depend on, to be quoted beside them."""
        groups = {group for group in self.groups if group}
        return signature(
            "commonground", participants=len(self.participants), statements=len(self.statements), groups=len(groups)
        )

    def cells(self) -> Iterator[tuple[str, str, int]]:
        """Go through the votes that are present, as (participant, statement, vote)."""
        for statement, column in zip(self.statements, self.votes, strict=True):
            for participant, vote in zip(self.participants, column, strict=True):
                if vote is not None:
                    yield participant, statement, vote


def _check_length(source: str, name: str, column: Any, expected: int, per: str) -> None:
    if isinstance(column, str) or not isinstance(column, Sized) or len(column) != expected:
        found = quoted(column) if isinstance(column, str) or not isinstance(column, Sized) else len(column)
        raise ValidationError(f"{source}: expected one value a {per} in `{name}`, {expected}, got {found}")


def statement_table(conversation: Conversation) -> list[dict[str, Any]]:
    """Compute the statistics of every statement.

    Args:
        conversation: The votes.

    Returns:
        One row a statement: `statement`, what `comment_stats` gives, `entropy`, `separation`, and `text` ("" where
        unknown).

    Example:
        >>> row, = statement_table(Conversation(["p1", "p2"], ["7"], [[1, -1]], texts={"7": "More trees"}))
        >>> row["statement"], row["separation"], row["text"]
        ('7', 1.0, 'More trees')
    """
    rows = []
    for statement, column in zip(conversation.statements, conversation.votes, strict=True):
        counts = count_votes(column)
        rows.append(
            {
                "statement": statement,
                **stats_of_counts(counts),
                "entropy": entropy_of_counts(counts),
                "separation": separation_of_counts(counts),
                "text": conversation.texts.get(statement, ""),
            }
        )
    return rows


def group_table(conversation: Conversation) -> list[dict[str, Any]]:
    """Compute the statistics of every statement in every group, and of the group against all other groups.

    Participants without a group count neither for a group nor for the rest.

    Args:
        conversation: The votes, with groups.

    Returns:
        One row a group and statement: `group`, `statement`, what `comment_stats` gives for the group, `ra`, `rd`, `rat`,
        `rdt`, and `text`.

    Raises:
        ValidationError: No participant has a group.

    Example:
        >>> votes = Conversation(["p1", "p2"], ["7"], [[1, -1]], groups=["a", "b"])
        >>> [(row["group"], row["ra"]) for row in group_table(votes)]
        [('a', 2.0), ('b', 0.5)]
    """
    groups = sorted({group for group in conversation.groups if group}, key=natural_order)
    if not groups:
        raise ValidationError(
            f"{conversation.source}: gives no participant a group; statistics by group need a file with a column group-id"
        )
    members = {group: [row for row, own in enumerate(conversation.groups) if own == group] for group in groups}
    rows: dict[str, list[dict[str, Any]]] = {group: [] for group in groups}
    for statement, column in zip(conversation.statements, conversation.votes, strict=True):
        counts = {group: count_votes([column[row] for row in members[group]]) for group in groups}
        everyone = VoteCounts(*map(sum, zip(*counts.values(), strict=True)))
        for group, own in counts.items():
            rest = VoteCounts(*(total - part for total, part in zip(everyone, own, strict=True)))
            rows[group].append(
                {
                    "group": group,
                    "statement": statement,
                    **stats_of_counts(own),
                    **representativeness(own, rest),
                    "text": conversation.texts.get(statement, ""),
                }
            )
    return [row for group in groups for row in rows[group]]


def natural_order(name: str) -> tuple[bool, int, str, str]:
    """Sort key that puts ids that are numbers first, in the order of the numbers.

    Example:
        >>> sorted(["10", "x", "007", "9"], key=natural_order)
        ['007', '9', '10', 'x']
    """
    digits = name.lstrip("0") if name.isascii() and name.isdigit() else None
    # Of two numbers the longer one is the larger one; they are not turned into numbers, which may be thousands of digits.
    return (True, 0, "", name) if digits is None else (False, len(digits), digits, name)
