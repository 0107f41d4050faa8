"""The module `commonground_brier`: what is its own, beyond what every module must do."""

import json
import math

import datasets
import numpy as np
import pandas as pd
import pytest

import tricord
from commonground.contract import BRIER, PREDICTIONS, REFERENCES, SCORES
from tricord import commonground
from tricord.commonground import matrix
from tricord.modules.loading import module_path


@pytest.fixture
def metric():
    return tricord.load("commonground_brier")


def test_scores_by_hand_and_as_the_library_gives_them(metric):
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == SCORES
    report = commonground.score(commonground.make_held_out(dict(enumerate(REFERENCES))), dict(enumerate(PREDICTIONS)))
    assert {name: getattr(report, name) for name in SCORES} == SCORES


@pytest.mark.parametrize(
    "references",
    [
        ["agree", "disagree", "disagree", "pass"],
        np.array(REFERENCES, dtype=np.int8),
        np.array(REFERENCES, float),
        (1, "disagree", -1.0, np.int64(0)),
    ],
)
def test_votes_of_every_usual_kind(metric, references):
    assert metric.compute(predictions=PREDICTIONS, references=references) == SCORES


@pytest.mark.parametrize("kind", [np.array, np.float32, list, lambda rows: tuple(map(np.array, rows))])
def test_rows_of_three_numbers(metric, kind):
    rows = [[2, 1, 1], [1, 1, 0], [0, 1, 0], [0.25, 0, 0.5]]
    array = np.array(rows, dtype=np.float32) if kind is np.float32 else kind(rows)
    assert metric.compute(predictions=array, references=REFERENCES) == SCORES


@pytest.mark.parametrize(
    "points", [[1, -1, -1, 0], ["agree", "disagree", "disagree", "pass"], np.array([1, -1, -1, 0])]
)
def test_points(metric, points):
    scores = metric.compute(predictions=points, references=REFERENCES)
    assert (scores["brier_score"], scores["vote_accuracy"], scores["brier_skill_score"]) == (0.0, 1.0, 1.0)


INVALID = [
    None,
    {},
    "1",
    "perhaps",
    True,
    2,
    math.nan,
    [0.5, 0.5],
    [0.2, 0.3, "0.5"],
    [0, 0, 0],
    {"agree": -1},
    {"agree": math.inf},
    {"agree": 10**4000},
    {"agree": 1e308, "pass": 1e308},
    [[1, 0, 0]],
    {"agree": 1.0, "disagree": None},
    np.array([np.nan, 1, 1]),
]


@pytest.mark.parametrize("prediction", INVALID, ids=lambda value: type(value).__name__)
def test_invalid_predictions_score_as_uniform_and_are_counted(metric, prediction):
    scores = metric.compute(predictions=[*PREDICTIONS, prediction], references=[*REFERENCES, 1])
    assert scores["invalid_predictions"] == 1
    assert scores["brier_score"] == math.fsum([0.1875, 0.25, 0.0, (1 / 3) ** 2, 1 / 3]) / 5
    assert scores["vote_accuracy"] == 0.6


def test_invalid_rows_of_an_array(metric):
    array = np.array([[np.nan, 1, 1], [0, 0, 0], [-1, 1, 1], [np.inf, 0, 0], [1e308, 1e308, 0]])
    scores = metric.compute(predictions=array, references=[1, -1, 0, 1, 0])
    assert scores == {
        "brier_score": 1 / 3,
        "probability_reward": 1 - 1 / 3,
        "brier_skill_score": 0.0,
        "vote_accuracy": 0.0,
        "invalid_predictions": 5,
    }


def test_detailed(metric):
    result = metric.compute(predictions=PREDICTIONS, references=REFERENCES, detailed=True, bins=5)
    assert {name: result[name] for name in SCORES} == SCORES
    assert result["cells"] == 4
    gold = commonground.make_held_out(dict(enumerate(REFERENCES)))
    assert result["signature"] == commonground.score(gold, dict(enumerate(PREDICTIONS)), bins=5).signature
    assert f"|gold:{gold.content_hash}|reference:uniform|bins:5|version:{tricord.__version__}" in result["signature"]
    parts = result["calibration"]
    assert parts["reliability"] - parts["resolution"] + parts["uncertainty"] + parts["within_bin"] == pytest.approx(
        BRIER, abs=1e-15
    )
    assert list(parts["per_class"]) == ["agree", "disagree", "pass"]
    assert json.loads(json.dumps(result)) == result


