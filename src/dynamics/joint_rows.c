/*
 * The rows of joints.  A row along d at the points c1, c2 is (d, (c1 - x1) x d) for body 1 and minus the same
 * for body 2; about d: (0, d) and minus that.  In 2D the third number is the part about z.
 *
 * Points in common: c1 = c2, half-way between the two, so that impulses make no momentum.  Sliders: c1 = c2,
 * the point of body 1.  Distances: each its own, d along the line through both.
 */
#include <math.h>
#include <string.h>

#include "dynamics/joints.h"
#include "math/quat.h"

/* Where a joint is at some q. */
typedef struct place {
    double x[2][3];    /* centres of mass */
    double p[2][3];    /* the joint's point on each body */
    double turn[2][4]; /* its axes on each body */
    double mid[3];     /* half-way between the points */
} place;

static const double UNIT[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* What a body that is not wholly free can follow of a row is rounding below this share of the row. */
static const double NOTHING = 1e-10;

// centre and orientation of a body at q
static void pose_of(const bodies *b, uint32_t slot, const double *q, double x[3], double turn[4])
{
    q += b->nq * slot;
    if (b->dim == 3) {
        vec3_copy(q, x);
        memcpy(turn, q + 3, 4 * sizeof *turn);
        return;
    }
    vec3_set(x, q[0], q[1], 0);
    quat_set(turn, cos(q[2] / 2), 0, 0, sin(q[2] / 2));
}

// in a cell: body 2 in the image in which its point is nearest to that of body 1
static void take_nearest(const periodic_cell *c, place *at)
{
    double apart[3], away[3] = {0, 0, 0};
    vec3_sub(at->p[0], at->p[1], apart);
    cell_nearest(c, apart, away);
    vec3_add(at->p[1], away, at->p[1]);
    vec3_add(at->x[1], away, at->x[1]);
}

static void place_of(const bodies *b, const joint *k, const double *q, place *out)
{
    for (int side = 0; side < 2; side++) {
        vec3_copy(k->anchor[side], out->p[side]);
        memcpy(out->turn[side], k->frame[side], sizeof out->turn[side]);
        vec3_set(out->x[side], 0, 0, 0);
        if (k->slot[side] == NO_BODY)
            continue;
        double turn[4];
        pose_of(b, k->slot[side], q, out->x[side], turn);
        quat_rotate(turn, k->anchor[side], out->p[side]);
        vec3_add(out->x[side], out->p[side], out->p[side]);
        quat_multiply(turn, k->frame[side], out->turn[side]);
    }
    if (b->cell != NULL)
        take_nearest(b->cell, out);
    vec3_add(out->p[0], out->p[1], out->mid);
    vec3_scale(0.5, out->mid, out->mid);
}

static void put_row(size_t dim, const double linear[3], const double angular[3], double sign, double *out)
{
    for (size_t k = 0; k < dim; k++)
        out[k] = sign * linear[k];
    if (dim == 2)
        out[2] = sign * angular[2];
    else
        vec3_scale(sign, angular, out + 3);
}

static void row_along(size_t dim, const place *at, const double d[3], const double c1[3], const double c2[3],
                      double *g1, double *g2)
{
    double arm[3], moment[3];
    vec3_sub(c1, at->x[0], arm);
    vec3_cross(arm, d, moment);
    put_row(dim, d, moment, 1, g1);
    vec3_sub(c2, at->x[1], arm);
    vec3_cross(arm, d, moment);
    put_row(dim, d, moment, -1, g2);
}

static void row_about(size_t dim, const double d[3], double *g1, double *g2)
{
    const double none[3] = {0, 0, 0};
    put_row(dim, none, d, 1, g1);
    put_row(dim, none, d, -1, g2);
}

static double angle_between(const joint *k, const double *q)
{
    double angle = -k->angle;
    for (int side = 0; side < 2; side++)
        if (k->slot[side] != NO_BODY)
            angle += (side == 0 ? 1 : -1) * q[3 * k->slot[side] + 2];
    return angle;
}

// axis number `which` of the joint on body 2
static void axis_of(const place *at, int which, double out[3])
{
    quat_rotate(at->turn[1], UNIT[which], out);
}

// the small rotation from the axes on body 2 to those on body 1, in world axes
static void twist(const place *at, double out[3])
{
    double back[4], q[4];
    quat_conjugate(at->turn[1], back);
    quat_multiply(at->turn[0], back, q);
    vec3_scale(q[0] < 0 ? -2 : 2, q + 1, out);
}

static double line_of(const place *at, double d[3])
{
    vec3_sub(at->p[0], at->p[1], d);
    double length = vec3_unit(d, d);
    // points that coincide have no direction: any will do
    if (!(length > 0))
        vec3_copy(UNIT[0], d);
    return length;
}

// the size of component c of a row on a body, moments over the body's radius
static double share_of(const bodies *b, uint32_t slot, const double *g, size_t c)
{
    return c < b->dim ? fabs(g[c]) : b->radius[slot] > 0 ? fabs(g[c]) / b->radius[slot] : 0;
}

/*
 * Of a row across the freedoms of a body rounding may be left along them: a slider along y on a body that is
 * free along y alone holds across (-1, 2e-16).  It is a row along which the body cannot move, not one that
 * needs 1e16 times the force.
 */
static void clear_rounding(const bodies *b, uint32_t slot, double *g)
{
    static const unsigned BIT[2][6] = {{MO_FREE_X, MO_FREE_Y, MO_FREE_ANGLE},
                                       {MO_FREE_X, MO_FREE_Y, MO_FREE_Z, MO_FREE_WX, MO_FREE_WY, MO_FREE_WZ}};
    const unsigned *bit = BIT[b->dim - 2], free = b->free[slot];
    double all = 0, movable = 0;
    for (size_t c = 0; c < b->nu; c++) {
        double share = share_of(b, slot, g, c);
        all = fmax(all, share);
        movable = free & bit[c] ? fmax(movable, share) : movable;
    }
    for (size_t c = 0; c < b->nu && movable <= NOTHING * all; c++)
        g[c] = free & bit[c] ? 0 : g[c];
}

// the same for a row on both bodies
static void clear_row(const bodies *b, const joint *k, double *g1, double *g2)
{
    for (int side = 0; side < 2; side++)
        if (k->slot[side] != NO_BODY && is_dynamic(b, k->slot[side]))
            clear_rounding(b, k->slot[side], side == 0 ? g1 : g2);
}

uint32_t joint_row_count(const mo_joint_def *def, size_t dim)
{
    static const uint32_t ROWS[2][6] = {[0] = {2, 2, 2, 3, 1, 1}, [1] = {5, 3, 5, 6, 1, 1}};
    bool rope = def->kind == MO_JOINT_DISTANCE && def->limited;
    return rope ? 0 : ROWS[dim - 2][def->kind];
}

// what rows are written to
typedef struct writer {
    size_t dim;
    const place *at;
    double (*G1)[6], (*G2)[6];
    double *value;
    uint32_t rows;
} writer;

static void write_along(writer *w, const double d[3], const double c[3])
{
    double apart[3];
    row_along(w->dim, w->at, d, c, c, w->G1[w->rows], w->G2[w->rows]);
    vec3_sub(w->at->p[0], w->at->p[1], apart);
    w->value[w->rows++] = vec3_dot(d, apart);
}

static void write_about(writer *w, const double d[3], double value)
{
    row_about(w->dim, d, w->G1[w->rows], w->G2[w->rows]);
    w->value[w->rows++] = value;
}

// no relative rotation
static void write_turns(writer *w, const joint *k, const double *q)
{
    double error[3];
    if (w->dim == 2) {
        write_about(w, UNIT[2], angle_between(k, q));
        return;
    }
    twist(w->at, error);
    for (int i = 0; i < 3; i++)
        write_about(w, UNIT[i], error[i]);
}

// axes in common, 3D
static void write_axes(writer *w)
{
    double mine[3], other[3], error[3], d[3];
    quat_rotate(w->at->turn[0], UNIT[0], mine);
    axis_of(w->at, 0, other);
    vec3_cross(other, mine, error);
    for (int i = 1; i < 3; i++) {
        axis_of(w->at, i, d);
        write_about(w, d, vec3_dot(d, error));
    }
}

static void fill_rows(const bodies *b, const joint *k, const double *q, double G[2][BLOCK_ROWS][6],
                      double value[BLOCK_ROWS])
{
    place at;
    place_of(b, k, q, &at);
    writer w = {b->dim, &at, G[0], G[1], value, 0};
    double d[3];
    switch (k->def.kind) {
    case MO_JOINT_HINGE:
    case MO_JOINT_BALL:
    case MO_JOINT_FIXED:
        for (size_t i = 0; i < b->dim; i++)
            write_along(&w, UNIT[i], at.mid);
        if (k->def.kind == MO_JOINT_FIXED)
            write_turns(&w, k, q);
        if (k->def.kind == MO_JOINT_HINGE && b->dim == 3)
            write_axes(&w);
        return;
    case MO_JOINT_SLIDER:
        for (int i = 1; i < (int)b->dim; i++) {
            axis_of(&at, i, d);
            write_along(&w, d, at.p[0]);
        }
        write_turns(&w, k, q);
        return;
    default:
        value[0] = line_of(&at, d) - k->def.length;
        row_along(b->dim, &at, d, at.p[0], at.p[1], G[0][0], G[1][0]);
    }
}

void joint_fill(const bodies *b, const joint *k, const double *q, double G[2][BLOCK_ROWS][6],
                double value[BLOCK_ROWS])
{
    fill_rows(b, k, q, G, value);
    for (uint32_t r = 0; r < joint_row_count(&k->def, b->dim); r++)
        clear_row(b, k, G[0][r], G[1][r]);
}

static double fill_free_row(const bodies *b, const joint *k, const double *q, double G[2][6])
{
    place at;
    double d[3], apart[3];
    memset(G, 0, 2 * 6 * sizeof(double));
    place_of(b, k, q, &at);
    switch (k->def.kind) {
    case MO_JOINT_HINGE:
        axis_of(&at, 0, d);
        row_about(b->dim, b->dim == 2 ? UNIT[2] : d, G[0], G[1]);
        if (b->dim == 2)
            return angle_between(k, q);
        double back[4], rel[4];
        quat_conjugate(at.turn[1], back);
        quat_multiply(back, at.turn[0], rel);
        // in (-pi, pi]
        return 2 * atan2(rel[0] < 0 ? -rel[1] : rel[1], fabs(rel[0]));
    case MO_JOINT_SLIDER:
        axis_of(&at, 0, d);
        row_along(b->dim, &at, d, at.p[0], at.p[0], G[0], G[1]);
        vec3_sub(at.p[0], at.p[1], apart);
        return vec3_dot(d, apart);
    case MO_JOINT_DISTANCE:
    case MO_JOINT_SPRING: {
        double length = line_of(&at, d);
        row_along(b->dim, &at, d, at.p[0], at.p[1], G[0], G[1]);
        return length;
    }
    default:
        return 0;
    }
}

double joint_free_row(const bodies *b, const joint *k, const double *q, double G[2][6])
{
    double value = fill_free_row(b, k, q, G);
    clear_row(b, k, G[0], G[1]);
    return value;
}

double joint_velocity(const bodies *b, const joint *k, const double *g1, const double *g2, const double *u,
                      bool boundaries)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        const uint32_t slot = k->slot[side];
        const double *g = side == 0 ? g1 : g2;
        if (slot == NO_BODY || (boundaries && is_dynamic(b, slot)))
            continue;
        for (size_t c = 0; c < b->nu; c++)
            sum += g[c] * u[b->nu * slot + c];
    }
    return sum;
}

