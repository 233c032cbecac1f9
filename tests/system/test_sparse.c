/*
 * Sparse mass, stiffness and damping: the same motion as with dense ones in every scheme, the modes of a
 * membrane of finite elements, many gaps at once, and what is refused.
 */
#include "simple.h"

enum { N = 12, SIDE = 40, NODES = SIDE * SIDE };

/* ---- small: against the dense form ------------------------------------------------------------------- */

typedef struct rows {
    size_t start[N + 1];
    uint32_t column[N * N];
    double entries[N * N];
} rows;

// entries that are not zero; whole: those right of the diagonal too, which nobody may read
static mo_metric sparse_of(const double *full, bool whole, rows *r)
{
    size_t used = 0;
    for (uint32_t i = 0; i < N; i++) {
        r->start[i] = used;
        for (uint32_t j = 0; j < N; j++) {
            if (full[i * N + j] == 0 || (j > i && !whole))
                continue;
            r->column[used] = j;
            r->entries[used++] = j > i ? nan("") : full[i * N + j];
        }
    }
    r->start[N] = used;
    return (mo_metric){
        .kind = MO_METRIC_SPARSE, .entries = r->entries, .start = r->start, .column = r->column};
}

// sum of scale b b^T over some pairs and of part of a diagonal: positive, definite if part > 0
static void random_sparse(rng *r, double scale, double part, size_t pairs, double *full)
{
    memset(full, 0, N * N * sizeof *full);
    for (size_t i = 0; i < N; i++)
        full[i * N + i] = part * uniform(r, 1, 2);
    for (size_t k = 0; k < pairs; k++) {
        size_t i = rng_next(r) % N, j = rng_next(r) % N;
        double a = uniform(r, 0.5, 1), b = uniform(r, -1, 1);
        if (i == j)
            continue;
        full[i * N + i] += scale * a * a;
        full[j * N + j] += scale * b * b;
        full[i * N + j] += scale * a * b;
        full[j * N + i] = full[i * N + j];
    }
}

static mo_metric dense_of(const double *full)
{
    return (mo_metric){.kind = MO_METRIC_DENSE, .entries = full};
}

typedef struct trio {
    double M[N * N], K[N * N], C[N * N], q[N], u[N], e[6];
    rows sparse[3];
    planes p;
} trio;

static void random_trio(rng *r, trio *t)
{
    random_sparse(r, 0.5, 1, 14, t->M);
    random_sparse(r, 200, 0, 10, t->K);
    random_sparse(r, 2, 0, 6, t->C);
    t->p = (planes){.n = N, .m = 6};
    for (size_t a = 0; a < 6; a++) {
        t->e[a] = 0.3;
        t->p.offset[a] = uniform(r, 0.02, 0.1);
        for (int k = 0; k < 3; k++)
            t->p.G[a * N + rng_next(r) % N] = uniform(r, -1, 1);
    }
    for (size_t i = 0; i < N; i++)
        t->q[i] = 0, t->u[i] = uniform(r, -1, 1), t->p.force[i] = uniform(r, -3, 3);
}

// choice: bits for mass, stiffness and damping
static void choose_sparse(trio *t, int choice, mo_system_def *def)
{
    const double *full[3] = {t->M, t->K, t->C};
    mo_metric *to[3] = {&def->mass, &def->stiffness, &def->damping};
    for (int k = 0; k < 3; k++)
        *to[k] = choice >> k & 1 ? sparse_of(full[k], k == 1, &t->sparse[k]) : dense_of(full[k]);
}

static void test_sparse_moves_like_dense(void **state)
{
    (void)state;
    rng r = rng_seed(311, 1);
    trio t;
    int64_t impacts[MO_SYSTEM_SCHEME_ALPHA + 1] = {0};
    for (int round = 0; round < 4; round++) {
        random_trio(&r, &t);
        for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_ALPHA; scheme++) {
            double expected[2][N] = {{0}};
            for (int choice = 0; choice < 8; choice++) {
                mo_system_def def = planes_def(&t.p, t.q, t.u, 0.002, (mo_system_scheme)scheme);
                choose_sparse(&t, choice, &def);
                def.restitution = t.e;
                mo_system *s = make_system(&def);
                memset(t.sparse, 0xff, sizeof t.sparse); // matrices were copied
                for (int i = 0; i < 150; i++)
                    good_step(s);
                impacts[scheme] += mo_system_info_get(s)->impacts;
                for (size_t i = 0; i < N; i++) {
                    if (choice == 0)
                        expected[0][i] = mo_system_q(s)[i], expected[1][i] = mo_system_u(s)[i];
                    assert_close(mo_system_q(s)[i], expected[0][i], 1e-10);
                    assert_close(mo_system_u(s)[i], expected[1][i], 1e-8);
                }
                mo_system_destroy(s);
            }
        }
    }
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_ALPHA; scheme++)
        assert_true(impacts[scheme] >= 32 || scheme == MO_SYSTEM_SCHEME_COMPLIANT);
}

