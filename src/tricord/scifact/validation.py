"""What makes claims, predictions and a corpus acceptable, and the compact objects that scoring starts from.

Each function here takes one JSON object as a parser or a user hands it over. The common case is accepted by a few exact
type tests; whatever fails them is looked at again, to be mended (a tuple, a numpy integer) or named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from numbers import Real
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, TypedDict, TypeVar

from tricord.errors import InputFileError, TricordError, ValidationError, quoted, some_of
from tricord.inputs.columns import integer
from tricord.inputs.records import FieldError, Records
from tricord.memory import collector_paused
from tricord.scifact.labels import EVIDENCE_LABELS, LABELS

__all__ = [
    "Abstract",
    "Gold",
    "GoldAbstract",
    "PredictedAbstract",
    "accept_claims",
    "accept_predictions",
    "bind_claims",
    "claim_text",
    "corpus_abstract",
    "gold_claim",
    "label_prediction",
    "listed",
    "make_gold",
    "matched_predictions",
    "prediction",
    "rationale_selection",
    "retrieved_documents",
]

_LARGEST = 2**63 - 1
_EVIDENCE_LABELS = {label: label for label in EVIDENCE_LABELS}
_Value = TypeVar("_Value")

Convert: TypeAlias = Callable[[Any], tuple[int, _Value]]
Accept: TypeAlias = Callable[[list[Any]], tuple[list[tuple[int, _Value]], int] | None]


GoldAbstract: TypeAlias = tuple[str, str, tuple[tuple[int, ...], ...]]
"""The evidence of one document for one claim: its id, its label (SUPPORT or CONTRADICT) and its evidence sets.

