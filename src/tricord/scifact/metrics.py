"""The scores of SciFact on validated values: what a claim adds, and the scores as functions of sums over claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from tricord import reports
from tricord.errors import ValidationError, quoted
from tricord.measures import LabelScores, PrecisionRecallF1, add_up, label_scores, ratio
from tricord.reports import content_hash
from tricord.scifact.claims import Gold, GoldAbstract, PredictedAbstract
from tricord.scifact.labels import EVIDENCE_LABELS, LABELS, NOT_ENOUGH_INFO
from tricord.units import Units

__all__ = [
    "GROUPS",
    "RULES",
    "LabelPrediction",
    "RationaleSelection",
    "Report",
    "Retrieval",
    "Rule",
    "check_rule",
    "complete_sets",
    "count_claim",
    "count_sentences",
    "is_rationalized",
    "make_label_prediction",
    "make_rationale_selection",
    "make_report",
    "make_retrieval",
    "score_pairs",
    "sentence_limit",
]

Rule: TypeAlias = Literal["paper", "leaderboard"]

RULES: tuple[str, ...] = get_args(Rule)
"""How many of the predicted sentences count at abstract level; see `sentence_limit`."""

FIRST_SENTENCES = 3

GROUPS = ("sentence_selection", "sentence_label", "abstract_label_only", "abstract_rationalized")
"""The groups of scores: are the sentences right, and their document's label too; are the documents and their labels right, and
with a whole evidence set among the predicted sentences that count."""

MEASURES = ("precision", "recall", "f1")

Addends: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class _OfClaims(reports.Report):
    """What is added up over claims.

    Attributes:
        gold: The claims.
        claim_ids: The n claims in the order of the predictions.
        addends: What each of them adds to the sums.
    """

    gold: Gold = field(repr=False, compare=False)
    claim_ids: Sequence[int] = field(repr=False, compare=False)
    addends: Sequence[Addends] = field(repr=False, compare=False)

    @property
    def claims(self) -> int:
        """Number of claims."""
        return len(self.claim_ids)

    def _units(self, formula: Callable[..., dict[str, Any]]) -> Units:
        import numpy as np  # not at the top: files are scored without it

        return Units(self.claim_ids, self.claim_ids, np.array(self.addends, dtype=np.int64), formula)

    def _signature(self, task: str, **options: str) -> str:
        return reports.signature(task, **options, gold=self.gold.content_hash, claims=self.claims)


@dataclass(frozen=True)
class Report(_OfClaims):
    """All scores of one set of predictions; see `GROUPS`.

    Attributes:
        sentence_selection: Are the rationale sentences right, whatever the label?
        sentence_label: Are the rationale sentences and the label right?
        abstract_label_only: Are the documents and their labels right?
        abstract_rationalized: Are they, with a whole evidence set among the predicted sentences that count?
        rule: How many predicted sentences count at abstract level.
    """

    sentence_selection: PrecisionRecallF1
    sentence_label: PrecisionRecallF1
    abstract_label_only: PrecisionRecallF1
    abstract_rationalized: PrecisionRecallF1
    rule: str

    @property
    def signature(self) -> str:
        """What the figures depend on, to be quoted with them."""
        return self._signature("scifact", rule=self.rule)

    def groups(self, prefix: str = "") -> dict[str, PrecisionRecallF1]:
        """Give the groups of scores by name, those whose names begin as wanted."""
        return {name: getattr(self, name) for name in GROUPS if name.startswith(prefix)}

    def figures(self, prefix: str = "") -> dict[str, float]:
        """Give precision, recall and F1 of the groups, all in [0, 1], as `<group>_<measure>`."""
        return _flat(self.groups(prefix))

    def details(self) -> dict[str, Any]:
        """Lay out the groups with their counts, the rule and the number of claims."""
        groups = {name: asdict(scores) for name, scores in self.groups().items()}
        return {**groups, "claims": self.claims, "rule": self.rule}

    @property
    def units(self) -> Units:
        """The claims, each a cluster of its own, with what `count_claim` counts."""
        return self._units(lambda *sums: _flat(_group_scores(*sums)))


def _flat(groups: Mapping[str, PrecisionRecallF1]) -> dict[str, Any]:
    return {f"{name}_{measure}": getattr(own, measure) for name, own in groups.items() for measure in MEASURES}


def _group_scores(
    gold_abstracts: Any,
    predicted_abstracts: Any,
    label_only: Any,
    rationalized: Any,
    gold_sentences: Any,
    predicted_sentences: Any,
    selected: Any,
    labelled: Any,
) -> dict[str, PrecisionRecallF1]:
    """Compute the groups of scores from sums of what `count_claim` counts: numbers, or arrays of one shape."""
    of = PrecisionRecallF1.of
    sentences = {"predicted": predicted_sentences, "gold": gold_sentences}
    abstracts = {"predicted": predicted_abstracts, "gold": gold_abstracts}
    return {
        "sentence_selection": of(correct=selected, **sentences),
        "sentence_label": of(correct=labelled, **sentences),
        "abstract_label_only": of(correct=label_only, **abstracts),
        "abstract_rationalized": of(correct=rationalized, **abstracts),
    }


@dataclass(frozen=True)
class RationaleSelection(_OfClaims):
    """How well rationale sentences are selected.

    Attributes:
        scores: Micro-averaged over the sentences of all claims.
    """

    scores: PrecisionRecallF1

    @property
    def signature(self) -> str:
        """What the figures depend on, to be quoted with them."""
        return self._signature("scifact_rationale_selection")

    def figures(self) -> dict[str, float]:
        """Give precision, recall and F1, all in [0, 1]."""
        return _measures(self.scores)

    def details(self) -> dict[str, Any]:
        """Lay out the scores, their counts and the number of claims."""
        return {**asdict(self.scores), "claims": self.claims}

    @property
    def units(self) -> Units:
        """The claims, each a cluster of its own, with its (correct, predicted, gold) sentences."""
        return self._units(lambda *sums: _measures(_micro(*sums)))


def _measures(scores: PrecisionRecallF1) -> dict[str, Any]:
    return {measure: getattr(scores, measure) for measure in MEASURES}


def _micro(correct: Any, predicted: Any, gold: Any) -> PrecisionRecallF1:
    return PrecisionRecallF1.of(correct=correct, predicted=predicted, gold=gold)


@dataclass(frozen=True)
class Retrieval(_OfClaims):
    """How well the documents with evidence are found.

    Attributes:
        hit_one: Fraction of claims with at least one gold document retrieved, or without any; in [0, 1].
        hit_all: Fraction of claims with all gold documents retrieved; in [0, 1].
        hit_one_claims: Number of claims that count for `hit_one`.
        hit_all_claims: Number of claims that count for `hit_all`.
    """

    hit_one: float
    hit_all: float
    hit_one_claims: int
    hit_all_claims: int

    @property
    def signature(self) -> str:
        """What the figures depend on, to be quoted with them."""
        return self._signature("scifact_abstract_retrieval")

    def figures(self) -> dict[str, float]:
        """Give both fractions."""
        return {"hit_one": self.hit_one, "hit_all": self.hit_all}

    def details(self) -> dict[str, Any]:
        """Lay out the fractions and their counts."""
        counts = {name: getattr(self, name) for name in ("hit_one_claims", "hit_all_claims", "claims")}
        return {**self.figures(), **counts}

    @property
    def units(self) -> Units:
        """The claims, each a cluster of its own, with (hit one, hit all, 1)."""
        return self._units(_hit_rates)


def _hit_rates(hit_one: Any, hit_all: Any, claims: Any) -> dict[str, Any]:
    return {"hit_one": ratio(hit_one, claims), "hit_all": ratio(hit_all, claims)}


@dataclass(frozen=True)
class LabelPrediction(reports.Report):
    """How well the label of a claim and a given document is predicted.

    Attributes:
        accuracy: Fraction of documents labelled correctly; in [0, 1].
        macro_f1: Mean F1 of the labels that occur in gold or predictions; in [0, 1].
        macro_f1_without_nei: Mean F1 of CONTRADICT and SUPPORT; in [0, 1].
        per_label: Counts and scores of each label, in the order of `LABELS`.
        claims: Number of claims.
        pairs: For each (claim id, document id) the gold label and the predicted one.
    """

    accuracy: float
    macro_f1: float
    macro_f1_without_nei: float
    per_label: dict[str, LabelScores]
    claims: int
    pairs: Mapping[Hashable, tuple[str, str]] = field(repr=False, compare=False)

    @property
    def total_documents(self) -> int:
        """Number of labelled documents."""
        return len(self.pairs)

    @property
    def confusion_matrix(self) -> dict[str, dict[str, int]]:
        """Number of documents by gold label and predicted label."""
        rows = zip(LABELS, _confusions(self.pairs.values()), strict=True)
        return {label: dict(zip(LABELS, row, strict=True)) for label, row in rows}

    @cached_property
    def _gold_hash(self) -> str:
        return content_hash(f"{unit}\t{gold}" for unit, (gold, _) in self.pairs.items())

    @property
    def signature(self) -> str:
        """What the figures depend on, to be quoted with them."""
        return reports.signature("scifact_label_prediction", gold=self._gold_hash, documents=self.total_documents)

    def figures(self) -> dict[str, float]:
        """Give accuracy and both macro averages, all in [0, 1]."""
        names = ("accuracy", "macro_f1", "macro_f1_without_nei")
        return {name: getattr(self, name) for name in names}

    def details(self) -> dict[str, Any]:
        """Lay out the figures, the scores of each label and the counts."""
        return {
            **self.figures(),
            "total_documents": self.total_documents,
            "per_label": {label: asdict(scores) for label, scores in self.per_label.items()},
            "confusion_matrix": self.confusion_matrix,
            "claims": self.claims,
        }

    @property
    def units(self) -> Units:
        """The labelled documents, those of one claim a cluster, each with its place among the 9 confusions."""
        import numpy as np  # not at the top: files are scored without it

        addends = np.zeros((len(self.pairs), len(LABELS) ** 2), dtype=np.int64)
        places = [LABELS.index(gold) * len(LABELS) + LABELS.index(own) for gold, own in self.pairs.values()]
        addends[np.arange(len(places)), places] = 1
        clusters = [unit[0] if isinstance(unit, tuple) else unit for unit in self.pairs]
        return Units(list(self.pairs), clusters, addends, _label_figures)


def _confusions(pairs: Iterable[tuple[str, str]]) -> list[list[int]]:
    counts = Counter(pairs)
    return [[counts[gold, predicted] for predicted in LABELS] for gold in LABELS]


def _label_figures(*confusions: Any) -> dict[str, Any]:
    """Compute the figures from 9 sums of documents by gold label (slow) and predicted label (fast); as scikit-learn does."""
    size = len(LABELS)
    scores = label_scores(LABELS, [confusions[row * size : (row + 1) * size] for row in range(size)])
    # The F1 of a label that does not occur is 0.
    occurring = sum((own.support + own.predicted > 0) * 1 for own in scores.values())
    evidence = [scores[label].f1 for label in EVIDENCE_LABELS]
    return {
        "accuracy": ratio(sum(own.true_positive for own in scores.values()), sum(confusions)),
        "macro_f1": ratio(add_up(own.f1 for own in scores.values()), occurring),
        "macro_f1_without_nei": ratio(add_up(evidence), len(evidence)),
    }


def check_rule(rule: str) -> None:
    """Refuse an unknown rule.

    Raises:
        ValidationError: The rule is none of `RULES`.
    """
    if rule not in RULES:
        raise ValidationError(f"Expected `rule` to be one of {', '.join(RULES)}, got {quoted(rule)}")


def sentence_limit(sets: Sequence[Sequence[int]], rule: str) -> int:
    """Tell how many of the predicted sentences of a document count at abstract level.

    Args:
        sets: The gold evidence sets of the document.
        rule: "paper", the first 3; or "leaderboard", the first 3 or as many as the smallest evidence set has.

    Example:
        >>> sentence_limit([[0, 1, 2, 3], [5, 6, 7, 8, 9]], "paper")
        3
        >>> sentence_limit([[0, 1, 2, 3], [5, 6, 7, 8, 9]], "leaderboard")
        4
    """
    return FIRST_SENTENCES if rule == "paper" else max(FIRST_SENTENCES, min(map(len, sets)))


def complete_sets(sets: Iterable[Sequence[int]], sentences: Iterable[int]) -> list[Sequence[int]]:
    """Find the evidence sets all of whose sentences are among the given ones.

    Example:
        >>> complete_sets([(0, 1), (1, 2, 3), (11,)], [11, 1, 0, 2])
        [(0, 1), (11,)]
    """
    given = set(sentences)
    return [one for one in sets if given.issuperset(one)]


def count_sentences(sets: Sequence[Sequence[int]]) -> int:
    """Count the sentences of evidence sets; one that several sets share counts once.

    Example:
        >>> count_sentences([(0, 1), (1, 2, 3)])
        4
    """
    return len(sets[0]) if len(sets) == 1 else len(set().union(*sets))


def is_rationalized(sets: Sequence[Sequence[int]], sentences: Sequence[int], rule: str) -> bool:
    """Tell whether an evidence set is among those of the predicted sentences that count at abstract level.

    Example:
        >>> is_rationalized([(2, 5), (7,)], [5, 1, 2, 7], "paper"), is_rationalized([(7,)], [5, 1, 2, 7], "paper")
        (True, False)
    """
    return bool(complete_sets(sets, sentences[: sentence_limit(sets, rule)]))


def count_claim(gold: Sequence[GoldAbstract], predicted: Mapping[str, PredictedAbstract], rule: str) -> Addends:
    """Count what one claim adds to the scores.

    Args:
        gold: The documents with evidence, each once.
        predicted: The predicted documents by document id.
        rule: How many predicted sentences count at abstract level: one of `RULES`.

    Returns:
        Gold and predicted documents; of these the ones with the right label, and of these the ones with a whole evidence set
        among the predicted sentences that count. Then gold sentences, each once, and predicted ones, each as often as it is
        listed; of these the ones in a wholly predicted evidence set, and of these the ones of documents with the right label.

    Example:
        >>> gold = [("11", "SUPPORT", ((0, 1), (11,))), ("15", "SUPPORT", ((4,),))]
        >>> predicted = {"11": PredictedAbstract("SUPPORT", [1, 11, 13]), "16": PredictedAbstract("CONTRADICT", [18, 20])}
        >>> count_claim(gold, predicted, "paper")
        (2, 2, 1, 1, 4, 5, 1, 1)
    """
    gold_sentences = predicted_sentences = label_only = rationalized = selected = labelled = 0
    for abstract in predicted.values():
        predicted_sentences += len(abstract.sentences)
    for doc_id, label, sets in gold:
        gold_sentences += count_sentences(sets)
        if doc_id not in predicted:
            continue
        abstract = predicted[doc_id]
        sentences = abstract.sentences
        right_label = abstract.label == label
        label_only += right_label
        if complete := complete_sets(sets, sentences):
            correct = count_sentences(complete)
            selected += correct
            if right_label:
                labelled += correct
                # Where no sentence is cut off, the set that was found is there.
                rationalized += len(sentences) <= FIRST_SENTENCES or is_rationalized(sets, sentences, rule)
    abstracts = (len(gold), len(predicted), label_only, rationalized)
    return (*abstracts, gold_sentences, predicted_sentences, selected, labelled)


def make_report(gold: Gold, predicted: Iterable[tuple[int, Mapping[str, PredictedAbstract]]], rule: str) -> Report:
    """Score predictions that are validated.

    Args:
        gold: The claims.
        predicted: Each claim id, once, with the predicted documents by document id.
        rule: One of `RULES`.
    """
    evidence = gold.evidence
    counts = ((claim_id, count_claim(evidence[claim_id], documents, rule)) for claim_id, documents in predicted)
    claim_ids, addends, sums = _add_up(counts, 8)
    return Report(gold, claim_ids, addends, **_group_scores(*sums), rule=rule)


def make_rationale_selection(
    gold: Gold, selected: Iterable[tuple[int, Mapping[str, PredictedAbstract]]]
) -> RationaleSelection:
    """Score selected sentences that are validated; the arguments are those of `make_report`."""

    def counts() -> Iterator[tuple[int, Addends]]:
        for claim_id, documents in selected:
            *_, gold_sentences, predicted, correct, _ = count_claim(gold.evidence[claim_id], documents, "paper")
            yield claim_id, (correct, predicted, gold_sentences)

    claim_ids, addends, sums = _add_up(counts(), 3)
    return RationaleSelection(gold, claim_ids, addends, _micro(*sums))


def make_retrieval(gold: Gold, retrieved: Iterable[tuple[int, Sequence[str]]]) -> Retrieval:
    """Score retrieved documents that are validated.

    Args:
        gold: The claims.
        retrieved: Each claim id, once, with the ids of the retrieved documents.
    """

    def counts() -> Iterator[tuple[int, Addends]]:
        for claim_id, doc_ids in retrieved:
            wanted = {doc_id for doc_id, _, _ in gold.evidence[claim_id]}
            found = wanted.intersection(doc_ids)
            yield claim_id, (int(bool(found) or not wanted), int(len(found) == len(wanted)), 1)

    claim_ids, addends, (hit_one, hit_all, claims) = _add_up(counts(), 3)
    return Retrieval(
        gold, claim_ids, addends, **_hit_rates(hit_one, hit_all, claims), hit_one_claims=hit_one, hit_all_claims=hit_all
    )


def make_label_prediction(gold: Gold, labelled: Iterable[tuple[int, Mapping[str, str]]]) -> LabelPrediction:
    """Score predicted labels that are validated.

    Args:
        gold: The claims; a document without evidence is NOT_ENOUGH_INFO.
        labelled: Each claim id, once, with the predicted label by document id.
    """
    pairs: dict[Hashable, tuple[str, str]] = {}
    for claim_id, labels in labelled:
        true_labels = {doc_id: label for doc_id, label, _ in gold.evidence[claim_id]}
        for doc_id, label in labels.items():
            pairs[claim_id, doc_id] = (true_labels.get(doc_id, NOT_ENOUGH_INFO), label)
    return score_pairs(pairs, claims=len(gold))


def score_pairs(pairs: Mapping[Hashable, tuple[str, str]], *, claims: int) -> LabelPrediction:
    """Score gold and predicted labels by (claim id, document id).

    Example:
        >>> score_pairs({(1, "7"): ("SUPPORT", "SUPPORT"), (1, "8"): ("NOT_ENOUGH_INFO", "SUPPORT")}, claims=1).accuracy
        0.5
    """
    confusions = _confusions(pairs.values())
    figures = _label_figures(*(count for row in confusions for count in row))
    return LabelPrediction(**figures, per_label=label_scores(LABELS, confusions), claims=claims, pairs=pairs)


def _add_up(counts: Iterable[tuple[int, Addends]], size: int) -> tuple[list[int], list[Addends], list[int]]:
    """Collect claim ids and what each adds, equal addends being one object; and add up."""
    claim_ids, addends = [], []
    known: dict[Addends, Addends] = {}
    for claim_id, own in counts:
        claim_ids.append(claim_id)
        addends.append(known.setdefault(own, own))
    sums = [0] * size
    for own, times in Counter(addends).items():
        for place, value in enumerate(own):
            sums[place] += times * value
    return claim_ids, addends, sums
