"""Columns as users hold them: lists, tuples, numpy arrays, torch tensors, pandas series, `datasets` columns.

Nothing here imports those libraries; they are recognised by what they can do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sized
from typing import Any

from tricord.errors import ValidationError, quoted

__all__ = ["are_ids", "check_equal_lengths", "column_values", "is_missing"]


def column_values(name: str, column: Any) -> list[Any]:
    """Turn a column of any usual kind into a list of plain Python values.

    Args:
        name: What the column is called in messages.
        column: A one-dimensional sequence or array, of length n.

    Returns:
        A list of length n.

    Raises:
        ValidationError: The column is missing, has more than one dimension, or is no column at all.

    Example:
        >>> column_values("predictions", (0, 3))
        [0, 3]
    """
    if column is None:
        raise ValidationError(f"Expected `{name}` to be a column of values, got None")
    dimensions = getattr(column, "ndim", 1)
    if dimensions != 1:
        shape = tuple(getattr(column, "shape", ()))
        hint = "; take the arg max over the last axis first" if dimensions == 2 else ""
        raise ValidationError(f"Expected `{name}` to have one dimension, got shape {shape}{hint}")
    # A set has no order that could be that of the rows.
    if isinstance(column, (str, bytes, Mapping, set, frozenset)) or not isinstance(column, Iterable):
        raise ValidationError(f"Expected `{name}` to be a column of values, got {quoted(column)}")
    dtype = getattr(column, "dtype", None)
    if getattr(dtype, "kind", "") in ("m", "M"):  # as a list they would pass for whole numbers
        raise ValidationError(f"Expected `{name}` to be a column of values, got times of dtype {dtype}")
    if hasattr(column, "tolist"):
        return list(column.tolist())
    return list(column)


def check_equal_lengths(columns: Mapping[str, Sized]) -> int:
    """Check that columns have one length and return it.

    Raises:
        ValidationError: The lengths differ; the message gives each of them.

    Example:
        >>> check_equal_lengths({"predictions": [0, 1], "references": [0, 1]})
        2
    """
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"`{name}` has {length}" for name, length in lengths.items())
        raise ValidationError(f"Expected one value a row in every column, got unequal lengths: {found}")
    return next(iter(lengths.values()), 0)


def is_missing(value: Any) -> bool:
    """Tell whether a cell is empty in any of the ways that files, pandas and `datasets` write it: "", None, NaN or NA.

    Example:
        >>> [is_missing(value) for value in ("", None, float("nan"), "x", 0)]
        [True, True, True, False, False]
    """
    if value is None or isinstance(value, str):
        return not (value and value.strip())
    try:
        return bool(value != value)  # of all values only NaN differs from itself, in every library
    except TypeError:
        return True  # pandas' NA refuses to be compared
    except ValueError:
        return False  # an array has no single truth value


def are_ids(values: Collection[str], *, may_be_empty: bool = False) -> bool:
    """Tell in one look whether all strings of a column are free of white space and, unless allowed, not empty.

    Example:
        >>> are_ids(["a", "b"]), are_ids(["a", " b"]), are_ids(["a", ""]), are_ids(["a", ""], may_be_empty=True)
        (True, False, False, True)
    """
    joined = "".join(values)
    return (joined == "" or joined.split() == [joined]) and (may_be_empty or "" not in values)
