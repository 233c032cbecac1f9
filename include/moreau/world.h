/*
 * Worlds: rigid bodies with contact and Coulomb friction, advanced by time stepping.
 *
 * Units: metres, kilograms, seconds, radians, newtons; in 2D everything per metre of depth.
 * Gap g >= 0 is feasible; the normal of a contact points toward its first body; U_N > 0
 * separates; S_N >= 0 pushes.  In 2D the tangent is the normal turned by +90 degrees.
 *
 * Configuration of a body: q = (x, y, angle), x and y of the centre of mass; velocity
 * u = (vx, vy, spin).  Arrays handed out stay valid until the world is next changed.
 */
#ifndef MOREAU_WORLD_H
#define MOREAU_WORLD_H

#include <moreau/base.h>
#include <moreau/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mo_world mo_world;

/* A body's name for life: 1 + its creation index, never used again; 0 is null. */
typedef struct mo_body {
    uint32_t id;
} mo_body;

/* ---- shapes ---------------------------------------------------------------------------- */

typedef enum mo_shape_kind {
    MO_SHAPE_DISC,
    MO_SHAPE_RECTANGLE,
    MO_SHAPE_POLYGON,
    MO_SHAPE_SEGMENT,
    MO_SHAPE_CHAIN,
    MO_SHAPE_HALFPLANE,
    MO_SHAPE_COMPOUND,
} mo_shape_kind;

typedef struct mo_shape_def mo_shape_def;

typedef struct mo_shape_child {
    const mo_shape_def *shape;
    double position[2]; /* m, in the compound's frame */
    double angle;       /* rad */
} mo_shape_child;

struct mo_shape_def {
    mo_shape_kind kind;
    double radius;        /* disc, m */
    double size[2];       /* rectangle: width and height, m */
    const double *points; /* polygon (convex, either orientation), segment (2), chain (>= 2): x, y pairs, m */
    size_t point_count;
    double normal[2];               /* half-plane: solid where normal.x <= offset; any length > 0 */
    double offset;                  /* m (after the normal is made unit, offset is divided too) */
    const mo_shape_child *children; /* compound of discs, rectangles, polygons and segments */
    size_t child_count;
};

/* ---- laws ------------------------------------------------------------------------------ */

typedef struct mo_law {
    double friction;               /* mu >= 0 */
    double restitution;            /* rho in [0, 1] */
    double tangential_restitution; /* tau in [-1, 1] */
} mo_law;

/* ---- bodies ---------------------------------------------------------------------------- */

typedef enum mo_body_kind {
    MO_BODY_DYNAMIC,
    MO_BODY_FIXED,
    MO_BODY_MOVED, /* prescribed motion */
} mo_body_kind;

/* Freedoms of a body in 2D, for mo_body_def.free. */
enum { MO_FREE_X = 1, MO_FREE_Y = 2, MO_FREE_ANGLE = 4, MO_FREE_ALL_2D = 7 };

/* Prescribed configuration of a body's origin at time t and its exact time derivative. */
typedef struct mo_motion {
    double q[3]; /* x, y, angle */
    double u[3]; /* d/dt */
} mo_motion;

/* Callbacks return MO_OK, or another status with err filled: the step then fails with it. */
typedef mo_status (*mo_motion_fn)(void *data, double t, mo_motion *out, mo_error *err);
typedef mo_status (*mo_load_fn)(void *data, double t, double force[2], double *torque, mo_error *err);
/* radius of every disc of the body's shape and its derivative */
typedef mo_status (*mo_radius_fn)(void *data, double t, double *radius, double *rate, mo_error *err);

typedef struct mo_body_def {
    mo_shape_def shape;
    mo_body_kind kind;
    double density;     /* kg/m^2; exactly one of density and mass for dynamic bodies, 0: not given */
    double mass;        /* kg */
    double inertia;     /* kg m^2 about the centre of mass; 0: from the geometry */
    const char *group;  /* NULL: "default" */
    const char *name;   /* NULL: none */
    double position[2]; /* m */
    double angle;       /* rad */
    double velocity[2]; /* m/s */
    double spin;        /* rad/s */
    unsigned free;      /* MO_FREE_ bits kept */
    bool keep_origin;   /* keep the points where given instead of moving their centre of mass to position */
    const char *const *collides_with; /* groups this body can touch; NULL: all */
    size_t collides_with_count;
    double applied_force[2]; /* N, at the centre of mass, world axes */
    double applied_torque;   /* N m */
    mo_load_fn load;         /* replaces applied_force and applied_torque when given */
    void *load_data;
    mo_motion_fn motion; /* for MO_BODY_MOVED */
    void *motion_data;
    mo_radius_fn radius; /* time-dependent disc */
    void *radius_data;
} mo_body_def;

mo_body_def mo_default_body_def(void);

/* ---- the world ------------------------------------------------------------------------- */

typedef enum mo_scheme {
    MO_SCHEME_MOREAU,      /* midpoint contact dynamics, M99 §8.3 */
    MO_SCHEME_MOREAU_JEAN, /* theta-scheme */
} mo_scheme;

