"""DiCo-NLI consistency: SoftCons and HardCons with their pair counts."""

import tricord.dico_nli.module

_DESCRIPTION = """\
The consistency scores of DiCo-NLI (SemEval-2027 Task 2): of the reversible phrase pairs, how many are labelled
compatibly in both directions (SoftCons), and how many correctly in both (HardCons)?
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
    detailed: Whether to add the consistency report with its pair errors, and the signature.
    max_pair_errors: How many faulty pairs the report lists at most, 50 by default.
Returns:
    soft_cons: Fraction of reversible pairs whose two predictions are each other's reverse, right or wrong, in [0, 1].
    hard_cons: Fraction of reversible pairs with both predictions right, in [0, 1].
    reversible_pairs: Number of pairs.
    soft_consistent_pairs: Number of pairs that count for soft_cons.
    hard_correct_pairs: Number of pairs that count for hard_cons.
    consistency, signature: With detailed=True, the report and what its figures depend on.
Examples:
    >>> import tricord
    >>> consistency = tricord.load("dico_nli_consistency")
    >>> consistency.compute(
    ...     predictions=["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT"],
    ...     references=["BACKWARD_ENTAILMENT", "FORWARD_ENTAILMENT"],
    ...     instance_ids=["a", "b"],
    ...     reverse_pair_ids=["b", "a"],
    ... )["soft_cons"]
    1.0
"""

_CITATION = """\
@misc{dico-nli-2027,
  title = {SemEval-2027 Task 2: Directional-Consistent Fine-Grained Natural Language Inference},
  year = {2027}
}
"""


class DicoNliConsistency(tricord.dico_nli.module.DicoNliMetric):
    """The two consistency scores alone."""

    def _figures(self, report):
        return report.consistency.counts()

    def _details(self, report):
        return {"consistency": report.consistency.to_dict(), "signature": report.signature}
