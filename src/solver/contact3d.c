/*
 * The general block of contact3d.h.  All is done in the axes of S with S/size and v = u-star/|u-star|: x
 * below is r_T size/|u-star|, lambda is in units of size, l = L size/|u-star|.
 */
#include "solver/contact3d.h"

/* Below this share of A an eigenvalue of S counts as 0: it is then all rounding (a few units of 2^-52). */
#define SLOPE_ROUNDING_3D 1e-15

/* Where lambda is that much larger than S, S does not matter. */
#define ISOTROPIC 1e17

enum { NEWTON_STEPS = 200, SCAN_POINTS = 128 };

// eigenvalues s[0] >= s[1] of [p o; o q], axis: unit vector of s[0]
static void symmetric_axes(double p, double o, double q, double s[2], double axis[2])
{
    double m = 0.5 * p + 0.5 * q, d = 0.5 * p - 0.5 * q, radius = hypot(d, o);
    s[0] = m + radius;
    s[1] = m - radius;
    double x = d >= 0 ? radius + d : o, y = d >= 0 ? o : radius - d, length = hypot(x, y);
    axis[0] = length > 0 ? x / length : 1;
    axis[1] = length > 0 ? y / length : 0;
}

// makes S positive semidefinite: what is rounding or negative becomes 0, in H as well if it is more than that
static void lift(contact3 *c, double least)
{
    for (int i = 0; i < 2; i++) {
        if (c->s[i] > least)
            continue;
        double up = c->s[i] < -least ? -c->s[i] : 0, x = i ? -c->axis[1] : c->axis[0],
               y = i ? c->axis[0] : c->axis[1];
        c->H[4] += up * x * x;
        c->H[5] += up * x * y;
        c->H[7] += up * x * y;
        c->H[8] += up * y * y;
        c->s[i] = 0;
    }
    if (fabs(c->a) <= least)
        c->a = 0;
}

void contact3_prepare(contact3 *c, const double H[9], double mu)
{
    contact3_set(c, H, mu);
    contact3_make_ready(c);
}

void contact3_make_ready(contact3 *c)
{
    double H[9];
    if (c->ready)
        return;
    for (int i = 0; i < 9; i++)
        H[i] = c->H[i];
    *c = (contact3){.ready = true, .mu = c->mu, .axis = {1, 0}};
    for (int i = 0; i < 9; i++)
        c->H[i] = H[i];
    // a contact that nothing can move along its normal gets no impulse
    c->axisymmetric = !(H[0] > 0);
    if (c->axisymmetric)
        return;
    c->inv_nn = 1 / H[0];
    double h1 = H[1] / H[0], h2 = H[2] / H[0], g1 = H[3] / H[0], g2 = H[6] / H[0];
    double S[4] = {H[4] - H[3] * h1, H[5] - H[3] * h2, H[7] - H[6] * h1, H[8] - H[6] * h2};
    symmetric_axes(S[0], 0.5 * S[1] + 0.5 * S[2], S[3], c->s, c->axis);
    c->a = 0.5 * S[1] - 0.5 * S[2];
    lift(c, SLOPE_ROUNDING_3D * fmax(fabs(H[4]), fabs(H[8])));
    c->size = fmax(c->s[0], fabs(c->a));
    if (c->a == 0 && c->s[0] == c->s[1] && h1 == 0 && h2 == 0 && g1 == 0 && g2 == 0) {
        c->axisymmetric = true;
        c->inv_s = c->size > 0 ? 1 / c->size : 0;
        return;
    }
    contact3_to_axes(c->axis, h1, h2, c->h);
    contact3_to_axes(c->axis, g1, g2, c->g);
    for (int i = 0; i < 2; i++)
        c->s[i] = c->size > 0 ? c->s[i] / c->size : 0;
    c->a = c->size > 0 ? c->a / c->size : 0;
    double det = (c->s[0] * c->s[1] + c->a * c->a) * c->size;
    c->inv_det = det > CONTACT3_LEAST_DET && det < 1 / CONTACT3_LEAST_DET ? 1 / det : 0;
}

// x = -(S + lambda I)⁻¹ v
static inline void point(const contact3 *c, double lambda, const double v[2], double x[2])
{
    double p = c->s[0] + lambda, q = c->s[1] + lambda, inv = 1 / (p * q + c->a * c->a);
    x[0] = (c->a * v[1] - q * v[0]) * inv;
    x[1] = -(c->a * v[0] + p * v[1]) * inv;
}

/*
 * G at lambda > 0 and Newton's step G / G'.  With D = det(S + lambda I) and X = D x, whose derivative is -v,
 *
 *   N (1 + G) = l D - eps.X =: E,  N = |X|,    N G' = l D' + eps.v + E X.v/N²
 */
static inline double edge(const contact3 *c, double lambda, const double v[2], double l, double *step)
{
    double p = c->s[0] + lambda, q = c->s[1] + lambda, a = c->a;
    double X[2] = {a * v[1] - q * v[0], -(a * v[0] + p * v[1])};
    double N2 = X[0] * X[0] + X[1] * X[1], inv = 1 / N2, N = sqrt(N2);
    double E = l * (p * q + a * a) - (contact3_eps(c, 0) * X[0] + contact3_eps(c, 1) * X[1]);
    double slope = l * (p + q) + (contact3_eps(c, 0) * v[0] + contact3_eps(c, 1) * v[1]);
    *step = (E - N) / (slope + E * (X[0] * v[0] + X[1] * v[1]) * inv);
    return (E - N) * (N * inv);
}

