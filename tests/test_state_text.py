"""The text of states: its grammar, and what R47 refuses."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import Reference

import patchwork as pw
from patchwork import NotationError, Random, Setup, State

LINE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
EMPTY = "9/9/9/9/9/9/9/9/9"
FULL = "/".join(["xxxxxxxxx"] * 9)
START = f"classic {LINE} {EMPTY} t0b5i0 {EMPTY} t0b5i0 0 - -"
FIELDS = ["edition", "line", "quilt0", "player0", "quilt1", "player1", "mover", "tile", "first"]


def changed(**fields: str) -> str:
    """The text of a start with other words."""
    words = dict(zip(FIELDS, START.split(" "), strict=True)) | fields
    return " ".join(words[field] for field in FIELDS)


def refusal(text: Any) -> NotationError:
    with pytest.raises(NotationError) as caught:
        State.parse(text)
    assert caught.value.text == text
    assert str(caught.value).startswith(f"{caught.value.fault} at position {caught.value.position}")
    return caught.value


def read(text: str) -> State | NotationError:
    try:
        return State.parse(text)
    except NotationError as error:
        return error


def places(text: str) -> dict[str, int]:
    """Where each word of a text begins."""
    words = text.split(" ")
    starts = [sum(len(word) + 1 for word in words[:i]) for i in range(len(words))]
    return dict(zip(FIELDS, starts, strict=True))


# Texts that are right


def test_a_start() -> None:
    state = Setup.from_line(LINE).start()
    assert str(state) == START
    assert State.parse(START) == state
    assert eval(repr(state), {"State": State}) == state


def test_a_position() -> None:
    quilt = "x8/xx7/1x3xxx1/9/9/9/9/9/8x"
    text = changed(quilt0=quilt, player0="t20b12i3", player1="t19b0i1", mover="0*", tile="1")
    state = State.parse(text)
    assert str(state) == text
    first, second = state.players
    assert first.quilt.cells == ("a1", "a2", "b2", "b3", "f3", "g3", "h3", "i9")
    assert (first.position, first.buttons, first.income) == (20, 12, 3)
    assert (second.position, second.buttons, second.income) == (19, 0, 1)
    assert (state.to_move, state.specials_waiting) == (0, 1)
    assert (state.tile_holder, state.finished_first) == (1, None)


def test_an_empty_line() -> None:
    text = changed(line="-", player0="t53b5i0", player1="t53b999999i0", mover="-", first="0")
    state = State.parse(text)
    assert (state.line, state.market, state.to_move, str(state)) == ("", "", None, text)


def test_a_reserve() -> None:
    setup = Setup.from_line("GBDEFCHIJKLMNOA+TPWQVRUS", "express")
    text = str(setup.start())
    assert text.split(" ")[:2] == ["express", "GBDEFCHIJKLMNOA+TPWQVRUS"]
    state = State.parse(text)
    assert (state.line, state.reserve) == ("GBDEFCHIJKLMNOA", "TPWQVRUS")
    joined = State.parse(text.replace("GBDEFCHIJKLMNOA+", "BDEFC"))
    assert (joined.line, joined.reserve) == ("BDEFCTPWQVRUS", "")
    assert "BDEFCTPWQVRUS" in str(joined)


def test_an_edition_of_ones_own_is_named_with_its_digest() -> None:
    own = pw.edition("classic").replace(name="text-own", size=5, tile=None)
    tag = f"text-own~{own.digest:016x}"[: len("text-own~") + 8]
    text = str(Setup.from_line(LINE, own).start())
    assert text == f"{tag} {LINE} 5/5/5/5/5 t0b5i0 5/5/5/5/5 t0b5i0 0 - -"
    assert State.parse(text).edition is own
    assert refusal(text.replace(tag, "text-own")).position == 0
    assert refusal(text.replace(tag, tag[:-1] + "g")).position == 0
    assert "known" in refusal(text.replace(tag, "text-other~12345678")).fault


def test_every_state_of_play_comes_back() -> None:
    numbers = random.Random(5)
    for name in ["classic", "revised", "express", "anniversary"] * 5:
        edition = pw.edition(name)
        state = Setup.random(numbers.getrandbits(64), edition, numbers.randrange(2)).start()
        reference = Reference(edition.to_dict(), state.line, state.reserve, state.to_move or 0)
        source, texts = Random(numbers.getrandbits(64)), {}
        while not state.is_over:
            assert str(state) == reference.text(name)
            assert State.parse(str(state)) == state
            texts[str(state)] = state
            move = state.legal_moves.sample(source)
            reference.play(str(move))
            state = state.after(move)
        assert str(state) == reference.text(name)
        assert len(texts) == len(set(texts.values()))


# Malformed texts


@pytest.mark.parametrize("text", [None, 5, START.encode(), [START], ""])
def test_what_is_no_text(text: Any) -> None:
    if text == "":
        assert (refusal(text).position, refusal(text).fault) == (0, "expected the edition")
        return
    with pytest.raises(TypeError, match="must be a str"):
        State.parse(text)


@pytest.mark.parametrize("count", range(1, 9))
def test_too_few_words(count: int) -> None:
    text = " ".join(START.split(" ")[:count])
    assert refusal(text).position == len(text)
    assert refusal(text + " ").position == len(text) + 1


def test_spaces() -> None:
    assert refusal(" " + START).position == 0
    assert refusal(START + " ").position == len(START)
    assert refusal(START + " -").position == len(START)
    assert refusal(START + "\n").position == places(START)["first"]
    assert refusal(START.replace(" ", "  ", 1)).position == len("classic ")
    assert refusal(START.replace(" ", "\t")).position == len(START.replace(" ", "\t"))


def test_only_ascii() -> None:
    for letter in ("é", "\u0660", "\U0001f9f5", "\ud800", "\xa0"):
        assert refusal(START[:20] + letter + START[21:]).position == 20
        assert refusal(START[:20] + letter + START[21:]).fault == "expected ASCII only"


# Field, its text, where in it the fault is, and what is expected or wrong.
MALFORMED = [
    ("edition", "Classic", 0, "unknown edition"),
    ("edition", "chess", 0, "unknown edition"),
    ("edition", "classic~62e59474", 0, "expected classic"),
    ("edition", "classic~", 0, "expected classic"),
    ("edition", "~", 0, "unknown edition"),
    ("line", "K-", 1, "letter of a patch"),
    ("line", "--", 0, "letter of a patch"),
    ("line", "K0d", 1, "letter of a patch"),
    ("line", "Kd+", 3, "patches of the reserve"),
    ("line", "-+-", 2, "letter of a patch"),
    ("line", "+", 1, "patches of the reserve"),
    ("line", "K" * 52, 0, "at most 51"),
    ("line", "K+" + "d" * 51, 2, "at most 51"),
    ("line", "K" * 100_000, 0, "at most 51"),
    ("quilt0", "9/9/9/9/9/9/9/9", 15, "9 rows"),
    ("quilt0", EMPTY + "/9", 17, "end of the quilt"),
    ("quilt0", EMPTY + "/", 17, "end of the quilt"),
    ("quilt0", "9" + EMPTY, 1, "expected /"),
    ("quilt0", "8" + EMPTY[1:], 1, "x or the length"),
    ("quilt0", "45" + EMPTY[1:], 1, "x or the length"),
    ("quilt0", "x9" + EMPTY[1:], 1, "a row of 9"),
    ("quilt0", "x8x" + EMPTY[1:], 2, "expected /"),
    ("quilt0", "0x8" + EMPTY[1:], 0, "x or the length"),
    ("quilt0", "X8" + EMPTY[1:], 0, "x or the length"),
    ("quilt0", "/" + EMPTY, 0, "x or the length"),
    ("quilt1", EMPTY[:-1] + "8.", 17, "x or the length"),
    ("quilt1", "-", 0, "x or the length"),
    ("player0", "t0b5", 4, "expected i"),
    ("player0", "t0b5i", 5, "a number"),
    ("player0", "tb5i0", 1, "a number"),
    ("player0", "b5t0i0", 0, "expected t"),
    ("player0", "t00b5i0", 1, "leading zeros"),
    ("player0", "t0b05i0", 3, "leading zeros"),
    ("player0", "t0b-5i0", 3, "a number"),
    ("player0", "t0b5i0i0", 6, "a space"),
    ("player0", "t+0b5i0", 1, "a number"),
    ("player0", "t255b5i0", 1, "at most 254"),
    ("player0", "t0b1000000i0", 3, "at most 999999"),
    ("player1", "t0b" + "9" * 5000 + "i0", 3, "at most 999999"),
    ("player1", "t0b5i256", 5, "at most 255"),
    ("player1", "t0b5i0x", 6, "a space"),
    ("mover", "2", 0, "0, 1 or -"),
    ("mover", "*", 0, "0, 1 or -"),
    ("mover", "01", 1, "* or a space"),
    ("mover", "0*x", 2, "* or a space"),
    ("mover", "0" + "*" * 16, 16, "at most 15"),
    ("tile", "2", 0, "0, 1 or -"),
    ("tile", "0*", 0, "0, 1 or -"),
    ("tile", "00", 0, "0, 1 or -"),
    ("first", "x", 0, "0, 1 or -"),
]


@pytest.mark.parametrize(("field", "word", "offset", "fault"), MALFORMED)
def test_malformed_words(field: str, word: str, offset: int, fault: str) -> None:
    text = changed(**{field: word})
    error = refusal(text)
    assert error.position == sum(map(len, text.split(" ")[: FIELDS.index(field)])) + (
        FIELDS.index(field) + offset
    )
    assert fault in error.fault


# What is well-formed, and contradicts itself (R47)

ON_20_19 = {"player0": "t20b5i0", "player1": "t19b5i0"}
ONE_DONE = {"player0": "t53b5i0", "player1": "t52b5i0", "mover": "1"}
BOTH_DONE = {"player0": "t53b5i0", "player1": "t53b5i0", "mover": "-", "first": "0"}

REFUSED: list[tuple[dict[str, str], str, int, str]] = [
    ({"line": "KdK"}, "line", 0, "K stands there twice"),
    ({"line": "Kdh"}, "line", 0, "h is no patch"),
    ({"line": "Kdz"}, "line", 0, "z is no patch"),
    ({"line": "KdA+B"}, "line", 3, "the edition has none"),
    ({"line": "KdA+K"}, "line", 3, "K stands there twice"),
    ({"player0": "t54b5i0"}, "player0", 0, "the last space is 53"),
    ({"player1": "t254b5i0"}, "player1", 0, "the last space is 53"),
    # All patches lie in line: 38 buttons are printed on them.
    ({"player0": "t0b5i218"}, "player0", 4, "could come to 256, above 255"),
    # 53 spaces and 9 markers of 38 buttons are still to come: 395.
    ({"player1": "t0b999605i0"}, "player1", 2, "more than 999,999"),
    ({"mover": "-"}, "mover", 0, "not over"),
    (ONE_DONE | {"mover": "-", "first": "0"}, "mover", 0, "not over"),
    (BOTH_DONE | {"mover": "0"}, "mover", 0, "the game is over"),
    (BOTH_DONE | {"mover": "0*"}, "mover", 0, "the game is over"),
    (ON_20_19 | {"mover": "0"}, "mover", 0, "in front"),
    (ONE_DONE | {"mover": "0", "first": "0"}, "mover", 0, "in front"),
    ({"mover": "0*"}, "mover", 1, "in front"),
    (ON_20_19 | {"mover": "1*"}, "mover", 1, "in front"),
    (BOTH_DONE | {"mover": "-*"}, "mover", 1, "the game is over"),
    (ON_20_19 | {"mover": "0*", "quilt0": FULL}, "mover", 1, "full quilt"),
    (ON_20_19 | {"mover": "0**"}, "mover", 1, "more wait"),
    ({"player0": "t25b5i0", "player1": "t20b5i0", "mover": "0*"}, "mover", 1, "more wait"),
    ({"first": "0"}, "first", 0, "not on the last space"),
    (ONE_DONE, "first", 0, "somebody is on the last space"),
    (ONE_DONE | {"first": "1"}, "first", 0, "player 1 is not"),
    (BOTH_DONE | {"first": "-"}, "first", 0, "somebody is on the last space"),
]


@pytest.mark.parametrize(("fields", "field", "offset", "fault"), REFUSED)
def test_contradictions(fields: dict[str, str], field: str, offset: int, fault: str) -> None:
    text = changed(**fields)
    error = refusal(text)
    assert error.position == places(text)[field] + offset
    assert fault in error.fault


@pytest.mark.parametrize(
    "fields",
    [
        {"mover": "1"},
        {"line": "-"},
        {"line": "A"},
        {"quilt0": FULL, "quilt1": FULL},
        {"player0": "t0b5i217"},
        {"player0": "t0b999604i0"},
        {"player0": "t53b999999i217", "mover": "1", "first": "0", "line": LINE},
        {"player0": "t20b5i0", "player1": "t20b5i0"},
        {"player0": "t20b5i0", "player1": "t20b5i0", "mover": "1"},
        ON_20_19 | {"mover": "1"},
        ON_20_19 | {"mover": "0*"},
        {"player0": "t52b5i0", "mover": "0*****"},
        # More wait than cells are free: what is left then is lost (R34, R35).
        {"player0": "t52b5i0", "mover": "0*****", "quilt0": FULL[:-1] + "1"},
        ONE_DONE | {"first": "0"},
        BOTH_DONE,
        BOTH_DONE | {"first": "1"},
        {"tile": "0"},
    ],
)
def test_all_else_is_accepted(fields: dict[str, str]) -> None:
    assert str(State.parse(changed(**fields))) == changed(**fields)


def test_a_tile_holder_needs_a_tile() -> None:
    own = pw.edition("classic").replace(name="text-no-tile", tile=None)
    text = str(Setup.from_line(LINE, own).start())
    error = refusal(text[:-3] + "0 -")
    assert (error.position, error.fault) == (len(text) - 3, "the edition has no special tile")


EXPRESS = str(Setup.from_line("GBDEFCHIJKLMNOA+TPWQVRUS", "express").start())


@pytest.mark.parametrize(
    ("line", "offset", "fault"),
    [
        # It holds eight patches and joins a line of five (R45).
        ("GBDEFC+TPWQVRU", 6, "all patches"),
        ("GBDEFC+TPWQVRUA", 6, "all patches"),
        ("GBDEF+TPWQVRUS", 5, "as short as this"),
        ("-+TPWQVRUS", 1, "as short as this"),
        ("GBDEFC", 0, "as long as this"),
        ("GBDEFCTPWQVRUS", 0, "as long as this"),
        ("GBDEFCHIJKLMNOA", 0, "as long as this"),
        ("GBDEFCT+PWQVRUS", 7, "all patches"),
        ("GBDEFT+TPWQVRUS", 6, "T stands there twice"),
    ],
)
def test_a_reserve_in_contradiction(line: str, offset: int, fault: str) -> None:
    text = EXPRESS.replace("GBDEFCHIJKLMNOA+TPWQVRUS", line)
    error = refusal(text)
    assert error.position == len("express ") + offset
    assert fault in error.fault


@pytest.mark.parametrize("line", ["GBDEFC+SURVQWPT", "GBDEFTPWQVRUS", "TPWQVRUSGBDEF", "T", "-"])
def test_a_reserve_may_lie_so(line: str) -> None:
    text = EXPRESS.replace("GBDEFCHIJKLMNOA+TPWQVRUS", line)
    assert str(State.parse(text)) == text


# Anything at all


@given(st.text())
def test_any_text(text: str) -> None:
    with pytest.raises(NotationError):
        State.parse(text)


@given(st.data())
def test_a_character_changed(data: st.DataObject) -> None:
    text = START if data.draw(st.booleans()) else EXPRESS
    place = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 3))
    characters = st.sampled_from("0159x/-+* tbiKdfAhz~") | st.characters()
    word = "".join(data.draw(st.lists(characters, max_size=3)))
    hostile = text[:place] + word + text[place + length :]
    state = read(hostile)
    if isinstance(state, NotationError):
        assert 0 <= state.position <= len(hostile)
        assert state.fault
    else:
        assert str(state) == hostile
        assert State.from_bytes(bytes(state)) == state
        assert str(state.playout(1))
