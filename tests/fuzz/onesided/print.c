/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/onesided/program.h"

void program_print(const struct program *p)
{
    static const char *const name[] = {
        "send",       "ssend",    "recv",    "recv*",     "barrier",  "bcast",  "reduce",
        "allreduce",  "gather",   "scatter", "allgather", "alltoall", "fence",  "post",
        "start",      "complete", "waitwin", "lock",      "lockall",  "unlock", "flush",
        "flushlocal", "wait",     "access",  "touch",     "sync"};
    for (int r = 0; r < p->ranks; r++) {
        printf("rank %d%s:\n", r, p->is_separate ? ", separate memory model" : "");
        for (int i = 0; i < p->events[r]; i++) {
            const struct event *e = &p->event[r][i];
            printf("  %s window %d peer %d with %d request %d", name[e->type], e->window, e->peer,
                   e->with, e->request);
            if (e->type == EVENT_ACCESS)
                printf(" site %d kind %d op %d bytes %d-%d origin %d", e->site, (int)e->kind, e->op,
                       e->offset, e->offset + e->length - 1, e->origin);
            if (event_has_data(e))
                printf(" length %d at %d, sent from %d%s", e->length, e->origin, e->sent,
                       e->is_in_place ? ", in place" : "");
            if (event_has_buffer(e))
                printf(" site %d", e->site);
            if (e->type == EVENT_TOUCH)
                printf(" site %d %s bytes %d-%d", e->site, e->is_store ? "store" : "load",
                       e->offset, e->offset + event_extent(e) - 1);
            printf("\n");
        }
    }
}
