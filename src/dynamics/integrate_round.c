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

/* What a block has in the plane. */
typedef struct block2 {
    numbers n[2], S[2], d[2], W; /* at the end of the step */
    numbers d2[2], W2;           /* sum of start and end */
    numbers a1, a2;              /* lever arms, m */
    // computed
    numbers U[2], P[2], T1, T2; /* T: torques */
    numbers normal, tangential;
} block2;

/* In space; of a body's velocity four numbers are taken at a time: v and one of omega, one of v and omega. */
typedef struct block3 {
    double n[FINISH_BLOCK][4];
    double d[FINISH_BLOCK][4], W[FINISH_BLOCK][4]; /* W from its second number on */
    double d2[FINISH_BLOCK][4], W2[FINISH_BLOCK][4];
    double S[FINISH_BLOCK][4];
    numbers a1, a2;
    // computed
    double U[FINISH_BLOCK][4], P[FINISH_BLOCK][4], T[FINISH_BLOCK][4]; /* T: n x P */
    numbers normal, tangential;
} block3;

// what a contact needs of its bodies: lever arms, velocities after and before
typedef struct sides {
    double a1, a2;
    const double *u1, *u2, *v1, *v2;
} sides;

static inline sides sides_of(size_t nu, const finish *f, size_t i)
{
    const contact_set *c = f->c;
    const double *after = f->u_f, *before = f->d->u_start, *radius = f->b->radius;
    const size_t s1 = c->slot1[i], s2 = c->slot2[i];
    // what the solver has pushed out of the near caches, for one of the next contacts
    const size_t later = i + AHEAD < c->count ? i + AHEAD : i, next = nu * c->slot2[later];
    __builtin_prefetch(&after[next]);
    __builtin_prefetch(&before[next]);
    __builtin_prefetch(&f->b->force[next], 1);
    // a boundary moves on as it does
    const bool free1 = is_dynamic(f->b, (uint32_t)s1), free2 = is_dynamic(f->b, (uint32_t)s2);
    const double half = 0.5 * c->gap[i];
    return (sides){.a1 = radius[s1] + half,
                   .a2 = radius[s2] + half,
                   .u1 = &after[nu * s1],
                   .u2 = &after[nu * s2],
                   .v1 = &(free1 ? before : after)[nu * s1],
                   .v2 = &(free2 ? before : after)[nu * s2]};
}

static inline void gather2(const finish *f, const uint32_t *restrict at, size_t count, block2 *restrict k)
{
    const double *normal = f->c->normal, *impulse = f->c->S;
    for (size_t j = 0; j < count; j++) {
        const size_t i = at[j];
        const sides s = sides_of(3, f, i);
        const double W = s.a1 * s.u1[2] + s.a2 * s.u2[2];
        k->a1[j] = s.a1;
        k->a2[j] = s.a2;
        for (size_t e = 0; e < 2; e++) {
            const double d = s.u1[e] - s.u2[e];
            k->n[e][j] = normal[2 * i + e];
            k->S[e][j] = impulse[2 * i + e];
            k->d[e][j] = d;
            k->d2[e][j] = d + (s.v1[e] - s.v2[e]);
        }
        k->W[j] = W;
        k->W2[j] = W + (s.a1 * s.v1[2] + s.a2 * s.v2[2]);
    }
}

static inline void gather3(const finish *f, const uint32_t *restrict at, size_t count, block3 *restrict k)
{
    const double *normal = f->c->normal, *impulse = f->c->S;
    for (size_t j = 0; j < count; j++) {
        const size_t i = at[j];
        const sides s = sides_of(6, f, i);
        k->a1[j] = s.a1;
        k->a2[j] = s.a2;
        for (size_t e = 0; e < 3; e++) {
            k->n[j][e] = normal[3 * i + e];
            k->S[j][e] = impulse[3 * i + e];
        }
        for (size_t e = 0; e < 4; e++) {
            const double d = s.u1[e] - s.u2[e], W = s.a1 * s.u1[2 + e] + s.a2 * s.u2[2 + e];
            k->d[j][e] = d;
            k->d2[j][e] = d + (s.v1[e] - s.v2[e]);
            k->W[j][e] = W;
            k->W2[j][e] = W + (s.a1 * s.v1[2 + e] + s.a2 * s.v2[2 + e]);
        }
    }
}

WIDE static void compute2(block2 *restrict k, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        const double x = k->n[0][j], y = k->n[1][j], N = k->S[0][j], T = k->S[1][j];
        k->U[0][j] = x * k->d[0][j] + y * k->d[1][j];
        k->U[1][j] = x * k->d[1][j] - y * k->d[0][j] - k->W[j];
        k->P[0][j] = x * N - y * T;
        k->P[1][j] = y * N + x * T;
        k->T1[j] = -k->a1[j] * T;
        k->T2[j] = -k->a2[j] * T;
        k->normal[j] = 0.5 * (x * k->d2[0][j] + y * k->d2[1][j]) * N;
        k->tangential[j] = 0.5 * (x * k->d2[1][j] - y * k->d2[0][j] - k->W2[j]) * T;
    }
}

WIDE static void compute3(block3 *k, size_t count)
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

static inline void scatter2(const finish *f, const uint32_t *restrict at, size_t count, size_t first,
                            const block2 *restrict k, double *restrict shove)
{
    double *restrict U = f->c->U;
    for (size_t j = 0; j < count; j++) {
        const size_t i = at[j];
        double *restrict out = &shove[shove_numbers(2) * (i - first)];
        U[2 * i] = k->U[0][j];
        U[2 * i + 1] = k->U[1][j];
        out[0] = k->P[0][j];
        out[1] = k->P[1][j];
        out[2] = k->T1[j];
        out[3] = k->T2[j];
    }
}

static inline void scatter3(const finish *f, const uint32_t *restrict at, size_t count, size_t first,
                            const block3 *restrict k, double *restrict shove)
{
    double *restrict U = f->c->U;
    for (size_t j = 0; j < count; j++) {
        const size_t i = at[j];
        double *restrict out = &shove[shove_numbers(3) * (i - first)];
        for (size_t e = 0; e < 3; e++) {
            U[3 * i + e] = k->U[j][e];
            out[e] = k->P[j][e];
            out[3 + e] = -k->a1[j] * k->T[j][e];
            out[6 + e] = -k->a2[j] * k->T[j][e];
        }
    }
}

static inline void add_losses(const double *normal, const double *tangential, size_t count, step_energy *out)
{
    double N = 0, T = 0;
    for (size_t j = 0; j < count; j++) {
        N += normal[j];
        T += tangential[j];
    }
    out->impact -= N;
    out->friction -= T;
}

WIDE void finish_round2(const finish *f, const uint32_t *at, size_t count, size_t first, double *shove,
                        step_energy *out)
{
    block2 k;
    gather2(f, at, count, &k);
    compute2(&k, count);
    scatter2(f, at, count, first, &k, shove);
    add_losses(k.normal, k.tangential, count, out);
}

WIDE void finish_round3(const finish *f, const uint32_t *at, size_t count, size_t first, double *shove,
                        step_energy *out)
{
    block3 k;
    gather3(f, at, count, &k);
    compute3(&k, count);
    scatter3(f, at, count, first, &k, shove);
    add_losses(k.normal, k.tangential, count, out);
}
