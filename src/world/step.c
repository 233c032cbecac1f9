/*
 * One step (M99 §8.3, MJ96 §4).  Read this file first, then each file it names, in order:
 *
 *   predict     dynamics/predict.c     q_mid = q_i + h/2 u_i,  u_free = u_i + h A⁻¹ F(t_mid)
 *   neighbours  collide/neighbours.c   pairs near each other, kept over several steps
 *   take        collide/contacts.c     impulses of the last step, out of the way of what is found now
 *   detect      collide/detect.c       J = {α : g_α(q_mid) <= contact_tolerance}
 *   recall      collide/contacts.c     impulses of the last step as a first guess
 *   sleep       dynamics/sleep.c       (optional) islands that rest are left out of what follows
 *   assemble    dynamics/assemble.c    U_α = G_α u + shift_α, contacts in the order of a sweep
 *   solve       solver/solve.c         S, u_f with Coulomb's law at every contact, and a certificate
 *   yield       dynamics/joint_impact.c  (rarely) joints that made contacts gain energy: solve again
 *   integrate   dynamics/integrate.c   q_f = q_mid + h/2 u_f, energies
 *   project     dynamics/project.c     (optional) overlaps removed
 *   settle      dynamics/joint_settle.c  drift of joints removed
 *
 * A periodic cell (world/cell_step.c) moves before predict and after integrate; where stresses hold it, its
 * rate is part of what is solved (problem/step_cell.c). Scheme bernicot-lefebvre (dynamics/ahead.c) takes the
 * same stages with g(t_f, q_i) and all near pairs.
 */
#include <math.h>

#include "collide/detect.h"
#include "core/fail.h"
#include "core/timer.h"
#include "dynamics/special.h"
#include "math/least.h"
#include "problem/certificate.h"
#include "solver/solve.h"
#include "world/world.h"

/* Deeper starts than this share of the smaller body's size are overlaps, not rounding. */
static const double OVERLAP_SHARE = 1e-6;

/* Position projection: what it leaves keeps contacts alive, and is far below 1e-3 of a radius.  A few sweeps
   each step are enough: what they leave, the next step takes up. */
static const project_settings PROJECTION = {.start = 2e-4, .target = 1e-4, .step = 0.5, .max_iter = 15};
static const project_settings RESOLUTION = {
    .start = 1e-9, .target = 0, .step = 0.5, .reach = 0.1, .rounds = 1000, .max_iter = 50};

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for the step");
}

// what decides whether a contact stays in the list
typedef struct stay {
    detect_view view;
    detect_reach reach;
    const law_table *laws;
    const uint8_t *group; /* of the bodies by slot */
    bool carried;         /* what carried an impulse stays */
} stay;

// whether glue has to be paid back before contact i may go
static bool is_glued(const stay *s, uint32_t slot1, uint32_t slot2, const double *memory, size_t i)
{
    if (!s->laws->gluey)
        return false;
    return glue_of(&s->laws->list[s->laws->pair[s->group[slot1]][s->group[slot2]]], memory, i) < 0;
}

// whether contact i of the last step stays although it is open
static bool stays(const contact_memory *last, size_t i, const void *data)
{
    const stay *s = data;
    bool carried = false;
    for (size_t k = 0; s->carried && k < last->dim; k++)
        carried |= last->S[last->dim * i + k] != 0;
    return carried || (last->remembers && is_glued(s, last->slot1[i], last->slot2[i], last->memory, i));
}

// after a step: whether contact i touches or has done something
static bool touches_or_carried(const contact_set *c, size_t i, const void *data)
{
    const stay *s = data;
    return (s->carried && c->S[c->dim * i] != 0) || is_glued(s, c->slot1[i], c->slot2[i], c->memory, i) ||
           c->gap[i] <= pair_reach(&s->view, c->slot1[i], c->slot2[i], &s->reach);
}

static stay staying(const mo_world *w, const stage_data *d, bool carried)
{
    return (stay){bodies_view(&w->bodies, d->q_mid), contact_reach(w->def.contact_tolerance), &w->laws,
                  w->bodies.group, carried};
}

