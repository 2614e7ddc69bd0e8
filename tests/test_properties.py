"""What holds in every state of every game, and for every input, however hostile."""

from __future__ import annotations

import copy
import ctypes
import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from custom_editions import definition
from hypothesis import given, settings
from hypothesis import strategies as st
from lockstep import POLICIES, random_line
from positions import random_position
from spawned import in_new_process

import patchwork as pw
from patchwork import (
    BytesError,
    IllegalMoveError,
    Move,
    NotationError,
    PatchworkError,
    Quilt,
    Reason,
    Setup,
    State,
    StateError,
)
from patchwork.records import Record

OFFICIAL = ("classic", "revised")
KINDS = (*OFFICIAL, "express", "small", "generated")


def edition_of(kind: str, number: int) -> pw.Edition:
    """Small ones are lively; the generated ones go to the limits. There are twelve of each."""
    if kind in ("small", "generated"):
        return pw.Edition.from_dict(definition(2 * (number % 12) + (kind == "generated")))
    return pw.edition(kind)


def start_of(kind: str, number: int) -> State:
    rng = Random(f"{kind} {number}")
    edition = edition_of(kind, number)
    line, reserve = random_line(edition.to_dict(), rng)
    start = edition.start_patch
    if start is not None:  # the standard setups, of which problems() is to be silent
        line = line.replace(start, "") + start
    letters = f"{line}+{reserve}" if reserve else line
    return Setup.from_line(letters, edition, rng.randrange(2)).start()


class Ply(NamedTuple):
    before: State
    move: Move
    after: State


def plies(kind: str, number: int) -> Iterator[Ply]:
    """The plies of a game by one of the policies."""
    rng, policy = Random(number), POLICIES[number % len(POLICIES)]
    state = start_of(kind, number)
    while not state.is_over:
        move = policy(state, rng)
        before, state = state, state.after(move)
        yield Ply(before, move, state)


@cache
def some_states() -> tuple[State, ...]:
    """States of all kinds of games, and positions made by hand."""
    rng = Random(7)
    states = []
    for kind in KINDS:
        for number in range(3):
            game = [ply.after for ply in plies(kind, number)]
            states += [*rng.sample(game, min(len(game), 8)), game[-1]]
            edition = edition_of(kind, number)
            text = random_position(edition.to_dict(), edition.tag, rng)
            states.append(State.parse(text))
    return tuple(states)


# In every state


def check_state(state: State) -> None:
    for twin in (*written_and_read(state), *made_by_hand(state)):
        assert twin == state
        assert (twin.key, hash(twin), bytes(twin)) == (state.key, hash(state), bytes(state))
        assert str(twin) == str(state)
    check_moves(state)
    check_scores(state)
    for offer in state.offers:
        check_offer(state, offer)


def written_and_read(state: State) -> Iterator[State]:
    yield State.parse(str(state))
    yield State.from_bytes(bytes(state))
    yield State.from_dict(state.to_dict())
    yield State.from_dict(json.loads(json.dumps(state.to_dict())))
    yield pickle.loads(pickle.dumps(state))
    yield copy.deepcopy(state)


def made_by_hand(state: State) -> Iterator[State]:
    """The same position by other ways: from the start of another game, and there and back."""
    first, second = state.players
    fields: dict[str, Any] = {
        "line": state.line,
        "reserve": state.reserve,
        "quilts": (first.quilt, str(second.quilt)),
        "positions": (first.position, second.position),
        "buttons": (first.buttons, second.buttons),
        "incomes": (first.income, second.income),
        "to_move": state.to_move,
        "specials_waiting": state.specials_waiting,
        "tile_holder": state.tile_holder,
        "finished_first": state.finished_first,
    }
    yield Setup.random(1, state.edition).start().replace(**fields)
    yield state.replace(buttons=(0, 0)).replace(buttons=fields["buttons"])


def check_moves(state: State) -> None:
    moves = list(state.legal_moves)
    actions = [state.move_to_action(move) for move in moves]
    assert bool(moves) is not state.is_over
    assert len(moves) == len(state.legal_moves) == len(set(moves)) <= 1345
    assert actions == sorted(set(actions)) == state.legal_moves.actions()
    assert [state.action_to_move(action) for action in actions] == moves
    assert [place for place, bit in enumerate(state.legal_moves.mask()) if bit] == actions
    assert all(Move.from_code(move.code) == Move.parse(str(move)) == move for move in moves)


