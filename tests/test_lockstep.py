"""Random games on the engine and on the reference, move by move (R01 .. R48)."""

from __future__ import annotations

import time

import pytest
from custom_editions import LIMITS, definition, limits
from lockstep import BRANCHES, Counts, DifferenceError, Job, Quick, play_all, play_job, table, total
from reference import Event, Move

FAST = [
    *(Job("classic", number) for number in range(60)),
    *(Job("revised", number) for number in range(30)),
    *(Job("express", number) for number in range(30)),
    *(Job("positions", number) for number in range(240)),
    *(Job("generated", number, games=4) for number in range(60)),
]
LONG = [
    *(Job("classic", number, games=50) for number in range(1000, 1200)),
    *(Job("revised", number, games=50) for number in range(1000, 1200)),
    *(Job("express", number, games=20) for number in range(1000, 1050)),
    *(Job("positions", number, games=100) for number in range(1000, 1050)),
    *(Job("generated", number, games=8) for number in range(1000, 1280)),
]
OFTEN = 100
"""How often the long run has to see each branch."""
COUNTED = ("games", "plies", "editions", *BRANCHES, *LIMITS)


def missed(counts: Counts, least: int) -> list[str]:
    return [name for name in BRANCHES if counts[name] < least]


def test_the_same_games() -> None:
    counts = play_all(FAST)
    print(table(counts, COUNTED))
    assert total(counts)["games"] == 600
    assert missed(total(counts), least=1) == []


@pytest.mark.long
def test_the_same_games_for_long(capsys: pytest.CaptureFixture[str]) -> None:
    began = time.monotonic()
    counts = play_all(LONG)
    with capsys.disabled():
        print(f"\n{table(counts, COUNTED)}\n{time.monotonic() - began:,.0f} seconds")
    assert counts["classic"]["games"] + counts["revised"]["games"] == 20_000
    assert counts["generated"]["games"] >= 2_000
    assert counts["generated"]["editions"] >= 200
    assert missed(total(counts), least=OFTEN) == []
    assert [name for name in LIMITS if not counts["generated"][name]] == []


def test_generated_editions_reach_every_limit() -> None:
    reached = {limit for number in range(200) for limit in limits(definition(number))}
    assert reached == set(LIMITS)


# The harness notices wrong readings of the rules


class OpponentOnTop(Quick):
    """R11"""

    def on_top(self) -> int:
        return self.opponent


class PassBehind(Quick):
    """R15"""

    def pass_target(self) -> int:
        return self.positions[self.opponent]


class PaidBeyondTheEnd(Quick):
    """R17"""

    def pay_for_spaces(self, origin: int, space: int) -> int:
        return self.pass_target() - origin


class OneIncome(Quick):
    """R19"""

    def markers_crossed(self, origin: int, space: int) -> list[int]:
        return super().markers_crossed(origin, space)[-1:]


class SkippedStayInFront(Quick):
    """R22"""

    def line_without(self, slot: int) -> list[str]:
        return self.line[:slot] + self.line[slot + 1 :]


class Credit(Quick):
    """R23"""

    def is_affordable(self, letter: str) -> bool:
        return self.mover is None or self.price(letter) <= self.buttons[self.mover] + 1


class NeverMirrored(Quick):
    """R24"""

    def orientations(self, letter: str) -> list[int]:
        return [orientation for orientation in super().orientations(letter) if orientation < 4]


class NothingBeyondTheEnd(Quick):
    """R27"""

    def is_on_offer(self, letter: str) -> bool:
        time, space = self.patch(letter).time, self.positions[self.mover or 0]
        return super().is_on_offer(letter) and space + time <= self.final

    def purchases(self) -> list[Move]:
        return [move for move in super().purchases() if self.is_on_offer(move.letter)]


class IncomeWithoutTheNewPatch(Quick):
    """R29"""

    def income_due(self) -> int:
        bought = [event["patch"] for event in self.events if event["kind"] == "bought"]
        return super().income_due() - sum(self.patch(letter).income for letter in bought)


class NoLastIncome(Quick):
    """R31"""

    def markers_crossed(self, origin: int, space: int) -> list[int]:
        markers = super().markers_crossed(origin, space)
        return [marker for marker in markers if marker < self.final]


class SpecialsForBoth(Quick):
    """R32"""

    def specials_earned(self, origin: int, space: int) -> list[int]:
        return [special for special in self.definition["specials"] if origin < special <= space]


class SpecialsWaitForever(Quick):
    """R34"""

    def lose_specials(self) -> None:
        pass


class OneSpecial(Quick):
    """R35"""

    def specials_earned(self, origin: int, space: int) -> list[int]:
        return super().specials_earned(origin, space)[:1]


class LastSquareWins(Quick):
    """R37"""

    def check_tile(self) -> None:
        self.tile = None if self.has_square(self.quilt) else self.tile
        super().check_tile()


class NoTileBySpecials(Quick):
    """R38"""

    def check_tile(self) -> None:
        if not any(event["kind"] == "special placed" for event in self.events):
            super().check_tile()


class NoPointsForTheTile(Quick):
    """R40"""

    def score(self, player: int) -> int:
        return self.buttons[player] - 2 * (len(self.board()) - len(self.quilts[player]))


class LastWinsTies(Quick):
    """R41"""

    def tie_winner(self) -> int | None:
        return 1 - (self.finished_first or 0)


class StandingStillArrives(Quick):
    """R43"""

    def spend_time(self, time: int) -> None:
        super().spend_time(time)
        if time == 0 and self.positions[0] == self.positions[1]:
            self.mover = self.opponent


class ReserveJoinsLate(Quick):
    """R45"""

    def join_reserve(self) -> None:
        if self.reserve and len(self.line) < self.definition["reserve"]["join_at"]:
            super().join_reserve()


class SilentFinish(Quick):
    """An event that is not told"""

    def play(self, text: str) -> list[Event]:
        return [event for event in super().play(text) if event["kind"] != "finished first"]


WRONG = Quick.__subclasses__()


@pytest.mark.parametrize("rules", WRONG, ids=lambda rules: rules.__doc__)
def test_a_wrong_reading_is_noticed(rules: type[Quick]) -> None:
    jobs = [Job("generated", number, games=4) for number in range(0, 16, 2)]
    jobs += [Job("positions", number) for number in range(60)]
    assert any(differs(job, rules) for job in jobs)


def differs(job: Job, rules: type[Quick]) -> bool:
    try:
        play_job(job, rules)
    except DifferenceError:
        return True
    return False
