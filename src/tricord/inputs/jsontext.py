"""JSON as untrusted input: everything that Python's parser lets through or chokes on becomes a message."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from tricord.errors import InputFileError, quoted
from tricord.inputs.text import open_text

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["JsonLines", "parse_json", "read_json", "read_json_lines"]

MAX_BYTES = 64 << 20
MAX_LINES_BYTES = 8 << 30
MAX_LINE_CHARACTERS = 16 << 20

_BLOCK_CHARACTERS = 1 << 13


class _RejectedError(ValueError):
    """Raised inside the parser's hooks; becomes an `InputFileError` that names the place."""


def parse_json(text: str, where: str, *, non_finite: bool = False) -> Any:
    """Parse one JSON value strictly: no repeated keys, no NaN or infinity unless allowed, no excessive nesting.

    Args:
        text: The JSON text.
        where: The file, and the line where there is more than one value, for messages.
        non_finite: Whether to let NaN, Infinity and -Infinity through, which Python writes although JSON has none; numbers
            too large for Python are infinite then.

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


@dataclass(frozen=True)
class JsonLines:
    """Some lines of a JSON Lines file and their values, parsed strictly but for one thing: keys may be repeated.

    To notice a repeated key while parsing costs as much as the parsing itself. Who walks through the values anyway can
    count their keys and so prove that there is none (`have_only`); everyone else asks for `strict`.

    Attributes:
        path: The file.
        numbers: The numbers of the lines, counted from 1.
        values: Their values.
        lines: Their texts.
    """

    path: StrPath
    numbers: Sequence[int]
    values: list[Any]
    lines: Sequence[str]

    def have_only(self, keys: int) -> bool:
        """Tell whether it is certain that the texts hold no more keys than the values, so that none is repeated.

        Args:
            keys: The number of keys in the values, objects within objects included.
        """
        text = "\n".join(self.lines)
        # Each key is followed by a colon, and unless there is white space between, by `":`. The values may hold those too,
        # so both counts are upper bounds. The second is closer, the first is quicker and nearly always good enough.
        if text.count(":") == keys:
            return True
        spaced = " :" in text or "\t:" in text or "\r:" in text
        return not spaced and text.count('":') == keys

    def strict(self) -> Iterator[Any]:
        """Parse the lines again with `parse_json`, one by one, so that of several faults the first is named.

        Raises:
            InputFileError: A key is repeated; names the line.
        """
        for number, line in zip(self.numbers, self.lines, strict=True):
            yield parse_json(line, f"{self.path}: line {number}")


def read_json_lines(path: StrPath, *, max_bytes: int = MAX_LINES_BYTES) -> Iterator[JsonLines]:
    """Read a file that holds one JSON value a line, in blocks of lines, so that its size does not matter.

    Args:
        path: The file. Blank lines are passed over.
        max_bytes: The largest size accepted, in bytes.

    Yields:
        The blocks.

    Raises:
        InputFileError: The file cannot be read, a line is longer than 16 Mi characters, or `parse_json` rejects it (but
            see `JsonLines`); names the line.
    """
    # `raw_decode` is `decode` without the two searches for white space, which cost as much as a small object.
    decode = json.JSONDecoder(parse_constant=_constant, parse_float=_float).raw_decode
    with open_text(path, max_bytes=max_bytes) as stream:
        for first, lines in _line_blocks(path, stream):
            numbers: Sequence[int] = range(first, first + len(lines))
            try:
                parsed = [decode(line) for line in lines]
            except (ValueError, RecursionError):
                parsed = []
            if [end for _, end in parsed] == list(map(len, lines)):
                yield JsonLines(path, numbers, [value for value, _ in parsed], lines)
            else:
                # White space around a value, a blank line, or a fault, which `parse_json` then names.
                full = [(number, line) for number, line in zip(numbers, lines, strict=True) if line.strip(" \t\r")]
                values = [parse_json(line, f"{path}: line {number}") for number, line in full]
                yield JsonLines(path, [number for number, _ in full], values, [line for _, line in full])


def _line_blocks(path: StrPath, stream: TextIO) -> Iterator[tuple[int, list[str]]]:
    """Split a text at line feeds, block by block: an endless line is refused before it fills the memory."""
    number = 1
    unfinished: list[str] = []  # the pieces of a line whose end has not been seen
    size = 0
    while block := stream.read(_BLOCK_CHARACTERS):
        head, line_feed, tail = block.rpartition("\n")
        if line_feed:
            lines = ("".join(unfinished) + head).split("\n")
            yield number, lines
            number += len(lines)
            unfinished, size = [], 0
        unfinished.append(tail)
        size += len(tail)
        if size > MAX_LINE_CHARACTERS:
            raise InputFileError(
                f"{path}: line {number}: is longer than {MAX_LINE_CHARACTERS:,} characters; "
                "expected one JSON object a line"
            )
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
_LENIENT_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_lenient_int)
