/* Pictures of paths on the line and in the plane: the rock around a cavity, the stream in it, colours. */
#include "draw/canvas.h"
#include "draw/small_path2d.h"

static const double pi = 3.14159265358979323846;

/* ---- caves --------------------------------------------------------------------------------------- */

enum { samples = 1500, steps = 300, levels = 200 };
static const double t_end = 6.0;

/* A set C(t) = [left(t), right(t)] of the line, walls that are not there NULL, and its sweeping process. */
typedef struct cave {
    double (*left)(double t), (*right)(double t);
    double start;
    range window; /* what of the border is known */
} cave;

typedef struct border {
    double points[8 * samples];
    size_t first[4 * samples + 2];
    double t[4 * samples + 2];
    mo_run_outlines lines;
} border;

static void border_start(border *b)
{
    b->first[0] = 0;
    b->lines = (mo_run_outlines){0, b->t, b->first, b->points};
}

/* adds a point to the line being drawn, or begins a new one */
static void border_add(border *b, bool begin, double t, double x)
{
    if (begin) {
        b->first[b->lines.count + 1] = b->first[b->lines.count];
        b->t[b->lines.count++] = 0.0;
    }
    double *p = b->points + 2 * b->first[b->lines.count]++;
    p[0] = t;
    p[1] = x;
}

static void border_wall(border *b, double (*wall)(double t), range window)
{
    bool outside = true;
    for (int i = 0; i < samples && wall != NULL; i++) {
        double t = t_end * i / (samples - 1), x = wall(t);
        bool out = x < window.lo || x > window.hi;
        if (!out)
            border_add(b, outside, t, x);
        outside = out;
    }
}

/* the same border as segments in another order, every other one turned round */
static void border_shatter(const border *whole, border *out)
{
    border_start(out);
    for (size_t i = whole->lines.count; i-- > 0;)
        for (size_t k = whole->first[i + 1] - 1; k-- > whole->first[i];) {
            const double *p = whole->points + 2 * k, *q = p + 2;
            border_add(out, true, k % 2 ? p[0] : q[0], k % 2 ? p[1] : q[1]);
            border_add(out, false, k % 2 ? q[0] : p[0], k % 2 ? q[1] : p[1]);
        }
}

static bool inside(const cave *c, double t, double x)
{
    return (c->left == NULL || x >= c->left(t)) && (c->right == NULL || x <= c->right(t));
}

/* catching up: the nearest point of C(t) at every step */
static void sweep(const cave *c, double *t, double *u)
{
    double x = c->start;
    for (int k = 0; k <= steps; k++) {
        t[k] = t_end * k / steps;
        x = c->left != NULL ? fmax(x, c->left(t[k])) : x;
        x = c->right != NULL ? fmin(x, c->right(t[k])) : x;
        u[k] = x;
    }
}

static bool solid_at(const rock *r, size_t level, double x)
{
    size_t j = 0;
    while (r->first[level] + j < r->first[level + 1] && r->x[r->first[level] + j] < x)
        j++;
    return rock_solid(r, level, j);
}

/* near a wall, or where walls leap, a level of the picture cannot tell */
static bool doubtful(const cave *c, double t, double x)
{
    double near_t = 1.1 * t_end / levels, near_x = 0.02 * (c->window.hi - c->window.lo);
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            if (inside(c, t + i * near_t, x + j * near_x) != inside(c, t, x))
                return true;
    return false;
}

/* with every so many of the path's points */
static void assert_rock(const cave *c, const mo_run_outlines *lines, size_t stride)
{
    double t[steps + 1], u[steps + 1];
    sweep(c, t, u);
    size_t count = 0;
    for (size_t k = 0; k <= steps; k += stride, count++) {
        t[count] = t[k];
        u[count] = u[k];
    }
    rock r;
    mo_error err;
    range time = {0.0, t_end};
    assert_int_equal(rock_make(&r, levels, time, c->window, lines, count, t, u, &err), MO_OK);
    for (size_t level = 0; level < levels; level++)
        for (int i = 1; i < 60; i++) {
            double x = c->window.lo + (c->window.hi - c->window.lo) * i / 60.0, at = rock_time(&r, level);
            if (!doubtful(c, at, x))
                assert_int_equal(solid_at(&r, level, x), !inside(c, at, x));
        }
    rock_free(&r);
}

