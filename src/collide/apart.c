/*
 * Boxes around parts where they are, which tell pairs that are apart without a look at their shapes.
 *
 * A pair whose boxes are more than max_gap apart along one axis has no point with gap <= max_gap, whatever
 * the exact routines would do to find that out.  Boxes are widened by more than what rounding does to places
 * and gaps.
 */
#include "collide/apart.h"

#include <math.h>

/* bodies of more parts are left out: few of these are in pairs */
enum { PARTS = 8 };

/* widening over size and distance from the origin */
static const double ROUNDING = 1e-12;

size_t boxes_of(const detect_view *v, size_t slot)
{
    const bool boxed = !v->lone[slot] && v->part_count[slot] <= PARTS && isfinite(v->radius[slot]);
    return boxed ? v->part_count[slot] : 0;
}

bool boxes_reserve(part_boxes *b, const detect_view *v, size_t boxes, arena *a)
{
    *b = (part_boxes){.first = boxes > 0 ? arena_push(a, v->count, sizeof *b->first) : NULL,
                      .box = arena_push(a, boxes, sizeof *b->box)};
    return b->box != NULL && (boxes == 0 || b->first != NULL);
}

void boxes_place(part_boxes *b, const detect_view *v, size_t slot, const double *turn)
{
    const size_t boxes = boxes_of(v, slot);
    if (b->first == NULL)
        return;
    b->first[slot] = boxes > 0 ? (uint32_t)b->count : NO_BOX;
    if (boxes == 0)
        return;
    const double *q = &v->q[v->nq * slot], *vertices = v->vertices + v->dim * v->vertex_first[slot];
    double far = v->radius[slot];
    for (size_t d = 0; d < v->dim; d++)
        far += fabs(q[d]);
    for (size_t k = 0; k < boxes; k++) {
        bounds *box = &b->box[b->count++];
        *box = part_box(v, &v->parts[v->part_first[slot] + k], vertices, turn);
        for (size_t d = 0; d < v->dim; d++) {
            box->min[d] += q[d] - ROUNDING * far;
            box->max[d] += q[d] + ROUNDING * far;
        }
    }
}

// the box of a part, or one that the ball around a lone body has; false: none
static bool box_of(const part_boxes *b, const detect_view *v, uint32_t part, uint32_t slot, bounds *out)
{
    if (v->lone[slot]) {
        const double *q = &v->q[v->nq * slot];
        for (size_t d = 0; d < v->dim; d++) {
            const double room = v->radius[slot] + ROUNDING * (v->radius[slot] + fabs(q[d]));
            out->min[d] = q[d] - room;
            out->max[d] = q[d] + room;
        }
        return true;
    }
    if (b->first[slot] == NO_BOX)
        return false;
    *out = b->box[b->first[slot] + part - v->part_first[slot]];
    return true;
}

// whether the box of a part is farther than max_gap above a plane
static bool above_plane(const part_boxes *b, const detect_view *v, const uint32_t part[2],
                        const uint32_t slot[2], int plane, const double *turn, double max_gap)
{
    bounds box;
    double normal[3];
    if (!box_of(b, v, part[1 - plane], slot[1 - plane], &box))
        return false;
    const double offset = plane_place(v, slot[plane], &v->parts[part[plane]], turn, normal);
    return box_above(&box, normal, offset, v->dim) > max_gap + ROUNDING * fabs(offset);
}

bool parts_apart(const part_boxes *b, const detect_view *v, const uint32_t part[2], const uint32_t slot[2],
                 const double *const turn[2], double max_gap)
{
    bounds one, two;
    if (b->first == NULL)
        return false;
    for (int k = 0; k < 2; k++)
        if (is_plane(&v->parts[part[k]]))
            return above_plane(b, v, part, slot, k, turn[k], max_gap);
    if (!box_of(b, v, part[0], slot[0], &one) || !box_of(b, v, part[1], slot[1], &two))
        return false;
    for (size_t d = 0; d < v->dim; d++)
        if (one.min[d] - two.max[d] > max_gap || two.min[d] - one.max[d] > max_gap)
            return true;
    return false;
}
