/*
 * The stages of one step between which data flow through `stage_data`; world/step.c calls them in this order:
 *
 *   predict   q, u, forces          -> q_mid, u_free
 *   (detect)  q_mid                 -> contacts
 *   assemble  u_free, contacts      -> the step problem, in the order of a sweep
 *   (solve)   problem               -> S, velocities
 *   integrate velocities, S         -> u, q, contact velocities, forces, energies
 *
 * Symbols: h step; u_i, u_f velocities at its ends; q_mid = q_i + h/2 u_i; G, A, S, U as in
 * problem/step_problem.h; w velocity of boundaries at the middle of the step (M99 (26)).
 *
 * In 3D the halves of the step are free motions: the centre moves on, the body turns as it does without
 * torques (dynamics/rotate.h).  Between them, at the orientation of q_mid, loads and contacts change the
 * velocities, in world axes.  With the spins of the free halves left out this is the scheme in 2D.
 */
#ifndef DYNAMICS_STAGE_H
#define DYNAMICS_STAGE_H

#include "collide/contacts.h"
#include "collide/neighbours.h"
#include "core/arena.h"
#include "core/parallel.h"
#include "dynamics/bodies.h"
#include "dynamics/laws.h"
#include "problem/step_problem.h"

/* The order of the contacts of the last problem, and what it follows from. */
typedef struct kept_order {
    bool valid;
    size_t contacts, bodies;
    int owners;
    uint32_t *slot1, *slot2; /* [contacts] */
    uint8_t *kind;           /* [bodies] */
    uint32_t *row;           /* [contacts] */
    contact_block *block;    /* [blocks] */
    block_wave *wave;        /* [waves] */
    size_t blocks, waves;
    size_t contact_capacity, body_capacity, block_capacity;
} kept_order;

typedef struct stage_data {
    double h, t, t_next; /* s; step, time at its start and at its end */
    double theta;        /* 1/2 for the midpoint scheme */
    double gravity[3];   /* m/s² */
    double reach;        /* m, largest gap that counts as contact */
    int threads;         /* that will solve; 0 stands for 1 */
    bool hold;           /* contacts in the list may be open: g + h U_N >= 0 there */
    bool ahead;    /* bernicot-lefebvre: gaps are those of g(t_f, q_i), and g + h G_N u >= 0 everywhere */
    bool sleeping; /* bodies that rest keep their bits (dynamics/sleep.h) */
    double *q_mid; /* [nq bodies] from predict */

    const struct cell_motion *cell; /* the cell deforms; NULL: it does not, or there is none */

    const double *u_start; /* [nu bodies] from predict: velocities before loads and contacts act, spins in
                              world axes; u_i itself where no spin changes */
    double *u_free;        /* [nu bodies] from predict; likewise; for boundaries their velocity at mid step */
    double *applied; /* [nu bodies] loads at mid step, without gravity, world axes; NULL: none (body_load) */
    kept_order *order;  /* that of the last problem */
    uint32_t *row;      /* [contacts] where contact i stands in the problem; from assemble */
    double *sums;       /* scratch for certificates */
    const double *kept; /* [nu bodies] N s, N m s: of contacts that are not in the problem; NULL: none */

    /* from assemble, for laws beyond Coulomb's with one friction (dynamics/special.h) */
    const law_table *special; /* the laws, where there are such; NULL: nothing of what follows is needed */
    double *pull;             /* [contacts] N s: S + pull n obeys the law */
    double *u_pulled;         /* [nu bodies] u_free less what the pulls give */
    row_law *laws;            /* [contacts] in the order of the problem; NULL: all are Coulomb's */
    struct joints *joints;    /* dynamics/joints.h; NULL: none */
    step_problem problem;
} stage_data;

/*
 * A cell that deforms (docs/theory/periodic.md): velocities of bodies are those beside the flow L x, so that
 * bodies 1 and 2 of a contact, l apart, have the velocity L l to each other before any of their own.
 */
