"""The wheel: what it carries, and that nothing but it is needed to load the modules."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, version

import pytest

import tricord

pytestmark = pytest.mark.process

# Imports from the unpacked wheel, then scores with every module; prints where things came from.
LOAD_ALL = """
import json, sys
import tricord
from tricord.modules.loading import module_path
result = {name: [str(module_path(name)), tricord.load(name).name] for name in tricord.MODULE_NAMES}
print(json.dumps({"package": tricord.__file__, "modules": result}))
"""


@pytest.fixture(scope="module")
def source(root, tmp_path_factory):
    """A copy of what a build needs, so that the checkout stays clean and parallel tests do not meet."""
    folder = tmp_path_factory.mktemp("source")
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*", "build", "dist", "tests", "benchmarks")
    shutil.copytree(root, folder / "tree", ignore=ignore)
    return folder / "tree"


@pytest.fixture(scope="module")
def wheel(source):
    """Build the wheel with the setuptools that is installed, without a network."""
    try:
        installed = version("setuptools")
    except PackageNotFoundError:
        installed = "0 (none)"
    # What pyproject.toml asks of a build; an older one fails in ways that do not tell why.
    assert int(re.split(r"\D", installed)[0]) >= 77, f"building the wheel needs setuptools>=77, found {installed}"
    build = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, source / "out"],
        cwd=source,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return source / "out" / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def unpacked(wheel):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(wheel.parent / "unpacked")
    return wheel.parent / "unpacked"


def names_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_wheel_carries_each_module_with_card(unpacked):
    names = names_in(unpacked)
    for module in tricord.MODULE_NAMES:
        folder = f"tricord/metric_modules/{module}"
        assert {f"{folder}/{module}.py", f"{folder}/README.md"} <= names


def test_wheel_carries_the_whole_package_and_nothing_else(unpacked, root):
    names = names_in(unpacked)
    expected = {str(path.relative_to(root / "src")) for path in (root / "src").rglob("*.py")} | {
        "tricord/py.typed",
        "tricord/spaces/style.css",
    }
    assert expected <= names
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"tricord", f"tricord-{tricord.__version__}.dist-info"}
    others = {
        name
        for name in names - expected
        if name.startswith("tricord/") and not name.startswith("tricord/metric_modules/")
    }
    assert others == set()


def test_metadata(unpacked):
    folder = unpacked / f"tricord-{tricord.__version__}.dist-info"
    metadata = (folder / "METADATA").read_text()
    assert "\nRequires-Python: >=3.10\n" in metadata
    assert "\nLicense-Expression: Apache-2.0\n" in metadata or "\nLicense: Apache-2.0\n" in metadata
    assert "tricord = tricord.cli:main" in (folder / "entry_points.txt").read_text()


def run_beside_the_checkout(unpacked, tmp_path, code, *options):
    """Run code with the unpacked wheel and the installed libraries on the path, but without the checkout's own package."""
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    done = subprocess.run(
        [sys.executable, "-S", *options, "-c", code],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join([str(unpacked), *libraries]),
            "HF_HOME": str(tmp_path / "home"),
            "HF_EVALUATE_OFFLINE": "1",
            "HF_HUB_OFFLINE": "1",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheel_alone_loads_every_module_offline(unpacked, tmp_path):
    found = json.loads(run_beside_the_checkout(unpacked, tmp_path, LOAD_ALL))
    assert found["package"] == str(unpacked / "tricord" / "__init__.py")
    assert found["modules"] == {
        name: [str(unpacked / "tricord" / "metric_modules" / name), name] for name in tricord.MODULE_NAMES
    }


def test_wheel_scores_files_without_any_library(unpacked, tmp_path):
    from dico_nli.samples import write_pair

    pair = write_pair(tmp_path)
    arguments = ["dico-nli", "--gold", str(pair.gold), "--predictions", str(pair.predictions)]
    code = (
        "import sys; sys.path[:] = [path for path in sys.path if not path.endswith('site-packages')]\n"
        f"from tricord.cli import main; sys.exit(main({arguments}))"
    )
    assert json.loads(run_beside_the_checkout(unpacked, tmp_path, code))["hard_cons"] == 0.5
