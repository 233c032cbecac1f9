/* Plots of time series, numbers and texts in pictures, and the files that pictures are written to. */
#include "draw/canvas.h"
#include "draw/picture.h"
#include "draw/series.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- numbers and texts ------------------------------------------------------------------------------- */

static void numbers_read_well(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {
        {0.0, 6, "0"},
        {1.25, 6, "1.25"},
        {1.2600000000000002, 6, "1.26"},
        {229.7, 2, "230"},
        {12345.0, 2, "12000"},
        {99.6, 2, "100"},
        {-3.5, 3, TEXT_MINUS "3.5"},
        {1e-6, 6, "1" TEXT_TIMES "10" TEXT_RAISE TEXT_MINUS "6" TEXT_LOWER},
        {2.5e7, 3, "2.5" TEXT_TIMES "10" TEXT_RAISE "7" TEXT_LOWER},
        {9.99e7, 2, "1" TEXT_TIMES "10" TEXT_RAISE "8" TEXT_LOWER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TEXT_SIZE];
        text_number(text, cases[i].value, cases[i].digits);
        assert_string_equal(text, cases[i].text);
    }
}

static void lengths_have_units(void **state)
{
    (void)state;
    static const struct {
        double metres;
        const char *text;
    } cases[] = {{0.2, "20 cm"},         {0.005, "5 mm"}, {2.0, "2 m"},   {1e-6, "1 \xc2\xb5m"},
                 {5e-5, "50 \xc2\xb5m"}, {2e-8, "20 nm"}, {500, "500 m"}, {2000, "2 km"},
                 {0.1, "10 cm"},         {0.01, "1 cm"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TEXT_SIZE];
        text_length(text, cases[i].metres);
        assert_string_equal(text, cases[i].text);
    }
}

