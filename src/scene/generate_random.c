/*
 * generate.random{...}: bodies at random places of a region, without overlaps (grain_place.c), to a number or
 * a solid fraction.
 */
#include "scene/grains.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIES = 20000 };

typedef struct sample {
    size_t count, capacity;
    double *radius; /* [capacity], in a userdata at `at` */
    int at;         /* on the stack */
    double measure; /* of all bodies, m^2 or m^3 */
} sample;

static void reserve(lua_State *L, sample *s, size_t capacity)
{
    double *grown = lua_newuserdatauv(L, capacity * sizeof *grown, 0);
    if (s->count > 0)
        memcpy(grown, s->radius, s->count * sizeof *grown);
    if (s->at == 0)
        s->at = lua_gettop(L);
    else
        lua_replace(L, s->at);
    s->radius = grown;
    s->capacity = capacity;
}

static void draw_count(grains *g, sample *s, size_t n)
{
    reserve(g->L, s, n);
    for (; s->count < n; s->count++) {
        double area;
        if (s->count % 1024 == 0)
            scene_check_limits(g->L);
        s->radius[s->count] = grains_draw(g, (lua_Integer)s->count + 1, &area);
        s->measure += area;
    }
}

/* until the next body would lead farther away from what is asked than it brings nearer */
static void draw_measure(grains *g, sample *s, double wanted)
{
    reserve(g->L, s, 1024);
    for (;;) {
        double area, r = grains_draw(g, (lua_Integer)s->count + 1, &area);
        if (s->count > 0 && s->measure + 0.5 * area > wanted)
            return;
        grains_check_count(g, "solid_fraction", (double)s->count + 1);
        if (s->count == s->capacity) {
            scene_check_limits(g->L);
            reserve(g->L, s, 2 * s->capacity);
        }
        s->radius[s->count++] = r;
        s->measure += area;
    }
}

/* sizes of all bodies, before any is placed */
static sample draw_sample(grains *g, const grain_region *region, const char **asked)
{
    lua_State *L = g->L;
    sample s = {0};
    double fraction;
    bool counted = read_field(L, 1, "count");
    if (counted)
        lua_pop(L, 1);
    bool filled = read_number(L, 1, g->what, "solid_fraction", &fraction);
    if (counted == filled)
        scene_error(L, g->what, "expected either count or solid_fraction, got %s",
                    counted ? "both" : "neither");
    *asked = counted ? "count" : "solid_fraction";
    if (counted) {
        draw_count(g, &s, grains_count(g, "count"));
        return s;
    }
    read_positive(L, g->what, "solid_fraction", fraction);
    read_range(L, g->what, "solid_fraction", fraction, 0, 1);
    /* a ball or shape is no larger than its circle's box */
    grains_check_count(g, *asked, fraction * region->measure / pow(2 * g->largest, (double)g->dim));
    draw_measure(g, &s, fraction * region->measure);
    return s;
}

static _Noreturn void tell_full(const grains *g, const sample *s, const char *asked, size_t placed, int tries,
                                const grain_region *region)
{
    char path[64];
    read_path(path, sizeof path, g->what, asked);
    scene_error(
        g->L, path,
        "only %zu of %zu bodies fit: %d random places for the next one were taken (all of them have a "
        "solid fraction of %.3g; random places end near %s for equal %s, and generate.compressed makes "
        "denser "
        "samples)",
        placed, s->count, tries, s->measure / region->measure, g->dim == 2 ? "0.54" : "0.38",
        g->dim == 2 ? "discs" : "spheres");
}

/* one that is wider than the region's box has no place at all, wherever others are */
static void check_largest(const grains *g, const sample *s, const grain_region *region)
{
    double most = 0, room = grain_region_width(region);
    for (size_t i = 0; i < s->count; i++)
        most = fmax(most, s->radius[i]);
    if (2 * most > room)
        scene_error(g->L, "generate.random.region",
                    "a body of radius %g fits nowhere in a region that is %g wide", most, room);
}

int generate_random(lua_State *L)
{
    static const char *const own[] = {"region", "count", "solid_fraction", "gap", "tries", NULL};
    grains g = grains_begin(L, "generate.random", own);
    double gap = 0;
    if (read_number(L, 1, g.what, "gap", &gap))
        read_range(L, g.what, "gap", gap, 0, 1e9);
    int tries = read_whole(L, 1, g.what, "tries", TRIES);
    grain_region region = grain_region_read(&g);
    const char *asked;
    sample s = draw_sample(&g, &region, &asked);
    check_largest(&g, &s, &region);
    double *centre = lua_newuserdatauv(L, g.dim * s.count * sizeof *centre, 0);
    size_t placed = grains_place(L, &region, s.count, s.radius, gap, tries, centre);
    if (placed < s.count)
        tell_full(&g, &s, asked, placed, tries, &region);
    for (size_t i = 0; i < s.count; i++) {
        grains_lay(&g, (lua_Integer)i + 1, centre + g.dim * i, s.radius[i], NULL);
        grains_keep(&g);
    }
    lua_pushnumber(L, s.measure / region.measure);
    lua_setfield(L, g.list, "solid_fraction");
    lua_settop(L, g.list);
    return 1;
}
