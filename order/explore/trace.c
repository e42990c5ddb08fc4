/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/trace.h"

#include "common/assert.h"
#include "common/hash.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

uint64_t ork_trace_polled(uint64_t different, uint64_t same)
{
    return different == 0 ? 0 : ork_hash_add(different, same + 1);
}

uint64_t ork_trace_again(uint64_t num_distinct, uint64_t poll_index)
{
    return poll_index == 0 ? 0 : ork_hash_add(ork_hash_add(num_distinct, poll_index), UINT64_MAX);
}

uint64_t ork_trace_own(const struct ork_choice *choice, uint64_t polled)
{
    uint64_t h = ork_hash_add(choice->place, (uint64_t)choice->kind << 32 | choice->call);

    h = ork_hash_add(h, polled);
    h = ork_hash_add(h, choice->post);
    h = ork_hash_add(h, (uint32_t)choice->tag);
    for (uint32_t i = 0; i < choice->count; i++)
        h = ork_hash_add(h, choice->index[i]);
    return h;
}

uint64_t ork_trace_join(uint64_t before, uint64_t own, int32_t source)
{
    return ork_hash_add(ork_hash_add(before, own), (uint32_t)source);
}

uint64_t ork_trace_hash_all(const struct ork_trace *trace)
{
    uint64_t h = 0;

    for (uint32_t r = 0; r < trace->ranks; r++) {
        const struct ork_trace_rank *rank = &trace->rank[r];
        uint64_t pending = 0;
        for (uint32_t i = 0; i < rank->num_pending; i++) {
            const struct ork_pending_receive *p = &rank->pending[i];
            pending += ork_trace_join(p->post, (uint32_t)p->tag, p->source);
        }
        h = ork_hash_add(ork_hash_add(h, rank->prefix[rank->num]), pending);
    }
    return h;
}

const struct ork_choice *ork_trace_choice(const struct ork_trace *trace, uint32_t rank,
                                          uint64_t number)
{
    if (rank >= trace->ranks || number == 0 || number > trace->rank[rank].num)
        return NULL;
    return &trace->rank[rank].choice[number - 1];
}

/* `count` holds an offset into `index` until all indices are there, because the array may move. */
static void set_prefix(struct ork_trace_rank *r, uint32_t i)
{
    const struct ork_choice *c = &r->choice[i];

    r->prefix[i + 1] = ork_trace_join(r->prefix[i], ork_trace_own(c, r->polled[i]), c->source);
}

static void set_prefixes(struct ork_trace_rank *r)
{
    for (uint32_t i = 0; i < r->num; i++)
        set_prefix(r, i);
}

static enum ork_status add(struct ork_trace_rank *r, const struct ork_choice *choice)
{
    if (r->num == UINT32_MAX - 1 || choice->count > UINT32_MAX - r->indices)
        return ORK_INVALID;
    if (!ork_vec_reserve(&r->choice, &r->room, r->num + 1, sizeof(*r->choice)) ||
        !ork_vec_reserve(&r->prefix, &r->prefix_room, r->num + 2, sizeof(*r->prefix)) ||
        !ork_vec_reserve(&r->polled, &r->polled_room, r->num + 1, sizeof(*r->polled)) ||
        !ork_vec_reserve(&r->again, &r->again_room, r->num + 1, sizeof(*r->again)) ||
        !ork_vec_reserve(&r->abandoned, &r->abandoned_room, r->num + 2, sizeof(*r->abandoned)) ||
        !ork_vec_reserve(&r->index, &r->index_room, r->indices + choice->count + 1,
                         sizeof(*r->index)))
        return ORK_NOMEM;
    if (choice->count > 0)
        memcpy(r->index + r->indices, choice->index, choice->count * sizeof(*r->index));
    r->indices += choice->count;
    r->choice[r->num] = *choice;
    r->polled[r->num] = choice->polls; /* as long as nothing else is known */
    set_prefix(r, r->num);
    r->num++;
    return ORK_OK;
}

/* Now the indices stay where they are. */
static void set_indices(struct ork_trace_rank *r)
{
    uint32_t *at = r->index;

    for (uint32_t i = 0; i < r->num; i++) {
        r->choice[i].index = at;
        at += r->choice[i].count;
    }
    ORK_ASSERT((size_t)(at - r->index) == r->indices);
}

static enum ork_status decode(struct ork_order_decoder *decoder, struct ork_trace_rank *r)
{
    struct ork_choice choice;
    enum ork_status status;

    while ((status = ork_order_decode(decoder, &choice)) == ORK_OK && !r->has_threads) {
        if (choice.thread != 0 || choice.post_thread != 0)
            r->has_threads = true;
        else if (choice.kind == ORK_CHOICE_END) {
            r->last_polls = choice.polls;
            r->has_ended = true;
        } else if ((status = add(r, &choice)) != ORK_OK)
            return status;
    }
    set_indices(r);
    return status == ORK_NOTFOUND ? ORK_OK : status;
}

static enum ork_status read_rank(const struct ork_order_rank *from, struct ork_trace_rank *r)
{
    struct ork_order_decoder *decoder = ork_order_decoder_create();
    enum ork_status status = decoder == NULL ? ORK_NOMEM : ORK_OK;

    if (status == ORK_OK && from->size > 0)
        status = ork_order_decoder_feed(decoder, from->stream, from->size);
    if (status == ORK_OK)
        status = decode(decoder, r);
    ork_order_decoder_destroy(decoder);
    return status;
}

