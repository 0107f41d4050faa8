"""The parts of a page that are plain HTML: heading, score cards, tables. Every text from outside is escaped here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

__all__ = [
    "Score",
    "Verdict",
    "documents",
    "heading",
    "marked_sentences",
    "notice",
    "score_cards",
    "section",
    "table",
]

_LONGEST_ID = 60


@dataclass(frozen=True)
class Score:
    """A headline figure.

    Attributes:
        name: What it is called.
        value: The figure; shown with four decimals where it is a float.
        meaning: What it counts, in one line.
        share: How full its bar is, in [0, 1]; None for no bar.
    """

    name: str
    value: float | int
    meaning: str
    share: float | None = None


def heading(title: str, summary: str) -> str:
    """Lay out the title of a page and the sentences under it.

    Example:
        >>> heading("A & B", "Two.")
        '<header class="tc-heading"><h1>A &amp; B</h1><p>Two.</p></header>'
    """
    return f'<header class="tc-heading"><h1>{escape(title)}</h1><p>{escape(summary)}</p></header>'


def score_cards(scores: Sequence[Score], signature: str, note: str = "") -> str:
    """Lay out the headline: large figures, what each means, and the signature to quote with them."""
    cards = "".join(map(_card, scores))
    noted = f'<p class="tc-note">{escape(note)}</p>' if note else ""
    return (
        f'<section class="tc-result" aria-label="Scores" aria-live="polite"><dl class="tc-scores">{cards}</dl>{noted}'
        f'<p class="tc-signature"><span>Signature, to quote with the figures</span><code>{escape(signature)}</code></p>'
        "</section>"
    )


def _card(score: Score) -> str:
    shown = f"{score.value:.4f}" if isinstance(score.value, float) else f"{score.value:,}"
    bar = ""
    if score.share is not None:
        width = 100 * min(1.0, max(0.0, score.share))
        bar = f'<span class="tc-bar" aria-hidden="true"><span style="width:{width:.2f}%"></span></span>'
    exact = f"{score.value!r}"
    return (
        f'<div class="tc-score"><dt>{escape(score.name)}</dt><dd title="{exact}">{shown}</dd>{bar}'
        f"<p>{escape(score.meaning)}</p></div>"
    )


def section(title: str, reading: str) -> str:
    """Lay out the heading of a part of the page and a line on how to read it.

    Example:
        >>> section("Errors", "")
        '<div class="tc-section"><h2>Errors</h2></div>'
    """
    line = f"<p>{escape(reading)}</p>" if reading else ""
    return f'<div class="tc-section"><h2>{escape(title)}</h2>{line}</div>'


def table(caption: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out rows of text under headers; on a narrow screen the table scrolls inside its own frame."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in headers)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return (
        f'{notice(caption)}<div class="tc-table" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    # An id is kept in one piece as long as it is not absurdly long; texts wrap.
    kind = "" if " " in text or len(text) > _LONGEST_ID else ' class="tc-id"'
    return f"<td{kind}>{escape(text)}</td>"


def notice(text: str) -> str:
    """Lay out one quiet line.

    Example:
        >>> notice("<none>")
        '<p class="tc-notice">&lt;none&gt;</p>'
    """
    return f'<p class="tc-notice">{escape(text)}</p>'


@dataclass(frozen=True)
class Verdict:
    """How a document or sentence fared.

    Attributes:
        name: "correct", "wrong" or "missed".
        reason: Why, in a few words.
    """

    name: str
    reason: str = ""


def marked_sentences(
    title: str, verdict: Verdict, sentences: Mapping[int, str], verdicts: Mapping[int, Verdict]
) -> str:
    """Lay out a document with its sentences, those with a verdict highlighted and named.

    Args:
        title: The heading.
        verdict: That of the document.
        sentences: The texts by number.
        verdicts: The verdicts by number.
    """
    lines = "".join(_sentence(number, text, verdicts.get(number)) for number, text in sentences.items())
    return (
        f'<article class="tc-document"><h3>{escape(title)} {_chip(verdict)}</h3>'
        f"<p>{escape(verdict.reason)}</p><ol>{lines}</ol></article>"
    )


def _sentence(number: int, text: str, verdict: Verdict | None) -> str:
    label = f'<span class="tc-number">{number}</span>'
    if verdict is None:
        return f"<li>{label}<span>{escape(text)}</span></li>"
    reason = f" <small>{escape(verdict.reason)}</small>" if verdict.reason else ""
    return f'<li>{label}<span><mark class="tc-{escape(verdict.name)}">{escape(text)}</mark> {_chip(verdict)}{reason}</span></li>'


def _chip(verdict: Verdict) -> str:
    name = escape(verdict.name)
    return f'<span class="tc-chip tc-{name}">{name}</span>'


def documents(parts: Sequence[str], *, nothing: str) -> str:
    """Put laid-out documents together; says `nothing` where there are none."""
    shown = "".join(parts) or notice(nothing)
    return f'<section class="tc-documents" aria-live="polite">{shown}</section>'
