"""The hooks inside real runs of transformers.Trainer: what is logged equals the file scorer on the saved predictions."""

import csv
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the tests of the training hooks need torch (make test TORCH=...)")
transformers = pytest.importorskip("transformers")
pytest.importorskip("accelerate")

from training.tiny import ID2LABEL, MODEL_LABELS, arguments, make_dataset, make_model, make_tokenizer, rows  # noqa: E402
from tricord import ValidationError, dico_nli  # noqa: E402
from tricord.training import Decoding, TracksMixin, TrackTrainer, dico_nli_metrics  # noqa: E402

OFFICIAL = ("weighted_f1", "soft_cons", "hard_cons")


@pytest.fixture(scope="module")
def tokenizer():
    return make_tokenizer()


@pytest.fixture(scope="module")
def train(tokenizer):
    return make_dataset(tokenizer, rows(60, seed=1))


@pytest.fixture(scope="module")
def dev(tokenizer):
    return make_dataset(tokenizer, rows(24, seed=2))


@pytest.fixture(scope="module")
def tracks(tokenizer):
    """Three sets of equal length. `es` and `eu` have the labels of `en` row by row; the pairs of `eu` are others."""
    english = rows(24, seed=3)
    spanish = [{**row, **{key: row[key].replace("en", "es") for key in row if key.endswith("_id")}} for row in english]
    basque = [{**row, **{key: row[key].replace("en", "eu") for key in row if key.endswith("_id")}} for row in english]
    _exchange_twins(basque)
    return {name: make_dataset(tokenizer, data) for name, data in (("en", english), ("es", spanish), ("eu", basque))}


def _exchange_twins(data):
    """Let two pairs with equal labels exchange their second members, which lie in other rows then."""
    row_of = {row["instance_id"]: row for row in data}
    twins = [row_of[row["reverse_pair_id"]] for row in data if row["label"] == "FORWARD_ENTAILMENT"]
    unlike = next(twin for twin in twins if twin["pair_id"] != twins[0]["pair_id"])
    columns = ("instance_id", "pair_id", "reverse_pair_id")
    first, second = ({name: twin[name] for name in columns} for twin in (twins[0], unlike))
    twins[0].update(second)
    unlike.update(first)


def make_trainer(folder, train, evaluation, compute_metrics, trainer_class=transformers.Trainer, seed=0, **changes):
    return trainer_class(
        model=make_model(seed),
        args=arguments(folder, **changes),
        train_dataset=train,
        eval_dataset=evaluation,
        compute_metrics=compute_metrics,
    )


def file_scores(folder, dataset, label_ids):
    """Score predictions as the command line does: from two files."""
    gold, predictions = folder / "gold.csv", folder / "predictions.csv"
    with gold.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["instance_id", "pair_id", "reverse_pair_id", "label"])
        for row in dataset:
            writer.writerow([row[name] for name in ("instance_id", "pair_id", "reverse_pair_id", "gold")])
    with predictions.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["instance_id", "label"])
        writer.writerows(zip(dataset["instance_id"], [MODEL_LABELS[index] for index in label_ids], strict=True))
    report = dico_nli.score(dico_nli.read_reference(gold), predictions)
    return {name: getattr(report, name) for name in OFFICIAL}


def logits_of(checkpoint, dataset):
    """Run the model of a checkpoint over a dataset by hand."""
    model = transformers.AutoModelForSequenceClassification.from_pretrained(checkpoint).eval()
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = {name: torch.tensor(dataset[name][:]) for name in names if name in dataset.column_names}
    with torch.no_grad():
        return model(**inputs).logits.numpy()


def official(metrics, prefix="eval"):
    return {name: metrics[f"{prefix}_{name}"] for name in OFFICIAL}


@pytest.fixture(scope="module")
def finished(tmp_path_factory, train, dev):
    """A run of three epochs with the plain Trainer, whose best model is chosen by hard_cons."""
    folder = tmp_path_factory.mktemp("run")
    trainer = make_trainer(
        folder,
        train,
        dev,
        dico_nli_metrics(dev, label_names=ID2LABEL),
        load_best_model_at_end=True,
        metric_for_best_model="hard_cons",
    )
    trainer.train()
    return Finished(trainer, folder, evaluations(trainer))


class Finished(NamedTuple):
    trainer: transformers.Trainer
    folder: Path
    logged: list[dict]


def evaluations(trainer):
    return [entry for entry in trainer.state.log_history if "eval_hard_cons" in entry]


def test_logged_figures_of_each_epoch_equal_the_file_scorer_on_saved_predictions(finished, dev, tmp_path):
    logged = finished.logged
    assert [entry["epoch"] for entry in logged] == [1.0, 2.0, 3.0]
    for entry in logged:
        label_ids = logits_of(finished.folder / f"checkpoint-{entry['step']}", dev).argmax(axis=1)
        assert official(entry) == file_scores(tmp_path, dev, label_ids)
        assert entry["eval_dico_mean"] == sum(map(official(entry).get, OFFICIAL)) / 3
    # The test would show nothing if the model predicted the same thing all the time.
    assert len({json.dumps(official(entry)) for entry in logged}) > 1
    assert max(entry["eval_hard_cons"] for entry in logged) > 0.2


