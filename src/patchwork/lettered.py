"""The lettered notation: games as one run of letters, without separators.

A *circle* names all patches of the edition clockwise, beginning anywhere; the neutral token stands
behind the edition's start patch. Moves follow one another without a mark of the player, whom the
rules tell; player 0 begins. A dot passes. Any other move takes four letters: the patch, the column
A..I from the left, the row A..I from the top, and the orientation A..H for 0..7, the cell being
the top left corner of the turned shape's bounding box. A special patch is ``h`` with its column,
row and an orientation that does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from patchwork import _json
from patchwork._core import PASS, Move
from patchwork.edition import Edition
from patchwork.edition import edition as find_edition
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
    """A game in lettered notation, as read, its circle and moves not yet checked.

    >>> game = LetteredGame("AKdfBCDEFGHIJLMNOPQRSTUVWXYZabceg", "KAAB.").replay()
    >>> game.moves, game.start.line[:3]
    ((Move.parse('K1@a1'), Move.parse('pass')), 'Kdf')
    """

    circle: str
    """The patches clockwise, from anywhere."""
    moves: str
    """The moves."""
    edition: Edition | str = "classic"
    """What it is played with; a name becomes the edition itself."""
    name: str | None = None
    """What the collection calls it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "edition", find_edition(self.edition))

    def replay(self) -> Game:
        """Return the game, every move checked by the rules.

        :raises SetupError: if the circle is none of the edition.
        :raises NotationError: at the letter of :attr:`moves` at fault; all moves before are legal.
        :raises RecordError: at ``moves[n]`` for the first move that the rules refuse; the cause is
            the :class:`IllegalMoveError`.
        """
        return play_moves(Setup.from_circle(self.circle, self.edition), parse_moves(self.moves))


def parse_moves(text: str) -> Iterator[Move]:
    """Read moves one by one, by their form alone.

    :raises NotationError: at the letter at fault, when it is reached.

    >>> list(parse_moves(".KAABhEEA"))
    [Move.parse('pass'), Move.parse('K1@a1'), Move.parse('h@e5')]
    """
    if not isinstance(text, str):
        raise TypeError(f"moves are a str, not {type(text).__name__}")
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

    :raises SetupError: if it does not begin with the first state of a setup that the notation can
        tell: the start patch last in line, no reserve, and player 0 to begin.
    """
    start = game.start
    setup = Setup.from_circle(start.line, start.edition)
    if setup.start() != start:
        fault = "the notation knows only games from the first state on, begun by player 0"
        raise SetupError("line", f"{fault}, the start patch last in line")
    return LetteredGame(setup.circle, "".join(map(_lettered, game.moves)), start.edition)


def _lettered(move: Move) -> str:
    if move.patch is None or move.cell is None:
        return "."
    column, row = PLACES["abcdefghi".index(move.cell[0])], PLACES[int(move.cell[1]) - 1]
    return f"{move.patch}{column}{row}{ORIENTATIONS[move.orientation or 0]}"


def read_lettered(source: _json.Source) -> Iterator[LetteredGame]:
    """Read a collection, a game a line, as it is asked for; empty lines are skipped.

    :param source: a path, or a file open for reading.
    :raises RecordError: as :func:`parse_lettered`, with the number of the game, counted from 0.
    :raises OSError: if the file cannot be read.
    """
    return _json.read_lines(source, parse_lettered)


def parse_lettered(line: str) -> LetteredGame:
    """Read a game from a line of a collection, a JSON object.

    It has the texts ``circle``, ``moves`` and ``track``, which is ``original`` or ``revised``.
    ``id``, a text or a number, gives a name; other keys are ignored.

    :raises RecordError: if the line is no such object.

    >>> line = '{"circle": "AKdfBCDEFGHIJLMNOPQRSTUVWXYZabceg", "moves": ".", "track": "revised"}'
    >>> parse_lettered(line).edition
    patchwork.edition('revised')
    """
    data = _json.table(_json.loads(line), "record")
    circle, moves, track = (_text(data, key) for key in ("circle", "moves", "track"))
    if track not in TRACKS:
        raise RecordError("track", f"expected one of {', '.join(TRACKS)}")
    return LetteredGame(circle, moves, TRACKS[track], _name(data.get("id")))


def _text(data: Any, key: str) -> str:
    if key not in data:
        raise RecordError(key, "is missing")
    return _json.text(data[key], key)


def _name(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else _json.text(value, "id")
    return str(_json.whole_number(value, "id", -(1 << 63), (1 << 63) - 1))
