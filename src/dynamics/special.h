/*
 * Laws beyond Coulomb's with one friction, in a step (docs/theory/laws.md): what they change in the problem
 * that assemble makes, and in what integrate takes back.
 *
 * Cohesion c and glue gamma: S' = S + pull n, pull = h c - gamma, obeys the law.  The problem is solved for
 * S', with u_free less what the pulls of all contacts give.
 * Friction mu along t and ratio mu across: the rows are n, t and ratio n×t, for which it is Coulomb's law.
 * Static friction: mu of a row is the static one unless the contact slid in the last step.
 */
#ifndef DYNAMICS_SPECIAL_H
#define DYNAMICS_SPECIAL_H

#include "dynamics/stage.h"

/* What glues contact i: its memory if the law is gluey, <= 0, N s. */
static inline double glue_of(const mo_law *law, const double *memory, size_t i)
{
    return law->gluey && memory[i] < 0 ? memory[i] : 0;
}

/* Room for what such laws need in the step; false: no memory. */
bool special_push(const contact_set *c, arena *a, stage_data *d);

/* mu along the first tangent of a contact's row; slid: it slid in the last step, or has begun to. */
double special_mu(const mo_law *law, bool slid);

/* First tangent t of contact i for a law that is turned; returns ratio, in [0, 1]. */
double special_tangent(const bodies *b, const mo_law *law, const contact_set *c, size_t i,
                       const double *q_mid, double t[3]);

/* After the row of contact i has been filled: its law, pull and guess. */
void special_row(const bodies *b, const contact_set *c, size_t i, stage_data *d);

/* After all rows: takes the pulls out of the free velocities. */
void special_free(const bodies *b, const contact_set *c, stage_data *d);

/* S, status and memory of contact i from the answer. */
void special_finish(const bodies *b, contact_set *c, size_t i, const stage_data *d);

#endif
