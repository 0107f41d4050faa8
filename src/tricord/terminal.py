"""What every command shares when it talks to a terminal: exit statuses, the error line and tables."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from tricord.errors import OutputError, TricordError, on_one_line, quoted
from tricord.memory import collector_paused

__all__ = ["emit", "format_table", "run", "say"]

INPUT_REJECTED = 2


def run(command: Callable[[], None]) -> int:
    """Run a command and turn what can go wrong into one line on standard error and an exit status.

    Args:
        command: Does the work and prints its result; raises `TricordError` where the input is rejected.

    Returns:
        0 for success, 1 when the reader of the output has gone, 2 for rejected input (`SCORING_ERROR: ...` on standard
        error), 130 when interrupted.
    """
    try:
        # A command makes millions of strings, no cycles, and ends soon.
        with collector_paused():
            command()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return 1
    except KeyboardInterrupt:
        return 130
    except TricordError as error:
        return _rejected(str(error))
    except MemoryError:
        return _rejected("the input needs more memory than there is")
    except OSError as error:
        _discard_output()
        return _rejected(f"the result cannot be printed ({error.strerror or error})")
    return 0


def _discard_output() -> None:
    """Let Python flush what could not be printed into nowhere when it exits; else it complains once more."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _rejected(message: str) -> int:
    if sys.stderr is not None:
        print(f"SCORING_ERROR: {on_one_line(message)}", file=sys.stderr)
    return INPUT_REJECTED


def emit(text: str) -> None:
    """Print a result exactly as it is.

    Args:
        text: The result, with its final line end.

    Raises:
        OutputError: The encoding of standard output has no place for one of its characters.
    """
    try:
        print(text, end="")
    except UnicodeEncodeError as error:
        raise OutputError(
            f"standard output cannot show {quoted(text[error.start : error.end])} in the encoding {error.encoding}; set "
            "PYTHONIOENCODING=utf-8 or write to a file"
        ) from None


def say(message: str) -> None:
    """Print one line for a person; what the terminal cannot show is escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(on_one_line(message).encode(encoding, "backslashreplace").decode(encoding))


def format_table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Lay out rows under headers: text to the left, numbers to the right, floats with four decimals.

    Example:
        >>> print(format_table(["label", "f1"], [["EQUIVALENCE", 0.5], ["NEGATIVE_OTHER", 1.0]]))
        label               f1
        --------------  ------
        EQUIVALENCE     0.5000
        NEGATIVE_OTHER  1.0000
    """
    cells = [[f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headers, *cells, strict=True)]
    numeric = [bool(rows) and all(isinstance(row[i], (int, float)) for row in rows) for i in range(len(headers))]

    def line(row: Sequence[str]) -> str:
        aligned = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        return "  ".join(aligned).rstrip()

    rule = ["-" * width for width in widths]
    return "\n".join(line(row) for row in (list(headers), rule, *cells))
