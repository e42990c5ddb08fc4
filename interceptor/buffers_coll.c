/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers_coll.h"

#include "interceptor/op_coll.h"

#include <errno.h>
#include <stdlib.h>

/* The ranks that use a side. */
enum who { NOBODY, ALL, SENDERS, ROOT, ALL_BUT_FIRST };
/* The elements: `count` once or for each process, or counts[]: for each process, their sum from the
 * buffer's beginning, or the own one. */
enum amount { ONCE, EACH, SUM, OWN };

struct shape {
    enum who sends;
    enum amount sent;
    enum who receives;
    enum amount received;
};

static const struct shape shapes[] = {
    [ORK_COLL_GATHER] = {SENDERS, ONCE, ROOT, EACH},
    [ORK_COLL_GATHERV] = {SENDERS, ONCE, ROOT, EACH},
    [ORK_COLL_SCATTER] = {ROOT, EACH, SENDERS, ONCE},
    [ORK_COLL_SCATTERV] = {ROOT, EACH, SENDERS, ONCE},
    [ORK_COLL_ALLGATHER] = {SENDERS, ONCE, ALL, EACH},
    [ORK_COLL_ALLGATHERV] = {SENDERS, ONCE, ALL, EACH},
    [ORK_COLL_ALLTOALL] = {SENDERS, EACH, ALL, EACH},
    [ORK_COLL_ALLTOALLV] = {SENDERS, EACH, ALL, EACH},
    [ORK_COLL_ALLTOALLW] = {SENDERS, EACH, ALL, EACH},
    [ORK_COLL_REDUCE] = {SENDERS, ONCE, ROOT, ONCE},
    [ORK_COLL_ALLREDUCE] = {SENDERS, ONCE, ALL, ONCE},
    [ORK_COLL_REDUCE_SCATTER] = {SENDERS, SUM, ALL, OWN},
    [ORK_COLL_REDUCE_SCATTER_BLOCK] = {SENDERS, EACH, ALL, ONCE},
    [ORK_COLL_SCAN] = {SENDERS, ONCE, ALL, ONCE},
    /* The receive buffer of the first process is not significant: MPI-3.1 section 5.11.2. */
    [ORK_COLL_EXSCAN] = {SENDERS, ONCE, ALL_BUT_FIRST, ONCE},
    [ORK_COLL_NEIGHBOR_ALLGATHER] = {ALL, ONCE, ALL, EACH},
    [ORK_COLL_NEIGHBOR_ALLGATHERV] = {ALL, ONCE, ALL, EACH},
    [ORK_COLL_NEIGHBOR_ALLTOALL] = {ALL, EACH, ALL, EACH},
    [ORK_COLL_NEIGHBOR_ALLTOALLV] = {ALL, EACH, ALL, EACH},
    [ORK_COLL_NEIGHBOR_ALLTOALLW] = {ALL, EACH, ALL, EACH},
};

/* The processes that have a block each. */
struct blocks {
    uint64_t count;
    uint64_t missing; /* bit i: block i is neither read nor written, its process is MPI_PROC_NULL */
};

/* The calling rank's part of a call. */
struct part {
    const struct ork_args *args;
    unsigned mode;
    struct shape shape;
    struct blocks sent_to, received_from;
    int rank;
    struct ork_buffer_bytes bytes[2]; /* of the sides that it uses; */
    unsigned count;                   /* their number */
    int sent, received;               /* their place in bytes[]; -1: none, or unknown */
};

static bool is_among_neighbors(const struct part *p)
{
    return ork_coll_exchange(p->mode) == ORK_EXCHANGE_AMONG_NEIGHBORS;
}

static bool uses(const struct part *p, enum who who)
{
    switch (who) {
    case NOBODY:
        return false;
    case ALL:
        return true;
    case SENDERS:
        return ork_contributes(p->args, ORK_AT_SENDERS);
    case ROOT:
        return ork_contributes(p->args, ORK_AT_ROOT);
    case ALL_BUT_FIRST:
        return p->rank != 0;
    }
    return false;
}

