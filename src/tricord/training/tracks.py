"""A Trainer that says which evaluation set it evaluates, and averages over them: DiCo-NLI's tracks, say.

`TracksMixin` imports nothing of transformers; `tricord.training.TrackTrainer` is the Trainer that derives from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from tricord.errors import ValidationError
from tricord.training.hooks import BoundMetrics

__all__ = ["TracksMixin"]

AVERAGE = "macro"

if TYPE_CHECKING:

    class _Trainer:
        """What is used of `transformers.Trainer`."""

        args: Any
        state: Any
        control: Any
        callback_handler: Any
        eval_dataset: Any
        compute_metrics: Any

        def evaluate(
            self, eval_dataset: Any, ignore_keys: Any, metric_key_prefix: str, **options: Any
        ) -> dict[str, float]:
            raise NotImplementedError

        def predict(self, test_dataset: Any, ignore_keys: Any, metric_key_prefix: str, **options: Any) -> Any:
            raise NotImplementedError

        def log(self, logs: dict[str, float]) -> None:
            raise NotImplementedError

else:
    _Trainer = object


class TracksMixin(_Trainer):
    """To be put before `transformers.Trainer`, or a class derived from it, among the bases of a Trainer.

    With a hook of `tricord.training` as `compute_metrics`,

    - each evaluation set is scored against its own rows, told apart by their ids and not by their labels;
    - an evaluation of several sets ends with the averages over all of them, each set with the same weight, as
      `eval_macro_hard_cons` and so on, which are logged, can be `metric_for_best_model`, and end an early stopping;
    - `predict` on rows with ids and labels that are not bound scores them against their own pairs.

    Example:
        >>> class MyTrainer(TracksMixin):  # and transformers.Trainer, or your own
        ...     pass
    """

    def evaluate(
        self,
        eval_dataset: Any = None,
        ignore_keys: list[str] | None = None,
        metric_key_prefix: str = "eval",
        **options: Any,
    ) -> dict[str, float]:
        """Evaluate as `transformers.Trainer.evaluate` does, and average where there are several sets.

        Args:
            eval_dataset: A dataset, several of them by name, or the name of one among the Trainer's own; by default all
                of these.
            ignore_keys: Outputs of the model that are not gathered.
            metric_key_prefix: What the names of the figures begin with.
            **options: What the Trainer takes besides, as `Seq2SeqTrainer` does.

        Returns:
            The figures; with several sets also their averages.

        Raises:
            ValidationError: The rows of a set are not those that `compute_metrics` is bound to.
        """
        chosen = self.eval_dataset if eval_dataset is None else eval_dataset
        if isinstance(chosen, Mapping):
            return self._evaluate_all(chosen, eval_dataset is None, ignore_keys, metric_key_prefix, **options)
        dataset = self.eval_dataset[chosen] if isinstance(chosen, str) else chosen
        with self._evaluating(chosen if isinstance(chosen, str) else None, dataset):
            return super().evaluate(eval_dataset, ignore_keys, metric_key_prefix, **options)

    def predict(
        self,
        test_dataset: Any,
        ignore_keys: list[str] | None = None,
        metric_key_prefix: str = "test",
        **options: Any,
    ) -> Any:
        """Predict as `transformers.Trainer.predict` does; rows with ids and labels are scored against their own pairs.

        Args:
            test_dataset: The rows.
            ignore_keys: Outputs of the model that are not gathered.
            metric_key_prefix: What the names of the figures begin with.
            **options: What the Trainer takes besides, as `Seq2SeqTrainer` does.

        Returns:
            What the Trainer returns.

        Raises:
            ValidationError: The rows are labelled but no valid reference.
        """
        with self._evaluating(None, test_dataset):
            return super().predict(test_dataset, ignore_keys, metric_key_prefix, **options)

    def _evaluating(self, name: str | None, dataset: Any) -> AbstractContextManager[None]:
        hook = self.compute_metrics
        return hook.evaluating(name, dataset) if isinstance(hook, BoundMetrics) else nullcontext()

    def _evaluate_all(
        self, sets: Mapping[str, Any], own: bool, ignore_keys: list[str] | None, prefix: str, **options: Any
    ) -> dict[str, float]:
        if AVERAGE in sets:
            raise ValidationError(f"An evaluation set cannot be called {AVERAGE!r}, as the averages are; rename it")
        per_set = {}
        for name, dataset in sets.items():
            # The Trainer's own sets are named, so that it can keep their data loaders.
            with self._evaluating(name, dataset):
                per_set[name] = super().evaluate(name if own else dataset, ignore_keys, f"{prefix}_{name}", **options)
        metrics = {key: value for figures in per_set.values() for key, value in figures.items()}
        if isinstance(self.compute_metrics, BoundMetrics):
            averages = self.compute_metrics.average(
                [
                    {key.removeprefix(f"{prefix}_{name}_"): value for key, value in figures.items()}
                    for name, figures in per_set.items()
                ]
            )
            averages = {f"{prefix}_{AVERAGE}_{key}": value for key, value in averages.items()}
            self.log(averages)
            # Early stopping looks for its figure here, and finds it in no single set.
            self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, dict(averages))
            metrics.update(averages)
        return metrics
