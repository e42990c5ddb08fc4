/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that complete accesses. An access is complete from the value on that the rank's own
 * component has when such a call begins. */
#include "onesided/internal.h"

static bool is_selected(const struct access *a, const struct selection *s)
{
    bool is_origin = a->seen.touch == ORK_TOUCH_READ || a->seen.touch == ORK_TOUCH_WRITE;

    if (a->is_message) /* only its own request completes it */
        return s->request == a->request;
    if (s->request != ORK_REQUEST_NULL && a->request != s->request)
        return false;
    if (s->only_started && a->seen.epoch != ORK_IN_START)
        return false;
    if (s->target != EPOCH_ALL_TARGETS && a->partner != s->target)
        return false;
    return !s->only_origin || is_origin || a->is_read_back;
}

static void end_some(struct ork_onesided *o, struct window *w, uint32_t rank,
                     const struct selection *s)
{
    uint32_t member = ork_window_member(w, rank), value = 0;

    if (member == UINT32_MAX)
        return;
    ork_stamp_complete(o, w, rank, s);
    for (struct access **link = &w->member[member].open; *link != NULL;) {
        struct access *a = *link;
        if (!is_selected(a, s)) {
            link = &a->next_open;
            continue;
        }
        if (value == 0)
            value = ork_events_tick(o->events, rank);
        if (value == 0) {
            o->failed = true;
            return;
        }
        a->end = value;
        a->seen.is_over = true;
        *link = a->next_open;
        ork_access_unref(o, a);
    }
}

void ork_epoch_end(struct ork_onesided *o, struct window *w, uint32_t rank, uint32_t target,
                   bool only_origin)
{
    end_some(o, w, rank,
             &(struct selection){
                 .target = target, .request = ORK_REQUEST_NULL, .only_origin = only_origin});
}

void ork_epoch_complete(struct ork_onesided *o, struct window *w, uint32_t rank)
{
    end_some(o, w, rank,
             &(struct selection){
                 .target = EPOCH_ALL_TARGETS, .request = ORK_REQUEST_NULL, .only_started = true});
}

void ork_epoch_completed(struct ork_onesided *o, uint32_t rank, uint32_t request)
{
    for (struct window *w = o->window; w != NULL; w = w->next)
        end_some(o, w, rank,
                 &(struct selection){
                     .target = EPOCH_ALL_TARGETS, .request = request, .only_origin = true});
}
