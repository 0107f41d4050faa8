"""What every evaluate module of the package must do, whatever it measures.

A test file derives a `Test...` class from `ModuleChecks` and gives it an `Example`; pytest then runs all of these on it.
"""

import copy
import json
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import evaluate
import numpy as np
import pytest

import tricord
from tricord.modules.loading import module_path

# Loads a pickled module in a process that has never seen it and whose Hugging Face home cannot be written.
FRESH_PROCESS = """
import json, pickle, sys
import evaluate
columns = json.load(open(sys.argv[2]))
metric = pickle.load(open(sys.argv[1], "rb"))
print(json.dumps([metric.compute(**columns), evaluate.load(sys.argv[3]).compute(**columns)]))
"""


@dataclass(frozen=True)
class Example:
    """Valid rows for a module with their scores, worked out by hand, and ways to spoil them.

    Attributes:
        module: The module's name.
        columns: JSON values, at least three rows.
        scores: What `compute` gives for them.
        bad_values: For columns that are checked value by value: a value that no row may have.
        bad_rows: Columns that pass row by row, but not as a whole; None where there are none.
        optional: Columns that may be left out.
        options: Options that `load` takes, and that leave the scores as they are.
        compute_options: Options that `compute` takes.
    """

    module: str
    columns: dict[str, list[Any]]
    scores: dict[str, float]
    bad_values: dict[str, Any]
    bad_rows: dict[str, list[Any]] | None = None
    optional: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    compute_options: dict[str, Any] = field(default_factory=dict)

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


def add_rows(metric, example):
    for number in range(example.size):
        metric.add(**example.single(number))


