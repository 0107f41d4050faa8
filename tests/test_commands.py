"""The frame of the command lines, on a command of its own."""

import json
from types import SimpleNamespace

import pytest

from tricord.commands import Command, add_format, add_gold, add_output, add_predictions, print_report, run_commands
from tricord.errors import ValidationError
from tricord.reports import Report


class Matches(Report):
    signature = "matches|n:2"

    def figures(self):
        return {"accuracy": 0.5}

    def details(self):
        return {"accuracy": 0.5, "matches": 1}

    @property
    def units(self):
        raise NotImplementedError


def add_arguments(parser):
    add_gold(parser, "--truth", help="the gold file")
    add_predictions(parser, help="the predictions")
    add_format(parser)
    add_output(parser)


def act(options):
    if options.predictions == "none":
        options.usage_error("there are no predictions")
    if options.predictions == "bad":
        raise ValidationError("bad: is bad")
    print_report(Matches(), options, lambda report: f"table of {report.signature}", inputs=[options.gold])


COMMANDS = (
    Command("score", "score predictions", "  %(prog)s --gold g --predictions p", add_arguments, act, ("evaluate",)),
    Command("other", "do nothing", "  %(prog)s", lambda parser: None, SimpleNamespace),
)


def run(*arguments):
    return run_commands(COMMANDS, list(arguments), "matches", description="Count matches.", default="score")


FILES = ("--gold", "g", "--predictions", "p")


@pytest.mark.parametrize("word", [["score"], ["evaluate"], []])
def test_words_aliases_and_the_default(capsys, word):
    assert run(*word, *FILES) == run(*word, "--truth", "g", "--predictions", "p") == 0
    assert capsys.readouterr().out == "table of matches|n:2\n\nmatches|n:2\n" * 2


def test_layouts(capsys, tmp_path):
    assert run(*FILES, "--format", "json", "--output", str(tmp_path / "report.json")) == 0
    expected = {"accuracy": 0.5, "matches": 1, "signature": "matches|n:2"}
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "report.json").read_text()) == expected
    assert run(*FILES, "--format", "csv") == 0
    assert capsys.readouterr().out == "accuracy,signature\n0.5,matches|n:2\n"


def test_the_report_is_not_written_over_an_input(capsys, tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("gold")
    assert run("--gold", str(gold), "--predictions", "p", "--output", str(gold)) == 2
    assert gold.read_text() == "gold"
    assert "is also an input" in capsys.readouterr().err


def test_rejected_input_is_one_line(capsys):
    assert run("--gold", "g", "--predictions", "bad") == 2
    assert capsys.readouterr() == ("", "SCORING_ERROR: bad: is bad\n")


@pytest.mark.parametrize(
    ("arguments", "usage", "message"),
    [
        ([], "usage: matches score", "required: --gold/--truth, --predictions"),
        (["nothing"], "usage: matches ", "'nothing'"),
        (["--gold", "g"], "usage: matches score", "required: --predictions"),
        (["evaluate", *FILES, "--format", "xml"], "usage: matches score", "'xml'"),
        (["--gold", "g", "--predictions", "none"], "usage: matches score", "there are no predictions"),
    ],
)
def test_wrong_usage_shows_that_of_the_command(capsys, arguments, usage, message):
    with pytest.raises(SystemExit) as raised:
        run(*arguments)
    assert raised.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith(usage)
    assert message in error


def test_help(capsys):
    for arguments, parts in (
        (["--help"], ["Count matches.", "  score  score predictions\n", "  other  do nothing\n"]),
        (["score", "--help"], ["Score predictions.", "examples:\n  matches score --gold g --predictions p", "--truth"]),
    ):
        with pytest.raises(SystemExit) as raised:
            run(*arguments)
        assert raised.value.code == 0
        text = capsys.readouterr().out
        assert all(part in text for part in parts)
