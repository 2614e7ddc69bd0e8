# The editions of this process: compiled once, never changed or freed.

cdef enum:
    MOST_EDITIONS = 1024

# Place 0 is an edition of nothing, so that a state made from nothing reads no wild memory. It has
# one space to go, so that even such a game ends.
cdef pw_edition nothing
cdef const pw_edition *tables[MOST_EDITIONS + 1]
cdef list editions = [None]
cdef dict index_of_name = {}
cdef object registry_lock = allocate_lock()
cdef object load_edition = None

memset(&nothing, 0, sizeof(nothing))
nothing.final = 1
tables[0] = &nothing


cdef const pw_edition *table(unsigned int index) noexcept nogil:
    return tables[index]


cdef object edition_at(unsigned int index):
    if index == 0:
        raise TypeError("this object was made by __new__ and belongs to no edition")
    return editions[index]


def set_edition_loader(loader):
    """Name the function that finds an edition by its name or raises EditionError."""
    global load_edition
    load_edition = loader


def find_edition(name):
    """Return the registered edition of this name, or None."""
    index = index_of_name.get(name)
    return None if index is None else editions[index]


cdef int index_of_tag(str tag) except -1:
    """The index of the edition with this tag."""
    edition = load_edition(tag.partition("~")[0])
    if edition.tag != tag:
        raise EditionError("edition", f"expected {edition.tag}")
    return edition._index


cdef int index_of_digest(unsigned long long digest) except -2:
    """The index of the edition with this digest, a shipped one being loaded if need be; or -1."""
    cdef int index
    for index in range(1, len(editions)):
        if tables[index].digest == digest:
            return index
    from patchwork.edition import SHIPPED
    for name, shipped in SHIPPED.items():
        if shipped == digest:
            return load_edition(name)._index
    return -1


def register(edition):
    """Compile an edition, if its content is new, and return its index.

    :raises EditionError: at ``name`` if the name is taken by another content, or if the process
        holds 1,024 editions already.
    """
    with registry_lock:
        index = index_of_name.get(edition.name)
        if index is None:
            return add_table(edition)
        if tables[<unsigned int>index].digest != edition.digest:
            raise EditionError("name", f"{edition.name} is registered with another content")
        return index


cdef int add_table(object edition) except -1:
    cdef int index = len(editions)
    cdef pw_edition *compiled
    if index > MOST_EDITIONS:
        raise EditionError("name", f"this process holds {MOST_EDITIONS} editions already")
    compiled = <pw_edition *>calloc(1, sizeof(pw_edition))
    if compiled == NULL:
        raise MemoryError
    fill_table(compiled, edition)
    tables[index] = compiled
    editions.append(edition)
    index_of_name[edition.name] = index
    return index


cdef int fill_table(pw_edition *compiled, object edition) except -1:
    cdef unsigned int size = edition.size
    compiled.digest = edition.digest
    compiled.size = size
    compiled.final = edition.final
    compiled.market = edition.market
    compiled.start_buttons = edition.start_buttons
    compiled.join_at = edition.reserve.join_at if edition.reserve is not None else 0
    compiled.board = block(0, 0, size)
    fill_spaces(edition.markers, compiled.markers, compiled.markers_to)
    fill_spaces(edition.specials, compiled.specials, compiled.specials_to)
    if edition.tile is not None:
        compiled.tile_points = edition.tile.points
        fill_squares(compiled, edition.tile.side)
    for patch in edition.patches.values():
        fill_patch(&compiled.patches[<Py_ssize_t>LETTERS.index(patch.letter)], patch, size)
    compiled.patches[PW_SPECIAL].lanes = compiled.patches[PW_SPECIAL].cells = 1
    fill_lane(&compiled.patches[PW_SPECIAL], 0, ((0, 0),), size)
    return 0


cdef inline void add_cell(pw_mask *mask, unsigned int cell) noexcept:
    if cell < 64:
        mask.low |= <uint64_t>1 << cell
    else:
        mask.high |= <uint64_t>1 << (cell - 64)


cdef inline bint has_cell(pw_mask mask, unsigned int cell) noexcept:
    return (mask.low >> cell if cell < 64 else mask.high >> (cell - 64)) & 1


cdef pw_mask block(unsigned int top, unsigned int left, unsigned int side) noexcept:
    cdef pw_mask cells
    cdef unsigned int row, column
    cells.low = cells.high = 0
    for row in range(top, top + side):
        for column in range(left, left + side):
            add_cell(&cells, row * 9 + column)
    return cells


cdef int fill_spaces(object spaces, uint8_t *listed, uint8_t *passed) except -1:
    cdef unsigned int i, space
    for i in range(len(spaces)):
        listed[i] = spaces[i]
        for space in range(listed[i], 256):
            passed[space] += 1
    return 0


cdef int fill_squares(pw_edition *compiled, unsigned int side) except -1:
    cdef unsigned int top, left, last = compiled.size - side
    cdef pw_mask square
    compiled.centre = compiled.board
    for top in range(last + 1):
        for left in range(last + 1):
            square = block(top, left, side)
            compiled.squares[compiled.squares_count] = square
            compiled.squares_count += 1
            compiled.centre.low &= square.low
            compiled.centre.high &= square.high
    return 0


cdef int fill_patch(pw_patch *compiled, object patch, unsigned int size) except -1:
    cdef unsigned int lane, orientation
    orientations = patch.orientations
    compiled.lanes = len(orientations)
    compiled.cells = patch.cells
    compiled.cost, compiled.time, compiled.income = patch.cost, patch.time, patch.income
    for orientation in range(8):
        compiled.lane[orientation] = orientations.index(patch.lowest(orientation))
    for lane in range(compiled.lanes):
        compiled.orientation[lane] = orientations[lane]
        fill_lane(compiled, lane, patch.offsets(orientations[lane]), size)
    return 0


cdef int fill_lane(
    pw_patch *compiled, unsigned int lane, object offsets, unsigned int size
) except -1:
    cdef unsigned int i, top, left, height = 0, width = 0
    for i, (row, column) in enumerate(offsets):
        compiled.shifts[i][lane] = row * 9 + column
        compiled.shape[lane] |= <uint64_t>1 << compiled.shifts[i][lane]
        height, width = max(height, <unsigned int>row + 1), max(width, <unsigned int>column + 1)
    if compiled.cells % 2:
        compiled.shifts[compiled.cells][lane] = compiled.shifts[compiled.cells - 1][lane]
    for top in range(size - height + 1 if height <= size else 0):
        for left in range(size - width + 1 if width <= size else 0):
            if top < 2:
                compiled.fits[0][lane] |= <uint64_t>1 << (top * 9 + left)
            else:
                compiled.fits[1][lane] |= <uint64_t>1 << ((top - 2) * 9 + left)
    return 0
