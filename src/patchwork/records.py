"""Records: games as JSON, one a line in a collection.

``schema/record.schema.json`` describes the format. A :class:`Record` is checked whenever it is
made; whether it follows the rules is found out by :meth:`Record.replay`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import IO, Any

from patchwork import _json
from patchwork._core import Move, State
from patchwork._definition import checked, shown
from patchwork.edition import SHIPPED, Edition
from patchwork.edition import edition as find_edition
from patchwork.errors import (
    EditionError,
    IllegalMoveError,
    NotationError,
    RecordError,
    SetupError,
)
from patchwork.game import Ending, Game
from patchwork.setups import Setup

__all__ = ["Record", "play_moves", "read_records", "write_records"]

FORMAT = "patchwork"
VERSION = 1
REQUIRED = ("format", "version", "edition", "moves", "scores", "winner", "ended")
FROM_SETUP = ("line", "start_player")
OPTIONAL = ("players", "date", "source", "clocks", "comments", "tags")
MOST_PLIES = 1_000
"""More than any game has (R43)."""
LOWEST_SCORE, HIGHEST_SCORE = -162, 1_000_098
"""A quilt without a patch and no button; all buttons (R47) and the tile."""
MOST_MILLISECONDS = (1 << 53) - 1
"""The largest integer that every reader of JSON knows exactly."""
NUMBER = re.compile("0|[1-9][0-9]{0,8}")
DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?"
    r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?"
)


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is stored: immutable, hashable, compared by value.

    :raises RecordError: if a value is malformed or contradicts another one; ``where`` is its path.

    >>> from patchwork import Game, Setup
    >>> record = Game(Setup.random(seed=7)).to_record(players=("Ann", "Bob"))
    >>> record.ended.value, Record.parse(str(record)) == record
    ('unfinished', True)
    """

    start: State
    """The first state; where it comes from a setup, JSON has the line and the start player."""
    moves: tuple[Move, ...]
    """The moves, not checked by the rules."""
    scores: tuple[int, int] | None
    """The final points of both players; None unless ``ended`` is finished."""
    winner: int | None
    """Who won; where the game did not finish this may differ from the points, or be None."""
    ended: Ending
    """How the game ended."""
    players: tuple[str, str] | None = None
    """Their names."""
    date: str | None = None
    """A day or a moment: ``2026-12-01``, ``2026-12-01T18:30`` or ``2026-12-01T18:30:00Z``, with
    up to six digits of a second, and an offset such as ``+01:00`` in the place of ``Z``."""
    source: str | None = None
    """Where the record comes from."""
    clocks: tuple[int, ...] | None = None
    """The milliseconds that each ply took."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """Texts by the number of plies played before them, rising; read-only."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Whatever else is to be kept, in the order of the names; read-only."""

    def __post_init__(self) -> None:
        for name, value in _checked(self).items():
            object.__setattr__(self, name, value)
        _check_result(self)

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record from JSON.

        :raises RecordError: if it is no JSON or no record; ``where`` is the path of the fault.
        """
        return cls.from_dict(_json.loads(text))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Record:
        """Read a record from plain JSON values.

        :raises RecordError: if a key is missing or unknown, or a value wrong.
        """
        _check_keys(_json.table(data, "record"))
        edition = _edition(data["edition"])
        details: dict[str, Any] = {key: data[key] for key in OPTIONAL if key in data}
        if "comments" in details:
            details["comments"] = _by_ply(details["comments"])
        return cls(
            start=_start(data, edition),
            moves=_moves(data["moves"]),
            scores=data["scores"],
            winner=data["winner"],
            ended=data["ended"],
            **details,
        )

    @property
    def edition(self) -> Edition:
        """What the game is played with."""
        return self.start.edition

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain JSON values; empty optional fields are left out."""
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        data["edition"] = self.edition.reference
        data |= _start_fields(self.start)
        data["moves"] = [str(move) for move in self.moves]
        data["scores"] = None if self.scores is None else list(self.scores)
        data |= {"winner": self.winner, "ended": self.ended.value}
        optional = {
            "players": None if self.players is None else list(self.players),
            "date": self.date,
            "source": self.source,
            "clocks": None if self.clocks is None else list(self.clocks),
            "comments": {str(ply): text for ply, text in self.comments.items()} or None,
            "tags": dict(self.tags) or None,
        }
        return data | {key: value for key, value in optional.items() if value is not None}

    def replay(self) -> Game:
        """Return the game; every move, the scores, the winner and the ending are checked.

        :raises RecordError: at ``moves[n]`` for the first move that the rules refuse, the cause
            being the :class:`IllegalMoveError`; or at ``scores``, ``winner`` or ``ended``.
        """
        game = play_moves(self.start, self.moves)
        if self.ended not in (Ending.FINISHED, Ending.UNFINISHED) and not game.is_over:
            game.end(self.ended, self.winner)
        if game.ended is not self.ended:
            raise RecordError("ended", f"{self.ended.value}, but the game is {game.ended.value}")
        if self.scores is not None and game.scores != self.scores:
            raise RecordError("scores", f"{list(self.scores)}, by the rules {list(game.scores)}")
        if game.winner != self.winner:
            raise RecordError("winner", f"{self.winner}, by the rules {game.winner}")
        return game

    def __str__(self) -> str:
        """Return the record as one line of JSON in ASCII; equal records have equal lines."""
        return json.dumps(self.to_dict(), separators=(",", ":"))

    def __hash__(self) -> int:
        return hash((self.start, self.moves, self.ended, self.winner, self.players, self.date))

    def __reduce__(self) -> tuple[Any, ...]:
        return Record.parse, (str(self),)


