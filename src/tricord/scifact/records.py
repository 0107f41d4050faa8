"""JSON objects read as declared, with the places where they stand, for files and for values in memory.

What fits a declaration is decoded and checked in one go by msgspec. Whatever does not fit is looked at once more by `read_as`,
which follows the same declaration: it mends what can be mended (an array, a numpy integer, zeros in front of a document id)
and names what cannot.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import inspect

from tricord.errors import InputFileError, TricordError, ValidationError, quoted, some_of
from tricord.inputs.columns import column_values, integer
from tricord.inputs.jsontext import parse_json, read_lines

if TYPE_CHECKING:
    from typing import TypeAlias

    from tricord.inputs.text import StrPath

    Source: TypeAlias = StrPath | Iterable[Any]

__all__ = ["FieldError", "Records", "as_records", "listed", "read_as"]

_Form = TypeVar("_Form", bound=msgspec.Struct)
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
        values: The objects of an argument; None for those of a file.
    """

    source: str
    values: Sequence[Any] | None = None

    @property
    def in_file(self) -> bool:
        """Whether they are the lines of a file."""
        return self.values is None

    def place(self, number: int) -> str:
        """Name the place of one object in messages; the number is that of the line, or the position in the argument."""
        return f"{self.source}: line {number}" if self.in_file else f"{self.source}[{number}]"

    def error(self, number: int, error: FieldError) -> TricordError:
        """Give the error of one object with its place."""
        return self._kind(f"{self.place(number)}: {error}")

    def nothing(self, what: str) -> TricordError:
        """Give the error of a sequence that holds nothing."""
        return self._kind(f"{self.source}: there are no {what}")

    @property
    def _kind(self) -> type[TricordError]:
        return InputFileError if self.in_file else ValidationError

    def read(self, form: type[_Form]) -> Iterator[tuple[int, _Form]]:
        """Read each object as declared.

        Args:
            form: The declaration.

        Yields:
            The number of the object, as `place` takes it, and what it holds.

        Raises:
            InputFileError: A line of a file is not acceptable; names file, line and key.
            ValidationError: An object of an argument is not acceptable; names argument, position and key.
        """
        if self.values is None:
            yield from self._read_file(form)
        else:
            try:
                fitting = msgspec.convert(self.values, list[form])  # type: ignore[valid-type]
            except Exception:  # odd objects raise what they like when they are looked at
                for number, value in enumerate(self.values):
                    yield number, self._closer(number, value, form)
            else:
                yield from enumerate(fitting)

    def read_values(self, form: type[_Form], value_of: Callable[[_Form], _Value]) -> Iterator[tuple[int, _Value]]:
        """Read each object as declared and turn it into what it stands for; `value_of` may raise `FieldError`."""
        for number, record in self.read(form):
            try:
                value = value_of(record)
            except FieldError as error:
                raise self.error(number, error) from None
            yield number, value

    def _read_file(self, form: type[_Form]) -> Iterator[tuple[int, _Form]]:
        decode = msgspec.json.Decoder(form).decode
        for first, lines in read_lines(self.source):
            try:
                # Not one call for all lines: a value must not pass over the end of its own.
                fitting = list(map(decode, lines))
            except (msgspec.DecodeError, RecursionError):
                for number, line in enumerate(lines, first):
                    if line.strip(" \t\r"):
                        value = parse_json(line, self.place(number), repeated_keys=True)
                        yield number, self._closer(number, value, form)
            else:
                yield from enumerate(fitting, first)

    def _closer(self, number: int, value: Any, form: type[_Form]) -> _Form:
        try:
            record: _Form = read_as(value, form)
        except FieldError as error:
            raise self.error(number, error) from None
        return record


def as_records(source: Source, name: str) -> Records:
    """Take objects from a file or from memory.

    Args:
        source: A JSON Lines file, or the objects themselves.
        name: What objects in memory are called in messages.

    Returns:
        The records; a file is opened when they are first asked for.

    Raises:
        ValidationError: The source is neither.

    Example:
        >>> as_records([{"id": 1}], "predictions").place(0)
        'predictions[0]'
    """
    if isinstance(source, (str, os.PathLike)):
        return Records(os.fspath(source))
    if isinstance(source, Mapping):
        raise ValidationError(f"Expected `{name}` to be a file or a list of objects, got {quoted(source)}")
    return Records(name, column_values(name, source))


