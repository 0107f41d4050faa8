"""The Common Ground hook: its figures are those of the scorer on the softmax of the logits."""

import math

import numpy as np
import pytest
from datasets import ClassLabel, Dataset
from hypothesis import given
from hypothesis import strategies as st

from tricord import ValidationError, commonground
from tricord.training import commonground_metrics

ROWS = [{"label": "agree"}, {"label": "pass"}, {"label": "disagree"}, {"label": "agree"}]
VOTES = [1, 0, -1, 1]
ORDER = ("pass", "agree", "disagree")
GOLD = np.array([ORDER.index(row["label"]) for row in ROWS])


@given(st.lists(st.lists(st.floats(-30, 30, width=32), min_size=3, max_size=3), min_size=4, max_size=4))
def test_figures_are_those_of_the_scorer(logits):
    figures = commonground_metrics(ROWS, label_names=ORDER)((np.array(logits), GOLD))
    shares = [[math.exp(value - max(row)) for value in row] for row in logits]
    predictions = {number: dict(zip(ORDER, row, strict=True)) for number, row in enumerate(shares)}
    report = commonground.score(dict(enumerate(VOTES)), predictions)
    for name in ("brier_score", "probability_reward", "brier_skill_score"):
        assert figures[name] == pytest.approx(getattr(report, name), abs=1e-12), name
    assert set(figures) == {"brier_score", "probability_reward", "brier_skill_score", "vote_accuracy"}
    highest = [sorted(row)[-2:] for row in logits]
    if all(first < second - 1e-6 for first, second in highest):  # no ties, which the softmax may make
        assert figures["vote_accuracy"] == report.vote_accuracy


def test_class_ids_are_certain_predictions():
    figures = commonground_metrics(ROWS, label_names=ORDER)((GOLD, GOLD))
    assert figures == {"brier_score": 0.0, "probability_reward": 1.0, "brier_skill_score": 1.0, "vote_accuracy": 1.0}


def test_class_label_column_and_several_sets():
    data = Dataset.from_dict({"labels": GOLD.tolist(), "cell_id": list("abcd")}).cast_column(
        "labels", ClassLabel(names=list(ORDER))
    )
    hook = commonground_metrics({"one": data, "other": data.select([0, 1])})
    assert hook((GOLD, GOLD))["vote_accuracy"] == 1.0
    assert hook((GOLD[:2], GOLD[:2]))["vote_accuracy"] == 1.0
    average = hook.average([hook((GOLD, GOLD)), hook((1 + 0 * GOLD[:2], GOLD[:2]))])
    assert average["vote_accuracy"] == 0.75
    with pytest.raises(ValidationError, match="follow one order"):
        commonground_metrics(data, label_names=("agree", "disagree", "pass"))


@pytest.mark.parametrize(
    ("rows", "outputs", "message"),
    [
        ([{"label": -1}], None, "agree, disagree, pass or their ids 0 to 2, got -1 in row 0"),
        ([{"label": "yes"}], None, "got 'yes' in row 0"),
        ([{"label": True}], None, "got True in row 0"),
        ([{"vote": 1}], None, "missing column 'labels' or 'label'"),
        (ROWS, np.zeros((4, 4)), r"shape \(rows, 3\)"),
        (ROWS, np.full((4, 3), np.inf), "Expected finite scores"),
        (ROWS, np.zeros((3, 3)), "one prediction a label"),
    ],
)
def test_unusable_input_is_refused(rows, outputs, message):
    with pytest.raises(ValidationError, match=message):
        commonground_metrics(rows)((outputs, np.array([0, 2, 1, 0])))
