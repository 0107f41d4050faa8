"""JSON as untrusted input."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord import InputFileError
from tricord.inputs import jsontext
from tricord.inputs.jsontext import parse_json, read_json, read_lines

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
    start = time.process_time()
    with pytest.raises(InputFileError, match="'last' stands twice"):
        parse_json(f'{{{keys}, "last": 1, "last": 2}}', "f.json")
    assert time.process_time() - start < 1


def test_repeated_keys_where_they_are_allowed():
    assert parse_json('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}', "f", repeated_keys=True) == {"a": 3, "b": {"c": 2}}
    for text, message in (("[NaN]", "NaN is not a JSON number"), ("1e999", "too large"), ("{", "not valid JSON")):
        with pytest.raises(InputFileError, match=message):
            parse_json(text, "f", repeated_keys=True)


def test_whole_numbers_of_thousands_of_digits_are_infinite_where_that_is_allowed():
    assert parse_json(f"[{'1' * 5000}, -{'1' * 5000}, 7]", "f", non_finite=True) == [float("inf"), -float("inf"), 7]
    with pytest.raises(InputFileError, match="not valid JSON"):
        parse_json("1" * 5000, "f")


def test_file(tmp_path):
    path = tmp_path / "f.json"
    path.write_bytes(b"\xef\xbb\xbf" + '{"ñ": [1]}\n'.encode())
    assert read_json(path) == {"ñ": [1]}
    with pytest.raises(InputFileError, match=r"f\.json: the file is too large"):
        read_json(path, max_bytes=3)
    path.write_bytes(b'"\xff"')
    with pytest.raises(InputFileError, match=r"f\.json: line 1: byte 0xff"):
        read_json(path)


# JSON Lines


def read_all(path):
    return [pair for first, lines in read_lines(path) for pair in enumerate(lines, first)]


@given(
    st.lists(st.text(st.characters(exclude_characters="\n\0", codec="utf-8"), max_size=3), min_size=1, max_size=6),
    st.booleans(),
)
def test_lines_come_with_their_numbers(tmp_path_factory, lines, ended):
    path = tmp_path_factory.mktemp("lines") / "file.jsonl"
    path.write_bytes(("x" + "\n".join(lines) + "\n" * ended).encode())
    found = read_all(path)
    assert found == list(enumerate(["x" + lines[0], *lines[1:]], 1))[: len(found)]
    assert not any(line for line in lines[max(1, len(found)) :])  # what is left out at the end is empty


def test_many_lines(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text("".join(f'{{"id": {number}}}\n' for number in range(10_000)))
    assert read_all(path) == [(number + 1, f'{{"id": {number}}}') for number in range(10_000)]


def test_long_line(tmp_path, monkeypatch):
    monkeypatch.setattr(jsontext, "MAX_LINE_CHARACTERS", 100_000)
    path = tmp_path / "file.jsonl"
    path.write_text('"' + "x" * 90_000 + '"\n')
    assert len(read_all(path)[0][1]) == 90_002
    path.write_text('1\n"' + "x" * 120_000 + '"\n')
    with pytest.raises(InputFileError, match="line 2: is longer than 100,000 characters"):
        read_all(path)
