"""In what way reversible pairs are wrong: the kinds of pair errors, for tables and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tricord.dico_nli.labels import REVERSE_LABEL
from tricord.dico_nli.metrics import PairError, Report

__all__ = ["HEADERS", "KINDS", "count_kinds", "error_kind", "explain"]

FLIPPED = "flipped"
OTHER_RELATION = "consistent, other relation"
SAME_DIRECTION = "same direction twice"
MIXED = "equivalence against direction"
NEGATIVE_ONCE = "NEGATIVE_OTHER on one side"
NEGATIVE_TWICE = "NEGATIVE_OTHER on both sides"

KINDS = {
    SAME_DIRECTION: "entailment in the same direction for both orders",
    MIXED: "EQUIVALENCE in one order, a direction in the other",
    NEGATIVE_ONCE: "a relation in one order, none in the other",
    NEGATIVE_TWICE: "no relation in either order",
    FLIPPED: "consistent, but each direction is the reverse of the gold one",
    OTHER_RELATION: "consistent, but EQUIVALENCE for a direction or a direction for EQUIVALENCE",
}
"""What each kind means; the first four are inconsistent, the last two consistent and wrong."""


def error_kind(error: PairError) -> str:
    """Name the way in which the two predictions of a pair are wrong.

    Args:
        error: A pair that is not correct in both directions.

    Returns:
        One of `KINDS`.

    Example:
        >>> gold, swapped = ("FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT"), ("BACKWARD_ENTAILMENT", "FORWARD_ENTAILMENT")
        >>> error_kind(PairError("p1", "p2", *gold, *swapped, soft_consistent=True))
        'flipped'
    """
    predictions = (error.first_prediction, error.second_prediction)
    reversible = sum(label in REVERSE_LABEL for label in predictions)
    if reversible < len(predictions):
        return NEGATIVE_ONCE if reversible else NEGATIVE_TWICE
    if error.soft_consistent:
        return FLIPPED if predictions == (error.second_gold, error.first_gold) else OTHER_RELATION
    return SAME_DIRECTION if predictions[0] == predictions[1] else MIXED


def count_kinds(errors: Iterable[PairError]) -> dict[str, int]:
    """Count pair errors by kind, in the order of `KINDS`.

    Example:
        >>> sorted(count_kinds([]).values())
        [0, 0, 0, 0, 0, 0]
    """
    counts = Counter(map(error_kind, errors))
    return {kind: counts[kind] for kind in KINDS}


HEADERS = ("kind", *PairError.__dataclass_fields__, "hard_correct")
"""The columns of `explain`."""


def explain(report: Report) -> list[dict[str, str]]:
    """List the faulty pairs of a report with their kinds.

    Args:
        report: From `score`; it lists as many pairs as its `max_pair_errors` says.

    Returns:
        One row a pair, with the columns `HEADERS`.

    Example:
        >>> from tricord.dico_nli import make_reference, score
        >>> reference = make_reference(["a", "b"], ["EQUIVALENCE"] * 2, ["b", "a"])
        >>> [row["kind"] for row in explain(score(reference, ["NEGATIVE_OTHER"] * 2))]
        ['NEGATIVE_OTHER on both sides']
    """
    return [{"kind": error_kind(error), **error.to_dict()} for error in report.consistency.pair_errors]
