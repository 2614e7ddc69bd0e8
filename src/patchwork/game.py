"""Games: a first state and what was played from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, SupportsIndex

from patchwork._core import Move, Quilt, State
from patchwork.errors import IllegalMoveError, NotationError, Reason
from patchwork.setups import Setup
from patchwork.values import Event, EventKind

if TYPE_CHECKING:
    from patchwork.records import Record

__all__ = ["Ending", "Game", "Ply"]

BEFORE = "?"
"""Stands for a patch that covered its cells before the first state of a game."""


class Ending(StrEnum):
    """How a game ended."""

    FINISHED = "finished"
    """By the rules: both players are on the last space (R39)."""
    RESIGNED = "resigned"
    TIMEOUT = "timeout"
    ABANDONED = "abandoned"
    ILLEGAL = "illegal"
    """A player insisted on an illegal move."""
    UNFINISHED = "unfinished"
    """It has not ended."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a game."""

    number: int
    """Its place in the game, counted from 0."""
    player: int
    """Who moved."""
    move: Move
    """The move, with the lowest number of its orientation."""
    events: tuple[Event, ...]
    """What it brought about."""
    state: State
    """The state after it."""


class Game:
    """A game in progress or at its end: a first state, moves, undo and redo.

    :param start: a :class:`Setup`, or any :class:`State` to play on from.

    >>> from patchwork import Setup
    >>> game = Game(Setup.random(seed=7))
    >>> [event.kind.value for event in game.play("pass")]
    ['moved', 'paid for spaces', 'next player']
    >>> game.undo().move, len(game)
    (Move.parse('pass'), 0)
    """

    def __init__(self, start: Setup | State) -> None:
        if not isinstance(start, Setup | State):
            raise TypeError(f"a game starts from a Setup or a State, not {type(start).__name__}")
        self._start = start.start() if isinstance(start, Setup) else start
        self._plies: list[Ply] = []
        self._undone: list[Move] = []
        self._ending: tuple[Ending, int | None] | None = None

    @classmethod
    def parse(cls, text: str) -> Game:
        """Read a game from one line: a state's text, ``moves``, and the moves.

        :raises NotationError: if the text is malformed.
        :raises IllegalMoveError: for the first move that the rules refuse.
        """
        if not isinstance(text, str):
            raise TypeError(f"the text of a game is a str, not {type(text).__name__}")
        start, mark, moves = text.partition(" moves ")
        try:
            game = cls(State.parse(start))
        except NotationError as error:
            raise NotationError(text, error.position, error.fault) from None
        at = len(start) + len(mark)
        for word in moves.split(" ") if mark else ():
            game.play(_move_at(text, at, word))
            at += len(word) + 1
        return game

    @classmethod
    def from_record(cls, record: Record) -> Game:
        """Return the game of a record; every move and its result are checked.

        :raises RecordError: if the record does not follow the rules.
        """
        return record.replay()

    @property
    def start(self) -> State:
        """The first state."""
        return self._start

    @property
    def state(self) -> State:
        """The state now."""
        return self._plies[-1].state if self._plies else self._start

    @property
    def plies(self) -> Sequence[Ply]:
        """The moves played, with their players, events and states."""
        return tuple(self._plies)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played."""
        return tuple(ply.move for ply in self._plies)

    def __len__(self) -> int:
        return len(self._plies)

    def __bool__(self) -> bool:
        return True

    def state_at(self, n: int) -> State:
        """Return the state after ``n`` plies; 0 is the start, -1 the state now.

        :raises IndexError: if the game is not that long.
        """
        place = n if n >= 0 else n + len(self) + 1
        if not 0 <= place <= len(self):
            raise IndexError(f"the game has {len(self)} plies, there is no state {n}")
        return self._plies[place - 1].state if place else self._start

    def play(self, move: Move | str | SupportsIndex) -> tuple[Event, ...]:
        """Play a move and return what it brought about; moves that were undone are forgotten.

        :raises IllegalMoveError: if the rules refuse it, or if the game has been ended.
        :raises NotationError: if its text is malformed.
        """
        events = self._add(move)
        self._undone.clear()
        return events

    def undo(self) -> Ply:
        """Take back the last move, and a resignation or the like after it; return its ply.

        :raises IndexError: if no move has been played.
        """
        if not self._plies:
            raise IndexError("no move to undo")
        self._ending = None
        ply = self._plies.pop()
        self._undone.append(ply.move)
        return ply

    def redo(self) -> Ply:
        """Play again the move that was undone last; return its ply.

        :raises IndexError: if none was undone since the last move.
        """
        if not self._undone:
            raise IndexError("no move to redo")
        self._add(self._undone[-1])
        self._undone.pop()
        return self._plies[-1]

    def _add(self, move: Move | str | SupportsIndex) -> tuple[Event, ...]:
        state = self.state
        if self._ending is not None:
            raise IllegalMoveError(str(move), str(state), (Reason.GAME_OVER,))
        events = state.events(move)
        played = _listed(state, move)
        player = state.to_move
        assert player is not None
        self._plies.append(Ply(len(self), player, played, events, state.after(played)))
        return events

    @property
    def quilts(self) -> tuple[Quilt, Quilt]:
        """Both quilts now; :meth:`covers` tells which patch lies where."""
        first, second = self.state.players
        return first.quilt, second.quilt

    def covers(self, player: int) -> dict[str, str]:
        """Return the letter of the patch on each covered cell of a player's quilt, by cell name.

        ``"h"`` is a special patch, ``"?"`` whatever lay there before the first state.
        """
        covers = dict.fromkeys(self._start.players[player].quilt.cells, BEFORE)
        for ply in self._plies:
            if ply.player == player:
                covers.update(_covered(ply.events))
        return covers

    def patch_at(self, player: int, cell: str) -> str | None:
        """Return the letter of the patch on a cell, as :meth:`covers`, or None if it is free."""
        return self.covers(player).get(cell)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or otherwise."""
        return self.ended is not Ending.UNFINISHED

    @property
    def ended(self) -> Ending:
        """How the game ended."""
        if self._ending is not None:
            return self._ending[0]
        return Ending.FINISHED if self.state.is_over else Ending.UNFINISHED

    @property
    def winner(self) -> int | None:
        """The winner, by the rules (R41) or otherwise; None if there is none."""
        return self._ending[1] if self._ending is not None else self.state.winner

    @property
    def scores(self) -> tuple[int, int]:
        """The points as if the game ended now (R40)."""
        return self.state.scores

    def resign(self, player: int) -> None:
        """End the game: this player gives up and the other one wins.

        :raises ValueError: if there is no such player, or if the game has ended already.
        """
        self.end(Ending.RESIGNED, winner=1 - _player(player))

    def end(self, ending: Ending | str, winner: int | None = None) -> None:
        """End the game otherwise than by the rules; ``undo`` takes that back with the last move.

        :param ending: resigned, timeout, abandoned or illegal.
        :raises ValueError: for another ending, or if the game has ended already.
        """
        how = Ending(ending)
        if how in (Ending.FINISHED, Ending.UNFINISHED):
            raise ValueError(f"a game cannot be ended as {how.value}")
        if self.is_over:
            raise ValueError(f"the game has ended already: {self.ended.value}")
        self._ending = how, None if winner is None else _player(winner)

    def to_record(self, **details: Any) -> Record:
        """Return the record of the game.

        :param details: optional fields of :class:`Record`: ``players``, ``date``, ``source``,
            ``clocks``, ``comments``, ``tags``.
        """
        from patchwork.records import Record

        return Record(
            edition=self._start.edition,
            start=self._start,
            moves=self.moves,
            scores=self.scores if self.ended is Ending.FINISHED else None,
            winner=self.winner,
            ended=self.ended,
            **details,
        )

    def __str__(self) -> str:
        moves = " ".join(map(str, self.moves))
        return f"{self._start} moves {moves}" if moves else str(self._start)

    def __repr__(self) -> str:
        return f"<Game: {len(self)} plies, {self.ended.value}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self._start, self.moves, self._ending) == (other.start, other.moves, other._ending)

    __hash__ = None  # type: ignore[assignment]


def _player(player: int) -> int:
    if isinstance(player, bool) or not isinstance(player, int):
        raise TypeError(f"a player is 0 or 1, not {type(player).__name__}")
    if player not in (0, 1):
        raise ValueError(f"a player is 0 or 1, not {player}")
    return player


def _move_at(text: str, at: int, word: str) -> Move:
    """Read the move that stands at a position of a text."""
    try:
        return Move.parse(word)
    except NotationError as error:
        raise NotationError(text, at + error.position, error.fault) from None


def _listed(state: State, move: Move | str | SupportsIndex) -> Move:
    """Return a legal move as states list it."""
    return state.legal_moves[state.legal_moves.index(move)]


def _covered(events: Sequence[Event]) -> Iterator[tuple[str, str]]:
    for event in events:
        if event.kind in (EventKind.PLACED, EventKind.SPECIAL_PLACED):
            for cell in event.cells or ():
                yield cell, event.patch or "h"
