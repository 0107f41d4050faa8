from tricord.commonground import explain, matrix, score
from tricord.commonground.explain import HEADERS

VOTES = {"a": 1, "b": -1, "c": 0, "d": 1, "e": 1}
PREDICTIONS = {
    "a": {"agree": 3, "pass": 1},
    "b": {"agree": 3, "disagree": 1},
    "c": {"agree": 1, "disagree": 1},
    "d": "?",
}


def test_what_was_expected_in_place_of_each_vote_worst_first():
    rows = explain(score(VOTES, PREDICTIONS))
    assert [tuple(row) for row in rows] == [HEADERS] * 4
    assert [tuple(row.values()) for row in rows] == [
        ("a tie, was pass", "c", 0.5, 0.5, 0.0, 0.75),
        ("agree, was disagree", "b", 0.75, 0.25, 0.0, 0.5625),
        ("invalid or missing", "d", None, None, None, 1 / 3),
        ("invalid or missing", "e", None, None, None, 1 / 3),
    ]


def test_a_certain_uniform_prediction_is_a_tie_and_not_invalid():
    assert [row["kind"] for row in explain(matrix.score([1, 1], [[1, 1, 1], [0, 0, 0]]))] == [
        "a tie, was agree",
        "invalid or missing",
    ]
