"""The validated gold standard that scoring starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from tricord.dico_nli.instance_ids import source_pair_id
from tricord.dico_nli.labels import decode_labels
from tricord.reports import content_hash

__all__ = ["Reference"]


@dataclass(frozen=True, eq=False)
class Reference:
    """A validated gold standard; scores any number of predictions without being read again.

    Attributes:
        row_of: The row of each instance id; iterating gives the n ids in reference order.
        gold: n label codes (positions in `LABELS`).
        firsts: For each reversible pair the row of the member that stands first, in ascending order.
        seconds: The row of the other member of each pair.
        links: Where the links of the pairs come from: "given", or "inferred" from the instance ids.
        pair_ids: n ids of source pairs, or None where the data gives none. Rows that share one are not independent.
        source: What the reference is called in messages.
    """

    row_of: Mapping[str, int]
    gold: bytes
    firsts: Sequence[int]
    seconds: Sequence[int]
    links: str = "given"
    pair_ids: Sequence[str] | None = None
    source: str = "the reference"

    def __len__(self) -> int:
        """Give the number of instances."""
        return len(self.gold)

    @cached_property
    def instance_ids(self) -> list[str]:
        """The n instance ids in reference order."""
        return list(self.row_of)

    @cached_property
    def content_hash(self) -> str:
        """What identifies the gold standard: its ids, labels and links, in whatever order they come."""
        twins = dict(zip(chain(self.firsts, self.seconds), chain(self.seconds, self.firsts), strict=True))
        ids = self.instance_ids
        rows = enumerate(zip(ids, decode_labels(self.gold), strict=True))
        return content_hash(f"{own}\t{label}\t{ids[twins[row]] if row in twins else ''}" for row, (own, label) in rows)

    @cached_property
    def cluster_ids(self) -> Sequence[str]:
        """For each row the source pair that it comes from: its pair id, or what its instance id or its link tells."""
        if self.pair_ids is not None:
            return self.pair_ids
        clusters = [source_pair_id(own) or own for own in self.instance_ids]
        for first, second in zip(self.firsts, self.seconds, strict=True):
            clusters[second] = clusters[first]
        return clusters

    def pair_members(self, pair: int) -> tuple[str, str]:
        """Give the instance ids of the first and of the second member of one reversible pair."""
        return self.instance_ids[self.firsts[pair]], self.instance_ids[self.seconds[pair]]

    @cached_property
    def gold_members(self) -> tuple[bytes, bytes]:
        """The gold codes of the first and of the second member of every reversible pair."""
        return self.members(self.gold)

    def members(self, codes: bytes) -> tuple[bytes, bytes]:
        """Take the codes of the first and of the second member of every reversible pair."""
        code_at = codes.__getitem__
        return bytes(map(code_at, self.firsts)), bytes(map(code_at, self.seconds))