/* ---- bytes of a side ---- */

static bool find_block(const struct ork_coll_side *side, unsigned use, int64_t count,
                       struct ork_buffer_bytes *bytes)
{
    return ork_buffer_find(
        &(struct ork_buffer){
            .use = use, .address = side->address, .count = count, .type = side->type},
        bytes);
}

static bool is_missing(const struct blocks *blocks, uint64_t i)
{
    return i < 64 && (blocks->missing >> i & 1) != 0;
}

/* In bytes from the beginning of the buffer. */
static int64_t offset_of(const struct ork_coll_side *side, uint64_t i, int64_t extent)
{
    if (side->offsets != NULL)
        return side->offsets[i];
    if (side->displs == NULL)
        return (int64_t)i * side->count * extent;
    return side->displs[i] * (side->types != NULL ? 1 : extent);
}

/* Add the block of one process. False: unknown. */
static bool add_block(struct ork_byteset *layout, const struct ork_coll_side *side, uint64_t i)
{
    MPI_Datatype type = side->types != NULL ? side->types[i] : side->type;
    int64_t size = (int64_t)ork_dense_size(type);
    int64_t count = side->counts != NULL ? side->counts[i] : side->count;
    struct ork_type *derived = NULL;
    bool is_added;

    if (count == 0)
        return true;
    if (size == 0)
        derived = ork_type_with_layout(type);
    if (size == 0 && derived == NULL)
        return false;
    int64_t extent = size != 0 ? size : ork_type_extent(derived);
    int64_t offset = offset_of(side, i, extent);
    if (size != 0)
        is_added = ork_byteset_add_block(layout, offset, count * size);
    else
        is_added = ork_byteset_add(layout, &derived->layout, offset, count, extent);
    if (derived != NULL)
        ork_type_release(derived);
    return is_added;
}

static bool fill(struct ork_byteset *layout, const struct ork_coll_side *side,
                 const struct blocks *blocks)
{
    for (uint64_t i = 0; i < blocks->count; i++)
        if (!is_missing(blocks, i) && !add_block(layout, side, i))
            return false;
    return layout->num_runs > 0 && ork_byteset_finish(layout);
}

/* Blocks at displacements. RATIONALE: their layout is made in `scratch`, whose memory is used by
 * each call; an operation that is pending then keeps it. */
static bool find_blocks(const struct ork_coll_side *side, unsigned use, const struct blocks *blocks,
                        struct ork_byteset *scratch, struct ork_buffer_bytes *bytes)
{
    ork_byteset_clear(scratch);
    *bytes = (struct ork_buffer_bytes){.use = use};
    return side->address != NULL && fill(scratch, side, blocks) &&
           ork_span_of_layout(&bytes->span, scratch, (int64_t)(uintptr_t)side->address, 1, 0);
}

static int64_t sum(const int *counts, uint64_t processes)
{
    int64_t total = 0;

    for (uint64_t i = 0; i < processes; i++)
        total += counts[i];
    return total;
}

/* Are there as many displacements as counts? */
static bool has_places(const struct ork_coll_side *side)
{
    return side->counts == NULL || side->displs != NULL || side->offsets != NULL;
}

static bool find_side(const struct part *p, const struct ork_coll_side *side, unsigned use,
                      enum amount amount, const struct blocks *blocks, struct ork_byteset *scratch,
                      struct ork_buffer_bytes *bytes)
{
    if (side->address == MPI_IN_PLACE)
        return false;
    switch (amount) {
    case ONCE:
        return find_block(side, use, side->count, bytes);
    case EACH:
        if (blocks->missing == 0 && side->counts == NULL)
            return find_block(side, use, side->count * (int64_t)blocks->count, bytes);
        return has_places(side) && find_blocks(side, use, blocks, scratch, bytes);
    case SUM:
        return side->counts != NULL &&
               find_block(side, use, sum(side->counts, blocks->count), bytes);
    case OWN:
        return side->counts != NULL && find_block(side, use, side->counts[p->rank], bytes);
    }
    return false;
}

