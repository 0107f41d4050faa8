"""How lines and values are read as declared, and where a fault is said to be."""

import numpy as np
import pytest

from tricord import InputFileError, ValidationError
from tricord.scifact.claims import Document, Labels, Prediction, Retrieved
from tricord.scifact.records import Records, as_records

PLAIN = '{"id": 1, "evidence": {}}\n'


def read(path, form=Prediction):
    return list(Records(str(path)).read(form))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 9001: not valid JSON"),
        (PLAIN.strip() * 2, "line 9001: .*Extra data"),
        (PLAIN.strip()[:-1] + ', "x": NaN}', "line 9001: NaN"),
        ('{"id": 1e999, "evidence": {}}', "line 9001: '1e999' is too large"),
        ('{"id": 1.0, "evidence": {}}', "line 9001: id: expected the claim's id, a whole number, got 1.0"),
        ("[" * 100_000, "line 9001: the JSON is nested too deeply"),
        ('{"id": 1, "evidence": {"7": {"sentences": [1], "label": "NEI"}}}', "line 9001: .*'7'.*CONTRADICT or SUPPORT"),
    ],
)
def test_faulty_line_among_many(tmp_path, line, message):
    path = tmp_path / "file.jsonl"
    path.write_text(PLAIN * 9000 + line + "\n" + PLAIN)
    with pytest.raises(InputFileError, match=message):
        read(path)


def test_a_value_does_not_pass_over_the_end_of_its_line(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text('{"id": 1,\n"evidence": {}}' + PLAIN)
    with pytest.raises(InputFileError, match="line 1: not valid JSON"):
        read(path)


def test_blank_lines_and_odd_ends_are_counted_and_passed_over(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_bytes(f"\ufeff\n{PLAIN.strip()}\r\n \t\r\n  {PLAIN.strip()} ".encode())
    assert [number for number, _ in read(path)] == [2, 4]


def test_an_escaped_half_of_a_character_is_text(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text('{"doc_id": 7, "title": "\\ud800", "abstract": []}\n')
    assert read(path, Document)[0][1].title == "\ud800"


def test_one_odd_value_does_not_change_how_the_others_are_read():
    records = as_records(
        [{"id": 1, "evidence": {}}, {"id": np.int64(2), "evidence": {7: {"sentences": (), "label": "SUPPORT"}}}], "p"
    )
    first, second = (record for _, record in records.read(Prediction))
    assert (first.id, second.id, list(second.evidence)) == (1, 2, ["7"])


@pytest.mark.parametrize("value", [np.int64(3), np.array([1, 2]), None, [], "text"])
def test_what_is_no_object(value):
    with pytest.raises(ValidationError, match=r"^p\[1\]: expected an object with the key 'id', got "):
        list(as_records([{"id": 1, "evidence": {}}, value], "p").read(Prediction))


@pytest.mark.parametrize(
    ("form", "value", "message"),
    [
        (Retrieved, {"claim_id": 1, "doc_ids": [-7]}, r"doc_ids\[0\]: expected a document id, a whole number, got -7"),
        (
            Document,
            {"doc_id": True, "title": "", "abstract": []},
            "doc_id: expected a document id, a whole number, got True",
        ),
        (
            Labels,
            {"claim_id": 1, "labels": {"7": {"label": 5}}},
            "expected CONTRADICT or NOT_ENOUGH_INFO or SUPPORT, got 5",
        ),
    ],
)
def test_what_was_expected(form, value, message):
    with pytest.raises(ValidationError, match=message):
        list(as_records([value], "p").read(form))


@pytest.mark.parametrize("source", [None, 5, {"id": 1}])
def test_what_is_no_source(source):
    with pytest.raises(ValidationError, match="`predictions`"):
        as_records(source, "predictions")
