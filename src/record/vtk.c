/*
 * Frames for ParaView without HDF5: per frame one VTU file with the outlines or surfaces of bodies and one
 * with contacts, and a PVD file that lists each kind over time.  Discs are drawn as polygons of 32 corners,
 * parts in space as vtk_solid.c shows them, half-planes and planes left out.
 */
#include "record/vtk.h"
#include "record/pose.h"
#include "record/run.h"

#include "collide/contacts.h"
#include "core/fail.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <moreau/record.h>
#include <string.h>
#include <sys/stat.h>

#define DISC_CORNERS 32u
#define TAU 6.283185307179586

typedef struct frame_view {
    const mo_run *run;
    const mo_frame *frame;
} frame_view;

/* one cell of the picture: a part of a body in a frame */
typedef struct cell {
    size_t body;
    const mo_body_raw *raw;
    const mo_part *part;
} cell;

static bool is_shown(const mo_part *part)
{
    return part->kind != MO_PART_HALFPLANE && part->kind != MO_PART_PLANE;
}

typedef void (*cell_fn)(FILE *out, const mo_frame *f, const cell *c, size_t *total);

static void for_cells(FILE *out, const frame_view *v, cell_fn fn, size_t *total)
{
    const mo_body_raw *table = mo_run_bodies(v->run);
    for (size_t i = 0; i < v->frame->body_count; i++) {
        const mo_body_raw *raw = &table[v->frame->row[i]];
        for (size_t p = 0; p < raw->part_count; p++) {
            const cell c = {i, raw, &raw->parts[p]};
            if (is_shown(c.part))
                fn(out, v->frame, &c, total);
        }
    }
}

static size_t corner_count(const mo_part *part)
{
    if (part->kind >= MO_PART_SPHERE)
        return solid_corners(part);
    return part->kind == MO_PART_DISC ? DISC_CORNERS : part->vertex_count;
}

/* of a disc or sphere whose radius is a function of time the frame knows it */
static double radius_of(const mo_frame *f, const cell *c)
{
    const bool grows = c->raw->has_functions && c->raw->part_count == 1 &&
                       (c->part->kind == MO_PART_DISC || c->part->kind == MO_PART_SPHERE);
    return grows ? f->radius[c->body] : c->part->radius;
}

static void flat_corner(const mo_part *part, double radius, const double *vertices, size_t k, double out[2])
{
    if (part->kind == MO_PART_DISC) {
        out[0] = vertices[0] + radius * cos(TAU * (double)k / DISC_CORNERS);
        out[1] = vertices[1] + radius * sin(TAU * (double)k / DISC_CORNERS);
    } else {
        out[0] = vertices[2 * k];
        out[1] = vertices[2 * k + 1];
    }
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void count_cell(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)out;
    total[0]++;
    total[1] += corner_count(c->part);
    if (f->dim == 3)
        total[2] += solid_faces(NULL, c->raw, c->part, 0);
}

static void point_line(FILE *out, const double x[3])
{
    fprintf(out, "%.17g %.17g %.17g\n", vtk_number(x[0]), vtk_number(x[1]), vtk_number(x[2]));
}

static void cell_points(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    const double *vertices = c->raw->vertices + (size_t)f->dim * c->part->vertex_first;
    const double radius = radius_of(f, c);
    double local[3], world[3] = {0, 0, 0};
    for (size_t k = 0; k < corner_count(c->part); k++) {
        (f->dim == 2 ? flat_corner : solid_corner)(c->part, radius, vertices, k, local);
        pose_point(f, c->body, local, world);
        point_line(out, world);
    }
}

static void cell_offset(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)f;
    *total += corner_count(c->part);
    fprintf(out, "%zu\n", *total);
}

static void cell_type(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    int type = c->part->kind == MO_PART_SEGMENT ? VTK_LINE : VTK_POLYGON;
    if (f->dim == 3)
        type = solid_is_closed(c->part) ? VTK_POLYHEDRON : VTK_TRIANGLE;
    fprintf(out, "%d\n", type);
}

static void cell_faces(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)f;
    solid_faces(out, c->raw, c->part, *total);
    *total += corner_count(c->part);
}

/* where the faces of a cell end; -1: it has none */
static void cell_face_offset(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)f;
    *total += solid_faces(NULL, c->raw, c->part, 0);
    if (solid_is_closed(c->part))
        fprintf(out, "%zu\n", *total);
    else
        fputs("-1\n", out);
}

