"""JSON as untrusted input."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord import InputFileError
from tricord.jsontext import parse_json, read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=10,
)


@given(VALUES)
def test_what_json_writes_is_read_alike(value):
    assert parse_json(json.dumps(value), "x") == json.loads(json.dumps(value))


@given(st.text('{}[]",:0123eE+-.truefalsnN \\uI', max_size=40))
def test_any_text_is_read_or_rejected_with_its_place(text):
    try:
        message = f"f.json: line 3: {parse_json(text, 'f.json: line 3')}"
    except InputFileError as error:
        message = str(error)
    assert message.startswith("f.json: line 3: ")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON at column 2"),
        ("[1,\n2,\nx]", "line 3, column 1"),
        ("1 2", "not valid JSON"),
        ("\ufeff1", "not valid JSON"),
        ('{"a": 1, "b": {"k": 1, "k": 2}}', "'k' stands twice"),
        ("[NaN]", "NaN"),
        ("-Infinity", "-Infinity"),
        ("Infinity", "Infinity"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("9" * 5000, "not valid JSON"),
        ("'a'", "not valid JSON"),
        ('"a\nb"', "not valid JSON"),
    ],
)
def test_rejected_text(text, part):
    with pytest.raises(InputFileError) as error:
        parse_json(text, "f.json")
    assert str(error.value).startswith("f.json: ")
    assert part in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("text", ["1e999", "-1e999", "[1.0, 1e400]"])
def test_numbers_too_large_for_a_float_are_no_finite_numbers(text):
    with pytest.raises(InputFileError, match="finite"):
        parse_json(text, "f.json")


def test_repeated_key_among_many_is_found_quickly():
    # Looking for every key among all keys would take seconds here, and hours at the size limit.
    keys = ",".join(f'"k{number}": 1' for number in range(10_000))
    start = time.perf_counter()
    with pytest.raises(InputFileError, match="'last' stands twice"):
        parse_json(f'{{{keys}, "last": 1, "last": 2}}', "f.json")
    assert time.perf_counter() - start < 1


def test_file(tmp_path):
    path = tmp_path / "f.json"
    path.write_bytes(b"\xef\xbb\xbf" + '{"ñ": [1]}\n'.encode())
    assert read_json(path) == {"ñ": [1]}
    with pytest.raises(InputFileError, match=r"f\.json: the file is too large"):
        read_json(path, max_bytes=3)
    path.write_bytes(b'"\xff"')
    with pytest.raises(InputFileError, match=r"f\.json: line 1: byte 0xff"):
        read_json(path)
