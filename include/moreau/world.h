/*
 * Worlds: rigid bodies with contact and Coulomb friction, advanced by time stepping.
 *
 * Units: metres, kilograms, seconds, radians, newtons; in 2D everything per metre of depth.
 * Gap g >= 0 is feasible; the normal of a contact points toward its first body; U_N > 0
 * separates; S_N >= 0 pushes.  In 2D the tangent is the normal turned by +90 degrees; in 3D
 * mo_tangent gives the first one, t, and the second is n x t.
 *
 * Configuration of a body in 2D: q = (x, y, angle), x and y of the centre of mass; velocity
 * u = (vx, vy, spin).  In 3D: q = (x, y, z, qw, qx, qy, qz), a unit quaternion that turns the
 * axes the shape was given in; u = (vx, vy, vz, w1, w2, w3), the spin along the body's principal
 * axes (M99 §7.1), which mo_bodies.axes names.  Arrays handed out stay valid until the world is
 * next changed; those of mo_bodies, mo_world_loads and mo_world_forces also over steps, which write new
 * values into them, until a body is created or removed.
 */
#ifndef MOREAU_WORLD_H
#define MOREAU_WORLD_H

#include <moreau/base.h>
#include <moreau/law.h>
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
    MO_SHAPE_COMPOUND, /* in 2D and in 3D */
    /* 3D */
    MO_SHAPE_SPHERE,
    MO_SHAPE_BOX,
    MO_SHAPE_CYLINDER,
    MO_SHAPE_CAPSULE,
    MO_SHAPE_CONVEX,
    MO_SHAPE_PLANE,
    MO_SHAPE_MESH,
} mo_shape_kind;

typedef struct mo_shape_def mo_shape_def;

typedef struct mo_shape_child {
    const mo_shape_def *shape;
    double position[3];    /* m, in the compound's frame; two numbers in 2D */
    double angle;          /* rad, 2D */
    double orientation[4]; /* 3D: unit quaternion w, x, y, z; all zero: none */
} mo_shape_child;

struct mo_shape_def {
    mo_shape_kind kind;
    double radius;        /* disc, sphere, cylinder, capsule, m */
    double size[3];       /* rectangle: width and height; box: lengths along x, y, z, m */
    double height;        /* cylinder: along its axis z; capsule: between the centres of its ends, m */
    const double *points; /* polygon (convex, either orientation), segment (2), chain (>= 2): x, y pairs;
                             convex (its hull is taken), mesh: x, y, z triples, m */
    size_t point_count;
    const uint32_t *triangles; /* mesh: three point numbers each, in the same sense seen from one side */
    size_t triangle_count;
    double normal[3];               /* half-plane, plane: solid where normal.x <= offset; any length > 0 */
    double offset;                  /* m (after the normal is made unit, offset is divided too) */
    const mo_shape_child *children; /* compound of discs, rectangles, polygons and segments; in 3D of
                                       spheres, boxes, cylinders, capsules and convex hulls */
    size_t child_count;
};

/* Points and triangles as mo_shape_def takes them for MO_SHAPE_MESH. */
typedef struct mo_mesh {
    double *points; /* [3 point_count] m */
    size_t point_count;
    uint32_t *triangles; /* [3 triangle_count] */
    size_t triangle_count;
} mo_mesh;

/* Reads an STL (binary or text) or OBJ file, told by the ending of its name; corners that coincide are made
   one.  MO_IO: no regular file that can be read; MO_BAD_FILE: anything unsound, with the line or byte. */
mo_status mo_mesh_read(const char *path, mo_mesh *out, mo_error *err);
void mo_mesh_free(mo_mesh *mesh);

/* ---- bodies ---------------------------------------------------------------------------- */

typedef enum mo_body_kind {
    MO_BODY_DYNAMIC,
    MO_BODY_FIXED,
    MO_BODY_MOVED, /* prescribed motion */
} mo_body_kind;

/* Freedoms of a body, for mo_body_def.free; those of the other dimension do not count. */
enum {
    MO_FREE_X = 1,
    MO_FREE_Y = 2,
    MO_FREE_ANGLE = 4, /* 2D */
    MO_FREE_Z = 8,     /* 3D */
    MO_FREE_WX = 16,   /* 3D: spin about the world's axes */
    MO_FREE_WY = 32,
    MO_FREE_WZ = 64,
    MO_FREE_ALL = 127
};