static void cell_id(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    fprintf(out, "%u\n", f->id[c->body]);
}

/* the first dim numbers of a body's u */
static void velocity_of(const mo_frame *f, size_t body, double out[3])
{
    const double *u = f->u + velocity_width(f) * body;
    vec3_set(out, u[0], u[1], f->dim == 2 ? 0 : u[2]);
}

static void cell_velocity(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    double v[3];
    velocity_of(f, c->body, v);
    point_line(out, v);
}

static void cell_speed(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    double v[3];
    velocity_of(f, c->body, v);
    fprintf(out, "%.17g\n", vtk_number(f->dim == 2 ? hypot(v[0], v[1]) : vec3_norm(v)));
}

static void cell_spin(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    double w[3];
    if (f->dim == 2) {
        fprintf(out, "%.17g\n", vtk_number(f->u[3 * c->body + 2]));
    } else {
        pose_spin(f, c->body, c->raw, w);
        point_line(out, w);
    }
}

/* groups are numbered in the order of mo_run_info.groups */
static void write_groups(FILE *out, const frame_view *v)
{
    const mo_run_info *info = mo_run_info_get(v->run);
    const mo_body_raw *table = mo_run_bodies(v->run);
    for (size_t i = 0; i < v->frame->body_count; i++) {
        const mo_body_raw *raw = &table[v->frame->row[i]];
        size_t group = 0;
        // names in the table are the very strings of the list
        while (group < info->group_count && info->groups[group] != raw->group)
            group++;
        for (size_t p = 0; p < raw->part_count; p++)
            if (is_shown(&raw->parts[p]))
                fprintf(out, "%zu\n", group);
    }
}

/* ---- files --------------------------------------------------------------------------------- */

static void array_of_cells(FILE *out, const frame_view *v, const char *type, const char *name, int components,
                           cell_fn fn)
{
    size_t total = 0;
    vtk_array(out, type, name, components);
    for_cells(out, v, fn, &total);
    fputs("</DataArray>\n", out);
}

/* readers take the two arrays of faces only where some cell has faces */
static void write_faces(FILE *out, const frame_view *v, size_t numbers)
{
    if (numbers == 0)
        return;
    array_of_cells(out, v, "Int64", "faces", 1, cell_faces);
    array_of_cells(out, v, "Int64", "faceoffsets", 1, cell_face_offset);
}

static void write_bodies(FILE *out, const frame_view *v)
{
    size_t total[3] = {0, 0, 0};
    for_cells(out, v, count_cell, total);
    vtk_begin(out, total[1], total[0]);
    fputs("<Points>\n", out);
    array_of_cells(out, v, "Float64", "points", 3, cell_points);
    fputs("</Points>\n<Cells>\n", out);
    vtk_array(out, "Int64", "connectivity", 1);
    vtk_counted(out, 0, total[1]);
    fputs("</DataArray>\n", out);
    array_of_cells(out, v, "Int64", "offsets", 1, cell_offset);
    array_of_cells(out, v, "UInt8", "types", 1, cell_type);
    write_faces(out, v, total[2]);
    fputs("</Cells>\n<CellData Scalars=\"speed\" Vectors=\"velocity\">\n", out);
    array_of_cells(out, v, "UInt32", "id", 1, cell_id);
    vtk_array(out, "UInt32", "group", 1);
    write_groups(out, v);
    fputs("</DataArray>\n", out);
    array_of_cells(out, v, "Float64", "velocity", 3, cell_velocity);
    array_of_cells(out, v, "Float64", "speed", 1, cell_speed);
    array_of_cells(out, v, "Float64", "spin", v->frame->dim == 2 ? 1 : 3, cell_spin);
    fputs("</CellData>\n", out);
    vtk_end(out);
}

/* vectors of dim numbers each */
static void vectors(FILE *out, const char *name, const double *values, size_t count, size_t dim)
{
    vtk_array(out, "Float64", name, 3);
    for (size_t i = 0; i < count; i++, values += dim) {
        const double x[3] = {values[0], values[1], dim == 2 ? 0 : values[2]};
        point_line(out, x);
    }
    fputs("</DataArray>\n", out);
}

