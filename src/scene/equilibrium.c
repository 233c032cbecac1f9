/*
 * The start position of a scene's world, at rest: the chunk is run, nothing else.
 */
#include "scene/engine.h"

#include "core/fail.h"

#include <stdlib.h>
#include <string.h>

static mo_status copy_names(const scene *s, scene_statics *out, mo_error *err)
{
    const mo_equilibrium *e = &out->equilibrium;
    out->name = calloc(e->bodies + 1, sizeof *out->name);
    bool ok = out->name != NULL;
    for (size_t i = 0; ok && i < e->bodies; i++) {
        out->name[i] = strdup(mo_world_body_name(s->world, mo_world_slot(s->world, (mo_body){e->id[i]})));
        ok = out->name[i] != NULL;
    }
    return ok ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "out of memory");
}

static mo_status look(scene *s, scene_statics *out, mo_error *err)
{
    mo_status status = scene_check_chunk(s, err);
    if (status != MO_OK)
        return status;
    if (s->engine != &world_engine) {
        fail(err, MO_BAD_INPUT, s->engine->kind,
             "found a %s, expected a world: only its bodies have contact forces to look for",
             s->engine->kind);
        fail_at(err, s->options->path, s->engine_line);
        return MO_BAD_INPUT;
    }
    status = mo_world_equilibrium(s->world, &out->equilibrium, err);
    // what equilibrium does not know is a joint, or a key of a law
    if (status == MO_BAD_INPUT)
        fail_at(err, s->options->path,
                strcmp(err->key, "joint") == 0 ? s->joint_line : scene_law_line(s, err->key));
    return status == MO_OK ? copy_names(s, out, err) : status;
}

mo_status scene_equilibrium(const scene_options *options, scene_statics *out, mo_error *err)
{
    mo_error local = {0};
    scene s = {.seed = options->seed};
    scene_statics found = {0};
    const scene_limits limits = scene_default_limits();
    mo_status status = scene_begin(&s, options, &limits, &local);
    if (status == MO_OK)
        status = look(&s, &found, &local);
    if (status == MO_BAD_INPUT)
        fail_at(&local, options->path, 0);
    scene_finish(&s);
    if (status == MO_OK) {
        *out = found;
    } else {
        scene_statics_free(&found);
        if (err != NULL)
            *err = local;
    }
    return status;
}

void scene_statics_free(scene_statics *statics)
{
    for (size_t i = 0; statics->name != NULL && i < statics->equilibrium.bodies; i++)
        free(statics->name[i]);
    free(statics->name);
    mo_equilibrium_free(&statics->equilibrium);
    *statics = (scene_statics){0};
}
