"""What every metric must do, whatever it measures: its module on rows worked out by hand, and all its surfaces on drawn ones."""

import contextlib
import copy
import csv
import io
import json
import pickle
import tempfile
from importlib import import_module
from pathlib import Path

import evaluate
import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

import tricord
from contract import contract_of
from tricord.modules.loading import module_path
from tricord.tasks import MODULE_NAMES, task_of_module

each_module = pytest.mark.parametrize("module", MODULE_NAMES)


@pytest.fixture
def metric(module):
    return tricord.load(module)


@pytest.fixture
def example(module):
    return contract_of(module).example


# The module. What the common base does with rows is tested on one module in modules/test_base.py.


@each_module
def test_describes_itself(metric, example):
    assert metric.description.strip()
    assert metric.citation.strip().startswith("@")
    for name in (*example.columns, *example.scores, *example.compute_options, *example.options):
        assert f"    {name}: " in metric.inputs_description
    assert set(metric.features) == set(example.columns)


@each_module
def test_scores_by_hand_in_every_way_to_give_rows(metric, module, example):
    assert metric.compute(**example.columns) == example.scores
    assert tricord.load(module, **example.options).compute(**example.columns) == example.scores
    assert evaluate.load(str(module_path(module))).compute(**example.columns) == example.scores
    for start in range(0, example.size, 2):
        metric.add_batch(**example.rows(*range(start, min(start + 2, example.size))))
    assert metric.compute() == example.scores
    for number in range(example.size):
        metric.add(**example.single(number))
    assert metric.compute() == example.scores
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(example.size)
        assert metric.compute(**example.rows(*order)) == example.scores


@each_module
def test_results_are_plain(metric, module, example):
    columns = copy.deepcopy(example.columns)
    result = metric.compute(**columns)
    assert columns == example.columns
    assert {type(value) for value in result.values()} <= {int, float}
    detailed = metric.compute(**columns, **example.compute_options)
    assert detailed.items() >= example.scores.items()
    assert json.loads(json.dumps(detailed)) == detailed
    assert module.startswith(detailed["signature"].partition("|")[0])
    assert detailed["signature"].endswith(f"|version:{tricord.__version__}")


@each_module
def test_copies_and_combinations(metric, module, example):
    for twin in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert twin.compute(**example.columns) == example.scores
    assert evaluate.combine([tricord.load(module)]).compute(**example.columns) == example.scores


@each_module
def test_bad_values_and_rows_are_named_and_leave_nothing_behind(metric, example):
    singular = {"predictions": "prediction", "references": "reference"}
    for column, value in example.bad_values.items():
        columns = copy.deepcopy(example.columns)
        columns[column][2] = value
        for call in (metric.compute, metric.add_batch):
            with pytest.raises(tricord.ValidationError) as error:
                call(**columns)
            assert f"{column}[2]" in str(error.value)
            assert repr(value) in str(error.value)
            assert "\n" not in str(error.value)
        with pytest.raises(tricord.ValidationError, match=column):
            metric.add(**{**example.single(2), singular.get(column, column): value})
    if example.bad_rows is not None:
        with pytest.raises(tricord.ValidationError):
            metric.compute(**example.bad_rows)
    assert metric.compute(**example.columns) == example.scores


@each_module
def test_columns_that_are_missing_or_do_not_fit(metric, example):
    for column, values in example.columns.items():
        with pytest.raises(tricord.ValidationError, match=f"unequal.*`{column}` has {example.size - 1}"):
            metric.compute(**{**example.columns, column: values[:-1]})
        for value in (7, "text", {"a": 1}, np.zeros((example.size, 4))):
            with pytest.raises(tricord.ValidationError, match=column):
                metric.compute(**{**example.columns, column: value})
        if column not in example.optional:
            with pytest.raises(tricord.ValidationError, match=f"Missing.*{column}"):
                metric.compute(**{**example.columns, column: None})
    assert metric.compute(**example.columns) == example.scores


# All surfaces: library, module, command, page, endpoint and hook.


def written(files, folder):
    """Write the files; give their paths by what they are."""
    paths = {}
    for kind, (name, text) in files.items():
        paths[kind] = str(Path(folder, name))
        Path(paths[kind]).write_bytes(text.encode())
    return paths


