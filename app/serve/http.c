/* The request parser, see http.h. */
#define _DEFAULT_SOURCE /* strncasecmp */
#include "serve/http.h"

#include <string.h>
#include <strings.h>

/* ---- texts ------------------------------------------------------------------------------------------ */

bool http_text_is(http_text text, const char *other)
{
    return text.at != NULL && text.length == strlen(other) && memcmp(text.at, other, text.length) == 0;
}

static bool is_word(http_text text, const char *other)
{
    return text.at != NULL && text.length == strlen(other) && strncasecmp(text.at, other, text.length) == 0;
}

static http_text trimmed(const char *at, size_t length)
{
    while (length > 0 && (at[0] == ' ' || at[0] == '\t')) {
        at++;
        length--;
    }
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t'))
        length--;
    return (http_text){at, length};
}

/* takes what stands before the separator off the list */
static http_text next_item(http_text *list, char separator)
{
    const char *end = list->length > 0 ? memchr(list->at, separator, list->length) : NULL;
    size_t length = end != NULL ? (size_t)(end - list->at) : list->length;
    http_text item = trimmed(list->at, length);
    const size_t used = end != NULL ? length + 1 : length;
    *list = (http_text){list->at + used, list->length - used};
    return item;
}

http_text http_value(http_text list, char separator, const char *name)
{
    const size_t length = strlen(name);
    while (list.length > 0) {
        http_text item = next_item(&list, separator);
        if (item.length > length && item.at[length] == '=' && memcmp(item.at, name, length) == 0)
            return (http_text){item.at + length + 1, item.length - length - 1};
    }
    return (http_text){NULL, 0};
}

/* whether a list of words separated by commas has this one, in any case */
static bool has_word(http_text list, const char *word)
{
    while (list.length > 0) {
        if (is_word(next_item(&list, ','), word))
            return true;
    }
    return false;
}

/* ---- the first line --------------------------------------------------------------------------------- */

static bool refuse(http_request *out, int status)
{
    out->refusal = status;
    return false;
}

static bool is_token(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool take_method(http_text method, http_request *out)
{
    out->head = http_text_is(method, "HEAD");
    if (out->head || http_text_is(method, "GET"))
        return true;
    for (size_t i = 0; i < method.length; i++) {
        if (!is_token(method.at[i]))
            return refuse(out, 400);
    }
    return refuse(out, method.length > 0 ? 405 : 400);
}

/* a path on this server; an absolute address or an asterisk is not for us */
static bool take_target(http_text target, http_request *out)
{
    if (target.length > HTTP_TARGET)
        return refuse(out, 414);
    if (target.length == 0 || target.at[0] != '/')
        return refuse(out, 400);
    for (size_t i = 0; i < target.length; i++) {
        if (target.at[i] <= ' ' || target.at[i] >= 127 || target.at[i] == '#')
            return refuse(out, 400);
    }
    out->path = next_item(&target, '?');
    out->query = target;
    return true;
}

static bool take_first_line(http_text line, http_request *out)
{
    const char *space1 = memchr(line.at, ' ', line.length);
    if (space1 == NULL)
        return refuse(out, 400);
    const char *target = space1 + 1, *end = line.at + line.length;
    const char *space2 = memchr(target, ' ', (size_t)(end - target));
    if (space2 == NULL)
        return refuse(out, 400);
    const http_text version = {space2 + 1, (size_t)(end - space2 - 1)};
    out->keep_alive = http_text_is(version, "HTTP/1.1");
    if (!out->keep_alive && !http_text_is(version, "HTTP/1.0"))
        return refuse(out, version.length > 5 && memcmp(version.at, "HTTP/", 5) == 0 ? 505 : 400);
    return take_method((http_text){line.at, (size_t)(space1 - line.at)}, out) &&
           take_target((http_text){target, (size_t)(space2 - target)}, out);
}

/* ---- headers ---------------------------------------------------------------------------------------- */

/* Headers that mean something here; the others are passed over. */
typedef struct known {
    http_text connection, upgrade, length, coding, expect;
} known;

static bool keep_once(http_text *field, http_text value, http_request *out)
{
    if (field->at != NULL)
        return refuse(out, 400);
    *field = value;
    return true;
}

static bool keep_header(http_text name, http_text value, known *k, http_request *out)
{
    const struct {
        const char *name;
        http_text *field;
    } table[] = {{"Host", &out->host},
                 {"Origin", &out->origin},
                 {"Cookie", &out->cookie},
                 {"Range", &out->range},
                 {"If-Range", &out->if_range},
                 {"Sec-WebSocket-Key", &out->socket_key},
                 {"Sec-WebSocket-Version", &out->socket_version},
                 {"Connection", &k->connection},
                 {"Upgrade", &k->upgrade},
                 {"Content-Length", &k->length},
                 {"Transfer-Encoding", &k->coding},
                 {"Expect", &k->expect}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (is_word(name, table[i].name))
            return keep_once(table[i].field, value, out);
    }
    return true;
}

static bool take_header(http_text line, known *k, http_request *out)
{
    const char *colon = memchr(line.at, ':', line.length);
    if (colon == NULL || colon == line.at)
        return refuse(out, 400);
    const http_text name = {line.at, (size_t)(colon - line.at)};
    for (size_t i = 0; i < name.length; i++) {
        if (!is_token(name.at[i]))
            return refuse(out, 400);
    }
    const http_text value = trimmed(colon + 1, line.length - name.length - 1);
    for (size_t i = 0; i < value.length; i++) {
        const unsigned char c = (unsigned char)value.at[i];
        if ((c < ' ' && c != '\t') || c == 127)
            return refuse(out, 400);
    }
    return keep_header(name, value, k, out);
}

/* what the headers together mean */
static bool judge_headers(const known *k, http_request *out)
{
    if (k->coding.at != NULL)
        return refuse(out, 501);
    if (k->length.at != NULL && !http_text_is(k->length, "0"))
        return refuse(out, 413);
    if (k->expect.at != NULL)
        return refuse(out, 417);
    if (out->host.at == NULL)
        return refuse(out, 400);
    out->upgrade = has_word(k->connection, "upgrade") && has_word(k->upgrade, "websocket");
    out->keep_alive = out->keep_alive && !has_word(k->connection, "close");
    return true;
}

/* the line that begins here and ends with CR LF; false: it has no end yet, or a naked LF (*naked) */
static bool next_line(const char *at, const char *end, http_text *out, bool *naked)
{
    const char *lf = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    if (lf == NULL)
        return false;
    *naked = lf == at || lf[-1] != '\r';
    *out = (http_text){at, (size_t)(lf - at) - (*naked ? 0 : 1)};
    return !*naked;
}

http_result http_parse(const char *bytes, size_t count, http_request *out)
{
    known k = {0};
    http_text line;
    bool naked = false, ok = true;
    const size_t seen = count < HTTP_HEAD ? count : HTTP_HEAD;
    const char *at = bytes, *end = bytes + seen;
    *out = (http_request){0};
    for (size_t number = 0; ok && next_line(at, end, &line, &naked); number++) {
        at = line.at + line.length + 2;
        if (number > 0 && line.length == 0) {
            out->length = (size_t)(at - bytes);
            return judge_headers(&k, out) ? HTTP_COMPLETE : HTTP_BAD;
        }
        if (number > HTTP_HEADERS)
            ok = refuse(out, 431);
        else
            ok = number == 0 ? take_first_line(line, out) : take_header(line, &k, out);
    }
    if (!ok)
        return HTTP_BAD;
    if (naked)
        refuse(out, 400);
    else if (seen == HTTP_HEAD)
        refuse(out, 431);
    return out->refusal != 0 ? HTTP_BAD : HTTP_INCOMPLETE;
}

/* ---- ranges ----------------------------------------------------------------------------------------- */

/* digits alone; numbers too large for the type become its largest */
static bool read_digits(http_text text, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
        const uint64_t digit = (uint64_t)(text.at[i] - '0');
        value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : 10 * value + digit;
    }
    *out = value;
    return text.length > 0;
}

