"""Why the scores are what they are: each abstract and sentence of a claim with its verdict and the reason.

The verdicts are those that the scores count: correct (predicted and right), wrong (predicted and not right), missed (gold
and not predicted).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from tricord.errors import ValidationError, some_of
from tricord.scifact.claims import Gold, GoldAbstract, PredictedAbstract, Prediction
from tricord.scifact.metrics import FIRST_SENTENCES, check_rule, complete_sets, is_rationalized, sentence_limit
from tricord.scifact.records import as_records
from tricord.scifact.validation import matched, predicted_abstracts

if TYPE_CHECKING:
    from tricord.scifact.records import Source

__all__ = ["AbstractBreakdown", "ClaimBreakdown", "SentenceBreakdown", "explain", "explain_claim"]

CORRECT, WRONG, MISSED = "correct", "wrong", "missed"

IRRELEVANT_DOCUMENT = "irrelevant document"
WRONG_LABEL = "wrong label"
INCOMPLETE_SET = "incomplete evidence set"
CUT_OFF = "cut off by the first-three rule"
NO_EVIDENCE = "no evidence"
REPEATED = "listed before"
NOT_PREDICTED = "not predicted"


@dataclass(frozen=True)
class SentenceBreakdown:
    """A predicted sentence, as often as it is listed, or a gold sentence that is not predicted.

    Attributes:
        sentence: The number of the sentence in its abstract.
        selection: The verdict that counts for sentence selection: "correct", "wrong" or "missed".
        label: The verdict that counts for sentence selection with label.
        reason: What is wrong; empty where nothing is.
    """

    sentence: int
    selection: str
    label: str
    reason: str


@dataclass(frozen=True)
class AbstractBreakdown:
    """A document that is predicted, or has gold evidence, or both.

    Attributes:
        doc_id: The document.
        gold_label: The label of its evidence; None where it has none.
        predicted_label: The predicted label; None where it is not predicted.
        label_only: The verdict that counts for the label-only scores: "correct", "wrong" or "missed".
        rationalized: The verdict that counts for the rationalized scores.
        reason: What is wrong; empty where nothing is.
        sentences: The predicted sentences as they are listed, then the missed ones in ascending order.
    """

    doc_id: str
    gold_label: str | None
    predicted_label: str | None
    label_only: str
    rationalized: str
    reason: str
    sentences: list[SentenceBreakdown]


@dataclass(frozen=True)
class ClaimBreakdown:
    """All abstracts and sentences of one claim.

    Attributes:
        claim_id: The claim.
        abstracts: The predicted documents as they are listed, then the missed ones.
    """

    claim_id: int
    abstracts: list[AbstractBreakdown]

    def to_dict(self) -> dict[str, Any]:
        """Lay the breakdown out as the JSON output."""
        return asdict(self)


def explain(
    gold: Gold,
    predictions: Source,
    claim_ids: Iterable[int] | None = None,
    *,
    rule: str = "paper",
    corpus: Mapping[str, int] | None = None,
) -> list[ClaimBreakdown]:
    """Show for some claims which abstracts and sentences are right, wrong or missed, and why.

    Args:
        gold: From `read_gold`.
        predictions: A JSON Lines file, or the objects as loaded from one.
        claim_ids: The claims wanted, in the order wanted; left out, all in the order of the gold standard.
        rule: How many predicted sentences count at abstract level: "paper" or "leaderboard".
        corpus: The number of sentences of each document; where given, predicted sentences must lie within.

    Returns:
        One breakdown a claim.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands; names line and key.
        ValidationError: An object in memory is not as the task demands, the predictions do not cover the claims exactly,
            the rule is unknown, or a claim is wanted that there is not.

    Example:
        >>> from tricord.scifact import read_gold
        >>> gold = read_gold([{"id": 1, "evidence": {"7": [{"sentences": [2, 5], "label": "SUPPORT"}]}}])
        >>> predictions = [{"id": 1, "evidence": {"7": {"sentences": [2], "label": "SUPPORT"}}}]
        >>> abstract = explain(gold, predictions)[0].abstracts[0]
        >>> abstract.label_only, abstract.rationalized, abstract.reason
        ('correct', 'wrong', 'incomplete evidence set')
    """
    check_rule(rule)
    wanted = list(gold.evidence if claim_ids is None else dict.fromkeys(claim_ids))
    if unknown := [claim_id for claim_id in wanted if claim_id not in gold.evidence]:
        raise ValidationError(f"{gold.source}: there is no claim {some_of(unknown)}")
    among = set(wanted)
    found = {
        claim_id: explain_claim(claim_id, gold.evidence[claim_id], documents, rule)
        for claim_id, documents in matched(
            gold, as_records(predictions, "predictions"), Prediction, predicted_abstracts(corpus)
        )
        if claim_id in among
    }
    return [found[claim_id] for claim_id in wanted]


def explain_claim(
    claim_id: int, gold: Sequence[GoldAbstract], predicted: Mapping[str, PredictedAbstract], rule: str
) -> ClaimBreakdown:
    """Show what is right, wrong or missed in one validated claim."""
    evidence = {doc_id: (label, sets) for doc_id, label, sets in gold}
    abstracts = []
    for doc_id, abstract in predicted.items():
        if doc_id in evidence:
            abstracts.append(_relevant(doc_id, *evidence[doc_id], abstract, rule))
        else:
            abstracts.append(_irrelevant(doc_id, abstract))
    missed = [_missed(*abstract) for abstract in gold if abstract[0] not in predicted]
    return ClaimBreakdown(claim_id, abstracts + missed)


def _irrelevant(doc_id: str, abstract: PredictedAbstract) -> AbstractBreakdown:
    sentences = [SentenceBreakdown(sentence, WRONG, WRONG, IRRELEVANT_DOCUMENT) for sentence in abstract.sentences]
    return AbstractBreakdown(doc_id, None, abstract.label, WRONG, WRONG, IRRELEVANT_DOCUMENT, sentences)


def _missed(doc_id: str, label: str, sets: Sequence[Sequence[int]]) -> AbstractBreakdown:
    sentences = [SentenceBreakdown(sentence, MISSED, MISSED, NOT_PREDICTED) for sentence in sorted(set().union(*sets))]
    return AbstractBreakdown(doc_id, label, None, MISSED, MISSED, NOT_PREDICTED, sentences)


def _relevant(
    doc_id: str, label: str, sets: Sequence[Sequence[int]], abstract: PredictedAbstract, rule: str
) -> AbstractBreakdown:
    sentences = abstract.sentences
    right_label = abstract.label == label
    rationalized = right_label and is_rationalized(sets, sentences, rule)
    reason = ""
    if not right_label:
        reason = WRONG_LABEL
    elif not rationalized:
        reason = _cut_off(sets, rule) if complete_sets(sets, sentences) else INCOMPLETE_SET
    return AbstractBreakdown(
        doc_id,
        label,
        abstract.label,
        CORRECT if right_label else WRONG,
        CORRECT if rationalized else WRONG,
        reason,
        _sentences(sets, sentences, right_label=right_label),
    )


def _cut_off(sets: Sequence[Sequence[int]], rule: str) -> str:
    limit = sentence_limit(sets, rule)
    return CUT_OFF if limit == FIRST_SENTENCES else f"cut off after the first {limit} sentences"


def _sentences(
    sets: Sequence[Sequence[int]], sentences: Sequence[int], *, right_label: bool
) -> list[SentenceBreakdown]:
    evidence = set(chain.from_iterable(sets))
    complete = set(chain.from_iterable(complete_sets(sets, sentences)))
    listed: set[int] = set()
    result = []
    for sentence in sentences:
        if sentence in listed:
            result.append(SentenceBreakdown(sentence, WRONG, WRONG, REPEATED))
        elif sentence in complete:
            label, reason = (CORRECT, "") if right_label else (WRONG, WRONG_LABEL)
            result.append(SentenceBreakdown(sentence, CORRECT, label, reason))
        else:
            reason = INCOMPLETE_SET if sentence in evidence else NO_EVIDENCE
            result.append(SentenceBreakdown(sentence, WRONG, WRONG, reason))
        listed.add(sentence)
    missed = [SentenceBreakdown(sentence, MISSED, MISSED, NOT_PREDICTED) for sentence in sorted(evidence - listed)]
    return result + missed
