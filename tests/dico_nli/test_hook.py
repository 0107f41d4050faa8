"""The DiCo-NLI hook as a plain callable: what it accepts, what it returns, what it refuses and how it says so."""

import types

import numpy as np
import pytest
from datasets import ClassLabel, Dataset
from hypothesis import given
from hypothesis import strategies as st

from tricord import InputFileError, ValidationError, dico_nli
from tricord.dico_nli import LABELS
from tricord.training import BoundMetrics, Decoding, dico_nli_metrics

ROWS = [
    {"instance_id": "p1__en-en__original", "label": "FORWARD_ENTAILMENT"},
    {"instance_id": "p2__en-en__original", "label": "NEGATIVE_OTHER"},
    {"instance_id": "p1__en-en__flipped", "label": "BACKWARD_ENTAILMENT"},
    {"instance_id": "p3__en-en__original", "label": "EQUIVALENCE"},
    {"instance_id": "p3__en-en__flipped", "label": "EQUIVALENCE"},
]
GOLD = np.array([LABELS.index(row["label"]) for row in ROWS])
PREDICTED = np.array([1, 3, 2, 0, 3])
FIGURES = {"weighted_f1", "soft_cons", "hard_cons", "dico_mean", "macro_f1", "accuracy"}


def logits(label_ids, *, dtype=np.float32):
    scores = np.full((len(label_ids), 4), -1.0, dtype=dtype)
    scores[np.arange(len(label_ids)), label_ids] = 2.0
    return scores


def evaluation(predictions, label_ids):
    return types.SimpleNamespace(predictions=predictions, label_ids=label_ids)


def expected(predicted=PREDICTED, rows=ROWS):
    reference = dico_nli.make_reference([row["instance_id"] for row in rows], [row["label"] for row in rows])
    report = dico_nli.score(reference, predicted)
    return {
        "weighted_f1": report.weighted_f1,
        "soft_cons": report.soft_cons,
        "hard_cons": report.hard_cons,
        "dico_mean": (report.weighted_f1 + report.soft_cons + report.hard_cons) / 3,
        "macro_f1": report.classification.macro_f1,
        "accuracy": report.classification.accuracy,
    }


def test_figures_are_flat_floats_equal_to_those_of_the_scorer():
    figures = dico_nli_metrics(ROWS)(evaluation(logits(PREDICTED), GOLD))
    assert figures == expected()
    assert set(map(type, figures.values())) == {float}
    assert figures["hard_cons"] == 0.5  # p1 right in both directions, p3 not


@pytest.mark.parametrize(
    "predictions",
    [
        logits(PREDICTED),
        logits(PREDICTED, dtype=np.float16),
        (logits(PREDICTED), np.zeros((5, 3, 7))),
        [logits(PREDICTED)[:2], logits(PREDICTED)[2:]],
        [(logits(PREDICTED)[:2], "hidden"), (logits(PREDICTED)[2:], "hidden")],
        logits(PREDICTED).tolist(),
        PREDICTED,
        PREDICTED.astype(np.int8),
        PREDICTED.tolist(),
    ],
    ids=["float32", "float16", "tuple", "batches", "batches of tuples", "lists", "ids", "int8 ids", "list of ids"],
)
def test_outputs_of_every_kind(predictions):
    assert dico_nli_metrics(ROWS)(evaluation(predictions, GOLD)) == expected()


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_tensors(dtype):
    torch = pytest.importorskip("torch")
    scores = torch.tensor(logits(PREDICTED), dtype=getattr(torch, dtype), requires_grad=True)
    assert dico_nli_metrics(ROWS)(evaluation((scores,), torch.tensor(GOLD))) == expected()


def test_pair_of_arrays_in_the_place_of_an_eval_prediction():
    assert dico_nli_metrics(ROWS)((logits(PREDICTED), GOLD)) == expected()


def test_label_ids_in_a_tuple():
    assert dico_nli_metrics(ROWS)(evaluation(PREDICTED, (GOLD, np.arange(5)))) == expected()


ORDER = ["NEGATIVE_OTHER", "BACKWARD_ENTAILMENT", "EQUIVALENCE", "FORWARD_ENTAILMENT"]


@pytest.mark.parametrize(
    "label_names", [ORDER, dict(enumerate(ORDER)), {str(key): name for key, name in enumerate(ORDER)}]
)
def test_label_names_give_the_order_of_the_model(label_names):
    in_order = np.array([ORDER.index(label) for label in LABELS])
    hook = dico_nli_metrics(ROWS, label_names=label_names)
    assert hook(evaluation(logits(in_order[PREDICTED]), in_order[GOLD])) == expected()


def dataset(label_column="label", *, order=LABELS, **changes):
    data = Dataset.from_list([{"instance_id": row["instance_id"], "text": "x"} for row in ROWS])
    return data.add_column(label_column, [list(order).index(row["label"]) for row in ROWS])


