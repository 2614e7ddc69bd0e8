"""The engine and the reference play the same games, and everything they say is compared.

A match holds one position in both. It counts by rule what occurred, as the reference tells it, so
that a run can prove that it was not blind to the rare branches.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from random import Random
from typing import Any, NamedTuple

from custom_editions import LETTERS, definition, limits
from positions import random_position
from reference import PASS, SPECIAL, Cell, Move, Reference, cell_name, read_move

import patchwork as pw

Counts = Counter[str]


class Quick(Reference):
    """The reference, remembering the shapes it has made."""

    def __init__(self, *args: Any, **fields: Any) -> None:
        self.shapes: dict[tuple[str, int], set[Cell]] = {}
        super().__init__(*args, **fields)

    def shape(self, letter: str, orientation: int) -> set[Cell]:
        if (letter, orientation) not in self.shapes:
            self.shapes[letter, orientation] = super().shape(letter, orientation)
        return self.shapes[letter, orientation]


# Branches of the rules, by what occurred in one ply or at the end of a game

BRANCHES = (
    "R06 player 1 starts",
    "R10 the one further back moves",
    "R11 the one on top moves",
    "R13 the other one is on the final space",
    "R14 a special patch comes first",
    "R15 pass",
    "R16 pass instead of a purchase",
    "R17 pass cut short",
    "R18 pass with income",
    "R19 two incomes in one pass",
    "R21 line shorter than the market",
    "R21 nothing in line",
    "R22 one patch skipped",
    "R22 two patches skipped",
    "R23 not affordable",
    "R23 the last button spent",
    "R24 mirrored",
    "R25 affordable but fits nowhere",
    "R26 purchase",
    "R27 purchase cut short",
    "R28 two incomes in one purchase",
    "R29 income of the new patch at once",
    "R31 income at the end by a pass",
    "R31 income at the end by a purchase",
    "R32 special patch won",
    "R32 special patch gone before",
    "R33 special patch placed",
    "R34 quilt filled by the purchase",
    "R34 quilt full before",
    "R34 quilt filled by a special patch",
    "R35 several special patches at once",
    "R36 income and a special patch",
    "R37 tile by a patch",
    "R37 square too late",
    "R38 tile by a special patch",
    "R39 game over",
    "R40 negative score",
    "R41 more points",
    "R41 tie",
    "R43 purchase without time",
    "R45 reserve joins",
)


class Ply(NamedTuple):
    """One move of the reference, to be counted."""

    before: Reference
    move: Move
    events: Sequence[Mapping[str, Any]]
    after: Reference

    def rules(self, kind: str) -> list[str]:
        return [event["rule"] for event in self.events if event["kind"] == kind]

    def amounts(self, kind: str) -> list[int]:
        return [event["amount"] for event in self.events if event["kind"] == kind]

    def branches(self) -> Iterator[str]:
        """The names of the branches that it went through."""
        if self.move == PASS:
            found = self.pass_branches()
        elif self.move.letter == SPECIAL.letter:
            found = {"R33 special patch placed": True}
        else:
            found = self.purchase_branches()
        found |= self.special_branches() | self.tile_branches() | self.turn_branches()
        yield from (name for name, occurred in found.items() if occurred)

    def pass_branches(self) -> dict[str, bool]:
        incomes = [amount for amount in self.amounts("income") if amount]
        return {
            "R15 pass": True,
            "R17 pass cut short": "R17" in self.rules("moved"),
            "R18 pass with income": bool(incomes),
            "R19 two incomes in one pass": len(incomes) > 1,
            "R31 income at the end by a pass": "R31" in self.rules("income"),
        }

    def purchase_branches(self) -> dict[str, bool]:
        patch = self.before.patch(self.move.letter)
        slot = self.before.line.index(patch.letter)
        incomes = self.amounts("income")
        return {
            "R22 one patch skipped": slot == 1,
            "R22 two patches skipped": slot == 2,
            "R23 the last button spent": 0 < patch.cost == self.before.buttons[self.before.player],
            "R24 mirrored": self.move.orientation >= 4,
            "R26 purchase": "R26" in self.rules("moved"),
            "R27 purchase cut short": "R27" in self.rules("moved"),
            "R28 two incomes in one purchase": len(incomes) > 1 and any(incomes),
            "R29 income of the new patch at once": bool(incomes) and patch.income > 0,
            "R31 income at the end by a purchase": "R31" in self.rules("income"),
            "R43 purchase without time": patch.time == 0,
            "R45 reserve joins": bool(self.rules("reserve joined")),
        }

    def special_branches(self) -> dict[str, bool]:
        won, lost = self.rules("special won"), bool(self.rules("special lost"))
        is_special = self.move.letter == SPECIAL.letter
        was_full = not self.before.free_cells()
        return {
            "R32 special patch won": bool(won),
            "R32 special patch gone before": self.passed_a_gap(),
            "R34 quilt filled by the purchase": lost and not is_special and not was_full,
            "R34 quilt full before": lost and was_full,
            "R34 quilt filled by a special patch": lost and is_special,
            "R35 several special patches at once": len(won) > 1,
            "R36 income and a special patch": bool(won) and any(self.amounts("income")),
        }

    def passed_a_gap(self) -> bool:
        """Whether the token passed the place of a special patch that the opponent has taken."""
        player, taken_to = self.before.player, self.before.positions[self.before.opponent]
        gone = range(self.before.positions[player] + 1, taken_to + 1)
        return any(space in gone for space in self.after.definition["specials"]) and (
            self.after.positions[player] > gone.start
        )

    def tile_branches(self) -> dict[str, bool]:
        won, is_special = bool(self.rules("tile won")), self.move.letter == SPECIAL.letter
        return {
            "R37 tile by a patch": won and not is_special,
            "R37 square too late": self.is_too_late(),
            "R38 tile by a special patch": won and is_special,
        }

    def is_too_late(self) -> bool:
        """Whether the move completes a square, and the opponent has the tile."""
        player = self.before.player
        return (
            self.before.tile == self.before.opponent
            and not self.before.has_square(self.before.quilts[player])
            and self.after.has_square(self.after.quilts[player])
        )

    def turn_branches(self) -> dict[str, bool]:
        rules = self.rules("next player")
        return {
            "R10 the one further back moves": "R10" in rules,
            "R11 the one on top moves": "R11" in rules,
            "R13 the other one is on the final space": "R13" in rules,
            "R14 a special patch comes first": "R14" in rules,
        }


def choice_branches(position: Reference, moves: Sequence[Move]) -> Iterator[str]:
    """What a decision offers, but for a special patch."""
    letters, market = {move.letter for move in moves}, position.market()
    affordable = [letter for letter in market if position.is_affordable(letter)]
    if not position.line:
        yield "R21 nothing in line"
    elif len(market) < position.definition["market"]:
        yield "R21 line shorter than the market"
    if len(affordable) < len(market):
        yield "R23 not affordable"
    if not letters.issuperset(affordable):
        yield "R25 affordable but fits nowhere"


def end_branches(position: Reference) -> Iterator[str]:
    first, second = position.scores()
    yield "R39 game over"
    yield "R41 tie" if first == second else "R41 more points"
    if min(first, second) < 0:
        yield "R40 negative score"


def start_branches(position: Reference) -> Iterator[str]:
    if position.mover == 1:
        yield "R06 player 1 starts"


# How players choose

Policy = Callable[[pw.State, Random], pw.Move]


def play_anything(state: pw.State, rng: Random) -> pw.Move:
    return rng.choice(state.legal_moves)


def play_kinds(state: pw.State, rng: Random) -> pw.Move:
    """A pass, or any patch of the market, each as likely: long leads, other orders in line."""
    moves = state.legal_moves
    patches = [offer for offer in state.offers if not offer.reasons]
    choice = rng.randint(0, len(patches))
    if state.specials_waiting or choice == len(patches):
        return rng.choice(moves) if state.specials_waiting else moves[-1]
    return rng.choice(patches[choice].placements)


def play_tightly(state: pw.State, rng: Random) -> pw.Move:
    """Buy whenever that is possible, where the patch touches most: full squares, full quilts."""
    moves = state.legal_moves
    count = len(moves) if state.specials_waiting else len(moves) - 1
    if count == 0:
        return moves[-1]
    sampled = [moves[k] for k in rng.sample(range(count), min(count, 60))]
    return max(sampled, key=lambda move: tightness(state, move))


def tightness(state: pw.State, move: pw.Move) -> float:
    """The sides that touch other patches or the edge, against those that stay free."""
    assert state.to_move is not None
    quilt = state.players[state.to_move].quilt
    cells = state.cells(move)
    taken = {*quilt.cells, *cells}
    sides = [side for cell in cells for side in beside(cell, quilt.size)]
    touching = sum(side is None or side in taken for side in sides)
    outside = sum(max(place) > 6 for place in map(place_of, cells))
    return 2 * touching - len(sides) - 3 * outside


@cache
def beside(cell: str, size: int) -> tuple[str | None, ...]:
    """The four neighbours of a cell, None for the edge."""
    row, column = place_of(cell)
    places = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return tuple(cell_name(place) if set(place) <= set(range(size)) else None for place in places)


@cache
def place_of(cell: str) -> tuple[int, int]:
    return int(cell[1]) - 1, "abcdefghi".index(cell[0])


POLICIES: tuple[Policy, ...] = (play_anything, play_tightly, play_kinds)


# The comparison


class DifferenceError(AssertionError):
    """Engine and reference disagree."""


class Match:
    """One position, held by the engine and by the reference."""

    def __init__(self, state: pw.State, reference: Reference, rng: Random) -> None:
        self.start = str(state)
        self.state = state
        self.reference = reference
        self.rng = rng
        self.played: list[str] = []
        self.counts: Counts = Counter()

    def same(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            game = " ".join([self.start, "moves", *self.played])
            raise DifferenceError(f"{what}: engine {ours!r}, reference {theirs!r}\nin {game}")

    def finish(self, policy: Policy) -> None:
        """Play to the end and compare at every ply."""
        self.counts.update(start_branches(self.reference))
        while True:
            moves = self.reference.moves()
            self.compare(moves)
            if self.reference.is_over():
                break
            if not self.reference.waiting:
                self.counts.update(choice_branches(self.reference, moves))
            self.play(moves, read_move(str(policy(self.state, self.rng))))
        self.counts.update(end_branches(self.reference))
        self.counts.update(games=1, plies=len(self.played))
        self.compare_length()

    def compare(self, moves: Sequence[Move]) -> None:
        self.compare_fields()
        self.compare_moves(moves)
        if self.chance(4):
            self.compare_refusals()
            self.compare_placements()
        if self.chance(10):
            self.same("perft(1)", self.state.perft(1), len(moves))
        if self.chance(20 if len(moves) < 12 else 500) and len(moves) < 150:
            self.same("perft(2)", self.state.perft(2), self.reference.perft(2))

    def chance(self, n: int) -> bool:
        return self.rng.randrange(n) == 0

    def compare_fields(self) -> None:
        state, other = self.state, self.reference
        self.same("text", str(state), other.text(state.edition.tag))
        self.same("over", state.is_over, other.is_over())
        self.same("market", state.market, "".join(other.market()))
        self.same("scores", state.scores, other.scores())
        self.same("winner", state.winner, other.winner())
        self.same("specials left", state.specials_left, tuple(other.specials_left()))
        self.same("specials waiting", state.specials_waiting, other.waiting)
        self.same("seats", seats(state), (other.mover, other.tile, other.finished_first))
        self.same("line", (state.line, state.reserve), ("".join(other.line), other.reserve))
        for i in (0, 1):
            self.same("player", player_values(state, i), reference_values(other, i))

    def compare_moves(self, moves: Sequence[Move]) -> None:
        listed, actions = self.state.legal_moves, [self.reference.action(move) for move in moves]
        mask = bytearray(pw.ACTIONS)
        for action in actions:
            mask[action] = 1
        self.same("legal moves", list(map(str, listed)), list(map(str, moves)))
        self.same("number of moves", (len(listed), bool(listed)), (len(moves), bool(moves)))
        self.same("actions", listed.actions(), actions)
        self.same("mask", listed.mask(), mask)
        self.same("bits", listed.mask(bytearray(256)), bits(actions))

    # A move

    def play(self, moves: Sequence[Move], move: Move) -> None:
        """Play a legal move, in the engine by any number of its orientation."""
        before, text = self.reference.copy(), self.any_number(move)
        self.compare_ids(moves.index(move), move, text)
        ours = [event.to_dict() for event in self.state.events(text)]
        self.played.append(text)
        self.state = self.state.after(text)
        events = self.reference.play(str(move))
        self.same("events", ours, events)
        if len(moves) > 1 and move == PASS:
            self.counts["R16 pass instead of a purchase"] += 1
        self.counts.update(Ply(before, move, events, self.reference).branches())

    def any_number(self, move: Move) -> str:
        """The text of a move with any of the numbers that stand for its shape."""
        if move.letter in (PASS.letter, SPECIAL.letter):
            return str(move)
        shape = self.reference.shape(*move[:2])
        same = [i for i in range(8) if self.reference.shape(move.letter, i) == shape]
        return str(move._replace(orientation=self.rng.choice(same)))

    def compare_ids(self, place: int, move: Move, text: str) -> None:
        action = self.reference.action(move)
        self.same("id", self.state.move_to_action(text), action)
        self.same("move of an id", str(self.state.action_to_move(action)), str(move))
        self.same("place", self.state.legal_moves.index(text), place)
        self.same("refused", self.state.why_illegal(text), None)
        if self.chance(4):
            self.same("move by id", self.state.after(action), self.state.after(text))

    # What is refused, and what would fit

    def compare_refusals(self) -> None:
        for _ in range(6):
            self.compare_reasons(self.random_move())
            self.compare_id_reasons(self.rng.randint(-1, pw.ACTIONS))

    def random_move(self) -> Move:
        """Any move, most often of a patch on offer."""
        market = [*self.reference.market(), SPECIAL.letter]
        letter = self.rng.choice([*market, *market, self.rng.choice(LETTERS), PASS.letter])
        cell = (self.rng.randrange(9), self.rng.randrange(9))
        orientation = 0 if letter == SPECIAL.letter else self.rng.randrange(8)
        return Move(letter, orientation, cell) if letter else PASS

    def compare_reasons(self, move: Move) -> None:
        text = str(move)
        reasons = self.reference.reasons(text)
        self.same(f"reasons of {text}", listed_reasons(self.state, text), reasons)
        self.same(f"{text} is legal", text in self.state.legal_moves, not reasons)
        if reasons:
            self.compare_error(move, reasons)

    def compare_error(self, move: Move, reasons: Sequence[str]) -> None:
        needed = held = None
        if "cannot afford" in reasons:
            needed = self.reference.price(move.letter)
            held = self.reference.buttons[self.reference.player]
        covered = sorted(self.reference.cells(move) & self.reference.quilt)
        try:
            self.state.after(str(move))
        except pw.IllegalMoveError as error:
            self.same("reasons of the error", list(error.reasons), list(reasons))
            self.same("buttons of the error", (error.needed, error.held), (needed, held))
            self.same("state of the error", error.state, str(self.state))
            self.same("guilty cells", error.cells, tuple(map(cell_name, covered)))
        else:
            self.same(f"{move} is refused", False, True)

    def compare_id_reasons(self, action: int) -> None:
        reasons = id_reasons(self.reference, action)
        self.same(f"reasons of id {action}", listed_reasons(self.state, action), reasons)

    def compare_placements(self) -> None:
        """Of any patch of the edition, in line or not, whatever it costs."""
        letter = self.rng.choice(list(self.reference.patches))
        placements = self.state.placements(letter)
        fitting = self.reference.placements(letter)
        self.same(f"placements of {letter}", list(map(str, placements)), fitting)
        for offer in self.state.offers:
            self.compare_offer(offer)

    def compare_offer(self, offer: pw.Offer) -> None:
        patch = self.reference.patch(offer.patch)
        printed = (offer.cost, offer.time, offer.income)
        self.same("printed", printed, (patch.cost, patch.time, patch.income))
        self.same("offer", list(offer.reasons), offer_reasons(self.reference, offer.patch))
        self.same("placements", len(offer.placements), len(self.reference.placements(offer.patch)))

    def compare_length(self) -> None:
        """R43: no game is endless."""
        parts = self.reference.definition
        most = len(parts["patches"]) + 2 * parts["final"] + len(parts["specials"])
        self.same("plies", len(self.played) <= most, True)


def seats(state: pw.State) -> tuple[int | None, int | None, int | None]:
    return state.to_move, state.tile_holder, state.finished_first


def player_values(state: pw.State, i: int) -> tuple[object, ...]:
    player, left = state.players[i], state.income_left(i)
    return player.position, player.buttons, player.income, left, player.quilt.cells


def reference_values(position: Reference, i: int) -> tuple[object, ...]:
    cells = tuple(cell_name(cell) for cell in sorted(position.quilts[i]))
    left = position.income_left(i)
    return position.positions[i], position.buttons[i], position.incomes[i], left, cells


def bits(actions: Iterable[int]) -> bytearray:
    return bytearray(sum(1 << action for action in actions).to_bytes(256, "little"))


def listed_reasons(state: pw.State, move: str | int) -> list[str]:
    return [reason.value for reason in state.why_illegal(move) or ()]


def id_reasons(position: Reference, action: int) -> list[str]:
    """Why an action id is refused: as the move it stands for, and as an id."""
    slot, orientation, cell = action // 648, action // 81 % 8, divmod(action % 81, 9)
    if not 0 <= action < pw.ACTIONS:
        return in_order(position.reasons("pass"), "not an action")
    if action == pw.ACTIONS - 1:
        return position.reasons("pass")
    if slot == 3:
        return position.reasons(str(Move(SPECIAL.letter, 0, cell)))
    if slot >= len(position.market()):
        return in_order(position.reasons("pass"), "not in the market")
    letter = position.market()[slot]
    reasons = position.reasons(str(Move(letter, orientation, cell)))
    if orientation not in position.orientations(letter):
        return in_order(reasons, "no such orientation")
    return reasons


def offer_reasons(position: Reference, letter: str) -> list[str]:
    applies = {
        "game over": position.is_over(),
        "special first": position.waiting > 0,
        "cannot afford": not position.is_affordable(letter),
        "fits nowhere": not position.is_over() and not position.fitting(letter),
    }
    return [reason for reason, is_true in applies.items() if is_true]


ORDER = (
    *("game over", "not an action", "special first", "no special", "not in the market"),
    *("no such orientation", "cannot afford", "off the board", "overlap"),
)
"""The order in which reasons are listed."""


def in_order(reasons: Iterable[str], one_more: str) -> list[str]:
    return sorted([*reasons, one_more], key=ORDER.index)


# Runs of many games


class Job(NamedTuple):
    """Some games, played in a process of a pool."""

    kind: str
    """``classic``, ``revised`` or ``express``; ``positions`` of these; or ``generated``."""
    number: int
    """Of the job within its kind: the seed, or the number of the generated edition."""
    games: int = 1


class Reading(NamedTuple):
    """An edition, and the reading of the rules that the engine is compared with."""

    edition: pw.Edition
    rules: type[Reference] = Quick

    def from_line(self, rng: Random) -> tuple[pw.State, Reference]:
        """The same first position in both, of a random setup."""
        parts = self.edition.to_dict()
        line, reserve = random_line(parts, rng)
        player = rng.randrange(2)
        letters = f"{line}+{reserve}" if reserve else line
        setup = pw.Setup.from_line(letters, self.edition, player)
        return setup.start(), self.rules(parts, line, reserve, player)

    def from_position(self, rng: Random) -> tuple[pw.State, Reference]:
        """The same random position in both, made by hand as it were."""
        parts = self.edition.to_dict()
        text = random_position(parts, self.edition.tag, rng)
        return pw.State.parse(text), self.rules.from_text(parts, text)


def random_line(parts: Mapping[str, Any], rng: Random) -> tuple[str, str]:
    letters = [patch["letter"] for patch in parts["patches"]]
    later = parts["reserve"]["patches"] if parts["reserve"] else ""
    line = [letter for letter in letters if letter not in later]
    return "".join(rng.sample(line, len(line))), "".join(rng.sample(later, len(later)))


def play_job(job: Job, rules: type[Reference] = Quick) -> Counts:
    """Play the games of a job and return what occurred."""
    counts: Counts = Counter()
    for i in range(job.games):
        rng = Random(f"{job.kind} {job.number} {i}")
        reading = Reading(edition_of(job, rng), rules)
        is_position = job.kind == "positions" or (job.kind == "generated" and i % 4 == 3)
        start = reading.from_position(rng) if is_position else reading.from_line(rng)
        match = Match(*start, rng)
        match.finish(POLICIES[(job.number + i) % len(POLICIES)])
        counts += match.counts
    if job.kind == "generated":
        counts.update(set(limits(definition(job.number))))
        counts["editions"] += 1
    return counts


def edition_of(job: Job, rng: Random) -> pw.Edition:
    if job.kind == "generated":
        return pw.Edition.from_dict(definition(job.number))
    if job.kind == "positions":
        return pw.edition(rng.choice(("classic", "revised", "express")))
    return pw.edition(job.kind)


def play_all(jobs: Sequence[Job]) -> dict[str, Counts]:
    """Play all jobs in processes of their own, so that no editions are registered here.

    The counts come by kind of job.
    """
    counts: dict[str, Counts] = {job.kind: Counter() for job in jobs}
    processes = min(os.cpu_count() or 1, 8)
    # An executor reports a process that dies; a multiprocessing.Pool would wait for it forever.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn) as pool:
        results = pool.map(play_job, jobs, chunksize=4)
        for job, result in zip(jobs, results, strict=True):
            counts[job.kind] += result
    return counts


def total(counts: Mapping[str, Counts]) -> Counts:
    return sum(counts.values(), Counter())


def table(counts: Mapping[str, Counts], names: Iterable[str]) -> str:
    """How often each name was counted, in a column for each kind of job and one for all."""
    columns = {**counts, "all": total(counts)}
    lines = ["".join(f"{kind:>11}" for kind in columns)]
    for name in names:
        numbers = "".join(f"{column[name]:>11,}" for column in columns.values())
        lines.append(f"{numbers}  {name}")
    return "\n".join(lines)
