/* Run files of worlds in 3D: what was written is read back and gone on with, to the same bits; what is wrong
   is refused. */
#include "record/hostile.h"
#include "record/small_world3.h"

static void parts_match(const mo_body_raw *r, const mo_body_raw *raw)
{
    assert_int_equal(r->part_count, raw->part_count);
    for (size_t p = 0; p < raw->part_count; p++) {
        const mo_part *a = &r->parts[p], *b = &raw->parts[p];
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->vertex_first, b->vertex_first);
        assert_int_equal(a->vertex_count, b->vertex_count);
        assert_true(a->radius == b->radius && a->offset == b->offset);
        assert_memory_equal(a->normal, b->normal, sizeof a->normal);
        if (a->kind == MO_PART_TRIANGLE)
            assert_int_equal(a->link.neighbours, b->link.neighbours);
        if (a->kind != MO_PART_POLYHEDRON)
            continue;
        assert_int_equal(a->link.face.first, b->link.face.first);
        assert_int_equal(a->link.face.count, b->link.face.count);
    }
}

static void body_matches(const mo_body_raw *r, const mo_body_raw *raw)
{
    assert_int_equal(r->kind, raw->kind);
    assert_string_equal(r->name, raw->name);
    assert_string_equal(r->group, raw->group);
    assert_true(r->mass == raw->mass && r->area == raw->area && r->collides_groups == raw->collides_groups);
    assert_memory_equal(r->inertia3, raw->inertia3, sizeof r->inertia3);
    assert_memory_equal(r->axes, raw->axes, sizeof r->axes);
    assert_memory_equal(r->origin, raw->origin, sizeof r->origin);
    assert_memory_equal(r->extent, raw->extent, sizeof r->extent);
    assert_int_equal(r->free, raw->free);
    assert_int_equal(r->limited, raw->limited);
    assert_int_equal(r->oriented, raw->oriented);
    assert_int_equal(r->has_functions, raw->has_functions);
    assert_int_equal(r->vertex_count, raw->vertex_count);
    assert_int_equal(r->face_length, raw->face_length);
    if (raw->vertex_count > 0)
        assert_memory_equal(r->vertices, raw->vertices, 3 * raw->vertex_count * sizeof(double));
    if (raw->face_length > 0)
        assert_memory_equal(r->faces, raw->faces, raw->face_length * sizeof *r->faces);
    parts_match(r, raw);
}

/* the table tells shapes as they were in a body's first frame; that of the growing sphere has changed */
static void bodies_match(const mo_run *run, const mo_world *world, const char *except_of)
{
    for (size_t slot = 0; slot < mo_world_bodies(world).count; slot++) {
        mo_body_raw raw;
        mo_body_raw_get(world, slot, &raw);
        const size_t row = mo_run_body_row(run, raw.id);
        assert_true(row < mo_run_info_get(run)->body_count);
        if (except_of == NULL || !raw.has_functions || strcmp(raw.group, except_of) != 0)
            body_matches(&mo_run_bodies(run)[row], &raw);
    }
}

/* few bodies are stored plainly, many compressed at chunk borders */
static void round_trip(int balls)
{
    const char *path = in_folder("trip.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_small3(path, balls, 6, &rec);
    must(mo_body_remove(world, (mo_body){5}, err));
    add_pebbles(world, 0.6);
    step_and_record(world, rec, 3);
    frame_with_state(world, rec);
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);

    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    const mo_run_info *info = mo_run_info_get(run);
    assert_int_equal(info->dim, 3);
    assert_true(info->gravity[0] == 0.5 && info->gravity[1] == 0 && info->gravity[2] == -9.81);
    assert_int_equal(info->frames, 7);
    assert_int_equal(info->body_count, balls + 16);
    assert_frame_is_world(run, 6, world);
    bodies_match(run, world, "grain");
    mo_world *again = small_world3(balls);
    bodies_match(run, again, NULL);
    for (size_t k = 0; k < 6; k++) {
        for (int i = 0; k > 0 && i < 10; i++)
            must(mo_world_step(again, err));
        assert_frame_is_world(run, k, again);
    }
    assert_true(mo_world_contacts(again).count > 20);
    mo_world_destroy(again);
    mo_run_close(run);
    mo_world_destroy(world);
}

static void few_bodies_come_back(void **state)
{
    (void)state;
    round_trip(3);
}

static void many_bodies_come_back(void **state)
{
    (void)state;
    round_trip(125);
}

