"""States and games drawn with characters, within 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from patchwork._core import Player, State
from patchwork.edition import Edition
from patchwork.game import Game

__all__ = ["text"]

WIDTH = 78
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

    A game shows the letter of the patch on each cell, a state only which cells are covered.

    :param ascii: use ASCII characters only.
    :param color: colour the players' names and quilts with ANSI codes.

    >>> from patchwork import Setup
    >>> print(text(Setup.random(seed=7).start(), ascii=True))  # doctest: +ELLIPSIS
    classic - player 0 to move
    ...
    """
    marks = ASCII if ascii else UNICODE
    state = subject.state if isinstance(subject, Game) else subject
    covers = [_covers(subject, player, marks) for player in (0, 1)]
    sides = [_side(state, player, covers[player], marks, color) for player in (0, 1)]
    lines = [_headline(subject, state, marks), "", *_beside(sides), ""]
    return "\n".join([*lines, *_track(state), *_market(state, marks), *_rest(state)]).rstrip()


def _headline(subject: State | Game, state: State, marks: Marks) -> str:
    if isinstance(subject, Game) and subject.is_over and not state.is_over:
        winner = "nobody wins" if subject.winner is None else f"player {subject.winner} wins"
        return f"{state.edition.tag} {marks.dot} {subject.ended.value}, {winner}"
    if state.is_over:
        return f"{state.edition.tag} {marks.dot} {_result(state)}"
    waiting = f", {state.specials_waiting} special to place" if state.specials_waiting else ""
    return f"{state.edition.tag} {marks.dot} player {state.to_move} to move{waiting}"


def _result(state: State) -> str:
    how = "on points" if state.outcome.decided_by == "points" else "first on the last space"
    first, second = state.scores
    return f"{first} to {second}, player {state.winner} wins {how}"


def _covers(subject: State | Game, player: int, marks: Marks) -> Mapping[str, str]:
    """Return the character of each covered cell."""
    if isinstance(subject, Game):
        return subject.covers(player)
    return dict.fromkeys(subject.players[player].quilt.cells, marks.covered)


def _side(
    state: State, player: int, covers: Mapping[str, str], marks: Marks, color: bool
) -> list[tuple[str, int]]:
    """Return one player's lines, each with its width on the screen."""
    one = state.players[player]
    token = marks.token if state.to_move == player else " "
    lines = [f"{token} player {player}: {_figures(one)}", _extras(state, player)]
    lines.append("    " + " ".join(COLUMNS[: one.quilt.size]))
    lines += [f"  {row} {_row(row, one.quilt.size, covers, marks)}" for row in _rows(one)]
    start, end = (f"\x1b[{COLORS[player]}m", "\x1b[0m") if color else ("", "")
    return [(f"{start}{line}{end}", len(line)) for line in lines]


def _rows(player: Player) -> range:
    return range(1, player.quilt.size + 1)


def _figures(player: Player) -> str:
    return f"{player.buttons} buttons, income {player.income}"


def _extras(state: State, player: int) -> str:
    tile = ", tile" if state.tile_holder == player else ""
    return f"  space {state.players[player].position}, points {state.scores[player]}{tile}"


def _row(row: int, size: int, covers: Mapping[str, str], marks: Marks) -> str:
    return " ".join(covers.get(f"{column}{row}", marks.free) for column in COLUMNS[:size])


def _beside(sides: Sequence[Sequence[tuple[str, int]]]) -> Iterator[str]:
    width = max(width for _, width in sides[0])
    for (left, taken), (right, _) in zip(*sides, strict=True):
        yield f"{left}{' ' * (width - taken)}{GAP}{right}".rstrip()


def _track(state: State) -> Iterator[str]:
    """Draw the track: $ is an income marker, * a special patch, a token its player."""
    spaces = "".join(_space(state, space) for space in range(state.edition.final + 1))
    for first in range(0, len(spaces), TRACK_WIDTH):
        name = "track" if first == 0 else ""
        yield f"{name:6}{first:>4} {spaces[first : first + TRACK_WIDTH]}"
    if state.edition.tile is not None and state.tile_holder is None:
        yield f"tile       free, {_tile(state.edition)}"


def _tile(edition: Edition) -> str:
    assert edition.tile is not None
    side, points = edition.tile.side, edition.tile.points
    return f"{points} points for {side} x {side}"


def _space(state: State, space: int) -> str:
    here = [player for player in (0, 1) if state.players[player].position == space]
    if here:
        return "&" if len(here) == 2 else str(here[0])
    if space in state.specials_left:
        return "*"
    return "$" if space in state.edition.markers else "."


def _market(state: State, marks: Marks) -> Iterator[str]:
    """Draw the patches on offer beside one another, each under its prices and income."""
    blocks = [_patch(state, letter, marks) for letter in state.market]
    if not blocks or state.is_over:
        return
    yield ""
    widths = [max(map(len, block)) for block in blocks]
    for parts in zip_longest(*blocks, fillvalue=""):
        padded = (f"{part:{width}}" for part, width in zip(parts, widths, strict=True))
        yield GAP.join(padded).rstrip()


def _patch(state: State, letter: str, marks: Marks) -> list[str]:
    patch = state.edition.patches[letter]
    figures = f"{letter}: cost {patch.cost}, time {patch.time}, +{patch.income}"
    drawing = [row.replace("x", marks.covered).replace(".", " ") for row in patch.rows]
    return [figures, *drawing]


def _rest(state: State) -> Iterator[str]:
    behind = state.line if state.is_over else state.line[len(state.market) :]
    yield ""
    yield f"{'left' if state.is_over else 'then'} {behind or 'nothing'}" + (
        f", reserve {state.reserve}" if state.reserve else ""
    )
