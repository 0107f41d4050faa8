import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord.commonground import calibrate
from tricord.commonground.scores import loss, normalised
from tricord.errors import ValidationError

SHARES = st.tuples(*[st.integers(0, 20)] * 3).map(normalised).filter(bool)
ROWS = st.lists(st.tuples(SHARES, st.sampled_from([1, -1, 0])), min_size=1, max_size=40)


def columns(rows):
    return [row[0] for row in rows], [row[1] for row in rows]


@given(ROWS, st.sampled_from([1, 2, 10, 1000]))
def test_decomposition_adds_up_to_the_brier_score(rows, bins):
    shares, votes = columns(rows)
    result = calibrate(shares, votes, bins=bins)
    brier = math.fsum(map(loss, shares, votes)) / len(votes)
    assert result.reliability - result.resolution + result.uncertainty + result.within_bin == pytest.approx(
        brier, abs=1e-14
    )
    assert min(result.reliability, result.resolution, result.uncertainty) >= 0


@given(ROWS)
def test_uncertainty_is_the_score_of_base_rates(rows):
    shares, votes = columns(rows)
    rates = [Fraction(votes.count(vote), len(votes)) for vote in (1, -1, 0)]
    assert calibrate(shares, votes).uncertainty == pytest.approx(
        float(sum(rate * (1 - rate) for rate in rates) / 2), abs=1e-15
    )


@given(ROWS)
def test_nothing_within_bins_where_forecasts_do_not_differ(rows):
    _, votes = columns(rows)
    assert calibrate([(0.5, 0.25, 0.25)] * len(votes), votes).within_bin == 0.0


@given(ROWS)
def test_bins_hold_every_forecast_in_its_range(rows):
    shares, votes = columns(rows)
    result = calibrate(shares, votes)
    assert 0 <= result.expected_calibration_error <= 1
    for position, own in enumerate(result.per_class.values()):
        assert sum(row.count for row in own.bins) == len(votes)
        for row in own.bins:
            inside = [
                share[position]
                for share in shares
                if row.lower <= share[position] < row.upper or share[position] == row.upper == 1
            ]
            assert row.count == len(inside)


def test_worked_by_hand():
    result = calibrate([(0.75, 0.25, 0.0)] * 2 + [(0.0, 0.25, 0.75)] * 2, [1, -1, 0, 0])
    agree = result.per_class["agree"]
    assert [(row.lower, row.count, row.mean_probability, row.frequency) for row in agree.bins] == [
        (0.0, 2, 0.0, 0.0),
        (0.7, 2, 0.75, 0.5),
    ]
    assert agree.expected_calibration_error == 0.125
    assert result.per_class["disagree"].expected_calibration_error == 0.0
    assert result.expected_calibration_error == pytest.approx((0.125 + 0 + 0.125) / 3)
    assert result.reliability == (2 * 0.25**2 + 2 * 0.25**2) / 4 / 2


def test_no_cells():
    assert calibrate([], []).expected_calibration_error == 0.0


@pytest.mark.parametrize("bins", [0, -1, 1001, 10**4000, 2.0, True, "10", None])
def test_bad_bins(bins):
    with pytest.raises(ValidationError, match="`bins`"):
        calibrate([], [], bins=bins)
