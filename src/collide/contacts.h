/*
 * The contacts of one detection as parallel arrays, ordered by (id1, part of body 1, id2, feature), and the
 * memory of the last step's impulses.
 */
#ifndef COLLIDE_CONTACTS_H
#define COLLIDE_CONTACTS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

#include "core/arena.h"
#include "core/parallel.h"

typedef struct contact_set {
    size_t dim; /* 2 or 3 */
    size_t count, capacity;
    uint32_t *slot1, *slot2; /* [count] */
    uint32_t *id1, *id2;     /* [count] of the bodies, id1 < id2 */
    uint64_t
        *feature;   /* [count] part of 1 (20 bits), part of 2 (20 bits), feature of the manifold (24 bits) */
    double *point;  /* [dim count] m */
    double *normal; /* [dim count] unit, toward body 1 */
    double *gap;    /* [count] m */
    double *image;  /* [dim count] if periodic: body 2 stands that far from its position, m */
    bool periodic;  /* the world has a cell; otherwise image is neither written nor read */

    double *S;       /* [dim count] impulse; written by warm start, then solve */
    double *U;       /* [dim count] velocity at the end of the step; written by integrate */
    uint16_t *law;   /* [count] number of the pair's law; written by assemble */
    uint8_t *status; /* [count] mo_contact_status; that of the last step by recall, then by integrate */
    double *memory;  /* [count] of laws that have one; that of the last step by recall, then by integrate */
    bool remembers;  /* some law has a memory; otherwise there is none */
} contact_set;

/* Room for `need` contacts; false: no memory. */
bool contacts_reserve(contact_set *c, size_t need);
/* Whether contacts remember from now on, with nothing at first; false: no memory. */
bool contacts_remember(contact_set *c, bool remembers);
/* Drops the contacts that keep refuses, in order. */
void contacts_filter(contact_set *c, bool (*keep)(const contact_set *c, size_t i, const void *data),
                     const void *data);
/* The contacts which[count] of c, rising, into out.  false: no memory. */
bool contacts_pick(const contact_set *c, const uint32_t *which, size_t count, contact_set *out);
/* Takes the contacts of another list, which has none of those of c, into c, in order.  false: no memory. */
bool contacts_merge(contact_set *c, const contact_set *more);
/* What a step writes, S, U, law, status and memory, of picked contacts back to where they were taken from. */
void contacts_put_back(const contact_set *picked, const uint32_t *which, contact_set *c);
void contacts_free(contact_set *c);
size_t contacts_bytes(const contact_set *c);

/* r: from the centre of mass of body 1 (side 0) or 2 (side 1), at q, to contact i. */
static inline void contact_arm(const contact_set *c, size_t dim, size_t i, int side, const double *q,
                               double *r)
{
    for (size_t k = 0; k < dim; k++)
        r[k] = c->point[dim * i + k] - q[k];
    for (size_t k = 0; c->periodic && side == 1 && k < dim; k++)
        r[k] -= c->image[dim * i + k];
}

/* First tangent of a contact in 3D for the unit normal n. */
static inline void tangent_of(const double n[3], double t[3])
{
    vec3_across(n, t);
}

/* The second tangent, n x t. */
static inline void contact_frame(const double n[3], double t[3], double s[3])
{
    tangent_of(n, t);
    s[0] = n[1] * t[2] - n[2] * t[1];
    s[1] = n[2] * t[0] - n[0] * t[2];
    s[2] = n[0] * t[1] - n[1] * t[0];
}
/* Impulse or velocity of a contact from its own axes to the world's; dim 2 or 3. */
void contact_to_world(size_t dim, const double *n, const double *S, double *out);
static inline void contact_to_world2(const double n[2], const double S[2], double out[2])
{
    const double N = S[0], T = S[1];
    out[0] = n[0] * N - n[1] * T;
    out[1] = n[1] * N + n[0] * T;
}

/* What a step needs of the last one while it finds its own contacts; in the arena. */
typedef struct contact_memory {
    size_t dim; /* 2 or 3 */
    size_t count;
    uint32_t *slot1, *slot2; /* [count] */
    uint64_t *feature;       /* [count] */
    double *S;       /* [dim count] 2D: S_N, S_T; 3D: in world axes, since tangents turn with the normal */
    uint8_t *status; /* [count] */
    double *memory;  /* [count] if remembers */
    bool remembers;
} contact_memory;

/* Copies keys, impulses, status and memory of c, in its order. false: no memory. */
bool memory_take(contact_memory *m, const contact_set *c, arena *a, pool *threads);
/* Whether a contact is in m.  *at: where it should be; becomes its number, or that of the next one. */
bool memory_find(const contact_memory *m, size_t *at, uint32_t slot1, uint32_t slot2, uint64_t feature);
/* S, status and memory of every contact that was there before, 0 for new ones: one walk over two ordered
 * lists. */
void memory_recall(const contact_memory *m, contact_set *c, pool *threads);

#endif
