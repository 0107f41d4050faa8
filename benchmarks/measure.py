"""What the benchmarks share: timing against a peer in the same run, peak memory of a command, and the verdict."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def best_seconds(function: Callable[[], object], *, rounds: int = 5) -> float:
    """Run a function several times and return the shortest time, which noise of the machine disturbs least."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def run_command(arguments: Sequence[str], *, packages: Sequence[Path] = ()) -> tuple[float, float]:
    """Run a Python command to its end and return its processor time in seconds and its peak memory in MiB.

    Processor time, because it is what a single-threaded command takes on an idle machine, and other work on a busy one
    does not count towards it. The command runs without `site`, so that what is installed here neither helps nor delays it;
    what it cannot do without is found in the folders `packages`.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [ROOT / "src", *packages]))}
    process = subprocess.Popen([sys.executable, "-S", *arguments], stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best_of_commands(
    *commands: Sequence[str], rounds: int = 5, packages: Sequence[Path] = ()
) -> list[tuple[float, float]]:
    """Run commands in turns and return the shortest time and the smallest peak memory of each."""
    runs = [[run_command(command, packages=packages) for command in commands] for _ in range(rounds)]
    return [
        (min(seconds for seconds, _ in results), min(memory for _, memory in results))
        for results in zip(*runs, strict=True)
    ]


class Verdict:
    """Collects claims with the figures measured for them, and fails the benchmark where one is not met."""

    def __init__(self, title: str) -> None:
        self.failures = 0
        print(f"== {title}")

    def claim(self, text: str, holds: bool) -> None:
        """Print one claim with its outcome."""
        self.failures += not holds
        print(f"{'ok  ' if holds else 'MISS'}  {text}")

    def finish(self) -> None:
        """Exit with status 1 where a claim was missed."""
        sys.exit(1 if self.failures else 0)
