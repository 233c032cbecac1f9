/* Complementary pivoting: see pivoting.h.  Columns: w, z, the artificial unknown, the right side. */
#include "system/pivoting.h"

#include <math.h>

#include "math/vec.h"

static void load(size_t size, const double *M, const double *q, double *tableau, size_t *basis)
{
    size_t width = 2 * size + 2;
    vec_zero(lemke_room(size), tableau);
    for (size_t i = 0; i < size; i++) {
        double *row = tableau + i * width;
        row[i] = 1;
        for (size_t j = 0; j < size; j++)
            row[size + j] = -M[i * size + j];
        row[2 * size] = -1;
        row[2 * size + 1] = q[i];
        basis[i] = i;
    }
}

static void pivot(size_t size, double *tableau, size_t row, size_t column)
{
    size_t width = 2 * size + 2;
    double *p = tableau + row * width, inverse = 1 / p[column];
    for (size_t j = 0; j < width; j++)
        p[j] *= inverse;
    p[column] = 1;
    for (size_t i = 0; i < size; i++) {
        double *other = tableau + i * width, factor = other[column];
        if (i == row || factor == 0)
            continue;
        vec_add(width, -factor, p, other);
        other[column] = 0;
    }
}

// the row that leaves: the least ratio, the artificial unknown first, then the largest pivot; size: none
static size_t leaving(size_t size, const double *tableau, const size_t *basis, size_t column)
{
    size_t width = 2 * size + 2, best = size;
    double least = HUGE_VAL;
    for (size_t i = 0; i < size; i++) {
        const double *row = tableau + i * width;
        if (row[column] > 1e-11)
            least = fmin(least, fmax(row[width - 1], 0) / row[column]);
    }
    for (size_t i = 0; i < size; i++) {
        const double *row = tableau + i * width;
        if (!(row[column] > 1e-11) || fmax(row[width - 1], 0) / row[column] > least + 1e-13 * (1 + least))
            continue;
        if (basis[i] == 2 * size)
            return i;
        if (best == size || row[column] > tableau[best * width + column])
            best = i;
    }
    return best;
}

bool lemke_solve(size_t size, const double *M, const double *q, double *tableau, size_t *basis, double *z)
{
    size_t width = 2 * size + 2, row = 0, column = 2 * size;
    load(size, M, q, tableau, basis);
    vec_zero(size, z);
    for (size_t i = 1; i < size; i++)
        row = q[i] < q[row] ? i : row;
    bool done = q[row] >= 0;
    for (size_t count = 0; !done && row < size && count < 100 * size; count++) {
        size_t left = basis[row];
        pivot(size, tableau, row, column);
        basis[row] = column;
        done = left == 2 * size;
        column = left < size ? left + size : left - size;
        row = done ? row : leaving(size, tableau, basis, column);
    }
    for (size_t i = 0; i < size; i++)
        if (basis[i] >= size && basis[i] < 2 * size)
            z[basis[i] - size] = fmax(tableau[i * width + width - 1], 0);
    return done;
}
