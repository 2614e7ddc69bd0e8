"""The calls of a front end where patches are dragged: choose, turn, flip, preview, drop.

Nothing is played until the drop; while a patch is in the hand, the front end only asks.
"""

from __future__ import annotations

from dataclasses import dataclass

from patchwork import Event, Game, Move, Patch, Reason, Setup


@dataclass(frozen=True)
class Preview:
    """What the front end shows under the pointer."""

    cells: tuple[str, ...]
    """The cells to light up; none if the patch sticks out of the board."""
    reasons: tuple[Reason, ...]
    """Why it can't be dropped here; none if it can."""
    events: tuple[Event, ...]
    """What dropping it would bring about."""


@dataclass
class Hand:
    """A patch in the hand of the player to move."""

    game: Game
    patch: str
    orientation: int = 0

    @classmethod
    def choose(cls, game: Game, slot: int) -> Hand:
        """Take up the patch of a slot, or the special patch that is to be placed."""
        state = game.state
        return cls(game, "h" if state.specials_waiting else state.market[slot])

    @property
    def rows(self) -> tuple[str, ...]:
        """The patch as it lies in the hand, to draw it."""
        if self.patch == "h":
            return ("x",)
        return self.game.state.edition.patches[self.patch].shape(self.orientation)

    def turn(self) -> None:
        """Turn it a quarter clockwise."""
        if self.patch != "h":
            self.orientation = Patch.turn(self.orientation)

    def flip(self) -> None:
        """Mirror it left-right."""
        if self.patch != "h":
            self.orientation = Patch.flip(self.orientation)

    def hover(self, cell: str) -> Preview:
        """Tell what would happen with the top left corner of its box on a cell."""
        state, move = self.game.state, self._move(cell)
        reasons = state.why_illegal(move)
        events = () if reasons else state.events(move)
        return Preview(state.cells(move), reasons or (), events)

    def drop(self, cell: str) -> tuple[Event, ...]:
        """Place it."""
        return self.game.play(self._move(cell))

    def _move(self, cell: str) -> Move:
        return Move(self.patch, self.orientation, cell)


def main() -> None:
    hand = Hand.choose(Game(Setup.random(7)), slot=2)
    hand.turn()
    hand.flip()
    print("\n".join(hand.rows))
    print(hand.hover("h8").reasons)
    for event in hand.drop("a1"):
        print(event)


if __name__ == "__main__":
    main()