def flat(report):
    """Give the figures of a report by name, wherever in it they stand: `{"a": {"f1": 1.0}}` holds `a_f1` and `f1`."""
    found = {}
    for name, value in report.items():
        for inner, own in value.items() if isinstance(value, dict) else ():
            found |= {f"{name}_{inner}": own, inner: own}
    return {**found, **report}


def by_command(module, paths, folder):
    """Score on the command line: what `--format csv` prints, and what `--output` writes."""
    output, printed = Path(folder, "report.json"), io.StringIO()
    command = import_module(task_of_module(module).part("cli"))
    files = ["--gold", paths["gold"], "--predictions", paths["predictions"]]
    with contextlib.redirect_stdout(printed):
        assert command.main(["score", *files, "--format", "csv", "--output", str(output)]) == 0
    (row,) = csv.DictReader(io.StringIO(printed.getvalue()))
    return row, json.loads(output.read_text("utf-8"))


def by_page(module, inputs, paths):
    """Score as the endpoint that takes plain values, and as the page scores files."""
    from tricord.spaces.app import page_of

    page, names = page_of(module), contract_of(module).uploads
    uploads = {names[kind]: path for kind, path in paths.items()}
    choices = {choice.name: choice.value for choice in page.choices}
    scored = page.score_files(*(uploads.get(upload.name) for upload in page.uploads), **choices)
    return page.endpoint(**inputs.values), scored.report(), scored.signature


@each_module
@settings(max_examples=25)
@given(st.data())
def test_all_surfaces_give_the_same_figures_and_signature(module, data):
    pytest.importorskip("gradio", reason="the pages need gradio")
    inputs = data.draw(contract_of(module).inputs)
    package = import_module(task_of_module(module).package)
    with tempfile.TemporaryDirectory() as folder:
        paths = written(inputs.files, folder)
        report = package.score(paths["gold"], paths["predictions"])
        row, output = by_command(module, paths, folder)
        endpoint, page, signature = by_page(module, inputs, paths)
        bound = None
        if inputs.hook is not None:
            expected = package.score(paths["gold"], paths["predictions"], **inputs.hook_options)
            bound, called_with = inputs.hook()
            hooked = bound(called_with)

    detailed = tricord.load(module).compute(**inputs.columns, detailed=True)
    assert detailed["signature"] == row.pop("signature") == output["signature"] == report.signature
    assert endpoint["signature"] == page["signature"] == signature == report.signature
    assert {name: float(value) for name, value in row.items()} == report.figures()
    assert output == json.loads(json.dumps(report.to_dict()))

    known = flat(report.to_dict()) | report.figures()
    wanted = contract_of(module).example.scores.keys()
    for surface in (detailed, flat(endpoint), flat(page)):
        assert {name: surface[name] for name in wanted if name in known} == {
            name: known[name] for name in wanted if name in known
        }
    assert wanted <= known.keys()
    if bound is not None:
        assert bound.report.signature == expected.signature
        assert hooked.items() >= expected.figures().items()


@each_module
def test_the_command_opens_each_file_once(module, tmp_path, opened):
    paths = written(find(contract_of(module).inputs, lambda _: True).files, tmp_path)
    opened.clear()
    by_command(module, paths, tmp_path)
    assert [opened.count(path) for path in paths.values()] == [1] * len(paths)


@each_module
@settings(max_examples=25)
@given(st.data())
def test_sums_over_units_give_the_figures(module, data):
    inputs = data.draw(contract_of(module).inputs)
    package = import_module(task_of_module(module).package)
    with tempfile.TemporaryDirectory() as folder:
        report = package.score(*written(inputs.files, folder).values())
    units = report.units
    sums = units.addends.sum(axis=0)
    found = units.figures(np.stack([sums, 2 * sums]))
    assert len(units.ids) == len(units.clusters) == len(units.addends) == len(set(units.ids))
    assert found.keys() == report.figures().keys()
    for name, value in report.figures().items():
        # Sums of floats in another order; of counts there is nothing to round.
        rounding = 0 if units.addends.dtype.kind == "i" else 1e-12 * max(1, abs(value))
        assert found[name].shape == (2,)
        assert abs(found[name] - value).max() <= rounding
