"""Scoring from end to end, compared with the naive scorer and on the real files."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dico_nli import naive, samples, strategies
from dico_nli.naive import LABELS
from tricord import InputFileError, TricordError, ValidationError
from tricord.dico_nli import make_reference, read_predictions, read_reference, score, validate_submission
from tricord.outputs import to_json

MODEL_ORDER = ["NEGATIVE_OTHER", "BACKWARD_ENTAILMENT", "EQUIVALENCE", "FORWARD_ENTAILMENT"]
# The folder of one test holds the files of every example; each example writes them anew.
WITH_FILES = settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def bound(rows):
    names = ("instance_id", "label", "reverse_pair_id", "pair_id")
    return make_reference(*([row[name] for row in rows] for name in names))


def every_form(rows, predictions):
    """The same predictions as mapping, label list, id list, numpy arrays, and with a model's own order of ids."""
    labels = [predictions[row["instance_id"]] for row in rows]
    ids = [LABELS.index(label) for label in labels]
    model_ids = [MODEL_ORDER.index(label) for label in labels]
    yield predictions, {}
    yield dict(reversed(predictions.items())), {}
    yield labels, {}
    yield ids, {}
    yield np.array(ids), {}
    yield np.array(ids, dtype=np.uint8), {}
    yield np.array(labels), {}
    yield np.array(model_ids), {"label_names": MODEL_ORDER}
    yield (
        dict(zip(predictions, map(MODEL_ORDER.index, predictions.values()), strict=True)),
        {"label_names": dict(enumerate(MODEL_ORDER))},
    )


@given(st.data())
@settings(max_examples=60)
def test_every_form_of_predictions_equals_the_naive_scorer(data):
    rows = data.draw(strategies.references())
    predictions = data.draw(strategies.predictions_for(rows))
    most = data.draw(st.sampled_from([0, 1, 50]))
    expected = naive.score(rows, predictions, most)
    reference = bound(rows)
    for form, options in every_form(rows, predictions):
        assert score(reference, form, max_pair_errors=most, **options).details() == expected


@given(st.data())
@WITH_FILES
def test_files_equal_the_naive_scorer(tmp_path, data):
    rows = data.draw(strategies.references())
    predictions = data.draw(strategies.predictions_for(rows))
    pair = samples.write_pair(
        tmp_path, data.draw(strategies.reference_files(rows)), data.draw(strategies.prediction_files(predictions))
    )
    report = score(read_reference(pair.gold), pair.predictions).details()
    assert report == naive.score_files(pair.gold, pair.predictions)
    assert json.dumps(report) == json.dumps(naive.score_files(pair.gold, pair.predictions))  # same order of keys too
    assert validate_submission(pair.predictions, pair.gold) == len(rows)


@given(st.data())
@settings(max_examples=30)
def test_order_of_rows_changes_no_score(data):
    rows = data.draw(strategies.references())
    predictions = data.draw(strategies.predictions_for(rows))
    first = score(bound(rows), predictions, max_pair_errors=0)
    second = score(bound(data.draw(st.permutations(rows))), predictions, max_pair_errors=0)
    assert first.to_dict() == second.to_dict()


@given(st.data())
@settings(max_examples=30)
def test_gold_as_prediction_is_right_everywhere(data):
    rows = data.draw(strategies.references())
    report = score(bound(rows), {row["instance_id"]: row["label"] for row in rows})
    assert (report.soft_cons, report.hard_cons, report.classification.accuracy) == (1.0, 1.0, 1.0)
    assert report.consistency.pair_errors == []


SPOILING = st.sampled_from(
    ["\0", "\n", "\r", '"', ",", "\t", " ", "\xa0", "\u2028", "\x85", "x", "", "\ufeff", "\n\n", ",\n", '""']
)


