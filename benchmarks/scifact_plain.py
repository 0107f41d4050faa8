"""What people write by hand: SciFact's files loaded by `json.loads`, and the loops of the leaderboard and of the modules."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any


def load(path: Path) -> list[Any]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def f1_of(correct: int, predicted: int, gold: int) -> tuple[float, float, float]:
    precision = correct / predicted if predicted else 0.0
    recall = correct / gold if gold else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def score(claims: Path, predictions: Path, corpus: Path | None = None) -> dict[str, float]:
    """The four groups of scores under the leaderboard's rule."""
    lengths = None if corpus is None else {str(own["doc_id"]): len(own["abstract"]) for own in load(corpus)}
    gold = {own["id"]: own["evidence"] for own in load(claims)}
    counts: Counter[str] = Counter()
    for own in load(predictions):
        evidence = gold[own["id"]]
        for doc_id, answer in own["evidence"].items():
            listed = answer["sentences"]
            if lengths is not None and any(sentence >= lengths[doc_id] for sentence in listed):
                raise SystemExit("no such sentence")
            counts["predicted"] += 1
            counts["predicted sentences"] += len(listed)
            if doc_id not in evidence:
                continue
            sets = [set(one["sentences"]) for one in evidence[doc_id]]
            right = evidence[doc_id][0]["label"] == answer["label"]
            found = set().union(*(one for one in sets if one <= set(listed)))
            counts["selected"] += len(found)
            if right:
                counts["labelled"] += len(found)
                counts["label only"] += 1
                counted = set(listed[: max(3, min(map(len, sets)))])
                counts["rationalized"] += any(one <= counted for one in sets)
    for evidence in gold.values():
        counts["gold"] += len(evidence)
        for entries in evidence.values():
            counts["gold sentences"] += len({sentence for one in entries for sentence in one["sentences"]})
    groups = {
        "sentence_selection": f1_of(counts["selected"], counts["predicted sentences"], counts["gold sentences"]),
        "sentence_label": f1_of(counts["labelled"], counts["predicted sentences"], counts["gold sentences"]),
        "abstract_label_only": f1_of(counts["label only"], counts["predicted"], counts["gold"]),
        "abstract_rationalized": f1_of(counts["rationalized"], counts["predicted"], counts["gold"]),
    }
    names = ("precision", "recall", "f1")
    return {f"{group}_{name}": value for group, own in groups.items() for name, value in zip(names, own, strict=True)}


def merge(rationales: Path, labels: Path, result: Path) -> None:
    with result.open("w", encoding="utf-8") as out:
        for selected, labelled in zip(load(rationales), load(labels), strict=True):
            if selected["claim_id"] != labelled["claim_id"]:
                raise SystemExit("not the same claims")
            evidence = {
                doc_id: {"sentences": sentences, "label": labelled["labels"][doc_id]["label"]}
                for doc_id, sentences in selected["evidence"].items()
                if labelled["labels"][doc_id]["label"] != "NOT_ENOUGH_INFO"
            }
            out.write(json.dumps({"id": selected["claim_id"], "evidence": evidence}) + "\n")


def rationale_selection(claims: Path, selections: Path) -> float:
    gold = {own["id"]: own["evidence"] for own in load(claims)}
    correct = predicted = relevant = 0
    for own in load(selections):
        evidence = gold[own["claim_id"]]
        for doc_id, listed in own["evidence"].items():
            predicted += len(listed)
            sets = [set(one["sentences"]) for one in evidence.get(doc_id, ())]
            correct += len(set().union(*(one for one in sets if one <= set(listed))))
    for evidence in gold.values():
        for entries in evidence.values():
            relevant += len({sentence for one in entries for sentence in one["sentences"]})
    return f1_of(correct, predicted, relevant)[2]


def label_accuracy(claims: Path, labels: Path) -> float:
    gold = {own["id"]: own["evidence"] for own in load(claims)}
    correct = total = 0
    pairs: Counter[tuple[str, str]] = Counter()
    for own in load(labels):
        for doc_id, answer in own["labels"].items():
            entries = gold[own["claim_id"]].get(doc_id)
            true = entries[0]["label"] if entries else "NOT_ENOUGH_INFO"
            pairs[true, answer["label"]] += 1
            correct += true == answer["label"]
            total += 1
    return correct / total


def retrieval(claims: Path, retrieved: Path) -> tuple[float, float]:
    gold = {own["id"]: own["evidence"] for own in load(claims)}
    one = every = 0
    for own in load(retrieved):
        wanted, found = set(map(int, gold[own["claim_id"]])), set(own["doc_ids"])
        one += not wanted or bool(wanted & found)
        every += wanted <= found
    return one / len(gold), every / len(gold)
