import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricord import commonground
from tricord.commonground import (
    Conversation,
    VoteCounts,
    count_votes,
    group_table,
    matrix,
    read_participants_votes,
    representativeness,
)
from tricord.commonground.scores import normalised
from tricord.errors import ValidationError

EXPORTS = ["brexit-consensus", "london.youth.policing"]
SEEDS = st.integers(0, 2**32 - 1)


def random_columns(seed, participants, statements):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet([0.7] * 4)
    return [rng.choice(np.array([1, -1, 0, None]), participants, p=weights).tolist() for _ in range(statements)]


def single_calls(column):
    return {
        **commonground.comment_stats(column),
        "entropy": commonground.vote_entropy(column),
        "separation": commonground.cluster_separation(column),
    }


def as_floats(columns):
    return np.array(columns, dtype=float).T


def assert_equal_to_single_calls(columns, **tables):
    expected = [single_calls(column) for column in columns]
    for table in tables.values():
        for name in expected[0]:
            assert table[name].tolist() == [row[name] for row in expected], name


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 600), st.integers(1, 8))
def test_equal_to_single_calls_to_the_last_digit(seed, participants, statements):
    columns = random_columns(seed, participants, statements)
    coded = matrix.vote_matrix(columns)
    assert_equal_to_single_calls(
        columns,
        int8=matrix.statement_stats(coded),
        float64=matrix.statement_stats(as_floats(columns)),
        float32=matrix.statement_stats(as_floats(columns).astype(np.float32)),
        fortran=matrix.statement_stats(np.asfortranarray(coded)),
        strided=matrix.statement_stats(np.repeat(coded, 2, axis=0)[::2]),
        other_code=matrix.statement_stats(np.where(coded == matrix.MISSING, 99, coded).astype(np.int64), missing=99),
        parts=matrix.comment_stats(coded)
        | {"entropy": matrix.vote_entropy(coded), "separation": matrix.cluster_separation(coded)},
    )


@pytest.mark.parametrize("export", EXPORTS)
def test_real_exports_column_by_column(shared_data, export):
    conversation = read_participants_votes(shared_data / "commonground/polis" / export / "participants-votes.csv")
    coded = matrix.vote_matrix(conversation.votes)
    assert coded.shape == (len(conversation.participants), len(conversation.statements))
    assert_equal_to_single_calls(
        conversation.votes,
        int8=matrix.statement_stats(coded),
        floats=matrix.statement_stats(as_floats(conversation.votes)),
    )
    assert_groups_equal_single_calls(
        conversation.votes, conversation.groups, matrix.group_stats(coded, conversation.groups)
    )


def assert_groups_equal_single_calls(columns, groups, tables):
    assert list(tables) == sorted({group for group in groups if group})
    for group, table in tables.items():
        for at, column in enumerate(columns):
            own = [vote for vote, label in zip(column, groups, strict=True) if label == group]
            others = [vote for vote, label in zip(column, groups, strict=True) if label not in (group, "")]
            expected = {**commonground.comment_stats(own), **representativeness(count_votes(own), count_votes(others))}
            assert {name: table[name][at].item() for name in table} == expected


@settings(max_examples=20)
@given(SEEDS, st.integers(1, 300))
def test_groups_equal_single_calls(seed, participants):
    columns = random_columns(seed, participants, 3)
    groups = np.random.default_rng(seed).choice(["a", "b", "c", ""], participants).tolist()
    groups[0] = "b"
    assert_groups_equal_single_calls(columns, groups, matrix.group_stats(as_floats(columns), groups))


