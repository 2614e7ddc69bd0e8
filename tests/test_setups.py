"""Setups: random ones, given lines and circles, and what is refused (R05)."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import patchwork
import patchwork as pw
from patchwork.setups import Setup

LINE = "KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA"
EXPRESS = "GBDEFCHIJKLMNOA+TPWQVRUS"
LETTERS = LINE[:-1]

SMALL = pw.edition("classic").replace(
    name="small",
    start_patch=False,
    patches=[
        {"letter": letter, "rows": ["x"], "cost": 0, "time": 1, "income": 0} for letter in "ABCD"
    ],
)


def refusal(letters: Any, edition: str | pw.Edition = "classic") -> tuple[str, str]:
    with pytest.raises(pw.SetupError) as caught:
        Setup.from_line(letters, edition)
    return caught.value.where, caught.value.fault


# The documented draws, from the published descriptions of SplitMix64 and of Lemire's method.


def words(seed: int) -> Iterator[int]:
    mask = 2**64 - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        word = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & mask
        yield word ^ (word >> 31)


def below(source: Iterator[int], n: int) -> int:
    while True:
        product = (next(source) >> 32) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


def shuffled(letters: str, source: Iterator[int]) -> str:
    order = list(letters)
    for i in reversed(range(1, len(order))):
        k = below(source, i + 1)
        order[i], order[k] = order[k], order[i]
    return "".join(order)


class TestRandom:
    @pytest.mark.parametrize("seed", [0, 1, 7, 2**63, 2**64 - 1])
    def test_draws_are_as_documented(self, seed: int) -> None:
        source = words(seed)
        line = shuffled("".join(sorted(LETTERS)), source) + "A"
        assert Setup.random(seed).line == line
        source = words(seed)
        line = shuffled("BCDEFGHIJKLMNO", source) + "A"
        express = Setup.random(seed, "express")
        assert (express.line, express.reserve) == (line, shuffled("PQRSTUVW", source))

    def test_golden_lines(self) -> None:
        assert str(Setup.random(7)) == "GSLMWfbIaYCOUZFPXQdTVDKEJeHgRcBNA"
        assert str(Setup.random(7, "express")) == "ICKOMNJEDFHLBGA+PRUQTSWV"

    def test_without_a_seed_each_is_another(self) -> None:
        assert len({Setup.random() for _ in range(20)}) == 20

    def test_without_a_start_patch_all_are_shuffled(self) -> None:
        counts = Counter(Setup.random(seed, SMALL).line for seed in range(2400))
        assert len(counts) == 24
        assert all(60 < count < 140 for count in counts.values())  # 100 expected, deviation 10

    def test_edition_and_start_player(self) -> None:
        setup = Setup.random(7, edition=pw.edition("revised"), start_player=1)
        assert (setup.edition, setup.start_player) == (pw.edition("revised"), 1)
        assert setup.line == Setup.random(7).line

    @pytest.mark.parametrize("seed", [-1, 2**64, 10**5000], ids=["-1", "2**64", "10**5000"])
    def test_seeds_outside(self, seed: int) -> None:
        with pytest.raises(pw.SetupError, match=r"^seed: a seed is in 0\.\.2\*\*64-1"):
            Setup.random(seed)

    @pytest.mark.parametrize("seed", [True, 1.0, "7"])
    def test_seeds_of_wrong_types(self, seed: Any) -> None:
        with pytest.raises(TypeError):
            Setup.random(seed)


class TestFromLine:
    def test_the_line_as_given(self) -> None:
        setup = Setup.from_line(LINE, start_player=1)
        assert (setup.line, setup.reserve, setup.start_player) == (LINE, "", 1)
        assert setup.edition == pw.edition("classic")

    def test_the_start_patch_may_stand_anywhere(self) -> None:
        assert Setup.from_line("A" + LETTERS).line == "A" + LETTERS

    def test_a_reserve(self) -> None:
        setup = Setup.from_line(EXPRESS, "express")
        assert (setup.line, setup.reserve) == ("GBDEFCHIJKLMNOA", "TPWQVRUS")

    @pytest.mark.parametrize(
        ("letters", "fault"),
        [
            (LETTERS, "missing 'A'"),
            (LINE + "A", "repeated 'A'"),
            (LINE[:-1] + "d", "missing 'A', repeated 'd'"),
            (LINE + "h", "unknown 'h'"),
            (LINE + "i", "unknown 'i'"),
            (LINE + "\n", "unknown '\\n'"),
            (LINE.replace("K", "k"), "missing 'K', unknown 'k'"),
            ("", f"missing {''.join(sorted(LINE))!r}"),
            (LINE + "xx" + "é" * 10**6, "repeated 'xé', unknown 'xé'"),
        ],
        ids=lambda value: value[:50],
    )
    def test_faults(self, letters: str, fault: str) -> None:
        assert refusal(letters) == ("line", fault)

    @pytest.mark.parametrize(
        ("letters", "where", "fault"),
        [
            ("GBDEFCHIJKLMNOA", "reserve", "missing 'PQRSTUVW'"),
            ("GBDEFCHIJKLMNOA+", "reserve", "missing 'PQRSTUVW'"),
            ("GBDEFCHIJKLMNOA+TPWQVRU", "reserve", "missing 'S'"),
            ("GBDEFCHIJKLMNOA+TPWQVRUSS", "reserve", "repeated 'S'"),
            ("GBDEFCHIJKLMNOA+TPWQVRUS+", "reserve", "unknown '+'"),
            ("GBDEFCHIJKLMNOAT+PWQVRUS", "line", "misplaced 'T'"),
            ("GBDEFCHIJKLMNO+ATPWQVRUS", "line", "missing 'A'"),
            ("GBDEFCHIJKLMNOA+TPWQVRUSA", "reserve", "misplaced 'A'"),
            ("+TPWQVRUS", "line", "missing 'ABCDEFGHIJKLMNO'"),
        ],
    )
    def test_faults_with_a_reserve(self, letters: str, where: str, fault: str) -> None:
        assert refusal(letters, "express") == (where, fault)

    @pytest.mark.parametrize("letters", [LINE + "+", LINE[1:] + "+K"])
    def test_a_reserve_that_the_edition_lacks(self, letters: str) -> None:
        assert refusal(letters) == ("reserve", "the edition classic has none")

    def test_too_many_unknown_letters_to_name(self) -> None:
        strangers = "".join(map(chr, range(0x4E00, 0x9E00)))
        assert refusal(LINE + strangers) == ("line", f"unknown {strangers[:60]!r}")

    @pytest.mark.parametrize("letters", [None, 5, list(LINE), LINE.encode()], ids=type)
    def test_wrong_types(self, letters: Any) -> None:
        with pytest.raises(TypeError):
            Setup.from_line(letters)
        with pytest.raises(TypeError):
            Setup.from_circle(letters)
        with pytest.raises(TypeError):
            Setup(pw.edition("classic"), letters)

    @pytest.mark.parametrize("player", [-1, 2, 10**5000], ids=["-1", "2", "10**5000"])
    def test_there_are_two_players(self, player: int) -> None:
        makers: list[tuple[Callable[..., Setup], object]] = [
            (Setup.random, 1),
            (Setup.from_line, LINE),
            (Setup.from_circle, LINE),
        ]
        for make, source in makers:
            with pytest.raises(pw.SetupError) as caught:
                make(source, start_player=player)
            assert caught.value.where == "start_player"
            assert caught.value.fault.endswith(" is neither 0 nor 1")

    @pytest.mark.parametrize("player", [True, "0", 0.0, None])
    def test_players_of_wrong_types(self, player: Any) -> None:
        with pytest.raises(TypeError):
            Setup.from_line(LINE, start_player=player)

    def test_an_unknown_edition(self) -> None:
        with pytest.raises(pw.EditionError, match=r"^name: unknown edition 'klassik'"):
            Setup.from_line(LINE, edition="klassik")


class TestFromCircle:
    @pytest.mark.parametrize("turns", range(33))
    def test_the_token_goes_behind_the_start_patch(self, turns: int) -> None:
        ring = LINE[turns:] + LINE[:turns]
        assert Setup.from_circle(ring) == Setup.from_line(LINE)

    def test_a_reserve(self) -> None:
        ring = "FCHIJKLMNOAGBDE+TPWQVRUS"
        assert Setup.from_circle(ring, "express", 1) == Setup.from_line(EXPRESS, "express", 1)

    def test_the_circle_leads_back(self) -> None:
        setup = Setup.random(1, "express")
        assert Setup.from_circle(f"{setup.circle}+{setup.reserve}", "express") == setup

    def test_it_begins_in_front_of_the_token(self) -> None:
        assert Setup.from_line(LINE).circle == LINE

    def test_faults(self) -> None:
        with pytest.raises(pw.SetupError) as caught:
            Setup.from_circle(LETTERS)
        assert (caught.value.where, caught.value.fault) == ("circle", "missing 'A'")
        with pytest.raises(pw.SetupError) as caught:
            Setup.from_circle("GBDEFCHIJKLMNOA", "express")
        assert (caught.value.where, caught.value.fault) == ("reserve", "missing 'PQRSTUVW'")

    def test_an_edition_without_a_start_patch(self) -> None:
        with pytest.raises(pw.SetupError) as caught:
            Setup.from_circle("ABCD", SMALL)
        assert caught.value.where == "circle"
        assert caught.value.fault == "the edition small has no start patch"


class TestValue:
    SETUPS = (
        Setup.from_line(LINE),
        Setup.from_line(LINE, start_player=1),
        Setup.from_line(LINE, "revised"),
        Setup.from_line(EXPRESS, "express"),
        Setup.from_line("DCBA", SMALL),
    )

    def test_text(self) -> None:
        assert [str(setup) for setup in self.SETUPS] == [LINE, LINE, LINE, EXPRESS, "DCBA"]

    def test_repr(self) -> None:
        assert repr(self.SETUPS[1]) == (
            f"patchwork.Setup.from_line({LINE!r}, edition='classic', start_player=1)"
        )
        for setup in self.SETUPS:
            assert eval(repr(setup), {"patchwork": patchwork}) == setup

    def test_equality(self) -> None:
        assert len(set(self.SETUPS)) == len(self.SETUPS)
        assert Setup.from_line(LINE) == self.SETUPS[0]
        assert hash(Setup.from_line(LINE)) == hash(self.SETUPS[0])

    def test_the_parts_by_themselves(self) -> None:
        assert Setup(pw.edition("classic"), LINE) == self.SETUPS[0]
        with pytest.raises(pw.SetupError, match=r"^reserve: missing"):
            Setup(pw.edition("express"), "GBDEFCHIJKLMNOA")

    def test_frozen(self) -> None:
        with pytest.raises(AttributeError):
            self.SETUPS[0].line = LINE  # type: ignore[misc]

    def test_another_start_player(self) -> None:
        assert self.SETUPS[0].with_start_player(1) == self.SETUPS[1]
        assert self.SETUPS[0].start_player == 0
        with pytest.raises(pw.SetupError, match=r"^start_player: "):
            self.SETUPS[0].with_start_player(2)

    def test_pickles(self) -> None:
        for setup in self.SETUPS:
            assert pickle.loads(pickle.dumps(setup)) == setup

    def test_pickles_in_a_new_process(self) -> None:
        code = "import pickle, sys; print(repr(pickle.load(sys.stdin.buffer)))"
        for setup in self.SETUPS:
            run = subprocess.run(
                [sys.executable, "-c", code], input=pickle.dumps(setup), capture_output=True
            )
            assert run.stdout.decode().strip() == repr(setup)

    def test_plain_data(self) -> None:
        assert self.SETUPS[3].to_dict() == {
            "edition": "express",
            "line": EXPRESS,
            "start_player": 0,
        }
        assert self.SETUPS[4].to_dict()["edition"] == SMALL.to_dict()
        for setup in self.SETUPS:
            assert Setup.from_dict(json.loads(json.dumps(setup.to_dict()))) == setup

    @pytest.mark.parametrize(
        ("changes", "where", "fault"),
        [
            ({"line": 5}, "line", "a value of type int"),
            ({"line": LETTERS}, "line", "missing 'A'"),
            ({"edition": None}, "edition", "a value of type NoneType"),
            ({"start_player": True}, "start_player", "a value of type bool"),
            ({"start_player": 2}, "start_player", "2 is neither 0 nor 1"),
            ({"seed": 7}, "seed", "unknown key; known are edition, line, start_player"),
        ],
    )
    def test_plain_data_refused(self, changes: dict[str, Any], where: str, fault: str) -> None:
        with pytest.raises(pw.SetupError) as caught:
            Setup.from_dict(self.SETUPS[0].to_dict() | changes)
        assert (caught.value.where, caught.value.fault) == (where, fault)

    @pytest.mark.parametrize("key", ["edition", "line", "start_player"])
    def test_plain_data_without_a_key(self, key: str) -> None:
        data = self.SETUPS[0].to_dict()
        del data[key]
        with pytest.raises(pw.SetupError, match=f"^{key}: missing"):
            Setup.from_dict(data)


class TestStart:
    @pytest.mark.parametrize("player", [0, 1])
    def test_first_state(self, player: int) -> None:
        state = Setup.from_line(LINE, start_player=player).start()
        assert (state.line, state.reserve, state.to_move) == (LINE, "", player)
        assert state.edition == pw.edition("classic")
        assert [(p.position, p.buttons, p.income, len(p.quilt)) for p in state.players] == [
            (0, 5, 0, 0),
            (0, 5, 0, 0),
        ]

    def test_as_text(self) -> None:
        quilt = "/".join(["9"] * 9)
        assert str(Setup.from_line(LINE).start()) == (
            f"classic {LINE} {quilt} t0b5i0 {quilt} t0b5i0 0 - -"
        )

    def test_a_reserve_waits(self) -> None:
        state = Setup.from_line(EXPRESS, "express").start()
        assert (state.line, state.reserve) == ("GBDEFCHIJKLMNOA", "TPWQVRUS")
