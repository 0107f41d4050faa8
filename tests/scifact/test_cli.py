"""The command line: what it prints and writes, and every kind of input that it rejects, in one line and with status 2."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from scifact.strategies import write_lines
from tricord import cli
from tricord.scifact import read_gold
from tricord.scifact.cli import main

GOLD = [
    {"id": 1, "claim": "First.", "evidence": {"7": [{"sentences": [0, 1], "label": "SUPPORT"}]}, "cited_doc_ids": [7]},
    {"id": 2, "claim": "Second\x1b[2J.", "evidence": {}, "cited_doc_ids": [8]},
    {"id": 3, "claim": "Third.", "evidence": {"8": [{"sentences": [2], "label": "CONTRADICT"}]}, "cited_doc_ids": [8]},
]
PREDICTIONS = [
    {"id": 3, "evidence": {"8": {"sentences": [2, 1], "label": "SUPPORT"}}},
    {"id": 1, "evidence": {"7": {"sentences": [1, 0], "label": "SUPPORT"}}},
    {"id": 2, "evidence": {}},
]
CORPUS = [
    {"doc_id": 7, "title": "Seven", "abstract": ["A first.", "A second."], "structured": False},
    {"doc_id": 8, "title": "Eight", "abstract": ["Eins.", "Zwei.", "Drei \ud800."], "structured": True},
]


def signature(rule):
    return f"scifact|rule:{rule}|gold:{read_gold(GOLD).content_hash}|claims:3|version:0.1.0"


RATIONALES = [
    {"claim_id": line["id"], "evidence": {k: v["sentences"] for k, v in line["evidence"].items()}}
    for line in PREDICTIONS
]
LABELS = [
    {
        "claim_id": line["id"],
        "labels": {k: {"label": v["label"], "confidence": 0.5} for k, v in line["evidence"].items()},
    }
    for line in PREDICTIONS
]
RETRIEVED = [{"claim_id": line["id"], "doc_ids": [int(key) for key in line["evidence"]]} for line in PREDICTIONS]
FILES = {
    "gold": GOLD,
    "predictions": PREDICTIONS,
    "corpus": CORPUS,
    "rationales": RATIONALES,
    "labels": LABELS,
    "retrieved": RETRIEVED,
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, records in FILES.items():
        write_lines(tmp_path / name, records)
    monkeypatch.chdir(tmp_path)
    return tmp_path


EVALUATE = ["evaluate", "--gold", "gold", "--prediction", "predictions"]
MERGE = ["merge", "--rationale-file", "rationales", "--label-file", "labels", "--result-file", "merged"]


def test_evaluate(folder, capsys):
    assert main([*EVALUATE, "--corpus", "corpus", "--output", "out/scores.json"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "scores                 precision  recall      f1  correct  predicted  gold",
        "---------------------  ---------  ------  ------  -------  ---------  ----",
        "sentence_selection        0.7500  1.0000  0.8571        3          4     3",
        "sentence_label            0.5000  0.6667  0.5714        2          4     3",
        "abstract_label_only       0.5000  0.5000  0.5000        1          2     2",
        "abstract_rationalized     0.5000  0.5000  0.5000        1          2     2",
        "",
        signature("paper"),
    ]
    half = {"correct": 1, "predicted": 2, "gold": 2, "precision": 0.5, "recall": 0.5, "f1": 0.5}
    assert json.loads((folder / "out" / "scores.json").read_text()) == {
        "abstract_label_only": half,
        "abstract_rationalized": half,
        "sentence_selection": {
            "correct": 3,
            "predicted": 4,
            "gold": 3,
            "precision": 0.75,
            "recall": 1.0,
            "f1": 0.8571428571428571,
        },
        "sentence_label": {
            "correct": 2,
            "predicted": 4,
            "gold": 3,
            "precision": 0.5,
            "recall": 0.6666666666666666,
            "f1": 0.5714285714285715,
        },
        "claims": 3,
        "rule": "paper",
        "signature": signature("paper"),
    }


def test_rule(folder, capsys):
    write_lines(folder / "gold", [{"id": 1, "evidence": {"7": [{"sentences": [0, 1, 2, 3], "label": "SUPPORT"}]}}])
    write_lines(folder / "predictions", [{"id": 1, "evidence": {"7": {"sentences": [0, 1, 2, 3], "label": "SUPPORT"}}}])
    found = {}
    for rule in ("paper", "leaderboard"):
        assert main([*EVALUATE, "--rule", rule, "--output", rule]) == 0
        assert f"|rule:{rule}|" in capsys.readouterr().out
        found[rule] = json.loads((folder / rule).read_text())["abstract_rationalized"]["f1"]
    assert found == {"paper": 0.0, "leaderboard": 1.0}


def test_explain(folder, capsys):
    arguments = ["--gold", "gold", "--prediction", "predictions", "--corpus", "corpus"]
    assert main(["explain", *arguments, "--claims", "3", "2"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "claim 3: Third.",
        "  document 8: Eight",
        "    gold CONTRADICT, predicted SUPPORT; label wrong, rationale wrong (wrong label)",
        "    sentence 2: right sentence, wrong label: Drei \\ud800.",
        "    sentence 1: wrong (no evidence): Zwei.",
        "claim 2: Second\\x1b[2J.",
        "  no evidence, and none predicted: correct",
        "rule: paper",
    ]
    assert main(["explain", *arguments, "--rule", "leaderboard", "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["rule"] == "leaderboard"
    assert [claim["claim_id"] for claim in result["claims"]] == [1, 2, 3]
    assert main(["explain", *arguments[:4], "--claims", "1"]) == 0
    assert "    sentence 1: correct\n" in capsys.readouterr().out
    assert main(["explain", *arguments, "--claims", "1", "9"]) == 2
    assert capsys.readouterr().err == "SCORING_ERROR: gold: there is no claim 9\n"


def test_merge(folder, capsys):
    assert main(MERGE) == 0
    assert capsys.readouterr().out == "merged: predictions for 3 claims\n"
    assert [json.loads(line) for line in (folder / "merged").read_text().splitlines()] == PREDICTIONS


@pytest.mark.parametrize(
    ("command", "file", "scores", "shown"),
    [
        ("rationale-selection", "rationales", {"correct": 3, "predicted": 4, "gold": 3, "precision": 0.75}, "0.7500"),
        ("label-prediction", "labels", {"accuracy": 0.5, "macro_f1": 1 / 3, "total_documents": 2}, "0.3333"),
        ("abstract-retrieval", "retrieved", {"hit_one": 1.0, "hit_all": 1.0, "hit_all_claims": 3}, "hit_all"),
    ],
)
def test_modules_of_a_pipeline(folder, capsys, command, file, scores, shown):
    assert main([command, "--gold", "gold", "--prediction", file, "--output", "scores.json"]) == 0
    found = json.loads((folder / "scores.json").read_text())
    assert {name: found[name] for name in scores} == scores
    assert found["claims"] == 3
    printed = capsys.readouterr().out
    assert shown in printed
    assert printed.splitlines()[-1] == found["signature"]
    assert found["signature"].startswith(f"scifact_{command.replace('-', '_')}|gold:")


def test_as_a_command_of_tricord(folder, capsys):
    assert cli.main(["scifact", *EVALUATE]) == 0
    assert "sentence_label" in capsys.readouterr().out


@pytest.mark.process
def test_as_a_module_with_msgspec_alone(folder, root):
    (folder / "libraries").mkdir()
    (folder / "libraries" / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    code = (
        "import runpy, sys\n"
        f"sys.argv = ['scifact', *{EVALUATE!r}]\n"
        "try:\n    runpy.run_module('tricord.scifact', run_name='__main__')\n"
        "except SystemExit as status:\n    assert status.code == 0, status.code\n"
        "print({'numpy', 'evaluate', 'datasets', 'torch', 'gradio'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": f"{root / 'src'}:{folder / 'libraries'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize(
    "arguments", [[], ["evaluate"], ["score"], [*EVALUATE, "--rule", "mine"], ["explain", "--claims", "x"]]
)
def test_wrong_usage(folder, capsys, arguments):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage:" in capsys.readouterr().err


# Rejections


def line(record, **changes):
    return json.dumps({**record, **changes}) + "\n"


def evidence(sentences, label="SUPPORT"):
    return {"7": {"sentences": sentences, "label": label}}


GOLD_TEXT, PREDICTION_TEXT = ("".join(map(line, records)) for records in (GOLD, PREDICTIONS))
TWO_GOLD, TWO_PREDICTIONS = ("".join(map(line, records[:2])) for records in (GOLD, PREDICTIONS))
THIRD = PREDICTIONS[2]
NESTED = "[" * 100_000 + "]" * 100_000

# The spoilt content of a file, and what the message must hold besides its name.
BAD_PREDICTIONS = {
    "empty": ("", ["empty"]),
    "blank lines": ("\n \n\r\n", ["3 claims have no prediction: 1, 2, 3"]),
    "broken JSON": (TWO_PREDICTIONS + '{"id": 2, "evidence": {}\n', ["line 3", "not valid JSON"]),
    "two objects": (TWO_PREDICTIONS + '{"id": 2, "evidence": {}} {}\n', ["line 3", "Extra data"]),
    "no object": (TWO_PREDICTIONS + "[1]\n", ["line 3", "[1]"]),
    "a JSON list": (json.dumps(PREDICTIONS, indent=1), ["line 1", "not valid JSON"]),
    "UTF-16": (PREDICTION_TEXT.encode("utf-16"), ["line 1", "NUL"]),
    "Latin-1": (TWO_PREDICTIONS.encode() + b'{"id": 2, "evidence": {}, "x": "\xe9"}\n', ["line 3", "0xe9"]),
    "lone carriage return": (PREDICTION_TEXT.replace("\n", "\r"), ["line 1", "Extra data"]),
    "NaN": (TWO_PREDICTIONS + '{"id": NaN, "evidence": {}}\n', ["line 3", "NaN"]),
    "infinity": (TWO_PREDICTIONS + '{"id": 2, "evidence": {}, "x": -Infinity}\n', ["line 3", "-Infinity"]),
    "deep nesting": (TWO_PREDICTIONS + NESTED + "\n", ["line 3", "nested too deeply"]),
    "deep nesting inside": (TWO_PREDICTIONS + f'{{"id": 2, "evidence": {NESTED}}}\n', ["line 3", "nested too deeply"]),
    "fairly deep nesting": (TWO_PREDICTIONS + f'{{"id": 2, "evidence": {"[" * 800}{"]" * 800}}}\n', ["line 3", "evidence"]),
    "huge number": (TWO_PREDICTIONS + '{"id": 1' + "0" * 5000 + ', "evidence": {}}\n', ["line 3"]),
    "no id": (TWO_PREDICTIONS + '{"evidence": {}}\n', ["line 3", "'id' is missing"]),
    "no evidence": (TWO_PREDICTIONS + '{"id": 2}\n', ["line 3", "'evidence' is missing"]),
    "no enough info": (TWO_PREDICTIONS + line(THIRD, evidence=evidence([1], "NOT_ENOUGH_INFO")), ["line 3", "['7']['label']"]),
    "misspelt label": (TWO_PREDICTIONS + line(THIRD, evidence=evidence([1], "SUPPORTS")), ["line 3", "'SUPPORTS'"]),
    "negative sentence": (TWO_PREDICTIONS + line(THIRD, evidence=evidence([1, -1])), ["line 3", "['sentences'][1]", "-1"]),
    "fractional sentence": (TWO_PREDICTIONS + line(THIRD, evidence=evidence([1.0])), ["line 3", "['sentences'][0]", "1.0"]),
    "truth value": (TWO_PREDICTIONS + line(THIRD, evidence=evidence([True])), ["line 3", "True"]),
    "sentence beyond": (TWO_PREDICTIONS + line(THIRD, evidence=evidence([2])), ["line 3", "['7']", "2 sentences"]),
    "unknown document": (TWO_PREDICTIONS + line(THIRD, evidence={"9": evidence([0])["7"]}), ["line 3", "['9']", "corpus"]),
    "document id": (TWO_PREDICTIONS + line(THIRD, evidence={"S7": evidence([0])["7"]}), ["line 3", "['S7']"]),
    "missing claim": (TWO_PREDICTIONS, ["1 claims have no prediction: 2"]),
    "unknown claim": (PREDICTION_TEXT + line(THIRD, id=9), ["unknown claims: 9", "line 4"]),
    "repeated claim": (PREDICTION_TEXT + line(THIRD), ["line 4", "claim 2"]),
}  # fmt: skip
CLAIM = GOLD[2]
BAD_GOLD = {
    "no evidence": (TWO_GOLD + '{"id": 3, "claim": "Third."}\n', ["line 3", "'evidence' is missing", "test split"]),
    "conflicting labels": (
        TWO_GOLD
        + line(CLAIM, evidence={"8": [{"sentences": [0], "label": "SUPPORT"}, {"sentences": [1], "label": "CONTRADICT"}]}),
        ["line 3", "evidence['8']", "one label", "CONTRADICT and SUPPORT"],
    ),
    "not enough info": (
        TWO_GOLD + line(CLAIM, evidence={"8": [{"sentences": [0], "label": "NOT_ENOUGH_INFO"}]}),
        ["line 3", "evidence['8'][0]['label']"],
    ),
    "the form of predictions": (TWO_GOLD + line(CLAIM, evidence=evidence([1])), ["line 3", "evidence['7']", "evidence sets"]),
    "sentence beyond": (
        TWO_GOLD + line(CLAIM, evidence={"8": [{"sentences": [3], "label": "SUPPORT"}]}),
        ["line 3", "evidence['8']", "3 sentences"],
    ),
    "repeated claim": (GOLD_TEXT + line(CLAIM), ["line 4", "claim 3"]),
    "blank lines": ("\n\n", ["no claims"]),
}  # fmt: skip
BAD_CORPUS = {
    "no abstract": ('{"doc_id": 7, "title": "Seven"}\n', ["line 1", "'abstract' is missing"]),
    "abstract in one piece": ('{"doc_id": 7, "title": "Seven", "abstract": "One."}\n', ["line 1", "abstract", "list"]),
    "blank lines": ("\n\n", ["no documents"]),
}
CASES = [
    pytest.param(name, *case, id=f"{name}, {kind}")
    for name, cases in {"predictions": BAD_PREDICTIONS, "gold": BAD_GOLD, "corpus": BAD_CORPUS}.items()
    for kind, case in cases.items()
]


@pytest.mark.parametrize(("name", "content", "parts"), CASES)
def test_rejections(folder, capsys, name, content, parts):
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "scores.json").write_text("earlier")
    before = sorted(folder.iterdir())
    assert main([*EVALUATE, "--corpus", "corpus", "--output", "scores.json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"SCORING_ERROR: {name}: ")
    assert printed.err.count("\n") == 1
    assert len(printed.err) < 600
    for part in parts:
        assert part in printed.err
    assert sorted(folder.iterdir()) == before
    assert (folder / "scores.json").read_text() == "earlier"


@pytest.mark.parametrize("arguments", [MERGE, ["label-prediction", "--gold", "gold", "--prediction", "labels"]])
def test_confidence_beyond_all_floats(folder, capsys, arguments):
    label = {"label": "SUPPORT", "confidence": 10**400}
    write_lines(folder / "labels", [LABELS[0], {"claim_id": 1, "labels": {"7": label}}, LABELS[2]])
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert message.startswith(
        "SCORING_ERROR: labels: line 2: labels['7']['confidence']: expected a finite number, got 1000"
    )
    assert message.count("\n") == 1
    assert not (folder / "merged").exists()


def test_first_of_several_faults_is_named(folder, capsys):
    (folder / "predictions").write_text('{"id": 3, "evidence": []}\n{"id": 2, "evidence": 5}\n')
    assert main(EVALUATE) == 2
    assert capsys.readouterr().err.startswith("SCORING_ERROR: predictions: line 1: evidence: expected an object")


@pytest.mark.parametrize("name", ["gold", "predictions"])
def test_line_of_50_megabytes(folder, capsys, name):
    with (folder / name).open("a") as file:
        file.write('{"id": 9, "claim": "' + "x" * 50_000_000 + '", "evidence": {}}\n')
    assert main([*EVALUATE, "--output", "scores.json"]) == 2
    assert f"SCORING_ERROR: {name}: line 4: is longer than 16,777,216 characters" in capsys.readouterr().err
    assert not (folder / "scores.json").exists()


@pytest.mark.parametrize("option", ["--gold", "--prediction", "--corpus"])
def test_missing_file(folder, capsys, option):
    arguments = [*EVALUATE, "--corpus", "corpus"]
    arguments[arguments.index(option) + 1] = "nowhere"
    assert main(arguments) == 2
    assert capsys.readouterr().err == "SCORING_ERROR: nowhere: no such file\n"


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        ([*EVALUATE, "--corpus", "corpus", "--output"], "gold"),
        ([*EVALUATE, "--corpus", "corpus", "--output"], "./predictions"),
        ([*EVALUATE, "--corpus", "corpus", "--output"], "corpus"),
        (["label-prediction", "--gold", "gold", "--prediction", "labels", "--output"], "labels"),
        (MERGE[:-1], "labels"),
        (MERGE[:-1], "rationales"),
    ],
)
def test_inputs_are_not_overwritten(folder, capsys, arguments, target):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main([*arguments, target]) == 2
    message = f"SCORING_ERROR: {target}: is also an input; choose another name for the file to write\n"
    assert capsys.readouterr() == ("", message)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_merge_of_blank_lines(folder, capsys):
    for name in ("rationales", "labels"):
        (folder / name).write_text("\n\n")
    assert main(MERGE) == 2
    assert capsys.readouterr().err == "SCORING_ERROR: rationales: there are no claims\n"
    assert not (folder / "merged").exists()


def test_output_that_cannot_be_written(folder, capsys):
    assert main([*EVALUATE, "--output", "gold/scores.json"]) == 2
    assert capsys.readouterr().out == ""


def test_real_files(shared_data, capsys, tmp_path):
    data = shared_data / "scifact"
    arguments = ["--gold", str(data / "gold_small.jsonl"), "--prediction", str(data / "predictions_small.jsonl")]
    assert main(["evaluate", *arguments, "--output", str(tmp_path / "scores.json")]) == 0
    scores = json.loads((tmp_path / "scores.json").read_text())
    expected = json.loads((data / "expected_metrics_small.json").read_text())
    assert {name: scores[name.rpartition("_")[0]][name.rpartition("_")[2]] for name in expected} == expected
    assert main(["explain", *arguments]) == 0


def test_test_split_is_recognised(shared_data, capsys, tmp_path):
    """The claims of the test split, as they are released: without evidence."""
    dummy = shared_data / "scifact" / "predictions_dummy.jsonl"
    ids = [json.loads(line)["id"] for line in dummy.read_text().splitlines()]
    gold = write_lines(tmp_path / "claims_test.jsonl", [{"id": claim_id, "claim": "A claim."} for claim_id in ids])
    assert main(["evaluate", "--gold", str(gold), "--prediction", str(dummy)]) == 2
    assert "claims_test.jsonl: line 1: the key 'evidence' is missing" in capsys.readouterr().err


def test_explained_claims_carry_their_texts_as_json(folder, capsys):
    arguments = ["--gold", "gold", "--prediction", "predictions", "--corpus", "corpus", "--format", "json"]
    assert main(["explain", *arguments]) == 0
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert all("claim" in claim for claim in claims)
    abstracts = [abstract for claim in claims for abstract in claim["abstracts"]]
    assert abstracts
    assert all(abstract["title"] for abstract in abstracts)
    assert all("text" in sentence for abstract in abstracts for sentence in abstract["sentences"])
