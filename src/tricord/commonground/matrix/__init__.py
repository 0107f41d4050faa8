"""The statistics and scores of the task over whole arrays, vectorised: votes (participants x statements), probabilities (n, 3).

Every figure equals that of the single-call function of the same name to the last digit: both take their arithmetic from
`tricord.commonground.formulas`. Only `vote_accuracy` means something else here: it takes the single most probable vote of
each distribution, as `score` and the evaluate module do, while the single call of that name takes votes and holds a
mapping to be wrong. Importing this package imports numpy; nothing else in `tricord.commonground` does.

A vote matrix is an array of shape (participants, statements): integers with a code for a missing vote, or floats with NaN.
"""

from tricord.commonground.matrix.scores import (
    brier_losses,
    brier_score,
    brier_skill_score,
    invalid_predictions,
    most_probable_votes,
    probability_reward,
    score,
    vote_accuracy,
)
from tricord.commonground.matrix.statistics import (
    MISSING,
    cluster_separation,
    comment_stats,
    group_stats,
    prop_test,
    statement_stats,
    two_prop_test,
    vote_entropy,
    vote_matrix,
)

__all__ = [
    "MISSING",
    "brier_losses",
    "brier_score",
    "brier_skill_score",
    "cluster_separation",
    "comment_stats",
    "group_stats",
    "invalid_predictions",
    "most_probable_votes",
    "probability_reward",
    "prop_test",
    "score",
    "statement_stats",
    "two_prop_test",
    "vote_accuracy",
    "vote_entropy",
    "vote_matrix",
]
