"""The main job in one go: load every metric through `evaluate.load`, score the bundled example files, print one table."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import evaluate

from tricord.commonground import read_held_out, read_predictions
from tricord.modules.loading import module_path
from tricord.terminal import format_table

DATA = Path(__file__).parent / "data"


def read_columns(path: Path) -> dict[str, list[str]]:
    """Read a CSV file into columns."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


def dico_nli() -> dict[str, Any]:
    """Read the columns of the DiCo-NLI example."""
    gold, predicted = (read_columns(DATA / "dico_nli" / f"{kind}.csv") for kind in ("gold", "predictions"))
    label_of = dict(zip(predicted["instance_id"], predicted["label"], strict=True))
    return {
        "predictions": [label_of[instance_id] for instance_id in gold["instance_id"]],
        "references": gold["label"],
        "instance_ids": gold["instance_id"],
        "reverse_pair_ids": gold["reverse_pair_id"],
    }


def commonground() -> dict[str, Any]:
    """Read the columns of the Common Ground example."""
    held_out = read_held_out(DATA / "commonground" / "held_out.json")
    predictions = read_predictions(DATA / "commonground" / "predictions.json")
    return {"predictions": [predictions.get(cell) for cell in held_out], "references": list(held_out.values())}


def scifact() -> dict[str, Any]:
    """Read the JSON objects of the SciFact example."""
    files = {"predictions": "predictions.jsonl", "references": "claims.jsonl"}
    return {
        column: [json.loads(line) for line in (DATA / "scifact" / name).read_text(encoding="utf-8").splitlines()]
        for column, name in files.items()
    }


EXAMPLES = {
    "dico_nli": dico_nli,
    "dico_nli_consistency": dico_nli,
    "scifact_abstract": scifact,
    "scifact_sentence": scifact,
    "commonground_brier": commonground,
}


def main() -> None:
    """Score the example of every module and print the table."""
    rows: list[list[object]] = []
    for name, read in EXAMPLES.items():
        scores = evaluate.load(str(module_path(name))).compute(**read())
        rows += [[name, score, value] for score, value in scores.items()]
    print(format_table(["module", "score", "value"], rows))


if __name__ == "__main__":
    main()
