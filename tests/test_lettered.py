"""The lettered notation."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchwork import (
    PASS,
    EditionError,
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    Random,
    RecordError,
    Setup,
    SetupError,
    edition,
)
from patchwork.lettered import (
    LetteredGame,
    format_game,
    parse_lettered,
    parse_moves,
    read_lettered,
)

CIRCLE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
PASSES = "....................hAAA......hBAA......hCAA............hDAA......hEAA...."
"""54 passes, and five special patches for player 1, who is the first on their spaces."""
ROW = f'{{"circle": "{CIRCLE}", "moves": "KAAB.", "track": "original", "id": 7}}'


def test_moves_are_read_letter_by_letter() -> None:
    assert list(parse_moves("..KAABhIIC")) == [
        PASS,
        PASS,
        Move.parse("K1@a1"),
        Move.parse("h@i9"),
    ]
    assert list(parse_moves("")) == []


@pytest.mark.parametrize(
    ("text", "move"),
    [("LHAA", "L0@h1"), ("aAIH", "a7@a9"), ("zIAD", "z3@i1"), ("hEEA", "h@e5"), ("hEEH", "h@e5")],
)
def test_columns_rows_and_orientations(text: str, move: str) -> None:
    assert list(parse_moves(text)) == [Move.parse(move)]


@pytest.mark.parametrize("value", [None, 5, b"..", ["."]])
def test_what_is_no_text_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        list(parse_moves(value))
    with pytest.raises(TypeError):
        LetteredGame(value, ".").replay()
    with pytest.raises(TypeError):
        parse_lettered(value)


def test_the_circle_begins_anywhere() -> None:
    games = [LetteredGame(CIRCLE[n:] + CIRCLE[:n], "KAAB.").replay() for n in range(len(CIRCLE))]
    assert all(game == games[0] for game in games)
    assert games[0].start.line == CIRCLE
    assert [str(move) for move in games[0].moves] == ["K1@a1", "pass"]


@pytest.mark.parametrize(
    ("text", "position", "fault"),
    [
        ("1", 0, "expected a dot or the letter of a patch"),
        (".,", 1, "expected a dot or the letter of a patch"),
        (" ", 0, "expected a dot or the letter of a patch"),
        ("éAAA", 0, "expected a dot or the letter of a patch"),
        ("K", 1, "expected a column A..I, not the end"),
        ("KA", 2, "expected a row A..I, not the end"),
        ("KAA", 3, "expected an orientation A..H, not the end"),
        ("KJAA", 1, "expected a column A..I"),
        ("KaAA", 1, "expected a column A..I"),
        ("KA1A", 2, "expected a row A..I"),
        ("KASA", 2, "expected a row A..I"),
        ("KAAI", 3, "expected an orientation A..H"),
        ("KAA.", 3, "expected an orientation A..H"),
        ("..hSAA", 3, "expected a column A..I"),
        ("KAABx", 5, "expected a column A..I, not the end"),
        ("KÀAA", 1, "expected a column A..I"),
        (".\n", 1, "expected a dot or the letter of a patch"),
    ],
)
def test_faults_of_moves_are_named_by_place(text: str, position: int, fault: str) -> None:
    with pytest.raises(NotationError) as caught:
        list(parse_moves(text))
    assert (caught.value.text, caught.value.position, caught.value.fault) == (
        text,
        position,
        fault,
    )


@pytest.mark.parametrize(
    ("moves", "ply", "reason"),
    [
        (".LAAA", 1, "not in the market"),
        ("hEEA", 0, "no special"),
        ("..fAAA", 2, "cannot afford"),
        ("KIIA", 0, "off the board"),
        (PASSES + ".", 59, "game over"),
    ],
)
def test_an_illegal_move_is_named_by_its_ply(moves: str, ply: int, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        LetteredGame(CIRCLE, moves).replay()
    assert caught.value.where == f"moves[{ply}]"
    assert isinstance(caught.value.__cause__, IllegalMoveError)
    assert reason in caught.value.__cause__.reasons


def test_the_first_fault_counts() -> None:
    with pytest.raises(RecordError, match=r"moves\[1\]"):
        LetteredGame(CIRCLE, ".LAAA?").replay()
    with pytest.raises(NotationError):
        LetteredGame(CIRCLE, "?LAAA").replay()


@pytest.mark.parametrize("circle", ["", "ABC", CIRCLE + "A", CIRCLE[:-1] + "h", CIRCLE + "+"])
def test_a_wrong_circle_is_a_setup_error(circle: str) -> None:
    with pytest.raises(SetupError):
        LetteredGame(circle, ".").replay()


def test_an_edition_is_given_by_name_or_itself() -> None:
    assert LetteredGame(CIRCLE, ".", "revised") == LetteredGame(CIRCLE, ".", edition("revised"))
    assert LetteredGame(CIRCLE, ".") != LetteredGame(CIRCLE, ".", "revised")
    with pytest.raises(EditionError):
        LetteredGame(CIRCLE, ".", "none")


def played(seed: int, name: str = "classic") -> Game:
    game = Game(Setup.random(seed, name))
    rng = Random(seed)
    while not game.is_over:
        game.play(game.state.legal_moves.sample(rng))
    return game


def test_games_are_written_as_they_are_read() -> None:
    for seed in range(5):
        for name in ("classic", "revised", "anniversary"):
            game = played(seed, name)
            written = format_game(game)
            assert written.replay() == game
            assert format_game(written.replay()) == written


def test_a_known_game_is_written() -> None:
    game = LetteredGame(CIRCLE[5:] + CIRCLE[:5], "KAAB.").replay()
    assert format_game(game) == LetteredGame(CIRCLE, "KAAB.")
    passes = LetteredGame(CIRCLE, PASSES).replay()
    assert format_game(passes).moves == PASSES


@pytest.mark.parametrize(
    "start",
    [
        Setup.from_line(CIRCLE).start().after("pass"),
        Setup.from_line(CIRCLE).start().after("K0@a1"),
        Setup.from_line(CIRCLE).start().replace(buttons=(6, 5)),
        Setup.from_line(CIRCLE, start_player=1),
        Setup.random(1, "express"),
        Setup.from_line("A" + CIRCLE[:-1]),
        Setup.random(1, edition("classic").replace(name="no-start-patch", start_patch=None)),
    ],
)
def test_what_the_notation_cannot_tell_is_refused(start: Any) -> None:
    with pytest.raises(SetupError):
        format_game(Game(start))


def test_a_collection_is_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{ROW}\n\n{ROW}\n")
    games = list(read_lettered(file))
    assert games == [LetteredGame(CIRCLE, "KAAB.", "classic", "7")] * 2
    assert games[0].replay().start.edition.name == "classic"


@pytest.mark.parametrize(
    ("changes", "where", "fault"),
    [
        ({"circle": ...}, "circle", "is missing"),
        ({"circle": 1}, "circle", "expected a text, not a number"),
        ({"moves": ...}, "moves", "is missing"),
        ({"moves": []}, "moves", "expected a text, not a list"),
        ({"moves": "." * 10_001}, "moves", "longer than 10,000 characters"),
        ({"track": ...}, "track", "is missing"),
        ({"track": None}, "track", "expected a text, not null"),
        ({"track": "new"}, "track", "expected one of original, revised"),
        ({"track": "classic"}, "track", "expected one of original, revised"),
        ({"id": []}, "id", "expected a whole number, not a list"),
        ({"id": True}, "id", "expected a whole number, not a boolean"),
        ({"id": 1.5}, "id", "expected a whole number, not a number with a point"),
        ({"id": "\ud800"}, "id", "holds half a surrogate pair"),
    ],
)
def test_faults_of_a_game_are_named(changes: dict[str, Any], where: str, fault: str) -> None:
    data = {"circle": CIRCLE, "moves": ".", "track": "original"} | changes
    line = json.dumps({key: value for key, value in data.items() if value is not ...})
    with pytest.raises(RecordError) as caught:
        parse_lettered(line)
    assert (caught.value.where, caught.value.fault) == (where, fault)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "no JSON: Expecting value at position 0"),
        ("{", "no JSON: Expecting property name enclosed in double quotes at position 1"),
        (ROW + "x", f"no JSON: Extra data at position {len(ROW)}"),
        ("[" * 100_000, "no JSON: nested too deeply"),
        ("1" * 5000, "no JSON: a number is too long"),
        ('{"id": NaN}', "no JSON: NaN"),
        ('{"id": 1, "id": 2}', "no JSON: the key 'id' is there twice"),
        ("[]", "expected an object, not a list"),
        ("1", "expected an object, not a number"),
        ('"circle"', "expected an object, not a text"),
    ],
)
def test_what_is_no_json_object_is_refused(line: str, fault: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_lettered(line)
    assert (caught.value.where, caught.value.fault) == ("record", fault)


def test_tracks_names_and_other_keys() -> None:
    data = {"circle": CIRCLE, "moves": ".", "track": "revised", "published": {"scores": [1, 2]}}
    assert parse_lettered(json.dumps(data)) == LetteredGame(CIRCLE, ".", "revised")
    assert parse_lettered(json.dumps(data | {"id": "g1"})).name == "g1"
    for number in (-(2**63), 2**63 - 1):
        assert parse_lettered(json.dumps(data | {"id": number})).name == str(number)
    for number in (-(2**63) - 1, 2**63):
        with pytest.raises(RecordError, match="id: expected"):
            parse_lettered(json.dumps(data | {"id": number}))


def test_a_fault_in_a_collection_names_the_game(tmp_path: Path) -> None:
    for line, fault in ((b"[]", "expected an object"), (b"\xff", "byte 0 of the line is no UTF-8")):
        file = tmp_path / "games.jsonl"
        file.write_bytes(f"{ROW}\n\n".encode() + line)
        with pytest.raises(RecordError, match=fault) as caught:
            list(read_lettered(file))
        assert caught.value.game == 1
    with pytest.raises(RecordError) as caught:
        list(read_lettered(io.StringIO(f"{ROW}\n[]\n")))
    assert caught.value.game == 1


@given(st.text(alphabet=".hKAIJ", max_size=12) | st.text(max_size=12))
def test_any_text_is_read_or_refused_by_place(text: str) -> None:
    try:
        moves = list(parse_moves(text))
    except NotationError as error:
        assert error.text == text  # noqa: PT017
        assert 0 <= error.position <= len(text)  # noqa: PT017
    else:
        assert len(text) == sum(1 if move.is_pass else 4 for move in moves)


@given(st.text(max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    with pytest.raises(RecordError):
        parse_lettered(text)
