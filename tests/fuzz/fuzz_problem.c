/* Problem files from anybody: reading must end with a sound problem or an error, and what was read can be
 * judged and written. */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include <moreau/problem.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* HDF5 loses the headers of objects it could not decode; the leak sanitizer shall look at our code only */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

/* HDF5 asks for what a header says; being refused that is an error like any other */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* what a reader promises */
static void use(const mo_problem_file *file, const char *copy)
{
    mo_error err;
    mo_problem_residual residual;
    mo_problem_file again;
    const size_t n = (size_t)file->local.dim * file->local.contacts;
    double *zero = calloc(n + 1, sizeof *zero);
    if (zero == NULL)
        return;
    const double *r = file->has_solution ? file->r : zero, *u = file->has_solution ? file->u : zero;
    if (mo_problem_check(&file->local, &err) != MO_OK ||
        mo_problem_certify(&file->local, r, u, &residual, &err) != MO_OK)
        __builtin_trap();
    if (n < 4096 && mo_problem_write(copy, file, r, u, &err) == MO_OK) {
        if (mo_problem_read(copy, &again, &err) != MO_OK || again.local.contacts != file->local.contacts)
            __builtin_trap();
        mo_problem_file_free(&again);
    }
    free(zero);
}

/* two files for the whole process, removed at its end; HDF5 does not open what has no name */
static char path[] = "/tmp/fuzz-problem-XXXXXX", copy[sizeof path + 5];

static void remove_files(void)
{
    unlink(path);
    unlink(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    if (fd < 0) {
        fd = mkstemp(path);
        if (fd < 0)
            abort();
        snprintf(copy, sizeof copy, "%s.copy", path);
        atexit(remove_files);
    }
    mo_problem_file file;
    mo_error err;
    if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    mo_problem_probe(path);
    const mo_status status = mo_problem_read(path, &file, &err);
    if (status == MO_OK) {
        use(&file, copy);
        mo_problem_file_free(&file);
    } else if (err.message[0] == '\0') {
        __builtin_trap();
    }
    return 0;
}