def check_scores(state: State) -> None:
    tile = state.edition.tile
    for i, player in enumerate(state.players):
        points = tile.points if tile and state.tile_holder == i else 0
        assert state.scores[i] == player.buttons + points - 2 * player.quilt.empty
        assert player.quilt.empty + len(player.quilt) == state.edition.size**2
    first, second = state.scores
    assert (state.winner is None) is not state.is_over
    if state.is_over and first != second:
        assert state.winner == (0 if first > second else 1)


def check_offer(state: State, offer: pw.Offer) -> None:
    """A patch has no reasons if and only if there are placements and each can be played."""
    playable = [move for move in offer.placements if move in state.legal_moves]
    if offer.reasons:
        assert playable == []
    else:
        assert offer.placements
        assert playable == list(offer.placements)
    assert list(offer.reasons) == [
        reason for reason, applies in offer_reasons(state, offer).items() if applies
    ]


def offer_reasons(state: State, offer: pw.Offer) -> dict[Reason, bool]:
    held = 0 if state.to_move is None else state.players[state.to_move].buttons
    return {
        Reason.GAME_OVER: state.is_over,
        Reason.SPECIAL_FIRST: state.specials_waiting > 0,
        Reason.CANNOT_AFFORD: not state.is_over and offer.cost > held,
        Reason.FITS_NOWHERE: not state.is_over and len(offer.placements) == 0,
    }


def check_ply(ply: Ply) -> list[pw.Event]:
    """Return the events, after asking for them without a trace."""
    before, move, after = ply
    data, text = bytes(before), str(before)
    events = list(before.events(move))
    assert before.after(move) == before.after(str(move)) == after
    assert before.after(before.move_to_action(move)) == after
    assert (bytes(before), str(before)) == (data, text)
    for i in (0, 1):
        change = after.players[i].buttons - before.players[i].buttons
        assert sum(event.amount for event in events if event.player == i) == change
    assert [event.kind for event in events if event.kind in ("next player", "game over")] == [
        "game over" if after.is_over else "next player"
    ]
    assert events[-1].player == (before.to_move if after.is_over else after.to_move)
    return events


def check_game(kind: str, number: int) -> Counter[str]:
    """Play a game, check it all, and count the kinds of its events."""
    counts: Counter[str] = Counter(games=1)
    check_state(start_of(kind, number))
    game = list(plies(kind, number))
    for ply in game:
        counts.update(event.kind.value for event in check_ply(ply))
        check_state(ply.after)
        assert ply.after.problems() == (), str(ply.after)
        counts["states"] += 1
    if kind in OFFICIAL:
        check_official(game)
    return counts


def check_official(game: Sequence[Ply]) -> None:
    """What is known of all games on the official boards."""
    turns = sum(not ply.move.is_special for ply in game)
    assert turns >= 21
    assert len(game) <= 63
    for ply in game:
        for player in ply.after.players:
            assert player.buttons <= 93
            assert player.income <= 30
    assert all(-106 <= score <= 100 for score in game[-1].after.scores)


