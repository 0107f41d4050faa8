"""The SciFact part of the demonstration: both modules score the bundled example files through `evaluate.load`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import evaluate

from tricord.modules import module_path

DATA = Path(__file__).parent / "data" / "scifact"
MODULES = ("scifact_abstract", "scifact_sentence")


def read_lines(name: str) -> list[dict[str, Any]]:
    """Read one of the JSON Lines files."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def score_scifact(name: str) -> dict[str, float]:
    """Score the SciFact example with one of its two modules."""
    predictions, claims = read_lines("predictions.jsonl"), read_lines("claims.jsonl")
    scores: dict[str, float] = evaluate.load(str(module_path(name))).compute(predictions=predictions, references=claims)
    return scores


def rows() -> list[list[object]]:
    """Give the rows of the demonstration's table: module, score and value."""
    return [[name, *score] for name in MODULES for score in score_scifact(name).items()]
