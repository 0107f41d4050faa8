"""A hook of the training loop scores 18,252 rows of logits; the peer is the same through `evaluate.Metric.compute`.

Also: `evaluate.load("dico_nli")` by its bare name, in a fresh process that has just imported evaluate.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import numpy as np

import tricord
from measure import Verdict, best_seconds
from tricord.dico_nli import LABELS, REVERSE_LABEL
from tricord.training import Decoding, dico_nli_metrics

ROWS = 18_252  # the training set of track 4; the largest set that one evaluates

LOAD = """
import evaluate, time
start = time.perf_counter()
evaluate.load("dico_nli")
print(time.perf_counter() - start)
"""


def make_rows(generator: np.random.Generator) -> list[dict[str, str]]:
    rows = []
    for number in range(ROWS // 2):
        label = str(generator.choice(LABELS[:3]))
        for direction, named in (("original", label), ("flipped", REVERSE_LABEL[label])):
            rows.append({"instance_id": f"p{number}__en-en__{direction}", "pair_id": f"p{number}", "label": named})
    return rows


def main() -> None:
    verdict = Verdict(f"Training hook: {ROWS:,} rows of logits against a bound evaluation set")
    generator = np.random.default_rng(0)
    rows = make_rows(generator)
    label_ids = np.array([LABELS.index(row["label"]) for row in rows])
    logits = generator.normal(size=(ROWS, 4)).astype(np.float32)
    hook = dico_nli_metrics(rows)
    metric = tricord.load("dico_nli")
    columns = {"references": label_ids, "instance_ids": [row["instance_id"] for row in rows]}

    def through_evaluate() -> dict[str, float]:
        return metric.compute(predictions=logits.argmax(axis=1), **columns)

    figures, same = hook((logits, label_ids)), through_evaluate()
    verdict.claim("both give the same figures", all(figures[name] == value for name, value in same.items()))
    seconds = best_seconds(lambda: hook((logits, label_ids)), rounds=50)
    peer = best_seconds(through_evaluate, rounds=5)
    verdict.claim(
        f"{seconds * 1000:.2f} ms a call (at most 5 ms); through evaluate.Metric.compute {peer * 1000:.0f} ms, "
        f"{peer / seconds:.0f} times as long",
        seconds <= 0.005,
    )
    aware = dico_nli_metrics(rows, decoding=Decoding())
    print(f"      with reversal-aware decoding {best_seconds(lambda: aware((logits, label_ids))) * 1000:.1f} ms a call")
    loading = load_seconds()
    verdict.claim(f'evaluate.load("dico_nli") takes {loading:.3f} s after the import (at most 0.3 s)', loading <= 0.3)
    verdict.finish()


def load_seconds() -> float:
    """Time the load by bare name, offline, in fresh processes; the shortest of three."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "HF_MODULES_CACHE": f"{folder}/modules", "HF_EVALUATE_OFFLINE": "1"}
        subprocess.run([sys.executable, "-m", "tricord", "register"], check=True, env=environment, capture_output=True)
        command = [sys.executable, "-c", LOAD]
        outputs = [
            subprocess.run(command, cwd=folder, check=True, env=environment, capture_output=True, text=True).stdout
            for _ in range(3)
        ]
    return min(map(float, outputs))


if __name__ == "__main__":
    main()
