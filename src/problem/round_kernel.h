/*
 * The kernels for round bodies, for the width of the file that includes this (core/lanes.h).
 *
 * relax: Coulomb's law at one contact with all others held.  With k = H_nn S_N - U_N, x = H_tt S_T - U_T:
 *
 *   S_N = k+ / H_nn,   S_T = x / H_tt, shortened to mu S_N where it is longer,
 *
 * since H = diag(H_nn, H_tt, H_tt) does not couple them (docs/theory/contact.md §4).
 *
 * judge: the terms of problem/certificate.c.
 */
#include "core/lanes.h"
#include "problem/round_widths.h"

// rows of WIDTH contacts, as columns, and in 3D their tangents
typedef struct round_rows_of {
    lanes n[3], t[3], s[3], arm[2], shift, mu;
} round_rows_of;

// the same with their bodies, velocity2 or ball3
typedef struct round_group {
    round_rows_of row;
    lanes A[8], B[8];
    double *a[WIDTH], *b[WIDTH];
} round_group;

// the dimension and the number of bodies are constants where these are called
#define INLINE static inline __attribute__((always_inline))

// a second body where there is none
static const double NOTHING[8] = {0};

INLINE double *body_line(const step_problem *p, int dim, uint32_t body)
{
    return dim == 2 ? p->velocity[body].u : p->ball[body].u;
}

INLINE lanes dot3(const lanes a[3], const lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// as vec3_across, and n x t
INLINE void frame(const lanes n[3], lanes t[3], lanes s[3])
{
    const lanes zero = lanes_of(0), x = lanes_abs(n[0]), y = lanes_abs(n[1]), z = lanes_abs(n[2]);
    // across z unless y, across both unless x is least
    const lanes yz[3] = {lanes_if_less(z, y, -n[1], n[2]), lanes_if_less(z, y, n[0], zero),
                         lanes_if_less(z, y, zero, -n[0])};
    const lanes least = lanes_if_less(z, y, z, y),
                c[3] = {lanes_if_less(least, x, yz[0], zero), lanes_if_less(least, x, yz[1], -n[2]),
                        lanes_if_less(least, x, yz[2], n[1])};
    const lanes inverse = lanes_of(1) / lanes_sqrt(dot3(c, c));
    for (int k = 0; k < 3; k++)
        t[k] = inverse * c[k];
    s[0] = n[1] * t[2] - n[2] * t[1];
    s[1] = n[2] * t[0] - n[0] * t[2];
    s[2] = n[0] * t[1] - n[1] * t[0];
}

INLINE void load_row(int dim, const step_problem *p, size_t i, round_rows_of *row)
{
    const double *line[WIDTH];
    lanes R[8];
    for (size_t l = 0; l < WIDTH; l++)
        line[l] = p->round[i + l].n;
    lines_load(line, R);
    for (int k = 0; k < 3; k++)
        row->n[k] = R[k];
    row->arm[0] = R[3];
    row->arm[1] = R[4];
    row->shift = R[5];
    row->mu = R[6];
    if (dim == 3)
        frame(row->n, row->t, row->s);
}

INLINE void load_bodies(int dim, const step_problem *p, size_t i, bool two, round_group *g)
{
    for (size_t l = 0; l < WIDTH; l++)
        g->a[l] = body_line(p, dim, p->round[i + l].body[0]);
    lines_load((const double *const *)g->a, g->A);
    if (!two)
        return;
    for (size_t l = 0; l < WIDTH; l++)
        g->b[l] = body_line(p, dim, p->round[i + l].body[1]);
    lines_load((const double *const *)g->b, g->B);
}

INLINE void store_bodies(round_group *g, bool two)
{
    lines_store(g->a, g->A);
    if (two)
        lines_store(g->b, g->B);
}

// H_nn and H_tt
INLINE void block(int dim, const round_group *g, bool two, lanes H[2])
{
    const int m = dim == 2 ? 4 : 6, I = dim == 2 ? 6 : 7;
    H[0] = g->A[m];
    if (two)
        H[0] = H[0] + g->B[m];
    H[1] = H[0] + g->row.arm[0] * g->row.arm[0] * g->A[I];
    if (two)
        H[1] = H[1] + g->row.arm[1] * g->row.arm[1] * g->B[I];
}

// G u of the velocities A and B
INLINE void velocity(int dim, const round_rows_of *r, bool two, const lanes *A, const lanes *B, lanes U[3])
{
    lanes d[3], W[3];
    for (int k = 0; k < dim; k++) {
        d[k] = A[k];
        if (two)
            d[k] = d[k] - B[k];
    }
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++) {
        W[k] = r->arm[0] * A[dim + k];
        if (two)
            W[k] = W[k] + r->arm[1] * B[dim + k];
    }
    if (dim == 2) {
        U[0] = r->n[0] * d[0] + r->n[1] * d[1];
        U[1] = r->n[0] * d[1] - r->n[1] * d[0] - W[0];
        return;
    }
    U[0] = dot3(r->n, d);
    U[1] = dot3(r->t, d) - dot3(r->s, W);
    U[2] = dot3(r->s, d) + dot3(r->t, W);
}

