"""Every kind of input that the task rejects: one line that names the place, exit status 2, and nothing written."""

import os

import pytest

from dico_nli import samples
from dico_nli.samples import PREDICTION_HEADER, PREDICTIONS, REFERENCE, REFERENCE_HEADER, changed, csv_text
from tricord.dico_nli import io
from tricord.dico_nli.cli import main

ID, PAIR, LINK, LABEL = range(4)
IDS = [row[ID] for row in REFERENCE]


def gold(row, column, value):
    return samples.reference_text(changed(REFERENCE, row, column, value))


def gold_with(extra):
    """A reference with further columns, the same cell in every row."""
    return csv_text([*REFERENCE_HEADER, *extra], [[*row, *extra.values()] for row in REFERENCE])


def predictions(row, column, value):
    return samples.prediction_text(changed(PREDICTIONS, row, column, value))


def with_line(text, number, line):
    """Replace a line, counted from 1."""
    lines = text.splitlines()
    lines[number - 1] = line
    return "\n".join(lines) + "\n"


GOLD, PRED = samples.reference_text(), samples.prediction_text()

# For each kind: the spoilt content and what the message must hold besides the name of the file.
BAD_GOLD = {
    "empty file": ("", ["empty"]),
    "only a byte order mark": (b"\xef\xbb\xbf", ["empty"]),
    "only empty lines": ("\n\r\n\n", ["empty"]),
    "no data rows": (csv_text(REFERENCE_HEADER, []), ["no rows"]),
    "no data rows but empty lines": (csv_text(REFERENCE_HEADER, []) + "\n\n", ["no rows"]),
    "not UTF-8": (GOLD.replace("p2", "p\xe9").encode("latin-1"), ["line 4", "0xe9", "UTF-8"]),
    "UTF-16": (GOLD.encode("utf-16"), ["NUL"]),
    "NUL byte": (GOLD.replace("p4", "p\x004"), ["line 7", "NUL"]),
    "NUL byte in an ignored column": (gold_with({"t": "a\0"}), ["line 2", "NUL"]),
    "missing column": (csv_text(REFERENCE_HEADER[:3], [row[:3] for row in REFERENCE]), ["header", "'label'"]),
    "column of another case": (GOLD.replace("reverse_pair_id", "Reverse_Pair_Id"), ["header", "'reverse_pair_id'"]),
    "no header": (csv_text(REFERENCE[0], REFERENCE[1:]), ["header", "missing column"]),
    "duplicate column": (gold_with({" label": "EQUIVALENCE"}), ["header", "duplicate", "'label'"]),
    "duplicate ignored column": (gold_with({"t": "", "t ": ""}), ["header", "duplicate", "'t'"]),
    "empty column": (gold_with({" ": ""}), ["header", "column 5", "no name"]),
    "semicolons": (GOLD.replace(",", ";"), ["header", "missing column"]),
    "too many fields": (with_line(GOLD, 3, ",".join(REFERENCE[1]) + ",x"), ["line 3", "too many", "5"]),
    "too few fields": (with_line(GOLD, 3, ",".join(REFERENCE[1][:3])), ["line 3", "too few", "3"]),
    "blank row": (with_line(GOLD, 5, ",,,"), ["line 5", "empty"]),
    "row of spaces": (with_line(GOLD, 5, "  "), ["line 5", "empty"]),
    "missing id": (gold(2, ID, ""), ["line 4", "instance_id"]),
    "missing pair_id": (gold(2, PAIR, " "), ["line 4", "pair_id"]),
    "missing label": (gold(2, LABEL, ""), ["line 4", "label"]),
    "id with white space": (gold(2, ID, "p 2"), ["line 4", "instance_id", "'p 2'"]),
    "id with a tab": (gold(2, ID, "p\t2"), ["line 4", "instance_id"]),
    "id with a line break": (gold(2, ID, '"p\n2"'), ["instance_id", "'p\\n2'"]),
    "id with a wide space": (gold(2, ID, "p\u30002"), ["line 4", "instance_id"]),
    "pair_id with white space": (gold(2, PAIR, "p 2"), ["line 4", "pair_id", "'p 2'"]),
    "link with white space": (gold(0, LINK, "p1 x"), ["line 2", "reverse_pair_id", "'p1 x'"]),
    "unknown label": (gold(2, LABEL, "NEUTRAL"), [IDS[2], "'NEUTRAL'", "NEGATIVE_OTHER"]),
    "label of another case": (gold(2, LABEL, "Negative_Other"), [IDS[2], "'Negative_Other'"]),
    "label id": (gold(2, LABEL, "3"), [IDS[2], "'3'"]),
    "duplicate id": (gold(5, ID, IDS[2]), ["duplicate", IDS[2]]),
    "link to itself": (gold(0, LINK, IDS[0]), [IDS[0], "own id"]),
    "unknown link": (gold(0, LINK, "nobody"), [IDS[0], "'nobody'"]),
    "link not reciprocated": (gold(1, LINK, ""), [IDS[0], IDS[1]]),
    "link on a NEGATIVE_OTHER row": (gold(2, LINK, IDS[5]), [IDS[2], "NEGATIVE_OTHER"]),
    "link across pair_ids": (gold(1, PAIR, "p9"), [IDS[0], "'p9'"]),
    "labels not each other's reverse": (gold(1, LABEL, "EQUIVALENCE"), [IDS[0], "FORWARD_ENTAILMENT", "EQUIVALENCE"]),
    "no reversible pair": (csv_text(REFERENCE_HEADER, [[*row[:2], "", row[3]] for row in REFERENCE]), ["reversible pair"]),
    "field too large": (gold_with({"t": "x" * 1_000_001}), ["line 2", "1,000,000"]),
    "open quote": (gold(2, ID, '"p2'), ["quote"]),
    "text behind a quote": (gold(2, ID, '"p2"x'), ["line 4"]),
    "old Macintosh line ends": (GOLD.replace("\n", "\r"), ["carriage return"]),
    "carriage return inside a row": (gold(2, ID, "p\r2"), ["carriage return"]),
}  # fmt: skip

