"""Building the repository of a Space: everything that it needs, without tricord being installed anywhere.

The app gets the part of the package that it uses, in a folder `tricord`. The metric cannot use that folder: `evaluate` copies
single files that the module imports from beside itself, and nothing else. So the module gets its part of the package as such
files, `tricord_<module>.py`, whose imports are made relative. Every file says in its first lines where it comes from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from tricord.errors import TricordError, ValidationError
from tricord.modules.loading import module_path
from tricord.tasks import task_of_module
from tricord.version import __version__

__all__ = ["build_space", "flat_name"]

PACKAGE = Path(__file__).resolve().parents[1]
STYLE = "spaces/style.css"
# What the app starts from; it imports the page of a metric by name.
APP_MODULES = ("tricord.spaces.cli", "tricord.spaces.app")
APP = '''"""The Space of this metric: `python app.py` serves it, `python app.py --mcp` as MCP tools too."""

import sys

from tricord.spaces.cli import main

if __name__ == "__main__":
    sys.exit(main(["{name}", *sys.argv[1:]], prog="app.py"))
'''


def build_space(name: str, *, namespace: str = "") -> dict[str, str]:
    """Build the repository of a metric's Space.

    Args:
        name: The name of a module that tricord brings.
        namespace: The user or organisation that it is for, to be named in the card.

    Returns:
        The text of each file by its path in the repository.

    Raises:
        ValidationError: There is no metric of that name, or it has no page.
        TricordError: The installation lacks the files of the metric.
    """
    metric, page = module_path(name), task_of_module(name).part("page")
    if _source_file(page) is None:
        raise ValidationError(f"The metric {name} has no page to publish")
    return {
        "README.md": _card((metric / "README.md").read_text("utf-8"), name, namespace),
        "app.py": f"# {_origin('')}\n{APP.format(name=name)}",
        "requirements.txt": f"# {_origin('')}\n{_requirements()}",
        **_metric_files(name, (metric / f"{name}.py").read_text("utf-8")),
        **_app_files(page),
    }


def flat_name(module: str) -> str:
    """Name the file that a module becomes beside a metric.

    Example:
        >>> flat_name("tricord.dico_nli.io")
        'tricord_dico_nli_io'
    """
    return module.replace(".", "_")


def _origin(path: str, change: str = "") -> str:
    return f"built by `tricord publish`{path and f' from {path}'} of tricord {__version__}{change}; change it there"


def _python(text: str, path: str, change: str = "") -> str:
    return f"# {_origin(path, change)}\n{text}"


def _requirements() -> str:
    """List what the app needs, as the installed package declares it: its own requirements and those of the extra `spaces`."""
    try:
        declared = [line.partition(";") for line in requires("tricord") or ()]
    except PackageNotFoundError:
        raise TricordError("tricord is not installed, so its requirements are not known; pip install it") from None
    wanted = [name.strip() for name, _, marker in declared if not marker or marker.strip() == 'extra == "spaces"']
    return "".join(f"{line}\n" for line in wanted)


def _card(text: str, name: str, namespace: str) -> str:
    """Put the origin, and the line that loads the metric, below the front matter."""
    opening, front_matter, card = text.split("---\n", 2)
    loading = (
        f'\nLoad it with `evaluate.load("{namespace}/{name}")`; tricord need not be installed.\n' if namespace else ""
    )
    origin = f"<!-- {_origin(f'metrics/{name}/README.md')} -->"
    return f"{opening}---\n{front_matter}---\n\n{origin}\n{loading}{card}"


def _source_file(module: str) -> Path | None:
    """Find the file of a module of tricord; None where there is no such module."""
    base = PACKAGE.parent.joinpath(*module.split("."))
    return next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()), None)


def _is_package(module: str) -> bool:
    file = _source_file(module)
    return file is not None and file.name == "__init__.py"


def _source(module: str) -> str:
    file = _source_file(module)
    if file is None:
        raise TricordError(f"The module {module} is missing from this installation; install tricord again")
    return file.read_text("utf-8")


def _closure(modules: Sequence[str], *, packages: bool) -> dict[str, str]:
    """Collect modules and all of tricord that they import, directly or not.

    Args:
        modules: Where to start.
        packages: Whether to include the packages that the modules lie in.

    Returns:
        The source of each module, sorted by name.
    """
    found: dict[str, str] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in found:
            continue
        found[module] = _source(module)
        waiting += _imported(found[module])
        if packages and "." in module:
            waiting.append(module.rpartition(".")[0])
    return dict(sorted(found.items()))


def _imported(source: str) -> list[str]:
    """List the modules of tricord that a source imports, except for type hints alone."""
    tree = ast.parse(source)
    ignored = {id(inner) for node in ast.walk(tree) if _is_type_checking(node) for inner in ast.walk(node)}
    nodes = [node for node in ast.walk(tree) if id(node) not in ignored and _is_ours(node)]
    return [module for node in nodes for module in _targets(node)]


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_ours(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] == "tricord"
    return isinstance(node, ast.Import) and node.names[0].name.split(".")[0] == "tricord"


def _targets(node: ast.AST) -> Iterator[str]:
    """Name the modules that an import statement needs."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            submodule = f"{node.module}.{alias.name}"
            yield submodule if _source_file(submodule) else node.module


