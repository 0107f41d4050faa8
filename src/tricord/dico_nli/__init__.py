"""DiCo-NLI (SemEval-2027 Task 2): are phrase pairs labelled correctly, and consistently in both directions?

    from tricord import dico_nli

    reference = dico_nli.read_reference("gold.csv")
    report = dico_nli.score(reference, "predictions.csv")
    print(report.weighted_f1, report.soft_cons, report.hard_cons)

Standard library only.
"""

from tricord.dico_nli.aggregation import PROFILES, aggregate
from tricord.dico_nli.explain import explain
from tricord.dico_nli.instance_ids import infer_reverse_pair_ids, twin_id
from tricord.dico_nli.io import write_scores
from tricord.dico_nli.labels import LABELS, REVERSE_LABEL, reverse_label
from tricord.dico_nli.metrics import Classification, Consistency, LabelScores, PairError, Report
from tricord.dico_nli.reference import Reference
from tricord.dico_nli.scorer import read_predictions, read_reference, score, validate_submission
from tricord.dico_nli.templates import template_text
from tricord.dico_nli.validation import make_reference

read_gold, make_gold = read_reference, make_reference
"""The names that all tasks have for what scoring starts from."""

__all__ = [
    "LABELS",
    "PROFILES",
    "REVERSE_LABEL",
    "Classification",
    "Consistency",
    "LabelScores",
    "PairError",
    "Reference",
    "Report",
    "aggregate",
    "explain",
    "infer_reverse_pair_ids",
    "make_gold",
    "make_reference",
    "read_gold",
    "read_predictions",
    "read_reference",
    "reverse_label",
    "score",
    "template_text",
    "twin_id",
    "validate_submission",
    "write_scores",
]
