"""Files on disk: opening untrusted text safely, and writing results so that no reader ever sees half of one."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tricord.errors import InputFileError, OutputError

if TYPE_CHECKING:
    from typing import TypeAlias

    StrPath: TypeAlias = str | os.PathLike[str]

__all__ = ["open_text", "refuse_overwriting", "write_texts"]

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
                yield text
    except FileNotFoundError:
        raise InputFileError(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise InputFileError(f"{path}: {_undecodable_place(path)}; save the file as UTF-8") from None
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror or error})") from None


def _refuse_nul_bytes(path: StrPath, stream: io.BufferedReader) -> None:
    while block := stream.read(_BLOCK):
        if block in (b"\xef", b"\xef\xbb"):
            # Python's decoder drops an unfinished byte order mark and shows an empty file.
            raise InputFileError(f"{path}: line 1: is not UTF-8; it holds half of a byte order mark and nothing else")
        if b"\0" in block:
            before = Path(path).read_bytes().partition(b"\0")[0]
            line = before.count(b"\n") + 1
            raise InputFileError(
                f"{path}: line {line}: holds a NUL byte; expected UTF-8 text (is it UTF-16, or a binary file?)"
            )
    stream.seek(0)


def _undecodable_place(path: StrPath) -> str:
    """Say where a file stops being UTF-8; read again from the start, since the stream only knows its last block."""
    data = Path(path).read_bytes()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f"line {line}: byte 0x{data[error.start]:02x} is not UTF-8"
    return "the file is not UTF-8"


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
