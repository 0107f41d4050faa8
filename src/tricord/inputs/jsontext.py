"""JSON as untrusted input: everything that Python's parser lets through or chokes on becomes a message."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from tricord.errors import InputFileError, quoted
from tricord.inputs.text import open_text

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["parse_json", "read_json", "read_lines"]

MAX_BYTES = 64 << 20
MAX_LINES_BYTES = 8 << 30
MAX_LINE_CHARACTERS = 16 << 20

_BLOCK_CHARACTERS = 1 << 16


class _RejectedError(ValueError):
    """Raised inside the parser's hooks; becomes an `InputFileError` that names the place."""


def parse_json(text: str, where: str, *, non_finite: bool = False, repeated_keys: bool = False) -> Any:
    """Parse one JSON value strictly: no repeated keys, no NaN or infinity unless allowed, no excessive nesting.

    Args:
        text: The JSON text.
        where: The file, and the line where there is more than one value, for messages.
        non_finite: Whether to let NaN, Infinity and -Infinity through, which Python writes although JSON has none; numbers
            too large for Python are infinite then.
        repeated_keys: Whether a key may stand twice in one object; the last one counts.

    Returns:
        The value.

    Raises:
        InputFileError: The text is not acceptable; names the place and the fault.

    Example:
        >>> parse_json('{"id": 1}', "claims.jsonl: line 1")
        {'id': 1}
    """
    try:
        decoder = _NON_FINITE_DECODER if non_finite else _REPEATED_KEYS_DECODER if repeated_keys else _DECODER
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise InputFileError(f"{where}: not valid JSON at {place}: {error.msg}") from None
    except _RejectedError as error:
        raise InputFileError(f"{where}: {error}") from None
    except RecursionError:
        raise InputFileError(f"{where}: the JSON is nested too deeply") from None
    except ValueError as error:
        # The strict parser hands whole numbers to int(), which refuses thousands of digits.
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


def read_lines(path: StrPath, *, max_bytes: int = MAX_LINES_BYTES) -> Iterator[tuple[int, list[str]]]:
    """Read a JSON Lines file in blocks of lines, so that its size does not matter.

    Args:
        path: The file.
        max_bytes: The largest size accepted, in bytes.

    Yields:
        The number of the first line of a block, counted from 1, and the lines, which are not parsed.

    Raises:
        InputFileError: The file cannot be read, or a line is longer than 16 Mi characters; names the line.
    """
    with open_text(path, max_bytes=max_bytes) as stream:
        yield from _line_blocks(path, stream)


def _line_blocks(path: StrPath, stream: TextIO) -> Iterator[tuple[int, list[str]]]:
    """Split a text at line feeds, block by block: an endless line is refused before it fills the memory."""
    number = 1
    unfinished: list[str] = []  # the pieces of a line whose end has not been seen
    size = 0
    while block := stream.read(_BLOCK_CHARACTERS):
        first, line_feed, rest = block.partition("\n")
        size += len(first)
        if size > MAX_LINE_CHARACTERS:
            raise InputFileError(
                f"{path}: line {number}: is longer than {MAX_LINE_CHARACTERS:,} characters; "
                "expected one JSON object a line"
            )
        unfinished.append(first)
        if line_feed:
            *lines, tail = rest.split("\n")
            yield number, ["".join(unfinished), *lines]
            number += 1 + len(lines)
            unfinished, size = [tail], len(tail)
    if size:
        yield number, ["".join(unfinished)]


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


def _lenient_int(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:  # thousands of digits
        return float(text)


def _constant(name: str) -> NoReturn:
    raise _RejectedError(f"{name} is not a JSON number; expected a finite number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
_REPEATED_KEYS_DECODER = json.JSONDecoder(parse_constant=_constant, parse_float=_float)
_NON_FINITE_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_lenient_int)
