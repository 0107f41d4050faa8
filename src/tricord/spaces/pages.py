"""The pages there are; imports none of them, nor gradio, until one is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tricord.errors import ValidationError, quoted

if TYPE_CHECKING:
    from tricord.spaces.page import Page

__all__ = ["PAGES", "describe"]

PAGES = {
    "dico_nli": "tricord.spaces.dico_nli",
    "dico_nli_consistency": "tricord.spaces.dico_nli",
    "scifact_abstract": "tricord.spaces.scifact",
    "scifact_sentence": "tricord.spaces.scifact",
    "commonground_brier": "tricord.spaces.commonground",
}
"""For each metric the module whose `PAGES` describe it."""


def describe(name: str) -> Page:
    """Give the description of a metric's page.

    Args:
        name: One of `PAGES`.

    Raises:
        ValidationError: There is no page of that name.
    """
    if name not in PAGES:
        raise ValidationError(f"Expected the name of a metric ({', '.join(PAGES)}), got {quoted(name)}")
    page: Page = import_module(PAGES[name]).PAGES[name]
    return page
