/*
 * What world{...}, sweep{...} and trial{...} have in common: the one thing a scene runs, its time step, its
 * end and what is recorded.
 */
#include "scene/engine.h"

#include <float.h>
#include <math.h>
#include <string.h>

void scene_claim(lua_State *L, const scene_engine *engine)
{
    scene *s = scene_of(L);
    const char *kind = engine->kind;
    if (s->engine == engine)
        scene_error(L, kind, "a scene has one %s{...}, this is the second; the first is on line %d", kind,
                    s->engine_line);
    if (s->engine != NULL)
        scene_error(L, kind, "a scene has one thing that runs, and %s{...} is on line %d already",
                    s->engine->kind, s->engine_line);
    if (s->phase != PHASE_CHUNK)
        scene_error(L, kind, "%s{...} must be called while the scene is built", kind);
}

void read_times(lua_State *L, const char *what, double *h, double *t_end)
{
    char path[64];
    read_path(path, sizeof path, what, "h");
    if (!read_number(L, 1, what, "h", h))
        scene_error(L, path, "expected the time step in seconds, got nothing");
    read_positive(L, what, "h", *h);
    read_path(path, sizeof path, what, "t_end");
    if (!read_number(L, 1, what, "t_end", t_end))
        scene_error(L, path, "expected the end of the run in seconds, got nothing");
    read_range(L, what, "t_end", *t_end, 0, DBL_MAX);
    if (*t_end / *h > 1e15)
        scene_error(L, path, "expected at most 1e15 steps, got %.3g", *t_end / *h);
}

void read_record(lua_State *L, const char *what, double h, double every)
{
    static const char *const keys[] = {"every", "series", NULL};
    scene *s = scene_of(L);
    s->every = every;
    bool series = false;
    char path[64];
    read_path(path, sizeof path, what, "record");
    if (read_field(L, 1, "record")) {
        int t = lua_gettop(L);
        if (lua_type(L, t) != LUA_TTABLE)
            read_wrong(L, what, "record", t, "a table {every =, series =} in seconds");
        read_keys(L, t, path, keys, false);
        if (read_number(L, t, path, "every", &s->every))
            read_positive(L, path, "every", s->every);
        series = read_number(L, t, path, "series", &s->series_every);
        if (series)
            read_positive(L, path, "series", s->series_every);
        lua_pop(L, 1);
    }
    if (!series)
        s->series_every = s->every;
    s->every = fmax(s->every, h);
    s->series_every = fmax(s->series_every, h);
}

int read_whole(lua_State *L, int idx, const char *what, const char *key, int otherwise)
{
    double n = otherwise;
    char path[64];
    read_number(L, idx, what, key, &n);
    read_range(L, what, key, n, 1, 1e9);
    read_path(path, sizeof path, what, key);
    if (n != floor(n))
        scene_error(L, path, "expected a whole number, got %.17g", n);
    return (int)n;
}
