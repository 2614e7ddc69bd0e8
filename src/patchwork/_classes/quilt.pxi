# The quilt of a player, and the player.

cdef Quilt new_quilt(pw_mask mask, unsigned int edition):
    cdef Quilt quilt = Quilt.__new__(Quilt)
    quilt.mask = mask
    quilt.edition_index = edition
    return quilt


@cython.final
cdef class Quilt:
    """The covered cells of one player's board. Compared by cells and edition."""

    def __init__(self):
        raise TypeError("use Quilt.parse, or the quilt of a player")

    @classmethod
    def parse(cls, text, edition="classic"):
        """Read the rows from the top, joined by ``/``: ``x`` covered, a digit free cells.

        :param edition: the edition, or its name.
        :raises NotationError: if the text is not canonical.
        :raises EditionError: if the edition is unknown.

        >>> Quilt.parse("xx7/x8/9/9/9/9/9/9/9").cells
        ('a1', 'b1', 'a2')
        """
        cdef str rows = exact_text(text, "text")
        cdef int index = load_edition(edition)._index
        return new_quilt(read_quilt(rows, table(index).size, rows, 0), index)

    @property
    def edition(self):
        """The edition that it is a board of."""
        return edition_at(self.edition_index)

    @property
    def size(self):
        """The number of cells a side."""
        return table(self.edition_index).size

    @property
    def mask(self):
        """The covered cells as an integer: bit row * 9 + column."""
        return <object>self.mask.low | <object>self.mask.high << 64

    @property
    def cells(self):
        """The names of the covered cells, row by row."""
        return cell_names(self.mask)

    @property
    def rows(self):
        """The board as drawn, a text of ``x`` and ``.`` for each row."""
        cdef unsigned int row, column, size = self.size
        return tuple([
            "".join(["x" if has_cell(self.mask, row * 9 + column) else "."
                     for column in range(size)])
            for row in range(size)
        ])

    @property
    def empty(self):
        """The number of free cells."""
        return self.size ** 2 - len(self)

    def __len__(self):
        return pw_count(self.mask.low) + pw_count(self.mask.high)

    def __bool__(self):
        return True

    def __contains__(self, cell):
        return has_cell(self.mask, cell_index(cell))

    def __iter__(self):
        return iter(self.cells)

    def placements(self, patch, orientation=None):
        """Return every placement of a patch on this quilt, as :meth:`State.placements` does."""
        cdef pw_state state
        memset(&state, 0, sizeof(state))
        state.edition = self.edition_index
        state.players[0].quilt = self.mask
        state.tile_holder = state.finished_first = PW_NOBODY
        return new_placements(&state, patch, orientation)

    def __eq__(self, other):
        if type(other) is not Quilt:
            return NotImplemented
        return (
            self.edition_index == (<Quilt>other).edition_index
            and self.mask.low == (<Quilt>other).mask.low
            and self.mask.high == (<Quilt>other).mask.high
        )

    def __hash__(self):
        return hash((self.mask.low, self.mask.high, table(self.edition_index).digest))

    def __str__(self):
        return quilt_text(self.mask, self.size)

    def __repr__(self):
        return f"Quilt.parse({str(self)!r}, {self.edition.name!r})"

    def __reduce__(self):
        return Quilt.parse, (str(self), self.edition)


@cython.final
cdef class Player:
    """One player's part of a state."""

    def __init__(self):
        raise TypeError("use the players of a state")

    @property
    def position(self):
        """The space of the time token, 0 at the start."""
        return self.c.position

    @property
    def buttons(self):
        """The buttons held."""
        return self.c.buttons

    @property
    def income(self):
        """The buttons printed on the quilt's patches: what an income marker pays (R30)."""
        return self.c.income

    @property
    def quilt(self):
        """The quilt."""
        return new_quilt(self.c.quilt, self.edition_index)

    def __eq__(self, other):
        if type(other) is not Player:
            return NotImplemented
        return (
            self.edition_index == (<Player>other).edition_index
            and memcmp(&self.c, &(<Player>other).c, sizeof(pw_player)) == 0
        )

    def __hash__(self):
        return hash((self.position, self.buttons, self.income, self.quilt))

    def __repr__(self):
        return (
            f"<Player position={self.position} buttons={self.buttons} income={self.income} "
            f"quilt={str(self.quilt)!r}>"
        )

    def __reduce__(self):
        return _restored_player, (self.position, self.buttons, self.income, self.quilt)


def _restored_player(position, buttons, income, quilt):
    """Rebuild a pickled player."""
    return new_player(position, buttons, income, quilt)


cdef Player new_player(unsigned int position, int buttons, unsigned int income, Quilt quilt):
    cdef Player player = Player.__new__(Player)
    player.c.position, player.c.buttons, player.c.income = position, buttons, income
    player.c.quilt = quilt.mask
    player.edition_index = quilt.edition_index
    return player
