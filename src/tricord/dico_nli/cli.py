"""The command line of DiCo-NLI: score (a drop-in for the organisers' scorer), validate, explain, template, aggregate."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tricord.commands import (
    Command,
    add_format,
    add_gold,
    add_output,
    add_predictions,
    figure_table,
    label_table,
    print_report,
    print_rows,
    run_commands,
)
from tricord.dico_nli.aggregation import PROFILES, aggregate
from tricord.dico_nli.explain import HEADERS, explain
from tricord.dico_nli.io import SCORE_FILENAMES, write_scores
from tricord.dico_nli.metrics import Report
from tricord.dico_nli.scorer import read_instance_ids, read_reference, score, validate_submission
from tricord.dico_nli.templates import template_text
from tricord.errors import InputFileError, OutputError, ValidationError, quoted, some_of
from tricord.inputs.jsontext import read_json
from tricord.outputs import refuse_overwriting, to_json, write_texts
from tricord.terminal import emit, say

__all__ = ["main"]

GOLD_FILENAME = "gold.csv"
PREDICTION_FILENAME = "predictions.csv"
GOLD_HELP = "reference file (CSV or TSV)"
PREDICTIONS_HELP = "prediction file with the columns instance_id,label"


def main(argv: Sequence[str] | None = None, prog: str = "tricord dico-nli") -> int:
    """Run the command line; without the name of a command it scores.

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
        description="Score directional consistency of NLI labels (DiCo-NLI, SemEval-2027 Task 2).",
        default="score",
        epilog="\n\nThe word `score` may be left out, as in the organisers' scorer:\n"
        f"  {prog} --gold gold.csv --predictions predictions.csv [--output-dir DIR]\n"
        f"  {prog} --reference-dir DIR --submission-dir DIR --output-dir DIR",
    )


def _score_arguments(parser: argparse.ArgumentParser) -> None:
    add_gold(parser, help=GOLD_HELP, required=False)
    add_predictions(parser, help=PREDICTIONS_HELP, required=False)
    parser.add_argument("--reference-dir", metavar="DIR", help="competition mode: the folder of the reference file")
    parser.add_argument("--submission-dir", metavar="DIR", help="competition mode: the folder of the prediction file")
    parser.add_argument(
        "--output-dir", metavar="DIR", help="where to write scores.json and scores.txt; made where it does not exist"
    )
    parser.add_argument(
        "--gold-filename", metavar="NAME", default=GOLD_FILENAME, help="reference in --reference-dir (%(default)s)"
    )
    parser.add_argument(
        "--prediction-filename",
        metavar="NAME",
        default=PREDICTION_FILENAME,
        help="predictions in --submission-dir (%(default)s)",
    )
    _add_infer_pairs(parser)
    add_format(parser, default="json")
    add_output(parser)


def _add_infer_pairs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--infer-pairs",
        action="store_true",
        help="link the two directions of a pair by their instance ids, for gold files without reverse_pair_id",
    )


def _score(options: argparse.Namespace) -> None:
    gold, predictions = _score_inputs(options)
    if options.output_dir is not None:
        for name in SCORE_FILENAMES:
            refuse_overwriting(Path(options.output_dir, name), [gold, predictions])
    report = score(read_reference(gold, infer_pairs=options.infer_pairs), predictions)
    if options.output_dir is not None:
        write_scores(report, options.output_dir)
    # What is printed as JSON is what the organisers' scorer prints.
    print_report(report, options, _report_tables, inputs=[gold, predictions], as_json=Report.details)


def _score_inputs(options: argparse.Namespace) -> tuple[str | Path, str | Path]:
    """Find the two input files in whichever of the two modes the arguments name; exit with usage where neither fits."""
    by_file = (options.gold, options.predictions)
    by_folder = (options.reference_dir, options.submission_dir)
    if None not in by_file and by_folder == (None, None):
        return options.gold, options.predictions
    if None not in (*by_folder, options.output_dir) and by_file == (None, None):
        return (
            Path(options.reference_dir, options.gold_filename),
            Path(options.submission_dir, options.prediction_filename),
        )
    options.usage_error("give either --gold and --predictions, or --reference-dir, --submission-dir and --output-dir")
    raise AssertionError("usage_error exits")


def _report_tables(report: Report) -> str:
    pairs = report.consistency
    counts = f"{pairs.soft_consistent_pairs} consistent, {pairs.hard_correct_pairs} correct in both directions"
    return (
        f"{figure_table(report.figures())}\n\n"
        f"{label_table(report.classification.per_label)}\n\n"
        f"{pairs.reversible_pairs} reversible pairs: {counts}"
    )


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    add_gold(parser, help=GOLD_HELP)
    add_predictions(parser, help=PREDICTIONS_HELP)
    _add_infer_pairs(parser)
    add_format(parser)


