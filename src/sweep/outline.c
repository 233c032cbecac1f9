/*
 * Borders by marching squares: on a grid the smallest gap says inside or outside, every edge of the grid with
 * one end inside and the other outside is crossed once, at a point found by halving (helped by secants), and
 * the crossings of a cell are joined.  Lines between crossings that miss the border by more than a hundredth
 * of a cell, at corners and where it bends strongly, get a point of the border in their middle.  What is not
 * a number is outside.
 */
#include "sweep/outline.h"

#include "core/buffer.h"
#include "core/fail.h"
#include "sweep/internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    CELLS = 192,
    NODES = CELLS + 1,
    EDGES = 2 * NODES * NODES, /* numbers of edges: along the first axis, then along the second */
    REFINE = 6,                /* halvings of a line between two crossings */
};

static const uint32_t NO_EDGE = UINT32_MAX;

/* A function of the plane, >= 0 inside. */
typedef struct picture {
    moving *m;
    bool cavity; /* the first coordinate is time */
    double t;
    double lo[2], step[2];
    double *gaps; /* [gap_count] */
    double inside_tol;
    double *value;         /* [NODES NODES] */
    double (*crossing)[2]; /* [EDGES] */
    uint32_t (*link)[2];   /* [EDGES] crossings that follow */
    double *points;        /* of a line */
    size_t point_count, point_capacity;
    outline_emit emit;
    void *data;
    mo_error *err;
} picture;

/* ---- inside or outside ---------------------------------------------------------------------------- */

static mo_status smallest_gap(picture *p, const double *x, double *value)
{
    moving *m = p->m;
    if (m->by_prox) {
        double y[2], distance = 0;
        mo_status status = moving_project(m, x, NULL, y, p->err);
        for (size_t j = 0; j < m->n; j++)
            distance = hypot(distance, x[j] - y[j]);
        *value = status == MO_OK && distance <= p->inside_tol ? 1 : -1;
        return status;
    }
    mo_status status = moving_gaps(m, x, p->gaps, p->err);
    *value = HUGE_VAL;
    for (size_t i = 0; i < m->gap_count && status == MO_OK; i++)
        *value = p->gaps[i] >= *value ? *value : p->gaps[i];
    return status;
}

/* value at a point of the picture; -1 where there is no set */
static mo_status look(picture *p, const double at[2], double *value)
{
    mo_status status = moving_set_time(p->m, p->cavity ? at[0] : p->t, false, p->err);
    if (status == MO_OK)
        status = smallest_gap(p, p->cavity ? at + 1 : at, value);
    if (status == STEP_NOT_MADE || (status == MO_OK && isnan(*value))) {
        *value = -1;
        status = MO_OK;
    }
    return status;
}

static void node_place(const picture *p, size_t i, size_t j, double at[2])
{
    at[0] = p->lo[0] + (double)i * p->step[0];
    at[1] = p->lo[1] + (double)j * p->step[1];
}

static mo_status look_at_nodes(picture *p)
{
    mo_status status = MO_OK;
    // all of one time before the next
    for (size_t i = 0; i < NODES && status == MO_OK; i++)
        for (size_t j = 0; j < NODES && status == MO_OK; j++) {
            double at[2];
            node_place(p, i, j, at);
            status = look(p, at, &p->value[i * NODES + j]);
        }
    return status;
}

/* ---- crossings ------------------------------------------------------------------------------------ */

/* out := where the border crosses the way from a (value va) to b (value vb), one of them inside; the end on
 * the inner side of the last bracket */
static mo_status find_crossing(picture *p, const double a[2], double va, const double b[2], double vb,
                               double out[2])
{
    double low = 0, high = 1; // parts of the way; the signs of va and vb stay different
    const bool a_inside = va >= 0;
    double width = 2;
    while (high - low > 1e-12) {
        // secants near the ends of the bracket are made to step over the border; one that does not help is
        // made up for
        double s = low + (high - low) / 2;
        const bool helped = high - low <= width / 2;
        width = high - low;
        if (helped && isfinite(va) && isfinite(vb))
            s = fmin(high - 4e-13, fmax(low + 4e-13, low + (high - low) * (va / (va - vb))));
        const double at[2] = {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])};
        double v;
        mo_status status = look(p, at, &v);
        if (status != MO_OK)
            return status;
        if ((v >= 0) == a_inside) {
            low = s;
            va = v;
        } else {
            high = s;
            vb = v;
        }
    }
    const double s = a_inside ? low : high;
    for (size_t i = 0; i < 2; i++)
        out[i] = a[i] + s * (b[i] - a[i]);
    return MO_OK;
}

