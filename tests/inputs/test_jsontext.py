"""JSON as untrusted input."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord import InputFileError
from tricord.inputs import jsontext
from tricord.inputs.jsontext import parse_json, read_json, read_json_lines

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
    return [pair for block in read_json_lines(path) for pair in zip(block.numbers, block.strict(), strict=True)]


def count_keys(value):
    if isinstance(value, dict):
        return len(value) + sum(map(count_keys, value.values()))
    return sum(map(count_keys, value)) if isinstance(value, list) else 0


json_values = st.recursive(
    st.none() | st.integers() | st.text(max_size=3) | st.sampled_from(['":', " :", '\\":', ":"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2) | st.just('a":'), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.lists(json_values, min_size=1, max_size=6),
    st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : "), (",\t", "\t:")]),
    st.booleans(),
    st.sampled_from(["\n", "\r\n", "\n\n", " \n\t"]),
)
def test_lines_come_with_their_numbers(tmp_path_factory, values, separators, ascii_only, end):
    lines = [json.dumps(value, separators=separators, ensure_ascii=ascii_only) for value in values]
    path = tmp_path_factory.mktemp("lines") / "file.jsonl"
    path.write_bytes(end.join(lines).encode("utf-8", "surrogatepass"))
    expected = list(zip(range(1, len(lines) * 2, end.count("\n")), values, strict=False))
    assert read_all(path) == expected
    for block in read_json_lines(path):
        # Fewer keys than there are is what a repeated key looks like.
        assert not block.have_only(count_keys(block.values) - 1)


@given(json_values.filter(count_keys), st.data())
def test_a_repeated_key_is_never_taken_for_none(tmp_path_factory, value, data):
    separators = data.draw(st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : "), (",\r", "\r:")]))
    text = json.dumps(value, separators=separators)
    colon = separators[1]
    # Repeat an object's first key: after some "{" that begins an object, that is, that stands before a key.
    places = [place for place in range(len(text)) if text.startswith("{" + '"', place)]
    for place in places:
        try:
            key, _ = json.decoder.scanstring(text, place + 2)
        except json.JSONDecodeError:
            continue
        repeated = text[: place + 1] + json.dumps(key) + colon + "0" + separators[0] + text[place + 1 :]
        try:
            loaded = json.loads(repeated)
        except json.JSONDecodeError:
            continue  # the brace stood in a text
        if loaded != value:
            continue
        path = tmp_path_factory.mktemp("lines") / "file.jsonl"
        path.write_text(repeated)
        (block,) = read_json_lines(path)
        assert not block.have_only(count_keys(value))
        with pytest.raises(InputFileError, match=r"line 1: the key .* stands twice"):
            list(block.strict())


def test_keys_are_counted_without_parsing_again(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text('{"a": 1, "b": {"c": "x: y"}}\n{"a": []}\n')
    (block,) = read_json_lines(path)
    assert (block.have_only(4), block.have_only(3)) == (True, False)


def test_many_lines(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text("".join(f'{{"id": {number}}}\n' for number in range(10_000)))
    assert read_all(path) == [(number + 1, {"id": number}) for number in range(10_000)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 9001: not valid JSON"),
        ("{} {}", "line 9001: .*Extra data"),
        ("NaN", "line 9001: NaN"),
        ("1e999", "1e999"),
    ],
)
def test_faulty_line_among_many(tmp_path, line, message):
    path = tmp_path / "file.jsonl"
    path.write_text("{}\n" * 9000 + line + "\n{}\n")
    with pytest.raises(InputFileError, match=message):
        read_all(path)


def test_long_line(tmp_path, monkeypatch):
    monkeypatch.setattr(jsontext, "MAX_LINE_CHARACTERS", 100_000)
    path = tmp_path / "file.jsonl"
    path.write_text('"' + "x" * 90_000 + '"\n')
    assert len(read_all(path)[0][1]) == 90_000
    path.write_text('1\n"' + "x" * 120_000 + '"\n')
    with pytest.raises(InputFileError, match="line 2: is longer than 100,000 characters"):
        read_all(path)
