"""What single objects may look like; and that many at once are read as each of them alone."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scifact.strategies import tasks
from tricord import ValidationError, scifact
from tricord.inputs.records import FieldError
from tricord.scifact.validation import (
    accept_claims,
    accept_predictions,
    corpus_abstract,
    gold_claim,
    label_prediction,
    prediction,
    rationale_selection,
    retrieved_documents,
)

CLAIM = {"id": 1, "claim": "c", "evidence": {"7": [{"sentences": [0, 1], "label": "SUPPORT"}]}}
PREDICTION = {"id": 1, "evidence": {"7": {"sentences": [0, 1], "label": "SUPPORT"}}}


def count_keys(value):
    if isinstance(value, dict):
        return len(value) + sum(map(count_keys, value.values()))
    return sum(map(count_keys, value)) if isinstance(value, list) else 0


# Odd values of every kind that JSON or Python may hold, put in place of right ones.
odd_values = st.sampled_from(
    [None, True, False, -1, 0, 2.0, "1", "07", "", " 7", "٣", "SUPPORT", "support", "NOT_ENOUGH_INFO", [], [1], [[1]],
     [True], [1.0], ["1"], [-1], [2**63], {}, {"7": []}, {"7": {}}, 2**63, (1, 2), np.int64(3), np.array([1, 2])]
)  # fmt: skip


def places(value, path=()):
    """Every place inside nested dicts and lists."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


@st.composite
def spoilt(draw, records):
    """Replace one value anywhere, remove a key, or rename one."""
    records = copy.deepcopy(records)
    *way, last = draw(st.sampled_from([path for path in places(records) if path]))
    holder = records
    for key in way:
        holder = holder[key]
    kind = draw(st.sampled_from(["replace", "remove", "rename"]))
    if kind == "replace" or isinstance(holder, list):
        holder[last] = draw(odd_values)
    else:
        value = holder.pop(last)
        if kind == "rename":
            holder[draw(st.sampled_from(["x", "", "007", "-1", 7, 7.0, "7", "99"]))] = value
    return records


def one_by_one(convert, records):
    try:
        return [convert(record) for record in records]
    except FieldError:
        return None


def plain(value):
    """Accepted predictions alias the objects, which may hold further keys."""
    return json.loads(json.dumps(value))


@given(st.data())
def test_many_at_once_are_read_as_each_alone(data):
    claims, predictions = data.draw(tasks())
    for records, convert, accept in [
        (claims, gold_claim, accept_claims),
        (predictions, prediction, accept_predictions),
    ]:
        values, keys = accept(records) or (None, None)
        if values is not None:
            assert plain(values) == plain(one_by_one(convert, records))
            if accept is accept_predictions:
                assert keys == count_keys(records)
        odd = data.draw(spoilt(records))
        accepted = accept(odd)
        if accepted is not None:
            # It may be less generous, but what it accepts is right.
            assert plain(accepted[0]) == plain(one_by_one(convert, odd))


def test_plain_objects_are_accepted_at_once():
    assert accept_claims([CLAIM, {**CLAIM, "cited_doc_ids": [7]}]) is not None
    assert accept_claims([{"id": 2, "evidence": {}}]) == ([(2, ())], 2)
    assert accept_predictions([PREDICTION]) == ([(1, PREDICTION["evidence"])], 5)


def replaced(record, path, value):
    record = copy.deepcopy(record)
    *way, last = path
    inner = record
    for key in way:
        inner = inner[key]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return record


