/*
 * Frames for ParaView without HDF5: per frame one VTU file with the outlines of bodies and one with contacts,
 * and a PVD file that lists each kind over time.  Discs are drawn as polygons of 32 corners, half-planes left
 * out.
 */
#include "record/vtk.h"
#include "record/run.h"

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

typedef void (*cell_fn)(FILE *out, const mo_frame *f, const cell *c, size_t *total);

static void for_cells(FILE *out, const frame_view *v, cell_fn fn, size_t *total)
{
    const mo_body_raw *table = mo_run_bodies(v->run);
    for (size_t i = 0; i < v->frame->body_count; i++) {
        const mo_body_raw *raw = &table[v->frame->row[i]];
        for (size_t p = 0; p < raw->part_count; p++) {
            const cell c = {i, raw, &raw->parts[p]};
            if (c.part->kind != MO_PART_HALFPLANE)
                fn(out, v->frame, &c, total);
        }
    }
}

static size_t corner_count(const mo_part *part)
{
    return part->kind == MO_PART_DISC ? DISC_CORNERS : part->vertex_count;
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void count_cell(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)out;
    (void)f;
    total[0]++;
    total[1] += corner_count(c->part);
}

static void cell_points(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    const double *q = f->q + 3 * c->body;
    const double co = cos(q[2]), si = sin(q[2]);
    const double *vertices = c->raw->vertices + 2 * (size_t)c->part->vertex_first;
    for (size_t k = 0; k < corner_count(c->part); k++) {
        double x = vertices[0], y = vertices[1];
        if (c->part->kind == MO_PART_DISC) {
            x += c->part->radius * cos(TAU * (double)k / DISC_CORNERS);
            y += c->part->radius * sin(TAU * (double)k / DISC_CORNERS);
        } else {
            x = vertices[2 * k];
            y = vertices[2 * k + 1];
        }
        fprintf(out, "%.9g %.9g 0\n", vtk_number(q[0] + co * x - si * y), vtk_number(q[1] + si * x + co * y));
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
    (void)f;
    (void)total;
    fprintf(out, "%d\n", c->part->kind == MO_PART_SEGMENT ? VTK_LINE : VTK_POLYGON);
}

static void cell_id(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    fprintf(out, "%u\n", f->id[c->body]);
}

static void cell_velocity(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    const double *u = f->u + 3 * c->body;
    fprintf(out, "%.9g %.9g 0\n", vtk_number(u[0]), vtk_number(u[1]));
}

static void cell_speed(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    const double *u = f->u + 3 * c->body;
    fprintf(out, "%.9g\n", vtk_number(hypot(u[0], u[1])));
}

static void cell_spin(FILE *out, const mo_frame *f, const cell *c, size_t *total)
{
    (void)total;
    fprintf(out, "%.9g\n", vtk_number(f->u[3 * c->body + 2]));
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
            if (raw->parts[p].kind != MO_PART_HALFPLANE)
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

static void write_bodies(FILE *out, const frame_view *v)
{
    size_t total[2] = {0, 0};
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
    fputs("</Cells>\n<CellData Scalars=\"speed\" Vectors=\"velocity\">\n", out);
    array_of_cells(out, v, "UInt32", "id", 1, cell_id);
    vtk_array(out, "UInt32", "group", 1);
    write_groups(out, v);
    fputs("</DataArray>\n", out);
    array_of_cells(out, v, "Float64", "velocity", 3, cell_velocity);
    array_of_cells(out, v, "Float64", "speed", 1, cell_speed);
    array_of_cells(out, v, "Float64", "spin", 1, cell_spin);
    fputs("</CellData>\n", out);
    vtk_end(out);
}

static void pairs(FILE *out, const char *name, const double *values, size_t count)
{
    vtk_array(out, "Float64", name, 3);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%.9g %.9g 0\n", vtk_number(values[2 * i]), vtk_number(values[2 * i + 1]));
    fputs("</DataArray>\n", out);
}

static void write_contact_data(FILE *out, const mo_frame *f)
{
    fputs("<PointData>\n", out);
    pairs(out, "normal", f->normal, f->contact_count);
    vtk_array(out, "Float64", "impulse", 2);
    for (size_t i = 0; i < 2 * f->contact_count; i++)
        fprintf(out, "%.9g\n", vtk_number(f->impulse[i]));
    fputs("</DataArray>\n", out);
    vtk_array(out, "Float64", "gap", 1);
    for (size_t i = 0; i < f->contact_count; i++)
        fprintf(out, "%.9g\n", vtk_number(f->gap[i]));
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
    pairs(out, "points", f->point, f->contact_count);
    fputs("</Points>\n", out);
    vtk_vertices(out, f->contact_count);
    write_contact_data(out, f);
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
