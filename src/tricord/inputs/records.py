"""JSON objects and the places where they stand: what readers of files and of plain values have in common.

A reader of one object says what is wrong inside it (`FieldError`, with the keys that lead there); the records know the
file and line, or the argument and row, and put them in front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tricord.errors import InputFileError, TricordError, ValidationError, quoted
from tricord.inputs.jsontext import JsonLines

__all__ = ["FieldError", "Records"]

_Value = TypeVar("_Value")


class FieldError(ValidationError):
    """A value inside a JSON object is not acceptable.

    Attributes:
        keys: The keys and positions that lead from the object to the value.
        problem: What was expected and what was found.
    """

    def __init__(self, keys: tuple[str | int, ...], problem: str) -> None:
        shown = "".join(f"[{quoted(key)}]" for key in keys[1:])
        super().__init__(f"{keys[0]}{shown}: {problem}" if keys else problem)
        self.keys = keys
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return FieldError, (self.keys, self.problem)

    def under(self, *keys: str | int) -> FieldError:
        """Give the same error as seen from further outside."""
        return FieldError((*keys, *self.keys), self.problem)


@dataclass(frozen=True)
class Records:
    """A sequence of JSON objects, read once and in order.

    Attributes:
        source: The file or argument that they come from.
        blocks: The objects: blocks of lines of a file, or a list from memory.
    """

    source: str
    blocks: Iterable[JsonLines | list[Any]]
    in_file: bool

    @classmethod
    def in_memory(cls, values: list[Any], name: str) -> Records:
        """Take the objects of an argument."""
        return cls(name, [values], in_file=False)

    def place(self, number: int) -> str:
        """Name the place of one object in messages; the number is that of the line, or the position in the argument."""
        return f"{self.source}: line {number}" if self.in_file else f"{self.source}[{number}]"

    def error(self, number: int, error: FieldError) -> TricordError:
        """Give the error of one object with its place."""
        kind = InputFileError if self.in_file else ValidationError
        return kind(f"{self.place(number)}: {error}")

    def read(
        self,
        convert: Callable[[Any], _Value],
        accept: Callable[[list[Any]], tuple[list[_Value], int] | None] | None = None,
    ) -> Iterator[tuple[int, _Value]]:
        """Turn each object into what it stands for.

        Args:
            convert: Takes one object; raises `FieldError` where it is not acceptable.
            accept: Takes many objects and does the same at once where all of them are as plain as can be; gives the values
                and the number of keys it has seen, or None where `convert` must look at each of them.

        Yields:
            The number of the object and its value.

        Raises:
            InputFileError: An object of a file is not acceptable; names file, line and key.
            ValidationError: An object of an argument is not acceptable; names argument, position and key.
        """
        for block in self.blocks:
            objects: Iterable[Any]
            if isinstance(block, list):
                numbers: Sequence[int] = range(len(block))
                accepted = accept(block) if accept else None
                objects = block
            else:
                numbers = block.numbers
                accepted = accept(block.values) if accept else None
                if accepted is None or not block.have_only(accepted[1]):
                    objects = block.strict()
                    accepted = None
            if accepted is not None:
                yield from zip(numbers, accepted[0], strict=True)
            else:
                yield from self._convert_each(numbers, objects, convert)

    def _convert_each(
        self, numbers: Iterable[int], objects: Iterable[Any], convert: Callable[[Any], _Value]
    ) -> Iterator[tuple[int, _Value]]:
        for number, record in zip(numbers, objects, strict=True):
            try:
                value = convert(record)
            except FieldError as error:
                raise self.error(number, error) from None
            yield number, value
