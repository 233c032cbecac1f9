/*
 * A row of discs as a scene: discs are bodies coloured by their multipliers (the sum over what touches them,
 * a pressure), walls are segments, and what holds them is drawn as force chains are, as wide as the
 * multiplier is large.
 */
#include "draw/path.h"

#include "core/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const scene2d_words words = {"disc", "discs", "\xce\xbb per disc", "m/s", "mean \xce\xbb", "m/s"};
static const double middle[2] = {0.0, 0.0};

static void fill_disc(const path2d *s, const double *x, size_t i, disc_row *out)
{
    double r = s->path.radius[i];
    out->parts[i] = (mo_part){.kind = MO_PART_DISC, .vertex_count = 1, .radius = r};
    out->scene.bodies[i] = (body2d){.q = {x[2 * i], x[2 * i + 1], 0.0},
                                    .area = 3.14159265358979323846 * r * r,
                                    .parts = &out->parts[i],
                                    .part_count = 1,
                                    .vertices = middle,
                                    .vertex_count = 1};
}

static void fill_wall(const path2d *s, size_t i, disc_row *out)
{
    size_t b = s->path.disc_count + i;
    out->parts[b] = (mo_part){.kind = MO_PART_SEGMENT, .vertex_count = 2};
    out->scene.bodies[b] = (body2d){.wall = true,
                                    .parts = &out->parts[b],
                                    .part_count = 1,
                                    .vertices = s->path.walls + 4 * i,
                                    .vertex_count = 2};
    out->values[b] = (double)NAN;
}

/* the point of a wall nearest to a centre */
static void foot(const double wall[4], const double c[2], double out[2])
{
    double d[2] = {wall[2] - wall[0], wall[3] - wall[1]}, length = hypot(d[0], d[1]);
    double s = length > 0.0
                   ? ((c[0] - wall[0]) * (d[0] / length) + (c[1] - wall[1]) * (d[1] / length)) / length
                   : 0.0;
    s = fmin(fmax(s, 0.0), 1.0);
    out[0] = wall[0] + s * d[0];
    out[1] = wall[1] + s * d[1];
}

/* where two discs touch: between their centres, divided as their radii */
static void between(const path2d *s, const double *x, size_t a, size_t b, double out[2])
{
    double share = s->path.radius[a] / (s->path.radius[a] + s->path.radius[b]);
    for (size_t k = 0; k < 2; k++)
        out[k] = x[2 * a + k] + share * (x[2 * b + k] - x[2 * a + k]);
}

/* what holds the discs; pairs of things that are not there are left out */
static void fill_holds(const path2d *s, const double *x, size_t row, disc_row *out)
{
    size_t discs = s->path.disc_count, all = discs + s->path.wall_count;
    for (size_t i = s->path.hold_first[row]; i < s->path.hold_first[row + 1]; i++) {
        size_t a = s->path.hold_pair[2 * i], b = s->path.hold_pair[2 * i + 1];
        double lambda = s->path.hold_lambda[i];
        if (a >= discs || b >= all || a == b)
            continue;
        contact2d *c = &out->scene.contacts[out->scene.contact_count++];
        *c = (contact2d){.a = a, .b = b, .impulse = {lambda, 0.0}};
        if (b < discs)
            between(s, x, a, b, c->point);
        else
            foot(s->path.walls + 4 * (b - discs), x + 2 * a, c->point);
        out->values[a] += lambda;
        if (b < discs)
            out->values[b] += lambda;
    }
}

mo_status disc_row_make(disc_row *out, const path2d *s, size_t row, mo_error *err)
{
    memset(out, 0, sizeof *out);
    if (row >= s->path.rows)
        return fail(err, MO_BAD_INPUT, "frame", "frame %zu of a run with %zu frames", row, s->path.rows);
    size_t discs = s->path.disc_count, bodies = discs + s->path.wall_count;
    size_t holds = s->path.hold_first[row + 1] - s->path.hold_first[row];
    if (discs > s->n / 2)
        return fail(err, MO_BAD_FILE, "discs", "%zu discs in %zu coordinates", discs, s->n);
    const double *x = s->path.x + row * s->n;
    out->scene = (scene2d){.time = s->path.t[row], .h = 1.0, .words = &words};
    out->scene.bodies = calloc(bodies + 1, sizeof *out->scene.bodies);
    out->scene.contacts = calloc(holds + 1, sizeof *out->scene.contacts);
    out->parts = calloc(bodies + 1, sizeof *out->parts);
    out->values = calloc(bodies + 1, sizeof *out->values);
    if (!out->scene.bodies || !out->scene.contacts || !out->parts || !out->values)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu discs", discs);
    out->scene.body_count = bodies;
    out->scene.values = out->values;
    for (size_t i = 0; i < discs; i++)
        fill_disc(s, x, i, out);
    for (size_t i = 0; i < s->path.wall_count; i++)
        fill_wall(s, i, out);
    fill_holds(s, x, row, out);
    return MO_OK;
}

void disc_row_free(disc_row *d)
{
    scene2d_free(&d->scene);
    free(d->parts);
    free(d->values);
    memset(d, 0, sizeof *d);
}
