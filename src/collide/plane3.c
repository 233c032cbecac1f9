/*
 * Planes: the gap of a point is its height n.x - offset over the plane.  Exact in closed form for every kind.
 */
#include "collide/pair3.h"

void collide_plane(const pair3 *k, patch3 *m)
{
    v3 n = v3_of(k->f.from->part->normal), down = v3_scale(-1, n);
    double offset = k->f.from->part->offset, low;
    uint32_t at = 0;
    m->count = 0;
    m->n = n;
    m->least = HUGE_VAL;
    m->ordered = false;
    view_top(&k->g, down, HUGE_VAL, &low, &at);
    double sep = -low - offset;
    if (sep > k->max_gap + k->r)
        return;
    /* what the part shows to the plane, however steep its face is */
    feature3 b = feature_of(&k->g, down, at, NULL, true);
    for (int i = 0; i < (b.count == 0 ? RIM_POINTS : b.count); i++) {
        v3 x = b.count == 0 ? cylinder_rim_point(&k->g, b.cap, i) : feature_corner(&k->g, &b, i);
        uint32_t p = b.count == 0 ? b.cap * RIM_POINTS + (uint32_t)i : b.id != NULL ? b.id[i] : b.few_id[i];
        patch_put(k, m, x, true, v3_dot(n, x) - offset, OWNER_G, p, 0);
    }
    axis3 best = {.n = n, .sep = sep, .at_g = at};
    if (patch_attains(k, &best, m))
        return;
    feature3 sharp = feature_sharp(&k->g, down, at);
    patch_put(k, m, sharp.few[0], true, sep, OWNER_G, sharp.few_id[0], 0);
}
