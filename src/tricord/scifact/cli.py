"""The command line of SciFact: evaluate, explain, merge, and the metrics of the single modules of a pipeline."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tricord.outputs import refuse_overwriting, to_json
from tricord.scifact.explain import AbstractBreakdown, ClaimBreakdown, explain
from tricord.scifact.io import write_json
from tricord.scifact.merge import merge_files
from tricord.scifact.metrics import RULES, LabelPrediction, Report, Retrieval
from tricord.scifact.scorer import (
    RationaleSelection,
    abstract_lengths,
    iter_corpus,
    read_claim_texts,
    read_gold,
    score,
    score_abstract_retrieval,
    score_label_prediction,
    score_rationale_selection,
)
from tricord.terminal import add_command, emit, format_table, run, say

__all__ = ["build_parser", "main"]


def build_parser(prog: str) -> argparse.ArgumentParser:
    """Build the parser of all sub-commands.

    Args:
        prog: The program's name for usage lines.
    """
    parser = argparse.ArgumentParser(prog=prog, description="Score the verification of scientific claims (SciFact).")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_evaluate(commands)
    _add_explain(commands)
    _add_merge(commands)
    _add_module(
        commands,
        "rationale-selection",
        "score selected rationale sentences",
        '{"claim_id", "evidence": {doc_id: [sentence]}}',
        lambda gold, path: _selection_result(score_rationale_selection(read_gold(gold), path)),
    )
    _add_module(
        commands,
        "label-prediction",
        "score the labels of given documents",
        '{"claim_id", "labels": {doc_id: {"label", "confidence"}}}',
        lambda gold, path: _label_result(score_label_prediction(read_gold(gold), path)),
    )
    _add_module(
        commands,
        "abstract-retrieval",
        "score retrieved documents",
        '{"claim_id", "doc_ids": [doc_id]}',
        lambda gold, path: _retrieval_result(score_abstract_retrieval(read_gold(gold), path)),
    )
    return parser


def main(argv: Sequence[str] | None = None, prog: str = "tricord scifact") -> int:
    """Run the command line.

    Args:
        argv: The arguments after the program's name; those of the process by default.
        prog: The program's name for usage lines.

    Returns:
        The exit status: 0 for success, 2 for wrong usage or rejected input.
    """
    options = build_parser(prog).parse_args(argv)
    return run(lambda: options.command(options))


def _add_gold(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--gold", metavar="FILE", required=True, help="claims with gold evidence (JSON Lines)")


def _add_prediction(parser: argparse.ArgumentParser) -> None:
    _add_gold(parser)
    parser.add_argument(
        "--prediction",
        metavar="FILE",
        required=True,
        help="predictions, one claim a line and in any order: "
        '{"id", "evidence": {doc_id: {"sentences": [int], "label": SUPPORT or CONTRADICT}}}',
    )
    parser.add_argument(
        "--rule",
        choices=RULES,
        default="paper",
        help="predicted sentences that count at abstract level: paper, the first 3; leaderboard, the first 3 or as many as "
        "the smallest gold evidence set of the document has (%(default)s)",
    )


def _add_evaluate(commands: Any) -> None:
    parser = add_command(
        commands,
        "evaluate",
        "score predictions at abstract and sentence level",
        "  %(prog)s --gold claims_dev.jsonl --prediction predictions.jsonl\n"
        "  %(prog)s --gold claims_dev.jsonl --corpus corpus.jsonl --prediction predictions.jsonl --output scores.json\n"
        "  %(prog)s --gold claims_dev.jsonl --prediction predictions.jsonl --rule leaderboard",
    )
    _add_prediction(parser)
    parser.add_argument("--corpus", metavar="FILE", help="documents, to check that all sentence numbers exist")
    parser.add_argument("--output", metavar="FILE", help="the JSON file to write the scores and counts to")
    parser.set_defaults(command=_evaluate)


def _evaluate(options: argparse.Namespace) -> None:
    refuse_overwriting(options.output, [options.gold, options.prediction, options.corpus])
    corpus = None if options.corpus is None else abstract_lengths(options.corpus)
    gold = read_gold(options.gold, corpus=corpus)
    report = score(gold, options.prediction, rule=options.rule, corpus=corpus)
    _deliver(report.to_dict(), _report_table(report), options.output)


def _deliver(result: Mapping[str, Any], table: str, output: str | None) -> None:
    """Write the result where that is wanted, then print the table."""
    if output is not None:
        write_json(result, output)
    emit(table)


def _report_table(report: Report) -> str:
    rows = [
        [name, scores.precision, scores.recall, scores.f1, scores.correct, scores.predicted, scores.gold]
        for name, scores in report.groups().items()
    ]
    headers = ["scores", "precision", "recall", "f1", "correct", "predicted", "gold"]
    return f"{format_table(headers, rows)}\n\n{report.signature}\n"


def _add_module(
    commands: Any, name: str, purpose: str, form: str, evaluate: Callable[[str, str], tuple[Mapping[str, Any], str]]
) -> None:
    examples = f"  %(prog)s --gold claims_dev.jsonl --prediction {name.replace('-', '_')}.jsonl --output scores.json"
    parser = add_command(commands, name, purpose, examples)
    _add_gold(parser)
    parser.add_argument("--prediction", metavar="FILE", required=True, help=f"one claim a line: {form}")
    parser.add_argument("--output", metavar="FILE", help="the JSON file to write the scores and counts to")

    def command(options: argparse.Namespace) -> None:
        refuse_overwriting(options.output, [options.gold, options.prediction])
        _deliver(*evaluate(options.gold, options.prediction), options.output)

    parser.set_defaults(command=command)


def _selection_result(result: RationaleSelection) -> tuple[Mapping[str, Any], str]:
    scores = result.scores
    row = [scores.precision, scores.recall, scores.f1, scores.correct, scores.predicted, scores.gold]
    table = format_table(["precision", "recall", "f1", "correct", "predicted", "gold"], [row])
    return result.to_dict(), f"{table}\n\n{result.signature}\n"


def _label_result(result: LabelPrediction) -> tuple[Mapping[str, Any], str]:
    headline = [[name, getattr(result, name)] for name in ("accuracy", "macro_f1", "macro_f1_without_nei")]
    labels = [
        [row.label, row.support, row.predicted, row.precision, row.recall, row.f1] for row in result.per_label.values()
    ]
    confusions = [[label, *row.values()] for label, row in result.confusion_matrix.items()]
    table = (
        f"{format_table(['score', 'value'], headline)}\n\n"
        f"{format_table(['label', 'support', 'predicted', 'precision', 'recall', 'f1'], labels)}\n\n"
        f"{format_table(['gold, predicted', *result.confusion_matrix], confusions)}\n\n"
        f"{result.signature}\n"
    )
    return result.to_dict(), table


def _retrieval_result(result: Retrieval) -> tuple[Mapping[str, Any], str]:
    rows = [
        ["hit_one", result.hit_one, result.hit_one_claims, result.claims],
        ["hit_all", result.hit_all, result.hit_all_claims, result.claims],
    ]
    return result.to_dict(), f"{format_table(['score', 'value', 'hits', 'claims'], rows)}\n\n{result.signature}\n"


def _add_merge(commands: Any) -> None:
    parser = add_command(
        commands,
        "merge",
        "join selected sentences and predicted labels into predictions",
        "  %(prog)s --rationale-file rationales.jsonl --label-file labels.jsonl --result-file predictions.jsonl",
    )
    parser.add_argument(
        "--rationale-file", metavar="FILE", required=True, help='{"claim_id", "evidence": {doc_id: [sentence]}} a line'
    )
    parser.add_argument(
        "--label-file",
        metavar="FILE",
        required=True,
        help='{"claim_id", "labels": {doc_id: {"label", "confidence"}}} a line, claims in the same order',
    )
    parser.add_argument("--result-file", metavar="FILE", required=True, help="the prediction file to write")
    parser.set_defaults(command=_merge)


def _merge(options: argparse.Namespace) -> None:
    count = merge_files(options.rationale_file, options.label_file, options.result_file)
    say(f"{options.result_file}: predictions for {count} claims")


def _add_explain(commands: Any) -> None:
    parser = add_command(
        commands,
        "explain",
        "show which abstracts and sentences of some claims are right, wrong or missed, and why",
        "  %(prog)s --gold claims_dev.jsonl --prediction predictions.jsonl --claims 3 42\n"
        "  %(prog)s --gold claims_dev.jsonl --corpus corpus.jsonl --prediction predictions.jsonl --claims 3\n"
        "  %(prog)s --gold claims_dev.jsonl --prediction predictions.jsonl --format json",
    )
    _add_prediction(parser)
    parser.add_argument(
        "--corpus",
        metavar="FILE",
        help="documents, to show titles and sentences; all sentence numbers are then checked",
    )
    parser.add_argument("--claims", metavar="ID", type=int, nargs="+", help="the claims to show; all where left out")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="what to print: an outline, or JSON (%(default)s)"
    )
    parser.set_defaults(command=_explain)


def _explain(options: argparse.Namespace) -> None:
    corpus = None if options.corpus is None else abstract_lengths(options.corpus)
    gold = read_gold(options.gold, corpus=corpus)
    claims = explain(gold, options.prediction, options.claims, rule=options.rule, corpus=corpus)
    claim_texts = read_claim_texts(options.gold, [claim.claim_id for claim in claims])
    shown = {abstract.doc_id for claim in claims for abstract in claim.abstracts}
    documents = {}
    if options.corpus is not None:
        documents = {
            abstract.doc_id: (abstract.title, abstract.sentences)
            for abstract in iter_corpus(options.corpus)
            if abstract.doc_id in shown
        }
    if options.format == "json":
        shown_claims = [_with_texts(claim, claim_texts.get(claim.claim_id, ""), documents) for claim in claims]
        emit(to_json({"claims": shown_claims, "rule": options.rule}))
        return
    for claim in claims:
        for line in _outline(claim, claim_texts.get(claim.claim_id, ""), documents):
            say(line)
    say(f"rule: {options.rule}")


def _with_texts(claim: ClaimBreakdown, text: str, documents: Mapping[str, tuple[str, Sequence[str]]]) -> dict[str, Any]:
    """Add the claim's text and, where the corpus is given, titles and the texts of sentences to a breakdown."""
    breakdown = {**claim.to_dict(), "claim": text}
    for abstract in breakdown["abstracts"]:
        if abstract["doc_id"] in documents:
            abstract["title"], sentences = documents[abstract["doc_id"]]
            for sentence in abstract["sentences"]:
                sentence["text"] = sentences[sentence["sentence"]]
    return breakdown


