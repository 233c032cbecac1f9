#include "solver/world_extrapolate.h"

#include <math.h>
#include <string.h>

#include "problem/apply.h"
#include "problem/certificate.h"
#include "problem/extra.h"
#include "solver/nlgs.h"
#include "solver/sweep_anderson.h"

/* Contacts from which on the differences of extrapolations fit no cache. */
enum { FAR = 4096 };

/*
 * LOOK: sweeps between two looks.  MOST: sweeps altogether, and one more for every so many contacts: what
 * comes after it is dearer the more there are.  PATIENCE: looks without a residual that is GAIN of the best
 * one, likewise.
 */
enum { LOOK = 8, MOST = 400, MORE_FOR = 4, PATIENCE = 6, PATIENT_FOR = 200, CONTACTS_MAX = 20000 };
static const double GAIN = 0.7;

typedef struct walk {
    sweep_anderson ahead;
    double *weight;       /* [n] lambda_max of the contact's block */
    double *best;         /* [n] */
    double residual;      /* of best */
    solution_size before; /* at the start */
    int waiting;          /* looks since it fell to GAIN of what it was */
    int sweeps;           /* between two extrapolations */
    int most, patience;
} walk;

static bool make_walk(const solve_job *j, walk *w)
{
    const step_problem *p = j->p;
    const size_t dim = (size_t)p->dim, n = problem_unknowns(p);
    const sweep_rhythm r = sweep_rhythm_of(p->contacts >= FAR);
    const size_t need = n + sweep_anderson_room(n, r.depth);
    double *room =
        p->spare != NULL && need <= SPARE_VECTORS * n ? p->spare : arena_push(j->memory, need, sizeof *room);
    if (room == NULL)
        return false;
    int contacts = p->contacts < CONTACTS_MAX ? (int)p->contacts : CONTACTS_MAX;
    *w = (walk){.weight = room, .best = p->scratch, .sweeps = r.sweeps};
    w->most = MOST + contacts / MORE_FOR;
    w->patience = PATIENCE + contacts / PATIENT_FOR;
    for (size_t i = 0; i < p->contacts; i++)
        for (size_t k = 0; k < dim; k++)
            w->weight[dim * i + k] = 1 / contact_rho(p, i);
    if (p->extra != NULL)
        extra_weights(p, w->weight + dim * p->contacts);
    sweep_anderson_place(&w->ahead, n, r.depth, w->weight, room + n, j->threads);
    sweep_anderson_start(&w->ahead, p->S);
    return true;
}

// a look at what a sweep left; the best is kept; true: no more
static bool look(const solve_job *j, walk *w, size_t n, mo_solver_info *info)
{
    bool end = nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    bool honest = honest_since(j->p, j->sums, w->before);
    double now = honest ? info->certificate.residual : HUGE_VAL;
    w->waiting = now < GAIN * w->residual ? 0 : w->waiting + 1;
    if (now < w->residual) {
        w->residual = now;
        memcpy(w->best, j->p->S, n * sizeof *w->best);
    }
    info->capped_time = job_late(j);
    return end || info->capped_time || job_stopped(j) || w->waiting >= w->patience;
}

// extrapolates what a sweep left
static void go_ahead(const solve_job *j, walk *w)
{
    const double change = sqrt(sweep_anderson_take(&w->ahead, j->p->S));
    if (!sweep_anderson_trusts(&w->ahead, change, j->p->S))
        return;
    sweep_anderson_next(&w->ahead, j->p->S);
    refresh_velocities(j->p, j->threads);
}

void extrapolate(const solve_job *j, mo_solver_info *info)
{
    const size_t n = problem_unknowns(j->p);
    arena_mark mark = arena_here(j->memory);
    walk w;
    if (!make_walk(j, &w))
        return;
    w.residual = info->certificate.residual;
    w.before = certificate_size(j->p, j->sums);
    memcpy(w.best, j->p->S, n * sizeof *w.best);
    const int most = least_int(w.most, j->settings->max_iter - info->iterations);
    for (int made = 0, looked = 0; made < most;) {
        const int now = least_int(w.sweeps, most - made);
        for (int k = 0; k < now; k++)
            nlgs_sweep(j->p, j->threads);
        made += now;
        info->iterations += now;
        info->extrapolated += now;
        const bool last = made == most;
        if (made - looked >= LOOK || last) {
            looked = made;
            if (look(j, &w, n, info))
                break;
        }
        if (!last)
            go_ahead(j, &w);
    }
    memcpy(j->p->S, w.best, n * sizeof *w.best);
    nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    arena_back(j->memory, mark);
}
