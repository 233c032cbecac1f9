/*
 * mo_law_check: a law solved for random contacts, as a sweep would, and looked at from outside.
 */
#include <math.h>
#include <string.h>

#include "convex/cone.h"
#include "core/fail.h"
#include "core/rng.h"
#include "dynamics/special.h"
#include "problem/apply.h"
#include "problem/block.h"
#include "solver/contact2d.h"
#include "solver/law_row.h"

/* Velocities and misses below this, relative to those at hand, are rounding. */
static const double ROUNDING = 1e-9;

typedef struct sample {
    int dim;
    double mu, rho; /* rho: 1/lambda_max(H) */
    double H[9], b[3], S[3], U[3];
    row_law law;
} sample;

static double between(rng *r, double low, double high)
{
    return low + (high - low) * rng_uniform(r);
}

// H = M M* with rows of M of different sizes, of any magnitude; b of any magnitude beside it
static void draw(rng *r, sample *s)
{
    const int dim = s->dim;
    double M[9], scale = pow(10, between(r, -3, 3)), speed = pow(10, between(r, -6, 3));
    for (int i = 0; i < dim; i++) {
        double size = pow(10, between(r, -1, 0));
        for (int k = 0; k < dim; k++)
            M[dim * i + k] = size * between(r, -1, 1);
        s->b[i] = speed * between(r, -1, 1);
    }
    for (int i = 0; i < dim; i++)
        for (int k = 0; k < dim; k++) {
            double sum = i == k ? 1e-3 : 0;
            for (int m = 0; m < dim; m++)
                sum += M[dim * i + m] * M[dim * k + m];
            s->H[dim * i + k] = scale * sum;
        }
    s->rho = block_rho(dim, s->H);
}

// the second tangent scaled, as in the rows of such a law
static void turn(const mo_law *law, sample *s)
{
    double ratio = law_ratio(law);
    for (int k = 0; k < 3; k++) {
        s->H[3 * k + 2] *= ratio;
        s->H[6 + k] *= ratio;
    }
    s->b[2] *= ratio;
}

static void solve_sample(sample *s)
{
    const row_law *l = &s->law;
    const mo_law_contact told = law_contact(s->dim, l);
    contact2 two = {.H = {s->H[0], s->H[1], s->H[3]}};
    contact3 three;
    if (s->dim == 2)
        contact2_prepare(&two, s->mu);
    else
        contact3_prepare(&three, s->H, s->mu);
    if (l->ops != NULL)
        l->ops->solve(&told, s->b, s->S, l->ops->data);
    else if (s->dim == 2 && l->limit >= 0)
        threshold2_solve(&two, l->limit, s->b, s->S);
    else if (s->dim == 2)
        contact2_solve(&two, s->b[0], s->b[1], &s->S[0], &s->S[1]);
    else if (l->limit >= 0)
        threshold3_solve(&three, l->limit, s->b, s->S);
    else
        contact3_solve(&three, s->b, s->S);
    for (int i = 0; i < s->dim; i++) {
        s->U[i] = s->b[i];
        for (int k = 0; k < s->dim; k++)
            s->U[i] += s->H[s->dim * i + k] * s->S[k];
    }
}

static double size_of(int dim, const double *x)
{
    return dim == 2 ? hypot(x[0], x[1]) : vec3_norm(x);
}

static double miss_of(const sample *s)
{
    double out[3], z[3];
    if (!is_coulomb(&s->law)) {
        law_miss(s->dim, &s->law, s->rho, s->U, s->S, out);
        return size_of(s->dim, out);
    }
    for (int k = 0; k < s->dim; k++)
        z[k] = s->S[k] - s->rho * s->U[k];
    z[0] -= s->rho * s->mu * tangential_size(s->dim, s->U);
    if (s->dim == 2)
        cone2_prox(s->mu, z, out);
    else
        cone3_prox(s->mu, z, out);
    for (int k = 0; k < s->dim; k++)
        out[k] -= s->S[k];
    return size_of(s->dim, out);
}

// adds a sample to the report
static void look_at(const sample *s, mo_law_report *out)
{
    const double unit = size_of(s->dim, s->b), impulse = size_of(s->dim, s->S);
    // what H S is known to
    const double noise = ROUNDING * (unit + impulse / s->rho), miss = miss_of(s);
    double US = 0, approach = fmax(0, -s->U[0]) / (unit + impulse / s->rho);
    double held = s->U[0] > noise ? impulse / (s->rho * unit) : 0;
    for (int k = 0; k < s->dim; k++)
        US += s->U[k] * s->S[k];
    out->finite = out->finite && isfinite(impulse) && isfinite(US) && isfinite(miss);
    if (out->samples++ == 0 || fmax(approach, held) > fmax(out->velocity, out->impulse)) {
        memcpy(out->H, s->H, sizeof out->H);
        memcpy(out->b, s->b, sizeof out->b);
        memcpy(out->S, s->S, sizeof out->S);
        memcpy(out->U, s->U, sizeof out->U);
    }
    out->velocity = fmax(out->velocity, approach);
    out->impulse = fmax(out->impulse, held);
    out->miss = fmax(out->miss, miss / (impulse + s->rho * unit));
    out->missed += miss > ROUNDING * (impulse + s->rho * unit) ? 1 : 0;
    out->power = fmax(out->power, US / (impulse * (unit + impulse / s->rho) + 1e-300));
}

mo_status mo_law_check(const mo_law *law, int dim, int samples, uint64_t seed, mo_law_report *out,
                       mo_error *err)
{
    enum { STEP_DIGITS = 4 };
    if (dim != 2 && dim != 3)
        return fail(err, MO_BAD_INPUT, "dim", "found %d, expected 2 or 3", dim);
    mo_status status = laws_check(law, dim, err);
    if (status != MO_OK)
        return status;
    *out = (mo_law_report){.finite = true};
    rng r = rng_seed(seed, 0);
    for (int i = 0; i < samples; i++) {
        double h = pow(10, -between(&r, 0, STEP_DIGITS));
        sample s = {.dim = dim,
                    .law = {.ops = law->name != NULL ? law_find(law->name, NULL) : NULL,
                            .limit = law->threshold > 0 ? h * law->threshold : -1,
                            .law = law,
                            .h = h}};
        // before and after it has slid
        s.mu = special_mu(law, i % 2 == 1);
        draw(&r, &s);
        if (law_is_turned(law))
            turn(law, &s);
        memcpy(s.law.H, s.H, sizeof s.H);
        solve_sample(&s);
        look_at(&s, out);
    }
    return MO_OK;
}
