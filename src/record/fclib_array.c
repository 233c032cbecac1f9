/* Arrays, numbers and text of a problem file; the checks that make a foreign one safe to read are here. */
#include "record/fclib.h"

#include "core/fail.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TEXT 65536u  /* bytes */
#define CHUNK_ROWS 4096u /* of a compressed array */
#define PLAIN_ROWS 1024u /* shorter arrays are not compressed */
#define DEFLATE_LEVEL 6u

/* ---- reading ----------------------------------------------------------------------------------------- */

static bool is_one_of(hid_t type, const hid_t *types, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (H5Tequal(type, types[i]) > 0)
            return true;
    return false;
}

/* the kinds of numbers that files have, no others: HDF5 can describe stranger ones.  Whole numbers are reals
   too: who writes mu = 1 from an array of integers has not said anything strange */
static bool type_is_known(hid_t dataset, bool whole)
{
    const hid_t integers[] = {H5T_STD_I8LE,  H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U8LE,
                              H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE, H5T_STD_I16BE, H5T_STD_I32BE,
                              H5T_STD_I64BE, H5T_STD_U16BE, H5T_STD_U32BE, H5T_STD_U64BE};
    const hid_t reals[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE};
    hid_t type = H5Dget_type(dataset);
    const bool known = type >= 0 && (is_one_of(type, integers, sizeof integers / sizeof *integers) ||
                                     (!whole && is_one_of(type, reals, sizeof reals / sizeof *reals)));
    if (type >= 0)
        H5Tclose(type);
    return known;
}

/* Numbers one after the other: a row, a column of a table, a single one. */
typedef struct extent {
    int rank, along; /* the dimension along which they stand; the others are 1 */
    uint64_t count;
} extent;

/* false: they stand in more than one dimension */
static bool find_extent(hid_t dataset, extent *out)
{
    hsize_t dims[H5S_MAX_RANK];
    hid_t space = H5Dget_space(dataset);
    *out = (extent){.rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1, .count = 1};
    bool ok = out->rank >= 0 && H5Sget_simple_extent_type(space) != H5S_NULL &&
              H5Sget_simple_extent_dims(space, dims, NULL) == out->rank;
    for (int k = 0; ok && k < out->rank; k++)
        if (dims[k] != 1) {
            ok = out->count == 1;
            out->along = k;
            out->count = dims[k];
        }
    if (space >= 0)
        H5Sclose(space);
    return ok;
}

/* HDF5 1.10 takes the bytes of a chunk for a whole one, however few they are: none may leave out a filter,
   and without compression none may be short */
static bool chunks_are_whole(hid_t dataset, hid_t plist, const extent *e, hsize_t step, uint64_t chunk_bytes)
{
    hsize_t at[H5S_MAX_RANK] = {0};
    unsigned flags = 0, config = 0;
    size_t values = 0;
    const bool shrinks =
        H5Pget_filter_by_id2(plist, H5Z_FILTER_DEFLATE, &flags, &values, NULL, 0, NULL, &config) >= 0;
    for (hsize_t *k = &at[e->along]; *k < e->count; *k += step) {
        unsigned left_out = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t size = 0;
        if (H5Dget_chunk_info_by_coord(dataset, at, &left_out, &address, &size) < 0 || left_out != 0)
            return false;
        if (address != HADDR_UNDEF && !shrinks && size < chunk_bytes)
            return false;
    }
    return true;
}

/* numbers of a chunk, the limits of a chunk's bytes kept; 0: it makes no sense */
static uint64_t chunk_numbers(int rank, const hsize_t *chunk, size_t bytes)
{
    uint64_t numbers = 1;
    for (int k = 0; k < rank; k++) {
        if (chunk[k] < 1 || chunk[k] > MAX_CHUNK_BYTES / bytes / numbers)
            return 0;
        numbers *= chunk[k];
    }
    return numbers;
}

/* in this file, with the filters that come with HDF5, and not more than is believed or the file can hold */
static bool storage_is_sound(hid_t dataset, const extent *e, uint64_t believed)
{
    hid_t type = H5Dget_type(dataset), plist = H5Dget_create_plist(dataset);
    const size_t bytes = type >= 0 ? H5Tget_size(type) : 0;
    const H5D_layout_t layout = plist >= 0 ? H5Pget_layout(plist) : H5D_LAYOUT_ERROR;
    const int filters = plist >= 0 ? hdf_filters(plist) : -1;
    hsize_t chunk[H5S_MAX_RANK] = {0};
    uint64_t numbers = 0;
    bool ok = bytes > 0 && filters >= 0 && H5Pget_external_count(plist) == 0 &&
              (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT || layout == H5D_CHUNKED);
    if (ok && layout == H5D_CHUNKED) {
        ok = H5Pget_chunk(plist, H5S_MAX_RANK, chunk) == e->rank;
        numbers = ok ? chunk_numbers(e->rank, chunk, bytes) : 0;
        ok = numbers > 0;
    }
    ok = ok && (e->count <= believed || e->count <= hdf_most_rows(hdf_stored(dataset), filters > 0, bytes));
    if (ok && layout == H5D_CHUNKED)
        ok = chunks_are_whole(dataset, plist, e, chunk[e->along], numbers * bytes);
    if (plist >= 0)
        H5Pclose(plist);
    if (type >= 0)
        H5Tclose(type);
    return ok;
}

