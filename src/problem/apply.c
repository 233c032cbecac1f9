#include "problem/apply.h"

#include <limits.h>
#include <stdatomic.h>

#include "problem/extra.h"
#include "problem/kernels.h"
#include "problem/step_cell.h"

enum { CHUNK = 1024 };

/*
 * The blocks of every owner are done in the order of waves.  A block that shares bodies with blocks of other
 * owners comes when these are past the last wave before that has such a block: then all that it shares bodies
 * with and that stands before it is done, and nothing that stands after it, since that waits in turn.  No
 * other block waits, so that owners drift apart by what they have of their own, over waves and over sweeps.
 *
 * A thread takes up an owner's work, its own first, and leaves it where it would have to wait; whoever comes
 * next goes on from there.  So threads that are not scheduled delay nothing but the block they are at.
 */
typedef struct owner_work {
    _Alignas(64) atomic_size_t waves; /* done, over all sweeps */
    atomic_flag taken;                /* by a thread; what follows belongs to it */
    bool edge;                        /* now at blocks that share bodies with other owners' */
    uint32_t block;                   /* the next one to be looked at */
} owner_work;

typedef struct sweeps_job {
    const step_problem *p;
    size_t waves; /* to do */
    range_fn *fn;
    const void *data;
    owner_work *of; /* [owners] */
    size_t owners;
} sweeps_job;

static void do_block(const sweeps_job *j, const contact_block *b)
{
    const contact_range range[] = {{j->p, b->begin, b->pairs, true, true, j->data},
                                   {j->p, b->pairs, b->singles, false, true, j->data},
                                   {j->p, b->singles, b->rest, true, false, j->data},
                                   {j->p, b->rest, b->end, false, false, j->data}};
    for (int i = 0; i < 4; i++)
        if (range[i].begin < range[i].end)
            j->fn(&range[i]);
}

static bool have_come(const sweeps_job *j, uint64_t owners, size_t waves)
{
    for (; owners != 0; owners &= owners - 1)
        if (atomic_load_explicit(&j->of[__builtin_ctzll(owners)].waves, memory_order_acquire) < waves)
            return false;
    return true;
}

// waves that the other owners must have done before a block of the present one, which comes after `waves`
static size_t waves_before(const contact_block *b, size_t waves)
{
    return waves + 1 > b->since ? waves + 1 - b->since : 0;
}

// the owner's blocks of its present wave, those first that wait for nobody; false: one has to wait
static bool do_wave(const sweeps_job *j, size_t owner, size_t waves)
{
    owner_work *w = &j->of[owner];
    const block_wave *wave = &j->p->wave[waves % j->p->waves];
    for (;; w->edge = true, w->block = wave->begin) {
        for (; w->block < wave->end; w->block++) {
            const contact_block *b = &j->p->block[w->block];
            if (b->owner != owner || (b->edge != 0) != w->edge)
                continue;
            if (!have_come(j, b->edge, waves_before(b, waves)))
                return false;
            do_block(j, b);
        }
        if (w->edge)
            return true;
    }
}

// as much of an owner's work as can be done now; false: none is left
static bool do_owner(const sweeps_job *j, size_t owner)
{
    owner_work *w = &j->of[owner];
    size_t waves = atomic_load_explicit(&w->waves, memory_order_acquire);
    if (waves == j->waves)
        return false;
    if (atomic_flag_test_and_set_explicit(&w->taken, memory_order_acquire))
        return true;
    waves = atomic_load_explicit(&w->waves, memory_order_relaxed);
    while (waves < j->waves && do_wave(j, owner, waves)) {
        waves++;
        w->edge = false;
        w->block = j->p->wave[waves % j->p->waves].begin;
        atomic_store_explicit(&w->waves, waves, memory_order_release);
    }
    atomic_flag_clear_explicit(&w->taken, memory_order_release);
    return waves < j->waves;
}

// one thread: until nothing is left of anybody's work
static void do_owners(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk, (void)end;
    const sweeps_job *j = data;
    for (int round = 0;; round += round < INT_MAX) {
        bool left = false;
        for (size_t k = 0; k < j->owners; k++)
            left = do_owner(j, (begin + k) % j->owners) || left;
        if (!left)
            return;
        pause_thread(round);
    }
}

void for_contacts(const step_problem *p, pool *threads, size_t times, range_fn *fn, const void *data)
{
    owner_work of[OWNERS_MAX];
    const int threads_wanted = p->owners < pool_threads(threads) ? p->owners : pool_threads(threads);
    sweeps_job job = {p, times * p->waves, fn, data, of, (size_t)p->owners};
    if (threads_wanted > 1) {
        for (int k = 0; k < p->owners; k++) {
            atomic_init(&of[k].waves, 0);
            atomic_flag_clear(&of[k].taken);
            of[k].edge = false;
            of[k].block = 0;
        }
        parallel_for(threads, (size_t)threads_wanted, 1, do_owners, &job);
        return;
    }
    for (size_t time = 0; time < times; time++)
        for (size_t k = 0; k < p->blocks; k++)
            do_block(&job, &p->block[k]);
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

static void apply_range(const contact_range *r)
{
    kernels_for(r->p, r->grouped)->apply[r->p->dim - 2](r);
}

void refresh_velocities(const step_problem *p, pool *threads)
{
    parallel_for(threads, p->bodies, CHUNK, copy_free, (void *)p);
    for_contacts(p, threads, 1, apply_range, NULL);
    if (p->extra != NULL)
        extra_apply(p);
    if (p->cell != NULL)
        step_cell_refresh(p, threads);
}