/* the radius of a frame: the farthest point from the centre of mass, as it is now */
static void radii_are_those_of_the_frame(void **state)
{
    (void)state;
    mo_run *run = sample_run3(in_folder("radius.h5"), 1, 3);
    mo_frame f;
    must(mo_run_frame(run, 2, &f, err));
    // plane, lift of 0.4 x 0.4 x 0.1, cylinder of radius 0.08 and height 0.1, sphere grown for 0.04 s, ball
    const double expected[][2] = {
        {0, 0}, {2, sqrt(0.04 + 0.04 + 0.0025)}, {4, sqrt(0.0064 + 0.0025)}, {7, 0.054}, {12, 0.04}};
    for (size_t i = 0; i < 5; i++)
        assert_true(fabs(f.radius[(size_t)expected[i][0]] - expected[i][1]) <= 1e-15);
    mo_frame_free(&f);
    mo_run_close(run);
}

/* ---- resuming --------------------------------------------------------------------------------------- */

/* bodies that were made while the run went come back from the file alone */
static void bring_back(mo_run *run, mo_world *world)
{
    const mo_body_raw *table = mo_run_bodies(run);
    for (size_t i = 0; i < mo_run_info_get(run)->body_count; i++)
        if (table[i].id > mo_world_bodies(world).created)
            must(mo_body_restore(world, &table[i], err));
}

static void frames_to(mo_world *world, mo_recorder *rec, int first, int end)
{
    for (int k = first; k < end; k++) {
        if (k == 3)
            add_pebbles(world, 0.6);
        step_and_record(world, rec, k == 0 ? 0 : 10);
        frame_with_state(world, rec);
    }
}

/* contacts that must be pulled as long as they were pushed */
static mo_world *world_with(int balls, bool gluey)
{
    mo_world *world = small_world3(balls);
    const mo_law law = {.friction = 0.3, .gluey = gluey};
    if (gluey)
        must(mo_world_set_law(world, "grain", "wall", &law, err));
    return world;
}

/* of the contacts: how many are of bodies that only the file knew, how many have a memory */
static void count_contacts(const mo_world *world, uint32_t built, size_t *late, size_t *remembering)
{
    const mo_contacts c = mo_world_contacts(world);
    *late = *remembering = 0;
    for (size_t i = 0; i < c.count; i++) {
        *late += c.id2[i] > built;
        *remembering += c.memory != NULL && c.memory[i] != 0;
    }
}

/* 5 frames, the file, 3 more: the same bits as 8 frames */
static void resume_gives_the_same_run(int balls, bool gluey)
{
    const mo_recorder_def def = small_def();
    mo_recorder *rec = NULL;
    mo_world *whole = world_with(balls, gluey), *world = world_with(balls, gluey);
    must(mo_recorder_create(in_folder("whole.h5"), &def, whole, &rec, err));
    frames_to(whole, rec, 0, 8);
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    must(mo_recorder_create(in_folder("part.h5"), &def, world, &rec, err));
    frames_to(world, rec, 0, 5);
    // what comes after the last frame is cut off
    step_and_record(world, rec, 3);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);

    mo_run *run = NULL, *other = NULL;
    must(mo_run_open(in_folder("part.h5"), &run, err));
    world = world_with(balls, gluey);
    bring_back(run, world);
    bodies_match(run, world, NULL);
    restore_last(run, world);
    mo_run_close(run);
    must(mo_recorder_resume(in_folder("part.h5"), &def, world, &rec, err));
    frames_to(world, rec, 5, 8);
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    size_t late, remembering;
    count_contacts(whole, (uint32_t)(12 + balls), &late, &remembering);
    assert_true(late >= 4 && (remembering >= 4) == gluey);
    assert_true(mo_world_hash(world) == mo_world_hash(whole));
    assert_true(mo_world_info_get(world).max_penetration == mo_world_info_get(whole).max_penetration);

    must(mo_run_open(in_folder("part.h5"), &run, err));
    must(mo_run_open(in_folder("whole.h5"), &other, err));
    mo_comparison c;
    must(mo_run_compare(run, other, &c, err));
    assert_true(c.identical && c.frames == 8 && c.max_position == 0 && c.max_angle == 0);
    assert_frame_is_world(run, 7, whole);
    assert_frame_is_world(other, 7, whole);
    assert_int_equal(mo_run_info_get(run)->step_rows, 70);
    mo_run_close(run);
    mo_run_close(other);
    mo_world_destroy(world);
    mo_world_destroy(whole);
}

static void resume_with_few_bodies(void **state)
{
    (void)state;
    resume_gives_the_same_run(3, false);
}

static void resume_with_memory(void **state)
{
    (void)state;
    resume_gives_the_same_run(5, true);
}

