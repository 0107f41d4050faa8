"""The Common Ground part of the demo: predicted votes through the evaluate module, and the statistics of a conversation."""

from pathlib import Path

import evaluate

from tricord import commonground
from tricord.commonground.io import read_held_out, read_predictions
from tricord.modules import module_path
from tricord.terminal import format_table

DATA = Path(__file__).resolve().parent / "data" / "commonground"


def rows() -> tuple[list[str], list[list[object]]]:
    """Score the bundled predictions with `commonground_brier`: headers, and one row a score."""
    held_out = read_held_out(DATA / "held_out.json")
    predictions = read_predictions(DATA / "predictions.json")
    metric = evaluate.load(str(module_path("commonground_brier")))
    scores = metric.compute(predictions=list(map(predictions.get, held_out)), references=list(held_out.values()))
    return ["module", "score", "value"], [["commonground_brier", name, value] for name, value in scores.items()]


def statement_rows() -> tuple[list[str], list[list[object]]]:
    """Give the statistics of the bundled conversation: headers, and one row a statement."""
    headers = ["statement", "agree", "disagree", "pass", "pat", "separation", "entropy", "text"]
    table = commonground.statement_table(commonground.read_export(DATA / "example-conversation"))
    return headers, [[row[name] for name in headers] for row in table]


if __name__ == "__main__":
    for part in (rows, statement_rows):
        print(format_table(*part()), end="\n\n")
