"""Files of the task: Polis exports, and predicted and held-out votes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricord.commonground.conversation import Conversation, natural_order
from tricord.commonground.votes import VOTE_NAMES, VOTES, as_vote, vote_from_name
from tricord.csvrows import CsvRows, checked_rows, find_columns, open_rows
from tricord.errors import InputFileError, quoted
from tricord.jsontext import read_json

if TYPE_CHECKING:
    from tricord.files import StrPath

__all__ = [
    "read_comment_columns",
    "read_export",
    "read_held_out",
    "read_participants_votes",
    "read_predictions",
    "read_votes",
]

MAX_BYTES = 256 << 20
MAX_FIELD_CHARACTERS = 1_000_000
MAX_CELLS = 100_000_000

PARTICIPANTS_VOTES_FILENAMES = ("participants-votes.csv", "participant-votes.csv")
VOTES_FILENAME = "votes.csv"
COMMENTS_FILENAME = "comments.csv"

VOTE_EVENT_COLUMNS = ("timestamp", "comment-id", "voter-id", "vote")
_TIMESTAMP_DIGITS = 18

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
    file = Path(path)
    if file.is_dir():
        file = export_file(file, *PARTICIPANTS_VOTES_FILENAMES, VOTES_FILENAME)
    conversation = _reader(file)(file)
    comments = file.parent / COMMENTS_FILENAME
    if not comments.exists():
        return conversation
    return replace(conversation, texts=read_comment_columns(comments, "comment-body")["comment-body"])


def export_file(folder: Path, *names: str) -> Path:
    """Find the first of several files of an export that is there."""
    for name in names:
        if (folder / name).exists():
            return folder / name
    raise InputFileError(f"{folder}: holds no {' or '.join(names)}")


def _reader(file: Path) -> Callable[[StrPath], Conversation]:
    with _open(file, VOTE_EVENT_COLUMNS) as rows:
        if "participant" in rows.header:
            return read_participants_votes
        if "voter-id" in rows.header:
            return read_votes
    raise InputFileError(
        f"{file}: header: expected a column participant (participants-votes.csv) or voter-id (votes.csv), found "
        f"{quoted(rows.header)}"
    )


@contextmanager
def _open(path: StrPath, names: tuple[str, ...]) -> Iterator[CsvRows]:
    with open_rows(path, names, max_bytes=MAX_BYTES, max_field_characters=MAX_FIELD_CHARACTERS) as rows:
        yield rows


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
    with _open(path, ("participant", "group-id")) as rows:
        position = find_columns(path, rows.header, ["participant"])["participant"]
        columns = {name: at for at, name in enumerate(rows.header) if name.isascii() and name.isdigit()}
        if not columns:
            raise InputFileError(f"{path}: header: has no statement, that is no column named by a whole number")
        group_at = rows.header.index("group-id") if "group-id" in rows.header else None
        groups: dict[str, str] = {}
        ballots = []
        for row in checked_rows(path, rows):
            participant = _new_id(path, rows, "participant", row[position], groups)
            groups[participant] = "" if group_at is None else row[group_at].strip()
            ballots.append(_ballot(path, rows, row, columns))
            _check_size(path, len(ballots), len(columns))
    if not ballots:
        raise InputFileError(f"{path}: there are no rows below the header line")
    return Conversation(
        participants=list(groups),
        statements=list(columns),
        votes=list(zip(*ballots, strict=True)),
        groups=() if group_at is None else list(groups.values()),
        source=os.fspath(path),
    )


def _ballot(path: StrPath, rows: CsvRows, row: list[str], columns: Mapping[str, int]) -> list[int | None]:
    try:
        return [_VOTE_OF_CELL[row[at]] for at in columns.values()]
    except KeyError:
        # Either white space stands around a vote, or it is none.
        return [_vote(path, rows, f"statement {name}", row[at], _VOTE_OF_CELL) for name, at in columns.items()]


def _vote(path: StrPath, rows: CsvRows, what: str, text: str, known: Mapping[str, Any]) -> Any:
    if text.strip() not in known:
        empty = " or nothing" if "" in known else ""
        raise InputFileError(f"{path}: line {rows.line}: {what}: expected 1, -1, 0{empty}, got {quoted(text)}")
    return known[text.strip()]


def _new_id(path: StrPath, rows: CsvRows, column: str, text: str, known: Mapping[str, Any]) -> str:
    name = _id(path, rows, column, text)
    if name in known:
        raise InputFileError(f"{path}: line {rows.line}: {column} {quoted(name)} stands twice")
    return name


def _id(path: StrPath, rows: CsvRows, column: str, text: str) -> str:
    name = text.strip()
    if not name:
        raise InputFileError(f"{path}: line {rows.line}: {column} is missing")
    return name


def _check_size(path: StrPath, participants: int, statements: int) -> None:
    if participants * statements > MAX_CELLS:
        raise InputFileError(
            f"{path}: too large: {participants:,} participants and {statements:,} statements; the limit is {MAX_CELLS:,} cells"
        )


def read_votes(path: StrPath) -> Conversation:
    """Read a `votes.csv`: a row a vote event; of several votes of a participant on a statement the latest counts.

    Args:
        path: The file, with the columns `timestamp`, `comment-id`, `voter-id` and `vote` among others. Events of one
            timestamp count in the order of the file.

    Returns:
        The conversation, without groups and texts; participants and statements in the order of their numbers.

    Raises:
        InputFileError: A column is missing, a timestamp is no whole number, or a vote is none.
    """
    latest: dict[tuple[str, str], tuple[int, int | None]] = {}
    with _open(path, VOTE_EVENT_COLUMNS) as rows:
        columns = find_columns(path, rows.header, VOTE_EVENT_COLUMNS)
        for row in checked_rows(path, rows):
            time, comment, voter, text = (row[at] for at in columns.values())
            cell = _id(path, rows, "voter-id", voter), _id(path, rows, "comment-id", comment)
            event = _timestamp(path, rows, time), _vote(path, rows, "vote", text, _VOTE_OF_TEXT)
            if cell not in latest or latest[cell][0] <= event[0]:
                latest[cell] = event
    if not latest:
        raise InputFileError(f"{path}: there are no rows below the header line")
    participants = sorted({voter for voter, _ in latest}, key=natural_order)
    statements = sorted({comment for _, comment in latest}, key=natural_order)
    _check_size(path, len(participants), len(statements))
    absent = (0, None)
    votes = [[latest.get((voter, comment), absent)[1] for voter in participants] for comment in statements]
    return Conversation(participants, statements, votes, source=os.fspath(path))


def _timestamp(path: StrPath, rows: CsvRows, text: str) -> int:
    digits = text.strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > _TIMESTAMP_DIGITS:
        raise InputFileError(f"{path}: line {rows.line}: timestamp: expected a whole number, got {quoted(text)}")
    return int(digits)


def read_comment_columns(path: StrPath, *names: str) -> dict[str, dict[str, str]]:
    """Read columns of a `comments.csv`.

    Args:
        path: The file, with a column `comment-id`.
        *names: The wanted columns.

    Returns:
        For each column the values by comment id.

    Raises:
        InputFileError: A column is missing, or a comment stands twice.
    """
    return _read_keyed(path, "comment-id", names)


def read_participant_columns(path: StrPath, *names: str) -> dict[str, dict[str, str]]:
    """Read columns of a `participants-votes.csv` other than the votes, by participant; those that it has not are left out."""
    with _open(path, ("participant", *names)) as rows:
        present = tuple(name for name in names if name in rows.header)
    return _read_keyed(path, "participant", present)


def _read_keyed(path: StrPath, key: str, names: tuple[str, ...]) -> dict[str, dict[str, str]]:
    values: dict[str, dict[str, str]] = {name: {} for name in names}
    ids: dict[str, None] = {}
    with _open(path, (key, *names)) as rows:
        columns = find_columns(path, rows.header, [key, *names])
        for row in checked_rows(path, rows):
            own_id = _new_id(path, rows, key, row[columns[key]], ids)
            ids[own_id] = None
            for name in names:
                values[name][own_id] = row[columns[name]]
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
    with _open(path, ("cell", "vote", *VOTE_NAMES)) as rows:
        cell_at = find_columns(path, rows.header, ["cell"])["cell"]
        classes = {name: rows.header.index(name) for name in VOTE_NAMES if name in rows.header}
        if ("vote" in rows.header) == bool(classes):
            raise InputFileError(
                f"{path}: header: expected beside cell either vote or {', '.join(VOTE_NAMES)}, found {quoted(rows.header)}"
            )
        predictions: dict[str, Any] = {}
        for row in checked_rows(path, rows):
            cell = _new_id(path, rows, "cell", row[cell_at], predictions)
            if classes:
                predictions[cell] = {name: _number(row[at]) for name, at in classes.items() if row[at].strip()}
            else:
                predictions[cell] = _vote_or_text(row[rows.header.index("vote")])
    return predictions


def read_held_out(path: StrPath) -> dict[str, int]:
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
        return held_out
    with _open(path, ("cell", "vote")) as rows:
        columns = find_columns(path, rows.header, ["cell", "vote"])
        for row in checked_rows(path, rows):
            cell, text = _new_id(path, rows, "cell", row[columns["cell"]], held_out), row[columns["vote"]]
            held_out[cell] = _actual_vote(_vote_or_text(text), text, f"{path}: line {rows.line}: cell {quoted(cell)}")
    return held_out


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
    try:
        return float(text)
    except ValueError:
        return text
