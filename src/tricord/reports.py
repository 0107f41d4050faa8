"""What every report can do, whatever its task: give its figures, lay itself out, say what it depends on, and give its units."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tricord.version import __version__

if TYPE_CHECKING:
    from tricord.units import Units

__all__ = ["Report", "content_hash", "signature"]


class Report(ABC):
    """The scores of one set of predictions.

    A task derives from it. The names of its figures stand there and nowhere else: modules, hooks, commands and pages ask.
    """

    @property
    @abstractmethod
    def signature(self) -> str:
        """What the figures depend on, to be quoted beside them; the same wherever the predictions are scored."""

    @abstractmethod
    def figures(self) -> dict[str, float]:
        """Give the headline figures by name: plain floats, the most important one first."""

    @abstractmethod
    def details(self) -> dict[str, Any]:
        """Lay out everything that the report holds as plain dicts, lists, numbers and strings."""

    @property
    @abstractmethod
    def units(self) -> Units:
        """What each unit adds to the sums that the figures are made of; imports numpy."""

    def to_dict(self) -> dict[str, Any]:
        """Lay out everything that the report holds, and the signature."""
        return {**self.details(), "signature": self.signature}


def signature(task: str, **fields: str | int) -> str:
    """Build the signature of a result: the task, the options that change numbers, the data and the version.

    Args:
        task: The name of the task or module.
        **fields: What the figures depend on, in the order in which it shall be shown.

    Returns:
        `task|name:value|...|version:...`.

    Example:
        >>> signature("dico_nli", instances=797, pairs=336)
        'dico_nli|instances:797|pairs:336|version:0.1.0'
    """
    shown = "".join(f"|{name}:{value}" for name, value in fields.items())
    return f"{task}{shown}|version:{__version__}"


def content_hash(lines: Iterable[str]) -> str:
    """Identify a gold standard by its content, in whatever order and form it comes.

    Args:
        lines: One line for each part of the content; their order does not matter.

    Returns:
        Eight hexadecimal digits: the first of the sum of all lines' SHA-256, modulo 2**256. A sum, so that neither the order
        matters nor do millions of lines have to be held and sorted.

    Example:
        >>> content_hash(["b", "a"]) == content_hash(["a", "b"])
        True
    """
    from hashlib import sha256  # not at the top: every start of the package would pay for it

    total = sum(int.from_bytes(sha256(line.encode("utf-8", "surrogatepass")).digest(), "big") for line in lines)
    return f"{total % 2**256:064x}"[:8]
