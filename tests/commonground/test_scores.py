import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord.commonground import (
    brier_score,
    brier_skill_score,
    distribution,
    invalid_predictions,
    make_held_out,
    matrix,
    most_probable_vote,
    probability_reward,
    score,
    vote_accuracy,
)
from tricord.commonground.scores import class_weights
from tricord.errors import ValidationError

NAMES = {"agree": 1, "disagree": -1, "pass": 0}
VOTE = st.sampled_from([1, -1, 0])
WEIGHT = st.floats(0, 1e300) | st.integers(0, 10**20)
WEIGHTS = st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, WEIGHT))
GARBAGE = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*NAMES, 1, -1, 0, "1", "-1", "0"]), inner)
    ),
    max_leaves=6,
)
PREDICTION = VOTE | WEIGHTS | GARBAGE
CELLS = st.lists(st.tuples(PREDICTION, VOTE), min_size=1, max_size=8)

INVALID = [
    None,
    {},
    {"note": 1},
    {"agree": -0.1, "pass": 1},
    {"agree": math.nan, "pass": 1},
    {"agree": math.inf},
    {"agree": "1"},
    {"agree": True},
    {"agree": None, "pass": [1]},
    {"agree": [0.5], "pass": 1},
    {"agree": 0, "disagree": 0.0},
    {"agree": 1e308, "disagree": 1e308},
    {"agree": 10**4000, "pass": 1},
    {"agree": -(10**4000), "pass": 1},
    {"agree": Fraction(10**4000), "pass": 1},
    {"agree": 1j},
    {"agree": 1, 1: 1},
    {True: 1},
    {"agree": np.array(True)},
    {"agree": np.array("1")},
    {"agree": np.array([0.5])},
    np.array(True),
    np.array(2),
    2,
    -0.5,
    math.nan,
    math.inf,
    10**4000,
    True,
    False,
    "agree",
    "1",
    [1, 0, 0],
    [[1]],
    (0.2, 0.3, 0.5),
    np.array([0.2, 0.3, 0.5]),
    object,
]


class Scalar:
    """What a tensor without dimensions looks like."""

    ndim = 0

    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value


def split(cells):
    return {row: prediction for row, (prediction, _) in enumerate(cells)}, {
        row: vote for row, (_, vote) in enumerate(cells)
    }


def exact_brier(predictions, held_out):
    """The definition in fractions."""
    total = Fraction(0)
    for cell, vote in held_out.items():
        shares = distribution(predictions.get(cell)) or (Fraction(1, 3),) * 3
        total += sum((Fraction(share) - (own == vote)) ** 2 for share, own in zip(shares, (1, -1, 0), strict=True)) / 2
    return total / len(held_out)


def test_quoted_values():
    # 0.1 has no exact float, so neither has 0.03 as it comes out of it.
    assert brier_score({"c": {"agree": 0.8, "disagree": 0.1, "pass": 0.1}}, {"c": 1}) == pytest.approx(0.03, abs=1e-17)
    assert brier_score({"c": -1}, {"c": 1}) == 1.0
    assert brier_score({}, {"c": 1}) == 1 / 3
    assert [function({}, {}) for function in (brier_score, probability_reward, brier_skill_score, vote_accuracy)] == [
        0.0
    ] * 4


@pytest.mark.parametrize("prediction", INVALID, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("vote", [1, -1, 0])
def test_invalid_predictions_score_as_uniform_and_are_counted(prediction, vote):
    assert brier_score({"c": prediction}, {"c": vote}) == 1 / 3
    assert brier_skill_score({"c": prediction}, {"c": vote}) == 0.0
    assert distribution(prediction) is None
    report = score(make_held_out({"c": vote}), {"c": prediction})
    assert (report.invalid_predictions, report.vote_accuracy) == (1, 0.0)


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        (1, (1, 0, 0)),
        (-1.0, (0, 1, 0)),
        (np.int8(0), (0, 0, 1)),
        ({"agree": 1}, (1, 0, 0)),
        ({1: 3, -1: 1}, (0.75, 0.25, 0)),
        ({"1": 3, "-1": 0, "0": 1}, (0.75, 0, 0.25)),
        ({"agree": 2, "0": 2, "why": "because"}, (0.5, 0, 0.5)),
        ({"agree": np.float32(0.5), "pass": Fraction(1, 2)}, (0.5, 0, 0.5)),
        ({"agree": 5e-324}, (1, 0, 0)),
        ({"agree": -0.0, "pass": 1e308}, (0, 0, 1)),
        ({"agree": 0.5, "disagree": 0.25, "pass": 0.25, "other": math.nan}, (0.5, 0.25, 0.25)),
        ({"agree": np.array(0.5), "disagree": np.array(1, np.int8), "pass": Scalar(0.5)}, (0.25, 0.5, 0.25)),
        (np.array(-1.0), (0, 1, 0)),
        (Scalar(1), (1, 0, 0)),
        ({True: 5, False: 5, "agree": 1}, (1, 0, 0)),
    ],
)
def test_valid_predictions(prediction, expected):
    assert distribution(prediction) == expected


