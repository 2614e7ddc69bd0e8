"""States: their fields, their moves, and states changed by hand."""

from __future__ import annotations

import gc
import json
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pytest
from reference import Reference

import patchwork as pw
from patchwork import (
    PASS,
    BytesError,
    Event,
    EventKind,
    IllegalMoveError,
    Move,
    NotationError,
    Outcome,
    Player,
    Quilt,
    Random,
    Reason,
    Score,
    Setup,
    State,
    StateError,
    _core,
)

LINE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
START = Setup.from_line(LINE).start()
EMPTY = "9/9/9/9/9/9/9/9/9"
FULL = "/".join(["xxxxxxxxx"] * 9)


def position(line: str, first: str, second: str, end: str = "0 - -", quilt: str = EMPTY) -> State:
    """A position of the base game; player 1's quilt is empty."""
    return State.parse(f"classic {line} {quilt} {first} {EMPTY} {second} {end}")


# Player 0 has bought K (cost 2, time 2, no income), then player 1 has bought b (7, 2, 2).
WAITS = position("KdfA", "t20b9i1", "t19b9i0", "0* - -", "x8/" + EMPTY[2:])
OVER = position("KdfA", "t53b20i1", "t53b9i0", "- 1 1")


# Fields


def test_a_start() -> None:
    assert START.edition is pw.edition("classic")
    assert (START.line, START.reserve, START.market) == (LINE, "", "Kdf")
    assert (START.to_move, START.is_over, START.specials_waiting) == (0, False, 0)
    assert START.specials_left == (20, 26, 32, 44, 50)
    assert (START.tile_holder, START.finished_first, START.winner) == (None, None, None)
    assert START.scores == (5 - 162, 5 - 162)
    assert START.returns == (0, 0)
    for player in START.players:
        assert (player.position, player.buttons, player.income) == (0, 5, 0)
        assert (len(player.quilt), player.quilt.empty, player.quilt.size) == (0, 81, 9)
    assert Setup.from_line(LINE, start_player=1).start().to_move == 1


def test_the_market_is_short_at_the_end_of_the_line() -> None:
    for line, market in (("KdfA", "Kdf"), ("KdA", "KdA"), ("A", "A"), ("-", "")):
        state = position(line, "t0b0i0", "t0b0i0")
        assert state.market == market
        assert [offer.patch for offer in state.offers] == list(market)


def test_special_patches_that_are_left() -> None:
    assert position("A", "t20b0i0", "t10b0i0", "1 - -").specials_left == (26, 32, 44, 50)
    assert WAITS.specials_left == (26, 32, 44, 50)
    assert (WAITS.to_move, WAITS.specials_waiting) == (0, 1)
    assert position("A", "t49b0i0", "t10b0i0", "1 - -").specials_left == (50,)
    assert OVER.specials_left == ()


def test_income_that_is_left() -> None:
    # Markers on 5, 11, 17, 23, 29, 35, 41, 47, 53.
    state = position("A", "t17b0i3", "t53b0i2", "0 - 1")
    assert (state.income_left(0), state.income_left(1)) == (6 * 3, 0)
    assert position("A", "t16b0i3", "t4b0i1", "1 - -").income_left(0) == 7 * 3
    for player in (2, -1, 1 << 90):
        with pytest.raises(ValueError, match=r"player must be in 0\.\.1"):
            START.income_left(player)
    for wrong in (True, 0.0, "0", None):
        with pytest.raises(TypeError):
            START.income_left(wrong)  # type: ignore[arg-type]


def test_the_end() -> None:
    assert (OVER.to_move, OVER.is_over, OVER.finished_first, OVER.tile_holder) == (None, True, 1, 1)
    assert OVER.scores == (20 - 162, 9 + 7 - 162)
    assert (OVER.winner, OVER.returns) == (0, (1, -1))
    parts = (Score(20, 0, 81), Score(9, 7, 81))
    assert OVER.outcome == Outcome(parts, 0, "points")
    assert [score.total for score in parts] == [-142, -146]
    tie = OVER.replace(buttons=(16, 9))
    assert tie.scores == (-146, -146)
    assert (tie.winner, tie.returns, tie.outcome.decided_by) == (1, (-1, 1), "finished first")
    assert tie.replace(finished_first=0).winner == 0


