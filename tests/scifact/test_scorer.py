"""Scores against known figures, and against a second implementation."""

import json
import pickle
import random
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, precision_recall_fscore_support

from scifact import naive
from scifact.strategies import tasks, write_lines
from tricord import InputFileError, ValidationError, scifact
from tricord.measures import PrecisionRecallF1
from tricord.scifact.labels import LABELS
from tricord.scifact.metrics import score_pairs

WORKED_GOLD = {
    "id": 52,
    "evidence": {
        "11": [{"sentences": [0, 1], "label": "SUPPORT"}, {"sentences": [11], "label": "SUPPORT"}],
        "15": [{"sentences": [4], "label": "SUPPORT"}],
    },
}
WORKED_PREDICTION = {
    "id": 52,
    "evidence": {
        "11": {"sentences": [1, 11, 13], "label": "SUPPORT"},
        "16": {"sentences": [18, 20], "label": "CONTRADICT"},
    },
}


def groups(report):
    return {name: value for name, value in report.to_dict().items() if isinstance(value, dict)}


def flat(report):
    return {
        f"{group}_{measure}": scores[measure]
        for group, scores in groups(report).items()
        for measure in ("precision", "recall", "f1")
    }


@pytest.mark.parametrize("rule", scifact.RULES)
def test_worked_example(rule):
    report = scifact.score(scifact.read_gold([WORKED_GOLD]), [WORKED_PREDICTION], rule=rule)
    abstract = {"correct": 1, "predicted": 2, "gold": 2, "precision": 0.5, "recall": 0.5, "f1": 0.5}
    sentence = {"correct": 1, "predicted": 5, "gold": 4, "precision": 0.2, "recall": 0.25, "f1": 0.22222222222222224}
    assert groups(report) == {
        "abstract_label_only": abstract,
        "abstract_rationalized": abstract,
        "sentence_selection": sentence,
        "sentence_label": sentence,
    }
    gold = scifact.read_gold([WORKED_GOLD])
    assert report.signature == f"scifact|rule:{rule}|gold:{gold.content_hash}|claims:1|version:0.1.0"


@pytest.mark.parametrize("rule", scifact.RULES)
def test_leaderboards_figures_for_real_predictions(shared_data, rule):
    folder = shared_data / "scifact"
    report = scifact.score(
        scifact.read_gold(folder / "gold_small.jsonl"), folder / "predictions_small.jsonl", rule=rule
    )
    assert flat(report) == json.loads((folder / "expected_metrics_small.json").read_text())


def test_leaderboards_figures_of_invented_claims(root):
    """Claims and documents are numbered anew and have no texts; the figures are the leaderboard's."""
    folder = root / "tests" / "fixtures" / "scifact"
    report = scifact.score(folder / "claims.jsonl", folder / "predictions.jsonl")
    assert report.figures() == {
        "sentence_selection_precision": 0.5555555555555556,
        "sentence_selection_recall": 0.4166666666666667,
        "sentence_selection_f1": 0.4761904761904762,
        "sentence_label_precision": 0.4444444444444444,
        "sentence_label_recall": 0.3333333333333333,
        "sentence_label_f1": 0.380952380952381,
        "abstract_label_only_precision": 0.5,
        "abstract_label_only_recall": 0.42857142857142855,
        "abstract_label_only_f1": 0.4615384615384615,
        "abstract_rationalized_precision": 0.3333333333333333,
        "abstract_rationalized_recall": 0.2857142857142857,
        "abstract_rationalized_f1": 0.30769230769230765,
    }


def test_gold_in_every_form_and_in_its_place(tmp_path):
    path = write_lines(tmp_path / "claims.jsonl", [WORKED_GOLD])
    gold = scifact.read_gold(path)
    expected = scifact.score(gold, [WORKED_PREDICTION])
    answers = write_lines(tmp_path / "predictions.jsonl", [WORKED_PREDICTION])
    for form in (path, str(path), [WORKED_GOLD], iter([WORKED_GOLD])):
        assert scifact.score(form, answers) == expected
        assert scifact.score(gold, answers).signature == expected.signature
    with pytest.raises(ValidationError, match=r"claims\[0\]: evidence\['11'\]: .*list.*gold comes first"):
        scifact.score([WORKED_PREDICTION], [WORKED_GOLD])
    with pytest.raises(ValidationError, match="got a Gold; gold comes first"):
        scifact.score([WORKED_GOLD], gold)
    for odd in (None, 5, WORKED_GOLD, expected):
        with pytest.raises(ValidationError, match=r"Expected `gold` to be a Gold .* got \w+ .*gold comes first"):
            scifact.score(odd, [WORKED_PREDICTION])


