/* The table of joints of a run file: what joints frames have, and where on their bodies. */
#include "record/small_world3.h"

#include <hdf5.h>

#include "support/close.h"

#include <math.h>

static const double half_turn = 3.14159265358979323846;

/* a quarter turn: x of the world is -y of the body, y is x */
static mo_body add_turned_box(mo_world *world, double x, double y)
{
    mo_body_def def = mo_default_body_def();
    mo_body body = {0};
    def.shape = (mo_shape_def){.kind = MO_SHAPE_RECTANGLE, .size = {1, 0.2}};
    def.position[0] = x, def.position[1] = y;
    def.angle = half_turn / 2;
    def.density = 1000;
    must(mo_body_create(world, &def, &body, err));
    return body;
}

static mo_joint_def def_of(mo_joint_kind kind, mo_body one, mo_body two, double x, double y)
{
    mo_joint_def def = mo_default_joint_def();
    def.kind = kind;
    def.body1 = one, def.body2 = two;
    def.at[0] = x, def.at[1] = y;
    return def;
}

static mo_joint join(mo_world *world, const mo_joint_def *def)
{
    mo_joint joint = {0};
    must(mo_joint_create(world, def, &joint, err));
    return joint;
}

static mo_world *empty_world(int dim)
{
    mo_world_def def = mo_default_world_def();
    def.dim = dim;
    def.h = 0.002;
    mo_world *world = NULL;
    must(mo_world_create(&def, &world, err));
    return world;
}

/* boxes 1 and 2, joined to the world, and 3 on rails */
static mo_world *joined_world(void)
{
    mo_world *world = empty_world(2);
    const mo_body a = add_turned_box(world, 1, 2), b = add_turned_box(world, 4, 2),
                  c = add_turned_box(world, 8, 2);
    mo_joint_def hinge = def_of(MO_JOINT_HINGE, a, (mo_body){0}, 1.5, 2);
    join(world, &hinge);
    mo_joint_def rod = def_of(MO_JOINT_DISTANCE, a, b, 1, 2.5);
    rod.at2[0] = 4, rod.at2[1] = 1.75;
    join(world, &rod);
    mo_joint_def rail = def_of(MO_JOINT_SLIDER, c, (mo_body){0}, 8, 2);
    rail.axis[0] = 3, rail.axis[1] = 4;
    join(world, &rail);
    return world;
}

static void assert_point(const double *x, double a, double b, double c)
{
    assert_close(x[0], a, 1e-15);
    assert_close(x[1], b, 1e-15);
    assert_close(x[2], c, 1e-15);
}

/* frame 1 has a spring besides, frame 2 no hinge */
static mo_run *recorded(const char *path)
{
    mo_recorder *rec = NULL;
    mo_world *world = record_frames(path, joined_world(), 1, 0, &rec);
    mo_joint_def spring = def_of(MO_JOINT_SPRING, (mo_body){2}, (mo_body){3}, 4, 2);
    spring.at2[0] = 8, spring.at2[1] = 2;
    spring.stiffness = 10;
    join(world, &spring);
    frame_with_state(world, rec);
    must(mo_joint_remove(world, (mo_joint){1}, err));
    frame_with_state(world, rec);
    frame_with_state(world, rec);
    return finish_and_open(path, world, rec);
}

static void joints_are_read_back_where_they_are(void **state)
{
    (void)state;
    mo_run *run = recorded(in_folder("joints.h5"));
    assert_int_equal(mo_run_info_get(run)->joint_count, 4);
    const mo_run_joint *j = mo_run_joints(run);
    static const mo_joint_kind kinds[] = {MO_JOINT_HINGE, MO_JOINT_DISTANCE, MO_JOINT_SLIDER,
                                          MO_JOINT_SPRING};
    static const uint32_t bodies[][2] = {{1, 0}, {1, 2}, {3, 0}, {2, 3}};
    static const size_t frames[][2] = {{0, 2}, {0, SIZE_MAX}, {0, SIZE_MAX}, {1, SIZE_MAX}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(j[i].joint.id, i + 1);
        assert_int_equal(j[i].joint.kind, kinds[i]);
        assert_memory_equal(j[i].joint.body, bodies[i], sizeof bodies[i]);
        assert_true(j[i].from == frames[i][0] && j[i].until == frames[i][1]);
    }
    assert_point(j[0].joint.anchor[0], 0, -0.5, 0);
    assert_point(j[0].joint.anchor[1], 1.5, 2, 0);
    assert_point(j[1].joint.anchor[0], 0.5, 0, 0);
    assert_point(j[1].joint.anchor[1], -0.25, 0, 0);
    // (3, 4)/5 seen from the turned box
    assert_point(j[2].joint.axis, 0.8, -0.6, 0);
    assert_point(j[3].joint.axis, 0, 0, 0);
    mo_run_close(run);
}

