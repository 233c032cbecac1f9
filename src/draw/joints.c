/* Joints in pictures. */
#include "draw/joints.h"

#include "core/fail.h"
#include "core/search.h"
#include "draw/chart.h"
#include "draw/scene2d.h"
#include "draw/scene3d.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double farthest = 1e6; /* pixels: Cairo's coordinates end at 2^23 */
enum { ZIGZAGS = 12 };

/* ---- where they are ----------------------------------------------------------------------------------- */

/* slot of a joint's body in the frame; SIZE_MAX: it is not there */
static size_t slot_of(const mo_frame *frame, uint32_t id)
{
    return search_u32(frame->id, frame->body_count, id);
}

static void place(const mo_frame *frame, size_t slot, const double anchor[3], double out[3])
{
    if (frame->dim == 3) {
        body3d body = {.part_count = 0};
        body3d_set(&body, frame->q + 7 * slot);
        body3d_place(&body, anchor, out);
        return;
    }
    body2d body = {.part_count = 0};
    memcpy(body.q, frame->q + 3 * slot, sizeof body.q);
    body2d_place(&body, anchor, out);
    out[2] = 0.0;
}

/* both points where their bodies are; false: one is not in the frame */
static bool place_joint(const mo_joint_raw *joint, const mo_frame *frame, joint_line *out)
{
    out->kind = joint->kind;
    for (int side = 0; side < 2; side++) {
        const size_t slot = joint->body[side] != 0 ? slot_of(frame, joint->body[side]) : 0;
        if (slot == SIZE_MAX)
            return false;
        if (joint->body[side] != 0)
            place(frame, slot, joint->anchor[side], out->at[side]);
        else
            memcpy(out->at[side], joint->anchor[side], sizeof out->at[side]);
    }
    return true;
}

/* A joint that goes through a face of the cell is drawn twice, from each of its points to the image of the
   other one that it holds.  How many lines there are now. */
static size_t fold(const periodic_cell *cell, joint_line lines[2])
{
    double arm[3] = {0.0, 0.0, 0.0};
    bool through = false;
    if (cell->dim == 0 || !joint_line_sound(&lines[0], cell->dim))
        return 1;
    scene_arm(cell, cell->dim, lines[0].at[0], lines[0].at[1], arm);
    lines[1] = lines[0];
    for (size_t i = 0; i < cell->dim; i++) {
        through = through || arm[i] != lines[0].at[1][i] - lines[0].at[0][i];
        lines[0].at[1][i] = lines[0].at[0][i] + arm[i];
        lines[1].at[0][i] = lines[1].at[1][i] - arm[i];
    }
    return through ? 2 : 1;
}

mo_status joint_lines_of_frame(const mo_run *run, size_t k, const mo_frame *frame, const periodic_cell *cell,
                               joint_lines *out, mo_error *err)
{
    const size_t count = mo_run_info_get(run)->joint_count;
    const mo_run_joint *all = mo_run_joints(run);
    *out = (joint_lines){NULL, 0};
    if (count == 0)
        return MO_OK;
    out->items = calloc(2 * count, sizeof *out->items);
    if (out->items == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu joints", count);
    for (size_t i = 0; i < count; i++)
        if (all[i].from <= k && k < all[i].until &&
            place_joint(&all[i].joint, frame, &out->items[out->count]))
            out->count += fold(cell, &out->items[out->count]);
    return MO_OK;
}

void joint_lines_free(joint_lines *lines)
{
    free(lines->items);
    *lines = (joint_lines){NULL, 0};
}

bool joint_line_sound(const joint_line *line, size_t dim)
{
    for (size_t i = 0; i < dim; i++)
        if (!draw_usable(line->at[0][i]) || !draw_usable(line->at[1][i]))
            return false;
    return true;
}

static bool lies_in(const double *x, size_t dim, const double *box)
{
    for (size_t i = 0; i < dim; i++)
        if (x[i] < box[i] || x[i] > box[dim + i])
            return false;
    return true;
}

void joint_lines_include(const joint_lines *lines, size_t dim, const double *heap, double *lo, double *hi)
{
    for (size_t j = 0; j < lines->count; j++) {
        const joint_line *line = &lines->items[j];
        if (!joint_line_sound(line, dim) ||
            !(lies_in(line->at[0], dim, heap) || lies_in(line->at[1], dim, heap)))
            continue;
        for (size_t i = 0; i < dim; i++) {
            lo[i] = fmin(lo[i], fmin(line->at[0][i], line->at[1][i]));
            hi[i] = fmax(hi[i], fmax(line->at[0][i], line->at[1][i]));
        }
    }
}

/* ---- how they look ------------------------------------------------------------------------------------ */

double joint_mark(double radius, double unit)
{
    return fmin(fmax(0.3 * radius, 1.5 * unit), 5.0 * unit);
}

/* from ring to ring, by a zigzag in the middle for springs */
static void add_line(cairo_t *cr, mo_joint_kind kind, const double a[2], const double b[2], double mark)
{
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 2.0 * mark))
        return;
    const double t[2] = {(b[0] - a[0]) / length, (b[1] - a[1]) / length}, end = length - mark;
    cairo_move_to(cr, a[0] + mark * t[0], a[1] + mark * t[1]);
    const double first = fmax(0.2 * length, mark), step = (length - 2.0 * first) / ZIGZAGS;
    const double aside = kind == MO_JOINT_SPRING ? fmin(2.0 * mark, 0.12 * length) : 0.0;
    for (int i = 0; i <= ZIGZAGS && aside > 0.0; i++) {
        const double s = first + i * step, off = i == 0 || i == ZIGZAGS ? 0.0 : i % 2 == 0 ? -aside : aside;
        cairo_line_to(cr, a[0] + s * t[0] - off * t[1], a[1] + s * t[1] + off * t[0]);
    }
    cairo_line_to(cr, a[0] + end * t[0], a[1] + end * t[1]);
}

static void add_ring(cairo_t *cr, const double at[2], double mark)
{
    cairo_new_sub_path(cr);
    cairo_arc(cr, at[0], at[1], mark, 0.0, 2.0 * pi);
}

void joint_paint(cairo_t *cr, mo_joint_kind kind, const double a[2], const double b[2], double mark)
{
    for (int i = 0; i < 2; i++)
        if (!(fabs(a[i]) < farthest && fabs(b[i]) < farthest))
            return;
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_new_path(cr);
    add_ring(cr, a, mark);
    /* points that should coincide, and do but for less than can be seen, have one */
    if (hypot(b[0] - a[0], b[1] - a[1]) > 0.5 * mark)
        add_ring(cr, b, mark);
    add_line(cr, kind, a, b, mark);
    /* fine on whatever lies below */
    set_rgb(cr, rgb_white);
    cairo_set_line_width(cr, 0.8 * mark);
    cairo_stroke_preserve(cr);
    set_rgb(cr, rgb_ink);
    cairo_set_line_width(cr, 0.4 * mark);
    cairo_stroke(cr);
}
