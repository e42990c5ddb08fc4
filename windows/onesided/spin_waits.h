/* SPDX-License-Identifier: BSD-3-Clause */
/* What spin_waits.c notes, and spin_waits_search.c uses. */
#ifndef ORK_ONESIDED_SPIN_WAITS_H
#define ORK_ONESIDED_SPIN_WAITS_H

#include "windows/onesided/internal.h"

/* Updates by one rank of the memory of another one. RATIONALE: of those between which the rank
 * learned nothing of others, the last one is enough. */
struct signalling_write {
    uint32_t target;
    uint64_t learned; /* see ork_events_learned() */
    uint32_t value;   /* of its own component at the last one */
    struct ork_stamp start;
};

/* Looks of a rank at the memory of another one, by values of its own component. */
struct polling_read {
    uint32_t target;
    bool is_get; /* by MPI_Get: it only tells of stores, because an update by a call must not be
                  * got at the same time */
    uint64_t learned;
    uint32_t first, last;
};

/* What a rank knew from one call to the next, or in several such times one after another: at the
 * first one, and at the last one. */
struct state {
    struct ork_stamp first, last;
    uint64_t learned; /* at the last one */
};

struct of_rank {
    struct state *state; /* in the order of time */
    uint32_t states, state_room;
    struct signalling_write *write;
    uint32_t writes, write_room;
    struct polling_read *read;
    uint32_t reads, read_room;
};

struct spin_waits {
    uint32_t nprocs, count;
    uint32_t limit; /* if there are more, it is worth while to forget some */
    bool is_full;
    bool notes_states;
    struct of_rank *of;
    uint32_t *since; /* of a search, by rank: it may have seen the first access from this value of
                      * its component on; UINT32_MAX: it has not */
    uint64_t *seen;  /* of a search, by rank: in looks at the memory of others it has seen the first
                      * access when it had learned so often; UINT64_MAX: it has not */
};

#endif
