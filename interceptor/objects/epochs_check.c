/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/epochs_internal.h"

static bool is_own_locked(const struct ork_epochs *e)
{
    return ork_epochs_is_open(e, ORK_EPOCH_LOCK_ALL) || ork_epochs_is_locked(e, (int)e->rank);
}

static struct ork_epoch_place place_of_entry(const struct ork_entry *entry)
{
    return (struct ork_epoch_place){.site = entry->id, .call = (uint16_t)entry->flags};
}

/* The call that locked this target, or any one that is locked. */
static struct ork_epoch_place lock_place(const struct ork_epochs *e, uint64_t key)
{
    const struct ork_entry *found = ork_map_find(&e->locked, key);

    for (uint32_t i = 0; found == NULL && i <= e->locked.mask; i++) {
        if (e->locked.slot[i].key != 0)
            found = &e->locked.slot[i];
    }
    return found != NULL ? place_of_entry(found) : (struct ork_epoch_place){0};
}

/* The call that opened one of these epochs. */
static struct ork_epoch_place place_of(const struct ork_epochs *e, unsigned kinds)
{
    kinds &= e->open;
    if ((kinds & ORK_EPOCH_LOCK_ALL) != 0)
        return e->lock_all;
    if ((kinds & ORK_EPOCH_LOCK) != 0)
        return lock_place(e, 0);
    if ((kinds & ORK_EPOCH_START) != 0)
        return e->start;
    if ((kinds & ORK_EPOCH_POST) != 0)
        return e->post;
    return kinds != 0 ? e->fence : (struct ork_epoch_place){0};
}

/* ---- checks ---- */

/* What is wrong, and the epochs that it depends on. */
struct answer {
    enum ork_epoch_misuse misuse;
    unsigned kinds;
    struct ork_epoch_place other;
};

static const struct answer right = {.misuse = ORK_EPOCH_RIGHT};

static struct answer wrong(const struct ork_epochs *e, enum ork_epoch_misuse misuse, unsigned kinds)
{
    return (struct answer){.misuse = misuse, .kinds = kinds, .other = place_of(e, kinds)};
}

/* An access epoch of one of the kinds `others` excludes a new one. */
static struct answer check_opened(const struct ork_epochs *e, unsigned kind, unsigned others)
{
    struct answer answer = right;

    if (ork_epochs_is_open(e, others)) {
        answer = wrong(e, ORK_EPOCH_ACCESS_IS_OPEN, e->open & others);
        answer.kinds |= kind;
    }
    return answer;
}

static struct answer check_fence(const struct ork_epochs *e, const struct ork_epoch_event *event)
{
    struct answer answer = right;

    if (ork_epochs_is_open(e, ORK_EPOCHS_CALLED) && !(event->no_precede && event->no_succeed)) {
        answer = wrong(e, ORK_EPOCH_FENCE_INSIDE, e->open & ORK_EPOCHS_CALLED);
    } else if (ork_epochs_is_open(e, ORK_EPOCH_FENCE) && event->no_precede) {
        answer = wrong(e, ORK_EPOCH_DOES_PRECEDE, 0);
        answer.other = e->access;
    } else if (e->nested == ORK_EPOCH_NESTED_USED && !event->no_precede) {
        answer = wrong(e, ORK_EPOCH_LOCK_INSIDE, 0);
        answer.other = e->inside;
    }
    return answer;
}

static struct answer check_post(const struct ork_epochs *e)
{
    struct answer answer = right;

    if (ork_epochs_is_open(e, ORK_EPOCH_POST))
        return wrong(e, ORK_EPOCH_EXPOSURE_IS_OPEN, ORK_EPOCH_POST);
    if (is_own_locked(e)) {
        answer = wrong(e, ORK_EPOCH_EXPOSES_LOCKED, e->open & ORK_EPOCHS_PASSIVE);
        if (!ork_epochs_is_open(e, ORK_EPOCH_LOCK_ALL))
            answer.other = lock_place(e, ork_epochs_key((int)e->rank));
    }
    return answer;
}

static struct answer check_lock(const struct ork_epochs *e, const struct ork_epoch_event *event)
{
    struct answer answer;

    if (ork_epochs_is_locked(e, event->target)) {
        answer = wrong(e, ORK_EPOCH_IS_LOCKED, ORK_EPOCH_LOCK);
        answer.other = lock_place(e, ork_epochs_key(event->target));
        return answer;
    }
    answer =
        check_opened(e, ORK_EPOCH_LOCK, ORK_EPOCH_FENCE | ORK_EPOCH_START | ORK_EPOCH_LOCK_ALL);
    if (answer.misuse == ORK_EPOCH_RIGHT && ork_epochs_is_open(e, ORK_EPOCH_POST) &&
        (uint32_t)event->target == e->rank)
        answer = wrong(e, ORK_EPOCH_IS_EXPOSED, ORK_EPOCH_POST);
    return answer;
}

static struct answer check_lock_all(const struct ork_epochs *e)
{
    struct answer answer = check_opened(e, ORK_EPOCH_LOCK_ALL, ORK_EPOCH_FENCE | ORK_EPOCHS_CALLED);

    if (answer.misuse == ORK_EPOCH_RIGHT && ork_epochs_is_open(e, ORK_EPOCH_POST))
        answer = wrong(e, ORK_EPOCH_IS_EXPOSED, ORK_EPOCH_POST);
    return answer;
}

static struct answer check_closed(const struct ork_epochs *e, unsigned kind,
                                  enum ork_epoch_misuse misuse)
{
    return ork_epochs_is_open(e, kind) ? right : (struct answer){.misuse = misuse, .kinds = kind};
}

