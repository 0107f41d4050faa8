"""What the two evaluate modules of SciFact share: their columns, and how rows of any usual kind are normalised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from types import NoneType
from typing import Any

import datasets

from tricord.inputs.columns import check_equal_lengths, column_values
from tricord.inputs.records import FieldError, Records
from tricord.modules.base import TricordMetric
from tricord.reports import signature
from tricord.scifact.metrics import Report, check_rule
from tricord.scifact.scorer import score_claims
from tricord.scifact.validation import (
    GoldAbstract,
    PredictedAbstract,
    accept_claims,
    accept_predictions,
    bind_claims,
    gold_claim,
    listed,
    matched_predictions,
    prediction,
)

__all__ = ["FEATURES", "ScifactMetric", "as_rows", "details", "flat_scores"]


def _row_features() -> dict[str, Any]:
    entry = {
        "doc_id": datasets.Value("string"),
        "label": datasets.Value("string"),
        "sentences": [datasets.Value("int64")],
    }
    return {"id": datasets.Value("int64"), "evidence": [entry]}


FEATURES = datasets.Features({"predictions": _row_features(), "references": _row_features()})
"""The columns that both modules store: for each claim its id and a list of entries.

An entry of a prediction is a document with its sentences; an entry of a reference is one evidence set, so that a document
has as many entries as evidence sets.
"""


class ScifactMetric(TricordMetric):
    """The base of the SciFact modules: normalises rows and gives `_compute` its report."""

    def _normalise(self, columns: Mapping[str, Any], **_: Any) -> dict[str, list[Any]]:
        return as_rows(columns["predictions"], columns["references"])

    @staticmethod
    def report(
        predictions: Sequence[dict[str, Any]], references: Sequence[dict[str, Any]], *, rule: str = "paper"
    ) -> Report:
        """Score stored rows, which are matched by the claims' ids.

        Raises:
            ValidationError: A claim is repeated, or predictions and references are not for the same claims; or the rule
                is unknown.
        """
        check_rule(rule)
        gold = bind_claims(Records.in_memory(list(references), "references"), _stored_claim)
        rows = Records.in_memory(list(predictions), "predictions")
        predicted = matched_predictions(gold, rows, _stored_prediction)
        return score_claims(((gold.evidence[claim_id], documents) for claim_id, documents in predicted), rule=rule)


def as_rows(predictions: Any, references: Any) -> dict[str, list[dict[str, Any]]]:
    """Check rows and bring them into the form that is stored.

    Args:
        predictions: n objects as loaded from a prediction file, or in the stored form.
        references: n objects as loaded from a claims file, or in the stored form.

    Returns:
        The two columns, n rows each, that fit `FEATURES`.

    Raises:
        ValidationError: A column or a value is not acceptable; names the column, the row and the keys.
    """
    objects = {
        "predictions": _as_objects(predictions, "predictions", _predicted_document),
        "references": _as_objects(references, "references", _evidence_sets),
    }
    check_equal_lengths(objects)
    predicted = Records.in_memory(objects["predictions"], "predictions").read(prediction, accept_predictions)
    claims = Records.in_memory(objects["references"], "references").read(gold_claim, accept_claims)
    return {
        "predictions": [_prediction_row(*value) for _, value in predicted],
        "references": [_reference_row(*value) for _, value in claims],
    }


def flat_scores(report: Report, group: str) -> dict[str, float]:
    """Give precision, recall and F1 of the groups that belong to a module, as a flat mapping.

    Args:
        report: The scores.
        group: What the names of the groups start with.

    Returns:
        `{"<group>_precision": float, ...}`.
    """
    return {
        f"{name}_{measure}": getattr(scores, measure)
        for name, scores in report.groups().items()
        if name.startswith(group)
        for measure in ("precision", "recall", "f1")
    }


def details(report: Report, group: str) -> dict[str, Any]:
    """Give the groups of a module with their counts, and what they depend on; the rule only where it matters.

    Args:
        report: The scores.
        group: What the names of the groups start with.
    """
    groups = {name: asdict(scores) for name, scores in report.groups().items() if name.startswith(group)}
    if group == "sentence":
        return {**groups, "claims": report.claims, "signature": signature("scifact", claims=report.claims)}
    return {**groups, "rule": report.rule, "claims": report.claims, "signature": report.signature}


def _as_objects(column: Any, name: str, join: Any) -> list[Any]:
    """Bring rows in other usual forms into the form of the task's files; what is in no known form is left to validation.

    A row may hold a list of entries, as these modules store them; and for documents of other rows it may hold None, as
    `datasets` fills in when it loads a JSON Lines file.
    """
    return [value if _is_plain(value) else _as_object(value, join) for value in column_values(name, column)]


def _is_plain(record: Any) -> bool:
    """Tell quickly whether a row has the form of the files already."""
    evidence = record.get("evidence") if type(record) is dict else None
    # Types are compared, not values: an array would answer with an array.
    return type(evidence) is dict and NoneType not in map(type, evidence.values())


def _as_object(record: Any, join: Any) -> Any:
    evidence = record.get("evidence") if isinstance(record, Mapping) else None
    if isinstance(evidence, Mapping):
        return {**record, "evidence": {doc_id: value for doc_id, value in evidence.items() if value is not None}}
    # What is no list, and an id that cannot be a key, are left for validation as well.
    with suppress(FieldError, TypeError):
        entries = listed(evidence, ("evidence",), "entries")
        if all(isinstance(entry, Mapping) and "doc_id" in entry for entry in entries):
            return {**record, "evidence": join(entries)}
    return record


def _predicted_document(entries: list[Mapping[str, Any]]) -> Any:
    documents = {entry["doc_id"]: entry for entry in entries}
    # A repeated document is left as it is, for validation to refuse.
    return documents if len(documents) == len(entries) else entries


def _evidence_sets(entries: list[Mapping[str, Any]]) -> dict[Any, list[Mapping[str, Any]]]:
    documents: dict[Any, list[Mapping[str, Any]]] = {}
    for entry in entries:
        documents.setdefault(entry["doc_id"], []).append(entry)
    return documents


def _prediction_row(claim_id: int, documents: Mapping[str, PredictedAbstract]) -> dict[str, Any]:
    evidence = [
        {"doc_id": doc_id, "label": abstract["label"], "sentences": abstract["sentences"]}
        for doc_id, abstract in documents.items()
    ]
    return {"id": claim_id, "evidence": evidence}


def _reference_row(claim_id: int, documents: Sequence[GoldAbstract]) -> dict[str, Any]:
    evidence = [
        {"doc_id": doc_id, "label": label, "sentences": list(one)} for doc_id, label, sets in documents for one in sets
    ]
    return {"id": claim_id, "evidence": evidence}


def _stored_prediction(row: Mapping[str, Any]) -> tuple[int, dict[str, PredictedAbstract]]:
    return row["id"], {entry["doc_id"]: entry for entry in row["evidence"]}


def _stored_claim(row: Mapping[str, Any]) -> tuple[int, tuple[GoldAbstract, ...]]:
    documents = []
    for doc_id, entries in groupby(row["evidence"], itemgetter("doc_id")):
        sets = list(entries)
        documents.append((doc_id, sets[0]["label"], tuple([tuple(one["sentences"]) for one in sets])))
    return row["id"], tuple(documents)
