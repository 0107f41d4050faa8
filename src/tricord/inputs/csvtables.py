"""CSV and TSV files as untrusted input: the table below a header line, every fault named with its line."""

from __future__ import annotations

import csv
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from tricord.errors import InputFileError, some_of
from tricord.inputs.text import open_text

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["CsvTable", "check_row", "field_limit", "open_table"]

_CSV_LIMIT_LOCK = threading.Lock()


class CsvTable(NamedTuple):
    """An open file, positioned behind its header line; to be read through `text` or through `reader`, not both."""

    text: TextIO
    reader: Any  # csv.reader, whose type has no public name
    delimiter: str
    header: list[str]
    positions: dict[str, int]  # where the wanted columns stand
    lines_before: int  # lines that `reader` has not seen: empty ones above the header

    @property
    def line(self) -> int:
        """The number of the line that `reader` gave last."""
        return self.lines_before + int(self.reader.line_num)


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
) -> Iterator[CsvTable]:
    """Open a CSV or TSV file; the separator is the one under which the header line holds most of the wanted columns.

    Args:
        path: The file.
        names: Columns that it must have.
        optional: Columns that are wanted where it has them.
        others_allowed: Whether it may have other columns.
        hints: What to add to the message where a certain column is all that is missing.
        max_bytes: The largest size accepted, in bytes.
        max_field_characters: The longest field accepted.

    Yields:
        The table; its `positions` name `names` and those of `optional` that are there.

    Raises:
        InputFileError: The file cannot be read, the header lacks a column, has one twice or without a name, or (while it is
            being read) a line is not valid CSV.
    """
    with open_text(path, max_bytes=max_bytes) as text:
        first_line, empty_lines = _first_line(path, text)
        with field_limit(max_field_characters):
            delimiter = _delimiter(first_line, {*names, *optional})
        reader = csv.reader(chain([first_line], text), delimiter=delimiter, strict=True)
        try:
            with field_limit(max_field_characters):
                header = [name.strip() for name in next(reader)]
            _check_header(path, header, names, others_allowed, hints or {})
            positions = {name: header.index(name) for name in (*names, *optional) if name in header}
            yield CsvTable(text, reader, delimiter, header, positions, empty_lines)
        except csv.Error as error:
            line = empty_lines + reader.line_num
            raise InputFileError(f"{path}: line {line}: {_explained(error, max_field_characters)}") from None


def _first_line(path: StrPath, text: TextIO) -> tuple[str, int]:
    """Skip empty lines; return the first other one and how many were skipped."""
    for skipped, line in enumerate(text):
        if line.strip("\r\n"):
            return line, skipped
    raise InputFileError(f"{path}: the file has only empty lines; expected a header line and rows")


@contextmanager
def field_limit(characters: int) -> Iterator[None]:
    """Let csv accept fields up to a limit; there is one for the whole process, so it is put back.

    Args:
        characters: The longest field accepted while the context lasts.
    """
    with _CSV_LIMIT_LOCK:
        before = csv.field_size_limit(characters)
        try:
            yield
        finally:
            csv.field_size_limit(before)


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
        try:
            fields = [field.strip() for field in next(csv.reader([header_line], delimiter=delimiter))]
        except (csv.Error, StopIteration):
            return (0, 0)
        return (len(names.intersection(fields)), len(fields))

    return max(",\t", key=columns_found)


def _check_header(
    path: StrPath, header: Sequence[str], names: Sequence[str], others_allowed: bool, hints: Mapping[str, str]
) -> None:
    if "" in header:
        raise InputFileError(f"{path}: header: column {header.index('') + 1} has no name")
    if duplicates := sorted(name for name, times in Counter(header).items() if times > 1):
        raise InputFileError(f"{path}: header: duplicate column {some_of(duplicates)}; name each column once")
    if missing := [name for name in names if name not in header]:
        hint = f"; {hints[missing[0]]}" if len(missing) == 1 and missing[0] in hints else ""
        raise InputFileError(
            f"{path}: header: missing column {some_of(missing)}; expected {', '.join(names)}, found {some_of(header)}{hint}"
        )
    if not others_allowed and (unexpected := [name for name in header if name not in names]):
        raise InputFileError(
            f"{path}: header: unexpected column {some_of(unexpected)}; expected exactly {', '.join(names)}"
        )


def check_row(where: str, row: Sequence[str], width: int) -> None:
    """Check that a row has as many fields as the header, and that not all of them are empty.

    Args:
        where: The file and the line, for the message.
        row: The fields.
        width: The number of columns.

    Raises:
        InputFileError: It has not.

    Example:
        >>> check_row("votes.csv: line 2", ["1", "0"], 2)
    """
    if not any(field.strip() for field in row):
        raise InputFileError(f"{where}: all fields of the row are empty; remove the row")
    if len(row) != width:
        problem = "too few" if len(row) < width else "too many"
        raise InputFileError(
            f"{where}: {problem} fields: expected {width}, found {len(row)}; quote a field that holds the separator"
        )
