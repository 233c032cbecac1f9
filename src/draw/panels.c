/* Coordinates of a path against time, one panel each, velocities of a system in one, multipliers in the last.
 */
#include "draw/path.h"

#include <math.h>
#include <stdio.h>

/* the multipliers with the largest values, by rising number; returns how many */
static size_t choose_multipliers(const path2d *s, size_t chosen[PATH_MULTIPLIERS])
{
    double value[PATH_MULTIPLIERS];
    size_t count = 0;
    for (size_t a = 0; a < s->m; a++) {
        double largest = 0.0;
        for (size_t k = 0; k < s->path.rows; k++)
            if (fabs(s->path.lambda[k * s->m + a]) < 1e150)
                largest = fmax(largest, s->path.lambda[k * s->m + a]);
        size_t place = count;
        if (count == PATH_MULTIPLIERS) {
            /* the smallest makes room, and those after it move up */
            place = 0;
            for (size_t i = 1; i < count; i++)
                place = value[i] < value[place] ? i : place;
            if (largest <= value[place])
                continue;
            for (; place + 1 < count; place++) {
                chosen[place] = chosen[place + 1];
                value[place] = value[place + 1];
            }
        } else {
            count++;
        }
        chosen[place] = a;
        value[place] = largest;
    }
    return count;
}

static figure_curve curve_of(const path2d *s, char name[24], const char *letter, size_t index,
                             const double *values, size_t stride)
{
    snprintf(name, 24, "%s%zu", letter, index + 1);
    const double *first = values != NULL ? values + index : NULL;
    return (figure_curve){.name = "", .line = {s->path.t, first, s->path.rows, 1, stride}};
}

static figure_plot panel_of(const char *label, const figure_curve *curves, size_t count)
{
    return (figure_plot){
        .title = "", .x.label = "t (s)", .y.label = label, .curves = curves, .curve_count = count};
}

static void remark(path_panels *p, size_t coordinates, size_t multipliers)
{
    int used = 0;
    p->remark[0] = '\0';
    if (coordinates > 0)
        used = snprintf(p->remark, sizeof p->remark, "%zu more %s not shown", coordinates,
                        coordinates == 1 ? "coordinate" : "coordinates");
    if (multipliers > 0)
        snprintf(p->remark + used, sizeof p->remark - (size_t)used, "%s%zu smaller %s not shown",
                 used > 0 ? ", " : "", multipliers, multipliers == 1 ? "multiplier" : "multipliers");
}

/* curves of the same kind in one panel, named in the legend */
static void fill_group(path_panels *p, const path2d *s, size_t first, const char *letter, const size_t *index,
                       size_t count, const double *values, size_t stride)
{
    for (size_t i = 0; i < count; i++) {
        char *name = p->names[first + i];
        p->curves[first + i] = curve_of(s, name, letter, index[i], values, stride);
        p->curves[first + i].name = name;
    }
}

void path_panels_fill(path_panels *p, const path2d *s)
{
    const bool moves = s->path.u != NULL;
    size_t shown = s->n < PATH_PANELS ? s->n : PATH_PANELS, chosen[PATH_MULTIPLIERS], all[PATH_PANELS];
    size_t multipliers = choose_multipliers(s, chosen), velocities = moves ? shown : 0, panels = shown;
    for (size_t i = 0; i < shown; i++) {
        p->curves[i] = curve_of(s, p->names[i], moves ? "q" : "x", i, s->path.x, s->n);
        p->plots[i] = panel_of(p->names[i], &p->curves[i], 1);
        all[i] = i;
    }
    fill_group(p, s, shown, "u", all, velocities, s->path.u, s->n);
    if (velocities > 0)
        p->plots[panels++] = panel_of("velocities", p->curves + shown, velocities);
    fill_group(p, s, shown + velocities, "lambda", chosen, multipliers, s->path.lambda, s->m);
    if (multipliers > 0)
        p->plots[panels++] =
            panel_of(moves ? "impulses" : "multipliers", p->curves + shown + velocities, multipliers);
    remark(p, s->n - shown, s->m - multipliers);
    p->figure = (figure){.plot_count = panels, .plots = p->plots, .shared = true, .remark = p->remark};
}