/* edge from node (i, j) along an axis */
static uint32_t edge_number(size_t axis, size_t i, size_t j)
{
    return (uint32_t)((axis * NODES + i) * NODES + j);
}

static mo_status cross_edge(picture *p, size_t axis, size_t i, size_t j)
{
    const size_t k = axis == 0 ? i + 1 : i, l = axis == 1 ? j + 1 : j;
    const double va = p->value[i * NODES + j], vb = p->value[k * NODES + l];
    if ((va >= 0) == (vb >= 0))
        return MO_OK;
    double a[2], b[2];
    node_place(p, i, j, a);
    node_place(p, k, l, b);
    return find_crossing(p, a, va, b, vb, p->crossing[edge_number(axis, i, j)]);
}

static mo_status cross_edges(picture *p)
{
    mo_status status = MO_OK;
    for (size_t i = 0; i < NODES && status == MO_OK; i++)
        for (size_t j = 0; j < NODES && status == MO_OK; j++) {
            if (i < CELLS)
                status = cross_edge(p, 0, i, j);
            if (status == MO_OK && j < CELLS)
                status = cross_edge(p, 1, i, j);
        }
    return status;
}

/* ---- joining -------------------------------------------------------------------------------------- */

static void join(picture *p, uint32_t a, uint32_t b)
{
    p->link[a][p->link[a][0] == NO_EDGE ? 0 : 1] = b;
    p->link[b][p->link[b][0] == NO_EDGE ? 0 : 1] = a;
}

/* the crossings of one cell in pairs; of four the middle of the cell says which belong together */
static mo_status join_cell(picture *p, size_t i, size_t j)
{
    // around the cell from (i, j), and the node at the beginning of each side
    const uint32_t side[4] = {edge_number(0, i, j), edge_number(1, i + 1, j), edge_number(0, i, j + 1),
                              edge_number(1, i, j)};
    const bool in[4] = {p->value[i * NODES + j] >= 0, p->value[(i + 1) * NODES + j] >= 0,
                        p->value[(i + 1) * NODES + j + 1] >= 0, p->value[i * NODES + j + 1] >= 0};
    uint32_t crossed[4];
    size_t count = 0;
    for (size_t k = 0; k < 4; k++)
        if (in[k] != in[(k + 1) % 4])
            crossed[count++] = side[k];
    if (count == 2)
        join(p, crossed[0], crossed[1]);
    if (count < 4)
        return MO_OK;
    double at[2], middle;
    node_place(p, i, j, at);
    at[0] += p->step[0] / 2;
    at[1] += p->step[1] / 2;
    mo_status status = look(p, at, &middle);
    if (status != MO_OK)
        return status;
    // the corners (i, j) and opposite are cut off when the middle is unlike them
    const bool alone = in[0] != (middle >= 0);
    join(p, crossed[0], crossed[alone ? 3 : 1]);
    join(p, crossed[2], crossed[alone ? 1 : 3]);
    return MO_OK;
}

/* ---- lines ---------------------------------------------------------------------------------------- */

static mo_status add_point(picture *p, const double at[2])
{
    void *points = p->points;
    const column c = {&points, 2 * sizeof(double)};
    if (!columns_reserve(&c, 1, &p->point_capacity, p->point_count + 1))
        return fail(p->err, MO_NO_MEMORY, NULL, "no memory for the border of a set");
    p->points = points;
    p->points[2 * p->point_count] = at[0];
    p->points[2 * p->point_count + 1] = at[1];
    p->point_count++;
    return MO_OK;
}

/* the point of the border across the middle of a line, in units of cells; *found false: it is near, or not
 * there */
static mo_status bend(picture *p, const double a[2], const double b[2], double out[2], bool *found)
{
    const double u = (b[0] - a[0]) / p->step[0], v = (b[1] - a[1]) / p->step[1], length = hypot(u, v);
    const double middle[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2};
    double value, end_value = 0;
    *found = false;
    if (!(length > 0.02))
        return MO_OK;
    mo_status status = look(p, middle, &value);
    for (int sign = -1; sign <= 1 && status == MO_OK && !*found; sign += 2) {
        // as far to the side as the line is long: a corner with a right angle is half as far
        const double end[2] = {middle[0] - sign * v * p->step[0], middle[1] + sign * u * p->step[1]};
        status = look(p, end, &end_value);
        if (status != MO_OK || (value >= 0) == (end_value >= 0))
            continue;
        status = find_crossing(p, middle, value, end, end_value, out);
        *found = hypot((out[0] - middle[0]) / p->step[0], (out[1] - middle[1]) / p->step[1]) > 0.01;
        break;
    }
    return status;
}

