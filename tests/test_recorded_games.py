"""Games recorded elsewhere, with their published figures: `make test-games GAMES=DIR`."""

from __future__ import annotations

import json
import pickle
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from patchwork import Game, IllegalMoveError, NotationError, Reason, RecordError, edition
from patchwork.lettered import LetteredGame, format_game, parse_moves, read_lettered
from patchwork.records import Record

pytestmark = pytest.mark.games

REASONS = {
    "not among three": Reason.NOT_IN_MARKET,
    "special not earned": Reason.NO_SPECIAL,
    "too dear": Reason.CANNOT_AFFORD,
    "overlap": Reason.OVERLAP,
}
"""What the collection calls the reasons."""
UNREADABLE = "anu-invalid-10"
"""The name of the game with a cell off the alphabet."""


@cache
def collection(folder: Path) -> list[tuple[dict[str, Any], LetteredGame]]:
    """The rows of the collection, each with its game as the package reads it."""
    file = folder / "recorded_games.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return list(zip(rows, read_lettered(file), strict=True))


def legal_games(folder: Path) -> list[tuple[dict[str, Any], Game]]:
    games = [(row, game.replay()) for row, game in collection(folder) if row["legal"]]
    assert len(games) == 108
    return games


def illegal_games(folder: Path) -> list[tuple[dict[str, Any], LetteredGame]]:
    games = [(row, game) for row, game in collection(folder) if not row["legal"]]
    assert len(games) == 14
    return games


def test_the_collection_is_read_as_it_is(games_folder: Path) -> None:
    assert len(collection(games_folder)) == 122
    for row, game in collection(games_folder):
        assert (game.name, game.circle, game.moves) == (row["id"], row["circle"], row["moves"])
        assert game.edition == edition({"original": "classic", "revised": "revised"}[row["track"]])


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
    for _, game in legal_games(games_folder):
        assert format_game(game).replay() == game
        assert Game.parse(str(game)) == game
        assert Record.parse(str(game.to_record())).replay() == game
        assert pickle.loads(pickle.dumps(game)) == game


def test_legal_games_are_written_as_they_were_read(games_folder: Path) -> None:
    """But for the orientation: the collection has any of those that give the same shape."""
    for row, game in legal_games(games_folder):
        written = format_game(game)
        assert written.circle in row["circle"] * 2
        moves = zip(parse_moves(row["moves"]), parse_moves(written.moves), strict=True)
        for ply, (there, back) in enumerate(moves):
            cells = game.state_at(ply).cells
            assert (there.patch, cells(there)) == (back.patch, cells(back)), row["id"]


def test_legal_games_are_imported_by_their_cells_alone(games_folder: Path) -> None:
    for row, game in legal_games(games_folder):
        copy = Game(game.start)
        for ply in game.plies:
            patch = ply.move.patch
            move = game.start.edition.move_from_cells(patch, ply.cells) if patch else "pass"
            copy.play(move)
        assert copy == game, row["id"]


def test_every_covered_cell_has_its_patch(games_folder: Path) -> None:
    for _, game in legal_games(games_folder):
        for player in (0, 1):
            assert set(game.covers(player)) == set(game.quilts[player].cells)
            assert "?" not in game.covers(player).values()


def test_illegal_games_are_refused_where_and_why_the_collection_says(games_folder: Path) -> None:
    refused = 0
    for row, game in illegal_games(games_folder):
        if row["id"] == UNREADABLE:
            continue
        with pytest.raises(RecordError) as caught:
            game.replay()
        assert caught.value.where == f"moves[{row['first_fault_ply']}]", row["id"]
        assert isinstance(caught.value.__cause__, IllegalMoveError)
        fault = REASONS[row["first_fault"]]
        assert fault in caught.value.__cause__.reasons, row["id"]
        assert fault in caught.value.fault
        refused += 1
    assert refused == 13


def test_an_unreadable_cell_is_named_by_its_place(games_folder: Path) -> None:
    (row, game), *others = [
        pair for pair in illegal_games(games_folder) if pair[0]["id"] == UNREADABLE
    ]
    assert others == []
    at = game.moves.index("hSAA")
    assert len(list(parse_moves(game.moves[:at]))) == row["first_fault_ply"]
    with pytest.raises(NotationError) as caught:
        game.replay()
    assert (caught.value.position, caught.value.fault) == (at + 1, "expected a column A..I")
    assert caught.value.text == game.moves
