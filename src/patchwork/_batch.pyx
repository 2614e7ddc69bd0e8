"""Thousands of states side by side, stepped and asked in one call."""

cimport cython
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS,
    PyBUF_FORMAT,
    PyBUF_WRITABLE,
    PyBuffer_FillInfo,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport (
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)
from libc.string cimport memcpy, memset

import os
from _thread import allocate_lock
from array import array
from contextlib import contextmanager

from patchwork.api cimport *
from patchwork._core cimport Random, State, engine, integer_within, letter_index, new_state, table

from patchwork.errors import IllegalMoveError, StateError
from patchwork.setups import Setup

cdef enum:
    STATE_BYTES = 100  # of bytes(state)
    MASK_BYTES = 256   # of a mask in bits
    LEAVE = -1         # the action that leaves a state alone
    NO_MOVE = 65535    # the code of none


cdef enum:
    TO_MOVE
    IS_OVER
    RETURNS
    SCORES


cdef int64_t item(const void *items, Py_ssize_t i, int kind) noexcept nogil:
    """The i-th integer of a buffer; its kind is the size of an item, negative if signed."""
    if kind == -1:
        return (<int8_t *>items)[i]
    if kind == 1:
        return (<uint8_t *>items)[i]
    if kind == -2:
        return (<int16_t *>items)[i]
    if kind == 2:
        return (<uint16_t *>items)[i]
    if kind == -4:
        return (<int32_t *>items)[i]
    if kind == 4:
        return (<uint32_t *>items)[i]
    return (<int64_t *>items)[i]  # an unsigned one that large is no action either way


cdef int kind_of(Py_buffer *view) except 0:
    form = view.format.decode() if view.format != NULL else "B"
    if len(form) == 1 and form in "bhilq":
        return -<int>view.itemsize
    if len(form) == 1 and form in "BHILQ":
        return view.itemsize
    raise TypeError(f"expected integers in native byte order, not items of format {form!r}")


cdef int open_output(
    object out, Py_buffer *view, str formats, Py_ssize_t count
) except -1:
    """Opens a caller's buffer for writing ``count`` items of one of the formats."""
    PyObject_GetBuffer(out, view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)
    form = view.format.decode() if view.format != NULL else "B"
    items = view.len // view.itemsize
    if len(form) == 1 and form in formats and items == count:
        return 0
    PyBuffer_Release(view)
    if len(form) != 1 or form not in formats:
        raise TypeError(f"the buffer's items have format {form!r}, expected one of {formats!r}")
    raise ValueError(f"the buffer has {items} items, expected {count}")


