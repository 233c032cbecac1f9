/*
 * generate.compressed{...}: a sample of balls pressed together between frictionless walls until it is at rest
 * (press.h), first with the friction of the compression (0 unless said), then with another one.
 */
#include "scene/grains.h"
#include "scene/press.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRESS_TYPE "press"

typedef struct compressed {
    size_t count;
    double pressure, friction[2]; /* of the compression, afterwards; NAN: no second stage */
    double proportions[3];        /* of the box at the start */
    double corner[3];             /* where its low corner goes, m */
    double unit;                  /* mean diameter, m */
    double measure;               /* of all balls, in units */
    double *radius, *centre;      /* [count], [dim count], in units; on the stack */
    int most_steps;
} compressed;

/* ---- reading ---------------------------------------------------------------------------------------- */

static compressed read_compressed(const grains *g)
{
    compressed c = {.pressure = 1, .friction = {0, (double)NAN}, .proportions = {1, 1, 1}};
    lua_State *L = g->L;
    if (g->shape != 0)
        scene_error(L, "generate.compressed.shape", "only %s can be compressed",
                    g->dim == 2 ? "discs" : "spheres");
    c.count = grains_count(g, "count");
    if (read_number(L, 1, g->what, "pressure", &c.pressure))
        read_positive(L, g->what, "pressure", c.pressure);
    if (read_number(L, 1, g->what, "compression_friction", &c.friction[0]))
        read_range(L, g->what, "compression_friction", c.friction[0], 0, 1e3);
    if (read_number(L, 1, g->what, "friction", &c.friction[1]))
        read_range(L, g->what, "friction", c.friction[1], 0, 1e3);
    if (read_vector(L, 1, g->what, "proportions", g->dim, c.proportions))
        for (size_t k = 0; k < g->dim; k++) {
            char place[32];
            snprintf(place, sizeof place, "proportions[%zu]", k + 1);
            read_range(L, g->what, place, c.proportions[k], 1e-3, 1e3);
        }
    read_vector(L, 1, g->what, "position", g->dim, c.corner);
    c.most_steps = read_whole(L, 1, g->what, "max_steps", 20000);
    return c;
}

/* radii in units of the mean diameter */
static void draw_radii(grains *g, compressed *c)
{
    double sum = 0, measure = 0;
    c->radius = lua_newuserdatauv(g->L, c->count * sizeof *c->radius, 0);
    c->centre = lua_newuserdatauv(g->L, g->dim * c->count * sizeof *c->centre, 0);
    for (size_t i = 0; i < c->count; i++) {
        double area;
        if (i % 1024 == 0)
            scene_check_limits(g->L);
        c->radius[i] = grains_draw(g, (lua_Integer)i + 1, &area);
        sum += 2 * c->radius[i];
        measure += area;
    }
    c->unit = sum / (double)c->count;
    c->measure = measure / pow(c->unit, (double)g->dim);
    for (size_t i = 0; i < c->count; i++)
        c->radius[i] /= c->unit;
}

/* loose at random: a box large enough for that is found by trying */
static void place_loosely(const grains *g, compressed *c, double box[3])
{
    static const double origin[3] = {0, 0, 0};
    double fraction = g->dim == 2 ? 0.45 : 0.3, shape = 1;
    for (size_t k = 0; k < g->dim; k++)
        shape *= c->proportions[k];
    for (int i = 0; i < 20; i++, fraction *= 0.7) {
        double side = pow(c->measure / (fraction * shape), 1 / (double)g->dim);
        for (size_t k = 0; k < g->dim; k++)
            box[k] = side * c->proportions[k];
        grain_region region = grain_region_box(g->dim, origin, box);
        if (grains_place(g->L, &region, c->count, c->radius, 0, 2000, c->centre) == c->count)
            return;
    }
    scene_error(g->L, g->what, "found no loose start for %zu bodies in a box of these proportions", c->count);
}

/* ---- pressing --------------------------------------------------------------------------------------- */

static int free_press(lua_State *L)
{
    press *p = lua_touserdata(L, 1);
    mo_world_destroy(p->world);
    p->world = NULL;
    return 0;
}

static press *new_press(const grains *g, const compressed *c)
{
    const scene *s = scene_of(g->L);
    press *p = lua_newuserdatauv(g->L, sizeof *p, 0);
    *p = (press){.dim = g->dim,
                 .count = c->count,
                 .radius = c->radius,
                 .centre = c->centre,
                 .threads = s->world_def.threads,
                 .stop = s->world_def.solver.stop,
                 .stop_data = s->world_def.solver.stop_data};
    if (luaL_newmetatable(g->L, PRESS_TYPE)) {
        lua_pushcfunction(g->L, free_press);
        lua_setfield(g->L, -2, "__gc");
    }
    lua_setmetatable(g->L, -2);
    p->body = lua_newuserdatauv(g->L, (c->count + 2 * g->dim) * sizeof *p->body, 0);
    p->touched = lua_newuserdatauv(g->L, c->count, 0);
    return p;
}

