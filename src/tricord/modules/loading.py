"""Where the evaluate modules are, and how they are loaded without a network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricord.errors import TricordError
from tricord.tasks import MODULE_NAMES, task_of_module

if TYPE_CHECKING:
    from tricord.inputs.text import StrPath

__all__ = ["load", "module_path"]

PACKAGE = Path(__file__).resolve().parents[1]


def module_path(name: str) -> Path:
    """Find an evaluate module: in the installed package, in the checkout that this file belongs to, or beside this file.

    Args:
        name: The name of a module.

    Returns:
        What `evaluate.load` accepts: the folder that holds the module and its model card; or, in a published module, which
        has its part of this package beside itself, the file.

    Raises:
        ValidationError: There is no module of that name.
        TricordError: The installation lacks the module's files.
    """
    task = task_of_module(name)
    if (published := Path(__file__).resolve().with_name(f"{name}.py")).is_file():
        return published
    for folder in _homes(task.package):
        if (folder / name / f"{name}.py").is_file():
            return folder / name
    raise TricordError(f"The files of the module {name} are missing from this installation; install its package again")


def _homes(package: str) -> Iterator[Path]:
    """List the folders that may hold the modules of a task."""
    if package.partition(".")[0] == "tricord":
        yield PACKAGE / "metric_modules"
        yield PACKAGE.parents[1] / "metrics"
    elif (spec := find_spec(package)) is not None:
        yield from (Path(folder, "metrics") for folder in spec.submodule_search_locations or ())


def load(name: StrPath, **options: Any) -> Any:
    """Load an evaluate module, offline and from any folder.

    The same as `evaluate.load(str(module_path(name)), **options)`.

    Args:
        name: The name of a module: one of `tricord.MODULE_NAMES`, or of another package that joins by an entry point; or
            the path of a module of your own, a folder or a Python file as `evaluate.load` takes it.
        **options: Passed on to `evaluate.load`: `num_process`, `process_id`, `experiment_id`, `cache_dir`, ... and the
            options of the module itself, which its card lists.

    Returns:
        The `evaluate.Metric`.

    Raises:
        ValidationError: There is no module of that name or path, or it does not know an option.
        TricordError: `evaluate` is hidden by a file of that name.
        ModuleNotFoundError: `evaluate` is not installed (`pip install tricord` brings it, `--no-deps` does not).

    Example:
        >>> import tricord
        >>> tricord.load("dico_nli").name
        'dico_nli'
    """
    path = Path(name) if _is_own(name) else module_path(name)  # type: ignore[arg-type]
    import evaluate  # not at the top: it takes seconds, and the file scorers do without

    if not hasattr(evaluate, "load"):
        raise TricordError(f"{evaluate.__file__} hides the package `evaluate`; rename the file")
    return evaluate.load(str(path), **options)


def _is_own(name: Any) -> bool:
    """Tell the path of a module from the name of one."""
    if not isinstance(name, (str, os.PathLike)) or name in MODULE_NAMES or not os.fspath(name):
        return False
    path = Path(name)
    return path.is_file() if path.suffix == ".py" else (path / f"{path.name}.py").is_file()
