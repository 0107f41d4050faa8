"""The common base of the modules, tried on one of them that uses all that it offers; `test_contract.py` tries them all."""

import copy
import json
import os
import pickle
import subprocess
import sys
import threading
import time

import evaluate
import numpy as np
import pytest

import tricord
from contract import contract_of
from tricord.modules.loading import module_path

# Loads a pickled module in a process that has never seen it and whose Hugging Face home cannot be written.
FRESH_PROCESS = """
import json, pickle, sys
import evaluate
columns = json.load(open(sys.argv[2]))
metric = pickle.load(open(sys.argv[1], "rb"))
print(json.dumps([metric.compute(**columns), evaluate.load(sys.argv[3]).compute(**columns)]))
"""


MODULE = "dico_nli"
EXAMPLE = contract_of(MODULE).example


def add_rows(metric):
    for number in range(EXAMPLE.size):
        metric.add(**EXAMPLE.single(number))


@pytest.fixture
def metric():
    return tricord.load(MODULE)


# Loading


def test_loads_by_path_as_by_name(metric):
    by_path = evaluate.load(str(module_path(MODULE)))
    assert by_path.name == metric.name == MODULE
    assert by_path.compute(**EXAMPLE.columns) == metric.compute(**EXAMPLE.columns)


@pytest.mark.parametrize("options", [{"lable_names": []}, {"normalize": True}])
def test_unknown_option_is_named(options):
    with pytest.raises(tricord.ValidationError, match=next(iter(options))):
        tricord.load(MODULE, **options)


def test_unknown_configuration():
    with pytest.raises(tricord.ValidationError, match="'special'"):
        evaluate.load(str(module_path(MODULE)), "special")


def test_options_at_load():
    assert tricord.load(MODULE, **EXAMPLE.options).compute(**EXAMPLE.columns) == EXAMPLE.scores


# Ways to give rows


@pytest.mark.parametrize("size", [1, 2, 100])
def test_batches(metric, size):
    for start in range(0, EXAMPLE.size, size):
        metric.add_batch(**EXAMPLE.rows(*range(start, min(start + size, EXAMPLE.size))))
    assert metric.compute() == EXAMPLE.scores


def test_single_rows(metric):
    add_rows(metric)
    assert metric.compute() == EXAMPLE.scores


def test_rows_added_before_count_with_those_of_compute(metric):
    metric.add(**EXAMPLE.single(0))
    metric.add_batch(**EXAMPLE.rows(1))
    assert metric.compute(**EXAMPLE.rows(*range(2, EXAMPLE.size))) == EXAMPLE.scores


def test_one_instance_scores_again_and_again(metric):
    for _ in range(3):
        assert metric.compute(**EXAMPLE.columns) == EXAMPLE.scores


def test_instances_do_not_disturb_each_other(metric):
    other = tricord.load(MODULE)
    metric.add_batch(**EXAMPLE.rows(*range(1, EXAMPLE.size)))
    assert other.compute(**EXAMPLE.columns) == EXAMPLE.scores
    metric.add_batch(**EXAMPLE.rows(0))
    assert metric.compute() == EXAMPLE.scores


def test_instances_in_threads():
    metrics = [tricord.load(MODULE) for _ in range(4)]
    results = []
    threads = [
        threading.Thread(target=lambda metric=metric: results.append(metric.compute(**EXAMPLE.columns)))
        for metric in metrics
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [EXAMPLE.scores] * 4


def test_two_processes_share_their_rows(tmp_path):
    results = {}

    def work(process_id, *rows):
        metric = tricord.load(
            MODULE,
            num_process=2,
            process_id=process_id,
            experiment_id="shared",
            cache_dir=str(tmp_path),
            timeout=20,
        )
        metric.add_batch(**EXAMPLE.rows(*rows))
        results[process_id] = metric.compute()

    half = EXAMPLE.size // 2
    threads = [
        threading.Thread(target=work, args=(0, *range(half))),
        threading.Thread(target=work, args=(1, *range(half, EXAMPLE.size))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: EXAMPLE.scores, 1: None}


def test_random_state_of_numpy_is_left_alone(metric):
    np.random.seed(7)
    expected = np.random.random()
    np.random.seed(7)
    metric.compute(**EXAMPLE.columns)
    assert np.random.random() == expected


# Results


@pytest.mark.process
def test_saving(metric, tmp_path):
    evaluate.save(tmp_path / "result.json", **metric.compute(**EXAMPLE.columns))
    saved = json.loads((tmp_path / "result.json").read_text())
    assert {name: saved[name] for name in EXAMPLE.scores} == EXAMPLE.scores


def test_combining():
    combined = evaluate.combine([tricord.load(MODULE)])
    assert combined.compute(**EXAMPLE.columns) == EXAMPLE.scores
    combined.add_batch(**EXAMPLE.columns)
    assert combined.compute() == EXAMPLE.scores
    for number in range(EXAMPLE.size):
        combined.add(**EXAMPLE.single(number))
    assert combined.compute() == EXAMPLE.scores


def test_combining_by_path():
    combined = evaluate.combine([str(module_path(MODULE))])
    assert combined.compute(**EXAMPLE.columns) == EXAMPLE.scores


# Copies


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda metric: pickle.loads(pickle.dumps(metric))])
def test_copies(duplicate):
    metric = tricord.load(MODULE, **EXAMPLE.options)
    for _ in range(2):
        twin = duplicate(metric)
        assert twin is not metric
        assert twin.compute(**EXAMPLE.columns) == EXAMPLE.scores
        assert metric.compute(**EXAMPLE.columns) == EXAMPLE.scores