def test_before_the_end_nobody_has_won() -> None:
    state = position("A", "t53b90i1", "t52b9i0", "1 0 0")
    assert (state.winner, state.returns, state.scores) == (None, (0, 0), (90 + 7 - 162, 9 - 162))
    assert (state.outcome.winner, state.outcome.decided_by) == (None, None)


def test_states_are_values() -> None:
    twin = State.parse(str(START))
    assert twin == START
    assert hash(START) == hash(twin)
    assert len({START, twin, START.after(PASS)}) == 2
    assert str(START) != START
    with pytest.raises(AttributeError):
        START.line = "K"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        START.other = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        twin > START  # type: ignore[operator]  # noqa: B015
    assert not gc.is_tracked(START)
    assert not gc.is_tracked(START.legal_moves)


def test_states_are_not_made_by_hand() -> None:
    with pytest.raises(TypeError, match=r"use Setup\.start"):
        State()
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (State,), {})


def test_a_state_made_of_nothing_does_no_harm() -> None:
    nothing = State.__new__(State)
    assert nothing.playout(1).is_over
    assert nothing.line == ""
    assert list(nothing.legal_moves) == [PASS]
    for use in (str, repr, State.to_dict, State.problems, State.replace, lambda s: s.edition):
        with pytest.raises(TypeError, match="belongs to no edition"):
            use(nothing)
    with pytest.raises(BytesError, match="unknown edition"):
        State.from_bytes(bytes(nothing))


# Quilts and players


def test_quilts() -> None:
    quilt = Quilt.parse("xx7/x8/9/9/9/9/9/9/8x")
    assert quilt.cells == tuple(quilt) == ("a1", "b1", "a2", "i9")
    assert quilt.mask == 1 | 1 << 1 | 1 << 9 | 1 << 80
    assert quilt.rows[:3] == ("xx.......", "x........", ".........")
    assert quilt.rows[8] == "........x"
    assert (len(quilt), quilt.empty, quilt.size) == (4, 77, 9)
    assert "a1" in quilt
    assert "c1" not in quilt
    assert str(quilt) == "xx7/x8/9/9/9/9/9/9/8x"
    assert eval(repr(quilt), {"Quilt": Quilt}) == quilt
    assert quilt
    assert Quilt.parse(EMPTY)


def test_quilts_are_compared_with_their_edition() -> None:
    quilt = Quilt.parse(EMPTY)
    assert quilt == Quilt.parse(EMPTY, "classic") == Quilt.parse(EMPTY, pw.edition("classic"))
    assert hash(quilt) == hash(START.players[0].quilt)
    assert quilt != Quilt.parse(EMPTY, "revised")
    assert quilt != Quilt.parse("x8" + EMPTY[1:])
    assert quilt != EMPTY
    assert Quilt.parse(EMPTY, "revised").edition is pw.edition("revised")


def test_what_quilts_refuse() -> None:
    for text, position in (("", 0), ("9", 1), (EMPTY + "/9", 17), ("x9" + EMPTY[1:], 1)):
        with pytest.raises(NotationError) as caught:
            Quilt.parse(text)
        assert caught.value.position == position
    with pytest.raises(TypeError):
        Quilt.parse(5)  # type: ignore[arg-type]
    with pytest.raises(pw.EditionError, match="unknown edition"):
        Quilt.parse(EMPTY, "chess")
    with pytest.raises(NotationError):
        "a10" in START.players[0].quilt  # noqa: B015
    with pytest.raises(TypeError):
        5 in START.players[0].quilt  # type: ignore[comparison-overlap]  # noqa: B015
    for kind in (Quilt, Player):
        with pytest.raises(TypeError):
            kind()


def test_players() -> None:
    first, second = WAITS.players
    assert (first.position, first.buttons, first.income) == (20, 9, 1)
    assert first.quilt.cells == ("a1",)
    assert first != second
    assert START.players[0] == START.players[1] == State.parse(str(START)).players[0]
    assert hash(START.players[0]) == hash(START.players[1])
    assert first != first.quilt
    assert repr(first) == f"<Player position=20 buttons=9 income=1 quilt='x8/{EMPTY[2:]}'>"


# Moves


def test_a_pass() -> None:
    # Small cases 1 and 2 of the rules.
    first = START.after("pass")
    assert (first.players[0].position, first.players[0].buttons, first.to_move) == (1, 6, 1)
    second = first.after(PASS)
    assert (second.players[1].position, second.players[1].buttons, second.to_move) == (2, 7, 0)
    assert START.to_move == 0


