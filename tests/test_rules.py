"""The rules one by one, by their ids, with expected values worked out by hand."""

from __future__ import annotations

import re
from typing import Any

import pytest
from reference import cell_name, quilt_text, square

import patchwork as pw
from patchwork import NotationError, ProblemKind, Setup, SetupError, State, StateError

CLASSIC = pw.edition("classic")
EXPRESS = pw.edition("express")
OFFICIAL = ("classic", "revised", "anniversary")
MARKERS = [5, 11, 17, 23, 29, 35, 41, 47, 53]
ORIGINAL = [20, 26, 32, 44, 50]
REVISED = [26, 32, 38, 44, 50]

LINE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
EXPRESS_LINE = "GBDEFCHIJKLMNOA+TPWQVRUS"
START = Setup.from_line(LINE).start()

EMPTY = quilt_text(set(), 9)
FULL = quilt_text(set(square(9)), 9)


def covered_but(*names: str, side: int = 9, size: int = 9) -> str:
    """A quilt with a square in the top left corner, of which these cells are free."""
    return quilt_text({cell for cell in square(side) if cell_name(cell) not in names}, size)


def at(edition: str | pw.Edition = "classic", **changes: Any) -> State:
    """A start of the edition with some fields changed; player 0 is to move."""
    played = pw.edition(edition)
    later = played.reserve.patches if played.reserve else ""
    letters = "".join(letter for letter in played.patches if letter not in later)
    return Setup(played, letters, later).start().replace(**{"to_move": 0} | changes)


def variant(name: str, **changes: Any) -> pw.Edition:
    return CLASSIC.replace(name=f"rules-{name}", **changes)


def plain(letter: str, rows: list[str], **printed: int) -> dict[str, Any]:
    return {"letter": letter, "rows": rows, "cost": 0, "time": 1, "income": 0} | printed


def played(state: State, *moves: str) -> State:
    for move in moves:
        state = state.after(move)
    return state


def told(state: State, move: str) -> list[dict[str, Any]]:
    return [event.to_dict() for event in state.events(move)]


def kinds(state: State, move: str) -> list[str]:
    return [event.kind.value for event in state.events(move)]


def incomes(state: State, move: str) -> list[tuple[int | None, int]]:
    """The markers that a move crosses, each with what it pays."""
    events = state.events(move)
    return [(event.space, event.amount) for event in events if event.kind == "income"]


def rules(state: State, move: str, kind: str) -> list[str]:
    return [event.rule for event in state.events(move) if event.kind == kind]


def tokens(state: State) -> list[int]:
    return [player.position for player in state.players]


def buttons(state: State) -> list[int]:
    return [player.buttons for player in state.players]


def texts(state: State) -> list[str]:
    return [str(move) for move in state.legal_moves]


def offered(state: State) -> set[str]:
    """The patches that can be bought."""
    return {move.patch for move in state.legal_moves if move.patch}


def reasons(state: State, move: str | int) -> list[str]:
    return [reason.value for reason in state.why_illegal(move) or ()]


def all_passes(state: State) -> list[tuple[int, State]]:
    """A game of passes: each mover with the state after; specials go to the first free cell."""
    plies = []
    while state.to_move is not None:
        mover = state.to_move
        state = state.after(state.legal_moves[0] if state.specials_waiting else "pass")
        plies.append((mover, state))
    return plies


# Setup


def test_r01_two_players() -> None:
    assert len(START.players) == len(START.scores) == 2
    assert {mover for mover, _ in all_passes(START)} == {0, 1}
    with pytest.raises(StateError):
        START.replace(to_move=2)


def test_r02_five_buttons() -> None:
    assert buttons(START) == [5, 5]


def test_r03_empty_boards_of_nine_by_nine() -> None:
    for player in START.players:
        assert player.quilt.rows == (".........",) * 9
        assert player.quilt.empty == 81
    corners = ["h@a1", "h@i1", "h@a9", "h@i9"]
    waiting = at(positions=(20, 0), specials_waiting=1)
    assert len(waiting.legal_moves) == 81
    assert set(corners) < set(texts(waiting))


@pytest.mark.parametrize(
    ("edition", "specials"),
    [("classic", ORIGINAL), ("revised", REVISED), ("anniversary", REVISED)],
)
def test_r04_the_track(edition: str, specials: list[int]) -> None:
    state = at(edition, line="", incomes=(1, 1))
    assert tokens(state) == [0, 0]
    paid: list[list[int | None]] = [[], []]
    won = []
    while state.to_move is not None:
        for event in state.events(state.legal_moves[0]):
            if event.kind == "income":
                paid[event.player].append(event.space)
            if event.kind == "special won":
                won.append(event.space)
        state = state.after(state.legal_moves[0])
    assert tokens(state) == [53, 53]
    assert paid == [MARKERS, MARKERS]
    assert won == specials


def test_r04_the_edition_stands_in_every_state() -> None:
    assert Setup.from_line(LINE).edition.name == "classic"
    for name in OFFICIAL:
        state = at(name)
        assert str(state).startswith(f"{name} ")
        assert state.to_dict()["edition"] == name
        assert State.parse(str(state)).edition.name == name
    assert at("revised") != at("anniversary")


def test_r05_the_token_stands_behind_patch_a() -> None:
    for turns in range(33):
        ring = LINE[turns:] + LINE[:turns]
        assert Setup.from_circle(ring).start().line == LINE
    assert all(Setup.random(seed).line.endswith("A") for seed in range(50))
    assert CLASSIC.patches["A"].rows == ("x", "x")


def test_r05_any_circle_that_holds_each_patch_once() -> None:
    assert Setup.from_line(LINE[::-1]).start().market == "Age"
    for wrong in (LINE[1:], LINE + "K", LINE.replace("K", "d"), LINE.replace("K", "i")):
        with pytest.raises(SetupError):
            Setup.from_line(wrong)


def test_r06_who_starts_is_part_of_the_setup() -> None:
    assert Setup.from_line(LINE).start().to_move == 0
    assert Setup.from_line(LINE, start_player=1).start().to_move == 1
    assert Setup.random(1).start().to_move == 0


def test_r07_the_start_player_is_on_top_on_space_0() -> None:
    free = variant("free", patches={"K": {"cost": 0, "time": 0}})
    for player in (0, 1):
        state = Setup.from_line(LINE, free, player).start()
        assert state.to_move == player
        assert state.after("K0@a1").to_move == player  # K takes no time: nobody has arrived
        assert state.after("pass").to_move == 1 - player


