"""States, moves and random numbers: thin classes over the structs of the public header.

Rules are decided in the kernel alone. Here arguments are checked, codes become exceptions,
and structs become text, bytes and values.
"""

cimport cython
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS,
    PyBUF_SIMPLE,
    PyBUF_FORMAT,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cpython.number cimport PyNumber_AsSsize_t
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.unicode cimport PyUnicode_FromObject
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memcmp, memcpy, memset

import os
from _thread import allocate_lock
from collections.abc import Sequence
from operator import index as as_index

from patchwork.api cimport *

from patchwork.errors import (
    BytesError,
    EditionError,
    IllegalMoveError,
    NotationError,
    Reason,
    StateError,
)
from patchwork.values import Event, EventKind, Offer, Outcome, Problem, ProblemKind, Score

cdef extern from "bits.h" nogil:
    unsigned int pw_count(uint64_t word) noexcept

cdef extern from "_classes/cpu.h" nogil:
    int pw_cpu_has_avx2() noexcept

ACTIONS = PW_ACTIONS

cdef str LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
cdef str COLUMNS = "abcdefghi"
cdef str ROWS = "123456789"
cdef tuple REASONS = tuple(Reason)

include "_classes/kernels.pxi"
include "_classes/registry.pxi"
include "_classes/arguments.pxi"
include "_classes/random.pxi"
include "_classes/move.pxi"
include "_classes/quilt.pxi"
include "_classes/attempts.pxi"
include "_classes/views.pxi"
include "_classes/moves.pxi"
include "_classes/checks.pxi"
include "_classes/text.pxi"
include "_classes/bytes.pxi"
include "_classes/problems.pxi"
include "_classes/reports.pxi"
include "_classes/state.pxi"
