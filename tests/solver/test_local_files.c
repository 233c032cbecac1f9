/* `auto` without options on the collection of real problems, where there is one. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <moreau/problem.h>

#include "support/collection.h"

static void check_file(const char *path, double tol)
{
    mo_problem_file file;
    mo_problem_info info;
    mo_problem_residual found;
    mo_error err = {0};
    mo_solver_settings s = mo_default_solver_settings();
    s.tol = tol;
    if (mo_problem_read(path, &file, &err) != MO_OK)
        fail_msg("%s: %s", path, err.message);
    size_t n = (size_t)file.local.dim * file.local.contacts;
    double *r = calloc(n + 1, sizeof *r);
    assert_non_null(r);
    assert_int_equal(mo_problem_solve(&file.local, NULL, &s, r, NULL, &info, &err), MO_OK);
    assert_int_equal(mo_problem_certify(&file.local, r, NULL, &found, &err), MO_OK);
    if (!info.solved || !(found.residual <= tol) || !(found.residual_fclib <= tol))
        fail_msg("%s at %g: %g %g after %s", path, tol, found.residual, found.residual_fclib, info.story);
    free(r);
    mo_problem_file_free(&file);
}

static void check_all(double tol)
{
    const char *folder = collection_folder();
    char pattern[4096];
    glob_t found;
    if (folder == NULL)
        skip();
    snprintf(pattern, sizeof pattern, "%s/*.hdf5", folder);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_file(found.gl_pathv[i], tol);
    globfree(&found);
}

static void test_rough(void **state)
{
    (void)state;
    check_all(1e-4);
}

static void test_usual(void **state)
{
    (void)state;
    check_all(1e-8);
}

static void test_fine(void **state)
{
    (void)state;
    check_all(1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rough),
        cmocka_unit_test(test_usual),
        cmocka_unit_test(test_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
