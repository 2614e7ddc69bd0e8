# Whole runs over positions: random numbers, playouts, perft, and the key of a position.

cdef inline uint64_t mix(uint64_t word) noexcept nogil:
    """The finaliser of SplitMix64."""
    word = (word ^ word >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * <uint64_t>0x94D049BB133111EB
    return word ^ word >> 31


cdef inline uint64_t next_word(pw_random *random) noexcept nogil:
    """SplitMix64."""
    random.counter += PW_GAMMA
    return mix(random.counter)


cdef inline uint32_t below(pw_random *random, uint32_t n) noexcept nogil:
    """Lemire's bounded draw: the high half of 32 bits times n, redrawn where it would be uneven."""
    cdef uint64_t product = (next_word(random) >> 32) * n
    cdef uint32_t uneven
    if <uint32_t>product < n:
        uneven = <uint32_t>(0 - n) % n
        while <uint32_t>product < uneven:
            product = (next_word(random) >> 32) * n
    return <uint32_t>(product >> 32)


cdef uint64_t stream(uint64_t seed, uint64_t i) noexcept nogil:
    return mix(seed ^ mix(i + PW_GAMMA))


cdef unsigned playout(Edition edition, pw_state *state, pw_random *random) noexcept nogil:
    cdef pw_moves moves
    cdef pw_state now = state[0]  # local copies: the compiler sees that nothing else changes them
    cdef pw_random draws = random[0]
    cdef unsigned plies = 0
    while now.mover != PW_NOBODY:
        generate(edition, &now, &moves)
        play(edition, &now, choose(&moves, below(&draws, moves.total)))
        plies += 1
    state[0] = now
    random[0] = draws
    return plies


cdef inline uint64_t perft_after(
    Edition edition, pw_state state, Choice choice, unsigned depth
) noexcept nogil:
    play(edition, &state, choice)
    return perft(edition, &state, depth - 1)


cdef uint64_t perft_slot(
    Edition edition, State state, const pw_moves *moves, unsigned slot, unsigned depth
) noexcept nogil:
    cdef Choice choice = choice_at(slot, 0, 0)
    cdef uint64_t word, total = 0
    for choice.lane in range(edition.patches[moves.letters[slot]].lanes):
        for choice.window in range(2):
            word = moves.slots[slot].windows[choice.window][choice.lane]
            while word:
                choice.bit = pw_lowest(word)
                word &= word - 1
                total += perft_after(edition, state[0], choice, depth)
    return total


cdef uint64_t perft(Edition edition, State state, unsigned depth) noexcept nogil:
    cdef pw_moves moves
    cdef unsigned slot
    cdef uint64_t total = 0
    if depth == 0:
        return 1
    generate(edition, state, &moves)
    if depth == 1:  # bulk: the last ply is counted, not played
        return moves.total
    if moves.passes:
        total += perft_after(edition, state[0], choice_at(PASS_SLOT, 0, 0), depth)
    for slot in range(PW_MARKET):
        if moves.counts[slot]:
            total += perft_slot(edition, state, &moves, slot, depth)
    return total


cdef inline uint64_t scrambled(uint64_t word, unsigned i) noexcept nogil:
    """The i-th word of a key's sum. Folding first lets its high bits count, too."""
    return (word ^ word >> 32) * (mix((i + 1) * PW_GAMMA) | 1)


cdef uint64_t key(Edition edition, State state) noexcept nogil:
    """mix(sum of the scrambled words): the digest, two a player, the seats, seven of line."""
    cdef unsigned i
    cdef const pw_player *player
    cdef uint64_t total = scrambled(edition.digest, 0)
    for i in range(2):
        player = &state.players[i]
        total += scrambled(player.quilt.low, 1 + 2 * i)
        total += scrambled(
            player.quilt.high | <uint64_t>player.position << 24 | <uint64_t>player.income << 32
            | <uint64_t>player.buttons << 40, 2 + 2 * i)
    total += scrambled(
        state.mover | <uint64_t>state.waiting << 8 | <uint64_t>state.tile_holder << 16
        | <uint64_t>state.finished_first << 24 | <uint64_t>state.line_length << 32
        | <uint64_t>state.reserve_length << 40, 5)
    for i in range(7):
        total += scrambled(pw_little_endian(&state.line[8 * i]), 6 + i)
    return mix(total)
