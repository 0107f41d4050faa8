"""CSV and TSV files as untrusted input: the table below a header line, every fault named with its line."""

from __future__ import annotations

import csv
import io
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from tricord.errors import InputFileError, some_of
from tricord.inputs.text import open_text

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["CsvTable", "open_table"]

MAX_COLUMNS = 1000
MAX_HEADER_CHARACTERS = 1 << 20
MAX_ROW_CHARACTERS = 1 << 24

# Reentrant, because Python may run other code of the same thread (a finaliser, a signal handler) while it is held.
_CSV_LIMIT_LOCK = threading.RLock()


@dataclass
class CsvTable:
    """An open table, positioned behind its header.

    Attributes:
        path: The file, for messages.
        text: The open file. Who reads whole lines from it adds their number to `line`.
        delimiter: What stands between fields.
        header: The names of the columns.
        positions: Where the wanted columns stand, those that are there.
        line: The number of the line that was read last.
        max_field_characters: The longest field accepted.
    """

    path: StrPath
    text: TextIO
    delimiter: str
    header: list[str]
    positions: dict[str, int]
    line: int
    max_field_characters: int

    def require(self, names: Sequence[str], hints: Mapping[str, str] | None = None) -> None:
        """Check that the table has certain columns.

        Args:
            names: The columns.
            hints: What to add to the message where a certain column is all that is missing.

        Raises:
            InputFileError: It has not.
        """
        if missing := [name for name in names if name not in self.header]:
            hint = f"; {hints[missing[0]]}" if hints and len(missing) == 1 and missing[0] in hints else ""
            raise InputFileError(
                f"{self.path}: header: missing column {some_of(missing)}; expected {', '.join(names)}, "
                f"found {some_of(self.header)}{hint}"
            )

    def rows(self, ahead: str = "") -> Iterator[list[str]]:
        """Go through the rows from where the file stands, each with as many fields as the header; empty lines are skipped.

        Args:
            ahead: Whole lines that were read from `text` but do not count in `line` yet; they come first.

        Yields:
            The fields of a row; `line` is the number of its last line then.

        Raises:
            InputFileError: A row is not valid CSV, too long, has too few or too many fields, or only empty ones; names
                the line.
        """
        readline = _readline_after(ahead, self.text) if ahead else self.text.readline
        records = _records(
            self.path,
            readline,
            self.delimiter,
            self.line,
            max_characters=MAX_ROW_CHARACTERS,
            max_field_characters=self.max_field_characters,
        )
        width = len(self.header)
        for self.line, row in records:
            if len(row) != width or not any(map(str.strip, row)):
                if not row:
                    continue  # what csv makes of an empty line
                raise InputFileError(f"{self.path}: line {self.line}: {_faulty_row(row, width)}")
            yield row


@contextmanager
def open_table(
    path: StrPath,
    names: Sequence[str],
    *,
    optional: Sequence[str] = (),
    others_allowed: bool = True,
    hints: Mapping[str, str] | None = None,
    max_bytes: int,
    max_field_characters: int,
    max_columns: int = MAX_COLUMNS,
) -> Iterator[CsvTable]:
    """Open a CSV or TSV file; the separator is the one under which the header line holds most of the wanted columns.

    Any number of tables may be read side by side, in one thread or in many.

    Args:
        path: The file.
        names: Columns that it must have.
        optional: Columns that are wanted where it has them.
        others_allowed: Whether it may have other columns.
        hints: What to add to the message where a certain column is all that is missing.
        max_bytes: The largest size accepted, in bytes.
        max_field_characters: The longest field accepted.
        max_columns: The most columns accepted.

    Yields:
        The table; its `positions` name `names` and those of `optional` that are there.

    Raises:
        InputFileError: The file cannot be read, or its header is too long, has too many columns, lacks one, or has one
            twice or without a name.
    """
    with open_text(path, max_bytes=max_bytes) as text:
        first_line, empty_lines = _first_line(path, text)
        delimiter = _delimiter(first_line, {*names, *optional})
        line, header = next(
            _records(
                path,
                _readline_after(first_line, text),
                delimiter,
                empty_lines,
                max_characters=MAX_HEADER_CHARACTERS,
                max_field_characters=max_field_characters,
            )
        )
        header = [name.strip() for name in header]
        _check_header(path, header, max_columns)
        positions = {name: header.index(name) for name in (*names, *optional) if name in header}
        table = CsvTable(path, text, delimiter, header, positions, line, max_field_characters)
        table.require(names, hints)
        if not others_allowed and (unexpected := [name for name in header if name not in names]):
            raise InputFileError(
                f"{path}: header: unexpected column {some_of(unexpected)}; expected exactly {', '.join(names)}"
            )
        yield table


