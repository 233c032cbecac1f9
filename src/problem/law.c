/*
 * Given threshold L.  The law is one of three, z = S - rho U:
 *
 *   pushing    U_N = 0, S_N >= 0, S_T = P_L(z_T)                       P_L: nearest point of |S_T| <= L
 *   grazing    U_N = 0, S_N = 0,  S_T = P_T(z_T) for some T <= L       the limit of |S_T| <= min(M S_N, L)
 *   open       U_N >= 0, S = 0
 *
 * and the miss is that of the nearest of them.  No change of variable is needed: -U_T is in the normal cone
 * of a disc that does not depend on S.
 */
#include "problem/law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"

/* The laws of the program, for good: only mo_law_register writes here. */
static struct {
    char name[MO_LAW_NAME_MAX + 1];
    mo_law_ops ops;
} known_laws[MO_LAW_COUNT_MAX];
static size_t known_count;

const mo_law_ops *law_find(const char *name, const char **known)
{
    for (size_t i = 0; i < known_count; i++)
        if (strcmp(known_laws[i].name, name) == 0) {
            if (known != NULL)
                *known = known_laws[i].name;
            return &known_laws[i].ops;
        }
    return NULL;
}

void law_names(char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < known_count && used < size; i++) {
        int more = snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", known_laws[i].name);
        used += more > 0 ? (size_t)more : 0;
    }
}

mo_status mo_law_register(const char *name, const mo_law_ops *ops, mo_error *err)
{
    size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0 || length > MO_LAW_NAME_MAX)
        return fail(err, MO_BAD_INPUT, "name", "found a law's name of %zu characters, expected 1 to %d",
                    length, MO_LAW_NAME_MAX);
    if (ops == NULL || ops->solve == NULL || ops->miss == NULL)
        return fail(err, MO_BAD_INPUT, "name", "law '%s' has no function solve or miss", name);
    if (law_find(name, NULL) != NULL)
        return fail(err, MO_BAD_INPUT, "name", "there is a law '%s' already", name);
    if (known_count == MO_LAW_COUNT_MAX)
        return fail(err, MO_BAD_INPUT, "name", "law '%s' is one too many: at most %d", name,
                    MO_LAW_COUNT_MAX);
    memcpy(known_laws[known_count].name, name, length + 1);
    known_laws[known_count++].ops = *ops;
    return MO_OK;
}

static double tangential_part(int dim, const double *x)
{
    return dim == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

// S_T - P(z_T), P the nearest point of the disc; its square
static double miss_disc(int dim, double radius, double rho, const double *U, const double *S, double *miss)
{
    double z[3] = {0, 0, 0}, sum = 0;
    for (int k = 1; k < dim; k++)
        z[k] = S[k] - rho * U[k];
    double size = tangential_part(dim, z), scale = size > radius ? radius / size : 1;
    for (int k = 1; k < dim; k++) {
        miss[k] = S[k] - scale * z[k];
        sum += miss[k] * miss[k];
    }
    return sum;
}

static void miss_threshold(int dim, double L, double rho, const double *U, const double *S, double *miss)
{
    const double T = tangential_part(dim, S), v = rho * U[0];
    // normal misses and radii: pushing, grazing, open
    const double normal[3] = {fmax(fabs(v), -S[0]), hypot(S[0], v), fmax(fabs(S[0]), -v)},
                 radius[3] = {L, fmin(T, L), 0};
    double least = HUGE_VAL;
    miss[0] = miss[1] = miss[dim - 1] = (double)NAN;
    for (int i = 0; i < 3; i++) {
        double one[3] = {normal[i], 0, 0}, size2 = normal[i] * normal[i];
        size2 += miss_disc(dim, radius[i], rho, U, S, one);
        if (!(size2 < least))
            continue;
        least = size2;
        for (int k = 0; k < dim; k++)
            miss[k] = one[k];
    }
}

void law_miss(int dim, const row_law *l, double rho, const double *U, const double *S, double *miss)
{
    if (l->ops != NULL) {
        const mo_law_contact told = law_contact(dim, l);
        l->ops->miss(&told, rho, U, S, miss, l->ops->data);
        return;
    }
    miss_threshold(dim, l->limit, rho, U, S, miss);
}

double law_distance(int dim, const row_law *l, const double *S)
{
    if (l->ops != NULL)
        return 0;
    double T = tangential_part(dim, S);
    // without a push there is to be no friction
    return hypot(fmax(-S[0], 0), S[0] > 0 ? fmax(T - l->limit, 0) : T);
}