def test_participants_without_a_group_count_nowhere():
    votes = np.array([[1], [-1], [1]])
    with_stranger = matrix.group_stats(votes, [0.0, 1.0, math.nan])
    without = matrix.group_stats(votes[:2], [0, 1])
    assert [table["rat"].tolist() for table in with_stranger.values()] == [
        table["rat"].tolist() for table in without.values()
    ]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["a"], "unequal lengths"),
        (["", None], "all are missing"),
        (["a", 1], "all strings"),
        (None, "`groups` to be a column of values, got None"),
        ({0: "a", 1: "b"}, "`groups` to be a column"),
        ({"a", "b"}, "`groups` to be a column"),
        ("ab", "`groups` to be a column"),
        (np.array([["a"], ["b"]]), r"shape \(2, 1\)"),
        ([["a"], ["b"]], "all strings or all numbers"),
    ],
)
def test_bad_groups(groups, message):
    with pytest.raises(ValidationError, match=message):
        matrix.group_stats(np.array([[1], [1]]), groups)


def test_empty_matrices():
    assert matrix.statement_stats(np.zeros((0, 2), dtype=np.int8))["pat"].tolist() == [1.0, 1.0]
    assert matrix.statement_stats(np.zeros((3, 0), dtype=np.int8))["entropy"].tolist() == []
    assert matrix.vote_matrix([]).shape == (0, 0)


@pytest.mark.parametrize(
    ("votes", "message"),
    [
        (np.zeros(3, dtype=np.int8), r"two dimensions, got shape \(3,\)"),
        (np.array([[True]]), "dtype bool"),
        (np.array([[1, None]]), "turns None into NaN"),
        (np.array([["1"]]), "dtype <U1"),
        (np.array([[1, 0], [0, 2]]), r"votes\[1, 1\]: expected 1, -1, 0 or -128 for missing, got 2"),
        (np.array([[1.0, 0.5]]), r"votes\[0, 1\]: expected 1, -1, 0 or NaN missing, got 0.5"),
        (np.array([[np.inf]]), "got inf"),
        (np.array([[255]], dtype=np.uint8), "dtype uint8"),
    ],
)
def test_bad_matrices(votes, message):
    with pytest.raises(ValidationError, match=message):
        matrix.statement_stats(votes)


def test_bad_value_in_a_group_is_named_by_its_row_in_the_matrix():
    with pytest.raises(ValidationError, match=r"votes\[2, 0\]: .* got 7"):
        matrix.group_stats(np.array([[1], [1], [7], [1]]), ["b", "a", "b", "a"])


def test_bad_value_in_a_row_without_a_group_is_refused_too():
    with pytest.raises(ValidationError, match=r"votes\[1, 0\]: .* got 7"):
        matrix.group_stats(np.array([[1], [7], [1]]), ["a", "", "b"])


def test_groups_in_the_order_of_the_table_of_a_conversation():
    groups = ["10", "9", "x"]
    conversation = Conversation(["a", "b", "c"], ["1"], [[1, 1, -1]], groups=groups)
    tables = matrix.group_stats(matrix.vote_matrix(conversation.votes), groups)
    assert list(tables) == [row["group"] for row in group_table(conversation)] == ["9", "10", "x"]
    assert list(matrix.group_stats(np.array([[1], [1], [1]]), [10, 9, 9])) == [9, 10]


def test_missing_code_that_is_a_vote():
    with pytest.raises(ValidationError, match="`missing`"):
        matrix.comment_stats(np.array([[1]]), missing=0)


@given(st.lists(st.tuples(*[st.integers(0, 2**52 - 1)] * 4), min_size=1, max_size=20))
def test_tests_equal_single_calls(rows):
    rows = [(min(a, b), max(a, b), min(c, d), max(c, d)) for a, b, c, d in rows]
    s_in, p_in, s_out, p_out = np.array(rows).T
    assert matrix.prop_test(s_in, p_in).tolist() == [commonground.prop_test(row[0], row[1]) for row in rows]
    assert matrix.two_prop_test(s_in, s_out, p_in, p_out).tolist() == [
        commonground.two_prop_test(row[0], row[2], row[1], row[3]) for row in rows
    ]


def test_tests_of_narrow_integers_do_not_overflow():
    full = np.array([127], dtype=np.int8)
    assert matrix.prop_test(full, full).tolist() == [commonground.prop_test(127, 127)]