def test_r08_the_bank_is_unlimited() -> None:
    state = at(line="", buttons=(400_000, 500_000), incomes=(200, 0))
    last = all_passes(state)[-1][1]
    assert buttons(last) == [400_000 + 53 + 9 * 200, 500_000 + 53]


def test_r09_one_tile_worth_seven() -> None:
    assert START.tile_holder is None
    assert START.scores == (5 - 162, 5 - 162)
    assert START.replace(tile_holder=1).scores == (5 - 162, 5 + 7 - 162)


# Turn order


def test_r10_the_one_further_back_moves_many_times() -> None:
    state = at(line="KdZFA", positions=(2, 10), buttons=(9, 0))
    for move, space in (("K0@a1", 4), ("d0@d1", 6), ("Z0@a4", 8)):
        assert rules(state, move, "next player") == ["R10"]
        state = state.after(move)
        assert (state.to_move, tokens(state)) == (0, [space, 10])
    state = state.after("pass")
    assert (state.to_move, tokens(state)) == (1, [11, 10])


def test_r11_on_one_space_the_one_on_top_moves() -> None:
    state = at(line="KdZA", positions=(3, 5))
    state = state.after("K0@a1")
    assert (state.to_move, tokens(state)) == (0, [5, 5])
    state = state.after("d0@d1")  # from on top to the front: now the one below moves
    assert (state.to_move, tokens(state)) == (1, [7, 5])
    state = state.after("Z0@a1")  # and he comes to lie on top
    assert (state.to_move, tokens(state)) == (1, [7, 7])


@pytest.mark.parametrize("mover", [0, 1])
def test_r11_a_loaded_position_says_who_is_on_top(mover: int) -> None:
    state = at(positions=(9, 9), to_move=mover)
    assert (state.to_move, state.after("pass").to_move) == (mover, 1 - mover)


@pytest.mark.parametrize("first", [0, 1])
def test_r12_nobody_moves_on_the_final_space(first: int) -> None:
    positions = (53, 49) if first == 0 else (49, 53)
    state = at(positions=positions, to_move=1 - first, finished_first=first)
    with pytest.raises(StateError):
        state.replace(to_move=first)
    state = state.after("pass")  # he arrives on top, and yet nobody is to move
    assert (state.is_over, state.to_move, texts(state)) == (True, None, [])


def test_r13_the_other_keeps_moving() -> None:
    state = at(line="KdZA", positions=(40, 53), finished_first=1)
    for move, space in (("K0@a1", 42), ("d0@d1", 44), ("Z0@a4", 46)):
        assert rules(state, move, "next player") == ["R13"]
        state = state.after(move)
        assert (state.to_move, tokens(state)) == (0, [space, 53])
    assert state.after("pass").is_over


def test_r14_a_special_patch_comes_before_anything_else() -> None:
    state = at(line="KdZA", positions=(19, 19), buttons=(9, 9)).after("K0@a1")
    assert (state.to_move, state.specials_waiting) == (0, 1)
    assert all(text.startswith("h@") for text in texts(state))
    assert reasons(state, "pass") == ["special first"]
    assert reasons(state, "d0@e5") == ["special first"]
    state = state.after("h@i9")
    assert (state.to_move, state.specials_waiting) == (1, 0)
    assert len(state.players[0].quilt) == 5


# Pass


def test_r15_in_front_of_the_opponent_a_button_a_space() -> None:
    assert told(at(positions=(14, 16)), "pass") == [
        {"kind": "moved", "player": 0, "amount": 0, "rule": "R15", "origin": 14, "space": 17},
        {"kind": "paid for spaces", "player": 0, "amount": 3, "rule": "R15"},
        {"kind": "income", "player": 0, "amount": 0, "rule": "R30", "space": 17},
        {"kind": "next player", "player": 1, "amount": 0, "rule": "R10"},
    ]
    for lead in range(7):
        state = at(positions=(30, 30 + lead)).after("pass")
        assert (tokens(state)[0], buttons(state)) == (31 + lead, [5 + 1 + lead, 5])


def test_r16_always_legal_but_before_a_special_patch() -> None:
    assert "pass" in START.legal_moves
    assert len(START.legal_moves) == 1 + 224 + 224  # K and d can be bought as well, f cannot
    assert "pass" not in at(positions=(20, 0), specials_waiting=1).legal_moves
    assert "pass" not in at(positions=(53, 53), to_move=None, finished_first=0).legal_moves


@pytest.mark.parametrize("lead", [8, 20, 45, 52])
def test_r16_the_distance_is_computed_not_assumed(lead: int) -> None:
    state = at(positions=(0, lead)).after("pass")
    assert (tokens(state), buttons(state)[0]) == ([lead + 1, lead], 5 + lead + 1)


def test_r17_never_beyond_the_end() -> None:
    for lead in (1, 5, 8):
        state = at(positions=(53 - lead, 53), finished_first=1)
        assert rules(state, "pass", "moved") == rules(state, "pass", "paid for spaces") == ["R17"]
        assert buttons(state.after("pass")) == [5 + lead, 5]
        assert tokens(state.after("pass")) == [53, 53]
    state = at(positions=(45, 52))
    assert rules(state, "pass", "moved") == ["R15"]
    assert (tokens(state.after("pass")), buttons(state.after("pass"))) == ([53, 52], [13, 5])


def test_r18_the_spaces_are_paid_before_the_income() -> None:
    state = at(positions=(4, 5), incomes=(3, 9))
    assert kinds(state, "pass") == ["moved", "paid for spaces", "income", "next player"]
    assert [event.amount for event in state.events("pass")] == [0, 2, 3, 0]
    assert state.after("pass").players[0].income == 3


@pytest.mark.parametrize("origin", [4, 10, 16, 22, 28, 34, 40, 46])
def test_r19_pass_of_seven_pays_both_markers(origin: int) -> None:
    state = at(positions=(origin, origin + 6), incomes=(4, 0))
    assert incomes(state, "pass") == [(origin + 1, 4), (origin + 7, 4)]
    assert buttons(state.after("pass")) == [5 + 7 + 2 * 4, 5]


def test_r19_every_marker_on_the_way_is_paid() -> None:
    state = at(positions=(0, 40), incomes=(2, 0))
    assert incomes(state, "pass") == [(space, 2) for space in (5, 11, 17, 23, 29, 35, 41)]
    assert buttons(state.after("pass"))[0] == 5 + 41 + 7 * 2


# Purchase


