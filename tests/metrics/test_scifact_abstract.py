"""The module `scifact_abstract`: what is its own, and what it shares with `scifact_sentence`, on both."""

import json

import evaluate
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import tricord
from scifact import naive
from scifact.contract import ABSTRACT_SCORES as SCORES
from scifact.contract import COLUMNS, PREDICTIONS, REFERENCES
from scifact.strategies import tasks
from tricord.scifact import score

RIGHT_LABEL = [
    PREDICTIONS[0],
    {"id": 3, "evidence": {"7": {**PREDICTIONS[1]["evidence"]["7"], "label": "CONTRADICT"}}},
    PREDICTIONS[2],
]


@pytest.fixture(params=["scifact_abstract", "scifact_sentence"])
def metric(request):
    return tricord.load(request.param)


@pytest.fixture
def abstract():
    return tricord.load("scifact_abstract")


def expected(claims, predictions, prefix, rule="paper"):
    return {
        f"{group}_{measure}": scores[measure]
        for group, scores in naive.evaluate(claims, predictions, rule).items()
        if group.startswith(prefix)
        for measure in ("precision", "recall", "f1")
    }


def test_rule(abstract):
    for rule, f1 in (("paper", 1 / 3), ("leaderboard", 2 / 3)):
        result = abstract.compute(predictions=RIGHT_LABEL, references=REFERENCES, rule=rule, detailed=True)
        assert result["abstract_rationalized_f1"] == f1
        assert result["abstract_label_only_f1"] == 2 / 3
        assert result["rule"] == rule
        assert result["signature"] == score(REFERENCES, PREDICTIONS, rule=rule).signature
    with pytest.raises(tricord.ValidationError, match="paper, leaderboard"):
        abstract.compute(**COLUMNS, rule="mine")
    assert abstract.compute(**COLUMNS) == SCORES


def in_arrays(value):
    """Turn lists into arrays as `Dataset.to_pandas().to_dict("records")` does."""
    if isinstance(value, dict):
        return {key: in_arrays(inner) for key, inner in value.items()}
    if isinstance(value, list):
        array = np.empty(len(value), dtype=object)
        array[:] = [in_arrays(inner) for inner in value]
        return array
    return value


def filled_up(rows):
    """Give each row all documents, with None for those of other rows."""
    documents = {doc_id: None for row in rows for doc_id in row["evidence"]}
    return [{**row, "evidence": {**documents, **row["evidence"]}} for row in rows]


def stored(rows):
    """Lay rows out as the modules store them."""
    return [
        {
            "id": row["id"],
            "evidence": [
                {"doc_id": doc_id, **entry}
                for doc_id, value in row["evidence"].items()
                for entry in (value if isinstance(value, list) else [value])
            ],
        }
        for row in rows
    ]


@pytest.mark.parametrize("form", [filled_up, stored])
def test_rows_with_arrays(abstract, form):
    predictions, references = ([in_arrays(row) for row in form(rows)] for rows in (PREDICTIONS, REFERENCES))
    assert abstract.compute(predictions=predictions, references=references) == SCORES


def test_entries_in_a_tuple(abstract):
    predictions, references = (
        [{**row, "evidence": tuple(row["evidence"])} for row in stored(rows)] for rows in (PREDICTIONS, REFERENCES)
    )
    assert abstract.compute(predictions=predictions, references=references) == SCORES


def test_counts(abstract):
    result = abstract.compute(**COLUMNS, detailed=True)
    assert result["abstract_label_only"] == {
        "correct": 1,
        "predicted": 3,
        "gold": 3,
        "precision": 1 / 3,
        "recall": 1 / 3,
        "f1": 1 / 3,
    }
    assert (result["claims"], result["rule"]) == (3, "paper")


@settings(max_examples=25)
@given(tasks())
def test_second_implementation(task):
    claims, predictions = task
    for level in ("abstract", "sentence"):
        result = tricord.load(f"scifact_{level}").compute(predictions=predictions, references=claims)
        assert result == expected(claims, predictions, level)


def test_real_predictions(shared_data, metric):
    folder = shared_data / "scifact"
    predictions, claims = (
        [json.loads(line) for line in (folder / f"{name}_small.jsonl").read_text().splitlines()]
        for name in ("predictions", "gold")
    )
    figures = json.loads((folder / "expected_metrics_small.json").read_text())
    result = metric.compute(predictions=predictions[::-1], references=claims)
    assert len(result) == 6
    assert result == {name: figures[name] for name in result}


def as_numbers(records):
    return [{**row, "evidence": {int(key): value for key, value in row["evidence"].items()}} for row in records]


def as_entries(records):
    """The form in which evaluate stores rows."""
    rows = []
    for row in records:
        entries = []
        for doc_id, value in row["evidence"].items():
            for entry in value if isinstance(value, list) else [value]:
                entries.append({"doc_id": doc_id, **entry})
        rows.append({"id": row["id"], "evidence": entries})
    return rows


