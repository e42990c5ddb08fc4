/* SPDX-License-Identifier: BSD-3-Clause */
/* The accesses of a call: one to the memory of the target, and one to each of its buffers that is
 * itself in the memory of a window. */
#include "onesided/internal.h"

#include <stdlib.h>

/* ---- comparison with the live ones ---- */

struct visit {
    struct ork_onesided *o;
    struct access *access;
    struct access *same; /* a live one by the same call, to the same bytes, in such an epoch */
};

static bool is_same(const struct access *a, const struct access *b)
{
    const struct ork_touched *x = &a->seen, *y = &b->seen;

    return x->rank == y->rank && x->site == y->site && x->touch == y->touch && x->op == y->op &&
           x->type == y->type && x->epoch == y->epoch && a->window == b->window &&
           a->low == b->low && a->high == b->high && a->partner == b->partner &&
           a->request == ORK_REQUEST_NULL && b->request == ORK_REQUEST_NULL &&
           ork_lockset_is_same(a->locks, b->locks);
}

static bool compare(void *context, const struct ork_index_entry *entry,
                    const struct ork_common *common)
{
    struct visit *v = context;
    struct access *older = (struct access *)(uintptr_t)entry->payload;

    (void)common;
    if (is_same(older, v->access))
        v->same = older;
    ork_conflict_check(v->o, older, v->access);
    return !v->o->failed;
}

static void open(struct access *a)
{
    struct member *m = &a->window->member[a->member];

    a->refs++;
    a->next_open = m->open;
    m->open = a;
}

/* Compare it with the live ones, and make it one of them. RATIONALE: all later accesses that
 * conflict with a former one of the same call and bytes also conflict with the latest one; so a
 * loop leaves one. */
static void enter(struct ork_onesided *o, struct access *a)
{
    struct memory *m = &o->memory[a->target];
    struct ork_span span = ork_span_of_block((int64_t)a->low, (int64_t)(a->high - a->low));
    struct visit v = {.o = o, .access = a};

    ork_flags_note(o, a);
    if (ork_index_visit(&m->index, &span, 1, compare, &v) == ORK_UNDECIDED)
        o->has_overflowed = true;
    if (v.same != NULL && v.same->end == 0)
        return;
    if (v.same != NULL)
        ork_access_retire(o, v.same);
    if (!o->failed)
        ork_access_insert(o, a);
    if (!o->failed)
        open(a);
}

/* ---- the accesses of a record ---- */

/* A call that makes accesses. */
struct made {
    struct window *window;
    uint32_t rank, member, partner;
    const struct ork_record *record;
    struct ork_access_list list;
    const struct lock *lock;
    struct partner *start; /* of the epoch of MPI_Win_start */
    bool is_held;
};

static enum ork_touch touch_of(unsigned mode)
{
    return mode == ORK_ACCESS_GET   ? ORK_TOUCH_GET
           : mode == ORK_ACCESS_PUT ? ORK_TOUCH_PUT
                                    : ORK_TOUCH_ACCUMULATE;
}

static struct ork_touched seen_by(const struct made *c, enum ork_touch touch)
{
    const struct ork_record *r = c->record;

    return (struct ork_touched){.rank = c->rank,
                                .site = r->site,
                                .call = r->call,
                                .touch = touch,
                                .epoch = c->start != NULL                ? ORK_IN_START
                                         : c->lock == NULL               ? ORK_IN_FENCE
                                         : c->lock->target == UINT32_MAX ? ORK_IN_LOCK_ALL
                                                                         : ORK_IN_LOCK,
                                .is_exclusive = c->lock != NULL && c->lock->is_exclusive,
                                .op = r->mode == ORK_ACCESS_SWAP ? REDUCTION_SWAP : r->arg,
                                .type = r->arg2};
}

static struct access *new_access(struct ork_onesided *o, const struct made *c,
                                 const struct ork_touched *seen)
{
    struct access *a = calloc(1, sizeof(*a));

    if (a == NULL) {
        o->failed = true;
        return NULL;
    }
    *a = (struct access){.refs = 1,
                         .seen = *seen,
                         .window = c->window,
                         .member = c->member,
                         .partner = c->partner,
                         .op_id = o->ops,
                         .start = ork_events_take(o->events, c->rank),
                         .request = (c->record->flags & ORK_F_NONBLOCKING) != 0 ? c->record->request
                                                                                : ORK_REQUEST_NULL,
                         .locks = o->locks[c->rank]};
    a->issued = ork_events_component(o->events, a->start, c->rank);
    ork_window_ref(a->window);
    if (a->locks != NULL)
        a->locks->refs++;
    return a;
}

static void hold(struct access *a)
{
    struct member *m = &a->window->member[a->member];

    a->refs++;
    *(m->last_held != NULL ? &m->last_held->next_held : &m->first_held) = a;
    m->last_held = a;
}

/* The start of a held access comes after the post of its target. */
static void enter_after_post(struct ork_onesided *o, struct access *a,
                             const struct partner *partner)
{
    if (partner->has_posted && !ork_events_merge(&a->start, partner->posted))
        o->failed = true;
    else
        enter(o, a);
}

static void enter_or_hold(struct ork_onesided *o, const struct made *c, struct access *a)
{
    if (c->is_held)
        hold(a);
    else if (c->start != NULL)
        enter_after_post(o, a, c->start);
    else
        enter(o, a);
    ork_access_unref(o, a);
}

