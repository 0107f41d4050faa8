"""Prediction templates."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from tricord.dico_nli import template_text


def test_sorted_ids_with_empty_labels():
    assert template_text(["p2", "p10", "p1"]) == "instance_id,label\np1,\np10,\np2,\n"


@given(st.lists(st.text("ab,\"'ñ;_-#=", min_size=1), unique=True, min_size=1))
def test_any_id_comes_back(ids):
    rows = list(csv.DictReader(io.StringIO(template_text(ids), newline=""), strict=True))
    assert rows == [{"instance_id": name, "label": ""} for name in sorted(ids)]