@pytest.mark.parametrize(
    ("s", "n", "message"),
    [
        (-1, 2, "to 4503599627370495, got -1"),
        (3, 2, "got 3 successes in 2 trials"),
        (0.5, 2, "got 0.5"),
        (math.nan, 2, "got nan"),
        (math.inf, 2, "got inf"),
        (0, 2**60, f"got {2**60}"),
        (10**4000, 2, "got 0 in an array of dtype object"),
        ("1", 2, "dtype <U"),
        (None, 2, "dtype object"),
    ],
)
def test_bad_counts(s, n, message):
    with pytest.raises(ValidationError, match=message):
        matrix.prop_test([0, s], [1, n])


def test_counts_of_every_usual_kind():
    assert matrix.prop_test([], []).tolist() == []
    assert matrix.prop_test(np.float32([2, 0]), 4).tolist() == [commonground.prop_test(own, 4) for own in (2, 0)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: matrix.prop_test([1, 2, 3], [4, 5]), r"shapes that fit each other, got \(3,\), \(2,\)"),
        (lambda: matrix.two_prop_test([1, 2], [1, 2, 3], 4, 4), r"got \(2,\), \(2,\), \(3,\), \(3,\)"),
        (lambda: matrix.prop_test([[1], [1, 2]], 3), "rows of unequal length"),
        (lambda: matrix.comment_stats([[1], [1, 0]]), "rows of unequal length"),
        (lambda: matrix.brier_score([[1, 0, 0], [1, 0]], [1, 1]), "rows of unequal length"),
    ],
)
def test_shapes_that_do_not_fit(call, message):
    with pytest.raises(ValidationError, match=message):
        call()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([[0, 1], [0.9, 1]], r"columns\[1\]\[0\]: expected a vote .*, got 0\.9"),
        ([["1", 0]], r"columns\[0\]\[0\]: .*, got '1'"),
        ([[1, True]], r"columns\[0\]\[1\]: .*, got True"),
        ([[7]], "got 7"),
        ([[-128]], "got -128"),
        ([[300]], "got 300"),
        ([[math.nan]], "got nan"),
        ([[1, 0], [1]], r"columns\[1\]: expected 2 votes, as in the first column, got 1"),
        (None, "`columns` to be a column of values, got None"),
        ([1, 0], r"`columns\[0\]` to be a column of values, got 1"),
        ([[1], None], r"`columns\[1\]`"),
        (["1"], r"`columns\[0\]`"),
    ],
)
def test_vote_matrix_of_what_is_no_vote(columns, message):
    with pytest.raises(ValidationError, match=message):
        matrix.vote_matrix(columns)


def test_vote_matrix_of_other_kinds_of_numbers():
    assert matrix.vote_matrix([(1.0, None), np.array([0, -1])]).tolist() == [[1, 0], [-128, -1]]
    assert matrix.vote_matrix(np.array([[1, 0, -1]])).tolist() == [[1], [0], [-1]]


NUMBER = st.floats() | st.sampled_from([0.0, 0.25, 0.5, 1.0, 1e308, 5e-324, -1.0])
ROWS = st.lists(st.tuples(st.tuples(NUMBER, NUMBER, NUMBER), st.sampled_from([1, -1, 0])), max_size=12)


@given(ROWS)
def test_scores_equal_single_calls(rows):
    weights, votes = [row[0] for row in rows], [row[1] for row in rows]
    array = np.array(weights, dtype=float).reshape(-1, 3)
    predictions = {at: dict(zip(("agree", "disagree", "pass"), row, strict=True)) for at, row in enumerate(weights)}
    held_out = dict(enumerate(votes))
    report = commonground.score(commonground.make_held_out(held_out), predictions)
    assert matrix.brier_score(array, votes) == commonground.brier_score(predictions, held_out) == report.brier_score
    assert matrix.probability_reward(array, votes) == report.probability_reward
    assert matrix.brier_skill_score(array, votes) == report.brier_skill_score
    assert matrix.vote_accuracy(array, votes) == report.vote_accuracy
    assert matrix.invalid_predictions(array) == report.invalid_predictions
    most_probable = [commonground.most_probable_vote(normalised(row)) for row in weights]
    found = matrix.most_probable_votes(array).tolist()
    assert [None if math.isnan(vote) else vote for vote in found] == most_probable


