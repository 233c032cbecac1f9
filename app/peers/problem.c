/*
 * The frictional contact problem of one step of any program, and its impulses in the local axes of contacts.
 *
 * Side s = +-1 of body b at contact c: u_c += s [R, R arm x] (v_b, w_b), R the rows n, t (and n x t); W is
 * the sum over shared bodies of G M^-1 G*, q what the velocities before the step and gravity give.
 */
#include "peers.h"

#include "core/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
    uint32_t body;
    double G[18];  /* [3][6]: rows n, t, s; force, moment */
    double GM[18]; /* G M^-1 */
} side;

typedef struct network {
    const peer_scene *scene;
    const peer_result *result;
    side *sides;     /* [2 contacts]; body UINT32_MAX: a wall */
    size_t *start;   /* [bodies + 1] */
    uint32_t *touch; /* contacts of each body, rising */
} network;

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// rows n, t, n x t
static void local_axes(int dim, const double n[3], double R[9])
{
    memcpy(R, n, 3 * sizeof *n);
    if (dim == 2) {
        R[3] = -n[1];
        R[4] = n[0];
        R[5] = 0;
    } else {
        mo_tangent(n, R + 3);
    }
    cross(n, R + 3, R + 6);
}

// w <- I^-1 w for a body with axes turned by q
static void divide_inertia(const peer_body *b, const double q[4], double w[3])
{
    const double c = q[0], x = q[1], y = q[2], z = q[3], n = c * c + x * x + y * y + z * z;
    const double T[9] = {
        c * c + x * x - y * y - z * z, 2 * (x * y - c * z),           2 * (x * z + c * y),
        2 * (x * y + c * z),           c * c - x * x + y * y - z * z, 2 * (y * z - c * x),
        2 * (x * z - c * y),           2 * (y * z + c * x),           c * c - x * x - y * y + z * z};
    double own[3];
    for (int k = 0; k < 3; k++)
        own[k] = (T[k] * w[0] + T[3 + k] * w[1] + T[6 + k] * w[2]) / (n * b->inertia[k]);
    for (int k = 0; k < 3; k++)
        w[k] = (T[3 * k] * own[0] + T[3 * k + 1] * own[1] + T[3 * k + 2] * own[2]) / n;
}

static void see(const network *g, const peer_contact *t, int which, side *out)
{
    out->body = which == 0 ? t->body1 : t->body2;
    if (out->body >= g->scene->body_count) {
        out->body = UINT32_MAX;
        return;
    }
    const peer_state *at = &g->result->before[out->body];
    const peer_body *b = &g->scene->bodies[out->body];
    double R[9], arm[3], sign = which == 0 ? 1 : -1;
    local_axes(g->scene->dim, t->normal, R);
    for (int k = 0; k < 3; k++)
        arm[k] = t->point[k] - at->x[k];
    for (int i = 0; i < 3; i++) {
        double *row = out->G + 6 * i, *moved = out->GM + 6 * i;
        cross(arm, R + 3 * i, row + 3);
        for (int k = 0; k < 3; k++) {
            row[k] = sign * R[3 * i + k];
            row[3 + k] *= sign;
            moved[k] = row[k] / b->mass;
            moved[3 + k] = row[3 + k];
        }
        divide_inertia(b, at->q, moved + 3);
    }
}

static bool make_network(network *g)
{
    const size_t contacts = g->result->touch_count, bodies = g->scene->body_count;
    g->sides = calloc(2 * contacts + 1, sizeof *g->sides);
    g->start = calloc(bodies + 2, sizeof *g->start);
    g->touch = calloc(2 * contacts + 1, sizeof *g->touch);
    if (g->sides == NULL || g->start == NULL || g->touch == NULL)
        return false;
    for (size_t k = 0; k < 2 * contacts; k++) {
        see(g, &g->result->touch[k / 2], (int)(k % 2), &g->sides[k]);
        if (g->sides[k].body != UINT32_MAX)
            g->start[g->sides[k].body + 2]++;
    }
    for (size_t b = 0; b < bodies; b++)
        g->start[b + 2] += g->start[b + 1];
    for (size_t k = 0; k < 2 * contacts; k++)
        if (g->sides[k].body != UINT32_MAX)
            g->touch[g->start[g->sides[k].body + 1]++] = (uint32_t)(k / 2);
    return true;
}

static void free_network(network *g)
{
    free(g->sides);
    free(g->start);
    free(g->touch);
}

/* ---- W -------------------------------------------------------------------------------------------- */