// pairs near each other at q_mid; reach: of the scheme that needs all of them
static mo_status find_neighbours(mo_world *w, const stage_data *d, double reach, mo_error *err)
{
    const double t = seconds_now();
    const detect_view view = bodies_view(&w->bodies, d->q_mid);
    // the list knows how far bodies move, not how they grow, and was made for a smaller reach
    if (bodies_grow(&w->bodies) || d->ahead)
        w->neighbours.valid = false;
    const bool ok =
        neighbours_update(&w->neighbours, &view, d->h, d->ahead ? reach : d->reach, &w->arena, w->threads);
    w->seconds.detect += seconds_now() - t;
    return ok ? MO_OK : no_memory(err);
}

// at q_mid, what touches; reach: of the scheme that needs all near pairs; last: contacts of the last step
static mo_status detect_contacts(mo_world *w, stage_data *d, double reach, const contact_memory *last,
                                 const uint8_t *still, mo_error *err)
{
    // with position projection, contacts that carried an impulse are held although the projection may have
    // opened them
    d->hold = w->def.position_projection && !d->ahead;
    stay s = staying(w, d, d->hold);
    s.view.still = still;
    bool more = d->hold || (w->laws.gluey && !d->ahead);
    detect_reach wide = {.absolute = -1, .relative = HOLD_SHARE, .at_most = INFINITY};
    detect_reach all = {.absolute = reach}, within = d->ahead ? all : more ? wide : s.reach;
    const detect_hold hold = {s.reach, last, stays, &s};
    if (!detect(&w->neighbours, &s.view, within, more ? &hold : NULL, &w->contacts, &w->arena, w->threads))
        return no_memory(err);
    clear_normals(&w->bodies, &w->contacts);
    memory_recall(last, &w->contacts, w->threads);
    return still == NULL || sleep_take_back(&w->sleepers, &w->contacts) ? MO_OK : no_memory(err);
}

static void note_penetration(mo_world *w)
{
    if (w->def.scheme == MO_SCHEME_BERNICOT_LEFEBVRE)
        return; // gaps of another time than the positions: see drop_open
    const double least = least_of(w->contacts.gap, w->contacts.count), deepest = least < 0 ? -least : 0;
    w->totals.penetration = deepest;
    w->totals.max_penetration = fmax(w->totals.max_penetration, deepest);
}

static void note_solution(mo_world *w, const step_energy *e)
{
    mo_world_totals *t = &w->totals;
    w->solver.certificate.balance = e->balance;
    t->iterations_total += w->solver.iterations;
    t->contact_iterations_total +=
        (int64_t)sleep_problem(&w->sleepers, &w->contacts)->count * w->solver.iterations;
    t->unconverged_steps += w->solver.converged ? 0 : 1;
    // written so that NaN is kept
    if (!(w->solver.certificate.residual <= t->worst_residual))
        t->worst_residual = w->solver.certificate.residual;
    t->work_external += e->work;
    t->dissipated_friction += e->friction;
    t->dissipated_impact += e->impact;
}

static void note_gain(mo_world *w, const step_energy *e, double t_end)
{
    double gain = -(e->friction + e->impact);
    if (gain > w->largest_gain) {
        w->largest_gain = gain;
        w->gain_time = t_end;
    }
}

/* What the law is missed by, of what it is missed by without impulses, above which these are for nothing;
   steps of piles, silos and mills at tolerances up to 1e-3 stay below a tenth of it. */
static const double UNHELD = 0.5;

static double least_size(const bodies *b)
{
    double least = HUGE_VAL;
    for (size_t k = 0; k < b->count; k++)
        if (b->kind[k] == MO_BODY_DYNAMIC)
            least = fmin(least, b->size[k]);
    return least;
}

