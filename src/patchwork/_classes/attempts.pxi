# What a caller means by a move, and what speaks against it.

cdef struct Attempt:
    unsigned int move
    unsigned int reasons
    pw_mask cells  # the guilty ones


cdef int attempt(const pw_state *state, object move, Attempt *tried) except -1:
    """Reads a move, its text or an action id, and asks the kernel."""
    if type(move) is Move:
        tried.move = (<Move>move).c
    elif isinstance(move, str):
        tried.move = parse_move(PyUnicode_FromObject(move))
    else:
        return attempt_action(state, move, tried)
    tried.reasons = engine.refusals(table(state.edition), state, tried.move, &tried.cells)
    return 0


cdef object action_number(object action):
    try:
        return integer(action, "action")
    except TypeError:
        raise TypeError(
            f"a move is a Move, a text or an action id, not {type(action).__name__}"
        ) from None


cdef int attempt_action(const pw_state *state, object action, Attempt *tried) except -1:
    number = action_number(action)
    if 0 <= number < PW_ACTIONS:
        tried.move = PW_PASS
        tried.reasons = engine.action_refusals(
            table(state.edition), state, number, &tried.move, &tried.cells
        )
        return 0
    tried.move = PW_PASS
    tried.reasons = PW_NOT_AN_ACTION | engine.refusals(
        table(state.edition), state, PW_PASS, &tried.cells
    )
    return 0


cdef int meant(const pw_state *state, object move) except -1:
    """The code of a move, legal or not, or of what an action id stands for."""
    if type(move) is Move:
        return (<Move>move).c
    if isinstance(move, str):
        return parse_move(PyUnicode_FromObject(move))
    return meant_by_action(state, move)


cdef int meant_by_action(const pw_state *state, object action) except -1:
    """IllegalMoveError for an id that is none, whose slot is empty or whose orientation repeats."""
    cdef Attempt tried
    attempt_action(state, action, &tried)
    if tried.reasons & (PW_NOT_AN_ACTION | PW_NO_SUCH_ORIENTATION | PW_NOT_IN_MARKET):
        raise refusal(state, action, &tried)
    return tried.move


cdef tuple reasons_of(unsigned int bits):
    cdef unsigned int i
    return tuple([REASONS[i] for i in range(len(REASONS)) if bits >> i & 1])


cdef object refusal(const pw_state *state, object move, const Attempt *tried):
    """The error that says why a move is refused."""
    needed = held = None
    if tried.reasons & PW_CANNOT_AFFORD:
        needed = table(state.edition).patches[tried.move // 648].cost
        held = state.players[state.mover].buttons
    return IllegalMoveError(
        move_shown(move), state_text(state), reasons_of(tried.reasons), cell_names(tried.cells),
        needed, held,
    )


cdef str move_shown(object move):
    return str(move) if isinstance(move, (Move, str)) else f"action {shortened(as_index(move))}"


cdef inline int accept(const pw_state *state, object move) except -1:
    """The code of a move that must be legal; IllegalMoveError if it is not."""
    cdef Attempt tried
    attempt(state, move, &tried)
    if tried.reasons:
        raise refusal(state, move, &tried)
    return tried.move


cdef int read_loosely(const pw_state *state, str text) except -1:
    """The code of a move as people type it."""
    cdef str word = text.strip()
    cdef Py_ssize_t start = len(text) - len(text.lstrip())
    cdef Py_ssize_t split = len(word) - 2  # where the cell begins
    cdef int cell, orientation
    if word.lower() == "pass":
        return PW_PASS
    if split < 1:
        raise NotationError(text, start, "expected pass, or a patch and a cell such as L0@h1")
    cell = read_cell(word[split:].lower(), text, start + split)
    head = word[:split].removesuffix("@")
    if head in ("h", "H") or state.waiting and head in ("h0", "H0"):
        return PW_SPECIAL * 648 + cell
    split = len(head) - 1  # where the orientation stands
    orientation = "01234567".find(head[split:]) if split >= 0 else -1
    if orientation < 0:
        raise NotationError(text, start + max(split, 0), "expected an orientation 0..7")
    return letter_meant(state, head[:split], text, start) * 648 + orientation * 81 + cell


cdef int letter_meant(
    const pw_state *state, str head, str text, Py_ssize_t start
) except -1:
    """The patch that a letter, or a slot such as ``0:``, stands for."""
    cdef str market = market_letters(state)
    cdef Py_ssize_t slot
    if len(head) == 2 and head[1] == ":":
        slot = "012".find(head[:1])
        if not 0 <= slot < len(market):
            raise NotationError(text, start, "expected a slot that holds a patch")
        return letter_number(market[slot])
    if len(head) != 1 or letter_number(head) < 0:
        raise NotationError(text, start, "expected pass, the letter of a patch or a slot")
    if head not in market and head.swapcase() in market or head == "h":
        head = head.swapcase()
    return letter_number(head)
