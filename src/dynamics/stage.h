/*
 * The stages of one step between which data flow through `stage_data`; world/step.c calls them in this order:
 *
 *   predict   q, u, forces          -> q_mid, u_free
 *   (detect)  q_mid                 -> contacts
 *   assemble  u_free, contacts      -> the step problem, in colour order
 *   (solve)   problem               -> S, velocities
 *   integrate velocities, S         -> u, q, contact velocities, forces, energies
 *
 * Symbols: h step; u_i, u_f velocities at its ends; q_mid = q_i + h/2 u_i; G, A, S, U as in
 * problem/step_problem.h; w velocity of boundaries at the middle of the step (M99 (26)).
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

typedef struct stage_data {
    double h, t, t_next; /* s; step, time at its start and at its end */
    double theta;        /* 1/2 for the midpoint scheme */
    double gravity[2];   /* m/s² */
    double reach;        /* m, largest gap that counts as contact */
    bool hold;           /* contacts in the list may be open: g + h U_N >= 0 there */
    double *q_mid;       /* [3 bodies] from predict */

    double *u_free;  /* [3 bodies] from predict; for boundaries their velocity at mid step */
    double *applied; /* [3 bodies] loads at mid step, without gravity */
    uint32_t *row;   /* [contacts] where contact i stands in the problem; from assemble */
    double *sums;    /* scratch for certificates */
    step_problem problem;
} stage_data;

/* Loss and work of one step. */
typedef struct step_energy {
    double work, friction, impact; /* J */
    double balance;                /* relative momentum balance, see mo_certificate */
} step_energy;

/* Allocates q_mid and u_free in the arena and fills them, and applied. Callbacks may fail. */
mo_status predict(bodies *b, arena *a, stage_data *d, mo_error *err);

/* The view for detection at the given positions. */
detect_view bodies_view(const bodies *b, const double *q);

/* Builds the step problem from the contacts; S of the contacts is the guess. MO_NO_MEMORY only. */
mo_status assemble(const bodies *b, const law_table *laws, contact_set *c, arena *a, stage_data *d,
                   mo_error *err);

/*
 * Puts every contact into a colour: order[i] is the place of contact i, ranges and counts go to p.  See
 * step_problem.h. false: no memory.
 */
bool colour_contacts(const bodies *b, const contact_set *c, arena *a, step_problem *p, uint32_t *order);

/* Takes the answer back to bodies and contacts and moves the bodies to the end of the step. */
void integrate(bodies *b, contact_set *c, const stage_data *d, step_energy *out);

/* Where positions may be pushed apart to. */
typedef struct project_settings {
    double start;  /* overlaps deeper than this share of the smaller body's size are pushed back ... */
    double target; /* ... to this share */
    double step;   /* share of an overlap that one round removes: what is pushed apart must not be pushed into
                      others */
    double reach;  /* contacts open by up to this share of the smaller body's size hold against it */
    int rounds;    /* detections and solves at most */
    int max_iter;  /* sweeps per solve */
} project_settings;

/*
 * Removes overlaps bit by bit: the least displacement in the kinetic metric with g + G_N Δq >= -max(target,
 * (1 - step) depth) for all near contacts.  Velocities stay as they are.  work: change of potential
 * energy, J. Uses c as scratch.
 */
mo_status project_positions(bodies *b, neighbours *n, const project_settings *settings, const stage_data *d,
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

/* -d/dt of the two radii at contact i: the part of U_N that no body's velocity gives, m/s. */
static inline double radius_rate(const bodies *b, const contact_set *c, size_t i)
{
    if (b->function_count == 0)
        return 0;
    const body_functions *f1 = bodies_functions(b, c->slot1[i]), *f2 = bodies_functions(b, c->slot2[i]);
    return -((f1 != NULL ? f1->rate : 0) + (f2 != NULL ? f2->rate : 0));
}

static inline bool is_dynamic(const bodies *b, uint32_t slot)
{
    return b->kind[slot] == MO_BODY_DYNAMIC;
}

#endif
