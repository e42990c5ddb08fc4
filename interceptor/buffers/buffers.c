/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/buffers.h"

#include "common/hash.h"
#include "common/vec.h"
#include "interceptor/buffers/amount.h"
#include "interceptor/buffers/buffer_hash.h"
#include "interceptor/buffers/buffer_samples.h"
#include "interceptor/buffers/buffers_internal.h"
#include "interceptor/buffers/windows_buffers.h"

#include <errno.h>
#include <stdlib.h>

/* More buffers than this are not entered, and more operations of shared handles are forgotten. */
enum { KNOWN_MAX = 1 << 17, SHARED_MAX = 1 << 12 };

#define NONE ORK_INDEX_NONE

bool ork_buffers_are_on;
uint32_t ork_buffers_known;

static uint32_t num_entries, entry_room, spare = NONE;
#define BLOCK (UINT32_C(1) << 31)
static uint32_t *first; /* by number of the request: its first entry + 1, BLOCK | its block, or 0 */
static uint32_t first_room;
/* RATIONALE: the library uses one handle for many operations that it has completed at once. A call
 * that completes this handle may complete any of them, so only until the first such call it is
 * certain that all of them are pending. */
static uint32_t shared, num_shared; /* as first[], but without a block */
static uint32_t shared_blocks;      /* bit i: blocks.block[i] */

void ork_buffers_init(void)
{
    ork_index_init(&ork_pending.index);
    ork_buffer_hash_init();
    ork_buffer_samples_init();
    ork_buffers_are_on = ork_usage_is_on[ORK_USAGE_BUFFER_WRITTEN_WHILE_READ] ||
                         (ork_usage_is_on[ORK_USAGE_STORE_WHILE_READ] && ork_watch_is_on) ||
                         ork_usage_is_on[ORK_USAGE_BUFFER_MODIFIED] ||
                         ork_usage_is_on[ORK_USAGE_RELEASED_WHILE_READ];
}

/* ---- blocks and entries ---- */

static uint32_t *first_of(uint32_t request)
{
    if (request == ORK_REQUEST_SHARED)
        return &shared;
    return request < first_room ? &first[request] : NULL;
}

/* Its first entry + 1; 0: none. */
static uint32_t first_entry(uint32_t request)
{
    const uint32_t *list = first_of(request);

    return list != NULL && (*list & BLOCK) == 0 ? *list : 0;
}

/* Is nothing to be known of the operation but its block? */
static bool is_plain(uint32_t request)
{
    return !ork_watch_is_on && !ork_windows_exist && !ork_buffer_hashes_are_on &&
           !ork_pending_blocks_are_full(&ork_pending.blocks) &&
           (request == ORK_REQUEST_SHARED || (request < first_room && first[request] == 0));
}

static void add_block(const struct ork_call *call, uint32_t request, unsigned use,
                      const struct ork_span *span)
{
    uint32_t number = ork_pending_block_start(&ork_pending.blocks,
                                              &(struct ork_pending_block){.low = span->low,
                                                                          .high = span->high,
                                                                          .site = call->site,
                                                                          .call = call->id,
                                                                          .use = (uint8_t)use});
    if (request == ORK_REQUEST_SHARED)
        shared_blocks |= 1u << number;
    else
        first[request] = BLOCK | number;
    ork_buffers_count(1);
}

static void remove_shared_blocks(void)
{
    for (uint32_t rest = shared_blocks; rest != 0; rest &= rest - 1)
        ork_pending_block_end(&ork_pending.blocks, (uint32_t)__builtin_ctz(rest), true);
    ork_pending.blocks.in_use &= ~shared_blocks;
    ork_buffers_count(-__builtin_popcount(shared_blocks));
    shared_blocks = 0;
}

