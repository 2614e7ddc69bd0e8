/* Operations on 64-bit words, with fallbacks where a machine or compiler lacks them.
 *
 * A kernel that may use AVX2, BMI2 and POPCNT defines PW_AVX2 before it includes this file. */
#ifndef PATCHWORK_BITS_H
#define PATCHWORK_BITS_H

#include <stdint.h>
#include <string.h>

#if defined(PW_AVX2)
#include <immintrin.h>
#endif
#if defined(_MSC_VER)
#include <intrin.h>
#endif

/* The step of SplitMix64: the golden ratio as a fraction of 64 bits. */
#define PW_GAMMA 0x9E3779B97F4A7C15ULL

/* The number of the lowest set bit; the word is not 0. */
static inline unsigned pw_lowest(uint64_t word)
{
#if defined(PW_AVX2)
    return (unsigned)_tzcnt_u64(word);
#elif defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_ctzll(word);
#else
    unsigned long place;
    _BitScanForward64(&place, word);
    return (unsigned)place;
#endif
}

/* The number of set bits in each half byte. */
static inline uint64_t pw_half_byte_counts(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555ULL;
    return (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
}

/* The number of set bits in each byte. */
static inline uint64_t pw_byte_counts(uint64_t word)
{
    word = pw_half_byte_counts(word);
    return (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
}

/* The number of set bits. */
static inline unsigned pw_count(uint64_t word)
{
#if defined(PW_AVX2) && defined(_MSC_VER) && !defined(__clang__)
    return (unsigned)__popcnt64(word);
#elif defined(PW_AVX2) || defined(__POPCNT__) || defined(__aarch64__)
    return (unsigned)__builtin_popcountll(word);
#else
    return (unsigned)((pw_byte_counts(word) * 0x0101010101010101ULL) >> 56);
#endif
}

/* The place of the k-th set bit, counted from 0; k is below the number of set bits. */
static inline unsigned pw_select(uint64_t word, unsigned k)
{
#if defined(PW_AVX2)
    return (unsigned)_tzcnt_u64(_pdep_u64(1ULL << k, word));
#else
    /* Byte i of `upto` counts the set bits of bytes 0..i; the top bit of a byte of `past` is
     * set where that exceeds k, so the first such byte holds the bit. */
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    const uint64_t upto = pw_byte_counts(word) * ones;
    const uint64_t past = ((upto | tops) - (k + 1) * ones) & tops;
    const unsigned shift = pw_lowest(past) & 56u;
    unsigned byte = (unsigned)(word >> shift) & 255u;
    k -= (unsigned)(upto << 8 >> shift) & 255u;
    while (k-- > 0)
        byte &= byte - 1;
    return shift + pw_lowest(byte);
#endif
}

/* Drops the first `taken` (1..3) of the 52 letters that a line can hold; zeros follow. */
static inline void pw_shift_line(uint8_t line[56], unsigned taken)
{
    uint64_t words[6];
    uint32_t tail;
    memcpy(words, line + taken, sizeof words);
    memcpy(&tail, line + taken + sizeof words, sizeof tail);
    memcpy(line, words, sizeof words);
    memcpy(line + sizeof words, &tail, sizeof tail);
}

/* Numbers as eight bytes each, the lowest first, on every machine. */
static inline void pw_store_words(uint8_t *out, const uint64_t *words, unsigned count)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (unsigned i = 0; i < 8 * count; i++)
        out[i] = (uint8_t)(words[i / 8] >> i % 8 * 8);
#else
    memcpy(out, words, 8 * count);
#endif
}

/* Eight bytes as a number, the first the lowest, on every machine. */
static inline uint64_t pw_little_endian(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

#endif
