"""The evaluate module of Common Ground: its columns, and how predictions and votes of any usual kind are normalised."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import datasets

from tricord.commonground.calibration import DEFAULT_BINS
from tricord.commonground.held_out import make_held_out
from tricord.commonground.scorer import VoteReport, score_cells
from tricord.commonground.scores import Distribution, check_reference, class_weights, normalised
from tricord.commonground.votes import VOTE_NAMES, VOTES, as_number, check_vote, vote_from_name
from tricord.errors import ValidationError, some_of
from tricord.inputs.columns import check_equal_lengths, column_values
from tricord.modules.base import TricordMetric

__all__ = ["FEATURES", "CommongroundBrierMetric"]

FEATURES = datasets.Features(
    {
        "predictions": datasets.Sequence(datasets.Value("float64"), length=len(VOTES)),
        "references": datasets.Value("int8"),
    }
)
"""The stored columns: the numbers of agree, disagree and pass, NaN for an invalid prediction; and the actual vote."""

# What `dataset["name"]` gives; a list before datasets 4.
_STORED_COLUMNS: tuple[Any, ...] = (datasets.Column,) if hasattr(datasets, "Column") else ()

_INVALID: Distribution = (math.nan, math.nan, math.nan)


class CommongroundBrierMetric(TricordMetric):
    """The base of `commonground_brier`: normalises rows and scores them."""

    stored: ClassVar[datasets.Features] = FEATURES
    # Where the output of a model cannot be read, None stands for its prediction.
    none_is_a_value: ClassVar[tuple[str, ...]] = ("predictions",)

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

    def _report(
        self,
        predictions: Sequence[Sequence[float]],
        references: Sequence[int],
        *,
        reference: Any = None,
        bins: int = DEFAULT_BINS,
    ) -> VoteReport:
        to_beat = None
        if reference is not None:
            base_rates = normalised(_weights(reference))
            check_reference(reference, base_rates is not None)
            to_beat = [base_rates] * len(references)
        # The rows have no ids: cells are counted.
        held_out = make_held_out(dict(enumerate(references)))
        return score_cells(held_out, [normalised(row) for row in predictions], to_beat, bins=bins)


def prediction_rows(predictions: Any) -> list[Any]:
    """Turn predictions into one value a row.

    Args:
        predictions: An array of shape (n, 3), a data frame with the columns agree, disagree and pass, or a column of
            predictions. In the mappings of a `datasets` column None stands for a class that the mapping did not name.

    Raises:
        ValidationError: An array or a data frame has another shape, or `predictions` is no column.

    Example:
        >>> prediction_rows(({"agree": 1}, -1))
        [{'agree': 1}, -1]
    """
    if isinstance(predictions, _STORED_COLUMNS):
        return [_without_fill(row) for row in predictions]
    if getattr(predictions, "ndim", 1) == 1:
        return column_values("predictions", predictions)
    if hasattr(predictions, "to_numpy"):
        # By name, whatever the order; nameless columns could be meant in any order.
        if set(predictions.columns) != set(VOTE_NAMES):
            raise ValidationError(
                f"Expected the data frame `predictions` to have the columns {', '.join(VOTE_NAMES)}, got "
                f"{some_of(predictions.columns)}"
            )
        predictions = predictions[list(VOTE_NAMES)].to_numpy()
    shape = tuple(predictions.shape)
    if shape[1:] != (len(VOTES),):
        raise ValidationError(f"Expected `predictions` to have shape (n, 3): agree, disagree, pass; got {shape}")
    return list(predictions.tolist())


def _without_fill(row: Any) -> Any:
    """Take out what storage put in: a stored mapping has every key of every row, None where its own row has none."""
    if isinstance(row, Mapping):
        return {key: value for key, value in row.items() if value is not None}
    return row


def _weights(prediction: Any) -> Distribution:
    """Read one prediction: a mapping, a vote or its name, or the three numbers of agree, disagree and pass."""
    values = prediction.tolist() if hasattr(prediction, "tolist") else prediction
    if isinstance(values, (list, tuple)):
        return tuple(map(as_number, values)) if len(values) == len(VOTES) else _INVALID  # type: ignore[return-value]
    return class_weights(vote_from_name(values)) or _INVALID
