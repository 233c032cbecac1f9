/* Fitting the view.  E is the larger side of the box around the heap. */
#include "draw/view.h"

#include "core/fail.h"
#include "draw/heap.h"

#include <math.h>
#include <stdlib.h>

static const double margin = 0.025; /* of E, around everything */
static const double room =
    2.0; /* times the mean size of bodies: a side at least, so that a lone one has some */
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

static box2d heap_of(const box2d *boxes, size_t count, double *scratch)
{
    box2d out;
    heap_box(2, (const double *)boxes, count, scratch, (double *)&out);
    return out;
}

static double mean_extent(const box2d *boxes, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += fmax(boxes[i].hi[0] - boxes[i].lo[0], boxes[i].hi[1] - boxes[i].lo[1]);
    return count > 0 ? sum / (double)count : 0.0;
}

/* whether a wall goes all round the heap, as a drum does, and no farther away than the heap is wide */
static bool is_vessel(const body2d *b, const box2d *heap, double e, box2d *whole)
{
    bool round = b->wall && body2d_drawable(b) && body2d_bounds(b, whole);
    for (int k = 0; k < 2 && round; k++)
        round = whole->lo[k] <= heap->lo[k] && whole->lo[k] >= heap->lo[k] - e &&
                whole->hi[k] >= heap->hi[k] && whole->hi[k] <= heap->hi[k] + e;
    return round;
}

static void include_walls(const scene2d *scene, box2d *view, const box2d *heap, double e)
{
    for (size_t i = 0; i < scene->body_count; i++) {
        const body2d *b = &scene->bodies[i];
        box2d whole;
        if (is_vessel(b, heap, e, &whole))
            include(view, &whole);
        for (size_t j = 0; j < b->part_count && b->wall && body2d_drawable(b); j++) {
            box2d wall;
            double n[2], offset;
            if (part2d_bounds(b, &b->parts[j], &wall))
                heap_add_wall(2, (const double *)heap, (const double *)&wall, e, (double *)view);
            else if (b->parts[j].kind == MO_PART_HALFPLANE && part2d_halfplane(b, &b->parts[j], n, &offset))
                heap_add_plane(2, (const double *)heap, n, offset, e, (double *)view);
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
    box2d heap = count > 0 ? heap_of(boxes, count, scratch) : lone_box(scene);
    double e = fmax(heap.hi[0] - heap.lo[0], heap.hi[1] - heap.lo[1]);
    /* a few bodies alone get some room around them */
    e = fmax(e, 6.0 * mean_extent(boxes, count));
    box2d view = heap;
    for (int k = 0; k < 2; k++)
        widen(&view, k, room * mean_extent(boxes, count));
    include_walls(scene, &view, &heap, e);
    scene_include_cell(&scene->cell, view.lo, view.hi);
    // what goes out of a cell comes in again
    if (scene->cell.dim == 0)
        joint_lines_include(&scene->joints, 2, heap.lo, view.lo, view.hi);
    finish(&view);
    free(boxes);
    free(scratch);
    *out = view;
    return MO_OK;
}
