/* Planning a picture, and the order of its layers. */
#include "draw/picture.h"

#include "core/fail.h"
#include "draw/sink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double large_body =
    6.0; /* median radii: from here on a body is treated as a wall by force chains */

double body2d_radius(const body2d *body)
{
    box2d box;
    if (body->area > 0.0 && isfinite(body->area))
        return sqrt(body->area / 3.14159265358979323846);
    if (!body2d_bounds(body, &box))
        return 0.0;
    return 0.5 * fmax(box.hi[0] - box.lo[0], box.hi[1] - box.lo[1]);
}

bool picture_is_wall(const picture *p, size_t body)
{
    const body2d *b = &p->scene->bodies[body];
    box2d box;
    if (b->wall || body2d_radius(b) > large_body * p->radius)
        return true;
    /* a plate is thin, but its centre is as far from its contacts as a wall's */
    return body2d_bounds(b, &box) &&
           fmax(box.hi[0] - box.lo[0], box.hi[1] - box.lo[1]) > 2.0 * large_body * p->radius;
}

/* ---- what is shown ---------------------------------------------------------------------------- */

static void count_bodies(picture *p)
{
    const box2d *v = &p->view.box;
    for (size_t i = 0; i < p->scene->body_count; i++) {
        const body2d *b = &p->scene->bodies[i];
        box2d box;
        if (!body2d_drawable(b)) {
            p->unsound++;
        } else if (!b->wall) {
            p->dynamic++;
            if (body2d_bounds(b, &box) && (box.lo[0] > v->hi[0] || box.hi[0] < v->lo[0] ||
                                           box.lo[1] > v->hi[1] || box.hi[1] < v->lo[1]))
                p->outside++;
        }
    }
}

/* median radius of the dynamic bodies (the smaller of the two in the middle), of the walls when there are
   none; scratch holds [body_count] */
static double median_radius(const scene2d *scene, double *scratch)
{
    for (int walls = 0; walls < 2; walls++) {
        size_t count = 0;
        for (size_t i = 0; i < scene->body_count; i++) {
            const body2d *b = &scene->bodies[i];
            double r = b->wall == (walls == 1) && body2d_drawable(b) ? body2d_radius(b) : 0.0;
            if (r > 0.0)
                scratch[count++] = r;
        }
        sort_doubles(scratch, count);
        if (count > 0)
            return scratch[(count - 1) / 2];
    }
    return 0.0;
}

/* ---- colours ------------------------------------------------------------------------------------ */

/* a speed or stress that is nothing but rounding: bodies move by 1e-6 radii in a step, or are pressed
   together as by a millionth of the mean force */
static double negligible(const picture *p)
{
    if (p->scene->words != NULL)
        return 1e-6 * p->impulse;
    if (p->options.color == DRAW_BY_STRESS)
        return p->radius > 0.0 ? 1e-6 * p->impulse / (p->scene->h * p->radius) : 0.0;
    return 1e-6 * p->radius / p->scene->h;
}

/* groups of drawable dynamic bodies */
static void show_groups(picture *p)
{
    for (size_t i = 0; i < p->scene->body_count; i++) {
        const body2d *b = &p->scene->bodies[i];
        if (!b->wall && body2d_drawable(b))
            tint_show(&p->tint, b->group);
    }
    tint_order(&p->tint);
}

rgb picture_color(const picture *p, size_t body)
{
    return tint_of_body(&p->tint, body, p->scene->bodies[body].group);
}

/* ---- layout -------------------------------------------------------------------------------------- */

static void lay_out(picture *p, const box2d *box)
{
    double w = (double)p->options.width;
    p->unit = w / 1200.0;
    /* labels of worlds are as small as the picture at any width */
    p->font = p->scene->words != NULL ? text_size(w) : w / 62.0;
    view2d *v = &p->view;
    v->box = *box;
    v->left = p->font;
    v->top = 2.2 * p->font;
    v->width = w - 2.0 * p->font;
    v->scale = v->width / (box->hi[0] - box->lo[0]);
    v->height = v->scale * (box->hi[1] - box->lo[1]);
    p->footer = v->top + v->height + 0.7 * p->font;
    p->width = w;
    p->height = fmax(ceil(p->footer + 4.5 * p->font), 1.0);
}

