"""Text files as untrusted input: every check that can be made without understanding the content."""

from __future__ import annotations

import codecs
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

from tricord.errors import InputFileError

if TYPE_CHECKING:
    from typing import TypeAlias

    StrPath: TypeAlias = str | os.PathLike[str]

__all__ = ["open_text"]

_BLOCK = 1 << 20


@contextmanager
def open_text(path: StrPath, *, max_bytes: int) -> Iterator[TextIO]:
    r"""Open a UTF-8 text file for reading, after the checks that can be made without understanding its content.

    A byte order mark is dropped. Lines end at `\n` alone; a `\r` before it is left for the reader to treat.

    Args:
        path: The file.
        max_bytes: The largest size accepted, in bytes.

    Yields:
        The open text stream, positioned at the start.

    Raises:
        InputFileError: The file is missing, not a regular file, empty, larger than `max_bytes`, unreadable, holds a NUL
            byte, or (while it is being read) turns out not to be UTF-8.
    """
    if "\0" in os.fspath(path):
        raise InputFileError(f"{path!r}: is not a usable file name (it holds a NUL character)")
    if not os.fspath(path):
        raise InputFileError("the file name is empty; expected the path of a file")
    file = Path(path)
    try:
        # Looked at before it is opened: opening a named pipe would wait for a writer.
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            kind = "a directory" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            raise InputFileError(f"{path}: is {kind}; expected a file")
        if status.st_size == 0:
            raise InputFileError(f"{path}: the file is empty")
        if status.st_size > max_bytes:
            raise InputFileError(
                f"{path}: the file is too large: {status.st_size:,} bytes; the limit is {max_bytes >> 20} MiB"
            )
        with file.open("rb") as stream:
            _refuse_nul_bytes(path, stream)
            # utf-8-sig drops the byte order mark; newline="\n" keeps a lone \r from passing as a line end.
            with io.TextIOWrapper(stream, encoding="utf-8-sig", newline="\n") as text:
                try:
                    yield text
                except UnicodeDecodeError:
                    raise InputFileError(f"{path}: {_undecodable_place(stream)}; save the file as UTF-8") from None
    except FileNotFoundError:
        raise InputFileError(f"{path}: no such file") from None
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror or error})") from None


def _refuse_nul_bytes(path: StrPath, stream: BinaryIO) -> None:
    """Look through the file, block by block, and put it back to its start."""
    place = 0
    while block := stream.read(_BLOCK):
        if place == 0 and block in (b"\xef", b"\xef\xbb"):
            # Python's decoder drops an unfinished byte order mark and shows an empty file.
            raise InputFileError(f"{path}: line 1: is not UTF-8; it holds half of a byte order mark and nothing else")
        if (found := block.find(b"\0")) >= 0:
            line = _line_at(stream, place + found)
            raise InputFileError(
                f"{path}: line {line}: holds a NUL byte; expected UTF-8 text (is it UTF-16, or a binary file?)"
            )
        place += len(block)
    stream.seek(0)


def _undecodable_place(stream: BinaryIO) -> str:
    """Say where a file stops being UTF-8; decoded again from its start, since a text stream only knows its last block."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    stream.seek(0)
    done = 0  # bytes before the block
    while True:
        block = stream.read(_BLOCK)
        pending = len(decoder.getstate()[0])  # bytes of a character that the block before began
        try:
            decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            line = _line_at(stream, done - pending + error.start)
            return f"line {line}: byte 0x{error.object[error.start]:02x} is not UTF-8"
        if not block:
            return "the file is not UTF-8"
        done += len(block)


def _line_at(stream: BinaryIO, place: int) -> int:
    """Count the lines of a file up to the one that holds the byte at a place."""
    stream.seek(0)
    lines = 1
    while place > 0 and (block := stream.read(min(place, _BLOCK))):
        lines += block.count(b"\n")
        place -= len(block)
    return lines
