/* The parts of VTU and PVD files. */
#include "record/vtk.h"

#include "core/fail.h"

#include <math.h>

double vtk_number(double x)
{
    return isfinite(x) ? x : 0;
}

void vtk_array(FILE *out, const char *type, const char *name, int components)
{
    fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", type,
            name, components);
}

void vtk_begin(FILE *out, size_t points, size_t cells)
{
    fprintf(out,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
            "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n",
            points, cells);
}

void vtk_end(FILE *out)
{
    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out);
}

void vtk_counted(FILE *out, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        fprintf(out, "%zu\n", i);
}

void vtk_vertices(FILE *out, size_t count)
{
    fputs("<Cells>\n", out);
    vtk_array(out, "Int64", "connectivity", 1);
    vtk_counted(out, 0, count);
    fputs("</DataArray>\n", out);
    vtk_array(out, "Int64", "offsets", 1);
    vtk_counted(out, 1, count + 1);
    fputs("</DataArray>\n", out);
    vtk_array(out, "UInt8", "types", 1);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%d\n", VTK_VERTEX);
    fputs("</DataArray>\n</Cells>\n", out);
}

mo_status vtk_open(const char *folder, const char *name, char *path, size_t room, text_file *out,
                   mo_error *err)
{
    const int length = snprintf(path, room, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= room)
        return fail(err, MO_IO, NULL, "the path of the folder is too long");
    return text_open(path, out, err);
}

mo_status vtk_list(mo_run *run, const char *kind, size_t first, size_t count, const char *folder,
                   mo_error *err)
{
    char name[64], path[4096];
    text_file out = {NULL, NULL};
    snprintf(name, sizeof name, "%s.pvd", kind);
    mo_status status = vtk_open(folder, name, path, sizeof path, &out, err);
    if (status != MO_OK)
        return status;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n", out.file);
    for (size_t k = first; k < first + count; k++)
        fprintf(out.file, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s_%06zu.vtu\"/>\n",
                mo_run_times(run)[k], kind, k);
    fputs("</Collection>\n</VTKFile>\n", out.file);
    return text_close(&out, err);
}
