"""Drawings in the terminal."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest

from patchwork import Edition, Game, Move, Setup, State, edition
from patchwork.render import text

SMALL = edition("classic").replace(
    name="render-small",
    size=3,
    final=8,
    markers=(4, 8),
    specials=(6,),
    tile=None,
    patches=dict.fromkeys("EFGHIJKLMNOPQRSTUVWXYZabcdefg"),
)


def longest_edition() -> Edition:
    """Where every part takes as much room as R44 allows."""
    letters = string.ascii_letters.replace("h", "")
    patch = {"rows": ["xxxxxx", *["x....."] * 5], "cost": 99, "time": 99, "income": 5}
    return Edition.from_dict(
        {
            "name": "render-" + "x" * 25,
            "size": 9,
            "final": 254,
            "markers": list(range(1, 255)),
            "specials": list(range(1, 16)),
            "start_buttons": 999,
            "market": 3,
            "tile": {"side": 9, "points": 99},
            "start_patch": None,
            "reserve": {"patches": "XYZ", "join_at": 5},
            "patches": dict.fromkeys(letters, patch),
        }
    )


def lines(*expected: str) -> str:
    return "\n".join(expected)


def test_a_small_state_is_drawn_as_expected() -> None:
    state = State.parse(f"{SMALL.tag} BCDA xx1/3/3 t2b4i0 3/3/1x1 t1b7i0 1 - -")
    assert text(state, ascii=True) == lines(
        f"{SMALL.tag} - player 1 to move",
        "",
        "  player 0: 4 buttons, income 0   > player 1: 7 buttons, income 0",
        "  space 2, points -10               space 1, points -9",
        "    a b c                             a b c",
        "  1 # # .                           1 . . .",
        "  2 . . .                           2 . . .",
        "  3 . . .                           3 . # .",
        "",
        "track    0 .10.$.*.$",
        "line     > BCD A",
        "",
        "B: cost 1, time 3   C: cost 3, time 1   D: cost 2, time 2",
        "   income 0            income 0            income 0",
        "    #                   #                  #",
        "   ##                  ##                  #",
        "                                           #",
    )


def test_a_small_game_is_drawn_as_expected() -> None:
    game = Game(State.parse(f"{SMALL.tag} BCDA x2/3/3 t2b4i0 3/3/3 t1b7i0 1 - -"))
    game.play("B1@a1")
    game.play("pass")
    game.play("pass")
    assert text(game) == lines(
        f"{SMALL.tag} · player 1 to move, 1 special to place",
        "",
        "  player 0: 7 buttons, income 0   ▸ player 1: 8 buttons, income 0",
        "  space 5, points -9                space 6, points -4",
        "    a b c                             a b c",
        "  1 ? · ·                           1 B · ·",
        "  2 · · ·                           2 B B ·",
        "  3 · · ·                           3 · · ·",
        "",
        "track    0 ····$01·$",
        "line     ▸ CDA",
        "",
        "C: cost 3, time 1   D: cost 2, time 2   A: cost 2, time 1",
        "   income 0            income 0            income 0",
        "    ■                  ■                   ■",
        "   ■■                  ■                   ■",
        "                       ■",
    )


def test_a_finished_state_shows_what_is_left_and_who_won() -> None:
    state = State.parse(f"{SMALL.tag} BCDA xxx/xxx/xx1 t8b4i0 3/3/1x1 t8b7i0 - - 0")
    assert text(state, ascii=True) == lines(
        f"{SMALL.tag} - 2 to -9, player 0 wins on points",
        "",
        "  player 0: 4 buttons, income 0     player 1: 7 buttons, income 0",
        "  space 8, points 2                 space 8, points -9",
        "    a b c                             a b c",
        "  1 # # #                           1 . . .",
        "  2 # # #                           2 . . .",
        "  3 # # .                           3 . # .",
        "",
        "track    0 ....$...&",
        "line     > BCDA",
    )


def test_a_tie_is_said_to_be_decided_by_who_was_first() -> None:
    state = State.parse("classic A 9/9/9/9/9/9/9/9/9 t53b58i0 9/9/9/9/9/9/9/9/9 t53b58i0 - - 1")
    assert "-104 to -104, player 1 wins first on the last space" in text(state)


def test_a_resigned_game_names_the_winner() -> None:
    game = Game(Setup.random(1))
    game.resign(0)
    assert text(game).startswith("classic · resigned, player 1 wins\n")


def test_an_abandoned_game_has_no_winner() -> None:
    game = Game(Setup.random(1))
    game.end("abandoned")
    assert text(game).startswith("classic · abandoned, nobody wins\n")


def test_special_patches_to_place_are_announced() -> None:
    state = State.parse("classic - 9/9/9/9/9/9/9/9/9 t20b9i0 9/9/9/9/9/9/9/9/9 t18b5i0 0* - -")
    assert "player 0 to move, 1 special to place" in text(state)
    assert Move.parse("h@a1") in state.legal_moves


def test_the_tile_lies_with_its_holder() -> None:
    square = "/".join(["xxxxxxx2"] * 7 + ["9"] * 2)
    state = State.parse(f"classic A {square} t20b9i0 9/9/9/9/9/9/9/9/9 t18b5i0 1 0 -")
    assert "space 20, points -48, tile" in text(state)
    assert "tile     free" not in text(state)
    free = Setup.random(1).start()
    assert "tile     free, 7 points for 7 x 7" in text(free)


def test_a_reserve_stands_behind_the_line() -> None:
    setup = Setup.from_line("GBDEFCHIJKLMNOA+TPWQVRUS", "express")
    assert "line     ▸ GBD EFCHIJKLMNOA + TPWQVRUS" in text(setup.start())


def check_limits(subject: State | Game, ascii: bool, most: int = 2000) -> None:
    drawn = text(subject, ascii=ascii)
    assert max(map(len, drawn.splitlines())) <= 80
    assert len(drawn) <= most
    assert drawn.isascii() or not ascii
    assert not any(line.endswith(" ") for line in drawn.splitlines())


@pytest.mark.parametrize("ascii", [True, False])
@pytest.mark.parametrize("name", ["classic", "revised", "anniversary", "express"])
def test_every_drawing_stays_within_its_limits(name: str, ascii: bool) -> None:
    game = Game(Setup.random(11, name))
    while not game.is_over:
        check_limits(game, ascii)
        check_limits(game.state, ascii)
        legal = game.state.legal_moves
        game.play(legal[len(game) * 7 % len(legal)])
    check_limits(game, ascii)


FULL = "/".join(["x" * 9] * 9)
EXTREMES: list[Any] = [
    {},
    {"buttons": (900_000, 900_000), "positions": (199, 200)},
    {
        "quilts": (FULL, FULL[:-1] + "1"),
        "buttons": (900_000, 900_000),
        "positions": (0, 250),
        "specials_waiting": 15,
        "to_move": 1,
        "tile_holder": 1,
    },
    {"buttons": (999_999, 999_999), "positions": (254, 254), "to_move": None, "finished_first": 1},
]


@pytest.mark.parametrize("changes", EXTREMES)
def test_the_longest_edition_is_drawn_within_80_columns(changes: Any) -> None:
    state = Setup.random(1, longest_edition()).start()
    check_limits(state.replace(**changes), ascii=True, most=2500)


def test_colour_adds_codes_and_nothing_else() -> None:
    state = Setup.random(3).start()
    colored = text(state, color=True)
    assert "\x1b[36m▸ player 0" in colored
    assert "\x1b[35m  player 1" in colored
    bare = re.sub(r"\x1b\[\d*m", "", colored)
    assert [line.rstrip() for line in bare.splitlines()] == text(state).splitlines()
    assert colored.count("\x1b[36m") == colored.count("\x1b[35m") == colored.count("\x1b[0m") / 2


def test_only_states_and_games_are_drawn() -> None:
    with pytest.raises(TypeError, match="a State or a Game can be drawn, not str"):
        text("classic")  # type: ignore[arg-type]
