/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the records of each rank is taken in a step, so that no rank is far ahead of the
 * others at the root. */
#include "overlay/leaf/leaf_internal.h"

/* RATIONALE: a rank that repeats its records may be far ahead, and then the others have a turn.
 * Turns are short at first: until the root has folded what the ranks repeat, it keeps the records
 * of those that are ahead. */
enum { TURN_MIN = 512, TURN_MAX = 4096 };

/* RATIONALE: a rank that does not repeat its records has short turns, and should not fall behind.
 */
void ork_leaf_begin_round(struct ork_leaf *leaf)
{
    leaf->longest_turn = TURN_MAX;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        const struct local *l = &leaf->local[i];
        if (l->fd < 0 || !l->attached || l->broken || l->reader.block != 0 ||
            ork_aggregate_buffers(leaf->join, i))
            continue;
        if (atomic_load_explicit(&l->ring->head, memory_order_relaxed) - l->reader.number >
            TURN_MIN)
            leaf->longest_turn = TURN_MIN;
    }
}

uint32_t ork_leaf_begin_turn(const struct ork_leaf *leaf, struct local *l,
                             const struct ork_ring_view *view)
{
    const struct ork_ring_reader *r = &l->reader;

    if (!leaf->is_again) {
        l->seen_before = l->seen;
        l->seen = view->head;
    }
    if (r->block == 0 || l->turn_of != r->first)
        l->turn = TURN_MIN;
    else if (l->turn < TURN_MAX)
        l->turn *= 2;
    l->turn_of = r->block != 0 ? r->first : 0;
    if (l->turn > leaf->longest_turn)
        l->turn = leaf->longest_turn;
    return l->turn;
}

/* RATIONALE: to take them as they come would keep a processor busy, and the root would have to
 * analyse short repetitions one by one. Of a block that is sent as a whole, a part is only taken if
 * nothing has followed it since the step before. In a deterministic run, a rank may wait for the
 * answer to a question in it. */
bool ork_leaf_may_stay(const struct ork_leaf *leaf, const struct local *l,
                       const struct ork_ring_view *view)
{
    const struct ork_ring_reader *r = &l->reader;
    const uint64_t records = view->head - r->number;

    if (leaf->bell >= 0 || r->block == 0 || r->end != UINT64_MAX || l->hung_up)
        return false;
    if (leaf->is_again && records < TURN_MIN)
        return true;
    return records < 2 * (uint64_t)r->block && r->block <= ORK_AGAIN_MAX && l->mixed != r->first &&
           l->seen_before != view->head;
}

/* ---- calls that are held ---- */

/* Is there a rank that is not in the call, but has made more of its communicator? */
static bool is_passed(const void *context, const struct ork_buffered_call *held)
{
    const struct ork_leaf *leaf = context;
    uint32_t ranks = 0;

    for (uint32_t i = 0; i < leaf->num_local; i++) {
        const struct local *l = &leaf->local[i];
        const struct member *m = held->comm < l->num_comms ? &l->member[held->comm] : NULL;
        ranks += m != NULL && m->group == held->group && m->calls > held->index;
    }
    return ranks > held->sources;
}

enum ork_status ork_leaf_release_passed(struct ork_leaf *leaf)
{
    return ork_aggregate_release(leaf->join, is_passed, leaf);
}
