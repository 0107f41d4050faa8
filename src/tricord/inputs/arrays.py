"""Arrays as users hold them: numpy arrays, tensors on any device and of any type, nested lists. Imports numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tricord.errors import ValidationError, quoted

__all__ = ["Array", "as_array"]

Array = npt.NDArray[Any]


def as_array(name: str, value: Any) -> Array:
    """Turn an array, a tensor or a nested list into a numpy array.

    Args:
        name: What it is called in messages.
        value: The values.

    Raises:
        ValidationError: Its rows have unequal lengths.

    Example:
        >>> as_array("scores", [[0.5, 1.5]]).shape
        (1, 2)
    """
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        # numpy has no bfloat16.
        value = (value.float() if str(value.dtype) == "torch.bfloat16" else value).numpy()
    try:
        return np.asarray(value)
    except ValueError:
        raise ValidationError(
            f"Expected `{name}` to be an array, got rows of unequal length: {quoted(value)}"
        ) from None
