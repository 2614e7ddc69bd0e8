"""Setups: an edition, the order of its patches, and who starts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

from patchwork import _core
from patchwork._definition import shown
from patchwork.edition import Edition
from patchwork.edition import edition as find_edition
from patchwork.errors import SetupError
from patchwork.patch import whole

__all__ = ["Setup"]


@dataclass(frozen=True, slots=True, repr=False)
class Setup:
    """All that is decided before the first move; immutable, compared by value.

    As text it is the line, and for an edition with a reserve ``line+reserve``. Every patch of the
    edition is there exactly once (R05).

    :raises SetupError: if a patch is missing, unknown, misplaced or repeated, or if
        there is no such player. All ways to make a setup do.
    """

    edition: Edition
    line: str
    """The letters of the patches in line, clockwise from the neutral token."""
    reserve: str = ""
    """The letters of the patches that join later, in the order in which they will (R45)."""
    start_player: int = 0
    """Who begins, 0 or 1 (R06)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "edition", find_edition(self.edition))
        _check_letters(self.edition, self.line, self.reserve, "line")
        _check_player(self.start_player)

    @classmethod
    def random(
        cls,
        seed: SupportsIndex | None = None,
        edition: str | Edition = "classic",
        start_player: int = 0,
    ) -> Setup:
        """Return a random setup, the same for a seed on every platform.

        The letters of the line but the start patch, in the order A-Z a-z, are shuffled with
        ``Random(seed)``: for i from the last place down to 1, the letters at the places i and
        ``below(i + 1)`` change places. The start patch comes last. The letters of the reserve are
        shuffled likewise by the numbers that follow. Without a seed the operating system gives
        one.

        :raises SetupError: also if the seed is not in 0..2**64-1.

        >>> Setup.random(seed=7) == Setup.random(seed=7), Setup.random(seed=7).line[-1]
        (True, 'A')
        """
        played = find_edition(edition)
        random = _core.Random(_seed(seed))
        start = played.start_patch or ""
        line = _shuffled(_line_letters(played).replace(start, ""), random) + start
        return cls(played, line, _shuffled(_reserve_letters(played), random), start_player)

    @classmethod
    def from_line(
        cls, letters: str, edition: str | Edition = "classic", start_player: int = 0
    ) -> Setup:
        """Return the setup whose line, clockwise from the neutral token, is given.

        ``letters`` is ``line`` or ``line+reserve``. The start patch may stand anywhere.

        >>> setup = Setup.from_line("KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA", start_player=1)
        >>> setup.start().to_move
        1
        """
        played = find_edition(edition)
        line, reserve = _split(letters, played)
        return cls(played, line, reserve, start_player)

    @classmethod
    def from_circle(
        cls, letters: str, edition: str | Edition = "classic", start_player: int = 0
    ) -> Setup:
        """Return the setup of a circle, which is read clockwise from any patch.

        ``letters`` is ``circle`` or ``circle+reserve``. The neutral token goes behind the start
        patch, which becomes the last in line (R05).

        :raises SetupError: also if the edition has no start patch.

        >>> Setup.from_circle("cegAKdfBCDEFGHIJLMNOPQRSTUVWXYZab").line
        'KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA'
        """
        played = find_edition(edition)
        if played.start_patch is None:
            raise SetupError("circle", f"the edition {played.name} has no start patch")
        circle, reserve = _split(letters, played)
        _check_letters(played, circle, reserve, "circle")
        before, start, after = circle.partition(played.start_patch)
        return cls(played, after + before + start, reserve, start_player)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Setup:
        """Return the setup that :meth:`to_dict` made plain.

        :raises SetupError: also if a key is missing, unknown, or has a value of the wrong type.
        :raises EditionError: if the edition is unknown or its definition refused.
        """
        _check_keys(data)
        return cls.from_line(data["line"], data["edition"], data["start_player"])

    def to_dict(self) -> dict[str, Any]:
        """Return the setup as plain JSON values, as records store it.

        An edition that isn't shipped is there with its whole definition.
        """
        return {
            "edition": self.edition.reference,
            "line": str(self),
            "start_player": self.start_player,
        }

    @property
    def circle(self) -> str:
        """The ring of patches, read clockwise from the patch in front of the neutral token."""
        return self.line

    def start(self) -> _core.State:
        """Return the first state of the game."""
        return _core.start_state(self.edition._index, self.line, self.reserve, self.start_player)

    def with_start_player(self, player: int) -> Setup:
        """Return the same setup with this player, 0 or 1, to begin."""
        return replace(self, start_player=player)

    def __str__(self) -> str:
        return f"{self.line}+{self.reserve}" if self.reserve else self.line

    def __repr__(self) -> str:
        return (
            f"patchwork.Setup.from_line({str(self)!r}, edition={self.edition.name!r}, "
            f"start_player={self.start_player})"
        )


