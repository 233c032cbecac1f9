#include "solver/contact_row3.h"

#include "core/wide.h"
#include "problem/block.h"
#include "problem/rows.h"

/* Below this share of the block an entry, or a difference of entries, is the rounding of a few sums. */
#define BLOCK_ROUNDING 4e-15

/* Below this share of the block's square a determinant may be all rounding. */
#define SINGULAR 1e-12

/* Below this share of a lever arm what is across it is the rounding of places in the world. */
#define PLACE_ROUNDING 1e-12

/* Rows that are made ready together, as columns of numbers of the same kind. */
typedef struct row_batch {
    double axis[3][3][ROWS3];                      /* of G: n, t, ratio n×t */
    double r[2][3][ROWS3];                         /* lever arms, m */
    double inv_m[2][3][ROWS3], inv_I[2][6][ROWS3]; /* 0 for a boundary */
    double G[3][6][ROWS3], GA[6][ROWS3];           /* of one body */
    double H[9][ROWS3];                            /* G A⁻¹ G*, by rows */
    double largest[ROWS3];                         /* eigenvalue of H, where it is plain */
} row_batch;

// row j of the batch from a row of the problem
static void gather(row_batch *b, size_t j, const contact_row3 *row, const velocity3 *velocity)
{
    const bool two = row->body[1] != UINT32_MAX;
    const velocity3 *v1 = &velocity[row->body[0]], *v2 = two ? &velocity[row->body[1]] : v1;
    double s[3];
    vec3_cross(row->n, row->t, s);
    vec3_scale(row->ratio, s, s);
    for (int k = 0; k < 3; k++) {
        b->axis[0][k][j] = row->n[k];
        b->axis[1][k][j] = row->t[k];
        b->axis[2][k][j] = s[k];
        b->r[0][k][j] = row->r1[k];
        b->r[1][k][j] = row->r2[k];
        b->inv_m[0][k][j] = v1->inv_m[k];
        b->inv_m[1][k][j] = two ? v2->inv_m[k] : 0;
    }
    for (int k = 0; k < 6; k++) {
        b->inv_I[0][k][j] = v1->inv_I[k];
        b->inv_I[1][k][j] = two ? v2->inv_I[k] : 0;
    }
}

// rows of G of one body: axis k of all rows, and the lever arm crossed with it
static inline void make_rows(row_batch *restrict b, int side, int k)
{
    const double sign = side == 0 ? 1 : -1;
    for (size_t j = 0; j < ROWS3; j++) {
        const double axis[3] = {b->axis[k][0][j], b->axis[k][1][j], b->axis[k][2][j]};
        const double r[3] = {b->r[side][0][j], b->r[side][1][j], b->r[side][2][j]};
        double turn[3];
        vec3_cross(r, axis, turn);
        for (int e = 0; e < 3; e++) {
            b->G[k][e][j] = sign * axis[e];
            b->G[k][3 + e][j] = turn[e] * sign;
        }
    }
}

// row k of G times A⁻¹ of one body
static inline void times_inverse(row_batch *restrict b, int side, int k)
{
    for (size_t j = 0; j < ROWS3; j++) {
        const double x[3] = {b->G[k][3][j], b->G[k][4][j], b->G[k][5][j]};
        const double I[6] = {b->inv_I[side][0][j], b->inv_I[side][1][j], b->inv_I[side][2][j],
                             b->inv_I[side][3][j], b->inv_I[side][4][j], b->inv_I[side][5][j]};
        double turn[3];
        symmetric3_times(I, x, turn);
        for (int e = 0; e < 3; e++) {
            b->GA[e][j] = b->G[k][e][j] * b->inv_m[side][e][j];
            b->GA[3 + e][j] = turn[e];
        }
    }
}

// adds G A⁻¹ G* of one body to H, by rows
static inline void add_blocks(row_batch *restrict b, int side)
{
    for (int k = 0; k < 3; k++)
        make_rows(b, side, k);
    for (int k = 0; k < 3; k++) {
        times_inverse(b, side, k);
        for (int s = 0; s < 3; s++)
            for (size_t j = 0; j < ROWS3; j++) {
                double sum = b->H[3 * k + s][j];
                for (int e = 0; e < 6; e++)
                    sum += b->GA[e][j] * b->G[s][e][j];
                b->H[3 * k + s][j] = sum;
            }
    }
}

WIDE static void make_blocks(row_batch *restrict b)
{
    for (int k = 0; k < 9; k++)
        for (size_t j = 0; j < ROWS3; j++)
            b->H[k][j] = 0;
    add_blocks(b, 0);
    add_blocks(b, 1);
    // rounding may have left them a little unsymmetric
    for (int r = 0; r < 3; r++)
        for (int s = r + 1; s < 3; s++)
            for (size_t j = 0; j < ROWS3; j++)
                b->H[3 * r + s][j] = b->H[3 * s + r][j] = 0.5 * b->H[3 * r + s][j] + 0.5 * b->H[3 * s + r][j];
}

