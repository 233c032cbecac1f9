/* Problem files: every way of storing a matrix, global form, writing and reading again, and files that lie.
 */
#include <dirent.h>
#include <math.h>
#include <sys/stat.h>

#include "record/hostile.h"
#include "record/small_problem.h"
#include "support/close.h"
#include "support/collection.h"

static double entry(const mo_problem *p, size_t i, size_t j)
{
    const size_t d = (size_t)p->dim;
    for (size_t k = p->start[i / d]; k < p->start[i / d + 1]; k++)
        if (p->column[k] == j / d)
            return p->W[(k * d + i % d) * d + j % d];
    return 0;
}

static void assert_bad(const char *path, const char *key)
{
    mo_problem_file f = {.global = true};
    mo_error e = {.key = ""};
    assert_int_equal(mo_problem_read(path, &f, &e), MO_BAD_FILE);
    assert_int_equal(e.status, MO_BAD_FILE);
    assert_string_equal(e.file, path);
    assert_string_equal(e.key, key);
    assert_true(e.message[0] != '\0');
    assert_true(f.global && f.r == NULL);
    assert_nothing_open();
}

static void every_storage(void **state)
{
    (void)state;
    const char *path = in_folder("small.hdf5");
    for (int nz = -2; nz <= 0; nz++) {
        mo_problem_file f;
        write_small_local(path, nz);
        must(mo_problem_read(path, &f, err));
        assert_nothing_open();
        assert_int_equal(f.local.dim, 2);
        assert_int_equal(f.local.contacts, 2);
        assert_false(f.global);
        for (size_t i = 0; i < SMALL_N; i++)
            for (size_t j = 0; j < SMALL_N; j++)
                assert_close(entry(&f.local, i, j), small_W[i][j], 0);
        assert_memory_equal(f.local.q, small_q, sizeof small_q);
        assert_memory_equal(f.local.mu, small_mu, sizeof small_mu);
        assert_true(f.has_solution);
        assert_memory_equal(f.r, small_q, sizeof small_q);
        assert_int_equal(f.title[0], '\0');
        mo_problem_file_free(&f);
        assert_null(f.r);
    }
}

static void global_form(void **state)
{
    (void)state;
    const char *path = in_folder("global.hdf5");
    for (int nz = -2; nz <= 0; nz++) {
        mo_problem_file f;
        write_small_global(path, nz);
        must(mo_problem_read(path, &f, err));
        assert_true(f.global);
        for (size_t i = 0; i < 4; i++) {
            assert_close(f.local.q[i], small_HMf[i], 1e-15);
            for (size_t j = 0; j < 4; j++)
                assert_close(entry(&f.local, i, j), small_HMH[i][j], 1e-15);
        }
        assert_false(f.has_solution);
        mo_problem_file_free(&f);
    }
}

/* other widths and orders of bytes, repeated triplets that add up, arrays longer than needed */
static void other_numbers(void **state)
{
    (void)state;
    const char *path = in_folder("other.hdf5");
    const long long row[] = {0, 3, 3, 0}, column[] = {0, 3, 3, 9}, nz = 3;
    const float value[] = {1.5F, 2, 0.25F, -1}, mu[] = {0.5F, 2};
    mo_problem_file f;
    write_small_local(path, 0);
    replace(path, "/fclib_local/W/i", H5T_NATIVE_LLONG, 4, row);
    replace(path, "/fclib_local/W/p", H5T_NATIVE_LLONG, 4, column);
    replace(path, "/fclib_local/W/x", H5T_NATIVE_FLOAT, 4, value);
    replace(path, "/fclib_local/W/nz", H5T_NATIVE_LLONG, 1, &nz);
    replace(path, "/fclib_local/vectors/mu", H5T_NATIVE_FLOAT, 2, mu);
    replace(path, "/fclib_local/W/nzmax", H5T_NATIVE_INT, 0, NULL);
    must(mo_problem_read(path, &f, err));
    assert_close(entry(&f.local, 0, 0), 1.5, 0);
    assert_close(entry(&f.local, 3, 3), 2.25, 0);
    assert_close(f.local.mu[1], 2, 0);
    assert_int_equal(f.local.start[2], 2);
    mo_problem_file_free(&f);
}

