"""A puzzle: a position made by hand, and its solution by trying everything."""

from __future__ import annotations

from patchwork import Move, Setup, State

QUILT = "xxxxxxxxx/xxxxxxxxx/xxxxxxxxx/xxx1xxxxx/xxxxxxxxx/xxxxxxxxx/xxxxxxxx1/xxxxxxx2/9"
OTHER = "xxxxxxxxx/xxxxxxxxx/xxxxxxxxx/xxxxxxxxx/xxxxxx3/xxxxxx3/xxxxxx3/xxxxxx3/9"


def position() -> State:
    """Player 0 lacks one cell of the tile's square, and a special patch lies on space 50."""
    return (
        Setup.random(edition="revised")
        .start()
        .replace(
            line="YAR",
            quilts=(QUILT, OTHER),
            positions=(47, 49),
            buttons=(4, 18),
            incomes=(7, 11),
        )
    )


Value = tuple[int, int]
"""1 if player 0 wins, else -1, and by how many points he is ahead."""
Solution = tuple[Value, tuple[Move, ...]]
"""What a position is worth with best play by both, and the moves."""


def solve(state: State, known: dict[State, Solution] | None = None) -> Solution:
    """Return the value of a position by trying everything; states are keys, so nothing twice."""
    known = {} if known is None else known
    if state not in known:
        known[state] = _best(state, known)
    return known[state]


def _best(state: State, known: dict[State, Solution]) -> Solution:
    if state.is_over:
        first, second = state.scores
        return (state.returns[0], first - second), ()
    results = []
    for move in state.legal_moves:
        value, line = solve(state.after(move), known)
        results.append((value, (move, *line)))
    # The state is asked who moves: it may be the same player again.
    best = max if state.to_move == 0 else min
    return best(results, key=lambda result: result[0])


def main() -> None:
    (_, lead), line = solve(position())
    print(f"Player 0 wins by {lead}: {' '.join(map(str, line))}")


if __name__ == "__main__":
    main()
