"""The main job in one go: load every metric through `evaluate.load` and score the bundled example files."""

from __future__ import annotations

import csv
from pathlib import Path

import evaluate

from tricord.modules import module_path
from tricord.terminal import format_table

DATA = Path(__file__).parent / "data"


def read_columns(path: Path) -> dict[str, list[str]]:
    """Read a CSV file into columns."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


def score_dico_nli(name: str) -> dict[str, float]:
    """Score the DiCo-NLI example with one of its two modules."""
    gold, predicted = (read_columns(DATA / "dico_nli" / f"{kind}.csv") for kind in ("gold", "predictions"))
    label_of = dict(zip(predicted["instance_id"], predicted["label"], strict=True))
    scores: dict[str, float] = evaluate.load(str(module_path(name))).compute(
        predictions=[label_of[instance_id] for instance_id in gold["instance_id"]],
        references=gold["label"],
        instance_ids=gold["instance_id"],
        reverse_pair_ids=gold["reverse_pair_id"],
    )
    return scores


def main() -> None:
    """Print one table with the scores of every module."""
    results = {name: score_dico_nli(name) for name in ("dico_nli", "dico_nli_consistency")}
    rows = [[name, *row] for name, scores in results.items() for row in scores.items()]
    print(format_table(["module", "score", "value"], rows))


if __name__ == "__main__":
    main()
