"""The scores of predicted votes over whole arrays: probabilities (n, 3) and n actual votes in, scores out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tricord.commonground import formulas, scores
from tricord.commonground.held_out import HeldOut, make_held_out
from tricord.commonground.scorer import VoteReport, make_report
from tricord.commonground.votes import VOTES
from tricord.errors import ValidationError, quoted
from tricord.inputs.arrays import as_array
from tricord.inputs.columns import check_equal_lengths
from tricord.measures import ratio

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

__all__ = [
    "brier_losses",
    "brier_score",
    "brier_skill_score",
    "invalid_predictions",
    "most_probable_votes",
    "probability_reward",
    "score",
    "vote_accuracy",
]


def score(gold: Any, probabilities: Any, *, bins: int | None = None) -> VoteReport:
    """Score predicted votes, as `commonground.score` does.

    Args:
        gold: n actual votes, 1, -1 or 0; or held-out votes by cell id, from `make_held_out` or `read_held_out`.
        probabilities: As for `brier_losses`, in the order of the votes.
        bins: The number of reliability bins, from 1 to 1000; None for no calibration.

    Returns:
        The report; without cell ids the cells are counted from 0.

    Raises:
        ValidationError: As for `brier_losses`.

    Example:
        >>> score([1, -1], [[2, 1, 1], [0, 1, 0]]).figures()["brier_score"]
        0.09375
    """
    votes = np.array(list(gold.values())) if isinstance(gold, HeldOut) else as_array("gold", gold)
    shares, valid = _distributions("probabilities", probabilities)
    actual = _actual_classes(votes, len(shares))
    return make_report(
        gold if isinstance(gold, HeldOut) else make_held_out(dict(enumerate(votes.tolist()))),
        losses=_losses(shares, valid, actual).tolist(),
        matches=(_most_probable(shares, valid) == np.array(VOTES)[actual]).tolist(),
        probabilities=shares,
        valid=valid.tolist(),
        bins=bins,
    )


def brier_losses(probabilities: Any, votes: Any) -> Floats:
    """Compute the Brier score of each cell.

    Args:
        probabilities: Numbers of shape (n, 3): agree, disagree, pass; normalised to sum 1 row by row. A row with a negative,
            NaN or infinite number, only zeros, or a sum that overflows scores as uniform.
        votes: n actual votes, 1, -1 or 0.

    Returns:
        Shape (n,), in [0, 1].

    Raises:
        ValidationError: An array has another shape or dtype, the lengths differ, or an actual vote is none.

    Example:
        >>> brier_losses([[1, 1, 0], [0, 1, 0], [0, 0, 0]], [1, 1, 0]).tolist()
        [0.25, 1.0, 0.3333333333333333]
    """
    shares, valid = _distributions("probabilities", probabilities)
    return _losses(shares, valid, _actual_classes(votes, len(shares)))


def _losses(shares: Floats, valid: NDArray[np.bool_], actual: NDArray[np.intp]) -> Floats:
    rows = np.arange(len(shares))
    losses = formulas.brier_loss(shares[rows, (actual + 1) % 3], shares[rows, (actual + 2) % 3])
    return np.asarray(np.where(valid, losses, scores.UNIFORM_LOSS))


def brier_score(probabilities: Any, votes: Any) -> float:
    """Compute the mean of `brier_losses`; 0.0 for no cells.

    Args:
        probabilities: As for `brier_losses`.
        votes: n actual votes, 1, -1 or 0.

    Returns:
        In [0, 1], the lower the better.

    Raises:
        ValidationError: As for `brier_losses`.

    Example:
        >>> brier_score([[2, 1, 1], [0, 1, 0]], [1, -1])
        0.09375
    """
    losses = brier_losses(probabilities, votes)
    return scores.mean(losses.tolist(), len(losses))


def probability_reward(probabilities: Any, votes: Any) -> float:
    """Compute 1 - `brier_score`; 0.0 for no cells.

    Args:
        probabilities: As for `brier_losses`.
        votes: n actual votes, 1, -1 or 0.

    Returns:
        In [0, 1], the higher the better.

    Raises:
        ValidationError: As for `brier_losses`.

    Example:
        >>> probability_reward([[1, 0, 1]], [1])
        0.75
    """
    return float(formulas.reward(brier_score(probabilities, votes), len(probabilities)))


def brier_skill_score(probabilities: Any, votes: Any, reference: Any = None) -> float:
    """Compute 1 - brier / brier(reference).

    Args:
        probabilities: As for `brier_losses`.
        votes: n actual votes, 1, -1 or 0.
        reference: Probabilities to beat, of shape (n, 3), or (3,) for the same in every cell; uniform by default. A row
            of several that is no distribution scores as uniform, as in the single call.

    Returns:
        At most 1; 0.0 for no cells or a perfect reference. Always finite.

    Raises:
        ValidationError: As for `brier_losses`; or a reference of shape (3,) is no distribution.

    Example:
        >>> brier_skill_score([[0, 1, 0]], [-1]), brier_skill_score([[2, 1, 1]], [1], reference=[1, 1, 0])
        (1.0, 0.25)
    """
    own = brier_score(probabilities, votes)
    if reference is None:
        return float(formulas.skill(own, scores.uniform_score(len(probabilities)), max))
    to_beat = as_array("reference", reference)
    if to_beat.shape == (3,):
        scores.check_reference(reference, invalid_predictions(to_beat[np.newaxis]) == 0)
        to_beat = np.broadcast_to(to_beat, (len(probabilities), 3))
    return float(formulas.skill(own, brier_score(to_beat, votes), max))


def most_probable_votes(probabilities: Any) -> Floats:
    """Find the single most probable vote of each cell.

    Args:
        probabilities: As for `brier_losses`.

    Returns:
        Shape (n,): 1, -1, 0, or NaN where the highest probability is shared or the row is invalid.

    Raises:
        ValidationError: `probabilities` has another shape or dtype.

    Example:
        >>> most_probable_votes([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2]]).tolist()
        [-1.0, nan]
    """
    return _most_probable(*_distributions("probabilities", probabilities))


def _most_probable(shares: Floats, valid: NDArray[np.bool_]) -> Floats:
    single = (shares == shares.max(axis=1, keepdims=True)).sum(axis=1) == 1
    return np.asarray(np.where(valid & single, np.array(VOTES)[shares.argmax(axis=1)], np.nan))


def vote_accuracy(probabilities: Any, votes: Any) -> float:
    """Compute the fraction of cells whose single most probable vote is the actual one; a tie is no match.

    The `vote_accuracy` of `score` and of the evaluate module. The single call of this name takes votes instead, and holds a
    distribution to be wrong.

    Args:
        probabilities: As for `brier_losses`.
        votes: n actual votes, 1, -1 or 0.

    Returns:
        In [0, 1]; 0.0 for no cells.

    Raises:
        ValidationError: As for `brier_losses`.

    Example:
        >>> vote_accuracy([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2]], [-1, 1])
        0.5
    """
    predicted = most_probable_votes(probabilities)
    actual = np.array(VOTES)[_actual_classes(votes, len(predicted))]
    return float(ratio(int((predicted == actual).sum()), len(predicted)))


def invalid_predictions(probabilities: Any) -> int:
    """Count the rows that score as uniform because they are no distribution.

    Args:
        probabilities: As for `brier_losses`.

    Raises:
        ValidationError: `probabilities` has another shape or dtype.

    Example:
        >>> invalid_predictions([[0.2, 0.5, 0.3], [0, 0, 0], [-1, 1, 1]])
        2
    """
    _, valid = _distributions("probabilities", probabilities)
    return int((~valid).sum())


def _distributions(name: str, values: Any) -> tuple[Floats, NDArray[np.bool_]]:
    """Normalise rows; give the distributions (uniform where a row is invalid) and which rows are valid."""
    given = as_array(name, values)
    if given.shape == (0,):
        given = given.reshape(0, 3)
    if given.ndim != 2 or given.shape[1] != 3:
        raise ValidationError(f"Expected `{name}` to have shape (n, 3): agree, disagree, pass; got {given.shape}")
    if given.dtype.kind not in "iuf":
        raise ValidationError(f"Expected `{name}` to be numbers, got dtype {given.dtype}")
    weights = given.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        total = weights[:, 0] + weights[:, 1] + weights[:, 2]
        valid = (weights >= 0).all(axis=1) & (total > 0) & (total < np.inf)
    weights[~valid], total[~valid] = 1.0, 3.0
    return weights / total[:, np.newaxis], valid


def _actual_classes(votes: Any, cells: int) -> NDArray[np.intp]:
    """Turn actual votes into positions in `VOTES`."""
    actual = as_array("votes", votes)
    if actual.ndim != 1:
        raise ValidationError(f"Expected the actual votes to have one dimension, got shape {actual.shape}")
    check_equal_lengths({"probabilities": range(cells), "votes": actual})
    if actual.size and actual.dtype.kind not in "if":
        raise ValidationError(f"Expected the actual votes to be the numbers 1, -1 and 0, got dtype {actual.dtype}")
    hits = np.stack([actual == vote for vote in VOTES])
    known = hits.any(axis=0)
    if not known.all():
        row = int(known.argmin())
        raise ValidationError(
            f"votes[{row}]: expected a vote (1 agree, -1 disagree, 0 pass), got {quoted(actual[row].item())}"
        )
    return np.asarray(hits.argmax(axis=0))
