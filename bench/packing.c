/* Packings of spheres and the problems of a step: see packing.h. */
#include "packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"

/* of spheres, m; kg/m³; m/s² */
#define RADIUS 0.05
#define DENSITY 2500.0
#define GRAVITY 9.81
#define PI 3.14159265358979323846

/* Radii are RADIUS times 1 - SPREAD ... 1 + SPREAD. */
#define SPREAD 0.2

static bool add_contact(packing *p, uint32_t a, uint32_t b, double x, double y, double z)
{
    if (p->contacts == p->room) {
        size_t room = 2 * p->room + 64;
        packing_contact *more = realloc(p->contact, room * sizeof *more);
        if (more == NULL)
            return false;
        p->contact = more;
        p->room = room;
    }
    double length = sqrt(x * x + y * y + z * z);
    p->contact[p->contacts++] = (packing_contact){a, b, {x / length, y / length, z / length}};
    return true;
}

static bool reserve(packing *p, size_t spheres)
{
    *p = (packing){0};
    p->centre = calloc(3 * spheres, sizeof *p->centre);
    p->radius = calloc(spheres, sizeof *p->radius);
    return p->centre != NULL && p->radius != NULL;
}

/* ---- lattice ------------------------------------------------------------------------------------- */

// spheres below layer `layer` of a lattice m wide
static size_t below(size_t m, size_t layer)
{
    size_t pairs = layer / 2;
    return pairs * (m * m + (m - 1) * (m - 1)) + (layer % 2 ? m * m : 0);
}

static bool make_lattice(size_t contacts, rng *random, packing *p)
{
    // layers are RADIUS sqrt(2) apart, spheres of a layer a little over 2 RADIUS
    double spacing = 2.02 * RADIUS, rise = 1.39 * RADIUS;
    size_t m = (size_t)fmax(3, round(cbrt((double)contacts / 3 * rise / spacing) + 0.5)), layers = 1;
    while (3 * below(m, layers) < contacts)
        layers++;
    if (!reserve(p, below(m, layers)))
        return false;
    for (size_t layer = 0; layer < layers; layer++) {
        size_t side = m - layer % 2;
        double shift = layer % 2 ? 0.5 : 0;
        for (size_t i = 0; i < side * side; i++, p->spheres++) {
            double at[3] = {RADIUS + spacing * ((double)(i / side) + shift),
                            RADIUS + spacing * ((double)(i % side) + shift), RADIUS + rise * (double)layer};
            for (int k = 0; k < 3; k++)
                p->centre[3 * p->spheres + (size_t)k] = at[k] + 0.1 * RADIUS * (rng_uniform(random) - 0.5);
            p->radius[p->spheres] = RADIUS * (1 + 0.1 * (rng_uniform(random) - 0.5));
        }
    }
    p->width = spacing * (double)(m - 1) + 2 * RADIUS;
    return true;
}

/* ---- deposit ------------------------------------------------------------------------------------- */

/* Spheres by cells as wide as the largest one: columns in x and y, growing in z with the deposit. */
typedef struct cells {
    double size;
    size_t across, up; /* cells in x and y, in z */
    uint32_t *head;    /* [up across across] PACKING_WALL: none */
    uint32_t *next;    /* [spheres] */
} cells;

static size_t cell_along(const cells *g, double x, size_t count)
{
    double k = floor(x / g->size);
    return k < 0 ? 0 : k >= (double)count ? count - 1 : (size_t)k;
}

static size_t cell_at(const cells *g, size_t i, size_t j, size_t k)
{
    return (k * g->across + i) * g->across + j;
}

static bool make_cells(const packing *p, size_t spheres, cells *g)
{
    g->size = 2 * (1 + SPREAD) * RADIUS;
    g->across = (size_t)ceil(p->width / g->size);
    g->up = 2 * g->across + 2;
    g->head = malloc(g->up * g->across * g->across * sizeof *g->head);
    g->next = malloc(spheres * sizeof *g->next);
    return g->head != NULL && g->next != NULL;
}

