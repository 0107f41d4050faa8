"""DiCo-NLI: weighted F1, SoftCons and HardCons as SemEval-2027 Task 2 defines them."""

import tricord.dico_nli.module

_DESCRIPTION = """\
Scores of DiCo-NLI (SemEval-2027 Task 2): is every ordered phrase pair labelled correctly (weighted F1), and do the labels
of a pair and of its reversed twin fit together (SoftCons), and are both right (HardCons)?
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: The predicted labels: EQUIVALENCE, FORWARD_ENTAILMENT, BACKWARD_ENTAILMENT, NEGATIVE_OTHER, or their ids
        0 to 3 in this order (list, numpy array, torch tensor, ...).
    references: The gold labels, in the same form.
    instance_ids: The id of each row.
    reverse_pair_ids: The id of the row that holds the same pair in the other direction; "", None or NaN for no link. Left
        out, the links follow from the ids, <pair_id>__<lang1>-<lang2>__<original|flipped|forward|reverse>.
    label_names: The labels in the order of the ids, or an id2label mapping, for models with another order. Belongs to
        the rows, so it is given to load, compute, add_batch or add.
    detailed: Whether to add the full report: counts, per-label scores, confusion matrix, pair errors, signature.
    max_pair_errors: How many faulty pairs the full report lists at most, 50 by default.
Returns:
    weighted_f1: F1 of the four labels weighted by support, in [0, 1].
    soft_cons: Fraction of reversible pairs whose two predictions are each other's reverse, right or wrong, in [0, 1].
    hard_cons: Fraction of reversible pairs with both predictions right, in [0, 1].
    macro_f1: Mean F1 of the labels that occur in the references, in [0, 1].
    accuracy: Fraction of rows labelled correctly, in [0, 1].
    classification, consistency, signature: With detailed=True, the parts of the full report.
Examples:
    >>> import tricord
    >>> dico_nli = tricord.load("dico_nli")
    >>> results = dico_nli.compute(
    ...     predictions=["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT", "EQUIVALENCE"],
    ...     references=["BACKWARD_ENTAILMENT", "FORWARD_ENTAILMENT", "NEGATIVE_OTHER"],
    ...     instance_ids=["p1__en-en__original", "p1__en-en__flipped", "p2__en-en__original"],
    ... )
    >>> results["soft_cons"], results["hard_cons"]
    (1.0, 0.0)
"""

_CITATION = """\
@misc{dico-nli-2027,
  title = {SemEval-2027 Task 2: Directional-Consistent Fine-Grained Natural Language Inference},
  year = {2027}
}
"""


class DicoNli(tricord.dico_nli.module.DicoNliMetric):
    """The full profile: the three official scores, macro F1 and accuracy."""
