"""Files of the DiCo-NLI task: CSV and TSV columns in, score files and templates out.

Files are read column by column in blocks of rows. A block is first tested as a whole, which the standard library does at
the speed of C; only where a test fails are its rows looked at one by one, to strip white space or to name the faulty
line.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tricord.columns import are_ids
from tricord.csvrows import CsvRows, checked_rows, find_columns, open_rows
from tricord.errors import InputFileError, quoted
from tricord.files import write_texts
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

TWIN_RULE_HINT = "; if the data comes without it, have it inferred from the instance ids (the twin rule)"

_BLOCK_ROWS = 8192


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


def _read_columns(path: StrPath, names: Sequence[str], *, others_allowed: bool = True) -> dict[str, list[str]]:
    for read in (_read_in_blocks, _read_row_by_row):
        with open_rows(path, names, max_bytes=MAX_BYTES, max_field_characters=MAX_FIELD_CHARACTERS) as rows:
            hint = TWIN_RULE_HINT if set(names) - set(rows.header) == {"reverse_pair_id"} else ""
            positions = find_columns(path, rows.header, names, others_allowed=others_allowed, hint=hint)
            columns = read(path, rows, positions)
        if columns is not None:
            if not columns["instance_id"]:
                raise InputFileError(f"{path}: there are no rows below the header line")
            return columns
    raise AssertionError("reading row by row returns the columns or raises")


def _read_in_blocks(path: StrPath, rows: CsvRows, positions: dict[str, int]) -> dict[str, list[str]] | None:
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


def _read_row_by_row(path: StrPath, rows: CsvRows, positions: dict[str, int]) -> dict[str, list[str]]:
    """Read rows with every check made on each of them, so that a fault is named with its line."""
    columns: dict[str, list[str]] = {name: [] for name in positions}
    for row in checked_rows(path, rows):
        where = f"{path}: line {rows.line}"
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
