/*
 * How far two runs are apart.
 *
 * Positions, angles (in 3D the angle of the rotation from one orientation to the other) and velocities are
 * compared body by body at frames of the same time.  Velocities jump, so
 * that their difference at a time says little; the completed graph of a velocity (t -> v with the jumps
 * filled by segments) is what converges.  velocity_graph is the Hausdorff distance of these graphs in the
 * norm sqrt(dt^2 (1 m/s^2)^2 + |dv|^2), taken over the recorded points of one graph against the polygon of
 * the other, both ways, the largest over the bodies that both runs have.  Of runs with frames of the same
 * time these alone count: a frame between two of the other run's has no point to be compared with.
 */
#include "record/compare.h"
#include "record/pose.h"
#include "record/run.h"

#include "core/fail.h"
#include "sweep/graph.h"

#include <assert.h>
#include <math.h>
#include <moreau/record.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames at common times --------------------------------------------------------------------- */

static bool frames_identical(const mo_frame *a, const mo_frame *b)
{
    const size_t n = a->body_count, m = a->contact_count, dim = (size_t)a->dim;
    return n == b->body_count && m == b->contact_count && same_bytes(&a->time, &b->time, sizeof a->time) &&
           same_bytes(a->id, b->id, n * sizeof *a->id) &&
           same_bytes(a->q, b->q, pose_width(a) * n * sizeof *a->q) &&
           same_bytes(a->u, b->u, velocity_width(a) * n * sizeof *a->u) &&
           same_bytes(a->id1, b->id1, m * sizeof *a->id1) && same_bytes(a->id2, b->id2, m * sizeof *a->id2) &&
           same_bytes(a->feature, b->feature, m * sizeof *a->feature) &&
           same_bytes(a->impulse, b->impulse, dim * m * sizeof *a->impulse);
}

/* of the rotation from one orientation to the other: q and -q are the same, small angles keep their digits */
static double angle_between(const double a[4], const double b[4])
{
    double back[4], turn[4];
    quat_conjugate(a, back);
    quat_multiply(back, b, turn);
    return 2 * atan2(vec3_norm(turn + 1), fabs(turn[0]));
}

static void compare_body(int dim, const double *qa, const double *qb, const double *ua, const double *ub,
                         mo_comparison *c, pair_sums *sums)
{
    const bool flat = dim == 2;
    const double distance = flat ? hypot(qa[0] - qb[0], qa[1] - qb[1]) : vec3_distance(qa, qb);
    keep_largest(&c->max_position, distance);
    keep_largest(&c->final_max_position, distance);
    keep_largest(&c->max_angle, flat ? fabs(qa[2] - qb[2]) : angle_between(qa + 3, qb + 3));
    keep_largest(&c->max_velocity, flat ? hypot(ua[0] - ub[0], ua[1] - ub[1]) : vec3_distance(ua, ub));
    sums->square += distance * distance;
    sums->count++;
}

/* ids rise in both: one walk finds the common ones */
static void compare_frames(const mo_frame *a, const mo_frame *b, mo_comparison *c, pair_sums *sums)
{
    const size_t nq = pose_width(a), nu = velocity_width(a);
    c->frames++;
    c->bodies = 0;
    c->final_max_position = 0;
    for (size_t i = 0, j = 0; i < a->body_count && j < b->body_count;) {
        if (a->id[i] < b->id[j]) {
            i++;
        } else if (a->id[i] > b->id[j]) {
            j++;
        } else {
            compare_body(a->dim, a->q + nq * i, b->q + nq * j, a->u + nu * i, b->u + nu * j, c, sums);
            c->bodies++;
            i++;
            j++;
        }
    }
    c->identical = c->identical && frames_identical(a, b);
}

static mo_status compare_at(mo_run *a, size_t i, mo_run *b, size_t j, mo_comparison *c, pair_sums *sums,
                            mo_error *err)
{
    mo_frame fa, fb;
    mo_status status = mo_run_frame(a, i, &fa, err);
    if (status != MO_OK)
        return status;
    status = mo_run_frame(b, j, &fb, err);
    if (status == MO_OK) {
        compare_frames(&fa, &fb, c, sums);
        mo_frame_free(&fb);
    }
    mo_frame_free(&fa);
    return status;
}

