"""The command ``patchwork``."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
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
        "R15 player 0: paid for spaces +1 buttons",
        "R10 player 1: next player",
    ]
    assert run("events", START, "2025")[1] == out


def test_events_refuses_an_illegal_move_with_its_reasons(run: Any) -> None:
    code, out, err = run("events", START, "L0@h1")
    assert (code, out) == (1, "")
    assert "not in the market" in err


def test_perft_counts_and_divides(run: Any) -> None:
    assert run("perft", START, "1")[1] == "449\n"
    assert run("perft", START, "2")[1] == "223105\n"
    data = json.loads(run("perft", START, "2", "--divide", "--json")[1])
    assert data["perft"] == sum(data["moves"].values()) == 223105
    assert run("perft", START, "2", "--divide")[1].splitlines()[-1] == "223105 in all"


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    file = tmp_path / "games.jsonl"
    good = str(Game.parse(MOVED).to_record())
    bad = good.replace("K1@a1", "L0@h1")
    file.write_text(f"{good}\n{bad}\n{MOVED}\n")
    return file


def test_replay_names_game_ply_and_reason(run: Any, collection: Path) -> None:
    code, out, _ = run("replay", str(collection), "--quiet")
    assert code == 1
    assert f"{collection}: game 1: moves[0]: L0@h1 is refused: not in the market" in out
    assert out.splitlines()[-1] == "3 games, 1 refused"


def test_replay_as_json(run: Any, collection: Path) -> None:
    code, out, _ = run("replay", str(collection), "--json")
    data = json.loads(out)
    assert (code, data["refused"]) == (1, 1)
    assert data["games"][0]["plies"] == 2
    assert data["games"][1]["reasons"] == ["not in the market"]


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


def test_standard_input_is_read_for_a_dash(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(MOVED))
    assert run("show", "-", "--ascii") == run("show", MOVED, "--ascii")


def test_demo_replays_the_record_of_the_package(run: Any) -> None:
    code, out, _ = run("demo")
    assert code == 0
    assert out.splitlines()[-1].endswith("follow the rules; player 0 wins by points")
    data = json.loads(run("demo", "--json")[1])
    record = Record.from_dict(data["record"])
    assert list(record.replay().scores) == data["scores"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "nonsense"], "expected the line at position 8"),
        (["show", ""], "expected the edition"),
        (["show", "{"], "no JSON"),
        (["show", '{"circle": 1}'], "circle: expected a text"),
        (["show", START.replace("classic", "mine")], "unknown edition 'mine'"),
        (["show", "x" * 10_000], "expected the line"),
        (["show", "\ud800"], "expected ASCII only"),
        (["new", "--line", "AB"], "line"),
        (["new", "--seed", "-1"], "seed"),
        (["new", "--edition", "none.toml"], "none.toml"),
        (["new", "--edition", "none"], "unknown edition"),
        (["moves", START + " x"], "expected the end of the state"),
        (["events", START, "K9@a1"], "orientation"),
        (["perft", START, "-1"], "expected 0..999 plies"),
        (["replay", "no-such-file"], "no-such-file"),
        (["convert", "no-such-file", "--to", "line"], "no-such-file"),
    ],
)
def test_bad_input_is_one_sentence_and_code_2(run: Any, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("patchwork: ")
    assert message in err
    assert err.count("\n") == 1


def test_an_unknown_command_is_refused() -> None:
    with pytest.raises(SystemExit) as caught:
        main(["fly"])
    assert caught.value.code == 2


def test_a_reader_that_leaves_is_no_error() -> None:
    command = [sys.executable, "-m", "patchwork", "moves", START]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


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
