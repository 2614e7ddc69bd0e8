# What a position must hold to be played on (R47), whatever it was read from.

cdef enum:
    MOST_BUTTONS = 999999
    MOST_INCOME = 255
    MOST_SPACE = 254


cdef int check_state(const pw_state *state) except -1:
    """Raises StateError for the first contradiction, in the order of the text's fields."""
    check_line(state)
    check_player(state, 0)
    check_player(state, 1)
    check_mover(state)
    check_waiting(state)
    check_tile(state)
    check_finished_first(state)
    return 0


cdef int check_line(const pw_state *state) except -1:
    """Known letters, each once; the reserve whole, and only while it has not joined (R45)."""
    cdef const pw_edition *edition = table(state.edition)
    cdef unsigned int i, letter
    cdef uint64_t seen = 0
    for i in range(state.line_length + state.reserve_length):
        letter = state.line[i]
        field = "line" if i < state.line_length else "reserve"
        if letter == PW_SPECIAL or edition.patches[letter].lanes == 0:
            raise StateError(field, f"{LETTERS[letter]} is no patch of the edition")
        if seen >> letter & 1:
            raise StateError(field, f"{LETTERS[letter]} stands there twice")
        seen |= <uint64_t>1 << letter
    return check_reserve(state)


cdef int check_reserve(const pw_state *state) except -1:
    reserve = edition_at(state.edition).reserve
    if reserve is None:
        if state.reserve_length:
            raise StateError("reserve", "the edition has none")
        return 0
    if state.reserve_length == 0:
        return check_joined(state, reserve.patches)
    if state.line_length <= table(state.edition).join_at:
        raise StateError("reserve", "it has joined a line as short as this")
    if set(reserve_letters(state)) != set(reserve.patches):
        raise StateError("reserve", "it holds all patches of the edition's reserve, or none")
    return 0


cdef int check_joined(const pw_state *state, str whole) except -1:
    """A reserve that has joined stood in a line of at most join_at patches and itself."""
    cdef int others = state.line_length - sum([
        letter in whole for letter in letters_of(state.line, state.line_length)
    ])
    if others > table(state.edition).join_at:
        raise StateError("reserve", "it cannot have joined a line as long as this")
    return 0


cdef int income_to_come(const pw_state *state) noexcept:
    """The income of all patches in line and reserve."""
    cdef int i, total = 0
    for i in range(state.line_length + state.reserve_length):
        total += table(state.edition).patches[state.line[i]].income
    return total


cdef int check_player(const pw_state *state, unsigned int player) except -1:
    cdef const pw_edition *edition = table(state.edition)
    cdef const pw_player *one = &state.players[player]
    cdef int most = one.income + income_to_come(state)
    cdef int spaces = edition.final - one.position
    cdef int markers
    if spaces < 0:
        raise StateError(f"players[{player}].position", f"the last space is {edition.final}")
    if most > MOST_INCOME:
        raise StateError(f"players[{player}].income", f"could come to {most}, above {MOST_INCOME}")
    markers = edition.markers_to[edition.final] - edition.markers_to[one.position]
    if one.buttons + spaces + markers * most > MOST_BUTTONS:
        raise StateError(f"players[{player}].buttons", f"could come to more than {MOST_BUTTONS:,}")
    return 0


cdef int check_mover(const pw_state *state) except -1:
    """R10, R12, R46."""
    cdef int final = table(state.edition).final, lead
    cdef bint both = state.players[0].position == final and state.players[1].position == final
    if state.mover == PW_NOBODY:
        if not both:
            raise StateError("to_move", "the game is not over before both are on the last space")
        return 0
    if both:
        raise StateError("to_move", "both are on the last space, the game is over")
    lead = state.players[state.mover].position - state.players[state.mover ^ 1].position
    if lead > 0 and state.waiting == 0:
        raise StateError("to_move", "the player in front is not to move")
    return 0


cdef int check_waiting(const pw_state *state) except -1:
    """R35, R46."""
    cdef const pw_edition *edition = table(state.edition)
    cdef unsigned int front, back
    if state.waiting == 0:
        return 0
    if state.mover == PW_NOBODY:
        raise StateError("specials_waiting", "none waits when the game is over")
    front = state.players[state.mover].position
    back = state.players[state.mover ^ 1].position
    if front <= back:
        raise StateError("specials_waiting", "one waits only for a player in front of the other")
    if state.waiting > edition.specials_to[front] - edition.specials_to[back]:
        raise StateError("specials_waiting", "more wait than lie between the players")
    if empty_cells(state, state.mover) == 0:
        raise StateError("specials_waiting", "none waits for a player with a full quilt")
    return 0


cdef int check_tile(const pw_state *state) except -1:
    if state.tile_holder != PW_NOBODY and table(state.edition).squares_count == 0:
        raise StateError("tile_holder", "the edition has no special tile")
    return 0


cdef int check_finished_first(const pw_state *state) except -1:
    """R41."""
    cdef unsigned int player, first = state.finished_first, there = 0
    for player in range(2):
        there += state.players[player].position == table(state.edition).final
    if first == PW_NOBODY and there:
        raise StateError("finished_first", "somebody is on the last space")
    if first != PW_NOBODY and state.players[first].position != table(state.edition).final:
        raise StateError("finished_first", f"player {first} is not on the last space")
    return 0
