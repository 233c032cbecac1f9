/* Looking into exported files. */
#ifndef RECORD_EXPORTED_H
#define RECORD_EXPORTED_H

#include "record/small_world.h"

/* the next line of a text, cut in place */
static inline char *next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    assert_non_null(end);
    *end = '\0';
    *text = end + 1;
    return line;
}

/* every file must parse, when there is a parser to ask */
static inline void assert_xml(const char *path)
{
    if (system("python3 -c 'import xml.dom.minidom' 2>/dev/null") != 0)
        return;
    char command[512];
    snprintf(command, sizeof command,
             "python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' %s", path);
    assert_int_equal(system(command), 0);
}

static inline size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

#endif
