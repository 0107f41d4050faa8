import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord.commonground import (
    VoteCounts,
    cluster_separation,
    comment_stats,
    prop_test,
    rating_to_vote,
    representativeness,
    two_prop_test,
    vote_entropy,
)
from tricord.commonground.statistics import MAX_COUNT
from tricord.errors import ValidationError

VOTES = st.lists(st.sampled_from([1, -1, 0, None]), max_size=60)
COUNTS = st.integers(0, MAX_COUNT)
HOSTILE_COUNTS = [
    -1,
    -(10**4000),
    10**4000,
    10**5000,
    MAX_COUNT + 1,
    math.nan,
    math.inf,
    0.5,
    True,
    "3",
    None,
    [1],
    1e308,
]
HOSTILE_VOTES = [
    2,
    -2,
    0.5,
    math.nan,
    math.inf,
    1e308,
    10**4000,
    10**5000,
    "1",
    "agree",
    [1],
    [[1]],
    {},
    np.array([1, 1]),
]


def successes_and_trials(draw):
    trials = draw(COUNTS)
    return draw(st.integers(0, trials)), trials


PROPORTION = st.composite(successes_and_trials)()


def flipped(votes):
    return [None if vote is None else -vote for vote in votes]


# The spec quotes the first two to 16 digits; its formula, taken in the order in which it is written, gives the neighbouring
# float, and that is also what the parity fixtures hold.
@pytest.mark.parametrize(
    ("found", "quoted", "literal"),
    [
        (prop_test(2, 4), 0.4472135954999579, 2 * math.sqrt(5) * (3 / 5 - 0.5)),
        (
            two_prop_test(2, 1, 4, 4),
            0.6324555320336758,
            (3 / 5 - 2 / 5) / math.sqrt((5 / 10) * (1 - 5 / 10) * (1 / 5 + 1 / 5)),
        ),
    ],
)
def test_quoted_values(found, quoted, literal):
    assert found == literal
    assert abs(found - quoted) <= math.ulp(quoted)


@given(PROPORTION)
def test_prop_test_is_the_formula_as_written(proportion):
    s, n = proportion[0] + 1, proportion[1] + 1
    assert prop_test(*proportion) == 2 * math.sqrt(n) * (s / n - 0.5)


@given(PROPORTION, PROPORTION)
def test_two_prop_test_is_finite_and_antisymmetric(inside, outside):
    z = two_prop_test(inside[0], outside[0], inside[1], outside[1])
    assert math.isfinite(z)
    assert two_prop_test(outside[0], inside[0], outside[1], inside[1]) == -z


@given(COUNTS, COUNTS)
def test_two_prop_test_where_all_succeed(p_in, p_out):
    assert two_prop_test(p_in, p_out, p_in, p_out) == 0.0


def test_pooled_proportion_next_to_one():
    # The largest counts for which a float tells it from 1.
    assert two_prop_test(MAX_COUNT, MAX_COUNT - 1, MAX_COUNT, MAX_COUNT) > 0


