/*
 * Nonlinear Gauss-Seidel on a frictional contact problem in local form (MJ96 (11)(12), M99 §9.2): contact
 * after contact, each solved exactly with all others held; sweeps are extrapolated (sweep_anderson.h), or
 * have momentum where W is large (sweep_momentum.h).
 *
 *   b = (W r + q)_c - H r_c,  r_c := the answer to u = H r_c + b and Coulomb's law
 *
 * (b is what the other contacts make where H = W_cc).
 *
 * A fixed point solves the problem whatever H is, since there H r_c + b = (W r + q)_c; both papers allow a
 * simpler H than W_cc.  Here H is W_cc but for two cases.  In 2D its symmetric part is taken.  And where
 * mu |h| comes near H_nn or exceeds it (h: how r_T acts on u_N) the answer jumps with b, and sweeps would end
 * in a cycle: H_nn is raised to mu |h| / STEEPEST.
 *
 * The residual costs as much as a sweep and is looked at after 1, 2, 4, 8, ... sweeps, and when the change
 * made by a sweep says that it may be small enough.  It is taken of what a sweep leaves, before that goes
 * ahead.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/wide.h"
#include "math/vec.h"
#include "solver/contact2d.h"
#include "solver/contact3d.h"
#include "solver/half_sweep.h"
#include "solver/local.h"
#include "solver/local_row.h"
#include "solver/sweep_anderson.h"
#include "solver/sweep_momentum.h"

enum { PLAIN_SWEEPS = 3, FIRST_JUDGEMENT = 32 };

/* Momentum that has swung so often goes round in circles: differences again.  It needs PATIENT sweeps to get
   going. */
enum { MOST_SWINGS = 8, PATIENT = 256 };

/* Blocks larger than that in all: rows are asked for in 3D, contacts ahead, and sweeps have momentum; half of
 * W is swept, in 3D. */
enum { FAR_BYTES = 8 << 20, AHEAD = 8, HALF_BYTES = 24 << 20 };

/* Largest mu |h| / H_nn of a block taken as it is. */
#define STEEPEST 0.9

/* What of W_cc, relative to it, is left out as rounding. */
#define ROUND 1e-14

/* A half of the sweeps that leaves so much of the residual was for nothing. */
#define STALLED 0.9

/* The pace may improve by that much. */
#define HOPE 2

typedef struct sweeper {
    local_work *w;
    contact3 *c3; /* [contacts] in 3D */
    contact2 *c2; /* [contacts] in 2D */
    double *slip; /* [contacts] in 3D: the last lambda (contact3d.h), which changes little */
    bool *other;  /* [contacts] H is not W_cc */
    double *best; /* [n] */
    double best_residual;
    double *weight; /* [n] of the metric: lambda_max of the contact's block */
    sweep_anderson ahead;
    sweep_momentum momentum; /* in its place where W is far */
    bool rolls;              /* they have momentum now */
    bool no_memory;          /* for them */
    half_sweep half;
    bool halved; /* sweeps are made with half of W, and r is what it was at the last look */
    bool far;    /* W is too large for caches */
} sweeper;

// of a sweep, in the metric; `along` where half of W is swept
typedef half_travel travel;

// b += (W_cc - H) own, H [dim dim] by rows
static inline void add_difference(const sweeper *g, size_t dim, size_t c, const double *H, const double *own,
                                  double *b)
{
    const double *W = g->w->p->W + dim * dim * g->w->diagonal[c];
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++)
            b[i] += (W[dim * i + j] - H[dim * i + j]) * own[j];
}

WIDE static travel sweep3(const sweeper *g, double *r)
{
    const mo_problem *p = g->w->p;
    travel t = {0, 0, 0};
    for (size_t c = 0; c < p->contacts; c++) {
        double b[3] = {p->q[3 * c], p->q[3 * c + 1], p->q[3 * c + 2]}, *own = r + 3 * c, new[3];
        if (g->far && c + AHEAD < p->contacts) {
            row_ask(p, c + AHEAD);
            __builtin_prefetch(&g->c3[c + AHEAD]);
        }
        row_others3(p, c, g->w->diagonal[c], r, b);
        if (g->other[c])
            add_difference(g, 3, c, g->c3[c].H, own, b);
        contact3_solve_from(&g->c3[c], b, &g->slip[c], new);
        double weight = g->weight[3 * c], d0 = new[0] - own[0], d1 = new[1] - own[1], d2 = new[2] - own[2];
        t.change += weight * (d0 * d0 + d1 * d1 + d2 * d2);
        t.size += weight * (new[0] * new[0] + new[1] * new[1] + new[2] * new[2]);
        own[0] = new[0], own[1] = new[1], own[2] = new[2];
    }
    return t;
}

