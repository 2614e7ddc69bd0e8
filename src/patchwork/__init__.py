"""A rules engine for Patchwork, the quilt game for two."""

from __future__ import annotations

import os

from patchwork._batch import Batch
from patchwork._core import (
    ACTIONS,
    PASS,
    LegalMoves,
    Move,
    Placements,
    Player,
    Quilt,
    Random,
    State,
    kernel,
)
from patchwork.edition import Edition, Patch, Reserve, Tile, edition
from patchwork.errors import (
    BytesError,
    EditionError,
    IllegalMoveError,
    NotationError,
    PatchworkError,
    Reason,
    RecordError,
    SetupError,
    StateError,
)
from patchwork.game import Ending, Game, Ply
from patchwork.setups import Setup
from patchwork.values import Event, EventKind, Offer, Outcome, Problem, ProblemKind, Score

__version__ = "0.1.0"

__all__ = [
    "ACTIONS",
    "PASS",
    "Batch",
    "BytesError",
    "Edition",
    "EditionError",
    "Ending",
    "Event",
    "EventKind",
    "Game",
    "IllegalMoveError",
    "LegalMoves",
    "Move",
    "NotationError",
    "Offer",
    "Outcome",
    "Patch",
    "PatchworkError",
    "Placements",
    "Player",
    "Ply",
    "Problem",
    "ProblemKind",
    "Quilt",
    "Random",
    "Reason",
    "RecordError",
    "Reserve",
    "Score",
    "Setup",
    "SetupError",
    "State",
    "StateError",
    "Tile",
    "edition",
    "get_include",
    "kernel",
]


def get_include() -> str:
    """Return the folder of the C header ``patchwork/patchwork.h``."""
    return os.path.join(os.path.dirname(__file__), "include")
