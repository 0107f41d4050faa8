"""Rows that both SciFact modules are tested on, with scores worked out by hand.

Document 11 of claim 52 is predicted rightly, but sentence 1 belongs to an incomplete set; document 16 is irrelevant; 15 is
missed. Document 7 of claim 3 has the wrong label; its set of four is wholly predicted. Claim 9 has no evidence.
"""

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
BAD_VALUES = {"predictions": "nothing", "references": 7}
# A claim that is predicted twice.
BAD_ROWS = {"predictions": [PREDICTIONS[0], PREDICTIONS[0], PREDICTIONS[2]], "references": REFERENCES}
THIRD = 1 / 3
