"""The frame of every command line: one parser a command, shared options, and the layouts in which results are printed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tricord.measures import LabelScores
from tricord.outputs import csv_text, refuse_overwriting, to_json, write_texts
from tricord.reports import Report
from tricord.terminal import emit, format_table, run

__all__ = [
    "LAYOUTS",
    "Command",
    "add_format",
    "add_gold",
    "add_output",
    "add_predictions",
    "figure_table",
    "label_table",
    "print_report",
    "print_rows",
    "run_commands",
]

LAYOUTS = ("table", "json", "csv")


@dataclass(frozen=True)
class Command:
    """One command.

    Attributes:
        name: The word on the command line.
        purpose: One phrase, which starts with a verb in lower case.
        examples: Lines to show below the help; `%(prog)s` stands for the command.
        add_arguments: Adds the command's own arguments to its parser.
        act: Does the work, given the parsed options; `options.usage_error(message)` exits with a usage message.
        aliases: Other words for it.
    """

    name: str
    purpose: str
    examples: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    act: Callable[[argparse.Namespace], None]
    aliases: tuple[str, ...] = ()

    def parser(self, prog: str) -> argparse.ArgumentParser:
        """Build the parser of the arguments that follow the word."""
        parser = argparse.ArgumentParser(
            prog=prog,
            description=f"{self.purpose[0].upper()}{self.purpose[1:]}.",
            epilog=f"examples:\n{self.examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.add_arguments(parser)
        parser.set_defaults(usage_error=parser.error)
        return parser

    def main(self, argv: Sequence[str] | None = None, prog: str = "") -> int:
        """Run the command.

        Args:
            argv: The arguments after the program's name; those of the process by default.
            prog: The program's name for usage lines.

        Returns:
            The exit status: 0 for success, 2 for wrong usage or rejected input.
        """
        options = self.parser(prog or f"tricord {self.name}").parse_args(argv)
        return run(lambda: self.act(options))


def run_commands(
    commands: Sequence[Command],
    argv: Sequence[str] | None,
    prog: str,
    *,
    description: str,
    default: str | None = None,
    epilog: str = "",
) -> int:
    """Run the command that the first argument names.

    Args:
        commands: The commands there are.
        argv: The arguments after the program's name; those of the process where None.
        prog: The program's name for usage lines.
        description: What the commands are for.
        default: The command that is meant where the first argument is an option.
        epilog: What follows below the help.

    Returns:
        The exit status: 0 for success, 2 for wrong usage or rejected input.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    by_word = {word: command for command in commands for word in (command.name, *command.aliases)}
    first = arguments[0] if arguments else "-"
    if default and first.startswith("-") and first not in ("-h", "--help"):
        arguments.insert(0, default)
    if arguments[:1] and arguments[0] in by_word:
        command = by_word[arguments[0]]
        return command.main(arguments[1:], f"{prog} {command.name}")
    width = max(len(command.name) for command in commands) + 2
    listing = "\n".join(f"  {command.name:<{width}}{command.purpose}" for command in commands)
    parser = argparse.ArgumentParser(
        prog=prog,
        description=description,
        epilog=f"commands:\n{listing}\n\n`{prog} COMMAND --help` tells more about one command.{epilog}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=by_word, metavar="COMMAND", help="one of the commands listed below")
    parser.parse_args(arguments)  # which exits: with the help, or since no command is named
    raise AssertionError("a command was named")


def add_gold(parser: argparse.ArgumentParser, *aliases: str, help: str, required: bool = True) -> None:
    """Add the option of the gold file.

    Args:
        parser: The parser.
        *aliases: Other spellings.
        help: What the file holds.
        required: Whether it must be given.
    """
    parser.add_argument("--gold", *aliases, dest="gold", metavar="FILE", required=required, help=help)


def add_predictions(parser: argparse.ArgumentParser, *aliases: str, help: str, required: bool = True) -> None:
    """Add the option of the prediction file, as `add_gold` does."""
    parser.add_argument("--predictions", *aliases, dest="predictions", metavar="FILE", required=required, help=help)


def add_format(parser: argparse.ArgumentParser, *, default: str = "table") -> None:
    """Add the choice of a layout."""
    parser.add_argument("--format", choices=LAYOUTS, default=default, help="what to print (%(default)s)")


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the file that a report is written to besides being printed."""
    parser.add_argument("--output", metavar="FILE", help="also write the report, with its signature, to this JSON file")


def print_report(
    report: Report,
    options: argparse.Namespace,
    table: Callable[[Any], str],
    *,
    inputs: Sequence[Any] = (),
    as_json: Callable[[Any], dict[str, Any]] = Report.to_dict,
) -> None:
    """Write a report where `--output` wants it, then print it in the layout of `--format`.

    Args:
        report: The report.
        options: What was parsed; see `add_format` and `add_output`.
        table: Lays the report out for a person, without the signature.
        inputs: The files that it was made from, which are not written over.
        as_json: Lays it out for `--format json`.
    """
    if options.output is not None:
        refuse_overwriting(options.output, inputs)
        write_texts({options.output: to_json(report.to_dict())})
    if options.format == "json":
        emit(to_json(as_json(report)))
    elif options.format == "csv":
        emit(csv_text([{**report.figures(), "signature": report.signature}]))
    else:
        emit(f"{table(report)}\n\n{report.signature}\n")


def figure_table(figures: Mapping[str, float]) -> str:
    """Lay out figures under each other.

    Example:
        >>> print(figure_table({"accuracy": 0.5}))
        score      value
        --------  ------
        accuracy  0.5000
    """
    return format_table(["score", "value"], list(figures.items()))


def label_table(per_label: Mapping[str, LabelScores]) -> str:
    """Lay out the scores of each label."""
    rows = [[row.label, row.support, row.predicted, row.precision, row.recall, row.f1] for row in per_label.values()]
    return format_table(["label", "support", "predicted", "precision", "recall", "f1"], rows)


def print_rows(rows: Sequence[Mapping[str, Any]], headers: Sequence[str], layout: str) -> None:
    """Print rows in one of `LAYOUTS`.

    Args:
        rows: The rows.
        headers: The columns, so that they are known where there are no rows.
        layout: The layout.
    """
    if layout == "json":
        emit(to_json(list(rows)))
    elif layout == "csv":
        emit(csv_text(rows, headers))
    else:
        emit(format_table(headers, [[row[name] for name in headers] for row in rows]) + "\n")
