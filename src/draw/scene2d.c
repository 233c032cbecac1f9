/*
 * Frames as plain data, and what is computed from them for colouring.
 *
 * The stress of a body is the Love-Weber mean over its area A from its contacts at x_c with forces f = S/h,
 *     sigma = -1/A sum f (x_c - x)^T   (compression positive),   drawn is trace(sigma)/2.
 */
#include "draw/scene2d.h"

#include "core/fail.h"
#include "core/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* beyond this, products of differences could overflow */
static const double largest_coordinate = 1e100;

bool draw_usable(double x)
{
    return fabs(x) < largest_coordinate; /* false for NaN */
}

bool body2d_drawable(const body2d *body)
{
    return draw_usable(body->q[0]) && draw_usable(body->q[1]) && draw_usable(body->q[2]);
}

const double *part2d_points(const body2d *body, const mo_part *part)
{
    uint32_t least = part->kind == MO_PART_DISC ? 1 : part->kind == MO_PART_SEGMENT ? 2 : 3;
    if (part->vertex_count < least || body->vertices == NULL)
        return NULL;
    if ((size_t)part->vertex_first + part->vertex_count > body->vertex_count)
        return NULL;
    const double *points = body->vertices + 2 * (size_t)part->vertex_first;
    for (size_t i = 0; i < 2 * (size_t)part->vertex_count; i++)
        if (!draw_usable(points[i]))
            return NULL;
    return points;
}

void body2d_place(const body2d *body, const double local[2], double world[2])
{
    double c = cos(body->q[2]), s = sin(body->q[2]);
    world[0] = body->q[0] + c * local[0] - s * local[1];
    world[1] = body->q[1] + s * local[0] + c * local[1];
}

bool part2d_halfplane(const body2d *body, const mo_part *part, double normal[2], double *offset)
{
    double length = hypot(part->normal[0], part->normal[1]);
    if (!draw_usable(length) || length == 0.0 || !draw_usable(part->offset / length))
        return false;
    double c = cos(body->q[2]), s = sin(body->q[2]);
    double n[2] = {part->normal[0] / length, part->normal[1] / length};
    normal[0] = c * n[0] - s * n[1];
    normal[1] = s * n[0] + c * n[1];
    *offset = part->offset / length + normal[0] * body->q[0] + normal[1] * body->q[1];
    return true;
}

double part2d_radius(const body2d *body, const mo_part *part)
{
    if (part->kind != MO_PART_DISC)
        return 0.0;
    return body->radius > 0.0 ? body->radius : part->radius;
}

bool part2d_bounds(const body2d *body, const mo_part *part, box2d *out)
{
    if (part->kind == MO_PART_HALFPLANE)
        return false;
    const double *points = part2d_points(body, part);
    if (points == NULL)
        return false;
    double r = part2d_radius(body, part);
    if (!draw_usable(r) || r < 0.0)
        return false;
    box2d box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < part->vertex_count; i++) {
        double x[2];
        body2d_place(body, points + 2 * i, x);
        for (int k = 0; k < 2; k++) {
            box.lo[k] = fmin(box.lo[k], x[k] - r);
            box.hi[k] = fmax(box.hi[k], x[k] + r);
        }
    }
    *out = box;
    return true;
}

bool body2d_bounds(const body2d *body, box2d *out)
{
    bool any = false;
    box2d box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}}, part;
    for (size_t i = 0; i < body->part_count; i++) {
        if (!part2d_bounds(body, &body->parts[i], &part))
            continue;
        any = true;
        for (int k = 0; k < 2; k++) {
            box.lo[k] = fmin(box.lo[k], part.lo[k]);
            box.hi[k] = fmax(box.hi[k], part.hi[k]);
        }
    }
    if (any)
        *out = box;
    return any;
}

void scene_arm(const periodic_cell *cell, size_t dim, const double *q, const double *point, double *arm)
{
    double s[3] = {0, 0, 0};
    for (size_t k = 0; k < dim; k++)
        arm[k] = point[k] - q[k];
    if (cell->dim == dim)
        cell_nearest(cell, arm, s);
    for (size_t k = 0; k < dim; k++)
        arm[k] -= s[k];
}

/* adds a contact's share of -trace(f (x_c - x)^T) to both bodies */
static void add_stress(const scene2d *scene, const contact2d *c, double *value)
{
    double f[2] = {c->impulse[0] * c->normal[0] - c->impulse[1] * c->normal[1],
                   c->impulse[0] * c->normal[1] + c->impulse[1] * c->normal[0]};
    double ra[2], rb[2];
    scene_arm(&scene->cell, 2, scene->bodies[c->a].q, c->point, ra);
    scene_arm(&scene->cell, 2, scene->bodies[c->b].q, c->point, rb);
    value[c->a] -= f[0] * ra[0] + f[1] * ra[1];
    value[c->b] += f[0] * rb[0] + f[1] * rb[1];
}