static void clear_cells(cells *g)
{
    memset(g->head, 0xff, g->up * g->across * g->across * sizeof *g->head);
}

static void free_cells(cells *g)
{
    free(g->head);
    free(g->next);
}

static void put(cells *g, const packing *p, uint32_t i)
{
    const double *x = p->centre + 3 * (size_t)i;
    uint32_t *head = &g->head[cell_at(g, cell_along(g, x[0], g->across), cell_along(g, x[1], g->across),
                                      cell_along(g, x[2], g->up))];
    g->next[i] = *head;
    *head = i;
}

/* What a sphere at x of this radius touches or overlaps: others, and walls as spheres without end. */
typedef struct touch {
    uint32_t other;
    double depth;
    double normal[3]; /* out of the other */
} touch;

enum { MOST_TOUCHES = 24 };

static void touch_sphere(const packing *p, uint32_t i, const double x[3], double radius, double reach,
                         touch *out, int *count)
{
    const double *c = p->centre + 3 * (size_t)i;
    double d[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), depth = radius + p->radius[i] - length;
    if (depth < -reach || *count == MOST_TOUCHES || !(length > 0))
        return;
    out[(*count)++] = (touch){i, depth, {d[0] / length, d[1] / length, d[2] / length}};
}

static int touches(const packing *p, const cells *g, const double x[3], double radius, double reach,
                   touch out[MOST_TOUCHES])
{
    int count = 0;
    const double depth[5] = {radius - x[2], radius - x[0], radius - x[1], x[0] + radius - p->width,
                             x[1] + radius - p->width};
    static const double NORMAL[5][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (int w = 0; w < 5; w++)
        if (depth[w] >= -reach)
            out[count++] = (touch){PACKING_WALL, depth[w], {NORMAL[w][0], NORMAL[w][1], NORMAL[w][2]}};
    size_t at[3] = {cell_along(g, x[0], g->across), cell_along(g, x[1], g->across),
                    cell_along(g, x[2], g->up)};
    for (size_t k = at[2] > 0 ? at[2] - 1 : 0; k <= at[2] + 1 && k < g->up; k++)
        for (size_t i = at[0] > 0 ? at[0] - 1 : 0; i <= at[0] + 1 && i < g->across; i++)
            for (size_t j = at[1] > 0 ? at[1] - 1 : 0; j <= at[1] + 1 && j < g->across; j++)
                for (uint32_t s = g->head[cell_at(g, i, j, k)]; s != PACKING_WALL; s = g->next[s])
                    touch_sphere(p, s, x, radius, reach, out, &count);
    return count;
}

// height from which a sphere at (x, y) falls onto the first thing below
static double drop_height(const packing *p, const cells *g, double x, double y, double radius)
{
    double z = radius;
    size_t ci = cell_along(g, x, g->across), cj = cell_along(g, y, g->across);
    for (size_t i = ci > 0 ? ci - 1 : 0; i <= ci + 1 && i < g->across; i++)
        for (size_t j = cj > 0 ? cj - 1 : 0; j <= cj + 1 && j < g->across; j++)
            for (size_t k = g->up, seen = 0; k-- > 0 && seen < 3;) {
                seen += g->head[cell_at(g, i, j, k)] != PACKING_WALL;
                for (uint32_t s = g->head[cell_at(g, i, j, k)]; s != PACKING_WALL; s = g->next[s]) {
                    const double *c = p->centre + 3 * (size_t)s;
                    double dx = x - c[0], dy = y - c[1], reach = radius + p->radius[s];
                    double left = reach * reach - dx * dx - dy * dy;
                    if (left > 0)
                        z = fmax(z, c[2] + sqrt(left));
                }
            }
    return z;
}

// steps down and out of what it overlaps, shorter ones when it no longer gets lower
static void roll(const packing *p, const cells *g, double radius, double x[3])
{
    touch t[MOST_TOUCHES];
    double step = 0.1 * RADIUS, lowest = x[2], mark = x[2];
    for (int i = 1; i <= 3000 && step > 1e-2 * RADIUS; i++) {
        x[2] -= step;
        for (int pass = 0; pass < 4; pass++) {
            int count = touches(p, g, x, radius, 0, t);
            if (count == 0)
                break;
            for (int k = 0; k < count; k++)
                for (int a = 0; a < 3; a++)
                    x[a] += t[k].depth * t[k].normal[a] * (count > 1 ? 0.7 : 1);
        }
        lowest = fmin(lowest, x[2]);
        if (i % 10 == 0) {
            // what rolls loses a good part of a step each time
            if (mark - lowest < 0.5 * step)
                step *= 0.5;
            mark = lowest;
        }
    }
}

static void settle(packing *p, cells *g, const double x[3], double radius)
{
    memcpy(p->centre + 3 * p->spheres, x, 3 * sizeof *x);
    p->radius[p->spheres] = radius;
    put(g, p, (uint32_t)p->spheres++);
}

static bool make_deposit(size_t contacts, rng *random, packing *p)
{
    size_t spheres = contacts / 3 + 1;
    cells g = {0};
    bool ok = reserve(p, spheres);
    // as wide as high at a volume fraction of about 0.6
    p->width = fmax(cbrt((double)spheres * 4 / 3 * PI / 0.6), 8) * RADIUS;
    ok = ok && make_cells(p, spheres, &g);
    if (ok)
        clear_cells(&g);
    while (ok && p->spheres < spheres) {
        double radius = RADIUS * (1 + SPREAD * (2 * rng_uniform(random) - 1)), x[3];
        for (int k = 0; k < 2; k++)
            x[k] = radius + (p->width - 2 * radius) * rng_uniform(random);
        x[2] = drop_height(p, &g, x[0], x[1], radius);
        roll(p, &g, radius, x);
        settle(p, &g, x, radius);
    }
    free_cells(&g);
    return ok;
}

/* ---- rest ---------------------------------------------------------------------------------------- */

/* Relaxation of soft spheres under gravity, without friction; each moves as if it had the mean mass. */
typedef struct relaxation {
    packing *p;
    cells g;
    double stiffness; /* of a contact: acceleration of the mean mass per overlap */
    double *v, *f;    /* [3 spheres] velocity, force */
    double *old;      /* [3 spheres] centres when the pairs were listed */
    uint32_t *pair;   /* [2 pairs] close ones */
    size_t pairs, room;
} relaxation;

/* Pairs are listed up to this gap. */
#define SKIN (0.3 * RADIUS)

/* Square of what may be left of the forces, relative to the weights. */
#define BALANCED 1e-5

static bool list_pair(relaxation *s, uint32_t a, uint32_t b)
{
    const packing *p = s->p;
    const double *x = p->centre + 3 * (size_t)a, *y = p->centre + 3 * (size_t)b;
    double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]}, reach = p->radius[a] + p->radius[b] + SKIN;
    if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > reach * reach)
        return true;
    if (s->pairs == s->room) {
        size_t room = 2 * s->room + 1024;
        uint32_t *more = realloc(s->pair, 2 * room * sizeof *more);
        if (more == NULL)
            return false;
        s->pair = more;
        s->room = room;
    }
    s->pair[2 * s->pairs] = a;
    s->pair[2 * s->pairs++ + 1] = b;
    return true;
}

