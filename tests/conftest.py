"""Fixtures that all tests share; and a private cache, set before `evaluate` is imported, so that no test sees another's."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_CACHE = tempfile.mkdtemp(prefix="tricord-tests-")
atexit.register(shutil.rmtree, _CACHE, ignore_errors=True)
os.environ["HF_HOME"] = _CACHE
os.environ["HF_EVALUATE_OFFLINE"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"

# A busy machine is slow; that is no fault of what is tested. Every run draws the same examples, but for `make fuzz`.
settings.register_profile("same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fuzz", settings.get_profile("same"), derandomize=False, max_examples=500, print_blob=True)
settings.load_profile("same")

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
# Helpers are imported from here: `from dico_nli import naive`.
sys.path.insert(0, str(Path(__file__).resolve().parent))


# What starts other processes, or needs the browser: `make quick` leaves it out.
SLOW_FIXTURES = {"fresh_python", "apps", "browser", "built"}


def pytest_addoption(parser):
    parser.addoption(
        "--quick", action="store_true", help="leave out what starts other processes, and see that nothing does"
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "process: starts other processes")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark what starts other processes; leave it out for `--quick`, else begin with its files, which take longest."""
    for item in items:
        if SLOW_FIXTURES.intersection(item.fixturenames):
            item.add_marker("process")
    if config.getoption("quick"):
        left_out = [item for item in items if item.get_closest_marker("process")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("process")]
    else:
        slow = {item.path for item in items if item.get_closest_marker("process")}
        items.sort(key=lambda item: (item.path not in slow, "spaces" not in item.path.parts))


@pytest.fixture(autouse=True)
def _no_other_process(request, monkeypatch):
    """See to it that a test that is not marked starts no process."""
    if request.config.getoption("quick"):

        def refuse(*arguments, **_):
            raise AssertionError(f"starts a process, so it needs the mark `process`: {arguments[:1]}")

        monkeypatch.setattr(subprocess.Popen, "__init__", refuse)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data with known results, which lies beside the checkout; tests that need it skip without."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip(f"the real data is not at {folder}")
    return folder


_OPENED: list[str] = []


def _note_opened(event, arguments):
    if event == "open" and isinstance(arguments[0], str | os.PathLike):
        _OPENED.append(os.fspath(arguments[0]))


@pytest.fixture(scope="session")
def _opened_so_far() -> list[str]:
    sys.addaudithook(_note_opened)  # cannot be taken back
    return _OPENED


@pytest.fixture
def opened(_opened_so_far) -> list[str]:
    """The paths of all files that the process opens during a test, one entry each time."""
    _opened_so_far.clear()
    return _opened_so_far


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


# evaluate imports transformers where it is installed, for its pipelines, and that takes five times as long as itself.
_IMPORT_EVALUATE = """
import sys
sys.modules["transformers"] = None
import evaluate
del sys.modules["transformers"]
"""


class FreshPython:
    """Starts Python processes in which evaluate is imported."""

    def start(self, code: str, *arguments: str, cwd: Path | None = None, **environment: str) -> "subprocess.Popen[str]":
        """Start a process that runs the code with arguments."""
        return subprocess.Popen(
            [sys.executable, "-c", _IMPORT_EVALUATE + code, *arguments],
            cwd=cwd,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, *processes: "subprocess.Popen[str]") -> list[str]:
        """Wait for the processes and give what each has printed; none may have failed."""
        results = [(*process.communicate(), process.returncode) for process in processes]
        assert [status for *_, status in results] == [0] * len(results), [errors for _, errors, _ in results]
        return [output for output, *_ in results]

    def run(self, code: str, *arguments: str, cwd: Path | None = None, **environment: str) -> str:
        """Run a process to its end and give what it has printed."""
        return self.finish(self.start(code, *arguments, cwd=cwd, **environment))[0]


@pytest.fixture(scope="session")
def fresh_python() -> FreshPython:
    """Runs code in processes of their own."""
    return FreshPython()
