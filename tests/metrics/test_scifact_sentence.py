"""The module `scifact_sentence`: what is its own, beyond what every module must do and what `scifact_abstract` tests for both."""

import tricord
from metrics.module_checks import Example, ModuleChecks
from metrics.scifact_rows import BAD_ROWS, BAD_VALUES, COLUMNS

SCORES = {
    "sentence_selection_precision": 5 / 9,
    "sentence_selection_recall": 5 / 8,
    "sentence_selection_f1": 0.5882352941176471,
    "sentence_label_precision": 1 / 9,
    "sentence_label_recall": 1 / 8,
    "sentence_label_f1": 0.11764705882352941,
}


class TestEveryModulesDuties(ModuleChecks):
    example = Example(
        module="scifact_sentence",
        columns=COLUMNS,
        scores=SCORES,
        bad_values=BAD_VALUES,
        bad_rows=BAD_ROWS,
        compute_options={"detailed": True},
    )


def test_details_leave_the_rule_out_as_it_does_not_matter():
    result = tricord.load("scifact_sentence").compute(**COLUMNS, detailed=True)
    assert set(result) == {*SCORES, "sentence_selection", "sentence_label", "claims", "signature"}
    assert result["signature"] == f"scifact|claims:3|version:{tricord.__version__}"
    counts = {name: result[name]["correct"] for name in ("sentence_selection", "sentence_label")}
    assert counts == {"sentence_selection": 5, "sentence_label": 1}
