/*
 * Pictures as moreau/draw.h has them.
 */
#include <moreau/draw.h>

#include "core/fail.h"
#include "draw/draw.h"

#include <math.h>

mo_draw_def mo_default_draw_def(void)
{
    const draw_options o = draw_default_options();
    return (mo_draw_def){.what = MO_DRAW_FRAME,
                         .frame = SIZE_MAX,
                         .chains = o.chains,
                         .width = o.width,
                         .azimuth = o.camera.azimuth,
                         .elevation = o.camera.elevation,
                         .orthographic = o.camera.orthographic};
}

static mo_status check(const mo_draw_def *d, const mo_run_info *info, mo_error *err)
{
    enum { WIDEST = 20000 };
    if (d->width < 1 || d->width > WIDEST)
        return fail(err, MO_BAD_INPUT, "width", "found %d, expected 1 to %d", d->width, WIDEST);
    if ((unsigned)d->color > MO_DRAW_BY_STRESS)
        return fail(err, MO_BAD_INPUT, "color", "found number %d, expected one of mo_draw_color",
                    (int)d->color);
    if (!isfinite(d->azimuth) || !isfinite(d->elevation))
        return fail(err, MO_BAD_INPUT, "camera", "found an angle that is not finite");
    for (int k = 0; d->framed && k < (info->dim == 3 ? 3 : 2); k++)
        if (!(d->lo[k] < d->hi[k]) || !isfinite(d->lo[k]) || !isfinite(d->hi[k]))
            return fail(err, MO_BAD_INPUT, "view", "found %g to %g, expected lo < hi", d->lo[k], d->hi[k]);
    if ((d->what == MO_DRAW_FRAME || d->what == MO_DRAW_PATH) && info->is_path != (d->what == MO_DRAW_PATH))
        return fail(err, MO_BAD_INPUT, "what", "the run is of a %s", info->kind);
    if (info->frames == 0 && (d->what == MO_DRAW_FRAME || d->what == MO_DRAW_PATH))
        return fail(err, MO_BAD_INPUT, "frame", "the run holds no frame yet");
    if (d->frame != SIZE_MAX && d->frame >= info->frames)
        return fail(err, MO_BAD_INPUT, "frame", "found %zu, but the run has frames 0 to %zu", d->frame,
                    info->frames - 1);
    return MO_OK;
}

mo_status mo_run_draw(mo_run *run, const mo_draw_def *def, const char *path, mo_error *err)
{
    const mo_run_info *info = mo_run_info_get(run);
    mo_status status = check(def, info, err);
    if (status != MO_OK)
        return status;
    const draw_view view = {{def->lo[0], def->lo[1], def->lo[2]}, {def->hi[0], def->hi[1], def->hi[2]}};
    const draw_options o = {.format = def->svg ? DRAW_SVG : DRAW_PNG,
                            .color = (draw_color)def->color,
                            .chains = def->chains,
                            .network = def->network,
                            .width = def->width,
                            .view = def->framed ? &view : NULL,
                            .camera = {def->azimuth, def->elevation, def->orthographic}};
    switch (def->what) {
    case MO_DRAW_FRAME:
        return draw_frame(run, def->frame == SIZE_MAX ? info->frames - 1 : def->frame, &o, path, err);
    case MO_DRAW_SERIES:
        return draw_series(run, &o, path, err);
    case MO_DRAW_PATH:
        return draw_path(run, def->frame, &o, path, err);
    case MO_DRAW_PLOTS:
        return draw_plots(run, &o, path, err);
    }
    return fail(err, MO_BAD_INPUT, "what", "found number %d, expected one of mo_draw_what", (int)def->what);
}
