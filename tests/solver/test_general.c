/*
 * Bodies of any shape: the kernels do what the plain program of one contact after the other does, every
 * answer satisfies the law to rounding, and every width of registers gives the same bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/blocks3.h"
#include "solver/kernels.h"
#include "solver/nlgs.h"
#include "support/close.h"
#include "support/lattice2.h"
#include "support/packing3.h"

enum { SWEEPS = 10 };

/* What a heap is made of besides lumps. */
typedef enum kind { PLAIN, SMOOTH, HELD, SCALED, KINDS } kind;

// lumps with shifts; some contacts without friction, some bodies held in part or whole, some with two
// frictions
static packing3 lumps(double lumpiness, double mu, kind what, uint64_t seed)
{
    packing3 k = packing3_make(
        &(packing3_def){.side = 7, .mu = mu, .lumpiness = lumpiness, .shake = 0.05, .seed = seed});
    step_problem *p = &k.p;
    rng r = rng_seed(seed, 11);
    for (size_t b = 0; b < p->bodies && what == HELD; b++)
        for (int a = 0; a < 6; a++) {
            p->velocity3[b].inv_I[a] *= b % 3 == 0 ? 0 : 1;
            p->velocity3[b].inv_m[a % 3] *= b % 4 == (size_t)a ? 0 : 1;
        }
    for (size_t i = 0; i < p->contacts; i++) {
        p->mu[i] = what == SMOOTH && i % 3 == 0 ? 0 : mu;
        for (int a = 0; a < 3; a++)
            p->row3[i].shift[a] = 1e-3 * random_sign(&r);
        contact_row3_prepare(&p->row3[i], &p->block3[i], p->velocity3, p->mu[i],
                             what == SCALED && i % 2 == 0 ? 0.4 : 1);
    }
    return k;
}

// the plain program: one contact of a sweep
static void relax_plainly(step_problem *p, size_t i)
{
    double U[3], b[3], new[3], change[3], *S = &p->S[3 * i];
    const double *H = p->block3[i].H;
    contact_velocity(3, p, i, has_two(p, i), U);
    for (int a = 0; a < 3; a++)
        b[a] = U[a] - (H[3 * a] * S[0] + H[3 * a + 1] * S[1] + H[3 * a + 2] * S[2]);
    contact3_make_ready(&p->block3[i]);
    contact3_solve(&p->block3[i], b, new);
    for (int a = 0; a < 3; a++) {
        change[a] = new[a] - S[a];
        S[a] = new[a];
    }
    apply_impulse(3, p, i, has_two(p, i), change);
}

// impulses of two programs: they differ by rounding, which sweeps do not let grow
static double assert_same_impulses(const step_problem *one, const step_problem *two)
{
    const size_t n = (size_t)one->dim * one->contacts;
    double size = 0, worst = 0;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(two->S[i]));
        worst = fmax(worst, fabs(one->S[i] - two->S[i]));
    }
    assert_true(size > 0.01 && worst <= 1e-12 * size);
    return size;
}

static void assert_like_plain_sweeps(double lumpiness, double mu, kind what)
{
    packing3 one = lumps(lumpiness, mu, what, 5), two = lumps(lumpiness, mu, what, 5);
    refresh_velocities(&one.p, NULL);
    for (size_t b = 0; b < two.p.bodies; b++)
        memcpy(two.p.velocity3[b].u, &two.p.u_free[6 * b], sizeof two.p.velocity3[b].u);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        nlgs_sweep(&one.p, NULL);
        for (size_t i = 0; i < two.p.contacts; i++)
            relax_plainly(&two.p, i);
    }
    double size = assert_same_impulses(&one.p, &two.p);
    for (size_t b = 0; b < one.p.bodies; b++)
        for (int a = 0; a < 6; a++)
            assert_true(fabs(one.p.velocity3[b].u[a] - two.p.velocity3[b].u[a]) <= 1e-12 * size);
    packing3_free_all(&one);
    packing3_free_all(&two);
}

static void sweeps_agree_with_plain_ones(void **state)
{
    (void)state;
    for (kind what = PLAIN; what < KINDS; what++)
        for (int rough = 0; rough < 2; rough++)
            assert_like_plain_sweeps(0.2, rough ? 0.6 : 0.2, what);
}

