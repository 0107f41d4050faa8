"""Without the heavy packages everything but TrackTrainer works, and that names the extra."""

import subprocess
import sys
from pathlib import Path

import pytest

import tricord

pytestmark = pytest.mark.process

HEAVY = ("torch", "transformers", "accelerate", "trl")


def run(code):
    block = f"import sys\nsys.modules.update(dict.fromkeys({HEAVY!r}))\n"
    environment = {"PYTHONPATH": str(Path(tricord.__file__).parents[1])}
    command = [sys.executable, "-c", block + code]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_everything_but_the_trainer_works_without_the_heavy_packages():
    output = run(
        "from tricord.training import *\n"
        "rows = [{'instance_id': f'p__en-en__{direction}', 'label': 0} for direction in ('original', 'flipped')]\n"
        "print(dico_nli_metrics(rows)(([0, 0], [0, 0]))['hard_cons'], gather_rows([1, 0], [5, 6], total=2).tolist())\n"
        "class Mine(TracksMixin): pass\n"
        "try:\n"
        "    from tricord.training import TrackTrainer\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    first, second = output.splitlines()
    assert first == "1.0 [6, 5]"
    assert second.startswith("tricord.training.TrackTrainer needs transformers, torch and accelerate (")
    assert second.endswith("install them with: pip install 'tricord[train]'")


def test_importing_the_package_imports_no_heavy_one():
    code = f"import sys, tricord.training\nprint([name for name in {(*HEAVY, 'datasets', 'evaluate')!r} if name in sys.modules])"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output == "[]\n"


def test_unknown_names_are_unknown():
    import tricord.training

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tricord.training.nothing
