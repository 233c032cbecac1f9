/*
 * trial{...}: a sweep or system that runs at once and comes back as a table, to compare methods, steps and
 * sets within one scene.  It counts as computing of the text or callback that calls it.
 */
#include "scene/process.h"

#include "core/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 40 };

static void check_trial_keys(lua_State *L, const process_ops *ops)
{
    const char *keys[MOST_KEYS] = {"keep"};
    int n = 1;
    for (int i = 0; ops->keys[i] != NULL; i++)
        if (strcmp(ops->keys[i], "record") != 0)
            keys[n++] = ops->keys[i];
    read_keys(L, 1, "trial", keys, false);
}

/* a system has positions q, by a scheme; a sweep neither */
static const process_ops *kind_of(lua_State *L)
{
    static const char *const own[] = {"q", "u", "scheme"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (read_field(L, 1, own[i])) {
            lua_pop(L, 1);
            return &system_ops;
        }
    return &sweep_ops;
}

/* appends the field to the list of the table at 3 */
static void append(lua_State *L, process *p, const char *list, const char *field, lua_Integer k)
{
    lua_getfield(L, 3, list);
    process_push_field(L, p, field);
    lua_rawseti(L, -2, k);
    lua_pop(L, 1);
}

static void keep_point(lua_State *L, process *p)
{
    lua_Integer k = p->ops->facts(p).steps + 1;
    append(L, p, "ts", "t", k);
    for (int i = 0; p->ops->kept[i] != NULL; i += 2)
        append(L, p, p->ops->kept[i], p->ops->kept[i + 1], k);
}

static void new_list(lua_State *L, const char *name)
{
    lua_newtable(L);
    lua_setfield(L, 3, name);
}

/* runs the process at 2; the table at 3 takes the path when it is kept */
static void run(lua_State *L, process *p, bool keep)
{
    double steps = round(p->t_end / p->h);
    scene *s = p->s;
    if (s->limits.max_steps >= 0 && steps > (double)s->limits.max_steps)
        steps = (double)s->limits.max_steps;
    mo_error err = {0};
    mo_status status = MO_OK;
    bool sound = true;
    if (keep)
        keep_point(L, p);
    for (int64_t k = 0; k < (int64_t)steps && sound; k++) {
        scene_check_limits(L);
        status = process_step(p, &err);
        if (status == MO_OK && !process_take_events(p))
            status = fail(&err, MO_NO_MEMORY, NULL, "out of memory");
        if (status != MO_OK)
            break;
        sound = p->ops->facts(p).sound;
        if (keep && sound)
            keep_point(L, p);
    }
    if (status != MO_OK) {
        scene_close_process(p);
        scene_raise(L, "trial", &err);
    }
}

static void fill_result(lua_State *L, process *p)
{
    for (int i = 0; p->ops->results[i] != NULL; i++) {
        process_push_field(L, p, p->ops->results[i]);
        lua_setfield(L, 3, p->ops->results[i]);
    }
    process_facts end = p->ops->facts(p);
    lua_pushstring(L, end.sound ? "ok" : end.message);
    lua_setfield(L, 3, "status");
}

static int trial(lua_State *L)
{
    bool keep = false;
    if (scene_of(L)->in_step)
        scene_error(L, "trial", "not available inside a function of a motion, set, field or system");
    scene_check_limits(L);
    read_single_table(L, "trial");
    const process_ops *ops = kind_of(L);
    check_trial_keys(L, ops);
    read_boolean(L, 1, "trial", "keep", &keep);
    process *p = process_new(L, ops, "trial");
    lua_newtable(L);
    if (keep) {
        new_list(L, "ts");
        for (int i = 0; ops->kept[i] != NULL; i += 2)
            new_list(L, ops->kept[i]);
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
