/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/origins.h"

#include "common/vec.h"
#include "interceptor/buffers/buffer_samples.h"
#include "interceptor/buffers/buffers_internal.h"
#include "interceptor/buffers/windows_buffers.h"

#include <errno.h>

/* More than this are not entered. */
enum { KNOWN_MAX = 1 << 16 };

#define NONE UINT32_MAX

struct entry {
    MPI_Win win;
    int target;
    uint32_t request;
    uint32_t site;
    uint16_t call;
    uint32_t place; /* in the index; the next spare one */
    struct ork_buffer_bytes bytes;
};

uint32_t ork_origins_known;

static struct ork_index index_of = {.spare = ORK_INDEX_NONE, .root = ORK_INDEX_NONE};
static struct entry *entries; /* bytes.use 0: none */
static uint32_t num_entries, room, spare = NONE, latest;

/* The blocks of ork_pending that are such buffers: bit i of in_use, block i. RATIONALE: if there
 * are many, the latest ones are enough, because a buffer is used again soon, or never. */
static struct {
    uint32_t in_use, oldest, latest;
    struct {
        MPI_Win win;
        int target;
        uint32_t request;
    } of[ORK_PENDING_BLOCKS];
} blocks;

/* Of the buffers that are known, those in the index. */
static uint32_t num_indexed(void)
{
    return ork_origins_known - (uint32_t)__builtin_popcount(blocks.in_use);
}

/* RATIONALE: a loop that puts the same buffer again and again is one entry. */
static bool is_latest(const struct entry *e)
{
    const struct entry *l = &entries[latest];

    return num_indexed() > 0 && l->win == e->win && l->target == e->target &&
           l->request == e->request && l->site == e->site && l->call == e->call &&
           l->bytes.use == e->bytes.use && l->bytes.span.low == e->bytes.span.low &&
           l->bytes.span.high == e->bytes.span.high && l->bytes.type == e->bytes.type;
}

static bool reserve(void)
{
    return num_indexed() < KNOWN_MAX &&
           (spare != NONE || ork_vec_reserve(&entries, &room, num_entries + 1, sizeof(*entries)));
}

/* Takes ownership of the bytes. False: out of memory. */
static bool enter(struct entry *e)
{
    uint32_t number = spare != NONE ? spare : num_entries;

    e->place = ork_index_insert(&index_of, &e->bytes.span, e->bytes.use, number);
    if (e->place == ORK_INDEX_NONE)
        return false;
    if (number == num_entries)
        num_entries++;
    else
        spare = entries[number].place;
    entries[number] = *e;
    latest = number;
    ork_origins_known++;
    ork_watch_add((uint64_t)e->bytes.span.low, (uint64_t)e->bytes.span.high);
    return true;
}

static void enter_for_touches(const struct ork_call *call, const struct ork_origin *o)
{
    struct entry e = {.win = o->win,
                      .target = o->target,
                      .request = o->request,
                      .site = call->site,
                      .call = call->id};

    if (ork_buffer_find(&o->buffer, &e.bytes) && (is_latest(&e) || !reserve() || !enter(&e)))
        ork_buffer_release(&e.bytes);
}

/* ---- blocks ---- */

static void remove_block(uint32_t number)
{
    ork_pending_block_end(&ork_pending.blocks, number, false);
    ork_pending_blocks_remove(&ork_pending.blocks, number);
    blocks.in_use &= ~(1u << number);
    ork_buffers_count(-1);
    ork_origins_known--;
}

static void remove_oldest(void)
{
    while ((blocks.in_use >> blocks.oldest & 1) == 0)
        blocks.oldest = (blocks.oldest + 1) % ORK_PENDING_BLOCKS;
    remove_block(blocks.oldest);
    blocks.oldest = (blocks.oldest + 1) % ORK_PENDING_BLOCKS;
}

/* RATIONALE: as is_latest(). */
static bool is_latest_block(const struct ork_call *call, const struct ork_origin *o,
                            const struct ork_span *span)
{
    const struct ork_pending_block *b = &ork_pending.blocks.block[blocks.latest];

    return (blocks.in_use >> blocks.latest & 1) != 0 && b->low == span->low &&
           b->high == span->high && b->site == call->site && b->use == o->buffer.use &&
           b->rma == o->rma && blocks.of[blocks.latest].win == o->win &&
           blocks.of[blocks.latest].target == o->target &&
           blocks.of[blocks.latest].request == o->request;
}

static void add_block(const struct ork_call *call, const struct ork_origin *o,
                      const struct ork_span *span)
{
    if (is_latest_block(call, o, span) || ork_windows_contain(span))
        return;
    if (ork_pending_blocks_are_full(&ork_pending.blocks) && blocks.in_use != 0)
        remove_oldest();
    if (ork_pending_blocks_are_full(&ork_pending.blocks))
        return;
    uint32_t number = ork_pending_block_start(
        &ork_pending.blocks, &(struct ork_pending_block){.low = span->low,
                                                         .high = span->high,
                                                         .site = call->site,
                                                         .call = call->id,
                                                         .use = (uint8_t)o->buffer.use,
                                                         .rma = (uint8_t)o->rma});
    blocks.in_use |= 1u << number;
    blocks.latest = number;
    blocks.of[number].win = o->win;
    blocks.of[number].target = o->target;
    blocks.of[number].request = o->request;
    ork_buffers_count(1);
    ork_origins_known++;
}

