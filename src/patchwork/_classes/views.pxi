# The state as plain JSON values, and a state with some of them changed.

cdef dict player_dict(const pw_player *player, unsigned int size):
    return {
        "quilt": quilt_text(player.quilt, size),
        "position": player.position,
        "buttons": player.buttons,
        "income": player.income,
    }


cdef dict state_dict(const pw_state *state):
    cdef unsigned int size = table(state.edition).size
    return {
        "edition": edition_at(state.edition).tag,
        "line": letters_of(state.line, state.line_length),
        "reserve": reserve_letters(state),
        "players": [
            player_dict(&state.players[0], size), player_dict(&state.players[1], size)
        ],
        "to_move": player_or_none(state.mover),
        "specials_waiting": state.waiting,
        "tile_holder": player_or_none(state.tile_holder),
        "finished_first": player_or_none(state.finished_first),
    }


cdef tuple STATE_KEYS = (
    "edition", "line", "reserve", "players", "to_move", "specials_waiting", "tile_holder",
    "finished_first",
)
cdef tuple PLAYER_KEYS = ("quilt", "position", "buttons", "income")
cdef tuple CHANGES = (
    "line", "reserve", "quilts", "positions", "buttons", "incomes", "to_move", "specials_waiting",
    "tile_holder", "finished_first",
)


cdef object MISSING = object()


cdef dict fields_of(object data, tuple keys, str where):
    """The values of an object that has exactly these keys.

    They are taken out at once, for whatever else is asked of them may change the object.
    """
    cdef dict fields = {}
    if not isinstance(data, dict):
        raise StateError(where, f"expected an object, not {type(data).__name__}")
    for key in keys:
        fields[key] = (<dict>data).get(key, MISSING)
        if fields[key] is MISSING:
            raise StateError(f"{where}.{key}".lstrip("."), "is missing")
    for key in list(<dict>data):
        if key not in keys:
            raise StateError(where or "state", f"unknown key {key_text(key)}")
    return fields


cdef str key_text(object key):
    return repr(key[:40]) if type(key) is str else f"of type {type(key).__name__}"


cdef tuple pair_of(object values):
    """Two values, one for each player; None if it is no list of two."""
    cdef tuple pair = tuple(values) if isinstance(values, (list, tuple)) else ()
    return pair if len(pair) == 2 else None


cdef str text_field(object value, str field):
    try:
        return exact_text(value, field)
    except TypeError:
        raise StateError(field, f"expected a text, not {type(value).__name__}") from None


cdef int number_field(object value, int most, str field) except -1:
    try:
        return integer_within(value, 0, most, field)
    except TypeError:
        raise StateError(field, f"expected an integer, not {type(value).__name__}") from None
    except ValueError:
        raise StateError(field, f"expected 0..{most}, not {shortened(as_index(value))}") from None


cdef int seat_field(object value, str field) except -1:
    return PW_NOBODY if value is None else number_field(value, 1, field)


cdef pw_mask quilt_field(object value, unsigned int edition, str field) except *:
    """A quilt, or its text."""
    if type(value) is Quilt:
        if (<Quilt>value).edition_index != edition:
            raise StateError(field, "it is a quilt of another edition")
        return (<Quilt>value).mask
    rows = text_field(value, field)
    try:
        return read_quilt(rows, table(edition).size, rows, 0)
    except NotationError as error:
        raise StateError(field, str(error)) from None


cdef int set_line(pw_state *state, object line, object reserve) except -1:
    cdef str letters = text_field(line, "line")
    cdef Py_ssize_t i, in_line = len(letters)
    cdef int number
    letters += text_field(reserve, "reserve")
    if len(letters) > PW_LINE:
        raise StateError("line", f"expected at most {PW_LINE} patches")
    memset(state.line, 0, sizeof(state.line))
    for i, letter in enumerate(letters):
        number = letter_number(letter)
        if number < 0:
            raise StateError("line" if i < in_line else "reserve", "expected letters A-Z a-z")
        state.line[i] = number
    state.line_length, state.reserve_length = in_line, len(letters) - in_line
    return 0


cdef int set_player(pw_state *state, unsigned int player, dict data) except -1:
    where = f"players[{player}]"
    cdef pw_player *one = &state.players[player]
    one.quilt = quilt_field(data["quilt"], state.edition, f"{where}.quilt")
    one.position = number_field(data["position"], MOST_SPACE, f"{where}.position")
    one.buttons = number_field(data["buttons"], MOST_BUTTONS, f"{where}.buttons")
    one.income = number_field(data["income"], MOST_INCOME, f"{where}.income")
    return 0


cdef State state_from_fields(int edition, dict data):
    """A state from the values of its view, the edition being found."""
    cdef pw_state state
    cdef unsigned int i
    memset(&state, 0, sizeof(state))
    state.edition = edition
    set_line(&state, data["line"], data["reserve"])
    for i in range(2):
        set_player(&state, i, data["players"][i])
    state.mover = seat_field(data["to_move"], "to_move")
    state.waiting = number_field(data["specials_waiting"], PW_SPECIALS, "specials_waiting")
    state.tile_holder = seat_field(data["tile_holder"], "tile_holder")
    state.finished_first = seat_field(data["finished_first"], "finished_first")
    check_state(&state)
    return new_state(&state)


cdef State state_from_dict(object data):
    cdef dict fields
    if not isinstance(data, dict):
        raise TypeError(f"a state is read from a dict, not {type(data).__name__}")
    fields = fields_of(data, STATE_KEYS, "")
    players = pair_of(fields["players"])
    if players is None:
        raise StateError("players", "expected a list of two")
    fields["players"] = [
        fields_of(player, PLAYER_KEYS, f"players[{i}]") for i, player in enumerate(players)
    ]
    return state_from_fields(edition_field(fields["edition"]), fields)


cdef int edition_field(object tag) except -1:
    try:
        return index_of_tag(text_field(tag, "edition"))
    except EditionError as error:
        raise StateError("edition", error.fault) from None


cdef State replaced(const pw_state *state, dict changes):
    cdef dict data = state_dict(state)
    for name in changes:
        if name not in CHANGES:
            raise TypeError(f"a state has no {name!r} to replace; there are {', '.join(CHANGES)}")
    for name, key in (
        ("quilts", "quilt"), ("positions", "position"), ("buttons", "buttons"),
        ("incomes", "income"),
    ):
        if name in changes:
            replace_pair(data["players"], key, changes.pop(name), name)
    data.update(changes)
    return state_from_fields(state.edition, data)


cdef int replace_pair(list players, str key, object values, str name) except -1:
    pair = pair_of(values)
    if pair is None:
        raise StateError(name, "expected a pair, one for each player")
    players[0][key], players[1][key] = pair
    return 0
