/* Files that are no run files, or damaged ones: an answer or an error that names the file, never a crash. */
#include "record/small_world.h"

#include "core/rng.h"

#include <hdf5.h>
#include <sys/stat.h>

/* HDF5 loses the headers of objects it could not decode; the leak sanitizer shall look at our code only */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

/* nothing of HDF5 may stay open, whatever came out */
static void assert_nothing_open(void)
{
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* reads all there is; the number of frames that could be read, or -1 when the file did not open */
static long read_all(const char *path)
{
    mo_run *run = NULL;
    mo_error e = {.message = ""};
    const mo_status status = mo_run_open(path, &run, &e);
    if (status != MO_OK) {
        assert_true(status == MO_BAD_FILE);
        assert_string_equal(e.file, path);
        assert_true(e.message[0] != '\0');
        assert_nothing_open();
        return -1;
    }
    long read = 0;
    for (size_t k = 0; k < mo_run_info_get(run)->frames; k++) {
        mo_frame f;
        if (mo_run_frame(run, k, &f, &e) != MO_OK)
            continue;
        for (size_t i = 0; i < f.body_count; i++)
            assert_true(mo_run_bodies(run)[f.row[i]].id == f.id[i]);
        read++;
        mo_frame_free(&f);
    }
    const double *t, *values;
    mo_run_steps steps;
    mo_run_series(run, &t, &values, &e);
    mo_run_steps_get(run, &steps, &e);
    mo_export_csv(run, MO_EXPORT_BODIES, 0, mo_run_info_get(run)->frames, "/dev/null", &e);
    mo_export_csv(run, MO_EXPORT_CONTACTS, 0, mo_run_info_get(run)->frames, "/dev/null", &e);
    mo_run_close(run);
    assert_nothing_open();
    return read;
}

static char *sample(int discs, size_t *size)
{
    const char *path = in_folder("sample.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, discs, 4, &rec);
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    assert_int_equal(read_all(path), 4);
    return read_whole(path, size);
}

static void what_is_no_run_file(void **state)
{
    (void)state;
    assert_int_equal(read_all(in_folder("missing.h5")), -1);
    assert_int_equal(read_all(test_folder), -1);
    assert_int_equal(read_all("/dev/zero"), -1);
    write_whole(in_folder("empty.h5"), "", 0);
    assert_int_equal(read_all(in_folder("empty.h5")), -1);
    write_whole(in_folder("text.h5"), "t,x,y\n1,2,3\n", 12);
    assert_int_equal(read_all(in_folder("text.h5")), -1);
}

/* HDF5 files of others, step by step nearer to a run file */
static void foreign_hdf5_files(void **state)
{
    (void)state;
    const char *path = in_folder("foreign.h5");
    mo_error e = {.message = ""};
    mo_run *run = NULL;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    H5Fclose(file);
    assert_int_equal(mo_run_open(path, &run, &e), MO_BAD_FILE);
    assert_string_equal(e.key, "format");
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const int32_t number = 5;
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, "format", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT32, &number);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Fclose(file);
    assert_int_equal(mo_run_open(path, &run, &e), MO_BAD_FILE);
    assert_string_equal(e.key, "format");
}

/* replaces one dataset of a sound file by something else */
static void with_changed(const char *name, hid_t type, int rank, const hsize_t *dims,
                         const char *expected_key)
{
    const char *path = in_folder("changed.h5");
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    if (rank > 0) {
        hid_t space = H5Screate_simple(rank, dims, NULL);
        hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(set >= 0);
        H5Dclose(set);
        H5Sclose(space);
    } else if (rank < 0) {
        assert_true(H5Lcreate_external("sample.h5", name, file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    }
    H5Fclose(file);
    mo_error e = {.message = ""};
    mo_run *run = NULL;
    assert_int_equal(mo_run_open(path, &run, &e), MO_BAD_FILE);
    assert_string_equal(e.key, expected_key);
    assert_string_equal(e.file, path);
}

static void wrong_datasets_are_named(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(3, &size);
    static const char *const names[] = {"/frames/t", "/bodies/id", "/frame_bodies/q", "/series/values",
                                        "/vertices"};
    const hsize_t flat[1] = {4}, wide[2] = {4, 7};
    for (size_t i = 0; i < 5; i++) {
        write_whole(in_folder("changed.h5"), bytes, size);
        with_changed(names[i], -1, 0, NULL, names[i]);
        write_whole(in_folder("changed.h5"), bytes, size);
        with_changed(names[i], H5T_IEEE_F32LE, 1, flat, names[i]);
        write_whole(in_folder("changed.h5"), bytes, size);
        with_changed(names[i], H5T_IEEE_F64LE, 2, wide, names[i]);
        // a link to another file must not bring that file's numbers in
        write_whole(in_folder("changed.h5"), bytes, size);
        with_changed(names[i], -1, -1, NULL, names[i]);
    }
    free(bytes);
}

/* changes one number of a sound file and tells what opening says */
static mo_status with_number(const char *name, hid_t type, hsize_t row, const void *value, mo_error *e)
{
    const char *path = in_folder("number.h5");
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    hid_t space = H5Dget_space(set);
    const hsize_t start[2] = {row, 0}, count[2] = {1, 1}, one = 1;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    hid_t memory = H5Screate_simple(1, &one, NULL);
    assert_true(H5Dwrite(set, type, memory, space, H5P_DEFAULT, value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    mo_run *run = NULL;
    mo_status status = mo_run_open(path, &run, e);
    mo_frame f;
    for (size_t k = 0; status == MO_OK && k < mo_run_info_get(run)->frames; k++) {
        status = mo_run_frame(run, k, &f, e);
        if (status == MO_OK)
            mo_frame_free(&f);
    }
    mo_run_close(run);
    return status;
}

static void wrong_numbers_are_named(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(3, &size);
    const uint32_t seven = 7, huge = 4000000000u;
    const uint64_t far = 1ull << 60;
    const uint8_t nine = 9;
    const double bad = -0.5;
    const int32_t chain = 1000;
    const struct {
        const char *name;
        hid_t type;
        hsize_t row;
        const void *value;
        const char *key;
    } cases[] = {{"/bodies/id", H5T_NATIVE_UINT32, 0, &seven, "/bodies/id"},
                 {"/bodies/kind", H5T_NATIVE_UINT8, 1, &nine, "/bodies/kind"},
                 {"/bodies/group", H5T_NATIVE_UINT32, 1, &huge, "/bodies/group"},
                 {"/bodies/flags", H5T_NATIVE_UINT32, 1, &huge, "/bodies/flags"},
                 {"/bodies/part_end", H5T_NATIVE_UINT64, 2, &far, "/bodies/part_end"},
                 {"/bodies/vertex_end", H5T_NATIVE_UINT64, 2, &far, "/bodies/vertex_end"},
                 {"/bodies/name_end", H5T_NATIVE_UINT64, 2, &far, "/bodies/name_end"},
                 {"/bodies/mass", H5T_NATIVE_DOUBLE, 2, &bad, "/bodies/mass"},
                 {"/groups/name_end", H5T_NATIVE_UINT64, 0, &far, "/groups/name_end"},
                 {"/parts/kind", H5T_NATIVE_UINT8, 0, &nine, "/parts/kind"},
                 {"/parts/vertex_first", H5T_NATIVE_UINT32, 0, &huge, "/parts/geometry"},
                 {"/parts/vertex_count", H5T_NATIVE_UINT32, 0, &huge, "/parts/geometry"},
                 {"/parts/chain", H5T_NATIVE_INT32, 0, &chain, "/parts/geometry"},
                 {"/frame_bodies/id", H5T_NATIVE_UINT32, 2, &huge, "/frame_bodies/id"},
                 {"/frame_contacts/status", H5T_NATIVE_UINT8, 0, &nine, "/frame_contacts/status"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mo_error e = {.message = ""};
        write_whole(in_folder("number.h5"), bytes, size);
        assert_int_equal(with_number(cases[i].name, cases[i].type, cases[i].row, cases[i].value, &e),
                         MO_BAD_FILE);
        assert_string_equal(e.key, cases[i].key);
    }
    // a frame that points outside does not count, nor what follows it
    static const char *const places[] = {"/frames/body_first", "/frames/body_count", "/frames/contact_count",
                                         "/frames/state_length", "/frames/rows"};
    for (size_t i = 0; i < 5; i++) {
        mo_error e = {.message = ""};
        write_whole(in_folder("number.h5"), bytes, size);
        assert_int_equal(with_number(places[i], H5T_NATIVE_UINT64, 2, &far, &e), MO_OK);
        assert_int_equal(read_all(in_folder("number.h5")), 2);
    }
    free(bytes);
}

static void cut_off_files(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(3, &size);
    const char *path = in_folder("cut.h5");
    for (size_t i = 0; i < 300; i++) {
        // near the start every byte matters, later the way is longer
        const size_t length = i < 100 ? i : 100 + (i - 100) * (size - 100) / 200;
        write_whole(path, bytes, length);
        assert_in_range(read_all(path) + 1, 0, 5);
    }
    free(bytes);
}

static void changed_bytes(int discs, int times)
{
    size_t size;
    char *bytes = sample(discs, &size);
    const char *path = in_folder("flip.h5");
    rng r = rng_seed(5, 1);
    for (int i = 0; i < times; i++) {
        // half of the changes in the first tenth, where most of the structure is
        const size_t reach = i % 2 ? size : size / 10;
        const size_t at = rng_next(&r) % reach;
        const char old = bytes[at];
        bytes[at] = (char)rng_next(&r);
        write_whole(path, bytes, size);
        assert_in_range(read_all(path) + 1, 0, 5);
        bytes[at] = old;
    }
    free(bytes);
}

static void changed_bytes_plain(void **state)
{
    (void)state;
    changed_bytes(3, 500);
}

static void changed_bytes_compressed(void **state)
{
    (void)state;
    changed_bytes(130, 500);
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_no_run_file),
                                       cmocka_unit_test(foreign_hdf5_files),
                                       cmocka_unit_test(wrong_datasets_are_named),
                                       cmocka_unit_test(wrong_numbers_are_named),
                                       cmocka_unit_test(cut_off_files),
                                       cmocka_unit_test(changed_bytes_plain),
                                       cmocka_unit_test(changed_bytes_compressed)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
