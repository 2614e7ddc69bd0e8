/* Where a patch fits: the anchors of all its orientations at once, by shifts of whole boards.
 *
 * A patch fits at an anchor if each of its cells is free: the free cells, shifted down by the
 * cell's distance from the anchor, and-ed over the cells. A window of seven rows keeps every
 * shift within 64 bits; no shape is taller than six rows, so the two windows see every anchor. */
#ifndef PATCHWORK_ANCHORS_H
#define PATCHWORK_ANCHORS_H

#include "patchwork/patchwork.h"
#include "bits.h"

#if defined(PW_AVX2)

/* The number of set bits in each byte of four lanes, looked up by half bytes. */
static inline __m256i pw_lane_counts(__m256i lanes)
{
    const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i halves = _mm256_set1_epi8(15);
    const __m256i low = _mm256_and_si256(lanes, halves);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(lanes, 4), halves);
    return _mm256_add_epi8(_mm256_shuffle_epi8(counts, low), _mm256_shuffle_epi8(counts, high));
}

static inline uint32_t pw_sum_of_bytes(__m256i bytes)
{
    const __m256i sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    const __m128i pair = _mm_add_epi32(_mm256_castsi256_si128(sums),
                                       _mm256_extracti128_si256(sums, 1));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(pair, _mm_srli_si128(pair, 8)));
}

/* Four lanes and two cells at a time. */
static inline uint32_t pw_find_anchors(const pw_patch *patch, const uint64_t windows[2],
                                       pw_anchors *anchors)
{
    const __m256i upper = _mm256_set1_epi64x((long long)windows[0]);
    const __m256i lower = _mm256_set1_epi64x((long long)windows[1]);
    __m256i counts = _mm256_setzero_si256(); /* by byte, at most 2 * 2 * 8 */
    unsigned lane = 0;
    do {
        const uint64_t *shift = &patch->shifts[0][lane], *const end = shift + 8 * patch->cells;
        __m256i above = _mm256_loadu_si256((const __m256i *)&patch->fits[0][lane]);
        __m256i below = _mm256_loadu_si256((const __m256i *)&patch->fits[1][lane]);
        do {
            const __m256i one = _mm256_loadu_si256((const __m256i *)shift);
            const __m256i two = _mm256_loadu_si256((const __m256i *)(shift + 8));
            above = _mm256_and_si256(above, _mm256_srlv_epi64(upper, one));
            below = _mm256_and_si256(below, _mm256_srlv_epi64(lower, one));
            above = _mm256_and_si256(above, _mm256_srlv_epi64(upper, two));
            below = _mm256_and_si256(below, _mm256_srlv_epi64(lower, two));
            shift += 16;
        } while (shift < end);
        _mm256_storeu_si256((__m256i *)&anchors->windows[0][lane], above);
        _mm256_storeu_si256((__m256i *)&anchors->windows[1][lane], below);
        counts = _mm256_add_epi8(counts, pw_lane_counts(above));
        counts = _mm256_add_epi8(counts, pw_lane_counts(below));
        lane += 4;
    } while (lane < patch->lanes);
    return pw_sum_of_bytes(counts);
}

#else

/* The number of set bits of two words in each byte. */
static inline uint64_t pw_pair_counts(uint64_t one, uint64_t two)
{
    const uint64_t halves = pw_half_byte_counts(one) + pw_half_byte_counts(two);
    return (halves & 0x0F0F0F0F0F0F0F0FULL) + (halves >> 4 & 0x0F0F0F0F0F0F0F0FULL);
}

static inline uint32_t pw_sum_of_bytes(uint64_t bytes)
{
    const uint64_t sums = (bytes & 0x00FF00FF00FF00FFULL) + (bytes >> 8 & 0x00FF00FF00FF00FFULL);
    return (uint32_t)(sums * 0x0001000100010001ULL >> 48);
}

static inline uint32_t pw_find_anchors(const pw_patch *patch, const uint64_t windows[2],
                                       pw_anchors *anchors)
{
    const uint64_t upper = windows[0], lower = windows[1];
    const unsigned lanes = patch->lanes, cells = patch->cells;
    uint64_t counts = 0; /* by byte, at most 8 * 2 * 8 */
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint64_t above = patch->fits[0][lane], below = patch->fits[1][lane];
        for (unsigned cell = 0; cell < cells; cell++) {
            const unsigned shift = (unsigned)patch->shifts[cell][lane];
            above &= upper >> shift;
            below &= lower >> shift;
        }
        anchors->windows[0][lane] = above;
        anchors->windows[1][lane] = below;
        counts += pw_pair_counts(above, below);
    }
    return pw_sum_of_bytes(counts);
}

#endif
#endif
