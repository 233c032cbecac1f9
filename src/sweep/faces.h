/*
 * A polyhedron {y : A y >= b} as points, rays and lines: conv(points) + cone(rays) + span(lines), one point
 * per minimal face (per vertex where there are no lines).  Double description in homogeneous coordinates:
 * T. S. Motzkin, H. Raiffa, G. L. Thompson, R. M. Thrall, "The double description method", Annals of
 * Mathematics Studies 28 (1953), 51-73.
 */
#ifndef SWEEP_FACES_H
#define SWEEP_FACES_H

#include <moreau/base.h>

enum { FACES_MAX_N = 6, FACES_MAX_ROWS = 64, FACES_MAX_GENERATORS = 20000 };

typedef struct face_generator {
    double v[FACES_MAX_N + 1]; /* (y0, y): the point y / y0 where y0 > 0, else the direction y */
    uint64_t zero;             /* rows that hold with = */
    bool at_infinity;          /* y0 = 0 */
    double side;               /* scratch: value of the row at hand */
} face_generator;

/* Memory is kept between calls. */
typedef struct face_list {
    face_generator *items, *fresh; /* extreme rays of the cone over the polyhedron; scratch */
    size_t count, capacity, fresh_count, fresh_capacity;
    face_generator lines[FACES_MAX_N + 1];
    size_t line_count;
    double length; /* points are y / y0 times this */
} face_list;

/* A [rows n] and b [rows], n <= 6, rows <= 64.  *complete: false when there are more generators than
   FACES_MAX_GENERATORS.  An empty polyhedron has no point. */
mo_status faces_find(face_list *list, size_t n, size_t rows, const double *A, const double *b, bool *complete,
                     mo_error *err);
/* The point of a generator, [n]; false when it is a ray: y is then a unit vector. */
bool faces_point(const face_list *list, size_t n, size_t i, double *y);
void faces_free(face_list *list);

#endif
