# The rules of play, each decided here once, beside its id.
#
# A function that takes a report fills its part of it, unless it is NULL.

cdef enum:
    SPECIAL_SLOT = 3
    PASS_SLOT = 4
    UPPER_ANCHORS = 18  # cells of the two rows whose anchors window 0 holds


# A move as the kernel handles it. The anchor is a bit of one of the two windows of rows.
cdef struct Choice:
    unsigned int slot    # of the market, SPECIAL_SLOT or PASS_SLOT
    unsigned int lane
    unsigned int window
    unsigned int bit


cdef inline pw_mask covering(uint64_t shape, unsigned int window, unsigned int bit) noexcept nogil:
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


cdef inline pw_mask free_cells(const pw_edition *edition, const pw_player *player) noexcept nogil:
    cdef pw_mask cells
    cells.low = edition.board.low & ~player.quilt.low
    cells.high = edition.board.high & ~player.quilt.high
    return cells


cdef inline void pay(const pw_patch *patch, pw_player *player, pw_report *report) noexcept nogil:
    player.buttons -= patch.cost  # R23
    player.income += patch.income  # R29: before the token moves
    if report != NULL:
        report.cost = patch.cost


cdef inline void join_reserve(
    const pw_edition *edition, pw_state *state, pw_report *report
) noexcept nogil:
    """R45. The reserve lies behind the line in memory: joining is counting."""
    if state.reserve_length == 0 or state.line_length > edition.join_at:
        return
    if report != NULL:
        report.joined = state.reserve_length
    state.line_length += state.reserve_length
    state.reserve_length = 0


cdef inline void take_from_line(
    const pw_edition *edition, pw_state *state, unsigned int slot, pw_report *report
) noexcept nogil:
    """R22: the patches skipped go to the end of the line."""
    cdef uint8_t[2] skipped
    cdef unsigned int i, behind = state.line_length - 1 - slot
    skipped[0], skipped[1] = state.line[0], state.line[1]
    pw_shift_line(state.line, slot + 1)
    if state.reserve_length:
        memmove(&state.line[behind + slot], &state.line[behind], state.reserve_length)
    for i in range(slot):
        state.line[behind + i] = skipped[i]
    state.line_length -= 1
    join_reserve(edition, state, report)


cdef inline bint has_square(const pw_edition *edition, pw_mask quilt) noexcept nogil:
    """R37. The cells that all squares share are asked first; without a tile no square exists."""
    cdef unsigned int i
    if contains(quilt, edition.centre):
        for i in range(edition.squares_count):
            if contains(quilt, edition.squares[i]):
                return True
    return False


cdef inline void cover(
    const pw_edition *edition, pw_state *state, pw_mask cells, pw_report *report
) noexcept nogil:
    """Sews cells on the mover's quilt and hands out the tile, if it is still there (R37, R38)."""
    cdef pw_player *player = &state.players[state.mover]
    player.quilt.low |= cells.low
    player.quilt.high |= cells.high
    if report != NULL:
        report.cells = cells
    if state.tile_holder == PW_NOBODY and has_square(edition, player.quilt):
        state.tile_holder = state.mover
        if report != NULL:
            report.tile = 1


cdef inline void end_ply(
    const pw_edition *edition, pw_state *state, unsigned int waiting, pw_report *report
) noexcept nogil:
    """Decides who moves next; special patches that wait are placed first (R14)."""
    cdef unsigned int mover = state.mover
    cdef pw_player *player = &state.players[mover]
    cdef pw_player *other = &state.players[mover ^ 1]
    if waiting and contains(player.quilt, edition.board):  # R34: they leave the game
        if report != NULL:
            report.lost = waiting
        waiting = 0
    state.waiting = waiting
    if waiting:
        return
    if player.position > other.position:  # R10, R13
        state.mover = mover ^ 1
    elif player.position == edition.final:  # R12, R39: both are there
        state.mover = PW_NOBODY
    # R11: on the same space the mover stays, he is on top