// in a press that leaves no room impulses grow until any miss is small beside them
static void note_unheld(mo_world *w, const stage_data *d)
{
    // q knows nothing of the loads of springs, motors and stresses of a cell
    const step_problem *p = &d->problem;
    if (p->contacts == 0 || p->extra != NULL || p->cell != NULL || !w->solver.converged)
        return;
    const solution_size z = certificate_size(p, d->sums);
    // with impulses no larger than that it is rounding: bodies that touch in free flight
    if (!(z.miss > UNHELD * z.q && z.S > 10 * z.q))
        return;
    w->unheld_time = w->unheld_steps > 0 ? w->unheld_time : d->t + d->h;
    w->unheld_steps++;
    w->unheld_share += d->h * w->solver.certificate.cone_violation_velocity / least_size(&w->bodies);
}

static void note_fast(mo_world *w, const stage_data *d)
{
    fast_pairs f = find_fast_pairs(&w->bodies, &w->neighbours, d->h, d->reach);
    if (f.count > 0 && w->totals.fast_bodies == 0) {
        w->fast_body1.id = w->bodies.id[f.slot1];
        w->fast_body2.id = w->bodies.id[f.slot2];
        w->fast_time = d->t;
    }
    w->totals.fast_bodies += f.count;
}

// how far a moved body goes in a step beyond twice what its velocities at the start, the middle and the end
// say
static double leap_of(const bodies *b, const stage_data *d, const body_functions *f)
{
    const double *q = &b->q[b->nq * f->slot], *u = &b->u[b->nu * f->slot], *mid = &d->u_free[b->nu * f->slot];
    double way2 = 0, start2 = 0, mid2 = 0, end2 = 0, far = 0;
    for (size_t k = 0; k < b->dim; k++) {
        way2 += (f->end.q[k] - q[k]) * (f->end.q[k] - q[k]);
        start2 += u[k] * u[k];
        mid2 += mid[k] * mid[k];
        end2 += f->end.u[k] * f->end.u[k];
        far = fmax(far, fmax(fabs(q[k]), fabs(f->end.q[k])));
    }
    const double told = 2 * d->h * (sqrt(start2) + sqrt(mid2) + sqrt(end2)), way = sqrt(way2);
    return way > told + 1e-12 * far ? way : 0;
}

// a motion made of steps has no velocity where it leaps: bodies on it would not be taken along
static void note_leaps(mo_world *w, const stage_data *d)
{
    const bodies *b = &w->bodies;
    for (size_t k = 0; k < b->function_count; k++) {
        const body_functions *f = &b->functions[k];
        const double leap = f->motion != NULL ? leap_of(b, d, f) : 0;
        if (leap > 0 && w->leap == 0) {
            w->leap_body.id = b->id[f->slot];
            w->leap_time = d->t + d->h;
        }
        w->leap = fmax(w->leap, leap);
    }
}

// moves bodies apart; there may be no room for that
static mo_status resolve(mo_world *w, stage_data *d, mo_error *err)
{
    double work = 0, depth = 0;
    uint32_t pair[2] = {0};
    const double before = world_energy(w);
    mo_status s = resolve_overlaps(&w->bodies, &w->neighbours, &RESOLUTION, d, &w->scratch, &w->arena,
                                   w->threads, &work, err);
    if (w->balanced)
        w->totals.work_external += world_energy(w) - before;
    if (s == MO_OK)
        s = deepest_overlap(&w->bodies, &w->neighbours, d, &w->scratch, &w->arena, &depth, pair, err);
    if (s == MO_OK && depth > 10 * RESOLUTION.start * fmin(w->bodies.size[pair[0]], w->bodies.size[pair[1]]))
        w->overlap_left = depth;
    return s;
}

mo_status world_treat_overlaps(mo_world *w, mo_error *err)
{
    stage_data d = world_stage(w);
    uint32_t pair[2];
    double depth;
    mo_status s = deepest_overlap(&w->bodies, &w->neighbours, &d, &w->scratch, &w->arena, &depth, pair, err);
    if (s != MO_OK)
        return s;
    if (depth > 0 && depth > OVERLAP_SHARE * fmin(w->bodies.size[pair[0]], w->bodies.size[pair[1]])) {
        // with a start that is refused nothing has begun
        if (w->def.overlap == MO_OVERLAP_REFUSE)
            return fail(err, MO_BAD_INPUT, "overlaps", "bodies %u and %u overlap by %.3g m at the start",
                        (unsigned)w->bodies.id[pair[0]], (unsigned)w->bodies.id[pair[1]], depth);
        w->totals.start_overlap = depth;
        if (w->def.overlap == MO_OVERLAP_RESOLVE)
            s = resolve(w, &d, err);
    }
    return s;
}