def test_r20_choose_pay_place_move() -> None:
    state = at(line="EKdA", positions=(3, 4))
    assert told(state, "E0@a1") == [
        {"kind": "bought", "player": 0, "amount": -3, "rule": "R23", "patch": "E", "slot": 0},
        {
            "kind": "placed",
            "player": 0,
            "amount": 0,
            "rule": "R24",
            "patch": "E",
            "cells": ["b1", "a2", "b2", "a3"],
        },
        {"kind": "moved", "player": 0, "amount": 0, "rule": "R26", "origin": 3, "space": 5},
        {"kind": "income", "player": 0, "amount": 1, "rule": "R30", "space": 5},
        {"kind": "next player", "player": 1, "amount": 0, "rule": "R10"},
    ]


def test_r21_the_next_three_patches() -> None:
    assert at(line="KdZA").market == "KdZ"
    assert offered(at(line="KdZA")) == {"K", "d", "Z"}
    assert offered(at(line="Kd")) == {"K", "d"}
    assert offered(at(line="K")) == {"K"}
    assert texts(at(line="")) == ["pass"]
    assert reasons(at(line="KdZA"), "A0@a1") == ["not in the market"]


def test_r21_the_circle_closes_over_gaps() -> None:
    state = at(line="KdZAB", buttons=(20, 20)).after("d0@a1")
    assert state.market == "ZAB"
    state = state.after("B1@a1")
    assert state.line == "KZA"


@pytest.mark.parametrize("size", [1, 2, 3])
def test_r21_the_market_of_an_edition(size: int) -> None:
    state = at(variant(f"market-{size}", market=size), line="KdZA")
    assert (state.market, offered(state)) == ("KdZ"[:size], set("KdZ"[:size]))
    assert len(state.offers) == size


@pytest.mark.parametrize(
    ("move", "line"), [("K0@a1", "dZABC"), ("d0@a1", "ZABCK"), ("Z0@a1", "ABCKd")]
)
def test_r22_the_patches_skipped_are_the_last_in_line(move: str, line: str) -> None:
    assert at(line="KdZABC").after(move).line == line


def test_r23_no_credit() -> None:
    assert offered(at(line="KHA", buttons=(1, 99))) == {"H"}  # K and A cost 2, H nothing
    assert offered(at(line="KHA", buttons=(2, 0))) == {"K", "H", "A"}
    assert offered(at(line="KHA", buttons=(0, 99))) == {"H"}
    state = at(line="KHA", buttons=(0, 99))
    assert reasons(state, "K0@a1") == ["cannot afford"]
    assert buttons(state.after("H0@a1")) == [0, 99]


def test_r24_any_turn_of_either_face() -> None:
    covered = [
        ("a0@a1", "a1 a2 a3 b3"),
        ("a1@a1", "a1 b1 c1 a2"),
        ("a2@a1", "a1 b1 b2 b3"),
        ("a3@a1", "c1 a2 b2 c2"),
        ("a4@a1", "b1 b2 a3 b3"),
        ("a5@a1", "a1 a2 b2 c2"),
        ("a6@a1", "a1 b1 a2 a3"),
        ("a7@a1", "a1 b1 c1 c2"),
    ]
    state = at(line="a")
    for move, cells in covered:
        assert " ".join(state.after(move).players[0].quilt.cells) == cells
    assert len(state.placements("a")) == 448


def test_r24_wholly_on_the_board() -> None:
    state = at(line="K")  # K is two wide and three high
    assert texts(state)[:3] == ["K0@a1", "K0@b1", "K0@c1"]
    assert "K0@h7" in state.legal_moves
    assert reasons(state, "K0@i7") == reasons(state, "K0@h8") == ["off the board"]
    small = at(variant("board-of-5", size=5, tile=None), line="K")
    assert "K0@d3" in small.legal_moves
    assert reasons(small, "K0@e3") == reasons(small, "K0@d4") == ["off the board"]


def test_r24_on_free_cells_anywhere() -> None:
    state = at(line="KdA", quilts=(quilt_text({(0, 1)}, 9), EMPTY))
    assert reasons(state, "K0@a1") == ["overlap"]  # it covers b1
    assert "d0@a1" in state.legal_moves  # it spares b1
    assert "K0@h7" in state.legal_moves  # nothing needs to touch
    assert state.after("K0@h7").players[0].quilt.cells == ("b1", "i7", "h8", "i8", "i9")


def test_r24_only_the_own_quilt_counts() -> None:
    state = at(line="K", quilts=(EMPTY, FULL))
    assert len(state.placements("K")) == 224
    assert len(state.replace(to_move=1).placements("K")) == 0


def test_r25_what_fits_nowhere_cannot_be_bought() -> None:
    state = at(line="NKA", buttons=(9, 9), quilts=(covered_but("a1", "a2", "i9"), EMPTY))
    assert texts(state) == ["A0@a1", "pass"]
    refused = [[reason.value for reason in offer.reasons] for offer in state.offers]
    assert refused == [["fits nowhere"], ["fits nowhere"], []]


@pytest.mark.parametrize(("letter", "time"), [("N", 1), ("K", 2), ("M", 3), ("P", 4), ("I", 5)])
def test_r26_the_printed_time(letter: str, time: int) -> None:
    state = at(line=letter, positions=(30, 40), buttons=(9, 9))
    move = f"{letter}0@a1"
    assert tokens(state.after(move)) == [30 + time, 40]
    assert rules(state, move, "moved") == ["R26"]


@pytest.mark.parametrize("origin", [48, 50, 52])
def test_r27_the_token_stops_at_the_end(origin: int) -> None:
    state = at(line="S", positions=(origin, 53), finished_first=1)  # 4 buttons, 6 spaces
    assert rules(state, "S0@a1", "moved") == ["R27"]
    state = state.after("S0@a1")
    assert tokens(state) == [53, 53]
    assert buttons(state) == [5 - 4 + 2, 5]  # full price, and the income of S itself


def test_r27_arriving_exactly_is_no_cut() -> None:
    state = at(line="S", positions=(47, 53), finished_first=1)
    assert rules(state, "S0@a1", "moved") == ["R26"]


@pytest.mark.parametrize("edition", OFFICIAL)
def test_r28_a_purchase_crosses_one_marker_and_one_special_patch(edition: str) -> None:
    assert max(patch.time for patch in CLASSIC.patches.values()) == 6
    found = set()
    for space in range(53):
        state = at(edition, line="S", positions=(space, space))
        events = kinds(state, "S0@a1")
        found.add((events.count("income"), events.count("special won")))
    assert {markers for markers, _ in found} == {1}  # there are six spaces between two of them
    assert {specials for _, specials in found} == {0, 1}


