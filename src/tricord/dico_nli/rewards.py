"""Rewards for reinforcement learning on DiCo-NLI, in TRL's signature: `f(completions, **columns) -> list[float]`.

A completion is a text, or a list of messages of which the last is the answer. The columns are those of the training set;
each reward takes the ones it needs and ignores the rest. Nothing here imports TRL.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from tricord.dico_nli.instance_ids import twin_id
from tricord.dico_nli.labels import LABELS, REVERSE_LABEL, decode_labels, encode_labels, is_reversible
from tricord.dico_nli.validation import id_values
from tricord.inputs.columns import check_equal_lengths, column_values
from tricord.training.completions import answer_text, json_object

__all__ = ["dico_nli_label_reward", "dico_nli_pair_reward"]


def dico_nli_label_reward(completions: Sequence[Any], label: Any, **_: Any) -> list[float]:
    """Reward the right label.

    Args:
        completions: n completions. An answer is one of the four labels and nothing else, or a JSON object whose `label` is
            one; white space around it does not matter.
        label: n gold labels or their ids.

    Returns:
        n rewards: 1.0 for the gold label, 0.0 for another one and for what is no answer.

    Raises:
        ValidationError: A column is unusable, or a completion is neither a text nor a list of messages.

    Example:
        >>> completions = ["EQUIVALENCE", '{"label": "NEGATIVE_OTHER"}', "I think EQUIVALENCE"]
        >>> dico_nli_label_reward(completions, label=["EQUIVALENCE"] * 3)
        [1.0, 0.0, 0.0]
    """
    gold = decode_labels(encode_labels("label", column_values("label", label)))
    check_equal_lengths({"completions": completions, "label": gold})
    return [float(answered == wanted) for answered, wanted in zip(_labels(completions), gold, strict=True)]


def dico_nli_pair_reward(completions: Sequence[Any], instance_id: Any, **_: Any) -> list[float]:
    """Reward labels that fit the answers given for the same pair read in the other direction, right or wrong.

    The two directions must be in one call, so a training set keeps them in neighbouring rows and is not shuffled. The
    reward says nothing about being right (EQUIVALENCE always fits EQUIVALENCE): use it together with
    `dico_nli_label_reward`.

    Args:
        completions: n completions, as for `dico_nli_label_reward`.
        instance_id: n ids; equal ones are answers to the same prompt.

    Returns:
        n rewards: the fraction, in [0, 1], of the answers for the other direction that are the reverse of this one. 0.0 for
        NEGATIVE_OTHER, for what is no answer, and where the other direction is not among the rows: all answers to a prompt
        are then treated alike, so that no advantage follows from it.

    Raises:
        ValidationError: An id does not have the form of the task, or a completion is neither a text nor a list of messages.

    Example:
        >>> ids = ["p1__en-en__original", "p1__en-en__original", "p1__en-en__flipped"]
        >>> dico_nli_pair_reward(["FORWARD_ENTAILMENT", "EQUIVALENCE", "BACKWARD_ENTAILMENT"], instance_id=ids)
        [1.0, 0.0, 0.5]
    """
    ids = id_values("instance_id", instance_id)
    check_equal_lengths({"completions": completions, "instance_id": ids})
    answers = _labels(completions)
    by_instance: dict[str, list[str | None]] = defaultdict(list)
    for name, answer in zip(ids, answers, strict=True):
        by_instance[name].append(answer)
    return [_consistency(answer, by_instance.get(twin_id(name), ())) for name, answer in zip(ids, answers, strict=True)]


def _consistency(answer: str | None, others: Sequence[str | None]) -> float:
    if answer is None or not is_reversible(answer) or not others:
        return 0.0
    return others.count(REVERSE_LABEL[answer]) / len(others)


def _labels(completions: Sequence[Any]) -> list[str | None]:
    return [_label(answer_text(completion, row)) for row, completion in enumerate(completions)]


def _label(text: str) -> str | None:
    answer = text.strip()
    if answer.startswith("{"):
        parsed = json_object(answer)
        value = parsed.get("label") if parsed is not None else None
        answer = value.strip() if isinstance(value, str) else ""
    return answer if answer in LABELS else None
