/*
 * The userdata of a shape, and what the files that make shapes share.
 */
#ifndef SCENE_SHAPE_BOX_H
#define SCENE_SHAPE_BOX_H

#include "scene/internal.h"

enum { MOST_POINTS = 1000000 };

/* user value 1: the radius function, a table of the children's shapes, or the triangles */
typedef struct shape_box {
    mo_shape_def def;
    double points[]; /* x, y pairs or x, y, z triples */
} shape_box;

/* Pushes a shape with room for its points, of two or three numbers as its kind has them. */
shape_box *new_shape(lua_State *L, mo_shape_kind kind, size_t point_count);
/* name{radius = r}: a number or a function of time. */
int make_round(lua_State *L, mo_shape_kind kind, const char *name);
/* name{a, b[, c]}: the lengths of a rectangle's or box's sides. */
int make_sides(lua_State *L, mo_shape_kind kind, const char *name, size_t dim);
/* name{{x, y[, z]}, ...} with at least min and at most max points. */
int make_points(lua_State *L, mo_shape_kind kind, const char *name, size_t min, size_t max);
/* The n points in the table at t, each of `width` numbers; `list` is its key, for messages. */
void read_points(lua_State *L, int t, const char *what, const char *list, size_t width, size_t n,
                 double *out);
/* name{normal =, offset =}: a half-plane or plane. */
int make_half(lua_State *L, mo_shape_kind kind, const char *name);

/* surface.c: mesh{points =, triangles =}. */
int make_surface(lua_State *L);
/* solids.c: sphere, box, cylinder, capsule, convex, plane, mesh, into the global table. */
void scene_open_solids(lua_State *L);

#endif