// adds the shifts
INLINE void shift(int dim, const step_problem *p, size_t i, const round_rows_of *r, lanes U[3])
{
    lanes more[2];
    U[0] = U[0] + r->shift;
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
INLINE void push(int dim, round_group *g, bool two, const lanes dS[3])
{
    const int m = dim == 2 ? 4 : 6, I = dim == 2 ? 6 : 7;
    const round_rows_of *r = &g->row;
    lanes P[3], M[3];
    if (dim == 2) {
        P[0] = r->n[0] * dS[0] - r->n[1] * dS[1];
        P[1] = r->n[1] * dS[0] + r->n[0] * dS[1];
        M[0] = dS[1];
    } else
        for (int k = 0; k < 3; k++) {
            P[k] = r->n[k] * dS[0] + r->t[k] * dS[1] + r->s[k] * dS[2];
            M[k] = r->s[k] * dS[1] - r->t[k] * dS[2];
        }
    const lanes turn = r->arm[0] * g->A[I];
    for (int k = 0; k < dim; k++)
        g->A[k] = g->A[k] + g->A[m] * P[k];
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++)
        g->A[dim + k] = g->A[dim + k] - turn * M[k];
    if (!two)
        return;
    const lanes other = r->arm[1] * g->B[I];
    for (int k = 0; k < dim; k++)
        g->B[k] = g->B[k] - g->B[m] * P[k];
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++)
        g->B[dim + k] = g->B[dim + k] - other * M[k];
}

INLINE void load_impulse(int dim, const double *S, lanes out[3])
{
    if (dim == 2)
        pairs_load(S, out);
    else
        triples_load(S, out);
}

INLINE lanes tangent_length(int dim, const lanes x[3])
{
    return dim == 2 ? lanes_abs(x[1]) : lanes_sqrt(x[1] * x[1] + x[2] * x[2]);
}

// the law at each contact with all others held: S from U, which belongs to the S given
INLINE void solve_law(int dim, lanes mu, const lanes H[2], const lanes U[3], lanes S[3])
{
    const lanes zero = lanes_of(0), one = lanes_of(1), k = H[0] * S[0] - U[0];
    // before U is known
    const lanes inv_nn = one / H[0], inv_tt = one / H[1];
    lanes x[3];
    for (int i = 1; i < dim; i++)
        x[i] = H[1] * S[i] - U[i];
    S[0] = lanes_if_less(zero, k, k, zero) * inv_nn;
    const lanes edge = mu * S[0];
    if (dim == 2) {
        const lanes stick = x[1] * inv_tt, below = lanes_if_less(edge, stick, edge, stick);
        S[1] = lanes_if_less(below, -edge, -edge, below);
        return;
    }
    // of 0/0 inv_tt is taken: x is 0 then
    const lanes slide = edge / tangent_length(dim, x), scale = lanes_if_less(slide, inv_tt, slide, inv_tt);
    for (int i = 1; i < dim; i++)
        S[i] = scale * x[i];
}

