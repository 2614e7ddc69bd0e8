"""The lettered notation: games as one run of letters, without separators.

A *circle* names all patches of the edition clockwise, beginning anywhere; the neutral token stands
behind the edition's start patch. Moves follow one another without a mark of the player, whom the
rules tell; player 0 begins. A dot passes. Any other move takes four letters: the patch, the column
A..I from the left, the row A..I from the top, and the orientation A..H for 0..7, the cell being
the top left corner of the turned shape's bounding box. A special patch is ``h`` with its column,
row and an orientation that does not matter.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from patchwork._core import PASS, Move
from patchwork.edition import Edition
from patchwork.errors import NotationError, RecordError, SetupError
from patchwork.game import Game
from patchwork.records import play_moves
from patchwork.setups import Setup

__all__ = ["LetteredGame", "format_game", "parse_lettered", "parse_moves", "read_lettered"]

TRACKS = {"original": "classic", "revised": "revised"}
"""The edition of a track's name in collections."""
SPECIAL = "h"
PLACES = "ABCDEFGHI"
ORIENTATIONS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class LetteredGame:
    """A game in lettered notation, as read, its moves not yet checked."""

    circle: str
    """The patches clockwise, from anywhere."""
    moves: str
    """The moves."""
    edition: Edition | str = "classic"
    name: str | None = None
    """What the collection calls it."""

    def replay(self) -> Game:
        """Return the game.

        :raises NotationError: if a move is malformed; every move before it was legal.
        :raises SetupError: if the circle is none of the edition.
        :raises RecordError: at ``moves[n]`` for the first move that the rules refuse; the cause is
            the :class:`IllegalMoveError`.
        """
        return play_moves(Setup.from_circle(self.circle, self.edition), parse_moves(self.moves))


def parse_moves(text: str) -> Iterator[Move]:
    """Read moves one by one.

    :raises NotationError: at the letter at fault, when it is reached.

    >>> list(parse_moves(".KAABhEEA"))
    [Move.parse('pass'), Move.parse('K1@a1'), Move.parse('h@e5')]
    """
    at = 0
    while at < len(text):
        if text[at] == ".":
            yield PASS
            at += 1
        else:
            yield _placement(text, at)
            at += 4


def _placement(text: str, at: int) -> Move:
    patch = text[at]
    if not (patch.isascii() and patch.isalpha()):
        raise NotationError(text, at, "expected a dot or the letter of a patch")
    column = _place(text, at + 1, PLACES, "a column A..I")
    row = _place(text, at + 2, PLACES, "a row A..I")
    orientation = _place(text, at + 3, ORIENTATIONS, "an orientation A..H")
    cell = f"{'abcdefghi'[column]}{row + 1}"
    return Move(patch, 0 if patch == SPECIAL else orientation, cell)


def _place(text: str, at: int, letters: str, wanted: str) -> int:
    if at >= len(text):
        raise NotationError(text, len(text), f"expected {wanted}, not the end")
    place = letters.find(text[at])
    if place < 0:
        raise NotationError(text, at, f"expected {wanted}")
    return place


def format_game(game: Game) -> LetteredGame:
    """Return a game in lettered notation.

    :raises SetupError: if it does not begin with a setup of an edition with a start patch and
        without a reserve, or if player 1 begins.
    """
    start = game.start
    setup = Setup(start.edition, start.line, start.reserve, 0)
    if setup.reserve or setup.start() != start:
        raise SetupError("line", "the notation knows only games from the first state on")
    return LetteredGame(setup.circle, "".join(map(_lettered, game.moves)), start.edition)


def _lettered(move: Move) -> str:
    if move.patch is None or move.cell is None or move.orientation is None:
        return "."
    column, row = PLACES["abcdefghi".index(move.cell[0])], PLACES[int(move.cell[1]) - 1]
    return f"{move.patch}{column}{row}{ORIENTATIONS[move.orientation]}"


def read_lettered(source: str | os.PathLike[str] | IO[str]) -> Iterator[LetteredGame]:
    """Read a collection, a JSON object a line with ``circle``, ``moves`` and ``track``.

    The track is ``original`` or ``revised``, ``id`` a name; other keys are ignored.

    :raises RecordError: with the number of the game, counted from 0.
    """
    if isinstance(source, str | os.PathLike):
        with open(source, encoding="utf-8") as file:
            yield from read_lettered(file)
        return
    for number, line in enumerate(line for line in source if line.strip()):
        try:
            yield parse_lettered(line)
        except RecordError as error:
            raise RecordError(error.where, error.fault, number) from error.__cause__


def parse_lettered(line: str) -> LetteredGame:
    """Read a game from a line of a collection.

    :raises RecordError: if it is no JSON object with ``circle``, ``moves`` and ``track``.
    """
    try:
        data: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError("record", "no JSON") from None
    if not isinstance(data, dict):
        raise RecordError("record", "expected an object")
    for key in ("circle", "moves", "track"):
        if not isinstance(data.get(key), str):
            raise RecordError(key, "expected a text")
    if data["track"] not in TRACKS:
        raise RecordError("track", f"expected one of {', '.join(TRACKS)}")
    name = data.get("id")
    edition = TRACKS[data["track"]]
    return LetteredGame(data["circle"], data["moves"], edition, None if name is None else str(name))
