/*
 * Bodies in space as pieces of surface that a sample of the picture can be tested against: flat triangles,
 * and exact balls, tubes (the round side of a cylinder) and discs (its ends).
 */
#ifndef DRAW_SOLID_FACET_H
#define DRAW_SOLID_FACET_H

#include "draw/scene3d.h"

typedef enum facet_kind { FACET_TRIANGLE, FACET_BALL, FACET_TUBE, FACET_DISC } facet_kind;

typedef enum facet_finish {
    FINISH_BODY,   /* in the colour of its body */
    FINISH_GROUND, /* a plane, with a grid */
    FINISH_LINE,   /* the border of a plane: neither lit nor in anybody's shade */
} facet_finish;

typedef struct facet {
    double p[3][3];   /* m: corners of triangles; centre of balls and discs; both ends of tubes */
    double normal[3]; /* unit, outwards: of triangles and discs */
    double radius;    /* m: of balls, tubes and discs */
    uint32_t body;    /* what it belongs to */
    uint32_t surface; /* the same for pieces that go on smoothly; numbered within the body */
    facet_kind kind;
    facet_finish finish;
    bool two_sided; /* seen from behind as well */
    bool marked;    /* a round piece that shows how its body is turned, by these: */
    double middle[3],
        axis[2][3]; /* m: of the whole ball, capsule or cylinder; two unit axes across its own */
} facet;

typedef struct facets {
    facet *items;
    size_t count, capacity;
    bool no_memory;
} facets;

void facets_free(facets *f);
/* A piece to fill; NULL without memory, which no_memory remembers. */
facet *facets_add(facets *f, facet_kind kind, uint32_t body, uint32_t surface);
/* The bounded parts of a body; parts that are unsound are left out. */
void facets_add_body(facets *f, const body3d *body, uint32_t number);
/* A flat polygon, counter-clockwise seen from outside: corners [3 count] in the world. */
void facets_add_polygon(facets *f, const double *corners, size_t count, uint32_t body, uint32_t surface,
                        bool two_sided);
/* A bar with round ends between two points of the world, all of one surface. */
void facets_add_bar(facets *f, const double from[3], const double to[3], double radius, uint32_t body,
                    uint32_t surface);

#endif
