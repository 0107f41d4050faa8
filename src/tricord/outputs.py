"""Results as text and files: JSON and CSV layouts, and writing so that no reader ever sees half of a file."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricord.errors import OutputError

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["csv_text", "refuse_overwriting", "to_json", "write_texts"]


def to_json(value: object) -> str:
    """Format a result as the score files hold it: two-space indent, sorted keys, a final newline.

    Raises:
        ValueError: A number is NaN or infinite, for which JSON has no place; no score may be.
    """
    return json.dumps(value, indent=2, sort_keys=True, allow_nan=False) + "\n"


def csv_text(rows: Sequence[Mapping[str, Any]], headers: Sequence[str] | None = None) -> str:
    """Lay out rows as CSV with a header line; floats in full precision, lines ended by LF.

    Args:
        rows: The rows.
        headers: The columns, which must be given where there may be no rows; those of the first row by default.

    Example:
        >>> print(csv_text([{"statement": "7", "pa": 0.5}]), end="")
        statement,pa
        7,0.5
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if headers is None else headers, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def refuse_overwriting(target: StrPath | None, inputs: Iterable[StrPath | None]) -> None:
    """Refuse to write a result over a file that it is made from, by whatever name or link.

    Args:
        target: The file to be written; None where nothing is.
        inputs: The files to be read; None for one that is not given.

    Raises:
        OutputError: The target is one of the inputs.
    """
    for path in inputs:
        if target is not None and path is not None and _is_same_file(target, path):
            raise OutputError(f"{target}: is also an input; choose another name for the file to write")


def _is_same_file(first: StrPath, second: StrPath) -> bool:
    try:
        return Path(first).samefile(second)
    except (OSError, ValueError):
        return False  # what is not there, or cannot be, is reported by who opens it


def write_texts(texts: Mapping[StrPath, str]) -> None:
    """Write several text files, each of them whole or not at all.

    Every text first goes to a temporary file beside its target; only when all of them are on disk are they renamed into
    place. A failed or killed run leaves the earlier files as they were. Missing folders are made, symbolic links are
    followed.

    Args:
        texts: The content for each target path; written as UTF-8, line ends as they are.

    Raises:
        OutputError: A target is a folder or a device, or it cannot be written.
    """
    prepared: list[tuple[Path, Path]] = []
    shown: StrPath = ""
    try:
        for shown, text in texts.items():
            target = Path(os.path.realpath(shown))
            # Renaming onto a device or a pipe would replace it by a file.
            if target.exists() and not target.is_file():
                raise OutputError(f"{shown}: is not a regular file; expected the name of a file to write")
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = target.parent / f".tricord-{os.urandom(8).hex()}.tmp"
            prepared.append((temporary, target))
            with temporary.open("x", encoding="utf-8", newline="") as stream:
                if target.exists():  # the new file keeps the permissions of the one that it replaces
                    temporary.chmod(target.stat().st_mode & 0o777)
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
        for temporary, target in prepared:
            temporary.replace(target)
    except UnicodeEncodeError as error:
        raise OutputError(f"{shown}: cannot be written as UTF-8 ({error.reason})") from None
    except OSError as error:
        raise OutputError(f"{shown}: cannot be written ({error.strerror or error})") from None
    finally:
        for temporary, _ in prepared:
            with suppress(OSError):
                temporary.unlink()
