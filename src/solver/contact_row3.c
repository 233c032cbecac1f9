#include "solver/contact_row3.h"

#include "problem/block.h"
#include "problem/rows.h"

/* Below this share of the block an entry, or a difference of entries, is the rounding of a few sums. */
#define BLOCK_ROUNDING 4e-15

/* Below this share of a lever arm what is across it is the rounding of places in the world. */
#define PLACE_ROUNDING 1e-12

// adds G A⁻¹ G* of one body to H, by rows
static void add_block(const contact_row3 *c, int side, const velocity3 *v, double H[9])
{
    body_rows G;
    double GA[6];
    rows3_of(c, side, &G);
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++)
            GA[k] = G.row[r][k] * v->inv_m[k];
        symmetric3_times(v->inv_I, &G.row[r][3], &GA[3]);
        for (int s = 0; s < 3; s++)
            for (int k = 0; k < 6; k++)
                H[3 * r + s] += GA[k] * G.row[s][k];
    }
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

// G A⁻¹ G*, by rows
static void make_block(const contact_row3 *row, const velocity3 *velocity, double H[9])
{
    for (int k = 0; k < 9; k++)
        H[k] = 0;
    add_block(row, 0, &velocity[row->body[0]], H);
    if (row->body[1] != UINT32_MAX)
        add_block(row, 1, &velocity[row->body[1]], H);
    // rounding may have left it a little unsymmetric
    for (int r = 0; r < 3; r++)
        for (int s = r + 1; s < 3; s++)
            H[3 * r + s] = H[3 * s + r] = 0.5 * H[3 * r + s] + 0.5 * H[3 * s + r];
}

void contact_row3_set_block(contact_row3 *row, contact3 *block, const double H[9], double mu)
{
    const int entry[6] = {0, 1, 2, 4, 5, 8};
    double largest = block3_lambda_max(H);
    // a block that overflows must not pass for a solved one
    row->rho = !isfinite(largest) ? (double)NAN : largest > 0 ? 1 / largest : 1;
    contact3_prepare(block, H, mu);
    for (int k = 0; k < 6; k++)
        row->H[k] = block->H[entry[k]];
}

void contact_row3_prepare(contact_row3 *row, contact3 *block, const velocity3 *velocity, double mu,
                          double ratio)
{
    double H[9];
    // not the && operator: both are put straight
    bool first = is_radius(row->r1, row->n);
    bool second = row->body[1] == UINT32_MAX || is_radius(row->r2, row->n);
    row->ratio = ratio;
    make_block(row, velocity, H);
    if (ratio == 1 && first && second && is_axisymmetric(H)) {
        H[1] = H[2] = H[3] = H[5] = H[6] = H[7] = 0;
        H[4] = H[8] = 0.5 * H[4] + 0.5 * H[8];
    }
    contact_row3_set_block(row, block, H, mu);
}
