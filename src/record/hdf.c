/* HDF5 columns, attributes and opening; the checks that make a foreign file safe to read are here. */
#include "record/hdf.h"

#include "core/fail.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* HDF5 reads again, each time after twice the wait, when a checksum is wrong because a writer is at it: 17 ms
   in all; its default of 100 attempts would wait for ever at a damaged file */
#define READ_ATTEMPTS 24u
#define MAX_TEXT 65536u   /* bytes of an attribute's text */
#define MAX_DEFLATE 1100u /* deflate shrinks to no less than 1/1032 */

/* HDF5 has one state for the whole process, so this is for the whole process too */
static pthread_mutex_t hdf_mutex;
static pthread_once_t hdf_mutex_once = PTHREAD_ONCE_INIT;

static void make_mutex(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&hdf_mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

quiet quiet_begin(void)
{
    pthread_once(&hdf_mutex_once, make_mutex);
    pthread_mutex_lock(&hdf_mutex);
    quiet q = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &q.function, &q.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return q;
}

void quiet_end(quiet q)
{
    H5Eset_auto2(H5E_DEFAULT, q.function, q.data);
    pthread_mutex_unlock(&hdf_mutex);
}

hid_t hdf_memory_type(column_type type)
{
    switch (type) {
    case COLUMN_U8:
        return H5T_NATIVE_UINT8;
    case COLUMN_U32:
        return H5T_NATIVE_UINT32;
    case COLUMN_I32:
        return H5T_NATIVE_INT32;
    case COLUMN_U64:
        return H5T_NATIVE_UINT64;
    case COLUMN_I64:
        return H5T_NATIVE_INT64;
    case COLUMN_F64:
        break;
    }
    return H5T_NATIVE_DOUBLE;
}

static hid_t file_type(column_type type)
{
    switch (type) {
    case COLUMN_U8:
        return H5T_STD_U8LE;
    case COLUMN_U32:
        return H5T_STD_U32LE;
    case COLUMN_I32:
        return H5T_STD_I32LE;
    case COLUMN_U64:
        return H5T_STD_U64LE;
    case COLUMN_I64:
        return H5T_STD_I64LE;
    case COLUMN_F64:
        break;
    }
    return H5T_IEEE_F64LE;
}

/* ---- columns ------------------------------------------------------------------------------- */

static bool set_storage(hid_t plist, column_id column, int rank, const hsize_t *chunk, bool compress)
{
    bool ok = H5Pset_chunk(plist, rank, chunk) >= 0;
    if (compress)
        ok = ok && H5Pset_shuffle(plist) >= 0 && H5Pset_deflate(plist, 1) >= 0;
    // a frame's time is not a number until it has been written: the frame does not count
    if (column == COL_FRAME_T) {
        const uint64_t bits = 0x7ff8000000000000u;
        double nan_value;
        memcpy(&nan_value, &bits, sizeof nan_value);
        ok = ok && H5Pset_fill_value(plist, H5T_NATIVE_DOUBLE, &nan_value) >= 0;
    }
    return ok;
}

bool hdf_column_create(hid_t file, column_id column, unsigned width, uint64_t chunk_rows, bool compress)
{
    const column_def *def = &column_defs[column];
    const int rank = width > 1 || def->width != 1 ? 2 : 1;
    const hsize_t dims[2] = {0, width}, limits[2] = {H5S_UNLIMITED, width}, chunk[2] = {chunk_rows, width};
    hid_t space = H5Screate_simple(rank, dims, limits);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    if (space >= 0 && plist >= 0 && set_storage(plist, column, rank, chunk, compress))
        set = H5Dcreate2(file, def->path, file_type(def->type), space, H5P_DEFAULT, plist, H5P_DEFAULT);
    if (plist >= 0)
        H5Pclose(plist);
    if (space >= 0)
        H5Sclose(space);
    return set >= 0 && H5Dclose(set) >= 0;
}

bool hdf_groups_create(hid_t file, const run_shape *shape)
{
    static const struct {
        const char *name;
        unsigned runs;
    } groups[] = {{"/frames", IN_ALL},   {"/groups", IN_WORLD},       {"/bodies", IN_WORLD},
                  {"/parts", IN_WORLD},  {"/frame_bodies", IN_WORLD}, {"/frame_contacts", IN_WORLD},
                  {"/series", IN_ALL},   {"/steps", IN_WORLD},        {"/scene", IN_ALL},
                  {"/end", IN_ALL},      {"/path", IN_PATH},          {"/holds", IN_DISCS},
                  {"/events", IN_PATH},  {"/outlines", IN_PATH},      {"/discs", IN_DISCS},
                  {"/joints", IN_JOINTS}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if ((groups[i].runs & shape->runs) == 0)
            continue;
        hid_t group = H5Gcreate2(file, groups[i].name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group < 0 || H5Gclose(group) < 0)
            return false;
    }
    return true;
}

/* the path up to its first '/' after place i, or whole; false: there is no more of it */
static bool next_prefix(const char *path, size_t *i, char prefix[64])
{
    if (path[*i] == '\0')
        return false;
    do
        ++*i;
    while (path[*i] != '/' && path[*i] != '\0');
    memcpy(prefix, path, *i);
    prefix[*i] = '\0';
    return true;
}

bool hdf_is_hard_link(hid_t file, const char *path)
{
    char prefix[64];
    for (size_t i = 0; next_prefix(path, &i, prefix);) {
        H5L_info_t info;
        if (H5Lget_info(file, prefix, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD)
            return false;
    }
    return true;
}

/* whether the dataset, or the group that it would be in, is not there */
static bool is_missing(hid_t file, const char *path)
{
    char prefix[64];
    htri_t found = 1;
    for (size_t i = 0; found > 0 && next_prefix(path, &i, prefix);)
        found = H5Lexists(file, prefix, H5P_DEFAULT);
    return found == 0;
}

static mo_status check_type(hid_t dataset, const column_def *def, mo_error *err)
{
    hid_t type = H5Dget_type(dataset);
    bool same = type >= 0 && H5Tequal(type, file_type(def->type)) > 0;
    if (type >= 0)
        H5Tclose(type);
    if (!same)
        return fail(err, MO_BAD_FILE, def->path, "the numbers have another type than format version %d says",
                    RUN_FORMAT_VERSION);
    return MO_OK;
}

static mo_status check_shape(hid_t dataset, const column_def *def, unsigned width, hdf_column *out,
                             mo_error *err)
{
    hid_t space = H5Dget_space(dataset);
    hsize_t dims[2] = {0, 1};
    const int expected = width > 1 || def->width != 1 ? 2 : 1;
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    const bool ok = rank == expected && H5Sget_simple_extent_dims(space, dims, NULL) == rank;
    if (space >= 0)
        H5Sclose(space);
    if (!ok)
        return fail(err, MO_BAD_FILE, def->path, "found %d dimensions, expected %d", rank, expected);
    if (dims[1] < 1 || dims[1] > RUN_MAX_WIDTH || (width != WIDTH_ANY && dims[1] != width))
        return fail(err, MO_BAD_FILE, def->path, "found rows of %llu numbers, expected %u",
                    (unsigned long long)dims[1], width != WIDTH_ANY ? width : 1);
    out->rows = dims[0];
    out->width = (unsigned)dims[1];
    return MO_OK;
}

int hdf_filters(hid_t plist)
{
    const int filters = H5Pget_nfilters(plist);
    for (int i = 0; i < filters; i++) {
        unsigned flags, values[8];
        size_t count = 8;
        H5Z_filter_t filter = H5Pget_filter2(plist, (unsigned)i, &flags, &count, values, 0, NULL, NULL);
        if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_DEFLATE)
            return -1;
    }
    return filters;
}

uint64_t hdf_stored(hid_t dataset)
{
    hsize_t file_size = 0;
    hid_t file = H5Iget_file_id(dataset);
    if (file >= 0) {
        H5Fget_filesize(file, &file_size);
        H5Fclose(file);
    }
    const hsize_t stored = H5Dget_storage_size(dataset);
    return stored < file_size ? stored : file_size;
}

uint64_t hdf_most_rows(uint64_t stored, bool filtered, size_t row_bytes)
{
    if (!filtered)
        return stored / row_bytes;
    return stored < UINT64_MAX / MAX_DEFLATE ? stored * MAX_DEFLATE / row_bytes : UINT64_MAX;
}

/* chunked, in this file, with the filters that come with HDF5 */
static mo_status check_storage(hid_t dataset, const column_def *def, hdf_column *out, mo_error *err)
{
    hid_t plist = H5Dget_create_plist(dataset);
    hsize_t chunk[2] = {0, 1};
    const bool ok = plist >= 0 && H5Pget_layout(plist) == H5D_CHUNKED && H5Pget_chunk(plist, 2, chunk) >= 1;
    const int filters = ok ? hdf_filters(plist) : -1;
    if (plist >= 0)
        H5Pclose(plist);
    if (filters < 0)
        return fail(err, MO_BAD_FILE, def->path, "stored in a way that format version %d does not use",
                    RUN_FORMAT_VERSION);
    if (chunk[0] < 1 || chunk[1] != out->width || chunk[0] > MAX_CHUNK_BYTES / out->row_bytes)
        return fail(err, MO_BAD_FILE, def->path, "chunks of %llu rows of %llu numbers make no sense",
                    (unsigned long long)chunk[0], (unsigned long long)chunk[1]);
    out->chunk_rows = chunk[0];
    out->filtered = filters > 0;
    out->stored = hdf_stored(dataset);
    return MO_OK;
}

uint64_t hdf_column_usable(const hdf_column *c)
{
    if (!hdf_column_is_there(c))
        return c->rows;
    const uint64_t most = hdf_most_rows(c->stored, c->filtered, c->row_bytes);
    return c->rows < most ? c->rows : most;
}

static mo_status open_column(hid_t file, column_id column, unsigned width, hdf_column *out, mo_error *err)
{
    const column_def *def = &column_defs[column];
    hdf_column c = {.dataset = -1};
    if (hdf_is_hard_link(file, def->path))
        c.dataset = H5Dopen2(file, def->path, H5P_DEFAULT);
    if (c.dataset < 0)
        return fail(err, MO_BAD_FILE, def->path, "no such dataset; expected in a run file of version %d",
                    RUN_FORMAT_VERSION);
    mo_status status = check_type(c.dataset, def, err);
    if (status == MO_OK)
        status = check_shape(c.dataset, def, width, &c, err);
    c.row_bytes = c.width * column_element_size(column);
    if (status == MO_OK)
        status = check_storage(c.dataset, def, &c, err);
    if (status != MO_OK) {
        H5Dclose(c.dataset);
        return status;
    }
    *out = c;
    return MO_OK;
}

mo_status hdf_column_open(hid_t file, column_id column, const run_shape *shape, hdf_column *out,
                          mo_error *err)
{
    const bool in_run = column_is_in(column, shape);
    const unsigned width = column_width(column, shape);
    *out = (hdf_column){.dataset = -1, .rows = in_run && width == 0 ? UINT64_MAX : 0};
    // some came later than the first files of this version
    if (!in_run || width == 0 || (column_is_late(column) && is_missing(file, column_defs[column].path)))
        return MO_OK;
    return open_column(file, column, width, out, err);
}

void hdf_column_close(hdf_column *c)
{
    if (c->dataset > 0)
        H5Dclose(c->dataset);
    c->dataset = -1;
}

static bool transfer(const hdf_column *c, column_id column, uint64_t first, uint64_t count, void *into,
                     const void *from)
{
    if (count == 0)
        return true;
    const int rank = c->width > 1 || column_defs[column].width != 1 ? 2 : 1;
    const hsize_t start[2] = {first, 0}, size[2] = {count, c->width};
    const hid_t type = hdf_memory_type(column_defs[column].type);
    hid_t space = H5Dget_space(c->dataset), memory = H5Screate_simple(rank, size, NULL);
    bool ok =
        space >= 0 && memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
    if (ok && into != NULL)
        ok = H5Dread(c->dataset, type, memory, space, H5P_DEFAULT, into) >= 0;
    if (ok && from != NULL)
        ok = H5Dwrite(c->dataset, type, memory, space, H5P_DEFAULT, from) >= 0;
    if (memory >= 0)
        H5Sclose(memory);
    if (space >= 0)
        H5Sclose(space);
    return ok;
}

bool hdf_column_resize(hdf_column *c, uint64_t rows)
{
    if (rows == c->rows)
        return true;
    const hsize_t dims[2] = {rows, c->width};
    if (H5Dset_extent(c->dataset, dims) < 0)
        return false;
    c->rows = rows;
    return true;
}

bool hdf_column_write(hdf_column *c, column_id column, uint64_t first, uint64_t count, const void *data)
{
    if (first + count > c->rows && !hdf_column_resize(c, first + count))
        return false;
    if (c->filtered && hdf_write_chunks(c, column, first, count, data))
        return true;
    return transfer(c, column, first, count, NULL, data);
}

bool hdf_column_read(const hdf_column *c, column_id column, uint64_t first, uint64_t count, void *data)
{
    return transfer(c, column, first, count, data, NULL);
}

/* ---- attributes ---------------------------------------------------------------------------- */

static bool put(hid_t file, const char *name, hid_t in_file, hid_t in_memory, size_t count, const void *value)
{
    const hsize_t dims[1] = {count};
    hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, dims, NULL);
    hid_t attribute = -1;
    if (space >= 0)
        attribute = H5Acreate2(file, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = attribute >= 0 && H5Awrite(attribute, in_memory, value) >= 0;
    if (attribute >= 0)
        ok = H5Aclose(attribute) >= 0 && ok;
    if (space >= 0)
        H5Sclose(space);
    return ok;
}

bool hdf_put_text(hid_t file, const char *name, const char *value)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    bool ok = type >= 0 && H5Tset_size(type, strlen(value) + 1) >= 0 &&
              H5Tset_cset(type, H5T_CSET_UTF8) >= 0 && put(file, name, type, type, 1, value);
    if (type >= 0)
        H5Tclose(type);
    return ok;
}

