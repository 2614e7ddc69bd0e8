"""Records of games: JSON, one a line, checked by own code and described by a JSON Schema."""

from __future__ import annotations

import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchwork import (
    Ending,
    Game,
    IllegalMoveError,
    Random,
    RecordError,
    Setup,
    State,
    edition,
)
from patchwork.records import Record, read_records, write_records

SCHEMA = json.loads(files("patchwork").joinpath("schema/record.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
LINE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
BASE: dict[str, Any] = {
    "format": "patchwork",
    "version": 1,
    "edition": "classic",
    "line": LINE,
    "start_player": 0,
    "moves": ["K1@a1", "pass"],
    "scores": None,
    "winner": None,
    "ended": "unfinished",
}
FULL = BASE | {
    "players": ["Ann", "Bob"],
    "date": "2026-12-01",
    "source": "by hand",
    "clocks": [1500, 0],
    "comments": {"0": "good luck", "2": "thanks"},
    "tags": {"event": "test"},
}
PUZZLE = "classic KA 9/9/9/9/9/9/9/9/9 t50b5i0 9/9/9/9/9/9/9/9/9 t52b5i0 0 - -"


def finished(seed: int, name: str = "classic") -> Game:
    game = Game(Setup.random(seed, name))
    rng = Random(seed)
    while not game.is_over:
        game.play(game.state.legal_moves.sample(rng))
    return game


def assert_round_trip(record: Record) -> None:
    data = record.to_dict()
    VALIDATOR.validate(data)
    assert Record.from_dict(data) == record
    assert Record.parse(str(record)) == record
    assert str(Record.parse(str(record))) == str(record)
    assert "\n" not in str(record)
    assert str(record).isascii()


def test_a_record_is_what_its_json_says() -> None:
    record = Record.from_dict(FULL)
    assert record.to_dict() == FULL
    assert record.start == Setup.from_line(LINE).start()
    assert [str(move) for move in record.moves] == FULL["moves"]
    assert record.players == ("Ann", "Bob")
    assert record.clocks == (1500, 0)
    assert record.comments == {0: "good luck", 2: "thanks"}
    assert_round_trip(record)


@pytest.mark.parametrize("name", ["classic", "revised", "anniversary", "express"])
def test_finished_games_round_trip(name: str) -> None:
    game = finished(4, name)
    record = game.to_record()
    assert (record.ended, record.scores, record.winner) == (
        Ending.FINISHED,
        game.scores,
        game.winner,
    )
    assert_round_trip(record)
    assert Game.from_record(record) == game


def test_a_puzzle_round_trips_with_its_state() -> None:
    record = Game(State.parse(PUZZLE)).to_record()
    assert record.to_dict()["start"] == PUZZLE
    assert "line" not in record.to_dict()
    assert_round_trip(record)


def test_a_resigned_game_round_trips() -> None:
    game = Game(Setup.from_line(LINE))
    game.play("pass")
    game.resign(0)
    record = game.to_record(clocks=(12,))
    assert (record.scores, record.winner, record.ended.value) == (None, 1, "resigned")
    assert_round_trip(record)
    assert Game.from_record(record) == game


def test_a_custom_edition_travels_with_its_record() -> None:
    house = edition("classic").replace(name="record-house", start_buttons=7)
    record = Game(Setup.random(1, house)).to_record()
    assert record.to_dict()["edition"] == house.to_dict()
    assert_round_trip(record)


def test_another_content_under_a_known_name_is_refused() -> None:
    house = edition("classic").replace(name="record-twice", start_buttons=7)
    data = Game(Setup.random(1, house)).to_record().to_dict()
    data["edition"]["start_buttons"] = 8
    with pytest.raises(RecordError) as caught:
        Record.from_dict(data)
    assert caught.value.where == "edition.name"


def fault_of(**changes: Any) -> tuple[str, str]:
    data = {key: value for key, value in (FULL | changes).items() if value is not ...}
    with pytest.raises(RecordError) as caught:
        Record.from_dict(data)
    return caught.value.where, caught.value.fault


@pytest.mark.parametrize(
    ("changes", "where", "fault"),
    [
        ({"format": "chess"}, "format", "expected 'patchwork', not 'chess'"),
        ({"format": ...}, "format", "expected 'patchwork', not None"),
        ({"version": 2}, "version", "expected 1, not 2"),
        ({"version": True}, "version", "expected 1, not True"),
        ({"version": 10**5000}, "version", "expected 1, not a huge number"),
        ({"edition": "none"}, "edition", None),
        ({"edition": 1}, "edition", "expected a name or a definition, not int"),
        ({"line": ...}, "line", "is missing"),
        ({"line": "AB"}, "line", None),
        ({"line": 5}, "line", "expected a text, not int"),
        ({"start_player": 2}, "start_player", "expected 0, 1 or null, not 2"),
        ({"start_player": None}, "start_player", "expected 0 or 1, not null"),
        ({"start": PUZZLE}, "record", "unknown key 'line'"),
        ({"moves": ...}, "moves", "is missing"),
        ({"moves": "pass"}, "moves", "expected a list, not a text"),
        ({"moves": ["K1@a1", "Pass"]}, "moves[1]", "expected an orientation 0..7 at position 1"),
        ({"moves": ["K1@a1", 2025]}, "moves[1]", "expected a text, not int"),
        ({"moves": ["pass"] * 1001}, "moves", "expected at most 1,000 items, not 1,001"),
        ({"scores": [1, 2]}, "scores", "only a finished game has scores"),
        ({"scores": [1]}, "scores", "expected 2 items, not 1"),
        ({"scores": [1, True]}, "scores[1]", "expected an integer, not a boolean"),
        ({"ended": "finished"}, "scores", "a finished game has scores"),
        ({"ended": "finished", "scores": [1, 0]}, "winner", "a finished game has a winner"),
        ({"ended": "lost"}, "ended", None),
        ({"winner": 0}, "winner", "an unfinished game has none"),
        ({"winner": False}, "winner", "expected 0, 1 or null, not False"),
        ({"players": ["Ann"]}, "players", "expected 2 items, not 1"),
        ({"players": ["Ann", None]}, "players[1]", "expected a text, not null"),
        ({"players": ["Ann", "\ud800"]}, "players[1]", "holds half a surrogate pair"),
        ({"date": "tomorrow"}, "date", "expected a date of ISO 8601, not 'tomorrow'"),
        ({"source": "x" * 10_001}, "source", "longer than 10,000 characters"),
        ({"clocks": [1]}, "clocks", "expected 2, one a ply"),
        ({"clocks": [1, -1]}, "clocks[1]", "expected 0..2**53 - 1 milliseconds"),
        ({"clocks": [1, 1.5]}, "clocks[1]", "expected an integer, not float"),
        ({"comments": {"3": "late"}}, "comments.3", "the game has 2 plies"),
        ({"comments": {"01": "x"}}, "comments", "expected the number of a ply, not '01'"),
        ({"comments": {"²": "x"}}, "comments", "expected the number of a ply, not '²'"),
        ({"comments": []}, "comments", "expected an object, not a list"),
        ({"tags": {"a": 1}}, "tags.a", "expected a text, not int"),
        ({"colour": "red"}, "record", "unknown key 'colour'"),
    ],
)
def test_faults_are_named_by_path(changes: dict[str, Any], where: str, fault: str | None) -> None:
    found = fault_of(**changes)
    assert found[0] == where
    assert fault is None or found[1] == fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no JSON: Expecting value at position 0"),
        ("{", "no JSON: Expecting property name enclosed in double quotes at position 1"),
        ("[]", "expected an object, not a list"),
        ("null", "expected an object, not null"),
        ('{"format": 1, "format": 2}', "the key 'format' stands there twice"),
        ('{"format": NaN}', "NaN is no JSON"),
        ('{"version": -Infinity}', "-Infinity is no JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "a number is too long"),
        (" " * 1_000_001, "longer than 1,000,000 characters"),
    ],
)
def test_what_is_no_json_object_is_refused(text: str, fault: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert (caught.value.where, caught.value.fault) == ("record", fault)


def test_the_wrong_type_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        Record.parse(b"{}")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"moves": ["K1@a1", "L0@h1"]}, "moves[1]"),
        ({"ended": "finished", "scores": [-155, -157], "winner": 0}, "ended"),
        ({"ended": "resigned", "winner": None}, None),
        ({"ended": "timeout", "winner": 1}, None),
    ],
)
def test_replay_checks_the_rules(changes: dict[str, Any], where: str | None) -> None:
    record = Record.from_dict(BASE | changes)
    if where is None:
        assert record.replay().ended == record.ended
        return
    with pytest.raises(RecordError) as caught:
        record.replay()
    assert caught.value.where == where
    if where.startswith("moves"):
        assert isinstance(caught.value.__cause__, IllegalMoveError)