/* The access to the memory of the target. `low`: address there. */
static void touch_target(struct ork_onesided *o, const struct made *c,
                         const struct ork_touched *seen, uint64_t low)
{
    struct access *a = new_access(o, c, seen);

    if (a == NULL)
        return;
    a->target = c->partner;
    a->low = low;
    a->high = low + c->list.target_size;
    a->is_read_back = ork_access_reads(a);
    a->fetches = c->record->mode == ORK_ACCESS_FETCH || c->record->mode == ORK_ACCESS_SWAP;
    enter_or_hold(o, c, a);
}

/* A buffer of the rank itself. */
static void touch_own(struct ork_onesided *o, const struct made *c, enum ork_touch touch,
                      uint64_t low, uint64_t size)
{
    const struct memory *m = &o->memory[c->rank];
    uint64_t limit = (uint64_t)ORK_OFFSET_LIMIT / 2;

    if (size == 0 || low >= limit || size >= limit ||
        !ork_window_contains(m, c->rank, low, low + size))
        return;
    struct ork_touched seen = seen_by(c, touch);
    seen.is_address = true;
    seen.low = (int64_t)low;
    seen.high = (int64_t)(low + size);
    struct access *a = new_access(o, c, &seen);
    if (a == NULL)
        return;
    a->target = c->rank;
    a->low = low;
    a->high = low + size;
    enter_or_hold(o, c, a);
}

static void touch_buffers(struct ork_onesided *o, const struct made *c)
{
    const struct ork_access_list *l = &c->list;
    bool writes_origin = c->record->mode == ORK_ACCESS_GET;

    if ((l->sparse & ORK_SPARSE_ORIGIN) == 0)
        touch_own(o, c, writes_origin ? ORK_TOUCH_WRITE : ORK_TOUCH_READ, l->origin,
                  l->origin_size);
    if ((l->sparse & ORK_SPARSE_RESULT) == 0)
        touch_own(o, c, ORK_TOUCH_WRITE, l->result, l->result_size);
}

/* Where the bytes are at the target: seen->low and high. False: outside of the window. */
static bool locate(const struct made *c, const struct place *p, struct ork_touched *seen)
{
    int64_t low, size = (int64_t)c->list.target_size;

    if (c->list.target_size >= (uint64_t)ORK_OFFSET_LIMIT)
        return false;
    seen->is_address = p->is_dynamic;
    if (__builtin_mul_overflow((int64_t)c->record->extra, p->is_dynamic ? 1 : (int64_t)p->unit,
                               &low) ||
        __builtin_add_overflow(low, c->list.offset, &low) ||
        __builtin_add_overflow(low, size, &seen->high))
        return false;
    seen->low = low;
    return p->is_dynamic || (low >= 0 && (uint64_t)seen->high <= p->size);
}

static void make(struct ork_onesided *o, const struct made *c, const struct place *p)
{
    struct ork_touched seen = seen_by(c, touch_of(c->record->mode));
    bool is_inside = locate(c, p, &seen);

    bool is_failed = (c->record->flags & ORK_F_ERROR) != 0;

    o->ops++;
    if (!is_failed)
        touch_buffers(o, c);
    if (c->list.target_size == 0)
        return;
    if (!is_inside)
        ork_conflict_outside(o, &(struct ork_outside){.access = seen,
                                                      .target = c->partner,
                                                      .window = c->window->member[c->member].number,
                                                      .size = p->size,
                                                      .is_failed = is_failed});
    if (!is_inside || is_failed)
        return;
    uint64_t low = (p->is_dynamic ? 0 : p->base) + (uint64_t)seen.low;
    bool is_comparable = (c->list.sparse & ORK_SPARSE_TARGET) == 0 &&
                         low < (uint64_t)ORK_OFFSET_LIMIT / 2 &&
                         c->list.target_size < (uint64_t)ORK_OFFSET_LIMIT / 2;
    if (is_comparable)
        touch_target(o, c, &seen, low);
}

bool ork_access_make(struct ork_onesided *o, struct window *w, uint32_t rank,
                     const struct ork_record *record, const uint32_t *list)
{
    uint32_t target = (uint32_t)record->peer;
    struct made c = {.window = w, .rank = rank, .record = record};

    if (record->peer < 0 || target >= w->comm->group->size || record->mode >= ORK_ACCESS_MAX ||
        record->count != ORK_ACCESS_WORDS) {
        o->lost = "the record of an access is invalid";
        return true;
    }
    c.member = ork_window_member(w, rank);
    c.partner = ork_comms_rank_of(w->comm, target);
    if (!w->place[target].is_known) {
        w->member[c.member].waits = true;
        return ork_events_is_silent(o->events, c.partner);
    }
    memcpy(&c.list, list, sizeof(c.list));
    c.lock = ork_lock_find(o, rank, w, c.partner);
    c.start = ork_group_target(o, w, rank, c.partner);
    c.is_held = c.start != NULL && !c.start->has_posted;
    if (c.start != NULL)
        c.start->is_accessed = true;
    make(o, &c, &w->place[target]);
    return true;
}

void ork_access_release_held(struct ork_onesided *o, struct window *w, uint32_t member)
{
    struct member *m = &w->member[member];
    uint32_t rank = ork_comms_rank_of(w->comm, member);

    m->last_held = NULL;
    while (m->first_held != NULL && !o->failed) {
        struct access *a = m->first_held;
        const struct partner *t = ork_group_target(o, w, rank, a->partner);
        m->first_held = a->next_held;
        if (t != NULL)
            enter_after_post(o, a, t);
        ork_access_unref(o, a);
    }
}
