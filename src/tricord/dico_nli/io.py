"""Files of the DiCo-NLI task: CSV and TSV columns in, score files and templates out.

Files are read column by column in blocks of rows. A block is first tested as a whole, which the standard library does at
the speed of C; only where a test fails are its rows looked at one by one, to strip white space or to name the faulty
line.
"""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tricord.columns import are_ids
from tricord.errors import InputFileError, quoted, some_of
from tricord.files import open_text, write_texts
from tricord.terminal import to_json

if TYPE_CHECKING:
    from tricord.dico_nli.metrics import Report
    from tricord.files import StrPath

__all__ = [
    "read_instance_id_column",
    "read_prediction_columns",
    "read_reference_columns",
    "write_scores",
]

MAX_BYTES = 64 << 20
MAX_ROWS = 5_000_000
MAX_FIELD_CHARACTERS = 1_000_000

REFERENCE_COLUMNS = ("instance_id", "pair_id", "reverse_pair_id", "label")
PREDICTION_COLUMNS = ("instance_id", "label")
ID_COLUMNS = frozenset({"instance_id", "pair_id", "reverse_pair_id"})
MAY_BE_EMPTY = frozenset({"reverse_pair_id"})

_BLOCK_ROWS = 8192
_CSV_LIMIT_LOCK = threading.Lock()


def read_reference_columns(path: StrPath, *, with_links: bool = True) -> dict[str, list[str]]:
    """Read the columns of a reference file that matter for scoring; others are ignored.

    Args:
        path: A CSV or TSV file.
        with_links: Whether to read `reverse_pair_id`, which participants' files do not have.

    Returns:
        `instance_id`, `pair_id`, `label` and, with links, `reverse_pair_id` (empty strings for no link), n values each,
        stripped.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands.
    """
    return _read_columns(path, [name for name in REFERENCE_COLUMNS if with_links or name != "reverse_pair_id"])


def read_prediction_columns(path: StrPath) -> dict[str, list[str]]:
    """Read a prediction file, which has exactly the columns `instance_id` and `label`.

    Args:
        path: A CSV or TSV file.

    Returns:
        The two columns, n values each, stripped.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands.
    """
    return _read_columns(path, PREDICTION_COLUMNS, others_allowed=False)


def read_instance_id_column(path: StrPath) -> list[str]:
    """Read the `instance_id` column of any of the task's files: reference, participants' file or template.

    Args:
        path: A CSV or TSV file.

    Returns:
        The n ids, stripped, in the order of the file.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands.
    """
    return _read_columns(path, ["instance_id"])["instance_id"]


class _Rows(NamedTuple):
    """An open file, positioned behind its header line."""

    reader: Iterator[list[str]]
    header: list[str]
    lines_before: int  # lines that the reader has not seen: empty ones above the header

    @property
    def line(self) -> int:
        """The number of the line that was read last."""
        return self.lines_before + int(self.reader.line_num)  # type: ignore[attr-defined]


def _read_columns(path: StrPath, names: Sequence[str], *, others_allowed: bool = True) -> dict[str, list[str]]:
    for read in (_read_in_blocks, _read_row_by_row):
        with _open_rows(path, names) as rows:
            positions = _find_columns(path, rows.header, names, others_allowed)
            columns = read(path, rows, positions)
        if columns is not None:
            if not columns["instance_id"]:
                raise InputFileError(f"{path}: there are no rows below the header line")
            return columns
    raise AssertionError("reading row by row returns the columns or raises")


@contextmanager
def _open_rows(path: StrPath, names: Sequence[str]) -> Iterator[_Rows]:
    with open_text(path, max_bytes=MAX_BYTES) as text, _field_limit():
        try:
            empty_lines = 0
            for first_line in text:
                if first_line.strip("\r\n"):
                    break
                empty_lines += 1
            else:
                raise InputFileError(f"{path}: the file has only empty lines; expected a header line and rows")
            reader = csv.reader(chain([first_line], text), delimiter=_delimiter(first_line, names), strict=True)
            yield _Rows(reader, [name.strip() for name in next(reader)], empty_lines)
        except csv.Error as error:
            line = empty_lines + reader.line_num
            raise InputFileError(f"{path}: line {line}: {_explained(error)}") from None


