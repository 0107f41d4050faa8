"""Every example in docstrings, model cards, the README and the documentation runs and shows what it says."""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted([*ROOT.glob("src/tricord/**/*.py"), *ROOT.glob("metrics/*/*.py")])
CARDS = sorted([ROOT / "README.md", *ROOT.glob("metrics/*/README.md")])
PAGES = sorted({*CARDS, *ROOT.glob("docs/**/*.md")})
PYTHON_BLOCK = re.compile(
    r"^(?P<fence>```+)(?:python|py|pycon)[^\n]*\n(?P<code>.*?)^(?P=fence)", re.MULTILINE | re.DOTALL
)


def name(path):
    return str(path.relative_to(ROOT))


def load_source(path):
    """Import a file of the package by its name, and a module file by its place."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] == "src":
        return importlib.import_module(".".join(parts[1:]).removesuffix(".__init__"))
    spec = importlib.util.spec_from_file_location(f"doctest_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_examples(tests, capsys):
    """Run doctests; return how many examples there were."""
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for test in tests:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0, capsys.readouterr().out
    return runner.tries


def card_examples(path):
    """Join the `>>>` blocks of a page into one doctest, so that a later block can use what an earlier one made."""
    text = path.read_text(encoding="utf-8")
    blocks = [block["code"] for block in PYTHON_BLOCK.finditer(text) if ">>>" in block["code"]]
    return doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name(path), name(path), 0)


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    """Examples may write files, and must not need the checkout as the current folder; README ones start there."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("path", [path for path in SOURCES if path.name != "__main__.py"], ids=name)
def test_docstrings(path, capsys):
    module = load_source(path)
    tests = doctest.DocTestFinder(exclude_empty=True).find(module)
    for test in tests:
        test.globs.setdefault("__name__", "__main__")
    run_examples(tests, capsys)


@pytest.mark.parametrize("path", [path for path in SOURCES if path.parts[-3] == "metrics"], ids=name)
def test_modules_have_examples_in_the_text_that_evaluate_shows(path, capsys):
    module = load_source(path)
    test = doctest.DocTestParser().get_doctest(module._KWARGS_DESCRIPTION, {}, name(path), name(path), 0)
    assert run_examples([test], capsys)


@pytest.mark.parametrize("path", [path.parent for path in ROOT.glob("metrics/*/*.py")], ids=name)
def test_every_module_has_a_card(path):
    assert (path / "README.md").is_file()


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_pages(path, capsys, monkeypatch):
    # Commands and examples of these pages are given for the root of the checkout.
    monkeypatch.chdir(ROOT)
    examples = run_examples([card_examples(path)], capsys)
    if path in CARDS:
        assert examples, f"{name(path)} shows no example that runs"


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_other_python_blocks_are_python(path):
    for block in PYTHON_BLOCK.finditer(path.read_text(encoding="utf-8")):
        if ">>>" not in block["code"]:
            compile(block["code"], name(path), "exec")
