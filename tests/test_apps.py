"""The small apps in examples/: each does what it says, on public names only."""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from patchwork import ACTIONS, Batch, Game, Move, Random, Setup, State
from patchwork.records import Record

FOLDER = Path(__file__).parent.parent / "examples"
APPS = sorted(file.stem for file in FOLDER.glob("*.py"))
SETUP = Setup.from_line("KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA")


def app(name: str) -> Any:
    """The module of an app, loaded once."""
    module = f"examples_{name}"
    if module not in sys.modules:
        spec = importlib.util.spec_from_file_location(module, FOLDER / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[module] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[module])
    return sys.modules[module]


def random_game(seed: int, edition: str = "classic") -> Game:
    game, rng = Game(Setup.random(seed, edition)), Random(seed)
    while not game.is_over:
        game.play(game.state.legal_moves.sample(rng))
    return game


def imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


@pytest.mark.parametrize("name", APPS)
def test_apps_use_public_names_only(name: str) -> None:
    tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    for module, imported in imports(tree):
        if module.partition(".")[0] == "patchwork":
            assert imported in importlib.import_module(module).__all__
            assert "._" not in module
    private = [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_")
        if not (isinstance(node.value, ast.Name) and node.value.id == "self")
    ]
    assert private == []


@pytest.mark.parametrize("name", [name for name in APPS if hasattr(app(name), "main")])
def test_apps_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    app(name).main()
    assert capsys.readouterr().out


# A game server


@pytest.fixture
def session() -> Any:
    return app("server").Session(Game(SETUP))


def test_a_session_tells_clients_what_happened(session: Any) -> None:
    events = session.play(0, 0, "K1@a1")
    assert [event["kind"] for event in events] == ["bought", "placed", "moved", "next player"]
    json.dumps(session.view())
    assert session.view()["covers"][0] == {"b1": "K", "a2": "K", "b2": "K", "c2": "K"}


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ((1, 0, "pass"), "not your turn"),
        ((0, 1, "pass"), "at ply 0"),
        ((0, 0, "f0@i1"), "cannot afford, off the board"),
    ],
)
def test_a_session_turns_wrong_requests_down(session: Any, request_: Any, answer: str) -> None:
    before = session.save()
    with pytest.raises(app("server").RequestError, match=answer):
        session.play(*request_)
    assert session.save() == before


def test_a_session_takes_back_the_moves_of_a_seat(session: Any) -> None:
    session.play(0, 0, "K1@a1")
    session.play(1, 1, "pass")
    session.undo(0, 2)
    assert session.game.state == SETUP.start()
    for seat, ply in ((1, 0), (0, 1)):
        with pytest.raises(app("server").RequestError, match="nothing to take back"):
            session.undo(seat, ply)


def test_a_client_that_comes_back_is_told_what_it_missed(session: Any) -> None:
    session.play(0, 0, "K1@a1")
    session.play(1, 1, "pass")
    restored = app("server").Session.load(session.save())
    assert restored.view() == session.view()
    missed = restored.catch_up(1)["events"]
    assert [event["kind"] for event in missed[0]] == ["moved", "paid for spaces", "next player"]
    assert restored.catch_up(2) == {"events": []}
    assert restored.catch_up(7)["restart"] == restored.view()


# A chat bot


def test_the_bot_answers_with_its_own_move() -> None:
    saved, answer = app("chat_bot").turn(str(Game(SETUP)), " k1A1 ")
    game = Game.parse(saved)
    assert game.moves[0] == Move("K", 1, "a1")
    assert game.state.to_move == 0
    assert answer.startswith(f"I play {', '.join(map(str, game.moves[1:]))}.\n```\n")


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("help", "Say a move such as L0@h1"),
        ("good morning", "I don't understand: expected a column a..i. Say"),
        ("L0@h1", "That is not possible: not in the market."),
        ("undo", "```\nclassic - player 0 to move"),
    ],
)
def test_the_bot_explains_itself_and_keeps_the_game(message: str, answer: str) -> None:
    saved, said = app("chat_bot").turn(str(Game(SETUP)), message)
    assert said.startswith(answer)
    assert Game.parse(saved) == Game(SETUP)


