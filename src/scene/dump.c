/*
 * The contact problems of a world's steps as FCLIB files, each with the step's answer: `step-00000042.hdf5`
 * is that of the 42nd step, whose end is t = 42 h.  Steps without contacts leave no file, nor do
 * those whose problem is more than one of contacts (mo_world_no_problem): the end of the run says how many.
 */
#include "scene/engine.h"

#include "core/fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mo_status refuse(const scene_options *o, const char *why, mo_error *err)
{
    fail(err, MO_IO, NULL, "cannot write problems there: %s", why);
    fail_at(err, o->dump, 0);
    return MO_IO;
}

mo_status scene_dump_begin(const scene *s, mo_error *err)
{
    const scene_options *o = s->options;
    struct stat about;
    if (o->dump == NULL)
        return MO_OK;
    if (s->engine != &world_engine)
        return fail(err, MO_USAGE, "--dump-problems", "the scene is a %s: only worlds have contact problems",
                    s->engine->kind);
    if (mkdir(o->dump, 0777) != 0 && errno != EEXIST)
        return refuse(o, strerror(errno), err);
    if (stat(o->dump, &about) != 0)
        return refuse(o, strerror(errno), err);
    if (!S_ISDIR(about.st_mode))
        return refuse(o, "it is not a folder", err);
    return access(o->dump, W_OK | X_OK) == 0 ? MO_OK : refuse(o, strerror(errno), err);
}

/* the step counted from 1 */
static bool is_wanted(const scene_options *o, int64_t step)
{
    return o->dump != NULL && (o->dump_every <= 0 || step % o->dump_every == 0) &&
           (o->dump_from <= 0 || step >= o->dump_from) && (o->dump_to <= 0 || step <= o->dump_to);
}

void scene_dump_before(const scene *s)
{
    if (s->options->dump != NULL)
        mo_world_keep_problem(s->world, is_wanted(s->options, s->engine->steps(s) + 1));
}

/* the problem is the world's: the file borrows it */
static mo_status write_problem(const scene *s, const mo_problem *p, int64_t step, const double *r,
                               const double *u, mo_error *err)
{
    const scene_options *o = s->options;
    mo_problem_file file = {.local = *p};
    const size_t room = strlen(o->dump) + 40;
    char *path = malloc(room);
    if (path == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    snprintf(path, room, "%s/step-%08lld.hdf5", o->dump, (long long)step);
    snprintf(file.title, sizeof file.title, "%.100s, step %lld", o->name != NULL ? o->name : "scene",
             (long long)step);
    snprintf(file.description, sizeof file.description,
             "Step problem of a world, t = %.9g s to %.9g s; contacts in the world's order, normal first; r "
             "are the "
             "impulses in N s, u the velocities in m/s with the shift of restitution.",
             (double)(step - 1) * s->h, (double)step * s->h);
    snprintf(file.math_info, sizeof file.math_info, "u = W r + q, W = G A^-1 G*, q = G u_free + shift");
    mo_status status = mo_problem_write(path, &file, r, u, err);
    free(path);
    return status;
}

/* a step with contacts that leaves no file */
static void note_missing(scene *s, const char *why, int64_t step)
{
    missing_dumps *u = s->missing;
    while (u->why != NULL && strcmp(u->why, why) != 0)
        u++;
    if (u->why == NULL)
        *u = (missing_dumps){why, 0, step};
    u->steps++;
}

void scene_dump_end(scene *s)
{
    for (const missing_dumps *u = s->missing; u->why != NULL; u++)
        scene_say(s,
                  "warning: the contact problems of %lld steps were not written, the first of them that of "
                  "step %lld: %s",
                  (long long)u->steps, (long long)u->first, u->why);
}

mo_status scene_dump_after(scene *s, mo_error *err)
{
    const int64_t step = s->engine->steps(s);
    const double *r, *u;
    if (!is_wanted(s->options, step))
        return MO_OK;
    const mo_problem *p = mo_world_problem(s->world, &r, &u);
    if (p == NULL && mo_world_contacts(s->world).count > 0)
        note_missing(s, mo_world_no_problem(s->world), step);
    if (p == NULL || p->contacts == 0)
        return MO_OK;
    if (mo_problem_check(p, NULL) != MO_OK) {
        note_missing(s, "it has entries that are not finite", step);
        return MO_OK;
    }
    mo_status status = write_problem(s, p, step, r, u, err);
    s->dumped += status == MO_OK;
    return status;
}
