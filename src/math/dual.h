/*
 * Dual numbers v + d eps, eps^2 = 0: a value and its exact derivative with respect to one variable.
 *
 * Where a function has a kink (abs, min, max) the derivative is the one to the right, as the variable grows.
 * Derivatives of floor and ceil are 0.  Nothing traps: an infinite slope, such as sqrt at 0, comes out as
 * such.
 */
#ifndef MATH_DUAL_H
#define MATH_DUAL_H

#include <math.h>

typedef struct dual {
    double v; /* value */
    double d; /* derivative */
} dual;

static inline dual dual_make(double v, double d)
{
    dual r = {v, d};
    return r;
}

static inline dual dual_const(double v)
{
    return dual_make(v, 0);
}

/* slope * d, and 0 for a constant even where the slope is infinite or undefined */
static inline dual dual_chain(double value, double slope, double d)
{
    return dual_make(value, d == 0 ? 0 : slope * d);
}

static inline dual dual_neg(dual a)
{
    return dual_make(-a.v, -a.d);
}

static inline dual dual_add(dual a, dual b)
{
    return dual_make(a.v + b.v, a.d + b.d);
}

static inline dual dual_sub(dual a, dual b)
{
    return dual_make(a.v - b.v, a.d - b.d);
}

static inline dual dual_mul(dual a, dual b)
{
    return dual_make(a.v * b.v, a.d * b.v + a.v * b.d);
}

static inline dual dual_div(dual a, dual b)
{
    double q = a.v / b.v;
    return dual_make(q, (a.d - q * b.d) / b.v);
}

/* a - floor(a/b) b, as Lua's % */
static inline dual dual_mod(dual a, dual b)
{
    double r = fmod(a.v, b.v);
    if (r * b.v < 0)
        r += b.v;
    return dual_make(r, a.d - (b.d == 0 ? 0 : floor(a.v / b.v) * b.d));
}

/* a - trunc(a/b) b */
static inline dual dual_fmod(dual a, dual b)
{
    return dual_make(fmod(a.v, b.v), a.d - (b.d == 0 ? 0 : trunc(a.v / b.v) * b.d));
}

static inline dual dual_pow(dual a, dual p)
{
    double value = pow(a.v, p.v);
    double d = 0;
    if (a.d != 0 && p.v != 0)
        d += p.v * pow(a.v, p.v - 1) * a.d;
    if (p.d != 0 && value != 0)
        d += value * log(a.v) * p.d;
    return dual_make(value, d);
}

static inline dual dual_sqrt(dual a)
{
    double r = sqrt(a.v);
    return dual_chain(r, 0.5 / r, a.d);
}

static inline dual dual_exp(dual a)
{
    double r = exp(a.v);
    return dual_chain(r, r, a.d);
}

static inline dual dual_log(dual a)
{
    return dual_chain(log(a.v), 1 / a.v, a.d);
}

static inline dual dual_sin(dual a)
{
    return dual_chain(sin(a.v), cos(a.v), a.d);
}

static inline dual dual_cos(dual a)
{
    return dual_chain(cos(a.v), -sin(a.v), a.d);
}

static inline dual dual_tan(dual a)
{
    double r = tan(a.v);
    return dual_chain(r, 1 + r * r, a.d);
}

static inline dual dual_asin(dual a)
{
    return dual_chain(asin(a.v), 1 / sqrt((1 - a.v) * (1 + a.v)), a.d);
}

static inline dual dual_acos(dual a)
{
    return dual_chain(acos(a.v), -1 / sqrt((1 - a.v) * (1 + a.v)), a.d);
}

static inline dual dual_atan2(dual y, dual x)
{
    double r2 = x.v * x.v + y.v * y.v;
    double d = x.d == 0 && y.d == 0 ? 0 : (x.v * y.d - y.v * x.d) / r2;
    return dual_make(atan2(y.v, x.v), d);
}

static inline dual dual_abs(dual a)
{
    if (a.v == 0)
        return dual_make(0, fabs(a.d));
    return a.v < 0 ? dual_neg(a) : a;
}

/* at a tie the one that grows faster is the larger just after */
static inline dual dual_max(dual a, dual b)
{
    if (a.v == b.v)
        return a.d >= b.d ? a : b;
    return a.v > b.v ? a : b;
}

static inline dual dual_min(dual a, dual b)
{
    if (a.v == b.v)
        return a.d <= b.d ? a : b;
    return a.v < b.v ? a : b;
}

#endif
