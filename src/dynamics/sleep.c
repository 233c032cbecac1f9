#include "dynamics/sleep.h"

#include <math.h>
#include <string.h>

#include "core/buffer.h"
#include "dynamics/integrate.h"
#include "dynamics/joints.h"

/* v_rest/(|g| h); s and steps that a body must have rested for */
static const double REST_SHARE = 1e-3, REST_TIME = 0.5;
enum { REST_STEPS = 20, BODY_COLUMNS = 4 };

/* What is known of an island: it touches something; it cannot sleep whatever its bodies do; it does not sleep
   in this step; its impulses do not balance the loads; at the step's end not all of its bodies have rested.
 */
enum { TOUCHES = 1, BARRED = 2, STIRS = 4, UNBALANCED = 8, RESTLESS = 16 };

static double rest_speed(const stage_data *d)
{
    return REST_SHARE * vec3_norm(d->gravity) * d->h;
}

static uint32_t rest_steps(const stage_data *d)
{
    const double steps = ceil(REST_TIME / d->h);
    return steps <= REST_STEPS ? REST_STEPS : steps >= 1e9 ? 1000000000u : (uint32_t)steps;
}

static void body_columns(sleepers *s, size_t nu, column out[BODY_COLUMNS])
{
    const column all[BODY_COLUMNS] = {{(void **)&s->root, sizeof *s->root},
                                      {(void **)&s->island, sizeof *s->island},
                                      {(void **)&s->still, sizeof *s->still},
                                      {(void **)&s->kept, nu * sizeof *s->kept}};
    memcpy(out, all, sizeof all);
}

static bool reserve_bodies(sleepers *s, const bodies *b)
{
    column body[BODY_COLUMNS];
    body_columns(s, b->nu, body);
    return columns_reserve(body, BODY_COLUMNS, &s->capacity, b->count);
}

static bool reserve_which(sleepers *s, size_t contacts)
{
    const column which = {(void **)&s->which, sizeof *s->which};
    return columns_reserve(&which, 1, &s->which_capacity, contacts);
}

void sleepers_free(sleepers *s)
{
    column body[BODY_COLUMNS], which = {(void **)&s->which, sizeof *s->which};
    body_columns(s, 0, body);
    columns_free(body, BODY_COLUMNS);
    columns_free(&which, 1);
    contacts_free(&s->part);
}

size_t sleepers_bytes(const sleepers *s)
{
    column body[BODY_COLUMNS];
    body_columns((sleepers *)s, s->part.dim == 2 ? 3 : 6, body);
    return columns_bytes(body, BODY_COLUMNS, s->capacity) + s->which_capacity * sizeof *s->which +
           contacts_bytes(&s->part);
}

/* ---- what cannot rest ------------------------------------------------------------------------------- */

static bool differs(const double *a, const double *b, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (a[k] != b[k])
            return true;
    return false;
}

// whether a body moves by prescription or grows in this step
static bool is_driven(const bodies *b, const stage_data *d, const body_functions *f)
{
    static const double still[6] = {0};
    const double *q = &b->q[b->nq * f->slot];
    if (f->motion != NULL && (differs(&d->u_free[b->nu * f->slot], still, b->nu) ||
                              differs(&d->q_mid[b->nq * f->slot], q, b->nq) || differs(f->end.q, q, b->nq)))
        return true;
    // predict has put the radius of mid step
    return f->radius != NULL && (f->rate != 0 || f->end_radius != b->radius[f->slot]);
}

static bool slot_driven(const bodies *b, const stage_data *d, uint32_t slot)
{
    const body_functions *f = bodies_functions(b, slot);
    return f != NULL && is_driven(b, d, f);
}

void sleep_disturb(bodies *b, const contact_set *c, const stage_data *d)
{
    bool any = false;
    for (size_t k = 0; k < b->function_count; k++)
        if (is_driven(b, d, &b->functions[k])) {
            b->rest[b->functions[k].slot] = 0;
            any = true;
        }
    for (size_t i = 0; any && i < c->count; i++)
        if (slot_driven(b, d, c->slot1[i]) || slot_driven(b, d, c->slot2[i]))
            b->rest[c->slot1[i]] = b->rest[c->slot2[i]] = 0;
}

