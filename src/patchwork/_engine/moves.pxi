# Moves: which are legal, the numbers that stand for them, why one is refused.

cdef inline void free_windows(const pw_player *player, uint64_t *windows) noexcept nogil:
    """The free cells of rows 0..6 and of rows 2..8, with those beside a small board."""
    windows[0] = ~player.quilt.low
    windows[1] = ~(player.quilt.low >> UPPER_ANCHORS | player.quilt.high << (64 - UPPER_ANCHORS))


cdef inline unsigned int generate_special(
    const pw_edition *edition, const pw_state *state, pw_moves *moves
) noexcept nogil:
    """R33: any free cell."""
    moves.special = free_cells(edition, &state.players[state.mover])
    moves.specials = pw_count(moves.special.low) + pw_count(moves.special.high)
    return moves.specials


cdef inline unsigned int generate_market(
    const pw_edition *edition, const pw_state *state, pw_moves *moves
) noexcept nogil:
    """R21, R23, R24, R25: wherever a patch fits that is on offer and can be paid."""
    cdef uint64_t[2] windows
    cdef unsigned int slot, total = 0
    cdef const pw_player *player = &state.players[state.mover]
    cdef const pw_patch *patch
    free_windows(player, windows)
    for slot in range(market_size(edition, state)):
        patch = &edition.patches[state.line[slot]]
        if can_afford(patch, player):
            moves.counts[slot] = pw_find_anchors(patch, windows, &moves.slots[slot])
            total += moves.counts[slot]
    return total


cdef inline void generate(
    const pw_edition *edition, const pw_state *state, pw_moves *moves
) noexcept nogil:
    memcpy(moves.letters, state.line, sizeof(moves.letters))
    memset(moves.counts, 0, sizeof(moves.counts))
    moves.specials = 0
    moves.passes = can_pass(state)
    if moves.passes:
        moves.total = 1 + generate_market(edition, state, moves)
    else:
        moves.total = generate_special(edition, state, moves) if state.waiting else 0


cdef void placements(
    const pw_edition *edition, const pw_state *state, unsigned int letter, pw_moves *moves
) noexcept nogil:
    cdef uint64_t[2] windows
    memset(moves, 0, sizeof(pw_moves))
    if state.mover == PW_NOBODY:
        return
    if letter == PW_SPECIAL:
        moves.total = generate_special(edition, state, moves)
        return
    free_windows(&state.players[state.mover], windows)
    moves.letters[0] = letter
    moves.counts[0] = pw_find_anchors(&edition.patches[letter], windows, &moves.slots[0])
    moves.total = moves.counts[0]


cdef inline Choice choice_at(
    unsigned int slot, unsigned int lane, unsigned int cell
) noexcept nogil:
    cdef Choice choice
    choice.slot, choice.lane = slot, lane
    choice.window = cell >= UPPER_ANCHORS
    choice.bit = cell - UPPER_ANCHORS * choice.window
    return choice


cdef inline Choice choose_anchor(
    const pw_anchors *anchors, unsigned int slot, unsigned int k
) noexcept nogil:
    cdef Choice choice
    cdef unsigned int above, count
    choice.slot, choice.lane = slot, 0
    while True:
        above = pw_count(anchors.windows[0][choice.lane])
        count = above + pw_count(anchors.windows[1][choice.lane])
        if k < count:
            break
        k -= count
        choice.lane += 1
    choice.window = k >= above
    if choice.window:
        k -= above
    choice.bit = pw_select(anchors.windows[choice.window][choice.lane], k)
    return choice


cdef inline Choice choose_special(pw_mask cells, unsigned int k) noexcept nogil:
    cdef unsigned int count = pw_count(cells.low)
    if k < count:
        return choice_at(SPECIAL_SLOT, 0, pw_select(cells.low, k))
    return choice_at(SPECIAL_SLOT, 0, 64 + pw_select(cells.high, k - count))


