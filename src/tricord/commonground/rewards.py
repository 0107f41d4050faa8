"""Rewards for reinforcement learning on Common Ground, in TRL's signature: `f(completions, **columns) -> list[float]`.

A completion is a text, or a list of messages of which the last is the answer. The columns are those of the training set;
each reward takes the ones it needs and ignores the rest. Nothing here imports TRL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tricord.commonground.scores import distribution, probability_reward
from tricord.commonground.votes import check_vote
from tricord.errors import ValidationError, quoted
from tricord.inputs.columns import check_equal_lengths, column_values
from tricord.inputs.jsontext import parse_json
from tricord.measures import ratio
from tricord.training.completions import answer_text, json_object

__all__ = ["commonground_format_reward", "commonground_reward"]


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
            json_object(answer_text(completion, row)),
            {
                str(cell): check_vote(vote, f"held_out[{row}][{cell!r}]")
                for cell, vote in votes.items()
                if vote is not None
            },
        )
