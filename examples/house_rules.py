"""A house rule as an edition of its own, a game under it, and a record that anybody can read."""

from __future__ import annotations

from patchwork import Edition, Game, Random, Setup

SHORT_EVENING = """
name = "short-evening"
base = "classic"
start_buttons = 10
final = 35
markers = [5, 11, 17, 23, 29, 35]
specials = [8, 20, 32]
tile.side = 5
tile.points = 5
patches.K.cost = 3
patches.Q = false
"""


def edition() -> Edition:
    return Edition.parse_toml(SHORT_EVENING)


def random_game(seed: int) -> Game:
    """Return a game of random moves."""
    game = Game(Setup.random(seed, edition()))
    rng = Random(seed)
    while not game.is_over:
        game.play(game.state.legal_moves.sample(rng))
    return game


if __name__ == "__main__":
    # The record holds the whole definition of the edition.
    print(random_game(seed=1).to_record(source="examples/house_rules.py"))
