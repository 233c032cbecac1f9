#include "problem/extra.h"

#include <math.h>
#include <string.h>

#include "problem/apply.h"
#include "problem/certificate.h"

/* Numbers that responses may take in all; beyond, joints are corrected after every sweep instead. */
enum { RESPONSE_MOST = 1 << 24 };

static inline size_t nu_of(const step_problem *p)
{
    return p->dim == 2 ? 3 : 6;
}

/* ---- velocities ---------------------------------------------------------------------------------------- */

double box_velocity(const step_problem *p, size_t k)
{
    const box_row *r = &p->extra->box[k];
    double sum = r->shift;
    for (int side = 0; side < 2; side++)
        for (size_t c = 0; r->body[side] != NO_BODY && c < nu_of(p); c++)
            sum += r->G[side][c] * body_velocity(p, r->body[side])[c];
    return sum;
}

static void push_box_alone(const step_problem *p, const box_row *r, double change)
{
    for (int side = 0; side < 2; side++)
        for (size_t c = 0; r->body[side] != NO_BODY && c < nu_of(p); c++)
            body_velocity(p, r->body[side])[c] += r->GA[side][c] * change;
}

void box_push(const step_problem *p, size_t k, double change)
{
    const step_extra *e = p->extra;
    push_box_alone(p, &e->box[k], change);
    if (e->box[k].response != NO_RESPONSE)
        response_push(e->joints, p, &e->response[e->box[k].response], &change);
}

// axes of contact i in 3D: n, t, n×t
static void axes_of(const step_problem *p, size_t i, double out[9])
{
    vec3_copy(p->row3[i].n, out);
    vec3_copy(p->row3[i].t, out + 3);
    vec3_cross(out, out + 3, out + 6);
}

void turn_velocity(const step_problem *p, size_t i, double *out)
{
    const uint32_t *body = row_bodies(p, i);
    const step_extra *e = p->extra;
    const double *shift = &e->turn_shift[e->turns * i];
    const double *a = body_velocity(p, body[0]), *b = has_two(p, i) ? body_velocity(p, body[1]) : NULL;
    if (p->dim == 2) {
        out[0] = a[2] - (b != NULL ? b[2] : 0) + shift[0];
        return;
    }
    double spin[3], axes[9];
    vec3_copy(a + 3, spin);
    if (b != NULL)
        vec3_sub(spin, b + 3, spin);
    axes_of(p, i, axes);
    mat3_apply(axes, spin, out);
    vec3_add(out, shift, out);
}

static void push_turn_alone(const step_problem *p, size_t i, const double *change)
{
    const uint32_t *body = row_bodies(p, i);
    if (p->dim == 2) {
        p->velocity[body[0]].u[2] += p->velocity[body[0]].inv[2] * change[0];
        if (has_two(p, i))
            p->velocity[body[1]].u[2] -= p->velocity[body[1]].inv[2] * change[0];
        return;
    }
    double axes[9], M[3];
    const double none[3] = {0, 0, 0};
    axes_of(p, i, axes);
    mat3_apply_transposed(axes, change, M);
    push_body(&p->velocity3[body[0]], 0, none, 1, M);
    if (has_two(p, i))
        push_body(&p->velocity3[body[1]], 0, none, -1, M);
}

void turn_push(const step_problem *p, size_t i, const double *change)
{
    const step_extra *e = p->extra;
    push_turn_alone(p, i, change);
    if (e->felt_by == NULL || e->felt_by[i] == NO_RESPONSE)
        return;
    double all[6] = {0};
    memcpy(all + p->dim, change, e->turns * sizeof *all);
    response_push(e->joints, p, &e->response[e->felt_by[i]], all);
}

void extra_apply(const step_problem *p)
{
    const step_extra *e = p->extra;
    for (size_t i = 0; e->turns > 0 && i < p->contacts; i++)
        push_turn_alone(p, i, &e->R[e->turns * i]);
    for (size_t k = 0; k < e->boxes; k++)
        push_box_alone(p, &e->box[k], e->T[k]);
    if (e->joints != NULL)
        joined_solve(e->joints, p);
}

