"""Exit statuses, the error line, JSON and tables."""

import json

import pytest

from tricord import InputFileError, OutputError, ValidationError
from tricord.outputs import to_json
from tricord.terminal import format_table, run


def _raise(error):
    def command():
        raise error

    return command


def test_success(capsys):
    assert run(lambda: print("result")) == 0
    assert capsys.readouterr() == ("result\n", "")


@pytest.mark.parametrize("kind", [InputFileError, ValidationError, OutputError])
def test_rejected_input_is_one_line(capsys, kind):
    assert run(_raise(kind("a\nb\r\nc"))) == 2
    assert capsys.readouterr() == ("", "SCORING_ERROR: a\\nb\\r\\nc\n")


def test_no_memory(capsys):
    assert run(_raise(MemoryError())) == 2
    assert capsys.readouterr().err.startswith("SCORING_ERROR: ")


def test_interruption(capsys):
    assert run(_raise(KeyboardInterrupt())) == 130
    assert capsys.readouterr() == ("", "")


def test_printing_that_fails(capsys):
    assert run(_raise(OSError(28, "No space left on device"))) == 2
    assert capsys.readouterr().err == "SCORING_ERROR: the result cannot be printed (No space left on device)\n"


def test_faults_of_the_program_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run(lambda: print(1 / 0))


def test_json_has_sorted_keys_and_two_spaces():
    assert to_json({"b": [1], "a": {"ñ": 0.1}}) == '{\n  "a": {\n    "\\u00f1": 0.1\n  },\n  "b": [\n    1\n  ]\n}\n'


def test_json_keeps_every_digit():
    assert json.loads(to_json([0.26963821098074553])) == [0.26963821098074553]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_json_has_no_place_for_what_is_not_finite(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json({"score": value})


def test_table():
    assert format_table(["name", "n"], [["a", 1], ["long name", 20]]) == (
        "name        n\n---------  --\na           1\nlong name  20"
    )


def test_table_without_rows():
    assert format_table(["name", "n"], []) == "name  n\n----  -"


def test_table_of_uneven_rows():
    with pytest.raises(ValueError, match="zip"):
        format_table(["a", "b"], [[1]])
