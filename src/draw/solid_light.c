/*
 * brightness = ambient + sky (n . up) + head max(n . v, 0) + lamp max(n . l, 0) (1 - shade), v towards the
 * viewer,
 *
 * the shade being the share of nine places around the point's own on the lamp's map that see something nearer
 * to the lamp.
 */
#include "draw/solid_light.h"

#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

static const double ambient = 0.53, sky = 0.10, head = 0.16, lamp = 0.36;
enum { map_least = 128, map_most = 1536 };

/* the lamp stands 50 degrees above the horizon, 40 to the left of the viewer */
static void place_lamp(const camera *c, const double vertical[3], double out[3])
{
    double level[3], side[3];
    vec3_add_scaled(c->back, -vec3_dot(c->back, vertical), vertical, level);
    if (vec3_norm(level) < 1e-3)
        vec3_scale(vec3_dot(c->back, vertical) > 0.0 ? -1.0 : 1.0, c->up, level);
    vec3_scale(1.0 / vec3_norm(level), level, level);
    vec3_cross(level, vertical, side); /* to the viewer's left */
    for (int k = 0; k < 3; k++)
        out[k] = 0.49 * level[k] + 0.41 * side[k] + 0.77 * vertical[k];
    vec3_scale(1.0 / vec3_norm(out), out, out);
}

/* a camera in the lamp's direction whose paper is the map */
static camera look_from(const double lamp_world[3], const double vertical[3], const box3d *around,
                        int map_size)
{
    camera c;
    vec3_copy(lamp_world, c.back);
    vec3_cross(vertical, c.back, c.right);
    vec3_scale(1.0 / vec3_norm(c.right), c.right, c.right);
    vec3_cross(c.back, c.right, c.up);
    camera_fit(&c, around, false);
    c.scale = 0.5 * map_size;
    c.left = c.top = 0.5 * map_size;
    return c;
}

bool light_create(light *l, const camera *c, const double vertical[3], const box3d *around,
                  const facets *casters, double width)
{
    double lamp_world[3];
    int size = (int)fmin(fmax(1.3 * width, map_least), map_most);
    *l = (light){.camera = c};
    place_lamp(c, vertical, lamp_world);
    camera_turn(c, lamp_world, l->lamp);
    camera_turn(c, vertical, l->sky);
    l->from = look_from(lamp_world, vertical, around, size);
    facet_place *places = raster_places(&l->from, casters);
    if (places == NULL || !band_create(&l->map, size, size)) {
        free(places);
        return false;
    }
    for (size_t i = 0; i < casters->count; i++)
        if (casters->items[places[i].facet].finish != FINISH_BODY)
            places[i].hi[0] = places[i].lo[0] - 1.0F; /* planes and their borders throw none */
    band_clear(&l->map, 0);
    raster_draw(&l->from, casters, places, &l->map);
    free(places);
    return true;
}

void light_free(light *l)
{
    band_free(&l->map);
}

/* the share of the lamp that something hides from a point */
static double shade(const light *l, const double view[3], const double normal[3])
{
    double world[3], out[3], at[3], size = l->map.width;
    /* a little off the surface, so that it does not shade itself */
    vec3_add_scaled(view, 4.0 / size, normal, out);
    camera_unsee(l->camera, out, world);
    camera_see(&l->from, world, at);
    double x = l->from.left + l->from.scale * at[0], y = l->from.top - l->from.scale * at[1];
    float near = (float)(at[2] + 3.0 / size);
    int hidden = 0;
    for (int k = 0; k < 9; k++) {
        int column = k % 3 - 1, row = k / 3 - 1;
        double i = floor(x + 1.1 * column), j = floor(y + 1.1 * row);
        if (i >= 0.0 && j >= 0.0 && i < size && j < size)
            hidden += l->map.nearness[(size_t)j * (size_t)l->map.width + (size_t)i] > near;
    }
    return hidden / 9.0;
}

double light_on(const light *l, const double view[3], const double normal[3])
{
    double facing = vec3_dot(normal, l->lamp);
    double direct = facing > 0.0 ? lamp * facing * (1.0 - shade(l, view, normal)) : 0.0;
    return ambient + sky * vec3_dot(normal, l->sky) + head * fmax(normal[2], 0.0) + direct;
}