static double tube_left(double t)
{
    return sin(t) - 1.0;
}

static double tube_right(double t)
{
    return sin(t) + 1.0;
}

static double narrow_right(double t)
{
    return sin(t) - 0.9;
}

static double rising(double t)
{
    return t;
}

static double falling(double t)
{
    return -t;
}

static double wide_swing(double t)
{
    return 3.0 * sin(1.5 * t) - 1.0;
}

static double mirrored_swing(double t)
{
    return -wide_swing(t);
}

static double leaping(double t)
{
    return t < 3.0 ? -1.0 + 0.1 * t : 0.5;
}

static void rock_is_outside_the_set(void **state)
{
    (void)state;
    static const cave caves[] = {
        {tube_left, tube_right, 0.3, {-2.5, 2.5}},
        {tube_left, narrow_right, -0.95, {-2.5, 2.5}}, /* always near a wall */
        {tube_left, NULL, 0.0, {-2.5, 2.5}},           /* one wall */
        {NULL, tube_right, -0.2, {-2.5, 2.5}},
        {rising, NULL, 0.0, {-1.0, 8.0}}, /* always on the wall: only its push tells the side */
        {NULL, falling, 0.0, {-8.0, 1.0}},
        {wide_swing, NULL, 2.5, {-1.5, 3.0}}, /* the border leaves the picture and comes back */
        {NULL, mirrored_swing, -2.5, {-3.0, 1.5}},
        {leaping, NULL, -0.7, {-2.0, 2.0}}, /* leaps over the point */
    };
    border *whole = calloc(1, sizeof *whole), *pieces = calloc(1, sizeof *pieces);
    assert_true(whole != NULL && pieces != NULL);
    for (size_t i = 0; i < sizeof caves / sizeof *caves; i++) {
        border_start(whole);
        border_wall(whole, caves[i].left, caves[i].window);
        border_wall(whole, caves[i].right, caves[i].window);
        border_shatter(whole, pieces);
        assert_rock(&caves[i], &whole->lines, 1);
        assert_rock(&caves[i], &pieces->lines, 1);
        assert_rock(&caves[i], &whole->lines, 25);
    }
    free(whole);
    free(pieces);
}

/* a closed line around a pillar of rock that the point passes */
static void pillars_are_rock(void **state)
{
    (void)state;
    enum { corners = 200 };
    double points[2 * corners + 2], t[steps + 1], u[steps + 1], zero = 0.0;
    for (int i = 0; i <= corners; i++) {
        points[2 * i] = 3.0 + 0.8 * cos(2.0 * pi * i / corners);
        points[2 * i + 1] = 0.5 * sin(2.0 * pi * i / corners);
    }
    for (int k = 0; k <= steps; k++) {
        t[k] = t_end * k / steps;
        u[k] = 0.7;
    }
    size_t first[2] = {0, corners + 1};
    mo_run_outlines lines = {1, &zero, first, points};
    rock r;
    mo_error err;
    assert_int_equal(
        rock_make(&r, levels, (range){0.0, t_end}, (range){-1.0, 1.0}, &lines, steps + 1, t, u, &err), MO_OK);
    for (size_t level = 0; level < levels; level++)
        for (int i = -9; i <= 9; i++) {
            double x = 0.1 * i, d = hypot((rock_time(&r, level) - 3.0) / 0.8, x / 0.5);
            if (fabs(d - 1.0) > 0.05)
                assert_int_equal(solid_at(&r, level, x), d < 1.0);
        }
    rock_free(&r);
}

/* ---- the water picture --------------------------------------------------------------------------- */

typedef struct sheet {
    path_picture p;
    cairo_surface_t *surface;
} sheet;

static void paint(sheet *s, const path2d *source, int width)
{
    draw_options options = {.width = width};
    mo_error err;
    assert_int_equal((source->n == 1 ? water_plan : plane_plan)(&s->p, source, &options, &err), MO_OK);
    s->surface = canvas_paint(s->p.width, s->p.height, source->n == 1 ? water_paint : plane_paint, &s->p);
}

