/* Round ticks, linear and logarithmic. */
#include "draw/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const int longest_tick = 6;         /* characters that fit between an axis and its title */
static const double largest_value = 1e150; /* differences and products stay finite */

double round_below(double x)
{
    double power = pow(10.0, floor(log10(x)));
    double m = x / power * (1.0 + 1e-12);
    return (m >= 5.0 ? 5.0 : m >= 2.0 ? 2.0 : 1.0) * power;
}

static double round_above(double x)
{
    double below = round_below(x);
    double m = below / pow(10.0, floor(log10(below) + 1e-9));
    return below >= x * (1.0 - 1e-12) ? below : below * (m > 1.5 && m < 3.0 ? 2.5 : 2.0);
}

/* power of ten and decimals of numbers up to this size */
static void choose_digits(axis *a, double size)
{
    int magnitude = (int)floor(log10(size) + 1e-9);
    a->exponent = magnitude >= 4 || magnitude <= -3 ? 3 * (int)floor(magnitude / 3.0) : 0;
    int finest = (int)floor(log10(a->step) + 1e-9) - a->exponent;
    a->decimals = finest < 0 ? -finest : 0;
}

/* characters of the longest tick text */
static int tick_length(const axis *a, double size)
{
    int magnitude = (int)floor(log10(size) + 1e-9) - a->exponent;
    return (a->lo < 0.0) + (magnitude > 0 ? magnitude : 0) + 1 + (a->decimals > 0) + a->decimals;
}

/* chooses power of ten, offset and decimals so that tick texts are short and differ */
static void choose_format(axis *a)
{
    double size = fmax(fabs(a->lo), fabs(a->hi));
    choose_digits(a, size);
    if (a->step < 1e-2 * size && tick_length(a, size) > longest_tick) {
        a->offset = a->first;
        choose_digits(a, a->hi - a->lo);
    }
}

static void place_ticks(axis *a)
{
    a->first = a->step * ceil(a->lo / a->step - 1e-9);
    a->count = 1 + (int)floor((a->hi - a->first) / a->step + 1e-9);
}

axis axis_make(double lo, double hi, int most, bool whole)
{
    if (!(lo <= hi) || fmax(fabs(lo), fabs(hi)) > 1e300) {
        lo = 0.0;
        hi = 1.0;
    }
    double size = fmax(fabs(lo), fabs(hi));
    if (hi - lo <= 1e-12 * size || hi - lo < 1e-280) {
        double pad = size > 1e-270 ? 0.1 * size : 1.0;
        lo -= pad;
        hi += pad;
    }
    axis a = {.lo = lo, .hi = hi};
    a.step = round_above((hi - lo) / most);
    if (whole) {
        a.lo = a.step * floor(lo / a.step + 1e-9);
        a.hi = a.step * ceil(hi / a.step - 1e-9);
    }
    place_ticks(&a);
    /* a range about a round number may hold no second one */
    for (int k = 0; k < 3 && a.count < 2; k++) {
        a.step = round_below(0.99 * a.step);
        place_ticks(&a);
    }
    choose_format(&a);
    return a;
}

/* power of ten of the j-th of ..., 1, 2, 5, 10, 20, ... */
static double fine_level(double j)
{
    static const double level[3] = {0.0, 0.30102999566398119521, 0.69897000433601880479};
    double decade = floor(j / 3.0);
    return decade + level[(int)(j - 3.0 * decade)];
}

axis axis_make_log(double lo, double hi, int most)
{
    bool sound = lo > 0.0 && lo <= hi && hi < 1e300;
    axis a = {.lo = sound ? log10(lo) : 0.0, .hi = sound ? log10(hi) : 1.0, .step = 1.0};
    double lack = 0.7 - (a.hi - a.lo);
    if (lack > 0.0) {
        a.lo -= 0.5 * lack;
        a.hi += 0.5 * lack;
    }
    double decades = floor(a.hi + 1e-9) - ceil(a.lo - 1e-9) + 1.0;
    if (decades >= 2.0) {
        a.kind = AXIS_DECADES;
        a.step = ceil(decades / most);
        a.first = a.step * ceil(a.lo / a.step - 1e-9);
        a.count = 1 + (int)floor((a.hi - a.first) / a.step + 1e-9);
        return a;
    }
    a.kind = AXIS_FINE;
    a.first = 3.0 * floor(a.lo);
    while (fine_level(a.first) < a.lo - 1e-9)
        a.first += 1.0;
    while (fine_level(a.first + a.count) <= a.hi + 1e-9)
        a.count++;
    return a;
}

