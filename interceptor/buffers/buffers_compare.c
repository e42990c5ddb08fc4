/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of calls, and loads and stores of the program, against the pending buffers. */
#include "interceptor/buffers/buffers_internal.h"

#include "record/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct ork_pending_buffers ork_pending;

struct comparison {
    const struct ork_call *call;
    const struct ork_span *span;
    unsigned use;
    enum ork_rma_buffer rma; /* 0: the call is not one-sided */
    bool has_returned;       /* the call */
};

static enum ork_usage_id misuse(unsigned use, const struct ork_pending_block *other)
{
    bool is_rma = other->rma != 0;

    if (use == ORK_BUFFER_READ)
        return is_rma ? ORK_USAGE_BUFFER_READ_WHILE_GOT : ORK_USAGE_BUFFER_READ_WHILE_WRITTEN;
    if (other->use == ORK_BUFFER_READ)
        return is_rma ? ORK_USAGE_BUFFER_WRITTEN_WHILE_PUT : ORK_USAGE_BUFFER_WRITTEN_WHILE_READ;
    return is_rma ? ORK_USAGE_BUFFER_WRITTEN_WHILE_GOT : ORK_USAGE_BUFFER_WRITTEN_TWICE;
}

/* ---- extents ---- */

/* Sentences about the elements of buffers: whoever expects them elsewhere finds the mistake. */
struct extents {
    char text[160]; /* "": both buffers are blocks, or of one element */
};

static void add_extent(struct extents *e, const struct ork_span *span, const char *whose)
{
    const size_t length = strlen(e->text);

    if (span->set != NULL && span->count > 1)
        snprintf(e->text + length, sizeof(e->text) - length,
                 "%sthe %" PRId64 " elements of %s have an extent of %" PRId64 " byte%s",
                 length > 0 ? "; " : "", span->count, whose, span->stride,
                 span->stride == 1 ? "" : "s");
}

/* ---- pending buffers ---- */

/* The first byte counts from the lowest one of the pending buffer. */
static void report(const struct comparison *c, const struct ork_pending_block *other,
                   const struct ork_span *other_span, const struct ork_common *common)
{
    struct extents extents = {""};
    char pending[64];
    struct ork_usage usage = {
        .id = misuse(c->use, other),
        .value = common->low - other->low,
        .value2 = common->high - 1 - other->low,
        .text = extents.text,
        .other_site = other->site,
        .other_call = other->call,
    };

    snprintf(pending, sizeof(pending), "the pending %s", ork_call_name(other->call));
    add_extent(&extents, c->span, ork_call_name(c->call->id));
    add_extent(&extents, other_span, pending);
    if (c->has_returned)
        ork_usage_report_returned(c->call, &usage);
    else
        ork_usage_report_locked(c->call, &usage);
}

static bool report_entry(void *context, const struct ork_index_entry *found,
                         const struct ork_common *common)
{
    const struct ork_buffer_entry *e = &ork_pending.entry[found->payload];

    report(context,
           &(struct ork_pending_block){
               .low = e->span.low, .site = e->site, .call = e->call, .use = e->use},
           &e->span, common);
    return false;
}

/* Was one reported? RATIONALE: the calls that change a target and fetch what was there are done in
 * order (MPI-3.1 section 11.7.2), so programs write results that they do not need to one place. */
static bool compare_with_blocks(const struct comparison *c, const struct ork_span *span,
                                unsigned others)
{
    const struct ork_pending_block *b;
    struct ork_common common;
    uint32_t rest = ork_pending.blocks.in_use;

    if (ork_pending_blocks_are_apart(&ork_pending.blocks, span->low, span->high, others))
        return false;
    while ((b = ork_pending_blocks_next(&ork_pending.blocks, &rest, span->low, span->high,
                                        others)) != NULL) {
        struct ork_span other = ork_span_of_block(b->low, b->high - b->low);
        if (c->rma == ORK_RMA_RESULT && b->rma == ORK_RMA_RESULT)
            continue;
        if (ork_spans_overlap(span, &other, &common) == ORK_YES) {
            report(c, b, &other, &common);
            return true;
        }
    }
    return false;
}

