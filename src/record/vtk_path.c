/*
 * The run of a point for ParaView without HDF5: discs as points, one file per row; else the path as one line,
 * for n = 1 in the plane of t and x.
 */
#include "record/run.h"
#include "record/vtk.h"

static void scalar(FILE *out, const char *name, const double *values, size_t count)
{
    vtk_array(out, "Float64", name, 1);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%.17g\n", vtk_number(values[i]));
    fputs("</DataArray>\n", out);
}

/* ---- a line -------------------------------------------------------------------------------------- */

static void line_points(FILE *out, const mo_run_path *path, size_t n, size_t first, size_t count)
{
    vtk_array(out, "Float64", "points", 3);
    for (size_t k = first; k < first + count; k++) {
        const double *x = path->x + n * k;
        if (n == 1)
            fprintf(out, "%.17g %.17g 0\n", path->t[k], vtk_number(x[0]));
        else
            fprintf(out, "%.17g %.17g %.17g\n", vtk_number(x[0]), vtk_number(x[1]),
                    n == 3 ? vtk_number(x[2]) : 0);
    }
    fputs("</DataArray>\n", out);
}

static void line_multipliers(FILE *out, const mo_run_path *path, size_t m, size_t first, size_t count)
{
    if (m == 0)
        return;
    vtk_array(out, "Float64", "lambda", (int)m);
    for (size_t i = m * first; i < m * (first + count); i++)
        fprintf(out, "%.17g\n", vtk_number(path->lambda[i]));
    fputs("</DataArray>\n", out);
}

static void write_line(FILE *out, const mo_run_path *path, const mo_run_info *info, size_t first,
                       size_t count)
{
    const size_t cells = count > 0 ? 1 : 0;
    vtk_begin(out, count, cells);
    fputs("<Points>\n", out);
    line_points(out, path, info->coordinates, first, count);
    fputs("</Points>\n<Cells>\n", out);
    vtk_array(out, "Int64", "connectivity", 1);
    vtk_counted(out, 0, count);
    fputs("</DataArray>\n", out);
    vtk_array(out, "Int64", "offsets", 1);
    vtk_counted(out, count, count + cells);
    fputs("</DataArray>\n", out);
    vtk_array(out, "UInt8", "types", 1);
    vtk_counted(out, VTK_POLY_LINE, VTK_POLY_LINE + cells);
    fputs("</DataArray>\n</Cells>\n<PointData Scalars=\"t\">\n", out);
    scalar(out, "t", path->t + first, count);
    line_multipliers(out, path, info->multipliers, first, count);
    fputs("</PointData>\n", out);
    vtk_end(out);
}

/* ---- discs --------------------------------------------------------------------------------------- */

static void write_discs(FILE *out, const mo_run_path *path, const mo_run_info *info, size_t k)
{
    const size_t count = path->disc_count;
    vtk_begin(out, count, count);
    fputs("<Points>\n", out);
    vtk_array(out, "Float64", "points", 3);
    for (size_t i = 0; i < count; i++) {
        const double *x = path->x + 2 * (count * k + i);
        fprintf(out, "%.17g %.17g 0\n", vtk_number(x[0]), vtk_number(x[1]));
    }
    fputs("</DataArray>\n</Points>\n", out);
    vtk_vertices(out, count);
    fputs("<PointData Scalars=\"radius\">\n", out);
    scalar(out, "radius", path->radius, count);
    if (info->multipliers == count)
        scalar(out, "lambda", path->lambda + count * k, count);
    fputs("</PointData>\n", out);
    vtk_end(out);
}

/* ---- the folder ---------------------------------------------------------------------------------- */

static mo_status vtk_line_file(mo_run *run, const mo_run_path *path, size_t first, size_t count,
                               const char *folder, mo_error *err)
{
    char name[4096];
    text_file out;
    mo_status status = vtk_open(folder, "path.vtu", name, sizeof name, &out, err);
    if (status != MO_OK)
        return status;
    write_line(out.file, path, mo_run_info_get(run), first, count);
    return text_close(&out, err);
}

static mo_status vtk_disc_files(mo_run *run, const mo_run_path *path, size_t first, size_t count,
                                const char *folder, mo_error *err)
{
    mo_status status = MO_OK;
    for (size_t k = first; k < first + count && status == MO_OK; k++) {
        char file[64], name[4096];
        text_file out;
        snprintf(file, sizeof file, "discs_%06zu.vtu", k);
        status = vtk_open(folder, file, name, sizeof name, &out, err);
        if (status != MO_OK)
            return status;
        write_discs(out.file, path, mo_run_info_get(run), k);
        status = text_close(&out, err);
    }
    return status == MO_OK ? vtk_list(run, "discs", first, count, folder, err) : status;
}

mo_status vtk_path(mo_run *run, size_t first, size_t count, const char *folder, mo_error *err)
{
    mo_run_path path;
    mo_status status = mo_run_path_get(run, &path, err);
    if (status != MO_OK)
        return status;
    return path.disc_count > 0 ? vtk_disc_files(run, &path, first, count, folder, err)
                               : vtk_line_file(run, &path, first, count, folder, err);
}
