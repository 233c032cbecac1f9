/*
 * Distributions of sizes against their closed forms: moments within five standard errors, the largest
 * distance between the empirical and the true distribution function (Kolmogorov and Smirnov) below the value
 * that chance exceeds once in a million; shares by number and by mass; mistakes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"
#include "scene/run_world3.h"
#include "support/close.h"

#include <math.h>

#define W2 "world { dim = 2, h = 1e-3, t_end = 0 }\n"
#define W3 "world { dim = 3, h = 1e-3, t_end = 0 }\n"

enum { DRAWS = 20000 };

static double drawn[DRAWS];

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* draws, sorted */
static void draw(const char *world, const char *distribution)
{
    char text[600];
    outcome o;
    snprintf(text, sizeof text, "%slocal d, x = %s, {}\nfor i = 1, %d do x[i] = d() end\nreport('x', x)",
             world, distribution, (int)DRAWS);
    run_ok(text, &o);
    reported(&o, "x", DRAWS, drawn);
    outcome_free(&o);
    qsort(drawn, DRAWS, sizeof *drawn, compare_doubles);
}

typedef double (*distribution_function)(double x);

static double farthest_from(distribution_function F)
{
    double d = 0;
    for (int i = 0; i < DRAWS; i++) {
        double f = F(drawn[i]);
        d = fmax(d, fmax(f - (double)i / DRAWS, (double)(i + 1) / DRAWS - f));
    }
    return d;
}

/* P(D > d) < 2 exp(-2 n d^2) */
static void expect_distribution(distribution_function F)
{
    double d = farthest_from(F), most = sqrt(log(2e6) / (2.0 * DRAWS));
    if (d > most)
        print_error("distance of the distribution functions: %g, at most %g expected\n", d, most);
    assert_true(d <= most);
}

static void expect_moments(double mean, double variance)
{
    double m = 0, v = 0, fourth = 0;
    for (int i = 0; i < DRAWS; i++)
        m += drawn[i] / DRAWS;
    for (int i = 0; i < DRAWS; i++)
        v += pow(drawn[i] - mean, 2) / DRAWS;
    for (int i = 0; i < DRAWS; i++)
        fourth += pow(pow(drawn[i] - mean, 2) - variance, 2) / DRAWS;
    assert_close(m, mean, 5 * sqrt(variance / DRAWS));
    assert_close(v, variance, 5 * sqrt(fourth / DRAWS));
}

static double uniform(double x)
{
    return (x - 2) / 3;
}

/* density r^-2 or r^-3 from 2 to 5 */
static double uniform_mass_2(double x)
{
    return (1 / 2.0 - 1 / x) / (1 / 2.0 - 1 / 5.0);
}

static double uniform_mass_3(double x)
{
    return (1 / 4.0 - 1 / (x * x)) / (1 / 4.0 - 1 / 25.0);
}

static void uniform_sizes(void **state)
{
    (void)state;
    draw(W2, "sizes.uniform {2, 5}");
    assert_true(drawn[0] >= 2 && drawn[DRAWS - 1] <= 5);
    expect_distribution(uniform);
    expect_moments(3.5, 9 / 12.0);
    assert_true(farthest_from(uniform_mass_2) > 0.1);
    draw(W2, "sizes.uniform {2, 5, by = 'mass'}");
    expect_distribution(uniform_mass_2);
    draw(W3, "sizes.uniform {2, 5, by = 'mass'}");
    expect_distribution(uniform_mass_3);
    draw(W2, "sizes.uniform {2, 2}");
    assert_true(drawn[0] == 2 && drawn[DRAWS - 1] == 2);
}

static double phi(double z)
{
    return 0.5 * erfc(-z / sqrt(2.0));
}

static double normal(double x)
{
    return (phi((x - 10) / 2) - phi(-3)) / (phi(3) - phi(-3));
}

static double cut_normal(double x)
{
    return (phi((x - 10) / 2) - phi(-0.5)) / (phi(2) - phi(-0.5));
}

static double lognormal(double x)
{
    return (phi(log(x / 4) / 0.5) - phi(-3)) / (phi(3) - phi(-3));
}

static void normal_sizes(void **state)
{
    (void)state;
    draw(W2, "sizes.normal {10, 2}");
    expect_distribution(normal);
    /* cut symmetrically at 3: the variance is 1 - 2*3*density(3)/(share kept) of what it was */
    double kept = phi(3) - phi(-3), density = exp(-4.5) / sqrt(2 * acos(-1.0));
    expect_moments(10, 4 * (1 - 6 * density / kept));
    assert_true(drawn[0] >= 4 && drawn[DRAWS - 1] <= 16);
    draw(W2, "sizes.normal {10, 2, min = 9, max = 14}");
    assert_true(drawn[0] >= 9 && drawn[DRAWS - 1] <= 14);
    expect_distribution(cut_normal);
    draw(W2, "sizes.lognormal {4, 0.5}");
    expect_distribution(lognormal);
    assert_true(drawn[0] >= 4 * exp(-1.5) && drawn[DRAWS - 1] <= 4 * exp(1.5));
}

