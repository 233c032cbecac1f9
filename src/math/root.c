/* Roots by secants and halving. */
#include "math/root.h"

#include <math.h>

root root_between(double a, double fa, double b, double fb)
{
    root r = {.low = a, .f_low = fa, .high = b, .f_high = fb};
    if (fa < 0)
        r = (root){.low = b, .f_low = fb, .high = a, .f_high = fa};
    r.width = HUGE_VAL;
    return r;
}

double root_width(const root *r)
{
    return fabs(r->high - r->low);
}

double root_next(const root *r)
{
    double middle = r->low + 0.5 * (r->high - r->low);
    // three steps that did not halve the bracket twice: halve it
    if (r->count % 3 == 2 && root_width(r) > 0.25 * r->width)
        return middle;
    double x = r->low + (r->high - r->low) * (r->f_low / (r->f_low - r->f_high));
    double left = fmin(r->low, r->high), right = fmax(r->low, r->high);
    return x > left && x < right ? x : middle;
}

void root_tell(root *r, double x, double f)
{
    if (r->count % 3 == 0)
        r->width = root_width(r);
    r->count++;
    if (f >= 0) {
        r->low = x;
        r->f_low = f;
        r->f_high *= r->side == 1 ? 0.5 : 1;
        r->side = 1;
    } else {
        r->high = x;
        r->f_high = f;
        r->f_low *= r->side == -1 ? 0.5 : 1;
        r->side = -1;
    }
}
