/* Scenes run by this library, with the same things handed back as by other programs' drivers. */
#include "peers.h"

#include "core/fail.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// the sweeps of a step are limited while a pile falls; at rest it takes some ten
static const peer_setting pile_settings[] = {
    {"1e-4-projected", "residual 1e-4, overlaps removed after each step", MO_SOLVER_NLGS, 1e-4, 1000, true},
    {"1e-4", "residual 1e-4", MO_SOLVER_NLGS, 1e-4, 1000, false},
    {"50-sweeps", "50 sweeps at every step, whatever is reached", MO_SOLVER_NLGS, 0, 50, false},
};
static const peer_setting motion_settings[] = {
    {"20-projected", "residual 1e-4 or 20 sweeps, overlaps removed after each step", MO_SOLVER_NLGS, 1e-4, 20,
     true},
    {"100-projected", "residual 1e-4 or 100 sweeps, likewise", MO_SOLVER_NLGS, 1e-4, 100, true},
};
static const peer_setting cube_settings[] = {
    {"1e-8", "residual 1e-8", MO_SOLVER_AUTO, 1e-8, 10000, false},
    {"1e-8-projected", "residual 1e-8, overlaps removed after each step", MO_SOLVER_AUTO, 1e-8, 10000, true},
};

const peer_setting *peer_own_setting(const peer_scene *s, size_t i)
{
    if (s->bodies[0].radius == 0)
        return i < sizeof cube_settings / sizeof cube_settings[0] ? &cube_settings[i] : NULL;
    if (!s->resting)
        return i < sizeof motion_settings / sizeof motion_settings[0] ? &motion_settings[i] : NULL;
    return i < sizeof pile_settings / sizeof pile_settings[0] ? &pile_settings[i] : NULL;
}

// as drivers measure it: the clock of the process goes by ticks where its time is limited
static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the world ------------------------------------------------------------------------------------ */

static mo_status add_body(mo_world *w, int dim, const peer_body *b, mo_error *err)
{
    mo_body body;
    mo_body_def def = mo_default_body_def();
    if (b->radius > 0)
        def.shape = (mo_shape_def){.kind = dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE, .radius = b->radius};
    else
        def.shape =
            (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {2 * b->half[0], 2 * b->half[1], 2 * b->half[2]}};
    def.mass = b->mass;
    memcpy(def.position, b->x, sizeof b->x);
    if (dim == 3)
        memcpy(def.orientation, b->q, sizeof b->q);
    return mo_body_create(w, &def, &body, err);
}

static mo_status add_wall(mo_world *w, int dim, const peer_plane *p, mo_error *err)
{
    mo_body body;
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_FIXED;
    def.shape = (mo_shape_def){.kind = dim == 2 ? MO_SHAPE_HALFPLANE : MO_SHAPE_PLANE, .offset = p->offset};
    memcpy(def.shape.normal, p->normal, sizeof p->normal);
    return mo_body_create(w, &def, &body, err);
}

// bodies first: slot i is body i, and body 1 of every contact is a moving one
static mo_status make_world(const peer_scene *s, const peer_setting *how, mo_world **out, mo_error *err)
{
    mo_world_def def = mo_default_world_def();
    const mo_law law = {.friction = s->friction};
    def.dim = s->dim;
    def.h = s->h;
    memcpy(def.gravity, s->gravity, sizeof def.gravity);
    def.solver.tol = how->tol;
    def.solver.max_iter = how->max_iter;
    def.solver.name = how->solver;
    def.position_projection = how->projection;
    mo_status status = mo_world_create(&def, out, err);
    if (status == MO_OK)
        status = mo_world_set_default_law(*out, &law, err);
    for (size_t i = 0; status == MO_OK && i < s->body_count; i++)
        status = add_body(*out, s->dim, &s->bodies[i], err);
    for (size_t k = 0; status == MO_OK && k < s->plane_count; k++)
        status = add_wall(*out, s->dim, &s->planes[k], err);
    return status;
}

/* ---- what is handed back -------------------------------------------------------------------------- */

static mo_status read_states(const mo_world *w, const peer_scene *s, peer_state *out, mo_error *err)
{
    mo_status status = MO_OK;
    const uint32_t *id = mo_world_bodies(w).id;
    for (size_t i = 0; status == MO_OK && i < s->body_count; i++) {
        mo_body_state b;
        status = mo_body_get(w, (mo_body){id[i]}, &b, err);
        if (status != MO_OK)
            break;
        out[i] = (peer_state){.q = {1}};
        memcpy(out[i].x, b.position, (size_t)s->dim * sizeof(double));
        memcpy(out[i].v, b.velocity, (size_t)s->dim * sizeof(double));
        if (s->dim == 3) {
            memcpy(out[i].q, b.orientation, sizeof b.orientation);
            memcpy(out[i].w, b.spin3, sizeof b.spin3);
        } else {
            out[i].w[2] = b.spin;
        }
    }
    return status;
}

