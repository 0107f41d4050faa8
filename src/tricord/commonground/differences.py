"""Where the files of one Polis export contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tricord.commonground.conversation import Conversation
from tricord.commonground.io import (
    COMMENTS_FILENAME,
    PARTICIPANTS_VOTES_FILENAMES,
    VOTES_FILENAME,
    export_file,
    read_comment_columns,
    read_participant_columns,
    read_participants_votes,
    read_votes,
)
from tricord.commonground.votes import count_votes

if TYPE_CHECKING:
    from tricord.files import StrPath

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


def export_differences(folder: StrPath) -> list[Difference]:
    """List where the files of an export contradict each other.

    Votes are compared cell by cell between `participants-votes.csv` and the latest events of `votes.csv`; the counts that
    `participants-votes.csv` and `comments.csv` state are compared with the votes in the cells. What an export lacks is
    not compared.

    Args:
        folder: The export.

    Returns:
        The differences: votes first, then the counts of participants, then those of statements.

    Raises:
        InputFileError: The folder holds no participants-votes.csv, or a file is not as Polis writes it.
    """
    directory = Path(folder)
    file = export_file(directory, *PARTICIPANTS_VOTES_FILENAMES)
    conversation = read_participants_votes(file)
    differences: list[Difference] = []
    if (directory / VOTES_FILENAME).exists():
        differences += _votes(
            conversation, read_votes(directory / VOTES_FILENAME), f"{file.name} against {VOTES_FILENAME}"
        )
    differences += _participant_counts(conversation, file)
    if (directory / COMMENTS_FILENAME).exists():
        differences += _statement_counts(conversation, directory / COMMENTS_FILENAME)
    return differences


def _votes(stated: Conversation, found: Conversation, between: str) -> Iterator[Difference]:
    first = {(participant, statement): vote for participant, statement, vote in stated.cells()}
    second = {(participant, statement): vote for participant, statement, vote in found.cells()}
    for participant, statement in {**first, **second}:
        pair = first.get((participant, statement), ""), second.get((participant, statement), "")
        if pair[0] != pair[1]:
            yield Difference("vote", participant, statement, str(pair[0]), str(pair[1]), between)


def _participant_counts(conversation: Conversation, file: Path) -> Iterator[Difference]:
    stated = read_participant_columns(file, "n-votes", "n-agree", "n-disagree")
    ballots = zip(*conversation.votes, strict=True)
    for participant, ballot in zip(conversation.participants, ballots, strict=True):
        counts = count_votes(ballot)
        found = {"n-votes": counts.seen, "n-agree": counts.agree, "n-disagree": counts.disagree}
        for name, values in stated.items():
            if values[participant].strip() != str(found[name]):
                between = f"{file.name}, column against cells"
                yield Difference(name, participant, "", values[participant], str(found[name]), between)


def _statement_counts(conversation: Conversation, comments: Path) -> Iterator[Difference]:
    columns = dict(zip(conversation.statements, conversation.votes, strict=True))
    for name, values in read_comment_columns(comments, "agrees", "disagrees").items():
        for statement, stated in values.items():
            # A comment that was moderated out has no column, and its votes are not exported.
            if statement in columns:
                counts = count_votes(columns[statement])
                count = counts.agree if name == "agrees" else counts.disagree
                if stated.strip() != str(count):
                    yield Difference(name, "", statement, stated, str(count), f"{comments.name} against cells")
