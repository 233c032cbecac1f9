/*
 * One contact of the step problem in 3D: velocities and spins in world axes.
 */
#include "dynamics/assemble.h"
#include "math/vec3.h"
#include "problem/apply.h"
#include "solver/contact_row3.h"

// adds sign times the velocity that the body at lever arm r has there at the start of the step
static void add_start(const bodies *b, const stage_data *d, const contact_set *c, size_t i, int which,
                      const double r[3], double sign, double V[3])
{
    const uint32_t slot = which == 0 ? c->slot1[i] : c->slot2[i];
    add_point_velocity(start_velocity(b, d, slot), r, sign, V);
}

// components along n, t and n x t
static void components(const contact_row3 *row, const double V[3], double U[3])
{
    double s[3];
    vec3_cross(row->n, row->t, s);
    vec3_set(U, vec3_dot(row->n, V), vec3_dot(row->t, V), vec3_dot(s, V));
}

// w: what neither body's unknown velocity gives; U_I: velocity at the start of the step, where a law asks
static void start_velocities(const bodies *b, const mo_law *law, const contact_set *c, size_t i,
                             const stage_data *d, const contact_row3 *row, double w[3], double U_I[3])
{
    const int first = is_turned(b, c, i) ? 1 : 0;
    const bool bounces = law->restitution != 0 || law->tangential_restitution != 0;
    const double zero[3] = {0, 0, 0};
    double V1[3] = {0, 0, 0}, V2[3] = {0, 0, 0};
    vec3_copy(zero, w);
    vec3_copy(zero, U_I);
    if (row->body[1] == UINT32_MAX || bounces)
        add_start(b, d, c, i, 1 - first, row->r2, 1, V2);
    if (row->body[1] == UINT32_MAX) {
        components(row, V2, w);
        vec3_scale(-1, w, w);
    }
    if (d->cell != NULL) {
        double flow[3] = {0, 0, 0};
        add_flow(b, c, i, d, d->cell->after, row_sign(b, c, i), flow);
        components(row, flow, w);
    }
    if (!bounces)
        return;
    // the law holds for U_F + rho U_I, U_I at the start of the step (docs/theory/contact.md §3)
    add_start(b, d, c, i, first, row->r1, 1, V1);
    vec3_sub(V1, V2, V1);
    if (d->cell != NULL)
        add_flow(b, c, i, d, d->cell->before, row_sign(b, c, i), V1);
    components(row, V1, U_I);
}

void fill_row3(const bodies *b, const mo_law *law, const contact_set *c, size_t i, const stage_data *d)
{
    contact_row3 *row = &d->problem.row3[d->row[i]];
    const bool turned = is_turned(b, c, i);
    const uint32_t first = turned ? c->slot2[i] : c->slot1[i], second = turned ? c->slot1[i] : c->slot2[i];
    const bool two = is_dynamic(b, second);
    const double *normal = &c->normal[3 * i], sign = turned ? -1 : 1, rate = radius_rate(b, c, i);
    double t[3], U_I[3], w[3], ratio = 1;
    *row = (contact_row3){.body = {first, two ? second : UINT32_MAX}};
    if (law_is_turned(law))
        ratio = special_tangent(b, law, c, i, d->q_mid, t);
    else
        tangent_of(normal, t);
    row->ratio = ratio;
    vec3_scale(sign, normal, row->n);
    vec3_scale(sign, t, row->t);
    contact_arm(c, 3, i, turned ? 1 : 0, &d->q_mid[7 * (size_t)first], row->r1);
    contact_arm(c, 3, i, turned ? 0 : 1, &d->q_mid[7 * (size_t)second], row->r2);
    start_velocities(b, law, c, i, d, row, w, U_I);
    if (!two)
        vec3_set(row->r2, 0, 0, 0);
    row->shift[0] =
        normal_shift(d, is_held(d, law, c, i), c->gap[i], w[0] + rate, law->restitution, U_I[0] + rate);
    row->shift[1] = w[1] + law->tangential_restitution * U_I[1];
    row->shift[2] = ratio * (w[2] + law->tangential_restitution * U_I[2]);
}

void prepare_rows3(const stage_data *d, size_t begin, size_t end)
{
    const step_problem *p = &d->problem;
    contact_row3 *row[ROWS3];
    contact3 *block[ROWS3];
    double mu[ROWS3];
    for (size_t i = begin; i < end; i++) {
        const uint32_t r = d->row[i];
        row[i - begin] = &p->row3[r];
        block[i - begin] = &p->block3[r];
        mu[i - begin] = p->mu[r];
    }
    contact_rows3_prepare(row, block, end - begin, p->velocity3, mu);
}
