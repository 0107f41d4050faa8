"""The common base of tricord's evaluate modules: what `evaluate.Metric` leaves to chance, decided once.

Rows are checked and normalised before anything is stored, so a rejected batch leaves nothing behind; rows are kept in
memory unless several processes share them, so parallel runs cannot collide on lock files and nothing is written to
disk; unknown options are refused instead of swallowed; and after an error the instance is usable again at once.

This module imports `evaluate`, and only the modules under `metrics/` and the tasks' files named `module` import it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import datasets
import evaluate

from tricord.errors import ValidationError, quoted, some_of
from tricord.memory import collector_paused
from tricord.modules.loading import load
from tricord.reports import Report

__all__ = ["TricordMetric"]


def _check_unicode(columns: Mapping[str, list[Any]]) -> None:
    """Refuse strings with lone surrogates, at which the storage would stumble with half of the batch written."""
    for name, values in columns.items():
        for row, value in enumerate(values):
            if isinstance(value, str) and not value.isascii():
                try:
                    value.encode()
                except UnicodeEncodeError:
                    raise ValidationError(f"{name}[{row}]: {quoted(value)} is not Unicode text") from None


def _reload(name: str, options: dict[str, Any]) -> Any:
    return load(name, **options)


class TricordMetric(evaluate.Metric):  # type: ignore[misc]
    """An `evaluate.Metric` that validates and normalises its rows.

    One instance serves one thread: rows that two threads add to it at once get mixed up.

    A task derives from it and gives `_normalise` and `_report`. The module file gives the texts (`_DESCRIPTION`,
    `_KWARGS_DESCRIPTION`, `_CITATION`) and a class, which says in `_figures` and `_details` what `compute` returns where that
    is not the whole report.

    Attributes:
        stored: The features: what the columns are stored as.
        optional_columns: Features that the caller may leave out; `_normalise` then receives None for them.
        row_options: Names of options that say how rows are to be read (`label_names`, ...). They may be given to `load`,
            for all rows, and to `compute`, `add_batch` and `add`, for the rows of that call.
        none_is_a_value: Columns in which None is a value like any other, so that `add` does not take it for a column that
            was left out.
    """

    stored: ClassVar[datasets.Features]
    optional_columns: ClassVar[tuple[str, ...]] = ()
    row_options: ClassVar[tuple[str, ...]] = ()
    none_is_a_value: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        config_name: str | None = None,
        keep_in_memory: bool = False,
        cache_dir: str | None = None,
        num_process: int = 1,
        process_id: int = 0,
        seed: int | None = None,
        experiment_id: str | None = None,
        hash: str | None = None,
        max_concurrent_cache_files: int = 10000,
        timeout: float = 100,
        **options: Any,
    ) -> None:
        if config_name not in (None, "default"):
            raise ValidationError(f"{type(self).__name__} has no configurations, got {config_name!r}; leave it out")
        self._load_options = {
            # In one process there is nobody to share a file with: memory avoids lock files, leftovers and collisions.
            "keep_in_memory": keep_in_memory or num_process == 1,
            "cache_dir": cache_dir,
            "num_process": num_process,
            "process_id": process_id,
            "seed": seed,
            "experiment_id": experiment_id,
            "max_concurrent_cache_files": max_concurrent_cache_files,
            "timeout": timeout,
        }
        evaluate.Metric.__init__(self, config_name=config_name, hash=hash, **self._load_options)
        known = (*self.row_options, *self._compute_option_names())
        if unknown := [name for name in options if name not in known]:
            raise ValidationError(
                f"Unknown option of {self.name}: {some_of(unknown)}; its own options: {some_of(known) or 'none'}"
            )
        self._options = {name: value for name, value in options.items() if name in self.row_options}
        self._compute_options = {name: value for name, value in options.items() if name not in self.row_options}
        self._check_options(**self._options)

    def __reduce__(self) -> tuple[Any, ...]:
        # The class lives in a module that evaluate generates, which another process cannot import before it has loaded
        # it; so a copy is made by loading again.
        if len(self):
            raise ValidationError(f"{self.name} cannot be copied while it holds {len(self)} rows; call compute first")
        return _reload, (self.name, {**self._load_options, **self._options, **self._compute_options})

    def _info(self) -> evaluate.MetricInfo:
        texts = vars(sys.modules[type(self).__module__])
        return evaluate.MetricInfo(
            description=texts["_DESCRIPTION"],
            citation=texts["_CITATION"],
            inputs_description=texts["_KWARGS_DESCRIPTION"],
            features=self.stored,
        )

    def _compute_option_names(self) -> list[str]:
        """List the options of `compute`; `load` takes a default for each."""
        parameters = inspect.signature(self._report).parameters.values()
        return ["detailed", *(own.name for own in parameters if own.kind is own.KEYWORD_ONLY)]

    def _report(self, *columns: Any, **options: Any) -> Report:
        """Score stored rows.

        A task gives it one parameter a feature, named as the feature is, and keyword-only ones for the options of `compute`.

        Raises:
            ValidationError: The rows do not make a valid gold standard, or an option has an unusable value.
        """
        raise NotImplementedError

    def _figures(self, report: Any) -> dict[str, float]:
        """Choose what `compute` returns: a flat mapping of numbers."""
        return dict(report.figures())

    def _details(self, report: Any) -> dict[str, Any]:
        """Choose what `detailed=True` adds."""
        return dict(report.to_dict())

    def _compute(self, detailed: bool = False, **columns_and_options: Any) -> dict[str, Any]:
        report = self._report(**columns_and_options)
        figures = self._figures(report)
        return {**figures, **self._details(report)} if detailed else figures

    def _check_options(self, **options: Any) -> None:
        """Refuse row options with unusable values when the module is loaded, not when the first batch arrives."""

    def _normalise(self, columns: Mapping[str, Any], **options: Any) -> dict[str, list[Any]]:
        """Check the columns of a batch and turn them into lists that fit the features.

        Args:
            columns: One entry a feature, as the caller gave it; None for one that is left out.
            **options: The row options in force.

        Returns:
            Lists of equal length, one a feature.

        Raises:
            ValidationError: A column or a value is not acceptable; names the column, the row and the value.
        """
        raise NotImplementedError

    def _build_data_dir(self) -> str:
        # The folder is only needed where processes share files.
        folder = Path(self._data_dir_root, self.name, self.config_name)
        if self.num_process > 1:
            folder.mkdir(parents=True, exist_ok=True)
        return str(folder)

    # evaluate copies the next three methods without their closures, so they cannot use super(), and appends the
    # module's inputs description to their docstrings, so they need one.

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Check a batch of rows and add it to those that `compute` will score; a rejected batch leaves nothing behind.

        Args:
            predictions: The predictions, one a row.
            references: The gold values, one a row.
            **kwargs: The module's other columns, and options that say how the rows are to be read.

        """
        columns = {"predictions": predictions, "references": references, **kwargs}
        options = {**self._options, **{name: columns.pop(name) for name in self.row_options if name in columns}}
        unknown = [name for name in columns if name not in self._feature_names()]
        if unknown:
            raise ValidationError(
                f"Unknown input of {self.name}: {some_of(unknown)}; expected {', '.join(self._feature_names())}"
                + "".join(f" and the option {name}" for name in self.row_options)
            )
        missing = [
            name for name in self._feature_names() if columns.get(name) is None and name not in self.optional_columns
        ]
        if missing:
            raise ValidationError(
                f"Missing input of {self.name}: {', '.join(missing)}; expected {', '.join(self._feature_names())}"
            )
        # evaluate copies nested rows value by value: millions of small objects, none of them in a cycle.
        with collector_paused():
            rows = self._normalise({name: columns.get(name) for name in self._feature_names()}, **options)
            if rows["predictions"]:
                _check_unicode(rows)
                evaluate.Metric.add_batch(self, **rows)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Check one row and add it to those that `compute` will score.

        Args:
            prediction: The prediction.
            reference: The gold value.
            **kwargs: The module's other columns, and options that say how the row is to be read.

        """
        options = {name: kwargs.pop(name) for name in self.row_options if name in kwargs}
        row = {"predictions": prediction, "references": reference, **kwargs}
        # A column that is left out stays left out; every other value is a column of length one. A missing value of a
        # required column is kept, so that the message names it.
        left_out = {"predictions", "references"}.difference(self.none_is_a_value)
        columns = {name: None if value is None and name in left_out else [value] for name, value in row.items()}
        self.add_batch(**columns, **options)

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Score the rows given here together with those added before, then forget them.

        Args:
            predictions: The predictions, one a row; left out where all rows were added before.
            references: The gold values, one a row.
            **kwargs: The module's other columns and its options.

        """
        given = {name: kwargs.pop(name) for name in self._compute_option_names() if name in kwargs}
        compute_options = {**self._compute_options, **given}
        columns = {"predictions": predictions, "references": references, **kwargs}
        if any(value is not None for value in columns.values()):
            self.add_batch(**columns)
        if len(self) == 0 and self.num_process == 1:
            raise ValidationError(
                f"{self.name} has no rows to score; give predictions and references, or call add_batch before compute"
            )
        try:
            with collector_paused():
                result: dict[str, Any] | None = evaluate.Metric.compute(self, **compute_options)
        except BaseException:
            self._forget_rows()
            raise
        return result

    def _forget_rows(self) -> None:
        """Drop stored rows and release every lock, so that the next call starts afresh."""
        self.writer = self.buf_writer = self.data = None
        state: Mapping[str, Any] = vars(self)
        for lock in (*(state["filelocks"] or ()), state["filelock"], state["rendez_vous_lock"]):
            if lock is not None:
                lock.release(force=True)
        for path in state["file_paths"] or ():
            with suppress(OSError):
                Path(path).unlink()
        self.cache_file_name = self.filelock = self.file_paths = self.filelocks = None
        self.selected_feature_format = None
