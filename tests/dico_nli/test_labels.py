"""The four labels, their reversal and their codes."""

import numpy as np
import pytest

from tricord import ValidationError
from tricord.dico_nli import labels

ORDER = ("EQUIVALENCE", "FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT", "NEGATIVE_OTHER")
MODEL_ORDER = ["NEGATIVE_OTHER", "BACKWARD_ENTAILMENT", "EQUIVALENCE", "FORWARD_ENTAILMENT"]


def test_order_of_labels():
    assert labels.LABELS == ORDER


def test_reversal_table():
    assert {label: labels.reverse_label(label) for label in ORDER[:3]} == {
        "EQUIVALENCE": "EQUIVALENCE",
        "FORWARD_ENTAILMENT": "BACKWARD_ENTAILMENT",
        "BACKWARD_ENTAILMENT": "FORWARD_ENTAILMENT",
    }


@pytest.mark.parametrize("label", ORDER[:3])
def test_reversing_twice_gives_the_label_back(label):
    assert labels.reverse_label(labels.reverse_label(label)) == label


@pytest.mark.parametrize("label", ["NEGATIVE_OTHER", "equivalence", "", None, 1, ["EQUIVALENCE"], {}])
def test_labels_without_reverse_are_named(label):
    with pytest.raises(ValidationError) as error:
        labels.reverse_label(label)
    assert repr(label) in str(error.value)
    assert "FORWARD_ENTAILMENT" in str(error.value)


def test_is_reversible():
    assert [labels.is_reversible(label) for label in ORDER] == [True, True, True, False]


def test_encoding_strings_and_ids_mixed():
    assert list(labels.encode_labels("predictions", [" EQUIVALENCE\t", 1, "BACKWARD_ENTAILMENT", np.int64(3)])) == [
        0,
        1,
        2,
        3,
    ]


def test_encoding_with_another_order_of_ids():
    assert list(labels.encode_labels("p", [0, 1, 2, 3, "EQUIVALENCE"], MODEL_ORDER)) == [3, 2, 0, 1, 0]


def test_encoding_nothing():
    assert labels.encode_labels("p", []) == b""


@pytest.mark.parametrize(
    "value",
    [
        "equivalence",
        "NEUTRAL",
        "",
        "0",
        None,
        True,
        np.True_,
        1.0,
        np.float32(1),
        float("nan"),
        -1,
        4,
        10**30,
        b"\x00",
        [0],
        {},
    ],
)
@pytest.mark.parametrize("neighbours", [[0, 1], ["EQUIVALENCE", "NEGATIVE_OTHER"]])
def test_what_is_neither_label_nor_id_is_named_with_its_row(value, neighbours):
    with pytest.raises(labels.UnknownLabelError) as error:
        labels.encode_labels("predictions", [*neighbours, value])
    assert error.value.row == 2
    assert "predictions[2]" in str(error.value)
    assert repr(value) in str(error.value)
    assert all(label in str(error.value) for label in ORDER)


def test_the_first_unknown_label_is_named():
    with pytest.raises(labels.UnknownLabelError, match=r"'x' at p\[1\]"):
        labels.encode_labels("p", ["EQUIVALENCE", "x", "y"])


def test_decoding_undoes_encoding():
    assert tuple(labels.decode_labels(labels.encode_labels("p", ORDER))) == ORDER


@pytest.mark.parametrize(
    "given",
    [
        MODEL_ORDER,
        tuple(MODEL_ORDER),
        np.array(MODEL_ORDER),
        dict(enumerate(MODEL_ORDER)),
        {str(index): name for index, name in reversed(list(enumerate(MODEL_ORDER)))},
        [f" {name} " for name in MODEL_ORDER],
    ],
)
def test_label_order_takes_sequences_and_id2label(given):
    assert labels.label_order(given) == tuple(MODEL_ORDER)


def test_label_order_left_out_is_the_tasks_own():
    assert labels.label_order(None) == ORDER


@pytest.mark.parametrize(
    "given",
    [
        [],
        "EQUIVALENCE",
        ORDER[:3],
        [*ORDER, "EQUIVALENCE"],
        [*ORDER[:3], "EQUIVALENCE"],
        [*ORDER[:3], "negative_other"],
        [*ORDER[:3], None],
        [*ORDER[:3], ["NEGATIVE_OTHER"]],
        {0: "EQUIVALENCE"},
        dict(enumerate(ORDER, start=1)),
        dict(zip(ORDER, range(4), strict=True)),
        {**dict(enumerate(ORDER)), 4: "EQUIVALENCE"},
        7,
        b"abcd",
    ],
)
def test_unusable_label_order(given):
    with pytest.raises(ValidationError, match="`label_names`"):
        labels.label_order(given)
