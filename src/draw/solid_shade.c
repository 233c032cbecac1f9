/*
 * Each pixel is the mean of samples; a piece is lit once per pixel that shows it, and lines are found sample
 * by sample: where the piece beside a sample belongs to another body or meets it in an edge, the nearer of
 * the two is dark.
 */
#include "draw/solid_shade.h"

#include "draw/solid_light.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rgb ground_color = {0.925, 0.925, 0.93}, grid_color = {0.80, 0.80, 0.815},
                 border_color = {0.58, 0.585, 0.60};
static const double smooth = 0.975;    /* cosine of 13 degrees: below it faces meet in an edge */
static const double sharp = 0.766;     /* cosine of 40 degrees: from here on its line is full */
static const double see_through = 0.3; /* of a wall before a body */
static const double chain_reach = 2.0; /* median radii: how deep chains shine through */
static const double mark_depth = 0.2;  /* how much darker marks of round parts are */

enum { rows_per_band = 48 };

/* What is kept while an image is made. */
typedef struct shader {
    const stage *stage;
    camera camera; /* paper: samples */
    int samples;   /* per pixel along each side */
    int line;      /* samples, width of lines */
    light light;
    facet_place *places[LAYERS];
    band bands[LAYERS];
} shader;

/* Colour of a piece in the pixel at hand. */
typedef struct lit {
    uint32_t facet;
    rgb color;
} lit;

static double paper_x(const shader *s, int x)
{
    return (x + 0.5 - s->camera.left) / s->camera.scale;
}

static double paper_y(const shader *s, int y)
{
    return (s->camera.top - (y + 0.5)) / s->camera.scale;
}

/* ---- colours of surfaces ------------------------------------------------------------------------------ */

/* the point of a flat piece behind a point of the picture plane */
static void point_of_plane(const shader *s, const double p[3], const double n[3], double X, double Y,
                           double out[3])
{
    ray r = camera_ray(&s->camera, X, Y);
    double m[3];
    vec3_sub(p, r.origin, m);
    vec3_add_scaled(r.origin, vec3_dot(m, n) / vec3_dot(r.direction, n), r.direction, out);
}

/* how much of a line of the grid lies in a pixel at u, which changes by `step` from pixel to pixel */
static double grid_line(double u, double step, double spacing, double width)
{
    if (!(step > 0.0) || !isfinite(step))
        return 0.0;
    double distance = fabs(u - spacing * round(u / spacing)) / step;
    double cover = fmin(fmax(0.5 + 0.5 * width - distance, 0.0), fmin(width, 1.0));
    /* lines that would run together fade away */
    return cover * fmin(fmax(0.25 * spacing / step - 0.5, 0.0), 1.0);
}

static rgb ground(const shader *s, const facet *f, const double view[3], int x, int y)
{
    double n[3], p[3], at[3][3], axis[2][3], cover = 0.0, X = paper_x(s, x), Y = paper_y(s, y);
    double pixel = s->samples / s->camera.scale;
    if (!(s->stage->grid > 0.0))
        return ground_color;
    camera_turn(&s->camera, f->normal, n);
    camera_see(&s->camera, f->p[0], p);
    /* the point itself and those in the next pixels */
    vec3_copy(view, at[0]);
    point_of_plane(s, p, n, X + pixel, Y, at[1]);
    point_of_plane(s, p, n, X, Y + pixel, at[2]);
    for (int i = 0; i < 3; i++)
        camera_unsee(&s->camera, at[i], at[i]);
    camera_plane_axes(f->normal, s->stage->vertical, axis[0], axis[1]);
    for (int k = 0; k < 2; k++) {
        double u = vec3_dot(at[0], axis[k]);
        double step = hypot(vec3_dot(at[1], axis[k]) - u, vec3_dot(at[2], axis[k]) - u);
        cover = fmax(cover, grid_line(u, step, s->stage->grid, s->stage->unit));
    }
    return rgb_mix(ground_color, grid_color, cover);
}

static rgb surface_color(const shader *s, int layer, const facet *f, const double view[3], int x, int y)
{
    if (f->finish == FINISH_GROUND)
        return ground(s, f, view, x, y);
    if (layer == LAYER_CHAINS)
        return (rgb){0.60, 0.08, 0.17};
    return s->stage->color[f->body];
}

/* how much of the mark of a round piece lies in a pixel, 0 to 1: every other eighth between the planes across
   the axes through the middle of its part is dark, so that turning about any axis is seen; marks of parts of
   a few pixels fade away */
