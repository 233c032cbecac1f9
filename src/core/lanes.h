/*
 * Several doubles at once: `lanes` has WIDTH of them, as many as the file that includes this asks for by
 * LANES_WIDTH: 8 (compiled for AVX-512), 4 (AVX2) or 1.  + - * / act on each lane alone and round as
 * doubles do, so that a lane has the same bits for any width.
 *
 * A line is eight consecutive doubles in memory.  WIDTH lines are read as eight `lanes`: column k has number
 * k of every line.
 */
#ifndef CORE_LANES_H
#define CORE_LANES_H

#include <math.h>
#include <string.h>

// columns stay in registers only where nothing is called
#define LANES_INLINE static inline __attribute__((always_inline))

#if !defined(LANES_WIDTH) || (LANES_WIDTH != 8 && LANES_WIDTH != 4 && LANES_WIDTH != 1)
#error "LANES_WIDTH must be 8, 4 or 1"
#endif

#if LANES_WIDTH > 1
#include <immintrin.h>

// the first `count` <= 4 numbers of a line
LANES_INLINE __m256d load_few(const double *line, int count)
{
    const __m256i number = _mm256_set_epi64x(3, 2, 1, 0);
    if (count == 4)
        return _mm256_loadu_pd(line);
    return _mm256_maskload_pd(line, _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), number));
}
#endif

#if LANES_WIDTH == 8

enum { WIDTH = 8 };
typedef __m512d lanes;

LANES_INLINE lanes lanes_of(double x)
{
    return _mm512_set1_pd(x);
}

LANES_INLINE lanes lanes_load(const double *x)
{
    return _mm512_loadu_pd(x);
}

LANES_INLINE void lanes_store(double *x, lanes a)
{
    _mm512_storeu_pd(x, a);
}

LANES_INLINE lanes lanes_sqrt(lanes a)
{
    return _mm512_sqrt_pd(a);
}

LANES_INLINE lanes lanes_abs(lanes a)
{
    return _mm512_abs_pd(a);
}

/* 1 with the sign of a, that of zeros too */
LANES_INLINE lanes lanes_sign(lanes a)
{
    const __m512i bit = _mm512_and_si512(_mm512_castpd_si512(a), _mm512_castpd_si512(_mm512_set1_pd(-0.0)));
    return _mm512_castsi512_pd(_mm512_or_si512(bit, _mm512_castpd_si512(_mm512_set1_pd(1))));
}

/* a > b ? a : b, and a < b ? a : b: b where one is not a number */
LANES_INLINE lanes lanes_max(lanes a, lanes b)
{
    return _mm512_max_pd(a, b);
}

LANES_INLINE lanes lanes_min(lanes a, lanes b)
{
    return _mm512_min_pd(a, b);
}

/* a < b ? x : y */
LANES_INLINE lanes lanes_if_less(lanes a, lanes b, lanes x, lanes y)
{
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ), y, x);
}

/* x where the lane has a bit, otherwise y */
LANES_INLINE lanes lanes_pick(unsigned bits, lanes x, lanes y)
{
    return _mm512_mask_blend_pd((__mmask8)bits, y, x);
}

/* a < b: bit l for lane l */
LANES_INLINE unsigned lanes_less(lanes a, lanes b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}

// numbers of two lines, side by side
LANES_INLINE lanes load_two(const double *one, const double *two, int count)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(load_few(one, count)), load_few(two, count), 1);
}

/* The numbers [from, from + count) of every line, count <= 4; the other columns are 0. */
LANES_INLINE void fours_load(const double *const line[8], int from, int count, lanes out[4])
{
    lanes low[2], high[2];
    for (int k = 0; k < 2; k++) {
        const double *const *l = line + 4 * k;
        const lanes even = load_two(l[0] + from, l[2] + from, count),
                    odd = load_two(l[1] + from, l[3] + from, count);
        low[k] = _mm512_unpacklo_pd(even, odd);
        high[k] = _mm512_unpackhi_pd(even, odd);
    }
    out[0] = _mm512_shuffle_f64x2(low[0], low[1], 0x88);
    out[1] = _mm512_shuffle_f64x2(high[0], high[1], 0x88);
    out[2] = _mm512_shuffle_f64x2(low[0], low[1], 0xdd);
    out[3] = _mm512_shuffle_f64x2(high[0], high[1], 0xdd);
}

/* The numbers [from, from + 4) of every line. */
LANES_INLINE void fours_store(double *const line[8], int from, const lanes in[4])
{
    const __m512i first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0),
                  last = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    for (size_t odd = 0; odd < 2; odd++) {
        const lanes a = odd ? _mm512_unpackhi_pd(in[0], in[1]) : _mm512_unpacklo_pd(in[0], in[1]),
                    b = odd ? _mm512_unpackhi_pd(in[2], in[3]) : _mm512_unpacklo_pd(in[2], in[3]);
        const lanes low = _mm512_permutex2var_pd(a, first, b), high = _mm512_permutex2var_pd(a, last, b);
        _mm256_storeu_pd(line[odd] + from, _mm512_castpd512_pd256(low));
        _mm256_storeu_pd(line[2 + odd] + from, _mm512_extractf64x4_pd(low, 1));
        _mm256_storeu_pd(line[4 + odd] + from, _mm512_castpd512_pd256(high));
        _mm256_storeu_pd(line[6 + odd] + from, _mm512_extractf64x4_pd(high, 1));
    }
}

