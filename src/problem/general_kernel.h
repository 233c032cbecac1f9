/*
 * The kernels for bodies of any shape, for the width of the file that includes this (core/lanes.h).
 *
 * relax: Coulomb's law at one contact with all others held; the block's closed form in 2D, which is that of
 * solver/contact2d.h, and problem/coulomb_kernel.h in 3D.
 */
#include "problem/coulomb_kernel.h"
#include "problem/kernel_parts.h"

// rows and bodies of WIDTH contacts, as columns
typedef struct general_group {
    lanes n[3], shift[3], H[6];
    lanes t[3], s[3], r[2][3], rho;        /* 3D; s: ratio n×t */
    lanes arm[4], inv_nn, inv_s, limit[2]; /* 2D */
    lanes u[2][8];                         /* first lines of the bodies */
    double *at[2][WIDTH];                  /* where they are */
} general_group;

// bodies: velocities come first
KERNEL_INLINE double *general_bodies(const step_problem *p, int dim)
{
    return dim == 2 ? p->velocity->u : p->velocity3->u;
}

KERNEL_INLINE size_t general_stride(int dim)
{
    return dim == 2 ? 8 : 16;
}

KERNEL_INLINE void load_row2(const step_problem *p, size_t i, general_group *g, const uint32_t *body[WIDTH])
{
    const double *line[2][WIDTH];
    lanes R[2][8];
    for (size_t l = 0; l < WIDTH; l++) {
        line[0][l] = p->contact[i + l].n;
        line[1][l] = p->contact[i + l].H;
        body[l] = p->contact[i + l].body;
    }
    for (int k = 0; k < 2; k++)
        lines_load(line[k], R[k]);
    for (int k = 0; k < 2; k++) {
        g->n[k] = R[0][k];
        g->shift[k] = R[0][6 + k];
        g->limit[k] = R[1][5 + k];
    }
    for (int k = 0; k < 4; k++)
        g->arm[k] = R[0][2 + k];
    for (int k = 0; k < 3; k++)
        g->H[k] = R[1][k];
    g->inv_nn = R[1][3];
    g->inv_s = R[1][4];
}

KERNEL_INLINE void load_row3(const step_problem *p, size_t i, general_group *g, const uint32_t *body[WIDTH])
{
    const double *line[3][WIDTH];
    lanes R[3][8];
    for (size_t l = 0; l < WIDTH; l++) {
        const contact_row3 *c = &p->row3[i + l];
        line[0][l] = c->n;
        line[1][l] = c->r1;
        line[2][l] = &c->shift[2];
        body[l] = c->body;
    }
    for (int k = 0; k < 3; k++)
        lines_load(line[k], R[k]);
    for (int k = 0; k < 3; k++) {
        g->n[k] = R[0][k];
        g->t[k] = R[0][3 + k];
        g->r[0][k] = R[1][k];
        g->r[1][k] = R[1][3 + k];
    }
    cross3(g->n, g->t, g->s);
    for (int k = 0; k < 3; k++)
        g->s[k] = R[0][6] * g->s[k];
    g->shift[0] = R[1][6];
    g->shift[1] = R[1][7];
    g->shift[2] = R[2][0];
    for (int k = 0; k < 6; k++)
        g->H[k] = R[2][1 + k];
    g->rho = R[2][7];
}

KERNEL_INLINE void load_row(const step_problem *p, int dim, size_t i, general_group *g,
                            const uint32_t *body[WIDTH])
{
    if (dim == 2)
        load_row2(p, i, g, body);
    else
        load_row3(p, i, g, body);
}

KERNEL_INLINE void load_bodies(const step_problem *p, int dim, const uint32_t *const body[WIDTH], int side,
                               general_group *g)
{
    find_bodies(body, side, general_bodies(p, dim), general_stride(dim), g->at[side]);
    lines_load((const double *const *)g->at[side], g->u[side]);
}

KERNEL_INLINE void load_general(const step_problem *p, int dim, size_t i, bool two, general_group *g)
{
    const uint32_t *body[WIDTH];
    load_row(p, dim, i, g, body);
    load_bodies(p, dim, body, 0, g);
    if (two)
        load_bodies(p, dim, body, 1, g);
}

