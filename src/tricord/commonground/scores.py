"""The scores of predicted votes: accuracy of single votes, Brier score of probabilities. Single calls on plain values.

A cell is one participant's vote on one statement. `tricord.commonground.matrix` has the same for arrays.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import repeat
from numbers import Real
from typing import Any, TypeAlias

from tricord.commonground import formulas
from tricord.commonground.held_out import actual_votes, check_mapping
from tricord.commonground.votes import VOTE_NAMES, VOTES, as_number, as_vote
from tricord.errors import ValidationError, quoted
from tricord.measures import ratio

__all__ = [
    "UNIFORM",
    "UNIFORM_LOSS",
    "brier_score",
    "brier_skill_score",
    "class_weights",
    "distribution",
    "invalid_predictions",
    "mean",
    "most_probable_vote",
    "probability_reward",
    "vote_accuracy",
]

Distribution: TypeAlias = tuple[float, float, float]

UNIFORM: Distribution = (1 / 3, 1 / 3, 1 / 3)
"""What an invalid prediction scores as: the probabilities of agree, disagree and pass."""

UNIFORM_LOSS = 1 / 3

_INFINITY = math.inf

# Keys that equal each other as numbers (1, 1.0) are one entry, as they are in the predictions.
_CLASS_OF_KEY: dict[Hashable, int] = {
    key: position
    for position, (name, vote) in enumerate(zip(VOTE_NAMES, VOTES, strict=True))
    for key in (name, vote, str(vote))
}
_ONE_HOT: dict[int, Distribution] = {1: (1.0, 0.0, 0.0), -1: (0.0, 1.0, 0.0), 0: (0.0, 0.0, 1.0)}
# For each vote the positions of the two classes that were not voted.
_OTHER_CLASSES = {1: (1, 2), -1: (0, 2), 0: (0, 1)}


def vote_accuracy(predictions: Mapping[Any, Any], held_out: Mapping[Any, int]) -> float:
    """Compute the fraction of held-out votes that are predicted exactly.

    Args:
        predictions: A vote (1, -1, 0) by cell id; a missing one, or one that is no vote, is wrong.
        held_out: The actual vote by cell id.

    Returns:
        In [0, 1]; 0.0 where no vote is held out.

    Raises:
        ValidationError: An actual vote is none, or an argument is not a mapping.

    Example:
        >>> vote_accuracy({"p1-s1": 1, "p1-s2": 0}, {"p1-s1": 1, "p1-s2": -1})
        0.5
    """
    check_mapping("predictions", predictions)
    actual = actual_votes(held_out)
    return float(ratio(sum(as_vote(predictions.get(cell)) == vote for cell, vote in actual), len(actual)))


def brier_score(predictions: Mapping[Any, Any], held_out: Mapping[Any, int]) -> float:
    """Compute the mean over held-out votes of half the squared distance of the predicted distribution from the vote.

    Args:
        predictions: A prediction by cell id: a vote (1, -1, 0), or a mapping of class (agree, disagree, pass; or 1, -1, 0,
            or these as strings) to a non-negative number. A class left out is 0, other keys are ignored, and the numbers
            are normalised to sum 1. Every other prediction, and a missing one, scores as uniform: 1/3. Their number is not
            in the result: `invalid_predictions` counts them.
        held_out: The actual vote by cell id.

    Returns:
        In [0, 1], the lower the better; twice this is the unnormalised convention. 0.0 where no vote is held out.

    Raises:
        ValidationError: An actual vote is none, or an argument is not a mapping.

    Example:
        >>> brier_score({"p1-s1": {"agree": 2, "disagree": 1, "pass": 1}, "p1-s2": -1}, {"p1-s1": 1, "p1-s2": -1})
        0.09375
    """
    check_mapping("predictions", predictions)
    losses = [loss(distribution(predictions.get(cell)), vote) for cell, vote in actual_votes(held_out)]
    return mean(losses, len(losses))


def probability_reward(predictions: Mapping[Any, Any], held_out: Mapping[Any, int]) -> float:
    """Compute 1 - `brier_score`, a reward for reinforcement learning.

    Args:
        predictions: As for `brier_score`.
        held_out: The actual vote by cell id.

    Returns:
        In [0, 1], the higher the better; 0.0 where no vote is held out.

    Raises:
        ValidationError: As for `brier_score`.

    Example:
        >>> probability_reward({"p1-s1": {"agree": 1, "pass": 1}}, {"p1-s1": 1})
        0.75
    """
    return float(formulas.reward(brier_score(predictions, held_out), len(held_out)))


def invalid_predictions(predictions: Mapping[Any, Any], held_out: Mapping[Any, int]) -> int:
    """Count the held-out votes without a valid prediction, which `brier_score` and `probability_reward` score as uniform.

    Worth logging beside every reward: a model whose output cannot be read earns 2/3 on every cell.

    Args:
        predictions: As for `brier_score`.
        held_out: The actual vote by cell id.

    Raises:
        ValidationError: As for `brier_score`.

    Example:
        >>> invalid_predictions({"p1-s1": {"agree": 1}, "p1-s2": "broken"}, {"p1-s1": 1, "p1-s2": 1, "p1-s3": 1})
        2
    """
    check_mapping("predictions", predictions)
    return sum(distribution(predictions.get(cell)) is None for cell, _ in actual_votes(held_out))


def brier_skill_score(
    predictions: Mapping[Any, Any], held_out: Mapping[Any, int], reference: Mapping[Any, Any] | None = None
) -> float:
    """Compute the skill of predictions over a reference, 1 - brier / brier(reference).

    Args:
        predictions: As for `brier_score`.
        held_out: The actual vote by cell id.
        reference: What to beat: one distribution for all cells (base rates, say), or predictions by cell id, where a
            missing or invalid one scores as uniform like any other (`score` refuses it); uniform by default. A mapping that
            has class keys and no held-out cell is one distribution.

    Returns:
        At most 1: 0.0 for predictions as good as the reference, negative for worse ones. 0.0 also where no vote is held
        out or the reference is perfect. Always finite: at least the lowest float.

    Raises:
        ValidationError: As for `brier_score`; or `reference` has the keys of one distribution and is none.

    Example:
        >>> round(brier_skill_score({"p1-s1": {"agree": 1, "pass": 1}}, {"p1-s1": 1}), 12)
        0.25
        >>> brier_skill_score({"p1-s1": {"agree": 2, "disagree": 1, "pass": 1}}, {"p1-s1": 1}, {"agree": 1, "pass": 1})
        0.25
    """
    score = brier_score(predictions, held_out)
    if reference is None:
        return float(formulas.skill(score, uniform_score(len(held_out)), max))
    return float(formulas.skill(score, brier_score(reference_by_cell(reference, held_out), held_out), max))


def reference_by_cell(reference: Mapping[Any, Any], held_out: Mapping[Any, int]) -> Mapping[Any, Any]:
    """Give each held-out cell what a skill score measures against, where `reference` is one distribution for all.

    Raises:
        ValidationError: `reference` is not a mapping, or has the keys of one distribution and is none.
    """
    check_mapping("reference", reference)
    if _CLASS_OF_KEY.keys().isdisjoint(reference) or not reference.keys().isdisjoint(held_out):
        return reference
    check_reference(reference, distribution(reference) is not None)
    return dict.fromkeys(held_out, reference)


def check_reference(reference: Any, valid: bool) -> None:
    """Refuse a reference for all cells that is no distribution."""
    if not valid:
        raise ValidationError(
            f"Expected `reference` to be one distribution over agree, disagree, pass, got {quoted(reference)}"
        )


def class_weights(prediction: Any) -> Distribution | None:
    """Read the numbers of agree, disagree and pass out of a prediction.

    Args:
        prediction: A vote or a mapping, as for `brier_score`.

    Returns:
        The three numbers as they stand, not normalised, NaN for a value that is no number. None for what is neither a vote
        nor a mapping, and for a mapping that names a class twice (as "agree" and 1): there is no telling which is meant.

    Example:
        >>> class_weights({"agree": 3, "0": 1, "note": "x"}), class_weights(-1), class_weights({"agree": 1, 1: 1})
        ((3.0, 0.0, 1.0), (0.0, 1.0, 0.0), None)
    """
    # Nearly all are dicts of the three names and floats, and this runs once per cell of every rollout.
    if type(prediction) is dict:
        if len(prediction) == 3:
            agree, disagree, passed = map(prediction.get, VOTE_NAMES)
            if type(agree) is type(disagree) is type(passed) is float:
                return agree, disagree, passed
    elif not isinstance(prediction, Mapping):
        vote = as_vote(prediction)
        return None if vote is None else _ONE_HOT[vote]
    weights: list[Any] = [None, None, None]
    for key, value in prediction.items():
        position = _CLASS_OF_KEY.get(key)
        # True and False pass for 1 and 0, but name no class.
        if position is not None and not isinstance(key, bool):
            if weights[position] is not None:
                return None
            weights[position] = value if type(value) is float else as_number(value)
    agree, disagree, passed = weights
    return agree or 0.0, disagree or 0.0, passed or 0.0


def distribution(prediction: Any) -> Distribution | None:
    """Turn a prediction into probabilities.

    Args:
        prediction: A vote or a mapping, as for `brier_score`.

    Returns:
        The probabilities of agree, disagree and pass, which sum to 1; None for an invalid prediction.

    Example:
        >>> distribution({"agree": 3, "0": 1}), distribution({"agree": -1, "pass": 2})
        ((0.75, 0.0, 0.25), None)
    """
    weights = class_weights(prediction)
    return None if weights is None else normalised(weights)


def normalised(weights: Sequence[float]) -> Distribution | None:
    """Divide three numbers by their sum; None where one is negative or NaN, or the sum is 0 or not finite."""
    agree, disagree, passed = weights
    total = agree + disagree + passed
    if agree >= 0 and disagree >= 0 and passed >= 0 and 0 < total < _INFINITY:
        return agree / total, disagree / total, passed / total
    return None


def loss(probabilities: Distribution | None, vote: int) -> float:
    """Compute the Brier score of one cell; that of the uniform distribution for None."""
    if probabilities is None:
        return UNIFORM_LOSS
    other, another = _OTHER_CLASSES[vote]
    return float(formulas.brier_loss(probabilities[other], probabilities[another]))


def most_probable_vote(probabilities: Distribution | None) -> int | None:
    """Find the single most probable vote.

    Args:
        probabilities: The numbers of agree, disagree and pass, as `distribution` gives them; None for an invalid prediction.

    Returns:
        The vote; None where the highest probability is shared, or the numbers are no distribution (one is negative or NaN,
        say).

    Raises:
        ValidationError: `probabilities` is neither None nor three numbers.

    Example:
        >>> most_probable_vote((0.2, 0.5, 0.3)), most_probable_vote((0.4, 0.4, 0.2)), most_probable_vote(None)
        (-1, None, None)
    """
    if probabilities is None:
        return None
    own = three_numbers("probabilities", probabilities)
    return None if normalised(own) is None else highest_vote(own)


def three_numbers(name: str, values: Any) -> Distribution:
    """Accept the numbers of agree, disagree and pass.

    Raises:
        ValidationError: The value is not three numbers (NaN and infinities are numbers here).
    """
    listed = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(listed, (list, tuple)) or len(listed) != len(VOTES):
        raise ValidationError(f"Expected `{name}` to be the numbers of agree, disagree and pass, got {quoted(values)}")
    for value in listed:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValidationError(f"Expected `{name}` to be three numbers, got {quoted(value)} among them")
    agree, disagree, passed = map(as_number, listed)
    return agree, disagree, passed


def highest_vote(probabilities: Distribution) -> int | None:
    """Find the single most probable vote of a distribution; None for a tie."""
    highest = max(probabilities)
    return VOTES[probabilities.index(highest)] if probabilities.count(highest) == 1 else None


def mean(values: Iterable[float], count: int) -> float:
    """Compute the mean of `count` floats; 0.0 for none.

    The sum is correctly rounded, so the order of the cells and the version of Python change no digit.
    """
    return math.fsum(values) / count if count else 0.0


def uniform_score(cells: int) -> float:
    """Compute the Brier score of uniform predictions, by the same route as any other, so that equal ones are equal."""
    return mean(repeat(UNIFORM_LOSS, cells), cells)