def _outline(claim: ClaimBreakdown, text: str, documents: Mapping[str, tuple[str, Sequence[str]]]) -> list[str]:
    lines = [_joined(f"claim {claim.claim_id}", text)]
    for abstract in claim.abstracts:
        title, sentences = documents.get(abstract.doc_id, ("", ()))
        lines.append(_joined(f"  document {abstract.doc_id}", title))
        lines.append(f"    {_abstract_verdict(abstract)}")
        for sentence in abstract.sentences:
            verdict = sentence.selection if sentence.selection == sentence.label else "right sentence, wrong label"
            reason = f" ({sentence.reason})" if sentence.reason and sentence.selection == sentence.label else ""
            shown = sentences[sentence.sentence] if sentences else ""
            lines.append(_joined(f"    sentence {sentence.sentence}: {verdict}{reason}", shown))
    return lines if claim.abstracts else [*lines, "  no evidence, and none predicted: correct"]


def _joined(heading: str, text: str) -> str:
    return f"{heading}: {text}" if text else heading


def _abstract_verdict(abstract: AbstractBreakdown) -> str:
    labels = f"gold {abstract.gold_label or 'none'}, predicted {abstract.predicted_label or 'none'}"
    reason = f" ({abstract.reason})" if abstract.reason else ""
    return f"{labels}; label {abstract.label_only}, rationale {abstract.rationalized}{reason}"
