"""The command ``patchwork``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib.resources import files
from typing import IO, Any, TypeVar

from patchwork import __version__, render
from patchwork.errors import IllegalMoveError, PatchworkError, RecordError
from patchwork.game import Game
from patchwork.lettered import format_game, parse_lettered
from patchwork.records import Record
from patchwork.setups import Setup

__all__ = ["main"]

T = TypeVar("T")

OK, REFUSED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code.

    0 is success, 1 a game that does not follow the rules, 2 input that cannot be read.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader has gone; nothing must be written when the interpreter closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    except (PatchworkError, OSError, UnicodeDecodeError) as error:
        print(f"patchwork: {error}", file=sys.stderr)
        return BAD_INPUT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="patchwork", description="The rules of Patchwork.")
    parser.add_argument("--version", action="version", version=f"patchwork-engine {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_new(commands)
    for name, run, what in (
        ("show", _show, "draw a state or a game"),
        ("moves", _moves, "list the legal moves with their action ids"),
        ("events", _events, "tell what a move would bring about"),
        ("perft", _perft, "count the sequences of moves of a length"),
    ):
        command = _add(commands, name, run, what)
        command.add_argument("subject", help=SUBJECT)
    commands.choices["show"].add_argument("--ply", type=int, default=-1, help="after N plies")
    commands.choices["show"].add_argument("--ascii", action="store_true", help="no Unicode")
    commands.choices["events"].add_argument("move", help="such as L0@h1, pass or an action id")
    commands.choices["perft"].add_argument("depth", type=int, help="plies")
    commands.choices["perft"].add_argument("--divide", action="store_true", help="by first move")
    replay = _add(commands, "replay", _replay, "check games and print their final quilts")
    replay.add_argument("games", nargs="+", help=GAMES)
    replay.add_argument("--quiet", action="store_true", help="print the results only")
    replay.add_argument("--ascii", action="store_true", help="no Unicode")
    convert = _add(commands, "convert", _convert, "write games in another notation")
    convert.add_argument("games", nargs="+", help=GAMES)
    convert.add_argument("--to", choices=sorted(WRITERS), required=True, help="the notation")
    demo = _add(commands, "demo", _demo, "replay a game that comes with the package")
    demo.add_argument("--ascii", action="store_true", help="no Unicode")
    return parser


SUBJECT = "a state text, a game on one line or a record; a file with one; - for standard input"
GAMES = "a file of records, games on one line or lettered games, one a line; - for standard input"


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
    order.add_argument("--seed", type=int, help="0..2**64 - 1")
    order.add_argument("--line", help="the patches from the neutral token on")
    order.add_argument("--circle", help="the patches clockwise from anywhere")


# Commands


def _new(options: Any) -> int:
    edition: Any = options.edition
    if edition.endswith(".toml"):
        from patchwork.edition import Edition

        edition = Edition.from_toml(edition)
    if options.line is not None:
        setup = Setup.from_line(options.line, edition, options.start_player)
    elif options.circle is not None:
        setup = Setup.from_circle(options.circle, edition, options.start_player)
    else:
        setup = Setup.random(options.seed, edition, options.start_player)
    state = setup.start()
    if options.json:
        _print_json({"setup": setup.to_dict(), "text": str(state), "state": state.to_dict()})
    else:
        print(state)
    return OK


def _show(options: Any) -> int:
    game = _subject(options.subject)
    state = _state_at(game, options.ply)
    if options.json:
        outcome = {"scores": list(state.scores), "winner": state.winner}
        _print_json({"text": str(state), "state": state.to_dict(), **outcome})
    else:
        _draw(game if options.ply == -1 and len(game) else state, options.ascii)
    return OK


def _state_at(game: Game, ply: int) -> Any:
    try:
        return game.state_at(ply)
    except IndexError as error:
        raise RecordError("moves", str(error)) from None


def _moves(options: Any) -> int:
    state = _subject(options.subject).state
    actions = state.legal_moves.actions()
    rows = [{"action": action, "move": str(state.action_to_move(action))} for action in actions]
    if options.json:
        _print_json({"count": len(rows), "moves": rows})
    else:
        for row in rows:
            print(f"{row['action']:>4} {row['move']}")
    return OK


def _events(options: Any) -> int:
    state = _subject(options.subject).state
    move: Any = options.move
    move = int(move) if move.isascii() and move.isdecimal() else state.read_move(move)
    try:
        events = state.events(move)
    except IllegalMoveError as error:
        print(f"patchwork: {error}", file=sys.stderr)
        return REFUSED
    if options.json:
        _print_json([event.to_dict() for event in events])
    else:
        for event in events:
            print(_sentence(event.to_dict()))
    return OK


def _sentence(event: dict[str, Any]) -> str:
    kind, player, amount, rule = (event.pop(key) for key in ("kind", "player", "amount", "rule"))
    details = ", ".join(f"{name} {_plain(value)}" for name, value in event.items())
    buttons = f" {amount:+d} buttons" if amount else ""
    return f"{rule} player {player}: {kind}{buttons}" + (f" ({details})" if details else "")


def _plain(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)


def _perft(options: Any) -> int:
    state = _subject(options.subject).state
    if not 0 <= options.depth < 1000:
        raise RecordError("depth", "expected 0..999 plies")
    if not options.divide or options.depth == 0:
        total = state.perft(options.depth)
        _print_json({"depth": options.depth, "perft": total}) if options.json else print(total)
        return OK
    counts = {}
    for move in _progress(list(state.legal_moves), "perft"):
        counts[str(move)] = state.after(move).perft(options.depth - 1)
    if options.json:
        _print_json({"depth": options.depth, "perft": sum(counts.values()), "moves": counts})
    else:
        for name, count in counts.items():
            print(f"{name} {count}")
        print(f"{sum(counts.values())} in all")
    return OK


def _replay(options: Any) -> int:
    results = [
        _replayed(name, number, read, options)
        for name in options.games
        for number, read in enumerate(_progress(list(_games(name)), "replay"))
    ]
    refused = sum("error" in result for result in results)
    if options.json:
        _print_json({"games": results, "refused": refused})
    else:
        print(f"{len(results)} games, {refused} refused")
    return REFUSED if refused else OK


def _replayed(name: str, number: int, read: Callable[[], Game], options: Any) -> dict[str, Any]:
    """Replay a game, print it unless JSON is wanted, and return its result."""
    try:
        game = read()
    except PatchworkError as error:
        fault = RecordError(error.where, error.fault) if isinstance(error, RecordError) else error
        if not options.json:
            print(f"{name}: game {number}: {fault}")
        return {"file": name, "game": number, "error": str(fault), "reasons": _reasons(error)}
    if not options.json and not options.quiet:
        _draw(game, options.ascii)
        print()
    return {
        "file": name,
        "game": number,
        "plies": len(game),
        "scores": list(game.scores),
        "winner": game.winner,
        "ended": game.ended.value,
    }


def _reasons(error: BaseException) -> list[str]:
    cause = error if isinstance(error, IllegalMoveError) else error.__cause__
    return [str(reason) for reason in getattr(cause, "reasons", ())]


def _convert(options: Any) -> int:
    for name in options.games:
        for number, read in enumerate(_games(name)):
            try:
                game = read()
            except RecordError as error:
                raise RecordError(error.where, error.fault, number) from error
            print(WRITERS[options.to](game))
    return OK


def _lettered(game: Game) -> str:
    lettered = format_game(game)
    tracks = {"classic": "original", "revised": "revised"}
    track = tracks.get(game.start.edition.tag, game.start.edition.tag)
    row = {"circle": lettered.circle, "moves": lettered.moves, "track": track}
    return json.dumps(row, separators=(",", ":"))


WRITERS: dict[str, Callable[[Game], str]] = {
    "record": lambda game: str(game.to_record()),
    "line": str,
    "lettered": _lettered,
}


def _demo(options: Any) -> int:
    record = Record.parse(files("patchwork").joinpath("demo.json").read_text(encoding="ascii"))
    game = record.replay()
    if options.json:
        _print_json({"record": record.to_dict(), "scores": list(game.scores)})
        return OK
    _draw(game, options.ascii)
    print()
    for player, score in enumerate(game.state.outcome.scores):
        tile = f" + {score.tile} for the tile" if score.tile else ""
        parts = f"{score.buttons} buttons{tile} - 2 x {score.empty} empty cells"
        print(f"player {player}: {score.total} points = {parts}")
    decided = game.state.outcome.decided_by
    print(f"{len(game)} plies follow the rules; player {game.winner} wins by {decided}")
    return OK


# Input and output


def _text(source: str) -> str:
    if source == "-":
        return sys.stdin.read()
    with suppress(OSError, ValueError):  # a text is no file name if the system says so
        if os.path.isfile(source):
            with open(source, encoding="utf-8") as file:
                return file.read()
    return source


def _subject(source: str) -> Game:
    text = _text(source).strip()
    return _game(text)()


def _game(line: str) -> Callable[[], Game]:
    """Return what reads and replays the game of one line, in whichever notation."""
    if not line.startswith("{"):
        return lambda: Game.parse(line)
    if '"circle"' in line:
        return lambda: parse_lettered(line).replay()
    return lambda: Record.parse(line).replay()


def _games(source: str) -> Iterator[Callable[[], Game]]:
    with sys.stdin if source == "-" else open(source, encoding="utf-8") as file:
        yield from _lines(file)


def _lines(file: IO[str]) -> Iterator[Callable[[], Game]]:
    for line in file:
        if line.strip():
            yield _game(line.strip())


def _draw(subject: Any, ascii: bool) -> None:
    encoding = (sys.stdout.encoding or "ascii").lower()
    plain = ascii or not encoding.startswith("utf")
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(render.text(subject, ascii=plain, color=color))


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


def _progress(items: list[T], what: str) -> Iterable[T]:
    """Show a bar on standard error, if that is a terminal and rich is installed."""
    if not sys.stderr.isatty() or len(items) < 2:
        return items
    try:
        from rich.console import Console
        from rich.progress import track
    except ImportError:
        return items
    return track(items, description=what, console=Console(stderr=True))
