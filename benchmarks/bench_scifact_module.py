"""The evaluate module `scifact_abstract` on 100,000 claims, against an `evaluate.Metric` that only stores and reads the rows."""

from __future__ import annotations

import time

import evaluate

import tricord
from measure import Verdict
from scifact_data import make_claims
from tricord.scifact.module import FEATURES, as_rows

CLAIMS = 100_000
ROUNDS = 3


class Bare(evaluate.Metric):
    """Stores and reads rows; scores nothing."""

    def _info(self):
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=FEATURES)

    def _compute(self, predictions, references):
        return {"rows": len(predictions)}


def timed(function, **columns) -> float:
    start = time.process_time()
    function(**columns)
    return time.process_time() - start


def main() -> None:
    verdict = Verdict(f"SciFact: the evaluate module on {CLAIMS:,} claims as loaded from JSON")
    claims, predictions = map(list, zip(*make_claims(CLAIMS), strict=True))
    # The peer is given rows that already are in the form of the features: it could not store JSON objects.
    stored = as_rows(predictions, claims)
    metric = tricord.load("scifact_abstract")
    bare = Bare(keep_in_memory=True)
    rounds = [
        (
            timed(metric.compute, predictions=predictions, references=claims),
            timed(bare.compute, **stored),
        )
        for _ in range(ROUNDS)
    ]
    seconds, peer = map(min, zip(*rounds, strict=True))
    verdict.claim(
        f"{seconds:.1f} s; evaluate itself needs {peer:.1f} s to store and read the rows: {seconds / peer:.2f} times "
        "(at most 1.5)",
        seconds <= 1.5 * peer,
    )
    verdict.finish()


if __name__ == "__main__":
    main()
