import csv
import io
import json
import shlex
import subprocess
import sys

import pytest

from tricord.cli import main as tricord
from tricord.commonground import brier_skill_score, comment_stats, explain, read_export, score, statement_table
from tricord.commonground.cli import main

BALLOTS = "participant,group-id,1,2,3\na,0,1,1,1\nb,0,1,-1,1\nc,1,-1,0,1\nd,1,-1,1,0\ne,1,-1,-1,\n"
COMMENTS = (
    'comment-id,agrees,disagrees,comment-body\n1,9,3,"Night\n\x1b[31m buses"\n2,2,2,' + "long " * 50 + "\n3,3,0,Trees\n"
)


@pytest.fixture
def export(tmp_path):
    folder = tmp_path / "talk"
    folder.mkdir()
    (folder / "participants-votes.csv").write_text(BALLOTS)
    (folder / "comments.csv").write_text(COMMENTS)
    return folder


@pytest.fixture
def votes(tmp_path):
    (tmp_path / "predictions.json").write_text('{"a": {"agree": 3, "pass": 1}, "b": "disagree", "c": {"agree": NaN}}')
    (tmp_path / "held_out.json").write_text('{"a": 1, "b": -1, "c": 0, "d": 0}')
    return ["--predictions", str(tmp_path / "predictions.json"), "--held-out", str(tmp_path / "held_out.json")]


def run_json(capsys, *arguments):
    assert main(list(map(str, arguments))) == 0
    return json.loads(capsys.readouterr().out)


def test_table_of_rankings(capsys, export):
    assert tricord(["commonground", "stats", str(export), "--top", "1"]) == 0
    out = capsys.readouterr().out
    titles = ["most divisive (by separation)", "most agreed (by pat)", "most uncertain (by entropy)"]
    assert [out.index(title) for title in titles] == sorted(out.index(title) for title in titles)
    assert "not ranked for fewer than 5 votes: 1" in out
    assert "statement 1: agrees is 9 and 2 (comments.csv against cells)" in out
    assert out.endswith(f"{read_export(export).signature}\n")
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) < 160


def test_rankings_name_the_right_statements(capsys, export):
    main(["stats", str(export), "--top", "1", "--min-votes", "0"])
    blocks = capsys.readouterr().out.split("most ")[1:]
    assert [block.splitlines()[3].split()[0] for block in blocks] == ["2", "3", "2"]


def test_rankings_by_group(capsys, export):
    assert main(["stats", str(export), "--by-group", "--top", "1"]) == 0
    out = capsys.readouterr().out
    assert out.count("what sets it apart") == 2
    assert out.count("Night [31m buses") == 2


def test_json_holds_everything(capsys, export):
    [result] = run_json(capsys, "stats", export, "--format", "json")["exports"]
    assert result["statistics"] == statement_table(read_export(export))
    assert result["signature"] == read_export(export).signature
    assert result["differences"][0]["what"] == "agrees"


def test_csv_holds_full_precision(capsys, export):
    assert main(["stats", str(export), str(export), "--format", "csv"]) == 0
    captured = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(captured.out)))
    assert len(rows) == 6
    assert float(rows[0]["pat"]) == comment_stats([1, 1, -1, -1, -1])["pat"]
    assert rows[0]["text"] == "Night\n\x1b[31m buses"
    assert rows[0]["signature"] == read_export(export).signature
    assert "differ in 1 places" in captured.err


@pytest.mark.parametrize("suffix", ["csv", "json", "txt"])
@pytest.mark.parametrize("by_group", [[], ["--by-group"]])
def test_output_file(capsys, export, tmp_path, suffix, by_group):
    target = tmp_path / "new" / f"statistics.{suffix}"
    assert main(["stats", str(export), "--output", str(target), *by_group]) == 0
    assert capsys.readouterr().out == f"{target}: written\n"
    layout = {"txt": "table"}.get(suffix, suffix)
    assert main(["stats", str(export), "--format", layout, *by_group]) == 0
    assert capsys.readouterr().out == target.read_text()


def test_brier_report(capsys, votes):
    report = run_json(capsys, "brier", *votes, "--format", "json")
    assert report["brier_score"] == (0.0625 + 0 + 1 / 3 + 1 / 3) / 4
    assert report["probability_reward"] == 1 - report["brier_score"]
    assert (report["vote_accuracy"], report["cells"], report["invalid_predictions"]) == (0.5, 4, 2)
    assert report["calibration"]["per_class"]["agree"]["bins"]
    assert report["signature"] == score(votes[3], votes[1]).signature