static struct answer check_unlock(const struct ork_epochs *e, const struct ork_epoch_event *event)
{
    if (ork_epochs_is_locked(e, event->target))
        return right;
    return (struct answer){.misuse = ORK_EPOCH_NOT_LOCKED, .kinds = ORK_EPOCH_LOCK};
}

static struct answer check_access(const struct ork_epochs *e, const struct ork_epoch_event *event)
{
    bool has_request = event->kind == ORK_EPOCH_DO_REQUEST_ACCESS;
    unsigned active =
        ork_epochs_is_open(e, ORK_EPOCH_START) ? ORK_EPOCH_START : ORK_EPOCHS_BY_FENCE;

    if (ork_epochs_is_open(e, ORK_EPOCH_LOCK_ALL) || ork_epochs_is_locked(e, event->target))
        return right;
    if (ork_epochs_is_open(e, ORK_EPOCH_LOCK) ||
        (active == ORK_EPOCH_START && !ork_epochs_is_member(e, event->target)))
        return wrong(e, ORK_EPOCH_NOT_ADMITTED, e->open & (ORK_EPOCH_LOCK | ORK_EPOCH_START));
    if (!ork_epochs_is_open(e, active))
        return wrong(e, ORK_EPOCH_NONE, 0);
    return has_request ? wrong(e, ORK_EPOCH_NOT_PASSIVE, active) : right;
}

static struct answer check_flush(const struct ork_epochs *e, const struct ork_epoch_event *event)
{
    bool is_all = event->kind == ORK_EPOCH_DO_FLUSH_ALL;

    if (!ork_epochs_is_open(e, ORK_EPOCHS_PASSIVE))
        return wrong(e, ORK_EPOCH_NO_FLUSH, 0);
    if (is_all || ork_epochs_is_open(e, ORK_EPOCH_LOCK_ALL) ||
        ork_epochs_is_locked(e, event->target))
        return right;
    return wrong(e, ORK_EPOCH_NO_TARGET_FLUSH, ORK_EPOCH_LOCK);
}

static struct answer check_free(const struct ork_epochs *e)
{
    unsigned kinds =
        e->open & ~(unsigned)e->doubtful & (ORK_EPOCHS_CALLED | ORK_EPOCH_POST | ORK_EPOCH_FENCE);

    return kinds != 0 ? wrong(e, ORK_EPOCH_NOT_ENDED, kinds) : right;
}

static struct answer check(const struct ork_epochs *e, const struct ork_epoch_event *event)
{
    switch (event->kind) {
    case ORK_EPOCH_DO_FENCE:
        return check_fence(e, event);
    case ORK_EPOCH_DO_START:
        return check_opened(e, ORK_EPOCH_START, ORK_EPOCH_FENCE | ORK_EPOCHS_CALLED);
    case ORK_EPOCH_DO_COMPLETE:
        return check_closed(e, ORK_EPOCH_START, ORK_EPOCH_NOT_STARTED);
    case ORK_EPOCH_DO_POST:
        return check_post(e);
    case ORK_EPOCH_DO_WAIT:
        return check_closed(e, ORK_EPOCH_POST, ORK_EPOCH_NOT_POSTED);
    case ORK_EPOCH_DO_LOCK:
        return check_lock(e, event);
    case ORK_EPOCH_DO_UNLOCK:
        return check_unlock(e, event);
    case ORK_EPOCH_DO_LOCK_ALL:
        return check_lock_all(e);
    case ORK_EPOCH_DO_UNLOCK_ALL:
        return check_closed(e, ORK_EPOCH_LOCK_ALL, ORK_EPOCH_NOT_ALL_LOCKED);
    case ORK_EPOCH_DO_ACCESS:
    case ORK_EPOCH_DO_REQUEST_ACCESS:
        return check_access(e, event);
    case ORK_EPOCH_DO_FLUSH:
    case ORK_EPOCH_DO_FLUSH_ALL:
        return check_flush(e, event);
    case ORK_EPOCH_DO_SYNC:
        return ork_epochs_is_open(e, ORK_EPOCHS_PASSIVE) ? right : wrong(e, ORK_EPOCH_NO_SYNC, 0);
    case ORK_EPOCH_DO_FREE:
        break;
    }
    return check_free(e);
}

/* Accesses, flushes and the like may be in any epoch. */
static bool is_doubtful(const struct ork_epochs *e, const struct ork_epoch_event *event,
                        const struct answer *answer)
{
    bool is_inside = event->kind >= ORK_EPOCH_DO_ACCESS && event->kind <= ORK_EPOCH_DO_SYNC;

    return (e->doubtful & (is_inside ? ORK_EPOCHS_CALLED : answer->kinds)) != 0;
}

enum ork_epoch_misuse ork_epochs_check(const struct ork_epochs *e,
                                       const struct ork_epoch_event *event,
                                       struct ork_epoch_place *other)
{
    struct answer answer = check(e, event);

    if (answer.misuse == ORK_EPOCH_RIGHT || is_doubtful(e, event, &answer))
        return ORK_EPOCH_RIGHT;
    *other = answer.other;
    return answer.misuse;
}

/* RATIONALE: the program may treat a call that opened an epoch twice as the second one, or as none;
 * and a fence inside an epoch as its end. A call that ends what is not open changes nothing. */
unsigned ork_epochs_doubts(const struct ork_epochs *e, const struct ork_epoch_event *event)
{
    struct answer answer = check(e, event);

    if (answer.misuse != ORK_EPOCH_ACCESS_IS_OPEN && answer.misuse != ORK_EPOCH_EXPOSURE_IS_OPEN &&
        answer.misuse != ORK_EPOCH_IS_LOCKED && answer.misuse != ORK_EPOCH_FENCE_INSIDE)
        return 0;
    return is_doubtful(e, event, &answer) ? 0 : answer.kinds;
}
