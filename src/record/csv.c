/*
 * Frames and series as comma-separated values, 17 significant digits.
 *
 * Positions are of the body's origin, velocities of its centre of mass; the two differ only for bodies made
 * with keep_origin.  Spins in 3D are in world axes.
 */
#include "record/csv.h"

#include "core/fail.h"
#include "record/layout.h"
#include "record/pose.h"
#include "record/text.h"

#include <assert.h>
#include <math.h>
#include <moreau/record.h>
#include <string.h>

void csv_number(FILE *out, double value)
{
    // printf shows the sign of a NaN, which means nothing and is not the same on every machine
    if (isnan(value))
        fputs("nan", out);
    else
        fprintf(out, "%.17g", value);
}

static void numbers(FILE *out, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputc(',', out);
        csv_number(out, values[i]);
    }
}

static void body_rows(FILE *out, const mo_run *run, const mo_frame *f)
{
    const mo_body_raw *table = mo_run_bodies(run);
    const size_t dim = (size_t)f->dim, nq = pose_width(f), nu = velocity_width(f);
    const size_t observed = mo_run_info_get(run)->observed_count;
    for (size_t i = 0; i < f->body_count; i++) {
        const mo_body_raw *raw = &table[f->row[i]];
        double place[3] = {0}, spin[3] = {f->u[nu * i + 2]};
        pose_origin(f, i, raw, place);
        if (dim == 3)
            pose_spin(f, i, raw, spin);
        csv_number(out, f->time);
        fprintf(out, ",%u", f->id[i]);
        numbers(out, place, dim);
        numbers(out, f->q + nq * i + dim, nq - dim);
        numbers(out, f->u + nu * i, dim);
        numbers(out, spin, nu - dim);
        if (f->observed != NULL)
            numbers(out, f->observed + observed * i, observed);
        fputc('\n', out);
    }
}

static void contact_rows(FILE *out, const mo_run *run, const mo_frame *f)
{
    static const char *const words[] = {"open", "stick", "slide"};
    const size_t dim = (size_t)f->dim;
    (void)run;
    for (size_t i = 0; i < f->contact_count; i++) {
        const double *n = f->normal + dim * i;
        double t[3] = {-n[1], n[0]};
        if (dim == 3)
            mo_tangent(n, t);
        csv_number(out, f->time);
        fprintf(out, ",%u,%u", f->id1[i], f->id2[i]);
        numbers(out, f->point + dim * i, dim);
        numbers(out, n, dim);
        numbers(out, t, dim);
        numbers(out, &f->gap[i], 1);
        numbers(out, f->impulse + dim * i, dim);
        fprintf(out, ",%s\n", words[f->status[i]]);
    }
}

void csv_name(FILE *out, const char *name)
{
    if (strpbrk(name, ",\"\r\n") == NULL) {
        fputs(name, out);
        return;
    }
    fputc('"', out);
    for (; *name != '\0'; name++) {
        if (*name == '"')
            fputc('"', out);
        fputc(*name, out);
    }
    fputc('"', out);
}

/* from the first chosen frame's time to the last one's; always when all frames are chosen */
static bool is_chosen(const mo_run *run, size_t first, size_t count, double t)
{
    const double *times = mo_run_times(run);
    if (first == 0 && count == mo_run_info_get(run)->frames)
        return true;
    return count > 0 && t >= times[first] && t <= times[first + count - 1];
}

/* the rows of the chosen frames' time.  The columns are [begin, end) of the run's */
static mo_status series_rows(FILE *out, mo_run *run, size_t first, size_t count, size_t begin, size_t end,
                             mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    const double *t = NULL, *values = NULL;
    mo_status status = mo_run_series(run, &t, &values, err);
    if (status != MO_OK)
        return status;
    fputc('t', out);
    for (size_t c = begin; c < end; c++) {
        fputc(',', out);
        csv_name(out, info->series[c]);
    }
    fputc('\n', out);
    for (size_t i = 0; i < info->series_rows && !ferror(out); i++) {
        if (!is_chosen(run, first, count, t[i]))
            continue;
        csv_number(out, t[i]);
        numbers(out, values + i * info->series_count + begin, end - begin);
        fputc('\n', out);
    }
    return MO_OK;
}

static void body_names(FILE *out, const mo_run_info *info)
{
    fputs(info->dim == 3 ? "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz" : "t,body,x,y,angle,vx,vy,spin", out);
    for (size_t i = 0; i < info->observed_count; i++) {
        fputc(',', out);
        csv_name(out, info->observed[i]);
    }
    fputc('\n', out);
}

