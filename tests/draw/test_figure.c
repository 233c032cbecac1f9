/* Line plots: scales, curves and markers at their places, legends, and plots from JSON that may be anything.
 */
#include "draw/canvas.h"
#include "draw/plots.h"

#include <stdio.h>

/* ---- scales ------------------------------------------------------------------------------------------- */

static void assert_log_axis(const axis *a, double lo, double hi, int most)
{
    char text[TEXT_SIZE], before[TEXT_SIZE] = "";
    assert_true(a->lo <= log10(lo) + 1e-12 && a->hi >= log10(hi) - 1e-12 && a->hi - a->lo >= 0.7 - 1e-12);
    assert_in_range(a->count, 2, most > 6 ? most : 6);
    for (int k = 0; k < a->count; k++) {
        double x = axis_tick(a, k), level = log10(x), mantissa = x / pow(10.0, floor(level + 1e-9));
        assert_true(level >= a->lo - 1e-8 && level <= a->hi + 1e-8);
        assert_close(axis_at(a, x), (level - a->lo) / (a->hi - a->lo), 1e-12);
        if (a->kind == AXIS_DECADES)
            assert_close(mantissa, 1.0, 1e-9);
        else
            assert_true(fmin(fabs(mantissa - 1.0), fmin(fabs(mantissa - 2.0), fabs(mantissa - 5.0))) < 1e-9);
        axis_text(text, a, k);
        assert_string_not_equal(text, before);
        memcpy(before, text, sizeof text);
    }
}

static void logarithmic_ticks_are_round(void **state)
{
    (void)state;
    for (int e = -140; e <= 140; e += 7)
        for (int span = 0; span < 40; span++) {
            double lo = 1.7 * pow(10.0, e - 3), hi = lo * pow(10.0, 0.23 * span);
            axis a = axis_make_log(lo, hi, 7);
            assert_log_axis(&a, lo, hi, 7);
        }
    axis a = axis_make_log(1e-3, 10.0, 8);
    assert_int_equal(a.kind, AXIS_DECADES);
    assert_int_equal(a.count, 5);
    char text[TEXT_SIZE];
    axis_text(text, &a, 0);
    assert_string_equal(text, "10" TEXT_RAISE TEXT_MINUS "3" TEXT_LOWER);
    axis_text(text, &a, 3);
    assert_string_equal(text, "10" TEXT_RAISE "0" TEXT_LOWER);
    /* what no logarithmic scale can show */
    for (int i = 0; i < nasties; i++)
        for (int j = 0; j < nasties; j++) {
            a = axis_make_log(nasty[i], nasty[j], 5);
            assert_true(isfinite(a.lo) && isfinite(a.hi) && a.hi > a.lo && a.count >= 2);
        }
    assert_true(isnan(axis_at(&a, 0.0)) && isnan(axis_at(&a, -1.0)) && isnan(axis_at(&a, HUGE_VAL)));
}

/* minor strokes of 10 to 1000: 20, 30, ..., 90, 200, ..., 900 lie inside, with ticks 10, 100, 1000 */
static void minor_ticks_divide_decades(void **state)
{
    (void)state;
    axis a = axis_make_log(10.0, 1000.0, 5);
    bool seen[10] = {false};
    int inside = 0;
    for (int k = 0; k < axis_minor_count(&a); k++) {
        double x = axis_minor(&a, k), s = axis_at(&a, x);
        if (s < -1e-9 || s > 1.0 + 1e-9)
            continue;
        inside++;
        double mantissa = x < 99.9 ? x / 10.0 : x < 999.9 ? x / 100.0 : x / 1000.0;
        assert_close(mantissa, round(mantissa), 1e-9);
        seen[(int)round(mantissa)] = true;
    }
    assert_int_equal(inside, 19);
    for (int m = 1; m <= 9; m++)
        assert_true(seen[m]);
    a = axis_make(0.0, 1.0, 5, false);
    assert_int_equal(axis_minor_count(&a), 0);
}

/* ---- painting ------------------------------------------------------------------------------------------ */

typedef struct sheet {
    figure figure;
    cairo_surface_t *surface;
} sheet;

