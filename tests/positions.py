"""Random positions that R47 accepts, as a reader of texts may meet them: most are unreachable."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from reference import Cell, Reference, square

Definition = Mapping[str, Any]
MOST_INCOME = 255


def random_position(parts: Definition, tag: str, rng: Random) -> str:
    """The text of a position; full quilts, short lines and the track's end are frequent."""
    line, reserve = random_line(parts, rng)
    positions = random_spaces(parts, rng)
    mover = random_mover(parts["final"], positions, rng)
    position = Reference.from_fields(
        parts,
        quilts=(random_quilt(parts["size"], rng), random_quilt(parts["size"], rng)),
        positions=positions,
        line=line,
        reserve=reserve,
        mover=mover,
        tile=rng.choice((None, 0, 1)) if parts["tile"] else None,
        finished_first=random_finisher(parts["final"], positions, rng),
    )
    position.buttons = [random_buttons(position, rng) for _ in range(2)]
    position.incomes = [random_income(position, rng) for _ in range(2)]
    add_specials(position, rng)
    return position.text(tag)


def random_line(parts: Definition, rng: Random) -> tuple[str, str]:
    """Some of the patches in any order, before or after the reserve has joined (R45)."""
    letters = [patch["letter"] for patch in parts["patches"]]
    if parts["reserve"] is None:
        return some(letters, 0, rng), ""
    later, join_at = parts["reserve"]["patches"], parts["reserve"]["join_at"]
    line = [letter for letter in letters if letter not in later]
    if rng.random() < 0.5:
        return some(line, join_at + 1, rng), "".join(rng.sample(later, len(later)))
    kept = some(line, 0, rng)[:join_at]
    mixed = kept + some(list(later), 0, rng)
    return "".join(rng.sample(mixed, len(mixed))), ""


def some(letters: list[str], least: int, rng: Random) -> str:
    most = rng.choice((least, min(least + 3, len(letters)), len(letters)))
    return "".join(rng.sample(letters, rng.randint(least, most)))


def random_spaces(parts: Definition, rng: Random) -> list[int]:
    """Near each other, and often near the end."""
    final = parts["final"]
    front = final - rng.randint(0, final) * rng.choice((0, 1)) - rng.choice((0, 0, 1, 2))
    behind = front - rng.choice((0, 1, 2, 6, rng.randint(0, final)))
    spaces = [max(front, 0), max(behind, 0)]
    return rng.sample(spaces, 2)


def random_mover(final: int, positions: list[int], rng: Random) -> int | None:
    """R10, R12: the one further back, or on one space whoever is on top."""
    if positions == [final, final]:
        return None
    if positions[0] == positions[1]:
        return rng.randrange(2)
    return 0 if positions[0] < positions[1] else 1


def random_finisher(final: int, positions: list[int], rng: Random) -> int | None:
    there = [player for player in (0, 1) if positions[player] == final]
    return rng.choice(there) if there else None


def random_quilt(size: int, rng: Random) -> set[Cell]:
    """Empty, of any density, a block of rows with a few cells more or less, or full."""
    cells = square(size)
    share = rng.choice((0.0, rng.random(), 0.9, 0.97, 1.0))
    quilt = {cell for cell in cells if rng.random() < share}
    if rng.random() < 0.3:
        quilt = set(square(rng.randint(0, size))) | set(rng.sample(cells, size))
        quilt -= set(rng.choices(cells, k=rng.randint(0, 2)))
    return quilt


def random_buttons(position: Reference, rng: Random) -> int:
    """Often exactly what a patch on offer costs."""
    prices = [position.price(letter) for letter in position.market()]
    return rng.choice((0, rng.randint(0, 12), rng.randint(0, 99), *prices))


def random_income(position: Reference, rng: Random) -> int:
    to_come = sum(position.patch(letter).income for letter in [*position.line, *position.reserve])
    most = MOST_INCOME - to_come
    return rng.choice((0, min(most, rng.randint(0, 12)), rng.randint(0, most)))


def add_specials(position: Reference, rng: Random) -> None:
    """Let special patches wait for a player who has come to the front with them (R46)."""
    if position.mover is None or rng.random() < 0.5:
        return
    front, back = position.positions[position.opponent], position.positions[position.player]
    between = [space for space in position.definition["specials"] if back < space <= front]
    free = len(position.board()) - len(position.quilts[position.opponent])
    if between and free:
        position.mover = position.opponent
        position.waiting = rng.randint(1, len(between))
