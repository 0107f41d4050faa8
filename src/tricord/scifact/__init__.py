"""SciFact: are scientific claims verified with the right abstracts, labels and rationale sentences?

    from tricord import scifact

    gold = scifact.read_gold("claims_dev.jsonl")
    report = scifact.score(gold, "predictions.jsonl")
    print(report.abstract_rationalized.f1, report.sentence_label.f1)

Needs msgspec besides the standard library.
"""

from tricord.scifact.claims import Abstract, Gold
from tricord.scifact.explain import AbstractBreakdown, ClaimBreakdown, SentenceBreakdown, explain
from tricord.scifact.labels import LABELS
from tricord.scifact.merge import merge, merge_files
from tricord.scifact.metrics import RULES, LabelPrediction, RationaleSelection, Report, Retrieval
from tricord.scifact.scorer import (
    abstract_lengths,
    iter_corpus,
    read_gold,
    read_predictions,
    score,
    score_abstract_retrieval,
    score_label_prediction,
    score_rationale_selection,
    validate_predictions,
)

make_gold = read_gold
"""The name that all tasks have for a gold standard from values; `read_gold` takes both."""

__all__ = [
    "LABELS",
    "RULES",
    "Abstract",
    "AbstractBreakdown",
    "ClaimBreakdown",
    "Gold",
    "LabelPrediction",
    "RationaleSelection",
    "Report",
    "Retrieval",
    "SentenceBreakdown",
    "abstract_lengths",
    "explain",
    "iter_corpus",
    "make_gold",
    "merge",
    "merge_files",
    "read_gold",
    "read_predictions",
    "score",
    "score_abstract_retrieval",
    "score_label_prediction",
    "score_rationale_selection",
    "validate_predictions",
]
