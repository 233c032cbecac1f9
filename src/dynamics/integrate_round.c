/*
 * The end of the step at contacts between lone discs and spheres: the lever arms are r1 = -a1 n, r2 = a2 n,
 * a = radius + gap/2, so that with d = v1 - v2, W = a1 omega1 + a2 omega2 (3D: s = n x t)
 *
 *   U_N = n.d,   U_t = t.d - s.W,   U_s = s.d + t.W        (2D: U_T = t.d - W)
 *   torque on either body = -a n x P = -a (s S_t - t S_s)  (2D: -a S_T)
 *
 * A block of contacts is gathered into rows of numbers of the same kind, on which the compiler works with
 * vectors.
 */
#include <math.h>
#include <string.h>

#include "core/wide.h"
#include "dynamics/integrate.h"

typedef double numbers[FINISH_BLOCK];

/* contacts between asking for what one needs and needing it */
enum { AHEAD = 32 };

/* Of a body's velocity in 3D four numbers are taken at a time: v and one of omega, one of v and omega. */
typedef struct block {
    double n[FINISH_BLOCK][4];
    double d[FINISH_BLOCK][4], W[FINISH_BLOCK][4];   /* at the end of the step; W from its second number on */
    double d2[FINISH_BLOCK][4], W2[FINISH_BLOCK][4]; /* sum of start and end */
    double S[FINISH_BLOCK][4];
    numbers a1, a2; /* lever arms, m */
    // computed
    double U[FINISH_BLOCK][4], P[FINISH_BLOCK][4], T[FINISH_BLOCK][4]; /* T: n x P */
    numbers normal, tangential;
} block;

// velocities of contact j of the block in 2D
static inline void gather2(block *k, size_t j, const double *u1, const double *u2, const double *v1,
                           const double *v2)
{
    const double W = k->a1[j] * u1[2] + k->a2[j] * u2[2];
    for (size_t e = 0; e < 2; e++) {
        k->d[j][e] = u1[e] - u2[e];
        k->d2[j][e] = (u1[e] - u2[e]) + (v1[e] - v2[e]);
    }
    k->W[j][1] = W;
    k->W2[j][1] = W + (k->a1[j] * v1[2] + k->a2[j] * v2[2]);
}

// the same in 3D
static inline void gather3(block *k, size_t j, const double *u1, const double *u2, const double *v1,
                           const double *v2)
{
    for (size_t e = 0; e < 4; e++) {
        const double W = k->a1[j] * u1[2 + e] + k->a2[j] * u2[2 + e];
        k->d[j][e] = u1[e] - u2[e];
        k->d2[j][e] = (u1[e] - u2[e]) + (v1[e] - v2[e]);
        k->W[j][e] = W;
        k->W2[j][e] = W + (k->a1[j] * v1[2 + e] + k->a2[j] * v2[2 + e]);
    }
}

static inline void gather(size_t dim, const finish *f, const uint32_t *restrict at, size_t count,
                          block *restrict k)
{
    const contact_set *c = f->c;
    const size_t nu = dim == 2 ? 3 : 6;
    const uint32_t *slot1 = c->slot1, *slot2 = c->slot2;
    const double *normal = c->normal, *impulse = c->S, *gap = c->gap, *radius = f->b->radius;
    const double *after = f->u_f, *before = f->d->u_start, *force = f->b->force;
    const uint8_t *kind = f->b->kind;
    const size_t contacts = c->count;
    for (size_t j = 0; j < count; j++) {
        const size_t i = at[j], s1 = slot1[i], s2 = slot2[i];
        // what the solver has pushed out of the near caches, for one of the next contacts
        const size_t later = i + AHEAD < contacts ? i + AHEAD : i, next = nu * slot2[later];
        __builtin_prefetch(&after[next]);
        __builtin_prefetch(&before[next]);
        __builtin_prefetch(&force[next], 1);
        // a boundary moves on as it does
        const bool free1 = kind[s1] == MO_BODY_DYNAMIC, free2 = kind[s2] == MO_BODY_DYNAMIC;
        const double *u1 = &after[nu * s1], *u2 = &after[nu * s2];
        const double *v1 = &(free1 ? before : after)[nu * s1], *v2 = &(free2 ? before : after)[nu * s2];
        const double half = 0.5 * gap[i];
        k->a1[j] = radius[s1] + half;
        k->a2[j] = radius[s2] + half;
        for (size_t e = 0; e < dim; e++) {
            k->n[j][e] = normal[dim * i + e];
            k->S[j][e] = impulse[dim * i + e];
        }
        if (dim == 2)
            gather2(k, j, u1, u2, v1, v2);
        else
            gather3(k, j, u1, u2, v1, v2);
    }
}

