#include "problem/apply.h"

enum { CHUNK = 1024 };

typedef struct range_job {
    const step_problem *p;
    size_t begin;
    bool two;
} range_job;

static void copy_free(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const step_problem *p = data;
    for (size_t i = begin; i < end; i++)
        for (int k = 0; k < 3; k++)
            p->velocity[i].u[k] = p->u_free[3 * i + (size_t)k];
}

static void apply_range(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const range_job *job = data;
    const step_problem *p = job->p;
    for (size_t i = job->begin + begin; i < job->begin + end; i++)
        apply_impulse(&p->contact[i], p->velocity, job->two, p->S[2 * i], p->S[2 * i + 1]);
}

void refresh_velocities(const step_problem *p, pool *threads)
{
    parallel_for(threads, p->bodies, CHUNK, copy_free, (void *)p);
    for (size_t k = 0; k < p->colours; k++) {
        const colour_range *c = &p->colour[k];
        pool *pool_or_none = k < p->parallel_colours ? threads : NULL;
        range_job two = {p, c->begin, true}, one = {p, c->one_body, false};
        parallel_for(pool_or_none, c->one_body - c->begin, CHUNK, apply_range, &two);
        parallel_for(pool_or_none, c->end - c->one_body, CHUNK, apply_range, &one);
    }
}
