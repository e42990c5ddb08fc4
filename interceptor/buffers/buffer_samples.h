/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of some buffers that pending operations read are compared: of large ones, of all
 * operations; of others, of the first operations, and then of few; with --must:check-buffers, of
 * all. All functions are called with the recorder's lock held. */
#ifndef ORK_BUFFER_SAMPLES_H
#define ORK_BUFFER_SAMPLES_H

#include "interceptor/buffers/buffer_hash.h"
#include "interceptor/buffers/pending_blocks.h"
#include "interceptor/ring/recorder.h"
#include "interceptor/site/site.h"

/* Operations until the next one whose buffer is hashed. */
extern uint32_t ork_buffer_samples_next;
/* Bit i: block i of the pending ones is hashed. */
extern uint32_t ork_buffer_samples_blocks;

/* Call once, when MPI is initialised, after ork_buffer_hash_init(). */
void ork_buffer_samples_init(void);

/* It is time for the next one: is it this one? Then, its hash. */
bool ork_buffer_samples_take(const struct ork_call *call, const struct ork_span *span,
                             uint64_t *hash) __attribute__((cold, noinline));
void ork_buffer_samples_take_block(const struct ork_pending_blocks *blocks, uint32_t number)
    __attribute__((cold, noinline));
/* Report those of these blocks that have another content now. */
void ork_buffer_samples_compare(const struct ork_pending_blocks *blocks, uint32_t which)
    __attribute__((cold, noinline));

/* Of a buffer between these bounds. */
static inline bool ork_buffer_samples_are_due(int64_t low, int64_t high)
{
    return ORK_UNLIKELY(high - low > ORK_BUFFER_LARGE || --ork_buffer_samples_next == 0);
}

/* An operation that has this block has started. */
static inline void ork_buffer_samples_start(const struct ork_pending_blocks *blocks,
                                            uint32_t number)
{
    const struct ork_pending_block *b = &blocks->block[number];

    if (b->use == ORK_BUFFER_READ && ork_buffer_samples_are_due(b->low, b->high))
        ork_buffer_samples_take_block(blocks, number);
}

/* The operations of these blocks (bit i: block i) have been pending until the present call. */
static inline void ork_buffer_samples_end(const struct ork_pending_blocks *blocks, uint32_t which)
{
    if (ORK_UNLIKELY((ork_buffer_samples_blocks & which) != 0))
        ork_buffer_samples_compare(blocks, which);
}

/* It is not certain that these operations were pending until now. */
static inline void ork_buffer_samples_drop(uint32_t which)
{
    ork_buffer_samples_blocks &= ~which;
}

#endif