WIDE static void compute2(block *k, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        const double x = k->n[j][0], y = k->n[j][1], N = k->S[j][0], T = k->S[j][1];
        k->U[j][0] = x * k->d[j][0] + y * k->d[j][1];
        k->U[j][1] = x * k->d[j][1] - y * k->d[j][0] - k->W[j][1];
        k->P[j][0] = x * N - y * T;
        k->P[j][1] = y * N + x * T;
        k->T[j][0] = T;
        k->normal[j] = 0.5 * (x * k->d2[j][0] + y * k->d2[j][1]) * N;
        k->tangential[j] = 0.5 * (x * k->d2[j][1] - y * k->d2[j][0] - k->W2[j][1]) * T;
    }
}

WIDE static void compute3(block *k, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        const double *n = k->n[j], *d = k->d[j], *W = &k->W[j][1], *d2 = k->d2[j], *W2 = &k->W2[j][1];
        const double N = k->S[j][0], A = k->S[j][1], B = k->S[j][2];
        double t[3], s[3];
        contact_frame(n, t, s);
        k->U[j][0] = vec3_dot(n, d);
        k->U[j][1] = vec3_dot(t, d) - vec3_dot(s, W);
        k->U[j][2] = vec3_dot(s, d) + vec3_dot(t, W);
        for (int e = 0; e < 3; e++) {
            k->P[j][e] = n[e] * N + t[e] * A + s[e] * B;
            k->T[j][e] = s[e] * A - t[e] * B;
        }
        k->normal[j] = 0.5 * vec3_dot(n, d2) * N;
        k->tangential[j] =
            0.5 * ((vec3_dot(t, d2) - vec3_dot(s, W2)) * A + (vec3_dot(s, d2) + vec3_dot(t, W2)) * B);
    }
}

static inline void scatter(size_t dim, const finish *f, const uint32_t *restrict at, size_t count,
                           size_t first, const block *restrict k, double *restrict shove)
{
    double *restrict U = f->c->U;
    const size_t spins = dim == 2 ? 1 : 3;
    for (size_t j = 0; j < count; j++) {
        const size_t i = at[j];
        double *restrict out = &shove[shove_numbers(dim) * (i - first)];
        for (size_t e = 0; e < dim; e++) {
            U[dim * i + e] = k->U[j][e];
            out[e] = k->P[j][e];
        }
        for (size_t e = 0; e < spins; e++) {
            out[dim + e] = -k->a1[j] * k->T[j][e];
            out[dim + spins + e] = -k->a2[j] * k->T[j][e];
        }
    }
}

WIDE void finish_round(const finish *f, const uint32_t *at, size_t count, size_t first, double *shove,
                       step_energy *out)
{
    block k;
    double normal = 0, tangential = 0;
    // the dimension is a constant in each of the copies
    if (f->b->dim == 2) {
        gather(2, f, at, count, &k);
        compute2(&k, count);
        scatter(2, f, at, count, first, &k, shove);
    } else {
        gather(3, f, at, count, &k);
        compute3(&k, count);
        scatter(3, f, at, count, first, &k, shove);
    }
    for (size_t j = 0; j < count; j++) {
        normal += k.normal[j];
        tangential += k.tangential[j];
    }
    out->impact -= normal;
    out->friction -= tangential;
}
