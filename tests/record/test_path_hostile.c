/* Damaged files of runs of points: an answer or an error that names the place, never a crash. */
#include "record/hostile.h"
#include "record/small_path.h"

#include <math.h>

#define ROWS 25

static char *sample(const small_path *p, bool finished, size_t *size)
{
    const char *path = in_folder("sample.h5");
    mo_recorder *rec = record_path(path, p, ROWS - 1);
    put_outline(rec, 2);
    put_outline(rec, 1);
    put_rows(rec, p, ROWS - 1, ROWS);
    put_checkpoint(rec, ROWS - 1);
    if (finished) {
        must(mo_recorder_plots(rec, "[{}]", err));
        must(mo_recorder_finish(rec, "ok", "{}", err));
    }
    mo_recorder_destroy(rec);
    assert_int_equal(read_all(path), ROWS);
    return read_whole(path, size);
}

static void wrong_numbers_are_named(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(&discs3, true, &size);
    const uint8_t nine = 9;
    const uint32_t huge = 4000000000u;
    const uint64_t far = 1ull << 60;
    const double bad = -0.5, infinite = HUGE_VAL;
    const wrong_number cases[] = {{"/path/t", H5T_NATIVE_DOUBLE, 5, &bad, "/path/t"},
                                  {"/path/t", H5T_NATIVE_DOUBLE, 24, &infinite, "/path/t"},
                                  {"/path/hold_end", H5T_NATIVE_UINT64, 3, &far, "/path/hold_end"},
                                  {"/holds/pair", H5T_NATIVE_UINT32, 3, &huge, "/holds/pair"},
                                  {"/events/type", H5T_NATIVE_UINT8, 1, &nine, "/events/type"},
                                  {"/events/gap_end", H5T_NATIVE_UINT64, 2, &far, "/events/gap_end"},
                                  {"/outlines/end", H5T_NATIVE_UINT64, 0, &far, "/outlines/end"},
                                  {"/discs/radius", H5T_NATIVE_DOUBLE, 1, &bad, "/discs/radius"},
                                  {"/discs/walls", H5T_NATIVE_DOUBLE, 1, &infinite, "/discs/walls"}};
    expect_refused(bytes, size, cases, sizeof cases / sizeof *cases);
    free(bytes);
}

/* a checkpoint that points outside does not count, nor what follows it: those after rows 9, 19 and 24 */
static void wrong_checkpoints_do_not_count(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(&discs3, false, &size);
    const uint64_t far = 1ull << 60;
    static const char *const places[] = {"/frames/path_rows", "/frames/state_first", "/frames/state_length",
                                         "/frames/process_first", "/frames/process_length"};
    for (size_t i = 0; i < 5; i++)
        for (hsize_t k = 0; k < 3; k++) {
            mo_error e = {.message = ""};
            const char *path = in_folder("number.h5");
            write_whole(path, bytes, size);
            assert_int_equal(read_with_number(path, places[i], H5T_NATIVE_UINT64, k, &far, &e), MO_OK);
            assert_int_equal(read_all(path), 10 * k);
            // and the run goes on from there
            const mo_recorder_def def = small_path_recorder();
            const mo_path_def path_def = small_path_def(&discs3);
            mo_recorder *rec = NULL;
            must(mo_recorder_resume_path(path, &def, &path_def, &rec, err));
            put_rows(rec, &discs3, 10 * k, 30);
            must(mo_recorder_finish(rec, "ok", NULL, err));
            mo_recorder_destroy(rec);
            mo_run *run = NULL;
            must(mo_run_open(path, &run, err));
            assert_path(run, &discs3, 30);
            mo_run_close(run);
        }
    free(bytes);
}

static void put_attribute(const char *path, const char *name, int64_t value)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &value) >= 0);
    H5Aclose(attribute);
    H5Fclose(file);
}

static void wrong_attributes_are_named(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int64_t value;
        const char *key;
    } cases[] = {{"coordinates", -1, "coordinates"}, {"coordinates", 1 << 20, "coordinates"},
                 {"coordinates", 3, "/path/x"},      {"multipliers", 2, "/path/lambda"},
                 {"observed", 3, "/series/values"},  {"observed", 0, "/series/values"},
                 {"velocities", 1, "/path/u"},       {"velocities", 2, "velocities"},
                 {"discs", 1, "/path/hold_end"}};
    size_t size;
    char *bytes = sample(&plane, true, &size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = in_folder("attribute.h5");
        mo_error e = {.message = ""};
        mo_run *run = NULL;
        write_whole(path, bytes, size);
        put_attribute(path, cases[i].name, cases[i].value);
        assert_int_equal(mo_run_open(path, &run, &e), MO_BAD_FILE);
        assert_string_equal(e.key, cases[i].key);
    }
    free(bytes);
}

static void cut_off_files(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(&discs3, false, &size);
    read_cut_off(bytes, size, ROWS);
    free(bytes);
}

static void changed_bytes(void **state)
{
    (void)state;
    const small_path *const paths[] = {&plane, &discs3, &motion};
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        char *bytes = sample(paths[i], i > 0, &size);
        read_changed(bytes, size, 300, ROWS);
        free(bytes);
    }
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_numbers_are_named),
                                       cmocka_unit_test(wrong_checkpoints_do_not_count),
                                       cmocka_unit_test(wrong_attributes_are_named),
                                       cmocka_unit_test(cut_off_files), cmocka_unit_test(changed_bytes)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