static void drop(sheet *s)
{
    cairo_surface_destroy(s->surface);
    path_picture_free(&s->p);
}

static uint32_t value_pixel(const sheet *s, double x, double y)
{
    const chart *c = &s->p.chart;
    double sx = (x - c->x.lo) / (c->x.hi - c->x.lo), sy = (y - c->y.lo) / (c->y.hi - c->y.lo);
    return canvas_pixel(s->surface, c->left + c->width * sx,
                        c->top + c->height * (s->p.source->n == 1 ? sy : 1.0 - sy));
}

static bool is_rock(uint32_t pixel)
{
    uint32_t red = pixel >> 16 & 255, blue = pixel & 255;
    return red >= blue + 6 && red < 0xf0;
}

static void water_runs_in_the_cavity(void **state)
{
    (void)state;
    static const cave c = {tube_left, tube_right, 0.3, {-2.5, 2.5}};
    double t[steps + 1], u[steps + 1], lambda[2 * (steps + 1)] = {0.0};
    border *b = calloc(1, sizeof *b);
    assert_non_null(b);
    border_start(b);
    border_wall(b, c.left, c.window);
    border_wall(b, c.right, c.window);
    sweep(&c, t, u);
    for (int k = 1; k <= steps; k++)
        lambda[2 * k + (u[k] < u[k - 1])] = fabs(u[k] - u[k - 1]) * steps / t_end;
    path2d source = {.n = 1, .m = 2, .outlines = b->lines};
    source.path = (mo_run_path){.rows = steps + 1, .t = t, .x = u, .lambda = lambda};
    sheet s;
    paint(&s, &source, 1000);
    /* time runs downward, and the path is where its values say; what is held looks different */
    int held = 0, free_fall = 0;
    for (int k = 5; k < steps; k += 3) {
        uint32_t pixel = value_pixel(&s, u[k], t[k]);
        assert_true(is_blue(pixel));
        bool same = (lambda[2 * k] + lambda[2 * k + 1] > 0.0) ==
                    (lambda[2 * (k + 1)] + lambda[2 * (k + 1) + 1] > 0.0);
        bool running = lambda[2 * k] + lambda[2 * k + 1] > 0.0;
        if (same)
            assert_int_equal((pixel >> 8 & 255) < 0x78, running);
        held += running;
        free_fall += !running;
    }
    assert_true(held > 10 && free_fall > 10);
    for (int i = 1; i < 40; i++)
        for (int j = 1; j < 40; j++) {
            double x = s.p.chart.x.lo + (s.p.chart.x.hi - s.p.chart.x.lo) * i / 40.0, at = t_end * j / 40.0;
            if (!doubtful(&c, at, x))
                assert_int_equal(is_rock(value_pixel(&s, x, at)), !inside(&c, at, x));
        }
    drop(&s);
    free(b);
}

/* rock is seen beyond the border, but nothing is invented where the border was cut off */
static void border_has_room_unless_it_was_cut(void **state)
{
    (void)state;
    static const double t[2] = {0.0, 2.0}, x[2] = {0.0, 0.0}, zero[2] = {0.0, 0.0};
    double points[8] = {0.0, -1.0, 2.0, -0.5, 0.0, 1.0, 2.0, 0.5};
    static const size_t first[3] = {0, 2, 4};
    path2d source = path_of(1, 2, t, x);
    source.outlines = (mo_run_outlines){2, zero, first, points};
    sheet s;
    paint(&s, &source, 600);
    assert_true(s.p.chart.x.lo < -1.05 && s.p.chart.x.hi > 1.05);
    assert_true(is_rock(value_pixel(&s, 0.99 * s.p.chart.x.hi, 1.0)));
    assert_true(is_rock(value_pixel(&s, 0.99 * s.p.chart.x.lo, 1.0)));
    drop(&s);
    points[4] = 0.7;
    paint(&s, &source, 600);
    assert_true(s.p.chart.x.lo < -1.05 && s.p.chart.x.hi == 1.0);
    drop(&s);
}

