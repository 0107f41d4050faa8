"""Exact metrics for three research tasks: DiCo-NLI, SciFact and Common Ground.

`tricord.load(name)` gives the Hugging Face `evaluate` module of a task, and after `tricord.register()` so does
`evaluate.load(name)`; `tricord.dico_nli` and its siblings score files and plain values with the standard library alone;
`tricord.training` takes the metrics into the training loop. Importing this package imports none of the heavy libraries.
"""

from tricord.errors import InputFileError, OutputError, TricordError, ValidationError
from tricord.modules.loading import load
from tricord.modules.registration import Registration, register, registrations, unregister
from tricord.tasks import MODULE_NAMES
from tricord.version import __version__

__all__ = [
    "MODULE_NAMES",
    "InputFileError",
    "OutputError",
    "Registration",
    "TricordError",
    "ValidationError",
    "__version__",
    "load",
    "register",
    "registrations",
    "unregister",
]
