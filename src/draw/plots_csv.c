/* The numbers of a scene's plots as comma-separated values, 17 significant digits. */
#include "draw/plots.h"
#include "record/csv.h"
#include "record/text.h"

#include <math.h>

/* a field that is empty where there is no number */
static void field(FILE *out, const double *values, size_t i)
{
    if (values != NULL && isfinite(values[i]))
        fprintf(out, ",%.17g", values[i]);
    else
        fputc(',', out);
}

static void curve_rows(FILE *out, size_t plot, const figure_curve *c)
{
    for (size_t i = 0; i < c->line.count; i++) {
        fprintf(out, "%zu,", plot);
        csv_name(out, c->name);
        field(out, c->line.x, i);
        field(out, c->line.y, i);
        field(out, c->error, i);
        field(out, c->dx, i);
        field(out, c->dy, i);
        field(out, c->size, i);
        fputc('\n', out);
    }
}

mo_status plots_csv(mo_run *run, const char *path, mo_error *err)
{
    plots p;
    text_file file;
    mo_status status = plots_parse(mo_run_info_get(run)->plots_json, &p, err);
    if (status == MO_OK)
        status = text_open(path, &file, err);
    if (status == MO_OK) {
        fputs("plot,curve,x,y,error,dx,dy,size\n", file.file);
        for (size_t i = 0; i < p.figure.plot_count; i++)
            for (size_t k = 0; k < p.figure.plots[i].curve_count; k++)
                curve_rows(file.file, i + 1, &p.figure.plots[i].curves[k]);
        status = text_close(&file, err);
    }
    plots_free(&p);
    return status;
}
