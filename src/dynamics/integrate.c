/*
 * integrate: the end of the step.  q_f = q_i + h((1 - theta) u_i + theta u_f), which for theta = 1/2 is
 * q_f = q_mid + h/2 u_f (M99 §8.3).
 *
 * Energy: u_f - u_i = A⁻¹(h F + Σ G* S) gives exactly
 *   ΔK = h F.ū + Σ S.(Ū - w),   ū, Ū means of start and end;
 * -Ū.S is the loss (M99 (48)), -w.S the work of boundaries.  In 3D start and end are those of the middle of
 * the step, where loads and contacts act; the free halves keep K.
 *
 * Impulses are taken from the answer first: the velocities of contacts are written where it stands.  Contacts
 * and bodies are done in chunks, whose sums are added in order.  Forces are summed in the order of the
 * contacts, chunk after chunk.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/wide.h"
#include "dynamics/contact_place.h"
#include "dynamics/integrate.h"
#include "dynamics/joints.h"
#include "dynamics/rotate.h"
#include "math/vec3.h"
#include "problem/apply.h"
#include "problem/kernels.h"

/* contacts and bodies of a chunk */
enum { CONTACTS = 8 * FINISH_BLOCK, BODIES = 1024 };

// what the impulse S does to the bodies of a contact
static inline void shove_of(size_t dim, const contact_place *p, const double *S, double *out)
{
    if (dim == 2) {
        contact_to_world2(p->axes, S, out);
        out[2] = p->r[0][0] * out[1] - p->r[0][1] * out[0];
        out[3] = -(p->r[1][0] * out[1] - p->r[1][1] * out[0]);
        return;
    }
    mat3_apply_transposed(p->axes, S, out);
    vec3_cross(p->r[0], out, out + 3);
    vec3_cross(out, p->r[1], out + 6);
}

/* contacts between asking for an impulse and taking it */
enum { AHEAD = 24 };

// impulses and status of contacts from the answer, under Coulomb's law
static inline void take_impulses(size_t dim, const finish *f, size_t begin, size_t end)
{
    const step_problem *p = &f->d->problem;
    const uint32_t *row = f->d->row;
    contact_set *c = f->c;
    for (size_t i = begin; i < end; i++) {
        double *S = &c->S[dim * i];
        __builtin_prefetch(row_impulse(p, row[i + AHEAD < end ? i + AHEAD : i]));
        turn_impulse(dim, is_turned(f->b, c, i), row_impulse(p, row[i]), S);
        c->status[i] = (uint8_t)cone_status((int)dim, S, row_mu(p, row[i]));
    }
}

static void answer_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const finish *f = data;
    (void)chunk;
    if (f->d->special != NULL)
        for (size_t i = begin; i < end; i++)
            special_finish(f->b, f->c, i, f->d);
    else if (f->b->dim == 2)
        take_impulses(2, f, begin, end);
    else
        take_impulses(3, f, begin, end);
}

// the parts of U that the flow of a cell gives before and after, and their mean
static void flow_part(size_t dim, const finish *f, size_t i, const contact_place *p, double *U_I, double *U,
                      double *w)
{
    double V[2][3] = {{0, 0, 0}, {0, 0, 0}}, part[3];
    for (int k = 0; k < 2; k++) {
        add_flow(f->b, f->c, i, f->d, k == 0 ? f->d->cell->before : f->d->cell->after, 1, V[k]);
        to_axes(dim, p, V[k], part);
        for (size_t a = 0; a < dim; a++) {
            (k == 0 ? U_I : U)[a] += part[a];
            w[a] += 0.5 * part[a];
        }
    }
}

