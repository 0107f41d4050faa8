"""What the tests of the apps know of each metric: an edit of its example, files to upload, files to refuse."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tricord import commonground, dico_nli, scifact


@dataclass(frozen=True)
class Case:
    """One metric.

    Attributes:
        cell: Row and column of a cell of the example.
        good: A text for it that changes the first score.
        bad: A text that is refused, and named in the message.
        files: The name and content of the file for each upload.
        expected: Gives the report that the library makes of these files, from a folder that holds them.
        bad_file: An upload, a content that is refused, and a part of the message.
        values: Arguments of the endpoint that takes plain values.
        headline: The names of scores as shown, and where their values stand in the report.
    """

    cell: tuple[int, int]
    good: str
    bad: str
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
    return dico_nli.score(reference, folder / "predictions.csv").to_dict()


def _consistency_report(folder) -> dict[str, Any]:
    report = _dico_nli_report(folder)
    return {**report["consistency"], "signature": report["signature"]}


_DICO_NLI = {
    "cell": (5, 4),
    "good": "FORWARD_ENTAILMENT",
    "bad": "NEUTRAL",
    "files": dico_nli_files(),
    "values": {
        "instance_ids": ["a", "b", "c"],
        "references": ["FORWARD_ENTAILMENT", "BACKWARD_ENTAILMENT", "NEGATIVE_OTHER"],
        "predictions": ["FORWARD_ENTAILMENT", "EQUIVALENCE", "NEGATIVE_OTHER"],
        "reverse_pair_ids": ["b", "a", ""],
    },
    "bad_file": ("predictions", "instance_id,label\np0__en-en__original,NEUTRAL\n", "predictions.csv"),
}


def _lines(*values: Any) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


_CLAIMS = [
    {"id": 52, "claim": "One <b>claim</b>", "evidence": {"11": [{"sentences": [0, 1], "label": "SUPPORT"}]}},
    {"id": 53, "claim": "Another", "evidence": {"12": [{"sentences": [3], "label": "CONTRADICT"}]}},
    {"id": 54, "claim": "A third", "evidence": {}},
]
_PREDICTIONS = [
    {"id": 52, "evidence": {"11": {"sentences": [1, 0], "label": "SUPPORT"}}},
    {"id": 53, "evidence": {"12": {"sentences": [3], "label": "SUPPORT"}}},
    {"id": 54, "evidence": {"11": {"sentences": [2], "label": "SUPPORT"}}},
]
_SCIFACT = {
    "cell": (3, 5),
    "good": "CONTRADICT",
    "bad": "PERHAPS",
    "files": {
        "claims": ("claims.jsonl", _lines(*_CLAIMS)),
        "predictions": ("predictions.jsonl", _lines(*_PREDICTIONS)),
    },
    "bad_file": ("predictions", _lines({"id": 52, "evidence": []}), "predictions.jsonl: line 1"),
}


def _scifact_report(*groups: str) -> Callable[[Any], dict[str, Any]]:
    def report(folder) -> dict[str, Any]:
        found = scifact.score(scifact.read_gold(folder / "claims.jsonl"), folder / "predictions.jsonl")
        scores = {group: asdict(getattr(found, group)) for group in groups}
        return {**scores, "claims": 3, "rule": "paper", "signature": found.signature}

    return report


_HELD_OUT = {"p1-s1": 1, "p1-s2": -1, "p2-s1": 0, "p2-s2": 1}
_PREDICTED = {"p1-s1": {"agree": 0.7, "disagree": 0.1, "pass": 0.2}, "p1-s2": -1, "p2-s1": {"agree": 1, "pass": 1}}
_EXPORT = "participant,group-id,0,1\n0,0,1,-1\n1,0,1,1\n2,1,-1,0\n"


def _commonground_report(folder) -> dict[str, Any]:
    report = commonground.score(folder / "votes.json", folder / "predictions.json")
    statements = commonground.statement_table(commonground.read_export(folder / "participants-votes.csv"))
    return {**report.to_dict(), "statements": statements}


CASES = {
    "dico_nli": Case(
        **_DICO_NLI,
        expected=_dico_nli_report,
        headline={"Weighted F1": "weighted_f1", "SoftCons": "soft_cons", "HardCons": "hard_cons"},
    ),
    "dico_nli_consistency": Case(
        **_DICO_NLI, expected=_consistency_report, headline={"SoftCons": "soft_cons", "HardCons": "hard_cons"}
    ),
    "scifact_abstract": Case(
        **_SCIFACT,
        values={"claims": _CLAIMS, "predictions": _PREDICTIONS, "rule": "leaderboard"},
        expected=_scifact_report("abstract_rationalized", "abstract_label_only"),
        headline={"F1, rationalized": "abstract_rationalized.f1", "Recall, label only": "abstract_label_only.recall"},
    ),
    "scifact_sentence": Case(
        **_SCIFACT,
        values={"claims": _CLAIMS, "predictions": _PREDICTIONS},
        expected=_scifact_report("sentence_label", "sentence_selection"),
        headline={"F1, with label": "sentence_label.f1", "Precision, selection": "sentence_selection.precision"},
    ),
    "commonground_brier": Case(
        cell=(0, 2),
        good="disagree",
        bad="maybe",
        files={
            "export": ("participants-votes.csv", _EXPORT),
            "held_out": ("votes.json", json.dumps(_HELD_OUT)),
            "predictions": ("predictions.json", json.dumps(_PREDICTED)),
        },
        values={
            "predictions": [{"agree": 0.7, "disagree": 0.1, "pass": 0.2}, {"disagree": 1}],
            "references": [1, 0],
            "bins": 5,
        },
        expected=_commonground_report,
        bad_file=("held_out", '{"p1-s1": 2}', "votes.json: cell 'p1-s1'"),
        headline={"Brier score": "brier_score", "Accuracy": "vote_accuracy"},
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


def value_at(report: Mapping[str, Any], path: str) -> Any:
    """Look up a value of a report by its keys, joined by points."""
    for key in path.split("."):
        report = report[key]
    return report
