# Moves: which are legal, the numbers that stand for them, why one is refused.

cdef inline void free_windows(const pw_player *player, uint64_t *windows) noexcept nogil:
    """The free cells of rows 0..6 and of rows 2..8, with those beside a small board."""
    windows[0] = ~player.quilt.low
    windows[1] = ~(player.quilt.low >> UPPER_ANCHORS | player.quilt.high << (64 - UPPER_ANCHORS))


cdef inline unsigned generate_patch(
    Edition edition, const uint64_t *windows, unsigned letter, unsigned slot, pw_moves *moves
) noexcept nogil:
    """R24, R25, R33: everywhere that a patch fits, in each of its distinct orientations."""
    moves.letters[slot] = letter
    moves.counts[slot] = pw_find_anchors(&edition.patches[letter], windows, &moves.slots[slot])
    return moves.counts[slot]


cdef inline unsigned generate_market(
    Edition edition, State state, const uint64_t *windows, pw_moves *moves
) noexcept nogil:
    """R21, R23."""
    cdef unsigned slot, total = 0
    cdef const pw_player *player = &state.players[state.mover]
    for slot in range(market_size(edition, state)):
        if can_afford(&edition.patches[state.line[slot]], player):
            total += generate_patch(edition, windows, state.line[slot], slot, moves)
    return total


cdef inline void generate(Edition edition, State state, pw_moves *moves) noexcept nogil:
    cdef uint64_t[2] windows
    memset(moves.counts, 0, sizeof(moves.counts))
    moves.passes = moves.total = 0
    if state.mover == PW_NOBODY:
        return
    free_windows(&state.players[state.mover], windows)
    if state.waiting:  # R14
        moves.total = generate_patch(edition, windows, PW_SPECIAL, 0, moves)
    else:
        moves.passes = 1  # R16
        moves.total = 1 + generate_market(edition, state, windows, moves)


cdef void placements(Edition edition, State state, unsigned letter, pw_moves *moves) noexcept nogil:
    cdef uint64_t[2] windows
    memset(moves, 0, sizeof(pw_moves))
    if state.mover != PW_NOBODY:
        free_windows(&state.players[state.mover], windows)
        moves.total = generate_patch(edition, windows, letter, 0, moves)


cdef inline Choice choice_at(unsigned slot, unsigned lane, unsigned cell) noexcept nogil:
    cdef Choice choice
    choice.slot, choice.lane = slot, lane
    choice.window = cell >= UPPER_ANCHORS
    choice.bit = cell - UPPER_ANCHORS * choice.window
    return choice


cdef inline Choice choose_anchor(
    const pw_anchors *anchors, unsigned slot, unsigned k
) noexcept nogil:
    cdef Choice choice
    cdef unsigned above, count
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


cdef inline Choice choose(const pw_moves *moves, unsigned k) noexcept nogil:
    """The k-th legal move in the order of action ids."""
    cdef unsigned slot
    for slot in range(PW_MARKET):
        if k < moves.counts[slot]:
            return choose_anchor(&moves.slots[slot], slot, k)
        k -= moves.counts[slot]
    return choice_at(PASS_SLOT, 0, 0)


cdef unsigned move_at(Edition edition, const pw_moves *moves, unsigned k) noexcept nogil:
    cdef Choice choice = choose(moves, k)
    cdef unsigned letter, cell = choice.bit + UPPER_ANCHORS * choice.window
    if choice.slot == PASS_SLOT:
        return PW_PASS
    letter = moves.letters[choice.slot]
    return letter * 648 + edition.patches[letter].orientation[choice.lane] * 81 + cell


