"""Names and places of the evaluate modules."""

import json
import subprocess
import sys

import pytest

import tricord
from tricord import MODULE_NAMES, ValidationError
from tricord.modules.loading import module_path


@pytest.mark.parametrize("name", MODULE_NAMES)
def test_folder_of_a_module(name):
    folder = module_path(name)
    assert folder.is_absolute()
    assert (folder / f"{name}.py").is_file()
    assert (folder / "README.md").is_file()


def test_every_module_of_the_checkout_is_named(root):
    assert sorted(MODULE_NAMES) == sorted(path.parent.name for path in root.glob("metrics/*/*.py"))


@pytest.mark.parametrize("name", ["", "dico-nli", "../metrics/dico_nli", "accuracy", None, 7])
def test_unknown_names_are_answered_with_the_known_ones(name):
    for function in (module_path, tricord.load):
        with pytest.raises(ValidationError) as error:
            function(name)
        assert repr(name) in str(error.value)
        assert all(known in str(error.value) for known in MODULE_NAMES)


def test_files_missing_from_the_installation(monkeypatch, tmp_path):
    monkeypatch.setattr("tricord.modules.loading.PACKAGE", tmp_path / "a" / "b")
    with pytest.raises(tricord.TricordError, match="install its package again"):
        module_path("dico_nli")


@pytest.mark.parametrize("name", MODULE_NAMES)
def test_load_from_any_folder(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert tricord.load(name).name == name
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_importing_the_package_imports_nothing_heavy():
    script = "import json, sys, tricord, tricord.dico_nli; print(json.dumps(list(sys.modules)))"
    modules = json.loads(
        subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, timeout=60).stdout
    )
    heavy = {"numpy", "evaluate", "datasets", "torch", "gradio", "pandas", "pyarrow", "transformers"}
    assert "tricord.dico_nli" in modules
    assert not heavy & set(modules)
