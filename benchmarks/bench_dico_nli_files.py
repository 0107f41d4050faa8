"""Two 300,000-row CSV files from the command line, against a row-by-row csv.DictReader scorer; and the start-up time."""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import ROOT, Verdict, best_of_commands
from tricord.dico_nli import LABELS, REVERSE_LABEL

ROWS = 300_000


COLUMNS = ["instance_id", "pair_id", "text1_lang", "text2_lang", "text1", "text2", "reverse_pair_id", "label"]


def write_files(folder: Path) -> list[str]:
    """Write a reference with texts, as it is released, and predictions in the same order; return their paths.

    Rows are written as they are made: a benchmark that grows lends its size to the commands that it starts.
    """
    generator = random.Random(0)
    paths = [folder / "gold.csv", folder / "predictions.csv"]
    with paths[0].open("w", encoding="utf-8", newline="") as gold, paths[1].open("w", encoding="utf-8") as predictions:
        gold_writer = csv.writer(gold, lineterminator="\n")
        gold_writer.writerow(COLUMNS)
        predictions.write("instance_id,label\n")
        rows = 0
        while rows < ROWS:
            for row in pair_rows(generator, f"dico_phrasis_{rows:07d}"):
                gold_writer.writerow(row)
                predicted = row[-1] if generator.random() < 0.7 else generator.choice(LABELS)
                predictions.write(f"{row[0]},{predicted}\n")
                rows += 1
    return [str(path) for path in paths]


def pair_rows(generator: random.Random, pair: str) -> list[list[str]]:
    """Make the two rows of a reversible pair, or the one of a NEGATIVE_OTHER pair; every tenth text has a comma."""
    label = generator.choices(LABELS, weights=[2, 3, 3, 1])[0]
    forward, backward = f"{pair}__en-en__original", f"{pair}__en-en__flipped"
    words = ["a phrase of some words", "another phrase" + (", which is longer" if generator.random() < 0.1 else "")]
    if label not in REVERSE_LABEL:
        return [[forward, pair, "en", "en", *words, "", label]]
    return [
        [forward, pair, "en", "en", *words, backward, label],
        [backward, pair, "en", "en", *reversed(words), forward, REVERSE_LABEL[label]],
    ]


def printed(*arguments: str) -> dict[str, object]:
    output = subprocess.run(
        [sys.executable, *arguments], capture_output=True, check=True, env={"PYTHONPATH": str(ROOT / "src")}
    ).stdout
    return json.loads(output)


def main() -> None:
    verdict = Verdict(f"DiCo-NLI: two files of {ROWS:,} rows from the command line")
    with tempfile.TemporaryDirectory() as folder:
        gold, predictions = write_files(Path(folder))
        ours = ["-m", "tricord.dico_nli", "--gold", gold, "--predictions", predictions]
        naive = [str(Path(__file__).with_name("dico_nli_naive.py")), gold, predictions]
        scores, expected = printed(*ours), printed(*naive)
        same = all(scores[name] == expected[name] for name in ("weighted_f1", "soft_cons", "hard_cons"))
        verdict.claim("both scorers print the same three scores", same)
        (seconds, memory), (naive_seconds, naive_memory) = best_of_commands(ours, naive)
    speed, share = naive_seconds / seconds, memory / naive_memory
    verdict.claim(f"{seconds:.2f} s against {naive_seconds:.2f} s: {speed:.1f} times faster (at least 5)", speed >= 5)
    verdict.claim(
        f"{memory:.0f} MiB against {naive_memory:.0f} MiB at the peak: {share:.2f} (at most 0.5)", share <= 0.5
    )
    (start, _), (plain, _) = best_of_commands(
        ["-m", "tricord.dico_nli", "--help"], ["-c", "import csv, json, argparse"], rounds=15
    )
    extra = (start - plain) * 1000
    verdict.claim(
        f"starts {extra:.0f} ms later than a Python that imports csv, json and argparse (at most 60)", extra <= 60
    )
    verdict.finish()


if __name__ == "__main__":
    main()