class ModuleChecks:
    """The checks; `example` is given by the derived class."""

    example: Example

    @pytest.fixture
    def metric(self):
        return tricord.load(self.example.module)

    # Loading

    def test_loads_by_path_as_by_name(self, metric):
        by_path = evaluate.load(str(module_path(self.example.module)))
        assert by_path.name == metric.name == self.example.module
        assert by_path.compute(**self.example.columns) == metric.compute(**self.example.columns)

    def test_describes_itself(self, metric):
        assert metric.description.strip()
        assert metric.citation.strip().startswith("@")
        for column in self.example.columns:
            assert f"    {column}: " in metric.inputs_description
        for score in self.example.scores:
            assert f"    {score}: " in metric.inputs_description
        assert set(metric.features) == set(self.example.columns)

    @pytest.mark.parametrize("options", [{"lable_names": []}, {"normalize": True}])
    def test_unknown_option_is_named(self, options):
        with pytest.raises(tricord.ValidationError, match=next(iter(options))):
            tricord.load(self.example.module, **options)

    def test_unknown_configuration(self):
        with pytest.raises(tricord.ValidationError, match="'special'"):
            evaluate.load(str(module_path(self.example.module)), "special")

    def test_options_at_load(self):
        assert (
            tricord.load(self.example.module, **self.example.options).compute(**self.example.columns)
            == self.example.scores
        )

    # Ways to give rows

    def test_one_call(self, metric):
        assert metric.compute(**self.example.columns) == self.example.scores

    @pytest.mark.parametrize("size", [1, 2, 100])
    def test_batches(self, metric, size):
        for start in range(0, self.example.size, size):
            metric.add_batch(**self.example.rows(*range(start, min(start + size, self.example.size))))
        assert metric.compute() == self.example.scores

    def test_single_rows(self, metric):
        add_rows(metric, self.example)
        assert metric.compute() == self.example.scores

    def test_rows_added_before_count_with_those_of_compute(self, metric):
        metric.add(**self.example.single(0))
        metric.add_batch(**self.example.rows(1))
        assert metric.compute(**self.example.rows(*range(2, self.example.size))) == self.example.scores

    def test_order_of_rows_does_not_matter(self, metric):
        for seed in range(3):
            order = np.random.default_rng(seed).permutation(self.example.size)
            assert metric.compute(**self.example.rows(*order)) == self.example.scores

    def test_one_instance_scores_again_and_again(self, metric):
        for _ in range(3):
            assert metric.compute(**self.example.columns) == self.example.scores

    def test_columns_are_left_as_they_were(self, metric):
        columns = copy.deepcopy(self.example.columns)
        metric.compute(**columns)
        assert columns == self.example.columns

    def test_instances_do_not_disturb_each_other(self, metric):
        other = tricord.load(self.example.module)
        metric.add_batch(**self.example.rows(*range(1, self.example.size)))
        assert other.compute(**self.example.columns) == self.example.scores
        metric.add_batch(**self.example.rows(0))
        assert metric.compute() == self.example.scores

    def test_instances_in_threads(self):
        metrics = [tricord.load(self.example.module) for _ in range(4)]
        results = []
        threads = [
            threading.Thread(target=lambda metric=metric: results.append(metric.compute(**self.example.columns)))
            for metric in metrics
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [self.example.scores] * 4

    def test_two_processes_share_their_rows(self, tmp_path):
        results = {}

        def work(process_id, *rows):
            metric = tricord.load(
                self.example.module,
                num_process=2,
                process_id=process_id,
                experiment_id="shared",
                cache_dir=str(tmp_path),
                timeout=20,
            )
            metric.add_batch(**self.example.rows(*rows))
            results[process_id] = metric.compute()

        half = self.example.size // 2
        threads = [
            threading.Thread(target=work, args=(0, *range(half))),
            threading.Thread(target=work, args=(1, *range(half, self.example.size))),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == {0: self.example.scores, 1: None}

    def test_random_state_of_numpy_is_left_alone(self, metric):
        np.random.seed(7)
        expected = np.random.random()
        np.random.seed(7)
        metric.compute(**self.example.columns)
        assert np.random.random() == expected

    # Results

    def test_result_is_plain_and_flat(self, metric):
        result = metric.compute(**self.example.columns)
        assert {type(value) for value in result.values()} <= {int, float}
        assert json.loads(json.dumps(result)) == result

    def test_detailed_result(self, metric):
        result = metric.compute(**self.example.columns, **self.example.compute_options)
        assert {name: result[name] for name in self.example.scores} == self.example.scores
        assert json.loads(json.dumps(result)) == result
        assert self.example.module.startswith(result["signature"].partition("|")[0])
        assert result["signature"].endswith(f"|version:{tricord.__version__}")

    def test_saving(self, metric, tmp_path):
        evaluate.save(tmp_path / "result.json", **metric.compute(**self.example.columns))
        saved = json.loads((tmp_path / "result.json").read_text())
        assert {name: saved[name] for name in self.example.scores} == self.example.scores

    def test_combining(self):
        combined = evaluate.combine([tricord.load(self.example.module)])
        assert combined.compute(**self.example.columns) == self.example.scores
        combined.add_batch(**self.example.columns)
        assert combined.compute() == self.example.scores
        for number in range(self.example.size):
            combined.add(**self.example.single(number))
        assert combined.compute() == self.example.scores

    def test_combining_by_path(self):
        combined = evaluate.combine([str(module_path(self.example.module))])
        assert combined.compute(**self.example.columns) == self.example.scores

    # Copies

    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda metric: pickle.loads(pickle.dumps(metric))])
    def test_copies(self, duplicate):
        metric = tricord.load(self.example.module, **self.example.options)
        for _ in range(2):
            twin = duplicate(metric)
            assert twin is not metric
            assert twin.compute(**self.example.columns) == self.example.scores
            assert metric.compute(**self.example.columns) == self.example.scores

    def test_copy_of_an_instance_that_holds_rows_is_refused(self, metric):
        metric.add_batch(**self.example.columns)
        with pytest.raises(tricord.ValidationError, match=f"{self.example.size} rows"):
            pickle.dumps(metric)
        assert metric.compute() == self.example.scores

    def test_fresh_process_with_a_home_that_cannot_be_written(self, metric, tmp_path):
        (tmp_path / "metric").write_bytes(pickle.dumps(metric))
        (tmp_path / "columns").write_text(json.dumps(self.example.columns))
        (tmp_path / "file").write_text("no folder can be made below a file, not even by root")
        folder = str(module_path(self.example.module))
        done = subprocess.run(
            [sys.executable, "-c", FRESH_PROCESS, tmp_path / "metric", tmp_path / "columns", folder],
            env=os.environ
            | {"HF_HOME": str(tmp_path / "file" / "home"), "HF_MODULES_CACHE": str(tmp_path / "modules")},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == [self.example.scores] * 2

    # Bad input: a message that names the place, then work goes on at once

    def rejected(self, metric, *parts, call="compute", **columns):
        """Check that columns are rejected with a message holding `parts`, and that nothing of them stays."""
        held = len(metric)
        with pytest.raises(tricord.ValidationError) as error:
            getattr(metric, call)(**columns)
        for part in parts:
            assert part in str(error.value)
        assert len(str(error.value).splitlines()) == 1
        assert len(metric) in (0, held)
        assert metric.compute(**self.example.columns) == self.example.scores
        return str(error.value)

    def test_work_goes_on_at_once_after_an_error(self, metric):
        column, value = next(iter(self.example.bad_values.items()))
        spoilt = [{**self.example.columns, column: [value] * self.example.size}]
        spoilt += [self.example.bad_rows] if self.example.bad_rows else []
        for columns in spoilt:
            waits = []
            for _ in range(3):
                with pytest.raises(tricord.ValidationError):
                    metric.compute(**columns)
                start = time.perf_counter()
                assert metric.compute(**self.example.columns) == self.example.scores
                waits.append(time.perf_counter() - start)
            # A lock that the error leaves behind makes evaluate wait for one second, each time.
            assert min(waits) < 0.9

    @pytest.mark.parametrize("call", ["compute", "add_batch"])
    def test_bad_value_is_named_with_its_row(self, metric, call):
        for column, value in self.example.bad_values.items():
            columns = copy.deepcopy(self.example.columns)
            columns[column][2] = value
            self.rejected(metric, f"{column}[2]", repr(value), call=call, **columns)

    def test_bad_single_value(self, metric):
        for column, value in self.example.bad_values.items():
            row = self.example.single(2)
            row[{"predictions": "prediction", "references": "reference"}.get(column, column)] = value
            self.rejected(metric, column, repr(value), call="add", **row)

    def test_bad_batch_keeps_the_rows_added_before(self, metric):
        column, value = next(iter(self.example.bad_values.items()))
        metric.add_batch(**self.example.rows(0))
        with pytest.raises(tricord.ValidationError):
            metric.add_batch(**{**self.example.rows(1, 2), column: [self.example.columns[column][1], value]})
        metric.add_batch(**self.example.rows(*range(1, self.example.size)))
        assert metric.compute() == self.example.scores

    def test_rows_that_do_not_fit_together(self, metric):
        if self.example.bad_rows is None:
            pytest.skip("every row of this module stands for itself")
        self.rejected(metric, **self.example.bad_rows)
        metric.add_batch(**self.example.bad_rows)
        self.rejected(metric)

    def test_nothing_to_score(self, metric):
        self.rejected(metric, "no rows")
        self.rejected(metric, "no rows", **{name: [] for name in self.example.columns})
        metric.add_batch(**{name: [] for name in self.example.columns})
        self.rejected(metric, "no rows")

    def test_unequal_lengths(self, metric):
        for column, values in self.example.columns.items():
            self.rejected(
                metric,
                "unequal",
                f"`{column}` has {self.example.size - 1}",
                **{**self.example.columns, column: values[:-1]},
            )

    @pytest.mark.parametrize("call", ["compute", "add_batch"])
    @pytest.mark.parametrize("given_as_none", [False, True])
    def test_missing_columns(self, metric, call, given_as_none):
        for column in self.example.columns.keys() - set(self.example.optional):
            columns = {name: values for name, values in self.example.columns.items() if name != column}
            self.rejected(metric, "Missing", column, call=call, **columns, **({column: None} if given_as_none else {}))

    def test_unknown_column_is_answered_with_the_known_ones(self, metric):
        message = self.rejected(
            metric, "'sample_weight'", **self.example.columns, sample_weight=[1] * self.example.size
        )
        assert all(column in message for column in self.example.columns)
        self.rejected(metric, "'sample_weight'", call="add", **self.example.single(0), sample_weight=1)

    def test_option_of_compute_is_none_of_add_batch(self, metric):
        for option, value in self.example.compute_options.items():
            self.rejected(metric, repr(option), call="add_batch", **self.example.columns, **{option: value})

    def test_what_is_no_column(self, metric):
        for column in self.example.columns:
            for value in (7, "text", {"a": 1}):
                self.rejected(metric, column, repr(value), **{**self.example.columns, column: value})

    def test_two_dimensions(self, metric):
        for column in self.example.columns:
            logits = np.zeros((self.example.size, 4))
            self.rejected(metric, column, f"({self.example.size}, 4)", **{**self.example.columns, column: logits})

    def test_columns_must_be_named(self, metric):
        with pytest.raises(TypeError):
            metric.compute(*self.example.columns.values())


def assert_equal_scores(result: Mapping[str, Any], report: Mapping[str, Any]) -> None:
    """Check that every score of a flat result equals the one of that name in a file scorer's report."""
    flat = {**report, **report.get("classification", {}), **report.get("consistency", {})}
    assert result == {name: flat[name] for name in result}