def check_games(numbers: Sequence[int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number in numbers:
        counts += check_game(KINDS[number % len(KINDS)], number)
    assert [kind for kind in pw.EventKind if not counts[kind.value]] == []
    return counts


def test_every_state_of_some_games() -> None:
    check_games(range(60))


@pytest.mark.long
def test_every_state_of_many_games(capsys: pytest.CaptureFixture[str]) -> None:
    counts = check_games(range(1000, 2000))
    with capsys.disabled():
        print("".join(f"\n{count:>11,}  {name}" for name, count in counts.most_common()))
    assert counts["games"] == 1000


def test_positions_made_by_hand() -> None:
    for state in some_states():
        check_state(state)
        for move in [state.legal_moves[0], state.legal_moves[-1]] if state.legal_moves else []:
            check_ply(Ply(state, move, state.after(move)))


@pytest.mark.parametrize(
    ("changes", "orders"),
    [
        ({"line": "Kd", "positions": (0, 20)}, ("K0@a1 d0@e5", "d0@e5 K0@a1", "d4@e5 K0@a1")),
        ({"positions": (32, 20), "specials_waiting": 2}, ("h@a1 h@b1", "h@b1 h@a1")),
    ],
)
def test_another_order_of_moves_leads_to_the_same_state(
    changes: dict[str, Any], orders: tuple[str, ...]
) -> None:
    ends = [played(START.replace(**changes), order.split()) for order in orders]
    assert len(set(ends)) == len({end.key for end in ends}) == 1
    assert len({bytes(end) for end in ends}) == len({str(end) for end in ends}) == 1


def played(state: State, moves: Sequence[str]) -> State:
    for move in moves:
        state = state.after(move)
    return state


def test_pickles_in_a_new_process() -> None:
    """Keys and hashes too: nothing depends on the process or on its seed."""
    code = """
import pickle, sys
for state in pickle.load(sys.stdin.buffer):
    print(str(state), bytes(state).hex(), state.key, hash(state), len(state.legal_moves))
"""
    states = some_states()
    expected = [
        f"{state} {bytes(state).hex()} {state.key} {hash(state)} {len(state.legal_moves)}"
        for state in states
    ]
    assert in_new_process(code, pickle.dumps(states)).splitlines() == expected


# Mutations of what is right


def use(state: State) -> None:
    """A state that was accepted can be asked anything and played to the end."""
    assert State.parse(str(state)) == State.from_bytes(bytes(state)) == state
    assert len(state.legal_moves) == sum(state.legal_moves.mask())
    assert state.playout(1).is_over
    state.problems()
    check_scores(state)
    for offer in state.offers:
        check_offer(state, offer)


Call = Callable[[Any], object]


def result(call: Call, value: object) -> object:
    """What a call returns or raises."""
    try:
        return call(value)
    except Exception as error:
        return error


MARKS = "".join(map(chr, range(32, 127))) + "\0\n\té٣²\U0001f600\ud800"


@st.composite
def mutated(draw: st.DrawFn, right: Sequence[str]) -> str:
    """A right text with some of its parts taken out, doubled, put elsewhere or replaced."""
    text = draw(st.sampled_from(right))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        stop = draw(st.integers(start, min(start + 4, len(text))))
        part = draw(st.sampled_from(["", text[start:stop] * 2, draw(st.text(MARKS, max_size=3))]))
        text = text[:start] + part + text[stop:]
    return text


@st.composite
def reworded(draw: st.DrawFn, right: Sequence[str]) -> str:
    """A right text with words of another one."""
    words, others = (draw(st.sampled_from(right)).split(" ") for _ in range(2))
    return " ".join(draw(st.sampled_from(pair)) for pair in zip(words, others, strict=True))


def state_texts() -> list[str]:
    return [str(state) for state in some_states()]


TEXTS = st.deferred(lambda: mutated(state_texts()) | reworded(state_texts()))


@settings(max_examples=500)
@given(TEXTS)
def test_mutated_texts_of_states(text: str) -> None:
    check_text(text)


@pytest.mark.long
@settings(max_examples=50_000)
@given(TEXTS)
def test_many_mutated_texts_of_states(text: str) -> None:
    check_text(text)


def check_text(text: str) -> None:
    """Either it is the text of a state, or the error says where it is not."""
    read = result(State.parse, text)
    if isinstance(read, State):
        assert str(read) == text
        use(read)
    else:
        check_notation_error(read, text)


def check_notation_error(error: object, text: str) -> None:
    assert isinstance(error, NotationError)
    assert error.text == text
    assert 0 <= error.position <= len(text)
    assert str(error)


@st.composite
def mutated_bytes(draw: st.DrawFn) -> bytes:
    data = bytearray(bytes(draw(st.sampled_from(some_states()))))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(data) - 1))
        data[place] = draw(st.integers(0, 255) | st.integers(0, 3))
    length = draw(st.sampled_from([len(data)] * 9 + [draw(st.integers(0, 200))]))
    return bytes(data[:length].ljust(length, b"\0"))