def test_weights_are_as_given():
    assert class_weights({"agree": 4, "pass": 0.5}) == (4.0, 0.0, 0.5)


@given(CELLS)
def test_bounds_and_reward(cells):
    predictions, held_out = split(cells)
    brier = brier_score(predictions, held_out)
    assert 0 <= brier <= 1
    assert probability_reward(predictions, held_out) + brier == 1
    assert brier == pytest.approx(float(exact_brier(predictions, held_out)), abs=1e-15)
    assert brier_skill_score(predictions, held_out) <= 1


@given(CELLS)
def test_agree_and_disagree_are_symmetric(cells):
    def mirrored(prediction):
        swap = {"agree": "disagree", "disagree": "agree", 1: -1, -1: 1, "1": "-1", "-1": "1"}
        if isinstance(prediction, dict):
            return {swap.get(key, key): value for key, value in prediction.items()}
        return -prediction if type(prediction) in (int, float) else prediction

    plain, swapped = split(cells), split([(mirrored(prediction), -vote) for prediction, vote in cells])
    for function in (brier_score, brier_skill_score):
        assert function(*plain) == function(*swapped)


@given(CELLS, st.randoms())
def test_order_of_cells_does_not_matter(cells, rng):
    predictions, held_out = split(cells)
    shuffled = dict(rng.sample(list(held_out.items()), len(held_out)))
    assert brier_score(predictions, shuffled) == brier_score(predictions, held_out)
    assert (
        score(make_held_out(shuffled), predictions).details() == score(make_held_out(held_out), predictions).details()
    )


@given(st.lists(st.tuples(st.tuples(*[st.floats(0, 1e100)] * 3), VOTE), min_size=1, max_size=5), st.integers(-50, 50))
def test_scale_of_the_weights_does_not_matter(rows, exponent):
    def scaled(factor):
        return {
            row: {name: weight * factor for name, weight in zip(NAMES, weights, strict=True)}
            for row, (weights, _) in enumerate(rows)
            if all(weight == 0 or weight > 1e-100 for weight in weights)
        }

    held_out = {row: vote for row, (_, vote) in enumerate(rows)}
    # A power of two changes no digit of any share.
    assert brier_score(scaled(2.0**exponent), held_out) == brier_score(scaled(1.0), held_out)
    assert brier_score(scaled(3.0), held_out) == pytest.approx(brier_score(scaled(1.0), held_out), abs=1e-15)


@given(CELLS)
def test_points_are_one_hot_distributions(cells):
    _, held_out = split(cells)
    points = {cell: (1, -1, 0)[cell % 3] for cell in held_out}
    one_hot = {cell: {str(vote): 1.0} for cell, vote in points.items()}
    assert brier_score(points, held_out) == brier_score(one_hot, held_out)
    assert probability_reward(points, held_out) == pytest.approx(vote_accuracy(points, held_out), abs=1e-15)


@given(CELLS)
def test_invalid_predictions_are_counted_as_in_the_report(cells):
    predictions, held_out = split(cells)
    del predictions[0]
    gold = make_held_out(held_out)
    report = score(gold, predictions, bins=None)
    assert invalid_predictions(predictions, held_out) == report.invalid_predictions >= 1
    assert report.calibration is None
    assert "bins" not in report.signature
    assert report.brier_score == score(gold, predictions).brier_score


def test_base_rates_as_a_reference():
    predictions, held_out = {"a": {"agree": 1, "pass": 1}, "b": -1}, {"a": 1, "b": -1}
    rates = {"agree": 1, "-1": 2, "pass": 1}
    expected = brier_skill_score(predictions, held_out, dict.fromkeys(held_out, rates))
    assert expected != brier_skill_score(predictions, held_out)
    assert brier_skill_score(predictions, held_out, rates) == expected
    report = score(held_out, predictions, rates)
    assert report.brier_skill_score == expected
    assert "|reference:given|" in report.signature
    assert score({}, {}, rates).brier_skill_score == 0.0


@pytest.mark.parametrize("rates", [{"agree": math.nan}, {"agree": 0, "pass": 0}, {"agree": -1, "pass": 2}])
def test_base_rates_that_are_no_distribution(rates):
    with pytest.raises(ValidationError, match="`reference` to be one distribution"):
        brier_skill_score({}, {"a": 1}, rates)
    with pytest.raises(ValidationError, match="`reference` to be one distribution"):
        score({"a": 1}, {}, rates)


