/* What the tests of the comparison share. */
#ifndef TESTS_PEERS_SUPPORT_H
#define TESTS_PEERS_SUPPORT_H

#include "peers/peers.h"
#include "support/close.h"

// cmocka wants these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

static inline peer_scene make_scene(const char *name, size_t n)
{
    peer_scene s;
    mo_error err;
    const peer_size size = {.n = n};
    assert_int_equal(peer_scene_make(name, &size, false, &s, &err), MO_OK);
    return s;
}

/* Where the scene begins; to be freed. */
static inline peer_state *begin(const peer_scene *s)
{
    peer_state *x = calloc(s->body_count, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < s->body_count; i++) {
        memcpy(x[i].x, s->bodies[i].x, sizeof x[i].x);
        memcpy(x[i].q, s->bodies[i].q, sizeof x[i].q);
    }
    return x;
}

#endif