/* ---- resistance to rolling and spinning ------------------------------------------------------------------
 */

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/*
 * min ½ x.J x + b.x with |x| <= L, J = [xx xy; xy yy] >= 0: in the axes of J, x_k = -b_k/(s_k + lambda);
 * 1/|x| grows with lambda, concave and nearly straight: Newton's method for 1/|x| = 1/L from lambda = 0 comes
 * from the left and never passes the root.
 */
static void disc_solve(double xx, double xy, double yy, const double b[2], double L, double x[2])
{
    double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy), radius = hypot(half, xy);
    double turn = 0.5 * atan2(xy, half), c = cos(turn), s = sin(turn);
    double S[2] = {mean + radius, fmax(mean - radius, 0)}, lambda = 0;
    double d[2] = {c * b[0] + s * b[1], c * b[1] - s * b[0]}, y[2] = {0, 0}, size = hypot(d[0], d[1]);
    x[0] = x[1] = 0;
    if (!(L > 0) || !(size > 0))
        return;
    // where a freedom that is pushed has no inertia of its own, the root is beyond this
    for (int k = 0; k < 2; k++)
        if (d[k] != 0)
            lambda = fmax(lambda, fabs(d[k]) / L - S[k]);
    for (int round = 0; round < 60; round++) {
        double slope = 0;
        for (int k = 0; k < 2; k++) {
            y[k] = d[k] != 0 ? -d[k] / (S[k] + lambda) : 0;
            slope += d[k] != 0 ? y[k] * y[k] / (S[k] + lambda) : 0;
        }
        double now = hypot(y[0], y[1]), step = (now - L) * now * now / (L * slope);
        if (!(step > 1e-15 * (S[0] + lambda)))
            break;
        lambda += step;
    }
    double now = hypot(y[0], y[1]), scale = now > L ? L / now : 1;
    x[0] = scale * (c * y[0] - s * y[1]);
    x[1] = scale * (s * y[0] + c * y[1]);
}

void turn_solve(const step_problem *p, size_t i, const double *Omega, const double *R, double *out)
{
    const step_extra *e = p->extra;
    const double *J = e->J[i], SN = fmax(p->S[(size_t)p->dim * i], 0);
    const double roll = e->length[i][0] * SN, spin = e->length[i][1] * SN;
    if (p->dim == 2) {
        out[0] = J[0] > 0 ? clamp(R[0] - Omega[0] / J[0], -roll, roll) : 0;
        return;
    }
    out[0] = J[0] > 0 ? clamp(R[0] - Omega[0] / J[0], -spin, spin) : 0;
    // the spinning moment as it is now
    double change = out[0] - R[0];
    const double b[2] = {Omega[1] + J[1] * change - (J[3] * R[1] + J[4] * R[2]),
                         Omega[2] + J[2] * change - (J[4] * R[1] + J[5] * R[2])};
    disc_solve(J[3], J[4], J[5], b, roll, out + 1);
}

/* ---- making ready ----------------------------------------------------------------------------------------
 */

// the rows of contact i, then those of its turns, of both bodies
static void contact_rows(const step_problem *p, size_t i, double G[2][6][6])
{
    const size_t dim = (size_t)p->dim;
    double axes[9];
    memset(G, 0, 2 * 36 * sizeof(double));
    for (int side = 0; side < (has_two(p, i) ? 2 : 1); side++) {
        body_rows rows;
        rows_of(p, i, side, &rows);
        memcpy(G[side], rows.row, dim * sizeof rows.row[0]);
        double sign = side == 0 ? 1 : -1;
        if (p->extra->turns == 1)
            G[side][2][2] = sign;
        if (p->extra->turns != 3)
            continue;
        axes_of(p, i, axes);
        for (size_t r = 0; r < 3; r++)
            vec3_scale(sign, axes + 3 * r, &G[side][3 + r][3]);
    }
}

