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

/* A box with sides along the axes; in 2D the third numbers do not count. NULL in the calls below: the box
   around all dynamic bodies. */
typedef struct mo_region {
    double min[3], max[3]; /* m */
} mo_region;

double mo_measure_kinetic_energy(const mo_world *world);   /* J */
double mo_measure_potential_energy(const mo_world *world); /* J, zero at the origin */
size_t mo_measure_contact_count(const mo_world *world);    /* active in the last step */
size_t mo_measure_sliding_count(const mo_world *world);
double mo_measure_max_penetration(mo_world *world); /* m, at the present positions */
double
mo_measure_coordination(const mo_world *world); /* mean contacts with S_N > 0 per dynamic body that has any */
/* Area (3D: volume) of dynamic bodies' parts inside the region over the region's own. MO_BAD_INPUT for an
   empty region. */
mo_status mo_measure_solid_fraction(const mo_world *world, const mo_region *region, double *out,
                                    mo_error *err);
/* Area or volume of what is not solid over that of what is: 1/fraction - 1, infinite where nothing is. */
mo_status mo_measure_void_ratio(const mo_world *world, const mo_region *region, double *out, mo_error *err);
/* Love-Weber stress over the region's area or volume, compression positive, row by row: out[4], in 3D out[9].
   Pa (N/m in 2D). */
mo_status mo_measure_stress(const mo_world *world, const mo_region *region, double *out, mo_error *err);
/* Force of the bodies with centres on the n side of the line or plane upon the others; boundaries count where
   they are touched (docs/theory/measures.md). All [dim]. N */
mo_status mo_measure_resultant(const mo_world *world, const double *point, const double *normal, double *out,
                               mo_error *err);
/* Contact force on a body averaged over the last step, [dim]. N */
mo_status mo_measure_force_on(const mo_world *world, mo_body body, double *out, mo_error *err);

/* Fabric: mean of n_i n_j over the contacts with S_N > 0 whose points lie in the region (NULL: all), row by
   row: out[4], in 3D out[9]. Its trace is 1; all 0 where there is no such contact. */
mo_status mo_measure_fabric(const mo_world *world, const mo_region *region, double *out, mo_error *err);

/* Forces of the contacts with S_N > 0 whose points lie in a region; all 0 where there are none. */
typedef struct mo_force_distribution {
    size_t count;
    double mean, largest;   /* N, normal */
    double mean_tangential; /* N, of |f_T| */
    double beyond;          /* share of contacts with f_N >= most times the mean */
} mo_force_distribution;

/* density[bins]: share of contacts over width of the bin, f_N/mean from 0 to `most`; with `beyond` the shares
   add up to 1. MO_BAD_INPUT unless bins > 0 and 0 < most < infinity. */
mo_status mo_measure_forces(const mo_world *world, const mo_region *region, size_t bins, double most,
                            mo_force_distribution *out, double *density, mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