def test_r29_the_income_counts_the_patch_just_placed() -> None:
    state = at(line="T", positions=(4, 9), buttons=(5, 5), incomes=(1, 0))
    assert incomes(state, "T0@a1") == [(5, 3)]  # 1, and 2 on T
    assert buttons(state.after("T0@a1"))[0] == 5 - 5 + 3


# On the track


@pytest.mark.parametrize("move", ["pass", "K0@a1"])
def test_r30_onto_or_past_a_marker(move: str) -> None:
    for origin, markers in ((2, []), (3, [5]), (4, [5]), (5, []), (9, [11]), (10, [11])):
        state = at(line="K", positions=(origin, origin + 1), incomes=(7, 100))
        assert incomes(state, move) == [(space, 7) for space in markers]


def test_r30_a_patch_without_buttons_pays_nothing() -> None:
    assert buttons(at(line="K", positions=(4, 4)).after("K0@a1")) == [5 - 2, 5]


def test_r31_the_last_income_is_paid_at_the_end() -> None:
    state = at(line="K", positions=(52, 50), to_move=1, incomes=(3, 4))
    assert rules(state, "pass", "income") == ["R31"]
    assert buttons(state.after("pass")) == [5, 5 + 3 + 4]
    state = at(line="K", positions=(51, 53), incomes=(3, 4), finished_first=1)
    assert rules(state, "K0@a1", "income") == ["R31"]
    assert buttons(state.after("K0@a1")) == [5 - 2 + 3, 5]


def test_r31_a_track_without_a_marker_at_the_end() -> None:
    edition = variant("no-last-marker", markers=[5, 47])
    state = at(edition, line="K", positions=(51, 53), incomes=(3, 4), finished_first=1)
    assert incomes(state, "K0@a1") == incomes(state, "pass") == []
    assert buttons(state.after("pass")) == [5 + 2, 5]


@pytest.mark.parametrize("space", ORIGINAL)
def test_r32_the_first_to_reach_or_pass_it(space: int) -> None:
    for origin in (space - 1, space - 2):  # K moves two spaces: past it, onto it
        state = at(line="K", positions=(origin, origin)).after("K0@a1")
        assert (state.to_move, state.specials_waiting) == (0, 1)
        assert space not in state.specials_left
    gone = at(line="K", positions=(space - 1, space)).after("K0@a1")
    assert (gone.specials_waiting, gone.to_move) == (0, 1)
    before = at(line="K", positions=(space, space)).after("K0@a1")
    assert before.specials_waiting == 0


def test_r32_one_a_position() -> None:
    assert list(START.specials_left) == ORIGINAL
    assert list(at(positions=(19, 26)).specials_left) == [32, 44, 50]


def test_r33_on_any_free_cell_and_compulsory() -> None:
    quilt = covered_but("a1", "e5", "i9")
    state = at(quilts=(quilt, EMPTY), positions=(20, 19), specials_waiting=1, tile_holder=1)
    assert texts(state) == ["h@a1", "h@e5", "h@i9"]
    assert reasons(state, "h@b1") == ["overlap"]
    state = state.after("h@e5")
    assert (buttons(state), tokens(state)) == ([5, 5], [20, 19])
    assert [player.income for player in state.players] == [0, 0]
    assert state.players[0].quilt.cells == tuple(
        name for name in map(cell_name, square(9)) if name not in ("a1", "i9")
    )


def test_r34_a_full_quilt_before_the_special_patch() -> None:
    state = at(quilts=(FULL, EMPTY), positions=(19, 19), tile_holder=1)
    lost = {"kind": "special lost", "player": 0, "amount": 0, "rule": "R34", "count": 1}
    assert lost in told(state, "pass")
    state = state.after("pass")
    assert (state.to_move, state.specials_waiting) == (1, 0)
    assert list(state.specials_left) == [26, 32, 44, 50]


def test_r34_the_same_purchase_fills_the_quilt() -> None:
    quilt = covered_but("b1", "a2", "b2", "b3")
    state = at(line="K", quilts=(quilt, EMPTY), positions=(19, 19), tile_holder=1)
    assert kinds(state, "K0@a1")[-3:] == ["special won", "special lost", "next player"]
    state = state.after("K0@a1")
    assert (state.to_move, state.specials_waiting) == (1, 0)


CLUSTER = variant("cluster", specials=[3, 4, 5])


def test_r34_the_one_before_fills_the_quilt() -> None:
    quilts = (covered_but("a1"), EMPTY)
    state = at(CLUSTER, quilts=quilts, positions=(5, 1), specials_waiting=3, tile_holder=1)
    lost = {"kind": "special lost", "player": 0, "amount": 0, "rule": "R34", "count": 2}
    assert lost in told(state, "h@a1")
    assert (state.after("h@a1").to_move, state.after("h@a1").specials_waiting) == (1, 0)


def test_r35_several_at_once_are_placed_one_by_one() -> None:
    state = at(CLUSTER, line="T", positions=(1, 1))  # T moves four spaces
    assert rules(state, "T0@a1", "special won") == ["R32"] * 3
    state = state.after("T0@a1")
    for waiting, move in ((3, "h@i9"), (2, "h@h9"), (1, "h@g9")):
        assert (state.to_move, state.specials_waiting) == (0, waiting)
        state = state.after(move)
    assert (state.to_move, state.specials_waiting) == (1, 0)
    assert len(state.players[0].quilt) == 5 + 3


def test_r35_the_count_is_the_number_earned() -> None:
    quilt = covered_but("b1", "a2", "b2", "c2", "b3", "i9")  # T fits, and one cell is left
    state = at(CLUSTER, line="T", quilts=(quilt, EMPTY), positions=(1, 1), tile_holder=1)
    state = state.after("T0@a1")
    assert (state.specials_waiting, texts(state)) == (3, ["h@i9"])


def test_r36_the_income_before_the_special_patch() -> None:
    state = at(line="P", positions=(22, 22), buttons=(9, 9))  # 4 spaces, income 2
    assert kinds(state, "P0@a1") == [
        *("bought", "placed", "moved", "income", "special won", "next player"),
    ]
    state = state.after("P0@a1")
    assert (buttons(state)[0], state.specials_waiting) == (9 - 7 + 2, 1)