/* share of the pixels along a line that are blue or green: drawn */
static double drawn(const sheet *s, double x0, double y0, double x1, double y1)
{
    int on = 0;
    for (int i = 1; i < 200; i++) {
        uint32_t pixel = value_pixel(s, x0 + (x1 - x0) * i / 200.0, y0 + (y1 - y0) * i / 200.0);
        on += (pixel >> 16 & 255) < 0xb0;
    }
    return on / 199.0;
}

static void jumps_are_dashed(void **state)
{
    (void)state;
    static const double t[4] = {0.0, 1.0, 2.0, 3.0}, x[4] = {0.0, 0.0, 1.0, 1.0};
    static const double plane_x[8] = {0.0, 0.0, 0.5, 0.0, 1.5, 1.0, 1.5, 1.5};
    static const char *const types[3] = {"contact", "jump", "jump"};
    static const double when[3] = {0.5, 1.5, 1.75}, size[3] = {0.0, 1.0, 1.0};
    sheet s;
    path2d source = path_of(1, 4, t, x);
    source.events = (mo_run_events){3, when, size, types, NULL, NULL};
    paint(&s, &source, 1000);
    assert_close(drawn(&s, 0.0, 0.0, 0.0, 1.5), 1.0, 0.0);
    assert_close(drawn(&s, 1.0, 1.5, 1.0, 3.0), 1.0, 0.0);
    assert_close(drawn(&s, 0.0, 1.5, 1.0, 1.5), 0.55, 0.2);
    assert_true(drawn(&s, 0.1, 1.1, 0.4, 1.4) < 0.05);
    drop(&s);
    source = path_of(2, 4, t, plane_x);
    source.events = (mo_run_events){3, when, size, types, NULL, NULL};
    paint(&s, &source, 1000);
    assert_close(drawn(&s, 0.1, 0.0, 0.5, 0.0), 1.0, 0.0);
    assert_close(drawn(&s, 0.5, 0.0, 1.5, 1.0), 0.55, 0.2);
    drop(&s);
}

/* ---- the plane ----------------------------------------------------------------------------------- */

static void plane_is_coloured_by_time(void **state)
{
    (void)state;
    enum { rows = 401 };
    double t[rows], x[2 * rows];
    for (int k = 0; k < rows; k++) {
        t[k] = 0.01 * k;
        x[2 * k] = 3.0 * cos(0.7 * t[k]);
        x[2 * k + 1] = sin(0.7 * t[k]);
    }
    path2d source = path_of(2, rows, t, x);
    sheet s;
    paint(&s, &source, 1000);
    const chart *c = &s.p.chart;
    assert_close(c->width / (c->x.hi - c->x.lo) * ((c->y.hi - c->y.lo) / c->height), 1.0, 1e-9);
    for (int k = 20; k < rows - 20; k += 20) {
        uint32_t pixel = value_pixel(&s, x[2 * k], x[2 * k + 1]);
        rgb expected = key_bar_color(&s.p.bar, t[k]);
        /* colours change by bands of a 48th */
        assert_close((double)(pixel >> 8 & 255) / 255.0, expected.g, 0.03);
        assert_close((double)(pixel & 255) / 255.0, expected.b, 0.03);
    }
    assert_color(value_pixel(&s, x[2 * rows - 2], x[2 * rows - 1]), key_bar_color(&s.p.bar, 4.0));
    assert_int_equal(value_pixel(&s, x[0], x[1]), 0xffffff);
    drop(&s);
}

