/*
 * Contact laws: relations between the local velocity U and the impulse S of a contact (docs/theory/laws.md).
 *
 * Component 0 is along the normal, which points toward body 1; the others are tangential.  U_N > 0 separates,
 * S_N >= 0 pushes.  A law is complete (MJ96 §3, M99 §9.1) if it always gives U_N >= 0, and S = 0 where
 * U_N > 0; mo_law_check tries it.
 */
#ifndef MOREAU_LAW_H
#define MOREAU_LAW_H

#include <moreau/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The law of a pair of groups; what is 0 is absent. */
typedef struct mo_law {
    double friction;               /* mu >= 0 */
    double restitution;            /* rho in [0, 1] */
    double tangential_restitution; /* tau in [-1, 1] */
    double static_friction;        /* mu of a contact that has not slid in the last step, >= friction */
    double friction2;              /* 3D: mu across axis, with `friction` along it */
    double axis[3];                /* 3D: direction of any length, in the axes of the pair's boundary if it
                                      has one, otherwise in those of body 1; all zero: friction is the same
                                      everywhere */
    double cohesion;               /* N (N/m in 2D): the pull a contact bears */
    bool gluey;                    /* a contact must be pulled as long as it was pushed (BL10 Remark 4.3) */
    double threshold;              /* N (N/m in 2D): |S_T| <= h threshold whatever S_N > 0 is (Tresca), in the
                                      place of friction */
    double rolling;                /* m: |moment against rolling| <= rolling S_N */
    double spinning;               /* m, 3D: the same about the normal */
    const char *name;              /* of a law registered by mo_law_register, which replaces friction and
                                      threshold; NULL: none */
} mo_law;

/* What a law of one's own is told of a contact. */
typedef struct mo_law_contact {
    int dim;           /* 2 or 3 */
    double h;          /* time step, s */
    const mo_law *law; /* its numbers */
    const double *H;   /* [dim dim] by rows, symmetric and positive semidefinite: U = H S + b */
    double memory;     /* of this contact, from the last step; 0 for a new one */
} mo_law_contact;

/*
 * A law of one's own.  U is the velocity after the step, shifted where the law has restitution
 * (docs/theory/contact.md §3); with cohesion S is S + h c n.  The tangential axes are the solver's: a law
 * must not depend on directions.  Called from several threads at once.
 */
typedef struct mo_law_ops {
    /* S [dim] with U = H S + b and the law between U and S.  b: velocity without this contact's impulse. */
    void (*solve)(const mo_law_contact *contact, const double *b, double *S, void *data);
    /*
     * By how much U and S [dim] miss the law, as an impulse [dim], N s: 0 exactly where they satisfy it, in
     * proportion to the error beside.  rho: 1/lambda_max(H), makes an impulse of a velocity.  For Coulomb's
     * law it is S - P_K(S - rho u~).
     */
    void (*miss)(const mo_law_contact *contact, double rho, const double *U, const double *S, double *miss,
                 void *data);
    /* What the contact remembers for the next step; NULL: 0. */
    double (*remember)(const mo_law_contact *contact, const double *U, const double *S, void *data);
    void *data;
} mo_law_ops;

enum { MO_LAW_NAME_MAX = 63, MO_LAW_COUNT_MAX = 64 };

/*
 * Makes a law known to mo_law.name in all worlds made afterwards, for good; ops is copied.  Not to be called
 * while another thread uses this library.  MO_BAD_INPUT: the name is empty, too long or taken, a function is
 * missing, or there are too many.
 */
mo_status mo_law_register(const char *name, const mo_law_ops *ops, mo_error *err);

/*
 * What mo_law_check found.  Velocities are relative to |b| + |S| lambda_max(H), impulses to
 * |S| + |b|/lambda_max(H): what is near 1e-16 is rounding.
 */
typedef struct mo_law_report {
    int samples;
    bool finite;
    double velocity; /* largest (-U_N)+ */
    double impulse;  /* largest |S| lambda_max(H)/|b| where U_N > 0 */
    double miss;     /* largest miss of what solve gave */
    int missed;      /* samples whose miss is above 1e-9: the law has no solution there, or solve none */
    double power;    /* largest U.S, relative to both sizes: above rounding the law gives energy */
    double H[9], b[3], S[3],
        U[3]; /* the worst sample by velocity and impulse; with cohesion S is S + h c n */
} mo_law_report;

/*
 * Solves the law, shipped or registered, for random contacts and reports how far it is from complete.  dim: 2
 * or 3.  MO_BAD_INPUT: it is no law.
 */
mo_status mo_law_check(const mo_law *law, int dim, int samples, uint64_t seed, mo_law_report *out,
                       mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
