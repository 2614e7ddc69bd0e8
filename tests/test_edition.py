"""Editions and their patches: the printed data, the limits of R44, overrides, geometry."""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import json
import pickle
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import patchwork as pw
from patchwork._definition import checked
from patchwork.edition import SHIPPED
from patchwork.patch import Patch

CLASSIC = pw.edition("classic")
EXPRESS = pw.edition("express")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgijklmnopqrstuvwxyz"
REQUIRED = "name size final markers specials start_buttons market tile start_patch reserve patches"

# Cells, orientations and placements on an empty quilt of each patch of the base game.
COUNTS = """
A 2 2 144  B 3 4 256  C 3 4 256  D 3 2 126  E 4 4 224  F 5 8 448  G 7 2 70   H 6 4 168  I 4 1 64
J 6 4 192  K 4 4 224  L 6 4 192  M 4 2 108  N 5 2 90   O 5 8 384  P 6 4 192  Q 6 4 196  R 6 4 168
S 4 8 448  T 5 1 49   U 7 2 98   V 8 2 84   W 5 8 384  X 5 4 196  Y 6 8 384  Z 6 4 168  a 4 8 448
b 6 4 168  c 5 4 196  d 5 4 224  e 5 8 384  f 4 4 224  g 6 8 392
"""

SINGLE = ["x"]

Definition = dict[str, Any]
Cells = set[tuple[int, int]]

_numbers = itertools.count()


def fresh_name() -> str:
    return f"test-{next(_numbers)}"


def figure(letter: str, rows: object = SINGLE, **printed: object) -> Definition:
    return {"letter": letter, "rows": rows, "cost": 0, "time": 0, "income": 0} | printed


def definition(**changes: object) -> Definition:
    """A small edition under a name of its own."""
    return {
        "name": fresh_name(),
        "size": 9,
        "final": 53,
        "markers": [5, 53],
        "specials": [20, 26],
        "start_buttons": 5,
        "market": 3,
        "tile": {"side": 7, "points": 7},
        "start_patch": "A",
        "reserve": None,
        "patches": [figure(letter) for letter in "ABCD"],
    } | changes


def one_patch(rows: object = SINGLE, **printed: object) -> Definition:
    return {"patches": [figure("A", rows, **printed)]}


def refusal(parts: Definition) -> tuple[str, str]:
    with pytest.raises(pw.EditionError) as caught:
        pw.Edition.from_dict(parts)
    return caught.value.where, caught.value.fault


def in_new_process(code: str, stdin: bytes = b"") -> str:
    run = subprocess.run([sys.executable, "-c", code], input=stdin, capture_output=True)
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout.decode().strip()


# The drawing as a set of cells, turned and mirrored without the package's help.


def cells_of(rows: tuple[str, ...]) -> Cells:
    return {(i, j) for i, row in enumerate(rows) for j, mark in enumerate(row) if mark == "x"}


def turned(cells: Cells) -> Cells:
    height = max(row for row, _ in cells)
    return {(column, height - row) for row, column in cells}


def mirrored(cells: Cells) -> Cells:
    width = max(column for _, column in cells)
    return {(row, width - column) for row, column in cells}


def oriented(cells: Cells, orientation: int) -> Cells:
    cells = mirrored(cells) if orientation >= 4 else cells
    for _ in range(orientation % 4):
        cells = turned(cells)
    return cells


def free_shape(patch: Patch) -> frozenset[frozenset[tuple[int, int]]]:
    return frozenset(frozenset(oriented(cells_of(patch.rows), o)) for o in range(8))


