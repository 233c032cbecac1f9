/*
 * What the kernels of both forms share, for the width of the file that includes this (core/lanes.h): loads of
 * bodies and impulses, and the terms of a certificate (problem/certificate.c).
 */
#ifndef PROBLEM_KERNEL_PARTS_H
#define PROBLEM_KERNEL_PARTS_H

#include "core/lanes.h"
#include "problem/kernel_widths.h"

// a kernel is compiled as one piece for each dimension and number of bodies: only then it stays in registers
#define KERNEL_INLINE static inline __attribute__((always_inline))

// a second body where there is none
static const double NOTHING[8] = {0};

// what bodies have of an array u with `stride` numbers for each; NOTHING for a boundary
KERNEL_INLINE void find_bodies(const uint32_t *const body[WIDTH], int side, double *u, size_t stride,
                               double *out[WIDTH])
{
    for (size_t l = 0; l < WIDTH; l++)
        out[l] = u + stride * body[l][side];
}

KERNEL_INLINE void find_any(const uint32_t *const body[WIDTH], int side, const double *u, size_t stride,
                            const double *out[WIDTH])
{
    for (size_t l = 0; l < WIDTH; l++)
        out[l] = body[l][side] != UINT32_MAX ? u + stride * body[l][side] : NOTHING;
}

// the freedoms that u_free has of WIDTH bodies
KERNEL_INLINE void load_free(const step_problem *p, int dim, const uint32_t *const body[WIDTH], int side,
                             lanes out[8])
{
    const int freedoms = dim == 2 ? 3 : 6;
    const double *line[WIDTH];
    find_any(body, side, p->u_free, (size_t)freedoms, line);
    lines_load_part(line, freedoms, out);
}

