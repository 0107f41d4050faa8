"""Common Ground: what do votes on statements say, and how well are votes predicted?

    from tricord import commonground

    commonground.comment_stats([1, 1, -1, 0, None])
    commonground.brier_score({"p1-s1": {"agree": 0.8, "disagree": 0.1, "pass": 0.1}}, {"p1-s1": 1})

    from tricord.commonground import matrix  # the same over whole arrays; imports numpy

    matrix.statement_stats(votes)

A vote is 1 (agree), -1 (disagree), 0 (pass) or None (missing). Apart from `matrix`, standard library only.
"""

from tricord.commonground.calibration import Calibration, calibrate
from tricord.commonground.conversation import Conversation, group_table, statement_table
from tricord.commonground.differences import export_differences
from tricord.commonground.io import read_export, read_participants_votes, read_votes
from tricord.commonground.parity import read_fixtures, run_parity
from tricord.commonground.scorer import VoteReport, score
from tricord.commonground.scores import (
    brier_score,
    brier_skill_score,
    distribution,
    most_probable_vote,
    probability_reward,
    vote_accuracy,
)
from tricord.commonground.statistics import (
    cluster_separation,
    comment_stats,
    prop_test,
    rating_to_vote,
    representativeness,
    two_prop_test,
    vote_entropy,
)
from tricord.commonground.votes import VOTE_NAMES, VOTES, VoteCounts, count_votes

__all__ = [
    "VOTES",
    "VOTE_NAMES",
    "Calibration",
    "Conversation",
    "VoteCounts",
    "VoteReport",
    "brier_score",
    "brier_skill_score",
    "calibrate",
    "cluster_separation",
    "comment_stats",
    "count_votes",
    "distribution",
    "export_differences",
    "group_table",
    "most_probable_vote",
    "probability_reward",
    "prop_test",
    "rating_to_vote",
    "read_export",
    "read_fixtures",
    "read_participants_votes",
    "read_votes",
    "representativeness",
    "run_parity",
    "score",
    "statement_table",
    "two_prop_test",
    "vote_accuracy",
    "vote_entropy",
]
