/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses that a place of a program makes one after the other, gathered into few sets of bytes: a
 * loop over an array becomes one set, and so do nested loops with constant strides. No byte is
 * added or left out, and bytes that are accessed again change nothing. Adding an access allocates
 * no memory. */
#ifndef ORK_SWEEP_H
#define ORK_SWEEP_H

#include "bytes/ranges/byteset.h"

enum { ORK_SWEEP_LOOPS = 3 };

/* A block of bytes in nested loops: that is one set. */
struct ork_swept {
    int64_t low, length;                  /* of the block that comes first; > 0 */
    uint32_t loops;                       /* in loop[] */
    struct ork_dim loop[ORK_SWEEP_LOOPS]; /* the innermost one first; stride != 0, count > 1 */
};

/* All zero: nothing yet. Read-only for users. */
struct ork_sweep {
    int64_t low, length; /* the block in progress */
    /* level[k]: what has been repeated so far, each time as a whole, k loops deep; then `next`
     * copies, `stride` apart. count 0: nothing. */
    struct ork_sweep_level {
        struct ork_swept each;
        int64_t stride;
        int64_t count;
    } level[ORK_SWEEP_LOOPS];
};

/* Takes a set that is complete. */
typedef void ork_sweep_taker(void *context, const struct ork_swept *swept);

/* An access that does not continue the block in progress. Passes on at most one set, if the access
 * breaks the pattern. `size` > 0. */
void ork_sweep_break(struct ork_sweep *sweep, int64_t low, int64_t size, ork_sweep_taker *taker,
                     void *context);

/* Pass on all that is left, at most ORK_SWEEP_LOOPS + 1 sets, and be empty. */
void ork_sweep_finish(struct ork_sweep *sweep, ork_sweep_taker *taker, void *context);

/* Does the access continue the block in progress? If so, it is added. */
static inline bool ork_sweep_continues(struct ork_sweep *sweep, int64_t low, int64_t size)
{
    if (low >= sweep->low && low + size <= sweep->low + sweep->length)
        return true;
    if (sweep->length == 0)
        return false;
    if (low == sweep->low + sweep->length) {
        sweep->length += size;
        return true;
    }
    if (low + size == sweep->low) {
        sweep->low = low;
        sweep->length += size;
        return true;
    }
    return false;
}

/* The bytes of a set. False: out of memory, or a limit of sets is exceeded; then *set is empty. */
bool ork_swept_bytes(const struct ork_swept *swept, struct ork_byteset *set);

#endif