// impulses at the contacts of other laws are not all that they do, or change with what they remember
static bool law_can_rest(const law_table *laws, size_t number)
{
    const mo_law *l = &laws->list[number];
    return !laws_other(laws, number) && !l->gluey && l->rolling == 0 && l->spinning == 0;
}

/* ---- what is still ---------------------------------------------------------------------------------- */

bool sleep_set_aside(sleepers *s, const bodies *b, const contact_set *c, const stage_data *d,
                     const uint8_t **still)
{
    const uint32_t slept = rest_steps(d) + 1;
    size_t count = 0;
    bool any = false;
    *still = NULL;
    s->part.count = 0;
    for (size_t i = 0; i < b->count && !any; i++)
        any = b->rest[i] == slept && is_dynamic(b, (uint32_t)i);
    if (!any)
        return true;
    if (!reserve_bodies(s, b) || !reserve_which(s, c->count))
        return false;
    for (size_t i = 0; i < b->count; i++)
        s->still[i] = b->rest[i] == slept;
    for (size_t i = 0; i < c->count; i++)
        if (s->still[c->slot1[i]] && s->still[c->slot2[i]])
            s->which[count++] = (uint32_t)i;
    *still = s->still;
    return contacts_pick(c, s->which, count, &s->part);
}

bool sleep_take_back(const sleepers *s, contact_set *c)
{
    return s->part.count == 0 || contacts_merge(c, &s->part);
}

/* ---- islands ---------------------------------------------------------------------------------------- */

static uint32_t find_root(uint32_t *root, uint32_t slot)
{
    while (root[slot] != slot) {
        root[slot] = root[root[slot]];
        slot = root[slot];
    }
    return slot;
}

// the island of a contact: that of its dynamic bodies
static inline uint32_t island_of(const sleepers *s, const bodies *b, const contact_set *c, size_t i)
{
    return s->root[is_dynamic(b, c->slot1[i]) ? c->slot1[i] : c->slot2[i]];
}

// which bodies contacts connect; the lowest slot is the root, whatever the order
static void find_islands(sleepers *s, const bodies *b, const contact_set *c)
{
    for (size_t i = 0; i < b->count; i++) {
        s->root[i] = (uint32_t)i;
        s->island[i] = 0;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (!is_dynamic(b, c->slot1[i]) || !is_dynamic(b, c->slot2[i]))
            continue;
        const uint32_t r1 = find_root(s->root, c->slot1[i]), r2 = find_root(s->root, c->slot2[i]);
        s->root[r1 > r2 ? r1 : r2] = r1 > r2 ? r2 : r1;
    }
    // roots are lower than what hangs on them
    for (size_t i = 0; i < b->count; i++)
        s->root[i] = s->root[s->root[i]];
    s->found = true;
}

// islands that touch something, and those that cannot sleep for their laws or overlaps
static void find_barred(sleepers *s, const bodies *b, const law_table *laws, double overlap, contact_set *c)
{
    size_t asked = SIZE_MAX;
    bool can = false;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t s1 = c->slot1[i], s2 = c->slot2[i];
        c->law[i] = laws->pair[b->group[s1]][b->group[s2]];
        // most contacts have the law of the one before
        if (c->law[i] != asked)
            can = law_can_rest(laws, c->law[i]);
        asked = c->law[i];
        const double size = b->size[s1] < b->size[s2] ? b->size[s1] : b->size[s2];
        s->island[island_of(s, b, c, i)] |= can && -c->gap[i] <= overlap * size ? TOUCHES : TOUCHES | BARRED;
    }
}

static bool is_asleep(const sleepers *s, uint32_t root)
{
    return (s->island[root] & (TOUCHES | BARRED | STIRS)) == TOUCHES;
}

// islands with bodies that move, or have not rested for long; whether there are others
static bool find_stirring(sleepers *s, const bodies *b, uint32_t steps)
{
    bool others = false;
    for (size_t i = 0; i < b->count; i++) {
        bool still = b->rest[i] >= steps;
        for (size_t k = b->nu * i; still && k < b->nu * (i + 1); k++)
            still = b->u[k] == 0;
        if (is_dynamic(b, (uint32_t)i) && !still)
            s->island[s->root[i]] |= STIRS;
    }
    for (size_t i = 0; i < b->count; i++)
        others = others || (is_dynamic(b, (uint32_t)i) && is_asleep(s, s->root[i]));
    return others;
}