@pytest.mark.parametrize("corner", [(row, column) for row in range(3) for column in range(3)])
def test_r37_a_square_anywhere(corner: tuple[int, int]) -> None:
    top, left = corner
    quilt = {(top + row, left + column) for row, column in square(7)}
    missing = {(top + 3, left + 3), (top + 4, left + 3)}
    state = at(line="A", quilts=(quilt_text(quilt - missing, 9), EMPTY))
    won = {"kind": "tile won", "player": 0, "amount": 0, "rule": "R37", "points": 7}
    move = f"A0@{cell_name(min(missing))}"
    assert won in told(state, move)
    assert state.after(move).tile_holder == 0
    assert buttons(state.after(move)) == [5 - 2, 5]  # the points count in the end only
    almost = at(line="A", quilts=(quilt_text(quilt - missing - {corner}, 9), EMPTY))
    assert almost.after(move).tile_holder is None


def test_r37_one_a_game_and_never_lost() -> None:
    almost = covered_but("a1", "a2", side=7)
    state = at(line="AK", quilts=(almost, almost), positions=(0, 0)).after("A0@a1")
    assert (state.to_move, state.tile_holder) == (1, 0)
    again = state.replace(line="AK")
    assert "tile won" not in kinds(again, "A0@a1")
    assert again.after("A0@a1").tile_holder == 0


def test_r37_a_square_of_another_size() -> None:
    edition = variant("tile-of-2", tile={"side": 2, "points": 30})
    state = at(edition, line="K", quilts=(quilt_text({(0, 0)}, 9), EMPTY))
    before, state = state.scores, state.after("K0@a1")  # b1 a2 b2 b3: the square a1 b1 a2 b2
    assert state.tile_holder == 0
    assert state.scores[0] == before[0] - 2 + 30 + 2 * 4
    without = at(variant("no-tile", tile=None), line="A", quilts=(covered_but("i8", "i9"), EMPTY))
    assert without.after("A0@i8").tile_holder is None


def test_r38_a_special_patch_can_win_it() -> None:
    quilt = covered_but("g7", side=7)
    state = at(quilts=(quilt, EMPTY), positions=(20, 19), specials_waiting=1)
    assert kinds(state, "h@g7") == ["special placed", "tile won", "next player"]
    assert state.after("h@g7").tile_holder == 0
    assert state.after("h@i9").tile_holder is None


def test_r38_only_placing_awards_it() -> None:
    full = covered_but(side=7)
    state = at(line="A", quilts=(full, full))
    assert state.tile_holder is None
    assert state.after("pass").tile_holder is None
    assert state.after("A0@i8").tile_holder == 0  # the whole quilt is looked at


# The end


def test_r39_over_when_both_are_on_the_final_space() -> None:
    state = at(positions=(52, 53), finished_first=1)
    assert not state.is_over
    assert kinds(state, "pass")[-1] == "game over"
    state = state.after("pass")
    assert (state.is_over, state.to_move, len(state.legal_moves)) == (True, None, 0)
    assert (state.specials_waiting, state.perft(1)) == (0, 0)
    assert reasons(state, "pass") == ["game over"]


def test_r40_buttons_and_tile_less_two_a_cell() -> None:
    quilts = (covered_but(side=7), FULL)
    state = at(line="", quilts=quilts, buttons=(20, 3), incomes=(9, 30), tile_holder=0)
    assert state.scores == (20 + 7 - 2 * 32, 3)
    first, second = state.outcome.scores
    assert (first.buttons, first.tile, first.empty, first.total) == (20, 7, 32, -37)
    assert (second.buttons, second.tile, second.empty, second.total) == (3, 0, 0, 3)


OVER = at(positions=(53, 53), to_move=None, finished_first=0)


def test_r41_more_points_win() -> None:
    for first in (0, 1):
        state = OVER.replace(buttons=(10, 9), finished_first=first)
        assert (state.winner, state.returns, state.outcome.decided_by) == (0, (1, -1), "points")
        state = OVER.replace(buttons=(9, 10), finished_first=first)
        assert (state.winner, state.returns, state.outcome.decided_by) == (1, (-1, 1), "points")
    assert (START.winner, START.returns, START.outcome.decided_by) == (None, (0, 0), None)


@pytest.mark.parametrize("first", [0, 1])
def test_r41_on_a_tie_the_first_to_finish_wins(first: int) -> None:
    state = OVER.replace(buttons=(9, 9), finished_first=first)
    assert state.scores[0] == state.scores[1]
    assert (state.winner, state.outcome.decided_by) == (first, "finished first")
    with pytest.raises(NotationError):
        State.parse(str(state)[:-1] + "-")


