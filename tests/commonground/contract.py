"""What the tests know of the Common Ground metric."""

import json
import math

import numpy as np
from hypothesis import strategies as st

from contract import Contract, Example, Inputs

NAMES = ("agree", "disagree", "pass")
VOTES = (1, -1, 0)
PREDICTIONS = [
    {"agree": 2, "disagree": 1, "pass": 1},
    {"agree": 1, "disagree": 1},
    -1,
    {"0": 0.5, "1": 0.25, "note": "x"},
]
REFERENCES = [1, -1, -1, 0]
# By hand: 1/16 + 1/16 + 1/16, 1/4, 0, and (1/3)**2.
BRIER = math.fsum([0.1875, 0.25, 0.0, (1 / 3) ** 2]) / 4
SCORES = {
    "brier_score": BRIER,
    "probability_reward": 1 - BRIER,
    "brier_skill_score": 1 - BRIER / (1 / 3),
    "vote_accuracy": 0.75,  # the second is a tie
    "invalid_predictions": 0,
}
EXAMPLE = Example(
    columns={"predictions": PREDICTIONS, "references": REFERENCES},
    scores=SCORES,
    bad_values={"references": 7},
    compute_options={"detailed": True, "bins": 4},
)


@st.composite
def inputs(draw):
    """Votes, and either distributions, some of them invalid, or (as a hook that is given class ids sees them) votes."""
    votes = draw(st.lists(st.sampled_from(VOTES), min_size=1, max_size=8))
    number = st.floats(-0.1, 1) | st.integers(0, 9)
    weights = st.fixed_dictionaries(dict.fromkeys(NAMES, number))
    plain = draw(st.booleans())
    predicted = draw(st.lists(st.sampled_from(VOTES) if plain else weights, min_size=len(votes), max_size=len(votes)))
    rows = [{"label": NAMES[VOTES.index(vote)], "cell_id": str(cell)} for cell, vote in enumerate(votes)]

    def hook():
        from tricord.training import commonground_metrics

        ids = [np.array([VOTES.index(vote) for vote in column]) for column in (predicted, votes)]
        return commonground_metrics(rows), tuple(ids)

    distributions = [dict.fromkeys(NAMES, 0) | {NAMES[VOTES.index(own)]: 1} if plain else own for own in predicted]
    return Inputs(
        columns={"predictions": predicted, "references": votes},
        files={
            "gold": ("votes.json", json.dumps(dict(enumerate(votes)))),
            "predictions": ("predictions.json", json.dumps(dict(enumerate(predicted)))),
        },
        values={"predictions": distributions, "references": votes},
        hook=hook if plain else None,
        hook_options={"bins": None},
    )


CONTRACTS = {
    "commonground_brier": Contract(EXAMPLE, inputs(), uploads={"gold": "held_out", "predictions": "predictions"})
}
