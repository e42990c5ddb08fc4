/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/buffer_samples.h"

#include "interceptor/buffers/buffer_hash.h"
#include "interceptor/usage/usage.h"
#include "interceptor/memory/watch.h"

/* RATIONALE: a hash takes a system call and the time to copy the buffer, and once more when the
 * operation is complete. After the first ones, that is a few ns for each operation. The calls of a
 * loop that have templates (template_maker.h) enter no buffers, and are not counted. */
enum { FIRST = 256, INTERVAL = 256 };

uint32_t ork_buffer_samples_next;
uint32_t ork_buffer_samples_blocks;

static bool is_on;
static uint32_t taken;
static uint64_t hash_of[ORK_PENDING_BLOCKS];

/* RATIONALE: stores to the buffers of a program that is compiled for the tool are seen anyway. */
void ork_buffer_samples_init(void)
{
    is_on = !ork_watch_is_on && ork_usage_is_on[ORK_USAGE_BUFFER_MODIFIED];
    ork_buffer_samples_next = is_on ? 1 : 0; /* 0: after 2^32 operations, and not then either */
}

bool ork_buffer_samples_take(const struct ork_call *call, const struct ork_span *span,
                             uint64_t *hash)
{
    if (is_on && ork_buffer_hash_error() != 0) {
        ork_buffer_hash_tell_error(call);
        is_on = false;
    }
    if (!is_on)
        return false;
    if (span->high - span->low <= ORK_BUFFER_LARGE) {
        ork_buffer_samples_next = taken < FIRST || ork_buffer_hashes_are_on ? 1 : INTERVAL;
        taken += taken < FIRST;
    }
    return ork_buffer_hash(call, span, hash);
}

void ork_buffer_samples_take_block(const struct ork_pending_blocks *blocks, uint32_t number)
{
    const struct ork_pending_block *b = &blocks->block[number];
    struct ork_span span = ork_span_of_block(b->low, b->high - b->low);

    if (ork_buffer_samples_take(&(struct ork_call){.id = b->call, .site = b->site}, &span,
                                &hash_of[number]))
        ork_buffer_samples_blocks |= 1u << number;
}

void ork_buffer_samples_compare(const struct ork_pending_blocks *blocks, uint32_t which)
{
    uint32_t rest = ork_buffer_samples_blocks & which;

    ork_buffer_samples_blocks &= ~which;
    for (; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        const struct ork_pending_block *b = &blocks->block[i];
        struct ork_span span = ork_span_of_block(b->low, b->high - b->low);
        ork_buffer_hash_compare(
            &span, hash_of[i], &(struct ork_call){.id = b->call, .site = b->site},
            b->rma != 0 ? ORK_USAGE_ORIGIN_MODIFIED : ORK_USAGE_BUFFER_MODIFIED);
    }
}
