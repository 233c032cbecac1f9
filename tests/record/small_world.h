/* A small world with every kind of shape, and runs of it, for the tests of run files. */
#ifndef RECORD_SMALL_WORLD_H
#define RECORD_SMALL_WORLD_H

#include <moreau/moreau.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define must(call)                                                                                           \
    do {                                                                                                     \
        mo_error must_err = {.message = ""};                                                                 \
        mo_error *err = &must_err;                                                                           \
        if ((call) != MO_OK)                                                                                 \
            fail_msg("%s: %s (%s) %s", #call, must_err.message, must_err.key, must_err.file);                \
    } while (0)

static const char *const observed[] = {"height", "a,b \"c\""};

/* how small_def's recorders write, and how many frames or checkpoints then can be on their way */
static bool in_background;
enum { ON_THEIR_WAY = 2 };

static inline size_t surely_written(size_t reported)
{
    const size_t rest = in_background ? ON_THEIR_WAY : 0;
    return reported > rest ? reported - rest : 0;
}

static inline mo_recorder_def small_def(void)
{
    return (mo_recorder_def){.scene_name = "small",
                             .scene_folder = "/scenes/of mine",
                             .scene_text = "world { dim = 2 }\n",
                             .params_json = "{\"n\": 3}",
                             .seed = 18446744073709551615u,
                             .t_end = 1,
                             .every = 0.01,
                             .solver = "nlgs",
                             .series = observed,
                             .series_count = 2,
                             .background = in_background};
}

static inline mo_body add_body(mo_world *world, mo_shape_def shape, double x, double y, const char *group,
                               const char *name)
{
    mo_body_def def = mo_default_body_def();
    mo_body body = {0};
    def.shape = shape;
    def.position[0] = x;
    def.position[1] = y;
    def.group = group;
    def.name = name;
    if (strcmp(group, "wall") == 0)
        def.kind = MO_BODY_FIXED;
    else
        def.density = 1000;
    must(mo_body_create(world, &def, &body, err));
    return body;
}

static inline mo_body add_disc(mo_world *world, double x, double y)
{
    return add_body(world, (mo_shape_def){.kind = MO_SHAPE_DISC, .radius = 0.05}, x, y, "grain", NULL);
}

/* a floor, a half-plane, a chain, a box, a triangle, a compound and n discs */
static inline mo_world *small_world(int discs)
{
    static const double floor_points[] = {-3, 0, 3, 0}, chain[] = {-3, 0, -3.1, 1, -3.2, 2};
    static const double triangle[] = {0, 0, 0.2, 0, 0, 0.2};
    mo_world_def def = mo_default_world_def();
    def.h = 0.002;
    def.gravity[1] = -9.81;
    mo_world *world = NULL;
    must(mo_world_create(&def, &world, err));
    const mo_law law = {.friction = 0.3, .restitution = 0.1};
    must(mo_world_set_default_law(world, &law, err));
    add_body(world, (mo_shape_def){.kind = MO_SHAPE_SEGMENT, .points = floor_points, .point_count = 2}, 0, 0,
             "wall", "floor");
    add_body(world, (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {1, 0}, .offset = -4}, 0, 0, "wall",
             NULL);
    add_body(world, (mo_shape_def){.kind = MO_SHAPE_CHAIN, .points = chain, .point_count = 3}, 0, 0, "wall",
             NULL);
    add_body(world, (mo_shape_def){.kind = MO_SHAPE_RECTANGLE, .size = {0.2, 0.1}}, -1, 0.05, "box",
             "the box");
    add_body(world, (mo_shape_def){.kind = MO_SHAPE_POLYGON, .points = triangle, .point_count = 3}, 1, 0.1,
             "grain", NULL);
    const mo_shape_def disc = {.kind = MO_SHAPE_DISC, .radius = 0.05};
    const mo_shape_child children[] = {{.shape = &disc, .position = {-0.04, 0}, .angle = 0},
                                       {.shape = &disc, .position = {0.04, 0}, .angle = 0.5}};
    add_body(world, (mo_shape_def){.kind = MO_SHAPE_COMPOUND, .children = children, .child_count = 2}, 1.5,
             0.2, "grain", "pair");
    for (int i = 0; i < discs; i++)
        add_disc(world, -2 + 0.11 * (i % 36), 0.4 + 0.11 * (i / 36));
    return world;
}

static inline void step_and_record(mo_world *world, mo_recorder *rec, int steps)
{
    for (int i = 0; i < steps; i++) {
        must(mo_world_step(world, err));
        must(mo_recorder_step(rec, world, err));
    }
    const mo_world_info info = mo_world_info_get(world);
    const double values[2] = {(double)info.steps, -0.5 * info.time};
    must(mo_recorder_series(rec, world, values, err));
}

static inline void frame_with_state(mo_world *world, mo_recorder *rec)
{
    char text[64];
    snprintf(text, sizeof text, "state at step %lld", (long long)mo_world_info_get(world).steps);
    const mo_frame_extra extra = {.random = {(uint64_t)mo_world_info_get(world).steps, 77},
                                  .state_text = text};
    must(mo_recorder_frame(rec, world, &extra, err));
}

/* the world, after a run of `frames` frames, `steps` steps apart, that is not finished */
static inline mo_world *record_frames(const char *path, mo_world *world, int frames, int steps,
                                      mo_recorder **rec)
{
    const mo_recorder_def def = small_def();
    must(mo_recorder_create(path, &def, world, rec, err));
    for (int k = 0; k < frames; k++) {
        step_and_record(world, *rec, k == 0 ? 0 : steps);
        frame_with_state(world, *rec);
    }
    return world;
}

/* frames five steps apart */
static inline mo_world *record_small(const char *path, int discs, int frames, mo_recorder **rec)
{
    return record_frames(path, small_world(discs), frames, 5, rec);
}

/* finishes a run and opens it */
static inline mo_run *finish_and_open(const char *path, mo_world *world, mo_recorder *rec)
{
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    return run;
}

static inline mo_run *sample_run(const char *path, int discs, int frames)
{
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, discs, frames, &rec);
    return finish_and_open(path, world, rec);
}