/* Remove the block of the request. True: it had one, and so has no entries. */
static bool remove_blocks(uint32_t request, uint32_t *list)
{
    if (request == ORK_REQUEST_SHARED && shared_blocks != 0)
        remove_shared_blocks();
    if (list == NULL || (*list & BLOCK) == 0)
        return false;
    ork_pending_block_end(&ork_pending.blocks, *list & ~BLOCK, false);
    ork_pending_blocks_remove(&ork_pending.blocks, *list & ~BLOCK);
    *list = 0;
    ork_buffers_count(-1);
    return true;
}

static bool reserve(uint32_t request)
{
    int saved = errno;
    bool ok = ork_buffers_known < KNOWN_MAX &&
              (request == ORK_REQUEST_SHARED ||
               (request < ORK_REQUEST_SHARED &&
                ork_vec_reserve(&first, &first_room, request + 1, sizeof(*first)))) &&
              (spare != NONE || ork_vec_reserve(&ork_pending.entry, &entry_room, num_entries + 1,
                                                sizeof(*ork_pending.entry)));

    errno = saved;
    return ok;
}

/* Takes ownership of the bytes. NULL: they are not entered. */
static struct ork_buffer_entry *add(uint32_t request, const struct ork_buffer_bytes *bytes)
{
    uint32_t number, *list;

    if (ORK_UNLIKELY(num_shared == SHARED_MAX))
        ork_buffers_forget(ORK_REQUEST_SHARED);
    if (!reserve(request)) {
        ork_buffer_release(bytes);
        return NULL;
    }
    number = spare != NONE ? spare : num_entries++;
    if (number == spare)
        spare = ork_pending.entry[number].next;
    list = first_of(request);
    if ((*list & BLOCK) != 0) { /* of an operation that is over */
        ork_pending_blocks_drop(1u << (*list & ~BLOCK));
        remove_blocks(request, list);
    }
    struct ork_buffer_entry *e = &ork_pending.entry[number];
    e->span = bytes->span;
    e->layout = bytes->layout;
    e->type = bytes->type;
    e->next = *list;
    e->place = NONE;
    e->window = ORK_COMM_UNKNOWN;
    e->use = (uint8_t)bytes->use;
    e->is_persistent = false;
    *list = number + 1;
    num_shared += request == ORK_REQUEST_SHARED;
    ork_buffers_count(1);
    return e;
}

/* RATIONALE: what others do to the memory of windows is judged by other rules. */
static bool add_hash(const struct ork_call *call, struct ork_buffer_entry *e)
{
    if (ORK_UNLIKELY(ork_buffer_hashes_are_on))
        return ork_buffer_hash(call, &e->span, &e->hash);
    return ork_buffer_samples_are_due(e->span.low, e->span.high) &&
           ork_buffer_samples_take(call, &e->span, &e->hash) &&
           !(ork_windows_exist && ork_windows_contain(&e->span));
}

static void activate(const struct ork_call *call, uint32_t request, struct ork_buffer_entry *e)
{
    int saved = errno;

    e->call = call->id;
    e->site = call->site;
    e->has_hash = e->use == ORK_BUFFER_READ && add_hash(call, e);
    e->is_reported = false;
    e->released = (struct ork_releaser){
        .device = ORK_UNLIKELY(ork_devices_exist) ? ork_device_of(e->span.low) : ORK_DEVICE_NONE};
    e->place =
        ork_index_insert(&ork_pending.index, &e->span, e->use, (uint64_t)(e - ork_pending.entry));
    ork_pending.num_written += e->place != NONE && e->use == ORK_BUFFER_WRITTEN;
    if (ORK_UNLIKELY(ork_watch_is_on) && e->place != NONE)
        ork_watch_add((uint64_t)e->span.low, (uint64_t)e->span.high);
    if (ORK_UNLIKELY(ork_windows_exist) && request != ORK_REQUEST_SHARED)
        e->window = ork_windows_put_buffer(call, request, &e->span, e->use == ORK_BUFFER_WRITTEN);
    errno = saved;
}

