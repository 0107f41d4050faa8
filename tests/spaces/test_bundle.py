"""Built Space repositories work without tricord, say where each file comes from, and score as the package does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from huggingface_hub import RepoCard, SpaceCardData
from packaging.requirements import Requirement

import tricord
from contract import contract_of
from tricord.spaces.bundle import build_space, flat_name
from tricord.spaces.publish import main, upload_space
from tricord.tasks import MODULE_NAMES

each_module = pytest.mark.parametrize("name", MODULE_NAMES)

SCORE = """
import copy, json, sys
sys.modules["tricord"] = None  # as where it is not installed
import evaluate
results = {}
for name, columns in json.loads(sys.argv[1]).items():
    metric = evaluate.load(name)
    results[name] = [copy.deepcopy(metric).compute(**columns), metric.compute(**columns, detailed=True)]
    try:
        metric.compute(**{**columns, "references": [["no value"]] * len(columns["references"])})
    except ValueError as error:
        results[name].append("ValidationError" in [kind.__name__ for kind in type(error).__mro__])
print(json.dumps(results))
"""
RUN_APP = """
import runpy, sys
folder, name = sys.argv[1:]
sys.path.insert(0, folder)  # as `python app.py` does
import tricord
from tricord.spaces.app import build_app
print(tricord.__file__)
print(sorted(build_app([name]).get_api_info()["named_endpoints"]))
sys.argv = ["app.py", "--help"]
runpy.run_path(folder + "/app.py", run_name="__main__")
"""


def run_python(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, **options)


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    assert main([*MODULE_NAMES, "--output", str(folder)]) == 0
    return folder


def test_built_modules_score_as_the_package_where_tricord_is_missing(built, tmp_path):
    columns = {name: contract_of(name).example.columns for name in MODULE_NAMES}
    by_path = {str(built / name): own for name, own in columns.items()}
    environment = {**os.environ, "HF_HOME": str(tmp_path / "cache")}
    done = run_python("-c", SCORE, json.dumps(by_path), cwd=tmp_path, env=environment)
    results = json.loads(done.stdout)
    for name, own in columns.items():
        metric = tricord.load(name)
        assert results[str(built / name)] == [metric.compute(**own), metric.compute(**own, detailed=True), True]


@each_module
def test_a_built_app_runs_on_its_own_files(name, built, tmp_path):
    done = run_python("-c", RUN_APP, str(built / name), name, cwd=tmp_path)
    file, endpoints, *usage = done.stdout.splitlines()
    assert Path(file).is_relative_to(built)
    assert endpoints == str([f"/{name}", f"/{name}_files"])
    assert usage[0].startswith("usage: app.py")


@each_module
def test_files_differ_from_their_source_only_where_they_say_so(name, root):
    for path, text in build_space(name).items():
        if path == "README.md":
            source = (root / "metrics" / name / path).read_text("utf-8")
            origin = next(line for line in text.splitlines() if line.startswith("<!-- built"))
            assert text.replace(f"\n{origin}\n", "", 1) == source
            continue
        first, _, rest = text.partition("\n")
        if path in ("app.py", "requirements.txt"):  # which have no source
            assert first.startswith("# built by `tricord publish` of tricord")
            continue
        assert "built by `tricord publish` from" in first
        source = (root / first.split(" from ")[1].split(" of tricord ")[0]).read_text("utf-8")
        if "with relative imports" not in first:
            assert rest == source
        else:
            kept = [line for line in rest.splitlines() if not line.startswith(("from .", "    from ."))]
            ours = set(source.splitlines())
            changed = [line for line in kept if line not in ours and not line.startswith("# evaluate copies")]
            # What is left are uses of the base class under its new name.
            assert all("tricord_" in line for line in changed)


@each_module
def test_cards_are_valid_for_the_hub(name):
    card = RepoCard(build_space(name, namespace="a-team")["README.md"], ignore_metadata_errors=False)
    data = SpaceCardData(**card.data.to_dict())
    assert data.sdk == "gradio"
    assert data.app_file == "app.py"
    assert {"evaluate", "metric"} <= set(data.tags)
    assert card.data.to_dict()["python_version"] == "3.11"
    requirement = next(
        Requirement(line) for line in build_space(name)["requirements.txt"].splitlines() if line.startswith("gradio")
    )
    assert requirement.specifier.contains(data.sdk_version)
    assert 'evaluate.load("a-team/' in card.text


def test_flat_names_are_those_of_files():
    assert flat_name("tricord.dico_nli.io") == "tricord_dico_nli_io"


def test_publishing_needs_a_target(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["dico_nli"])
    assert caught.value.code == 2
    assert "--namespace" in capsys.readouterr().err


def test_an_unknown_metric_is_refused(capsys, tmp_path):
    assert main(["bleu", "--output", str(tmp_path)]) == 2
    assert "'bleu'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_building_never_mixes_with_what_is_there(tmp_path, capsys):
    assert main(["dico_nli", "--output", str(tmp_path)]) == 0
    before = sorted(tmp_path.rglob("*"))
    assert main(["dico_nli", "--output", str(tmp_path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_dry_run_writes_and_uploads_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("huggingface_hub.HfApi.create_repo", None)
    assert main(["dico_nli", "--namespace", "a-team", "--dry-run"]) == 0
    assert main(["dico_nli", "--output", str(tmp_path / "out"), "--dry-run"]) == 0
    assert "a-team/dico_nli: would hold" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_an_upload_makes_the_space_and_sends_the_whole_folder(monkeypatch, capsys):
    calls = []

    def create_repo(self, repo_id, **options):
        calls.append(("create", repo_id, options))
        return f"https://hub.example/spaces/{repo_id}"

    def upload_folder(self, *, folder_path, **options):
        files = {str(path.relative_to(folder_path)) for path in Path(folder_path).rglob("*") if path.is_file()}
        calls.append(("upload", options["repo_id"], files, options["repo_type"]))

    monkeypatch.setattr("huggingface_hub.HfApi.create_repo", create_repo)
    monkeypatch.setattr("huggingface_hub.HfApi.upload_folder", upload_folder)
    assert main(["dico_nli", "--namespace", "a-team", "--private"]) == 0
    (_, created, options), upload = calls
    assert created == "a-team/dico_nli"
    assert options == {"repo_type": "space", "space_sdk": "gradio", "private": True, "exist_ok": True}
    assert upload == ("upload", "a-team/dico_nli", set(build_space("dico_nli", namespace="a-team")), "space")
    assert "https://hub.example/spaces/a-team/dico_nli" in capsys.readouterr().out


def test_a_failed_upload_is_one_line(monkeypatch, capsys):
    def refuse(self, *arguments, **options):
        raise OSError("no route to the Hub\nmany more lines")

    monkeypatch.setattr("huggingface_hub.HfApi.create_repo", refuse)
    assert main(["dico_nli", "--namespace", "a-team"]) == 2
    assert capsys.readouterr().err == "SCORING_ERROR: a-team/dico_nli: the upload failed: no route to the Hub\n"
    with pytest.raises(tricord.TricordError, match="upload failed"):
        upload_space({"README.md": ""}, "not/a/name")