cdef inline Choice choice_of(Edition edition, State state, unsigned move) noexcept nogil:
    """What a legal move means; any number of its orientation will do."""
    if move == PW_PASS:
        return choice_at(PASS_SLOT, 0, 0)
    return choice_at(
        slot_of(edition, state, move // 648),
        edition.patches[move // 648].lane[move // 81 % 8], move % 81,
    )


cdef void apply_move(Edition edition, pw_state *state, unsigned move) noexcept nogil:
    play(edition, state, choice_of(edition, state, move))


cdef inline uint64_t below_bit(unsigned bit) noexcept nogil:
    return (<uint64_t>1 << bit) - 1


cdef inline unsigned count_below(const pw_anchors *anchors, Choice choice) noexcept nogil:
    """How many anchors come before this one."""
    cdef unsigned lane, count = 0
    for lane in range(choice.lane):
        count += pw_count(anchors.windows[0][lane]) + pw_count(anchors.windows[1][lane])
    if choice.window:
        count += pw_count(anchors.windows[0][choice.lane])
    return count + pw_count(anchors.windows[choice.window][choice.lane] & below_bit(choice.bit))


cdef int index_of(Edition edition, const pw_moves *moves, unsigned move) noexcept nogil:
    cdef unsigned slot, letter = move // 648, before = 0
    cdef Choice choice
    if move == PW_PASS:
        return <int>moves.total - 1 if moves.passes else -1
    for slot in range(PW_MARKET):
        if moves.counts[slot] and moves.letters[slot] == letter:
            choice = choice_at(slot, edition.patches[letter].lane[move // 81 % 8], move % 81)
            if moves.slots[slot].windows[choice.window][choice.lane] >> choice.bit & 1:
                return before + count_below(&moves.slots[slot], choice)
            return -1
        before += moves.counts[slot]
    return -1


cdef inline unsigned first_action(
    unsigned letter, unsigned slot, unsigned orientation
) noexcept nogil:
    """The action id of a patch in an orientation at cell 0."""
    return PW_SPECIAL_ACTION if letter == PW_SPECIAL else (slot * 8 + orientation) * 81


cdef int action_of(Edition edition, State state, unsigned move) noexcept nogil:
    cdef unsigned letter = move // 648
    cdef int slot
    cdef const pw_patch *patch
    if move == PW_PASS:
        return PW_PASS_ACTION
    slot = slot_of(edition, state, letter)
    if slot < 0 and letter != PW_SPECIAL:
        return -1
    patch = &edition.patches[letter]
    return first_action(letter, slot, patch.orientation[patch.lane[move // 81 % 8]]) + move % 81


cdef pw_mask clipped(
    Edition edition, const pw_patch *patch, unsigned lane, unsigned cell
) noexcept nogil:
    """The cells of a shape that lie on the board, for a box that sticks out."""
    cdef unsigned i, row, column
    cdef Choice one
    cdef pw_mask cells, covered
    cells.low = cells.high = 0
    for i in range(patch.cells):
        row = cell // 9 + patch.shifts[i][lane] // 9
        column = cell % 9 + patch.shifts[i][lane] % 9
        if row < edition.size and column < edition.size:
            one = choice_at(0, 0, row * 9 + column)
            covered = covering(1, one.window, one.bit)
            cells.low |= covered.low
            cells.high |= covered.high
    return cells


cdef inline bint box_fits(const pw_patch *patch, Choice choice) noexcept nogil:
    return patch.fits[choice.window][choice.lane] >> choice.bit & 1


cdef void cells_of(Edition edition, unsigned move, pw_mask *cells) noexcept nogil:
    cdef const pw_patch *patch
    cdef Choice choice
    cells.low = cells.high = 0
    if move != PW_PASS:
        patch = &edition.patches[move // 648]
        choice = choice_at(0, patch.lane[move // 81 % 8], move % 81)
        if box_fits(patch, choice):
            cells[0] = covering(patch.shape[choice.lane], choice.window, choice.bit)


cdef inline unsigned overlap(State state, pw_mask wanted, pw_mask *cells) noexcept nogil:
    """R24: on free cells only."""
    cells.low = cells.high = 0
    if state.mover != PW_NOBODY:
        cells.low = wanted.low & state.players[state.mover].quilt.low
        cells.high = wanted.high & state.players[state.mover].quilt.high
    return PW_OVERLAP if cells.low | cells.high else 0


cdef inline unsigned patch_refusals(
    Edition edition, State state, unsigned move, pw_mask *cells
) noexcept nogil:
    cdef const pw_patch *patch = &edition.patches[move // 648]
    cdef Choice choice = choice_at(0, patch.lane[move // 81 % 8], move % 81)
    cdef unsigned reasons = 0
    if state.mover != PW_NOBODY and not can_afford(patch, &state.players[state.mover]):
        reasons |= PW_CANNOT_AFFORD
    if box_fits(patch, choice):
        return reasons | overlap(
            state, covering(patch.shape[choice.lane], choice.window, choice.bit), cells
        )
    return reasons | PW_OFF_THE_BOARD | overlap(
        state, clipped(edition, patch, choice.lane, move % 81), cells
    )


cdef inline unsigned refusals(
    Edition edition, State state, unsigned move, pw_mask *cells
) noexcept nogil:
    cdef unsigned letter = move // 648
    cdef unsigned reasons = PW_GAME_OVER if state.mover == PW_NOBODY else 0
    cells.low = cells.high = 0
    if letter == PW_SPECIAL:
        reasons |= 0 if state.waiting else PW_NO_SPECIAL
    elif state.waiting:  # R14
        reasons |= PW_SPECIAL_FIRST
    if move == PW_PASS:
        return reasons
    if letter != PW_SPECIAL and slot_of(edition, state, letter) < 0:
        reasons |= PW_NOT_IN_MARKET
    if edition.patches[letter].lanes == 0:
        return reasons
    return reasons | patch_refusals(edition, state, move, cells)


cdef unsigned action_refusals(
    Edition edition, State state, unsigned action, unsigned *move,
    pw_mask *cells
) noexcept nogil:
    cdef unsigned slot = action // 648, orientation = action // 81 % 8, reasons = 0
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


cdef inline void write_mask(
    Edition edition, const pw_moves *moves, void *out, bint bits
) noexcept nogil:
    """Marks every legal action, as a bit or as a byte."""
    cdef unsigned slot, lane, first
    cdef const pw_patch *patch
    for slot in range(PW_MARKET):
        if moves.counts[slot] == 0:
            continue
        patch = &edition.patches[moves.letters[slot]]
        for lane in range(patch.lanes):
            first = first_action(moves.letters[slot], slot, patch.orientation[lane])
            mark(out, bits, first, moves.slots[slot].windows[0][lane])
            mark(out, bits, first + UPPER_ANCHORS, moves.slots[slot].windows[1][lane])
    mark(out, bits, PW_PASS_ACTION, moves.passes)


cdef inline void mark(void *out, bint bits, unsigned first, uint64_t word) noexcept nogil:
    """Marks the actions from the first on whose bits are set in a word."""
    cdef unsigned shift = first % 64
    if bits:
        (<uint64_t *>out)[first // 64] |= word << shift
        if shift and word >> (64 - shift):
            (<uint64_t *>out)[first // 64 + 1] |= word >> (64 - shift)
        return
    while word:
        (<uint8_t *>out)[first + pw_lowest(word)] = 1
        word &= word - 1


cdef void mask_bytes(Edition edition, const pw_moves *moves, uint8_t *out) noexcept nogil:
    memset(out, 0, PW_ACTIONS)
    write_mask(edition, moves, out, False)


cdef void mask_bits(Edition edition, const pw_moves *moves, uint8_t *out) noexcept nogil:
    cdef uint64_t[32] words
    memset(words, 0, sizeof(words))
    write_mask(edition, moves, words, True)
    pw_store_words(out, words, 32)
