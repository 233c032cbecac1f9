/* Pictures of runs: what is asked for is turned into plain data, planned, painted and written. */
#include "draw/draw.h"

#include "core/fail.h"
#include "draw/path.h"
#include "draw/picture.h"
#include "draw/plots.h"
#include "draw/series.h"
#include "draw/sink.h"
#include "draw/solid_picture.h"
#include "draw/solid_view.h"

#include <string.h>

draw_options draw_default_options(void)
{
    return (draw_options){.format = DRAW_PNG,
                          .color = DRAW_BY_SPEED,
                          .chains = true,
                          .width = 1200,
                          .camera = {.azimuth = -60.0, .elevation = 22.0}};
}

static mo_status write_picture(const scene2d *scene, const draw_options *options, const char *path,
                               mo_error *err)
{
    picture p;
    mo_status status = picture_plan(&p, scene, options, err);
    if (status == MO_OK)
        status = sink_write(options, p.width, p.height, picture_paint, &p, path, err);
    picture_free(&p);
    return status;
}

static mo_status write_solid_picture(const scene3d *scene, const draw_options *options, const char *path,
                                     mo_error *err)
{
    solid_picture p;
    mo_status status = solid_picture_plan(&p, scene, options, err);
    if (status == MO_OK)
        status = sink_write(options, p.width, p.height, solid_picture_paint, &p, path, err);
    solid_picture_free(&p);
    return status;
}

/* What is read for a picture of one frame. */
typedef struct source {
    mo_frame frame;
    int dim;
    scene2d scene; /* borrow from the run: one of them */
    scene3d solid;
} source;

static void source_free(source *s)
{
    scene2d_free(&s->scene);
    scene3d_free(&s->solid);
    mo_frame_free(&s->frame);
}

/* freed by source_free, also after a failure */
static mo_status source_read(mo_run *run, size_t k, source *s, mo_error *err)
{
    *s = (source){0};
    const mo_run_info *info = mo_run_info_get(run);
    if (info->is_path)
        return fail(err, MO_BAD_INPUT, "kind", "a run of a %.20s; expected a world", info->kind);
    s->dim = info->dim;
    if (k >= info->frames)
        return fail(err, MO_BAD_INPUT, "frame", "frame %zu of a run with %zu frames", k, info->frames);
    mo_status status = mo_run_frame(run, k, &s->frame, err);
    if (status != MO_OK)
        return status;
    const mo_body_raw *table = mo_run_bodies(run);
    const bool solid = info->dim == 3;
    status = solid ? scene3d_from_frame(info, table, info->body_count, &s->frame, &s->solid, err)
                   : scene2d_from_frame(info, table, info->body_count, &s->frame, &s->scene, err);
    if (status != MO_OK)
        return status;
    return joint_lines_of_frame(run, k, &s->frame, solid ? &s->solid.cell : &s->scene.cell,
                                solid ? &s->solid.joints : &s->scene.joints, err);
}

/* A view that grows by those of several pictures. */
typedef struct film {
    box2d view;
    box3d solid;
    bool any; /* with something that moves */
} film;

static const film film_empty = {.view = {{-0.5, -0.5}, {0.5, 0.5}},
                                .solid = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}};

static mo_status film_add(film *f, const scene2d *scene, mo_error *err)
{
    box2d box;
    mo_status status = view_fit(scene, &box, err);
    if (status != MO_OK)
        return status;
    bool heap = view_has_heap(scene);
    /* what was shown for want of bodies makes room for the first frame that has some */
    if (f->any && heap)
        view_join(&f->view, &box);
    else if (heap || !f->any)
        f->view = box;
    f->any = f->any || heap;
    return MO_OK;
}

/* the same in space */
static mo_status film_add_solid(film *f, const scene3d *scene, mo_error *err)
{
    box3d heap, box;
    mo_status status = solid_view_fit(scene, &heap, &box, err);
    if (status != MO_OK)
        return status;
    bool moving = solid_view_has_heap(scene);
    if (f->any && moving)
        box3d_join(&f->solid, &box);
    else if (moving || !f->any)
        f->solid = box;
    f->any = f->any || moving;
    return MO_OK;
}

static draw_view film_view(const film *f)
{
    return (draw_view){{f->view.lo[0], f->view.lo[1]}, {f->view.hi[0], f->view.hi[1]}};
}

static draw_view film_view_solid(const film *f)
{
    draw_view out;
    memcpy(out.lo, f->solid.lo, sizeof out.lo);
    memcpy(out.hi, f->solid.hi, sizeof out.hi);
    return out;
}

