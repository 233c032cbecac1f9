/* Rich text over Cairo's toy fonts, number formats, and round ticks. */
#include "draw/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- drawing ------------------------------------------------------------------------------ */

static const double raised_size = 0.7, raised_shift = 0.42; /* of the font size */

static double font_size(cairo_t *cr)
{
    cairo_matrix_t m;
    cairo_get_font_matrix(cr, &m);
    return m.xx;
}

void text_font(cairo_t *cr, double size)
{
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

/* walks over plain and raised pieces from x on, drawing them or not; returns where the text ends */
static double walk(cairo_t *cr, double x, double y, const char *text, bool draw)
{
    double size = font_size(cr);
    bool raised = false;
    while (*text != '\0') {
        char piece[4 * TEXT_SIZE];
        size_t length = strcspn(text, TEXT_RAISE TEXT_LOWER);
        snprintf(piece, sizeof piece, "%.*s", (int)length, text);
        cairo_set_font_size(cr, raised ? raised_size * size : size);
        cairo_text_extents_t extents;
        cairo_text_extents(cr, piece, &extents);
        if (draw && length > 0) {
            cairo_move_to(cr, x, raised ? y - raised_shift * size : y);
            cairo_show_text(cr, piece);
        }
        x += extents.x_advance;
        text += length;
        if (*text != '\0')
            raised = *text++ == TEXT_RAISE[0];
    }
    cairo_set_font_size(cr, size);
    return x;
}

double text_width(cairo_t *cr, const char *text)
{
    return walk(cr, 0.0, 0.0, text, false);
}

void text_draw(cairo_t *cr, double x, double y, double anchor, const char *text)
{
    if (anchor != 0.0)
        x -= anchor * text_width(cr, text);
    walk(cr, x, y, text, true);
}

/* ---- users' text --------------------------------------------------------------------------- */

/* bytes of the valid UTF-8 character at s, 0 when there is none */
static size_t character(const unsigned char *s)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : 4;
    if ((n == 4 && (s[0] < 0xf0 || s[0] > 0xf4)) || s[0] < 0x20 || s[0] == 0x7f)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* overlong forms, surrogates, and numbers beyond the last */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] >= 0x90) || (s[0] == 0xc2 && s[1] < 0xa0))
        return 0;
    return n;
}

void text_clean(char out[TEXT_SIZE], const char *text, size_t most)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    const unsigned char *s = (const unsigned char *)text;
    size_t used = 0, characters = 0;
    while (*s != '\0') {
        size_t n = character(s);
        if (characters == most || used + n + sizeof ellipsis > TEXT_SIZE) {
            memcpy(out + used, ellipsis, sizeof ellipsis - 1);
            used += sizeof ellipsis - 1;
            break;
        }
        if (n > 0)
            memcpy(out + used, s, n);
        else
            out[used] = '?';
        used += n > 0 ? n : 1;
        s += n > 0 ? n : 1;
        characters++;
    }
    out[used] = '\0';
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* copies a printed number with a true minus sign */
static void proper_minus(char out[TEXT_SIZE], const char *number)
{
    snprintf(out, TEXT_SIZE, "%s%s", number[0] == '-' ? TEXT_MINUS : "", number + (number[0] == '-'));
}

static void power_of_ten(char out[TEXT_SIZE], int exponent)
{
    char number[32], shown[TEXT_SIZE];
    snprintf(number, sizeof number, "%d", exponent);
    proper_minus(shown, number);
    snprintf(out, TEXT_SIZE, "10" TEXT_RAISE "%.40s" TEXT_LOWER, shown);
}

/* a number with so many significant digits but never a power of ten: 2.3, 230, 23000 */
static void print_plain(char *out, size_t size, double value, int digits)
{
    int magnitude = value == 0.0 || !isfinite(value) ? 0 : (int)floor(log10(fabs(value)) + 1e-12);
    double unit = pow(10.0, fmax(0, magnitude + 1 - digits));
    snprintf(out, size, "%.*g", digits, value);
    if (magnitude + 1 >= digits)
        snprintf(out, size, "%.0f", unit * round(value / unit));
}

void text_number(char out[TEXT_SIZE], double value, int digits)
{
    char number[64], mantissa[TEXT_SIZE], power[TEXT_SIZE];
    double size = fabs(value);
    if (!isfinite(value) || value == 0.0 || (size >= 1e-3 && size < 1e6)) {
        print_plain(number, sizeof number, value, digits);
        proper_minus(out, number);
        return;
    }
    /* mantissa and exponent as printf rounds them, then without trailing zeros */
    snprintf(number, sizeof number, "%.*e", digits - 1, value);
    int exponent = 0;
    char *e = strchr(number, 'e');
    sscanf(e + 1, "%d", &exponent);
    *e = '\0';
    if (strchr(number, '.') != NULL)
        while (e[-1] == '0' || e[-1] == '.') {
            bool point = e[-1] == '.';
            *--e = '\0';
            if (point)
                break;
        }
    proper_minus(mantissa, number);
    power_of_ten(power, exponent);
    snprintf(out, TEXT_SIZE, "%.60s" TEXT_TIMES "%.60s", mantissa, power);
}

