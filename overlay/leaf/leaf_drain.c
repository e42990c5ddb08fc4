/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/leaf_internal.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

/* Is the ring's header as rank and leaf left it? */
static bool is_intact(const struct local *l, uint64_t head)
{
    return head - l->reader.number <= ORK_REPEAT_AHEAD_FOLDED + ORK_RING_RECORDS &&
           !l->reader.is_broken && l->ring->magic == ORK_RING_MAGIC &&
           atomic_load_explicit(&l->ring->tail, memory_order_relaxed) == l->reader.number;
}

/* Discard all that the rank publishes, so that it never waits for room. RATIONALE: it never has
 * more slots than records. */
static void discard(struct local *l, uint64_t head)
{
    l->reader.number = head;
    atomic_store_explicit(&l->ring->tail_slot, head, memory_order_relaxed);
    atomic_store_explicit(&l->ring->tail, head, memory_order_release);
}

static enum ork_status send_records(struct ork_leaf *leaf, uint32_t rank,
                                    const struct ork_record *record, size_t count)
{
    return ork_up_deliver(
        leaf->up,
        &(struct ork_event){.kind = ORK_EVENT_RECORDS, .rank = rank, .records = {record, count}});
}

/* RATIONALE: an invalid record marks the end of the valid stream for the processes above. */
static enum ork_status break_off(struct ork_leaf *leaf, struct local *l, uint64_t head)
{
    static const struct ork_record senseless = {.kind = UINT8_MAX};

    l->broken = true;
    discard(l, head);
    return send_records(leaf, l->rank, &senseless, 1);
}

enum { COMMS_MAX = 1 << 12 };

/* NULL: out of memory, or an invalid number. */
static struct member *member_of(struct local *l, uint32_t comm)
{
    if (comm >= COMMS_MAX ||
        !ork_vec_reserve(&l->member, &l->num_comms, comm + 1, sizeof(*l->member)))
        return NULL;
    return &l->member[comm];
}

static uint32_t mix(uint32_t hash, uint32_t word)
{
    return (hash ^ word) * UINT32_C(0x01000193);
}

static void set_group(struct local *l, uint32_t comm, uint32_t group)
{
    struct member *m = member_of(l, comm);

    if (m != NULL)
        *m = (struct member){.group = group};
}

/* All members compute the same group number for a communicator. */
static void begin_definition(struct local *l, const struct ork_record *rec)
{
    const struct member *parent = member_of(l, rec->arg);
    uint32_t group = parent != NULL ? parent->group : 0;

    if ((rec->flags & ORK_F_SAME_GROUP) != 0 || rec->count == 0)
        set_group(l, rec->comm, group);
    else
        l->definition = (struct definition){
            .comm = rec->comm, .group = UINT32_C(0x811c9dc5), .left = rec->count};
}

static void go_on_with_definition(struct local *l, const struct ork_record *rec)
{
    struct definition *d = &l->definition;
    struct ork_cont cont;

    memcpy(&cont, rec, sizeof(cont));
    for (uint32_t i = 0; i < cont.words && i < ORK_CONT_WORDS && d->left > 0; i++, d->left--)
        d->group = mix(d->group, cont.word[i]);
    if (d->left == 0)
        set_group(l, d->comm, d->group);
}

/* Remember what joining needs from the records that pass. */
static void note(struct local *l, const struct ork_record *rec, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (rec[i].kind == ORK_KIND_CONT && l->definition.left > 0) {
            go_on_with_definition(l, &rec[i]);
        } else if (rec[i].kind == ORK_KIND_COMM_DEF) {
            begin_definition(l, &rec[i]);
        } else if (rec[i].kind == ORK_KIND_COLL) {
            struct member *m = member_of(l, rec[i].comm);
            if (m != NULL)
                m->calls++;
        }
    }
}

/* Let the rank know what was taken. */
static void give_room(struct local *l)
{
    atomic_store_explicit(&l->ring->tail_slot, l->reader.slot, memory_order_release);
    atomic_store_explicit(&l->ring->tail, l->reader.number, memory_order_release);
}

/* Is the call of the rank to be joined with those of others? RATIONALE: also while the root folds,
 * if the rank does not repeat it: else the records behind it would come to the root, and wait there
 * for the ranks that are not as far. */
static bool is_joined(const struct ork_leaf *leaf, const struct local *l,
                      const struct ork_record *rec)
{
    return !(leaf->is_folding && l->reader.block != 0) && ork_aggregate_takes(rec);
}

bool ork_leaf_is_folding(const struct ork_leaf *leaf)
{
    return leaf->is_folding;
}

void ork_leaf_fold(struct ork_leaf *leaf, bool is_folding)
{
    leaf->is_folding = is_folding;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        leaf->local[i].mixed = 0;
        if (leaf->local[i].ring != NULL)
            atomic_store_explicit(&leaf->local[i].ring->is_folded, is_folding,
                                  memory_order_relaxed);
    }
}

