#include "collide/drift.h"

#include <math.h>

#include "collide/neighbours.h"
#include "math/vec3.h"

/* bodies that are asked */
enum { ASKED = 31 };

/* A way of less than this share of a body's size is not worth the wider margins of boundaries. */
static const double SHORT = 0.02;

typedef struct asked {
    uint32_t slot[ASKED];
    double u[ASKED][3];
    size_t count;
} asked;

// dynamic bodies evenly spread over the slots
static asked ask(const detect_view *v)
{
    asked a = {.count = 0};
    for (size_t k = 0; k < ASKED; k++) {
        const size_t i = k * v->count / ASKED;
        const double *u = &v->u[v->nu * i];
        const bool again = a.count > 0 && a.slot[a.count - 1] == i;
        if (again || v->kind[i] != MO_BODY_DYNAMIC || !isfinite(u[0] + u[1] + (v->dim == 3 ? u[2] : 0)))
            continue;
        a.slot[a.count] = (uint32_t)i;
        vec3_set(a.u[a.count++], u[0], u[1], v->dim == 3 ? u[2] : 0);
    }
    return a;
}

static double middle_of(const asked *a, int axis)
{
    double sorted[ASKED];
    for (size_t k = 0; k < a->count; k++) {
        size_t at = k;
        for (; at > 0 && sorted[at - 1] > a->u[k][axis]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = a->u[k][axis];
    }
    return sorted[a->count / 2];
}

drift_guides drift_find(const detect_view *v, double time)
{
    const drift_guides none = {.some = false};
    drift_guides d = {.some = true};
    const asked a = ask(v);
    double off[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    // the flow of a cell is none of this kind
    if (a.count < 3 || v->cell != NULL)
        return none;
    for (int k = 0; k < 3; k++)
        d.u[k] = middle_of(&a, k);
    // the three whose velocities are nearest to the middle ones
    for (size_t k = 0; k < a.count; k++) {
        const double distance = vec3_distance(a.u[k], d.u);
        size_t at = 3;
        for (; at > 0 && distance < off[at - 1]; at--)
            if (at < 3) {
                off[at] = off[at - 1];
                d.guide[at] = d.guide[at - 1];
            }
        if (at < 3) {
            off[at] = distance;
            d.guide[at] = a.slot[k];
        }
    }
    if (!(time * vec3_norm(d.u) > SHORT * v->size[d.guide[0]]))
        return none;
    return d;
}

void drift_way(const drift_guides *d, const detect_view *v, const double *q0, size_t stride, double out[3])
{
    vec3_set(out, 0, 0, 0);
    for (size_t k = 0; k < v->dim && d->some; k++) {
        double way[3];
        for (int g = 0; g < 3; g++)
            way[g] = v->q[v->nq * d->guide[g] + k] - q0[stride * d->guide[g] + k];
        out[k] = fmax(fmin(way[0], way[1]), fmin(fmax(way[0], way[1]), way[2]));
    }
}
