"""The command ``patchwork``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from patchwork import Game, Setup, State
from patchwork.cli import main
from patchwork.records import Record, read_records

LINE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
START = f"classic {LINE} 9/9/9/9/9/9/9/9/9 t0b5i0 9/9/9/9/9/9/9/9/9 t0b5i0 0 - -"
MOVED = f"{START} moves K1@a1 pass"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_new_prints_the_state_of_a_line(run: Any) -> None:
    assert run("new", "--line", LINE) == (0, START + "\n", "")


def test_new_puts_the_token_behind_the_start_patch_of_a_circle(run: Any) -> None:
    circle = LINE[5:] + LINE[:5]
    assert run("new", "--circle", circle)[1] == START + "\n"


def test_new_takes_edition_seed_and_start_player(run: Any) -> None:
    code, out, _ = run("new", "--seed", "7", "--edition", "express", "--start-player", "1")
    assert code == 0
    assert out.strip() == str(Setup.random(7, "express", 1).start())


def test_new_reads_an_edition_from_a_file(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "cli-mine"\nbase = "classic"\nstart_buttons = 9\n')
    code, out, _ = run("new", "--edition", str(file), "--json")
    assert code == 0
    assert json.loads(out)["state"]["players"][0]["buttons"] == 9


def test_new_as_json_holds_setup_text_and_state(run: Any) -> None:
    data = json.loads(run("new", "--line", LINE, "--json")[1])
    assert data["setup"]["line"] == LINE
    assert data["text"] == START
    assert State.from_dict(data["state"]) == State.parse(START)


def test_show_draws_a_state_a_game_and_a_record(run: Any) -> None:
    record = str(Game.parse(MOVED).to_record())
    assert "player 0 to move" in run("show", START)[1]
    assert run("show", MOVED, "--ascii")[1] == run("show", record, "--ascii")[1]
    assert "K" in run("show", MOVED)[1]


def test_show_draws_any_ply(run: Any) -> None:
    data = json.loads(run("show", MOVED, "--ply", "0", "--json")[1])
    assert data["text"] == START
    assert run("show", MOVED, "--ply", "3")[0] == 2


def test_show_draws_a_game_at_a_ply_with_its_letters(run: Any) -> None:
    first = MOVED.removesuffix(" pass")
    assert run("show", MOVED, "--ply", "1") == run("show", first)


def test_show_as_json_tells_the_result_of_a_game(run: Any) -> None:
    record = Game.parse(MOVED)
    record.resign(1)
    data = json.loads(run("show", str(record.to_record()), "--json")[1])
    assert State.from_dict(data["state"]) == State.parse(data["text"]) == record.state
    assert (data["ended"], data["winner"], data["plies"]) == ("resigned", 0, 2)


def test_moves_counts_by_patch(run: Any) -> None:
    assert run("moves", START, "--count")[1].splitlines() == [
        "K 224",
        "d 224",
        "pass 1",
        "449 in all",
    ]
    counts = json.loads(run("moves", START, "--count", "--json")[1])
    assert counts == {"count": 449, "counts": {"K": 224, "d": 224, "pass": 1}}


def test_moves_lists_ids_in_order(run: Any) -> None:
    data = json.loads(run("moves", START, "--json")[1])
    actions = [row["action"] for row in data["moves"]]
    assert data["count"] == len(actions) == 449
    assert actions == sorted(actions)
    assert run("moves", START)[1].splitlines()[-1] == "2025 pass"


def test_events_tells_what_a_pass_brings(run: Any) -> None:
    code, out, _ = run("events", START, "PASS")
    assert code == 0
    assert out.splitlines() == [
        "R15 player 0: moved (origin 0, space 1)",
        "R15 player 0: paid for spaces, +1 buttons",
        "R10 player 1: next player",
    ]
    assert run("events", START, "2025")[1] == out


def test_events_of_a_purchase_name_cells_and_slot(run: Any) -> None:
    assert run("events", START, "d0@a1")[1].splitlines() == [
        "R23 player 0: bought, -1 buttons (patch d, slot 1)",
        "R24 player 0: placed (patch d, cells a1 c1 a2 b2 c2)",
        "R26 player 0: moved (origin 0, space 2)",
        "R10 player 1: next player",
    ]
    first = json.loads(run("events", START, "d0@a1", "--json")[1])[0]
    assert first == {
        "kind": "bought",
        "player": 0,
        "amount": -1,
        "rule": "R23",
        "patch": "d",
        "slot": 1,
    }


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("L0@h1", "R21: L0@h1 is refused: not in the market"),
        ("f0@i9", "R23, R24: f0@i9 is refused: cannot afford (it costs 7, 5 held), off the board"),
        ("h@e5", "R33: h@e5 is refused: no special"),
        ("9999", "action 9999 is refused: not an action"),
    ],
)
def test_events_refuses_an_illegal_move_with_its_rules(run: Any, move: str, message: str) -> None:
    code, out, err = run("events", START, move)
    assert (code, out) == (1, "")
    assert err.startswith(f"patchwork: {message}")
    assert err.count("\n") == 1


def test_perft_counts_and_divides(run: Any) -> None:
    assert run("perft", START, "1")[1] == "449\n"
    assert run("perft", START, "2")[1] == "223105\n"
    data = json.loads(run("perft", START, "2", "--divide", "--json")[1])
    assert data["perft"] == sum(data["moves"].values()) == 223105
    assert run("perft", START, "2", "--divide")[1].splitlines()[-1] == "223105 in all"


def test_perft_of_no_plies_is_one(run: Any) -> None:
    assert run("perft", START, "0")[1] == "1\n"
    assert json.loads(run("perft", START, "0", "--divide", "--json")[1]) == {
        "depth": 0,
        "perft": 1,
        "moves": {},
    }


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    file = tmp_path / "games.jsonl"
    good = str(Game.parse(MOVED).to_record())
    bad = good.replace("K1@a1", "L0@h1")
    file.write_text(f"{good}\n{bad}\n\n{MOVED}\n")
    return file


def test_replay_names_game_ply_rule_and_reason(run: Any, collection: Path) -> None:
    code, out, err = run("replay", str(collection), "--quiet")
    fault, summary = out.splitlines()
    assert (code, err) == (1, "")
    assert fault.startswith(f"{collection}: game 1: ply 0, R21: L0@h1 is refused: not in the mark")
    assert summary == "games 3, refused 1, unreadable 0"


def test_replay_as_json(run: Any, collection: Path) -> None:
    code, out, _ = run("replay", str(collection), "--json")
    data = json.loads(out)
    good, bad, _ = data["games"]
    assert (code, data["refused"], data["unreadable"]) == (1, 1, 0)
    assert good == {
        "file": str(collection),
        "game": 0,
        "plies": 2,
        "scores": [-151, -154],
        "winner": None,
        "ended": "unfinished",
    }
    assert (bad["game"], bad["ply"]) == (1, 0)
    assert (bad["reasons"], bad["rules"]) == (["not in the market"], ["R21"])


BAD_LINE = MOVED.replace("K1@a1 pass", "K1@a1 pass L0@h1")
LETTERED = {"circle": LINE, "moves": "KAAB.", "track": "original"}
RECORD = Game.parse(MOVED).to_record().to_dict()
FINISHED = {"ended": "finished", "scores": [1, 2], "winner": 1}


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (BAD_LINE, "ply 2, R21: L0@h1 is refused: not in the market"),
        (
            json.dumps(LETTERED | {"moves": "KAAB.dAAA"}),
            "ply 2, R24: d0@a1 is refused: overlap (a2 b2 c2)",
        ),
        (json.dumps(RECORD | FINISHED), "ended, R39: finished, but the game is unfinished"),
    ],
)
def test_replay_refuses_in_every_notation(run: Any, tmp_path: Path, game: str, fault: str) -> None:
    file = tmp_path / "game"
    file.write_text(game)
    code, out, _ = run("replay", str(file))
    assert code == 1
    assert f"game 0: {fault}" in out


def test_replay_checks_scores_and_winner(run: Any, tmp_path: Path) -> None:
    record = json.loads(run("demo", "--json")[1])["record"]
    file = tmp_path / "game"
    for key, value, fault in (
        ("scores", [7, 34], "scores, R40: [7, 34], by the rules [7, 35]"),
        ("winner", 0, "winner, R41: 0, by the rules 1"),
    ):
        file.write_text(json.dumps(record | {key: value}))
        code, out, _ = run("replay", str(file), "--quiet")
        assert (code, out.splitlines()[0]) == (1, f"{file}: game 0: {fault}")


def test_replay_goes_on_after_what_it_cannot_read(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "games"
    file.write_text(f"{{\n{MOVED} K\n{MOVED}\n")
    code, out, _ = run("replay", str(file), "--quiet")
    assert code == 2
    assert "game 0: record: no JSON" in out
    assert "game 1: expected" in out
    assert out.splitlines()[-1] == "games 3, refused 0, unreadable 2"
    assert json.loads(run("replay", str(file), "--json")[1])["unreadable"] == 2


def test_replay_draws_the_final_quilts(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(MOVED)
    code, out, _ = run("replay", str(file), "--ascii")
    assert code == 0
    assert "2 K K K" in out


def test_convert_goes_through_every_notation_and_back(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(MOVED)
    for notation in ("record", "lettered", "line"):
        code, out, _ = run("convert", str(file), "--to", notation)
        assert code == 0
        file.write_text(out)
    assert file.read_text() == MOVED + "\n"


def test_convert_writes_records_that_replay(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(MOVED)
    file.write_text(run("convert", str(file), "--to", "record")[1])
    (record,) = read_records(file)
    assert record.replay() == Game.parse(MOVED)


def test_convert_keeps_what_a_notation_can_say(run: Any, tmp_path: Path) -> None:
    record = Game.parse(MOVED).to_record(players=("Ann", "Bob"), tags={"id": "g7"})
    file = tmp_path / "game"
    file.write_text(f"{record}\n")
    assert run("convert", str(file), "--to", "record")[1] == f"{record}\n"
    lettered = run("convert", str(file), "--to", "lettered")[1]
    assert json.loads(lettered) == {"id": "g7", **LETTERED}
    file.write_text(lettered)
    assert json.loads(run("convert", str(file), "--to", "record")[1])["tags"] == {"id": "g7"}


def test_convert_prints_json_on_request(run: Any, collection: Path) -> None:
    collection.write_text(f"{MOVED}\n{START}\n")
    assert json.loads(run("convert", str(collection), "--to", "line", "--json")[1]) == [
        MOVED,
        START,
    ]


def test_convert_stops_at_what_the_rules_refuse(run: Any, collection: Path) -> None:
    code, out, err = run("convert", str(collection), "--to", "line")
    assert (code, out) == (1, MOVED + "\n")
    assert err.startswith(f"patchwork: {collection}: game 1: ply 0, R21: L0@h1 is refused")


@pytest.mark.parametrize(
    ("start", "fault"),
    [
        (START.replace("classic", "anniversary"), "edition: the lettered notation knows classic"),
        (START.replace("0 - -", "1 - -"), "line: the notation knows only games from the first"),
    ],
)
def test_convert_tells_what_the_lettered_notation_cannot_say(
    run: Any, tmp_path: Path, start: str, fault: str
) -> None:
    file = tmp_path / "game"
    file.write_text(start)
    code, out, err = run("convert", str(file), "--to", "lettered")
    assert (code, out) == (2, "")
    assert err.startswith(f"patchwork: {file}: game 0: {fault}")


def test_an_edition_of_ones_own_is_made_known_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('name = "cli-own"\nbase = "classic"\nstart_buttons = 9\n')
    state = process("new", "--edition", str(file), "--seed", "1").stdout.decode().strip()
    assert state.startswith("cli-own~")
    unknown = process("show", state)
    assert (unknown.returncode, unknown.stdout) == (2, b"")
    assert process("show", state, "--edition", str(file)).returncode == 0
    assert process("perft", "-", "1", "--edition", str(file), stdin=state).returncode == 0


def process(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "patchwork", *arguments],
        input=stdin.encode(errors="surrogateescape"),
        capture_output=True,
        check=False,
    )


def test_standard_input_is_read_for_a_dash(run: Any) -> None:
    shown = process("show", "-", "--ascii", stdin=f"\ufeff {MOVED}\n")
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert shown.stdout.decode() == run("show", MOVED, "--ascii")[1]
    replayed = process("replay", "-", "--quiet", stdin=f"{MOVED}\n{MOVED}")
    assert replayed.stdout == b"games 2, refused 0, unreadable 0\n"


def test_show_reads_a_record_of_several_lines_from_a_file(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(RECORD, indent=2))
    assert run("show", str(file)) == run("show", MOVED)


def test_a_refused_game_cannot_be_shown(run: Any) -> None:
    code, out, err = run("show", BAD_LINE)
    assert (code, out) == (1, "")
    assert err.startswith("patchwork: ply 2, R21: L0@h1 is refused: not in the market")


def test_demo_replays_the_record_of_the_package(run: Any) -> None:
    code, out, _ = run("demo", "--ascii")
    assert code == 0
    assert out.splitlines()[-4:] == [
        "player 0: 7 points = 37 buttons - 2 x 15 empty cells",
        "player 1: 35 points = 28 buttons + 7 for the tile - 2 x 0 empty cells",
        "All 45 plies follow the rules, and so do the scores on record.",
        "Player 1 wins; decided by points.",
    ]
    data = json.loads(run("demo", "--json")[1])
    record = Record.from_dict(data["record"])
    assert list(record.replay().scores) == data["scores"]


DEEP = "[" * 100_000

HOSTILE = [
    (["show", "nonsense"], "No such file or directory: 'nonsense'"),
    (["show", ""], "No such file or directory"),
    (["show", " "], "expected the edition"),
    (["show", "nonsense here"], "expected the quilt of player 0 at position"),
    (["show", "{"], "no JSON"),
    (["show", '{"circle": 1}'], "circle: expected a text"),
    (["show", '{"circle": ' + DEEP], "no JSON"),
    (["show", '{"moves": ' + DEEP], "nested too deeply"),
    (["show", '{"moves": ' + "9" * 5000], "a number is too long"),
    (["show", START.replace("classic", "mine")], "unknown edition 'mine'"),
    (["show", START.replace("b5", "b" + "9" * 5000)], "expected at most"),
    (["show", "x " * 10_000], "expected the"),
    (["show", "x" * 10_000], "[Errno"),
    (["show", "\ud800 "], "expected ASCII only"),
    (["show", "a\0b c"], "expected"),
    (["show", START, "--ply", "1"], "the game has 0 plies, not 1"),
    (["show", MOVED, "--ply", "-1"], "the game has 2 plies, not -1"),
    (["new", "--line", "AB"], "line"),
    (["new", "--circle", LINE, "--edition", "express"], "circle"),
    (["new", "--seed", "-1"], "seed"),
    (["new", "--seed", str(1 << 64)], "seed"),
    (["new", "--edition", "none.toml"], "none.toml"),
    (["new", "--edition", "none"], "unknown edition"),
    (["moves", START + " x"], "expected the end of the state"),
    (["events", START, "K9@a1"], "orientation"),
    (["events", START, "9" * 5000], "expected"),
    (["events", START, ""], "expected pass"),
    (["events", START, "٣@a1"], "expected"),
    (["perft", START, "-1"], "expected 0..999 plies"),
    (["perft", START, "1000"], "expected 0..999 plies"),
    (["replay", "no-such-file"], "no-such-file"),
    (["replay", "."], "[Errno"),
    (["convert", "no-such-file", "--to", "line"], "no-such-file"),
]


@pytest.mark.parametrize(("arguments", "message"), HOSTILE, ids=range(len(HOSTILE)))
def test_bad_input_is_one_sentence_and_code_2(run: Any, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("patchwork: ")
    assert message in err
    assert err.count("\n") == 1


def test_bytes_that_are_no_text_are_refused() -> None:
    for command in ("show", "replay"):
        result = process(command, "-", stdin="\udcff\udcfe")
        assert (result.returncode, result.stdout) == (2, b"")
        assert result.stderr.startswith(b"patchwork: 'utf-8' codec can't decode")


def test_an_unknown_command_is_refused() -> None:
    with pytest.raises(SystemExit) as caught:
        main(["fly"])
    assert caught.value.code == 2


BUFFERED = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}


@pytest.mark.parametrize("arguments", [["moves", START], ["perft", START, "1"]])
def test_a_reader_that_leaves_is_no_error(arguments: list[str]) -> None:
    # More than a pipe's buffer fails when it is printed, less when it is flushed.
    command = [sys.executable, "-m", "patchwork", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=BUFFERED, **pipes) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only where a full device exists")
def test_a_full_disk_is_one_sentence() -> None:
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "patchwork", "demo"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=BUFFERED,
            check=False,
        )
    assert result.returncode == 2
    assert result.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_an_interrupt_is_quiet_even_in_native_code() -> None:
    command = [sys.executable, "-m", "patchwork", "perft", START, "900"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_the_command_runs_without_rich() -> None:
    code = "import sys; sys.modules['rich'] = None; from patchwork.cli import main; main(['demo'])"
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.isascii()


# On a terminal


def on_terminal(tmp_path: Path, *arguments: str, **environment: str) -> tuple[str, str]:
    """What the command prints to a file, and to a terminal as its standard error."""
    pty = pytest.importorskip("pty")
    screen, ours = pty.openpty()
    out = tmp_path / "out"
    with open(out, "wb") as file:
        command = [sys.executable, "-m", "patchwork", *arguments]
        env = os.environ | {"TERM": "xterm"} | environment
        subprocess.run(command, stdout=file, stderr=ours, env=env, check=False)
    os.close(ours)
    return out.read_text(), read_screen(screen)


def read_screen(screen: int) -> str:
    data = b""
    with suppress(OSError):  # Linux says so at the end
        while part := os.read(screen, 4096):
            data += part
    os.close(screen)
    return data.decode()


def test_a_bar_goes_to_the_terminal_and_the_results_elsewhere(
    run: Any, collection: Path, tmp_path: Path
) -> None:
    out, screen = on_terminal(tmp_path, "replay", str(collection))
    assert out == run("replay", str(collection))[1]
    assert "replay" in screen
    out, screen = on_terminal(tmp_path, "perft", START, "2")
    assert out == "223105\n"
    assert "perft" in screen


def test_no_bar_and_no_colour_for_a_file() -> None:
    assert process("perft", START, "2").stderr == b""
    assert b"\x1b" not in process("show", START).stdout


@pytest.mark.parametrize(
    ("environment", "colored"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_that_want_it(environment: dict[str, str], colored: bool) -> None:
    pty = pytest.importorskip("pty")
    screen, ours = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    env |= {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"} | environment
    with subprocess.Popen(
        [sys.executable, "-m", "patchwork", "show", START], stdout=ours, env=env
    ) as command:
        os.close(ours)
        drawn = read_screen(screen)
    assert command.returncode == 0
    assert ("\x1b[36m" in drawn) is colored
    assert "▸ player 0" in drawn
