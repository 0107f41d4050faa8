"""Common Ground in the training loop: scores of predicted votes of an evaluation set after each evaluation."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tricord.commonground import matrix
from tricord.commonground.held_out import make_held_out
from tricord.commonground.votes import VOTE_NAMES, VOTES
from tricord.errors import ValidationError
from tricord.inputs.columns import class_order
from tricord.training.arrays import Array, as_class_ids, check_scores, log_softmax
from tricord.training.hooks import BoundMetrics, EvaluationSet, HookTask, bind_sets, column_order, read_ids, read_labels

__all__ = ["commonground_metrics"]

_ID_COLUMN = "cell_id"


def commonground_metrics(evaluation: Any, *, label_names: Any = None) -> BoundMetrics:
    """Make a `compute_metrics` that gives the Common Ground scores of predicted votes.

    Args:
        evaluation: The evaluation set, or a mapping of name to set: a `datasets.Dataset` or a list of rows with a column
            `label` or `labels` (agree, disagree, pass, or class ids) and, where the cells have ids, `cell_id`. Its rows
            must be those of `eval_dataset`, in the same order.
        label_names: `agree`, `disagree` and `pass` in the order of the model's label ids, or its `id2label`. Left out, the
            names of a `ClassLabel` column count, or this order.

    Returns:
        The hook. It takes the softmax of logits, or class ids, and gives `brier_score` (the lower the better: choose the
        best model by another figure, or set `greater_is_better=False`), `probability_reward`, `brier_skill_score` and
        `vote_accuracy`.

    Raises:
        ValidationError: Rows are unusable, or the label names are not the three classes.

    Example:
        >>> compute_metrics = commonground_metrics([{"label": "agree"}, {"label": "pass"}])
        >>> compute_metrics((np.log([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]]), np.array([0, 2])))["vote_accuracy"]
        1.0
    """
    order = class_order(VOTE_NAMES, column_order(evaluation, label_names))
    task = HookTask(
        classes=order,
        bind=partial(_bind, order=order),
        read_ids=_read_ids,
        reduce=partial(_probabilities, order=order),
        averaged=("brier_score", "probability_reward", "brier_skill_score", "vote_accuracy"),
    )
    return bind_sets(task, evaluation)


def _bind(evaluation: Any, source: str, *, order: tuple[str, ...]) -> EvaluationSet:
    gold, _ = read_labels(evaluation, source, order)
    ids = _read_ids(evaluation)
    votes = np.array([VOTES[VOTE_NAMES.index(name)] for name in order])[gold].tolist()
    held_out = make_held_out(dict(zip(ids or range(len(votes)), votes, strict=True)))
    if len(held_out) != len(votes):
        raise ValidationError(f"{source}: {len(votes) - len(held_out)} rows repeat a {_ID_COLUMN}; give each cell one")
    return EvaluationSet(source=source, gold=gold, score=partial(matrix.score, held_out), ids=ids)


def _probabilities(outputs: Array, *, order: tuple[str, ...]) -> Array:
    """Turn logits or class ids into probabilities of agree, disagree and pass, shape (n, 3)."""
    columns = [order.index(name) for name in VOTE_NAMES]
    if outputs.ndim == 1:
        return np.asarray(np.eye(len(order))[as_class_ids(outputs, len(order))][:, columns])
    return np.asarray(np.exp(log_softmax(check_scores(outputs, len(order))))[:, columns])


_read_ids = partial(read_ids, names=[_ID_COLUMN])
