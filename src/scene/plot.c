/*
 * plot{...}: curves that the run file keeps for pictures (docs/format.md).
 */
#include "scene/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PLOTS = 16, MOST_CURVES = 32, MOST_POINTS = 100000 };

static const char *const plot_keys[] = {"title", "x", "y", "equal", "curves", NULL};
static const char *const axis_keys[] = {"label", "log", "down", NULL};
static const char *const curve_keys[] = {"name", "x", "y", "style", "error", "dx", "dy", "size", NULL};
static const char *const styles[] = {"line", "points", "both", "dashed", "arrows", "discs", NULL};
/* numbers beside x and y: the style that needs them, -1 for none */
static const struct {
    const char *key;
    int style;
} extras[] = {{"error", -1}, {"dx", 4}, {"dy", 4}, {"size", 5}};

/* Lua may raise while json_t are held, so they hang in the scene's own array from the start */
static json_t *put(lua_State *L, json_t *object, const char *key, json_t *value)
{
    if (value == NULL || json_object_set_new(object, key, value) != 0)
        scene_error(L, "plot", "out of memory, or a text that is not UTF-8");
    return value;
}

static void put_text(lua_State *L, json_t *object, int idx, const char *what, const char *key)
{
    const char *text = "";
    char path[64];
    read_string(L, idx, what, key, &text);
    json_t *value = json_string(text);
    read_path(path, sizeof path, what, key);
    if (value == NULL)
        scene_error(L, path, "expected a text in UTF-8");
    put(L, object, key, value);
}

static void put_boolean(lua_State *L, json_t *object, int idx, const char *what, const char *key)
{
    bool value = false;
    read_boolean(L, idx, what, key, &value);
    put(L, object, key, json_boolean(value));
}

/* x = {label =, log =, down =} or x = "label" */
static void read_axis(lua_State *L, json_t *plot, const char *key)
{
    char path[64];
    read_path(path, sizeof path, "plot", key);
    json_t *axis = put(L, plot, key, json_object());
    if (!read_field(L, 1, key)) {
        lua_newtable(L);
    } else if (lua_type(L, -1) == LUA_TSTRING) {
        read_string_at(L, -1, "plot", key);
        lua_createtable(L, 0, 1);
        lua_insert(L, -2);
        lua_setfield(L, -2, "label");
    } else if (lua_type(L, -1) != LUA_TTABLE) {
        read_wrong(L, "plot", key, -1, "a label or a table {label =, log =, down =}");
    }
    int t = lua_gettop(L);
    read_keys(L, t, path, axis_keys, false);
    put_text(L, axis, t, path, "label");
    put_boolean(L, axis, t, path, "log");
    put_boolean(L, axis, t, path, "down");
    lua_pop(L, 1);
}

