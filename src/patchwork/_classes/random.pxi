# Random numbers, the same on every machine.

cdef uint64_t word_from(object number, str what) except? 0:
    """An integer of 64 bits."""
    if isinstance(number, bool):
        raise TypeError(f"{what} must be an integer, not bool")
    number = as_index(number)
    if not 0 <= number < 1 << 64:
        raise ValueError(f"{what} must be in 0..2**64 - 1, not {number}")
    return number


@cython.final
cdef class Random:
    """The package's generator of random numbers: SplitMix64, the same everywhere.

    :param seed: 0..2**64 - 1; a seed stands for the same numbers on every machine, forever.
    :raises ValueError: if the seed lies outside.

    >>> Random(1234567).next()
    6457827717110365317
    """

    def __init__(self, seed):
        self.c.counter = word_from(seed, "seed")

    @staticmethod
    def stream(seed, i):
        """Return the generator of item ``i`` of a run with a seed.

        The items of a run draw independent numbers, however the run is split.
        """
        cdef Random random = Random.__new__(Random)
        random.c.counter = engine.stream(word_from(seed, "seed"), word_from(i, "i"))
        return random

    def next(self):
        """Return the next 64 bits as an integer."""
        return engine.next(&self.c)

    def below(self, n):
        """Return a uniform integer in 0..n - 1, for ``n`` in 1..2**32 - 1 (Lemire's method).

        :raises ValueError: if ``n`` lies outside.
        """
        cdef uint64_t bound = word_from(n, "n")
        if not 0 < bound < <uint64_t>1 << 32:
            raise ValueError(f"n must be in 1..2**32 - 1, not {n}")
        return engine.below(&self.c, <uint32_t>bound)

    def __eq__(self, other):
        return isinstance(other, Random) and self.c.counter == (<Random>other).c.counter

    __hash__ = None

    def __repr__(self):
        return f"Random({self.c.counter})"

    def __reduce__(self):
        return Random, (self.c.counter,)
