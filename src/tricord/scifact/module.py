"""What the two evaluate modules of SciFact share: their columns, and how rows of any usual kind are normalised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import NoneType
from typing import Any, ClassVar

import datasets

from tricord.inputs.columns import check_equal_lengths, column_values
from tricord.modules.base import TricordMetric
from tricord.scifact.claims import Claim, Prediction
from tricord.scifact.metrics import Report
from tricord.scifact.records import FieldError, Records, listed
from tricord.scifact.scorer import score
from tricord.scifact.validation import bind_claims, gold_abstracts

__all__ = ["FEATURES", "ScifactMetric", "as_rows"]


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
    """The base of the SciFact modules: normalises rows and scores them.

    Attributes:
        prefix: What the names of the module's groups of scores begin with.
    """

    stored: ClassVar[datasets.Features] = FEATURES
    prefix: ClassVar[str]

    def _normalise(self, columns: Mapping[str, Any], **_: Any) -> dict[str, list[Any]]:
        return as_rows(columns["predictions"], columns["references"])

    def _score(
        self, predictions: Sequence[dict[str, Any]], references: Sequence[dict[str, Any]], rule: str = "paper"
    ) -> Report:
        """Score stored rows, which are matched by the claims' ids.

        Raises:
            ValidationError: A claim is repeated, or predictions and references are not for the same claims; or the rule
                is unknown.
        """
        claims = [{"id": row["id"], "evidence": _evidence_sets(row["evidence"])} for row in references]
        answers = [{"id": row["id"], "evidence": _predicted_document(row["evidence"])} for row in predictions]
        return score(bind_claims(Records("references", claims)), answers, rule=rule)

    def _figures(self, report: Report) -> dict[str, float]:
        return report.figures(self.prefix)

    def _details(self, report: Report) -> dict[str, Any]:
        left_out = report.groups().keys() - report.groups(self.prefix).keys()
        return {name: value for name, value in report.to_dict().items() if name not in left_out}


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
    predicted = Records("predictions", objects["predictions"]).read_values(Prediction, _prediction_row)
    claims = Records("references", objects["references"]).read_values(Claim, _reference_row)
    return {"predictions": [row for _, row in predicted], "references": [row for _, row in claims]}


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
        entries = listed(evidence, "a list of entries")
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


def _prediction_row(record: Prediction) -> dict[str, Any]:
    evidence = [
        {"doc_id": doc_id, "label": abstract.label, "sentences": abstract.sentences}
        for doc_id, abstract in record.evidence.items()
    ]
    return {"id": record.id, "evidence": evidence}


def _reference_row(record: Claim) -> dict[str, Any]:
    evidence = [
        {"doc_id": doc_id, "label": label, "sentences": list(one)}
        for doc_id, label, sets in gold_abstracts(record.evidence)
        for one in sets
    ]
    return {"id": record.id, "evidence": evidence}
