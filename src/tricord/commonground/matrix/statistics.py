"""The vote statistics of every statement at once: votes (participants x statements) in, arrays over statements out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from tricord.commonground import formulas
from tricord.commonground.conversation import natural_order
from tricord.commonground.statistics import MAX_COUNT
from tricord.commonground.votes import VOTE_NAMES, VOTES, plain_votes
from tricord.errors import ValidationError, quoted, some_of
from tricord.inputs.arrays import as_array
from tricord.inputs.columns import check_equal_lengths, column_values, is_missing

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import ArrayLike, NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Counts: TypeAlias = NDArray[np.int64]
    Table: TypeAlias = dict[str, NDArray[Any]]

__all__ = [
    "MISSING",
    "cluster_separation",
    "comment_stats",
    "group_stats",
    "prop_test",
    "statement_stats",
    "two_prop_test",
    "vote_entropy",
    "vote_matrix",
]

MISSING = -128
"""The default code for a missing vote in an integer matrix: the smallest int8, which cannot be taken for a vote."""

# Votes are counted in blocks of rows that a byte can count, which is what makes counting fast.
_BLOCK_ROWS = 255

_PLAIN_TYPES = frozenset({int, type(None)})
_VOTES_AND_NONE = frozenset({*VOTES, None})


def vote_matrix(columns: Sequence[Sequence[int | None]]) -> NDArray[np.int8]:
    """Turn columns of votes into a matrix.

    Args:
        columns: For each statement the votes of all participants, None where missing: the `votes` of a `Conversation`.

    Returns:
        int8 of shape (participants, statements), `MISSING` for missing.

    Raises:
        ValidationError: A value is neither a vote nor None, the columns differ in length, or they are none.

    Example:
        >>> vote_matrix([[1, None], [0, -1]]).tolist()
        [[1, 0], [-128, -1]]
    """
    listed = list(columns) if getattr(columns, "ndim", 1) == 2 else column_values("columns", columns)
    coded = [_coded(f"columns[{at}]", column) for at, column in enumerate(listed)]
    participants = len(coded[0]) if coded else 0
    for at, column in enumerate(coded):
        if len(column) != participants:
            raise ValidationError(
                f"columns[{at}]: expected {participants} votes, as in the first column, got {len(column)}"
            )
    return np.ascontiguousarray(np.array(coded, dtype=np.int8).reshape(len(coded), participants).T)


def _coded(name: str, column: Any) -> list[int]:
    values = column_values(name, column)
    # Plain values are tested together; others one by one, to accept numpy's numbers and to name the place.
    if not (_PLAIN_TYPES.issuperset(map(type, values)) and _VOTES_AND_NONE.issuperset(values)):
        values = plain_votes(name, values)
    return [MISSING if vote is None else vote for vote in values]


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
    inside, outside = _successes_and_trials(s_in, p_in), _successes_and_trials(s_out, p_out)
    s_in, p_in, s_out, p_out = _of_one_shape(*inside, *outside)
    return np.asarray(formulas.two_proportion_z(s_in, s_out, p_in, p_out, np.sqrt))


def _successes_and_trials(successes: ArrayLike, trials: ArrayLike) -> tuple[Counts, Counts]:
    s, n = _of_one_shape(_counts(successes), _counts(trials))
    wrong = s > n
    if wrong.any():
        raise ValidationError(
            f"Expected at most as many successes as trials, got {s[wrong].flat[0]} successes in {n[wrong].flat[0]} trials"
        )
    return s, n


def _counts(values: ArrayLike) -> Counts:
    given = as_array("counts", values)
    if given.size and given.dtype.kind not in "iuf":
        raise ValidationError(
            f"Expected counts to be whole numbers, got {quoted(given.flat[0])} in an array of dtype {given.dtype}"
        )
    # NaN is in no range, and a fraction is not what it is cut down to.
    wrong = ~((given >= 0) & (given <= MAX_COUNT))
    if given.dtype.kind == "f":
        wrong |= given != np.trunc(given)
    if wrong.any():
        raise ValidationError(
            f"Expected counts to be whole numbers from 0 to {MAX_COUNT}, got {quoted(given[wrong].flat[0].item())}"
        )
    # A narrow kind of integer would overflow where one is added.
    return given.astype(np.int64)


def _of_one_shape(*arrays: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    try:
        return tuple(np.broadcast_arrays(*arrays))
    except ValueError:
        raise ValidationError(
            f"Expected counts of shapes that fit each other, got {some_of(array.shape for array in arrays)}"
        ) from None


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
        groups: A column with the group of each participant, all strings or all numbers; "", None or NaN for none.
            Participants without a group count neither for a group nor for the rest.
        missing: The code for a missing vote in an integer matrix.

    Returns:
        For each group, in the order of their numbers, what `comment_stats` gives and `ra`, `rd`, `rat`, `rdt`: the ratio of
        the smoothed proportion of agree (disagree) in the group to that in all other groups, and the test of the two.

    Raises:
        ValidationError: As for `comment_stats`; or `groups` is no such column, has another length than `votes` has rows, or
            names no group.

    Example:
        >>> stats = group_stats(np.array([[1], [1], [-1], [-1]]), ["a", "a", "b", "b"])
        >>> stats["a"]["ra"].tolist(), stats["b"]["ra"].tolist()
        ([3.0], [0.3333333333333333])
    """
    matrix = _as_matrix(votes, missing)
    labels = column_values("groups", groups)
    check_equal_lengths({"groups": labels, "votes": matrix})
    members, without = _members(labels)
    counts = {group: _vote_counts(matrix[rows], missing, rows) for group, rows in members.items()}
    # They count nowhere, but what is no vote is an error wherever it stands.
    _vote_counts(matrix[without], missing, without)
    everyone = sum(counts.values())
    return {group: {**_stats(own), **_representativeness(own, everyone - own)} for group, own in counts.items()}


def _members(labels: Sequence[Any]) -> tuple[dict[Any, NDArray[np.intp]], NDArray[np.intp]]:
    """List the rows of each group, and those of none."""
    missing = [is_missing(label) for label in labels]
    present = [label for label, absent in zip(labels, missing, strict=True) if not absent]
    if not present:
        raise ValidationError("Expected `groups` to give some participants a group, all are missing")
    names = all(isinstance(label, str) for label in present)
    if not names and not all(isinstance(label, Real) for label in present):
        raise ValidationError(f"Expected `groups` to be all strings or all numbers, got {some_of(present)}")
    ordered = sorted(set(present), key=natural_order if names else None)
    rows_of: dict[Any, list[int]] = {label: [] for label in ordered}
    without: list[int] = []
    for row, (label, absent) in enumerate(zip(labels, missing, strict=True)):
        (without if absent else rows_of[label]).append(row)
    return {label: np.array(rows) for label, rows in rows_of.items()}, np.array(without, dtype=np.intp)


def _as_matrix(votes: Any, missing: int) -> NDArray[Any]:
    matrix = as_array("votes", votes)
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
