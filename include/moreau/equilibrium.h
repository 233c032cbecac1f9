/*
 * Equilibrium of a world at rest: contact forces S in Coulomb's cones with F + G* S = 0 at the present
 * positions, or a motion that proves that there are none (MJ96 end of §4).  Velocities are ignored,
 * boundaries and radii stand still, loads are those of the present time.  What counts as proof, and why
 * forces are not unique: docs/theory/equilibrium.md.
 */
#ifndef MOREAU_EQUILIBRIUM_H
#define MOREAU_EQUILIBRIUM_H

#include <moreau/base.h>
#include <moreau/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mo_equilibrium_outcome {
    MO_EQUILIBRIUM_POSSIBLE,  /* forces balance the loads */
    MO_EQUILIBRIUM_NONE,      /* velocity proves that no forces do */
    MO_EQUILIBRIUM_UNDECIDED, /* neither proof reached its tolerance */
} mo_equilibrium_outcome;

/* Coulomb's problem from rest, solved by `auto` with the world's tolerance: one solution of perhaps several.
 */
typedef struct mo_equilibrium_step {
    bool tried;      /* not when there is no equilibrium (then every solution moves) or above 2000
                        contacts (3D: 500) */
    bool solved;     /* both residuals of mo_problem_residual reached the tolerance */
    double residual; /* the larger one */
    double rate;     /* |acceleration| / |A^-1 F|, kinetic norm */
    bool moves;      /* rate > 1e-3, or there is no equilibrium */
} mo_equilibrium_step;

typedef struct mo_equilibrium {
    mo_equilibrium_outcome outcome;
    int dim;
    size_t bodies, contacts; /* dynamic bodies; contacts, in the order of mo_contacts */
    size_t groups;           /* of bodies that touch each other, each judged on its own */
    uint32_t *id1, *id2;     /* [contacts] bodies, id1 < id2 */
    double *point, *normal;  /* [dim contacts] m; unit, toward body 1 */
    double *gap;             /* [contacts] m */
    double *friction;        /* [contacts] */
    double *force;           /* [dim contacts] S_N, S_T (in 3D along mo_tangent, then across it) on body 1, N;
                                the best found when there is no balance */
    uint32_t *id;            /* [bodies] */
    double *velocity; /* [3 bodies] the mechanism: vx, vy (m/s), spin (rad/s); in 3D [6 bodies], the spin
                         in world axes.  The fastest point of all bodies has 1 m/s; 0 where the loads
                         can be balanced, and in equilibrium */
    double overlap;   /* m, of the deepest contact */
    double imbalance; /* part of the loads that no forces carry, in [0, 1], of the worst group */

    /* certificate, recomputed from positions and the answer */
    double balance;          /* |F + G* S| of a body over what acts on it, in A^-1, largest */
    double balance_force;    /* largest of a body, N */
    double balance_torque;   /* likewise, N m */
    double cone_violation;   /* largest distance of S to its cone, N */
    double power;            /* of the loads in the mechanism, W; 0 without one */
    double motion_violation; /* largest (mu |U_T| - U_N)+ of the mechanism, m/s */
    double force_bound;      /* the mechanism excludes forces with sum of S_N below this, N; HUGE_VAL: all */

    mo_equilibrium_step step;
} mo_equilibrium;

/*
 * MO_BAD_INPUT when a law has more than friction (static friction counts, glue has nothing to hold yet), or
 * when bodies overlap and the world refuses that; where it resolves overlaps they are resolved
 * first, unless the world has made a step.  Free the answer with mo_equilibrium_free.
 */
mo_status mo_world_equilibrium(mo_world *world, mo_equilibrium *out, mo_error *err);
void mo_equilibrium_free(mo_equilibrium *equilibrium);

#ifdef __cplusplus
}
#endif
#endif
