/*
 * What the generators of grains share: sizes and shapes, the region they fill, and laying one body.
 *
 * A generator's table, at stack index 1, has keys of its own, `radius` and `shape`, and every key of
 * body{...} but `position`; those go to each body as they are.
 */
#ifndef SCENE_GRAINS_H
#define SCENE_GRAINS_H

#include "scene/shape_box.h"

typedef struct grains {
    lua_State *L;
    const char *what; /* "generate.lattice" and so on */
    size_t dim;
    int list;             /* stack index of the table that is given back */
    lua_Integer laid;     /* entries in it */
    int source;           /* stack index of `radius`: a number, a distribution or a function; 0: none */
    int shape;            /* stack index of `shape`: a shape or a function; 0: discs or spheres */
    int shapes;           /* stack index of the table of shapes that the function gave, by number; 0: none */
    double largest;       /* no radius is larger, m; HUGE_VAL: not known */
    double room, measure; /* of a given shape: circumscribed radius, m; area or volume */
} grains;

/* Checks the table's keys, whose own ones are `own` (NULL-terminated, at most 14), reads radius or shape,
   which must be there, and pushes the list. */
grains grains_begin(lua_State *L, const char *what, const char *const *own);
/* The same without radius and shape: what is laid has been put into the table at `shapes`, by number. */
grains grains_begin_shaped(lua_State *L, const char *what, const char *const *own);
/* grains_begin of a table that was checked before; no list. */
grains grains_again(lua_State *L, const char *what);
/* Draws body i (from 1): radius of the circle or sphere that it needs, m, > 0.  area (may be NULL): its area
   or volume. */
double grains_draw(grains *g, lua_Integer i, double *area);
/* Makes the shape of body i again, where a function gives it; grains_draw has made it already. */
void grains_draw_shape(grains *g, lua_Integer i, double radius);
/* Makes body i with its centre there, leaves its handle on top of the stack.  velocity: [dim], or NULL. */
void grains_lay(grains *g, lua_Integer i, const double *centre, double radius, const double *velocity);
/* Takes the handle on top of the stack to the list. */
void grains_keep(grains *g);
/* Raises when `count` more bodies are more than a scene may have; key names what asked for them. */
void grains_check_count(const grains *g, const char *key, double count);
/* A whole number >= 1 that must be there. */
size_t grains_count(const grains *g, const char *key);

/* ---- grain_region.c ------------------------------------------------------------------------------- */

typedef enum region_kind { REGION_BOX, REGION_BALL, REGION_POLYGON } region_kind;

typedef struct grain_region {
    region_kind kind;
    size_t dim;
    double min[3], max[3];    /* of the box around it, m */
    double centre[3], radius; /* of a disc or ball */
    const double *points;     /* [2 count] of a convex polygon, counter-clockwise; on the Lua stack */
    size_t count;
    double measure; /* area or volume */
} grain_region;

/* Reads `region` of the table at 1, which must be there; a polygon's points stay on the stack. */
grain_region grain_region_read(const grains *g);
/* A box. */
grain_region grain_region_box(size_t dim, const double *min, const double *max);
/* Of the box around it, m: the narrowest side. */
double grain_region_width(const grain_region *r);
/* A random point of the region, uniform. */
void grain_region_point(const grain_region *r, rng *random, double *x);
/* Whether a ball lies in the region, up to a length. */
bool grain_region_holds(const grain_region *r, const double *centre, double radius, double slack);

/* ---- grain_place.c -------------------------------------------------------------------------------- */

/* Random places without overlaps, at least `gap` apart, for n balls, the largest first; returns how many
   found one before `tries` tries failed.  centre: [dim n]. */
size_t grains_place(lua_State *L, const grain_region *region, size_t n, const double *radius, double gap,
                    int tries, double *centre);

/* ---- the generators, each in a file of its own -------------------------------------------------------- */

int generate_lattice(lua_State *L);
int generate_random(lua_State *L);
int generate_compressed(lua_State *L);
int generate_polygons(lua_State *L);
int generate_rain(lua_State *L);

#endif
