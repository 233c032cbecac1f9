/*
 * The end of the step at contacts between lone discs and spheres: what problem/round_finish.h needs of them.
 */
#include "dynamics/contact_place.h"
#include "dynamics/integrate.h"
#include "problem/kernels.h"

/* contacts between asking for what one needs and needing it */
enum { AHEAD = 32 };

static inline void gather(size_t dim, const finish *f, size_t i, double *shove, round_end *out)
{
    const contact_set *c = f->c;
    const size_t nu = nu_of(dim), s1 = c->slot1[i], s2 = c->slot2[i];
    const double *after = f->u_f, *before = f->d->u_start, *radius = f->b->radius, half = 0.5 * c->gap[i];
    // what the solver has pushed out of the near caches, for one of the next contacts
    const size_t later = i + AHEAD < c->count ? i + AHEAD : i, next = nu * c->slot2[later];
    __builtin_prefetch(&after[next]);
    __builtin_prefetch(&before[next]);
    __builtin_prefetch(&f->b->force[next], 1);
    // a boundary moves on as it does
    const bool free1 = is_dynamic(f->b, (uint32_t)s1), free2 = is_dynamic(f->b, (uint32_t)s2);
    *out = (round_end){.arm = {radius[s1] + half, radius[s2] + half},
                       .n = &c->normal[dim * i],
                       .S = &c->S[dim * i],
                       .after = {&after[nu * s1], &after[nu * s2]},
                       .before = {&(free1 ? before : after)[nu * s1], &(free2 ? before : after)[nu * s2]},
                       .U = &c->U[dim * i],
                       .shove = shove};
}

static inline void finish_some(size_t dim, const finish *f, const uint32_t *at, size_t count, size_t first,
                               double *shove, step_energy *out)
{
    round_end end[FINISH_BLOCK];
    double loss[2][LANES] = {{0}, {0}};
    for (size_t j = 0; j < count; j++)
        gather(dim, f, at[j], &shove[shove_numbers(dim) * (at[j] - first)], &end[j]);
    finish_round((int)dim, end, count, loss);
    for (size_t j = 0; j < LANES; j++) {
        out->impact += loss[0][j];
        out->friction += loss[1][j];
    }
}

void finish_round2(const finish *f, const uint32_t *at, size_t count, size_t first, double *shove,
                   step_energy *out)
{
    finish_some(2, f, at, count, first, shove, out);
}

void finish_round3(const finish *f, const uint32_t *at, size_t count, size_t first, double *shove,
                   step_energy *out)
{
    finish_some(3, f, at, count, first, shove, out);
}