typedef struct stage {
    double friction, tol;
    mo_solver_name solver;
    double still; /* the stage ends when nothing goes farther in a step, in units */
    double even;  /* or when all walls carry the pressure up to this share; 0: not for that */
} stage;

static bool is_over(const press *p, const stage *st)
{
    double worst = 0;
    for (size_t k = 0; k < p->dim; k++)
        worst = fmax(worst, fabs(p->load[k] - 1));
    return p->moved < st->still || worst < st->even;
}

static void run_stage(const grains *g, const compressed *c, press *p, const stage *st)
{
    mo_error err = {0};
    mo_status status = press_begin(p, st->friction, st->solver, st->tol, &err);
    bool over = false;
    while (status == MO_OK && !over && p->steps < c->most_steps) {
        scene_check_limits(g->L);
        status = press_step(p, &err);
        over = status == MO_OK && is_over(p, st);
    }
    if (status != MO_OK)
        scene_raise(g->L, g->what, &err);
    if (!over)
        scene_error(g->L, "generate.compressed.max_steps",
                    "not at rest after %d steps: something still moves by %.3g mean diameters a step",
                    c->most_steps, p->moved);
    press_end(p);
}

/* coarse while it is loose, then to rest; then with the other friction */
static void run_stages(const grains *g, const compressed *c, press *p)
{
    bool smooth = c->friction[0] == 0;
    const stage coarse = {c->friction[0], 1e-4, MO_SOLVER_AUTO, 1e-3, 0.01};
    const stage fine = {c->friction[0], 1e-9, smooth ? MO_SOLVER_NEWTON : MO_SOLVER_AUTO,
                        smooth ? 1e-9 : 1e-8, 0};
    const stage last = {c->friction[1], 1e-9, MO_SOLVER_AUTO, 1e-8, 0};
    run_stage(g, c, p, &coarse);
    run_stage(g, c, p, &fine);
    if (!isnan(c->friction[1]))
        run_stage(g, c, p, &last);
}

/* ---- what comes out --------------------------------------------------------------------------------- */

static void set_field(const grains *g, const char *key, double x)
{
    lua_pushnumber(g->L, x);
    lua_setfield(g->L, g->list, key);
}

static void set_vector(const grains *g, const char *key, const double *x)
{
    scene_push_numbers(g->L, x, g->dim);
    lua_setfield(g->L, g->list, key);
}

static void tell(const grains *g, const compressed *c, const press *p)
{
    double max[3], stress[3], volume = 1;
    for (size_t k = 0; k < g->dim; k++) {
        max[k] = c->corner[k] + c->unit * p->box[k];
        stress[k] = c->pressure * p->load[k];
        volume *= p->box[k];
    }
    set_vector(g, "min", c->corner);
    set_vector(g, "max", max);
    set_vector(g, "stress", stress);
    set_field(g, "solid_fraction", c->measure / volume);
    set_field(g, "coordination", p->loaded > 0 ? (double)p->ends / (double)p->loaded : 0);
    lua_pushinteger(g->L, (lua_Integer)p->contacts);
    lua_setfield(g->L, g->list, "contacts");
    lua_pushinteger(g->L, (lua_Integer)(c->count - p->loaded));
    lua_setfield(g->L, g->list, "rattlers");
    lua_pushinteger(g->L, (lua_Integer)p->steps);
    lua_setfield(g->L, g->list, "steps");
}

static void lay_sample(grains *g, const compressed *c)
{
    for (size_t i = 0; i < c->count; i++) {
        double x[3];
        for (size_t k = 0; k < g->dim; k++)
            x[k] = c->corner[k] + c->unit * c->centre[g->dim * i + k];
        grains_lay(g, (lua_Integer)i + 1, x, c->unit * c->radius[i], NULL);
        grains_keep(g);
    }
}

int generate_compressed(lua_State *L)
{
    static const char *const own[] = {"count",     "pressure",    "compression_friction",
                                      "friction",  "proportions", "position",
                                      "max_steps", NULL};
    grains g = grains_begin(L, "generate.compressed", own);
    compressed c = read_compressed(&g);
    luaL_checkstack(L, 20, g.what);
    scene_allow_press(L);
    draw_radii(&g, &c);
    press *p = new_press(&g, &c);
    place_loosely(&g, &c, p->box);
    /* who only asks for the parameters gets the loose start */
    if (!scene_of(L)->listing)
        run_stages(&g, &c, p);
    lay_sample(&g, &c);
    tell(&g, &c, p);
    lua_settop(L, g.list);
    return 1;
}
