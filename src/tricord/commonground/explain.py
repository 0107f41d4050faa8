"""Which votes a model did not foresee, and what it expected in their place."""

from __future__ import annotations

from typing import Any

from tricord.commonground.scorer import VoteReport
from tricord.commonground.scores import highest_vote
from tricord.commonground.votes import VOTE_NAMES, VOTES

__all__ = ["HEADERS", "explain"]

HEADERS = ("kind", "cell", *VOTE_NAMES, "brier_score")
"""The columns of `explain`."""

_NAME_OF = dict(zip(VOTES, VOTE_NAMES, strict=True))


def explain(report: VoteReport) -> list[dict[str, Any]]:
    """List the cells whose vote was not the single most probable one, the largest loss first.

    Args:
        report: From `score`.

    Returns:
        One row a cell, with the columns `HEADERS`; the probabilities are None where there is no valid prediction.

    Example:
        >>> from tricord.commonground import score
        >>> explain(score({"p1-s1": -1}, {"p1-s1": {"agree": 3, "disagree": 1}}))[0]["kind"]
        'agree, was disagree'
    """
    per_cell = zip(
        report.held_out.items(), report.probabilities, report.losses, report.matches, report.valid, strict=True
    )
    rows = [
        {
            "kind": _kind(list(shares), vote) if valid else "invalid or missing",
            "cell": cell,
            **dict(zip(VOTE_NAMES, shares if valid else [None] * len(VOTES), strict=True)),
            "brier_score": loss,
        }
        for (cell, vote), shares, loss, match, valid in per_cell
        if not match
    ]
    return sorted(rows, key=lambda row: -row["brier_score"])


def _kind(shares: Any, vote: int) -> str:
    likeliest = highest_vote(shares)
    return f"{'a tie' if likeliest is None else _NAME_OF[likeliest]}, was {_NAME_OF[vote]}"
