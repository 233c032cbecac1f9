#include "solver/extra_sweep.h"

#include "problem/apply.h"
#include "problem/law.h"
#include "solver/contact2d.h"
#include "solver/contact_row3.h"

// the block of a contact's own law, by rows
static void feel_law(const step_problem *p, size_t i, const double *H)
{
    row_law *l = p->law != NULL ? (row_law *)&p->law[i] : NULL;
    for (int k = 0; l != NULL && k < p->dim * p->dim; k++)
        l->H[k] = H[k];
}

static void feel3(step_problem *p, size_t i, double (*Z)[6])
{
    double H[9];
    for (int k = 0; k < 9; k++)
        H[k] = p->block3[i].H[k] + 0.5 * (Z[k / 3][k % 3] + Z[k % 3][k / 3]);
    contact_row3_set_block(&p->row3[i], &p->block3[i], H, p->mu[i]);
    feel_law(p, i, H);
}

void contact_feel(step_problem *p, size_t i, double (*Z)[6])
{
    if (p->dim == 3) {
        feel3(p, i, Z);
        return;
    }
    contact2 *c = &p->contact[i];
    c->H[0] += Z[0][0];
    c->H[1] += 0.5 * (Z[0][1] + Z[1][0]);
    c->H[2] += Z[1][1];
    contact2_prepare(c, p->mu[i]);
    const double H[4] = {c->H[0], c->H[1], c->H[1], c->H[2]};
    feel_law(p, i, H);
}

static bool is_felt(const step_problem *p, size_t i)
{
    return p->extra->felt_by != NULL && p->extra->felt_by[i] != NO_RESPONSE;
}

// contacts of which some are left for later; data: how one is relaxed
static void relax_free(const contact_range *r)
{
    range_fn *const *relax = r->data;
    for (size_t i = r->begin; i < r->end; i++)
        if (!is_felt(r->p, i))
            (*relax)(&(contact_range){r->p, i, i + 1, r->two, false, NULL});
}

static void relax_felt(const step_problem *p, size_t i, range_fn *relax)
{
    const size_t dim = (size_t)p->dim;
    const contact_range one = {p, i, i + 1, has_two(p, i), false, NULL};
    double change[6] = {0}, *S = &p->S[dim * i];
    for (size_t k = 0; k < dim; k++)
        change[k] = -S[k];
    relax(&one);
    for (size_t k = 0; k < dim; k++)
        change[k] += S[k];
    response_push(p->extra->joints, p, &p->extra->response[p->extra->felt_by[i]], change);
}

static void relax_turn(const step_problem *p, size_t i)
{
    const step_extra *e = p->extra;
    double Omega[3], change[3], *R = &e->R[e->turns * i];
    turn_velocity(p, i, Omega);
    turn_solve(p, i, Omega, R, change);
    for (size_t k = 0; k < e->turns; k++) {
        double new = change[k];
        change[k] -= R[k];
        R[k] = new;
    }
    turn_push(p, i, change);
}

static void relax_turns(const contact_range *r)
{
    for (size_t i = r->begin; i < r->end; i++)
        if (!is_felt(r->p, i))
            relax_turn(r->p, i);
}

static void relax_box(const step_problem *p, size_t k)
{
    const box_row *r = &p->extra->box[k];
    double *T = &p->extra->T[k], new = r->H > 0 ? *T - box_velocity(p, k) / r->H : 0;
    new = new < r->low ? r->low : new > r->high ? r->high : new;
    box_push(p, k, new - *T);
    *T = new;
}

void extra_sweep(step_problem *p, pool *threads, range_fn *relax)
{
    const step_extra *e = p->extra;
    if (e->felt_by == NULL)
        for_contacts(p, threads, 1, relax, NULL);
    else
        for_contacts(p, threads, 1, relax_free, &relax);
    if (e->turns > 0)
        for_contacts(p, threads, 1, relax_turns, NULL);
    for (size_t i = 0; e->felt_by != NULL && i < p->contacts; i++)
        if (is_felt(p, i)) {
            relax_felt(p, i, relax);
            if (e->turns > 0)
                relax_turn(p, i);
        }
    if (e->joints != NULL && e->felt_by == NULL)
        joined_correct(e->joints, p);
    for (size_t k = 0; k < e->boxes; k++)
        relax_box(p, k);
}
