"""The module `dico_nli_consistency`: what is its own, beyond what every module must do."""

import pytest

import tricord
from dico_nli import naive
from dico_nli.contract import COLUMNS
from dico_nli.contract import CONSISTENCY_SCORES as SCORES
from tricord.dico_nli import read_predictions, read_reference, score


@pytest.fixture
def metric():
    return tricord.load("dico_nli_consistency")


def test_rows_without_a_link_do_not_count(metric):
    for row in (2, 5):
        predictions = list(COLUMNS["predictions"])
        predictions[row] = "FORWARD_ENTAILMENT"
        assert metric.compute(**{**COLUMNS, "predictions": predictions}) == SCORES


def test_negative_twice_is_not_consistent(metric):
    result = metric.compute(**{**COLUMNS, "predictions": ["NEGATIVE_OTHER"] * 6})
    assert (result["soft_cons"], result["hard_cons"]) == (0.0, 0.0)


def test_detailed_result_is_the_file_scorers_consistency_report(metric, shared_data):
    folder = shared_data / "dico_nli"
    rows = naive.read_rows(folder / "trial_track1_reference.csv")
    predictions = read_predictions(folder / "trial_track1_random_submission.csv")
    report = score(read_reference(folder / "trial_track1_reference.csv"), predictions).details()["consistency"]
    columns = {
        "predictions": [predictions[row["instance_id"]] for row in rows],
        "references": [row["label"] for row in rows],
        "instance_ids": [row["instance_id"] for row in rows],
    }
    assert metric.compute(**columns, detailed=True)["consistency"] == report
    assert len(report["pair_errors"]) == 50
    brief = metric.compute(**columns, detailed=True, max_pair_errors=3)["consistency"]
    assert brief == {**report, "pair_errors": report["pair_errors"][:3]}
    del report["pair_errors"]
    assert metric.compute(**columns) == report
