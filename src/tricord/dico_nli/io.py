"""Files of the DiCo-NLI task: columns of CSV and TSV files in, score files out.

Files are read in blocks of text. A block of regular rows is split into columns as a whole, by a few string operations
that run at the speed of C. Where a block is not regular (an id in quotes, a value with white space around it, a row with
too few fields), the rest of the file is parsed by `csv` and checked row by row, so that a fault is named with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import contains
from pathlib import Path
from typing import TYPE_CHECKING

from tricord.errors import InputFileError, quoted
from tricord.inputs.columns import are_ids
from tricord.inputs.csvtables import CsvTable, open_table
from tricord.outputs import to_json, write_texts

if TYPE_CHECKING:
    from tricord.dico_nli.metrics import Report
    from tricord.inputs.text import StrPath

__all__ = [
    "read_instance_id_column",
    "read_prediction_blocks",
    "read_prediction_columns",
    "read_reference_columns",
    "score_texts",
    "write_scores",
]

MAX_BYTES = 64 << 20
SCORE_FILENAMES = ("scores.json", "scores.txt")
MAX_ROWS = 5_000_000
MAX_FIELD_CHARACTERS = 1_000_000

REFERENCE_COLUMNS = ("instance_id", "pair_id", "reverse_pair_id", "label")
PREDICTION_COLUMNS = ("instance_id", "label")
ID_COLUMNS = frozenset({"instance_id", "pair_id", "reverse_pair_id"})
MAY_BE_EMPTY = frozenset({"reverse_pair_id"})

_BLOCK_CHARACTERS = 1 << 18
# A quoted field between separators; a quote that stands inside an unquoted field is an ordinary character. The look-behind
# comes after the opening quote because a pattern that starts with a plain character is searched ten times faster.
_QUOTED_FIELD = {
    delimiter: re.compile(rf'"(?<![^{delimiter}\n]")[^"]*(?:""[^"]*)*"(?![^{delimiter}\r\n])') for delimiter in ",\t"
}


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


def read_prediction_blocks(path: StrPath) -> Iterator[dict[str, list[str]]]:
    """Read a prediction file like `read_prediction_columns`, but some rows at a time.

    Args:
        path: A CSV or TSV file.

    Yields:
        The two columns of some thousand rows.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands.
    """
    return _read_blocks(path, PREDICTION_COLUMNS, others_allowed=False)


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
    columns: dict[str, list[str]] = {name: [] for name in names}
    for block in _read_blocks(path, names, others_allowed=others_allowed):
        for name, values in block.items():
            columns[name] += values
    return columns


def _read_blocks(path: StrPath, names: Sequence[str], *, others_allowed: bool) -> Iterator[dict[str, list[str]]]:
    """Read the wanted columns, some rows at a time."""
    hint = "if the data comes without it, link rows by their instance ids: --infer-pairs, or infer_pairs=True"
    count = 0
    with open_table(
        path,
        names,
        others_allowed=others_allowed,
        hints={"reverse_pair_id": hint},
        max_bytes=MAX_BYTES,
        max_field_characters=MAX_FIELD_CHARACTERS,
    ) as table:
        while block := table.text.read(_BLOCK_CHARACTERS):
            block += table.text.readline()
            columns = _split_block(block, table)
            if columns is None:
                columns = _read_row_by_row(table, block, count)
            else:
                table.line += block.count("\n")
            yield columns
            count += len(columns["instance_id"])
            _check_row_count(path, count)
    if not count:
        raise InputFileError(f"{path}: there are no rows below the header line")


def _split_block(block: str, table: CsvTable) -> dict[str, list[str]] | None:
    """Split a block of regular rows into the wanted columns; None where a row needs a closer look."""
    if len(block) > MAX_FIELD_CHARACTERS:
        return None  # only so can a field be too large; csv will tell
    if '"' in block:
        # Quoted texts are in the way of splitting and not wanted. As a blank, a wanted value would be noticed below.
        block = _QUOTED_FIELD[table.delimiter].sub(" ", block)
    if "\r" in block:
        block = block.replace("\r\n", "\n")
    block = block.strip("\n")
    if '"' in block or "\r" in block:
        return None
    if not block:
        return {name: [] for name in table.positions}
    cells = _cells(block, table)
    if cells is None:
        return None
    # Equal strings (labels, pair ids, an id and the link to it) become one object, which saves half of the memory.
    ids = cells.pop("instance_id")
    shared = dict(zip(ids, ids, strict=True))
    columns = {name: list(map(shared.setdefault, values, values)) for name, values in cells.items()}
    columns["instance_id"] = ids
    if not are_ids(shared, may_be_empty=True):
        return None
    if "" in shared and any("" in columns[name] for name in columns if name not in MAY_BE_EMPTY):
        return None
    return columns


def _cells(block: str, table: CsvTable) -> dict[str, list[str]] | None:
    """Split lines of unquoted fields into the wanted columns; None where a line has too few or too many fields.

    Splitting at the separator alone leaves the last field of a line and the first of the next in one piece, joined by the
    line end. In regular rows these pieces stand at equal distances, and only they hold a line end, each of them one.
    """
    last = len(table.header) - 1
    if last == 0:
        if table.delimiter in block:
            return None
        return {name: block.split("\n") for name in table.positions}
    fields = block.split(table.delimiter)
    line_ends = block.count("\n")
    pieces = fields[::last]
    if len(fields) != (line_ends + 1) * last + 1 or not all(map(contains, pieces[1:-1], repeat("\n"))):
        return None
    edges = "\n".join(pieces).split("\n")  # first and last fields in turn
    columns = {name: fields[position::last] for name, position in table.positions.items() if 0 < position < last}
    for name, position in table.positions.items():
        if position in (0, last):
            columns[name] = edges[position > 0 :: 2]
    return columns


def _read_row_by_row(table: CsvTable, block: str, rows_before: int) -> dict[str, list[str]]:
    """Read the rest of a file with every check made on each row, so that a fault is named with its line."""
    columns: dict[str, list[str]] = {name: [] for name in table.positions}
    shared: dict[str, str] = {}
    for count, row in enumerate(table.rows(ahead=block), rows_before + 1):
        _check_row_count(table.path, count)
        for name, position in table.positions.items():
            value = _checked_value(table, name, row[position].strip())
            columns[name].append(shared.setdefault(value, value))
    return columns


def _checked_value(table: CsvTable, name: str, value: str) -> str:
    if not value and name not in MAY_BE_EMPTY:
        raise InputFileError(f"{table.path}: line {table.line}: {name} is missing")
    if name in ID_COLUMNS and len(value.split()) > 1:
        raise InputFileError(f"{table.path}: line {table.line}: {name} {quoted(value)} has white space inside")
    return value


def _check_row_count(path: StrPath, rows: int) -> None:
    if rows > MAX_ROWS:
        raise InputFileError(f"{path}: too many rows; the limit is {MAX_ROWS:,}")


def score_texts(report: Report) -> dict[str, str]:
    """Lay out the score files, byte for byte as the organisers' scorer does.

    Args:
        report: The scores.

    Returns:
        The text of each file, by its name.
    """
    lines = "".join(f"{name}: {value:.12f}\n" for name, value in report.official().items())
    return dict(zip(SCORE_FILENAMES, (to_json(report.details()), lines), strict=True))


def write_scores(report: Report, folder: StrPath) -> None:
    """Write `scores.json` and `scores.txt`, each of them whole.

    Args:
        report: The scores.
        folder: Where to; made if it does not exist.

    Raises:
        OutputError: A file cannot be written.
    """
    write_texts({Path(folder, name): text for name, text in score_texts(report).items()})
