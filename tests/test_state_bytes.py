"""The bytes of states, their pickles, and their keys."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import patchwork as pw
from patchwork import BytesError, Random, Setup, State

EMPTY = "9/9/9/9/9/9/9/9/9"
FULL = "/".join(["xxxxxxxxx"] * 9)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
STATE = State.parse(
    f"classic KdfA x8/9/9/9/9/9/9/9/8x t20b1000i3 {EMPTY} t19b5i0 0* 1 -"  # a special waits
)
DATA = bytes(STATE)
EXPRESS = Setup.from_line("GBDEFCHIJKLMNOA+TPWQVRUS", "express").start()

# Where the fields begin, as the documentation has it.
DIGEST, QUILT, POSITION, INCOME, BUTTONS, SECOND = 1, 9, 20, 21, 22, 17
MOVER, WAITING, TILE, FIRST, LINE_LENGTH, RESERVE_LENGTH, LINE = 43, 44, 45, 46, 47, 48, 49


def packed(state: State) -> bytes:
    """The bytes of a state, written from the documentation."""
    nobody = {None: 2, 0: 0, 1: 1}
    parts = [bytes([1]), state.edition.digest.to_bytes(8, "little")]
    for player in state.players:
        parts.append(player.quilt.mask.to_bytes(11, "little"))
        parts.append(bytes([player.position, player.income]))
        parts.append(player.buttons.to_bytes(4, "little"))
    seats = [nobody[state.to_move], state.specials_waiting]
    seats += [nobody[state.tile_holder], nobody[state.finished_first]]
    parts.append(bytes([*seats, len(state.line), len(state.reserve)]))
    parts.append(bytes(LETTERS.index(letter) for letter in state.line + state.reserve))
    return b"".join(parts).ljust(100, b"\0")


def refusal(data: Any) -> BytesError:
    with pytest.raises(BytesError) as caught:
        State.from_bytes(data)
    assert str(caught.value) == f"{caught.value.fault} at byte {caught.value.offset}"
    return caught.value


def read(data: bytes) -> State | BytesError:
    try:
        return State.from_bytes(data)
    except BytesError as error:
        return error


def with_bytes(offset: int, *values: int, data: bytes = DATA) -> bytes:
    return data[:offset] + bytes(values) + data[offset + len(values) :]


def test_a_state_byte_by_byte() -> None:
    assert (
        b"\x01" + bytes.fromhex("535e89857494e562")  # the digest 62e5947485895e53
        + b"\x01\0\0\0\0\0\0\0\0\0\x01" + b"\x14\x03" + b"\xe8\x03\0\0"  # a1 and i9 = 80 = 8 * 10
        + b"\0\0\0\0\0\0\0\0\0\0\0" + b"\x13\0" + b"\x05\0\0\0"
        + b"\0\x01\x01\x02\x04\0"
        + b"\x0a\x1d\x1f\0" + bytes(47)  # K d f A
    ) == DATA  # fmt: skip
    assert State.from_bytes(DATA) == STATE


def test_every_state_of_play_comes_back() -> None:
    numbers = random.Random(6)
    for name in ["classic", "revised", "express", "anniversary"] * 5:
        state = Setup.random(numbers.getrandbits(64), name, numbers.randrange(2)).start()
        source = Random(numbers.getrandbits(64))
        while True:
            assert bytes(state) == packed(state)
            twin = State.from_bytes(bytes(state))
            assert (twin, hash(twin), twin.key) == (state, hash(state), state.key)
            assert pickle.loads(pickle.dumps(state)) == state
            if state.is_over:
                break
            state = state.after(state.legal_moves.sample(source))


def test_equal_positions_reached_in_two_ways() -> None:
    start = Setup.from_line("AKdfBCDEFGHIJLMNOPQRSTUVWXYZabceg").start()
    one, other = start.after("A0@a1"), start.after("A2@a1")
    assert one == other
    assert bytes(one) == bytes(other)
    assert hash(one) == hash(other)
    assert one.key == other.key
    assert one is not other
    assert start.after("A0@b1") != one
    assert len({one, other, start}) == 2


@pytest.mark.parametrize(
    "make",
    [
        bytearray,
        memoryview,
        lambda data: array("B", data),
        lambda data: array("I", data),
        lambda data: np.frombuffer(data, np.uint8),
        lambda data: np.frombuffer(data, np.uint8).reshape(10, 10),
        lambda data: memoryview(b"xx" + data)[2:],
    ],
)
def test_bytes_like_objects(make: Any) -> None:
    assert State.from_bytes(make(DATA)) == STATE


@pytest.mark.parametrize("data", ["x" * 100, None, 100, list(DATA), STATE])
def test_what_is_not_bytes_like(data: Any) -> None:
    with pytest.raises(TypeError):
        State.from_bytes(data)


def test_memory_with_gaps() -> None:
    with pytest.raises(BufferError):
        State.from_bytes(memoryview(DATA * 2)[::2])


@pytest.mark.parametrize("size", [*range(100), 101, 200, 100_000])
def test_other_lengths(size: int) -> None:
    error = refusal((DATA * 1000)[:size])
    assert error.offset == min(size, 100)
    assert error.fault == f"expected 100 bytes, not {size}"


# Changed bytes, the offset of the field at fault, and the fault.
HOSTILE = [
    (0, (0,), 0, "expected version 1, not 0"),
    (0, (2,), 0, "expected version 1, not 2"),
    (DIGEST, (0,), 1, "unknown edition 62e5947485895e00"),
    (QUILT + 10, (2,), QUILT, "off the board"),
    (QUILT + SECOND + 10, (0x80,), QUILT + SECOND, "off the board"),
    (POSITION, (54,), POSITION, "the last space is 53"),
    (POSITION + SECOND, (255,), POSITION + SECOND, "the last space is 53"),
    (INCOME, (255,), INCOME, "above 255"),  # f, in line, has 3
    (BUTTONS, (255, 255, 255, 255), BUTTONS, "more than 999,999"),
    (BUTTONS + SECOND, (0x40, 0x42, 0x0F, 0), BUTTONS + SECOND, "more than 999,999"),  # a million
    (BUTTONS + SECOND, (0x3F, 0x42, 0x0F, 0), BUTTONS + SECOND, "more than 999,999"),
    (MOVER, (3,), MOVER, "expected 0, 1 or 2"),
    (MOVER, (2,), MOVER, "not over"),
    (WAITING, (0,), MOVER, "in front"),
    (WAITING, (2,), WAITING, "more wait"),
    (WAITING, (255,), WAITING, "more wait"),
    (TILE, (3,), TILE, "expected 0, 1 or 2"),
    (FIRST, (255,), FIRST, "expected 0, 1 or 2"),
    (FIRST, (0,), FIRST, "not on the last space"),
    (LINE_LENGTH, (52,), LINE_LENGTH, "at most 51"),
    (LINE_LENGTH, (255, 255), LINE_LENGTH, "at most 51"),
    (RESERVE_LENGTH, (1,), RESERVE_LENGTH, "A stands there twice"),
    (LINE, (52,), LINE, "unexpected 52"),
    (LINE, (33,), LINE, "h is no patch"),
    (LINE, (0x1D,), LINE, "d stands there twice"),
    (LINE + 4, (1,), LINE + 4, "unexpected 1"),
    (LINE + 50, (255,), LINE + 50, "unexpected 255"),
]


@pytest.mark.parametrize(("place", "values", "offset", "fault"), HOSTILE)
def test_wrong_content(place: int, values: tuple[int, ...], offset: int, fault: str) -> None:
    error = refusal(with_bytes(place, *values))
    assert error.offset == offset
    assert fault in error.fault


def test_a_reserve_in_contradiction() -> None:
    data = bytes(EXPRESS)
    assert State.from_bytes(data) == EXPRESS
    assert data[LINE_LENGTH : LINE_LENGTH + 2] == b"\x0f\x08"
    for lengths in ((23, 0), (14, 9), (16, 7)):
        assert refusal(with_bytes(LINE_LENGTH, *lengths, data=data)).offset == RESERVE_LENGTH


@given(st.binary(min_size=90, max_size=110))
def test_any_bytes(data: bytes) -> None:
    with pytest.raises(BytesError):
        State.from_bytes(data)


@given(st.sampled_from([DATA, bytes(EXPRESS)]), st.integers(9, 99), st.binary(max_size=4))
def test_some_bytes_changed(data: bytes, offset: int, values: bytes) -> None:
    hostile = with_bytes(offset, *values, data=data)[:100]
    state = read(hostile)
    if isinstance(state, BytesError):
        assert 0 <= state.offset < 100
    else:
        assert bytes(state) == hostile
        assert State.parse(str(state)) == state
        assert str(state.playout(1))


# Pickles and copies


def elsewhere(code: str, data: bytes) -> str:
    """What a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
    return done.stdout.decode()