static void same_bits_at_any_width(void **state)
{
    (void)state;
    for (kind what = PLAIN; what < KINDS; what++)
        // the last ones are steep: mu |h| >= H_nn for some
        for (int steep = 0; steep < 3; steep++) {
            packing3 k = lumps(0.3 + 0.4 * steep, 0.4 + steep, what, 7);
            assert_same_for_all_widths(&k.p);
            packing3_free_all(&k);
        }
}

/* One body on a boundary with a block and a velocity of one's own. */
typedef struct one_contact {
    packing3 k;
    int open, stick, slide, given; /* how many of each; given: left to the solver */
} one_contact;

static int given_away;

static void count_and_solve(const step_problem *p, size_t row, const double b[3], double S[3])
{
    given_away++;
    solve_row(p, row, b, S);
}

// S from 0 where U = b
static const double *answer(one_contact *o, const double H[9], double mu, const double b[3])
{
    step_problem *p = &o->k.p;
    double *S = p->S;
    memset(S, 0, 3 * sizeof *S);
    memset(p->velocity3[0].u, 0, sizeof p->velocity3[0].u);
    memcpy(p->velocity3[0].u, b, 3 * sizeof *b);
    p->mu[0] = mu;
    contact_row3_set_block(&p->row3[0], &p->block3[0], H, mu);
    given_away = 0;
    kernels_for(p, false)->relax[1](&(contact_range){.p = p, .end = 1}, count_and_solve);
    double T = hypot(S[1], S[2]);
    o->open += S[0] == 0;
    o->stick += S[0] > 0 && T < mu * S[0] * (1 - 1e-12);
    o->slide += S[0] > 0 && T >= mu * S[0] * (1 - 1e-12);
    o->given += given_away;
    assert_true(S[0] >= 0 && isfinite(S[0]) && isfinite(T));
    return S;
}

// where there may be several answers, or none: the one that the plain solver takes
static void assert_same_choice(const one_contact *o, const double b[3])
{
    const double *S = o->k.p.S;
    double plain[3];
    contact3_make_ready(&o->k.p.block3[0]);
    contact3_solve(&o->k.p.block3[0], b, plain);
    assert_true(vec3_distance(S, plain) <= 1e-9 * vec3_norm(plain));
}

// n, t, s are the axes of the velocity, so that U = b
static one_contact make_one_contact(void)
{
    one_contact o = {.k = packing3_room(1, 1)};
    const double n[3] = {1, 0, 0}, t[3] = {0, 1, 0};
    packing3_ball(&o.k, 0, 1, 1);
    packing3_touch(&o.k, 0, 0, UINT32_MAX, n, 1, 0);
    vec3_copy(t, o.k.p.row3[0].t);
    packing3_finish(&o.k, 0.5);
    return o;
}

/* Random blocks, from round to singular and steep, of all sizes; as good as test_contact3d.c asks for. */
static void law_holds_for_random_blocks(void **state)
{
    (void)state;
    static const double least[] = {1, 0.9, 0.5, 0.1, 1e-3, 1e-9, 0}, mus[] = {0, 0.1, 0.3, 0.5, 1, 3},
                        units[] = {1, 1, 1, 1e50, 1e-50, 1e100, 1e-100},
                        scales[] = {1, 1, 1e70, 1e-100, 1e100, 1e-155, 1e-165, 1e-200},
                        slips[] = {1, 1, 0.05, 1e-9};
    one_contact o = make_one_contact();
    rng r = rng_seed(7, 7);
    double worst = 0;
    int steep = 0;
    for (int i = 0; i < 1000000; i++) {
        const double unit = units[rng_next(&r) % 7], scale = scales[rng_next(&r) % 8],
                     slip = scale * slips[rng_next(&r) % 4], mu = mus[rng_next(&r) % 6],
                     l[3] = {unit, unit * least[rng_next(&r) % 7], unit * least[rng_next(&r) % 7]};
        double H[9], b[3] = {scale * (either_way(&r) - 0.3), slip * either_way(&r), slip * either_way(&r)};
        random_block3(&r, l, 0, H);
        // rounding of random_block3
        H[3] = H[1], H[6] = H[2], H[7] = H[5];
        const double *S = answer(&o, H, mu, b);
        if (mu * hypot(H[1], H[2]) > 0.9 * H[0]) {
            assert_same_choice(&o, b);
            steep++;
            continue;
        }
        // there contact3_solve takes plain squares
        if (o.k.p.block3[0].axisymmetric && scale < 1e-150)
            continue;
        double error = law_error3(o.k.p.block3[0].H, mu, b, S);
        worst = fmax(worst, error / (0x1p-53 * (1 + mu) * (1 + mu)));
    }
    assert_true(worst < 24);
    assert_true(o.open > 20000 && o.stick > 10000 && o.slide > o.given && o.given > 10000 && steep > 10000);
    packing3_free_all(&o.k);
}

