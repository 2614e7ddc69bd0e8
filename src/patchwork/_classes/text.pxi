# The state as one line of text.

cdef enum:
    MOST_DIGITS = 6

# Where the text of a field begins: the number of its word, and its mark within the word.
cdef dict PLACES = {
    "edition": (0, ""), "line": (1, ""), "reserve": (1, "+"),
    "players[0].position": (3, "t"), "players[0].buttons": (3, "b"), "players[0].income": (3, "i"),
    "players[1].position": (5, "t"), "players[1].buttons": (5, "b"), "players[1].income": (5, "i"),
    "to_move": (6, ""), "specials_waiting": (6, "*"), "tile_holder": (7, ""),
    "finished_first": (8, ""),
}


cdef str quilt_text(pw_mask mask, unsigned int size):
    cdef unsigned int row
    return "/".join([row_text(mask, row, size) for row in range(size)])


cdef str row_text(pw_mask mask, unsigned int row, unsigned int size):
    cdef unsigned int column, run = 0
    cdef str text = ""
    for column in range(size):
        if not has_cell(mask, row * 9 + column):
            run += 1
            continue
        text += f"{run}x" if run else "x"
        run = 0
    return f"{text}{run}" if run else text


cdef inline str player_text(unsigned int player):
    return "-" if player == PW_NOBODY else "01"[player]


cdef str line_text(const pw_state *state):
    cdef str line = letters_of(state.line, state.line_length) or "-"
    return f"{line}+{reserve_letters(state)}" if state.reserve_length else line


cdef str state_text(const pw_state *state):
    cdef list words = [edition_at(state.edition).tag, line_text(state)]
    cdef unsigned int i
    for i in range(2):
        player = state.players[i]
        words.append(quilt_text(player.quilt, table(state.edition).size))
        words.append(f"t{player.position}b{player.buttons}i{player.income}")
    words.append(player_text(state.mover) + "*" * state.waiting)
    words.append(player_text(state.tile_holder))
    words.append(player_text(state.finished_first))
    return " ".join(words)


cdef Py_ssize_t first_beyond_ascii(str text) except -1:
    cdef Py_ssize_t i
    for i, letter in enumerate(text):
        if not letter.isascii():
            return i
    return len(text)


cdef list words_of(str text):
    """The nine words of a state text, each with its position."""
    cdef list words = []
    cdef Py_ssize_t at = 0
    if not text.isascii():
        raise NotationError(text, first_beyond_ascii(text), "expected ASCII only")
    for word in text.split(" ", 9):
        if len(words) == 9:
            raise NotationError(text, at - 1, "expected the end of the state")
        if not word:
            raise NotationError(text, at, f"expected {FIELDS[len(words)]}")
        words.append((word, at))
        at += len(word) + 1
    if len(words) < 9:
        raise NotationError(text, len(text), f"expected {FIELDS[len(words)]}")
    return words


cdef tuple FIELDS = (
    "the edition", "the line", "the quilt of player 0", "position, buttons and income of player 0",
    "the quilt of player 1", "position, buttons and income of player 1", "the player to move",
    "the holder of the tile", "who finished first",
)


cdef State parse_state(str text):
    cdef pw_state state
    cdef list words = words_of(text)
    cdef unsigned int i
    memset(&state, 0, sizeof(state))
    state.edition = read_edition(words[0], text)
    read_line(&state, words[1], text)
    for i in range(2):
        word, at = words[2 + 2 * i]
        state.players[i].quilt = read_quilt(word, table(state.edition).size, text, at)
        read_player(&state.players[i], words[3 + 2 * i], text)
    read_mover(&state, words[6], text)
    state.tile_holder = read_seat(words[7], text)
    state.finished_first = read_seat(words[8], text)
    try:
        check_state(&state)
    except StateError as error:
        raise NotationError(text, place_of(error.field, words), error.fault) from None
    return new_state(&state)


cdef Py_ssize_t place_of(str field, list words) except -1:
    number, mark = PLACES[field]
    word, at = words[<Py_ssize_t>number]
    return at + max(word.find(mark), 0)


cdef int read_edition(tuple word, str text) except -1:
    tag, at = word
    try:
        index = edition_index(tag)
    except EditionError as error:
        raise NotationError(text, at, error.fault) from None
    if edition_at(index).tag != tag:
        raise NotationError(text, at, f"expected {edition_at(index).tag}")
    return index


