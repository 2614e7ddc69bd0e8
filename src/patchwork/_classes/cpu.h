/* Whether this processor runs the AVX2 kernel. Compiled without its flags. */
#ifndef PATCHWORK_CPU_H
#define PATCHWORK_CPU_H

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

static inline int pw_cpu_has_avx2(void)
{
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#elif defined(_MSC_VER) && defined(_M_X64)
    int leaf1[4], leaf7[4];
    __cpuid(leaf1, 1);
    __cpuidex(leaf7, 7, 0);
    const int popcnt = leaf1[2] >> 23 & 1, osxsave = leaf1[2] >> 27 & 1;
    const int avx2 = leaf7[1] >> 5 & 1, bmi2 = leaf7[1] >> 8 & 1;
    return popcnt && avx2 && bmi2 && osxsave && (_xgetbv(0) & 6) == 6;
#else
    return 0;
#endif
}

#endif
