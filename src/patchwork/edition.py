"""Editions: the board, the track and the patches that a game is played with.

Four come with the package and are loaded when they are first asked for; others are made from TOML,
from plain data or by changing one. Each is checked against the limits of R44 and registered with
the engine, which keeps it until the process ends.
"""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import IO, Any

from patchwork import _core
from patchwork._definition import checked, overlaid, shown
from patchwork.errors import EditionError, NotationError
from patchwork.patch import SPECIAL, Patch, whole

__all__ = ["Edition", "Patch", "Reserve", "Tile", "edition"]

SHIPPED = {
    "anniversary": 0x37BCC1AD49D0802D,
    "classic": 0x62E5947485895E53,
    "express": 0x8AE7D3DD44EFB44B,
    "revised": 0x27C481C0836E16A8,
}
"""The digests of the shipped editions. They are part of saved games and must never change."""

_FOLDER = os.path.join(os.path.dirname(__file__), "editions")

Cell = str | int | tuple[int, int] | list[int]
"""A cell of a quilt: its name, its index 0..80, or its row and column."""


@dataclass(frozen=True, slots=True)
class Tile:
    """The special tile for the first fully covered square (R37)."""

    side: int
    """The cells a side of the square."""
    points: int
    """What it is worth in the end."""


@dataclass(frozen=True, slots=True)
class Reserve:
    """Patches that join the line late (R45)."""

    patches: str
    """Their letters, rising."""
    join_at: int
    """They join as soon as the line holds at most this many patches."""


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Edition:
    """What a game is played with; immutable, compared by content.

    Get one from :func:`edition`, :meth:`from_toml`, :meth:`parse_toml`, :meth:`from_dict` or
    :meth:`replace`.

    A definition, in TOML or as plain data, has these keys: ``name``, ``size``, ``final``,
    ``markers``, ``specials``, ``start_buttons``, ``market``, ``tile`` (``side``, ``points``),
    ``start_patch``, ``reserve`` (``patches``, ``join_at``) and ``patches``. No tile, start patch
    or reserve is None, or ``false`` in TOML, which has no null.

    ``patches`` is a table by letter, or a list of tables that have a ``letter``. Each patch has
    ``rows`` (a list, or a text with one row a line), ``cost``, ``time`` and ``income``.

    With ``base``, the name of another edition, a definition needs only its own name and what
    differs. Tables are laid over those of the base, key by key, and ``false`` in the place of a
    patch takes it away; a list replaces the whole::

        name = "house"
        base = "classic"
        final = 60
        tile.points = 9
        patches.K.cost = 3
        patches.Q = false
    """

    name: str
    """1 to 32 of ``a-z 0-9 _ -``, beginning with a letter."""
    size: int
    """The cells a side of a quilt."""
    final: int
    """The last space of the track; the first is 0."""
    markers: tuple[int, ...]
    """The spaces of the income markers (R30), rising."""
    specials: tuple[int, ...]
    """The spaces of the special patches (R32), rising."""
    start_buttons: int
    """What each player begins with."""
    market: int
    """The number of patches on offer at a time (R21)."""
    tile: Tile | None
    """The special tile, if there is one."""
    start_patch: str | None
    """The letter of the patch behind the neutral token at the start, if that is fixed (R05)."""
    reserve: Reserve | None
    """The patches that join later, if there are any."""
    patches: Mapping[str, Patch]
    """All patches by letter, A-Z before a-z, those of the reserve included; read-only."""
    digest: int
    """64 bits that stand for name and content: BLAKE2b, read as little-endian, over the JSON of
    :meth:`to_dict` in ASCII, with sorted keys and without spaces."""

    def __init__(self, definition: Mapping[str, Any]) -> None:
        parts = checked(_complete(definition))
        digest = _digest(parts)
        if SHIPPED.get(parts["name"], digest) != digest:
            raise EditionError("name", f"the shipped {parts['name']} has another content")
        for name, value in (_values(parts) | {"digest": digest}).items():
            object.__setattr__(self, name, value)
        _core.register(self)
        _names.add(self.name)

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str] | IO[bytes] | IO[str]) -> Edition:
        """Read a definition from a TOML file, given by its path or open for reading.

        :raises EditionError: as :meth:`parse_toml`.
        :raises OSError: if the file cannot be read.
        """
        if isinstance(source, str | os.PathLike):
            with open(source, "rb") as file:
                return cls.from_toml(file)
        content = source.read()
        return cls.parse_toml(content if isinstance(content, str) else _decoded(content))

    @classmethod
    def parse_toml(cls, text: str) -> Edition:
        """Read a definition from the text of a TOML file.

        :raises EditionError: at ``toml`` if it is no TOML, else as :meth:`from_dict`.

        >>> house = Edition.parse_toml('''
        ... name = "long"
        ... base = "classic"
        ... final = 60
        ... ''')
        >>> house.final, house.markers == edition("classic").markers
        (60, True)
        """
        import tomllib

        if not isinstance(text, str):
            raise TypeError(f"the text of an edition is a str, not {type(text).__name__}")
        try:
            definition = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # also too many digits, too deep a nesting
            raise EditionError("toml", str(error)) from None
        return cls.from_dict(definition)

    @classmethod
    def from_dict(cls, definition: Mapping[str, Any]) -> Edition:
        """Make an edition from a definition as plain data.

        :raises EditionError: if the definition is malformed or outside the limits of R44, if its
            name belongs to another content, or if the process has 1,024 editions already.
        """
        return cls(definition)

    def replace(self, *, name: str, **changes: Any) -> Edition:
        """Return a variant under a name of its own; changes work as over a ``base``.

        :raises EditionError: as :meth:`from_dict`.

        >>> tough = edition("classic").replace(name="tough", tile=None, patches={"N": {"cost": 9}})
        >>> tough.tile, tough.patches["N"].cost, tough.patches["N"].income
        (None, 9, 1)
        """
        return Edition.from_dict(dict(base=self, name=name, **changes))

    def to_dict(self) -> dict[str, Any]:
        """Return the canonical definition: all keys, patches as a list in the order of letters."""
        return {
            "name": self.name,
            "size": self.size,
            "final": self.final,
            "markers": list(self.markers),
            "specials": list(self.specials),
            "start_buttons": self.start_buttons,
            "market": self.market,
            "tile": self.tile and asdict(self.tile),
            "start_patch": self.start_patch,
            "reserve": self.reserve and asdict(self.reserve),
            "patches": [asdict(p) | {"rows": list(p.rows)} for p in self.patches.values()],
        }

    def to_toml(self) -> str:
        """Return the whole definition as TOML, without a base, for :meth:`parse_toml`."""
        parts = self.to_dict()
        patches = parts.pop("patches")
        lines = [f"{key} = {_toml(value)}" for key, value in parts.items()]
        return "\n".join([*lines, *map(_toml_patch, patches), ""])

    @property
    def is_shipped(self) -> bool:
        """Whether the edition comes with the package, so that its name alone identifies it."""
        return self.name in SHIPPED

    @property
    def tag(self) -> str:
        """What stands for the edition in texts of states: ``name`` or ``name~8hex``.

        The eight digits are the first of :attr:`digest`, written as 16 hexadecimal digits.
        """
        return self.name if self.is_shipped else f"{self.name}~{self.digest:016x}"[:-8]

    @property
    def reference(self) -> str | dict[str, Any]:
        """What a record stores of the edition and :func:`edition` reads: name or definition."""
        return self.name if self.is_shipped else self.to_dict()

    @property
    def _index(self) -> int:
        """The place of its table in this process."""
        # Not stored: another thread may find the edition as soon as it is registered.
        return _core.register(self)

    def find_patch(
        self,
        rows: str | Sequence[str] | None = None,
        cost: int | None = None,
        time: int | None = None,
        income: int | None = None,
    ) -> str:
        """Return the letter of the only patch that has all of the given properties.

        ``rows`` is the drawing in any orientation.

        :raises EditionError: if no patch has them, or several, which it names.

        >>> edition("classic").find_patch(rows=["xxx", "x.."], cost=4, time=6)
        'S'
        """
        wanted = {"rows": rows, "cost": cost, "time": time, "income": income}
        wanted = {key: value for key, value in wanted.items() if value is not None}
        found = [letter for letter, patch in self.patches.items() if _matches(patch, wanted)]
        if len(found) != 1:
            properties = ", ".join(f"{key} {_shown(value)}" for key, value in wanted.items())
            fault = f"{', '.join(found) or 'no patch'} for {properties or 'no property'}"
            raise EditionError("patches", fault)
        return found[0]

    def move_from_cells(self, patch: str, cells: Iterable[Cell]) -> _core.Move:
        """Return the move that covers these cells, whatever the conventions of a log.

        :param patch: the letter of the patch, ``h`` for the special patch.
        :param cells: names such as ``"h1"``, indices (row x 9 + column), or (row, column) pairs,
            in any order.
        :raises NotationError: if there is no such patch or cell, or the patch cannot cover them.

        >>> str(edition("classic").move_from_cells("L", ["h1", "i1", "i2", "i3", "h4", "i4"]))
        'L0@h1'
        """
        figure = SPECIAL if patch == "h" else self.patches.get(patch)
        if figure is None:
            if not isinstance(patch, str):
                raise TypeError(f"a patch is a letter, not {type(patch).__name__}")
            raise NotationError(patch, 0, f"no patch of {self.name}")
        places = sorted(_place(cell, self.size) for cell in cells)
        top = min((row for row, _ in places), default=0)
        left = min((column for _, column in places), default=0)
        offsets = tuple((row - top, column - left) for row, column in places)
        for orientation in figure.orientations:
            if figure.offsets(orientation) == offsets:
                return _core.Move(patch, orientation, _cell_name(top, left))
        names = " ".join(_cell_name(row, column) for row, column in places)
        raise NotationError(names, 0, f"no placement of patch {patch}")

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Edition) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"patchwork.edition({self.name!r})"

    def __reduce__(self) -> tuple[Callable[..., Edition], tuple[str | dict[str, Any]]]:
        return edition, (self.reference,)


