/*
 * Isotropic compression of balls between rigid walls without gravity, in a world of its own.
 *
 * Units: the mean diameter, its cube (square) and the pressure are 1.  Walls at 0 stay, those at `box` are
 * pistons that the pressure pushes.  Rigid balls at rest do not depend on density, pressure or time, so
 * bodies stand still at the start of every step: the scheme of Bernicot and Lefebvre (docs/theory/contact.md
 * §7) then goes down with pressure times volume in balls that do not overlap, by at most REACH a step.
 */
#ifndef SCENE_PRESS_H
#define SCENE_PRESS_H

#include <moreau/world.h>

typedef struct press {
    size_t dim, count;
    const double *radius; /* [count] */
    double *centre;       /* [dim count], in and out */
    double box[3];        /* in and out */
    int threads;
    bool (*stop)(void *data);
    void *stop_data;

    mo_world *world;  /* of the stage that runs, NULL: none */
    double h, tol;    /* of this stage */
    mo_body *body;    /* [count + 2 dim]: balls, then walls that stay, then pistons */
    uint8_t *touched; /* [count], scratch */

    /* what was found */
    int64_t steps;
    double moved;    /* farthest that anything went in the last step */
    double load[3];  /* on the pistons over their area */
    size_t contacts; /* that push */
    size_t loaded;   /* balls with such a contact */
    size_t ends;     /* how often a ball is one of the two of such a contact */
} press;

/* One stage begins: friction between balls, tolerance of the solver. */
mo_status press_begin(press *p, double friction, mo_solver_name solver, double tol, mo_error *err);
mo_status press_step(press *p, mo_error *err);
/* Takes centres, box and findings over and ends the stage. */
void press_end(press *p);

#endif