static mo_status slide(void *data, double t, const double *q, double *T, mo_error *err)
{
    const planes *p = data;
    (void)t, (void)q, (void)err;
    for (size_t a = 0; a < p->m; a++)
        T[a * p->n + a] = 1;
    return MO_OK;
}

// a force that has to be solved for by Newton's method, with friction
static mo_status strong_drag(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                             double *Fu, mo_error *err)
{
    const planes *p = data;
    (void)t, (void)q, (void)Fq, (void)Fu, (void)err;
    for (size_t i = 0; i < p->n; i++)
        F[i] = p->force[i] - 300 * u[i] * fabs(u[i]);
    return MO_OK;
}

static void test_friction_and_implicit_forces(void **state)
{
    (void)state;
    rng r = rng_seed(313, 1);
    trio t;
    double mu[6] = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2};
    random_trio(&r, &t);
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_MOREAU_JEAN; scheme++) {
        double expected[N] = {0};
        for (int choice = 0; choice < 8; choice += 7) {
            mo_system_def def = planes_def(&t.p, t.q, t.u, 0.01, (mo_system_scheme)scheme);
            choose_sparse(&t, choice, &def);
            def.force = strong_drag;
            def.force_depends_on_velocity = true;
            def.friction = mu;
            def.tangent = slide;
            mo_system *s = make_system(&def);
            for (int i = 0; i < 60; i++)
                good_step(s);
            for (size_t i = 0; i < N; i++) {
                expected[i] = choice == 0 ? mo_system_q(s)[i] : expected[i];
                assert_close(mo_system_q(s)[i], expected[i], 1e-9);
            }
            mo_system_destroy(s);
        }
    }
}

/* ---- a membrane --------------------------------------------------------------------------------------- */

/*
 * Bilinear finite elements on a unit square held at its edges, side x side free nodes: tensor products of the
 * matrices of a bar, m = dx (1 4 1) / 6 and k = (-1 2 -1) / dx, whose vectors sin(a pi x) are shared.
 */
typedef struct membrane {
    size_t side, n, m;
    size_t *start;
    uint32_t *column;
    double *mass, *stiffness, *q, *u;
    double floor; /* gap a is q_i + floor, i = a mod n: beyond n every gap is there twice */
} membrane;

static void membrane_make(membrane *p, size_t side, size_t gaps)
{
    double dx = 1 / ((double)side + 1), mass[2] = {4 * dx / 6, dx / 6}, stiffness[2] = {2 / dx, -1 / dx};
    size_t used = 0;
    *p = (membrane){.side = side, .n = side * side, .m = gaps};
    p->start = calloc(p->n + 1, sizeof *p->start);
    p->column = calloc(5 * p->n, sizeof *p->column);
    p->mass = calloc(12 * p->n, sizeof *p->mass);
    assert_true(p->start != NULL && p->column != NULL && p->mass != NULL);
    p->stiffness = p->mass + 5 * p->n;
    p->q = p->mass + 10 * p->n;
    p->u = p->q + p->n;
    for (size_t i = 0; i < p->n; i++) {
        size_t x = i % side, y = i / side;
        for (size_t j = i > side + 1 ? i - side - 1 : 0; j <= i; j++) {
            size_t a = j % side > x ? j % side - x : x - j % side, b = y - j / side;
            if (a > 1 || b > 1)
                continue;
            p->column[used] = (uint32_t)j;
            p->mass[used] = mass[a] * mass[b];
            p->stiffness[used++] = stiffness[a] * mass[b] + mass[a] * stiffness[b];
        }
        p->start[i + 1] = used;
    }
}

static void membrane_free(membrane *p)
{
    free(p->start);
    free(p->column);
    free(p->mass);
}

static mo_status membrane_gap(void *data, double t, const double *q, double *g, double *gx, double *gt,
                              mo_error *err)
{
    const membrane *p = data;
    (void)t, (void)gt, (void)err;
    for (size_t a = 0; a < p->m; a++) {
        size_t i = a % p->n;
        g[a] = q[i] + p->floor;
        if (gx != NULL)
            gx[a * p->n + i] = 1;
    }
    return MO_OK;
}

