"""The command line of DiCo-NLI on good input: the real pair, both modes, and the other sub-commands."""

import csv
import io
import json

import pytest

from dico_nli import samples
from tricord.dico_nli import explain, read_reference, score
from tricord.dico_nli.cli import main
from tricord.outputs import to_json


@pytest.fixture
def real(shared_data):
    folder = shared_data / "dico_nli"
    return samples.Pair(folder / "trial_track1_reference.csv", folder / "trial_track1_random_submission.csv")


@pytest.fixture
def official(shared_data):
    """The organisers' own files for the real pair."""
    stem = shared_data / "dico_nli" / "trial_track1_random_scores"
    return stem.with_suffix(".json").read_bytes(), stem.with_suffix(".txt").read_bytes()


def test_real_pair_byte_for_byte(real, official, tmp_path, capfdbinary):
    output = tmp_path / "made" / "for it"
    assert main(["--gold", str(real.gold), "--predictions", str(real.predictions), "--output-dir", str(output)]) == 0
    assert (output / "scores.json").read_bytes() == official[0]
    assert (output / "scores.txt").read_bytes() == official[1]
    assert sorted(path.name for path in output.iterdir()) == ["scores.json", "scores.txt"]
    assert capfdbinary.readouterr() == (official[0], b"")


@pytest.mark.parametrize("word", [[], ["score"]])
def test_report_alone(real, official, capfdbinary, word):
    assert main([*word, "--gold", str(real.gold), "--predictions", str(real.predictions)]) == 0
    assert capfdbinary.readouterr() == (official[0], b"")


