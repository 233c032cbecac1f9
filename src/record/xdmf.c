/*
 * An XDMF file (version 3) that tells ParaView where in the run file the frames are: two collections over
 * time, bodies as points at their centres of mass and contacts as points.  Frames without bodies or contacts
 * are left out of their collection, since readers refuse empty grids.
 *
 * Of the run of a point: discs as points over time; else, in the plane or in space, the path as one line.  A
 * line over time (n = 1) has its points in two datasets, which no reader joins: its numbers stand in the
 * file.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "record/recorder.h"
#include "record/run.h"
#include "record/text.h"

#include "core/fail.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct xdmf_writer {
    FILE *out;
    const mo_run *run;
    const char *file; /* the run file as the XDMF file refers to it */
} xdmf_writer;

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else
            fputc(*text, out);
    }
}

/* rows [first, first + count), columns [from, from + width) of a column */
static void put_slab(const xdmf_writer *w, column_id column, uint64_t first, uint64_t count, unsigned from,
                     unsigned width)
{
    const hdf_column *c = &w->run->columns[column];
    const unsigned long long n = count, start = first, rows = c->rows;
    static const char *const number[] = {[COLUMN_U8] = "NumberType=\"UChar\" Precision=\"1\"",
                                         [COLUMN_U32] = "NumberType=\"UInt\" Precision=\"4\"",
                                         [COLUMN_I32] = "NumberType=\"Int\" Precision=\"4\"",
                                         [COLUMN_U64] = "NumberType=\"UInt\" Precision=\"8\"",
                                         [COLUMN_I64] = "NumberType=\"Int\" Precision=\"8\"",
                                         [COLUMN_F64] = "NumberType=\"Float\" Precision=\"8\""};
    const char *type = number[column_defs[column].type];
    fprintf(w->out, "<DataItem Dimensions=\"%llu", n);
    if (column_defs[column].width > 1)
        fprintf(w->out, " %u", width);
    fprintf(w->out, "\" %s Format=\"HDF\">", type);
    put_escaped(w->out, w->file);
    // start, stride, count and extent of the selection
    if (column_defs[column].width == 1)
        fprintf(w->out, ":%s|%llu:1:%llu:%llu</DataItem>\n", column_defs[column].path, start, n, rows);
    else
        fprintf(w->out, ":%s|%llu %u:1 1:%llu %u:%llu %u</DataItem>\n", column_defs[column].path, start, from,
                n, width, rows, c->width);
}

/* what a point carries: columns [from, from + width) of a column */
typedef struct xdmf_attribute {
    const char *name;
    column_id column;
    unsigned from, width;
} xdmf_attribute;

static const xdmf_attribute body_attributes[] = {
    {"id", COL_FB_ID, 0, 1},      {"radius", COL_FB_RADIUS, 0, 1}, {"angle", COL_FB_Q, 2, 1},
    {"velocity", COL_FB_U, 0, 2}, {"spin", COL_FB_U, 2, 1},        {"contact_force", COL_FB_FORCE, 0, 2}};
static const xdmf_attribute contact_attributes[] = {
    {"body1", COL_FC_ID1, 0, 1},    {"body2", COL_FC_ID2, 0, 1},         {"normal", COL_FC_NORMAL, 0, 2},
    {"gap", COL_FC_GAP, 0, 1},      {"impulse_n", COL_FC_IMPULSE, 0, 1}, {"impulse_t1", COL_FC_IMPULSE, 1, 1},
    {"status", COL_FC_STATUS, 0, 1}};

static const xdmf_attribute body_attributes3[] = {
    {"id", COL_FB_ID, 0, 1},      {"radius", COL_FB_RADIUS, 0, 1}, {"orientation", COL_FB_Q, 3, 4},
    {"velocity", COL_FB_U, 0, 3}, {"spin_body", COL_FB_U, 3, 3},   {"contact_force", COL_FB_FORCE, 0, 3}};
static const xdmf_attribute contact_attributes3[] = {
    {"body1", COL_FC_ID1, 0, 1},          {"body2", COL_FC_ID2, 0, 1},
    {"normal", COL_FC_NORMAL, 0, 3},      {"gap", COL_FC_GAP, 0, 1},
    {"impulse_n", COL_FC_IMPULSE, 0, 1},  {"impulse_t1", COL_FC_IMPULSE, 1, 1},
    {"impulse_t2", COL_FC_IMPULSE, 2, 1}, {"status", COL_FC_STATUS, 0, 1}};