static travel sweep2(const sweeper *g, double *r)
{
    const mo_problem *p = g->w->p;
    travel t = {0, 0, 0};
    for (size_t c = 0; c < p->contacts; c++) {
        double b[2] = {p->q[2 * c], p->q[2 * c + 1]}, *own = r + 2 * c, new[2];
        row_others2(p, c, g->w->diagonal[c], r, b);
        if (g->other[c]) {
            const double *H = g->c2[c].H;
            add_difference(g, 2, c, (const double[4]){H[0], H[1], H[1], H[2]}, own, b);
        }
        contact2_solve(&g->c2[c], b[0], b[1], &new[0], &new[1]);
        double weight = g->weight[2 * c], d0 = new[0] - own[0], d1 = new[1] - own[1];
        t.change += weight * (d0 * d0 + d1 * d1);
        t.size += weight * (new[0] * new[0] + new[1] * new[1]);
        own[0] = new[0], own[1] = new[1];
    }
    return t;
}

// whether a block in 3D is that of spheres to rounding: the normal apart, all tangents alike
static bool is_round(const double *W)
{
    const double apart = fabs(W[1]) + fabs(W[2]) + fabs(W[3]) + fabs(W[5]) + fabs(W[6]) + fabs(W[7]);
    return apart + fabs(W[4] - W[8]) <= ROUND * (W[0] + W[4] + W[8]);
}

// W_cc as the sweeps take it: not so steep that the answer jumps, and without the rounding that would hide
// from contact3_solve what it does in closed form
static void calm_block(size_t dim, const double *W, double mu, double *H)
{
    if (dim == 3 && is_round(W)) {
        memset(H, 0, 9 * sizeof *H);
        H[0] = W[0];
        H[4] = H[8] = 0.5 * (W[4] + W[8]);
        return;
    }
    double steep = mu * (dim == 3 ? sqrt(W[1] * W[1] + W[2] * W[2]) : 0.5 * fabs(W[1] + W[2])) / STEEPEST;
    memcpy(H, W, dim * dim * sizeof *H);
    H[0] = fmax(H[0], steep);
}

// makes contact c ready with the block H; whether that is W, its own one
static bool prepare_contact(sweeper *g, size_t c, const double *H, const double *W)
{
    const double mu = g->w->p->mu[c];
    if (g->w->p->dim == 3) {
        bool same = true;
        contact3_prepare(&g->c3[c], H, mu);
        for (size_t i = 0; i < 9; i++)
            same &= g->c3[c].H[i] == W[i];
        return same;
    }
    g->c2[c] = (contact2){.H = {H[0], 0.5 * (H[1] + H[2]), H[3]}};
    contact2_prepare(&g->c2[c], mu);
    return H[0] == W[0] && H[1] == H[2];
}

// blocks and metric
static void prepare_contacts(sweeper *g)
{
    const mo_problem *p = g->w->p;
    size_t dim = (size_t)p->dim, blocks = p->start[p->contacts];
    for (size_t c = 0; c < p->contacts; c++) {
        double H[9] = {0};
        const double *W = g->w->diagonal[c] < blocks ? p->W + dim * dim * g->w->diagonal[c] : H;
        // a contact alone is solved at once as it is
        if (W != H)
            calm_block(dim, W, p->contacts > 1 ? p->mu[c] : 0, H);
        g->other[c] = !prepare_contact(g, c, H, W);
        for (size_t i = 0; i < dim; i++)
            g->weight[dim * c + i] = 1 / g->w->rho[c];
    }
}

// sweeps are made with half of W where it is symmetric and no cache holds it
static mo_status halve(sweeper *g, mo_error *err)
{
    local_work *w = g->w;
    arena_mark mark = arena_here(&w->memory);
    half_answer answer =
        half_sweep_make(w->p, w->diagonal, g->c3, w->rho, w->norm_rho_q, &w->memory, &g->half);
    if (answer == HALF_NO_MEMORY)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    g->halved = answer == HALF_MADE;
    if (!g->halved)
        arena_back(&w->memory, mark);
    return MO_OK;
}

