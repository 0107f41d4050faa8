"""Bare names for the evaluate modules: after registration `evaluate.load("dico_nli")` works in every process of the user.

For a name without a folder, evaluate looks in its own cache, `$HF_MODULES_CACHE/evaluate_modules/metrics/`, for
`evaluate-metric--<name>/<64 characters>/<name>.py`, and takes the most recently modified one. Registration puts the module
there, in a folder named by the hash of its content. A folder appears by one renaming, so no other process ever sees half
of one; it is never taken away but by `unregister`, so no process loses a module between finding and importing it.

Nothing here imports `evaluate`; `hashlib` and `shutil` are imported where they are used, since every start of the package
would pay for them.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tricord.errors import OutputError
from tricord.modules.loading import module_path
from tricord.outputs import write_texts
from tricord.tasks import checked_names, module_names
from tricord.version import __version__

__all__ = ["Registration", "register", "registrations", "unregister"]

_VERSION_KEY = "tricord version"  # in the JSON file beside a module; tells our folders from those of evaluate
_HASH_LENGTH = 64


@dataclass(frozen=True)
class Registration:
    """A module that evaluate finds under its bare name.

    Attributes:
        name: The name for `evaluate.load`.
        version: The version of tricord that registered it.
        path: The module's file.
        active: Whether it is the one that evaluate takes. False where evaluate has since stored a module of the same
            name from elsewhere, or another version of tricord was registered later.
    """

    name: str
    version: str
    path: Path
    active: bool


def register(names: str | Iterable[str] | None = None) -> list[Registration]:
    """Make `evaluate.load(name)` find the modules of this version of tricord, from any folder and without a network.

    Doing it again changes nothing. Where another version is registered, this one takes its place: the module runs with
    the tricord that the process imports, so the version that was registered last is the one that counts.

    Args:
        names: The names of modules; all of them by default.

    Returns:
        The registrations, in the order of the names.

    Raises:
        ValidationError: There is no module of a name; nothing is registered then.
        OutputError: evaluate's cache cannot be written.

    Example:
        >>> import tricord
        >>> [registration.name for registration in tricord.register("dico_nli")]
        ['dico_nli']
    """
    sources = {name: module_path(name) / f"{name}.py" for name in checked_names(names)}
    return [_register(name, source) for name, source in sources.items()]


def unregister(names: str | Iterable[str] | None = None) -> list[Registration]:
    """Take back what `register` did, for all versions of tricord; modules from elsewhere stay.

    Args:
        names: The names of modules; all of them by default.

    Returns:
        What was removed.

    Raises:
        ValidationError: There is no module of a name; nothing is removed then.
        OutputError: evaluate's cache cannot be written.
    """
    removed = [found for name in checked_names(names) for found in _found(name)]
    for registration in removed:
        _remove(registration.path.parent)
    return removed


def registrations() -> list[Registration]:
    """List what is registered, in the order of `module_names`, the active one of a name first."""
    return [found for name in module_names() for found in _found(name)]


def modules_cache() -> Path:
    """Find the folder in which evaluate keeps modules, by its own rule."""
    if (config := sys.modules.get("evaluate.config")) is not None:
        return Path(config.HF_MODULES_CACHE)
    # As evaluate does: only the home is expanded, an empty variable counts as given.
    home = os.getenv("HF_HOME", os.path.join(os.getenv("XDG_CACHE_HOME", "~/.cache"), "huggingface"))  # noqa: PTH118
    return Path(os.getenv("HF_MODULES_CACHE", os.path.join(os.path.expanduser(home), "modules")))  # noqa: PTH111, PTH118


def _folder(name: str) -> Path:
    return modules_cache() / "evaluate_modules" / "metrics" / f"evaluate-metric--{name}"


def _register(name: str, source: Path) -> Registration:
    import hashlib

    code = source.read_text(encoding="utf-8")
    folder = _folder(name) / hashlib.sha256(f"{__version__}\n{code}".encode()).hexdigest()
    target = folder / f"{name}.py"
    # What evaluate notes there too, and the mark by which we know our own.
    origin = {"original file path": str(source), "local file path": str(target), _VERSION_KEY: __version__}
    texts = {"__init__.py": "", f"{name}.py": code, f"{name}.json": json.dumps(origin) + "\n"}
    try:
        _make_packages(folder.parent)
        _place(folder, texts)
        _make_latest(target)
    except OSError as error:
        raise OutputError(f"{error.filename or folder}: cannot be written ({error.strerror or error})") from None
    return Registration(name, __version__, target, active=True)


def _make_packages(folder: Path) -> None:
    """Make the folders down to that of one module importable, as evaluate does."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in (folder, folder.parent, folder.parents[1]):
        init = package / "__init__.py"
        if not init.exists():
            init.touch()


def _place(folder: Path, texts: dict[str, str]) -> None:
    """Make a folder with files appear at once, or mend it where files of it are lost or changed."""
    if folder.is_dir():
        write_texts({folder / name: text for name, text in texts.items() if _text(folder / name) != text})
        return
    import shutil

    temporary = folder.parent / f".tricord-{os.urandom(8).hex()}.tmp"
    try:
        write_texts({temporary / name: text for name, text in texts.items()})
        temporary.rename(folder)
    except OSError:
        if not folder.is_dir():  # otherwise another process was first, with the same content
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _text(path: Path) -> str | None:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8")
    return None


def _make_latest(target: Path) -> None:
    """Let evaluate, which takes the most recently modified module, take this one."""
    others = [time_ for path, time_ in _modified(target.stem) if path != target]
    if others and target.stat().st_mtime_ns <= max(others):
        latest = max(time.time_ns(), max(others) + 1_000_000_000)
        os.utime(target, ns=(latest, latest))


def _modified(name: str) -> list[tuple[Path, int]]:
    """List the modules among which evaluate chooses, with the times in nanoseconds by which it does."""
    found = []
    with suppress(FileNotFoundError, NotADirectoryError):
        for folder in _folder(name).iterdir():
            path = folder / f"{name}.py"
            if len(folder.name) == _HASH_LENGTH:
                with suppress(OSError):
                    found.append((path, path.stat().st_mtime_ns))
    return found


def _found(name: str) -> list[Registration]:
    by_time = sorted(_modified(name), key=lambda item: item[1], reverse=True)
    return [
        Registration(name, version, path, active=position == 0)
        for position, (path, _) in enumerate(by_time)
        if (version := _registered_version(path)) is not None
    ]


def _registered_version(path: Path) -> str | None:
    """Read by which version of tricord a module was put into the cache; None where it came from elsewhere."""
    with suppress(OSError, ValueError):
        origin = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        if isinstance(origin, dict) and isinstance(version := origin.get(_VERSION_KEY), str):
            return version
    return None


def _remove(folder: Path) -> None:
    import shutil

    hidden = folder.with_name(f".tricord-{os.urandom(8).hex()}.tmp")
    try:
        folder.rename(hidden)  # at once, so that nobody finds half of it
    except FileNotFoundError:
        return  # another process removes it too
    except OSError as error:
        raise OutputError(f"{folder}: cannot be removed ({error.strerror or error})") from None
    shutil.rmtree(hidden, ignore_errors=True)