def _first_line(path: StrPath, text: TextIO) -> tuple[str, int]:
    """Skip empty lines; return the first other one (or as much as a header may have) and how many were skipped."""
    skipped = 0
    while line := text.readline(MAX_HEADER_CHARACTERS + 1):
        if line.strip("\r\n"):
            return line, skipped
        skipped += 1
    raise InputFileError(f"{path}: the file has only empty lines; expected a header line and rows")


def _readline_after(ahead: str, text: TextIO) -> Callable[[int], str]:
    """Read lines from `ahead` first, then from the text, each at most so many characters long."""
    front = io.StringIO(ahead, newline="\n")
    return lambda most: front.readline(most) or text.readline(most)


def _records(
    path: StrPath,
    readline: Callable[[int], str],
    delimiter: str,
    line: int,
    *,
    max_characters: int,
    max_field_characters: int,
) -> Iterator[tuple[int, list[str]]]:
    """Parse one record after another; `line` lines came before. Yields the number of a record's last line, and its fields.

    csv knows one field limit for the whole process. It is set for as long as a record takes to parse, and put back before
    anybody else's code runs: so readers do not wait for each other, whatever is done between two records.
    """
    room = 0

    def lines() -> Iterator[str]:
        nonlocal line, room
        while text := readline(room + 1):
            line += 1
            room -= len(text)
            if room < 0:
                raise InputFileError(
                    f"{path}: line {line}: is longer than {max_characters:,} characters (is a quote left open?)"
                )
            yield text

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    while True:
        room = max_characters
        with _CSV_LIMIT_LOCK:
            before = csv.field_size_limit(max_field_characters)
            try:
                record = next(reader, None)
            except csv.Error as error:
                raise InputFileError(f"{path}: line {line}: {_explained(error, max_field_characters)}") from None
            finally:
                csv.field_size_limit(before)
        if record is None:
            return
        yield line, record


def _explained(error: csv.Error, max_field_characters: int) -> str:
    text = str(error)
    if "field limit" in text:
        return f"a field is too large; the limit is {max_field_characters:,} characters (is a quote left open?)"
    if "new-line character" in text:
        return "a carriage return stands inside a row; end lines with LF or CRLF"
    if "unexpected end of data" in text:
        return "the file ends inside a quoted field; close the quote"
    return f"not valid CSV: {text}; write a quote inside a quoted field twice"


def _delimiter(header_line: str, names: set[str]) -> str:
    """Choose the separator under which the header line holds most of the wanted columns (or, failing that, columns)."""

    def columns_found(delimiter: str) -> tuple[int, int]:
        # Names are counted as if nobody quoted a separator or a line end; the header itself is parsed with all rules.
        fields = [field.strip(' "\r\n') for field in header_line.split(delimiter)]
        return (len(names.intersection(fields)), len(fields))

    return max(",\t", key=columns_found)


def _check_header(path: StrPath, header: Sequence[str], max_columns: int) -> None:
    if len(header) > max_columns:
        raise InputFileError(f"{path}: header: has {len(header):,} columns; the limit is {max_columns:,}")
    if "" in header:
        raise InputFileError(f"{path}: header: column {header.index('') + 1} has no name")
    if duplicates := sorted(name for name, times in Counter(header).items() if times > 1):
        raise InputFileError(f"{path}: header: duplicate column {some_of(duplicates)}; name each column once")


def _faulty_row(row: Sequence[str], width: int) -> str:
    """Say what is wrong with a row."""
    if not any(map(str.strip, row)):
        return "all fields of the row are empty; remove the row"
    problem = "too few" if len(row) < width else "too many"
    return f"{problem} fields: expected {width}, found {len(row)}; quote a field that holds the separator"
