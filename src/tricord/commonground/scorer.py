"""Scoring predicted votes from end to end: held-out votes and predictions in, one report with all scores out."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from tricord import reports
from tricord.commonground import formulas
from tricord.commonground.calibration import DEFAULT_BINS, Calibration, calibrate, check_bins
from tricord.commonground.held_out import HeldOut, check_mapping, make_held_out
from tricord.commonground.io import read_held_out, read_predictions
from tricord.commonground.scores import (
    UNIFORM,
    UNIFORM_LOSS,
    Distribution,
    distribution,
    highest_vote,
    loss,
    reference_by_cell,
)
from tricord.commonground.votes import as_vote
from tricord.errors import ValidationError, some_of
from tricord.inputs.arguments import gold_path
from tricord.measures import ratio
from tricord.units import Units

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["VoteReport", "figures_of_sums", "make_report", "score", "score_cells", "validate_predictions"]

_EXPECTED = "held-out votes by cell id (from read_held_out or make_held_out)"


@dataclass(frozen=True)
class VoteReport(reports.Report):
    """All scores of one set of predictions.

    Attributes:
        brier_score: Mean of half the squared distance of the prediction from the vote, in [0, 1]; lower is better.
        probability_reward: 1 - `brier_score`; 0.0 for no cells.
        brier_skill_score: 1 - `brier_score` / that of the reference; at most 1, and finite.
        vote_accuracy: Fraction of cells whose single most probable vote is the actual one, in [0, 1]; a tie is no match.
        cells: Number of held-out votes.
        reference: What the skill score measures against: "uniform" or "given".
        bins: The number of reliability bins; None where no calibration is wanted.
        held_out: The n actual votes.
        probabilities: n distributions; uniform where the prediction is invalid.
        losses: The n Brier scores of the single cells.
        reference_losses: Those of the reference.
        matches: Of each cell, whether its single most probable vote is the actual one.
        valid: Of each cell, whether it has a valid prediction.
    """

    brier_score: float
    probability_reward: float
    brier_skill_score: float
    vote_accuracy: float
    cells: int
    reference: str
    bins: int | None
    held_out: HeldOut = field(repr=False, compare=False)
    probabilities: Sequence[Sequence[float]] = field(repr=False, compare=False)
    losses: Sequence[float] = field(repr=False, compare=False)
    reference_losses: Sequence[float] = field(repr=False, compare=False)
    matches: Sequence[bool] = field(repr=False, compare=False)
    valid: Sequence[bool] = field(repr=False, compare=False)

    @property
    def invalid_predictions(self) -> int:
        """How many cells have no valid prediction and score as uniform; missing ones are among these."""
        return list(self.valid).count(False)

    @cached_property
    def calibration(self) -> Calibration | None:
        """How far the probabilities are to be trusted; None where it was not asked for."""
        if self.bins is None:
            return None
        return calibrate(self.probabilities, list(self.held_out.values()), bins=self.bins)

    @property
    def signature(self) -> str:
        """What the figures depend on, to be quoted with them."""
        options = {} if self.bins is None else {"bins": self.bins}
        return reports.signature(
            "commonground_brier",
            cells=self.cells,
            gold=self.held_out.content_hash,
            reference=self.reference,
            **options,
        )

    def figures(self) -> dict[str, float]:
        """Give Brier score, reward, skill and accuracy."""
        names = ("brier_score", "probability_reward", "brier_skill_score", "vote_accuracy")
        return {name: getattr(self, name) for name in names}

    def details(self) -> dict[str, Any]:
        """Lay out the figures, the counts and the calibration."""
        return {
            **self.figures(),
            "cells": self.cells,
            "invalid_predictions": self.invalid_predictions,
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
        }

    @property
    def units(self) -> Units:
        """The cells, each with (loss, loss of the reference, match, 1); each is a cluster of its own."""
        import numpy as np  # not at the top: predictions are scored without it

        cells = list(self.held_out)
        columns = (self.losses, self.reference_losses, self.matches, np.ones(self.cells))
        addends = np.stack([np.asarray(column, dtype=float) for column in columns], axis=1)
        return Units(cells, cells, addends, partial(figures_of_sums, largest=np.maximum))


def figures_of_sums(
    losses: Any, reference_losses: Any, matches: Any, cells: Any, *, largest: Callable[[Any, Any], Any] = max
) -> dict[str, Any]:
    """Compute the figures from sums over cells.

    Args:
        losses: The sum of the losses: a number, or an array of many sums.
        reference_losses: That of the reference's losses.
        matches: The number of matches.
        cells: The number of cells.
        largest: Gives the larger of two values: `max` for numbers, `numpy.maximum` for arrays.
    """
    brier = ratio(losses, cells)
    return {
        "brier_score": brier,
        "probability_reward": formulas.reward(brier, cells),
        "brier_skill_score": formulas.skill(brier, ratio(reference_losses, cells), largest),
        "vote_accuracy": ratio(matches, cells),
    }


def score(
    gold: HeldOut | StrPath | Mapping[Any, int],
    predictions: StrPath | Mapping[Any, Any],
    reference: StrPath | Mapping[Any, Any] | None = None,
    *,
    bins: int | None = DEFAULT_BINS,
) -> VoteReport:
    """Score predicted votes.

    Args:
        gold: The held-out votes, from `read_held_out` or `make_held_out`; or their file. A plain mapping of cell id to vote
            will do where the predictions are no plain votes, so that the two cannot be mistaken for each other.
        predictions: A vote or a mapping of class to number by cell id, as for `brier_score`; or a file of these.
        reference: What the skill score measures against: one distribution for all cells, or a prediction for every held-out
            cell, as for `brier_skill_score`, or a file of either; uniform by default.
        bins: The number of reliability bins, from 1 to 1000; None for no calibration.

    Returns:
        The report.

    Raises:
        InputFileError: A file is not as described.
        ValidationError: `gold` is no held-out votes, another argument is not a mapping, `reference` lacks a valid prediction
            for a held-out cell, or `bins` is out of range.

    Example:
        >>> report = score({"p1-s1": 1, "p1-s2": -1}, {"p1-s1": {"agree": 3, "pass": 1}, "p1-s2": "?"})
        >>> report.vote_accuracy, report.invalid_predictions, report.signature
        (0.5, 1, 'commonground_brier|cells:2|gold:5a469cb0|reference:uniform|bins:10|version:0.1.0')
    """
    answers = _values(predictions)
    check_mapping("predictions", answers)
    held_out = _held_out(gold, answers)
    to_beat = None
    if reference is not None:
        by_cell = reference_by_cell(_values(reference), held_out)
        to_beat = [distribution(by_cell.get(cell)) for cell in held_out]
        if None in to_beat:
            faulty = [cell for cell, own in zip(held_out, to_beat, strict=True) if own is None]
            raise ValidationError(
                "Expected `reference` to be one distribution, or to have a valid prediction for every held-out cell; "
                f"{len(faulty)} of {len(held_out)} have none: {some_of(faulty, most=3)}"
            )
    return score_cells(held_out, [distribution(answers.get(cell)) for cell in held_out], to_beat, bins=bins)


def validate_predictions(gold: HeldOut | StrPath, predictions: StrPath | Mapping[Any, Any]) -> int:
    """Check that there is a valid prediction for each held-out vote, and none for another cell.

    `score` takes other predictions as well: it scores a missing one as uniform, and passes one over that is not wanted.

    Args:
        gold: The held-out votes, or their file.
        predictions: The predictions by cell id, or their file.

    Returns:
        The number of predictions.

    Raises:
        InputFileError: A file is not as described.
        ValidationError: Cells have no valid prediction, or are not held out; names them.

    Example:
        >>> validate_predictions(make_held_out({"p1-s1": 1}), {"p1-s1": {"agree": 3}})
        1
    """
    answers = _values(predictions)
    check_mapping("predictions", answers)
    held_out = _held_out(gold, answers)
    lacking = [cell for cell in held_out if distribution(answers.get(cell)) is None]
    unknown = [cell for cell in answers if cell not in held_out]
    problems = [
        f"{len(cells)} {problem}: {some_of(cells)}"
        for cells, problem in (
            (lacking, "cells have no valid prediction"),
            (unknown, "predictions are for unknown cells"),
        )
        if cells
    ]
    if problems:
        source = f"{os.fspath(predictions)}: " if isinstance(predictions, (str, os.PathLike)) else ""
        raise ValidationError(f"{source}{'; '.join(problems)}; give one distribution for each held-out vote")
    return len(answers)


def _values(given: Any) -> Any:
    return read_predictions(given) if isinstance(given, (str, os.PathLike)) else given


def _held_out(gold: Any, predictions: Mapping[Any, Any]) -> HeldOut:
    """Take the gold standard in any of its forms; refuse what may be the predictions in its place."""
    if isinstance(gold, HeldOut):
        return gold
    if not isinstance(gold, Mapping):
        return read_held_out(gold_path(gold, expected=_EXPECTED))
    if predictions and all(as_vote(value) is not None for value in predictions.values()):
        raise ValidationError(
            "Cannot tell which of two mappings is the gold standard where both hold plain votes; gold comes first, as "
            "score(make_held_out(votes), predictions)"
        )
    try:
        return make_held_out(gold)
    except ValidationError as error:
        raise ValidationError(f"{error}; gold comes first: score(held_out, predictions)") from None


def score_cells(
    held_out: HeldOut,
    predicted: Sequence[Distribution | None],
    reference: Sequence[Distribution | None] | None = None,
    *,
    bins: int | None = DEFAULT_BINS,
) -> VoteReport:
    """Score distributions that are already normalised, in the order of the votes; None for an invalid one."""
    votes = list(held_out.values())

    def losses(cells: Sequence[Distribution | None]) -> list[float]:
        return [loss(own, vote) for own, vote in zip(cells, votes, strict=True)]

    return make_report(
        held_out,
        losses=losses(predicted),
        matches=[own is not None and highest_vote(own) == vote for own, vote in zip(predicted, votes, strict=True)],
        probabilities=[own or UNIFORM for own in predicted],
        valid=[own is not None for own in predicted],
        reference_losses=None if reference is None else losses(reference),
        bins=bins,
    )


def make_report(
    held_out: HeldOut,
    *,
    losses: Sequence[float],
    matches: Sequence[bool],
    probabilities: Any,
    valid: Sequence[bool],
    reference_losses: Sequence[float] | None = None,
    bins: int | None = None,
) -> VoteReport:
    """Add up what the cells are worth; the attributes of `VoteReport` tell what is what.

    The sums are correctly rounded, so that the order of the cells and the version of Python change no digit.
    """
    cells = len(held_out)
    to_beat = [UNIFORM_LOSS] * cells if reference_losses is None else reference_losses
    return VoteReport(
        **figures_of_sums(math.fsum(losses), math.fsum(to_beat), sum(matches), cells),
        cells=cells,
        reference="uniform" if reference_losses is None else "given",
        bins=None if bins is None else check_bins(bins),
        held_out=held_out,
        probabilities=probabilities,
        losses=losses,
        reference_losses=to_beat,
        matches=matches,
        valid=valid,
    )