def test_the_bot_takes_back_down_to_the_move_of_the_human() -> None:
    bot = app("chat_bot")
    saved, _ = bot.turn(str(Game(SETUP)), "K1@a1")
    assert Game.parse(bot.turn(saved, "undo")[0]) == Game(SETUP)


def test_the_bot_plays_a_game_to_its_end() -> None:
    saved = ""
    for _ in range(100):
        legal = Game.parse(saved).state.legal_moves if saved else None
        saved, answer = app("chat_bot").turn(saved, str(legal[0]) if legal else "pass")
        if Game.parse(saved).is_over:
            break
    assert "wins" in answer
    assert app("chat_bot").turn(saved, "pass") == (saved, answer[answer.index("```") :])


# Two people at one terminal


def hot_seat(*words: str) -> tuple[Game, list[str]]:
    game, told, typed = Game(SETUP), [], iter(words)
    app("hot_seat").play(game, lambda prompt: next(typed), told.append)
    return game, told


def test_the_hot_seat_ends_with_a_resignation() -> None:
    game, told = hot_seat("k1a1", "undo", "redo", "resign")
    assert (game.moves, game.winner) == ((Move("K", 1, "a1"),), 0)
    assert "resigned, player 0 wins" in told[-1]


def test_the_hot_seat_explains_what_it_cannot_do() -> None:
    _, told = hot_seat("hello", "L0@h1", "undo", "redo", "?", "resign")
    answers = told[1::2]
    assert answers[0].endswith("say " + app("hot_seat").HELP)
    assert answers[1] == "refused: not in the market"
    assert answers[2].endswith("no move to undo")
    assert answers[3].endswith("no move to redo")
    assert answers[4].splitlines() == [
        "K: 224 placements",
        "d: 224 placements",
        "f: cannot afford",
    ]


def test_the_hot_seat_stops_at_the_end_of_the_game() -> None:
    game, told = hot_seat(*map(str, Game.parse(all_pass()).moves))
    assert game.state.is_over
    assert "-104 to -94, player 1 wins on points" in told[-1]


def all_pass() -> str:
    """A game in which both only pass; special patches go to the first free cell."""
    game = Game(SETUP)
    while not game.is_over:
        game.play("pass" if "pass" in game.state.legal_moves else game.state.legal_moves[0])
    return str(game)


# A puzzle


def test_the_puzzle_has_its_solution() -> None:
    puzzle = app("puzzle")
    (winner, lead), line = puzzle.solve(puzzle.position())
    assert (winner, lead) == (1, 1)
    game = Game(puzzle.position())
    for move in line:
        game.play(move)
    assert game.scores[0] - game.scores[1] == lead
    assert game.state.tile_holder == 0


def test_passing_at_once_does_not_solve_the_puzzle() -> None:
    puzzle = app("puzzle")
    assert puzzle.solve(puzzle.position().after("pass"))[0] == (-1, -1)


# A foreign log


def log_of(game: Game) -> list[list[tuple[int, int]]]:
    places = {cell: (int(cell[1]) - 1, "abcdefghi".index(cell[0])) for cell in all_cells()}
    states = [game.state_at(n) for n in range(len(game))]
    pairs = zip(states, game.moves, strict=True)
    return [[places[cell] for cell in state.cells(move)][::-1] for state, move in pairs]


def all_cells() -> list[str]:
    return [f"{column}{row}" for row in range(1, 10) for column in "abcdefghi"]


@pytest.mark.parametrize("seed", range(10))
def test_a_log_of_cells_gives_the_game_back(seed: int) -> None:
    game = random_game(seed)
    start = game.start
    setup = Setup.from_line(start.line, start.edition)
    read = app("import_log").read_log(setup, log_of(game))
    assert [str(state) for state in states(read)] == [str(state) for state in states(game)]


