"""What a training loop hands over, as plain numpy arrays: tensors, tuples of outputs, lists of batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tricord.errors import ValidationError, quoted
from tricord.inputs.arrays import Array, as_array
from tricord.inputs.columns import column_values

__all__ = ["Array", "as_class_ids", "check_scores", "class_ids", "first_output", "log_softmax"]


def first_output(value: Any) -> Array:
    """Take the first of several outputs, which is that of the classifier; join a list of batches.

    Args:
        value: The predictions or label ids of an `EvalPrediction`: an array, a tuple of arrays, or a list of these, one
            for each batch (`eval_do_concat_batches=False`).

    Returns:
        One array, with a row for each instance.

    Example:
        >>> first_output([(np.array([1, 2]), "hidden states"), (np.array([3]), "hidden states")]).tolist()
        [1, 2, 3]
    """
    if isinstance(value, tuple) and value:
        return first_output(value[0])
    if isinstance(value, list) and value and (isinstance(value[0], tuple) or getattr(value[0], "ndim", 0) > 0):
        return np.concatenate([first_output(batch) for batch in value])
    return as_array("predictions", value)


def check_scores(scores: Array, classes: int) -> Array:
    """Check that scores have one column a class and are numbers.

    Args:
        scores: Logits or log-probabilities, shape (n, classes).
        classes: The number of classes.

    Returns:
        The scores.

    Raises:
        ValidationError: The shape is another, or a score is NaN; names the row.
    """
    if scores.ndim != 2 or scores.shape[1] != classes:
        raise ValidationError(
            f"Expected the scores to have shape (rows, {classes}), one column a label, got {scores.shape}; set num_labels"
            f"={classes} in the model's configuration"
        )
    if np.isnan(scores).any():
        row = int(np.isnan(scores).any(axis=1).argmax())
        raise ValidationError(f"The scores of row {row} hold NaN, so they choose no label: {scores[row].tolist()}")
    return scores


def as_class_ids(outputs: Array, classes: int) -> Array:
    """Turn the outputs of a classifier into class ids.

    Args:
        outputs: Scores of shape (n, classes), or class ids of shape (n,) where the arg max was taken before
            (`preprocess_logits_for_metrics`).
        classes: The number of classes.

    Returns:
        n class ids in [0, classes).

    Raises:
        ValidationError: The outputs have another shape or type, or an id is out of range.

    Example:
        >>> as_class_ids(np.array([[0.1, 0.7], [0.4, 0.2]]), 2).tolist()
        [1, 0]
    """
    if outputs.ndim != 1:
        return np.asarray(check_scores(outputs, classes).argmax(axis=1))
    if outputs.dtype.kind not in "iu":
        raise ValidationError(f"Expected class ids to be whole numbers, got an array of {outputs.dtype}")
    wrong = (outputs < 0) | (outputs >= classes)
    if wrong.any():
        row = int(wrong.argmax())
        raise ValidationError(f"Expected class ids from 0 to {classes - 1}, got {outputs[row]} in row {row}")
    return outputs


def log_softmax(scores: Array) -> Array:
    """Turn scores into log-probabilities, which log-probabilities already are.

    Args:
        scores: Logits, shape (n, classes).

    Returns:
        The same shape, in double precision.

    Raises:
        ValidationError: A score is infinite, or all of a row are minus infinity; names the row.

    Example:
        >>> np.exp(log_softmax(np.array([[1.0, 1.0]]))).tolist()
        [[0.5, 0.5]]
    """
    highest = scores.max(axis=1, keepdims=True).astype(np.float64)
    if not np.isfinite(highest).all():
        row = int((~np.isfinite(highest)).argmax())
        raise ValidationError(f"Expected finite scores, got {scores[row].tolist()} in row {row}")
    shifted = scores - highest
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def class_ids(name: str, values: Any, classes: Sequence[str]) -> Array:
    """Turn a column of class names or class ids into class ids.

    Args:
        name: What the column is called in messages.
        values: n names, or n ids in the order of `classes`.
        classes: The names by id.

    Returns:
        n class ids.

    Raises:
        ValidationError: A value is neither a name nor an id; names the row.

    Example:
        >>> class_ids("label", ["pass", "agree"], ("agree", "disagree", "pass")).tolist()
        [2, 0]
    """
    column = column_values(name, values)
    id_of = {known: number for number, known in enumerate(classes)}
    for row, value in enumerate(column):
        if value not in classes and (type(value) is not int or not 0 <= value < len(classes)):
            raise ValidationError(
                f"Expected `{name}` to hold {', '.join(classes)} or their ids 0 to {len(classes) - 1}, got {quoted(value)} "
                f"in row {row}"
            )
    return np.array([id_of.get(value, value) for value in column], dtype=np.int64)
