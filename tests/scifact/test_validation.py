"""What single objects may look like; and that many at once are read as each of them alone."""

import copy
import json
import pickle

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scifact.strategies import tasks
from tricord import TricordError, ValidationError, scifact
from tricord.scifact.claims import Claim, Document, Labels, PredictedAbstract, Prediction, Retrieved, Selection
from tricord.scifact.records import FieldError, Records, read_as
from tricord.scifact.validation import (
    document_labels,
    gold_abstracts,
    predicted_abstracts,
    retrieved_ids,
    selected_abstracts,
)

CLAIM = {"id": 1, "claim": "c", "evidence": {"7": [{"sentences": [0, 1], "label": "SUPPORT"}]}}
PREDICTION = {"id": 1, "evidence": {"7": {"sentences": [0, 1], "label": "SUPPORT"}}}


def reader(form, value_of):
    """Make a function that reads one object of an argument `r`."""
    return lambda record: next(Records("r", [record]).read_values(form, value_of))[1]


gold_claim = reader(Claim, lambda claim: (claim.id, gold_abstracts(claim.evidence)))
prediction = reader(Prediction, predicted_abstracts())
rationale_selection = reader(Selection, selected_abstracts)
label_prediction = reader(Labels, document_labels)
retrieved_documents = reader(Retrieved, retrieved_ids)
corpus_abstract = reader(Document, lambda document: document)


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


def outcome(read, records):
    """What reading gives, as plain values, or what it says."""
    try:
        return msgspec.to_builtins([value for _, value in read(records)])
    except TricordError as error:
        return str(error)


@given(st.data())
def test_what_fits_the_declaration_is_read_as_if_it_were_looked_at_closely(data):
    """And what does not fit is refused, or mended, by both."""
    claims, predictions = data.draw(tasks())
    for form, records in ((Claim, claims), (Prediction, predictions)):
        for given_records in (records, data.draw(spoilt(records))):
            found = outcome(Records("r", given_records).read, form)
            closely = outcome(lambda form: enumerate(read_as(own, form) for own in given_records), form)  # noqa: B023
            assert type(found) is type(closely)
            if not isinstance(found, str):
                assert found == closely
                assert outcome(lambda form: enumerate(msgspec.convert(found, list[form])), form) == found  # noqa: B023
            else:
                assert found.endswith(closely)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # each example writes the file anew
@given(st.data())
def test_lines_are_read_as_the_values_that_they_hold(tmp_path, data):
    claims, predictions = data.draw(tasks())
    path = tmp_path / "r.jsonl"
    for form, records in ((Claim, claims), (Prediction, predictions)):
        odd = data.draw(spoilt(records))
        try:
            lines = [json.dumps(record) for record in odd]
        except TypeError:  # a value that JSON has no place for
            continue
        path.write_text("\n".join(lines))
        in_file = outcome(Records(str(path)).read, form)
        in_memory = outcome(Records("r", [json.loads(line) for line in lines]).read, form)
        if isinstance(in_memory, str):
            assert in_file.partition(": ")[2].partition(": ")[2] == in_memory.partition(": ")[2]
        else:
            assert in_file == in_memory


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
    with pytest.raises(ValidationError) as error:
        gold_claim(replaced(CLAIM, path, value))
    assert message in str(error.value)
    with pytest.raises(ValidationError) as error:
        scifact.read_gold([{"id": 0, "evidence": {}}, replaced(CLAIM, path, value)])
    assert str(error.value).startswith("claims[1]: ")
    assert message in str(error.value)


def test_conflicting_labels():
    claim = replaced(CLAIM, ENTRY, [{"sentences": [0], "label": "SUPPORT"}, {"sentences": [1], "label": "CONTRADICT"}])
    with pytest.raises(ValidationError, match=r"evidence\['7'\]: expected one label .*, got CONTRADICT and SUPPORT"):
        gold_claim(claim)


@pytest.mark.parametrize("record", [None, 5, [], "text", [CLAIM]])
@pytest.mark.parametrize(
    "convert", [gold_claim, prediction, rationale_selection, label_prediction, retrieved_documents, corpus_abstract]
)
def test_no_object(convert, record):
    with pytest.raises(ValidationError, match="expected an object with the key"):
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
    with pytest.raises(ValidationError) as error:
        convert(record)
    assert message in str(error.value)


def test_values_of_other_libraries():
    found = prediction(
        {"id": np.int64(1), "evidence": {np.int64(7): {"sentences": np.array([3, 1]), "label": "SUPPORT"}}}
    )
    assert found == (1, {"7": PredictedAbstract("SUPPORT", [3, 1])})
    assert [type(value) for value in found[1]["7"].sentences] == [int, int]
    assert prediction({"id": 1, "evidence": {7: {"sentences": (3, np.int32(1)), "label": "SUPPORT"}}}) == found


@pytest.mark.parametrize("confidence", [0, 1, 0.5, np.float32(0.5), np.float16(0.5), np.int64(1)])
def test_confidence_is_a_number_of_any_library(confidence):
    record = {"claim_id": 1, "labels": {"7": {"label": "SUPPORT", "confidence": confidence}}}
    assert label_prediction(record) == (1, {"7": "SUPPORT"})


@pytest.mark.parametrize("confidence", [10**400, -(10**400), np.float32("inf"), np.bool_(True), True, None, "1", 1j])
def test_confidence_that_is_no_finite_number(confidence):
    with pytest.raises(
        ValidationError, match=r"^r\[0\]: labels\['7'\]\['confidence'\]: expected a finite number, got "
    ):
        label_prediction({"claim_id": 1, "labels": {"7": {"label": "SUPPORT", "confidence": confidence}}})


def test_document_ids_are_numbers_however_they_are_written():
    for doc_id in ("7", "007", 7, np.int64(7)):
        assert list(prediction({"id": 1, "evidence": {doc_id: PREDICTION["evidence"]["7"]}})[1]) == ["7"]


def test_errors_can_be_pickled():
    with pytest.raises(FieldError) as error:
        read_as({"id": 1, "evidence": {"7": {"sentences": [None], "label": "SUPPORT"}}}, Prediction)
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