INLINE void store_impulse(int dim, double *S, const lanes in[3])
{
    if (dim == 2)
        pairs_store(S, in);
    else
        triples_store(S, in);
}

// contacts [i, i + WIDTH), whose rows are there
INLINE void relax_group(int dim, const step_problem *p, size_t i, bool two, round_group *g)
{
    lanes H[2], U[3], S[3], dS[3];
    double *at = &p->S[(size_t)dim * i];
    load_bodies(dim, p, i, two, g);
    load_impulse(dim, at, S);
    block(dim, g, two, H);
    velocity(dim, &g->row, two, g->A, g->B, U);
    shift(dim, p, i, &g->row, U);
    for (int k = 0; k < dim; k++)
        dS[k] = S[k];
    solve_law(dim, g->row.mu, H, U, S);
    for (int k = 0; k < dim; k++)
        dS[k] = S[k] - dS[k];
    push(dim, g, two, dS);
    store_bodies(g, two);
    store_impulse(dim, at, S);
}

INLINE void apply_group(int dim, const step_problem *p, size_t i, bool two, round_group *g)
{
    lanes S[3];
    load_bodies(dim, p, i, two, g);
    load_impulse(dim, &p->S[(size_t)dim * i], S);
    push(dim, g, two, S);
    store_bodies(g, two);
}

typedef void round_do(int dim, const step_problem *p, size_t i, bool two, round_group *g);

// the rows of the next group, which depend on nothing, are read while the present one is done
INLINE void do_range(int dim, const contact_range *r, bool two, round_do *group)
{
    round_rows_of next;
    round_group g;
    if (r->begin < r->end)
        load_row(dim, r->p, r->begin, &next);
    for (size_t i = r->begin; i < r->end; i += WIDTH) {
        g.row = next;
        if (i + WIDTH < r->end)
            load_row(dim, r->p, i + WIDTH, &next);
        group(dim, r->p, i, two, &g);
    }
}

#define ROUND_RANGE(name, group, dim)                                                                        \
    static void name(const contact_range *r)                                                                 \
    {                                                                                                        \
        if (r->two)                                                                                          \
            do_range(dim, r, true, group);                                                                   \
        else                                                                                                 \
            do_range(dim, r, false, group);                                                                  \
    }

ROUND_RANGE(relax2, relax_group, 2)
ROUND_RANGE(relax3, relax_group, 3)
ROUND_RANGE(apply2, apply_group, 2)
ROUND_RANGE(apply3, apply_group, 3)

INLINE void add_to(double *sum, lanes x)
{
    lanes_store(sum, lanes_load(sum) + x);
}

INLINE void raise_to(double *most, lanes x)
{
    const lanes now = lanes_load(most);
    lanes_store(most, lanes_if_less(now, x, x, now));
}

// P_K(z), K = {z : |z_T| <= mu z_N}
INLINE void onto_cone(int dim, lanes mu, const lanes z[3], lanes P[3])
{
    const lanes zero = lanes_of(0), length = tangent_length(dim, z);
    const lanes along = (z[0] + mu * length) / (lanes_of(1) + mu * mu);
    // below the polar cone's edge 0, above the cone's own edge z itself
    const lanes N = lanes_if_less(zero, along, along, zero);
    const lanes scale =
        lanes_if_less(zero, length, mu * N / lanes_if_less(zero, length, length, lanes_of(1)), zero);
    const lanes edge = lanes_if_less(z[0], zero, lanes_of(-1), mu * z[0]);
    P[0] = lanes_if_less(edge, length, N, z[0]);
    for (int k = 1; k < dim; k++)
        P[k] = lanes_if_less(edge, length, scale * z[k], z[k]);
}

