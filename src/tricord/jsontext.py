"""JSON as untrusted input: everything that Python's parser lets through or chokes on becomes a message."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NoReturn

from tricord.errors import InputFileError, quoted
from tricord.files import open_text

if TYPE_CHECKING:
    from tricord.files import StrPath

__all__ = ["parse_json", "read_json"]

MAX_BYTES = 64 << 20


class _RejectedError(ValueError):
    """Raised inside the parser's hooks; becomes an `InputFileError` that names the place."""


def parse_json(text: str, where: str, *, non_finite: bool = False) -> Any:
    """Parse one JSON value strictly: no repeated keys, no NaN or infinity unless allowed, no excessive nesting.

    Args:
        text: The JSON text.
        where: The file, and the line where there is more than one value, for messages.
        non_finite: Whether to let NaN, Infinity and -Infinity through, which Python writes although JSON has none.

    Returns:
        The value.

    Raises:
        InputFileError: The text is not acceptable; names the place and the fault.

    Example:
        >>> parse_json('{"id": 1}', "claims.jsonl: line 1")
        {'id': 1}
    """
    try:
        return (_LENIENT_DECODER if non_finite else _DECODER).decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise InputFileError(f"{where}: not valid JSON at {place}: {error.msg}") from None
    except _RejectedError as error:
        raise InputFileError(f"{where}: {error}") from None
    except RecursionError:
        raise InputFileError(f"{where}: the JSON is nested too deeply") from None
    except ValueError as error:
        # The parser hands whole numbers to int(), which refuses thousands of digits.
        raise InputFileError(f"{where}: not valid JSON: {error}") from None


def read_json(path: StrPath, *, max_bytes: int = MAX_BYTES, non_finite: bool = False) -> Any:
    """Read a file that holds one JSON value.

    Args:
        path: The file.
        max_bytes: The largest size accepted, in bytes.
        non_finite: Whether to let NaN, Infinity and -Infinity through.

    Returns:
        The value.

    Raises:
        InputFileError: The file cannot be read, or `parse_json` rejects its text.
    """
    with open_text(path, max_bytes=max_bytes) as text:
        return parse_json(text.read(), str(path), non_finite=non_finite)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        repeated = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise _RejectedError(f"the key {quoted(repeated)} stands twice in one object")
    return result


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _RejectedError(f"{quoted(text)} is too large for a number; expected a finite number")
    return value


def _constant(name: str) -> NoReturn:
    raise _RejectedError(f"{name} is not a JSON number; expected a finite number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
_LENIENT_DECODER = json.JSONDecoder(object_pairs_hook=_object)