KERNEL_INLINE lanes dot3(const lanes a[3], const lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

KERNEL_INLINE void cross3(const lanes a[3], const lanes b[3], lanes out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

KERNEL_INLINE void load_impulse(int dim, const double *S, lanes out[3])
{
    if (dim == 2)
        pairs_load(S, out);
    else
        triples_load(S, out);
}

KERNEL_INLINE void store_impulse(int dim, double *S, const lanes in[3])
{
    if (dim == 2)
        pairs_store(S, in);
    else
        triples_store(S, in);
}

KERNEL_INLINE lanes tangent_length(int dim, const lanes x[3])
{
    return dim == 2 ? lanes_abs(x[1]) : lanes_sqrt(x[1] * x[1] + x[2] * x[2]);
}

// S_N of contacts without friction from U_N and H_nn, with all others held; returns what it grows by
KERNEL_INLINE lanes press_more(const step_problem *p, size_t i, lanes U, lanes H)
{
    const lanes zero = lanes_of(0), N = lanes_load(&p->press[i]);
    const lanes now = lanes_max(N - lanes_if_less(zero, H, U / H, zero), zero);
    lanes_store(&p->press[i], now);
    return now - N;
}

KERNEL_INLINE void add_to(double *sum, lanes x)
{
    lanes_store(sum, lanes_load(sum) + x);
}

KERNEL_INLINE void raise_to(double *most, lanes x)
{
    lanes_store(most, lanes_max(x, lanes_load(most)));
}

// K = {z : |z_T| <= mu z_N}: the length of z_T above which z lies outside
KERNEL_INLINE lanes cone_edge(lanes mu, const lanes z[3])
{
    return lanes_if_less(z[0], lanes_of(0), lanes_of(-1), mu * z[0]);
}

// P_K(z); inverse: 1/(1 + mu²)
KERNEL_INLINE void onto_cone(int dim, lanes mu, lanes inverse, const lanes z[3], lanes P[3])
{
    const lanes zero = lanes_of(0), length = tangent_length(dim, z), edge = cone_edge(mu, z);
    // below the polar cone's edge 0, above the cone's own edge z itself
    const lanes N = lanes_max((z[0] + mu * length) * inverse, zero);
    P[0] = lanes_if_less(edge, length, N, z[0]);
    if (dim == 2) {
        P[1] = lanes_if_less(edge, length, mu * N * lanes_sign(z[1]), z[1]);
        return;
    }
    const lanes scale =
        lanes_if_less(zero, length, mu * N / lanes_if_less(zero, length, length, lanes_of(1)), zero);
    for (int k = 1; k < dim; k++)
        P[k] = lanes_if_less(edge, length, scale * z[k], z[k]);
}

// the square of the distance of z from K
KERNEL_INLINE lanes outside_cone2(int dim, lanes mu, lanes inverse, const lanes z[3])
{
    const lanes zero = lanes_of(0), length = tangent_length(dim, z), beyond = length - mu * z[0];
    const lanes from_edge = beyond * beyond * inverse, from_tip = z[0] * z[0] + length * length;
    return lanes_if_less(cone_edge(mu, z), length,
                         lanes_if_less(zero, z[0] + mu * length, from_edge, from_tip), zero);
}

KERNEL_INLINE lanes distance2(int dim, const lanes a[3], const lanes b[3])
{
    lanes sum = (a[0] - b[0]) * (a[0] - b[0]);
    for (int k = 1; k < dim; k++)
        sum = sum + (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

// the terms of contacts with velocity U, free velocity q and impulse S
KERNEL_INLINE void judge(int dim, lanes mu, lanes rho, const lanes U[3], const lanes q[3], const lanes S[3],
                         double (*sum)[LANES], size_t lane)
{
    const lanes slip = tangent_length(dim, U), inverse = lanes_of(1) / (lanes_of(1) + mu * mu);
    lanes moved[3] = {S[0] - rho * (U[0] + mu * slip)}, P[3];
    lanes US = U[0] * S[0], S2 = S[0] * S[0], q2 = q[0] * q[0];
    for (int k = 1; k < dim; k++) {
        moved[k] = S[k] - rho * U[k];
        US = US + U[k] * S[k];
        S2 = S2 + S[k] * S[k];
        q2 = q2 + q[k] * q[k];
    }
    onto_cone(dim, mu, inverse, moved, P);
    add_to(&sum[SUM_ERROR2][lane], distance2(dim, S, P));
    add_to(&sum[SUM_S2][lane], S2);
    add_to(&sum[SUM_Q2][lane], rho * rho * q2);
    add_to(&sum[SUM_COMPLEMENTARITY][lane], lanes_abs(S[0] * U[0]));
    add_to(&sum[SUM_GAP][lane], US + mu * slip * S[0]);
    raise_to(&sum[MOST_FORCE2][lane], outside_cone2(dim, mu, inverse, S));
    raise_to(&sum[MOST_VELOCITY][lane], -U[0]);
}

// the dimension and the number of bodies are constants in each loop, so that each is compiled on its own
#define KERNEL_RELAX(name, group, dim)                                                                       \
    static void name(const contact_range *r, row_solver *solve)                                              \
    {                                                                                                        \
        if (r->two)                                                                                          \
            for (size_t i = r->begin; i < r->end; i += WIDTH)                                                \
                group(dim, r->p, i, true, solve);                                                            \
        else                                                                                                 \
            for (size_t i = r->begin; i < r->end; i += WIDTH)                                                \
                group(dim, r->p, i, false, solve);                                                           \
    }

#define KERNEL_APPLY(name, group, dim)                                                                       \
    static void name(const contact_range *r)                                                                 \
    {                                                                                                        \
        if (r->two)                                                                                          \
            for (size_t i = r->begin; i < r->end; i += WIDTH)                                                \
                group(dim, r->p, i, true);                                                                   \
        else                                                                                                 \
            for (size_t i = r->begin; i < r->end; i += WIDTH)                                                \
                group(dim, r->p, i, false);                                                                  \
    }

#define KERNEL_JUDGE(name, group, dim)                                                                       \
    static void name(const contact_range *r, double sum[JUDGE_SUMS][LANES])                                  \
    {                                                                                                        \
        for (size_t i = r->begin; i < r->end; i += WIDTH)                                                    \
            group(dim, r->p, i, sum, (i - r->begin) % LANES);                                                \
    }

// the kernels of a form, from its relax_FORM, press_FORM, apply_FORM and judge_FORM
#define KERNEL_SET(form)                                                                                     \
    KERNEL_RELAX(relax_##form##2, relax_##form, 2)                                                           \
    KERNEL_RELAX(relax_##form##3, relax_##form, 3)                                                           \
    KERNEL_APPLY(press_##form##2, press_##form, 2)                                                           \
    KERNEL_APPLY(press_##form##3, press_##form, 3)                                                           \
    KERNEL_APPLY(apply_##form##2, apply_##form, 2)                                                           \
    KERNEL_APPLY(apply_##form##3, apply_##form, 3)                                                           \
    KERNEL_JUDGE(judge_##form##2, judge_##form, 2)                                                           \
    KERNEL_JUDGE(judge_##form##3, judge_##form, 3)                                                           \
    static const kernel_set form##_kernels = {.relax = {relax_##form##2, relax_##form##3},                   \
                                              .press = {press_##form##2, press_##form##3},                   \
                                              .apply = {apply_##form##2, apply_##form##3},                   \
                                              .judge = {judge_##form##2, judge_##form##3}};

#endif