static void joints_in_space_have_points_and_an_axis(void **state)
{
    (void)state;
    mo_world *world = empty_world(3);
    mo_body_def def = solid_def((mo_shape_def){.kind = MO_SHAPE_BOX, .size = {1, 2, 3}}, 1, 2, 3, "default");
    // a third of a turn about (1, 1, 1): x goes to y, y to z, z to x
    for (int k = 0; k < 4; k++)
        def.orientation[k] = 0.5;
    const mo_body body = add_solid(world, &def);
    mo_joint_def hinge = def_of(MO_JOINT_HINGE, body, (mo_body){0}, 1.5, 2);
    hinge.at[2] = 3;
    hinge.axis[1] = 2;
    join(world, &hinge);
    mo_recorder *rec = NULL;
    record_frames(in_folder("space.h5"), world, 1, 0, &rec);
    mo_run *run = finish_and_open(in_folder("space.h5"), world, rec);
    assert_int_equal(mo_run_info_get(run)->joint_count, 1);
    const mo_joint_raw *j = &mo_run_joints(run)->joint;
    assert_point(j->anchor[0], 0, 0, 0.5);
    assert_point(j->anchor[1], 1.5, 2, 3);
    assert_point(j->axis, 1, 0, 0);
    mo_run_close(run);
}

static bool has_table(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    const bool found = H5Lexists(file, "/joints", H5P_DEFAULT) > 0;
    H5Fclose(file);
    return found;
}

static void worlds_without_joints_have_no_table(void **state)
{
    (void)state;
    mo_run *run = sample_run(in_folder("none.h5"), 3, 2);
    assert_int_equal(mo_run_info_get(run)->joint_count, 0);
    mo_run_close(run);
    assert_false(has_table(in_folder("none.h5")));
    assert_int_equal(mo_run_open(in_folder("none.h5"), &run, NULL), MO_OK);
    mo_run_close(run);
}

static void room_for_joints_can_be_asked_for(void **state)
{
    (void)state;
    mo_recorder *rec = NULL;
    mo_recorder_def def = small_def();
    def.joints = true;
    mo_world *world = empty_world(2);
    const mo_body box = add_turned_box(world, 0, 0);
    must(mo_recorder_create(in_folder("later.h5"), &def, world, &rec, err));
    frame_with_state(world, rec);
    const mo_joint_def hinge = def_of(MO_JOINT_HINGE, box, (mo_body){0}, 0, 0);
    join(world, &hinge);
    frame_with_state(world, rec);
    mo_run *run = finish_and_open(in_folder("later.h5"), world, rec);
    assert_int_equal(mo_run_info_get(run)->joint_count, 1);
    assert_int_equal(mo_run_joints(run)->from, 1);
    mo_run_close(run);
}

/* as many frames more, in a world that was built anew */
static mo_run *resumed(const char *path, mo_world *world, int frames)
{
    mo_recorder *rec = NULL;
    const mo_recorder_def def = small_def();
    must(mo_recorder_resume(path, &def, world, &rec, err));
    for (int k = 0; k < frames; k++)
        frame_with_state(world, rec);
    return finish_and_open(path, world, rec);
}

