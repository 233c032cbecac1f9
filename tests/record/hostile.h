/* Damaging run files and reading what is left of them. */
#ifndef RECORD_HOSTILE_H
#define RECORD_HOSTILE_H

#include "core/rng.h"
#include "record/small_world.h"

#include <hdf5.h>
#include <sys/stat.h>

/* HDF5 loses the headers of objects it could not decode; the leak sanitizer shall look at our code only */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

/* nothing of HDF5 may stay open, whatever came out */
static inline void assert_nothing_open(void)
{
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* the number of frames of a world that could be read */
static inline long read_frames(mo_run *run, mo_error *e)
{
    long read = 0;
    for (size_t k = 0; k < mo_run_info_get(run)->frames; k++) {
        mo_frame f;
        if (mo_run_frame(run, k, &f, e) != MO_OK)
            continue;
        for (size_t i = 0; i < f.body_count; i++)
            assert_true(mo_run_bodies(run)[f.row[i]].id == f.id[i]);
        read++;
        mo_frame_free(&f);
    }
    return read;
}

/* the number of rows of a path, 0 when they could not be read; what is promised about numbers must hold */
static inline long read_path(mo_run *run, mo_error *e)
{
    mo_run_path path;
    mo_run_events events;
    mo_run_outlines lines;
    mo_checkpoint c;
    double sum = 0;
    if (mo_run_events_get(run, &events, e) == MO_OK)
        for (size_t i = 0; i < events.count; i++)
            for (size_t g = events.gap_first[i]; g < events.gap_first[i + 1]; g++)
                sum += (double)events.gaps[g] + (double)strlen(events.type[i]);
    if (mo_run_outlines_get(run, &lines, e) == MO_OK)
        for (size_t i = 0; i < 2 * lines.first[lines.count]; i++)
            sum += lines.points[i];
    if (mo_run_checkpoint(run, &c, e) == MO_OK)
        for (size_t i = 0; i < c.state_size; i++)
            sum += ((const uint8_t *)c.state)[i];
    if (mo_run_path_get(run, &path, e) != MO_OK)
        return sum < 0;
    for (size_t i = 0; i < path.rows * mo_run_info_get(run)->coordinates; i++)
        sum += path.x[i];
    for (size_t i = 0; i < path.hold_first[path.rows]; i++)
        assert_true(path.hold_pair[2 * i] < path.disc_count &&
                    path.hold_pair[2 * i + 1] < path.disc_count + path.wall_count);
    return (long)path.rows + (sum < -1e300);
}

/* reads all there is; the number of frames that could be read, or -1 when the file did not open */
static inline long read_all(const char *path)
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
    const mo_run_info *info = mo_run_info_get(run);
    const long read = info->is_path ? read_path(run, &e) : read_frames(run, &e);
    const double *t, *values;
    mo_run_steps steps;
    mo_run_series(run, &t, &values, &e);
    mo_run_steps_get(run, &steps, &e);
    mo_export_csv(run, MO_EXPORT_BODIES, 0, info->frames, "/dev/null", &e);
    mo_export_csv(run, MO_EXPORT_CONTACTS, 0, info->frames, "/dev/null", &e);
    mo_export_csv(run, MO_EXPORT_SERIES, 0, info->frames, "/dev/null", &e);
    mo_export_xdmf(run, "/dev/null", &e);
    mo_run_close(run);
    assert_nothing_open();
    return read;
}

/* all that a run promises about its numbers: the first thing that is wrong */
static inline mo_status check_all(mo_run *run, mo_error *e)
{
    mo_run_path path;
    mo_run_events events;
    mo_run_outlines lines;
    mo_status status = MO_OK;
    if (mo_run_info_get(run)->is_path) {
        status = mo_run_path_get(run, &path, e);
        if (status == MO_OK)
            status = mo_run_events_get(run, &events, e);
        return status == MO_OK ? mo_run_outlines_get(run, &lines, e) : status;
    }
    for (size_t k = 0; status == MO_OK && k < mo_run_info_get(run)->frames; k++) {
        mo_frame f;
        status = mo_run_frame(run, k, &f, e);
        if (status == MO_OK)
            mo_frame_free(&f);
    }
    return status;
}

/* changes one number of a sound file and tells what reading says */
static inline mo_status read_with_number_at(const char *path, const char *name, hid_t type, hsize_t row,
                                            hsize_t column, const void *value, mo_error *e)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    hid_t space = H5Dget_space(set);
    const hsize_t start[2] = {row, column}, count[2] = {1, 1}, one = 1;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    hid_t memory = H5Screate_simple(1, &one, NULL);
    assert_true(H5Dwrite(set, type, memory, space, H5P_DEFAULT, value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    mo_run *run = NULL;
    mo_status status = mo_run_open(path, &run, e);
    if (status == MO_OK)
        status = check_all(run, e);
    mo_run_close(run);
    return status;
}

/* the first number of a row */
static inline mo_status read_with_number(const char *path, const char *name, hid_t type, hsize_t row,
                                         const void *value, mo_error *e)
{
    return read_with_number_at(path, name, type, row, 0, value, e);
}

/* A number put in the place of the first of a row, and the key under which reading refuses it. */
typedef struct wrong_number {
    const char *name;
    hid_t type;
    hsize_t row;
    const void *value;
    const char *key;
} wrong_number;

static inline void expect_refused(const char *bytes, size_t size, const wrong_number *cases, size_t count)
{
    const char *path = in_folder("number.h5");
    for (size_t i = 0; i < count; i++) {
        mo_error e = {.message = ""};
        write_whole(path, bytes, size);
        const mo_status status =
            read_with_number(path, cases[i].name, cases[i].type, cases[i].row, cases[i].value, &e);
        if (status != MO_BAD_FILE || strcmp(e.key, cases[i].key) != 0)
            fail_msg("case %zu, %s: status %d, key %s", i, cases[i].name, status, e.key);
        assert_string_equal(e.file, path);
    }
}

/* all beginnings of a file */
static inline void read_cut_off(const char *bytes, size_t size, long most)
{
    const char *path = in_folder("cut.h5");
    for (size_t i = 0; i < 300; i++) {
        // near the start every byte matters, later the way is longer
        const size_t length = i < 100 ? i : 100 + (i - 100) * (size - 100) / 200;
        write_whole(path, bytes, length);
        assert_in_range(read_all(path) + 1, 0, most + 1);
    }
}

/* a file with one byte changed, many times */
static inline void read_changed(char *bytes, size_t size, int times, long most)
{
    const char *path = in_folder("flip.h5");
    rng r = rng_seed(5, 1);
    for (int i = 0; i < times; i++) {
        // half of the changes in the first tenth, where most of the structure is
        const size_t reach = i % 2 ? size : size / 10;
        const size_t at = rng_next(&r) % reach;
        const char old = bytes[at];
        bytes[at] = (char)rng_next(&r);
        write_whole(path, bytes, size);
        assert_in_range(read_all(path) + 1, 0, most + 1);
        bytes[at] = old;
    }
}

#endif
