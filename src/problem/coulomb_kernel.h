/*
 * Coulomb's law at WIDTH contacts in 3D with any blocks, each with all others held (core/lanes.h).  In the
 * notation of solver/contact3d.h, b = U - H S and k = (-b_N)+:
 *
 *   k = 0           open     S = 0
 *   mu = 0                   S = (k/H_nn, 0, 0)
 *   |x| < mu S_N    sticks   S_T = x = -(A - h h'/H_nn)⁻¹ u*,  S_N = (k - h.x)/H_nn
 *   |x| > mu S_N    slides   S_T = mu S_N e,  S_N = k/(H_nn + mu h.e),  e = r_T(lambda)/|r_T(lambda)|
 *
 * for all at once; lambda by Newton's method.  Contacts for which this would lose digits, or might miss the
 * choice among several solutions, go to the solver given, one after the other: where the determinant of
 * A - h h'/H_nn is below CRAMER of the product of A's diagonal, where the contact slides and mu |h| is above
 * FLAT of H_nn, where numbers are extreme, and what is on the edge or takes more than SLIDE_STEPS steps.
 */
#ifndef PROBLEM_COULOMB_KERNEL_H
#define PROBLEM_COULOMB_KERNEL_H

#include "problem/kernel_parts.h"

#define CRAMER 0x1p-6
#define FLAT 0.5

/* Between SIZE and 1/SIZE products of three numbers have all digits; SQUARE is its own. */
#define SIZE 1e-80
#define SQUARE 1e-160

enum { SLIDE_STEPS = 8 };

// lanes of which `which` has a bit, by the solver
KERNEL_INLINE void solve_others(const step_problem *p, size_t i, unsigned which, row_solver *solve,
                                const lanes b[3], lanes S[3])
{
    double from[3][WIDTH], to[3][WIDTH];
    for (int k = 0; k < 3; k++) {
        lanes_store(from[k], b[k]);
        lanes_store(to[k], S[k]);
    }
    for (size_t l = 0; l < WIDTH; l++) {
        const double one[3] = {from[0][l], from[1][l], from[2][l]};
        double out[3];
        if (!(which >> l & 1))
            continue;
        solve(p, i + l, one, out);
        for (int k = 0; k < 3; k++)
            to[k][l] = out[k];
    }
    for (int k = 0; k < 3; k++)
        S[k] = lanes_load(to[k]);
}

// a block without its normal: S = A - h h'/H_nn = [a o; o c], and what the law asks of it
typedef struct tangent_group {
    lanes a, o, c, det; /* of S */
    lanes h[2], mu, rN; /* h/H_nn; k/H_nn */
    lanes v[2];         /* u* */
} tangent_group;

// r_T(lambda) det(S + lambda I)
KERNEL_INLINE void slide_point(const tangent_group *g, lanes lambda, lanes X[2])
{
    X[0] = g->o * g->v[1] - (g->c + lambda) * g->v[0];
    X[1] = g->o * g->v[0] - (g->a + lambda) * g->v[1];
}

/*
 * Newton's method for the lambda of lanes that slide (solver/contact3d.h: E, N, X).  Each lane stops for
 * itself when the next point has all digits; returns the lanes of `which` that came so far.
 */
KERNEL_INLINE unsigned slide_lambda(const tangent_group *g, unsigned which, lanes *lambda)
{
    const lanes zero = lanes_of(0), *v = g->v, eps[2] = {g->mu * g->h[0], g->mu * g->h[1]}, L = g->mu * g->rN,
                trace = g->a + g->c, least = g->det / trace, v2 = v[0] * v[0] + v[1] * v[1],
                eps_v = eps[0] * v[0] + eps[1] * v[1];
    const lanes form = g->a * v[0] * v[0] + lanes_of(2) * g->o * v[0] * v[1] + g->c * v[1] * v[1];
    lanes going = lanes_of(1);
    unsigned left = which;
    // as if S were isotropic
    *lambda = lanes_max((lanes_sqrt(v2) - eps_v) / L - form / v2, zero);
    for (int i = 0; i < SLIDE_STEPS && left != 0; i++) {
        const lanes D = g->det + *lambda * (trace + *lambda), slope = L * (trace + *lambda + *lambda) + eps_v;
        lanes X[2];
        slide_point(g, *lambda, X);
        const lanes N2 = X[0] * X[0] + X[1] * X[1], E = L * D - (eps[0] * X[0] + eps[1] * X[1]);
        const lanes step = (E - lanes_sqrt(N2)) * N2 / (slope * N2 + E * (X[0] * v[0] + X[1] * v[1]));
        const lanes small = lanes_of(1e-8) * (*lambda + least), next = lanes_max(*lambda - step, zero);
        *lambda = lanes_if_less(zero, going, next, *lambda);
        going = lanes_if_less(lanes_abs(step), small, zero, going);
        left = which & lanes_less(zero, going);
    }
    return which & ~left;
}

