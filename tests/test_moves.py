"""Moves, and the lazy sequences of moves."""

from __future__ import annotations

import array
import copy
import ctypes
import pickle
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import patchwork as pw
from patchwork import PASS, LegalMoves, Move, NotationError, Placements, Random, Setup, State

# K costs 2 and has 224 placements on an empty quilt, d costs 1 and has 224, f costs 7.
START = Setup.from_line("KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA").start()
EMPTY = "9/9/9/9/9/9/9/9/9"
OVER = State.parse(f"classic KdfA {EMPTY} t53b9i0 {EMPTY} t53b9i0 - - 0")
# Three cells are free, d1, a9 and i9, and a special patch waits.
FULL_BUT_THREE = "xxx1xxxxx/" + "xxxxxxxxx/" * 7 + "1xxxxxxx1"
SPECIAL = State.parse(f"classic KdfA {FULL_BUT_THREE} t20b9i0 {EMPTY} t19b9i0 0* 0 -")

TEXTS = ["pass", "L0@h1", "h@e5", "A0@a1", "z7@i9", "h@a1", "K4@a1"]


# Moves


@pytest.mark.parametrize(
    ("text", "code", "patch", "orientation", "cell"),
    [
        ("pass", 33696, None, None, None),
        ("A0@a1", 0, "A", 0, "a1"),
        ("L0@h1", 11 * 648 + 7, "L", 0, "h1"),
        ("a7@b9", 26 * 648 + 7 * 81 + 73, "a", 7, "b9"),
        ("h@e5", 33 * 648 + 40, "h", 0, "e5"),
        ("z7@i9", 33695, "z", 7, "i9"),
    ],
)
def test_the_parts_of_a_move(
    text: str, code: int, patch: str | None, orientation: int | None, cell: str | None
) -> None:
    move = Move.parse(text)
    assert str(move) == text
    assert (move.code, move.patch, move.orientation, move.cell) == (code, patch, orientation, cell)
    assert (move.is_pass, move.is_special) == (text == "pass", text[0] == "h")
    assert Move.from_code(code) == move
    if patch is not None:
        assert Move(patch, orientation, cell) == move


def test_every_code_is_a_move_or_a_turned_special_patch() -> None:
    texts = []
    for code in range(33697):
        try:
            texts.append(str(Move.from_code(code)))
        except ValueError:
            assert code // 648 == 33
            assert code % 648 >= 81
    assert len(set(texts)) == len(texts) == 51 * 648 + 81 + 1
    assert [Move.parse(text).code for text in texts] == sorted(
        Move.parse(text).code for text in texts
    )


