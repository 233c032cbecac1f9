/* Rich text over Cairo's toy fonts, and number formats. */
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

double text_size(double width)
{
    return fmax(width / 64.0, fmin(10.0, width / 40.0));
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

void text_fit(cairo_t *cr, char out[TEXT_SIZE], const char *text, double width)
{
    size_t most = TEXT_SIZE;
    text_clean(out, text, most);
    while (most > 1 && text_width(cr, out) > width) {
        /* at once near what fits, then character by character */
        double share = width / text_width(cr, out);
        most = share < 0.5 ? (size_t)fmax(1.0, 0.5 * (double)most) : most - 1;
        text_clean(out, text, most);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

void text_minus(char out[TEXT_SIZE], const char *number)
{
    snprintf(out, TEXT_SIZE, "%s%s", number[0] == '-' ? TEXT_MINUS : "", number + (number[0] == '-'));
}

void text_power(char out[TEXT_SIZE], int exponent)
{
    char number[32], shown[TEXT_SIZE];
    snprintf(number, sizeof number, "%d", exponent);
    text_minus(shown, number);
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
        text_minus(out, number);
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
    text_minus(mantissa, number);
    text_power(power, exponent);
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
