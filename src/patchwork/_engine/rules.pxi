# The rules of play, each decided here once, beside its id.

cdef enum:
    PASS_SLOT = 3
    UPPER_ANCHORS = 18  # cells of the two rows whose anchors window 0 holds


# A move as the kernel handles it. The anchor is a bit of one of the two windows of rows.
cdef struct Choice:
    unsigned slot    # of the market, or PASS_SLOT; 0 for a special patch
    unsigned lane
    unsigned window
    unsigned bit


cdef inline pw_mask covering(uint64_t shape, unsigned window, unsigned bit) noexcept nogil:
    """The cells of a shape with its box at an anchor; it lies within the anchor's window."""
    cdef pw_mask cells
    cdef uint64_t word = shape << bit
    if window == 0:
        cells.low, cells.high = word, 0
    else:
        cells.low, cells.high = word << UPPER_ANCHORS, word >> (64 - UPPER_ANCHORS)
    return cells


cdef inline bint contains(pw_mask mask, pw_mask part) noexcept nogil:
    return (part.low & ~mask.low | part.high & ~mask.high) == 0


cdef inline pw_mask free_cells(Edition edition, const pw_player *player) noexcept nogil:
    cdef pw_mask cells
    cells.low = edition.board.low & ~player.quilt.low
    cells.high = edition.board.high & ~player.quilt.high
    return cells


cdef inline void join_reserve(Edition edition, pw_state *state) noexcept nogil:
    """R45. The reserve lies behind the line in memory: joining is counting."""
    if state.reserve_length == 0 or state.line_length > edition.join_at:
        return
    state.line_length += state.reserve_length
    state.reserve_length = 0


cdef inline void take_from_line(Edition edition, pw_state *state, unsigned slot) noexcept nogil:
    """R22: the patches skipped go to the end of the line."""
    cdef uint8_t[2] skipped
    cdef unsigned i, behind = state.line_length - 1 - slot
    skipped[0], skipped[1] = state.line[0], state.line[1]
    pw_shift_line(state.line, slot + 1)
    if state.reserve_length:
        memmove(&state.line[behind + slot], &state.line[behind], state.reserve_length)
    for i in range(slot):
        state.line[behind + i] = skipped[i]
    state.line_length -= 1
    join_reserve(edition, state)


cdef inline bint has_square(Edition edition, pw_mask quilt) noexcept nogil:
    """R37. The cells that all squares share are asked first; without a tile no square exists."""
    cdef unsigned i
    if contains(quilt, edition.centre):
        for i in range(edition.squares_count):
            if contains(quilt, edition.squares[i]):
                return True
    return False


cdef inline void cover(Edition edition, pw_state *state, pw_mask cells) noexcept nogil:
    """Sews cells on the mover's quilt and hands out the tile, if it is still there (R37, R38)."""
    cdef pw_player *player = &state.players[state.mover]
    player.quilt.low |= cells.low
    player.quilt.high |= cells.high
    if state.tile_holder == PW_NOBODY and has_square(edition, player.quilt):
        state.tile_holder = state.mover


cdef inline void end_ply(Edition edition, pw_state *state, unsigned waiting) noexcept nogil:
    """Decides who moves next; special patches that wait are placed first (R14)."""
    cdef unsigned mover = state.mover
    cdef pw_player *player = &state.players[mover]
    cdef pw_player *other = &state.players[mover ^ 1]
    if waiting and contains(player.quilt, edition.board):  # R34: they leave the game
        waiting = 0
    state.waiting = waiting
    if waiting:
        return
    if player.position > other.position:  # R10, R13
        state.mover = mover ^ 1
    elif player.position == edition.final:  # R12, R39: both are there
        state.mover = PW_NOBODY
    # R11: on the same space the mover stays, he is on top


cdef inline void advance(Edition edition, pw_state *state, unsigned space) noexcept nogil:
    """Moves the mover's token to a space, or to the end of the track (R17, R27), and ends the ply.

    A token that stays crosses nothing (R43).
    """
    cdef pw_player *player = &state.players[state.mover]
    cdef unsigned origin = player.position
    cdef unsigned front = max(origin, state.players[state.mover ^ 1].position)
    cdef unsigned target = min(space, edition.final)
    cdef unsigned markers = edition.markers_to[target] - edition.markers_to[origin]
    cdef unsigned specials = 0
    if target > front:  # R32, R46: those up to the front are gone
        specials = edition.specials_to[target] - edition.specials_to[front]
    player.position = target
    player.buttons += markers * player.income  # R19, R30, R31
    if target == edition.final and state.finished_first == PW_NOBODY:  # R41
        state.finished_first = state.mover
    end_ply(edition, state, specials)


