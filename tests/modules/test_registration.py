"""Bare names: what is put into evaluate's cache, by whom, and what evaluate then loads."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tricord
from tricord.cli import main
from tricord.modules.registration import modules_cache

NAMES = tricord.MODULE_NAMES


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of evaluate, which its own lookup uses too."""
    import evaluate.config

    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
    return tmp_path / "modules"


def files(folder):
    return {
        path.relative_to(folder): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def as_version(monkeypatch, version):
    monkeypatch.setattr("tricord.modules.registration.__version__", version)


def test_fresh_process_loads_every_bare_name_and_scores(cache, fresh_python):
    tricord.register()
    output = fresh_python.run(
        "names = sys.argv[1:]\n"
        "assert [evaluate.load(name).name for name in names] == names\n"
        "ids = ['p__en-en__original', 'p__en-en__flipped']\n"
        "metric = evaluate.load('dico_nli')\n"
        "print(metric.compute(predictions=[1, 2], references=[1, 2], instance_ids=ids)['hard_cons'])",
        *NAMES,
        cwd=cache.parent,
        HF_MODULES_CACHE=str(cache),
    )
    assert output == "1.0\n"


def test_registering_again_changes_nothing(cache):
    first = tricord.register()
    before = files(cache)
    assert tricord.register() == first
    assert files(cache) == before
    assert [found.name for found in first] == list(NAMES)
    assert tricord.registrations() == first


def test_last_registered_version_is_the_active_one(cache, monkeypatch):
    as_version(monkeypatch, "0.0.9")
    tricord.register("dico_nli")
    as_version(monkeypatch, "0.2.0")
    tricord.register("dico_nli")
    assert [(found.version, found.active) for found in tricord.registrations()] == [("0.2.0", True), ("0.0.9", False)]
    as_version(monkeypatch, "0.0.9")
    tricord.register("dico_nli")
    assert [(found.version, found.active) for found in tricord.registrations()] == [("0.0.9", True), ("0.2.0", False)]


def cached_from_elsewhere(cache, *, later_by=3600):
    """A module of the same name that evaluate itself has stored, modified in the future as seen from here."""
    folder = cache / "evaluate_modules/metrics/evaluate-metric--dico_nli" / ("e" * 64)
    folder.mkdir(parents=True)
    module = folder / "dico_nli.py"
    module.write_text("raise RuntimeError('the wrong module')\n")
    (folder / "dico_nli.json").write_text(json.dumps({"original file path": "x", "local file path": str(module)}))
    later = module.stat().st_mtime + later_by
    os.utime(module, (later, later))
    return folder


def test_wins_over_a_module_of_the_same_name_and_leaves_it_alone(cache, fresh_python):
    folder = cached_from_elsewhere(cache)
    before = files(folder)
    tricord.register("dico_nli")
    code = "print(evaluate.load('dico_nli').name)"
    assert fresh_python.run(code, cwd=cache.parent, HF_MODULES_CACHE=str(cache)) == "dico_nli\n"
    tricord.unregister()
    assert files(folder) == before


def test_module_stored_later_takes_over_until_registered_again(cache):
    tricord.register("dico_nli")
    cached_from_elsewhere(cache)
    assert [found.active for found in tricord.registrations()] == [False]
    assert [found.active for found in tricord.register("dico_nli")] == [True]
    assert [found.active for found in tricord.registrations()] == [True]


@pytest.mark.parametrize("damage", ["delete", "change"])
def test_damaged_registration_is_mended(cache, damage):
    [found] = tricord.register("dico_nli")
    content = found.path.read_text()
    if damage == "delete":
        found.path.unlink()
    else:
        found.path.write_text("")
    tricord.register("dico_nli")
    assert found.path.read_text() == content


def test_failed_registration_leaves_nothing_behind(cache, monkeypatch):
    def fail(self, target):
        raise PermissionError(13, "Permission denied", str(target))

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(tricord.OutputError, match="cannot be written"):
        tricord.register("dico_nli")
    folder = cache / "evaluate_modules/metrics/evaluate-metric--dico_nli"
    assert [path.name for path in folder.iterdir()] == ["__init__.py"]


def test_processes_register_two_versions_at_once_while_another_loads(cache, fresh_python):
    registering = (
        "import tricord, tricord.modules.registration as registration\n"
        "registration.__version__ = sys.argv[1]\n"
        "for _ in range(100):\n"
        "    tricord.register()\n"
    )
    loading = (
        "import tricord; tricord.register()\n"
        "for _ in range(100):\n"
        "    assert evaluate.load('dico_nli').name == 'dico_nli'\n"
    )
    environment = {"HF_EVALUATE_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_MODULES_CACHE": str(cache)}
    fresh_python.finish(
        fresh_python.start(loading, **environment),
        *(fresh_python.start(registering, version, **environment) for version in ("0.0.8", "0.0.9", "0.0.9")),
    )
    assert {found.version for found in tricord.registrations()} == {"0.0.8", "0.0.9", tricord.__version__}
    assert not list(cache.rglob("*.tmp"))


def test_unknown_name_is_refused_before_anything_is_written(cache):
    with pytest.raises(tricord.ValidationError, match=r"dico_nli, .*got 'accuracy'"):
        tricord.register(["dico_nli", "accuracy"])
    assert not cache.exists()


@pytest.mark.parametrize(
    "environment",
    [
        {"HF_MODULES_CACHE": "some/modules"},
        {"HF_HOME": "~/hf"},
        {"XDG_CACHE_HOME": "/x"},
        {},
        {"HF_MODULES_CACHE": ""},
        {"HF_HOME": ""},
    ],
)
def test_cache_is_found_by_the_rule_of_evaluate(environment, monkeypatch):
    for name in ("HF_MODULES_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    import evaluate.config

    code = (
        Path(evaluate.config.__file__).read_text().partition("# Cache location")[2].partition("DOWNLOADED_DATASETS")[0]
    )
    rule = {"os": os, "Path": Path}
    exec(code, rule)
    with monkeypatch.context() as without_evaluate:
        without_evaluate.delitem(sys.modules, "evaluate.config")
        assert modules_cache() == rule["HF_MODULES_CACHE"]


@pytest.mark.process
def test_import_of_the_package_stays_light():
    code = "import sys, tricord; print([name for name in ('numpy', 'evaluate', 'torch', 'hashlib') if name in sys.modules])"
    environment = {"PYTHONPATH": str(Path(tricord.__file__).parents[1])}
    command = [sys.executable, "-S", "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout == "[]\n"


def test_command_registers_lists_and_removes(cache, capsys):
    assert main(["register", "--list"]) == 0
    assert capsys.readouterr().out == "nothing is registered\n"
    assert main(["register", "dico_nli"]) == 0
    assert main(["register", "--list"]) == 0
    output = capsys.readouterr().out
    assert f'evaluate.load("dico_nli") now loads the module of tricord {tricord.__version__}' in output
    assert f"dico_nli  {tricord.__version__}" in output
    assert main(["register", "--remove"]) == 0
    assert capsys.readouterr().out == f"dico_nli: version {tricord.__version__} removed\n"
    assert tricord.registrations() == []


def test_command_rejects_unknown_names_and_list_with_names(cache, capsys):
    assert main(["register", "accuracy"]) == 2
    assert capsys.readouterr().err.startswith("SCORING_ERROR: Expected the name of a module")
    with pytest.raises(SystemExit, match="2"):
        main(["register", "--list", "dico_nli"])


def test_command_reports_a_cache_that_cannot_be_written(cache, capsys):
    cache.write_text("a file in the place of the folder")
    assert main(["register"]) == 2
    assert "cannot be written" in capsys.readouterr().err