The sentences of any one set together are enough; a set holds a sentence once. Plain tuples, since there may be millions:
they are small, and the garbage collector soon leaves them alone.
"""


class PredictedAbstract(TypedDict):
    """What is predicted for one claim and one document, in the form of the prediction file.

    Attributes:
        label: SUPPORT or CONTRADICT; empty where only sentences are predicted.
        sentences: The predicted rationale sentences in the order in which they are given.
    """

    label: str
    sentences: list[int]


class Abstract(NamedTuple):
    """A document of the corpus."""

    doc_id: str
    title: str
    sentences: list[str]


@dataclass(frozen=True)
class Gold:
    """Validated claims with evidence; scores any number of predictions without being read again.

    Attributes:
        evidence: For each claim id the documents with evidence, each once; the ids stand in file order.
        source: What the claims are called in messages: the file's name, say.
    """

    evidence: Mapping[int, tuple[GoldAbstract, ...]]
    source: str = "the claims"

    def __len__(self) -> int:
        """Give the number of claims."""
        return len(self.evidence)


def make_gold(records: Records, corpus: Mapping[str, int] | None = None) -> Gold:
    """Validate claims and bind them.

    Args:
        records: The claims.
        corpus: The number of sentences of each document; where given, evidence must lie within it.

    Returns:
        The gold standard.

    Raises:
        InputFileError: A line of a file is not acceptable; names file, line and key.
        ValidationError: An object in memory is not acceptable; or there is no claim at all.

    Example:
        >>> from tricord.scifact.io import as_records
        >>> claim = {"id": 1, "evidence": {"7": [{"sentences": [2, 5], "label": "SUPPORT"}]}}
        >>> make_gold(as_records([claim], "claims")).evidence
        {1: (('7', 'SUPPORT', ((2, 5),)),)}
    """
    return bind_claims(records, partial(gold_claim, corpus=corpus), accept_claims if corpus is None else None)


def bind_claims(
    records: Records, convert: Convert[tuple[GoldAbstract, ...]], accept: Accept[tuple[GoldAbstract, ...]] | None = None
) -> Gold:
    """Bind claims into a gold standard; see to it that each is there once.

    Args:
        records: The claims.
        convert: Takes one object and gives the claim id and the evidence.
        accept: Does the same for many plain objects at once; see `Records.read`.

    Returns:
        The gold standard.

    Raises:
        InputFileError: A line of a file is not acceptable or repeats a claim; names file, line and key.
        ValidationError: The same for an object in memory; or there is no claim at all.
    """
    evidence: dict[int, tuple[GoldAbstract, ...]] = {}
    with collector_paused():
        for number, (claim_id, documents) in records.read(convert, accept):
            if claim_id in evidence:
                problem = f"claim {claim_id} was given before; expected each claim once"
                raise records.error(number, FieldError(("id",), problem))
            evidence[claim_id] = documents
    if not evidence:
        kind = InputFileError if records.in_file else ValidationError
        raise kind(f"{records.source}: there are no claims")
    return Gold(evidence, records.source)


def matched_predictions(
    gold: Gold,
    records: Records,
    convert: Convert[_Value],
    accept: Accept[_Value] | None = None,
) -> Iterator[tuple[int, _Value]]:
    """Read predictions one by one and see to it that they cover the claims exactly.

    Args:
        gold: The claims.
        records: The predictions, in any order.
        convert: Takes one object and gives the claim id and what is predicted.
        accept: Does the same for many plain objects at once; see `Records.read`.

    Yields:
        The claim id and what is predicted for it, in the order of the records.

    Raises:
        InputFileError: A line of a file is not acceptable, or a claim is repeated; names file, line and key.
        ValidationError: The same for objects in memory; or (after the last record) claims are missing or unknown.
    """
    seen: set[int] = set()
    unknown: list[tuple[int, int]] = []
    for number, (claim_id, value) in records.read(convert, accept):
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


def gold_claim(record: Any, corpus: Mapping[str, int] | None = None) -> tuple[int, tuple[GoldAbstract, ...]]:
    """Read one claim with evidence.

    Args:
        record: `{"id": int, "evidence": {doc_id: [{"sentences": [int], "label": str}, ...]}}`, among other keys.
        corpus: The number of sentences of each document; where given, evidence must lie within it.

    Returns:
        The claim id and its documents with evidence.

    Raises:
        FieldError: A key is missing or a value is not acceptable.
    """
    claim_id = _claim_id(record, "id")
    if "evidence" not in record:
        raise FieldError(
            (), "the key 'evidence' is missing; expected claims with gold evidence (is this the test split?)"
        )
    claim_text(record)
    found = _by_document(record, "evidence", _label_and_sets)
    documents = tuple([(doc_id, label, sets) for doc_id, (label, sets) in found.items()])
    if corpus is not None:
        for doc_id, _, sets in documents:
            _check_in_corpus(corpus, doc_id, chain.from_iterable(sets))
    return claim_id, documents


def claim_text(record: Any) -> tuple[int, str]:
    """Read the id and the text of a claim, which is not needed for scoring and may be left out.

    Raises:
        FieldError: The text is none.
    """
    text = record.get("claim") if isinstance(record, Mapping) else None
    text = "" if text is None else text  # a table fills a text that is left out with None
    if not isinstance(text, str):
        raise FieldError(("claim",), f"expected a text, got {quoted(text)}")
    return _claim_id(record, "id"), text


def prediction(record: Any, corpus: Mapping[str, int] | None = None) -> tuple[int, dict[str, PredictedAbstract]]:
    """Read one prediction.

    Args:
        record: `{"id": int, "evidence": {doc_id: {"sentences": [int], "label": str}}}`, among other keys.
        corpus: The number of sentences of each document; where given, predicted sentences must lie within it.

    Returns:
        The claim id and the predicted documents.

    Raises:
        FieldError: A key is missing or a value is not acceptable.
    """
    claim_id, documents = _claim_id(record, "id"), _by_document(record, "evidence", _predicted_abstract)
    if corpus is not None:
        for doc_id, abstract in documents.items():
            _check_in_corpus(corpus, doc_id, abstract["sentences"])
    return claim_id, documents


def accept_claims(records: list[Any]) -> tuple[list[tuple[int, tuple[GoldAbstract, ...]]], int] | None:
    """Read many claims at once where all of them are plain: the types of parsed JSON, and no rule broken.

    Args:
        records: The claims.

    Returns:
        What `gold_claim` gives for each, and the number of keys in all objects; None where one needs a closer look.
    """
    try:
        claim_ids, evidence = _accept_ids_and_documents(records)
        set_lists = list(chain.from_iterable(map(dict.values, evidence)))
        _check_all(_are(list, set_lists) and all(set_lists))
        entries = list(chain.from_iterable(set_lists))
        sentences = _accept_entries(entries)
        _check_all(all(sentences) and _are(str, [record.get("claim", "") for record in records]))
        several = [one for one in sentences if len(one) > 1]
        _check_all(_count(map(set, several)) == _count(several))  # no sentence twice in a set
        several = [list(map(itemgetter("label"), sets)) for sets in set_lists if len(sets) > 1]
        _check_all(_count(map(set, several)) == len(several))  # one label for each document
        documents = _join_abstracts(evidence, map(tuple, sentences))
    except (KeyError, TypeError, _NotPlainError):
        return None
    return list(zip(claim_ids, documents, strict=True)), _count(chain(records, evidence, entries))


def accept_predictions(records: list[Any]) -> tuple[list[tuple[int, dict[str, PredictedAbstract]]], int] | None:
    """Read many predictions at once where all of them are plain: the types of parsed JSON, and no rule broken.

    Args:
        records: The predictions.

    Returns:
        What `prediction` gives for each, and the number of keys in all objects; None where one needs a closer look.
    """
    try:
        claim_ids, evidence = _accept_ids_and_documents(records)
        entries = list(chain.from_iterable(map(dict.values, evidence)))
        _accept_entries(entries)
    except (KeyError, TypeError, _NotPlainError):
        return None
    return list(zip(claim_ids, evidence, strict=True)), _count(chain(records, evidence, entries))


class _NotPlainError(Exception):
    """Some of many objects need a closer look."""


def _check_all(condition: bool) -> None:
    if not condition:
        raise _NotPlainError


def _count(collections: Iterable[Sized]) -> int:
    return sum(map(len, collections))


def _are(kind: type, values: list[Any]) -> bool:
    return set(map(type, values)) <= {kind}


def _accept_ids_and_documents(records: list[Any]) -> tuple[list[int], list[dict[str, Any]]]:
    _check_all(_are(dict, records))
    claim_ids = list(map(itemgetter("id"), records))
    _check_all(_are_numbers(claim_ids))
    evidence = list(map(itemgetter("evidence"), records))
    _check_all(_are(dict, evidence))
    doc_ids = list(chain.from_iterable(evidence))
    digits = "".join(doc_ids)
    # Digits alone, and no zero in front.
    _check_all(not doc_ids or (digits.isascii() and digits.isdecimal() and all(doc_ids)))
    _check_all("\n0" not in "\n" + "\n".join(doc_ids))
    return claim_ids, evidence


def _accept_entries(entries: list[Any]) -> list[list[int]]:
    """Check the labels and sentences of documents or evidence sets, and give the sentences."""
    _check_all(_are(dict, entries))
    _check_all(set(map(itemgetter("label"), entries)) <= _EVIDENCE_LABELS.keys())
    sentences = list(map(itemgetter("sentences"), entries))
    _check_all(_are(list, sentences))
    _check_all(_are_numbers(list(chain.from_iterable(sentences))))
    return sentences


def _are_numbers(values: list[Any]) -> bool:
    return not values or (_are(int, values) and min(values) >= 0 and max(values) <= _LARGEST)


def _join_abstracts(evidence: list[dict[str, Any]], sets: Iterator[tuple[int, ...]]) -> list[tuple[GoldAbstract, ...]]:
    """Give each document of each claim its share of the evidence sets, which follow each other in the same order."""
    # One string stands for all the equal labels that a parser makes.
    label_of = _EVIDENCE_LABELS
    return [
        tuple(
            [
                (doc_id, label_of[entries[0]["label"]], tuple(islice(sets, len(entries))))
                for doc_id, entries in found.items()
            ]
        )
        for found in evidence
    ]


def rationale_selection(record: Any) -> tuple[int, dict[str, PredictedAbstract]]:
    """Read one line of a rationale-selection file.

    Args:
        record: `{"claim_id": int, "evidence": {doc_id: [int]}}`, among other keys.

    Returns:
        The claim id and the selected sentences, without labels.

    Raises:
        FieldError: A key is missing or a value is not acceptable.
    """
    return _claim_id(record, "claim_id"), _by_document(record, "evidence", _selected_sentences)


def label_prediction(record: Any) -> tuple[int, dict[str, str]]:
    """Read one line of a label-prediction file.

    Args:
        record: `{"claim_id": int, "labels": {doc_id: {"label": str, "confidence": float}}}`, among other keys; the
            confidence may be left out.

    Returns:
        The claim id and the label of each document.

    Raises:
        FieldError: A key is missing or a value is not acceptable.
    """
    return _claim_id(record, "claim_id"), _by_document(record, "labels", _document_label)


def retrieved_documents(record: Any) -> tuple[int, list[str]]:
    """Read one line of an abstract-retrieval file.

    Args:
        record: `{"claim_id": int, "doc_ids": [int]}`, among other keys.

    Returns:
        The claim id and the retrieved documents.

    Raises:
        FieldError: A key is missing, or a value is not acceptable or repeated.
    """
    claim_id = _claim_id(record, "claim_id")
    values = listed(_field(record, "doc_ids"), ("doc_ids",), "document ids")
    doc_ids = [_document_id(value, ("doc_ids", position)) for position, value in enumerate(values)]
    if len(set(doc_ids)) != len(doc_ids):
        raise FieldError(("doc_ids",), f"expected each document once, got {quoted(values)}")
    return claim_id, doc_ids


def corpus_abstract(record: Any) -> Abstract:
    """Read one document of the corpus.

    Args:
        record: `{"doc_id": int, "title": str, "abstract": [str]}`, among other keys.

    Returns:
        The document.

    Raises:
        FieldError: A key is missing or a value is not acceptable.
    """
    doc_id = _document_id(_field(record, "doc_id"), ("doc_id",))
    title = _field(record, "title")
    if type(title) is not str:
        raise FieldError(("title",), f"expected a text, got {quoted(title)}")
    sentences = listed(_field(record, "abstract"), ("abstract",), "sentences")
    for position, sentence in enumerate(sentences):
        if type(sentence) is not str:
            raise FieldError(("abstract", position), f"expected a text, got {quoted(sentence)}")
    return Abstract(doc_id, title, sentences)


def _field(record: Any, key: str) -> Any:
    if not isinstance(record, Mapping):
        raise FieldError((), f"expected an object with the key {key!r}, got {quoted(record)}")
    if key not in record:
        raise FieldError((), f"the key {key!r} is missing; found {some_of(record) or 'no key'}")
    return record[key]


def _claim_id(record: Any, key: str) -> int:
    return _whole_number(_field(record, key), (key,), "the claim's id, a whole number", least=-_LARGEST)


def _by_document(record: Any, key: str, convert: Callable[[Any], _Value]) -> dict[str, _Value]:
    """Read an object whose keys are document ids."""
    found = _field(record, key)
    if not isinstance(found, Mapping):
        raise FieldError((key,), f"expected an object with document ids as keys, got {quoted(found)}")
    documents = {}
    for name, value in found.items():
        try:
            documents[_document_id(name, ())] = convert(value)
        except FieldError as error:
            raise error.under(key, name if type(name) is int else str(name)) from None
    if len(documents) != len(found):
        raise FieldError((key,), f"expected each document once, got the document ids {some_of(found)}")
    return documents


def _check_in_corpus(corpus: Mapping[str, int], doc_id: str, sentences: Iterable[int]) -> None:
    by_id: Mapping[Any, int] = corpus  # whose keys may be numbers, as the documents of a corpus have them
    length = by_id.get(doc_id, by_id.get(int(doc_id)) if len(doc_id) < 20 else None)
    if length is None:
        raise FieldError(("evidence", doc_id), "the corpus has no such document")
    for sentence in sentences:
        if sentence >= length:
            problem = f"the abstract has {length} sentences, numbered from 0; there is no sentence {sentence}"
            raise FieldError(("evidence", doc_id), problem)


def _label_and_sets(value: Any) -> tuple[str, tuple[tuple[int, ...], ...]]:
    entries = listed(value, (), "evidence sets")
    if not entries:
        raise FieldError((), "expected at least one evidence set, got []; leave the document out")
    labels, sets = [], []
    for position, entry in enumerate(entries):
        try:
            labels.append(_label(entry, EVIDENCE_LABELS))
            sentences = _sentences(_field(entry, "sentences"), ("sentences",))
            if not sentences:
                raise FieldError(("sentences",), "expected the sentences of an evidence set, got []")
        except FieldError as error:
            raise error.under(position) from None
        sets.append(tuple(dict.fromkeys(sentences)))
    if len(set(labels)) != 1:
        raise FieldError((), f"expected one label for a claim and a document, got {' and '.join(sorted(set(labels)))}")
    return labels[0], tuple(sets)


def _predicted_abstract(entry: Any) -> PredictedAbstract:
    return {
        "label": _label(entry, EVIDENCE_LABELS),
        "sentences": _sentences(_field(entry, "sentences"), ("sentences",)),
    }


def _selected_sentences(value: Any) -> PredictedAbstract:
    return {"label": "", "sentences": _sentences(value, ())}


def _document_label(entry: Any) -> str:
    label = _label(entry, LABELS)
    confidence = entry.get("confidence", 0.0)
    if not _is_finite_number(confidence):
        raise FieldError(("confidence",), f"expected a finite number, got {quoted(confidence)}")
    return label


def _is_finite_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):  # numpy registers its numbers as real ones
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond the largest float
        return False


def _label(entry: Any, labels: tuple[str, ...]) -> str:
    label = _field(entry, "label")
    if isinstance(label, str):
        for known in labels:
            if label == known:
                return known  # one string for all the equal ones that a parser makes
    raise FieldError(("label",), f"expected {' or '.join(labels)}, got {quoted(label)}")


def _sentences(value: Any, keys: tuple[str, ...]) -> list[int]:
    expected = "a sentence number, counted from 0"
    values = listed(value, keys, "sentence numbers")
    return [_whole_number(item, (*keys, position), expected) for position, item in enumerate(values)]


def listed(value: Any, keys: tuple[str | int, ...], what: str) -> list[Any]:
    """Take a list of any usual kind (list, tuple, one-dimensional array) as a list.

    Args:
        value: The list.
        keys: Where it stands in its object, for the message.
        what: What it holds, for the message.

    Raises:
        FieldError: It is no list.

    Example:
        >>> listed((1, 2), ("sentences",), "sentence numbers")
        [1, 2]
    """
    if hasattr(value, "tolist") and getattr(value, "ndim", 1) == 1:
        return list(value.tolist())
    if isinstance(value, (list, tuple)):
        return list(value)
    raise FieldError(keys, f"expected a list of {what}, got {quoted(value)}")


def _document_id(value: Any, keys: tuple[str | int, ...]) -> str:
    """Read a document id, which is text as the key of a JSON object and a number elsewhere, as text."""
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        return value.lstrip("0") or "0"
    return str(_whole_number(value, keys, "a document id, a whole number"))


def _whole_number(value: Any, keys: tuple[str | int, ...], expected: str, *, least: int = 0) -> int:
    number = integer(value)
    if number is None or not least <= number <= _LARGEST:
        raise FieldError(keys, f"expected {expected}, got {quoted(value)}")
    return number
