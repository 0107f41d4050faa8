"""What every command shares when it talks to a terminal: exit statuses, the error line, JSON and tables."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence

from tricord.errors import TricordError

__all__ = ["format_table", "printable", "run", "to_json"]

INPUT_REJECTED = 2


def run(command: Callable[[], None]) -> int:
    """Run a command and turn what can go wrong into one line on standard error and an exit status.

    Args:
        command: Does the work and prints its result; raises `TricordError` where the input is rejected.

    Returns:
        0 for success, 2 for rejected input (`SCORING_ERROR: ...` on standard error), 130 when interrupted.
    """
    try:
        command()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`head`, say) has gone. Python would complain once more while flushing at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except TricordError as error:
        return _rejected(str(error))
    except MemoryError:
        return _rejected("the input needs more memory than there is")
    except OSError as error:
        return _rejected(f"the result cannot be printed ({error.strerror or error})")
    except UnicodeEncodeError as error:
        return _rejected(f"the result cannot be printed as {error.encoding}; set PYTHONIOENCODING=utf-8")
    return 0


def _rejected(message: str) -> int:
    line = message.replace("\r", "\\r").replace("\n", "\\n")
    print(f"SCORING_ERROR: {line}", file=sys.stderr)
    return INPUT_REJECTED


def to_json(value: object) -> str:
    """Format a result as the score files hold it: two-space indent, sorted keys, a final newline."""
    return json.dumps(value, indent=2, sort_keys=True) + "\n"


def printable(text: str) -> str:
    r"""Make text of a file safe to print on one line: control characters and broken characters become escapes.

    Example:
        >>> printable("a\tb\x1b[31m")
        'a\\tb\\x1b[31m'
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape", "surrogatepass").decode("ascii")
        for character in text
    )


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