// results of contact i: velocity, what it does to its bodies, loss, boundary work
static inline void finish_contact(size_t dim, const finish *f, size_t i, double *shove, step_energy *out)
{
    const stage_data *d = f->d;
    contact_set *c = f->c;
    contact_place p;
    // some boundary or radius may move
    const bool moving = f->b->function_count > 0 || d->cell != NULL;
    double U_I[3], w[3] = {0, 0, 0}, *U = &c->U[dim * i];
    const double *S = &c->S[dim * i];
    place_contact(dim, c, i, d->q_mid, &p);
    const size_t k1 = nu_of(dim) * p.slot[0], k2 = nu_of(dim) * p.slot[1];
    relative_velocity(dim, &p, &f->u_f[k1], &f->u_f[k2], U);
    relative_velocity(dim, &p, velocity_before(f, p.slot[0], nu_of(dim)),
                      velocity_before(f, p.slot[1], nu_of(dim)), U_I);
    if (moving) {
        double rate = radius_rate(f->b, c, i);
        U[0] += rate;
        U_I[0] += rate;
        boundary_part(dim, f->b, f->c, i, f->u_f, &p, w);
    }
    if (d->cell != NULL)
        flow_part(dim, f, i, &p, U_I, U, w);
    shove_of(dim, &p, S, shove);
    if (d->ahead) {
        double depth = -(c->gap[i] + d->h * (U[0] - w[0]));
        out->depth = depth > out->depth ? depth : out->depth;
    }
    out->impact -= 0.5 * (U_I[0] + U[0]) * S[0];
    for (size_t k = 1; k < dim; k++)
        out->friction -= 0.5 * (U_I[k] + U[k]) * S[k];
    for (size_t k = 0; moving && k < dim; k++)
        out->work -= w[k] * S[k];
}

// what contacts [begin, end) do to their bodies, in order; shove: that of the first one
static void add_shoves2(const contact_set *c, size_t begin, size_t end, const double *restrict shove,
                        double *restrict force)
{
    const uint32_t *slot1 = c->slot1, *slot2 = c->slot2;
    for (size_t i = begin; i < end;) {
        // contacts of one first body follow each other
        const uint32_t first = slot1[i];
        double *f1 = &force[3 * first], x = f1[0], y = f1[1], turn = f1[2];
        for (; i < end && slot1[i] == first; i++, shove += SHOVE2) {
            double *f2 = &force[3 * slot2[i]];
            x += shove[0];
            y += shove[1];
            turn += shove[2];
            f2[0] -= shove[0];
            f2[1] -= shove[1];
            f2[2] += shove[3];
        }
        f1[0] = x;
        f1[1] = y;
        f1[2] = turn;
    }
}

static void add_shoves3(const contact_set *c, size_t begin, size_t end, const double *restrict shove,
                        double *restrict force)
{
    const uint32_t *slot1 = c->slot1, *slot2 = c->slot2;
    for (size_t i = begin; i < end;) {
        const uint32_t first = slot1[i];
        double sum[6];
        memcpy(sum, &force[6 * first], sizeof sum);
        for (; i < end && slot1[i] == first; i++, shove += SHOVE3) {
            double *f2 = &force[6 * slot2[i]];
            for (size_t k = 0; k < 6; k++)
                sum[k] += shove[k];
            for (size_t k = 0; k < 3; k++) {
                f2[k] -= shove[k];
                f2[3 + k] += shove[6 + k];
            }
        }
        memcpy(&force[6 * first], sum, sizeof sum);
    }
}

static inline void add_shoves(size_t dim, const contact_set *c, size_t begin, size_t end,
                              const double *restrict shove, double *restrict force)
{
    if (dim == 2)
        add_shoves2(c, begin, end, shove, force);
    else
        add_shoves3(c, begin, end, shove, force);
}

static inline void add_one(size_t dim, const contact_set *c, size_t i, const double *q_mid, double *sums)
{
    contact_place p;
    double shove[SHOVE_MAX];
    place_contact(dim, c, i, q_mid, &p);
    shove_of(dim, &p, &c->S[dim * i], shove);
    add_shoves(dim, c, i, i + 1, shove, sums);
}

void add_impulse(const contact_set *c, size_t i, const double *q_mid, double *sums)
{
    if (c->dim == 2)
        add_one(2, c, i, q_mid, sums);
    else
        add_one(3, c, i, q_mid, sums);
}

static inline bool is_round(const finish *f, size_t i)
{
    return f->plain & f->b->lone[f->c->slot1[i]] & f->b->lone[f->c->slot2[i]];
}