WIDE static void find_largest(row_batch *restrict b)
{
    for (size_t j = 0; j < ROWS3; j++) {
        const double d[3] = {b->H[0][j], b->H[4][j], b->H[8][j]};
        b->largest[j] = symmetric3_lambda_max(d, b->H[1][j], b->H[2][j], b->H[5][j]);
    }
}

static void block_of(const row_batch *b, size_t j, double H[9])
{
    for (int k = 0; k < 9; k++)
        H[k] = b->H[k][j];
}

// whether H is diag(H_nn, H_tt, H_tt) up to rounding
static bool is_axisymmetric(const double H[9])
{
    double off = fmax(fmax(fabs(H[1]), fabs(H[2])), fabs(H[5]));
    return fmax(off, fabs(H[4] - H[8])) <= BLOCK_ROUNDING * fmax(H[0], fmax(H[4], H[8]));
}

// whether r lies along n up to the rounding of places; then it is made so
static bool is_radius(double r[3], const double n[3])
{
    double arm = vec3_dot(r, n), along[3];
    vec3_scale(arm, n, along);
    if (!(vec3_distance(r, along) <= PLACE_ROUNDING * fabs(arm)))
        return false;
    vec3_copy(along, r);
    return true;
}

// whether the determinant of S = A - h h'/H_nn (solver/contact3d.h) is more than rounding
static bool is_regular(const double H[9])
{
    const double h1 = H[1] / H[0], h2 = H[2] / H[0], s1 = H[4] - h1 * H[1], s2 = H[8] - h2 * H[2],
                 o = H[5] - h1 * H[2], size = H[4] > H[8] ? H[4] : H[8];
    return H[0] > 0 && s1 * s2 - o * o > SINGULAR * size * size;
}

// H and its largest eigenvalue into a row
static void set_block(contact_row3 *row, contact3 *block, const double H[9], double largest, double mu)
{
    const int entry[6] = {0, 1, 2, 4, 5, 8};
    // a block that overflows must not pass for a solved one
    row->rho = !isfinite(largest) ? (double)NAN : largest > 0 ? 1 / largest : 1;
    // most contacts are not left to it; of blocks that may be singular it can change H
    contact3_set(block, H, mu);
    if (!is_regular(H))
        contact3_make_ready(block);
    for (int k = 0; k < 6; k++)
        row->H[k] = block->H[entry[k]];
}

void contact_row3_set_block(contact_row3 *row, contact3 *block, const double H[9], double mu)
{
    set_block(row, block, H, block3_lambda_max(H), mu);
}

// lever arms along the normal are put straight; whether both are, and the friction is the same all around
static bool straighten(contact_row3 *row)
{
    // not the && operator: both are put straight
    bool first = is_radius(row->r1, row->n);
    bool second = row->body[1] == UINT32_MAX || is_radius(row->r2, row->n);
    return row->ratio == 1 && first && second;
}

// makes the block of row j diag(H_nn, H_tt, H_tt) where it is that up to rounding
static void make_axisymmetric(row_batch *b, size_t j)
{
    double H[9];
    block_of(b, j, H);
    if (!is_axisymmetric(H))
        return;
    b->H[1][j] = b->H[2][j] = b->H[3][j] = b->H[5][j] = b->H[6][j] = b->H[7][j] = 0;
    b->H[4][j] = b->H[8][j] = 0.5 * H[4] + 0.5 * H[8];
}

void contact_rows3_prepare(contact_row3 *const *row, contact3 *const *block, size_t count,
                           const velocity3 *velocity, const double *mu)
{
    row_batch b;
    bool straight[ROWS3];
    for (size_t j = 0; j < ROWS3; j++) {
        // the last one stands for those that are missing
        contact_row3 *r = row[j < count ? j : count - 1];
        straight[j] = j < count && straighten(r);
        gather(&b, j, r, velocity);
    }
    make_blocks(&b);
    for (size_t j = 0; j < count; j++)
        if (straight[j])
            make_axisymmetric(&b, j);
    find_largest(&b);
    for (size_t j = 0; j < count; j++) {
        double H[9];
        block_of(&b, j, H);
        const double d[3] = {H[0], H[4], H[8]};
        const bool plain = block3_is_plain(d, H[1], H[2], H[5]);
        set_block(row[j], block[j], H, plain ? b.largest[j] : block3_lambda_max(H), mu[j]);
    }
}
