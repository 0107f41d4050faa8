"""The page of the Common Ground metric: scores of predicted votes, and a map of the statements that were voted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from plotly.graph_objects import Figure

from tricord.commonground.calibration import DEFAULT_BINS, Calibration
from tricord.commonground.conversation import Conversation, statement_table
from tricord.commonground.explain import explain
from tricord.commonground.held_out import HeldOut, make_held_out
from tricord.commonground.io import read_comment_columns, read_export, read_held_out, read_predictions
from tricord.commonground.scorer import VoteReport, score
from tricord.commonground.votes import VOTE_NAMES, check_vote, vote_from_name
from tricord.errors import ValidationError
from tricord.outputs import csv_text
from tricord.spaces import figures
from tricord.spaces.markup import Score
from tricord.spaces.page import Choice, Errors, Page, Result, Upload

__all__ = ["PAGES", "score_votes"]

MOST_ERRORS = 10_000
HEADERS = ("participant", "statement", "vote", *VOTE_NAMES)

# For each statement the votes of eight participants, and how a model judges it: the probability that one agrees.
_STATEMENTS = {
    "Buses should run until one at night": ("agree agree agree disagree agree agree pass agree", 0.68),
    "The market square should be free of cars": ("disagree disagree agree agree agree disagree agree agree", 0.50),
    "The library should open on Sundays": ("agree agree pass agree agree agree agree agree", 0.7),
    "Parking in the centre should cost more": ("disagree disagree disagree agree pass disagree disagree agree", 0.36),
    "Every school should have a garden": ("agree agree agree agree agree agree agree agree", 0.73),
    "The town should buy the empty theatre": ("pass disagree pass agree agree disagree pass agree", 0.45),
    "Shops should close at eight": ("disagree disagree pass disagree agree disagree disagree pass", 0.24),
}
_LEANINGS = (-0.2, -0.12, 0.0, 0.12, 0.14, -0.16, 0.04, 0.1)


def _example() -> list[list[Any]]:
    return [
        [f"p{person}", statement, vote, *(round(share, 2) for share in (lean + shift, 0.9 - lean - shift, 0.1))]
        for statement, (votes, lean) in _STATEMENTS.items()
        for person, (vote, shift) in enumerate(zip(votes.split(), _LEANINGS, strict=True), start=1)
    ]


UPLOADS = (
    Upload("export", "Polis export", (".csv",), optional=True),
    Upload("comments", "Statement texts", (".csv",), optional=True),
    Upload("held_out", "Held-out votes", (".json", ".csv", ".tsv"), optional=True),
    Upload("predictions", "Predicted votes", (".json", ".csv", ".tsv"), optional=True),
)
CHOICES = (
    Choice("bins", "Reliability bins", "Into how many ranges the probabilities are sorted.", DEFAULT_BINS, (5, 10, 20)),
)


@dataclass(frozen=True)
class _Input:
    """What there is to score: votes on statements, or held-out and predicted votes by cell, or both."""

    conversation: Conversation | None = None
    held_out: HeldOut | None = None
    predictions: Mapping[Any, Any] | None = None


def _from_table(rows: Sequence[Sequence[Any]]) -> _Input:
    actual, predictions = {}, {}
    votes: dict[str, dict[str, int]] = {}
    for number, (participant, statement, vote, *weights) in enumerate(rows, start=1):
        who, what = str(participant).strip(), str(statement).strip()
        if what in votes and who in votes[what]:
            raise ValidationError(f"row {number}: {who!r} votes on {what!r} twice; keep one row")
        own = check_vote(_number(vote), f"row {number}: vote")
        votes.setdefault(what, {})[who] = actual[who, what] = own
        predictions[who, what] = dict(zip(VOTE_NAMES, map(_number, weights), strict=True))
    participants = list(dict.fromkeys(who for who, _ in actual))
    columns = [[votes[what].get(who) for who in participants] for what in votes]
    return _Input(
        Conversation(participants, list(votes), columns, source="the table"), make_held_out(actual), predictions
    )


def _number(cell: Any) -> Any:
    """Read a cell of the table: a number, or the name of a vote; anything else stays for the scorer to judge."""
    text = str(cell).strip()
    try:
        return float(text)
    except ValueError:
        return vote_from_name(text)


def _from_files(export: str | None, comments: str | None, held_out: str | None, predictions: str | None) -> _Input:
    conversation = None
    if export:
        conversation = replace(read_export(export), source=export)
        if comments:
            conversation = replace(conversation, texts=read_comment_columns(comments, "comment-body")["comment-body"])
    if not (held_out and predictions):
        return _Input(conversation)
    return _Input(conversation, read_held_out(held_out), read_predictions(predictions))


def _wanting(export: str | None, comments: str | None, held_out: str | None, predictions: str | None) -> str:
    if (export or not comments) and bool(held_out) == bool(predictions) and (export or held_out):
        return ""
    if held_out or predictions:
        return "Upload both held-out votes and predicted votes first"
    return "Upload a Polis export first, or held-out votes and predicted votes"


def _result(given: _Input, *, bins: int) -> Result:
    statements = [] if given.conversation is None else statement_table(given.conversation)
    if given.held_out is None or given.predictions is None:
        report = None
        scores, signature = (
            _counts(given.conversation),
            "" if given.conversation is None else given.conversation.signature,
        )
        reliability = figures.empty(
            "Upload held-out votes and predicted votes to see how far the probabilities can be trusted."
        )
    else:
        report = score(given.held_out, given.predictions, bins=bins)
        scores, signature = _scores(report), report.signature
        reliability = _reliability(report.calibration)
    return Result(
        scores=scores,
        signature=signature,
        figures=[_map(statements), reliability],
        errors=_errors(report),
        report=partial(_report, report, statements, signature),
        downloads={"statements.csv": partial(_statements_csv, statements)},
    )


def _report(report: VoteReport | None, statements: list[dict[str, Any]], signature: str) -> dict[str, Any]:
    return {**(report.to_dict() if report else {"signature": signature}), "statements": statements}


def _statements_csv(statements: list[dict[str, Any]]) -> str:
    return csv_text(statements) if statements else "statement\n"


def _scores(report: VoteReport) -> list[Score]:
    return [
        Score("Brier score", report.brier_score, "half the squared distance from the vote; lower is better"),
        Score(
            "Reward", report.probability_reward, "1 − Brier score; higher is better", share=report.probability_reward
        ),
        Score("Skill", report.brier_skill_score, "against uniform predictions; 0 is no better, 1 is perfect"),
        Score(
            "Accuracy",
            report.vote_accuracy,
            "votes that were the single most probable one",
            share=report.vote_accuracy,
        ),
        Score("Invalid", report.invalid_predictions, f"of {report.cells:,} predictions are no distribution"),
    ]


def _counts(conversation: Conversation | None) -> list[Score]:
    if conversation is None:
        return []
    votes = sum(len(column) - column.count(None) for column in map(list, conversation.votes))
    return [
        Score("Statements", len(conversation.statements), "that were voted on"),
        Score("Participants", len(conversation.participants), "who voted"),
        Score("Votes", votes, "agree, disagree or pass"),
    ]


def _map(statements: Sequence[Mapping[str, Any]]) -> Figure:
    seen = [row for row in statements if row["seen"]]
    if not seen:
        return figures.empty("Upload a Polis export to see its statements.")
    return figures.points(
        [row["agree"] / row["seen"] for row in seen],
        [row["disagree"] / row["seen"] for row in seen],
        [row["separation"] for row in seen],
        [f"{row['text'] or row['statement']} ({row['seen']} votes)" for row in seen],
        titles=("agree", "disagree", "divisiveness"),
    )


def _reliability(calibration: Calibration | None) -> Figure:
    if calibration is None:
        return figures.empty("There are no predictions.")
    lines = {
        name: [(row.mean_probability, row.frequency, row.count) for row in own.bins]
        for name, own in calibration.per_class.items()
    }
    return figures.curves(lines, titles=("forecast probability", "observed frequency"))


def _errors(report: VoteReport | None) -> Errors:
    """List the cells whose vote was not the most probable one, the worst first."""
    wrong = [] if report is None else explain(report)
    rows = [
        (row["kind"], _shown(row["cell"]), *(_share(row[name]) for name in VOTE_NAMES), f"{row['brier_score']:.4f}")
        for row in wrong[:MOST_ERRORS]
    ]
    return Errors(("kind", "cell", *VOTE_NAMES, "Brier score"), rows, total=len(wrong))


def _shown(cell: Any) -> str:
    """Show the id of a cell: of a file's, or of a participant and a statement of the table."""
    return ": ".join(cell) if isinstance(cell, tuple) else str(cell)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def score_votes(predictions: list[dict[str, float]], references: list[int], bins: int = DEFAULT_BINS) -> dict[str, Any]:
    """Score predicted votes.

    Args:
        predictions: For each cell the probabilities (or weights) of agree, disagree and pass by name.
        references: The actual votes, 1 (agree), -1 (disagree) or 0 (pass), in the same order.
        bins: The number of reliability bins, from 1 to 1000.

    Returns:
        Brier score, reward, skill, accuracy, number of invalid predictions, calibration and signature.
    """
    if len(predictions) != len(references):
        raise ValidationError(
            f"Expected one reference a prediction, got {len(predictions)} predictions and {len(references)} references"
        )
    gold = make_held_out(dict(enumerate(references)))
    return score(gold, dict(enumerate(predictions)), bins=bins).to_dict()


