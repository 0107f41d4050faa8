"""Averages over tracks."""

import pytest

from dico_nli.samples import write_pair
from tricord import ValidationError
from tricord.dico_nli import PROFILES, aggregate, read_reference, score
from tricord.dico_nli.metrics import classification_scores

NAMES = ("weighted_f1", "soft_cons", "hard_cons")


def scores(weighted_f1, soft_cons=0.5, hard_cons=0.25):
    return {"weighted_f1": weighted_f1, "soft_cons": soft_cons, "hard_cons": hard_cons, "more": "ignored"}


TRACKS = {1: scores(0.1), 2: scores(0.2), 3: scores(0.3), 4: scores(1.0, 1.0, 1.0)}


def test_official_profiles():
    assert PROFILES == {"monolingual": (1, 2, 3), "all-tracks": (1, 2, 3, 4)}


def test_equal_weight_per_track_and_the_form_of_the_result():
    result = aggregate(TRACKS, [1, 2, 3], name="monolingual")
    assert list(result) == ["name", "tracks", "macro_average", "per_track"]
    assert result["name"] == "monolingual"
    assert result["tracks"] == [1, 2, 3]
    assert result["macro_average"] == {"weighted_f1": (0.1 + 0.2 + 0.3) / 3, "soft_cons": 0.5, "hard_cons": 0.25}
    assert result["per_track"] == {str(track): {name: TRACKS[track][name] for name in NAMES} for track in (1, 2, 3)}


def test_all_tracks():
    assert (
        aggregate(TRACKS, PROFILES["all-tracks"], name="x")["macro_average"]["weighted_f1"]
        == (0.1 + 0.2 + 0.3 + 1.0) / 4
    )


def test_reports_and_score_files_aggregate_alike(tmp_path):
    pair = write_pair(tmp_path)
    report = score(read_reference(pair.gold), pair.predictions)
    assert aggregate({1: report}, [1], name="x") == aggregate({1: report.to_dict()}, [1], name="x")
    assert aggregate({1: report}, [1], name="x")["macro_average"]["weighted_f1"] == report.weighted_f1


def test_scores_of_perfect_predictions_can_be_averaged():
    # The weights of these supports (those of the trial data) add up to one rounding above 1.
    supports = [172, 250, 250, 125]
    gold = bytes(code for code, support in enumerate(supports) for _ in range(support))
    perfect = classification_scores(gold, gold).weighted_f1
    assert perfect == 1.0000000000000002
    assert aggregate({1: scores(perfect)}, [1], name="x")["macro_average"]["weighted_f1"] == perfect


def test_zero_tracks():
    with pytest.raises(ValidationError, match="at least one track"):
        aggregate(TRACKS, [], name="nothing")


def test_missing_track_is_named():
    with pytest.raises(ValidationError, match="track 3"):
        aggregate({1: scores(1.0), 2: scores(1.0)}, [1, 2, 3], name="monolingual")


def test_missing_track_where_there_is_none_at_all():
    with pytest.raises(ValidationError, match="track 1"):
        aggregate({}, [1], name="x")


def test_track_given_twice():
    with pytest.raises(ValidationError, match="once"):
        aggregate(TRACKS, [1, 1], name="x")


@pytest.mark.parametrize("value", [None, "0.5", True, -0.1, 1.1, float("nan"), float("inf"), [0.5]])
def test_what_is_no_score_is_named_with_its_track(value):
    with pytest.raises(ValidationError, match="track 2: expected weighted_f1"):
        aggregate({1: scores(0.5), 2: scores(value)}, [1, 2], name="x")


@pytest.mark.parametrize("name", NAMES)
def test_missing_score_is_named(name):
    faulty = scores(0.5)
    del faulty[name]
    with pytest.raises(ValidationError, match=f"track 1: expected {name}"):
        aggregate({1: faulty}, [1], name="x")