// contacts at[count] between lone discs or spheres; shove: that of contact `first`
static inline void finish_lone(size_t dim, const finish *f, const uint32_t *at, size_t count, size_t first,
                               double *shove, step_energy *out)
{
    const contact_set *c = f->c;
    double loss[2][LANES] = {{0}, {0}};
    const round_ends ends = {.count = c->count,
                             .slot1 = c->slot1,
                             .slot2 = c->slot2,
                             .normal = c->normal,
                             .S = c->S,
                             .gap = c->gap,
                             .radius = f->b->radius,
                             .after = f->u_f,
                             .before = f->d->u_start,
                             .force = f->b->force,
                             .U = c->U,
                             .shove = shove,
                             .first = first};
    finish_round((int)dim, &ends, at, count, loss);
    for (size_t j = 0; j < LANES; j++) {
        out->impact += loss[0][j];
        out->friction += loss[1][j];
    }
}

// the contacts of a block: those of lone bodies together, the others one by one
static inline void finish_block(size_t dim, const finish *f, size_t begin, size_t end, double *shove,
                                step_energy *out)
{
    uint32_t round[FINISH_BLOCK + 1];
    size_t rounds = 0;
    round[0] = 0;
    for (size_t i = begin; i < end; i++) {
        const bool r = is_round(f, i);
        round[rounds] = (uint32_t)i;
        rounds += r;
        if (!r)
            finish_contact(dim, f, i, &shove[shove_numbers(dim) * (i - begin)], out);
    }
    if (rounds > 0)
        finish_lone(dim, f, round, rounds, begin, shove, out);
}

// where what the contacts of a chunk do to their bodies is kept
static double *shove_of_chunk(const finish *f, size_t chunk)
{
    return &f->shove[shove_numbers(f->b->dim) * CONTACTS * (chunk % f->window)];
}

static void contact_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const finish *f = data;
    double *shove = shove_of_chunk(f, chunk);
    step_energy sum = {0};
    for (size_t i = begin; i < end; i += FINISH_BLOCK) {
        const size_t stop = i + FINISH_BLOCK < end ? i + FINISH_BLOCK : end;
        // the dimension is a constant in each of the copies
        if (f->b->dim == 2)
            finish_block(2, f, i, stop, shove + SHOVE2 * (i - begin), &sum);
        else
            finish_block(3, f, i, stop, shove + SHOVE3 * (i - begin), &sum);
    }
    f->sum[chunk] = sum;
}

// chunks in their order, one at a time
static void force_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const finish *f = data;
    if (f->b->dim == 2)
        add_shoves(2, f->c, begin, end, shove_of_chunk(f, chunk), f->b->force);
    else
        add_shoves(3, f->c, begin, end, shove_of_chunk(f, chunk), f->b->force);
}

static inline void take_velocities(size_t dim, const finish *f, size_t begin, size_t end)
{
    const size_t nu = nu_of(dim);
    const step_problem *p = &f->d->problem;
    for (size_t i = begin; i < end; i++)
        if (is_dynamic(f->b, (uint32_t)i))
            memcpy(&f->u_f[nu * i], body_velocity(p, (uint32_t)i), nu * sizeof *f->u_f);
}

// velocities at the end of the step, and forces of 0, or of what is not in the problem
static void start_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const finish *f = data;
    const size_t nu = f->b->nu;
    (void)chunk;
    if (nu == 3)
        take_velocities(2, f, begin, end);
    else
        take_velocities(3, f, begin, end);
    double *force = &f->b->force[nu * begin];
    if (f->d->kept != NULL)
        memcpy(force, &f->d->kept[nu * begin], nu * (end - begin) * sizeof *force);
    else
        memset(force, 0, nu * (end - begin) * sizeof *force);
}

/* bodies whose balance is computed together, and its numbers */
enum { BODY_BLOCK = ROTATE_BLOCK, NUMBERS = 6 * BODY_BLOCK };

// diagonals of A and of A⁻¹ for the numbers of a block of bodies, 0 along freedoms that are not free and for
// bodies whose axes are not the world's
typedef struct diagonals {
    double A[NUMBERS], inverse[NUMBERS], gravity[NUMBERS];
} diagonals;