void ork_buffers_enter(const struct ork_call *call, uint32_t request,
                       const struct ork_buffer_bytes *bytes, bool is_persistent)
{
    struct ork_buffer_entry *e = add(request, bytes);

    if (e == NULL)
        return;
    e->is_persistent = is_persistent;
    if (!is_persistent)
        activate(call, request, e);
}

static inline __attribute__((always_inline)) void
start(const struct ork_call *call, uint32_t request, const struct ork_buffer *buffer, bool compares)
{
    struct ork_buffer_bytes bytes;
    struct ork_span block;

    if (!ork_buffers_are_on)
        return;
    if (is_plain(request) && ork_buffer_is_block(buffer, &block)) {
        if (compares)
            ork_buffers_compare_span(call, &block, buffer->use, true);
        add_block(call, request, buffer->use, &block);
        return;
    }
    if (!ork_buffer_find(buffer, &bytes))
        return;
    if (compares)
        ork_buffers_compare_span(call, &bytes.span, bytes.use, true);
    ork_buffers_enter(call, request, &bytes, false);
}

void ork_buffers_start(const struct ork_call *call, uint32_t request,
                       const struct ork_buffer *buffer)
{
    start(call, request, buffer, true);
}

void ork_buffers_restore(const struct ork_call *call, uint32_t request,
                         const struct ork_buffer *buffer)
{
    start(call, request, buffer, false);
}

bool ork_buffers_shared_are_pending(void)
{
    return shared != 0 || shared_blocks != 0;
}

static uint64_t hash_of(uint32_t use, int64_t low, int64_t high)
{
    return ork_hash_add(ork_hash_add(use, (uint64_t)low), (uint64_t)high);
}

static uint64_t add_layout(uint64_t hash, const struct ork_span *span)
{
    hash = ork_hash_add(hash, (uintptr_t)span->set);
    return ork_hash_add(ork_hash_add(hash, (uint64_t)span->stride), (uint64_t)span->count);
}

/* RATIONALE: a sum, because their order depends on what was pending before. */
uint64_t ork_buffers_pending(void)
{
    const struct ork_index *index = &ork_pending.index;
    uint64_t sum = 1;

    if (ork_buffers_shared_are_pending() || index->root != NONE)
        return 0;
    for (uint32_t rest = ork_pending.blocks.in_use; rest != 0; rest &= rest - 1) {
        const struct ork_pending_block *b = &ork_pending.blocks.block[__builtin_ctz(rest)];
        sum += hash_of(b->use, b->low, b->high);
    }
    for (uint32_t i = 0; i < index->count; i++) {
        const struct ork_index_few *f = &index->few[i];
        const struct ork_span *span = &index->entry[f->entry].span;
        if (ork_pending.entry[index->entry[f->entry].payload].layout != NULL)
            return 0;
        const uint64_t hash = hash_of(f->kinds, f->low, f->high);
        sum += span->set == NULL ? hash : add_layout(hash, span);
    }
    return sum != 0 ? sum : 1;
}

void ork_buffers_restore_persistent(const struct ork_call *call, uint32_t request)
{
    for (uint32_t i = first_entry(request); i != 0; i = ork_pending.entry[i - 1].next) {
        if (ork_pending.entry[i - 1].is_persistent && ork_pending.entry[i - 1].place == NONE)
            activate(call, request, &ork_pending.entry[i - 1]);
    }
}

void ork_buffers_activate(const struct ork_call *call, uint32_t request)
{
    for (uint32_t i = first_entry(request); i != 0; i = ork_pending.entry[i - 1].next) {
        struct ork_buffer_entry *e = &ork_pending.entry[i - 1];
        if (e->is_persistent && e->place == NONE)
            ork_buffers_compare_span(call, &e->span, e->use, true);
    }
    ork_buffers_restore_persistent(call, request);
}