double joint_flow(const bodies *b, const joint *k, const double *q, const double L[9], const double *g1)
{
    place at;
    double l[3], flow[3], sum = 0;
    place_of(b, k, q, &at);
    vec3_sub(at.x[0], at.x[1], l);
    cell_apply(L, l, b->dim, flow);
    for (size_t c = 0; c < b->dim; c++)
        sum += g1[c] * flow[c];
    return sum;
}

double joint_value(const bodies *b, const joint *k, const double *q)
{
    double G[2][6];
    return joint_free_row(b, k, q, G);
}

double joint_rate(const bodies *b, const joint *k, const double L[9])
{
    double G[2][6];
    joint_free_row(b, k, b->q, G);
    double sum = L != NULL ? joint_flow(b, k, b->q, L, G[0]) : 0;
    for (int side = 0; side < 2; side++) {
        const uint32_t slot = k->slot[side];
        double u[6] = {0};
        if (slot == NO_BODY)
            continue;
        memcpy(u, &b->u[b->nu * slot], b->nu * sizeof *u);
        if (b->dim == 3)
            body_spin_world(b, slot, &b->q[7 * slot], u + 3, u + 3);
        for (size_t c = 0; c < b->nu; c++)
            sum += G[side][c] * u[c];
    }
    return sum;
}