@given(ROWS, ROWS)
def test_skill_against_a_reference_equals_single_calls(rows, others):
    size = min(len(rows), len(others))
    rows, others = rows[:size], others[:size]
    names = ("agree", "disagree", "pass")
    predictions, reference = (
        {at: dict(zip(names, row[0], strict=True)) for at, row in enumerate(own)} for own in (rows, others)
    )
    arrays = (np.array([row[0] for row in own], dtype=float).reshape(-1, 3) for own in (rows, others))
    array, reference_array = arrays
    votes = [row[1] for row in rows]
    assert matrix.brier_skill_score(array, votes, reference_array) == commonground.brier_skill_score(
        predictions, dict(enumerate(votes)), reference
    )


def test_a_reference_for_all_cells_is_a_distribution():
    array, votes = np.array([[2.0, 1, 1], [0, 1, 0]]), [1, -1]
    single = commonground.brier_skill_score(
        {0: {"agree": 2, "disagree": 1, "pass": 1}, 1: -1}, {0: 1, 1: -1}, {"agree": 3, "disagree": 4, "pass": 3}
    )
    assert matrix.brier_skill_score(array, votes, [3, 4, 3]) == single
    for reference in ([math.nan, 0, 0], [0, 0, 0], [-1, 1, 1]):
        with pytest.raises(ValidationError, match="`reference` to be one distribution"):
            matrix.brier_skill_score(array, votes, reference)


def test_accuracy_is_that_of_the_report_not_of_single_votes():
    shares, prediction = [[0.5, 0.3, 0.2]], {"agree": 0.5, "disagree": 0.3, "pass": 0.2}
    assert matrix.vote_accuracy(shares, [1]) == commonground.score({0: 1}, {0: prediction}).vote_accuracy == 1.0
    assert commonground.vote_accuracy({0: prediction}, {0: 1}) == 0.0


def test_integers_and_narrow_floats_are_numbers():
    assert matrix.brier_score(np.array([[3, 1, 0]]), [1]) == matrix.brier_score(
        np.array([[0.75, 0.25, 0]], np.float32), [1]
    )


@pytest.mark.parametrize(
    ("probabilities", "votes", "message"),
    [
        (np.zeros((2, 2)), [1, 1], r"shape \(n, 3\)"),
        (np.zeros(3), [1], r"shape \(n, 3\)"),
        ([["a", "b", "c"]], [1], "dtype"),
        ([[True, False, False]], [1], "dtype bool"),
        ([[1, 0, 0]], [1, 1], "unequal lengths"),
        ([[1, 0, 0]], [2], r"votes\[0\]: expected a vote .* got 2"),
        ([[1, 0, 0]], [math.nan], "got nan"),
        ([[1, 0, 0]], ["agree"], "dtype"),
        ([[1, 0, 0]], [[1]], "one dimension"),
    ],
)
def test_bad_arrays(probabilities, votes, message):
    with pytest.raises(ValidationError, match=message):
        matrix.brier_score(probabilities, votes)


def test_arguments_are_left_as_they_were():
    array = np.array([[0.0, 0.0, 0.0], [2.0, 1.0, 1.0]])
    matrix.brier_score(array, [1, 1])
    assert array.tolist() == [[0, 0, 0], [2, 1, 1]]


def test_counts_add_up_over_groups():
    rng = np.random.default_rng(5)
    votes = rng.integers(-1, 2, (700, 4))
    tables = matrix.group_stats(votes, rng.integers(0, 3, 700))
    whole = matrix.comment_stats(votes)
    assert sum(table["agree"] for table in tables.values()).tolist() == whole["agree"].tolist()
    assert VoteCounts(*(int(whole[name][0]) for name in ("agree", "disagree", "pass"))).seen == 700
