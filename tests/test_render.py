"""Drawings in the terminal."""

from __future__ import annotations

import re

import pytest

from patchwork import Game, Move, Setup, State, edition
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


def test_a_small_state_is_drawn_as_expected() -> None:
    state = State.parse(f"{SMALL.tag} BCDA xx1/3/3 t2b4i0 3/3/1x1 t1b7i0 1 - -")
    assert text(state, ascii=True) == "\n".join(
        [
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
            "",
            "B: cost 1, time 3, +0   C: cost 3, time 1, +0   D: cost 2, time 2, +0",
            " #                       #                      #",
            "##                      ##                      #",
            "                                                #",
            "",
            "then A",
        ]
    )


def test_a_game_shows_which_patch_lies_where() -> None:
    game = Game(Setup.from_line("KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"))
    game.play("K1@a1")
    drawn = text(game, ascii=True)
    assert "1 . K . " in drawn
    assert "2 K K K " in drawn


def test_a_finished_game_names_winner_and_reason() -> None:
    state = State.parse("classic A 9/9/9/9/9/9/9/9/9 t53b58i0 9/9/9/9/9/9/9/9/9 t53b58i0 - - 1")
    assert "-104 to -104, player 1 wins first on the last space" in text(state)


def test_a_resigned_game_names_the_winner() -> None:
    game = Game(Setup.random(1))
    game.resign(0)
    assert "resigned, player 1 wins" in text(game)


@pytest.mark.parametrize("name", ["classic", "revised", "anniversary", "express"])
def test_every_drawing_stays_within_its_limits(name: str) -> None:
    game = Game(Setup.random(11, name))
    moves = iter(range(1000))
    while not game.is_over:
        for subject in (game, game.state):
            for ascii in (True, False):
                drawn = text(subject, ascii=ascii)
                assert max(map(len, drawn.splitlines())) <= 80
                assert len(drawn) <= 2000
                assert drawn.isascii() or not ascii
        legal = game.state.legal_moves
        game.play(legal[next(moves) * 7 % len(legal)])


def test_colour_adds_codes_and_nothing_else() -> None:
    state = Setup.random(3).start()
    coloured = text(state, color=True)
    assert "\x1b[36m" in coloured
    assert re.sub(r"\x1b\[\d*m", "", coloured).split() == text(state).split()


def test_special_patches_to_place_are_announced() -> None:
    state = State.parse("classic - 9/9/9/9/9/9/9/9/9 t20b9i0 9/9/9/9/9/9/9/9/9 t18b5i0 0* - -")
    assert "player 0 to move, 1 special to place" in text(state)
    assert Move.parse("h@a1") in state.legal_moves
