"""Reversal-aware decoding, against the definition written out row by row."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricord import ValidationError, dico_nli
from tricord.dico_nli import LABELS, REVERSE_LABEL, twin_id
from tricord.training import Decoding, reversal_aware_labels

# Two monolingual pairs, a pair in two language directions (four rows, two twin pairs), and a row without a twin.
IDS = [
    "p1__en-en__original",
    "p2__en-en__flipped",
    "p1__en-en__flipped",
    "p2__en-en__original",
    "p3__en-es__original",
    "p3__es-en__flipped",
    "p3__es-en__original",
    "p3__en-es__flipped",
    "p4__en-en__original",
]
PAIRS = [name.partition("__")[0] for name in IDS]
ORDER = ("BACKWARD_ENTAILMENT", "NEGATIVE_OTHER", "EQUIVALENCE", "FORWARD_ENTAILMENT")

scores = st.lists(st.lists(st.floats(-20, 20, width=32), min_size=4, max_size=4), min_size=len(IDS), max_size=len(IDS))


def log_probabilities(row, order):
    total = math.log(sum(math.exp(value) for value in row))
    return {label: value - total for label, value in zip(order, row, strict=True)}


def means(rows, order, groups):
    """For each row the mean log-probability of each label, as seen in the direction of the row."""
    single = [log_probabilities(row, order) for row in rows]
    result = []
    for own in IDS:
        members = groups(own)
        result.append(
            {
                label: math.fsum(
                    single[IDS.index(other)][label if same else REVERSE_LABEL.get(label, label)]
                    for other, same in members
                )
                / len(members)
                for label in LABELS
            }
        )
    return result


def twins(own):
    return [(own, True)] + ([(twin_id(own), False)] if twin_id(own) in IDS else [])


def whole_pair(own):
    direction = own.rpartition("__")[2]
    pair = own.partition("__")[0]
    return [(other, other.endswith(direction)) for other in IDS if other.partition("__")[0] == pair]


@pytest.mark.parametrize("by_pair", [False, True])
@given(rows=scores, bias=st.sampled_from([0.0, 0.7, -3.0]))
def test_chosen_labels_have_the_highest_mean(by_pair, rows, bias):
    chosen = reversal_aware_labels(rows, IDS, PAIRS, by_pair=by_pair, negative_bias=bias, label_names=ORDER)
    for row, mean in zip(chosen, means(rows, ORDER, whole_pair if by_pair else twins), strict=True):
        mean["NEGATIVE_OTHER"] += bias
        assert mean[ORDER[row]] >= max(mean.values()) - 1e-9


@pytest.mark.parametrize("by_pair", [False, True])
@given(rows=scores)
def test_directions_always_agree(by_pair, rows):
    labels = [ORDER[row] for row in reversal_aware_labels(rows, IDS, PAIRS, by_pair=by_pair, label_names=ORDER)]
    for own, label in zip(IDS, labels, strict=True):
        for other, same in whole_pair(own) if by_pair else twins(own):
            assert labels[IDS.index(other)] == (label if same else REVERSE_LABEL.get(label, label))


@given(st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_ties_do_not_break_agreement(row):
    labels = reversal_aware_labels([row] * len(IDS), IDS)
    for own in range(4):
        other = IDS.index(twin_id(IDS[own]))
        label = LABELS[labels[own]]
        assert LABELS[labels[other]] == REVERSE_LABEL.get(label, label)


def test_row_without_a_twin_keeps_its_own_arg_max():
    rows = np.random.default_rng(0).normal(size=(len(IDS), 4))
    assert reversal_aware_labels(rows, IDS)[-1] == rows[-1].argmax()


def test_log_probabilities_are_taken_as_they_are():
    rows = np.random.default_rng(1).normal(size=(len(IDS), 4))
    logs = rows - np.log(np.exp(rows).sum(axis=1, keepdims=True))
    assert (reversal_aware_labels(rows, IDS) == reversal_aware_labels(logs, IDS)).all()
    certain = np.log(
        np.eye(4)[np.zeros(len(IDS), dtype=int)] + 0.0, where=np.eye(4)[[0] * 9] > 0, out=np.full((9, 4), -np.inf)
    )
    assert (reversal_aware_labels(certain, IDS) == 0).all()


def test_bias_moves_decisions_towards_and_away_from_negative_other():
    rows = np.zeros((len(IDS), 4))
    assert (reversal_aware_labels(rows, IDS, negative_bias=0.1) == 3).all()
    assert (reversal_aware_labels(rows, IDS, negative_bias=-0.1) != 3).all()


def test_decoded_labels_are_consistent_for_the_scorer():
    gold = ["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT", "BACKWARD_ENTAILMENT", "FORWARD_ENTAILMENT"]
    reference = dico_nli.make_reference(IDS[:4], gold)
    rows = np.random.default_rng(2).normal(size=(4, 4))
    labels = reversal_aware_labels(rows, IDS[:4], negative_bias=-100)
    assert dico_nli.score(reference, labels).soft_cons == 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": np.zeros((8, 4))}, "unequal lengths"),
        ({"scores": np.zeros((9, 3))}, r"shape \(rows, 4\)"),
        ({"scores": np.full((9, 4), np.nan)}, "row 0 hold NaN"),
        ({"scores": np.full((9, 4), np.inf)}, "finite scores"),
        ({"scores": np.full((9, 4), -np.inf)}, "finite scores"),
        ({"instance_ids": ["a"] * 9}, "duplicate instance_id"),
        ({"instance_ids": list("abcdefghi")}, "Cannot derive the twin"),
        ({"by_pair": True}, "Expected `pair_ids`"),
        ({"by_pair": True, "pair_ids": PAIRS[:8]}, "unequal lengths"),
        ({"negative_bias": math.inf}, "finite number"),
        ({"negative_bias": "0.5"}, "finite number"),
        ({"negative_bias": True}, "finite number"),
        ({"label_names": ["a", "b"]}, "label_names"),
    ],
)
def test_unusable_arguments_are_refused(change, message):
    arguments = {"scores": np.zeros((9, 4)), "instance_ids": IDS, **change}
    with pytest.raises(ValidationError, match=message):
        reversal_aware_labels(**arguments)


def test_bound_decoding_can_be_used_again():
    choose = Decoding(by_pair=True).bind(IDS, PAIRS)
    for seed in range(3):
        rows = np.random.default_rng(seed).normal(size=(9, 4))
        assert (choose(rows) == reversal_aware_labels(rows, IDS, PAIRS, by_pair=True)).all()