/* whole numbers where reals are expected, as arrays of integers are written that nobody converted */
static void whole_numbers_are_reals(void **state)
{
    (void)state;
    const char *path = in_folder("whole.hdf5");
    const int x[SMALL_ENTRIES] = {2, 1, 3, 1, 4, 5, 4, 6};
    const signed char q[SMALL_N] = {-1, 0, 2, -128};
    const unsigned short mu[2] = {65535, 0};
    const unsigned char dim = 2;
    const unsigned long long r[SMALL_N] = {0, 1ULL << 53, 7, UINT64_MAX};
    mo_problem_file f;
    write_small_local(path, -2);
    replace(path, "/fclib_local/spacedim", H5T_NATIVE_UCHAR, 1, &dim);
    replace(path, "/fclib_local/W/x", H5T_NATIVE_INT, SMALL_ENTRIES, x);
    replace(path, "/fclib_local/vectors/q", H5T_NATIVE_SCHAR, SMALL_N, q);
    replace(path, "/fclib_local/vectors/mu", H5T_NATIVE_USHORT, 2, mu);
    replace(path, "/solution/r", H5T_NATIVE_ULLONG, SMALL_N, r);
    must(mo_problem_read(path, &f, err));
    for (size_t i = 0; i < SMALL_N; i++) {
        // the only entry that is not whole is replaced by 4
        for (size_t j = 0; j < SMALL_N; j++)
            assert_close(entry(&f.local, i, j), i == 3 && j == 0 ? 4 : small_W[i][j], 0);
        assert_close(f.local.q[i], q[i], 0);
        assert_close(f.r[i], (double)r[i], 0);
    }
    assert_close(f.local.mu[0], 65535, 0);
    mo_problem_file_free(&f);
}

/* columns and rows of tables, chunked or not, are vectors; tables are not */
static void vectors_in_tables(void **state)
{
    (void)state;
    const char *path = in_folder("tables.hdf5");
    const hsize_t column[] = {SMALL_N, 1}, row[] = {1, SMALL_N}, deep[] = {1, SMALL_N, 1}, one[] = {1, 1};
    const hsize_t three[] = {3, 1}, thin[] = {1, 1, 1}, table[] = {2, 2}, nothing[] = {0, 2};
    const int dim = 2;
    mo_problem_file f;
    write_small_local(path, -2);
    replace_by_table(path, "/fclib_local/spacedim", H5T_NATIVE_INT, 2, one, NULL, &dim);
    replace_by_table(path, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 2, column, three, small_q);
    replace_by_table(path, "/solution/r", H5T_NATIVE_DOUBLE, 2, row, NULL, small_q);
    replace_by_table(path, "/solution/u", H5T_NATIVE_DOUBLE, 3, deep, thin, small_q);
    must(mo_problem_read(path, &f, err));
    assert_int_equal(f.local.dim, 2);
    assert_memory_equal(f.local.q, small_q, sizeof small_q);
    assert_memory_equal(f.r, small_q, sizeof small_q);
    assert_memory_equal(f.u, small_q, sizeof small_q);
    mo_problem_file_free(&f);
    replace_by_table(path, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 2, table, NULL, small_q);
    assert_bad(path, "/fclib_local/vectors/q");
    replace_by_table(path, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 2, nothing, NULL, small_q);
    assert_bad(path, "/fclib_local/vectors/q");
}

/* true and false are no numbers, nor are texts; indices are whole */
static void other_kinds_are_refused(void **state)
{
    (void)state;
    const char *path = in_folder("kinds.hdf5");
    const signed char yes[2] = {1, 0}, values[2] = {0, 1};
    for (int kind = 0; kind < 2; kind++) {
        hid_t type = kind == 0 ? H5Tenum_create(H5T_NATIVE_SCHAR) : H5Tcopy(H5T_C_S1);
        if (kind == 0)
            assert_true(H5Tenum_insert(type, "FALSE", &values[0]) >= 0 &&
                        H5Tenum_insert(type, "TRUE", &values[1]) >= 0);
        write_small_local(path, -2);
        replace(path, "/fclib_local/vectors/mu", type, 2, yes);
        H5Tclose(type);
        assert_bad(path, "/fclib_local/vectors/mu");
    }
    const double i[SMALL_ENTRIES] = {0, 1, 3, 0, 1, 2, 0, 3};
    write_small_local(path, -2);
    replace(path, "/fclib_local/W/i", H5T_NATIVE_DOUBLE, SMALL_ENTRIES, i);
    assert_bad(path, "/fclib_local/W/i");
}

