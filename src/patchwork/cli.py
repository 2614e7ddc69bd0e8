"""The command ``patchwork``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from threading import Thread
from typing import IO, Any, TypeVar

from patchwork import (
    Edition,
    Event,
    Game,
    IllegalMoveError,
    Move,
    PatchworkError,
    Reason,
    RecordError,
    Setup,
    SetupError,
    State,
    __version__,
    edition,
    render,
)
from patchwork.lettered import TRACKS, LetteredGame, format_game, parse_lettered
from patchwork.records import Record, play_moves

__all__ = ["main"]

T = TypeVar("T")

OK, REFUSED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

RULES = {
    Reason.GAME_OVER: "R39",
    Reason.SPECIAL_FIRST: "R14",
    Reason.NO_SPECIAL: "R33",
    Reason.NOT_IN_MARKET: "R21",
    Reason.CANNOT_AFFORD: "R23",
    Reason.OFF_THE_BOARD: "R24",
    Reason.OVERLAP: "R24",
    Reason.FITS_NOWHERE: "R25",
}
"""The rules behind the reasons; those against action ids have none."""
RESULT_RULES = {"ended": "R39", "scores": "R40", "winner": "R41"}
"""The rules behind what a record says of its end."""


class RefusedError(Exception):
    """A game or a move that can be read but does not follow the rules."""

    def __init__(self, error: IllegalMoveError | RecordError, place: str = "") -> None:
        super().__init__(error, place)
        cause = error if isinstance(error, IllegalMoveError) else error.__cause__
        self.error = error
        self.place = place
        self.reasons: tuple[Reason, ...] = getattr(cause, "reasons", ())
        self.where = error.where if isinstance(error, RecordError) else ""

    @property
    def ply(self) -> int | None:
        """The number of the refused move in its game, counted from 0."""
        return int(self.where[6:-1]) if self.where.startswith("moves[") else None

    @property
    def rules(self) -> list[str]:
        """The ids of the rules that are broken."""
        if self.where in RESULT_RULES:
            return [RESULT_RULES[self.where]]
        return list(dict.fromkeys(RULES[reason] for reason in self.reasons if reason in RULES))

    def __str__(self) -> str:
        fault = self.error.fault if isinstance(self.error, RecordError) else str(self.error)
        where = self.where if self.ply is None else f"ply {self.ply}"
        heading = ", ".join(filter(None, (where, *self.rules)))
        return f"{self.place}{heading}: {fault}" if heading else f"{self.place}{fault}"

    def to_dict(self) -> dict[str, Any]:
        """Return the refusal as plain JSON values."""
        reasons = [reason.value for reason in self.reasons]
        return {"error": str(self), "ply": self.ply, "reasons": reasons, "rules": self.rules}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    0 is success, 1 a game or a move that the rules refuse, 2 input that cannot be read, 130 an
    interruption by the keyboard.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _let_go_of_output()
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    except RefusedError as refusal:
        print(f"patchwork: {refusal}", file=sys.stderr)
        return REFUSED
    except (PatchworkError, OSError, UnicodeError) as error:
        _let_go_of_output()
        print(f"patchwork: {error}", file=sys.stderr)
        return BAD_INPUT


def _let_go_of_output() -> None:
    """Spare the interpreter a complaint if what is printed cannot be written any more."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Arguments


