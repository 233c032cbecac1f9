/* Files that are no run files, or damaged ones: an answer or an error that names the file, never a crash. */
#include "record/hostile.h"

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
    const int64_t most = INT64_MAX, below = -1;
    const wrong_number cases[] = {
        {"/bodies/id", H5T_NATIVE_UINT32, 0, &seven, "/bodies/id"},
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
        {"/frames/step", H5T_NATIVE_INT64, 2, &below, "/frames/step"},
        {"/frames/counts", H5T_NATIVE_INT64, 2, &most, "/frames/counts"},
        {"/frame_bodies/id", H5T_NATIVE_UINT32, 2, &huge, "/frame_bodies/id"},
        {"/frame_contacts/status", H5T_NATIVE_UINT8, 0, &nine, "/frame_contacts/status"}};
    expect_refused(bytes, size, cases, sizeof cases / sizeof *cases);
    // a frame that points outside does not count, nor what follows it
    static const char *const places[] = {"/frames/body_first", "/frames/body_count", "/frames/contact_count",
                                         "/frames/state_length", "/frames/rows"};
    for (size_t i = 0; i < 5; i++) {
        mo_error e = {.message = ""};
        write_whole(in_folder("number.h5"), bytes, size);
        assert_int_equal(read_with_number(in_folder("number.h5"), places[i], H5T_NATIVE_UINT64, 2, &far, &e),
                         MO_OK);
        assert_int_equal(read_all(in_folder("number.h5")), 2);
    }
    free(bytes);
}

static void cut_off_files(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(3, &size);
    read_cut_off(bytes, size, 4);
    free(bytes);
}

static void changed_bytes(int discs, int times)
{
    size_t size;
    char *bytes = sample(discs, &size);
    read_changed(bytes, size, times, 4);
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
