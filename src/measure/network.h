/*
 * Which contacts bear a force.
 */
#ifndef MEASURE_NETWORK_H
#define MEASURE_NETWORK_H

#include <moreau/measure.h>

/* Contacts with less than this of a normal impulse bear nothing, N s. */
double least_impulse(const mo_world *world);

#endif
