"""Scoring predicted votes from end to end: predictions and held-out votes in, one report with all scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tricord.commonground import formulas
from tricord.commonground.calibration import DEFAULT_BINS, Calibration, calibrate
from tricord.commonground.scores import (
    UNIFORM,
    Distribution,
    actual_votes,
    check_mapping,
    distribution,
    highest_vote,
    loss,
    mean,
    reference_by_cell,
    reward,
    uniform_score,
)
from tricord.errors import ValidationError, some_of
from tricord.measures import ratio
from tricord.reports import signature

__all__ = ["VoteReport", "score", "score_cells"]


@dataclass(frozen=True)
class VoteReport:
    """All scores of one set of predictions.

    Attributes:
        brier_score: Mean of half the squared distance of the prediction from the vote, in [0, 1]; lower is better.
        probability_reward: 1 - `brier_score`; 0.0 for no cells.
        brier_skill_score: 1 - `brier_score` / that of the reference; at most 1, and finite.
        vote_accuracy: Fraction of cells whose single most probable vote is the actual one, in [0, 1]; a tie is no match.
        cells: Number of held-out votes.
        invalid_predictions: How many of them have no valid prediction and score as uniform; missing ones are among these.
        calibration: How far the probabilities are to be trusted; None where it was not asked for.
        signature: What the figures depend on, to be quoted with them.
    """

    brier_score: float
    probability_reward: float
    brier_skill_score: float
    vote_accuracy: float
    cells: int
    invalid_predictions: int
    calibration: Calibration | None
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Lay the report out as plain dicts and lists."""
        return asdict(self)


def score(
    predictions: Mapping[Any, Any],
    held_out: Mapping[Any, int],
    reference: Mapping[Any, Any] | None = None,
    *,
    bins: int | None = DEFAULT_BINS,
) -> VoteReport:
    """Score predicted votes.

    Args:
        predictions: A vote or a mapping of class to number by cell id, as for `brier_score`.
        held_out: The actual vote (1, -1, 0) by cell id.
        reference: What the skill score measures against: one distribution for all cells, or a prediction for every held-out
            cell, as for `brier_skill_score`; uniform by default.
        bins: The number of reliability bins, from 1 to 1000; None for no calibration, which takes longer than all the rest.

    Returns:
        The report.

    Raises:
        ValidationError: An actual vote is none, an argument is not a mapping, `reference` lacks a valid prediction for a
            held-out cell, or `bins` is out of range.

    Example:
        >>> report = score({"p1-s1": {"agree": 3, "pass": 1}, "p1-s2": "?"}, {"p1-s1": 1, "p1-s2": -1})
        >>> report.vote_accuracy, report.invalid_predictions, report.signature
        (0.5, 1, 'commonground_brier|cells:2|reference:uniform|bins:10|version:0.1.0')
    """
    check_mapping("predictions", predictions)
    actual = actual_votes(held_out)
    to_beat = None
    if reference is not None:
        by_cell = reference_by_cell(reference, held_out)
        to_beat = [distribution(by_cell.get(cell)) for cell, _ in actual]
        if None in to_beat:
            faulty = [cell for (cell, _), own in zip(actual, to_beat, strict=True) if own is None]
            raise ValidationError(
                "Expected `reference` to be one distribution, or to have a valid prediction for every held-out cell; "
                f"{len(faulty)} of {len(actual)} have none: {some_of(faulty, most=3)}"
            )
    predicted = [distribution(predictions.get(cell)) for cell, _ in actual]
    return score_cells(predicted, [vote for _, vote in actual], to_beat, bins=bins)


def score_cells(
    predicted: Sequence[Distribution | None],
    votes: Sequence[int],
    reference: Sequence[Distribution | None] | None = None,
    *,
    bins: int | None = DEFAULT_BINS,
) -> VoteReport:
    """Score distributions that are already normalised, in the order of the votes; None for an invalid one."""
    cells = len(votes)
    brier = _mean_loss(predicted, votes)
    to_beat = uniform_score(cells) if reference is None else _mean_loss(reference, votes)
    options: dict[str, str | int] = {"cells": cells, "reference": "uniform" if reference is None else "given"}
    if bins is not None:
        options["bins"] = bins
    matches = sum(own is not None and highest_vote(own) == vote for own, vote in zip(predicted, votes, strict=True))
    return VoteReport(
        brier_score=brier,
        probability_reward=reward(brier, cells),
        brier_skill_score=formulas.skill(brier, to_beat),
        vote_accuracy=ratio(matches, cells),
        cells=cells,
        invalid_predictions=predicted.count(None),
        calibration=None if bins is None else calibrate([own or UNIFORM for own in predicted], votes, bins=bins),
        signature=signature("commonground_brier", **options),
    )


def _mean_loss(predicted: Sequence[Distribution | None], votes: Sequence[int]) -> float:
    return mean((loss(own, vote) for own, vote in zip(predicted, votes, strict=True)), len(votes))