cdef inline void buy(Edition edition, pw_state *state, Choice choice) noexcept nogil:
    """R20: take the patch, pay, place it (R24), move the token (R26)."""
    cdef const pw_patch *patch = &edition.patches[state.line[choice.slot]]
    cdef pw_player *player = &state.players[state.mover]
    take_from_line(edition, state, choice.slot)
    player.buttons -= patch.cost  # R23
    player.income += patch.income  # R29: before the token moves
    cover(edition, state, covering(patch.shape[choice.lane], choice.window, choice.bit))
    advance(edition, state, player.position + patch.time)


cdef inline void pass_turn(Edition edition, pw_state *state) noexcept nogil:
    """R15: to the space in front of the opponent, a button for each space (R17, R18)."""
    cdef pw_player *player = &state.players[state.mover]
    cdef unsigned space = state.players[state.mover ^ 1].position + 1
    player.buttons += <int>min(space, edition.final) - player.position
    advance(edition, state, space)


cdef inline void place_special(Edition edition, pw_state *state, Choice choice) noexcept nogil:
    """R33, and R35 if more of them wait."""
    cover(edition, state, covering(1, choice.window, choice.bit))
    end_ply(edition, state, state.waiting - 1)


cdef inline void play(Edition edition, pw_state *state, Choice choice) noexcept nogil:
    """Plays a legal move."""
    if choice.slot == PASS_SLOT:
        pass_turn(edition, state)
    elif state.waiting:
        place_special(edition, state, choice)
    else:
        buy(edition, state, choice)


cdef inline unsigned market_size(Edition edition, State state) noexcept nogil:
    """R21."""
    return min(edition.market, state.line_length)


cdef inline int slot_of(Edition edition, State state, unsigned letter) noexcept nogil:
    cdef unsigned slot
    for slot in range(market_size(edition, state)):
        if state.line[slot] == letter:
            return slot
    return -1


cdef inline bint can_afford(const pw_patch *patch, const pw_player *player) noexcept nogil:
    return patch.cost <= player.buttons  # R23


cdef void start(Edition edition, pw_state *state) noexcept nogil:
    """R02 .. R07; line, reserve and start player are set, all else is zero."""
    cdef unsigned i
    for i in range(2):
        state.players[i].buttons = edition.start_buttons
    state.tile_holder = PW_NOBODY
    state.finished_first = PW_NOBODY
    join_reserve(edition, state)


cdef int points(Edition edition, State state, unsigned player) noexcept nogil:
    """R40, as if the game ended now."""
    cdef pw_mask free = free_cells(edition, &state.players[player])
    cdef int tile = edition.tile_points if state.tile_holder == player else 0
    cdef int empty = pw_count(free.low) + pw_count(free.high)
    return state.players[player].buttons + tile - 2 * empty


cdef unsigned winner(Edition edition, State state) noexcept nogil:
    """R41; PW_NOBODY before the end."""
    cdef int lead = points(edition, state, 0) - points(edition, state, 1)
    if state.mover != PW_NOBODY:
        return PW_NOBODY
    if lead == 0:
        return state.finished_first
    return lead < 0


cdef void report_move(
    Edition edition, State before, State after, unsigned move, pw_report *report
) noexcept nogil:
    """What a move has done: the difference of the states, told in the terms of the rules."""
    cdef const pw_player *was = &before.players[before.mover]
    cdef const pw_player *now = &after.players[before.mover]
    cdef const pw_patch *patch
    cdef unsigned other = before.players[before.mover ^ 1].position
    cdef unsigned front = max(was.position, other)
    memset(report, 0, sizeof(pw_report))
    report.player = before.mover
    report.origin, report.space = was.position, now.position
    report.cells.low = now.quilt.low & ~was.quilt.low
    report.cells.high = now.quilt.high & ~was.quilt.high
    report.joined = before.reserve_length - after.reserve_length
    report.income = now.income
    report.first_marker = edition.markers_to[was.position]
    report.markers = edition.markers_to[now.position] - report.first_marker
    report.first_special = edition.specials_to[front]
    report.specials = edition.specials_to[max(now.position, front)] - report.first_special
    report.lost = before.waiting + report.specials - after.waiting
    report.tile = before.tile_holder != after.tile_holder
    report.finished_first = before.finished_first != after.finished_first
    if move == PW_PASS:
        report.passed = 1
        report.cut_short = other + 1 > edition.final
    elif move // 648 == PW_SPECIAL:
        report.placed_special = 1
        report.lost -= 1  # the one that was placed
    else:
        patch = &edition.patches[move // 648]
        report.bought, report.letter, report.cost = 1, move // 648, patch.cost
        report.slot = slot_of(edition, before, report.letter)
        report.cut_short = was.position + patch.time > edition.final