@settings(max_examples=500)
@given(mutated_bytes())
def test_mutated_bytes_of_states(data: bytes) -> None:
    check_bytes(data)


@pytest.mark.long
@settings(max_examples=50_000)
@given(mutated_bytes())
def test_many_mutated_bytes_of_states(data: bytes) -> None:
    check_bytes(data)


def check_bytes(data: bytes) -> None:
    read = result(State.from_bytes, data)
    if isinstance(read, State):
        assert bytes(read) == data
        use(read)
    else:
        assert isinstance(read, BytesError)
        assert 0 <= read.offset <= len(data)
        assert str(read)


MOVES = ["pass", "L0@h1", "h@e5", "A7@i9", "z3@a1"]
TYPED = [*MOVES, "PASS", "l0@H1", "L0h1", "0:3@h1", "h0@e5", " pass "]


@given(mutated(MOVES))
def test_mutated_texts_of_moves(text: str) -> None:
    read = result(Move.parse, text)
    if isinstance(read, Move):
        assert str(read) == text
        assert Move.from_code(read.code) == read
    else:
        check_notation_error(read, text)


@given(st.deferred(lambda: st.sampled_from(some_states())), mutated(TYPED))
def test_mutated_moves_in_states(state: State, text: str) -> None:
    data = bytes(state)
    read = result(state.read_move, text)
    if isinstance(read, Move):
        check_attempt(state, read)
    else:
        check_notation_error(read, text)
        check_notation_error(result(state.after, text), text)
    assert bytes(state) == data


def check_attempt(state: State, move: Move) -> None:
    after = result(state.after, move)
    if isinstance(after, State):
        assert state.why_illegal(move) is None
        assert move in state.legal_moves
        use(after)
    else:
        assert isinstance(after, IllegalMoveError)
        assert after.reasons == state.why_illegal(move)
        assert str(state) in str(after)


# Hostile input