mo_status draw_fit_view(mo_run *run, size_t first, size_t count, draw_view *out, mo_error *err)
{
    film f = film_empty;
    for (size_t k = first; k < first + count; k++) {
        source s;
        mo_status status = source_read(run, k, &s, err);
        if (status == MO_OK)
            status = s.dim == 3 ? film_add_solid(&f, &s.solid, err) : film_add(&f, &s.scene, err);
        source_free(&s);
        if (status != MO_OK)
            return status;
    }
    *out = mo_run_info_get(run)->dim == 3 ? film_view_solid(&f) : film_view(&f);
    return MO_OK;
}

mo_status draw_frame(mo_run *run, size_t k, const draw_options *options, const char *path, mo_error *err)
{
    source s;
    mo_status status = source_read(run, k, &s, err);
    if (status == MO_OK)
        status = s.dim == 3 ? write_solid_picture(&s.solid, options, path, err)
                            : write_picture(&s.scene, options, path, err);
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
        status = sink_write(options, plot.width, plot.height, plot2d_paint, &plot, path, err);
    return status;
}

static mo_status write_figure(figure *f, const draw_options *options, const char *path, mo_error *err)
{
    mo_status status = figure_plan(f, options, err);
    if (status == MO_OK)
        status = sink_write(options, f->width, f->height, figure_paint, f, path, err);
    return status;
}

mo_status draw_plots_text(const char *json, const draw_options *options, const char *path, mo_error *err)
{
    plots p;
    mo_status status = plots_parse(json, &p, err);
    if (status == MO_OK && p.figure.plot_count == 0)
        status = fail(err, MO_BAD_INPUT, "plots", "there are no plots; a scene asks for them with plot{}");
    if (status == MO_OK)
        status = write_figure(&p.figure, options, path, err);
    plots_free(&p);
    return status;
}

mo_status draw_plots(mo_run *run, const draw_options *options, const char *path, mo_error *err)
{
    return draw_plots_text(mo_run_info_get(run)->plots_json, options, path, err);
}

/* ---- paths ------------------------------------------------------------------------------------------ */

static mo_status path_read(mo_run *run, path2d *out, mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    *out = (path2d){.n = info->coordinates, .m = info->multipliers};
    if (!info->is_path)
        return fail(err, MO_BAD_INPUT, "kind", "a run of a %.20s; expected a sweep or a system", info->kind);
    mo_status status = mo_run_path_get(run, &out->path, err);
    if (status == MO_OK)
        status = mo_run_events_get(run, &out->events, err);
    if (status == MO_OK)
        status = mo_run_outlines_get(run, &out->outlines, err);
    return status;
}

static mo_status write_discs(const path2d *s, size_t k, const draw_options *options, const char *path,
                             mo_error *err)
{
    disc_row row;
    mo_status status = disc_row_make(&row, s, k == SIZE_MAX && s->path.rows > 0 ? s->path.rows - 1 : k, err);
    if (status == MO_OK)
        status = write_picture(&row.scene, options, path, err);
    disc_row_free(&row);
    return status;
}

static mo_status write_path(const path2d *s, const draw_options *options, const char *path, mo_error *err)
{
    path_picture p;
    mo_status status = (s->n == 1 ? water_plan : plane_plan)(&p, s, options, err);
    if (status == MO_OK)
        status = sink_write(options, p.width, p.height, s->n == 1 ? water_paint : plane_paint, &p, path, err);
    path_picture_free(&p);
    return status;
}

mo_status draw_path(mo_run *run, size_t k, const draw_options *options, const char *path, mo_error *err)
{
    path2d s;
    mo_status status = path_read(run, &s, err);
    if (status != MO_OK)
        return status;
    if (s.path.disc_count > 0)
        return write_discs(&s, k, options, path, err);
    if (s.path.u == NULL && (s.n == 1 || s.n == 2))
        return write_path(&s, options, path, err);
    path_panels panels;
    path_panels_fill(&panels, &s);
    return write_figure(&panels.figure, options, path, err);
}

mo_status draw_fit_path_view(mo_run *run, size_t first, size_t count, draw_view *out, mo_error *err)
{
    path2d s;
    film f = film_empty;
    mo_status status = path_read(run, &s, err);
    for (size_t k = first; status == MO_OK && s.path.disc_count > 0 && k < first + count; k++) {
        disc_row row;
        status = disc_row_make(&row, &s, k, err);
        if (status == MO_OK)
            status = film_add(&f, &row.scene, err);
        disc_row_free(&row);
    }
    if (status == MO_OK)
        *out = film_view(&f);
    return status;
}
