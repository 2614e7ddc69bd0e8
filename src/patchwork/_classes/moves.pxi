# The moves of a state as lazy sequences: they hold the state and no list.

cdef enum:
    ALL_LEGAL = -1
    ANY = -1


@cython.collection_type("sequence")
cdef class MoveView:
    """A lazy sequence of moves, in the order of action ids.

    It holds a state and no list: each question generates the moves anew. Moves can be looked for
    as a :class:`Move`, a text or an action id, and with any number of their orientation.
    """

    def __init__(self):
        raise TypeError(f"{type(self).__name__} come from a state or a quilt")

    cdef void generate(self, pw_moves *moves) noexcept:
        cdef const pw_edition *edition = table(self.state.edition)
        if self.letter == ALL_LEGAL:
            engine.generate(edition, &self.state, moves)
            return
        engine.placements(edition, &self.state, self.letter, moves)
        if self.orientation != ANY:
            keep_lane(moves, edition.patches[self.letter].lane[self.orientation])

    def __len__(self):
        cdef pw_moves moves
        self.generate(&moves)
        return moves.total

    def __bool__(self):
        return len(self) > 0

    def __getitem__(self, index):
        cdef pw_moves moves
        cdef Py_ssize_t k
        self.generate(&moves)
        if isinstance(index, slice):
            return tuple([
                new_move(engine.move_at(table(self.state.edition), &moves, k))
                for k in range(*index.indices(moves.total))
            ])
        k = PyNumber_AsSsize_t(index, IndexError)
        if k < 0:
            k += moves.total
        if not 0 <= k < <Py_ssize_t>moves.total:
            raise IndexError(f"there are {moves.total} moves")
        return new_move(engine.move_at(table(self.state.edition), &moves, k))

    def __iter__(self):
        cdef _MoveIterator iterator = _MoveIterator.__new__(_MoveIterator)
        self.generate(&iterator.moves)
        iterator.edition_index = self.state.edition
        return iterator

    def __reversed__(self):
        return iter(self[::-1])

    cdef int find(self, object move) except -2:
        """The place of a move, its text or its id; -1 if it is not among these."""
        cdef pw_moves moves
        cdef Attempt tried
        attempt(&self.state, move, &tried)
        if tried.reasons & (PW_NOT_AN_ACTION | PW_NO_SUCH_ORIENTATION):
            return -1
        if tried.reasons and self.letter == ALL_LEGAL:
            return -1
        self.generate(&moves)
        return engine.index_of(table(self.state.edition), &moves, tried.move)

    def __contains__(self, move):
        try:
            return self.find(move) >= 0
        except (TypeError, NotationError):
            return False

    def index(self, move, start=0, stop=None):
        """Return the place of a move.

        :raises ValueError: if it is not among these moves, or malformed.
        """
        cdef int place = self.find(move)
        if place < 0 or place not in range(*slice(start, stop).indices(len(self))):
            raise ValueError(f"{move_shown(move)} is not among these moves")
        return place

    def count(self, move):
        """Return 1 if a move is among these, else 0."""
        return int(move in self)

    def sample(self, rng):
        """Return one of the moves, each as likely.

        :param rng: a :class:`Random`, from which one number is drawn.
        :raises IndexError: if there are none.
        """
        cdef const pw_edition *edition = table(self.state.edition)
        cdef pw_moves moves
        cdef uint32_t k
        if type(rng) is not Random:
            raise TypeError(f"rng must be a patchwork.Random, not {type(rng).__name__}")
        self.generate(&moves)
        if moves.total == 0:
            raise IndexError("there are no moves to choose from")
        k = engine.below(&(<Random>rng).c, moves.total)
        return new_move(engine.move_at(edition, &moves, k))

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return (
            self.letter == (<MoveView>other).letter
            and self.orientation == (<MoveView>other).orientation
            and memcmp(&self.state, &(<MoveView>other).state, sizeof(pw_state)) == 0
        )

    def __hash__(self):
        return hash((hash_of(&self.state), self.letter, self.orientation))

    def __repr__(self):
        return f"<{type(self).__name__}: {len(self)} moves>"


cdef void keep_lane(pw_moves *moves, unsigned int kept) noexcept:
    """Drops the placements in other orientations than one."""
    cdef unsigned int lane
    for lane in range(PW_ORIENTATIONS):
        if lane != kept:
            moves.slots[0].windows[0][lane] = moves.slots[0].windows[1][lane] = 0
    moves.counts[0] = moves.total = (
        pw_count(moves.slots[0].windows[0][kept]) + pw_count(moves.slots[0].windows[1][kept])
    )