static mo_status check_array(hid_t dataset, const char *path, bool whole, uint64_t believed, uint64_t *count,
                             mo_error *err)
{
    extent e;
    if (!type_is_known(dataset, whole))
        return fail(err, MO_BAD_FILE, path, "found another type, expected %s",
                    whole ? "whole numbers of 1 to 8 bytes"
                          : "real numbers of 4 or 8 bytes or whole ones of 1 to 8");
    if (!find_extent(dataset, &e))
        return fail(err, MO_BAD_FILE, path, "found another shape, expected one dimension");
    if (!storage_is_sound(dataset, &e, believed))
        return fail(err, MO_BAD_FILE, path,
                    "claims %llu numbers, which the file cannot hold, or stores them in a way that problem "
                    "files do not use",
                    (unsigned long long)e.count);
    *count = e.count;
    return MO_OK;
}

/* elements of 8 bytes */
static mo_status read_array(hid_t file, const char *path, bool whole, uint64_t believed, void **out,
                            size_t *count, mo_error *err)
{
    hid_t dataset = hdf_is_hard_link(file, path) ? H5Dopen2(file, path, H5P_DEFAULT) : -1;
    if (dataset < 0)
        return fail(err, MO_BAD_FILE, path, "no such dataset; expected in a problem file");
    uint64_t elements = 0;
    mo_status status = check_array(dataset, path, whole, believed, &elements, err);
    void *data = NULL;
    if (status == MO_OK) {
        data = calloc(elements > 0 ? (size_t)elements : 1, sizeof(double));
        if (data == NULL)
            status =
                fail(err, MO_NO_MEMORY, path, "no memory for %llu numbers", (unsigned long long)elements);
        else if (elements > 0 && H5Dread(dataset, whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL,
                                         H5S_ALL, H5P_DEFAULT, data) < 0)
            status = fail(err, MO_BAD_FILE, path, "cannot be read: damaged");
    }
    H5Dclose(dataset);
    if (status != MO_OK) {
        free(data);
        return status;
    }
    *out = data;
    *count = (size_t)elements;
    return MO_OK;
}

mo_status fclib_integers(hid_t file, const char *path, int64_t **out, size_t *count, mo_error *err)
{
    void *data = NULL;
    const mo_status status = read_array(file, path, true, 0, &data, count, err);
    if (status == MO_OK)
        *out = data;
    return status;
}

mo_status fclib_numbers(hid_t file, const char *path, size_t believed, double **out, size_t *count,
                        mo_error *err)
{
    void *data = NULL;
    const mo_status status = read_array(file, path, false, believed, &data, count, err);
    if (status == MO_OK)
        *out = data;
    return status;
}

mo_status fclib_integer(hid_t file, const char *path, int64_t *out, mo_error *err)
{
    int64_t *values = NULL;
    size_t count = 0;
    mo_status status = fclib_integers(file, path, &values, &count, err);
    if (status == MO_OK && count != 1)
        status = fail(err, MO_BAD_FILE, path, "found %zu numbers, expected one", count);
    if (status == MO_OK)
        *out = values[0];
    free(values);
    return status;
}

void fclib_text(hid_t file, const char *path, char *out, size_t size)
{
    out[0] = '\0';
    hid_t dataset = hdf_is_hard_link(file, path) ? H5Dopen2(file, path, H5P_DEFAULT) : -1;
    if (dataset < 0)
        return;
    extent e;
    hid_t type = H5Dget_type(dataset);
    const bool is_text = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                         H5Tget_size(type) <= MAX_TEXT && find_extent(dataset, &e) && e.count == 1 &&
                         storage_is_sound(dataset, &e, 0);
    char *text = is_text ? calloc(H5Tget_size(type) + 1, 1) : NULL;
    if (text != NULL && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0) {
        strncpy(out, text, size - 1);
        out[size - 1] = '\0';
    }
    free(text);
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(dataset);
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static hid_t storage_for(size_t count)
{
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[1] = {count < CHUNK_ROWS ? count : CHUNK_ROWS};
    if (plist >= 0 && count > PLAIN_ROWS &&
        (H5Pset_chunk(plist, 1, chunk) < 0 || H5Pset_shuffle(plist) < 0 ||
         H5Pset_deflate(plist, DEFLATE_LEVEL) < 0)) {
        H5Pclose(plist);
        return -1;
    }
    return plist;
}

static bool put_array(hid_t group, const char *name, hid_t in_file, hid_t in_memory, const void *values,
                      size_t count)
{
    const hsize_t dims[1] = {count};
    hid_t space = H5Screate_simple(1, dims, NULL), plist = storage_for(count), dataset = -1;
    if (space >= 0 && plist >= 0)
        dataset = H5Dcreate2(group, name, in_file, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    bool ok = dataset >= 0 &&
              (count == 0 || H5Dwrite(dataset, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (dataset >= 0)
        ok = H5Dclose(dataset) >= 0 && ok;
    if (plist >= 0)
        H5Pclose(plist);
    if (space >= 0)
        H5Sclose(space);
    return ok;
}

bool fclib_put_integers(hid_t group, const char *name, const int32_t *values, size_t count)
{
    return put_array(group, name, H5T_STD_I32LE, H5T_NATIVE_INT32, values, count);
}

bool fclib_put_numbers(hid_t group, const char *name, const double *values, size_t count)
{
    return put_array(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count);
}

bool fclib_put_text(hid_t group, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), dataset = -1;
    if (type >= 0 && space >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0)
        dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (dataset >= 0)
        ok = H5Dclose(dataset) >= 0 && ok;
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return ok;
}
