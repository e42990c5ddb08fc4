/* SPDX-License-Identifier: BSD-3-Clause */
/* The accesses of a call: one to the memory of the target, and one to each of its buffers that is
 * itself in the memory of a window. */
#include "windows/onesided/internal.h"

#include <stdlib.h>

/* ---- comparison with the live ones ---- */

struct visit {
    struct ork_onesided *o;
    struct access *access;
    struct access *same; /* a live one by the same call, to the same bytes, in such an epoch */
};

static bool has_same_gaps(const struct access *a, const struct access *b)
{
    if (a->pattern == NULL || b->pattern == NULL)
        return a->pattern == b->pattern;
    return ork_patterns_are_equal(a->pattern, b->pattern);
}

static bool is_same(const struct access *a, const struct access *b)
{
    const struct ork_touched *x = &a->seen, *y = &b->seen;

    return x->rank == y->rank && x->site == y->site && x->touch == y->touch && x->op == y->op &&
           x->type == y->type && x->is_choice == y->is_choice && x->epoch == y->epoch &&
           a->window == b->window && a->low == b->low && a->high == b->high &&
           has_same_gaps(a, b) && a->partner == b->partner &&
           ork_lockset_is_same(a->locks, b->locks);
}

/* RATIONALE: accesses with requests may be complete at different times. */
static bool may_replace(const struct access *older, const struct access *newer)
{
    if (older->request == ORK_REQUEST_NULL && newer->request == ORK_REQUEST_NULL)
        return true;
    return older->end != 0 && !older->is_message && !newer->is_message;
}

/* RATIONALE: of a call site, the last load is enough. */
static void note_load(struct access *store, const struct access *load)
{
    uint32_t i = 0;

    while (i < store->looks && store->look[i].site != load->seen.site)
        i++;
    if (i == LOOKS_MOST) {
        store->other_looks = load->end > store->other_looks ? load->end : store->other_looks;
        return;
    }
    struct look_before *l = &store->look[i];
    if (i == store->looks) {
        store->looks++;
        *l = (struct look_before){.site = load->seen.site};
    }
    l->is_element |= ork_access_is_element(load);
    l->end = load->end > l->end ? load->end : l->end;
}

/* A load and a store of a rank to the same bytes: did it load before? RATIONALE: between two calls,
 * the records of loads and stores come in any order. */
static void note_look(struct access *older, struct access *newer)
{
    struct access *store = ork_access_reads(older) ? newer : older;
    const struct access *load = store == newer ? older : newer;
    bool is_pair = ork_access_is_plain(older) && ork_access_is_plain(newer) &&
                   older->seen.rank == newer->seen.rank && !older->is_message &&
                   !newer->is_message && ork_access_reads(load) && !ork_access_reads(store);

    if (!is_pair || (load == newer && load->gap != store->gap) ||
        (store->is_separate && !ork_access_overlaps(load, store)))
        return;
    note_load(store, load);
}

static bool compare(void *context, const struct ork_index_entry *entry,
                    const struct ork_common *common)
{
    struct visit *v = context;
    struct access *older = (struct access *)(uintptr_t)entry->payload;

    (void)common;
    if (may_replace(older, v->access) && is_same(older, v->access))
        v->same = older;
    note_look(older, v->access);
    ork_conflict_check(v->o, older, v->access);
    return !v->o->failed;
}

bool ork_access_ends_at_origin(const struct access *a)
{
    return a->is_read_back || a->seen.touch == ORK_TOUCH_READ || a->seen.touch == ORK_TOUCH_WRITE;
}

/* A pending buffer is only found by its request. */
static void open(struct ork_onesided *o, struct access *a)
{
    struct member *m = &a->window->member[a->member];
    enum open_kind kind = ork_access_ends_at_origin(a) ? OPEN_AT_ORIGIN : OPEN_AT_TARGET;
    bool good = a->is_message || ork_open_add(&m->open, a->window->comm->group->size,
                                              a->partner_member, kind, &a->item);

    if (good && a->request < ORK_REQUEST_SHARED)
        good = ork_open_name(&o->requests[a->seen.rank], a->request, &a->item);
    o->failed |= !good;
    a->refs += a->item.link != NULL || a->item.is_named;
}

