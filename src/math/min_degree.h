/*
 * An order of elimination with little fill for a symmetric sparse matrix: approximate minimum degree.
 *
 * Amestoy, Davis & Duff, SIAM J. Matrix Anal. Appl. 17 (1996) 886-905.  The order depends on the pattern
 * only, never on what was ordered before.
 */
#ifndef MATH_MIN_DEGREE_H
#define MATH_MIN_DEGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The graph left after some eliminations.  A variable is a column still to come, or several that nothing
 * tells apart; an element is an eliminated one, standing for the clique of its neighbours.  Zero it before
 * the first use; it grows with the largest graph seen.
 */
typedef struct min_degree {
    uint32_t n;
    size_t room, room_pool; /* entries allocated */
    size_t used;            /* of pool */
    uint32_t *pool; /* lists: of a variable its elements, then variables; of an element its variables */
    size_t *start;  /* [n] of a list in pool */
    uint32_t *elements, *variables;   /* [n] lengths of a list */
    uint32_t *weight;                 /* [n] columns in a variable; 0: no longer one */
    uint32_t *degree;                 /* [n] bound on the columns next to a variable; columns in an element */
    uint32_t *outside;                /* [n] columns of an element that the newest one does not have */
    uint32_t *seen, *touched, *same;  /* [n] stamps */
    uint32_t *head, *next, *previous; /* [n] variables by degree */
    uint32_t *bucket, *bucket_next;   /* [n] variables by a hash of their lists */
    uint32_t *follow, *tail;          /* [n] columns that go with a variable */
    uint32_t *hash;                   /* [n] */
    unsigned char *alive;             /* [n] is an element, not yet inside another one */
} min_degree;

/*
 * order[k] := the column to eliminate as number k.  Column j has entries in the rows index[start[j]] ...
 * index[start[j + 1] - 1], without repetition, both (i, j) and (j, i) present; the diagonal is ignored.
 * false: no memory.
 */
bool min_degree_order(min_degree *g, uint32_t n, const size_t *start, const uint32_t *index, uint32_t *order);

void min_degree_free(min_degree *g);

#endif
