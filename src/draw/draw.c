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

/* What is read for a picture of one frame. */
typedef struct source {
    mo_frame frame;
    scene2d scene; /* borrows from the run */
} source;

static void source_free(source *s)
{
    scene2d_free(&s->scene);
    mo_frame_free(&s->frame);
}

/* freed by source_free, also after a failure */
static mo_status source_read(mo_run *run, size_t k, source *s, mo_error *err)
{
    *s = (source){0};
    const mo_run_info *info = mo_run_info_get(run);
    if (info->dim != 2)
        return fail(err, MO_BAD_INPUT, "dim", "a run in %d dimensions; pictures are drawn of runs in 2",
                    info->dim);
    if (k >= info->frames)
        return fail(err, MO_BAD_INPUT, "frame", "frame %zu of a run with %zu frames", k, info->frames);
    mo_status status = mo_run_frame(run, k, &s->frame, err);
    if (status != MO_OK)
        return status;
    return scene2d_from_frame(info, mo_run_bodies(run), info->body_count, &s->frame, &s->scene, err);
}

mo_status draw_fit_view(mo_run *run, size_t first, size_t count, draw_view *out, mo_error *err)
{
    box2d view = {{-0.5, -0.5}, {0.5, 0.5}};
    bool any = false;
    for (size_t k = first; k < first + count; k++) {
        source s;
        box2d box;
        mo_status status = source_read(run, k, &s, err);
        if (status == MO_OK)
            status = view_fit(&s.scene, &box, err);
        bool heap = status == MO_OK && view_has_heap(&s.scene);
        source_free(&s);
        if (status != MO_OK)
            return status;
        // what was shown for want of bodies makes room for the first frame that has some
        if (any && heap)
            view_join(&view, &box);
        else if (heap || !any)
            view = box;
        any = any || heap;
    }
    *out = (draw_view){{view.lo[0], view.lo[1]}, {view.hi[0], view.hi[1]}};
    return MO_OK;
}

mo_status draw_frame(mo_run *run, size_t k, const draw_options *options, const char *path, mo_error *err)
{
    source s;
    mo_status status = source_read(run, k, &s, err);
    if (status == MO_OK)
        status = write_picture(&s.scene, options, path, err);
    source_free(&s);
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