class TestShipped:
    def test_totals(self) -> None:
        patches = CLASSIC.patches.values()
        assert len(patches) == 33
        assert sum(patch.cells for patch in patches) == 166
        assert sum(patch.cost for patch in patches) == 133
        assert sum(patch.time for patch in patches) == 107
        assert sum(patch.income for patch in patches) == 38

    @pytest.mark.parametrize(
        ("printed", "counts"),
        [
            ("cells", {2: 1, 3: 3, 4: 7, 5: 9, 6: 10, 7: 2, 8: 1}),
            ("cost", {0: 1, 1: 5, 2: 7, 3: 5, 4: 3, 5: 3, 6: 1, 7: 4, 8: 1, 10: 3}),
            ("time", {1: 4, 2: 9, 3: 7, 4: 5, 5: 4, 6: 4}),
            ("income", {0: 11, 1: 10, 2: 8, 3: 4}),
        ],
    )
    def test_distributions(self, printed: str, counts: dict[int, int]) -> None:
        assert Counter(getattr(patch, printed) for patch in CLASSIC.patches.values()) == counts

    def test_shapes(self) -> None:
        shapes = {letter: free_shape(patch) for letter, patch in CLASSIC.patches.items()}
        assert len(set(shapes.values())) == 30
        assert shapes["E"] == shapes["f"]
        assert shapes["B"] == shapes["C"]
        assert shapes["S"] == shapes["a"]

    def test_chiral_patches(self) -> None:
        chiral = [
            letter
            for letter, patch in CLASSIC.patches.items()
            if mirrored(cells_of(patch.rows))
            not in [oriented(cells_of(patch.rows), turns) for turns in range(4)]
        ]
        assert "".join(chiral) == "EFJORSWYZaefg"

    def test_each_patch_fits_as_often_as_counted(self) -> None:
        words = COUNTS.split()
        expected = {words[i]: tuple(map(int, words[i + 1 : i + 4])) for i in range(0, 132, 4)}
        found = {
            letter: (patch.cells, len(patch.orientations), fits(patch))
            for letter, patch in CLASSIC.patches.items()
        }
        assert found == expected
        assert sum(orientations for _, orientations, _ in found.values()) == 144
        assert sum(placements for _, _, placements in found.values()) == 7349

    def test_prices_that_several_patches_share(self) -> None:
        prices: dict[tuple[int, int], str] = {}
        for letter, patch in CLASSIC.patches.items():
            price = patch.cost, patch.time
            prices[price] = prices.get(price, "") + letter
        assert {letters for letters in prices.values() if len(letters) > 1} == {
            "Zd",
            "AR",
            "DFK",
            "Ue",
            "Ja",
        }

    def test_classic(self) -> None:
        assert (CLASSIC.size, CLASSIC.final, CLASSIC.start_buttons, CLASSIC.market) == (9, 53, 5, 3)
        assert CLASSIC.markers == (5, 11, 17, 23, 29, 35, 41, 47, 53)
        assert CLASSIC.specials == (20, 26, 32, 44, 50)
        assert CLASSIC.tile == pw.Tile(side=7, points=7)
        assert CLASSIC.start_patch == "A"
        assert CLASSIC.reserve is None
        assert "".join(CLASSIC.patches) == LETTERS[:33]

    @pytest.mark.parametrize("name", ["revised", "anniversary"])
    def test_later_printings_differ_in_the_specials(self, name: str) -> None:
        edition = pw.edition(name)
        changed = {"name": name, "specials": [26, 32, 38, 44, 50]}
        assert edition.to_dict() == CLASSIC.to_dict() | changed

    def test_express(self) -> None:
        assert (EXPRESS.size, EXPRESS.final, EXPRESS.start_buttons) == (7, 29, 5)
        assert EXPRESS.markers == (5, 9, 13, 17, 21, 25, 29)
        assert EXPRESS.specials == (7, 11, 15, 19, 23, 27)
        assert EXPRESS.tile is None
        assert EXPRESS.reserve == pw.Reserve("PQRSTUVW", join_at=5)
        assert "".join(EXPRESS.patches) == LETTERS[:23]
        light = [EXPRESS.patches[letter] for letter in "ABCDEFGHIJKLMNO"]
        dark = [EXPRESS.patches[letter] for letter in "PQRSTUVW"]
        assert printed_sums(light) == (70, 46, 35, 11)
        assert printed_sums(dark) == (23, 14, 14, 6)

    def test_names_identify_contents_for_ever(self) -> None:
        assert {name: pw.edition(name).digest for name in SHIPPED} == {
            "classic": 0x62E5947485895E53,
            "revised": 0x27C481C0836E16A8,
            "anniversary": 0x37BCC1AD49D0802D,
            "express": 0x8AE7D3DD44EFB44B,
        }

    def test_nothing_is_loaded_before_it_is_asked_for(self) -> None:
        code = "import sys, patchwork; print({'tomllib', 'hashlib'} & sys.modules.keys())"
        assert in_new_process(code) == "set()"

    def test_a_state_text_loads_its_edition(self) -> None:
        code = "import sys, patchwork as pw; print(pw.State.parse(sys.stdin.read()).edition.name)"
        text = str(pw.Setup.random(1, "express").start())
        assert in_new_process(code, text.encode()) == "express"


def fits(patch: Patch) -> int:
    """Count the placements on an empty board of 9 x 9, one by one."""
    return sum(
        all(row + i < 9 and column + j < 9 for i, j in cells_of(rows))
        for rows in {patch.shape(orientation) for orientation in range(8)}
        for row in range(9)
        for column in range(9)
    )


def printed_sums(patches: list[Patch]) -> tuple[int, ...]:
    names = ("cells", "cost", "time", "income")
    return tuple(sum(getattr(patch, name) for patch in patches) for name in names)


class TestLookup:
    def test_editions_of_one_name_are_equal(self) -> None:
        assert pw.edition("classic") == CLASSIC
        assert hash(pw.edition("classic")) == hash(CLASSIC)

    def test_names_differ_though_contents_do_not(self) -> None:
        assert pw.edition("anniversary") != pw.edition("revised")

    def test_an_edition_is_no_name(self) -> None:
        assert CLASSIC != "classic"

    def test_whatever_stands_for_an_edition(self) -> None:
        assert pw.edition(CLASSIC) is CLASSIC
        assert pw.edition(EXPRESS.to_dict()) == EXPRESS

    def test_own_editions_are_found_by_name(self) -> None:
        house = pw.Edition.from_dict(definition(name="found-by-name"))
        assert pw.edition("found-by-name") == house
        with pytest.raises(pw.EditionError, match="found-by-name"):
            pw.edition("lost")

    def test_an_unknown_name(self) -> None:
        with pytest.raises(pw.EditionError) as caught:
            pw.edition("klassik")
        assert caught.value.where == "name"
        assert caught.value.fault.startswith("unknown edition 'klassik'; known are anniversary, ")
        for name in SHIPPED:
            assert name in caught.value.fault

    @pytest.mark.parametrize("name", ["", "Classic", "../classic", "classic.toml", "x" * 10**6])
    def test_names_that_are_no_names(self, name: str) -> None:
        with pytest.raises(pw.EditionError, match=r"^name: unknown edition '.{0,40}'; known"):
            pw.edition(name)

    @pytest.mark.parametrize("name", [None, 1, b"classic", ["classic"]])
    def test_wrong_types(self, name: Any) -> None:
        with pytest.raises(TypeError, match="an edition's name is a str"):
            pw.edition(name)

    def test_another_content_under_a_shipped_name(self) -> None:
        code = """if True:
            import patchwork as pw
            parts = pw.edition("express").to_dict() | {"name": "classic"}
            try:
                pw.Edition.from_dict(parts)
            except pw.EditionError as error:
                print(error.where)
            """
        assert in_new_process(code) == "name"

    def test_another_content_under_a_known_name(self) -> None:
        parts = definition()
        known = pw.Edition.from_dict(parts)
        assert refusal(parts | {"market": 1})[0] == "name"
        assert pw.edition(parts["name"]) == known

    def test_the_same_content_again(self) -> None:
        parts = definition()
        editions = [pw.Edition.from_dict(parts) for _ in range(2)]
        assert editions[0] == editions[1]
        assert editions[0]._index == editions[1]._index

    def test_threads_agree(self) -> None:
        parts = definition()
        with ThreadPoolExecutor(8) as pool:
            editions = list(pool.map(lambda _: pw.Edition.from_dict(parts), range(64)))
        assert len({edition._index for edition in editions}) == 1

    def test_the_last_of_1024_editions(self) -> None:
        code = """if True:
            import patchwork as pw
            classic = pw.edition("classic")
            for number in range(1023):
                last = classic.replace(name=f"n{number}")
            try:
                classic.replace(name="one-more")
            except pw.EditionError as error:
                print(error.where, pw.edition("n1022") == last)
            """
        assert in_new_process(code) == "name True"


