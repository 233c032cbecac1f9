/* The heap among the bodies. */
#include "draw/heap.h"

#include "draw/axis.h"

#include <math.h>

static const double near_wall = 0.5; /* of e: walls that end within this are shown to their end */
static const double cut_wall = 0.1;  /* of e: how much is shown of those that go on */

static double centre(const double *box, int dim, int k)
{
    return 0.5 * (box[k] + box[dim + k]);
}

void heap_box(int dim, const double *boxes, size_t count, double *scratch, double *out)
{
    double lo[3], hi[3], span = 0.0;
    size_t cut = count / 20, stride = 2 * (size_t)dim;
    for (int k = 0; k < dim; k++) {
        for (size_t i = 0; i < count; i++)
            scratch[i] = centre(boxes + i * stride, dim, k);
        sort_doubles(scratch, count);
        lo[k] = scratch[cut];
        hi[k] = scratch[count - 1 - cut];
        span = fmax(span, hi[k] - lo[k]);
        out[k] = HUGE_VAL;
        out[dim + k] = -HUGE_VAL;
    }
    for (size_t i = 0; i < count; i++) {
        const double *box = boxes + i * stride;
        int inside = 0;
        for (int k = 0; k < dim; k++)
            inside += centre(box, dim, k) >= lo[k] - span && centre(box, dim, k) <= hi[k] + span;
        for (int k = 0; k < dim && inside == dim; k++) {
            out[k] = fmin(out[k], box[k]);
            out[dim + k] = fmax(out[dim + k], box[dim + k]);
        }
    }
}

void heap_add_wall(int dim, const double *heap, const double *wall, double e, double *view)
{
    const double *heap_hi = heap + dim, *wall_hi = wall + dim;
    for (int k = 0; k < dim; k++)
        if (wall_hi[k] < heap[k] - near_wall * e || wall[k] > heap_hi[k] + near_wall * e)
            return;
    for (int k = 0; k < dim; k++) {
        bool near_lo = wall[k] >= heap[k] - near_wall * e;
        bool near_hi = wall_hi[k] <= heap_hi[k] + near_wall * e;
        view[k] = fmin(view[k], near_lo ? wall[k] : heap[k] - cut_wall * e);
        view[dim + k] = fmax(view[dim + k], near_hi ? wall_hi[k] : heap_hi[k] + cut_wall * e);
    }
}

void heap_add_plane(int dim, const double *heap, const double *normal, double offset, double e, double *view)
{
    double corner[3], distance = -offset;
    for (int k = 0; k < dim; k++) {
        corner[k] = normal[k] > 0.0 ? heap[k] : heap[dim + k];
        distance += normal[k] * corner[k];
    }
    if (!(fabs(distance) <= near_wall * e))
        return;
    for (int k = 0; k < dim; k++) {
        double x = corner[k] - (fmax(distance, 0.0) + 0.03 * e) * normal[k];
        view[k] = fmin(view[k], x);
        view[dim + k] = fmax(view[dim + k], x);
    }
}
