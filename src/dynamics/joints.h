/*
 * Joints of a world: a table, the rows that they and rolling contacts give to a step problem, and what a step
 * leaves (docs/theory/joints.md).
 *
 * Rows are those of body 1 relative to body 2, at the place where bodies are: q_mid in the step, the end of
 * the step for the drift that is taken out of positions and velocities after it.
 */
#ifndef DYNAMICS_JOINTS_H
#define DYNAMICS_JOINTS_H

#include <moreau/world.h>

#include "dynamics/stage.h"
#include "problem/extra.h"

/* Most boxes of one joint: two limits and a motor. */
enum { JOINT_BOXES = 3 };

typedef struct joint {
    mo_joint_def def;    /* bodies by id; points and axes are those of creation */
    uint32_t slot[2];    /* NO_BODY: the world */
    uint32_t block;      /* in the system; NO_BODY: no rows with equality */
    double anchor[2][3]; /* the joint's point in the frame of each body's centre of mass */
    double frame[2][4];  /* quaternion: its axes (axis, t, s) in those of q; in 2D turned about z */
    double angle;        /* 2D: that of body 1 less that of body 2 at creation, rad */
    double reach;        /* m: farthest that its points are from the bodies' centres */

    /* of the last step: on body 1 */
    double force[3], torque[3]; /* N; N m about the joint's point */
    double motor;               /* N or N m */
} joint;

/* Whose row a box is. */
typedef struct box_owner {
    uint32_t joint;
    bool motor;
} box_owner;

typedef struct joints {
    size_t count, capacity;
    joint *list;
    uint32_t *ids; /* rising */
    uint32_t created;
    bool changed;     /* the system is to be connected anew */
    joined system;    /* block of joint k: list[k].block */
    box_owner *owner; /* [JOINT_BOXES capacity] of the boxes of the step */
    uint64_t *apart;  /* [apart_count] pairs of slots (low << 32 | high) that do not collide, rising */
    size_t apart_count;
} joints;

/* Adds a joint whose definition was checked.  false: no memory. */
bool joints_add(joints *js, const bodies *b, const mo_joint_def *def, uint32_t *id);
/* Index of an id, or SIZE_MAX. */
size_t joints_find(const joints *js, uint32_t id);
/* After joints_add: the pair of the new one takes its place among those that do not collide. */
void joints_bind_last(joints *js, bodies *b);
/* Takes out joint k and its pair. */
void joints_remove(joints *js, bodies *b, size_t k);
/* After the body of this slot has gone: its joints go too, and slots above it move down. */
void joints_body_gone(joints *js, bodies *b, uint32_t slot);
/* After all bodies have come anew: new slots; joints of bodies that are gone go too. */
void joints_bind(joints *js, bodies *b);
/* They bear nothing, as before the first step. */
void joints_forget_loads(joints *js);
void joints_free(joints *js);
size_t joints_bytes(const joints *js);

/* Where the angle, way or length of joint k stands, and how fast it changes with the bodies' velocities and
   the flow L of a cell that they are beside; NULL: there is none. */
double joint_value(const bodies *b, const joint *k, const double *q);
double joint_rate(const bodies *b, const joint *k, const double L[9]);
/* With a cell: by how much of its edges the points of the joint are apart, up to a half; otherwise 0. */
double joint_share(const bodies *b, const joint *k);
/* The joint's point on body 1. */
void joint_point(const bodies *b, const joint *k, double out[3]);
/* Index of the first joint whose motor, of no largest load, has run against its limit, or will within h;
   SIZE_MAX: none has. */
size_t joints_blocked(const joints *js, const bodies *b, double h);
/* Energy of springs, J. */
double joints_potential(const joints *js, const bodies *b);

/*
 * For assemble: d->problem.extra with its arrays, but R and T, which stand behind S; NULL when there is
 * neither joint nor resistance.  Boxes and blocks are filled.  false: no memory.
 */
bool joints_assemble(const bodies *b, const law_table *laws, const contact_set *c, arena *a, stage_data *d);
/* The rest, once S and the contacts' rows are there; false: no memory. */
bool joints_assemble_end(const bodies *b, const law_table *laws, const contact_set *c, arena *a,
                         stage_data *d);

/* Slots of the bodies that its impulses move; NO_BODY: none. */
void joint_bodies(const bodies *b, const joint *k, uint32_t body[2]);
/* U_I: velocity along a row (g1, g2) at the start of the step; w: the part of boundaries and of a flow. */
void joint_start(const bodies *b, const joint *k, const stage_data *d, const double *g1, const double *g2,
                 double *U_I, double *w);

/*
 * After solve (joint_impact.c): where contacts and stops at joined bodies have made energy, joints take over
 * their restitution.  *changed: the problem has, and is to be solved again.
 */
mo_status joints_yield(const bodies *b, const law_table *laws, const contact_set *c, const stage_data *d,
                       arena *a, bool *changed, mo_error *err);

/* For integrate: impulses to b->force, loss and work; u_f: velocities at the end of the step, world axes.
   Turns: rolling and spinning resistance of contacts. */
void turns_finish(bodies *b, const contact_set *c, const stage_data *d, const double *u_f, step_energy *out);
void joints_finish(bodies *b, const stage_data *d, const double *u_f, step_energy *out);

/*
 * After the step: positions and velocities at the end of the step are put where the joints are, by changes of
 * least kinetic norm.  c: the contacts of the step, which hold.  out: work and impact are added to, apart is
 * set.
 */
struct sleepers;
mo_status joints_settle(bodies *b, const contact_set *c, const struct sleepers *sleep, const stage_data *d,
                        arena *a, pool *threads, step_energy *out, mo_error *err);

/* ---- joint_rows.c -------------------------------------------------------------------------------------- */

/* Rows with equality that a joint has. */
uint32_t joint_row_count(const mo_joint_def *def, size_t dim);
/* Its rows at q, of both bodies whatever they are, and by how much they miss: m, rad. */
void joint_fill(const bodies *b, const joint *k, const double *q, double G[2][BLOCK_ROWS][6],
                double value[BLOCK_ROWS]);
/* The row along which it can move, if it is one: hinge, slider, distance, spring; and where it stands. */
double joint_free_row(const bodies *b, const joint *k, const double *q, double G[2][6]);
/* G u over the bodies; boundaries: only those that are not dynamic. */
double joint_velocity(const bodies *b, const joint *k, const double *g1, const double *g2, const double *u,
                      bool boundaries);
/* What a flow L gives along a row whose part of body 1 is g1. */
double joint_flow(const bodies *b, const joint *k, const double *q, const double L[9], const double *g1);
/* Adds F along the row g of body 1, at the place q, to the joint's force and torque. */
void joint_add_load(const bodies *b, joint *k, const double *q, const double *g, double F);

#endif