static bool list_pairs(relaxation *s)
{
    const packing *p = s->p;
    cells *g = &s->g;
    s->pairs = 0;
    clear_cells(g);
    memcpy(s->old, p->centre, 3 * p->spheres * sizeof *s->old);
    for (uint32_t a = 0; a < p->spheres; a++) {
        const double *x = p->centre + 3 * (size_t)a;
        size_t at[3] = {cell_along(g, x[0], g->across), cell_along(g, x[1], g->across),
                        cell_along(g, x[2], g->up)};
        for (size_t k = at[2] > 0 ? at[2] - 1 : 0; k <= at[2] + 1 && k < g->up; k++)
            for (size_t i = at[0] > 0 ? at[0] - 1 : 0; i <= at[0] + 1 && i < g->across; i++)
                for (size_t j = at[1] > 0 ? at[1] - 1 : 0; j <= at[1] + 1 && j < g->across; j++)
                    for (uint32_t b = g->head[cell_at(g, i, j, k)]; b != PACKING_WALL; b = g->next[b])
                        if (!list_pair(s, a, b))
                            return false;
        put(g, p, a);
    }
    return true;
}

static bool pairs_are_old(const relaxation *s)
{
    for (size_t i = 0; i < 3 * s->p->spheres; i++)
        if (fabs(s->p->centre[i] - s->old[i]) > 0.25 * SKIN)
            return true;
    return false;
}

