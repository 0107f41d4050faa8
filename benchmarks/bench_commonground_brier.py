"""Brier score of 1,000 cells: arrays and mappings against a plain implementation with dictionaries, cell by cell.

    python3 benchmarks/bench_commonground_brier.py

Bar: the array form is at least 2 times faster. The mapping form and a rollout of ten cells are shown beside it. The plain
implementation does what the rules ask for, and no more: names or votes as keys, checks, normalisation, uniform otherwise.
"""

import math
import random
import sys
import timeit

import numpy as np

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


def seconds(function, times):
    return min(timeit.repeat(function, number=times, repeat=15)) / times


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
    expected = plain_brier_score(predictions, held_out)
    assert brier_score(predictions, held_out) == matrix.brier_score(shares, votes)
    assert math.isclose(brier_score(predictions, held_out), expected, rel_tol=1e-13)
    plain = seconds(lambda: plain_brier_score(predictions, held_out), 5)
    array = seconds(lambda: matrix.brier_score(shares, votes), 50)
    single = seconds(lambda: brier_score(predictions, held_out), 10)
    print(f"{CELLS} cells, plain dictionaries: {plain * 1e6:.0f} us")
    print(f"{CELLS} cells, array: {array * 1e6:.0f} us: {plain / array:.1f} times faster")
    print(f"{CELLS} cells, mapping: {single * 1e6:.0f} us: {plain / single:.1f} times faster")
    predictions, held_out, _ = make_cells(10)
    rollout = seconds(lambda: brier_score(predictions, held_out), 500)
    print(f"10 cells, mapping: {rollout * 1e6:.1f} us")
    return f"missed: {BAR} times faster" if plain / array < BAR else 0


if __name__ == "__main__":
    sys.exit(main())