BAD_PREDICTIONS = {
    "empty file": ("", ["empty"]),
    "no data rows": ("instance_id,label\n", ["no rows"]),
    "not UTF-8": (PRED.encode() + b"\xff,x\n", ["line 8", "0xff"]),
    "NUL byte": (PRED + "\0", ["line 8", "NUL"]),
    "missing column": (csv_text(["instance_id"], [[name] for name in IDS]), ["header", "'label'"]),
    "unexpected column": (csv_text([*PREDICTION_HEADER, "p"], [[*row, "1"] for row in PREDICTIONS]), ["header", "'p'"]),
    "a reference in its place": (GOLD, ["header", "'pair_id'"]),
    "duplicate column": (csv_text(["label", *PREDICTION_HEADER], [["", *row] for row in PREDICTIONS]), ["duplicate"]),
    "empty column": (csv_text([*PREDICTION_HEADER, ""], [[*row, ""] for row in PREDICTIONS]), ["header", "no name"]),
    "too many fields": (PRED + "a,EQUIVALENCE,\n", ["line 8", "too many"]),
    "too few fields": (PRED + "a\n", ["line 8", "too few"]),
    "blank row": (PRED + ",\n", ["line 8", "empty"]),
    "missing id": (predictions(1, 0, ""), ["line 3", "instance_id"]),
    "missing label": (predictions(1, 1, ""), ["line 3", "label"]),
    "id with white space": (predictions(1, 0, "a b"), ["line 3", "'a b'"]),
    "unknown label": (predictions(1, 1, "entailment"), [IDS[1], "'entailment'", "EQUIVALENCE"]),
    "label with a line break": (predictions(1, 1, '"NO\nPE"'), [IDS[1], "NO\\nPE"]),
    "a label of a million characters": (predictions(1, 1, "x" * 1_000_000), [IDS[1]]),
    "duplicate id": (predictions(1, 0, IDS[0]), ["duplicate", IDS[0]]),
    "missing predictions": (samples.prediction_text(PREDICTIONS[2:]), ["2 ", IDS[0], IDS[1]]),
    "unknown ids": (PRED + "x1,EQUIVALENCE\nx0,EQUIVALENCE\n", ["2 ", "'x0', 'x1'"]),
    "missing and unknown": (predictions(0, 0, "x"), [IDS[0], "'x'"]),
    "field too large": (predictions(1, 1, "x" * 1_000_001), ["line 3", "1,000,000"]),
}  # fmt: skip


@pytest.fixture
def rejected(tmp_path, capfd):
    """Run the scorer over an output folder with earlier results; check all that holds for every rejection."""

    def run(pair, spoilt, parts):
        output = tmp_path / "output"
        output.mkdir(exist_ok=True)
        (output / "scores.json").write_text("earlier")
        arguments = ["--gold", str(pair.gold), "--predictions", str(pair.predictions)]
        for folder in (output, tmp_path / "new"):
            assert main([*arguments, "--output-dir", str(folder)]) == 2
            out, err = capfd.readouterr()
            assert out == ""
            assert err.startswith("SCORING_ERROR: ")
            assert err.endswith("\n")
            assert len(err.splitlines()) == 1
            assert len(err) < 2000
            for part in [os.fspath(spoilt).replace("\n", "\\n"), *parts]:
                assert part in err
        assert [path.name for path in output.iterdir()] == ["scores.json"]
        assert (output / "scores.json").read_text() == "earlier"
        assert not (tmp_path / "new").exists()

    return run