def states(game: Game) -> list[State]:
    return [game.state_at(n) for n in range(len(game) + 1)]


def test_what_follows_tells_two_patches_of_one_shape_apart() -> None:
    # B and C have one shape. Only behind C is L on offer, only behind B is there that shape again.
    setup = Setup.from_line("BCdKLfDEFGHIJMNOPQRSTUVWXYZabcegA")
    for moves in (["C0@a1", "pass", "L0@h1"], ["B0@a1", "pass", "C0@d1"]):
        game = Game(setup)
        for move in moves:
            game.play(move)
        assert app("import_log").read_log(setup, log_of(game)) == game


def test_a_log_that_no_game_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no game covers these cells"):
        app("import_log").read_log(SETUP, [[(0, 0), (8, 8)]])


# House rules


def test_a_game_under_house_rules_is_read_back_with_its_edition() -> None:
    game = app("house_rules").random_game(1)
    record = Record.parse(str(game.to_record()))
    assert record.replay() == game
    assert record.edition.final == 35
    assert "Q" not in record.edition.patches
    assert record.start.players[0].buttons == 10


# Tree search


def test_the_search_finds_the_only_winning_move() -> None:
    # Player 0 moves twice: he has to buy first and to pass then.
    position = app("puzzle").position()
    move = app("mcts").search(position, 2000, Random(1))
    assert move.patch == "A"


@pytest.mark.parametrize("player", [0, 1])
def test_the_search_counts_for_the_player_who_moves_again(player: int) -> None:
    # The other player is done: to pass ties and loses (R41), to buy and then to pass wins.
    full = "/".join(["x" * 9] * 8 + ["xxxxxxx2"])
    state = SETUP.start().replace(
        line="A",
        quilts=(full, full),
        positions=(51, 53) if player == 0 else (53, 51),
        buttons=(3, 5) if player == 0 else (5, 3),
        to_move=player,
        finished_first=1 - player,
    )
    assert state.after("pass").winner == 1 - player
    assert state.after("A1@h9").after("pass").winner == player
    assert app("mcts").search(state, 50, Random(1)) == Move("A", 1, "h9")


# Self-play


def test_self_play_labels_each_ply_with_the_result_for_its_player() -> None:
    numpy = pytest.importorskip("numpy")
    play = app("self_play")
    batch = Batch.random(3, seed=5)
    starts = list(batch[:])
    samples = play.play(batch, play.untrained, numpy.random.default_rng(1))
    assert list(batch.is_over()) == [1, 1, 1]
    assert State.from_bytes(samples[0].state) == starts[0]
    for sample in samples:
        state = State.from_bytes(sample.state)
        assert state.to_move == sample.player
        assert set(numpy.flatnonzero(sample.probabilities)) == set(state.legal_moves.actions())
        assert sample.probabilities.sum() == pytest.approx(1)
    begins = [State.from_bytes(sample.state) in starts for sample in samples]
    for number, sample in zip(accumulate(begins), samples, strict=True):
        assert sample.result == batch[number - 1].returns[sample.player]


def test_self_play_follows_its_policy() -> None:
    numpy = pytest.importorskip("numpy")

    def passes(batch: Batch) -> Any:
        logits = numpy.zeros((len(batch), ACTIONS))
        logits[:, ACTIONS - 1] = 1000
        return logits

    batch = Batch([SETUP])
    app("self_play").play(batch, passes, numpy.random.default_rng(1))
    assert batch[0].scores == (-104, -94)


# A replay stepper


def test_the_stepper_goes_to_any_ply() -> None:
    game = random_game(3)
    stepper = app("replay_stepper").Stepper(game.to_record(comments={2: "well!"}))
    assert stepper.caption() == f"0/{len(game)} start"
    assert not stepper.back()
    assert stepper.jump(2)
    assert stepper.caption() == f"2/{len(game)} {game.plies[1].player}: {game.moves[1]} well!"
    assert stepper.back()
    assert stepper.forward()
    assert stepper.ply == 2
    assert stepper.jump(len(game))
    assert "wins" in stepper.frame()
    assert not stepper.forward()
    assert not stepper.jump(-1)


