"""A second, deliberately naive DiCo-NLI scorer: a dict a row and the definitions written down as they stand.

It imports nothing from the package, so that agreement with it means something.
"""

import csv
import io
from pathlib import Path

LABELS = ["EQUIVALENCE", "FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT", "NEGATIVE_OTHER"]
REVERSE = {
    "EQUIVALENCE": "EQUIVALENCE",
    "FORWARD_ENTAILMENT": "BACKWARD_ENTAILMENT",
    "BACKWARD_ENTAILMENT": "FORWARD_ENTAILMENT",
}
OTHER_TAG = {"original": "flipped", "flipped": "original", "forward": "reverse", "reverse": "forward"}


def read_rows(path):
    """Read a valid file into one stripped dict a row."""
    text = Path(path).read_bytes().decode("utf-8-sig").lstrip("\r\n")
    header = text.split("\n")[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in header else ",")
    return [{name.strip(): value.strip() for name, value in row.items()} for row in reader]


def score_files(gold_path, predictions_path, most_errors=50):
    predictions = {row["instance_id"]: row["label"] for row in read_rows(predictions_path)}
    return score(read_rows(gold_path), predictions, most_errors)


def score(rows, predictions, most_errors=50):
    """Score dicts with instance_id, reverse_pair_id and label against a dict of id to label."""
    classification = classify(rows, predictions)
    consistency = compare_directions(rows, predictions, most_errors)
    return {
        "weighted_f1": classification["weighted_f1"],
        "soft_cons": consistency["soft_cons"],
        "hard_cons": consistency["hard_cons"],
        "classification": classification,
        "consistency": consistency,
    }


def classify(rows, predictions):
    n = len(rows)
    matrix = {gold: dict.fromkeys(LABELS, 0) for gold in LABELS}
    correct = 0
    for row in rows:
        predicted = predictions[row["instance_id"]]
        matrix[row["label"]][predicted] += 1
        if predicted == row["label"]:
            correct += 1
    per_label = {label: label_scores(label, rows, predictions) for label in LABELS}
    weighted_f1 = 0.0
    f1_total = 0.0
    occurring = 0
    for label in LABELS:
        support, f1 = per_label[label]["support"], per_label[label]["f1"]
        weighted_f1 = weighted_f1 + (support / n) * f1
        if support > 0:
            f1_total = f1_total + f1
            occurring += 1
    return {
        "weighted_f1": weighted_f1,
        "macro_f1": f1_total / occurring,
        "accuracy": correct / n,
        "total_instances": n,
        "per_label": per_label,
        "confusion_matrix": matrix,
    }


def label_scores(label, rows, predictions):
    tp = fp = fn = 0
    for row in rows:
        is_gold = row["label"] == label
        is_predicted = predictions[row["instance_id"]] == label
        if is_gold and is_predicted:
            tp += 1
        elif is_predicted:
            fp += 1
        elif is_gold:
            fn += 1
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {
        "label": label,
        "support": tp + fn,
        "predicted": tp + fp,
        "true_positive": tp,
        "false_positive": fp,
        "false_negative": fn,
        "precision": precision,
        "recall": recall,
        "f1": f1,
    }


def compare_directions(rows, predictions, most_errors):
    gold = {row["instance_id"]: row["label"] for row in rows}
    seen = set()
    pairs = soft = hard = 0
    errors = []
    for row in rows:
        first, second = row["instance_id"], row["reverse_pair_id"]
        if not second or first in seen:
            continue
        seen.update([first, second])
        pairs += 1
        a, b = predictions[first], predictions[second]
        is_soft = a in REVERSE and b == REVERSE[a]
        is_hard = a == gold[first] and b == gold[second]
        soft += is_soft
        hard += is_hard
        if not is_hard and len(errors) < most_errors:
            errors.append(
                {
                    "first_id": first,
                    "second_id": second,
                    "first_gold": gold[first],
                    "second_gold": gold[second],
                    "first_prediction": a,
                    "second_prediction": b,
                    "soft_consistent": "true" if is_soft else "false",
                    "hard_correct": "false",
                }
            )
    return {
        "soft_cons": soft / pairs,
        "hard_cons": hard / pairs,
        "reversible_pairs": pairs,
        "soft_consistent_pairs": soft,
        "hard_correct_pairs": hard,
        "pair_errors": errors,
    }


def twin(instance_id):
    pair, languages, tag = instance_id.rsplit("__", 2)
    first, second = languages.split("-")
    return f"{pair}__{second}-{first}__{OTHER_TAG[tag]}"
