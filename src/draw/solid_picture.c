/* Pictures of worlds in space. */
#include "draw/solid_picture.h"

#include "core/fail.h"
#include "draw/chart.h"
#include "draw/sink.h"
#include "draw/solid_view.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double large_body = 6.0;   /* median radii: from here on chains end at its contacts, and bodies
                                           behind it are seen through it when it is fixed */
static const double chain_radius = 0.6; /* median radii: a body with it has chains as broad as in the plane */
static const double aspect_least = 0.55, aspect_most = 2.4; /* width over height */
static const double window_margin = 0.03;                   /* of the longer side */
static const rgb wall_color = {0.80, 0.80, 0.82};

/* ---- what is shown ------------------------------------------------------------------------------------ */

static bool is_large(const solid_picture *p, size_t body)
{
    return body3d_radius(&p->scene->bodies[body]) > large_body * p->radius;
}

/* median radius of the dynamic bodies (the smaller of the two in the middle), of the walls when there are
   none; scratch holds [body_count] */
static double median_radius(const scene3d *scene, double *scratch)
{
    for (int walls = 0; walls < 2; walls++) {
        size_t count = 0;
        for (size_t i = 0; i < scene->body_count; i++) {
            const body3d *b = &scene->bodies[i];
            double r = b->wall == (walls == 1) && b->sound ? body3d_radius(b) : 0.0;
            if (r > 0.0)
                scratch[count++] = r;
        }
        sort_doubles(scratch, count);
        if (count > 0)
            return scratch[(count - 1) / 2];
    }
    return 0.0;
}

static void count_bodies(solid_picture *p)
{
    const camera *c = &p->stage.camera;
    for (size_t i = 0; i < p->scene->body_count; i++) {
        const body3d *b = &p->scene->bodies[i];
        box3d box;
        p->unsound += !b->sound;
        if (b->wall || !b->sound)
            continue;
        p->dynamic++;
        double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
        if (!body3d_bounds(b, &box))
            continue;
        camera_widen(c, &box, lo, hi);
        p->outside += !(c->left + c->scale * hi[0] >= 0.0 && c->left + c->scale * lo[0] <= p->view_width &&
                        c->top - c->scale * lo[1] >= 0.0 && c->top - c->scale * hi[1] <= p->view_height);
    }
}

/* ---- colours ------------------------------------------------------------------------------------------ */

/* a speed or stress that is nothing but rounding, as for pictures in the plane */
static double negligible(const solid_picture *p)
{
    double h = p->scene->h, r = p->radius;
    if (p->options.color == DRAW_BY_STRESS)
        return r > 0.0 ? 1e-6 * p->impulse / (h * r * r) : 0.0;
    return 1e-6 * r / h;
}

/* lines fade as bodies get smaller and end at two pixels */
static float ink_of(const solid_picture *p, size_t body)
{
    double r = body3d_radius(&p->scene->bodies[body]) / p->stage.camera.size * p->stage.camera.scale;
    return (float)(0.62 * fmin(fmax((r / p->unit - 2.0) / 6.0, 0.0), 1.0));
}

static void choose_colors(solid_picture *p, double *scratch)
{
    const scene3d *s = p->scene;
    scene3d_values(s, p->options.color, p->tint.value);
    tint_scale(&p->tint, s->body_count, negligible(p), scratch);
    for (size_t i = 0; i < s->body_count; i++)
        if (!s->bodies[i].wall && s->bodies[i].sound)
            tint_show(&p->tint, s->bodies[i].group);
    tint_order(&p->tint);
    for (size_t i = 0; i < s->body_count; i++) {
        p->color[i] = s->bodies[i].wall ? wall_color : tint_of_body(&p->tint, i, s->bodies[i].group);
        p->ink[i] = s->bodies[i].wall && body3d_radius(&s->bodies[i]) == 0.0 ? 0.35F : ink_of(p, i);
    }
}

/* ---- the stage ---------------------------------------------------------------------------------------- */

