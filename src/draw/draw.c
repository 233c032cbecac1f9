/* Pictures of runs: a frame or the time series is turned into plain data, planned, painted and written. */
#include "draw/draw.h"

#include "core/fail.h"
#include "draw/picture.h"
#include "draw/series.h"
#include "draw/sink.h"

draw_options draw_default_options(void)
{
    return (draw_options){.format = DRAW_PNG, .color = DRAW_BY_SPEED, .chains = true, .width = 1200};
}

static mo_status write_picture(const scene2d *scene, const draw_options *options, const char *path,
                               mo_error *err)
{
    picture p;
    mo_status status = picture_plan(&p, scene, options, err);
    if (status == MO_OK)
        status = sink_write(options->format, p.width, p.height, picture_paint, &p, path, err);
    picture_free(&p);
    return status;
}

mo_status draw_frame(mo_run *run, size_t k, const draw_options *options, const char *path, mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    if (info->dim != 2)
        return fail(err, MO_BAD_INPUT, "dim", "a run in %d dimensions; pictures are drawn of runs in 2",
                    info->dim);
    if (k >= info->frames)
        return fail(err, MO_BAD_INPUT, "frame", "frame %zu of a run with %zu frames", k, info->frames);
    mo_frame frame = {0};
    mo_status status = mo_run_frame(run, k, &frame, err);
    if (status != MO_OK)
        return status;
    scene2d scene = {0};
    status = scene2d_from_frame(info, mo_run_bodies(run), info->body_count, &frame, &scene, err);
    if (status == MO_OK)
        status = write_picture(&scene, options, path, err);
    scene2d_free(&scene);
    mo_frame_free(&frame);
    return status;
}

mo_status draw_series(mo_run *run, const draw_options *options, const char *path, mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    const double *t = NULL, *values = NULL;
    mo_status status = mo_run_series(run, &t, &values, err);
    if (status != MO_OK)
        return status;
    plot2d plot;
    status = plot2d_plan(&plot, info->series, info->series_count, info->series_rows, t, values, options, err);
    if (status == MO_OK)
        status = sink_write(options->format, plot.width, plot.height, plot2d_paint, &plot, path, err);
    return status;
}