@cython.final
cdef class Batch:
    """States of one edition in one block of memory.

    :param states: :class:`State` and :class:`Setup` objects, all of one edition, at least one.
    :param autoreset: a seed; a finished game is then replaced, in the step after the one that
        finished it, by the first state of a random setup. The k-th game that begins so, counted
        from 0 by index within a step, has the setup of ``Random.stream(autoreset, k)`` and the
        start player ``k % 2``. None leaves finished games as they are.
    :raises StateError: if there are none, or if their editions differ.

    A batch has a fixed length. Its methods release the interpreter's lock while they work; a call
    while another thread is in one raises RuntimeError. Buffers can be NumPy arrays, ``array``,
    ``bytearray`` or memoryviews; where ``out`` is None a new ``array`` is returned. The batch is
    itself a read-only buffer of ``len(batch) * 112`` bytes: the structs of the C header.

    >>> from patchwork import Random, Setup
    >>> batch = Batch([Setup.random(seed) for seed in range(512)])
    >>> rng = Random(1)
    >>> while not all(batch.is_over()):
    ...     batch.step(batch.sample(rng))
    >>> sum(batch.returns()), len(batch)
    (0, 512)
    """

    cdef pw_state *states
    cdef uint16_t *codes        # of the moves of a step, between its check and its play
    cdef readonly Py_ssize_t size
    cdef const pw_edition *table
    cdef object lock
    cdef object autoreset
    cdef uint64_t resets        # games begun by autoreset
    cdef bytes line             # letters by number, in rising order, the start patch last
    cdef bytes reserve
    cdef unsigned int fixed     # 1 with a start patch

    def __cinit__(self, *args, **kwargs):
        self.lock = allocate_lock()

    def __init__(self, states, *, autoreset=None):
        if self.states != NULL:
            raise TypeError("a batch is made once")
        listed = [one.start() if isinstance(one, Setup) else one for one in states]
        if not listed:
            raise StateError("batch", "expected at least one state")
        for i, state in enumerate(listed):
            check_member(state, listed[0], i)
        self.allocate(len(listed), (<State>listed[0]).c.edition)
        for i, state in enumerate(listed):
            self.states[<Py_ssize_t>i] = (<State>state).c
        if autoreset is not None:
            self.autoreset = integer_within(autoreset, 0, MOST_SEED, "autoreset")

    cdef int allocate(self, Py_ssize_t size, unsigned int edition) except -1:
        self.states = <pw_state *>PyMem_RawCalloc(size, sizeof(pw_state))
        self.codes = <uint16_t *>PyMem_RawCalloc(size, sizeof(uint16_t))
        if self.states == NULL or self.codes == NULL:
            raise MemoryError
        self.size, self.table = size, table(edition)
        self.states[0].edition = edition
        self.sort_letters(self.edition)
        return 0

    cdef int sort_letters(self, object edition) except -1:
        """Keeps what a random setup is shuffled from."""
        reserve = "" if edition.reserve is None else edition.reserve.patches
        last = edition.start_patch or ""
        line = [letter for letter in edition.patches if letter not in reserve + last]
        self.line = bytes([letter_index(letter) for letter in line + list(last)])
        self.reserve = bytes([letter_index(letter) for letter in reserve])
        self.fixed = len(last)
        return 0

    def __dealloc__(self):
        PyMem_RawFree(self.states)
        PyMem_RawFree(self.codes)

    @staticmethod
    def random(size, seed=None, edition="classic", start_player=0, *, autoreset=None):
        """Return a batch of first states of random setups.

        State i is that of ``Setup.random(Random.stream(seed, i).counter, edition, start_player)``.
        """
        cdef Batch batch
        cdef Py_ssize_t i
        seed = fresh_seed() if seed is None else seed
        first = Setup.random(Random.stream(seed, 0).counter, edition, start_player).start()
        batch = Batch([first], autoreset=autoreset).repeated(size)
        for i in range(batch.size):
            batch.begin(i, (<Random>Random.stream(seed, i)).c.counter, (<State>first).c.mover)
        return batch

    @staticmethod
    def from_bytes(data, *, autoreset=None):
        """Return the batch of states whose ``bytes(state)`` follow one another.

        :raises BytesError: if one of them is wrong.
        """
        whole = bytes(data)
        if not whole or len(whole) % STATE_BYTES:
            raise StateError("batch", f"expected a multiple of {STATE_BYTES} bytes")
        return Batch([
            State.from_bytes(whole[at:at + STATE_BYTES])
            for at in range(0, len(whole), STATE_BYTES)
        ], autoreset=autoreset)

    def repeated(self, size):
        """Return a batch of ``size`` states, these again and again."""
        cdef Batch batch = Batch.__new__(Batch)
        cdef Py_ssize_t i
        if size < 1:
            raise ValueError(f"a batch has at least one state, not {size}")
        batch.allocate(size, self.states[0].edition)
        batch.autoreset = self.autoreset
        for i in range(batch.size):
            batch.states[i] = self.states[i % self.size]
        return batch

    @property
    def edition(self):
        """The edition of all states."""
        return self[0].edition

    @property
    def memory(self):
        """The bytes that the batch occupies."""
        return self.size * (sizeof(pw_state) + sizeof(uint16_t))

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple([self[i] for i in range(*index.indices(self.size))])
        return new_state(&self.states[self.place(index)])

    def __setitem__(self, index, state):
        cdef Py_ssize_t i = self.place(index)
        state = state.start() if isinstance(state, Setup) else state
        check_member(state, self[0], i)
        with self._claim():
            self.states[i] = (<State>state).c

    cdef Py_ssize_t place(self, object index) except -1:
        cdef Py_ssize_t i = index
        if i < 0:
            i += self.size
        if not 0 <= i < self.size:
            raise IndexError(f"the batch has {self.size} states")
        return i

    def __bytes__(self):
        return b"".join([bytes(self[i]) for i in range(self.size)])

    def __eq__(self, other):
        if type(other) is not Batch:
            return NotImplemented
        return self.size == other.size and bytes(self) == bytes(other)

    __hash__ = None

    def __reduce__(self):
        return _restored, (list(self), self.autoreset)

    def __repr__(self):
        return f"<Batch: {self.size} states of {self.edition.tag}>"

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.states, self.size * sizeof(pw_state), True, flags)

    @contextmanager
    def _claim(self):
        """Keep other threads out: RuntimeError if one is in a method of this batch."""
        if not self.lock.acquire(False):
            raise RuntimeError("another thread is using this batch")
        try:
            yield
        finally:
            self.lock.release()

    def step(self, actions):
        """Play an action id in every state; if one is illegal, none is played.

        :param actions: a buffer or sequence of ``len(batch)`` integers; -1 leaves a state alone,
            and a finished game takes -1 or 2025 and stays as it is (or is replaced, with
            ``autoreset``).
        :raises IllegalMoveError: for the first illegal action; ``move`` names its index.
        """
        cdef Py_buffer view
        cdef Py_ssize_t bad
        cdef int kind
        PyObject_GetBuffer(
            as_buffer(actions), &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT
        )
        try:
            kind = kind_of(&view)
            if view.len // view.itemsize != self.size:
                raise ValueError(f"expected {self.size} actions, not {view.len // view.itemsize}")
            with self._claim():
                with nogil:
                    bad = self.check(view.buf, kind)
                if bad >= 0:
                    raise self.refusal(bad, item(view.buf, bad, kind))
                self.play()
        finally:
            PyBuffer_Release(&view)

    cdef Py_ssize_t check(self, const void *actions, int kind) noexcept nogil:
        """Turns actions into codes; the index of the first illegal one, or -1."""
        cdef Py_ssize_t i
        cdef int64_t action
        for i in range(self.size):
            action = item(actions, i, kind)
            self.codes[i] = NO_MOVE
            if action == LEAVE or self.states[i].mover == PW_NOBODY and action == PW_PASS_ACTION:
                continue
            if not 0 <= action < PW_ACTIONS or not self.accepts(i, <unsigned int>action):
                return i
        return -1

    cdef bint accepts(self, Py_ssize_t i, unsigned int action) noexcept nogil:
        cdef unsigned int code = PW_PASS
        cdef pw_mask cells
        if engine.action_refusals(self.table, &self.states[i], action, &code, &cells):
            return False
        self.codes[i] = code
        return True

    cdef object refusal(self, Py_ssize_t i, int64_t action):
        try:
            self[i].after(action)
        except IllegalMoveError as error:
            return IllegalMoveError(
                f"{error.move} at index {i}", error.state, error.reasons, error.cells,
                error.needed, error.held,
            )

    cdef int play(self) except -1:
        cdef Py_ssize_t i
        if self.autoreset is not None:
            for i in range(self.size):
                if self.states[i].mover == PW_NOBODY:
                    self.begin(i, engine.stream(self.autoreset, self.resets), self.resets % 2)
                    self.resets += 1
        with nogil:
            for i in range(self.size):
                if self.codes[i] != NO_MOVE:
                    engine.apply(self.table, &self.states[i], self.codes[i])
        return 0

    cdef int begin(self, Py_ssize_t i, uint64_t counter, unsigned int start_player) except -1:
        """Puts the first state of a random setup in a place, as Setup.random does."""
        cdef pw_state *state = &self.states[i]
        cdef pw_random random
        cdef unsigned int edition = state.edition
        random.counter = counter
        memset(state, 0, sizeof(pw_state))
        state.edition, state.mover = edition, start_player
        state.line_length, state.reserve_length = len(self.line), len(self.reserve)
        memcpy(state.line, <const char *>self.line, state.line_length)
        memcpy(&state.line[state.line_length], <const char *>self.reserve, state.reserve_length)
        shuffle(state.line, state.line_length - self.fixed, &random)
        shuffle(&state.line[state.line_length], state.reserve_length, &random)
        engine.start(self.table, state)
        return 0

    def reset(self, states, where=None):
        """Replace states.

        :param states: a :class:`State` or :class:`Setup` for each place.
        :param where: the indices of the places; None for all, in order.
        :raises StateError: if one has another edition; nothing is replaced then.
        """
        listed = [one.start() if isinstance(one, Setup) else one for one in states]
        places = list(range(self.size)) if where is None else [self.place(i) for i in where]
        if len(listed) != len(places):
            raise ValueError(f"expected {len(places)} states, not {len(listed)}")
        first = self[0]
        for i, state in zip(places, listed):
            check_member(state, first, i)
        with self._claim():
            for i, state in zip(places, listed):
                self.states[<Py_ssize_t>i] = (<State>state).c

    def legal_mask(self, out=None, *, finished_pass=False):
        """Write the legal masks of all states and return the buffer.

        :param out: for each state 2,026 bytes of 0 or 1 by action id, or 256 bytes of bits, the
            lowest of the first byte for action 0. None makes a ``bytearray`` of the first kind.
        :param finished_pass: whether a finished game has its pass marked, which ``step`` takes,
            instead of nothing.
        """
        cdef Py_buffer view
        if out is None:
            out = bytearray(self.size * PW_ACTIONS)
        as_bits = memoryview(out).nbytes == self.size * MASK_BYTES
        open_output(
            out, &view, "bBc?", self.size * (MASK_BYTES if as_bits else PW_ACTIONS)
        )
        cdef bint bits = as_bits, passes = finished_pass
        try:
            with self._claim():
                with nogil:
                    self.write_masks(<uint8_t *>view.buf, bits, passes)
        finally:
            PyBuffer_Release(&view)
        return out

    cdef void write_masks(self, uint8_t *out, bint bits, bint passes) noexcept nogil:
        cdef Py_ssize_t i
        cdef pw_moves moves
        for i in range(self.size):
            engine.generate(self.table, &self.states[i], &moves)
            if passes and self.states[i].mover == PW_NOBODY:
                moves.passes = 1
            if bits:
                engine.mask_bits(self.table, &moves, out + i * MASK_BYTES)
            else:
                engine.mask_bytes(self.table, &moves, out + i * PW_ACTIONS)

    def sample(self, rng, out=None):
        """Draw a legal action for every state, each as likely; -1 for finished games.

        :param rng: a :class:`Random`, from which one number is drawn for each unfinished game.
        :param out: a buffer of signed integers of 2 bytes (``"h"``).
        """
        cdef Py_buffer view
        if type(rng) is not Random:
            raise TypeError(f"rng must be a patchwork.Random, not {type(rng).__name__}")
        if out is None:
            out = array("h", bytes(2 * self.size))
        open_output(out, &view, "h", self.size)
        try:
            with self._claim():
                with nogil:
                    self.draw(<int16_t *>view.buf, &(<Random>rng).c)
        finally:
            PyBuffer_Release(&view)
        return out

    cdef void draw(self, int16_t *out, pw_random *random) noexcept nogil:
        cdef Py_ssize_t i
        cdef pw_moves moves
        cdef unsigned int move
        for i in range(self.size):
            out[i] = LEAVE
            engine.generate(self.table, &self.states[i], &moves)
            if moves.total:
                move = engine.move_at(self.table, &moves, engine.below(random, moves.total))
                out[i] = engine.action_of(self.table, &self.states[i], move)

    def playout(self, seed=None, *, threads=1):
        """Play every game on at random to its end, and return the plies of each.

        :param seed: game i draws from ``Random.stream(seed, i)``, however many threads work.
        :param threads: how many share the work.
        """
        cdef uint64_t word
        plies = array("H", bytes(2 * self.size))
        if threads < 1:
            raise ValueError(f"expected at least one thread, not {threads}")
        word = fresh_seed() if seed is None else integer_within(seed, 0, MOST_SEED, "seed")
        share = -(-self.size // threads)
        with self._claim():
            if threads == 1:
                self.play_out(plies, word, 0, self.size)
            else:
                self.play_out_together(plies, word, threads, share)
        return plies

    cdef int play_out_together(
        self, object plies, object seed, object threads, object share
    ) except -1:
        from concurrent.futures import ThreadPoolExecutor

        def work(first):
            self.play_out(plies, seed, first, min(first + share, self.size))

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, range(0, self.size, share)))
        return 0

    cdef int play_out(
        self, object plies, uint64_t seed, Py_ssize_t first, Py_ssize_t last
    ) except -1:
        cdef Py_ssize_t i
        cdef pw_random random
        cdef uint16_t[::1] counts = plies
        with nogil:
            for i in range(first, last):
                random.counter = engine.stream(seed, i)
                counts[i] = engine.playout(self.table, &self.states[i], &random)
        return 0

    def to_move(self, out=None):
        """Write the player to move of each state, -1 when the game is over (bytes, ``"b"``)."""
        return self.fill(out, "b", 1, TO_MOVE)

    def is_over(self, out=None):
        """Write 1 for each game that is over, else 0 (bytes, ``"b"``)."""
        return self.fill(out, "b", 1, IS_OVER)

    def returns(self, out=None):
        """Write 1 for the winner and -1 for the loser, 0 before the end (pairs, ``"b"``)."""
        return self.fill(out, "b", 2, RETURNS)

    def scores(self, out=None):
        """Write the points of both players as if the games ended now (pairs, ``"i"``; R40)."""
        return self.fill(out, "i", 2, SCORES)

    cdef object fill(self, object out, str form, Py_ssize_t each, int what):
        cdef Py_buffer view
        if out is None:
            out = array(form, bytes((1 if form == "b" else 4) * each * self.size))
        open_output(out, &view, form, each * self.size)
        try:
            with self._claim():
                with nogil:
                    self.write(view.buf, what)
        finally:
            PyBuffer_Release(&view)
        return out

    cdef void write(self, void *out, int what) noexcept nogil:
        cdef Py_ssize_t i
        cdef int mover, winner
        for i in range(self.size):
            mover = self.states[i].mover
            if what == TO_MOVE:
                (<int8_t *>out)[i] = -1 if mover == PW_NOBODY else mover
            elif what == IS_OVER:
                (<int8_t *>out)[i] = mover == PW_NOBODY
            elif what == RETURNS:
                winner = engine.winner(self.table, &self.states[i])
                (<int8_t *>out)[2 * i] = (winner == 0) - (winner == 1)
                (<int8_t *>out)[2 * i + 1] = (winner == 1) - (winner == 0)
            else:
                (<int32_t *>out)[2 * i] = engine.points(self.table, &self.states[i], 0)
                (<int32_t *>out)[2 * i + 1] = engine.points(self.table, &self.states[i], 1)


cdef object MOST_SEED = (1 << 64) - 1


cdef object fresh_seed():
    return int.from_bytes(os.urandom(8), "little")


cdef void shuffle(uint8_t *letters, unsigned int count, pw_random *random) noexcept nogil:
    """The order of draws that Setup.random documents."""
    cdef unsigned int i, j
    if count < 2:
        return
    for i in range(count - 1, 0, -1):
        j = engine.below(random, i + 1)
        letters[i], letters[j] = letters[j], letters[i]


cdef int check_member(object state, object first, Py_ssize_t i) except -1:
    if type(state) is not State:
        raise TypeError(f"item {i} is a {type(state).__name__}, expected a State or a Setup")
    if (<State>state).c.edition != (<State>first).c.edition:
        tags = state.edition.tag, first.edition.tag
        raise StateError(f"batch[{i}]", f"its edition is {tags[0]}, not {tags[1]}")
    return 0


cdef object as_buffer(object actions):
    """A buffer as it is; a sequence of integers in a buffer of 8 bytes each."""
    return array("q", actions) if isinstance(actions, (list, tuple, range)) else actions


def _restored(states, autoreset):
    """Rebuild a pickled batch."""
    return Batch(states, autoreset=autoreset)
