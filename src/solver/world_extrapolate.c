#include "solver/world_extrapolate.h"

#include <math.h>
#include <string.h>

#include "problem/apply.h"
#include "problem/certificate.h"
#include "problem/extra.h"
#include "solver/nlgs.h"
#include "solver/sweep_anderson.h"
#include "solver/sweep_momentum.h"

/* Where there are more than SPARE_MAX contacts differences fit no cache, and sweeps have momentum in their
   place.  CHUNK: bodies that a thread takes. */
enum { CHUNK = 1024 };

/*
 * LOOK: sweeps between two looks.  MOST: sweeps altogether, and one more for every so many contacts: what
 * comes after it is dearer the more there are.  PATIENCE: looks without a residual that is GAIN of what it
 * was when it last fell so far, likewise.
 */
enum { LOOK = 8, MOST = 400, MORE_FOR = 4, PATIENCE = 6, PATIENT_FOR = 200, CONTACTS_MAX = 20000 };
static const double GAIN = 0.7;

typedef struct walk {
    void (*go_ahead)(const solve_job *j, struct walk *w); /* makes what a sweep left the next point */
    sweep_anderson ahead;
    sweep_momentum momentum;
    double *u_before;     /* [freedoms bodies] velocities that belong to momentum.before */
    double *weight;       /* [n] lambda_max of the contact's block */
    double *best;         /* [n] */
    double residual;      /* of best */
    solution_size before; /* at the start */
    double mark;          /* residual of the look that waiting counts from */
    int waiting;          /* looks since it fell to GAIN of what it was */
    int most, patience;
    bool looked; /* after the last sweep */
} walk;

static size_t freedoms_of(const step_problem *p)
{
    return p->dim == 2 ? 3 : 6;
}

// extrapolates what a sweep left
static void go_by_differences(const solve_job *j, walk *w)
{
    const double change = sqrt(sweep_anderson_take(&w->ahead, j->p->S));
    if (!sweep_anderson_trusts(&w->ahead, change, j->p->S))
        return;
    sweep_anderson_next(&w->ahead, j->p->S);
    refresh_velocities(j->p, j->threads);
}

// velocities that follow impulses
typedef struct follow {
    const step_problem *p;
    double *before, beta;
} follow;

static void follow_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const follow *f = data;
    const size_t freedoms = freedoms_of(f->p);
    for (size_t i = begin; i < end; i++) {
        double *u = body_velocity(f->p, (uint32_t)i), *before = f->before + freedoms * i;
        for (size_t k = 0; k < freedoms; k++) {
            const double now = u[k];
            u[k] = now + f->beta * (now - before[k]);
            before[k] = now;
        }
    }
}

static void keep_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const follow *f = data;
    const size_t freedoms = freedoms_of(f->p);
    for (size_t i = begin; i < end; i++)
        memcpy(f->before + freedoms * i, body_velocity(f->p, (uint32_t)i), freedoms * sizeof *f->before);
}

/*
 * A look takes the rounding out of u, but not out of u_before: so after one u follows from S, not from both.
 * Otherwise what is wrong with u_before by d would make u wrong by beta d after the look, by about LOOK d
 * before the next one, and so on: after 150 sweeps by as much as all there is.
 */
static void go_by_momentum(const solve_job *j, walk *w)
{
    follow f = {j->p, w->u_before, sweep_momentum_next(&w->momentum, j->p->S)};
    // what joints and cells hold follows too: then u_before is of no use
    const bool held = j->p->extra != NULL || j->p->cell != NULL;
    if (w->looked && !held)
        parallel_for(j->threads, j->p->bodies, CHUNK, keep_chunk, &f);
    if (w->looked || held)
        refresh_velocities(j->p, j->threads);
    else
        parallel_for(j->threads, j->p->bodies, CHUNK, follow_chunk, &f);
}

static void weigh(const step_problem *p, double *weight)
{
    const size_t dim = (size_t)p->dim;
    for (size_t i = 0; i < p->contacts; i++)
        for (size_t k = 0; k < dim; k++)
            weight[dim * i + k] = 1 / contact_rho(p, i);
    if (p->extra != NULL)
        extra_weights(p, weight + dim * p->contacts);
}

static void start_momentum(const solve_job *j, walk *w, double *room, size_t n)
{
    w->go_ahead = go_by_momentum;
    w->u_before = room + sweep_momentum_room(n);
    parallel_for(j->threads, j->p->bodies, CHUNK, keep_chunk, &(follow){j->p, w->u_before, 0});
    sweep_momentum_place(&w->momentum, n, w->weight, room, j->threads);
    sweep_momentum_start(&w->momentum, j->p->S);
}

static void start_differences(const solve_job *j, walk *w, double *room, size_t n)
{
    w->go_ahead = go_by_differences;
    sweep_anderson_place(&w->ahead, n, w->weight, room, j->threads);
    sweep_anderson_start(&w->ahead, j->p->S);
}

static bool make_walk(const solve_job *j, walk *w)
{
    const step_problem *p = j->p;
    const size_t n = problem_unknowns(p);
    const bool many = p->contacts > SPARE_MAX;
    const size_t need =
        n + (many ? sweep_momentum_room(n) + freedoms_of(p) * p->bodies : sweep_anderson_room(n));
    double *room =
        p->spare != NULL && need <= SPARE_VECTORS * n ? p->spare : arena_push(j->memory, need, sizeof *room);
    if (room == NULL)
        return false;
    const int contacts = p->contacts < CONTACTS_MAX ? (int)p->contacts : CONTACTS_MAX;
    *w = (walk){.weight = room, .best = p->scratch};
    w->most = MOST + contacts / MORE_FOR;
    w->patience = PATIENCE + contacts / PATIENT_FOR;
    weigh(p, w->weight);
    (many ? start_momentum : start_differences)(j, w, room + n, n);
    return true;
}

// a look at what a sweep left; the best is kept; true: no more
static bool look(const solve_job *j, walk *w, size_t n, mo_solver_info *info)
{
    bool end = nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    bool honest = honest_since(j->p, j->sums, w->before);
    double now = honest ? info->certificate.residual : HUGE_VAL;
    w->waiting++;
    if (now < GAIN * w->mark) {
        w->mark = now;
        w->waiting = 0;
    }
    if (now < w->residual) {
        w->residual = now;
        memcpy(w->best, j->p->S, n * sizeof *w->best);
    }
    info->capped_time = job_late(j);
    return end || info->capped_time || job_stopped(j) || w->waiting >= w->patience;
}

void extrapolate(const solve_job *j, mo_solver_info *info)
{
    const size_t n = problem_unknowns(j->p);
    arena_mark mark = arena_here(j->memory);
    walk w;
    if (!make_walk(j, &w))
        return;
    w.residual = w.mark = info->certificate.residual;
    w.before = certificate_size(j->p, j->sums);
    memcpy(w.best, j->p->S, n * sizeof *w.best);
    const int most = least_int(w.most, j->settings->max_iter - info->iterations);
    for (int made = 0, looked = 0; made < most;) {
        nlgs_sweep(j->p, j->threads);
        made++;
        info->iterations++;
        info->extrapolated++;
        const bool last = made == most;
        w.looked = made - looked >= LOOK || last;
        if (w.looked) {
            looked = made;
            if (look(j, &w, n, info))
                break;
        }
        if (!last)
            w.go_ahead(j, &w);
    }
    memcpy(j->p->S, w.best, n * sizeof *w.best);
    nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    arena_back(j->memory, mark);
}
