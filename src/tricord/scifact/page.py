"""The pages of the two SciFact metrics: abstracts and sentences that are right, wrong or missed, claim by claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from plotly.graph_objects import Figure

from tricord.errors import ValidationError
from tricord.measures import PrecisionRecallF1
from tricord.outputs import csv_text
from tricord.scifact.claims import Abstract
from tricord.scifact.explain import AbstractBreakdown, ClaimBreakdown, explain
from tricord.scifact.metrics import RULES, Report
from tricord.scifact.scorer import iter_corpus, read_claim_texts, read_gold, score
from tricord.spaces import figures
from tricord.spaces.markup import Score, Verdict, documents, marked_sentences
from tricord.spaces.page import Choice, Errors, Explanations, Page, Result, Upload

__all__ = ["PAGES", "score_abstracts", "score_sentences"]

MOST_ERRORS = 10_000
MOST_BARS = 25
VERDICTS = ("correct", "wrong", "missed")
HEADERS = ("claim", "text", "document", "gold label", "gold sentences", "predicted label", "predicted sentences")

# The documents of the example, so that an explained claim can be read.
_CORPUS = {
    "101": (
        "Coffee and alertness in night workers",
        "Night work impairs attention.",
        "We gave 60 nurses coffee or decaffeinated coffee.",
        "Reaction times were 12 % shorter after coffee.",
        "Self-rated sleepiness fell as well.",
    ),
    "102": (
        "Caffeine and sleep",
        "Caffeine was taken six hours before bedtime.",
        "Total sleep time fell by more than an hour.",
        "Participants did not notice the difference.",
    ),
    "103": (
        "Vitamin C and the common cold",
        "We pooled 29 trials of vitamin C.",
        "Regular use did not change how often colds occurred.",
        "Colds lasted slightly less long.",
    ),
    "104": (
        "Walking after meals",
        "Ten adults walked for fifteen minutes after each meal.",
        "Blood glucose after dinner was lower than on days without walks.",
    ),
}
EXAMPLE = [
    ["1", "Coffee improves alertness at night.", "101", "SUPPORT", "2 | 3", "SUPPORT", "2, 1"],
    ["2", "Afternoon caffeine leaves sleep untouched.", "102", "CONTRADICT", "0, 1", "CONTRADICT", "1"],
    ["2", "", "101", "", "", "SUPPORT", "3"],
    ["3", "Vitamin C prevents colds.", "103", "CONTRADICT", "1", "SUPPORT", "1"],
    ["4", "A walk after dinner lowers blood glucose.", "104", "SUPPORT", "1", "SUPPORT", "1"],
    ["5", "Short sleep is noticed at once.", "102", "CONTRADICT", "2", "", ""],
]

UPLOADS = (
    Upload("claims", "Claims with evidence", (".jsonl", ".json")),
    Upload("predictions", "Predictions", (".jsonl", ".json")),
    Upload("corpus", "Corpus", (".jsonl", ".json"), optional=True),
)
CHOICES = (
    Choice(
        "rule",
        "Rule for abstracts",
        "Predicted sentences that count: the first three (paper), or more where the evidence needs more (leaderboard).",
        "paper",
        tuple(RULES),
    ),
)


@dataclass(frozen=True)
class _Scored:
    """Scores, and all that is needed to explain them."""

    report: Report
    claims: Sequence[ClaimBreakdown]
    texts: Mapping[int, str]
    corpus: Mapping[str, Abstract] = field(default_factory=dict)


def _scored(claims: Any, predictions: Any, rule: str, texts: Mapping[int, str], corpus: Iterable[Abstract]) -> _Scored:
    documents = {abstract.doc_id: abstract for abstract in corpus}
    lengths = {doc_id: len(abstract.sentences) for doc_id, abstract in documents.items()} or None
    gold = read_gold(claims, corpus=lengths)
    report = score(gold, predictions, rule=rule, corpus=lengths)
    return _Scored(report, explain(gold, predictions, rule=rule), texts, documents)


def _from_table(rows: Sequence[Sequence[Any]], rule: str) -> _Scored:
    """Put the rows of the table, one a claim and document, together as the objects of the task's files."""
    gold: dict[int, dict[str, list[Any]]] = {}
    predicted: dict[int, dict[str, Any]] = {}
    texts: dict[int, str] = {}
    for number, row in enumerate(rows, start=1):
        claim, text, document, label, sets, own_label, sentences = (str(cell).strip() for cell in row)
        claim_id = _whole(claim, f"row {number}: claim")
        if text:
            texts.setdefault(claim_id, text)
        evidence, documents = gold.setdefault(claim_id, {}), predicted.setdefault(claim_id, {})
        if document in evidence or document in documents:
            raise ValidationError(f"row {number}: claim {claim_id} has document {document} in two rows; keep one")
        if label:
            places = [_sentences(part, f"row {number}: gold sentences") for part in sets.split("|")]
            evidence[document] = [{"sentences": place, "label": label} for place in places]
        if own_label:
            listed = _sentences(sentences, f"row {number}: predicted sentences")
            documents[document] = {"sentences": listed, "label": own_label}
    corpus = (Abstract(doc_id, title, list(lines)) for doc_id, (title, *lines) in _CORPUS.items())
    used = {document for evidence in (*gold.values(), *predicted.values()) for document in evidence}
    return _scored(
        [{"id": claim_id, "evidence": evidence} for claim_id, evidence in gold.items()],
        [{"id": claim_id, "evidence": evidence} for claim_id, evidence in predicted.items()],
        rule,
        texts,
        corpus if used <= _CORPUS.keys() else (),
    )