@pytest.mark.parametrize("code", [-1, 33697, 33 * 648 + 81, 33 * 648 + 647, 1 << 100_000], ids=hex)
def test_codes_of_no_move(code: int) -> None:
    with pytest.raises(ValueError, match=r"code must be in 0\.\.33696|turned special patch"):
        Move.from_code(code)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("Pass", 1),
        ("pass ", 1),
        (" pass", 0),
        ("L", 1),
        ("L0", 2),
        ("L8@h1", 1),
        ("L@h1", 1),
        ("L0h1", 2),
        ("L0@", 3),
        ("L0@j1", 3),
        ("L0@H1", 3),
        ("L0@h", 4),
        ("L0@h0", 4),
        ("L0@h10", 5),
        ("L0@h1 ", 5),
        ("L0@h1\n", 5),
        ("0:0@h1", 0),
        ("h0@e5", 1),
        ("h1@e5", 1),
        ("h@e", 3),
        ("é0@a1", 0),
        ("L\u0660@a1", 1),
        ("L0@a\uff11", 4),
        ("-", 0),
        ("\0", 0),
        ("L0@\ud800", 3),
    ],
)
def test_malformed_texts(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        Move.parse(text)
    assert (caught.value.text, caught.value.position) == (text, position)
    for use in (START.after, START.events, START.why_illegal, START.cells, START.move_to_action):
        with pytest.raises(NotationError):
            use(text)


@pytest.mark.parametrize("text", [None, b"pass", 5, ["pass"]])
def test_texts_of_a_wrong_type(text: Any) -> None:
    with pytest.raises(TypeError):
        Move.parse(text)


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        (("LL", 0, "h1"), NotationError),
        (("", 0, "h1"), NotationError),
        (("ä", 0, "h1"), NotationError),
        (("L", 0, "h10"), NotationError),
        (("L", 0, ""), NotationError),
        (("L", 8, "h1"), ValueError),
        (("L", -1, "h1"), ValueError),
        (("h", 1, "h1"), ValueError),
        (("L", True, "h1"), TypeError),
        (("L", 0.0, "h1"), TypeError),
        ((3, 0, "h1"), TypeError),
        (("L", 0, 7), TypeError),
        (("L", 0), TypeError),
        ((), TypeError),
    ],
)
def test_wrong_parts(parts: tuple[Any, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        Move(*parts)


def test_moves_are_values() -> None:
    moves = [Move.parse(text) for text in TEXTS]
    assert sorted(moves, key=str) == sorted(map(Move.parse, TEXTS), key=str)
    assert len(set(moves + [Move.parse(text) for text in TEXTS])) == len(TEXTS)
    assert [move.code for move in sorted(moves)] == sorted(move.code for move in moves)
    assert Move.parse("A0@a1") < Move.parse("A0@b1") <= PASS
    assert Move.parse("K4@a1") != Move.parse("K2@a1")
    assert PASS != "pass"
    assert PASS != 33696
    with pytest.raises(TypeError):
        PASS < 5  # noqa: B015
    with pytest.raises(AttributeError):
        PASS.code = 5


@pytest.mark.parametrize("text", TEXTS)
def test_moves_come_back(text: str) -> None:
    move = Move.parse(text)
    assert eval(repr(move), {"Move": Move}) == move
    assert pickle.loads(pickle.dumps(move)) == move == copy.copy(move) == copy.deepcopy(move)


def test_constructors_can_be_sent_to_other_processes() -> None:
    for make in (Move.parse, Move.from_code, State.parse, State.from_bytes, Random.stream):
        assert pickle.loads(pickle.dumps(make)) == make


# Legal moves


def test_a_start() -> None:
    moves = START.legal_moves
    assert len(moves) == 224 + 224 + 1
    # K is 3 x 2 at orientation 0: 7 x 8 places, then as many at orientation 1.
    expected = {0: "K0@a1", 1: "K0@b1", 8: "K0@a2", 55: "K0@h7", 56: "K1@a1", 223: "K3@g8"}
    expected |= {224: "d0@a1", 448: "pass", -1: "pass", -449: "K0@a1"}
    assert {k: str(moves[k]) for k in expected} == expected
    assert moves.actions()[:3] == [0, 1, 2]
    assert (moves.actions()[224], moves.actions()[448]) == (648, 2025)


def test_the_most_moves() -> None:
    state = Setup.from_line("FSaKdfBCDEGHIJLMNOPQRTUVWXYZbcegA").start()
    assert len(state.legal_moves) == 1 + 3 * 448


def test_special_patches() -> None:
    assert [str(move) for move in SPECIAL.legal_moves] == ["h@d1", "h@a9", "h@i9"]
    assert SPECIAL.legal_moves.actions() == [24 * 81 + 3, 24 * 81 + 72, 24 * 81 + 80]


def test_the_end() -> None:
    moves = OVER.legal_moves
    assert len(moves) == 0
    assert not moves
    assert list(moves) == []
    assert moves.actions() == []
    assert "pass" not in moves
    assert not any(moves.mask())
    with pytest.raises(IndexError):
        moves.sample(Random(1))


VIEWS = {
    "start": START.legal_moves,
    "special": SPECIAL.legal_moves,
    "over": OVER.legal_moves,
    "patch": START.placements("f"),
    "orientation": START.placements("f", 1),
    "free cells": SPECIAL.placements("h"),
    "quilt": SPECIAL.players[0].quilt.placements("A"),
}


@pytest.fixture(params=VIEWS)
def view(request: pytest.FixtureRequest) -> LegalMoves | Placements:
    return VIEWS[request.param]


def test_views_behave_as_tuples(view: Sequence[Move]) -> None:
    listed = tuple(view)
    assert isinstance(view, Sequence)
    assert len(view) == len(listed) == len(set(listed))
    assert bool(view) == bool(listed)
    assert tuple(view[k] for k in range(len(view))) == listed
    assert tuple(view[-k] for k in range(1, len(view) + 1)) == listed[::-1] == tuple(reversed(view))
    for part in (slice(None), slice(3, 9, 2), slice(-1, None, -3), slice(5, 2), slice(1 << 70)):
        assert view[part] == listed[part]
    for k, move in list(enumerate(listed))[:: max(1, len(listed) // 20)]:
        assert view.index(move) == view.index(str(move)) == k
        assert view.count(move) == 1
        assert move in view
        assert str(move) in view


def test_indices_out_of_range(view: Sequence[Move]) -> None:
    for k in (len(view), -len(view) - 1, 1 << 100, -1 << 100):
        with pytest.raises(IndexError):
            view[k]
    for wrong in ("0", 0.0, None):
        with pytest.raises(TypeError):
            view[wrong]  # type: ignore[call-overload]


def test_moves_that_are_not_there(view: Sequence[Move]) -> None:
    absent: list[Any] = ["Z0@a1", "h@a2", Move.parse("Z0@a1"), -1, 2026, 1 << 90, 1 << 100_000]
    for move in absent:
        assert move not in view
        assert view.count(move) == 0
        with pytest.raises(ValueError, match="is not among these moves"):
            view.index(move)
    nonsense: list[Any] = ["Z9", "", None, 1.0, True, b"pass", [], object()]
    for move in nonsense:
        assert move not in view
        assert view.count(move) == 0
        with pytest.raises((TypeError, NotationError)):
            view.index(move)


def test_any_number_of_an_orientation() -> None:
    moves = START.legal_moves
    # K mirrored is K turned by 180 degrees; a listed move has the lowest number.
    assert "K4@c3" in moves
    assert moves.index("K4@c3") == moves.index("K2@c3") == moves.index(Move.parse("K4@c3"))
    assert str(moves[moves.index("K4@c3")]) == "K2@c3"
    assert START.after("K4@c3") == START.after("K2@c3")
    # As an action id it is none.
    assert 2 * 81 + 20 in moves
    assert 4 * 81 + 20 not in moves
    assert "K4@c3" in START.placements("K")
    assert "K4@c3" not in START.placements("K", 0)


def test_action_ids_are_found() -> None:
    moves = START.legal_moves
    assert [moves.index(action) for action in moves.actions()] == list(range(449))
    assert 2025 in moves
    assert np.int16(2025) in moves
    assert 1296 not in moves  # f cannot be paid
    assert 1296 in START.placements("f")


def test_index_within_bounds() -> None:
    moves = START.legal_moves
    assert moves.index("K0@b1", 1) == moves.index("K0@b1", -448, 2) == 1
    for bounds in ((2,), (0, 1), (-447,)):
        with pytest.raises(ValueError, match="is not among"):
            moves.index("K0@b1", *bounds)


def test_pattern_matching() -> None:
    match SPECIAL.legal_moves:
        case [first, *_, last]:
            assert (str(first), str(last)) == ("h@d1", "h@i9")
        case _:
            pytest.fail("no sequence")


def test_an_iterator_ends_for_good() -> None:
    iterator = iter(SPECIAL.legal_moves)
    assert iter(iterator) is iterator
    next(iterator)
    assert iterator.__length_hint__() == 2
    assert len(list(iterator)) == 2
    assert list(iterator) == []


def test_equal_views() -> None:
    twin = State.parse(str(START))
    assert START.legal_moves == twin.legal_moves
    assert hash(START.legal_moves) == hash(twin.legal_moves)
    assert START.legal_moves != START.after("pass").legal_moves
    assert START.placements("K") == twin.placements("K") != START.placements("d")
    assert START.placements("K", 1) != START.placements("K")
    assert START.placements("K") != START.legal_moves != list(START.legal_moves)


def test_views_come_back(view: Sequence[Move]) -> None:
    assert pickle.loads(pickle.dumps(view)) == view
    assert repr(view) == f"<{type(view).__name__}: {len(view)} moves>"


def test_views_are_not_made_by_hand() -> None:
    for kind in (LegalMoves, Placements):
        with pytest.raises(TypeError, match="come from a state"):
            kind()


# Random choice


def test_samples_are_one_draw() -> None:
    source, twin = Random(9), Random(9)
    moves = START.legal_moves
    for _ in range(50):
        assert moves.sample(source) == moves[twin.below(449)]
    assert source == twin


@pytest.mark.parametrize("name", ["special", "orientation", "free cells"])
def test_samples_reach_every_move(name: str) -> None:
    source, view = Random(1), VIEWS[name]
    counts = Counter(view.sample(source) for _ in range(100 * len(view)))
    assert set(counts) == set(view)
    assert 40 < min(counts.values()) <= max(counts.values()) < 180


def test_the_standard_library_chooses() -> None:
    assert random.Random(1).choice(START.legal_moves) in START.legal_moves


@pytest.mark.parametrize("rng", [None, 1, random.Random(1), Random])
def test_other_generators_are_refused(rng: Any) -> None:
    with pytest.raises(TypeError, match=r"patchwork\.Random"):
        START.legal_moves.sample(rng)


# Masks

BUFFERS: dict[str, Callable[[int], Any]] = {
    "bytearray": bytearray,
    "memoryview": lambda n: memoryview(bytearray(n)),
    "array": lambda n: array.array("B", bytes(n)),
    "signed array": lambda n: array.array("b", bytes(n)),
    "ctypes": lambda n: (ctypes.c_ubyte * n)(),
    "NumPy uint8": lambda n: np.ones(n, np.uint8),
    "NumPy bool": lambda n: np.ones(n, np.bool_),
    "NumPy row": lambda n: np.ones((3, n), np.uint8)[1],
    "NumPy matrix": lambda n: np.ones((2, n // 2), np.uint8),
}


@pytest.mark.parametrize("state", [START, SPECIAL, OVER], ids=["start", "special", "over"])
@pytest.mark.parametrize("kind", BUFFERS)
def test_masks(state: State, kind: str) -> None:
    moves = state.legal_moves
    legal = set(moves.actions())
    expected = bytes(action in legal for action in range(2026))
    out = BUFFERS[kind](2026)
    assert moves.mask(out) is out
    assert bytes(memoryview(out).cast("B")) == expected == bytes(moves.mask())
    bits = BUFFERS[kind](256)
    assert moves.mask(bits) is bits
    word = int.from_bytes(memoryview(bits).cast("B"), "little")
    assert word == sum(1 << action for action in legal)


def test_a_mask_of_its_own() -> None:
    first = START.legal_moves.mask()
    assert type(first) is bytearray
    assert first is not START.legal_moves.mask()


@pytest.mark.parametrize("size", [0, 1, 255, 257, 2025, 2027, 2048])
def test_buffers_of_another_size(size: int) -> None:
    out = bytearray(b"\x07" * size)
    with pytest.raises(ValueError, match="2,026 or 256 bytes"):
        START.legal_moves.mask(out)
    assert out == b"\x07" * size


@pytest.mark.parametrize(
    ("out", "error"),
    [
        (bytes(2026), BufferError),
        (memoryview(bytes(256)), BufferError),
        (memoryview(bytearray(4052))[::2], BufferError),
        (np.zeros(4052, np.uint8)[::2], ValueError),
        (np.zeros(1013, np.uint16), TypeError),
        (np.zeros(64, np.float32), TypeError),
        (np.zeros(256, "S1"), TypeError),
        (array.array("H", bytes(256)), TypeError),
        ("x" * 2026, TypeError),
        (2026, TypeError),
        ([0] * 2026, TypeError),
    ],
)
def test_other_buffers(out: Any, error: type[Exception]) -> None:
    before = bytes(out) if isinstance(out, memoryview | np.ndarray) else None
    with pytest.raises(error):
        START.legal_moves.mask(out)
    if before is not None:
        assert bytes(out) == before


def test_a_buffer_is_let_go() -> None:
    out = bytearray(2026)
    START.legal_moves.mask(out)
    out.append(1)
    with pytest.raises(ValueError, match="2,026 or 256"):
        START.legal_moves.mask(out)
    out.append(1)


# Placements


def test_placements_of_any_patch() -> None:
    # The published counts on an empty quilt, whatever a patch costs and wherever it lies.
    counts = {"A": 144, "G": 70, "I": 64, "T": 49, "f": 224, "g": 392, "Z": 168, "h": 81}
    assert {patch: len(START.placements(patch)) for patch in counts} == counts
    assert len(START.players[0].quilt.placements("g")) == 392


def test_placements_in_one_orientation() -> None:
    for patch in ("K", "f", "A", "T"):
        listed = list(START.placements(patch))
        for orientation in range(8):
            lowest = START.edition.patches[patch].lowest(orientation)
            expected = [move for move in listed if move.orientation == lowest]
            assert list(START.placements(patch, orientation)) == expected != []


def test_placements_follow_the_quilt() -> None:
    assert [str(move) for move in SPECIAL.placements("h")] == ["h@d1", "h@a9", "h@i9"]
    assert list(SPECIAL.placements("h", 5)) == list(SPECIAL.placements("h"))
    assert list(SPECIAL.placements("A")) == []
    waits = SPECIAL.replace(quilts=("9/9/" + "xxxxxxxxx/" * 6 + "xxxxxxxxx", EMPTY))
    assert [str(move) for move in waits.placements("d", 1)] == []
    assert [str(move) for move in waits.placements("d", 0)] == [f"d0@{c}1" for c in "abcdefg"]


def test_placements_belong_to_the_player_to_move() -> None:
    state = SPECIAL.after("h@d1")
    assert state.to_move == 1
    assert len(state.placements("A")) == 144
    assert len(state.players[0].quilt.placements("A")) == 0


def test_no_placements_after_the_end() -> None:
    assert list(OVER.placements("A")) == list(OVER.placements("h")) == []
    assert len(OVER.players[0].quilt.placements("A")) == 144


def test_placements_on_a_small_board() -> None:
    small = pw.edition("classic").replace(
        name="moves-small",
        size=3,
        tile=None,
        start_patch=None,
        patches=[{"letter": "L", "rows": ["x.", "xx"], "cost": 1, "time": 1, "income": 0}],
    )
    state = Setup.from_line("L", small).start()
    assert [str(move) for move in state.placements("L", 0)] == ["L0@a1", "L0@b1", "L0@a2", "L0@b2"]
    assert len(state.legal_moves) == 17
    assert len(state.placements("h")) == 9


@pytest.mark.parametrize(
    ("patch", "orientation", "error"),
    [
        ("i", None, NotationError),  # no patch of the edition
        ("ä", None, NotationError),
        ("", None, NotationError),
        ("KK", None, NotationError),
        (5, None, TypeError),
        ("K", 8, ValueError),
        ("K", -1, ValueError),
        ("K", True, TypeError),
        ("K", 1.0, TypeError),
        ("K", "1", TypeError),
    ],
)
def test_wrong_placements(patch: Any, orientation: Any, error: type[Exception]) -> None:
    for source in (START, START.players[0].quilt):
        with pytest.raises(error):
            source.placements(patch, orientation)