static void add_bodies(solid_picture *p)
{
    for (size_t i = 0; i < p->scene->body_count; i++) {
        const body3d *b = &p->scene->bodies[i];
        facets_add_body(&p->stage.layers[b->wall && is_large(p, i) ? LAYER_WALLS : LAYER_BODIES], b,
                        (uint32_t)i);
    }
}

/* the line of a contact from the centre of one of its bodies */
static void add_half(solid_picture *p, const contact3d *c, size_t body, double breadth)
{
    const double *x = p->scene->bodies[body].x;
    double end[3];
    if (p->scene->bodies[body].wall || is_large(p, body))
        return;
    scene_arm(&p->scene->cell, 3, x, c->point, end);
    vec3_add(x, end, end);
    facets_add_bar(&p->stage.layers[LAYER_CHAINS], x, end, 0.5 * breadth, 0, 0);
}

static void add_chains(solid_picture *p)
{
    const scene3d *s = p->scene;
    double pixel = p->stage.camera.size / p->stage.camera.scale;
    for (size_t i = 0; i < s->contact_count && p->options.chains; i++) {
        const contact3d *c = &s->contacts[i];
        double breadth = chain_breadth(chain_radius * p->radius, c->impulse[0], p->impulse);
        bool sound = s->bodies[c->a].sound && s->bodies[c->b].sound;
        sound = sound && isfinite(vec3_norm(c->point));
        if (!sound || !(breadth > 0.1 * pixel))
            continue;
        add_half(p, c, c->a, breadth);
        add_half(p, c, c->b, breadth);
    }
}

/* ---- layout ------------------------------------------------------------------------------------------- */

/* A part of the picture plane, in view coordinates. */
typedef struct window {
    double lo[2], hi[2];
} window;

static void widen_by_facets(const camera *c, const facets *f, window *w)
{
    for (size_t i = 0; i < f->count; i++)
        for (int k = 0; k < 3 && f->items[i].kind == FACET_TRIANGLE; k++) {
            box3d point;
            vec3_copy(f->items[i].p[k], point.lo);
            vec3_copy(f->items[i].p[k], point.hi);
            camera_widen(c, &point, w->lo, w->hi);
        }
}

/* what of a box lies in another; false for nothing */
static bool common_box(const box3d *a, const box3d *b, box3d *out)
{
    bool any = true;
    for (int k = 0; k < 3; k++) {
        out->lo[k] = fmax(a->lo[k], b->lo[k]);
        out->hi[k] = fmin(a->hi[k], b->hi[k]);
        any = any && out->lo[k] <= out->hi[k];
    }
    return any;
}

static bool holds(const box3d *outer, const box3d *inner)
{
    bool all = true;
    for (int k = 0; k < 3; k++)
        all = all && outer->lo[k] <= inner->lo[k] && outer->hi[k] >= inner->hi[k];
    return all;
}

/* widens the window by a part; corners beyond the view count as if they lay on its border */
static void widen_by_part(const camera *c, const body3d *body, const mo_part *part, const box3d *limits,
                          window *w)
{
    const double *points = part3d_points(body, part);
    double r = part3d_radius(body, part) / c->size;
    for (size_t i = 0; i < part3d_corners(part); i++) {
        double world[3], view[3];
        window own;
        body3d_place(body, points + 3 * i, world);
        for (int k = 0; k < 3; k++)
            world[k] = fmin(fmax(world[k], limits->lo[k]), limits->hi[k]);
        camera_see(c, world, view);
        if (!camera_ball(c, view, r, own.lo, own.hi))
            continue;
        for (int k = 0; k < 2; k++) {
            w->lo[k] = fmin(w->lo[k], own.lo[k]);
            w->hi[k] = fmax(w->hi[k], own.hi[k]);
        }
    }
}

