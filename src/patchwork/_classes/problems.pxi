# Signs that no play has led to a position (R48).

cdef class _Accounts:
    """What the patches missing from line and reserve, and the track, say of both players."""

    cdef const pw_state *state
    cdef const pw_edition *edition
    cdef list missing     # numbers of the patches bought
    cdef int[2] covered   # cells
    cdef int specials     # special patches that were placed, or left the game (R34)
    cdef int spaces       # that both tokens have moved
    cdef int time, cost, cells, income  # of the missing patches
    cdef int cut          # the most time that the end of the track can have cut off (R27)

    cdef int most_earned(self, unsigned int player) noexcept:
        """The most that the markers passed can have paid (R30)."""
        cdef const pw_player *one = &self.state.players[player]
        return one.income * self.edition.markers_to[one.position]


cdef _Accounts accounts_of(const pw_state *state):
    cdef _Accounts accounts = _Accounts.__new__(_Accounts)
    cdef const pw_edition *edition = table(state.edition)
    cdef unsigned int letter, i
    kept = set(letters_of(state.line, state.line_length + state.reserve_length))
    accounts.state, accounts.edition = state, edition
    accounts.missing = [
        letter for letter in range(PW_LETTERS)
        if edition.patches[letter].lanes and letter != PW_SPECIAL and LETTERS[letter] not in kept
    ]
    for letter in accounts.missing:
        accounts.time += edition.patches[letter].time
        accounts.cost += edition.patches[letter].cost
        accounts.cells += edition.patches[letter].cells
        accounts.income += edition.patches[letter].income
    for i in range(2):
        accounts.covered[i] = edition.size * edition.size - empty_cells(state, i)
        accounts.spaces += state.players[i].position
    front = max(state.players[0].position, state.players[1].position)
    accounts.specials = edition.specials_to[<unsigned int>front] - state.waiting
    accounts.cut = most_cut(accounts)
    return accounts


cdef int most_cut(_Accounts accounts):
    """Each player's last purchase can have ended early, one space moved at least."""
    cdef unsigned int letter
    there = [
        i for i in range(2)
        if accounts.state.players[<unsigned int>i].position == accounts.edition.final
    ]
    times = sorted([accounts.edition.patches[letter].time for letter in accounts.missing])
    return sum([max(time - 1, 0) for time in times[len(times) - min(len(there), len(times)):]])


cdef tuple find_problems(const pw_state *state):
    cdef _Accounts accounts = accounts_of(state)
    cdef list found = []
    find_track_problems(accounts, found)
    find_cell_problems(accounts, found)
    find_player_problems(accounts, 0, found)
    find_player_problems(accounts, 1, found)
    find_button_problems(accounts, found)
    find_tile_problems(accounts, found)
    find_line_problems(accounts, found)
    return tuple(found)


cdef int find_track_problems(_Accounts accounts, list found) except -1:
    cdef unsigned int letter
    lead = abs(accounts.state.players[0].position - accounts.state.players[1].position)
    longest = max([1] + [accounts.edition.patches[letter].time for letter in accounts.missing])
    if lead > longest:
        found.append(Problem(
            ProblemKind.LEAD_TOO_LONG, "players", f"a lead of {lead}, at most {longest} possible"
        ))
    least = accounts.time - accounts.cut
    if least > accounts.spaces:
        found.append(Problem(
            ProblemKind.TOO_LITTLE_TIME, "players",
            f"{accounts.spaces} spaces moved, the missing patches take {least} at least",
        ))
    return 0


cdef int find_cell_problems(_Accounts accounts, list found) except -1:
    cdef int covered = accounts.covered[0] + accounts.covered[1]
    cdef int most = accounts.cells + accounts.specials, least = most
    before = len(found)
    if has_full_quilt(accounts):
        least = accounts.cells
    if covered > most:
        found.append(Problem(
            ProblemKind.TOO_MANY_CELLS, "players", f"{covered} covered, at most {most} possible"
        ))
    if covered < least:
        found.append(Problem(
            ProblemKind.TOO_FEW_CELLS, "players", f"{covered} covered, at least {least} possible"
        ))
    income = accounts.state.players[0].income + accounts.state.players[1].income
    if income != accounts.income:
        found.append(Problem(
            ProblemKind.INCOME_MISMATCH, "players",
            f"{income} in all, {accounts.income} on the missing patches",
        ))
    if len(found) == before and not has_shares(accounts):
        found.append(Problem(
            ProblemKind.NO_SUCH_SHARES, "players", "the missing patches cannot be shared out so"
        ))
    return 0


