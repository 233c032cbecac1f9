/*
 * One contact of the step problem in 2D.
 */
#include "dynamics/assemble.h"
#include "solver/contact2d.h"

// rows of G for one body at lever arm r: (n, r×n) and (t, r×t)
static void arms(const double n[2], double rx, double ry, double out[2])
{
    out[0] = rx * n[1] - ry * n[0];
    out[1] = rx * n[0] + ry * n[1];
}

// (U_N, U_T) that a body's velocity u gives
static void body_part(const double n[2], const double arm[2], const double u[3], double U[2])
{
    U[0] = n[0] * u[0] + n[1] * u[1] + arm[0] * u[2];
    U[1] = n[0] * u[1] - n[1] * u[0] + arm[1] * u[2];
}

// adds G A⁻¹ G* of one body to H
static inline void add_block(const double n[2], const double arm[2], const double inv[3], double H[3])
{
    H[0] += inv[0] * n[0] * n[0] + inv[1] * n[1] * n[1] + inv[2] * arm[0] * arm[0];
    H[1] += (inv[1] - inv[0]) * n[0] * n[1] + inv[2] * arm[0] * arm[1];
    H[2] += inv[0] * n[1] * n[1] + inv[1] * n[0] * n[0] + inv[2] * arm[1] * arm[1];
}

typedef struct side {
    uint32_t slot;
    double arm[2];
    double U[2]; /* its part of U at the start of the step (a boundary's: at mid step) */
} side;

static side make_side(const bodies *b, const stage_data *d, const double n[2], const contact_set *c, size_t i,
                      int which)
{
    const uint32_t slot = which == 0 ? c->slot1[i] : c->slot2[i];
    double r[2];
    const double *u = start_velocity(b, d, slot);
    side s = {.slot = slot};
    contact_arm(c, 2, i, which, &d->q_mid[3 * (size_t)slot], r);
    arms(n, r[0], r[1], s.arm);
    body_part(n, s.arm, u, s.U);
    return s;
}

// what the flow of a cell gives to U before and after
static void flow_part(const bodies *b, const stage_data *d, const contact_set *c, size_t i, const double n[2],
                      double U[2][2])
{
    for (int k = 0; k < 2 && d->cell != NULL; k++) {
        double V[2] = {0, 0};
        add_flow(b, c, i, d, k == 0 ? d->cell->before : d->cell->after, row_sign(b, c, i), V);
        U[k][0] = n[0] * V[0] + n[1] * V[1];
        U[k][1] = n[0] * V[1] - n[1] * V[0];
    }
}

void fill_row2(const bodies *b, const mo_law *law, const contact_set *c, size_t i, const stage_data *d)
{
    contact2 *out = &d->problem.contact[d->row[i]];
    uint32_t s1 = c->slot1[i], s2 = c->slot2[i];
    // written for the dynamic body when body 1 is a boundary
    bool turned = !is_dynamic(b, s1), two = !turned && is_dynamic(b, s2);
    double sign = turned ? -1 : 1, n[2] = {sign * c->normal[2 * i], sign * c->normal[2 * i + 1]};
    side first = make_side(b, d, n, c, i, turned ? 1 : 0), second = make_side(b, d, n, c, i, turned ? 0 : 1);
    *out = (contact2){
        .n = {n[0], n[1]}, .arm = {first.arm[0], first.arm[1], 0, 0}, .body = {first.slot, UINT32_MAX}};
    add_block(n, first.arm, &b->inv[3 * (size_t)first.slot], out->H);
    // w: what neither body's unknown velocity gives
    double rate = radius_rate(b, c, i), w[2] = {rate, 0};
    if (two) {
        add_block(n, second.arm, &b->inv[3 * (size_t)second.slot], out->H);
        out->arm[2] = second.arm[0];
        out->arm[3] = second.arm[1];
        out->body[1] = second.slot;
    } else {
        w[0] -= second.U[0];
        w[1] -= second.U[1];
    }
    double flow[2][2] = {{0, 0}, {0, 0}};
    flow_part(b, d, c, i, n, flow);
    w[0] += flow[1][0];
    w[1] += flow[1][1];
    // the law holds for U_F + rho U_I, U_I at the start of the step (docs/theory/contact.md §3)
    double U_I[2] = {first.U[0] - second.U[0] + rate + flow[0][0], first.U[1] - second.U[1] + flow[0][1]};
    out->shift[0] = normal_shift(d, is_held(d, law, c, i), c->gap[i], w[0], law->restitution, U_I[0]);
    out->shift[1] = w[1] + law->tangential_restitution * U_I[1];
    contact2_prepare(out, d->problem.mu[d->row[i]]);
}