double joint_share(const bodies *b, const joint *k)
{
    place at;
    double apart[3], along[3] = {0, 0, 0}, most = 0;
    if (b->cell == NULL)
        return 0;
    place_of(b, k, b->q, &at);
    vec3_sub(at.p[0], at.p[1], apart);
    cell_apply(b->cell->inverse, apart, b->dim, along);
    for (size_t e = 0; e < b->dim; e++)
        most = b->cell->along[e] ? fmax(most, fabs(along[e])) : most;
    return most;
}

void joint_point(const bodies *b, const joint *k, double out[3])
{
    place at;
    place_of(b, k, b->q, &at);
    vec3_copy(at.p[0], out);
}

void joint_add_load(const bodies *b, joint *k, const double *q, const double *g, double F)
{
    place at;
    double arm[3], moment[3], force[3] = {F * g[0], F * g[1], b->dim == 3 ? F * g[2] : 0};
    double torque[3] = {0, 0, b->dim == 2 ? F * g[2] : 0};
    place_of(b, k, q, &at);
    if (b->dim == 3)
        vec3_scale(F, g + 3, torque);
    // from the centre of mass to the joint's point
    vec3_sub(at.p[0], at.x[0], arm);
    vec3_cross(arm, force, moment);
    vec3_sub(torque, moment, torque);
    vec3_add(k->force, force, k->force);
    vec3_add(k->torque, torque, k->torque);
}