def test_predictions_are_checked_without_claims_and_without_scores():
    numbered = {"id": 52, "evidence": {16: {"sentences": (18, 20), "label": "CONTRADICT"}}}
    assert scifact.read_predictions([numbered]) == {52: {"16": {"sentences": [18, 20], "label": "CONTRADICT"}}}
    assert scifact.validate_predictions([WORKED_GOLD], [numbered]) == 1
    with pytest.raises(ValidationError, match="1 claims have no prediction"):
        scifact.validate_predictions([WORKED_GOLD], [])


def test_content_hash_is_that_of_the_evidence():
    claims = [WORKED_GOLD, {"id": 1, "evidence": {}}]
    expected = scifact.read_gold(claims).content_hash
    reordered = {**WORKED_GOLD, "claim": "text", "evidence": dict(reversed(WORKED_GOLD["evidence"].items()))}
    assert scifact.read_gold([claims[1], reordered]).content_hash == expected
    evidence = {"7": [{"sentences": [1], "label": "SUPPORT"}]}
    others = [
        [WORKED_GOLD],
        [{**WORKED_GOLD, "id": 2}, claims[1]],
        [WORKED_GOLD, {"id": 1, "evidence": evidence}],
    ]
    assert len({expected, *(scifact.read_gold(other).content_hash for other in others)}) == 4


def test_a_repeated_key_counts_as_it_stands_last(tmp_path):
    path = tmp_path / "predictions.jsonl"
    document = '{"sentences": [%d], "label": "SUPPORT"}'
    path.write_text(f'{{"id": 5, "evidence": {{"11": {document % 0}, "11": {document % 11}}}, "id": 52}}\n')
    expected = scifact.score([WORKED_GOLD], [{"id": 52, "evidence": {"11": {"sentences": [11], "label": "SUPPORT"}}}])
    assert scifact.score([WORKED_GOLD], path) == expected
    path.write_text(f'{{"id": 52, "evidence": {{"11": 5, "11": {document % 11}}}}}\n')  # the first does not fit
    assert scifact.score([WORKED_GOLD], path) == expected


def test_leaderboards_figures_for_the_dummy_submission(shared_data):
    """The gold labels of its 300 claims are hidden; whatever they are, its one document 4983 is evidence for none."""
    folder = shared_data / "scifact"
    lines = (folder / "predictions_dummy.jsonl").read_text().splitlines()
    predictions = [json.loads(line) for line in lines]
    claims = [
        {"id": line["id"], "evidence": {"31715818": [{"sentences": [number % 5], "label": "SUPPORT"}]}}
        for number, line in enumerate(predictions)
    ]
    report = scifact.score(scifact.read_gold(claims), folder / "predictions_dummy.jsonl")
    assert flat(report) == json.loads((folder / "expected_metrics_dummy.json").read_text())
    assert report.claims == report.abstract_label_only.predicted == 300


@pytest.mark.parametrize(
    ("group", "counts", "figures"),
    [
        ("selection", (210, 326, 366), (0.644172, 0.573770, 0.606936)),
        ("label", (197, 326, 366), (0.604294, 0.538251, 0.569364)),
        ("label-only", (136, 210, 209), (0.647619, 0.650718, 0.649165)),
        ("rationalized", (129, 210, 209), (0.614286, 0.617225, 0.615752)),
    ],
)
def test_published_figures_of_vert5erini(group, counts, figures):
    """The six-digit figures of castorini/pygaggle, pull request 144."""
    scores = PrecisionRecallF1.of(correct=counts[0], predicted=counts[1], gold=counts[2])
    assert tuple(round(value, 6) for value in (scores.precision, scores.recall, scores.f1)) == figures


@given(tasks(), st.sampled_from(scifact.RULES))
def test_second_implementation(task, rule):
    claims, predictions = task
    report = scifact.score(scifact.read_gold(claims), predictions, rule=rule)
    assert groups(report) == naive.evaluate(claims, predictions, rule)


@settings(max_examples=40)
@given(tasks(), st.sampled_from(scifact.RULES))
def test_files_and_objects_score_alike(tmp_path_factory, task, rule):
    claims, predictions = task
    folder = tmp_path_factory.mktemp("task")
    gold = scifact.read_gold(write_lines(folder / "claims.jsonl", claims))
    report = scifact.score(gold, write_lines(folder / "predictions.jsonl", predictions), rule=rule)
    assert report == scifact.score(scifact.read_gold(claims), predictions, rule=rule)


