/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/call/buffers_coll.h"

#include "interceptor/objects/bounds.h"

#include <errno.h>
#include <stdlib.h>

/* The ranks that use a side. */
enum who { NOBODY, ALL, SENDERS, ROOT, ALL_BUT_FIRST };
struct shape {
    enum who sends;
    enum ork_side_amount sent;
    enum who receives;
    enum ork_side_amount received;
};

static const struct shape shapes[] = {
    [ORK_COLL_GATHER] = {SENDERS, ORK_SIDE_ONCE, ROOT, ORK_SIDE_EACH},
    [ORK_COLL_GATHERV] = {SENDERS, ORK_SIDE_ONCE, ROOT, ORK_SIDE_EACH},
    [ORK_COLL_SCATTER] = {ROOT, ORK_SIDE_EACH, SENDERS, ORK_SIDE_ONCE},
    [ORK_COLL_SCATTERV] = {ROOT, ORK_SIDE_EACH, SENDERS, ORK_SIDE_ONCE},
    [ORK_COLL_ALLGATHER] = {SENDERS, ORK_SIDE_ONCE, ALL, ORK_SIDE_EACH},
    [ORK_COLL_ALLGATHERV] = {SENDERS, ORK_SIDE_ONCE, ALL, ORK_SIDE_EACH},
    [ORK_COLL_ALLTOALL] = {SENDERS, ORK_SIDE_EACH, ALL, ORK_SIDE_EACH},
    [ORK_COLL_ALLTOALLV] = {SENDERS, ORK_SIDE_EACH, ALL, ORK_SIDE_EACH},
    [ORK_COLL_ALLTOALLW] = {SENDERS, ORK_SIDE_EACH, ALL, ORK_SIDE_EACH},
    [ORK_COLL_REDUCE] = {SENDERS, ORK_SIDE_ONCE, ROOT, ORK_SIDE_ONCE},
    [ORK_COLL_ALLREDUCE] = {SENDERS, ORK_SIDE_ONCE, ALL, ORK_SIDE_ONCE},
    [ORK_COLL_REDUCE_SCATTER] = {SENDERS, ORK_SIDE_SUM, ALL, ORK_SIDE_OWN},
    [ORK_COLL_REDUCE_SCATTER_BLOCK] = {SENDERS, ORK_SIDE_EACH, ALL, ORK_SIDE_ONCE},
    [ORK_COLL_SCAN] = {SENDERS, ORK_SIDE_ONCE, ALL, ORK_SIDE_ONCE},
    /* The receive buffer of the first process is not significant: MPI-3.1 section 5.11.2. */
    [ORK_COLL_EXSCAN] = {SENDERS, ORK_SIDE_ONCE, ALL_BUT_FIRST, ORK_SIDE_ONCE},
    [ORK_COLL_NEIGHBOR_ALLGATHER] = {ALL, ORK_SIDE_ONCE, ALL, ORK_SIDE_EACH},
    [ORK_COLL_NEIGHBOR_ALLGATHERV] = {ALL, ORK_SIDE_ONCE, ALL, ORK_SIDE_EACH},
    [ORK_COLL_NEIGHBOR_ALLTOALL] = {ALL, ORK_SIDE_EACH, ALL, ORK_SIDE_EACH},
    [ORK_COLL_NEIGHBOR_ALLTOALLV] = {ALL, ORK_SIDE_EACH, ALL, ORK_SIDE_EACH},
    [ORK_COLL_NEIGHBOR_ALLTOALLW] = {ALL, ORK_SIDE_EACH, ALL, ORK_SIDE_EACH},
};

/* The calling rank's part of a call. */
struct part {
    const struct ork_args *args;
    unsigned mode;
    struct shape shape;
    bool sends, receives;
    struct ork_side_blocks sent_to, received_from;
    struct ork_buffer_bytes bytes[2]; /* of the sides that it uses; */
    unsigned count;                   /* their number */
    int sent, received;               /* their place in bytes[]; -1: none, or unknown */
    int saved;                        /* errno */
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
        return p->sent_to.own != 0;
    }
    return false;
}

/* ---- the calling rank's part ---- */

static struct ork_byteset scratch[2];

static int add_side(struct part *p, const struct ork_coll_side *side, unsigned use, bool is_used,
                    enum ork_side_amount amount, const struct ork_side_blocks *blocks)
{
    if (!is_used ||
        !ork_side_find(side, use, amount, blocks, &scratch[p->count], &p->bytes[p->count]))
        return -1;
    return (int)p->count++;
}