static void compare(struct comparison *c, const struct ork_span *span)
{
    unsigned others = c->use == ORK_BUFFER_READ ? (unsigned)ORK_BUFFER_WRITTEN
                                                : ORK_BUFFER_READ | ORK_BUFFER_WRITTEN;

    c->span = span;
    if (compare_with_blocks(c, span, others) || ork_pending.index.count == 0 ||
        (c->use == ORK_BUFFER_READ && ork_pending.num_written == 0))
        return;
    ork_index_visit(&ork_pending.index, span, others, report_entry, c);
}

void ork_buffers_compare_span(const struct ork_call *call, const struct ork_span *span,
                              unsigned use, bool has_returned)
{
    compare(&(struct comparison){.call = call, .use = use, .has_returned = has_returned}, span);
}

void ork_buffers_compare_rma(const struct ork_call *call, const struct ork_span *span, unsigned use,
                             enum ork_rma_buffer rma)
{
    compare(&(struct comparison){.call = call, .use = use, .rma = rma}, span);
}

static bool is_near(void *context, const struct ork_index_entry *found,
                    const struct ork_common *common)
{
    (void)context, (void)found, (void)common;
    return false;
}

bool ork_buffers_are_near(const struct ork_span *span)
{
    const unsigned any = ORK_BUFFER_READ | ORK_BUFFER_WRITTEN;
    uint32_t rest = ork_pending.blocks.in_use;

    return ork_pending_blocks_next(&ork_pending.blocks, &rest, span->low, span->high, any) !=
               NULL ||
           (ork_pending.index.count != 0 &&
            ork_index_visit(&ork_pending.index, span, any, is_near, NULL) != ORK_NO);
}

void ork_buffers_compare_bytes(const struct ork_call *call, const struct ork_buffer_bytes *bytes)
{
    ork_buffers_compare_span(call, &bytes->span, bytes->use, false);
}

void ork_buffers_compare(const struct ork_call *call, const struct ork_buffer *buffer)
{
    struct ork_buffer_bytes bytes;

    if (!ork_buffer_find(buffer, &bytes))
        return;
    ork_buffers_compare_span(call, &bytes.span, bytes.use, false);
    ork_buffer_release(&bytes);
}

bool ork_buffers_separate(const struct ork_call *call, const struct ork_buffer_bytes *sent,
                          const struct ork_buffer_bytes *received, enum ork_usage_id id)
{
    struct extents extents = {""};
    struct ork_common common;

    if (ork_spans_are_apart(&sent->span, &received->span) ||
        ork_spans_overlap(&sent->span, &received->span, &common) != ORK_YES)
        return false;
    add_extent(&extents, &sent->span, "the send buffer");
    add_extent(&extents, &received->span, "the receive buffer");
    ork_usage_report_locked(call,
                            &(struct ork_usage){.id = id,
                                                .value = common.low - received->span.low,
                                                .value2 = common.high - 1 - received->span.low,
                                                .text = extents.text});
    return true;
}

/* ---- loads and stores of the program ---- */

struct touched {
    struct ork_call call; /* none: its site is that of the access */
    bool is_store;
};

static bool report_touch(void *context, const struct ork_index_entry *found,
                         const struct ork_common *common)
{
    const struct touched *t = context;
    const struct ork_buffer_entry *e = &ork_pending.entry[found->payload];

    ork_usage_report_returned(&t->call,
                              &(struct ork_usage){
                                  .id = !t->is_store                ? ORK_USAGE_LOAD_WHILE_WRITTEN
                                        : e->use == ORK_BUFFER_READ ? ORK_USAGE_STORE_WHILE_READ
                                                                    : ORK_USAGE_STORE_WHILE_WRITTEN,
                                  .value = common->low - e->span.low,
                                  .value2 = common->high - 1 - e->span.low,
                                  .other_site = e->site,
                                  .other_call = e->call,
                              });
    return false;
}

void ork_buffers_touch(uint32_t site, bool is_store, uint64_t address, uint64_t size)
{
    struct touched t = {.call = {.site = site, .id = ORK_CALL_NONE}, .is_store = is_store};
    struct ork_span span = ork_span_of_block((int64_t)address, (int64_t)size);

    ork_index_visit(&ork_pending.index, &span,
                    is_store ? ORK_BUFFER_READ | ORK_BUFFER_WRITTEN : ORK_BUFFER_WRITTEN,
                    report_touch, &t);
}

void ork_buffers_cut(struct ork_piece *piece, uint64_t address)
{
    ork_buffer_cut(piece, address, &ork_pending.index);
}