def test_copy_of_an_instance_that_holds_rows_is_refused(metric):
    metric.add_batch(**EXAMPLE.columns)
    with pytest.raises(tricord.ValidationError, match=f"{EXAMPLE.size} rows"):
        pickle.dumps(metric)
    assert metric.compute() == EXAMPLE.scores


@pytest.mark.process
def test_fresh_process_with_a_home_that_cannot_be_written(metric, tmp_path):
    (tmp_path / "metric").write_bytes(pickle.dumps(metric))
    (tmp_path / "columns").write_text(json.dumps(EXAMPLE.columns))
    (tmp_path / "file").write_text("no folder can be made below a file, not even by root")
    folder = str(module_path(MODULE))
    done = subprocess.run(
        [sys.executable, "-c", FRESH_PROCESS, tmp_path / "metric", tmp_path / "columns", folder],
        env=os.environ | {"HF_HOME": str(tmp_path / "file" / "home"), "HF_MODULES_CACHE": str(tmp_path / "modules")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [EXAMPLE.scores] * 2


# Bad input: a message that names the place, then work goes on at once


def rejected(metric, *parts, call="compute", **columns):
    """Check that columns are rejected with a message holding `parts`, and that nothing of them stays."""
    held = len(metric)
    with pytest.raises(tricord.ValidationError) as error:
        getattr(metric, call)(**columns)
    for part in parts:
        assert part in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert len(metric) in (0, held)
    assert metric.compute(**EXAMPLE.columns) == EXAMPLE.scores
    return str(error.value)


def test_work_goes_on_at_once_after_an_error(metric):
    column, value = next(iter(EXAMPLE.bad_values.items()))
    spoilt = [{**EXAMPLE.columns, column: [value] * EXAMPLE.size}]
    spoilt += [EXAMPLE.bad_rows] if EXAMPLE.bad_rows else []
    for columns in spoilt:
        waits = []
        for _ in range(3):
            with pytest.raises(tricord.ValidationError):
                metric.compute(**columns)
            start = time.perf_counter()
            assert metric.compute(**EXAMPLE.columns) == EXAMPLE.scores
            waits.append(time.perf_counter() - start)
        # A lock that the error leaves behind makes evaluate wait for one second, each time.
        assert min(waits) < 0.9


@pytest.mark.parametrize("call", ["compute", "add_batch"])
def test_bad_value_is_named_with_its_row(metric, call):
    for column, value in EXAMPLE.bad_values.items():
        columns = copy.deepcopy(EXAMPLE.columns)
        columns[column][2] = value
        rejected(metric, f"{column}[2]", repr(value), call=call, **columns)


def test_bad_single_value(metric):
    for column, value in EXAMPLE.bad_values.items():
        row = EXAMPLE.single(2)
        row[{"predictions": "prediction", "references": "reference"}.get(column, column)] = value
        rejected(metric, column, repr(value), call="add", **row)


def test_bad_batch_keeps_the_rows_added_before(metric):
    column, value = next(iter(EXAMPLE.bad_values.items()))
    metric.add_batch(**EXAMPLE.rows(0))
    with pytest.raises(tricord.ValidationError):
        metric.add_batch(**{**EXAMPLE.rows(1, 2), column: [EXAMPLE.columns[column][1], value]})
    metric.add_batch(**EXAMPLE.rows(*range(1, EXAMPLE.size)))
    assert metric.compute() == EXAMPLE.scores


def test_rows_that_do_not_fit_together(metric):
    if EXAMPLE.bad_rows is None:
        pytest.skip("every row of this module stands for itself")
    rejected(metric, **EXAMPLE.bad_rows)
    metric.add_batch(**EXAMPLE.bad_rows)
    rejected(metric)


def test_nothing_to_score(metric):
    rejected(metric, "no rows")
    rejected(metric, "no rows", **{name: [] for name in EXAMPLE.columns})
    metric.add_batch(**{name: [] for name in EXAMPLE.columns})
    rejected(metric, "no rows")


def test_unequal_lengths(metric):
    for column, values in EXAMPLE.columns.items():
        rejected(
            metric,
            "unequal",
            f"`{column}` has {EXAMPLE.size - 1}",
            **{**EXAMPLE.columns, column: values[:-1]},
        )


@pytest.mark.parametrize("call", ["compute", "add_batch"])
@pytest.mark.parametrize("given_as_none", [False, True])
def test_missing_columns(metric, call, given_as_none):
    for column in EXAMPLE.columns.keys() - set(EXAMPLE.optional):
        columns = {name: values for name, values in EXAMPLE.columns.items() if name != column}
        rejected(metric, "Missing", column, call=call, **columns, **({column: None} if given_as_none else {}))


def test_unknown_column_is_answered_with_the_known_ones(metric):
    message = rejected(metric, "'sample_weight'", **EXAMPLE.columns, sample_weight=[1] * EXAMPLE.size)
    assert all(column in message for column in EXAMPLE.columns)
    rejected(metric, "'sample_weight'", call="add", **EXAMPLE.single(0), sample_weight=1)


def test_option_of_compute_is_none_of_add_batch(metric):
    for option, value in EXAMPLE.compute_options.items():
        rejected(metric, repr(option), call="add_batch", **EXAMPLE.columns, **{option: value})


def test_two_dimensions(metric):
    for column in EXAMPLE.columns:
        logits = np.zeros((EXAMPLE.size, 4))
        rejected(metric, column, f"({EXAMPLE.size}, 4)", **{**EXAMPLE.columns, column: logits})


def test_columns_must_be_named(metric):
    with pytest.raises(TypeError):
        metric.compute(*EXAMPLE.columns.values())