// G u + shift in 2D of the velocities A and B
KERNEL_INLINE void general_velocity2(const general_group *g, bool two, const lanes *A, const lanes *B,
                                     lanes U[3])
{
    lanes x = A[0], y = A[1], N = g->arm[0] * A[2], T = g->arm[1] * A[2];
    if (two) {
        x = x - B[0];
        y = y - B[1];
        N = N - g->arm[2] * B[2];
        T = T - g->arm[3] * B[2];
    }
    U[0] = (g->n[0] * x + g->n[1] * y) + (N + g->shift[0]);
    U[1] = (g->n[0] * y - g->n[1] * x) + (T + g->shift[1]);
}

// in 3D the velocity of the points that touch to each other
KERNEL_INLINE void general_apart(const general_group *g, bool two, const lanes *A, const lanes *B, lanes d[3])
{
    lanes turn[3];
    cross3(A + 3, g->r[0], turn);
    for (int k = 0; k < 3; k++)
        d[k] = A[k] + turn[k];
    if (two) {
        cross3(B + 3, g->r[1], turn);
        for (int k = 0; k < 3; k++)
            d[k] = d[k] - (B[k] + turn[k]);
    }
}

// and G u + shift
KERNEL_INLINE void general_velocity3(const general_group *g, bool two, const lanes *A, const lanes *B,
                                     lanes U[3])
{
    lanes d[3];
    general_apart(g, two, A, B, d);
    U[0] = dot3(g->n, d) + g->shift[0];
    U[1] = dot3(g->t, d) + g->shift[1];
    U[2] = dot3(g->s, d) + g->shift[2];
}

KERNEL_INLINE void general_velocity(int dim, const general_group *g, bool two, const lanes *A, const lanes *B,
                                    lanes U[3])
{
    if (dim == 2)
        general_velocity2(g, two, A, B, U);
    else
        general_velocity3(g, two, A, B, U);
}

// u += A⁻¹ (sign P, sign M) of bodies in 2D, and where they are
KERNEL_INLINE void push_side2(general_group *g, int side, const lanes P[2], const lanes dS[3])
{
    lanes *u = g->u[side], sign = lanes_of(side == 0 ? 1 : -1);
    const lanes M = g->arm[2 * side] * dS[0] + g->arm[2 * side + 1] * dS[1];
    u[0] = u[0] + sign * u[4] * P[0];
    u[1] = u[1] + sign * u[5] * P[1];
    u[2] = u[2] + sign * u[6] * M;
    fours_store(g->at[side], 0, u);
}

// in 3D: inv_m[2] and inv_I are in the second line of a body, which nothing but this needs
KERNEL_INLINE void push_side3(general_group *g, int side, const lanes P[3])
{
    const double *more[WIDTH];
    lanes *u = g->u[side], inv[8], M[3], sign = lanes_of(side == 0 ? 1 : -1);
    for (size_t l = 0; l < WIDTH; l++)
        more[l] = g->at[side][l] + 8;
    lines_load(more, inv);
    const lanes *I = inv + 1;
    cross3(g->r[side], P, M);
    u[0] = u[0] + sign * u[6] * P[0];
    u[1] = u[1] + sign * u[7] * P[1];
    u[2] = u[2] + sign * inv[0] * P[2];
    u[3] = u[3] + sign * (I[0] * M[0] + I[1] * M[1] + I[2] * M[2]);
    u[4] = u[4] + sign * (I[1] * M[0] + I[3] * M[1] + I[4] * M[2]);
    u[5] = u[5] + sign * (I[2] * M[0] + I[4] * M[1] + I[5] * M[2]);
    lines_store(g->at[side], u);
}

// u += A⁻¹ G* dS, which is P in world axes, also where the bodies are
KERNEL_INLINE void push_sides(int dim, general_group *g, bool two, const lanes P[3], const lanes dS[3])
{
    for (int side = 0; side < (two ? 2 : 1); side++)
        if (dim == 2)
            push_side2(g, side, P, dS);
        else
            push_side3(g, side, P);
}

KERNEL_INLINE void push_general(int dim, general_group *g, bool two, const lanes dS[3])
{
    lanes P[3];
    if (dim == 2) {
        P[0] = g->n[0] * dS[0] - g->n[1] * dS[1];
        P[1] = g->n[1] * dS[0] + g->n[0] * dS[1];
    } else
        for (int k = 0; k < 3; k++)
            P[k] = g->n[k] * dS[0] + g->t[k] * dS[1] + g->s[k] * dS[2];
    push_sides(dim, g, two, P, dS);
}