// J of contact i without joints
static void turn_block(const step_problem *p, size_t i, double J[6])
{
    const uint32_t *body = row_bodies(p, i);
    memset(J, 0, 6 * sizeof *J);
    for (int side = 0; side < (has_two(p, i) ? 2 : 1); side++) {
        if (p->dim == 2) {
            J[0] += p->velocity[body[side]].inv[2];
            continue;
        }
        double axes[9], x[3];
        axes_of(p, i, axes);
        for (int r = 0, k = 0; r < 3; r++) {
            symmetric3_times(p->velocity3[body[side]].inv_I, axes + 3 * r, x);
            for (int s = r; s < 3; s++, k++)
                J[k] += vec3_dot(x, axes + 3 * s);
        }
    }
}

static void prepare_box(const step_problem *p, box_row *r)
{
    r->H = 0;
    r->response = NO_RESPONSE;
    for (int side = 0; side < 2; side++) {
        if (r->body[side] == NO_BODY)
            continue;
        row_times_inverse(p, r->body[side], r->G[side], r->GA[side]);
        for (size_t c = 0; c < nu_of(p); c++)
            r->H += r->G[side][c] * r->GA[side][c];
    }
}

// bodies of a row, the one that is there first
static void bodies_in_order(const uint32_t body[2], uint32_t out[2], int order[2])
{
    order[0] = body[0] == NO_BODY;
    order[1] = 1 - order[0];
    out[0] = body[order[0]];
    out[1] = body[order[1]];
}

static bool respond_to_box(const step_problem *p, box_row *r, arena *a)
{
    step_extra *e = p->extra;
    uint32_t body[2];
    int order[2];
    bodies_in_order(r->body, body, order);
    if (body[0] == NO_BODY || !joined_touches(e->joints, body))
        return true;
    double(*const G[2])[6] = {&r->G[order[0]], &r->G[order[1]]};
    response *out = &e->response[e->responses];
    if (!joined_respond(e->joints, p, body, 1, G, a, out))
        return false;
    r->response = (uint32_t)e->responses++;
    double felt = response_along(e->joints, p, out, body, 0, r->G[order[0]], r->G[order[1]]);
    // what joints hold altogether
    r->H = r->H + felt > 1e-12 * r->H ? r->H + felt : 0;
    return true;
}

static bool respond_to_contact(step_problem *p, size_t i, contact_feels *feels, arena *a)
{
    step_extra *e = p->extra;
    const uint32_t *body = row_bodies(p, i);
    double G[2][6][6], Z[6][6];
    e->felt_by[i] = NO_RESPONSE;
    if (!joined_touches(e->joints, body))
        return true;
    const uint32_t columns = (uint32_t)p->dim + (uint32_t)e->turns;
    response *out = &e->response[e->responses];
    contact_rows(p, i, G);
    double(*const rows[2])[6] = {G[0], G[1]};
    if (!joined_respond(e->joints, p, body, columns, rows, a, out))
        return false;
    e->felt_by[i] = (uint32_t)e->responses++;
    for (uint32_t r = 0; r < columns; r++)
        for (uint32_t c = 0; c < columns; c++)
            Z[r][c] = response_along(e->joints, p, out, body, c, G[0][r], G[1][r]);
    feels(p, i, Z);
    if (e->turns == 1)
        e->J[i][0] = fmax(e->J[i][0] + Z[2][2], 0);
    for (int r = 0, k = 0; e->turns == 3 && r < 3; r++)
        for (int s = r; s < 3; s++, k++)
            e->J[i][k] += 0.5 * (Z[3 + r][3 + s] + Z[3 + s][3 + r]);
    return true;
}

// whether all responses together are few enough
static bool worth_feeling(const step_problem *p)
{
    const step_extra *e = p->extra;
    size_t room = 0;
    for (size_t i = 0; i < p->contacts && room <= RESPONSE_MOST; i++)
        room += ((size_t)p->dim + e->turns) * response_room(e->joints, p, row_bodies(p, i));
    return room <= RESPONSE_MOST;
}

