"""The pages of the two DiCo-NLI metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from plotly.graph_objects import Figure

from tricord.dico_nli.explain import HEADERS as HEADERS_OF_ERRORS
from tricord.dico_nli.explain import KINDS, count_kinds, error_kind, explain
from tricord.dico_nli.io import score_texts
from tricord.dico_nli.labels import LABELS
from tricord.dico_nli.metrics import MAX_PAIR_ERRORS, Report
from tricord.dico_nli.reference import Reference
from tricord.dico_nli.scorer import read_reference, score
from tricord.dico_nli.validation import make_reference
from tricord.outputs import csv_text
from tricord.spaces import figures
from tricord.spaces.markup import Score
from tricord.spaces.page import Choice, Errors, Page, Result, Upload

__all__ = ["PAGES", "score_consistency", "score_labels"]

HEADERS = ("instance_id", "text 1", "text 2", "gold", "prediction")
EQUIVALENT, FORWARD, BACKWARD, NEGATIVE = LABELS
SHORT_NAMES = {EQUIVALENT: "equiv.", FORWARD: "forward", BACKWARD: "backward", NEGATIVE: "negative"}
# Inconsistent pairs in one colour, consistent but wrong ones in another.
KIND_COLOURS = {kind: figures.BLUE if kind.startswith(("flipped", "consistent")) else figures.ORANGE for kind in KINDS}
CONFUSION_FIGURE = ("Confusion matrix", "Gold labels down, predicted labels across; the diagonal is right.")
KINDS_FIGURE = (
    "Pair errors by kind",
    "Orange: the two predictions contradict each other. Blue: they fit together but are wrong.",
)
# The official report lists 50; the page lets people look through more.
MOST_ERRORS = 10_000


def _pair(number: int, texts: tuple[str, str], gold: tuple[str, str], predicted: tuple[str, str]) -> list[list[str]]:
    ids = [f"pair{number}__en-en__{direction}" for direction in ("original", "flipped")]
    orders = (texts, texts[::-1])
    return [
        [own, *order, *labels]
        for own, order, labels in zip(ids, orders, zip(gold, predicted, strict=True), strict=True)
    ]


EXAMPLE = [
    *_pair(1, ("a red car", "a car"), (FORWARD, BACKWARD), (FORWARD, BACKWARD)),
    *_pair(2, ("to buy a house", "to purchase a house"), (EQUIVALENT,) * 2, (EQUIVALENT,) * 2),
    *_pair(3, ("an animal", "a sleeping dog"), (BACKWARD, FORWARD), (BACKWARD, BACKWARD)),
    *_pair(4, ("he whispered", "he spoke"), (FORWARD, BACKWARD), (BACKWARD, FORWARD)),
    *_pair(5, ("almost everyone", "nearly everybody"), (EQUIVALENT,) * 2, (EQUIVALENT, FORWARD)),
    *_pair(6, ("in the kitchen", "at home"), (FORWARD, BACKWARD), (FORWARD, NEGATIVE)),
    ["pair7__en-en__original", "before noon", "after lunch", NEGATIVE, NEGATIVE],
    ["pair8__en-en__original", "two birds", "three birds", NEGATIVE, FORWARD],
]

UPLOADS = (
    Upload("gold", "Gold file", (".csv", ".tsv")),
    Upload("predictions", "Predictions", (".csv", ".tsv")),
)
CHOICES = (
    Choice(
        "infer_pairs",
        "Link pairs by their ids",
        "For gold files without the column reverse_pair_id, as participants get them.",
        False,
        files_only=True,
    ),
)


def _table_report(rows: Sequence[Sequence[Any]]) -> Report:
    ids, _, _, gold, predicted = ([str(cell).strip() for cell in column] for column in zip(*rows, strict=True))
    return _scored(make_reference(ids, gold, source="the table"), predicted)


def _scored(reference: Reference, predictions: Any) -> Report:
    return score(reference, predictions, max_pair_errors=MOST_ERRORS)


def _file_report(gold: str, predictions: str, *, infer_pairs: bool) -> Report:
    return _scored(read_reference(gold, infer_pairs=infer_pairs), predictions)


def _official(report: Report) -> Report:
    """Give the report as the official one lists pair errors: the first ones."""
    return replace(
        report, consistency=replace(report.consistency, pair_errors=report.consistency.pair_errors[:MAX_PAIR_ERRORS])
    )


def _plain(report: Report) -> dict[str, Any]:
    return _official(report).to_dict()


def _errors(report: Report) -> Errors:
    consistency = report.consistency
    rows = [
        (
            error_kind(error),
            error.first_id,
            f"{SHORT_NAMES[error.first_gold]} → {SHORT_NAMES[error.first_prediction]}",
            error.second_id,
            f"{SHORT_NAMES[error.second_gold]} → {SHORT_NAMES[error.second_prediction]}",
        )
        for error in consistency.pair_errors
    ]
    headers = ("kind", "first instance", "gold → predicted", "second instance", "gold → predicted")
    return Errors(headers, rows, total=consistency.reversible_pairs - consistency.hard_correct_pairs)


def _errors_csv(report: Report) -> str:
    return csv_text(explain(report), HEADERS_OF_ERRORS)


def _consistency_scores(report: Report) -> list[Score]:
    consistency = report.consistency
    pairs = f"of {consistency.reversible_pairs:,} pairs"
    return [
        Score(
            "SoftCons",
            report.soft_cons,
            f"{consistency.soft_consistent_pairs:,} {pairs} have predictions that are each other's reverse",
            share=report.soft_cons,
        ),
        Score(
            "HardCons",
            report.hard_cons,
            f"{consistency.hard_correct_pairs:,} {pairs} are right in both directions",
            share=report.hard_cons,
        ),
    ]


def _full_scores(report: Report) -> list[Score]:
    classification = report.classification
    return [
        Score(
            "Weighted F1",
            report.weighted_f1,
            f"F1 of the four labels, weighted by support; {classification.total_instances:,} instances",
            share=report.weighted_f1,
        ),
        *_consistency_scores(report),
        Score("Macro F1", classification.macro_f1, "mean F1 of the labels that occur", share=classification.macro_f1),
        Score("Accuracy", classification.accuracy, "instances labelled correctly", share=classification.accuracy),
    ]


def _confusion(report: Report) -> Figure:
    return figures.heat_map(report.classification.confusion_matrix, SHORT_NAMES)


def _kinds(report: Report) -> Figure:
    return figures.bars(count_kinds(report.consistency.pair_errors), KIND_COLOURS, KINDS, unit="pairs")


def _full_result(report: Report) -> Result:
    official = partial(score_texts, _official(report))
    return Result(
        scores=_full_scores(report),
        signature=report.signature,
        figures=[_confusion(report), _kinds(report)],
        errors=_errors(report),
        report=partial(_plain, report),
        downloads={
            "scores.json": lambda: official()["scores.json"],
            "scores.txt": lambda: official()["scores.txt"],
            "pair_errors.csv": partial(_errors_csv, report),
        },
    )


def _consistency_report(report: Report) -> dict[str, Any]:
    return {**_official(report).consistency.to_dict(), "signature": report.signature}


def _consistency_result(report: Report) -> Result:
    return Result(
        scores=_consistency_scores(report),
        signature=report.signature,
        figures=[_kinds(report)],
        errors=_errors(report),
        report=partial(_consistency_report, report),
        downloads={"pair_errors.csv": partial(_errors_csv, report)},
    )


def score_labels(
    instance_ids: list[str],
    references: list[str],
    predictions: list[str],
    reverse_pair_ids: list[str] | None = None,
) -> dict[str, Any]:
    """Score labels of ordered phrase pairs.

    Args:
        instance_ids: The id of each row.
        references: The gold labels.
        predictions: The predicted labels, in the same order.
        reverse_pair_ids: The id of the row that holds the same pair in the other direction, "" for none; left out, the links
            follow from the ids.

    Returns:
        The full report of DiCo-NLI: scores, counts, confusion matrix, pair errors and signature.
    """
    return _plain(_scored(_reference(instance_ids, references, reverse_pair_ids), predictions))


def score_consistency(
    instance_ids: list[str],
    references: list[str],
    predictions: list[str],
    reverse_pair_ids: list[str] | None = None,
) -> dict[str, Any]:
    """Score how the labels of the two directions of phrase pairs fit together.

    Args:
        instance_ids: The id of each row.
        references: The gold labels.
        predictions: The predicted labels, in the same order.
        reverse_pair_ids: The id of the row that holds the same pair in the other direction, "" for none; left out, the links
            follow from the ids.

    Returns:
        SoftCons and HardCons, the pair counts, pair errors and signature.
    """
    return _consistency_report(_scored(_reference(instance_ids, references, reverse_pair_ids), predictions))


def _reference(instance_ids: list[str], references: list[str], reverse_pair_ids: list[str] | None) -> Reference:
    return make_reference(instance_ids, references, reverse_pair_ids, source="references")


def _page(result: Callable[[Report], Result], **own: Any) -> Page:
    """Describe a page; what the two have in common is here."""
    return Page(
        headers=HEADERS,
        example=EXAMPLE,
        table_help="Phrase pairs with gold and predicted labels. Change a prediction and see what it does.",
        score_rows=lambda rows, **_: result(_table_report(rows)),
        uploads=UPLOADS,
        upload_help=(
            "CSV or TSV in UTF-8, up to 64 MB each. Gold: instance_id, pair_id, reverse_pair_id, label. "
            "Predictions: exactly instance_id, label. Scored as soon as both are there."
        ),
        score_files=lambda gold, predictions, infer_pairs: result(
            _file_report(gold, predictions, infer_pairs=infer_pairs)
        ),
        errors_title="Pairs that are not right in both directions",
        choices=CHOICES,
        **own,
    )


_dico_nli = _page(
    _full_result,
    name="dico_nli",
    title="DiCo-NLI",
    summary=(
        "Scores of SemEval-2027 Task 2: is every ordered phrase pair labelled correctly (weighted F1), do the labels of a "
        "pair read in both directions fit together (SoftCons), and are both right (HardCons)? Every figure equals that "
        "of the organisers' scorer to the last digit."
    ),
    figures=[CONFUSION_FIGURE, KINDS_FIGURE],
    downloads=("scores.json", "scores.txt", "pair_errors.csv"),
    endpoint=score_labels,
)


_dico_nli_consistency = _page(
    _consistency_result,
    name="dico_nli_consistency",
    title="DiCo-NLI consistency",
    summary=(
        "Consistency of SemEval-2027 Task 2: of the phrase pairs that can be read in both directions, how many have labels "
        "that fit together (SoftCons), and how many are right both ways (HardCons)? A model can be consistent and wrong, "
        "or right only one way; the kinds of errors tell which."
    ),
    figures=[KINDS_FIGURE],
    downloads=("pair_errors.csv",),
    endpoint=score_consistency,
)

PAGES = {page.name: page for page in (_dico_nli, _dico_nli_consistency)}
"""The pages by the name of the metric."""
