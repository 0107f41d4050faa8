"""A bound reference scores 20,000 predictions given as an id array; the peer is scikit-learn's weighted F1 alone."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import f1_score

from measure import Verdict, best_seconds
from tricord.dico_nli import LABELS, REVERSE_LABEL, make_reference, score

ROWS = 20_000


def main() -> None:
    verdict = Verdict(f"DiCo-NLI: {ROWS:,} predictions as an id array against a bound reference")
    generator = np.random.default_rng(0)
    labels: list[str] = []
    for label in generator.choice(LABELS[:3], ROWS // 2):
        labels += [str(label), REVERSE_LABEL[label]]
    ids = [f"p{row // 2}__en-en__{'flipped' if row % 2 else 'original'}" for row in range(ROWS)]
    reference = make_reference(ids, labels)
    gold = np.array([LABELS.index(label) for label in labels])
    predictions = generator.integers(0, 4, ROWS)

    seconds = best_seconds(lambda: score(reference, predictions), rounds=50)
    peer = best_seconds(lambda: f1_score(gold, predictions, average="weighted"), rounds=50)
    verdict.claim(
        f"{seconds * 1000:.2f} ms for the whole report (at most 3 ms); scikit-learn's weighted F1 alone: "
        f"{peer * 1000:.2f} ms, ratio {peer / seconds:.1f}",
        seconds <= 0.003,
    )
    verdict.finish()


if __name__ == "__main__":
    main()