def test_directory_mode_byte_for_byte(real, official, tmp_path, capfdbinary):
    for folder in ("ref", "res"):
        (tmp_path / folder).mkdir()
    (tmp_path / "ref" / "gold.csv").write_bytes(real.gold.read_bytes())
    (tmp_path / "res" / "predictions.csv").write_bytes(real.predictions.read_bytes())
    folders = ["--reference-dir", str(tmp_path / "ref"), "--submission-dir", str(tmp_path / "res")]
    assert main([*folders, "--output-dir", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "scores.json").read_bytes() == official[0]
    assert (tmp_path / "out" / "scores.txt").read_bytes() == official[1]
    assert capfdbinary.readouterr() == (official[0], b"")


def test_directory_mode_with_other_file_names(tmp_path, capsys):
    pair = samples.write_pair(tmp_path)
    pair.gold.rename(tmp_path / "g.tsv")
    pair.predictions.rename(tmp_path / "p.tsv")
    arguments = [
        "--reference-dir",
        str(tmp_path),
        "--submission-dir",
        str(tmp_path),
        "--output-dir",
        str(tmp_path / "o"),
    ]
    assert main([*arguments, "--gold-filename", "g.tsv", "--prediction-filename", "p.tsv"]) == 0
    assert json.loads(capsys.readouterr().out)["hard_cons"] == 0.5
    assert main(arguments) == 2
    assert "gold.csv: no such file" in capsys.readouterr().err


def test_earlier_scores_are_replaced(tmp_path):
    pair = samples.write_pair(tmp_path)
    (tmp_path / "scores.json").write_text("old" * 10_000)
    arguments = ["--gold", str(pair.gold), "--predictions", str(pair.predictions), "--output-dir", str(tmp_path)]
    assert main(arguments) == 0
    first = (tmp_path / "scores.json").read_bytes()
    assert json.loads(first)["soft_cons"] == 1.0
    assert main(arguments) == 0
    assert (tmp_path / "scores.json").read_bytes() == first


def test_inferred_pairs(tmp_path, capsys):
    rows = [[row[0], row[1], row[3]] for row in samples.REFERENCE[:5]]
    gold = samples.csv_text(["instance_id", "pair_id", "label"], rows)
    pair = samples.write_pair(tmp_path, gold, samples.prediction_text(samples.PREDICTIONS[:5]))
    assert main(["--gold", str(pair.gold), "--predictions", str(pair.predictions), "--infer-pairs"]) == 0
    assert json.loads(capsys.readouterr().out)["consistency"]["reversible_pairs"] == 2
    assert main(["--gold", str(pair.gold), "--predictions", str(pair.predictions)]) == 2
    assert "reverse_pair_id" in capsys.readouterr().err


def test_table(tmp_path, capsys):
    pair = samples.write_pair(tmp_path)
    assert main(["--gold", str(pair.gold), "--predictions", str(pair.predictions), "--format", "table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    report = score(read_reference(pair.gold), pair.predictions)
    assert f"weighted_f1  {report.weighted_f1:.4f}" in lines
    assert "2 reversible pairs: 2 consistent, 1 correct in both directions" in lines
    assert any(line.startswith("NEGATIVE_OTHER") for line in lines)
    assert report.signature in lines


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--gold", "g"],
        ["--predictions", "p"],
        ["--gold", "g", "--predictions", "p", "--reference-dir", "r"],
        ["--gold", "g", "--submission-dir", "s", "--output-dir", "o"],
        ["--reference-dir", "r", "--submission-dir", "s"],
        ["--reference-dir", "r", "--output-dir", "o"],
        ["--gold", "g", "--predictions", "p", "--format", "xml"],
        ["--gold", "g", "--predictions", "p", "--unknown"],
        ["unknown"],
        ["validate", "--predictions", "p"],
        ["validate", "--predictions", "p", "--gold", "g", "--template", "t"],
        ["template"],
        ["aggregate"],
        ["aggregate", "--profile", "all", "1=x"],
        ["aggregate", "scores.json"],
        ["aggregate", "one=scores.json"],
        ["aggregate", "²=scores.json"],
        ["aggregate", "1="],
        ["aggregate", f"{'9' * 5000}=scores.json"],
    ],
)
def test_wrong_usage(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: ")


@pytest.mark.parametrize("command", [[], ["score"], ["validate"], ["template"], ["aggregate"]])
def test_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    assert stop.value.code == 0
    assert "usage: " in capsys.readouterr().out


def test_validate(tmp_path, capsys):
    pair = samples.write_pair(tmp_path)
    for against in ("--gold", "--template"):
        assert main(["validate", "--predictions", str(pair.predictions), against, str(pair.gold)]) == 0
        assert capsys.readouterr().out == f"{pair.predictions}: valid, 6 predictions\n"
    pair.predictions.write_text(samples.prediction_text(samples.PREDICTIONS[:5]))
    assert main(["validate", "--predictions", str(pair.predictions), "--gold", str(pair.gold)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"SCORING_ERROR: {pair.predictions}: instance ids 1 without a prediction: ")
    assert "p4__en-en__original" in err


def test_template_printed_and_written(tmp_path, capsys):
    pair = samples.write_pair(tmp_path)
    expected = "instance_id,label\n" + "".join(f"{name},\n" for name in sorted(row[0] for row in samples.REFERENCE))
    assert main(["template", "--gold", str(pair.gold)]) == 0
    assert capsys.readouterr().out == expected
    target = tmp_path / "new" / "template.csv"
    assert main(["template", "--gold", str(pair.gold), "--output", str(target)]) == 0
    assert target.read_bytes() == expected.encode()
    assert main(["validate", "--predictions", str(pair.predictions), "--template", str(target)]) == 0


def test_template_does_not_overwrite_filled_in_predictions(tmp_path, capsys):
    pair = samples.write_pair(tmp_path)
    arguments = ["template", "--gold", str(pair.gold), "--output", str(pair.predictions)]
    assert main(arguments) == 2
    assert "predictions.csv: exists already" in capsys.readouterr().err
    assert pair.predictions.read_text() == samples.prediction_text()
    assert main([*arguments, "--force"]) == 0
    assert pair.predictions.read_text() != samples.prediction_text()


def test_template_of_a_participants_file_without_labels(tmp_path, capsys):
    gold = tmp_path / "test.csv"
    gold.write_text("instance_id,pair_id,text1\nb,x,\na,x,y\n")
    assert main(["template", "--gold", str(gold)]) == 0
    assert capsys.readouterr().out == "instance_id,label\na,\nb,\n"


@pytest.fixture
def tracks(tmp_path):
    """Score files of four tracks."""
    for track in range(1, 5):
        scores = {"weighted_f1": track / 10, "soft_cons": 0.5, "hard_cons": 0.25}
        (tmp_path / f"{track}.json").write_text(json.dumps(scores))
    return lambda *chosen: [f"{track}={tmp_path / f'{track}.json'}" for track in chosen]


def test_aggregate_refuses_a_track_that_the_profile_leaves_out(tracks, capsys):
    assert main(["aggregate", "--profile", "monolingual", *tracks(1, 2, 3, 4)]) == 2
    assert "track 4" in capsys.readouterr().err


def test_aggregate_profiles(tracks, tmp_path, capsys):
    target = tmp_path / "average.json"
    assert main(["aggregate", "--profile", "monolingual", *tracks(3, 1, 2), "--output", str(target)]) == 0
    out = capsys.readouterr().out
    assert target.read_text() == out
    result = json.loads(out)
    assert out == to_json(result)
    assert (result["name"], result["tracks"]) == ("monolingual", [1, 2, 3])
    assert result["macro_average"]["weighted_f1"] == (0.1 + 0.2 + 0.3) / 3
    assert main(["aggregate", "--profile", "all-tracks", *tracks(1, 2, 3, 4)]) == 0
    assert json.loads(capsys.readouterr().out)["macro_average"]["weighted_f1"] == (0.1 + 0.2 + 0.3 + 0.4) / 4


def test_aggregate_a_chosen_set(tracks, capsys):
    assert main(["aggregate", *tracks(4, 1), "--name", "mine"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["name"], result["tracks"]) == ("mine", [4, 1])
    assert list(result["per_track"]) == ["1", "4"]


def test_aggregate_real_scores(shared_data, official, capsys):
    assert main(["aggregate", f"1={shared_data / 'dico_nli' / 'trial_track1_random_scores.json'}"]) == 0
    assert json.loads(capsys.readouterr().out)["macro_average"]["weighted_f1"] == json.loads(official[0])["weighted_f1"]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("", "the file is empty"),
        ("{", "not valid JSON"),
        ("[]", "one object"),
        ("{}", "track 1: expected weighted_f1"),
        ('{"weighted_f1": NaN}', "NaN"),
        ('{"weighted_f1": 2, "soft_cons": 0, "hard_cons": 0}', "got 2"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 10_000, "1.json"),
        ("null", "None"),
    ],
)
def test_aggregate_of_bad_score_files(tmp_path, capsys, content, part):
    path = tmp_path / "1.json"
    path.write_text(content)
    assert main(["aggregate", f"1={path}", "--output", str(tmp_path / "out.json")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("SCORING_ERROR: ")
    assert err.count("\n") == 1
    assert part in err
    assert not (tmp_path / "out.json").exists()


def test_aggregate_lacking_a_track(tracks, capsys):
    assert main(["aggregate", "--profile", "monolingual", *tracks(1, 2)]) == 2
    assert "track 3" in capsys.readouterr().err
    assert main(["aggregate", *tracks(1, 1)]) == 2
    assert "track 1 is given twice" in capsys.readouterr().err


def test_inputs_are_not_overwritten(tmp_path, capsys):
    pair = samples.write_pair(tmp_path)
    gold = pair.gold.rename(tmp_path / "scores.txt")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for arguments in (
        ["--gold", str(gold), "--predictions", str(pair.predictions), "--output-dir", str(tmp_path)],
        ["template", "--gold", str(gold), "--output", str(gold), "--force"],
        ["aggregate", f"1={gold}", "--output", str(gold)],
    ):
        assert main(arguments) == 2
        assert f"SCORING_ERROR: {gold}: is also an input" in capsys.readouterr().err
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_explain_lists_all_faulty_pairs_and_their_kinds(tmp_path, capsys):
    pair = samples.write_pair(tmp_path)
    files = ["--gold", str(pair.gold), "--predictions", str(pair.predictions)]
    expected = explain(score(read_reference(pair.gold), pair.predictions))
    assert len(expected) == 1
    assert main(["explain", *files, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == expected
    assert main(["explain", *files, "--format", "csv"]) == 0
    assert list(csv.DictReader(io.StringIO(capsys.readouterr().out))) == expected
    assert main(["explain", *files]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("flipped")


def test_output_holds_the_signature_which_the_official_layout_has_no_place_for(tmp_path, capsys):
    pair = samples.write_pair(tmp_path)
    report = score(read_reference(pair.gold), pair.predictions)
    files = ["--gold", str(pair.gold), "--predictions", str(pair.predictions)]
    assert main([*files, "--output", str(tmp_path / "report.json")]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(report.details()))
    assert json.loads((tmp_path / "report.json").read_text()) == {**printed, "signature": report.signature}