/* how many are this size, within five standard deviations of the binomial distribution */
static void expect_share(double size, double p)
{
    int n = 0;
    for (int i = 0; i < DRAWS; i++)
        n += drawn[i] == size;
    assert_close(n, p * DRAWS, 5 * sqrt(DRAWS * p * (1 - p)));
}

static void tables(void **state)
{
    (void)state;
    draw(W2, "sizes.bidisperse {1, 3}");
    expect_share(1, 0.5);
    expect_share(3, 0.5);
    draw(W2, "sizes.bidisperse {1, 3, share = 0.2}");
    expect_share(1, 0.2);
    /* half of the mass each: nine, in 3D twenty-seven, small ones for a large one */
    draw(W2, "sizes.bidisperse {1, 3, by = 'mass'}");
    expect_share(1, 0.9);
    draw(W3, "sizes.bidisperse {1, 3, by = 'mass'}");
    expect_share(3, 1 / 28.0);
    draw(W2, "sizes.table { {1, 2}, {2, 5}, {4, 0}, {3, 3} }");
    expect_share(1, 0.2);
    expect_share(2, 0.5);
    expect_share(3, 0.3);
    expect_share(4, 0);
    draw(W2, "sizes.table { {1, 1}, {2, 1}, {4, 2}, by = 'mass' }");
    expect_share(1, 8 / 11.0);
    expect_share(2, 2 / 11.0);
    expect_share(4, 1 / 11.0);
}

/* math.random's own state: the seed decides, and drawing goes on where math.random stopped */
static void one_random_state(void **state)
{
    (void)state;
    outcome o;
    double x[6];
    run_ok(W2 "local d, x = sizes.uniform {1, 2}, {}\n"
              "for i = 1, 3 do x[i] = d() end\n"
              "math.randomseed()\n"
              "for i = 4, 6 do x[i] = 1 + math.random() end report('x', x)",
           &o);
    reported(&o, "x", 6, x);
    for (int i = 0; i < 3; i++)
        assert_close(x[i], x[i + 3], 0);
    outcome_free(&o);
}

static const mistake mistakes[] = {
    {"sizes.uniform(3)", 1, "sizes.uniform", "expected a table"},
    {"sizes.uniform {1}", 1, "sizes.uniform", "expected {smallest, largest}, got 1"},
    {"sizes.uniform {1, 2, 3}", 1, "sizes.uniform", "got 3 numbers"},
    {"sizes.uniform {0, 2}", 1, "sizes.uniform[1]", "expected a number > 0"},
    {"sizes.uniform {2, 1}", 1, "sizes.uniform[2]", "at least the smallest"},
    {"sizes.uniform {1, 0/0}", 1, "sizes.uniform[2]", "finite"},
    {"sizes.uniform {1, math.huge}", 1, "sizes.uniform[2]", "finite"},
    {"sizes.uniform {1, 2, by = 'weight'}", 1, "sizes.uniform.by", "\"number\" or \"mass\""},
    {"sizes.uniform {1, 2, low = 3}", 1, "sizes.uniform.low", "unknown key"},
    {"sizes.normal {1, 0}", 1, "sizes.normal[2]", "> 0"},
    {"sizes.normal {1, 1}", 1, "sizes.normal.min", "expected min = a size > 0"},
    {"sizes.normal {1, 0.1, min = 2, max = 1.5}", 1, "sizes.normal.max", "more than the smallest"},
    {"sizes.normal {1, 0.1, min = 2}", 1, "sizes.normal.max", "more than the smallest"},
    {"sizes.normal {1, 0.1, min = 2, max = 3}", 1, "sizes.normal", "a thousandth"},
    {"sizes.lognormal {1, 20}", 1, "sizes.lognormal[2]", "from 0 to 10"},
    {"sizes.bidisperse {1, 2, share = 2}", 1, "sizes.bidisperse.share", "from 0 to 1"},
    {"sizes.table {}", 1, "sizes.table", "expected 1 to 1000 entries"},
    {"sizes.table { {1} }", 1, "sizes.table[1]", ""},
    {"sizes.table { {1, -1} }", 1, "sizes.table[1][2]", "from 0"},
    {"sizes.table { {1, 0} }", 1, "sizes.table", "expected a share > 0"},
    {"local d = sizes.uniform {1, 2, by = 'mass'} d()", 1, "sizes", "world"},
};

static void mistakes_are_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_sizes),    cmocka_unit_test(normal_sizes),      cmocka_unit_test(tables),
        cmocka_unit_test(one_random_state), cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
