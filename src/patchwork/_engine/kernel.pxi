# The body of a kernel module: the rules, built with the flags of the module that includes it,
# behind a table of functions. That module says KERNEL_NAME first.

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memmove, memset

from patchwork.api cimport *

cdef extern from "anchors.h" nogil:
    const char *PW_KERNEL_NAME
    const uint64_t PW_GAMMA
    unsigned int pw_lowest(uint64_t word) noexcept
    unsigned int pw_count(uint64_t word) noexcept
    unsigned int pw_select(uint64_t word, unsigned int k) noexcept
    void pw_shift_line(uint8_t *line, unsigned int taken) noexcept
    uint64_t pw_little_endian(const uint8_t *bytes) noexcept
    void pw_store_words(uint8_t *out, const uint64_t *words, unsigned int count) noexcept
    uint32_t pw_find_anchors(
        const pw_patch *patch, const uint64_t *windows, pw_anchors *anchors
    ) noexcept


ctypedef const pw_edition *Edition
ctypedef const pw_state *State

include "rules.pxi"
include "moves.pxi"
include "runs.pxi"

cdef pw_kernel functions

functions.abi = PW_ABI
functions.state_size = sizeof(pw_state)
functions.name = PW_KERNEL_NAME
functions.start = start
functions.generate = generate
functions.placements = placements
functions.move_at = move_at
functions.index_of = index_of
functions.refusals = refusals
functions.action_refusals = action_refusals
functions.action_of = action_of
functions.cells_of = cells_of
functions.apply = apply_move
functions.report = report_move
functions.points = points
functions.winner = winner
functions.playout = playout
functions.perft = perft
functions.key = key
functions.next = next_word
functions.below = below
functions.stream = stream
functions.mask_bytes = mask_bytes
functions.mask_bits = mask_bits

table = PyCapsule_New(&functions, "patchwork.kernel", NULL)