@pytest.mark.parametrize("reference", [{"agree": 1, "disagree": 2, "pass": 1}, [0.25, 0.5, 0.25], np.array([1, 2, 1])])
def test_skill_against_base_rates(metric, reference):
    result = metric.compute(predictions=PREDICTIONS, references=REFERENCES, reference=reference, detailed=True)
    rates = {cell: {"agree": 1, "disagree": 2, "pass": 1} for cell in range(4)}
    expected = commonground.brier_skill_score(dict(enumerate(PREDICTIONS)), dict(enumerate(REFERENCES)), rates)
    assert result["brier_skill_score"] == expected
    assert "|reference:given|" in result["signature"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"references": [1, -1, -1, 2]}, r"references\[3\]: expected a vote .*, got 2"),
        ({"references": [1, -1, -1, "Agree"]}, "got 'Agree'"),
        ({"references": [1, None, -1, 0]}, r"references\[1\]"),
        ({"references": [1, True, -1, 0]}, "got True"),
        ({"references": np.zeros((4, 1))}, r"shape \(4, 1\)"),
        ({"predictions": np.zeros((4, 2))}, r"shape \(n, 3\): agree, disagree, pass; got \(4, 2\)"),
        ({"predictions": np.zeros((4, 3, 1))}, "shape"),
        ({"bins": 0, "detailed": True}, "`bins`"),
        ({"bins": -3}, "`bins`"),
        (
            {"predictions": pd.DataFrame(np.ones((4, 3)))},
            "data frame `predictions` to have the columns agree, .* got 0, 1",
        ),
        ({"reference": [0, 0, 0]}, "`reference` to be one distribution"),
    ],
)
def test_bad_input_is_named_and_leaves_nothing_behind(metric, arguments, message):
    with pytest.raises(tricord.ValidationError, match=message):
        metric.compute(**({"predictions": PREDICTIONS, "references": REFERENCES} | arguments))
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == SCORES


def test_data_frame_by_the_names_of_its_columns(metric):
    frame = pd.DataFrame({"pass": [1, 0, 0, 0.5], "agree": [2, 1, 0, 0.25], "disagree": [1, 1, 1, 0]})
    assert metric.compute(predictions=frame, references=REFERENCES) == SCORES


def test_numbers_in_arrays_without_dimensions(metric):
    predictions = [
        {"agree": np.array(2), "disagree": np.array(1.0), "pass": 1},
        [np.array(1), 1, 0],
        np.array(-1),
        PREDICTIONS[3],
    ]
    assert metric.compute(predictions=predictions, references=list(map(np.array, REFERENCES))) == SCORES


def test_none_is_a_prediction_in_a_loop_over_rollouts(metric):
    metric.add(prediction=None, reference=1)
    metric.add(prediction="agree", reference=1)
    scores = metric.compute()
    assert (scores["invalid_predictions"], scores["brier_score"]) == (1, (1 / 3) / 2)
    with pytest.raises(tricord.ValidationError, match="Missing input"):
        metric.add(prediction=1)


@pytest.mark.skipif(not hasattr(datasets, "Column"), reason="datasets before 4 gives a column as a list")
def test_column_of_mappings_as_datasets_stores_it(metric):
    rows = [{"prediction": own, "vote": vote} for own, vote in zip(PREDICTIONS, REFERENCES, strict=True) if own != -1]
    stored = datasets.Dataset.from_list(rows)
    assert stored[1]["prediction"]["pass"] is None
    scores = metric.compute(predictions=stored["prediction"], references=stored["vote"])
    assert scores == metric.compute(predictions=[row["prediction"] for row in rows], references=stored["vote"])
    assert scores["invalid_predictions"] == 0
    # As a list nothing tells the None of the storage from one of a model.
    assert metric.compute(predictions=list(stored["prediction"]), references=stored["vote"])["invalid_predictions"] == 3


def test_array_form_of_the_library_gives_the_same(metric):
    rng = np.random.default_rng(3)
    array, votes = rng.dirichlet([0.5] * 3, 200), rng.integers(-1, 2, 200)
    array[::17] = np.nan
    scores = metric.compute(predictions=array, references=votes)
    functions = (matrix.brier_score, matrix.probability_reward, matrix.brier_skill_score, matrix.vote_accuracy)
    assert scores == {function.__name__: function(array, votes) for function in functions} | {
        "invalid_predictions": matrix.invalid_predictions(array)
    }


def test_card_has_every_section_and_its_files():
    folder = module_path("commonground_brier")
    card = (folder / "README.md").read_text(encoding="utf-8")
    sections = [line.lstrip("# ") for line in card.splitlines() if line.startswith("#")]
    for section in (
        "Metric Card for Common Ground Brier",
        "Metric Description",
        "How to Use",
        "Inputs",
        "Output Values",
        "Values from Popular Papers",
        "Examples",
        "Limitations and Bias",
        "Citation",
        "Further References",
    ):
        assert section in sections