def test_best_model_is_that_of_the_highest_hard_cons(finished):
    trainer = finished.trainer
    best = max(finished.logged, key=lambda entry: entry["eval_hard_cons"])
    assert trainer.state.best_metric == best["eval_hard_cons"]
    assert Path(trainer.state.best_model_checkpoint).name == f"checkpoint-{best['step']}"
    assert trainer.evaluate()["eval_hard_cons"] == best["eval_hard_cons"]


def test_predict_scores_the_bound_set(finished, dev, tmp_path):
    output = finished.trainer.predict(dev)
    assert official(output.metrics, "test") == file_scores(tmp_path, dev, output.predictions.argmax(axis=1))


def test_predict_on_unlabelled_rows_gives_predictions_alone(finished, dev):
    output = finished.trainer.predict(dev.remove_columns("label"))
    assert output.predictions.shape == (len(dev), 4)
    assert "test_hard_cons" not in output.metrics


def test_other_rows_are_refused(finished, tokenizer, dev):
    with pytest.raises(ValidationError, match="rows were evaluated, but the bound evaluation set has"):
        finished.trainer.predict(make_dataset(tokenizer, rows(8, seed=5)))
    with pytest.raises(ValidationError, match="The rows must come in the order in which they are bound"):
        finished.trainer.evaluate(dev.shuffle(seed=0))


def test_resuming_from_a_checkpoint_logs_what_an_unbroken_run_does(finished, tmp_path, train, dev):
    resumed = make_trainer(tmp_path, train, dev, dico_nli_metrics(dev, label_names=ID2LABEL), seed=7)
    first = min(finished.folder.glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))
    resumed.train(resume_from_checkpoint=str(first))
    assert [official(entry) for entry in evaluations(resumed)] == [official(entry) for entry in finished.logged]


@pytest.mark.parametrize(
    "changes",
    [
        {"batch_eval_metrics": True},
        {"eval_accumulation_steps": 1},
        {"eval_do_concat_batches": False},
        {"per_device_eval_batch_size": 7, "batch_eval_metrics": True},
        {"bf16_full_eval": True},
        {"include_for_metrics": ["inputs", "loss"]},
    ],
    ids=str,
)
def test_ways_of_collecting_batches_give_the_same_figures(finished, tmp_path, train, dev, changes):
    trainer = make_trainer(tmp_path, train, dev, dico_nli_metrics(dev, label_names=ID2LABEL), **changes)
    trainer.model.load_state_dict(finished.trainer.model.state_dict())
    metrics = trainer.evaluate()
    predicted = trainer.predict(dev).predictions
    predicted = np.concatenate(predicted) if isinstance(predicted, list) else predicted
    assert official(metrics) == file_scores(tmp_path, dev, predicted.argmax(axis=1))
    assert official(trainer.evaluate()) == official(metrics)  # nothing is left of the evaluation before


def test_predictions_of_which_the_arg_max_is_taken_before(finished, tmp_path, train, dev):
    trainer = transformers.Trainer(
        model=finished.trainer.model,
        args=arguments(tmp_path),
        eval_dataset=dev,
        compute_metrics=dico_nli_metrics(dev, label_names=ID2LABEL),
        preprocess_logits_for_metrics=lambda logits, labels: logits.argmax(dim=-1),
    )
    assert official(trainer.evaluate()) == official(finished.trainer.evaluate())


def test_evaluation_in_order_of_length_is_refused(finished, tmp_path, tokenizer, train):
    # Grouping by length reorders the evaluation set too, and the Trainer does not put it back.
    order = {"train_sampling_strategy": "group_by_length"}
    if not hasattr(arguments(tmp_path), "train_sampling_strategy"):
        order = {"group_by_length": True}
    data = make_dataset(tokenizer, rows(24, seed=9))
    data = data.map(lambda row, number: {"input_ids": row["input_ids"][: 3 + number % 5]}, with_indices=True)
    data = data.remove_columns("attention_mask")
    trainer = transformers.Trainer(
        model=finished.trainer.model,
        args=arguments(tmp_path, **order),
        eval_dataset=data,
        processing_class=tokenizer,
        compute_metrics=dico_nli_metrics(data, label_names=ID2LABEL),
    )
    with pytest.raises(ValidationError, match="no grouping by length"):
        trainer.evaluate()


def test_three_sets_of_equal_length_are_each_scored_against_their_own_pairs(tmp_path, train, tracks):
    assert len({len(dataset) for dataset in tracks.values()}) == 1
    hook = dico_nli_metrics(tracks, label_names=ID2LABEL)
    trainer = make_trainer(
        tmp_path,
        train,
        tracks,
        hook,
        TrackTrainer,
        load_best_model_at_end=True,
        metric_for_best_model="macro_dico_mean",
    )
    trainer.train()
    metrics = trainer.evaluate()
    expected = {}
    for name, dataset in tracks.items():
        output = trainer.predict(dataset)
        expected[name] = file_scores(tmp_path, dataset, output.predictions.argmax(axis=1))
        assert official(metrics, f"eval_{name}") == expected[name]
        assert official(output.metrics, "test") == expected[name]
    # The inputs and labels are those of `en`, only the pairs differ: the test is sharp.
    assert expected["en"] == expected["es"]
    average = dico_nli.aggregate(dict(enumerate(expected.values())), [0, 1, 2], name="tracks")["macro_average"]
    assert official(metrics, "eval_macro") == average
    logged = [entry for entry in trainer.state.log_history if "eval_macro_dico_mean" in entry]
    assert len(logged) == 4
    assert trainer.state.best_metric == max(entry["eval_macro_dico_mean"] for entry in logged)


