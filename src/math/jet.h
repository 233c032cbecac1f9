/*
 * Jets v + d s + dd s^2/2: a value with its first and second derivative along one variable, exact.
 *
 * A function f of jets has the dual number f(v + d eps) for value and first derivative, and its first
 * derivative as a dual number for the second: (f(x))' = f'(x) x', x and x' being duals.  So each function
 * here is one of dual.h and the derivative that goes with it.  Kinks are as in dual.h: the branch just after.
 */
#ifndef MATH_JET_H
#define MATH_JET_H

#include "math/dual.h"

#include <stdbool.h>

typedef struct jet {
    double v;  /* value */
    double d;  /* first derivative */
    double dd; /* second derivative */
} jet;

static inline jet jet_make(double v, double d, double dd)
{
    jet r = {v, d, dd};
    return r;
}

static inline jet jet_const(double v)
{
    return jet_make(v, 0, 0);
}

/* value with first derivative; first with second */
static inline dual jet_low(jet a)
{
    return dual_make(a.v, a.d);
}

static inline dual jet_rate(jet a)
{
    return dual_make(a.d, a.dd);
}

static inline bool jet_is_const(jet a)
{
    return a.d == 0 && a.dd == 0;
}

/* slope x' as a dual; nothing for a constant even where the slope is infinite or undefined */
static inline dual jet_slope(dual slope, jet a)
{
    if (jet_is_const(a))
        return dual_const(0);
    /* 0 times an undefined curvature is 0 where the path has no first derivative */
    return a.d == 0 ? dual_make(0, slope.v * a.dd) : dual_mul(slope, jet_rate(a));
}

static inline jet jet_chain(dual value, dual slope, jet a)
{
    return jet_make(value.v, value.d, jet_slope(slope, a).d);
}

static inline jet jet_neg(jet a)
{
    return jet_make(-a.v, -a.d, -a.dd);
}

static inline jet jet_add(jet a, jet b)
{
    return jet_make(a.v + b.v, a.d + b.d, a.dd + b.dd);
}

static inline jet jet_sub(jet a, jet b)
{
    return jet_make(a.v - b.v, a.d - b.d, a.dd - b.dd);
}

static inline jet jet_mul(jet a, jet b)
{
    dual r = dual_mul(jet_low(a), jet_low(b));
    return jet_make(r.v, r.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd);
}

static inline jet jet_div(jet a, jet b)
{
    dual q = dual_div(jet_low(a), jet_low(b));
    dual rate = dual_div(dual_sub(jet_rate(a), dual_mul(q, jet_rate(b))), jet_low(b));
    return jet_make(q.v, q.d, rate.d);
}

static inline jet jet_mod(jet a, jet b)
{
    dual r = dual_mod(jet_low(a), jet_low(b));
    return jet_make(r.v, r.d, a.dd - (b.dd == 0 ? 0 : floor(a.v / b.v) * b.dd));
}

static inline jet jet_fmod(jet a, jet b)
{
    dual r = dual_fmod(jet_low(a), jet_low(b));
    return jet_make(r.v, r.d, a.dd - (b.dd == 0 ? 0 : trunc(a.v / b.v) * b.dd));
}

/* (a^p)' = p a^(p-1) a' + a^p log a p' */
static inline jet jet_pow(jet a, jet p)
{
    dual value = dual_pow(jet_low(a), jet_low(p)), rate = dual_const(0);
    if (!jet_is_const(a) && (p.v != 0 || !jet_is_const(p))) {
        dual less = dual_pow(jet_low(a), dual_sub(jet_low(p), dual_const(1)));
        rate = jet_slope(dual_mul(jet_low(p), less), a);
    }
    if (!jet_is_const(p) && value.v != 0)
        rate = dual_add(rate, jet_slope(dual_mul(value, dual_log(jet_low(a))), p));
    return jet_make(value.v, value.d, rate.d);
}

static inline jet jet_sqrt(jet a)
{
    dual r = dual_sqrt(jet_low(a));
    return jet_chain(r, dual_div(dual_const(0.5), r), a);
}

static inline jet jet_exp(jet a)
{
    dual r = dual_exp(jet_low(a));
    return jet_chain(r, r, a);
}

static inline jet jet_log(jet a)
{
    return jet_chain(dual_log(jet_low(a)), dual_div(dual_const(1), jet_low(a)), a);
}

static inline jet jet_sin(jet a)
{
    return jet_chain(dual_sin(jet_low(a)), dual_cos(jet_low(a)), a);
}

static inline jet jet_cos(jet a)
{
    return jet_chain(dual_cos(jet_low(a)), dual_neg(dual_sin(jet_low(a))), a);
}

static inline jet jet_tan(jet a)
{
    dual r = dual_tan(jet_low(a));
    return jet_chain(r, dual_add(dual_const(1), dual_mul(r, r)), a);
}

/* 1/sqrt(1 - x^2) */
static inline dual jet_arc_slope(dual x)
{
    dual one = dual_const(1);
    return dual_div(one, dual_sqrt(dual_mul(dual_sub(one, x), dual_add(one, x))));
}

static inline jet jet_asin(jet a)
{
    return jet_chain(dual_asin(jet_low(a)), jet_arc_slope(jet_low(a)), a);
}

static inline jet jet_acos(jet a)
{
    return jet_chain(dual_acos(jet_low(a)), dual_neg(jet_arc_slope(jet_low(a))), a);
}

/* (x y' - y x')/(x^2 + y^2) */
static inline jet jet_atan2(jet y, jet x)
{
    dual r = dual_atan2(jet_low(y), jet_low(x)), u = jet_low(x), w = jet_low(y);
    if (jet_is_const(x) && jet_is_const(y))
        return jet_const(r.v);
    dual top = dual_sub(dual_mul(u, jet_rate(y)), dual_mul(w, jet_rate(x)));
    dual rate = dual_div(top, dual_add(dual_mul(u, u), dual_mul(w, w)));
    return jet_make(r.v, r.d, rate.d);
}

/* whether a is below b, now or, equal now, just after */
static inline bool jet_below(jet a, jet b)
{
    if (a.v != b.v)
        return a.v < b.v;
    return a.d != b.d ? a.d < b.d : a.dd < b.dd;
}

static inline jet jet_abs(jet a)
{
    return jet_below(a, jet_const(0)) ? jet_neg(a) : a;
}

static inline jet jet_max(jet a, jet b)
{
    return jet_below(a, b) ? b : a;
}

static inline jet jet_min(jet a, jet b)
{
    return jet_below(b, a) ? b : a;
}

#endif
