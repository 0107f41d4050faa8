"""The tasks that there are, in strings: nothing of a task is imported before it is asked for.

A task is a package with files of fixed names: `cli` (its commands), `page` (the pages of its metrics), `hook` and `rewards`
(what it brings to a training loop); its evaluate modules lie in `metrics/<module>/`. A package of somebody else joins by an
entry point of the group `tricord.tasks` that gives a `Task`; its modules lie in a folder `metrics` inside the package.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tricord.errors import TricordError, ValidationError, quoted, some_of

__all__ = ["MODULE_NAMES", "TASKS", "Task", "all_tasks", "checked_names", "module_names", "task_of_module"]

ENTRY_POINTS = "tricord.tasks"


@dataclass(frozen=True)
class Task:
    """One task.

    Attributes:
        name: What it is called in signatures.
        command: The word on the command line.
        purpose: One line for the help.
        package: Where its files are.
        modules: The names of its evaluate modules.
        training: What `tricord.training` offers of it: names, with the file of the package that defines each.
    """

    name: str
    command: str
    purpose: str
    package: str
    modules: tuple[str, ...]
    training: Mapping[str, str] = field(default_factory=dict)

    def part(self, name: str) -> str:
        """Give the full name of one of the package's files: `cli`, `page`, `hook`, ..."""
        return f"{self.package}.{name}"


TASKS = (
    Task(
        name="dico_nli",
        command="dico-nli",
        purpose="directional consistency of NLI labels (SemEval-2027 Task 2)",
        package="tricord.dico_nli",
        modules=("dico_nli", "dico_nli_consistency"),
        training={
            "Decoding": "decoding",
            "dico_nli_label_reward": "rewards",
            "dico_nli_metrics": "hook",
            "dico_nli_pair_reward": "rewards",
            "reversal_aware_labels": "decoding",
        },
    ),
    Task(
        name="scifact",
        command="scifact",
        purpose="verification of scientific claims (SciFact)",
        package="tricord.scifact",
        modules=("scifact_abstract", "scifact_sentence"),
        training={"scifact_label_metrics": "hook", "scifact_rationale_metrics": "hook"},
    ),
    Task(
        name="commonground",
        command="commonground",
        purpose="vote statistics and scores of predicted votes (Common Ground)",
        package="tricord.commonground",
        modules=("commonground_brier",),
        training={
            "commonground_format_reward": "rewards",
            "commonground_metrics": "hook",
            "commonground_reward": "rewards",
        },
    ),
)
"""The tasks that tricord brings."""

MODULE_NAMES = tuple(name for task in TASKS for name in task.modules)
"""The names of the evaluate modules that tricord brings."""


def all_tasks() -> tuple[Task, ...]:
    """List the tasks that tricord brings, then those of other packages that are installed."""
    return (*TASKS, *_tasks_of_others())


def _tasks_of_others() -> Iterator[Task]:
    from importlib.metadata import entry_points  # not at the top: it costs more than the rest of the package

    known = list(TASKS)
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            task = _checked(entry.load(), known)
        except Exception as error:  # whatever it is, it is no fault of the other tasks
            warnings.warn(f"the task {entry.name!r} ({entry.value}) is left out: {error}", stacklevel=2)
        else:
            known.append(task)
            yield task


def _checked(task: object, known: Iterable[Task]) -> Task:
    """Accept a task of another package where its names are usable and not taken.

    Raises:
        TricordError: They are not, or it is no task.
    """
    if not isinstance(task, Task):
        raise TricordError(f"expected a tricord.tasks.Task, got {quoted(task)}")
    if unusable := [name for name in (task.name, *task.modules) if not name.isidentifier()]:
        raise TricordError(f"expected names of letters, digits and underscores, got {some_of(unusable)}")
    taken = {own for other in known for own in (other.name, other.command, *other.modules)}
    if repeated := taken.intersection((task.name, task.command, *task.modules)):
        raise TricordError(f"another task has the name {some_of(sorted(repeated))}")
    return task


def module_names() -> tuple[str, ...]:
    """List the names of all evaluate modules, those of other packages included."""
    return tuple(name for task in all_tasks() for name in task.modules)


def task_of_module(name: object) -> Task:
    """Find the task that an evaluate module belongs to.

    Raises:
        ValidationError: There is no module of that name.

    Example:
        >>> task_of_module("scifact_sentence").name
        'scifact'
    """
    # Those of other packages are looked for only where the name is not one of ours.
    for tasks in (TASKS, all_tasks()) if name not in MODULE_NAMES else (TASKS,):
        for task in tasks:
            if name in task.modules:
                return task
    raise ValidationError(f"Expected the name of a module ({', '.join(module_names())}), got {quoted(name)}")


def checked_names(names: str | Iterable[str] | None = None) -> list[str]:
    """Check names of evaluate modules, and list each once; all of them by default.

    Raises:
        ValidationError: There is no module of a name.

    Example:
        >>> checked_names("dico_nli")
        ['dico_nli']
    """
    if names is None:
        return list(module_names())
    wanted = list(dict.fromkeys([names] if isinstance(names, str) else names))
    for name in wanted:
        task_of_module(name)
    return wanted
