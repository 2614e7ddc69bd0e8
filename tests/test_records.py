"""Records of games: JSON, one a line, checked by own code and described by a JSON Schema."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchwork import (
    PASS,
    Edition,
    Ending,
    Game,
    IllegalMoveError,
    Random,
    RecordError,
    Setup,
    State,
    edition,
)
from patchwork import edition as find_edition
from patchwork.records import Record, play_moves, read_records, write_records

SCHEMA = json.loads(files("patchwork").joinpath("schema/record.schema.json").read_text("utf-8"))
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
SHIPPED = ["anniversary", "classic", "express", "revised"]


def house(name: str = "record-house", **changes: Any) -> Edition:
    """An edition that isn't shipped."""
    return edition("classic").replace(name=name, **({"start_buttons": 7} | changes))


def played(seed: int, of: str | Edition = "classic", plies: int = 1000) -> Game:
    game = Game(Setup.random(seed, of, start_player=seed % 2))
    rng = Random(seed)
    while not game.is_over and len(game) < plies:
        game.play(game.state.legal_moves.sample(rng))
    return game


def assert_round_trip(record: Record) -> None:
    data = record.to_dict()
    VALIDATOR.validate(data)
    text = str(record)
    assert text.isascii()
    assert "\n" not in text
    for other in (
        Record.from_dict(data),
        Record.from_dict(json.loads(json.dumps(data))),
        Record.parse(text),
        copy.deepcopy(record),
        pickle.loads(pickle.dumps(record)),
    ):
        assert (other, hash(other), str(other)) == (record, hash(record), text)


def test_the_schema_is_one_and_knows_what_the_package_knows() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    keys = SCHEMA["properties"]
    assert keys["edition"]["oneOf"][0]["enum"] == SHIPPED
    assert keys["ended"]["enum"] == [ending.value for ending in Ending]
    assert set(keys) == set(FULL) | {"start"}
    assert set(SCHEMA["$defs"]["definition"]["properties"]) == set(house().to_dict())
    assert set(SCHEMA["$defs"]["definition"]["required"]) == set(house().to_dict())


def test_a_record_is_what_its_json_says() -> None:
    record = Record.from_dict(FULL)
    assert record.to_dict() == FULL
    assert record.edition == edition("classic")
    assert record.start == Setup.from_line(LINE).start()
    assert [str(move) for move in record.moves] == FULL["moves"]
    assert record.ended is Ending.UNFINISHED
    assert record.players == ("Ann", "Bob")
    assert (record.date, record.source) == ("2026-12-01", "by hand")
    assert record.clocks == (1500, 0)
    assert record.comments == {0: "good luck", 2: "thanks"}
    assert record.tags == {"event": "test"}
    assert_round_trip(record)


@pytest.mark.parametrize("name", SHIPPED)
def test_finished_games_round_trip(name: str) -> None:
    game = played(4, name)
    record = game.to_record()
    assert record.ended is Ending.FINISHED
    assert (record.scores, record.winner) == (game.state.scores, game.state.winner)
    assert_round_trip(record)
    assert Game.from_record(record) == game


def test_a_puzzle_round_trips_with_its_state() -> None:
    record = Game(State.parse(PUZZLE)).to_record()
    assert record.to_dict()["start"] == PUZZLE
    assert not {"line", "start_player"} & set(record.to_dict())
    assert_round_trip(record)


def test_a_game_that_begins_at_its_end_round_trips() -> None:
    game = Game(played(1).state)
    record = game.to_record()
    assert (record.moves, record.ended) == ((), Ending.FINISHED)
    assert_round_trip(record)
    assert record.replay() == game


