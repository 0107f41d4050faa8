"""Columns of every kind that users hold."""

import math
from collections import namedtuple

import datasets
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord import ValidationError
from tricord.inputs.columns import are_ids, check_equal_lengths, column_values, is_missing


class FakeTensor:
    """Has of a torch tensor what the columns rely on."""

    def __init__(self, values, ndim=1):
        self.values, self.ndim, self.shape = values, ndim, (len(values),) * ndim

    def __iter__(self):
        return iter([FakeTensor([value], 0) for value in self.values])

    def tolist(self):
        return list(self.values)


@pytest.mark.parametrize(
    "column",
    [
        [0, 3],
        (0, 3),
        range(0, 4, 3),
        iter([0, 3]),
        {0: None, 3: None}.keys(),
        np.array([0, 3]),
        np.array([0, 3], dtype=np.uint8),
        pd.Series([0, 3], index=[7, 5]),
        pd.array([0, 3], dtype="Int64"),
        FakeTensor([0, 3]),
        datasets.Dataset.from_dict({"x": [0, 3]})["x"],
        namedtuple("Row", "a b")(0, 3),
    ],
    ids=lambda column: type(column).__name__,
)
def test_plain_values_of_every_kind_of_column(column):
    values = column_values("c", column)
    assert values == [0, 3]
    assert [type(value) for value in values] == [int, int]


def test_torch_tensor():
    torch = pytest.importorskip("torch")
    assert column_values("c", torch.tensor([0, 3])) == [0, 3]
    with pytest.raises(ValidationError, match="arg max"):
        column_values("c", torch.zeros(2, 4))


def test_list_is_a_copy():
    column = [1]
    column_values("c", column).append(2)
    assert column == [1]


@pytest.mark.parametrize(
    ("column", "part"),
    [
        (None, "None"),
        ("abc", "'abc'"),
        (b"abc", "b'abc'"),
        ({"a": 1}, "{'a': 1}"),
        (7, "7"),
        (np.array(7), "()"),
        (np.zeros((2, 4)), "(2, 4); take the arg max"),
        (np.zeros((2, 4, 1)), "(2, 4, 1)"),
        (FakeTensor([1, 2], 2), "(2, 2); take the arg max"),
        (pd.DataFrame({"a": [1]}), "(1, 1)"),
    ],
)
def test_what_is_no_column(column, part):
    with pytest.raises(ValidationError) as error:
        column_values("predictions", column)
    assert "`predictions`" in str(error.value)
    assert part in str(error.value)


def test_equal_lengths():
    assert check_equal_lengths({"a": [1, 2], "b": "xy"}) == 2
    assert check_equal_lengths({}) == 0
    with pytest.raises(ValidationError, match="`a` has 1, `b` has 0"):
        check_equal_lengths({"a": [1], "b": []})


@pytest.mark.parametrize("value", ["", " \t", None, math.nan, np.nan, np.float32("nan"), pd.NA])
def test_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize("value", ["x", "nan", 0, 0.0, False, math.inf, [], "\u200b"])
def test_not_missing(value):
    assert not is_missing(value)


@given(st.lists(st.text(" \t\nab\u3000", max_size=3)), st.booleans())
def test_are_ids_is_the_same_as_looking_at_each(values, may_be_empty):
    each = all((value or may_be_empty) and not any(character.isspace() for character in value) for value in values)
    assert are_ids(values, may_be_empty=may_be_empty) == each
