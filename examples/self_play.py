"""Self-play for learning: a policy gives 2,026 logits a state, games are sampled from them.

What is kept of each ply is what a network learns from: the state, the probabilities, and who won.
Needs NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from patchwork import ACTIONS, Batch

Floats = NDArray[np.float64]
Policy = Callable[[Batch], Floats]
"""Returns the logits of a batch, an array of len(batch) x ACTIONS."""


@dataclass
class Sample:
    """One ply of one game."""

    state: bytes
    player: int
    probabilities: Floats
    result: int = 0
    """1 if the player to move has won in the end, else -1."""


def play(batch: Batch, policy: Policy, rng: np.random.Generator) -> list[Sample]:
    """Play all games of a batch to their ends and return the samples."""
    games: list[list[Sample]] = [[] for _ in range(len(batch))]
    while not all(batch.is_over()):
        probabilities = masked(policy(batch), legal(batch))
        actions = np.full(len(batch), -1, dtype=np.int32)
        for i, player in enumerate(batch.to_move()):
            if player in (0, 1):
                actions[i] = rng.choice(ACTIONS, p=probabilities[i])
                games[i].append(Sample(bytes(batch[i]), player, probabilities[i]))
        batch.step(actions)
    return label(batch, games)


def label(batch: Batch, games: list[list[Sample]]) -> list[Sample]:
    """Tell every sample how its game ended for the player who was to move."""
    for i, game in enumerate(games):
        for sample in game:
            sample.result = batch[i].returns[sample.player]
    return [sample for game in games for sample in game]


def legal(batch: Batch) -> NDArray[np.bool_]:
    """Return which actions are legal; of a finished game the pass, so that each row has one."""
    mask = np.empty((len(batch), ACTIONS), dtype=np.uint8)
    return batch.legal_mask(mask, finished_pass=True).astype(np.bool_)


def masked(logits: Floats, mask: NDArray[np.bool_]) -> Floats:
    """Return the softmax over legal actions."""
    scores = np.where(mask, logits, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = weights / weights.sum(axis=1, keepdims=True)
    return shares


def untrained(batch: Batch) -> Floats:
    """A stand-in for a network: it likes everything equally well."""
    return np.zeros((len(batch), ACTIONS), dtype=np.float64)


def main() -> None:
    samples = play(Batch.random(8, seed=1), untrained, np.random.default_rng(1))
    won = sum(sample.result == 1 for sample in samples)
    print(f"{len(samples)} samples, {won} of them by the winner")


if __name__ == "__main__":
    main()
