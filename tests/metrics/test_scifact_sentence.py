"""The module `scifact_sentence`: what is its own, beyond what every module must do and what `scifact_abstract` tests for both."""

import tricord
from scifact.contract import COLUMNS
from scifact.contract import SENTENCE_SCORES as SCORES
from tricord.scifact import score


def test_details():
    result = tricord.load("scifact_sentence").compute(**COLUMNS, detailed=True)
    assert set(result) == {*SCORES, "sentence_selection", "sentence_label", "claims", "rule", "signature"}
    assert result["signature"] == score(COLUMNS["references"], COLUMNS["predictions"]).signature
    counts = {name: result[name]["correct"] for name in ("sentence_selection", "sentence_label")}
    assert counts == {"sentence_selection": 5, "sentence_label": 1}
