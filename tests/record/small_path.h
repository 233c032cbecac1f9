/* Runs of points made from formulas, for the tests of their files. */
#ifndef RECORD_SMALL_PATH_H
#define RECORD_SMALL_PATH_H

#include "record/small_world.h"

enum { PATH_STATE = 40 }; /* bytes of the process' state */

/* a path to be recorded: row k is a formula of k, so that any part of it can be checked alone */
typedef struct small_path {
    size_t n, m, discs, walls;
    bool velocities;
} small_path;

static const small_path plane = {.n = 2, .m = 1, .discs = 0, .walls = 0, .velocities = false};
static const small_path discs3 = {.n = 6, .m = 3, .discs = 3, .walls = 2, .velocities = false};
static const small_path motion = {.n = 3, .m = 2, .discs = 0, .walls = 0, .velocities = true};

static const double disc_radius[] = {0.5, 0.25, 0.125};
static const double disc_walls[] = {-1, -1, 4, -1, -1, 3, 4, 3.5};

static inline mo_path_def small_path_def(const small_path *p)
{
    return (mo_path_def){.kind = p->velocities ? "system" : "sweep",
                         .method = p->velocities ? "moreau" : "catching-up",
                         .h = 0.125,
                         .coordinates = p->n,
                         .velocities = p->velocities,
                         .multipliers = p->m,
                         .disc_count = p->discs,
                         .wall_count = p->walls,
                         .radius = disc_radius,
                         .walls = disc_walls};
}

static inline mo_recorder_def small_path_recorder(void)
{
    mo_recorder_def def = small_def();
    def.scene_text = "sweep { }\n";
    def.solver = NULL;
    return def;
}

static inline double row_x(size_t k, size_t i)
{
    return (double)k / 3 + 10 * (double)i;
}

static inline double row_u(size_t k, size_t i)
{
    return -(double)k / 7 - (double)i;
}

static inline double row_lambda(size_t k, size_t i)
{
    return k % 2 == 0 ? 0 : (double)k * 0.1 + (double)i;
}

/* row k of discs has k % 3 holds */
static inline size_t row_holds(const small_path *p, size_t k)
{
    return p->discs > 0 ? k % 3 : 0;
}

static inline void put_row(mo_recorder *rec, const small_path *p, size_t k)
{
    static const uint32_t pairs[] = {0, 1, 2, 4};
    double x[8], u[8], lambda[8];
    const double hold_lambda[2] = {(double)k, 0.5};
    for (size_t i = 0; i < p->n; i++) {
        x[i] = row_x(k, i);
        u[i] = row_u(k, i);
    }
    for (size_t i = 0; i < p->m; i++)
        lambda[i] = row_lambda(k, i);
    const mo_path_row row = {.t = 0.125 * (double)k,
                             .step = (int64_t)k,
                             .x = x,
                             .u = p->velocities ? u : NULL,
                             .lambda = lambda,
                             .hold_count = row_holds(p, k),
                             .hold_pair = pairs,
                             .hold_lambda = hold_lambda};
    must(mo_recorder_path_row(rec, &row, err));
}

/* with row k: a row of the series, and an event at every third row with k % 4 gaps */
static inline void put_rest(mo_recorder *rec, size_t k)
{
    static const char *const types[] = {"contact", "release", "jump", "outside", "accumulation", "impact"};
    static const size_t gaps[] = {2, 0, 7};
    const double values[2] = {(double)k, 0.5};
    must(mo_recorder_path_series(rec, 0.125 * (double)k, values, err));
    if (k % 3 != 0)
        return;
    const mo_path_event event = {.t = 0.125 * (double)k,
                                 .size = 1.0 / (double)(k + 1),
                                 .type = types[k / 3 % 6],
                                 .gap_count = k % 4,
                                 .gaps = gaps};
    must(mo_recorder_path_event(rec, &event, err));
}

static inline void put_rows(mo_recorder *rec, const small_path *p, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++) {
        put_row(rec, p, k);
        put_rest(rec, k);
    }
}

/* the checkpoint after row k */
static inline void put_checkpoint(mo_recorder *rec, size_t k)
{
    uint8_t state[PATH_STATE];
    char text[32];
    memset(state, (int)(k & 255), sizeof state);
    snprintf(text, sizeof text, "after %zu", k);
    const mo_checkpoint c = {.t = 0.125 * (double)k,
                             .step = (int64_t)k,
                             .state = state,
                             .state_size = sizeof state,
                             .extra = {.random = {k, 5}, .state_text = text}};
    must(mo_recorder_checkpoint(rec, &c, err));
}

static inline void put_outline(mo_recorder *rec, size_t k)
{
    const double points[] = {(double)k, 0, 1, 1, 2, 0};
    must(mo_recorder_outline(rec, 0.125 * (double)k, points, 1 + k % 3, err));
}

/* events among rows [0, rows) and their gaps */
static inline size_t events_of(size_t rows)
{
    return (rows + 2) / 3;
}

