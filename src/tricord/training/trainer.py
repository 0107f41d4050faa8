"""The Trainer of transformers with `TracksMixin`; the one place of the package that imports transformers."""

from __future__ import annotations

from tricord.training.tracks import TracksMixin

__all__ = ["TrackTrainer"]

try:
    from transformers import Trainer
except ImportError as error:
    raise ImportError(
        f"tricord.training.TrackTrainer needs transformers, torch and accelerate ({error}); install them with: "
        "pip install 'tricord[train]'"
    ) from error


class TrackTrainer(TracksMixin, Trainer):  # type: ignore[misc]
    """`transformers.Trainer` that scores each evaluation set against its own rows and averages over several.

    Takes the arguments of `transformers.Trainer`; `TracksMixin` says what is added.
    """
