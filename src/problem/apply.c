#include "problem/apply.h"

#include "problem/extra.h"
#include "problem/round_kernels.h"

enum { CHUNK = 1024 };

// the blocks of a wave, and what to do with their rows
typedef struct wave_job {
    const step_problem *p;
    size_t first; /* block */
    range_fn *fn;
    const void *data;
} wave_job;

static void do_blocks(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const wave_job *j = data;
    for (size_t k = j->first + begin; k < j->first + end; k++) {
        const contact_block *b = &j->p->block[k];
        const contact_range range[] = {{j->p, b->begin, b->pairs, true, true, j->data},
                                       {j->p, b->pairs, b->singles, false, true, j->data},
                                       {j->p, b->singles, b->rest, true, false, j->data},
                                       {j->p, b->rest, b->end, false, false, j->data}};
        for (int i = 0; i < 4; i++)
            if (range[i].begin < range[i].end)
                j->fn(&range[i]);
    }
}

void for_contacts(const step_problem *p, pool *threads, range_fn *fn, const void *data)
{
    for (size_t k = 0; k < p->waves; k++) {
        wave_job job = {p, p->wave[k], fn, data};
        parallel_for(k < p->parallel_waves ? threads : NULL, p->wave[k + 1] - p->wave[k], 1, do_blocks, &job);
    }
}

static void copy_free(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const step_problem *p = data;
    const size_t freedoms = p->dim == 2 ? 3 : 6;
    for (size_t i = begin; i < end; i++) {
        double *u = body_velocity(p, (uint32_t)i);
        for (size_t k = 0; k < freedoms; k++)
            u[k] = p->u_free[freedoms * i + k];
    }
}

static inline void apply_all(int dim, const contact_range *r)
{
    for (size_t i = r->begin; i < r->end; i++)
        apply_impulse(dim, r->p, i, r->two, &r->p->S[(size_t)dim * i]);
}

static void apply_range2(const contact_range *r)
{
    apply_all(2, r);
}

static void apply_range3(const contact_range *r)
{
    apply_all(3, r);
}

static void apply_round(const contact_range *r)
{
    round_kernels(r->grouped)->apply[r->p->dim - 2](r);
}

void refresh_velocities(const step_problem *p, pool *threads)
{
    range_fn *apply = p->round != NULL ? apply_round : p->dim == 2 ? apply_range2 : apply_range3;
    parallel_for(threads, p->bodies, CHUNK, copy_free, (void *)p);
    for_contacts(p, threads, apply, NULL);
    if (p->extra != NULL)
        extra_apply(p);
}