static void stress_values(const scene2d *scene, double *value)
{
    for (size_t i = 0; i < scene->body_count; i++)
        value[i] = 0.0;
    for (size_t i = 0; i < scene->contact_count; i++)
        add_stress(scene, &scene->contacts[i], value);
    for (size_t i = 0; i < scene->body_count; i++) {
        const body2d *b = &scene->bodies[i];
        value[i] = b->wall || b->area <= 0.0 ? (double)NAN : 0.5 * value[i] / (scene->h * b->area);
    }
}

void scene2d_values(const scene2d *scene, draw_color color, double *value)
{
    if (scene->words != NULL) {
        memcpy(value, scene->values, scene->body_count * sizeof *value);
        return;
    }
    if (color == DRAW_BY_STRESS) {
        stress_values(scene, value);
        return;
    }
    for (size_t i = 0; i < scene->body_count; i++) {
        const body2d *b = &scene->bodies[i];
        value[i] = b->wall                  ? (double)NAN
                   : color == DRAW_BY_GROUP ? (double)b->group
                                            : hypot(b->u[0], b->u[1]);
    }
}

uint32_t scene_group(const mo_run_info *info, const char *name)
{
    for (size_t g = 0; name != NULL && g < info->group_count; g++)
        if (strcmp(info->groups[g], name) == 0)
            return (uint32_t)g;
    return 0;
}

/* radius and area at the frame, which may differ from those of the table */
static void fill_radius(const mo_body_raw *raw, const mo_frame *frame, size_t i, body2d *out)
{
    const bool disc = raw->part_count == 1 && raw->parts[0].kind == MO_PART_DISC && raw->vertex_count == 1 &&
                      raw->vertices[0] == 0.0 && raw->vertices[1] == 0.0;
    if (frame->radius == NULL || !disc || !(frame->radius[i] > 0.0) ||
        frame->radius[i] == raw->parts[0].radius)
        return;
    out->radius = frame->radius[i];
    out->area = 3.14159265358979323846 * out->radius * out->radius;
}

static void fill_body(const mo_run_info *info, const mo_body_raw *raw, const mo_frame *frame, size_t i,
                      body2d *out)
{
    memcpy(out->q, frame->q + 3 * i, sizeof out->q);
    memcpy(out->u, frame->u + 3 * i, sizeof out->u);
    out->area = raw->area;
    out->wall = raw->kind != MO_BODY_DYNAMIC;
    out->group = scene_group(info, raw->group);
    out->parts = raw->parts;
    out->part_count = raw->part_count;
    out->vertices = raw->vertices;
    out->vertex_count = raw->vertex_count;
    fill_radius(raw, frame, i, out);
}

bool scene_contact(const mo_frame *frame, size_t contact, size_t *a, size_t *b)
{
    *a = search_u32(frame->id, frame->body_count, frame->id1[contact]);
    *b = search_u32(frame->id, frame->body_count, frame->id2[contact]);
    return *a != SIZE_MAX && *b != SIZE_MAX;
}

static void fill_contacts(const mo_frame *frame, scene2d *out)
{
    for (size_t i = 0; i < frame->contact_count; i++) {
        contact2d *c = &out->contacts[out->contact_count];
        if (!scene_contact(frame, i, &c->a, &c->b))
            continue;
        memcpy(c->point, frame->point + 2 * i, sizeof c->point);
        memcpy(c->normal, frame->normal + 2 * i, sizeof c->normal);
        memcpy(c->impulse, frame->impulse + 2 * i, sizeof c->impulse);
        out->contact_count++;
    }
}

void scene_cell(const mo_cell *from, size_t dim, periodic_cell *out)
{
    bool some = false, sound = true;
    for (size_t k = 0; k < dim; k++) {
        out->along[k] = from->periodic[k];
        out->origin[k] = from->origin[k];
        some = some || from->periodic[k];
        sound = sound && draw_usable(from->origin[k]);
        for (size_t i = 0; i < dim; i++)
            sound = sound && draw_usable(from->edges[3 * i + k]);
    }
    out->dim = some && sound && cell_set(out, from->edges) ? dim : 0;
}

void scene_cell_corner(const periodic_cell *cell, unsigned corner, double *out)
{
    for (size_t i = 0; i < cell->dim; i++) {
        out[i] = cell->origin[i];
        for (size_t k = 0; k < cell->dim; k++)
            out[i] += cell->along[k] && (corner >> k & 1U) != 0 ? cell->H[3 * i + k] : 0.0;
    }
}

