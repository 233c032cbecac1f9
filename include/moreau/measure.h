/*
 * Quantities read off a world: docs/theory/measures.md defines each.
 */
#ifndef MOREAU_MEASURE_H
#define MOREAU_MEASURE_H

#include <moreau/base.h>
#include <moreau/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A box with sides along the axes. NULL in the calls below: the box around all dynamic bodies. */
typedef struct mo_region {
    double min[2], max[2]; /* m */
} mo_region;

double mo_measure_kinetic_energy(const mo_world *world);   /* J */
double mo_measure_potential_energy(const mo_world *world); /* J, zero at the origin */
size_t mo_measure_contact_count(const mo_world *world);    /* active in the last step */
size_t mo_measure_sliding_count(const mo_world *world);
double mo_measure_max_penetration(mo_world *world); /* m, at the present positions */
double
mo_measure_coordination(const mo_world *world); /* mean contacts with S_N > 0 per dynamic body that has any */
/* Area of dynamic bodies' parts inside the region over the region's area. MO_BAD_INPUT for an empty region.
 */
mo_status mo_measure_solid_fraction(const mo_world *world, const mo_region *region, double *out,
                                    mo_error *err);
/* Love-Weber stress over the region's area, compression positive, row by row. Pa (N/m). */
mo_status mo_measure_stress(const mo_world *world, const mo_region *region, double out[4], mo_error *err);
/* Force of the bodies with centres on the n side of the line upon the others. N */
mo_status mo_measure_resultant(const mo_world *world, const double point[2], const double normal[2],
                               double out[2], mo_error *err);
/* Contact force on a body averaged over the last step. N */
mo_status mo_measure_force_on(const mo_world *world, mo_body body, double out[2], mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
