#include "solver/law_row.h"

#include "problem/apply.h"

/* Stands for infinity where a product with 0 must not be NaN. */
#define STEEP 1e150

/* A contact that only grazes pushes with this share of its friction: below what is known of it. */
#define GRAZE 1e-14

void threshold2_solve(const contact2 *c, double L, const double b[2], double S[2])
{
    double k = -b[0];
    S[0] = S[1] = 0;
    if (!(k > 0 && c->inv_nn > 0))
        return;
    double T = fmin(fmax(-(b[1] + c->H[1] * c->inv_nn * k) * c->inv_s, -L), L);
    if (c->H[1] * T > k)
        T = k / c->H[1];
    S[0] = fmax(GRAZE * fabs(T), (k - c->H[1] * T) * c->inv_nn);
    S[1] = T;
}

// r_T = -(S + lambda I)⁻¹ u* of the block; returns h.r_T
static double slide_point(const contact3 *c, double k, const double *bT, double lambda, double rT[2])
{
    const double *H = c->H, h1 = H[1] * c->inv_nn, h2 = H[2] * c->inv_nn;
    double p = H[4] - H[3] * h1 + lambda, o = H[5] - H[3] * h2, m = H[7] - H[6] * h1,
           q = H[8] - H[6] * h2 + lambda;
    double u1 = bT[0] + H[3] * c->inv_nn * k, u2 = bT[1] + H[6] * c->inv_nn * k, det = p * q - o * m;
    rT[0] = (o * u2 - q * u1) / det;
    rT[1] = (m * u1 - p * u2) / det;
    return H[1] * rT[0] + H[2] * rT[1];
}

// S_T from where it would lift the contact back to where it leaves S_N = 0, still against the slip
static void graze(const contact3 *c, const double b[3], double S[3])
{
    enum { HALVINGS = 100 };
    const double *H = c->H, k = -b[0];
    double T = hypot(S[1], S[2]), rN = (k - H[1] * S[1] - H[2] * S[2]) * c->inv_nn, rT[2] = {S[1], S[2]};
    double U1 = b[1] + H[3] * rN + H[4] * S[1] + H[5] * S[2],
           U2 = b[2] + H[6] * rN + H[7] * S[1] + H[8] * S[2];
    // h.r_T > k at low; it is at most |h| |u*|/lambda
    double low = hypot(U1, U2) / T, u = hypot(U1, U2) + c->size * T;
    double high = low + 2 * hypot(H[1], H[2]) * u / k;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        if (slide_point(c, k, b + 1, middle, rT) > k)
            low = middle;
        else
            high = middle;
    }
    slide_point(c, k, b + 1, high, rT);
    S[1] = rT[0];
    S[2] = rT[1];
}

void threshold3_solve(const contact3 *c, double L, const double b[3], double S[3])
{
    double k = -b[0], rN = k * c->inv_nn;
    vec3_set(S, 0, 0, 0);
    if (!(k > 0 && c->inv_nn > 0))
        return;
    // Coulomb's law with h = 0 and mu r_N = L
    contact3 disc = *c;
    disc.h[0] = disc.h[1] = 0;
    disc.mu = fmin(L / rN, STEEP);
    contact3_solve(&disc, b, S);
    if (c->H[1] * S[1] + c->H[2] * S[2] > k)
        graze(c, b, S);
    S[0] = fmax(GRAZE * hypot(S[1], S[2]), (k - c->H[1] * S[1] - c->H[2] * S[2]) * c->inv_nn);
}

// b := U - H S
static void without_own(int dim, const double *H, const double *U, const double *S, double *b)
{
    for (int r = 0; r < dim; r++) {
        b[r] = U[r];
        for (int k = 0; k < dim; k++)
            b[r] -= H[dim * r + k] * S[k];
    }
}

// the same with a given threshold
static void threshold_new(const step_problem *p, size_t i, const double *U, const double *S, double *out)
{
    double L = p->law[i].limit, b[3];
    if (p->dim == 2) {
        const contact2 *c = &p->contact[i];
        const double H[4] = {c->H[0], c->H[1], c->H[1], c->H[2]};
        without_own(2, H, U, S, b);
        threshold2_solve(c, L, b, out);
    } else {
        without_own(3, p->block3[i].H, U, S, b);
        contact3_make_ready(&p->block3[i]);
        threshold3_solve(&p->block3[i], L, b, out);
    }
}

/*
 * Where friction unloads the contact by way of its neighbours, L is too much and 0 too little, and sweeps
 * that do what the contact alone asks for go to and fro.  Whenever the change asked for turns around, only
 * half of the share is made: S_T comes to rest where the contact grazes.
 */
static void approach(int dim, row_law *l, const double *S, double *new)
{
    const double change[2] = {new[1] - S[1], dim == 3 ? new[2] - S[2] : 0};
    double turn = change[0] * l->last[0] + change[1] * l->last[1];
    l->share = turn < 0 ? 0.5 * l->share : fmin(1, 1.05 * l->share);
    for (int k = 1; k < dim; k++) {
        l->last[k - 1] = change[k - 1];
        new[k] = S[k] + l->share *change[k - 1];
    }
    new[0] = fmax(new[0], GRAZE * tangential_size(dim, new));
}

void law_row_relax(const step_problem *p, size_t i, bool two)
{
    row_law *l = &p->law[i];
    const int dim = p->dim;
    double U[3], b[3], new[3] = {0, 0, 0}, change[3], *S = &p->S[(size_t)dim * i];
    contact_velocity(dim, p, i, two, U);
    if (l->ops == NULL) {
        threshold_new(p, i, U, S, new);
        approach(dim, l, S, new);
    } else {
        const mo_law_contact told = law_contact(dim, l);
        without_own(dim, l->H, U, S, b);
        l->ops->solve(&told, b, new, l->ops->data);
    }
    for (int k = 0; k < dim; k++) {
        change[k] = new[k] - S[k];
        S[k] = new[k];
    }
    apply_impulse(dim, p, i, two, change);
}
