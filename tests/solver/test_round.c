/* Round bodies: the compact rows agree with the general ones, every width of registers gives the same bits,
 * and the order of a sweep keeps what may be done at once apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/compact.h"
#include "solver/kernels.h"
#include "solver/nlgs.h"
#include "support/close.h"
#include "support/lattice2.h"

enum { SIDE = 9 };

static packing3 heap(void)
{
    return packing3_make(&(packing3_def){.side = SIDE, .mu = 0.4, .shake = 0.05, .seed = 5});
}

// impulse of contact i in world axes
static void world_impulse(const step_problem *p, size_t i, const double *n, const double *t, double P[3])
{
    double s[3];
    vec3_cross(n, t, s);
    for (int k = 0; k < 3; k++)
        P[k] = n[k] * p->S[3 * i] + t[k] * p->S[3 * i + 1] + s[k] * p->S[3 * i + 2];
}

/* Two programs for one problem: they differ by rounding, which sweeps do not let grow. */
static void balls_agree_with_general_rows(void **state)
{
    (void)state;
    packing3 k = heap();
    step_problem p = compact(&k, false);
    double worst = 0, largest = 0;
    refresh_velocities(&k.p, NULL);
    refresh_velocities(&p, NULL);
    for (int sweep = 0; sweep < 30; sweep++) {
        nlgs_sweep(&k.p, NULL);
        nlgs_sweep(&p, NULL);
    }
    for (size_t i = 0; i < p.contacts; i++) {
        double t[3], one[3], two[3];
        vec3_across(p.round[i].n, t);
        world_impulse(&k.p, i, k.p.row3[i].n, k.p.row3[i].t, one);
        world_impulse(&p, i, p.round[i].n, t, two);
        worst = fmax(worst, vec3_distance(one, two));
        largest = fmax(largest, vec3_norm(one));
        assert_close(contact_rho(&p, i), contact_rho(&k.p, i), 1e-14);
        contact3_make_ready(&k.p.block3[i]);
        assert_true(k.p.block3[i].axisymmetric);
    }
    assert_true(largest > 0.1 && worst <= 1e-13 * largest);
    for (uint32_t b = 0; b < p.bodies; b++)
        for (int a = 0; a < 6; a++)
            assert_true(fabs(p.ball[b].u[a] - k.p.velocity3[b].u[a]) <= 1e-13 * largest);
    // and the certificates that both get
    mo_certificate general, round;
    certify(&k.p, HUGE_VAL, NULL, k.sums, &general);
    certify(&p, HUGE_VAL, NULL, k.sums, &round);
    assert_true(general.residual > 1e-6);
    assert_close(round.residual / general.residual, 1, 1e-8);
    assert_close(round.bipotential_gap / general.bipotential_gap, 1, 1e-8);
    assert_close(round.complementarity / general.complementarity, 1, 1e-8);
    assert_true(fabs(round.cone_violation_velocity - general.cone_violation_velocity) <= 1e-12);
    packing3_free_all(&k);
}

static void balls_have_the_same_bits_at_any_width(void **state)
{
    (void)state;
    for (int slip = 0; slip < 2; slip++) {
        packing3 k = heap();
        step_problem p = compact(&k, slip == 1);
        rng r = rng_seed(7, 1);
        for (size_t i = 0; i < p.contacts; i++) {
            p.round[i].shift = 1e-3 * random_sign(&r);
            // some without friction
            p.round[i].mu = i % 7 == 0 ? 0 : p.round[i].mu;
            for (size_t c = 2 * i; slip == 1 && c < 2 * i + 2; c++)
                p.slip[c] = 1e-2 * random_sign(&r);
        }
        assert_same_for_all_widths(&p);
        packing3_free_all(&k);
    }
}

static void discs_agree_with_general_rows_at_any_width(void **state)
{
    (void)state;
    lattice2 d = lattice2_make(40);
    double *sums = arena_push(&d.memory, certificate_scratch(d.general.contacts), sizeof *sums), size = 0;
    refresh_velocities(&d.general, NULL);
    refresh_velocities(&d.round, NULL);
    for (int sweep = 0; sweep < 30; sweep++) {
        nlgs_sweep(&d.general, NULL);
        nlgs_sweep(&d.round, NULL);
    }
    for (size_t i = 0; i < 2 * d.general.contacts; i++)
        size = fmax(size, fabs(d.general.S[i]));
    assert_true(size > 0.01);
    for (size_t i = 0; i < 2 * d.general.contacts; i++)
        assert_true(fabs(d.general.S[i] - d.round.S[i]) <= 1e-13 * size);
    mo_certificate general, round;
    certify(&d.general, HUGE_VAL, NULL, sums, &general);
    certify(&d.round, HUGE_VAL, NULL, sums, &round);
    assert_true(general.residual > 1e-6);
    assert_close(round.residual / general.residual, 1, 1e-8);
    assert_same_for_all_widths(&d.round);
    arena_free(&d.memory);
}

