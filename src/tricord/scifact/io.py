"""Files of SciFact that are written: predictions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from tricord.outputs import write_texts

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["write_json_lines"]


def write_json_lines(values: Iterable[Any], path: StrPath) -> None:
    """Write one JSON value a line, laid out as `json.dumps` does, all of them or nothing.

    Raises:
        OutputError: The file cannot be written.
    """
    lines = [msgspec.json.format(msgspec.json.encode(value), indent=0) for value in values]
    write_texts({path: b"\n".join([*lines, b""]).decode()})