/* Does it belong to the record before it? */
static bool is_rest(const struct ork_record *record)
{
    return record->kind == ORK_KIND_CONT || record->kind == ORK_KIND_EXIT ||
           record->kind == ORK_KIND_EARLY;
}

/* Is the next record the rest of a call, in a block that is repeated? RATIONALE: the detector is in
 * the middle of a call there, and has no state that could be compared. So a block that is sent as a
 * whole begins with a call. */
static bool is_inside_call(const struct local *l, const struct ork_record *next)
{
    return l->reader.block != 0 && is_rest(next);
}

/* Send records up to the next call that is to be joined with others; only the rest of a call if
 * they begin inside it. */
static enum ork_status pass(struct ork_leaf *leaf, struct local *l,
                            const struct ork_ring_view *view, size_t credit, uint32_t *passed)
{
    uint32_t n = 0;
    bool is_inside = false;

    while (n < BATCH && n < credit) {
        const struct ork_record *next = ork_ring_front(l->ring, &l->reader, view);
        if (next == NULL || is_joined(leaf, l, next) || (is_inside && !is_rest(next)))
            break;
        is_inside |= n == 0 && is_inside_call(l, next);
        leaf->batch[n++] = *next;
        ork_ring_take(&l->reader);
    }
    *passed = n;
    if (n == 0)
        return ORK_OK;
    give_room(l);
    note(l, leaf->batch, n);
    return send_records(leaf, l->rank, leaf->batch, n);
}

/* Calls that are joined, and definitions, are looked at one by one. */
static bool is_plain(const struct ork_leaf *leaf, const struct local *l,
                     const struct ork_record *record)
{
    return record->kind != ORK_KIND_COMM_DEF && !is_joined(leaf, l, record);
}

/* As often as the block is repeated. */
static void note_calls(struct local *l, const struct ork_record *block, uint32_t n, uint32_t times)
{
    for (uint32_t i = 0; i < n; i++) {
        struct member *m = block[i].kind == ORK_KIND_COLL ? member_of(l, block[i].comm) : NULL;
        if (m != NULL)
            m->calls += times;
    }
}

/* If the rank repeats a block, send it once, with the number of its repetitions. *passed: their
 * records. */
static enum ork_status pass_block(struct ork_leaf *leaf, struct local *l,
                                  const struct ork_ring_view *view, size_t credit, uint32_t *passed)
{
    struct ork_ring_reader ahead = l->reader;
    const uint32_t block = ahead.block;
    uint64_t times = ork_ring_repetitions(&ahead, view);

    *passed = 0;
    if (times < 2 || block > ORK_AGAIN_MAX || block > credit || l->mixed == ahead.first ||
        is_inside_call(l, ork_ring_front(l->ring, &ahead, view)))
        return ORK_OK;
    for (uint32_t i = 0; i < block; i++) {
        leaf->batch[i] = *ork_ring_front(l->ring, &ahead, view);
        if (!is_plain(leaf, l, &leaf->batch[i])) {
            l->mixed = ahead.first;
            return ORK_OK;
        }
        ork_ring_take(&ahead);
    }
    times = times > l->turn / block ? l->turn / block : times;
    ork_ring_take_repetitions(&l->reader, times);
    give_room(l);
    note_calls(l, leaf->batch, block, (uint32_t)times);
    *passed = (uint32_t)times * block;
    return ork_up_deliver(
        leaf->up, &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                      .rank = l->rank,
                                      .records = {leaf->batch, block, (uint32_t)times - 1}});
}

static enum ork_status join(struct ork_leaf *leaf, struct local *l, const struct ork_record *front)
{
    struct ork_span span = {.first = l->rank, .count = 1};
    struct ork_group_record group_record = {.call = *front, .span = &span, .num_spans = 1};
    struct member *m =
        ork_aggregate_takes(&group_record.call) ? member_of(l, group_record.call.comm) : NULL;

    ork_ring_take(&l->reader);
    give_room(l);
    if (m == NULL) /* out of memory, or the rank has changed it in the meantime */
        return send_records(leaf, l->rank, &group_record.call, 1);
    return ork_aggregate_arrive(leaf->join, (uint32_t)(l - leaf->local),
                                &(struct ork_wave){.index = m->calls++,
                                                   .group = m->group,
                                                   .group_record = &group_record,
                                                   .num_group_records = 1},
                                leaf->now_ns);
}

enum ork_status ork_leaf_drain(struct ork_leaf *leaf, struct local *l, size_t *moved)
{
    const struct ork_ring_view view = ork_ring_look(l->ring);
    uint32_t place = (uint32_t)(l - leaf->local);
    enum ork_status status = ORK_OK;

    if (l->broken) {
        discard(l, view.head);
        return ORK_OK;
    }
    const uint64_t begin = l->reader.number;
    const uint32_t turn = ork_leaf_begin_turn(leaf, l, &view);