@settings(max_examples=40)
@given(tasks(), st.randoms(use_true_random=False))
def test_order_of_claims_and_of_documents_does_not_matter(task, generator):
    claims, predictions = task
    expected = scifact.score(scifact.read_gold(claims), predictions)

    def shuffled(records):
        return [
            {**record, "evidence": dict(generator.sample(list(record["evidence"].items()), len(record["evidence"])))}
            for record in generator.sample(records, len(records))
        ]

    assert scifact.score(scifact.read_gold(shuffled(claims)), shuffled(predictions)) == expected


@settings(max_examples=40)
@given(tasks())
def test_document_ids_as_numbers(task):
    claims, predictions = task
    numbered = [
        [{**record, "evidence": {int(key): value for key, value in record["evidence"].items()}} for record in records]
        for records in task
    ]
    expected = scifact.score(scifact.read_gold(claims), predictions)
    assert scifact.score(scifact.read_gold(numbered[0]), numbered[1]) == expected
    assert scifact.score(scifact.read_gold(claims), numbered[1]) == expected


@settings(max_examples=40)
@given(tasks())
def test_leaderboard_is_at_least_as_generous(task):
    claims, predictions = task
    gold = scifact.read_gold(claims)
    paper, leaderboard = (scifact.score(gold, predictions, rule=rule) for rule in scifact.RULES)
    assert paper.abstract_rationalized.correct <= leaderboard.abstract_rationalized.correct
    assert paper.abstract_rationalized.correct <= paper.abstract_label_only.correct
    assert paper.sentence_label == leaderboard.sentence_label


def gold_of(*sets):
    return scifact.read_gold(
        [{"id": 1, "evidence": {"7": [{"sentences": list(one), "label": "SUPPORT"} for one in sets]}}]
    )


@pytest.mark.parametrize(
    ("sets", "sentences", "paper", "leaderboard"),
    [
        ([[3]], [0, 1, 2, 3], 0, 0),
        ([[3]], [0, 1, 3, 2], 1, 1),
        ([[3, 0]], [0, 1, 3, 2], 1, 1),
        ([[0, 1, 2, 3]], [3, 2, 1, 0], 0, 1),
        ([[0, 1, 2, 3]], [3, 2, 1, 4, 0], 0, 0),
        ([[0, 1, 2, 3], [5, 6, 7, 8, 9]], [5, 6, 7, 8, 9], 0, 0),
        ([[0, 1, 2, 3], [5]], [0, 1, 2, 3], 0, 0),
        ([[3]], [3, 3, 3], 1, 1),
        ([[3]], [0, 0, 0, 3], 0, 0),
        ([[3]], [], 0, 0),
        ([[0, 0, 1, 1]], [9, 0, 1], 1, 1),
        ([[0, 0, 1, 1]], [9, 8, 0, 1], 0, 0),
    ],
)
def test_sentences_that_count_at_abstract_level(sets, sentences, paper, leaderboard):
    predictions = [{"id": 1, "evidence": {"7": {"sentences": sentences, "label": "SUPPORT"}}}]
    found = [
        scifact.score(gold_of(*sets), predictions, rule=rule).abstract_rationalized.correct for rule in scifact.RULES
    ]
    assert found == [paper, leaderboard]


@pytest.mark.parametrize(
    ("sets", "sentences", "counts"),
    [
        ([[0, 1]], [0], (0, 1, 2)),
        ([[0, 1]], [1, 0], (2, 2, 2)),
        ([[0, 1], [1, 2]], [1, 2], (2, 2, 3)),
        ([[0, 1], [1, 2]], [0, 1, 2], (3, 3, 3)),
        ([[0]], [0, 0, 0], (1, 3, 1)),
        ([[0]], [], (0, 0, 1)),
        ([[4], [4]], [4], (1, 1, 1)),
    ],
)
def test_sentence_counts(sets, sentences, counts):
    predictions = [{"id": 1, "evidence": {"7": {"sentences": sentences, "label": "CONTRADICT"}}}]
    report = scifact.score(gold_of(*sets), predictions)
    selection = report.sentence_selection
    assert (selection.correct, selection.predicted, selection.gold) == counts
    assert report.sentence_label.correct == 0


def test_nothing_predicted_and_nothing_gold_scores_zero():
    gold = scifact.read_gold([{"id": 1, "evidence": {}}])
    report = scifact.score(gold, [{"id": 1, "evidence": {}}])
    assert set(flat(report).values()) == {0.0}


def test_unknown_rule():
    with pytest.raises(ValidationError, match="paper, leaderboard"):
        scifact.score(gold_of([1]), [], rule="Paper")


