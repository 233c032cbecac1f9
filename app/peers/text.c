/* Scenes as texts for drivers, and their results read back: bench/peers/README.md describes both. */
#include "peers.h"

#include "core/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- scenes --------------------------------------------------------------------------------------- */

static void write_numbers(FILE *file, const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        fprintf(file, " %.17g", x[k]);
}

bool peer_scene_write(FILE *file, const peer_scene *s)
{
    fprintf(file, "moreau-scene 1\nname %s\ndim %d\nh %.17g\ngravity", s->name, s->dim, s->h);
    write_numbers(file, s->gravity, 3);
    fprintf(file, "\nfriction %.17g\nsize %.17g\nsettle %zu\nsteps %zu\nplanes %zu\n", s->friction, s->size,
            s->settle, s->steps, s->plane_count);
    for (size_t k = 0; k < s->plane_count; k++) {
        write_numbers(file, s->planes[k].normal, 3);
        fprintf(file, " %.17g\n", s->planes[k].offset);
    }
    fprintf(file, "bodies %zu\n", s->body_count);
    for (size_t i = 0; i < s->body_count; i++) {
        const peer_body *b = &s->bodies[i];
        write_numbers(file, b->x, 3);
        write_numbers(file, b->q, 4);
        fprintf(file, " %.17g", b->radius);
        write_numbers(file, b->half, 3);
        fprintf(file, " %.17g", b->mass);
        write_numbers(file, b->inertia, 3);
        fputc('\n', file);
    }
    fputs("end\n", file);
    return ferror(file) == 0;
}

/* ---- results -------------------------------------------------------------------------------------- */

void peer_result_drop(peer_result *r)
{
    free(r->seconds);
    free(r->start);
    free(r->end);
    free(r->before);
    free(r->touch);
    r->seconds = NULL;
    r->start = r->end = r->before = NULL;
    r->touch = NULL;
}

void peer_result_free(peer_result *r)
{
    peer_result_drop(r);
    *r = (peer_result){0};
}

// false: the text ends, or there is something else
static bool read_numbers(FILE *file, double *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (fscanf(file, "%lf", &x[k]) != 1)
            return false;
    return true;
}

// the rest of a line, without the blanks before it
static bool read_line(FILE *file, char *out, size_t size)
{
    char line[1024];
    if (fgets(line, sizeof line, file) == NULL)
        return false;
    line[strcspn(line, "\n")] = '\0';
    snprintf(out, size, "%.*s", (int)size - 1, line + strspn(line, " "));
    return true;
}

// a count that the file can hold
static bool read_count(FILE *file, size_t most, size_t *out)
{
    double x;
    if (!read_numbers(file, &x, 1) || !(x >= 0) || x > (double)most || x != floor(x))
        return false;
    *out = (size_t)x;
    return true;
}

static bool read_states(FILE *file, size_t n, peer_state **out)
{
    if (*out != NULL || (*out = calloc(n, sizeof **out)) == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        peer_state *s = &(*out)[i];
        if (!read_numbers(file, s->x, 3) || !read_numbers(file, s->q, 4) || !read_numbers(file, s->v, 3) ||
            !read_numbers(file, s->w, 3))
            return false;
    }
    return true;
}

static bool read_touches(FILE *file, const peer_scene *scene, peer_result *r)
{
    size_t count, last = scene->body_count + scene->plane_count;
    if (r->touch != NULL || !read_count(file, 200 * scene->body_count + 100, &count) ||
        (r->touch = calloc(count + 1, sizeof *r->touch)) == NULL)
        return false;
    r->touch_count = count;
    for (size_t c = 0; c < count; c++) {
        peer_contact *t = &r->touch[c];
        double body[2];
        if (!read_numbers(file, body, 2) || !read_numbers(file, t->point, 3) ||
            !read_numbers(file, t->normal, 3) || !read_numbers(file, &t->gap, 1) ||
            !read_numbers(file, &t->target, 1) || !read_numbers(file, t->impulse, 3))
            return false;
        if (!(body[0] >= 0 && body[0] < (double)scene->body_count && body[1] >= 0 &&
              body[1] < (double)last) ||
            body[0] == body[1])
            return false;
        t->body1 = (uint32_t)body[0];
        t->body2 = (uint32_t)body[1];
    }
    return true;
}

static bool read_seconds(FILE *file, peer_result *r)
{
    size_t count;
    if (r->seconds != NULL || !read_count(file, 10000000, &count) ||
        (r->seconds = calloc(count + 1, sizeof *r->seconds)) == NULL)
        return false;
    r->step_count = count;
    return read_numbers(file, r->seconds, count);
}

// one key with what follows it
static bool read_key(FILE *file, const char *key, const peer_scene *scene, peer_result *r)
{
    const struct {
        const char *key;
        char *text;
        size_t size;
    } texts[] = {{"program", r->program, sizeof r->program},
                 {"version", r->version, sizeof r->version},
                 {"setting", r->setting, sizeof r->setting},
                 {"note", r->note, sizeof r->note}};
    const struct {
        const char *key;
        double *value;
    } numbers[] = {{"settle_seconds", &r->settle_seconds},
                   {"run_seconds", &r->run_seconds},
                   {"contacts", &r->contacts},
                   {"iterations", &r->iterations}};
    const struct {
        const char *key;
        peer_state **states;
    } states[] = {{"start", &r->start}, {"state", &r->end}, {"before", &r->before}};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        if (strcmp(key, texts[k].key) == 0)
            return read_line(file, texts[k].text, texts[k].size);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        if (strcmp(key, numbers[k].key) == 0)
            return read_numbers(file, numbers[k].value, 1);
    for (size_t k = 0; k < sizeof states / sizeof states[0]; k++)
        if (strcmp(key, states[k].key) == 0)
            return read_states(file, scene->body_count, states[k].states);
    if (strcmp(key, "seconds") == 0)
        return read_seconds(file, r);
    return strcmp(key, "touches") == 0 && read_touches(file, scene, r);
}

mo_status peer_result_read(FILE *file, const peer_scene *scene, peer_result *out, mo_error *err)
{
    char key[32] = "";
    int version = 0;
    peer_result r = {.body_count = scene->body_count};
    if (fscanf(file, "moreau-result %d", &version) != 1 || version != 1)
        return fail(err, MO_BAD_FILE, "", "the driver's result does not begin with 'moreau-result 1'");
    bool ok = true;
    while ((ok = fscanf(file, "%31s", key) == 1) && strcmp(key, "end") != 0 &&
           (ok = read_key(file, key, scene, &r)))
        ;
    if (ok &&
        (r.seconds == NULL || r.start == NULL || r.end == NULL || (r.before == NULL) != (r.touch == NULL))) {
        ok = false;
        snprintf(key, sizeof key, "end");
    }
    if (!ok) {
        peer_result_free(&r);
        return fail(err, MO_BAD_FILE, key, "the driver's result cannot be read here");
    }
    *out = r;
    return MO_OK;
}
