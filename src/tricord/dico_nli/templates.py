"""Prediction templates: the ids that predictions are wanted for, with the labels left empty."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from tricord.dico_nli.io import PREDICTION_COLUMNS

__all__ = ["template_text"]


def template_text(instance_ids: Sequence[str]) -> str:
    """Lay out a prediction template as CSV.

    Args:
        instance_ids: The ids that predictions are wanted for, in any order.

    Returns:
        The text of the file: the columns `instance_id,label`, sorted by id, labels empty, lines ended by LF.

    Example:
        >>> print(template_text(["b", "a"]), end="")
        instance_id,label
        a,
        b,
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PREDICTION_COLUMNS)
    writer.writerows([instance_id, ""] for instance_id in sorted(instance_ids))
    return text.getvalue()
