"""States and games drawn with characters, within 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from patchwork import Game, Player, State

__all__ = ["text"]

WIDTH = 80
GAP = "   "
COLUMNS = "abcdefghi"
TRACK_WIDTH = 60
"""Spaces of the track in a line."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The characters of a drawing."""

    free: str
    covered: str
    token: str
    dot: str


UNICODE = Marks(free="·", covered="■", token="▸", dot="·")
ASCII = Marks(free=".", covered="#", token=">", dot="-")
COLORS = ("36", "35")
"""The ANSI colours of the players."""


def text(subject: State | Game, *, ascii: bool = False, color: bool = False) -> str:
    """Return a drawing of a state, or of a game as it stands now, in lines of at most 80 columns.

    A game shows the letter of the patch on each cell, a state only which cells are covered. On the
    track ``0`` and ``1`` are the tokens, ``$`` an income marker and ``*`` a special patch. The line
    begins at the neutral token; the patches on offer are drawn below it.

    :param ascii: use ASCII characters only.
    :param color: colour what belongs to a player with ANSI codes.

    >>> from patchwork import Setup
    >>> print(text(Setup.random(seed=7).start(), ascii=True))  # doctest: +ELLIPSIS
    classic - player 0 to move
    ...
    line     > GSL MWfbIaYCOUZFPXQdTVDKEJeHgRcBNA
    ...
    """
    if not isinstance(subject, State | Game):
        raise TypeError(f"a State or a Game can be drawn, not {type(subject).__name__}")
    marks = ASCII if ascii else UNICODE
    state = subject.state if isinstance(subject, Game) else subject
    sides = [_side(state, player, _covers(subject, player, marks), marks) for player in (0, 1)]
    parts = [
        _headline(subject, state, marks),
        _beside(sides, COLORS if color else None),
        [*_track(state, marks), _line(state, marks)],
        _market(state, marks),
    ]
    return "\n\n".join(filter(None, map("\n".join, parts)))


def _headline(subject: State | Game, state: State, marks: Marks) -> list[str]:
    tag, situation = state.edition.tag, _situation(subject, state)
    line = f"{tag} {marks.dot} {situation}"
    return [line] if len(line) <= WIDTH else [tag, situation]


def _situation(subject: State | Game, state: State) -> str:
    if isinstance(subject, Game) and subject.is_over and not state.is_over:
        winner = "nobody wins" if subject.winner is None else f"player {subject.winner} wins"
        return f"{subject.ended.value}, {winner}"
    if state.is_over:
        how = "on points" if state.outcome.decided_by == "points" else "first on the last space"
        first, second = state.scores
        return f"{first} to {second}, player {state.winner} wins {how}"
    waiting = f", {state.specials_waiting} special to place" if state.specials_waiting else ""
    return f"player {state.to_move} to move{waiting}"


# The quilts


def _covers(subject: State | Game, player: int, marks: Marks) -> Mapping[str, str]:
    """Return the character of each covered cell."""
    if isinstance(subject, Game):
        return subject.covers(player)
    return dict.fromkeys(subject.players[player].quilt.cells, marks.covered)


def _side(state: State, number: int, covers: Mapping[str, str], marks: Marks) -> list[str]:
    """Return the lines of one player."""
    player = state.players[number]
    size = player.quilt.size
    token = marks.token if state.to_move == number else " "
    return [
        f"{token} player {number}: {player.buttons} buttons, income {player.income}",
        f"  {_standing(state, number, player)}",
        "    " + " ".join(COLUMNS[:size]),
        *(f"  {row} {_row(row, size, covers, marks)}" for row in range(1, size + 1)),
    ]


def _standing(state: State, number: int, player: Player) -> str:
    tile = ", tile" if state.tile_holder == number else ""
    return f"space {player.position}, points {state.scores[number]}{tile}"


def _row(row: int, size: int, covers: Mapping[str, str], marks: Marks) -> str:
    return " ".join(covers.get(f"{column}{row}", marks.free) for column in COLUMNS[:size])


def _beside(sides: Sequence[Sequence[str]], colors: Sequence[str] | None = None) -> Iterator[str]:
    """Draw blocks beside one another, each in its colour."""
    widths = [max(map(len, side), default=0) for side in sides]
    for parts in zip_longest(*sides, fillvalue=""):
        columns = [f"{part:{width}}" for part, width in zip(parts, widths, strict=True)]
        if colors is None:
            yield GAP.join(columns).rstrip()
        else:
            paired = zip(colors, columns, strict=True)
            yield GAP.join(f"\x1b[{color}m{column}\x1b[0m" for color, column in paired)


# The track and the line


def _track(state: State, marks: Marks) -> Iterator[str]:
    spaces = "".join(_space(state, space, marks) for space in range(state.edition.final + 1))
    for first in range(0, len(spaces), TRACK_WIDTH):
        name = "track" if first == 0 else ""
        yield f"{name:6}{first:>4} {spaces[first : first + TRACK_WIDTH]}"
    tile = state.edition.tile
    if tile is not None and state.tile_holder is None:
        yield f"tile     free, {tile.points} points for {tile.side} x {tile.side}"


def _space(state: State, space: int, marks: Marks) -> str:
    here = [player for player in (0, 1) if state.players[player].position == space]
    if here:
        return "&" if len(here) == 2 else str(here[0])
    if space in state.specials_left:
        return "*"
    return "$" if space in state.edition.markers else marks.free


def _line(state: State, marks: Marks) -> str:
    """Write the line from the neutral token on, the patches on offer first."""
    offered = "" if state.is_over else state.market
    behind = state.line[len(offered) :]
    reserve = f"+ {state.reserve}" if state.reserve else ""
    words = ["line    ", marks.token, offered, behind, reserve]
    return " ".join(word for word in words if word)


def _market(state: State, marks: Marks) -> Iterator[str]:
    """Draw the patches on offer beside one another, each under its figures."""
    return _beside([] if state.is_over else [_patch(state, one, marks) for one in state.market])


def _patch(state: State, letter: str, marks: Marks) -> list[str]:
    patch = state.edition.patches[letter]
    rows = [row.replace("x", marks.covered).replace(".", " ") for row in patch.rows]
    figures = f"{letter}: cost {patch.cost}, time {patch.time}"
    return [figures, f"   income {patch.income}", *(f"   {row}" for row in rows)]
