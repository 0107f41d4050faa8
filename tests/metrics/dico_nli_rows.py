"""Rows that both DiCo-NLI modules are tested on: the sample of the file scorer, as columns."""

from dico_nli.samples import PREDICTIONS, REFERENCE

INSTANCE_IDS, _, REVERSE_PAIR_IDS, REFERENCES = (list(column) for column in zip(*REFERENCE, strict=True))
COLUMNS = {
    "predictions": [label for _, label in PREDICTIONS],
    "references": REFERENCES,
    "instance_ids": INSTANCE_IDS,
    "reverse_pair_ids": REVERSE_PAIR_IDS,
}
BAD_VALUES = {"predictions": "NEUTRAL", "references": -1, "instance_ids": "p 2", "reverse_pair_ids": "a b"}
# The first link is not answered.
BAD_ROWS = {**COLUMNS, "reverse_pair_ids": [REVERSE_PAIR_IDS[0], *[""] * 5]}
MODEL_ORDER = ["NEGATIVE_OTHER", "BACKWARD_ENTAILMENT", "EQUIVALENCE", "FORWARD_ENTAILMENT"]
