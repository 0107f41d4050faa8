"""The twin rule."""

import csv

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dico_nli import naive
from dico_nli.strategies import references
from tricord import ValidationError
from tricord.dico_nli import infer_reverse_pair_ids, twin_id

LANGUAGES = st.text("abcdefgh", min_size=2, max_size=3)
PAIR_IDS = st.text("ab_-1ñ.", min_size=1, max_size=12)
TAGS = st.sampled_from(["original", "flipped", "forward", "reverse"])


@pytest.mark.parametrize(
    ("instance_id", "twin"),
    [
        ("p__en-es__original", "p__es-en__flipped"),
        ("p__es-en__flipped", "p__en-es__original"),
        ("p__eu-eu__forward", "p__eu-eu__reverse"),
        ("p__eu-en__reverse", "p__en-eu__forward"),
        ("a__b__en-es__original", "a__b__es-en__flipped"),
    ],
)
def test_twin_swaps_languages_and_direction(instance_id, twin):
    assert twin_id(instance_id) == twin


@given(PAIR_IDS, LANGUAGES, LANGUAGES, TAGS)
def test_twin_of_the_twin_is_the_instance(pair_id, first, second, tag):
    instance_id = f"{pair_id}__{first}-{second}__{tag}"
    assert twin_id(instance_id) == naive.twin(instance_id)
    assert twin_id(twin_id(instance_id)) == instance_id


@pytest.mark.parametrize(
    "instance_id",
    [
        "",
        "p1",
        "p__en__original",
        "p__en-es__ORIGINAL",
        "p__en-es",
        "__en-es__original",
        "p__en-es-eu__original",
        "p__-es__flipped",
        "p__en-es__original\n",
        " p__en-es__original",
        "p q__en-es__original",
        None,
        7,
    ],
)
def test_ids_of_another_form_are_named(instance_id):
    with pytest.raises(ValidationError, match="<pair_id>__<lang1>-<lang2>__") as error:
        twin_id(instance_id)
    assert repr(instance_id) in str(error.value)


def _without_unlinked(rows):
    """The twin rule links every reversible row, so the rows that the file leaves unlinked are dropped."""
    return [row for row in rows if row["reverse_pair_id"] or row["label"] == "NEGATIVE_OTHER"]


@given(references())
@settings(max_examples=30)
def test_rule_gives_the_files_own_links(rows):
    rows = _without_unlinked(rows)
    inferred = infer_reverse_pair_ids([row["instance_id"] for row in rows], [row["label"] for row in rows])
    assert inferred == [row["reverse_pair_id"] for row in rows]


@pytest.mark.parametrize("track", [1, 3])
def test_rule_gives_the_links_of_the_real_files(shared_data, track):
    path = shared_data / "dico_nli" / f"trial_track{track}_reference_with_text.csv"
    _assert_rule_fits(path)


def test_rule_gives_the_links_of_the_whole_real_file(shared_data):
    _assert_rule_fits(shared_data / "dico_nli" / "trial_track1_reference.csv")


def _assert_rule_fits(path):
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    inferred = infer_reverse_pair_ids([row["instance_id"] for row in rows], [row["label"] for row in rows])
    assert inferred == [row["reverse_pair_id"] for row in rows]


def test_lost_twin_is_named():
    with pytest.raises(ValidationError) as error:
        infer_reverse_pair_ids(["p__en-es__original"], ["EQUIVALENCE"])
    assert "'p__en-es__original'" in str(error.value)
    assert "'p__es-en__flipped'" in str(error.value)


def test_twin_of_the_other_tag_family_is_no_twin():
    with pytest.raises(ValidationError, match="p__en-en__original"):
        infer_reverse_pair_ids(["p__en-en__original", "p__en-en__reverse"], ["EQUIVALENCE", "EQUIVALENCE"])


def test_lost_twins_allowed():
    ids = ["p__en-es__original", "q__en-en__flipped", "q__en-en__original"]
    assert infer_reverse_pair_ids(ids, allow_unpaired=True) == ["", "q__en-en__original", "q__en-en__flipped"]


def test_negative_rows_need_no_id_of_that_form():
    ids = ["anything", "q__en-en__flipped", "q__en-en__original"]
    assert infer_reverse_pair_ids(ids, ["NEGATIVE_OTHER", "EQUIVALENCE", "EQUIVALENCE"])[0] == ""


@pytest.mark.parametrize("label", ["equivalence", "NEUTRAL", "", None, 7, ["EQUIVALENCE"]])
def test_unknown_label_is_named(label):
    ids = ["q__en-en__original", "q__en-en__flipped"]
    with pytest.raises(ValidationError) as error:
        infer_reverse_pair_ids(ids, ["EQUIVALENCE", label])
    assert repr(label) in str(error.value)


def test_columns_of_a_data_frame_go_by_position():
    frame = pd.DataFrame(
        {
            "instance_id": ["p__en-en__original", "p__en-en__flipped", "q__en-en__original"],
            "label": ["EQUIVALENCE", "EQUIVALENCE", "NEGATIVE_OTHER"],
        }
    )[::-1]
    links = infer_reverse_pair_ids(frame["instance_id"], frame["label"])
    assert links == ["", "p__en-en__original", "p__en-en__flipped"]


def test_unequal_lengths():
    with pytest.raises(ValidationError, match="`instance_ids` has 2, `labels` has 1"):
        infer_reverse_pair_ids(["a", "b"], ["EQUIVALENCE"])
