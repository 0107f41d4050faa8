"""The `tricord` command: hands over to the command line of a task, which alone is then imported."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Mapping, Sequence

from tricord.tasks import TASKS, Task, all_tasks
from tricord.version import __version__

__all__ = ["main"]

# What belongs to no task: the word, the module whose `main(argv, prog)` takes over, and what it is for.
GENERAL = {
    "register": ("tricord.modules.cli", 'bare names: evaluate.load("dico_nli") from any folder, without a network'),
    "app": ("tricord.spaces.cli", "serve the metrics' pages to a browser"),
    "publish": ("tricord.spaces.publish", "build the Spaces of metrics and upload them"),
}


def commands(tasks: Sequence[Task]) -> dict[str, tuple[str, str]]:
    """Give for each word on the command line the module that takes over, and what it is for."""
    return {task.command: (task.part("cli"), task.purpose) for task in tasks} | GENERAL


def build_parser(known: Mapping[str, tuple[str, str]]) -> argparse.ArgumentParser:
    """Build the parser of the first word; everything after it belongs to the command that it names."""
    listing = "\n".join(f"  {word:<14}{purpose}" for word, (_, purpose) in known.items())
    parser = argparse.ArgumentParser(
        prog="tricord",
        description="Score predictions for DiCo-NLI, SciFact and Common Ground exactly as the task organisers do.",
        epilog=f"commands:\n{listing}\n\nexample:\n  tricord dico-nli score --gold gold.csv --predictions predictions.csv\n\n"
        "`tricord COMMAND --help` tells more about one command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tricord {__version__}")
    parser.add_argument("command", choices=known, metavar="COMMAND", help="one of the commands listed below")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="the arguments of the command")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the `tricord` command.

    Args:
        argv: The arguments after the program's name; those of the process by default.

    Returns:
        The exit status: 0 for success, 2 for wrong usage or rejected input.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    known = commands(TASKS)
    if not known.keys() & set(arguments[:1]):  # help, or the command of another package
        known = commands(all_tasks())
    options = build_parser(known).parse_args(arguments)
    module, _ = known[options.command]
    status: int = importlib.import_module(module).main(options.arguments, prog=f"tricord {options.command}")
    return status
