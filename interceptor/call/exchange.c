/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/call/exchange.h"

/* Numbers of processes that have a count each. */
struct extents {
    uint32_t sent, received;
    bool are_known;
};

static struct extents extents_of(unsigned mode, const struct ork_comm_bounds *b)
{
    if (ork_coll_exchange(mode) == ORK_EXCHANGE_AMONG_NEIGHBORS)
        return (struct extents){(uint32_t)b->destinations, (uint32_t)b->sources, true};
    return (struct extents){(uint32_t)b->size, (uint32_t)b->size, b->is_valid && !b->is_inter};
}

static uint32_t words_of(const struct ork_args *a, unsigned mode)
{
    return (a->counts_sent + a->counts_received) * (ork_coll_has(mode, ORK_HAS_TYPES) ? 2 : 1);
}

static bool has_counts(const struct ork_coll_side *side, unsigned mode)
{
    return side->counts != NULL && (!ork_coll_has(mode, ORK_HAS_TYPES) || side->types != NULL);
}

/* RATIONALE: only a rank that has all counts says so, else nothing is compared with it. Where each
 * count has a type of its own, there is none to ask for here. */
void ork_exchange_count(struct ork_args *a, unsigned mode, const struct ork_coll_buffers *buffers,
                        const struct ork_comm_bounds *bounds)
{
    bool is_sent = ork_coll_has(mode, ORK_COUNTS_SENT);
    bool is_received = ork_coll_has(mode, ORK_COUNTS_RECEIVED);
    const struct ork_coll_side *sent = &buffers->sent;
    struct extents e = extents_of(mode, bounds);
    bool is_known = e.are_known && e.sent <= ORK_COUNTS_MAX && e.received <= ORK_COUNTS_MAX;

    a->buffers = buffers;
    if (is_sent)
        a->sends = a->sends && is_known && has_counts(sent, mode);
    if (is_received)
        a->receives = a->receives && is_known && has_counts(&buffers->received, mode);
    a->counts_sent = is_sent && a->sends ? e.sent : 0;
    a->counts_received = is_received && a->receives ? e.received : 0;
    a->words = words_of(a, mode);
    if (a->words > ORK_COUNTS_MAX) {
        a->words = 0;
        a->sends = a->sends && !is_sent;
        a->receives = a->receives && !is_received;
    }
    if (is_sent && a->sends && sent->types == NULL)
        a->type = ork_amount(1, sent->type).type;
    if (a->receives && buffers->received.types == NULL)
        a->received = ork_amount(is_received ? 1 : buffers->received.count, buffers->received.type);
}

static void add_side(struct ork_list *list, const struct ork_coll_side *side, uint32_t processes)
{
    for (uint32_t i = 0; i < processes; i++) {
        if (side->types == NULL) {
            ork_list_add(list, side->counts[i] > 0 ? (uint32_t)side->counts[i] : 0);
            continue;
        }
        struct ork_amount amount = ork_amount(side->counts[i], side->types[i]);
        ork_list_add(list, amount.bytes <= UINT32_MAX ? (uint32_t)amount.bytes : UINT32_MAX);
        ork_list_add(list, amount.type);
    }
}

/* In bytes; 0: each count has a type of its own. */
static int32_t size_of_type(const struct ork_coll_side *side)
{
    uint64_t size = side->types == NULL ? ork_bytes(1, side->type) : 0;

    return size <= INT32_MAX ? (int32_t)size : 0;
}

void ork_exchange_enter(struct ork_record *record, const struct ork_args *a)
{
    ork_early_ask();
    ork_exchange_put(record, a);
    ork_enter();
}

void ork_exchange_put(struct ork_record *record, const struct ork_args *a)
{
    const struct ork_coll_side *received = &a->buffers->received;
    const struct ork_coll_side *sent = &a->buffers->sent;
    struct ork_list list;

    if (ORK_UNLIKELY(atomic_load_explicit(&ork_types_pending, memory_order_relaxed) != 0))
        ork_types_define();
    record->count = a->words;
    record->tag = a->counts_sent > 0 ? size_of_type(sent) : 0;
    record->tag2 = a->counts_received > 0 ? size_of_type(received) : 0;
    ork_list_begin(&list, record);
    add_side(&list, sent, a->counts_sent);
    add_side(&list, received, a->counts_received);
    ork_list_end(&list);
    ork_publish();
}
