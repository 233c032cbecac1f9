/*
 * What a step problem has beside contacts (docs/theory/joints.md):
 *
 *   joints     rows with equality, eliminated (problem/joined.h)
 *   boxes      single rows, low <= T <= high, U = G u + shift:  U < 0 only at T = high, U > 0 only at T =
 * low: motors with a largest load, stops of angles and lengths turns      moments R at contacts that resist
 * rolling and spinning: |R| <= length S_N, against the relative spin Ω; in 2D one number, in 3D (about n;
 * about t, about n×t)
 *
 * T of the boxes and R stand behind the contacts' impulses in p->S: S [dim contacts], R [turns contacts],
 * T [boxes].
 */
#ifndef PROBLEM_EXTRA_H
#define PROBLEM_EXTRA_H

#include "problem/joined.h"

typedef struct box_row {
    uint32_t body[2]; /* NO_BODY: nothing there that is moved by impulses */
    uint32_t response;
    double G[2][6], GA[2][6];
    double shift, low, high;
    double H; /* G A⁻¹ G*, joints felt */
} box_row;

typedef struct step_extra {
    joined *joints; /* NULL: none */
    /* what joints make of the impulses of contacts and boxes; 0 responses: they are not felt within a sweep,
       and corrected after it */
    response *response; /* [responses] */
    size_t responses;
    uint32_t *felt_by; /* [contacts] number of the contact's response; NULL: none has any */

    size_t turns;        /* 0, 1 or 3: numbers in R of a contact */
    double (*length)[2]; /* [contacts] of rolling and spinning, m */
    double *R;           /* [turns contacts] N m s */
    double *turn_shift;  /* [turns contacts] rad/s: what boundaries give */
    double (*J)[6];      /* [contacts] Ω per R, joints felt; 2D: one number; 3D: nn, nt, ns, tt, ts, ss */

    size_t boxes;
    box_row *box; /* [boxes] */
    double *T;    /* [boxes] N s or N m s */
} step_extra;

#define NO_RESPONSE UINT32_MAX

/* Numbers in p->S: those of contacts, then R and T. */
static inline size_t problem_unknowns(const step_problem *p)
{
    size_t n = (size_t)p->dim * p->contacts;
    return p->extra == NULL ? n : n + p->extra->turns * p->contacts + p->extra->boxes;
}

/* Adds Z [dim][dim], what joints make of the impulses of contact i at it, to the contact's block. */
typedef void contact_feels(step_problem *p, size_t i, double (*Z)[6]);

/* H, J and GA from the data, joints factored and their responses found.  false: no memory. */
bool extra_prepare(step_problem *p, contact_feels *feels, arena *a);

/* Adds A⁻¹ G* of R and T to the velocities, then what holds the joints. */
void extra_apply(const step_problem *p);

/* Relative miss of joints, boxes and turns with velocities that belong to S: unit-free. */
double extra_residual(const step_problem *p);

/* U of box k; Ω of contact i, [turns]. */
double box_velocity(const step_problem *p, size_t k);
void turn_velocity(const step_problem *p, size_t i, double *out);
/* Velocities that a change of T, of R gives; joints felt where there are responses. */
void box_push(const step_problem *p, size_t k, double change);
void turn_push(const step_problem *p, size_t i, const double *change);

/* What R of contact i becomes from b = Ω - J R: |R| <= length S_N. */
void turn_solve(const step_problem *p, size_t i, const double *Omega, const double *R, double *out);

/* Weights of the unknowns behind S, for methods that measure changes: lambda_max of each block. */
void extra_weights(const step_problem *p, double *weight);

#endif
