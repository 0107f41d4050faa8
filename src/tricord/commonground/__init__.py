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
from tricord.commonground.explain import explain
from tricord.commonground.held_out import HeldOut, make_held_out
from tricord.commonground.io import read_export, read_held_out, read_participants_votes, read_predictions, read_votes
from tricord.commonground.parity import read_fixtures, run_parity
from tricord.commonground.scorer import VoteReport, score, validate_predictions
from tricord.commonground.scores import (
    brier_score,
    brier_skill_score,
    distribution,
    invalid_predictions,
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

read_gold, make_gold = read_held_out, make_held_out
"""The names that all tasks have for what scoring starts from."""

__all__ = [
    "VOTES",
    "VOTE_NAMES",
    "Calibration",
    "Conversation",
    "HeldOut",
    "VoteCounts",
    "VoteReport",
    "brier_score",
    "brier_skill_score",
    "calibrate",
    "cluster_separation",
    "comment_stats",
    "count_votes",
    "distribution",
    "explain",
    "export_differences",
    "group_table",
    "invalid_predictions",
    "make_gold",
    "make_held_out",
    "most_probable_vote",
    "probability_reward",
    "prop_test",
    "rating_to_vote",
    "read_export",
    "read_fixtures",
    "read_gold",
    "read_held_out",
    "read_participants_votes",
    "read_predictions",
    "read_votes",
    "representativeness",
    "run_parity",
    "score",
    "statement_table",
    "two_prop_test",
    "validate_predictions",
    "vote_accuracy",
    "vote_entropy",
]
