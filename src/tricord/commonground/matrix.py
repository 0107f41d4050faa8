"""The statistics and scores of the task over whole arrays, vectorised: votes (participants x statements), probabilities (n, 3).

Every figure equals that of the single-call function of the same name to the last digit: both take their arithmetic from
`tricord.commonground.formulas`. Importing this module imports numpy; nothing else in `tricord.commonground` does.

A vote matrix is an array of shape (participants, statements): integers with a code for a missing vote, or floats with NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tricord.columns import check_equal_lengths, is_missing
from tricord.commonground import formulas, scores
from tricord.commonground.statistics import MAX_COUNT
from tricord.commonground.votes import VOTE_NAMES, VOTES
from tricord.errors import ValidationError, quoted, some_of
from tricord.measures import ratio

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import ArrayLike, NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Counts: TypeAlias = NDArray[np.int64]
    Table: TypeAlias = dict[str, NDArray[Any]]

__all__ = [
    "MISSING",
    "brier_losses",
    "brier_score",
    "brier_skill_score",
    "cluster_separation",
    "comment_stats",
    "group_stats",
    "invalid_predictions",
    "most_probable_votes",
    "probability_reward",
    "prop_test",
    "statement_stats",
    "two_prop_test",
    "vote_accuracy",
    "vote_entropy",
    "vote_matrix",
]

MISSING = -128
"""The default code for a missing vote in an integer matrix: the smallest int8, which cannot be taken for a vote."""

# Votes are counted in blocks of rows that a byte can count, which is what makes counting fast.
_BLOCK_ROWS = 255


def vote_matrix(columns: Sequence[Sequence[int | None]]) -> NDArray[np.int8]:
    """Turn columns of votes into a matrix.

    Args:
        columns: For each statement the votes of all participants, None where missing: the `votes` of a `Conversation`.

    Returns:
        int8 of shape (participants, statements), `MISSING` for missing.

    Example:
        >>> vote_matrix([[1, None], [0, -1]]).tolist()
        [[1, 0], [-128, -1]]
    """
    coded = [[MISSING if vote is None else vote for vote in column] for column in columns]
    shape = len(coded), len(coded[0]) if coded else 0
    return np.ascontiguousarray(np.array(coded, dtype=np.int8).reshape(shape).T)


def prop_test(successes: ArrayLike, trials: ArrayLike) -> Floats:
    """Compute `prop_test` element by element.

    Args:
        successes: Whole numbers from 0 to the trials.
        trials: Whole numbers, of a shape that fits.

    Returns:
        The z-scores, in the common shape.

    Raises:
        ValidationError: A count is not a whole number, negative, too large, or there are more successes than trials.

    Example:
        >>> prop_test([3, 0], [3, 1]).tolist()
        [2.0, 0.0]
    """
    return np.asarray(formulas.one_proportion_z(*_successes_and_trials(successes, trials), np.sqrt))


def two_prop_test(s_in: ArrayLike, s_out: ArrayLike, p_in: ArrayLike, p_out: ArrayLike) -> Floats:
    """Compute `two_prop_test` element by element.

    Args:
        s_in: Successes in the group, from 0 to `p_in`.
        s_out: Successes outside it, from 0 to `p_out`.
        p_in: Trials in the group.
        p_out: Trials outside it.

    Returns:
        The z-scores, in the common shape of the arguments.

    Raises:
        ValidationError: As for `prop_test`.

    Example:
        >>> two_prop_test([4, 4], [4, 0], [4, 4], [4, 4]).tolist()
        [0.0, 2.581988897471611]
    """
    s_in, p_in = _successes_and_trials(s_in, p_in)
    s_out, p_out = _successes_and_trials(s_out, p_out)
    return np.asarray(formulas.two_proportion_z(s_in, s_out, p_in, p_out, np.sqrt))


def _successes_and_trials(successes: ArrayLike, trials: ArrayLike) -> tuple[Counts, Counts]:
    s, n = np.asarray(successes), np.asarray(trials)
    if s.dtype.kind not in "iu" or n.dtype.kind not in "iu":
        raise ValidationError(f"Expected counts to be arrays of whole numbers, got dtypes {s.dtype} and {n.dtype}")
    wrong = (s < 0) | (s > n) | (n > MAX_COUNT)
    if wrong.any():
        pair = tuple(values[wrong].flat[0].item() for values in np.broadcast_arrays(s, n))
        raise ValidationError(
            f"Expected 0 <= successes <= trials <= {MAX_COUNT}, got {pair[0]} successes in {pair[1]} trials"
        )
    # A narrow kind of integer would overflow where one is added.
    return s.astype(np.int64), n.astype(np.int64)


def comment_stats(votes: Any, *, missing: int = MISSING) -> Table:
    """Compute `comment_stats` of every statement at once.

    Args:
        votes: A vote matrix of shape (participants, statements).
        missing: The code for a missing vote in an integer matrix.

    Returns:
        `agree`, `disagree`, `pass`, `seen` (int64) and `pa`, `pd`, `pat`, `pdt` (float64), each of shape (statements,).

    Raises:
        ValidationError: `votes` is no such matrix; names the first value that is neither a vote nor missing.

    Example:
        >>> comment_stats(np.array([[1, 0], [1, -1], [1, MISSING]]))["pat"].tolist()
        [2.0, -0.5773502691896258]
    """
    return _stats(_vote_counts(votes, missing))


def vote_entropy(votes: Any, *, missing: int = MISSING) -> Floats:
    """Compute `vote_entropy` of every statement at once.

    Args:
        votes: A vote matrix of shape (participants, statements).
        missing: The code for a missing vote in an integer matrix.

    Returns:
        Shape (statements,), in [0, 1].

    Raises:
        ValidationError: As for `comment_stats`.

    Example:
        >>> vote_entropy(np.array([[1.0, 1.0], [-1.0, 1.0], [0.0, np.nan]])).tolist()
        [1.0, 0.0]
    """
    return _entropy(_vote_counts(votes, missing))


def cluster_separation(votes: Any, *, missing: int = MISSING) -> Floats:
    """Compute `cluster_separation` of every statement at once.

    Args:
        votes: A vote matrix of shape (participants, statements).
        missing: The code for a missing vote in an integer matrix.

    Returns:
        Shape (statements,), in [0, 1].

    Raises:
        ValidationError: As for `comment_stats`.

    Example:
        >>> cluster_separation(np.array([[1, 1], [1, -1], [-1, MISSING], [-1, MISSING]])).tolist()
        [0.6666666666666666, 1.0]
    """
    return _separation(_vote_counts(votes, missing))


def statement_stats(votes: Any, *, missing: int = MISSING) -> Table:
    """Compute all statistics of every statement with one count of the votes.

    Args:
        votes: A vote matrix of shape (participants, statements).
        missing: The code for a missing vote in an integer matrix.

    Returns:
        What `comment_stats` gives, and `entropy` and `separation`; each of shape (statements,).

    Raises:
        ValidationError: As for `comment_stats`.

    Example:
        >>> sorted(statement_stats(np.array([[1, 0]])))
        ['agree', 'disagree', 'entropy', 'pa', 'pass', 'pat', 'pd', 'pdt', 'seen', 'separation']
    """
    counts = _vote_counts(votes, missing)
    return {**_stats(counts), "entropy": _entropy(counts), "separation": _separation(counts)}


def group_stats(votes: Any, groups: Any, *, missing: int = MISSING) -> dict[Any, Table]:
    """Compute the statistics of every statement in each group, and of each group against the rest.

    Args:
        votes: A vote matrix of shape (participants, statements).
        groups: The group of each participant (strings or numbers); "", None or NaN for none. Participants without a group
            count neither for a group nor for the rest.
        missing: The code for a missing vote in an integer matrix.

    Returns:
        For each group, in sorted order, what `comment_stats` gives and `ra`, `rd`, `rat`, `rdt`: the ratio of the smoothed
        proportion of agree (disagree) in the group to that in all other groups, and the test of the two.

    Raises:
        ValidationError: As for `comment_stats`; or `groups` has another length than `votes` has rows, or names no group.

    Example:
        >>> stats = group_stats(np.array([[1], [1], [-1], [-1]]), ["a", "a", "b", "b"])
        >>> stats["a"]["ra"].tolist(), stats["b"]["ra"].tolist()
        ([3.0], [0.3333333333333333])
    """
    matrix = _as_matrix(votes, missing)
    members = _members(groups, len(matrix))
    counts = {group: _vote_counts(matrix[rows], missing, rows) for group, rows in members.items()}
    everyone = sum(counts.values())
    return {group: {**_stats(own), **_representativeness(own, everyone - own)} for group, own in counts.items()}


def _members(groups: Any, participants: int) -> dict[Any, NDArray[np.intp]]:
    """List the rows of each group."""
    labels = list(groups.tolist() if hasattr(groups, "tolist") else groups)
    check_equal_lengths({"groups": labels, "votes": range(participants)})
    rows_of: dict[Any, list[int]] = {}
    for row, label in enumerate(labels):
        if not is_missing(label):
            rows_of.setdefault(label, []).append(row)
    if not rows_of:
        raise ValidationError("Expected `groups` to give some participants a group, all are missing")
    try:
        ordered = sorted(rows_of)
    except TypeError:
        raise ValidationError(f"Expected `groups` to be all strings or all numbers, got {some_of(rows_of)}") from None
    return {label: np.array(rows_of[label]) for label in ordered}


def _as_matrix(votes: Any, missing: int) -> NDArray[Any]:
    matrix = np.asarray(votes)
    if matrix.ndim != 2:
        raise ValidationError(f"Expected `votes` to have two dimensions, got shape {matrix.shape}")
    if matrix.dtype.kind not in "if":
        raise ValidationError(
            f"Expected `votes` to be signed integers, or floats with NaN for missing, got dtype {matrix.dtype}; "
            "np.array(votes, dtype=float) turns None into NaN"
        )
    if missing in VOTES:
        raise ValidationError(f"Expected `missing` to be a code other than the votes -1, 0 and 1, got {missing}")
    return matrix


def _vote_counts(votes: Any, missing: int, row_numbers: NDArray[np.intp] | None = None) -> Counts:
    """Count agree, disagree and pass of each statement: int64 of shape (3, statements)."""
    matrix = _as_matrix(votes, missing)
    floats = matrix.dtype.kind == "f"
    counts = np.zeros((len(VOTES) + 1, matrix.shape[1]), dtype=np.int64)
    for start in range(0, len(matrix), _BLOCK_ROWS):
        block = matrix[start : start + _BLOCK_ROWS]
        absent = np.isnan(block) if floats else block == missing
        for count, hits in zip(counts, (*(block == vote for vote in VOTES), absent), strict=True):
            count += np.add.reduce(hits.view(np.uint8), axis=0, dtype=np.uint8)
    if (counts.sum(axis=0) != len(matrix)).any():
        raise ValidationError(_fault(matrix, missing, row_numbers))
    return counts[: len(VOTES)]


def _fault(matrix: NDArray[Any], missing: int, row_numbers: NDArray[np.intp] | None) -> str:
    floats = matrix.dtype.kind == "f"
    fits = np.isin(matrix, VOTES) | (np.isnan(matrix) if floats else matrix == missing)
    row, column = np.argwhere(~fits)[0].tolist()
    shown_row = row if row_numbers is None else int(row_numbers[row])
    absent = "NaN" if floats else f"{missing} for"
    return (
        f"votes[{shown_row}, {column}]: expected 1, -1, 0 or {absent} missing, got {quoted(matrix[row, column].item())}"
    )


def _stats(counts: Counts) -> Table:
    agree, disagree, _ = counts
    seen = counts.sum(axis=0)
    return {
        **dict(zip(VOTE_NAMES, counts, strict=True)),
        "seen": seen,
        "pa": formulas.smoothed_proportion(agree, seen),
        "pd": formulas.smoothed_proportion(disagree, seen),
        "pat": formulas.one_proportion_z(agree, seen, np.sqrt),
        "pdt": formulas.one_proportion_z(disagree, seen, np.sqrt),
    }


def _entropy(counts: Counts) -> Floats:
    agree, disagree, passed = formulas.entropy_term(counts, counts.sum(axis=0), _log)
    return np.asarray(np.minimum(1.0, agree + disagree + passed))


def _log(values: Floats) -> Floats:
    """Take logarithms as the single call does: numpy's own may differ in the last digit. Each value is taken once."""
    distinct, positions = np.unique(values, return_inverse=True)
    return np.array(list(map(math.log, distinct.tolist())), dtype=float)[positions].reshape(values.shape)