/* Prescribed configuration of a body's origin at time t and its exact time derivative. */
typedef struct mo_motion {
    double q[7]; /* 2D: x, y, angle; 3D: x, y, z and a unit quaternion w, x, y, z */
    double u[6]; /* 2D: d/dt; 3D: velocity, and spin in world axes */
} mo_motion;

/* Callbacks return MO_OK, or another status with err filled: the step then fails with it. */
typedef mo_status (*mo_motion_fn)(void *data, double t, mo_motion *out, mo_error *err);
/* load: 2D: force and torque [3]; 3D: force and torque [6], world axes */
typedef mo_status (*mo_load_fn)(void *data, double t, double *load, mo_error *err);
/* radius of a disc or sphere and its derivative */
typedef mo_status (*mo_radius_fn)(void *data, double t, double *radius, double *rate, mo_error *err);

typedef struct mo_body_def {
    mo_shape_def shape;
    mo_body_kind kind;
    double density;        /* kg/m^2 (3D: kg/m^3); exactly one of density and mass for dynamic bodies, 0: not
                              given */
    double mass;           /* kg */
    double inertia;        /* 2D: kg m^2 about the centre of mass; 0: from the geometry */
    double inertia3[3];    /* 3D: about the axes the shape is given in, which are taken as principal; 0: from
                              the geometry */
    const char *group;     /* NULL: "default" */
    const char *name;      /* NULL: none */
    double position[3];    /* m */
    double angle;          /* rad, 2D */
    double orientation[4]; /* 3D: quaternion w, x, y, z, of any length; all zero: none */
    double velocity[3];    /* m/s */
    double spin;           /* rad/s, 2D */
    double spin3[3];       /* rad/s, 3D, world axes */
    unsigned free;         /* MO_FREE_ bits kept */
    bool keep_origin; /* keep the points where given instead of moving their centre of mass to position */
    const char *const *collides_with; /* groups this body can touch; NULL: all */
    size_t collides_with_count;
    double applied_force[3];   /* N, at the centre of mass, world axes */
    double applied_torque;     /* N m, 2D */
    double applied_torque3[3]; /* N m, 3D, world axes */
    mo_load_fn load;           /* replaces applied_force and applied_torque when given */
    void *load_data;
    mo_motion_fn motion; /* for MO_BODY_MOVED */
    void *motion_data;
    mo_radius_fn radius; /* time-dependent disc or sphere */
    void *radius_data;
} mo_body_def;

mo_body_def mo_default_body_def(void);

/* ---- the world ------------------------------------------------------------------------- */

typedef enum mo_scheme {
    MO_SCHEME_MOREAU,            /* midpoint contact dynamics, M99 §8.3 */
    MO_SCHEME_MOREAU_JEAN,       /* theta-scheme */
    MO_SCHEME_BERNICOT_LEFEBVRE, /* g + h grad g.u >= 0 with g at the end's time and the start's place, BL10
                                  */
} mo_scheme;

typedef enum mo_overlap {
    MO_OVERLAP_REPORT,  /* start all the same; mo_world_info.start_overlap says how deep */
    MO_OVERLAP_RESOLVE, /* project positions apart before the first step */
    MO_OVERLAP_REFUSE,  /* the first step returns MO_BAD_INPUT */
} mo_overlap;

