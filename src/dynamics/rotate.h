/*
 * Free rotation of a rigid body: what a step does to orientation and spin apart from loads and contacts.
 */
#ifndef DYNAMICS_ROTATE_H
#define DYNAMICS_ROTATE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Advances by the time t: q, unit quaternion that turns principal axes into the world's; w, spin along the
 * principal axes, rad/s; I, principal inertias > 0.  Energy and momentum in space stay to rounding.
 */
void rotate_free(const double I[3], double t, double q[4], double w[3]);

/* symmetric rules over the times a t, (1 - 2a) t, a t are of order four: a = 1/(2 - 2^(1/3)), Yoshida 1990 */
#define ROTATE_YOSHIDA 1.3512071919596578

/*
 * Into how many pieces the time *t is cut for a spin of that speed, rad/s, to turn by at most `longest`, rad,
 * in each: 4096 at most.  A turn by more than all of them ends there, and *t becomes less: how far it would
 * go on nobody can tell from steps so long, but energy and momentum stay, which they do not in pieces too
 * long to solve.
 */
int rotate_pieces(double speed, double longest, double *t);

/* Turns q about the world's axes by the rotation vector `turn`, rad. */
void rotate_by(const double turn[3], double q[4]);

/* The same for balls of a world, in the slots given, with the spins of u, [6 for each], during t: q, [7 for
   each].  At most ROTATE_BLOCK. */
enum { ROTATE_BLOCK = 32 };
void rotate_balls(const uint32_t *slot, size_t count, double t, const double *u, double *q);

#endif
