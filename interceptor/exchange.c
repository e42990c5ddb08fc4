/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/exchange.h"

static uint32_t words_of(const struct ork_args *a, unsigned mode, uint32_t processes)
{
    unsigned sides = (unsigned)(a->sends && ork_coll_has(mode, ORK_COUNTS_SENT)) +
                     (unsigned)(a->receives && ork_coll_has(mode, ORK_COUNTS_RECEIVED));

    return sides * processes * (ork_coll_has(mode, ORK_HAS_TYPES) ? 2 : 1);
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
    bool is_known = bounds->is_valid && !bounds->is_inter && bounds->size <= ORK_COUNTS_MAX;

    a->buffers = buffers;
    if (is_sent)
        a->sends = a->sends && is_known && has_counts(sent, mode);
    if (is_received)
        a->receives = a->receives && is_known && has_counts(&buffers->received, mode);
    a->words = is_known ? words_of(a, mode, (uint32_t)bounds->size) : 0;
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
    unsigned mode = record->mode;
    const struct ork_coll_side *received = &a->buffers->received;
    const struct ork_coll_side *sent = &a->buffers->sent;
    bool lists_sent = a->sends && ork_coll_has(mode, ORK_COUNTS_SENT);
    bool lists_received = a->receives && ork_coll_has(mode, ORK_COUNTS_RECEIVED);
    uint32_t sides = (uint32_t)lists_sent + (uint32_t)lists_received;
    uint32_t processes = a->words / sides / (ork_coll_has(mode, ORK_HAS_TYPES) ? 2 : 1);
    struct ork_list list;

    if (ORK_UNLIKELY(atomic_load_explicit(&ork_types_pending, memory_order_relaxed) != 0))
        ork_types_define();
    record->count = a->words;
    record->tag = lists_sent ? size_of_type(sent) : 0;
    record->tag2 = lists_received ? size_of_type(received) : 0;
    ork_list_begin(&list, record);
    if (lists_sent)
        add_side(&list, sent, processes);
    if (lists_received)
        add_side(&list, received, processes);
    ork_list_end(&list);
    ork_publish();
}