typedef enum mo_overlap {
    MO_OVERLAP_REPORT,  /* start all the same; mo_step_info.start_overlap says how deep */
    MO_OVERLAP_RESOLVE, /* project positions apart before the first step */
    MO_OVERLAP_REFUSE,  /* the first step returns MO_BAD_INPUT */
} mo_overlap;

typedef struct mo_world_def {
    int dim;           /* 2 */
    double h;          /* time step, s, > 0 */
    double gravity[2]; /* m/s^2 */
    mo_scheme scheme;
    double theta; /* moreau-jean, in [0.5, 1] */
    mo_solver_settings solver;
    double contact_tolerance; /* m; negative: 1e-6 of the smaller body's size, at most 1e-8 m */
    bool position_projection;
    mo_overlap overlap;
    int threads; /* >= 1; results do not depend on it */
} mo_world_def;

mo_world_def mo_default_world_def(void);

mo_status mo_world_create(const mo_world_def *def, mo_world **out, mo_error *err);
void mo_world_destroy(mo_world *world);

/* The law of every pair that no mo_world_set_law names.  Zero friction and restitution at first. */
mo_status mo_world_set_default_law(mo_world *world, const mo_law *law, mo_error *err);
mo_law mo_world_default_law(const mo_world *world);
mo_status mo_world_set_law(mo_world *world, const char *group1, const char *group2, const mo_law *law,
                           mo_error *err);

/* The law that a contact names; law 0 is the default. */
mo_law mo_world_law(const mo_world *world, uint16_t number);

/* Number of groups known so far and the name of one; group 0 is "default". */
size_t mo_world_group_count(const mo_world *world);
const char *mo_world_group_name(const mo_world *world, size_t group);

mo_status mo_body_create(mo_world *world, const mo_body_def *def, mo_body *out, mo_error *err);
/* MO_USAGE when the body is not in the world. */
mo_status mo_body_remove(mo_world *world, mo_body body, mo_error *err);
bool mo_body_exists(const mo_world *world, mo_body body);

/* One step h.  Numerical outcomes are in mo_world_info, not in the status. */
mo_status mo_world_step(mo_world *world, mo_error *err);

/* Everything a body is, at the end of the last step. Positions are of the body's origin. */
typedef struct mo_body_state {
    mo_body_kind kind;
    double position[2], angle, velocity[2], spin;
    double mass, inertia;
    double applied_force[2], applied_torque;
    double force[2],
        torque; /* of all contacts on it, averaged over the last step; torque about the centre of mass */
    const char *group, *name; /* name is "" when it has none */
} mo_body_state;

mo_status mo_body_get(const mo_world *world, mo_body body, mo_body_state *out, mo_error *err);
/* Sets position (of the origin), angle, velocity, spin and applied loads; the rest is ignored. Dynamic bodies
   only; for a body with fixed freedoms the velocity along them must be zero. */
mo_status mo_body_set(mo_world *world, mo_body body, const mo_body_state *state, mo_error *err);

/* ---- bulk access ------------------------------------------------------------------------ */

/* One convex piece of a body, in the frame of its centre of mass (its origin for fixed and moved bodies). */
typedef enum mo_part_kind { MO_PART_DISC, MO_PART_POLYGON, MO_PART_SEGMENT, MO_PART_HALFPLANE } mo_part_kind;
typedef struct mo_part {
    mo_part_kind kind;
    uint32_t vertex_first, vertex_count; /* among the body's own vertices; disc: its centre, one vertex */
    double radius;                       /* disc, m */
    double normal[2], offset;            /* half-plane */
    int32_t chain_before, chain_after;   /* chain segments: vertex index of the neighbour's far end, or -1 */
} mo_part;

typedef struct mo_bodies {
    size_t count;
    const uint32_t *id;           /* [count], ascending */
    const double *q;              /* [3 count] x, y of the centre of mass, angle */
    const double *u;              /* [3 count] */
    const double *mass;           /* [count] kg, 0 for fixed and moved bodies */
    const double *inertia;        /* [count] kg m^2 */
    const double *origin;         /* [2 count] body origin in the frame of the centre of mass */
    const double *area;           /* [count] m^2 */
    const uint8_t *kind;          /* [count] mo_body_kind */
    const uint8_t *group;         /* [count] */
    const uint32_t *part_first;   /* [count] into parts */
    const uint32_t *part_count;   /* [count] */
    const uint32_t *vertex_first; /* [count] where the body's own vertices begin in vertices */
    const mo_part *parts;
    const double *vertices; /* x, y pairs */
    size_t created;         /* bodies ever created: the largest id */
} mo_bodies;

mo_bodies mo_world_bodies(const mo_world *world);
/* Slot of a body in the arrays of mo_bodies, or SIZE_MAX. */
size_t mo_world_slot(const mo_world *world, mo_body body);
/* Name of the body in a slot, "" when it has none. */
const char *mo_world_body_name(const mo_world *world, size_t slot);

typedef enum mo_contact_status { MO_CONTACT_OPEN, MO_CONTACT_STICK, MO_CONTACT_SLIDE } mo_contact_status;

