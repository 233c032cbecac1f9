#include "problem/apply.h"

#include "problem/extra.h"

enum { CHUNK = 1024 };

void for_colours(const step_problem *p, pool *threads, size_t chunk, chunk_fn fn)
{
    for (size_t k = 0; k < p->colours; k++) {
        const colour_range *c = &p->colour[k];
        pool *pool_or_none = k < p->parallel_colours ? threads : NULL;
        contact_range two = {p, c->begin, true}, one = {p, c->one_body, false};
        parallel_for(pool_or_none, c->one_body - c->begin, chunk, fn, &two);
        parallel_for(pool_or_none, c->end - c->one_body, chunk, fn, &one);
    }
}

static void copy_free(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const step_problem *p = data;
    const size_t freedoms = p->dim == 2 ? 3 : 6;
    for (size_t i = begin; i < end; i++) {
        double *u = p->dim == 2 ? p->velocity[i].u : p->velocity3[i].u;
        for (size_t k = 0; k < freedoms; k++)
            u[k] = p->u_free[freedoms * i + k];
    }
}

static inline void apply_all(int dim, const contact_range *r, size_t begin, size_t end)
{
    for (size_t i = r->begin + begin; i < r->begin + end; i++)
        apply_impulse(dim, r->p, i, r->two, &r->p->S[(size_t)dim * i]);
}

static void apply_range2(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    apply_all(2, data, begin, end);
}

static void apply_range3(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    apply_all(3, data, begin, end);
}

void refresh_velocities(const step_problem *p, pool *threads)
{
    parallel_for(threads, p->bodies, CHUNK, copy_free, (void *)p);
    for_colours(p, threads, CHUNK, p->dim == 2 ? apply_range2 : apply_range3);
    if (p->extra != NULL)
        extra_apply(p);
}
