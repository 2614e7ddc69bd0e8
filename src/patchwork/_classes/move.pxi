# Moves and cells, as values and as texts.

cdef inline str cell_name(unsigned int cell):
    return COLUMNS[cell % 9] + ROWS[cell // 9]


cdef tuple cell_names(pw_mask mask):
    cdef unsigned int cell
    return tuple([cell_name(cell) for cell in range(81) if has_cell(mask, cell)])


cdef int read_cell(str text, str whole, Py_ssize_t position) except -1:
    """The index of a cell that stands at a position of a text."""
    cdef int column = COLUMNS.find(text[:1]) if text else -1
    cdef int row = ROWS.find(text[1:2]) if len(text) > 1 else -1
    if column < 0:
        raise NotationError(whole, position, "expected a column a..i")
    if row < 0:
        raise NotationError(whole, position + 1, "expected a row 1..9")
    if len(text) > 2:
        raise NotationError(whole, position + 2, "expected nothing more")
    return row * 9 + column


cdef int cell_index(object cell) except -1:
    cdef str name = exact_text(cell, "cell")
    return read_cell(name, name, 0)


cdef inline int letter_number(Py_UCS4 letter) noexcept:
    """The number of a letter A-Z a-z, or -1."""
    if c"A" <= letter <= c"Z":
        return <int>letter - c"A"
    return <int>letter - c"a" + 26 if c"a" <= letter <= c"z" else -1


cdef int letter_index(object patch) except -1:
    """The number of the patch that a caller names."""
    cdef str letter = exact_text(patch, "patch")
    if len(letter) != 1 or letter_number(letter) < 0:
        raise NotationError(letter, 0, "expected a letter A-Z or a-z")
    return letter_number(letter)


cdef int orientation_number(object orientation) except -1:
    return integer_within(orientation, 0, PW_ORIENTATIONS - 1, "orientation")


cdef inline Move new_move(unsigned int code):
    cdef Move move = Move.__new__(Move)
    move.c = code
    return move


cdef int parse_move(str text) except -1:
    """The code of a move in strict notation."""
    cdef int letter, orientation = 0
    cdef Py_ssize_t at = 1
    if text == "pass":
        return PW_PASS
    letter = LETTERS.find(text[:1]) if text else -1
    if letter < 0:
        raise NotationError(text, 0, "expected pass or the letter of a patch")
    if letter != PW_SPECIAL:
        orientation = "01234567".find(text[1:2]) if len(text) > 1 else -1
        at = 2
        if orientation < 0:
            raise NotationError(text, 1, "expected an orientation 0..7")
    if text[at:at + 1] != "@":
        raise NotationError(text, at, "expected @")
    return letter * 648 + orientation * 81 + read_cell(text[at + 1:], text, at + 1)


cdef str move_text(unsigned int code):
    if code == PW_PASS:
        return "pass"
    letter = LETTERS[code // 648]
    if code // 648 == PW_SPECIAL:
        return f"{letter}@{cell_name(code % 81)}"
    return f"{letter}{code // 81 % 8}@{cell_name(code % 81)}"


@cython.final
@cython.total_ordering
cdef class Move:
    """A move without its context: a pass, or a patch, its orientation and its cell.

    Moves are values: compared, ordered and hashed by :attr:`code`.

    :param patch: the letter of the patch, ``"h"`` for the special patch.
    :param orientation: 0..7; only 0 for the special patch.
    :param cell: the top left corner of the turned shape's bounding box, by name.
    :raises NotationError: if letter or cell are none.
    :raises ValueError: if the orientation is none.

    >>> Move("L", 0, "h1")
    Move.parse('L0@h1')
    """

    def __init__(self, patch, orientation, cell):
        cdef int letter = letter_index(patch), number = orientation_number(orientation)
        if letter == PW_SPECIAL and number:
            raise ValueError("the special patch has orientation 0 only")
        self.c = letter * 648 + number * 81 + cell_index(cell)

    @classmethod
    def parse(cls, text):
        """Read a move from its exact text: ``pass``, ``L0@h1``, or ``h@e5`` for a special patch.

        :raises NotationError: if the text is anything else.
        """
        return new_move(parse_move(exact_text(text, "text")))

    @classmethod
    def from_code(cls, code):
        """Return the move of a 16-bit code: letter * 648 + orientation * 81 + cell, 33,696 passes.

        :raises ValueError: if the code stands for no move.
        """
        cdef int number = integer_within(code, 0, PW_PASS, "code")
        if 81 <= number - PW_SPECIAL * 648 < 648:
            raise ValueError(f"{number} would be a turned special patch")
        return new_move(number)

    @property
    def code(self):
        """The 16-bit code: letter * 648 + orientation * 81 + cell, 33,696 for a pass."""
        return self.c

    @property
    def is_pass(self):
        """Whether it passes (R15)."""
        return self.c == PW_PASS

    @property
    def is_special(self):
        """Whether it places a special patch (R33)."""
        return self.c // 648 == PW_SPECIAL

    @property
    def patch(self):
        """The letter of the patch; None for a pass."""
        return None if self.c == PW_PASS else LETTERS[self.c // 648]

    @property
    def orientation(self):
        """The orientation, 0..7; None for a pass."""
        return None if self.c == PW_PASS else self.c // 81 % 8

    @property
    def cell(self):
        """The cell of the bounding box's top left corner, by name; None for a pass."""
        return None if self.c == PW_PASS else cell_name(self.c % 81)

    def __eq__(self, other):
        if type(other) is not Move:
            return NotImplemented
        return self.c == (<Move>other).c

    def __lt__(self, other):
        if type(other) is not Move:
            return NotImplemented
        return self.c < (<Move>other).c

    def __hash__(self):
        return self.c

    def __str__(self):
        return move_text(self.c)

    def __repr__(self):
        return f"Move.parse({move_text(self.c)!r})"

    def __reduce__(self):
        return Move.from_code, (self.c,)


PASS = new_move(PW_PASS)
