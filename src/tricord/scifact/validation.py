"""What makes claims, predictions and a corpus acceptable beyond their types: claims that fit together, evidence that exists."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeVar

import msgspec

from tricord.errors import TricordError, ValidationError, some_of
from tricord.memory import collector_paused
from tricord.scifact.claims import (
    Abstract,
    Claim,
    Document,
    EvidenceSet,
    Gold,
    GoldAbstract,
    Labels,
    PredictedAbstract,
    Prediction,
    Retrieved,
    Selection,
)
from tricord.scifact.records import FieldError, Records

__all__ = [
    "bind_claims",
    "corpus_abstracts",
    "document_labels",
    "gold_abstracts",
    "matched",
    "predicted_abstracts",
    "retrieved_ids",
    "selected_abstracts",
]

_Form = TypeVar("_Form", bound=msgspec.Struct)
_Value = TypeVar("_Value")


def bind_claims(claims: Records, corpus: Mapping[str, int] | None = None) -> Gold:
    """Bind claims into a gold standard; see to it that each is there once.

    Args:
        claims: The claims.
        corpus: The number of sentences of each document; where given, evidence must lie within it.

    Returns:
        The gold standard.

    Raises:
        InputFileError: A line of a file is not acceptable or repeats a claim; names file, line and key.
        ValidationError: The same for an object in memory; or there is no claim at all.

    Example:
        >>> from tricord.scifact.records import as_records
        >>> claim = {"id": 1, "evidence": {"7": [{"sentences": [2, 5], "label": "SUPPORT"}]}}
        >>> bind_claims(as_records([claim], "claims")).evidence
        {1: (('7', 'SUPPORT', ((2, 5),)),)}
    """

    def value_of(claim: Claim) -> tuple[int, tuple[GoldAbstract, ...]]:
        documents = gold_abstracts(claim.evidence)
        if corpus is not None:
            for doc_id, _, sets in documents:
                _check_in_corpus(corpus, doc_id, chain.from_iterable(sets))
        return claim.id, documents

    evidence: dict[int, tuple[GoldAbstract, ...]] = {}
    with collector_paused():
        for number, (claim_id, documents) in claims.read_values(Claim, value_of):
            if claim_id in evidence:
                problem = f"claim {claim_id} was given before; expected each claim once"
                raise claims.error(number, FieldError(("id",), problem))
            evidence[claim_id] = documents
    if not evidence:
        raise claims.nothing("claims")
    return Gold(evidence, claims.source)


def gold_abstracts(evidence: Mapping[str, list[EvidenceSet]]) -> tuple[GoldAbstract, ...]:
    """Give the documents with evidence for one claim.

    Raises:
        FieldError: The evidence sets of a document have different labels.
    """
    documents = []
    for doc_id, sets in evidence.items():
        label = sets[0].label
        if len(sets) > 1 and len(labels := {one.label for one in sets}) > 1:
            problem = f"expected one label for a claim and a document, got {' and '.join(sorted(labels))}"
            raise FieldError(("evidence", doc_id), problem)
        documents.append((doc_id, label, tuple([_once(one.sentences) for one in sets])))
    return tuple(documents)


def _once(sentences: tuple[int, ...]) -> tuple[int, ...]:
    return sentences if len(sentences) == 1 else tuple(dict.fromkeys(sentences))


def matched(
    gold: Gold, records: Records, form: type[_Form], value_of: Callable[[_Form], tuple[int, _Value]]
) -> Iterator[tuple[int, _Value]]:
    """Read predictions one by one and see to it that they cover the claims exactly.

    Args:
        gold: The claims.
        records: The predictions, in any order.
        form: How they are declared.
        value_of: Gives the claim id and what is predicted; raises `FieldError` where that breaks a rule.

    Yields:
        The claim id and what is predicted for it, in the order of the records.

    Raises:
        InputFileError: A line of a file is not acceptable, or a claim is repeated; names file, line and key.
        ValidationError: The same for objects in memory; or (after the last record) claims are missing or unknown.
    """
    seen: set[int] = set()
    unknown: list[tuple[int, int]] = []
    for number, (claim_id, value) in records.read_values(form, value_of):
        if claim_id in seen:
            problem = f"claim {claim_id} was predicted before; expected each claim once"
            raise records.error(number, FieldError((), problem))
        seen.add(claim_id)
        if claim_id in gold.evidence:
            yield claim_id, value
        else:
            unknown.append((number, claim_id))
    if unknown or len(seen) != len(gold):
        raise _coverage_error(gold, records, seen, unknown)


def _coverage_error(gold: Gold, records: Records, seen: set[int], unknown: list[tuple[int, int]]) -> TricordError:
    problems = []
    if missing := sorted(gold.evidence.keys() - seen):
        problems.append(f"{len(missing)} claims have no prediction: {some_of(missing)}")
    if unknown:
        number, claim_id = unknown[0]
        where = f"line {number}" if records.in_file else f"position {number}"
        claims = some_of(claim for _, claim in unknown)
        problems.append(f"{len(unknown)} predictions are for unknown claims: {claims} ({claim_id} at {where})")
    return ValidationError(
        f"{records.source}: {'; '.join(problems)}; give one prediction for each claim of {gold.source}"
    )


def predicted_abstracts(
    corpus: Mapping[str, int] | None = None,
) -> Callable[[Prediction], tuple[int, dict[str, PredictedAbstract]]]:
    """Make the `value_of` of predictions.

    Args:
        corpus: The number of sentences of each document; where given, predicted sentences must lie within it.
    """

    def unchecked(record: Prediction) -> tuple[int, dict[str, PredictedAbstract]]:
        return record.id, record.evidence

    def checked(record: Prediction) -> tuple[int, dict[str, PredictedAbstract]]:
        for doc_id, abstract in record.evidence.items():
            _check_in_corpus(corpus or {}, doc_id, abstract.sentences)
        return record.id, record.evidence

    return unchecked if corpus is None else checked


def _check_in_corpus(corpus: Mapping[str, int], doc_id: str, sentences: Iterable[int]) -> None:
    length = corpus.get(doc_id)
    if length is None:
        by_number: Mapping[int, int] = corpus  # type: ignore[assignment]  # as the documents of a corpus have their ids
        length = by_number.get(int(doc_id)) if len(doc_id) < 20 else None
    if length is None:
        raise FieldError(("evidence", doc_id), "the corpus has no such document")
    last = max(sentences, default=-1)
    if last >= length:
        problem = f"the abstract has {length} sentences, numbered from 0; there is no sentence {last}"
        raise FieldError(("evidence", doc_id), problem)


def selected_abstracts(record: Selection) -> tuple[int, dict[str, PredictedAbstract]]:
    """Give the selected sentences of each document, without labels."""
    return record.claim_id, {doc_id: PredictedAbstract("", own) for doc_id, own in record.evidence.items()}  # type: ignore[arg-type]


def document_labels(record: Labels) -> tuple[int, dict[str, str]]:
    """Give the label of each document.

    Raises:
        FieldError: A confidence is not finite.
    """
    for doc_id, own in record.labels.items():
        if not math.isfinite(own.confidence):  # the values of an argument may be so
            raise FieldError(("labels", doc_id, "confidence"), f"expected a finite number, got {own.confidence}")
    return record.claim_id, {doc_id: own.label for doc_id, own in record.labels.items()}


def retrieved_ids(record: Retrieved) -> tuple[int, list[str]]:
    """Give the retrieved documents.

    Raises:
        FieldError: One is repeated.
    """
    doc_ids = list(map(str, record.doc_ids))
    if len(set(doc_ids)) != len(doc_ids):
        raise FieldError(("doc_ids",), f"expected each document once, got {record.doc_ids}")
    return record.claim_id, doc_ids


def corpus_abstracts(records: Records) -> Iterator[Abstract]:
    """Read the documents of a corpus one by one.

    Raises:
        InputFileError: A line of a file is not acceptable, or a document is repeated.
        ValidationError: The same for objects in memory; or there are no documents.
    """
    seen: set[str] = set()
    for number, document in records.read(Document):
        doc_id = str(document.doc_id)
        if doc_id in seen:
            problem = f"document {doc_id} was given before; expected each once"
            raise records.error(number, FieldError(("doc_id",), problem))
        seen.add(doc_id)
        yield Abstract(doc_id, document.title, document.abstract)
    if not seen:
        raise records.nothing("documents")
