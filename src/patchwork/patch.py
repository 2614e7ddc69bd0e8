"""One patch: its drawing, its orientations, and what is printed on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index
from typing import SupportsIndex

from patchwork._definition import drawing

__all__ = ["Patch"]

Rows = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Patch:
    """A regular patch: its drawing and what is printed on it.

    >>> patch = Patch("a", ("x.", "x.", "xx"), cost=4, time=2, income=1)
    >>> patch.cells, patch.orientations
    (4, (0, 1, 2, 3, 4, 5, 6, 7))
    """

    letter: str
    """Its name, A-Z or a-z without h."""
    rows: Rows
    """The drawing at orientation 0, top row first: ``x`` covers a cell, ``.`` leaves it free."""
    cost: int
    """Its price in buttons."""
    time: int
    """Its price in spaces of the track."""
    income: int
    """The buttons printed on it, paid at each income marker (R30)."""

    @property
    def cells(self) -> int:
        """The number of cells that it covers."""
        return "".join(self.rows).count("x")

    @property
    def orientations(self) -> tuple[int, ...]:
        """One number, the lowest, for each of its 1, 2, 4 or 8 different shapes; rising."""
        return tuple(sorted({self.lowest(orientation) for orientation in range(8)}))

    def shape(self, orientation: int) -> Rows:
        """Return the rows at an orientation.

        0..3 turn the drawing clockwise by 0, 90, 180 and 270 degrees; 4..7 mirror it left-right
        first and then turn it.

        :raises ValueError: if the orientation is outside 0..7.

        >>> Patch("a", ("x.", "x.", "xx"), cost=4, time=2, income=1).shape(5)
        ('x..', 'xxx')
        """
        return _shapes(self.rows)[_orientation(orientation)]

    def offsets(self, orientation: int) -> tuple[tuple[int, int], ...]:
        """Return row and column of each cell in the box around the shape, in reading order.

        :raises ValueError: if the orientation is outside 0..7.
        """
        rows = self.shape(orientation)
        return tuple(
            (row, column)
            for row, marks in enumerate(rows)
            for column, mark in enumerate(marks)
            if mark == "x"
        )

    def lowest(self, orientation: int) -> int:
        """Return the lowest orientation number of the same shape: the one that moves list.

        :raises ValueError: if the orientation is outside 0..7.
        """
        return _shapes(self.rows).index(self.shape(orientation))

    def looks_like(self, rows: str | Sequence[str]) -> bool:
        """Whether a drawing, in whatever orientation, is that of this patch."""
        return drawing(rows) in _shapes(self.rows)

    @staticmethod
    def turn(orientation: int) -> int:
        """Return the orientation after turning the patch a quarter clockwise as it lies there.

        Mirrored or not, the view from above turns alike, so that four turns lead back.

        :raises ValueError: if the orientation is outside 0..7.
        """
        number = _orientation(orientation)
        return number & 4 | (number + 1) & 3

    @staticmethod
    def flip(orientation: int) -> int:
        """Return the orientation after mirroring the patch left-right as it lies there.

        Numbers count the turns made after mirroring. To mirror a turned patch therefore reverses
        its turns: a flip leads from 1 to 7 and from 7 to 1.

        :raises ValueError: if the orientation is outside 0..7.
        """
        number = _orientation(orientation)
        return ~number & 4 | -number & 3


SPECIAL = Patch("h", ("x",), 0, 0, 0)


@lru_cache(maxsize=1024)
def _shapes(rows: Rows) -> tuple[Rows, ...]:
    """Return the rows at all eight orientations."""
    return *_turns(rows), *_turns(_mirrored(rows))


def _turns(rows: Rows) -> tuple[Rows, ...]:
    quarter = _turned(rows)
    half = _turned(quarter)
    return rows, quarter, half, _turned(half)


def _turned(rows: Rows) -> Rows:
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


def _mirrored(rows: Rows) -> Rows:
    return tuple(row[::-1] for row in rows)


def _orientation(number: int) -> int:
    if 0 <= whole(number) <= 7:
        return whole(number)
    raise ValueError("an orientation is 0..7")


def whole(number: SupportsIndex) -> int:
    """Return an integer of any type but bool, which is refused like all that is no integer."""
    if isinstance(number, bool):
        raise TypeError("an int is needed, not a bool")
    return index(number)
