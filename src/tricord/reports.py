"""One line that says what a figure is: the task, the options that change numbers, the data's size and the version."""

from __future__ import annotations

from tricord.version import __version__

__all__ = ["signature"]


def signature(task: str, **fields: str | int) -> str:
    """Build the signature of a result, to be quoted beside the figures.

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