static void widen_by_bodies(const scene3d *scene, const camera *c, const box3d *view, window *w)
{
    for (size_t i = 0; i < scene->body_count; i++) {
        const body3d *b = &scene->bodies[i];
        for (size_t j = 0; j < b->part_count && b->sound; j++) {
            box3d box, cut;
            if (!part3d_bounds(b, &b->parts[j], &box) || !common_box(&box, view, &cut))
                continue;
            if (part3d_radius(b, &b->parts[j]) == 0.0 || holds(view, &box))
                widen_by_part(c, b, &b->parts[j], view, w);
            else
                camera_widen(c, &cut, w->lo, w->hi);
        }
    }
}

static void widen_by_cell(const scene3d *scene, const camera *c, const box3d *view, window *w)
{
    double edges[cell_edges_most][2][3];
    const size_t count = solid_cell_edges(scene, view, edges);
    for (size_t i = 0; i < 2 * count; i++) {
        box3d point;
        vec3_copy(edges[i / 2][i % 2], point.lo);
        vec3_copy(point.lo, point.hi);
        camera_widen(c, &point, w->lo, w->hi);
    }
}

static void widen_by_joints(const scene3d *scene, const camera *c, const box3d *view, window *w)
{
    for (size_t i = 0; i < 2 * scene->joints.count; i++) {
        const joint_line *line = &scene->joints.items[i / 2];
        box3d point, shown;
        vec3_copy(line->at[i % 2], point.lo);
        vec3_copy(line->at[i % 2], point.hi);
        if (joint_line_sound(line, 3) && common_box(&point, view, &shown))
            camera_widen(c, &shown, w->lo, w->hi);
    }
}

static void widen_side(window *w, int k, double least)
{
    double lack = fmax(least - (w->hi[k] - w->lo[k]), 0.0);
    w->lo[k] -= 0.5 * lack;
    w->hi[k] += 0.5 * lack;
}

/* a margin, and a bounded shape */
static void finish_window(window *w)
{
    double side = fmax(w->hi[0] - w->lo[0], w->hi[1] - w->lo[1]);
    if (!(side > 0.0) || !isfinite(side))
        *w = (window){{-1.0, -1.0}, {1.0, 1.0}};
    side = fmax(w->hi[0] - w->lo[0], w->hi[1] - w->lo[1]);
    for (int k = 0; k < 2; k++)
        widen_side(w, k, w->hi[k] - w->lo[k] + 2.0 * window_margin * side);
    widen_side(w, 0, aspect_least * (w->hi[1] - w->lo[1]));
    widen_side(w, 1, (w->hi[0] - w->lo[0]) / aspect_most);
}

static void lay_out(solid_picture *p, const window *w)
{
    camera *c = &p->stage.camera;
    double side = (double)p->options.width;
    p->unit = side / 1200.0;
    p->font = side / 62.0;
    p->left = floor(p->font);
    p->top = floor(2.2 * p->font);
    p->view_width = fmax(floor(side - 2.0 * p->left), 1.0);
    c->scale = p->view_width / (w->hi[0] - w->lo[0]);
    c->left = -c->scale * w->lo[0];
    c->top = c->scale * w->hi[1];
    p->view_height = fmax(ceil(c->scale * (w->hi[1] - w->lo[1])), 1.0);
    p->footer = p->top + p->view_height + 0.7 * p->font;
    p->width = side;
    p->height = fmax(ceil(p->footer + 4.5 * p->font), 1.0);
}