def test_a_purchase() -> None:
    state = START.after("d0@b2")
    assert state.line == LINE[2:] + "K"
    player = state.players[0]
    assert (player.position, player.buttons, player.income) == (2, 4, 0)
    assert player.quilt.cells == ("b2", "d2", "b3", "c3", "d3") == START.cells("d0@b2")
    assert state.to_move == 1
    assert START.line == LINE


@pytest.mark.parametrize("move", ["d0@b2", Move.parse("d0@b2"), (1 * 8 + 0) * 81 + 10])
def test_a_move_as_text_and_as_action_id(move: Any) -> None:
    assert START.after(move) == START.after("d0@b2")
    assert START.events(move) == START.events("d0@b2")
    assert START.why_illegal(move) is None
    assert START.cells(move) == ("b2", "d2", "b3", "c3", "d3")


def test_integers_of_any_type_are_action_ids() -> None:
    class Pass:
        def __index__(self) -> int:
            return 2025

    for action in (2025, Pass(), np.int64(2025), np.uint16(2025)):
        assert START.after(action) == START.after(PASS)
        assert START.action_to_move(action) == PASS


USES: list[Callable[[State, Any], object]] = [
    State.after,
    State.events,
    State.why_illegal,
    State.cells,
]


@pytest.mark.parametrize("use", USES)
def test_wrong_types(use: Callable[[State, Any], object]) -> None:
    wrong = [None, True, False, 1.0, b"pass", ["pass"], START, np.bool_(True), np.float64(1)]
    for move in wrong:
        with pytest.raises(TypeError):
            use(START, move)


def test_ids_that_are_none() -> None:
    for action in (-1, 2026, -(1 << 64), 1 << 64, 1 << 100_000):
        for use in (START.after, START.events, START.cells, START.action_to_move):
            with pytest.raises(IllegalMoveError) as caught:
                use(action)
            assert caught.value.reasons == (Reason.NOT_AN_ACTION,)
            assert caught.value.move.startswith("action ")
        assert START.why_illegal(action) == (Reason.NOT_AN_ACTION,)
        assert OVER.why_illegal(action) == (Reason.GAME_OVER, Reason.NOT_AN_ACTION)
        assert WAITS.why_illegal(action) == (Reason.NOT_AN_ACTION, Reason.SPECIAL_FIRST)


def test_action_ids() -> None:
    pairs = {
        "K0@a1": 0,
        "K3@b1": 3 * 81 + 1,
        "d1@i9": (8 + 1) * 81 + 80,
        "f0@a1": 16 * 81,
        "pass": 2025,
        "h@e5": 24 * 81 + 40,
    }
    for text, action in pairs.items():
        assert START.move_to_action(text) == START.move_to_action(Move.parse(text)) == action
        assert str(START.action_to_move(action)) == text
    # K mirrored is K turned by 180 degrees.
    assert START.move_to_action("K4@a1") == 2 * 81
    for text in ("L0@h1", "i0@a1"):
        with pytest.raises(IllegalMoveError) as caught:
            START.move_to_action(text)
        assert Reason.NOT_IN_MARKET in caught.value.reasons
    for wrong in (0, None, 1.5):
        with pytest.raises(TypeError):
            START.move_to_action(wrong)  # type: ignore[arg-type]
    for text in ("0", "pass"):
        with pytest.raises(TypeError):
            START.action_to_move(text)  # type: ignore[arg-type]


def test_ids_that_stand_for_no_move_here() -> None:
    short = position("K", "t0b5i0", "t0b5i0")
    for state, action, reason in (
        (START, 4 * 81, Reason.NO_SUCH_ORIENTATION),
        (short, 8 * 81, Reason.NOT_IN_MARKET),
        (short, 23 * 81, Reason.NOT_IN_MARKET),
    ):
        for use in (state.after, state.cells, state.action_to_move):
            with pytest.raises(IllegalMoveError) as caught:
                use(action)
            assert caught.value.reasons == (reason,)


def test_cells() -> None:
    assert START.cells("L0@h1") == ("h1", "i1", "i2", "i3", "h4", "i4")
    assert START.cells("h@e5") == ("e5",)
    assert START.cells("pass") == ()
    assert START.cells("L0@i1") == ()  # off the board
    assert START.cells("i0@a1") == ()  # no patch of the edition
    assert OVER.cells("A1@a1") == ("a1", "b1")


