/*
 * A frame put on a world that was built as the run's was: what stands in the world is compared with the
 * file's body table, bodies made later are brought back, and the state is restored.
 */
#include "record/run.h"

#include "core/fail.h"
#include "core/search.h"
#include "world/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static mo_status differs(mo_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

static mo_status differs(mo_error *err, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail(err, MO_BAD_INPUT, "resume", "%s", text);
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

/* what a body of the same shape and mass may differ in */
static mo_status compare_freedoms(const mo_body_raw *a, const mo_body_raw *b, mo_error *err)
{
    if ((a->inertia != b->inertia || memcmp(a->inertia3, b->inertia3, sizeof a->inertia3) != 0) &&
        !a->has_functions)
        return differs(err, "body %u has another inertia than in the file", a->id);
    if (a->free != b->free)
        return differs(err, "body %u has other freedoms than in the file", a->id);
    if (a->limited != b->limited || (a->limited && a->collides_groups != b->collides_groups))
        return differs(err, "body %u can touch other groups than in the file", a->id);
    return MO_OK;
}

static bool same_part(const mo_part *a, const mo_part *b, bool same_radius)
{
    return a->kind == b->kind && (a->radius == b->radius || !same_radius) && a->offset == b->offset &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0;
}

static mo_status compare_body(const mo_world *w, const mo_body_raw *a, const mo_body_raw *b, mo_error *err)
{
    static const char *const kinds[] = {"dynamic", "fixed", "moved"};
    if (a->kind != b->kind)
        return differs(err, "body %u is %s here and %s in the file", a->id, kinds[a->kind], kinds[b->kind]);
    if (strcmp(or_empty(a->group), or_empty(b->group)) != 0)
        return differs(err, "body %u is of group \"%s\" here and \"%s\" in the file", a->id,
                       or_empty(a->group), or_empty(b->group));
    if (a->has_functions != b->has_functions)
        return differs(err, "body %u is given by functions in one of them only", a->id);
    if (a->part_count != b->part_count || a->vertex_count != b->vertex_count)
        return differs(err, "body %u has %zu parts with %zu points here, %zu with %zu in the file", a->id,
                       a->part_count, a->vertex_count, b->part_count, b->vertex_count);
    if (a->mass != b->mass && !a->has_functions)
        return differs(err, "body %u has mass %.17g here and %.17g in the file", a->id, a->mass, b->mass);
    for (size_t i = 0; i < a->part_count; i++)
        if (!same_part(&a->parts[i], &b->parts[i], !a->has_functions))
            return differs(err, "part %zu of body %u is another one", i + 1, a->id);
    const size_t dim = (size_t)w->def.dim;
    if (a->vertex_count > 0 && memcmp(a->vertices, b->vertices, dim * a->vertex_count * sizeof(double)) != 0)
        return differs(err, "the points of body %u are others", a->id);
    if (a->face_length != b->face_length ||
        (a->face_length > 0 && memcmp(a->faces, b->faces, a->face_length * sizeof *a->faces) != 0))
        return differs(err, "the faces of body %u are others", a->id);
    return compare_freedoms(a, b, err);
}

/* every body of the world stands in the table and the other way round */
static mo_status compare_bodies(const mo_world *w, mo_run *run, mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    const mo_body_raw *table = mo_run_bodies(run);
    mo_bodies all = mo_world_bodies(w);
    for (size_t slot = 0; slot < all.count; slot++) {
        size_t row = mo_run_body_row(run, all.id[slot]);
        if (row == SIZE_MAX)
            return differs(err, "body %u is not in the file", all.id[slot]);
        mo_body_raw raw;
        mo_body_raw_get(w, slot, &raw);
        mo_status status = compare_body(w, &raw, &table[row], err);
        if (status != MO_OK)
            return status;
    }
    for (size_t row = 0; row < info->body_count && table[row].id <= all.created; row++)
        if (!mo_body_exists(w, (mo_body){table[row].id}))
            return differs(err, "body %u of the file is not here", table[row].id);
    return MO_OK;
}

/* Spins of the frame are along the axes that the file says: earlier versions kept those of some balls along
   principal axes, too. */
static void take_axes(mo_world *w, const mo_run *run)
{
    const mo_body_raw *table = mo_run_bodies(run);
    bodies *b = &w->bodies;
    for (size_t slot = 0; b->dim == 3 && slot < b->count; slot++) {
        const size_t row = mo_run_body_row(run, b->id[slot]);
        // the stand-in for the last body is in no table
        if (row != SIZE_MAX && table[row].oriented)
            b->oriented[slot] = 1;
    }
}

/* bodies made on the way; those gone again are passed over */
static mo_status restore_bodies(mo_world *w, mo_run *run, const mo_frame *frame, uint32_t created,
                                mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    const mo_body_raw *table = mo_run_bodies(run);
    size_t built = mo_world_bodies(w).created;
    for (size_t row = 0; row < info->body_count; row++) {
        if (table[row].id <= built || search_u32(frame->id, frame->body_count, table[row].id) == SIZE_MAX)
            continue;
        if (table[row].has_functions)
            return differs(err,
                           "body %u was made during the run with a motion, load or radius given by a "
                           "function, which a run file cannot keep",
                           table[row].id);
        mo_status status = mo_body_restore(w, &table[row], err);
        if (status != MO_OK)
            return status;
    }
    if (mo_world_bodies(w).created >= created)
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
    return mo_body_restore(w, &last, err);
}

static mo_status check_run(const mo_world *w, const mo_run_info *info, mo_error *err)
{
    if (strcmp(info->kind, "world") != 0)
        return differs(err, "it is the run of a %s", info->kind);
    if (info->dim != w->def.dim)
        return differs(err, "dim is %d here and %d in the file", w->def.dim, info->dim);
    if (info->h != w->def.h)
        return differs(err, "h is %.17g here and %.17g in the file", w->def.h, info->h);
    for (int i = 0; i < info->dim; i++)
        if (info->gravity[i] != w->def.gravity[i])
            return differs(err, "gravity is another one");
    return MO_OK;
}

/* a body's set of groups is kept by their numbers */
static mo_status compare_groups(const mo_world *w, const mo_run_info *info, mo_error *err)
{
    size_t n = mo_world_group_count(w);
    for (size_t g = 0; g < n && g < info->group_count; g++)
        if (strcmp(mo_world_group_name(w, g), info->groups[g]) != 0)
            return differs(err, "group %zu is \"%s\" here and \"%s\" in the file", g,
                           mo_world_group_name(w, g), info->groups[g]);
    return MO_OK;
}

static bool has_cell(const mo_frame *f)
{
    return f->cell.periodic[0] || f->cell.periodic[1] || f->cell.periodic[2];
}

/* the world's cell is the file's, but for how it deforms */
static mo_status compare_cell(const mo_world *w, const mo_frame *f, mo_error *err)
{
    const mo_cell now = mo_world_cell(w);
    for (int k = 0; k < 3; k++)
        if (now.periodic[k] != f->cell.periodic[k] || (now.periodic[k] && now.origin[k] != f->cell.origin[k]))
            return differs(err, "the periodic cell is another one");
    return MO_OK;
}

static mo_status apply_frame(mo_world *w, const mo_frame *f, mo_error *err)
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
                          .rate = f->cell.rate,
                          .radius = f->radius};
    return mo_world_restore(w, &restart, err);
}

mo_status mo_run_match(mo_run *run, const mo_world *world, mo_error *err)
{
    mo_status status = check_run(world, mo_run_info_get(run), err);
    return status == MO_OK ? compare_bodies(world, run, err) : status;
}

mo_status mo_run_restore(mo_run *run, const mo_frame *frame, uint32_t created, mo_world *world, mo_error *err)
{
    mo_status status = mo_run_match(run, world, err);
    if (status == MO_OK)
        status = compare_cell(world, frame, err);
    if (status == MO_OK)
        status = restore_bodies(world, run, frame, created, err);
    if (status == MO_OK)
        status = compare_groups(world, mo_run_info_get(run), err);
    if (status != MO_OK)
        return status;
    take_axes(world, run);
    return apply_frame(world, frame, err);
}