// marks the bodies of rows [begin, end); false when one is marked already
static bool mark_bodies(const uint32_t (*row)[2], size_t begin, size_t end, size_t count, unsigned mark,
                        unsigned *seen, bool same)
{
    for (size_t i = begin; i < end; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t b = row[i][k];
            if (b >= count)
                continue;
            if (seen[b] == mark && !same)
                return false;
            seen[b] = mark;
        }
    return true;
}

enum { OWNERS = 3 };

/* When each owner had each body last, [count], in waves over two sweeps; 0: not yet. */
typedef struct owner_waves {
    size_t last[OWNERS];
} owner_waves;

// waits for all other owners of its bodies, since the last time that one of them had one
static void assert_waits(const contact_block *b, bool in_order, const uint32_t (*row)[2], size_t count,
                         size_t now, owner_waves *had)
{
    uint64_t edge = 0, since = UINT64_MAX;
    for (size_t i = b->begin; i < b->end; i++)
        for (int s = 0; s < 2; s++)
            for (uint32_t o = 0; o < OWNERS && row[i][s] < count; o++) {
                const size_t last = had[row[i][s]].last[o];
                if (o == b->owner || last == 0)
                    continue;
                edge |= 1ull << o;
                since = now - last < since ? now - last : since;
            }
    if (in_order)
        assert_true((b->edge & edge) == edge && (edge == 0 || b->since <= since));
    else
        assert_true(b->edge == edge && (edge == 0 || b->since == since));
}

static void assert_edges(const step_problem *p, const uint32_t (*row)[2], size_t count)
{
    owner_waves *had = calloc(count + 1, sizeof *had);
    assert_non_null(had);
    for (size_t now = 1; now <= 2 * p->waves; now++) {
        const block_wave w = p->wave[(now - 1) % p->waves];
        for (size_t k = w.begin; k < w.end; k++) {
            const contact_block *b = &p->block[k];
            if (now > p->waves)
                assert_waits(b, w.in_order, row, count, now, had);
            // what is done in order waits as one
            assert_true(!w.in_order || (b->owner == 0 && b->edge == p->block[w.begin].edge &&
                                        b->since == p->block[w.begin].since));
            for (size_t i = b->begin; i < b->end; i++)
                for (int s = 0; s < 2; s++)
                    if (row[i][s] < count)
                        had[row[i][s]].last[b->owner] = now;
        }
    }
    free(had);
}

/* Every contact has one row; groups share no body; blocks of a wave share none; kinds stand where they
 * should.  Returns the waves that several owners have. */
static size_t assert_ordered(const uint32_t *one, const uint32_t *two, const double *point, size_t m,
                             size_t count)
{
    arena a = {0};
    step_problem p = {.dim = 3, .owners = OWNERS};
    uint32_t *order = arena_push(&a, m, sizeof *order), (*row)[2] = arena_push(&a, m, sizeof *row);
    unsigned *seen = arena_push_zero(&a, count + 1, sizeof *seen), mark = 0,
             *block_of = arena_push(&a, count + 1, 4);
    order_of(one, two, point, m, count, &a, &p, order);
    for (size_t i = 0; i < m; i++)
        row[i][0] = UINT32_MAX;
    for (size_t i = 0; i < m; i++) {
        assert_true(order[i] < m && row[order[i]][0] == UINT32_MAX);
        row[order[i]][0] = one[i];
        row[order[i]][1] = two[i];
    }
    size_t at = 0;
    for (size_t k = 0; k < p.blocks; k++) {
        const contact_block *b = &p.block[k];
        assert_true(b->begin == at && b->begin <= b->pairs && b->pairs <= b->singles &&
                    b->singles <= b->rest && b->rest <= b->end && b->end - b->begin <= BLOCK);
        assert_true((b->pairs - b->begin) % LANES == 0 && (b->singles - b->pairs) % LANES == 0);
        for (size_t g = b->begin; g < b->singles; g += LANES)
            assert_true(mark_bodies((const uint32_t(*)[2])row, g, g + LANES, count, ++mark, seen, false));
        for (size_t i = b->begin; i < b->end; i++) {
            bool pair = row[i][0] < count && row[i][1] < count;
            assert_true(pair == (i < b->pairs || (i >= b->singles && i < b->rest)));
        }
        at = b->end;
    }
    assert_true(at == m);
    at = 0;
    size_t apart = 0;
    for (size_t w = 0; w < p.waves; w++) {
        assert_true(p.wave[w].begin == at && p.wave[w].end > at);
        at = p.wave[w].end;
        if (p.wave[w].in_order)
            continue;
        apart++;
        memset(block_of, 0xff, count * sizeof *block_of);
        for (uint32_t k = p.wave[w].begin; k < p.wave[w].end; k++)
            for (size_t i = p.block[k].begin; i < p.block[k].end; i++)
                for (int s = 0; s < 2; s++) {
                    uint32_t b = row[i][s];
                    if (b >= count)
                        continue;
                    assert_true(block_of[b] == UINT32_MAX || block_of[b] == k);
                    block_of[b] = k;
                }
    }
    assert_true(at == p.blocks);
    assert_edges(&p, (const uint32_t(*)[2])row, count);
    arena_free(&a);
    return apart;
}