def test_cells_that_are_called_like_votes_are_cells():
    held_out = {0: 1, 1: -1}
    reference = {0: {"agree": 1, "pass": 1}, 1: {"disagree": 1, "pass": 1}}
    assert (
        brier_skill_score(held_out, held_out, reference)
        == score(make_held_out(held_out), held_out, reference).brier_skill_score
        == 1.0
    )


@pytest.mark.parametrize("reference", [{}, {"a": 1}, {"a": 1, "b": {"agree": math.nan}}, {"other": 1}])
def test_report_refuses_a_reference_without_a_valid_prediction_for_every_cell(reference):
    predictions, held_out = {"a": 1, "b": -1}, {"a": 1, "b": -1}
    with pytest.raises(ValidationError, match=r"`reference` .* of 2 have none: .*'b'"):
        score(make_held_out(held_out), predictions, reference)
    # The single score is 1 - brier / brier(reference) as it stands in the rules, where such cells are uniform.
    assert brier_skill_score({}, held_out, reference) == pytest.approx(
        1 - (1 / 3) / brier_score(reference, held_out), abs=1e-15
    )


def test_skill_is_finite_however_good_the_reference():
    reference = {"agree": 1, "pass": 1e-160}
    assert 0 < brier_score({"c": reference}, {"c": 1}) < 1e-308
    for found in (
        brier_skill_score({"c": -1}, {"c": 1}, reference),
        score(make_held_out({"c": 1}), {"c": -1}, reference).brier_skill_score,
        matrix.brier_skill_score([[0, 1, 0]], [1], [1, 0, 1e-160]),
    ):
        assert found == -sys.float_info.max


def test_skill_against_a_reference():
    held_out = {"a": 1, "b": -1}
    reference = {"a": {"agree": 1, "disagree": 1}, "b": {"agree": 1, "disagree": 1}}
    assert brier_skill_score(reference, held_out, reference) == 0.0
    assert brier_skill_score(held_out, held_out, reference) == 1.0
    assert brier_skill_score({"a": -1, "b": 1}, held_out, reference) == -3.0
    assert brier_skill_score(reference, held_out, held_out) == 0.0  # nothing is to be gained over a perfect reference


@pytest.mark.parametrize("prediction", [2, "1", True, None, [1], math.nan, np.array([1, 1]), {"agree": 1}], ids=repr)
def test_accuracy_of_what_is_no_vote(prediction):
    assert vote_accuracy({"a": prediction, "b": 1.0}, {"a": 1, "b": 1}) == 0.5


@pytest.mark.parametrize("function", [brier_score, probability_reward, brier_skill_score, vote_accuracy])
@pytest.mark.parametrize(
    "vote", [2, 0.5, math.nan, 10**5000, True, "1", None, [1]], ids=lambda value: type(value).__name__
)
def test_actual_vote_outside_is_named(function, vote):
    with pytest.raises(ValidationError, match=r"held_out\['c2'\]: expected a vote"):
        function({}, {"c1": 1, "c2": vote})


@pytest.mark.parametrize("function", [brier_score, probability_reward, brier_skill_score, vote_accuracy])
@pytest.mark.parametrize(
    ("arguments", "name"), [((None, {}), "predictions"), (([1], {}), "predictions"), (({}, [1]), "held_out")]
)
def test_arguments_that_are_no_mappings(function, arguments, name):
    with pytest.raises(ValidationError, match=f"`{name}` to be a mapping"):
        function(*arguments)


@pytest.mark.parametrize(
    ("shares", "vote"),
    [((0.2, 0.5, 0.3), -1), ((0.4, 0.4, 0.2), None), ((0.2, 0.4, 0.4), None), ((0, 0, 1.0), 0), (None, None)],
)
def test_single_most_probable_vote(shares, vote):
    assert most_probable_vote(shares) == vote


def test_single_most_probable_vote_of_other_numbers():
    assert most_probable_vote([2, 1, 1]) == most_probable_vote(np.array([0.5, 0.25, 0.25])) == 1
    assert (
        most_probable_vote((math.nan, 1, 0)) is most_probable_vote((-1, 1, 1)) is most_probable_vote((0, 0, 0)) is None
    )


@pytest.mark.parametrize(
    "value",
    [(0.2, 0.5), (0.1, 0.2, 0.3, 0.4), "abc", 1, {"agree": 1}, ("a", "b", "c"), (True, False, False), np.eye(3)],
)
def test_most_probable_vote_of_what_is_no_distribution(value):
    with pytest.raises(ValidationError, match="`probabilities`"):
        most_probable_vote(value)
