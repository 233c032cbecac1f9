/* What is said of a run: times, overlaps, drift, energy, residual; the same code for every program. */
#include "peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double peer_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, by_value);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static void analyse_times(const peer_scene *s, const peer_result *r, peer_analysis *out)
{
    const size_t n = r->step_count;
    out->ms = 1e3 * peer_median(r->seconds, n);
    out->spread = n > 3 ? 0.5e3 * (r->seconds[3 * n / 4] - r->seconds[n / 4]) / out->ms : (double)NAN;
    out->per_contact =
        r->contacts > 0 && r->iterations > 0 ? 1e6 * out->ms / r->contacts / r->iterations : (double)NAN;
    out->cost = r->run_seconds / ((double)n * s->h);
}

static void analyse_motion(const peer_scene *s, const peer_result *r, peer_analysis *out)
{
    for (size_t i = 0; i < s->body_count; i++) {
        const peer_state *a = &r->start[i], *b = &r->end[i];
        for (int k = 0; k < 3; k++)
            out->top[k] = (b->x[k] - a->x[k]) / s->size;
        // a body that is nowhere has drifted without bound
        const double moved = vec3_norm(out->top);
        out->drift = isnan(moved) ? HUGE_VAL : fmax(out->drift, moved);
        for (int k = 0; k < 3; k++)
            out->kinetic += 0.5 * s->bodies[i].mass * b->v[k] * b->v[k] +
                            0.5 * s->bodies[i].inertia[k] * b->w[k] * b->w[k];
    }
}

// from rest, against Coulomb friction on a slope along x: 0 where it holds
static void analyse_slope(const peer_scene *s, const peer_result *r, peer_analysis *out)
{
    out->expected = out->reached = (double)NAN;
    if (!(s->gravity[0] > 0))
        return;
    const double t = (double)r->step_count * s->h, a = s->gravity[0] + s->friction * s->gravity[2];
    out->expected = a > 0 ? 0.5 * a * t * t : 0;
    out->reached = out->top[0] * s->size;
}

static mo_status certify(const peer_scene *s, const peer_result *r, bool with_targets, double *residual,
                         mo_error *err)
{
    mo_problem p;
    double *impulses;
    mo_problem_residual found;
    mo_status status = peer_problem(s, r, with_targets, &p, &impulses, err);
    if (status != MO_OK)
        return status;
    status = mo_problem_certify(&p, impulses, NULL, &found, err);
    if (status == MO_OK)
        *residual = found.residual;
    mo_problem_free(&p);
    free(impulses);
    return status;
}

static mo_status analyse_law(const peer_scene *s, const peer_result *r, peer_analysis *out, mo_error *err)
{
    bool known = true;
    out->residual = out->law = (double)NAN;
    if (r->before == NULL)
        return MO_OK;
    for (size_t c = 0; c < r->touch_count; c++)
        known = known && isfinite(r->touch[c].target);
    mo_status status = certify(s, r, false, &out->law, err);
    return status == MO_OK && known ? certify(s, r, true, &out->residual, err) : status;
}

mo_status peer_analyse(const peer_scene *scene, const peer_result *result, peer_analysis *out, mo_error *err)
{
    peer_analysis a = {0};
    analyse_times(scene, result, &a);
    analyse_motion(scene, result, &a);
    analyse_slope(scene, result, &a);
    mo_status status = peer_measure_overlaps(scene, result->end, &a.overlaps, err);
    if (status == MO_OK)
        status = analyse_law(scene, result, &a, err);
    if (status == MO_OK)
        *out = a;
    return status;
}
