"""SciFact, sentence level: are claims verified with the right rationale sentences?"""

import tricord.scifact.module

_DESCRIPTION = """\
The sentence-level scores of SciFact: does a system name the sentences that are evidence for or against a claim (selection),
and does it also give their abstract the right label (label)?
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: One object a claim, as loaded from a prediction file: {"id": int, "evidence": {doc_id: {"sentences": [int],
        "label": "SUPPORT" or "CONTRADICT"}}}; doc_id is a string or an int, evidence may be empty.
    references: One object a claim, as loaded from a claims file: {"id": int, "evidence": {doc_id: [{"sentences": [int],
        "label": "SUPPORT" or "CONTRADICT"}, ...]}}; other keys are ignored. Matched to predictions by id.
    detailed: Whether to add the counts, the number of claims, the rule (which does not matter here) and the signature.
Returns:
    sentence_selection_precision: Fraction of predicted sentences that belong to a wholly predicted evidence set, in [0, 1].
    sentence_selection_recall: Fraction of gold evidence sentences that do, in [0, 1].
    sentence_selection_f1: Harmonic mean of the two, in [0, 1].
    sentence_label_precision: The same for sentences of abstracts with the right label.
    sentence_label_recall: The same.
    sentence_label_f1: The same.
    sentence_selection, sentence_label, claims, rule, signature: With detailed=True, scores with counts and what they depend on.
Examples:
    >>> import tricord
    >>> scifact_sentence = tricord.load("scifact_sentence")
    >>> results = scifact_sentence.compute(
    ...     predictions=[{"id": 52, "evidence": {"11": {"sentences": [1, 11], "label": "SUPPORT"}}}],
    ...     references=[{"id": 52, "evidence": {"11": [{"sentences": [11], "label": "SUPPORT"}]}}],
    ... )
    >>> results["sentence_label_precision"]
    0.5
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


class ScifactSentence(tricord.scifact.module.ScifactMetric):
    """The sentence-level scores."""

    prefix = "sentence"

    def _report(self, predictions, references):
        return self._score(predictions, references)