static mo_metric membrane_matrix(const membrane *p, const double *entries)
{
    return (mo_metric){.kind = MO_METRIC_SPARSE, .entries = entries, .start = p->start, .column = p->column};
}

static mo_system_def membrane_def(membrane *p, double h, mo_system_scheme scheme)
{
    mo_system_def def = mo_default_system_def();
    def.n = p->n;
    def.gaps = p->m;
    def.q = p->q;
    def.u = p->u;
    def.h = h;
    def.scheme = scheme;
    def.gap = p->m > 0 ? membrane_gap : NULL;
    def.linear = true;
    def.mass = membrane_matrix(p, p->mass);
    def.stiffness = membrane_matrix(p, p->stiffness);
    def.data = p;
    return def;
}

// q := the mode (a, b); its square of frequency, which the grid makes k / m along either side
static double membrane_mode(membrane *p, int a, int b)
{
    const double pi = 3.14159265358979323846;
    double dx = 1 / ((double)p->side + 1), square = 0;
    for (size_t i = 0; i < p->n; i++)
        p->q[i] = sin(a * pi * dx * (double)(i % p->side + 1)) * sin(b * pi * dx * (double)(i / p->side + 1));
    for (int k = 0; k < 2; k++) {
        double c = cos((k == 0 ? a : b) * pi * dx);
        square += (2 - 2 * c) / dx / ((4 + 2 * c) * dx / 6);
    }
    return square;
}

/*
 * A mode stays a mode.  By the theta-scheme with theta = 1/2 it turns by the angle phi with tan(phi / 2) =
 * omega h / 2 at every step, and by alpha with rho_infinity = 1 too (both are the trapezoidal rule); h is 20
 * times what an explicit method could bear.
 */
static void test_modes_of_a_membrane(void **state)
{
    (void)state;
    const mo_system_scheme schemes[2] = {MO_SYSTEM_SCHEME_MOREAU_JEAN, MO_SYSTEM_SCHEME_ALPHA};
    membrane p;
    membrane_make(&p, SIDE, 0);
    for (int k = 0; k < 2; k++)
        for (int mode = 1; mode <= 7; mode += 3) {
            double omega = sqrt(membrane_mode(&p, mode, mode / 2 + 1)), h = 0.2, start[NODES];
            memcpy(start, p.q, sizeof start);
            mo_system_def def = membrane_def(&p, h, schemes[k]);
            def.rho_infinity = 1; // alpha: the trapezoidal rule
            mo_system *s = make_system(&def);
            for (int i = 1; i <= 40; i++) {
                good_step(s);
                double c = cos(i * 2 * atan(omega * h / 2));
                for (size_t j = 0; j < NODES; j += 7)
                    assert_close(mo_system_q(s)[j], c * start[j], 1e-11);
            }
            assert_true(fabs(mo_system_info_get(s)->energy.balance_error) <=
                        1e-11 * mo_system_info_get(s)->energy.potential + 1e-11);
            mo_system_destroy(s);
        }
    membrane_free(&p);
}

/*
 * A membrane that falls flat on a floor under every node: all gaps are hit at once.  With an even velocity -v
 * the law of impact u_f = e v is reached with impulses (1 + e) v M 1 > 0, which is the solution, for M has
 * no entries below zero.  400 gaps are projected onto by the method for many; so are 800, each there twice,
 * of which only the sums of pairs are determined.
 */
static void fall_flat(size_t gaps)
{
    const double e = 0.25, v = 2;
    membrane p;
    double restitution[800];
    membrane_make(&p, 20, gaps);
    p.floor = 0.105;
    for (size_t i = 0; i < gaps; i++)
        p.u[i % p.n] = -v, restitution[i] = e;
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE; scheme++) {
        mo_system_def def = membrane_def(&p, 0.01, (mo_system_scheme)scheme);
        def.stiffness = (mo_metric){.entries = NULL};
        def.restitution = restitution;
        mo_system *s = make_system(&def);
        while (mo_system_info_get(s)->active == 0) {
            good_step(s);
            assert_true(mo_system_info_get(s)->time < 0.1);
        }
        assert_true(mo_system_info_get(s)->active >= 400);
        double up = mo_system_u(s)[0], row[400] = {0};
        // positions-first schemes reach the floor or the rebound over two steps
        if (scheme == MO_SYSTEM_SCHEME_MOREAU || scheme == MO_SYSTEM_SCHEME_MOREAU_JEAN)
            assert_close(up, e * v, 1e-13);
        for (size_t i = 0; i < p.n; i++)
            for (size_t k = p.start[i]; k < p.start[i + 1]; k++) {
                row[i] += p.mass[k];
                row[p.column[k]] += p.column[k] < i ? p.mass[k] : 0;
            }
        for (size_t i = 0; i < p.n; i++) {
            assert_close(mo_system_u(s)[i], up, 1e-12);
            // relative: impulses are of the size of a node's mass
            double push = mo_system_lambda(s)[i] + (gaps > p.n ? mo_system_lambda(s)[p.n + i] : 0);
            assert_close(push / ((up + v) * row[i]), 1, 1e-11);
        }
        mo_system_destroy(s);
    }
    membrane_free(&p);
}

