/*
 * What a picture of a planar frame shows, as plain data: bodies with their parts, contacts, groups, time.
 * Filled from a frame of a run, or by hand in tests; everything that draws reads only this.
 */
#ifndef DRAW_SCENE2D_H
#define DRAW_SCENE2D_H

#include "collide/periodic.h"
#include "draw/draw.h"
#include "draw/joints.h"

typedef struct body2d {
    double q[3], u[3];    /* m, rad; m/s, rad/s */
    double area;          /* m^2, 0 for thin bodies */
    double radius;        /* m, of a disc whose radius the frame tells; 0: that of its part */
    bool wall;            /* fixed or moved */
    uint32_t group;       /* < group_count of the scene */
    const mo_part *parts; /* [part_count], borrowed */
    size_t part_count;
    const double *vertices; /* [2 vertex_count] x, y, borrowed */
    size_t vertex_count;
} body2d;

typedef struct contact2d {
    size_t a, b;       /* bodies of the scene; the impulse acts on a */
    double point[2];   /* m */
    double normal[2];  /* unit, toward a */
    double impulse[2]; /* N s, normal and tangential */
} contact2d;

/* What a picture that is not of a world is about. */
typedef struct scene2d_words {
    const char *one, *many;         /* "body", "bodies" */
    const char *value, *value_unit; /* what colours the bodies */
    const char *link, *link_unit;   /* what the width of the lines of contacts shows */
} scene2d_words;

typedef struct scene2d {
    double time; /* s */
    double h;    /* s, what divides impulses to give forces */
    size_t body_count, contact_count, group_count;
    body2d *bodies;            /* [body_count] */
    contact2d *contacts;       /* [contact_count] */
    const char *const *groups; /* [group_count], borrowed */
    /* when there are words the bodies are coloured by these values whatever the options say; borrowed */
    const scene2d_words *words;
    const double *values; /* [body_count] */
    periodic_cell cell;   /* dim 0: none */
    joint_lines joints;
} scene2d;

typedef struct box2d {
    double lo[2], hi[2]; /* m */
} box2d;

/* Arrays of a frame as a scene; contacts of bodies that are not in the frame are left out.  The scene borrows
   parts, vertices and names.  table_count rows of `table` are the run's bodies.  Walls in a periodic cell are
   folded into it, which may make more bodies of them, behind those of the frame. */
mo_status scene2d_from_frame(const mo_run_info *info, const mo_body_raw *table, size_t table_count,
                             const mo_frame *frame, scene2d *out, mo_error *err);
void scene2d_free(scene2d *scene);

/* What frames in 2D and 3D share: whether every body has its row in the table; the number of a group; the
   places of a contact's bodies among those of the frame, false when one is not there. */
mo_status scene_check_rows(const mo_frame *frame, size_t table_count, mo_error *err);
uint32_t scene_group(const mo_run_info *info, const char *name);
bool scene_contact(const mo_frame *frame, size_t contact, size_t *a, size_t *b);
/* The cell of a frame, dim 0 where there is none that can be drawn; from a body's place q, in the image that
   touches, to a contact's point. */
void scene_cell(const mo_cell *from, size_t dim, periodic_cell *out);
void scene_arm(const periodic_cell *cell, size_t dim, const double *q, const double *point, double *arm);
/* A corner of the cell: the origin and those periodic edges whose bits are set; widens [lo, hi] by all
   corners along the axes with a period. */
void scene_cell_corner(const periodic_cell *cell, unsigned corner, double *out);
void scene_include_cell(const periodic_cell *cell, double *lo, double *hi);
/* Whether products of differences of such numbers are finite; false for NaN. */
bool draw_usable(double x);

/* Whether a position can be drawn at all: finite, and small enough that differences of two are finite. */
bool body2d_drawable(const body2d *body);
/* Vertices of a part, NULL when the part points outside the body's vertices or has too few. */
const double *part2d_points(const body2d *body, const mo_part *part);
/* A point of the body's frame in the world. */
void body2d_place(const body2d *body, const double local[2], double world[2]);
/* Boundary of a half-plane part in the world: solid where normal.x <= offset; false when it has no sound
 * normal. */
bool part2d_halfplane(const body2d *body, const mo_part *part, double normal[2], double *offset);
/* Radius of a disc in this frame, m; 0 of other parts. */
double part2d_radius(const body2d *body, const mo_part *part);
/* Box around the bounded parts; false when there are none. */
bool body2d_bounds(const body2d *body, box2d *out);
bool part2d_bounds(const body2d *body, const mo_part *part, box2d *out);

/* What colours the bodies, [body_count]: the scene's own values, or speed of the centre (m/s), group number,
   or mean stress (N/m); NaN for walls and for bodies without the value. */
void scene2d_values(const scene2d *scene, draw_color color, double *value);

#endif
