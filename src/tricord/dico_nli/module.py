"""What the two evaluate modules of DiCo-NLI share: their columns, and how rows of any usual kind are normalised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import datasets

from tricord.dico_nli.instance_ids import infer_reverse_pair_ids
from tricord.dico_nli.labels import LABELS, LabelNames, decode_labels, encode_labels, label_order
from tricord.dico_nli.metrics import MAX_PAIR_ERRORS, Report, make_report
from tricord.dico_nli.validation import id_values, make_reference
from tricord.inputs.columns import check_equal_lengths, column_values
from tricord.modules.base import TricordMetric

__all__ = ["FEATURES", "MAX_PAIR_ERRORS", "DicoNliMetric"]

FEATURES = datasets.Features(
    {
        "predictions": datasets.ClassLabel(names=list(LABELS)),
        "references": datasets.ClassLabel(names=list(LABELS)),
        "instance_ids": datasets.Value("string"),
        "reverse_pair_ids": datasets.Value("string"),
    }
)
"""The columns that both modules store."""

# Stands in the stored rows whose link is left to the twin rule; no id can look like this, as it holds a space.
_BY_TWIN_RULE = "(twin rule)"


class DicoNliMetric(TricordMetric):
    """The base of the DiCo-NLI modules: normalises rows and scores them."""

    stored: ClassVar[datasets.Features] = FEATURES
    optional_columns: ClassVar[tuple[str, ...]] = ("reverse_pair_ids",)
    row_options: ClassVar[tuple[str, ...]] = ("label_names",)

    def _check_options(self, *, label_names: LabelNames | None = None, **_: Any) -> None:
        label_order(label_names)

    def _normalise(
        self, columns: Mapping[str, Any], *, label_names: LabelNames | None = None, **_: Any
    ) -> dict[str, list[Any]]:
        predictions = column_values("predictions", columns["predictions"])
        references = column_values("references", columns["references"])
        instance_ids = id_values("instance_ids", columns["instance_ids"])
        if columns["reverse_pair_ids"] is None:
            reverse_pair_ids = [_BY_TWIN_RULE] * len(instance_ids)
        else:
            reverse_pair_ids = id_values("reverse_pair_ids", columns["reverse_pair_ids"], may_be_missing=True)
        rows = {"predictions": predictions, "references": references, "instance_ids": instance_ids}
        if columns["reverse_pair_ids"] is not None:
            rows["reverse_pair_ids"] = reverse_pair_ids
        check_equal_lengths(rows)
        rows["reverse_pair_ids"] = reverse_pair_ids
        rows["predictions"] = list(encode_labels("predictions", predictions, label_names))
        rows["references"] = list(encode_labels("references", references, label_names))
        return rows

    def _report(
        self,
        predictions: Sequence[int],
        references: Sequence[int],
        instance_ids: Sequence[str],
        reverse_pair_ids: Sequence[str],
        *,
        max_pair_errors: int = MAX_PAIR_ERRORS,
    ) -> Report:
        by_rule = [row for row, link in enumerate(reverse_pair_ids) if link == _BY_TWIN_RULE]
        links: list[str] | None = None
        if len(by_rule) < len(reverse_pair_ids):
            links = list(reverse_pair_ids)
            ids, labels = ([column[row] for row in by_rule] for column in (instance_ids, decode_labels(references)))
            for row, link in zip(by_rule, infer_reverse_pair_ids(ids, labels), strict=True):
                links[row] = link
        reference = make_reference(instance_ids, references, links, source="the references")
        return make_report(reference, bytes(predictions), max_pair_errors=max_pair_errors)
