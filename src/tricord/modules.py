"""The evaluate modules that tricord brings: their names, where they are, and how they are loaded without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tricord.errors import TricordError, ValidationError, quoted

__all__ = ["MODULE_NAMES", "load", "module_path"]

MODULE_NAMES = (
    "dico_nli",
    "dico_nli_consistency",
    "scifact_abstract",
    "scifact_sentence",
    "commonground_brier",
)


def module_path(name: str) -> Path:
    """Find the folder of an evaluate module: in the installed package, or in the checkout that this file belongs to.

    Args:
        name: One of `MODULE_NAMES`.

    Returns:
        The folder, which `evaluate.load` accepts; it holds the module, its model card and its requirements.

    Raises:
        ValidationError: There is no module of that name.
        TricordError: The installation lacks the module's files.
    """
    if name not in MODULE_NAMES:
        raise ValidationError(f"Expected the name of a module ({', '.join(MODULE_NAMES)}), got {quoted(name)}")
    here = Path(__file__).resolve()
    for folder in (here.parent / "metric_modules" / name, here.parents[2] / "metrics" / name):
        if (folder / f"{name}.py").is_file():
            return folder
    raise TricordError(f"The files of the module {name} are missing from this installation; install tricord again")


def load(name: str, **options: Any) -> Any:
    """Load an evaluate module of tricord, offline and from any folder.

    The same as `evaluate.load(str(module_path(name)), **options)`.

    Args:
        name: One of `MODULE_NAMES`.
        **options: Passed on to `evaluate.load`: `num_process`, `process_id`, `experiment_id`, `cache_dir`, ... and the
            options of the module itself, which its card lists.

    Returns:
        The `evaluate.Metric`.

    Raises:
        ValidationError: There is no module of that name, or it does not know an option.
        ModuleNotFoundError: `evaluate` is not installed (`pip install tricord` brings it, `--no-deps` does not).

    Example:
        >>> import tricord
        >>> tricord.load("dico_nli").name
        'dico_nli'
    """
    folder = module_path(name)
    import evaluate  # not at the top: it takes seconds, and the file scorers do without

    return evaluate.load(str(folder), **options)