/* What cannot give way along its normal gets no impulse, with friction or without. */
static void blocks_without_a_normal(void **state)
{
    (void)state;
    one_contact o = make_one_contact();
    const double no_n[9] = {0, 0, 0, 0, 2, 0, 0, 0, 2}, none[9] = {0}, b[3] = {-1, 0.3, 0.4};
    for (int rough = 0; rough < 2; rough++)
        for (int some = 0; some < 2; some++)
            assert_close(vec3_norm(answer(&o, some ? no_n : none, 0.5 * rough, b)), 0, 0);
    packing3_free_all(&o.k);
}

// arms to all sides, so that U_N and U_T of a contact are coupled; every ninth contact cannot turn its bodies
static lattice2 crooked(double mu)
{
    lattice2 d = lattice2_make(30);
    step_problem *p = &d.general;
    rng r = rng_seed(4, 4);
    for (size_t i = 0; i < p->contacts; i++) {
        contact2 *c = &p->contact[i];
        memset(c->H, 0, sizeof c->H);
        for (int side = 0; side < 2 && c->body[side] != UINT32_MAX; side++) {
            const double *inv = p->velocity[c->body[side]].inv;
            double *arm = &c->arm[2 * side];
            for (int k = 0; k < 2; k++)
                arm[k] = i % 9 == 0 ? 0 : random_sign(&r);
            c->H[0] += inv[0] + inv[2] * arm[0] * arm[0];
            c->H[1] += inv[2] * arm[0] * arm[1];
            c->H[2] += inv[0] + inv[2] * arm[1] * arm[1];
        }
        p->mu[i] = i % 5 == 0 ? 0 : mu;
        contact2_prepare(c, p->mu[i]);
    }
    return d;
}

static void relax_plainly2(step_problem *p, size_t i)
{
    const contact2 *c = &p->contact[i];
    double U[2], new[2], *S = &p->S[2 * i];
    shifted_velocity2(c, p->velocity, has_two(p, i), c->shift, U);
    contact2_solve(c, U[0] - (c->H[0] * S[0] + c->H[1] * S[1]), U[1] - (c->H[1] * S[0] + c->H[2] * S[1]),
                   &new[0], &new[1]);
    apply_impulse2(c, p->velocity, has_two(p, i), new[0] - S[0], new[1] - S[1]);
    memcpy(S, new, sizeof new);
}

static void plane_sweeps_agree_with_plain_ones_at_any_width(void **state)
{
    (void)state;
    for (int steep = 0; steep < 2; steep++) {
        lattice2 one = crooked(steep ? 2 : 0.3), two = crooked(steep ? 2 : 0.3);
        refresh_velocities(&one.general, NULL);
        for (size_t b = 0; b < two.general.bodies; b++)
            memcpy(two.general.velocity[b].u, &two.general.u_free[3 * b], 3 * sizeof(double));
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            nlgs_sweep(&one.general, NULL);
            for (size_t i = 0; i < two.general.contacts; i++)
                relax_plainly2(&two.general, i);
        }
        assert_same_impulses(&one.general, &two.general);
        assert_same_for_all_widths(&one.general);
        arena_free(&one.memory);
        arena_free(&two.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_agree_with_plain_ones),
        cmocka_unit_test(same_bits_at_any_width),
        cmocka_unit_test(law_holds_for_random_blocks),
        cmocka_unit_test(blocks_without_a_normal),
        cmocka_unit_test(plane_sweeps_agree_with_plain_ones_at_any_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
