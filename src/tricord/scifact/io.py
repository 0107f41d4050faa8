"""Files of SciFact that are written: predictions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tricord.outputs import write_texts

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["write_json_lines"]


def write_json_lines(values: Iterable[Any], path: StrPath) -> None:
    """Write one JSON value a line, all of them or nothing.

    Raises:
        OutputError: The file cannot be written.
    """
    write_texts({path: "".join(json.dumps(value) + "\n" for value in values)})
