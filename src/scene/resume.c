/*
 * Going on from a run file: what the chunk built is compared with the file's body table, bodies made later
 * are brought back, and the last frame is put on.
 */
#include "scene/internal.h"

#include "core/fail.h"
#include "core/search.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mo_status scene_differs(const scene *s, mo_error *err, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fail(err, MO_BAD_INPUT, "resume", "the scene does not build what %s holds: %s", s->options->resume, text);
    fail_at(err, s->options->path, 0);
    return MO_BAD_INPUT;
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static mo_status compare_body(const scene *s, const mo_body_raw *a, const mo_body_raw *b, mo_error *err)
{
    static const char *const kinds[] = {"dynamic", "fixed", "moved"};
    if (a->kind != b->kind)
        return scene_differs(s, err, "body %u is %s in the scene and %s in the file", a->id, kinds[a->kind],
                             kinds[b->kind]);
    if (strcmp(or_empty(a->group), or_empty(b->group)) != 0)
        return scene_differs(s, err, "body %u is of group \"%s\" in the scene and \"%s\" in the file", a->id,
                             or_empty(a->group), or_empty(b->group));
    if (a->has_functions != b->has_functions)
        return scene_differs(s, err, "body %u is given by functions in one of them only", a->id);
    if (a->part_count != b->part_count || a->vertex_count != b->vertex_count)
        return scene_differs(s, err,
                             "body %u has %zu parts with %zu points in the scene, %zu with %zu in the file",
                             a->id, a->part_count, a->vertex_count, b->part_count, b->vertex_count);
    if (a->mass != b->mass && !a->has_functions)
        return scene_differs(s, err, "body %u has mass %.17g in the scene and %.17g in the file", a->id,
                             a->mass, b->mass);
    for (size_t i = 0; i < a->part_count; i++)
        if (a->parts[i].kind != b->parts[i].kind ||
            (a->parts[i].radius != b->parts[i].radius && !a->has_functions))
            return scene_differs(s, err, "part %zu of body %u is another one", i + 1, a->id);
    const size_t dim = (size_t)s->world_def.dim;
    if (a->vertex_count > 0 && memcmp(a->vertices, b->vertices, dim * a->vertex_count * sizeof(double)) != 0)
        return scene_differs(s, err, "the points of body %u are others", a->id);
    if (a->face_length != b->face_length ||
        (a->face_length > 0 && memcmp(a->faces, b->faces, a->face_length * sizeof *a->faces) != 0))
        return scene_differs(s, err, "the faces of body %u are others", a->id);
    return MO_OK;
}

/* every body of the chunk stands in the table and the other way round */
static mo_status compare_bodies(const scene *s, mo_run *run, mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    const mo_body_raw *table = mo_run_bodies(run);
    mo_bodies bodies = mo_world_bodies(s->world);
    for (size_t slot = 0; slot < bodies.count; slot++) {
        size_t row = mo_run_body_row(run, bodies.id[slot]);
        if (row == SIZE_MAX)
            return scene_differs(s, err, "body %u of the scene is not in the file", bodies.id[slot]);
        mo_body_raw raw;
        mo_body_raw_get(s->world, slot, &raw);
        mo_status status = compare_body(s, &raw, &table[row], err);
        if (status != MO_OK)
            return status;
    }
    for (size_t row = 0; row < info->body_count && table[row].id <= bodies.created; row++)
        if (!mo_body_exists(s->world, (mo_body){table[row].id}))
            return scene_differs(s, err, "body %u of the file is not built by the scene", table[row].id);
    return MO_OK;
}

/* bodies made after the chunk; those gone again are passed over */
static mo_status restore_bodies(scene *s, mo_run *run, const mo_frame *frame, uint32_t created, mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    const mo_body_raw *table = mo_run_bodies(run);
    size_t built = mo_world_bodies(s->world).created;
    for (size_t row = 0; row < info->body_count; row++) {
        if (table[row].id <= built || search_u32(frame->id, frame->body_count, table[row].id) == SIZE_MAX)
            continue;
        if (table[row].has_functions) {
            fail(err, MO_BAD_INPUT, "resume",
                 "body %u was made during the run with a motion, load or radius given by a function, which a "
                 "run file "
                 "cannot keep",
                 table[row].id);
            fail_at(err, s->options->resume, 0);
            return MO_BAD_INPUT;
        }
        mo_status status = mo_body_restore(s->world, &table[row], err);
        if (status != MO_OK)
            return status;
    }
    if (mo_world_bodies(s->world).created >= created)
        return MO_OK;
    /* a stand-in for the last body ever made, so that new ids go on from there; the restart removes it */
    static const double centre[3] = {0, 0, 0};
    const mo_part round = {.kind = info->dim == 2 ? MO_PART_DISC : MO_PART_SPHERE,
                           .vertex_count = 1,
                           .radius = 1,
                           .link.chain.before = -1,
                           .link.chain.after = -1};
    mo_body_raw last = {.id = created,
                        .kind = MO_BODY_FIXED,
                        .group = "default",
                        .name = "",
                        .area = 1,
                        .axes = {1, 0, 0, 0},
                        .part_count = 1,
                        .parts = &round,
                        .vertices = centre,
                        .vertex_count = 1};
    return mo_body_restore(s->world, &last, err);
}