def test_perft() -> None:
    assert [START.perft(depth) for depth in (0, 1)] == [1, 449]
    assert START.perft(2) == sum(len(START.after(move).legal_moves) for move in START.legal_moves)
    assert (OVER.perft(0), OVER.perft(1), OVER.perft(999)) == (1, 0, 0)
    assert WAITS.perft(1) == 80
    # One space to go each, and nothing to buy: pass, pass.
    last = position("-", "t52b0i0", "t52b0i0")
    assert [last.perft(depth) for depth in range(4)] == [1, 1, 1, 0]
    for depth in (-1, 1000, 1 << 80):
        with pytest.raises(ValueError, match=r"depth must be in 0\.\.999"):
            START.perft(depth)
    for wrong in (True, 1.0, "1", None):
        with pytest.raises(TypeError):
            START.perft(wrong)  # type: ignore[arg-type]


# Text that people type


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("L0@h1", "L0@h1"),
        ("L0h1", "L0@h1"),
        ("L0@H1", "L0@h1"),
        ("  L0@h1\n", "L0@h1"),
        ("PASS", "pass"),
        (" Pass ", "pass"),
        ("k3A1", "K3@a1"),  # K is on offer, k is not
        ("D1@a1", "d1@a1"),
        ("l0@h1", "l0@h1"),  # neither is
        ("F0@a1", "f0@a1"),
        ("0:3@h1", "K3@h1"),
        ("1:3h1", "d3@h1"),
        ("2:0@a1", "f0@a1"),
        ("h@e5", "h@e5"),
        ("H@e5", "h@e5"),
        ("he5", "h@e5"),
        ("h3@e5", "H3@e5"),
    ],
)
def test_forgiving_notation(typed: str, move: str) -> None:
    assert START.read_move(typed) == Move.parse(move)


def test_both_cases_on_offer() -> None:
    state = position("AaKdf", "t0b5i0", "t0b5i0")
    assert str(state.read_move("A0@a1")) == "A0@a1"
    assert str(state.read_move("a0@a1")) == "a0@a1"


def test_a_special_patch_that_waits() -> None:
    for typed in ("h0@e5", "H0E5", "h@e5"):
        assert str(WAITS.read_move(typed)) == "h@e5"


