#include "solver/press.h"

#include <math.h>
#include <string.h>

#include "problem/apply.h"
#include "problem/kernels.h"

static size_t freedoms(const step_problem *p)
{
    return p->dim == 2 ? 3 : 6;
}

static void press_range(const contact_range *r)
{
    kernels_for(r->p, r->grouped)->press[r->p->dim - 2](r);
}

// a sum of what is not finite is not finite
static bool all_finite(const step_problem *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->bodies; i++)
        for (size_t k = 0; k < freedoms(p); k++)
            sum += 0 * body_velocity(p, (uint32_t)i)[k];
    return isfinite(sum);
}

bool press_apart(step_problem *p, int sweeps, pool *threads)
{
    memset(p->press, 0, p->contacts * sizeof *p->press);
    for (size_t i = 0; i < p->bodies; i++)
        memset(body_velocity(p, (uint32_t)i), 0, freedoms(p) * sizeof(double));
    for_contacts(p, threads, (size_t)sweeps, press_range, NULL);
    return all_finite(p);
}