static sheet paint(figure_plot *p, size_t count, int width)
{
    sheet s = {.figure = {.plot_count = count, .plots = p, .remark = ""}};
    draw_options options = {.width = width};
    mo_error err;
    assert_int_equal(figure_plan(&s.figure, &options, &err), MO_OK);
    s.surface = canvas_paint(s.figure.width, s.figure.height, figure_paint, &s.figure);
    return s;
}

static figure_plot plot_of(const figure_curve *curves, size_t count)
{
    return (figure_plot){
        .title = "title", .x.label = "x", .y.label = "y", .curves = curves, .curve_count = count};
}

static figure_curve curve_of(const double *x, const double *y, size_t count, curve_style style)
{
    return (figure_curve){.name = "", .line = {x, y, count, 1, 1}, .style = style};
}

/* where a value lies between the ends of an axis, worked out from its ends alone */
static double share(const axis *a, bool log, double v)
{
    double level = log ? log10(v) : v, s = (level - a->lo) / (a->hi - a->lo);
    return a->down ? 1.0 - s : s;
}

static uint32_t value_pixel(const sheet *s, const figure_plot *p, double x, double y)
{
    const chart *c = &p->chart;
    return canvas_pixel(s->surface, c->left + c->width * share(&c->x, p->x.log, x),
                        c->top + c->height * (1.0 - share(&c->y, p->y.log, y)));
}

/* all combinations of linear and logarithmic, up and down: markers stand on the data and nowhere else */
static void markers_stand_at_the_data(void **state)
{
    (void)state;
    static const double x[4] = {0.01, 0.1, 2.0, 30.0}, y[4] = {5.0, 0.2, 40.0, 1.0};
    figure_curve curve = curve_of(x, y, 4, CURVE_POINTS);
    for (int mode = 0; mode < 32; mode++) {
        figure_plot p = plot_of(&curve, 1);
        p.x = (figure_axis){"x", mode & 1, mode & 2};
        p.y = (figure_axis){"y", mode & 4, mode & 8};
        p.equal = mode & 16;
        sheet s = paint(&p, 1, 800);
        for (int i = 0; i < 4; i++)
            assert_color(value_pixel(&s, &p, x[i], y[i]), palette_line(0));
        /* half-way between points on paper there is no line */
        for (int i = 0; i < 3; i++) {
            double mx = mode & 1 ? sqrt(x[i] * x[i + 1]) : 0.5 * (x[i] + x[i + 1]);
            double my = mode & 4 ? sqrt(y[i] * y[i + 1]) : 0.5 * (y[i] + y[i + 1]);
            assert_false(is_blue(value_pixel(&s, &p, mx, my)));
        }
        cairo_surface_destroy(s.surface);
    }
}

/* the grid is where powers of ten are */
static void grid_lines_are_at_decades(void **state)
{
    (void)state;
    static const double x[2] = {1e-4, 1e2}, y[2] = {1.0, 1.0};
    figure_curve curve = curve_of(x, y, 2, CURVE_POINTS);
    figure_plot p = plot_of(&curve, 1);
    p.x.log = true;
    sheet s = paint(&p, 1, 1200);
    const chart *c = &p.chart;
    assert_int_equal(c->x.count, 7);
    double row = c->top + 0.21 * c->height;
    for (int e = -4; e <= 2; e++) {
        double at = c->left + c->width * (e - c->x.lo) / (c->x.hi - c->x.lo);
        uint32_t darkest = 255;
        for (int d = -1; d <= 1; d++)
            darkest = (uint32_t)fmin(darkest, canvas_pixel(s.surface, at + d, row) & 255);
        assert_true(darkest < 0xf4);
        assert_int_equal(canvas_pixel(s.surface, at + (e < 2 ? 0.07 : -0.07) * c->width, row), 0xffffff);
    }
    cairo_surface_destroy(s.surface);
}