class TestValue:
    def test_frozen(self) -> None:
        with pytest.raises(AttributeError):
            CLASSIC.size = 8  # type: ignore[misc]
        with pytest.raises(TypeError):
            CLASSIC.patches["A"] = CLASSIC.patches["B"]  # type: ignore[index]
        with pytest.raises(AttributeError):
            CLASSIC.patches["A"].cost = 0  # type: ignore[misc]
        with pytest.raises(AttributeError):
            pw.Tile(7, 7).points = 0  # type: ignore[misc]
        with pytest.raises(AttributeError):
            pw.Reserve("B", 0).join_at = 0  # type: ignore[misc]

    @pytest.mark.parametrize("name", sorted(SHIPPED))
    def test_definitions_lead_back(self, name: str) -> None:
        edition = pw.edition(name)
        assert pw.Edition.from_dict(edition.to_dict()) == edition
        assert pw.Edition.from_dict(json.loads(json.dumps(edition.to_dict()))) == edition
        assert pw.Edition.parse_toml(edition.to_toml()) == edition

    def test_own_definitions_lead_back(self) -> None:
        parts = definition(
            patches=[figure("A", ["x.x", ".x."], cost=1, time=2, income=3), figure("b")],
            reserve={"patches": "b", "join_at": 0},
        )
        edition = pw.Edition.from_dict(parts)
        assert edition.to_dict() == parts
        assert pw.Edition.parse_toml(edition.to_toml()) == edition

    def test_digest(self) -> None:
        parts = definition()
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        expected = blake2b(text.encode(), digest_size=8).digest()
        edition = pw.Edition.from_dict(parts)
        assert edition.digest.to_bytes(8, "little") == expected
        assert edition.tag == f"{parts['name']}~{expected[::-1].hex()[:8]}"

    def test_the_order_of_a_definition_does_not_count(self) -> None:
        parts = definition(reserve={"patches": "BC", "join_at": 1})
        shuffled = dict(reversed(parts.items())) | {"patches": parts["patches"][::-1]}
        shuffled["reserve"] = {"join_at": 1, "patches": "CB"}
        edition = pw.Edition.from_dict(shuffled)
        assert edition.to_dict() == parts
        assert list(edition.patches) == ["A", "B", "C", "D"]

    def test_shipped_ones_need_no_definition(self) -> None:
        assert CLASSIC.is_shipped
        assert CLASSIC.tag == CLASSIC.reference == "classic"
        house = pw.Edition.from_dict(definition())
        assert not house.is_shipped
        assert house.reference == house.to_dict()

    def test_repr(self) -> None:
        assert repr(CLASSIC) == "patchwork.edition('classic')"

    def test_copies(self) -> None:
        assert copy.copy(CLASSIC) == copy.deepcopy(CLASSIC) == CLASSIC

    def test_pickles_of_shipped_editions_hold_the_name(self) -> None:
        data = pickle.dumps(EXPRESS)
        assert len(data) < 100
        assert pickle.loads(data) == EXPRESS

    def test_pickles_of_own_editions_hold_the_definition(self) -> None:
        house = CLASSIC.replace(name=fresh_name(), final=99)
        code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).digest)"
        assert in_new_process(code, pickle.dumps(house)) == str(house.digest)


