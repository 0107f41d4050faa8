"""What the objects of SciFact's files look like: one typed declaration for files and values, and the gold standard made of it.

What the types cannot say (one label for a document, sentences within the abstract, each claim once) is in `validation`. The
descriptions are what messages say was expected; see `records.read_as`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from tricord.reports import content_hash

__all__ = [
    "Abstract",
    "Claim",
    "Document",
    "EvidenceSet",
    "Gold",
    "GoldAbstract",
    "LabelledDocument",
    "Labels",
    "PredictedAbstract",
    "Prediction",
    "Retrieved",
    "Selection",
]

_LARGEST = 2**63 - 1

ClaimId: TypeAlias = Annotated[int, Meta(ge=-_LARGEST, le=_LARGEST, description="the claim's id, a whole number")]
SentenceNumber: TypeAlias = Annotated[int, Meta(ge=0, le=_LARGEST, description="a sentence number, counted from 0")]
# Text as the key of a JSON object and a number elsewhere; kept as text, without zeros in front.
DocumentId: TypeAlias = Annotated[str, Meta(pattern=r"^(0|[1-9][0-9]*)\Z", description="a document id, a whole number")]
_Number: TypeAlias = Annotated[int, Meta(ge=0, le=_LARGEST)]
Sentences: TypeAlias = Annotated[list[SentenceNumber], Meta(description="a list of sentence numbers")]
EvidenceLabel: TypeAlias = Literal["CONTRADICT", "SUPPORT"]
Text: TypeAlias = Annotated[str, Meta(description="a text")]


class EvidenceSet(Struct, gc=False):
    """Sentences of one document that together are enough."""

    label: EvidenceLabel
    sentences: Annotated[
        tuple[SentenceNumber, ...],
        Meta(
            min_length=1,
            description="a list of sentence numbers",
            extra={"empty": "expected the sentences of an evidence set, got []"},
        ),
    ]


_EvidenceSets: TypeAlias = Annotated[
    list[EvidenceSet],
    Meta(
        min_length=1,
        description="a list of evidence sets",
        extra={"empty": "expected at least one evidence set, got []; leave the document out"},
    ),
]


class Claim(Struct, gc=False):
    """One claim with evidence: a line of a claims file. The text is not needed for scoring."""

    id: ClaimId
    evidence: Annotated[
        dict[DocumentId, _EvidenceSets],
        Meta(
            description="an object with document ids as keys",
            extra={"missing": "expected claims with gold evidence (is this the test split?)"},
        ),
    ]
    claim: Text | None = None


class PredictedAbstract(Struct, gc=False):
    """What is predicted for one claim and one document.

    Attributes:
        label: SUPPORT or CONTRADICT; empty where only sentences are predicted.
        sentences: The predicted rationale sentences in the order in which they are given.
    """

    label: EvidenceLabel
    sentences: Sentences


class Prediction(Struct, gc=False):
    """What is predicted for one claim: a line of a prediction file."""

    id: ClaimId
    evidence: Annotated[dict[DocumentId, PredictedAbstract], Meta(description="an object with document ids as keys")]


class Selection(Struct, gc=False):
    """The sentences selected for one claim: a line of a rationale-selection file."""

    claim_id: ClaimId
    evidence: Annotated[dict[DocumentId, Sentences], Meta(description="an object with document ids as keys")]


class LabelledDocument(Struct, gc=False):
    """The label of one document; how sure it is is not needed."""

    label: Literal["CONTRADICT", "NOT_ENOUGH_INFO", "SUPPORT"]
    confidence: Annotated[float, Meta(description="a finite number")] = 0.0


class Labels(Struct, gc=False):
    """The labels of one claim's documents: a line of a label-prediction file."""

    claim_id: ClaimId
    labels: Annotated[dict[DocumentId, LabelledDocument], Meta(description="an object with document ids as keys")]


class Retrieved(Struct, gc=False):
    """The documents retrieved for one claim: a line of an abstract-retrieval file."""

    claim_id: ClaimId
    doc_ids: Annotated[list[_Number | DocumentId], Meta(description="a list of document ids")]


class Document(Struct, gc=False):
    """One document: a line of the corpus."""

    doc_id: _Number | DocumentId
    title: Text
    abstract: Annotated[list[Text], Meta(description="a list of sentences")]


class Abstract(NamedTuple):
    """A document of the corpus."""

    doc_id: str
    title: str
    sentences: list[str]


GoldAbstract: TypeAlias = tuple[str, str, tuple[tuple[int, ...], ...]]
"""The evidence of one document for one claim: its id, its label (SUPPORT or CONTRADICT) and its evidence sets.

The sentences of any one set together are enough; a set holds a sentence once. Plain tuples, since there may be millions:
they are small, and the garbage collector soon leaves them alone.
"""


@dataclass(frozen=True)
class Gold:
    """Validated claims with evidence; scores any number of predictions without being read again.

    Attributes:
        evidence: For each claim id the documents with evidence, each once; the ids stand in file order.
        source: What the claims are called in messages: the file's name, say.
    """

    evidence: Mapping[int, Sequence[GoldAbstract]]
    source: str = "the claims"

    def __len__(self) -> int:
        """Give the number of claims."""
        return len(self.evidence)

    @cached_property
    def content_hash(self) -> str:
        """What identifies the claims: their ids and evidence, in whatever order they come."""
        return content_hash(f"{claim_id}\t{sorted(documents)}" for claim_id, documents in self.evidence.items())
