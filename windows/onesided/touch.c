/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of a rank to its own memory in windows. They are complete at once: in the
 * unified memory model a store is visible to the accesses of others that come after it, and a load
 * sees the updates that are complete before it (MPI-3.1 section 11.7). A buffer of a pending
 * operation is loaded or stored until the operation is complete; one of a call that blocks, at the
 * time of its record. */
#include "windows/onesided/internal.h"

#include "bytes/ranges/sweep.h"

#include <stdlib.h>

/* The bytes of a record. False: it is invalid. */
static bool read_bytes(const struct ork_record *record, const uint32_t *list,
                       struct ork_swept *swept)
{
    struct ork_touch_list words = {0};
    const uint64_t limit = UINT64_C(1) << 48;

    _Static_assert((int)ORK_TOUCH_LOOPS == (int)ORK_SWEEP_LOOPS, "the same loops");
    if (record->count == ORK_TOUCH_WORDS)
        memcpy(&words, list, sizeof(words));
    if ((record->count != 0 && record->count != ORK_TOUCH_WORDS) || record->bytes == 0 ||
        record->bytes > limit || record->extra > limit || words.loops > ORK_TOUCH_LOOPS)
        return false;
    *swept = (struct ork_swept){.low = (int64_t)record->extra,
                                .length = (int64_t)record->bytes,
                                .loops = (uint32_t)words.loops};
    for (uint32_t i = 0; i < swept->loops; i++) {
        const struct ork_touch_loop *l = &words.loop[i];
        if (l->count < 2 || l->count > limit || l->stride == 0 || l->stride > (int64_t)limit ||
            l->stride < -(int64_t)limit)
            return false;
        swept->loop[i] = (struct ork_dim){.stride = l->stride, .count = (int64_t)l->count};
    }
    return true;
}

/* False: out of memory, or the record is invalid. */
static bool set_bytes(struct ork_onesided *o, struct access *a, const struct ork_swept *swept)
{
    struct ork_span span;
    struct ork_pattern *pattern;

    a->low = (uint64_t)swept->low;
    a->high = a->low + (uint64_t)swept->length;
    if (swept->loops == 0)
        return true;
    pattern = a->pattern = calloc(1, sizeof(*pattern));
    if (pattern == NULL) {
        o->failed = true;
        return false;
    }
    pattern->count = 1;
    if (!ork_swept_bytes(swept, &pattern->set) || pattern->set.low < 0)
        return false;
    a->low = (uint64_t)pattern->set.low;
    a->high = (uint64_t)pattern->set.high;
    if (!ork_byteset_shift(&pattern->set, -pattern->set.low) ||
        !ork_span_of_pattern(&span, pattern, (int64_t)a->low))
        return false;
    a->seen.has_gaps = span.set != NULL;
    return true;
}

static enum ork_epoch_type epoch_of(const struct lock *lock)
{
    if (lock == NULL)
        return ORK_IN_NONE;
    return lock->target == UINT32_MAX ? ORK_IN_LOCK_ALL : ORK_IN_LOCK;
}

static struct access *new_access(struct ork_onesided *o, struct window *w, uint32_t rank,
                                 const struct ork_record *record)
{
    const struct lock *lock = ork_lock_find(o, rank, w, rank);
    bool is_store = (record->mode & ORK_TOUCH_IS_STORE) != 0;
    struct access *a =
        ork_access_new(o, w, rank,
                       &(struct ork_touched){.rank = rank,
                                             .site = record->site,
                                             .touch = is_store ? ORK_TOUCH_STORE : ORK_TOUCH_LOAD,
                                             .epoch = epoch_of(lock),
                                             .is_exclusive = lock != NULL && lock->is_exclusive,
                                             .is_address = true});

    if (a == NULL)
        return NULL;
    a->partner = a->target = rank;
    a->gap = o->gap[rank];
    a->request = ORK_REQUEST_NULL;
    a->op_id = ++o->ops;
    return a;
}

static void enter(struct ork_onesided *o, struct access *a)
{
    a->seen.low = (int64_t)a->low;
    a->seen.high = (int64_t)a->high;
    ork_access_enter(o, a);
}

/* ---- loads and stores ---- */

static void make_plain(struct ork_onesided *o, struct access *a, const struct ork_swept *swept)
{
    if (!ork_access_complete(o, a))
        return;
    if (set_bytes(o, a, swept)) {
        ork_separate_touch(o, a);
        enter(o, a);
    } else if (!o->failed) {
        o->lost = "the record of a load or store is invalid";
    }
}

static void plain(struct ork_onesided *o, struct window *w, uint32_t rank,
                  const struct ork_record *record, const uint32_t *list)
{
    struct ork_swept swept;

    if (!read_bytes(record, list, &swept)) {
        o->lost = "the record of a load or store is invalid";
        return;
    }
    o->has_scattered |= record->arg != 0;
    ork_stamp_touch(o, w, rank, record->mode != ORK_TOUCH_IS_STORE);
    struct access *a = new_access(o, w, rank, record);
    if (a == NULL)
        return;
    make_plain(o, a, &swept);
    ork_access_unref(o, a);
}

/* ---- buffers of messages, collective calls and files ---- */

static bool set_buffer(struct ork_onesided *o, struct access *a, const struct ork_record *record,
                       const uint32_t *list)
{
    const uint64_t limit = UINT64_C(1) << 48;
    struct ork_span span;

    if (record->bytes == 0 || record->bytes > limit || record->extra > limit)
        return false;
    a->low = record->extra;
    a->high = a->low + record->bytes;
    if (record->count == 0)
        return true;
    a->pattern = calloc(1, sizeof(*a->pattern));
    o->failed |= a->pattern == NULL;
    a->seen.has_gaps = true;
    return !o->failed && ork_pattern_from_words(a->pattern, list, record->count) == record->count &&
           ork_span_of_pattern(&span, a->pattern, (int64_t)a->low) && span.low == (int64_t)a->low &&
           span.high == (int64_t)a->high;
}

static void buffer(struct ork_onesided *o, struct window *w, uint32_t rank,
                   const struct ork_record *record, const uint32_t *list)
{
    struct access *a = new_access(o, w, rank, record);

    if (a == NULL)
        return;
    a->is_message = true;
    a->request = record->request;
    a->seen.call = record->call;
    bool is_pending = a->request != ORK_REQUEST_NULL;
    if ((is_pending || ork_access_complete(o, a)) && set_buffer(o, a, record, list)) {
        if (!is_pending)
            ork_separate_touch(o, a);
        enter(o, a);
    } else if (!o->failed) {
        o->lost = "the record of a buffer is invalid";
    }
    ork_access_unref(o, a);
}

void ork_touch_make(struct ork_onesided *o, struct window *w, uint32_t rank,
                    const struct ork_record *record, const uint32_t *list)
{
    if ((record->mode & ORK_TOUCH_IS_BUFFER) != 0)
        buffer(o, w, rank, record, list);
    else
        plain(o, w, rank, record, list);
}