/* Is there a neighbour? */
static bool is_any(const struct ork_side_blocks *blocks)
{
    for (uint64_t i = 0; i < blocks->count; i++)
        if (!ork_side_is_missing(blocks, i))
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
    p->sent_to = (struct ork_side_blocks){
        .count = (uint64_t)b->destinations, .missing = b->missing, .own = b->rank};
    p->received_from = (struct ork_side_blocks){
        .count = (uint64_t)b->sources, .missing = b->missing, .own = b->rank};
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
    p->sent_to = p->received_from =
        (struct ork_side_blocks){.count = (uint64_t)bounds->size, .own = bounds->rank};
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

static void find(struct part *p, const struct ork_coll_buffers *b)
{
    bool sends = p->sends, receives = p->receives;

    p->sent = p->received = -1;
    if (p->mode == ORK_COLL_BCAST) {
        add_side(p, &b->received, sends ? ORK_BUFFER_READ : ORK_BUFFER_WRITTEN, sends || receives,
                 ORK_SIDE_ONCE, &p->received_from);
        return;
    }
    p->sent = add_side(p, &b->sent, ORK_BUFFER_READ, sends, p->shape.sent, &p->sent_to);
    p->received = add_side(p, &b->received, ORK_BUFFER_WRITTEN, receives, p->shape.received,
                           &p->received_from);
}

static void release(const struct part *p)
{
    for (unsigned i = 0; i < p->count; i++)
        ork_buffer_release(&p->bytes[i]);
}

static void add_blocks(struct part *p, const struct ork_coll_side *side, unsigned use,
                       const struct ork_side_blocks *blocks, enum ork_side_part which)
{
    struct ork_side_blocks some = *blocks;

    some.part = which;
    add_side(p, side, use, true, ORK_SIDE_EACH, &some);
}

/* In place, the own block is already where it belongs: only MPI_Allgather and MPI_Allgatherv read
 * it, for others (MPI-3.1 sections 5.5 to 5.8). MPI_Alltoall reads the other blocks, and then
 * writes them. */
static void find_in_place(struct part *p, const struct ork_coll_buffers *b)
{
    bool is_scattered = p->mode == ORK_COLL_SCATTER || p->mode == ORK_COLL_SCATTERV;

    if (!(is_scattered ? p->sends : p->receives))
        return; /* the call is wrong */
    if (p->mode == ORK_COLL_ALLGATHER || p->mode == ORK_COLL_ALLGATHERV)
        add_blocks(p, &b->received, ORK_BUFFER_READ, &p->received_from, ORK_SIDE_OWN_BLOCK);
    if (is_scattered)
        add_blocks(p, &b->sent, ORK_BUFFER_READ, &p->sent_to, ORK_SIDE_OTHERS);
    else
        add_blocks(p, &b->received, ORK_BUFFER_WRITTEN, &p->received_from, ORK_SIDE_OTHERS);
}

static bool reduces(unsigned mode)
{
    return ork_coll_exchange(mode) == ORK_EXCHANGE_COMBINED;
}

/* In place, leave only the blocks that the call accesses. */
static void narrow(struct part *p, const struct ork_coll_buffers *buffers)
{
    if (!p->args->in_place || reduces(p->mode))
        return;
    release(p);
    p->count = 0;
    p->sent = p->received = -1;
    find_in_place(p, buffers);
}

/* Find the part, with the lock. False: none, or unknown, and without the lock. */
static bool open_part(struct part *p, const struct ork_coll_buffers *buffers)
{
    p->saved = errno;
    if (!begin(p, &p->sends, &p->receives))
        return false;
    ork_lock();
    find(p, buffers);
    return true;
}

static void close_part(const struct part *p)
{
    ork_unlock();
    errno = p->saved;
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

/* ---- in the memory of windows, of a call that blocks ---- */

/* Does each rank that the call tells of the buffer get all of it? Then it was read before. */
static bool is_read_by_all(unsigned mode)
{
    return mode == ORK_COLL_GATHER || mode == ORK_COLL_GATHERV || mode == ORK_COLL_REDUCE ||
           mode == ORK_COLL_ALLREDUCE || mode == ORK_COLL_SCAN || mode == ORK_COLL_EXSCAN;
}

/* In place, what is written is read before. */
static bool reads_at_begin(const struct part *p, const struct ork_buffer_bytes *bytes)
{
    bool is_exchange = p->mode == ORK_COLL_ALLTOALL || p->mode == ORK_COLL_ALLTOALLV ||
                       p->mode == ORK_COLL_ALLTOALLW;

    return bytes->use == ORK_BUFFER_WRITTEN && p->args->in_place && is_exchange;
}

/* RATIONALE: what is sent may be read from the beginning of the call to its end, and two points of
 * time stand for all of it. What is received comes after what its sender knew; but a reduction may
 * use the memory from its beginning on. */
static void touch_at_begin(const struct ork_call *call, const struct part *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        if (reads_at_begin(p, &p->bytes[i]))
            ork_windows_put_buffer(call, ORK_REQUEST_NULL, &p->bytes[i].span, false);
        else if (p->bytes[i].use == ORK_BUFFER_READ || reduces(p->mode))
            ork_windows_touch_bytes(call, &p->bytes[i]);
    }
}

static void touch_at_end(const struct ork_call *call, const struct part *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        if (p->bytes[i].use == ORK_BUFFER_WRITTEN || !is_read_by_all(p->mode))
            ork_windows_touch_bytes(call, &p->bytes[i]);
    }
}