class TestLimits:
    """R44, each limit at its ends and beyond them."""

    @pytest.mark.parametrize(
        "changes",
        [
            {"name": "a"},
            {"name": "z" + "0_-9" * 7 + "abc"},
            {"size": 1, "tile": None},
            {"size": 1, "tile": {"side": 1, "points": 0}},
            {"size": 9, "tile": {"side": 9, "points": 99}},
            {"final": 1, "markers": [1], "specials": [1]},
            {"final": 254, "markers": list(range(1, 255))},
            {"markers": [], "specials": []},
            {"specials": list(range(1, 16))},
            {"specials": list(range(39, 54))},
            {"markers": [20, 53], "specials": [20, 53]},
            {"market": 1},
            {"market": 3},
            {"start_buttons": 0},
            {"start_buttons": 999},
            {"start_patch": None},
            {"start_patch": "D"},
            {"patches": [figure("A")]},
            {"patches": [figure(letter) for letter in LETTERS]},
            {"patches": {"A": figure("A")}},
            one_patch(cost=99, time=99, income=99),
            one_patch(["xxxxxx"]),
            one_patch(["x"] * 6),
            one_patch(["xxx", "x.x", "xxx"]),
            one_patch(["x....x", "......", "......", "......", "......", "x....x"]),
            one_patch(["xxxxxx", "xxxxxx"]),
            one_patch("xx\n.x\n"),
            one_patch("  xx\n  .x\n  "),
            one_patch(["xxxxx"]) | {"size": 5, "tile": None},
            {"patches": [figure(x, income=y) for x, y in zip("ABC", (99, 99, 57), strict=True)]},
            {"reserve": {"patches": "BCD", "join_at": 0}},
            {"reserve": {"patches": "B", "join_at": 2}},
        ],
    )
    def test_accepted(self, changes: Definition) -> None:
        parts = definition(**changes)
        assert pw.Edition.from_dict(parts).name == parts["name"]

    @pytest.mark.parametrize(
        ("changes", "where", "fault"),
        [
            ({"size": 0}, "size", "0 is outside 1..9"),
            ({"size": 10}, "size", "10 is outside 1..9"),
            ({"final": 0}, "final", "0 is outside 1..254"),
            ({"final": 255}, "final", "255 is outside 1..254"),
            ({"final": 10**100}, "final", "an integer of 333 bits is outside 1..254"),
            ({"markers": [0, 5]}, "markers[0]", "0 is outside 1..53"),
            ({"markers": [5, 54]}, "markers[1]", "54 is outside 1..53"),
            ({"markers": [5, 5]}, "markers[1]", "5 does not rise above 5"),
            ({"markers": [5, 7, 6]}, "markers[2]", "6 does not rise above 7"),
            ({"specials": [0]}, "specials[0]", "0 is outside 1..53"),
            ({"specials": [54]}, "specials[0]", "54 is outside 1..53"),
            ({"specials": [20, 20]}, "specials[1]", "20 does not rise above 20"),
            ({"specials": list(range(1, 17))}, "specials", "16 spaces are more than 15"),
            ({"start_buttons": -1}, "start_buttons", "-1 is outside 0..999"),
            ({"start_buttons": 1000}, "start_buttons", "1000 is outside 0..999"),
            ({"market": 0}, "market", "0 is outside 1..3"),
            ({"market": 4}, "market", "4 is outside 1..3"),
            ({"tile": {"side": 0, "points": 7}}, "tile.side", "0 is outside 1..9"),
            ({"tile": {"side": 10, "points": 7}}, "tile.side", "10 is outside 1..9"),
            ({"size": 6}, "tile.side", "7 is outside 1..6"),
            ({"tile": {"side": 7, "points": -1}}, "tile.points", "-1 is outside 0..99"),
            ({"tile": {"side": 7, "points": 100}}, "tile.points", "100 is outside 0..99"),
            ({"start_patch": "E"}, "start_patch", "'E' is none of ABCD"),
            ({"start_patch": "AB"}, "start_patch", "'AB' is none of ABCD"),
            ({"start_patch": ""}, "start_patch", "'' is none of ABCD"),
            (
                {"reserve": {"patches": "AB", "join_at": 1}},
                "start_patch",
                "'A' is none of CD",
            ),
            (
                {"reserve": {"patches": "ABCD", "join_at": 0}},
                "reserve.patches",
                "no patch is left for the line",
            ),
            (
                {"reserve": {"patches": "BE", "join_at": 0}},
                "reserve.patches",
                "'E' is none of ABCD",
            ),
            (
                {"reserve": {"patches": "BB", "join_at": 0}},
                "reserve.patches",
                "B is there 2 times",
            ),
            (
                {"reserve": {"patches": "B", "join_at": -1}},
                "reserve.join_at",
                "-1 is outside 0..2",
            ),
            ({"reserve": {"patches": "B", "join_at": 3}}, "reserve.join_at", "3 is outside 0..2"),
            ({"patches": []}, "patches", "there is no patch"),
            ({"patches": {}}, "patches", "there is no patch"),
            (
                {"patches": [figure("A"), figure("h")]},
                "patches[1].letter",
                f"'h' is none of {LETTERS}",
            ),
            (
                {"patches": {"A": figure("A"), "É": figure("É")}},
                "patches.É.letter",
                f"'É' is none of {LETTERS}",
            ),
            ({"patches": [figure("A"), figure("A")]}, "patches[1].letter", "A is there twice"),
            ({"patches": {"A": figure("B")}}, "patches.A.letter", "'B' is not A"),
            (
                {
                    "patches": [
                        figure(x, income=y) for x, y in zip("ABC", (99, 99, 58), strict=True)
                    ]
                },
                "patches",
                "the income of all is 256, more than 255",
            ),
        ],
    )
    def test_refused(self, changes: Definition, where: str, fault: str) -> None:
        assert refusal(definition(**changes)) == (where, fault)

    @pytest.mark.parametrize(
        ("rows", "fault"),
        [
            ([], "the drawing covers no cell"),
            ("", "the drawing covers no cell"),
            (["", ""], "the drawing covers no cell"),
            (["..", ".."], "the drawing covers no cell"),
            (["x", "X"], "'X' is neither 'x' nor '.'"),
            (["10", "11"], "'0' is neither 'x' nor '.'"),
            (["xx", "x"], "the rows differ in length: 1 and 2"),
            (["xx", ""], "the rows differ in length: 0 and 2"),
            (["..", "xx"], "a row or column at the edge is empty"),
            (["xx", ".."], "a row or column at the edge is empty"),
            ([".x", ".x"], "a row or column at the edge is empty"),
            (["x.", "x."], "a row or column at the edge is empty"),
            (["xxxxxxx"], "1 x 7 is larger than 6 x 6"),
            (["x"] * 7, "7 x 1 is larger than 6 x 6"),
            (["xxxxx", "xxxxx", "xxx.."], "13 cells are more than 12"),
            (None, "None is no drawing: rows of 'x' and '.'"),
            (5, "5 is no drawing: rows of 'x' and '.'"),
            ([1], "a value of type list is no drawing: rows of 'x' and '.'"),
        ],
    )
    def test_drawings(self, rows: object, fault: str) -> None:
        assert refusal(definition(**one_patch(rows))) == ("patches[0].rows", fault)
        table = {"patches": {"K": figure("K", rows)}, "start_patch": "K"}
        assert refusal(definition(**table)) == ("patches.K.rows", fault)

    def test_drawings_fit_the_board(self) -> None:
        parts = definition(size=5, tile=None, **one_patch(["xxxxxx"]))
        assert refusal(parts) == ("patches[0].rows", "1 x 6 is larger than 5 x 5")

    @pytest.mark.parametrize("key", ["cost", "time", "income"])
    @pytest.mark.parametrize("number", [-1, 100])
    def test_printed_numbers(self, key: str, number: int) -> None:
        parts = definition(patches=[figure("A"), figure("B", **{key: number})])
        assert refusal(parts) == (f"patches[1].{key}", f"{number} is outside 0..99")

    @pytest.mark.parametrize(
        "name", ["", "A", "1st", "-a", "a b", "a~1", "é", "a" * 33, "a\n", "\ud800"], ids=ascii
    )
    def test_names(self, name: str) -> None:
        where, fault = refusal(definition(name=name))
        assert where == "name"
        assert fault.endswith(" is not 1 to 32 of a-z 0-9 _ - that begin with a letter")

    def test_an_empty_reserve_is_none(self) -> None:
        parts = definition(reserve={"patches": "", "join_at": 3})
        assert pw.Edition.from_dict(parts).reserve is None
        parts["reserve"]["join_at"] = 4
        assert refusal(parts) == ("reserve.join_at", "4 is outside 0..3")


