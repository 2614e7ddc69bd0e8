"""The definition of an edition as plain data: overrides, and the limits of R44.

A definition is what a TOML or JSON file holds. :func:`checked` turns any accepted one into its
canonical form, in which equal editions have equal definitions.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

from patchwork.errors import EditionError

__all__ = ["checked", "drawing", "overlaid", "shown"]

KEYS = (
    "name",
    "size",
    "final",
    "markers",
    "specials",
    "start_buttons",
    "market",
    "tile",
    "start_patch",
    "reserve",
    "patches",
)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgijklmnopqrstuvwxyz"
"""Those of regular patches; h is the special patch in every edition."""
NAME_START = "abcdefghijklmnopqrstuvwxyz"
NAME_MARKS = NAME_START + "0123456789_-"
BOX = 6
"""The longest side of a patch."""


def checked(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return the canonical form of a complete definition.

    :raises EditionError: at the first part that is malformed or outside the limits of R44.
    """
    parts = _entries(definition, "", KEYS)
    name = _name(parts["name"])
    size = _number(parts["size"], "size", 1, 9)
    final = _number(parts["final"], "final", 1, 254)
    return {
        "name": name,
        "size": size,
        "final": final,
        "markers": _spaces(parts["markers"], "markers", final),
        "specials": _specials(parts["specials"], final),
        "start_buttons": _number(parts["start_buttons"], "start_buttons", 0, 999),
        "market": _number(parts["market"], "market", 1, 3),
        "tile": _tile(parts["tile"], size),
    } | _line(parts, size)


