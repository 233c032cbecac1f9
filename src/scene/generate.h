/*
 * What the generators of masonry share: the keys that all of them have, and laying one block.
 *
 * A generator works in its own frame: x along the masonry, the last axis up (y in 2D, z in 3D), origin at
 * `position`, turned about the vertical by `angle` in 3D.  Corners that blocks have in common are computed
 * once, so that faces coincide to the rounding of coordinates.
 */
#ifndef SCENE_GENERATE_H
#define SCENE_GENERATE_H

#include "scene/shape_box.h"

typedef struct masonry {
    lua_State *L;
    const char *what; /* "generate.wall" and so on */
    size_t dim;
    double base[3], angle; /* where the frame lies in the world, m, rad */
    double turn[2];        /* cosine and sine of the angle */
    double density;
    const char *group, *name; /* or NULL */
    int list;                 /* stack index of the table that is given back */
    lua_Integer laid;         /* entries in it */
} masonry;

/* Reads what all generators have from the table at 1, whose other keys are `own` (at most 12,
   NULL-terminated), and pushes the list. */
masonry masonry_begin(lua_State *L, const char *what, const char *const *own);
/* A number > 0 or its default. */
double masonry_length(const masonry *m, const char *key, double otherwise);
/* A number from min to max or its default. */
double masonry_number(const masonry *m, const char *key, double otherwise, double min, double max);
/* A whole number of at least `least` or its default. */
int masonry_count(const masonry *m, const char *key, int otherwise, int least);
/* A body of the shape on top of the stack, with its centre at a place of the frame; leaves its handle there
 * instead. */
void masonry_lay(const masonry *m, const double centre[3], bool fixed);
/* Likewise of the hull of corners in the frame, `count` of them with two or three numbers. */
void masonry_lay_corners(const masonry *m, const double *corners, size_t count, bool fixed);
/* Takes the handle on top of the stack to the list, and to the table at `part` too (0: none). */
void masonry_keep(masonry *m, int part);
/* Pushes a new table that is field `key` of the one at idx, or its next entry when key is NULL. */
int masonry_table(lua_State *L, int idx, const char *key);

/* generate_shell.c */
int generate_arch(lua_State *L);
int generate_dome(lua_State *L);

#endif