typedef struct xdmf_collection {
    const char *name;
    column_id first, count, place;
    const xdmf_attribute *attributes;
    size_t attribute_count;
} xdmf_collection;

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* in 2D, in 3D */
static const xdmf_collection collections[2][2] = {
    {{"bodies", COL_FRAME_BODY_FIRST, COL_FRAME_BODY_COUNT, COL_FB_Q, body_attributes,
      LENGTH(body_attributes)},
     {"contacts", COL_FRAME_CONTACT_FIRST, COL_FRAME_CONTACT_COUNT, COL_FC_POINT, contact_attributes,
      LENGTH(contact_attributes)}},
    {{"bodies", COL_FRAME_BODY_FIRST, COL_FRAME_BODY_COUNT, COL_FB_Q, body_attributes3,
      LENGTH(body_attributes3)},
     {"contacts", COL_FRAME_CONTACT_FIRST, COL_FRAME_CONTACT_COUNT, COL_FC_POINT, contact_attributes3,
      LENGTH(contact_attributes3)}}};

/* four numbers are no vector to XDMF */
static const char *attribute_type(unsigned width)
{
    return width == 1 ? "Scalar" : width < 4 ? "Vector" : "Matrix";
}

static void put_grid(const xdmf_writer *w, const xdmf_collection *c, size_t k)
{
    const uint64_t first = run_u64(w->run, c->first)[k], count = run_u64(w->run, c->count)[k];
    const unsigned dim = w->run->shape.dim;
    if (count == 0)
        return;
    fprintf(w->out,
            "<Grid Name=\"%s\" GridType=\"Uniform\">\n<Time Value=\"%.17g\"/>\n"
            "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%llu\" NodesPerElement=\"1\">\n",
            c->name, mo_run_times(w->run)[k], (unsigned long long)count);
    put_slab(w, COL_POINT_INDEX, 0, count, 0, 1);
    fprintf(w->out, "</Topology>\n<Geometry GeometryType=\"%s\">\n", dim == 3 ? "XYZ" : "XY");
    put_slab(w, c->place, first, count, 0, dim);
    fputs("</Geometry>\n", w->out);
    for (size_t i = 0; i < c->attribute_count; i++) {
        const xdmf_attribute *a = &c->attributes[i];
        fprintf(w->out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">\n", a->name,
                attribute_type(a->width));
        put_slab(w, a->column, first, count, a->from, a->width);
        fputs("</Attribute>\n", w->out);
    }
    fputs("</Grid>\n", w->out);
}

/* ---- paths ------------------------------------------------------------------------------------- */

static void put_scalar(const xdmf_writer *w, const char *name, column_id column, uint64_t first,
                       uint64_t count)
{
    fprintf(w->out, "<Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Node\">\n", name);
    put_slab(w, column, first, count, 0, 1);
    fputs("</Attribute>\n", w->out);
}

/* row k: the 2 n numbers of a row of /path/x are n points */
static void put_discs(const xdmf_writer *w, size_t k)
{
    const unsigned coordinates = w->run->shape.coordinates;
    const uint64_t discs = coordinates / 2;
    fprintf(w->out,
            "<Grid Name=\"discs\" GridType=\"Uniform\">\n<Time Value=\"%.17g\"/>\n"
            "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%llu\" NodesPerElement=\"1\">\n",
            mo_run_times(w->run)[k], (unsigned long long)discs);
    put_slab(w, COL_POINT_INDEX, 0, discs, 0, 1);
    fputs("</Topology>\n<Geometry GeometryType=\"XY\">\n", w->out);
    put_slab(w, COL_PATH_X, k, 1, 0, coordinates);
    fputs("</Geometry>\n", w->out);
    put_scalar(w, "radius", COL_DISC_RADIUS, 0, discs);
    if (w->run->shape.multipliers == discs) {
        fputs("<Attribute Name=\"lambda\" AttributeType=\"Scalar\" Center=\"Node\">\n", w->out);
        put_slab(w, COL_PATH_LAMBDA, k, 1, 0, (unsigned)discs);
        fputs("</Attribute>\n", w->out);
    }
    fputs("</Grid>\n", w->out);
}

static void put_graph(const xdmf_writer *w, const mo_run_path *path)
{
    fprintf(w->out, "<DataItem Dimensions=\"%zu 2\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">\n",
            path->rows);
    for (size_t i = 0; i < path->rows; i++)
        fprintf(w->out, "%.17g %.17g\n", path->t[i], isfinite(path->x[i]) ? path->x[i] : 0);
    fputs("</DataItem>\n", w->out);
}