_PAGE = Page(
    name="commonground_brier",
    title="Common Ground",
    summary=(
        "How well are people's votes on statements predicted: how far are the predicted probabilities of agree, disagree and "
        "pass from the votes that were cast (Brier score), and can they be taken at their word? The map shows which "
        "statements people agree on, and which divide them."
    ),
    headers=HEADERS,
    example=_example(),
    table_help="Votes with predicted probabilities. Change a vote (agree, disagree, pass) or a probability.",
    score_rows=lambda rows, bins: _result(_from_table(rows), bins=bins),
    uploads=UPLOADS,
    upload_help=(
        "A Polis export (participants-votes.csv or votes.csv, with comments.csv for the texts), or held-out and predicted votes "
        "(JSON by cell id, or CSV with a column cell), or all of them. Up to 64 MB each."
    ),
    score_files=lambda *paths, bins: _result(_from_files(*paths), bins=bins),
    figures=[
        ("Statement map", "To the right: agreed on. To the top: rejected. Orange, in the middle: divisive."),
        ("Reliability", "On the dotted line, a probability is what it says. Larger marks: more forecasts."),
    ],
    errors_title="Votes that were not the most probable ones, worst first",
    downloads=("statements.csv",),
    endpoint=score_votes,
    wanting=_wanting,
    choices=CHOICES,
)

PAGES = {_PAGE.name: _PAGE}
"""The page by the name of the metric."""