static bool prepare_responses(step_problem *p, contact_feels *feels, arena *a)
{
    step_extra *e = p->extra;
    bool feel = worth_feeling(p);
    size_t most = e->boxes + (feel ? p->contacts : 0);
    e->responses = 0;
    e->response = arena_push(a, most, sizeof *e->response);
    e->felt_by = feel ? arena_push(a, p->contacts, sizeof *e->felt_by) : NULL;
    if (e->response == NULL || (feel && e->felt_by == NULL))
        return false;
    for (size_t k = 0; k < e->boxes; k++)
        if (!respond_to_box(p, &e->box[k], a))
            return false;
    for (size_t i = 0; feel && i < p->contacts; i++)
        if (!respond_to_contact(p, i, feels, a))
            return false;
    return true;
}

bool extra_prepare(step_problem *p, contact_feels *feels, arena *a)
{
    step_extra *e = p->extra;
    for (size_t i = 0; e->turns > 0 && i < p->contacts; i++)
        turn_block(p, i, e->J[i]);
    for (size_t k = 0; k < e->boxes; k++)
        prepare_box(p, &e->box[k]);
    if (e->joints == NULL)
        return true;
    joined_factor(e->joints, p);
    return prepare_responses(p, feels, a);
}

/* ---- certificate ------------------------------------------------------------------------------------------
 */

typedef struct extra_sums {
    double miss, size, q; /* squares, J */
} extra_sums;

static void add_box(const step_problem *p, size_t k, extra_sums *sum)
{
    const box_row *r = &p->extra->box[k];
    double T = p->extra->T[k], q = r->shift, terms = fabs(r->shift);
    for (int side = 0; side < 2; side++)
        for (size_t c = 0; r->body[side] != NO_BODY && c < nu_of(p); c++) {
            q += r->G[side][c] * p->u_free[nu_of(p) * r->body[side] + c];
            terms += fabs(r->G[side][c] * body_velocity(p, r->body[side])[c]);
        }
    if (!(r->H > 0))
        return;
    double U = beyond_rounding(box_velocity(p, k), terms);
    double miss = T - clamp(T - U / r->H, r->low, r->high);
    sum->miss += r->H * miss * miss;
    sum->size += r->H * T * T;
    sum->q += q * q / r->H;
}

static void add_turn(const step_problem *p, size_t i, extra_sums *sum)
{
    const step_extra *e = p->extra;
    double Omega[3], better[3];
    const double *R = &e->R[e->turns * i], *J = e->J[i];
    const double S_N = p->S[(size_t)p->dim * i], weight = e->turns == 1 ? J[0] : fmax(J[0], J[3] + J[5]);
    turn_velocity(p, i, Omega);
    turn_solve(p, i, Omega, R, better);
    for (size_t k = 0; k < e->turns; k++) {
        const double l = e->length[i][k == 0 && e->turns == 3];
        sum->miss += weight * (R[k] - better[k]) * (R[k] - better[k]);
        sum->size += weight * R[k] * R[k];
        // what the contact can do at most, and no more than the weight of its impulse: where nothing turns
        // moments and spins are rounding
        sum->q += fmin(weight * l * l, 1 / contact_rho(p, i)) * S_N * S_N;
    }
}

double extra_residual(const step_problem *p)
{
    const step_extra *e = p->extra;
    extra_sums sum = {0, 0, 0};
    bool still = false;
    if (e->joints != NULL)
        still = joined_miss(e->joints, p, &sum.miss, &sum.size, &sum.q);
    for (size_t k = 0; k < e->boxes; k++)
        add_box(p, k, &sum);
    for (size_t i = 0; e->turns > 0 && i < p->contacts; i++)
        add_turn(p, i, &sum);
    double size = fmax(sum.size, sum.q);
    double residual = size > 0 ? sqrt(sum.miss / size) : sqrt(sum.miss);
    // what no impulse changes is missed by all of it
    return still && residual < 1 ? 1 : residual;
}

void extra_weights(const step_problem *p, double *weight)
{
    const step_extra *e = p->extra;
    for (size_t i = 0; i < e->turns * p->contacts; i++) {
        const double *J = e->J[i / e->turns];
        weight[i] = e->turns == 1 ? J[0] : fmax(J[0], J[3] + J[5]);
    }
    for (size_t k = 0; k < e->boxes; k++)
        weight[e->turns * p->contacts + k] = e->box[k].H;
}
