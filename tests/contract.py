"""What the tests know of each metric, and how they find it.

A task describes its metrics in `tests/<task>/contract.py`, as a mapping `CONTRACTS` of module name to `Contract`; every test that
holds for all metrics (`test_contract.py`) then runs on them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from hypothesis.strategies import SearchStrategy

from tricord.tasks import task_of_module


@dataclass(frozen=True)
class Example:
    """Valid rows for a module with their scores, worked out by hand, and ways to spoil them.

    Attributes:
        columns: JSON values, at least three rows.
        scores: What `compute` gives for them.
        bad_values: For columns that are checked value by value: a value that no row may have.
        bad_rows: Columns that pass row by row, but not as a whole; None where there are none.
        optional: Columns that may be left out.
        options: Options that `load` takes, and that leave the scores as they are.
        compute_options: Options that `compute` takes.
    """

    columns: dict[str, list[Any]]
    scores: dict[str, float]
    bad_values: dict[str, Any]
    bad_rows: dict[str, list[Any]] | None = None
    optional: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    compute_options: dict[str, Any] = field(default_factory=lambda: {"detailed": True})

    @property
    def size(self) -> int:
        return len(self.columns["predictions"])

    def rows(self, *numbers: int) -> dict[str, list[Any]]:
        """Take some rows of every column."""
        return {name: [values[number] for number in numbers] for name, values in self.columns.items()}

    def single(self, number: int) -> dict[str, Any]:
        """Take a row as `add` wants it: `prediction` and `reference` in the singular."""
        singular = {"predictions": "prediction", "references": "reference"}
        return {singular.get(name, name): values[number] for name, values in self.columns.items()}


@dataclass(frozen=True)
class Inputs:
    """One gold standard and one set of predictions, in the form of every surface.

    Attributes:
        columns: For the module.
        files: For the library, the command and the page: the name and text of the files `gold` and `predictions`.
        values: For the endpoint.
        hook: Makes the bound hook and what it is called with; None where the task's hooks score something else.
        hook_options: The options under which the library scores as the hook does.
    """

    columns: Mapping[str, Any]
    files: Mapping[str, tuple[str, str]]
    values: Mapping[str, Any]
    hook: Callable[[], tuple[Any, Any]] | None = None
    hook_options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Contract:
    """One metric.

    Attributes:
        example: Rows with scores worked out by hand.
        inputs: Draws valid gold standards and predictions.
        uploads: What the page calls the files `gold` and `predictions`.
    """

    example: Example
    inputs: SearchStrategy[Inputs]
    uploads: Mapping[str, str] = field(default_factory=lambda: {"gold": "gold", "predictions": "predictions"})


def contract_of(module: str) -> Contract:
    """Find the contract of a module."""
    return import_module(f"{task_of_module(module).name}.contract").CONTRACTS[module]
