"""Games recorded elsewhere, with their published figures: `make test-games GAMES=DIR`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from patchwork import Game, IllegalMoveError, NotationError, RecordError
from patchwork.lettered import LetteredGame, format_game, read_lettered
from patchwork.records import Record

pytestmark = pytest.mark.games

REASONS = {
    "not among three": "not in the market",
    "special not earned": "no special",
    "too dear": "cannot afford",
    "off board": "off the board",
}


@cache
def collection(folder: Path) -> list[dict[str, Any]]:
    with open(folder / "recorded_games.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def lettered(row: dict[str, Any]) -> LetteredGame:
    return LetteredGame(row["circle"], row["moves"])


def legal_games(folder: Path) -> list[tuple[dict[str, Any], Game]]:
    return [(row, lettered(row).replay()) for row in collection(folder) if row["legal"]]


def test_the_collection_is_whole(games_folder: Path) -> None:
    legal = [row["legal"] for row in collection(games_folder)]
    assert (legal.count(True), legal.count(False)) == (108, 14)
    assert len(list(read_lettered(games_folder / "recorded_games.jsonl"))) == 122


def test_legal_games_replay_to_the_published_figures(games_folder: Path) -> None:
    for row, game in legal_games(games_folder):
        outcome = game.state.outcome
        published = row["published"]
        without_tile = [score.total - score.tile for score in outcome.scores]
        assert without_tile == published["score_without_tile"], row["id"]
        if "has_tile_square" in published:
            held = [game.state.tile_holder == player for player in (0, 1)]
            assert held == published["has_tile_square"], row["id"]


def test_legal_games_replay_to_the_derived_figures(games_folder: Path) -> None:
    for row, game in legal_games(games_folder):
        state, derived = game.state, row["derived"]
        figures = {
            "finished": state.is_over,
            "positions": [player.position for player in state.players],
            "buttons": [player.buttons for player in state.players],
            "income": [player.income for player in state.players],
            "empty": [player.quilt.empty for player in state.players],
            "total": list(state.scores),
            "first_at_53": state.finished_first,
            "circle_left_from_token": state.line,
            "tile": state.tile_holder,
        }
        assert figures == derived, row["id"]


def test_legal_games_survive_every_notation(games_folder: Path) -> None:
    for row, game in legal_games(games_folder):
        assert lettered(row).replay() == game
        assert format_game(game).replay() == game
        assert Game.parse(str(game)) == game
        assert Record.parse(str(game.to_record())).replay() == game


def test_legal_games_are_imported_by_their_cells_alone(games_folder: Path) -> None:
    for row, game in legal_games(games_folder):
        copy = Game(game.start)
        for ply in game.plies:
            patch, cells = ply.move.patch, copy.state.cells(ply.move)
            if patch is None or patch == "h":
                copy.play(ply.move)
            else:
                copy.play(game.start.edition.move_from_cells(patch, cells))
        assert copy == game, row["id"]


def test_illegal_games_are_refused_where_and_why_the_collection_says(games_folder: Path) -> None:
    refused = 0
    for row in collection(games_folder):
        if row["legal"] or row["id"] == "anu-invalid-10":
            continue
        with pytest.raises(RecordError) as caught:
            lettered(row).replay()
        assert caught.value.where == f"moves[{row['first_fault_ply']}]"
        assert isinstance(caught.value.__cause__, IllegalMoveError)
        assert REASONS.get(row["first_fault"], row["first_fault"]) in caught.value.__cause__.reasons
        refused += 1
    assert refused == 13


def test_an_unreadable_cell_is_named_by_its_place(games_folder: Path) -> None:
    row = next(row for row in collection(games_folder) if row["id"] == "anu-invalid-10")
    with pytest.raises(NotationError) as caught:
        lettered(row).replay()
    assert row["moves"][caught.value.position - 1 :].startswith("hSAA")
    assert caught.value.fault == "expected a column A..I"
