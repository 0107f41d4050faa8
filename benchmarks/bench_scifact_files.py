"""SciFact files: scoring, merging and the module metrics, against scripts that load them by `json.loads`; and memory."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

import scifact_plain as plain
from measure import Verdict, best_of_commands
from scifact_data import write_files
from tricord import scifact

CLAIMS = 100_000
REAL = 300
MANY = 1_000_000
ROUNDS = 5


def ratio(own: Callable[[], object], peer: Callable[[], object], *, rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Time both in turns, in processor time, so that what else the machine does weighs on both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for function, found in zip((own, peer), times, strict=True):
            start = time.process_time()
            function()
            found.append(time.process_time() - start)
    seconds, peer_seconds = map(min, times)
    return seconds, peer_seconds, seconds / peer_seconds


def score(claims: Path, predictions: Path, corpus: Path | None = None) -> scifact.Report:
    lengths = None if corpus is None else scifact.abstract_lengths(corpus)
    gold = scifact.read_gold(claims, corpus=lengths)
    return scifact.score(gold, predictions, rule="leaderboard", corpus=lengths)


def write_others(folder: Path, predictions: Path) -> dict[str, Path]:
    """Write the files of a pipeline's modules for the same claims, and a corpus with their documents."""
    answers = plain.load(predictions)
    documents = sorted({doc_id for own in answers for doc_id in own["evidence"]}, key=int)
    forms = {
        "corpus": [
            {"doc_id": int(doc_id), "title": f"Title {doc_id}", "abstract": [f"Sentence {n}." for n in range(12)]}
            for doc_id in documents
        ],
        "rationales": [
            {"claim_id": own["id"], "evidence": {key: value["sentences"] for key, value in own["evidence"].items()}}
            for own in answers
        ],
        "labels": [
            {
                "claim_id": own["id"],
                "labels": {
                    key: {"label": value["label"] if int(key) % 3 else "NOT_ENOUGH_INFO", "confidence": 0.5}
                    for key, value in own["evidence"].items()
                },
            }
            for own in answers
        ],
        "retrieved": [{"claim_id": own["id"], "doc_ids": list(map(int, own["evidence"]))} for own in answers],
    }
    paths = {name: folder / f"{name}.jsonl" for name in forms}
    for name, records in forms.items():
        paths[name].write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return paths


def compare_modules(verdict: Verdict, folder: Path, claims: Path, others: dict[str, Path]) -> None:
    def merged(merge: Callable[[Path, Path, Path], object], name: str) -> Callable[[], object]:
        return lambda: merge(others["rationales"], others["labels"], folder / name)

    pairs: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "merge": (merged(scifact.merge_files, "own.jsonl"), merged(plain.merge, "plain.jsonl")),
        "rationale selection": (
            lambda: scifact.score_rationale_selection(claims, others["rationales"]).scores.f1,
            lambda: plain.rationale_selection(claims, others["rationales"]),
        ),
        "label prediction": (
            lambda: scifact.score_label_prediction(claims, others["labels"]).accuracy,
            lambda: plain.label_accuracy(claims, others["labels"]),
        ),
        "abstract retrieval": (
            lambda: tuple(scifact.score_abstract_retrieval(claims, others["retrieved"]).figures().values()),
            lambda: plain.retrieval(claims, others["retrieved"]),
        ),
    }
    for name, (own, peer) in pairs.items():
        if name == "merge":
            own(), peer()
            assert plain.load(folder / "own.jsonl") == plain.load(folder / "plain.jsonl")
        else:
            assert own() == peer(), name
        seconds, peer_seconds, found = ratio(own, peer, rounds=3)
        verdict.claim(
            f"{name}: {seconds:.2f} s, its plain loop {peer_seconds:.2f} s: {found:.2f} times (at most 0.6)",
            found <= 0.6,
        )


def main() -> None:
    verdict = Verdict(
        f"SciFact: {CLAIMS:,} claims from files, against a script of json.loads and the leaderboard's loop"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_files(folder, CLAIMS)
        others = write_others(folder, paths[1])
        for kind, files in (("", paths), (" with --corpus", (*paths, others["corpus"]))):
            # The claims' documents are not in the invented corpus: only predictions are held against it.
            own = (lambda files=files: score(*files)) if not kind else (lambda files=files: score_in_corpus(*files))
            peer = lambda files=files: plain.score(*files)  # noqa: E731
            assert own().figures() == peer()
            seconds, peer_seconds, found = ratio(own, peer)
            verdict.claim(
                f"read, check and score{kind}: {seconds:.2f} s, the script {peer_seconds:.2f} s: {found:.2f} times "
                "(at most 0.35)",
                found <= 0.35,
            )
        compare_modules(verdict, folder, paths[0], others)

        few = write_files(folder, REAL)
        seconds, peer_seconds, found = ratio(lambda: score(*few), lambda: plain.score(*few), rounds=50)
        verdict.claim(
            f"{REAL} claims: {1000 * seconds:.1f} ms, the script {1000 * peer_seconds:.1f} ms: {found:.2f} times (at most 1)",
            found <= 1,
        )
        many = write_files(folder, MANY)
        (few_seconds, _), (many_seconds, memory) = best_of_commands(
            command(paths), command(many), rounds=2, packages=[Path(msgspec.__file__).parents[1]]
        )
        verdict.claim(
            f"{MANY:,} claims from the command line: peak memory {memory:,.0f} MiB (at most 400)", memory <= 400
        )
        growth = many_seconds / few_seconds
        verdict.claim(
            f"{MANY:,} claims take {growth:.1f} times as long as {CLAIMS:,} (linear: 10; at most 15)", growth <= 15
        )
    verdict.finish()


def score_in_corpus(claims: Path, predictions: Path, corpus: Path) -> scifact.Report:
    lengths = scifact.abstract_lengths(corpus)
    return scifact.score(scifact.read_gold(claims), predictions, rule="leaderboard", corpus=lengths)


def command(paths: tuple[Path, Path]) -> list[str]:
    claims, predictions = map(str, paths)
    return ["-m", "tricord.scifact", "score", "--gold", claims, "--predictions", predictions]


if __name__ == "__main__":
    main()
