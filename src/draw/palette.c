/*
 * The sequential maps run from nearly white to dark at even steps of lightness in the OKLab space (B.
 * Ottosson, "A perceptual color space for image processing", 2020), so that they read the same in grey and to
 * colour-blind eyes: L = 0.965 to 0.34, hue from yellow over green to indigo for speed; L = 0.965 to 0.36,
 * hue from yellow over orange to dark red for stress.  Light means little: bodies at rest stay pale under
 * force chains.
 *
 * The categories are those of M. Okabe and K. Ito, "Color universal design" (2008), without black.  Lines on
 * white have darker ones.
 */
#include "draw/palette.h"

#include <math.h>

enum { knots = 17, categories = 7 };

static const unsigned char sequential[2][knots][3] = {
    {{245, 246, 219},
     {228, 235, 199},
     {209, 225, 182},
     {188, 216, 167},
     {164, 207, 154},
     {136, 197, 153},
     {108, 187, 153},
     {79, 175, 155},
     {48, 163, 157},
     {10, 150, 159},
     {0, 135, 158},
     {9, 120, 155},
     {2, 105, 155},
     {13, 89, 152},
     {31, 73, 143},
     {41, 57, 133},
     {47, 41, 120}},
    {{249, 245, 218},
     {242, 231, 191},
     {236, 217, 164},
     {232, 203, 136},
     {230, 187, 107},
     {227, 171, 87},
     {223, 154, 69},
     {220, 136, 51},
     {215, 118, 36},
     {207, 101, 29},
     {199, 85, 25},
     {189, 67, 25},
     {179, 49, 28},
     {162, 42, 36},
     {144, 35, 40},
     {127, 29, 41},
     {110, 23, 40}},
};

static const unsigned char category[categories][3] = {
    {86, 180, 233}, {230, 159, 0}, {0, 158, 115},  {204, 121, 167},
    {0, 114, 178},  {213, 94, 0},  {240, 228, 66},
};

/* of lines on white: the same hues, darker where they were pale */
static const unsigned char line_color[PALETTE_LINES][3] = {
    {0, 114, 178}, {213, 94, 0}, {0, 140, 100},  {175, 80, 140},
    {185, 128, 0}, {70, 72, 78}, {70, 165, 220}, {125, 65, 30},
};

static rgb from_bytes(const unsigned char c[3])
{
    return (rgb){c[0] / 255.0, c[1] / 255.0, c[2] / 255.0};
}

rgb rgb_mix(rgb a, rgb b, double s)
{
    return (rgb){a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b)};
}

rgb palette_sequential(palette_map map, double s)
{
    if (isnan(s))
        return (rgb){0.8, 0.8, 0.8};
    double x = fmin(fmax(s, 0.0), 1.0) * (knots - 1);
    int k = (int)fmin(floor(x), knots - 2);
    return rgb_mix(from_bytes(sequential[map][k]), from_bytes(sequential[map][k + 1]), x - k);
}

rgb palette_category(size_t k)
{
    /* each further round of the palette is darker */
    double shade = 0.3 * (double)(k / categories % 3);
    return rgb_mix(from_bytes(category[k % categories]), rgb_ink, shade);
}

rgb palette_line(size_t k)
{
    return from_bytes(line_color[k % PALETTE_LINES]);
}
