"""The module `dico_nli`: what is its own, beyond what every module must do."""

import datasets
import evaluate
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tricord
from dico_nli import naive, strategies
from dico_nli.contract import COLUMNS, MODEL_ORDER, SCORES
from dico_nli.naive import LABELS
from tricord import ValidationError
from tricord.dico_nli import make_reference, read_predictions, read_reference, score

IDS = {name: [LABELS.index(label) for label in COLUMNS[name]] for name in ("predictions", "references")}
MODEL_IDS = {name: [MODEL_ORDER.index(label) for label in COLUMNS[name]] for name in ("predictions", "references")}


class FakeTensor:
    """Has of a torch tensor what an evaluate module sees of it."""

    ndim = 1

    def __init__(self, values):
        self.values = list(values)

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(np.array(value) for value in self.values)

    def __getitem__(self, place):
        return FakeTensor(self.values[place]) if isinstance(place, slice) else np.array(self.values[place])

    def __eq__(self, other):
        raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")

    __bool__ = __eq__
    __hash__ = None

    def tolist(self):
        return list(self.values)


def assert_equal_scores(result, report):
    """Check that every score of a flat result equals the one of that name in a file scorer's report."""
    flat = {**report, **report["classification"], **report["consistency"]}
    assert result == {name: flat[name] for name in result}


@pytest.fixture
def metric():
    return tricord.load("dico_nli")