static double round_mark_at(const shader *s, const facet *f, const double view[3])
{
    const camera *c = &s->camera;
    const double beside[3] = {view[0] + f->radius / c->size, view[1], view[2]};
    double axis[3], turn[3], middle[3], from[3], at[2], end[2], cover = 1.0;
    camera_project(c, view, at);
    camera_project(c, beside, end);
    double radius = (end[0] - at[0]) * c->scale / s->samples; /* pixels */
    camera_see(c, f->middle, middle);
    vec3_sub(view, middle, from);
    for (int k = 0; k < 3; k++) {
        if (k < 2)
            vec3_copy(f->axis[k], axis);
        else
            vec3_cross(f->axis[0], f->axis[1], axis);
        camera_turn(c, axis, turn);
        /* pixels from the plane, on a part seen from straight ahead */
        cover *= fmin(fmax(radius * c->size / f->radius * vec3_dot(turn, from), -1.0), 1.0);
    }
    return (0.5 + 0.5 * cover) * fmin(fmax(0.25 * radius - 0.5, 0.0), 1.0);
}

static rgb light_facet(const shader *s, int layer, uint32_t number, int x, int y, float nearness)
{
    const facet *f = &s->stage->layers[layer].items[number];
    double view[3], normal[3];
    if (f->finish == FINISH_LINE)
        return border_color;
    camera_point(&s->camera, paper_x(s, x), paper_y(s, y), (double)nearness, view);
    raster_normal(&s->camera, f, view, normal);
    rgb c = surface_color(s, layer, f, view, x, y);
    double b = light_on(&s->light, view, normal);
    /* planes and walls are not what the picture is about */
    if (f->finish == FINISH_GROUND || layer == LAYER_WALLS)
        b = 0.5 + 0.5 * b;
    if (f->marked && !s->stage->deep_chains)
        b *= 1.0 - mark_depth * round_mark_at(s, f, view);
    return (rgb){fmin(c.r * b, 1.0), fmin(c.g * b, 1.0), fmin(c.b * b, 1.0)};
}

/* ---- lines -------------------------------------------------------------------------------------------- */

/* how strong the line is where two flat pieces of a body meet in an edge, or one hides a part of the other,
   from 0 to 1: a surface of many flat pieces shows its folds, not scratches where one of them is just sharp
   enough */
static double flat_edge(const shader *s, const facet *f, const facet *g, float here, float there)
{
    /* a jump of depth by more than some samples */
    double jump = camera_depth(&s->camera, (double)here) - camera_depth(&s->camera, (double)there);
    double slope[3];
    camera_turn(&s->camera, f->normal, slope);
    if (fabs(jump) * fabs(slope[2]) > 6.0 * s->line / s->camera.scale)
        return 1.0;
    return fmin(fmax((smooth - fabs(vec3_dot(f->normal, g->normal))) / (smooth - sharp), 0.0), 1.0);
}

static double line_between(const shader *s, int layer, const band *b, size_t at, size_t beside)
{
    const facet *items = s->stage->layers[layer].items;
    uint32_t here = b->facet[at], there = b->facet[beside];
    if (here == there || b->nearness[at] < b->nearness[beside])
        return 0.0;
    if (there == facet_none)
        return 1.0;
    const facet *f = &items[here], *g = &items[there];
    if (f->body == g->body && f->finish == g->finish && f->surface == g->surface)
        return 0.0;
    if (f->body != g->body || f->kind != FACET_TRIANGLE || g->kind != FACET_TRIANGLE)
        return f->finish != FINISH_LINE && g->finish != FINISH_LINE ? 1.0 : 0.0;
    return flat_edge(s, f, g, b->nearness[at], b->nearness[beside]);
}

/* how strong a line a sample lies on, 0 to 1 */
static double line_at(const shader *s, int layer, const band *b, int x, int y)
{
    size_t at = (size_t)y * (size_t)b->width + (size_t)x, row = (size_t)s->line * (size_t)b->width;
    size_t d = (size_t)s->line;
    double most = 0.0;
    if (x >= s->line)
        most = fmax(most, line_between(s, layer, b, at, at - d));
    if (x + s->line < b->width)
        most = fmax(most, line_between(s, layer, b, at, at + d));
    /* the band has so many rows beyond its own */
    most = fmax(most, line_between(s, layer, b, at, at - row));
    return fmax(most, line_between(s, layer, b, at, at + row));
}

/* ---- samples ------------------------------------------------------------------------------------------ */

/* colour of a layer at a sample of the band; false where it has nothing */
static bool layer_sample(const shader *s, int layer, int x, int y, lit *cache, rgb *out)
{
    const band *b = &s->bands[layer];
    size_t at = (size_t)y * (size_t)b->width + (size_t)x;
    uint32_t number = b->facet[at];
    if (number == facet_none)
        return false;
    if (cache->facet != number)
        *cache = (lit){number, light_facet(s, layer, number, x, y + b->first_row, b->nearness[at])};
    *out = cache->color;
    const facet *f = &s->stage->layers[layer].items[number];
    double ink = layer == LAYER_CHAINS ? 0.15 : (double)s->stage->ink[f->body];
    if (f->finish != FINISH_LINE && ink > 0.0)
        *out = rgb_mix(*out, rgb_ink, ink * line_at(s, layer, b, x, y));
    return true;
}