def _explain(options: argparse.Namespace) -> None:
    reference = read_reference(options.gold, infer_pairs=options.infer_pairs)
    rows = explain(score(reference, options.predictions, max_pair_errors=len(reference.firsts)))
    print_rows(rows, HEADERS, options.format)


def _validate_arguments(parser: argparse.ArgumentParser) -> None:
    add_predictions(parser, help="the prediction file to check")
    against = parser.add_mutually_exclusive_group(required=True)
    against.add_argument("--template", metavar="FILE", help="any file with the wanted ids in a column instance_id")
    against.add_argument("--gold", metavar="FILE", help="a reference file, which is validated too")
    _add_infer_pairs(parser)


def _validate(options: argparse.Namespace) -> None:
    against = options.template
    if options.gold is not None:
        against = read_reference(options.gold, infer_pairs=options.infer_pairs)
    count = validate_submission(options.predictions, against)
    say(f"{options.predictions}: valid, {count} predictions")


def _template_arguments(parser: argparse.ArgumentParser) -> None:
    add_gold(parser, help="reference or participants' file; only instance_id is read")
    parser.add_argument("--output", metavar="FILE", help="the file to write; printed where left out")
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")


def _template(options: argparse.Namespace) -> None:
    refuse_overwriting(options.output, [options.gold])
    ids = read_instance_ids(options.gold)
    text = template_text(list(ids))
    if options.output is None:
        emit(text)
        return
    # The usual name of a template is that of the predictions that someone may have filled in already.
    if Path(options.output).exists() and not options.force:
        raise OutputError(f"{options.output}: exists already; choose another name or pass --force")
    write_texts({options.output: text})
    say(f"{options.output}: template for {len(ids)} predictions")


def _aggregate_arguments(parser: argparse.ArgumentParser) -> None:
    profiles = "; ".join(f"{name}: {', '.join(map(str, tracks))}" for name, tracks in PROFILES.items())
    parser.add_argument("scores", nargs="+", metavar="TRACK=FILE", help="the scores.json of a track")
    parser.add_argument("--profile", choices=PROFILES, help=f"the official averages ({profiles}); default: all given")
    parser.add_argument("--name", help="what the average is called; default: the profile, or `custom`")
    parser.add_argument("--output", metavar="FILE", help="the JSON file to write as well")


def _aggregate(options: argparse.Namespace) -> None:
    per_track: dict[int, Any] = {}
    for argument in options.scores:
        number, separator, path = argument.partition("=")
        if not separator or not number.isascii() or not number.isdigit() or len(number) > 9 or not path:
            options.usage_error(f"expected TRACK=FILE, as in 1=en/scores.json, got {quoted(argument)}")
        if int(number) in per_track:
            raise ValidationError(f"track {int(number)} is given twice; give one file for each track")
        refuse_overwriting(options.output, [path])
        scores = read_json(path)
        if not isinstance(scores, dict):
            raise InputFileError(f"{path}: expected a scores.json, which holds one object, got {quoted(scores)}")
        per_track[int(number)] = scores
    tracks = PROFILES[options.profile] if options.profile else tuple(per_track)
    if others := [track for track in per_track if track not in tracks]:
        raise ValidationError(f"track {some_of(others)} is not part of the profile {options.profile}; leave it out")
    name = options.name or options.profile or "custom"
    text = to_json(aggregate(per_track, tracks, name=name))
    if options.output is not None:
        write_texts({options.output: text})
    emit(text)


COMMANDS = (
    Command(
        "score",
        "score a prediction file against a reference",
        "  %(prog)s --gold gold.csv --predictions predictions.csv --output-dir scores\n"
        "  %(prog)s --gold dev_participant_labeled.csv --infer-pairs --predictions predictions.csv --format table\n"
        "  %(prog)s --reference-dir /app/input/ref --submission-dir /app/input/res --output-dir /app/output",
        _score_arguments,
        _score,
    ),
    Command(
        "validate",
        "check a prediction file without scoring it",
        "  %(prog)s --predictions predictions.csv --template test_template.csv\n"
        "  %(prog)s --predictions predictions.csv --gold gold.csv",
        _validate_arguments,
        _validate,
    ),
    Command(
        "explain",
        "list the pairs that are not right in both directions, and in what way",
        "  %(prog)s --gold gold.csv --predictions predictions.csv\n"
        "  %(prog)s --gold gold.csv --predictions predictions.csv --format csv",
        _explain_arguments,
        _explain,
    ),
    Command(
        "template",
        "write a prediction template: instance_id,label with empty labels, sorted by id",
        "  %(prog)s --gold test_participant.csv --output predictions.csv",
        _template_arguments,
        _template,
    ),
    Command(
        "aggregate",
        "average the scores of several tracks with equal weight",
        "  %(prog)s --profile monolingual 1=en/scores.json 2=es/scores.json 3=eu/scores.json\n"
        "  %(prog)s --name my-average 1=en/scores.json 4=mixed/scores.json --output average.json",
        _aggregate_arguments,
        _aggregate,
    ),
)
