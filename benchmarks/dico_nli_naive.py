"""The peer of bench_dico_nli_files.py: a plain DiCo-NLI scorer as one would write it, row by row.

`csv.DictReader`, one small record a row, the same checks and the same scores. It is written to be clear, not slow:
records have slots, each file is read once, and nothing is computed twice.
"""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path

LABELS = ("EQUIVALENCE", "FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT", "NEGATIVE_OTHER")
REVERSE = {LABELS[0]: LABELS[0], LABELS[1]: LABELS[2], LABELS[2]: LABELS[1]}


@dataclass(slots=True)
class Instance:
    """One row of the reference."""

    instance_id: str
    pair_id: str
    reverse_pair_id: str
    label: str


@dataclass(slots=True)
class Prediction:
    """One row of the submission."""

    instance_id: str
    label: str


def reject(message: str) -> None:
    sys.exit(f"SCORING_ERROR: {message}")


def read_rows(path: str, record: type, names: tuple[str, ...]) -> dict:
    rows = {}
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        for row in reader:
            if not any(value and value.strip() for value in row.values()):
                reject(f"{path}: line {reader.line_num}: all fields are empty")
            if None in row or None in row.values():
                reject(f"{path}: line {reader.line_num}: wrong number of fields")
            values = [row[name].strip() for name in names]
            item = record(*values)
            for name, value in zip(names, values, strict=True):
                if not value and name != "reverse_pair_id":
                    reject(f"{path}: line {reader.line_num}: {name} is missing")
                if name.endswith("_id") and len(value.split()) > 1:
                    reject(f"{path}: line {reader.line_num}: white space in {name}")
            if item.label not in LABELS:
                reject(f"{path}: line {reader.line_num}: unknown label {item.label}")
            if item.instance_id in rows:
                reject(f"{path}: line {reader.line_num}: duplicate id {item.instance_id}")
            rows[item.instance_id] = item
    return rows


def check_links(gold: dict[str, Instance]) -> None:
    for item in gold.values():
        if not item.reverse_pair_id:
            continue
        twin = gold.get(item.reverse_pair_id)
        if (
            twin is None
            or twin is item
            or twin.reverse_pair_id != item.instance_id
            or twin.pair_id != item.pair_id
            or REVERSE.get(item.label) != twin.label
        ):
            reject(f"bad link of {item.instance_id}")


def score(gold: dict[str, Instance], predictions: dict[str, Prediction]) -> dict:
    if gold.keys() != predictions.keys():
        reject("the ids differ")
    confusion = {label: dict.fromkeys(LABELS, 0) for label in LABELS}
    pairs = soft = hard = 0
    errors = []
    seen = set()
    for item in gold.values():
        predicted = predictions[item.instance_id].label
        confusion[item.label][predicted] += 1
        if item.reverse_pair_id and item.instance_id not in seen:
            seen.add(item.reverse_pair_id)
            twin = gold[item.reverse_pair_id]
            other = predictions[item.reverse_pair_id].label
            pairs += 1
            consistent = REVERSE.get(predicted) == other
            correct = predicted == item.label and other == twin.label
            soft += consistent
            hard += correct
            if not correct and len(errors) < 50:
                errors.append([item.instance_id, twin.instance_id, predicted, other, consistent])
    weighted = 0.0
    for label in LABELS:
        support = sum(confusion[label].values())
        predicted = sum(row[label] for row in confusion.values())
        precision = confusion[label][label] / predicted if predicted else 0.0
        recall = confusion[label][label] / support if support else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        weighted += support / len(gold) * f1
    return {
        "weighted_f1": weighted,
        "soft_cons": soft / pairs,
        "hard_cons": hard / pairs,
        "confusion_matrix": confusion,
        "pair_errors": errors,
    }


if __name__ == "__main__":
    reference = read_rows(sys.argv[1], Instance, ("instance_id", "pair_id", "reverse_pair_id", "label"))
    check_links(reference)
    submission = read_rows(sys.argv[2], Prediction, ("instance_id", "label"))
    print(json.dumps(score(reference, submission), indent=2, sort_keys=True))
