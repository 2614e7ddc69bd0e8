"""Two editions of one name are never mixed, whatever a state travels by between processes."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from spawned import in_new_process

import patchwork as pw
from patchwork import EditionError, Game, Setup

CLASSIC = pw.edition("classic").to_dict()
HOUSE: dict[str, Any] = CLASSIC | {"name": "house", "final": 54}
OTHER: dict[str, Any] = CLASSIC | {"name": "house", "final": 55}
UNRELATED: dict[str, Any] = CLASSIC | {"name": "unrelated", "final": 56}

SETUP = Setup.random(7, pw.Edition.from_dict(HOUSE))
STATE = SETUP.start().after("pass")
GAME = Game(SETUP)
GAME.play("pass")

WRITTEN: dict[str, Callable[[], object]] = {
    "text": lambda: str(STATE),
    "bytes": lambda: bytes(STATE),
    "dict": lambda: STATE.to_dict(),
    "game": lambda: str(GAME),
    "pickle": lambda: pickle.dumps(STATE),
    "quilt pickle": lambda: pickle.dumps(STATE.players[0].quilt),
    "player pickle": lambda: pickle.dumps(STATE.players[0]),
    "moves pickle": lambda: pickle.dumps(STATE.legal_moves),
    "edition pickle": lambda: pickle.dumps(STATE.edition),
    "setup pickle": lambda: pickle.dumps(SETUP),
    "setup": lambda: SETUP.to_dict(),
    "record": lambda: str(GAME.to_record()),
}
"""How a state leaves the process, by name."""
WITH_DEFINITION = [name for name in WRITTEN if "pickle" in name or name in ("setup", "record")]
"""What carries the definition, and can be read where nobody has heard of the edition."""

READER = """
import pickle, sys
import patchwork as pw
from patchwork.records import Record

known, name, given = pickle.load(sys.stdin.buffer)
for definition in known:
    pw.Edition.from_dict(definition)
read = {
    "text": pw.State.parse,
    "bytes": pw.State.from_bytes,
    "dict": pw.State.from_dict,
    "game": lambda text: pw.Game.parse(text).state,
    "setup": lambda data: pw.Setup.from_dict(data).start().after("pass"),
    "record": lambda text: Record.parse(text).replay().state,
}.get(name, pickle.loads)
try:
    value = read(given)
except pw.PatchworkError as error:
    print(type(error).__name__)
else:
    edition = value if isinstance(value, pw.Edition) else getattr(value, "edition", None)
    print("read", edition.final if edition else "-", getattr(value, "key", "-"))
"""


def read_elsewhere(name: str, *known: dict[str, Any]) -> str:
    """What another process that has registered these editions says of a value."""
    return in_new_process(READER, pickle.dumps((known, name, WRITTEN[name]())))


def is_read(answer: str) -> bool:
    """Whether it was read, as one of the edition with 54 spaces where an edition is to be seen."""
    word, *rest = answer.split(" ")
    return word == "read" and rest[0] in ("54", "-") and rest[1] in (str(STATE.key), "-")


ERRORS = {
    "text": "NotationError",
    "bytes": "BytesError",
    "dict": "StateError",
    "game": "NotationError",
    "record": "RecordError",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_the_same_edition_at_another_place_of_the_registry(name: str) -> None:
    assert is_read(read_elsewhere(name, UNRELATED, HOUSE))


@pytest.mark.parametrize("name", WRITTEN)
def test_another_content_under_the_name_is_refused(name: str) -> None:
    assert read_elsewhere(name, OTHER) == ERRORS.get(name, "EditionError")


@pytest.mark.parametrize("name", WITH_DEFINITION)
def test_an_unknown_edition_comes_along(name: str) -> None:
    assert is_read(read_elsewhere(name))


@pytest.mark.parametrize("name", [name for name in WRITTEN if name not in WITH_DEFINITION])
def test_an_unknown_edition_is_refused(name: str) -> None:
    assert read_elsewhere(name) == ERRORS[name]


def test_a_name_has_one_content_in_a_process() -> None:
    with pytest.raises(EditionError) as caught:
        pw.Edition.from_dict(OTHER)
    assert caught.value.where == "name"
    assert pw.edition("house").final == 54
    assert pw.Edition.from_dict(HOUSE) == STATE.edition


@pytest.mark.parametrize("name", ["classic", "revised", "anniversary", "express"])
def test_the_name_of_a_shipped_edition_is_taken(name: str) -> None:
    """Even where it has not been loaded yet."""
    code = f"""
import patchwork as pw
try:
    pw.Edition.from_dict({HOUSE | {"name": name}!r})
except pw.EditionError as error:
    print(error.where, pw.edition({name!r}).final)
"""
    assert in_new_process(code) == f"name {29 if name == 'express' else 53}"


def test_names_alone_keep_states_apart() -> None:
    """Revised and anniversary differ in nothing but their names."""
    revised = Setup.random(7, "revised").start()
    anniversary = Setup.random(7, "anniversary").start()
    assert revised != anniversary
    assert revised.key != anniversary.key
    assert pw.State.from_bytes(bytes(revised)).edition.name == "revised"
    assert pw.State.from_bytes(bytes(anniversary)).edition.name == "anniversary"
    assert revised.players[0].quilt != anniversary.players[0].quilt
    with pytest.raises(pw.StateError):
        revised.replace(quilts=(anniversary.players[0].quilt, revised.players[1].quilt))


def test_a_digest_belongs_to_its_name() -> None:
    for wrong in ("house~00000000", "house", STATE.edition.tag.upper(), STATE.edition.tag + "0"):
        with pytest.raises(pw.NotationError):
            pw.State.parse(str(STATE).replace(STATE.edition.tag, wrong))
    with pytest.raises(pw.NotationError):
        pw.State.parse(str(Setup.random(7).start()).replace("classic", "classic~62e59474"))


def test_a_record_that_contradicts_itself_is_refused() -> None:
    """Its state names an edition of another content than the definition that it carries."""
    code = """
import json, sys
from patchwork import RecordError
from patchwork.records import Record

try:
    Record.parse(sys.stdin.read())
except RecordError as error:
    print(error.where)
"""
    record = json.loads(str(Game(STATE).to_record()))
    assert in_new_process(code, json.dumps(record | {"edition": OTHER}).encode()) == "start"