@pytest.mark.parametrize(
    "text",
    [
        f"classic {LINE} 9/9/9/9/9/9/9/9/9 t1b6i0 9/9/9/9/9/9/9/9/9 t0b5i0 1 - -",
        f"classic {LINE} 9/9/9/9/9/9/9/9/9 t0b6i0 9/9/9/9/9/9/9/9/9 t0b5i0 0 - -",
        f"classic {LINE} 9/9/9/9/9/9/9/9/9 t53b58i0 9/9/9/9/9/9/9/9/9 t53b58i0 - - 1",
    ],
)
def test_a_later_state_with_every_patch_in_line_round_trips(text: str) -> None:
    record = Game(State.parse(text)).to_record()
    assert record.to_dict()["start"] == text
    assert_round_trip(record)


def test_the_first_state_of_a_setup_is_stored_as_line_and_start_player() -> None:
    start = Setup.from_line(LINE, start_player=1).start()
    data = {key: value for key, value in BASE.items() if key not in ("line", "start_player")}
    record = Record.from_dict(data | {"start": str(start), "moves": []})
    assert (record.to_dict()["line"], record.to_dict()["start_player"]) == (LINE, 1)
    assert_round_trip(record)


@pytest.mark.parametrize("ending", ["resigned", "timeout", "abandoned", "illegal"])
@pytest.mark.parametrize("winner", [0, 1, None])
def test_games_that_ended_otherwise_round_trip(ending: str, winner: int | None) -> None:
    game = played(2, plies=9)
    game.end(ending, winner)
    record = game.to_record(clocks=range(9))
    assert (record.scores, record.winner, record.ended.value) == (None, winner, ending)
    assert_round_trip(record)
    assert Game.from_record(record) == game


def test_the_longest_texts_round_trip() -> None:
    long = "\U0001f9f5" * 10_000
    assert_round_trip(Record.from_dict(FULL | {"source": long, "tags": {long: long}}))


def test_a_game_without_moves_has_no_clocks() -> None:
    record = Record.from_dict(BASE | {"moves": [], "clocks": []})
    assert record.clocks == ()
    assert_round_trip(record)
    assert record.replay() == Game(Setup.from_line(LINE))


def test_equal_records_have_equal_texts() -> None:
    there = Record.from_dict(FULL | {"comments": {"0": "a", "2": "b"}, "tags": {"x": "", "y": ""}})
    back = Record.from_dict(FULL | {"comments": {"2": "b", "0": "a"}, "tags": {"y": "", "x": ""}})
    assert (there, hash(there), str(there)) == (back, hash(back), str(back))


def test_nothing_in_a_record_can_be_changed() -> None:
    record = Record.from_dict(FULL)
    with pytest.raises(FrozenInstanceError):
        record.winner = 0  # type: ignore[misc]
    for mapping in (record.comments, record.tags):
        with pytest.raises(TypeError):
            mapping["0"] = ""  # type: ignore[index]
    tags = {"event": "test"}
    record = replace(record, tags=tags)
    tags["event"] = "other"
    assert record.tags == {"event": "test"}


# Custom editions


def test_a_custom_edition_travels_with_its_record() -> None:
    record = played(1, house()).to_record()
    assert record.to_dict()["edition"] == house().to_dict()
    assert_round_trip(record)
    assert record.replay() == played(1, house())


def test_a_shipped_edition_with_its_definition_is_stored_by_name() -> None:
    record = Record.from_dict(BASE | {"edition": edition("classic").to_dict()})
    assert (record, record.to_dict()["edition"]) == (Record.from_dict(BASE), "classic")


def changed(**changes: Any) -> dict[str, Any]:
    return house().to_dict() | changes


