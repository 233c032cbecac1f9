/*
 * Pieces of integrate.
 */
#ifndef DYNAMICS_INTEGRATE_H
#define DYNAMICS_INTEGRATE_H

#include "dynamics/assemble.h"

/* squares of A(u_F - u_I) - h F - G* S and of its terms in the norm of A⁻¹ */
typedef struct imbalance {
    double error, size;
} imbalance;

typedef struct finish {
    bodies *b;
    contact_set *c;
    const stage_data *d;
    double *u_f;   /* [nu bodies] velocities at the end of the step */
    double *shove; /* [window][SHOVE contacts of a chunk] what chunks under way do to their bodies */
    size_t window;
    step_energy *sum;   /* [chunks] */
    imbalance *balance; /* [chunks] of bodies */
    bool plain;         /* nothing but Coulomb's law and boundaries that rest: what finish_round is for */
} finish;

/*
 * What a contact does to its bodies: the impulse P on the first in world axes, its torque about the first
 * one's centre, that of -P about the second one's.
 */
enum { SHOVE2 = 4, SHOVE3 = 9, SHOVE_MAX = 9 };

static inline size_t shove_numbers(size_t dim)
{
    return dim == 2 ? SHOVE2 : SHOVE3;
}

/* What contact i does to its bodies with its impulse S, added to sums, [nu bodies], N s and N m s. */
void add_impulse(const contact_set *c, size_t i, const double *q_mid, double *sums);

/* contacts that are done together */
enum { FINISH_BLOCK = 32 };

/* Velocity of a body at the start; a boundary moves on as it does. */
static inline const double *velocity_before(const finish *f, uint32_t slot, size_t nu)
{
    return is_dynamic(f->b, slot) ? &f->d->u_start[nu * slot] : &f->u_f[nu * slot];
}

#endif