static void lines_break_where_values_are_missing(void **state)
{
    (void)state;
    double x[101], y[101];
    for (int i = 0; i < 101; i++) {
        x[i] = i;
        y[i] = i == 50 ? (double)NAN : i;
    }
    figure_curve curve = curve_of(x, y, 101, CURVE_LINE);
    figure_plot p = plot_of(&curve, 1);
    sheet s = paint(&p, 1, 1200);
    for (int i = 1; i < 100; i += 2) {
        /* the ends beside the gap are round */
        if (i != 49 && i != 51)
            assert_true(is_blue(value_pixel(&s, &p, i, i)));
    }
    assert_false(is_blue(value_pixel(&s, &p, 50.0, 50.0)));
    cairo_surface_destroy(s.surface);
    /* a logarithmic axis has no place for zero and below */
    y[30] = 0.0;
    y[70] = -3.0;
    p.y.log = true;
    s = paint(&p, 1, 1200);
    assert_true(isfinite(p.chart.y.lo));
    assert_true(is_blue(value_pixel(&s, &p, 60.0, 60.0)));
    cairo_surface_destroy(s.surface);
}

static void styles_differ(void **state)
{
    (void)state;
    static const double x[2] = {0.0, 1.0}, y[2] = {0.0, 1.0};
    size_t on[4] = {0};
    for (int style = 0; style < 4; style++) {
        figure_curve curve = curve_of(x, y, 2, (curve_style)style);
        figure_plot p = plot_of(&curve, 1);
        sheet s = paint(&p, 1, 1000);
        for (int i = 100; i < 900; i++)
            on[style] += is_blue(value_pixel(&s, &p, 0.001 * i, 0.001 * i));
        /* markers only where asked for: a little beside the end of the line */
        double off = 3.2 * p.chart.unit / p.chart.width * (p.chart.x.hi - p.chart.x.lo);
        assert_int_equal(is_blue(value_pixel(&s, &p, 1.0 + off, 1.0)),
                         style == CURVE_POINTS || style == CURVE_BOTH);
        cairo_surface_destroy(s.surface);
    }
    assert_int_equal(on[CURVE_LINE], 800);
    assert_int_equal(on[CURVE_BOTH], 800);
    assert_int_equal(on[CURVE_POINTS], 0);
    /* 9 of 14 units are drawn */
    assert_in_range(on[CURVE_DASHED], 400, 660);
}

static void equal_scales_are_equal(void **state)
{
    (void)state;
    static const double ratio[] = {1.0, 0.5, 3.0, 1e-3, 1e3, 1e-9, 1e9, 0.0};
    for (size_t i = 0; i < sizeof ratio / sizeof *ratio; i++)
        for (int log = 0; log < 2; log++) {
            double x[2] = {1.0, 2.0}, y[2] = {1.0, 1.0 + ratio[i]};
            figure_curve curve = curve_of(x, y, 2, CURVE_LINE);
            figure_plot p = plot_of(&curve, 1);
            p.x.log = p.y.log = log;
            p.equal = true;
            sheet s = paint(&p, 1, 300);
            const chart *c = &p.chart;
            assert_close(c->width / (c->x.hi - c->x.lo) * ((c->y.hi - c->y.lo) / c->height), 1.0, 1e-6);
            assert_true(c->left > 0.0 && c->left + c->width < s.figure.width && c->height > 20.0);
            cairo_surface_destroy(s.surface);
        }
}

/* ---- legends ------------------------------------------------------------------------------------------- */

static void legends_lie_below_and_inside(void **state)
{
    (void)state;
    static const double x[2] = {0.0, 1.0}, y[2] = {0.0, 1.0};
    figure_curve curves[32];
    static const char *const names[4] = {
        "a", "some longer name of a curve",
        "a name so long that no legend in the world could ever show it whole", "\xff\xfe"};
    for (int width = 200; width <= 1200; width += 500)
        for (size_t count = 1; count <= 32; count++) {
            for (size_t k = 0; k < count; k++) {
                curves[k] = curve_of(x, y, 2, CURVE_BOTH);
                curves[k].name = names[(k + count) % 4];
            }
            figure_plot p = plot_of(curves, count);
            sheet s = paint(&p, 1, width);
            size_t columns = p.legend_columns, rows = (count + columns - 1) / columns;
            double font = s.figure.font;
            assert_true(p.legend_y - 0.5 * font > p.chart.top + p.chart.height + 3.0 * font);
            assert_true(p.legend_y + 1.5 * font * (double)(rows - 1) + 0.5 * font < s.figure.height);
            assert_true(columns == 1 ||
                        (double)columns * p.legend_width + p.legend_left < s.figure.width + 1.6 * font);
            cairo_surface_destroy(s.surface);
        }
    curves[0].name = "";
    figure_plot p = plot_of(curves, 1);
    cairo_surface_destroy(paint(&p, 1, 300).surface);
    assert_int_equal(p.legend_columns, 0);
}

