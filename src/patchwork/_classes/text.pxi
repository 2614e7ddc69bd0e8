# The state as one line of text.

# Where the text of a field begins: the number of its word, and its mark within the word.
cdef dict PLACES = {
    "edition": (0, ""), "line": (1, ""), "reserve": (1, "+"),
    "players[0].position": (3, "t"), "players[0].buttons": (3, "b"), "players[0].income": (3, "i"),
    "players[1].position": (5, "t"), "players[1].buttons": (5, "b"), "players[1].income": (5, "i"),
    "to_move": (6, ""), "specials_waiting": (6, "*"), "tile_holder": (7, ""),
    "finished_first": (8, ""),
}


cdef str letters_of(const uint8_t *numbers, Py_ssize_t count):
    cdef Py_ssize_t i
    cdef char[PW_LINE] letters
    for i in range(count):
        letters[i] = c"A" + numbers[i] if numbers[i] < 26 else c"a" + numbers[i] - 26
    return letters[:count].decode("ascii")


cdef str reserve_letters(const pw_state *state):
    return letters_of(&state.line[state.line_length], state.reserve_length)


cdef str market_letters(const pw_state *state):
    return letters_of(state.line, min(table(state.edition).market, state.line_length))


cdef inline object player_or_none(unsigned int player):
    return None if player == PW_NOBODY else player


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
    try:
        text.encode("ascii")
    except UnicodeEncodeError as error:
        return error.start
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
        return index_of_tag(tag)
    except EditionError as error:
        raise NotationError(text, at, error.fault) from None


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
    cdef int number
    if len(letters) > PW_LINE:
        raise NotationError(text, at, f"expected at most {PW_LINE} patches")
    for i, letter in enumerate(letters):
        number = letter_number(letter)
        if number < 0:
            raise NotationError(text, at + i, "expected the letter of a patch")
        out[i] = number
    return len(letters)


cdef pw_mask read_quilt(str rows, unsigned int size, str text, Py_ssize_t at) except *:
    """Reads the rows of a quilt, which stand in a text at a position."""
    cdef pw_mask mask
    cdef unsigned int row
    cdef Py_ssize_t i = 0
    mask.low = mask.high = 0
    for row in range(size):
        if row:
            if i == len(rows) or rows[i] != "/":
                raise NotationError(text, at + i, f"expected / and {size} rows in all")
            i += 1
        i = read_row(&mask, row, rows, i, size, text, at)
    if i < len(rows):
        raise NotationError(text, at + i, f"expected the end of the quilt after {size} rows")
    return mask


cdef Py_ssize_t read_row(
    pw_mask *mask, unsigned int row, str rows, Py_ssize_t i, unsigned int size, str text,
    Py_ssize_t at,
) except -1:
    """Reads one row, which begins at an index; returns where it ends."""
    cdef unsigned int column = 0
    cdef Py_UCS4 mark, before = c"x"
    while column < size:
        mark = rows[i] if i < len(rows) else c"/"
        if mark == c"x":
            add_cell(mask, row * 9 + column)
            column += 1
        elif before == c"x" and c"1" <= mark <= c"9":
            column += <int>mark - c"0"
        else:
            raise NotationError(text, at + i, "expected x or the length of a free run")
        if column > size:
            raise NotationError(text, at + i, f"expected a row of {size} cells")
        before = mark
        i += 1
    return i


cdef int read_player(pw_player *player, tuple word, str text) except -1:
    """Position, buttons and income, such as ``t0b5i0``."""
    numbers, at = word
    cdef Py_ssize_t i = 0
    player.position = read_number(numbers, c"t", MOST_SPACE, &i, text, at)
    player.buttons = read_number(numbers, c"b", MOST_BUTTONS, &i, text, at)
    player.income = read_number(numbers, c"i", MOST_INCOME, &i, text, at)
    if i < len(numbers):
        raise NotationError(text, at + i, "expected a space")
    return 0


cdef int read_number(
    str word, Py_UCS4 mark, int most, Py_ssize_t *i, str text, Py_ssize_t at
) except -1:
    """A mark and its number, without leading zeros."""
    cdef int number = 0
    cdef Py_ssize_t first = i[0] + 1
    if i[0] == len(word) or word[i[0]] != mark:
        raise NotationError(text, at + i[0], f"expected {mark}")
    i[0] = first
    while i[0] < len(word) and c"0" <= word[i[0]] <= c"9" and number <= most:
        number = 10 * number + <int>word[i[0]] - c"0"
        i[0] += 1
    if i[0] == first or i[0] > first + 1 and word[first] == c"0":
        raise NotationError(text, at + first, "expected a number without leading zeros")
    if number > most:
        raise NotationError(text, at + first, f"expected at most {most}")
    return number


cdef int read_mover(pw_state *state, tuple word, str text) except -1:
    mover, at = word
    cdef Py_ssize_t stars = len(mover) - 1 - len(mover[1:].lstrip("*"))
    state.mover = read_seat((mover[:1], at), text)
    if stars < len(mover) - 1:
        raise NotationError(text, at + 1 + stars, "expected * or a space")
    if stars > PW_SPECIALS:
        raise NotationError(text, at + 1 + PW_SPECIALS, f"expected at most {PW_SPECIALS} *")
    state.waiting = stars
    return 0


cdef int read_seat(tuple word, str text) except -1:
    seat, at = word
    if seat not in ("0", "1", "-"):
        raise NotationError(text, at, "expected 0, 1 or -")
    return PW_NOBODY if seat == "-" else int(seat)
