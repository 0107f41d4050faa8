"""Several processes: bring what each has predicted together, whatever rows each was given.

Samplers deal rows out in their own ways and repeat some to fill the last batch. So predictions travel with the row that
they belong to, and the result is in the order of rows, each of them once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from tricord.errors import ValidationError, some_of
from tricord.inputs.arrays import Array, as_array

__all__ = ["gather_rows"]


def gather_rows(rows: Any, values: Any, *, total: int, group: Any = None) -> Array:
    """Collect the values of all processes in the order of rows.

    Every process of the group calls it and gets the same result. Without a process group (torch is not imported, or
    `init_process_group` was not called) the values of this process are all there is.

    Args:
        rows: k positions in the evaluation set, counted from 0: the rows that this process has seen, in its order.
        values: k predictions of these rows: an array or tensor, on any device, whose first dimension is k.
        total: The number n of rows of the evaluation set.
        group: The process group; the default one where left out.

    Returns:
        n values. Of a row that came more than once, as samplers do to fill the last batch, the first in the order of the
        processes.

    Raises:
        ValidationError: A row is missing or does not exist, or there is not one value a row. All processes raise.

    Example:
        >>> gather_rows([2, 0, 1, 2], [30, 10, 20, 30], total=3).tolist()
        [10, 20, 30]
    """
    parts = _all_gather((as_array("rows", rows), as_array("values", values)), group)
    for rank, (own_rows, own_values) in enumerate(parts):
        if own_rows.ndim != 1 or own_values.ndim == 0 or len(own_rows) != len(own_values):
            raise ValidationError(
                f"Process {rank}: expected one value a row, got rows of shape {own_rows.shape} and values of shape "
                f"{own_values.shape}"
            )
        if own_rows.dtype.kind not in "iu" and len(own_rows):
            raise ValidationError(
                f"Process {rank}: expected rows to be whole numbers, got an array of {own_rows.dtype}"
            )
    # A process without rows has an array of some type that must not decide that of the result.
    parts = [part for part in parts if len(part[0])] or parts[:1]
    all_rows = np.concatenate([own_rows for own_rows, _ in parts]).astype(np.int64)
    first, position = np.unique(all_rows, return_index=True)
    if unknown := first[(first < 0) | (first >= total)].tolist():
        raise ValidationError(f"The rows {some_of(unknown)} do not exist; expected rows from 0 to {total - 1}")
    if len(first) != total:
        missing = np.setdiff1d(np.arange(total), first).tolist()
        raise ValidationError(f"{len(missing)} of {total} rows have no value in any process: {some_of(missing)}")
    return np.asarray(np.concatenate([own_values for _, own_values in parts])[position])


def _all_gather(part: tuple[Array, Array], group: Any) -> Sequence[tuple[Array, Array]]:
    """Give the parts of all processes in the order of their ranks."""
    # Where nobody has imported torch.distributed there is no process group.
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return [part]
    parts: list[Any] = [None] * distributed.get_world_size(group)
    distributed.all_gather_object(parts, part, group=group)
    return parts