static void curves_are_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < 64; i++)
        for (size_t j = 0; j < i; j++) {
            rgb a = palette_line(i), b = palette_line(j);
            double distance = fabs(a.r - b.r) + fabs(a.g - b.g) + fabs(a.b - b.b);
            assert_true(distance > 0.2 || figure_marker(i) != figure_marker(j));
        }
    /* lines are seen on white */
    for (size_t i = 0; i < PALETTE_LINES; i++) {
        rgb c = palette_line(i);
        assert_true(0.3 * c.r + 0.59 * c.g + 0.11 * c.b < 0.65);
    }
}

static void texts_are_cut_to_their_room(void **state)
{
    (void)state;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = cairo_create(surface);
    text_font(cr, 12.0);
    char text[TEXT_SIZE];
    text_fit(cr, text, "short", 1000.0);
    assert_string_equal(text, "short");
    for (double room = 30.0; room < 400.0; room += 37.0) {
        text_fit(cr, text, "a text that is much longer than all the room there could be for it", room);
        assert_true(text_width(cr, text) <= room && strlen(text) >= 3);
        assert_int_equal(text[0], 'a');
    }
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}

/* ---- error bars, arrows, discs, columns ---------------------------------------------------------------- */

static void extras_lie_where_their_numbers_say(void **state)
{
    (void)state;
    static const double x[2] = {0.0, 10.0}, y[2] = {0.0, 4.0}, error[2] = {3.0, 0.0}, dx[2] = {5.0, 0.0},
                        dy[2] = {4.0, 0.0}, size[2] = {2.0, 1.0};
    /* a bar from -3 to 3, and the axis holds it */
    figure_curve bars = curve_of(x, y, 2, CURVE_POINTS);
    bars.error = error;
    figure_plot p = plot_of(&bars, 1);
    sheet s = paint(&p, 1, 1200);
    assert_true(p.chart.y.lo < -3.0);
    for (double v = -2.9; v < 3.0; v += 0.2)
        assert_true(is_blue(value_pixel(&s, &p, 0.0, v)));
    assert_false(is_blue(value_pixel(&s, &p, 10.0, 3.0)));
    cairo_surface_destroy(s.surface);
    /* an arrow from (0, 0) to (5, 4), nothing at the point that moves by nothing */
    figure_curve arrows = curve_of(x, y, 2, CURVE_ARROWS);
    arrows.dx = dx;
    arrows.dy = dy;
    p = plot_of(&arrows, 1);
    s = paint(&p, 1, 1200);
    for (double v = 0.1; v < 0.95; v += 0.1)
        assert_true(is_blue(value_pixel(&s, &p, 5.0 * v, 4.0 * v)));
    assert_false(is_blue(value_pixel(&s, &p, 10.0, 4.0)));
    cairo_surface_destroy(s.surface);
    /* discs as large as they say along both axes where scales are equal, paler inside */
    figure_curve discs = curve_of(x, y, 2, CURVE_DISCS);
    discs.size = size;
    p = plot_of(&discs, 1);
    p.equal = true;
    s = paint(&p, 1, 1200);
    const rgb full = palette_line(0), pale = {full.r + 0.75 * (1.0 - full.r), full.g + 0.75 * (1.0 - full.g),
                                              full.b + 0.75 * (1.0 - full.b)};
    for (int k = 0; k < 8; k++) {
        double cx = cos(0.25 * 3.14159265 * k), cy = sin(0.25 * 3.14159265 * k);
        assert_color(value_pixel(&s, &p, 1.9 * cx, 1.9 * cy), pale);
        assert_false(is_blue(value_pixel(&s, &p, 2.1 * cx, 2.1 * cy)));
        assert_color(value_pixel(&s, &p, 10.0 + 0.9 * cx, 4.0 + 0.9 * cy), pale);
    }
    cairo_surface_destroy(s.surface);
}

