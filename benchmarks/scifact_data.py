"""Invented SciFact claims and predictions, of the size and make of the real ones, for the benchmarks.

Like the development set: texts of 8 to 16 words, evidence for 63 % of the claims, mostly from one abstract, with one or two
evidence sets, 15 % of them of two sentences. 60 % of the claims have predictions.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = ("cell", "gene", "protein", "risk", "of", "in", "the", "increases", "reduces", "mice", "human", "treatment")
LABELS = ("SUPPORT", "CONTRADICT")


def make_claims(count: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Make claims one by one, each with its prediction."""
    generator = random.Random(0)
    for claim_id in range(1, count + 1):
        cited = [generator.randrange(10**6, 10**8) for _ in range(1 if generator.random() < 0.9 else 2)]
        claim = " ".join(generator.choices(WORDS, k=generator.randint(8, 16))) + "."
        evidence = {str(doc_id): evidence_sets(generator) for doc_id in cited} if generator.random() < 0.63 else {}
        yield (
            {"id": claim_id, "claim": claim, "evidence": evidence, "cited_doc_ids": cited},
            {"id": claim_id, "evidence": predicted(generator, cited) if generator.random() < 0.6 else {}},
        )


def evidence_sets(generator: random.Random) -> list[dict[str, Any]]:
    sentences = generator.sample(range(12), 4)
    label = generator.choice(LABELS)
    return [
        {
            "sentences": sorted(sentences[2 * number : 2 * number + (1 if generator.random() < 0.85 else 2)]),
            "label": label,
        }
        for number in range(generator.choice([1, 1, 2]))
    ]


def predicted(generator: random.Random, cited: list[int]) -> dict[str, dict[str, Any]]:
    others = [generator.randrange(10**6, 10**8)] if generator.random() < 0.5 else []
    return {
        str(doc_id): {
            "sentences": generator.sample(range(12), generator.randint(1, 3)),
            "label": generator.choice(LABELS),
        }
        for doc_id in cited + others
    }


def write_files(folder: Path, count: int) -> tuple[Path, Path]:
    """Write a claims file and a prediction file, line by line."""
    paths = folder / f"claims_{count}.jsonl", folder / f"predictions_{count}.jsonl"
    with paths[0].open("w") as claims, paths[1].open("w") as predictions:
        for claim, prediction in make_claims(count):
            claims.write(json.dumps(claim) + "\n")
            predictions.write(json.dumps(prediction) + "\n")
    return paths
