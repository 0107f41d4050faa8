"""Averages over tracks: each track counts the same, however many instances it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from tricord.dico_nli.metrics import OFFICIAL_SCORES
from tricord.errors import ValidationError, quoted, some_of
from tricord.measures import add_up

__all__ = ["PROFILES", "aggregate"]

# Support-weighted F1, added up from left to right, can come out some units in the last place above 1.
_LARGEST = 1 + 1e-12

PROFILES = {"monolingual": (1, 2, 3), "all-tracks": (1, 2, 3, 4)}
"""The official averages: English, Spanish and Basque; and these with the mixed track."""


def aggregate(per_track: Mapping[int, Any], tracks: Sequence[int], *, name: str) -> dict[str, Any]:
    """Average the three official scores over tracks with equal weight.

    Args:
        per_track: For each track the scores: a `Report`, or a mapping with `weighted_f1`, `soft_cons` and `hard_cons`.
        tracks: The tracks to average, in the order in which they are added up.
        name: What the average is called.

    Returns:
        `{"name", "tracks", "macro_average": {score: mean}, "per_track": {track: {score: value}}}`.

    Raises:
        ValidationError: There is no track, a track is named twice or has no scores, or a score is not in [0, 1].

    Example:
        >>> english = {"weighted_f1": 0.5, "soft_cons": 0.75, "hard_cons": 0.25}
        >>> spanish = {"weighted_f1": 1.0, "soft_cons": 0.25, "hard_cons": 0.25}
        >>> aggregate({1: english, 2: spanish}, [1, 2], name="two tracks")["macro_average"]
        {'weighted_f1': 0.75, 'soft_cons': 0.5, 'hard_cons': 0.25}
    """
    if not tracks:
        raise ValidationError(f"Expected at least one track to average for {quoted(name)}, got none")
    if len(set(tracks)) != len(tracks):
        raise ValidationError(f"Expected each track once for {quoted(name)}, got {some_of(tracks)}")
    if missing := [track for track in tracks if track not in per_track]:
        raise ValidationError(
            f"{quoted(name)} needs the scores of track {some_of(missing)}; scores are given for {some_of(per_track) or 'none'}"
        )
    scores = {track: {score: _score(per_track[track], score, track) for score in OFFICIAL_SCORES} for track in tracks}
    return {
        "name": name,
        "tracks": list(tracks),
        "macro_average": {
            score: add_up(scores[track][score] for track in tracks) / len(tracks) for score in OFFICIAL_SCORES
        },
        "per_track": {str(track): scores[track] for track in tracks},
    }


def _score(scores: Any, name: str, track: int) -> float:
    value = scores.get(name) if isinstance(scores, Mapping) else getattr(scores, name, None)
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= _LARGEST:
        raise ValidationError(f"track {track}: expected {name} to be a number from 0 to 1, got {quoted(value)}")
    return float(value)
