"""What makes columns an acceptable reference, and predictions acceptable for it."""

import pickle

import numpy as np
import pytest

from dico_nli.samples import PREDICTIONS, REFERENCE, changed
from tricord import ValidationError
from tricord.dico_nli import make_reference
from tricord.dico_nli.validation import align_predictions, check_coverage

IDS, PAIR_IDS, LINKS, GOLD = (list(column) for column in zip(*REFERENCE, strict=True))
CODES = [1, 2, 3, 0, 0, 0]


@pytest.fixture
def reference():
    return make_reference(IDS, GOLD, LINKS, PAIR_IDS)


def test_reference_holds_pairs_in_order_of_their_first_member(reference):
    assert (len(reference), list(reference.gold)) == (6, CODES)
    assert (list(reference.firsts), list(reference.seconds)) == ([0, 3], [1, 4])
    assert list(reference.row_of) == reference.instance_ids == IDS
    assert reference.pair_ids == PAIR_IDS
    assert reference.pair_members(1) == (IDS[3], IDS[4])


def test_the_member_that_stands_first_is_first():
    order = [4, 1, 2, 0, 3, 5]
    shuffled = make_reference(*([column[row] for row in order] for column in (IDS, GOLD, LINKS, PAIR_IDS)))
    assert (list(shuffled.firsts), list(shuffled.seconds)) == ([0, 1], [4, 3])
    assert shuffled.pair_members(0) == (IDS[4], IDS[3])


@pytest.mark.parametrize("gold", [CODES, np.array(CODES), tuple(GOLD), np.array(GOLD)])
def test_gold_as_labels_or_ids(reference, gold):
    assert make_reference(IDS, gold, LINKS).gold == reference.gold


def test_gold_in_the_order_of_a_model(reference):
    names = ["NEGATIVE_OTHER", "EQUIVALENCE", "BACKWARD_ENTAILMENT", "FORWARD_ENTAILMENT"]
    assert make_reference(IDS, [3, 2, 0, 1, 1, 1], LINKS, label_names=names).gold == reference.gold


@pytest.mark.parametrize("empty", ["", "  ", None, float("nan")])
def test_every_way_to_write_no_link(reference, empty):
    made = make_reference(IDS, GOLD, [link or empty for link in LINKS])
    assert (list(made.firsts), list(made.seconds)) == (list(reference.firsts), list(reference.seconds))


def test_links_left_out_follow_from_the_ids():
    made = make_reference(IDS[:5], GOLD[:5])
    assert (list(made.firsts), list(made.seconds)) == ([0, 3], [1, 4])


def test_links_left_out_where_a_twin_is_lost():
    with pytest.raises(ValidationError, match="p4__en-en__original"):
        make_reference(IDS, GOLD)


def test_copies_score_alike(reference):
    copy = pickle.loads(pickle.dumps(reference))
    assert vars(copy) == vars(reference)
    assert copy.pair_members(0) == reference.pair_members(0)


def spoilt(column, row, value):
    return changed(list(zip(*[IDS, PAIR_IDS, LINKS, GOLD], strict=True)), row, column, value)


ID, PAIR, LINK, LABEL = range(4)
BROKEN = {
    "own id": (spoilt(LINK, 0, IDS[0]), [IDS[0], "own id"]),
    "unknown link": (spoilt(LINK, 0, "nobody"), [IDS[0], "'nobody'"]),
    "not reciprocated": (spoilt(LINK, 1, ""), [IDS[0], "back"]),
    "link to the member of another pair": (spoilt(LINK, 0, IDS[3]), [IDS[0], IDS[3], "back"]),
    "negative linked": (spoilt(LABEL, 0, "NEGATIVE_OTHER"), [IDS[0], "NEGATIVE_OTHER"]),
    "negative linked, second": (spoilt(LABEL, 1, "NEGATIVE_OTHER"), ["NEGATIVE_OTHER"]),
    "other pair_id": (spoilt(PAIR, 1, "p9"), [IDS[0], "'p1'", "'p9'", "pair_id"]),
    "labels that are not reverse": (spoilt(LABEL, 1, "FORWARD_ENTAILMENT"), [IDS[0], "FORWARD_ENTAILMENT", "reverse"]),
    "duplicate id": (spoilt(ID, 5, IDS[2]), [IDS[2], "duplicate"]),
    "unknown label": (spoilt(LABEL, 2, "NEUTRAL"), [IDS[2], "'NEUTRAL'", "EQUIVALENCE"]),
    "label of another case": (spoilt(LABEL, 2, "negative_other"), [IDS[2], "'negative_other'"]),
    "id with white space": (spoilt(ID, 2, "p 2"), ["'p 2'", "instance_ids[2]"]),
    "id with a line break": (spoilt(ID, 2, "p\n2"), ["'p\\n2'", "instance_ids[2]"]),
    "empty id": (spoilt(ID, 2, ""), ["instance_ids[2]"]),
    "id that is a number": (spoilt(ID, 2, 2), ["got 2", "instance_ids[2]"]),
    "id None": (spoilt(ID, 2, None), ["None", "instance_ids[2]"]),
    "pair_id with white space": (spoilt(PAIR, 2, "p\u00a02"), ["pair_ids[2]"]),
    "empty pair_id": (spoilt(PAIR, 2, " "), ["pair_ids[2]"]),
    "link with white space": (spoilt(LINK, 2, "a b"), ["'a b'", "reverse_pair_ids[2]"]),
    "link that is a number": (spoilt(LINK, 2, 0), ["got 0", "reverse_pair_ids[2]"]),
    "no pairs": ([row for row in REFERENCE if not row[LINK]], ["reversible pair"]),
}  # fmt: skip


