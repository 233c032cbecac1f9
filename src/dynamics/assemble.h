/*
 * Pieces of assemble: one contact or body of the step problem, in 2D and 3D.
 *
 * A contact with a boundary is written for its dynamic body.  In 2D turning both n and t around leaves U and
 * S as they are; in 3D the second tangent n x t stays where it is, so that the third components change sign.
 */
#ifndef DYNAMICS_ASSEMBLE_H
#define DYNAMICS_ASSEMBLE_H

#include "dynamics/special.h"
#include "problem/apply.h"

/* Row d->row[i] of the problem from contact i and its law; the velocities are filled.  In 3D what follows
   from the row itself is left to prepare_rows3, for at most ROWS3 contacts [begin, end) at a time. */
void fill_row2(const bodies *b, const mo_law *law, const contact_set *c, size_t i, const stage_data *d);
void fill_row3(const bodies *b, const mo_law *law, const contact_set *c, size_t i, const stage_data *d);
void prepare_rows3(const stage_data *d, size_t begin, size_t end);

/*
 * Round bodies (dynamics/assemble_round.c): whether all contacts are those of bodies that are touched along
 * their radii and move freely, with Coulomb's law and one friction; whether boundaries or laws shift U_T of
 * any; 1/I of a ball, 0 where it does not turn.
 */
bool all_round(const bodies *b, const law_table *laws, const contact_set *c);
bool has_slip(const bodies *b, const law_table *laws, const stage_data *d);
/* Rows of the contacts [begin, end), with their impulses. */
void fill_round(const bodies *b, const law_table *laws, const contact_set *c, const stage_data *d,
                size_t begin, size_t end);

/* With a cell under stresses: p->cell, once the rows are filled (dynamics/cell.c).  false: no memory. */
bool cell_assemble(const bodies *b, const contact_set *c, arena *a, stage_data *d);

/* u_free and A⁻¹ at q_mid of all bodies into the problem. */
void fill_velocities(const bodies *b, const stage_data *d, pool *threads);

/* Velocity of a body before loads and contacts act; a boundary's at mid step. */
static inline const double *start_velocity(const bodies *b, const stage_data *d, uint32_t slot)
{
    return is_dynamic(b, slot) ? &d->u_start[b->nu * slot] : &d->u_free[b->nu * slot];
}

/* Whether contact i stands in the problem as seen from its second body. */
static inline bool is_turned(const bodies *b, const contact_set *c, size_t i)
{
    return !is_dynamic(b, c->slot1[i]);
}

/* Whether contact i may be open although it is in the list. */
static inline bool is_held(const stage_data *d, const mo_law *law, const contact_set *c, size_t i)
{
    return d->hold || (d->special != NULL && glue_of(law, c->memory, i) < 0);
}

/* Status of an impulse under Coulomb's law. */
static inline mo_contact_status cone_status(int dim, const double *S, double mu)
{
    if (!(S[0] > 0))
        return MO_CONTACT_OPEN;
    // at the edge of the cone up to rounding
    return tangential_size(dim, S) >= mu * S[0] * (1 - 1e-12) ? MO_CONTACT_SLIDE : MO_CONTACT_STICK;
}

/* Impulse between the axes of a contact and those of its row; in both directions. */
static inline void turn_impulse(size_t dim, bool turned, const double *from, double *to)
{
    to[0] = from[0];
    to[1] = from[1];
    if (dim == 3)
        to[2] = turned ? -from[2] : from[2];
}

#endif