def as_filled_up(records):
    """The form in which `datasets` loads a JSON Lines file: every document in every row, None where it is not."""
    keys = sorted({key for row in records for key in row["evidence"]})
    return [{"id": row["id"], "evidence": {key: row["evidence"].get(key) for key in keys}} for row in records]


def as_arrays(records):
    rows = json.loads(json.dumps(records))
    for row in rows:
        row["id"] = np.int64(row["id"])
        for value in row["evidence"].values():
            for entry in value if isinstance(value, list) else [value]:
                entry["sentences"] = np.array(entry["sentences"])
    return rows


FORMS = [
    list,
    tuple,
    as_numbers,
    as_entries,
    as_filled_up,
    as_arrays,
    pd.Series,
    lambda rows: np.array(rows, dtype=object),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", [list, as_entries])
def test_forms_of_rows(metric, form, other):
    result = metric.compute(**COLUMNS)
    assert metric.compute(predictions=form(PREDICTIONS), references=other(REFERENCES)) == result
    assert metric.compute(predictions=other(PREDICTIONS), references=form(REFERENCES)) == result


def test_claims_are_matched_by_id(metric):
    result = metric.compute(**COLUMNS)
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES[::-1]) == result
    metric.add_batch(predictions=PREDICTIONS[:2], references=REFERENCES[1:])
    metric.add(prediction=PREDICTIONS[2], reference=REFERENCES[0])
    assert metric.compute() == result


def prediction(claim_id=1, doc_id="7", sentences=(0,), label="SUPPORT"):
    return {"id": claim_id, "evidence": {doc_id: {"sentences": list(sentences), "label": label}}}


def claim(claim_id=1, doc_id="7", sentences=(0,), label="SUPPORT"):
    return {"id": claim_id, "evidence": {doc_id: [{"sentences": list(sentences), "label": label}]}}


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([prediction(label="NOT_ENOUGH_INFO")], [claim()], r"predictions\[0\]: evidence\['7'\]\['label'\].*NOT_ENOUGH"),
        ([prediction(label=None)], [claim()], r"predictions\[0\]: evidence\['7'\]\['label'\].*None"),
        ([prediction(sentences=[0, -1])], [claim()], r"predictions\[0\]: evidence\['7'\]\['sentences'\]\[1\].*-1"),
        ([prediction(sentences=[1.5])], [claim()], r"\['sentences'\]\[0\].*1\.5"),
        ([prediction(sentences=[2**63])], [claim()], r"\['sentences'\]\[0\]"),
        ([prediction(claim_id=2**63)], [claim()], r"predictions\[0\]: id"),
        ([prediction(doc_id="x")], [claim()], r"predictions\[0\]: evidence\['x'\]"),
        ([prediction()], [{"id": 1}], r"references\[0\]: the key 'evidence' is missing.*test split"),
        ([prediction()], [prediction()], r"references\[0\]: evidence\['7'\]: expected a list of evidence sets"),
        ([claim()], [claim()], r"predictions\[0\]: evidence\['7'\]: expected an object"),
        ([prediction()], [claim(label="REFUTES")], r"references\[0\]: evidence\['7'\]\[0\]\['label'\].*REFUTES"),
        ([prediction()], [claim(2)], "1 claims have no prediction: 2; 1 predictions are for unknown claims: 1"),
        ([prediction(), prediction()], [claim(), claim(2)], r"predictions\[1\]: claim 1"),
        ([prediction(), prediction(2)], [claim(), claim()], r"references\[1\]: .*claim 1"),
        ([{"id": 1, "evidence": as_entries([prediction()])[0]["evidence"] * 2}], [claim()], r"predictions\[0\]: evidence"),
        ([{"id": 1, "evidence": [{"doc_id": [7]}]}], [claim()], r"predictions\[0\]: evidence"),
    ],
)  # fmt: skip
def test_bad_rows(metric, predictions, references, message):
    with pytest.raises(tricord.ValidationError, match=message):
        metric.compute(predictions=predictions, references=references)
    assert metric.compute(**COLUMNS)


def test_rule_given_to_load_holds_in_a_combination():
    evidence = {"7": {"sentences": [0, 1, 2, 3], "label": "SUPPORT"}}
    claim = {"id": 1, "claim": None, "evidence": {"7": [evidence["7"]]}}
    metrics = [tricord.load("scifact_abstract", rule="leaderboard"), tricord.load("scifact_sentence")]
    scores = evaluate.combine(metrics).compute(predictions=[{"id": 1, "evidence": evidence}], references=[claim])
    assert (scores["abstract_rationalized_f1"], scores["sentence_label_f1"]) == (1.0, 1.0)
    paper = tricord.load("scifact_abstract").compute(predictions=[{"id": 1, "evidence": evidence}], references=[claim])
    assert paper["abstract_rationalized_f1"] == 0.0
