/*
 * Boxes in a periodic cell: each moved to where its centre is in the cell, and those images beyond the faces
 * that may overlap a box in it.  Of two boxes that overlap through a face one is moved by H k with k > 0 (the
 * first of its numbers that is not 0 is 1), so that such images are enough, and every pair is met once.
 */
#ifndef COLLIDE_IMAGES_H
#define COLLIDE_IMAGES_H

#include "collide/broad.h"
#include "collide/periodic.h"
#include "core/arena.h"

typedef struct image_boxes {
    bounds *box;       /* [count] */
    uint32_t *of;      /* [count] the box that it is an image of */
    double (*move)[3]; /* [count] how far it was moved, m */
    size_t own, count; /* the first `own` have their centres in the cell, one for each box */
} image_boxes;

/* In the arena; false: no memory. */
bool images_make(const periodic_cell *c, const bounds *boxes, size_t count, arena *a, image_boxes *out);

#endif
