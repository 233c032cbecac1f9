/* The plots that a scene asked for, from the JSON text of the run file (docs/format.md). */
#ifndef DRAW_PLOTS_H
#define DRAW_PLOTS_H

#include "draw/figure.h"

enum { PLOTS_MOST = 16, PLOTS_CURVES = 32, PLOTS_POINTS = 100000 };

typedef struct plots {
    figure figure;
    struct json_t *root;  /* holds the texts */
    figure_curve *curves; /* of all plots */
    double *numbers;      /* x, y and what else curves have */
} plots;

/* MO_BAD_FILE for anything that is not an array of plots within the limits, with the place as key.  Freed by
   plots_free, also after a failure. */
mo_status plots_parse(const char *text, plots *out, mo_error *err);
void plots_free(plots *p);

#endif