static void compare(const struct ork_call *call, const struct ork_origin *o,
                    const struct ork_span *span)
{
    if (!ork_windows_contain(span))
        ork_buffers_compare_rma(call, span, o->buffer.use, o->rma);
}

void ork_origins_compare(const struct ork_call *call, const struct ork_origin *o)
{
    struct ork_buffer_bytes bytes;
    struct ork_span span;
    int saved = errno;

    if (o->target == MPI_PROC_NULL)
        return;
    if (ork_buffer_is_block(&o->buffer, &span)) {
        compare(call, o, &span);
    } else if (ork_buffer_find(&o->buffer, &bytes)) {
        compare(call, o, &bytes.span);
        ork_buffer_release(&bytes);
    }
    errno = saved;
}

void ork_origins_add(const struct ork_call *call, const struct ork_origin *o)
{
    struct ork_span span;
    int saved = errno;

    if (o->target == MPI_PROC_NULL)
        return;
    if (ORK_UNLIKELY(ork_watch_is_on))
        enter_for_touches(call, o);
    if (ork_buffers_are_on && ork_buffer_is_block(&o->buffer, &span))
        add_block(call, o, &span);
    errno = saved;
}

/* ---- completion ---- */

/* Of which calls some are complete: those with this request, or without one those of the window
 * with this target. */
struct completed {
    MPI_Win win;
    int target;
    uint32_t request;
};

static bool is_complete(const struct completed *c, MPI_Win win, int target, uint32_t request)
{
    if (c->request != ORK_REQUEST_NULL)
        return c->request == request;
    return c->win == win && (c->target == ORK_ORIGIN_ALL_TARGETS || c->target == target);
}

static void complete_blocks(const struct completed *c)
{
    for (uint32_t rest = blocks.in_use; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        if (is_complete(c, blocks.of[i].win, blocks.of[i].target, blocks.of[i].request))
            remove_block(i);
    }
}

static void complete_entries(const struct completed *c)
{
    for (uint32_t i = 0; i < num_entries; i++) {
        struct entry *e = &entries[i];
        if (e->bytes.use == 0 || !is_complete(c, e->win, e->target, e->request))
            continue;
        ork_watch_remove((uint64_t)e->bytes.span.low, (uint64_t)e->bytes.span.high);
        ork_index_remove(&index_of, e->place);
        ork_buffer_release(&e->bytes);
        *e = (struct entry){.place = spare};
        spare = i;
        ork_origins_known--;
    }
    if (num_indexed() == 0) {
        num_entries = 0;
        spare = NONE;
    }
}

static void complete(const struct completed *c)
{
    complete_blocks(c);
    if (num_indexed() > 0)
        complete_entries(c);
}

void ork_origins_complete(MPI_Win win, int target)
{
    if (ork_origins_known > 0)
        complete(&(struct completed){.win = win, .target = target, .request = ORK_REQUEST_NULL});
}

void ork_origins_complete_request(uint32_t request)
{
    if (ork_origins_known > 0 && request != ORK_REQUEST_NULL)
        complete(&(struct completed){.request = request});
}

/* ---- loads and stores ---- */

struct touched {
    struct ork_call call; /* none: its site is that of the access */
    bool is_store;
};

static bool report(void *context, const struct ork_index_entry *found,
                   const struct ork_common *common)
{
    const struct touched *t = context;
    const struct entry *e = &entries[found->payload];

    ork_usage_report_returned(&t->call,
                              &(struct ork_usage){.id = !t->is_store ? ORK_USAGE_LOAD_WHILE_GOT
                                                        : e->bytes.use == ORK_BUFFER_READ
                                                            ? ORK_USAGE_STORE_WHILE_PUT
                                                            : ORK_USAGE_STORE_WHILE_GOT,
                                                  .value = common->low - e->bytes.span.low,
                                                  .value2 = common->high - 1 - e->bytes.span.low,
                                                  .other_site = e->site,
                                                  .other_call = e->call});
    return false;
}

void ork_origins_touch(uint32_t site, bool is_store, uint64_t address, uint64_t size)
{
    struct touched t = {.call = {.site = site, .id = ORK_CALL_NONE}, .is_store = is_store};
    struct ork_span span = ork_span_of_block((int64_t)address, (int64_t)size);

    ork_index_visit(&index_of, &span,
                    is_store ? ORK_BUFFER_READ | ORK_BUFFER_WRITTEN : ORK_BUFFER_WRITTEN, report,
                    &t);
}

void ork_origins_cut(struct ork_piece *piece, uint64_t address)
{
    ork_buffer_cut(piece, address, &index_of);
}