def test_r42_a_state_tells_all() -> None:
    state = played(Setup.random(7).start(), "pass", "pass")
    again = State.parse(str(state))
    while state.to_move is not None:
        assert texts(again) == texts(state)
        move = state.legal_moves[len(state.legal_moves) // 2]
        assert state.after(move) == state.after(move)
        assert again.events(move) == state.events(move)
        state, again = state.after(move), again.after(move)
    assert again == state


# Custom editions and positions made by hand


AT_REST = variant("at-rest", specials=[1, 2], markers=[1], patches={"K": {"time": 0, "income": 9}})


def test_r43_without_time_the_token_stays() -> None:
    state = at(AT_REST, line="Kd", positions=(0, 0))
    assert kinds(state, "K0@a1") == ["bought", "placed", "next player"]
    assert rules(state, "K0@a1", "next player") == ["R11"]
    state = state.after("K0@a1")
    assert (state.to_move, tokens(state), buttons(state)) == (0, [0, 0], [3, 5])
    behind = at(AT_REST, line="K", positions=(4, 9)).after("K0@a1")
    assert (behind.to_move, tokens(behind)) == (0, [4, 9])


def test_r43_no_game_is_endless() -> None:
    patches = [plain(letter, ["x"], time=0) for letter in "ABCD"]
    edition = variant("endless", patches=patches, final=3, markers=[], specials=[1, 2])
    state, plies = Setup.from_line("BCDA", edition).start(), 0
    while state.to_move is not None:
        state, plies = state.after(state.legal_moves[0]), plies + 1
    # four patches; passes 1, 2, 2 and 1 spaces long; two special patches
    assert plies == 4 + 4 + 2 <= 4 + 2 * 3 + 2


WITHIN: list[dict[str, Any]] = [
    {"size": 1, "patches": [plain("A", ["x"])], "tile": {"side": 1, "points": 0}},
    {"final": 1, "markers": [1], "specials": [1]},
    {"final": 254, "markers": list(range(1, 255)), "specials": list(range(240, 255))},
    {"start_buttons": 0, "market": 1, "tile": {"side": 9, "points": 99}},
    {"start_buttons": 999, "market": 3, "tile": None, "start_patch": None},
    {"patches": [plain("A", ["x"], cost=0, time=0, income=0)]},
    {"patches": [plain("A", ["x"], cost=99, time=99, income=99)]},
    {"patches": [plain("A", ["xxxxxx", "x....x", "x....."] + ["x....."] * 2 + ["x....."])]},
    {"patches": [plain("A", ["x.....", "......", "......", "......", "......", ".....x"])]},
    {"patches": [plain(letter, ["x"], income=5) for letter in LINE + "ijklmnopqrstuvwxyz"]},
    {"reserve": {"patches": LINE[:-1], "join_at": 0}},
    {"reserve": {"patches": "K", "join_at": 31}},
]
BEYOND: list[dict[str, Any]] = [
    {"size": 0},
    {"size": 10},
    {"final": 0, "markers": [], "specials": []},
    {"final": 255},
    {"markers": [0]},
    {"markers": [54]},
    {"markers": [5, 5]},
    {"specials": [26, 20]},
    {"final": 254, "specials": list(range(239, 255))},
    {"start_buttons": -1},
    {"start_buttons": 1000},
    {"market": 0},
    {"market": 4},
    {"tile": {"side": 0, "points": 7}},
    {"tile": {"side": 10, "points": 7}},
    {"tile": {"side": 7, "points": -1}},
    {"tile": {"side": 7, "points": 100}},
    {"patches": []},
    {"patches": [plain("h", ["x"])], "start_patch": None},
    {"patches": [plain("A", [])]},
    {"patches": [plain("A", ["."])]},
    {"patches": [plain("A", [".x", ".x"])]},
    {"patches": [plain("A", ["xxxxxxx"])]},
    {"patches": [plain("A", ["xxxxx", "xxxxx", "xxx.."])]},
    {"size": 2, "tile": None, "patches": [plain("A", ["xxx"])]},
    {"patches": [plain("A", ["x"], cost=100)]},
    {"patches": [plain("A", ["x"], time=100)]},
    {"patches": [plain("A", ["x"], income=100)]},
    {"patches": [plain("A", ["x"], cost=-1)]},
    {"patches": [plain(letter, ["x"], income=64) for letter in "ABCD"]},
    {"start_patch": "h"},
    {"reserve": {"patches": LINE, "join_at": 0}},
    {"reserve": {"patches": "A", "join_at": 0}},
    {"reserve": {"patches": "K", "join_at": 32}},
    {"reserve": {"patches": "K", "join_at": -1}},
]


@pytest.mark.parametrize("number", range(len(WITHIN)))
def test_r44_an_edition_at_its_limits_is_played(number: int) -> None:
    edition = variant(f"within-{number}", **WITHIN[number])
    state, plies = Setup.random(number, edition).start(), 0
    while state.to_move is not None:
        state, plies = state.after(state.legal_moves[0]), plies + 1
    assert tokens(state) == [edition.final] * 2
    assert plies <= len(edition.patches) + 2 * edition.final + len(edition.specials)


@pytest.mark.parametrize("number", range(len(BEYOND)))
def test_r44_an_edition_beyond_them_is_refused(number: int) -> None:
    with pytest.raises(pw.EditionError):
        variant(f"beyond-{number}", **BEYOND[number])


def test_r45_the_reserve_joins_behind_the_skipped_patches() -> None:
    state = at("express", line="ABCDEFG", buttons=(40, 40))
    assert (state.reserve, str(state).split()[1]) == ("PQRSTUVW", "ABCDEFG+PQRSTUVW")
    state = state.after("B0@a1")
    assert (state.line, state.reserve) == ("CDEFGA", "PQRSTUVW")
    events = told(state, "E0@a1")
    assert events[1] == {
        "kind": "reserve joined",
        "player": events[0]["player"],
        "amount": 0,
        "rule": "R45",
        "patches": "PQRSTUVW",
    }
    state = state.after("E0@a1")
    assert (state.line, state.reserve) == ("FGACDPQRSTUVW", "")
    assert str(state).split()[1] == "FGACDPQRSTUVW"


def test_r45_every_setup_is_longer_than_that() -> None:
    """R44 keeps join_at below the line's length, so that a reserve never joins before a move."""
    edition = EXPRESS.replace(name="rules-join-at-once", reserve={"join_at": 14})
    state = Setup.from_line(EXPRESS_LINE, edition).start()
    assert (state.line, state.reserve) == ("GBDEFCHIJKLMNOA", "TPWQVRUS")
    state = state.after("B0@a1")
    assert (state.line, state.reserve) == ("DEFCHIJKLMNOAGTPWQVRUS", "")


LAST_SPECIAL = variant("special-at-the-end", specials=[53])


def test_r46_a_special_patch_on_the_final_space() -> None:
    state = at(LAST_SPECIAL, line="", positions=(50, 52)).after("pass")
    assert (state.to_move, state.specials_waiting, state.finished_first) == (0, 1, 0)
    state = state.after("h@a1")
    assert (state.to_move, state.is_over) == (1, False)
    state = state.after("pass")
    assert (state.to_move, state.is_over, state.specials_waiting) == (None, True, 0)


def test_r46_it_waits_only_for_the_one_in_front() -> None:
    state = at(positions=(26, 25), specials_waiting=1)
    assert state.after("h@a1").to_move == 1
    for positions in ((26, 26), (25, 26)):
        with pytest.raises(StateError):
            at(positions=positions, specials_waiting=1)


FIELDS = ("edition", "line", "quilt0", "track0", "quilt1", "track1", "mover", "tile", "first")
ACCEPTED: list[dict[str, str]] = [
    {},
    {"track0": "t0b0i0", "track1": "t50b0i0"},
    {"quilt0": FULL, "quilt1": FULL, "track0": "t3b999i0", "track1": "t7b0i99"},
    {"tile": "1"},
    {"line": "-"},
    {"line": "AK"},
    {"track0": "t0b5i217"},
    {"track0": "t0b999604i0"},
    {"track0": "t20b5i0", "mover": "0*"},
    {"track0": "t50b5i0", "mover": "0*****"},
    {"track0": "t53b5i0", "mover": "1", "first": "0"},
    {"track0": "t53b5i0", "mover": "0*****", "first": "0"},
    {"track0": "t53b5i0", "track1": "t53b5i0", "mover": "-", "first": "1"},
    {"edition": "express", "line": "ABCDEF+PQRSTUVW"},
    {"edition": "express", "line": "ABCDEPQ"},
]
REFUSED: list[dict[str, str]] = [
    {"edition": "klassik"},
    {"line": "KiA"},
    {"line": "KhA"},
    {"line": "KAK"},
    {"line": ""},
    {"quilt0": "9/9/9/9/9/9/9/9"},
    {"quilt0": "9/9/9/9/9/9/9/9/8"},
    {"quilt0": "9/9/9/9/9/9/9/9/45"},
    {"track0": "t00b5i0"},
    {"track0": "t54b5i0"},
    {"track0": "t0b5i218"},
    {"track0": "t0b999605i0"},
    {"mover": "-"},
    {"track0": "t1b5i0", "mover": "0"},
    {"track0": "t53b5i0", "track1": "t53b5i0", "mover": "0", "first": "1"},
    {"mover": "0*"},
    {"track0": "t20b5i0", "mover": "1*"},
    {"track0": "t20b5i0", "mover": "0*", "quilt0": FULL},
    {"track0": "t20b5i0", "mover": "0**"},
    {"track0": "t20b5i0", "track1": "t19b5i0", "mover": "0**"},
    {"track0": "t25b5i0", "track1": "t20b5i0", "mover": "0*"},
    {"edition": "express", "line": "ABCDE+PQRSTUVW"},
    {"edition": "express", "line": "ABCDEF"},
    {"edition": "express", "line": "ABCDEF+PQRSTUV"},
    {"edition": "express", "line": "ABCDEFP+QRSTUVW"},
    {"line": "AK+d"},
    {"edition": "express", "line": "ABCDEF+PQRSTUVW", "tile": "0"},
    {"first": "0"},
    {"track0": "t53b5i0", "mover": "1"},
    {"track0": "t53b5i0", "mover": "1", "first": "1"},
    {"track0": "t53b5i0", "track1": "t53b5i0", "mover": "-"},
]


def as_text(changes: dict[str, str]) -> str:
    empty = quilt_text(set(), 7) if changes.get("edition") == "express" else EMPTY
    words = ("classic", LINE, empty, "t0b5i0", empty, "t0b5i0", "0", "-", "-")
    return " ".join((dict(zip(FIELDS, words, strict=True)) | changes).values())


@pytest.mark.parametrize("changes", ACCEPTED, ids=str)
def test_r47_positions_accepted(changes: dict[str, str]) -> None:
    state = State.parse(as_text(changes))
    assert str(state) == as_text(changes)
    assert state.is_over or len(state.legal_moves) > 0
    assert state.playout(1).is_over


@pytest.mark.parametrize("changes", REFUSED, ids=str)
def test_r47_positions_refused(changes: dict[str, str]) -> None:
    with pytest.raises(NotationError):
        State.parse(as_text(changes))


# K has 4 cells and costs 2 buttons, d has 5 and costs 1; both take 2 spaces.
BOUGHT = at(
    line=LINE[2:],
    quilts=("1x7/xx7/1x7/9/9/9/9/9/9", "x1x6/xxx6/9/9/9/9/9/9/9"),
    positions=(2, 2),
    buttons=(3, 4),
    to_move=1,
)


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        (at(line=LINE, positions=(0, 2), buttons=(5, 7)), ProblemKind.LEAD_TOO_LONG),
        (BOUGHT.replace(quilts=(FULL, EMPTY)), ProblemKind.TOO_MANY_CELLS),
        (BOUGHT.replace(quilts=(EMPTY, EMPTY)), ProblemKind.TOO_FEW_CELLS),
        (BOUGHT.replace(incomes=(1, 0)), ProblemKind.INCOME_MISMATCH),
        (at(line=LINE, quilts=(covered_but(side=7), EMPTY)), ProblemKind.TILE_UNCLAIMED),
        (at(line=LINE, tile_holder=0), ProblemKind.TILE_WITHOUT_SQUARE),
        (BOUGHT.replace(buttons=(8, 4)), ProblemKind.TOO_MANY_BUTTONS),
        (BOUGHT.replace(positions=(2, 1)), ProblemKind.TOO_LITTLE_TIME),
        (BOUGHT.replace(buttons=(4, 4)), ProblemKind.TOO_MUCH_SPENT),
    ],
    ids=lambda value: getattr(value, "value", ""),
)
def test_r48_signs_of_what_cannot_be(state: State, kind: ProblemKind) -> None:
    assert kind in [problem.kind for problem in state.problems()]