static void names_become_valid_text(void **state)
{
    (void)state;
    char text[TEXT_SIZE];
    text_clean(text, "a\xff\x01z\xe2\x82\xac\xc0\x80\xed\xa0\x80", 99);
    assert_string_equal(text, "a??z\xe2\x82\xac?????");
    text_clean(text, "abcdef", 3);
    assert_string_equal(text, "abc\xe2\x80\xa6");
    char longest[1000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    text_clean(text, longest, 2000);
    assert_true(strlen(text) < TEXT_SIZE);
}

static void axes_have_round_ticks(void **state)
{
    (void)state;
    /* for ranges of every size: ticks inside, evenly spaced by 1, 2 or 5, not too many, with texts that
     * differ */
    for (int e = -200; e <= 200; e += 7)
        for (int k = 0; k < 4; k++) {
            double lo = k % 2 == 0 ? 0.0 : -0.37 * pow(10.0, e), hi = (1.0 + 2.3 * k) * pow(10.0, e);
            axis a = axis_make(lo, hi, 5, k > 1);
            assert_in_range(a.count, 2, 8);
            double m = a.step / pow(10.0, floor(log10(a.step) + 1e-9));
            assert_true(fabs(m - 1.0) < 1e-9 || fabs(m - 2.0) < 1e-9 || fabs(m - 5.0) < 1e-9);
            assert_true(a.lo <= lo && a.hi >= hi);
            char before[TEXT_SIZE] = "", text[TEXT_SIZE];
            for (int i = 0; i < a.count; i++) {
                double x = axis_tick(&a, i);
                assert_true(x >= a.lo - 1e-9 * a.step && x <= a.hi + 1e-9 * a.step);
                axis_text(text, &a, i);
                assert_string_not_equal(text, before);
                assert_true(strlen(text) < 10);
                memcpy(before, text, sizeof text);
            }
        }
    /* a small change of a large number is written as a difference */
    axis a = axis_make(1e6, 1e6 + 0.01, 5, false);
    char text[TEXT_SIZE];
    axis_note(text, &a);
    assert_non_null(strstr(text, "+ 1000000"));
}

/* characters, of which a true minus sign has three bytes */
static size_t characters(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += ((unsigned char)*text & 0xc0u) != 0x80u;
    return n;
}

/* numbers at ticks never reach the title beside them: six characters at most, whatever the range */
static void ticks_are_short(void **state)
{
    (void)state;
    char text[TEXT_SIZE];
    for (int e = -30; e <= 30; e++)
        for (int fine = 1; fine <= 10; fine++)
            for (int k = 0; k < 4; k++) {
                double size = (k < 2 ? 0.6877 : 3.12e2) * pow(10.0, e), width = size * pow(10.0, -fine);
                double lo = k % 2 == 0 ? size : -size;
                axis a = axis_make(lo, lo + width, 4, false);
                for (int i = 0; i < a.count; i++) {
                    axis_text(text, &a, i);
                    assert_true(characters(text) <= 6);
                }
            }
    axis a = axis_make(-0.6877, -0.6874, 4, false);
    axis_note(text, &a);
    assert_non_null(strstr(text, TEXT_MINUS " 0.6877"));
}

/* ---- plots ----------------------------------------------------------------------------------------------
 */

enum { columns = 20 };
static const char *const names[columns] = {"kinetic",
                                           "potential",
                                           "work_external",
                                           "dissipated_friction",
                                           "dissipated_impact",
                                           "balance_error",
                                           "c1",
                                           "c2",
                                           "c3",
                                           "c4",
                                           "c5",
                                           "c6",
                                           "c7",
                                           "c8",
                                           "c9",
                                           "c10",
                                           "c11",
                                           "c12",
                                           "c13",
                                           "\xff\xff"};

static cairo_surface_t *paint_plot(plot2d *p, size_t count, size_t rows, const double *t,
                                   const double *values)
{
    draw_options options = {.width = 1200};
    mo_error err;
    assert_int_equal(plot2d_plan(p, names, count, rows, t, values, &options, &err), MO_OK);
    return canvas_paint(p->width, p->height, plot2d_paint, p);
}

static void columns_are_distributed(void **state)
{
    (void)state;
    double t[2] = {0.0, 1.0}, values[2 * columns] = {0.0};
    values[columns + 5] = -0.25;
    plot2d p;
    cairo_surface_destroy(paint_plot(&p, columns, 2, t, values));
    assert_int_equal(p.panel_count, 13);
    assert_int_equal(p.panels[0].count, 5);
    assert_int_equal(p.left_out, 2);
    assert_close(p.balance_error, 0.25, 0.0);
    cairo_surface_destroy(paint_plot(&p, 0, 2, t, values));
    assert_int_equal(p.panel_count, 0);
    /* an observed column may be called like an energy */
    static const char *const twice[] = {"kinetic", "potential", "kinetic"};
    draw_options options = {.width = 100};
    mo_error err;
    assert_int_equal(plot2d_plan(&p, twice, 3, 2, t, values, &options, &err), MO_OK);
    assert_int_equal(p.panel_count, 2);
    assert_int_equal(p.panels[1].curve[0], 2);
    options.width = 0;
    assert_int_equal(plot2d_plan(&p, twice, 3, 2, t, values, &options, &err), MO_BAD_INPUT);
}

static void curve_passes_through_its_values(void **state)
{
    (void)state;
    /* two columns alone: the first six names are energies, so the last is the only panel of its own */
    enum { rows = 1001 };
    static double t[rows], values[rows * 7];
    for (int i = 0; i < rows; i++) {
        t[i] = i * 0.01;
        values[i * 7 + 6] = i >= 400 && i <= 600 ? (double)NAN : t[i] * t[i];
    }
    plot2d p;
    cairo_surface_t *s = paint_plot(&p, 7, rows, t, values);
    const plot_panel *panel = &p.panels[1];
    for (int i = 50; i < rows; i += 50) {
        double x = p.left + (p.right - p.left) * t[i] / 10.0;
        double y = panel->top +
                   panel->height * (panel->scale.hi - t[i] * t[i]) / (panel->scale.hi - panel->scale.lo);
        bool gap = i >= 400 && i <= 600;
        if (i < 390 || i > 610 || (i > 410 && i < 590))
            assert_int_equal(is_blue(canvas_pixel(s, x, y)), !gap);
    }
    cairo_surface_destroy(s);
}

static bool is_green(uint32_t pixel)
{
    unsigned r = pixel >> 16 & 255u, g = pixel >> 8 & 255u, b = pixel & 255u;
    return g > r + 60 && g > b + 20;
}

/*
 * A potential energy between 1e6 and 1e6 + 8 J beside a kinetic one between 0 and 8 J: the scale spans what
 * they vary by, and the curve goes through values less the least one.
 */
static void potential_is_drawn_from_its_least(void **state)
{
    (void)state;
    enum { rows = 101 };
    double t[rows], values[rows * 2];
    for (int i = 0; i < rows; i++) {
        t[i] = 0.01 * i;
        values[2 * i] = 8.0 * t[i] * t[i];
        values[2 * i + 1] = 1e6 + 8.0 * (1.0 - t[i] * t[i]);
    }
    values[2 * 50 + 1] = (double)NAN;
    plot2d p;
    cairo_surface_t *s = paint_plot(&p, 2, rows, t, values);
    const plot_panel *panel = &p.panels[0];
    assert_close(p.potential_least, 1e6, 0.0);
    assert_true(panel->scale.lo > -2.0 && panel->scale.hi < 10.0);
    for (int i = 5; i < rows; i += 10) {
        double x = p.left + (p.right - p.left) * t[i], above = 8.0 * (1.0 - t[i] * t[i]);
        double y =
            panel->top + panel->height * (panel->scale.hi - above) / (panel->scale.hi - panel->scale.lo);
        assert_true(is_green(canvas_pixel(s, x, y)));
    }
    cairo_surface_destroy(s);
    /* without a value there is nothing to draw it from */
    for (int i = 0; i < rows; i++)
        values[2 * i + 1] = (double)NAN;
    cairo_surface_destroy(paint_plot(&p, 2, rows, t, values));
    assert_close(p.potential_least, 0.0, 0.0);
}

static void many_rows_keep_their_peaks(void **state)
{
    (void)state;
    /* one row in 200 000 stands out: it must still be seen */
    size_t rows = 200000;
    double *t = malloc(rows * sizeof *t), *values = calloc(rows * 7, sizeof *values);
    assert_true(t != NULL && values != NULL);
    for (size_t i = 0; i < rows; i++)
        t[i] = (double)i;
    values[100003 * 7 + 6] = 1.0;
    plot2d p;
    cairo_surface_t *s = paint_plot(&p, 7, rows, t, values);
    const plot_panel *panel = &p.panels[1];
    double x = p.left + (p.right - p.left) * 100003.0 / (double)(rows - 1);
    assert_true(is_blue(canvas_pixel(s, x, panel->top + 0.5 * panel->height)) ||
                is_blue(canvas_pixel(s, x - 1.0, panel->top + 0.5 * panel->height)));
    cairo_surface_destroy(s);
    free(t);
    free(values);
}

static void odd_series_are_survived(void **state)
{
    (void)state;
    plot2d p;
    cairo_surface_destroy(paint_plot(&p, columns, 0, NULL, NULL));
    double t[3] = {0.0, 1.0, 2.0}, values[3 * columns];
    for (int a = 0; a < nasties; a++)
        for (int b = 0; b < nasties; b++) {
            for (int i = 0; i < columns; i++) {
                values[i] = nasty[a];
                values[columns + i] = nasty[b];
                values[2 * columns + i] = nasty[a];
            }
            for (size_t rows = 1; rows <= 3; rows++)
                cairo_surface_destroy(paint_plot(&p, 8, rows, t, values));
            double nasty_t[2] = {nasty[a], nasty[b]};
            cairo_surface_destroy(paint_plot(&p, columns, 2, nasty_t, values));
        }
}

/* ---- files
 * -------------------------------------------------------------------------------------------------- */

typedef struct blob {
    unsigned char *bytes;
    size_t count;
} blob;

static blob slurp(const char *path)
{
    blob b = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    b.count = (size_t)ftell(file);
    rewind(file);
    b.bytes = malloc(b.count + 1);
    assert_non_null(b.bytes);
    assert_int_equal(fread(b.bytes, 1, b.count, file), b.count);
    b.bytes[b.count] = 0;
    fclose(file);
    return b;
}

static char folder[] = "/tmp/draw-test-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][128];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static mo_status write_sample(draw_format format, int width, const char *path, mo_error *err)
{
    static const double zero[2] = {0.0, 0.0};
    static const mo_part disc = {.kind = MO_PART_DISC, .vertex_count = 1, .radius = 1.0};
    static const char *const groups[] = {"<&\"grain\">"};
    body2d bodies[2] = {{.area = 3.0, .parts = &disc, .part_count = 1, .vertices = zero, .vertex_count = 1}};
    bodies[1] = bodies[0];
    bodies[1].q[0] = 2.0;
    contact2d contact = {0, 1, {1.0, 0.0}, {-1.0, 0.0}, {1.0, 0.0}};
    scene2d scene = {.time = 1.0, .h = 0.1, .body_count = 2, .contact_count = 1, .group_count = 1};
    scene.bodies = bodies;
    scene.contacts = &contact;
    scene.groups = groups;
    picture p;
    draw_options options = {.format = format, .color = DRAW_BY_GROUP, .chains = true, .width = width};
    mo_status status = picture_plan(&p, &scene, &options, err);
    if (status == MO_OK)
        status = sink_write(&options, p.width, p.height, picture_paint, &p, path, err);
    picture_free(&p);
    return status;
}

static uint32_t big_endian(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void png_has_signature_and_size(void **state)
{
    (void)state;
    mo_error err;
    assert_int_equal(write_sample(DRAW_PNG, 321, in_folder("a.png"), &err), MO_OK);
    blob b = slurp(in_folder("a.png"));
    assert_memory_equal(b.bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(big_endian(b.bytes + 16), 321);
    assert_in_range(big_endian(b.bytes + 20), 60, 1200);
    assert_memory_equal(b.bytes + b.count - 8, "IEND", 4);
    free(b.bytes);
}

/* tags nest and close, and no text holds a bare '<' */
static void assert_well_formed(const char *s)
{
    char open[64][32];
    int depth = 0, elements = 0;
    while ((s = strchr(s, '<')) != NULL) {
        const char *end = strchr(s, '>');
        assert_non_null(end);
        size_t length = strcspn(s + 1 + (s[1] == '/'), " \n\t/>");
        assert_in_range(length, 1, 31);
        if (s[1] == '/') {
            assert_true(depth > 0);
            assert_memory_equal(open[--depth], s + 2, length);
            assert_int_equal(open[depth][length], 0);
        } else if (s[1] != '?' && s[1] != '!' && end[-1] != '/') {
            assert_true(depth < 64);
            snprintf(open[depth++], sizeof open[0], "%.*s", (int)length, s + 1);
            elements++;
        }
        s = end + 1;
    }
    assert_int_equal(depth, 0);
    assert_true(elements > 3);
}

static void svg_is_well_formed_and_repeatable(void **state)
{
    (void)state;
    mo_error err;
    assert_int_equal(write_sample(DRAW_SVG, 400, in_folder("a.svg"), &err), MO_OK);
    assert_int_equal(write_sample(DRAW_SVG, 400, in_folder("b.svg"), &err), MO_OK);
    blob a = slurp(in_folder("a.svg")), b = slurp(in_folder("b.svg"));
    assert_memory_equal(a.bytes, "<?xml", 5);
    assert_non_null(strstr((char *)a.bytes, "width=\"400pt\""));
    assert_well_formed((char *)a.bytes);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.bytes, b.bytes, a.count);
    free(a.bytes);
    free(b.bytes);
}

static void failures_say_which_file(void **state)
{
    (void)state;
    static const char *const paths[] = {"/dev/full", "/nowhere/at/all.png", "/tmp"};
    size_t before = files_in_folder();
    for (int i = 0; i < 3; i++) {
        mo_error err = {0};
        assert_int_equal(write_sample(DRAW_PNG, 100, paths[i], &err), MO_IO);
        assert_string_equal(err.file, paths[i]);
        assert_true(err.message[0] != '\0');
    }
    assert_int_equal(files_in_folder(), before);
    struct stat st;
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void files_are_replaced_and_links_kept(void **state)
{
    (void)state;
    mo_error err;
    const char *target = in_folder("target.png"), *link = in_folder("link.png");
    FILE *file = fopen(target, "wb");
    assert_non_null(file);
    fputs("old", file);
    fclose(file);
    assert_int_equal(symlink("target.png", link), 0);
    size_t before = files_in_folder();
    assert_int_equal(write_sample(DRAW_PNG, 100, link, &err), MO_OK);
    struct stat st;
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    blob b = slurp(target);
    assert_memory_equal(b.bytes, "\x89PNG", 4);
    free(b.bytes);
    assert_int_equal(files_in_folder(), before);
}

static void dash_is_standard_output(void **state)
{
    (void)state;
    mo_error err;
    const char *path = in_folder("out.png");
    fflush(stdout);
    int saved = dup(STDOUT_FILENO), fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(saved >= 0 && fd >= 0);
    dup2(fd, STDOUT_FILENO);
    mo_status status = write_sample(DRAW_PNG, 100, "-", &err);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fd);
    assert_int_equal(status, MO_OK);
    assert_int_equal(write_sample(DRAW_PNG, 100, in_folder("same.png"), &err), MO_OK);
    blob a = slurp(path), b = slurp(in_folder("same.png"));
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.bytes, b.bytes, a.count);
    free(a.bytes);
    free(b.bytes);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"a.png",    "a.svg",   "b.svg",   "target.png",
                                        "link.png", "out.png", "same.png"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(in_folder(files[i]));
    return rmdir(folder); /* fails when anything else was left behind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_read_well),
        cmocka_unit_test(lengths_have_units),
        cmocka_unit_test(names_become_valid_text),
        cmocka_unit_test(axes_have_round_ticks),
        cmocka_unit_test(ticks_are_short),
        cmocka_unit_test(columns_are_distributed),
        cmocka_unit_test(curve_passes_through_its_values),
        cmocka_unit_test(potential_is_drawn_from_its_least),
        cmocka_unit_test(many_rows_keep_their_peaks),
        cmocka_unit_test(odd_series_are_survived),
        cmocka_unit_test(png_has_signature_and_size),
        cmocka_unit_test(svg_is_well_formed_and_repeatable),
        cmocka_unit_test(failures_say_which_file),
        cmocka_unit_test(files_are_replaced_and_links_kept),
        cmocka_unit_test(dash_is_standard_output),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