@pytest.mark.parametrize(
    ("definition", "where", "in_schema"),
    [
        ("record-house", "edition", True),
        ("Classic", "edition", True),
        ("classic~62e59474", "edition", True),
        (changed(start_buttons=8), "edition.name", False),
        (changed(name="classic"), "edition.name", False),
        (changed(name="Record"), "edition.name", True),
        (changed(base="classic"), "edition.base", True),
        (changed(colour="red"), "edition.colour", True),
        (changed(market=4), "edition.market", True),
        (changed(market=True), "edition.market", True),
        (changed(final=53.0), "edition.final", False),
        (changed(tile=False), "edition.tile", True),
        (changed(markers=[53, 5]), "edition.markers[1]", False),
        (changed(patches=house().to_dict()["patches"][::-1]), "edition.patches", False),
        (changed(patches={}), "edition.patches", True),
        (changed(patches=[]), "edition.patches", True),
        ({"name": "record-house"}, "edition.size", True),
    ],
)
def test_faults_of_a_definition(definition: Any, where: str, in_schema: bool) -> None:
    house()
    data = BASE | {"edition": definition}
    with pytest.raises(RecordError) as caught:
        Record.from_dict(data)
    assert caught.value.where == where
    assert VALIDATOR.is_valid(data) is not in_schema


def test_a_refused_definition_is_not_known_afterwards() -> None:
    definition = changed(name="record-unknown", patches=house().to_dict()["patches"][::-1])
    with pytest.raises(RecordError):
        Record.from_dict(BASE | {"edition": definition})
    with pytest.raises(ValueError, match="unknown edition"):
        find_edition("record-unknown")


def test_a_state_of_another_edition_is_refused() -> None:
    data = Game(State.parse(PUZZLE)).to_record().to_dict()
    for other in ("revised", house().to_dict()):
        with pytest.raises(RecordError) as caught:
            Record.from_dict(data | {"edition": other})
        assert caught.value.where == "start"


# Faults


def with_changes(changes: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in (FULL | changes).items() if value is not ...}


def fault_of(**changes: Any) -> tuple[str, str]:
    with pytest.raises(RecordError) as caught:
        Record.from_dict(with_changes(changes))
    return caught.value.where, caught.value.fault


