/* Processes saved and restored go on with the same bits; bytes that are not a state are refused. */
#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "sweep/parts.h"

enum { DISCS = 12, KINDS = 3 };

/* Three processes: a turning lens, a moving polyhedron, discs with a field. */
typedef struct cases {
    double size[4], phase[4], radius[2], A[6], b[3], x[2], discs[2 * DISCS], disc_radius[DISCS], wall[8];
    size_t count;
    waves w;
    mo_moving_set balls[2], lens, polygon, still, crowd;
    mo_sweep_def def[KINDS];
} cases;

static mo_status inwards(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)err;
    size_t count = *(size_t *)data;
    for (size_t k = 0; k < 2 * count; k++)
        f[k] = -u[k] + 0.2 * sin(t);
    return MO_OK;
}

static void make_cases(cases *c)
{
    rng r = rng_seed(61, 1);
    *c = (cases){.size = {1, 1.5, 1, 1.5}, .phase = {0, 1, 0.1, 1.1}, .radius = {1, 1.2}, .x = {0.1, 1}};
    c->w = (waves){2, 2, c->size, c->phase};
    c->balls[0] = mo_moving_ball(2, waving(&c->w), constant(&c->radius[0]));
    double *still = c->wall;
    c->balls[1] = mo_moving_ball(2, waving(&c->w), constant(&c->radius[1]));
    c->lens = mo_moving_intersection(2, c->balls);
    for (size_t k = 0; k < 6; k++)
        c->A[k] = (const double[]){1, 0.3, -0.6, 1, -0.2, -1}[k];
    for (size_t k = 0; k < 3; k++)
        c->b[k] = -0.5;
    c->still = mo_moving_polyhedron(2, 3, constant(c->A), constant(c->b));
    c->polygon = mo_moving_translate(&c->still, waving(&c->w));
    c->count = DISCS;
    for (size_t i = 0; i < DISCS; i++) {
        c->disc_radius[i] = 0.3 + 0.2 * rng_uniform(&r);
        c->discs[2 * i] = 1.1 * (double)(i % 4) - 1.6;
        c->discs[2 * i + 1] = 1.1 * (double)(i / 4) - 1.1;
    }
    for (size_t k = 0; k < 8; k++)
        still[k] = (const double[]){-4, 0.1, -0.3, 0.1, 0.3, -4, 0.3, -0.6}[k];
    c->crowd = mo_moving_discs(DISCS, c->disc_radius, 2, c->wall);
    c->def[0] = define(&c->lens, c->x, 0.02, MO_SWEEP_CATCHING_UP);
    c->def[1] = define(&c->polygon, c->x, 0.02, MO_SWEEP_CATCHING_UP);
    c->def[2] = define(&c->crowd, c->discs, 0.02, MO_SWEEP_CATCHING_UP);
    c->def[0].retraction = c->def[1].retraction = true;
    c->def[2].field = inwards;
    c->def[2].data = &c->count;
}

static void same_info(const mo_sweep_info *a, const mo_sweep_info *b)
{
    assert_true(a->time == b->time && a->violation == b->violation && a->stationarity == b->stationarity);
    assert_true(a->path_length == b->path_length && a->retraction == b->retraction);
    assert_true(a->variation == b->variation && a->retraction_exact == b->retraction_exact);
    assert_true(a->complementarity == b->complementarity && a->worst_violation == b->worst_violation);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->active, b->active);
    assert_string_equal(a->message, b->message);
}

