/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with a pending operation of one block, when it is complete: its memory has ended
 * before, or its content was changed. The recorder's lock is held. */
#ifndef ORK_PENDING_END_H
#define ORK_PENDING_END_H

#include "interceptor/buffers/buffer_samples.h"
#include "interceptor/memory/devices.h"
#include "interceptor/memory/frames.h"
#include "interceptor/buffers/release_reports.h"

/* Bit i: the memory of block i was given back. Each has its bit in ork_buffer_samples_blocks. */
extern uint32_t ork_pending_blocks_released;
/* The same for blocks in the memory of a device, whose content is not known. */
extern uint32_t ork_pending_blocks_on_device;

/* Find out whether block `number` is one of the latter. */
void ork_pending_block_ask(const struct ork_pending_blocks *blocks, uint32_t number)
    __attribute__((cold, noinline));

/* Its operation has started. Its number. The blocks must not be full. */
static inline uint32_t ork_pending_block_start(struct ork_pending_blocks *blocks,
                                               const struct ork_pending_block *block)
{
    const uint32_t number = ork_pending_blocks_add(blocks, block);
    const bool is_on_stack = block->use == ORK_BUFFER_WRITTEN && ork_frame_may_be_live(block->low);

    blocks->on_stack = (blocks->on_stack & ~(1u << number)) | (uint32_t)is_on_stack << number;
    ork_buffer_samples_start(blocks, number);
    if (ORK_UNLIKELY(ork_devices_exist))
        ork_pending_block_ask(blocks, number);
    return number;
}

/* It is not certain that these operations (bit i: block i) were pending until now. */
static inline void ork_pending_blocks_drop(uint32_t which)
{
    ork_pending_blocks_released &= ~which;
    ork_pending_blocks_on_device &= ~which;
    ork_buffer_samples_drop(which);
}

/* The memory of block `number` was given back. What the operation writes is reported at once; what
 * it reads, when the operation is complete. */
void ork_pending_block_release(const struct ork_pending_blocks *blocks, uint32_t number,
                               const struct ork_releaser *by);

void ork_pending_block_examine(const struct ork_pending_blocks *blocks, uint32_t number,
                               bool is_shared) __attribute__((cold, noinline));

/* Its operation was pending until the present call. is_shared: its request has a shared handle. */
static inline void ork_pending_block_end(const struct ork_pending_blocks *blocks, uint32_t number,
                                         bool is_shared)
{
    if (ORK_UNLIKELY((ork_buffer_samples_blocks >> number & 1) != 0) ||
        ork_frame_may_be_gone(blocks->block[number].low))
        ork_pending_block_examine(blocks, number, is_shared);
}

/* The same for an operation with another buffer, from `low` on. */
void ork_pending_end(const struct ork_releaser *by, const struct ork_pending_block *operation,
                     bool is_shared) __attribute__((cold));

/* A call is made next that completes operations: report those blocks in frames that have returned
 * to which an operation writes. RATIONALE: the library may then write to its own frames. */
void ork_pending_frames_look(struct ork_pending_blocks *blocks) __attribute__((cold, noinline));

#endif
