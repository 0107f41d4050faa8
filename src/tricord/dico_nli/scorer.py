"""Scoring from end to end: a reference is read and validated once, then scores any number of predictions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tricord.dico_nli.io import (
    read_instance_id_column,
    read_prediction_blocks,
    read_prediction_columns,
    read_reference_columns,
)
from tricord.dico_nli.labels import LABELS, LabelNames, label_order
from tricord.dico_nli.metrics import MAX_PAIR_ERRORS, Report, make_report
from tricord.dico_nli.reference import Reference
from tricord.dico_nli.validation import (
    align_predictions,
    bind_reference,
    by_unique_id,
    check_coverage,
    encode_by_id,
)
from tricord.inputs.arguments import gold_path

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["read_instance_ids", "read_predictions", "read_reference", "score", "validate_submission"]

_EXPECTED = "a Reference (from read_reference or make_reference)"
_UNPREDICTED = 255


def read_reference(path: StrPath, *, infer_pairs: bool = False) -> Reference:
    """Read and validate a reference file.

    Args:
        path: A CSV or TSV file with the columns `instance_id,pair_id,reverse_pair_id,label`, in any order, among others.
        infer_pairs: Link the directions by the twin rule of instance ids, for participants' files, which have no
            `reverse_pair_id`.

    Returns:
        The reference, to be given to `score`.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands.
        ValidationError: A label is unknown, an id is repeated, or a link breaks a rule.
    """
    columns = read_reference_columns(path, with_links=not infer_pairs)
    source = os.fspath(path)
    ids = columns["instance_id"]
    gold = encode_by_id(ids, columns["label"], source=source)
    return bind_reference(ids, gold, columns.get("reverse_pair_id"), columns["pair_id"], source=source)


def read_instance_ids(path: StrPath) -> dict[str, int]:
    """Read the instance ids of any of the task's files: reference, participants' file or template.

    Args:
        path: A CSV or TSV file with a column `instance_id`; others are ignored.

    Returns:
        The row of each id, in the order of the file.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands.
        ValidationError: An id is repeated.
    """
    ids = read_instance_id_column(path)
    return by_unique_id(ids, range(len(ids)), os.fspath(path))


def read_predictions(path: StrPath) -> dict[str, str]:
    """Read a prediction file.

    Args:
        path: A CSV or TSV file with exactly the columns `instance_id,label`.

    Returns:
        The label of each instance id, as it stands in the file: whether it is known is checked against a reference.

    Raises:
        InputFileError: The file or one of its lines is not as the task demands.
        ValidationError: An id is repeated.
    """
    columns = read_prediction_columns(path)
    return by_unique_id(columns["instance_id"], columns["label"], os.fspath(path))


def score(
    gold: Reference | StrPath,
    predictions: Any,
    *,
    label_names: LabelNames | None = None,
    max_pair_errors: int = MAX_PAIR_ERRORS,
) -> Report:
    """Score predictions against a reference.

    Args:
        gold: From `read_reference` or `make_reference`; or a reference file, which is read anew each time.
        predictions: A prediction file, a mapping of instance id to label or label id, or one label or label id a row in
            reference order (list, numpy array, torch tensor, ...).
        label_names: The labels by id, where label ids do not follow the order of `LABELS`; a file holds no ids.
        max_pair_errors: How many faulty pairs the report lists at most.

    Returns:
        The report.

    Raises:
        InputFileError: A file is not as the task demands.
        ValidationError: `gold` is something else, the predictions do not cover it exactly, or a label is unknown.

    Example:
        >>> from tricord.dico_nli import make_reference, score
        >>> reference = make_reference(
        ...     ["p1__en-en__original", "p1__en-en__flipped"], ["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT"]
        ... )
        >>> score(reference, ["BACKWARD_ENTAILMENT", "FORWARD_ENTAILMENT"]).soft_cons
        1.0
    """
    label_order(label_names)  # also where they do not matter, a mistake in them does
    reference = gold if isinstance(gold, Reference) else read_reference(gold_path(gold, expected=_EXPECTED))
    if isinstance(predictions, (str, os.PathLike)):
        predicted = _read_aligned(reference, predictions)
    else:
        predicted = align_predictions(reference, predictions, label_names=label_names)
    return make_report(reference, predicted, max_pair_errors=max_pair_errors)


def _read_aligned(reference: Reference, path: StrPath) -> bytes:
    """Read a prediction file into label codes in reference order, without keeping its ids in memory."""
    predicted = bytearray([_UNPREDICTED]) * len(reference)
    code_of = {label: code for code, label in enumerate(LABELS)}
    count = 0
    try:
        for block in read_prediction_blocks(path):
            ids, codes = block["instance_id"], bytes(map(code_of.__getitem__, block["label"]))
            end = count + len(ids)
            if ids == reference.instance_ids[count:end]:  # the usual case: rows in reference order
                predicted[count:end] = codes
            else:
                for row, code in zip(map(reference.row_of.__getitem__, ids), codes, strict=True):
                    predicted[row] = code
            count = end
    except KeyError:
        count = -1
    if count == len(reference) and _UNPREDICTED not in predicted:
        return bytes(predicted)
    # Something is unknown, missing or repeated: look at the submission as a whole to say what.
    return align_predictions(reference, read_predictions(path), source=os.fspath(path))


def validate_submission(predictions: StrPath, template: StrPath | Reference) -> int:
    """Check a submission without scoring it.

    Args:
        predictions: The prediction file.
        template: A reference, or any of the task's files with a column `instance_id`: a template, a participants' file.

    Returns:
        The number of predictions.

    Raises:
        InputFileError: One of the files is not as the task demands.
        ValidationError: The submission does not cover the ids exactly, or a label is unknown.
    """
    labels = read_predictions(predictions)
    source = os.fspath(predictions)
    if isinstance(template, Reference):
        expected: Mapping[str, int] = template.row_of
    else:
        expected = read_instance_ids(template)
    check_coverage(expected, labels, source)
    encode_by_id(list(labels), list(labels.values()), source=source)
    return len(labels)