static mo_status choose_box(const scene2d *scene, const draw_view *given, box2d *out, mo_error *err)
{
    if (given == NULL)
        return view_fit(scene, out, err);
    for (int k = 0; k < 2; k++) {
        if (!isfinite(given->hi[k] - given->lo[k]) || !(given->lo[k] < given->hi[k]))
            return fail(err, MO_BAD_INPUT, "view", "found %g to %g, expected a range that is not empty",
                        given->lo[k], given->hi[k]);
        out->lo[k] = given->lo[k];
        out->hi[k] = given->hi[k];
    }
    return MO_OK;
}

mo_status picture_plan(picture *p, const scene2d *scene, const draw_options *options, mo_error *err)
{
    memset(p, 0, sizeof *p);
    p->scene = scene;
    p->options = *options;
    if (scene->words != NULL && options->color == DRAW_BY_GROUP)
        p->options.color = DRAW_BY_STRESS;
    box2d box = {{0.0}, {0.0}};
    mo_status status = sink_check_width(options, err);
    if (status == MO_OK)
        status = choose_box(scene, options->view, &box, err);
    if (status != MO_OK)
        return status;
    double *scratch = malloc((scene->body_count + 1) * sizeof *scratch);
    if (!tint_create(&p->tint, p->options.color, options->chains, scene->body_count, scene->group_count) ||
        scratch == NULL) {
        free(scratch);
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu bodies", scene->body_count);
    }
    if (scene->words != NULL)
        p->tint.map = PALETTE_STRESS;
    lay_out(p, &box);
    count_bodies(p);
    p->radius = median_radius(scene, scratch);
    p->impulse = scene->contact_count > 0 ? mean_impulse(scene->contacts[0].impulse, scene->contact_count,
                                                         sizeof *scene->contacts / sizeof(double))
                                          : 0.0;
    scene2d_values(scene, options->color, p->tint.value);
    tint_scale(&p->tint, scene->body_count, negligible(p), scratch);
    show_groups(p);
    free(scratch);
    return MO_OK;
}

void picture_free(picture *p)
{
    tint_free(&p->tint);
    memset(p, 0, sizeof *p);
}

static labels labels_of(const picture *p)
{
    const scene2d *s = p->scene;
    return (labels){.width = p->width,
                    .left = p->view.left,
                    .footer = p->footer,
                    .unit = p->unit,
                    .font = p->font,
                    .time = s->time,
                    .body_count = s->body_count,
                    .dynamic = p->dynamic,
                    .unsound = p->unsound,
                    .outside = p->outside,
                    .scale = p->view.scale,
                    .shown = p->view.box.hi[0] - p->view.box.lo[0],
                    .force = p->impulse / s->h,
                    .force_line = p->options.chains ? chain_width(p, p->impulse) : 0.0,
                    .tint = &p->tint,
                    .stress_unit = "N/m",
                    .groups = s->groups,
                    .words = s->words};
}

static void paint_joints(cairo_t *cr, const picture *p)
{
    const joint_lines *joints = &p->scene->joints;
    const double mark = joint_mark(p->radius * p->view.scale, p->unit);
    for (size_t i = 0; i < joints->count; i++) {
        double a[2], b[2];
        view_point(&p->view, joints->items[i].at[0], a);
        view_point(&p->view, joints->items[i].at[1], b);
        if (joint_line_sound(&joints->items[i], 2))
            joint_paint(cr, joints->items[i].kind, a, b, mark);
    }
}

bool picture_paint(cairo_t *cr, const void *data)
{
    const picture *p = data;
    outline_space space = {0};
    cairo_save(cr);
    cairo_rectangle(cr, p->view.left, p->view.top, p->view.width, p->view.height);
    cairo_clip(cr);
    paint_walls(cr, p, &space);
    paint_bodies(cr, p, &space);
    /* below the force chains, which nothing hides */
    paint_joints(cr, p);
    if (p->options.chains)
        paint_chains(cr, p);
    paint_cell(cr, p);
    cairo_restore(cr);
    labels l = labels_of(p);
    labels_paint(cr, &l);
    bool complete = !space.no_memory;
    outline_space_free(&space);
    return complete;
}