@st.composite
def mutated(draw, content):
    """Delete, repeat or overwrite a stretch of bytes."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, max(len(content) - 1, 0)))
        end = draw(st.integers(start, min(start + draw(st.sampled_from([1, 3, 60])), len(content))))
        new = draw(
            st.one_of(SPOILING.map(str.encode), st.binary(max_size=3), st.just(content[start:end] * 2), st.just(b""))
        )
        content = content[:start] + new + content[end:]
    return content


@given(st.data())
@WITH_FILES
def test_mutated_files_are_scored_or_rejected_with_a_message(tmp_path, data):
    pair = samples.write_pair(
        tmp_path,
        data.draw(mutated(samples.reference_text().encode())),
        data.draw(st.one_of(st.just(samples.prediction_text().encode()), mutated(samples.prediction_text().encode()))),
    )
    message = report = None
    try:
        report = score(read_reference(pair.gold), pair.predictions)
    except TricordError as error:
        message = str(error)
    if report is None:
        assert message.startswith((str(pair.gold), str(pair.predictions)))
    else:
        assert report.details() == naive.score_files(pair.gold, pair.predictions)


@given(st.binary(max_size=200))
@WITH_FILES
def test_any_bytes_are_rejected_with_a_message(tmp_path, content):
    path = tmp_path / "file.csv"
    path.write_bytes(content)
    with pytest.raises(TricordError):
        read_reference(path)
    with pytest.raises(TricordError):
        read_predictions(path)


@pytest.fixture(scope="module")
def real(shared_data):
    folder = shared_data / "dico_nli"
    return samples.Pair(folder / "trial_track1_reference.csv", folder / "trial_track1_random_submission.csv")


def test_real_report_equals_the_official_one(real, shared_data):
    official = json.loads((shared_data / "dico_nli" / "trial_track1_random_scores.json").read_text())
    report = score(read_reference(real.gold), real.predictions)
    assert report.details() == official == naive.score_files(real.gold, real.predictions)
    # The figures that the organisers published for this submission.
    assert report.weighted_f1 == 0.26963821098074553
    assert (report.soft_cons, report.hard_cons) == (70 / 336, 26 / 336)
    assert report.classification.accuracy == 0.26348808030112925
    assert report.classification.macro_f1 == 0.25728603853603854


def test_real_excerpts_with_text(shared_data):
    for track, name in [(1, "en"), (3, "eu")]:
        path = shared_data / "dico_nli" / f"trial_track{track}_reference_with_text.csv"
        rows = naive.read_rows(path)
        predictions = {row["instance_id"]: LABELS[number % 4] for number, row in enumerate(rows)}
        assert name in rows[0]["instance_id"]
        assert score(read_reference(path), predictions).details() == naive.score(rows, predictions)


def test_one_reference_scores_many_predictions(real):
    reference = read_reference(real.gold)
    right = score(reference, list(reference.gold))
    wrong = score(reference, real.predictions)
    assert score(reference, list(reference.gold)) == right
    assert score(reference, real.predictions) == wrong
    assert right.classification.accuracy == right.hard_cons == 1.0 > wrong.hard_cons


def test_weighted_f1_of_perfect_predictions_is_the_sum_of_the_weights_as_floats(real):
    # Left to right, 172/797 + 250/797 + 250/797 + 125/797 is one rounding above 1; the definition knows no clipping.
    report = score(read_reference(real.gold), {row["instance_id"]: row["label"] for row in naive.read_rows(real.gold)})
    assert report.weighted_f1 == 0.0 + 172 / 797 + 250 / 797 + 250 / 797 + 125 / 797 == 1.0000000000000002


def test_inferred_pairs_equal_the_files_links(real, tmp_path):
    rows = [[row[name] for name in ("instance_id", "pair_id", "label")] for row in naive.read_rows(real.gold)]
    bare = tmp_path / "bare.csv"
    bare.write_text(samples.csv_text(["instance_id", "pair_id", "label"], rows))
    expected = score(read_reference(real.gold), real.predictions)
    for inferred in (read_reference(bare, infer_pairs=True), read_reference(real.gold, infer_pairs=True)):
        assert score(inferred, real.predictions).details() == expected.details()


def test_signature_says_what_the_figures_depend_on(real):
    signature = score(read_reference(real.gold), real.predictions).signature
    assert signature.startswith("dico_nli|")
    assert "|instances:797|" in signature
    assert "|pairs:336|" in signature


def test_path_objects_and_strings_are_files(tmp_path):
    pair = samples.write_pair(tmp_path)
    reference = read_reference(str(pair.gold))
    assert score(reference, str(pair.predictions)) == score(reference, pair.predictions)


@pytest.mark.parametrize("against", ["template", "gold", "reference"])
def test_validation_alone(tmp_path, against):
    pair = samples.write_pair(tmp_path)
    template = tmp_path / "template.csv"
    template.write_text(samples.prediction_text([[row[0], ""] for row in samples.PREDICTIONS]))
    target = {"template": template, "gold": pair.gold, "reference": read_reference(pair.gold)}[against]
    assert validate_submission(pair.predictions, target) == 6
    pair.predictions.write_text(samples.prediction_text(samples.PREDICTIONS[1:]))
    with pytest.raises(ValidationError, match=r"predictions\.csv: .*p1__en-en__original"):
        validate_submission(pair.predictions, target)
    pair.predictions.write_text(samples.prediction_text(samples.changed(samples.PREDICTIONS, 3, 1, "YES")))
    with pytest.raises(ValidationError, match=r"predictions\.csv: .*p3__en-es__original.*'YES'"):
        validate_submission(pair.predictions, target)
    pair.predictions.write_text(samples.prediction_text(samples.changed(samples.PREDICTIONS, 3, 1, "")))
    with pytest.raises(InputFileError, match=r"predictions\.csv: line 5: label is missing"):
        validate_submission(pair.predictions, target)


def test_series_indexed_by_instance_id_is_a_mapping():
    pd = pytest.importorskip("pandas")
    reference = make_reference(["a", "b"], ["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT"], ["b", "a"])
    labels = pd.Series(["BACKWARD_ENTAILMENT", "FORWARD_ENTAILMENT"], index=["b", "a"])
    assert score(reference, labels).hard_cons == 1.0
    assert score(reference, labels.reset_index(drop=True)).hard_cons == 0.0


@pytest.mark.parametrize("label_names", [set(LABELS), frozenset(LABELS), ["nonsense"]])
def test_label_names_without_order_are_refused(label_names):
    reference = make_reference(["a", "b"], ["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT"], ["b", "a"])
    with pytest.raises(ValidationError, match="label_names"):
        score(reference, [1, 2], label_names=label_names)


def test_signature_says_where_the_links_come_from():
    ids = ["p__en-en__original", "p__en-en__flipped"]
    given, inferred = make_reference(ids, [1, 2], ids[::-1]), make_reference(ids, [1, 2])
    assert "links:given" in score(given, [1, 2]).signature
    assert "links:inferred" in score(inferred, [1, 2]).signature


def test_official_report_of_invented_rows(root):
    """The bytes that the organisers' scorer writes for these rows on Python 3.11."""
    folder = root / "tests" / "fixtures" / "dico_nli"
    report = score(folder / "gold.csv", folder / "predictions.csv")
    assert to_json(report.details()).encode() == (folder / "scores.json").read_bytes()
