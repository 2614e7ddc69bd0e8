"""Records: games as JSON, one a line in a collection.

The format is described by ``schema/record.schema.json``; a record is checked by the code here,
and whether it follows the rules by :meth:`Record.replay`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, TypeVar

from patchwork._core import Move, State
from patchwork.edition import Edition
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
LONGEST_TEXT = 10_000
"""Characters of a free text."""
MOST_PLIES = 1_000
"""More than any game has (R43)."""
LONGEST_LINE = 1_000_000
"""Characters of a record."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is stored: immutable, compared by value.

    >>> from patchwork import Game, Setup
    >>> record = Game(Setup.random(seed=7)).to_record(players=("Ann", "Bob"))
    >>> record.ended.value, Record.parse(str(record)) == record
    ('unfinished', True)
    """

    edition: Edition
    start: State
    """The first state; where it comes from a setup, the record stores line and start player."""
    moves: tuple[Move, ...]
    scores: tuple[int, int] | None
    """The final scores of both players; None unless ``ended`` is finished."""
    winner: int | None
    """Who won; where the game did not finish this may differ from the scores, or be None."""
    ended: Ending
    players: tuple[str, str] | None = None
    """Their names."""
    date: str | None = None
    """The day, or the moment, in the form of ISO 8601."""
    source: str | None = None
    """Where the record comes from."""
    clocks: tuple[int, ...] | None = None
    """The milliseconds that each ply took."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """Texts by the number of plies played before them."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Whatever else is to be kept."""

    def __post_init__(self) -> None:
        _check(self)

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record from JSON.

        :raises RecordError: if it is no JSON or no record; ``where`` is the path of the fault.
        """
        return cls.from_dict(_loaded(text))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Record:
        """Read a record from plain JSON values.

        :raises RecordError: if a key is missing or unknown, or a value wrong.
        """
        if not isinstance(data, Mapping):
            raise RecordError("record", f"expected an object, not {_kind(data)}")
        _check_keys(data)
        edition = _edition(data["edition"])
        return cls(
            edition=edition,
            start=_start(data, edition),
            moves=_moves(data["moves"]),
            scores=None if data["scores"] is None else _scores(data["scores"], "scores"),
            winner=_seat(data["winner"], "winner"),
            ended=_ending(data["ended"]),
            players=_optional(data, "players", _names),
            date=_optional(data, "date", _text),
            source=_optional(data, "source", _text),
            clocks=_optional(data, "clocks", _clocks),
            comments=_comments(data.get("comments", {})),
            tags=_tags(data.get("tags", {})),
        )

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
        return json.dumps(self.to_dict(), separators=(",", ":"))


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


def read_records(source: str | os.PathLike[str] | IO[bytes] | IO[str]) -> Iterator[Record]:
    """Read a collection, one record a line, as it is asked for; empty lines are skipped.

    :param source: a path, or a file open for reading.
    :raises RecordError: with the number of the game, counted from 0.
    """
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as file:
            yield from read_records(file)
        return
    lines = (line for line in source if line.strip())
    for game, line in enumerate(lines):
        try:
            yield Record.parse(_decoded(line))
        except RecordError as error:
            raise RecordError(error.where, error.fault, game) from error.__cause__


def write_records(target: str | os.PathLike[str] | IO[str], records: Iterable[Record]) -> int:
    """Write a collection, one record a line; return how many."""
    if isinstance(target, str | os.PathLike):
        with open(target, "w", encoding="ascii", newline="\n") as file:
            return write_records(file, records)
    count = 0
    for record in records:
        target.write(f"{record}\n")
        count += 1
    return count


# From JSON to values


def _decoded(line: bytes | str) -> str:
    if isinstance(line, str):
        return line
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise RecordError("record", f"byte {error.start} of the line is no UTF-8") from None


def _loaded(text: str) -> Any:
    if not isinstance(text, str):
        raise TypeError(f"the text of a record is a str, not {type(text).__name__}")
    if len(text) > LONGEST_LINE:
        raise RecordError("record", f"longer than {LONGEST_LINE:,} characters")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise RecordError("record", f"no JSON: {error.msg} at position {error.pos}") from None
    except RecursionError:
        raise RecordError("record", "nested too deeply") from None
    except ValueError as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError("record", "a number is too long") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RecordError("record", f"the key {_shown(twice)} stands there twice")
    return data


def _constant(name: str) -> Any:
    raise RecordError("record", f"{name} is no JSON")


def _check_keys(data: Mapping[str, Any]) -> None:
    if data.get("format") != FORMAT:
        raise RecordError("format", f"expected {FORMAT!r}, not {_shown(data.get('format'))}")
    version = data.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise RecordError("version", f"expected {VERSION}, not {_shown(version)}")
    starts = ("start",) if "start" in data else FROM_SETUP
    for key in (*REQUIRED, *starts):
        if key not in data:
            raise RecordError(key, "is missing")
    for key in data:
        if key not in (*REQUIRED, *starts, *OPTIONAL):
            raise RecordError("record", f"unknown key {_shown(key)}")


def _edition(value: Any) -> Edition:
    if not isinstance(value, str | Mapping):
        raise RecordError("edition", f"expected a name or a definition, not {_kind(value)}")
    try:
        return find_edition(value)
    except EditionError as error:
        where = "edition" if isinstance(value, str) else f"edition.{error.where}"
        raise RecordError(where, error.fault) from error


def _start(data: Mapping[str, Any], edition: Edition) -> State:
    try:
        if "start" in data:
            return State.parse(_text(data["start"], "start"))
        player = _seat(data["start_player"], "start_player")
        if player is None:
            raise RecordError("start_player", "expected 0 or 1, not null")
        return Setup.from_line(_text(data["line"], "line"), edition, player).start()
    except NotationError as error:
        raise RecordError("start", f"{error.fault} at position {error.position}") from error
    except SetupError as error:
        raise RecordError("line", error.fault) from error


def _start_fields(start: State) -> dict[str, Any]:
    """Return what a record stores of the first state."""
    if start.to_move is not None:
        try:
            setup = Setup(start.edition, start.line, start.reserve, start.to_move)
        except SetupError:
            return {"start": str(start)}
        if setup.start() == start:
            return {"line": str(setup), "start_player": setup.start_player}
    return {"start": str(start)}


def _moves(value: Any) -> tuple[Move, ...]:
    texts = _list(value, "moves", MOST_PLIES)
    return tuple(_move(text, f"moves[{ply}]") for ply, text in enumerate(texts))


def _move(value: Any, where: str) -> Move:
    try:
        return Move.parse(_text(value, where))
    except NotationError as error:
        raise RecordError(where, f"{error.fault} at position {error.position}") from error


def _ending(value: Any) -> Ending:
    try:
        return Ending(_text(value, "ended"))
    except ValueError as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError("ended", f"expected one of {', '.join(Ending)}") from None


def _clocks(value: Any, where: str) -> tuple[int, ...]:
    times = _list(value, where, MOST_PLIES)
    return tuple(_integer(time, f"{where}[{ply}]") for ply, time in enumerate(times))


def _comments(value: Any) -> dict[int, str]:
    comments = {}
    for ply, text in _mapping(value, "comments").items():
        if not (ply.isascii() and ply.isdecimal() and ply == str(int(ply[:9]))):
            raise RecordError("comments", f"expected the number of a ply, not {_shown(ply)}")
        comments[int(ply)] = _text(text, f"comments.{ply}")
    return comments


def _tags(value: Any) -> dict[str, str]:
    tags = _mapping(value, "tags")
    return {_text(name, "tags"): _text(text, f"tags.{name}"[:60]) for name, text in tags.items()}


def _optional(data: Mapping[str, Any], key: str, read: Callable[[Any, str], T]) -> T | None:
    return read(data[key], key) if key in data else None


def _scores(value: Any, where: str) -> tuple[int, int]:
    first, second = _list(value, where, 2, 2)
    return _integer(first, f"{where}[0]"), _integer(second, f"{where}[1]")


def _names(value: Any, where: str) -> tuple[str, str]:
    first, second = _list(value, where, 2, 2)
    return _text(first, f"{where}[0]"), _text(second, f"{where}[1]")


def _seat(value: Any, where: str) -> int | None:
    if value is not None and (isinstance(value, bool) or value not in (0, 1)):
        raise RecordError(where, f"expected 0, 1 or null, not {_shown(value)}")
    return None if value is None else int(value)


def _integer(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RecordError(where, f"expected an integer, not {_kind(value)}")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise RecordError(where, f"expected a text, not {_kind(value)}")
    if len(value) > LONGEST_TEXT:
        raise RecordError(where, f"longer than {LONGEST_TEXT:,} characters")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise RecordError(where, "holds half a surrogate pair")
    return value


def _list(value: Any, where: str, most: int, least: int = 0) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise RecordError(where, f"expected a list, not {_kind(value)}")
    if not least <= len(value) <= most:
        wanted = f"{most}" if least == most else f"at most {most:,}"
        raise RecordError(where, f"expected {wanted} items, not {len(value):,}")
    return value


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise RecordError(where, f"expected an object, not {_kind(value)}")
    return value


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a boolean"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, int) or abs(value) < 1 << 64 else "a huge number"
    return text if len(text) <= 40 else text[:40] + "..."


# What has to agree within a record


def _check(record: Record) -> None:
    if record.start.edition != record.edition:
        raise RecordError("start", f"it belongs to the edition {record.start.edition.tag}")
    finished = record.ended is Ending.FINISHED
    if finished and record.scores is None:
        raise RecordError("scores", "a finished game has scores")
    if not finished and record.scores is not None:
        raise RecordError("scores", "only a finished game has scores")
    if finished and record.winner is None:
        raise RecordError("winner", "a finished game has a winner")
    if record.ended is Ending.UNFINISHED and record.winner is not None:
        raise RecordError("winner", "an unfinished game has none")
    _check_details(record)


def _check_details(record: Record) -> None:
    if record.date is not None and not _is_date(record.date):
        raise RecordError("date", f"expected a date of ISO 8601, not {_shown(record.date)}")
    if record.clocks is not None and len(record.clocks) != len(record.moves):
        raise RecordError("clocks", f"expected {len(record.moves)}, one a ply")
    for ply, time in enumerate(record.clocks or ()):
        if not 0 <= time < 1 << 53:
            raise RecordError(f"clocks[{ply}]", "expected 0..2**53 - 1 milliseconds")
    for ply in record.comments:
        if not 0 <= ply <= len(record.moves):
            raise RecordError(f"comments.{ply}", f"the game has {len(record.moves)} plies")


def _is_date(text: str) -> bool:
    from datetime import datetime

    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return text.isascii()
