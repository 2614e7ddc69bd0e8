"""Small frozen values that states and games hand out: events, offers, scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from patchwork.errors import Reason

if TYPE_CHECKING:
    from patchwork._core import Move

__all__ = ["Event", "EventKind", "Offer", "Outcome", "Problem", "ProblemKind", "Score"]


class EventKind(StrEnum):
    """What can happen in one move, in the order in which it happens."""

    BOUGHT = "bought"
    RESERVE_JOINED = "reserve joined"
    PLACED = "placed"
    SPECIAL_PLACED = "special placed"
    TILE_WON = "tile won"
    MOVED = "moved"
    PAID_FOR_SPACES = "paid for spaces"
    INCOME = "income"
    SPECIAL_WON = "special won"
    SPECIAL_LOST = "special lost"
    FINISHED_FIRST = "finished first"
    NEXT_PLAYER = "next player"
    GAME_OVER = "game over"


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """One thing that a move brings about.

    The amounts of a move's events sum to the change of the player's buttons. Fields that do not
    apply are None, and left out of the representation.
    """

    kind: EventKind
    player: int
    """Whom it happens to; for ``next player`` who is to move now."""
    amount: int
    """The change of the player's buttons: 0 unless bought, paid for spaces or income."""
    rule: str
    """The id of the rule that decides it, for example ``"R30"``."""
    patch: str | None = None
    """The letter of the patch: bought, placed."""
    slot: int | None = None
    """Where in the market it lay: bought."""
    patches: str | None = None
    """The letters that joined the line: reserve joined."""
    cells: tuple[str, ...] | None = None
    """The cells that were covered, by name: placed, special placed."""
    origin: int | None = None
    """The space of the track that the token left: moved."""
    space: int | None = None
    """The space of the track: moved (where to), income (the marker), special won."""
    count: int | None = None
    """How many special patches left the game: special lost."""
    points: int | None = None
    """What the tile is worth: tile won."""

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain JSON values; fields that do not apply are left out."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["kind"] = self.kind.value
        if self.cells is not None:
            values["cells"] = list(self.cells)
        return {name: value for name, value in values.items() if value is not None}

    def __repr__(self) -> str:
        given = [f"{field.name}={getattr(self, field.name)!r}" for field in fields(self)[1:]]
        parts = [part for part in given if not part.endswith("=None")]
        return f"Event(EventKind.{self.kind.name}, {', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Offer:
    """One patch of the market, as the player to move sees it."""

    slot: int
    """Its place in front of the neutral token, 0 for the nearest."""
    patch: str
    """Its letter."""
    cost: int
    """Its price in buttons."""
    time: int
    """Its price in spaces of the track."""
    income: int
    """The buttons printed on it."""
    placements: Sequence[Move]
    """Every way to place it on the quilt of the player to move, whatever it costs."""
    reasons: tuple[Reason, ...]
    """Why it cannot be taken now; empty if it can."""


@dataclass(frozen=True, slots=True)
class Score:
    """The parts of one player's points (R40)."""

    buttons: int
    """The buttons held."""
    tile: int
    """The points of the special tile, 0 without it."""
    empty: int
    """The number of empty cells, each of which costs two points."""

    @property
    def total(self) -> int:
        """The points: buttons + tile - 2 x empty."""
        return self.buttons + self.tile - 2 * self.empty


@dataclass(frozen=True, slots=True)
class Outcome:
    """The points of both players, and who won if the game is over."""

    scores: tuple[Score, Score]
    """The points as if the game ended now."""
    winner: int | None
    """The winner, or None before the end (R41)."""
    decided_by: str | None
    """``"points"``, ``"finished first"`` on a tie, or None before the end."""


class ProblemKind(StrEnum):
    """What can make a position unreachable by play (R48).

    Patches that are missing from line and reserve have been bought.
    """

    LEAD_TOO_LONG = "lead too long"
    """The lead is above 1 and above the time of each missing patch."""
    TOO_LITTLE_TIME = "too little time"
    """The missing patches cost more time than both tokens have moved."""
    TOO_MANY_CELLS = "too many cells"
    """More cells are covered than the missing patches and special patches have."""
    TOO_FEW_CELLS = "too few cells"
    """Fewer are covered, and no quilt is full, which would lose special patches (R34)."""
    INCOME_MISMATCH = "income mismatch"
    """Both incomes are not the sum of those printed on the missing patches."""
    NO_SUCH_SHARES = "no such shares"
    """No way to share out the missing patches gives both players their cells and income."""
    STANDING_STILL = "standing still"
    """A player on space 0 has more or less than at the start, and no patch of time 0 is missing."""
    EMPTY_QUILT = "empty quilt"
    """A player with an empty quilt has income, or buttons that are not start + spaces."""
    TOO_MANY_BUTTONS = "too many buttons"
    """A player holds more than start + spaces + income x markers passed."""
    TOO_MUCH_SPENT = "too much spent"
    """Both players hold and have paid more than they can have had."""
    TOO_FEW_BUTTONS = "too few buttons"
    """Both players hold less than what the missing patches have left them."""
    TILE_UNCLAIMED = "tile unclaimed"
    """A square is covered and nobody holds the tile (R37)."""
    TILE_WITHOUT_SQUARE = "tile without square"
    """The holder of the tile has no covered square (R37)."""
    START_PATCH_MOVED = "start patch moved"
    """Nothing has been bought and the start patch is not the last in line (R05)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One sign that a position cannot have come from play (R48)."""

    kind: ProblemKind
    where: str
    """``"players[0]"``, ``"players[1]"``, ``"players"``, ``"line"`` or ``"tile_holder"``."""
    detail: str
    """What was found and what was expected, in one sentence."""