// both contacts of a body once each, rising; returns how many; out NULL: counts alone
static size_t neighbours(const network *g, size_t c, uint32_t *out)
{
    const uint32_t *at[2], *end[2];
    size_t count = 0;
    for (int s = 0; s < 2; s++) {
        uint32_t body = g->sides[2 * c + (size_t)s].body;
        at[s] = body == UINT32_MAX ? g->touch : g->touch + g->start[body];
        end[s] = body == UINT32_MAX ? g->touch : g->touch + g->start[body + 1];
    }
    while (at[0] < end[0] || at[1] < end[1]) {
        uint32_t next = at[1] == end[1] || (at[0] < end[0] && *at[0] <= *at[1]) ? *at[0] : *at[1];
        for (int s = 0; s < 2; s++)
            while (at[s] < end[s] && *at[s] == next)
                at[s]++;
        if (out != NULL)
            out[count] = next;
        count++;
    }
    return count;
}

static void add_block(const network *g, size_t c, size_t d, double *B)
{
    const int dim = g->scene->dim;
    for (size_t k = 0; k < 4; k++) {
        const side *a = &g->sides[2 * c + k / 2], *b = &g->sides[2 * d + k % 2];
        if (a->body == UINT32_MAX || a->body != b->body)
            continue;
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++)
                for (int m = 0; m < 6; m++)
                    B[dim * i + j] += a->GM[6 * i + m] * b->G[6 * j + m];
    }
}

static bool fill_matrix(const network *g, mo_problem *p)
{
    for (size_t c = 0; c < p->contacts; c++)
        p->start[c + 1] = p->start[c] + neighbours(g, c, NULL);
    const size_t size = (size_t)(p->dim * p->dim);
    p->column = calloc(p->start[p->contacts] + 1, sizeof *p->column);
    p->W = calloc(size * p->start[p->contacts] + 1, sizeof *p->W);
    if (p->column == NULL || p->W == NULL)
        return false;
    for (size_t c = 0; c < p->contacts; c++) {
        neighbours(g, c, p->column + p->start[c]);
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            add_block(g, c, p->column[k], p->W + size * k);
    }
    return true;
}

/* ---- q, mu, r ------------------------------------------------------------------------------------- */

// what a contact would see without impulses, less what is asked of it
static void load(const network *g, size_t c, bool with_targets, double *q)
{
    const peer_scene *s = g->scene;
    const peer_contact *t = &g->result->touch[c];
    for (size_t k = 2 * c; k < 2 * c + 2; k++) {
        const side *a = &g->sides[k];
        if (a->body == UINT32_MAX)
            continue;
        const peer_state *b = &g->result->before[a->body];
        for (int i = 0; i < s->dim; i++)
            for (int m = 0; m < 3; m++)
                q[i] += a->G[6 * i + m] * (b->v[m] + s->h * s->gravity[m]) + a->G[6 * i + 3 + m] * b->w[m];
    }
    if (with_targets)
        q[0] -= t->target;
    else if (t->gap > 0)
        q[0] += t->gap / s->h;
}

static void to_local(const peer_scene *s, const peer_contact *t, double *r)
{
    double R[9];
    local_axes(s->dim, t->normal, R);
    for (int i = 0; i < s->dim; i++)
        for (int k = 0; k < 3; k++)
            r[i] += R[3 * i + k] * t->impulse[k];
}

mo_status peer_problem(const peer_scene *scene, const peer_result *result, bool with_targets, mo_problem *out,
                       double **r, mo_error *err)
{
    const size_t contacts = result->touch_count, n = (size_t)scene->dim * contacts;
    network g = {.scene = scene, .result = result};
    mo_problem p = {.dim = scene->dim, .contacts = contacts};
    double *own = calloc(n + 1, sizeof *own);
    p.start = calloc(contacts + 1, sizeof *p.start);
    p.q = calloc(n + 1, sizeof *p.q);
    p.mu = calloc(contacts + 1, sizeof *p.mu);
    bool ok = own != NULL && p.start != NULL && p.q != NULL && p.mu != NULL && make_network(&g) &&
              fill_matrix(&g, &p);
    for (size_t c = 0; ok && c < contacts; c++) {
        p.mu[c] = scene->friction;
        load(&g, c, with_targets, p.q + (size_t)scene->dim * c);
        to_local(scene, &result->touch[c], own + (size_t)scene->dim * c);
    }
    free_network(&g);
    if (!ok) {
        mo_problem_free(&p);
        free(own);
        return fail(err, MO_NO_MEMORY, "", "no memory for the contact problem");
    }
    *out = p;
    *r = own;
    return MO_OK;
}
