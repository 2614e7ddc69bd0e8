"""The errors: one family, what they tell, and every reason shown."""

from __future__ import annotations

import pickle

import pytest

import patchwork as pw
from patchwork import (
    BytesError,
    EditionError,
    IllegalMoveError,
    NotationError,
    PatchworkError,
    Reason,
    RecordError,
    Setup,
    SetupError,
    State,
    StateError,
)

EMPTY = "9/9/9/9/9/9/9/9/9"
START = Setup.from_line("KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA").start()
OVER = State.parse(f"classic KdfA {EMPTY} t53b9i0 {EMPTY} t53b9i0 - - 0")
# All cells of player 0 but i9 are covered, and a special patch waits.
WAITS = State.parse(f"classic KdfA {'xxxxxxxxx/' * 8}xxxxxxxx1 t20b9i0 {EMPTY} t19b9i0 0* 0 -")
# a1 is covered, and one button is left.
POOR = State.parse(f"classic KdfA x8/{EMPTY[2:]} t9b1i0 {EMPTY} t9b9i0 0 - -")
SMALL = pw.edition("classic").replace(
    name="errors-small",
    size=3,
    tile=None,
    start_patch=None,
    patches=[{"letter": "A", "rows": ["xx"], "cost": 9, "time": 1, "income": 0}],
)
ON_SMALL = Setup.from_line("A", SMALL).start()

ERRORS: list[PatchworkError] = [
    NotationError("L9@h1", 1, "expected an orientation 0..7"),
    StateError("to_move", "the player in front is not to move"),
    BytesError(43, "expected 0, 1 or 2, not 9"),
    EditionError("patches[3].rows", "no cell is covered"),
    SetupError("line", "missing 'A'"),
    RecordError("moves[17]", "no text"),
    RecordError("moves[17]", "no text", 3),
    IllegalMoveError("L0@h1", str(START), (Reason.NOT_IN_MARKET,)),
    IllegalMoveError("K0@a1", str(POOR), (Reason.CANNOT_AFFORD, Reason.OVERLAP), ("a1",), 2, 1),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_are_one_family(error: PatchworkError) -> None:
    assert isinstance(error, PatchworkError)
    assert isinstance(error, ValueError)
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), vars(twin), str(twin)) == (type(error), vars(error), str(error))
    assert "\n" not in str(error)


def test_every_error_has_a_place_in_the_family() -> None:
    family = {type(error) for error in ERRORS} | {PatchworkError}
    named = {value for name, value in vars(pw).items() if name.endswith("Error")}
    assert named == family


def test_long_texts_are_shortened() -> None:
    with pytest.raises(NotationError) as caught:
        State.parse("x" * 1_000_000)
    assert len(str(caught.value)) < 600
    assert len(caught.value.text) == 1_000_000


# Each reason: the state, the move, all reasons against it, the guilty cells.
REASONS = [
    (OVER, "pass", "game over", ()),
    (OVER, "A0@a1", "game over, not in the market", ()),
    (OVER, "K0@a1", "game over", ()),
    (OVER, "h@e5", "game over, no special", ()),
    (START, 2026, "not an action", ()),
    (OVER, -1, "game over, not an action", ()),
    (WAITS, 2026, "not an action, special first", ()),
    (WAITS, "pass", "special first", ()),
    (WAITS, 2025, "special first", ()),
    (WAITS, "d2@g8", "special first, overlap", ("g8", "h8", "i8", "g9")),
    (WAITS, "h@a1", "overlap", ("a1",)),
    (START, "h@e5", "no special", ()),
    (START, 24 * 81 + 40, "no special", ()),
    (POOR, "h@a1", "no special, overlap", ("a1",)),
    (START, "A0@a1", "not in the market", ()),
    (START, "z0@a1", "not in the market", ()),
    (START, "i7@i9", "not in the market", ()),
    (START, "A0@i9", "not in the market, off the board", ()),
    (START, "g0@h8", "not in the market, cannot afford, off the board", ()),
    (START, 4 * 81, "no such orientation", ()),
    (START, 4 * 81 + 80, "no such orientation, off the board", ()),
    (POOR, 4 * 81, "no such orientation, cannot afford, overlap", ("a1",)),
    (START, "f0@a1", "cannot afford", ()),
    (START, "f0@h1", "cannot afford, off the board", ()),
    (START, "K0@i1", "off the board", ()),
    (START, "K0@a8", "off the board", ()),
    (START, 80, "off the board", ()),
    (POOR, "d0@a1", "overlap", ("a1",)),
    (POOR, "K2@a1", "cannot afford, overlap", ("a1",)),
    (ON_SMALL, "A0@c1", "cannot afford, off the board", ()),
    (ON_SMALL, "A0@e5", "cannot afford, off the board", ()),
    (ON_SMALL, "A1@a3", "cannot afford, off the board", ()),
    (ON_SMALL, "h@d1", "no special, off the board", ()),
]


@pytest.mark.parametrize(("state", "move", "names", "cells"), REASONS)
def test_reasons(state: State, move: str | int, names: str, cells: tuple[str, ...]) -> None:
    reasons = tuple(map(Reason, names.split(", ")))
    assert state.why_illegal(move) == reasons
    assert move not in state.legal_moves
    for use in (state.after, state.events):
        with pytest.raises(IllegalMoveError) as caught:
            use(move)
        error = caught.value
        assert error.reasons == reasons
        assert error.cells == cells
        assert error.move == (move if isinstance(move, str) else f"action {move}")
        assert error.state == str(state)
        assert str(error).startswith(f"{error.move} is refused: {reasons[0].value}")
        assert str(error).endswith(f", in {state}")


def test_every_reason_is_shown() -> None:
    shown = {name for case in REASONS for name in case[2].split(", ")}
    shown |= {reason.value for offer in WAITS.offers for reason in offer.reasons}
    assert shown == {reason.value for reason in Reason}


def test_missing_buttons() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        START.after("f0@a1")
    assert (caught.value.needed, caught.value.held) == (7, 5)
    assert "cannot afford (it costs 7, 5 held)" in str(caught.value)
    with pytest.raises(IllegalMoveError) as caught:
        START.after("K0@i1")
    assert (caught.value.needed, caught.value.held) == (None, None)


def test_guilty_cells_are_explained() -> None:
    with pytest.raises(IllegalMoveError, match=r"overlap \(g8 h8 i8 g9\)"):
        WAITS.after("d2@g8")


def test_a_refused_call_changes_nothing() -> None:
    before = bytes(START)
    for move in ("f0@a1", "K0@i1", "h@e5", "Z0@a1", 2026, -1):
        with pytest.raises(IllegalMoveError):
            START.after(move)
        assert bytes(START) == before
