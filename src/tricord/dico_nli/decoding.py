"""Reversal-aware decoding for DiCo-NLI: one decision for both directions of a pair, from the scores of both.

A pair read backwards is the same question with FORWARD_ENTAILMENT and BACKWARD_ENTAILMENT exchanged. So the
log-probabilities of an instance and of its reversed twin can be averaged before the arg max, and the two labels then
fit together by construction. This is a decoding choice: it changes SoftCons and HardCons without changing the model, and a
system description must state it, with the bias and whether all rows of a pair were averaged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from tricord.dico_nli.instance_ids import infer_reverse_pair_ids, is_reversed
from tricord.dico_nli.labels import LABELS, REVERSE_LABEL, LabelNames, label_order
from tricord.dico_nli.validation import by_unique_id, id_values
from tricord.errors import ValidationError, quoted
from tricord.inputs.arrays import Array, as_array
from tricord.inputs.columns import check_equal_lengths
from tricord.training.arrays import check_scores, log_softmax

__all__ = ["Decoding", "reversal_aware_labels"]


@dataclass(frozen=True)
class Decoding:
    """How labels are chosen from the scores of the rows that hold one pair; to be stated in a system description.

    Attributes:
        by_pair: Whether all rows of a `pair_id` are averaged (up to 12 in the mixed track), instead of a row and its twin.
        negative_bias: What is added to the mean log-probability of NEGATIVE_OTHER, which has no reverse and gains nothing
            from averaging; 0.0 for no bias.
    """

    by_pair: bool = False
    negative_bias: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.negative_bias, bool) or not (
            isinstance(self.negative_bias, Real) and math.isfinite(self.negative_bias)
        ):
            raise ValidationError(f"Expected `negative_bias` to be a finite number, got {quoted(self.negative_bias)}")

    def bind(
        self, instance_ids: Any, pair_ids: Any = None, *, label_names: LabelNames | None = None
    ) -> Callable[[Any], Array]:
        """Make a function that chooses labels for the scores of these rows, any number of times.

        Args:
            instance_ids: n ids.
            pair_ids: n ids of source pairs, needed where `by_pair`.
            label_names: The labels in the order of the columns of the scores.

        Returns:
            A function of scores of shape (n, 4) that returns n label ids in the order of `label_names`.

        Raises:
            ValidationError: The ids do not tell which rows belong together.
        """
        ids = id_values("instance_ids", instance_ids)
        row_of = by_unique_id(ids, range(len(ids)), "instance_ids")
        groups, reversed_rows = _pair_rows(ids, pair_ids) if self.by_pair else _twin_rows(row_of)
        order = label_order(label_names)
        reverse = np.array([order.index(REVERSE_LABEL.get(label, label)) for label in order])
        bias = np.where(np.array(order) == LABELS[-1], self.negative_bias, 0.0)

        def choose(scores: Any) -> Array:
            own = log_softmax(check_scores(as_array("scores", scores), len(LABELS)))
            check_equal_lengths({"scores": own, "instance_ids": ids})
            # Every row as seen in the direction that is not reversed.
            aligned = np.where(reversed_rows[:, None], own[:, reverse], own)
            means = _group_means(aligned, groups)
            labels = (means + bias).argmax(axis=1)[groups]
            return np.asarray(np.where(reversed_rows, reverse[labels], labels))

        return choose


def reversal_aware_labels(
    scores: Any,
    instance_ids: Any,
    pair_ids: Any = None,
    *,
    by_pair: bool = False,
    negative_bias: float = 0.0,
    label_names: LabelNames | None = None,
) -> Array:
    """Choose labels from the scores of both directions of each pair.

    Whether a row has a twin at all plays no part in the decision: a row without one keeps its own scores.

    Args:
        scores: Logits or log-probabilities of n rows, shape (n, 4).
        instance_ids: n ids, `<pair_id>__<lang1>-<lang2>__<direction>`.
        pair_ids: n ids of source pairs, needed where `by_pair`.
        by_pair: Whether to average over all rows of a `pair_id` instead of a row and its twin.
        negative_bias: What is added to the mean log-probability of NEGATIVE_OTHER.
        label_names: The labels in the order of the columns; `dico_nli.LABELS` by default.

    Returns:
        n label ids in the order of `label_names`.

    Raises:
        ValidationError: The scores have another shape or hold NaN, or the ids do not tell which rows belong together.

    Example:
        >>> scores = [[0.0, 2.0, 1.0, 0.0], [0.0, 1.5, 1.4, 0.0]]
        >>> ids = ["p1__en-en__original", "p1__en-en__flipped"]
        >>> reversal_aware_labels(scores, ids).tolist()  # alone, the second row would be 1 as well
        [1, 2]
    """
    return Decoding(by_pair, negative_bias).bind(instance_ids, pair_ids, label_names=label_names)(scores)


def _twin_rows(row_of: Mapping[str, int]) -> tuple[Array, Array]:
    """Number the groups of a row and its twin, and tell which rows are read reversed: the second of each group."""
    groups, reversed_rows = np.arange(len(row_of)), np.zeros(len(row_of), dtype=bool)
    for row, link in enumerate(infer_reverse_pair_ids(list(row_of), allow_unpaired=True)):
        if link and (twin := row_of[link]) < row:
            groups[row], reversed_rows[row] = twin, True
    return groups, reversed_rows


def _pair_rows(instance_ids: Sequence[str], pair_ids: Any) -> tuple[Array, Array]:
    """Number the groups of rows of one source pair, and tell which rows are read reversed by their ids."""
    if pair_ids is None:
        raise ValidationError("Expected `pair_ids`, one a row, to average over all rows of a pair (by_pair)")
    pairs = id_values("pair_ids", pair_ids)
    check_equal_lengths({"pair_ids": pairs, "instance_ids": instance_ids})
    number_of = {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}
    return np.array([number_of[pair] for pair in pairs]), np.array([is_reversed(name) for name in instance_ids])


def _group_means(values: Array, groups: Array) -> Array:
    """Average the rows of each group; rows of numbers that are no group stay 0."""
    counts = np.bincount(groups)
    sums = np.stack([np.bincount(groups, weights=column) for column in values.T], axis=1)
    return np.asarray(sums / np.maximum(counts, 1)[:, None])
