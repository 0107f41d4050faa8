"""The metrics in a training loop: hooks for Trainer and other loops, decoding, rewards, several processes.

    from tricord.training import TrackTrainer, dico_nli_metrics

    trainer = TrackTrainer(
        ..., eval_dataset=dev, compute_metrics=dico_nli_metrics(dev, label_names=model.config.id2label)
    )

Importing this package imports numpy, and none of torch, transformers, accelerate and trl; only `TrackTrainer` needs
transformers (`pip install 'tricord[train]'`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tricord.training.commonground import commonground_metrics
from tricord.training.decoding import Decoding, reversal_aware_labels
from tricord.training.dico_nli import dico_nli_metrics
from tricord.training.distributed import gather_rows
from tricord.training.hooks import BoundMetrics
from tricord.training.rewards import (
    commonground_format_reward,
    commonground_reward,
    dico_nli_label_reward,
    dico_nli_pair_reward,
)
from tricord.training.scifact import scifact_label_metrics, scifact_rationale_metrics
from tricord.training.tracks import TracksMixin

if TYPE_CHECKING:
    from tricord.training.trainer import TrackTrainer as TrackTrainer

# Without TrackTrainer, so that `from tricord.training import *` works where transformers is not installed.
__all__ = [
    "BoundMetrics",
    "Decoding",
    "TracksMixin",
    "commonground_format_reward",
    "commonground_metrics",
    "commonground_reward",
    "dico_nli_label_reward",
    "dico_nli_metrics",
    "dico_nli_pair_reward",
    "gather_rows",
    "reversal_aware_labels",
    "scifact_label_metrics",
    "scifact_rationale_metrics",
]


def __getattr__(name: str) -> Any:
    # Imported when it is asked for, since transformers takes seconds and may not be installed.
    if name == "TrackTrainer":
        from tricord.training import trainer

        return trainer.TrackTrainer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
