/*
 * Complementary pivoting in 2D, after Lemke (Management Science 11 (1965) 681-689): a path of exact solutions
 * of problems that are easier, to that of the problem (coulomb_path.h; docs/theory/solvers.md).
 *
 * It begins where every closed contact sticks under a normal impulse alone and every other is open, under the
 * load d that makes this a solution.  With Ws + alpha I positive definite it is then the only one, so that
 * the path cannot come back to t = 1, and ends at t = 0 after finitely many pivots.  From there alpha falls,
 * the path being continued from each solution to the next; where that is long, a path from the start is
 * followed with a smaller alpha.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/rng.h"
#include "math/vec.h"
#include "solver/coulomb_path.h"

/* The first alpha of a start, that of the next one, and where that ends. */
static const double FIRST_ALPHA = 1e-5, NEXT_START = 0.1, LAST_START = 3e-9;

/* How alpha falls from path to path, and that after a path without corners; where it ends: the residual is
 * about alpha. */
static const double FALL = 0.4, FALL_STRAIGHT = 0.01, LAST_ALPHA = 1e-15;

/* Pivots for a path from the start, in the first round and in the second: few paths are that long, but those
 * may be very long, and from another alpha they are not. */
static const long MOST[] = {6000, LONG_MAX};

/* Pivots for a continued path: those that arrive take fewer, or many times more.  One iteration is as many
 * pivots as cost about what a step of Newton's method does; so does the beginning of a path, by its factors.
 */
enum { CONTINUED = 300, AN_ITERATION = 8 };

/* By that share impulses at the start differ at random, and velocities by that of the mean load, so that no
 * two corners of the path fall together. */
static const double JITTER = 1e-3;

typedef struct descent {
    local_work *w;
    coulomb_path path;
    double *x, *y; /* [n] scaled; scratch */
    double *r;     /* [n] the best */
    double residual, tol;
    long left;     /* pivots that iterations are left for */
    bool straight; /* the last continued path had no corners */
} descent;

// the point where the path begins: normal impulses and velocities are those of the best r as far as may be
static void begin(descent *k, double alpha)
{
    coulomb_path *p = &k->path;
    const double *mu = k->w->p->mu, *x = k->x, *y = k->y;
    rng random = rng_seed(1, 2);
    for (size_t i = 0; i < p->n; i++)
        k->x[i] = k->r[i] / k->w->linear->d[i / 2];
    local_linear_velocity(k->w, k->x, k->y);
    const double load = JITTER * vec_norm_in_order(p->n, p->q) / sqrt((double)p->n);
    memset(p->X, 0, p->n * sizeof *p->X);
    memset(p->Y, 0, p->n * sizeof *p->Y);
    for (size_t c = 0; c < p->contacts; c++) {
        const double any = 1 + rng_uniform(&random), yT = y[2 * c + 1];
        if (x[2 * c] > y[2 * c]) {
            p->piece[c] = mu[c] > 0 ? PIECE_STICK : PIECE_PLUS;
            p->X[2 * c] = (x[2 * c] - y[2 * c]) * (1 + JITTER * any);
        } else {
            p->piece[c] = PIECE_OPEN;
            p->Y[2 * c] = fmax(y[2 * c], mu[c] * fabs(yT)) + load * any;
            p->Y[2 * c + 1] = yT;
        }
    }
    p->alpha = alpha;
    coulomb_path_load(p);
}

// what the law says to the letter of the solution at hand, for a load that begins there
static void begin_again(descent *k, double alpha)
{
    coulomb_path *p = &k->path;
    for (size_t c = 0; c < p->contacts; c++) {
        p->Y[2 * c] = p->piece[c] == PIECE_OPEN ? p->Y[2 * c] : 0;
        p->Y[2 * c + 1] = p->piece[c] == PIECE_STICK ? 0 : p->Y[2 * c + 1];
        p->X[2 * c] = p->piece[c] == PIECE_OPEN ? 0 : p->X[2 * c];
        p->X[2 * c + 1] = p->piece[c] == PIECE_OPEN ? 0 : p->X[2 * c + 1];
    }
    p->alpha = alpha;
    coulomb_path_load(p);
}

static path_end follow(descent *k, long most)
{
    const long before = k->path.pivots, room = k->left - AN_ITERATION;
    if (room < 0)
        return PATH_LONG;
    const path_end end = coulomb_path_follow(&k->path, most < room ? most : room);
    k->left = room - (k->path.pivots - before);
    return end;
}

// the residual of the point at hand, which is kept where it is the best
static double look_at(descent *k)
{
    for (size_t i = 0; i < k->path.n; i++)
        k->x[i] = k->path.X[i] * k->w->linear->d[i / 2];
    const double now = local_residual(k->w, k->x);
    if (now < k->residual) {
        k->residual = now;
        memcpy(k->r, k->x, k->path.n * sizeof *k->r);
    }
    return now;
}

// a path from the start, and on from its end with smaller and smaller alpha
static void descend(descent *k, double alpha, long most)
{
    double last = HUGE_VAL;
    begin(k, alpha);
    path_end end = follow(k, most);
    while (end == PATH_ARRIVED && alpha > LAST_ALPHA) {
        const double now = look_at(k);
        // near enough, or no more digits
        if (k->residual <= k->tol || !(now < last))
            return;
        last = now;
        const long before = k->path.pivots;
        alpha *= k->straight ? FALL_STRAIGHT : FALL;
        begin_again(k, alpha);
        end = follow(k, CONTINUED);
        k->straight = k->path.pivots == before;
    }
}

mo_status local_lemke(local_work *w, const mo_solver_settings *settings, int max_iter, double tol, double *r,
                      int *iterations, mo_error *err)
{
    (void)settings;
    *iterations = 0;
    if (w->p->contacts == 0)
        return MO_OK;
    mo_status status = local_linear_prepare(w, err);
    if (status != MO_OK)
        return status;
    arena_mark mark = arena_here(&w->memory);
    descent k = {.w = w, .r = r, .tol = tol, .left = (long)AN_ITERATION * max_iter};
    k.x = arena_push(&w->memory, w->n, sizeof *k.x);
    k.y = arena_push(&w->memory, w->n, sizeof *k.y);
    if (k.x == NULL || k.y == NULL || !coulomb_path_make(&k.path, w))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    k.residual = local_residual(w, r);
    for (size_t round = 0; round < sizeof MOST / sizeof *MOST; round++)
        for (double alpha = FIRST_ALPHA; alpha > LAST_START; alpha *= NEXT_START)
            if (k.residual > tol && k.left >= AN_ITERATION && !local_late(w))
                descend(&k, alpha, MOST[round]);
    *iterations = max_iter - (int)(k.left / AN_ITERATION);
    arena_back(&w->memory, mark);
    return MO_OK;
}