static void order_keeps_bodies_apart(void **state)
{
    (void)state;
    enum { MOST = 70000, BODIES = 5000 };
    static uint32_t one[MOST], two[MOST];
    static double point[3 * MOST];
    rng r = rng_seed(3, 1);
    // numbers have nothing to do with places: the order is that of the curve where contacts are many
    for (size_t i = 0; i < 3 * (size_t)MOST; i++)
        point[i] = rng_uniform(&r);
    // sizes about a block's, a body that touches all others, hardly any bodies, and only boundaries
    const size_t contacts[] = {0, 1, 7, 8, 511, 512, 513, 5000, 70000}, bodies_in[] = {1, 2, 9, 300, BODIES};
    size_t apart = 0;
    for (size_t c = 0; c < 9; c++)
        for (size_t n = 0; n < 5; n++)
            for (int kind = 0; kind < 3; kind++) {
                for (size_t i = 0; i < contacts[c]; i++) {
                    one[i] = kind == 1 ? 0 : (uint32_t)(rng_uniform(&r) * (double)bodies_in[n]);
                    two[i] = kind == 2 ? (uint32_t)bodies_in[n]
                                       : (uint32_t)(rng_uniform(&r) * (double)(bodies_in[n] + 1));
                    two[i] = two[i] == one[i] ? (uint32_t)bodies_in[n] : two[i];
                }
                apart += assert_ordered(one, two, point, contacts[c], bodies_in[n]);
            }
    assert_true(apart > 0);
}

// whether the order that is kept is the one made anew
static void assert_kept(kept_order *k, const bodies *b, const contact_set *c, int owners, bool valid)
{
    arena a = {0};
    step_problem kept = {.dim = 2, .owners = owners}, made = kept;
    uint32_t *row = arena_push(&a, c->count, sizeof *row);
    assert_true(keep_order(k, b, c, &a, &kept) && order_contacts(b, c, &a, &made, row));
    assert_true(k->valid == valid);
    assert_memory_equal(k->row, row, c->count * sizeof *row);
    assert_true(kept.blocks == made.blocks && kept.waves == made.waves);
    assert_memory_equal(kept.block, made.block, made.blocks * sizeof *made.block);
    assert_memory_equal(kept.wave, made.wave, made.waves * sizeof *made.wave);
    arena_free(&a);
}

// the order is taken from the step before only where all that it follows from is the same
static void order_is_kept_while_nothing_changes(void **state)
{
    (void)state;
    enum { ROW = 50, COUNT = ROW * ROW, CONTACTS = 2 * (COUNT - 1) };
    static uint32_t one[CONTACTS], two[CONTACTS];
    static uint8_t kind[COUNT + 1];
    memset(kind, MO_BODY_DYNAMIC, COUNT);
    kind[COUNT] = MO_BODY_FIXED;
    for (uint32_t i = 0; i + 1 < COUNT; i++) {
        one[2 * i] = one[2 * i + 1] = i;
        two[2 * i] = i + 1;
        two[2 * i + 1] = i + ROW < COUNT ? i + ROW : COUNT;
    }
    bodies b = {.dim = 2, .count = COUNT + 1, .kind = kind};
    contact_set c = {.dim = 2, .count = CONTACTS, .slot1 = one, .slot2 = two};
    kept_order k = {0};
    for (int again = 0; again < 2; again++)
        assert_kept(&k, &b, &c, 1, true);
    assert_kept(&k, &b, &c, 2, true);
    kind[3] = MO_BODY_FIXED;
    assert_kept(&k, &b, &c, 2, true);
    two[7]++;
    assert_kept(&k, &b, &c, 2, true);
    c.count -= 100;
    assert_kept(&k, &b, &c, 2, true);
    order_free(&k);
}

// along the curve contacts have another order as soon as they move
static void order_of_scattered_contacts_is_made_anew(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static uint32_t one[COUNT], two[COUNT];
    static uint8_t kind[COUNT];
    static double point[2 * COUNT];
    rng r = rng_seed(4, 1);
    memset(kind, MO_BODY_DYNAMIC, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        one[i] = i / 2;
        two[i] = COUNT - 1 - i / 2;
    }
    bodies b = {.dim = 2, .count = COUNT, .kind = kind};
    contact_set c = {.dim = 2, .count = COUNT, .slot1 = one, .slot2 = two, .point = point};
    kept_order k = {0};
    for (int again = 0; again < 2; again++) {
        for (size_t i = 0; i < 2 * (size_t)COUNT; i++)
            point[i] = rng_uniform(&r);
        assert_kept(&k, &b, &c, 1, false);
    }
    order_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_agree_with_general_rows),
        cmocka_unit_test(balls_have_the_same_bits_at_any_width),
        cmocka_unit_test(discs_agree_with_general_rows_at_any_width),
        cmocka_unit_test(order_keeps_bodies_apart),
        cmocka_unit_test(order_is_kept_while_nothing_changes),
        cmocka_unit_test(order_of_scattered_contacts_is_made_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
