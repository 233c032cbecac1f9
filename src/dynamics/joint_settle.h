/*
 * Pieces of joints_settle: what it works on, and the contacts near the joints, joint_hold.c.
 */
#ifndef DYNAMICS_JOINT_SETTLE_H
#define DYNAMICS_JOINT_SETTLE_H

#include "dynamics/joints.h"
#include "dynamics/sleep.h"

/* A contact near the joints. */
typedef struct held {
    uint32_t body[2]; /* NO_BODY: nothing there that is moved */
    double G[2][6];   /* along its normal */
    double gap;       /* now, to first order; 0 where it overlaps */
} held;

typedef struct settling {
    bodies *b;
    stage_data *d; /* of the end of the step; its problem is the one solved */
    arena *memory;
    pool *threads;
    const stage_data *step; /* that was made, and its contacts */
    const contact_set *c;
    const sleepers *sleep;
    bool looked; /* for contacts near the joints */
    held *held;  /* [helds] */
    size_t helds;
} settling;

/* Room for so many boxes in p, with those there are.  false: no memory. */
bool push_boxes(arena *a, size_t boxes, step_problem *p);
/* Adds the contacts near the joints to the boxes; at first they are found.  false: no memory. */
bool add_helds(settling *t);
/* Their gaps after the bodies were displaced by the velocities of the problem. */
void move_helds(settling *t);

#endif
