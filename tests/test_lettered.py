"""The lettered notation."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from patchwork import (
    PASS,
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    Random,
    RecordError,
    Setup,
    SetupError,
)
from patchwork.lettered import (
    LetteredGame,
    format_game,
    parse_lettered,
    parse_moves,
    read_lettered,
)

CIRCLE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
ROW = f'{{"circle": "{CIRCLE}", "moves": "KAAB.", "track": "original", "id": 7}}'


def test_moves_are_read_letter_by_letter() -> None:
    assert list(parse_moves("..KAABhIIC")) == [
        PASS,
        PASS,
        Move.parse("K1@a1"),
        Move.parse("h@i9"),
    ]
    assert list(parse_moves("")) == []


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


def test_an_illegal_move_is_named_by_its_ply() -> None:
    with pytest.raises(RecordError) as caught:
        LetteredGame(CIRCLE, ".LAAA").replay()
    assert caught.value.where == "moves[1]"
    assert isinstance(caught.value.__cause__, IllegalMoveError)
    assert "not in the market" in caught.value.__cause__.reasons


def test_a_wrong_circle_is_a_setup_error() -> None:
    with pytest.raises(SetupError):
        LetteredGame("ABC", ".").replay()


def test_games_are_written_as_they_are_read() -> None:
    for seed in range(5):
        game = Game(Setup.random(seed, "revised"))
        rng = Random(seed)
        while not game.is_over:
            game.play(game.state.legal_moves.sample(rng))
        written = format_game(game)
        assert LetteredGame(written.circle, written.moves, "revised").replay() == game


def test_only_games_from_the_first_state_on_can_be_written() -> None:
    with pytest.raises(SetupError):
        format_game(Game(Setup.random(1).start().after("pass")))
    with pytest.raises(SetupError):
        format_game(Game(Setup.random(1, start_player=1)))
    with pytest.raises(SetupError):
        format_game(Game(Setup.random(1, "express")))


def test_a_collection_is_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(f"{ROW}\n\n{ROW}\n")
    games = list(read_lettered(file))
    assert games == [LetteredGame(CIRCLE, "KAAB.", "classic", "7")] * 2
    assert games[0].replay().start.edition.name == "classic"


@pytest.mark.parametrize(
    ("line", "where", "fault"),
    [
        ("", "record", "no JSON"),
        ("{", "record", "no JSON"),
        ("[" * 100_000, "record", "no JSON"),
        ("[]", "record", "expected an object"),
        ("1", "record", "expected an object"),
        ('{"moves": ".", "track": "original"}', "circle", "expected a text"),
        ('{"circle": 1, "moves": ".", "track": "original"}', "circle", "expected a text"),
        ('{"circle": "A", "track": "original"}', "moves", "expected a text"),
        ('{"circle": "A", "moves": [], "track": "original"}', "moves", "expected a text"),
        ('{"circle": "A", "moves": "."}', "track", "expected a text"),
        ('{"circle": "A", "moves": ".", "track": null}', "track", "expected a text"),
        (
            '{"circle": "A", "moves": ".", "track": "new"}',
            "track",
            "expected one of original, revised",
        ),
    ],
)
def test_faults_of_a_collection_are_named(line: str, where: str, fault: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_lettered(line)
    assert (caught.value.where, caught.value.fault) == (where, fault)


def test_a_fault_in_a_collection_names_the_game() -> None:
    with pytest.raises(RecordError) as caught:
        list(read_lettered(io.StringIO(f"{ROW}\n[]\n")))
    assert caught.value.game == 1