/* ---- writing ------------------------------------------------------------------------------------------ */

static void assert_same_problem(const mo_problem_file *a, const mo_problem_file *b)
{
    const mo_problem *p = &a->local, *q = &b->local;
    const size_t d = (size_t)p->dim;
    assert_int_equal(p->dim, q->dim);
    assert_int_equal(p->contacts, q->contacts);
    assert_memory_equal(p->start, q->start, (p->contacts + 1) * sizeof *p->start);
    assert_memory_equal(p->column, q->column, p->start[p->contacts] * sizeof *p->column);
    assert_memory_equal(p->W, q->W, p->start[p->contacts] * d * d * sizeof *p->W);
    assert_memory_equal(p->q, q->q, p->contacts * d * sizeof *p->q);
    assert_memory_equal(p->mu, q->mu, p->contacts * sizeof *p->mu);
    assert_int_equal(a->global, b->global);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->description, b->description);
    assert_string_equal(a->math_info, b->math_info);
}

static void write_and_read(void **state)
{
    (void)state;
    const char *path = in_folder("first.hdf5"), *copy = in_folder("second.hdf5");
    const double r[SMALL_N] = {1, -0.25, 3, 1e-300}, u[SMALL_N] = {0, 2, 0.1, -5};
    for (int form = 0; form < 2; form++) {
        mo_problem_file first, second;
        (form == 0 ? write_small_local : write_small_global)(path, 0);
        must(mo_problem_read(path, &first, err));
        snprintf(first.title, sizeof first.title, "two contacts");
        snprintf(first.description, sizeof first.description, "by hand\nin two lines");
        must(mo_problem_write(copy, &first, r, u, err));
        assert_nothing_open();
        must(mo_problem_read(copy, &second, err));
        assert_same_problem(&first, &second);
        assert_true(second.has_solution);
        assert_memory_equal(second.r, r, sizeof r);
        assert_memory_equal(second.u, u, sizeof u);
        mo_problem_file_free(&second);
        must(mo_problem_write(copy, &first, NULL, NULL, err));
        must(mo_problem_read(copy, &second, err));
        assert_false(second.has_solution);
        mo_problem_file_free(&second);
        mo_problem_file_free(&first);
    }
}