def edition(source: str | Edition | Mapping[str, Any]) -> Edition:
    """Return the edition of a name: one that is shipped, or that was made in this process.

    An edition is returned as it is, and a definition as by :meth:`Edition.from_dict`, so that
    whatever stands for an edition can be given.

    :raises EditionError: if the name is unknown.

    >>> edition("classic").size
    9
    """
    if isinstance(source, Edition):
        return source
    if isinstance(source, Mapping):
        return Edition.from_dict(source)
    if not isinstance(source, str):
        raise TypeError(f"an edition's name is a str, not {type(source).__name__}")
    return _named(source, "name")


_names = set(SHIPPED)
"""Those of all editions that can be asked for by name."""


def _named(name: str, where: str) -> Edition:
    found = _core.find_edition(name)
    if found is not None:
        return found
    if name in SHIPPED:
        return Edition.from_toml(f"{_FOLDER}/{name}.toml")
    known = ", ".join(sorted(_names))
    raise EditionError(where, f"unknown edition {shown(name)}; known are {known}")


# From definitions to values and back


def _complete(definition: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a definition laid over its base, if it has one."""
    if not isinstance(definition, Mapping):
        raise TypeError(f"a definition is a mapping, not {type(definition).__name__}")
    if "base" not in definition:
        return definition
    changes = dict(definition)
    parts = _base(changes.pop("base")).to_dict()
    del parts["name"]
    parts["patches"] = {patch["letter"]: patch for patch in parts["patches"]}
    return overlaid(parts, changes)


def _base(source: object) -> Edition:
    if isinstance(source, Edition):
        return source
    if not isinstance(source, str):
        raise EditionError("base", f"{shown(source)} is no name")
    return _named(source, "base")


def _values(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of the edition with a canonical definition."""
    patches = [Patch(**entry | {"rows": tuple(entry["rows"])}) for entry in parts["patches"]]
    return {
        **parts,
        "markers": tuple(parts["markers"]),
        "specials": tuple(parts["specials"]),
        "tile": parts["tile"] and Tile(**parts["tile"]),
        "reserve": parts["reserve"] and Reserve(**parts["reserve"]),
        "patches": MappingProxyType({patch.letter: patch for patch in patches}),
    }


def _digest(parts: Mapping[str, Any]) -> int:
    import json
    from hashlib import blake2b

    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return int.from_bytes(blake2b(text.encode("ascii"), digest_size=8).digest(), "little")


def _decoded(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise EditionError("toml", str(error)) from None


def _toml(value: object) -> str:
    """Return a value of a canonical definition, whose texts need no escapes, as TOML."""
    if value is None:
        return "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _toml_patch(patch: Mapping[str, Any]) -> str:
    rows = "\n".join(patch["rows"])
    numbers = "".join(f"{key} = {patch[key]}\n" for key in ("cost", "time", "income"))
    return f'\n[patches.{patch["letter"]}]\n{numbers}rows = """\n{rows}\n"""'


# Patches and cells


def _matches(patch: Patch, wanted: Mapping[str, Any]) -> bool:
    return all(
        patch.looks_like(value) if key == "rows" else getattr(patch, key) == value
        for key, value in wanted.items()
    )


def _shown(value: object) -> str:
    return shown(value) if isinstance(value, int) else reprlib.repr(value)


def _place(cell: Cell, size: int) -> tuple[int, int]:
    """Return row and column of a cell given in any way."""
    row, column = _row_and_column(cell)
    if row in range(size) and column in range(size):
        return row, column
    raise NotationError(_cell_text(cell), 0, f"no cell of a board of {size} x {size}")


def _row_and_column(cell: Cell) -> tuple[int, int]:
    if isinstance(cell, str):
        return _CELLS.get(cell, _NOWHERE)
    if isinstance(cell, tuple | list):
        return (whole(cell[0]), whole(cell[1])) if len(cell) == 2 else _NOWHERE
    return divmod(whole(cell), 9)


def _cell_text(cell: Cell) -> str:
    if isinstance(cell, tuple | list):
        return f"({', '.join(map(shown, cell))})"
    return cell if isinstance(cell, str) else shown(cell)


def _cell_name(row: int, column: int) -> str:
    return f"{'abcdefghi'[column]}{row + 1}"


_CELLS = {_cell_name(row, column): (row, column) for row in range(9) for column in range(9)}
_NOWHERE = (-1, -1)

_core.set_edition_loader(edition)