void mo_world_begin(mo_world *w)
{
    if (w->started)
        return;
    w->totals.energy_initial = world_energy(w);
    w->totals.work_external = 0;
    w->balanced = true;
}

// before the first step: overlaps that the bodies start with, and the energy that balances refer to
static mo_status start(mo_world *w, mo_error *err)
{
    mo_status s = world_treat_overlaps(w, err);
    if (s != MO_OK)
        return s;
    // without projection nobody looks for overlaps again
    if (!w->def.position_projection)
        contacts_free(&w->scratch);
    if (!w->balanced)
        mo_world_begin(w);
    w->started = true;
    return MO_OK;
}

// with static friction: again for contacts that slide at it, with the kinetic one, until there are no more
static void solve_contacts(mo_world *w, stage_data *d)
{
    enum { ROUNDS = 50 };
    solve_step(&d->problem, &w->def.solver, w->threads, d->sums, &w->arena, &w->solver);
    for (int round = 0; w->laws.sticky && w->solver.finite && !w->solver.stopped && round < ROUNDS; round++) {
        if (release_sliding(sleep_problem(&w->sleepers, &w->contacts), d) == 0)
            return;
        int before = w->solver.iterations;
        solve_step(&d->problem, &w->def.solver, w->threads, d->sums, &w->arena, &w->solver);
        w->solver.iterations += before;
    }
}

static void solve_again(mo_world *w, stage_data *d)
{
    const int before = w->solver.iterations;
    solve_contacts(w, d);
    w->solver.iterations += before;
}

// detect, recall
static mo_status find_contacts(mo_world *w, stage_data *d, double reach, const contact_memory *last,
                               const uint8_t *still, mo_error *err)
{
    double t = seconds_now();
    mo_status s = detect_contacts(w, d, reach, last, still, err);
    if (s != MO_OK)
        return s;
    note_penetration(w);
    note_fast(w, d);
    note_leaps(w, d);
    w->seconds.detect += seconds_now() - t;
    return MO_OK;
}

// sleep, assemble, solve
static mo_status answer_contacts(mo_world *w, stage_data *d, mo_error *err)
{
    double t1 = seconds_now();
    // projection is to end before anything sleeps
    const double overlap = w->def.position_projection ? PROJECTION.start : HUGE_VAL;
    if (d->sleeping && !sleep_decide(&w->sleepers, &w->bodies, &w->laws, overlap, &w->contacts, d))
        return no_memory(err);
    mo_status s = assemble(&w->bodies, &w->laws, sleep_problem(&w->sleepers, &w->contacts), &w->arena, d,
                           w->threads, err);
    if (s != MO_OK)
        return s;
    double t2 = seconds_now();
    solve_contacts(w, d);
    bool changed = false;
    if (w->solver.finite && !w->solver.stopped)
        s = joints_yield(&w->bodies, &w->laws, sleep_problem(&w->sleepers, &w->contacts), d, &w->arena,
                         &changed, err);
    if (s != MO_OK)
        return s;
    if (changed)
        solve_again(w, d);
    w->seconds.assemble += t2 - t1;
    w->seconds.solve += seconds_now() - t2;
    return w->solver.stopped ? fail(err, MO_STOPPED, NULL, "stopped inside a step") : MO_OK;
}

// where steps may be stopped the contacts of the last one are set aside, so that it can be as if nothing had
// been
static void exchange_contacts(mo_world *w)
{
    contact_set now = w->contacts;
    w->contacts = w->aside;
    w->aside = now;
    w->contacts.dim = now.dim;
}