static inline void fill_diagonals(size_t dim, const bodies *b, const double *gravity, size_t begin,
                                  size_t end, diagonals *out)
{
    const size_t nu = nu_of(dim);
    for (size_t i = begin; i < end; i++) {
        const size_t at = nu * (i - begin);
        const bool here = is_dynamic(b, (uint32_t)i) && (dim == 2 || !b->oriented[i]);
        const double m = here ? b->mass[i] : 0, I = here ? b->inertia[dim == 2 ? i : 3 * i] : 0;
        const double inv_I = dim == 2 ? b->inv[3 * i + 2] : 1 / I;
        for (size_t k = 0; k < dim; k++) {
            out->A[at + k] = m;
            out->inverse[at + k] = here ? b->inv[3 * i + k] : 0;
            out->gravity[at + k] = gravity[k];
        }
        // the same inertia about all axes
        for (size_t k = dim; k < nu; k++) {
            const bool free = dim == 2 || b->free[i] & (unsigned)MO_FREE_WX << (k - dim);
            out->A[at + k] = I;
            out->inverse[at + k] = here && free ? inv_I : 0;
            out->gravity[at + k] = 0;
        }
    }
}

// the terms of the balance of one number, A u before and after
static inline imbalance balance_of(double before, double after, double hF, double P, double inverse)
{
    const double e = after - before - hF - P, p = fabs(after) + fabs(before) + fabs(hF) + fabs(P);
    return (imbalance){inverse * e * e, inverse * p * p};
}

/* sums taken side by side */
typedef struct lane_sums {
    double error[LANES], size[LANES], work[LANES];
} lane_sums;

// balance of number k of a block of bodies, and work of its load, to lane j; force from impulse
static inline void balance_number(const diagonals *D, size_t k, const stage_data *d, const double *at[3],
                                  double *force, size_t j, lane_sums *sums)
{
    const double u = at[0][k], v = at[1][k], load = at[2][k], hF = d->h * (D->A[k] * D->gravity[k] + load);
    const imbalance term = balance_of(D->A[k] * u, D->A[k] * v, hF, force[k], D->inverse[k]);
    sums->error[j] += term.error;
    sums->size[j] += term.size;
    // along what is not free something else keeps up the velocity
    const bool held = (D->A[k] > 0) & (D->inverse[k] == 0);
    sums->work[j] += d->h * load * 0.5 * (u + v) - (held ? (hF + force[k]) * 0.5 * (u + v) : 0);
    force[k] /= d->h;
}

// of `count` numbers; at: u before and after, load
WIDE static void balance_numbers(const diagonals *D, size_t count, const stage_data *d, const double *at[3],
                                 double *restrict force, lane_sums *restrict sums)
{
    size_t k = 0;
    for (; k + LANES <= count; k += LANES)
        for (size_t j = 0; j < LANES; j++)
            balance_number(D, k + j, d, at, force, j, sums);
    for (; k < count; k++)
        balance_number(D, k, d, at, force, 0, sums);
}

// A v of a body in 3D: momentum, and moment of momentum in world axes
static void momentum3(const bodies *b, const stage_data *d, size_t i, const double *v, double *out)
{
    const double *I = &b->inertia[3 * i], *q = &d->q_mid[7 * i];
    double w[3];
    vec3_scale(b->mass[i], v, out);
    body_spin_principal(b, i, q, v + 3, w);
    vec3_set(w, I[0] * w[0], I[1] * w[1], I[2] * w[2]);
    body_spin_world(b, i, q, w, out + 3);
}

// balance of a body with axes of its own; its force is still the impulse
static void balance_oriented(const finish *f, size_t i, lane_sums *sums)
{
    const bodies *b = f->b;
    const stage_data *d = f->d;
    double before[6], after[6], inverse[6], inv[6];
    momentum3(b, d, i, &d->u_start[6 * i], before);
    momentum3(b, d, i, &f->u_f[6 * i], after);
    body_inverse_inertia(b, i, &d->q_mid[7 * i], inverse);
    memcpy(inv, &b->inv[3 * i], 3 * sizeof *inv);
    vec3_set(inv + 3, inverse[0], inverse[3], inverse[5]);
    for (size_t k = 0; k < 6; k++) {
        double hF = d->h * ((k < 3 ? b->mass[i] * d->gravity[k] : 0) + body_load(b, i)[k]);
        const imbalance term = balance_of(before[k], after[k], hF, b->force[6 * i + k], inv[k]);
        sums->error[0] += term.error;
        sums->size[0] += term.size;
        if (k < 3 && inv[k] == 0)
            sums->work[0] -= 0.5 * (d->u_start[6 * i + k] + f->u_f[6 * i + k]) * (hF + b->force[6 * i + k]);
    }
}