def test_replay_checks_scores_winner_and_ending() -> None:
    data = finished(6).to_record().to_dict()
    wrong = {
        "scores": {"scores": [data["scores"][0] + 1, data["scores"][1]]},
        "winner": {"winner": 1 - data["winner"]},
        "ended": {"ended": "resigned", "scores": None},
    }
    for where, changes in wrong.items():
        with pytest.raises(RecordError) as caught:
            Record.from_dict(data | changes).replay()
        assert caught.value.where == where


def test_a_collection_is_read_and_written(tmp_path: Path) -> None:
    records = [finished(seed).to_record() for seed in range(3)]
    file = tmp_path / "games.jsonl"
    assert write_records(file, records) == 3
    assert list(read_records(file)) == records
    assert list(read_records(io.StringIO(file.read_text()))) == records


def test_a_fault_in_a_collection_names_the_game(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(f"{json.dumps(BASE)}\n\n".encode() + b"\xff\n")
    with pytest.raises(RecordError) as caught:
        list(read_records(file))
    assert (caught.value.game, caught.value.fault) == (1, "byte 0 of the line is no UTF-8")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(st.sampled_from(sorted(FULL)), JSON)
def test_whatever_a_field_holds_gives_a_record_or_its_error(key: str, value: Any) -> None:
    data = FULL | {key: value}
    try:
        record = Record.from_dict(data)
    except RecordError:
        return
    VALIDATOR.validate(data)
    assert Record.parse(str(record)) == record


@given(st.text(max_size=40))
def test_no_text_breaks_the_parser(text: str) -> None:
    with pytest.raises(RecordError):
        Record.parse(text)
