"""The formulas, on values worked out by hand."""

import math
from itertools import chain

import pytest

from tricord.dico_nli.labels import LABELS
from tricord.dico_nli.metrics import classification_scores, make_report
from tricord.dico_nli.reference import Reference

EQ, FWD, BWD, NEG = range(4)


def consistency(gold, predicted, **options):
    """Score pairs given as (first, second) codes."""
    ids = [f"{pair}{side}" for pair in range(len(gold)) for side in "ab"]
    rows = range(len(ids))
    reference = Reference(dict(zip(ids, rows, strict=True)), bytes(chain(*gold)), rows[::2], rows[1::2])
    return make_report(reference, bytes(chain(*predicted)), **options).consistency


def test_classification_by_hand():
    # gold 0 0 0 1 1 3 against predicted 0 1 0 1 2 1: tp 2, 1, 0, 0
    scores = classification_scores(bytes([0, 0, 0, 1, 1, 3]), bytes([0, 1, 0, 1, 2, 1]))
    equivalence, forward, backward, negative = scores.per_label.values()
    assert (equivalence.support, equivalence.predicted) == (3, 2)
    assert (equivalence.true_positive, equivalence.false_positive, equivalence.false_negative) == (2, 0, 1)
    assert (equivalence.precision, equivalence.recall, equivalence.f1) == (
        1.0,
        2 / 3,
        2 * 1.0 * (2 / 3) / (1.0 + 2 / 3),
    )
    assert (forward.precision, forward.recall) == (1 / 3, 1 / 2)
    assert (backward.support, backward.predicted, backward.precision, backward.recall, backward.f1) == (
        0,
        1,
        0.0,
        0.0,
        0.0,
    )
    assert (negative.support, negative.predicted, negative.f1) == (1, 0, 0.0)
    assert scores.accuracy == 3 / 6
    assert scores.weighted_f1 == (3 / 6) * equivalence.f1 + (2 / 6) * forward.f1
    assert scores.macro_f1 == (equivalence.f1 + forward.f1) / 3  # the backward label does not occur
    assert scores.total_instances == 6
    assert scores.confusion_matrix["EQUIVALENCE"] == dict(zip(LABELS, [2, 1, 0, 0], strict=True))
    assert list(scores.confusion_matrix) == list(scores.per_label) == list(LABELS)


def test_all_right_and_all_wrong():
    gold = bytes([0, 1, 2, 3] * 3)
    right, wrong = classification_scores(gold, gold), classification_scores(gold, bytes([1, 2, 3, 0] * 3))
    assert (right.weighted_f1, right.macro_f1, right.accuracy) == (1.0, 1.0, 1.0)
    assert (wrong.weighted_f1, wrong.macro_f1, wrong.accuracy) == (0.0, 0.0, 0.0)


def test_weights_are_added_from_left_to_right():
    # Chosen so that a compensated sum, and the sum from right to left, have another last digit.
    scores = classification_scores(bytes([0, 2, 3, 2, 1, 0]), bytes([2, 3, 3, 2, 3, 0]))
    terms = [(row.support / 6) * row.f1 for row in scores.per_label.values()]
    assert math.fsum(terms) != scores.weighted_f1
    assert terms[3] + terms[2] + terms[1] + terms[0] != scores.weighted_f1
    assert scores.weighted_f1 == terms[0] + terms[1] + terms[2] + terms[3] == 0.47222222222222215


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("second", range(4))
def test_soft_consistency_of_every_pair_of_predictions(first, second):
    scores = consistency([(FWD, BWD)], [(first, second)])
    consistent = (first, second) in {(EQ, EQ), (FWD, BWD), (BWD, FWD)}
    assert scores.soft_consistent_pairs == int(consistent)
    assert scores.hard_correct_pairs == int((first, second) == (FWD, BWD))
    if scores.pair_errors:
        assert scores.pair_errors[0].soft_consistent is consistent


def test_gold_plays_no_part_in_soft_consistency():
    predicted = [(FWD, BWD), (NEG, NEG), (EQ, EQ), (EQ, FWD)]
    soft = {consistency([pair] * 4, predicted).soft_cons for pair in [(EQ, EQ), (FWD, BWD), (BWD, FWD)]}
    assert soft == {0.5}


def test_hard_needs_both_right():
    scores = consistency([(FWD, BWD)] * 4, [(FWD, BWD), (FWD, EQ), (EQ, BWD), (BWD, FWD)])
    assert (scores.hard_cons, scores.soft_cons, scores.reversible_pairs) == (0.25, 0.5, 4)


def test_pair_errors_are_the_first_faulty_pairs_in_order():
    predicted = [(FWD, BWD), (EQ, EQ)] * 60
    errors = consistency([(FWD, BWD)] * 120, predicted).pair_errors
    assert [error.first_id for error in errors] == [f"{pair}a" for pair in range(1, 101, 2)]
    assert len(errors) == 50
    assert errors[0].to_dict() == {
        "first_id": "1a",
        "second_id": "1b",
        "first_gold": "FORWARD_ENTAILMENT",
        "second_gold": "BACKWARD_ENTAILMENT",
        "first_prediction": "EQUIVALENCE",
        "second_prediction": "EQUIVALENCE",
        "soft_consistent": "true",
        "hard_correct": "false",
    }


@pytest.mark.parametrize("most", [0, 1, 3, 1000])
def test_number_of_pair_errors_is_a_parameter(most):
    scores = consistency([(FWD, BWD)] * 5, [(NEG, NEG)] * 5, max_pair_errors=most)
    assert len(scores.pair_errors) == min(most, 5)
    assert scores.reversible_pairs == 5


def test_official_figures_of_a_confusion_matrix():
    """The organisers' figures of their random baseline on track 1; rows are gold labels, columns predictions."""
    backward, equivalence, forward, negative = (68, 62, 65, 55), (40, 43, 36, 53), (68, 45, 68, 69), (36, 29, 29, 31)
    counts = {EQ: equivalence, FWD: forward, BWD: backward, NEG: negative}
    cells = [(gold, own, n) for gold, row in counts.items() for own, n in zip((BWD, EQ, FWD, NEG), row, strict=True)]
    gold, predicted = (bytes(chain.from_iterable([cell[side]] * cell[2] for cell in cells)) for side in (0, 1))
    scores = classification_scores(gold, predicted)
    assert scores.weighted_f1 == 0.26963821098074553
    assert scores.macro_f1 == 0.25728603853603854
    assert scores.accuracy == 0.26348808030112925
