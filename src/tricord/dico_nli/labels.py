"""The four labels of DiCo-NLI, their reversal, and their codes 0 to 3.

Inside the scorer a column of labels is a `bytes` object with one code a row: compact, hashable, and counted at the speed
of `bytes.count`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from tricord.errors import ValidationError, quoted
from tricord.inputs.columns import class_order, integer

__all__ = [
    "LABELS",
    "REVERSE_LABEL",
    "LabelNames",
    "UnknownLabelError",
    "decode_labels",
    "encode_labels",
    "is_reversible",
    "label_order",
    "reverse_label",
]

LabelNames: TypeAlias = Sequence[str] | Mapping[Any, str]
"""Labels by id: a sequence, or an `id2label` mapping."""

LABELS = ("EQUIVALENCE", "FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT", "NEGATIVE_OTHER")
"""The labels in the order that reports, confusion matrices and codes follow."""

REVERSE_LABEL = {
    "EQUIVALENCE": "EQUIVALENCE",
    "FORWARD_ENTAILMENT": "BACKWARD_ENTAILMENT",
    "BACKWARD_ENTAILMENT": "FORWARD_ENTAILMENT",
}
"""The label of a pair read in the other direction; NEGATIVE_OTHER has none."""


class UnknownLabelError(ValidationError):
    """A value of a column is neither a label nor the id of one.

    Attributes:
        name: What the column is called in messages.
        row: The position of the value, counted from 0.
        value: The value.
    """

    def __init__(self, name: str, row: int, value: object) -> None:
        super().__init__(
            f"Expected `{name}` to hold labels ({', '.join(LABELS)}) or their ids 0 to {len(LABELS) - 1}, got "
            f"{quoted(value)} at {name}[{row}]"
        )
        self.name, self.row, self.value = name, row, value

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is pickled by its message alone, which is not what the constructor takes.
        return type(self), (self.name, self.row, self.value)


def is_reversible(label: str) -> bool:
    """Tell whether a label has a reverse, that is, whether it is not NEGATIVE_OTHER."""
    return label in REVERSE_LABEL


def reverse_label(label: str) -> str:
    """Give the label of the same pair read in the other direction.

    Args:
        label: One of the three reversible labels.

    Returns:
        The reverse label.

    Raises:
        ValidationError: The label is NEGATIVE_OTHER, which has no reverse, or no label at all.

    Example:
        >>> reverse_label("FORWARD_ENTAILMENT")
        'BACKWARD_ENTAILMENT'
    """
    try:
        return REVERSE_LABEL[label]
    except (KeyError, TypeError):
        raise ValidationError(
            f"Expected a reversible label ({', '.join(REVERSE_LABEL)}), got {quoted(label)}"
        ) from None


def label_order(label_names: LabelNames | None) -> tuple[str, ...]:
    """Read the labels in the order of their ids, as a model's configuration gives them.

    Args:
        label_names: The four labels by id: a sequence, an `id2label` mapping (ids as numbers or their strings), or None
            for the task's own order.

    Returns:
        The four labels; the position is the id.

    Raises:
        ValidationError: They are not the four labels, each exactly once.

    Example:
        >>> label_order({"0": "NEGATIVE_OTHER", "1": "EQUIVALENCE", "2": "FORWARD_ENTAILMENT", "3": "BACKWARD_ENTAILMENT"})
        ('NEGATIVE_OTHER', 'EQUIVALENCE', 'FORWARD_ENTAILMENT', 'BACKWARD_ENTAILMENT')
    """
    return class_order(LABELS, label_names)


_UNKNOWN = 255


def encode_labels(name: str, values: Sequence[Any], label_names: LabelNames | None = None) -> bytes:
    """Turn labels or their ids into codes.

    Args:
        name: What the column is called in messages.
        values: n labels (white space around them is stripped) or integer ids in [0, 3]; both may be mixed.
        label_names: The labels by id, where the ids do not follow the order of `LABELS`.

    Returns:
        n codes: positions in `LABELS`.

    Raises:
        UnknownLabelError: A value is neither a label nor an id; names the position and the value.
        ValidationError: `label_names` is unusable.

    Example:
        >>> list(encode_labels("predictions", ["NEGATIVE_OTHER", 0]))
        [3, 0]
    """
    codes: dict[Any, int] = {label: code for code, label in enumerate(LABELS)}
    codes.update({index: codes[label] for index, label in enumerate(label_order(label_names))})
    # True and 1.0 hash like 1, so the mapping alone would take them for ids.
    types = set(map(type, values))
    with suppress(KeyError, ValueError):
        if types == {int}:
            coded = bytes(values).translate(bytes(codes.get(value, _UNKNOWN) for value in range(256)))
            if _UNKNOWN not in coded:
                return coded
        if types <= {int, str}:
            return bytes(map(codes.__getitem__, values))
    return bytes(_encode_one(name, row, value, codes) for row, value in enumerate(values))


def _encode_one(name: str, row: int, value: Any, codes: Mapping[Any, int]) -> int:
    key: Any = value.strip() if isinstance(value, str) else integer(value)
    if key not in codes:
        raise UnknownLabelError(name, row, value)
    return codes[key]


def decode_labels(codes: Iterable[int]) -> list[str]:
    """Turn codes back into labels.

    Example:
        >>> decode_labels(bytes([3, 0]))
        ['NEGATIVE_OTHER', 'EQUIVALENCE']
    """
    return [LABELS[code] for code in codes]