typedef struct cell_motion {
    double
        before[9];   /* L at the start of the step, by rows, 1/s; components that are given: as at mid step */
    double after[9]; /* at its end; that of components under a stress is found by the solver */
    double half[9];  /* (1 - h/2 L)⁻¹, L before */
    double work;     /* J, of the flow on the bodies' own velocities in the first half of the step */
    bool by_stress[9], some_stress; /* components of L under a stress; whether there are any */
    double free[9];                 /* of these, at the end of the step without contacts */
    double inv_mass;                /* 1/(kg m²), of L */
} cell_motion;

static inline bool is_dynamic(const bodies *b, uint32_t slot)
{
    return b->kind[slot] == MO_BODY_DYNAMIC;
}

/*
 * l: from the centre of body 2 of contact i, in its image, to that of body 1.  Boundaries in a cell that
 * deforms are planes, which stretch with it: their part ends at the contact.
 */
static inline void contact_branch(const bodies *b, const contact_set *c, size_t i, const stage_data *d,
                                  double *l)
{
    const bool one = is_dynamic(b, c->slot1[i]), two = is_dynamic(b, c->slot2[i]);
    const double *x1 = &d->q_mid[b->nq * c->slot1[i]], *x2 = &d->q_mid[b->nq * c->slot2[i]],
                 *x = &c->point[b->dim * i];
    for (size_t k = 0; k < b->dim; k++)
        l[k] = (one ? x1[k] : x[k]) - (two ? x2[k] + c->image[b->dim * i + k] : x[k]);
}

/* Rows of a problem are those of the dynamic body where body 1 is a boundary. */
static inline double row_sign(const bodies *b, const contact_set *c, size_t i)
{
    return is_dynamic(b, c->slot1[i]) ? 1 : -1;
}

/* Adds sign L l to the relative velocity V of contact i; L: before or after. */
static inline void add_flow(const bodies *b, const contact_set *c, size_t i, const stage_data *d,
                            const double L[9], double sign, double *V)
{
    double l[3] = {0, 0, 0}, flow[3];
    contact_branch(b, c, i, d, l);
    cell_apply(L, l, b->dim, flow);
    for (size_t k = 0; k < b->dim; k++)
        V[k] += sign * flow[k];
}

/*
 * bernicot-lefebvre (dynamics/ahead.c): the gap up to which pairs must be in the list so that none can close
 * with velocities of up to twice those of u_free, m.
 */
double ahead_reach(const bodies *b, const stage_data *d);
/* Whether with the velocities found a pair beyond the reach could have closed. */
bool ahead_missed(const bodies *b, const stage_data *d, double reach);
/* The impulses of the projection times 1 + restitution, and the velocities they give. */
void ahead_restitution(const law_table *laws, const contact_set *c, stage_data *d, pool *threads);

/* Loss and work of one step. */
typedef struct step_energy {
    double work, friction, impact; /* J */
    double balance;                /* relative momentum balance, see mo_certificate */
    double depth; /* m, deepest overlap that the contacts leave at the end; only when ahead */
    double apart; /* worst that joints still miss after they were settled, of their reach or in rad */
} step_energy;

/* Allocates q_mid and u_free in the arena and fills them, and applied. Callbacks may fail. */
mo_status predict(bodies *b, arena *a, pool *threads, stage_data *d, mo_error *err);

/* The view for detection at the given positions. */
detect_view bodies_view(const bodies *b, const double *q);

/* Takes from normals of bodies that keep some freedoms only what rounding leaves of them along an axis. */
void clear_normals(const bodies *b, contact_set *c);

/* Builds the step problem from the contacts; S of the contacts is the guess. MO_NO_MEMORY only. */
mo_status assemble(const bodies *b, const law_table *laws, contact_set *c, arena *a, stage_data *d,
                   pool *threads, mo_error *err);

/*
 * Gives every contact its row, order[i]; blocks and waves go to p.  See
 * step_problem.h. false: no memory.
 */
bool order_contacts(const bodies *b, const contact_set *c, arena *a, step_problem *p, uint32_t *order);
/* The same into k->row and p, unless k has it from the last time.  false: no memory. */
bool keep_order(kept_order *k, const bodies *b, const contact_set *c, arena *a, step_problem *p);
void order_free(kept_order *k);
size_t order_bytes(const kept_order *k);