class TestForm:
    """What is no definition at all."""

    @pytest.mark.parametrize("key", REQUIRED.split())
    def test_missing_keys(self, key: str) -> None:
        parts = definition()
        del parts[key]
        assert refusal(parts) == (key, "missing")

    @pytest.mark.parametrize(
        ("changes", "where"),
        [
            ({"tile": {"side": 7}}, "tile.points"),
            ({"reserve": {"patches": "B"}}, "reserve.join_at"),
            (
                {"patches": [{"letter": "A", "rows": ["x"], "cost": 1, "time": 1}]},
                "patches[0].income",
            ),
            ({"patches": [{"rows": ["x"]}]}, "patches[0].letter"),
            ({"patches": {"A": {"rows": "x"}}}, "patches.A.cost"),
        ],
    )
    def test_missing_keys_of_tables(self, changes: Definition, where: str) -> None:
        assert refusal(definition(**changes)) == (where, "missing")

    @pytest.mark.parametrize(
        ("changes", "where", "known"),
        [
            ({"colour": 1}, "colour", REQUIRED.replace(" ", ", ")),
            ({"a\n": 1}, "'a\\n'", REQUIRED.replace(" ", ", ")),
            ({"tile": {"side": 7, "points": 7, "value": 7}}, "tile.value", "side, points"),
            (
                {"reserve": {"patches": "B", "join_at": 0, "order": "B"}},
                "reserve.order",
                "patches, join_at",
            ),
            (one_patch(buttons=1), "patches[0].buttons", "letter, rows, cost, time, income"),
        ],
    )
    def test_unknown_keys(self, changes: Definition, where: str, known: str) -> None:
        assert refusal(definition(**changes)) == (where, f"unknown key; known are {known}")

    def test_keys_that_are_no_text(self) -> None:
        assert refusal(definition() | {5: 1})[0] == "5"  # type: ignore[arg-type]

    @pytest.mark.parametrize("value", [True, False, 7.0, "7", None, [7], {}], ids=repr)
    @pytest.mark.parametrize("key", ["size", "final", "start_buttons", "market"])
    def test_whole_numbers(self, key: str, value: object) -> None:
        where, fault = refusal(definition(**{key: value}))
        assert (where, fault[-19:]) == (key, " is no whole number")

    @pytest.mark.parametrize("value", [True, 1.5, "1", None], ids=repr)
    def test_whole_numbers_in_tables(self, value: object) -> None:
        fault = f"{value!r} is no whole number"
        assert refusal(definition(markers=[value])) == ("markers[0]", fault)
        assert refusal(definition(specials=[1, value])) == ("specials[1]", fault)
        assert refusal(definition(tile={"side": value, "points": 7})) == ("tile.side", fault)
        assert refusal(definition(**one_patch(cost=value))) == ("patches[0].cost", fault)

    @pytest.mark.parametrize(
        ("changes", "where", "fault"),
        [
            ({"name": 5}, "name", "5 is no text"),
            ({"markers": "5"}, "markers", "'5' is no list of spaces"),
            ({"specials": {}}, "specials", "a value of type dict is no list of spaces"),
            ({"tile": 7}, "tile", "7 is no table"),
            ({"tile": True}, "tile", "True is no table"),
            ({"start_patch": 1}, "start_patch", "1 is none of ABCD"),
            ({"start_patch": ["A"]}, "start_patch", "a value of type list is none of ABCD"),
            ({"reserve": "BC"}, "reserve", "'BC' is no table"),
            (
                {"reserve": {"patches": ["B"], "join_at": 0}},
                "reserve.patches",
                "a value of type list is no text of letters",
            ),
            ({"patches": "A"}, "patches", "'A' is neither a table nor a list"),
            ({"patches": None}, "patches", "None is neither a table nor a list"),
            ({"patches": ["A"]}, "patches[0]", "'A' is no table"),
            ({"patches": {"A": 5}}, "patches.A", "5 is no table"),
            (
                {"patches": [figure("A") | {"letter": 1}]},
                "patches[0].letter",
                f"1 is none of {LETTERS}",
            ),
        ],
        ids=repr,
    )
    def test_wrong_types(self, changes: Definition, where: str, fault: str) -> None:
        assert refusal(definition(**changes)) == (where, fault)

    @pytest.mark.parametrize("value", [None, 5, "classic", [("name", "x")]])
    def test_a_definition_is_a_mapping(self, value: Any) -> None:
        with pytest.raises(TypeError, match="a definition is a mapping"):
            pw.Edition.from_dict(value)

    @given(st.data())
    def test_whatever_stands_in_a_place_is_accepted_or_refused(self, data: st.DataObject) -> None:
        leaf = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
        value = st.recursive(leaf, lambda inner: st.lists(inner) | st.dictionaries(leaf, inner))
        whole = definition()
        part: Any = whole
        for step in data.draw(st.sampled_from([(), ("tile",), ("patches",), ("patches", 0)])):
            part = part[step]
        key = data.draw(st.sampled_from(list(part) if isinstance(part, dict) else [0, 1]))
        part[key] = data.draw(value)
        # An Edition would be remembered, and there is room for 1,024.
        with contextlib.suppress(pw.EditionError):
            assert checked(checked(whole)) == checked(whole)