def _app_files(page: str) -> dict[str, str]:
    """Copy the part of the package that the app needs."""
    files = {}
    for module, source in _closure([*APP_MODULES, page], packages=True).items():
        path = module.replace(".", "/") + ("/__init__.py" if _is_package(module) else ".py")
        files[path] = _python(source, f"src/{path}")
    files[f"tricord/{STYLE}"] = f"/* {_origin(f'src/tricord/{STYLE}')} */\n" + (PACKAGE / STYLE).read_text("utf-8")
    return files


def _metric_files(name: str, source: str) -> dict[str, str]:
    """Give the module and the files beside it that it imports."""
    imported = _closure(_imported(source), packages=False)
    files = {
        f"{flat_name(module)}.py": _python(_flat(text), f"src/{module.replace('.', '/')}.py", ", with relative imports")
        for module, text in imported.items()
    }
    named = "".join(f"from .{flat_name(module)} import __name__ as _\n" for module in imported)
    listing = f"# evaluate copies the files beside this one that are named in such lines.\n{named}"
    lines = _flat(source).splitlines(keepends=True)
    first = next(
        node.lineno for node in ast.parse("".join(lines)).body if isinstance(node, (ast.Import, ast.ImportFrom))
    )
    flat = "".join([*lines[: first - 1], listing, *lines[first - 1 :]])
    return {f"{name}.py": _python(flat, f"metrics/{name}/{name}.py", ", with relative imports"), **files}


def _flat(source: str) -> str:
    """Make the imports of tricord relative to files that lie side by side."""
    tree = ast.parse(source)
    changes: list[tuple[ast.stmt | ast.expr, str]] = []
    dotted: set[str] = set()
    for node in ast.walk(tree):
        if not _is_ours(node):
            continue
        if isinstance(node, ast.Import):
            dotted.update(alias.name for alias in node.names)
            changes.append((node, f"from . import {', '.join(flat_name(alias.name) for alias in node.names)}"))
        elif isinstance(node, ast.ImportFrom):
            changes.append((node, "; ".join(_relative(node))))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (module := ast.unparse(node)) in dotted:
            changes.append((node, flat_name(module)))
    return _replaced(source, changes)


def _relative(node: ast.ImportFrom) -> Iterator[str]:
    names = []
    for alias in node.names:
        shown = alias.asname or alias.name
        if _source_file(f"{node.module}.{alias.name}"):
            yield f"from . import {flat_name(f'{node.module}.{alias.name}')} as {shown}"
        elif _is_package(str(node.module)):
            raise ValidationError(f"from {node.module} import {alias.name}: import it from the module that defines it")
        else:
            names.append(alias.name if alias.asname is None else f"{alias.name} as {alias.asname}")
    if names:
        yield f"from .{flat_name(str(node.module))} import {', '.join(names)}"


def _replaced(source: str, changes: Sequence[tuple[ast.stmt | ast.expr, str]]) -> str:
    """Replace pieces of a source, which are found by their place in the syntax tree; all else stays as it is."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]  # columns count bytes
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    text = b"".join(lines)
    spans = [
        (
            starts[node.lineno - 1] + node.col_offset,
            starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0),
            new,
        )
        for node, new in changes
    ]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new.encode() + text[end:]
    return text.decode()