def test_r48_no_false_alarm() -> None:
    assert BOUGHT.problems() == START.problems() == ()
    assert played(START, "K0@a1", "d0@a1") == BOUGHT
    assert all(state.problems() == () for _, state in all_passes(START))


# Small cases


def test_case_01_the_first_pass() -> None:
    state = START.after("pass")
    assert (tokens(state), buttons(state), state.to_move) == ([1, 0], [6, 5], 1)


def test_case_02_the_second_pass() -> None:
    state = played(START, "pass", "pass")
    assert (tokens(state), buttons(state), state.to_move) == ([1, 2], [6, 7], 0)


@pytest.mark.parametrize("printed", [0, 1, 9])
def test_case_03_two_markers_in_a_pass(printed: int) -> None:
    state = at(positions=(4, 10), incomes=(printed, 5)).after("pass")
    assert (tokens(state), buttons(state)) == ([11, 10], [5 + 7 + 2 * printed, 5])


def test_case_04_income_and_a_special_patch() -> None:
    state = at(positions=(19, 25), incomes=(6, 0))
    assert incomes(state, "pass") == [(23, 6)]
    state = state.after("pass")
    assert (tokens(state), buttons(state)) == ([26, 25], [5 + 7 + 6, 5])
    assert (state.to_move, state.specials_waiting) == (0, 1)


def test_case_05_on_top_and_again() -> None:
    state = at(line="EKd", positions=(3, 5)).after("E0@a1")  # 3 buttons, 2 spaces, income 1
    assert (tokens(state), buttons(state), state.to_move) == ([5, 5], [5 - 3 + 1, 5], 0)


def test_case_06_pass_to_the_end() -> None:
    state = at(positions=(50, 53), incomes=(4, 0), finished_first=1).after("pass")
    assert (tokens(state), buttons(state), state.is_over) == ([53, 53], [5 + 3 + 4, 5], True)


def test_case_07_purchase_to_the_end() -> None:
    state = at(line="L", positions=(52, 53), buttons=(1, 0), finished_first=1).after("L0@a1")
    assert (tokens(state), buttons(state), state.is_over) == ([53, 53], [1 - 1 + 1, 0], True)


def test_case_08_the_one_below_moves_on() -> None:
    state = at(positions=(52, 52), incomes=(4, 0)).after("pass")
    assert (tokens(state), buttons(state)) == ([53, 52], [5 + 1 + 4, 5])
    assert (state.to_move, state.is_over, state.finished_first) == (1, False, 0)