static void resume_with_many_bodies(void **state)
{
    (void)state;
    resume_gives_the_same_run(125, false);
}

static void the_other_dimension_is_refused(void **state)
{
    (void)state;
    const mo_recorder_def def = small_def();
    mo_error e = {.message = ""};
    mo_comparison c;
    mo_recorder *rec = NULL, *none = NULL;
    mo_run *flat = NULL, *run = sample_run3(in_folder("space.h5"), 1, 2);
    mo_world *world = record_small(in_folder("flat.h5"), 1, 2, &rec);
    mo_recorder_destroy(rec);
    must(mo_run_open(in_folder("flat.h5"), &flat, err));
    assert_int_equal(mo_run_compare(run, flat, &c, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "dim");
    mo_run_close(run);
    mo_run_close(flat);
    assert_int_equal(mo_recorder_resume(in_folder("space.h5"), &def, world, &none, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "dim");
    assert_null(none);
    mo_world_destroy(world);
}

/* ---- hostile files ---------------------------------------------------------------------------------- */

static char *sample(int balls, size_t *size)
{
    mo_run_close(sample_run3(in_folder("sample.h5"), balls, 4));
    assert_int_equal(read_all(in_folder("sample.h5")), 4);
    return read_whole(in_folder("sample.h5"), size);
}

static void wrong_numbers_are_named(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(3, &size);
    const uint32_t huge = 4000000000u, two = 2, eight = 8, flags = 1024;
    const uint64_t far = 1ull << 60;
    const uint8_t disc = MO_PART_DISC, ten = 10, sphere = MO_PART_SPHERE, polyhedron = MO_PART_POLYHEDRON;
    const double less = -0.5, none = (double)NAN;
    // parts: plane, two triangles, box of the lift, two of the lump, cylinder; faces begin with the box's
    const wrong_number cases[] = {{"/bodies/flags", H5T_NATIVE_UINT32, 1, &flags, "/bodies/flags"},
                                  {"/bodies/face_end", H5T_NATIVE_UINT64, 2, &far, "/bodies/face_end"},
                                  {"/bodies/inertia", H5T_NATIVE_DOUBLE, 3, &less, "/bodies/mass"},
                                  {"/bodies/axes", H5T_NATIVE_DOUBLE, 3, &none, "/bodies/axes"},
                                  {"/bodies/axes", H5T_NATIVE_DOUBLE, 3, &less, "/bodies/axes"},
                                  {"/bodies/extent", H5T_NATIVE_DOUBLE, 3, &none, "/bodies/extent"},
                                  {"/bodies/origin", H5T_NATIVE_DOUBLE, 3, &none, "/bodies/origin"},
                                  {"/vertices", H5T_NATIVE_DOUBLE, 3, &none, "/vertices"},
                                  {"/parts/kind", H5T_NATIVE_UINT8, 3, &disc, "/parts/kind"},
                                  {"/parts/kind", H5T_NATIVE_UINT8, 3, &ten, "/parts/kind"},
                                  {"/parts/kind", H5T_NATIVE_UINT8, 3, &sphere, "/parts/geometry"},
                                  {"/parts/kind", H5T_NATIVE_UINT8, 1, &polyhedron, "/parts/geometry"},
                                  {"/parts/link", H5T_NATIVE_UINT32, 1, &eight, "/parts/geometry"},
                                  {"/parts/link", H5T_NATIVE_UINT32, 3, &two, "/parts/geometry"},
                                  {"/parts/link", H5T_NATIVE_UINT32, 3, &huge, "/parts/geometry"},
                                  {"/parts/geometry", H5T_NATIVE_DOUBLE, 3, &none, "/parts/geometry"},
                                  {"/parts/vertex_first", H5T_NATIVE_UINT32, 3, &huge, "/parts/geometry"},
                                  {"/parts/vertex_count", H5T_NATIVE_UINT32, 3, &huge, "/parts/geometry"},
                                  {"/faces", H5T_NATIVE_UINT32, 0, &two, "/parts/geometry"},
                                  {"/faces", H5T_NATIVE_UINT32, 0, &huge, "/parts/geometry"},
                                  {"/faces", H5T_NATIVE_UINT32, 1, &eight, "/parts/geometry"},
                                  {"/faces", H5T_NATIVE_UINT32, 1, &huge, "/parts/geometry"}};
    expect_refused(bytes, size, cases, sizeof cases / sizeof *cases);
    free(bytes);
}

/* the second number of /parts/link counts the faces, here of the lift's box */
static void wrong_counts_and_turns_are_named(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(3, &size);
    mo_error e = {.message = ""};
    const char *path = in_folder("second.h5");
    const uint32_t counts[] = {0, 3, 7, 4000000000u};
    for (size_t i = 0; i < 4; i++) {
        write_whole(path, bytes, size);
        assert_int_equal(read_with_number_at(path, "/parts/link", H5T_NATIVE_UINT32, 3, 1, &counts[i], &e),
                         MO_BAD_FILE);
        assert_string_equal(e.key, "/parts/geometry");
    }
    // an orientation that is not of unit length is none; that of a run that broke is still read
    const double long_one = 1.5, broken = (double)NAN;
    write_whole(path, bytes, size);
    assert_int_equal(read_with_number_at(path, "/frame_bodies/q", H5T_NATIVE_DOUBLE, 4, 4, &long_one, &e),
                     MO_BAD_FILE);
    assert_string_equal(e.key, "/frame_bodies/q");
    write_whole(path, bytes, size);
    assert_int_equal(read_with_number_at(path, "/frame_bodies/q", H5T_NATIVE_DOUBLE, 4, 4, &broken, &e),
                     MO_OK);
    assert_int_equal(read_all(path), 4);
    free(bytes);
}

static void cut_off_and_changed(void **state)
{
    (void)state;
    size_t size;
    char *bytes = sample(3, &size);
    read_cut_off(bytes, size, 4);
    read_changed(bytes, size, 500, 4);
    free(bytes);
    bytes = sample(120, &size);
    read_changed(bytes, size, 300, 4);
    free(bytes);
}

/* a ball without weight, turned and turning */
static mo_world *world_of_a_ball(mo_body_def *out)
{
    mo_world_def def = mo_default_world_def();
    def.dim = 3;
    mo_world *world = NULL;
    must(mo_world_create(&def, &world, err));
    *out = solid_def((mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = 0.04}, 0, 0, 0, "grain");
    out->orientation[0] = 0.6, out->orientation[1] = 0.8;
    out->spin3[0] = 1, out->spin3[1] = 2, out->spin3[2] = 3;
    return world;
}

/* the table says along which axes spins are, also where a ball has its own: files of earlier versions */
static void balls_with_spins_along_their_axes_go_on(void **state)
{
    (void)state;
    mo_body_def def;
    mo_body_raw raw;
    mo_body_state s;
    mo_recorder *rec = NULL;
    mo_run *run = NULL;
    mo_frame f;
    const mo_recorder_def small = small_def();
    mo_world *plain = world_of_a_ball(&def), *world = world_of_a_ball(&def);
    const mo_body ball = add_solid(plain, &def);
    mo_body_raw_get(plain, 0, &raw);
    raw.oriented = true;
    must(mo_body_restore(world, &raw, err));
    must(mo_body_get(plain, ball, &s, err));
    must(mo_body_set(world, ball, &s, err));
    assert_true(fabs(mo_world_bodies(world).u[5] - 3) > 0.1);
    must(mo_recorder_create(in_folder("ball.h5"), &small, world, &rec, err));
    step_and_record(world, rec, 5);
    frame_with_state(world, rec);
    mo_recorder_destroy(rec);
    must(mo_run_open(in_folder("ball.h5"), &run, err));
    must(mo_run_frame(run, 0, &f, err));
    // bodies that were made later and are gone leave a number
    must(mo_run_restore(run, &f, 3, plain, err));
    must(mo_body_get(plain, ball, &s, err));
    for (int k = 0; k < 3; k++)
        assert_true(fabs(s.spin3[k] - def.spin3[k]) < 1e-14);
    assert_true(mo_world_hash(plain) == mo_world_hash(world));
    for (int i = 0; i < 10; i++) {
        must(mo_world_step(plain, err));
        must(mo_world_step(world, err));
    }
    assert_true(mo_world_hash(plain) == mo_world_hash(world));
    mo_frame_free(&f);
    mo_run_close(run);
    mo_world_destroy(plain);
    mo_world_destroy(world);
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_bodies_come_back),
                                       cmocka_unit_test(many_bodies_come_back),
                                       cmocka_unit_test(radii_are_those_of_the_frame),
                                       cmocka_unit_test(resume_with_few_bodies),
                                       cmocka_unit_test(resume_with_memory),
                                       cmocka_unit_test(resume_with_many_bodies),
                                       cmocka_unit_test(balls_with_spins_along_their_axes_go_on),
                                       cmocka_unit_test(the_other_dimension_is_refused),
                                       cmocka_unit_test(wrong_numbers_are_named),
                                       cmocka_unit_test(wrong_counts_and_turns_are_named),
                                       cmocka_unit_test(cut_off_and_changed)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
