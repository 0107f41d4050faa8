"""Files of SciFact: JSON Lines in, prediction and score files out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tricord.errors import ValidationError, quoted
from tricord.inputs.columns import column_values
from tricord.inputs.jsontext import read_json_lines
from tricord.inputs.records import Records
from tricord.outputs import to_json, write_texts

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["as_records", "write_json", "write_json_lines"]


def as_records(source: StrPath | Iterable[Any], name: str) -> Records:
    """Take objects from a file or from memory.

    Args:
        source: A JSON Lines file, or the objects themselves.
        name: What objects in memory are called in messages.

    Returns:
        The records; a file is opened when they are first asked for.

    Raises:
        ValidationError: The source is neither.

    Example:
        >>> list(as_records([{"id": 1}], "predictions").blocks)
        [[{'id': 1}]]
    """
    if isinstance(source, (str, os.PathLike)):
        return Records(os.fspath(source), read_json_lines(source), in_file=True)
    if isinstance(source, Mapping):
        raise ValidationError(f"Expected `{name}` to be a file or a list of objects, got {quoted(source)}")
    return Records.in_memory(column_values(name, source), name)


def write_json(value: Mapping[str, Any], path: StrPath) -> None:
    """Write a report as JSON, whole or not at all.

    Raises:
        OutputError: The file cannot be written.
    """
    write_texts({path: to_json(value)})


def write_json_lines(values: Iterable[Any], path: StrPath) -> None:
    """Write one JSON value a line, all of them or nothing.

    Raises:
        OutputError: The file cannot be written.
    """
    write_texts({path: "".join(json.dumps(value) + "\n" for value in values)})
