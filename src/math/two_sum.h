/*
 * Differences with what rounding took from them (Knuth's two-sum).
 */
#ifndef MATH_TWO_SUM_H
#define MATH_TWO_SUM_H

/* a - b; exactly it is the result plus *lost */
static inline double two_difference(double a, double b, double *lost)
{
    double d = a - b, back = d - a;
    *lost = (a - (d - back)) - (b + back);
    return d;
}

#endif