@contextmanager
def _field_limit() -> Iterator[None]:
    """Let csv accept fields up to the task's limit; the limit is one for the whole process, so it is put back."""
    with _CSV_LIMIT_LOCK:
        before = csv.field_size_limit(MAX_FIELD_CHARACTERS)
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _explained(error: csv.Error) -> str:
    text = str(error)
    if "field limit" in text:
        return f"a field is too large; the limit is {MAX_FIELD_CHARACTERS:,} characters (is a quote left open?)"
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


def _find_columns(path: StrPath, header: list[str], names: Sequence[str], others_allowed: bool) -> dict[str, int]:
    """Find where the wanted columns stand, after checking the header."""
    if "" in header:
        raise InputFileError(f"{path}: header: column {header.index('') + 1} has no name")
    if duplicates := sorted({name for name in header if header.count(name) > 1}):
        raise InputFileError(f"{path}: header: duplicate column {some_of(duplicates)}; name each column once")
    if missing := [name for name in names if name not in header]:
        hint = ""
        if missing == ["reverse_pair_id"]:
            hint = "; if the data comes without it, have it inferred from the instance ids (the twin rule)"
        raise InputFileError(
            f"{path}: header: missing column {some_of(missing)}; expected {', '.join(names)}, found {some_of(header)}{hint}"
        )
    if not others_allowed and (unexpected := [name for name in header if name not in names]):
        raise InputFileError(
            f"{path}: header: unexpected column {some_of(unexpected)}; expected exactly {', '.join(names)}"
        )
    return {name: header.index(name) for name in names}


def _read_in_blocks(path: StrPath, rows: _Rows, positions: dict[str, int]) -> dict[str, list[str]] | None:
    """Read regular rows at full speed; return None where a row needs a closer look."""
    columns: dict[str, list[str]] = {name: [] for name in positions}
    full_rows = filter(None, rows.reader)  # a wholly empty line is an empty list
    while block := list(islice(full_rows, _BLOCK_ROWS)):
        if set(map(len, block)) != {len(rows.header)}:
            return None
        fields = list(zip(*block, strict=True))
        # Equal strings of a block (labels, pair ids, an id and the link to it) become one object: half the memory.
        shared: dict[str, str] = {}
        for name, position in positions.items():
            values = fields[position]
            if not are_ids(values, may_be_empty=name in MAY_BE_EMPTY):
                return None
            columns[name].extend(map(shared.setdefault, values, values))
        _check_row_count(path, len(columns["instance_id"]))
    return columns


def _read_row_by_row(path: StrPath, rows: _Rows, positions: dict[str, int]) -> dict[str, list[str]]:
    """Read rows with every check made on each of them, so that a fault is named with its line."""
    columns: dict[str, list[str]] = {name: [] for name in positions}
    width = len(rows.header)
    for row in rows.reader:
        if not row:
            continue
        where = f"{path}: line {rows.line}"
        if not any(field.strip() for field in row):
            raise InputFileError(f"{where}: all fields of the row are empty; remove the row")
        if len(row) != width:
            problem = "too few" if len(row) < width else "too many"
            raise InputFileError(
                f"{where}: {problem} fields: expected {width}, found {len(row)}; quote a field that holds the separator"
            )
        for name, position in positions.items():
            value = row[position].strip()
            if not value and name not in MAY_BE_EMPTY:
                raise InputFileError(f"{where}: {name} is missing")
            if name in ID_COLUMNS and len(value.split()) > 1:
                raise InputFileError(f"{where}: {name} {quoted(value)} has white space inside")
            columns[name].append(value)
        _check_row_count(path, len(columns["instance_id"]))
    return columns


def _check_row_count(path: StrPath, rows: int) -> None:
    if rows > MAX_ROWS:
        raise InputFileError(f"{path}: too many rows; the limit is {MAX_ROWS:,}")


def write_scores(report: Report, folder: StrPath) -> None:
    """Write `scores.json` and `scores.txt`, byte for byte as the organisers' scorer does; both or neither.

    Args:
        report: The scores.
        folder: Where to; made if it does not exist.

    Raises:
        OutputError: A file cannot be written.
    """
    headline = {"weighted_f1": report.weighted_f1, "soft_cons": report.soft_cons, "hard_cons": report.hard_cons}
    lines = "".join(f"{name}: {value:.12f}\n" for name, value in headline.items())
    write_texts({Path(folder, "scores.json"): to_json(report.to_dict()), Path(folder, "scores.txt"): lines})
