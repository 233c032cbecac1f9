/*
 * Free rotation of balls, which keep their spin: rotate_by of many at once, with the same bits.  What a block
 * needs is gathered into rows of numbers of the same kind, on which the compiler works with vectors.
 */
#include "core/wide.h"
#include "dynamics/rotate.h"
#include "math/quat.h"

typedef double numbers[ROTATE_BLOCK];

typedef struct block {
    numbers turn[3], q[4];
    // computed
    numbers square, turned[4]; /* (|turn| / 2)^2; q afterwards, if that is short */
} block;

static inline void gather(const uint32_t *restrict slot, size_t count, double t, const double *restrict u,
                          const double *restrict q, block *restrict k)
{
    for (size_t j = 0; j < count; j++) {
        const double *w = &u[6 * (size_t)slot[j] + 3], *p = &q[7 * (size_t)slot[j] + 3];
        for (int e = 0; e < 3; e++)
            k->turn[e][j] = t * w[e];
        for (int e = 0; e < 4; e++)
            k->q[e][j] = p[e];
    }
}

// rotate_by where the series of short_cos_sinc holds
WIDE static void turn_shortly(block *restrict k, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        const double turn[3] = {k->turn[0][j], k->turn[1][j], k->turn[2][j]};
        double q[4] = {k->q[0][j], k->q[1][j], k->q[2][j], k->q[3][j]}, delta[4], c, s;
        const double square = vec3_dot(turn, turn) / 4;
        short_cos_sinc(square, &c, &s);
        s /= 2;
        quat_set(delta, c, s * turn[0], s * turn[1], s * turn[2]);
        quat_multiply(delta, q, q);
        quat_mend_unit(q);
        k->square[j] = square;
        for (int e = 0; e < 4; e++)
            k->turned[e][j] = q[e];
    }
}

void rotate_balls(const uint32_t *slot, size_t count, double t, const double *u, double *q)
{
    block k;
    gather(slot, count, t, u, q, &k);
    turn_shortly(&k, count);
    for (size_t j = 0; j < count; j++) {
        double *p = &q[7 * (size_t)slot[j] + 3];
        if (k.square[j] <= SHORT_SQUARE)
            quat_set(p, k.turned[0][j], k.turned[1][j], k.turned[2][j], k.turned[3][j]);
        else
            rotate_by((double[3]){k.turn[0][j], k.turn[1][j], k.turn[2][j]}, p);
    }
}