static void forces(relaxation *s)
{
    const packing *p = s->p;
    for (size_t i = 0; i < p->spheres; i++) {
        const double *x = p->centre + 3 * i;
        double r = p->radius[i], mass = pow(r / RADIUS, 3), *f = s->f + 3 * i;
        f[0] = s->stiffness * (fmax(r - x[0], 0) - fmax(x[0] + r - p->width, 0));
        f[1] = s->stiffness * (fmax(r - x[1], 0) - fmax(x[1] + r - p->width, 0));
        f[2] = s->stiffness * fmax(r - x[2], 0) - mass * GRAVITY;
    }
    for (size_t k = 0; k < s->pairs; k++) {
        size_t a = 3 * (size_t)s->pair[2 * k], b = 3 * (size_t)s->pair[2 * k + 1];
        const double *x = p->centre + a, *y = p->centre + b;
        double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]}, reach = p->radius[a / 3] + p->radius[b / 3];
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (square >= reach * reach || !(square > 0))
            continue;
        double length = sqrt(square), push = s->stiffness * (reach - length) / length;
        for (size_t i = 0; i < 3; i++) {
            s->f[a + i] += push * d[i];
            s->f[b + i] -= push * d[i];
        }
    }
}

// steps with a drag that damps the slowest wave of the packing critically, until forces balance to a percent
static bool relax(relaxation *s)
{
    size_t n = 3 * s->p->spheres;
    double period = sqrt(1 / s->stiffness), dt = 0.3 * period, weight = 0;
    double drag = 2 * PI * RADIUS / (s->p->width * period), most = 400 * s->p->width / RADIUS;
    for (size_t i = 0; i < s->p->spheres; i++)
        weight += pow(s->p->radius[i] / RADIUS, 6) * GRAVITY * GRAVITY;
    for (double k = 0, rest = weight; k < most && rest > BALANCED * weight; k++) {
        if ((k == 0 || pairs_are_old(s)) && !list_pairs(s))
            return false;
        forces(s);
        rest = 0;
        for (size_t i = 0; i < n; i++) {
            rest += s->f[i] * s->f[i];
            s->v[i] += dt * (s->f[i] - drag * s->v[i]);
            s->p->centre[i] += fmax(-0.05 * RADIUS, fmin(dt * s->v[i], 0.05 * RADIUS));
        }
    }
    return true;
}

// what overlaps after relaxation touches
static bool find_contacts(relaxation *s)
{
    packing *p = s->p;
    static const double IN[5][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    bool ok = list_pairs(s);
    for (uint32_t a = 0; ok && a < p->spheres; a++) {
        const double *x = p->centre + 3 * (size_t)a, r = p->radius[a];
        double gap[5] = {x[2], x[0], x[1], p->width - x[0], p->width - x[1]};
        for (int k = 0; ok && k < 5; k++)
            ok = gap[k] > r || add_contact(p, a, PACKING_WALL, IN[k][0], IN[k][1], IN[k][2]);
        p->height = fmax(p->height, x[2]);
    }
    for (size_t k = 0; ok && k < s->pairs; k++) {
        uint32_t a = s->pair[2 * k], b = s->pair[2 * k + 1];
        const double *x = p->centre + 3 * (size_t)a, *y = p->centre + 3 * (size_t)b;
        double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]}, reach = p->radius[a] + p->radius[b];
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach)
            ok = add_contact(p, a, b, d[0], d[1], d[2]);
    }
    return ok;
}

