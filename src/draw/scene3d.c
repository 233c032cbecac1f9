/*
 * Frames in space as plain data, and what is computed from them for colouring.
 *
 * The stress of a body is the Love-Weber mean over its volume V from its contacts at x_c with forces f = S/h,
 *     sigma = -1/V sum f (x_c - x)^T   (compression positive),   drawn is trace(sigma)/3.
 */
#include "draw/scene3d.h"

#include "core/fail.h"
#include "draw/scene2d.h"
#include "math/quat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool usable_vector(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!draw_usable(x[i]))
            return false;
    return true;
}

void body3d_set(body3d *body, const double q[7])
{
    double turn[4] = {q[3], q[4], q[5], q[6]};
    body->sound = usable_vector(q, 7);
    quat_normalise(turn);
    vec3_copy(q, body->x);
    quat_to_matrix(turn, body->turn);
}

size_t part3d_corners(const mo_part *part)
{
    switch (part->kind) {
    case MO_PART_SPHERE:
        return 1;
    case MO_PART_CAPSULE:
    case MO_PART_CYLINDER:
        return 2;
    case MO_PART_TRIANGLE:
        return 3;
    case MO_PART_POLYHEDRON:
        return part->vertex_count;
    default:
        return 0;
    }
}

double part3d_radius(const body3d *body, const mo_part *part)
{
    if (part->kind == MO_PART_SPHERE && body->radius > 0.0)
        return body->radius;
    bool is_round =
        part->kind == MO_PART_SPHERE || part->kind == MO_PART_CAPSULE || part->kind == MO_PART_CYLINDER;
    return is_round ? part->radius : 0.0;
}

const double *part3d_points(const body3d *body, const mo_part *part)
{
    size_t count = part3d_corners(part);
    double r = part3d_radius(body, part);
    if (count == 0 || part->vertex_count < count || body->vertices == NULL || !draw_usable(r) || r < 0.0)
        return NULL;
    if ((size_t)part->vertex_first + part->vertex_count > body->vertex_count)
        return NULL;
    const double *points = body->vertices + 3 * (size_t)part->vertex_first;
    return usable_vector(points, 3 * count) ? points : NULL;
}

void body3d_place(const body3d *body, const double local[3], double world[3])
{
    const double *R = body->turn;
    vec3_set(world, body->x[0] + vec3_dot(R, local), body->x[1] + vec3_dot(R + 3, local),
             body->x[2] + vec3_dot(R + 6, local));
}

bool part3d_plane(const body3d *body, const mo_part *part, double normal[3], double *offset)
{
    const double *R = body->turn;
    double length = vec3_norm(part->normal), n[3];
    if (!draw_usable(length) || length == 0.0 || !draw_usable(part->offset / length))
        return false;
    vec3_scale(1.0 / length, part->normal, n);
    vec3_set(normal, vec3_dot(R, n), vec3_dot(R + 3, n), vec3_dot(R + 6, n));
    *offset = part->offset / length + vec3_dot(normal, body->x);
    return true;
}

static const box3d box3d_none = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

bool part3d_bounds(const body3d *body, const mo_part *part, box3d *out)
{
    const double *points = part3d_points(body, part);
    if (points == NULL)
        return false;
    double r = part3d_radius(body, part);
    *out = box3d_none;
    for (size_t i = 0; i < part3d_corners(part); i++) {
        double x[3];
        body3d_place(body, points + 3 * i, x);
        for (int k = 0; k < 3; k++) {
            out->lo[k] = fmin(out->lo[k], x[k] - r);
            out->hi[k] = fmax(out->hi[k], x[k] + r);
        }
    }
    return true;
}

bool body3d_bounds(const body3d *body, box3d *out)
{
    bool any = false;
    box3d box = box3d_none, part;
    for (size_t i = 0; i < body->part_count; i++) {
        if (!part3d_bounds(body, &body->parts[i], &part))
            continue;
        any = true;
        for (int k = 0; k < 3; k++) {
            box.lo[k] = fmin(box.lo[k], part.lo[k]);
            box.hi[k] = fmax(box.hi[k], part.hi[k]);
        }
    }
    if (any)
        *out = box;
    return any;
}

double body3d_radius(const body3d *body)
{
    box3d box;
    if (body->volume > 0.0 && isfinite(body->volume))
        return cbrt(body->volume * 0.75 / 3.14159265358979323846);
    if (!body3d_bounds(body, &box))
        return 0.0;
    return 0.5 * fmax(box.hi[0] - box.lo[0], fmax(box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]));
}

