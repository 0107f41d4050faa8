"""Parity fixtures: values of the statistics computed elsewhere, and the harness that holds the library to them.

A fixture is a file `parity_*.json` that holds `{"function": NAME, "cases": [{"args": [...], "expected": ...}]}`. NaN is
the exact string "NaN", a missing vote is null.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricord.commonground import scores, statistics
from tricord.errors import InputFileError, ValidationError, quoted, some_of
from tricord.inputs.jsontext import read_json

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["FUNCTIONS", "REQUIRED", "TOLERANCE", "Fixture", "check_case", "read_fixtures", "run_parity"]

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        statistics.prop_test,
        statistics.two_prop_test,
        statistics.comment_stats,
        statistics.rating_to_vote,
        statistics.vote_entropy,
        statistics.cluster_separation,
        scores.vote_accuracy,
        scores.brier_score,
        scores.probability_reward,
        scores.brier_skill_score,
    )
}
"""What a fixture may test, by name."""

REQUIRED = ("prop_test", "two_prop_test", "comment_stats", "rating_to_vote")
"""Functions without a fixture of which the harness does not run."""

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Fixture:
    """One fixture file.

    Attributes:
        path: The file.
        function: The name of the function that it tests.
        cases: Pairs of positional arguments and the expected result, NaN decoded.
    """

    path: Path
    function: str
    cases: Sequence[tuple[list[Any], Any]]


def read_fixtures(folder: StrPath, *, required: Sequence[str] = REQUIRED) -> list[Fixture]:
    """Read all `parity_*.json` of a folder.

    Args:
        folder: Where they are.
        required: Functions that must have at least one fixture.

    Returns:
        The fixtures, by file name.

    Raises:
        InputFileError: There is no such folder, or a file in it is not such a fixture.
        ValidationError: A required function has no fixture.
    """
    if not Path(folder).is_dir():
        problem = "is a file; expected a folder" if Path(folder).exists() else "no such folder"
        raise InputFileError(f"{folder}: {problem}")
    fixtures = [_read_fixture(path) for path in sorted(Path(folder).glob("parity_*.json"))]
    if missing := [name for name in required if name not in {fixture.function for fixture in fixtures}]:
        raise ValidationError(
            f"{folder}: no parity fixture for {some_of(missing)}; expected a file parity_*.json for each"
        )
    return fixtures


def _read_fixture(path: Path) -> Fixture:
    content = read_json(path)
    if not isinstance(content, dict) or set(content) != {"function", "cases"} or not isinstance(content["cases"], list):
        raise InputFileError(f'{path}: expected {{"function": NAME, "cases": [...]}}, got {quoted(content)}')
    if not isinstance(content["function"], str) or content["function"] not in FUNCTIONS:
        raise InputFileError(f"{path}: unknown function {quoted(content['function'])}; known: {', '.join(FUNCTIONS)}")
    if not content["cases"]:
        raise InputFileError(f"{path}: has no cases")
    for row, case in enumerate(content["cases"]):
        if not isinstance(case, dict) or set(case) != {"args", "expected"} or not isinstance(case["args"], list):
            raise InputFileError(
                f'{path}: cases[{row}]: expected {{"args": [...], "expected": ...}}, got {quoted(case)}'
            )
    cases = [(_decoded(case["args"]), _decoded(case["expected"])) for case in content["cases"]]
    return Fixture(path, content["function"], cases)


def _decoded(value: Any) -> Any:
    """Put NaN where the fixture has the string "NaN", however deep."""
    if isinstance(value, list):
        return [_decoded(item) for item in value]
    if isinstance(value, dict):
        return {key: _decoded(item) for key, item in value.items()}
    return math.nan if value == "NaN" else value


def run_parity(fixtures: Sequence[Fixture], functions: Mapping[str, Callable[..., Any]] = FUNCTIONS) -> list[str]:
    """Run every case.

    Args:
        fixtures: From `read_fixtures`.
        functions: What to run by name: the library, or another implementation that is to be held to the same values.

    Returns:
        One line for each case that fails: file, case, function, and what was found and expected.
    """
    return [
        f"{fixture.path.name}: cases[{row}]: {problem}"
        for fixture in fixtures
        for row, (arguments, expected) in enumerate(fixture.cases)
        if (problem := check_case(functions[fixture.function], arguments, expected))
    ]


def check_case(function: Callable[..., Any], arguments: Sequence[Any], expected: Any) -> str:
    """Run one case; give what is wrong, the empty string where nothing is.

    Example:
        >>> check_case(max, [1, 2], 2.0000000001), check_case(max, [1, 2], 3)
        ('', 'max(1, 2): expected 3, got 2')
    """
    try:
        found = function(*arguments)
    except Exception as error:
        found = error
    if _matches(found, expected):
        return ""
    name = getattr(function, "__name__", "function")
    return f"{name}({', '.join(map(quoted, arguments))}): expected {quoted(expected)}, got {quoted(found)}"


def _matches(found: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return (
            isinstance(found, Mapping)
            and found.keys() == expected.keys()
            and all(_matches(found[key], value) for key, value in expected.items())
        )
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not isinstance(expected, (int, float)):
        return False
    try:
        return (math.isnan(found) and math.isnan(expected)) or abs(found - expected) <= TOLERANCE
    except OverflowError:
        return False  # a whole number that no float comes near