/* The active contacts of the last step, ordered by (id1, part of body 1, id2, feature). Geometry at the
 * detection position. */
typedef struct mo_contacts {
    size_t count;
    const uint32_t *id1, *id2;     /* [count] bodies, id1 < id2 */
    const uint32_t *slot1, *slot2; /* [count] */
    const uint64_t *feature;       /* [count] which features touch; the same while the same features touch */
    const double *point;           /* [2 count] m */
    const double *normal;          /* [2 count] unit, toward body 1 */
    const double *gap;             /* [count] m */
    const double *impulse;         /* [2 count] S_N, S_T, N s, on body 1 */
    const double *velocity; /* [2 count] U_N, U_T at the end of the step, m/s, of body 1 relative to body 2 */
    const uint8_t *status;  /* [count] mo_contact_status */
    const uint16_t *law;    /* [count] number of the law, for mo_world_law */
} mo_contacts;

mo_contacts mo_world_contacts(const mo_world *world);

/* ---- what happened ---------------------------------------------------------------------- */

typedef struct mo_energy {
    double kinetic, potential;  /* J */
    double work_external;       /* J, since the start: loads, moving boundaries, bodies added, removed or set,
                                   position projection */
    double dissipated_friction; /* J, since the start */
    double dissipated_impact;   /* J, since the start */
    double balance_error;       /* kinetic + potential + dissipated - work_external - initial */
} mo_energy;

typedef struct mo_stage_seconds {
    double detect, assemble, solve, integrate; /* wall-clock, summed over steps */
} mo_stage_seconds;

typedef struct mo_world_info {
    double time; /* s, = steps * h */
    int64_t steps;
    double h;
    size_t bodies, contacts; /* in the world; active in the last step */
    mo_solver_info solver;   /* last step */
    int64_t iterations_total, contact_iterations_total, unconverged_steps;
    double worst_residual;
    double penetration;             /* m, deepest at the last detection */
    double max_penetration;         /* m, over the run */
    double start_overlap;           /* m, deepest overlap found at the start */
    int64_t fast_bodies;            /* times a body could have passed through another in one step */
    mo_body fast_body1, fast_body2; /* the first such pair */
    double fast_time;               /* s, when */
    mo_energy energy;
    mo_stage_seconds seconds;
    size_t bytes; /* memory held by the world */
} mo_world_info;

mo_world_info mo_world_info_get(const mo_world *world);

/* 64-bit hash of the state: time, ids, q, u and the impulses a restart needs. */
uint64_t mo_world_hash(const mo_world *world);

/* ---- restart ---------------------------------------------------------------------------- */

/* What a run file keeps beside bodies and contacts so that a resumed run gives the same bits. */
typedef struct mo_world_totals {
    int64_t steps, iterations_total, contact_iterations_total, unconverged_steps, fast_bodies;
    double worst_residual, max_penetration, start_overlap;
    double energy_initial, work_external, dissipated_friction, dissipated_impact;
    double penetration;
} mo_world_totals;

mo_world_totals mo_world_totals_get(const mo_world *world);

typedef struct mo_restart {
    mo_world_totals totals;
    size_t body_count;
    const uint32_t
        *id; /* [body_count] ascending; each must exist in the world; others in the world are removed */
    const double *q, *u;  /* [3 body_count] as in mo_bodies */
    const double *load;   /* [3 body_count] applied force and torque */
    const double *force;  /* [3 body_count] contact force and torque */
    size_t contact_count; /* contacts as in mo_contacts */
    const uint32_t *id1, *id2;
    const uint64_t *feature;
    const double *point, *normal, *gap, *impulse, *velocity;
    const uint8_t *status;
} mo_restart;

mo_status mo_world_restore(mo_world *world, const mo_restart *restart, mo_error *err);

/* Applied loads and contact forces as arrays for recording: [3 count] each, in slot order. */
const double *mo_world_loads(const mo_world *world);
const double *mo_world_forces(const mo_world *world);

/* A body as data alone, so that a run file can bring back bodies that the scene's chunk does not build. */
typedef struct mo_body_raw {
    uint32_t id;
    mo_body_kind kind; /* dynamic or fixed: motions, loads and radii given by functions cannot be kept */
    const char *group, *name;
    double mass, inertia, area;
    double origin[2];
    unsigned free;
    bool limited;             /* collides_with was given */
    uint64_t collides_groups; /* bit g: can touch group g */
    size_t part_count;
    const mo_part *parts;
    const double *vertices; /* [2 vertex_count] */
    size_t vertex_count;
    bool has_functions; /* motion, load or radius given by a function */
} mo_body_raw;

/* Pointers in `out` stay valid until the world is next changed. */
void mo_body_raw_get(const mo_world *world, size_t slot, mo_body_raw *out);
/* Creates the body with its own id, which must be larger than every id in the world; mo_world_restore then
   sets its state.  MO_BAD_INPUT when the data make no body. */
mo_status mo_body_restore(mo_world *world, const mo_body_raw *raw, mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
