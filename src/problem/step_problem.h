/*
 * The step problem in 2D and 3D, matrix-free over bodies (MJ96 §4, M99 §9).
 *
 *   u     = u_free + A⁻¹ Σ G_α* S_α        velocities of the bodies after the step
 *   U_α   = G_α u + shift_α                local velocity, shifted for restitution (docs/theory/contact.md
 * §3) law_α : 0 <= U_N ⟂ S_N >= 0,  |S_T| <= mu S_N,  S_T opposes U_T
 *
 * H_α = G_α A⁻¹ G_α*: the contact's own block of W;  q_α = G_α u_free + shift_α: U without impulses.
 * 2D: G has the rows (n, r×n) and (t, r×t), t = n turned by +90°; A⁻¹ is diagonal.  3D: the rows (n, r×n),
 * (t, r×t), (s, r×s) with s = n×t; spins and inverse inertias are in world axes, at the orientation of the
 * middle of the step.
 *
 * Contacts stand in the order of a sweep (dynamics/order.c): in blocks, whose contacts one thread does in
 * order, and within a block first in groups of LANES contacts that share no body, so that a group may be done
 * in any order, or at once, with the same result.  Blocks of one wave share no body: threads may do them in
 * any order with the same result.  The motion of boundaries is part of shift.
 *
 * There are two forms.  Where all contacts are those of round bodies, touched along their radii, with one
 * friction and nothing beside them, a contact and a body take one cache line each (round); any other problem
 * has rows that hold for all bodies (contact, or row3 and block3).
 */
#ifndef PROBLEM_STEP_PROBLEM_H
#define PROBLEM_STEP_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A body in the solver: one cache line. */
typedef struct velocity2 {
    double u[3]; /* vx, vy, spin */
    double unused;
    double inv[3]; /* diagonal of A⁻¹; 0 along a freedom that is not free */
    double unused2;
} velocity2;

/* What a sweep reads of a contact: two cache lines. */
typedef struct contact2 {
    double n[2];      /* unit normal, toward body[0] */
    double arm[4];    /* r1×n, r1×t, r2×n, r2×t, m (unused for a boundary: 0) */
    double shift[2];  /* m/s */
    double H[3];      /* H_nn, H_nt, H_tt */
    double inv_nn;    /* 1/H_nn; 0 when H_nn is 0 */
    double inv_s;     /* 1/s, s = H_tt - H_nt²/H_nn; HUGE_SLOPE when s vanishes */
    double limit[2];  /* S_T >= -limit[0] k and S_T <= limit[1] k, k = (-b_N)+ */
    uint32_t body[2]; /* into velocity2; body[1] is UINT32_MAX for a boundary */
} contact2;

/* A body in the solver in 3D: two cache lines, of which a sweep writes the first. */
typedef struct velocity3 {
    double u[6];     /* v; omega in world axes */
    double inv_m[3]; /* 0 along a freedom that is not free */
    double inv_I[6]; /* inverse inertia in world axes: xx, xy, xz, yy, yz, zz */
    double unused;
} velocity3;

/* What a sweep reads of a contact in 3D, unless it slides: three cache lines. */
typedef struct contact_row3 {
    double n[3], t[3];   /* unit normal, toward body[0]; first tangent; the second one is ratio n×t */
    double ratio;        /* not 1 where friction differs along t and across */
    uint32_t body[2];    /* into velocity3; body[1] is UINT32_MAX for a boundary */
    double r1[3], r2[3]; /* from the centres of mass to the contact, m; r2 unused for a boundary: 0 */
    double shift[3];     /* m/s */
    double H[6];         /* the block: nn, nt, ns, tt, ts, ss */
    double rho;          /* 1/lambda_max of the block, 1 where that is 0, NaN where it is not finite */
} contact_row3;

