#include "collide/images.h"

// half the diagonal: nothing of the box is farther from its centre
static double half_diagonal(const bounds *b, size_t dim)
{
    double sum = 0;
    for (size_t k = 0; k < dim; k++)
        sum += (b->max[k] - b->min[k]) * (b->max[k] - b->min[k]);
    return 0.5 * sqrt(sum);
}

static void centre_of(const bounds *b, size_t dim, double out[3])
{
    for (size_t k = 0; k < dim; k++)
        out[k] = 0.5 * (b->min[k] + b->max[k]);
}

static void put_box(image_boxes *out, size_t at, const bounds *from, uint32_t of, const double *move,
                    size_t dim)
{
    bounds *b = &out->box[at];
    *b = *from;
    for (size_t k = 0; k < dim; k++) {
        b->min[k] += move[k];
        b->max[k] += move[k];
    }
    out->of[at] = of;
    for (size_t k = 0; k < 3; k++)
        out->move[at][k] = k < dim ? move[k] : 0;
}

// each box at the place that its centre has in the cell
static double move_inside(const periodic_cell *c, const bounds *boxes, size_t count, image_boxes *out)
{
    double widest = 0;
    for (size_t i = 0; i < count; i++) {
        double centre[3], s[3];
        centre_of(&boxes[i], c->dim, centre);
        cell_inside(c, centre, s);
        for (size_t k = 0; k < c->dim; k++)
            s[k] = -s[k];
        put_box(out, i, &boxes[i], (uint32_t)i, s, c->dim);
        widest = fmax(widest, half_diagonal(&boxes[i], c->dim));
    }
    return widest;
}

/* ways k > 0 to neighbouring cells: at most 13 of 26 */
typedef struct neighbour_cells {
    int k[13][3];
    int count;
} neighbour_cells;

static neighbour_cells cells_beside(const periodic_cell *c)
{
    neighbour_cells out = {.count = 0};
    for (int code = 14; code < 27; code++) {
        const int k[3] = {code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1};
        bool there = true;
        for (size_t i = 0; i < 3; i++)
            there &= k[i] == 0 || (i < c->dim && c->along[i]);
        for (int i = 0; there && i < 3; i++)
            out.k[out.count][i] = k[i];
        out.count += there;
    }
    return out;
}

// whether the image k of a box, with its centre at f in units of the edges, comes within `near` of the cell
static bool comes_near(const periodic_cell *c, const double f[3], const int k[3], double near)
{
    bool comes = true;
    for (size_t i = 0; i < c->dim; i++) {
        double outside = k[i] > 0 ? f[i] : k[i] < 0 ? 1 - f[i] : 0;
        comes &= outside * c->width[i] <= near;
    }
    return comes;
}

// images of all boxes to `out` from out->count on; with out->box NULL they are counted only
static void add_images(const periodic_cell *c, const neighbour_cells *beside, double widest, image_boxes *out,
                       bool counting)
{
    for (size_t i = 0; i < out->own; i++) {
        const bounds own = out->box[i];
        double centre[3], f[3];
        centre_of(&own, c->dim, centre);
        for (size_t k = 0; k < c->dim; k++)
            centre[k] -= c->origin[k];
        cell_apply(c->inverse, centre, c->dim, f);
        // boxes are as wide along an edge as their halves together; rounding may put a centre on the face
        const double near = (half_diagonal(&own, c->dim) + widest) * (1 + 1e-9);
        for (int n = 0; n < beside->count; n++) {
            const double k[3] = {beside->k[n][0], beside->k[n][1], beside->k[n][2]};
            double s[3], move[3] = {0};
            if (!comes_near(c, f, beside->k[n], near))
                continue;
            if (!counting) {
                cell_apply(c->H, k, c->dim, s);
                put_box(out, out->count, &own, out->of[i], s, c->dim);
                for (size_t e = 0; e < c->dim; e++)
                    move[e] = out->move[i][e] + s[e];
                for (size_t e = 0; e < 3; e++)
                    out->move[out->count][e] = move[e];
            }
            out->count++;
        }
    }
}

bool images_make(const periodic_cell *c, const bounds *boxes, size_t count, arena *a, image_boxes *out)
{
    const neighbour_cells beside = cells_beside(c);
    arena_mark mark = arena_here(a);
    // counted with the boxes in place first
    *out = (image_boxes){arena_push(a, count, sizeof *out->box), arena_push(a, count, sizeof *out->of),
                         arena_push(a, count, sizeof *out->move), count, count};
    if (out->box == NULL || out->of == NULL || out->move == NULL)
        return false;
    const double widest = move_inside(c, boxes, count, out);
    add_images(c, &beside, widest, out, true);
    const size_t all = out->count;
    arena_back(a, mark);
    *out = (image_boxes){arena_push(a, all, sizeof *out->box), arena_push(a, all, sizeof *out->of),
                         arena_push(a, all, sizeof *out->move), count, count};
    if (out->box == NULL || out->of == NULL || out->move == NULL)
        return false;
    move_inside(c, boxes, count, out);
    add_images(c, &beside, widest, out, false);
    return true;
}