bool hdf_put_i64(hid_t file, const char *name, int64_t value)
{
    return put(file, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &value);
}

bool hdf_put_u64(hid_t file, const char *name, uint64_t value)
{
    return put(file, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, 1, &value);
}

bool hdf_put_f64(hid_t file, const char *name, const double *values, size_t count)
{
    return put(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

static mo_status open_attribute(hid_t file, const char *name, size_t count, hid_t *out, mo_error *err)
{
    *out = H5Aexists(file, name) > 0 ? H5Aopen(file, name, H5P_DEFAULT) : -1;
    if (*out < 0)
        return fail(err, MO_BAD_FILE, name, "no such attribute of the file; expected in a run file");
    hid_t space = H5Aget_space(*out);
    hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    if (space >= 0)
        H5Sclose(space);
    if (points >= 0 && (size_t)points == count)
        return MO_OK;
    H5Aclose(*out);
    return fail(err, MO_BAD_FILE, name, "the attribute has %lld values, expected %zu", (long long)points,
                count);
}

static mo_status get(hid_t file, const char *name, hid_t in_file, hid_t in_memory, size_t count, void *value,
                     mo_error *err)
{
    hid_t attribute;
    mo_status status = open_attribute(file, name, count, &attribute, err);
    if (status != MO_OK)
        return status;
    hid_t type = H5Aget_type(attribute);
    bool ok = type >= 0 && H5Tequal(type, in_file) > 0 && H5Aread(attribute, in_memory, value) >= 0;
    if (type >= 0)
        H5Tclose(type);
    H5Aclose(attribute);
    if (!ok)
        return fail(err, MO_BAD_FILE, name, "the attribute cannot be read as the number it should be");
    return MO_OK;
}

mo_status hdf_get_i64(hid_t file, const char *name, int64_t *value, mo_error *err)
{
    return get(file, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 1, value, err);
}

mo_status hdf_get_u64(hid_t file, const char *name, uint64_t *value, mo_error *err)
{
    return get(file, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, 1, value, err);
}

mo_status hdf_get_f64(hid_t file, const char *name, double *values, size_t count, mo_error *err)
{
    return get(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values, err);
}

mo_status hdf_get_text(hid_t file, const char *name, char **value, mo_error *err)
{
    hid_t attribute;
    mo_status status = open_attribute(file, name, 1, &attribute, err);
    if (status != MO_OK)
        return status;
    hid_t type = H5Aget_type(attribute);
    size_t size = 0;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0)
        size = H5Tget_size(type);
    char *text = size > 0 && size <= MAX_TEXT ? calloc(size + 1, 1) : NULL;
    bool ok = text != NULL && H5Aread(attribute, type, text) >= 0;
    if (type >= 0)
        H5Tclose(type);
    H5Aclose(attribute);
    if (!ok) {
        free(text);
        return fail(err, MO_BAD_FILE, name, "the attribute is no text of 1 to %u bytes", MAX_TEXT);
    }
    *value = text;
    return MO_OK;
}

/* ---- opening ------------------------------------------------------------------------------- */

/*
 * Opened for reading alone.  With a driver of its own, since HDF5 takes two opened files for one where their
 * drivers are the same: what the first had read, and the file has changed since, would be read again.
 */
static hid_t open_own(const char *path, unsigned flags, unsigned attempts, disk *state)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    *state = (disk){0};
    if (fapl >= 0 && disk_use(fapl, state) && H5Pset_file_locking(fapl, 0, 1) >= 0 &&
        H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_metadata_read_attempts(fapl, attempts) >= 0)
        file = H5Fopen(path, H5F_ACC_RDONLY | flags, fapl);
    if (fapl >= 0)
        H5Pclose(fapl);
    if (file < 0)
        disk_end(file, state);
    return file;
}

