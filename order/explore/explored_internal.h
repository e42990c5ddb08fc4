/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of explored.h share. */
#ifndef ORK_EXPLORE_EXPLORED_INTERNAL_H
#define ORK_EXPLORE_EXPLORED_INTERNAL_H

#include "common/hash.h"
#include "order/explore/explored.h"

/* A nonblocking or persistent receive, when it was complete. */
struct posted {
    uint64_t post;
    int32_t source, tag;
};

/* Ranks have the numbers that they have after symmetric ones are exchanged: see struct ork_names.
 */
struct kept_rank {
    uint64_t *prefix; /* as in struct ork_trace_rank */
    uint64_t *again;  /* by choice: key_of_again() of those before it, and it; 0: it is none */
    uint32_t num;
    struct posted *posted; /* by `post` */
    uint32_t num_posted;
    const struct ork_trace_rank *own; /* with the number of the run */
};

struct explored_run {
    struct kept_rank *kept;
    struct ork_trace own; /* with the numbers of the run */
};

/* New numbers of symmetric ranks. */
struct ork_names {
    uint32_t *name; /* by rank; UINT32_MAX: none yet */
    uint32_t next;  /* the symmetric rank whose number is given next; == ranks: none is left */
};

struct entry {
    uint32_t run, next;
};

struct ork_explored {
    uint32_t ranks;
    bool *symmetric; /* NULL: no rank */
    struct explored_run *run;
    uint32_t runs, room;
    struct ork_hash_map first; /* runs by the hash of what they did: an entry, from 1 */
    struct entry *entry;
    uint32_t entries, entry_room;
    struct ork_names names; /* of the decision that is looked at */
};

/* ---- names.c: symmetric ranks get numbers in the order in which messages of them are received
 * ---- */

void ork_names_begin(struct ork_explored *e);
bool ork_names_are_for(const struct ork_explored *e, int64_t rank);
/* The new number; it may be the first one that is asked for. */
uint32_t ork_names_of(struct ork_explored *e, uint32_t rank);
int32_t ork_names_of_source(struct ork_explored *e, int32_t source);
/* ork_trace_own() with the new numbers of the ranks whose sections are before a lock. */
uint64_t ork_names_of_own(struct ork_explored *e, const struct ork_choice *choice, uint64_t polled);
uint32_t ork_names_known(const struct ork_explored *e, uint32_t rank);

/* ---- keys of what runs did ---- */

static inline uint64_t key_of_prefix(uint32_t rank, uint64_t prefix)
{
    return ork_hash_add(prefix, rank);
}

static inline uint64_t key_of_posted(uint32_t rank, uint64_t post, int32_t source, int32_t tag)
{
    uint64_t h = ork_hash_add(rank, post);

    return ork_hash_add(h, (uint64_t)(uint32_t)source << 32 | (uint32_t)tag);
}

/* A choice after these was made after a poll that failed. */
static inline uint64_t after_failed_poll(uint64_t prefix)
{
    return ork_hash_add(prefix, UINT64_MAX);
}

/* After these, a series of polls was abandoned; or all polls were. */
static inline uint64_t after_series(uint64_t prefix)
{
    return ork_hash_add(prefix, UINT64_MAX - 1);
}

static inline uint64_t after_abandoned(uint64_t prefix)
{
    return ork_hash_add(prefix, UINT64_MAX - 2);
}

/* A choice after these is equal to an unsuccessful poll: ork_trace_own() of it. */
static inline uint64_t key_of_again(uint64_t prefix, uint64_t own, int32_t source)
{
    return ork_hash_add(ork_trace_join(prefix, own, source), UINT64_MAX);
}

/* The receive of this ordinal, complete; NULL: it was not. */
const struct posted *ork_explored_find_posted(const struct kept_rank *kept, uint64_t post);

#endif
