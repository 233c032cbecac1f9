/*
 * Mistakes in scenes of 3D worlds: file, line, key, what was found and what was expected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define W "world { dim = 3, h = 0.1, t_end = 1 }\n"
#define FLAT "world { dim = 2, h = 0.1, t_end = 1 }\n"
#define BALL "shape = sphere { radius = 1 }"

static const mistake mistakes[] = {
    /* dimensions that do not fit */
    {W "body { shape = disc { radius = 1 }, density = 1 }", 2, "body.shape",
     "this disc is a shape of 2D worlds"},
    {W "body { shape = halfplane { normal = {0, 1} }, fixed = true }", 2, "body.shape",
     "expected one of a world with dim = 3"},
    {FLAT "body { " BALL ", density = 1 }", 2, "body.shape", "this sphere is a shape of 3D worlds"},
    {FLAT "local c = compound { { " BALL " } }\nbody { shape = c, density = 1 }", 3, "body.shape",
     "this compound is a shape of 3D worlds"},
    {W "compound { { " BALL " }, { shape = disc { radius = 1 } } }", 2, "compound[2]",
     "the first part of the compound is three-dimensional"},
    {"world { dim = 3, h = 0.1, t_end = 1, gravity = {0, -9.81} }", 1, "world.gravity",
     "expected {x, y, z} with three numbers, got 2 numbers"},
    {"world { dim = 3, h = 0.1, t_end = 1, gravity = {0, 0, 0, 1} }", 1, "world.gravity", "got 4 entries"},
    {"world { dim = 3, h = 0.1, t_end = 1, gravity = {0, nil, 0} }", 1, "world.gravity",
     "got nothing at place 2"},
    {W "body { " BALL ", density = 1, position = {1, 2} }", 2, "body.position", "got 2 numbers"},
    {FLAT "body { shape = disc { radius = 1 }, density = 1, position = {1, 2, 3} }", 2, "body.position",
     "expected {x, y} with two numbers, got 3 entries"},
    {W "body { " BALL ", density = 1, velocity = {1, 2} }", 2, "body.velocity", "got 2 numbers"},
    {W "body { " BALL ", density = 1, spin = 3 }", 2, "body.spin",
     "expected a table {x, y, z} of three numbers, got number 3"},
    {FLAT "body { shape = disc { radius = 1 }, density = 1, spin = {0, 0, 1} }", 2, "body.spin",
     "expected a number, got a table"},
    {W "body { " BALL ", density = 1, angle = 1 }", 2, "body.angle",
     "a body of a 3D world has no angle, expected orientation"},
    {FLAT "body { shape = disc { radius = 1 }, density = 1, orientation = {1, 0, 0, 0} }", 2,
     "body.orientation", "a body of a 2D world has no orientation, expected angle"},
    /* orientations */
    {W "body { " BALL ", density = 1, orientation = {0, 0, 0, 0} }", 2, "body.orientation",
     "expected a quaternion {qw, qx, qy, qz} other than zero"},
    {W "body { " BALL ", density = 1, orientation = {1, 0, 0} }", 2, "body.orientation",
     "expected {qw, qx, qy, qz} with four numbers, got 3 numbers"},
    {W "body { " BALL ", density = 1, orientation = {1, 0, 0/0, 0} }", 2, "body.orientation", "place 3"},
    /* bodies */
    {W "body { " BALL ", mass = 1, inertia = 3 }", 2, "body.inertia", "expected a table {x, y, z}"},
    {W "body { " BALL ", mass = 1, inertia = {1, 1, 0} }", 2, "body.inertia[3]",
     "expected a number > 0, got 0"},
    {W "body { " BALL ", mass = 1, inertia = {1, 1, 9} }", 2, "body.inertia", "sum of the others"},
    {W "body { " BALL ", mass = 1, free = {'x', 'angle'} }", 2, "body.free[2]",
     "expected \"x\", \"y\", \"z\", \"wx\", \"wy\" or \"wz\", got string \"angle\""},
    {FLAT "body { shape = disc { radius = 1 }, mass = 1, free = {'z'} }", 2, "body.free[1]", "or \"angle\""},
    {W "body { " BALL ", mass = 1, free = {'x'}, spin = {0, 1, 0} }", 2, "body.spin", "not free"},
    {W "body { " BALL ", mass = 1, applied_torque = 3 }", 2, "body.applied_torque", "expected a table"},
    {W "body { " BALL ", mass = 1, applied_force = {1, 2} }", 2, "body.applied_force", "got 2 numbers"},
    {W "body { shape = plane { normal = {0, 0, 1} }, mass = 1 }", 2, "body.shape", "a plane must be fixed"},
    {W "body { density = 1 }", 2, "body.shape", "sphere{radius = 1}, got nothing"},
    /* shapes */
    {W "sphere { radius = -1 }", 2, "sphere.radius", "expected a number > 0, got -1"},
    {W "sphere { }", 2, "sphere.radius", "got nothing"},
    {W "sphere { r = 1 }", 2, "sphere.r", "unknown key"},
    {W "box { 1, 2 }", 2, "box", "expected {x, y, z} with three numbers, got 2 numbers"},
    {W "box { 1, 2, 0 }", 2, "box[3]", "expected a number > 0, got 0"},
    {W "cylinder { radius = 1 }", 2, "cylinder.height", "got nothing"},
    {W "capsule { radius = 0, height = 1 }", 2, "capsule.radius", "expected a number > 0"},
    {W "convex { {0,0,0}, {1,0,0}, {0,1,0} }", 2, "convex", "expected at least 4 points {x, y, z}, got 3"},
    {W "convex { {0,0,0}, {1,0,0}, {0,1,0}, {0,1} }", 2, "convex[4]", "got 2 numbers"},
    {W "body { shape = convex { {0,0,0}, {1,0,0}, {0,1,0}, {1,1,0} }, density = 1 }", 2, "body.points", ""},
    {W "plane { offset = 1 }", 2, "plane.normal", "expected {x, y, z}, got nothing"},
    {W "plane { normal = {0, 0, 0} }", 2, "plane.normal", "other than {0, 0, 0}"},
    {W "plane { normal = {0, 1} }", 2, "plane.normal", "got 2 numbers"},
    {W "compound { { shape = plane { normal = {0, 0, 1} } } }", 2, "compound[1]",
     "made of spheres, boxes, cylinders, capsules and convex hulls"},
    {W "compound { { " BALL ", angle = 1 } }", 2, "compound[1].angle", "expected orientation"},
    {W "compound { { " BALL ", position = {1, 2} } }", 2, "compound[1].position", "got 2 numbers"},
    {W "compound { { " BALL ", orientation = {0, 0, 0, 0} } }", 2, "compound[1].orientation",
     "other than zero"},
    {W "compound { { shape = sphere { radius = function(t) return 1 end } } }", 2, "compound[1]",
     "available for a sphere of its own only"},
    {W "body { shape = sphere { radius = function(t) return t - 1 end }, density = 1 }", 2, "sphere.radius",
     "expected a number > 0"},
    /* meshes */
    {W "mesh { }", 2, "mesh.file", "expected the name of an STL or OBJ file, got nothing"},
    {W "mesh { file = 3 }", 2, "mesh.file", "expected a string"},
    {W "mesh { file = 'no such file.stl' }", 2, "mesh.file", "cannot open no such file.stl: No such file"},
    {W "mesh { file = '/dev/zero' }", 2, "mesh.file", "expected a regular file, got /dev/zero"},
    {W "mesh { file = '/tmp' }", 2, "mesh.file", "expected a regular file"},
    /* functions */
    {W "body { " BALL ", motion = function(t) return { angle = t } end }", 2, "body.motion.angle",
     "unknown key"},
    {W "body { " BALL ", motion = function(t) return 3 end }", 2, "body.motion",
     "expected a table {x =, y =, z =, rotation = or orientation =}"},
    {W "body { " BALL ", motion = function(t) return { orientation = {t, 0, 0, 0} } end }", 2,
     "body.motion.orientation", "a length other than 0"},
    {W "body { " BALL ", motion = function(t) return { orientation = {1, 0, 0} } end }", 2,
     "body.motion.orientation", "of four numbers"},
    {W "body { " BALL ", motion = function(t)\n"
       "return { rotation = {0, 0, t}, orientation = {1, 0, 0, 0} } end }",
     2, "body.motion.rotation", "not both"},
    {W "body { " BALL ", motion = function(t)\n return { rotation = t } end }", 2, "body.motion.rotation",
     "expected a table {rx, ry, rz}"},
    {W "body { " BALL ", motion = function(t) return { rotation = {0, t} } end }", 2, "body.motion.rotation",
     "of three numbers"},
    {W "body { " BALL ", motion = function(t) return { rotation = {0, 'a', t} } end }", 2,
     "body.motion.rotation[2]", "gave string \"a\" at t = 0"},
    {W "body { " BALL ", motion = function(t) return { rotation = {0, 0, math.sqrt(t)} } end }", 2,
     "body.motion.rotation[3]", "derivative"},
    {W "body { " BALL ", mass = 1, applied_force = function(t) return {1, 2} end }", 2, "body.applied_force",
     "got 2 numbers"},
    {W "body { " BALL ", mass = 1, applied_torque = function(t) return 1 end }", 2, "body.applied_torque",
     "a table {x, y, z} of three numbers"},
    /* handles */
    {W "local b = body { " BALL ", mass = 1 }\nlocal a = b.angle", 3, "angle",
     "has no angle, but an orientation"},
    {FLAT "local b = body { shape = disc { radius = 1 }, mass = 1 }\nlocal a = b.orientation", 3,
     "orientation", "has no orientation, but an angle"},
    {W "local b = body { " BALL ", mass = 1 }\nb.position = {1, 2}", 3, "body.position", "got 2 numbers"},
    {W "local b = body { shape = box { 1, 1, 1 }, mass = 1 }\nb.orientation = {0, 0, 0, 0}", 3,
     "body.orientation", "other than zero"},
    {W "local b = body { " BALL ", mass = 1 }\nb.torque = {1, 2, 3}", 3, "torque", "cannot be set"},
    {W "local b = body { " BALL ", mass = 1, free = {'x', 'wx'} }\nb.spin = {1, 1, 0}", 3, "body.spin",
     "not free"},
    /* measures */
    {W "measure.solid_fraction { min = {0, 0}, max = {1, 1} }", 2, "measure.solid_fraction.min",
     "got 2 numbers"},
    {W "measure.stress { min = {0, 0, 0}, max = {1, 1, 0} }", 2, "measure.stress.max",
     "all three directions"},
    {W "measure.solid_fraction()", 2, "measure.solid_fraction.region", "found no free body"},
    {W "measure.resultant { point = {0, 0, 0}, normal = {0, 1} }", 2, "measure.resultant.normal",
     "got 2 numbers"},
    {W "measure.resultant { point = {0, 0, 0}, normal = {0, 0, 0} }", 2, "measure.resultant.normal",
     "zero vector"},
};

