"""The evaluate modules that tricord brings: their names, where they are, and how they are loaded without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tricord.errors import TricordError, ValidationError, quoted

__all__ = ["MODULE_NAMES", "load", "module_path", "space_path"]

MODULE_NAMES = (
    "dico_nli",
    "dico_nli_consistency",
    "scifact_abstract",
    "scifact_sentence",
    "commonground_brier",
)


def module_path(name: str) -> Path:
    """Find an evaluate module: in the installed package, in the checkout that this file belongs to, or beside this file.

    Args:
        name: One of `MODULE_NAMES`.

    Returns:
        What `evaluate.load` accepts: the folder that holds the module, its model card and its requirements; or, in a
        published module, which has its part of this package beside itself, the file.

    Raises:
        ValidationError: There is no module of that name.
        TricordError: The installation lacks the module's files.
    """
    if name in MODULE_NAMES and (published := Path(__file__).resolve().with_name(f"{name}.py")).is_file():
        return published
    return _folder("metric_modules", "metrics", name, f"{name}.py")


def space_path(name: str) -> Path:
    """Find the folder of a metric's Space: in the installed package, or in the checkout that this file belongs to.

    Args:
        name: One of `MODULE_NAMES`.

    Returns:
        The folder; it holds the app and its requirements.

    Raises:
        ValidationError: There is no module of that name.
        TricordError: The installation lacks the Space's files.
    """
    return _folder("space_apps", "spaces", name, "app.py")


def _folder(installed: str, in_checkout: str, name: str, file: str) -> Path:
    if name not in MODULE_NAMES:
        raise ValidationError(f"Expected the name of a module ({', '.join(MODULE_NAMES)}), got {quoted(name)}")
    here = Path(__file__).resolve()
    for folder in (here.parent / installed / name, here.parents[2] / in_checkout / name):
        if (folder / file).is_file():
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
    path = module_path(name)
    import evaluate  # not at the top: it takes seconds, and the file scorers do without

    return evaluate.load(str(path), **options)