class TestToml:
    @pytest.mark.parametrize(
        ("text", "where", "fault"),
        [
            ("size 9", "toml", "Expected '='"),
            ("size = ", "toml", "Invalid value"),
            ("size = 9\nsize = 9", "toml", "Cannot overwrite a value"),
            ("[patches.A]\n[patches.A]", "toml", "Cannot declare"),
            (f"size = {'9' * 5000}", "toml", "Exceeds the limit"),
            ("a = " + "[" * 100_000, "toml", ""),
            ("\0", "toml", "Invalid statement"),
            ("", "name", "missing"),
            ('name = "x"', "size", "missing"),
            ('name = "x"\ncolour = "red"\nbase = "classic"', "colour", "unknown key"),
            ('base = "classic"', "name", "missing"),
            ('base = "klassik"\nname = "x"', "base", "unknown edition 'klassik'"),
            ('base = "classic.toml"\nname = "x"', "base", "unknown edition"),
            ('base = 5\nname = "x"', "base", "5 is no name"),
            ('base = "classic"\nname = "Classic"', "name", "'Classic' is not"),
            ('base = "express"\nname = "classic"', "name", ""),
            ('base = "classic"\nname = "x"\nsize = 9.0', "size", "9.0 is no whole number"),
            ('base = "classic"\nname = "x"\nsize = 1979-05-27', "size", "a value of type date is"),
            ('base = "classic"\nname = "x"\nsize = nan', "size", "nan is no whole number"),
            ('base = "classic"\nname = "x"\nsize = 6', "tile.side", "7 is outside 1..6"),
            (
                'base = "classic"\nname = "x"\npatches.K.cost = 100',
                "patches.K.cost",
                "100 is outside",
            ),
            (
                'base = "classic"\nname = "x"\npatches.K.rows = "xy"',
                "patches.K.rows",
                "'y' is neither",
            ),
            (
                'base = "classic"\nname = "x"\npatches.K.letter = "L"',
                "patches.K.letter",
                "'L' is not K",
            ),
            ('base = "classic"\nname = "x"\npatches.i.cost = 1', "patches.i.rows", "missing"),
            ('base = "classic"\nname = "x"\npatches.h.cost = 1', "patches.h.rows", "missing"),
            ('base = "classic"\nname = "x"\npatches.A = false', "start_patch", "'A' is none of BC"),
            (
                'base = "classic"\nname = "x"\n[[patches]]\nletter = "A"',
                "patches[0].rows",
                "missing",
            ),
            ('base = "express"\nname = "x"\ntile.side = 5', "tile.points", "missing"),
            (
                'base = "express"\nname = "x"\npatches.W = false',
                "reserve.patches",
                "'W' is none of",
            ),
        ],
    )
    def test_faults(self, text: str, where: str, fault: str) -> None:
        with pytest.raises(pw.EditionError) as caught:
            pw.Edition.parse_toml(text)
        assert caught.value.where == where
        assert caught.value.fault.startswith(fault)

    def test_sources(self, tmp_path: Path) -> None:
        text = CLASSIC.replace(name=fresh_name(), market=2).to_toml()
        path = tmp_path / "house.toml"
        path.write_text(text, encoding="utf-8")
        expected = pw.Edition.parse_toml(text)
        assert pw.Edition.from_toml(path) == expected
        assert pw.Edition.from_toml(str(path)) == expected
        assert pw.Edition.from_toml(io.StringIO(text)) == expected
        assert pw.Edition.from_toml(io.BytesIO(text.encode())) == expected

    def test_files_that_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            pw.Edition.from_toml(tmp_path / "none.toml")

    def test_files_in_another_encoding(self) -> None:
        with pytest.raises(pw.EditionError, match=r"^toml: 'utf-8' codec can't decode"):
            pw.Edition.from_toml(io.BytesIO("# été".encode("latin-1")))