void ork_coll_buffers_returned(const struct ork_call *call, const struct ork_args *args,
                               unsigned mode, const struct ork_coll_buffers *buffers)
{
    struct part p = {.args = args, .mode = mode};

    if (!open_part(&p, buffers))
        return;
    narrow(&p, buffers);
    touch_at_end(call, &p);
    release(&p);
    close_part(&p);
}

/* ---- before the call ---- */

static void look(const struct ork_call *call, const struct ork_args *args, unsigned mode,
                 unsigned flags, const struct ork_coll_buffers *buffers, bool touches)
{
    struct part p = {.args = args, .mode = mode};

    if (!open_part(&p, buffers))
        return;
    if (ork_buffers_are_on)
        check(call, &p);
    if ((flags & ORK_F_LOCAL) == 0)
        narrow(&p, buffers);
    for (unsigned i = 0; i < p.count && (flags & ORK_F_PERSISTENT) == 0; i++)
        ork_buffers_compare_bytes(call, &p.bytes[i]);
    if (touches)
        touch_at_begin(call, &p);
    release(&p);
    close_part(&p);
}

/* Blocks of a side of the call. */
static int64_t count_blocks(enum ork_side_amount amount, MPI_Comm comm)
{
    if (amount != ORK_SIDE_EACH)
        return 1;
    const struct ork_comm_bounds *b = ork_bounds_of(comm);
    return b->size > b->local_size ? b->size : b->local_size;
}

/* Is a pending buffer near the bytes low .. high - 1? */
static bool is_pending_near(int64_t low, int64_t high)
{
    struct ork_span span = ork_span_of_block(low, high - low);

    return ork_buffers_are_near(&span);
}

/* RATIONALE: most calls have two blocks with nothing in common, and nothing is pending near them.
 * That is seen without what this rank's part is. */
static bool is_right_at_once(const struct ork_args *args, unsigned mode,
                             const struct ork_coll_buffers *buffers)
{
    const struct ork_coll_side *from = &buffers->sent, *to = &buffers->received;
    int64_t sent = 0, sent_end = 0, received, received_end;

    if (mode >= ORK_COLL_NEIGHBOR_ALLGATHER)
        return false;
    if (mode != ORK_COLL_BCAST &&
        !ork_side_find_all(from, count_blocks(shapes[mode].sent, args->comm), &sent, &sent_end))
        return false;
    if (!ork_side_find_all(to, count_blocks(shapes[mode].received, args->comm), &received,
                           &received_end) ||
        (sent_end > received && received_end > sent))
        return false;
    ork_lock();
    bool are_near = ork_buffers_known != 0 &&
                    (is_pending_near(sent, sent_end) || is_pending_near(received, received_end));
    ork_unlock();
    return !are_near;
}

void ork_coll_buffers_examine(const struct ork_call *call, const struct ork_args *args,
                              unsigned mode, unsigned flags, const struct ork_coll_buffers *buffers)
{
    bool touches = ORK_UNLIKELY(ork_windows_exist) && (flags & ORK_F_LOCAL) == 0;

    if (touches || (ork_buffers_are_on && !is_right_at_once(args, mode, buffers)))
        look(call, args, mode, flags, buffers, touches);
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

    if (!ork_buffers_are_on || !open_part(&p, buffers))
        return;
    for (unsigned i = 0; i < p.count; i++) {
        if (keep_layout(&p.bytes[i]))
            ork_buffers_enter(call, args->id, &p.bytes[i], (flags & ORK_F_PERSISTENT) != 0);
    }
    close_part(&p);
}