@pytest.mark.parametrize(
    ("typed", "position"),
    [
        ("", 0),
        ("  ", 2),
        ("pas", 2),
        ("h1", 0),
        ("@h1", 0),
        ("L@h1", 0),
        ("L8@h1", 1),
        ("L0@h0", 4),
        (" L0@j1", 4),
        ("LL0@h1", 0),
        ("3:0@h1", 0),
        ("0:@h1", 1),
        ("9:0@h1", 0),
        ("é0@h1", 0),
        ("L0@@h1", 2),
        ("\u2167@a1", 0),
    ],
)
def test_what_nobody_can_mean(typed: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        START.read_move(typed)
    assert (caught.value.text, caught.value.position) == (typed, position)


def test_an_empty_slot_cannot_be_meant() -> None:
    with pytest.raises(NotationError, match="a slot that holds a patch"):
        position("Kd", "t0b5i0", "t0b5i0").read_move("2:0@a1")
    with pytest.raises(TypeError):
        START.read_move(2025)  # type: ignore[arg-type]


# Offers


def test_offers() -> None:
    offers = START.offers
    assert [(offer.slot, offer.patch) for offer in offers] == [(0, "K"), (1, "d"), (2, "f")]
    assert [(offer.cost, offer.time, offer.income) for offer in offers] == [
        (2, 2, 0),
        (1, 2, 0),
        (7, 6, 3),
    ]
    assert [len(offer.placements) for offer in offers] == [224, 224, 224]
    assert [offer.reasons for offer in offers] == [(), (), (Reason.CANNOT_AFFORD,)]


def test_all_reasons_against_an_offer() -> None:
    def reasons(state: State) -> list[tuple[Reason, ...]]:
        return [offer.reasons for offer in state.offers]

    full = position("KdfA", "t9b2i0", "t9b9i0", "0 - -", FULL)
    assert reasons(full)[0] == (Reason.FITS_NOWHERE,)
    assert reasons(full)[2] == (Reason.CANNOT_AFFORD, Reason.FITS_NOWHERE)
    poor = WAITS.replace(buttons=(1, 9), quilts=(FULL.replace("x", "1", 1), EMPTY))
    assert reasons(poor)[0] == (
        Reason.SPECIAL_FIRST,
        Reason.CANNOT_AFFORD,
        Reason.FITS_NOWHERE,
    )
    assert reasons(OVER) == [(Reason.GAME_OVER,)] * 3
    assert [len(offer.placements) for offer in OVER.offers] == [0, 0, 0]


# Events


def test_events_of_a_pass() -> None:
    # Small case 4: from 19 to 26, past the marker on 23, onto the special patch on 26.
    state = position("A", "t19b5i2", "t25b5i0")
    assert state.events("pass") == (
        Event(EventKind.MOVED, 0, 0, "R15", origin=19, space=26),
        Event(EventKind.PAID_FOR_SPACES, 0, 7, "R15"),
        Event(EventKind.INCOME, 0, 2, "R30", space=23),
        Event(EventKind.SPECIAL_WON, 0, 0, "R32", space=26),
        Event(EventKind.NEXT_PLAYER, 0, 0, "R14"),
    )
    after = state.after("pass")
    assert (after.players[0].buttons, after.specials_waiting) == (14, 1)


def test_events_of_a_purchase() -> None:
    assert START.events("d0@b2") == (
        Event(EventKind.BOUGHT, 0, -1, "R23", patch="d", slot=1),
        Event(EventKind.PLACED, 0, 0, "R24", patch="d", cells=("b2", "d2", "b3", "c3", "d3")),
        Event(EventKind.MOVED, 0, 0, "R26", origin=0, space=2),
        Event(EventKind.NEXT_PLAYER, 1, 0, "R10"),
    )


def test_events_of_the_end() -> None:
    # Small case 7: L costs 1, takes 5 and brings 1; the token moves one space and is paid on 53.
    state = position("LA", "t52b5i2", "t53b5i0", "0 - 1")
    cells = ("h1", "i1", "i2", "i3", "h4", "i4")
    assert state.events("L0@h1") == (
        Event(EventKind.BOUGHT, 0, -1, "R23", patch="L", slot=0),
        Event(EventKind.PLACED, 0, 0, "R24", patch="L", cells=cells),
        Event(EventKind.MOVED, 0, 0, "R27", origin=52, space=53),
        Event(EventKind.INCOME, 0, 3, "R31", space=53),
        Event(EventKind.GAME_OVER, 0, 0, "R39"),
    )
    first = position("A", "t52b5i2", "t52b5i0").events("pass")
    assert [(event.kind.value, event.rule) for event in first] == [
        ("moved", "R15"),
        ("paid for spaces", "R15"),
        ("income", "R31"),
        ("finished first", "R41"),
        ("next player", "R13"),
    ]
    cut = position("A", "t50b5i2", "t53b5i0", "0 - 1").events("pass")
    assert [(event.kind.value, event.rule) for event in cut[:2]] == [
        ("moved", "R17"),
        ("paid for spaces", "R17"),
    ]


def test_events_of_a_special_patch() -> None:
    # Small case 9: the last cell of a 7 x 7 block.
    quilt = "/".join(["xxxxxxx2"] * 6 + ["xxxxxx3", "9", "9"])
    state = position("A", "t20b5i2", "t19b5i0", "0* - -", quilt)
    assert state.events("h@g7") == (
        Event(EventKind.SPECIAL_PLACED, 0, 0, "R33", cells=("g7",)),
        Event(EventKind.TILE_WON, 0, 0, "R37", points=7),
        Event(EventKind.NEXT_PLAYER, 1, 0, "R10"),
    )
    assert state.after("h@g7").tile_holder == 0


def test_a_full_quilt_loses_a_special_patch() -> None:
    # Small case 10: 26 is crossed with 81 cells covered.
    state = position("A", "t25b5i2", "t25b5i0", "0 - -", FULL)
    kinds = [event.kind.value for event in state.events("pass")]
    assert kinds == ["moved", "paid for spaces", "special won", "special lost", "next player"]
    lost = state.events("pass")[3]
    assert (lost.rule, lost.count) == ("R34", 1)
    assert (state.after("pass").to_move, state.after("pass").specials_waiting) == (1, 0)


def test_events_of_a_reserve() -> None:
    express = Setup.from_line("GBDEFCHIJKLMNOA+TPWQVRUS", "express").start()
    state = express.replace(line="BDEFCA")
    bought, joined, *_ = state.events("D0@a1")
    assert (bought.kind, bought.slot) == (EventKind.BOUGHT, 1)
    assert joined == Event(EventKind.RESERVE_JOINED, 0, 0, "R45", patches="TPWQVRUS")
    assert state.after("D0@a1").line == "EFCABTPWQVRUS"


def test_an_event_as_json_and_as_text() -> None:
    bought, placed, *_ = START.events("d0@b2")
    assert bought.to_dict() == {
        "kind": "bought",
        "player": 0,
        "amount": -1,
        "rule": "R23",
        "patch": "d",
        "slot": 1,
    }
    assert placed.to_dict()["cells"] == ["b2", "d2", "b3", "c3", "d3"]
    assert repr(bought) == (
        "Event(EventKind.BOUGHT, player=0, amount=-1, rule='R23', patch='d', slot=1)"
    )
    assert eval(repr(placed), {"Event": Event, "EventKind": EventKind}) == placed


def test_play_agrees_with_the_reference() -> None:
    numbers = random.Random(7)
    for name in ["classic", "revised", "express", "anniversary"] * 3:
        edition = pw.edition(name)
        state = Setup.random(numbers.getrandbits(64), edition, numbers.randrange(2)).start()
        reference = Reference(edition.to_dict(), state.line, state.reserve, state.to_move or 0)
        source = Random(numbers.getrandbits(64))
        while not state.is_over:
            assert [str(move) for move in state.legal_moves] == reference.legal_moves()
            assert state.legal_moves.actions() == reference.actions()
            assert state.specials_left == tuple(reference.specials_left())
            for player in (0, 1):
                assert state.income_left(player) == reference.income_left(player)
            move = state.legal_moves.sample(source)
            assert [event.to_dict() for event in state.events(move)] == reference.play(str(move))
            paid = sum(event.amount for event in state.events(move))
            buttons = state.players[state.to_move].buttons
            mover, state = state.to_move, state.after(move)
            assert state.players[mover].buttons == buttons + paid
            assert str(state) == reference.text(name)
            assert (state.scores, state.winner) == (reference.scores(), reference.winner())


def test_refusals_agree_with_the_reference() -> None:
    numbers = random.Random(8)
    codes = [code for code in range(33697) if not 81 <= code - 33 * 648 < 648]
    for _ in range(20):
        state = Setup.random(numbers.getrandbits(64)).start()
        source = Random(numbers.getrandbits(64))
        while True:
            twin = Reference.from_text(state.edition.to_dict(), str(state))
            texts = [str(Move.from_code(code)) for code in numbers.choices(codes, k=10)]
            cells = [f"{numbers.choice('abcdefghi')}{numbers.randint(1, 9)}" for _ in range(10)]
            texts += [f"{numbers.choice(state.line or 'A')}0@{cell}" for cell in cells]
            texts += ["pass", f"h@{cells[0]}"]
            for text in texts:
                reasons = twin.reasons(text)
                assert list(state.why_illegal(text) or ()) == reasons
                assert (text in state.legal_moves) == (not reasons)
            if state.is_over:
                break
            state = state.after(state.legal_moves.sample(source))


# One view as JSON

SCHEMA = json.loads(files("patchwork").joinpath("schema/state.schema.json").read_text("utf-8"))


def test_the_json_view() -> None:
    assert WAITS.to_dict() == {
        "edition": "classic",
        "line": "KdfA",
        "reserve": "",
        "players": [
            {"quilt": "x8/" + EMPTY[2:], "position": 20, "buttons": 9, "income": 1},
            {"quilt": EMPTY, "position": 19, "buttons": 9, "income": 0},
        ],
        "to_move": 0,
        "specials_waiting": 1,
        "tile_holder": None,
        "finished_first": None,
    }


def test_views_follow_the_schema_and_come_back() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    own = pw.edition("classic").replace(name="state-own", final=70, size=7)
    numbers = random.Random(9)
    for edition in ["classic", "revised", "express", "anniversary", own]:
        state = Setup.random(numbers.getrandbits(64), edition).start()
        source = Random(numbers.getrandbits(64))
        while True:
            view = json.loads(json.dumps(state.to_dict()))
            jsonschema.validate(view, SCHEMA)
            assert State.from_dict(view) == state
            if state.is_over:
                break
            state = state.after(state.legal_moves.sample(source))


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (["edition"], "chess", "edition"),
        (["edition"], "classic~62e59474", "edition"),
        (["edition"], None, "edition"),
        (["line"], "K-", "line"),
        (["line"], "KK", "line"),
        (["line"], "K" * 52, "line"),
        (["line"], ["K"], "line"),
        (["reserve"], "K", "reserve"),
        (["reserve"], "!", "reserve"),
        (["reserve"], "B", "reserve"),
        (["reserve"], None, "reserve"),
        (["players"], [], "players"),
        (["players"], {}, "players"),
        (["players", 0], None, "players[0]"),
        (["players", 1], [], "players[1]"),
        (["players", 0, "quilt"], "9", "players[0].quilt"),
        (["players", 0, "quilt"], 9, "players[0].quilt"),
        (["players", 1, "position"], 54, "players[1].position"),
        (["players", 1, "position"], 255, "players[1].position"),
        (["players", 1, "position"], -1, "players[1].position"),
        (["players", 1, "position"], "1", "players[1].position"),
        (["players", 0, "buttons"], 1 << 80, "players[0].buttons"),
        (["players", 0, "buttons"], 999_999, "players[0].buttons"),
        (["players", 0, "buttons"], 5.0, "players[0].buttons"),
        (["players", 0, "buttons"], True, "players[0].buttons"),
        (["players", 0, "income"], 256, "players[0].income"),
        (["players", 0, "income"], 255, "players[0].income"),
        (["to_move"], 2, "to_move"),
        (["to_move"], None, "to_move"),
        (["to_move"], "0", "to_move"),
        (["to_move"], False, "to_move"),
        (["specials_waiting"], 16, "specials_waiting"),
        (["specials_waiting"], 2, "specials_waiting"),
        (["specials_waiting"], None, "specials_waiting"),
        (["specials_waiting"], 0, "to_move"),
        (["tile_holder"], 2, "tile_holder"),
        (["finished_first"], 0, "finished_first"),
        (["finished_first"], -1, "finished_first"),
    ],
    ids=str,
)
def test_wrong_views(path: list[Any], value: Any, field: str) -> None:
    view: Any = WAITS.to_dict()
    target = view
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    with pytest.raises(StateError) as caught:
        State.from_dict(view)
    assert caught.value.field == field
    assert str(caught.value) == f"{field}: {caught.value.fault}"


