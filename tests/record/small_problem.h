/* A problem file of two contacts in the plane, dataset by dataset, so that a test can spoil any of them. */
#ifndef RECORD_SMALL_PROBLEM_H
#define RECORD_SMALL_PROBLEM_H

#include "record/small_world.h"

#include <hdf5.h>
#include <moreau/problem.h>

enum { SMALL_N = 4, SMALL_ENTRIES = 8 };

/* W = 2 1 . 3 | 1 4 . . | . . 5 . | 3 . . 6, by rows */
static const double small_W[SMALL_N][SMALL_N] = {{2, 1, 0, 3}, {1, 4, 0, 0}, {0, 0, 5, 0}, {3.5, 0, 0, 6}};
static const double small_q[SMALL_N] = {-1, 0.5, 2, -3}, small_mu[2] = {0.25, 0};

/* in a table of any dimensions; chunk: of as many, or NULL */
static inline void put_table(hid_t file, const char *path, hid_t type, int rank, const hsize_t *dims,
                             const hsize_t *chunk, const void *data)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(rank, dims, NULL);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (chunk != NULL)
        assert_true(H5Pset_chunk(list, rank, chunk) >= 0 && H5Pset_deflate(list, 6) >= 0);
    hid_t set = H5Dcreate2(file, path, type, space, links, list, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(list);
    H5Pclose(links);
}

static inline void put(hid_t file, const char *path, hid_t type, hsize_t count, const void *data)
{
    put_table(file, path, type, 1, &count, NULL, data);
}

static inline void put_int(hid_t file, const char *path, int value)
{
    put(file, path, H5T_NATIVE_INT, 1, &value);
}

/* group/name */
static inline const char *in_group(const char *group, const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", group, name);
    return path;
}

/* nz: -1 compressed columns, -2 compressed rows, else triplets */
static inline void put_matrix(hid_t file, const char *group, int rows, int columns, const double *full,
                              int nz)
{
    int p[64] = {0}, i[64] = {0}, count = 0;
    double x[64] = {0};
    const int lines = nz == -1 ? columns : rows, length = nz == -1 ? rows : columns;
    for (int line = 0; line < lines; line++) {
        if (nz < 0)
            p[line] = count;
        for (int k = 0; k < length; k++) {
            const int row = nz == -1 ? k : line, column = nz == -1 ? line : k;
            if (full[row * columns + column] == 0)
                continue;
            i[count] = nz >= 0 ? row : k;
            if (nz >= 0)
                p[count] = column;
            x[count++] = full[row * columns + column];
        }
    }
    p[nz < 0 ? lines : count] = nz < 0 ? count : 0;
    put_int(file, in_group(group, "m"), rows);
    put_int(file, in_group(group, "n"), columns);
    put_int(file, in_group(group, "nz"), nz < 0 ? nz : count);
    put_int(file, in_group(group, "nzmax"), count);
    put(file, in_group(group, "p"), H5T_NATIVE_INT, (hsize_t)(nz < 0 ? lines + 1 : count), p);
    put(file, in_group(group, "i"), H5T_NATIVE_INT, (hsize_t)count, i);
    put(file, in_group(group, "x"), H5T_NATIVE_DOUBLE, (hsize_t)count, x);
}

static inline void write_small_local(const char *path, int nz)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    put_int(file, "/fclib_local/spacedim", 2);
    put_matrix(file, "/fclib_local/W", SMALL_N, SMALL_N, &small_W[0][0], nz);
    put(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, SMALL_N, small_q);
    put(file, "/fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 2, small_mu);
    put(file, "/solution/r", H5T_NATIVE_DOUBLE, SMALL_N, small_q);
    put(file, "/solution/u", H5T_NATIVE_DOUBLE, SMALL_N, small_q);
    H5Fclose(file);
}

/* M = diag(2, 4, M_2) with M_2 = 1 1 | -1 1, whose inverse is half its transpose; H as below */
static const double small_M[4][4] = {{2, 0, 0, 0}, {0, 4, 0, 0}, {0, 0, 1, 1}, {0, 0, -1, 1}};
static const double small_H[4][4] = {{1, 0, 0, 0}, {0, 2, 1, 0}, {0, 0, 0, 1}, {0, 0, 3, 0}};
static const double small_f[4] = {2, 8, 1, 0}, small_w[4] = {0, 1, 0, -1};
/* H^T M^-1 H and H^T M^-1 f + w by hand: M^-1 = diag(1/2, 1/4, 1/2 -1/2 | 1/2 1/2), M^-1 f = (1, 2, 1/2, 1/2)
 */
static const double small_HMH[4][4] = {
    {0.5, 0, 0, 0}, {0, 1, 0.5, 0}, {0, 0.5, 0.25 + 4.5, 1.5}, {0, 0, -1.5, 0.5}};
static const double small_HMf[4] = {1, 5, 3.5, -0.5};

static inline void write_small_global(const char *path, int nz)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    put_int(file, "/fclib_global/spacedim", 2);
    put_matrix(file, "/fclib_global/M", 4, 4, &small_M[0][0], nz);
    put_matrix(file, "/fclib_global/H", 4, 4, &small_H[0][0], nz);
    put(file, "/fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 4, small_f);
    put(file, "/fclib_global/vectors/w", H5T_NATIVE_DOUBLE, 4, small_w);
    put(file, "/fclib_global/vectors/mu", H5T_NATIVE_DOUBLE, 2, small_mu);
    H5Fclose(file);
}

/* puts another table in the place of an array, or nothing (data NULL) */
static inline void replace_by_table(const char *path, const char *name, hid_t type, int rank,
                                    const hsize_t *dims, const hsize_t *chunk, const void *data)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    H5Ldelete(file, name, H5P_DEFAULT);
    if (data != NULL)
        put_table(file, name, type, rank, dims, chunk, data);
    H5Fclose(file);
}

/* puts another array in the place of one */
static inline void replace(const char *path, const char *name, hid_t type, hsize_t count, const void *data)
{
    replace_by_table(path, name, type, 1, &count, NULL, data);
}

#endif