cdef bint has_full_quilt(_Accounts accounts) noexcept:
    cdef int cells = accounts.edition.size * accounts.edition.size
    return accounts.covered[0] == cells or accounts.covered[1] == cells


cdef bint has_shares(_Accounts accounts):
    """Whether some of the missing patches give player 0 his income, and both their cells."""
    cdef unsigned int letter
    cdef int income, rest
    cdef list sums = [0] * (MOST_INCOME + 1)  # by income: bit n is set if it comes with n cells
    sums[0] = 1
    for letter in accounts.missing:
        for income in range(MOST_INCOME, <int>accounts.edition.patches[letter].income - 1, -1):
            rest = income - accounts.edition.patches[letter].income
            sums[income] |= sums[rest] << accounts.edition.patches[letter].cells
    cells = sums[accounts.state.players[0].income]
    least = max(accounts.cells - accounts.covered[1], 0)  # what player 1 cannot have
    return any([cells >> n & 1 for n in range(least, accounts.covered[0] + 1)])


cdef int find_player_problems(_Accounts accounts, unsigned int player, list found) except -1:
    cdef const pw_player *one = &accounts.state.players[player]
    cdef int passed = accounts.edition.start_buttons + one.position
    cdef int most = passed + accounts.most_earned(player)
    where = f"players[{player}]"
    if one.buttons > most:
        found.append(Problem(
            ProblemKind.TOO_MANY_BUTTONS, where, f"{one.buttons} held, at most {most} possible"
        ))
    if accounts.covered[player] == 0 and (one.income or one.buttons != passed):
        found.append(Problem(
            ProblemKind.EMPTY_QUILT, where, f"expected {passed} buttons and no income"
        ))
    if one.position == 0 and not may_stand_still(accounts) and (
        accounts.covered[player] or one.income or one.buttons != passed
    ):
        found.append(Problem(
            ProblemKind.STANDING_STILL, where, "expected what a player has at the start"
        ))
    return 0


cdef bint may_stand_still(_Accounts accounts):
    """Whether a patch of time 0 was bought (R43)."""
    cdef unsigned int letter
    return any([accounts.edition.patches[letter].time == 0 for letter in accounts.missing])


cdef int find_button_problems(_Accounts accounts, list found) except -1:
    cdef int held = accounts.state.players[0].buttons + accounts.state.players[1].buttons
    cdef int had = 2 * accounts.edition.start_buttons
    cdef int most = had + max(accounts.spaces - accounts.time + accounts.cut, 0)
    cdef int least = had + max(accounts.spaces - accounts.time, 0)
    most += accounts.most_earned(0) + accounts.most_earned(1)
    if held + accounts.cost > most:
        found.append(Problem(
            ProblemKind.TOO_MUCH_SPENT, "players",
            f"{accounts.cost} paid and {held} held, at most {most} possible",
        ))
    if held + accounts.cost < least:
        found.append(Problem(
            ProblemKind.TOO_FEW_BUTTONS, "players",
            f"{accounts.cost} paid and {held} held, at least {least} possible",
        ))
    return 0


cdef bint holds_square(_Accounts accounts, unsigned int player) noexcept:
    cdef pw_mask quilt = accounts.state.players[player].quilt, square
    cdef unsigned int i
    for i in range(accounts.edition.squares_count):
        square = accounts.edition.squares[i]
        if not (square.low & ~quilt.low or square.high & ~quilt.high):
            return True
    return False


cdef int find_tile_problems(_Accounts accounts, list found) except -1:
    cdef unsigned int holder = accounts.state.tile_holder
    if holder != PW_NOBODY:
        if not holds_square(accounts, holder):
            found.append(Problem(
                ProblemKind.TILE_WITHOUT_SQUARE, "tile_holder", f"player {holder} has no square"
            ))
    elif holds_square(accounts, 0) or holds_square(accounts, 1):
        found.append(Problem(
            ProblemKind.TILE_UNCLAIMED, "tile_holder", "a square is covered, nobody holds the tile"
        ))
    return 0


cdef int find_line_problems(_Accounts accounts, list found) except -1:
    cdef str line = letters_of(accounts.state.line, accounts.state.line_length)
    start_patch = edition_at(accounts.state.edition).start_patch
    if not accounts.missing and start_patch is not None and not line.endswith(start_patch):
        found.append(Problem(
            ProblemKind.START_PATCH_MOVED, "line", f"expected {start_patch} as the last in line"
        ))
    return 0
