"""The command `tricord register`: bare names for the evaluate modules."""

from __future__ import annotations

import argparse

from tricord.commands import Command
from tricord.modules.registration import register, registrations, unregister
from tricord.tasks import checked_names, module_names
from tricord.terminal import emit, format_table, say

__all__ = ["main"]


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"the modules ({', '.join(module_names())}); all by default"
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--remove", action="store_true", help="take the registration back")
    action.add_argument("--list", action="store_true", help="tell what is registered, and by which version")


def _act(options: argparse.Namespace) -> None:
    if options.list and options.names:
        options.usage_error("--list takes no names")
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


COMMAND = Command(
    "register",
    'make evaluate.load("dico_nli") and the other bare names work from any folder, without a network',
    "  %(prog)s\n  %(prog)s dico_nli\n  %(prog)s --list\n  %(prog)s --remove",
    _arguments,
    _act,
)
main = COMMAND.main