typedef struct mo_world_def {
    int dim;           /* 2 or 3 */
    double h;          /* time step, s, > 0 */
    double gravity[3]; /* m/s^2 */
    mo_scheme scheme;
    double theta; /* moreau-jean, in [0.5, 1] */
    mo_solver_settings solver;
    double contact_tolerance; /* m; negative: 1e-6 of the smaller body's size, at most 1e-8 m */
    bool position_projection;
    bool sleeping; /* islands of bodies that have rested for a while are not solved for until something
                      disturbs them (docs/theory/contact.md §8); nothing sleeps with bernicot-lefebvre or in
                      a cell that deforms */
    mo_overlap overlap;
    int threads;                     /* >= 1; results do not depend on it */
    bool periodic[3];                /* along these axes there is a periodic cell ... */
    double cell_min[3], cell_max[3]; /* ... from here to there, m */
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
/* The same body, as it is, in another world of the same dim; groups go by their names.  MO_USAGE: it is not
   in `from`; MO_BAD_INPUT: it has a motion, load or radius given by a function. */
mo_status mo_body_copy(mo_world *world, const mo_world *from, mo_body body, mo_body *out, mo_error *err);
/* MO_USAGE when the body is not in the world. */
mo_status mo_body_remove(mo_world *world, mo_body body, mo_error *err);
bool mo_body_exists(const mo_world *world, mo_body body);

/*
 * One step h.  Numerical outcomes are in mo_world_info, not in the status.  A step that fails has not
 * happened: bodies, totals and warm start are as before it (contacts are known again after the next step).
 * MO_STOPPED: the solver's stop said so.
 */
mo_status mo_world_step(mo_world *world, mo_error *err);

/*
 * Takes the energy that balances refer to: from here on what is set, added or removed counts as work, and so
 * does what moving overlapping bodies apart costs.  Without this the first step does it, after the overlaps;
 * nothing in a world that has made steps.
 */
void mo_world_begin(mo_world *world);

/* Everything a body is, at the end of the last step. Positions are of the body's origin. */
typedef struct mo_body_state {
    mo_body_kind kind;
    double position[3], velocity[3];
    double angle, spin;              /* 2D */
    double orientation[4], spin3[3]; /* 3D; world axes */
    double mass, inertia, inertia3[3];
    double applied_force[3], applied_torque, applied_torque3[3];
    double force[3], torque, torque3[3]; /* of all contacts on it, averaged over the last step;
                                            torque about the centre of mass */
    const char *group, *name;            /* name is "" when it has none */
} mo_body_state;

mo_status mo_body_get(const mo_world *world, mo_body body, mo_body_state *out, mo_error *err);
/* Sets position (of the origin), angle, velocity, spin and applied loads; the rest is ignored. Dynamic bodies
   only; for a body with fixed freedoms the velocity along them must be zero. */
mo_status mo_body_set(mo_world *world, mo_body body, const mo_body_state *state, mo_error *err);

/* Sets the applied loads of a dynamic body alone: force and torque as in mo_body_state, [3] or [6]. */
mo_status mo_body_set_load(mo_world *world, mo_body body, const double *load, mo_error *err);
/* From now on the loads of a dynamic body are what the function gives, as mo_body_def.load; NULL: none, and
   they stay as they are. */
mo_status mo_body_set_load_function(mo_world *world, mo_body body, mo_load_fn load, void *load_data,
                                    mo_error *err);
/* From now on a dynamic body keeps the freedoms `free` (MO_FREE_ bits); along its translations that are not
   free it moves with `velocity` ([dim], m/s), whatever touches it.  What that needs is work of the outside.
   Spins cannot be freed or held anew. */
mo_status mo_body_set_free(mo_world *world, mo_body body, unsigned free, const double *velocity,
                           mo_error *err);

/* ---- the cell ------------------------------------------------------------------------------ */

/*
 * In a world with a periodic cell what stands at x stands at x + (whole numbers of) edges too: bodies that
 * leave on one side enter on the other, and touch through the faces (docs/theory/periodic.md).  Along its
 * axes a cell can deform, with the velocity gradient L of the mean flow: edges change by L times them, and
 * velocities of bodies, here and everywhere, are those beside L (x - origin).
 */
typedef struct mo_cell {
    bool periodic[3];
    double origin[3]; /* m, a corner, which stays where it is */
    double edges[9]; /* m, row by row: column k is the edge along axis k; a unit vector where there is none */
    double rate[9];  /* L, row by row, 1/s, at the end of the last step */
    double volume;   /* m^3, in 2D m^2; edges that are no period count as 1 */
} mo_cell;

/* Of a world without a cell: nothing is periodic. */
mo_cell mo_world_cell(const mo_world *world);

/* How the cell deforms from now on: each component of L is given, or obeys a stress. */
typedef struct mo_cell_control {
    bool by_stress[9]; /* row by row, as everything here; in 2D the components with a z do not count */
    double rate[9];    /* 1/s, of the others */
    double stress[9];  /* Pa (N/m in 2D), compression positive */
    double mass; /* kg m^2, inertia of L against stresses; 0: 2 Σ m d^2 over the bodies, d their diameters */
    double damping; /* 1/s: rate at which L decays by itself, >= 0 */
} mo_cell_control;

/* MO_USAGE unless the world has a cell; MO_BAD_INPUT for components along axes without period, and when it is
 * to deform while it holds bodies that are neither dynamic nor planes, joints to others than dynamic bodies,
 * or joints and a stress.  Along axes without period stresses are over the box around the dynamic bodies. */
mo_status mo_world_control_cell(mo_world *world, const mo_cell_control *control, mo_error *err);
mo_cell_control mo_world_cell_control(const mo_world *world);

/* ---- joints ------------------------------------------------------------------------------ */

/* A joint's name for life, like that of a body; 0 is null. */
typedef struct mo_joint {
    uint32_t id;
} mo_joint;

typedef enum mo_joint_kind {
    MO_JOINT_HINGE,    /* 2D: a point; 3D: a point and an axis in common */
    MO_JOINT_BALL,     /* a point in common */
    MO_JOINT_SLIDER,   /* motion along an axis only */
    MO_JOINT_FIXED,    /* no relative motion */
    MO_JOINT_DISTANCE, /* two points at a given distance, or, with limits, between two distances */
    MO_JOINT_SPRING,   /* two points, force stiffness (length - its rest) + damping d/dt length */
} mo_joint_kind;

/* Everything in world axes at the present positions.  Angles and ways are those of body 1 relative to
   body 2, 0 at the positions where the joint is made; impulses and moments act on body 1. */
typedef struct mo_joint_def {
    mo_joint_kind kind;
    mo_body body1, body2; /* at least one dynamic; body2 null: the world */
    double at[3];         /* m; distance, spring: the point of body 1 */
    double at2[3];        /* m; distance, spring: the point of body 2 */
    double axis[3];       /* slider, 3D hinge: direction, any length > 0 */
    double length;        /* m; distance, spring: at rest; negative: as it is */
    bool limited;         /* hinge, slider, distance: the angle, way or distance stays within limits */
    double limits[2];     /* rad or m, low <= high; +-HUGE_VAL: none on that side.  3D hinge: in [-pi, pi] */
    bool driven;          /* hinge, slider: a motor */
    double speed, max_load;    /* rad/s or m/s; N m or N >= 0 */
    double stiffness, damping; /* spring: N/m, N s/m; >= 0, not both 0 */
    bool collide;              /* contacts between the two bodies are looked for all the same */
} mo_joint_def;

mo_joint_def mo_default_joint_def(void);

mo_status mo_joint_create(mo_world *world, const mo_joint_def *def, mo_joint *out, mo_error *err);
/* MO_USAGE when the joint is not in the world.  Joints of a removed body go with it. */
mo_status mo_joint_remove(mo_world *world, mo_joint joint, mo_error *err);
bool mo_joint_exists(const mo_world *world, mo_joint joint);

typedef struct mo_joint_state {
    mo_joint_kind kind;
    mo_body body1, body2;
    double point[3];        /* m: the joint's point on body 1 */
    double force[3];        /* N, on body 1, averaged over the last step */
    double torque[3];       /* N m, likewise, about the joint's point; 2D: in the first place */
    double value, rate;     /* hinge: angle; slider: way; distance, spring: length; and d/dt; else 0 */
    double motor, max_load; /* N m or N: of the motor alone in the last step; at most */
} mo_joint_state;

mo_status mo_joint_get(const mo_world *world, mo_joint joint, mo_joint_state *out, mo_error *err);
/* Another speed and largest load of a driven joint. */
mo_status mo_joint_drive(mo_world *world, mo_joint joint, double speed, double max_load, mo_error *err);
size_t mo_world_joint_count(const mo_world *world);

/* A joint as data alone, for run files and pictures. */
typedef struct mo_joint_raw {
    uint32_t id;
    mo_joint_kind kind;
    uint32_t body[2];    /* ids; the second 0: the world */
    double anchor[2][3]; /* m: its points in the frames of the bodies' centres of mass, along the axes of q */
    double axis[3];      /* slider, 3D hinge: unit, in the first body's axes; else 0 */
} mo_joint_raw;

/* The joint at a place < mo_world_joint_count; ids rise. */
void mo_joint_raw_get(const mo_world *world, size_t place, mo_joint_raw *out);

/* ---- bulk access ------------------------------------------------------------------------ */

/* One convex piece of a body, in the frame of its centre of mass (its origin for fixed and moved bodies). */
typedef enum mo_part_kind {
    MO_PART_DISC,
    MO_PART_POLYGON,
    MO_PART_SEGMENT,
    MO_PART_HALFPLANE,
    /* 3D */
    MO_PART_SPHERE,     /* one vertex and a radius */
    MO_PART_CAPSULE,    /* two vertices and a radius */
    MO_PART_CYLINDER,   /* two vertices, the centres of its flat ends, and a radius */
    MO_PART_POLYHEDRON, /* vertices and faces */
    MO_PART_TRIANGLE,   /* three vertices, then the far vertices of its neighbours across edges 01, 12, 20 */
    MO_PART_PLANE,
} mo_part_kind;

typedef struct mo_part {
    mo_part_kind kind;
    uint32_t vertex_first, vertex_count; /* among the body's own vertices; disc, sphere: its centre */
    double radius;                       /* disc, sphere, capsule, cylinder, m */
    double normal[3], offset;            /* half-plane, plane: solid where normal.x <= offset */
    union {
        struct {
            int32_t before, after; /* segments of a chain: vertex index of the neighbour's far end, or -1 */
        } chain;
        struct {
            uint32_t first, count; /* polyhedron: where its faces begin among the body's own, how many */
        } face;
        uint32_t neighbours; /* triangle: bit k: there is a neighbour across edge k, with a far vertex */
    } link;
} mo_part;

/*
 * Faces of polyhedra, as a body's own stream of numbers: for each face the number of its corners, then the
 * corners, counter-clockwise seen from outside, as vertex numbers within the part (0 is vertex_first).
 */

typedef struct mo_bodies {
    int dim;
    size_t count;
    const uint32_t *id;           /* [count], ascending */
    const double *q;              /* [3 count] or [7 count] */
    const double *u;              /* [3 count] or [6 count]; spins as mo_body_raw.oriented says */
    const double *mass;           /* [count] kg, 0 for fixed and moved bodies */
    const double *inertia;        /* [count] kg m^2, or [3 count] along the principal axes */
    const double *axes;           /* [4 count], 3D: quaternion that turns principal axes into those of q */
    const double *origin;         /* [dim count] body origin in the frame of the centre of mass */
    const double *area;           /* [count] m^2, or volume, m^3 */
    const uint8_t *kind;          /* [count] mo_body_kind */
    const uint8_t *group;         /* [count] */
    const uint32_t *part_first;   /* [count] into parts */
    const uint32_t *part_count;   /* [count] */
    const uint32_t *vertex_first; /* [count] where the body's own vertices begin in vertices */
    const uint32_t *face_first;   /* [count] where the body's own faces begin in faces */
    const mo_part *parts;
    const double *vertices; /* x, y pairs or x, y, z triples */
    const uint32_t *faces;
    size_t created; /* bodies ever created: the largest id */
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
    const double *point;           /* [dim count] m */
    const double *normal;          /* [dim count] unit, toward body 1 */
    const double *gap;             /* [count] m */
    const double *impulse;         /* [dim count] along n, t (and n x t), N s, on body 1 */
    const double
        *velocity; /* [dim count] likewise, at the end of the step, m/s, of body 1 relative to body 2 */
    const uint8_t *status; /* [count] mo_contact_status */
    const uint16_t *law;   /* [count] number of the law, for mo_world_law */
    const double *memory;  /* [count] what laws with memory keep: gluey: minus the impulse that is to be paid
                              back, N s; NULL: no law has any */
} mo_contacts;

mo_contacts mo_world_contacts(const mo_world *world);
/* The first tangent of a contact in 3D: a function of the unit normal alone. */
void mo_tangent(const double normal[3], double tangent[3]);

/* ---- the step problem -------------------------------------------------------------------- */

/* Whether the steps that follow keep their contact problem; such steps allocate.  false drops what is kept.
 */
void mo_world_keep_problem(mo_world *world, bool keep);

/*
 * The contact problem (moreau/problem.h) that the last step with mo_world_keep_problem solved: U = W S + q
 * with W = G A^-1 G*, q = G u_free + shift, the shift being what restitution and moving boundaries add;
 * contacts in the order of mo_contacts and along their axes (with two frictions along the law's), without
 * those of bodies that sleep.  mo_problem_solve of it is the solve of the step.  r, u (may be NULL): the
 * step's answer S and U = W S + q, [dim contacts], N s and m/s.  With the scheme bernicot-lefebvre these are
 * before restitution, which multiplies impulses by 1 + e there.  With cohesion or glue S is S + h c n or
 * S - gamma n, with two frictions the second tangent is scaled (docs/theory/laws.md); in a cell under
 * stresses W has their part too (docs/theory/periodic.md), and is full.  NULL when there is none:
 * mo_world_no_problem tells why.
 */
struct mo_problem;
const struct mo_problem *mo_world_problem(const mo_world *world, const double **r, const double **u);
/*
 * Why the last step kept no problem although it was to: joints, resistance to rolling or spinning, a
 * threshold or a registered law, more than 1500 contacts in a cell under stresses.  NULL: it has kept one, or
 * was not to.
 */
const char *mo_world_no_problem(const mo_world *world);

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
    size_t asleep;           /* bodies that slept in the last step */
    mo_solver_info solver;   /* last step */
    int64_t iterations_total, contact_iterations_total, unconverged_steps;
    double worst_residual;
    double penetration;             /* m, deepest at the last detection */
    double max_penetration;         /* m, over the run */
    double start_overlap;           /* m, deepest overlap found at the start */
    double overlap_left;            /* m, what was left of it where there was no room to resolve it, else 0 */
    int64_t fast_bodies;            /* times a body could have passed through another in one step */
    mo_body fast_body1, fast_body2; /* the first such pair */
    double fast_time;               /* s, when */
    mo_energy energy;
    double largest_gain; /* J, most energy that the contacts of one step added, since the start or since a
                            restart; 0: none.  Of the size of an impact with friction and unequal restitutions
                            only (Kane), else O(h²): docs/theory/contact.md */
    double gain_time;    /* s, when that step ended */
    double joints_apart; /* worst that a joint missed at the end of a step, of its reach or in rad, where that
                            was above 1e-3: such steps count as unconverged.  Since the start or a restart */
    double apart_time;   /* s, when that was so for the first time */
    int64_t unheld_steps; /* steps that converged only because impulses grew, to which the residual is
                             relative, while contacts closed as fast as without any: boundaries that leave no
                             room, or too large a tolerance.  0 unless they closed by 1e-3 of the smallest
                             body's size in all.  Since the start or a restart */
    double unheld_time;   /* s, when that was so for the first time */
    double leap;       /* m, farthest that a moved body went in a step of which its velocities tell nothing:
                          what it touches was not taken along.  0: none.  Since the start or a restart */
    mo_body leap_body; /* the first that did */
    double leap_time;  /* s, when that step ended */
    mo_joint blocked_joint; /* the first whose motor, of no largest load, ran against its limit in a step that
                               did not converge for it; 0: none.  Since the start or a restart */
    double blocked_time;    /* s, when that step ended */
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
    const double *q, *u;  /* as in mo_bodies */
    const double *load;   /* [3 body_count] or [6 body_count] applied force and torque, world axes */
    const double *force;  /* likewise contact force and torque */
    size_t contact_count; /* contacts as in mo_contacts */
    const uint32_t *id1, *id2;
    const uint64_t *feature;
    const double *point, *normal, *gap, *impulse, *velocity;
    const uint8_t *status;
    const double *memory;       /* as in mo_contacts; NULL: all 0 */
    const uint32_t *rest;       /* [body_count] as mo_world_rests tells; NULL: all 0 */
    const double *edges, *rate; /* as in mo_cell, [9] each; NULL: as they are */
    const double *radius; /* [body_count] m, of bodies whose radius is a function of time; others are not
                             looked at.  NULL: as they are */
} mo_restart;