def test_predictions_of_cells_that_are_not_held_out_are_told_of(capsys, votes, tmp_path):
    assert main(["brier", *votes]) == 0
    assert capsys.readouterr().err == ""
    (tmp_path / "held_out.json").write_text('{"a": 1}')
    assert main(["brier", *votes]) == 0
    captured = capsys.readouterr()
    assert captured.err == "2 predictions are not used, their cells not held out: 'b', 'c'\n"
    assert "1 held-out votes, 0 without" in captured.out


@pytest.mark.parametrize("command", ["score", "validate", "explain", "stats", "parity"])
def test_examples_of_the_help_can_be_pasted(capsys, root, tmp_path, monkeypatch, command):
    status = 2 if command == "validate" else 0  # which finds two faults in the example
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(root / name)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        tricord(["commonground", command, "--help"])
    lines = capsys.readouterr().out.partition("examples:\n")[2].splitlines()
    assert lines
    for line in lines:
        word, *arguments = shlex.split(line)
        assert word == "tricord"
        assert tricord(arguments) == status, line


def test_differences_are_cut_short_in_the_terminal_alone(capsys, export):
    rows = "".join(f"{number},,{number % 2},1,1,1\n" for number in range(30))
    (export / "participants-votes.csv").write_text(f"participant,xid,n-votes,1,2,3\n{rows}")
    (export / "comments.csv").unlink()
    assert main(["stats", str(export)]) == 0
    out = capsys.readouterr().out
    assert "differ in 30 places" in out
    assert out.count("n-votes is") == 10
    assert "and 20 more; --format json lists all" in out
    [result] = run_json(capsys, "stats", export, "--format", "json")["exports"]
    assert len(result["differences"]) == 30


def test_one_file_is_compared_with_what_is_beside_it(capsys, export):
    assert main(["stats", str(export / "participants-votes.csv"), "--format", "csv"]) == 0
    assert "statement 1: agrees is 9 and 2" in capsys.readouterr().err


def test_most_agreed_statements_have_a_majority(capsys, export):
    (export / "participants-votes.csv").write_text("participant,1,2\na,1,-1\nb,-1,-1\nc,1,1\nd,0,0\ne,1,-1\n")
    assert main(["stats", str(export)]) == 0
    agreed = capsys.readouterr().out.partition("most agreed")[2].partition("most uncertain")[0]
    assert [line.split()[0] for line in agreed.splitlines()[3:] if line] == ["1"]


def test_brier_table_and_output(capsys, votes, tmp_path):
    assert main(["brier", *votes, "--output", str(tmp_path / "report.json"), "--bins", "4"]) == 0
    out = capsys.readouterr().out
    assert "brier_score" in out
    assert "4 held-out votes, 2 without a valid prediction" in out
    assert json.loads((tmp_path / "report.json").read_text())["signature"] in out


def test_brier_against_a_reference(capsys, votes, tmp_path):
    (tmp_path / "base_rates.json").write_text('{"agree": 1, "disagree": 1, "pass": 2}')
    report = run_json(capsys, "brier", *votes, "--reference", tmp_path / "base_rates.json", "--format", "json")
    rates = {key: {"agree": 1, "disagree": 1, "pass": 2} for key in "abcd"}
    expected = brier_skill_score({"a": {"agree": 3, "pass": 1}, "b": -1}, {"a": 1, "b": -1, "c": 0, "d": 0}, rates)
    assert report["brier_skill_score"] == expected
    assert "|reference:given|" in report["signature"]
    # Invalid for c, and without d: not silently uniform.
    assert main(["brier", *votes, "--reference", votes[1]]) == 2
    assert "2 of 4 have none: 'c', 'd'" in capsys.readouterr().err


