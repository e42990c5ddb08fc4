/* SPDX-License-Identifier: BSD-3-Clause */
/* A few pending operations that have one block of bytes each: most programs have no others. To
 * enter one and to remove it costs a few ns, and so does a look at all of them if the bytes are
 * apart from their hull, as those of the next operation of a loop over arrays are. */
#ifndef ORK_PENDING_BLOCKS_H
#define ORK_PENDING_BLOCKS_H

#include "interceptor/buffers/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORK_PENDING_BLOCKS = 16 };

/* The result is of a call that also changes the target, as MPI_Fetch_and_op. */
enum ork_rma_buffer { ORK_RMA_ORIGIN = 1, ORK_RMA_RESULT };

struct ork_pending_block {
    int64_t low, high; /* its bytes are low .. high - 1 */
    uint32_t site;     /* of the call that started the operation */
    uint16_t call;
    uint8_t use; /* see struct ork_buffer */
    uint8_t rma; /* the buffer of a one-sided call: enum ork_rma_buffer; 0: it is none */
};

/* All zero is empty. A block keeps its number until it is removed. */
struct ork_pending_blocks {
    struct ork_pending_block block[ORK_PENDING_BLOCKS];
    uint32_t in_use;   /* bit i: block[i] */
    uint32_t on_stack; /* of these, those that are written, and perhaps in a frame of the stack */
    struct ork_hull {
        int64_t low, high; /* of all that were added since it was last empty; high 0: none */
    } read, written;       /* by their use */
};

static inline void ork_hull_add(struct ork_hull *hull, int64_t low, int64_t high)
{
    hull->low = hull->high == 0 || low < hull->low ? low : hull->low;
    hull->high = high > hull->high ? high : hull->high;
}

static inline bool ork_pending_blocks_are_full(const struct ork_pending_blocks *blocks)
{
    return blocks->in_use == (1u << ORK_PENDING_BLOCKS) - 1;
}

/* Its number. They must not be full. */
static inline uint32_t ork_pending_blocks_add(struct ork_pending_blocks *blocks,
                                              const struct ork_pending_block *block)
{
    uint32_t number = (uint32_t)__builtin_ctz(~blocks->in_use);

    if (blocks->in_use == 0)
        blocks->read = blocks->written = (struct ork_hull){0};
    ork_hull_add(block->use == ORK_BUFFER_READ ? &blocks->read : &blocks->written, block->low,
                 block->high);
    blocks->block[number] = *block;
    blocks->in_use |= 1u << number;
    return number;
}

static inline void ork_pending_blocks_remove(struct ork_pending_blocks *blocks, uint32_t number)
{
    blocks->in_use &= ~(1u << number);
}

/* Has none of those with one of these uses a byte in low .. high - 1? False: perhaps. */
static inline bool ork_pending_blocks_are_apart(const struct ork_pending_blocks *blocks,
                                                int64_t low, int64_t high, unsigned use)
{
    bool may_meet_read = low < blocks->read.high && high > blocks->read.low;
    bool may_meet_written = low < blocks->written.high && high > blocks->written.low;

    return blocks->in_use == 0 || (!((use & ORK_BUFFER_READ) != 0 && may_meet_read) &&
                                   !((use & ORK_BUFFER_WRITTEN) != 0 && may_meet_written));
}

/* The next one with a byte in low .. high - 1 and one of these uses; NULL: none. *rest: those that
 * are to be looked at, at first `in_use`. */
static inline const struct ork_pending_block *
ork_pending_blocks_next(const struct ork_pending_blocks *blocks, uint32_t *rest, int64_t low,
                        int64_t high, unsigned use)
{
    while (*rest != 0) {
        const struct ork_pending_block *b = &blocks->block[__builtin_ctz(*rest)];
        *rest &= *rest - 1;
        if (b->low < high && b->high > low && (b->use & use) != 0)
            return b;
    }
    return NULL;
}

#endif