static void test_many_gaps_at_once(void **state)
{
    (void)state;
    fall_flat(400);
    fall_flat(800);
}

// gaps that begin and cease to push, 225 of them: the same as by the dense matrices and their method
static void test_many_gaps_like_dense(void **state)
{
    (void)state;
    enum { G = 15, n = G * G };
    membrane p;
    double *full = calloc(2 * n * n, sizeof *full), expected[n], most = 0;
    const mo_system_scheme schemes[3] = {MO_SYSTEM_SCHEME_MOREAU_JEAN, MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN,
                                         MO_SYSTEM_SCHEME_ALPHA};
    assert_non_null(full);
    membrane_make(&p, G, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = p.start[i]; k < p.start[i + 1]; k++) {
            full[i * n + p.column[k]] = p.mass[k];
            full[n * n + i * n + p.column[k]] = p.stiffness[k];
        }
    membrane_mode(&p, 1, 1);
    memcpy(p.u, p.q, n * sizeof *p.u);
    memset(p.q, 0, n * sizeof *p.q);
    for (size_t i = 0; i < n; i++)
        p.u[i] *= -1 + 0.3 * sin((double)(7 * i));
    p.floor = 0.05;
    for (int k = 0; k < 3; k++) {
        for (int sparse = 0; sparse < 2; sparse++) {
            mo_system_def def = membrane_def(&p, 0.02, schemes[k]);
            if (!sparse) {
                def.mass = dense_of(full);
                def.stiffness = dense_of(full + n * n);
            }
            mo_system *s = make_system(&def);
            for (int i = 0; i < 40; i++) {
                take_step(s);
                assert_true(mo_system_info_get(s)->residual < 1e-11);
                most = fmax(most, (double)mo_system_info_get(s)->active);
            }
            assert_int_equal(mo_system_info_get(s)->unconverged_steps, 0);
            for (size_t i = 0; i < n; i++) {
                expected[i] = sparse ? expected[i] : mo_system_q(s)[i];
                assert_close(mo_system_q(s)[i], expected[i], 1e-9);
            }
            mo_system_destroy(s);
        }
    }
    assert_true(most > 100);
    free(full);
    membrane_free(&p);
}

// 40 000 freedoms: a dense matrix would take 13 gigabytes
static void test_a_large_membrane(void **state)
{
    (void)state;
    membrane p;
    membrane_make(&p, 200, 3);
    double omega = sqrt(membrane_mode(&p, 2, 1)), h = 0.05;
    p.floor = 2;
    mo_system_def def = membrane_def(&p, h, MO_SYSTEM_SCHEME_MOREAU_JEAN);
    mo_system *s = make_system(&def);
    for (int i = 1; i <= 5; i++) {
        good_step(s);
        double c = cos(i * 2 * atan(omega * h / 2));
        for (size_t j = 0; j < p.n; j += 131)
            assert_close(mo_system_q(s)[j], c * p.q[j], 1e-10);
    }
    mo_system_destroy(s);
    membrane_free(&p);
}

/* ---- what is refused ---------------------------------------------------------------------------------- */

static void refused(const mo_system_def *def, const char *key, const char *part)
{
    mo_error err = {0};
    mo_system *s = NULL;
    assert_int_equal(mo_system_create(def, &s, &err), MO_BAD_INPUT);
    assert_null(s);
    if (strcmp(err.key, key) != 0 || strstr(err.message, part) == NULL)
        fail_msg("[%s] %s, expected [%s] ...%s...", err.key, err.message, key, part);
}

