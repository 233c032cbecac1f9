/*
 * The sandbox: a Lua state with bounded memory, instructions and processor time.
 *
 * Memory is counted by the allocator.  Instructions are counted by a hook, and every library function that
 * can take long asks for the time first (guard.c).  Once a limit is hit the hook fires at every instruction
 * and raises again, so that a scene's own pcall gets no further than its next instruction.  Three ways around
 * hooks are closed elsewhere: __gc (runs without hooks) is refused by setmetatable, xpcall runs its handler
 * after the unwinding, and there are no coroutines.
 */
#include "scene/internal.h"

#include "core/fail.h"
#include "core/timer.h"

#include <stdlib.h>
#include <string.h>

enum { HOOK_EVERY = 1000 };

scene_limits scene_default_limits(void)
{
    scene_limits limits = {.memory = (size_t)1 << 30,
                           .string = (size_t)1 << 24,
                           .chunk_count = 1000000000,
                           .call_count = 100000000,
                           .chunk_seconds = 15,
                           .call_seconds = 10,
                           .press_seconds = 600,
                           .points = 50000000,
                           .mesh_bytes = (size_t)1 << 28,
                           .report = (size_t)1 << 26,
                           .max_steps = -1};
    return limits;
}

/* lua_Alloc: with ptr NULL, osize says what kind of object is made */
static void *limited_alloc(void *data, void *ptr, size_t osize, size_t nsize)
{
    scene *s = data;
    size_t old = ptr != NULL ? osize : 0;
    if (nsize == 0) {
        s->memory_used -= old;
        free(ptr);
        return NULL;
    }
    bool too_long = ptr == NULL && osize == LUA_TSTRING && nsize > s->limits.string + 64;
    if (too_long || (nsize > old && nsize - old > s->limits.memory - s->memory_used)) {
        s->memory_refused = true;
        s->string_refused = too_long;
        /* few instructions are enough for long strings, and while one is made the stack is in order */
        if (s->L != NULL && ptr == NULL && osize == LUA_TSTRING)
            s->hook_line = scene_line(s->L);
        return NULL;
    }
    void *p = realloc(ptr, nsize);
    if (p != NULL)
        s->memory_used += nsize - old;
    return p;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* wall-clock first, which is cheap: a busy machine alone must not end a scene */
static bool time_is_up(const scene *s)
{
    if (seconds_now() - s->wall_start < s->seconds_limit)
        return false;
    return cpu_seconds() - s->cpu_start >= s->seconds_limit;
}

/* the processor's clock is slow to read, and a hundredth of a second ago is near enough */
static void start_clocks(scene *s)
{
    s->wall_start = seconds_now();
    if (s->cpu_read != 0 && s->wall_start - s->cpu_read < 0.01)
        return;
    s->cpu_start = cpu_seconds();
    s->cpu_read = s->wall_start;
}

static void hook(lua_State *L, lua_Debug *ar)
{
    scene *s = scene_of(L);
    s->count += HOOK_EVERY;
    /* Lua says nothing about the place of a memory error */
    lua_getinfo(L, "Sl", ar);
    if (strcmp(ar->source, s->source) == 0)
        s->hook_line = ar->currentline;
    scene_check_limits(L);
}

void scene_check_limits(lua_State *L)
{
    scene *s = scene_of(L);
    if (!s->limit_hit && s->phase == PHASE_CHUNK && scene_interrupted(s->options)) {
        s->limit_hit = true;
        lua_sethook(L, hook, LUA_MASKCOUNT, 1);
        mo_error err;
        fail(&err, MO_STOPPED, NULL, "interrupted while the scene was being built");
        scene_raise(L, "", &err);
    }
    bool many = s->count > s->count_limit;
    if (!s->limit_hit && !many && !time_is_up(s))
        return;
    s->limit_hit = true;
    lua_sethook(L, hook, LUA_MASKCOUNT, 1);
    if (many)
        scene_error(L, NULL, "more than %lld instructions: does a loop never end?",
                    (long long)s->count_limit);
    scene_error(L, NULL, "more than %g seconds of computing: does a loop never end?", s->seconds_limit);
}

void scene_allow_press(lua_State *L)
{
    scene *s = scene_of(L);
    double usual = s->phase == PHASE_CHUNK ? s->limits.chunk_seconds : s->limits.call_seconds;
    s->seconds_limit = usual + s->limits.press_seconds;
}

mo_status scene_call(scene *s, int args, int results, mo_error *err)
{
    lua_State *L = s->L;
    if (s->depth == 0) {
        bool chunk = s->phase == PHASE_CHUNK;
        s->count = 0;
        s->count_limit = chunk ? s->limits.chunk_count : s->limits.call_count;
        s->seconds_limit = chunk ? s->limits.chunk_seconds : s->limits.call_seconds;
        start_clocks(s);
        s->limit_hit = false;
        s->hook_line = 0;
        s->memory_refused = false;
        lua_sethook(L, hook, LUA_MASKCOUNT, HOOK_EVERY);
    }
    int base = lua_gettop(L) - args;
    lua_pushcfunction(L, scene_message_handler);
    lua_insert(L, base);
    s->depth++;
    int status = lua_pcall(L, args, results, base);
    s->depth--;
    lua_remove(L, base);
    return status == LUA_OK ? MO_OK : scene_take_error(s, status, err);
}

static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},        {LUA_MATHLIBNAME, luaopen_math},
                                     {LUA_STRLIBNAME, luaopen_string}, {LUA_TABLIBNAME, luaopen_table},
                                     {LUA_UTF8LIBNAME, luaopen_utf8},  {NULL, NULL}};

static int open_all(lua_State *L)
{
    for (const luaL_Reg *lib = libraries; lib->name != NULL; lib++) {
        luaL_requiref(L, lib->name, lib->func, 1);
        lua_pop(L, 1);
    }
    scene_open_dual(L);
    scene_open_random(L);
    scene_guard_libraries(L);
    scene_open_shapes(L);
    scene_open_handles(L);
    scene_open_bodies(L);
    scene_open_sizes(L);
    scene_open_generate(L);
    scene_open_joints(L);
    scene_open_servo(L);
    scene_open_cell(L);
    scene_open_world(L);
    scene_open_laws(L);
    scene_open_measure(L);
    scene_open_contact_sums(L);
    scene_open_statics(L);
    scene_open_contacts(L);
    scene_open_callbacks(L);
    scene_open_params(L);
    scene_open_live(L);
    scene_open_report(L);
    scene_open_plot(L);
    scene_open_sets(L);
    scene_open_gaps(L);
    scene_open_matrices(L);
    scene_open_processes(L);
    scene_open_trial(L);
    lua_newtable(L);
    lua_setglobal(L, "state");
    lua_pushboolean(L, scene_of(L)->resuming);
    lua_setglobal(L, "resuming");
    return 0;
}

mo_status scene_open(scene *s, mo_error *err)
{
    s->L = lua_newstate(limited_alloc, s);
    if (s->L == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a scene");
    *(scene **)lua_getextraspace(s->L) = s;
    lua_pushcfunction(s->L, open_all);
    return scene_call(s, 0, 0, err);
}

void scene_close(scene *s)
{
    if (s->L != NULL)
        lua_close(s->L);
    s->L = NULL;
}