/*
 * A contact of two discs or balls, or of one with a boundary: one cache line.  Its block is diag(H_nn, H_tt)
 * or diag(H_nn, H_tt, H_tt) with H_nn = 1/m1 + 1/m2 and H_tt = H_nn + arm1²/I1 + arm2²/I2.  The first tangent
 * in 3D is that of vec3_across (math/vec3.h).
 */
typedef struct round_row {
    double n[3];   /* unit normal, toward body[0]; n[2] is 0 in 2D */
    double shift;  /* of U_N, m/s */
    double arm[2]; /* r1 = -arm[0] n, r2 = arm[1] n, m; 0 for a boundary */
    double mu;
    uint32_t body[2]; /* body[1] is UINT32_MAX for a boundary */
} round_row;

/* A ball in the solver: one cache line. */
typedef struct ball3 {
    double u[6]; /* v; omega in world axes */
    double inv_m, inv_I;
} ball3;

/* LANES: contacts that are done at once.  BLOCK: contacts of a block at most. */
enum { LANES = 8, BLOCK = 512, OWNERS_MAX = 64, SPARE_MAX = 1024, SPARE_VECTORS = 25 };

/*
 * Rows that are done in order: [begin, pairs) groups of LANES contacts of two bodies, [pairs, singles) groups
 * of contacts with a boundary; what did not fill a group: [singles, rest) contacts of two bodies, [rest, end)
 * with a boundary.
 */
typedef struct contact_block {
    uint32_t begin, pairs, singles, rest, end;
    uint32_t owner; /* the thread that does it, among step_problem.owners */
    uint64_t edge;  /* the other owners that have blocks with bodies of this one, a bit for each */
    uint64_t since; /* so many waves before is the last of these blocks, in the sweep before if need be */
} contact_block;

/* Blocks [begin, end), which share no body, or have one owner that does them in order. */
typedef struct block_wave {
    uint32_t begin, end;
    uint32_t in_order; /* 1: they may share bodies */
} block_wave;

struct contact3;
struct step_extra;
struct step_cell;
struct row_law;

typedef struct step_problem {
    int dim; /* 2 or 3 */
    size_t contacts, bodies;
    round_row *round;        /* [contacts] of round bodies; NULL: the problem has the general form */
    double *slip;            /* [(dim - 1) contacts] round: shifts of U_T, m/s; NULL: all are 0 */
    ball3 *ball;             /* [bodies] round, in 3D */
    contact2 *contact;       /* [contacts] in 2D */
    contact_row3 *row3;      /* [contacts] in 3D */
    struct contact3 *block3; /* [contacts] in 3D: the block made ready for a contact that slides */
    double *mu;              /* [contacts]; NULL where rows are round and have it */
    struct row_law *law;     /* [contacts] laws other than Coulomb's (problem/law.h); NULL: none */
    double *S;               /* [dim contacts] impulses: guess in, answer out, N s */
    double guess;            /* residual that the first sweeps from the guess left; written by nlgs */
    double speeds;           /* |rho V| of problem/certificate.c, N s; 0 until it is asked for */
    double *press;           /* [contacts] impulses of press_apart (solver/press.h) */
    double *scratch;         /* [dim contacts] */
    double *spare;        /* [SPARE_VECTORS dim contacts] for methods that need more, NULL above SPARE_MAX */
    velocity2 *velocity;  /* [bodies] in 2D, consistent with S after solve */
    velocity3 *velocity3; /* [bodies] in 3D, likewise; NULL where there are balls */
    const double *u_free; /* [3 bodies] in 2D, [6 bodies] in 3D (spin in world axes) */
    struct step_extra *extra; /* joints, motors, limits, rolling (problem/extra.h); NULL: none */
    struct step_cell *cell;   /* a cell under stresses (problem/step_cell.h); NULL: none */
    contact_block *block;     /* [blocks] in the order of rows */
    size_t blocks, waves;
    block_wave *wave; /* [waves] */
    int owners;       /* threads among which blocks are shared out; 0 stands for 1 */
} step_problem;

#endif
