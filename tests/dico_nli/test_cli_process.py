"""The command line as its own process: bare interpreters, killed runs, broken outputs, clean start."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from dico_nli import samples

pytestmark = pytest.mark.process

# Refuses and reports every attempt to import what is neither this package nor the standard library; but for `org`, which
# the standard library's own copy.py looks for (it is Jython's).
BLOCKED = """
import runpy, sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top != "tricord" and top not in sys.stdlib_module_names:
            if top != "org":
                print(f"third-party import: {name}", file=sys.stderr)
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocker())
runpy.run_module("tricord.dico_nli", run_name="__main__", alter_sys=True)
"""
# Dies, as by `kill -9` or lost power, when the n-th file is to be synchronised or renamed.
KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv.pop(1))
at, calls = int(sys.argv.pop(1)), 0
def fatal(function):
    def call(*arguments, **options):
        global calls
        calls += 1
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return call
os.fsync, os.replace = fatal(os.fsync), fatal(os.replace)
from tricord.dico_nli.cli import main
sys.exit(main())
"""


@pytest.fixture(scope="module")
def tree(root, tmp_path_factory):
    """The unpacked source tree alone, away from the checkout."""
    folder = tmp_path_factory.mktemp("unpacked")
    shutil.copytree(root / "src" / "tricord", folder / "tricord", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run(tree, *arguments, python=(sys.executable, "-S", "-m", "tricord.dico_nli"), **options):
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= options.pop("env", {})
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([*python, *map(str, arguments)], cwd=tree, env=environment, timeout=60, **options)


@pytest.fixture
def pair(tmp_path):
    return samples.write_pair(tmp_path)


@pytest.fixture
def real_arguments(shared_data):
    folder = shared_data / "dico_nli"
    return [
        "--gold",
        folder / "trial_track1_reference.csv",
        "--predictions",
        folder / "trial_track1_random_submission.csv",
    ]


@pytest.fixture
def official(shared_data):
    return (shared_data / "dico_nli" / "trial_track1_random_scores.json").read_bytes()


def test_standard_library_alone(tree, tmp_path, real_arguments, official):
    done = run(tree, *real_arguments, "--output-dir", tmp_path, python=(sys.executable, "-c", BLOCKED))
    assert (done.returncode, done.stdout, done.stderr) == (0, official, b"")
    assert (tmp_path / "scores.json").read_bytes() == official


@pytest.mark.parametrize("version", ["3.10", "3.12", "3.13"])
def test_other_bare_interpreters(tree, tmp_path, real_arguments, official, version):
    python = shutil.which(f"python{version}")
    # pyenv puts stand-ins on the PATH, which start the version that this variable names; to others it means nothing.
    choice = {"PYENV_VERSION": version}
    if python is None or run(tree, "-c", "", python=(python,), env=choice).returncode:
        pytest.skip(f"no working python{version} on the PATH")
    command = (python, "-S", "-m", "tricord.dico_nli")
    done = run(tree, *real_arguments, "--output-dir", tmp_path, python=command, env=choice)
    assert (done.returncode, done.stdout, done.stderr) == (0, official, b"")


@pytest.mark.parametrize("arguments", [["dico-nli", "score"], ["dico-nli"]])
def test_the_common_command(tree, real_arguments, official, arguments):
    done = run(tree, *arguments, *real_arguments, python=(sys.executable, "-S", "-m", "tricord"))
    assert (done.returncode, done.stdout, done.stderr) == (0, official, b"")


def test_no_heavy_module_is_imported(tree, pair):
    script = (
        "import sys\nfrom tricord.dico_nli.cli import main\n"
        f"main(['--gold', {str(pair.gold)!r}, '--predictions', {str(pair.predictions)!r}])\n"
        "import json\nprint(json.dumps(list(sys.modules)), file=sys.stderr)"
    )
    done = run(tree, python=(sys.executable, "-S", "-c", script))
    loaded = {name.partition(".")[0] for name in json.loads(done.stderr)}
    assert "tricord" in loaded
    assert not loaded & {"numpy", "evaluate", "datasets", "torch", "gradio", "pandas", "pyarrow", "sklearn"}
    # These of the standard library alone cost more than the whole scorer.
    assert not loaded & {"asyncio", "unittest", "http", "multiprocessing", "logging", "concurrent"}


@pytest.mark.parametrize(
    ("gold", "predictions", "part"),
    [
        (None, samples.prediction_text()[:-40], "p4__en-en__original"),
        (b"\xff\xfe", None, "UTF-8"),
        ("a,b\n\0", None, "NUL"),
        (None, "instance_id,label\n,\n", "line 2"),
        (None, samples.prediction_text(samples.changed(samples.PREDICTIONS, 0, 1, "é🚢")), "p1"),
    ],
)
def test_rejected_input_has_no_traceback(tree, tmp_path, gold, predictions, part):
    pair = samples.write_pair(tmp_path, gold, predictions)
    done = run(tree, "--gold", pair.gold, "--predictions", pair.predictions, "--output-dir", tmp_path / "out")
    assert (done.returncode, done.stdout) == (2, b"")
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("SCORING_ERROR: ")
    assert part in lines[0]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("at", [1, 2, 3, 4])
@pytest.mark.parametrize("earlier", [False, True])
def test_killed_run_leaves_whole_files(tree, pair, tmp_path, at, earlier):
    output = tmp_path / "out"
    output.mkdir()
    if earlier:
        for name in ("scores.json", "scores.txt"):
            (output / name).write_text("earlier")
    arguments = ["--gold", pair.gold, "--predictions", pair.predictions]
    killed = run(tree, tree, at, *arguments, "--output-dir", output, python=(sys.executable, "-S", "-c", KILLED))
    assert killed.returncode == -signal.SIGKILL
    whole = tmp_path / "whole"
    assert run(tree, *arguments, "--output-dir", whole).returncode == 0
    renamed = at - 3  # two files are synchronised, then two are renamed
    for number, name in enumerate(["scores.json", "scores.txt"]):
        if number < renamed:
            assert (output / name).read_bytes() == (whole / name).read_bytes()
        elif earlier:
            assert (output / name).read_text() == "earlier"
        else:
            assert not (output / name).exists()
    # What the dead run left behind does not disturb the next one.
    assert run(tree, *arguments, "--output-dir", output).returncode == 0
    assert (output / "scores.json").read_bytes() == (whole / "scores.json").read_bytes()


def test_two_runs_into_one_folder(tree, pair, tmp_path):
    arguments = [
        "--gold",
        str(pair.gold),
        "--predictions",
        str(pair.predictions),
        "--output-dir",
        str(tmp_path / "out"),
    ]
    command = [sys.executable, "-S", "-m", "tricord.dico_nli", *arguments]
    runs = [subprocess.Popen(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    outcomes = [(*process.communicate(timeout=60), process.returncode) for process in runs]
    assert {outcome[1:] for outcome in outcomes} == {(b"", 0)}
    assert {outcome[0] for outcome in outcomes} == {(tmp_path / "out" / "scores.json").read_bytes()}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["scores.json", "scores.txt"]


def test_reader_that_goes_away(tree, real_arguments):
    done = run(
        tree, "-c", f'{sys.executable} -S -m tricord.dico_nli "$@" | head -1', "x", *real_arguments, python=("sh",)
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"{\n", b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")  # noqa: PTH110
def test_full_disk_behind_standard_output(tree, pair):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = run(tree, "--gold", pair.gold, "--predictions", pair.predictions, stdout=full)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        "SCORING_ERROR: the result cannot be printed (No space left on device)"
    ]


def test_closed_standard_output(tree, pair, tmp_path):
    command = f'{sys.executable} -S -m tricord.dico_nli "$@" >&-'
    done = run(tree, "-c", command, "x", "--gold", pair.gold, "--predictions", pair.predictions, "--output-dir", tmp_path / "out",
               python=("sh",))  # fmt: skip
    assert b"Traceback" not in done.stderr
    assert json.loads((tmp_path / "out" / "scores.json").read_text())["soft_cons"] == 1.0


@pytest.mark.parametrize("command", ["validate", "template"])
def test_text_that_the_terminal_cannot_show(tree, tmp_path, command):
    rows = [[cell.replace("p2", "ñ2") for cell in row] for row in samples.REFERENCE]
    answers = [[cell.replace("p2", "ñ2") for cell in row] for row in samples.PREDICTIONS]
    folder = tmp_path / "ñ"
    folder.mkdir()
    pair = samples.write_pair(folder, samples.reference_text(rows), samples.prediction_text(answers))
    arguments = {"validate": ["--predictions", pair.predictions], "template": []}[command]
    done = run(tree, command, *arguments, "--gold", pair.gold, env={"PYTHONIOENCODING": "ascii"})
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 2)


def test_file_name_that_is_not_utf8(tree, tmp_path, pair):
    name = os.fsencode(tmp_path) + b"/\xff.csv"
    os.rename(pair.predictions, name)  # noqa: PTH104
    good = run(tree, "validate", "--gold", pair.gold, "--predictions", os.fsdecode(name))
    assert b"Traceback" not in good.stderr
    assert good.returncode == 0
    with open(name, "a") as stream:  # noqa: PTH123
        stream.write("x\n")
    bad = run(tree, "--gold", pair.gold, "--predictions", os.fsdecode(name))
    assert (bad.returncode, bad.stdout) == (2, b"")
    assert len(bad.stderr.splitlines()) == 1
    assert b"line 8" in bad.stderr


def test_interrupted_run(tree, pair, tmp_path):
    script = (
        "import sys\nfrom tricord.dico_nli import cli\n"
        "def stop(*_): raise KeyboardInterrupt\ncli.score = stop\nsys.exit(cli.main())"
    )
    done = run(tree, "--gold", pair.gold, "--predictions", pair.predictions, "--output-dir", tmp_path / "out",
               python=(sys.executable, "-S", "-c", script))  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
    assert not (tmp_path / "out").exists()
