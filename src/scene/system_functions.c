/*
 * Functions of a system given by a scene: force, mass, potential, restitution, tangents.  They are called
 * from inside a step, with points that cannot be changed.
 *
 * Derivatives of the force by q and u are exact: q[i] is the variable i, u[i] the variable n + i
 * (dual_lua.c). Numbers that are not finite go back to the system, which ends the run and says where they
 * came from.
 */
#include "scene/process.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct system_call {
    const process *p;
    const named_function *function;
    double t;
    const double *q, *u; /* u NULL: not an argument */
    double *out;         /* what it gives */
    double *by_q, *by_u; /* derivatives, NULL: not wanted */
    void (*read)(lua_State *L, const struct system_call *call, const result_site *site, int idx);
} system_call;

/* runs inside a protected call: argument 1 is the call */
static int call_function(lua_State *L)
{
    const system_call *call = lua_touserdata(L, 1);
    const process *p = call->p;
    bool differentiate = call->by_q != NULL;
    result_site site = {call->function->what, call->function->key, call->t, true};
    process_push(L, p, call->function->kept.place);
    lua_pushnumber(L, call->t);
    scene_push_point(L, call->q, p->n, "q", differentiate ? 1 : 0);
    if (call->u != NULL)
        scene_push_point(L, call->u, p->n, "u", differentiate ? (uint32_t)p->n + 1 : 0);
    lua_call(L, call->u != NULL ? 3 : 2, 1);
    scene_of(L)->callee_line = call->function->kept.line;
    call->read(L, call, &site, lua_gettop(L));
    scene_of(L)->callee_line = 0;
    return 0;
}

static mo_status run(system_call *call, mo_error *err)
{
    mo_status status = process_in_time(call->p, err);
    return status != MO_OK ? status
                           : scene_protected(call->p->s, call_function, call, call->function->key, err);
}

/* ---- force ---------------------------------------------------------------------------------------- */

static void read_force(lua_State *L, const system_call *call, const result_site *site, int idx)
{
    size_t n = call->p->n;
    double by_t;
    entry_vector(L, site, idx, n, false, call->out, NULL);
    if (call->by_q == NULL)
        return;
    bool single = lua_type(L, idx) != LUA_TTABLE;
    for (size_t i = 0; i < n; i++) {
        if (single)
            lua_pushvalue(L, idx);
        else
            lua_rawgeti(L, idx, (lua_Integer)i + 1);
        scene_to_gradient(L, -1, 1, n, &call->out[i], &by_t, call->by_q + i * n);
        scene_to_gradient(L, -1, (uint32_t)n + 1, n, &call->out[i], &by_t, call->by_u + i * n);
        lua_pop(L, 1);
    }
}

mo_status system_call_force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                            double *Fu, mo_error *err)
{
    const process *p = data;
    system_call call = {p, &p->system.force, t, q, u, F, Fq, Fu, read_force};
    return run(&call, err);
}

/* ---- mass --------------------------------------------------------------------------------------------- */

/* M [n n] from entries of another kind */
static void expand(const matrix_shape *shape, size_t n, const double *entries, double *M)
{
    size_t row = shape->width + 1;
    memset(M, 0, n * n * sizeof *M);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < row && k <= i; k++)
            M[i * n + i - k] = M[(i - k) * n + i] = entries[i * row + row - 1 - k];
}

static void read_mass(lua_State *L, const system_call *call, const result_site *site, int idx)
{
    matrix_source from = {call->p->what, call->function->key, site, call->p->n};
    matrix_shape shape = matrix_look(L, idx, &from);
    if (shape.kind == MO_METRIC_DENSE) {
        matrix_read(L, idx, &from, &shape, call->out);
        return;
    }
    if (shape.kind == MO_METRIC_SPARSE) {
        sparse_expand(L, idx, from.n, call->out);
        return;
    }
    double *entries = lua_newuserdatauv(L, shape.count * sizeof *entries, 0);
    matrix_read(L, idx, &from, &shape, entries);
    expand(&shape, from.n, entries, call->out);
}

mo_status system_call_mass(void *data, double t, const double *q, double *M, mo_error *err)
{
    const process *p = data;
    system_call call = {p, &p->system.mass, t, q, NULL, M, NULL, NULL, read_mass};
    return run(&call, err);
}

/* ---- potential, restitution, tangents -------------------------------------------------------------------
 */

static void read_single(lua_State *L, const system_call *call, const result_site *site, int idx)
{
    dual x;
    if (!scene_to_dual(L, idx, &x))
        result_wrong(L, site, "", idx, "a number");
    call->out[0] = x.v;
}

mo_status system_call_potential(void *data, double t, const double *q, double *V, mo_error *err)
{
    const process *p = data;
    system_call call = {p, &p->system.potential, t, q, NULL, V, NULL, NULL, read_single};
    return run(&call, err);
}

static void read_restitution(lua_State *L, const system_call *call, const result_site *site, int idx)
{
    entry_vector(L, site, idx, call->p->m, true, call->out, NULL);
}

double restitution_of_index(double d)
{
    return (1 - d) / (1 + d);
}

mo_status system_call_restitution(void *data, double t, const double *q, double *e, mo_error *err)
{
    const process *p = data;
    system_call call = {p, &p->system.restitution, t, q, NULL, e, NULL, NULL, read_restitution};
    mo_status status = run(&call, err);
    for (size_t a = 0; status == MO_OK && p->system.dissipated && a < p->m; a++)
        e[a] = restitution_of_index(e[a]);
    return status;
}

static void read_tangent(lua_State *L, const system_call *call, const result_site *site, int idx)
{
    entry_vector(L, site, idx, call->p->n, false, call->out, NULL);
}

mo_status system_call_tangents(void *data, double t, const double *q, double *T, mo_error *err)
{
    const process *p = data;
    mo_status status = MO_OK;
    named_function f = {.key = "tangents"};
    for (size_t a = 0; a < p->m && status == MO_OK; a++) {
        snprintf(f.what, sizeof f.what, "%s.tangents[%zu]", p->what, a + 1);
        f.kept = p->system.tangents[a];
        system_call call = {p, &f, t, q, NULL, T + a * p->n, NULL, NULL, read_tangent};
        status = run(&call, err);
    }
    return status;
}