ENTRY = ("evidence", "7")
BAD_CLAIMS = [
    (("id",), ..., "the key 'id' is missing"),
    (("id",), "1", "id: expected the claim's id, a whole number, got '1'"),
    (("id",), True, "got True"),
    (("id",), 1.0, "got 1.0"),
    (("id",), 2**63, "id: "),
    (("evidence",), ..., "'evidence' is missing; expected claims with gold evidence (is this the test split?)"),
    (("evidence",), [], "evidence: expected an object"),
    (("evidence",), None, "evidence: expected an object"),
    (("claim",), 5, "claim: expected a text, got 5"),
    (("evidence",), {"x": CLAIM["evidence"]["7"]}, "evidence['x']: expected a document id, a whole number, got 'x'"),
    (("evidence",), {"": CLAIM["evidence"]["7"]}, "evidence['']"),
    (("evidence",), {"-7": CLAIM["evidence"]["7"]}, "evidence['-7']"),
    (
        ("evidence",),
        {"7": CLAIM["evidence"]["7"], "07": CLAIM["evidence"]["7"]},
        "evidence: expected each document once",
    ),
    (("evidence",), {"7": CLAIM["evidence"]["7"], 7: CLAIM["evidence"]["7"]}, "evidence: expected each document once"),
    (ENTRY, [], "evidence['7']: expected at least one evidence set"),
    (ENTRY, {}, "evidence['7']: expected a list of evidence sets"),
    ((*ENTRY, 0), [1], "evidence['7'][0]: expected an object"),
    (
        (*ENTRY, 0, "label"),
        "NOT_ENOUGH_INFO",
        "evidence['7'][0]['label']: expected CONTRADICT or SUPPORT, got 'NOT_ENO",
    ),
    ((*ENTRY, 0, "label"), "SUPPORTS", "got 'SUPPORTS'"),
    ((*ENTRY, 0, "label"), ["SUPPORT"], "got ['SUPPORT']"),
    ((*ENTRY, 0, "label"), ..., "evidence['7'][0]: the key 'label' is missing; found 'sentences'"),
    ((*ENTRY, 0, "sentences"), ..., "evidence['7'][0]: the key 'sentences' is missing; found 'label'"),
    ((*ENTRY, 0, "sentences"), [], "evidence['7'][0]['sentences']: expected the sentences of an evidence set, got []"),
    ((*ENTRY, 0, "sentences"), 3, "evidence['7'][0]['sentences']: expected a list of sentence numbers, got 3"),
    (
        (*ENTRY, 0, "sentences", 1),
        -1,
        "evidence['7'][0]['sentences'][1]: expected a sentence number, counted from 0, got -1",
    ),
    ((*ENTRY, 0, "sentences", 1), 1.0, "got 1.0"),
    ((*ENTRY, 0, "sentences", 1), True, "got True"),
    ((*ENTRY, 0, "sentences", 1), "1", "got '1'"),
    ((*ENTRY, 0, "sentences", 1), None, "got None"),
    ((*ENTRY, 0, "sentences", 1), 2**63, "['sentences'][1]"),
]


@pytest.mark.parametrize(("path", "value", "message"), BAD_CLAIMS)
def test_bad_claims(path, value, message):
    with pytest.raises(FieldError) as error:
        gold_claim(replaced(CLAIM, path, value))
    assert message in str(error.value)
    with pytest.raises(ValidationError) as error:
        scifact.read_gold([{"id": 0, "evidence": {}}, replaced(CLAIM, path, value)])
    assert str(error.value).startswith("claims[1]: ")
    assert message in str(error.value)


def test_conflicting_labels():
    claim = replaced(CLAIM, ENTRY, [{"sentences": [0], "label": "SUPPORT"}, {"sentences": [1], "label": "CONTRADICT"}])
    with pytest.raises(FieldError, match=r"evidence\['7'\]: expected one label .*, got CONTRADICT and SUPPORT"):
        gold_claim(claim)


@pytest.mark.parametrize("record", [None, 5, [], "text", [CLAIM]])
@pytest.mark.parametrize(
    "convert", [gold_claim, prediction, rationale_selection, label_prediction, retrieved_documents, corpus_abstract]
)
def test_no_object(convert, record):
    with pytest.raises(FieldError, match="expected an object with the key"):
        convert(record)


