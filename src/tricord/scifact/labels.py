"""The labels of SciFact."""

from __future__ import annotations

__all__ = ["EVIDENCE_LABELS", "LABELS", "NOT_ENOUGH_INFO"]

NOT_ENOUGH_INFO = "NOT_ENOUGH_INFO"

LABELS = ("CONTRADICT", NOT_ENOUGH_INFO, "SUPPORT")
"""The three labels of a claim and a document, in the order that confusion matrices and models follow."""

EVIDENCE_LABELS = ("CONTRADICT", "SUPPORT")
"""The labels that evidence can have."""
