"""Merging selected sentences and labels."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scifact.strategies import tasks, write_lines
from tricord import InputFileError, ValidationError, scifact


@given(tasks(), st.randoms(use_true_random=False))
def test_taking_predictions_apart_and_merging_them(task, generator):
    _, predictions = task
    rationales, labels = [], []
    for line in predictions:
        evidence = {key: value["sentences"] for key, value in line["evidence"].items()}
        label_of = {key: {"label": value["label"], "confidence": 1} for key, value in line["evidence"].items()}
        for doc_id in ("77", "78"):
            evidence[doc_id], label_of[doc_id] = [1], {"label": "NOT_ENOUGH_INFO", "confidence": 0.5}
        rationales.append({"claim_id": line["id"], "evidence": evidence})
        order = generator.sample(list(label_of), len(label_of))
        labels.append({"claim_id": line["id"], "labels": {key: label_of[key] for key in order}})
    assert list(scifact.merge(rationales, labels)) == predictions


RATIONALES = [{"claim_id": 1, "evidence": {"7": [2]}}, {"claim_id": 2, "evidence": {}}]
LABELS = [{"claim_id": 1, "labels": {"7": {"label": "SUPPORT", "confidence": 0.9}}}, {"claim_id": 2, "labels": {}}]


def merged(tmp_path, rationales, labels):
    target = tmp_path / "predictions.jsonl"
    count = scifact.merge_files(
        write_lines(tmp_path / "rationales.jsonl", rationales), write_lines(tmp_path / "labels.jsonl", labels), target
    )
    return count, [json.loads(line) for line in target.read_text().splitlines()]


def test_files(tmp_path):
    count, predictions = merged(tmp_path, RATIONALES, LABELS)
    assert count == 2
    assert (tmp_path / "predictions.jsonl").read_text() == "".join(json.dumps(own) + "\n" for own in predictions)
    assert predictions == [
        {"id": 1, "evidence": {"7": {"sentences": [2], "label": "SUPPORT"}}},
        {"id": 2, "evidence": {}},
    ]


@pytest.mark.parametrize(
    ("rationales", "labels", "kind", "parts"),
    [
        (RATIONALES[::-1], LABELS, InputFileError, ["rationales.jsonl: line 1", "claim_id", "labels.jsonl: line 1", "got 2"]),
        (RATIONALES[:1], LABELS, ValidationError, ["labels.jsonl: line 2", "claim 2 is not in", "rationales.jsonl"]),
        (RATIONALES, LABELS[:1], ValidationError, ["rationales.jsonl: line 2", "claim 2 is not in", "labels.jsonl"]),
        ([*RATIONALES, RATIONALES[0]], [*LABELS, LABELS[0]], InputFileError, ["line 3", "claim 1 was given before"]),
        ([{"claim_id": 1, "evidence": {"8": []}}], LABELS[:1], InputFileError, ["line 1: evidence", "'8'", "'7'"]),
        ([{"claim_id": 1, "evidence": {}}], LABELS[:1], InputFileError, ["line 1: evidence", "none", "'7'"]),
        ([{"claim_id": 1, "evidence": {"7": [-2]}}], LABELS[:1], InputFileError, ["evidence['7'][0]", "-2"]),
        (RATIONALES[:1], [{"claim_id": 1, "labels": {"7": {"label": "NEI"}}}], InputFileError, ["labels['7']['label']"]),
    ],
)  # fmt: skip
def test_files_that_do_not_go_together(tmp_path, rationales, labels, kind, parts):
    (tmp_path / "predictions.jsonl").write_text("earlier\n")
    with pytest.raises(kind) as error:
        merged(tmp_path, rationales, labels)
    for part in parts:
        assert part in str(error.value)
    assert (tmp_path / "predictions.jsonl").read_text() == "earlier\n"
