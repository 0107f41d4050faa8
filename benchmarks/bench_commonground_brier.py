"""Brier score of 1,000 cells: arrays and mappings against a plain implementation with dictionaries, cell by cell.

    python3 benchmarks/bench_commonground_brier.py

Bar: the array form is at least 2 times faster. The mapping form and a rollout of ten cells are shown beside it. The plain
implementation does what the rules ask for, and no more: names or votes as keys, checks, normalisation, uniform otherwise.
"""

import math
import random

import numpy as np

from measure import Verdict, best_seconds
from tricord.commonground import brier_score, matrix

CELLS, BAR = 1000, 2.0
CLASSES = (("agree", 1), ("disagree", -1), ("pass", 0))
UNIFORM = {"agree": 1 / 3, "disagree": 1 / 3, "pass": 1 / 3}


def plain_distribution(prediction):
    if isinstance(prediction, dict):
        weights = {}
        for name, vote in CLASSES:
            value = prediction.get(name, prediction.get(vote, prediction.get(str(vote), 0)))
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
                return UNIFORM
            weights[name] = value
        total = sum(weights.values())
        return {name: weight / total for name, weight in weights.items()} if 0 < total < math.inf else UNIFORM
    if prediction in (1, -1, 0) and not isinstance(prediction, bool):
        return {name: float(vote == prediction) for name, vote in CLASSES}
    return UNIFORM


def plain_brier_score(predictions, held_out):
    total = 0.0
    for cell, actual in held_out.items():
        probabilities = plain_distribution(predictions.get(cell))
        total += sum((probabilities[name] - (vote == actual)) ** 2 for name, vote in CLASSES) / 2
    return total / len(held_out)


def make_cells(size):
    rng = random.Random(0)
    shares = np.random.default_rng(0).dirichlet([1.0] * 3, size)
    predictions = {
        f"cell{at}": {name: share for (name, _), share in zip(CLASSES, row, strict=True)}
        for at, row in enumerate(shares.tolist())
    }
    return predictions, {cell: rng.choice([1, -1, 0]) for cell in predictions}, shares


def main():
    predictions, held_out, shares = make_cells(CELLS)
    votes = np.array(list(held_out.values()))
    assert brier_score(predictions, held_out) == matrix.brier_score(shares, votes)
    assert math.isclose(brier_score(predictions, held_out), plain_brier_score(predictions, held_out), rel_tol=1e-13)
    plain = best_seconds(lambda: plain_brier_score(predictions, held_out), rounds=50)
    array = best_seconds(lambda: matrix.brier_score(shares, votes), rounds=500)
    mapping = best_seconds(lambda: brier_score(predictions, held_out), rounds=50)
    rollout_predictions, rollout_held_out, _ = make_cells(10)
    rollout = best_seconds(lambda: brier_score(rollout_predictions, rollout_held_out), rounds=5000)
    verdict = Verdict(f"Brier score of {CELLS:,} cells against plain dictionaries, cell by cell ({plain * 1e6:.0f} us)")
    verdict.claim(f"array: {plain / array:.1f} times faster ({array * 1e6:.0f} us), bar {BAR:g}", plain / array >= BAR)
    verdict.claim(f"mapping: {plain / mapping:.1f} times faster ({mapping * 1e6:.0f} us), bar 1", plain >= mapping)
    verdict.claim(f"a rollout of 10 cells: {rollout * 1e6:.1f} us, bar 1 ms", rollout < 1e-3)
    verdict.finish()


if __name__ == "__main__":
    main()
