"""SciFact: are scientific claims verified with the right abstracts, labels and rationale sentences?

    from tricord import scifact

    gold = scifact.read_gold("claims_dev.jsonl")
    report = scifact.score(gold, "predictions.jsonl")
    print(report.abstract_rationalized.f1, report.sentence_label.f1)

Standard library only.
"""

from tricord.scifact.explain import AbstractBreakdown, ClaimBreakdown, SentenceBreakdown, explain
from tricord.scifact.labels import LABELS
from tricord.scifact.merge import merge, merge_files
from tricord.scifact.metrics import RULES, LabelPrediction, Report, Retrieval
from tricord.scifact.scorer import (
    RationaleSelection,
    abstract_lengths,
    iter_corpus,
    read_gold,
    score,
    score_abstract_retrieval,
    score_label_prediction,
    score_rationale_selection,
)
from tricord.scifact.validation import Abstract, Gold

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
    "merge",
    "merge_files",
    "read_gold",
    "score",
    "score_abstract_retrieval",
    "score_label_prediction",
    "score_rationale_selection",
]