class Whole:
    """An integer of another type."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Text(str):
    """A text of another type."""


HOSTILE: dict[str, Any] = {
    "None": None,
    "True": True,
    "False": False,
    "0.0": 0.0,
    "nan": float("nan"),
    "inf": float("inf"),
    "-1": -1,
    "0": 0,
    "255": 255,
    "256": 256,
    "2026": 2026,
    "2**31": 2**31,
    "2**32": 2**32,
    "2**63": 2**63,
    "2**64": 2**64,
    "-2**63": -(2**63),
    "-2**64": -(2**64),
    "10**5000": 10**5000,
    "-10**5000": -(10**5000),
    "complex": 1j,
    "empty": "",
    "blank": " ",
    "NUL": "\0",
    "NUL behind": "pass\0",
    "surrogate": "\ud800",
    "surrogate move": "L0@h\udc31",
    "emoji": "\U0001f600",
    "full width": "\uff21\uff10@\uff41\uff11",
    "Arabic digits": "A\u0660@a\u0661",
    "superscript": "A\u00b2@a1",
    "long": "x" * 10**6,
    "many words": "a " * 10**5,
    "many slashes": "/" * 10**6,
    "many digits": "classic A 9/9 t" + "9" * 10**5,
    "other text": Text("pass"),
    "bytes": b"",
    "a hundred bytes": b"\1" * 100,
    "bytearray": bytearray(b"pass"),
    "integers": (ctypes.c_int32 * 25)(),
    "list": [],
    "list of lists": [[], [[]]],
    "dict": {},
    "tuple": (1, 2),
    "set": {1},
    "object": object(),
    "type": int,
    "function": len,
    "generator": (letter for letter in ""),
    "whole": Whole(7),
    "whole, huge": Whole(10**5000),
}

START = Setup.random(7).start()
OVER = START.playout(1)

CALLS: dict[str, Call] = {
    "State.parse": State.parse,
    "State.from_bytes": State.from_bytes,
    "State.from_dict": State.from_dict,
    "Move.parse": Move.parse,
    "Move.from_code": Move.from_code,
    "Move, patch": lambda value: Move(value, 0, "a1"),
    "Move, orientation": lambda value: Move("A", value, "a1"),
    "Move, cell": lambda value: Move("A", 0, value),
    "Move, order": lambda value: value > pw.PASS,
    "Quilt.parse": Quilt.parse,
    "Quilt.parse, edition": lambda value: Quilt.parse("9/9/9/9/9/9/9/9/9", value),
    "in quilt": lambda value: value in START.players[0].quilt,
    "quilt.placements": lambda value: START.players[0].quilt.placements(value),
    "Random": pw.Random,
    "Random.stream": lambda value: pw.Random.stream(value, 0),
    "Random.stream, i": lambda value: pw.Random.stream(0, value),
    "below": lambda value: pw.Random(0).below(value),
    "after": START.after,
    "after, over": OVER.after,
    "events": START.events,
    "why_illegal": START.why_illegal,
    "why_illegal, over": OVER.why_illegal,
    "cells": START.cells,
    "read_move": START.read_move,
    "move_to_action": START.move_to_action,
    "action_to_move": START.action_to_move,
    "placements": START.placements,
    "placements, orientation": lambda value: START.placements("A", value),
    "income_left": START.income_left,
    "replace": lambda value: START.replace(**value),
    "playout": START.playout,
    "playout, rng": lambda value: START.playout(rng=value),
    "perft, over": OVER.perft,
    "moves.index": lambda value: START.legal_moves.index(value),
    "moves.index, start": lambda value: START.legal_moves.index("pass", value),
    "moves.count": lambda value: START.legal_moves.count(value),
    "in moves": lambda value: value in START.legal_moves,
    "moves[]": lambda value: START.legal_moves[value],
    "moves.mask": lambda value: START.legal_moves.mask(value),
    "moves.sample": lambda value: START.legal_moves.sample(value),
    "in placements": lambda value: value in START.placements("A"),
    "placements.index": lambda value: START.placements("A").index(value),
    "Setup.from_line": Setup.from_line,
    "Setup.from_circle": Setup.from_circle,
    "Setup.random": Setup.random,
    "Setup.from_dict": Setup.from_dict,
    "Setup, edition": lambda value: Setup.random(1, value),
    "Setup, start player": lambda value: Setup.random(1, start_player=value),
    "edition": pw.edition,
    "Edition.from_dict": pw.Edition.from_dict,
    "Edition.parse_toml": pw.Edition.parse_toml,
    "move_from_cells": lambda value: START.edition.move_from_cells("A", value),
    "move_from_cells, patch": lambda value: START.edition.move_from_cells(value, ["a1", "a2"]),
    "find_patch": lambda value: START.edition.find_patch(rows=value),
    "Game": pw.Game,
    "Game.parse": pw.Game.parse,
    "game.play": lambda value: pw.Game(START).play(value),
    "Record.parse": Record.parse,
    "Record.from_dict": Record.from_dict,
    "==": lambda value: (value == START, value == pw.PASS, START.legal_moves == value),
}
FIELDS = (
    *("line", "reserve", "quilts", "positions", "buttons", "incomes", "to_move"),
    *("specials_waiting", "tile_holder", "finished_first"),
)


def is_typed(error: Exception) -> bool:
    """Whether it is an error that says what is wrong, not one that slipped through."""
    return isinstance(error, PatchworkError) or type(error) in (
        *(TypeError, ValueError, IndexError, BufferError),
    )


def refusal(call: Call, value: object) -> Exception | None:
    """The error of a call, which says what is wrong and in few words, or None."""
    error = result(call, value)
    if not isinstance(error, Exception):
        return None
    assert is_typed(error), repr(error)[:1000]
    assert len(str(error)) < 10_000, str(error)[:1000]
    assert "Exceeds the limit" not in str(error)  # as if the number's length were the fault
    return error


@pytest.mark.parametrize("name", CALLS)
def test_hostile_arguments(name: str) -> None:
    text, over = str(START), str(OVER)
    for value in HOSTILE.values():
        refusal(CALLS[name], value)
    assert (str(START), str(OVER)) == (text, over)


@pytest.mark.parametrize("field", FIELDS)
def test_hostile_fields(field: str) -> None:
    for value in HOSTILE.values():
        for one in (value, (value, value), [0, value]):
            error = refusal(lambda one: START.replace(**{field: one}), one)
            assert error is None or type(error) is StateError, repr(error)


@pytest.mark.parametrize("path", [*START.to_dict(), *START.to_dict()["players"][0]])
def test_hostile_values_in_plain_data(path: str) -> None:
    for value in HOSTILE.values():
        data = START.to_dict()
        place = data if path in data else data["players"][1]
        place[path] = value
        error = refusal(State.from_dict, data)
        assert error is None or type(error) is StateError, repr(error)
        del place[path]
        assert type(refusal(State.from_dict, data)) is StateError


WRONG_TYPES = [
    *("None", "True", "False", "0.0", "nan", "inf", "complex", "list", "dict", "set", "object"),
    *("type", "function"),
]
"""What is neither a text nor an integer, and never means one."""
TYPED_CALLS = [
    *("State.parse", "State.from_bytes", "Move.parse", "Move.from_code", "Random", "below"),
    *("after", "events", "why_illegal", "cells", "read_move", "move_to_action", "action_to_move"),
    *("placements", "income_left", "perft, over", "moves.index", "moves.sample", "in quilt"),
    *("Quilt.parse", "Move, patch", "Move, orientation", "Move, cell", "Setup.from_line"),
]


@pytest.mark.parametrize("name", TYPED_CALLS)
def test_wrong_types_are_type_errors(name: str) -> None:
    errors = {key: refusal(CALLS[name], HOSTILE[key]) for key in WRONG_TYPES}
    assert {key: type(error) for key, error in errors.items()} == dict.fromkeys(
        WRONG_TYPES, TypeError
    )


def test_integers_of_any_type_are_accepted_and_of_any_size_refused() -> None:
    pass_action = Whole(pw.ACTIONS - 1)
    assert START.after(pass_action) == START.after("pass")
    assert [str(error) for error in map(reasons_of, (-1, 2026, 10**5000, -(10**5000)))]
    for number in (-1, pw.ACTIONS, 2**64, 10**5000, -(10**5000), Whole(10**5000)):
        assert reasons_of(number) == (Reason.NOT_AN_ACTION,)
        assert number not in START.legal_moves


TEXT_CALLS: dict[str, tuple[Call, str]] = {
    "State.parse": (State.parse, str(START)),
    "Move.parse": (Move.parse, "pass"),
    "Move": (lambda text: Move(text, 0, "a1"), "A"),
    "Move, cell": (lambda text: Move("A", 0, text), "a1"),
    "after": (START.after, "pass"),
    "events": (START.events, "pass"),
    "why_illegal": (START.why_illegal, "h@a1"),
    "in moves": (lambda text: text in START.legal_moves, "pass"),
    "read_move": (START.read_move, "PASS"),
    "placements": (START.placements, "A"),
    "in quilt": (lambda text: text in START.players[0].quilt, "a1"),
    "Quilt.parse": (Quilt.parse, str(START.players[0].quilt)),
    "replace": (lambda text: START.replace(line=text), "A"),
    "from_dict": (lambda text: State.from_dict(START.to_dict() | {"line": text}), "A"),
    "Setup.from_line": (lambda text: Setup.from_line(text).start(), START.line),
    "Setup.random": (lambda text: Setup.random(1, text), "revised"),
}


@pytest.mark.parametrize("name", TEXT_CALLS)
def test_texts_of_any_type_are_accepted(name: str) -> None:
    """Those that NumPy and StrEnum make, for example."""
    call, text = TEXT_CALLS[name]
    assert call(Text(text)) == call(text)


def reasons_of(action: Any) -> Sequence[Reason] | None:
    return START.why_illegal(action)


def test_nothing_can_be_changed() -> None:
    things: Mapping[str, object] = {
        "buttons": START.players[0],
        "line": START,
        "mask": START.players[0].quilt,
        "code": pw.PASS,
    }
    for attribute, thing in things.items():
        with pytest.raises((AttributeError, TypeError)):
            setattr(thing, attribute, 0)
        with pytest.raises((AttributeError, TypeError)):
            thing.other = 0  # type: ignore[attr-defined]
