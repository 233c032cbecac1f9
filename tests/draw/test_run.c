/* Pictures of recorded runs of points: the right picture of the right rows in a file, or a clear refusal. */
#include "draw/canvas.h"
#include "draw/draw.h"
#include "record/small_path.h"

static const char plot_text[] =
    "[{\"title\": \"t\", \"x\": {\"label\": \"h\", \"log\": true, \"down\": false},"
    "\"y\": {\"label\": \"e\", \"log\": true, \"down\": false}, \"equal\": false,"
    "\"curves\": [{\"name\": \"a\", \"x\": [0.1, 0.01], \"y\": [1, null],"
    "\"style\": \"both\"}]}]";

enum { rows = 12 };

static mo_run *run_of(const small_path *p, const char *plots)
{
    mo_recorder *rec = record_path(in_folder("run.h5"), p, rows);
    put_checkpoint(rec, rows - 1);
    for (size_t k = 0; k < 4 && p->n == 2; k++)
        put_outline(rec, k);
    if (plots != NULL)
        must(mo_recorder_plots(rec, plots, err));
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    mo_run *run = NULL;
    must(mo_run_open(in_folder("run.h5"), &run, err));
    return run;
}

static void assert_png(const char *path, int width)
{
    size_t size;
    char *bytes = read_whole(path, &size);
    assert_true(size > 500);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal((unsigned char)bytes[18] * 256 + (unsigned char)bytes[19], width);
    free(bytes);
}

static void assert_same_file(const char *a, const char *b, bool same)
{
    size_t size_a, size_b;
    char *bytes_a = read_whole(a, &size_a), *bytes_b = read_whole(b, &size_b);
    assert_int_equal(size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0, same);
    free(bytes_a);
    free(bytes_b);
}

static void every_kind_of_path_is_drawn(void **state)
{
    (void)state;
    static const small_path line = {.n = 1, .m = 1};
    const small_path *const kinds[] = {&line, &plane, &discs3, &motion};
    for (size_t i = 0; i < 4; i++) {
        mo_run *run = run_of(kinds[i], plot_text);
        draw_options options = draw_default_options();
        options.width = 320;
        must(draw_path(run, SIZE_MAX, &options, in_folder("path.png"), err));
        assert_png(in_folder("path.png"), 320);
        must(draw_plots(run, &options, in_folder("plots.png"), err));
        assert_png(in_folder("plots.png"), 320);
        must(draw_series(run, &options, in_folder("series.png"), err));
        mo_error why = {0};
        assert_int_equal(draw_frame(run, 0, &options, in_folder("frame.png"), &why), MO_BAD_INPUT);
        assert_string_equal(why.key, "kind");
        mo_run_close(run);
    }
}

static void rows_of_discs_are_chosen(void **state)
{
    (void)state;
    mo_run *run = run_of(&discs3, NULL);
    draw_options options = draw_default_options();
    options.width = 200;
    must(draw_path(run, SIZE_MAX, &options, in_folder("end.png"), err));
    must(draw_path(run, rows - 1, &options, in_folder("last.png"), err));
    must(draw_path(run, rows - 2, &options, in_folder("before.png"), err));
    assert_same_file(in_folder("end.png"), in_folder("last.png"), true);
    assert_same_file(in_folder("end.png"), in_folder("before.png"), false);
    mo_error why = {0};
    assert_int_equal(draw_path(run, rows, &options, in_folder("none.png"), &why), MO_BAD_INPUT);
    assert_string_equal(why.key, "frame");
    /* the common view holds the discs of all rows, a refusal leaves it as it was */
    draw_view view, kept;
    must(draw_fit_path_view(run, 0, rows, &view, err));
    for (size_t k = 0; k < rows; k++)
        for (size_t i = 0; i < 3; i++)
            for (size_t axis = 0; axis < 2; axis++) {
                double x = row_x(k, 2 * i + axis);
                assert_true(x - disc_radius[i] >= view.lo[axis] && x + disc_radius[i] <= view.hi[axis]);
            }
    kept = view;
    assert_int_equal(draw_fit_path_view(run, 0, rows + 1, &view, &why), MO_BAD_INPUT);
    assert_memory_equal(&view, &kept, sizeof view);
    options.view = &view;
    must(draw_path(run, 0, &options, in_folder("first.png"), err));
    mo_run_close(run);
}

/* a box of 2 by 1 that is turned by a quarter about (2, 2), and a rod from its upper end to (5, 3) */
static void record_rod(const char *path)
{
    mo_world_def def = mo_default_world_def();
    mo_body_def box = mo_default_body_def();
    mo_joint_def rod = mo_default_joint_def();
    mo_world *world = NULL;
    mo_recorder *rec = NULL;
    mo_joint joint;
    must(mo_world_create(&def, &world, err));
    box.shape = (mo_shape_def){.kind = MO_SHAPE_RECTANGLE, .size = {2.0, 1.0}};
    box.position[0] = box.position[1] = 2.0;
    box.angle = 3.14159265358979323846 / 2.0;
    box.density = 1.0;
    rod.kind = MO_JOINT_DISTANCE;
    must(mo_body_create(world, &box, &rod.body1, err));
    rod.at[0] = 2.0, rod.at[1] = 3.0;
    rod.at2[0] = 5.0, rod.at2[1] = 3.0;
    must(mo_joint_create(world, &rod, &joint, err));
    record_frames(path, world, 1, 0, &rec);
    must(mo_joint_remove(world, joint, err));
    frame_with_state(world, rec);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
}

