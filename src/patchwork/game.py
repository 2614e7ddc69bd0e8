"""Games: a first state and what was played from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn, SupportsIndex

from patchwork._core import Move, Quilt, State
from patchwork._definition import shown
from patchwork.errors import IllegalMoveError, NotationError, Reason
from patchwork.patch import whole
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
    """A player gave up."""
    TIMEOUT = "timeout"
    """A player used up the time."""
    ABANDONED = "abandoned"
    """It was broken off."""
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

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells that it covered, by name in the order of their indices; none by a pass."""
        placed = (EventKind.PLACED, EventKind.SPECIAL_PLACED)
        return next((event.cells or () for event in self.events if event.kind in placed), ())


_End = tuple[Ending, int | None]
"""An ending otherwise than by the rules, and the winner."""


class Game:
    """A game in progress or at its end: a first state, moves, undo and redo.

    A game is mutable, and equal to another one with the same start, moves and ending. A call that
    raises has changed nothing. Copies, also of pickles, share nothing with the original.

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
        self._end: _End | None = None
        self._undone: list[Ply | _End] = []

    @classmethod
    def parse(cls, text: str) -> Game:
        """Read a game from one line: the text of a state, ``moves``, and the moves.

        :raises NotationError: if the text is malformed, or its state one that cannot be played on
            from (R47); ``position`` counts from the beginning of the line.
        :raises IllegalMoveError: for the first move that the rules refuse; a note tells its place.

        >>> start = str(Setup.from_line("KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA").start())
        >>> Game.parse(f"{start} moves K1@a1 pass").moves
        (Move.parse('K1@a1'), Move.parse('pass'))
        """
        if not isinstance(text, str):
            raise TypeError(f"the text of a game is a str, not {type(text).__name__}")
        start, mark, moves = text.partition(" moves ")
        try:
            game = cls(State.parse(start))
        except NotationError as error:
            raise NotationError(text, error.position, error.fault) from None
        if mark:
            game._play_text(text, len(start) + len(mark), moves.split(" "))
        return game

    @classmethod
    def from_record(cls, record: Record) -> Game:
        """Return the game of a record, as :meth:`Record.replay`.

        :raises RecordError: if the record does not follow the rules.
        """
        return record.replay()

    # The history

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
        """Return the number of plies."""
        return len(self._plies)

    def __bool__(self) -> bool:
        return True

    def state_at(self, n: SupportsIndex) -> State:
        """Return the state after ``n`` plies; 0 is the start, -1 the state now.

        :raises IndexError: if the game is not that long.
        """
        number = whole(n)
        place = number if number >= 0 else number + len(self) + 1
        if not 0 <= place <= len(self):
            raise IndexError(f"the game has {len(self)} plies, there is no state {shown(number)}")
        return self._plies[place - 1].state if place else self._start

    def play(self, move: Move | str | SupportsIndex) -> tuple[Event, ...]:
        """Play a move and return what it brought about; what was undone is forgotten.

        :param move: a move, its text or its action id, as for :meth:`State.after`.
        :raises IllegalMoveError: if the rules refuse it, or if the game has ended otherwise:
            ``reasons`` then begin with *game over*.
        :raises NotationError: if its text is malformed.
        """
        if self._end is not None:
            self._refuse(move)
        state = self.state
        events = state.events(move)
        listed = _listed(state, move)
        player = state.to_move
        assert player is not None
        self._plies.append(Ply(len(self), player, listed, events, state.after(listed)))
        self._undone.clear()
        return events

    def undo(self) -> Ply | Ending:
        """Take back the last step: a move, or a resignation or the like after it.

        :return: the ply, or how the game had ended.
        :raises IndexError: if there is nothing to undo.
        """
        if self._end is not None:
            how, _ = end = self._end
            self._undone.append(end)
            self._end = None
            return how
        if not self._plies:
            raise IndexError("there is no move to undo")
        ply = self._plies.pop()
        self._undone.append(ply)
        return ply

    def redo(self) -> Ply | Ending:
        """Take the step again that was undone last.

        :return: the ply, or how the game ends.
        :raises IndexError: if nothing was undone since the last move.
        """
        if not self._undone:
            raise IndexError("there is no move to redo")
        step = self._undone.pop()
        if isinstance(step, Ply):
            self._plies.append(step)
            return step
        self._end = step
        return step[0]

    def _refuse(self, move: Move | str | SupportsIndex) -> NoReturn:
        """Raise the error for a move after the end of a game whose state is none."""
        state = self.state
        try:
            state.events(move)
        except IllegalMoveError as error:
            reasons = (Reason.GAME_OVER, *error.reasons)
            details = error.cells, error.needed, error.held
            raise IllegalMoveError(error.move, error.state, reasons, *details) from None
        raise IllegalMoveError(str(_listed(state, move)), str(state), (Reason.GAME_OVER,))

    def _play_text(self, text: str, at: int, words: Sequence[str]) -> None:
        """Play the moves that stand in a text from a position on."""
        for number, word in enumerate(words):
            try:
                self.play(Move.parse(word))
            except NotationError as error:
                raise NotationError(text, at + error.position, error.fault) from None
            except IllegalMoveError as error:
                error.add_note(f"It is ply {number} of a game, at position {at} of its line.")
                raise
            at += len(word) + 1

    # The quilts

    @property
    def quilts(self) -> tuple[Quilt, Quilt]:
        """Both quilts now; :meth:`covers` tells which patch lies where."""
        first, second = self.state.players
        return first.quilt, second.quilt

    def covers(self, player: SupportsIndex) -> dict[str, str]:
        """Return the letter of the patch on each covered cell of a player's quilt, by cell name.

        ``"h"`` is a special patch, ``"?"`` whatever lay there before the first state.

        :raises ValueError: if there is no such player.
        """
        number = _player(player)
        covers = dict.fromkeys(self._start.players[number].quilt.cells, BEFORE)
        for ply in self._plies:
            if ply.player == number and ply.move.patch is not None:
                covers.update(dict.fromkeys(ply.cells, ply.move.patch))
        return covers

    def patch_at(self, player: SupportsIndex, cell: str) -> str | None:
        """Return the letter of the patch on a cell, as :meth:`covers`, or None if it is free.

        :raises NotationError: if there is no such cell.
        :raises ValueError: if there is no such player.
        """
        is_covered = cell in self.quilts[_player(player)]
        return self.covers(player)[cell] if is_covered else None

    # The result

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or otherwise."""
        return self.ended is not Ending.UNFINISHED

    @property
    def ended(self) -> Ending:
        """How the game ended."""
        if self._end is not None:
            return self._end[0]
        return Ending.FINISHED if self.state.is_over else Ending.UNFINISHED

    @property
    def winner(self) -> int | None:
        """The winner, by the rules (R41) or otherwise; None if there is none."""
        return self._end[1] if self._end is not None else self.state.winner

    @property
    def scores(self) -> tuple[int, int]:
        """The points as if the game ended now (R40)."""
        return self.state.scores

    def resign(self, player: SupportsIndex) -> None:
        """End the game: this player gives up and the other one wins.

        :raises ValueError: if there is no such player.
        :raises IllegalMoveError: if the game has ended already.
        """
        self.end(Ending.RESIGNED, winner=1 - _player(player))

    def end(self, ending: Ending | str, winner: SupportsIndex | None = None) -> None:
        """End the game otherwise than by the rules; :meth:`undo` takes that back.

        What was undone is forgotten, as by a move.

        :param ending: resigned, timeout, abandoned or illegal.
        :param winner: who wins, if anybody does.
        :raises ValueError: for another ending, or if there is no such player.
        :raises IllegalMoveError: if the game has ended already.
        """
        end = _otherwise(ending), None if winner is None else _player(winner)
        if self.is_over:
            raise IllegalMoveError(end[0].value, str(self.state), (Reason.GAME_OVER,))
        self._end = end
        self._undone.clear()

    # Other forms

    def to_record(
        self,
        *,
        players: tuple[str, str] | None = None,
        date: str | None = None,
        source: str | None = None,
        clocks: Sequence[int] | None = None,
        comments: Mapping[int, str] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> Record:
        """Return the record of the game, with details as :class:`Record` describes them.

        :raises RecordError: if a detail is malformed.
        """
        from patchwork.records import Record

        return Record(
            start=self._start,
            moves=self.moves,
            scores=self.scores if self.ended is Ending.FINISHED else None,
            winner=self.winner,
            ended=self.ended,
            players=players,
            date=date,
            source=source,
            clocks=None if clocks is None else tuple(clocks),
            comments=comments or {},
            tags=tags or {},
        )

    def __str__(self) -> str:
        """Return the line that :meth:`parse` reads; it does not hold a resignation or the like."""
        moves = " ".join(map(str, self.moves))
        return f"{self._start} moves {moves}" if moves else str(self._start)

    def __repr__(self) -> str:
        return f"<Game: {len(self)} plies, {self.ended.value}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self._start, self.moves, self._end) == (other._start, other.moves, other._end)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Game:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._plies, copy._undone = self._plies[:], self._undone[:]
        return copy

    def __deepcopy__(self, memo: object) -> Game:
        return self.__copy__()  # all that it holds is immutable


def _player(player: SupportsIndex) -> int:
    number = whole(player)
    if number not in (0, 1):
        raise ValueError(f"a player is 0 or 1, not {shown(number)}")
    return number


def _otherwise(ending: Ending | str) -> Ending:
    """Return an ending otherwise than by the rules."""
    if not isinstance(ending, str):
        raise TypeError(f"an ending is a str, not {type(ending).__name__}")
    allowed = [how for how in Ending if how not in (Ending.FINISHED, Ending.UNFINISHED)]
    if ending not in allowed:
        raise ValueError(f"an ending is one of {', '.join(allowed)}, not {shown(ending)}")
    return Ending(ending)


def _listed(state: State, move: Move | str | SupportsIndex) -> Move:
    """Return a legal move as states list it."""
    return state.legal_moves[state.legal_moves.index(move)]