@pytest.mark.parametrize("label_column", ["label", "labels"])
@pytest.mark.parametrize("formatted", [False, True])
def test_dataset_with_label_ids(label_column, formatted):
    data = dataset(label_column)
    if formatted:
        data = data.with_format("numpy", columns=[label_column])
    assert dico_nli_metrics(data)(evaluation(logits(PREDICTED), GOLD)) == expected()


def test_names_of_a_class_label_column_give_the_order():
    data = dataset(order=ORDER).cast_column("label", ClassLabel(names=ORDER))
    in_order = np.array([ORDER.index(label) for label in LABELS])
    arrays = evaluation(logits(in_order[PREDICTED]), in_order[GOLD])
    assert dico_nli_metrics(data)(arrays) == expected()
    assert dico_nli_metrics({"dev": data})(arrays) == expected()
    with pytest.raises(ValidationError, match="follow one order"):
        dico_nli_metrics(data, label_names=LABELS)


def test_reference_file_and_bound_reference(tmp_path):
    path = tmp_path / "gold.csv"
    links = {"p1__en-en__original": "p1__en-en__flipped", "p3__en-en__original": "p3__en-en__flipped"}
    links |= {value: key for key, value in links.items()}
    lines = [
        f"{row['instance_id']},{row['instance_id'][:2]},{links.get(row['instance_id'], '')},{row['label']}"
        for row in ROWS
    ]
    path.write_text("\n".join(["instance_id,pair_id,reverse_pair_id,label", *lines]) + "\n")
    arrays = evaluation(logits(PREDICTED), GOLD)
    assert dico_nli_metrics(path)(arrays) == expected()
    assert dico_nli_metrics(str(path))(arrays) == expected()
    assert dico_nli_metrics(dico_nli.read_reference(path))(arrays) == expected()
    with pytest.raises(InputFileError, match="no such file"):
        dico_nli_metrics(tmp_path / "missing.csv")


def test_links_of_the_data_count_where_they_are_given():
    rows = [{"instance_id": f"a{row}", "label": label} for row, label in enumerate(["EQUIVALENCE"] * 4)]
    linked = [{**row, "reverse_pair_id": f"a{3 - number}"} for number, row in enumerate(rows)]
    figures = dico_nli_metrics(linked)((np.array([0, 1, 1, 0]), np.zeros(4, dtype=int)))
    assert figures["hard_cons"] == 0.5
    with pytest.raises(ValidationError, match="Cannot derive the twin"):
        dico_nli_metrics(rows)


@given(st.lists(st.integers(1, 3), max_size=5), st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_batches_give_what_the_whole_does(sizes, predicted):
    hook = dico_nli_metrics(ROWS)
    ends = sorted({min(sum(sizes[: number + 1]), 5) for number in range(len(sizes))} | {5})
    figures = {}
    for start, end in zip([0, *ends], ends, strict=False):
        figures = hook(evaluation(logits(predicted[start:end]), GOLD[start:end]), compute_result=end == 5)
        assert bool(figures) == (end == 5)
    assert figures == expected(np.array(predicted))


def test_batches_of_a_broken_evaluation_do_not_stay():
    hook = dico_nli_metrics(ROWS)
    hook(evaluation(logits(PREDICTED[:3]), GOLD[:3]), compute_result=False)
    with pytest.raises(ValidationError, match="8 rows were evaluated"):
        hook(evaluation(logits(PREDICTED), GOLD))
    assert hook(evaluation(logits(PREDICTED), GOLD)) == expected()
    hook(evaluation(logits(PREDICTED[:3]), GOLD[:3]), compute_result=False)
    with pytest.raises(ValidationError, match="hold NaN"):
        hook(evaluation(logits(PREDICTED) * np.nan, GOLD), compute_result=False)
    assert hook(evaluation(logits(PREDICTED), GOLD)) == expected()


def nan_in_row_three():
    scores = logits(PREDICTED)
    scores[3, 1] = np.nan
    return scores


@pytest.mark.parametrize(
    ("predictions", "label_ids", "message"),
    [
        (
            logits(PREDICTED[:4]),
            GOLD[:4],
            r"4 rows were evaluated, but the bound evaluation set has 5; bind compute_metrics",
        ),
        (logits(PREDICTED), GOLD[:4], "one prediction a label, got 5 and 4"),
        (
            logits(PREDICTED),
            GOLD[::-1],
            r"4 of 5 label ids .* row 0 \('p1__en-en__original'\) was evaluated with EQUIV",
        ),
        (logits(PREDICTED), GOLD[::-1], "label_names must give the order"),
        (logits(PREDICTED)[:, :3], GOLD, r"shape \(rows, 4\).*got \(5, 3\).*num_labels=4"),
        (logits(PREDICTED)[:, None], GOLD, r"got \(5, 1, 4\)"),
        (nan_in_row_three(), GOLD, "scores of row 3 hold NaN"),
        (PREDICTED.astype(float), GOLD, "whole numbers, got an array of float64"),
        (np.array([0, 1, 4, 0, 0]), GOLD, "from 0 to 3, got 4 in row 2"),
        (PREDICTED, np.array([0, -100, 0, 0, 0]), "label ids of the evaluated rows.*got -100 in row 1"),
        (PREDICTED, None, "no labels"),
        ((), GOLD, "float64"),
        (None, GOLD, "shape"),
    ],
)
def test_unusable_outputs_are_refused_with_what_to_change(predictions, label_ids, message):
    with pytest.raises(ValidationError, match=message):
        dico_nli_metrics(ROWS)(evaluation(predictions, label_ids))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "the bound evaluation set: missing column 'instance_id'; found none"),
        ([{"label": 0}], "missing column 'instance_id'; found 'label'; keep the column when the dataset is tokenised"),
        ([{"instance_id": "a"}], "missing column 'labels' or 'label'"),
        (3, "expected a datasets.Dataset or a list of rows, got int"),
        (iter(ROWS), "expected a datasets.Dataset or a list of rows"),
        ({}, "at least one evaluation set"),
        ({"en": [{"label": 0}]}, "the evaluation set 'en': missing column 'instance_id'"),
        ([{**ROWS[0], "label": "ENTAILMENT"}], "got 'ENTAILMENT' in row 0"),
        (ROWS[:1], "has no twin"),
    ],
)
def test_unusable_sets_are_refused_when_they_are_bound(rows, message):
    with pytest.raises(ValidationError, match=message):
        dico_nli_metrics(rows)


