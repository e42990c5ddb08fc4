/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/assert.h"
#include "order/explore/explored_internal.h"

bool ork_names_are_for(const struct ork_explored *e, int64_t rank)
{
    return e->symmetric != NULL && rank >= 0 && rank < e->ranks && e->symmetric[rank];
}

static uint32_t next_symmetric(const struct ork_explored *e, uint32_t from)
{
    while (from < e->ranks && !ork_names_are_for(e, from))
        from++;
    return from;
}

void ork_names_begin(struct ork_explored *e)
{
    for (uint32_t r = 0; r < e->ranks; r++)
        e->names.name[r] = ork_names_are_for(e, r) ? UINT32_MAX : r;
    e->names.next = next_symmetric(e, 0);
}

uint32_t ork_names_of(struct ork_explored *e, uint32_t rank)
{
    struct ork_names *n = &e->names;

    ORK_ASSERT(rank < e->ranks);
    if (n->name[rank] == UINT32_MAX) {
        ORK_ASSERT(n->next < e->ranks);
        n->name[rank] = n->next;
        n->next = next_symmetric(e, n->next + 1);
    }
    return n->name[rank];
}

int32_t ork_names_of_source(struct ork_explored *e, int32_t source)
{
    return ork_names_are_for(e, source) ? (int32_t)ork_names_of(e, (uint32_t)source) : source;
}

/* RATIONALE: a sum, because the numbers do not ascend any more. */
uint64_t ork_names_of_own(struct ork_explored *e, const struct ork_choice *choice, uint64_t polled)
{
    struct ork_choice without = *choice;
    uint64_t before = 0;

    if (e->symmetric == NULL || !ork_order_is_lock(choice->kind))
        return ork_trace_own(choice, polled);
    without.count = 0;
    for (uint32_t i = 0; i + 1 < choice->count; i += 2) {
        int32_t rank = ork_names_of_source(e, (int32_t)choice->index[i]);
        before += ork_hash_add(ork_hash_add(1, (uint32_t)rank), choice->index[i + 1]);
    }
    return ork_hash_add(ork_trace_own(&without, polled), before);
}

/* RATIONALE: a symmetric rank of which no message was received has no new number, so it keeps its
 * own, and decisions that differ only in it count as different. */
uint32_t ork_names_known(const struct ork_explored *e, uint32_t rank)
{
    ORK_ASSERT(rank < e->ranks);
    return e->names.name[rank] != UINT32_MAX ? e->names.name[rank] : rank;
}