static mo_status compare_common_times(mo_run *a, mo_run *b, mo_comparison *c, mo_error *err)
{
    const mo_run_info *ia = mo_run_info_get(a), *ib = mo_run_info_get(b);
    pair_sums sums = {0, 0};
    c->identical = ia->frames == ib->frames;
    for (size_t i = 0, j = 0; compare_next(a, &i, b, &j); i++, j++) {
        mo_status status = compare_at(a, i, b, j, c, &sums, err);
        if (status != MO_OK)
            return status;
    }
    c->identical = c->identical && c->frames == ia->frames;
    c->rms_position = sums.count > 0 ? sqrt(sums.square / (double)sums.count) : 0;
    return MO_OK;
}

/* ---- graphs of velocities ------------------------------------------------------------------------ */

/* Bodies that both runs have, and which of them a row of a run's body table is. */
typedef struct common_bodies {
    size_t count;
    uint32_t *of_a, *of_b; /* [rows of the table]; UINT32_MAX: not common */
} common_bodies;

static uint32_t *no_bodies(size_t rows)
{
    uint32_t *of = malloc((rows + 1) * sizeof *of);
    for (size_t i = 0; i < rows && of != NULL; i++)
        of[i] = UINT32_MAX;
    return of;
}

static mo_status find_common(mo_run *a, mo_run *b, common_bodies *out, mo_error *err)
{
    const size_t rows_a = mo_run_info_get(a)->body_count, rows_b = mo_run_info_get(b)->body_count;
    common_bodies c = {0, no_bodies(rows_a), no_bodies(rows_b)};
    if (c.of_a == NULL || c.of_b == NULL) {
        free(c.of_a);
        free(c.of_b);
        return fail(err, MO_NO_MEMORY, NULL, "no memory to compare %zu bodies", rows_a);
    }
    for (size_t i = 0; i < rows_a; i++) {
        const size_t j = mo_run_body_row(b, mo_run_bodies(a)[i].id);
        if (j != SIZE_MAX)
            c.of_a[i] = c.of_b[j] = (uint32_t)c.count++;
    }
    *out = c;
    return MO_OK;
}

/* Frames of a run that count. */
typedef struct frame_list {
    size_t count;
    size_t *frame; /* [count] */
    double *t;     /* [count] */
} frame_list;

static void frames_free(frame_list *l)
{
    free(l->frame);
    free(l->t);
}

static bool frames_reserve(const mo_run *run, frame_list *out)
{
    const size_t all = mo_run_info_get(run)->frames;
    *out = (frame_list){0, malloc((all + 1) * sizeof *out->frame), malloc((all + 1) * sizeof *out->t)};
    return out->frame != NULL && out->t != NULL;
}

static void frames_add(const mo_run *run, size_t frame, frame_list *l)
{
    l->frame[l->count] = frame;
    l->t[l->count++] = mo_run_times(run)[frame];
}

/* those at common times, where there are two at least; else all */
static void choose_frames(const mo_run *a, const mo_run *b, frame_list *in_a, frame_list *in_b)
{
    for (size_t i = 0, j = 0; compare_next(a, &i, b, &j); i++, j++) {
        frames_add(a, i, in_a);
        frames_add(b, j, in_b);
    }
    if (in_a->count >= 2)
        return;
    in_a->count = in_b->count = 0;
    for (size_t k = 0; k < mo_run_info_get(a)->frames; k++)
        frames_add(a, k, in_a);
    for (size_t k = 0; k < mo_run_info_get(b)->frames; k++)
        frames_add(b, k, in_b);
}

/* Velocities of common bodies [first, first + count), by body and frame; NaN where a body is not. */
typedef struct velocities {
    size_t frames;
    const double *t; /* [frames] */
    double *v;       /* [count][frames][dim] */
} velocities;