@pytest.mark.parametrize("kind", BAD_GOLD)
def test_bad_reference(tmp_path, rejected, kind):
    content, parts = BAD_GOLD[kind]
    pair = samples.write_pair(tmp_path, gold=content)
    rejected(pair, pair.gold, parts)


@pytest.mark.parametrize("kind", BAD_PREDICTIONS)
def test_bad_predictions(tmp_path, rejected, kind):
    content, parts = BAD_PREDICTIONS[kind]
    pair = samples.write_pair(tmp_path, predictions=content)
    rejected(pair, pair.predictions, parts)


def _missing(path):
    path.unlink()


def _folder(path):
    path.unlink()
    path.mkdir()


def _pipe(path):
    path.unlink()
    os.mkfifo(path)


def _dangling_link(path):
    path.unlink()
    path.symlink_to("nowhere")


def _link_to_itself(path):
    path.unlink()
    path.symlink_to(path)


def _device(path):
    path.unlink()
    path.symlink_to("/dev/zero")


def _too_many_bytes(path):
    os.truncate(path, 64 * 1024 * 1024 + 1)  # a sparse file: costs no disk


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (_missing, "no such file"),
        (_folder, "directory"),
        (_pipe, "not a regular file"),
        (_device, "not a regular file"),
        (_dangling_link, "no such file"),
        (_link_to_itself, "cannot be read"),
        (_too_many_bytes, "too large"),
    ],
)
@pytest.mark.parametrize("which", ["gold", "predictions"])
def test_what_is_no_readable_file(tmp_path, rejected, which, spoil, part):
    pair = samples.write_pair(tmp_path)
    spoil(getattr(pair, which))
    rejected(pair, getattr(pair, which), [part])


@pytest.mark.parametrize("which", ["gold", "predictions"])
def test_too_many_rows(tmp_path, rejected, which, monkeypatch):
    pair = samples.write_pair(tmp_path)
    text = getattr(pair, which).read_text().rstrip("\n").rsplit("\n", 1)[1]
    getattr(pair, which).write_text({"gold": GOLD, "predictions": PRED}[which] + f"more{text}\n")
    monkeypatch.setattr(io, "MAX_ROWS", 6)
    rejected(pair, getattr(pair, which), ["too many rows", "6"])


@pytest.mark.parametrize(
    "name", ["a\nb.csv", "a\r\nb.csv", "a\u2028b.csv", "a\x85b.csv", "a\x0bb.csv", "ñ🚢.csv", "x" * 300]
)
def test_odd_file_names(tmp_path, capfd, name):
    pair = samples.write_pair(tmp_path)
    assert main(["--gold", str(tmp_path / name), "--predictions", str(pair.predictions)]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("SCORING_ERROR: ")
    assert len(err.splitlines()) == 1


def test_file_name_with_nul(tmp_path, capfd):
    assert main(["--gold", "a\0b", "--predictions", str(tmp_path)]) == 2
    assert "NUL" in capfd.readouterr().err


@pytest.mark.parametrize("target", ["", "scores.json"])
def test_output_that_is_in_the_way(tmp_path, capfd, target):
    pair = samples.write_pair(tmp_path)
    output = tmp_path / "out"
    if target:
        (output / target).mkdir(parents=True)
    else:
        output.write_text("a file")
    assert main(["--gold", str(pair.gold), "--predictions", str(pair.predictions), "--output-dir", str(output)]) == 2
    out, err = capfd.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert str(output) in err
    if target:
        assert [path.name for path in output.iterdir()] == [target]


@pytest.mark.parametrize("command", ["validate", "template"])
def test_other_commands_reject_alike(tmp_path, capfd, command):
    pair = samples.write_pair(tmp_path, gold=gold(2, ID, "p 2"))
    arguments = {
        "validate": ["--predictions", str(pair.predictions), "--template", str(pair.gold)],
        "template": ["--gold", str(pair.gold), "--output", str(tmp_path / "new.csv")],
    }[command]
    assert main([command, *arguments]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"SCORING_ERROR: {pair.gold}: line 4: instance_id 'p 2'")
    assert not (tmp_path / "new.csv").exists()
