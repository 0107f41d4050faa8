"""The command line of SciFact: score, validate, explain, merge, and the metrics of the single modules of a pipeline."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from tricord.commands import (
    LAYOUTS,
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
from tricord.measures import PrecisionRecallF1
from tricord.outputs import to_json
from tricord.scifact.claims import Gold
from tricord.scifact.explain import AbstractBreakdown, ClaimBreakdown, explain
from tricord.scifact.merge import merge_files
from tricord.scifact.metrics import RULES, LabelPrediction, RationaleSelection, Report, Retrieval
from tricord.scifact.scorer import (
    abstract_lengths,
    iter_corpus,
    read_claim_texts,
    read_gold,
    score,
    score_abstract_retrieval,
    score_label_prediction,
    score_rationale_selection,
    validate_predictions,
)
from tricord.terminal import emit, format_table, say

__all__ = ["main"]

FORMS = {
    "rationale-selection": (score_rationale_selection, '{"claim_id", "evidence": {doc_id: [sentence]}}'),
    "label-prediction": (score_label_prediction, '{"claim_id", "labels": {doc_id: {"label", "confidence"}}}'),
    "abstract-retrieval": (score_abstract_retrieval, '{"claim_id", "doc_ids": [doc_id]}'),
}


def main(argv: Sequence[str] | None = None, prog: str = "tricord scifact") -> int:
    """Run the command line.

    Args:
        argv: The arguments after the program's name; those of the process by default.
        prog: The program's name for usage lines.

    Returns:
        The exit status: 0 for success, 2 for wrong usage or rejected input.
    """
    return run_commands(COMMANDS, argv, prog, description="Score the verification of scientific claims (SciFact).")


def _file_arguments(parser: argparse.ArgumentParser) -> None:
    _add_gold(parser)
    add_predictions(
        parser,
        "--prediction",
        help="predictions, one claim a line and in any order: "
        '{"id", "evidence": {doc_id: {"sentences": [int], "label": SUPPORT or CONTRADICT}}}',
    )
    parser.add_argument("--corpus", metavar="FILE", help="documents, to check that all sentence numbers exist")


def _add_gold(parser: argparse.ArgumentParser) -> None:
    add_gold(parser, help="claims with gold evidence (JSON Lines)")


def _add_rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rule",
        choices=RULES,
        default="paper",
        help="predicted sentences that count at abstract level: paper, the first 3; leaderboard, the first 3 or as many as "
        "the smallest gold evidence set of the document has (%(default)s)",
    )


def _score_arguments(parser: argparse.ArgumentParser) -> None:
    _file_arguments(parser)
    _add_rule(parser)
    add_format(parser)
    add_output(parser)


def _score(options: argparse.Namespace) -> None:
    gold, corpus = _read_gold(options)
    report = score(gold, options.predictions, rule=options.rule, corpus=corpus)
    print_report(report, options, _report_table, inputs=[options.gold, options.predictions, options.corpus])


def _read_gold(options: argparse.Namespace) -> tuple[Gold, dict[str, int] | None]:
    corpus = None if options.corpus is None else abstract_lengths(options.corpus)
    return read_gold(options.gold, corpus=corpus), corpus


def _report_table(report: Report) -> str:
    return _group_table(report.groups())


def _group_table(groups: Mapping[str, PrecisionRecallF1]) -> str:
    headers = ["precision", "recall", "f1", "correct", "predicted", "gold"]
    rows = [[name, *(getattr(scores, header) for header in headers)] for name, scores in groups.items()]
    return format_table(["scores", *headers], rows)


def _validate(options: argparse.Namespace) -> None:
    gold, corpus = _read_gold(options)
    count = validate_predictions(gold, options.predictions, corpus=corpus)
    say(f"{options.predictions}: valid, predictions for {count} claims")


def _module_arguments(parser: argparse.ArgumentParser, *, form: str) -> None:
    _add_gold(parser)
    add_predictions(parser, "--prediction", help=f"one claim a line: {form}")
    add_format(parser)
    add_output(parser)


def _score_module(options: argparse.Namespace, *, evaluate: Callable[..., Any]) -> None:
    report = evaluate(options.gold, options.predictions)
    print_report(report, options, _module_table, inputs=[options.gold, options.predictions])


def _module_table(report: RationaleSelection | LabelPrediction | Retrieval) -> str:
    if isinstance(report, RationaleSelection):
        return _group_table({"rationale_selection": report.scores})
    if isinstance(report, LabelPrediction):
        confusions = [[label, *row.values()] for label, row in report.confusion_matrix.items()]
        table = format_table(["gold, predicted", *report.confusion_matrix], confusions)
        return f"{figure_table(report.figures())}\n\n{label_table(report.per_label)}\n\n{table}"
    rows = [
        ["hit_one", report.hit_one, report.hit_one_claims, report.claims],
        ["hit_all", report.hit_all, report.hit_all_claims, report.claims],
    ]
    return format_table(["score", "value", "hits", "claims"], rows)


def _merge_arguments(parser: argparse.ArgumentParser) -> None:
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


def _merge(options: argparse.Namespace) -> None:
    count = merge_files(options.rationale_file, options.label_file, options.result_file)
    say(f"{options.result_file}: predictions for {count} claims")


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    _file_arguments(parser)
    _add_rule(parser)
    parser.add_argument("--claims", metavar="ID", type=int, nargs="+", help="the claims to show; all where left out")
    parser.add_argument(
        "--format",
        choices=(*LAYOUTS, "text"),
        default="table",
        help="what to print: an outline (table, or text), JSON, or CSV with a row a sentence (%(default)s)",
    )


def _explain(options: argparse.Namespace) -> None:
    gold, corpus = _read_gold(options)
    claims = explain(gold, options.predictions, options.claims, rule=options.rule, corpus=corpus)
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
    if options.format == "csv":
        print_rows([row for claim in claims for row in _sentence_rows(claim)], SENTENCE_HEADERS, "csv")
        return
    for claim in claims:
        for line in _outline(claim, claim_texts.get(claim.claim_id, ""), documents):
            say(line)
    say(f"rule: {options.rule}")


SENTENCE_HEADERS = ("claim", "document", "gold_label", "predicted_label", "sentence", "selection", "label", "reason")


def _sentence_rows(claim: ClaimBreakdown) -> list[dict[str, Any]]:
    return [
        {
            "claim": claim.claim_id,
            "document": abstract.doc_id,
            "gold_label": abstract.gold_label or "",
            "predicted_label": abstract.predicted_label or "",
            **asdict(sentence),
        }
        for abstract in claim.abstracts
        for sentence in abstract.sentences
    ]


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


_FILES = "--gold claims_dev.jsonl --predictions predictions.jsonl"

COMMANDS = (
    Command(
        "score",
        "score predictions at abstract and sentence level",
        f"  %(prog)s {_FILES}\n"
        f"  %(prog)s {_FILES} --corpus corpus.jsonl --output scores.json\n"
        f"  %(prog)s {_FILES} --rule leaderboard",
        _score_arguments,
        _score,
        aliases=("evaluate",),
    ),
    Command(
        "validate",
        "check predictions without scoring them",
        f"  %(prog)s {_FILES} --corpus corpus.jsonl",
        _file_arguments,
        _validate,
    ),
    Command(
        "explain",
        "show which abstracts and sentences of some claims are right, wrong or missed, and why",
        f"  %(prog)s {_FILES} --claims 3 42\n"
        f"  %(prog)s {_FILES} --corpus corpus.jsonl --claims 3\n"
        f"  %(prog)s {_FILES} --format csv",
        _explain_arguments,
        _explain,
    ),
    Command(
        "merge",
        "join selected sentences and predicted labels into predictions",
        "  %(prog)s --rationale-file rationales.jsonl --label-file labels.jsonl --result-file predictions.jsonl",
        _merge_arguments,
        _merge,
    ),
    *(
        Command(
            name,
            f"score {purpose}",
            f"  %(prog)s --gold claims_dev.jsonl --predictions {name.replace('-', '_')}.jsonl --output scores.json",
            partial(_module_arguments, form=FORMS[name][1]),
            partial(_score_module, evaluate=FORMS[name][0]),
        )
        for name, purpose in (
            ("rationale-selection", "selected rationale sentences"),
            ("label-prediction", "the labels of given documents"),
            ("abstract-retrieval", "retrieved documents"),
        )
    ),
)
