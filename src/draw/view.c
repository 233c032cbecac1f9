/*
 * Fitting the view.
 *
 * Along each axis the 5 % and 95 % quantiles of the bodies' centres span the heap; with R the larger of the
 * two spans, bodies further than R outside are taken to have flown away.  With fewer than 20 bodies the
 * quantiles are the extremes, and all are shown.  E is the larger side of the box around what is kept.
 */
#include "draw/view.h"

#include "core/fail.h"
#include "draw/axis.h"

#include <math.h>
#include <stdlib.h>

static const double near_wall = 0.5; /* of E: walls that end within this are shown to their end */
static const double cut_wall = 0.1;  /* of E: how much is shown of those that go on */
static const double margin = 0.025;  /* of E, around everything */
static const double aspect_least = 0.25, aspect_most = 4.0; /* width over height */

void view_point(const view2d *view, const double world[2], double paper[2])
{
    paper[0] = view->left + (world[0] - view->box.lo[0]) * view->scale;
    paper[1] = view->top + (view->box.hi[1] - world[1]) * view->scale;
}

bool view_meets(const view2d *view, const box2d *box, double extra)
{
    double e = extra / view->scale;
    for (int k = 0; k < 2; k++)
        if (box->hi[k] < view->box.lo[k] - e || box->lo[k] > view->box.hi[k] + e)
            return false;
    return true;
}

static void include(box2d *box, const box2d *other)
{
    for (int k = 0; k < 2; k++) {
        box->lo[k] = fmin(box->lo[k], other->lo[k]);
        box->hi[k] = fmax(box->hi[k], other->hi[k]);
    }
}

/* boxes of the drawable bodies that are walls or not; returns how many */
static size_t collect(const scene2d *scene, bool walls, box2d *boxes)
{
    size_t count = 0;
    for (size_t i = 0; i < scene->body_count; i++) {
        const body2d *b = &scene->bodies[i];
        if (b->wall == walls && body2d_drawable(b) && body2d_bounds(b, &boxes[count]))
            count++;
    }
    return count;
}

/* box around those that did not fly away; scratch holds [count] */
static box2d heap_box(const box2d *boxes, size_t count, double *scratch)
{
    double lo[2], hi[2];
    size_t cut = count / 20;
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < count; i++)
            scratch[i] = 0.5 * (boxes[i].lo[k] + boxes[i].hi[k]);
        sort_doubles(scratch, count);
        lo[k] = scratch[cut];
        hi[k] = scratch[count - 1 - cut];
    }
    double span = fmax(hi[0] - lo[0], hi[1] - lo[1]);
    box2d out = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < count; i++) {
        bool kept = true;
        for (int k = 0; k < 2; k++) {
            double centre = 0.5 * (boxes[i].lo[k] + boxes[i].hi[k]);
            kept = kept && centre >= lo[k] - span && centre <= hi[k] + span;
        }
        if (kept)
            include(&out, &boxes[i]);
    }
    return out;
}

static double mean_extent(const box2d *boxes, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += fmax(boxes[i].hi[0] - boxes[i].lo[0], boxes[i].hi[1] - boxes[i].lo[1]);
    return count > 0 ? sum / (double)count : 0.0;
}

/* widens the view by a bounded wall part near the heap, to its end where that is near */
static void include_wall(box2d *view, const box2d *heap, const box2d *wall, double e)
{
    for (int k = 0; k < 2; k++)
        if (wall->hi[k] < heap->lo[k] - near_wall * e || wall->lo[k] > heap->hi[k] + near_wall * e)
            return;
    for (int k = 0; k < 2; k++) {
        bool near_lo = wall->lo[k] >= heap->lo[k] - near_wall * e;
        bool near_hi = wall->hi[k] <= heap->hi[k] + near_wall * e;
        view->lo[k] = fmin(view->lo[k], near_lo ? wall->lo[k] : heap->lo[k] - cut_wall * e);
        view->hi[k] = fmax(view->hi[k], near_hi ? wall->hi[k] : heap->hi[k] + cut_wall * e);
    }
}

/* widens the view so that the edge of a half-plane near the heap is seen, and some of its inside */
static void include_halfplane(box2d *view, const box2d *heap, const double n[2], double offset, double e)
{
    double corner[2] = {n[0] > 0.0 ? heap->lo[0] : heap->hi[0], n[1] > 0.0 ? heap->lo[1] : heap->hi[1]};
    double distance = n[0] * corner[0] + n[1] * corner[1] - offset;
    if (!(fabs(distance) <= near_wall * e))
        return;
    for (int k = 0; k < 2; k++) {
        double x = corner[k] - (fmax(distance, 0.0) + 0.03 * e) * n[k];
        view->lo[k] = fmin(view->lo[k], x);
        view->hi[k] = fmax(view->hi[k], x);
    }
}