@pytest.mark.parametrize(("before", "after"), [(None, 0), (0, 0), (1, 1)])
def test_case_09_a_special_patch_completes_the_square(before: int | None, after: int) -> None:
    quilts = (covered_but("d4", side=7), EMPTY)
    state = at(quilts=quilts, positions=(20, 19), specials_waiting=1, tile_holder=before)
    assert state.after("h@d4").tile_holder == after


def test_case_10_a_full_quilt() -> None:
    state = at(quilts=(FULL, EMPTY), positions=(19, 19), tile_holder=0).after("pass")
    assert (state.to_move, state.specials_waiting) == (1, 0)


def test_case_11_two_patches_left() -> None:
    assert at(line="Kd").after("d0@a1").line == "K"


def test_case_12_no_patch_left() -> None:
    assert texts(at(line="", buttons=(99, 99))) == ["pass"]


@pytest.mark.parametrize("first", [0, 1])
def test_case_13_equal_totals(first: int) -> None:
    state = at(line="", positions=(52, 52), to_move=first)
    state = played(state, "pass", "pass")
    assert state.scores == (6 - 162, 6 - 162)
    assert state.winner == first


def test_case_14_affordable_but_without_a_place() -> None:
    state = at(line="K", quilts=(covered_but("a1", "b1", "c1"), EMPTY), tile_holder=0)
    assert texts(state) == ["pass"]


def test_case_15_the_last_buttons() -> None:
    state = at(line="C", buttons=(3, 0))
    assert buttons(state.after("C0@a1")) == [0, 0]


def test_case_16_nothing_on_space_20_of_the_revised_track() -> None:
    state = at("revised", positions=(19, 19)).after("pass")
    assert (tokens(state)[0], state.specials_waiting, state.to_move) == (20, 0, 1)
    assert state.specials_left[0] == 26
    assert at("revised", positions=(25, 25)).after("pass").specials_waiting == 1


def test_case_17_the_named_player_starts() -> None:
    state = Setup.from_line(LINE, start_player=1).start()
    assert (tokens(state), state.to_move) == ([0, 0], 1)
    assert tokens(state.after("pass")) == [0, 1]


# Refusals, counts, figures


@pytest.mark.parametrize(
    ("state", "move", "expected"),
    [
        (OVER, "pass", ["game over"]),
        (OVER, 5000, ["game over", "not an action"]),
        (OVER, -1, ["game over", "not an action"]),
        (OVER, "h@a1", ["game over", "no special"]),
        (START, "h@a1", ["no special"]),
        (START, "i0@a1", ["not in the market"]),
        (START, "A0@i9", ["not in the market", "off the board"]),
        (START, "f0@a1", ["cannot afford"]),
        (START, "f0@i9", ["cannot afford", "off the board"]),
        (at(line="KA"), 2 * 648, ["not in the market"]),
        (at(line="A"), 2 * 81, ["no such orientation"]),
        (at(line="A", buttons=(0, 0)), 2 * 81 + 80, [
            "no such orientation", "cannot afford", "off the board",
        ]),
        (at(line="A", quilts=(FULL, EMPTY)), "A0@a1", ["overlap"]),
        (at(line="A", positions=(20, 0), specials_waiting=1), "A0@i9", [
            "special first", "off the board",
        ]),
    ],
)  # fmt: skip
def test_every_reason_in_order(state: State, move: str | int, expected: list[str]) -> None:
    assert reasons(state, move) == expected
    with pytest.raises(pw.IllegalMoveError) as caught:
        state.after(move)
    assert [reason.value for reason in caught.value.reasons] == expected


def test_perft_counts_plies() -> None:
    # Each pass brings the front one space further, and space 20 has a special patch.
    assert [at(line="").perft(depth) for depth in (0, 1, 2, 20, 21)] == [1, 1, 1, 1, 81]
    assert [OVER.perft(depth) for depth in (0, 1, 2)] == [1, 0, 0]
    state = at(line="K", positions=(19, 19))  # 224 ways to buy K, each with 77 cells left
    assert (state.perft(1), state.perft(2)) == (224 + 1, 224 * 77 + 81)


def test_most_moves_of_a_decision() -> None:
    assert len(at(line="FSa").legal_moves) == 1 + 3 * 448 == 1345
    assert len(at(positions=(20, 0), specials_waiting=1).legal_moves) == 81


def test_placements_of_all_patches() -> None:
    assert sum(len(START.placements(letter)) for letter in LINE) == 7349
    assert len(at(positions=(20, 0), specials_waiting=1).placements("h")) == 81


@pytest.mark.parametrize("edition", OFFICIAL)
@pytest.mark.parametrize("starter", [0, 1])
def test_a_game_of_passes(edition: str, starter: int) -> None:
    plies = all_passes(Setup.from_line(LINE, edition, starter).start())
    last = plies[-1][1]
    assert len(plies) == 54 + 5
    assert buttons(last) == [58, 58]
    assert [len(player.quilt) for player in last.players] == [5 * starter, 5 * (1 - starter)]
    assert last.scores == ((-94, -104) if starter else (-104, -94))
    assert last.winner == 1 - starter


def test_the_lowest_score() -> None:
    state = at(line="f", positions=(47, 53), buttons=(52, 0), finished_first=1).after("f0@a1")
    assert state.scores[0] == 52 - 7 + 3 - 2 * 77 == -106
    assert state.is_over


def test_the_longest_game() -> None:
    """Each patch of time 1, bought one space behind the opponent, is a turn more."""
    others = "".join(letter for letter in LINE if letter not in "ACRN")
    state, plies = Setup.from_line("ACRN" + others).start(), 0
    while state.to_move is not None:
        mine, other = tokens(state)[state.to_move], tokens(state)[1 - state.to_move]
        bought = [move for move in state.legal_moves if move.patch in set("ACRN")]
        is_short = mine + 1 == other and bought and not state.specials_waiting
        move = bought[0] if is_short else "pass"
        state = state.after(state.legal_moves[0] if state.specials_waiting else move)
        plies += 1
    assert state.line == others
    assert plies == 54 + 4 + 5 == 63


def test_every_rule_and_case_has_a_test() -> None:
    names = " ".join(name for name in globals() if name.startswith("test_"))
    assert set(re.findall(r"test_r(\d\d)_", names)) == {f"{rule:02}" for rule in range(1, 49)}
    assert set(re.findall(r"test_case_(\d\d)_", names)) == {f"{case:02}" for case in range(1, 18)}