/* the last bytes, or from one to another */
static bool read_range(http_text spec, uint64_t size, uint64_t *first, uint64_t *last)
{
    const char *dash = memchr(spec.at, '-', spec.length);
    if (dash == NULL)
        return false;
    const http_text from = {spec.at, (size_t)(dash - spec.at)};
    const http_text to = {dash + 1, spec.length - from.length - 1};
    uint64_t end = UINT64_MAX;
    if (from.length == 0) {
        if (!read_digits(to, &end))
            return false;
        *first = end < size ? size - end : 0;
        *last = end > 0 ? UINT64_MAX : 0;
        if (end == 0)
            *first = size;
        return true;
    }
    if (!read_digits(from, first) || (to.length > 0 && !read_digits(to, &end)) || end < *first)
        return false;
    *last = end;
    return true;
}

http_range_kind http_range(http_text range, uint64_t size, uint64_t *first, uint64_t *last)
{
    static const char unit[] = "bytes=";
    const size_t skip = sizeof unit - 1;
    if (range.at == NULL || range.length <= skip || strncasecmp(range.at, unit, skip) != 0)
        return HTTP_ALL;
    uint64_t from, to;
    if (!read_range((http_text){range.at + skip, range.length - skip}, size, &from, &to))
        return HTTP_ALL;
    if (from >= size)
        return HTTP_NO_PART;
    *first = from;
    *last = to < size - 1 ? to : size - 1;
    return HTTP_PART;
}

/* ---- who asks --------------------------------------------------------------------------------------- */

bool http_is_loopback(http_text host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        if (host.at == NULL || host.length < length || strncasecmp(host.at, names[i], length) != 0)
            continue;
        const http_text port = {host.at + length + 1, host.length - length - 1};
        uint64_t number = 0;
        if (host.length == length || (host.at[length] == ':' && read_digits(port, &number) && number < 65536))
            return true;
    }
    return false;
}

bool http_same_origin(const http_request *request)
{
    static const char scheme[] = "http://";
    const size_t skip = sizeof scheme - 1;
    const http_text origin = request->origin, host = request->host;
    if (origin.at == NULL)
        return true;
    return origin.length == skip + host.length && memcmp(origin.at, scheme, skip) == 0 &&
           strncasecmp(origin.at + skip, host.at, host.length) == 0;
}

const char *http_reason(int status)
{
    static const struct {
        int status;
        const char *reason;
    } table[] = {{101, "Switching Protocols"},
                 {200, "OK"},
                 {206, "Partial Content"},
                 {400, "Bad Request"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {413, "Content Too Large"},
                 {414, "URI Too Long"},
                 {416, "Range Not Satisfiable"},
                 {417, "Expectation Failed"},
                 {426, "Upgrade Required"},
                 {431, "Request Header Fields Too Large"},
                 {500, "Internal Server Error"},
                 {501, "Not Implemented"},
                 {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].status == status)
            return table[i].reason;
    }
    return "Unknown";
}
