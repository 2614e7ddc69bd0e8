"""Random definitions of editions within R44, at its limits far more often than chance allows.

Nothing is shared with the package: what is valid here is written from the rules once more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from typing import Any

Cell = tuple[int, int]
Definition = dict[str, Any]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgijklmnopqrstuvwxyz"
MOST_INCOME = 255
MOST_SPECIALS = 15
MOST_CELLS = 12
LONGEST_SIDE = 6

LIMITS = (
    *("name of 32", "board 1", "board 9", "final 1", "final 254"),
    *("no marker", "markers everywhere", "marker on the final space"),
    *("no special", "15 specials", "special on the final space", "marker and special share"),
    *("start buttons 0", "start buttons 999", "market 1", "market 2", "market 3"),
    *("no tile", "tile side 1", "tile side n", "tile points 0", "tile points 99"),
    *("start patch", "no start patch", "no reserve", "reserve of 1", "reserve of all but one"),
    *("join at 0", "join at the most", "1 patch", "51 patches", "incomes sum to 255"),
    *("cells 1", "cells 12", "box of 6", "hole", "loose cells", "cost 0", "cost 99"),
    *("time 0", "time 99", "income 0", "income 99"),
)


def definition(number: int) -> Definition:
    """The definition of this number: the even ones keep a game lively, the others go to limits."""
    rng = Random(f"edition {number}")
    name = f"generated-{number}-" if number % 5 else f"generated-{number}-".ljust(32, "x")
    return lively(rng, name) if number % 2 == 0 else extreme(rng, name)


def lively(rng: Random, name: str) -> Definition:
    """A small board, low prices, special patches in clusters: something happens at each move."""
    size, final = rng.randint(2, 6), rng.randint(8, 40)
    letters = some_letters(rng, rng.randint(3, 20))
    first = rng.randint(1, final)
    return {
        "name": name,
        "size": size,
        "final": final,
        "markers": subset(rng, range(1, final + 1), rng.randint(1, 9)),
        "specials": list(range(first, min(first + rng.randint(1, 6), final) + 1)),
        "start_buttons": rng.randint(2, 9),
        "market": rng.randint(1, 3),
        "tile": {"side": rng.randint(1, min(size, 3)), "points": rng.randint(0, 9)},
        **line_parts(rng, letters),
        "patches": [lively_patch(rng, letter, size) for letter in letters],
    }


def lively_patch(rng: Random, letter: str, size: int) -> Definition:
    side = rng.randint(1, min(size, 3))
    cells = rng.randint(1, min(side * side, 5))
    return {
        "letter": letter,
        "rows": drawing(rng, side, rng.randint(1, side), cells),
        "cost": rng.randint(0, 4),
        "time": rng.choice((0, 1, 1, 2, 2, 3, 4, 6)),
        "income": rng.randint(0, 2),
    }


def extreme(rng: Random, name: str) -> Definition:
    """Each number is the lowest, the highest, or anything between them."""
    size, final = pick(rng, 1, 9), pick(rng, 1, 254)
    letters = some_letters(rng, pick(rng, 1, len(LETTERS)))
    spaces = range(1, final + 1)
    patches = [extreme_patch(rng, letter, size) for letter in letters]
    limit_incomes(rng, patches)
    return {
        "name": name,
        "size": size,
        "final": final,
        "markers": subset(rng, spaces, pick(rng, 0, final)),
        "specials": subset(rng, spaces, pick(rng, 0, min(final, MOST_SPECIALS))),
        "start_buttons": pick(rng, 0, 999),
        "market": rng.randint(1, 3),
        "tile": rng.choice((None, {"side": pick(rng, 1, size), "points": pick(rng, 0, 99)})),
        **line_parts(rng, letters),
        "patches": patches,
    }


def extreme_patch(rng: Random, letter: str, size: int) -> Definition:
    longest = min(size, LONGEST_SIDE)
    height, width = pick(rng, 1, longest), pick(rng, 1, longest)
    return {
        "letter": letter,
        "rows": drawing(rng, height, width, pick(rng, 1, MOST_CELLS)),
        "cost": some_price(rng),
        "time": some_price(rng),
        "income": rng.choice((0, 1, rng.randint(0, 20), 99)),
    }


def some_price(rng: Random) -> int:
    return rng.choice((0, rng.randint(0, 9), rng.randint(0, 9), rng.randint(0, 99), 99))


def line_parts(rng: Random, letters: str) -> Definition:
    """A start patch and a reserve, or neither."""
    most = len(letters) - 1
    later = "".join(subset(rng, letters, rng.choice((0, pick(rng, min(1, most), most)))))
    line = [letter for letter in letters if letter not in later]
    join_at = pick(rng, 0, len(line) - 1)
    return {
        "start_patch": rng.choice((None, rng.choice(line))),
        "reserve": {"patches": later, "join_at": join_at} if later else None,
    }


def limit_incomes(rng: Random, patches: list[Definition]) -> None:
    """Bring the sum down to the most allowed; now and then, up to it."""
    left = MOST_INCOME
    fill = rng.random() < 0.5
    for patch in patches:
        patch["income"] = min(99 if fill else patch["income"], left)
        left -= patch["income"]


def pick(rng: Random, low: int, high: int) -> int:
    anything = rng.randint(low, high)
    return rng.choice((low, high, anything, anything))


def subset(rng: Random, items: Collection[Any], count: int) -> list[Any]:
    """Some of the items, in their order."""
    chosen = set(rng.sample(list(items), min(count, len(items))))
    return [item for item in items if item in chosen]


def some_letters(rng: Random, count: int) -> str:
    return "".join(subset(rng, LETTERS, count))


def drawing(rng: Random, height: int, width: int, count: int) -> list[str]:
    """Cells anywhere in a box, often in opposite corners, and trimmed: with holes, and loose."""
    box = [(row, column) for row in range(height) for column in range(width)]
    cells = set(rng.sample(box, min(count, len(box))))
    if len(cells) > 2 and rng.random() < 0.5:
        cells = {*sorted(cells)[2:], box[0], box[-1]}
    return trimmed(cells)


def trimmed(cells: set[Cell]) -> list[str]:
    rows, columns = zip(*cells, strict=True)
    return [
        "".join("x" if (i, j) in cells else "." for j in range(min(columns), max(columns) + 1))
        for i in range(min(rows), max(rows) + 1)
    ]


# Which limits a definition reaches


def limits(parts: Definition) -> Iterator[str]:
    """The limits of R44 that a definition reaches, by the names of LIMITS."""
    reached = {
        "name of 32": len(parts["name"]) == 32,
        "board 1": parts["size"] == 1,
        "board 9": parts["size"] == 9,
        "start buttons 0": parts["start_buttons"] == 0,
        "start buttons 999": parts["start_buttons"] == 999,
        f"market {parts['market']}": True,
        **track_limits(parts),
        **tile_limits(parts),
        **line_limits(parts),
    }
    yield from (limit for limit, is_reached in reached.items() if is_reached)
    for patch in parts["patches"]:
        yield from patch_limits(patch)


def track_limits(parts: Definition) -> dict[str, bool]:
    final, markers, specials = parts["final"], parts["markers"], parts["specials"]
    return {
        "final 1": final == 1,
        "final 254": final == 254,
        "no marker": not markers,
        "markers everywhere": len(markers) == final,
        "marker on the final space": final in markers,
        "no special": not specials,
        "15 specials": len(specials) == MOST_SPECIALS,
        "special on the final space": final in specials,
        "marker and special share": not set(markers).isdisjoint(specials),
    }


def tile_limits(parts: Definition) -> dict[str, bool]:
    tile = parts["tile"]
    if tile is None:
        return {"no tile": True}
    return {
        "tile side 1": tile["side"] == 1,
        "tile side n": tile["side"] == parts["size"],
        "tile points 0": tile["points"] == 0,
        "tile points 99": tile["points"] == 99,
    }


def line_limits(parts: Definition) -> dict[str, bool]:
    patches, reserve = parts["patches"], parts["reserve"]
    later = len(reserve["patches"]) if reserve else 0
    return {
        "1 patch": len(patches) == 1,
        "51 patches": len(patches) == len(LETTERS),
        "incomes sum to 255": sum(patch["income"] for patch in patches) == MOST_INCOME,
        "start patch": parts["start_patch"] is not None,
        "no start patch": parts["start_patch"] is None,
        "no reserve": reserve is None,
        "reserve of 1": later == 1,
        "reserve of all but one": later > 0 and later == len(patches) - 1,
        "join at 0": later > 0 and reserve["join_at"] == 0,
        "join at the most": later > 0 and reserve["join_at"] == len(patches) - later - 1,
    }


def patch_limits(patch: Definition) -> Iterator[str]:
    rows = patch["rows"]
    cells = {(i, j) for i, row in enumerate(rows) for j, mark in enumerate(row) if mark == "x"}
    around = {(i, j) for i in range(-1, len(rows) + 1) for j in range(-1, len(rows[0]) + 1)}
    yield from (
        f"{key} {patch[key]}" for key in ("cost", "time", "income") if patch[key] in (0, 99)
    )
    if len(cells) in (1, MOST_CELLS):
        yield f"cells {len(cells)}"
    if max(len(rows), len(rows[0])) == LONGEST_SIDE:
        yield "box of 6"
    if pieces(cells) > 1:
        yield "loose cells"
    if pieces(around - cells) > 1:
        yield "hole"


def pieces(cells: Collection[Cell]) -> int:
    """Into how many pieces cells fall that hang together by their sides."""
    left, count = set(cells), 0
    while left:
        count += 1
        fringe = [left.pop()]
        while fringe:
            row, column = fringe.pop()
            beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            fringe += beside & left
            left -= beside
    return count
