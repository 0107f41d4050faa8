"""SciFact files: 100,000 claims scored, against `json.loads` over the same lines; 1,000,000 claims, and their memory."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from measure import Verdict, best_of_commands
from scifact_data import write_files
from tricord.scifact import read_gold, score

CLAIMS = 100_000
MANY = 1_000_000
ROUNDS = 7


def parse(lines: list[str]) -> None:
    for line in lines:
        json.loads(line)


def timed(function, *arguments) -> float:
    start = time.process_time()
    function(*arguments)
    return time.process_time() - start


def evaluate(claims: Path, predictions: Path) -> None:
    score(read_gold(claims), predictions)


def main() -> None:
    verdict = Verdict(
        f"SciFact: {CLAIMS:,} claims from files, against json.loads over the same lines (already in memory)"
    )
    with tempfile.TemporaryDirectory() as name:
        paths = write_files(Path(name), CLAIMS)
        # In turns and in processor time, so that what else the machine does weighs on both.
        rounds = []
        for _ in range(ROUNDS):
            lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
            peer = timed(parse, lines)
            del lines
            rounds.append((timed(evaluate, *paths), peer))
        seconds, peer = map(min, zip(*rounds, strict=True))
        verdict.claim(
            f"{seconds:.2f} s to read, check and score; json.loads alone {peer:.2f} s: {seconds / peer:.2f} times (at most 3)",
            seconds <= 3 * peer,
        )
        many = write_files(Path(name), MANY)
        (few_seconds, _), (many_seconds, memory) = best_of_commands(command(paths), command(many), rounds=2)
        verdict.claim(
            f"{MANY:,} claims from the command line: peak memory {memory:,.0f} MiB (under 2 GB)", memory < 1907
        )
        growth = many_seconds / few_seconds
        verdict.claim(
            f"{MANY:,} claims take {growth:.1f} times as long as {CLAIMS:,} (linear: 10; at most 15)", growth <= 15
        )
    verdict.finish()


def command(paths: tuple[Path, Path]) -> list[str]:
    claims, predictions = map(str, paths)
    return ["-m", "tricord.scifact", "evaluate", "--gold", claims, "--prediction", predictions]


if __name__ == "__main__":
    main()