/*
 * Takes the answer back to bodies and contacts and moves the bodies to the end of the step.  MO_NO_MEMORY
 * only, and then nothing has moved.
 */
mo_status integrate(bodies *b, contact_set *c, const stage_data *d, arena *a, pool *threads, step_energy *out,
                    mo_error *err);

/*
 * Static friction: contacts that the answer lets slide at it get the kinetic one, for the rest of the step.
 * Their number; when it is not 0 the problem is to be solved again.
 */
size_t release_sliding(contact_set *c, stage_data *d);

/* Moves a dynamic body by (x, angle), in 3D by (x, rotation vector in world axes). */
void displace_body(bodies *b, size_t slot, const double *by);

struct sleepers; /* dynamics/sleep.h */

/* Where positions may be pushed apart to. */
typedef struct project_settings {
    double start;  /* where an overlap is deeper than this share of the smaller body's size all are pushed
                      back ... */
    double target; /* ... to this share */
    double step;   /* share of an overlap that one round removes: what is pushed apart must not be pushed into
                      others */
    double reach;  /* contacts open by up to this share of the smaller body's size hold against it */
    int rounds;    /* detections at most */
    int max_iter;  /* sweeps of a round */
} project_settings;

/*
 * Removes overlaps bit by bit: the least displacement in the kinetic metric with g + G_N Δq >= -max(target,
 * (1 - step) depth) for all contacts.  Velocities stay as they are.  work: change of potential energy, J.
 *
 * project_positions: after integrate, whose answer in d->problem is lost; c: the contacts of the problem.
 * Those who sleep stay where they are.
 * resolve_overlaps: at q, with contacts of its own, up to rounds times.  Uses c as scratch.
 */
mo_status project_positions(bodies *b, const project_settings *settings, const struct sleepers *sleep,
                            const contact_set *c, stage_data *d, arena *a, pool *threads, double *work,
                            mo_error *err);
mo_status resolve_overlaps(bodies *b, neighbours *n, const project_settings *settings, const stage_data *d,
                           contact_set *c, arena *a, pool *threads, double *work, mo_error *err);

/* Deepest overlap at positions q; pair: the contact's slots (may be NULL). Uses c as scratch. */
mo_status deepest_overlap(const bodies *b, neighbours *n, const stage_data *d, contact_set *c, arena *a,
                          double *depth, uint32_t pair[2], mo_error *err);

/* Bodies that could pass through each other in this step. */
typedef struct fast_pairs {
    int64_t count;
    uint32_t slot1, slot2; /* the first pair */
} fast_pairs;

/* Looks at the neighbour pairs at the start of a step; ways below reach do not count. */
fast_pairs find_fast_pairs(const bodies *b, const neighbours *n, double h, double reach);

/*
 * The part of the shift of contact i's normal that is known beforehand: w is what neither body's unknown
 * velocity gives, U_I the velocity before loads and contacts act.  hold: the contact may be open, and must
 * not overlap.  With gaps taken at the end's time w is in them.
 */
static inline double normal_shift(const stage_data *d, bool hold, double gap, double w, double restitution,
                                  double U_I)
{
    if (d->ahead)
        return gap / d->h;
    return w + restitution * U_I + (hold && gap > 0 ? gap / d->h : 0);
}

/* -d/dt of the two radii at contact i: the part of U_N that no body's velocity gives, m/s. */
static inline double radius_rate(const bodies *b, const contact_set *c, size_t i)
{
    if (b->function_count == 0)
        return 0;
    const body_functions *f1 = bodies_functions(b, c->slot1[i]), *f2 = bodies_functions(b, c->slot2[i]);
    return -((f1 != NULL ? f1->rate : 0) + (f2 != NULL ? f2->rate : 0));
}

static inline bool turns(const double w[3])
{
    return w[0] != 0 || w[1] != 0 || w[2] != 0;
}

#endif
