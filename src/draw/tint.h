/* How bodies are coloured: by a value over a scale, or by their group. */
#ifndef DRAW_TINT_H
#define DRAW_TINT_H

#include "draw/axis.h"
#include "draw/draw.h"
#include "draw/palette.h"

typedef struct tint {
    draw_color color;
    palette_map map;
    double lightening;   /* [0, 1], towards white */
    double *value;       /* [body_count] what colours the bodies, NaN for none */
    axis scale;          /* of value, for the colour bar */
    bool over;           /* some values lie above the scale */
    size_t *group_order; /* [group_count] place in the legend, SIZE_MAX for groups that are not shown */
    size_t group_count, groups_shown;
} tint;

static const rgb chain_color = {0.52, 0.08, 0.16};
static const double picture_lightening = 0.35; /* towards white, of bodies under force chains */

/* Arrays for so many bodies and groups, none of them shown; freed by tint_free, also after a failure. */
bool tint_create(tint *t, draw_color color, bool chains, size_t body_count, size_t group_count);
void tint_free(tint *t);

/*
 * The scale of the values of [body_count] bodies: ends at the 99 % quantile, at `least` at the least, below
 * which values are nothing but rounding; begins at 0 unless there is much below.  scratch: [body_count].
 */
void tint_scale(tint *t, size_t body_count, double least, double *scratch);
/* A group is shown. */
void tint_show(tint *t, size_t group);
/* Numbers the groups shown in the run's order. */
void tint_order(tint *t);

rgb tint_of_group(const tint *t, size_t group);
rgb tint_of_body(const tint *t, size_t body, size_t group);

/* Mean of the positive ones among [count] impulses, so many numbers apart; 0 when there are none. */
double mean_impulse(const double *first, size_t count, size_t stride);

/* Breadth of the line of a contact, in the unit of the bodies' median radius. */
double chain_breadth(double radius, double impulse, double mean);

#endif