def overlaid(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with ``changes`` laid over it, table by table.

    >>> overlaid({"tile": {"side": 7, "points": 7}}, {"tile": {"points": 9}})
    {'tile': {'side': 7, 'points': 9}}
    """
    merged = dict(base)
    for key, change in changes.items():
        old, new = _table(base.get(key)), _table(change)
        merged[key] = change if old is None or new is None else overlaid(old, new)
    return merged


def drawing(rows: object) -> tuple[str, ...] | None:
    """Return the rows of a drawing, given one by one or as lines of a text; None for neither."""
    if isinstance(rows, str):
        return tuple(rows.split())
    if isinstance(rows, list | tuple) and all(isinstance(row, str) for row in rows):
        return tuple(rows)
    return None


# Patches, and what refers to them


def _line(parts: Mapping[str, Any], size: int) -> dict[str, Any]:
    patches = _patches(parts["patches"], size)
    reserve = _reserve(parts["reserve"], [patch["letter"] for patch in patches])
    later = reserve["patches"] if reserve else ""
    line = [patch["letter"] for patch in patches if patch["letter"] not in later]
    return {
        "start_patch": _start_patch(parts["start_patch"], line),
        "reserve": reserve,
        "patches": patches,
    }


def _patches(value: object, size: int) -> list[dict[str, Any]]:
    patches: dict[str, dict[str, Any]] = {}
    for where, entry in _listed(value):
        patch = _patch(entry, where, size)
        if patch["letter"] in patches:
            raise EditionError(f"{where}.letter", f"{patch['letter']} is there twice")
        patches[patch["letter"]] = patch
    _check_income(patches.values())
    return [patches[letter] for letter in sorted(patches)]


def _check_income(patches: Collection[Mapping[str, Any]]) -> None:
    if not patches:
        raise EditionError("patches", "there is no patch")
    income = sum(patch["income"] for patch in patches)
    if income > 255:
        raise EditionError("patches", f"the income of all is {income}, more than 255")


def _listed(value: object) -> Iterator[tuple[str, object]]:
    """Yield the path and the entry of each patch, of a list or of a table by letter."""
    if isinstance(value, list | tuple):
        yield from ((f"patches[{i}]", entry) for i, entry in enumerate(value))
        return
    if not isinstance(value, Mapping):
        raise EditionError("patches", f"{shown(value)} is neither a table nor a list")
    for letter, entry in value.items():
        if not _is_none(entry):
            yield _path("patches", letter), _lettered(entry, letter)


def _lettered(entry: object, letter: object) -> object:
    table = _table(entry)
    if table is None:
        return entry
    if table.get("letter", letter) != letter:
        raise EditionError(
            f"{_path('patches', letter)}.letter", f"{shown(table['letter'])} is not {letter}"
        )
    return {"letter": letter, **table}


def _patch(value: object, where: str, size: int) -> dict[str, Any]:
    parts = _entries(value, where, ("letter", "rows", "cost", "time", "income"))
    return {
        "letter": _letter(parts["letter"], f"{where}.letter", LETTERS),
        "rows": _rows(parts["rows"], f"{where}.rows", min(size, BOX)),
        "cost": _number(parts["cost"], f"{where}.cost", 0, 99),
        "time": _number(parts["time"], f"{where}.time", 0, 99),
        "income": _number(parts["income"], f"{where}.income", 0, 99),
    }


def _rows(value: object, where: str, longest: int) -> list[str]:
    rows = drawing(value)
    if rows is None:
        raise EditionError(where, f"{shown(value)} is no drawing: rows of 'x' and '.'")
    fault = next(_drawing_faults(rows, longest), None)
    if fault is not None:
        raise EditionError(where, fault)
    return list(rows)


def _drawing_faults(rows: tuple[str, ...], longest: int) -> Iterator[str]:
    marks = "".join(rows)
    if set(marks) - set("x."):
        yield f"{shown(min(set(marks) - set('x.')))} is neither 'x' nor '.'"
    if "x" not in marks:
        yield "the drawing covers no cell"
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        yield f"the rows differ in length: {lengths[0]} and {lengths[-1]}"
    edges = [rows[0], rows[-1], [row[0] for row in rows], [row[-1] for row in rows]]
    if not all("x" in edge for edge in edges):
        yield "a row or column at the edge is empty"
    if max(len(rows), lengths[-1]) > longest:
        yield f"{len(rows)} x {lengths[-1]} is larger than {longest} x {longest}"
    if marks.count("x") > 12:
        yield f"{marks.count('x')} cells are more than 12"


def _start_patch(value: object, line: Sequence[str]) -> str | None:
    return None if _is_none(value) else _letter(value, "start_patch", line)


def _reserve(value: object, letters: Sequence[str]) -> dict[str, Any] | None:
    if _is_none(value):
        return None
    parts = _entries(value, "reserve", ("patches", "join_at"))
    reserve = _reserve_letters(parts["patches"], letters)
    line = len(letters) - len(reserve)
    if line == 0:
        raise EditionError("reserve.patches", "no patch is left for the line")
    join_at = _number(parts["join_at"], "reserve.join_at", 0, line - 1)
    return {"patches": reserve, "join_at": join_at} if reserve else None


def _reserve_letters(value: object, letters: Sequence[str]) -> str:
    where = "reserve.patches"
    if not isinstance(value, str):
        raise EditionError(where, f"{shown(value)} is no text of letters")
    for letter, count in Counter(value).items():
        _letter(letter, where, letters)
        if count > 1:
            raise EditionError(where, f"{letter} is there {count} times")
    return "".join(sorted(value))


# Single values


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise EditionError("name", f"{shown(value)} is no text")
    if not 1 <= len(value) <= 32 or value[0] not in NAME_START or set(value) - set(NAME_MARKS):
        raise EditionError(
            "name", f"{shown(value)} is not 1 to 32 of a-z 0-9 _ - that begin with a letter"
        )
    return value


def _letter(value: object, where: str, allowed: Sequence[str]) -> str:
    if isinstance(value, str) and len(value) == 1 and value in allowed:
        return value
    raise EditionError(where, f"{shown(value)} is none of {''.join(allowed)}")


def _number(value: object, where: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise EditionError(where, f"{shown(value)} is no whole number")
    if not low <= value <= high:
        raise EditionError(where, f"{shown(value)} is outside {low}..{high}")
    return int(value)


def _spaces(value: object, where: str, final: int) -> list[int]:
    if not isinstance(value, list | tuple):
        raise EditionError(where, f"{shown(value)} is no list of spaces")
    spaces = [_number(space, f"{where}[{i}]", 1, final) for i, space in enumerate(value)]
    for i, (before, space) in enumerate(pairwise(spaces), start=1):
        if space <= before:
            raise EditionError(f"{where}[{i}]", f"{space} does not rise above {before}")
    return spaces


def _specials(value: object, final: int) -> list[int]:
    spaces = _spaces(value, "specials", final)
    if len(spaces) > 15:
        raise EditionError("specials", f"{len(spaces)} spaces are more than 15")
    return spaces


def _tile(value: object, size: int) -> dict[str, int] | None:
    if _is_none(value):
        return None
    parts = _entries(value, "tile", ("side", "points"))
    return {
        "side": _number(parts["side"], "tile.side", 1, size),
        "points": _number(parts["points"], "tile.points", 0, 99),
    }


def _is_none(value: object) -> bool:
    """Whether a part is left out: None, or False, as TOML has no null."""
    return value is None or value is False


# Tables


def _entries(value: object, where: str, keys: Sequence[str]) -> Mapping[str, Any]:
    """Return the table at a path after checking that it has just these keys."""
    table = _table(value)
    if table is None:
        raise EditionError(where, f"{shown(value)} is no table")
    for key in table:
        if key not in keys:
            raise EditionError(_path(where, key), f"unknown key; known are {', '.join(keys)}")
    for key in keys:
        if key not in table:
            raise EditionError(_path(where, key), "missing")
    return table


def _table(value: object) -> Mapping[str, Any] | None:
    """Return a table, or a value object such as a patch as one; None for anything else."""
    if isinstance(value, Mapping):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return None


def _path(where: str, key: object) -> str:
    name = key if isinstance(key, str) and key.isidentifier() else shown(key)
    return f"{where}.{name}" if where else name


def shown(value: object) -> str:
    """Return a short text for a value that may be of any type and size."""
    if isinstance(value, str):
        return reprlib.repr(value)
    if isinstance(value, int) and value.bit_length() > 64:
        return f"an integer of {value.bit_length()} bits"
    if value is None or isinstance(value, int | float):
        return repr(value)
    return f"a value of type {type(value).__name__}"