bool ork_buffers_are_in_window(uint32_t request)
{
    for (uint32_t i = first_entry(request); i != 0; i = ork_pending.entry[i - 1].next) {
        if (ork_pending.entry[i - 1].window != ORK_COMM_UNKNOWN)
            return true;
    }
    return false;
}

static bool has_ended(const struct ork_buffer_entry *e)
{
    return e->released.device != ORK_DEVICE_NONE
               ? ork_device_of(e->span.low) == ORK_DEVICE_NONE
               : ork_frame_may_be_gone(e->span.low) && ork_frame_is_gone(e->span.low);
}

/* Its operation was pending until now. RATIONALE: as ork_pending_block_examine(). */
static void examine(const struct ork_buffer_entry *e, bool is_shared)
{
    const struct ork_pending_block operation = {.site = e->site, .call = e->call, .use = e->use};

    if (e->is_reported)
        return;
    if (e->released.how != NULL || has_ended(e))
        ork_pending_end(&e->released, &operation, is_shared);
    else if (ORK_UNLIKELY(e->has_hash))
        ork_buffer_hash_compare(&e->span, e->hash,
                                &(struct ork_call){.id = e->call, .site = e->site},
                                ORK_USAGE_BUFFER_MODIFIED);
}

static void deactivate(struct ork_buffer_entry *e, bool is_shared)
{
    if (e->place == NONE)
        return;
    examine(e, is_shared);
    if (ORK_UNLIKELY(ork_watch_is_on))
        ork_watch_remove((uint64_t)e->span.low, (uint64_t)e->span.high);
    ork_index_remove(&ork_pending.index, e->place);
    ork_pending.num_written -= e->use == ORK_BUFFER_WRITTEN;
    e->place = NONE;
    e->window = ORK_COMM_UNKNOWN;
}

void ork_buffers_give_up(uint32_t request)
{
    const uint32_t *list = first_of(request);

    if (list == NULL || (*list & BLOCK) != 0)
        return;
    for (uint32_t i = *list; i != 0; i = ork_pending.entry[i - 1].next) {
        if (ork_pending.entry[i - 1].window == ORK_COMM_UNKNOWN)
            continue;
        ork_windows_end_buffer(request, ork_pending.entry[i - 1].window);
        return; /* that is all of them */
    }
}

void ork_buffers_doubt(uint32_t request)
{
    const uint32_t *list = first_of(request);

    if (request == ORK_REQUEST_SHARED)
        ork_pending_blocks_drop(shared_blocks);
    if (list != NULL && (*list & BLOCK) != 0)
        ork_pending_blocks_drop(1u << (*list & ~BLOCK));
    for (uint32_t i = first_entry(request); i != 0; i = ork_pending.entry[i - 1].next)
        ork_pending.entry[i - 1].is_reported = true;
}

void ork_buffers_look_frames(void)
{
    if (ORK_UNLIKELY((ork_pending.blocks.in_use & ork_pending.blocks.on_stack) != 0))
        ork_pending_frames_look(&ork_pending.blocks);
}

void ork_buffers_leave(uint32_t request)
{
    uint32_t *list = first_of(request);

    if (list == NULL || remove_blocks(request, list))
        return;
    for (uint32_t i = *list; i != 0; i = ork_pending.entry[i - 1].next)
        deactivate(&ork_pending.entry[i - 1], request == ORK_REQUEST_SHARED);
}

void ork_buffers_forget(uint32_t request)
{
    uint32_t *list = first_of(request);

    if (remove_blocks(request, list))
        return;
    while (list != NULL && *list != 0) {
        struct ork_buffer_entry *e = &ork_pending.entry[*list - 1];
        uint32_t next = e->next;
        deactivate(e, request == ORK_REQUEST_SHARED);
        ork_buffer_release(&(struct ork_buffer_bytes){.layout = e->layout, .type = e->type});
        e->next = spare;
        spare = *list - 1;
        *list = next;
        ork_buffers_count(-1);
    }
    if (request == ORK_REQUEST_SHARED)
        num_shared = 0;
}
