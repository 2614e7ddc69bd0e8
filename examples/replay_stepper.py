"""A replay stepper: forward, back and to any ply of a recorded game."""

from __future__ import annotations

from patchwork import Game
from patchwork.records import Record
from patchwork.render import text


class Stepper:
    """Stands at one ply of a game."""

    def __init__(self, record: Record) -> None:
        self._comments = record.comments
        self._game = Game.from_record(record)
        self._ended = record.ended
        self.last = len(self._game)
        self.jump(0)

    @property
    def ply(self) -> int:
        """The number of plies that have been played here."""
        return len(self._game)

    def forward(self) -> bool:
        """Go one ply on; False at the end."""
        return self.jump(self.ply + 1)

    def back(self) -> bool:
        """Go one ply back; False at the start."""
        return self.jump(self.ply - 1)

    def jump(self, ply: int) -> bool:
        """Go to a ply; False if the game has no such ply."""
        if not 0 <= ply <= self.last:
            return False
        while self.ply > ply:
            self._game.undo()
        while self.ply < ply:
            self._game.redo()
        if ply == self.last and self._game.ended is not self._ended:
            self._game.redo()  # a resignation or the like
        return True

    def caption(self) -> str:
        """Return what was played last, and its comment."""
        move = f"{self._game.plies[-1].player}: {self._game.moves[-1]}" if self.ply else "start"
        comment = self._comments.get(self.ply, "")
        return f"{self.ply}/{self.last} {move} {comment}".rstrip()

    def frame(self) -> str:
        """Return the caption and the drawing of this ply."""
        return f"{self.caption()}\n\n{text(self._game)}"


def main() -> None:
    game = Game.parse(
        "classic KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA 9/9/9/9/9/9/9/9/9 t0b5i0 9/9/9/9/9/9/9/9/9 "
        "t0b5i0 0 - - moves K1@a1 pass d0@a3"
    )
    stepper = Stepper(game.to_record(comments={1: "a good start"}))
    while stepper.forward():
        print(stepper.frame(), end="\n\n")


if __name__ == "__main__":
    main()
