/*
 * Separations along many directions at once, to rounding: what they refuse by more than that need not be
 * looked at.
 */
#include "collide/pair3.h"
#include "core/wide.h"

/* vertices that are looked at in one go over the directions */
enum { VERTICES = 4 };

// highest and lowest heights of vertices along the directions
static inline void heights_over(const v3 *restrict x, uint32_t count, const direction_batch *restrict b,
                                double top[restrict TOGETHER], double low[restrict TOGETHER])
{
    for (int j = 0; j < TOGETHER; j++) {
        top[j] = -HUGE_VAL;
        low[j] = HUGE_VAL;
    }
    for (uint32_t i = 0; i < count; i += VERTICES) {
        // the last one once more for those that are missing
        v3 y[VERTICES];
        for (uint32_t e = 0; e < VERTICES; e++)
            y[e] = x[i + e < count ? i + e : count - 1];
        for (int j = 0; j < TOGETHER; j++) {
            double most = top[j], least = low[j];
            for (int e = 0; e < VERTICES; e++) {
                const double h = b->n[0][j] * y[e].v[0] + b->n[1][j] * y[e].v[1] + b->n[2][j] * y[e].v[2];
                most = h > most ? h : most;
                least = h < least ? h : least;
            }
            top[j] = most;
            low[j] = least;
        }
    }
}

WIDE void directions_judge(const pair3 *k, direction_batch *restrict b)
{
    double top_f[TOGETHER], low_f[TOGETHER], top_g[TOGETHER], low_g[TOGETHER];
    heights_over(k->f.x, k->f.n, b, top_f, low_f);
    heights_over(k->g.x, k->g.n, b, top_g, low_g);
    for (int j = 0; j < TOGETHER; j++) {
        b->ahead[j] = low_g[j] - top_f[j];
        b->back[j] = low_f[j] - top_g[j];
    }
}

bool directions_can_be_judged(const pair3 *k)
{
    return !k->f.round && !k->g.round && k->f.n <= VIEW_VERTICES && k->g.n <= VIEW_VERTICES && !k->mesh;
}
