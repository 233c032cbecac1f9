/*
 * The kernels for round bodies, for the width of the file that includes this (core/lanes.h).
 *
 * relax: Coulomb's law at one contact with all others held.  With k = H_nn S_N - U_N, x = H_tt S_T - U_T:
 *
 *   S_N = k+ / H_nn,   S_T = x / H_tt, shortened to mu S_N where it is longer,
 *
 * since H = diag(H_nn, H_tt, H_tt) does not couple them (docs/theory/contact.md §4).
 */
#include "problem/kernel_parts.h"

// rows and bodies of WIDTH contacts, as columns
typedef struct round_group {
    lanes n[3], arm[2], shift, mu;
    lanes A[8], B[8]; /* bodies: velocity2 or ball */
    double *a[WIDTH], *b[WIDTH];
} round_group;

// bodies: velocities come first; eight numbers each
KERNEL_INLINE double *round_bodies(const step_problem *p, int dim)
{
    return dim == 2 ? p->velocity->u : p->ball->u;
}

KERNEL_INLINE void load_round(const step_problem *p, size_t i, round_group *g, const uint32_t *body[WIDTH])
{
    const double *line[WIDTH];
    lanes R[8];
    for (size_t l = 0; l < WIDTH; l++) {
        line[l] = p->round[i + l].n;
        body[l] = p->round[i + l].body;
    }
    lines_load(line, R);
    for (int k = 0; k < 3; k++)
        g->n[k] = R[k];
    g->shift = R[3];
    g->arm[0] = R[4];
    g->arm[1] = R[5];
    g->mu = R[6];
}

KERNEL_INLINE void load_round_group(const step_problem *p, int dim, size_t i, bool two, round_group *g)
{
    const uint32_t *body[WIDTH];
    load_round(p, i, g, body);
    find_bodies(body, 0, round_bodies(p, dim), 8, g->a);
    lines_load((const double *const *)g->a, g->A);
    if (!two)
        return;
    find_bodies(body, 1, round_bodies(p, dim), 8, g->b);
    lines_load((const double *const *)g->b, g->B);
}

// velocities are the first three numbers in 2D
KERNEL_INLINE void store_round(int dim, double *const line[WIDTH], const lanes in[8])
{
    if (dim == 2)
        fours_store(line, 0, in);
    else
        lines_store(line, in);
}

KERNEL_INLINE void store_round_group(int dim, round_group *g, bool two)
{
    store_round(dim, g->a, g->A);
    if (two)
        store_round(dim, g->b, g->B);
}

// as vec3_across, and n x t
KERNEL_INLINE void round_frame(const lanes n[3], lanes t[3], lanes s[3])
{
    const lanes e = lanes_sign(n[2]), a = lanes_of(-1) / (e + n[2]);
    t[0] = e + a * n[0] * n[0];
    t[1] = a * n[0] * n[1];
    t[2] = -n[0];
    cross3(n, t, s);
}

// H_nn and H_tt
KERNEL_INLINE void round_blocks(int dim, const round_group *g, bool two, lanes H[2])
{
    const int m = dim == 2 ? 4 : 6, I = dim == 2 ? 6 : 7;
    H[0] = g->A[m];
    if (two)
        H[0] = H[0] + g->B[m];
    H[1] = H[0] + g->arm[0] * g->arm[0] * g->A[I];
    if (two)
        H[1] = H[1] + g->arm[1] * g->arm[1] * g->B[I];
}

// velocity of the contact along its axes, d = v1 - v2, W = arm1 omega1 + arm2 omega2
KERNEL_INLINE void velocity_along(int dim, const lanes n[3], const lanes t[3], const lanes s[3],
                                  const lanes d[3], const lanes W[3], lanes U[3])
{
    if (dim == 2) {
        U[0] = n[0] * d[0] + n[1] * d[1];
        U[1] = n[0] * d[1] - n[1] * d[0] - W[0];
        return;
    }
    U[0] = dot3(n, d);
    U[1] = dot3(t, d) - dot3(s, W);
    U[2] = dot3(s, d) + dot3(t, W);
}

