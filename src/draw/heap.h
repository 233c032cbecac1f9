/*
 * Which bodies are the heap that a picture is about, and which flew away.
 *
 * Along each axis the 5 % and 95 % quantiles of the bodies' centres span the heap; with R the largest of
 * the spans, bodies further than R outside are taken to have flown away.  With fewer than 20 bodies the
 * quantiles are the extremes, and all are shown.
 */
#ifndef DRAW_HEAP_H
#define DRAW_HEAP_H

#include <stddef.h>

/* Box around the heap: boxes [2 dim count], count > 0, and out [2 dim] have the least coordinates of a box,
   then the largest.  scratch: [count]. */
void heap_box(int dim, const double *boxes, size_t count, double *scratch, double *out);

/*
 * Widening a view [2 dim] by walls near a heap, e being the larger side of what matters: by a bounded wall,
 * to its end where that is near; by the edge of a half-space (solid where normal.x <= offset) and some of its
 * inside.  Walls further away than half of e have no say.
 */
void heap_add_wall(int dim, const double *heap, const double *wall, double e, double *view);
void heap_add_plane(int dim, const double *heap, const double *normal, double offset, double e, double *view);

#endif