def test_gold_scores_again_and_again_and_can_be_pickled():
    gold = pickle.loads(pickle.dumps(scifact.read_gold([WORKED_GOLD])))
    assert [scifact.score(gold, [WORKED_PREDICTION]).sentence_label.correct for _ in range(3)] == [1, 1, 1]


def test_objects_are_left_as_they_were():
    before = json.dumps([WORKED_GOLD, WORKED_PREDICTION])
    scifact.score(scifact.read_gold([WORKED_GOLD]), [WORKED_PREDICTION])
    assert json.dumps([WORKED_GOLD, WORKED_PREDICTION]) == before


# Corpus


def test_corpus():
    corpus = scifact.abstract_lengths([{"doc_id": 7, "title": "T", "abstract": ["a", "b"]}])
    claims = [{"id": 1, "evidence": {"7": [{"sentences": [1], "label": "SUPPORT"}]}}]
    gold = scifact.read_gold(claims, corpus=corpus)
    right = [{"id": 1, "evidence": {"7": {"sentences": [0, 1], "label": "SUPPORT"}}}]
    assert scifact.score(gold, right, corpus=corpus) == scifact.score(gold, right)
    with pytest.raises(ValidationError, match=r"predictions\[0\]: evidence\['7'\].* 2 sentences.*no sentence 2"):
        scifact.score(gold, [{"id": 1, "evidence": {"7": {"sentences": [2], "label": "SUPPORT"}}}], corpus=corpus)
    with pytest.raises(ValidationError, match=r"predictions\[0\]: evidence\['8'\].*no such document"):
        scifact.score(gold, [{"id": 1, "evidence": {8: {"sentences": [], "label": "SUPPORT"}}}], corpus=corpus)
    with pytest.raises(ValidationError, match=r"claims\[0\]: evidence\['7'\].*no sentence 1"):
        scifact.read_gold(claims, corpus={"7": 1})


def test_repeated_document_of_the_corpus(tmp_path):
    document = {"doc_id": 7, "title": "T", "abstract": ["a"]}
    with pytest.raises(InputFileError, match=r"line 2: doc_id: document 7"):
        scifact.abstract_lengths(write_lines(tmp_path / "corpus.jsonl", [document, document]))


# Metrics of the modules of a pipeline


@given(tasks())
def test_rationale_selection(task):
    claims, predictions = task
    selections = [
        {"claim_id": line["id"], "evidence": {key: value["sentences"] for key, value in line["evidence"].items()}}
        for line in predictions
    ]
    result = scifact.score_rationale_selection(scifact.read_gold(claims), selections)
    expected = naive.rationale_selection(claims, selections)
    assert {name: value for name, value in result.to_dict().items() if name in expected} == expected


@settings(max_examples=40)
@given(tasks(), st.data())
def test_label_prediction(task, data):
    claims, predictions = task
    lines = []
    for line in predictions:
        labels = {key: {"label": data.draw(st.sampled_from(LABELS)), "confidence": 0.5} for key in line["evidence"]}
        lines.append({"claim_id": line["id"], "labels": labels})
    result = scifact.score_label_prediction(scifact.read_gold(claims), lines)
    pairs = naive.label_pairs(claims, lines)
    assert result.total_documents == len(pairs)
    if pairs:
        agrees_with_scikit_learn(result, [gold for gold, _ in pairs], [label for _, label in pairs])
    else:
        assert (result.accuracy, result.macro_f1, result.macro_f1_without_nei) == (0.0, 0.0, 0.0)


def agrees_with_scikit_learn(result, gold, predicted):
    """Equal but for the last digit: today's scikit-learn takes F1 from counts, the task's reference from P and R."""
    matrix = [list(row.values()) for row in result.confusion_matrix.values()]
    assert matrix == confusion_matrix(gold, predicted, labels=LABELS).tolist()
    assert result.accuracy == accuracy_score(gold, predicted)
    macro = f1_score(gold, predicted, average="macro", zero_division=0.0)
    without = f1_score(gold, predicted, average="macro", labels=["CONTRADICT", "SUPPORT"], zero_division=0.0)
    assert result.macro_f1 == pytest.approx(macro, rel=1e-15, abs=0)
    assert result.macro_f1_without_nei == pytest.approx(without, rel=1e-15, abs=0)
    columns = precision_recall_fscore_support(gold, predicted, labels=LABELS, zero_division=0.0)
    for label, precision, recall, f1, support in zip(LABELS, *columns, strict=True):
        scores = result.per_label[label]
        assert (scores.precision, scores.recall, scores.support) == (precision, recall, support)
        assert scores.f1 == pytest.approx(f1, rel=1e-15, abs=0)