static mo_status create(local_work *w, sweeper *g, mo_error *err)
{
    size_t contacts = w->p->contacts, n = w->n;
    *g = (sweeper){.w = w, .best_residual = HUGE_VAL};
    g->c3 = arena_push(&w->memory, w->p->dim == 3 ? contacts : 0, sizeof *g->c3);
    g->c2 = arena_push(&w->memory, w->p->dim == 2 ? contacts : 0, sizeof *g->c2);
    g->slip = arena_push_zero(&w->memory, w->p->dim == 3 ? contacts : 0, sizeof *g->slip);
    g->other = arena_push(&w->memory, contacts, sizeof *g->other);
    double *room = arena_push(&w->memory, 2 * n, sizeof *room);
    if (g->c3 == NULL || g->c2 == NULL || g->slip == NULL || g->other == NULL || room == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", contacts);
    g->best = room;
    g->weight = room + n;
    const size_t bytes = (size_t)(w->p->dim * w->p->dim) * sizeof *w->p->W * w->p->start[contacts];
    g->far = bytes > FAR_BYTES;
    prepare_contacts(g);
    return w->p->dim == 3 && bytes > HALF_BYTES ? halve(g, err) : MO_OK;
}

// residual of r; the best is kept
static double look(sweeper *g, const double *r)
{
    double residual = local_residual(g->w, r);
    if (residual < g->best_residual) {
        g->best_residual = residual;
        memcpy(g->best, r, g->w->n * sizeof *r);
    }
    return residual;
}

static double *push_room(sweeper *g, size_t count)
{
    double *room = arena_push(&g->w->memory, count, sizeof *room);
    g->no_memory = room == NULL;
    return room;
}

static bool begin_differences(sweeper *g, const double *r)
{
    double *room = push_room(g, sweep_anderson_room(g->w->n));
    if (room == NULL)
        return false;
    sweep_anderson_place(&g->ahead, g->w->n, g->weight, room, NULL);
    sweep_anderson_start(&g->ahead, r);
    return true;
}

static bool begin_momentum(sweeper *g, const double *r)
{
    g->rolls = true;
    if (g->halved) {
        g->momentum.rule = momentum_begin();
        half_sweep_begin(&g->half);
        return true;
    }
    double *room = push_room(g, sweep_momentum_room(g->w->n));
    if (room == NULL)
        return false;
    sweep_momentum_place(&g->momentum, g->w->n, g->weight, room, NULL);
    sweep_momentum_start(&g->momentum, r);
    return true;
}

// from here on sweeps are extrapolated, or have momentum; most small problems are solved before
static bool begin_ahead(sweeper *g, const double *r)
{
    return g->far ? begin_momentum(g, r) : begin_differences(g, r);
}

static void roll_on(sweeper *g, const travel *t, double *r)
{
    if (g->halved)
        half_sweep_move(&g->half, momentum_next(&g->momentum.rule, t->along, t->change));
    else
        sweep_momentum_next(&g->momentum, r);
}

static void take_differences(sweeper *g, const travel *t, double *r)
{
    if (g->halved)
        half_sweep_read(&g->half, r);
    if (!sweep_anderson_trusts(&g->ahead, sqrt(t->change), r))
        return;
    sweep_anderson_take(&g->ahead, r);
    sweep_anderson_next(&g->ahead, r);
    if (g->halved)
        half_sweep_write(&g->half, r);
}

// makes r, what a sweep left, the next point; false: no memory
static bool go_ahead(sweeper *g, const travel *t, double *r)
{
    if (g->rolls && g->momentum.rule.swings == MOST_SWINGS) {
        g->rolls = false;
        if (g->halved)
            half_sweep_read(&g->half, r);
        return begin_differences(g, r);
    }
    (g->rolls ? roll_on : take_differences)(g, t, r);
    return true;
}

// after the first few sweeps; false: no memory
static bool move_on(sweeper *g, int sweeps, const travel *t, double *r)
{
    if (sweeps < PLAIN_SWEEPS)
        return true;
    return sweeps == PLAIN_SWEEPS ? begin_ahead(g, r) : go_ahead(g, t, r);
}

// whether the last half of the sweeps made brought nothing, or many more than are left would be needed at the
// pace of their last three quarters; earlier: the best residual a half and a quarter of the sweeps ago
static bool crawls(const sweeper *g, const double earlier[2], double tol, int sweeps, int max_iter)
{
    const double now = g->best_residual;
    if (sweeps < (g->far ? PATIENT : FIRST_JUDGEMENT) || sweeps < max_iter / 16)
        return false;
    if (now >= STALLED * earlier[0])
        return true;
    double pace = log(fmax(earlier[1] / now, 1)) / (0.75 * sweeps), left = log(now / fmax(tol, 1e-15));
    return sweeps >= 2 * FIRST_JUDGEMENT && left > HOPE * pace * (max_iter - sweeps);
}

/* When to look at the residual. */
typedef struct schedule {
    int next, last;    /* sweep of the next look in any case, of the last one */
    double exchange;   /* a residual is that many changes of a sweep */
    double lowest;     /* change at a look so far */
    double earlier[2]; /* best residual a half and a quarter of the sweeps ago */
} schedule;

static bool time_to_look(const schedule *s, int sweeps, double moved, double tol)
{
    // the less doubt the sooner
    int wait = s->last / (moved * s->exchange <= 0.5 * tol ? 64 : 16);
    bool settled = moved * s->exchange <= tol && sweeps - s->last >= wait;
    return sweeps >= s->next || settled || moved < 0.1 * s->lowest;
}

static travel sweep(sweeper *g, double *r)
{
    if (g->halved)
        return half_sweep_run(&g->half);
    return g->w->p->dim == 2 ? sweep2(g, r) : sweep3(g, r);
}

// residual of what the sweeps left, r; sweeps with half of W go on from its exact u
static double look_at(sweeper *g, double *r)
{
    if (g->halved)
        half_sweep_read(&g->half, r);
    const double residual = look(g, r);
    if (g->halved)
        half_sweep_base(&g->half, r, g->w->u);
    return residual;
}

// whether a sweep changed nothing; half of W may be too rough to tell, but not right after a look
static bool is_settled(const sweeper *g, const schedule *s, int sweeps, const travel *t)
{
    return !(t->change > 0) && (!g->halved || sweeps == s->last + 1);
}

// returns the sweeps made
static int iterate(sweeper *g, int max_iter, double tol, double *r)
{
    schedule s = {.next = 1, .exchange = 1, .lowest = HUGE_VAL, .earlier = {HUGE_VAL, HUGE_VAL}};
    for (int i = 1; i <= max_iter; i++) {
        travel t = sweep(g, r);
        double moved = t.size > 0 ? sqrt(t.change / t.size) : 0;
        bool end = i == max_iter || is_settled(g, &s, i, &t) || !isfinite(t.change) || local_late(g->w);
        if (end || time_to_look(&s, i, moved, tol)) {
            double residual = look_at(g, r);
            if (residual <= tol || end)
                return i;
            if (moved > 0)
                s.exchange = (i < FIRST_JUDGEMENT ? 0.7 : 0.5) * residual / moved;
            s.lowest = fmin(s.lowest, moved);
            s.last = i;
        }
        if (i >= s.next) {
            if (crawls(g, s.earlier, tol, i, max_iter))
                return i;
            s.earlier[1] = s.earlier[0];
            s.earlier[0] = g->best_residual;
            s.next = i < 2 ? 2 : i < 8 ? 8 : 2 * i;
        }
        if (!move_on(g, i, &t, r))
            return i;
    }
    return max_iter;
}

// u: of r
static int begin(sweeper *g, int max_iter, double tol, const double *u, double *r)
{
    if (g->halved)
        half_sweep_base(&g->half, r, u);
    return iterate(g, max_iter, tol, r);
}

mo_status local_nlgs(local_work *w, const mo_solver_settings *s, int max_iter, double tol, double *r,
                     int *iterations, mo_error *err)
{
    (void)s;
    sweeper g;
    arena_mark mark = arena_here(&w->memory);
    mo_status status = create(w, &g, err);
    if (status != MO_OK)
        return status;
    memcpy(g.best, r, w->n * sizeof *r);
    *iterations = 0;
    // a guess that solves it, or is better than what comes, is kept
    const bool zero = vec_all_zero(w->n, r);
    if (zero || look(&g, r) > tol)
        *iterations = begin(&g, max_iter, tol, zero ? w->p->q : w->u, r);
    memcpy(r, g.best, w->n * sizeof *r);
    w->known = g.best_residual;
    arena_back(&w->memory, mark);
    return g.no_memory ? fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts) : MO_OK;
}
