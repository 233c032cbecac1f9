/*
 * Free rotation of a rigid body: what a step does to orientation and spin apart from loads and contacts.
 */
#ifndef DYNAMICS_ROTATE_H
#define DYNAMICS_ROTATE_H

/*
 * Advances by the time t: q, unit quaternion that turns principal axes into the world's; w, spin along the
 * principal axes, rad/s; I, principal inertias > 0.  Energy and momentum in space stay to rounding.
 */
void rotate_free(const double I[3], double t, double q[4], double w[3]);

/* Turns q about the world's axes by the rotation vector `turn`, rad. */
void rotate_by(const double turn[3], double q[4]);

#endif