cdef inline void advance(
    const pw_edition *edition, pw_state *state, unsigned int space, pw_report *report
) noexcept nogil:
    """Moves the mover's token to a space, or to the end of the track (R17, R27), and ends the ply.

    A token that stays crosses nothing (R43).
    """
    cdef pw_player *player = &state.players[state.mover]
    cdef unsigned int origin = player.position
    cdef unsigned int front = max(origin, state.players[state.mover ^ 1].position)
    cdef unsigned int target = min(space, edition.final)
    cdef unsigned int markers = edition.markers_to[target] - edition.markers_to[origin]
    cdef unsigned int specials = 0
    if target > front:  # R32, R46: those up to the front are gone
        specials = edition.specials_to[target] - edition.specials_to[front]
    player.position = target
    player.buttons += markers * player.income  # R19, R30, R31
    if report != NULL:
        report_track(edition, report, origin, space, target, player.income, front)
    if target == edition.final and state.finished_first == PW_NOBODY:  # R41
        state.finished_first = state.mover
        if report != NULL:
            report.finished_first = 1
    end_ply(edition, state, specials, report)


cdef inline void report_track(
    const pw_edition *edition, pw_report *report, unsigned int origin, unsigned int space,
    unsigned int target, unsigned int income, unsigned int front
) noexcept nogil:
    report.origin = origin
    report.space = target
    report.cut_short = space > target
    report.income = income
    report.first_marker = edition.markers_to[origin]
    report.markers = edition.markers_to[target] - edition.markers_to[origin]
    report.first_special = edition.specials_to[front]
    report.specials = edition.specials_to[max(target, front)] - edition.specials_to[front]


cdef inline void purchase(
    const pw_edition *edition, pw_state *state, unsigned int slot, pw_report *report
) noexcept nogil:
    """The first half of a purchase, the same wherever the patch is placed (R20)."""
    cdef unsigned int letter = state.line[slot]
    if report != NULL:
        report.bought, report.letter, report.slot = 1, letter, slot
    take_from_line(edition, state, slot, report)
    pay(&edition.patches[letter], &state.players[state.mover], report)


cdef inline void sew(
    const pw_edition *edition, pw_state *state, const pw_patch *patch, Choice choice,
    pw_report *report
) noexcept nogil:
    """The second half of a purchase: place the patch (R24), then move the token (R26)."""
    cover(edition, state, covering(patch.shape[choice.lane], choice.window, choice.bit), report)
    advance(edition, state, state.players[state.mover].position + patch.time, report)


cdef inline void pass_turn(
    const pw_edition *edition, pw_state *state, pw_report *report
) noexcept nogil:
    """R15: to the space in front of the opponent, a button for each space (R17, R18)."""
    cdef pw_player *player = &state.players[state.mover]
    cdef unsigned int space = state.players[state.mover ^ 1].position + 1
    player.buttons += <int>min(space, edition.final) - player.position
    if report != NULL:
        report.passed = 1
    advance(edition, state, space, report)


cdef inline void place_special(
    const pw_edition *edition, pw_state *state, Choice choice, pw_report *report
) noexcept nogil:
    """R33, and R35 if more of them wait."""
    if report != NULL:
        report.placed_special = 1
        report.origin = report.space = state.players[state.mover].position
    cover(edition, state, covering(1, choice.window, choice.bit), report)
    end_ply(edition, state, state.waiting - 1, report)


cdef inline void play(
    const pw_edition *edition, pw_state *state, Choice choice, pw_report *report
) noexcept nogil:
    """Plays a legal move."""
    cdef const pw_patch *patch
    if choice.slot < PW_MARKET:
        patch = &edition.patches[state.line[choice.slot]]
        purchase(edition, state, choice.slot, report)
        sew(edition, state, patch, choice, report)
    elif choice.slot == PASS_SLOT:
        pass_turn(edition, state, report)
    else:
        place_special(edition, state, choice, report)


cdef inline unsigned int market_size(
    const pw_edition *edition, const pw_state *state
) noexcept nogil:
    """R21."""
    return min(edition.market, state.line_length)


cdef inline bint can_afford(const pw_patch *patch, const pw_player *player) noexcept nogil:
    return patch.cost <= player.buttons  # R23


cdef inline bint can_pass(const pw_state *state) noexcept nogil:
    return state.mover != PW_NOBODY and state.waiting == 0  # R14, R16


cdef void start(const pw_edition *edition, pw_state *state) noexcept nogil:
    """R02 .. R07; line, reserve and start player are set, all else is zero."""
    cdef unsigned int i
    for i in range(2):
        state.players[i].buttons = edition.start_buttons
    state.tile_holder = PW_NOBODY
    state.finished_first = PW_NOBODY
    join_reserve(edition, state, NULL)
