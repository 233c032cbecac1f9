/*
 * Jacobi's rotations (Golub and Van Loan, Matrix Computations, §8.5): each makes one entry off the diagonal
 * vanish; convergence is quadratic.
 */
#include "math/eigen3.h"

#include <float.h>
#include <math.h>

/* more rounds than any matrix needs: six are usual */
enum { ROUNDS = 30 };

/* columns i and j of M := columns i, j turned by the angle of cosine c and sine s */
static void turn_columns(double M[9], int i, int j, double c, double s)
{
    for (int k = 0; k < 9; k += 3) {
        double a = M[k + i], b = M[k + j];
        M[k + i] = c * a - s * b;
        M[k + j] = s * a + c * b;
    }
}

/* makes S[i][j] vanish by a rotation in the plane i, j, which is added to the axes; false: it was 0 already
 */
static int annihilate(double S[9], double axes[9], int i, int j)
{
    double off = S[3 * i + j], p = S[4 * i], q = S[4 * j];
    int k = 3 - i - j;
    if (fabs(off) <= 4 * DBL_EPSILON * (fabs(p) + fabs(q)) || off == 0) {
        S[3 * i + j] = S[3 * j + i] = 0;
        return 0;
    }
    // the smaller root of t^2 + 2 t (q - p) / (2 off) - 1 = 0 keeps the angle below 45 degrees
    double r = (q - p) / (2 * off), t = copysign(1, r) / (fabs(r) + hypot(r, 1));
    double c = 1 / hypot(t, 1), s = t * c, a = S[3 * k + i], b = S[3 * k + j];
    S[4 * i] = p - t * off;
    S[4 * j] = q + t * off;
    S[3 * i + j] = S[3 * j + i] = 0;
    S[3 * k + i] = S[3 * i + k] = c * a - s * b;
    S[3 * k + j] = S[3 * j + k] = s * a + c * b;
    turn_columns(axes, i, j, c, s);
    return 1;
}

void eigen3(const double A[9], double values[3], double axes[9])
{
    double S[9];
    for (int k = 0; k < 9; k++) {
        S[k] = A[k];
        axes[k] = k % 4 == 0;
    }
    for (int round = 0; round < ROUNDS; round++)
        if (annihilate(S, axes, 0, 1) + annihilate(S, axes, 0, 2) + annihilate(S, axes, 1, 2) == 0)
            break;
    for (int k = 0; k < 3; k++)
        values[k] = S[4 * k];
}
