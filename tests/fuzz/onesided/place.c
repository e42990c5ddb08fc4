/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the buffers of messages and collective calls are. */
#include "tests/fuzz/onesided/generate.h"

/* May the rank write, or read, these bytes, by what is pending? */
static bool is_free(const struct program *p, int rank, unsigned bytes, bool is_written)
{
    struct use use[USES_MAX];

    for (int i = 0; i < p->events[rank]; i++) {
        if (!event_is_pending(&p->event[rank][i]) || program_completion(p, rank, i) >= 0)
            continue;
        int n = program_uses(p, rank, i, use);
        for (int k = 0; k < n; k++) {
            if ((use[k].bytes & bytes) != 0 && (is_written || use[k].is_written))
                return false;
        }
    }
    return true;
}

int place_buffer(struct state *s, int rank, int size, unsigned taken, bool is_written)
{
    if (!s->p->has_buffers || !has_room(s) || any(s, 3) == 0)
        return -1;
    int place = any(s, SIZE + 1 - size);
    unsigned bytes = ((1u << size) - 1) << place;
    bool is_good = !s->keeps_distance || is_free(s->p, rank, bytes, is_written);
    return is_good && (bytes & taken) == 0 ? place : -1;
}