static bool bring_to_rest(packing *p)
{
    size_t n = 3 * p->spheres;
    relaxation s = {.p = p};
    // the weight of the whole height overlaps the lowest spheres by a twentieth of a radius or so
    s.stiffness = 20 * GRAVITY * (p->width / RADIUS) / RADIUS;
    s.v = calloc(n, sizeof *s.v);
    s.f = calloc(n, sizeof *s.f);
    s.old = calloc(n, sizeof *s.old);
    bool ok = s.v != NULL && s.f != NULL && s.old != NULL && make_cells(p, p->spheres, &s.g) && relax(&s) &&
              find_contacts(&s);
    free(s.v);
    free(s.f);
    free(s.old);
    free(s.pair);
    free_cells(&s.g);
    return ok;
}

bool packing_make(packing_kind kind, size_t contacts, uint64_t seed, packing *out)
{
    rng random = rng_seed(seed, 11);
    bool ok =
        kind == PACKING_LATTICE ? make_lattice(contacts, &random, out) : make_deposit(contacts, &random, out);
    ok = ok && bring_to_rest(out);
    if (!ok)
        packing_free(out);
    return ok;
}

void packing_free(packing *p)
{
    free(p->centre);
    free(p->radius);
    free(p->contact);
    *p = (packing){0};
}

/* ---- the problem --------------------------------------------------------------------------------- */

/* How a body's velocity is seen at a contact: u = side (R' v + S w), and 1 / mass, 1 / inertia. */
typedef struct seen {
    double R[9], S[9]; /* by rows: normal, two tangents */
    double per_mass, per_inertia;
} seen;

static seen see(const packing *p, const packing_contact *c, uint32_t body)
{
    seen out;
    double side = body == c->a ? 1 : -1, radius = p->radius[body],
           mass = DENSITY * 4 / 3 * PI * pow(radius, 3);
    const double *n = c->normal;
    // tangents: any, the same for both bodies
    double pick[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0}, *t = out.R + 3, *s = out.R + 6, length = 0;
    double along = n[0] * pick[0] + n[1] * pick[1];
    for (int k = 0; k < 3; k++) {
        t[k] = pick[k] - along * n[k];
        length += t[k] * t[k];
    }
    for (int k = 0; k < 3; k++)
        t[k] /= sqrt(length);
    s[0] = n[1] * t[2] - n[2] * t[1];
    s[1] = n[2] * t[0] - n[0] * t[2];
    s[2] = n[0] * t[1] - n[1] * t[0];
    memcpy(out.R, n, 3 * sizeof *n);
    // the arm is -side radius n: row . (w x arm) = (arm x row) . w, n x t = s, n x s = -t
    for (int k = 0; k < 3; k++) {
        out.S[k] = 0;
        out.S[3 + k] = -radius * s[k];
        out.S[6 + k] = radius * t[k];
    }
    for (int k = 0; k < 9; k++)
        out.R[k] *= side;
    out.per_mass = 1 / mass;
    out.per_inertia = 1 / (0.4 * mass * radius * radius);
    return out;
}