// q_f and u_f in 2D, of all bodies: boundaries are put where they are afterwards
static void move_bodies2(bodies *b, const stage_data *d, size_t begin, size_t end, const double *restrict v)
{
    double *restrict q = b->q, *restrict u = b->u;
    for (size_t k = 3 * begin; k < 3 * end; k++) {
        if (d->theta == 0.5)
            q[k] = d->q_mid[k] + 0.5 * d->h * v[k];
        else
            q[k] += d->h * ((1 - d->theta) * u[k] + d->theta * v[k]);
        u[k] = v[k];
    }
}

// of the step, after contacts act: bernicot-lefebvre looks for them before any motion
static inline double free_rest(const stage_data *d)
{
    return d->ahead ? d->h : 0.5 * d->h;
}

// the same in 3D: from where contacts act on, the rest of the free motion; with another theta the body is
// moved and turned on by what the velocities changed there, h (theta - 1/2) of it.  Whether it is a ball that
// has still to turn by the rest
static inline bool move_body3(bodies *b, const stage_data *d, size_t i, const double *v)
{
    double *q = &b->q[7 * i], *u = &b->u[6 * i], w[3], turn[3];
    const double *mid = &d->q_mid[7 * i], *start = &d->u_start[6 * i];
    const double rest = free_rest(d), more = d->ahead ? 0 : (d->theta - 0.5) * d->h;
    vec3_add_scaled(mid, rest, v, q);
    if (more != 0) {
        vec3_add_scaled(q, more, v, q);
        vec3_add_scaled(q, -more, start, q);
    }
    memcpy(u, v, 6 * sizeof *u);
    memcpy(q + 3, mid + 3, 4 * sizeof *q);
    if (d->sleeping && !turns(v + 3) && !turns(start + 3))
        return false;
    body_spin_principal(b, i, mid, v + 3, w);
    if (more != 0) {
        vec3_sub(v + 3, start + 3, turn);
        vec3_scale(more, turn, turn);
        body_turn_by(b, i, turn, q, w);
    }
    if (!b->oriented[i])
        return true;
    body_rotate(b, i, rest, q, w);
    memcpy(u + 3, w, sizeof w);
    return false;
}

static inline void move_bodies3(const finish *f, size_t begin, size_t end)
{
    uint32_t ball[BODY_BLOCK];
    size_t balls = 0;
    for (size_t i = begin; i < end; i++)
        if (is_dynamic(f->b, (uint32_t)i) && move_body3(f->b, f->d, i, &f->u_f[6 * i]))
            ball[balls++] = (uint32_t)i;
    rotate_balls(ball, balls, free_rest(f->d), f->u_f, f->b->q);
}

static inline void finish_bodies(size_t dim, const finish *f, size_t begin, size_t end, lane_sums *sums)
{
    const size_t nu = nu_of(dim), at = nu * begin;
    const stage_data *d = f->d;
    diagonals D;
    D.A[0] = 0;
    fill_diagonals(dim, f->b, d->gravity, begin, end, &D);
    for (size_t i = begin; dim == 3 && i < end; i++)
        if (is_dynamic(f->b, (uint32_t)i) && f->b->oriented[i])
            balance_oriented(f, i, sums);
    static const double NONE[NUMBERS] = {0};
    const double *load = d->applied != NULL ? &d->applied[at] : NONE;
    balance_numbers(&D, nu * (end - begin), d, (const double *[]){&d->u_start[at], &f->u_f[at], load},
                    &f->b->force[at], sums);
    if (dim == 2)
        move_bodies2(f->b, d, begin, end, f->u_f);
    else
        move_bodies3(f, begin, end);
}