enum ork_status ork_trace_init(struct ork_trace *trace, uint32_t ranks)
{
    *trace = (struct ork_trace){.ranks = ranks};
    trace->rank = calloc(ranks + (size_t)1, sizeof(*trace->rank));
    bool done = trace->rank != NULL;
    for (uint32_t i = 0; i < ranks && done; i++)
        done = ork_vec_reserve(&trace->rank[i].prefix, &trace->rank[i].prefix_room, 1,
                               sizeof(*trace->rank[i].prefix)) &&
               ork_vec_reserve(&trace->rank[i].abandoned, &trace->rank[i].abandoned_room, 1,
                               sizeof(*trace->rank[i].abandoned));
    if (!done)
        ork_trace_release(trace);
    return done ? ORK_OK : ORK_NOMEM;
}

enum ork_status ork_trace_read(const struct ork_order_file *file, struct ork_trace *trace)
{
    enum ork_status status = ORK_OK;

    status = ork_trace_init(trace, file->header.ranks);
    for (uint32_t i = 0; i < trace->ranks && i < file->num_ranks && status == ORK_OK; i++)
        status = read_rank(&file->rank[i], &trace->rank[i]);
    if (status != ORK_OK)
        ork_trace_release(trace);
    return status;
}

enum ork_status ork_trace_add_pending(struct ork_trace *trace, uint32_t rank,
                                      struct ork_pending_receive receive)
{
    ORK_ASSERT(rank < trace->ranks);
    struct ork_trace_rank *r = &trace->rank[rank];

    for (uint32_t i = 0; i < r->num_pending; i++) {
        if (r->pending[i].post == receive.post)
            return ORK_OK;
    }
    if (!ork_vec_reserve(&r->pending, &r->pending_room, r->num_pending + 1, sizeof(*r->pending)))
        return ORK_NOMEM;
    r->pending[r->num_pending++] = receive;
    return ORK_OK;
}

static void set_polled(struct ork_trace_rank *r, const struct ork_polled_choice *p)
{
    if (p->number <= r->num + UINT64_C(1))
        r->abandoned[p->number - 1] = (struct ork_abandoned){
            .series = p->series_abandoned,
            .all = p->all_abandoned,
            .is_whole = p->all_abandoned == p->num_distinct && p->num_distinct > 0,
            .call = p->call,
            .place = p->place};
    if (p->number <= r->num) {
        r->polled[p->number - 1] = ork_trace_polled(p->different, p->same);
        r->again[p->number - 1] = ork_trace_again(p->num_distinct, p->poll_index);
    } else if (p->number == r->num + UINT64_C(1)) {
        r->last_polls = p->polls > r->last_polls ? p->polls : r->last_polls;
        r->last_polled = ork_trace_polled(p->different, 0);
    }
}

void ork_trace_add_polled(struct ork_trace *trace, const struct ork_polled_choice *polled,
                          uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        ORK_ASSERT(polled[i].rank < trace->ranks && polled[i].number > 0);
        set_polled(&trace->rank[polled[i].rank], &polled[i]);
    }
    for (uint32_t r = 0; r < trace->ranks; r++)
        set_prefixes(&trace->rank[r]);
}

/* The locks of a rank: the first `num` ones. */
static enum ork_status set_locked(struct ork_trace_rank *r, const struct ork_locked_choice *locked,
                                  uint32_t num)
{
    uint32_t *index = NULL, room = 0, indices = 0, at = 0;

    for (uint32_t i = 0; i < r->num; i++) {
        struct ork_choice *c = &r->choice[i];
        const uint32_t *from = c->index;
        if (at < num && locked[at].number == i + UINT64_C(1) && ork_order_is_lock(c->kind)) {
            from = locked[at].before;
            c->count = locked[at].count;
        }
        at += at < num && locked[at].number == i + UINT64_C(1);
        if (!ork_vec_reserve(&index, &room, indices + c->count + 1, sizeof(*index))) {
            free(index);
            return ORK_NOMEM;
        }
        if (c->count > 0)
            memcpy(index + indices, from, c->count * sizeof(*index));
        indices += c->count;
    }
    free(r->index);
    r->index = index;
    r->index_room = room;
    r->indices = indices;
    set_indices(r);
    set_prefixes(r);
    return ORK_OK;
}

enum ork_status ork_trace_add_locked(struct ork_trace *trace,
                                     const struct ork_locked_choice *locked, uint32_t num)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0, n; i < num && status == ORK_OK; i += n) {
        ORK_ASSERT(locked[i].rank < trace->ranks);
        n = 1;
        while (i + n < num && locked[i + n].rank == locked[i].rank)
            n++;
        status = set_locked(&trace->rank[locked[i].rank], locked + i, n);
    }
    return status;
}

uint64_t ork_trace_polls(const struct ork_trace_rank *rank, uint64_t choices)
{
    return choices < rank->num ? rank->choice[choices].polls : rank->last_polls;
}

void ork_trace_release(struct ork_trace *trace)
{
    for (uint32_t i = 0; i < trace->ranks && trace->rank != NULL; i++) {
        free(trace->rank[i].choice);
        free(trace->rank[i].prefix);
        free(trace->rank[i].polled);
        free(trace->rank[i].again);
        free(trace->rank[i].abandoned);
        free(trace->rank[i].index);
        free(trace->rank[i].pending);
    }
    free(trace->rank);
    *trace = (struct ork_trace){0};
}