static void same_bits(void **state)
{
    (void)state;
    cases c;
    make_cases(&c);
    for (size_t k = 0; k < KINDS; k++) {
        for (int method = 0; method <= MO_SWEEP_EVENT_DRIVEN; method++) {
            // the event-driven method is tested where there are no discs
            if (k == 2 && method == MO_SWEEP_EVENT_DRIVEN)
                continue;
            mo_sweep_def def = c.def[k];
            def.method = (mo_sweep_method)method;
            mo_sweep *whole = create(&def), *half = create(&def), *rest = create(&def);
            for (int i = 0; i < 60; i++) {
                step(whole);
                step(half);
            }
            size_t size = mo_sweep_state_size(half);
            unsigned char *bytes = malloc(size + 1);
            assert_non_null(bytes);
            // the bytes need not be aligned
            mo_sweep_save(half, bytes + 1);
            mo_error err;
            assert_int_equal(mo_sweep_restore(rest, bytes + 1, size, &err), MO_OK);
            assert_true(mo_sweep_hash(rest) == mo_sweep_hash(whole));
            same_info(mo_sweep_info_get(rest), mo_sweep_info_get(whole));
            for (int i = 0; i < 60; i++) {
                step(whole);
                step(rest);
                assert_true(mo_sweep_hash(rest) == mo_sweep_hash(whole));
            }
            same_info(mo_sweep_info_get(rest), mo_sweep_info_get(whole));
            assert_true(mo_sweep_hash(half) != mo_sweep_hash(whole));
            free(bytes);
            mo_sweep_destroy(whole);
            mo_sweep_destroy(half);
            mo_sweep_destroy(rest);
        }
    }
}

static void refused(mo_sweep *s, const void *bytes, size_t size, const char *words)
{
    uint64_t before = mo_sweep_hash(s);
    mo_error err = {0};
    assert_int_equal(mo_sweep_restore(s, bytes, size, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "state");
    if (words != NULL && strstr(err.message, words) == NULL)
        print_error("%s\n", err.message);
    assert_true(words == NULL || strstr(err.message, words) != NULL);
    assert_true(mo_sweep_hash(s) == before);
}

// a state whose hash was made to fit again
static void seal(unsigned char *bytes, size_t size)
{
    uint64_t hash = hash_bytes(bytes, size - sizeof hash, 0);
    memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
}

static void hostile_bytes(void **state)
{
    (void)state;
    cases c;
    make_cases(&c);
    mo_sweep *s = create(&c.def[2]), *other = create(&c.def[1]);
    good_steps(s, 40);
    size_t held, size = mo_sweep_state_size(s);
    mo_sweep_holds(s, &held);
    assert_true(held > 0);
    unsigned char *bytes = malloc(2 * size), *copy = bytes + size;
    assert_non_null(bytes);
    mo_sweep_save(s, bytes);
    refused(s, bytes, 0, "0 bytes");
    refused(s, bytes, size - 1, NULL);
    refused(s, bytes, 16, NULL);
    refused(other, bytes, size, "unknowns");
    // every single byte counts
    for (size_t k = 0; k < size; k++) {
        memcpy(copy, bytes, size);
        copy[k] ^= 0x10;
        refused(s, copy, size, NULL);
    }
    // another step
    mo_sweep_def def = c.def[2];
    def.h = 0.01;
    mo_sweep *finer = create(&def);
    refused(finer, bytes, size, "another definition");
    // sealed lies: words of 8 bytes in the state set to strange values, by whoever knows the hash
    const double strange[] = {-1, HUGE_VAL, -HUGE_VAL, 1e300, 0.5};
    uint64_t words[] = {UINT64_MAX, 1, 1ull << 40, 0x7ff8000000000000ull};
    int accepted = 0;
    for (size_t k = 0; k + 16 <= size; k += 8) {
        for (size_t v = 0; v < 9; v++) {
            memcpy(copy, bytes, size);
            if (v < 5)
                memcpy(copy + k, &strange[v], 8);
            else
                memcpy(copy + k, &words[v - 5], 8);
            seal(copy, size);
            // what is taken must be a process that steps without harm
            if (mo_sweep_restore(s, copy, size, NULL) != MO_OK)
                continue;
            accepted++;
            step(s);
        }
    }
    assert_true(accepted > 0);
    assert_int_equal(mo_sweep_restore(s, bytes, size, NULL), MO_OK);
    good_step(s);
    free(bytes);
    mo_sweep_destroy(s);
    mo_sweep_destroy(other);
    mo_sweep_destroy(finer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(hostile_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