def _whole(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ValidationError(f"{where}: expected a whole number, got {text!r}")
    return int(text)


def _sentences(text: str, where: str) -> list[int]:
    return [_whole(part.strip(), where) for part in text.split(",") if part.strip()]


def _from_files(claims: str, predictions: str, corpus: str | None, rule: str) -> _Scored:
    gold = read_gold(claims)
    return _scored(
        claims, predictions, rule, read_claim_texts(claims, gold.evidence), iter_corpus(corpus) if corpus else ()
    )


@dataclass(frozen=True)
class _Level:
    """What the two metrics differ in: abstracts or sentences.

    Attributes:
        groups: The groups of scores by what they are called, with the attribute of the report.
        outcomes: Gives the verdicts of a claim that the bars count.
        errors: Gives the rows of a claim for the list of errors.
        headers: The columns of these rows.
    """

    groups: Mapping[str, str]
    outcomes: Callable[[ClaimBreakdown], Iterable[str]]
    errors: Callable[[ClaimBreakdown], Iterable[tuple[str, ...]]]
    headers: Sequence[str]


def _abstract_errors(claim: ClaimBreakdown) -> Iterable[tuple[str, ...]]:
    for abstract in claim.abstracts:
        if abstract.rationalized != "correct":
            yield (
                abstract.reason,
                str(claim.claim_id),
                abstract.doc_id,
                abstract.gold_label or "–",
                abstract.predicted_label or "–",
            )


def _sentence_errors(claim: ClaimBreakdown) -> Iterable[tuple[str, ...]]:
    for abstract in claim.abstracts:
        for sentence in abstract.sentences:
            if sentence.label != "correct":
                yield (
                    sentence.reason,
                    str(claim.claim_id),
                    abstract.doc_id,
                    str(sentence.sentence),
                    sentence.label,
                )


_ABSTRACTS = _Level(
    groups={"rationalized": "abstract_rationalized", "label only": "abstract_label_only"},
    outcomes=lambda claim: (abstract.rationalized for abstract in claim.abstracts),
    errors=_abstract_errors,
    headers=("kind", "claim", "document", "gold label", "predicted label"),
)
_SENTENCES = _Level(
    groups={"with label": "sentence_label", "selection": "sentence_selection"},
    outcomes=lambda claim: (sentence.label for abstract in claim.abstracts for sentence in abstract.sentences),
    errors=_sentence_errors,
    headers=("kind", "claim", "document", "sentence", "verdict"),
)


def _result(level: _Level, scored: _Scored) -> Result:
    rows = [row for claim in scored.claims for row in level.errors(claim)]
    return Result(
        scores=[card for name, group in level.groups.items() for card in _cards(name, getattr(scored.report, group))],
        signature=scored.report.signature,
        figures=[_bars(level, scored.claims)],
        errors=Errors(level.headers, rows[:MOST_ERRORS], total=len(rows)),
        report=partial(_plain, level, scored.report),
        downloads={"breakdown.csv": partial(_breakdown_csv, level, rows)},
        explanations=_explanations(scored),
    )


def _cards(name: str, scores: PrecisionRecallF1) -> list[Score]:
    return [
        Score(f"F1, {name}", scores.f1, "harmonic mean of precision and recall", share=scores.f1),
        Score(
            f"Precision, {name}",
            scores.precision,
            f"{scores.correct:,} of {scores.predicted:,} predicted",
            scores.precision,
        ),
        Score(f"Recall, {name}", scores.recall, f"{scores.correct:,} of {scores.gold:,} gold", scores.recall),
    ]


def _plain(level: _Level, report: Report) -> dict[str, Any]:
    left_out = set(report.groups()).difference(level.groups.values())
    return {name: value for name, value in report.to_dict().items() if name not in left_out}


def _breakdown_csv(level: _Level, rows: Sequence[tuple[str, ...]]) -> str:
    return csv_text([dict(zip(level.headers, row, strict=True)) for row in rows], level.headers)


def _bars(level: _Level, claims: Sequence[ClaimBreakdown]) -> Figure:
    """Count the outcomes of the claims with most errors; of all of them where they are few."""
    counts = {claim.claim_id: Counter(level.outcomes(claim)) for claim in claims}
    shown = [claim_id for claim_id, own in counts.items() if own]
    if len(shown) > MOST_BARS:
        shown = sorted(shown, key=lambda claim_id: counts[claim_id]["correct"] - counts[claim_id].total())[:MOST_BARS]
    if not shown:
        return figures.empty("No claim has evidence or predictions.")
    parts = {verdict: [counts[claim_id][verdict] for claim_id in shown] for verdict in VERDICTS}
    return figures.stacks([f"claim {claim_id}" for claim_id in shown], parts)


def _explanations(scored: _Scored) -> Explanations:
    claims = {_title(claim, scored.texts): claim for claim in scored.claims}

    def show(title: str) -> str:
        parts = [_document(abstract, scored.corpus) for abstract in claims[title].abstracts]
        return documents(parts, nothing="No document is predicted, and none has evidence.")

    # The first with something to see.
    names = sorted(claims, key=lambda title: not claims[title].abstracts)
    return Explanations(names, show)


def _title(claim: ClaimBreakdown, texts: Mapping[int, str]) -> str:
    text = texts.get(claim.claim_id, "")
    return f"{claim.claim_id}: {text}" if text else str(claim.claim_id)


def _document(abstract: AbstractBreakdown, corpus: Mapping[str, Abstract]) -> str:
    known = corpus.get(abstract.doc_id)
    verdicts = {
        sentence.sentence: Verdict(sentence.label, sentence.reason)
        for sentence in reversed(abstract.sentences)  # of a repeated sentence, the first counts
    }
    facts = f"gold {abstract.gold_label or 'none'}, predicted {abstract.predicted_label or 'none'}"
    return marked_sentences(
        f"{abstract.doc_id} {known.title}" if known else f"Document {abstract.doc_id}",
        Verdict(abstract.rationalized, f"{facts}; {abstract.reason}" if abstract.reason else facts),
        dict(enumerate(known.sentences)) if known else {number: f"sentence {number}" for number in sorted(verdicts)},
        verdicts,
    )


def score_abstracts(
    claims: list[dict[str, Any]], predictions: list[dict[str, Any]], rule: str = "paper"
) -> dict[str, Any]:
    """Score predicted abstracts of scientific claims.

    Args:
        claims: The claims with evidence, objects as in the task's files.
        predictions: The predictions, objects as in the task's files.
        rule: How many predicted sentences count, "paper" or "leaderboard".

    Returns:
        Precision, recall, F1 and counts of the rationalized and the label-only scores; claims, rule and signature.
    """
    return _plain(_ABSTRACTS, score(claims, predictions, rule=rule))


def score_sentences(claims: list[dict[str, Any]], predictions: list[dict[str, Any]]) -> dict[str, Any]:
    """Score predicted rationale sentences of scientific claims.

    Args:
        claims: The claims with evidence, objects as in the task's files.
        predictions: The predictions, objects as in the task's files.

    Returns:
        Precision, recall, F1 and counts of the scores with and without label; claims, rule and signature.
    """
    return _plain(_SENTENCES, score(claims, predictions))


def _page(level: _Level, **own: Any) -> Page:
    """Describe a page; what the two have in common is here."""
    return Page(
        headers=HEADERS,
        example=EXAMPLE,
        table_help="One row a claim and document. Sentences by number from 0; evidence sets divided by |.",
        score_rows=lambda rows, rule="paper": _result(level, _from_table(rows, rule)),
        uploads=UPLOADS,
        upload_help=(
            "JSON Lines in UTF-8, up to 64 MB each: claims with evidence, and predictions for the same claims. With the corpus, "
            "explained claims show their sentences."
        ),
        score_files=lambda claims, predictions, corpus, rule="paper": _result(
            level, _from_files(claims, predictions, corpus, rule)
        ),
        figures=[("Outcomes by claim", f"The claims with most errors where there are more than {MOST_BARS}.")],
        downloads=("breakdown.csv",),
        explanations_title="A claim explained",
        **own,
    )


_abstract = _page(
    _ABSTRACTS,
    name="scifact_abstract",
    title="SciFact abstracts",
    summary=(
        "Are scientific claims verified with the right abstracts: is each predicted document evidence with the right label "
        "(label only), and is a whole set of its rationale sentences among those given (rationalized)? Both published rules "
        "of how many sentences count are here, and the signature says which was used."
    ),
    errors_title="Abstracts that are not right",
    choices=CHOICES,
    endpoint=score_abstracts,
)
_sentence = _page(
    _SENTENCES,
    name="scifact_sentence",
    title="SciFact sentences",
    summary=(
        "Are scientific claims verified with the right sentences: does each predicted sentence belong to a set of evidence "
        "that is given as a whole (selection), with the right label (with label)? There is no partial credit for half a set."
    ),
    errors_title="Sentences that are not right",
    endpoint=score_sentences,
)

PAGES = {page.name: page for page in (_abstract, _sentence)}
"""The pages by the name of the metric."""
