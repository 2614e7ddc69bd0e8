"""JSON from anywhere: read strictly, its values checked one by one.

Whatever is wrong is a :class:`RecordError` whose ``where`` is the path of the value, such as
``"clocks[3]"``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import Any, TypeVar

from patchwork._definition import shown
from patchwork.errors import RecordError

__all__ = [
    "Source",
    "items",
    "kind",
    "loads",
    "member",
    "read_lines",
    "table",
    "text",
    "whole_number",
]

LONGEST_TEXT = 10_000
"""Characters of any text."""

Source = str | os.PathLike[str] | Iterable[bytes] | Iterable[str]
"""A path, or a file open for reading."""

T = TypeVar("T")


def read_lines(source: Source, read: Callable[[str], T]) -> Iterator[T]:
    """Yield what ``read`` makes of each line, as it is asked for; empty lines are skipped.

    :raises RecordError: from ``read``, or for a line that is no UTF-8, with its number; empty lines
        do not count.
    """
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as file:
            yield from read_lines(file, read)
        return
    for number, line in enumerate(_filled(source)):
        try:
            value = read(_decoded(line))
        except RecordError as error:
            raise RecordError(error.where, error.fault, number) from error.__cause__
        yield value


def _filled(source: Iterable[bytes] | Iterable[str]) -> Iterator[bytes | str]:
    """Yield the lines that are not empty of a file, which may decode them itself."""
    try:
        for line in source:
            if not isinstance(line, bytes | str):
                raise TypeError(f"a line is a str or bytes, not {type(line).__name__}")
            if line.strip():
                yield line
    except UnicodeDecodeError as error:
        # A text file decodes many lines at a time: nobody knows which one it is.
        raise RecordError("record", f"no {error.encoding}: {error.reason}") from None


def _decoded(line: bytes | str) -> str:
    try:
        return line if isinstance(line, str) else line.decode()
    except UnicodeDecodeError as error:
        raise RecordError("record", f"byte {error.start} of the line is no UTF-8") from None


def loads(content: str) -> Any:
    """Return the value of a JSON text.

    :raises RecordError: also if an object has a key twice, a number is NaN, infinite or has
        thousands of digits, or values are nested too deeply.
    """
    if not isinstance(content, str):
        raise TypeError(f"the text of a record is a str, not {type(content).__name__}")
    try:
        return json.loads(content, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise RecordError("record", f"no JSON: {error.msg} at position {error.pos}") from None
    except RecordError:
        raise
    except RecursionError:
        raise RecordError("record", "no JSON: nested too deeply") from None
    except ValueError:
        raise RecordError("record", "no JSON: a number is too long") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise RecordError("record", f"no JSON: the key {shown(key)} is there twice")
        data[key] = value
    return data


def _constant(name: str) -> Any:
    raise RecordError("record", f"no JSON: {name}")


# Values


def text(value: object, where: str) -> str:
    """Return a value that must be a text of at most 10,000 characters."""
    if not isinstance(value, str):
        raise RecordError(where, f"expected a text, not {kind(value)}")
    if len(value) > LONGEST_TEXT:
        raise RecordError(where, f"longer than {LONGEST_TEXT:,} characters")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise RecordError(where, "holds half a surrogate pair")
    return value


def whole_number(value: Any, where: str, low: int, high: int) -> int:
    """Return a value that must be an integer in a range; 1.0 is none."""
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise RecordError(where, f"expected a whole number, not {kind(value)}")
    number = index(value)
    if not low <= number <= high:
        raise RecordError(where, f"expected {low}..{high}, not {shown(number)}")
    return number


def items(value: object, where: str, least: int, most: int) -> Sequence[Any]:
    """Return a value that must be a list, or a tuple, of some length."""
    if not isinstance(value, list | tuple):
        raise RecordError(where, f"expected a list, not {kind(value)}")
    if not least <= len(value) <= most:
        wanted = f"{most}" if least == most else f"at most {most:,}"
        raise RecordError(where, f"expected {wanted} items, not {len(value):,}")
    return value


def table(value: object, where: str) -> Mapping[Any, Any]:
    """Return a value that must be an object, or another mapping."""
    if not isinstance(value, Mapping):
        raise RecordError(where, f"expected an object, not {kind(value)}")
    return value


def member(where: str, key: object) -> str:
    """Return the path of an object's member."""
    name = str(key) if isinstance(key, str) and key.isascii() and key.isalnum() else ""
    return f"{where}.{name}" if 0 < len(name) <= 40 else f"{where}[{shown(key)}]"


def kind(value: object) -> str:
    """Return what a value of the wrong type is, in JSON's terms."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "a boolean"}
    names |= {int: "a number", float: "a number with a point", type(None): "null"}
    return names.get(type(value), type(value).__name__)