@pytest.mark.parametrize("rule", BROKEN)
def test_broken_rule_is_named(rule):
    rows, parts = BROKEN[rule]
    ids, pair_ids, links, gold = zip(*rows, strict=True)
    with pytest.raises(ValidationError) as error:
        make_reference(ids, gold, links, pair_ids)
    for part in parts:
        assert part in str(error.value)


def test_the_message_shows_the_source():
    with pytest.raises(ValidationError, match=r"^dev\.csv: "):
        make_reference(["a"], ["EQUIVALENCE"], [""], source="dev.csv")


def test_no_rows():
    with pytest.raises(ValidationError, match="no rows"):
        make_reference([], [], [])


@pytest.mark.parametrize("name", ["instance_ids", "labels", "reverse_pair_ids", "pair_ids"])
def test_unequal_lengths_give_each_length(name):
    columns = {"instance_ids": IDS, "labels": GOLD, "reverse_pair_ids": LINKS, "pair_ids": PAIR_IDS}
    columns[name] = columns[name][:-1]
    with pytest.raises(ValidationError, match="unequal") as error:
        make_reference(**columns)
    assert f"`{name}` has 5" in str(error.value)


def test_duplicate_ids_name_the_first_ten():
    with pytest.raises(ValidationError) as error:
        make_reference([f"i{number:02}" for number in range(12)] * 2, [0] * 24, [""] * 24)
    assert "(12)" in str(error.value)
    assert "'i09'" in str(error.value)
    assert "'i10'" not in str(error.value)


def test_coverage_names_the_first_ten_of_each_in_sorted_order():
    expected = {f"e{number:02}": 0 for number in reversed(range(13))}
    found = {f"f{number:02}": 0 for number in reversed(range(12))}
    with pytest.raises(ValidationError) as error:
        check_coverage(expected, found, "sub.csv")
    message = str(error.value)
    assert message.startswith("sub.csv: ")
    assert "13 " in message
    assert "12 " in message
    for prefix in "ef":
        shown = [f"'{prefix}{number:02}'" for number in range(10)]
        assert ", ".join(shown) in message
        assert f"'{prefix}10'" not in message


def test_predictions_as_mapping_in_any_order(reference):
    mapping = dict(reversed([tuple(row) for row in PREDICTIONS]))
    in_order = [label for _, label in PREDICTIONS]
    assert align_predictions(reference, mapping) == align_predictions(reference, in_order)


@pytest.mark.parametrize(
    ("predictions", "parts"),
    [
        (CODES[:-1], ["5", "6", "unequal"]),
        ([*CODES, 0], ["7", "6", "unequal"]),
        ([], ["0", "6"]),
        (np.zeros((6, 4)), ["(6, 4)", "arg max"]),
        (np.zeros(6), ["predictions[0]", "0.0"]),
        ([*CODES[:5], 4], ["predictions[5]", "got 4"]),
        ([*CODES[:5], None], ["predictions[5]", "None"]),
        (None, ["predictions", "None"]),
        (7, ["predictions", "7"]),
        (dict(zip(IDS[1:], CODES[1:], strict=True)), ["1 ", IDS[0]]),
        (dict(zip([*IDS, "x"], [*CODES, 0], strict=True)), ["1 ", "'x'"]),
        (dict(zip([*IDS[:5], 5], CODES, strict=True)), [IDS[5], "5"]),
        (dict(zip(IDS, [*CODES[:5], "NEUTRAL"], strict=True)), [IDS[5], "'NEUTRAL'"]),
        ({}, ["6 ", IDS[0]]),
    ],
)
def test_unacceptable_predictions_are_named(reference, predictions, parts):
    with pytest.raises(ValidationError) as error:
        align_predictions(reference, predictions)
    for part in parts:
        assert part in str(error.value)
