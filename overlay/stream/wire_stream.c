/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stream/wire_internal.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

struct stream *ork_wire_stream_of(struct streams *s, uint32_t rank)
{
    if (!ork_vec_reserve(&s->rank, &s->count, rank + 1, sizeof(*s->rank)))
        return NULL;
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
