/*
 * Bodies so fast that one could pass through another within a step: the way made along the line between them
 * exceeds the gap and what both are thick.  Detection at q_mid would then find them on the wrong side, or
 * miss them.
 */
#include <math.h>
#include <string.h>

#include "collide/detect.h"
#include "dynamics/stage.h"
#include "math/vec3.h"

// way a body makes in a step beyond its own thickness; discs do not reach farther by turning
static double excess(const bodies *b, size_t i, double h)
{
    const double *u = &b->u[b->nu * i];
    bool turns = isfinite(b->radius[i]) && b->thickness[i] < b->radius[i];
    double speed = b->dim == 2 ? sqrt(u[0] * u[0] + u[1] * u[1]) : vec3_norm(u);
    double spin = b->dim == 2 ? fabs(u[2]) : vec3_norm(u + 3);
    speed += turns ? spin * b->radius[i] : 0;
    return h * speed - b->thickness[i];
}

// whether the body makes more way than it is thick; mostly a look at its velocity is enough to say no
static inline bool is_fast(const bodies *b, size_t i, double h)
{
    const double *u = &b->u[b->nu * i], z = b->dim == 3 ? u[2] : 0, thick = b->thickness[i];
    const double square = u[0] * u[0] + u[1] * u[1] + z * z;
    bool slow = b->lone[i] && h * h * square < thick * thick * (1 - 1e-12);
    return !slow && b->kind[i] != MO_BODY_FIXED && excess(b, i, h) > 0;
}

// the usual case: no body is fast
static bool all_slow(const bodies *b, double h)
{
    for (size_t i = 0; i < b->count; i++)
        if (is_fast(b, i, h))
            return false;
    return true;
}

// where two parts are nearest, and the gap there; false: nowhere
typedef struct nearest {
    double point[3], normal[3], gap;
} nearest;

// s: where the second body stands, from its position
static bool find_nearest(const detect_view *v, const uint32_t part[2], const uint32_t slot[2],
                         const double s[3], nearest *out)
{
    double t1[9], t2[9];
    body_turn(v, slot[0], t1);
    body_turn(v, slot[1], t2);
    *out = (nearest){.gap = INFINITY};
    if (v->dim == 2) {
        placed_part a = place_part(v, t1, part[0], slot[0]), b = place_part(v, t2, part[1], slot[1]);
        manifold m;
        b.p[0] += s[0];
        b.p[1] += s[1];
        collide_parts(&a, &b, INFINITY, &m);
        if (m.count == 0)
            return false;
        memcpy(out->point, m.points[0].point, sizeof m.points[0].point);
        memcpy(out->normal, m.normal, sizeof m.normal);
        out->gap = m.points[0].gap;
        return true;
    }
    placed3 a = place_solid(v, t1, part[0], slot[0]), b = place_solid(v, t2, part[1], slot[1]);
    manifold3 m;
    vec3_add(b.p, s, b.p);
    collide_solids(&a, &b, INFINITY, &m);
    if (m.count == 0)
        return false;
    vec3_copy(m.points[0].point, out->point);
    vec3_copy(m.normal, out->normal);
    out->gap = m.points[0].gap;
    return true;
}

// velocity along the normal of body slot's point x
static double speed_at(const bodies *b, uint32_t slot, const nearest *at)
{
    const double *q = &b->q[b->nq * slot], *u = &b->u[b->nu * slot], *x = at->point, *n = at->normal;
    if (b->dim == 2)
        return n[0] * (u[0] - u[2] * (x[1] - q[1])) + n[1] * (u[1] + u[2] * (x[0] - q[0]));
    double w[3], r[3], turn[3];
    body_spin_world(b, slot, q, u + 3, w);
    vec3_sub(x, q, r);
    vec3_cross(w, r, turn);
    return vec3_dot(n, u) + vec3_dot(n, turn);
}

static bool passes(const bodies *b, const neighbours *n, const uint32_t part[2], const uint32_t slot[2],
                   double h, double thick)
{
    detect_view v = bodies_view(b, b->q);
    nearest at, at2;
    double s[3];
    pair_image(n, &v, part, slot, s);
    if (!find_nearest(&v, part, slot, s, &at))
        return false;
    at2 = at;
    vec3_sub(at.point, s, at2.point);
    double approach = speed_at(b, slot[1], &at2) - speed_at(b, slot[0], &at);
    return h * approach > fmax(at.gap, 0) + thick;
}

fast_pairs find_fast_pairs(const bodies *b, const neighbours *n, double h, double reach)
{
    fast_pairs found = {0, 0, 0};
    if (!n->valid || all_slow(b, h))
        return found;
    const uint64_t *slots = neighbour_slots(n);
    for (size_t k = 0; k < n->pairs.count; k++) {
        uint32_t part[2] = {(uint32_t)(n->pairs.pair[k] >> 32), (uint32_t)n->pairs.pair[k]};
        uint32_t s1 = (uint32_t)(slots[k] >> 32), s2 = (uint32_t)slots[k];
        // a half-plane cannot be passed
        bool plane = !isfinite(b->radius[s1]) || !isfinite(b->radius[s2]);
        if (plane || excess(b, s1, h) + excess(b, s2, h) <= 0)
            continue;
        if (!passes(b, n, part, (uint32_t[]){s1, s2}, h, b->thickness[s1] + b->thickness[s2] + reach))
            continue;
        if (found.count++ == 0) {
            found.slot1 = s1;
            found.slot2 = s2;
        }
    }
    return found;
}
