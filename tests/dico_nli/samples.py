"""A small valid reference and predictions for it, as rows that a test can spoil before they become a file."""

from pathlib import Path
from typing import NamedTuple

REFERENCE_HEADER = ["instance_id", "pair_id", "reverse_pair_id", "label"]
REFERENCE = [
    ["p1__en-en__original", "p1", "p1__en-en__flipped", "FORWARD_ENTAILMENT"],
    ["p1__en-en__flipped", "p1", "p1__en-en__original", "BACKWARD_ENTAILMENT"],
    ["p2__en-en__original", "p2", "", "NEGATIVE_OTHER"],
    ["p3__en-es__original", "p3", "p3__es-en__flipped", "EQUIVALENCE"],
    ["p3__es-en__flipped", "p3", "p3__en-es__original", "EQUIVALENCE"],
    ["p4__en-en__original", "p4", "", "EQUIVALENCE"],
]
PREDICTION_HEADER = ["instance_id", "label"]
PREDICTIONS = [
    ["p1__en-en__original", "BACKWARD_ENTAILMENT"],
    ["p1__en-en__flipped", "FORWARD_ENTAILMENT"],
    ["p2__en-en__original", "NEGATIVE_OTHER"],
    ["p3__en-es__original", "EQUIVALENCE"],
    ["p3__es-en__flipped", "EQUIVALENCE"],
    ["p4__en-en__original", "NEGATIVE_OTHER"],
]


def csv_text(header, rows, *, separator=",", line_end="\n"):
    return "".join(separator.join(row) + line_end for row in [header, *rows])


def reference_text(rows=None, header=None, **layout):
    return csv_text(header or REFERENCE_HEADER, REFERENCE if rows is None else rows, **layout)


def prediction_text(rows=None, header=None, **layout):
    return csv_text(header or PREDICTION_HEADER, PREDICTIONS if rows is None else rows, **layout)


def changed(rows, row, column, value):
    """Copy rows with one cell replaced."""
    copy = [list(cells) for cells in rows]
    copy[row][column] = value
    return copy


class Pair(NamedTuple):
    gold: Path
    predictions: Path


def write_pair(folder, gold=None, predictions=None):
    """Write a reference and predictions (str or bytes; the valid ones by default)."""
    pair = Pair(folder / "gold.csv", folder / "predictions.csv")
    for path, content, default in [
        (pair.gold, gold, reference_text()),
        (pair.predictions, predictions, prediction_text()),
    ]:
        content = default if content is None else content
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return pair
