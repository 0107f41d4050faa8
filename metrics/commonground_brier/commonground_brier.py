"""Common Ground: Brier score, reward, skill and accuracy of predicted votes on statements."""

import tricord.commonground.module

_DESCRIPTION = """\
Scores of predicted votes (agree, disagree, pass) on statements of a deliberation: how close are the predicted
probabilities to the actual votes (Brier score, reward, skill), and how often is the most probable vote the actual one?
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: One prediction a row: a mapping of class (agree, disagree, pass; or 1, -1, 0, or these as strings) to a
        non-negative number; or a vote or its name; or the three numbers of agree, disagree and pass, as in an array of
        shape (n, 3) or a data frame with these columns. Numbers are normalised to sum 1. Every other prediction, None among
        them, scores as uniform and is counted.
    references: The actual votes: 1 agree, -1 disagree, 0 pass, or their names.
    detailed: Whether to add calibration, the number of cells and the signature.
    reference: One distribution for all rows that the skill score measures against: base rates, say. Uniform by default.
    bins: The number of reliability bins, 10 by default.
Returns:
    brier_score: Mean of half the squared distance of the predicted distribution from the one-hot vote, in [0, 1]; the
        lower the better.
    probability_reward: 1 - brier_score, in [0, 1].
    brier_skill_score: 1 - brier_score / that of the reference; 1 is perfect, 0 as good as the reference.
    vote_accuracy: Fraction of rows whose single most probable vote is the actual one, in [0, 1]; a tie is no match.
    invalid_predictions: Number of rows without a valid prediction, which score as uniform.
    cells, calibration, signature: With detailed=True.
Examples:
    >>> import tricord
    >>> commonground_brier = tricord.load("commonground_brier")
    >>> results = commonground_brier.compute(
    ...     predictions=[{"agree": 2, "disagree": 1, "pass": 1}, {"agree": 1, "disagree": 1}],
    ...     references=["agree", "disagree"],
    ... )
    >>> results["brier_score"], results["vote_accuracy"], results["invalid_predictions"]
    (0.21875, 0.5, 0)
"""

_CITATION = """\
@article{brier-1950,
  author = {Brier, Glenn W.},
  title = {Verification of Forecasts Expressed in Terms of Probability},
  journal = {Monthly Weather Review},
  volume = {78},
  number = {1},
  pages = {1--3},
  year = {1950}
}
"""


class CommongroundBrier(tricord.commonground.module.CommongroundBrierMetric):
    """Brier score, reward, skill, accuracy and the number of invalid predictions."""

    def _figures(self, report):
        return {**report.figures(), "invalid_predictions": report.invalid_predictions}