INLINE lanes distance2(int dim, const lanes a[3], const lanes b[3])
{
    lanes sum = (a[0] - b[0]) * (a[0] - b[0]);
    for (int k = 1; k < dim; k++)
        sum = sum + (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

// bodies of contacts of which some may have one; u_free
INLINE void load_any(const step_problem *p, int dim, size_t i, round_group *g, lanes free_A[8],
                     lanes free_B[8])
{
    const double *a[WIDTH], *b[WIDTH];
    const int freedoms = dim == 2 ? 3 : 6;
    load_row(dim, p, i, &g->row);
    for (size_t l = 0; l < WIDTH; l++) {
        const uint32_t *body = p->round[i + l].body;
        a[l] = body_line(p, dim, body[0]);
        b[l] = body[1] != UINT32_MAX ? body_line(p, dim, body[1]) : NOTHING;
    }
    lines_load(a, g->A);
    lines_load(b, g->B);
    for (size_t l = 0; l < WIDTH; l++) {
        const uint32_t *body = p->round[i + l].body;
        a[l] = &p->u_free[(size_t)freedoms * body[0]];
        b[l] = body[1] != UINT32_MAX ? &p->u_free[(size_t)freedoms * body[1]] : NOTHING;
    }
    lines_load_part(a, freedoms, free_A);
    lines_load_part(b, freedoms, free_B);
}

INLINE void judge_group(int dim, const step_problem *p, size_t i, double (*sum)[LANES], size_t lane)
{
    round_group g;
    lanes H[2], U[3], q[3], S[3], moved[3], P[3], free_A[8], free_B[8];
    load_any(p, dim, i, &g, free_A, free_B);
    load_impulse(dim, &p->S[(size_t)dim * i], S);
    block(dim, &g, true, H);
    // a block that overflows must not pass for a solved one: inf - inf is not a number
    const lanes rho = (H[1] - H[1] + lanes_of(1)) / H[1];
    velocity(dim, &g.row, true, g.A, g.B, U);
    shift(dim, p, i, &g.row, U);
    velocity(dim, &g.row, true, free_A, free_B, q);
    shift(dim, p, i, &g.row, q);
    const lanes slip = tangent_length(dim, U);
    moved[0] = S[0] - rho * (U[0] + g.row.mu * slip);
    lanes US = U[0] * S[0], S2 = S[0] * S[0], q2 = q[0] * q[0];
    for (int k = 1; k < dim; k++) {
        moved[k] = S[k] - rho * U[k];
        US = US + U[k] * S[k];
        S2 = S2 + S[k] * S[k];
        q2 = q2 + q[k] * q[k];
    }
    onto_cone(dim, g.row.mu, moved, P);
    add_to(&sum[SUM_ERROR2][lane], distance2(dim, S, P));
    add_to(&sum[SUM_S2][lane], S2);
    add_to(&sum[SUM_Q2][lane], rho * rho * q2);
    add_to(&sum[SUM_COMPLEMENTARITY][lane], lanes_abs(S[0] * U[0]));
    add_to(&sum[SUM_GAP][lane], US + g.row.mu * slip * S[0]);
    onto_cone(dim, g.row.mu, S, P);
    raise_to(&sum[MOST_FORCE][lane], lanes_sqrt(distance2(dim, S, P)));
    raise_to(&sum[MOST_VELOCITY][lane], -U[0]);
}

#define ROUND_JUDGE(name, dim)                                                                               \
    static void name(const contact_range *r, double sum[ROUND_SUMS][LANES])                                  \
    {                                                                                                        \
        for (size_t i = r->begin; i < r->end; i += WIDTH)                                                    \
            judge_group(dim, r->p, i, sum, (i - r->begin) % LANES);                                          \
    }

ROUND_JUDGE(judge2, 2)
ROUND_JUDGE(judge3, 3)

static const round_kernels_of KERNELS = {{relax2, relax3}, {apply2, apply3}, {judge2, judge3}};