/* the frame is the world as it is now, bit by bit */
static inline void assert_frame_is_world(mo_run *run, size_t k, const mo_world *world)
{
    const mo_bodies b = mo_world_bodies(world);
    const mo_contacts c = mo_world_contacts(world);
    const mo_world_totals totals = mo_world_totals_get(world);
    const size_t dim = (size_t)b.dim, nq = dim == 2 ? 3 : 7, nu = dim == 2 ? 3 : 6;
    mo_frame f;
    must(mo_run_frame(run, k, &f, err));
    assert_int_equal(f.dim, b.dim);
    assert_int_equal(f.body_count, b.count);
    assert_int_equal(f.contact_count, c.count);
    assert_memory_equal(f.id, b.id, b.count * sizeof *b.id);
    assert_memory_equal(f.q, b.q, nq * b.count * sizeof *b.q);
    assert_memory_equal(f.u, b.u, nu * b.count * sizeof *b.u);
    assert_memory_equal(f.load, mo_world_loads(world), nu * b.count * sizeof *b.u);
    assert_memory_equal(f.force, mo_world_forces(world), nu * b.count * sizeof *b.u);
    if (c.count > 0) {
        assert_memory_equal(f.id1, c.id1, c.count * sizeof *c.id1);
        assert_memory_equal(f.id2, c.id2, c.count * sizeof *c.id2);
        assert_memory_equal(f.feature, c.feature, c.count * sizeof *c.feature);
        assert_memory_equal(f.point, c.point, dim * c.count * sizeof *c.point);
        assert_memory_equal(f.normal, c.normal, dim * c.count * sizeof *c.normal);
        assert_memory_equal(f.gap, c.gap, c.count * sizeof *c.gap);
        assert_memory_equal(f.impulse, c.impulse, dim * c.count * sizeof *c.impulse);
        assert_memory_equal(f.velocity, c.velocity, dim * c.count * sizeof *c.velocity);
        assert_memory_equal(f.status, c.status, c.count);
        for (size_t i = 0; i < c.count; i++)
            assert_true(f.memory[i] == (c.memory != NULL ? c.memory[i] : 0));
    }
    assert_true(f.totals.steps == totals.steps && f.totals.worst_residual == totals.worst_residual &&
                f.totals.iterations_total == totals.iterations_total &&
                f.totals.contact_iterations_total == totals.contact_iterations_total &&
                f.totals.unconverged_steps == totals.unconverged_steps &&
                f.totals.fast_bodies == totals.fast_bodies && f.totals.penetration == totals.penetration &&
                f.totals.max_penetration == totals.max_penetration &&
                f.totals.start_overlap == totals.start_overlap &&
                f.totals.energy_initial == totals.energy_initial &&
                f.totals.work_external == totals.work_external &&
                f.totals.dissipated_friction == totals.dissipated_friction &&
                f.totals.dissipated_impact == totals.dissipated_impact);
    mo_frame_free(&f);
}

/* puts the last frame of a run on a world that has its bodies */
static inline void restore_last(mo_run *run, mo_world *world)
{
    mo_frame f;
    must(mo_run_frame(run, mo_run_info_get(run)->frames - 1, &f, err));
    const mo_restart restart = {.totals = f.totals,
                                .body_count = f.body_count,
                                .id = f.id,
                                .q = f.q,
                                .u = f.u,
                                .load = f.load,
                                .force = f.force,
                                .contact_count = f.contact_count,
                                .id1 = f.id1,
                                .id2 = f.id2,
                                .feature = f.feature,
                                .point = f.point,
                                .normal = f.normal,
                                .gap = f.gap,
                                .impulse = f.impulse,
                                .velocity = f.velocity,
                                .status = f.status,
                                .memory = f.memory,
                                .rest = f.rest};
    must(mo_world_restore(world, &restart, err));
    mo_frame_free(&f);
}

/* a folder of the test's own, removed with everything in it at the end; paths in it with in_folder */
static char test_folder[64];

static inline int folder_setup(void **state)
{
    (void)state;
    snprintf(test_folder, sizeof test_folder, "record-test-XXXXXX");
    return mkdtemp(test_folder) != NULL ? 0 : -1;
}

static inline int folder_teardown(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf ./%s", test_folder);
    return system(command);
}

static inline const char *in_folder(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder, name);
    return path;
}

static inline char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    text[length] = '\0';
    fclose(file);
    if (size != NULL)
        *size = (size_t)length;
    return text;
}

static inline void write_whole(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

#endif