// impulse in world axes, and n x that
KERNEL_INLINE void shove_along(int dim, const lanes n[3], const lanes t[3], const lanes s[3],
                               const lanes S[3], lanes P[3], lanes T[3])
{
    if (dim == 2) {
        P[0] = n[0] * S[0] - n[1] * S[1];
        P[1] = n[1] * S[0] + n[0] * S[1];
        T[0] = S[1];
        return;
    }
    for (int k = 0; k < 3; k++) {
        P[k] = n[k] * S[0] + t[k] * S[1] + s[k] * S[2];
        T[k] = s[k] * S[1] - t[k] * S[2];
    }
}

// G u of the velocities A and B
KERNEL_INLINE void round_velocities(int dim, const round_group *g, bool two, const lanes *A, const lanes *B,
                                    const lanes t[3], const lanes s[3], lanes U[3])
{
    lanes d[3], W[3];
    for (int k = 0; k < dim; k++) {
        d[k] = A[k];
        if (two)
            d[k] = d[k] - B[k];
    }
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++) {
        W[k] = g->arm[0] * A[dim + k];
        if (two)
            W[k] = W[k] + g->arm[1] * B[dim + k];
    }
    velocity_along(dim, g->n, t, s, d, W, U);
}

// adds the shifts
KERNEL_INLINE void add_round_shift(int dim, const step_problem *p, size_t i, const round_group *g, lanes U[3])
{
    lanes more[2];
    U[0] = U[0] + g->shift;
    if (p->slip == NULL)
        return;
    if (dim == 2) {
        U[1] = U[1] + lanes_load(&p->slip[i]);
        return;
    }
    pairs_load(&p->slip[2 * i], more);
    U[1] = U[1] + more[0];
    U[2] = U[2] + more[1];
}

// u += A⁻¹ G* dS
KERNEL_INLINE void push_round(int dim, round_group *g, bool two, const lanes t[3], const lanes s[3],
                              const lanes dS[3])
{
    const int m = dim == 2 ? 4 : 6, I = dim == 2 ? 6 : 7;
    lanes P[3], M[3];
    shove_along(dim, g->n, t, s, dS, P, M);
    const lanes turn = g->arm[0] * g->A[I];
    for (int k = 0; k < dim; k++)
        g->A[k] = g->A[k] + g->A[m] * P[k];
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++)
        g->A[dim + k] = g->A[dim + k] - turn * M[k];
    if (!two)
        return;
    const lanes other = g->arm[1] * g->B[I];
    for (int k = 0; k < dim; k++)
        g->B[k] = g->B[k] - g->B[m] * P[k];
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++)
        g->B[dim + k] = g->B[dim + k] - other * M[k];
}

// the law at each contact with all others held: S from U, which belongs to the S given
KERNEL_INLINE void solve_round(int dim, lanes mu, const lanes H[2], const lanes U[3], lanes S[3])
{
    const lanes zero = lanes_of(0), one = lanes_of(1), k = H[0] * S[0] - U[0];
    // before U is known
    const lanes inv_nn = one / H[0], inv_tt = one / H[1];
    lanes x[3];
    for (int i = 1; i < dim; i++)
        x[i] = H[1] * S[i] - U[i];
    S[0] = lanes_max(k, zero) * inv_nn;
    const lanes edge = mu * S[0];
    if (dim == 2) {
        S[1] = lanes_max(-edge, lanes_min(edge, x[1] * inv_tt));
        return;
    }
    // of 0/0 inv_tt is taken: x is 0 then
    const lanes slide = edge / tangent_length(dim, x), scale = lanes_min(slide, inv_tt);
    for (int i = 1; i < dim; i++)
        S[i] = scale * x[i];
}

// asks for the bodies of the contacts two groups later: where there are many they are in no cache
KERNEL_INLINE void ask_for_bodies(const step_problem *p, int dim, size_t i, bool two)
{
    const size_t later = i + 2 * WIDTH;
    if (later + WIDTH > p->contacts)
        return;
    for (size_t l = 0; l < WIDTH; l++) {
        const uint32_t *body = p->round[later + l].body;
        __builtin_prefetch(round_bodies(p, dim) + 8 * (size_t)body[0], 1);
        if (two && body[1] != UINT32_MAX)
            __builtin_prefetch(round_bodies(p, dim) + 8 * (size_t)body[1], 1);
    }
}