def test_early_stopping_by_an_average(tmp_path, train, tracks):
    trainer = make_trainer(
        tmp_path,
        train,
        tracks,
        dico_nli_metrics(tracks, label_names=ID2LABEL),
        TrackTrainer,
        learning_rate=0.0,
        load_best_model_at_end=True,
        metric_for_best_model="macro_hard_cons",
    )
    trainer.add_callback(transformers.EarlyStoppingCallback(early_stopping_patience=1))
    trainer.train()
    assert trainer.state.epoch == 2.0  # of 3: the second evaluation was no better than the first


def test_pairs_matter_where_labels_and_inputs_are_equal(tmp_path, tracks):
    """What the test above rests on: the same predictions have other figures for `eu` than for `en`."""
    links = {
        name: [tracks[name]["instance_id"][:].index(link) if link else -1 for link in tracks[name]["reverse_pair_id"]]
        for name in ("en", "eu")
    }
    row = next(row for row, twin in enumerate(links["en"]) if twin != links["eu"][row])
    label_ids = list(tracks["en"]["label"])
    for wrong in (row, links["en"][row]):
        label_ids[wrong] = (label_ids[wrong] + 1) % 4
    english, basque = (file_scores(tmp_path, tracks[name], label_ids) for name in ("en", "eu"))
    assert english["weighted_f1"] == basque["weighted_f1"]
    assert english["hard_cons"] != basque["hard_cons"]


def test_plain_trainer_tells_sets_apart_by_labels_and_refuses_where_it_cannot(tmp_path, train, tracks, dev):
    both = {"dev": dev, "en": tracks["en"]}
    trainer = make_trainer(tmp_path, train, both, dico_nli_metrics(both, label_names=ID2LABEL))
    metrics = trainer.evaluate()
    for name, dataset in both.items():
        label_ids = trainer.predict(dataset).predictions.argmax(axis=1)
        assert official(metrics, f"eval_{name}") == file_scores(tmp_path, dataset, label_ids)
    trainer = make_trainer(tmp_path, train, tracks, dico_nli_metrics(tracks, label_names=ID2LABEL))
    with pytest.raises(ValidationError, match=r"'en'.*'eu' have the same labels and different pairs.*TrackTrainer"):
        trainer.evaluate()


def test_own_trainer_class_with_the_mixin(tmp_path, train, tracks, dev):
    class OwnTrainer(TracksMixin, transformers.Trainer):
        pass

    hook = dico_nli_metrics(dev, label_names=ID2LABEL)
    trainer = make_trainer(tmp_path, train, dev, hook, OwnTrainer)
    # Rows that are not bound are scored against their own pairs, and the bound ones against theirs again.
    before = trainer.evaluate()
    output = trainer.predict(tracks["eu"])
    label_ids = output.predictions.argmax(axis=1)
    assert official(output.metrics, "test") == file_scores(tmp_path, tracks["eu"], label_ids)
    assert official(trainer.evaluate()) == official(before)
    other = trainer.evaluate({"eu": tracks["eu"], "dev": dev}, metric_key_prefix="other")
    assert official(other, "other_eu") == file_scores(tmp_path, tracks["eu"], label_ids)
    assert official(other, "other_dev") == official(before)
    assert "other_macro_hard_cons" in other


def test_sets_under_exchanged_names_are_refused(tmp_path, train, tracks):
    hook = dico_nli_metrics({"en": tracks["eu"], "eu": tracks["en"]}, label_names=ID2LABEL)
    trainer = make_trainer(tmp_path, train, tracks, hook, TrackTrainer)
    with pytest.raises(ValidationError, match="evaluates other rows as 'en'"):
        trainer.evaluate()


def test_set_called_like_the_averages_is_refused(tmp_path, train, dev):
    trainer = make_trainer(tmp_path, train, {"macro": dev}, dico_nli_metrics(dev, label_names=ID2LABEL), TrackTrainer)
    with pytest.raises(ValidationError, match="cannot be called 'macro'"):
        trainer.evaluate()


def test_decoding_in_the_hook_makes_all_pairs_consistent_or_negative(finished, tmp_path, dev):
    hook = dico_nli_metrics(dev, label_names=ID2LABEL, decoding=Decoding(negative_bias=-100.0))
    trainer = transformers.Trainer(
        model=finished.trainer.model, args=arguments(tmp_path), eval_dataset=dev, compute_metrics=hook
    )
    assert trainer.evaluate()["eval_soft_cons"] == 1.0