def test_keys_of_a_view() -> None:
    for path in ([], ["players", 0]):
        view: Any = WAITS.to_dict()
        target = view
        for step in path:
            target = target[step]
        where = "players[0]" if path else "state"
        for key in list(target):
            value = target.pop(key)
            with pytest.raises(StateError, match="is missing") as caught:
                State.from_dict(view)
            assert caught.value.field == (f"players[0].{key}" if path else key)
            target[key] = value
        target["more"] = 1
        with pytest.raises(StateError, match="unknown key 'more'") as caught:
            State.from_dict(view)
        assert caught.value.field == where


def test_a_huge_number() -> None:
    view = WAITS.to_dict() | {"specials_waiting": 1 << 100_000}
    with pytest.raises(StateError, match=r"expected 0\.\.15, not one of 100001 bits"):
        State.from_dict(view)


@pytest.mark.parametrize("view", [None, [], "{}", 5, START])
def test_what_is_no_view(view: Any) -> None:
    with pytest.raises(TypeError, match="from a dict"):
        State.from_dict(view)


# States changed by hand


def test_replace() -> None:
    changed = START.replace(
        line="dfA",
        quilts=("x8/" + EMPTY[2:], START.players[1].quilt),
        positions=(20, 19),
        buttons=(7, 8),
        incomes=[1, 2],
        to_move=0,
        specials_waiting=1,
        tile_holder=1,
        finished_first=None,
    )
    assert str(changed) == (f"classic dfA x8/{EMPTY[2:]} t20b7i1 {EMPTY} t19b8i2 0* 1 -")
    assert START.replace() == START
    assert changed.replace(specials_waiting=0, to_move=1).to_move == 1
    over = START.replace(positions=(53, 53), to_move=None, finished_first=1)
    assert (over.is_over, over.winner) == (True, 1)


