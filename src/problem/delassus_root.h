/*
 * W = R R*, R = G A^-1/2: the rows of contacts at the bodies they act on, in units in which every body has
 * the mass 1.  What is solved over bodies in place of contacts needs it (solver/local_root.h).
 */
#ifndef PROBLEM_DELASSUS_ROOT_H
#define PROBLEM_DELASSUS_ROOT_H

#include "core/arena.h"
#include "problem/step_problem.h"

#define ROOT_NO_BODY UINT32_MAX

typedef struct delassus_root {
    int dim, freedoms;       /* 2 and 3, or 3 and 6 */
    size_t length;           /* 2 dim freedoms: numbers of R for each contact */
    size_t contacts, bodies; /* bodies: those with contacts */
    uint32_t (*body)[2];     /* [contacts] ROOT_NO_BODY: a boundary */
    double *R;               /* [contacts][length]: of both sides, row by row; zeros at a boundary */
} delassus_root;

/* Bodies that have contacts; SIZE_MAX: no memory to count them. */
size_t delassus_root_bodies(const step_problem *p, arena *a);
/* Whether factors over so many bodies are cheaper than those over contacts: in what is built of blocks. */
bool delassus_root_pays(const step_problem *p, size_t bodies);

/* Of contacts alone, without what p->extra and p->cell add to W.  All memory is the arena's; false: there is
 * not enough. */
bool delassus_root_make(const step_problem *p, arena *a, delassus_root *out);

#endif
