/* Looking at the world in space. */
#include "draw/camera.h"

#include "math/vec3.h"

#include <math.h>

static const double eye_distance = 4.2; /* sizes: the scene is seen within about 27 degrees */
static const double degree = 3.14159265358979323846 / 180.0;

void camera_vertical(const double gravity[3], double out[3])
{
    int k = 2;
    for (int i = 0; i < 3; i++)
        if (fabs(gravity[i]) > fabs(gravity[k]))
            k = i;
    vec3_set(out, 0.0, 0.0, 0.0);
    out[k] = gravity[k] > 0.0 ? -1.0 : 1.0;
}

void camera_plane_axes(const double normal[3], const double vertical[3], double level[3], double rising[3])
{
    vec3_cross(vertical, normal, level);
    if (!(vec3_unit(level, level) > 1e-6))
        mo_tangent(normal, level);
    vec3_cross(normal, level, rising);
}

/* the horizontal axes that go with a vertical one: x and what completes it, y and what completes it when x
   is vertical */
static void horizontal(const double vertical[3], double first[3], double second[3])
{
    bool upright_x = fabs(vertical[0]) > 0.5;
    vec3_set(first, upright_x ? 0.0 : 1.0, upright_x ? 1.0 : 0.0, 0.0);
    vec3_cross(vertical, first, second);
}

void camera_aim(camera *c, const double vertical[3], double azimuth, double elevation)
{
    double first[3], second[3], outward[3];
    horizontal(vertical, first, second);
    double ca = cos(azimuth * degree), sa = sin(azimuth * degree);
    double ce = cos(elevation * degree), se = sin(elevation * degree);
    for (int k = 0; k < 3; k++) {
        outward[k] = ca * first[k] + sa * second[k];
        c->right[k] = ca * second[k] - sa * first[k];
        c->back[k] = ce * outward[k] + se * vertical[k];
        c->up[k] = ce * vertical[k] - se * outward[k];
    }
}

void camera_fit(camera *c, const box3d *around, bool perspective)
{
    double size = 0.0, far = 0.0;
    for (int k = 0; k < 3; k++) {
        double half = 0.5 * (around->hi[k] - around->lo[k]);
        c->middle[k] = around->lo[k] + half;
        size += half * half;
        far = fmax(far, fabs(c->middle[k]));
    }
    /* never without extent, not even after rounding */
    size = sqrt(size);
    if (!(size > 1e-12 * far) || size < 1e-150)
        size = far > 1e-150 ? 1e-9 * far : 1.0;
    c->size = size;
    c->distance = perspective ? eye_distance : 0.0;
    c->nearest = 0.02;
    c->left = c->top = 0.0;
    c->scale = 1.0;
}

void camera_widen(const camera *c, const box3d *box, double lo[2], double hi[2])
{
    for (int corner = 0; corner < 8; corner++) {
        double world[3], view[3], plane[2];
        for (int k = 0; k < 3; k++)
            world[k] = (corner >> k & 1) != 0 ? box->hi[k] : box->lo[k];
        camera_see(c, world, view);
        if (!camera_sees(c, view[2]))
            continue;
        camera_project(c, view, plane);
        for (int k = 0; k < 2; k++) {
            lo[k] = fmin(lo[k], plane[k]);
            hi[k] = fmax(hi[k], plane[k]);
        }
    }
}

void camera_turn(const camera *c, const double world[3], double view[3])
{
    vec3_set(view, vec3_dot(c->right, world), vec3_dot(c->up, world), vec3_dot(c->back, world));
}

void camera_see(const camera *c, const double world[3], double view[3])
{
    double d[3];
    vec3_sub(world, c->middle, d);
    camera_turn(c, d, view);
    vec3_scale(1.0 / c->size, view, view);
}

void camera_unsee(const camera *c, const double view[3], double world[3])
{
    double x = c->size * view[0], y = c->size * view[1], z = c->size * view[2];
    for (int k = 0; k < 3; k++)
        world[k] = c->middle[k] + x * c->right[k] + y * c->up[k] + z * c->back[k];
}

bool camera_sees(const camera *c, double z)
{
    return c->distance == 0.0 ? isfinite(z) : c->distance - z >= c->nearest;
}

void camera_project(const camera *c, const double view[3], double plane[2])
{
    double s = c->distance == 0.0 ? 1.0 : c->distance / (c->distance - view[2]);
    plane[0] = s * view[0];
    plane[1] = s * view[1];
}

double camera_nearness(const camera *c, double z)
{
    return c->distance == 0.0 ? z : 1.0 / (c->distance - z);
}

double camera_depth(const camera *c, double nearness)
{
    return c->distance == 0.0 ? nearness : c->distance - 1.0 / nearness;
}

ray camera_ray(const camera *c, double X, double Y)
{
    if (c->distance == 0.0)
        return (ray){{X, Y, 0.0}, {0.0, 0.0, -1.0}};
    return (ray){{0.0, 0.0, c->distance}, {X / c->distance, Y / c->distance, -1.0}};
}

void camera_point(const camera *c, double X, double Y, double nearness, double view[3])
{
    double z = camera_depth(c, nearness);
    double s = c->distance == 0.0 ? 1.0 : (c->distance - z) / c->distance;
    vec3_set(view, s * X, s * Y, z);
}

/* the interval of X on the picture plane of a ball at (x, away) from the eye: the directions at
   asin(r / l) on both sides of its centre; all of them when the eye is beside the ball */
static bool ball_interval(double distance, double x, double away, double radius, double *lo, double *hi)
{
    double length = hypot(x, away), quarter = 89.0 * degree;
    double angle = atan2(x, away), half = radius < length ? asin(radius / length) : 2.0 * quarter;
    if (angle - half > quarter || angle + half < -quarter)
        return false;
    *lo = distance * tan(fmax(angle - half, -quarter));
    *hi = distance * tan(fmin(angle + half, quarter));
    return true;
}

bool camera_ball(const camera *c, const double view[3], double radius, double lo[2], double hi[2])
{
    for (int k = 0; k < 2; k++) {
        lo[k] = view[k] - radius;
        hi[k] = view[k] + radius;
    }
    if (c->distance == 0.0)
        return true;
    double away = c->distance - view[2];
    if (away + radius < c->nearest || hypot(hypot(view[0], view[1]), away) <= radius)
        return false;
    return ball_interval(c->distance, view[0], away, radius, &lo[0], &hi[0]) &&
           ball_interval(c->distance, view[1], away, radius, &lo[1], &hi[1]);
}