static void columns_stand_beside_each_other(void **state)
{
    (void)state;
    static const double x[2] = {0.0, 1.0}, y[2] = {0.0, 1.0};
    figure_curve curve = curve_of(x, y, 2, CURVE_LINE);
    figure_plot p[3] = {plot_of(&curve, 1), plot_of(&curve, 1), plot_of(&curve, 1)};
    figure f = {.plot_count = 3, .plots = p, .remark = ""};
    draw_options options = {.width = 1000, .columns = 2};
    mo_error err;
    assert_int_equal(figure_plan(&f, &options, &err), MO_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(p[i].chart.left > 500.0 * (i % 2));
        assert_true(p[i].chart.left + p[i].chart.width < 500.0 * (i % 2 + 1));
    }
    assert_true(p[0].chart.top == p[1].chart.top);
    assert_true(p[2].chart.top > p[0].chart.top + p[0].chart.height);
    assert_true(p[2].chart.top + p[2].chart.height < f.height);
}

/* ---- odd data ------------------------------------------------------------------------------------------ */

static void odd_curves_are_survived(void **state)
{
    (void)state;
    for (int a = 0; a < nasties; a++)
        for (int b = 0; b < nasties; b++)
            for (int mode = 0; mode < 8; mode++) {
                double x[3] = {nasty[a], 1.0, nasty[b]}, y[3] = {nasty[b], nasty[a], 2.0};
                figure_curve curves[2] = {curve_of(x, y, 3, (curve_style)(mode % CURVE_STYLES)),
                                          curve_of(y, x, (size_t)(mode % 3), CURVE_BOTH)};
                curves[0].error = curves[0].dx = curves[0].size = y;
                curves[0].dy = x;
                figure_plot p = plot_of(curves, 2);
                p.x.log = mode & 1;
                p.y.log = mode & 2;
                p.equal = mode & 4;
                sheet s = paint(&p, 1, 60);
                assert_true(s.figure.height < 300.0);
                cairo_surface_destroy(s.surface);
            }
    figure_plot none = plot_of(NULL, 0);
    cairo_surface_destroy(paint(&none, 1, 100).surface);
    cairo_surface_destroy(paint(NULL, 0, 100).surface);
}

static void a_lone_point_is_seen(void **state)
{
    (void)state;
    static const double x = 3.0, y = -7.0;
    for (int style = 0; style < 3; style++) {
        figure_curve curve = curve_of(&x, &y, 1, (curve_style)style);
        figure_plot p = plot_of(&curve, 1);
        sheet s = paint(&p, 1, 900);
        assert_true(is_blue(value_pixel(&s, &p, 3.0, -7.0)));
        cairo_surface_destroy(s.surface);
    }
}

