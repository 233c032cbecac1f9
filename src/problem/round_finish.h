/*
 * The end of a step at contacts of round bodies, for the width of the file that includes this (core/lanes.h).
 * The lever arms are r1 = -a1 n, r2 = a2 n, so that with d = v1 - v2, W = a1 omega1 + a2 omega2 (3D: s = n x
 * t)
 *
 *   U_N = n.d,   U_t = t.d - s.W,   U_s = s.d + t.W        (2D: U_T = t.d - W)
 *   torque on either body = -a T,   T = n x P = s S_t - t S_s     (2D: T = S_T)
 *
 * What is lost is -S.(U_I + U_F)/2, U_I before and U_F after (M99 (48)).
 */
#include "problem/round_kernel.h"

/* contacts between asking for what one needs and needing it */
enum { FINISH_AHEAD = 32 };

// where a group's numbers are
typedef struct end_group {
    size_t at[WIDTH], body[2][WIDTH];
    bool row; /* contacts follow each other */
} end_group;

// what the solver has pushed out of the near caches, for one of the next contacts
KERNEL_INLINE void ask_for_ends(int dim, const round_ends *c, size_t i)
{
    const size_t nu = dim == 2 ? 3 : 6, later = i + FINISH_AHEAD < c->count ? i + FINISH_AHEAD : i,
                 next = nu * c->slot2[later];
    __builtin_prefetch(&c->after[next]);
    __builtin_prefetch(&c->before[next]);
    __builtin_prefetch(&c->force[next], 1);
}

// numbers of the group's contacts, and their lever arms
KERNEL_INLINE void find_ends(int dim, const round_ends *c, const uint32_t *at, end_group *g, lanes arm[2])
{
    double a[2][WIDTH];
    for (size_t l = 0; l < WIDTH; l++) {
        const size_t i = at[l], one = c->slot1[i], two = c->slot2[i];
        const double half = 0.5 * c->gap[i];
        ask_for_ends(dim, c, i);
        g->at[l] = i;
        g->body[0][l] = one;
        g->body[1][l] = two;
        a[0][l] = c->radius[one] + half;
        a[1][l] = c->radius[two] + half;
    }
    for (int k = 0; k < 2; k++)
        arm[k] = lanes_load(a[k]);
    g->row = g->at[WIDTH - 1] - g->at[0] == WIDTH - 1;
}

// `dim` numbers of each contact
KERNEL_INLINE void load_each(int dim, const end_group *g, const double *x, lanes out[4])
{
    const double *line[WIDTH];
    if (g->row) {
        load_impulse(dim, x + (size_t)dim * g->at[0], out);
        return;
    }
    for (size_t l = 0; l < WIDTH; l++)
        line[l] = x + (size_t)dim * g->at[l];
    fours_load(line, 0, dim, out);
}

KERNEL_INLINE void store_each(int dim, const end_group *g, double *x, const lanes in[3])
{
    double each[3][WIDTH];
    if (g->row) {
        store_impulse(dim, x + (size_t)dim * g->at[0], in);
        return;
    }
    for (int k = 0; k < dim; k++)
        lanes_store(each[k], in[k]);
    for (size_t l = 0; l < WIDTH; l++)
        for (int k = 0; k < dim; k++)
            x[(size_t)dim * g->at[l] + (size_t)k] = each[k][l];
}

// d and W of velocities u of both bodies
KERNEL_INLINE void parting(int dim, const end_group *g, const double *u, const lanes a[2], lanes d[3],
                           lanes W[3])
{
    const size_t nu = dim == 2 ? 3 : 6;
    const double *one[WIDTH], *two[WIDTH];
    lanes u1[8], u2[8];
    for (size_t l = 0; l < WIDTH; l++) {
        one[l] = u + nu * g->body[0][l];
        two[l] = u + nu * g->body[1][l];
    }
    lines_load_part(one, (int)nu, u1);
    lines_load_part(two, (int)nu, u2);
    for (int k = 0; k < dim; k++)
        d[k] = u1[k] - u2[k];
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++)
        W[k] = a[0] * u1[dim + k] + a[1] * u2[dim + k];
}

// impulse on the first body and torques on both
KERNEL_INLINE void store_shove(int dim, const round_ends *c, const end_group *g, const lanes P[3],
                               const lanes T[3], const lanes a[2])
{
    double *line[WIDTH], last[WIDTH];
    for (size_t l = 0; l < WIDTH; l++)
        line[l] = c->shove + (dim == 2 ? 4 : 9) * (g->at[l] - c->first);
    if (dim == 2) {
        fours_store(line, 0, (const lanes[4]){P[0], P[1], -a[0] * T[0], -a[1] * T[0]});
        return;
    }
    fours_store(line, 0, (const lanes[4]){P[0], P[1], P[2], -a[0] * T[0]});
    fours_store(line, 4, (const lanes[4]){-a[0] * T[1], -a[0] * T[2], -a[1] * T[0], -a[1] * T[1]});
    lanes_store(last, -a[1] * T[2]);
    for (size_t l = 0; l < WIDTH; l++)
        line[l][8] = last[l];
}

// WIDTH contacts; loss: by impacts and by friction, from lane on
KERNEL_INLINE void finish_group(int dim, const round_ends *c, const uint32_t *at, double loss[2][LANES],
                                size_t lane)
{
    end_group g;
    lanes n[4], S[4], arm[2], t[3], s[3], d[3], W[3], d2[3], W2[3], U[3], mean[3], P[3], T[3];
    find_ends(dim, c, at, &g, arm);
    load_each(dim, &g, c->normal, n);
    load_each(dim, &g, c->S, S);
    parting(dim, &g, c->after, arm, d, W);
    parting(dim, &g, c->before, arm, d2, W2);
    for (int k = 0; k < dim; k++)
        d2[k] = d[k] + d2[k];
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++)
        W2[k] = W[k] + W2[k];
    if (dim == 3)
        round_frame(n, t, s);
    velocity_along(dim, n, t, s, d, W, U);
    velocity_along(dim, n, t, s, d2, W2, mean);
    shove_along(dim, n, t, s, S, P, T);
    lanes friction = mean[1] * S[1];
    if (dim == 3)
        friction = friction + mean[2] * S[2];
    add_to(&loss[0][lane], lanes_of(-0.5) * mean[0] * S[0]);
    add_to(&loss[1][lane], lanes_of(-0.5) * friction);
    store_each(dim, &g, c->U, U);
    store_shove(dim, c, &g, P, T, arm);
}

// whole groups of WIDTH
static void finish2(const round_ends *c, const uint32_t *at, size_t count, double loss[2][LANES])
{
    for (size_t i = 0; i < count; i += WIDTH)
        finish_group(2, c, at + i, loss, i % LANES);
}

static void finish3(const round_ends *c, const uint32_t *at, size_t count, double loss[2][LANES])
{
    for (size_t i = 0; i < count; i += WIDTH)
        finish_group(3, c, at + i, loss, i % LANES);
}