/* WIDTH entries of two or three numbers each. */
LANES_INLINE void pairs_load(const double *x, lanes out[2])
{
    const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0),
                  odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    lanes a = _mm512_loadu_pd(x), b = _mm512_loadu_pd(x + 8);
    out[0] = _mm512_permutex2var_pd(a, even, b);
    out[1] = _mm512_permutex2var_pd(a, odd, b);
}

LANES_INLINE void pairs_store(double *x, const lanes in[2])
{
    const __m512i low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0),
                  high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    _mm512_storeu_pd(x, _mm512_permutex2var_pd(in[0], low, in[1]));
    _mm512_storeu_pd(x + 8, _mm512_permutex2var_pd(in[0], high, in[1]));
}

LANES_INLINE void triples_load(const double *x, lanes out[3])
{
    lanes a = _mm512_loadu_pd(x), b = _mm512_loadu_pd(x + 8), c = _mm512_loadu_pd(x + 16);
    // first what a and b have, then what c has
    const __m512i one[3] = {_mm512_set_epi64(0, 0, 15, 12, 9, 6, 3, 0),
                            _mm512_set_epi64(0, 0, 0, 13, 10, 7, 4, 1),
                            _mm512_set_epi64(0, 0, 0, 14, 11, 8, 5, 2)};
    const __m512i two[3] = {_mm512_set_epi64(13, 10, 5, 4, 3, 2, 1, 0),
                            _mm512_set_epi64(14, 11, 8, 4, 3, 2, 1, 0),
                            _mm512_set_epi64(15, 12, 9, 4, 3, 2, 1, 0)};
    for (int k = 0; k < 3; k++)
        out[k] = _mm512_permutex2var_pd(_mm512_permutex2var_pd(a, one[k], b), two[k], c);
}

LANES_INLINE void triples_store(double *x, const lanes in[3])
{
    // number 3 i + k of x is lane i of in[k]
    const __m512i one[3] = {_mm512_set_epi64(10, 2, 0, 9, 1, 0, 8, 0),
                            _mm512_set_epi64(5, 0, 12, 4, 0, 11, 3, 0),
                            _mm512_set_epi64(0, 15, 7, 0, 14, 6, 0, 13)};
    const __m512i two[3] = {_mm512_set_epi64(7, 6, 9, 4, 3, 8, 1, 0),
                            _mm512_set_epi64(7, 12, 5, 4, 11, 2, 1, 10),
                            _mm512_set_epi64(15, 6, 5, 14, 3, 2, 13, 0)};
    lanes first = _mm512_permutex2var_pd(_mm512_permutex2var_pd(in[0], one[0], in[1]), two[0], in[2]);
    lanes last = _mm512_permutex2var_pd(_mm512_permutex2var_pd(in[0], one[2], in[1]), two[2], in[2]);
    lanes middle = _mm512_permutex2var_pd(_mm512_permutex2var_pd(in[0], one[1], in[1]), two[1], in[2]);
    _mm512_storeu_pd(x, first);
    _mm512_storeu_pd(x + 8, middle);
    _mm512_storeu_pd(x + 16, last);
}

#elif LANES_WIDTH == 4

enum { WIDTH = 4 };
typedef __m256d lanes;

LANES_INLINE lanes lanes_of(double x)
{
    return _mm256_set1_pd(x);
}

LANES_INLINE lanes lanes_load(const double *x)
{
    return _mm256_loadu_pd(x);
}

LANES_INLINE void lanes_store(double *x, lanes a)
{
    _mm256_storeu_pd(x, a);
}

LANES_INLINE lanes lanes_sqrt(lanes a)
{
    return _mm256_sqrt_pd(a);
}

LANES_INLINE lanes lanes_abs(lanes a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

LANES_INLINE lanes lanes_sign(lanes a)
{
    return _mm256_or_pd(_mm256_and_pd(a, _mm256_set1_pd(-0.0)), _mm256_set1_pd(1));
}

LANES_INLINE lanes lanes_max(lanes a, lanes b)
{
    return _mm256_max_pd(a, b);
}

LANES_INLINE lanes lanes_min(lanes a, lanes b)
{
    return _mm256_min_pd(a, b);
}

LANES_INLINE lanes lanes_if_less(lanes a, lanes b, lanes x, lanes y)
{
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_LT_OQ));
}

LANES_INLINE lanes lanes_pick(unsigned bits, lanes x, lanes y)
{
    const __m256i bit = _mm256_set_epi64x(8, 4, 2, 1), all = _mm256_set1_epi64x((long long)bits);
    return _mm256_blendv_pd(y, x, _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(all, bit), bit)));
}