/* whether a pixel is dark */
typedef struct spot {
    size_t x, y;
    bool dark;
} spot;

static mo_status look_at(void *data, int width, int height, const unsigned char *pixels, size_t stride,
                         mo_error *err)
{
    (void)err;
    spot *s = data;
    uint32_t pixel;
    assert_true(s->x < (size_t)width && s->y < (size_t)height);
    memcpy(&pixel, pixels + s->y * stride + 4 * s->x, sizeof pixel);
    s->dark = (pixel & 255) < 64;
    return MO_OK;
}

static bool is_dark(mo_run *run, size_t frame, size_t x, size_t y)
{
    /* 200 pixels to a metre from (20, 44) on the paper */
    static const draw_view view = {{0.0, 0.0}, {6.0, 4.0}};
    spot s = {.x = x, .y = y};
    draw_options options = draw_default_options();
    options.width = 1240;
    options.view = &view;
    options.take = look_at;
    options.take_data = &s;
    must(draw_frame(run, frame, &options, "", err));
    return s.dark;
}

static void joints_of_a_run_are_drawn_while_they_are_there(void **state)
{
    (void)state;
    record_rod(in_folder("rod.h5"));
    mo_run *run = NULL;
    must(mo_run_open(in_folder("rod.h5"), &run, err));
    /* (4, 3) on the rod, and beside it */
    assert_true(is_dark(run, 0, 820, 244));
    assert_false(is_dark(run, 0, 820, 254));
    assert_false(is_dark(run, 1, 820, 244));
    mo_run_close(run);
}

/* half a metre from each face of a cell that is 6 m wide, at height 2 */
static void record_pair_through_a_face(const char *path)
{
    mo_world_def def = mo_default_world_def();
    mo_joint_def rod = mo_default_joint_def();
    mo_world *world = NULL;
    mo_recorder *rec = NULL;
    mo_joint joint;
    def.periodic[0] = true;
    def.cell_max[0] = 6.0;
    must(mo_world_create(&def, &world, err));
    rod.kind = MO_JOINT_DISTANCE;
    const mo_shape_def disc = {.kind = MO_SHAPE_DISC, .radius = 0.2};
    rod.body1 = add_body(world, disc, 0.5, 2.0, "grain", NULL);
    rod.body2 = add_body(world, disc, 5.5, 2.0, "grain", NULL);
    rod.at[0] = 0.5, rod.at[1] = 2.0;
    rod.at2[0] = 5.5, rod.at2[1] = 2.0;
    must(mo_joint_create(world, &rod, &joint, err));
    record_frames(path, world, 1, 0, &rec);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
}

/* dark at x = 0.25 and 5.75, and nothing across the cell */
static void joints_go_through_the_faces_of_cells(void **state)
{
    (void)state;
    record_pair_through_a_face(in_folder("pair.h5"));
    mo_run *run = NULL;
    must(mo_run_open(in_folder("pair.h5"), &run, err));
    assert_true(is_dark(run, 0, 70, 444));
    assert_true(is_dark(run, 0, 1170, 444));
    assert_false(is_dark(run, 0, 620, 444));
    mo_run_close(run);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    (void)state;
    draw_options options = draw_default_options();
    draw_view view;
    mo_error why = {0};
    mo_run *run = run_of(&plane, NULL);
    assert_int_equal(draw_plots(run, &options, in_folder("none.png"), &why), MO_BAD_INPUT);
    assert_string_equal(why.key, "plots");
    must(draw_fit_path_view(run, 0, rows, &view, err));
    mo_run_close(run);
    mo_recorder *rec = NULL;
    mo_world *world = record_small(in_folder("world.h5"), 3, 2, &rec);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    must(mo_run_open(in_folder("world.h5"), &run, err));
    assert_int_equal(draw_path(run, 0, &options, in_folder("none.png"), &why), MO_BAD_INPUT);
    assert_string_equal(why.key, "kind");
    assert_int_equal(draw_fit_path_view(run, 0, 1, &view, &why), MO_BAD_INPUT);
    mo_run_close(run);
    assert_int_equal(access(in_folder("none.png"), F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_path_is_drawn),
        cmocka_unit_test(rows_of_discs_are_chosen),
        cmocka_unit_test(joints_of_a_run_are_drawn_while_they_are_there),
        cmocka_unit_test(joints_go_through_the_faces_of_cells),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