@pytest.mark.parametrize(
    ("changes", "where", "fault"),
    [
        ({"format": "chess"}, "format", "expected 'patchwork', not 'chess'"),
        ({"format": ...}, "format", "expected 'patchwork', not None"),
        ({"version": 2}, "version", "expected 1, not 2"),
        ({"version": "1"}, "version", "expected 1, not '1'"),
        ({"version": True}, "version", "expected 1, not True"),
        ({"edition": 1}, "edition", "expected a name or a definition, not a number"),
        ({"edition": ...}, "edition", "is missing"),
        ({"line": ...}, "line", "is missing"),
        ({"line": ""}, "line", None),
        ({"line": 5}, "line", "expected a text, not a number"),
        ({"line": LINE + "+"}, "line", "reserve: the edition classic has none"),
        ({"start_player": ...}, "start_player", "is missing"),
        ({"start_player": 2}, "start_player", "expected 0..1, not 2"),
        ({"start_player": None}, "start_player", "expected a whole number, not null"),
        ({"start": PUZZLE}, "line", "is there beside start"),
        ({"start": PUZZLE, "line": ...}, "start_player", "is there beside start"),
        ({"start": 5, "line": ..., "start_player": ...}, "start", "expected a text, not a number"),
        ({"moves": ...}, "moves", "is missing"),
        ({"moves": "pass"}, "moves", "expected a list, not a text"),
        ({"moves": ["K1@a1", "Pass"]}, "moves[1]", "expected an orientation 0..7 at position 1"),
        ({"moves": ["K1@a1", 2025]}, "moves[1]", "expected a text, not a number"),
        ({"moves": ["pass"] * 1001}, "moves", "expected at most 1,000 items, not 1,001"),
        ({"scores": [1, 2]}, "scores", "only a finished game has scores"),
        ({"scores": [1]}, "scores", "expected 2 items, not 1"),
        ({"scores": "10"}, "scores", "expected a list, not a text"),
        ({"scores": [1, True]}, "scores[1]", "expected a whole number, not a boolean"),
        ({"scores": [1, None]}, "scores[1]", "expected a whole number, not null"),
        ({"scores": [-163, 0]}, "scores[0]", "expected -162..1000098, not -163"),
        ({"ended": "finished"}, "scores", "a finished game has scores"),
        ({"ended": "finished", "scores": [1, 0]}, "winner", "a finished game has a winner"),
        ({"ended": "lost"}, "ended", None),
        ({"ended": None}, "ended", "expected a text, not null"),
        ({"winner": 0}, "winner", "an unfinished game has none"),
        ({"winner": 2, "ended": "timeout"}, "winner", "expected 0..1, not 2"),
        ({"winner": False}, "winner", "expected a whole number, not a boolean"),
        ({"players": ["Ann"]}, "players", "expected 2 items, not 1"),
        ({"players": ["Ann", None]}, "players[1]", "expected a text, not null"),
        ({"players": None}, "players", "expected to be left out, not null"),
        ({"date": "tomorrow"}, "date", "expected a date like 2026-12-01, not 'tomorrow'"),
        ({"date": "20261201"}, "date", "expected a date like 2026-12-01, not '20261201'"),
        ({"date": "2026-12-01T24:00"}, "date", None),
        ({"date": "2026-12-01 12:00"}, "date", None),
        ({"source": "x" * 10_001}, "source", "longer than 10,000 characters"),
        ({"clocks": {}}, "clocks", "expected a list, not an object"),
        ({"clocks": [1, -1]}, "clocks[1]", "expected 0..9007199254740991, not -1"),
        ({"clocks": [1, 1.5]}, "clocks[1]", "expected a whole number, not a number with a point"),
        ({"comments": {"01": "x"}}, "comments", "expected the number of a ply, not '01'"),
        ({"comments": {"²": "x"}}, "comments", "expected the number of a ply, not '²'"),
        ({"comments": {"-1": "x"}}, "comments", "expected the number of a ply, not '-1'"),
        ({"comments": {"": "x"}}, "comments", "expected the number of a ply, not ''"),
        ({"comments": {"9" * 5000: "x"}}, "comments", None),
        ({"comments": {"1": 1}}, "comments.1", "expected a text, not a number"),
        ({"comments": []}, "comments", "expected an object, not a list"),
        ({"tags": {"a": 1}}, "tags.a", "expected a text, not a number"),
        ({"tags": {"a b": 1}}, "tags['a b']", "expected a text, not a number"),
        ({"tags": {"x" * 10_001: ""}}, "tags", "longer than 10,000 characters"),
        ({"colour": "red"}, "record", "unknown key 'colour'"),
    ],
)
def test_faults_are_named_by_path(changes: dict[str, Any], where: str, fault: str | None) -> None:
    found = fault_of(**changes)
    assert found[0] == where
    assert fault in (None, found[1])
    assert not VALIDATOR.is_valid(with_changes(changes))


@pytest.mark.parametrize(
    ("changes", "where", "fault"),
    [
        ({"version": 1.0}, "version", "expected 1, not 1.0"),
        ({"line": "AB"}, "line", None),
        ({"start": "KA", "line": ..., "start_player": ...}, "start", None),
        ({"winner": 0.0, "ended": "timeout"}, "winner", None),
        ({"date": "2026-02-30"}, "date", "expected a date like 2026-12-01, not '2026-02-30'"),
        ({"clocks": [1]}, "clocks", "expected 2, one a ply, not 1"),
        ({"clocks": [1.0, 2]}, "clocks[0]", "expected a whole number, not a number with a point"),
        ({"comments": {"3": "late"}}, "comments", "expected 0..2, not 3"),
        ({"players": ["Ann", "\ud800"]}, "players[1]", "holds half a surrogate pair"),
    ],
)
def test_faults_that_a_schema_cannot_tell(
    changes: dict[str, Any], where: str, fault: str | None
) -> None:
    found = fault_of(**changes)
    assert found[0] == where
    assert fault in (None, found[1])
    assert VALIDATOR.is_valid(with_changes(changes))


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


HOSTILE = {
    "deep": nested(100_000),
    "huge": 10**5000,
    "list of huge": [10**5000],
    "table of huge": {10**5000: 10**5000},
    "integer key": {1: 2},
    "table": {"": {}},
    "object": object(),
    "long": "x" * 10**6,
}


