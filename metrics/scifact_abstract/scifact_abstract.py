"""SciFact, abstract level: are claims verified with the right abstracts and labels, and with a whole rationale?"""

import tricord.scifact.module

_DESCRIPTION = """\
The abstract-level scores of SciFact: does a system find the abstracts that support or contradict a claim and give them the
right label (label-only), and does it also name a whole evidence set among its first sentences (rationalized)?
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: One object a claim, as loaded from a prediction file: {"id": int, "evidence": {doc_id: {"sentences": [int],
        "label": "SUPPORT" or "CONTRADICT"}}}; doc_id is a string or an int, evidence may be empty.
    references: One object a claim, as loaded from a claims file: {"id": int, "evidence": {doc_id: [{"sentences": [int],
        "label": "SUPPORT" or "CONTRADICT"}, ...]}}; other keys are ignored. Matched to predictions by id.
    rule: How many predicted sentences count: "paper", the first 3 (the default); "leaderboard", the first 3 or as many as
        the smallest gold evidence set of the document has.
    detailed: Whether to add the counts, the rule, the number of claims and the signature.
Returns:
    abstract_label_only_precision: Fraction of predicted abstracts with evidence and the right label, in [0, 1].
    abstract_label_only_recall: Fraction of gold abstracts predicted with the right label, in [0, 1].
    abstract_label_only_f1: Harmonic mean of the two, in [0, 1].
    abstract_rationalized_precision: The same, with a whole evidence set among the predicted sentences that count.
    abstract_rationalized_recall: The same.
    abstract_rationalized_f1: The same.
    abstract_label_only, abstract_rationalized, rule, claims, signature: With detailed=True, scores with counts and what
        they depend on.
Examples:
    >>> import tricord
    >>> scifact_abstract = tricord.load("scifact_abstract")
    >>> results = scifact_abstract.compute(
    ...     predictions=[{"id": 52, "evidence": {"11": {"sentences": [1, 11, 13], "label": "SUPPORT"}}}],
    ...     references=[{"id": 52, "evidence": {"11": [{"sentences": [11], "label": "SUPPORT"}]}}],
    ... )
    >>> results["abstract_rationalized_f1"]
    1.0
"""

_CITATION = """\
@inproceedings{wadden-etal-2020-fact,
  title = {Fact or Fiction: Verifying Scientific Claims},
  author = {Wadden, David and Lin, Shanchuan and Lo, Kyle and Wang, Lucy Lu and van Zuylen, Madeleine and Cohan, Arman and
    Hajishirzi, Hannaneh},
  booktitle = {Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing (EMNLP)},
  year = {2020},
  pages = {7534--7550},
  doi = {10.18653/v1/2020.emnlp-main.609}
}
"""


class ScifactAbstract(tricord.scifact.module.ScifactMetric):
    """The abstract-level scores."""

    prefix = "abstract"

    def _report(self, predictions, references, *, rule="paper"):
        return self._score(predictions, references, rule)