/* adds a contact's share of -trace(f (x_c - x)^T) to both bodies */
static void add_stress(const scene3d *scene, const contact3d *c, double *value)
{
    double t[3], s[3], f[3], arm[3];
    mo_tangent(c->normal, t);
    vec3_cross(c->normal, t, s);
    vec3_scale(c->impulse[0], c->normal, f);
    vec3_add_scaled(f, c->impulse[1], t, f);
    vec3_add_scaled(f, c->impulse[2], s, f);
    scene_arm(&scene->cell, 3, scene->bodies[c->a].x, c->point, arm);
    value[c->a] -= vec3_dot(f, arm);
    scene_arm(&scene->cell, 3, scene->bodies[c->b].x, c->point, arm);
    value[c->b] += vec3_dot(f, arm);
}

static void stress_values(const scene3d *scene, double *value)
{
    for (size_t i = 0; i < scene->body_count; i++)
        value[i] = 0.0;
    for (size_t i = 0; i < scene->contact_count; i++)
        add_stress(scene, &scene->contacts[i], value);
    for (size_t i = 0; i < scene->body_count; i++) {
        const body3d *b = &scene->bodies[i];
        value[i] = b->wall || b->volume <= 0.0 ? (double)NAN : value[i] / (3.0 * scene->h * b->volume);
    }
}

void scene3d_values(const scene3d *scene, draw_color color, double *value)
{
    if (color == DRAW_BY_STRESS) {
        stress_values(scene, value);
        return;
    }
    for (size_t i = 0; i < scene->body_count; i++) {
        const body3d *b = &scene->bodies[i];
        value[i] = b->wall ? (double)NAN : color == DRAW_BY_GROUP ? (double)b->group : vec3_norm(b->velocity);
    }
}

/* whether the radius of the frame, which may differ from that of the table, is the ball's */
static bool is_centred_ball(const mo_body_raw *raw)
{
    return raw->part_count == 1 && raw->parts[0].kind == MO_PART_SPHERE && raw->vertex_count == 1 &&
           raw->vertices[0] == 0.0 && raw->vertices[1] == 0.0 && raw->vertices[2] == 0.0;
}

static void fill_body(const mo_run_info *info, const mo_body_raw *raw, const mo_frame *frame, size_t i,
                      body3d *out)
{
    body3d_set(out, frame->q + 7 * i);
    vec3_copy(frame->u + 6 * i, out->velocity);
    out->volume = raw->area;
    out->wall = raw->kind != MO_BODY_DYNAMIC;
    out->group = scene_group(info, raw->group);
    out->parts = raw->parts;
    out->part_count = raw->part_count;
    out->vertices = raw->vertices;
    out->vertex_count = raw->vertex_count;
    out->faces = raw->faces;
    out->face_length = raw->face_length;
    if (frame->radius == NULL || !is_centred_ball(raw))
        return;
    out->radius = frame->radius[i];
    if (out->radius > 0.0 && out->radius != raw->parts[0].radius)
        out->volume = 4.0 / 3.0 * 3.14159265358979323846 * pow(out->radius, 3.0);
}

static void fill_contacts(const mo_frame *frame, scene3d *out)
{
    for (size_t i = 0; i < frame->contact_count; i++) {
        contact3d *c = &out->contacts[out->contact_count];
        if (!scene_contact(frame, i, &c->a, &c->b))
            continue;
        vec3_copy(frame->point + 3 * i, c->point);
        vec3_copy(frame->normal + 3 * i, c->normal);
        vec3_copy(frame->impulse + 3 * i, c->impulse);
        out->contact_count++;
    }
}

mo_status scene3d_from_frame(const mo_run_info *info, const mo_body_raw *table, size_t table_count,
                             const mo_frame *frame, scene3d *out, mo_error *err)
{
    mo_status status = scene_check_rows(frame, table_count, err);
    if (status != MO_OK)
        return status;
    scene3d scene = {.time = frame->time, .h = info->h};
    vec3_copy(info->gravity, scene.gravity);
    scene.group_count = info->group_count;
    scene.groups = info->groups;
    scene.bodies = calloc(frame->body_count + 1, sizeof *scene.bodies);
    scene.contacts = calloc(frame->contact_count + 1, sizeof *scene.contacts);
    if (scene.bodies == NULL || scene.contacts == NULL) {
        scene3d_free(&scene);
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu bodies", frame->body_count);
    }
    scene.body_count = frame->body_count;
    for (size_t i = 0; i < frame->body_count; i++)
        fill_body(info, &table[frame->row[i]], frame, i, &scene.bodies[i]);
    fill_contacts(frame, &scene);
    scene_cell(&frame->cell, 3, &scene.cell);
    *out = scene;
    return MO_OK;
}

void scene3d_free(scene3d *scene)
{
    free(scene->bodies);
    free(scene->contacts);
    joint_lines_free(&scene->joints);
    memset(scene, 0, sizeof *scene);
}