/* RATIONALE: all later accesses that conflict with a former one of the same call and bytes also
 * conflict with the latest one; so a loop leaves one. */
void ork_access_enter(struct ork_onesided *o, struct access *a)
{
    struct memory *m = &o->memory[a->target];
    struct ork_span span = ork_access_index_span(o, a);
    struct visit v = {.o = o, .access = a};

    /* until now, every candidate is a conflict, if all know that its accesses are complete */
    if (o->candidates > 0 && ork_access_is_passive(a) && !ork_spin_waits_are_noted(o) &&
        !o->has_separate)
        ork_retire_all(o);
    ork_spin_waits_note(o, a);
    if (ork_index_visit(&m->index, &span, 1, compare, &v) == ORK_UNDECIDED)
        o->has_overflowed = true;
    ORK_ASSERT(v.same == NULL || (v.same->is_live && v.same->target == a->target));
    if (v.same != NULL && v.same->end == 0)
        return;
    if (o->failed)
        return;
    if (v.same != NULL)
        ork_access_replace(o, v.same, a);
    else
        ork_access_insert(o, a);
    if (!o->failed && a->end == 0)
        open(o, a);
}

bool ork_access_complete(struct ork_onesided *o, struct access *a)
{
    a->seen.is_over = true;
    a->end = ork_events_tick(o->events, a->seen.rank);
    o->failed |= a->end == 0;
    return a->end != 0;
}

/* ---- the accesses of a record ---- */

/* A call that makes accesses. */
struct made {
    struct window *window;
    uint32_t rank, member, partner;
    const struct ork_record *record;
    struct ork_access_list list;
    struct ork_pattern *pattern[ORK_SIDES]; /* NULL: no gaps, or unknown */
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
                                .is_choice =
                                    touch == ORK_TOUCH_ACCUMULATE && (r->flags & ORK_F_CHOICE) != 0,
                                .op = r->mode == ORK_ACCESS_SWAP ? REDUCTION_SWAP : r->arg,
                                .type = r->arg2};
}

struct access *ork_access_new(struct ork_onesided *o, struct window *w, uint32_t rank,
                              const struct ork_touched *seen)
{
    struct access *a = malloc(sizeof(*a)); /* calloc would set it twice */

    if (a == NULL) {
        o->failed = true;
        return NULL;
    }
    *a = (struct access){.refs = 1,
                         .seen = *seen,
                         .window = w,
                         .member = ork_window_member(w, rank),
                         .start = ork_events_take(o->events, rank),
                         .locks = o->locks[rank]};
    a->issued = ork_events_component(o->events, a->start, rank);
    ork_window_ref(a->window);
    if (a->locks != NULL)
        a->locks->refs++;
    return a;
}

static struct access *new_access(struct ork_onesided *o, const struct made *c,
                                 const struct ork_touched *seen)
{
    struct access *a = ork_access_new(o, c->window, c->rank, seen);

    if (a == NULL)
        return NULL;
    a->partner = c->partner;
    a->partner_member = (uint32_t)c->record->peer;
    a->op_id = o->ops;
    bool is_named =
        (c->record->flags & ORK_F_NONBLOCKING) != 0 && c->record->request < ORK_REQUEST_SHARED;
    a->request = is_named ? c->record->request : ORK_REQUEST_NULL;
    return a;
}

static void hold(struct ork_onesided *o, struct access *a)
{
    struct member *m = &a->window->member[a->member];

    ORK_ASSERT(a->next_held == NULL && (m->first_held == NULL) == (m->last_held == NULL));
    a->refs++;
    o->held++;
    *(m->last_held != NULL ? &m->last_held->next_held : &m->first_held) = a;
    m->last_held = a;
}

