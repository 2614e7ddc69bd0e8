"""Games: history, undo and redo, endings, which patch lies where, the text of one line."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from patchwork import (
    Ending,
    EventKind,
    Game,
    IllegalMoveError,
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
    assert ply.cells == ()


def test_a_ply_knows_the_cells_that_it_covered() -> None:
    start = "classic Kdf 9/9/9/9/9/9/9/9/9 t20b9i0 9/9/9/9/9/9/9/9/9 t18b5i0 0* - -"
    game = Game(State.parse(start))
    for move in ("h@e5", "pass", "K1@a1"):
        game.play(move)
    assert [ply.cells for ply in game.plies] == [("e5",), (), ("b1", "a2", "b2", "c2")]
    assert [ply.player for ply in game.plies] == [0, 1, 0]


def test_moves_are_kept_with_the_lowest_number_of_their_orientation() -> None:
    # K is the T of four cells: mirrored it is itself, so 4..7 repeat 0..3.
    game = game_of("K5@a1")
    assert str(game.moves[0]) in {f"K{o}@a1" for o in range(4)}
    assert game.state == State.parse(START).after("K5@a1")


def test_action_ids_are_played_too() -> None:
    assert game_of().play(2025) == game_of().play("pass")


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
    for state in states[1:]:
        assert game.redo() == game.plies[-1]
        assert game.state == state


def test_a_new_move_forgets_what_was_undone() -> None:
    game = game_of("pass", "pass")
    game.undo()
    game.play("K0@a1")
    with pytest.raises(IndexError, match="redo"):
        game.redo()
    assert [str(move) for move in game.moves] == ["pass", "K0@a1"]


def test_an_ending_forgets_what_was_undone() -> None:
    game = game_of("pass", "pass")
    game.undo()
    game.resign(0)
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
    assert game.state_at(1) == game.state_at(-2) == game.start.after("pass")
    assert game.state_at(2) == game.state_at(-1) == game.state
    for n in (3, -4, 10**5000, -(10**5000)):
        with pytest.raises(IndexError, match="there is no state"):
            game.state_at(n)


def test_covers_tells_which_patch_lies_where() -> None:
    # K turned once lies with its stem up: b1, a2 b2 c2.
    game = game_of("K1@a1")
    assert game.covers(0) == dict.fromkeys(("b1", "a2", "b2", "c2"), "K")
    assert game.covers(1) == {}
    assert game.patch_at(0, "b2") == "K"
    assert game.patch_at(0, "a1") is None
    assert game.patch_at(1, "b2") is None
    assert set(game.covers(0)) == set(game.quilts[0].cells)


def test_cells_from_before_the_start_are_unknown() -> None:
    state = State.parse(START.replace("9/9/9/9/9/9/9/9/9 t0", "x8/9/9/9/9/9/9/9/9 t0", 1))
    game = Game(state)
    assert game.covers(0) == {"a1": "?"}
    assert game.patch_at(0, "a1") == "?"
    game.play("K0@b1")
    assert set(game.covers(0).values()) == {"?", "K"}


def test_every_covered_cell_of_a_game_has_its_patch() -> None:
    for seed in range(5):
        game = finished(seed)
        for player in (0, 1):
            covers = game.covers(player)
            assert set(covers) == set(game.quilts[player].cells)
            for letter in set(covers.values()) - {"h"}:
                cells = [cell for cell, patch in covers.items() if patch == letter]
                assert len(cells) == game.start.edition.patches[letter].cells


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
    assert game.state == game_of("pass").state
    game = game_of()
    game.resign(0)
    assert (game.ended, game.winner) == (Ending.RESIGNED, 1)


def test_a_resignation_can_be_undone_and_redone() -> None:
    game = game_of("pass")
    game.resign(1)
    assert game.undo() is Ending.RESIGNED
    assert game == game_of("pass")
    assert game.redo() is Ending.RESIGNED
    assert (game.ended, game.winner) == (Ending.RESIGNED, 0)
    game.undo()
    game.undo()
    assert game == game_of()
    assert [type(game.redo()).__name__ for _ in range(2)] == ["Ply", "Ending"]
    assert (game.ended, game.winner, len(game)) == (Ending.RESIGNED, 0, 1)


@pytest.mark.parametrize(
    ("move", "reasons"),
    [
        ("pass", ["game over"]),
        (2025, ["game over"]),
        ("L0@h1", ["game over", "not in the market"]),
        ("Y0@i9", ["game over", "not in the market", "cannot afford", "off the board"]),
        (-1, ["game over", "not an action"]),
        pytest.param(10**5000, ["game over", "not an action"], id="huge"),
    ],
)
def test_after_a_resignation_every_move_is_refused(move: Any, reasons: list[str]) -> None:
    game = game_of()
    game.resign(1)
    with pytest.raises(IllegalMoveError) as caught:
        game.play(move)
    assert list(caught.value.reasons) == reasons
    assert caught.value.state == START
    assert caught.value.held == (5 if "cannot afford" in reasons else None)
    assert (len(game), game.ended) == (0, Ending.RESIGNED)


@pytest.mark.parametrize(("move", "error"), [("K", NotationError), (None, TypeError)])
def test_what_is_no_move_is_none_after_the_end(move: Any, error: type[Exception]) -> None:
    game = game_of()
    game.resign(1)
    with pytest.raises(error):
        game.play(move)


@pytest.mark.parametrize("ending", ["timeout", "abandoned", "illegal"])
def test_a_game_can_be_ended_otherwise(ending: str) -> None:
    for winner in (0, 1, None):
        game = game_of()
        game.end(ending, winner)
        assert (game.ended.value, game.winner, game.is_over) == (ending, winner, True)


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda game: game.end("finished"), ValueError),
        (lambda game: game.end("unfinished"), ValueError),
        (lambda game: game.end("rain"), ValueError),
        (lambda game: game.resign(2), ValueError),
        (lambda game: game.resign(True), TypeError),
        (lambda game: game.resign("0"), TypeError),
        (lambda game: game.resign(-1), ValueError),
        (lambda game: game.resign(10**5000), ValueError),
        (lambda game: game.end(None), TypeError),
        (lambda game: game.end(2), TypeError),
        (lambda game: game.end("timeout", winner=3), ValueError),
        (lambda game: game.end("timeout", winner=False), TypeError),
        (lambda game: game.covers(-1), ValueError),
        (lambda game: game.covers(2), ValueError),
        (lambda game: game.covers(True), TypeError),
        (lambda game: game.patch_at(2, "a1"), ValueError),
        (lambda game: game.patch_at(0, "j1"), NotationError),
        (lambda game: game.patch_at(0, 5), TypeError),
        (lambda game: game.state_at("0"), TypeError),
        (lambda game: game.state_at(True), TypeError),
        (lambda game: game.state_at(0.0), TypeError),
        (lambda game: Game.parse(None), TypeError),
        (lambda game: Game.parse(str(game).encode()), TypeError),
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
    resigned = game_of()
    resigned.resign(0)
    for game in (resigned, finished()):
        before, ended = str(game), game.ended
        for ending in ("resigned", "timeout"):
            with pytest.raises(IllegalMoveError) as caught:
                game.end(ending)
            assert caught.value.reasons == (Reason.GAME_OVER,)
        assert (str(game), game.ended) == (before, ended)


def test_games_are_equal_by_start_moves_and_ending() -> None:
    assert game_of("pass") == game_of("pass")
    assert game_of("pass") != game_of()
    resigned = game_of("pass")
    resigned.resign(0)
    assert resigned != game_of("pass")
    assert game_of("pass") != game_of("pass").state
    with pytest.raises(TypeError):
        hash(resigned)


def test_a_game_without_moves_is_true() -> None:
    assert (bool(game_of()), len(game_of())) == (True, 0)


def test_its_representation_is_short() -> None:
    game = game_of("pass")
    assert repr(game) == "<Game: 1 plies, unfinished>"
    game.resign(0)
    assert repr(game) == "<Game: 1 plies, resigned>"


def test_a_game_is_one_line_of_text() -> None:
    game = finished(9)
    assert str(game) == f"{game.start} moves {' '.join(map(str, game.moves))}"
    assert Game.parse(str(game)) == game
    assert str(game_of()) == START
    assert Game.parse(START) == game_of()


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_copies_share_nothing(copied: Callable[[Game], Game]) -> None:
    game = game_of("pass", "pass", "K1@a1")
    game.undo()
    other = copied(game)
    assert other == game
    assert other.redo() == game.redo()
    game.undo()
    game.play("pass")
    game.resign(0)
    assert [str(move) for move in other.moves] == ["pass", "pass", "K1@a1"]
    assert other.ended is Ending.UNFINISHED


def test_copies_of_a_derived_class_keep_what_it_adds() -> None:
    class Named(Game):
        name = ""

    game = Named(Setup.from_line(LINE))
    game.name = "final"
    other = copy.copy(game)
    assert (type(other), other.name) == (Named, "final")


class History(RuleBasedStateMachine):
    """A game against two lists: the steps taken, and those undone."""

    def __init__(self) -> None:
        super().__init__()
        self.game = game_of()
        self.taken: list[str] = []
        self.undone: list[str] = []

    @rule(data=st.data())
    @precondition(lambda self: not self.game.is_over)
    def play(self, data: st.DataObject) -> None:
        moves = self.game.state.legal_moves
        move = moves[data.draw(st.integers(0, len(moves) - 1))]
        self.game.play(move)
        self.taken.append(str(move))
        self.undone.clear()

    @rule(ending=st.sampled_from(["resigned", "timeout", "abandoned", "illegal"]))
    @precondition(lambda self: not self.game.is_over)
    def end(self, ending: str) -> None:
        self.game.end(ending)
        self.taken.append(ending)
        self.undone.clear()

    @rule()
    @precondition(lambda self: self.taken)
    def undo(self) -> None:
        self.game.undo()
        self.undone.append(self.taken.pop())

    @rule()
    @precondition(lambda self: self.undone)
    def redo(self) -> None:
        self.game.redo()
        self.taken.append(self.undone.pop())

    @invariant()
    def is_what_was_taken(self) -> None:
        endings = [step for step in self.taken if step in list(Ending)]
        moves = [step for step in self.taken if step not in endings]
        state = self.game.start
        for number, move in enumerate(moves):
            assert self.game.plies[number].player == state.to_move
            state = state.after(move)
        assert [str(move) for move in self.game.moves] == moves
        assert self.game.state == state
        assert [ply.number for ply in self.game.plies] == list(range(len(moves)))
        assert self.game.ended == (endings or ["finished" if state.is_over else "unfinished"])[0]


TestHistory = History.TestCase
TestHistory.settings = settings(max_examples=30, stateful_step_count=40, deadline=None)


@pytest.mark.parametrize(
    ("text", "position", "fault"),
    [
        ("", 0, "expected the edition"),
        ("classic", 7, "expected the line"),
        ("nosuch" + START[7:], 0, None),
        (START.replace("t0b5i0", "t99b5i0", 1), START.index("t0b5i0"), None),
        (START + "\n", len(START) - 1, "expected 0, 1 or -"),
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
def test_faults_of_a_line_are_named_by_place(text: str, position: int, fault: str | None) -> None:
    with pytest.raises(NotationError) as caught:
        Game.parse(text)
    assert caught.value.position == position
    assert fault in (None, caught.value.fault)
    assert caught.value.text == text


def test_an_illegal_move_in_a_line_is_refused_with_its_reasons() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Game.parse(START + " moves pass L0@h1")
    assert caught.value.reasons == (Reason.NOT_IN_MARKET,)
    assert caught.value.move == "L0@h1"
    assert caught.value.state == str(State.parse(START).after("pass"))
    (note,) = caught.value.__notes__
    assert note == f"It is ply 1 of a game, at position {len(START) + 12} of its line."