static void a_resumed_run_goes_on_with_its_joints(void **state)
{
    (void)state;
    const char *path = in_folder("resumed.h5");
    mo_recorder *rec = NULL;
    mo_world_destroy(record_frames(path, joined_world(), 2, 0, &rec));
    mo_recorder_destroy(rec);
    mo_run *run = resumed(path, joined_world(), 2);
    assert_int_equal(mo_run_info_get(run)->joint_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(mo_run_joints(run)[i].from == 0 && mo_run_joints(run)[i].until == SIZE_MAX);
    mo_run_close(run);
    // a world that has the hinge elsewhere and nothing else: one of the same number, but another
    mo_world *other = joined_world();
    for (uint32_t id = 1; id <= 3; id++)
        must(mo_joint_remove(other, (mo_joint){id}, err));
    const mo_joint_def hinge = def_of(MO_JOINT_HINGE, (mo_body){2}, (mo_body){0}, 4, 2);
    assert_int_equal(join(other, &hinge).id, 4);
    run = resumed(path, other, 1);
    assert_int_equal(mo_run_info_get(run)->joint_count, 4);
    for (size_t i = 0; i < 3; i++)
        assert_true(mo_run_joints(run)[i].until == 4);
    assert_true(mo_run_joints(run)[3].from == 4 && mo_run_joints(run)[3].until == SIZE_MAX);
    mo_run_close(run);
    // no joints at all any more: those that were stay in the file
    other = joined_world();
    for (uint32_t id = 1; id <= 3; id++)
        must(mo_joint_remove(other, (mo_joint){id}, err));
    run = resumed(path, other, 1);
    assert_int_equal(mo_run_info_get(run)->joint_count, 4);
    assert_true(mo_run_joints(run)[3].until == 5);
    mo_run_close(run);
}

/* what came after the last complete frame is dropped, and those that had gone are there again */
static void joints_after_the_last_frame_do_not_count(void **state)
{
    (void)state;
    const char *path = in_folder("cut.h5");
    mo_run_close(recorded(path));
    const double none = (double)NAN;
    const hsize_t at[] = {1, 2, 3};
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, "/frames/t", H5P_DEFAULT);
    hid_t space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
    for (int i = 0; i < 3; i++) {
        assert_true(H5Sselect_elements(space, H5S_SELECT_SET, 1, &at[i]) >= 0);
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &none) >= 0);
    }
    H5Sclose(one), H5Sclose(space), H5Dclose(set), H5Fclose(file);
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->frames, 1);
    assert_int_equal(mo_run_info_get(run)->joint_count, 3);
    assert_true(mo_run_joints(run)[0].until == SIZE_MAX);
    mo_run_close(run);
    run = resumed(path, joined_world(), 1);
    assert_int_equal(mo_run_info_get(run)->joint_count, 3);
    assert_true(mo_run_joints(run)[0].until == SIZE_MAX);
    mo_run_close(run);
}

/* the first number of a dataset becomes another one, and the file is refused because of it */
static void assert_refused(const char *dataset, double number)
{
    const char *path = in_folder("false.h5");
    mo_run_close(recorded(path));
    const hsize_t first[2] = {0, 0};
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, dataset, H5P_DEFAULT);
    hid_t space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
    assert_true(H5Sselect_elements(space, H5S_SELECT_SET, 1, first) >= 0);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &number) >= 0);
    H5Sclose(one), H5Sclose(space), H5Dclose(set), H5Fclose(file);
    mo_run *run = NULL;
    mo_error e = {.message = ""};
    assert_int_equal(mo_run_open(path, &run, &e), MO_BAD_FILE);
    assert_string_equal(e.key, dataset);
}

static void false_joints_are_refused(void **state)
{
    (void)state;
    assert_refused("/joints/kind", MO_JOINT_SPRING + 1);
    assert_refused("/joints/bodies", 0);
    assert_refused("/joints/bodies", 17);
    assert_refused("/joints/anchor1", (double)NAN);
    assert_refused("/joints/anchor2", HUGE_VAL);
    assert_refused("/joints/axis", -HUGE_VAL);
    assert_refused("/joints/gone", 4);
    assert_refused("/joints/gone", 1e18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_read_back_where_they_are),
        cmocka_unit_test(joints_in_space_have_points_and_an_axis),
        cmocka_unit_test(worlds_without_joints_have_no_table),
        cmocka_unit_test(room_for_joints_can_be_asked_for),
        cmocka_unit_test(a_resumed_run_goes_on_with_its_joints),
        cmocka_unit_test(joints_after_the_last_frame_do_not_count),
        cmocka_unit_test(false_joints_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