/* ---- the calling rank's part ---- */

static struct ork_byteset scratch[2];

static int add_side(struct part *p, const struct ork_coll_side *side, unsigned use, bool is_used,
                    enum amount amount, const struct blocks *blocks)
{
    if (!is_used ||
        !find_side(p, side, use, amount, blocks, &scratch[p->count], &p->bytes[p->count]))
        return -1;
    return (int)p->count++;
}

/* Is there a neighbour? */
static bool is_any(const struct blocks *blocks)
{
    for (uint64_t i = 0; i < blocks->count; i++)
        if (!is_missing(blocks, i))
            return true;
    return false;
}

/* The same as begin() for a call of neighbours. */
static bool begin_among_neighbors(struct part *p, const struct ork_comm_bounds *b, bool *sends,
                                  bool *receives)
{
    if (b->topology == ORK_TOPOLOGY_NONE || b->num_dims > ORK_DIMS_MAX || b->sources < 0 ||
        b->destinations < 0)
        return false;
    p->sent_to = (struct blocks){(uint64_t)b->destinations, b->missing};
    p->received_from = (struct blocks){(uint64_t)b->sources, b->missing};
    *sends = is_any(&p->sent_to);
    *receives = is_any(&p->received_from);
    return *sends || *receives;
}

/* Which sides does it use? False: none, or unknown. Without the lock. */
static bool begin(struct part *p, bool *sends, bool *receives)
{
    const struct ork_args *a = p->args;
    const struct ork_comm_bounds *bounds = ork_bounds_of(a->comm);

    if (!bounds->is_recorded)
        return false;
    p->sent_to.count = p->received_from.count = (uint64_t)bounds->size;
    p->rank = bounds->rank;
    if (p->mode == ORK_COLL_BCAST) {
        *sends = ork_contributes(a, ORK_AT_ROOT);
        *receives = !*sends && ork_contributes(a, ORK_AT_PARTICIPANTS);
        return true;
    }
    if (p->mode >= sizeof(shapes) / sizeof(*shapes))
        return false;
    p->shape = shapes[p->mode];
    if (is_among_neighbors(p))
        return begin_among_neighbors(p, bounds, sends, receives);
    if (p->mode == ORK_COLL_REDUCE_SCATTER || p->mode == ORK_COLL_REDUCE_SCATTER_BLOCK)
        p->sent_to.count = (uint64_t)bounds->local_size;
    *sends = uses(p, p->shape.sends);
    *receives = uses(p, p->shape.receives);
    return *sends || *receives;
}

static void find(struct part *p, const struct ork_coll_buffers *b, bool sends, bool receives)
{
    p->sent = p->received = -1;
    if (p->mode == ORK_COLL_BCAST) {
        add_side(p, &b->received, sends ? ORK_BUFFER_READ : ORK_BUFFER_WRITTEN, sends || receives,
                 ONCE, &p->received_from);
        return;
    }
    p->sent = add_side(p, &b->sent, ORK_BUFFER_READ, sends, p->shape.sent, &p->sent_to);
    p->received = add_side(p, &b->received, ORK_BUFFER_WRITTEN, receives, p->shape.received,
                           &p->received_from);
}

/* That is a mistake of the datatype, not of this call. */
static bool repeats_itself(const struct ork_type *type)
{
    struct ork_common common;
    struct ork_span one;

    return type != NULL && ork_span_of_layout(&one, &type->layout, 0, 1, 0) &&
           ork_span_repeats(&one, &common) == ORK_YES;
}