@pytest.mark.parametrize(
    ("convert", "record", "message"),
    [
        (rationale_selection, {"claim_id": 1, "evidence": {"7": 3}}, "evidence['7']: expected a list of sentence numbers"),
        (rationale_selection, {"claim_id": 1, "evidence": {"7": [0, -1]}}, "evidence['7'][1]: "),
        (rationale_selection, {"id": 1, "evidence": {}}, "the key 'claim_id' is missing; found 'id', 'evidence'"),
        (label_prediction, {"claim_id": 1, "labels": {"7": {"label": "NEI"}}}, "labels['7']['label']: expected CONTRADICT or"),
        (label_prediction, {"claim_id": 1, "labels": {"7": "SUPPORT"}}, "labels['7']: expected an object"),
        (label_prediction, {"claim_id": 1, "labels": {"7": {"label": "SUPPORT", "confidence": "1"}}}, "['confidence']"),
        (label_prediction, {"claim_id": 1, "labels": {"7": {"label": "SUPPORT", "confidence": float("nan")}}}, "got nan"),
        (retrieved_documents, {"claim_id": 1, "doc_ids": [7, "x"]}, "doc_ids[1]: expected a document id"),
        (retrieved_documents, {"claim_id": 1, "doc_ids": [7, "7"]}, "doc_ids: expected each document once"),
        (retrieved_documents, {"claim_id": 1, "doc_ids": None}, "doc_ids: expected a list of document ids"),
        (corpus_abstract, {"doc_id": 1, "title": None, "abstract": []}, "title: expected a text"),
        (corpus_abstract, {"doc_id": 1, "title": "t", "abstract": "One."}, "abstract: expected a list of sentences"),
        (corpus_abstract, {"doc_id": 1, "title": "t", "abstract": ["One.", 2]}, "abstract[1]: expected a text, got 2"),
    ],
)  # fmt: skip
def test_bad_records(convert, record, message):
    with pytest.raises(FieldError) as error:
        convert(record)
    assert message in str(error.value)


def test_values_of_other_libraries():
    found = prediction(
        {"id": np.int64(1), "evidence": {np.int64(7): {"sentences": np.array([3, 1]), "label": "SUPPORT"}}}
    )
    assert found == (1, {"7": {"sentences": [3, 1], "label": "SUPPORT"}})
    assert [type(value) for value in found[1]["7"]["sentences"]] == [int, int]
    assert prediction({"id": 1, "evidence": {7: {"sentences": (3, np.int32(1)), "label": "SUPPORT"}}}) == found


@pytest.mark.parametrize("confidence", [0, 1, 0.5, np.float32(0.5), np.float16(0.5), np.int64(1)])
def test_confidence_is_a_number_of_any_library(confidence):
    record = {"claim_id": 1, "labels": {"7": {"label": "SUPPORT", "confidence": confidence}}}
    assert label_prediction(record) == (1, {"7": "SUPPORT"})


@pytest.mark.parametrize("confidence", [10**400, -(10**400), np.float32("inf"), np.bool_(True), True, None, "1", 1j])
def test_confidence_that_is_no_finite_number(confidence):
    with pytest.raises(FieldError, match=r"^labels\['7'\]\['confidence'\]: expected a finite number, got "):
        label_prediction({"claim_id": 1, "labels": {"7": {"label": "SUPPORT", "confidence": confidence}}})


def test_document_ids_are_numbers_however_they_are_written():
    for doc_id in ("7", "007", 7, np.int64(7)):
        assert list(prediction({"id": 1, "evidence": {doc_id: PREDICTION["evidence"]["7"]}})[1]) == ["7"]


def test_errors_can_be_pickled():
    with pytest.raises(FieldError) as error:
        prediction({"id": 1, "evidence": {"7": {"sentences": [None], "label": "SUPPORT"}}})
    copied = pickle.loads(pickle.dumps(error.value))
    assert (str(copied), copied.keys) == (str(error.value), ("evidence", "7", "sentences", 0))


def test_no_claims():
    with pytest.raises(ValidationError, match="there are no claims"):
        scifact.read_gold([])


@pytest.mark.parametrize("source", [None, 5, {"id": 1, "evidence": {}}])
def test_no_source(source):
    with pytest.raises(ValidationError, match="claims"):
        scifact.read_gold(source)


def test_corpus_that_is_empty_or_keyed_by_numbers():
    gold = scifact.read_gold([CLAIM], corpus={7: 2})
    assert scifact.score(gold, [PREDICTION], corpus={7: 2}).claims == 1
    with pytest.raises(ValidationError, match="the abstract has 1 sentences"):
        scifact.score(gold, [PREDICTION], corpus={7: 1})
    for doc_id in ("7", "9" * 5000):
        predictions = [{"id": 1, "evidence": {doc_id: PREDICTION["evidence"]["7"]}}]
        with pytest.raises(ValidationError, match="the corpus has no such document"):
            scifact.score(gold, predictions, corpus={})
    with pytest.raises(ValidationError, match="the corpus has no such document"):
        scifact.read_gold([CLAIM], corpus={})
