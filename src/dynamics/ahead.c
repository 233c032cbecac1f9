/*
 * What the scheme of Bernicot and Lefebvre-Lepot (BL10 (1.11)-(1.15)) needs beside the stages:
 *
 *   u_f = P_{K_h}(u_free),  K_h = {u : g_α(t_f, q_i) + h ∇g_α.u >= 0 for all α},  q_f = q_i + h u_f.
 *
 * All pairs take part in K_h; those so far apart that no velocity closes their gap within the step may be
 * left out.  Restitution (SPEC C1): u⁺ = P(u_free) - e (u_free - P(u_free)), i.e. impulses times 1 + e.
 */
#include <math.h>

#include "dynamics/stage.h"
#include "math/vec3.h"
#include "problem/apply.h"

// speed that no point of the body exceeds with the velocity u (spin in world axes)
static double surface_speed(const bodies *b, size_t i, const double *u)
{
    double speed = b->dim == 2 ? hypot(u[0], u[1]) : vec3_norm(u);
    double spin = b->dim == 2 ? fabs(u[2]) : vec3_norm(u + 3);
    return speed + (isfinite(b->radius[i]) ? spin * b->radius[i] : 0);
}

double ahead_reach(const bodies *b, const stage_data *d)
{
    double top = 0;
    for (uint32_t i = 0; i < b->count; i++)
        if (is_dynamic(b, i))
            top = fmax(top, surface_speed(b, i, &d->u_free[b->nu * i]));
    return d->reach + 2 * d->h * (2 * top);
}

bool ahead_missed(const bodies *b, const stage_data *d, double reach)
{
    for (uint32_t i = 0; i < b->count; i++) {
        const double *u = body_velocity(&d->problem, i);
        if (is_dynamic(b, i) && 2 * d->h * surface_speed(b, i, u) > reach)
            return true;
    }
    return false;
}

void ahead_restitution(const law_table *laws, const contact_set *c, stage_data *d, pool *threads)
{
    bool any = false;
    for (size_t i = 0; i < c->count; i++) {
        double e = laws->list[c->law[i]].restitution, *S = &d->problem.S[c->dim * d->row[i]];
        // what was pushed, beyond what the contact itself pulls
        double pushed = d->special == NULL ? 1 : S[0] > d->pull[i] ? 1 - d->pull[i] / S[0] : 0;
        for (size_t k = 0; k < c->dim; k++)
            S[k] *= 1 + e * pushed;
        any = any || e != 0;
    }
    if (any)
        refresh_velocities(&d->problem, threads);
}
