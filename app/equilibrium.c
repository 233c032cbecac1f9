/*
 * `moreau equilibrium`: contact forces that hold the start position of a scene's world, or the mechanism that
 * shows that there are none.
 */
#include "options.h"
#include "scene/scene.h"
#include "scene_source.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 40 }; /* rows of a table for people */

static void on_message(void *data, const char *text)
{
    (void)data;
    fprintf(stderr, "%s\n", text);
}

/* ---- for programs ----------------------------------------------------------------------------------------
 */

static json_t *vector_json(const double *x, size_t count)
{
    json_t *a = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(a, json_number(x[i]));
    return a;
}

/* a number in the plane, a vector in space */
static json_t *turn_json(const double *x, int dim)
{
    return dim == 2 ? json_number(x[0]) : vector_json(x, (size_t)dim);
}

static json_t *forces_json(const mo_equilibrium *e)
{
    const size_t dim = (size_t)e->dim;
    json_t *list = json_array();
    for (size_t i = 0; i < e->contacts; i++) {
        const double *n = &e->normal[dim * i], *S = &e->force[dim * i];
        json_t *o = json_object();
        json_put(o, "body1", json_integer(e->id1[i]));
        json_put(o, "body2", json_integer(e->id2[i]));
        json_put(o, "point", vector_json(&e->point[dim * i], dim));
        json_put(o, "normal", vector_json(n, dim));
        if (dim == 3) {
            double tangent[3];
            mo_tangent(n, tangent);
            json_put(o, "tangent", vector_json(tangent, 3));
        }
        json_put(o, "gap", json_number(e->gap[i]));
        json_put(o, "friction", json_number(e->friction[i]));
        json_put(o, "force_n", json_number(S[0]));
        json_put(o, "force_t", dim == 2 ? json_number(S[1]) : vector_json(S + 1, 2));
        json_array_append_new(list, o);
    }
    return list;
}

/* numbers of a body's velocity */
static size_t speeds(const mo_equilibrium *e)
{
    return e->dim == 2 ? 3 : 6;
}

