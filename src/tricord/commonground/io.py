"""Files of the task: Polis exports, and predicted and held-out votes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricord.commonground.conversation import Conversation, natural_order
from tricord.commonground.held_out import HeldOut, make_held_out
from tricord.commonground.votes import VOTE_NAMES, VOTES, as_vote, vote_from_name
from tricord.errors import InputFileError, quoted, some_of
from tricord.inputs.csvtables import CsvTable, open_table
from tricord.inputs.jsontext import read_json

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = [
    "export_paths",
    "read_comment_columns",
    "read_export",
    "read_held_out",
    "read_participants_votes",
    "read_predictions",
    "read_votes",
]

MAX_BYTES = 256 << 20
MAX_FIELD_CHARACTERS = 1_000_000
MAX_CELLS = 50_000_000
MAX_STATEMENTS = 100_000  # a column each in participants-votes.csv
# A file of vote events is as long as its events are many, not as its matrix is large: a small one must not fill the memory.
# Real conversations have some hundred cells for each vote.
FREE_CELLS, MAX_CELLS_PER_EVENT = 1_000_000, 1000

PARTICIPANTS_VOTES_FILENAMES = ("participants-votes.csv", "participant-votes.csv")
VOTES_FILENAME = "votes.csv"
COMMENTS_FILENAME = "comments.csv"

VOTE_EVENT_COLUMNS = ("timestamp", "comment-id", "voter-id", "vote")
_TIMESTAMP_DIGITS = 18
# What an export states about the votes, besides the votes.
PARTICIPANT_COUNTS = ("n-votes", "n-agree", "n-disagree")
STATEMENT_COUNTS = ("agrees", "disagrees")

# Polis writes whole numbers; a file that pandas has saved again holds floats.
_VOTE_OF_TEXT = {text: vote for vote in VOTES for text in (str(vote), f"{vote}.0")}
_VOTE_OF_CELL: dict[str, int | None] = {"": None, **_VOTE_OF_TEXT}


def read_export(path: StrPath) -> Conversation:
    """Read a Polis export: a folder, or one of its files.

    Args:
        path: A folder with `participants-votes.csv` or, failing that, `votes.csv`; or a file with the content of either.
            The texts of the statements are taken from a `comments.csv` beside it, where there is one.

    Returns:
        The conversation.

    Raises:
        InputFileError: There is no such file, or a line of it is not as Polis writes it.
    """
    file = export_file(path)
    with _open_votes(file) as table:
        if "participant" in table.positions:
            conversation = _participants_votes(table)
        elif "voter-id" in table.positions:
            conversation = _vote_events(table)
        else:
            raise InputFileError(
                f"{file}: header: expected a column participant (participants-votes.csv) or voter-id (votes.csv), found "
                f"{some_of(table.header)}"
            )
    comments = file.parent / COMMENTS_FILENAME
    if not comments.exists():
        return conversation
    stated = read_comment_columns(comments, "comment-body", optional=STATEMENT_COUNTS)
    texts = stated.pop("comment-body")
    return replace(conversation, texts=texts, stated={**conversation.stated, **stated})


def export_file(path: StrPath) -> Path:
    """Find the file with the votes of an export: the path itself, or in a folder `participants-votes.csv` or `votes.csv`."""
    folder = Path(path)
    if not folder.is_dir():
        return folder
    names = (*PARTICIPANTS_VOTES_FILENAMES, VOTES_FILENAME)
    for name in names:
        if (folder / name).exists():
            return folder / name
    raise InputFileError(f"{folder}: holds no {' or '.join(names)}")


def export_paths(path: StrPath) -> list[Path]:
    """List the files that may be read for an export; not all of them need be there.

    Args:
        path: A folder, or one of the files with votes.
    """
    file = Path(path)
    if file.is_dir():
        return [file / name for name in (*PARTICIPANTS_VOTES_FILENAMES, VOTES_FILENAME, COMMENTS_FILENAME)]
    return [file, file.parent / COMMENTS_FILENAME]


def _open(path: StrPath, names: Sequence[str], optional: Sequence[str] = ()) -> AbstractContextManager[CsvTable]:
    return open_table(path, names, optional=optional, max_bytes=MAX_BYTES, max_field_characters=MAX_FIELD_CHARACTERS)


def _open_votes(path: StrPath) -> AbstractContextManager[CsvTable]:
    """Open a file with votes of either kind; its header tells which."""
    return open_table(
        path,
        (),
        optional=("participant", "group-id", *PARTICIPANT_COUNTS, *VOTE_EVENT_COLUMNS),
        max_bytes=MAX_BYTES,
        max_field_characters=MAX_FIELD_CHARACTERS,
        max_columns=MAX_STATEMENTS,
    )


def read_participants_votes(path: StrPath) -> Conversation:
    """Read a `participants-votes.csv`: a row a participant, a column a statement.

    Args:
        path: The file. Columns named by a whole number are statements; `participant` is needed, `group-id` used where it
            is there, others are ignored.

    Returns:
        The conversation, without texts; statements in the order of the file.

    Raises:
        InputFileError: A column is missing, a participant stands twice, or a cell is neither 1, -1, 0 nor empty.
    """
    with _open_votes(path) as table:
        return _participants_votes(table)


def _participants_votes(table: CsvTable) -> Conversation:
    table.require(["participant"])
    columns = {name: at for at, name in enumerate(table.header) if name.isascii() and name.isdigit()}
    if not columns:
        raise InputFileError(f"{table.path}: header: has no statement, that is no column named by a whole number")
    participant_at, group_at = table.positions["participant"], table.positions.get("group-id")
    counts = {name: table.positions[name] for name in PARTICIPANT_COUNTS if name in table.positions}
    stated: dict[str, dict[str, str]] = {name: {} for name in counts}
    groups: dict[str, str] = {}
    ballots = []
    for row in table.rows():
        participant = _new_id(table, "participant", whole_number(row[participant_at]), groups)
        groups[participant] = "" if group_at is None else whole_number(row[group_at])
        ballots.append(_ballot(table, row, columns))
        for name, at in counts.items():
            stated[name][participant] = row[at]
        _check_size(table.path, len(ballots), len(columns), MAX_CELLS)
    if not ballots:
        raise InputFileError(f"{table.path}: there are no rows below the header line")
    return Conversation(
        participants=list(groups),
        statements=list(columns),
        votes=list(zip(*ballots, strict=True)),
        groups=() if group_at is None else list(groups.values()),
        source=os.fspath(table.path),
        stated=stated,
    )


def _ballot(table: CsvTable, row: list[str], columns: Mapping[str, int]) -> list[int | None]:
    try:
        return [_VOTE_OF_CELL[row[at]] for at in columns.values()]
    except KeyError:
        # Either white space stands around a vote, or it is none.
        return [_vote(table, f"statement {name}", row[at], _VOTE_OF_CELL) for name, at in columns.items()]


def _vote(table: CsvTable, what: str, text: str, known: Mapping[str, Any]) -> Any:
    if text.strip() not in known:
        empty = " or nothing" if "" in known else ""
        raise InputFileError(f"{table.path}: line {table.line}: {what}: expected 1, -1, 0{empty}, got {quoted(text)}")
    return known[text.strip()]


def _new_id(table: CsvTable, column: str, text: str, known: Mapping[str, Any]) -> str:
    name = _id(table, column, text)
    if name in known:
        raise InputFileError(f"{table.path}: line {table.line}: {column} {quoted(name)} stands twice")
    return name


def _id(table: CsvTable, column: str, text: str) -> str:
    name = text.strip()
    if not name:
        raise InputFileError(f"{table.path}: line {table.line}: {column} is missing")
    return name


def whole_number(text: str) -> str:
    """Write a whole number as Polis does, where pandas has saved it as a float; other text only loses white space around.

    Example:
        >>> whole_number("2.0"), whole_number(" 7"), whole_number("x.0"), whole_number("2.5")
        ('2', '7', 'x.0', '2.5')
    """
    number, point, decimals = text.strip().partition(".")
    return number if point and decimals == "0" and number.isascii() and number.isdigit() else text.strip()


def _check_size(path: StrPath, participants: int, statements: int, limit: int) -> None:
    if participants * statements > limit:
        raise InputFileError(
            f"{path}: too large: {participants:,} participants and {statements:,} statements; the limit is {limit:,} cells"
        )


def read_votes(path: StrPath) -> Conversation:
    """Read a `votes.csv`: a row a vote event; of several votes of a participant on a statement the latest counts.

    Args:
        path: The file, with the columns `timestamp`, `comment-id`, `voter-id` and `vote` among others. Events of one
            timestamp count in the order of the file.

    Returns:
        The conversation, without groups and texts; participants and statements in the order of their numbers.

    Raises:
        InputFileError: A column is missing, a timestamp is no whole number, a vote is none, or the events are too few for
            so many participants and statements.
    """
    with _open_votes(path) as table:
        return _vote_events(table)


def _vote_events(table: CsvTable) -> Conversation:
    table.require(VOTE_EVENT_COLUMNS)
    latest: dict[tuple[str, str], tuple[int, int]] = {}
    time_at, comment_at, voter_at, vote_at = (table.positions[name] for name in VOTE_EVENT_COLUMNS)
    for row in table.rows():
        voter, comment = whole_number(row[voter_at]), whole_number(row[comment_at])
        cell = _id(table, "voter-id", voter), _id(table, "comment-id", comment)
        event = _timestamp(table, row[time_at]), _vote(table, "vote", row[vote_at], _VOTE_OF_TEXT)
        if cell not in latest or latest[cell][0] <= event[0]:
            latest[cell] = event
    if not latest:
        raise InputFileError(f"{table.path}: there are no rows below the header line")
    participants = sorted({voter for voter, _ in latest}, key=natural_order)
    statements = sorted({comment for _, comment in latest}, key=natural_order)
    limit = min(MAX_CELLS, FREE_CELLS + MAX_CELLS_PER_EVENT * len(latest))
    _check_size(table.path, len(participants), len(statements), limit)
    row_of = {voter: row for row, voter in enumerate(participants)}
    votes: dict[str, list[int | None]] = {comment: [None] * len(participants) for comment in statements}
    for (voter, comment), (_, vote) in latest.items():
        votes[comment][row_of[voter]] = vote
    return Conversation(participants, statements, list(votes.values()), source=os.fspath(table.path))


def _timestamp(table: CsvTable, text: str) -> int:
    digits = whole_number(text)
    if not digits.isascii() or not digits.isdigit() or len(digits) > _TIMESTAMP_DIGITS:
        raise InputFileError(f"{table.path}: line {table.line}: timestamp: expected a whole number, got {quoted(text)}")
    return int(digits)


def read_comment_columns(path: StrPath, *names: str, optional: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """Read columns of a `comments.csv`.

    Args:
        path: The file, with a column `comment-id`.
        *names: The wanted columns.
        optional: Columns that are wanted where the file has them.

    Returns:
        For each column that is there the values by comment id.

    Raises:
        InputFileError: A column is missing, or a comment stands twice.
    """
    with _open(path, ["comment-id", *names], optional) as table:
        values: dict[str, dict[str, str]] = {name: {} for name in table.positions}
        comments = values["comment-id"]
        for row in table.rows():
            comment = _new_id(table, "comment-id", whole_number(row[table.positions["comment-id"]]), comments)
            for name, at in table.positions.items():
                values[name][comment] = row[at]
    del values["comment-id"]
    return values


def read_predictions(path: StrPath) -> dict[str, Any]:
    """Read predictions by cell id, for `score`.

    Args:
        path: A JSON file (suffix .json) with one object, {cell id: prediction}; or a CSV or TSV file with the column `cell`
            and either `vote` or one or more of `agree`, `disagree`, `pass`.

    Returns:
        The predictions. What is no number or vote stays as it is, since it scores as uniform and is counted.

    Raises:
        InputFileError: The file is not as described, or a cell stands twice.
    """
    if Path(path).suffix.lower() == ".json":
        return {cell: vote_from_name(prediction) for cell, prediction in _read_object(path).items()}
    with _open(path, ["cell"], ["vote", *VOTE_NAMES]) as table:
        classes = {name: at for name, at in table.positions.items() if name in VOTE_NAMES}
        vote_at = table.positions.get("vote")
        if (vote_at is None) != bool(classes):
            raise InputFileError(
                f"{path}: header: expected beside cell either vote or {', '.join(VOTE_NAMES)}, found {quoted(table.header)}"
            )
        predictions: dict[str, Any] = {}
        for row in table.rows():
            cell = _new_id(table, "cell", row[table.positions["cell"]], predictions)
            if vote_at is None:
                predictions[cell] = {name: _number(row[at]) for name, at in classes.items() if row[at].strip()}
            else:
                predictions[cell] = _vote_or_text(row[vote_at])
    return predictions


def read_held_out(path: StrPath) -> HeldOut:
    """Read actual votes by cell id, for `score`.

    Args:
        path: A JSON file (suffix .json) with one object, {cell id: vote}; or a CSV or TSV file with the columns `cell` and
            `vote`. A vote is 1, -1, 0, or its name.

    Returns:
        The votes.

    Raises:
        InputFileError: The file is not as described, a vote is none, or a cell stands twice.
    """
    held_out: dict[str, int] = {}
    if Path(path).suffix.lower() == ".json":
        for cell, value in _read_object(path).items():
            held_out[cell] = _actual_vote(vote_from_name(value), value, f"{path}: cell {quoted(cell)}")
        return make_held_out(held_out)
    with _open(path, ["cell", "vote"]) as table:
        for row in table.rows():
            cell = _new_id(table, "cell", row[table.positions["cell"]], held_out)
            text = row[table.positions["vote"]]
            held_out[cell] = _actual_vote(_vote_or_text(text), text, f"{path}: line {table.line}: cell {quoted(cell)}")
    return make_held_out(held_out)


def _read_object(path: StrPath) -> dict[str, Any]:
    content = read_json(path, max_bytes=MAX_BYTES, non_finite=True)
    if not isinstance(content, dict):
        raise InputFileError(f"{path}: expected one JSON object with a value for each cell id, got {quoted(content)}")
    return content


def _actual_vote(value: Any, shown: Any, where: str) -> int:
    vote = as_vote(value)
    if vote is None:
        raise InputFileError(f"{where}: expected a vote (1, -1, 0, or agree, disagree, pass), got {quoted(shown)}")
    return vote


def _vote_or_text(text: str) -> Any:
    stripped = text.strip()
    return _VOTE_OF_TEXT.get(stripped, vote_from_name(stripped))


def _number(text: str) -> float | str:
    # Python also takes digits of other scripts, and underscores between digits.
    if not text.isascii() or "_" in text:
        return text
    try:
        return float(text)
    except ValueError:
        return text
