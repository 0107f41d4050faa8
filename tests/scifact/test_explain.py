"""The breakdown tells the same as the scores, and why."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scifact.strategies import tasks
from tricord import ValidationError, scifact


@given(tasks(), st.sampled_from(scifact.RULES))
def test_verdicts_add_up_to_the_scores(task, rule):
    claims, predictions = task
    gold = scifact.read_gold(claims)
    report = scifact.score(gold, predictions, rule=rule)
    breakdown = scifact.explain(gold, predictions, rule=rule)
    assert [claim.claim_id for claim in breakdown] == [claim["id"] for claim in claims]
    abstracts = [abstract for claim in breakdown for abstract in claim.abstracts]
    sentences = [sentence for abstract in abstracts for sentence in abstract.sentences]
    for group, verdicts in {
        "abstract_label_only": Counter(abstract.label_only for abstract in abstracts),
        "abstract_rationalized": Counter(abstract.rationalized for abstract in abstracts),
        "sentence_selection": Counter(sentence.selection for sentence in sentences),
        "sentence_label": Counter(sentence.label for sentence in sentences),
    }.items():
        scores = getattr(report, group)
        assert verdicts["correct"] == scores.correct
        assert verdicts["correct"] + verdicts["wrong"] == scores.predicted
    # A verdict and its reason go together.
    assert all((abstract.reason == "") == (abstract.rationalized == "correct") for abstract in abstracts)
    assert all((sentence.reason == "") == (sentence.label == "correct") for sentence in sentences)


def explained(sets, sentences, *, label="SUPPORT", doc_id="7", rule="paper"):
    gold = scifact.read_gold([{"id": 1, "evidence": {"7": [{"sentences": one, "label": "SUPPORT"} for one in sets]}}])
    predictions = [{"id": 1, "evidence": {doc_id: {"sentences": sentences, "label": label}}}]
    return scifact.explain(gold, predictions, rule=rule)[0].abstracts


def outline(abstract):
    return [(one.sentence, one.selection, one.label, one.reason) for one in abstract.sentences]


def test_right():
    (abstract,) = explained([[2, 5]], [5, 2])
    assert (abstract.label_only, abstract.rationalized, abstract.reason) == ("correct", "correct", "")
    assert outline(abstract) == [(5, "correct", "correct", ""), (2, "correct", "correct", "")]


def test_wrong_label():
    (abstract,) = explained([[2]], [2, 3], label="CONTRADICT")
    assert (abstract.gold_label, abstract.predicted_label) == ("SUPPORT", "CONTRADICT")
    assert (abstract.label_only, abstract.rationalized, abstract.reason) == ("wrong", "wrong", "wrong label")
    assert outline(abstract) == [(2, "correct", "wrong", "wrong label"), (3, "wrong", "wrong", "no evidence")]


def test_incomplete_evidence_set_and_repeated_sentence():
    (abstract,) = explained([[2, 5], [6]], [2, 2])
    assert (abstract.label_only, abstract.rationalized) == ("correct", "wrong")
    assert abstract.reason == "incomplete evidence set"
    assert outline(abstract) == [
        (2, "wrong", "wrong", "incomplete evidence set"),
        (2, "wrong", "wrong", "listed before"),
        (5, "missed", "missed", "not predicted"),
        (6, "missed", "missed", "not predicted"),
    ]


def test_cut_off():
    (abstract,) = explained([[2]], [0, 1, 3, 2])
    assert (abstract.label_only, abstract.rationalized) == ("correct", "wrong")
    assert abstract.reason == "cut off by the first-three rule"
    assert outline(abstract)[-1] == (2, "correct", "correct", "")
    (abstract,) = explained([[0, 1, 2, 3]], [0, 1, 2, 9, 3], rule="leaderboard")
    assert abstract.reason == "cut off after the first 4 sentences"


def test_irrelevant_and_missed_document():
    irrelevant, missed = explained([[2]], [2], doc_id="8")
    assert (irrelevant.doc_id, irrelevant.gold_label, irrelevant.reason) == ("8", None, "irrelevant document")
    assert outline(irrelevant) == [(2, "wrong", "wrong", "irrelevant document")]
    assert (missed.doc_id, missed.predicted_label, missed.reason) == ("7", None, "not predicted")
    assert (missed.label_only, missed.rationalized) == ("missed", "missed")
    assert outline(missed) == [(2, "missed", "missed", "not predicted")]


def test_chosen_claims():
    gold = scifact.read_gold([{"id": number, "evidence": {}} for number in range(4)])
    predictions = [{"id": number, "evidence": {}} for number in range(4)]
    assert [claim.claim_id for claim in scifact.explain(gold, predictions, [3, 1, 3])] == [3, 1]
    with pytest.raises(ValidationError, match="there is no claim 9"):
        scifact.explain(gold, predictions, [3, 9])
