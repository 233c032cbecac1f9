/*
 * The bodies of a world as parallel arrays, in order of creation; ids ascend with the slot and are never used
 * again.
 */
#ifndef DYNAMICS_BODIES_H
#define DYNAMICS_BODIES_H

#include <moreau/world.h>

#include "core/arena.h"
#include "shape/shape.h"
#include "shape/solid.h"

typedef struct bodies {
    size_t dim, nq, nu; /* 2, 3, 3 or 3, 7, 6: numbers in a position, in q, in u */
    size_t ni;          /* inertias of a body: 1 or 3 */
    size_t count, capacity;
    uint32_t *id;  /* [count] ascending */
    double *q, *u; /* [nq count], [nu count]: see moreau/world.h */
    double *inv; /* [3 count] 2D: diagonal of A⁻¹; 3D: of its first three, the rest follows from inertia; 0
                    along freedoms that are not free and for boundaries */
    double *mass;      /* [count] kg, 0 for boundaries */
    double *inertia;   /* [ni count] kg m² */
    double *axes;      /* [4 count] 3D: quaternion that turns principal axes into those of q */
    double *load;      /* [nu count] applied force and torque, N, N m; NULL: nobody has any */
    double *force;     /* [nu count] of all contacts, averaged over the last step; written by integrate */
    double *origin;    /* [dim count] body origin in the frame of the centre of mass, m */
    double *area;      /* [count] m², m³ in 3D */
    double *radius;    /* [count] bounding circle or sphere about the centre of mass, m */
    double *thickness; /* [count] m, see shape.h */
    double *size;      /* [count] m, see shape.h */
    uint64_t *touches; /* [count] bit g: can touch group g */
    uint32_t *part_first, *part_count;     /* [count] */
    uint32_t *vertex_first, *vertex_count; /* [count]; neighbours with equal vertices share them */
    uint32_t *face_first, *face_length;    /* [count] 3D */
    uint32_t *name;                        /* [count] offset into names, 0: none */
    uint8_t *kind, *group, *free;          /* [count] */
    uint8_t *limited;                      /* [count] collides_with was given */
    uint8_t *lone;                         /* [count] a single disc or sphere about its centre of mass */
    uint8_t *oriented;                     /* [count] 3D: spins are along principal axes; else, of balls,
                                              along the world's */
    uint32_t
        *rest; /* [count] steps that the body has rested for (dynamics/sleep.h); 0 where nothing sleeps */

    mo_part *parts; /* vertex numbers count from the body's vertex_first */
    size_t part_total, part_capacity;
    double *vertices; /* [dim vertex_total] */
    size_t vertex_total, vertex_capacity;
    uint32_t *faces; /* [face_total] 3D: see mo_part */
    size_t face_total, face_capacity;
    char *names; /* [name_total] zero-terminated, the first one empty */
    size_t name_total, name_capacity;

    uint32_t created; /* largest id given so far */

    const uint64_t
        *apart; /* [apart_count] pairs of slots (low << 32 | high) that never touch, rising; lent */
    size_t apart_count;
    const struct periodic_cell *cell; /* lent; NULL: none */

    struct body_functions
        *functions; /* [function_count] bodies with motion, load or radius by function, by slot */
    size_t function_count, function_capacity;
} bodies;

/* What a user gave as functions of time. */
typedef struct body_functions {
    uint32_t slot;
    mo_motion_fn motion;
    void *motion_data;
    mo_load_fn load;
    void *load_data;
    mo_radius_fn radius;
    void *radius_data;
    mo_motion end;     /* at the end of the step; written by predict */
    double end_radius; /* likewise, m */
    double rate;       /* of the radius at mid step, m/s; likewise */
} body_functions;

/* Strides for a world of the given dimension. */
void bodies_init(bodies *b, int dim);

/* A⁻¹ from the masses and from what is free. */
void body_set_inverse(bodies *b, size_t slot);

/* Makes r the radius of the body's disc or sphere. */
void body_set_radius(bodies *b, size_t slot, double r);

/* Calls a function of f at time t; refuses what is not finite and radii that are not positive. */
mo_status body_motion_at(const bodies *b, const body_functions *f, double t, mo_motion *out, mo_error *err);
mo_status body_radius_at(const bodies *b, const body_functions *f, double t, double *radius, double *rate,
                         mo_error *err);