/* camera, planes and paper from what is to be seen */
static mo_status look(solid_picture *p, mo_error *err)
{
    const draw_options *o = &p->options;
    camera *c = &p->stage.camera;
    box3d heap, view;
    window w = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    mo_status status = solid_view_fit(p->scene, &heap, &view, err);
    if (status != MO_OK)
        return status;
    if (o->view != NULL) {
        vec3_copy(o->view->lo, view.lo);
        vec3_copy(o->view->hi, view.hi);
    }
    for (int k = 0; k < 3; k++)
        if (!isfinite(view.hi[k] - view.lo[k]) || !(view.lo[k] <= view.hi[k]))
            return fail(err, MO_BAD_INPUT, "view", "found %g to %g, expected a finite range", view.lo[k],
                        view.hi[k]);
    camera_vertical(p->scene->gravity, p->stage.vertical);
    camera_aim(c, p->stage.vertical, o->camera.azimuth, o->camera.elevation);
    camera_fit(c, &view, !o->camera.orthographic);
    p->stage.around = view;
    p->stage.grid = round_below(0.25 * c->size);
    /* borders as fine as lines in a picture that shows twice the size */
    solid_add_planes(p->scene, &view, c->size * 1e-3, &p->stage.layers[LAYER_BODIES]);
    widen_by_facets(c, &p->stage.layers[LAYER_BODIES], &w);
    solid_add_cell(p->scene, &view, c->size * 1e-3, &p->stage.layers[LAYER_BODIES]);
    if (o->view != NULL) {
        camera_widen(c, &view, w.lo, w.hi);
    } else {
        widen_by_bodies(p->scene, c, &view, &w);
        widen_by_cell(p->scene, c, &view, &w);
        widen_by_joints(p->scene, c, &view, &w);
    }
    finish_window(&w);
    lay_out(p, &w);
    return MO_OK;
}

mo_status solid_picture_plan(solid_picture *p, const scene3d *scene, const draw_options *options,
                             mo_error *err)
{
    memset(p, 0, sizeof *p);
    p->scene = scene;
    p->options = *options;
    size_t count = scene->body_count;
    mo_status status = sink_check_width(options, err);
    if (status == MO_OK)
        status = look(p, err);
    if (status != MO_OK)
        return status;
    double *scratch = malloc((count + 1) * sizeof *scratch);
    p->color = malloc((count + 1) * sizeof *p->color);
    p->ink = malloc((count + 1) * sizeof *p->ink);
    bool ok = tint_create(&p->tint, options->color, options->chains, count, scene->group_count);
    ok = ok && scratch != NULL && p->color != NULL && p->ink != NULL;
    if (ok) {
        p->tint.lightening = options->network ? 0.6 : p->tint.lightening;
        p->radius = median_radius(scene, scratch);
        p->impulse = scene->contact_count > 0 ? mean_impulse(scene->contacts[0].impulse, scene->contact_count,
                                                             sizeof *scene->contacts / sizeof(double))
                                              : 0.0;
        count_bodies(p);
        choose_colors(p, scratch);
        add_bodies(p);
        add_chains(p);
        for (int k = 0; k < LAYERS; k++)
            ok = ok && !p->stage.layers[k].no_memory;
    }
    free(scratch);
    p->stage.color = p->color;
    p->stage.ink = p->ink;
    p->stage.radius = p->radius;
    p->stage.unit = p->unit;
    p->stage.deep_chains = options->network;
    return ok ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu bodies", count);
}

void solid_picture_free(solid_picture *p)
{
    for (int k = 0; k < LAYERS; k++)
        facets_free(&p->stage.layers[k]);
    tint_free(&p->tint);
    free(p->color);
    free(p->ink);
    memset(p, 0, sizeof *p);
}

/* ---- painting ----------------------------------------------------------------------------------------- */

/* an image of the stage with `zoom` pixels for each of the picture's */
static cairo_surface_t *render(const solid_picture *p, int zoom)
{
    int width = zoom * (int)p->view_width, height = zoom * (int)p->view_height;
    stage s = p->stage;
    s.camera.left *= zoom;
    s.camera.top *= zoom;
    s.camera.scale *= zoom;
    s.unit *= zoom;
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    bool ok = cairo_surface_status(image) == CAIRO_STATUS_SUCCESS;
    if (ok) {
        cairo_surface_flush(image);
        ok = stage_render(&s, width, height, cairo_image_surface_get_data(image),
                          (size_t)cairo_image_surface_get_stride(image));
        cairo_surface_mark_dirty(image);
    }
    if (ok)
        return image;
    cairo_surface_destroy(image);
    return NULL;
}