// balance, positions and velocities of bodies
static void body_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const finish *f = data;
    lane_sums sums = {{0}, {0}, {0}};
    for (size_t i = begin; i < end; i += BODY_BLOCK) {
        const size_t stop = i + BODY_BLOCK < end ? i + BODY_BLOCK : end;
        if (f->b->dim == 2)
            finish_bodies(2, f, i, stop, &sums);
        else
            finish_bodies(3, f, i, stop, &sums);
    }
    f->balance[chunk] = (imbalance){0, 0};
    f->sum[chunk] = (step_energy){0};
    for (size_t j = 0; j < LANES; j++) {
        f->balance[chunk].error += sums.error[j];
        f->balance[chunk].size += sums.size[j];
        f->sum[chunk].work += sums.work[j];
    }
}

// boundaries and radii at the end of the step, as predict found them
static void end_functions(bodies *b)
{
    for (size_t k = 0; k < b->function_count; k++) {
        const body_functions *f = &b->functions[k];
        if (f->motion != NULL) {
            memcpy(&b->q[b->nq * f->slot], f->end.q, b->nq * sizeof *f->end.q);
            memcpy(&b->u[b->nu * f->slot], f->end.u, b->nu * sizeof *f->end.u);
        }
        if (f->radius != NULL)
            body_set_radius(b, f->slot, f->end_radius);
    }
}

static void finish_contacts(finish *f, pool *threads, step_energy *out)
{
    parallel_for(threads, f->b->count, BODIES, start_chunk, f);
    parallel_for(threads, f->c->count, CONTACTS, answer_chunk, f);
    parallel_in_order(threads, f->c->count, CONTACTS, contact_chunk, force_chunk, f);
    for (size_t k = 0; k < chunk_count(f->c->count, CONTACTS); k++) {
        out->impact += f->sum[k].impact;
        out->friction += f->sum[k].friction;
        out->work += f->sum[k].work;
        out->depth = fmax(out->depth, f->sum[k].depth);
    }
}

// whether nothing but dynamic bodies has a velocity
static bool boundaries_rest(const bodies *b, const stage_data *d)
{
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = b->nu * i; b->kind[i] != MO_BODY_DYNAMIC && k < b->nu * (i + 1); k++)
            if (d->u_start[k] != 0 || d->u_free[k] != 0)
                return false;
    return true;
}

mo_status integrate(bodies *b, contact_set *c, const stage_data *d, arena *a, pool *threads, step_energy *out,
                    mo_error *err)
{
    const size_t chunks = chunk_count(b->count, BODIES), contact_chunks = chunk_count(c->count, CONTACTS);
    imbalance sum = {0, 0};
    // the free velocities of dynamic bodies are no longer needed: their place takes the final ones
    finish f = {.b = b, .c = c, .d = d, .u_f = d->u_free};
    f.plain =
        d->special == NULL && !d->ahead && b->function_count == 0 && d->cell == NULL && boundaries_rest(b, d);
    f.sum = arena_push(a, chunks > contact_chunks ? chunks : contact_chunks, sizeof *f.sum);
    f.balance = arena_push(a, chunks, sizeof *f.balance);
    f.window = pool_window(threads);
    f.shove = arena_push(a, shove_numbers(b->dim) * CONTACTS * f.window, sizeof *f.shove);
    if (f.sum == NULL || f.balance == NULL || f.shove == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for the step");
    *out = (step_energy){0};
    finish_contacts(&f, threads, out);
    turns_finish(b, c, d, f.u_f, out);
    // joints belong to the balance, but not to the force of contacts that users ask for
    const size_t numbers = d->joints != NULL && d->joints->count > 0 ? b->nu * b->count : 0;
    double *of_contacts = arena_push(a, numbers, sizeof *of_contacts);
    if (of_contacts == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for the step");
    if (numbers > 0)
        memcpy(of_contacts, b->force, numbers * sizeof *of_contacts);
    joints_finish(b, d, f.u_f, out);
    parallel_for(threads, b->count, BODIES, body_chunk, &f);
    for (size_t k = 0; k < numbers; k++)
        b->force[k] = of_contacts[k] / d->h;
    for (size_t k = 0; k < chunks; k++) {
        out->work += f.sum[k].work;
        sum.error += f.balance[k].error;
        sum.size += f.balance[k].size;
    }
    out->balance = sum.size > 0 ? sqrt(sum.error / sum.size) : 0;
    end_functions(b);
    return MO_OK;
}