// |v| + |omega| R
static double speed_of(const bodies *b, size_t slot, const double *u)
{
    if (b->dim == 2)
        return sqrt(u[0] * u[0] + u[1] * u[1]) + fabs(u[2]) * b->radius[slot];
    return vec3_norm(u) + vec3_norm(u + 3) * b->radius[slot];
}

// u_free + A⁻¹ Σ G* S of a body: what its velocity would become
static double speed_after(const bodies *b, const stage_data *d, size_t slot, const double *kept)
{
    double u[6], inverse[6], spin[3];
    memcpy(u, &d->u_free[b->nu * slot], b->nu * sizeof *u);
    for (size_t k = 0; k < 3; k++)
        u[k] += b->inv[3 * slot + k] * kept[k];
    if (b->dim == 3) {
        body_inverse_inertia(b, slot, &d->q_mid[7 * slot], inverse);
        symmetric3_times(inverse, kept + 3, spin);
        vec3_add(u + 3, spin, u + 3);
    }
    return speed_of(b, slot, u);
}

// impulses of the contacts that sleep, summed for their bodies
static void sum_kept(sleepers *s, const bodies *b, const contact_set *c, const stage_data *d)
{
    memset(s->kept, 0, b->nu * b->count * sizeof *s->kept);
    for (size_t i = 0; i < c->count; i++)
        if (is_asleep(s, island_of(s, b, c, i)))
            add_impulse(c, i, d->q_mid, s->kept);
}

// wakes islands whose impulses do not balance the loads, for as long as it takes to fall asleep; whether
// there are such
static bool wake_unbalanced(sleepers *s, bodies *b, const stage_data *d)
{
    const double limit = rest_speed(d);
    bool any = false;
    for (size_t i = 0; i < b->count; i++) {
        if (!is_dynamic(b, (uint32_t)i) || !is_asleep(s, s->root[i]))
            continue;
        // written so that what is not a number wakes
        if (!(speed_after(b, d, i, &s->kept[b->nu * i]) <= limit)) {
            s->island[s->root[i]] |= UNBALANCED;
            any = true;
        }
    }
    for (size_t i = 0; any && i < b->count; i++)
        if (is_dynamic(b, (uint32_t)i) && s->island[s->root[i]] & UNBALANCED) {
            s->island[s->root[i]] |= STIRS;
            b->rest[i] = 0;
        }
    return any;
}

// contacts that are awake, for the step problem; the others have U = 0
static bool part_contacts(sleepers *s, const bodies *b, contact_set *c)
{
    size_t count = 0;
    if (!reserve_which(s, c->count))
        return false;
    for (size_t i = 0; i < c->count; i++)
        if (is_asleep(s, island_of(s, b, c, i)))
            memset(&c->U[c->dim * i], 0, c->dim * sizeof *c->U);
        else
            s->which[count++] = (uint32_t)i;
    return contacts_pick(c, s->which, count, &s->part);
}

// joints say nothing of what holds their bodies in the end
static void disturb_joints(bodies *b, const stage_data *d)
{
    for (size_t k = 0; d->joints != NULL && k < d->joints->count; k++)
        for (int e = 0; e < 2; e++)
            if (d->joints->list[k].slot[e] < b->count)
                b->rest[d->joints->list[k].slot[e]] = 0;
}

bool sleep_has(const sleepers *s, const bodies *b, uint32_t slot)
{
    return s->asleep > 0 && is_dynamic(b, slot) && is_asleep(s, s->root[slot]);
}

// whether those sleep who slept in the last step and nobody else: no body begins or ceases to, and what is
// awake touches no sleeper
static bool is_calm(const sleepers *s, const bodies *b, const contact_set *c, uint32_t steps)
{
    size_t slept = 0;
    if (!s->known)
        return false;
    for (size_t i = 0; i < b->count; i++) {
        if (!is_dynamic(b, (uint32_t)i) || b->rest[i] + 1 < steps)
            continue;
        if (b->rest[i] <= steps)
            return false;
        slept++;
    }
    for (size_t i = 0; i < c->count; i++) {
        const bool still1 = b->rest[c->slot1[i]] > steps, still2 = b->rest[c->slot2[i]] > steps;
        if (still1 != still2 && is_dynamic(b, still1 ? c->slot1[i] : c->slot2[i]))
            return false;
    }
    return slept == s->asleep;
}

