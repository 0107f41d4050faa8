"""The SciFact hooks: their figures are those of the scorers of the two pipeline modules."""

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from tricord import ValidationError, scifact
from tricord.scifact import LABELS
from tricord.training import scifact_label_metrics, scifact_rationale_metrics

CLAIMS = [
    {"id": 1, "evidence": {"7": [{"sentences": [0, 2], "label": "SUPPORT"}, {"sentences": [3], "label": "SUPPORT"}]}},
    {"id": 2, "evidence": {"8": [{"sentences": [1], "label": "CONTRADICT"}]}},
    {"id": 3, "evidence": {}},
    {"id": 4, "evidence": {"9": [{"sentences": [5], "label": "SUPPORT"}]}},  # no row holds it
]
EVIDENCE = {(1, 7, 0), (1, 7, 2), (1, 7, 3), (2, 8, 1)}
SENTENCES = [(claim, doc, number) for claim, doc in ((1, 7), (2, 8), (3, 7)) for number in range(4)]
ROWS = [
    {"claim_id": claim, "doc_id": doc, "sentence": number, "label": int((claim, doc, number) in EVIDENCE)}
    for claim, doc, number in SENTENCES
]
GOLD = np.array([row["label"] for row in ROWS])


def expected(selected):
    evidence = {claim["id"]: {} for claim in CLAIMS}
    for (claim, doc, number), chosen in zip(SENTENCES, selected, strict=True):
        if chosen:
            evidence[claim].setdefault(str(doc), []).append(number)
    selections = [{"claim_id": claim, "evidence": found} for claim, found in evidence.items()]
    scores = scifact.score_rationale_selection(scifact.read_gold(CLAIMS), selections).scores
    return {"rationale_precision": scores.precision, "rationale_recall": scores.recall, "rationale_f1": scores.f1}


@given(st.lists(st.booleans(), min_size=12, max_size=12))
def test_selection_figures_are_those_of_the_scorer(selected):
    hook = scifact_rationale_metrics(ROWS, CLAIMS)
    assert hook((np.array(selected).astype(int), GOLD)) == expected(selected)
    assert hook((np.array([[0.0, 1.0 if chosen else -1.0] for chosen in selected]), GOLD)) == expected(selected)


def test_threshold_is_one_of_probability_and_included():
    logits = np.log(np.array([[0.75, 0.25], [0.9, 0.1]] * 6))
    every_other = np.array([True, False] * 6)
    for threshold, selected in ((0.2, every_other), (0.05, every_other | True), (0.5, every_other & False)):
        assert scifact_rationale_metrics(ROWS, CLAIMS, threshold=threshold)((logits, GOLD)) == expected(selected)
    certain = scifact_rationale_metrics(ROWS, CLAIMS, threshold=0.5)
    assert certain((np.zeros((12, 2)), GOLD)) == expected(every_other | True)


def test_perfect_selection_does_not_find_what_no_row_holds():
    figures = scifact_rationale_metrics(Dataset.from_list(ROWS), scifact.read_gold(CLAIMS))((GOLD, GOLD))
    assert figures["rationale_precision"] == 1.0
    assert figures["rationale_recall"] == 0.8


@pytest.mark.parametrize(
    ("rows", "claims", "threshold", "message"),
    [
        ([{**ROWS[0], "claim_id": 9}], CLAIMS, 0.5, "row 0: claims has no claim 9"),
        (
            [{**ROWS[0], "label": 0}],
            CLAIMS,
            0.5,
            r"row 0: the sentence \(1, '7', 0\).*is labelled 0, but .* it is part of",
        ),
        ([{**ROWS[1], "label": 1}], CLAIMS, 0.5, "it is no part of the evidence"),
        ([ROWS[0], ROWS[0]], CLAIMS, 0.5, "two rows hold the sentence"),
        ([{"claim_id": 1}], CLAIMS, 0.5, "missing column 'doc_id', 'sentence'"),
        ({"dev": ROWS}, CLAIMS, 0.5, "Expected one evaluation set"),
        (ROWS, CLAIMS, 1.5, "`threshold` to be a probability"),
        (ROWS, [{"id": 1}], 0.5, "evidence"),
    ],
)
def test_unusable_rows_are_refused(rows, claims, threshold, message):
    with pytest.raises(ValidationError, match=message):
        scifact_rationale_metrics(rows, claims, threshold=threshold)


labels = st.lists(st.sampled_from(LABELS), min_size=4, max_size=4)


@given(labels, labels, st.permutations(LABELS))
def test_label_figures_are_those_of_the_scorer(gold, predicted, order):
    claims = [
        {"id": number, "evidence": {} if label == "NOT_ENOUGH_INFO" else {"7": [{"sentences": [0], "label": label}]}}
        for number, label in enumerate(gold)
    ]
    answers = [{"claim_id": number, "labels": {"7": {"label": label}}} for number, label in enumerate(predicted)]
    report = scifact.score_label_prediction(scifact.read_gold(claims), answers)
    rows = [{"claim_id": number, "doc_id": 7, "label": label} for number, label in enumerate(gold)]
    hook = scifact_label_metrics(rows, label_names=order)
    figures = hook((np.eye(3)[[order.index(label) for label in predicted]], np.array([order.index(x) for x in gold])))
    assert figures == {name: getattr(report, name) for name in ("accuracy", "macro_f1", "macro_f1_without_nei")}


def test_published_confusions_give_the_published_figures():
    """SciBERT on the development set: accuracy 0.6916, macro F1 0.6634, without NOT_ENOUGH_INFO 0.5921."""
    confusions = [[32, 5, 34], [8, 81, 23], [26, 3, 109]]
    pairs = [(true, given) for true in range(3) for given in range(3) for _ in range(confusions[true][given])]
    gold, predicted = (np.array(column) for column in zip(*pairs, strict=True))
    figures = scifact_label_metrics([{"label": int(true)} for true in gold])((predicted, gold))
    assert {name: round(value, 4) for name, value in figures.items()} == {
        "accuracy": 0.6916,
        "macro_f1": 0.6634,
        "macro_f1_without_nei": 0.5921,
    }
