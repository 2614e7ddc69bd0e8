# What a move did, what is on offer, and what the points are made of, as values.

cdef tuple events_of(const pw_report *report, const pw_state *before, const pw_state *after):
    """The events of a move, in the order in which they happen (R20)."""
    cdef list events = []
    cdef object player = report.player
    if report.bought:
        add_purchase(events, report, before)
    elif report.placed_special:
        events.append(Event(
            EventKind.SPECIAL_PLACED, player, 0, "R33", cells=cell_names(report.cells)
        ))
    if report.tile:
        points = table(before.edition).tile_points
        events.append(Event(EventKind.TILE_WON, player, 0, "R37", points=points))
    if report.space != report.origin:
        add_journey(events, report, table(before.edition))
    if report.lost:
        events.append(Event(EventKind.SPECIAL_LOST, player, 0, "R34", count=report.lost))
    if report.finished_first:
        events.append(Event(EventKind.FINISHED_FIRST, player, 0, "R41"))
    events.append(turn_event(player, after))
    return tuple(events)


cdef int add_purchase(list events, const pw_report *report, const pw_state *before) except -1:
    player, patch = report.player, LETTERS[report.letter]
    events.append(Event(
        EventKind.BOUGHT, player, -report.cost, "R23", patch=patch, slot=report.slot
    ))
    if report.joined:
        events.append(Event(
            EventKind.RESERVE_JOINED, player, 0, "R45", patches=reserve_letters(before)
        ))
    cells = cell_names(report.cells)
    events.append(Event(EventKind.PLACED, player, 0, "R24", patch=patch, cells=cells))
    return 0


cdef int add_journey(list events, const pw_report *report, const pw_edition *edition) except -1:
    """The token's move and what it crosses."""
    cdef unsigned int i
    player, origin, space = report.player, report.origin, report.space
    if report.passed:
        rule = "R17" if report.cut_short else "R15"
        events.append(Event(EventKind.MOVED, player, 0, rule, origin=origin, space=space))
        events.append(Event(EventKind.PAID_FOR_SPACES, player, space - origin, rule))
    else:
        rule = "R27" if report.cut_short else "R26"
        events.append(Event(EventKind.MOVED, player, 0, rule, origin=origin, space=space))
    for i in range(report.first_marker, report.first_marker + report.markers):
        rule = "R31" if edition.markers[i] == edition.final else "R30"
        events.append(Event(
            EventKind.INCOME, player, report.income, rule, space=edition.markers[i]
        ))
    for i in range(report.first_special, report.first_special + report.specials):
        events.append(Event(
            EventKind.SPECIAL_WON, player, 0, "R32", space=edition.specials[i]
        ))
    return 0


cdef object turn_event(object player, const pw_state *after):
    if after.mover == PW_NOBODY:
        return Event(EventKind.GAME_OVER, player, 0, "R39")
    return Event(EventKind.NEXT_PLAYER, after.mover, 0, turn_rule(after))


cdef str turn_rule(const pw_state *state):
    """The rule by which the mover of an unfinished game is to move."""
    if state.waiting:
        return "R14"
    if state.finished_first != PW_NOBODY:
        return "R13"
    return "R11" if state.players[0].position == state.players[1].position else "R10"


cdef object offer_at(const pw_state *state, unsigned int slot):
    """A patch of the market and every reason why it cannot be taken."""
    cdef unsigned int reasons = 0, letter = state.line[slot]
    cdef const pw_patch *patch = &table(state.edition).patches[letter]
    placements = new_placements(state, LETTERS[letter], None)
    if state.mover == PW_NOBODY:
        reasons |= PW_GAME_OVER
    elif patch.cost > state.players[state.mover].buttons:
        reasons |= PW_CANNOT_AFFORD
    if state.waiting:
        reasons |= PW_SPECIAL_FIRST
    if state.mover != PW_NOBODY and not placements:
        reasons |= PW_FITS_NOWHERE
    return Offer(
        slot, LETTERS[letter], patch.cost, patch.time, patch.income, placements,
        reasons_of(reasons),
    )


cdef inline int empty_cells(const pw_state *state, unsigned int player) noexcept:
    cdef int size = table(state.edition).size
    cdef pw_mask quilt = state.players[player].quilt
    return size * size - <int>pw_count(quilt.low) - <int>pw_count(quilt.high)


cdef object score_parts(const pw_state *state, unsigned int player):
    tile = table(state.edition).tile_points if state.tile_holder == player else 0
    return Score(state.players[player].buttons, tile, empty_cells(state, player))