/* the points of a line after its first one */
static mo_status add_line(picture *p, const double a[2], const double b[2], int depth)
{
    double middle[2] = {0, 0};
    bool bent = false;
    mo_status status = depth < REFINE ? bend(p, a, b, middle, &bent) : MO_OK;
    if (status == MO_OK && bent)
        status = add_line(p, a, middle, depth + 1);
    if (status != MO_OK)
        return status;
    return bent ? add_line(p, middle, b, depth + 1) : add_point(p, b);
}

/* one line from crossing `first` on; its links are used up */
static mo_status trace(picture *p, uint32_t first)
{
    uint32_t before = NO_EDGE, here = first;
    p->point_count = 0;
    mo_status status = add_point(p, p->crossing[first]);
    while (status == MO_OK) {
        uint32_t *link = p->link[here];
        const uint32_t next = link[0] != NO_EDGE && link[0] != before ? link[0] : link[1];
        link[0] = link[1] = NO_EDGE;
        if (next == NO_EDGE || next == before)
            break;
        status = add_line(p, p->crossing[here], p->crossing[next], 0);
        before = here;
        here = next;
        if (next == first)
            break;
    }
    return status == MO_OK && p->point_count > 1 ? p->emit(p->data, p->points, p->point_count, p->err)
                                                 : status;
}

/* lines that end at the frame first, then closed ones; both by the number of their first crossing */
static mo_status trace_all(picture *p)
{
    mo_status status = MO_OK;
    for (uint32_t e = 0; e < EDGES && status == MO_OK; e++)
        if (p->link[e][0] != NO_EDGE && p->link[e][1] == NO_EDGE)
            status = trace(p, e);
    for (uint32_t e = 0; e < EDGES && status == MO_OK; e++)
        if (p->link[e][0] != NO_EDGE)
            status = trace(p, e);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------------ */

static mo_status draw(picture *p)
{
    for (size_t e = 0; e < EDGES; e++)
        p->link[e][0] = p->link[e][1] = NO_EDGE;
    mo_status status = look_at_nodes(p);
    if (status == MO_OK)
        status = cross_edges(p);
    for (size_t i = 0; i < CELLS && status == MO_OK; i++)
        for (size_t j = 0; j < CELLS && status == MO_OK; j++)
            status = join_cell(p, i, j);
    return status == MO_OK ? trace_all(p) : status;
}

static mo_status outline(const mo_moving_set *set, picture *p, const double hi[2])
{
    mo_status status = mo_moving_set_check(set, p->err);
    if (status == MO_OK &&
        !(hi[0] > p->lo[0] && hi[1] > p->lo[1] && isfinite(hi[0] - p->lo[0] + hi[1] - p->lo[1])))
        status =
            fail(p->err, MO_BAD_INPUT, "box", "[%g, %g] x [%g, %g], expected a finite box that is not empty",
                 p->lo[0], hi[0], p->lo[1], hi[1]);
    if (status == MO_OK)
        status = moving_create(set, &p->m, p->err);
    if (status != MO_OK)
        return status;
    for (size_t i = 0; i < 2; i++)
        p->step[i] = (hi[i] - p->lo[i]) / CELLS;
    p->inside_tol = 1e-12 * (p->step[0] + p->step[1]) * CELLS;
    p->gaps = malloc((p->m->gap_count + 1) * sizeof *p->gaps);
    p->value = malloc(NODES * NODES * sizeof *p->value);
    p->crossing = malloc(EDGES * sizeof *p->crossing);
    p->link = malloc(EDGES * sizeof *p->link);
    if (p->gaps != NULL && p->value != NULL && p->crossing != NULL && p->link != NULL)
        status = draw(p);
    else
        status = fail(p->err, MO_NO_MEMORY, NULL, "no memory for the border of a set");
    free(p->gaps);
    free(p->value);
    free(p->crossing);
    free(p->link);
    free(p->points);
    moving_destroy(p->m);
    return status;
}

mo_status cavity_outline(const mo_moving_set *set, double t0, double t1, double x_lo, double x_hi,
                         outline_emit emit, void *data, mo_error *err)
{
    assert(set->dim == 1);
    picture p = {.cavity = true, .lo = {t0, x_lo}, .emit = emit, .data = data, .err = err};
    return outline(set, &p, (const double[2]){t1, x_hi});
}

mo_status set_outline(const mo_moving_set *set, double t, const double lo[2], const double hi[2],
                      outline_emit emit, void *data, mo_error *err)
{
    assert(set->dim == 2);
    picture p = {.t = t, .lo = {lo[0], lo[1]}, .emit = emit, .data = data, .err = err};
    return outline(set, &p, hi);
}