@pytest.mark.parametrize("key", [*FULL, "start", "other"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_values_are_refused_in_few_words(key: str, name: str) -> None:
    data = FULL | {key: HOSTILE[name]}
    for other in ("line", "start_player") if key == "start" else ():
        del data[other]
    with pytest.raises(RecordError) as caught:
        Record.from_dict(data)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"players": "AB"}, "players"),
        ({"players": ("Ann", "Bob", "Cy")}, "players"),
        ({"date": "today"}, "date"),
        ({"source": 5}, "source"),
        ({"clocks": (1,)}, "clocks"),
        ({"clocks": (1, True)}, "clocks[1]"),
        ({"comments": {-1: "early"}}, "comments"),
        ({"comments": {"0": "x"}}, "comments"),
        ({"comments": {0: None}}, "comments.0"),
        ({"tags": {1: "x"}}, "tags"),
        ({"tags": [("a", "b")]}, "tags"),
        ({"scores": (1, 2)}, "scores"),
        ({"winner": 1}, "winner"),
        ({"ended": "finished"}, "scores"),
        ({"moves": PASS}, "moves"),
    ],
)
def test_a_record_is_checked_however_it_is_made(changes: dict[str, Any], where: str) -> None:
    record = replace(Record.from_dict(FULL), clocks=None, comments={})
    with pytest.raises(RecordError) as caught:
        replace(record, **changes)
    assert caught.value.where == where


@pytest.mark.parametrize("changes", [{"start": LINE}, {"start": None}, {"moves": ("pass",)}])
def test_the_parts_of_another_type_are_type_errors(changes: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        replace(Record.from_dict(BASE), **changes)


@pytest.mark.parametrize(
    "date",
    [
        "2026-12-01",
        "2026-12-01T00:00",
        "2026-12-01T23:59:59",
        "2026-12-01T18:30Z",
        "2026-12-01T18:30:00.123456+01:00",
        "2024-02-29T18:30-23:59",
    ],
)
def test_dates(date: str) -> None:
    assert_round_trip(Record.from_dict(BASE | {"date": date}))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no JSON: Expecting value at position 0"),
        ("{", "no JSON: Expecting property name enclosed in double quotes at position 1"),
        ("{} {}", "no JSON: Extra data at position 3"),
        ("\ufeff{}", None),
        ("{'format': 1}", None),
        ('{"format": "\n"}', None),
        ("[]", "expected an object, not a list"),
        ("1", "expected an object, not a number"),
        ("null", "expected an object, not null"),
        ('{"format": 1, "format": 2}', "no JSON: the key 'format' is there twice"),
        ('{"tags": {"a": "", "a": ""}}', "no JSON: the key 'a' is there twice"),
        ('{"format": NaN}', "no JSON: NaN"),
        ('{"version": -Infinity}', "no JSON: -Infinity"),
        ("[" * 100_000, "no JSON: nested too deeply"),
        ('{"a":' * 100_000, "no JSON: nested too deeply"),
        ("1" * 5000, "no JSON: a number is too long"),
    ],
)
def test_what_is_no_json_object_is_refused(text: str, fault: str | None) -> None:
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert caught.value.where == "record"
    assert fault in (None, caught.value.fault)
    assert fault or caught.value.fault.startswith("no JSON: ")


def test_many_keys_take_no_time() -> None:
    keys = ",".join(f'"{number}": 0' for number in range(100_000))
    with pytest.raises(RecordError, match="'a' is there twice"):
        Record.parse(f'{{{keys},"a":0,"a":0}}')


def test_a_number_beyond_all_bounds_is_refused() -> None:
    text = json.dumps(FULL).replace("1500", "1e999")
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert caught.value.where == "clocks[0]"


@pytest.mark.parametrize("value", [b"{}", None, {}])
def test_what_is_no_text_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        Record.parse(value)


