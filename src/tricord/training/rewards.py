"""Rewards for reinforcement learning, in TRL's signature: `f(completions, **columns) -> list[float]`.

A completion is a text, or a list of messages of which the last is the answer. The columns are those of the training set;
each reward takes the ones it needs and ignores the rest. Nothing here imports TRL.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tricord.columns import check_equal_lengths, column_values
from tricord.commonground.scores import distribution, probability_reward
from tricord.commonground.votes import check_vote
from tricord.dico_nli.instance_ids import twin_id
from tricord.dico_nli.labels import LABELS, REVERSE_LABEL, decode_labels, encode_labels, is_reversible
from tricord.dico_nli.validation import id_values
from tricord.errors import InputFileError, ValidationError, quoted
from tricord.jsontext import parse_json
from tricord.measures import ratio

__all__ = ["commonground_format_reward", "commonground_reward", "dico_nli_label_reward", "dico_nli_pair_reward"]


def commonground_reward(completions: Sequence[Any], held_out: Any, **_: Any) -> list[float]:
    """Reward probabilities of votes: 1 - Brier score over the held-out votes of each prompt.

    By the task's definition a cell without a valid prediction scores as uniform, which earns 2/3; so `{}` is worth more
    than a wrong guess. Add `commonground_format_reward`, which makes a gap costly.

    Args:
        completions: n completions. An answer is one JSON object of cell id to prediction and nothing else; a prediction is
            a vote (1, -1, 0) or an object of class (agree, disagree, pass) to number, as for
            `commonground.brier_score`.
        held_out: n mappings of cell id to the actual vote, or these as JSON text. A cell without a vote (None, as
            `datasets` fills in the cells of other rows) does not count.

    Returns:
        n rewards in [0, 1]: `commonground.probability_reward` of the answer; 0.0 for what is no such JSON object, and
        where no vote is held out.

    Raises:
        ValidationError: A held-out value is no mapping or holds no vote, or a completion is neither a text nor a list of
            messages.

    Example:
        >>> answers = ['{"p1-s1": {"agree": 3, "pass": 1}}', "The answer is agree.", "{}"]
        >>> [round(reward, 3) for reward in commonground_reward(answers, held_out=[{"p1-s1": 1}] * 3)]
        [0.938, 0.0, 0.667]
    """
    return [
        0.0 if answer is None else probability_reward(answer, votes)
        for answer, votes in _answers_and_votes(completions, held_out)
    ]


def commonground_format_reward(completions: Sequence[Any], held_out: Any, **_: Any) -> list[float]:
    """Reward answers that are complete: the fraction of held-out cells that have a valid prediction.

    Args:
        completions: n completions, as for `commonground_reward`.
        held_out: n mappings of cell id to the actual vote, as for `commonground_reward`.

    Returns:
        n rewards in [0, 1]; 0.0 for what is no JSON object, and where no vote is held out.

    Raises:
        ValidationError: As for `commonground_reward`.

    Example:
        >>> commonground_format_reward(['{"p1-s1": 1}'], held_out=[{"p1-s1": 1, "p1-s2": -1}])
        [0.5]
    """
    return [
        0.0 if answer is None else ratio(sum(distribution(answer.get(cell)) is not None for cell in votes), len(votes))
        for answer, votes in _answers_and_votes(completions, held_out)
    ]


def _answers_and_votes(
    completions: Sequence[Any], held_out: Any
) -> Iterator[tuple[dict[str, Any] | None, dict[str, Any]]]:
    targets = column_values("held_out", held_out)
    check_equal_lengths({"completions": completions, "held_out": targets})
    for row, (completion, target) in enumerate(zip(completions, targets, strict=True)):
        votes = parse_json(target, f"held_out[{row}]") if isinstance(target, str) else target
        if not isinstance(votes, Mapping):
            raise ValidationError(f"Expected held_out[{row}] to be a mapping of cell id to vote, got {quoted(target)}")
        # The keys of a JSON object are strings.
        yield (
            _json_object(answer_text(completion, row)),
            {
                str(cell): check_vote(vote, f"held_out[{row}][{cell!r}]")
                for cell, vote in votes.items()
                if vote is not None
            },
        )


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
        parsed = _json_object(answer)
        value = parsed.get("label") if parsed is not None else None
        answer = value.strip() if isinstance(value, str) else ""
    return answer if answer in LABELS else None


def answer_text(completion: Any, row: int) -> str:
    """Take the text of a completion: itself, or the content of the last of its messages.

    Args:
        completion: A text or a list of messages.
        row: Its position, for the message.

    Raises:
        ValidationError: It is neither.

    Example:
        >>> answer_text([{"role": "assistant", "content": "EQUIVALENCE"}], 0)
        'EQUIVALENCE'
    """
    content = completion
    if isinstance(completion, (list, tuple)) and completion and isinstance(completion[-1], Mapping):
        content = completion[-1].get("content")
    if isinstance(content, (list, tuple)):  # parts, as multimodal chat templates have them
        texts = [part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") == "text"]
        content = "".join(text for text in texts if isinstance(text, str))
    if not isinstance(content, str):
        raise ValidationError(
            f"Expected completions[{row}] to be a text or a list of messages with contents, got {quoted(completion)}"
        )
    return content


def _json_object(text: str) -> dict[str, Any] | None:
    """Parse a text that is one JSON object and nothing else; None for every other text."""
    with suppress(InputFileError):
        parsed = parse_json(text, "the answer")
        if isinstance(parsed, dict):
            return parsed
    return None
