"""Statistics of random games: how long they are, what they score, and who wins them.

Game i draws from stream i of the seed, so that the figures do not depend on how the work is split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import mean

from patchwork import Game, Random, Setup


def random_games(count: int, seed: int, edition: str = "classic") -> Iterator[Game]:
    """Yield games of random moves; the players begin in turn."""
    for i in range(count):
        rng = Random.stream(seed, i)
        game = Game(Setup.random(rng.next(), edition, start_player=i % 2))
        while not game.is_over:
            game.play(game.state.legal_moves.sample(rng))
        yield game


def figures(games: Iterable[Game]) -> dict[str, float]:
    """Return the means over games."""
    played = list(games)
    return {
        "plies": mean(len(game) for game in played),
        "moves to choose from": mean(
            len(game.state_at(n).legal_moves) for game in played for n in range(len(game))
        ),
        "points": mean(points for game in played for points in game.scores),
        "empty cells": mean(quilt.empty for game in played for quilt in game.quilts),
        "tile won": mean(game.state.tile_holder is not None for game in played),
        "start player wins": mean(game.winner == game.start.to_move for game in played),
    }


def purchases(games: Iterable[Game]) -> Counter[str]:
    """Count how often each patch was bought."""
    bought = Counter[str]()
    for game in games:
        bought.update(move.patch for move in game.moves if move.patch and not move.is_special)
    return bought


def main() -> None:
    games = list(random_games(200, seed=1))
    for name, value in figures(games).items():
        print(f"{name:22}{value:8.2f}")
    print("bought most:", *(letter for letter, _ in purchases(games).most_common(5)))


if __name__ == "__main__":
    main()