// B += G_a M⁻¹ G_b'
static void couple(const seen *a, const seen *b, double B[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                B[3 * i + j] += a->per_mass * a->R[3 * i + k] * b->R[3 * j + k] +
                                a->per_inertia * a->S[3 * i + k] * b->S[3 * j + k];
}

static int by_column(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Contacts of every sphere. */
typedef struct network {
    size_t *start;     /* [spheres + 1] */
    uint32_t *contact; /* [start[spheres]] rising */
} network;

static bool make_network(const packing *p, network *g)
{
    g->start = calloc(p->spheres + 2, sizeof *g->start);
    g->contact = calloc(2 * p->contacts + 1, sizeof *g->contact);
    if (g->start == NULL || g->contact == NULL)
        return false;
    for (size_t c = 0; c < p->contacts; c++) {
        g->start[p->contact[c].a + 2]++;
        if (p->contact[c].b != PACKING_WALL)
            g->start[p->contact[c].b + 2]++;
    }
    for (size_t s = 0; s < p->spheres; s++)
        g->start[s + 2] += g->start[s + 1];
    for (size_t c = 0; c < p->contacts; c++) {
        g->contact[g->start[p->contact[c].a + 1]++] = (uint32_t)c;
        if (p->contact[c].b != PACKING_WALL)
            g->contact[g->start[p->contact[c].b + 1]++] = (uint32_t)c;
    }
    return true;
}

// contacts that share a sphere with c, rising, once each
static size_t neighbours(const packing *p, const network *g, size_t c, uint32_t *out)
{
    uint32_t bodies[2] = {p->contact[c].a, p->contact[c].b};
    size_t count = 0, kept = 0;
    for (int s = 0; s < 2; s++)
        for (size_t k = bodies[s] == PACKING_WALL ? 0 : g->start[bodies[s]];
             bodies[s] != PACKING_WALL && k < g->start[bodies[s] + 1]; k++)
            out[count++] = g->contact[k];
    qsort(out, count, sizeof *out, by_column);
    for (size_t k = 0; k < count; k++)
        if (kept == 0 || out[kept - 1] != out[k])
            out[kept++] = out[k];
    return kept;
}

// block (c, d) of W
static void block(const packing *p, size_t c, size_t d, double B[9])
{
    const packing_contact *x = &p->contact[c], *y = &p->contact[d];
    uint32_t bodies[2] = {x->a, x->b};
    for (int s = 0; s < 2; s++)
        if (bodies[s] != PACKING_WALL && (bodies[s] == y->a || bodies[s] == y->b)) {
            seen a = see(p, x, bodies[s]), b = see(p, y, bodies[s]);
            couple(&a, &b, B);
        }
}

// gravity for h seconds as contact c sees it: walls do not fall
static void load(const packing *p, size_t c, double h, double q[3])
{
    const packing_contact *x = &p->contact[c];
    seen a = see(p, x, x->a);
    for (int i = 0; i < 3; i++)
        q[i] = x->b == PACKING_WALL ? -h * GRAVITY * a.R[3 * i + 2] : 0;
}

static bool fill(const packing *p, const network *g, mo_problem *out)
{
    uint32_t near[2 * MOST_TOUCHES * MOST_TOUCHES];
    size_t blocks = 0;
    for (size_t c = 0; c < p->contacts; c++)
        blocks += neighbours(p, g, c, near);
    out->column = malloc(blocks * sizeof *out->column);
    out->W = calloc(9 * blocks, sizeof *out->W);
    if (out->column == NULL || out->W == NULL)
        return false;
    for (size_t c = 0, k = 0; c < p->contacts; c++) {
        size_t count = neighbours(p, g, c, near);
        for (size_t i = 0; i < count; i++, k++) {
            out->column[k] = near[i];
            block(p, c, near[i], out->W + 9 * k);
        }
        out->start[c + 1] = k;
    }
    return true;
}

bool packing_problem(const packing *p, double h, double mu_least, double mu_most, uint64_t seed,
                     mo_problem *out)
{
    rng random = rng_seed(seed, 12);
    network g = {0};
    *out = (mo_problem){.dim = 3, .contacts = p->contacts};
    out->start = calloc(p->contacts + 1, sizeof *out->start);
    out->q = calloc(3 * p->contacts + 1, sizeof *out->q);
    out->mu = calloc(p->contacts + 1, sizeof *out->mu);
    bool ok =
        out->start != NULL && out->q != NULL && out->mu != NULL && make_network(p, &g) && fill(p, &g, out);
    for (size_t c = 0; ok && c < p->contacts; c++) {
        load(p, c, h, out->q + 3 * c);
        out->mu[c] = mu_least + (mu_most - mu_least) * rng_uniform(&random);
    }
    free(g.start);
    free(g.contact);
    if (!ok)
        mo_problem_free(out);
    return ok;
}

double growth_exponent(size_t count, const double *contacts, const double *cost)
{
    double x = 0, xx = 0, y = 0, xy = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        double at = log(contacts[i]), value = log(cost[i]);
        x += at, xx += at * at;
        y += value, xy += at * value;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}
