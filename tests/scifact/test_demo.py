"""The bundled example files, and what the demonstration shows for them."""

import importlib.util

from scifact import naive
from tricord import scifact


def test_demo_shows_the_scores_of_the_bundled_files(root, capsys):
    spec = importlib.util.spec_from_file_location("demo", root / "examples" / "demo.py")
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    demo.main()
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("scifact_")]
    columns = demo.scifact()
    expected = naive.evaluate(columns["references"], columns["predictions"], "paper")
    assert len(lines) == 12
    for module, name, value in lines:
        group, _, measure = name.rpartition("_")
        assert module == f"scifact_{group.partition('_')[0]}"
        assert value == f"{expected[group][measure]:.4f}"


def test_bundled_files_lie_within_the_bundled_corpus(root):
    data = root / "examples" / "data" / "scifact"
    corpus = scifact.abstract_lengths(data / "corpus.jsonl")
    gold = scifact.read_gold(data / "claims.jsonl", corpus=corpus)
    paper, leaderboard = (
        scifact.score(gold, data / "predictions.jsonl", rule=rule, corpus=corpus).abstract_rationalized.correct
        for rule in scifact.RULES
    )
    assert (paper, leaderboard) == (1, 2)