def _line_letters(edition: Edition) -> str:
    later = _reserve_letters(edition)
    return "".join(letter for letter in edition.patches if letter not in later)


def _reserve_letters(edition: Edition) -> str:
    return edition.reserve.patches if edition.reserve else ""


def _shuffled(letters: str, random: _core.Random) -> str:
    order = list(letters)
    for i in range(len(order) - 1, 0, -1):
        k = random.below(i + 1)
        order[i], order[k] = order[k], order[i]
    return "".join(order)


def _seed(seed: SupportsIndex | None) -> int:
    if seed is None:
        return int.from_bytes(os.urandom(8), "little")
    number = whole(seed)
    if number >> 64:
        raise SetupError("seed", "a seed is in 0..2**64-1")
    return number


# Checks


_KEYS = {"edition": (str, dict), "line": (str,), "start_player": (int,)}
"""The keys of a setup as plain data, with the types of their values."""


def _check_keys(data: Mapping[str, Any]) -> None:
    for key in _KEYS | dict(data):
        if key not in data:
            raise SetupError(key, "missing")
        if key not in _KEYS:
            raise SetupError(str(key), f"unknown key; known are {', '.join(_KEYS)}")
        if type(data[key]) not in _KEYS[key]:
            raise SetupError(key, f"a value of type {type(data[key]).__name__}")


def _split(letters: str, edition: Edition) -> tuple[str, str]:
    """Return line and reserve of a text, with a plus between them if there is a reserve."""
    _check_text(letters)
    line, plus, reserve = letters.partition("+")
    if plus and edition.reserve is None:
        raise SetupError("reserve", f"the edition {edition.name} has none")
    return line, reserve


def _check_letters(edition: Edition, line: str, reserve: str, where: str) -> None:
    for place, letters, expected in (
        (where, line, _line_letters(edition)),
        ("reserve", reserve, _reserve_letters(edition)),
    ):
        _check_text(letters)
        faults = list(_faults(letters, expected, edition))
        if faults:
            raise SetupError(place, ", ".join(faults))


def _check_text(letters: str) -> None:
    if not isinstance(letters, str):
        raise TypeError(f"letters are a str, not {type(letters).__name__}")


def _faults(letters: str, expected: str, edition: Edition) -> Iterator[str]:
    counts = Counter(letters)
    strangers = counts.keys() - set(expected)
    groups = {
        "missing": [letter for letter in expected if letter not in counts],
        "repeated": [letter for letter, count in counts.items() if count > 1],
        "unknown": sorted(strangers - edition.patches.keys()),
        "misplaced": [letter for letter in edition.patches if letter in strangers],
    }
    return (f"{fault} {_quoted(group)}" for fault, group in groups.items() if group)


def _quoted(letters: Sequence[str]) -> str:
    return repr("".join(letters[:60]))


def _check_player(player: int) -> None:
    if not isinstance(player, int) or isinstance(player, bool):
        raise TypeError(f"a player is an int, not {type(player).__name__}")
    if player not in (0, 1):
        raise SetupError("start_player", f"{shown(player)} is neither 0 nor 1")
