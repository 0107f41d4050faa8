"""The errors that tricord raises on purpose.

All of them are `ValueError`s, so a caller that knows nothing of tricord still catches them as the bad input that they
are. The message always says what was found, where, and what to change.

    TricordError
    ├── InputFileError     a file cannot be read as what it should be (names the file and, where there is one, the line)
    ├── ValidationError    values are readable but break a rule of the task (names the row, the id or the argument)
    └── OutputError        a result cannot be written (names the target; nothing was left half-written)
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["InputFileError", "OutputError", "TricordError", "ValidationError", "on_one_line", "quoted", "some_of"]

_LONGEST_VALUE = 80


class TricordError(ValueError):
    """Base class of every error that tricord raises on purpose."""


class InputFileError(TricordError):
    """A file is missing, unreadable, too large, or not in the expected format."""


class ValidationError(TricordError):
    """Values break a rule of the task: an unknown label, a duplicate id, columns of unequal length."""


class OutputError(TricordError):
    """A result file cannot be written."""


def on_one_line(text: str) -> str:
    r"""Escape whatever would break a line or steer the terminal that a message is shown on.

    Example:
        >>> on_one_line("a\nb")
        'a\\nb'
    """
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def quoted(value: object) -> str:
    """Show a value in an error message: its `repr`, on one line and shortened in the middle where it is long.

    Example:
        >>> quoted("NEUTRAL")
        "'NEUTRAL'"
        >>> len(quoted("x" * 1_000_000))
        80
    """
    try:
        # A long text is cut before it is escaped, so that the message costs nothing however large the input was.
        text = repr(value[: 2 * _LONGEST_VALUE]) if isinstance(value, str) else repr(value)
    except Exception:
        # Whole numbers of thousands of digits have no repr, nor have lists nested thousands of levels deep; and that of an
        # object that is not ours may raise anything.
        text = f"a value of type {type(value).__name__} that cannot be shown"
    text = on_one_line(text)
    if len(text) > _LONGEST_VALUE:
        half = (_LONGEST_VALUE - 3) // 2
        text = f"{text[: _LONGEST_VALUE - 3 - half]}...{text[-half:]}"
    return text


def some_of(values: Iterable[object], *, most: int = 10) -> str:
    """List the first values of a collection in an error message, and say how many more there are.

    Example:
        >>> some_of(["a", "b", "c"], most=2)
        "'a', 'b' and 1 more"
    """
    listed = list(values)
    text = ", ".join(quoted(value) for value in listed[:most])
    return f"{text} and {len(listed) - most} more" if len(listed) > most else text