def _separation(counts: Counts) -> Floats:
    return np.asarray(formulas.pair_difference(*counts))


def _representativeness(group: Counts, rest: Counts) -> Table:
    seen, rest_seen = group.sum(axis=0), rest.sum(axis=0)
    table = {}
    for letter, own, others in zip("ad", group, rest, strict=False):
        table[f"r{letter}"] = formulas.smoothed_proportion(own, seen) / formulas.smoothed_proportion(others, rest_seen)
        table[f"r{letter}t"] = formulas.two_proportion_z(own, others, seen, rest_seen, np.sqrt)
    return table


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
    actual = _actual_classes(votes, len(shares))
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
    return scores.reward(brier_score(probabilities, votes), len(probabilities))


def brier_skill_score(probabilities: Any, votes: Any, reference: Any = None) -> float:
    """Compute 1 - brier / brier(reference).

    Args:
        probabilities: As for `brier_losses`.
        votes: n actual votes, 1, -1 or 0.
        reference: Probabilities to beat, of shape (n, 3), or (3,) for the same in every cell; uniform by default.

    Returns:
        At most 1; 0.0 for no cells or a perfect reference.

    Raises:
        ValidationError: As for `brier_losses`.

    Example:
        >>> brier_skill_score([[0, 1, 0]], [-1]), brier_skill_score([[2, 1, 1]], [1], reference=[1, 1, 0])
        (1.0, 0.25)
    """
    score = brier_score(probabilities, votes)
    if reference is None:
        return formulas.skill(score, scores.uniform_score(len(probabilities)))
    to_beat = np.asarray(reference)
    if to_beat.ndim == 1:
        to_beat = np.broadcast_to(to_beat, (len(probabilities), len(to_beat)))
    return formulas.skill(score, brier_score(to_beat, votes))


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
    shares, valid = _distributions("probabilities", probabilities)
    single = (shares == shares.max(axis=1, keepdims=True)).sum(axis=1) == 1
    return np.asarray(np.where(valid & single, np.array(VOTES)[shares.argmax(axis=1)], np.nan))


def vote_accuracy(probabilities: Any, votes: Any) -> float:
    """Compute the fraction of cells whose single most probable vote is the actual one; a tie is no match.

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
    return ratio(int((predicted == actual).sum()), len(predicted))


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
    given = np.asarray(values)
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
    actual = np.asarray(votes)
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