void text_length(char out[TEXT_SIZE], double metres)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e3, "km"}, {1.0, "m"}, {1e-2, "cm"}, {1e-3, "mm"}, {1e-6, "\xc2\xb5m"}, {1e-9, "nm"}};
    char number[TEXT_SIZE];
    for (size_t i = 0; i < sizeof units / sizeof *units && metres < 1e9; i++)
        if (metres >= units[i].unit * (1.0 - 1e-9)) {
            text_number(number, metres / units[i].unit, 3);
            snprintf(out, TEXT_SIZE, "%.100s %s", number, units[i].name);
            return;
        }
    text_number(number, metres, 3);
    snprintf(out, TEXT_SIZE, "%.100s m", number);
}

/* ---- axes -------------------------------------------------------------------------------------- */

double round_below(double x)
{
    double power = pow(10.0, floor(log10(x)));
    double m = x / power * (1.0 + 1e-12);
    return (m >= 5.0 ? 5.0 : m >= 2.0 ? 2.0 : 1.0) * power;
}

static double round_above(double x)
{
    double below = round_below(x);
    double m = below / pow(10.0, floor(log10(below) + 1e-9));
    return below >= x * (1.0 - 1e-12) ? below : below * (m > 1.5 && m < 3.0 ? 2.5 : 2.0);
}

/* chooses power of ten, offset and decimals so that tick texts are short and differ */
static void choose_format(axis *a)
{
    double size = fmax(fabs(a->lo), fabs(a->hi));
    if (a->step < 1e-4 * size) {
        a->offset = a->first;
        size = a->hi - a->lo;
    }
    int magnitude = (int)floor(log10(size) + 1e-9);
    if (magnitude >= 4 || magnitude <= -3)
        a->exponent = 3 * (int)floor(magnitude / 3.0);
    int finest = (int)floor(log10(a->step) + 1e-9) - a->exponent;
    a->decimals = finest < 0 ? -finest : 0;
}

axis axis_make(double lo, double hi, int most, bool whole)
{
    if (!(lo <= hi) || fmax(fabs(lo), fabs(hi)) > 1e300) {
        lo = 0.0;
        hi = 1.0;
    }
    double size = fmax(fabs(lo), fabs(hi));
    if (hi - lo <= 1e-12 * size || hi - lo < 1e-280) {
        double pad = size > 1e-270 ? 0.1 * size : 1.0;
        lo -= pad;
        hi += pad;
    }
    axis a = {.lo = lo, .hi = hi};
    a.step = round_above((hi - lo) / most);
    if (whole) {
        a.lo = a.step * floor(lo / a.step + 1e-9);
        a.hi = a.step * ceil(hi / a.step - 1e-9);
    }
    a.first = a.step * ceil(a.lo / a.step - 1e-9);
    a.count = 1 + (int)floor((a.hi - a.first) / a.step + 1e-9);
    choose_format(&a);
    return a;
}

double axis_tick(const axis *a, int k)
{
    double x = a->first + k * a->step;
    return fabs(x) < 1e-9 * a->step ? 0.0 : x;
}

void axis_text(char out[TEXT_SIZE], const axis *a, int k)
{
    char number[64];
    double x = a->offset != 0.0 ? k * a->step : axis_tick(a, k);
    snprintf(number, sizeof number, "%.*f", a->decimals, x / pow(10.0, a->exponent));
    proper_minus(out, number);
}

void axis_note(char out[TEXT_SIZE], const axis *a)
{
    char power[TEXT_SIZE] = "", offset[TEXT_SIZE] = "";
    if (a->exponent != 0)
        power_of_ten(power, a->exponent);
    if (fabs(a->offset) >= 1e-3 && fabs(a->offset) < 1e9)
        snprintf(offset, sizeof offset, "%.12g", a->offset);
    else if (a->offset != 0.0)
        text_number(offset, a->offset, 12);
    snprintf(out, TEXT_SIZE, "%s%.40s%s%s%.60s", power[0] != '\0' ? TEXT_TIMES : "", power,
             power[0] != '\0' && offset[0] != '\0' ? " " : "", offset[0] != '\0' ? "+ " : "", offset);
}

void axis_title(char out[TEXT_SIZE], const axis *a, const char *name, const char *unit)
{
    char power[TEXT_SIZE] = "";
    if (a->exponent != 0)
        power_of_ten(power, a->exponent);
    snprintf(out, TEXT_SIZE, "%.40s (%.40s%s%.20s)", name, power, power[0] != '\0' ? " " : "", unit);
}