LANES_INLINE unsigned lanes_less(lanes a, lanes b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ));
}

LANES_INLINE void transpose4(lanes r[4])
{
    lanes a = _mm256_unpacklo_pd(r[0], r[1]), b = _mm256_unpackhi_pd(r[0], r[1]);
    lanes c = _mm256_unpacklo_pd(r[2], r[3]), d = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(a, c, 0x20);
    r[1] = _mm256_permute2f128_pd(b, d, 0x20);
    r[2] = _mm256_permute2f128_pd(a, c, 0x31);
    r[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

LANES_INLINE void fours_load(const double *const line[4], int from, int count, lanes out[4])
{
    for (int l = 0; l < 4; l++)
        out[l] = load_few(line[l] + from, count);
    transpose4(out);
}

LANES_INLINE void fours_store(double *const line[4], int from, const lanes in[4])
{
    lanes row[4] = {in[0], in[1], in[2], in[3]};
    transpose4(row);
    for (int l = 0; l < 4; l++)
        _mm256_storeu_pd(line[l] + from, row[l]);
}

LANES_INLINE void pairs_load(const double *x, lanes out[2])
{
    out[0] = _mm256_set_pd(x[6], x[4], x[2], x[0]);
    out[1] = _mm256_set_pd(x[7], x[5], x[3], x[1]);
}

LANES_INLINE void triples_load(const double *x, lanes out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = _mm256_set_pd(x[9 + k], x[6 + k], x[3 + k], x[k]);
}

// entry i of `count` numbers: number k of it is lane i of in[k]
LANES_INLINE void entries_store(double *x, int count, const lanes *in)
{
    double lane[3][4];
    for (int k = 0; k < count; k++)
        _mm256_storeu_pd(lane[k], in[k]);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < count; k++)
            x[count * i + k] = lane[k][i];
}

LANES_INLINE void pairs_store(double *x, const lanes in[2])
{
    entries_store(x, 2, in);
}

LANES_INLINE void triples_store(double *x, const lanes in[3])
{
    entries_store(x, 3, in);
}

#else

enum { WIDTH = 1 };
typedef double lanes;

LANES_INLINE lanes lanes_of(double x)
{
    return x;
}

LANES_INLINE lanes lanes_load(const double *x)
{
    return *x;
}

LANES_INLINE void lanes_store(double *x, lanes a)
{
    *x = a;
}

LANES_INLINE lanes lanes_sqrt(lanes a)
{
    return sqrt(a);
}

LANES_INLINE lanes lanes_abs(lanes a)
{
    return fabs(a);
}

LANES_INLINE lanes lanes_sign(lanes a)
{
    return copysign(1, a);
}

LANES_INLINE lanes lanes_max(lanes a, lanes b)
{
    return a > b ? a : b;
}

LANES_INLINE lanes lanes_min(lanes a, lanes b)
{
    return a < b ? a : b;
}

LANES_INLINE lanes lanes_if_less(lanes a, lanes b, lanes x, lanes y)
{
    return a < b ? x : y;
}

LANES_INLINE lanes lanes_pick(unsigned bits, lanes x, lanes y)
{
    return bits & 1 ? x : y;
}

LANES_INLINE unsigned lanes_less(lanes a, lanes b)
{
    return a < b;
}

LANES_INLINE void fours_load(const double *const line[1], int from, int count, lanes out[4])
{
    for (int k = 0; k < 4; k++)
        out[k] = k < count ? line[0][from + k] : 0;
}

// number by number: memcpy would make the compiler put together on the stack what is in registers
LANES_INLINE void copy(double *to, int count, const double *from)
{
    for (int k = 0; k < count; k++)
        to[k] = from[k];
}

LANES_INLINE void fours_store(double *const line[1], int from, const lanes in[4])
{
    copy(line[0] + from, 4, in);
}

LANES_INLINE void pairs_load(const double *x, lanes out[2])
{
    copy(out, 2, x);
}

LANES_INLINE void pairs_store(double *x, const lanes in[2])
{
    copy(x, 2, in);
}

LANES_INLINE void triples_load(const double *x, lanes out[3])
{
    copy(out, 3, x);
}

LANES_INLINE void triples_store(double *x, const lanes in[3])
{
    copy(x, 3, in);
}

#endif

/* The first `count` <= 8 numbers of every line; the other columns are 0. */
LANES_INLINE void lines_load_part(const double *const line[WIDTH], int count, lanes out[8])
{
    fours_load(line, 0, count < 4 ? count : 4, out);
    fours_load(line, 4, count < 4 ? 0 : count - 4, out + 4);
}

LANES_INLINE void lines_load(const double *const line[WIDTH], lanes out[8])
{
    lines_load_part(line, 8, out);
}

LANES_INLINE void lines_store(double *const line[WIDTH], const lanes in[8])
{
    fours_store(line, 0, in);
    fours_store(line, 4, in + 4);
}

#endif