static mo_status gather(mo_run *run, const frame_list *list, const uint32_t *of, size_t first, size_t count,
                        velocities *out, mo_error *err)
{
    const size_t dim = (size_t)mo_run_info_get(run)->dim;
    velocities g = {list->count, list->t, NULL};
    g.v = malloc((count * g.frames * dim + 1) * sizeof *g.v);
    if (g.v == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu velocities", count * g.frames);
    for (size_t i = 0; i < count * g.frames * dim; i++)
        g.v[i] = (double)NAN;
    for (size_t k = 0; k < g.frames; k++) {
        mo_frame f;
        mo_status status = mo_run_frame(run, list->frame[k], &f, err);
        if (status != MO_OK) {
            free(g.v);
            return status;
        }
        for (size_t i = 0; i < f.body_count; i++) {
            const size_t body = of[f.row[i]];
            if (body != UINT32_MAX && body >= first && body - first < count)
                memcpy(g.v + ((body - first) * g.frames + k) * dim, f.u + velocity_width(&f) * i,
                       dim * sizeof *g.v);
        }
        mo_frame_free(&f);
    }
    *out = g;
    return MO_OK;
}

/* What is compared of two runs. */
typedef struct pairing {
    common_bodies bodies;
    frame_list in_a, in_b;
} pairing;

static mo_status compare_block(mo_run *a, mo_run *b, const pairing *p, size_t first, size_t count,
                               double *most, mo_error *err)
{
    const size_t dim = (size_t)mo_run_info_get(a)->dim;
    velocities va = {.v = NULL}, vb = {.v = NULL};
    mo_status status = gather(a, &p->in_a, p->bodies.of_a, first, count, &va, err);
    if (status != MO_OK)
        return status;
    status = gather(b, &p->in_b, p->bodies.of_b, first, count, &vb, err);
    if (status == MO_OK) {
        for (size_t i = 0; i < count; i++) {
            const graph_samples ga = {dim, va.frames, va.t, va.v + dim * va.frames * i};
            const graph_samples gb = {dim, vb.frames, vb.t, vb.v + dim * vb.frames * i};
            keep_largest(most, graph_distance(1, &ga, &gb));
        }
        free(vb.v);
    }
    free(va.v);
    return status;
}

/* bodies in blocks, so that memory stays bounded for long runs of large worlds */
static mo_status compare_graphs(mo_run *a, mo_run *b, mo_comparison *c, mo_error *err)
{
    const size_t frames_a = mo_run_info_get(a)->frames, frames_b = mo_run_info_get(b)->frames;
    if (frames_a == 0 || frames_b == 0)
        return MO_OK;
    pairing p = {.bodies = {0, NULL, NULL}};
    mo_status status = find_common(a, b, &p.bodies, err);
    if (status != MO_OK)
        return status;
    if (frames_reserve(a, &p.in_a) && frames_reserve(b, &p.in_b))
        choose_frames(a, b, &p.in_a, &p.in_b);
    else
        status = fail(err, MO_NO_MEMORY, NULL, "no memory to compare %zu frames", frames_a);
    const size_t block = ((size_t)1 << 22) / (frames_a > frames_b ? frames_a : frames_b) + 1;
    for (size_t first = 0; first < p.bodies.count && status == MO_OK; first += block) {
        const size_t rest = p.bodies.count - first;
        status = compare_block(a, b, &p, first, rest < block ? rest : block, &c->velocity_graph, err);
    }
    frames_free(&p.in_a);
    frames_free(&p.in_b);
    free(p.bodies.of_a);
    free(p.bodies.of_b);
    return status;
}

static mo_status compare_worlds(mo_run *a, mo_run *b, mo_comparison *c, mo_error *err)
{
    mo_status status = compare_common_times(a, b, c, err);
    if (status == MO_OK && !c->identical)
        status = compare_graphs(a, b, c, err);
    return status;
}

static mo_status compare_runs(mo_run *a, mo_run *b, mo_comparison *c, mo_error *err)
{
    const mo_run_info *ia = mo_run_info_get(a), *ib = mo_run_info_get(b);
    if (ia->is_path != ib->is_path)
        return fail(err, MO_BAD_INPUT, NULL, "the run of a %.60s cannot be compared with that of a %.60s",
                    ia->kind, ib->kind);
    if (!ia->is_path && ia->dim != ib->dim)
        return fail(err, MO_BAD_INPUT, "dim", "a run in %dD cannot be compared with one in %dD", ia->dim,
                    ib->dim);
    return ia->is_path ? compare_paths(a, b, c, err) : compare_worlds(a, b, c, err);
}

mo_status mo_run_compare(mo_run *a, mo_run *b, mo_comparison *out, mo_error *err)
{
    assert(a != NULL && b != NULL && out != NULL);
    mo_comparison c = {0};
    mo_status status = compare_runs(a, b, &c, err);
    if (status == MO_OK)
        *out = c;
    else if (status == MO_BAD_INPUT)
        fail_at(err, b->path, 0);
    return status;
}
