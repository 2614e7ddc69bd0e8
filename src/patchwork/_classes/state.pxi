# The state of a game.

cdef enum:
    MOST_DEPTH = 999

cdef State new_state(const pw_state *source):
    cdef State state = State.__new__(State)
    state.c = source[0]
    return state


cdef inline Py_hash_t hash_of(const pw_state *state) noexcept:
    cdef Py_hash_t value = <Py_hash_t>engine.key(table(state.edition), state)
    return -2 if value == -1 else value


cdef int player_number(object player) except -1:
    return integer_within(player, 0, 1, "player")


def start_state(int edition, line, reserve, start_player):
    """Return the first state of a setup.

    :raises StateError: if line and reserve are not what R47 allows.
    """
    cdef pw_state state
    if not 0 < edition < len(editions):
        raise IndexError(f"no edition {edition}")
    memset(&state, 0, sizeof(state))
    state.edition, state.mover = edition, player_number(start_player)
    set_line(&state, line, reserve)
    engine.start(table(edition), &state)
    check_state(&state)
    return new_state(&state)


@cython.final
cdef class State:
    """A position of a game: an immutable value, complete by itself.

    States come from :meth:`Setup.start`, :meth:`parse`, :meth:`from_bytes`, :meth:`from_dict` and
    :meth:`replace`. They can be compared, hashed, pickled and shared between threads; undoing a
    move is keeping the state before it.

    >>> from patchwork import Setup
    >>> state = Setup.random(7).start().after("pass")
    >>> state.to_move, state.players[0].buttons
    (1, 6)
    """

    def __init__(self):
        raise TypeError("use Setup.start, State.parse, State.from_bytes or State.from_dict")

    @classmethod
    def parse(cls, text):
        """Read a state from its text, of which only the canonical form is accepted.

        The text is nine words: the edition; the line, with ``+`` before a reserve, or ``-``; for
        each player the quilt, and position, buttons and income; the player to move, or ``-``, with
        a ``*`` for each special patch that waits; the holder of the tile; who finished first.

        :raises NotationError: if the text is malformed, or describes what R47 refuses.

        >>> quilts = "9/9/9/9/9/9/9/9/9 t51b30i2 9/9/9/9/9/9/9/9/9 t53b9i0"
        >>> State.parse(f"classic KdfA {quilts} 0 - 1").after("pass").scores
        (-128, -153)
        """
        return parse_state(exact_text(text, "text"))

    @classmethod
    def from_bytes(cls, data):
        """Read a state from what ``bytes(state)`` gave: 100 bytes, the same on every machine.

        ======  =====  ====================================================================
        offset  bytes  content; numbers are little endian
        ======  =====  ====================================================================
        0       1      version: 1
        1       8      digest of the edition
        9       17     player 0: quilt 11 (cell row * 9 + column is that bit), position 1,
                       income 1, buttons 4
        26      17     player 1
        43      1      player to move; here and below 2 for nobody
        44      1      special patches that wait
        45      1      holder of the tile
        46      1      who finished first
        47      1      patches in line
        48      1      patches in the reserve
        49      51     line, then reserve: A-Z are 0..25, a-z 26..51; zeros to the end
        ======  =====  ====================================================================

        :param data: any bytes-like object.
        :raises BytesError: if length, version or edition are wrong, or R47 refuses the content.

        >>> from patchwork import Setup
        >>> state = Setup.random(7).start()
        >>> State.from_bytes(bytes(state)) == state
        True
        """
        return state_from_bytes(data)

    @classmethod
    def from_dict(cls, data):
        """Read a state from what :meth:`to_dict` gave.

        An edition of one's own has to be made before, so that its tag is known.

        :raises StateError: if a key is missing or unknown, or a value wrong.
        """
        return state_from_dict(data)

    def to_dict(self):
        """Return the state as plain JSON values.

        The keys are ``edition`` (its tag), ``line``, ``reserve``, ``players`` (two, with ``quilt``,
        ``position``, ``buttons`` and ``income``), ``to_move``, ``specials_waiting``,
        ``tile_holder`` and ``finished_first``; texts as in :meth:`parse`, and None for nobody. The
        schema is ``schema/state.schema.json`` in the package.
        """
        return state_dict(&self.c)

    @property
    def key(self):
        """A 64-bit hash of the position and its edition, the same on every machine.

        Equal states have equal keys; :func:`hash` derives from it.
        """
        return engine.key(table(self.c.edition), &self.c)

    @property
    def edition(self):
        """The edition."""
        return edition_at(self.c.edition)

    @property
    def line(self):
        """The letters of the patches in line, from the neutral token on (R05, R22)."""
        return letters_of(self.c.line, self.c.line_length)

    @property
    def reserve(self):
        """The letters of the patches that have not joined the line (R45)."""
        return reserve_letters(&self.c)

    @property
    def market(self):
        """The letters of the patches on offer, slot 0 first (R21)."""
        return market_letters(&self.c)

    @property
    def players(self):
        """Both players' parts of the state, by number."""
        cdef Player player
        cdef list players = []
        cdef unsigned int i
        for i in range(2):
            player = Player.__new__(Player)
            player.c = self.c.players[i]
            player.edition_index = self.c.edition
            players.append(player)
        return tuple(players)

    @property
    def to_move(self):
        """The player to move, 0 or 1; None when the game is over (R10 .. R14)."""
        return player_or_none(self.c.mover)

    @property
    def is_over(self):
        """Whether both tokens are on the last space (R39)."""
        return self.c.mover == PW_NOBODY

    @property
    def specials_waiting(self):
        """The number of special patches that the player to move has to place first (R14)."""
        return self.c.waiting

    @property
    def specials_left(self):
        """The spaces of the special patches that nobody has reached (R32)."""
        cdef const pw_edition *edition = table(self.c.edition)
        cdef unsigned int i
        cdef unsigned int front = max(self.c.players[0].position, self.c.players[1].position)
        cdef unsigned int first = edition.specials_to[front]
        return tuple([
            edition.specials[i] for i in range(first, edition.specials_to[edition.final])
        ])

    @property
    def tile_holder(self):
        """Who holds the special tile, or None (R37)."""
        return player_or_none(self.c.tile_holder)

    @property
    def finished_first(self):
        """Who was the first on the last space, or None (R41)."""
        return player_or_none(self.c.finished_first)

    @property
    def scores(self):
        """The points of both players as if the game ended now (R40)."""
        cdef const pw_edition *edition = table(self.c.edition)
        return engine.points(edition, &self.c, 0), engine.points(edition, &self.c, 1)

    @property
    def winner(self):
        """The winner; None before the end. There is no draw (R41)."""
        return player_or_none(engine.winner(table(self.c.edition), &self.c))

    @property
    def returns(self):
        """1 for the winner and -1 for the loser, by player; (0, 0) before the end."""
        winner = self.winner
        return (0, 0) if winner is None else (1, -1) if winner == 0 else (-1, 1)

    @property
    def outcome(self):
        """The parts of both scores, the winner and what decided it."""
        scores = score_parts(&self.c, 0), score_parts(&self.c, 1)
        decided = None
        if self.is_over:
            decided = "points" if scores[0].total != scores[1].total else "finished first"
        return Outcome(scores, self.winner, decided)

    @property
    def legal_moves(self):
        """The legal moves, a lazy sequence; empty only when the game is over."""
        return new_legal_moves(&self.c)

    @property
    def offers(self):
        """The patches of the market, each with its placements and why it cannot be taken."""
        cdef unsigned int slot, count = min(table(self.c.edition).market, self.c.line_length)
        return tuple([offer_at(&self.c, slot) for slot in range(count)])

    def placements(self, patch, orientation=None):
        """Return every placement of a patch on the quilt of the player to move.

        :param patch: a letter of the edition, in the market or not, whatever it costs; ``"h"``
            for the free cells.
        :param orientation: only this one, 0..7.
        :return: a lazy sequence of moves; empty when the game is over.
        :raises NotationError: if the edition has no such patch.

        >>> from patchwork import Setup
        >>> len(Setup.random(7).start().placements("A", 0))
        72
        """
        return new_placements(&self.c, patch, orientation)

    def cells(self, move):
        """Return the names of the cells that a move covers, row by row, whether legal or not.

        None for a pass, for a box off the board and for a patch that the edition lacks.

        :raises IllegalMoveError: for an action id that stands for no move here.

        >>> from patchwork import Setup
        >>> Setup.random(7).start().cells("L0@h1")
        ('h1', 'i1', 'i2', 'i3', 'h4', 'i4')
        """
        cdef pw_mask covered
        engine.cells_of(table(self.c.edition), meant(&self.c, move), &covered)
        return cell_names(covered)

    def income_left(self, player):
        """Return the buttons that a player's markers ahead would pay with today's income (R30)."""
        cdef const pw_edition *edition = table(self.c.edition)
        cdef const pw_player *one = &self.c.players[player_number(player)]
        return (edition.markers_to[edition.final] - edition.markers_to[one.position]) * one.income

    def after(self, move):
        """Return the state after a move.

        :param move: a :class:`Move`, its text, or its action id.
        :raises IllegalMoveError: if the rules refuse it.
        :raises NotationError: if the text is none of a move.

        >>> from patchwork import Setup
        >>> Setup.from_line("KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA").start().after("L0@h1")
        Traceback (most recent call last):
        ...
        patchwork.errors.IllegalMoveError: L0@h1 is refused: not in the market, in classic \
KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA 9/9/9/9/9/9/9/9/9 t0b5i0 9/9/9/9/9/9/9/9/9 t0b5i0 0 - -
        """
        cdef unsigned int code = accept(&self.c, move)
        cdef State state = State.__new__(State)
        state.c = self.c
        engine.apply(table(self.c.edition), &state.c, code)
        return state

    def events(self, move):
        """Return what a move would bring about, without playing it, in the order of R20.

        :raises IllegalMoveError: if the rules refuse it.

        >>> from patchwork import Setup
        >>> for event in Setup.random(7).start().events("pass"):
        ...     print(event.kind, event.player, event.amount, event.rule)
        moved 0 0 R15
        paid for spaces 0 1 R15
        next player 1 0 R10
        """
        cdef pw_report report
        cdef pw_state after = self.c
        cdef unsigned int code = accept(&self.c, move)
        engine.apply(table(self.c.edition), &after, code)
        engine.report(table(self.c.edition), &self.c, &after, code, &report)
        return events_of(&report, &self.c, &after)

    def why_illegal(self, move):
        """Return every reason against a move, the headline first, or None if it is legal.

        :raises NotationError: if the text is none of a move.

        >>> from patchwork import Setup
        >>> Setup.random(7).start().why_illegal("h@e5")
        (<Reason.NO_SPECIAL: 'no special'>,)
        """
        cdef Attempt tried
        attempt(&self.c, move, &tried)
        return reasons_of(tried.reasons) if tried.reasons else None

    def read_move(self, text):
        """Read a move as people type it: ``l0@H1``, ``L0h1``, ``PASS``, ``0:3@h1``, ``h0@e5``.

        The case of a letter is ignored where only one patch on offer fits, ``0:`` stands for the
        patch in slot 0, and the move need not be legal.

        :raises NotationError: if no move can be meant.

        >>> from patchwork import Setup
        >>> state = Setup.from_line("KdfBCDEFGHIJLMNOPQRSTUVWXYZabcegA").start()
        >>> state.read_move(" k2A1 "), state.read_move("0:2@a1")
        (Move.parse('K2@a1'), Move.parse('K2@a1'))
        """
        return new_move(read_loosely(&self.c, exact_text(text, "text")))

    def move_to_action(self, move):
        """Return the action id of a move, with the lowest number of its orientation.

        :raises IllegalMoveError: if its patch is not in the market.
        """
        cdef Attempt tried
        cdef int action
        if not isinstance(move, (Move, str)):
            raise TypeError(f"a move is a Move or a text, not {type(move).__name__}")
        attempt(&self.c, move, &tried)
        action = engine.action_of(table(self.c.edition), &self.c, tried.move)
        if action < 0:
            raise refusal(&self.c, move, &tried)
        return action

    def action_to_move(self, action):
        """Return the move that an action id stands for here, legal or not.

        :raises IllegalMoveError: if it is no id, its slot is empty or its orientation repeats one.
        """
        return new_move(meant_by_action(&self.c, action))

    def replace(self, **changes):
        """Return a state with some fields changed by hand, for puzzles.

        :param changes: ``line``, ``reserve``, ``to_move``, ``specials_waiting``, ``tile_holder``,
            ``finished_first``, or for both players ``quilts`` (:class:`Quilt` or text),
            ``positions``, ``buttons``, ``incomes``.
        :raises StateError: if R47 refuses the result.
        :raises TypeError: for another keyword.

        >>> from patchwork import Setup
        >>> puzzle = Setup.random(7).start().replace(buttons=(30, 5), positions=(40, 44))
        >>> puzzle.players[0].buttons, puzzle.players[1].position
        (30, 44)
        """
        return replaced(&self.c, changes)

    def problems(self):
        """Return the signs that no play has led here (R48), as a tuple of :class:`Problem`.

        A state that was reached by play has none; that there are none proves nothing.

        >>> from patchwork import Setup
        >>> for problem in Setup.random(7).start().replace(buttons=(6, 5)).problems():
        ...     print(problem.kind, problem.where, problem.detail, sep=": ")
        too many buttons: players[0]: 6 held, at most 5 possible
        empty quilt: players[0]: expected 5 buttons and no income
        standing still: players[0]: expected what a player has at the start
        too much spent: players: 0 paid and 11 held, at most 10 possible
        """
        return find_problems(&self.c)

    def playout(self, seed=None, *, rng=None):
        """Return the final state of a game that is played on at random.

        Each move is one draw among the legal ones, in the order of action ids, so that a seed
        gives the same game everywhere.

        :param seed: 0..2**64 - 1; None for a fresh one.
        :param rng: a :class:`Random` to draw from instead.
        :raises ValueError: if the seed lies outside.
        """
        cdef State final = new_state(&self.c)
        cdef Random random
        if rng is not None and (seed is not None or type(rng) is not Random):
            raise TypeError("give a seed, or a patchwork.Random as rng")
        if seed is None:
            seed = int.from_bytes(os.urandom(8), "little")
        random = Random(seed) if rng is None else rng
        with nogil:
            engine.playout(table(final.c.edition), &final.c, &random.c)
        return final

    def perft(self, depth):
        """Return the number of sequences of exactly this many plies from here.

        A finished game has none; the placement of a special patch is a ply. Counts are exact
        below 2**64.

        :param depth: 0..999.

        >>> from patchwork import Setup
        >>> state = Setup.random(7).start()
        >>> state.perft(1) == len(state.legal_moves)
        True
        """
        cdef uint64_t total
        cdef unsigned int plies = integer_within(depth, 0, MOST_DEPTH, "depth")
        with nogil:
            total = engine.perft(table(self.c.edition), &self.c, plies)
        return total

    def __bytes__(self):
        return state_bytes(&self.c)

    def __eq__(self, other):
        if type(other) is not State:
            return NotImplemented
        return memcmp(&self.c, &(<State>other).c, sizeof(pw_state)) == 0

    def __hash__(self):
        return hash_of(&self.c)

    def __str__(self):
        return state_text(&self.c)

    def __repr__(self):
        return f"State.parse({state_text(&self.c)!r})"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        edition = edition_at(self.c.edition)
        if edition.is_shipped:
            return _restored_state, (state_bytes(&self.c),)
        return _restored_state, (state_bytes(&self.c), edition)


def _restored_state(data, edition=None):
    """Rebuild a pickled state; unpickling an edition of its own has registered that."""
    return state_from_bytes(data)