static void pictures_that_are_too_large_are_refused(void **state)
{
    (void)state;
    figure_plot empty[16];
    for (int i = 0; i < 16; i++)
        empty[i] = plot_of(NULL, 0);
    figure f = {.plot_count = 16, .plots = empty, .remark = ""};
    draw_options options = {.width = 9000};
    mo_error err = {0};
    assert_int_equal(figure_plan(&f, &options, &err), MO_OK);
    assert_int_equal(sink_write(&options, f.width, f.height, figure_paint, &f, "/dev/null", &err),
                     MO_BAD_INPUT);
    assert_string_equal(err.key, "width");
    options.width = 9001;
    assert_int_equal(figure_plan(&f, &options, &err), MO_BAD_INPUT);
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

static const char good[] =
    "[{\"title\": \"T\\u00e9\", \"x\": {\"label\": \"h\", \"log\": true, \"down\": false},"
    " \"y\": {\"label\": \"e\", \"log\": false, \"down\": true}, \"equal\": false, \"curves\": ["
    "{\"name\": \"one\", \"x\": [1, 2.5, null], \"y\": [3, null, -4e2], \"style\": \"both\"},"
    "{\"name\": \"two\", \"x\": [], \"y\": [], \"style\": \"dashed\"}]},"
    " {\"curves\": [{\"x\": [1], \"y\": [2], \"dx\": [3], \"dy\": [4], \"error\": [5], \"style\": "
    "\"arrows\"},"
    "{\"x\": [1], \"y\": [2], \"size\": [0.5], \"style\": \"discs\"}]},"
    " {\"title\": \"\", \"x\": {\"label\": \"\"}, \"curves\": []}]";

static void plots_are_read(void **state)
{
    (void)state;
    plots p;
    mo_error err;
    assert_int_equal(plots_parse(good, &p, &err), MO_OK);
    assert_int_equal(p.figure.plot_count, 3);
    const figure_plot *plot = p.figure.plots;
    assert_string_equal(plot->title, "T\xc3\xa9");
    assert_true(plot->x.log && !plot->x.down && !plot->y.log && plot->y.down && !plot->equal);
    assert_string_equal(plot->y.label, "e");
    assert_int_equal(plot->curve_count, 2);
    const figure_curve *c = plot->curves;
    assert_int_equal(c->line.count, 3);
    assert_true(c->line.x[1] == 2.5 && isnan(c->line.x[2]) && isnan(c->line.y[1]) && c->line.y[2] == -400.0);
    assert_int_equal(c[0].style, CURVE_BOTH);
    assert_int_equal(c[1].style, CURVE_DASHED);
    assert_string_equal(c[1].name, "two");
    assert_true(c[0].error == NULL && c[0].dx == NULL && c[0].size == NULL);
    assert_int_equal(p.figure.plots[2].curve_count, 0);
    c = p.figure.plots[1].curves;
    assert_int_equal(c[0].style, CURVE_ARROWS);
    assert_true(c[0].dx[0] == 3.0 && c[0].dy[0] == 4.0 && c[0].error[0] == 5.0 && c[1].size[0] == 0.5);
    assert_int_equal(c[1].style, CURVE_DISCS);
    plots_free(&p);
    assert_int_equal(plots_parse("[]", &p, &err), MO_OK);
    assert_int_equal(p.figure.plot_count, 0);
    plots_free(&p);
}

static void wrong_plots_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *key;
    } cases[] = {
        {"", "plots"},
        {"{}", "plots"},
        {"[1]", "plots[1].curves"},
        {"[{\"curves\": 3}]", "plots[1].curves"},
        {"[{\"curves\": [], \"title\": 7}]", "plots[1].title"},
        {"[{\"curves\": [], \"x\": \"h\"}]", "plots[1].x"},
        {"[{\"curves\": [], \"x\": {\"log\": 1}}]", "plots[1].x.log"},
        {"[{\"curves\": [], \"equal\": \"yes\"}]", "plots[1].equal"},
        {"[{\"curves\": []}, {\"curves\": [null]}]", "plots[2].curves[1]"},
        {"[{\"curves\": [{\"x\": [1], \"y\": [1, 2]}]}]", "plots[1].curves[1]"},
        {"[{\"curves\": [{\"x\": [1], \"y\": [\"1\"]}]}]", "plots[1].curves[1].y"},
        {"[{\"curves\": [{\"x\": [1], \"y\": [1], \"style\": \"wavy\"}]}]", "plots[1].curves[1].style"},
        {"[{\"curves\": [{\"x\": [1], \"y\": [1], \"name\": {}}]}]", "plots[1].curves[1].name"},
        {"[{\"curves\": [{\"x\": [1], \"y\": [1], \"error\": [1, 2]}]}]", "plots[1].curves[1].error"},
        {"[{\"curves\": [{\"x\": [1], \"y\": [1], \"dx\": 1}]}]", "plots[1].curves[1].dx"},
        {"[{\"curves\": [{\"x\": [1], \"y\": [1], \"style\": \"discs\"}]}]", "plots[1].curves[1].size"},
        {"[{\"curves\": [{\"x\": [1], \"y\": [1], \"dx\": [1], \"style\": \"arrows\"}]}]",
         "plots[1].curves[1].dy"},
        {"[{\"curves\": [{\"x\": [1e999], \"y\": [1]}]}]", "plots"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plots p;
        mo_error err = {0};
        assert_int_equal(plots_parse(cases[i].text, &p, &err), MO_BAD_FILE);
        assert_string_equal(err.key, cases[i].key);
        assert_true(err.message[0] != '\0');
        plots_free(&p);
    }
}