def play_moves(start: Setup | State, moves: Iterable[Move]) -> Game:
    """Return the game of these moves.

    :raises RecordError: at ``moves[n]`` for the first that the rules refuse; the cause tells why.
    """
    game = Game(start)
    for ply, move in enumerate(moves):
        try:
            game.play(move)
        except IllegalMoveError as error:
            raise RecordError(f"moves[{ply}]", str(error)) from error
    return game


def read_records(source: _json.Source) -> Iterator[Record]:
    """Read a collection, one record a line, as it is asked for; empty lines are skipped.

    :param source: a path, or a file open for reading.
    :raises RecordError: with the number of the game, counted from 0.
    :raises OSError: if the file cannot be read.
    """
    return _json.read_lines(source, Record.parse)


def write_records(target: str | os.PathLike[str] | IO[str], records: Iterable[Record]) -> int:
    """Write a collection, one record a line; return how many.

    :param target: a path, of a file that is made or replaced, or a file open for writing text.
    """
    if isinstance(target, str | os.PathLike):
        with open(target, "w", encoding="ascii", newline="\n") as file:
            return write_records(file, records)
    count = 0
    for record in records:
        if not isinstance(record, Record):
            raise TypeError(f"a Record can be written, not {type(record).__name__}")
        target.write(f"{record}\n")
        count += 1
    return count


# From JSON to the parts of a record


def _check_keys(data: Mapping[Any, Any]) -> None:
    if data.get("format") != FORMAT:
        raise RecordError("format", f"expected {FORMAT!r}, not {shown(data.get('format'))}")
    version = data.get("version")
    if type(version) is not int or version != VERSION:
        raise RecordError("version", f"expected {VERSION}, not {shown(version)}")
    starts = ("start",) if "start" in data else FROM_SETUP
    for key in (*REQUIRED, *starts):
        if key not in data:
            raise RecordError(key, "is missing")
    for key in data:
        if key not in (*REQUIRED, *FROM_SETUP, "start", *OPTIONAL):
            raise RecordError("record", f"unknown key {shown(key)}")
        if key in FROM_SETUP and "start" in data:
            raise RecordError(key, "is there beside start")
        if key in OPTIONAL and data[key] is None:
            raise RecordError(key, "expected to be left out, not null")


def _edition(value: Any) -> Edition:
    """Return the edition of a shipped name or of a whole definition in its canonical form."""
    if isinstance(value, str):
        if value not in SHIPPED:
            known = ", ".join(SHIPPED)
            raise RecordError("edition", f"{shown(value)} is no shipped edition: {known}")
        return find_edition(value)
    if not isinstance(value, Mapping):
        raise RecordError("edition", f"expected a name or a definition, not {_json.kind(value)}")
    try:
        for key, part in checked(value).items():
            if value[key] != part:
                raise RecordError(f"edition.{key}", "not in the canonical form of a definition")
        return find_edition(value)
    except EditionError as error:
        raise RecordError(f"edition.{error.where}".strip("."), error.fault) from error


def _start(data: Mapping[str, Any], edition: Edition) -> State:
    try:
        if "start" in data:
            return _start_of(edition, State.parse(_json.text(data["start"], "start")))
        player = _json.whole_number(data["start_player"], "start_player", 0, 1)
        return Setup.from_line(_json.text(data["line"], "line"), edition, player).start()
    except NotationError as error:
        raise RecordError("start", f"{error.fault} at position {error.position}") from error
    except SetupError as error:
        raise RecordError("line", str(error).removeprefix("line: ")) from error


def _start_of(edition: Edition, start: State) -> State:
    if start.edition != edition:
        raise RecordError("start", f"it belongs to the edition {start.edition.tag}")
    return start