/* v = M^-1 (H r + f): H r + f = (2 + 2, 8 + 2, 1, 3), v = (2, 2.5, -1, 2) for r = (2, .5, 1, 0) */
static void velocities_of_global_problems(void **state)
{
    (void)state;
    const char *path = in_folder("global.hdf5"), *copy = in_folder("v.hdf5");
    const double r[4] = {2, 0.5, 1, 0}, u[4] = {0}, expected[4] = {2, 2.5, -1, 2};
    mo_problem_file f;
    write_small_global(path, 0);
    must(mo_problem_read(path, &f, err));
    must(mo_problem_write(copy, &f, r, u, err));
    mo_problem_file_free(&f);
    double v[4] = {0};
    hid_t file = H5Fopen(copy, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "/solution/v", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
    H5Dclose(set);
    H5Fclose(file);
    for (size_t i = 0; i < 4; i++)
        assert_close(v[i], expected[i], 1e-15);
}

/* large enough to be compressed: contacts in a chain */
static void compressed(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    const char *path = in_folder("many.hdf5");
    mo_problem_file f = {.local = {.dim = 3, .contacts = MANY}}, back;
    f.local.start = calloc(MANY + 1, sizeof *f.local.start);
    f.local.column = calloc(2 * MANY, sizeof *f.local.column);
    f.local.W = calloc(18 * MANY, sizeof *f.local.W);
    f.local.q = calloc(3 * MANY, sizeof *f.local.q);
    f.local.mu = calloc(MANY, sizeof *f.local.mu);
    for (size_t c = 0; c < MANY; c++) {
        f.local.start[c + 1] = f.local.start[c];
        for (size_t d = c; d < c + 2 && d < MANY; d++)
            f.local.column[f.local.start[c + 1]++] = (uint32_t)d;
        f.local.q[3 * c] = sin((double)c);
    }
    for (size_t k = 0; k < 9 * f.local.start[MANY]; k++)
        f.local.W[k] = cos((double)(k % 100));
    must(mo_problem_write(path, &f, f.local.q, f.local.q, err));
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_true((size_t)about.st_size < 9 * f.local.start[MANY] * sizeof(double) / 2);
    must(mo_problem_read(path, &back, err));
    assert_same_problem(&f, &back);
    mo_problem_file_free(&back);
    mo_problem_file_free(&f);
}

static void what_cannot_be_written(void **state)
{
    (void)state;
    const char *path = in_folder("small.hdf5");
    const double r[SMALL_N] = {0};
    mo_problem_file f;
    mo_error e;
    write_small_local(path, -2);
    must(mo_problem_read(path, &f, err));
    assert_int_equal(mo_problem_write(in_folder("none/x.hdf5"), &f, r, r, &e), MO_IO);
    assert_non_null(strstr(e.file, "none/x.hdf5"));
    assert_int_equal(mo_problem_write(in_folder("x.hdf5"), &f, r, NULL, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "u");
    f.local.mu[0] = -1;
    assert_int_equal(mo_problem_write(in_folder("x.hdf5"), &f, r, r, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "mu");
    assert_int_equal(access(in_folder("x.hdf5"), F_OK), -1);
    f.local.mu[0] = 0;
    // a folder stands where the file should go: nothing is left beside it
    assert_int_equal(mkdir(in_folder("taken"), 0777), 0);
    assert_int_equal(mo_problem_write(in_folder("taken"), &f, r, r, &e), MO_IO);
    assert_int_equal(access(in_folder("taken.part"), F_OK), -1);
    mo_problem_file_free(&f);
}

/* ---- files that lie ------------------------------------------------------------------------------------ */

typedef struct spoiled {
    const char *key;
    bool whole;
    hsize_t count;
    long long whole_values[8];
    double values[8];
} spoiled;

static void spoil(const char *path, void (*write)(const char *, int), int nz, const spoiled *s)
{
    write(path, nz);
    if (s->whole)
        replace(path, s->key, H5T_NATIVE_LLONG, s->count, s->whole_values);
    else
        replace(path, s->key, H5T_NATIVE_DOUBLE, s->count, s->values);
    assert_bad(path, s->key);
    // and without it
    replace(path, s->key, 0, 0, NULL);
    assert_bad(path, s->key);
}

static void local_lies(void **state)
{
    (void)state;
    const char *path = in_folder("lies.hdf5");
    const double nan_value = strtod("nan", NULL);
    const spoiled rows[] = {
        {"/fclib_local/spacedim", true, 1, {4}, {0}},
        {"/fclib_local/spacedim", true, 2, {2, 2}, {0}},
        {"/fclib_local/W/m", true, 1, {5}, {0}},
        {"/fclib_local/W/n", true, 1, {-4}, {0}},
        {"/fclib_local/W/n", true, 1, {4294967300}, {0}},
        {"/fclib_local/W/nz", true, 1, {-3}, {0}},
        {"/fclib_local/W/p", true, 5, {0, 3, 2, 6, 8}, {0}},
        {"/fclib_local/W/p", true, 5, {1, 3, 5, 6, 8}, {0}},
        {"/fclib_local/W/p", true, 5, {0, -3, 5, 6, 8}, {0}},
        {"/fclib_local/W/p", true, 4, {0, 3, 5, 8}, {0}},
        {"/fclib_local/W/i", true, 8, {0, 1, 3, 0, 1, 2, 0, 4}, {0}},
        {"/fclib_local/W/i", true, 8, {0, 1, 3, -1, 1, 2, 0, 3}, {0}},
        {"/fclib_local/W/i", true, 7, {0, 1, 3, 0, 1, 2, 0}, {0}},
        {"/fclib_local/W/x", false, 7, {0}, {1, 2, 3, 4, 5, 6, 7}},
        {"/fclib_local/W/x", false, 8, {0}, {1, 2, 3, nan_value, 5, 6, 7, 8}},
        {"/fclib_local/vectors/q", false, 3, {0}, {1, 2, 3}},
        {"/fclib_local/vectors/q", false, 4, {0}, {1, 2, HUGE_VAL, 4}},
        {"/fclib_local/vectors/mu", false, 2, {0}, {1, -0.5}},
        {"/fclib_local/vectors/mu", false, 2, {0}, {nan_value, 0}},
        {"/solution/r", false, 3, {0}, {1, 2, 3}},
        {"/solution/u", false, 5, {0}, {1, 2, 3, 4, 5}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        spoil(path, write_small_local, -2, &rows[k]);
    // too few entries for the rows that p tells of
    const spoiled more = {"/fclib_local/W/i", true, 8, {0, 1, 3, 0, 1, 2, 0, 3}, {0}};
    const long long p[] = {0, 3, 5, 6, INT64_MAX};
    write_small_local(path, -2);
    replace(path, "/fclib_local/W/p", H5T_NATIVE_LLONG, 5, p);
    assert_bad(path, more.key);
    const long long triplets[] = {9, INT64_MAX};
    for (size_t k = 0; k < 2; k++) {
        write_small_local(path, 0);
        replace(path, "/fclib_local/W/nz", H5T_NATIVE_LLONG, 1, &triplets[k]);
        assert_bad(path, "/fclib_local/W/i");
    }
    const spoiled column = {"/fclib_local/W/p", true, 8, {0, 1, 3, 0, 1, 2, 0, 4}, {0}};
    spoil(path, write_small_local, 0, &column);
}

static void global_lies(void **state)
{
    (void)state;
    const char *path = in_folder("lies.hdf5");
    const spoiled spoils[] = {
        {"/fclib_global/M/m", true, 1, {3}, {0}},
        {"/fclib_global/H/m", true, 1, {3}, {0}},
        {"/fclib_global/H/n", true, 1, {3}, {0}},
        {"/fclib_global/H/i", true, 5, {0, 1, 1, 2, 4}, {0}},
        {"/fclib_global/vectors/w", false, 3, {0}, {1, 2, 3}},
        {"/fclib_global/vectors/f", false, 4, {0}, {1, 2, 3, HUGE_VAL}},
    };
    for (size_t k = 0; k < sizeof spoils / sizeof *spoils; k++)
        spoil(path, write_small_global, 0, &spoils[k]);
    // f tells how many rows there are
    const double one = 1, singular[] = {2, 0, 1, 1, -1, 1}, tiny[] = {1e-308, 4, 1, 1, -1, 1};
    const double huge[] = {1e308, 2, 1, 1, 3};
    write_small_global(path, 0);
    replace(path, "/fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 1, &one);
    assert_bad(path, "/fclib_global/M/m");
    write_small_global(path, 0);
    replace(path, "/fclib_global/M/x", H5T_NATIVE_DOUBLE, 6, singular);
    assert_bad(path, "M");
    // sound numbers whose product is not
    write_small_global(path, 0);
    replace(path, "/fclib_global/M/x", H5T_NATIVE_DOUBLE, 6, tiny);
    replace(path, "/fclib_global/H/x", H5T_NATIVE_DOUBLE, 5, huge);
    assert_bad(path, "W");
    write_small_global(path, 0);
    replace(path, "/fclib_global/G/x", H5T_NATIVE_DOUBLE, 1, &one);
    assert_bad(path, "/fclib_global/G");
    // constraints without any
    mo_problem_file file;
    replace(path, "/fclib_global/G/x", H5T_NATIVE_DOUBLE, 0, &one);
    assert_int_equal(mo_problem_read(path, &file, NULL), MO_OK);
    mo_problem_file_free(&file);
    replace(path, "/fclib_global/vectors/b", H5T_NATIVE_DOUBLE, 1, &one);
    assert_bad(path, "/fclib_global/G");
}

/* [u; 0] = [W V; V' R] [r; l] + [q; s]: an answer without V would be one to another problem */
static void local_equalities(void **state)
{
    (void)state;
    const char *path = in_folder("lies.hdf5");
    const double one = 1;
    mo_problem_file file;
    write_small_local(path, 0);
    replace(path, "/fclib_local/V/x", H5T_NATIVE_DOUBLE, 1, &one);
    assert_bad(path, "/fclib_local/V");
    replace(path, "/fclib_local/V/x", H5T_NATIVE_DOUBLE, 0, &one);
    assert_int_equal(mo_problem_read(path, &file, NULL), MO_OK);
    mo_problem_file_free(&file);
    replace(path, "/fclib_local/vectors/s", H5T_NATIVE_DOUBLE, 1, &one);
    assert_bad(path, "/fclib_local/V");
}

/* a dataset that claims what no file holds: nothing may be allocated for it */
static void false_claims(void **state)
{
    (void)state;
    const char *path = in_folder("claims.hdf5");
    const char *const names[] = {"/fclib_local/vectors/mu", "/fclib_local/W/p", "/fclib_local/W/x"};
    for (size_t k = 0; k < 3; k++)
        for (int way = 0; way < 4; way++) {
            const int chunked = way % 2, rank = 1 + way / 2;
            write_small_local(path, -2);
            hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
            const hsize_t count[] = {(hsize_t)1 << 40, 1}, chunk[] = {1024, 1};
            hid_t space = H5Screate_simple(rank, count, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
            if (chunked) {
                H5Pset_chunk(list, rank, chunk);
                H5Pset_deflate(list, 9);
            }
            H5Ldelete(file, names[k], H5P_DEFAULT);
            hid_t set = H5Dcreate2(file, names[k], k == 1 ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, space,
                                   H5P_DEFAULT, list, H5P_DEFAULT);
            assert_true(set >= 0);
            H5Dclose(set);
            H5Pclose(list);
            H5Sclose(space);
            H5Fclose(file);
            assert_bad(path, names[k]);
        }
}

/* links lead nowhere else, and a problem is not a run */
static void foreign_files(void **state)
{
    (void)state;
    const char *path = in_folder("links.hdf5"), *other = in_folder("other.hdf5");
    write_small_local(path, -2);
    write_small_local(other, -2);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "/fclib_local/vectors/q", H5P_DEFAULT);
    H5Lcreate_external("other.hdf5", "/fclib_local/vectors/q", file, "/fclib_local/vectors/q", H5P_DEFAULT,
                       H5P_DEFAULT);
    H5Fclose(file);
    assert_bad(path, "/fclib_local/vectors/q");
    assert_true(mo_problem_probe(path));
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_bad(path, "");
    assert_false(mo_problem_probe(path));
    write_whole(path, "text", 4);
    assert_bad(path, "");
    write_whole(path, "", 0);
    assert_bad(path, "");
    assert_bad(in_folder("nothing.hdf5"), "");
    assert_bad(test_folder, "");
    assert_false(mo_problem_probe(test_folder));
}

static void read_damaged(const char *path)
{
    mo_problem_file f;
    mo_error e = {.message = ""};
    const mo_status status = mo_problem_read(path, &f, &e);
    assert_true(status == MO_OK || (status == MO_BAD_FILE && e.message[0] != '\0'));
    assert_nothing_open();
    if (status != MO_OK)
        return;
    assert_int_equal(mo_problem_check(&f.local, &e), MO_OK);
    mo_problem_file_free(&f);
}

static void damaged_files(void **state)
{
    (void)state;
    const char *path = in_folder("sound.hdf5"), *damaged = in_folder("damaged.hdf5");
    rng random = rng_seed(4, 1);
    for (int form = 0; form < 2; form++) {
        size_t size;
        (form == 0 ? write_small_local : write_small_global)(path, form == 0 ? -2 : 0);
        char *bytes = read_whole(path, &size);
        for (size_t i = 0; i < 200; i++) {
            write_whole(damaged, bytes, i < 100 ? i : size * (i - 100) / 100);
            read_damaged(damaged);
        }
        for (size_t i = 0; i < 400; i++) {
            const size_t at = rng_next(&random) % size;
            const char old = bytes[at];
            bytes[at] = (char)rng_next(&random);
            write_whole(damaged, bytes, size);
            read_damaged(damaged);
            bytes[at] = old;
        }
        free(bytes);
    }
}

/* ---- real problems ------------------------------------------------------------------------------------- */

static int is_problem(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".hdf5") == 0;
}

/* all can be read, and come back the same after writing */
static void real_problems(void **state)
{
    (void)state;
    if (collection_folder() == NULL)
        skip();
    const char *copy = in_folder("copy.hdf5");
    struct dirent **entries = NULL;
    const int count = scandir(collection_folder(), &entries, is_problem, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char path[1024];
        mo_problem_file f, again;
        snprintf(path, sizeof path, "%s/%s", collection_folder(), entries[i]->d_name);
        must(mo_problem_read(path, &f, err));
        must(mo_problem_write(copy, &f, NULL, NULL, err));
        must(mo_problem_read(copy, &again, err));
        assert_same_problem(&f, &again);
        mo_problem_file_free(&f);
        mo_problem_file_free(&again);
        free(entries[i]);
    }
    free(entries);
}

/* the condensed forms of global problems are in the collection, computed by somebody else */
static void real_global_problems(void **state)
{
    (void)state;
    static const char *const names[] = {"Box_Stacks-i0035-31-0", "LMGC_GlobalFrictionContactProblem00046",
                                        "Spheres-i099-356-679"};
    if (collection_folder() == NULL)
        skip();
    for (size_t k = 0; k < 3; k++) {
        char path[1024], global_path[1024];
        mo_problem_file local, global;
        snprintf(path, sizeof path, "%s/%s.hdf5", collection_folder(), names[k]);
        snprintf(global_path, sizeof global_path, "%s/global/%s.hdf5", collection_folder(), names[k]);
        must(mo_problem_read(path, &local, err));
        must(mo_problem_read(global_path, &global, err));
        assert_true(global.global);
        const mo_problem *p = &local.local, *g = &global.local;
        const size_t n = (size_t)p->dim * p->contacts;
        assert_int_equal(g->contacts, p->contacts);
        assert_memory_equal(g->mu, p->mu, p->contacts * sizeof *p->mu);
        double largest_q = 0, largest_W = 0, off_q = 0, off_W = 0;
        for (size_t i = 0; i < n; i++) {
            largest_q = fmax(largest_q, fabs(p->q[i]));
            off_q = fmax(off_q, fabs(p->q[i] - g->q[i]));
            for (size_t j = 0; j < n; j++) {
                largest_W = fmax(largest_W, fabs(entry(p, i, j)));
                off_W = fmax(off_W, fabs(entry(p, i, j) - entry(g, i, j)));
            }
        }
        // two factorisations of matrices of moderate condition
        assert_close(off_W / largest_W, 0, 1e-13);
        assert_close(off_q / largest_q, 0, 1e-13);
        mo_problem_file_free(&local);
        mo_problem_file_free(&global);
    }
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_storage),     cmocka_unit_test(global_form),
        cmocka_unit_test(other_numbers),     cmocka_unit_test(whole_numbers_are_reals),
        cmocka_unit_test(vectors_in_tables), cmocka_unit_test(other_kinds_are_refused),
        cmocka_unit_test(write_and_read),    cmocka_unit_test(velocities_of_global_problems),
        cmocka_unit_test(compressed),        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(local_lies),        cmocka_unit_test(global_lies),
        cmocka_unit_test(local_equalities),  cmocka_unit_test(false_claims),
        cmocka_unit_test(foreign_files),     cmocka_unit_test(damaged_files),
        cmocka_unit_test(real_problems),     cmocka_unit_test(real_global_problems),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
