"""What the units of an evaluation add to the sums that its figures are made of.

A unit is what a task counts: a row, a pair, a claim, a cell. Every figure is a function of sums over units, so that whoever
resamples, compares or explains needs to know nothing of the task.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Units"]


@dataclass(frozen=True, eq=False)
class Units:
    """The n units of one report.

    Attributes:
        ids: n ids; they tell which units two reports over the same gold standard have in common.
        clusters: n ids of what the units come from. Units that share one are not independent of each other.
        addends: What each unit adds to the k sums, shape (n, k).
        formula: Takes k sums (numbers, or arrays of one shape) and gives the figures by name.
    """

    ids: Sequence[Hashable]
    clusters: Sequence[Hashable]
    addends: NDArray[Any]
    formula: Callable[..., dict[str, Any]]

    def __len__(self) -> int:
        """Give the number of units."""
        return len(self.ids)

    def figures(self, sums: ArrayLike) -> dict[str, NDArray[Any]]:
        """Compute the figures for sums over any choice of units.

        Args:
            sums: Shape (..., k): `addends.sum(axis=0)` for the report itself, or weighted sums of many resamples.

        Returns:
            For each figure an array of shape (...).

        Example:
            >>> import numpy as np
            >>> units = Units(["a", "b"], ["a", "b"], np.array([[1, 1], [0, 1]]), lambda hits, n: {"accuracy": hits / n})
            >>> units.figures([[1, 2], [2, 2]])["accuracy"].tolist()
            [0.5, 1.0]
        """
        import numpy as np  # not at the top: reports are made without it

        return {name: np.asarray(value) for name, value in self.formula(*np.moveaxis(np.asarray(sums), -1, 0)).items()}
