"""Calibration of predicted vote probabilities: reliability bins, expected calibration error, Murphy decomposition.

Each of the three classes is looked at as a yes-no event: was this the vote? The forecasts of a class are binned by equal
widths of probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tricord.commonground.scores import Distribution, mean, three_numbers
from tricord.commonground.votes import VOTE_NAMES, VOTES, check_vote
from tricord.errors import ValidationError, quoted
from tricord.inputs.arguments import whole_number
from tricord.inputs.columns import check_equal_lengths, column_values

__all__ = ["DEFAULT_BINS", "Calibration", "ClassCalibration", "ReliabilityBin", "calibrate", "check_bins"]

DEFAULT_BINS = 10
MAX_BINS = 1000

# What the rounding of narrow floats adds up to.
_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class ReliabilityBin:
    """The forecasts of one class that fall into one range of probability.

    Attributes:
        lower: The lowest probability of the range.
        upper: The end of the range; it belongs to the next bin, and in the last bin, where it is 1, to this one.
        count: How many forecasts fall into it, at least one: bins without any are left out.
        mean_probability: Their mean, in [0, 1].
        frequency: The fraction of them for which this class was the vote, in [0, 1].
    """

    lower: float
    upper: float
    count: int
    mean_probability: float
    frequency: float


@dataclass(frozen=True)
class ClassCalibration:
    """How far the probabilities of one class are to be trusted.

    Attributes:
        expected_calibration_error: Mean distance of `mean_probability` from `frequency`, weighted by count; in [0, 1].
        bins: The non-empty bins in ascending order.
    """

    expected_calibration_error: float
    bins: list[ReliabilityBin]


@dataclass(frozen=True)
class Calibration:
    """Calibration over all classes.

    The Brier score is `reliability - resolution + uncertainty + within_bin`, up to rounding.

    Attributes:
        expected_calibration_error: Mean of those of the three classes (the class-wise definition); in [0, 1].
        reliability: Mean squared distance of the binned forecasts from the observed frequencies; 0 is perfect.
        resolution: Mean squared distance of the frequencies in the bins from the overall ones; more is better.
        uncertainty: The Brier score of always forecasting the overall frequencies; depends on the votes alone.
        within_bin: What is left because forecasts in a bin differ from each other; 0 where they do not.
        per_class: The reliability bins of agree, disagree and pass.
    """

    expected_calibration_error: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bin: float
    per_class: dict[str, ClassCalibration]

    def to_dict(self) -> dict[str, Any]:
        """Lay everything out as plain dicts and lists."""
        return asdict(self)


def calibrate(
    probabilities: Sequence[Sequence[float]], votes: Sequence[int], *, bins: int = DEFAULT_BINS
) -> Calibration:
    """Compare predicted probabilities with how often the votes came true.

    Args:
        probabilities: n distributions over agree, disagree, pass; uniform for an invalid prediction.
        votes: n actual votes, 1, -1 or 0.
        bins: The number of bins, from 1 to 1000.

    Returns:
        The calibration. The decomposition is that of Murphy (1973), with the term for differences inside bins that
        Stephenson, Coelho and Jolliffe (2008) add; like the Brier score here it is halved. All zero for no cells.

    Raises:
        ValidationError: A row is no distribution (its sum may differ from 1 by a millionth), a vote is none, the lengths
            differ, or `bins` is no whole number in its range.

    Example:
        >>> result = calibrate([(0.75, 0.25, 0.0)] * 4, [1, 1, 1, -1])
        >>> result.expected_calibration_error, result.uncertainty
        (0.0, 0.1875)
    """
    bins = check_bins(bins)
    rows = _rows(probabilities)
    actual_votes = [check_vote(vote, f"votes[{row}]") for row, vote in enumerate(column_values("votes", votes))]
    cells = check_equal_lengths({"probabilities": rows, "votes": actual_votes})
    per_class, terms = {}, []
    for position, (name, vote) in enumerate(zip(VOTE_NAMES, VOTES, strict=True)):
        forecasts = [row[position] for row in rows]
        outcomes = [actual == vote for actual in actual_votes]
        groups = _binned(forecasts, outcomes, bins)
        filled = [_reliability_bin(index, group, bins) for index, group in groups.items()]
        errors = (row.count * abs(row.mean_probability - row.frequency) for row in filled)
        per_class[name] = ClassCalibration(mean(errors, cells), filled)
        terms.append(_decompose(filled, list(groups.values()), sum(outcomes), cells))
    reliability, resolution, uncertainty, within_bin = (mean(parts, 2) for parts in zip(*terms, strict=True))
    return Calibration(
        expected_calibration_error=mean((row.expected_calibration_error for row in per_class.values()), len(VOTES)),
        reliability=reliability,
        resolution=resolution,
        uncertainty=uncertainty,
        within_bin=within_bin,
        per_class=per_class,
    )


def check_bins(bins: Any) -> int:
    """Accept a number of bins.

    Raises:
        ValidationError: It is no whole number from 1 to 1000.

    Example:
        >>> check_bins(10)
        10
    """
    return whole_number("bins", bins, least=1, most=MAX_BINS)


def _rows(probabilities: Any) -> list[Distribution]:
    listed = list(probabilities) if getattr(probabilities, "ndim", 1) == 2 else probabilities
    rows = [three_numbers(f"probabilities[{at}]", row) for at, row in enumerate(column_values("probabilities", listed))]
    for at, row in enumerate(rows):
        if not (min(row) >= 0 and abs(row[0] + row[1] + row[2] - 1) <= _SUM_TOLERANCE):
            raise ValidationError(
                f"probabilities[{at}]: expected three numbers from 0 to 1 that sum to 1, got {quoted(row)}"
            )
    return rows


# A forecast of one class and whether that class was the vote.
_Pair = tuple[float, bool]


def _binned(forecasts: Sequence[float], outcomes: Sequence[bool], bins: int) -> dict[int, list[_Pair]]:
    groups: dict[int, list[_Pair]] = {}
    for forecast, outcome in zip(forecasts, outcomes, strict=True):
        groups.setdefault(_bin_index(forecast, bins), []).append((forecast, outcome))
    return dict(sorted(groups.items()))


def _bin_index(forecast: float, bins: int) -> int:
    """Find the bin whose borders, as they are shown, hold a forecast; the product alone may be rounded across one."""
    index = min(int(forecast * bins), bins - 1)
    if forecast < index / bins:
        return index - 1
    return min(index + (forecast >= (index + 1) / bins), bins - 1)


def _reliability_bin(index: int, group: Sequence[_Pair], bins: int) -> ReliabilityBin:
    return ReliabilityBin(
        lower=index / bins,
        upper=(index + 1) / bins,
        count=len(group),
        mean_probability=mean((forecast for forecast, _ in group), len(group)),
        frequency=sum(outcome for _, outcome in group) / len(group),
    )


def _decompose(
    filled: Sequence[ReliabilityBin], groups: Sequence[Sequence[_Pair]], hits: int, cells: int
) -> tuple[float, float, float, float]:
    """Split the mean squared error of one class into reliability, resolution, uncertainty and the within-bin term."""
    overall = hits / cells if cells else 0.0
    within = (
        (forecast - row.mean_probability) ** 2 - 2 * (forecast - row.mean_probability) * (outcome - row.frequency)
        for row, group in zip(filled, groups, strict=True)
        for forecast, outcome in group
    )
    return (
        mean((row.count * (row.mean_probability - row.frequency) ** 2 for row in filled), cells),
        mean((row.count * (row.frequency - overall) ** 2 for row in filled), cells),
        overall * (1 - overall),
        mean(within, cells),
    )
