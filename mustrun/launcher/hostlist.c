/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/hostlist.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS_MAX = 1 << 24 };

static bool read_number(const char **text, unsigned long *number)
{
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    *number = strtoul(*text, &end, 10);
    *text = end;
    return *number < HOSTS_MAX;
}

/* Reads "7-10,12]" and moves past it; 0: malformed. */
static unsigned long count_ranges(const char **text)
{
    unsigned long count = 0;

    for (;;) {
        unsigned long first;
        if (!read_number(text, &first))
            return 0;
        unsigned long last = first;
        if (**text == '-') {
            ++*text;
            if (!read_number(text, &last) || last < first)
                return 0;
        }
        count += last - first + 1;
        char end = *(*text)++;
        if (end == ']' && count < HOSTS_MAX)
            return count;
        if (end != ',' || count >= HOSTS_MAX)
            return 0;
    }
}

/* One name, up to a comma or the end. */
static unsigned long count_name(const char **text)
{
    const char *begin = *text;
    unsigned long count = 1;

    while (**text != ',' && **text != '\0') {
        char c = *(*text)++;
        if (c == ']' || c == '/')
            return 0;
        if (c == '[')
            count *= count_ranges(text);
        if (count == 0 || count >= HOSTS_MAX)
            return 0;
    }
    return *text != begin ? count : 0;
}

unsigned ork_hostlist_count(const char *list)
{
    unsigned long hosts = 0;

    for (;;) {
        unsigned long count = count_name(&list);
        hosts += count;
        if (count == 0 || hosts >= HOSTS_MAX)
            return 0;
        if (*list++ == '\0')
            return (unsigned)hosts;
    }
}