static void each_mistake_is_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

/* ---- mesh files
 * ---------------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/scene-mesh-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* runs a scene beside a mesh file with this text, within limits; the file is gone afterwards */
static void run_beside(const char *file, const char *content, const char *text, const scene_limits *limits,
                       outcome *o)
{
    char path[100], scene[100];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(scene, sizeof scene, "%s/scene.lua", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(content, f) >= 0);
    assert_int_equal(fclose(f), 0);
    scene_options options = text_options(text, o);
    options.path = scene;
    o->said[0] = '\0';
    memset(&o->err, 0, sizeof o->err);
    o->status = scene_run_limited(&options, limits, &o->result, &o->err);
    assert_int_equal(unlink(path), 0);
}

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"

/* a message names the mesh file with its line, and the scene with the line that asked for it */
static void bad_mesh_files(void **state)
{
    (void)state;
    static const struct {
        const char *file, *content, *message;
    } cases[] = {
        {"a.obj", "v 0 0 0\nv 1 0 zero\n", "/a.obj:2: "},
        {"b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "/b.obj:4: "},
        {"c.stl", "solid c\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "/c.stl"},
        {"d.stl", "", "/d.stl"},
        {"e.txt", TRIANGLE, "expected .stl or .obj"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        outcome o;
        scene_limits limits = scene_default_limits();
        snprintf(text, sizeof text, W "\nmesh { file = '%s' }", cases[i].file);
        run_beside(cases[i].file, cases[i].content, text, &limits, &o);
        if (o.err.line != 3 || strstr(o.err.message, cases[i].message) == NULL)
            print_error("%s: line %d: %s\n", cases[i].file, o.err.line, o.err.message);
        assert_int_equal(o.status, MO_BAD_INPUT);
        assert_int_equal(o.err.line, 3);
        assert_string_equal(o.err.key, "mesh.file");
        assert_non_null(strstr(o.err.message, cases[i].message));
        assert_non_null(strstr(o.err.file, "/scene.lua"));
        outcome_free(&o);
    }
}

/* as many bytes as a scene may read, over all files; what a caught error read counts too */
static void mesh_bytes_are_limited(void **state)
{
    (void)state;
    outcome o;
    scene_limits limits = scene_default_limits();
    limits.mesh_bytes = 3 * strlen(TRIANGLE);
    run_beside("t.obj", TRIANGLE,
               W "for i = 1, 3 do body { shape = mesh { file = 't.obj' }, fixed = true } end", &limits, &o);
    assert_int_equal(o.status, MO_OK);
    outcome_free(&o);
    run_beside("t.obj", TRIANGLE,
               W "for i = 1, 4 do pcall(mesh, { file = 't.obj' }) end\nmesh { file = 't.obj' }", &limits, &o);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_int_equal(o.err.line, 3);
    assert_non_null(strstr(o.err.message, "in all mesh files together"));
    outcome_free(&o);
    /* points of bodies: six to a triangle */
    limits = scene_default_limits();
    limits.points = 11;
    run_beside("t.obj", TRIANGLE,
               W "local m = mesh { file = 't.obj' }\nfor i = 1, 2 do body { shape = m, fixed = true } end",
               &limits, &o);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_non_null(strstr(o.err.message, "more than 11 points"));
    outcome_free(&o);
    /* a free body cannot be a mesh */
    limits = scene_default_limits();
    run_beside("t.obj", TRIANGLE, W "body { shape = mesh { file = 't.obj' }, mass = 1 }", &limits, &o);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_string_equal(o.err.key, "body.shape");
    assert_non_null(strstr(o.err.message, "a mesh must be fixed"));
    outcome_free(&o);
}

/* what would block or never end is not opened */
static void pipes_are_not_opened(void **state)
{
    (void)state;
    char path[100], text[200];
    outcome o;
    snprintf(path, sizeof path, "%s/pipe.stl", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(text, sizeof text, W "mesh { file = '%s' }", path);
    run_text(text, &o);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_non_null(strstr(o.err.message, "expected a regular file"));
    outcome_free(&o);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_is_told),
        cmocka_unit_test(bad_mesh_files),
        cmocka_unit_test(mesh_bytes_are_limited),
        cmocka_unit_test(pipes_are_not_opened),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
