/*
 * Eigenvalues and eigenvectors of symmetric 3x3 matrices.
 */
#ifndef MATH_EIGEN3_H
#define MATH_EIGEN3_H

/*
 * A, symmetric and finite, row by row: values[k] belongs to the unit vector in column k of axes (row by row).
 * The columns are a rotation or a reflection of the axes; a diagonal matrix keeps them, in their order.
 * Entries off the diagonal that are below rounding beside the diagonal ones count as 0.
 */
void eigen3(const double A[9], double values[3], double axes[9]);

#endif