// S from U, which belongs to the S given
KERNEL_INLINE void solve_general2(const general_group *g, const lanes U[3], lanes S[3])
{
    const lanes zero = lanes_of(0), *H = g->H;
    const lanes bN = U[0] - (H[0] * S[0] + H[1] * S[1]), bT = U[1] - (H[1] * S[0] + H[2] * S[1]);
    const lanes k = lanes_max(-bN, zero), low = -g->limit[0] * k, high = g->limit[1] * k;
    const lanes stick = -(bT + H[1] * g->inv_nn * k) * g->inv_s;
    S[1] = lanes_min(lanes_max(stick, low), high);
    S[0] = (k - H[1] * S[1]) * g->inv_nn;
}

KERNEL_INLINE void relax_general(int dim, const step_problem *p, size_t i, bool two, row_solver *solve)
{
    general_group g;
    lanes U[3], S[3], dS[3];
    double *at = &p->S[(size_t)dim * i];
    load_general(p, dim, i, two, &g);
    load_impulse(dim, at, S);
    general_velocity(dim, &g, two, g.u[0], g.u[1], U);
    for (int k = 0; k < dim; k++)
        dS[k] = S[k];
    if (dim == 2)
        solve_general2(&g, U, S);
    else
        coulomb3(p, i, g.H, U, solve, S);
    for (int k = 0; k < dim; k++)
        dS[k] = S[k] - dS[k];
    push_general(dim, &g, two, dS);
    store_impulse(dim, at, S);
}

KERNEL_INLINE void press_general(int dim, const step_problem *p, size_t i, bool two)
{
    const lanes zero = lanes_of(0);
    general_group g;
    lanes U[3], P[3], dS[3] = {zero, zero, zero};
    load_general(p, dim, i, two, &g);
    if (dim == 2)
        general_velocity2(&g, two, g.u[0], g.u[1], U);
    else {
        general_apart(&g, two, g.u[0], g.u[1], P);
        U[0] = dot3(g.n, P) + g.shift[0];
    }
    dS[0] = press_more(p, i, U[0], g.H[0]);
    for (int k = 0; k < dim; k++)
        P[k] = g.n[k] * dS[0];
    push_sides(dim, &g, two, P, dS);
}

KERNEL_INLINE void apply_general(int dim, const step_problem *p, size_t i, bool two)
{
    general_group g;
    lanes S[3];
    load_general(p, dim, i, two, &g);
    load_impulse(dim, &p->S[(size_t)dim * i], S);
    push_general(dim, &g, two, S);
}

// 1/lambda_max of blocks in 2D, 1 where that is 0
KERNEL_INLINE lanes general_rho2(const lanes H[3])
{
    const lanes zero = lanes_of(0), one = lanes_of(1), mean = lanes_of(0.5) * (H[0] + H[2]),
                half = lanes_of(0.5) * (H[0] - H[2]);
    const lanes largest = mean + lanes_sqrt(half * half + H[1] * H[1]);
    // a block that overflows must not pass for a solved one: inf - inf is not a number
    const lanes finite = largest - largest;
    return lanes_if_less(zero, largest, (finite + one) / largest, finite + one);
}

// velocities of bodies of which some may be boundaries, and u_free
KERNEL_INLINE void load_any(const step_problem *p, int dim, const uint32_t *const body[WIDTH], int side,
                            lanes u[8], lanes u_free[8])
{
    const double *line[WIDTH];
    find_any(body, side, general_bodies(p, dim), general_stride(dim), line);
    lines_load(line, u);
    load_free(p, dim, body, side, u_free);
}

KERNEL_INLINE void judge_general(int dim, const step_problem *p, size_t i, double (*sum)[LANES], size_t lane)
{
    general_group g;
    const uint32_t *body[WIDTH];
    lanes U[3], q[3], S[3], u[2][8];
    load_row(p, dim, i, &g, body);
    load_any(p, dim, body, 0, g.u[0], u[0]);
    load_any(p, dim, body, 1, g.u[1], u[1]);
    load_impulse(dim, &p->S[(size_t)dim * i], S);
    general_velocity(dim, &g, true, g.u[0], g.u[1], U);
    general_velocity(dim, &g, true, u[0], u[1], q);
    judge(dim, lanes_load(&p->mu[i]), dim == 2 ? general_rho2(g.H) : g.rho, U, q, S, sum, lane);
}

KERNEL_SET(general)