// finds the islands and those of them that sleep; false: no memory
static bool find_sleepers(sleepers *s, bodies *b, const law_table *laws, double overlap, contact_set *c,
                          const stage_data *d)
{
    const uint32_t steps = rest_steps(d);
    bool soon = false;
    s->asleep = 0;
    s->known = false;
    // islands matter when some body could have rested for long enough at the end of the step
    for (size_t i = 0; i < b->count && !soon; i++)
        soon = b->rest[i] + 1 >= steps && is_dynamic(b, (uint32_t)i);
    if (!soon)
        return true;
    if (!reserve_bodies(s, b))
        return false;
    find_islands(s, b, c);
    find_barred(s, b, laws, overlap, c);
    if (!find_stirring(s, b, steps))
        return true;
    sum_kept(s, b, c, d);
    if (wake_unbalanced(s, b, d))
        sum_kept(s, b, c, d);
    for (size_t i = 0; i < b->count; i++)
        s->asleep += is_dynamic(b, (uint32_t)i) && is_asleep(s, s->root[i]);
    s->known = s->asleep > 0;
    return true;
}

bool sleep_decide(sleepers *s, bodies *b, const law_table *laws, double overlap, contact_set *c,
                  stage_data *d)
{
    s->found = false;
    sleep_disturb(b, c, d);
    disturb_joints(b, d);
    if (!is_calm(s, b, c, rest_steps(d)) && !find_sleepers(s, b, laws, overlap, c, d))
        return false;
    if (s->asleep == 0)
        return true;
    for (size_t i = 0; i < b->count; i++)
        if (sleep_has(s, b, (uint32_t)i))
            memset(&d->u_free[b->nu * i], 0, b->nu * sizeof *d->u_free);
    d->kept = s->kept;
    return part_contacts(s, b, c);
}

void sleep_put_back(const sleepers *s, contact_set *c)
{
    if (s->asleep > 0)
        contacts_put_back(&s->part, s->which, c);
}

/* ---- the end of the step ---------------------------------------------------------------------------- */

// the counter of a body after the step
static uint32_t count_of(const sleepers *s, const bodies *b, const stage_data *d, size_t slot)
{
    const uint32_t steps = rest_steps(d), before = b->rest[slot];
    if (is_dynamic(b, (uint32_t)slot)) {
        if (sleep_has(s, b, (uint32_t)slot))
            return steps + 1;
        const bool rests = speed_of(b, slot, &b->u[b->nu * slot]) <= rest_speed(d);
        return !rests ? 0 : before < steps ? before + 1 : steps;
    }
    // contacts were looked for where it is now
    const body_functions *f = bodies_functions(b, slot);
    if (f != NULL && (f->radius != NULL || differs(&d->q_mid[b->nq * slot], &b->q[b->nq * slot], b->nq)))
        return 0;
    return steps + 1;
}

double sleep_count(sleepers *s, bodies *b, const stage_data *d)
{
    const uint32_t steps = rest_steps(d);
    double lost = 0;
    for (size_t i = 0; i < b->count; i++)
        b->rest[i] = count_of(s, b, d, i);
    disturb_joints(b, d);
    for (size_t i = 0; s->found && i < b->count; i++)
        if (is_dynamic(b, (uint32_t)i) && b->rest[i] < steps)
            s->island[s->root[i]] |= RESTLESS;
    for (size_t i = 0; s->found && i < b->count; i++) {
        if (!is_dynamic(b, (uint32_t)i) || sleep_has(s, b, (uint32_t)i) ||
            (s->island[s->root[i]] & (TOUCHES | BARRED | RESTLESS)) != TOUCHES)
            continue;
        lost += body_kinetic(b, i);
        memset(&b->u[b->nu * i], 0, b->nu * sizeof *b->u);
    }
    return lost;
}
