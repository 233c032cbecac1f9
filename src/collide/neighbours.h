/*
 * Pairs of parts that may touch soon, kept over several steps.
 *
 * Every part's box is widened by a margin; the list stays right until some body has moved by more than its
 * margin since it was made.  The margin grows with the body's speed, so that a list lasts a few steps at
 * least.  A motion that most bodies have in common is none that parts them: ways and speeds are those beside
 * it (collide/drift.h), for boundaries that rest too.
 */
#ifndef COLLIDE_NEIGHBOURS_H
#define COLLIDE_NEIGHBOURS_H

#include <moreau/world.h>

#include "collide/broad.h"
#include "collide/drift.h"
#include "collide/periodic.h"
#include "core/arena.h"
#include "core/parallel.h"

/* What detection sees of the bodies: const arrays in slot order. */
typedef struct detect_view {
    size_t dim, nq, nu; /* 2, 3, 3 or 3, 7, 6 */
    size_t count;
    const uint32_t *id;
    const double *q;      /* [nq count] positions to detect at */
    const double *u;      /* [nu count] used for margins only */
    const double *radius; /* [count] bounding circles or spheres */
    const double *size;   /* [count] */
    const uint8_t *kind, *group;
    const uint64_t *touches;
    const uint64_t
        *apart; /* [apart_count] pairs of slots (low << 32 | high) that are not looked at, rising */
    size_t apart_count;
    const uint8_t *lone; /* [count] a single disc or sphere about its position */
    const uint32_t *part_first, *part_count, *vertex_first;
    const mo_part *parts;
    const double *vertices;
    const uint32_t *face_first, *faces; /* 3D */
    const uint8_t *still;               /* [count] pairs of two such are left out by detect; NULL: none */
    const periodic_cell *cell;          /* NULL: none */
} detect_view;

/* What does not change about polyhedra, one after the other (collide/sides3.c). */
typedef struct part_sides {
    uint32_t *at; /* [parts] where a part's numbers begin; SIDES_UNKNOWN; NULL: all are unknown */
    double *number;
    size_t at_capacity, capacity;
} part_sides;

#define SIDES_UNKNOWN UINT32_MAX

typedef struct neighbours {
    pair_list pairs; /* of parts, ascending; parts stand in slot order */
    uint64_t *slots; /* [pairs.count] bodies (of the first part << 32 | of the second), where some body has
                        more than one part */
    size_t slots_capacity;
    bool single;    /* every body has one part, so that the pairs are those of slots as well */
    double *q;      /* [stride body_count] first numbers of the positions the list was made at */
    double *margin; /* [body_count] m */
    size_t stride;  /* all numbers of q, or the centre's alone where round bodies are all that moves */
    drift_guides drift;
    double share; /* pairs open by this share of the smaller size are in the list too; 0 at first */
    size_t q_capacity, body_capacity, body_count;
    double
        *middle; /* [dim parts] with a cell: a point in the midst of each part, in the frame of its body, m */
    size_t middle_capacity;
    part_sides sides;
    periodic_cell cell; /* with a cell: that of the positions */
    double reach;       /* m, that the list was made for */
    bool valid;         /* false after bodies were added or removed */
} neighbours;

/* Makes sure the list holds every pair with gap <= reach at the view's positions. false: no memory. */
bool neighbours_update(neighbours *n, const detect_view *v, double h, double reach, arena *a, pool *threads);
void neighbours_free(neighbours *n);
size_t neighbours_bytes(const neighbours *n);

/* Works the sides out for all parts; false: no memory. */
bool sides_note(part_sides *s, const detect_view *v, size_t parts);
void sides_free(part_sides *s);
size_t sides_bytes(const part_sides *s);

static inline bool is_plane(const mo_part *p)
{
    return p->kind == MO_PART_HALFPLANE || p->kind == MO_PART_PLANE;
}

/* Box of a part about its body's position; turn as body_turn of collide/detect.h gives it. */
bounds part_box(const detect_view *v, const mo_part *p, const double *vertices, const double *turn);

/* Unit normal in the world of the plane or half-plane of a body; returns its offset. */
double plane_place(const detect_view *v, uint32_t slot, const mo_part *p, const double *turn,
                   double normal[3]);

/* Signed distance of a box to a plane, or less. */
static inline double box_above(const bounds *b, const double *n, double offset, size_t dim)
{
    double low = 0;
    for (size_t d = 0; d < dim; d++)
        low += n[d] > 0 ? n[d] * b->min[d] : n[d] * b->max[d];
    return low - offset;
}

/* With a cell: s is where the second part of a pair stands, from its position, in the image nearest to the
   first. */
void pair_image(const neighbours *n, const detect_view *v, const uint32_t part[2], const uint32_t slot[2],
                double s[3]);

/* Bodies of the list's pairs, first part's << 32 | second part's. */
static inline const uint64_t *neighbour_slots(const neighbours *n)
{
    return n->single ? n->pairs.pair : n->slots;
}

#endif