static void test_refused(void **state)
{
    (void)state;
    planes p = {.n = 3, .m = 0};
    double q[3] = {0}, entries[5] = {2, -1, 2, -1, 2};
    size_t start[4] = {0, 1, 3, 5};
    uint32_t column[5] = {0, 0, 1, 1, 2};
    mo_metric good = {.kind = MO_METRIC_SPARSE, .entries = entries, .start = start, .column = column};
    mo_system_def def = planes_def(&p, q, q, 0.1, MO_SYSTEM_SCHEME_MOREAU_JEAN);
    def.mass = def.stiffness = good;
    mo_system_destroy(make_system(&def));
    column[3] = 7;
    refused(&def, "mass", "row 3 has an entry in column 8 of 3");
    column[3] = 2;
    refused(&def, "mass", "row 3 has column 3 after column 3");
    column[3] = 1;
    start[2] = 0;
    refused(&def, "mass", "row 2 begins at 1 and ends at 0");
    start[2] = 3;
    start[0] = 1;
    refused(&def, "mass", "found 1, expected 0");
    start[0] = 0;
    entries[3] = nan("");
    refused(&def, "mass", "in row 3, column 2");
    def.mass = (mo_metric){.kind = MO_METRIC_IDENTITY};
    refused(&def, "stiffness", "in row 3, column 2");
    entries[3] = -1;
    def.stiffness.column = NULL;
    refused(&def, "stiffness", "column: NULL");
    def.stiffness = (mo_metric){.entries = NULL};
    def.damping = good;
    def.damping.start = NULL;
    refused(&def, "damping", "start: NULL");
    def.damping = (mo_metric){.entries = NULL};
    // singular: (1 -1; -1 2 -1; -1 1), springs without a wall
    def.mass = good;
    entries[0] = entries[4] = 1;
    refused(&def, "mass", "not positive definite");
    // indefinite
    entries[2] = 1;
    refused(&def, "mass", "not positive definite");
    // a diagonal that is not given is zero
    size_t short_start[4] = {0, 0, 1, 2};
    uint32_t short_column[2] = {1, 2};
    def.mass.start = short_start;
    def.mass.column = short_column;
    refused(&def, "mass", "row 1 of 3");
    // which is good for a stiffness
    def.mass = (mo_metric){.kind = MO_METRIC_IDENTITY};
    def.stiffness = good;
    def.stiffness.start = short_start;
    def.stiffness.column = short_column;
    mo_system *s = make_system(&def);
    good_step(s);
    mo_system_destroy(s);
}

// free masses between springs, without a wall: singular however many there are
static void test_singular_grids_are_found(void **state)
{
    (void)state;
    enum { n = NODES };
    static double entries[3 * n], q[n];
    static size_t start[n + 1];
    static uint32_t column[3 * n];
    mo_system_def def = mo_default_system_def();
    size_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = i % SIDE, y = i / SIDE;
        start[i] = used;
        if (y > 0)
            column[used] = i - SIDE, entries[used++] = -1;
        if (x > 0)
            column[used] = i - 1, entries[used++] = -1;
        column[used] = i;
        entries[used++] = (x > 0) + (x < SIDE - 1) + (y > 0) + (y < SIDE - 1);
    }
    start[n] = used;
    def.n = n;
    def.q = def.u = q;
    def.mass = (mo_metric){.kind = MO_METRIC_SPARSE, .entries = entries, .start = start, .column = column};
    refused(&def, "mass", "not positive definite");
}

// K so negative that M + ... K is not definite: the step is not made, and says why
static void test_negative_stiffness(void **state)
{
    (void)state;
    planes p = {.n = 2, .m = 0};
    double q[2] = {0}, entries[3] = {1, -1e6, 1};
    size_t start[3] = {0, 1, 3};
    uint32_t column[3] = {0, 0, 1};
    mo_system_def def = planes_def(&p, q, q, 0.1, MO_SYSTEM_SCHEME_MOREAU_JEAN);
    mo_error err = {0};
    def.stiffness =
        (mo_metric){.kind = MO_METRIC_SPARSE, .entries = entries, .start = start, .column = column};
    mo_system *s = make_system(&def);
    mo_system_step(s, &err);
    assert_int_equal(mo_system_info_get(s)->outcome, MO_SYSTEM_SINGULAR_MASS);
    mo_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse_moves_like_dense),
        cmocka_unit_test(test_friction_and_implicit_forces),
        cmocka_unit_test(test_modes_of_a_membrane),
        cmocka_unit_test(test_many_gaps_at_once),
        cmocka_unit_test(test_many_gaps_like_dense),
        cmocka_unit_test(test_a_large_membrane),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_singular_grids_are_found),
        cmocka_unit_test(test_negative_stiffness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