cdef int read_line(pw_state *state, tuple word, str text) except -1:
    letters, at = word
    line, plus, reserve = letters.partition("+")
    state.line_length = read_letters(state.line, "" if line == "-" else line, text, at)
    if not plus:
        return 0
    at += len(line) + 1
    if not reserve:
        raise NotationError(text, at, "expected the patches of the reserve")
    if state.line_length + len(reserve) > PW_LINE:
        raise NotationError(text, at, f"expected at most {PW_LINE} patches")
    state.reserve_length = read_letters(&state.line[state.line_length], reserve, text, at)
    return 0


cdef int read_letters(uint8_t *out, str letters, str text, Py_ssize_t at) except -1:
    cdef Py_ssize_t i
    if len(letters) > PW_LINE:
        raise NotationError(text, at, f"expected at most {PW_LINE} patches")
    for i, letter in enumerate(letters):
        if letter not in LETTERS:
            raise NotationError(text, at + i, "expected the letter of a patch")
        out[i] = LETTERS.index(letter)
    return len(letters)


cdef pw_mask read_quilt(str rows, unsigned int size, str text, Py_ssize_t at) except *:
    cdef pw_mask mask
    cdef unsigned int row = 0
    cdef list parts = rows.split("/", 9)
    mask.low = mask.high = 0
    for row in range(size):
        if row >= <unsigned int>len(parts):
            raise NotationError(text, at - 1, f"expected {size} rows")
        read_row(&mask, row, parts[row], size, text, at)
        at += len(parts[row]) + 1
    if <unsigned int>len(parts) > size:
        raise NotationError(text, at - 1, f"expected {size} rows")
    return mask


cdef int read_row(
    pw_mask *mask, unsigned int row, str part, unsigned int size, str text, Py_ssize_t at
) except -1:
    cdef Py_ssize_t i
    cdef unsigned int column = 0, run
    for i, mark in enumerate(part):
        run = 1 if mark == "x" else 1 + ROWS.find(mark)
        if run == 0:
            run = size + 1
        if mark != "x" and (run > size or i and part[i - 1] != "x"):
            raise NotationError(text, at + i, "expected x or the length of a free run")
        if column + run > size:
            raise NotationError(text, at + i, f"expected a row of {size} cells")
        if mark == "x":
            add_cell(mask, row * 9 + column)
        column += run
    if column < size:
        raise NotationError(text, at + len(part), f"expected a row of {size} cells")
    return 0


cdef int read_player(pw_player *player, tuple word, str text) except -1:
    """Position, buttons and income, such as ``t0b5i0``."""
    numbers, at = word
    cdef Py_ssize_t i = 0
    cdef list values = []
    for mark, most in (("t", 255), ("b", MOST_BUTTONS), ("i", MOST_INCOME)):
        if numbers[i:i + 1] != mark:
            raise NotationError(text, at + i, f"expected {mark}")
        digits = leading_digits(numbers[i + 1:i + 2 + MOST_DIGITS])
        if not digits or len(digits) > 1 and digits[0] == "0":
            raise NotationError(text, at + i + 1, "expected a number without leading zeros")
        if len(digits) > MOST_DIGITS or int(digits) > most:
            raise NotationError(text, at + i + 1, f"expected at most {most}")
        values.append(int(digits))
        i += 1 + len(digits)
    if i < len(numbers):
        raise NotationError(text, at + i, "expected a space")
    player.position, player.buttons, player.income = values
    return 0


cdef str leading_digits(str text):
    return text[:len(text) - len(text.lstrip("0123456789"))]


cdef int read_mover(pw_state *state, tuple word, str text) except -1:
    mover, at = word
    stars = mover.lstrip("01-")
    state.mover = read_seat((mover[:len(mover) - len(stars)] or stars, at), text)
    if stars.strip("*") or len(stars) > PW_SPECIALS:
        raise NotationError(text, at + 1, f"expected a * for each of at most {PW_SPECIALS} patches")
    state.waiting = len(stars)
    return 0


cdef int read_seat(tuple word, str text) except -1:
    seat, at = word
    if seat not in ("0", "1", "-"):
        raise NotationError(text, at, "expected 0, 1 or -")
    return PW_NOBODY if seat == "-" else int(seat)
