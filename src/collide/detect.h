/*
 * Detection: from positions to contacts, ordered by (id1, part of body 1, id2, feature).  Reads no velocity.
 */
#ifndef COLLIDE_DETECT_H
#define COLLIDE_DETECT_H

#include "collide/contacts.h"
#include "collide/manifold.h"
#include "collide/manifold3.h"
#include "collide/neighbours.h"

/* Which gaps count: those at or below a length that may depend on the pair. */
typedef struct detect_reach {
    double absolute; /* m; used when >= 0 */
    double relative; /* of the smaller body's size, otherwise */
    double at_most;  /* m */
} detect_reach;

/* A part of a body of the view; turn: its R as body_turn gives it. */
placed_part place_part(const detect_view *v, const double *turn, uint32_t part, uint32_t slot);
placed3 place_solid(const detect_view *v, const double *turn, uint32_t part, uint32_t slot);
/* R of a body: 2D: cosine and sine; 3D: nine numbers, row by row. */
void body_turn(const detect_view *v, size_t slot, double *turn);

/* The contact tolerance of INTERFACE: given, or 1e-6 of the smaller body's size and at most 1e-8 m. */
detect_reach contact_reach(double contact_tolerance);

/* The largest gap that counts between bodies a and b. */
double pair_reach(const detect_view *v, uint32_t a, uint32_t b, const detect_reach *reach);

/* Contacts whose gap does not count are left out unless they stay from the last step. */
typedef struct detect_hold {
    detect_reach counts;
    const contact_memory *last;
    bool (*stays)(const contact_memory *last, size_t i, const void *data);
    const void *data;
} detect_hold;

/* Fills c with the contacts of the neighbour list's pairs at v->q within reach; hold: NULL where all of them
 * count.  S, U, mu and status are not written.  false: no memory.
 */
bool detect(const neighbours *n, const detect_view *v, detect_reach reach, const detect_hold *hold,
            contact_set *c, arena *a, pool *threads);

#endif