def test_parity(capsys, tmp_path):
    for name, arguments, expected in [
        ("prop_test", [0, 1], 0),
        ("two_prop_test", [1, 1, 1, 1], 0),
        ("rating_to_vote", [5], 0),
        ("comment_stats", [[]], comment_stats([])),
    ]:
        fixture = {"function": name, "cases": [{"args": arguments, "expected": expected}]}
        (tmp_path / f"parity_{name}.json").write_text(json.dumps(fixture))
    assert main(["parity", str(tmp_path)]) == 0
    assert "two_prop_test" in capsys.readouterr().out
    (tmp_path / "parity_prop_test.json").write_text(
        '{"function": "prop_test", "cases": [{"args": [0, 1], "expected": 1}]}'
    )
    assert main(["parity", str(tmp_path)]) == 2
    assert "1 cases differ: parity_prop_test.json: cases[0]: prop_test(0, 1): expected 1" in capsys.readouterr().err
    cases = [{"args": [0, 1], "expected": 10**400 + at} for at in range(12)]
    (tmp_path / "parity_prop_test.json").write_text(json.dumps({"function": "prop_test", "cases": cases}))
    assert main(["parity", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "12 cases differ" in message
    assert message.count("expected 1000") == 10
    assert message.endswith("and 2 more\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["stats", "{tmp}/nowhere"],
        ["stats", "{tmp}"],
        ["stats", "{tmp}/held_out.json"],
        ["stats", "{export}", "{tmp}/nowhere"],
        ["stats", "{export}", "--output", "{tmp}", "--format", "csv"],
        [
            "brier",
            "--predictions",
            "{tmp}/predictions.json",
            "--held-out",
            "{tmp}/held_out.json",
            "--output",
            "{export}.json",
        ],
        ["parity", "{tmp}/held_out.json"],
        ["stats", "{export}/comments.csv"],
        ["brier", "--predictions", "{tmp}/nowhere", "--held-out", "{tmp}/held_out.json"],
        ["brier", "--predictions", "{tmp}/predictions.json", "--held-out", "{tmp}/predictions.json"],
        ["brier", "--predictions", "{tmp}/predictions.json", "--held-out", "{tmp}/held_out.json", "--bins", "0"],
        ["parity", "{tmp}"],
        ["parity", "{tmp}/nowhere"],
    ],
    ids=" ".join,
)
def test_rejected_input_is_one_line_and_status_2(capsys, export, votes, tmp_path, arguments):
    (tmp_path / "talk.json").mkdir()
    before = sorted(tmp_path.rglob("*"))
    assert main([argument.format(tmp=tmp_path, export=export) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("SCORING_ERROR: ")
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["stats"],
        ["brier"],
        ["stats", "x", "--top", "-1"],
        ["stats", "x", "--top", "9" * 5000],
        ["stats", "x", "--output", "statistics.xlsx"],
        ["stats", "x", "--output", "statistics"],
        ["other"],
    ],
)
def test_wrong_usage(capsys, arguments):
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
    assert "usage: tricord commonground" in capsys.readouterr().err


@pytest.mark.process
def test_commands_and_single_calls_import_no_numpy(export, votes):
    program = (
        "import sys\n"
        "from tricord import commonground\n"
        "from tricord.commonground.cli import main\n"
        "commonground.brier_score({'a': {'agree': 1}}, {'a': 1})\n"
        "commonground.comment_stats([1, None])\n"
        f"assert main(['stats', {str(export)!r}, '--by-group']) == 0\n"
        f"assert main({['brier', *votes]!r}) == 0\n"
        "heavy = {'numpy', 'evaluate', 'datasets', 'torch', 'gradio', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=60)


@pytest.mark.process
def test_module_is_a_program(export):
    done = subprocess.run(
        [sys.executable, "-m", "tricord.commonground", "stats", str(export)],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "most agreed" in done.stdout


def test_inputs_are_not_overwritten(tmp_path, capsys):
    votes = tmp_path / "participants-votes.csv"
    votes.write_text("participant,0,1\n1,1,-1\n")
    held_out = tmp_path / "held_out.json"
    held_out.write_text('{"1": 1}')
    for arguments, target in (
        (["stats", str(tmp_path)], votes),
        (["stats", str(votes)], votes),
        (["brier", "--predictions", str(held_out), "--held-out", str(held_out)], held_out),
    ):
        before = target.read_bytes()
        assert main([*arguments, "--output", str(target)]) == 2
        assert f"SCORING_ERROR: {target}: is also an input" in capsys.readouterr().err
        assert target.read_bytes() == before


def test_score_is_the_name_that_all_tasks_have(capsys, votes):
    gold, predictions = votes[3], votes[1]
    assert main(["brier", *votes]) == main(["score", "--gold", gold, "--predictions", predictions]) == 0
    first, second = capsys.readouterr().out.split(score(gold, predictions).signature + "\n")[:2]
    assert first == second


def test_validate(capsys, votes, tmp_path):
    assert main(["validate", *votes]) == 2
    assert "2 cells have no valid prediction: 'c', 'd'" in capsys.readouterr().err
    (tmp_path / "held_out.json").write_text('{"a": 1, "b": -1, "c": 0}')
    (tmp_path / "predictions.json").write_text('{"a": 1, "b": {"agree": 1}, "c": 0}')
    assert main(["validate", *votes]) == 0
    assert capsys.readouterr().out == f"{votes[1]}: valid, 3 predictions\n"


def test_explain(capsys, votes):
    rows = explain(score(votes[3], votes[1]))
    assert [row["cell"] for row in rows] == ["c", "d"]
    assert run_json(capsys, "explain", *votes, "--format", "json") == rows
    assert main(["explain", *votes, "--format", "csv"]) == 0
    assert [row["kind"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))] == ["invalid or missing"] * 2
    assert main(["explain", *votes]) == 0
    assert "0.3333" in capsys.readouterr().out
