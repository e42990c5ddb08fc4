/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

static uint32_t count_chars(const char *text, const char *which)
{
    uint32_t count = 0;

    for (; *text != '\0'; text++)
        count += strchr(which, *text) != NULL;
    return count;
}

void rows_init(struct ork_digraph *g, const char *text)
{
    uint32_t arcs = 0;
    uint32_t v = 0;

    if (ork_digraph_init(g, count_chars(text, "&|"), (uint32_t)strlen(text)) != ORK_OK)
        abort();
    while (*text != '\0') {
        if (strchr("; ", *text) != NULL) {
            text++;
        } else if (strchr("&|", *text) != NULL) {
            g->is_or[v++] = *text++ == '|';
        } else {
            char *end;
            g->to[arcs++] = (uint32_t)strtoul(text, &end, 10);
            text = end;
        }
        g->start[v] = arcs;
    }
    ork_digraph_reverse(g);
}
