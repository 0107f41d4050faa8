"""The evaluate module of Common Ground: its columns, and how predictions and votes of any usual kind are normalised."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import datasets

from tricord.columns import check_equal_lengths, column_values
from tricord.commonground.scorer import VoteReport, score_cells
from tricord.commonground.scores import Distribution, class_weights, normalised
from tricord.commonground.votes import VOTES, as_number, check_vote, vote_from_name
from tricord.errors import ValidationError, quoted
from tricord.evaluation import TricordMetric

__all__ = ["FEATURES", "CommongroundBrierMetric"]

FEATURES = datasets.Features(
    {
        "predictions": datasets.Sequence(datasets.Value("float64"), length=len(VOTES)),
        "references": datasets.Value("int8"),
    }
)
"""The stored columns: the numbers of agree, disagree and pass, NaN for an invalid prediction; and the actual vote."""

_INVALID: Distribution = (math.nan, math.nan, math.nan)


class CommongroundBrierMetric(TricordMetric):
    """The base of `commonground_brier`: normalises rows and gives `_compute` its report."""

    def _normalise(self, columns: Mapping[str, Any], **_: Any) -> dict[str, list[Any]]:
        predictions = prediction_rows(columns["predictions"])
        references = column_values("references", columns["references"])
        check_equal_lengths({"predictions": predictions, "references": references})
        return {
            # Stored as they are, so that they are normalised once, as in the library.
            "predictions": [list(_weights(prediction)) for prediction in predictions],
            "references": [
                check_vote(vote_from_name(vote), f"references[{row}]") for row, vote in enumerate(references)
            ],
        }

    @staticmethod
    def report(
        predictions: Sequence[Sequence[float]], references: Sequence[int], reference: Any = None, *, bins: int | None
    ) -> VoteReport:
        """Score stored rows.

        Args:
            predictions: n rows of three numbers.
            references: n actual votes.
            reference: One prediction for all rows, which the skill score measures against; uniform by default.
            bins: The number of reliability bins; None for no calibration.

        Raises:
            ValidationError: `reference` is no distribution, or `bins` is out of range.
        """
        to_beat = None
        if reference is not None:
            base_rates = normalised(_weights(reference))
            if base_rates is None:
                raise ValidationError(
                    f"Expected `reference` to be one distribution over agree, disagree, pass, got {quoted(reference)}"
                )
            to_beat = [base_rates] * len(references)
        return score_cells([normalised(row) for row in predictions], references, to_beat, bins=bins)


def prediction_rows(predictions: Any) -> list[Any]:
    """Turn predictions into one value a row.

    Args:
        predictions: An array of shape (n, 3), or a column of predictions.

    Raises:
        ValidationError: An array has another shape, or `predictions` is no column.

    Example:
        >>> prediction_rows(({"agree": 1}, -1))
        [{'agree': 1}, -1]
    """
    if getattr(predictions, "ndim", 1) == 1:
        return column_values("predictions", predictions)
    shape = tuple(predictions.shape)
    if shape[1:] != (len(VOTES),):
        raise ValidationError(f"Expected `predictions` to have shape (n, 3): agree, disagree, pass; got {shape}")
    return list(predictions.tolist())


def _weights(prediction: Any) -> Distribution:
    """Read one prediction: a mapping, a vote or its name, or the three numbers of agree, disagree and pass."""
    values = prediction.tolist() if hasattr(prediction, "tolist") else prediction
    if isinstance(values, (list, tuple)):
        return tuple(map(as_number, values)) if len(values) == len(VOTES) else _INVALID  # type: ignore[return-value]
    return class_weights(vote_from_name(values)) or _INVALID