// a lambda with G < 0 where S is singular and G(0+) >= 0; 0: none seen
static double scan(const contact3 *c, const double v[2], double l, double high)
{
    double lambda = high, step;
    for (int i = 0; i < SCAN_POINTS; i++, lambda *= 0.6)
        if (edge(c, lambda, v, l, &step) < 0)
            return lambda;
    return 0;
}

// root of G in (low, high), G(low) < 0 < G(high): Newton's method from `lambda`, halved where it strays
static double edge_root(const contact3 *c, const double v[2], double l, double low, double high,
                        double lambda)
{
    bool quick = fabs(contact3_eps(c, 0)) + fabs(contact3_eps(c, 1)) < 1;
    double last = HUGE_VAL, noise = 4e-16 * (1 + fabs(contact3_eps(c, 0)) + fabs(contact3_eps(c, 1)));
    for (int i = 0; i < NEWTON_STEPS; i++) {
        if (!(lambda > low && lambda < high))
            lambda = low > 0 ? sqrt(low) * sqrt(high) : 1e-4 * high;
        double step, G = edge(c, lambda, v, l, &step);
        // no digit left in G, or in lambda
        if (fabs(G) <= noise || fabs(step) <= 2e-16 * (lambda + c->s[1]) || !(high - low > 2e-16 * high))
            return lambda;
        // as many digits again with the next point
        if (quick && fabs(step) <= 1e-8 * (lambda + c->s[1]))
            return lambda - step;
        if (G < 0)
            low = lambda;
        else
            high = lambda;
        lambda = fabs(G) < 0.5 * last ? lambda - step : -1;
        last = fabs(G);
    }
    return lambda;
}

// x on the edge of the cone with sliding against it, up to a factor or in full
typedef enum found { NONE, DIRECTION, POINT } found;

static found slide(const contact3 *c, const double v[2], double l, bool finite, double x[2])
{
    double size2 = v[0] * v[0] + v[1] * v[1], size = sqrt(size2);
    double ahead = 1 - (contact3_eps(c, 0) * v[0] + contact3_eps(c, 1) * v[1]) / size;
    double form = (c->s[0] * v[0] * v[0] + c->s[1] * v[1] * v[1]) / size2;
    // as if S were isotropic; exact where it is, or where lambda dwarfs it
    double guess = size * ahead / l - form, low = 0;
    x[0] = -v[0];
    x[1] = -v[1];
    if (guess > ISOTROPIC || c->size == 0)
        return ahead > 0 ? DIRECTION : NONE;
    double high = fmin(size * (1 + fabs(contact3_eps(c, 0)) + fabs(contact3_eps(c, 1))) / l, 1e100);
    // S singular: G(0+) is that of its null direction
    if (!finite && !(1 > (v[1] > 0 ? contact3_eps(c, 1) : -contact3_eps(c, 1)))) {
        low = scan(c, v, l, high);
        if (low == 0)
            return NONE;
    }
    point(c, edge_root(c, v, l, low, high, guess), v, x);
    return POINT;
}

// r_T(0) in units of |u*|/size; false: there is none, S being singular
static bool stick_point(const contact3 *c, const double v[2], double x[2])
{
    if (c->s[0] * c->s[1] + c->a * c->a > 0) {
        point(c, 0, v, x);
        return true;
    }
    x[0] = -v[0] / c->s[0];
    x[1] = 0;
    return v[1] == 0 && c->s[0] > 0;
}

void contact3_rare(const contact3 *c, double rN, const double u[2], double *r)
{
    double x[2];
    double length = fmax(fabs(u[0]), fabs(u[1]));
    if (!(length > 0 && c->mu > 0)) {
        contact3_set_r(c, rN, 0, 0, r);
        return;
    }
    double v[2] = {u[0] / length, u[1] / length}, unit = length / c->size, l = c->mu * rN / unit;
    bool finite = stick_point(c, v, x);
    double size = sqrt(x[0] * x[0] + x[1] * x[1]),
           along = contact3_eps(c, 0) * x[0] + contact3_eps(c, 1) * x[1];
    if (finite && size + along <= l) {
        contact3_set_r(c, rN - unit * (c->h[0] * x[0] + c->h[1] * x[1]), unit * x[0], unit * x[1], r);
        return;
    }
    found how = slide(c, v, l, finite, x);
    if (how == NONE) {
        contact3_set_r(c, rN, 0, 0, r);
        return;
    }
    size = sqrt(x[0] * x[0] + x[1] * x[1]);
    along = 1 + (contact3_eps(c, 0) * x[0] + contact3_eps(c, 1) * x[1]) / size;
    // u_N = 0 to the last digit; where the edge is steep that spoils r_T, and x is better as it is
    bool flat = fabs(contact3_eps(c, 0)) + fabs(contact3_eps(c, 1)) < 0.5 || how == DIRECTION;
    double edge_N = flat ? rN / along : unit * size / c->mu;
    contact3_set_r(c, edge_N, c->mu * edge_N * (x[0] / size), c->mu * edge_N * (x[1] / size), r);
}
