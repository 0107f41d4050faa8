"""Where the files of one Polis export contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tricord.commonground.conversation import Conversation
from tricord.commonground.io import (
    COMMENTS_FILENAME,
    PARTICIPANT_COUNTS,
    STATEMENT_COUNTS,
    VOTES_FILENAME,
    export_file,
    read_export,
    read_votes,
    whole_number,
)
from tricord.commonground.votes import count_votes

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["Difference", "export_differences"]


@dataclass(frozen=True)
class Difference:
    """One figure on which two parts of an export differ.

    Attributes:
        what: `vote`, or the column of a stated count: `n-votes`, `n-agree`, `n-disagree`, `agrees`, `disagrees`.
        participant: Whose; "" for the counts of a statement.
        statement: On which; "" for the counts of a participant.
        stated: The value in the first part, as text; "" for a missing vote.
        found: The value in the second part.
        between: The two parts.
    """

    what: str
    participant: str
    statement: str
    stated: str
    found: str
    between: str

    def __str__(self) -> str:
        """Show the difference on one line."""
        named = (("participant", self.participant), ("statement", self.statement))
        place = ", ".join(f"{name} {own}" for name, own in named if own)
        return f"{place}: {self.what} is {self.stated or 'missing'} and {self.found or 'missing'} ({self.between})"


def export_differences(path: StrPath, conversation: Conversation | None = None) -> list[Difference]:
    """List where the files of an export contradict each other.

    Votes are compared cell by cell between `participants-votes.csv` and the latest events of `votes.csv`; the counts that
    `participants-votes.csv` and `comments.csv` state are compared, as numbers, with the votes in the cells. What an export
    lacks is not compared.

    Args:
        path: What `read_export` takes: a folder, or one of its files; then that file and the `comments.csv` beside it are
            compared, and no other.
        conversation: What `read_export` gave for `path`, where it was called before; saves reading the file again.

    Returns:
        The differences: votes first, then the counts of participants, then those of statements.

    Raises:
        InputFileError: There is no such file, or a file is not as Polis writes it.
    """
    file = export_file(path)
    events = file.parent / VOTES_FILENAME
    if conversation is None:
        conversation = read_export(file)
    differences: list[Difference] = []
    if Path(path).is_dir() and events.exists() and file != events:
        differences += _votes(conversation, read_votes(events), f"{file.name} against {VOTES_FILENAME}")
    differences += _participant_counts(conversation, f"{file.name}, column against cells")
    differences += _statement_counts(conversation, f"{COMMENTS_FILENAME} against cells")
    return differences


def _votes(stated: Conversation, found: Conversation, between: str) -> Iterator[Difference]:
    first = {(participant, statement): vote for participant, statement, vote in stated.cells()}
    second = {(participant, statement): vote for participant, statement, vote in found.cells()}
    for participant, statement in {**first, **second}:
        pair = first.get((participant, statement), ""), second.get((participant, statement), "")
        if pair[0] != pair[1]:
            yield Difference("vote", participant, statement, str(pair[0]), str(pair[1]), between)


def _participant_counts(conversation: Conversation, between: str) -> Iterator[Difference]:
    stated = {name: conversation.stated[name] for name in PARTICIPANT_COUNTS if name in conversation.stated}
    if not stated:
        return
    ballots = zip(*conversation.votes, strict=True)
    for participant, ballot in zip(conversation.participants, ballots, strict=True):
        counts = count_votes(ballot)
        found = {"n-votes": counts.seen, "n-agree": counts.agree, "n-disagree": counts.disagree}
        for name, values in stated.items():
            if whole_number(values[participant]) != str(found[name]):
                yield Difference(name, participant, "", values[participant], str(found[name]), between)


def _statement_counts(conversation: Conversation, between: str) -> Iterator[Difference]:
    counts = {
        statement: count_votes(column)
        for statement, column in zip(conversation.statements, conversation.votes, strict=True)
    }
    for name in STATEMENT_COUNTS:
        for statement, stated in conversation.stated.get(name, {}).items():
            # A comment that was moderated out has no column, and its votes are not exported.
            if statement in counts:
                count = counts[statement].agree if name == "agrees" else counts[statement].disagree
                if whole_number(stated) != str(count):
                    yield Difference(name, "", statement, stated, str(count), between)
