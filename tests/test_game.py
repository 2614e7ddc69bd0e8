"""Games: history, undo and redo, endings, which patch lies where, the text of one line."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from patchwork import (
    Ending,
    EventKind,
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    Random,
    Reason,
    Setup,
    State,
)

LINE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
START = f"classic {LINE} 9/9/9/9/9/9/9/9/9 t0b5i0 9/9/9/9/9/9/9/9/9 t0b5i0 0 - -"


def game_of(*moves: str) -> Game:
    game = Game(Setup.from_line(LINE))
    for move in moves:
        game.play(move)
    return game


def finished(seed: int = 5) -> Game:
    game = Game(Setup.random(seed))
    rng = Random(seed)
    while not game.is_over:
        game.play(game.state.legal_moves.sample(rng))
    return game


def test_a_game_starts_from_a_setup_or_any_state() -> None:
    state = State.parse(START).after("pass")
    assert Game(Setup.from_line(LINE)).state == State.parse(START)
    assert Game(state).state == state
    with pytest.raises(TypeError):
        Game(START)  # type: ignore[arg-type]


def test_play_returns_the_events_and_keeps_the_ply() -> None:
    game = game_of()
    kinds = [event.kind for event in game.play("pass")]
    assert kinds == [EventKind.MOVED, EventKind.PAID_FOR_SPACES, EventKind.NEXT_PLAYER]
    (ply,) = game.plies
    assert (ply.number, ply.player, str(ply.move)) == (0, 0, "pass")
    assert ply.state == game.state == State.parse(START).after("pass")


def test_moves_are_kept_with_the_lowest_number_of_their_orientation() -> None:
    # K is the T of four cells: mirrored it is itself, so 4..7 repeat 0..3.
    game = game_of("K5@a1")
    assert str(game.moves[0]) in {f"K{o}@a1" for o in range(4)}
    assert game.state == State.parse(START).after("K5@a1")


def test_action_ids_are_played_too() -> None:
    assert game_of().play(2025) == game_of().play("pass")  # type: ignore[call-overload]


def test_a_refused_move_changes_nothing() -> None:
    game = game_of("pass")
    before = str(game)
    for move in ("L0@h1", "K0@i9", "h@a1"):
        with pytest.raises(IllegalMoveError):
            game.play(move)
    with pytest.raises(NotationError):
        game.play("nonsense")
    assert str(game) == before


def test_undo_and_redo_walk_the_history() -> None:
    game = game_of("K1@a1", "pass", "pass")
    states = [game.state_at(n) for n in range(4)]
    assert [str(game.undo().move) for _ in range(3)] == ["pass", "pass", "K1@a1"]
    assert game.state == game.start == states[0]
    assert [game.redo().state for _ in range(3)] == states[1:]


def test_a_new_move_forgets_what_was_undone() -> None:
    game = game_of("pass", "pass")
    game.undo()
    game.play("d0@a1")
    with pytest.raises(IndexError, match="redo"):
        game.redo()


def test_a_refused_move_keeps_what_was_undone() -> None:
    game = game_of("pass", "pass")
    game.undo()
    with pytest.raises(IllegalMoveError):
        game.play("L0@h1")
    assert str(game.redo().move) == "pass"


def test_nothing_to_undo_or_redo_is_an_index_error() -> None:
    with pytest.raises(IndexError, match="undo"):
        game_of().undo()
    with pytest.raises(IndexError, match="redo"):
        game_of("pass").redo()


def test_state_at_counts_from_either_end() -> None:
    game = game_of("pass", "pass")
    assert game.state_at(0) == game.state_at(-3) == game.start
    assert game.state_at(2) == game.state_at(-1) == game.state
    for n in (3, -4):
        with pytest.raises(IndexError):
            game.state_at(n)


def test_covers_tells_which_patch_lies_where() -> None:
    # K turned once lies with its stem up: b1, a2 b2 c2.
    game = game_of("K1@a1")
    assert game.covers(0) == dict.fromkeys(("b1", "a2", "b2", "c2"), "K")
    assert game.covers(1) == {}
    assert game.patch_at(0, "b2") == "K"
    assert game.patch_at(0, "a1") is None
    assert set(game.covers(0)) == set(game.quilts[0].cells)


def test_cells_from_before_the_start_are_unknown() -> None:
    state = State.parse(START.replace("9/9/9/9/9/9/9/9/9 t0", "x8/9/9/9/9/9/9/9/9 t0", 1))
    game = Game(state)
    assert game.covers(0) == {"a1": "?"}


def test_special_patches_are_shown_as_h() -> None:
    start = "classic - 9/9/9/9/9/9/9/9/9 t20b9i0 9/9/9/9/9/9/9/9/9 t18b5i0 0* - -"
    game = Game(State.parse(start))
    game.play("h@e5")
    assert game.covers(0) == {"e5": "h"}


def test_a_finished_game_has_a_winner() -> None:
    game = finished()
    assert game.ended is Ending.FINISHED
    assert game.is_over
    assert game.winner == game.state.winner
    with pytest.raises(IllegalMoveError) as caught:
        game.play("pass")
    assert caught.value.reasons == (Reason.GAME_OVER,)


def test_resigning_ends_the_game_for_the_other_player() -> None:
    game = game_of("pass")
    game.resign(1)
    assert (game.ended, game.winner, game.is_over) == (Ending.RESIGNED, 0, True)
    with pytest.raises(IllegalMoveError) as caught:
        game.play("pass")
    assert caught.value.reasons == (Reason.GAME_OVER,)
    game.undo()
    assert (game.ended, len(game)) == (Ending.UNFINISHED, 0)


@pytest.mark.parametrize("ending", ["timeout", "abandoned", "illegal"])
def test_a_game_can_be_ended_otherwise(ending: str) -> None:
    game = game_of()
    game.end(ending, winner=1)
    assert (game.ended.value, game.winner) == (ending, 1)


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda game: game.end("finished"), ValueError),
        (lambda game: game.end("unfinished"), ValueError),
        (lambda game: game.end("rain"), ValueError),
        (lambda game: game.resign(2), ValueError),
        (lambda game: game.resign(True), TypeError),
        (lambda game: game.resign("0"), TypeError),
        (lambda game: game.end("timeout", winner=3), ValueError),
        (lambda game: game.play(None), TypeError),
        (lambda game: game.play(True), TypeError),
        (lambda game: game.play(1.0), TypeError),
    ],
)
def test_wrong_arguments_are_refused(act: Callable[[Any], Any], error: type[Exception]) -> None:
    game = game_of("pass")
    with pytest.raises(error):
        act(game)
    assert game == game_of("pass")


def test_a_game_ends_once() -> None:
    game = game_of()
    game.resign(0)
    with pytest.raises(ValueError, match="already"):
        game.resign(1)
    with pytest.raises(ValueError, match="already"):
        finished().resign(0)


def test_games_are_equal_by_start_moves_and_ending() -> None:
    assert game_of("pass") == game_of("pass")
    assert game_of("pass") != game_of()
    resigned = game_of("pass")
    resigned.resign(0)
    assert resigned != game_of("pass")
    with pytest.raises(TypeError):
        hash(resigned)


def test_a_game_is_one_line_of_text() -> None:
    game = finished(9)
    assert str(game) == f"{game.start} moves {' '.join(map(str, game.moves))}"
    assert Game.parse(str(game)) == game
    assert str(game_of()) == START
    assert Game.parse(START) == game_of()


def test_games_can_be_pickled() -> None:
    game = finished(3)
    game.undo()
    copy = pickle.loads(pickle.dumps(game))
    assert copy == game
    assert copy.redo() == game.redo()


@pytest.mark.parametrize(
    ("text", "position", "fault"),
    [
        ("", 0, "expected the edition"),
        ("classic", 7, "expected the line"),
        (START + " moves ", len(START) + 7, "expected pass or the letter of a patch"),
        (START + " moves", len(START), "expected the end of the state"),
        (START + " Moves pass", len(START), "expected the end of the state"),
        (START + " moves pass ", len(START) + 12, "expected pass or the letter of a patch"),
        (START + " moves  pass", len(START) + 7, "expected pass or the letter of a patch"),
        (START + " moves pass pas", len(START) + 13, "expected an orientation 0..7"),
        (START + " moves K8@a1", len(START) + 8, "expected an orientation 0..7"),
        (START + " moves K0-a1", len(START) + 9, "expected @"),
        (START + " moves K0@j1", len(START) + 10, "expected a column a..i"),
        (START + " moves K0@a0", len(START) + 11, "expected a row 1..9"),
        (START + " moves K0@a1x", len(START) + 12, "expected nothing more"),
        (START + " moves PASS", len(START) + 8, "expected an orientation 0..7"),
        (START + " moves h1@a1", len(START) + 8, "expected @"),
        (START + " moves é", len(START) + 7, "expected pass or the letter of a patch"),
    ],
)
def test_faults_of_a_line_are_named_by_place(text: str, position: int, fault: str) -> None:
    with pytest.raises(NotationError) as caught:
        Game.parse(text)
    assert (caught.value.position, caught.value.fault) == (position, fault)
    assert caught.value.text == text


def test_an_illegal_move_in_a_line_is_refused_with_its_reasons() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Game.parse(START + " moves pass L0@h1")
    assert caught.value.reasons == (Reason.NOT_IN_MARKET,)
    assert caught.value.move == "L0@h1"
    assert caught.value.state == str(State.parse(START).after("pass"))
    assert Move.parse("L0@h1") not in State.parse(START).legal_moves
