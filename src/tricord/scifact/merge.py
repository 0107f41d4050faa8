"""Merging selected sentences and predicted labels into predictions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from tricord.errors import InputFileError, ValidationError, some_of
from tricord.outputs import refuse_overwriting
from tricord.scifact.claims import Labels, Selection
from tricord.scifact.io import write_json_lines
from tricord.scifact.labels import NOT_ENOUGH_INFO
from tricord.scifact.records import FieldError, as_records
from tricord.scifact.validation import document_labels

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath
    from tricord.scifact.records import Source

__all__ = ["merge", "merge_files"]


def merge(rationales: Source, labels: Source) -> Iterator[dict[str, Any]]:
    """Join selected sentences and predicted labels, claim by claim.

    Args:
        rationales: A JSON Lines file of `{"claim_id": int, "evidence": {doc_id: [int]}}`, or such objects.
        labels: A JSON Lines file of `{"claim_id": int, "labels": {doc_id: {"label": str, "confidence": float}}}`, or such
            objects, with the same claims in the same order and the same documents for each.

    Yields:
        `{"id": int, "evidence": {doc_id: {"sentences": [int], "label": str}}}` with the document ids as text; documents
        labelled NOT_ENOUGH_INFO are left out.

    Raises:
        InputFileError: A file or one of its lines is not as the task demands, or the two do not go together there.
        ValidationError: The same for objects in memory; or one of the two has more claims.

    Example:
        >>> rationales = [{"claim_id": 1, "evidence": {"7": [2, 5], "8": []}}]
        >>> labels = [{"claim_id": 1, "labels": {"7": {"label": "SUPPORT"}, "8": {"label": "NOT_ENOUGH_INFO"}}}]
        >>> list(merge(rationales, labels))
        [{'id': 1, 'evidence': {'7': {'sentences': [2, 5], 'label': 'SUPPORT'}}}]
    """
    rationale_records, label_records = as_records(rationales, "rationales"), as_records(labels, "labels")
    seen: set[int] = set()
    for selected, labelled in zip_longest(
        rationale_records.read_values(Selection, lambda record: (record.claim_id, record.evidence)),
        label_records.read_values(Labels, document_labels),
    ):
        if selected is None or labelled is None:
            longer, shorter = rationale_records, label_records
            if selected is None:
                longer, shorter = shorter, longer
            number, (claim_id, _) = selected or labelled
            raise ValidationError(
                f"{longer.place(number)}: claim {claim_id} is not in {shorter.source}; expected the same claims in both"
            )
        number, (claim_id, sentences) = selected
        label_number, (label_claim_id, label_of) = labelled
        if claim_id != label_claim_id:
            problem = f"expected claim {label_claim_id}, as in {label_records.place(label_number)}, got {claim_id}"
            raise rationale_records.error(number, FieldError(("claim_id",), problem))
        if claim_id in seen:
            raise rationale_records.error(number, FieldError(("claim_id",), f"claim {claim_id} was given before"))
        seen.add(claim_id)
        if sentences.keys() != label_of.keys():
            problem = (
                f"claim {claim_id} has the documents {some_of(sentences) or 'none'}, but {some_of(label_of) or 'none'} in "
                f"{label_records.place(label_number)}; expected the same"
            )
            raise rationale_records.error(number, FieldError(("evidence",), problem))
        evidence = {
            doc_id: {"sentences": listed, "label": label_of[doc_id]}
            for doc_id, listed in sentences.items()
            if label_of[doc_id] != NOT_ENOUGH_INFO
        }
        yield {"id": claim_id, "evidence": evidence}


def merge_files(rationale_file: StrPath, label_file: StrPath, result_file: StrPath) -> int:
    """Merge two files into a prediction file, which is written whole or not at all.

    Args:
        rationale_file: The selected sentences.
        label_file: The predicted labels.
        result_file: The predictions to write.

    Returns:
        The number of claims.

    Raises:
        InputFileError: A file or one of its lines is not as the task demands, or the two do not go together there.
        ValidationError: One of the files has more claims.
        OutputError: The result cannot be written, or would overwrite one of the two.
    """
    refuse_overwriting(result_file, [rationale_file, label_file])
    merged = list(merge(rationale_file, label_file))
    if not merged:
        raise InputFileError(f"{rationale_file}: there are no claims")
    write_json_lines(merged, result_file)
    return len(merged)
