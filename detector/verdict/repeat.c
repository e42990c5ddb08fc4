/* SPDX-License-Identifier: BSD-3-Clause */
/* What to do with equal states, and which records may lead to one. */
#include "detector/state/lock_numbers.h"
#include "detector/state/state.h"

#include <stdlib.h>

bool ork_detector_is_same_state(const struct ork_detector_state *a,
                                const struct ork_detector_state *b)
{
    return ork_words_are_equal(&a->words, &b->words);
}

void ork_detector_release_state(struct ork_detector_state *state)
{
    ork_words_release(&state->words);
    free(state->calls);
    free(state->lock_number);
    *state = (struct ork_detector_state){0};
}

bool ork_record_may_repeat(const struct ork_record *rec)
{
    if (rec->thread != 0 && rec->kind != ORK_KIND_CONT)
        return false;
    switch ((unsigned)rec->kind) { /* few of all kinds */
    case ORK_KIND_CONT:
    case ORK_KIND_SENDRECV:
    case ORK_KIND_PROBE:
    case ORK_KIND_PROBED:
    case ORK_KIND_MRECV:
    case ORK_KIND_START:
    case ORK_KIND_WAIT:
    case ORK_KIND_TESTED:
    case ORK_KIND_EARLY:
    case ORK_KIND_CONTROL:
    case ORK_KIND_ACCESS:
    case ORK_KIND_TOUCH:
    case ORK_KIND_WIN_LOCK:
    case ORK_KIND_WIN_UNLOCK:
    case ORK_KIND_WIN_FLUSH:
    case ORK_KIND_WIN_POST:
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_COMPLETE:
    case ORK_KIND_WIN_WAIT:
    case ORK_KIND_WIN_TESTED:
        return true;
    case ORK_KIND_SEND:
        return rec->mode == ORK_SEND_STANDARD || rec->mode == ORK_SEND_SYNCHRONOUS;
    case ORK_KIND_RECV:
        return (rec->flags & ORK_F_PERSISTENT) == 0 ||
               (rec->peer != ORK_ANY_SOURCE && rec->tag != ORK_ANY_TAG);
    case ORK_KIND_COLL:
        return ork_coll_has(rec->mode, ORK_IS_OPERATION) || rec->mode == ORK_COLL_WIN_FENCE;
    case ORK_KIND_EXIT:
        return (rec->flags & ORK_F_ERROR) == 0;
    default:
        return false;
    }
}

/* RATIONALE: texts name how many calls a rank made on a communicator. All members made as many
 * more, since each is at the same place among its waves. */
static void repeat_calls(struct comm *c, uint32_t calls)
{
    c->passed += calls;
    c->base += calls;
    for (uint32_t i = 0; i < c->waves; i++)
        c->wave[(c->wave_first + i) % c->wave_cap]->index += calls;
}

void ork_detector_repeat(struct ork_detector *d, const struct ork_detector_state *a,
                         const struct ork_detector_state *b, uint64_t times)
{
    ORK_ASSERT(a->counts.queued == b->counts.queued && a->counts.searches == b->counts.searches &&
               a->counts.assumed == b->counts.assumed);
    ORK_ASSERT(a->num_calls == b->num_calls && a->num_calls == d->comms.count);
    d->counts.records += times * (b->counts.records - a->counts.records);
    d->counts.calls += times * (b->counts.calls - a->counts.calls);
    d->counts.messages += times * (b->counts.messages - a->counts.messages);
    d->counts.collectives += times * (b->counts.collectives - a->counts.collectives);
    d->counts.choices += times * (b->counts.choices - a->counts.choices);
    d->counts.at_once += times * (b->counts.at_once - a->counts.at_once);
    uint32_t i = 0;
    for (struct comm *c = d->comms.oldest; c != NULL; c = c->newer, i++) {
        if (a->calls[i] != b->calls[i])
            repeat_calls(c, (uint32_t)times * (b->calls[i] - a->calls[i]));
    }
    ORK_ASSERT(a->num_lock_numbers == b->num_lock_numbers);
    ork_lock_numbers_grow(d, a->lock_number, b->lock_number, times);
}
