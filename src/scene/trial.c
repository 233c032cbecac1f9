/*
 * trial{...}: a process that runs at once and comes back as a table, to compare methods, steps and sets
 * within one scene.  It counts as computing of the text or callback that calls it.
 */
#include "scene/process.h"

#include "core/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 40 };

static void check_trial_keys(lua_State *L)
{
    const char *keys[MOST_KEYS] = {"keep"};
    int n = 1;
    for (int i = 0; process_keys[i] != NULL; i++)
        if (strcmp(process_keys[i], "record") != 0)
            keys[n++] = process_keys[i];
    read_keys(L, 1, "trial", keys, false);
}

/* appends the present point to ts and xs of the table at `result` */
static void keep_point(lua_State *L, const process *p, int result)
{
    lua_Integer k = mo_sweep_info_get(p->sweep)->steps + 1;
    lua_getfield(L, result, "ts");
    process_push_field(L, p, "t");
    lua_rawseti(L, -2, k);
    lua_getfield(L, result, "xs");
    process_push_field(L, p, "x");
    lua_rawseti(L, -2, k);
    lua_pop(L, 2);
}

/* runs the process at 2; the table at 3 takes the path when it is kept */
static void run(lua_State *L, process *p, bool keep)
{
    double steps = round(p->t_end / p->def.h);
    scene *s = p->s;
    if (s->limits.max_steps >= 0 && steps > (double)s->limits.max_steps)
        steps = (double)s->limits.max_steps;
    mo_error err = {0};
    mo_status status = MO_OK;
    bool sound = true;
    if (keep)
        keep_point(L, p, 3);
    for (int64_t k = 0; k < (int64_t)steps && sound; k++) {
        scene_check_limits(L);
        status = process_step(p, &err);
        if (status == MO_OK && !process_take_events(p))
            status = fail(&err, MO_NO_MEMORY, NULL, "out of memory");
        if (status != MO_OK)
            break;
        sound = process_sound(p);
        if (keep && sound)
            keep_point(L, p, 3);
    }
    if (status != MO_OK) {
        scene_close_process(p);
        scene_raise(L, "trial", &err);
    }
}

static void fill_result(lua_State *L, const process *p)
{
    static const char *const names[] = {"t",
                                        "x",
                                        "lambda",
                                        "path_length",
                                        "retraction",
                                        "variation",
                                        "exact",
                                        "jumps",
                                        "largest_jump",
                                        "violation",
                                        "active",
                                        "steps",
                                        "unconverged_steps",
                                        "events",
                                        NULL};
    for (int i = 0; names[i] != NULL; i++) {
        process_push_field(L, p, names[i]);
        lua_setfield(L, 3, names[i]);
    }
    bool sound = process_sound(p);
    lua_pushstring(L, sound ? "ok" : mo_sweep_info_get(p->sweep)->message);
    lua_setfield(L, 3, "status");
}

static int trial(lua_State *L)
{
    bool keep = false;
    if (scene_of(L)->in_step)
        scene_error(L, "trial", "not available inside a function of a motion, set or field");
    scene_check_limits(L);
    read_single_table(L, "trial");
    check_trial_keys(L);
    read_boolean(L, 1, "trial", "keep", &keep);
    process *p = process_new(L, "trial");
    lua_newtable(L);
    if (keep) {
        lua_newtable(L);
        lua_setfield(L, 3, "ts");
        lua_newtable(L);
        lua_setfield(L, 3, "xs");
    }
    run(L, p, keep);
    fill_result(L, p);
    scene_close_process(p);
    return 1;
}

void scene_open_trial(lua_State *L)
{
    lua_register(L, "trial", trial);
}