def test_replacing_the_reserve() -> None:
    express = Setup.from_line("GBDEFCHIJKLMNOA+TPWQVRUS", "express").start()
    assert express.replace(reserve="SURVQWPT").reserve == "SURVQWPT"
    assert express.replace(reserve="", line="GBTPWQVRUS").line == "GBTPWQVRUS"
    with pytest.raises(StateError, match="reserve"):
        express.replace(reserve="")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"line": "KK"}, "line"),
        ({"line": 5}, "line"),
        ({"reserve": "K"}, "reserve"),
        ({"quilts": EMPTY}, "quilts"),
        ({"quilts": (EMPTY,)}, "quilts"),
        ({"quilts": (EMPTY, 5)}, "players[1].quilt"),
        ({"quilts": (Quilt.parse(EMPTY, "revised"), EMPTY)}, "players[0].quilt"),
        ({"positions": (54, 0)}, "players[0].position"),
        ({"positions": 5}, "positions"),
        ({"positions": (1, 0)}, "to_move"),
        ({"buttons": (0, -1)}, "players[1].buttons"),
        ({"buttons": {0: 1, 1: 1}}, "buttons"),
        ({"buttons": (None, 1)}, "players[0].buttons"),
        ({"incomes": (0, 1 << 70)}, "players[1].income"),
        ({"to_move": None}, "to_move"),
        ({"specials_waiting": 1}, "specials_waiting"),
        ({"tile_holder": "0"}, "tile_holder"),
        ({"finished_first": 0}, "finished_first"),
    ],
)
def test_wrong_changes(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(StateError) as caught:
        START.replace(**changes)
    assert caught.value.field == field


def test_unknown_changes() -> None:
    for name in ("edition", "players", "quilt", "market", "mover"):
        with pytest.raises(TypeError, match=f"has no '{name}' to replace"):
            START.replace(**{name: 1})
    with pytest.raises(TypeError):
        START.replace("K")  # type: ignore[call-arg]


# The package


def test_threads_play_the_same_games() -> None:
    expected = [str(START.playout(seed)) for seed in range(50)]
    found: dict[int, list[str]] = {}

    def run(number: int) -> None:
        found[number] = [str(START.playout(seed)) for seed in range(50)]

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(found.values()) == [expected] * 4


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert pw.__version__ == version("patchwork-engine")


def test_the_header_is_there() -> None:
    header = f"{pw.get_include()}/patchwork/patchwork.h"
    with open(header, encoding="utf-8") as file:
        assert "PW_ACTIONS = 2026" in file.read()
    assert pw.ACTIONS == 2026


def kernel_chosen(name: str | None) -> str:
    """What a process says that is told which kernel to use."""
    code = f"""
import os
os.environ.pop("PATCHWORK_KERNEL", None)
if {name!r} is not None:
    os.environ["PATCHWORK_KERNEL"] = {name!r}
try:
    import patchwork
    print(patchwork.kernel())
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return done.stdout.strip()


def test_the_choice_of_the_kernel() -> None:
    assert kernel_chosen("portable") == "portable"
    assert kernel_chosen(None) in ("portable", "avx2")
    if kernel_chosen(None) == "avx2":
        assert kernel_chosen("avx2") == "avx2"
    else:
        assert "PATCHWORK_KERNEL=avx2: " in kernel_chosen("avx2")
    for name in ("", "AVX2", "sse2"):
        assert kernel_chosen(name) == f"PATCHWORK_KERNEL={name}: there are portable and avx2"


def test_a_kernel_that_is_not_built() -> None:
    code = """
import os, sys
sys.modules["patchwork._engine._kernel_portable"] = None
os.environ["PATCHWORK_KERNEL"] = "portable"
try:
    import patchwork
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "PATCHWORK_KERNEL=portable: that kernel is not built here"


def test_first_states_are_checked() -> None:
    index = START.edition._index
    assert _core.start_state(index, LINE, "", 0) == START
    for line, reserve in (("KK", ""), ("K" * 52, ""), ("K-", ""), ("Kh", ""), ("K", "d")):
        with pytest.raises(StateError):
            _core.start_state(index, line, reserve, 0)
    for place in (0, -1, 5000):
        with pytest.raises(IndexError):
            _core.start_state(place, LINE, "", 0)
    with pytest.raises(ValueError, match="player must be"):
        _core.start_state(index, LINE, "", 2)