static inline size_t gaps_of(size_t rows)
{
    size_t gaps = 0;
    for (size_t k = 0; k < rows; k += 3)
        gaps += k % 4;
    return gaps;
}

static inline void assert_path_rows(mo_run *run, const small_path *p, size_t rows)
{
    mo_run_path path;
    must(mo_run_path_get(run, &path, err));
    assert_int_equal(path.rows, rows);
    assert_int_equal(mo_run_info_get(run)->frames, rows);
    assert_int_equal(path.disc_count, p->discs);
    assert_int_equal(path.wall_count, p->walls);
    assert_int_equal(path.hold_first[0], 0);
    for (size_t k = 0; k < rows; k++) {
        assert_true(path.t[k] == 0.125 * (double)k && path.step[k] == (int64_t)k);
        assert_true(mo_run_times(run)[k] == path.t[k]);
        for (size_t i = 0; i < p->n; i++)
            assert_true(path.x[k * p->n + i] == row_x(k, i));
        for (size_t i = 0; i < p->m; i++)
            assert_true(path.lambda[k * p->m + i] == row_lambda(k, i));
        for (size_t i = 0; i < p->n && p->velocities; i++)
            assert_true(path.u[k * p->n + i] == row_u(k, i));
        assert_int_equal(path.hold_first[k + 1] - path.hold_first[k], row_holds(p, k));
        for (size_t i = path.hold_first[k]; i < path.hold_first[k + 1]; i++) {
            const bool first = i == path.hold_first[k];
            assert_int_equal(path.hold_pair[2 * i], first ? 0 : 2);
            assert_int_equal(path.hold_pair[2 * i + 1], first ? 1 : 4);
            assert_true(path.hold_lambda[i] == (first ? (double)k : 0.5));
        }
    }
    assert_true((path.u != NULL) == p->velocities);
}

static inline void assert_path_events(mo_run *run, size_t rows)
{
    static const char *const types[] = {"contact", "release", "jump", "outside", "accumulation", "impact"};
    static const size_t gaps[] = {2, 0, 7};
    mo_run_events events;
    must(mo_run_events_get(run, &events, err));
    assert_int_equal(events.count, events_of(rows));
    assert_int_equal(mo_run_info_get(run)->events, events_of(rows));
    assert_int_equal(events.gap_first[events.count], gaps_of(rows));
    for (size_t i = 0; i < events.count; i++) {
        const size_t k = 3 * i;
        assert_true(events.t[i] == 0.125 * (double)k && events.size[i] == 1.0 / (double)(k + 1));
        assert_string_equal(events.type[i], types[i % 6]);
        assert_int_equal(events.gap_first[i + 1] - events.gap_first[i], k % 4);
        for (size_t g = 0; g < k % 4; g++)
            assert_int_equal(events.gaps[events.gap_first[i] + g], gaps[g]);
    }
}

static inline void assert_path_series(mo_run *run, size_t rows)
{
    const double *t, *values;
    must(mo_run_series(run, &t, &values, err));
    assert_int_equal(mo_run_info_get(run)->series_count, 2);
    assert_int_equal(mo_run_info_get(run)->series_rows, rows);
    for (size_t k = 0; k < rows; k++)
        assert_true(t[k] == 0.125 * (double)k && values[2 * k] == (double)k && values[2 * k + 1] == 0.5);
}

/* rows, events and series as put_rows made them */
static inline void assert_path(mo_run *run, const small_path *p, size_t rows)
{
    assert_path_rows(run, p, rows);
    assert_path_events(run, rows);
    assert_path_series(run, rows);
}

static inline void assert_checkpoint_after(mo_run *run, size_t k)
{
    uint8_t state[PATH_STATE];
    char text[32];
    mo_checkpoint c;
    memset(state, (int)(k & 255), sizeof state);
    snprintf(text, sizeof text, "after %zu", k);
    must(mo_run_checkpoint(run, &c, err));
    assert_true(c.t == 0.125 * (double)k && c.step == (int64_t)k);
    assert_true(c.extra.random[0] == k && c.extra.random[1] == 5);
    assert_string_equal(c.extra.state_text, text);
    assert_int_equal(c.state_size, PATH_STATE);
    assert_memory_equal(c.state, state, PATH_STATE);
}

/* a new run with rows [0, rows), a checkpoint after each tenth; not finished */
static inline mo_recorder *record_path(const char *file, const small_path *p, size_t rows)
{
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def path = small_path_def(p);
    mo_recorder *rec = NULL;
    must(mo_recorder_create_path(file, &def, &path, &rec, err));
    for (size_t k = 0; k < rows; k++) {
        put_rows(rec, p, k, k + 1);
        if (k % 10 == 9)
            put_checkpoint(rec, k);
    }
    return rec;
}

static inline void record_whole_path(const char *file, const small_path *p, size_t rows)
{
    mo_recorder *rec = record_path(file, p, rows);
    must(mo_recorder_finish(rec, "ok", "{\"length\": 2}", err));
    mo_recorder_destroy(rec);
}

#endif