# Replays


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("L0@h1", "not in the market"),
        ("h@e5", "no special"),
        ("f0@a1", "cannot afford"),
        ("d0@i9", "off the board"),
    ],
)
def test_replay_names_the_ply_and_the_reasons(move: str, reason: str) -> None:
    record = Record.from_dict(BASE | {"moves": ["K1@a1", move, "pass"]})
    with pytest.raises(RecordError) as caught:
        record.replay()
    assert caught.value.where == "moves[1]"
    assert reason in caught.value.fault
    assert isinstance(caught.value.__cause__, IllegalMoveError)
    assert reason in caught.value.__cause__.reasons


def other_winner(data: dict[str, Any]) -> dict[str, Any]:
    return {"winner": 1 - data["winner"]}


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        (lambda data: {"scores": [data["scores"][0] + 1, data["scores"][1]]}, "scores"),
        (lambda data: {"scores": data["scores"][::-1]}, "scores"),
        (other_winner, "winner"),
        (lambda data: {"ended": "resigned", "scores": None}, "ended"),
        (lambda data: {"ended": "unfinished", "scores": None, "winner": None}, "ended"),
        (lambda data: {"moves": data["moves"][:-1]}, "ended"),
        (lambda data: {"moves": [*data["moves"], "pass"]}, None),
    ],
)
def test_replay_checks_scores_winner_and_ending(
    changes: Callable[[dict[str, Any]], dict[str, Any]], where: str | None
) -> None:
    data = played(6).to_record().to_dict()
    record = Record.from_dict(data | changes(data))
    with pytest.raises(RecordError) as caught:
        record.replay()
    assert caught.value.where == (where or f"moves[{len(data['moves'])}]")


def test_a_shown_orientation_may_repeat_a_lower_one() -> None:
    record = Record.from_dict(BASE | {"moves": ["K5@a1"]})
    game = record.replay()
    assert game.state == record.start.after("K5@a1")
    assert game.moves[0].orientation in range(4)


def test_moves_are_played_from_a_setup_or_a_state() -> None:
    setup = Setup.from_line(LINE)
    assert play_moves(setup, [PASS]) == play_moves(setup.start(), iter([PASS]))


# Collections


def test_a_collection_is_read_and_written(tmp_path: Path) -> None:
    records = [played(seed).to_record() for seed in range(3)]
    file = tmp_path / "games.jsonl"
    assert write_records(file, records) == 3
    assert write_records(str(tmp_path / "again.jsonl"), read_records(str(file))) == 3
    assert (tmp_path / "again.jsonl").read_bytes() == file.read_bytes()
    assert file.read_bytes().count(b"\n") == 3
    assert list(read_records(file)) == records
    assert list(read_records(io.StringIO(file.read_text()))) == records
    assert list(read_records(io.BytesIO(file.read_bytes()))) == records
    assert list(read_records(file.read_bytes().splitlines())) == records


def test_an_open_file_is_written_and_stays_open() -> None:
    target = io.StringIO()
    assert write_records(target, [Record.from_dict(BASE)] * 2) == 2
    assert write_records(target, []) == 0
    assert target.getvalue() == f"{Record.from_dict(BASE)}\n" * 2


def test_only_records_are_written() -> None:
    target = io.StringIO()
    with pytest.raises(TypeError):
        write_records(target, [BASE])  # type: ignore[list-item]
    assert target.getvalue() == ""


def test_a_collection_is_read_as_it_is_asked_for() -> None:
    lines = iter([f"{Record.from_dict(BASE)}\n", "{\n"])
    assert next(read_records(lines)) == Record.from_dict(BASE)
    assert next(lines) == "{\n"


@pytest.mark.parametrize(
    ("line", "where"),
    [
        (b"\xff", "record"),
        (json.dumps(BASE).encode()[:-1] + b"\xff}", "record"),
        (b"{}", "format"),
        (json.dumps(BASE | {"moves": ["pass", "x"]}).encode("utf-16"), "record"),
        (json.dumps(BASE | {"moves": ["pass", "x"]}).encode(), "moves[1]"),
    ],
)
def test_a_fault_in_a_collection_names_the_game(line: bytes, where: str) -> None:
    content = f"{json.dumps(BASE)}\r\n\n  \n".encode() + line + b"\n"
    with pytest.raises(RecordError) as caught:
        list(read_records(io.BytesIO(content)))
    assert (caught.value.game, caught.value.where) == (1, where)
    assert str(caught.value).startswith(f"game 1: {where}: ")


