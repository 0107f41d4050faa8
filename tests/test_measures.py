"""Arithmetic that the tasks share."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tricord.measures import add_up, f1_score, ratio

FRACTIONS = st.floats(0, 1)


def test_ratio():
    assert ratio(1, 3) == 1 / 3
    assert ratio(0, 0) == 0.0
    assert ratio(np.array([1, 0]), np.array([3, 0])).tolist() == [1 / 3, 0.0]


def test_f1_by_hand():
    assert f1_score(1.0, 0.5) == 2 * 1.0 * 0.5 / 1.5
    assert f1_score(0.0, 0.0) == 0.0
    assert f1_score(1.0, 0.0) == 0.0


@given(FRACTIONS, FRACTIONS)
def test_f1_is_the_formula_in_its_order_of_operations(precision, recall):
    expected = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert f1_score(precision, recall) == expected


@given(st.lists(st.floats(-1e6, 1e6)))
def test_addition_from_left_to_right(values):
    total = 0.0
    for value in values:
        total = total + value
    assert add_up(values) == total
    assert add_up(iter(values)) == total


def test_addition_is_not_compensated():
    assert add_up([0.1] * 10) == 0.9999999999999999 != math.fsum([0.1] * 10)
    assert isinstance(add_up([]), float)