/* a file that HDF5 may be asked to open */
static mo_status check_regular(const char *path, const char *what, mo_error *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return fail(err, MO_BAD_FILE, NULL, "cannot open: %s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return fail(err, MO_BAD_FILE, NULL, "not a regular file; expected a %s", what);
    if (st.st_size == 0)
        return fail(err, MO_BAD_FILE, NULL, "empty; expected a %s", what);
    if (access(path, R_OK) != 0)
        return fail(err, MO_IO, NULL, "cannot read: %s", strerror(errno));
    return MO_OK;
}

mo_status hdf_open_read(const char *path, disk *state, hid_t *file, mo_error *err)
{
    mo_status status = check_regular(path, "run file", err);
    if (status != MO_OK)
        return status;
    // a file being written, or left by a killed run, opens only as one that may change
    *file = open_own(path, 0, READ_ATTEMPTS, state);
    if (*file < 0)
        *file = open_own(path, H5F_ACC_SWMR_READ, READ_ATTEMPTS, state);
    if (*file < 0)
        return fail(err, MO_BAD_FILE, NULL, "not an HDF5 file, or damaged; expected a run file");
    return MO_OK;
}

mo_status hdf_open_foreign(const char *path, const char *what, disk *state, hid_t *file, mo_error *err)
{
    mo_status status = check_regular(path, what, err);
    if (status != MO_OK)
        return status;
    *file = open_own(path, 0, 1, state);
    if (*file < 0)
        return fail(err, MO_BAD_FILE, NULL, "not an HDF5 file, or damaged; expected a %s", what);
    return MO_OK;
}
