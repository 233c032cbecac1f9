/*
 * Which segment of a chain a point near it belongs to: see chain.c.
 */
#ifndef COLLIDE_CHAIN_H
#define COLLIDE_CHAIN_H

#include "collide/pair.h"

typedef enum chain_place {
    CHAIN_NOT,   /* another segment's, or nobody's */
    CHAIN_FACE,  /* over the segment */
    CHAIN_START, /* beyond its first vertex, and nearest to that */
    CHAIN_END,   /* beyond its second vertex, and nearest to that */
} chain_place;

/* a vertex of g seen from the segment f: u and h along and to the left of it */
typedef struct chain_point {
    xy at;
    double u, h;
    chain_place place;
} chain_point;

/* Vertex j of g. side: +1 when the part touches the left of the segment, -1 the right, 0: the side the vertex
 * is on. */
chain_point chain_locate(const pair *k, uint32_t j, double side);

#endif