void scene_include_cell(const periodic_cell *cell, double *lo, double *hi)
{
    for (unsigned corner = 0; corner < 1U << cell->dim; corner++) {
        double x[3];
        scene_cell_corner(cell, corner, x);
        for (size_t i = 0; i < cell->dim; i++) {
            // what has no period has no ends
            if (!cell->along[i])
                continue;
            lo[i] = fmin(lo[i], x[i]);
            hi[i] = fmax(hi[i], x[i]);
        }
    }
}

mo_status scene_check_rows(const mo_frame *frame, size_t table_count, mo_error *err)
{
    for (size_t i = 0; i < frame->body_count; i++)
        if (frame->row[i] >= table_count)
            return fail(err, MO_BAD_FILE, "row", "body %u of the frame has row %u of a table with %zu rows",
                        (unsigned)frame->id[i], (unsigned)frame->row[i], table_count);
    return MO_OK;
}

/* way from the image of a part in the cell to the part; none of parts without bounds */
static void part_shift(const periodic_cell *cell, const body2d *body, const mo_part *part, double s[2])
{
    box2d box;
    s[0] = s[1] = 0.0;
    if (!part2d_bounds(body, part, &box))
        return;
    const double middle[2] = {0.5 * (box.lo[0] + box.hi[0]), 0.5 * (box.lo[1] + box.hi[1])};
    cell_inside(cell, middle, s);
}

/* parts from `first` on that have the same shift */
static size_t run_of_parts(const periodic_cell *cell, const body2d *body, size_t first, double s[2])
{
    size_t end = first + 1;
    part_shift(cell, body, &body->parts[first], s);
    for (double next[2]; end < body->part_count; end++) {
        part_shift(cell, body, &body->parts[end], next);
        if (next[0] != s[0] || next[1] != s[1])
            break;
    }
    return end - first;
}

/* some parts of a body, shifted into the cell */
static body2d piece_of(const body2d *body, size_t first, size_t count, const double s[2])
{
    body2d piece = *body;
    piece.parts += first;
    piece.part_count = count;
    piece.q[0] -= s[0];
    piece.q[1] -= s[1];
    return piece;
}

/*
 * Bodies with a motion leave a periodic cell for good, and walls reach across its faces, where free bodies
 * enter it on the other side.  Their parts are drawn in the cell: a wall whose parts are shifted by different
 * ways becomes several bodies, the first in its own place, the others behind all bodies.  false: no memory.
 */
static bool fold_walls(scene2d *scene)
{
    const size_t count = scene->body_count;
    for (size_t i = 0; i < count; i++) {
        const body2d whole = scene->bodies[i];
        if (!whole.wall || whole.part_count == 0 || !body2d_drawable(&whole))
            continue;
        double s[2];
        size_t run = run_of_parts(&scene->cell, &whole, 0, s);
        scene->bodies[i] = piece_of(&whole, 0, run, s);
        for (size_t first = run; first < whole.part_count; first += run) {
            run = run_of_parts(&scene->cell, &whole, first, s);
            body2d *more = realloc(scene->bodies, (scene->body_count + 2) * sizeof *more);
            if (more == NULL)
                return false;
            scene->bodies = more;
            more[scene->body_count++] = piece_of(&whole, first, run, s);
        }
    }
    return true;
}

mo_status scene2d_from_frame(const mo_run_info *info, const mo_body_raw *table, size_t table_count,
                             const mo_frame *frame, scene2d *out, mo_error *err)
{
    mo_status status = scene_check_rows(frame, table_count, err);
    if (status != MO_OK)
        return status;
    scene2d scene = {.time = frame->time, .h = info->h};
    scene.group_count = info->group_count;
    scene.groups = info->groups;
    scene.bodies = calloc(frame->body_count + 1, sizeof *scene.bodies);
    scene.contacts = calloc(frame->contact_count + 1, sizeof *scene.contacts);
    if (scene.bodies == NULL || scene.contacts == NULL) {
        scene2d_free(&scene);
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu bodies", frame->body_count);
    }
    scene.body_count = frame->body_count;
    for (size_t i = 0; i < frame->body_count; i++)
        fill_body(info, &table[frame->row[i]], frame, i, &scene.bodies[i]);
    fill_contacts(frame, &scene);
    scene_cell(&frame->cell, 2, &scene.cell);
    if (scene.cell.dim == 2 && !fold_walls(&scene)) {
        scene2d_free(&scene);
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu bodies", frame->body_count);
    }
    *out = scene;
    return MO_OK;
}

void scene2d_free(scene2d *scene)
{
    free(scene->bodies);
    free(scene->contacts);
    joint_lines_free(&scene->joints);
    memset(scene, 0, sizeof *scene);
}
