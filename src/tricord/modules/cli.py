"""The command `tricord register`: bare names for the evaluate modules."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tricord.modules.registration import register, registrations, unregister
from tricord.tasks import checked_names, module_names
from tricord.terminal import emit, format_table, run, say

__all__ = ["build_parser", "main"]


def build_parser(prog: str) -> argparse.ArgumentParser:
    """Build the parser.

    Args:
        prog: The program's name for usage lines.
    """
    parser = argparse.ArgumentParser(
        prog=prog,
        description='Make evaluate.load("dico_nli") and the other bare names work from any folder, without a network.',
        epilog=f"modules: {', '.join(module_names())}\n\nexamples:\n  {prog}\n  {prog} dico_nli\n  {prog} --list\n"
        f"  {prog} --remove",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="the modules; all of them by default")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--remove", action="store_true", help="take the registration back")
    action.add_argument("--list", action="store_true", help="tell what is registered, and by which version")
    return parser


def main(argv: Sequence[str] | None = None, prog: str = "tricord register") -> int:
    """Run the command line.

    Args:
        argv: The arguments after the program's name; those of the process by default.
        prog: The program's name for usage lines.

    Returns:
        The exit status: 0 for success, 2 for wrong usage, an unknown name or a cache that cannot be written.
    """
    parser = build_parser(prog)
    options = parser.parse_args(argv)
    if options.list and options.names:
        parser.error("--list takes no names")
    return run(lambda: _act(options))


def _act(options: argparse.Namespace) -> None:
    names = checked_names(options.names or None)
    if options.list:
        rows = [[found.name, found.version, "yes" if found.active else "no", found.path] for found in registrations()]
        emit(format_table(["name", "version", "active", "path"], rows) + "\n" if rows else "nothing is registered\n")
    elif options.remove:
        for found in unregister(names):
            say(f"{found.name}: version {found.version} removed")
    else:
        for found in register(names):
            say(f'{found.name}: evaluate.load("{found.name}") now loads the module of tricord {found.version}')
