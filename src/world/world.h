/*
 * What a world holds.
 */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include <moreau/problem.h>
#include <moreau/world.h>

#include "collide/contacts.h"
#include "collide/neighbours.h"
#include "core/arena.h"
#include "core/parallel.h"
#include "dynamics/bodies.h"
#include "dynamics/joints.h"
#include "dynamics/laws.h"
#include "dynamics/sleep.h"
#include "dynamics/stage.h"

/* With position projection a contact that carried an impulse is held up to this share of the smaller size. */
#define HOLD_SHARE 0.01

struct mo_world {
    mo_world_def def;
    law_table laws;
    bodies bodies;
    joints joints;
    bool has_cell;
    periodic_cell cell;     /* of the bodies' positions */
    periodic_cell cell_mid; /* of q_mid, during a step */
    mo_cell_control control;
    double rate[9];     /* L at the end of the last step, 1/s */
    cell_motion motion; /* of the step, where the cell deforms */
    neighbours neighbours;
    contact_set contacts; /* active in the last step; their impulses start the next one */
    bool taken;           /* by the present step: contacts are no longer those of the last one */
    contact_set aside;    /* those of the step before, where steps may be stopped */
    contact_set scratch;  /* contacts of position projection and overlap checks */
    kept_order order;     /* of the contacts of the last problem, be it of a step or of a projection */
    sleepers sleepers;
    arena arena;   /* empty between steps */
    pool *threads; /* NULL: one */
    bool started;  /* the first step has looked at overlaps */
    bool balanced; /* the energy that balances refer to is taken */

    mo_world_totals totals;
    mo_solver_info solver; /* last step */
    mo_body fast_body1, fast_body2;
    double fast_time;
    double overlap_left, largest_gain, gain_time, joints_apart, apart_time; /* as in mo_world_info */
    int64_t unheld_steps;                                                   /* whose impulses hold nothing */
    double unheld_share;    /* by which contacts closed in them, of the least size of a body */
    double unheld_time;     /* s, end of the first */
    double leap, leap_time; /* as in mo_world_info */
    mo_body leap_body;
    mo_joint blocked_joint;
    double blocked_time;
    mo_stage_seconds seconds;

    bool keep_problem;      /* asked for by mo_world_keep_problem */
    const char *no_problem; /* why the last step that was asked kept none; NULL: it did */
    mo_problem problem;     /* of the last step that kept it, contacts in the order of `contacts`; owned */
    double *problem_r, *problem_u; /* [dim contacts] its answer, owned */
};

/* The definition the world was made with. */
const mo_world_def *world_def(const mo_world *world);

/* Kinetic plus potential energy, J. */
double world_energy(const mo_world *world);

/* Looks at overlaps before the first step, and resolves or refuses them as the definition says. */
mo_status world_treat_overlaps(mo_world *world, mo_error *err);

/* Nothing sleeps any more, for a while. */
void world_wake(mo_world *world);

/* Keeps the step problem that was just solved (problem.c). */
mo_status world_keep_problem(mo_world *world, const stage_data *d, mo_error *err);
void world_drop_problem(mo_world *world);

/* Settings of the step for stages and overlap checks, without its arrays. */
stage_data world_stage(const mo_world *world);

/* The box around all dynamic bodies at the places q; false: there are none. */
bool world_free_box(const mo_world *world, const double *q, double min[3], double max[3]);
/* The box of a part's vertices in its body's frame. */
void part_bounds(const bodies *b, size_t slot, const mo_part *p, double min[3], double max[3]);
/* With a cell: s is where a part of a body stands, from its position, in the image nearest to a point. */
void world_part_image(const mo_world *world, size_t slot, size_t part, const double *point, double *s);

/* ---- cell.c */

/* The cell of the definition. */
mo_status world_make_cell(mo_world *world, mo_error *err);
/* Whether a body fits into the cell. */
mo_status world_check_cell(const mo_world *world, size_t slot, mo_error *err);
/* Puts a dynamic body into the cell. */
void world_wrap_body(mo_world *world, size_t slot);
/* Whether it deforms, or is to. */
bool world_cell_deforms(const mo_world *world);
/* Whether a joint can be in the cell when it deforms like this. */
mo_status world_cell_check_joint(const mo_world *world, const mo_cell_control *c, const mo_joint_def *def,
                                 mo_error *err);
/* Whether every part of a body fits into a cell of this least width, and planes run along it. */
mo_status world_check_parts(const mo_world *world, size_t slot, double width, mo_error *err);
/* Edges and L from a file. */
mo_status world_restore_cell(mo_world *world, const mo_restart *r, mo_error *err);

/* ---- cell_step.c */

/* Before predict; after it; after the solve; once the bodies are at the end of the step; at the very end;
 * after a step that failed. */
mo_status world_cell_begin(mo_world *world, stage_data *d, mo_error *err);
mo_status world_cell_predict(mo_world *world, stage_data *d, mo_error *err);
void world_cell_solved(mo_world *world, const stage_data *d);
void world_cell_end(mo_world *world, const stage_data *d);
void world_cell_wrap(mo_world *world, const stage_data *d);
void world_cell_back(mo_world *world);

/* The middle of the last step as its end tells of it, where the cell deforms. */
typedef struct cell_middle {
    periodic_cell cell;
    double faster[9], back[9]; /* (1 - h/2 L)⁻¹ and (1 + h/2 L)⁻¹, of velocities and of places */
} cell_middle;

/* false: the cell has no volume left. */
bool world_cell_middle(const mo_world *world, cell_middle *out);
/* x: where the centre of a dynamic body was. */
void world_middle_place(const mo_world *world, const cell_middle *m, size_t slot, double *x);

/* ---- joint.c */

/* After all bodies have come from a file. */
void world_bind_joints(mo_world *world);
/* A body has taken the last slot: joints keep theirs. */
void world_body_came(mo_world *world);
/* The body of this slot has gone: its joints go too.  springs: world_springs of before. */
void world_body_gone(mo_world *world, size_t slot, double springs);
/* Energy of springs once the balance has begun, J; 0 before. */
double world_springs(const mo_world *world);

#endif
