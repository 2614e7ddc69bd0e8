"""Monte Carlo tree search in plain Python.

The player who moved often moves again, so nothing here turns a value around from ply to ply: a
node counts the wins of both players, and whoever is to move there looks at his own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt

from patchwork import Game, Move, Random, Setup, State

EXPLORATION = 1.0


@dataclass
class Node:
    """A state of the tree."""

    state: State
    visits: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    children: dict[Move, Node] = field(default_factory=dict)
    untried: list[Move] = field(default_factory=list)

    @classmethod
    def of(cls, state: State, rng: Random) -> Node:
        return cls(state, untried=_shuffled(list(state.legal_moves), rng))

    def best(self) -> Node:
        """Return the child that looks best to the player to move, or needs a look."""
        player = self.state.to_move
        assert player is not None

        def bound(child: Node) -> float:
            return child.wins[player] / child.visits + EXPLORATION * sqrt(
                log(self.visits) / child.visits
            )

        return max(self.children.values(), key=bound)


def search(state: State, playouts: int, rng: Random) -> Move:
    """Return the move that was looked at most."""
    root = Node.of(state, rng)
    for _ in range(playouts):
        path = _descend(root, rng)
        winner = path[-1].state.playout(rng=rng).winner
        assert winner is not None
        for node in path:
            node.visits += 1
            node.wins[winner] += 1
    return max(root.children, key=lambda move: root.children[move].visits)


def _descend(root: Node, rng: Random) -> list[Node]:
    """Return the nodes from the root to a new one, or to the end of a game."""
    path = [root]
    while not path[-1].untried and path[-1].children:
        path.append(path[-1].best())
    if path[-1].untried:
        path.append(_grown(path[-1], rng))
    return path


def _grown(node: Node, rng: Random) -> Node:
    move = node.untried.pop()
    node.children[move] = Node.of(node.state.after(move), rng)
    return node.children[move]


def _shuffled(moves: list[Move], rng: Random) -> list[Move]:
    for i in range(len(moves) - 1, 0, -1):
        k = rng.below(i + 1)
        moves[i], moves[k] = moves[k], moves[i]
    return moves


def main() -> None:
    game, rng = Game(Setup.random(7)), Random(7)
    while not game.is_over:
        searches = game.state.to_move == 0
        state = game.state
        game.play(search(state, 500, rng) if searches else state.legal_moves.sample(rng))
    print(f"search {game.scores[0]}, chance {game.scores[1]}")


if __name__ == "__main__":
    main()