@pytest.mark.parametrize("value", HOSTILE_COUNTS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("position", range(2))
def test_prop_test_names_a_bad_count(value, position):
    arguments = [1, 4]
    arguments[position] = value
    with pytest.raises(ValidationError, match="successes" if position == 0 else "trials") as raised:
        prop_test(*arguments)
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize("value", HOSTILE_COUNTS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(("position", "name"), list(enumerate(["s_in", "s_out", "p_in", "p_out"])))
def test_two_prop_test_names_a_bad_count(value, position, name):
    arguments = [1, 1, 4, 4]
    arguments[position] = value
    with pytest.raises(ValidationError, match=name):
        two_prop_test(*arguments)


def test_more_successes_than_trials():
    with pytest.raises(ValidationError, match="got 5 successes in 4 trials"):
        prop_test(5, 4)
    with pytest.raises(ValidationError, match="got 2 successes in 1 trials"):
        two_prop_test(1, 2, 1, 1)


def test_whole_numbers_of_other_kinds():
    assert prop_test(np.int8(2), 4.0) == prop_test(2, 4)


@given(VOTES)
def test_comment_stats_come_from_the_counts(votes):
    stats = comment_stats(votes)
    assert stats["seen"] == stats["agree"] + stats["disagree"] + stats["pass"] == len(votes) - votes.count(None)
    assert stats["pa"] == (votes.count(1) + 1) / (stats["seen"] + 2)
    assert stats["pat"] == prop_test(stats["agree"], stats["seen"])
    assert 0 < stats["pd"] < 1


@given(VOTES)
def test_agree_and_disagree_are_symmetric(votes):
    stats, mirrored = comment_stats(votes), comment_stats(flipped(votes))
    for agree, disagree in [("agree", "disagree"), ("pa", "pd"), ("pat", "pdt")]:
        assert stats[agree] == mirrored[disagree]
        assert stats[disagree] == mirrored[agree]
    assert vote_entropy(votes) == vote_entropy(flipped(votes))
    assert cluster_separation(votes) == cluster_separation(flipped(votes))


@given(VOTES, st.randoms())
def test_order_of_participants_does_not_matter(votes, rng):
    shuffled = rng.sample(votes, len(votes))
    for function in (comment_stats, vote_entropy, cluster_separation):
        assert function(votes) == function(shuffled)


@given(VOTES)
def test_entropy_of_the_shares(votes):
    present = [vote for vote in votes if vote is not None]
    shares = [present.count(vote) / len(present) for vote in set(present)]
    expected = -math.fsum(share * math.log(share) for share in shares) / math.log(3)
    assert 0 <= vote_entropy(votes) <= 1
    assert vote_entropy(votes) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("times", [1, 2, 7, 1000])
def test_entropy_at_its_ends(times):
    assert vote_entropy([1, -1, 0] * times) == 1.0
    assert vote_entropy([0] * times) == 0.0
    assert math.copysign(1, vote_entropy([0] * times)) == 1
    assert vote_entropy([1, -1] * times) == math.log(2) / math.log(3)
    assert vote_entropy([None] * times) == 0.0


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_entropy_never_exceeds_one(agree, disagree, passed):
    from tricord.commonground.statistics import entropy_of_counts

    assert 0 <= entropy_of_counts(VoteCounts(agree, disagree, passed)) <= 1


@given(VOTES)
def test_separation_is_that_of_all_pairs(votes):
    pairs = list(combinations([vote for vote in votes if vote is not None], 2))
    expected = sum(first != second for first, second in pairs) / len(pairs) if pairs else 0.0
    assert cluster_separation(votes) == expected


@pytest.mark.parametrize("function", [comment_stats, vote_entropy, cluster_separation])
@pytest.mark.parametrize("value", [*HOSTILE_VOTES, True], ids=lambda value: type(value).__name__)
def test_what_is_no_vote_is_named(function, value):
    with pytest.raises(ValidationError, match=r"votes\[1\]: expected a vote"):
        function([1, value, None])


def test_deeply_nested_vote():
    value = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValidationError, match="a value of type list that cannot be shown"):
        comment_stats([value])


@pytest.mark.parametrize("votes", [None, 1, "1", b"1", {1: 1}, np.zeros((2, 2))])
def test_what_is_no_column_is_refused(votes):
    with pytest.raises(ValidationError, match="`votes`"):
        comment_stats(votes)


@pytest.mark.parametrize(
    "votes", [(1, None, -1), iter([1, None, -1]), [1.0, None, -1.0], [np.int8(1), None, np.float32(-1)]]
)
def test_votes_of_every_usual_kind(votes):
    stats = comment_stats(votes)
    assert (stats["agree"], stats["disagree"], stats["seen"]) == (1, 1, 2)
    assert all(type(stats[name]) is int for name in ("agree", "disagree", "pass", "seen"))


def test_numpy_column():
    assert comment_stats(np.array([1, -1, 0], dtype=np.int8)) == comment_stats([1, -1, 0])


@given(st.floats(0, 10))
def test_rating_inside(value):
    assert rating_to_vote(value) == 2 * (value - 5) / 10
    assert -1 <= rating_to_vote(value) <= 1


@pytest.mark.parametrize(
    "value",
    [-0.001, 10.001, -1, 11, math.nan, math.inf, -math.inf, 10**4000, -(10**4000), True, False, "5", None, [5], {}],
)
def test_rating_outside(value):
    assert rating_to_vote(value) == 0.0


def test_rating_in_the_middle():
    assert rating_to_vote(5) == 0.0
    assert rating_to_vote(np.float32(10)) == 1.0


@given(*[st.tuples(*[st.integers(0, 50)] * 3)] * 2)
def test_representativeness_is_that_of_the_parts(group, rest):
    group, rest = VoteCounts(*group), VoteCounts(*rest)
    stats = representativeness(group, rest)
    assert stats["ra"] == ((group.agree + 1) / (group.seen + 2)) / ((rest.agree + 1) / (rest.seen + 2))
    assert stats["rat"] == two_prop_test(group.agree, rest.agree, group.seen, rest.seen)
    assert stats["rdt"] == two_prop_test(group.disagree, rest.disagree, group.seen, rest.seen)
    assert representativeness(rest, group)["rdt"] == -stats["rdt"]