static void borders_are_drawn_once_when_they_stand_still(void **state)
{
    (void)state;
    static const double t[3] = {0.0, 1.0, 2.0}, x[6] = {0.0, 0.0, 0.5, 0.1, 0.5, 0.5};
    double points[5 * 10], when[5], moved[5 * 10];
    static const double square[10] = {-1, -1, 1, -1, 1, 1, -1, 1, -1, -1};
    size_t first[6] = {0};
    for (int b = 0; b < 5; b++) {
        for (int i = 0; i < 10; i++) {
            points[10 * b + i] = square[i];
            moved[10 * b + i] = square[i] + (i % 2 == 0 ? 0.2 * b : 0.0);
        }
        when[b] = 0.5 * b;
        first[b + 1] = 5 * ((size_t)b + 1);
    }
    path2d source = path_of(2, 3, t, x);
    sheet s[3];
    source.outlines = (mo_run_outlines){1, when, first, points};
    paint(&s[0], &source, 500);
    source.outlines.count = 5;
    paint(&s[1], &source, 500);
    size_t bytes = (size_t)cairo_image_surface_get_stride(s[0].surface) * (size_t)s[0].p.height;
    assert_close(s[0].p.height, s[1].p.height, 0.0);
    assert_memory_equal(cairo_image_surface_get_data(s[0].surface),
                        cairo_image_surface_get_data(s[1].surface), bytes);
    source.outlines.points = moved;
    paint(&s[2], &source, 900);
    /* the right side of every square, off the path and the corners; labels may hide parts of some */
    for (int b = 0; b < 5; b++) {
        int seen = 0;
        for (int i = -19; i < 20; i++)
            for (int d = -2; d <= 2; d++)
                seen += value_pixel(&s[2], 1.0 + 0.2 * b + 0.003 * d, 0.04 * i) != 0xffffff;
        assert_true(seen > 30);
    }
    for (int k = 0; k < 3; k++)
        drop(&s[k]);
}

/* ---- odd paths ----------------------------------------------------------------------------------- */

static void odd_paths_are_survived(void **state)
{
    (void)state;
    static const char *const types[2] = {"jump", "outside"};
    size_t first[4] = {0, 3, 3, 4};
    for (int a = 0; a < nasties; a++)
        for (int b = 0; b < nasties; b++)
            for (size_t n = 1; n <= 2; n++)
                for (size_t rows = 0; rows <= 4; rows++) {
                    double t[4] = {0.0, 1.0, rows == 3 ? nasty[b] : 2.0, 3.0}, size[2] = {1.0, 1.0};
                    double x[8] = {nasty[a], nasty[b], 1.0, nasty[a], 0.0, 1.0, nasty[b], nasty[b]};
                    double lambda[4] = {0.0, nasty[a], 1.0, nasty[b]}, when[2] = {nasty[a], 1.5};
                    double points[8] = {0.0, nasty[a], nasty[b], 1.0, 3.0, nasty[b], nasty[a], nasty[b]};
                    double times[3] = {nasty[a], 1.0, nasty[b]};
                    path2d source = path_of(n, rows, t, x);
                    source.m = 1;
                    source.path.lambda = lambda;
                    source.events = (mo_run_events){2, when, size, types, NULL, NULL};
                    source.outlines = (mo_run_outlines){rows == 0 ? 0 : 3, times, first, points};
                    sheet s;
                    paint(&s, &source, 60);
                    assert_true(s.p.height < 300.0);
                    drop(&s);
                }
}

static void one_row_is_a_point(void **state)
{
    (void)state;
    static const double t = 0.0, x[2] = {2.0, 3.0};
    sheet s;
    path2d source = path_of(1, 1, &t, x);
    paint(&s, &source, 1000);
    assert_true(is_blue(value_pixel(&s, 2.0, 0.0)));
    drop(&s);
    source = path_of(2, 1, &t, x);
    paint(&s, &source, 1000);
    assert_int_equal(value_pixel(&s, 2.0, 3.0), 0xffffff); /* the ring of the start */
    assert_int_not_equal(
        value_pixel(&s, 2.0 + 0.38 * s.p.chart.font / s.p.chart.width * (s.p.chart.x.hi - s.p.chart.x.lo),
                    3.0),
        0xffffff);
    drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rock_is_outside_the_set),
        cmocka_unit_test(pillars_are_rock),
        cmocka_unit_test(water_runs_in_the_cavity),
        cmocka_unit_test(border_has_room_unless_it_was_cut),
        cmocka_unit_test(jumps_are_dashed),
        cmocka_unit_test(plane_is_coloured_by_time),
        cmocka_unit_test(borders_are_drawn_once_when_they_stand_still),
        cmocka_unit_test(odd_paths_are_survived),
        cmocka_unit_test(one_row_is_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
