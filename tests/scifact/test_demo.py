"""The bundled example files and the SciFact part of the demonstration."""

import importlib.util
import json

from scifact import naive
from tricord import scifact


def test_demo_shows_the_scores_of_the_bundled_files(root):
    spec = importlib.util.spec_from_file_location("demo_scifact", root / "examples" / "demo_scifact.py")
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    data = root / "examples" / "data" / "scifact"
    claims, predictions = (
        [json.loads(line) for line in (data / f"{name}.jsonl").read_text().splitlines()]
        for name in ("claims", "predictions")
    )
    expected = naive.evaluate(claims, predictions, "paper")
    rows = demo.rows()
    assert len(rows) == 12
    for module, name, value in rows:
        group, _, measure = name.rpartition("_")
        assert module == f"scifact_{group.partition('_')[0]}"
        assert value == expected[group][measure]


def test_bundled_files_lie_within_the_bundled_corpus(root):
    data = root / "examples" / "data" / "scifact"
    corpus = scifact.abstract_lengths(data / "corpus.jsonl")
    gold = scifact.read_gold(data / "claims.jsonl", corpus=corpus)
    paper, leaderboard = (
        scifact.score(gold, data / "predictions.jsonl", rule=rule, corpus=corpus).abstract_rationalized.correct
        for rule in scifact.RULES
    )
    assert (paper, leaderboard) == (1, 2)
