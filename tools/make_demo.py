"""Make the game that `patchwork demo` replays: both players pack tightly.

Run as `python tools/make_demo.py > src/patchwork/demo.json`.
"""

from __future__ import annotations

from patchwork import Game, Move, Setup, State

SEEDS = range(300)
COLUMNS = "abcdefghi"


def neighbours(cell: str) -> list[str]:
    column, row = COLUMNS.index(cell[0]), int(cell[1])
    around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    return [f"{COLUMNS[c]}{r}" if 0 <= c < 9 and 0 < r < 10 else "off" for c, r in around]


def tightness(state: State, move: Move) -> float:
    """Return the share of a placement's outer edges that touch the border or other patches."""
    cells = set(state.cells(move))
    player = state.players[state.to_move or 0]
    covered = {"off", *player.quilt.cells}
    edges = [cell for own in cells for cell in neighbours(own) if cell not in cells]
    return sum(edge in covered for edge in edges) / len(edges)


def worth(state: State, move: Move) -> float:
    if move.is_pass or move.patch is None:
        return 0.0
    if move.is_special:
        return 1 + tightness(state, move)
    patch = state.edition.patches[move.patch]
    player = state.players[state.to_move or 0]
    markers = sum(marker > player.position for marker in state.edition.markers)
    gain = 2 * patch.cells + patch.income * markers - patch.cost
    return (gain + 8 * tightness(state, move)) / (patch.time + 1) - 3


def played(seed: int) -> Game:
    game = Game(Setup.random(seed))
    while not game.is_over:
        state = game.state
        game.play(max(state.legal_moves, key=lambda move: worth(state, move)))
    return game


def beauty(game: Game) -> tuple[bool, bool, int]:
    """Return what is compared: the tile won, nobody below zero, and the winner's points."""
    return game.state.tile_holder is not None, min(game.scores) > 0, max(game.scores)


if __name__ == "__main__":
    print(max(map(played, SEEDS), key=beauty).to_record(source="tools/make_demo.py"))
