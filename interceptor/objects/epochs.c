/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/epochs_internal.h"

#include "common/vec.h"

static bool set_members(struct ork_epochs *e, const struct ork_epoch_event *event)
{
    e->num_members = 0;
    if (event->num_members == 0)
        return true;
    if (!ork_vec_reserve(&e->member, &e->member_room, event->num_members, sizeof(*e->member)))
        return false;
    for (uint32_t i = 0; i < event->num_members; i++) {
        if (event->member[i] >= 0)
            e->member[e->num_members++] = (uint32_t)event->member[i];
    }
    qsort(e->member, e->num_members, sizeof(*e->member), ork_epochs_compare);
    return true;
}

/* An epoch of a lock begins. */
static void note_nesting(struct ork_epochs *e)
{
    bool may_nest =
        ork_epochs_is_open(e, ORK_EPOCH_POSSIBLE) && !ork_epochs_is_open(e, ORK_EPOCH_FENCE);

    if (may_nest && e->nested == ORK_EPOCH_NOT_NESTED)
        e->nested = ORK_EPOCH_NESTED;
}

/* An access to the target. */
static void note_use(struct ork_epochs *e, int target)
{
    const struct ork_entry *entry = ork_map_find(&e->locked, ork_epochs_key(target));

    if (entry != NULL) {
        e->inside = (struct ork_epoch_place){.site = entry->id, .call = (uint16_t)entry->flags};
        e->admitted = (uint32_t)ork_epochs_key(target);
    } else if (ork_epochs_is_open(e, ORK_EPOCH_LOCK_ALL)) {
        e->inside = e->lock_all;
    } else {
        return;
    }
    e->nested = ORK_EPOCH_NESTED_USED;
}

static bool lock(struct ork_epochs *e, const struct ork_epoch_event *event)
{
    uint64_t key = ork_epochs_key(event->target);
    struct ork_entry *entry = ork_map_find(&e->locked, key);

    if (entry == NULL) {
        entry = ork_map_insert(&e->locked, key);
        if (entry == NULL)
            return false;
        e->num_locked++;
    }
    entry->id = event->place.site;
    entry->flags = event->place.call;
    e->open |= ORK_EPOCH_LOCK;
    note_nesting(e);
    e->admitted = e->nested == ORK_EPOCH_NESTED ? 0 : (uint32_t)key;
    return true;
}

static void end(struct ork_epochs *e, unsigned kind)
{
    e->open &= (uint8_t)~kind;
    if (e->nested == ORK_EPOCH_NESTED && !ork_epochs_is_open(e, ORK_EPOCHS_PASSIVE))
        e->nested = ORK_EPOCH_NOT_NESTED;
}

static void unlock(struct ork_epochs *e, int target)
{
    struct ork_entry *entry = ork_map_find(&e->locked, ork_epochs_key(target));

    if (entry == NULL)
        return;
    ork_map_remove(&e->locked, entry);
    e->admitted = 0;
    if (--e->num_locked == 0)
        end(e, ORK_EPOCH_LOCK);
}

static void begin(struct ork_epochs *e, unsigned kind, struct ork_epoch_place *opened,
                  const struct ork_epoch_event *event)
{
    e->open |= (uint8_t)kind;
    *opened = event->place;
}

static void apply_fence(struct ork_epochs *e, const struct ork_epoch_event *event)
{
    end(e, ORK_EPOCHS_BY_FENCE);
    e->nested = ORK_EPOCH_NOT_NESTED;
    if (!event->no_succeed)
        begin(e, ORK_EPOCH_POSSIBLE, &e->fence, event);
}

static void apply_access(struct ork_epochs *e, const struct ork_epoch_event *event)
{
    if (!ork_epochs_is_open(e, ORK_EPOCHS_CALLED | ORK_EPOCH_FENCE) &&
        ork_epochs_is_open(e, ORK_EPOCH_POSSIBLE))
        begin(e, ORK_EPOCH_FENCE, &e->access, event);
    if (e->nested == ORK_EPOCH_NESTED)
        note_use(e, event->target);
}

/* The epoch that an event opens. */
static const uint8_t opens[] = {
    [ORK_EPOCH_DO_START] = ORK_EPOCH_START,
    [ORK_EPOCH_DO_POST] = ORK_EPOCH_POST,
    [ORK_EPOCH_DO_LOCK] = ORK_EPOCH_LOCK,
    [ORK_EPOCH_DO_LOCK_ALL] = ORK_EPOCH_LOCK_ALL,
    [ORK_EPOCH_DO_FREE] = 0,
};

static bool change(struct ork_epochs *e, const struct ork_epoch_event *event)
{
    switch (event->kind) {
    case ORK_EPOCH_DO_FENCE:
        apply_fence(e, event);
        break;
    case ORK_EPOCH_DO_START:
        begin(e, ORK_EPOCH_START, &e->start, event);
        return set_members(e, event);
    case ORK_EPOCH_DO_COMPLETE:
        end(e, ORK_EPOCH_START);
        break;
    case ORK_EPOCH_DO_POST:
        begin(e, ORK_EPOCH_POST, &e->post, event);
        break;
    case ORK_EPOCH_DO_WAIT:
        end(e, ORK_EPOCH_POST);
        break;
    case ORK_EPOCH_DO_LOCK:
        return lock(e, event);
    case ORK_EPOCH_DO_UNLOCK:
        unlock(e, event->target);
        break;
    case ORK_EPOCH_DO_LOCK_ALL:
        begin(e, ORK_EPOCH_LOCK_ALL, &e->lock_all, event);
        note_nesting(e);
        break;
    case ORK_EPOCH_DO_UNLOCK_ALL:
        end(e, ORK_EPOCH_LOCK_ALL);
        break;
    case ORK_EPOCH_DO_ACCESS:
    case ORK_EPOCH_DO_REQUEST_ACCESS:
        apply_access(e, event);
        break;
    case ORK_EPOCH_DO_FLUSH:
    case ORK_EPOCH_DO_FLUSH_ALL:
    case ORK_EPOCH_DO_SYNC:
    case ORK_EPOCH_DO_FREE:
        break;
    }
    return true;
}

/* RATIONALE: only calls that open an epoch, while another one is open, leave doubts. */
static bool may_leave_doubts(const struct ork_epochs *e, const struct ork_epoch_event *event)
{
    return (opens[event->kind] != 0 || event->kind == ORK_EPOCH_DO_FENCE) &&
           ork_epochs_is_open(e, ~(unsigned)ORK_EPOCH_POSSIBLE);
}

bool ork_epochs_apply(struct ork_epochs *e, const struct ork_epoch_event *event)
{
    unsigned doubtful = may_leave_doubts(e, event) ? ork_epochs_doubts(e, event) : 0;

    e->doubtful = (uint8_t)((e->doubtful & ~opens[event->kind]) | doubtful);
    return change(e, event);
}

bool ork_epochs_contain(const struct ork_epochs *e, int target, bool has_request)
{
    if (e->nested == ORK_EPOCH_NESTED)
        return false;
    return ork_epochs_is_locked(e, target) ||
           (!has_request && ork_epochs_is_open(e, ORK_EPOCH_START) &&
            !ork_epochs_is_open(e, ORK_EPOCH_LOCK) && ork_epochs_is_member(e, target));
}

void ork_epochs_release(struct ork_epochs *e)
{
    free(e->locked.slot);
    free(e->member);
}
