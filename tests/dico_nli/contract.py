"""What the tests know of the DiCo-NLI metrics; the example's rows are those of the file scorer's sample."""

import csv
import io

import numpy as np
from hypothesis import strategies as st

from contract import Contract, Example, Inputs
from dico_nli import strategies
from dico_nli.naive import LABELS
from dico_nli.samples import PREDICTIONS, REFERENCE

INSTANCE_IDS, _, REVERSE_PAIR_IDS, REFERENCES = (list(column) for column in zip(*REFERENCE, strict=True))
COLUMNS = {
    "predictions": [label for _, label in PREDICTIONS],
    "references": REFERENCES,
    "instance_ids": INSTANCE_IDS,
    "reverse_pair_ids": REVERSE_PAIR_IDS,
}
MODEL_ORDER = ["NEGATIVE_OTHER", "BACKWARD_ENTAILMENT", "EQUIVALENCE", "FORWARD_ENTAILMENT"]
# By hand: EQUIVALENCE has 3 rows, 2 of them found and nothing else called so; the single NEGATIVE_OTHER row is found, with
# one false alarm; forward and backward are exchanged.
F1_EQUIVALENCE = 2 * 1.0 * (2 / 3) / (1.0 + 2 / 3)
F1_NEGATIVE = 2 * (1 / 2) * 1.0 / (1 / 2 + 1.0)
SCORES = {
    "weighted_f1": (3 / 6) * F1_EQUIVALENCE + (1 / 6) * F1_NEGATIVE,
    "soft_cons": 1.0,
    "hard_cons": 1 / 2,
    "macro_f1": (F1_EQUIVALENCE + F1_NEGATIVE) / 4,
    "accuracy": 3 / 6,
}
CONSISTENCY_SCORES = {
    "soft_cons": 1.0,
    "hard_cons": 0.5,
    "reversible_pairs": 2,
    "soft_consistent_pairs": 2,
    "hard_correct_pairs": 1,
}


def example(scores):
    return Example(
        columns=COLUMNS,
        scores=scores,
        bad_values={"predictions": "NEUTRAL", "references": -1, "instance_ids": "p 2", "reverse_pair_ids": "a b"},
        # The first link is not answered.
        bad_rows={**COLUMNS, "reverse_pair_ids": [REVERSE_PAIR_IDS[0], *[""] * 5]},
        optional=("reverse_pair_ids",),
        options={"label_names": MODEL_ORDER},
    )


def csv_text(columns):
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


@st.composite
def inputs(draw):
    rows = draw(strategies.references())
    predicted = draw(strategies.predictions_for(rows))
    ids, labels, links = ([row[name] for row in rows] for name in ("instance_id", "label", "reverse_pair_id"))
    columns = {
        "predictions": [predicted[own] for own in ids],
        "references": labels,
        "instance_ids": ids,
        "reverse_pair_ids": links,
    }

    def hook():
        from tricord.training import dico_nli_metrics

        called_with = tuple(np.array([LABELS.index(label) for label in columns[name]]) for name in list(columns)[:2])
        return dico_nli_metrics(rows), called_with

    return Inputs(
        columns=columns,
        files={
            "gold": ("gold.csv", csv_text({name: [row[name] for row in rows] for name in rows[0]})),
            "predictions": ("predictions.csv", csv_text({"instance_id": list(predicted), "label": predicted.values()})),
        },
        values=columns,
        hook=hook,
    )


CONTRACTS = {
    "dico_nli": Contract(example(SCORES), inputs()),
    "dico_nli_consistency": Contract(example(CONSISTENCY_SCORES), inputs()),
}
