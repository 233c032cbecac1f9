/*
 * What a picture of a frame in space shows, as plain data: bodies with their parts, contacts, groups, time.
 * Filled from a frame of a run, or by hand in tests; everything that draws reads only this.
 */
#ifndef DRAW_SCENE3D_H
#define DRAW_SCENE3D_H

#include "collide/periodic.h"
#include "draw/draw.h"
#include "draw/joints.h"

typedef struct body3d {
    double x[3], turn[9]; /* m; rotation matrix of the body's axes, row by row */
    double velocity[3];   /* m/s */
    double volume;        /* m^3, 0 for thin bodies */
    double radius;        /* m, of a lone ball whose radius changes; 0: as its part says */
    bool wall;            /* fixed or moved */
    bool sound;           /* position and orientation can be drawn */
    uint32_t group;       /* < group_count of the scene */
    const mo_part *parts; /* [part_count], borrowed */
    size_t part_count;
    const double *vertices; /* [3 vertex_count], borrowed */
    size_t vertex_count;
    const uint32_t *faces; /* [face_length], borrowed: see mo_part */
    size_t face_length;
} body3d;

typedef struct contact3d {
    size_t a, b;       /* bodies of the scene; the impulse acts on a */
    double point[3];   /* m */
    double normal[3];  /* unit, toward a */
    double impulse[3]; /* N s, along n, t = mo_tangent and n x t */
} contact3d;

typedef struct scene3d {
    double time;       /* s */
    double h;          /* s, what divides impulses to give forces */
    double gravity[3]; /* m/s^2 */
    size_t body_count, contact_count, group_count;
    body3d *bodies;            /* [body_count] */
    contact3d *contacts;       /* [contact_count] */
    const char *const *groups; /* [group_count], borrowed */
    periodic_cell cell;        /* dim 0: none */
    joint_lines joints;
} scene3d;

typedef struct box3d {
    double lo[3], hi[3]; /* m */
} box3d;

/* As scene2d_from_frame, for a run in 3D. */
mo_status scene3d_from_frame(const mo_run_info *info, const mo_body_raw *table, size_t table_count,
                             const mo_frame *frame, scene3d *out, mo_error *err);
void scene3d_free(scene3d *scene);

/* Sets position and orientation from x, y, z, qw, qx, qy, qz (the quaternion of any length) and whether they
   are sound: finite, and small enough that differences of two are finite. */
void body3d_set(body3d *body, const double q[7]);
/* Vertices of a bounded part, NULL when it is unsound: vertices outside the body's or not finite, no radius.
 */
const double *part3d_points(const body3d *body, const mo_part *part);
/* How many of them belong to the part itself. */
size_t part3d_corners(const mo_part *part);
/* Radius about the vertices: of round parts, else 0. */
double part3d_radius(const body3d *body, const mo_part *part);
/* A point of the body's frame in the world. */
void body3d_place(const body3d *body, const double local[3], double world[3]);
/* Boundary of a plane part in the world: solid where normal.x <= offset; false when it has no sound normal.
 */
bool part3d_plane(const body3d *body, const mo_part *part, double normal[3], double *offset);
/* Box around the bounded parts; false when there are none. */
bool body3d_bounds(const body3d *body, box3d *out);
bool part3d_bounds(const body3d *body, const mo_part *part, box3d *out);
/* Radius of the ball with the same volume, half the largest extent for thin bodies; 0 when it has none. */
double body3d_radius(const body3d *body);

/* What colours the bodies, [body_count]: speed of the centre (m/s), group number, or mean stress (Pa); NaN
   for walls and for bodies without the value. */
void scene3d_values(const scene3d *scene, draw_color color, double *value);

#endif