static void include_walls(const scene2d *scene, box2d *view, const box2d *heap, double e)
{
    for (size_t i = 0; i < scene->body_count; i++) {
        const body2d *b = &scene->bodies[i];
        for (size_t j = 0; j < b->part_count && b->wall && body2d_drawable(b); j++) {
            box2d wall;
            double n[2], offset;
            if (part2d_bounds(b, &b->parts[j], &wall))
                include_wall(view, heap, &wall, e);
            else if (b->parts[j].kind == MO_PART_HALFPLANE && part2d_halfplane(b, &b->parts[j], n, &offset))
                include_halfplane(view, heap, n, offset, e);
        }
    }
}

/* when nothing bounded can be shown: around a point of the first half-plane's edge, else around the origin */
static box2d lone_box(const scene2d *scene)
{
    double n[2], offset;
    for (size_t i = 0; i < scene->body_count; i++) {
        const body2d *b = &scene->bodies[i];
        for (size_t j = 0; j < b->part_count && body2d_drawable(b); j++)
            if (b->parts[j].kind == MO_PART_HALFPLANE && part2d_halfplane(b, &b->parts[j], n, &offset)) {
                double x = n[0] * offset, y = n[1] * offset;
                return (box2d){{x - 0.5, y - 0.5}, {x + 0.5, y + 0.5}};
            }
    }
    return (box2d){{-0.5, -0.5}, {0.5, 0.5}};
}

/* makes a side at least `least` long, keeping the middle */
static void widen(box2d *box, int k, double least)
{
    double lack = least - (box->hi[k] - box->lo[k]);
    if (lack > 0.0) {
        box->lo[k] -= 0.5 * lack;
        box->hi[k] += 0.5 * lack;
    }
}

static void bound_shape(box2d *box)
{
    widen(box, 0, aspect_least * (box->hi[1] - box->lo[1]));
    widen(box, 1, (box->hi[0] - box->lo[0]) / aspect_most);
}

/* no side without length (not even after rounding), a margin, and a bounded shape */
static void finish(box2d *box)
{
    double e = 0.0, size = 0.0;
    for (int k = 0; k < 2; k++) {
        e = fmax(e, box->hi[k] - box->lo[k]);
        size = fmax(size, fmax(fabs(box->lo[k]), fabs(box->hi[k])));
    }
    if (e <= 1e-11 * size || e < 1e-200)
        e = size > 1e-200 ? 1e-9 * size : 1.0;
    for (int k = 0; k < 2; k++) {
        box->lo[k] -= margin * e;
        box->hi[k] += margin * e;
    }
    bound_shape(box);
}

bool view_has_heap(const scene2d *scene)
{
    for (size_t i = 0; i < scene->body_count; i++) {
        const body2d *b = &scene->bodies[i];
        box2d box;
        if (!b->wall && body2d_drawable(b) && body2d_bounds(b, &box))
            return true;
    }
    return false;
}

void view_join(box2d *view, const box2d *other)
{
    include(view, other);
    bound_shape(view);
}

mo_status view_fit(const scene2d *scene, box2d *out, mo_error *err)
{
    box2d *boxes = malloc((scene->body_count + 1) * sizeof *boxes);
    double *scratch = malloc((scene->body_count + 1) * sizeof *scratch);
    if (boxes == NULL || scratch == NULL) {
        free(boxes);
        free(scratch);
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu bodies", scene->body_count);
    }
    size_t count = collect(scene, false, boxes);
    if (count == 0)
        count = collect(scene, true, boxes);
    box2d heap = count > 0 ? heap_box(boxes, count, scratch) : lone_box(scene);
    double e = fmax(heap.hi[0] - heap.lo[0], heap.hi[1] - heap.lo[1]);
    /* a few bodies alone get some room around them */
    e = fmax(e, 6.0 * mean_extent(boxes, count));
    box2d view = heap;
    for (int k = 0; k < 2; k++)
        widen(&view, k, 4.0 * mean_extent(boxes, count));
    include_walls(scene, &view, &heap, e);
    finish(&view);
    free(boxes);
    free(scratch);
    *out = view;
    return MO_OK;
}