def test_iterable_dataset_is_refused():
    with pytest.raises(ValidationError, match="only iterated"):
        dico_nli_metrics(dataset().to_iterable_dataset())


def test_something_else_than_an_evaluation_is_refused():
    with pytest.raises(ValidationError, match="Expected an EvalPrediction"):
        dico_nli_metrics(ROWS)(PREDICTED)


def test_decoding_decides_from_both_directions():
    scores = logits(PREDICTED)
    scores[2] = [0.0, 0.1, 0.0, 0.0]  # alone: FORWARD_ENTAILMENT in both directions
    plain, aware = dico_nli_metrics(ROWS), dico_nli_metrics(ROWS, decoding=Decoding(negative_bias=0.1))
    assert plain((scores, GOLD))["hard_cons"] == 0.0
    assert aware((scores, GOLD))["hard_cons"] == 0.5
    with pytest.raises(ValidationError, match=r"shape \(rows, 4\)"):
        aware((PREDICTED, GOLD))


def test_sets_with_equal_labels_and_pairs_need_not_be_told_apart():
    other = [{**row, "instance_id": row["instance_id"].replace("en", "eu")} for row in ROWS]
    hook = dico_nli_metrics({"en": ROWS, "eu": other})
    assert hook(evaluation(logits(PREDICTED), GOLD)) == expected()
    # A decoder groups rows by their ids, so here it matters which set they are of.
    unlike = dico_nli_metrics({"en": ROWS, "eu": other}, decoding=Decoding(by_pair=False))
    with pytest.raises(ValidationError, match="same labels and different pairs"):
        unlike(evaluation(logits(PREDICTED), GOLD))


def test_average_is_that_of_the_task():
    hook = dico_nli_metrics(ROWS)
    assert isinstance(hook, BoundMetrics)
    figures = [expected(np.array(predicted)) for predicted in ([1, 3, 2, 0, 3], [1, 1, 1, 0, 0], [0, 3, 0, 0, 0])]
    average = hook.average(figures)
    official = dico_nli.aggregate(dict(enumerate(figures)), [0, 1, 2], name="x")["macro_average"]
    assert {name: average[name] for name in official} == official
    assert set(average) == {"weighted_f1", "soft_cons", "hard_cons", "dico_mean"}


def test_real_data(shared_data):
    folder = shared_data / "dico_nli"
    reference = dico_nli.read_reference(folder / "trial_track1_reference.csv")
    predictions = dico_nli.read_predictions(folder / "trial_track1_random_submission.csv")
    label_ids = np.array([LABELS.index(predictions[name]) for name in reference.instance_ids])
    figures = dico_nli_metrics(folder / "trial_track1_reference.csv")(
        (logits(label_ids), np.frombuffer(reference.gold, "u1"))
    )
    assert figures["weighted_f1"] == 0.26963821098074553
    assert figures["soft_cons"] == 0.20833333333333334
    assert figures["hard_cons"] == 0.07738095238095238
