/*
 * The root of a continuous function between two points where its signs differ: secants (the Illinois variant
 * of the false position), halving where they get on slowly.  The caller evaluates:
 *
 *     root r = root_between(a, fa, b, fb);
 *     while (root_width(&r) > width) {
 *         double x = root_next(&r);
 *         root_tell(&r, x, f(x));
 *     }
 */
#ifndef MATH_ROOT_H
#define MATH_ROOT_H

typedef struct root {
    double low, high;     /* f(low) >= 0 > f(high); low may be right of high */
    double f_low, f_high; /* weights of the secant: values, halved where an end stays too long */
    double width;         /* two steps ago */
    int side, count;      /* end that moved last; steps */
} root;

/* fa and fb must have different signs; zero counts as positive. */
root root_between(double a, double fa, double b, double fb);
double root_width(const root *r);
double root_next(const root *r);
void root_tell(root *r, double x, double f);

#endif
