/* The fast residual: see local.h and include/moreau/problem.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/wide.h"
#include "solver/local.h"
#include "solver/local_row.h"

/* share of the load that may still push bodies into each other at what counts as a solution of any tolerance
 */
#define MOST_INWARD 0.1
/* |r| / |rho q| up to which what is missed may be the rounding of r, that many units of doubles: light bodies
 * that carry heavy ones.  That is at most 2e-6 of the load. */
#define LARGEST_CARRIED 1e9
#define ROUNDINGS 8

WIDE void local_velocity(const mo_problem *p, const double *r, double *u)
{
    memcpy(u, p->q, (size_t)p->dim * p->contacts * sizeof *u);
    for (size_t c = 0; p->dim == 2 && c < p->contacts; c++)
        row_times2(p, c, r, u + 2 * c);
    for (size_t c = 0; p->dim == 3 && c < p->contacts; c++)
        row_times3(p, c, r, u + 3 * c);
}

/* Some contacts side by side; in 2D r[2] = u[2] = 0. */
enum { GROUP = 32 };
typedef struct group {
    double mu[GROUP], rho[GROUP], r[3][GROUP], u[3][GROUP];
} group;

/* Of each: |r - P_K(r - rho u~)|² and with rho 1, and the square of rho (u_N)-. */
typedef struct terms {
    double scaled[GROUP], plain[GROUP], inward[GROUP];
} terms;

/* Sums over contacts that make the residuals. */
typedef struct residual_sums {
    double scaled, plain, inward, rr, uu;
} residual_sums;

// the contacts [c, c + count)
static inline void gather(const local_work *w, size_t dim, size_t c, size_t count, const double *r,
                          const double *u, group *g)
{
    for (size_t i = 0; i < count; i++) {
        g->mu[i] = w->p->mu[c + i];
        g->rho[i] = w->rho[c + i];
        for (size_t k = 0; k < 3; k++) {
            g->r[k][i] = k < dim ? r[dim * (c + i) + k] : 0;
            g->u[k][i] = k < dim ? u[dim * (c + i) + k] : 0;
        }
    }
}

// |r - P_K(r - d)|², d = rho u~ with the shift mu |u_T|, all three cases at once
static inline double miss(double mu, double r0, double r1, double r2, double d0, double d1, double d2)
{
    const double z0 = r0 - d0, z1 = r1 - d1, z2 = r2 - d2, zt = sqrt(z1 * z1 + z2 * z2);
    const double s = (z0 + mu * zt) / (1 + mu * mu), f = zt > 0 ? mu * s / zt : 0;
    const double x = r0 - s, y = r1 - f * z1, z = r2 - f * z2;
    const bool inside = (z0 >= 0) & (zt <= mu * z0), polar = mu * zt <= -z0;
    const double slides = x * x + y * y + z * z, opens = r0 * r0 + r1 * r1 + r2 * r2;
    return inside ? d0 * d0 + d1 * d1 + d2 * d2 : polar ? opens : slides;
}

WIDE static void judge(const group *restrict g, size_t count, terms *restrict t)
{
    for (size_t i = 0; i < count; i++) {
        const double mu = g->mu[i], rho = g->rho[i], r0 = g->r[0][i], r1 = g->r[1][i], r2 = g->r[2][i];
        const double u1 = g->u[1][i], u2 = g->u[2][i], u0 = g->u[0][i] + mu * sqrt(u1 * u1 + u2 * u2);
        const double in = g->u[0][i] < 0 ? rho * g->u[0][i] : 0;
        t->scaled[i] = miss(mu, r0, r1, r2, rho * u0, rho * u1, rho * u2);
        t->plain[i] = miss(mu, r0, r1, r2, u0, u1, u2);
        t->inward[i] = in * in;
    }
}

// added in the order of contacts
static void add_terms(const group *g, const terms *t, size_t count, residual_sums *sum)
{
    for (size_t i = 0; i < count; i++) {
        sum->scaled += t->scaled[i];
        sum->plain += t->plain[i];
        sum->inward += t->inward[i];
        sum->rr += g->r[0][i] * g->r[0][i] + g->r[1][i] * g->r[1][i] + g->r[2][i] * g->r[2][i];
        sum->uu += g->u[0][i] * g->u[0][i] + g->u[1][i] * g->u[1][i] + g->u[2][i] * g->u[2][i];
    }
}

double local_runaway(const local_work *w, double size, double miss, double inward)
{
    if (!(w->norm_rho_q > 0))
        return 0;
    bool rounding = miss <= ROUNDINGS * DBL_EPSILON * size && size <= LARGEST_CARRIED * w->norm_rho_q;
    double measured = rounding ? 0 : miss / (LARGEST_IMPULSE * w->norm_rho_q), in = inward / w->norm_rho_q;
    return in > MOST_INWARD ? fmax(measured, in) : measured;
}

double local_residual_of(const local_work *w, const double *r, const double *u)
{
    residual_sums t = {0};
    for (size_t c = 0, count; c < w->p->contacts; c += count) {
        group g;
        terms each;
        count = w->p->contacts - c < GROUP ? w->p->contacts - c : GROUP;
        if (w->p->dim == 2)
            gather(w, 2, c, count, r, u, &g);
        else
            gather(w, 3, c, count, r, u, &g);
        judge(&g, count, &each);
        add_terms(&g, &each, count, &t);
    }
    double rr = sqrt(t.rr), uu = sqrt(t.uu), missed = sqrt(t.scaled), plain = sqrt(t.plain);
    double size = fmax(rr, w->norm_rho_q), size_fclib = fmax(fmax(rr, uu), w->norm_q);
    double free_of_units = size > 0 ? missed / size : 0;
    // divided however small that is, unlike in the certificate: a load of 1e-17 is to be carried as well
    double fclib = size_fclib > 0 ? plain / size_fclib : 0;
    double worse = fmax(fmax(free_of_units, fclib), local_runaway(w, rr, missed, sqrt(t.inward)));
    return isfinite(rr) && isfinite(uu) && isfinite(missed) && isfinite(plain) ? worse : HUGE_VAL;
}

double local_residual(local_work *w, const double *r)
{
    if (w->answer < 0 || memcmp(r, w->asked, w->n * sizeof *r) != 0) {
        local_velocity(w->p, r, w->u);
        memcpy(w->asked, r, w->n * sizeof *r);
        w->answer = local_residual_of(w, r, w->u);
    }
    return w->answer;
}