static void put_line_topology(const xdmf_writer *w, size_t rows)
{
    fprintf(w->out, "<Topology TopologyType=\"Polyline\" NumberOfElements=\"1\" NodesPerElement=\"%zu\">\n",
            rows);
    if (w->run->shape.coordinates > 1) {
        put_slab(w, COL_POINT_INDEX, 0, rows, 0, 1);
    } else {
        fprintf(w->out, "<DataItem Dimensions=\"%zu\" NumberType=\"Int\" Precision=\"8\" Format=\"XML\">\n",
                rows);
        for (size_t i = 0; i < rows; i++)
            fprintf(w->out, "%zu\n", i);
        fputs("</DataItem>\n", w->out);
    }
    fputs("</Topology>\n", w->out);
}

static void put_line(const xdmf_writer *w, const mo_run_path *path)
{
    const unsigned n = w->run->shape.coordinates;
    if (path->rows == 0)
        return;
    fputs("<Grid Name=\"path\" GridType=\"Uniform\">\n", w->out);
    put_line_topology(w, path->rows);
    fprintf(w->out, "<Geometry GeometryType=\"%s\">\n", n == 3 ? "XYZ" : "XY");
    if (n == 1)
        put_graph(w, path);
    else
        put_slab(w, COL_PATH_X, 0, path->rows, 0, n);
    fputs("</Geometry>\n", w->out);
    put_scalar(w, "t", COL_PATH_T, 0, path->rows);
    fputs("</Grid>\n", w->out);
}

static void put_path(const xdmf_writer *w, const mo_run_path *path)
{
    if (path->disc_count == 0) {
        put_line(w, path);
        return;
    }
    fputs("<Grid Name=\"discs\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", w->out);
    for (size_t k = 0; k < path->rows; k++)
        put_discs(w, k);
    fputs("</Grid>\n", w->out);
}

/* ---- the file ---------------------------------------------------------------------------------- */

/* path: NULL for a world */
static void put_document(const xdmf_writer *w, const mo_run_path *path)
{
    const size_t frames = w->run->info.frames;
    const xdmf_collection *list = collections[w->run->info.dim == 3];
    fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n", w->out);
    if (path != NULL)
        put_path(w, path);
    for (size_t i = 0; path == NULL && i < 2; i++) {
        fprintf(w->out, "<Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                list[i].name);
        for (size_t k = 0; k < frames; k++)
            put_grid(w, &list[i], k);
        fputs("</Grid>\n", w->out);
    }
    fputs("</Domain>\n</Xdmf>\n", w->out);
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* beside the run file its name is enough, and both can be moved together; from elsewhere the whole path */
static char *reference(const char *run_path, const char *path)
{
    const size_t a = folder_length(run_path), b = folder_length(path);
    if (strcmp(path, "-") != 0 && a == b && strncmp(run_path, path, a) == 0)
        return strdup(run_path + a);
    char *whole = realpath(run_path, NULL);
    return whole != NULL ? whole : strdup(run_path);
}

mo_status mo_export_xdmf(mo_run *run, const char *path, mo_error *err)
{
    assert(run != NULL && path != NULL);
    mo_run_path point;
    mo_status status = MO_OK;
    if (run->info.is_path) {
        status = run_need_picture(run, "XDMF", err);
        if (status == MO_OK)
            status = mo_run_path_get(run, &point, err);
    }
    if (status != MO_OK)
        return status;
    char *file = reference(run->path, path);
    if (file == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a path");
    text_file out;
    status = text_open(path, &out, err);
    if (status == MO_OK) {
        const xdmf_writer w = {out.file, run, file};
        put_document(&w, run->info.is_path ? &point : NULL);
        status = text_close(&out, err);
    }
    free(file);
    return status;
}

/* RUN.h5 -> RUN.xdmf */
static char *xdmf_path(const char *run_path)
{
    size_t length = strlen(run_path);
    size_t size = length + sizeof ".xdmf";
    char *path = malloc(size);
    if (path == NULL)
        return NULL;
    if (length > 3 && strcmp(run_path + length - 3, ".h5") == 0)
        length -= 3;
    snprintf(path, size, "%.*s.xdmf", (int)length, run_path);
    return path;
}

mo_status recorder_write_xdmf(const char *run_path, mo_error *err)
{
    char *path = xdmf_path(run_path);
    if (path == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a path");
    mo_run *run = NULL;
    mo_status status = mo_run_open(run_path, &run, err);
    // a file that would have to hold the numbers itself is made only when it is asked for
    if (status == MO_OK && (!run->info.is_path || path_points(&run->shape, run->info.frames) > 0))
        status = mo_export_xdmf(run, path, err);
    mo_run_close(run);
    free(path);
    return status;
}