cdef inline Choice choose(const pw_moves *moves, unsigned int k) noexcept nogil:
    """The k-th legal move in the order of action ids."""
    cdef unsigned int slot
    for slot in range(PW_MARKET):
        if k < moves.counts[slot]:
            return choose_anchor(&moves.slots[slot], slot, k)
        k -= moves.counts[slot]
    if k < moves.specials:
        return choose_special(moves.special, k)
    return choice_at(PASS_SLOT, 0, 0)


cdef inline unsigned int cell_of(Choice choice) noexcept nogil:
    return choice.bit + UPPER_ANCHORS * choice.window


cdef inline unsigned int move_of(
    const pw_edition *edition, unsigned int letter, Choice choice
) noexcept nogil:
    if choice.slot == PASS_SLOT:
        return PW_PASS
    if choice.slot == SPECIAL_SLOT:
        return PW_SPECIAL * 648 + cell_of(choice)
    return letter * 648 + edition.patches[letter].orientation[choice.lane] * 81 + cell_of(choice)


cdef unsigned int move_at(
    const pw_edition *edition, const pw_moves *moves, unsigned int k
) noexcept nogil:
    cdef Choice choice = choose(moves, k)
    return move_of(edition, moves.letters[choice.slot] if choice.slot < PW_MARKET else 0, choice)


cdef inline int slot_of(
    const pw_edition *edition, const pw_state *state, unsigned int letter
) noexcept nogil:
    cdef unsigned int slot
    for slot in range(market_size(edition, state)):
        if state.line[slot] == letter:
            return slot
    return -1


cdef inline Choice choice_of(
    const pw_edition *edition, const pw_state *state, unsigned int move
) noexcept nogil:
    """What a legal move means; any number of its orientation will do."""
    cdef unsigned int letter = move // 648, orientation = move // 81 % 8
    if move == PW_PASS:
        return choice_at(PASS_SLOT, 0, 0)
    if letter == PW_SPECIAL:
        return choice_at(SPECIAL_SLOT, 0, move % 81)
    return choice_at(
        slot_of(edition, state, letter), edition.patches[letter].lane[orientation], move % 81
    )


cdef inline uint64_t below_bit(unsigned int bit) noexcept nogil:
    return (<uint64_t>1 << bit) - 1


cdef inline unsigned int count_below(
    const pw_anchors *anchors, Choice choice
) noexcept nogil:
    """How many anchors come before this one."""
    cdef unsigned int lane, count = 0
    for lane in range(choice.lane):
        count += pw_count(anchors.windows[0][lane]) + pw_count(anchors.windows[1][lane])
    if choice.window:
        count += pw_count(anchors.windows[0][choice.lane])
    return count + pw_count(anchors.windows[choice.window][choice.lane] & below_bit(choice.bit))


