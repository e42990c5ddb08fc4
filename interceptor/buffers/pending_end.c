/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/pending_end.h"

uint32_t ork_pending_blocks_released, ork_pending_blocks_on_device;
static struct ork_releaser by_of[ORK_PENDING_BLOCKS]; /* of both: for the latter, the device */

static bool is_released(uint32_t number)
{
    return (ork_pending_blocks_released >> number & 1) != 0;
}

void ork_pending_block_release(const struct ork_pending_blocks *blocks, uint32_t number,
                               const struct ork_releaser *by)
{
    if (is_released(number))
        return;
    ork_pending_blocks_released |= 1u << number;
    by_of[number] = *by;
    ork_buffer_samples_blocks |= 1u << number;
    if (blocks->block[number].use == ORK_BUFFER_WRITTEN)
        ork_release_report(by, &blocks->block[number]);
}

void ork_pending_block_ask(const struct ork_pending_blocks *blocks, uint32_t number)
{
    enum ork_device device = ork_device_of(blocks->block[number].low);

    if (device == ORK_DEVICE_NONE)
        return;
    by_of[number] = (struct ork_releaser){.device = device};
    ork_pending_blocks_on_device |= 1u << number;
    ork_buffer_samples_blocks |= 1u << number;
}

/* Has its memory ended, in another way than that which is known already? */
static bool has_ended_unseen(const struct ork_pending_block *block, uint32_t number,
                             struct ork_releaser *by)
{
    *by = (struct ork_releaser){.how = NULL};
    if ((ork_pending_blocks_on_device >> number & 1) != 0) {
        by->device = by_of[number].device;
        return ork_device_of(block->low) == ORK_DEVICE_NONE;
    }
    return ork_frame_may_be_gone(block->low) && ork_frame_is_gone(block->low);
}

static void report(const struct ork_releaser *by, const struct ork_pending_block *operation,
                   bool is_shared)
{
    if (is_shared)
        ork_release_report_later(by, operation);
    else
        ork_release_report(by, operation);
}

/* RATIONALE: memory that has ended has another content for this reason. */
void ork_pending_block_examine(const struct ork_pending_blocks *blocks, uint32_t number,
                               bool is_shared)
{
    const struct ork_pending_block *b = &blocks->block[number];
    bool is_known = is_released(number), is_compared = !is_known;
    struct ork_releaser by;

    if (is_known && b->use == ORK_BUFFER_READ) {
        report(&by_of[number], b, is_shared);
    } else if (!is_known && has_ended_unseen(b, number, &by)) {
        report(&by, b, is_shared);
        is_compared = false;
    }
    if (!is_compared || (ork_pending_blocks_on_device >> number & 1) != 0)
        ork_pending_blocks_drop(1u << number);
    ork_buffer_samples_end(blocks, 1u << number);
}

void ork_pending_frames_look(struct ork_pending_blocks *blocks)
{
    static const struct ork_releaser frame = {.how = NULL};

    for (uint32_t rest = blocks->in_use & blocks->on_stack; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        if (!is_released(i) && ork_frame_may_be_gone(blocks->block[i].low) &&
            ork_frame_is_gone(blocks->block[i].low))
            ork_pending_block_release(blocks, i, &frame);
    }
}

void ork_pending_end(const struct ork_releaser *by, const struct ork_pending_block *operation,
                     bool is_shared)
{
    report(by, operation, is_shared);
}
