"""What the tests know of the SciFact metrics, with scores worked out by hand.

Document 11 of claim 52 is predicted rightly, but sentence 1 belongs to an incomplete set; document 16 is irrelevant; 15 is
missed. Document 7 of claim 3 has the wrong label; its set of four is wholly predicted. Claim 9 has no evidence.
"""

import json

from hypothesis import strategies as st

from contract import Contract, Example, Inputs
from scifact.strategies import tasks

REFERENCES = [
    {
        "id": 52,
        "evidence": {
            "11": [{"sentences": [0, 1], "label": "SUPPORT"}, {"sentences": [11], "label": "SUPPORT"}],
            "15": [{"sentences": [4], "label": "SUPPORT"}],
        },
    },
    {"id": 3, "claim": "A claim.", "evidence": {"7": [{"sentences": [0, 1, 2, 3], "label": "CONTRADICT"}]}},
    {"id": 9, "evidence": {}, "cited_doc_ids": [1]},
]
PREDICTIONS = [
    {
        "id": 52,
        "evidence": {
            "11": {"sentences": [1, 11, 13], "label": "SUPPORT"},
            "16": {"sentences": [18, 20], "label": "CONTRADICT"},
        },
    },
    {"id": 3, "evidence": {"7": {"sentences": [3, 2, 1, 0], "label": "SUPPORT"}}},
    {"id": 9, "evidence": {}},
]
COLUMNS = {"predictions": PREDICTIONS, "references": REFERENCES}
ABSTRACT_SCORES = {
    f"abstract_{group}_{measure}": 1 / 3
    for group in ("label_only", "rationalized")
    for measure in ("precision", "recall", "f1")
}
SENTENCE_SCORES = {
    "sentence_selection_precision": 5 / 9,
    "sentence_selection_recall": 5 / 8,
    "sentence_selection_f1": 0.5882352941176471,
    "sentence_label_precision": 1 / 9,
    "sentence_label_recall": 1 / 8,
    "sentence_label_f1": 0.11764705882352941,
}


def example(scores):
    return Example(
        columns=COLUMNS,
        scores=scores,
        bad_values={"predictions": "nothing", "references": 7},
        # A claim that is predicted twice.
        bad_rows={"predictions": [PREDICTIONS[0], PREDICTIONS[0], PREDICTIONS[2]], "references": REFERENCES},
    )


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


@st.composite
def inputs(draw):
    claims, predictions = draw(tasks())
    return Inputs(
        columns={"predictions": predictions, "references": claims},
        files={"gold": ("claims.jsonl", lines(claims)), "predictions": ("predictions.jsonl", lines(predictions))},
        values={"claims": claims, "predictions": predictions},
    )


UPLOADS = {"gold": "claims", "predictions": "predictions"}
CONTRACTS = {
    "scifact_abstract": Contract(example(ABSTRACT_SCORES), inputs(), UPLOADS),
    "scifact_sentence": Contract(example(SENTENCE_SCORES), inputs(), UPLOADS),
}