/* on body 1, in world axes, averaged over the step: S / h */
static void contact_forces(FILE *out, const mo_frame *f, double h)
{
    vtk_array(out, "Float64", "force", 3);
    const size_t dim = (size_t)f->dim;
    for (size_t i = 0; i < f->contact_count; i++) {
        double force[3] = {0, 0, 0};
        contact_to_world(dim, f->normal + dim * i, f->impulse + dim * i, force);
        vec3_scale(1 / h, force, force);
        point_line(out, force);
    }
    fputs("</DataArray>\n", out);
}

static void contact_bodies(FILE *out, const char *name, const uint32_t *id, size_t count)
{
    vtk_array(out, "UInt32", name, 1);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%u\n", id[i]);
    fputs("</DataArray>\n", out);
}

static void write_contact_data(FILE *out, const frame_view *v)
{
    const mo_frame *f = v->frame;
    const size_t dim = (size_t)f->dim;
    fputs("<PointData Vectors=\"force\">\n", out);
    contact_bodies(out, "body1", f->id1, f->contact_count);
    contact_bodies(out, "body2", f->id2, f->contact_count);
    vectors(out, "normal", f->normal, f->contact_count, dim);
    contact_forces(out, f, mo_run_info_get(v->run)->h);
    vtk_array(out, "Float64", "impulse", (int)dim);
    for (size_t i = 0; i < dim * f->contact_count; i++)
        fprintf(out, "%.17g\n", vtk_number(f->impulse[i]));
    fputs("</DataArray>\n", out);
    vtk_array(out, "Float64", "gap", 1);
    for (size_t i = 0; i < f->contact_count; i++)
        fprintf(out, "%.17g\n", vtk_number(f->gap[i]));
    fputs("</DataArray>\n", out);
    vtk_array(out, "UInt8", "status", 1);
    for (size_t i = 0; i < f->contact_count; i++)
        fprintf(out, "%u\n", f->status[i]);
    fputs("</DataArray>\n</PointData>\n", out);
}

static void write_contacts(FILE *out, const frame_view *v)
{
    const mo_frame *f = v->frame;
    vtk_begin(out, f->contact_count, f->contact_count);
    fputs("<Points>\n", out);
    vectors(out, "points", f->point, f->contact_count, (size_t)f->dim);
    fputs("</Points>\n", out);
    vtk_vertices(out, f->contact_count);
    write_contact_data(out, v);
    vtk_end(out);
}

/* ---- the folder ---------------------------------------------------------------------------- */

typedef struct vtk_kind {
    const char *name;
    void (*write)(FILE *out, const frame_view *v);
} vtk_kind;

static const vtk_kind kinds[] = {{"bodies", write_bodies}, {"contacts", write_contacts}};

static mo_status write_frame(mo_run *run, size_t k, const char *folder, mo_error *err)
{
    mo_frame frame;
    mo_status status = mo_run_frame(run, k, &frame, err);
    if (status != MO_OK)
        return status;
    const frame_view view = {run, &frame};
    for (size_t i = 0; i < 2 && status == MO_OK; i++) {
        char name[64], path[4096];
        text_file out;
        snprintf(name, sizeof name, "%s_%06zu.vtu", kinds[i].name, k);
        status = vtk_open(folder, name, path, sizeof path, &out, err);
        if (status != MO_OK)
            break;
        kinds[i].write(out.file, &view);
        status = text_close(&out, err);
    }
    mo_frame_free(&frame);
    return status;
}

mo_status mo_export_vtk(mo_run *run, size_t first, size_t count, const char *path, mo_error *err)
{
    assert(run != NULL && path != NULL);
    const size_t frames = mo_run_info_get(run)->frames;
    if (first > frames || count > frames - first)
        return fail(err, MO_USAGE, "frame", "found frames %zu to %zu, the run has %zu", first, first + count,
                    frames);
    mo_status status = mo_run_info_get(run)->is_path ? run_need_picture(run, "VTK", err) : MO_OK;
    if (status != MO_OK)
        return status;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        mo_status bad = fail(err, MO_IO, NULL, "cannot make the folder %s: %s", path, strerror(errno));
        fail_at(err, path, 0);
        return bad;
    }
    if (mo_run_info_get(run)->is_path)
        return vtk_path(run, first, count, path, err);
    for (size_t k = first; k < first + count && status == MO_OK; k++)
        status = write_frame(run, k, path, err);
    for (size_t i = 0; i < 2 && status == MO_OK; i++)
        status = vtk_list(run, kinds[i].name, first, count, path, err);
    return status;
}
