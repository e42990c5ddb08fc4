/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stream/wire_internal.h"

#include <stdlib.h>
#include <string.h>

struct stream *ork_wire_stream_of(struct streams *s, uint32_t rank)
{
    if (rank >= s->count) {
        uint32_t count = rank * 2 + 16;
        struct stream **bigger = realloc(s->rank, count * sizeof(*bigger));
        if (bigger == NULL)
            return NULL;
        memset(bigger + s->count, 0, (count - s->count) * sizeof(*bigger));
        s->rank = bigger;
        s->count = count;
    }
    if (s->rank[rank] == NULL)
        s->rank[rank] = calloc(1, sizeof(**s->rank));
    return s->rank[rank];
}

void ork_wire_streams_release(struct streams *s)
{
    for (uint32_t r = 0; r < s->count; r++)
        free(s->rank[r]);
    free(s->rank);
}
