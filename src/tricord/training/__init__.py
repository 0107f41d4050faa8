"""The metrics in a training loop: hooks for Trainer and other loops, decoding, rewards, several processes.

    from tricord.training import TrackTrainer, dico_nli_metrics

    trainer = TrackTrainer(
        ..., eval_dataset=dev, compute_metrics=dico_nli_metrics(dev, label_names=model.config.id2label)
    )

What a task brings lies with the task (`tricord.dico_nli.hook`, say) and is offered here. Nothing is imported before it is
asked for; only `TrackTrainer` needs transformers (`pip install 'tricord[train]'`), nothing needs trl.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tricord.tasks import TASKS, all_tasks

if TYPE_CHECKING:
    from tricord.commonground.hook import commonground_metrics as commonground_metrics
    from tricord.commonground.rewards import commonground_format_reward as commonground_format_reward
    from tricord.commonground.rewards import commonground_reward as commonground_reward
    from tricord.dico_nli.decoding import Decoding as Decoding
    from tricord.dico_nli.decoding import reversal_aware_labels as reversal_aware_labels
    from tricord.dico_nli.hook import dico_nli_metrics as dico_nli_metrics
    from tricord.dico_nli.rewards import dico_nli_label_reward as dico_nli_label_reward
    from tricord.dico_nli.rewards import dico_nli_pair_reward as dico_nli_pair_reward
    from tricord.scifact.hook import scifact_label_metrics as scifact_label_metrics
    from tricord.scifact.hook import scifact_rationale_metrics as scifact_rationale_metrics
    from tricord.training.distributed import gather_rows as gather_rows
    from tricord.training.hooks import BoundMetrics as BoundMetrics
    from tricord.training.tracks import TracksMixin as TracksMixin
    from tricord.training.trainer import TrackTrainer as TrackTrainer

_OWN = {
    "BoundMetrics": "tricord.training.hooks",
    "TrackTrainer": "tricord.training.trainer",
    "TracksMixin": "tricord.training.tracks",
    "gather_rows": "tricord.training.distributed",
}
_OF_TASKS = {name: task.part(file) for task in TASKS for name, file in task.training.items()}

# Without TrackTrainer, so that `from tricord.training import *` works where transformers is not installed.
__all__ = sorted((_OWN | _OF_TASKS).keys() - {"TrackTrainer"})  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if not name.startswith("_"):
        homes = _OWN | _OF_TASKS
        if name not in homes:  # perhaps of a task of another package
            homes = {own: task.part(file) for task in all_tasks() for own, file in task.training.items()}
        if name in homes:
            return getattr(import_module(homes[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
