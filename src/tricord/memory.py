"""What building very many small objects asks of Python's memory management."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collector_paused"]


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the garbage collector from walking, over and over, through objects that grow in number but not in cycles.

    For the time in which such objects are built, and no longer: the collector is one for the whole process. Whatever has
    no cycle is freed as before.

    Example:
        >>> import gc
        >>> with collector_paused():
        ...     gc.isenabled()
        False
        >>> gc.isenabled()
        True
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