class TestOverrides:
    def test_a_base_and_what_differs(self) -> None:
        house = pw.Edition.parse_toml(f"""
            name = "{fresh_name()}"
            base = "classic"
            final = 60
            tile.points = 9
            patches.K.cost = 3
            patches.Q = false
            patches.i = {{ rows = "xx\\n.x", cost = 1, time = 2, income = 3 }}
        """)
        assert (house.final, house.markers) == (60, CLASSIC.markers)
        assert house.tile == pw.Tile(side=7, points=9)
        assert house.patches["K"] == Patch("K", (".x", "xx", ".x"), cost=3, time=2, income=0)
        assert house.patches["i"] == Patch("i", ("xx", ".x"), cost=1, time=2, income=3)
        assert house.patches.keys() ^ CLASSIC.patches.keys() == {"Q", "i"}
        assert house.patches["A"] == CLASSIC.patches["A"]

    def test_a_list_replaces_all_patches(self) -> None:
        house = CLASSIC.replace(name=fresh_name(), patches=[figure("B"), figure("A")])
        assert list(house.patches) == ["A", "B"]
        assert house.patches["B"].rows == ("x",)

    def test_false_takes_away(self) -> None:
        house = pw.Edition.parse_toml(f"""
            name = "{fresh_name()}"
            base = "express"
            reserve = false
            start_patch = false
        """)
        assert (house.reserve, house.start_patch, house.tile) == (None, None, None)

    def test_a_base_of_ones_own(self) -> None:
        first = CLASSIC.replace(name=fresh_name(), final=60)
        second = {"name": fresh_name(), "base": first.name, "market": 2}
        assert pw.Edition.from_dict(second).final == 60

    def test_values_in_the_place_of_plain_data(self) -> None:
        other = EXPRESS.patches["P"]
        house = CLASSIC.replace(
            name=fresh_name(), tile=pw.Tile(5, 3), reserve=pw.Reserve("PQ", 4), patches={"P": other}
        )
        assert (house.tile, house.reserve) == (pw.Tile(5, 3), pw.Reserve("PQ", 4))
        assert house.patches["P"] == other

    def test_all_patches_of_another_edition(self) -> None:
        parts = definition(patches=CLASSIC.patches)
        assert pw.Edition.from_dict(parts).patches == CLASSIC.patches

    def test_replacing_leaves_the_old_one(self) -> None:
        before = CLASSIC.to_dict()
        CLASSIC.replace(name=fresh_name(), patches={"A": {"cost": 9}})
        assert CLASSIC.to_dict() == before

    def test_replacing_the_base(self) -> None:
        with pytest.raises(TypeError, match="base"):
            CLASSIC.replace(name=fresh_name(), base="revised")

    def test_unknown_changes(self) -> None:
        with pytest.raises(pw.EditionError, match=r"^colour: unknown key"):
            CLASSIC.replace(name=fresh_name(), colour="red")


EVERY_PATCH = [*CLASSIC.patches.values(), *EXPRESS.patches.values()]


class TestPatch:
    def test_orientations_of_patch_a(self) -> None:
        shapes = "x./x./xx xxx/x.. xx/.x/.x ..x/xxx .x/.x/xx x../xxx xx/x./x. xxx/..x"
        patch = CLASSIC.patches["a"]
        assert ["/".join(patch.shape(o)) for o in range(8)] == shapes.split()
        assert patch.orientations == tuple(range(8))

    @pytest.mark.parametrize("orientation", range(8))
    def test_shapes(self, orientation: int) -> None:
        for patch in EVERY_PATCH:
            expected = oriented(cells_of(patch.rows), orientation)
            assert cells_of(patch.shape(orientation)) == expected
            assert patch.offsets(orientation) == tuple(sorted(expected))

    @pytest.mark.parametrize("orientation", range(8))
    def test_turning_and_flipping_as_the_patch_lies(self, orientation: int) -> None:
        for patch in EVERY_PATCH:
            lying = cells_of(patch.shape(orientation))
            assert cells_of(patch.shape(patch.turn(orientation))) == turned(lying)
            assert cells_of(patch.shape(patch.flip(orientation))) == mirrored(lying)

    @pytest.mark.parametrize("orientation", range(8))
    def test_four_turns_and_two_flips_lead_back(self, orientation: int) -> None:
        after = orientation
        for _ in range(4):
            after = Patch.turn(after)
        assert after == orientation == Patch.flip(Patch.flip(orientation))

    @pytest.mark.parametrize(
        ("letter", "orientations", "lowest"),
        [
            ("T", (0,), [0] * 8),
            ("A", (0, 1), [0, 1] * 4),
            ("L", (0, 1, 2, 3), [0, 1, 2, 3, 2, 3, 0, 1]),
            ("Z", (0, 1, 4, 5), [0, 1, 0, 1, 4, 5, 4, 5]),
            ("F", tuple(range(8)), list(range(8))),
        ],
    )
    def test_lowest(self, letter: str, orientations: tuple[int, ...], lowest: list[int]) -> None:
        patch = CLASSIC.patches[letter]
        assert patch.orientations == orientations
        assert [patch.lowest(orientation) for orientation in range(8)] == lowest

    @pytest.mark.parametrize("name", ["shape", "offsets", "lowest", "turn", "flip"])
    def test_orientations_outside(self, name: str) -> None:
        method = getattr(CLASSIC.patches["a"], name)
        for number in (-1, 8, 10**30):
            with pytest.raises(ValueError, match=r"an orientation is 0\.\.7"):
                method(number)
        for value in (True, 1.0, "1", None):
            with pytest.raises(TypeError):
                method(value)


