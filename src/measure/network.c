/*
 * Measures of the network of contacts that push: fabric and the distribution of forces.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "measure/network.h"
#include "measure/region.h"
#include "world/world.h"

/* share of the largest impulse below which one is what sweeps leave of nothing: some tens of roundings */
static const double NOTHING = 1e-14;

double least_impulse(const mo_world *w)
{
    double most = 0;
    for (size_t i = 0; i < w->contacts.count; i++)
        most = fmax(most, w->contacts.S[w->bodies.dim * i]);
    return NOTHING * most;
}

// how often a contact counts that bears more than `least`: in all images that lie in the region
static double weight(const mo_world *w, const mo_region *region, double least, size_t i)
{
    const size_t dim = w->bodies.dim;
    if (!(w->contacts.S[dim * i] > least))
        return 0;
    return region == NULL ? 1 : (double)region_holds(w, region, &w->contacts.point[dim * i]);
}

mo_status mo_measure_fabric(const mo_world *w, const mo_region *region, double *out, mo_error *err)
{
    const size_t dim = w->bodies.dim;
    mo_status s = region != NULL ? region_check(w, region, err) : MO_OK;
    double sum[9] = {0}, count = 0;
    if (s != MO_OK)
        return s;
    const double least = least_impulse(w);
    for (size_t i = 0; i < w->contacts.count; i++) {
        const double *n = &w->contacts.normal[dim * i], times = weight(w, region, least, i);
        for (size_t a = 0; times > 0 && a < dim * dim; a++)
            sum[a] += times * n[a / dim] * n[a % dim];
        count += times;
    }
    for (size_t a = 0; a < dim * dim; a++)
        out[a] = count > 0 ? sum[a] / count : 0;
    return MO_OK;
}

static mo_status check_bins(size_t bins, double most, mo_error *err)
{
    if (bins == 0)
        return fail(err, MO_BAD_INPUT, "bins", "found 0, expected a number > 0");
    if (!(most > 0) || !isfinite(most))
        return fail(err, MO_BAD_INPUT, "max", "found %g, expected a number > 0", most);
    return MO_OK;
}

// means and the largest; the number of contacts
static double sum_forces(const mo_world *w, const mo_region *region, double least, mo_force_distribution *out)
{
    const size_t dim = w->bodies.dim;
    const double per_h = 1 / w->def.h;
    double count = 0;
    for (size_t i = 0; i < w->contacts.count; i++) {
        const double *S = &w->contacts.S[dim * i], times = weight(w, region, least, i);
        if (!(times > 0))
            continue;
        count += times;
        out->mean += times * S[0] * per_h;
        out->mean_tangential += times * (dim == 2 ? fabs(S[1]) : hypot(S[1], S[2])) * per_h;
        out->largest = fmax(out->largest, S[0] * per_h);
    }
    out->count = (size_t)count;
    out->mean /= fmax(count, 1);
    out->mean_tangential /= fmax(count, 1);
    return count;
}

mo_status mo_measure_forces(const mo_world *w, const mo_region *region, size_t bins, double most,
                            mo_force_distribution *out, double *density, mo_error *err)
{
    mo_status s = check_bins(bins, most, err);
    if (s == MO_OK && region != NULL)
        s = region_check(w, region, err);
    if (s != MO_OK)
        return s;
    *out = (mo_force_distribution){0};
    memset(density, 0, bins * sizeof *density);
    const double least = least_impulse(w), count = sum_forces(w, region, least, out),
                 width = most / (double)bins;
    for (size_t i = 0; i < w->contacts.count; i++) {
        const double times = weight(w, region, least, i);
        if (!(times > 0))
            continue;
        const double place = w->contacts.S[w->bodies.dim * i] / (w->def.h * out->mean) / width;
        if (place < (double)bins)
            density[(size_t)place] += times / (count * width);
        else
            out->beyond += times / count;
    }
    return MO_OK;
}
