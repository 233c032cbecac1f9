/* Colours of bodies. */
#include "draw/tint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tint_create(tint *t, draw_color color, bool chains, size_t body_count, size_t group_count)
{
    *t = (tint){.color = color, .lightening = chains ? picture_lightening : 0.0, .group_count = group_count};
    t->map = color == DRAW_BY_STRESS ? PALETTE_STRESS : PALETTE_SPEED;
    t->value = malloc((body_count + 1) * sizeof *t->value);
    t->group_order = malloc((group_count + 1) * sizeof *t->group_order);
    for (size_t g = 0; g < group_count && t->group_order != NULL; g++)
        t->group_order[g] = SIZE_MAX;
    return t->value != NULL && t->group_order != NULL;
}

void tint_free(tint *t)
{
    free(t->value);
    free(t->group_order);
    memset(t, 0, sizeof *t);
}

void tint_scale(tint *t, size_t body_count, double least, double *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < body_count; i++)
        if (fabs(t->value[i]) < 1e150)
            scratch[count++] = t->value[i];
    sort_doubles(scratch, count);
    double lo = count > 0 ? scratch[count / 100] : 0.0;
    double hi = count > 0 ? scratch[count - 1 - count / 100] : 0.0;
    hi = fmax(hi, least < 1e150 ? least : 0.0);
    lo = lo < -0.05 * hi ? lo : 0.0;
    if (!(hi - lo >= 1e-280))
        hi = lo + 1.0;
    t->scale = axis_make(lo, hi, 4, true);
    t->over = count > 0 && scratch[count - 1] > t->scale.hi * (1.0 + 1e-9);
}

void tint_show(tint *t, size_t group)
{
    if (group < t->group_count)
        t->group_order[group] = 0;
}

void tint_order(tint *t)
{
    for (size_t g = 0; g < t->group_count; g++)
        if (t->group_order[g] == 0)
            t->group_order[g] = t->groups_shown++;
}

rgb tint_of_group(const tint *t, size_t group)
{
    rgb color = palette_category(group < t->group_count ? t->group_order[group] : 0);
    return rgb_mix(color, rgb_white, t->lightening);
}

rgb tint_of_body(const tint *t, size_t body, size_t group)
{
    if (t->color == DRAW_BY_GROUP)
        return tint_of_group(t, group);
    rgb color = palette_sequential(t->map, (t->value[body] - t->scale.lo) / (t->scale.hi - t->scale.lo));
    return rgb_mix(color, rgb_white, t->lightening);
}

double mean_impulse(const double *first, size_t count, size_t stride)
{
    double sum = 0.0, positive = 0.0;
    for (size_t i = 0; i < count; i++) {
        double s = first[i * stride];
        if (s > 0.0 && isfinite(s)) {
            sum += s;
            positive += 1.0;
        }
    }
    return positive > 0.0 && isfinite(sum) ? sum / positive : 0.0;
}

double chain_breadth(double radius, double impulse, double mean)
{
    if (!(mean > 0.0) || !(impulse > 0.0))
        return 0.0;
    return fmin(0.16 * radius * (impulse / mean), 0.75 * radius);
}