SUBJECT = "a state text, a game on one line or a record; a file with one; - for standard input"
GAMES = "a file with a record, a lettered game or a game on one line a line; - for standard input"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="patchwork",
        description="Setups, states and games of Patchwork.",
        epilog="Exit codes: 0 success, 1 a move or game that the rules refuse, 2 bad input.",
    )
    parser.add_argument("--version", action="version", version=f"patchwork-engine {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_new(commands)
    _add_subject_commands(commands)
    _add_game_commands(commands)
    demo = _add(commands, "demo", _demo, "replay a game that comes with the package")
    demo.add_argument("--ascii", action="store_true", help="no Unicode")
    return parser


def _add(commands: Any, name: str, run: Callable[[Any], int], what: str) -> Any:
    command = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    command.set_defaults(run=run)
    command.add_argument("--json", action="store_true", help="print JSON")
    return command


def _add_new(commands: Any) -> None:
    command = _add(commands, "new", _new, "make a setup and print its first state")
    command.add_argument("--edition", default="classic", help="a name, or a TOML file")
    command.add_argument("--start-player", type=int, choices=(0, 1), default=0)
    order = command.add_mutually_exclusive_group()
    order.add_argument("--seed", type=int, help="0..2**64 - 1; without one, chance decides")
    order.add_argument("--line", help="the patches from the neutral token on")
    order.add_argument("--circle", help="the patches clockwise from anywhere")


def _add_subject_commands(commands: Any) -> None:
    for name, run, what in (
        ("show", _show, "draw a state or a game"),
        ("moves", _moves, "list the legal moves with their action ids"),
        ("events", _events, "tell what a move would bring about"),
        ("perft", _perft, "count the sequences of moves of a length"),
    ):
        command = _add(commands, name, run, what)
        command.add_argument("subject", help=SUBJECT)
        _add_edition(command)
    commands.choices["show"].add_argument("--ply", type=int, help="after so many plies")
    commands.choices["show"].add_argument("--ascii", action="store_true", help="no Unicode")
    commands.choices["moves"].add_argument("--count", action="store_true", help="only how many")
    commands.choices["events"].add_argument("move", help="such as L0@h1, pass or an action id")
    commands.choices["perft"].add_argument("depth", type=int, help="plies")
    commands.choices["perft"].add_argument("--divide", action="store_true", help="by first move")


def _add_game_commands(commands: Any) -> None:
    replay = _add(commands, "replay", _replay, "check games and print their final quilts")
    replay.add_argument("games", nargs="+", help=GAMES)
    replay.add_argument("--quiet", action="store_true", help="print only what is refused")
    replay.add_argument("--ascii", action="store_true", help="no Unicode")
    convert = _add(commands, "convert", _convert, "write games in another notation")
    convert.add_argument("games", nargs="+", help=GAMES)
    convert.add_argument("--to", choices=sorted(WRITERS), required=True, help="the notation")
    for command in (replay, convert):
        _add_edition(command)


def _add_edition(command: Any) -> None:
    command.add_argument("--edition", metavar="FILE", help="the TOML file of an edition in use")


# Commands on a state


def _new(options: Any) -> int:
    played = _edition(options.edition)
    if options.line is not None:
        setup = Setup.from_line(options.line, played, options.start_player)
    elif options.circle is not None:
        setup = Setup.from_circle(options.circle, played, options.start_player)
    else:
        setup = Setup.random(options.seed, played, options.start_player)
    state = setup.start()
    view = {"setup": setup.to_dict(), "text": str(state), "state": state.to_dict()}
    _print(options, view, [str(state)])
    return OK


def _show(options: Any) -> int:
    game = _subject(options)
    if options.ply is not None:
        _wind_back(game, options.ply)
    if options.json:
        state = game.state
        _print_json({"text": str(state), "state": state.to_dict(), **_result(game)})
    else:
        _draw(game if len(game) or game.is_over else game.state, options)
    return OK


def _wind_back(game: Game, ply: int) -> None:
    if not 0 <= ply <= len(game):
        raise RecordError("moves", f"the game has {len(game)} plies, not {ply}")
    while len(game) > ply:
        game.undo()


def _moves(options: Any) -> int:
    state = _subject(options).state
    moves = list(zip(state.legal_moves.actions(), state.legal_moves, strict=True))
    counts = Counter(move.patch or "pass" for _, move in moves)
    view: dict[str, Any] = {"count": len(moves), "counts": dict(counts)}
    if options.count:
        _print(options, view, [*_columns(counts), f"{len(moves)} in all"])
        return OK
    view["moves"] = [{"action": action, "move": str(move)} for action, move in moves]
    _print(options, view, [f"{action:>4} {move}" for action, move in moves])
    return OK


def _columns(counts: dict[str, int]) -> Iterator[str]:
    return (f"{name} {count}" for name, count in counts.items())


def _events(options: Any) -> int:
    state = _subject(options).state
    try:
        events = state.events(_typed_move(state, options.move))
    except IllegalMoveError as error:
        raise RefusedError(error) from error
    _print(options, [event.to_dict() for event in events], map(_sentence, events))
    return OK


def _typed_move(state: State, text: str) -> Move | int:
    is_action = text.isascii() and text.isdecimal() and len(text) <= 4
    return int(text) if is_action else state.read_move(text)


def _sentence(event: Event) -> str:
    details = event.to_dict()
    kind, player, amount, rule = (details.pop(key) for key in ("kind", "player", "amount", "rule"))
    buttons = f", {amount:+d} buttons" if amount else ""
    words = ", ".join(f"{name} {_plain(value)}" for name, value in details.items())
    return f"{rule} player {player}: {kind}{buttons}" + (f" ({words})" if words else "")


def _plain(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)


def _perft(options: Any) -> int:
    state = _subject(options).state
    if not 0 <= options.depth < 1000:
        raise RecordError("depth", "expected 0..999 plies")
    counts = dict(_divided(state, options.depth)) if options.depth else {}
    total = sum(counts.values()) if options.depth else 1
    view: dict[str, Any] = {"depth": options.depth, "perft": total}
    if options.divide:
        _print(options, view | {"moves": counts}, [*_columns(counts), f"{total} in all"])
    else:
        _print(options, view, [str(total)])
    return OK


def _divided(state: State, depth: int) -> Iterator[tuple[str, int]]:
    for move in _progress(list(state.legal_moves), "perft"):
        yield str(move), _in_background(lambda after: after.perft(depth - 1), state.after(move))


def _in_background(count: Callable[[State], int], state: State) -> int:
    """Call native code that may take hours so that the keyboard can still interrupt it."""
    counts: list[int] = []
    thread = Thread(target=lambda: counts.append(count(state)), daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(timeout=0.1)
    return counts[0]


# Commands on games


def _replay(options: Any) -> int:
    draws = not (options.quiet or options.json)
    results = []
    for name, number, line in _progress(list(_lines(options)), "replay", prints=draws):
        result = {"file": name, "game": number} | _replayed(line, options if draws else None)
        results.append(result)
    faults = [result for result in results if "error" in result]
    lines = [f"{fault['file']}: game {fault['game']}: {fault['error']}" for fault in faults]
    refused = sum("ply" in fault for fault in faults)
    unreadable = len(faults) - refused
    view = {"games": results, "refused": refused, "unreadable": unreadable}
    summary = f"games {len(results)}, refused {refused}, unreadable {unreadable}"
    _print(options, view, [*lines, summary])
    return BAD_INPUT if unreadable else REFUSED if refused else OK


def _replayed(line: str, drawing: Any) -> dict[str, Any]:
    """Replay a game, draw it if that is wanted, and return its result."""
    try:
        game = _game(_read(line))
    except RefusedError as refusal:
        return refusal.to_dict()
    except PatchworkError as error:
        return {"error": str(error)}
    if drawing is not None:
        _draw(game, drawing)
        print()
    return _result(game)


def _result(game: Game) -> dict[str, Any]:
    return {
        "plies": len(game),
        "scores": list(game.scores),
        "winner": game.winner,
        "ended": game.ended.value,
    }


def _convert(options: Any) -> int:
    views = []
    for name, number, line in _progress(list(_lines(options)), "convert", prints=True):
        view = _converted(line, WRITERS[options.to], f"{name}: game {number}: ")
        if options.json:
            views.append(view)
        else:
            print(view if isinstance(view, str) else json.dumps(view, separators=(",", ":")))
    if options.json:
        _print_json(views)
    return OK


def _converted(line: str, write: Callable[[Game, Source], Any], place: str) -> Any:
    """Return the game of a line in another notation; an error tells its place."""
    try:
        source = _read(line)
        return write(_game(source), source)
    except RefusedError as refusal:
        raise RefusedError(refusal.error, place) from refusal
    except PatchworkError as error:
        raise RecordError(place.removesuffix(": "), str(error)) from error


def _as_record(game: Game, source: Source) -> dict[str, Any]:
    if isinstance(source, Record):
        return replace(source, moves=game.moves).to_dict()
    name = source.name if isinstance(source, LetteredGame) else None
    return game.to_record(tags={} if name is None else {"id": name}).to_dict()


def _as_lettered(game: Game, source: Source) -> dict[str, Any]:
    lettered = format_game(game)
    tracks = {name: track for track, name in TRACKS.items()}
    if game.start.edition.name not in tracks:
        raise SetupError("edition", f"the lettered notation knows {' and '.join(tracks)} only")
    track = tracks[game.start.edition.name]
    view = {"circle": lettered.circle, "moves": lettered.moves, "track": track}
    name = _name(source)
    return view if name is None else {"id": name} | view


def _name(source: Source) -> str | None:
    if isinstance(source, Record):
        return source.tags.get("id")
    return source.name if isinstance(source, LetteredGame) else None


WRITERS: dict[str, Callable[[Game, Source], Any]] = {
    "record": _as_record,
    "line": lambda game, source: str(game),
    "lettered": _as_lettered,
}


def _demo(options: Any) -> int:
    record = Record.parse(files("patchwork").joinpath("demo.json").read_text(encoding="ascii"))
    game = _game(record)
    if options.json:
        _print_json({"record": record.to_dict(), **_result(game)})
        return OK
    _draw(game, options)
    print()
    outcome = game.state.outcome
    for player, score in enumerate(outcome.scores):
        tile = f" + {score.tile} for the tile" if score.tile else ""
        parts = f"{score.buttons} buttons{tile} - 2 x {score.empty} empty cells"
        print(f"player {player}: {score.total} points = {parts}")
    print(f"All {len(game)} plies follow the rules, and so do the scores on record.")
    print(f"Player {game.winner} wins; decided by {outcome.decided_by}.")
    return OK


# Input


@dataclass(frozen=True)
class OneLine:
    """A game on one line: a state, ``moves``, and the moves."""

    text: str

    def replay(self) -> Game:
        try:
            return Game.parse(self.text)
        except IllegalMoveError:
            # Again, with an error that names the ply.
            start, _, moves = self.text.partition(" moves ")
            return play_moves(State.parse(start), map(Move.parse, moves.split(" ")))


Source = Record | LetteredGame | OneLine


def _read(line: str) -> Source:
    """Read a game in whichever notation, without replaying it."""
    if not line.startswith("{"):
        return OneLine(line)
    return parse_lettered(line) if '"circle"' in line else Record.parse(line)


def _game(source: Source) -> Game:
    """Replay a game that was read; what is wrong with it from here on is a refusal."""
    try:
        return source.replay()
    except (IllegalMoveError, RecordError) as error:
        raise RefusedError(error) from error


def _subject(options: Any) -> Game:
    """Return the only game of the argument ``subject``."""
    _meet_edition(options)
    source: str = options.subject
    is_text = " " in source or source.startswith("{")
    if source != "-" and is_text and not os.path.isfile(source):
        return _game(_read(source.strip()))
    with _opened(source) as file:
        return _game(_read(file.read().strip()))


def _lines(options: Any) -> Iterator[tuple[str, int, str]]:
    """Yield file, number and line of each game of the argument ``games``."""
    _meet_edition(options)
    for name in options.games:
        with _opened(name) as file:
            lines = filter(None, map(str.strip, file))
            yield from ((name, number, line) for number, line in enumerate(lines))


def _meet_edition(options: Any) -> None:
    """Make the edition known that the input is said to use."""
    if options.edition is not None:
        _edition(options.edition)


def _opened(name: str) -> IO[str]:
    if name == "-":
        return open(0, encoding="utf-8-sig", closefd=False)
    return open(name, encoding="utf-8-sig")


def _edition(source: str) -> Edition:
    """Return the edition of a name or of a TOML file, which is known from then on."""
    return Edition.from_toml(source) if source.endswith(".toml") else edition(source)


# Output


def _print(options: Any, view: Any, lines: Iterable[str]) -> None:
    """Print JSON or lines, whichever is wanted."""
    if options.json:
        _print_json(view)
    else:
        print("\n".join(lines))


def _print_json(view: Any) -> None:
    print(json.dumps(view, indent=2))


def _draw(subject: State | Game, options: Any) -> None:
    encoding = (sys.stdout.encoding or "ascii").lower()
    plain = options.ascii or not encoding.startswith("utf")
    print(render.text(subject, ascii=plain, color=_has_color()))


def _has_color() -> bool:
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_plain


def _progress(items: Sequence[T], what: str, prints: bool = False) -> Iterable[T]:
    """Show a bar on standard error if that is a terminal and rich is installed.

    :param prints: whether the work prints as it goes on, which would tear a bar on the same screen.
    """
    if not sys.stderr.isatty() or (prints and sys.stdout.isatty()):
        return items
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        return items
    # What is printed must go to standard output, which rich would lead to the bar's screen.
    bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False)
    return _barred(bar, items, what)


def _barred(bar: Any, items: Sequence[T], what: str) -> Iterator[T]:
    with bar:
        yield from bar.track(items, description=what)