class TestFindPatch:
    @pytest.mark.parametrize(
        ("properties", "letter"),
        [
            ({"cost": 0}, "H"),
            ({"cost": 10, "time": 4}, "c"),
            ({"cost": 10, "income": 2}, "W"),
            ({"rows": ["xxxxx"]}, "N"),
            ({"rows": ["x", "x", "x", "x", "x"]}, "N"),
            ({"rows": "x\nx"}, "A"),
            ({"rows": ["xx.", ".xx"], "cost": 3}, "E"),
            ({"rows": ["xx", "x."], "cost": 1, "time": 3, "income": 0}, "B"),
        ],
        ids=repr,
    )
    def test_found(self, properties: Definition, letter: str) -> None:
        assert CLASSIC.find_patch(**properties) == letter

    @pytest.mark.parametrize(
        ("properties", "fault"),
        [
            ({"cost": 2, "time": 1}, "A, R for cost 2, time 1"),
            ({"rows": ["xx", "x."]}, "B, C for rows ['xx', 'x.']"),
            ({"income": 4}, "no patch for income 4"),
            ({"rows": ["xx", "xx", "xx", "xx"]}, "no patch for rows ['xx', 'xx', 'xx', 'xx']"),
            ({"rows": "x.", "cost": 0}, "no patch for rows 'x.', cost 0"),
            ({}, ", ".join(LETTERS[:33]) + " for no property"),
        ],
        ids=repr,
    )
    def test_not_found(self, properties: Definition, fault: str) -> None:
        with pytest.raises(pw.EditionError) as caught:
            CLASSIC.find_patch(**properties)
        assert (caught.value.where, caught.value.fault) == ("patches", fault)


def name_of(row: int, column: int) -> str:
    return f"{'abcdefghi'[column]}{row + 1}"


class TestMoveFromCells:
    def test_every_placement_of_every_patch(self) -> None:
        for patch in CLASSIC.patches.values():
            for orientation, row, column in itertools.product(range(8), range(9), range(9)):
                shape = oriented(cells_of(patch.rows), orientation)
                cells = [(row + i, column + j) for i, j in shape]
                if all(i < 9 and j < 9 for i, j in cells):
                    move = CLASSIC.move_from_cells(patch.letter, cells)
                    lowest = patch.lowest(orientation)
                    assert str(move) == f"{patch.letter}{lowest}@{name_of(row, column)}"

    @pytest.mark.parametrize(
        "cells",
        [
            ["h1", "i1", "i2", "i3", "h4", "i4"],
            ["i4", "h1", "i2", "i1", "h4", "i3"],
            [7, 8, 17, 26, 34, 35],
            [(0, 7), (0, 8), (1, 8), (2, 8), (3, 7), (3, 8)],
            [[0, 7], "i1", 17, (2, 8), "h4", 35],
        ],
        ids=repr,
    )
    def test_ways_to_name_cells(self, cells: list[Any]) -> None:
        assert CLASSIC.move_from_cells("L", cells) == pw.Move.parse("L0@h1")
        assert CLASSIC.move_from_cells("L", iter(cells)) == pw.Move.parse("L0@h1")

    def test_the_special_patch(self) -> None:
        assert CLASSIC.move_from_cells("h", ["e5"]) == pw.Move.parse("h@e5")

    def test_small_boards_use_the_top_left_part(self) -> None:
        assert str(EXPRESS.move_from_cells("O", [54, 55, 56, 57, 58])) == "O0@a7"
        with pytest.raises(pw.NotationError, match=r"^no cell of a board of 7 x 7"):
            EXPRESS.move_from_cells("O", ["a8"])

    @pytest.mark.parametrize(
        ("patch", "cells", "text", "fault"),
        [
            ("A", ["a1"], "a1", "no placement of patch A"),
            ("A", [], "", "no placement of patch A"),
            ("A", ["a1", "a1"], "a1 a1", "no placement of patch A"),
            ("A", ["b2", "a1"], "a1 b2", "no placement of patch A"),
            ("A", ["a1", "a2", "a3"], "a1 a2 a3", "no placement of patch A"),
            ("N", [6, 7, 8, 9, 10], "g1 h1 i1 a2 b2", "no placement of patch N"),
            ("h", ["a1", "a2"], "a1 a2", "no placement of patch h"),
            ("i", ["a1"], "i", "no patch of classic"),
            ("", ["a1"], "", "no patch of classic"),
            ("A", ["a0"], "a0", "no cell of a board of 9 x 9"),
            ("A", ["A1"], "A1", "no cell of a board of 9 x 9"),
            ("A", ["a12"], "a12", "no cell of a board of 9 x 9"),
            ("A", [""], "", "no cell of a board of 9 x 9"),
            ("A", "a1 a2", "a", "no cell of a board of 9 x 9"),
            ("A", [81], "81", "no cell of a board of 9 x 9"),
            ("A", [-1], "-1", "no cell of a board of 9 x 9"),
            ("A", [10**5000], "an integer of 16610 bits", "no cell of a board of 9 x 9"),
            ("A", [(0, 9)], "(0, 9)", "no cell of a board of 9 x 9"),
            ("A", [(-1, 0)], "(-1, 0)", "no cell of a board of 9 x 9"),
            ("A", [(0, 0, 0)], "(0, 0, 0)", "no cell of a board of 9 x 9"),
        ],
    )
    def test_faults(self, patch: str, cells: Any, text: str, fault: str) -> None:
        with pytest.raises(pw.NotationError) as caught:
            CLASSIC.move_from_cells(patch, cells)
        assert (caught.value.text, caught.value.position, caught.value.fault) == (text, 0, fault)

    @pytest.mark.parametrize("cell", [True, 1.0, None, (0, True), (0, "1")], ids=repr)
    def test_wrong_types(self, cell: Any) -> None:
        with pytest.raises(TypeError):
            CLASSIC.move_from_cells("A", [cell])
