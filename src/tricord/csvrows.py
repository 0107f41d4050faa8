"""CSV and TSV as untrusted input: the rows of a file with a header line, every fault named with its line."""

from __future__ import annotations

import csv
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from tricord.errors import InputFileError, some_of
from tricord.files import open_text

if TYPE_CHECKING:
    from tricord.files import StrPath

__all__ = ["CsvRows", "checked_rows", "find_columns", "open_rows"]

_CSV_LIMIT_LOCK = threading.Lock()


class CsvRows(NamedTuple):
    """An open file, positioned behind its header line."""

    reader: Iterator[list[str]]
    header: list[str]
    lines_before: int  # lines that the reader has not seen: empty ones above the header

    @property
    def line(self) -> int:
        """The number of the line that was read last."""
        return self.lines_before + int(self.reader.line_num)  # type: ignore[attr-defined]


@contextmanager
def open_rows(path: StrPath, names: Sequence[str], *, max_bytes: int, max_field_characters: int) -> Iterator[CsvRows]:
    """Open a CSV or TSV file.

    Args:
        path: The file.
        names: Columns that are wanted; the separator is the one under which the header line holds most of them.
        max_bytes: The largest size accepted, in bytes.
        max_field_characters: The longest field accepted.

    Yields:
        The rows, positioned behind the header line, whose names are stripped.

    Raises:
        InputFileError: The file cannot be read, or (while it is being read) a line is not valid CSV.
    """
    with open_text(path, max_bytes=max_bytes) as text, _field_limit(max_field_characters):
        try:
            empty_lines = 0
            for first_line in text:
                if first_line.strip("\r\n"):
                    break
                empty_lines += 1
            else:
                raise InputFileError(f"{path}: the file has only empty lines; expected a header line and rows")
            reader = csv.reader(chain([first_line], text), delimiter=_delimiter(first_line, names), strict=True)
            yield CsvRows(reader, [name.strip() for name in next(reader)], empty_lines)
        except csv.Error as error:
            line = empty_lines + reader.line_num
            raise InputFileError(f"{path}: line {line}: {_explained(error, max_field_characters)}") from None


@contextmanager
def _field_limit(characters: int) -> Iterator[None]:
    """Let csv accept fields up to a limit of ours; the limit is one for the whole process, so it is put back."""
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


def _delimiter(header_line: str, names: Sequence[str]) -> str:
    """Choose the separator under which the header line holds most of the wanted columns (or, failing that, columns)."""

    def columns_found(delimiter: str) -> tuple[int, int]:
        try:
            fields = [field.strip() for field in next(csv.reader([header_line], delimiter=delimiter))]
        except (csv.Error, StopIteration):
            return (0, 0)
        return (len(set(fields) & set(names)), len(fields))

    return max(",\t", key=columns_found)


def find_columns(
    path: StrPath, header: Sequence[str], names: Sequence[str], *, others_allowed: bool = True, hint: str = ""
) -> dict[str, int]:
    """Find where the wanted columns stand, after checking the header.

    Args:
        path: The file, for messages.
        header: The names in the header line.
        names: The wanted columns.
        others_allowed: Whether there may be columns beside the wanted ones.
        hint: What to add to the message about a missing column.

    Returns:
        The position of each wanted column.

    Raises:
        InputFileError: A column has no name, stands twice, is missing, or is unexpected.

    Example:
        >>> find_columns("votes.csv", ["vote", "voter-id"], ["voter-id", "vote"])
        {'voter-id': 1, 'vote': 0}
    """
    if "" in header:
        raise InputFileError(f"{path}: header: column {header.index('') + 1} has no name")
    if duplicates := sorted(name for name, times in Counter(header).items() if times > 1):
        raise InputFileError(f"{path}: header: duplicate column {some_of(duplicates)}; name each column once")
    if missing := [name for name in names if name not in header]:
        raise InputFileError(
            f"{path}: header: missing column {some_of(missing)}; expected {', '.join(names)}, found {some_of(header)}{hint}"
        )
    if not others_allowed and (unexpected := [name for name in header if name not in names]):
        raise InputFileError(
            f"{path}: header: unexpected column {some_of(unexpected)}; expected exactly {', '.join(names)}"
        )
    return {name: header.index(name) for name in names}


def checked_rows(path: StrPath, rows: CsvRows) -> Iterator[list[str]]:
    """Go through the rows below the header line; wholly empty lines are passed over.

    Args:
        path: The file, for messages.
        rows: The open file; its `line` is that of the row given last.

    Yields:
        The fields of a row, as many as there are columns.

    Raises:
        InputFileError: A row has too few or too many fields, or all of them are empty; names the line.
    """
    width = len(rows.header)
    for row in rows.reader:
        if not row:
            continue
        if not any(field.strip() for field in row):
            raise InputFileError(f"{path}: line {rows.line}: all fields of the row are empty; remove the row")
        if len(row) != width:
            problem = "too few" if len(row) < width else "too many"
            raise InputFileError(
                f"{path}: line {rows.line}: {problem} fields: expected {width}, found {len(row)}; quote a field that holds "
                "the separator"
            )
        yield row
