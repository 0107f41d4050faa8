"""The `tricord` command."""

import pytest

from tricord import __version__
from tricord.cli import commands, main
from tricord.tasks import TASKS

COMMANDS = list(commands(TASKS))


@pytest.mark.parametrize("arguments", [[], ["unknown"], ["--unknown"]])
def test_wrong_usage(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: tricord ")


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert all(f"\n  {command} " in text for command in COMMANDS)


def test_version(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"tricord {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_bears_its_name(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert f"usage: tricord {command} " in capsys.readouterr().out


def test_status_of_the_command_is_passed_on(capsys):
    assert main(["dico-nli", "template", "--gold", "/no/such/file"]) == 2
    assert capsys.readouterr().err == "SCORING_ERROR: /no/such/file: no such file\n"