static mo_status frame_rows(FILE *out, mo_run *run, mo_export_what what, size_t first, size_t count,
                            mo_error *err)
{
    const bool bodies = what == MO_EXPORT_BODIES;
    const bool in_space = mo_run_info_get(run)->dim == 3;
    if (bodies)
        body_names(out, mo_run_info_get(run));
    else
        fputs(in_space
                  ? "t,body1,body2,px,py,pz,nx,ny,nz,tx,ty,tz,gap,impulse_n,impulse_t1,impulse_t2,status\n"
                  : "t,body1,body2,px,py,nx,ny,tx,ty,gap,impulse_n,impulse_t1,status\n",
              out);
    for (size_t k = first; k < first + count && !ferror(out); k++) {
        mo_frame f;
        mo_status status = mo_run_frame(run, k, &f, err);
        if (status != MO_OK)
            return status;
        (bodies ? body_rows : contact_rows)(out, run, &f);
        mo_frame_free(&f);
    }
    return MO_OK;
}

/* ---- paths ------------------------------------------------------------------------------------- */

static void numbered(FILE *out, const char *name, size_t count)
{
    for (size_t i = 1; i <= count; i++)
        fprintf(out, ",%s%zu", name, i);
}

static mo_status path_rows(FILE *out, mo_run *run, size_t first, size_t count, mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    const size_t n = info->coordinates, m = info->multipliers;
    mo_run_path path;
    mo_status status = mo_run_path_get(run, &path, err);
    if (status != MO_OK)
        return status;
    fputc('t', out);
    numbered(out, path.u != NULL ? "q" : "x", n);
    numbered(out, "u", path.u != NULL ? n : 0);
    numbered(out, "lambda", m);
    fputc('\n', out);
    for (size_t k = first; k < first + count && !ferror(out); k++) {
        csv_number(out, path.t[k]);
        numbers(out, path.x + k * n, n);
        if (path.u != NULL)
            numbers(out, path.u + k * n, n);
        numbers(out, path.lambda + k * m, m);
        fputc('\n', out);
    }
    return MO_OK;
}

static mo_status event_rows(FILE *out, mo_run *run, size_t first, size_t count, mo_error *err)
{
    mo_run_events events;
    mo_status status = mo_run_events_get(run, &events, err);
    if (status != MO_OK)
        return status;
    fputs("t,type,size,gaps\n", out);
    for (size_t i = 0; i < events.count && !ferror(out); i++) {
        if (!is_chosen(run, first, count, events.t[i]))
            continue;
        csv_number(out, events.t[i]);
        fprintf(out, ",%s,", events.type[i]);
        csv_number(out, events.size[i]);
        fputc(',', out);
        for (size_t g = events.gap_first[i]; g < events.gap_first[i + 1]; g++)
            fprintf(out, "%s%zu", g > events.gap_first[i] ? " " : "", events.gaps[g] + 1);
        fputc('\n', out);
    }
    return MO_OK;
}

/* ---- files ------------------------------------------------------------------------------------- */

static mo_status write_rows(FILE *out, mo_run *run, mo_export_what what, size_t first, size_t count,
                            mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    if (what == MO_EXPORT_SERIES)
        return series_rows(out, run, first, count, info->is_path ? 0 : RUN_ENERGY_COLUMNS, info->series_count,
                           err);
    if (!info->is_path)
        return frame_rows(out, run, what, first, count, err);
    return what == MO_EXPORT_BODIES ? path_rows(out, run, first, count, err)
                                    : event_rows(out, run, first, count, err);
}

mo_status mo_export_csv(mo_run *run, mo_export_what what, size_t first, size_t count, const char *path,
                        mo_error *err)
{
    assert(run != NULL && path != NULL);
    const size_t frames = mo_run_info_get(run)->frames;
    if (first > frames || count > frames - first)
        return fail(err, MO_USAGE, "frame", "found frames %zu to %zu, the run has %zu", first, first + count,
                    frames);
    text_file out;
    mo_status status = text_open(path, &out, err);
    if (status != MO_OK)
        return status;
    status = write_rows(out.file, run, what, first, count, err);
    mo_status closed = text_close(&out, status == MO_OK ? err : NULL);
    return status != MO_OK ? status : closed;
}

mo_status csv_energies(mo_run *run, const char *path, mo_error *err)
{
    if (mo_run_info_get(run)->is_path)
        return fail(err, MO_USAGE, NULL, "the run of a %.60s has no energies", mo_run_info_get(run)->kind);
    text_file out;
    mo_status status = text_open(path, &out, err);
    if (status != MO_OK)
        return status;
    status = series_rows(out.file, run, 0, mo_run_info_get(run)->frames, 0, RUN_ENERGY_COLUMNS, err);
    mo_status closed = text_close(&out, status == MO_OK ? err : NULL);
    return status != MO_OK ? status : closed;
}
