/*
 * Short words for building worlds in tests; every failure ends the test.
 */
#ifndef SUPPORT_BUILD_H
#define SUPPORT_BUILD_H

#include <moreau/moreau.h>

/* World with gravity (0, -g), step h, tolerance 1e-12, at most 20000 iterations. */
mo_world *make_world(double h, double g);
/* The same with a definition changed by the test. */
mo_world *make_world_def(const mo_world_def *def);
mo_world_def tight_def(double h, double g);

void set_law(mo_world *w, double friction, double restitution, double tangential);

mo_body add_disc(mo_world *w, double x, double y, double r, double density);
mo_body add_box(mo_world *w, double x, double y, double width, double height, double angle, double density);
mo_body add_floor(mo_world *w, double y);                                     /* half-plane below y */
mo_body add_segment(mo_world *w, double x0, double y0, double x1, double y1); /* fixed */
mo_body add_halfplane(mo_world *w, double nx, double ny, double offset);      /* fixed */
/* Dynamic where density > 0, otherwise fixed. */
mo_body add_shape(mo_world *w, const mo_shape_def *shape, double x, double y, double angle, double density);
mo_body add_moved(mo_world *w, const mo_shape_def *shape, mo_motion_fn motion, void *data);
mo_body add_def(mo_world *w, const mo_body_def *def);

/* Definitions of shapes in one word. */
mo_shape_def disc_shape(double r);
mo_shape_def box_shape(double width, double height);
mo_shape_def points_shape(mo_shape_kind kind, const double *points, size_t count);

mo_body_state state_of(const mo_world *w, mo_body b);
void set_velocity(mo_world *w, mo_body b, double vx, double vy, double spin);

/* n steps; fails when a step fails or (converge) does not converge. */
void run_steps(mo_world *w, int n, bool converge);

/* What a world is, but for memories and counters of rest; its arrays are the world's own. */
mo_restart restart_of(const mo_world *w);

#endif