def test_the_stepper_ends_with_a_resignation() -> None:
    game = Game(SETUP)
    game.play("pass")
    game.resign(1)
    stepper = app("replay_stepper").Stepper(game.to_record())
    assert "resigned" not in stepper.frame()
    for _ in range(2):
        assert stepper.jump(1)
        assert "resigned, player 0 wins" in stepper.frame()
    assert stepper.back()
    assert "resigned" not in stepper.frame()


# A spectator's feed


def test_the_feed_tells_a_game() -> None:
    game = Game(SETUP)
    game.play("K1@a1")
    game.play("pass")
    assert list(app("event_feed").feed(game, ("Ann", "Bob"))) == [
        "1. Ann buys patch K; it covers b1 a2 b2 c2; Ann moves from 0 to 2; Bob is to move",
        "2. Bob moves from 0 to 3; Bob is paid 3 for the way; Ann is to move",
    ]


@pytest.mark.parametrize("edition", ["classic", "express"])
def test_the_feed_has_a_sentence_for_all_that_happens(edition: str) -> None:
    for seed in range(20):
        game = random_game(seed, edition)
        *_, result = app("event_feed").feed(game, ("Ann", "Bob"))
        assert result.startswith(f"{('Ann', 'Bob')[game.winner or 0]} wins, ")


# Statistics


def test_the_figures_are_those_of_the_games() -> None:
    game = Game(SETUP)
    game.play("pass")
    assert app("game_statistics").figures([game]) == {
        "plies": 1,
        "moves to choose from": 449,
        "points": -156.5,
        "empty cells": 81,
        "tile won": 0,
        "start player wins": 0,
    }


def test_purchases_are_counted_without_special_patches() -> None:
    passing = Game.parse(all_pass())
    game = Game(SETUP)
    game.play("K1@a1")
    assert app("game_statistics").purchases([passing, game, game]) == {"K": 2}
    assert app("game_statistics").figures([passing])["plies"] == 59


def test_random_games_are_the_same_however_many_are_asked_for() -> None:
    games = app("game_statistics").random_games
    assert list(games(4, seed=9))[:2] == list(games(2, seed=9))
    assert [game.start.to_move for game in games(4, seed=9)] == [0, 1, 0, 1]


# A front end


def test_a_patch_is_turned_flipped_previewed_and_dropped() -> None:
    game = Game(Setup.random(7))
    hand = app("drag_and_drop").Hand.choose(game, slot=2)
    assert hand.rows == ("xx", ".x", ".x", "xx")
    hand.turn()
    assert hand.rows == ("x..x", "xxxx")
    hand.flip()
    hand.turn()
    assert hand.rows == ("xx", "x.", "x.", "xx")
    preview = hand.hover("h6")
    assert preview.cells == ("h6", "i6", "h7", "h8", "h9", "i9")
    assert (preview.reasons, game.state) == ((), Setup.random(7).start())
    assert hand.drop("h6") == preview.events
    assert game.covers(0) == dict.fromkeys(preview.cells, "L")


def test_a_preview_says_why_a_patch_does_not_fit() -> None:
    hand = app("drag_and_drop").Hand.choose(Game(SETUP), slot=0)
    assert hand.hover("i9").cells == ()
    assert [reason.value for reason in hand.hover("i9").reasons] == ["off the board"]


def test_a_special_patch_is_in_the_hand_when_one_waits() -> None:
    state = State.parse("classic - 9/9/9/9/9/9/9/9/9 t20b9i0 9/9/9/9/9/9/9/9/9 t18b5i0 0* - -")
    hand = app("drag_and_drop").Hand.choose(Game(state), slot=0)
    hand.turn()
    hand.flip()
    assert hand.rows == ("x",)
    assert [event.kind.value for event in hand.drop("e5")] == ["special placed", "next player"]
