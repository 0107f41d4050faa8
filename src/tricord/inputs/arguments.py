"""Arguments of public functions that more than one task takes: what is acceptable, and one form of message where it is not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tricord.errors import ValidationError, quoted
from tricord.inputs.columns import integer

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["gold_path", "whole_number"]


def gold_path(gold: Any, *, expected: str) -> StrPath:
    """Accept the path of a gold file where a gold standard is wanted that was not read before.

    Args:
        gold: What the caller gave.
        expected: What else would do, and how it is made.

    Raises:
        ValidationError: It is no path; says what it is and that gold comes before predictions.

    Example:
        >>> gold_path("gold.csv", expected="a Reference")
        'gold.csv'
    """
    if isinstance(gold, (str, os.PathLike)):
        return gold
    raise ValidationError(
        f"Expected `gold` to be {expected}, or the path of a gold file, got {type(gold).__name__} {quoted(gold)}; gold comes "
        "first: score(gold, predictions)"
    )


def whole_number(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """Accept a whole number of any library.

    Args:
        name: What the argument is called.
        value: What the caller gave.
        least: The smallest number accepted.
        most: The largest number accepted; None for no limit.

    Raises:
        ValidationError: It is none, a truth value, or out of range.

    Example:
        >>> whole_number("bins", 10, least=1, most=1000)
        10
    """
    number = integer(value)
    if number is None or number < least or (most is not None and number > most):
        upper = "" if most is None else f" to {most}"
        raise ValidationError(f"Expected `{name}` to be a whole number from {least}{upper}, got {quoted(value)}")
    return number
