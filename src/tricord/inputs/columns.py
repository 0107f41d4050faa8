"""Columns as users hold them: lists, tuples, numpy arrays, torch tensors, pandas series, `datasets` columns.

Nothing here imports those libraries; they are recognised by what they can do.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from typing import Any

from tricord.errors import ValidationError, quoted

__all__ = ["are_ids", "check_equal_lengths", "class_order", "column_values", "integer", "is_missing"]


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


def class_order(classes: Sequence[str], label_names: Sequence[str] | Mapping[Any, str] | None) -> tuple[str, ...]:
    """Read the classes of a task in the order of their ids, as a model's configuration gives them.

    Args:
        classes: The classes in the task's own order.
        label_names: The same by id: a sequence, an `id2label` mapping (ids as numbers or their strings), or None for the
            task's own order.

    Returns:
        The classes; the position is the id.

    Raises:
        ValidationError: They are not the classes, each exactly once.

    Example:
        >>> class_order(("no", "yes"), {0: "yes", 1: "no"})
        ('yes', 'no')
    """
    if label_names is None:
        return tuple(classes)
    found: Any = label_names
    if isinstance(label_names, Mapping):
        by_id = {str(key): name for key, name in label_names.items()}
        found = [by_id.get(str(index)) for index in range(max(len(classes), len(by_id)))]
    names = tuple(name.strip() if isinstance(name, str) else name for name in found) if _is_listing(found) else ()
    if len(names) != len(classes) or set(map(repr, names)) != set(map(repr, classes)):
        raise ValidationError(
            f"Expected `label_names` to give each of {', '.join(classes)} once, in the order of the ids, got "
            f"{quoted(label_names)}"
        )
    return names


def _is_listing(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, set, frozenset))


def integer(value: Any) -> int | None:
    """Take a whole number of any library (int, numpy, torch) as an `int`; None for truth values, floats and text.

    Example:
        >>> [integer(value) for value in (3, True, 3.0, "3")]
        [3, None, None, None]
    """
    if isinstance(value, bool) or getattr(value, "dtype", None) in ("bool", bool):
        return None
    try:
        return operator.index(value)
    except (TypeError, ValueError):
        return None


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