/* numbers of a curve; JSON has neither NaN nor infinity */
static size_t read_numbers(lua_State *L, json_t *curve, int idx, const char *what, const char *key)
{
    static const char *const no_keys[] = {NULL};
    scene *s = scene_of(L);
    char path[64];
    read_path(path, sizeof path, what, key);
    if (!read_field(L, idx, key))
        scene_error(L, path, "expected a table of numbers, got nothing");
    int t = lua_gettop(L);
    if (lua_type(L, t) != LUA_TTABLE)
        read_wrong(L, what, key, t, "a table of numbers");
    read_keys(L, t, path, no_keys, true);
    size_t n = lua_rawlen(L, t);
    if (n > MOST_POINTS || s->plot_points + n > MOST_POINTS)
        scene_error(L, path, "more than %d points in all plots", (int)MOST_POINTS);
    json_t *list = put(L, curve, key, json_array());
    for (size_t i = 0; i < n; i++) {
        char place[80];
        if (lua_rawgeti(L, t, (lua_Integer)i + 1) != LUA_TNUMBER) {
            snprintf(place, sizeof place, "%.40s[%zu]", key, i + 1);
            read_wrong(L, what, place, -1, "a number");
        }
        double x = lua_tonumber(L, -1);
        if (json_array_append_new(list, isfinite(x) ? json_real(x) : json_null()) != 0)
            scene_error(L, "plot", "out of memory");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return n;
}

/* error bars, and what the style needs */
static void read_extra(lua_State *L, json_t *curve, int idx, const char *what, size_t k, int style, size_t n)
{
    const bool given = read_field(L, idx, extras[k].key);
    lua_settop(L, idx);
    if (!given && style == extras[k].style)
        scene_error(L, what, "style \"%s\" needs %s, a table of numbers", styles[style], extras[k].key);
    if (!given)
        return;
    if (extras[k].style >= 0 && style != extras[k].style)
        scene_error(L, what, "%s is for style \"%s\"", extras[k].key, styles[extras[k].style]);
    size_t m = read_numbers(L, curve, idx, what, extras[k].key);
    if (m != n)
        scene_error(L, what, "%zu numbers in x, %zu in %s", n, m, extras[k].key);
}

static void read_curve(lua_State *L, json_t *curves, size_t i)
{
    char what[40];
    snprintf(what, sizeof what, "plot.curves[%zu]", i + 1);
    int t = lua_gettop(L), style = 0;
    if (lua_type(L, t) != LUA_TTABLE)
        read_wrong(L, what, "", t, "a table {name =, x =, y =, style =}");
    read_keys(L, t, what, curve_keys, false);
    json_t *curve = json_object();
    if (json_array_append_new(curves, curve) != 0)
        scene_error(L, what, "out of memory");
    put_text(L, curve, t, what, "name");
    size_t n = read_numbers(L, curve, t, what, "x"), m = read_numbers(L, curve, t, what, "y");
    if (n != m)
        scene_error(L, what, "%zu numbers in x, %zu in y", n, m);
    read_choice(L, t, what, "style", styles, &style);
    put(L, curve, "style", json_string(styles[style]));
    for (size_t k = 0; k < sizeof extras / sizeof *extras; k++)
        read_extra(L, curve, t, what, k, style, n);
    scene_of(L)->plot_points += n;
}

static void read_curves(lua_State *L, json_t *plot)
{
    static const char *const no_keys[] = {NULL};
    if (!read_field(L, 1, "curves"))
        scene_error(L, "plot.curves", "expected a table of curves, got nothing");
    int t = lua_gettop(L);
    if (lua_type(L, t) != LUA_TTABLE)
        read_wrong(L, "plot", "curves", t, "a table of curves {name =, x =, y =, style =}");
    read_keys(L, t, "plot.curves", no_keys, true);
    size_t n = lua_rawlen(L, t);
    if (n < 1 || n > MOST_CURVES)
        scene_error(L, "plot.curves", "expected 1 to %d curves, got %zu", (int)MOST_CURVES, n);
    json_t *curves = put(L, plot, "curves", json_array());
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, t, (lua_Integer)i + 1);
        read_curve(L, curves, i);
        lua_settop(L, t);
    }
    lua_pop(L, 1);
}

/* argument 1: the table; the plot is the last of the scene's */
static int read_plot(lua_State *L)
{
    scene *s = scene_of(L);
    json_t *plot = json_array_get(s->plots, json_array_size(s->plots) - 1);
    read_keys(L, 1, "plot", plot_keys, false);
    put_text(L, plot, 1, "plot", "title");
    read_axis(L, plot, "x");
    read_axis(L, plot, "y");
    put_boolean(L, plot, 1, "plot", "equal");
    read_curves(L, plot);
    return 0;
}

static int make_plot(lua_State *L)
{
    scene *s = scene_of(L);
    read_single_table(L, "plot");
    size_t count = json_array_size(s->plots), points = s->plot_points;
    if (count >= MOST_PLOTS)
        scene_error(L, "plot", "more than %d plots", (int)MOST_PLOTS);
    if (json_array_append_new(s->plots, json_object()) != 0)
        scene_error(L, "plot", "out of memory");
    lua_pushcfunction(L, read_plot);
    lua_insert(L, 1);
    /* a plot that is wrong leaves nothing behind */
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        json_array_remove(s->plots, count);
        s->plot_points = points;
        return lua_error(L);
    }
    if (s->phase == PHASE_CHUNK)
        s->plots_built = count + 1;
    return 0;
}

json_t *scene_late_plots(const scene *s)
{
    json_t *late = json_array();
    for (size_t i = s->plots_built; late != NULL && i < json_array_size(s->plots); i++)
        json_array_append(late, json_array_get(s->plots, i));
    return late;
}

bool scene_take_plots(scene *s, json_t *late)
{
    size_t i, k;
    json_t *plot, *curve;
    /* files from before there were plots have none */
    if (late != NULL && !json_is_array(late))
        return false;
    json_array_foreach(late, i, plot)
    {
        if (!json_is_object(plot) || json_array_size(s->plots) >= MOST_PLOTS)
            return false;
        json_array_append(s->plots, plot);
        json_array_foreach(json_object_get(plot, "curves"), k, curve) s->plot_points +=
            json_array_size(json_object_get(curve, "x"));
    }
    return s->plot_points <= MOST_POINTS;
}

void scene_open_plot(lua_State *L)
{
    lua_register(L, "plot", make_plot);
}