LOAD = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()))"
READ = "import patchwork, sys; print(patchwork.State.from_bytes(sys.stdin.buffer.read()))"


def test_shipped_editions_are_found_in_another_process() -> None:
    assert elsewhere(LOAD, pickle.dumps(EXPRESS)).strip() == str(EXPRESS)
    assert elsewhere(READ, bytes(EXPRESS)).strip() == str(EXPRESS)


def test_a_pickle_carries_an_edition_of_ones_own() -> None:
    own = pw.edition("classic").replace(name="bytes-own", final=60)
    state = Setup.random(1, own).start().after("pass")
    twin = pickle.loads(pickle.dumps(state))
    assert twin == state
    assert twin.edition is own
    quilt = state.players[0].quilt
    assert elsewhere(LOAD, pickle.dumps([state, quilt])).strip() == str([state, quilt])
    with pytest.raises(subprocess.CalledProcessError) as caught:
        elsewhere(READ, bytes(state))
    assert f"unknown edition {own.digest:016x} at byte 1" in caught.value.stderr.decode()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_protocols(protocol: int) -> None:
    for value in (STATE, *STATE.players, STATE.players[0].quilt, STATE.legal_moves):
        assert pickle.loads(pickle.dumps(value, protocol)) == value


def test_copies_are_the_state_itself() -> None:
    assert copy.copy(STATE) is STATE is copy.deepcopy(STATE)
    assert copy.deepcopy([STATE])[0] is STATE