static mo_status check_run(const scene *s, const mo_run_info *info, mo_error *err)
{
    if (strcmp(info->kind, "world") != 0)
        return scene_differs(s, err, "it is the run of a %s", info->kind);
    if (info->dim != s->world_def.dim)
        return scene_differs(s, err, "dim is %d in the scene and %d in the file", s->world_def.dim,
                             info->dim);
    if (info->h != s->h)
        return scene_differs(s, err, "h is %.17g in the scene and %.17g in the file", s->h, info->h);
    for (int i = 0; i < info->dim; i++)
        if (info->gravity[i] != s->world_def.gravity[i])
            return scene_differs(s, err, "gravity is another one");
    return MO_OK;
}

/* a body's set of groups is kept by their numbers */
static mo_status compare_groups(const scene *s, const mo_run_info *info, mo_error *err)
{
    size_t n = mo_world_group_count(s->world);
    for (size_t g = 0; g < n && g < info->group_count; g++)
        if (strcmp(mo_world_group_name(s->world, g), info->groups[g]) != 0)
            return scene_differs(s, err, "group %zu is \"%s\" in the scene and \"%s\" in the file", g,
                                 mo_world_group_name(s->world, g), info->groups[g]);
    return MO_OK;
}

static bool has_cell(const mo_frame *f)
{
    return f->cell.periodic[0] || f->cell.periodic[1] || f->cell.periodic[2];
}

/* the world's cell is the file's, but for how it deforms */
static mo_status compare_cell(const scene *s, const mo_frame *f, mo_error *err)
{
    const mo_cell now = mo_world_cell(s->world);
    for (int k = 0; k < 3; k++)
        if (now.periodic[k] != f->cell.periodic[k] || (now.periodic[k] && now.origin[k] != f->cell.origin[k]))
            return scene_differs(s, err, "the periodic cell is another one");
    return MO_OK;
}

static mo_status apply_frame(scene *s, const mo_frame *f, mo_error *err)
{
    mo_restart restart = {.totals = f->totals,
                          .body_count = f->body_count,
                          .id = f->id,
                          .q = f->q,
                          .u = f->u,
                          .load = f->load,
                          .force = f->force,
                          .contact_count = f->contact_count,
                          .id1 = f->id1,
                          .id2 = f->id2,
                          .feature = f->feature,
                          .point = f->point,
                          .normal = f->normal,
                          .gap = f->gap,
                          .impulse = f->impulse,
                          .velocity = f->velocity,
                          .status = f->status,
                          .memory = f->memory,
                          .rest = f->rest,
                          .edges = has_cell(f) ? f->cell.edges : NULL,
                          .rate = f->cell.rate};
    mo_status status = mo_world_restore(s->world, &restart, err);
    if (status != MO_OK)
        return status;
    s->random = (rng){f->random[0], f->random[1]};
    scene_skip_timed(s, f->step);
    return MO_OK;
}

mo_status scene_resume(scene *s, mo_run *run, const char *path, mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    mo_status status = check_run(s, info, err);
    if (status == MO_OK)
        status = compare_bodies(s, run, err);
    if (status != MO_OK)
        return status;
    mo_frame frame;
    status = mo_run_frame(run, info->frames - 1, &frame, err);
    if (status != MO_OK)
        return status;
    uint32_t created = 0;
    status = scene_read_state(s, frame.state_text, &created, err);
    if (status == MO_OK)
        status = restore_bodies(s, run, &frame, created, err);
    if (status == MO_OK)
        status = compare_groups(s, info, err);
    if (status == MO_OK)
        status = compare_cell(s, &frame, err);
    if (status == MO_OK)
        status = apply_frame(s, &frame, err);
    mo_frame_free(&frame);
    if (status != MO_OK)
        fail_at(err, path, 0);
    return status;
}
