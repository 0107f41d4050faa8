"""How statistics and scores are shown: rankings of statements and scores for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tricord.commands import figure_table
from tricord.commonground.calibration import Calibration
from tricord.commonground.scorer import VoteReport
from tricord.terminal import format_table

__all__ = ["RANKINGS", "group_ranking", "ranking", "report_tables"]

RANKINGS = {"most divisive": "separation", "most agreed": "pat", "most uncertain": "entropy"}
"""What the rankings of statements are called, and the statistic that each is by."""

_LONGEST_TEXT = 72


def ranking(rows: Iterable[Mapping[str, Any]], statistic: str, *, top: int, min_votes: int) -> str:
    """Lay out the statements with the highest values of a statistic.

    Args:
        rows: From `statement_table`.
        statistic: The statistic to rank by; of equal ones the statement with more votes comes first. Statements where it is
            0 or less are passed over: with a `pat` of 0 no majority agrees.
        top: How many to show.
        min_votes: Statements with fewer votes are passed over.

    Returns:
        A table.
    """
    headers = ["statement", "agree", "disagree", "pass", "pat", "separation", "entropy", "text"]
    shown = (row for row in rows if row["seen"] >= min_votes and row[statistic] > 0)
    ranked = sorted(shown, key=lambda row: (-row[statistic], -row["seen"]))
    return _table(headers, ranked[:top])


def group_ranking(rows: Iterable[Mapping[str, Any]], *, top: int, min_votes: int) -> str:
    """Lay out what sets a group apart: its statements with the highest `rat` or `rdt`.

    Args:
        rows: The rows of one group from `group_table`.
        top: How many to show.
        min_votes: Statements with fewer votes in the group are passed over.

    Returns:
        A table.
    """
    headers = ["statement", "agree", "disagree", "pass", "ra", "rat", "rd", "rdt", "text"]
    ranked = sorted((row for row in rows if row["seen"] >= min_votes), key=lambda row: -max(row["rat"], row["rdt"]))
    return _table(headers, ranked[:top])


def _table(headers: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    cells = ([row[name] for name in headers] for row in rows)
    shown = [[_one_line(cell) if isinstance(cell, str) else cell for cell in row] for row in cells]
    return format_table(headers, shown)


def _one_line(text: str) -> str:
    """Fit a text that anyone may have written into a line of a terminal."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    line = " ".join(printable.split())
    return line if len(line) <= _LONGEST_TEXT else f"{line[: _LONGEST_TEXT - 3]}..."


def report_tables(report: VoteReport) -> str:
    """Lay out the scores and the calibration of predicted votes."""
    calibration = "" if report.calibration is None else f"{_calibration_tables(report.calibration)}\n\n"
    invalid = f"{report.invalid_predictions} without a valid prediction (scored as uniform)"
    return f"{figure_table(report.figures())}\n\n{calibration}{report.cells} held-out votes, {invalid}"


def _calibration_tables(calibration: Calibration) -> str:
    terms = ("expected_calibration_error", "reliability", "resolution", "uncertainty", "within_bin")
    headers = ["class", "from", "to", "cells", "mean probability", "frequency"]
    bins = [
        [name, row.lower, row.upper, row.count, row.mean_probability, row.frequency]
        for name, own in calibration.per_class.items()
        for row in own.bins
    ]
    return (
        f"{format_table(['calibration', 'value'], [[name, getattr(calibration, name)] for name in terms])}\n\n"
        f"{format_table(headers, bins)}"
    )
