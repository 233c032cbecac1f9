/*
 * Boxes around the parts of bodies at the positions of a view, in the arena; without a cell.
 */
#ifndef COLLIDE_APART_H
#define COLLIDE_APART_H

#include "collide/neighbours.h"

#define NO_BOX UINT32_MAX

typedef struct part_boxes {
    uint32_t *first; /* [bodies] of bodies that are not lone: box of the first part, NO_BOX: it has none;
                        NULL: nobody has any */
    bounds *box;     /* [count] m */
    size_t count;
} part_boxes;

/* How many boxes a body has. */
size_t boxes_of(const detect_view *v, size_t slot);
/* Room for so many boxes, and none so far; false: no memory. */
bool boxes_reserve(part_boxes *b, const detect_view *v, size_t boxes, arena *a);
/* Adds those of a body that is not lone and whose turn is as body_turn gives it. */
void boxes_place(part_boxes *b, const detect_view *v, size_t slot, const double *turn);

/* Whether two parts are certainly farther than max_gap from each other; turn: of their bodies. */
bool parts_apart(const part_boxes *b, const detect_view *v, const uint32_t part[2], const uint32_t slot[2],
                 const double *const turn[2], double max_gap);

#endif