@cython.final
cdef class _MoveIterator:
    """Runs once over the moves as they were when it began."""

    cdef pw_moves moves
    cdef unsigned int edition_index
    cdef unsigned int k

    def __iter__(self):
        return self

    def __next__(self):
        if self.k >= self.moves.total:
            raise StopIteration
        self.k += 1
        return new_move(engine.move_at(table(self.edition_index), &self.moves, self.k - 1))

    def __length_hint__(self):
        return self.moves.total - self.k


@cython.final
cdef class LegalMoves(MoveView):
    """The legal moves of a state: a lazy sequence in the order of action ids.

    >>> from patchwork import Setup
    >>> moves = Setup.random(7).start().legal_moves
    >>> moves[-1], "pass" in moves, moves.index("pass") == len(moves) - 1
    (Move.parse('pass'), True, True)
    """

    def mask(self, out=None):
        """Write the legal mask into a buffer and return it.

        :param out: a writable, contiguous buffer of bytes. 2,026 of them become 0 or 1, one for
            each action id; 256 become bits, action 0 being the lowest bit of the first byte, and
            those past the last action 0. None makes a new bytearray of 2,026.
        :raises ValueError: if the buffer has another size, or its memory has gaps.
        :raises TypeError: if it is no buffer, or its items are no single bytes.
        :raises BufferError: if it cannot be written.

        >>> from patchwork import Setup
        >>> moves = Setup.random(7).start().legal_moves
        >>> sum(moves.mask()) == len(moves)
        True
        """
        cdef pw_moves moves
        cdef Py_buffer view
        if out is None:
            out = bytearray(PW_ACTIONS)
        open_buffer(out, &view)
        try:
            if view.len not in (PW_ACTIONS, 256):
                raise ValueError(f"a mask takes 2,026 or 256 bytes, not {view.len}")
            self.generate(&moves)
            if view.len == PW_ACTIONS:
                engine.mask_bytes(table(self.state.edition), &moves, <uint8_t *>view.buf)
            else:
                engine.mask_bits(table(self.state.edition), &moves, <uint8_t *>view.buf)
        finally:
            PyBuffer_Release(&view)
        return out

    def actions(self):
        """Return the action ids of the legal moves as a list, rising.

        >>> from patchwork import Setup
        >>> Setup.random(7).start().legal_moves.actions()[-1]
        2025
        """
        cdef unsigned int action
        cdef uint8_t[PW_ACTIONS] mask
        cdef pw_moves moves
        self.generate(&moves)
        engine.mask_bytes(table(self.state.edition), &moves, mask)
        return [action for action in range(PW_ACTIONS) if mask[action]]

    def __reduce__(self):
        return _restored_legal_moves, (new_state(&self.state),)


@cython.final
cdef class Placements(MoveView):
    """The placements of one patch on a quilt, whatever it costs: a lazy sequence of moves."""

    def __reduce__(self):
        orientation = None if self.orientation == ANY else self.orientation
        return _restored_placements, (new_state(&self.state), LETTERS[self.letter], orientation)


Sequence.register(MoveView)


def _restored_legal_moves(state):
    """Rebuild pickled legal moves."""
    return state.legal_moves


def _restored_placements(state, patch, orientation):
    """Rebuild pickled placements."""
    return state.placements(patch, orientation)


cdef inline LegalMoves new_legal_moves(const pw_state *state):
    cdef LegalMoves moves = LegalMoves.__new__(LegalMoves)
    moves.state = state[0]
    moves.letter = ALL_LEGAL
    return moves


cdef Placements new_placements(const pw_state *state, object patch, object orientation):
    cdef Placements moves = Placements.__new__(Placements)
    moves.state = state[0]
    moves.letter = letter_index(patch)
    moves.orientation = ANY if orientation is None else orientation_number(orientation)
    if table(state.edition).patches[moves.letter].lanes == 0:
        raise NotationError(patch, 0, f"expected a patch of {edition_at(state.edition).tag}")
    return moves


cdef int open_buffer(object out, Py_buffer *view) except -1:
    """Opens a writable, contiguous buffer of single bytes."""
    PyObject_GetBuffer(out, view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)
    kind = view.format.decode() if view.format != NULL else "B"
    if kind.lstrip("@=<>!") not in ("b", "B", "c", "?"):
        PyBuffer_Release(view)
        raise TypeError(f"a mask takes single bytes, not items of format {kind!r}")
    return 0