// with projection an open contact may close, but not overlap
static void read_touch(const mo_contacts *c, const peer_scene *scene, bool projection, size_t i,
                       peer_contact *out)
{
    const int dim = scene->dim;
    const size_t d = (size_t)dim;
    *out = (peer_contact){.body1 = c->slot1[i], .body2 = c->slot2[i], .gap = c->gap[i]};
    if (projection && out->gap > 0)
        out->target = -out->gap / scene->h;
    memcpy(out->point, c->point + d * i, d * sizeof(double));
    memcpy(out->normal, c->normal + d * i, d * sizeof(double));
    const double *n = out->normal, *S = c->impulse + d * i;
    double t[3] = {-n[1], n[0], 0};
    if (dim == 3)
        mo_tangent(n, t);
    const double s[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
    for (int k = 0; k < 3; k++)
        out->impulse[k] = S[0] * n[k] + S[1] * t[k] + (dim == 3 ? S[2] * s[k] : 0);
}

// one more step, with its contacts; they are found half a step on
static mo_status watch_step(mo_world *w, const peer_scene *s, const peer_setting *how, peer_result *r,
                            mo_error *err)
{
    mo_status status = read_states(w, s, r->before, err);
    for (size_t i = 0; i < s->body_count; i++)
        for (int k = 0; k < 3; k++)
            r->before[i].x[k] += 0.5 * s->h * r->before[i].v[k];
    if (status == MO_OK)
        status = mo_world_step(w, err);
    if (status != MO_OK)
        return status;
    const mo_contacts c = mo_world_contacts(w);
    r->touch = calloc(c.count + 1, sizeof *r->touch);
    if (r->touch == NULL)
        return fail(err, MO_NO_MEMORY, "", "no memory for contacts");
    r->touch_count = c.count;
    for (size_t i = 0; i < c.count; i++)
        read_touch(&c, s, how->projection, i, &r->touch[i]);
    return MO_OK;
}

enum { STAGES = 4 };
static const char *const stage_names[STAGES] = {"detect", "assemble", "solve", "integrate"};

static void stage_seconds(const mo_world *w, double out[STAGES])
{
    const mo_stage_seconds s = mo_world_info_get(w).seconds;
    const double v[STAGES] = {s.detect, s.assemble, s.solve, s.integrate};
    memcpy(out, v, sizeof v);
}

static void median_stages(double *times, size_t steps, peer_result *r)
{
    r->stage_count = STAGES;
    for (size_t k = 0; k < STAGES; k++) {
        snprintf(r->stages[k].name, sizeof r->stages[k].name, "%s", stage_names[k]);
        r->stages[k].seconds = peer_median(times + k * steps, steps);
    }
}

static mo_status measure(mo_world *w, const peer_scene *s, const peer_setting *how, peer_result *r,
                         mo_error *err)
{
    double *times = calloc(STAGES * s->steps + 1, sizeof *times);
    mo_status status = times != NULL ? MO_OK : fail(err, MO_NO_MEMORY, "", "no memory for times");
    const mo_world_info first = mo_world_info_get(w);
    for (size_t i = 0; status == MO_OK && i < s->steps; i++) {
        double before[STAGES], after[STAGES];
        stage_seconds(w, before);
        const double began = processor_seconds();
        status = mo_world_step(w, err);
        r->seconds[i] = processor_seconds() - began;
        stage_seconds(w, after);
        for (size_t k = 0; k < STAGES; k++)
            times[k * s->steps + i] = after[k] - before[k];
        r->run_seconds += r->seconds[i];
        r->contacts += (double)mo_world_info_get(w).contacts / (double)s->steps;
    }
    const mo_world_info last = mo_world_info_get(w);
    r->iterations = (double)(last.iterations_total - first.iterations_total) / (double)s->steps;
    if (how->tol > 0 && last.unconverged_steps > first.unconverged_steps)
        snprintf(r->note, sizeof r->note, "%lld of %zu steps above the tolerance",
                 (long long)(last.unconverged_steps - first.unconverged_steps), s->steps);
    if (status == MO_OK)
        median_stages(times, s->steps, r);
    free(times);
    return status;
}

static mo_status settle(mo_world *w, const peer_scene *s, peer_result *r, mo_error *err)
{
    mo_status status = MO_OK;
    const double began = processor_seconds();
    for (size_t i = 0; status == MO_OK && i < s->settle; i++)
        status = mo_world_step(w, err);
    r->settle_seconds = processor_seconds() - began;
    return status;
}

mo_status peer_run_own(const peer_scene *scene, const peer_setting *setting, peer_result *out, mo_error *err)
{
    peer_result r = {.program = "moreau", .body_count = scene->body_count, .step_count = scene->steps};
    mo_world *w = NULL;
    snprintf(r.version, sizeof r.version, "%s", mo_version());
    snprintf(r.setting, sizeof r.setting, "%s", setting->name);
    r.seconds = calloc(scene->steps + 1, sizeof *r.seconds);
    r.start = calloc(scene->body_count, sizeof *r.start);
    r.end = calloc(scene->body_count, sizeof *r.end);
    r.before = calloc(scene->body_count, sizeof *r.before);
    mo_status status = r.seconds != NULL && r.start != NULL && r.end != NULL && r.before != NULL
                           ? make_world(scene, setting, &w, err)
                           : fail(err, MO_NO_MEMORY, "", "no memory for results");
    if (status == MO_OK && (status = settle(w, scene, &r, err)) == MO_OK &&
        (status = read_states(w, scene, r.start, err)) == MO_OK &&
        (status = measure(w, scene, setting, &r, err)) == MO_OK &&
        (status = read_states(w, scene, r.end, err)) == MO_OK)
        status = watch_step(w, scene, setting, &r, err);
    mo_world_destroy(w);
    if (status != MO_OK) {
        peer_result_free(&r);
        return status;
    }
    *out = r;
    return MO_OK;
}
