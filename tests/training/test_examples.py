"""The training examples run as they stand, on the bundled data, and end with what the file scorer would say."""

import runpy
import sys

import pytest

pytest.importorskip("torch", reason="the tests of the training hooks need torch (make test TORCH=...)")
pytest.importorskip("transformers")
pytest.importorskip("accelerate")


# Without an accelerator torch warns that memory is not pinned.
@pytest.mark.filterwarnings("ignore:'pin_memory' argument")
@pytest.mark.parametrize("name", ["train_dico_nli", "train_dico_nli_accelerate"])
def test_example(name, root, tmp_path, monkeypatch, capsys):
    gold = root / "examples/data/dico_nli/gold.csv"
    arguments = ["--dev", f"first={gold}", f"second={gold}", "--epochs", "2", "--output", str(tmp_path / "model")]
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *arguments])
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(root / "examples"))
    runpy.run_path(str(root / "examples" / f"{name}.py"), run_name="__main__")
    rows = dict(
        line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines() if line[:5] in ("first", "secon")
    )
    assert rows["first"] == rows["second"]
    assert all(0 <= float(value) <= 1 for value in rows["first"].split())
    assert list((tmp_path / "model").glob("**/config.json"))
