"""The generator of random numbers: published values, and what it refuses."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from patchwork import Random, Setup

GAMMA = 0x9E3779B97F4A7C15
WORD = 2**64 - 1


def mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return word ^ (word >> 31)


def words(counter: int) -> Iterator[int]:
    """SplitMix64, as its authors describe it."""
    while True:
        counter = (counter + GAMMA) & WORD
        yield mix(counter)


def below(source: Iterator[int], n: int) -> int:
    """Lemire's method: of 32 random bits times n the high half, redrawn where it is uneven."""
    while True:
        product = (next(source) >> 32) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


# The first numbers that public implementations of SplitMix64 give.
PUBLISHED = {
    0: (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC),
    1234567: (
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ),
}


@pytest.mark.parametrize("seed", PUBLISHED)
def test_published_numbers(seed: int) -> None:
    random = Random(seed)
    assert tuple(random.next() for _ in PUBLISHED[seed]) == PUBLISHED[seed]


@pytest.mark.parametrize("seed", [1, 7, 2**63, WORD])
def test_numbers_of_other_seeds(seed: int) -> None:
    random, source = Random(seed), words(seed)
    assert [random.next() for _ in range(100)] == [next(source) for _ in range(100)]


@pytest.mark.parametrize("n", [1, 2, 3, 897, 2**31, 2**31 + 1, 2**32 - 5, 2**32 - 1])
def test_bounded_draws(n: int) -> None:
    random, source = Random(11), words(11)
    assert [random.below(n) for _ in range(200)] == [below(source, n) for _ in range(200)]
    # As many words were used: near 2**31 every other one is drawn again.
    assert random.next() == next(source)


@pytest.mark.parametrize(("seed", "i"), [(0, 0), (0, 1), (1, 0), (WORD, WORD)])
def test_streams(seed: int, i: int) -> None:
    source = words(mix(seed ^ mix((i + GAMMA) & WORD)))
    stream = Random.stream(seed, i)
    assert [stream.next() for _ in range(3)] == [next(source) for _ in range(3)]


def test_streams_differ() -> None:
    first = {Random.stream(seed, i).next() for seed in range(100) for i in range(100)}
    assert len(first) == 10_000


def test_copies_go_on_where_the_original_stands() -> None:
    random = Random(5)
    random.next()
    twins = [copy.copy(random), copy.deepcopy(random), pickle.loads(pickle.dumps(random))]
    assert twins == [random] * 3
    assert {twin.next() for twin in twins} == {random.next()}


def test_the_counter_is_all_there_is() -> None:
    random = Random(5)
    assert random.counter == 5
    random.next()
    assert random.counter == 5 + GAMMA
    assert Random(random.counter) == random == eval(repr(random), {"Random": Random})
    with pytest.raises(AttributeError):
        random.counter = 1  # type: ignore[misc]


def test_equality() -> None:
    assert Random(5) == Random(5) != Random(6)
    assert Random(5) != 5
    with pytest.raises(TypeError, match="unhashable"):
        hash(Random(5))


@pytest.mark.parametrize("seed", [-1, 2**64, 1 << 20_000], ids=int.bit_length)
def test_seeds_out_of_range(seed: int) -> None:
    for make in (Random, lambda s: Random.stream(s, 0), lambda s: Random.stream(0, s)):
        with pytest.raises(ValueError, match=r"must be in 0\.\.18446744073709551615"):
            make(seed)


@pytest.mark.parametrize("seed", [True, 1.0, "1", None])
def test_seeds_of_a_wrong_type(seed: Any) -> None:
    for make in (Random, lambda s: Random.stream(s, 0), Random(0).below):
        with pytest.raises(TypeError):
            make(seed)


@pytest.mark.parametrize("n", [0, -1, 2**32, 2**64, 1 << 20_000], ids=int.bit_length)
def test_bounds_out_of_range(n: int) -> None:
    random = Random(5)
    with pytest.raises(ValueError, match=r"must be in 1\.\.4294967295"):
        random.below(n)
    assert random == Random(5)


def test_integers_of_other_types() -> None:
    class Seven:
        def __index__(self) -> int:
            return 7

    assert Random(Seven()) == Random(7)
    assert Random(1).below(Seven()) == Random(1).below(7)


def test_playouts_draw_legal_moves_in_the_order_of_action_ids() -> None:
    state, random = Setup.random(7).start(), Random(3)
    final = state.playout(3)
    assert state.playout(rng=Random(3)) == final
    while not state.is_over:
        moves = list(state.legal_moves)
        state = state.after(moves[random.below(len(moves))])
    assert state == final


def test_playouts_leave_a_given_generator_where_they_ended() -> None:
    state, random = Setup.random(7).start(), Random(3)
    first = state.playout(rng=random)
    assert random != Random(3)
    assert state.playout(rng=random) != first


def test_playouts_without_a_seed_differ() -> None:
    state = Setup.random(7).start()
    assert len({state.playout() for _ in range(20)}) == 20


def test_what_playouts_refuse() -> None:
    state = Setup.random(7).start()
    with pytest.raises(TypeError, match="give a seed, or"):
        state.playout(1, rng=Random(1))
    with pytest.raises(TypeError, match=r"patchwork\.Random"):
        state.playout(rng=5)
    with pytest.raises(ValueError, match="seed must be in"):
        state.playout(-1)
    with pytest.raises(TypeError):
        state.playout(True)
    with pytest.raises(TypeError):
        state.playout(1.5)
