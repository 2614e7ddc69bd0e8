"""Patchwork once more, slow and obvious: the independent proof of the real engine.

A game is two sets of covered cells, a few plain lists, and the rules as they stand in the rulebook.
Nothing is shared with the package: no code, no table, no constant. The edition comes in as a plain
dictionary, moves go in and out as texts. Every decision has a method of its own beside the id of
its rule, so that a subclass can try another reading of just that one.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

Cell = tuple[int, int]
"""Row and column, (0, 0) in the top left corner."""
Event = dict[str, Any]
Definition = Mapping[str, Any]

COLUMNS = "abcdefghi"


class Patch(NamedTuple):
    letter: str
    rows: list[str]
    cost: int
    time: int
    income: int


class Move(NamedTuple):
    letter: str
    orientation: int
    cell: Cell
    """The top left corner of the box around the patch."""

    def __str__(self) -> str:
        if self == PASS:
            return "pass"
        orientation = "" if self.letter == SPECIAL.letter else self.orientation
        return f"{self.letter}{orientation}@{cell_name(self.cell)}"


NOTHING = Patch("", [], 0, 0, 0)
"""What a pass takes."""
PASS = Move(NOTHING.letter, 0, (0, 0))
SPECIAL = Patch("h", ["x"], 0, 0, 0)


# Names and drawings


def cell_name(cell: Cell) -> str:
    row, column = cell
    return f"{COLUMNS[column]}{row + 1}"


def cell_index(cell: Cell) -> int:
    row, column = cell
    return row * 9 + column


def read_move(text: str) -> Move:
    """Read ``pass``, ``L0@h1`` or ``h@e5``."""
    if text == "pass":
        return PASS
    parts = re.fullmatch("(h|[A-Za-gi-z][0-7])@([a-i])([1-9])", text)
    if parts is None:
        raise ValueError(f"not a move: {text!r}")
    patch, column, row = parts.groups()
    return Move(patch[0], int(patch[1:] or 0), (int(row) - 1, COLUMNS.index(column)))


def covered(rows: Iterable[str]) -> set[Cell]:
    """The cells that a drawing marks with an x."""
    return {(i, j) for i, row in enumerate(rows) for j, mark in enumerate(row) if mark == "x"}


def square(side: int) -> list[Cell]:
    """The cells of a square, in index order."""
    return [(row, column) for row in range(side) for column in range(side)]


def mirrored(rows: list[str]) -> list[str]:
    """A drawing with left and right exchanged."""
    return [row[::-1] for row in rows]


def turned(rows: list[str]) -> list[str]:
    """A drawing after a quarter turn clockwise."""
    return ["".join(column) for column in zip(*reversed(rows), strict=True)]


def shifted(cells: Iterable[Cell], corner: Cell) -> set[Cell]:
    """The cells of a drawing laid down with its top left corner there."""
    return {(row + corner[0], column + corner[1]) for row, column in cells}


def quilt_text(quilt: set[Cell], size: int) -> str:
    rows = ["".join("x" if (i, j) in quilt else "." for j in range(size)) for i in range(size)]
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows))


def read_quilt(text: str) -> set[Cell]:
    return covered(re.sub(r"\d", lambda run: "." * int(run[0]), text).split("/"))


def player_text(player: int | None) -> str:
    return "-" if player is None else str(player)


def read_player(text: str) -> int | None:
    return None if text == "-" else int(text)


class Reference:
    """A game between players 0 and 1 (R01), without hidden information or chance (R42)."""

    def __init__(
        self, definition: Definition, line: Iterable[str], reserve: str = "", start_player: int = 0
    ) -> None:
        self.definition = definition
        self.size: int = definition["size"]
        self.final: int = definition["final"]
        self.patches = {patch["letter"]: Patch(**patch) for patch in definition["patches"]}
        self.patches[SPECIAL.letter] = SPECIAL
        self.quilts: tuple[set[Cell], set[Cell]] = (set(), set())  # R03
        self.positions = [0, 0]  # R04
        self.buttons: list[int] = [definition["start_buttons"]] * 2  # R02
        self.incomes = [0, 0]
        self.line = list(line)  # R05
        self.reserve = reserve
        self.mover: int | None = start_player  # R06, R07
        self.waiting = 0
        self.tile: int | None = None  # R09
        self.finished_first: int | None = None
        self.events: list[Event] = []
        self.join_reserve()

    @classmethod
    def from_fields(cls, definition: Definition, **fields: Any) -> Self:
        """A position made by hand; fields left out are those of a start without patches."""
        position = cls(definition, "")
        for name, value in fields.items():
            assert name in vars(position), name
            setattr(position, name, value)
        return position.copy()

    @classmethod
    def from_text(cls, definition: Definition, text: str) -> Self:
        """A position from its state text, which must be right; the edition's name is not read."""
        _, line, quilt0, track0, quilt1, track1, mover, tile, finished_first = text.split(" ")
        patches, _, reserve = line.partition("+")
        numbers = zip(re.findall(r"\d+", track0), re.findall(r"\d+", track1), strict=True)
        positions, buttons, incomes = ([int(first), int(second)] for first, second in numbers)
        return cls.from_fields(
            definition,
            quilts=(read_quilt(quilt0), read_quilt(quilt1)),
            positions=positions,
            buttons=buttons,
            incomes=incomes,
            line=patches.strip("-"),
            reserve=reserve,
            mover=read_player(mover[0]),
            waiting=mover.count("*"),
            tile=read_player(tile),
            finished_first=read_player(finished_first),
        )

    def copy(self) -> Self:
        twin = copy.copy(self)
        twin.quilts = (set(self.quilts[0]), set(self.quilts[1]))
        twin.positions = list(self.positions)
        twin.buttons = list(self.buttons)
        twin.incomes = list(self.incomes)
        twin.line = list(self.line)
        return twin

    def text(self, edition_name: str) -> str:
        """The state text: edition, line, both players, mover, tile, finished first."""
        line = "".join(self.line) or "-"
        reserve = self.reserve and f"+{self.reserve}"
        players = f"{self.side_text(0)} {self.side_text(1)}"
        mover = player_text(self.mover) + "*" * self.waiting
        ends = f"{player_text(self.tile)} {player_text(self.finished_first)}"
        return f"{edition_name} {line}{reserve} {players} {mover} {ends}"

    def side_text(self, player: int) -> str:
        """A player's quilt, position, buttons and income."""
        quilt = quilt_text(self.quilts[player], self.size)
        track = f"t{self.positions[player]}b{self.buttons[player]}i{self.incomes[player]}"
        return f"{quilt} {track}"

    # Who and what

    @property
    def player(self) -> int:
        """The player to move in a game that is not over."""
        assert self.mover is not None
        return self.mover

    @property
    def opponent(self) -> int:
        return 1 - self.player

    @property
    def quilt(self) -> set[Cell]:
        """The quilt to be played on, an empty one if nobody is to move."""
        return set() if self.mover is None else self.quilts[self.mover]

    def board(self) -> list[Cell]:
        """All cells of a quilt, in index order (R03)."""
        return square(self.size)

    def free_cells(self) -> list[Cell]:
        return [cell for cell in self.board() if cell not in self.quilt]

    def patch(self, letter: str) -> Patch:
        """The figure of a letter; one that the edition lacks, as a pass, is nothing."""
        return self.patches.get(letter, NOTHING)

    def market(self) -> list[str]:
        """R21: the next three patches in front of the neutral token, or fewer."""
        return self.line[: self.definition["market"]]

    def is_on_offer(self, letter: str) -> bool:
        """R21; a pass and a special patch are not taken from the market."""
        return letter in [NOTHING.letter, SPECIAL.letter, *self.market()]

    def price(self, letter: str) -> int:
        """R23: the printed cost."""
        return self.patch(letter).cost

    def is_affordable(self, letter: str) -> bool:
        """R23: the buttons must be held."""
        return self.mover is None or self.price(letter) <= self.buttons[self.mover]

    # Shapes and where they fit

    def shape(self, letter: str, orientation: int) -> set[Cell]:
        """R24: either face, then any of the four turns."""
        rows = self.patch(letter).rows
        if orientation >= 4:
            rows = mirrored(rows)
        for _ in range(orientation % 4):
            rows = turned(rows)
        return covered(rows)

    def orientations(self, letter: str) -> list[int]:
        """The orientations that differ in shape, each by its lowest number."""
        shapes = [self.shape(letter, orientation) for orientation in range(8)]
        return [number for number, shape in enumerate(shapes) if shape not in shapes[:number]]

    def cells(self, move: Move) -> set[Cell]:
        """The cells that a move covers, on the board or not."""
        return shifted(self.shape(move.letter, move.orientation), move.cell)

    def is_off_board(self, cells: set[Cell]) -> bool:
        """R24: wholly on the board."""
        return any(max(cell) >= self.size for cell in cells)

    def is_overlapping(self, cells: set[Cell]) -> bool:
        """R24: on free cells only."""
        return not cells.isdisjoint(self.quilt)

    def fits(self, cells: set[Cell]) -> bool:
        """R24: nothing else is asked for, such as touching another patch."""
        return not self.is_off_board(cells) and not self.is_overlapping(cells)

    def fitting(self, letter: str) -> list[Move]:
        """All placements of a patch on the mover's quilt, by orientation and cell."""
        moves = [
            Move(letter, orientation, corner)
            for orientation in self.orientations(letter)
            for corner in self.board()
        ]
        return [move for move in moves if self.fits(self.cells(move))]

    def placements(self, letter: str) -> list[str]:
        """All placements of a patch on the mover's quilt, whatever it costs; h is the special."""
        return [] if self.mover is None else [str(move) for move in self.fitting(letter)]

    # Which moves are legal

    def moves(self) -> list[Move]:
        """All moves in the order of their action ids; none only after the end (R34)."""
        if self.is_over():
            return []
        if self.waiting:
            return self.fitting(SPECIAL.letter)  # R33: compulsory, on any free cell
        return [*self.purchases(), PASS]  # R16: a pass is always possible

    def purchases(self) -> list[Move]:
        """R25: a patch that fits nowhere cannot be bought."""
        letters = [letter for letter in self.market() if self.is_affordable(letter)]
        return [move for letter in letters for move in self.fitting(letter)]

    def legal_moves(self) -> list[str]:
        return [str(move) for move in self.moves()]

    def actions(self) -> list[int]:
        """The action ids of the legal moves."""
        return [self.action(move) for move in self.moves()]

    def action(self, move: Move) -> int:
        """A plane of 81 cells for each slot and orientation, one for the special, then the pass."""
        if move == PASS:
            return 25 * 81
        if move.letter == SPECIAL.letter:
            return 24 * 81 + cell_index(move.cell)
        plane = self.line.index(move.letter) * 8 + move.orientation
        return plane * 81 + cell_index(move.cell)

    def reasons(self, text: str) -> list[str]:
        """Why a move is refused: all reasons that apply, the headline first."""
        move = read_move(text)
        is_special = move.letter == SPECIAL.letter
        applies = {
            "game over": self.is_over(),
            "special first": self.waiting > 0 and not is_special,
            "no special": self.waiting == 0 and is_special,
            "not in the market": not self.is_on_offer(move.letter),
            "cannot afford": not self.is_affordable(move.letter),
            "off the board": self.is_off_board(self.cells(move)),
            "overlap": self.is_overlapping(self.cells(move)),
        }
        return [reason for reason, is_true in applies.items() if is_true]

    # What a move does

    def play(self, text: str) -> list[Event]:
        """Play a legal move and tell what happened."""
        assert not self.reasons(text), (text, self.reasons(text))
        move = read_move(text)
        self.events = []
        if move == PASS:
            self.advance()
        elif move.letter == SPECIAL.letter:
            self.place_special(move)
        else:
            self.buy(move)
        self.lose_specials()
        self.note_finish()
        self.hand_over()
        return self.events

    def happen(self, kind: str, rule: str, amount: int = 0, **details: Any) -> None:
        """Report an event of the mover; its amount is what it brings or takes in buttons (R08)."""
        self.buttons[self.player] += amount
        event = {"kind": kind, "player": self.player, "amount": amount, "rule": rule}
        self.events.append(event | details)

    def advance(self) -> None:
        """Advance and receive buttons: the pass (R15), paid before the income (R18)."""
        origin, target = self.positions[self.player], self.pass_target()
        space = self.pass_space(target)
        rule = "R17" if space < target else "R15"
        self.move_token(space, rule)
        self.happen("paid for spaces", rule, self.pay_for_spaces(origin, space))
        self.cross(origin, space)

    def pass_target(self) -> int:
        """R15: the space directly in front of the opponent."""
        return self.positions[self.opponent] + 1

    def pass_space(self, target: int) -> int:
        """R17: never beyond the final space."""
        return min(target, self.final)

    def pay_for_spaces(self, origin: int, space: int) -> int:
        """R15, R17: one button for each space really moved."""
        return space - origin

    def buy(self, move: Move) -> None:
        """Choose, move the neutral token, pay, place, move the time token (R20)."""
        self.take(move.letter)
        self.join_reserve()
        self.sew(move)
        self.check_tile()
        self.spend_time(self.patch(move.letter).time)

    def take(self, letter: str) -> None:
        slot = self.line.index(letter)
        self.line = self.line_without(slot)
        self.happen("bought", "R23", -self.price(letter), patch=letter, slot=slot)

    def line_without(self, slot: int) -> list[str]:
        """R22: the neutral token takes the patch's place, so the patches skipped are now last."""
        return self.line[slot + 1 :] + self.line[:slot]

    def join_reserve(self) -> None:
        """R45: the reserve joins behind the line as soon as this is short enough."""
        if self.reserve and len(self.line) <= self.definition["reserve"]["join_at"]:
            self.line += self.reserve
            self.happen("reserve joined", "R45", patches=self.reserve)
            self.reserve = ""

    def sew(self, move: Move) -> None:
        """Place a patch; its income counts from now on, for this very move too (R29)."""
        self.incomes[self.player] += self.patch(move.letter).income
        names = self.cover(move)
        self.happen("placed", "R24", patch=move.letter, cells=names)

    def place_special(self, move: Move) -> None:
        """R33: free of cost, without income."""
        self.waiting -= 1  # R35: one by one
        self.happen("special placed", "R33", cells=self.cover(move))
        self.check_tile()  # R38: a special patch can win the tile

    def cover(self, move: Move) -> list[str]:
        """Cover a move's cells and name them in index order."""
        cells = self.cells(move)
        self.quilts[self.player].update(cells)
        return [cell_name(cell) for cell in sorted(cells)]

    def check_tile(self) -> None:
        """R37: the first player with a full square gets the tile and keeps it."""
        if self.tile is None and self.has_square(self.quilt):
            self.tile = self.player
            self.happen("tile won", "R37", points=self.definition["tile"]["points"])

    def has_square(self, quilt: set[Cell]) -> bool:
        """R37: somewhere on the quilt, wholly covered; some editions have no tile."""
        if self.definition["tile"] is None:
            return False
        full = square(self.definition["tile"]["side"])
        return any(shifted(full, corner) <= quilt for corner in quilt)

    def spend_time(self, time: int) -> None:
        """R26, R43: move by the printed time; with none the token does not move at all."""
        if time > 0:
            origin, target = self.positions[self.player], self.positions[self.player] + time
            space = self.purchase_space(target)
            self.move_token(space, "R27" if space < target else "R26")
            self.cross(origin, space)

    def purchase_space(self, target: int) -> int:
        """R27: the token stops on the final space; nothing is given back."""
        return min(target, self.final)

    def move_token(self, space: int, rule: str) -> None:
        origin = self.positions[self.player]
        self.positions[self.player] = space
        self.happen("moved", rule, origin=origin, space=space)

    def cross(self, origin: int, space: int) -> None:
        """Collect what lies on the way: first the income, then the special patches (R36)."""
        for marker in self.markers_crossed(origin, space):
            rule = "R31" if marker == self.final else "R30"
            self.happen("income", rule, self.income_due(), space=marker)
        for special in self.specials_earned(origin, space):
            self.waiting += 1  # R35
            self.happen("special won", "R32", space=special)

    def markers_crossed(self, origin: int, space: int) -> list[int]:
        """R19, R30, R31: every marker reached or passed, one on the final space too."""
        return [marker for marker in self.definition["markers"] if origin < marker <= space]

    def income_due(self) -> int:
        """R30: the buttons printed on the patches of one's own quilt."""
        return self.incomes[self.player]

    def specials_earned(self, origin: int, space: int) -> list[int]:
        """R32: the first token to reach or pass a special patch takes it."""
        free_from = max(origin, self.positions[self.opponent])
        return [special for special in self.definition["specials"] if free_from < special <= space]

    def lose_specials(self) -> None:
        """R34: special patches for which no cell is free leave the game."""
        if self.waiting and not self.free_cells():
            self.happen("special lost", "R34", count=self.waiting)
            self.waiting = 0

    def note_finish(self) -> None:
        """R41: remember who is the first on the final space."""
        if self.finished_first is None and self.positions[self.player] == self.final:
            self.finished_first = self.player
            self.happen("finished first", "R41")

    # Whose turn it is

    def hand_over(self) -> None:
        """Decide the turn from the positions, after the move is complete (R14)."""
        if self.is_over():
            self.happen("game over", "R39")
            self.mover = None
        else:
            self.mover = self.next_mover()
            self.happen("next player", self.turn_rule())

    def next_mover(self) -> int:
        here, there = self.positions[self.player], self.positions[self.opponent]
        if self.waiting:
            return self.player  # R14: a special patch belongs to the move that earned it
        if here == there:
            return self.on_top()
        # R10: the one further back; who is on the final space never is (R12, R13)
        return self.player if here < there else self.opponent

    def on_top(self) -> int:
        """R11: who arrived last is on top; if no token moved (R43), the mover still is."""
        return self.player

    def turn_rule(self) -> str:
        """The rule that names the player to move."""
        if self.waiting:
            return "R14"
        if self.final in self.positions:
            return "R13"
        return "R11" if self.positions[0] == self.positions[1] else "R10"

    # The end and the score

    def is_over(self) -> bool:
        """R12, R39: both tokens are on the final space."""
        return self.positions == [self.final, self.final]

    def scores(self) -> tuple[int, int]:
        """The points of both players as if the game ended now."""
        return self.score(0), self.score(1)

    def score(self, player: int) -> int:
        """R40: the buttons and the tile's points, less two for each empty cell."""
        tile: int = self.definition["tile"]["points"] if self.tile == player else 0
        empty = len(self.board()) - len(self.quilts[player])
        return self.buttons[player] + tile - 2 * empty

    def winner(self) -> int | None:
        """R41: more points win, once the game is over."""
        if not self.is_over():
            return None
        first, second = self.scores()
        if first == second:
            return self.tie_winner()
        return 0 if first > second else 1

    def tie_winner(self) -> int | None:
        """R41: on a tie the player who was first on the final space wins."""
        return self.finished_first

    # Outlook

    def income_left(self, player: int) -> int:
        """The buttons that today's income brings at the markers still in front of the player."""
        ahead = [space for space in self.definition["markers"] if space > self.positions[player]]
        return len(ahead) * self.incomes[player]

    def specials_left(self) -> list[int]:
        """R32: the special patches beyond both tokens."""
        return [space for space in self.definition["specials"] if space > max(self.positions)]

    def after(self, text: str) -> Self:
        """The position after a legal move; this one stays as it is."""
        twin = self.copy()
        twin.play(text)
        return twin

    def perft(self, depth: int) -> int:
        """The number of move sequences of exactly this many plies."""
        if depth == 0:
            return 1
        return sum(self.after(move).perft(depth - 1) for move in self.legal_moves())