// whether squares are such that products are good
KERNEL_INLINE unsigned handy(lanes square)
{
    return lanes_less(lanes_of(SQUARE), square) & lanes_less(square, lanes_of(1 / SQUARE));
}

// lanes of `which` that slide, on the edge of the cone against their slip; returns those that are left
KERNEL_INLINE unsigned slide_all(const tangent_group *g, unsigned which, lanes S[3])
{
    lanes lambda, X[2];
    unsigned done = slide_lambda(g, which, &lambda);
    slide_point(g, lambda, X);
    const lanes N2 = X[0] * X[0] + X[1] * X[1], inverse = lanes_of(1) / lanes_sqrt(N2), x = X[0] * inverse,
                y = X[1] * inverse;
    const lanes N = g->rN / (lanes_of(1) + g->mu * (g->h[0] * x + g->h[1] * y));
    done &= handy(N2) & handy(g->v[0] * g->v[0] + g->v[1] * g->v[1]);
    S[0] = lanes_pick(done, N, S[0]);
    S[1] = lanes_pick(done, g->mu * N * x, S[1]);
    S[2] = lanes_pick(done, g->mu * N * y, S[2]);
    return which & ~done;
}

// S of the contacts i... with blocks H from U, which belongs to the S given
KERNEL_INLINE void coulomb3(const step_problem *p, size_t i, const lanes H[6], const lanes U[3],
                            row_solver *solve, lanes S[3])
{
    const lanes zero = lanes_of(0), mu = lanes_load(&p->mu[i]);
    const lanes b[3] = {U[0] - (H[0] * S[0] + H[1] * S[1] + H[2] * S[2]),
                        U[1] - (H[1] * S[0] + H[3] * S[1] + H[4] * S[2]),
                        U[2] - (H[2] * S[0] + H[4] * S[1] + H[5] * S[2])};
    const lanes inv_nn = lanes_of(1) / H[0], h[2] = {H[1] * inv_nn, H[2] * inv_nn}, k = -b[0],
                rN = k * inv_nn;
    const lanes a = H[3] - H[1] * h[0], o = H[4] - H[1] * h[1], c = H[5] - H[2] * h[1], det = a * c - o * o;
    const tangent_group t = {a, o, c, det, {h[0], h[1]}, mu, rN, {b[1] + H[1] * rN, b[2] + H[2] * rN}};
    const lanes inverse = lanes_of(1) / det, x = (o * t.v[1] - c * t.v[0]) * inverse,
                y = (o * t.v[0] - a * t.v[1]) * inverse;
    const lanes N = rN - (h[0] * x + h[1] * y), size = lanes_sqrt(x * x + y * y);
    const unsigned regular = lanes_less(lanes_max(lanes_of(CRAMER) * H[3] * H[5], lanes_of(SQUARE)), det) &
                             lanes_less(lanes_of(SIZE), mu * rN),
                   flat = lanes_less(mu * (lanes_abs(h[0]) + lanes_abs(h[1])), lanes_of(FLAT)),
                   sticks = lanes_less(size, mu * N) & regular,
                   slides = lanes_less(mu * N, size) & regular & flat;
    S[0] = lanes_if_less(zero, k, lanes_if_less(zero, mu, N, rN), zero);
    S[1] = lanes_if_less(zero, k, lanes_if_less(zero, mu, x, zero), zero);
    S[2] = lanes_if_less(zero, k, lanes_if_less(zero, mu, y, zero), zero);
    unsigned others = lanes_less(zero, k) & ~sticks & (lanes_less(zero, mu) | ~lanes_less(zero, H[0]));
    if ((others & slides) != 0)
        others = (others & ~slides) | slide_all(&t, others & slides, S);
    if (others != 0)
        solve_others(p, i, others, solve, b, S);
}

#endif