cdef int index_of_patch(
    const pw_edition *edition, const pw_moves *moves, unsigned int move
) noexcept nogil:
    cdef unsigned int slot, letter = move // 648, before = 0
    cdef Choice choice
    for slot in range(PW_MARKET):
        if moves.counts[slot] and moves.letters[slot] == letter:
            choice = choice_at(slot, edition.patches[letter].lane[move // 81 % 8], move % 81)
            if moves.slots[slot].windows[choice.window][choice.lane] >> choice.bit & 1:
                return before + count_below(&moves.slots[slot], choice)
            return -1
        before += moves.counts[slot]
    return -1


cdef int index_of_special(const pw_moves *moves, unsigned int cell) noexcept nogil:
    cdef uint64_t word = moves.special.low if cell < 64 else moves.special.high
    if moves.specials == 0 or not word >> (cell & 63) & 1:
        return -1
    return pw_count(word & below_bit(cell & 63)) + (
        pw_count(moves.special.low) if cell >= 64 else 0)


cdef int index_of(
    const pw_edition *edition, const pw_moves *moves, unsigned int move
) noexcept nogil:
    if move == PW_PASS:
        return <int>moves.total - 1 if moves.passes else -1
    if move // 648 == PW_SPECIAL:
        return index_of_special(moves, move % 81)
    return index_of_patch(edition, moves, move)


cdef int action_of(
    const pw_edition *edition, const pw_state *state, unsigned int move
) noexcept nogil:
    cdef int slot
    cdef const pw_patch *patch = &edition.patches[move // 648]
    if move == PW_PASS:
        return PW_PASS_ACTION
    if move // 648 == PW_SPECIAL:
        return PW_SPECIAL_ACTION + move % 81
    slot = slot_of(edition, state, move // 648)
    if slot < 0:
        return -1
    return (slot * 8 + patch.orientation[patch.lane[move // 81 % 8]]) * 81 + move % 81


cdef pw_mask clipped(
    const pw_edition *edition, const pw_patch *patch, unsigned int lane, unsigned int cell
) noexcept nogil:
    """The cells of a shape that lie on the board, for a box that sticks out."""
    cdef unsigned int i, row, column
    cdef pw_mask cells, one
    cells.low = cells.high = 0
    for i in range(patch.cells):
        row = cell // 9 + patch.shifts[i][lane] // 9
        column = cell % 9 + patch.shifts[i][lane] % 9
        if row < edition.size and column < edition.size:
            one = single_cell(row * 9 + column)
            cells.low |= one.low
            cells.high |= one.high
    return cells


cdef inline pw_mask single_cell(unsigned int cell) noexcept nogil:
    return covering(1, cell >= UPPER_ANCHORS, cell - UPPER_ANCHORS * (cell >= UPPER_ANCHORS))


cdef inline bint box_fits(const pw_patch *patch, Choice choice) noexcept nogil:
    return patch.fits[choice.window][choice.lane] >> choice.bit & 1


cdef void cells_of(const pw_edition *edition, unsigned int move, pw_mask *cells) noexcept nogil:
    cdef const pw_patch *patch = &edition.patches[move // 648]
    cdef Choice choice
    cells.low = cells.high = 0
    if move == PW_PASS:
        return
    if move // 648 == PW_SPECIAL:
        cells[0] = single_cell(move % 81)
        return
    choice = choice_at(0, patch.lane[move // 81 % 8], move % 81)
    if box_fits(patch, choice):
        cells[0] = covering(patch.shape[choice.lane], choice.window, choice.bit)


cdef inline unsigned int overlap(
    const pw_state *state, pw_mask wanted, pw_mask *cells
) noexcept nogil:
    """R24: on free cells only."""
    cells.low = cells.high = 0
    if state.mover != PW_NOBODY:
        cells.low = wanted.low & state.players[state.mover].quilt.low
        cells.high = wanted.high & state.players[state.mover].quilt.high
    return PW_OVERLAP if cells.low | cells.high else 0


cdef inline unsigned int patch_refusals(
    const pw_edition *edition, const pw_state *state, unsigned int move, pw_mask *cells
) noexcept nogil:
    cdef const pw_patch *patch = &edition.patches[move // 648]
    cdef Choice choice = choice_at(0, patch.lane[move // 81 % 8], move % 81)
    cdef unsigned int reasons = 0
    if state.mover != PW_NOBODY and not can_afford(patch, &state.players[state.mover]):
        reasons |= PW_CANNOT_AFFORD
    if box_fits(patch, choice):
        return reasons | overlap(
            state, covering(patch.shape[choice.lane], choice.window, choice.bit), cells
        )
    return reasons | PW_OFF_THE_BOARD | overlap(
        state, clipped(edition, patch, choice.lane, move % 81), cells
    )


cdef unsigned int special_refusals(
    const pw_edition *edition, const pw_state *state, unsigned int move, pw_mask *cells
) noexcept nogil:
    cdef pw_mask wanted = single_cell(move % 81)
    cdef unsigned int reasons = 0
    if state.waiting == 0:
        reasons |= PW_NO_SPECIAL
    if not contains(edition.board, wanted):
        reasons |= PW_OFF_THE_BOARD
    return reasons | overlap(state, wanted, cells)


cdef inline unsigned int refusals(
    const pw_edition *edition, const pw_state *state, unsigned int move, pw_mask *cells
) noexcept nogil:
    cdef unsigned int reasons = PW_GAME_OVER if state.mover == PW_NOBODY else 0
    cells.low = cells.high = 0
    if move // 648 == PW_SPECIAL:
        return reasons | special_refusals(edition, state, move, cells)
    if state.waiting:  # R14
        reasons |= PW_SPECIAL_FIRST
    if move == PW_PASS:
        return reasons
    if slot_of(edition, state, move // 648) < 0:
        reasons |= PW_NOT_IN_MARKET
    if edition.patches[move // 648].lanes == 0:
        return reasons
    return reasons | patch_refusals(edition, state, move, cells)


cdef unsigned int action_refusals(
    const pw_edition *edition, const pw_state *state, unsigned int action, unsigned int *move,
    pw_mask *cells
) noexcept nogil:
    cdef unsigned int slot = action // 648, orientation = action // 81 % 8, reasons = 0
    cdef const pw_patch *patch
    if action == PW_PASS_ACTION:
        move[0] = PW_PASS
    elif action >= PW_SPECIAL_ACTION:
        move[0] = PW_SPECIAL * 648 + action - PW_SPECIAL_ACTION
    elif slot < market_size(edition, state):
        patch = &edition.patches[state.line[slot]]
        if patch.orientation[patch.lane[orientation]] != orientation:
            reasons = PW_NO_SUCH_ORIENTATION
        move[0] = state.line[slot] * 648 + action % 648
    else:  # an empty slot is refused as any pass would be, and for being empty
        return refusals(edition, state, PW_PASS, cells) | PW_NOT_IN_MARKET
    return reasons | refusals(edition, state, move[0], cells)


cdef void mask_bytes(
    const pw_edition *edition, const pw_moves *moves, uint8_t *out
) noexcept nogil:
    cdef unsigned int slot
    memset(out, 0, PW_ACTIONS)
    for slot in range(PW_MARKET):
        if moves.counts[slot]:
            mark_patch(&edition.patches[moves.letters[slot]], &moves.slots[slot], out + slot * 648)
    if moves.specials:
        mark_bits(moves.special.low, out + PW_SPECIAL_ACTION)
        mark_bits(moves.special.high, out + PW_SPECIAL_ACTION + 64)
    out[PW_PASS_ACTION] = moves.passes


cdef inline void mark_patch(
    const pw_patch *patch, const pw_anchors *anchors, uint8_t *out
) noexcept nogil:
    cdef unsigned int lane
    cdef uint8_t *first
    for lane in range(patch.lanes):
        first = out + patch.orientation[lane] * 81
        mark_bits(anchors.windows[0][lane], first)
        mark_bits(anchors.windows[1][lane], first + UPPER_ANCHORS)


cdef inline void mark_bits(uint64_t word, uint8_t *out) noexcept nogil:
    while word:
        out[pw_lowest(word)] = 1
        word &= word - 1


cdef void mask_bits(
    const pw_edition *edition, const pw_moves *moves, uint64_t *out
) noexcept nogil:
    cdef unsigned int slot, lane, first
    cdef const pw_patch *patch
    memset(out, 0, 256)
    for slot in range(PW_MARKET):
        patch = &edition.patches[moves.letters[slot]]
        for lane in range(patch.lanes if moves.counts[slot] else 0):
            first = (slot * 8 + patch.orientation[lane]) * 81
            put_bits(out, first, moves.slots[slot].windows[0][lane])
            put_bits(out, first + UPPER_ANCHORS, moves.slots[slot].windows[1][lane])
    if moves.specials:
        put_bits(out, PW_SPECIAL_ACTION, moves.special.low)
        put_bits(out, PW_SPECIAL_ACTION + 64, moves.special.high)
    put_bits(out, PW_PASS_ACTION, moves.passes)


cdef inline void put_bits(uint64_t *out, unsigned int first, uint64_t word) noexcept nogil:
    cdef unsigned int shift = first % 64
    out[first // 64] |= word << shift
    if shift:
        out[first // 64 + 1] |= word >> (64 - shift)
