/*
 * Sleeping (docs/theory/contact.md §8): islands of bodies that have rested for a while are left out of the
 * step problem.
 *
 * An island is a connected component of the dynamic bodies over the step's contacts; fixed and moved bodies
 * do not connect.  A body rests in a step at whose end |v| + |omega| R <= v_rest = 1e-3 |g| h, R its radius;
 * its counter bodies.rest says for how many steps it has, up to max(20, 0.5 s / h).  When all bodies of an
 * island have rested for that long their velocities are set to 0.  From then on the island sleeps in every
 * step in which
 *   - all its bodies still have u = 0 and full counters: no body that moves has come to it, nothing was set,
 *     no load has changed, nothing that it touched or touches moves by prescription or grows, no joint holds
 *     it, and
 *   - the impulses S of the last step still balance the loads: |(A⁻¹(h F + Σ G* S))| <= v_rest for each body,
 *     measured like the velocity.
 * Then u = 0, U = 0 and S solve its step problem up to v_rest.  Its contacts keep S and get no row.
 *
 * The counter of a body that slept is one more than that, as is that of a body that neither is dynamic nor
 * moves: between two such bodies the contacts of the next step are those of the last, and are not looked for.
 */
#ifndef DYNAMICS_SLEEP_H
#define DYNAMICS_SLEEP_H

#include "dynamics/stage.h"

typedef struct sleepers {
    size_t capacity;
    uint32_t *root;  /* [bodies] lowest slot of the island, once it is found; forest on the way */
    uint8_t *island; /* [bodies] what is known of the island with this root */
    uint8_t *still;  /* [bodies] neither has moved nor will before contacts are looked for */
    double *kept;    /* [nu bodies] impulses of contacts that sleep */
    bool found;      /* islands of the present step */
    size_t asleep;   /* bodies */
    bool known;      /* who sleeps and kept are those of the last step, and bodies are in the same slots */

    /* some of the contacts and their numbers in the whole list: while contacts are looked for those that stay
       as they are; later, where some sleep, those that do not */
    contact_set part;
    size_t which_capacity;
    uint32_t *which;
} sleepers;

void sleepers_free(sleepers *s);
size_t sleepers_bytes(const sleepers *s);

/*
 * Before detection, c being the contacts of the last step: sets aside those between bodies that are still.
 * *still: [bodies] what detection may leave out; NULL: nothing.  false: no memory.
 */
bool sleep_set_aside(sleepers *s, const bodies *b, const contact_set *c, const stage_data *d,
                     const uint8_t **still);
/* After detection and recall: takes them back into the list.  false: no memory. */
bool sleep_take_back(const sleepers *s, contact_set *c);

/* Bodies at contacts with what moves by prescription or grows in this step do not rest; after predict. */
void sleep_disturb(bodies *b, const contact_set *c, const stage_data *d);

/*
 * Decides who sleeps in this step; c: its contacts with what is remembered of them.  Nobody does who overlaps
 * by more than the share `overlap` of the smaller body's size.  u_free of sleepers becomes 0 and d->kept
 * tells their impulses.  false: no memory.
 */
bool sleep_decide(sleepers *s, bodies *b, const law_table *laws, double overlap, contact_set *c,
                  stage_data *d);

/* Whether the dynamic body in a slot sleeps in this step. */
bool sleep_has(const sleepers *s, const bodies *b, uint32_t slot);

/* The contacts that the step problem is about: all of c, or those that are awake. */
static inline contact_set *sleep_problem(sleepers *s, contact_set *c)
{
    return s->asleep > 0 ? &s->part : c;
}

/* After the step: what was found out about these contacts, in c. */
void sleep_put_back(const sleepers *s, contact_set *c);

/* After the step: counts, and lays islands to rest.  The kinetic energy that they lose by it, J. */
double sleep_count(sleepers *s, bodies *b, const stage_data *d);

#endif