static enum ork_usage_id overlap_of_blocks(const struct part *p)
{
    if (is_among_neighbors(p))
        return ORK_USAGE_BUFFER_NEIGHBOR_BLOCKS;
    return p->mode == ORK_COLL_GATHERV || p->mode == ORK_COLL_ALLGATHERV
               ? ORK_USAGE_BUFFER_GATHERED_TWICE
               : ORK_USAGE_BUFFER_BLOCKS_OVERLAP;
}

/* The blocks that it receives overlap. */
static void check_blocks(const struct ork_call *call, const struct part *p)
{
    const struct ork_span *span = &p->bytes[p->received].span;
    struct ork_common common;

    if (span->set == NULL || repeats_itself(p->bytes[p->received].type) ||
        ork_span_repeats(span, &common) != ORK_YES)
        return;
    ork_usage_report_locked(call, &(struct ork_usage){.id = overlap_of_blocks(p),
                                                      .value = common.low - span->low,
                                                      .value2 = common.high - 1 - span->low});
}

static void check(const struct ork_call *call, const struct part *p)
{
    if (p->sent >= 0 && p->received >= 0)
        ork_buffers_separate(call, &p->bytes[p->sent], &p->bytes[p->received],
                             is_among_neighbors(p) ? ORK_USAGE_BUFFER_NEIGHBORS
                                                   : ORK_USAGE_BUFFER_COLLECTIVE);
    if (p->received >= 0)
        check_blocks(call, p);
}

void ork_coll_buffers_look(const struct ork_call *call, const struct ork_args *args, unsigned mode,
                           unsigned flags, const struct ork_coll_buffers *buffers)
{
    struct part p = {.args = args, .mode = mode};
    bool sends, receives;
    int saved = errno;

    if (!ork_buffers_are_on || !begin(&p, &sends, &receives))
        return;
    ork_lock();
    find(&p, buffers, sends, receives);
    check(call, &p);
    for (unsigned i = 0; i < p.count; i++) {
        if ((flags & ORK_F_PERSISTENT) == 0)
            ork_buffers_compare_bytes(call, &p.bytes[i]);
        ork_buffer_release(&p.bytes[i]);
    }
    ork_unlock();
    errno = saved;
}

/* Let a pending operation keep the layout of a span, if it is not that of a datatype. False: out of
 * memory. */
static bool keep_layout(struct ork_buffer_bytes *bytes)
{
    struct ork_byteset *layout;

    if (bytes->span.set == NULL || bytes->type != NULL)
        return true;
    layout = malloc(sizeof(*layout));
    if (layout == NULL)
        return false;
    struct ork_byteset *from = bytes->span.set == &scratch[0] ? &scratch[0] : &scratch[1];
    *layout = *from;
    *from = (struct ork_byteset){0};
    bytes->span.set = bytes->layout = layout;
    return true;
}

void ork_coll_buffers_start(const struct ork_call *call, const struct ork_args *args, unsigned mode,
                            unsigned flags, const struct ork_coll_buffers *buffers)
{
    struct part p = {.args = args, .mode = mode};
    bool sends, receives;
    int saved = errno;

    if (!ork_buffers_are_on || !begin(&p, &sends, &receives))
        return;
    ork_lock();
    find(&p, buffers, sends, receives);
    for (unsigned i = 0; i < p.count; i++) {
        if (keep_layout(&p.bytes[i]))
            ork_buffers_enter(call, args->id, &p.bytes[i], (flags & ORK_F_PERSISTENT) != 0);
    }
    ork_unlock();
    errno = saved;
}

void ork_file_buffer_look(const struct ork_call *call, const struct ork_buffer *buffer)
{
    ork_lock();
    ork_buffers_look(call, buffer);
    ork_unlock();
}

void ork_file_buffer_start(const struct ork_call *call, uint32_t request,
                           const struct ork_buffer *buffer)
{
    struct ork_buffer_bytes bytes;

    ork_lock();
    if (ork_buffers_are_on && ork_buffer_find(buffer, &bytes))
        ork_buffers_enter(call, request, &bytes, false);
    ork_unlock();
}