KERNEL_INLINE void relax_round(int dim, const step_problem *p, size_t i, bool two, row_solver *solve)
{
    (void)solve;
    round_group g;
    lanes t[3], s[3], H[2], U[3], S[3], dS[3];
    double *at = &p->S[(size_t)dim * i];
    ask_for_bodies(p, dim, i, two);
    load_round_group(p, dim, i, two, &g);
    if (dim == 3)
        round_frame(g.n, t, s);
    load_impulse(dim, at, S);
    round_blocks(dim, &g, two, H);
    round_velocities(dim, &g, two, g.A, g.B, t, s, U);
    add_round_shift(dim, p, i, &g, U);
    for (int k = 0; k < dim; k++)
        dS[k] = S[k];
    solve_round(dim, g.mu, H, U, S);
    for (int k = 0; k < dim; k++)
        dS[k] = S[k] - dS[k];
    push_round(dim, &g, two, t, s, dS);
    store_round_group(dim, &g, two);
    store_impulse(dim, at, S);
}

// x += A⁻¹ n dN of bodies of which A and m are the velocity and 1/m
KERNEL_INLINE void push_along(int dim, const lanes n[4], lanes m, lanes dN, lanes A[4])
{
    for (int k = 0; k < dim; k++)
        A[k] = A[k] + m * (n[k] * dN);
}

KERNEL_INLINE void press_round(int dim, const step_problem *p, size_t i, bool two)
{
    const int m = dim == 2 ? 4 : 6;
    const double *line[WIDTH];
    const uint32_t *body[WIDTH];
    double *a[WIDTH], *b[WIDTH];
    lanes n[4], A[8], B[8];
    for (size_t l = 0; l < WIDTH; l++) {
        line[l] = p->round[i + l].n;
        body[l] = p->round[i + l].body;
    }
    fours_load(line, 0, 4, n);
    find_bodies(body, 0, round_bodies(p, dim), 8, a);
    lines_load((const double *const *)a, A);
    lanes H = A[m], U = n[3];
    for (int k = 0; k < dim; k++)
        U = U + n[k] * A[k];
    if (two) {
        find_bodies(body, 1, round_bodies(p, dim), 8, b);
        lines_load((const double *const *)b, B);
        H = H + B[m];
        for (int k = 0; k < dim; k++)
            U = U - n[k] * B[k];
    }
    const lanes dN = press_more(p, i, U, H);
    push_along(dim, n, A[m], dN, A);
    fours_store(a, 0, A);
    if (!two)
        return;
    push_along(dim, n, -B[m], dN, B);
    fours_store(b, 0, B);
}

KERNEL_INLINE void apply_round(int dim, const step_problem *p, size_t i, bool two)
{
    round_group g;
    lanes t[3], s[3], S[3];
    load_round_group(p, dim, i, two, &g);
    if (dim == 3)
        round_frame(g.n, t, s);
    load_impulse(dim, &p->S[(size_t)dim * i], S);
    push_round(dim, &g, two, t, s, S);
    store_round_group(dim, &g, two);
}

KERNEL_INLINE void judge_round(int dim, const step_problem *p, size_t i, double (*sum)[LANES], size_t lane)
{
    round_group g;
    const uint32_t *body[WIDTH];
    const double *line[WIDTH];
    lanes t[3], s[3], H[2], U[3], q[3], S[3], free_A[8], free_B[8];
    load_round(p, i, &g, body);
    find_any(body, 0, round_bodies(p, dim), 8, line);
    lines_load(line, g.A);
    find_any(body, 1, round_bodies(p, dim), 8, line);
    lines_load(line, g.B);
    load_free(p, dim, body, 0, free_A);
    load_free(p, dim, body, 1, free_B);
    if (dim == 3)
        round_frame(g.n, t, s);
    load_impulse(dim, &p->S[(size_t)dim * i], S);
    round_blocks(dim, &g, true, H);
    // a block that overflows must not pass for a solved one: inf - inf is not a number
    const lanes rho = (H[1] - H[1] + lanes_of(1)) / H[1];
    round_velocities(dim, &g, true, g.A, g.B, t, s, U);
    add_round_shift(dim, p, i, &g, U);
    round_velocities(dim, &g, true, free_A, free_B, t, s, q);
    add_round_shift(dim, p, i, &g, q);
    judge(dim, g.mu, rho, U, q, S, sum, lane);
}

KERNEL_SET(round)
