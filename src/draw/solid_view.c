/* Fitting the view in space; E is the largest side of the box around the heap. */
#include "draw/solid_view.h"

#include "core/fail.h"
#include "draw/heap.h"
#include "draw/scene2d.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

void box3d_join(box3d *box, const box3d *other)
{
    for (int k = 0; k < 3; k++) {
        box->lo[k] = fmin(box->lo[k], other->lo[k]);
        box->hi[k] = fmax(box->hi[k], other->hi[k]);
    }
}

double box3d_side(const box3d *box)
{
    return fmax(box->hi[0] - box->lo[0], fmax(box->hi[1] - box->lo[1], box->hi[2] - box->lo[2]));
}

/* boxes of the sound bodies that are walls or not; returns how many */
static size_t collect(const scene3d *scene, bool walls, box3d *boxes)
{
    size_t count = 0;
    for (size_t i = 0; i < scene->body_count; i++) {
        const body3d *b = &scene->bodies[i];
        if (b->wall == walls && b->sound && body3d_bounds(b, &boxes[count]))
            count++;
    }
    return count;
}

bool solid_view_has_heap(const scene3d *scene)
{
    for (size_t i = 0; i < scene->body_count; i++) {
        const body3d *b = &scene->bodies[i];
        box3d box;
        if (!b->wall && b->sound && body3d_bounds(b, &box))
            return true;
    }
    return false;
}

/* a point of the first plane; the origin when there is none */
static void some_point(const scene3d *scene, double out[3])
{
    vec3_set(out, 0.0, 0.0, 0.0);
    for (size_t i = 0; i < scene->body_count; i++) {
        const body3d *b = &scene->bodies[i];
        double n[3], offset;
        for (size_t j = 0; j < b->part_count && b->sound; j++)
            if (b->parts[j].kind == MO_PART_PLANE && part3d_plane(b, &b->parts[j], n, &offset)) {
                vec3_scale(offset, n, out);
                return;
            }
    }
}

/* when nothing bounded can be shown */
static box3d lone_box(const scene3d *scene)
{
    double x[3];
    some_point(scene, x);
    return (box3d){{x[0] - 0.5, x[1] - 0.5, x[2] - 0.5}, {x[0] + 0.5, x[1] + 0.5, x[2] + 0.5}};
}

/* a few bodies alone get some room around them: level sides are twice as long as bodies are */
static void add_room(const scene3d *scene, const box3d *boxes, size_t count, box3d *view)
{
    double mean = 0.0, vertical[3];
    camera_vertical(scene->gravity, vertical);
    for (size_t i = 0; i < count; i++) {
        double level = 0.0;
        for (int k = 0; k < 3; k++)
            level = fmax(level, vertical[k] == 0.0 ? boxes[i].hi[k] - boxes[i].lo[k] : 0.0);
        mean += level / (double)count;
    }
    for (int k = 0; k < 3; k++) {
        double lack = vertical[k] == 0.0 ? fmax(2.0 * mean - (view->hi[k] - view->lo[k]), 0.0) : 0.0;
        view->lo[k] -= 0.5 * lack;
        view->hi[k] += 0.5 * lack;
    }
}

static void add_walls(const scene3d *scene, const box3d *heap, double e, box3d *view)
{
    for (size_t i = 0; i < scene->body_count; i++) {
        const body3d *b = &scene->bodies[i];
        for (size_t j = 0; j < b->part_count && b->wall && b->sound; j++) {
            box3d wall;
            double n[3], offset;
            if (part3d_bounds(b, &b->parts[j], &wall))
                heap_add_wall(3, (const double *)heap, (const double *)&wall, e, (double *)view);
            else if (b->parts[j].kind == MO_PART_PLANE && part3d_plane(b, &b->parts[j], n, &offset))
                heap_add_plane(3, (const double *)heap, n, offset, e, (double *)view);
        }
    }
}

mo_status solid_view_fit(const scene3d *scene, box3d *heap, box3d *view, mo_error *err)
{
    box3d *boxes = malloc((scene->body_count + 1) * sizeof *boxes);
    double *scratch = malloc((scene->body_count + 1) * sizeof *scratch);
    if (boxes == NULL || scratch == NULL) {
        free(boxes);
        free(scratch);
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu bodies", scene->body_count);
    }
    size_t count = collect(scene, false, boxes);
    if (count == 0)
        count = collect(scene, true, boxes);
    *heap = lone_box(scene);
    if (count > 0)
        heap_box(3, (const double *)boxes, count, scratch, (double *)heap);
    *view = *heap;
    add_room(scene, boxes, count, view);
    add_walls(scene, heap, fmax(box3d_side(heap), box3d_side(view)), view);
    scene_include_cell(&scene->cell, view->lo, view->hi);
    // what goes out of a cell comes in again
    if (scene->cell.dim == 0)
        joint_lines_include(&scene->joints, 3, heap->lo, view->lo, view->hi);
    free(boxes);
    free(scratch);
    return MO_OK;
}