    while (status == ORK_OK && l->reader.number - begin < turn &&
           !ork_aggregate_buffers(leaf->join, place)) {
        size_t credit = ork_up_credit(leaf->up);
        uint32_t n;
        if (!is_intact(l, view.head)) {
            *moved += 1;
            return break_off(leaf, l, view.head);
        }
        if (credit == 0)
            break;
        const struct ork_record *front = ork_ring_front(l->ring, &l->reader, &view);
        if (l->reader.is_broken)
            continue;
        if (front == NULL)
            break;
        if (ork_leaf_may_stay(leaf, l, &view)) {
            *moved += !leaf->is_again; /* something has come */
            break;
        }
        status = pass_block(leaf, l, &view, credit, &n);
        if (status == ORK_OK && n == 0)
            status = pass(leaf, l, &view, credit, &n);
        *moved += n;
        if (status != ORK_OK || n > 0)
            continue;
        uint32_t held = ork_aggregate_num_buffered(leaf->join);
        status = join(leaf, l, front);
        *moved += 1;
        if (held > 0 && ork_aggregate_num_buffered(leaf->join) == 0) /* all may continue together */
            break;
    }
    return status;
}

/* ---- all at once ---- */

static int compare_ranks(const void *a, const void *b)
{
    uint32_t x = ((const struct ork_span *)a)->first;
    uint32_t y = ((const struct ork_span *)b)->first;

    return (x > y) - (x < y);
}

static bool reserve_lockstep(struct lockstep *c, uint32_t count)
{
    if (count <= c->cap)
        return true;
    uint32_t *place = realloc(c->place, count * sizeof(*place));
    if (place != NULL)
        c->place = place;
    struct ork_span *span = realloc(c->span, count * sizeof(*span));
    if (span != NULL)
        c->span = span;
    if (place == NULL || span == NULL)
        return false;
    c->cap = count;
    return true;
}

static bool find_lockstep(struct ork_leaf *leaf)
{
    struct lockstep *c = &leaf->lockstep;

    if (c->known)
        return true;
    if (!reserve_lockstep(c, leaf->attached))
        return false;
    c->count = c->spans = 0;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        const struct local *l = &leaf->local[i];
        if (l->fd < 0 || !l->attached)
            continue;
        c->span[c->count] = (struct ork_span){.first = l->rank, .count = 1};
        c->place[c->count++] = i;
    }
    if (c->count > 0)
        qsort(c->span, c->count, sizeof(*c->span), compare_ranks);
    for (uint32_t i = 0; i < c->count; i++) {
        struct ork_span *last = c->spans > 0 ? &c->span[c->spans - 1] : NULL;
        if (last != NULL && last->first + last->count == c->span[i].first)
            last->count++;
        else
            c->span[c->spans++] = c->span[i];
    }
    return c->known = true;
}

/* NULL: none. */
static const struct ork_record *front_of(struct local *l)
{
    const struct ork_ring_view view = ork_ring_look(l->ring);

    return l->broken || !is_intact(l, view.head) ? NULL
                                                 : ork_ring_front(l->ring, &l->reader, &view);
}

/* Are all ranks at the same call as the first one? */
static bool are_at_same_call(struct ork_leaf *leaf, struct ork_record *call, struct member *at)
{
    const struct lockstep *c = &leaf->lockstep;
    const struct ork_record *front = front_of(&leaf->local[c->place[0]]);

    if (front == NULL || !ork_aggregate_takes(front))
        return false;
    *call = *front;
    for (uint32_t i = 0; i < c->count; i++) {
        struct local *l = &leaf->local[c->place[i]];
        const struct member *m = member_of(l, call->comm);
        front = front_of(l);
        if (m == NULL || front == NULL || !ork_record_is_same(front, call))
            return false;
        if (i == 0)
            *at = *m;
        else if (m->calls != at->calls || m->group != at->group)
            return false;
    }
    return ork_aggregate_takes(call); /* the rank may have changed it in the meantime */
}

enum ork_status ork_leaf_drain_lockstep(struct ork_leaf *leaf, size_t *moved)
{
    struct ork_group_record group_record;
    struct member at = {0};
    enum ork_status status = ORK_OK;
    bool gone = true;

    if (leaf->is_folding || leaf->attached == 0 || ork_aggregate_num_buffered(leaf->join) > 0 ||
        !find_lockstep(leaf))
        return ORK_OK;
    const struct lockstep *c = &leaf->lockstep;
    group_record.span = c->span;
    group_record.num_spans = c->spans;
    for (unsigned n = 0; n < ORK_RING_RECORDS && status == ORK_OK && gone; n++) {
        if (ork_up_credit(leaf->up) == 0 || !are_at_same_call(leaf, &group_record.call, &at))
            break;
        status = ork_aggregate_pass(leaf->join,
                                    &(struct ork_wave){.index = at.calls,
                                                       .group = at.group,
                                                       .group_record = &group_record,
                                                       .num_group_records = 1},
                                    c->count, &gone);
        for (uint32_t i = 0; i < c->count && gone; i++) {
            struct local *l = &leaf->local[c->place[i]];
            ork_ring_take(&l->reader);
            give_room(l);
            l->member[group_record.call.comm].calls++;
        }
        *moved += gone ? c->count : 0;
    }
    return status;
}
