# Random numbers, the same on every machine.

cdef object MOST_SEED = (1 << 64) - 1
cdef object MOST_BELOW = (1 << 32) - 1


@cython.final
cdef class Random:
    """The package's generator of random numbers: SplitMix64, the same everywhere.

    :param seed: 0..2**64 - 1; a seed stands for the same numbers on every machine, forever.
    :raises ValueError: if the seed lies outside.

    >>> Random(1234567).next()
    6457827717110365317
    """

    def __init__(self, seed):
        self.c.counter = integer_within(seed, 0, MOST_SEED, "seed")

    @classmethod
    def stream(cls, seed, i):
        """Return the generator of item ``i`` of a run with a seed.

        The items of a run draw independent numbers, however the run is split.
        """
        cdef Random random = Random.__new__(Random)
        random.c.counter = engine.stream(
            integer_within(seed, 0, MOST_SEED, "seed"), integer_within(i, 0, MOST_SEED, "i")
        )
        return random

    @property
    def counter(self):
        """All that the generator is: ``Random(random.counter)`` draws the same numbers."""
        return self.c.counter

    def next(self):
        """Return the next 64 bits as an integer."""
        return engine.next(&self.c)

    def below(self, n):
        """Return a uniform integer in 0..n - 1, for ``n`` in 1..2**32 - 1 (Lemire's method).

        :raises ValueError: if ``n`` lies outside.
        """
        return engine.below(&self.c, integer_within(n, 1, MOST_BELOW, "n"))

    def __eq__(self, other):
        if type(other) is not Random:
            return NotImplemented
        return self.c.counter == (<Random>other).c.counter

    __hash__ = None

    def __repr__(self):
        return f"Random({self.c.counter})"

    def __reduce__(self):
        return Random, (self.c.counter,)