static bool take_memory(mo_world *w, contact_memory *last)
{
    if (!memory_take(last, &w->contacts, &w->arena, w->threads))
        return false;
    w->taken = true;
    if (w->def.solver.stop == NULL)
        return true;
    exchange_contacts(w);
    return contacts_remember(&w->contacts, w->aside.remembers);
}

// detect, recall, sleep, assemble, solve
static mo_status contact_stages(mo_world *w, stage_data *d, mo_error *err)
{
    arena_mark mark = arena_here(&w->arena);
    contact_memory last;
    const uint8_t *still = NULL;
    // first, since a new list needs room that the memory of contacts takes afterwards
    mo_status s = find_neighbours(w, d, 0, err);
    if (s != MO_OK)
        return s;
    // what was touched and is being taken away
    if (d->sleeping)
        sleep_disturb(&w->bodies, &w->contacts, d);
    if (d->sleeping && !sleep_set_aside(&w->sleepers, &w->bodies, &w->contacts, d, &still))
        return no_memory(err);
    if (!take_memory(w, &last))
        return no_memory(err);
    s = find_contacts(w, d, 0, &last, still, err);
    // what was remembered has served
    arena_back(&w->arena, mark);
    return s == MO_OK ? answer_contacts(w, d, err) : s;
}

// the same with every pair that could close; again with a larger reach in the rare case that some is missing
static mo_status contact_stages_ahead(mo_world *w, stage_data *d, mo_error *err)
{
    double reach = ahead_reach(&w->bodies, d);
    contact_memory last;
    if (!take_memory(w, &last))
        return no_memory(err);
    arena_mark mark = arena_here(&w->arena);
    mo_status s = MO_OK;
    for (int again = 0; again < 5 && s == MO_OK; again++, reach *= 4) {
        arena_back(&w->arena, mark);
        s = find_neighbours(w, d, reach, err);
        if (s == MO_OK)
            s = find_contacts(w, d, reach, &last, NULL, err);
        if (s == MO_OK)
            s = answer_contacts(w, d, err);
        if (s == MO_OK && !(w->solver.finite && ahead_missed(&w->bodies, d, reach)))
            break;
    }
    // with the answer as it was found: restitution makes more of it afterwards
    if (s == MO_OK && w->keep_problem)
        s = world_keep_problem(w, d, err);
    if (s == MO_OK)
        ahead_restitution(&w->laws, &w->contacts, d, w->threads);
    return s;
}

// drift of joints
/* What joints miss after they were settled is no rounding above this: a step that turns bodies so far that
   Newton's rule does not find back. */
static const double APART = 1e-3;

// after a step that looked ahead the overlap is known from before the joints moved anything
static mo_status note_settled(mo_world *w, const stage_data *d, mo_error *err)
{
    double depth;
    mo_status s = deepest_overlap(&w->bodies, &w->neighbours, d, &w->scratch, &w->arena, &depth, NULL, err);
    if (s != MO_OK)
        return s;
    w->totals.penetration = depth;
    w->totals.max_penetration = fmax(w->totals.max_penetration, depth);
    return MO_OK;
}

static mo_status settle_joints(mo_world *w, const stage_data *d, mo_error *err)
{
    step_energy e = {0};
    mo_status s = joints_settle(&w->bodies, &w->contacts, &w->sleepers, d, &w->arena, w->threads, &e, err);
    w->totals.work_external += e.work;
    w->totals.dissipated_impact += e.impact;
    if (s == MO_OK && d->ahead)
        s = note_settled(w, d, err);
    if (s == MO_OK && e.apart > APART) {
        w->totals.unconverged_steps += w->solver.converged ? 1 : 0;
        w->apart_time = w->joints_apart > 0 ? w->apart_time : d->t + d->h;
        w->joints_apart = fmax(w->joints_apart, e.apart);
    }
    return s;
}

