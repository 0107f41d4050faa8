"""What the tests of the apps know of each metric: an edit of its example, files to upload, files to refuse."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tricord import dico_nli


@dataclass(frozen=True)
class Case:
    """One metric.

    Attributes:
        edit: Row, column and new text of a cell of the example.
        bad_edit: The same with a text that is refused, and a part of the message.
        files: The name and content of the file for each upload.
        expected: Gives the report that the library makes of these files, from a folder that holds them.
        bad_file: An upload, a content that is refused, and a part of the message.
        values: Arguments of the endpoint that takes plain values.
        headline: The names of scores as shown, and where their values stand in the report.
    """

    edit: tuple[int, int, str]
    bad_edit: tuple[int, int, str, str]
    files: Mapping[str, tuple[str, str]]
    expected: Callable[[Any], dict[str, Any]]
    bad_file: tuple[str, str, str]
    values: Mapping[str, Any]
    headline: Mapping[str, str]


def dico_nli_files(pairs: int = 12) -> dict[str, tuple[str, str]]:
    """Some pairs, of which a model that knows only FORWARD_ENTAILMENT gets half of each right."""
    gold, predictions = ["instance_id,pair_id,reverse_pair_id,label"], ["instance_id,label"]
    for number in range(pairs):
        first, second = f"p{number}__en-en__original", f"p{number}__en-en__flipped"
        gold += [f"{first},p{number},{second},FORWARD_ENTAILMENT", f"{second},p{number},{first},BACKWARD_ENTAILMENT"]
        other = "BACKWARD_ENTAILMENT" if number % 4 == 0 else "FORWARD_ENTAILMENT"
        predictions += [f"{first},FORWARD_ENTAILMENT", f"{second},{other}"]
    return {
        "gold": ("gold.csv", "\n".join(gold) + "\n"),
        "predictions": ("predictions.csv", "\n".join(predictions) + "\n"),
    }


def _dico_nli_report(folder) -> dict[str, Any]:
    reference = dico_nli.read_reference(folder / "gold.csv")
    report = dico_nli.score(reference, folder / "predictions.csv")
    return {**report.to_dict(), "signature": report.signature}


def _consistency_report(folder) -> dict[str, Any]:
    report = _dico_nli_report(folder)
    return {**report["consistency"], "signature": report["signature"]}


_DICO_NLI = {
    "edit": (5, 4, "FORWARD_ENTAILMENT"),
    "bad_edit": (5, 4, "NEUTRAL", "'NEUTRAL'"),
    "files": dico_nli_files(),
    "values": {
        "instance_ids": ["a", "b", "c"],
        "references": ["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT", "NEGATIVE_OTHER"],
        "predictions": ["FORWARD_ENTAILMENT", "EQUIVALENCE", "NEGATIVE_OTHER"],
        "reverse_pair_ids": ["b", "a", ""],
    },
    "bad_file": ("predictions", "instance_id,label\np0__en-en__original,NEUTRAL\n", "predictions.csv"),
}

CASES = {
    "dico_nli": Case(
        **_DICO_NLI,
        expected=_dico_nli_report,
        headline={"Weighted F1": "weighted_f1", "SoftCons": "soft_cons", "HardCons": "hard_cons"},
    ),
    "dico_nli_consistency": Case(
        **_DICO_NLI, expected=_consistency_report, headline={"SoftCons": "soft_cons", "HardCons": "hard_cons"}
    ),
}


def write_files(case: Case, folder) -> dict[str, str]:
    """Write the files of a case; give the path for each upload."""
    paths = {}
    for upload, (name, text) in case.files.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths[upload] = str(path)
    return paths