# Keys


def mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % 2**64
    return word ^ (word >> 31)


def documented_key(state: State) -> int:
    """The key, from its description in the documentation."""
    nobody = {None: 2, 0: 0, 1: 1}
    words = [state.edition.digest]
    for player in state.players:
        words.append(player.quilt.mask % 2**64)
        fields = [(24, player.position), (32, player.income), (40, player.buttons)]
        words.append(player.quilt.mask >> 64 | sum(value << shift for shift, value in fields))
    seats = [state.to_move, state.tile_holder, state.finished_first]
    mover, tile, first = (nobody[seat] for seat in seats)
    lengths = len(state.line), len(state.reserve)
    fields = [mover, state.specials_waiting, tile, first, *lengths]
    words.append(int.from_bytes(bytes(fields), "little"))
    line = bytes(LETTERS.index(letter) for letter in state.line + state.reserve).ljust(56, b"\0")
    words += [int.from_bytes(line[i : i + 8], "little") for i in range(0, 56, 8)]
    total = 0
    for i, word in enumerate(words):
        total += (word ^ word >> 32) * (mix((i + 1) * 0x9E3779B97F4A7C15 % 2**64) | 1)
    return mix(total % 2**64)


def test_keys_follow_their_description() -> None:
    for state in (STATE, EXPRESS, Setup.random(3).start().playout(4)):
        assert state.key == documented_key(state)
        assert hash(state) == (state.key if state.key < 2**63 else state.key - 2**64)


def test_keys_tell_states_apart() -> None:
    start, keys = Setup.random(3).start(), set()
    for state in [start, *(start.after(move) for move in start.legal_moves)]:
        keys.add(state.key)
    assert len(keys) == 1 + len(start.legal_moves)
    changes: list[dict[str, Any]] = [
        {"to_move": 1},
        {"buttons": (6, 5)},
        {"buttons": (5, 6)},
        {"positions": (0, 1)},
        {"incomes": (0, 1)},
        {"incomes": (1, 0)},
        {"tile_holder": 0},
        {"tile_holder": 1},
        {"line": start.line[1:]},
        {"line": start.line[:-1]},
        {"line": start.line[::-1]},
    ]
    assert len(keys | {start.replace(**change).key for change in changes}) == len(keys) + 11
    revised = State.parse(str(start).replace("classic", "revised"))
    assert revised.key not in keys
