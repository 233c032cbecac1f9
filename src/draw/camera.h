/*
 * How a picture looks at the world in space.
 *
 * View coordinates (x, y, z) of a point are along `right`, `up` and `back` (towards the viewer) from
 * `middle`, in units of `size`, so that they are about 1 whatever the scene measures.  Through the middle
 * goes the picture plane, whose coordinates (X, Y) are view coordinates too: with the eye at (0, 0, d),
 *
 *     (X, Y) = (x, y) d / (d - z),   nearness = 1 / (d - z)      perspective
 *     (X, Y) = (x, y),               nearness = z                orthographic, d = 0
 *
 * Nearness grows towards the viewer and is affine in (X, Y) on every plane.  Paper: left + scale X and
 * top - scale Y, pixels.
 */
#ifndef DRAW_CAMERA_H
#define DRAW_CAMERA_H

#include "draw/scene3d.h"

typedef struct camera {
    double middle[3];                /* m */
    double right[3], up[3], back[3]; /* unit */
    double size;                     /* m */
    double distance;                 /* of the eye in units of size; 0: orthographic */
    double nearest;                  /* what is nearer to the eye (d - z) is not seen */
    double left, top, scale;         /* paper, pixels; pixels per unit */
} camera;

/* A ray through a point of the picture plane: origin + t direction with direction z = -1. */
typedef struct ray {
    double origin[3], direction[3];
} ray;

/* Directions of a camera that stands at an azimuth about `vertical`, and at an elevation (degrees).  Azimuth
   0 is on the side of the first horizontal axis, 90 on that of the second. */
void camera_aim(camera *c, const double vertical[3], double azimuth, double elevation);
/* The axis against gravity: the coordinate axis that is nearest to it, z without gravity. */
void camera_vertical(const double gravity[3], double out[3]);
/* Axes in a plane that make a right-handed frame with its normal: a level one and one that rises; any where
   the plane is level itself. */
void camera_plane_axes(const double normal[3], const double vertical[3], double level[3], double rising[3]);

/* Middle, size (half the diagonal) and distance for looking at a box, keeping the directions; the paper is
   the picture plane itself. */
void camera_fit(camera *c, const box3d *around, bool perspective);
/* Widens a window [lo, hi] of the picture plane by the corners of a box. */
void camera_widen(const camera *c, const box3d *box, double lo[2], double hi[2]);

void camera_see(const camera *c, const double world[3], double view[3]);
void camera_turn(const camera *c, const double world[3], double view[3]); /* of a direction */
void camera_unsee(const camera *c, const double view[3], double world[3]);
/* Of a point that can be seen (camera_sees). */
void camera_project(const camera *c, const double view[3], double plane[2]);
bool camera_sees(const camera *c, double z);
double camera_nearness(const camera *c, double z);
/* The z of a nearness. */
double camera_depth(const camera *c, double nearness);
ray camera_ray(const camera *c, double X, double Y);
/* The point of a nearness on the ray through (X, Y). */
void camera_point(const camera *c, double X, double Y, double nearness, double view[3]);
/* Smallest box [lo, hi] of the picture plane around a ball; false when the eye is in it or before it. */
bool camera_ball(const camera *c, const double view[3], double radius, double lo[2], double hi[2]);

#endif
