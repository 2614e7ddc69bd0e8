"""The kernel for every machine."""

cdef extern from *:
    """
    #define PW_KERNEL_NAME "portable"
    """

include "kernel.pxi"
