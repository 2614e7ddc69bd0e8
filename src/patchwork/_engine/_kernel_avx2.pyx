"""The kernel for x86-64 processors with AVX2, BMI2 and POPCNT."""

cdef extern from *:
    """
    #define PW_KERNEL_NAME "avx2"
    #define PW_AVX2
    """

include "kernel.pxi"