def test_a_text_file_of_another_encoding_is_a_record_error(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\xff\n")
    with open(file, encoding="utf-8") as text, pytest.raises(RecordError) as caught:
        list(read_records(text))
    assert caught.value.fault == "no utf-8: invalid start byte"


def test_what_is_no_collection_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(read_records(tmp_path / "none.jsonl"))
    for source in (5, None, b"{}", [1]):
        with pytest.raises(TypeError):
            list(read_records(source))  # type: ignore[arg-type]


# Anything


TEXT = st.text(max_size=8)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.integers()
    | st.floats(allow_nan=False).filter(lambda number: not number.is_integer())
    | TEXT
    | st.sampled_from(["pass", "K1@a1", "2026-12-01", "0", "classic", "finished", LINE, PUZZLE]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
WHOLE = [FULL, FULL | {"edition": house().to_dict()}, played(3).to_record().to_dict()]
NOT_IN_SCHEMA = ("line", "start", "edition.", "date", "clocks", "comments")
"""Where a value of the right form can contradict another one."""


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A record with one value, at any depth, replaced, added or taken away."""
    data = json.loads(json.dumps(draw(st.sampled_from(WHOLE))))
    place: Any = data
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from(keys or [None]))
        if key is None or not isinstance(place[key], dict | list) or draw(st.booleans()):
            break
        place = place[key]
    action = draw(st.sampled_from(["replace", "add", "remove"]))
    if action == "remove" and key is not None:
        del place[key]
    elif action == "replace" and key is not None:
        place[key] = draw(JSON)
    elif isinstance(place, dict):
        place[draw(TEXT)] = draw(JSON)
    else:
        place.append(draw(JSON))
    return data


def outcome(read: Callable[[], Record]) -> Record | RecordError:
    try:
        return read()
    except RecordError as error:
        return error


@settings(max_examples=500)
@given(damaged())
def test_schema_and_own_checks_agree(data: Any) -> None:
    record = outcome(lambda: Record.from_dict(data))
    if isinstance(record, Record):
        assert_round_trip(record)
        VALIDATOR.validate(data)
    else:
        assert record.where.startswith(NOT_IN_SCHEMA) or not VALIDATOR.is_valid(data)


DETAILS = st.fixed_dictionaries(
    {},
    optional={
        "players": st.tuples(st.text(), st.text()),
        "date": st.datetimes().map(lambda moment: f"{moment.date()}T{moment.time()}Z"),
        "source": st.text(),
        "clocks": st.lists(st.integers(0, 2**53 - 1), min_size=6, max_size=6),
        "comments": st.dictionaries(st.integers(0, 6), st.text()),
        "tags": st.dictionaries(st.text(), st.text()),
    },
)


@given(st.sampled_from([*SHIPPED, house()]), st.integers(0, 99), DETAILS)
def test_games_with_any_details_round_trip(
    of: str | Edition, seed: int, details: dict[str, Any]
) -> None:
    game = played(seed, of, plies=6)
    record = game.to_record(**details)
    assert_round_trip(record)
    assert record.replay() == game


@given(st.text(max_size=40))
def test_no_text_breaks_the_parser(text: str) -> None:
    with pytest.raises(RecordError):
        Record.parse(text)


@given(st.data())
def test_no_byte_breaks_the_reader(data: st.DataObject) -> None:
    line = bytearray(str(Record.from_dict(FULL)).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    record = outcome(lambda: next(read_records([bytes(line)])))
    if isinstance(record, Record):
        assert_round_trip(record)
    else:
        assert record.game == 0