/* The start of a held access comes after the post of its target. */
static void enter_after_post(struct ork_onesided *o, struct access *a,
                             const struct partner *partner)
{
    if (partner->has_posted && !ork_events_merge(&a->start, partner->posted.stamp))
        o->failed = true;
    else
        ork_access_enter(o, a);
}

/* RATIONALE: a library that gives operations with requests one handle has completed them at once,
 * and which of them a wait for that handle is about cannot be told. */
static bool is_complete_at_once(const struct made *c, const struct access *a)
{
    return (c->record->flags & ORK_F_NONBLOCKING) != 0 &&
           c->record->request >= ORK_REQUEST_SHARED && ork_access_ends_at_origin(a);
}

static void enter_or_hold(struct ork_onesided *o, const struct made *c, struct access *a)
{
    bool is_good = !is_complete_at_once(c, a) || ork_access_complete(o, a);

    if (!is_good) {
        ork_access_unref(o, a);
        return;
    }
    if (c->is_held)
        hold(o, a);
    else if (c->start != NULL)
        enter_after_post(o, a, c->start);
    else
        ork_access_enter(o, a);
    ork_access_unref(o, a);
}

/* Are these bytes known, and addresses that can be? */
static bool is_known(const struct made *c, enum ork_access_side side, uint64_t low, uint64_t size)
{
    const struct ork_pattern *pattern = c->pattern[side];
    uint64_t limit = (uint64_t)ORK_OFFSET_LIMIT / 2;
    struct ork_span span;

    if ((c->list.gaps & (uint64_t)ORK_HAS_UNKNOWN_GAPS << side) != 0 || size == 0 || low >= limit ||
        size >= limit)
        return false;
    return pattern == NULL || (ork_span_of_pattern(&span, pattern, (int64_t)low) &&
                               span.low == (int64_t)low && span.high == (int64_t)(low + size));
}

static void place(struct access *a, struct made *c, enum ork_access_side side, uint64_t low,
                  uint64_t size)
{
    a->low = low;
    a->high = low + size;
    a->pattern = c->pattern[side];
    a->seen.has_gaps = a->pattern != NULL;
    c->pattern[side] = NULL;
}

/* The access to the memory of the target. `low`: address there. */
static void touch_target(struct ork_onesided *o, struct made *c, const struct ork_touched *seen,
                         uint64_t low)
{
    struct access *a;

    if (!is_known(c, ORK_SIDE_TARGET, low, c->list.target_size))
        return;
    a = new_access(o, c, seen);
    if (a == NULL)
        return;
    a->target = c->partner;
    place(a, c, ORK_SIDE_TARGET, low, c->list.target_size);
    a->is_read_back = ork_access_reads(a);
    a->fetches = c->record->mode == ORK_ACCESS_FETCH || c->record->mode == ORK_ACCESS_SWAP;
    enter_or_hold(o, c, a);
}

/* A buffer of the rank itself. */
static void touch_own(struct ork_onesided *o, struct made *c, enum ork_touch touch,
                      enum ork_access_side side, uint64_t low, uint64_t size)
{
    const struct memory *m = &o->memory[c->rank];

    if (!is_known(c, side, low, size) || !ork_window_contains(m, c->rank, low, low + size))
        return;
    struct ork_touched seen = seen_by(c, touch);
    seen.is_address = true;
    seen.low = (int64_t)low;
    seen.high = (int64_t)(low + size);
    struct access *a = new_access(o, c, &seen);
    if (a == NULL)
        return;
    a->target = c->rank;
    place(a, c, side, low, size);
    enter_or_hold(o, c, a);
}

