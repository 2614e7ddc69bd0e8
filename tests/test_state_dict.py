"""Views that change while they are read, and other values that JSON does not have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from patchwork import Setup, State, StateError

START = Setup.from_line("KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA").start()


class Meddler:
    """An integer that does something when it is asked for its value."""

    def __init__(self, value: int, deed: Callable[[], object]) -> None:
        self.value, self.deed = value, deed

    def __index__(self) -> int:
        self.deed()
        return self.value


class MeddlingKey(str):
    """A key that does something when it is compared."""

    __slots__ = ("deed",)
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        self.deed()
        return str.__eq__(self, other)


class Boaster(list[Any]):
    """A list that claims to have two items."""

    def __len__(self) -> int:
        return 2


@pytest.mark.parametrize("emptied", ["view", "players", "first", "second"])
@pytest.mark.parametrize(("field", "value"), [("position", 0), ("buttons", 5), ("income", 0)])
def test_a_number_that_empties_the_view(emptied: str, field: str, value: int) -> None:
    view: Any = START.to_dict()
    first, second = players = view["players"]
    parts = {"view": view, "players": players, "first": first, "second": second}
    first[field] = Meddler(value, parts[emptied].clear)
    assert State.from_dict(view) == START
    assert not parts[emptied]


def test_a_key_that_empties_the_players() -> None:
    view: Any = START.to_dict()
    players, second = view["players"], view["players"][1]
    key = MeddlingKey("income")
    key.deed = players.clear
    second[key] = second.pop("income")
    assert State.from_dict(view) == START
    assert players == []


def test_lists_that_are_not_as_long_as_they_say() -> None:
    with pytest.raises(StateError) as caught:
        State.from_dict(START.to_dict() | {"players": Boaster()})
    assert caught.value.field == "players"
    for name in ("quilts", "positions", "buttons", "incomes"):
        with pytest.raises(StateError) as caught:
            START.replace(**{name: Boaster([0])})
        assert caught.value.field == name


KEYS = [10**5000, None, (1, 2), b"line", "x" * 1_000_000, "\ud800"]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: type(key).__name__)
@pytest.mark.parametrize("where", ["state", "players[1]"])
def test_keys_that_no_view_has(key: object, where: str) -> None:
    view: Any = START.to_dict()
    target = view if where == "state" else view["players"][1]
    target[key] = 1
    with pytest.raises(StateError, match="unknown key") as caught:
        State.from_dict(view)
    assert caught.value.field == where
    assert len(str(caught.value)) < 200


def test_a_default_is_no_value() -> None:
    view: Any = defaultdict(int, START.to_dict())
    del view["specials_waiting"]
    with pytest.raises(StateError, match="is missing") as caught:
        State.from_dict(view)
    assert caught.value.field == "specials_waiting"
    assert "specials_waiting" not in view


def test_an_error_of_a_value_comes_through() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    view: Any = START.to_dict() | {"specials_waiting": Meddler(0, fail)}
    with pytest.raises(ZeroDivisionError):
        State.from_dict(view)