KINDS = {
    "tuple": tuple,
    "int64": np.array,
    "uint8": lambda values: np.array(values, dtype=np.uint8),
    "numpy scalars": lambda values: list(np.array(values)),
    "tensor-like": FakeTensor,
    "series": lambda values: pd.Series(values, index=range(10, 10 + len(values))),
    "nullable series": lambda values: pd.Series(values, dtype="Int64"),
    "datasets column": lambda values: datasets.Dataset.from_dict({"x": values})["x"],
    "ClassLabel column": lambda values: datasets.Dataset.from_dict(
        {"x": values}, features=datasets.Features({"x": datasets.ClassLabel(names=LABELS)})
    )["x"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_label_ids_of_every_kind(metric, kind):
    columns = {**COLUMNS, **{name: KINDS[kind](values) for name, values in IDS.items()}}
    assert metric.compute(**columns) == SCORES
    metric.add_batch(**columns)
    assert metric.compute() == SCORES


STRING_KINDS = {
    "numpy": np.array,
    "numpy objects": lambda values: np.array(values, dtype=object),
    "series": pd.Series,
    "string series": lambda values: pd.Series(values, dtype="string"),
    "datasets column": lambda values: datasets.Dataset.from_dict({"x": values})["x"],
    "padded": lambda values: [f" {value} " for value in values],
}


@pytest.mark.parametrize("kind", STRING_KINDS)
def test_strings_of_every_kind(metric, kind):
    assert metric.compute(**{name: STRING_KINDS[kind](values) for name, values in COLUMNS.items()}) == SCORES


def test_torch_tensors(metric):
    torch = pytest.importorskip("torch")
    assert metric.compute(**{**COLUMNS, **{name: torch.tensor(values) for name, values in IDS.items()}}) == SCORES
    with pytest.raises(ValidationError, match="arg max"):
        metric.compute(**{**COLUMNS, "predictions": torch.zeros(6, 4)})


def test_single_numpy_rows(metric):
    for row in zip(*[np.array(column) for column in {**COLUMNS, **IDS}.values()], strict=True):
        prediction, reference, instance_id, reverse_pair_id = row
        metric.add(
            prediction=prediction, reference=reference, instance_ids=instance_id, reverse_pair_ids=reverse_pair_id
        )
    assert metric.compute() == SCORES


def test_strings_and_ids_together(metric):
    assert metric.compute(**{**COLUMNS, "predictions": np.array(IDS["predictions"])}) == SCORES


@pytest.mark.parametrize(
    "names", [MODEL_ORDER, dict(enumerate(MODEL_ORDER)), {str(i): name for i, name in enumerate(MODEL_ORDER)}]
)
def test_ids_in_a_models_own_order(metric, names):
    columns = {**COLUMNS, **MODEL_IDS}
    assert metric.compute(**columns, label_names=names) == SCORES
    metric.add_batch(**columns, label_names=names)
    assert metric.compute() == SCORES
    for row in zip(*columns.values(), strict=True):
        metric.add(
            **dict(zip(["prediction", "reference", "instance_ids", "reverse_pair_ids"], row, strict=True)),
            label_names=names,
        )
    assert metric.compute() == SCORES
    loaded = tricord.load("dico_nli", label_names=names)
    assert loaded.compute(**columns) == SCORES
    assert loaded.compute(**COLUMNS) == SCORES


def test_order_of_one_call_does_not_linger(metric):
    assert metric.compute(**{**COLUMNS, **MODEL_IDS}, label_names=MODEL_ORDER) == SCORES
    assert metric.compute(**{**COLUMNS, **IDS}) == SCORES


def test_order_of_a_call_goes_before_that_of_load():
    loaded = tricord.load("dico_nli", label_names=MODEL_ORDER)
    assert loaded.compute(**{**COLUMNS, **IDS}, label_names=LABELS) == SCORES
    assert loaded.compute(**{**COLUMNS, **IDS}, label_names=None) == SCORES


@pytest.mark.parametrize("names", [[], LABELS[:3], ["a", "b", "c", "d"], "EQUIVALENCE", 7])
def test_unusable_order_is_refused_at_load(names):
    with pytest.raises(ValidationError, match="label_names"):
        tricord.load("dico_nli", label_names=names)


@pytest.mark.parametrize("empty", ["", None, float("nan"), " ", np.nan])
def test_no_link(metric, empty):
    links = [link or empty for link in COLUMNS["reverse_pair_ids"]]
    assert metric.compute(**{**COLUMNS, "reverse_pair_ids": links}) == SCORES
    assert metric.compute(**{**COLUMNS, "reverse_pair_ids": np.array(links, dtype=object)}) == SCORES
    assert metric.compute(**{**COLUMNS, "reverse_pair_ids": pd.Series(links)}) == SCORES


def test_no_link_as_pandas_reads_it(metric, tmp_path):
    pd.DataFrame(COLUMNS).to_csv(tmp_path / "x.csv", index=False)
    assert metric.compute(**pd.read_csv(tmp_path / "x.csv")) == SCORES
    assert metric.compute(**pd.read_csv(tmp_path / "x.csv", dtype="string")) == SCORES


LINKED = {name: values[:5] for name, values in COLUMNS.items()}
WITHOUT_LINKS = {name: values for name, values in LINKED.items() if name != "reverse_pair_ids"}


def test_links_left_out_follow_from_the_ids(metric):
    expected = metric.compute(**LINKED)
    assert metric.compute(**WITHOUT_LINKS) == expected
    assert metric.compute(**WITHOUT_LINKS, reverse_pair_ids=None) == expected
    metric.add_batch(**{name: values[:2] for name, values in WITHOUT_LINKS.items()})
    metric.add_batch(**{name: values[2:4] for name, values in WITHOUT_LINKS.items()})
    for row in zip(*[values[4:] for values in WITHOUT_LINKS.values()], strict=True):
        metric.add(**dict(zip(["prediction", "reference", "instance_ids"], row, strict=True)))
    assert metric.compute() == expected


def test_links_left_out_though_a_twin_is_lost(metric):
    with pytest.raises(ValidationError, match="p4__en-en__original"):
        metric.compute(**{name: values for name, values in COLUMNS.items() if name != "reverse_pair_ids"})
    assert metric.compute(**COLUMNS) == SCORES


def test_detailed_result_is_the_file_scorers_report(metric, tmp_path):
    from dico_nli.samples import write_pair

    pair = write_pair(tmp_path)
    report = score(read_reference(pair.gold), pair.predictions)
    result = metric.compute(**COLUMNS, detailed=True)
    assert {name: result[name] for name in report.to_dict()} == report.to_dict()
    assert result["signature"] == report.signature


@pytest.mark.parametrize("most", [0, 1, 50])
def test_number_of_pair_errors(metric, most):
    wrong = ["NEGATIVE_OTHER"] * 6
    result = metric.compute(**{**COLUMNS, "predictions": wrong}, detailed=True, max_pair_errors=most)
    assert len(result["consistency"]["pair_errors"]) == min(most, 2)


def test_combined_with_its_sibling_and_accuracy():
    combined = evaluate.combine([tricord.load("dico_nli"), tricord.load("dico_nli_consistency")])
    result = combined.compute(**COLUMNS)
    assert {value for name, value in result.items() if name.endswith("soft_cons")} == {1.0}
    assert result["weighted_f1"] == SCORES["weighted_f1"]
    assert result["reversible_pairs"] == 2


def test_real_data_equals_the_file_scorer(metric, shared_data):
    folder = shared_data / "dico_nli"
    rows = naive.read_rows(folder / "trial_track1_reference.csv")
    predictions = read_predictions(folder / "trial_track1_random_submission.csv")
    report = score(read_reference(folder / "trial_track1_reference.csv"), predictions)
    columns = {
        "predictions": [predictions[row["instance_id"]] for row in rows],
        "references": [row["label"] for row in rows],
        "instance_ids": [row["instance_id"] for row in rows],
        "reverse_pair_ids": [row["reverse_pair_id"] for row in rows],
    }
    assert_equal_scores(metric.compute(**columns), report.to_dict())
    for start in range(0, len(rows), 100):
        metric.add_batch(**{name: values[start : start + 100] for name, values in columns.items()})
    detailed = metric.compute(detailed=True)
    assert {name: detailed[name] for name in report.to_dict()} == report.to_dict()
    del columns["reverse_pair_ids"]
    assert_equal_scores(metric.compute(**columns), report.to_dict())


def test_many_rows(metric):
    copies = 2000
    columns = {
        "predictions": IDS["predictions"] * copies,
        "references": np.array(IDS["references"] * copies),
        "instance_ids": [f"{number}-{name}" for number in range(copies) for name in COLUMNS["instance_ids"]],
        "reverse_pair_ids": [
            name and f"{number}-{name}" for number in range(copies) for name in COLUMNS["reverse_pair_ids"]
        ],
    }
    report = score(
        make_reference(columns["instance_ids"], columns["references"], columns["reverse_pair_ids"]),
        columns["predictions"],
    )
    assert report.consistency.reversible_pairs == 2 * copies
    assert_equal_scores(metric.compute(**columns), report.to_dict())


METRIC = None


@given(st.data())
@settings(max_examples=30)
def test_random_rows_equal_the_naive_scorer(data):
    global METRIC
    METRIC = METRIC or tricord.load("dico_nli")
    rows = data.draw(strategies.references())
    predictions = data.draw(strategies.predictions_for(rows))
    columns = {
        "predictions": [LABELS.index(predictions[row["instance_id"]]) for row in rows],
        "references": [row["label"] for row in rows],
        "instance_ids": [row["instance_id"] for row in rows],
        "reverse_pair_ids": [row["reverse_pair_id"] or None for row in rows],
    }
    detailed = METRIC.compute(**columns, detailed=True)
    expected = naive.score(rows, predictions)
    assert {name: detailed[name] for name in expected} == expected