double axis_at(const axis *a, double value)
{
    if (!(fabs(value) < largest_value) || (a->kind != AXIS_LINEAR && value <= 0.0))
        return (double)NAN;
    double level = a->kind == AXIS_LINEAR ? value : log10(value);
    double s = (level - a->lo) / (a->hi - a->lo);
    return a->down ? 1.0 - s : s;
}

/* of a logarithmic axis: a stroke for every power of ten when not all have ticks, else nine */
static int minors_per_decade(const axis *a)
{
    return a->kind == AXIS_DECADES && a->step > 1.0 ? 1 : 9;
}

int axis_minor_count(const axis *a)
{
    return a->kind == AXIS_LINEAR ? 0 : minors_per_decade(a) * (int)(ceil(a->hi) - floor(a->lo) + 1.0);
}

double axis_minor(const axis *a, int k)
{
    int each = minors_per_decade(a);
    int decade = k / each;
    return (1 + k % each) * pow(10.0, floor(a->lo) + decade);
}

double axis_tick(const axis *a, int k)
{
    if (a->kind == AXIS_FINE)
        return pow(10.0, fine_level(a->first + k));
    if (a->kind == AXIS_DECADES)
        return pow(10.0, a->first + k * a->step);
    double x = a->first + k * a->step;
    return fabs(x) < 1e-9 * a->step ? 0.0 : x;
}

void axis_text(char out[TEXT_SIZE], const axis *a, int k)
{
    char number[64];
    if (a->kind == AXIS_DECADES) {
        text_power(out, (int)(a->first + k * a->step));
        return;
    }
    if (a->kind == AXIS_FINE) {
        text_number(out, axis_tick(a, k), 3);
        return;
    }
    double x = a->offset != 0.0 ? k * a->step : axis_tick(a, k);
    snprintf(number, sizeof number, "%.*f", a->decimals, x / pow(10.0, a->exponent));
    text_minus(out, number);
}

void axis_note(char out[TEXT_SIZE], const axis *a)
{
    char power[TEXT_SIZE] = "", offset[TEXT_SIZE] = "";
    if (a->exponent != 0)
        text_power(power, a->exponent);
    if (fabs(a->offset) >= 1e-3 && fabs(a->offset) < 1e9)
        snprintf(offset, sizeof offset, "%.12g", fabs(a->offset));
    else if (a->offset != 0.0)
        text_number(offset, fabs(a->offset), 12);
    const char *sign = a->offset > 0.0 ? "+ " : a->offset < 0.0 ? TEXT_MINUS " " : "";
    snprintf(out, TEXT_SIZE, "%s%.40s%s%s%.60s", power[0] != '\0' ? TEXT_TIMES : "", power,
             power[0] != '\0' && offset[0] != '\0' ? " " : "", sign, offset);
}

void axis_title(char out[TEXT_SIZE], const axis *a, const char *name, const char *unit)
{
    char power[TEXT_SIZE] = "";
    if (a->exponent != 0)
        text_power(power, a->exponent);
    snprintf(out, TEXT_SIZE, "%.40s (%.40s%s%.20s)", name, power, power[0] != '\0' ? " " : "", unit);
}

void range_add(range *r, double value, bool log)
{
    if (!(fabs(value) < largest_value) || (log && value <= 0.0))
        return;
    r->lo = fmin(r->lo, value);
    r->hi = fmax(r->hi, value);
}

void range_pad(range *r, double share, bool log)
{
    if (!(r->lo <= r->hi))
        return;
    if (log) {
        double factor = pow(r->hi / r->lo, share);
        r->lo /= factor;
        r->hi *= factor;
    } else if (r->hi - r->lo > 1e-12 * fmax(fabs(r->lo), fabs(r->hi))) {
        double pad = share * (r->hi - r->lo);
        r->lo -= pad;
        r->hi += pad;
    }
}

/* ---- order ------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_doubles(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
}