mo_status mo_world_restore(mo_world *world, const mo_restart *restart, mo_error *err);

/* Applied loads and contact forces as arrays for recording: [3 count] or [6 count] each, in slot order.  The
   array of loads is made when somebody has one or it is asked for: NULL when there is no memory for it. */
const double *mo_world_loads(const mo_world *world);
const double *mo_world_forces(const mo_world *world);
/* Steps that each body has rested for, up to those after which it may sleep and one more when it does,
   [count] in slot order; NULL in a world without sleeping. */
const uint32_t *mo_world_rests(const mo_world *world);

/* A body as data alone, so that a run file can bring back bodies that the scene's chunk does not build. */
typedef struct mo_body_raw {
    uint32_t id;
    mo_body_kind kind; /* dynamic or fixed: motions, loads and radii given by functions cannot be kept */
    const char *group, *name;   /* NULL as in mo_body_def */
    double mass, inertia, area; /* area: volume in 3D */
    double inertia3[3];         /* 3D: along the principal axes */
    double axes[4];             /* 3D: as in mo_bodies */
    double origin[3];
    unsigned free;
    bool limited;             /* collides_with was given */
    uint64_t collides_groups; /* bit g: can touch group g */
    size_t part_count;
    const mo_part *parts;
    const double *vertices; /* [dim vertex_count] */
    size_t vertex_count;
    const uint32_t *faces; /* [face_length] 3D: see mo_part */
    size_t face_length;
    double extent[3]; /* 3D: radius of a sphere about the centre of mass that holds the body, inradius of its
                         thickest part, its least extent, m; the first 0: to be found from the parts */
    bool oriented;    /* 3D: the spin in u is along the principal axes; of other bodies, balls, along the
                         world's */
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
