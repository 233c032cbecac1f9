/* Pictures of paths in many dimensions: panels of coordinates, and discs with what holds them. */
#include "draw/canvas.h"
#include "draw/picture.h"
#include "draw/small_path2d.h"

/* ---- panels -------------------------------------------------------------------------------------- */

static void panels_show_coordinates_and_the_largest_multipliers(void **state)
{
    (void)state;
    enum { n = 20, m = 30, rows = 5 };
    double t[rows], x[rows * n], lambda[rows * m] = {0.0};
    for (int k = 0; k < rows; k++) {
        t[k] = k;
        for (int i = 0; i < n; i++)
            x[k * n + i] = i + 0.1 * k;
    }
    for (int a = 0; a < m; a++)
        lambda[(a % rows) * m + a] = (7 * a) % 30;
    path2d source = path_of(n, rows, t, x);
    source.m = m;
    source.path.lambda = lambda;
    path_panels p;
    path_panels_fill(&p, &source);
    assert_int_equal(p.figure.plot_count, PATH_PANELS + 1);
    assert_string_equal(p.remark, "8 more coordinates not shown, 18 smaller multipliers not shown");
    assert_string_equal(p.plots[2].y.label, "x3");
    const chart_line *third = &p.plots[2].curves[0].line;
    assert_true(third->y[4 * third->y_stride] == x[4 * n + 2]);
    const figure_plot *last = &p.plots[PATH_PANELS];
    assert_int_equal(last->curve_count, PATH_MULTIPLIERS);
    int before = 0;
    for (size_t k = 0; k < last->curve_count; k++) {
        int number = atoi(last->curves[k].name + strlen("lambda"));
        assert_true(number > before && (7 * (number - 1)) % 30 >= 18);
        before = number;
    }
    draw_options options = {.width = 300};
    mo_error err;
    assert_int_equal(figure_plan(&p.figure, &options, &err), MO_OK);
    cairo_surface_destroy(canvas_paint(p.figure.width, p.figure.height, figure_paint, &p.figure));
    /* the scale of time is the same in all, without gaps at its ends */
    for (size_t i = 0; i < p.figure.plot_count; i++)
        assert_true(p.plots[i].chart.x.lo == 0.0 && p.plots[i].chart.x.hi == 4.0);
    source.m = 0;
    source.n = 3;
    path_panels_fill(&p, &source);
    assert_int_equal(p.figure.plot_count, 3);
    assert_string_equal(p.remark, "");
}

/* ---- discs --------------------------------------------------------------------------------------- */

static const double disc_radius[3] = {1.0, 0.5, 0.5}, disc_walls[4] = {-1.0, -5.0, -1.0, 5.0};

static path2d discs_of(const double *t, const double *x, const size_t *first, const uint32_t *pair,
                       const double *lambda)
{
    path2d s = path_of(6, 1, t, x);
    s.path.hold_first = first;
    s.path.hold_pair = pair;
    s.path.hold_lambda = lambda;
    s.path.disc_count = 3;
    s.path.wall_count = 1;
    s.path.radius = disc_radius;
    s.path.walls = disc_walls;
    return s;
}

static void discs_are_coloured_by_what_presses_them(void **state)
{
    (void)state;
    static const double t = 1.25, x[6] = {0.0, 0.0, 1.5, 0.0, 4.0, 0.0}, lambda[4] = {2.0, 0.5, 9.0, 9.0};
    static const size_t first[2] = {0, 4};
    /* 0 with 1, 0 with the wall, and two pairs of things that are not there */
    static const uint32_t pair[8] = {0, 1, 0, 3, 7, 1, 1, 4};
    path2d source = discs_of(&t, x, first, pair, lambda);
    disc_row d;
    mo_error err;
    assert_int_equal(disc_row_make(&d, &source, 0, &err), MO_OK);
    assert_int_equal(d.scene.body_count, 4);
    assert_int_equal(d.scene.contact_count, 2);
    assert_close(d.values[0], 2.5, 1e-15);
    assert_close(d.values[1], 2.0, 0.0);
    assert_close(d.values[2], 0.0, 0.0);
    assert_true(isnan(d.values[3]) && d.scene.bodies[3].wall);
    assert_close(d.scene.contacts[0].point[0], 1.0, 1e-15);
    assert_close(d.scene.contacts[1].point[0], -1.0, 1e-15);
    /* whatever the options ask for, the colours are those of the multipliers */
    for (int color = 0; color < 3; color++) {
        picture p;
        draw_options options = {.color = (draw_color)color, .chains = true, .width = 800};
        assert_int_equal(picture_plan(&p, &d.scene, &options, &err), MO_OK);
        cairo_surface_t *s = canvas_paint(p.width, p.height, picture_paint, &p);
        double at[2], world[2] = {4.0, 0.0};
        view_point(&p.view, world, at);
        rgb pale = palette_sequential(PALETTE_STRESS, 0.0);
        assert_color(canvas_pixel(s, at[0], at[1]), rgb_mix(pale, rgb_white, picture_lightening));
        world[0] = 0.0;
        world[1] = 0.7;
        view_point(&p.view, world, at);
        rgb pressed = palette_sequential(PALETTE_STRESS, 2.5 / p.tint.scale.hi);
        assert_color(canvas_pixel(s, at[0], at[1]), rgb_mix(pressed, rgb_white, picture_lightening));
        /* lines from centre to centre, and to the wall */
        for (int k = 0; k < 3; k++) {
            double chain[3] = {0.5, 1.3, -0.5};
            world[0] = chain[k];
            world[1] = 0.0;
            view_point(&p.view, world, at);
            assert_color(canvas_pixel(s, at[0], at[1]), chain_color);
        }
        assert_close(chain_width(&p, 2.0) / chain_width(&p, 0.5), 4.0, 1e-12);
        cairo_surface_destroy(s);
        picture_free(&p);
    }
    disc_row_free(&d);
}

static void odd_discs_are_survived(void **state)
{
    (void)state;
    static const size_t first[2] = {0, 2};
    static const uint32_t pair[4] = {0, 1, 1, 3};
    mo_error err = {0};
    disc_row d;
    for (int i = 0; i < nasties; i++)
        for (int where = 0; where < 5; where++) {
            double t = 0.0, x[6] = {0, 0, 1, 0, 2, 0}, lambda[2] = {1, 1}, radius[3] = {1, 1, 1};
            double walls[4] = {0, 0, 0, 1};
            double *const places[5] = {&t, &x[2], &lambda[1], &radius[1], &walls[0]};
            *places[where] = nasty[i];
            path2d source = discs_of(&t, x, first, pair, lambda);
            source.path.radius = radius;
            source.path.walls = walls;
            assert_int_equal(disc_row_make(&d, &source, 0, &err), MO_OK);
            picture p;
            draw_options options = {.chains = true, .width = 60};
            assert_int_equal(picture_plan(&p, &d.scene, &options, &err), MO_OK);
            cairo_surface_destroy(canvas_paint(p.width, p.height, picture_paint, &p));
            picture_free(&p);
            disc_row_free(&d);
        }
    static const double t = 0.0, x[6] = {0};
    path2d source = discs_of(&t, x, first, pair, x);
    assert_int_equal(disc_row_make(&d, &source, 1, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "frame");
    disc_row_free(&d);
    source.n = 5;
    assert_int_equal(disc_row_make(&d, &source, 0, &err), MO_BAD_FILE);
    disc_row_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_show_coordinates_and_the_largest_multipliers),
        cmocka_unit_test(discs_are_coloured_by_what_presses_them),
        cmocka_unit_test(odd_discs_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
