"""The twin rule: an instance id tells the id of the same pair in the other direction.

Ids look like `<pair_id>__<lang1>-<lang2>__<direction>`. The twin has the two languages swapped and the direction swapped
(`original` with `flipped` in the train and development release, `forward` with `reverse` in the trial release).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tricord.dico_nli.labels import decode_labels, encode_labels, is_reversible
from tricord.errors import ValidationError, quoted
from tricord.inputs.columns import check_equal_lengths, column_values

__all__ = ["infer_reverse_pair_ids", "is_reversed", "source_pair_id", "twin_id"]

_OTHER_DIRECTION = {"original": "flipped", "flipped": "original", "forward": "reverse", "reverse": "forward"}
_INSTANCE_ID = re.compile(rf"(\S+)__([^\s_-]+)-([^\s_-]+)__({'|'.join(_OTHER_DIRECTION)})")
_FORM = "<pair_id>__<lang1>-<lang2>__<original|flipped|forward|reverse>"


def twin_id(instance_id: str) -> str:
    """Derive the id of the same pair in the other direction; whether such an instance exists is another question.

    Args:
        instance_id: An id of the form `<pair_id>__<lang1>-<lang2>__<direction>`.

    Returns:
        The twin's id.

    Raises:
        ValidationError: The id does not have that form.

    Example:
        >>> twin_id("dico_phrasis_0000007__en-es__original")
        'dico_phrasis_0000007__es-en__flipped'
    """
    pair, first, second, direction = _parts(instance_id)
    return f"{pair}__{second}-{first}__{_OTHER_DIRECTION[direction]}"


def is_reversed(instance_id: str) -> bool:
    """Tell whether an instance holds its source pair in the other direction: whether it is `flipped` or `reverse`.

    Args:
        instance_id: An id of the form `<pair_id>__<lang1>-<lang2>__<direction>`.

    Raises:
        ValidationError: The id does not have that form.

    Example:
        >>> is_reversed("dico_phrasis_0000007__en-es__flipped")
        True
    """
    return _parts(instance_id)[3] in ("flipped", "reverse")


def source_pair_id(instance_id: str) -> str | None:
    """Read the id of the source pair out of an instance id; None where the id does not have the usual form.

    Example:
        >>> source_pair_id("dico_phrasis_0000007__en-es__flipped"), source_pair_id("7a")
        ('dico_phrasis_0000007', None)
    """
    parts = _INSTANCE_ID.fullmatch(instance_id)
    return None if parts is None else parts[1]


def _parts(instance_id: str) -> tuple[str, ...]:
    parts = _INSTANCE_ID.fullmatch(instance_id) if isinstance(instance_id, str) else None
    if parts is None:
        raise ValidationError(f"Cannot derive the twin of instance id {quoted(instance_id)}; expected the form {_FORM}")
    return parts.groups()


def infer_reverse_pair_ids(
    instance_ids: Iterable[str], labels: Iterable[str | int] | None = None, *, allow_unpaired: bool = False
) -> list[str]:
    """Fill the `reverse_pair_id` column for data that comes without it, by the twin rule.

    Args:
        instance_ids: n instance ids (list, data frame column, ...).
        labels: n gold labels or their ids, where they are known: NEGATIVE_OTHER rows are singletons and get no link.
        allow_unpaired: Give rows without a twin an empty link instead of raising. For unlabelled data, in which
            singletons cannot be told from rows whose twin was lost.

    Returns:
        n reverse pair ids; "" for no link.

    Raises:
        ValidationError: An id does not have the expected form, no row has its twin's id (the message names it), or a
            label is unknown.

    Example:
        >>> ids = ["p1__en-en__original", "p1__en-en__flipped", "p2__en-en__original"]
        >>> infer_reverse_pair_ids(ids, ["EQUIVALENCE", "EQUIVALENCE", "NEGATIVE_OTHER"])
        ['p1__en-en__flipped', 'p1__en-en__original', '']
    """
    ids = column_values("instance_ids", instance_ids)
    reversible = [True] * len(ids)
    if labels is not None:
        values = column_values("labels", labels)
        check_equal_lengths({"instance_ids": ids, "labels": values})
        reversible = list(map(is_reversible, decode_labels(encode_labels("labels", values))))
    present = {instance_id for instance_id in ids if isinstance(instance_id, str)}
    links = []
    for instance_id, has_twin in zip(ids, reversible, strict=True):
        if not has_twin:
            links.append("")
            continue
        twin = twin_id(instance_id)
        if twin in present:
            links.append(twin)
        elif allow_unpaired:
            links.append("")
        else:
            raise ValidationError(
                f"Instance {quoted(instance_id)} has no twin: no row has the id {quoted(twin)}; "
                "complete the data or give reverse_pair_ids with an empty value for this row"
            )
    return links