def _start_fields(start: State) -> dict[str, Any]:
    """Return what JSON has of the first state."""
    if start.to_move is not None:
        try:
            setup = Setup(start.edition, start.line, start.reserve, start.to_move)
        except SetupError:
            return {"start": str(start)}
        if setup.start() == start:
            return {"line": str(setup), "start_player": setup.start_player}
    return {"start": str(start)}


def _moves(value: Any) -> tuple[Move, ...]:
    texts = _json.items(value, "moves", 0, MOST_PLIES)
    return tuple(_move(text, f"moves[{ply}]") for ply, text in enumerate(texts))


def _move(value: Any, where: str) -> Move:
    try:
        return Move.parse(_json.text(value, where))
    except NotationError as error:
        raise RecordError(where, f"{error.fault} at position {error.position}") from error


def _by_ply(value: Any) -> dict[int, Any]:
    comments = {}
    for key, text in _json.table(value, "comments").items():
        if not isinstance(key, str) or NUMBER.fullmatch(key) is None:
            raise RecordError("comments", f"expected the number of a ply, not {shown(key)}")
        comments[int(key)] = text
    return comments


# The checks of a record


def _checked(record: Record) -> dict[str, Any]:
    """Return the values of a record in their final types."""
    if not isinstance(record.start, State):
        raise TypeError(f"a record starts from a State, not {type(record.start).__name__}")
    moves = _json.items(record.moves, "moves", 0, MOST_PLIES)
    if not all(isinstance(move, Move) for move in moves):
        raise TypeError("the moves of a record are each a Move")
    return {
        "moves": tuple(moves),
        "scores": _scores(record.scores),
        "winner": _winner(record.winner),
        "ended": _ending(record.ended),
        "players": _players(record.players),
        "date": _date(record.date),
        "source": None if record.source is None else _json.text(record.source, "source"),
        "clocks": _clocks(record.clocks, len(moves)),
        "comments": _comments(record.comments, len(moves)),
        "tags": _tags(record.tags),
    }


def _check_result(record: Record) -> None:
    finished = record.ended is Ending.FINISHED
    if finished and record.scores is None:
        raise RecordError("scores", "a finished game has scores")
    if not finished and record.scores is not None:
        raise RecordError("scores", "only a finished game has scores")
    if finished and record.winner is None:
        raise RecordError("winner", "a finished game has a winner")
    if record.ended is Ending.UNFINISHED and record.winner is not None:
        raise RecordError("winner", "an unfinished game has none")


def _scores(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    first, second = _json.items(value, "scores", 2, 2)
    return _score(first, "scores[0]"), _score(second, "scores[1]")


def _score(value: Any, where: str) -> int:
    return _json.whole_number(value, where, LOWEST_SCORE, HIGHEST_SCORE)


def _winner(value: Any) -> int | None:
    return None if value is None else _json.whole_number(value, "winner", 0, 1)


def _ending(value: Any) -> Ending:
    if _json.text(value, "ended") not in list(Ending):
        raise RecordError("ended", f"expected one of {', '.join(Ending)}, not {shown(value)}")
    return Ending(value)


def _players(value: Any) -> tuple[str, str] | None:
    if value is None:
        return None
    first, second = _json.items(value, "players", 2, 2)
    return _json.text(first, "players[0]"), _json.text(second, "players[1]")


def _date(value: Any) -> str | None:
    if value is None:
        return None
    date = _json.text(value, "date")
    if DATE.fullmatch(date) is None or not _is_in_calendar(date[:10]):
        raise RecordError("date", f"expected a date like 2026-12-01, not {shown(date)}")
    return date


def _is_in_calendar(day: str) -> bool:
    from datetime import date

    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _clocks(value: Any, plies: int) -> tuple[int, ...] | None:
    if value is None:
        return None
    times = _json.items(value, "clocks", 0, MOST_PLIES)
    if len(times) != plies:
        raise RecordError("clocks", f"expected {plies}, one a ply, not {len(times)}")
    places = (f"clocks[{ply}]" for ply in range(plies))
    return tuple(map(_milliseconds, times, places))


def _milliseconds(value: Any, where: str) -> int:
    return _json.whole_number(value, where, 0, MOST_MILLISECONDS)


def _comments(value: Any, plies: int) -> Mapping[int, str]:
    comments = {
        _json.whole_number(ply, "comments", 0, plies): _json.text(text, f"comments.{shown(ply)}")
        for ply, text in _json.table(value, "comments").items()
    }
    return MappingProxyType(dict(sorted(comments.items())))


def _tags(value: Any) -> Mapping[str, str]:
    tags = {
        _json.text(name, "tags"): _json.text(text, _json.member("tags", name))
        for name, text in _json.table(value, "tags").items()
    }
    return MappingProxyType(dict(sorted(tags.items())))
