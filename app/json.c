/*
 * JSON objects on standard output: stable order, 17 significant digits, one line.
 */
#include "app.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *json_number(double x)
{
    // a sum with 0 has no sign when it is 0
    return isfinite(x) ? json_real(x + 0.0) : json_null();
}

json_t *json_unsigned(uint64_t x)
{
    if (x <= (uint64_t)INT64_MAX)
        return json_integer((json_int_t)x);
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, x);
    return json_string(digits);
}

/* length of the UTF-8 sequence at p that jansson accepts, 0 when there is none */
static size_t utf8_length(const unsigned char *p)
{
    size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xC2 && p[0] < 0xE0 ? 2 : (p[0] & 0xF0) == 0xE0 ? 3 : 4;
    if ((p[0] >= 0x80 && p[0] < 0xC2) || p[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    }
    // overlong forms, surrogates and what lies beyond U+10FFFF
    bool bad = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] >= 0xA0) ||
               (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] >= 0x90);
    return bad ? 0 : n;
}

/* the text with U+FFFD for what is not UTF-8, to be freed */
static char *clean_text(const char *text)
{
    // a replacement character takes three bytes for one
    char *clean = app_calloc(3 * strlen(text) + 1, 1), *to = clean;
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
        size_t n = utf8_length(p);
        memcpy(to, n > 0 ? (const char *)p : "\xEF\xBF\xBD", n > 0 ? n : 3);
        to += n > 0 ? n : 3;
        p += n > 0 ? n : 1;
    }
    return clean;
}

json_t *json_text(const char *text)
{
    char *clean = clean_text(text);
    json_t *value = json_string(clean);
    free(clean);
    return value;
}

void json_put(json_t *object, const char *key, json_t *value)
{
    // groups of bodies are keys too, and a scene may give them any bytes
    char *clean = clean_text(key);
    if (json_object_set_new(object, clean, value) != 0)
        app_no_memory();
    free(clean);
}

json_t *json_parsed(const char *text)
{
    json_t *value = text != NULL ? json_loads(text, 0, NULL) : NULL;
    if (json_is_object(value))
        return value;
    json_decref(value);
    return json_object();
}

void json_print(app *a, json_t *object)
{
    char *line = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    if (line == NULL)
        app_no_memory();
    puts(line);
    a->json_written = true;
    free(line);
    json_decref(object);
}

const char *number_text(char *buffer, double x)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, x);
        if (strtod(buffer, NULL) == x)
            break;
    }
    return buffer;
}

char *json_plain(const json_t *value)
{
    char buffer[32];
    if (json_is_string(value))
        return app_format("%s", json_string_value(value));
    if (json_is_real(value))
        return app_format("%s", number_text(buffer, json_real_value(value)));
    char *text =
        json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
    if (text == NULL)
        app_no_memory();
    return text;
}
