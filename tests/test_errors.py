"""Error classes and the way values are shown in messages."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tricord
from tricord.errors import quoted, some_of

KINDS = [tricord.InputFileError, tricord.OutputError, tricord.ValidationError]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_a_tricord_error_and_a_value_error(kind):
    assert issubclass(kind, tricord.TricordError)
    assert issubclass(kind, ValueError)
    assert str(pickle.loads(pickle.dumps(kind("message")))) == "message"


def test_errors_with_more_than_a_message_survive_pickling():
    from tricord.dico_nli.labels import UnknownLabelError

    error = UnknownLabelError("predictions", 3, "x")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.row) == (str(error), 3)


@given(st.one_of(st.text(), st.integers(), st.lists(st.text()), st.binary(), st.none()))
def test_quoted_is_short_and_on_one_line(value):
    assert len(quoted(value)) <= 80
    assert len(quoted(value).splitlines()) == 1


@given(st.text(max_size=20))
def test_short_values_are_shown_whole(value):
    if len(repr(value)) <= 80:
        assert quoted(value) == repr(value)


def test_long_values_show_both_ends():
    assert quoted(list(range(1000))).startswith("[0, 1, 2")
    assert quoted(list(range(1000))).endswith("998, 999]")


class _Multiline:
    def __repr__(self):
        return "first\nsecond"


def test_values_with_line_breaks_in_their_repr_stay_on_one_line():
    assert len(quoted(_Multiline()).splitlines()) == 1


def test_a_number_of_thousands_of_digits():
    # repr() of such an int raises; a message must not.
    assert len(quoted(10**5000)) <= 80


@pytest.mark.parametrize(
    ("values", "shown"),
    [([], ""), (["a"], "'a'"), (["a", "b"], "'a', 'b'"), ("abc", "'a', 'b' and 1 more"), (range(5), "0, 1 and 3 more")],
)
def test_some_of(values, shown):
    assert some_of(values, most=2) == shown
