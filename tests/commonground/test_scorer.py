import json

import pytest

from tricord.commonground import make_held_out, read_held_out, score, validate_predictions
from tricord.errors import InputFileError, ValidationError

VOTES = {"a": 1, "b": -1, "c": 0}
PREDICTIONS = {"a": {"agree": 3, "pass": 1}, "b": -1, "c": {"agree": 1, "pass": 1}}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "votes.json").write_text(json.dumps(VOTES))
    (tmp_path / "predictions.json").write_text(json.dumps(PREDICTIONS))
    return tmp_path / "votes.json", tmp_path / "predictions.json"


def test_paths_and_values_give_the_same_report(files):
    votes, predictions = files
    expected = score(make_held_out(VOTES), PREDICTIONS)
    assert score(votes, predictions) == score(str(votes), PREDICTIONS) == score(VOTES, predictions) == expected
    assert score(read_held_out(votes), PREDICTIONS).signature == expected.signature
    rates = {"agree": 1, "pass": 1, "disagree": 1}
    votes.with_name("rates.json").write_text(json.dumps(rates))
    assert score(votes, predictions, votes.with_name("rates.json")) == score(VOTES, PREDICTIONS, rates)


def test_exchanged_arguments_are_refused():
    with pytest.raises(ValidationError, match=r"held_out\['a'\]: expected a vote .*; gold comes first"):
        score(PREDICTIONS, VOTES | {"b": {"agree": 1}})
    for votes in (VOTES, dict.fromkeys(VOTES, 1)):
        with pytest.raises(ValidationError, match="both hold plain votes; gold comes first"):
            score(votes, VOTES)
    assert score(make_held_out(VOTES), VOTES).vote_accuracy == 1.0
    with pytest.raises(ValidationError, match=r"Expected `gold` to be held-out votes .* got list \[1, 0\]"):
        score([1, 0], VOTES)


def test_gold_is_known_by_its_content_in_whatever_order():
    gold = make_held_out(VOTES)
    assert gold.content_hash == make_held_out(dict(reversed(VOTES.items()))).content_hash
    others = [{**VOTES, "a": 0}, {"a": 1, "b": -1}, {"x": 1, "b": -1, "c": 0}, {"a\t1": 1, "b": -1, "c": 0}]
    assert len({make_held_out(votes).content_hash for votes in (VOTES, *others)}) == 5
    assert f"|gold:{gold.content_hash}|" in score(gold, PREDICTIONS).signature


def test_calibration_is_made_when_it_is_asked_for():
    report = score(VOTES, PREDICTIONS, bins=4)
    assert "calibration" not in vars(report)
    assert report.to_dict()["calibration"]["per_class"]["agree"]["bins"][0]["upper"] == 0.25
    assert report.calibration is report.calibration


def test_predictions_that_are_complete(files):
    assert validate_predictions(*files) == validate_predictions(make_held_out(VOTES), PREDICTIONS) == 3


def test_predictions_that_are_not_complete(files):
    votes, predictions = files
    predictions.write_text(json.dumps({"a": {"agree": -1}, "b": 1, "x": {"agree": 1}}))
    with pytest.raises(ValidationError) as error:
        validate_predictions(votes, predictions)
    assert str(error.value) == (
        f"{predictions}: 2 cells have no valid prediction: 'a', 'c'; 1 predictions are for unknown cells: 'x'; give one "
        "distribution for each held-out vote"
    )
    with pytest.raises(InputFileError, match="no such file"):
        validate_predictions(votes, "nowhere.json")
