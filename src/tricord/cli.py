"""The `tricord` command: hands over to the command line of a task, which alone is then imported."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence

from tricord.version import __version__

__all__ = ["main"]

# The word on the command line, the module whose `main(argv, prog)` takes over, and what it is for.
COMMANDS = {
    "dico-nli": ("tricord.dico_nli.cli", "directional consistency of NLI labels (SemEval-2027 Task 2)"),
    "scifact": ("tricord.scifact.cli", "verification of scientific claims (SciFact)"),
    "commonground": ("tricord.commonground.cli", "vote statistics and scores of predicted votes (Common Ground)"),
    "register": (
        "tricord.registration_cli",
        'bare names: evaluate.load("dico_nli") from any folder, without a network',
    ),
    "app": ("tricord.spaces.cli", "serve the metrics' pages to a browser"),
    "publish": ("tricord.spaces.publish", "build the Spaces of metrics and upload them"),
}


def build_parser() -> argparse.ArgumentParser:
    """Build the parser of the first word; everything after it belongs to the command that it names."""
    commands = "\n".join(f"  {word:<14}{purpose}" for word, (_, purpose) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="tricord",
        description="Score predictions for DiCo-NLI, SciFact and Common Ground exactly as the task organisers do.",
        epilog=f"commands:\n{commands}\n\nexample:\n  tricord dico-nli score --gold gold.csv --predictions predictions.csv\n\n"
        "`tricord COMMAND --help` tells more about one command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tricord {__version__}")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of the commands listed below")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="the arguments of the command")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the `tricord` command.

    Args:
        argv: The arguments after the program's name; those of the process by default.

    Returns:
        The exit status: 0 for success, 2 for wrong usage or rejected input.
    """
    options = build_parser().parse_args(argv)
    module, _ = COMMANDS[options.command]
    status: int = importlib.import_module(module).main(options.arguments, prog=f"tricord {options.command}")
    return status
