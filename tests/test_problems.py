"""Signs that no play has led to a position (R48): each kind shown, and no false alarm."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import patchwork as pw
from patchwork import Edition, Problem, ProblemKind, Random, Setup, State
from patchwork.lettered import LetteredGame

LINE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
START = Setup.from_line(LINE).start()
EMPTY = "9/9/9/9/9/9/9/9/9"
FULL = "/".join(["xxxxxxxxx"] * 9)


def quilt(covered: int) -> str:
    """A quilt of which the first cells are covered."""
    rows = [min(max(covered - 9 * row, 0), 9) for row in range(9)]
    return "/".join("x" * row + (str(9 - row) if row < 9 else "") for row in rows)


def after(*moves: str) -> State:
    state = START
    for move in moves:
        state = state.after(move)
    return state


# Player 0 has bought K (cost 2, time 2, 4 cells), player 1 d (cost 1, time 2, 5 cells).
TWO_BOUGHT = after("K0@a1", "d0@a1")
# Player 1 has bought d after a pass.
ONE_BOUGHT = after("pass", "d0@a1")

# A square of 2 x 2 wins the tile, and B is one.
SMALL = pw.edition("classic").replace(
    name="problems-small",
    size=3,
    tile={"side": 2, "points": 7},
    start_patch=None,
    patches=[
        {"letter": "A", "rows": ["x"], "cost": 1, "time": 2, "income": 0},
        {"letter": "B", "rows": ["xx", "xx"], "cost": 2, "time": 1, "income": 0},
    ],
)
TILE_WON = Setup.from_line("BA", SMALL).start().after("B0@a1")

# Each kind with a position that shows it, where it shows, and what else shows there.
CASES: dict[ProblemKind, tuple[State, str, set[ProblemKind]]] = {
    # Without a purchase the lead is 1.
    ProblemKind.LEAD_TOO_LONG: (
        START.replace(positions=(0, 2), buttons=(5, 7)),
        "players",
        set(),
    ),
    # K and d take 4 spaces, 3 were moved.
    ProblemKind.TOO_LITTLE_TIME: (TWO_BOUGHT.replace(positions=(2, 1)), "players", set()),
    # K and d have 9 cells.
    ProblemKind.TOO_MANY_CELLS: (
        TWO_BOUGHT.replace(quilts=(quilt(5), quilt(5))),
        "players",
        set(),
    ),
    ProblemKind.TOO_FEW_CELLS: (
        TWO_BOUGHT.replace(quilts=(quilt(3), quilt(5))),
        "players",
        set(),
    ),
    # Nothing is printed on K and d.
    ProblemKind.INCOME_MISMATCH: (TWO_BOUGHT.replace(incomes=(1, 0)), "players", set()),
    # One of them has 4 cells, the other 5.
    ProblemKind.NO_SUCH_SHARES: (
        TWO_BOUGHT.replace(quilts=(quilt(6), quilt(3))),
        "players",
        set(),
    ),
    # K and d both take time.
    ProblemKind.STANDING_STILL: (
        TWO_BOUGHT.replace(positions=(0, 4), to_move=0),
        "players[0]",
        {ProblemKind.LEAD_TOO_LONG},
    ),
    # 5 at the start, 1 for the space.
    ProblemKind.EMPTY_QUILT: (
        ONE_BOUGHT.replace(buttons=(5, 4)),
        "players[0]",
        {ProblemKind.TOO_FEW_BUTTONS},
    ),
    # 5 at the start, 2 for the spaces, no income.
    ProblemKind.TOO_MANY_BUTTONS: (
        TWO_BOUGHT.replace(buttons=(8, 0)),
        "players[0]",
        {ProblemKind.TOO_MUCH_SPENT},
    ),
    # 10 at the start, no space but those that the patches took, 3 paid: 7 are left.
    ProblemKind.TOO_MUCH_SPENT: (TWO_BOUGHT.replace(buttons=(4, 4)), "players", set()),
    ProblemKind.TOO_FEW_BUTTONS: (TWO_BOUGHT.replace(buttons=(4, 2)), "players", set()),
    ProblemKind.TILE_UNCLAIMED: (TILE_WON.replace(tile_holder=None), "tile_holder", set()),
    ProblemKind.TILE_WITHOUT_SQUARE: (TILE_WON.replace(tile_holder=1), "tile_holder", set()),
    ProblemKind.START_PATCH_MOVED: (START.replace(line="A" + LINE[:-1]), "line", set()),
}


def kinds(state: State) -> set[ProblemKind]:
    return {problem.kind for problem in state.problems()}


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.name)
def test_each_kind(kind: ProblemKind) -> None:
    state, where, others = CASES[kind]
    problems = {problem.kind: problem for problem in state.problems()}
    assert problems.keys() == {kind} | others
    assert problems[kind].where == where
    assert problems[kind].detail


def test_every_kind_is_shown() -> None:
    assert CASES.keys() == set(ProblemKind)


@pytest.mark.parametrize("state", [START, ONE_BOUGHT, TWO_BOUGHT, TILE_WON])
def test_the_positions_that_were_changed_show_none(state: State) -> None:
    assert state.problems() == ()


def test_a_problem_is_a_value() -> None:
    found = START.replace(tile_holder=1).problems()
    assert found == (
        Problem(ProblemKind.TILE_WITHOUT_SQUARE, "tile_holder", "player 1 has no square"),
    )
    assert ProblemKind("tile without square") is ProblemKind.TILE_WITHOUT_SQUARE


def test_a_tile_that_either_player_should_hold() -> None:
    square, empty = (player.quilt for player in TILE_WON.players)
    for quilts in ((square, empty), (empty, square)):
        state = TILE_WON.replace(tile_holder=None, quilts=quilts)
        assert ProblemKind.TILE_UNCLAIMED in kinds(state)


def test_an_income_without_a_purchase() -> None:
    assert kinds(ONE_BOUGHT.replace(incomes=(1, 0))) == {
        ProblemKind.EMPTY_QUILT,
        ProblemKind.INCOME_MISMATCH,
    }


@pytest.mark.parametrize(
    ("buttons", "expected"),
    [
        (5, set()),
        # 10 at the start, no space but those of L, 1 of income, 1 paid, 5 held by the other.
        (6, {ProblemKind.TOO_MUCH_SPENT}),
        # 5 at the start, 5 for the spaces, 1 of income.
        (11, {ProblemKind.TOO_MUCH_SPENT}),
        (12, {ProblemKind.TOO_MUCH_SPENT, ProblemKind.TOO_MANY_BUTTONS}),
    ],
)
def test_the_most_buttons_with_an_income(buttons: int, expected: set[ProblemKind]) -> None:
    # L costs 1 and takes 5 spaces, onto a marker; 1 is printed on it.
    state = Setup.from_line("L" + LINE.replace("L", "")).start().after("L0@a1")
    assert state.players[0].buttons == 5
    assert kinds(state.replace(buttons=(buttons, 5))) == expected


def test_several_at_once() -> None:
    state = State.parse(f"classic {LINE} {FULL} t9b99i9 {EMPTY} t0b9i9 1 1 -")
    assert kinds(state) == {
        ProblemKind.LEAD_TOO_LONG,
        ProblemKind.TOO_MANY_CELLS,
        ProblemKind.INCOME_MISMATCH,
        ProblemKind.STANDING_STILL,
        ProblemKind.EMPTY_QUILT,
        ProblemKind.TOO_MANY_BUTTONS,
        ProblemKind.TOO_MUCH_SPENT,
        ProblemKind.TILE_WITHOUT_SQUARE,
    }


# No false alarm


def test_the_end_of_the_track_cuts_moves_short() -> None:
    short = SMALL.replace(name="problems-short", final=1, markers=[], specials=[])
    state = Setup.from_line("AB", short).start()
    for move in ("A0@a1", "B0@a1"):
        state = state.after(move)
        assert state.problems() == ()
    assert state.is_over
    assert ProblemKind.TOO_LITTLE_TIME in kinds(state.replace(positions=(1, 0), to_move=1))


def test_a_full_quilt_loses_special_patches() -> None:
    full = SMALL.replace(
        name="problems-full", size=1, tile=None, specials=[1], patches={"B": False}
    )
    state = Setup.from_line("A", full).start().after("A0@a1")
    assert (state.specials_left, state.players[0].quilt.empty) == ((), 0)
    assert state.problems() == ()


def test_special_patches_count() -> None:
    state = START
    while not state.specials_waiting:
        state = state.after("pass")
    assert state.problems() == ()
    placed = state.after("h@e5")
    assert placed.problems() == ()
    # Not yet placed it has no cell, and placed it has one.
    assert ProblemKind.TOO_MANY_CELLS in kinds(
        state.replace(quilts=[p.quilt for p in placed.players])
    )
    assert ProblemKind.TOO_FEW_CELLS in kinds(placed.replace(quilts=(EMPTY, EMPTY)))


def figure(numbers: random.Random, size: int) -> list[str]:
    """A drawing of up to 12 cells, holes and loose ones included, without empty borders."""
    height, width = (numbers.randint(1, min(size, 3)) for _ in range(2))
    rows = [[numbers.random() < 0.7 for _ in range(width)] for _ in range(height)]
    for row in rows:
        row[numbers.randrange(width)] = True
    for column in range(width):
        rows[numbers.randrange(height)][column] = True
    return ["".join(".x"[mark] for mark in row) for row in rows]


def random_edition(numbers: random.Random, name: str) -> Edition:
    """Small boards, short tracks, crowded with markers and special patches: all that R44 allows."""
    size, final = numbers.randint(1, 9), numbers.randint(1, 60)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg"[: numbers.randint(1, 33)]
    later = letters[numbers.randint(1, len(letters)) :]
    spaces = range(1, final + 1)
    return Edition.from_dict(
        {
            "name": name,
            "size": size,
            "final": final,
            "markers": sorted(numbers.sample(spaces, numbers.randint(0, min(final, 12)))),
            "specials": sorted(numbers.sample(spaces, numbers.randint(0, min(final, 15)))),
            "start_buttons": numbers.choice([0, 5, 30]),
            "market": numbers.randint(1, 3),
            "tile": numbers.choice([None, {"side": numbers.randint(1, size), "points": 7}]),
            "start_patch": numbers.choice([None, "A"]),
            "reserve": {
                "patches": later,
                "join_at": numbers.randrange(len(letters) - len(later)),
            }
            if later
            else None,
            "patches": [
                {
                    "letter": letter,
                    "rows": figure(numbers, size),
                    "cost": numbers.choice([0, 1, 2, 5, 9]),
                    "time": numbers.choice([0, 1, 2, 3, 6, 20]),
                    "income": numbers.choice([0, 0, 1, 3]),
                }
                for letter in letters
            ],
        }
    )


def play(setup: Setup, numbers: random.Random) -> None:
    """Play to the end, packing tightly or at random, and look for problems in every state."""
    state, source = setup.start(), Random(numbers.getrandbits(64))
    is_tight = numbers.random() < 0.5
    while True:
        assert state.problems() == (), state
        if state.is_over:
            break
        moves = state.legal_moves
        state = state.after(moves[0] if is_tight else moves.sample(source))


def games(editions: int, games_each: int) -> None:
    numbers = random.Random(editions)
    for i in range(editions):
        edition = random_edition(numbers, f"problems-{editions}-{i}")
        for _ in range(games_each):
            seed, start_player = numbers.getrandbits(64), numbers.randrange(2)
            play(Setup.random(seed, edition, start_player), numbers)


@pytest.mark.parametrize("name", ["classic", "revised", "express", "anniversary"])
def test_games_of_shipped_editions(name: str) -> None:
    numbers = random.Random(name)
    for _ in range(30):
        play(Setup.random(numbers.getrandbits(64), name, numbers.randrange(2)), numbers)


def test_games_of_random_editions() -> None:
    games(60, 5)


@pytest.mark.long
def test_many_games_of_random_editions() -> None:
    games(200, 300)


@pytest.mark.games
def test_recorded_games(games_folder: Path) -> None:
    with open(games_folder / "recorded_games.jsonl", encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row["legal"]]
    assert rows
    for row in rows:
        for ply in LetteredGame(row["circle"], row["moves"]).replay().plies:
            assert ply.state.problems() == ()
