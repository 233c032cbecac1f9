/*
 * Excess of polyhedra: d(., B) is convex, so that over A = conv(points) + cone(rays) + span(lines) it is
 * largest at one of the points, or without bound when a ray or line is no direction of recession of B.
 */
#include "sweep/excess.h"

#include "math/vec.h"

/* half-spaces a.(y - x) >= b; a = 0 is the whole space or nothing */
static double halfspace_excess(size_t n, const double *a, double b, const double *a_other, double b_other)
{
    const double norm = vec_norm(n, a), norm_other = vec_norm(n, a_other);
    if (norm == 0 && b > 0)
        return 0;
    if (norm_other == 0)
        return b_other > 0 ? HUGE_VAL : 0;
    if (norm == 0)
        return HUGE_VAL;
    double turn = 0;
    for (size_t i = 0; i < n; i++)
        turn = fmax(turn, fabs(a[i] / norm - a_other[i] / norm_other));
    return turn > 1e-14 ? HUGE_VAL : fmax(0, b_other / norm_other - b / norm);
}

/* whether the direction r leads out of the polyhedron, however far inside it starts */
static bool leads_out(size_t n, const dense_rows *rows, const double *r)
{
    for (size_t i = 0; i < rows->count; i++)
        if (vec_dot(n, rows->A + i * n, r) < -1e-12 * vec_norm(n, rows->A + i * n))
            return true;
    return false;
}

static bool faces_lead_out(const excess_pair *p, const dense_rows *to)
{
    const face_list *faces = &p->memory->faces;
    const size_t n = p->m->n;
    double r[FACES_MAX_N];
    for (size_t i = 0; i < faces->count; i++)
        if (!faces_point(faces, n, i, r) && leads_out(n, to, r))
            return true;
    for (size_t i = 0; i < faces->line_count; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (size_t j = 0; j < n; j++)
                r[j] = sign * faces->lines[i].v[j + 1];
            if (leads_out(n, to, r))
                return true;
        }
    return false;
}

/* excess of polyhedra; *known false: too many vertices */
static mo_status rows_excess(excess_pair *p, const dense_rows *from, const dense_rows *to, double *excess,
                             bool *known)
{
    struct excess_memory *memory = p->memory;
    const size_t n = p->m->n;
    double v[FACES_MAX_N], y[FACES_MAX_N];
    mo_status status = faces_find(&memory->faces, n, from->count, from->A, from->b, known, p->err);
    size_t points = 0;
    *excess = 0;
    for (size_t i = 0; status == MO_OK && *known && i < memory->faces.count; i++) {
        const mo_polyhedron set = {.n = n, .rows = to->count, .A = to->A, .b = to->b};
        mo_projection_info info;
        if (!faces_point(&memory->faces, n, i, v))
            continue;
        points++;
        status = mo_projector_project(p->m->projector, &set, v, NULL, 0, y, NULL, &info, p->err);
        if (status == MO_OK)
            *excess = fmax(*excess, info.outcome == MO_PROJECTION_EMPTY ? HUGE_VAL : vec_distance(n, v, y));
    }
    if (status == MO_OK && *known && points > 0 && faces_lead_out(p, to))
        *excess = HUGE_VAL;
    return status;
}

mo_status excess_polyhedra(excess_pair *p, bool *done)
{
    const dense_rows *a = &p->rows_s, *b = &p->rows_t;
    const size_t n = p->m->n;
    *done = true;
    if (a->count == 1 && b->count == 1) {
        *p->forward = halfspace_excess(n, a->A, a->b[0], b->A, b->b[0]);
        *p->backward = halfspace_excess(n, b->A, b->b[0], a->A, a->b[0]);
        return MO_OK;
    }
    *done = n <= FACES_MAX_N && a->count <= FACES_MAX_ROWS && b->count <= FACES_MAX_ROWS;
    mo_status status = MO_OK;
    if (*done)
        status = rows_excess(p, a, b, p->forward, done);
    if (status == MO_OK && *done)
        status = rows_excess(p, b, a, p->backward, done);
    return status;
}