/* Whether some radius depends on time. */
bool bodies_grow(const bodies *b);

/* What a body takes over from its shape, of either dimension. */
typedef struct built_shape {
    const mo_part *parts;
    size_t part_count;
    const double *vertices; /* [dim vertex_count] */
    size_t vertex_count;
    const uint32_t *faces;
    size_t face_length;
    double com[3], axes[4], area, gyration[3]; /* see solid.h; gyration[0] in 2D */
    double radius, thickness, size;
} built_shape;

/* Adds a body whose shape was built; group and touches are resolved. On failure nothing has changed. */
mo_status bodies_add(bodies *b, const mo_body_def *def, const built_shape *s, uint8_t group, uint64_t touches,
                     size_t *slot, mo_error *err);
/* Adds a body from raw data. */
mo_status bodies_add_raw(bodies *b, const mo_body_raw *raw, uint8_t group, size_t *slot, mo_error *err);
/* Removes the body in a slot; those after it move down by one. */
void bodies_remove(bodies *b, size_t slot);
/* The loads, of 0 where there were none; NULL: no memory. */
double *bodies_loads(bodies *b);
/* Load of a body, [nu]. */
static inline const double *body_load(const bodies *b, size_t slot)
{
    static const double NONE[6] = {0};
    return b->load != NULL ? &b->load[b->nu * slot] : NONE;
}
/* The load that a body starts with. */
void body_first_load(const bodies *b, const mo_body_def *def, double out[6]);
/* Room for the loads if this one, [nu], is not 0 or functions will give some; false: no memory. */
bool bodies_reserve_load(bodies *b, const double *load, bool by_function);
/* Makes it another; false: no memory. */
bool body_set_load(bodies *b, size_t slot, const double *load);
/* Slot of an id, or SIZE_MAX. */
size_t bodies_slot(const bodies *b, uint32_t id);
/* Functions of a slot, or NULL. */
body_functions *bodies_functions(const bodies *b, size_t slot);
/* The load of a slot by a function from now on, NULL: none; false: no memory. */
bool bodies_set_load_function(bodies *b, size_t slot, mo_load_fn load, void *data);
/* What a step changes of bodies before it is sure to be made. */
typedef struct bodies_before {
    uint32_t *rest; /* [count]; NULL: nothing sleeps */
    double *given;  /* [nu + 1] for each body with functions: load and radius */
} bodies_before;
/* Keeps that in the arena, and puts it back; false: no memory. */
bool bodies_keep(const bodies *b, bool sleeping, arena *mem, bodies_before *out);
void bodies_put_back(bodies *b, const bodies_before *before);
void bodies_free(bodies *b);
size_t bodies_bytes(const bodies *b);

/* Kinetic and potential energy of one body, J. */
double body_kinetic(const bodies *b, size_t slot);
double body_potential(const bodies *b, size_t slot, const double gravity[3]);

/* World position of the body's origin, [dim]. */
void body_origin(const bodies *b, size_t slot, double *out);
/* Puts the centre of mass where the origin comes to lie at p with the body's present angle or orientation. */
void body_place_origin(bodies *b, size_t slot, const double *p);

/* 3D: spin in world axes of a body with the configuration q, and back. */
void body_spin_world(const bodies *b, size_t slot, const double *q, const double w[3], double out[3]);
void body_spin_principal(const bodies *b, size_t slot, const double *q, const double world[3], double out[3]);
/* 3D: inverse inertia in world axes (xx, xy, xz, yy, yz, zz) at the configuration q, of the free spins alone.
 */
void body_inverse_inertia(const bodies *b, size_t slot, const double *q, double out[6]);
/* A single disc or sphere about the centre of mass that has the same inertia about all axes. */
static inline bool body_is_round(const bodies *b, size_t slot)
{
    const double *I = &b->inertia[b->ni * slot];
    return b->lone[slot] && (b->dim == 2 || (I[0] == I[1] && I[1] == I[2]));
}
/* 3D: free rotation during t of the configuration q and spin w, as u has it. */
void body_rotate(const bodies *b, size_t slot, double t, double *q, double w[3]);
/* 3D: turns q by the rotation vector `turn`, world axes, with held spins by its part along the spin; the spin
   w stays as u has it. */
void body_turn_by(const bodies *b, size_t slot, const double turn[3], double *q, const double w[3]);

#endif
