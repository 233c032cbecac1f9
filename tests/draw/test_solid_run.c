/* Pictures of recorded runs in 3D: files in both formats, views of films, the same bytes each time. */
#include "draw/canvas.h"
#include "draw/draw.h"
#include "record/small_world3.h"

enum { frames = 3 };

static mo_run *run_of(void)
{
    mo_recorder *rec = NULL;
    mo_world *world = record_small3(in_folder("run.h5"), 20, frames, &rec);
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    mo_run *run = NULL;
    must(mo_run_open(in_folder("run.h5"), &run, err));
    return run;
}

static void frames_become_files(void **state)
{
    (void)state;
    static const char *const start[2] = {"\x89PNG\r\n\x1a\n", "<?xml"};
    mo_run *run = run_of();
    draw_options options = draw_default_options();
    options.width = 240;
    for (int format = 0; format < 2; format++) {
        options.format = (draw_format)format;
        char *bytes[2];
        size_t size[2];
        for (int k = 0; k < 2; k++) {
            must(draw_frame(run, frames - 1, &options, in_folder("picture"), err));
            bytes[k] = read_whole(in_folder("picture"), &size[k]);
        }
        assert_memory_equal(bytes[0], start[format], strlen(start[format]));
        assert_true(size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0);
        /* an SVG holds the rendered part as an image, and text as shapes */
        if (format == 1)
            assert_non_null(strstr(bytes[0], "data:image/png;base64,"));
        free(bytes[0]);
        free(bytes[1]);
    }
    mo_error why = {0};
    assert_int_equal(draw_frame(run, 99, &options, in_folder("none"), &why), MO_BAD_INPUT);
    assert_string_equal(why.key, "frame");
    mo_run_close(run);
}

static void a_film_has_one_view(void **state)
{
    (void)state;
    mo_run *run = run_of();
    draw_view view;
    must(draw_fit_view(run, 0, frames, &view, err));
    for (size_t k = 0; k < frames; k++) {
        mo_frame frame;
        must(mo_run_frame(run, k, &frame, err));
        for (size_t i = 0; i < frame.body_count; i++)
            for (int axis = 0; axis < 3 && mo_run_bodies(run)[frame.row[i]].kind == MO_BODY_DYNAMIC; axis++) {
                double x = frame.q[7 * i + (size_t)axis];
                assert_true(x >= view.lo[axis] && x <= view.hi[axis]);
            }
        mo_frame_free(&frame);
    }
    draw_options options = draw_default_options();
    options.width = 120;
    options.view = &view;
    for (size_t k = 0; k < frames; k++)
        must(draw_frame(run, k, &options, in_folder("frame.png"), err));
    must(draw_series(run, &options, in_folder("series.png"), err));
    mo_run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_become_files),
        cmocka_unit_test(a_film_has_one_view),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