def test_published_label_prediction():
    """SciBERT trained on SciFact, allenai/scifact, issue 13."""
    matrix = [[32, 5, 34], [8, 81, 23], [26, 3, 109]]
    cells = [
        (gold, label, row[place])
        for gold, row in zip(LABELS, matrix, strict=True)
        for place, label in enumerate(LABELS)
    ]
    pairs = chain.from_iterable([(gold, label)] * count for gold, label, count in cells)
    result = score_pairs(dict(enumerate(pairs)), claims=300)
    assert round(result.accuracy, 4) == 0.6916
    assert round(result.macro_f1, 4) == 0.6634
    assert round(result.macro_f1_without_nei, 4) == 0.5921
    scores = result.per_label.values()
    assert [round(score.f1, 4) for score in scores] == [0.4672, 0.8060, 0.7171]
    assert [round(score.precision, 4) for score in scores] == [0.4848, 0.9101, 0.6566]
    assert [round(score.recall, 4) for score in scores] == [0.4507, 0.7232, 0.7899]


@settings(max_examples=40)
@given(tasks(), st.data())
def test_abstract_retrieval(task, data):
    claims, _ = task
    lines = [
        {"claim_id": claim["id"], "doc_ids": data.draw(st.lists(st.integers(0, 4), unique=True, max_size=4))}
        for claim in claims
    ]
    result = scifact.score_abstract_retrieval(scifact.read_gold(claims), lines)
    assert (result.hit_one, result.hit_all) == naive.abstract_retrieval(claims, lines)


# Claims that are missing, unknown or repeated


def test_every_claim_that_does_not_fit_is_named():
    gold = scifact.read_gold([{"id": number, "evidence": {}} for number in range(5)])
    with pytest.raises(ValidationError) as error:
        scifact.score(gold, [{"id": number, "evidence": {}} for number in (3, 0, 9, 8)])
    assert "3 claims have no prediction: 1, 2, 4" in str(error.value)
    assert "2 predictions are for unknown claims: 9, 8 (9 at position 2)" in str(error.value)


def test_repeated_claims():
    claims = [{"id": 5, "evidence": {}}, {"id": 5, "evidence": {}}]
    with pytest.raises(ValidationError, match=r"claims\[1\]: id: claim 5"):
        scifact.read_gold(claims)
    with pytest.raises(ValidationError, match=r"predictions\[1\]: claim 5"):
        scifact.score(scifact.read_gold(claims[:1]), claims)


# Linear growth: what is slow in one claim is not slow in many, but quadratic in one that is large


def test_one_claim_with_very_many_documents_and_sentences():
    many = range(20_000)
    generator = random.Random(0)
    evidence = {str(number): [{"sentences": [number], "label": "SUPPORT"}] for number in many}
    answers = {str(number): {"sentences": [number], "label": "SUPPORT"} for number in generator.sample(many, len(many))}
    report = scifact.score(scifact.read_gold([{"id": 1, "evidence": evidence}]), [{"id": 1, "evidence": answers}])
    assert report.sentence_label.f1 == report.abstract_rationalized.f1 == 1.0
    long_sets = gold_of(*[[number, number + 1] for number in many])
    answer = {"sentences": list(many), "label": "SUPPORT"}
    assert scifact.score(long_sets, [{"id": 1, "evidence": {"7": answer}}]).sentence_label.correct == 20_000


# What a unit adds


@settings(max_examples=25)
@given(tasks(), st.data())
def test_units_of_the_module_metrics(task, data):
    claims, _ = task
    gold = scifact.read_gold(claims)
    documents = st.lists(st.integers(0, 4), unique=True, max_size=4)
    drawn = [(claim["id"], data.draw(documents)) for claim in claims]
    reports = [
        scifact.score_abstract_retrieval(gold, [{"claim_id": own, "doc_ids": ids} for own, ids in drawn]),
        scifact.score_rationale_selection(
            gold, [{"claim_id": own, "evidence": {i: [i] for i in ids}} for own, ids in drawn]
        ),
        scifact.score_label_prediction(
            gold, [{"claim_id": own, "labels": {i: {"label": LABELS[i % 3]} for i in ids}} for own, ids in drawn]
        ),
    ]
    for report in reports:
        units = report.units
        found = units.figures(units.addends.sum(axis=0))
        assert {name: float(value) for name, value in found.items()} == report.figures()
        assert len(units.ids) == len(units.clusters) == len(units.addends)
        assert set(units.clusters) <= {claim["id"] for claim in claims}
