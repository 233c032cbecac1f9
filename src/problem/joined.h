/*
 * Joints of a step problem: rows that hold with equality, eliminated by a direct method.
 *
 *   G_k u + shift_k + C_k T_k = 0     for every block k of rows; C: compliance, diagonal, 0 for rigid joints
 *   (G A⁻¹ G* + C) T = -(G u₀ + shift),   u = u₀ + A⁻¹ G* T,   u₀: everything but T
 *
 * Bodies that joints connect form an island; each has one sparse factor K = G A⁻¹ G* + C, whose pattern stays
 * as long as the joints do.  Redundant rows make K singular: it is factored with REGULAR of its diagonal
 * added, and rounds of improvement, each a solve with what is left, take out what that changes.  T is a
 * function of all else: whatever pushes a body of an island is felt by all of it (`response`).
 * docs/theory/joints.md §3.
 */
#ifndef PROBLEM_JOINED_H
#define PROBLEM_JOINED_H

#include <math.h>

#include "core/arena.h"
#include "math/sparse_cholesky.h"
#include "problem/step_problem.h"

enum { BLOCK_ROWS = 6 };

#define NO_BODY UINT32_MAX

/* The rows of one joint. */
typedef struct row_block {
    uint32_t body[2]; /* slots; NO_BODY: nothing there that is moved by impulses */
    uint32_t rows, first;
    double G[2][BLOCK_ROWS][6];  /* of each body, with its sign; in 2D three columns */
    double GA[2][BLOCK_ROWS][6]; /* G A⁻¹ */
    double shift[BLOCK_ROWS], compliance[BLOCK_ROWS];
} row_block;

/* Blocks a >= b that share a body: where their entries of K stand in the factor. */
typedef struct block_pair {
    uint32_t a, b;
    size_t slots;
} block_pair;

typedef struct island {
    size_t block_first, block_end; /* into order */
    size_t body_first, body_end;   /* into body */
    size_t pair_first, pair_end;   /* into pair */
    uint32_t rows;
    bool sound; /* factored */
    sparse_cholesky factor;
} island;

typedef struct joined {
    size_t blocks, block_capacity;
    row_block *block; /* [blocks]; body and rows are set by the owner before joined_connect */
    size_t rows;
    double *T; /* [rows] impulses, N s or N m s; from joined_solve */

    size_t islands, island_capacity;
    island *island;
    uint32_t *order; /* [blocks] by island */
    uint32_t *local; /* [blocks] first row of a block within its island */
    size_t bodies, slots_known;
    uint32_t *body;              /* [bodies] slots by island, rising */
    uint32_t *island_of, *place; /* [slots_known] of a slot, NO_BODY: none; place within its island */
    size_t pairs;
    block_pair *pair;
    uint32_t *slot;   /* of entries of K */
    double *diagonal; /* [rows] of K; 0: nothing can move along that row */
    double *rest, *x; /* [rows] scratch */
} joined;

/* Room for as many blocks; false: no memory. */
bool joined_reserve(joined *j, size_t blocks);
/* Finds islands and patterns for bodies in [0, slots); false: no memory. */
bool joined_connect(joined *j, size_t slots);
void joined_free(joined *j);
size_t joined_bytes(const joined *j);

/* Factors K from the blocks' G and compliance and p's A⁻¹. */
void joined_factor(joined *j, const step_problem *p);
/* Adds to p's velocities what holds the joints, T from nothing. */
void joined_solve(joined *j, const step_problem *p);
/* The same once more from T as it stands, without improvement. */
void joined_correct(joined *j, const step_problem *p);

/* What the islands of two bodies feel of impulses along given rows on them, beside the push itself. */
typedef struct response {
    uint32_t island[2]; /* NO_BODY: none */
    uint32_t columns;
    double *Z[2]; /* [columns][freedoms of the island] */
} response;

static inline bool joined_touches(const joined *j, const uint32_t body[2])
{
    return j->island_of[body[0]] != NO_BODY || (body[1] != NO_BODY && j->island_of[body[1]] != NO_BODY);
}

/* Numbers in the Z of a response of one column. */
size_t response_room(const joined *j, const step_problem *p, const uint32_t body[2]);
/* G[side][column][6]: rows of G of both bodies.  false: no memory. */
bool joined_respond(joined *j, const step_problem *p, const uint32_t body[2], uint32_t columns,
                    double (*const G[2])[6], arena *a, response *out);
/* u += Z dS */
void response_push(const joined *j, const step_problem *p, const response *r, const double *dS);
/* What column `column` adds to the velocity along the row g of the bodies. */
double response_along(const joined *j, const step_problem *p, const response *r, const uint32_t body[2],
                      uint32_t column, const double *g1, const double *g2);

/*
 * A sum of terms with these sizes in all; 0 where it is within their rounding and that of the velocities in
 * them.  Bodies that move together at 10 m/s agree to 1e-15 m/s only, which is much beside a joint that bears
 * next to nothing.
 */
static inline double beyond_rounding(double sum, double terms)
{
    return fabs(sum) > 16 * 0x1p-53 * terms ? sum : 0;
}

/* Squares of what the rows miss, of T and of the velocities without impulses, in the norm of K: J.  Whether a
   row asks for what nothing can follow: it has no place in that norm. */
bool joined_miss(const joined *j, const step_problem *p, double *miss, double *T2, double *q2);

#endif
