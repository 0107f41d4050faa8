"""The module `dico_nli_consistency`: what is its own, beyond what every module must do."""

import pytest

import tricord
from dico_nli import naive
from metrics.dico_nli_rows import BAD_ROWS, BAD_VALUES, COLUMNS, MODEL_ORDER
from metrics.module_checks import Example, ModuleChecks
from tricord.dico_nli import read_predictions, read_reference, score

SCORES = {
    "soft_cons": 1.0,
    "hard_cons": 0.5,
    "reversible_pairs": 2,
    "soft_consistent_pairs": 2,
    "hard_correct_pairs": 1,
}


class TestEveryModulesDuties(ModuleChecks):
    example = Example(
        module="dico_nli_consistency",
        columns=COLUMNS,
        scores=SCORES,
        bad_values=BAD_VALUES,
        bad_rows=BAD_ROWS,
        optional=("reverse_pair_ids",),
        options={"label_names": MODEL_ORDER},
        compute_options={"detailed": True},
    )


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
    report = score(read_reference(folder / "trial_track1_reference.csv"), predictions).to_dict()["consistency"]
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
