/* Prints the hash of a small heap of discs and boxes after 200 steps. */
#include <moreau/world.h>
#include <stdio.h>

#include "core/rng.h"

static int add(mo_world *w, mo_body_def *def)
{
    mo_body b;
    return mo_body_create(w, def, &b, NULL) == MO_OK;
}

int main(void)
{
    mo_world_def def = mo_default_world_def();
    mo_world *w;
    mo_law law = {.friction = 0.5, .restitution = 0.3, .tangential_restitution = 0.2};
    def.gravity[1] = -9.81;
    def.solver.max_iter = 100;
    if (mo_world_create(&def, &w, NULL) != MO_OK || mo_world_set_default_law(w, &law, NULL) != MO_OK)
        return 1;
    mo_body_def ground = mo_default_body_def();
    ground.kind = MO_BODY_FIXED;
    ground.shape = (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0.1, 1}, .offset = 0};
    int ok = add(w, &ground);
    rng r = rng_seed(5, 5);
    for (int i = 0; i < 150; i++) {
        mo_body_def d = mo_default_body_def();
        double s = 0.012 + 0.008 * rng_uniform(&r);
        d.density = 2000;
        d.shape = i % 3 == 0 ? (mo_shape_def){.kind = MO_SHAPE_RECTANGLE, .size = {s, 0.7 * s}}
                             : (mo_shape_def){.kind = MO_SHAPE_DISC, .radius = 0.5 * s};
        d.position[0] = 0.022 * (i % 12);
        d.position[1] = 0.03 + 0.022 * (i / 12);
        d.angle = rng_uniform(&r);
        ok = ok && add(w, &d);
    }
    for (int i = 0; ok && i < 200; i++)
        ok = mo_world_step(w, NULL) == MO_OK;
    printf("%016llx %zu contacts\n", (unsigned long long)mo_world_hash(w), mo_world_info_get(w).contacts);
    mo_world_destroy(w);
    return ok ? 0 : 1;
}
