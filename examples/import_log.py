"""The import of a foreign log that names only the cells that each move covered.

Another program may number cells, patches and orientations as it likes. The cells of a move are
enough: no cell is a pass, and which patch of the market lies on them is found by its shape. Where
two patches on offer have the same shape, the moves that follow tell which one it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchwork import PASS, Game, IllegalMoveError, Move, NotationError, Setup, State

Cells = Sequence[tuple[int, int]]
"""The cells of a move as (row, column), both counted from 0."""


def read_log(setup: Setup, log: Sequence[Cells]) -> Game:
    """Return the game of a log.

    :raises ValueError: if the rules allow no game with these cells.
    """
    for moves in _games(setup.start(), log):
        game = Game(setup)
        for move in moves:
            game.play(move)
        return game
    raise ValueError("no game covers these cells")


def _games(state: State, log: Sequence[Cells]) -> Iterator[list[Move]]:
    """Yield the moves of each game that covers these cells."""
    if not log:
        yield []
        return
    for move in _candidates(state, log[0]):
        try:
            after = state.after(move)
        except IllegalMoveError:
            continue
        yield from ([move, *moves] for moves in _games(after, log[1:]))


def _candidates(state: State, cells: Cells) -> Iterator[Move]:
    """Yield each move of a patch on offer, or of a special patch, that covers these cells."""
    if not cells:
        yield PASS
        return
    for letter in "h" if state.specials_waiting else state.market:
        try:
            yield state.edition.move_from_cells(letter, cells)
        except NotationError:
            continue


def main() -> None:
    log: list[Cells] = [[(3, 7), (0, 7), (0, 8), (1, 8), (2, 8), (3, 8)], [], []]
    print(read_log(Setup.random(7), log))


if __name__ == "__main__":
    main()
