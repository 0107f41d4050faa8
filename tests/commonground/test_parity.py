import importlib.util
import json
import math
from pathlib import Path

import pytest

from tricord.commonground.parity import FUNCTIONS, REQUIRED, TOLERANCE, check_case, read_fixtures, run_parity
from tricord.errors import InputFileError, ValidationError

GOOD = {"function": "prop_test", "cases": [{"args": [0, 1], "expected": 0.0}]}


def write(folder, name, content):
    (folder / f"parity_{name}.json").write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.fixture
def fixtures_folder():
    return Path(__file__).parents[1] / "fixtures"


def test_own_fixtures_hold_for_every_function(fixtures_folder):
    fixtures = read_fixtures(fixtures_folder, required=list(FUNCTIONS))
    assert {fixture.function for fixture in fixtures} == set(FUNCTIONS)
    assert run_parity(fixtures) == []


def test_shared_fixtures_hold_to_the_last_digit(shared_data):
    fixtures = read_fixtures(shared_data / "commonground")
    assert run_parity(fixtures) == []
    for fixture in fixtures:
        for arguments, expected in fixture.cases:
            assert FUNCTIONS[fixture.function](*arguments) == expected


def test_own_fixtures_are_what_the_generator_writes(fixtures_folder):
    spec = importlib.util.spec_from_file_location("make_parity_fixtures", fixtures_folder / "make_parity_fixtures.py")
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    made = dict(generator.fixtures())
    assert made.keys() == {path.name for path in fixtures_folder.glob("parity_*.json")}
    for name, text in made.items():
        assert (fixtures_folder / name).read_text() == text


@pytest.mark.parametrize("missing", REQUIRED)
def test_missing_fixture_is_an_error(tmp_path, missing):
    for name in REQUIRED:
        if name != missing:
            write(tmp_path, name, GOOD | {"function": name})
    with pytest.raises(ValidationError, match=f"no parity fixture for '{missing}'"):
        read_fixtures(tmp_path)


def test_folder_that_is_not_there(tmp_path):
    with pytest.raises(ValidationError, match="prop_test"):
        read_fixtures(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "{",
        '{"function": "prop_test"}',
        '{"function": "prop_test", "cases": {}}',
        '{"function": "prop_test", "cases": []}',
        '{"function": "median", "cases": [{"args": [], "expected": 0}]}',
        '{"function": "prop_test", "cases": [{"args": 1, "expected": 0}]}',
        '{"function": "prop_test", "cases": [{"args": []}]}',
        '{"function": "prop_test", "cases": [{"args": [NaN], "expected": 0}]}',
        '{"function": ["prop_test"], "cases": [1]}',
    ],
)
def test_what_is_no_fixture_is_named(tmp_path, content):
    write(tmp_path, "x", content)
    with pytest.raises(InputFileError, match=r"parity_x\.json"):
        read_fixtures(tmp_path, required=())


def test_nan_is_the_exact_string(tmp_path):
    write(
        tmp_path, "x", {"function": "rating_to_vote", "cases": [{"args": ["NaN"], "expected": {"a": ["NaN", "nan"]}}]}
    )
    [fixture] = read_fixtures(tmp_path, required=())
    [(arguments, expected)] = fixture.cases
    assert math.isnan(arguments[0])
    assert math.isnan(expected["a"][0])
    assert expected["a"][1] == "nan"


@pytest.mark.parametrize(
    ("found", "expected", "equal"),
    [
        (1.0, 1, True),
        (1.0, 1 + TOLERANCE / 2, True),
        (1.0, 1 + TOLERANCE * 2, False),
        (math.nan, math.nan, True),
        (math.nan, 0.0, False),
        (True, 1, False),
        ("1", 1, False),
        ({"a": 1.0}, {"a": 1}, True),
        ({"a": 1.0, "b": 1}, {"a": 1}, False),
        ({}, {"a": 1}, False),
        (1.0, {"a": 1}, False),
        ({"a": 1}, 1, False),
    ],
)
def test_comparison(found, expected, equal):
    assert (check_case(lambda: found, [], expected) == "") is equal


def test_failures_are_listed(tmp_path):
    write(
        tmp_path,
        "x",
        {"function": "prop_test", "cases": [{"args": [0, 1], "expected": 0.5}, {"args": [2, 1], "expected": 0}]},
    )
    problems = run_parity(read_fixtures(tmp_path, required=()))
    assert problems[0] == "parity_x.json: cases[0]: prop_test(0, 1): expected 0.5, got 0.0"
    assert "2 successes in 1 trials" in problems[1]