static bool paint_stage(cairo_t *cr, const solid_picture *p)
{
    /* drawings are looked at closely: twice as fine where that is not much */
    int zoom = p->options.format == DRAW_SVG && p->view_width <= 2000.0 ? 2 : 1;
    cairo_surface_t *image = render(p, zoom);
    if (image == NULL)
        return false;
    cairo_save(cr);
    cairo_translate(cr, p->left, p->top);
    cairo_scale(cr, 1.0 / zoom, 1.0 / zoom);
    cairo_set_source_surface(cr, image, 0.0, 0.0);
    cairo_rectangle(cr, 0.0, 0.0, zoom * p->view_width, zoom * p->view_height);
    cairo_fill(cr);
    cairo_restore(cr);
    cairo_surface_destroy(image);
    return true;
}

/* where a point of the world lies on the picture; false: it is not seen */
static bool paper_of(const solid_picture *p, const double world[3], double paper[2])
{
    const camera *c = &p->stage.camera;
    double view[3], plane[2];
    camera_see(c, world, view);
    if (!camera_sees(c, view[2]))
        return false;
    camera_project(c, view, plane);
    paper[0] = p->left + c->left + c->scale * plane[0];
    paper[1] = p->top + c->top - c->scale * plane[1];
    return true;
}

/* most are within bodies: fine lines over the picture, behind which everything is seen */
static void paint_joints(cairo_t *cr, const solid_picture *p)
{
    const joint_lines *joints = &p->scene->joints;
    const double mark = joint_mark(p->radius * p->stage.camera.scale / p->stage.camera.size, p->unit);
    cairo_save(cr);
    cairo_rectangle(cr, p->left, p->top, p->view_width, p->view_height);
    cairo_clip(cr);
    for (size_t i = 0; i < joints->count; i++) {
        const joint_line *line = &joints->items[i];
        double a[2], b[2];
        if (joint_line_sound(line, 3) && paper_of(p, line->at[0], a) && paper_of(p, line->at[1], b))
            joint_paint(cr, line->kind, a, b, mark);
    }
    cairo_restore(cr);
}

/* the directions of the coordinate axes, below the view between the scales of length and force */
static void paint_axes(cairo_t *cr, const solid_picture *p)
{
    static const char *const names[3] = {"x", "y", "z"};
    const camera *c = &p->stage.camera;
    double f = p->font, length = 1.4 * f, x = 0.24 * p->width, y = p->footer + 2.0 * f;
    text_font(cr, 0.85 * f);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cr, 1.8 * p->unit);
    for (int k = 0; k < 3; k++) {
        double dx = length * c->right[k], dy = -length * c->up[k], far = hypot(dx, dy);
        if (far < 0.15 * length)
            continue;
        set_rgb(cr, palette_line(k == 0 ? 1 : k == 1 ? 2 : 0));
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + dx, y + dy);
        cairo_stroke(cr);
        text_draw(cr, x + dx + 0.5 * f * dx / far, y + dy + 0.5 * f * dy / far + 0.27 * f, 0.5, names[k]);
    }
}

static labels labels_of(const solid_picture *p)
{
    const scene3d *s = p->scene;
    const camera *c = &p->stage.camera;
    double scale = c->scale / c->size;
    return (labels){
        .width = p->width,
        .left = p->left,
        .footer = p->footer,
        .unit = p->unit,
        .font = p->font,
        .time = s->time,
        .body_count = s->body_count,
        .dynamic = p->dynamic,
        .unsound = p->unsound,
        .outside = p->outside,
        .scale = scale,
        .shown = p->view_width / scale,
        .force = p->impulse / s->h,
        .force_line =
            p->options.chains ? scale * chain_breadth(chain_radius * p->radius, p->impulse, p->impulse) : 0.0,
        .tint = &p->tint,
        .stress_unit = "Pa",
        .groups = s->groups};
}

bool solid_picture_paint(cairo_t *cr, const void *data)
{
    const solid_picture *p = data;
    labels l = labels_of(p);
    if (!paint_stage(cr, p))
        return false;
    paint_joints(cr, p);
    paint_axes(cr, p);
    labels_paint(cr, &l);
    return true;
}