// a motor that nothing bounds and a stop in its way: no velocity satisfies both
static void note_blocked(mo_world *w, const stage_data *d)
{
    if (w->solver.converged || w->blocked_joint.id != 0)
        return;
    const size_t k = joints_blocked(d->joints, &w->bodies, d->h);
    if (k == SIZE_MAX)
        return;
    w->blocked_joint.id = d->joints->ids[k];
    w->blocked_time = d->t + d->h;
}

// after a step that looked ahead: pairs that neither touch nor pushed are no contacts
static void drop_open(mo_world *w, const stage_data *d, const step_energy *energy)
{
    stay s = staying(w, d, true);
    contacts_filter(&w->contacts, touches_or_carried, &s);
    w->totals.penetration = energy->depth;
    w->totals.max_penetration = fmax(w->totals.max_penetration, energy->depth);
}

static mo_status step_stages(mo_world *w, mo_error *err)
{
    stage_data d = world_stage(w);
    step_energy energy;
    double t0 = seconds_now();
    mo_status s = world_cell_begin(w, &d, err);
    if (s == MO_OK)
        s = predict(&w->bodies, &w->arena, w->threads, &d, err);
    if (s == MO_OK)
        s = world_cell_predict(w, &d, err);
    const arena_mark predicted = arena_here(&w->arena);
    double t1 = seconds_now();
    if (s != MO_OK)
        return s;
    s = d.ahead ? contact_stages_ahead(w, &d, err) : contact_stages(w, &d, err);
    if (s == MO_OK)
        world_cell_solved(w, &d);
    double t4 = seconds_now();
    if (s == MO_OK && w->keep_problem && !d.ahead)
        s = world_keep_problem(w, &d, err);
    if (s == MO_OK)
        s = integrate(&w->bodies, sleep_problem(&w->sleepers, &w->contacts), &d, &w->arena, w->threads,
                      &energy, err);
    if (s != MO_OK)
        return s;
    sleep_put_back(&w->sleepers, &w->contacts);
    world_cell_end(w, &d);
    if (w->def.position_projection && w->solver.finite && !d.ahead)
        s = project_positions(&w->bodies, &PROJECTION, &w->sleepers,
                              sleep_problem(&w->sleepers, &w->contacts), &d, &w->arena, w->threads,
                              &w->totals.work_external, err);
    if (d.ahead)
        drop_open(w, &d, &energy);
    note_solution(w, &energy);
    note_unheld(w, &d);
    // the step's problem has served; where contacts were found has not
    arena_back(&w->arena, predicted);
    if (s == MO_OK && d.joints != NULL && w->solver.finite)
        s = settle_joints(w, &d, err);
    if (s == MO_OK && d.joints != NULL)
        note_blocked(w, &d);
    world_cell_wrap(w, &d);
    if (s == MO_OK && d.sleeping)
        w->totals.dissipated_impact += sleep_count(&w->sleepers, &w->bodies, &d);
    if (s == MO_OK)
        note_gain(w, &energy, d.t + d.h);
    w->seconds.integrate += (t1 - t0) + (seconds_now() - t4);
    return s;
}

// after a step that failed or was stopped nothing of it counts
static void forget_step(mo_world *w, const mo_world_totals *before, const bodies_before *kept)
{
    w->totals = *before;
    bodies_put_back(&w->bodies, kept);
    w->sleepers.known = false;
    world_cell_back(w);
    if (!w->taken)
        return;
    if (w->def.solver.stop != NULL)
        exchange_contacts(w);
    else {
        w->contacts.count = 0; // those of the last step are gone, and these have no answer
        world_wake(w);
    }
}

mo_status mo_world_step(mo_world *w, mo_error *err)
{
    mo_status s = w->started ? MO_OK : start(w, err);
    arena_reset(&w->arena);
    if (s != MO_OK)
        return s;
    const mo_world_totals before = w->totals;
    bodies_before kept;
    if (!bodies_keep(&w->bodies, w->def.sleeping, &w->arena, &kept))
        return no_memory(err);
    w->taken = false;
    s = step_stages(w, err);
    if (s == MO_OK)
        w->totals.steps++;
    else
        forget_step(w, &before, &kept);
    arena_reset(&w->arena);
    return s;
}
