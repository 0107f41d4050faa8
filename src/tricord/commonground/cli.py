"""The command line of Common Ground: scores of predicted votes, statistics of Polis exports, parity fixtures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

from tricord.commands import (
    LAYOUTS,
    Command,
    add_format,
    add_gold,
    add_output,
    add_predictions,
    print_report,
    print_rows,
    run_commands,
)
from tricord.commonground.calibration import DEFAULT_BINS
from tricord.commonground.conversation import group_table, statement_table
from tricord.commonground.differences import Difference, export_differences
from tricord.commonground.explain import HEADERS, explain
from tricord.commonground.io import export_paths, read_export, read_held_out, read_predictions
from tricord.commonground.parity import read_fixtures, run_parity
from tricord.commonground.scorer import score, validate_predictions
from tricord.commonground.tables import RANKINGS, group_ranking, ranking, report_tables
from tricord.errors import ValidationError, on_one_line, quoted, some_of
from tricord.outputs import csv_text, refuse_overwriting, to_json, write_texts
from tricord.terminal import emit, format_table, say

__all__ = ["main"]

# A statement that two people differ on is not the most divisive one.
MIN_VOTES = 5
LAYOUT_OF_SUFFIX = {".csv": "csv", ".json": "json", ".txt": "table"}
# How many differences of an export, or failing parity cases, a person is shown.
SHOWN = 10
# Where the files of the examples are in a checkout.
EXAMPLES = "examples/data/commonground"


def main(argv: Sequence[str] | None = None, prog: str = "tricord commonground") -> int:
    """Run the command line.

    Args:
        argv: The arguments after the program's name; those of the process by default.
        prog: The program's name for usage lines.

    Returns:
        The exit status: 0 for success, 2 for wrong usage or rejected input.
    """
    return run_commands(
        COMMANDS,
        argv,
        prog,
        description="Statistics of votes on statements, and scores of predicted votes (Common Ground).",
    )


def _natural_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
    return int(text)


def _deliver(text: str, output: str | None) -> None:
    if output is None:
        emit(text)
    else:
        write_texts({output: text})
        say(f"{output}: written")


def _stats_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "exports",
        nargs="+",
        metavar="EXPORT",
        help="folder of an export, the files of which are compared with each other; or its participants-votes.csv or its "
        "votes.csv, compared with the comments.csv beside it alone",
    )
    parser.add_argument(
        "--by-group",
        action="store_true",
        help="the statistics in each opinion group, and of the group against the rest",
    )
    parser.add_argument("--format", choices=LAYOUTS, help="default: that of --output's suffix, or a table")
    parser.add_argument(
        "--output",
        metavar="FILE",
        help=f"the file to write ({', '.join(LAYOUT_OF_SUFFIX)}, or --format says what it holds); printed where left out",
    )
    parser.add_argument(
        "--top", type=_natural_number, default=5, metavar="N", help="how many statements a ranking shows (%(default)s)"
    )
    parser.add_argument(
        "--min-votes",
        type=_natural_number,
        metavar="N",
        help=f"statements with fewer votes are not ranked in a table ({MIN_VOTES}; 1 by group); csv and json hold all",
    )


def _stats(options: argparse.Namespace) -> None:
    layout = options.format or _layout_of_file(options)
    for path in options.exports:
        refuse_overwriting(options.output, export_paths(path))
    results = [_export_statistics(path, options.by_group) for path in options.exports]
    if layout == "json":
        text = to_json({"exports": [{**own, "differences": list(map(asdict, own["differences"]))} for own in results]})
    elif layout == "csv":
        rows = [(own, row) for own in results for row in own["statistics"]]
        text = csv_text([{"export": own["export"], **row, "signature": own["signature"]} for own, row in rows])
    else:
        text = _rankings(results, options)
    _deliver(text, options.output)
    if layout == "csv" and sys.stderr is not None:
        # Its rows have no place for them.
        sys.stderr.write("".join(_difference_lines(own["differences"]) for own in results))


def _layout_of_file(options: argparse.Namespace) -> str:
    if options.output is None:
        return "table"
    suffix = Path(options.output).suffix.lower()
    if suffix not in LAYOUT_OF_SUFFIX:
        options.usage_error(
            f"argument --output: expected a name that ends in {', '.join(LAYOUT_OF_SUFFIX)}, or --format beside it, got "
            f"{quoted(options.output)}"
        )
    return LAYOUT_OF_SUFFIX[suffix]


def _export_statistics(path: str, by_group: bool) -> dict[str, Any]:
    conversation = read_export(path)
    return {
        "export": path,
        "signature": conversation.signature,
        "statistics": group_table(conversation) if by_group else statement_table(conversation),
        "differences": export_differences(path, conversation),
    }


def _rankings(results: Sequence[dict[str, Any]], options: argparse.Namespace) -> str:
    show = _show_groups if options.by_group else _show_statements
    min_votes = options.min_votes
    if min_votes is None:
        min_votes = 1 if options.by_group else MIN_VOTES
    return "\n".join(show(own, options.top, min_votes) for own in results)


def _show_statements(result: dict[str, Any], top: int, min_votes: int) -> str:
    rankings = "\n\n".join(
        f"{title} (by {statistic})\n{ranking(result['statistics'], statistic, top=top, min_votes=min_votes)}"
        for title, statistic in RANKINGS.items()
    )
    return _framed(result, rankings, min_votes)


def _show_groups(result: dict[str, Any], top: int, min_votes: int) -> str:
    groups = groupby(result["statistics"], key=lambda row: row["group"])
    rankings = "\n\n".join(
        f"group {on_one_line(group)}: what sets it apart (by the larger of rat and rdt)\n"
        f"{group_ranking(rows, top=top, min_votes=min_votes)}"
        for group, rows in groups
    )
    return _framed(result, rankings, min_votes)


def _framed(result: dict[str, Any], rankings: str, min_votes: int) -> str:
    left_out = sum(row["seen"] < min_votes for row in result["statistics"])
    note = f"not ranked for fewer than {min_votes} votes: {left_out}\n" if left_out else ""
    notes = f"{note}{_difference_lines(result['differences'])}{result['signature']}\n"
    return f"{on_one_line(result['export'])}\n\n{rankings}\n\n{notes}"


def _difference_lines(differences: Sequence[Difference]) -> str:
    if not differences:
        return ""
    lines = [f"  {on_one_line(str(difference))}\n" for difference in differences[:SHOWN]]
    if len(differences) > SHOWN:
        lines.append(f"  and {len(differences) - SHOWN} more; --format json lists all\n")
    return f"the files of the export differ in {len(differences)} places:\n{''.join(lines)}"


def _score_arguments(parser: argparse.ArgumentParser) -> None:
    _validate_arguments(parser)
    parser.add_argument(
        "--reference",
        metavar="FILE",
        help="what the skill score measures against: JSON with one distribution {class: number} for all cells, or "
        "predictions of every held-out cell; default: uniform",
    )
    parser.add_argument(
        "--bins", type=_natural_number, default=DEFAULT_BINS, metavar="N", help="reliability bins (%(default)s)"
    )
    add_format(parser)
    add_output(parser)


def _score(options: argparse.Namespace) -> None:
    held_out, predictions = read_held_out(options.gold), read_predictions(options.predictions)
    report = score(held_out, predictions, options.reference, bins=options.bins)
    print_report(report, options, report_tables, inputs=[options.predictions, options.gold, options.reference])
    unused = predictions.keys() - held_out.keys()
    if unused and sys.stderr is not None:
        # They change no score, but may tell that the ids of the two files do not match.
        print(
            f"{len(unused)} predictions are not used, their cells not held out: {some_of(sorted(unused), most=3)}",
            file=sys.stderr,
        )


def _validate_arguments(parser: argparse.ArgumentParser) -> None:
    add_gold(parser, "--held-out", help="JSON {cell: vote}, or CSV with the columns cell and vote")
    add_predictions(
        parser,
        help="JSON {cell: vote or {class: number}}, or CSV with cell and either vote or agree, disagree, pass",
    )


def _validate(options: argparse.Namespace) -> None:
    count = validate_predictions(options.gold, options.predictions)
    say(f"{options.predictions}: valid, {count} predictions")


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    _validate_arguments(parser)
    add_format(parser)


def _explain(options: argparse.Namespace) -> None:
    report = score(read_held_out(options.gold), read_predictions(options.predictions), bins=None)
    print_rows(explain(report), HEADERS, options.format)


def _parity_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="where the files parity_*.json are")


def _parity(options: argparse.Namespace) -> None:
    fixtures = read_fixtures(options.folder)
    if problems := run_parity(fixtures):
        more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise ValidationError(f"{options.folder}: {len(problems)} cases differ: {'; '.join(problems[:SHOWN])}{more}")
    rows = [[fixture.path.name, fixture.function, len(fixture.cases)] for fixture in fixtures]
    emit(f"{format_table(['fixture', 'function', 'equal cases'], rows)}\n")


_FILES = f"--gold {EXAMPLES}/held_out.json --predictions {EXAMPLES}/predictions.json"

COMMANDS = (
    Command(
        "score",
        "score predicted votes against held-out ones",
        f"  %(prog)s {_FILES}\n  %(prog)s {_FILES} --reference {EXAMPLES}/base_rates.json --format json",
        _score_arguments,
        _score,
        aliases=("brier",),
    ),
    Command(
        "validate",
        "check predicted votes without scoring them",
        f"  %(prog)s {_FILES}",
        _validate_arguments,
        _validate,
    ),
    Command(
        "explain",
        "list the votes that were not the most probable ones, the worst first",
        f"  %(prog)s {_FILES}\n  %(prog)s {_FILES} --format csv",
        _explain_arguments,
        _explain,
    ),
    Command(
        "stats",
        "compute the vote statistics of every statement of Polis exports",
        f"  %(prog)s {EXAMPLES}/example-conversation\n"
        f"  %(prog)s {EXAMPLES}/example-conversation --by-group --top 3\n"
        f"  %(prog)s {EXAMPLES}/example-conversation/votes.csv --output statistics.csv",
        _stats_arguments,
        _stats,
    ),
    Command(
        "parity",
        "hold the statistics to parity fixtures",
        "  %(prog)s tests/fixtures",
        _parity_arguments,
        _parity,
    ),
)
