"""The classes of the core for other Cython code; the structs stand in patchwork/api.pxd."""

from libc.stdint cimport uint16_t

from patchwork.api cimport pw_edition, pw_kernel, pw_mask, pw_moves, pw_player, pw_random, pw_state

cdef const pw_kernel *engine
cdef const pw_edition *table(unsigned int index) noexcept nogil
cdef State new_state(const pw_state *source)
cdef int letter_index(object patch) except -1
cdef object integer_within(object number, object least, object most, str what)


cdef class Move:
    cdef uint16_t c


cdef class Random:
    cdef pw_random c


cdef class Quilt:
    cdef pw_mask mask
    cdef uint16_t edition_index


cdef class Player:
    cdef pw_player c
    cdef uint16_t edition_index


cdef class MoveView:
    cdef pw_state state
    cdef int letter       # the patch whose placements these are, or ALL_LEGAL
    cdef int orientation  # the only one, or ANY

    cdef void generate(self, pw_moves *moves) noexcept
    cdef int find(self, object move) except -2


cdef class LegalMoves(MoveView):
    pass


cdef class Placements(MoveView):
    pass


cdef class State:
    cdef pw_state c
