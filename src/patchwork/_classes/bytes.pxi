# The state as bytes. Their layout stands in the docstring of State.from_bytes.

cdef enum:
    BYTES_VERSION = 1
    BYTES_SIZE = 100
    BYTES_PLAYERS = 9
    BYTES_PLAYER = 17
    BYTES_SEATS = 43
    BYTES_LINE = 49

cdef dict OFFSETS = {
    "line": 49, "reserve": 48,
    "players[0].position": 20, "players[0].income": 21, "players[0].buttons": 22,
    "players[1].position": 37, "players[1].income": 38, "players[1].buttons": 39,
    "to_move": 43, "specials_waiting": 44, "tile_holder": 45, "finished_first": 46,
}


cdef void put_number(uint8_t *out, uint64_t number, unsigned int count) noexcept:
    cdef unsigned int i
    for i in range(count):
        out[i] = number >> 8 * i & 255


cdef uint64_t get_number(const uint8_t *data, unsigned int count) noexcept:
    cdef unsigned int i
    cdef uint64_t number = 0
    for i in range(count):
        number |= <uint64_t>data[i] << 8 * i
    return number


cdef bytes state_bytes(const pw_state *state):
    cdef uint8_t[BYTES_SIZE] out
    cdef unsigned int i
    out[0] = BYTES_VERSION
    put_number(out + 1, table(state.edition).digest, 8)
    for i in range(2):
        put_player(out + BYTES_PLAYERS + BYTES_PLAYER * i, &state.players[i])
    out[BYTES_SEATS], out[BYTES_SEATS + 1] = state.mover, state.waiting
    out[BYTES_SEATS + 2], out[BYTES_SEATS + 3] = state.tile_holder, state.finished_first
    out[BYTES_LINE - 2], out[BYTES_LINE - 1] = state.line_length, state.reserve_length
    memcpy(out + BYTES_LINE, state.line, PW_LINE)
    return out[:BYTES_SIZE]


cdef void put_player(uint8_t *out, const pw_player *player) noexcept:
    put_number(out, player.quilt.low, 8)
    put_number(out + 8, player.quilt.high, 3)
    out[11], out[12] = player.position, player.income
    put_number(out + 13, player.buttons, 4)


cdef State state_from_bytes(object data):
    cdef Py_buffer view
    cdef uint8_t[BYTES_SIZE] raw
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        if view.len != BYTES_SIZE:
            raise BytesError(
                min(view.len, BYTES_SIZE), f"expected {BYTES_SIZE} bytes, not {view.len}"
            )
        memcpy(raw, view.buf, BYTES_SIZE)
    finally:
        PyBuffer_Release(&view)
    return unpacked(raw)


cdef State unpacked(const uint8_t *raw):
    cdef pw_state state
    cdef int index
    if raw[0] != BYTES_VERSION:
        raise BytesError(0, f"expected version {BYTES_VERSION}, not {raw[0]}")
    index = index_of_digest(get_number(raw + 1, 8))
    if index < 0:
        raise BytesError(1, f"unknown edition {get_number(raw + 1, 8):016x}")
    memset(&state, 0, sizeof(state))
    state.edition = index
    unpack_player(&state, 0, raw)
    unpack_player(&state, 1, raw)
    unpack_seats(&state, raw)
    unpack_line(&state, raw)
    try:
        check_state(&state)
    except StateError as error:
        raise BytesError(OFFSETS[error.field], f"{error.field}: {error.fault}") from None
    return new_state(&state)


cdef int unpack_player(pw_state *state, unsigned int player, const uint8_t *raw) except -1:
    cdef unsigned int at = BYTES_PLAYERS + BYTES_PLAYER * player
    cdef pw_player *one = &state.players[player]
    cdef const pw_edition *edition = table(state.edition)
    cdef uint64_t buttons = get_number(raw + at + 13, 4)
    one.quilt.low, one.quilt.high = get_number(raw + at, 8), get_number(raw + at + 8, 3)
    if one.quilt.low & ~edition.board.low or one.quilt.high & ~edition.board.high:
        raise BytesError(at, f"players[{player}].quilt: a cell is off the board")
    one.position, one.income = raw[at + 11], raw[at + 12]
    if buttons > MOST_BUTTONS:
        raise BytesError(at + 13, f"players[{player}].buttons: more than {MOST_BUTTONS:,}")
    one.buttons = buttons
    return 0


cdef int unpack_seats(pw_state *state, const uint8_t *raw) except -1:
    cdef unsigned int at
    for at in (BYTES_SEATS, BYTES_SEATS + 2, BYTES_SEATS + 3):
        if raw[at] > PW_NOBODY:
            raise BytesError(at, f"expected 0, 1 or {PW_NOBODY}, not {raw[at]}")
    state.mover, state.waiting = raw[BYTES_SEATS], raw[BYTES_SEATS + 1]
    state.tile_holder, state.finished_first = raw[BYTES_SEATS + 2], raw[BYTES_SEATS + 3]
    return 0


cdef int unpack_line(pw_state *state, const uint8_t *raw) except -1:
    cdef unsigned int i, count = raw[BYTES_LINE - 2] + raw[BYTES_LINE - 1]
    if count > PW_LINE:
        raise BytesError(BYTES_LINE - 2, f"line: expected at most {PW_LINE} patches")
    state.line_length, state.reserve_length = raw[BYTES_LINE - 2], raw[BYTES_LINE - 1]
    for i in range(PW_LINE):
        if raw[BYTES_LINE + i] >= (PW_LETTERS if i < count else 1):
            raise BytesError(BYTES_LINE + i, f"line: unexpected {raw[BYTES_LINE + i]}")
        state.line[i] = raw[BYTES_LINE + i]
    return 0