static json_t *mechanism_json(const scene_statics *s)
{
    const mo_equilibrium *e = &s->equilibrium;
    json_t *list = json_array();
    for (size_t i = 0; i < e->bodies; i++) {
        const double *v = &e->velocity[speeds(e) * i];
        json_t *o = json_object();
        json_put(o, "body", json_integer(e->id[i]));
        json_put(o, "name", json_text(s->name[i]));
        json_put(o, "velocity", vector_json(v, (size_t)e->dim));
        json_put(o, "spin", turn_json(v + e->dim, e->dim));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *step_json(const mo_equilibrium *e)
{
    const mo_equilibrium_step *s = &e->step;
    const bool known = s->tried || s->moves;
    json_t *o = json_object();
    json_put(o, "moves", known ? json_boolean(s->moves) : json_null());
    json_put(o, "solved", s->tried ? json_boolean(s->solved) : json_null());
    json_put(o, "residual", s->tried ? json_number(s->residual) : json_null());
    json_put(o, "rate", s->tried ? json_number(s->rate) : json_null());
    return o;
}

static void print_json(app *a, const scene_statics *s, const char *status)
{
    const mo_equilibrium *e = &s->equilibrium;
    const bool none = e->outcome == MO_EQUILIBRIUM_NONE, decided = e->outcome != MO_EQUILIBRIUM_UNDECIDED;
    json_t *o = json_object();
    json_put(o, "status", json_text(status));
    json_put(o, "equilibrium", decided ? json_boolean(!none) : json_null());
    json_put(o, "contacts", json_integer((json_int_t)e->contacts));
    json_put(o, "bodies", json_integer((json_int_t)e->bodies));
    json_put(o, "groups", json_integer((json_int_t)e->groups));
    json_put(o, "overlap", json_number(e->overlap));
    json_put(o, "imbalance", json_number(e->imbalance));
    json_put(o, "balance", json_number(e->balance));
    json_put(o, "balance_force", json_number(e->balance_force));
    json_put(o, "balance_torque", json_number(e->balance_torque));
    json_put(o, "cone_violation", json_number(e->cone_violation));
    json_put(o, "forces", forces_json(e));
    json_put(o, "mechanism", none ? mechanism_json(s) : json_null());
    json_put(o, "power", none ? json_number(e->power) : json_null());
    json_put(o, "motion_violation", none ? json_number(e->motion_violation) : json_null());
    json_put(o, "force_bound", none ? json_number(e->force_bound) : json_null());
    json_put(o, "coulomb", step_json(e));
    json_print(a, o);
}

/* ---- for people ------------------------------------------------------------------------------------------
 */

/* columns of numbers after the bodies' */
static void print_columns(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf(" %11.5g", x[i]);
}

static void print_forces(const mo_equilibrium *e)
{
    const size_t dim = (size_t)e->dim;
    if (e->contacts == 0)
        return;
    printf("  body 1  body 2           x           y%s   normal force N  friction force N\n",
           dim == 3 ? "           z" : "");
    for (size_t i = 0; i < e->contacts && i < SHOWN; i++) {
        const double *S = &e->force[dim * i];
        printf("%8u %7u", (unsigned)e->id1[i], (unsigned)e->id2[i]);
        print_columns(&e->point[dim * i], dim);
        printf(" %16.9g %17.9g\n", S[0], dim == 2 ? S[1] : hypot(S[1], S[2]));
    }
    if (e->contacts > SHOWN)
        printf("  ... and %zu more (--json gives all)\n", e->contacts - SHOWN);
}

static bool is_moving(const double *v, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (v[i] != 0)
            return true;
    return false;
}

static void print_mechanism(const scene_statics *s)
{
    const mo_equilibrium *e = &s->equilibrium;
    size_t moving = 0;
    puts(e->dim == 2 ? "    body      vx m/s      vy m/s  spin rad/s"
                     : "    body      vx m/s      vy m/s      vz m/s    wx rad/s    wy rad/s    wz rad/s");
    for (size_t i = 0; i < e->bodies; i++) {
        const double *v = &e->velocity[speeds(e) * i];
        if (!is_moving(v, speeds(e)) || moving++ >= SHOWN)
            continue;
        printf("%8u", (unsigned)e->id[i]);
        print_columns(v, speeds(e));
        printf("  %s\n", s->name[i]);
    }
    if (moving > SHOWN)
        printf("  ... and %zu more (--json gives all)\n", moving - SHOWN);
}

static void print_counts(const mo_equilibrium *e)
{
    printf("bodies       %zu, contacts %zu, groups of touching bodies %zu\n", e->bodies, e->contacts,
           e->groups);
    if (e->overlap > 0)
        printf("overlap      %.3g m at most\n", e->overlap);
}

static void print_balance(const mo_equilibrium *e)
{
    printf("balance      %.3g of what acts on a body, at most %.3g N and %.3g N m\n", e->balance,
           e->balance_force, e->balance_torque);
    printf("cones        forces outside by %.3g N at most\n", e->cone_violation);
}

static void print_possible(const mo_equilibrium *e)
{
    print_forces(e);
    print_balance(e);
    puts("equilibrium  possible: these forces, the least of all that do, carry the loads");
    if (!e->step.tried)
        puts("from rest    not looked at: too many contacts");
    else if (e->step.moves && e->step.solved)
        printf("from rest    Coulomb's law is also satisfied by a motion (%.3g of free acceleration): it may "
               "move\n",
               e->step.rate);
    else if (e->step.solved)
        puts("from rest    Coulomb's problem, solved on its own, does not move either");
    else
        printf("from rest    Coulomb's problem was not solved (residual %.3g)\n", e->step.residual);
}

static void print_none(const scene_statics *s)
{
    const mo_equilibrium *e = &s->equilibrium;
    print_mechanism(s);
    printf("power        %.6g W of the loads in this motion, which no contact opposes (violation %.3g m/s)\n",
           e->power, e->motion_violation);
    printf("imbalance    %.6g of the loads cannot be carried\n", e->imbalance);
    puts("equilibrium  impossible: this mechanism excludes contact forces that carry the loads");
}

static void print_undecided(const mo_equilibrium *e)
{
    print_forces(e);
    print_balance(e);
    printf("imbalance    %.6g of the loads\n", e->imbalance);
    puts("equilibrium  undecided: neither forces nor a mechanism reach the tolerance");
}

static exit_status tell(app *a, const scene_statics *s)
{
    static const char *const says[] = {"ok", "no equilibrium", "undecided"};
    const mo_equilibrium *e = &s->equilibrium;
    const char *status = says[e->outcome];
    if (a->json) {
        print_json(a, s, status);
    } else {
        print_counts(e);
        if (e->outcome == MO_EQUILIBRIUM_POSSIBLE)
            print_possible(e);
        else if (e->outcome == MO_EQUILIBRIUM_NONE)
            print_none(s);
        else
            print_undecided(e);
    }
    return e->outcome == MO_EQUILIBRIUM_POSSIBLE ? EXIT_DONE : EXIT_UNREACHED;
}

/* ---- the command -----------------------------------------------------------------------------------------
 */

static exit_status look_at(app *a, const char *scene, const arguments *sets, uint64_t seed)
{
    scene_source source = {0};
    exit_status code = scene_source_load(a, scene, &source);
    if (code == EXIT_DONE) {
        const scene_options options = {.path = source.path,
                                       .text = source.text,
                                       .text_length = source.length,
                                       .name = source.name,
                                       .sets = sets->items,
                                       .set_count = sets->count,
                                       .seed = seed,
                                       .threads = 1,
                                       .message = on_message};
        scene_statics found = {0};
        mo_error err = {0};
        const mo_status status = scene_equilibrium(&options, &found, &err);
        code = status == MO_OK ? tell(a, &found) : app_fail_error(a, status, &err);
        scene_statics_free(&found);
    }
    scene_source_free(&source);
    return code;
}

static exit_status equilibrium_main(app *a, int argc, char **argv)
{
    bool help = false, json = false;
    uint64_t seed = 1;
    arguments scenes, sets;
    const option table[] = {{.name = "--set", .kind = OPTION_LIST, .target = &sets},
                            {.name = "--seed", .kind = OPTION_SEED, .target = &seed},
                            {.name = "--json", .kind = OPTION_FLAG, .target = &json},
                            {.name = "--help", .kind = OPTION_FLAG, .target = &help},
                            {.name = "-h", .kind = OPTION_FLAG, .target = &help},
                            {.name = NULL}};
    exit_status code = options_parse(a, argc, argv, table, &scenes);
    if (code == EXIT_DONE && help)
        fputs(equilibrium_command.help, stdout);
    else if (code == EXIT_DONE && scenes.count != 1)
        code = app_usage(a, "equilibrium needs one scene, found %zu", scenes.count);
    else if (code == EXIT_DONE)
        code = look_at(a, scenes.items[0], &sets, seed);
    arguments_free(&scenes);
    arguments_free(&sets);
    return code;
}

const command equilibrium_command = {
    .name = "equilibrium",
    .summary = "contact forces that hold a scene's start position, or a proof that there are none",
    .main = equilibrium_main,
    .help =
        "usage: moreau equilibrium SCENE [--set NAME=VALUE]... [--seed N] [--json]\n\n"
        "Takes the start position of a scene's world, at rest, with the loads of t = 0, and looks for\n"
        "contact forces in Coulomb's cones that carry the loads. It prints such forces with the residual\n"
        "of the balance, or a mechanism: velocities of the bodies that no contact opposes and to which the\n"
        "loads give power, so that no forces can exist. Forces of assemblies with more contacts than\n"
        "needed are not unique: the least ones are shown. docs/theory/equilibrium.md says more.\n\n"
        "  --set NAME=VALUE   change a parameter of the scene; may be repeated\n"
        "  --seed N           seed of the scene's random numbers (1)\n"
        "  --json             one JSON object on the last line of standard output\n\n"
        "examples:\n"
        "  moreau equilibrium arch.lua --set friction=0.4\n"
        "  moreau equilibrium wall.lua --json\n\n"
        "exit status: 0 equilibrium is possible; 1 it is not, or undecided; 2 wrong usage; 3 bad scene;\n"
        "4 the system failed.\n",
};
