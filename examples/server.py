"""A game server's session: two seats, undo, saving, and clients that lose their connection.

Clients exchange texts and plain JSON. Each request names the ply that its client has seen, so that
a request which crossed another one on the way is told apart from a wrong move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from patchwork import Event, Game, IllegalMoveError, Setup


class RequestError(Exception):
    """A request that is turned down; its text goes back to the client."""


@dataclass
class Session:
    """One game between two seats."""

    game: Game

    @classmethod
    def create(cls, seed: int | None = None) -> Session:
        return cls(Game(Setup.random(seed)))

    @classmethod
    def load(cls, saved: str) -> Session:
        return cls(Game.parse(saved))

    def save(self) -> str:
        return str(self.game)

    def view(self) -> dict[str, Any]:
        """Return all that a client needs to draw the game."""
        state = self.game.state
        return {
            "ply": len(self.game),
            "state": state.to_dict(),
            "covers": [self.game.covers(seat) for seat in (0, 1)],
            "offers": [{"patch": offer.patch, "can": not offer.reasons} for offer in state.offers],
            "scores": state.scores,
            "winner": self.game.winner,
        }

    def play(self, seat: int, ply: int, move: str) -> list[dict[str, Any]]:
        """Play a move that a client sent; return what every client is told."""
        self._expect(seat, ply)
        try:
            return _plain(self.game.play(move))
        except IllegalMoveError as error:
            raise RequestError(", ".join(error.reasons)) from error

    def undo(self, seat: int, ply: int) -> None:
        """Take back the seat's last move and whatever followed it."""
        own = [played.number for played in self.game.plies if played.player == seat]
        if ply != len(self.game) or not own:
            raise RequestError("there is nothing to take back")
        while len(self.game) > own[-1]:
            self.game.undo()

    def catch_up(self, ply: int) -> dict[str, Any]:
        """Return what a client has missed that saw this ply last."""
        if ply > len(self.game):
            return {"restart": self.view()}
        return {"events": [_plain(played.events) for played in self.game.plies[ply:]]}

    def _expect(self, seat: int, ply: int) -> None:
        if ply != len(self.game):
            raise RequestError(f"the game is at ply {len(self.game)}")
        if seat != self.game.state.to_move:
            raise RequestError("it is not your turn")


def _plain(events: tuple[Event, ...]) -> list[dict[str, Any]]:
    return [event.to_dict() for event in events]


def main() -> None:
    session = Session.create(seed=7)
    print(session.play(0, 0, "L0@h1"))
    restored = Session.load(session.save())
    print(restored.catch_up(0))
    restored.undo(0, 1)
    print(restored.catch_up(1)["restart"]["ply"])


if __name__ == "__main__":
    main()