def read_as(value: Any, form: Any) -> Any:
    """Read a value as declared: mend what can be mended, name the fault of anything else.

    Args:
        value: A value as a JSON parser or a user hands it over.
        form: A declaration of `claims`.

    Raises:
        FieldError: The value does not fit; names the keys that lead to it.

    Example:
        >>> from tricord.scifact.claims import Prediction
        >>> read_as({"id": 1, "evidence": {7: {"sentences": (2,), "label": "SUPPORT"}}}, Prediction).evidence.keys()
        dict_keys(['7'])
    """
    return _read(value, _type_info(form))


_type_info = cache(inspect.type_info)


def _read(value: Any, kind: inspect.Type, expected: str = "", extra: Mapping[str, str] | None = None) -> Any:
    """Read a value of one kind of type; `expected` and `extra` are what the declaration says of it in words."""
    match kind:
        case inspect.Metadata(type=inner, extra_json_schema=schema, extra=own):
            return _read(value, inner, (schema or {}).get("description", expected), own or extra)
        case inspect.UnionType(types=kinds):
            # What may be left out, or a document id, which may be a number: the type that is described is the stricter one.
            described = next(own for own in kinds if isinstance(own, inspect.Metadata))
            return None if value is None and inspect.NoneType() in kinds else _read(value, described)
        case inspect.StructType():
            return _read_struct(value, kind)
        case inspect.DictType(key_type=key_type, value_type=value_type) if isinstance(value, Mapping):
            found = {}
            for name, own in value.items():
                shown = name if type(name) is int else str(name)
                found[_inside(shown, name, key_type)] = _inside(shown, own, value_type)
            if len(found) == len(value):
                return found
            raise FieldError((), f"expected each document once, got the document ids {some_of(value)}")
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            items = listed(value, expected)
            if not items and kind.min_length:
                raise FieldError((), (extra or {})["empty"])
            read = [_inside(position, own, item) for position, own in enumerate(items)]
            return tuple(read) if isinstance(kind, inspect.VarTupleType) else read
        case inspect.IntType(ge=least, le=most):
            number = integer(value)
            if number is not None and (least is None or number >= least) and (most is None or number <= most):
                return number
        case inspect.StrType(pattern=None) | inspect.LiteralType():
            if isinstance(value, str) and value in getattr(kind, "values", (value,)):
                return value
            if isinstance(kind, inspect.LiteralType):
                expected = " or ".join(map(str, kind.values))
        case inspect.StrType():  # a document id
            if isinstance(value, str) and value.isascii() and value.isdecimal():
                return value.lstrip("0") or "0"
            return str(_read(value, inspect.IntType(ge=0, le=2**63 - 1), expected))
        case inspect.FloatType():
            # numpy registers its numbers as real ones; a whole number may be beyond the largest float.
            with suppress(OverflowError):
                if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
                    return float(value)
    raise FieldError((), f"expected {expected}, got {quoted(value)}")


def _read_struct(value: Any, kind: inspect.StructType) -> Any:
    if not isinstance(value, Mapping):
        raise FieldError((), f"expected an object with the key {kind.fields[0].name!r}, got {quoted(value)}")
    found = {}
    for field in kind.fields:
        if field.name in value:
            found[field.name] = _inside(field.name, value[field.name], field.type)
        elif field.required:
            hint = (getattr(field.type, "extra", None) or {}).get("missing", f"found {some_of(value) or 'no key'}")
            raise FieldError((), f"the key {field.name!r} is missing; {hint}")
    return kind.cls(**found)


def _inside(key: str | int, value: Any, kind: inspect.Type) -> Any:
    try:
        return _read(value, kind)
    except FieldError as error:
        raise error.under(key) from None


def listed(value: Any, expected: str) -> list[Any]:
    """Take a list of any usual kind (list, tuple, one-dimensional array) as a list.

    Raises:
        FieldError: It is no list.

    Example:
        >>> listed((1, 2), "a list of sentence numbers")
        [1, 2]
    """
    if hasattr(value, "tolist") and getattr(value, "ndim", 1) == 1:
        return list(value.tolist())
    if isinstance(value, (list, tuple)):
        return list(value)
    raise FieldError((), f"expected {expected}, got {quoted(value)}")