/* text with `count` pieces joined by commas */
static char *repeated(const char *head, const char *piece, size_t count, const char *tail)
{
    size_t size = strlen(head) + count * (strlen(piece) + 1) + strlen(tail) + 1, used;
    char *text = malloc(size);
    assert_non_null(text);
    used = (size_t)snprintf(text, size, "%s", head);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "," : "", piece);
    snprintf(text + used, size - used, "%s", tail);
    return text;
}

static mo_status parse_repeated(const char *head, const char *piece, size_t count, const char *tail)
{
    char *text = repeated(head, piece, count, tail);
    plots p;
    mo_error err;
    mo_status status = plots_parse(text, &p, &err);
    plots_free(&p);
    free(text);
    return status;
}

static void limits_are_kept(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        mo_status expected = more ? MO_BAD_FILE : MO_OK;
        size_t extra = (size_t)more;
        assert_int_equal(parse_repeated("[", "{\"curves\":[]}", 16 + extra, "]"), expected);
        assert_int_equal(parse_repeated("[{\"curves\":[", "{\"x\":[],\"y\":[]}", 32 + extra, "]}]"),
                         expected);
        char *x = repeated("[{\"curves\":[{\"x\":[", "1", 100000 + extra, "],\"y\":[");
        assert_int_equal(parse_repeated(x, "2", 100000 + extra, "]}]}]"), expected);
        free(x);
    }
    /* nested deeper than any reader follows */
    assert_int_equal(parse_repeated("", "[[[[[[[[", 100000, ""), MO_BAD_FILE);
}

static void try_text(const char *text)
{
    plots p;
    mo_error err;
    mo_status status = plots_parse(text, &p, &err);
    assert_true(status == MO_OK || status == MO_BAD_FILE);
    draw_options options = {.width = 50};
    if (status == MO_OK && figure_plan(&p.figure, &options, &err) == MO_OK)
        cairo_surface_destroy(canvas_paint(p.figure.width, p.figure.height, figure_paint, &p.figure));
    plots_free(&p);
}

/* every byte of a good text changed, taken out, or the end of the text */
static void damaged_texts_are_survived(void **state)
{
    (void)state;
    static const char bytes[] = "\x01\"{}[],:0-e\xff\\ntf";
    char text[sizeof good];
    for (size_t i = 0; i + 1 < sizeof good; i++) {
        for (size_t b = 0; b < sizeof bytes; b++) {
            memcpy(text, good, sizeof good);
            text[i] = bytes[b];
            try_text(text);
        }
        memcpy(text, good, i);
        memcpy(text + i, good + i + 1, sizeof good - i - 1);
        try_text(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithmic_ticks_are_round),
        cmocka_unit_test(minor_ticks_divide_decades),
        cmocka_unit_test(markers_stand_at_the_data),
        cmocka_unit_test(grid_lines_are_at_decades),
        cmocka_unit_test(lines_break_where_values_are_missing),
        cmocka_unit_test(styles_differ),
        cmocka_unit_test(equal_scales_are_equal),
        cmocka_unit_test(legends_lie_below_and_inside),
        cmocka_unit_test(curves_are_told_apart),
        cmocka_unit_test(texts_are_cut_to_their_room),
        cmocka_unit_test(extras_lie_where_their_numbers_say),
        cmocka_unit_test(columns_stand_beside_each_other),
        cmocka_unit_test(odd_curves_are_survived),
        cmocka_unit_test(a_lone_point_is_seen),
        cmocka_unit_test(pictures_that_are_too_large_are_refused),
        cmocka_unit_test(plots_are_read),
        cmocka_unit_test(wrong_plots_are_refused),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(damaged_texts_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