/* how much of a chain is seen through what lies before it */
static double chain_strength(const shader *s, size_t at, bool covered)
{
    const band *over = &s->bands[LAYER_BODIES], *chain = &s->bands[LAYER_CHAINS];
    if (!covered || over->nearness[at] <= chain->nearness[at] || s->stage->deep_chains)
        return 1.0;
    double depth = camera_depth(&s->camera, (double)over->nearness[at]) -
                   camera_depth(&s->camera, (double)chain->nearness[at]);
    double reach = chain_reach * s->stage->radius / s->camera.size;
    return reach > 0.0 ? 0.85 * exp(-depth / reach) : 0.85;
}

static rgb sample_color(const shader *s, int x, int y, lit cache[LAYERS])
{
    rgb out = rgb_white, c;
    size_t at = (size_t)y * (size_t)s->bands[LAYER_BODIES].width + (size_t)x;
    const band *bodies = &s->bands[LAYER_BODIES], *walls = &s->bands[LAYER_WALLS];
    bool covered = layer_sample(s, LAYER_BODIES, x, y, &cache[LAYER_BODIES], &out);
    bool behind = s->places[LAYER_WALLS] != NULL && walls->nearness[at] > bodies->nearness[at];
    if (behind && layer_sample(s, LAYER_WALLS, x, y, &cache[LAYER_WALLS], &c)) {
        bool body = covered && s->stage->layers[LAYER_BODIES].items[bodies->facet[at]].finish == FINISH_BODY;
        out = rgb_mix(out, c, body ? see_through : 1.0);
    }
    if (s->places[LAYER_CHAINS] != NULL && layer_sample(s, LAYER_CHAINS, x, y, &cache[LAYER_CHAINS], &c))
        out = rgb_mix(out, c, chain_strength(s, at, covered));
    return out;
}

static uint32_t pixel_color(const shader *s, int x, int y)
{
    int n = s->samples;
    double sum[3] = {0.0, 0.0, 0.0}, share = 255.0 / (n * n);
    lit cache[LAYERS];
    for (int k = 0; k < LAYERS; k++)
        cache[k] = (lit){.facet = facet_none};
    /* from the middle on, where a piece is lit */
    for (int k = 0; k < n * n; k++) {
        int i = (k + n * n / 2) % (n * n);
        rgb c = sample_color(s, n * x + i % n, s->line + n * y + i / n, cache);
        vec3_set(sum, sum[0] + c.r, sum[1] + c.g, sum[2] + c.b);
    }
    return (uint32_t)lround(share * sum[0]) << 16 | (uint32_t)lround(share * sum[1]) << 8 |
           (uint32_t)lround(share * sum[2]);
}

/* ---- the image ---------------------------------------------------------------------------------------- */

static void render_band(shader *s, int first, int rows, int width, unsigned char *pixels, size_t stride)
{
    for (int k = 0; k < LAYERS; k++) {
        if (s->places[k] == NULL)
            continue;
        band_clear(&s->bands[k], s->samples * first - s->line);
        raster_draw(&s->camera, &s->stage->layers[k], s->places[k], &s->bands[k]);
    }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++) {
            uint32_t pixel = pixel_color(s, x, y);
            memcpy(pixels + (size_t)(first + y) * stride + 4 * (size_t)x, &pixel, sizeof pixel);
        }
}

/* layers without pieces have neither places nor a band, except the first */
static bool prepare(shader *s, const stage *g, int width)
{
    s->stage = g;
    s->samples = width <= 2400 ? 3 : 2;
    s->camera = g->camera;
    s->camera.left *= s->samples;
    s->camera.top *= s->samples;
    s->camera.scale *= s->samples;
    s->line = (int)fmax(1.0, round(0.7 * g->unit * s->samples));
    int height = s->samples * rows_per_band + 2 * s->line;
    for (int k = 0; k < LAYERS; k++) {
        if (k > 0 && g->layers[k].count == 0)
            continue;
        s->places[k] = raster_places(&s->camera, &g->layers[k]);
        if (s->places[k] == NULL || !band_create(&s->bands[k], s->samples * width, height))
            return false;
    }
    return light_create(&s->light, &s->camera, g->vertical, &g->around, &g->layers[LAYER_BODIES], width);
}

bool stage_render(const stage *g, int width, int height, unsigned char *pixels, size_t stride)
{
    shader s = {0};
    bool ok = prepare(&s, g, width);
    for (int first = 0; ok && first < height; first += rows_per_band)
        render_band(&s, first, first + rows_per_band < height ? rows_per_band : height - first, width, pixels,
                    stride);
    light_free(&s.light);
    for (int k = 0; k < LAYERS; k++) {
        free(s.places[k]);
        band_free(&s.bands[k]);
    }
    return ok;
}