static void touch_buffers(struct ork_onesided *o, struct made *c)
{
    const struct ork_access_list *l = &c->list;
    bool writes_origin = c->record->mode == ORK_ACCESS_GET;

    touch_own(o, c, writes_origin ? ORK_TOUCH_WRITE : ORK_TOUCH_READ, ORK_SIDE_ORIGIN, l->origin,
              l->origin_size);
    touch_own(o, c, ORK_TOUCH_WRITE, ORK_SIDE_RESULT, l->result, l->result_size);
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

/* Is the memory attached to the dynamic window? */
static void look_at_region(struct ork_onesided *o, const struct made *c,
                           const struct ork_touched *seen, bool is_failed)
{
    struct ork_outside outside = {.access = *seen,
                                  .target = c->partner,
                                  .window = c->window->member[c->member].number,
                                  .is_dynamic = true,
                                  .is_failed = is_failed};

    if ((c->list.gaps & (uint64_t)ORK_HAS_UNKNOWN_GAPS << ORK_SIDE_TARGET) != 0 || seen->low < 0)
        return;
    outside.access.has_gaps = c->pattern[ORK_SIDE_TARGET] != NULL;
    struct ork_stamp start = ork_events_take(o->events, c->rank);
    ork_region_look(o, c->window, (uint32_t)c->record->peer, &outside, start);
    ork_events_release(start);
}

static void make(struct ork_onesided *o, struct made *c, const struct place *p)
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
    if (is_inside && p->is_dynamic && p->has_regions)
        look_at_region(o, c, &seen, is_failed);
    if (!is_inside || is_failed)
        return;
    uint64_t low = (p->is_dynamic ? 0 : p->base) + (uint64_t)seen.low;
    touch_target(o, c, &seen, low);
}

/* Read the patterns after the list. False: they are invalid, or memory is short. */
static bool read_patterns(struct ork_onesided *o, struct made *c, const uint32_t *word,
                          uint32_t words)
{
    for (unsigned i = 0; i < ORK_SIDES; i++) {
        if ((c->list.gaps & (uint64_t)ORK_HAS_PATTERN << i) == 0)
            continue;
        c->pattern[i] = calloc(1, sizeof(*c->pattern[i]));
        o->failed |= c->pattern[i] == NULL;
        uint32_t n = o->failed ? 0 : ork_pattern_from_words(c->pattern[i], word, words);
        if (n == 0)
            return false;
        word += n;
        words -= n;
    }
    return words == 0;
}

static void read_and_make(struct ork_onesided *o, struct made *c, const struct place *p,
                          const uint32_t *list)
{
    memcpy(&c->list, list, sizeof(c->list));
    if (read_patterns(o, c, list + ORK_ACCESS_WORDS, c->record->count - ORK_ACCESS_WORDS))
        make(o, c, p);
    else
        o->lost = "the record of an access is invalid";
    for (unsigned i = 0; i < ORK_SIDES; i++)
        ork_pattern_free(c->pattern[i]);
}

bool ork_access_make(struct ork_onesided *o, struct window *w, uint32_t rank,
                     const struct ork_record *record, const uint32_t *list)
{
    uint32_t target = (uint32_t)record->peer;
    struct made c = {.window = w, .rank = rank, .record = record};

    if (record->peer < 0 || target >= w->comm->group->size || record->mode >= ORK_ACCESS_MAX ||
        record->count < ORK_ACCESS_WORDS) {
        o->lost = "the record of an access is invalid";
        return true;
    }
    c.member = ork_window_member(w, rank);
    c.partner = ork_comms_rank_of(w->comm, target);
    if (!w->place[target].is_known) {
        w->member[c.member].waits = true;
        return ork_events_is_silent(o->events, c.partner);
    }
    c.lock = ork_lock_find(o, rank, w, c.partner);
    c.start = ork_group_target(o, w, rank, c.partner);
    c.is_held = c.start != NULL && !c.start->has_posted;
    if (c.start != NULL)
        c.start->is_accessed = true;
    read_and_make(o, &c, &w->place[target], list);
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
        ORK_ASSERT(o->held > 0);
        o->held--;
        if (t != NULL)
            enter_after_post(o, a, t);
        ork_access_unref(o, a);
    }
}
