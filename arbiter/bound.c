/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower bounds: the earliest time at which a rank can send its next message, and the messages that
 * a receive can take, now and later. The bounds hold for all time, whatever the ranks do. */
#include "arbiter/internal.h"

static const struct stamp never = {.time = NEVER, .sender = UINT32_MAX};

/* ---- messages ---- */

/* Add one source. */
static void look(const struct ork_arbiter *a, struct choice *choice, uint32_t rank,
                 struct channel *channel, int32_t tag, uint64_t position)
{
    struct message *m;
    struct stamp at = {.time = a->bound[rank], .sender = rank};
    enum known known = ork_arbiter_match_first(channel, tag, position, &m);

    if (known != KNOWN_NOTHING)
        at.time = m->time;
    if (known != KNOWN_SURE) {
        if (ork_arbiter_stamp_is_less(at, choice->limit))
            choice->limit = at;
    } else if (ork_arbiter_stamp_is_less(at, choice->best)) {
        choice->best = at;
        choice->channel = channel;
        choice->message = m;
    }
}

struct choice ork_arbiter_choice_of(const struct ork_arbiter *a, const struct mailbox *box,
                                    uint32_t member, int32_t tag, uint64_t position)
{
    struct choice choice = {.best = never, .limit = never};
    uint32_t next = 0;

    if (member != UINT32_MAX) {
        look(a, &choice, ork_arbiter_comm_rank_of(box->comm, member),
             ork_arbiter_channel_find(box, member), tag, position);
        return choice;
    }
    for (uint32_t i = box->first; i < box->first + box->sources; i++) {
        while (next < box->channels && box->channel[next]->member < i)
            next++;
        bool is_there = next < box->channels && box->channel[next]->member == i;
        look(a, &choice, ork_arbiter_comm_rank_of(box->comm, i),
             is_there ? box->channel[next] : NULL, tag, position);
    }
    return choice;
}

struct choice ork_arbiter_choice_of_receive(const struct ork_arbiter *a, const struct receive *r)
{
    return ork_arbiter_choice_of(a, r->box, r->from != NULL ? r->from->member : UINT32_MAX, r->tag,
                                 r->position);
}

bool ork_arbiter_choice_of_probe(const struct rank *p, const struct ork_record *record,
                                 struct choice *choice)
{
    struct comm_ref ref = ork_arbiter_comm_ref(p, record->comm);
    uint32_t member = UINT32_MAX;

    if (ref.comm == NULL || record->tag < ORK_ANY_TAG ||
        (record->peer != ORK_ANY_SOURCE && !ork_arbiter_comm_peer(ref, record->peer, &member)))
        return false;
    struct mailbox *box = ork_arbiter_mailbox_of(p->arbiter, ref.comm, ref.me);
    if (box == NULL)
        return false;
    *choice = ork_arbiter_choice_of(p->arbiter, box, member, record->tag, LAST);
    return true;
}

/* ---- ranks ---- */

uint64_t ork_arbiter_greatest_clock(const struct ork_arbiter *a)
{
    uint64_t most = 0;

    for (uint32_t r = 0; r < a->nprocs; r++)
        most = ork_arbiter_later(most, a->rank[r].clock);
    return most;
}

/* After a call that receives a message of that time. */
static uint64_t after_message(const struct rank *p, uint64_t time)
{
    return ork_arbiter_later(p->clock + 1, ork_arbiter_after(time, 2));
}

static uint64_t after_choice(const struct rank *p, const struct choice *choice)
{
    uint64_t first = choice->best.time;

    return after_message(p, choice->limit.time < first ? choice->limit.time : first);
}

/* NULL: no receive that is followed. */
static uint64_t after_receive(const struct rank *p, const struct receive *r)
{
    if (r == NULL || (r->box == NULL && !r->matched))
        return p->clock + 1;
    if (r->matched)
        return after_message(p, r->took.time);
    struct choice choice = ork_arbiter_choice_of_receive(p->arbiter, r);
    return r->cancelling ? p->clock + 1 : after_choice(p, &choice);
}

static uint64_t after_probe(const struct rank *p, const struct ork_record *record)
{
    struct choice choice;

    return ork_arbiter_choice_of_probe(p, record, &choice) ? after_choice(p, &choice)
                                                           : p->clock + 1;
}

/* After all, or one, of the requests of the list. */
static uint64_t after_requests(const struct rank *p, const uint32_t *list, uint32_t count, bool all)
{
    uint64_t result = all ? p->clock + 1 : NEVER;
    bool any = all;

    for (uint32_t i = 0; i < count; i++) {
        const struct request *r = ork_arbiter_rank_request(p, list[i]);
        if (list[i] == ORK_REQUEST_NULL || (r != NULL && !r->active))
            continue;
        uint64_t after = after_receive(p, r == NULL ? NULL : r->receive);
        result = all ? ork_arbiter_later(result, after) : after < result ? after : result;
        any = true;
    }
    return any ? result : p->clock + 1;
}

static uint64_t after_call(const struct rank *p, const uint64_t *bound)
{
    const struct ork_record *call = &p->call;

    switch (p->inside ? call->kind : ORK_KIND_CONT) {
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        return after_receive(p, p->receive);
    case ORK_KIND_PROBE:
        return p->probed ? p->clock + 1 : after_probe(p, call);
    case ORK_KIND_WAIT:
        return after_requests(p, p->list, call->count,
                              call->mode == ORK_WAIT_ONE || call->mode == ORK_WAIT_ALL);
    case ORK_KIND_COLL:
        return p->wave == NULL ? p->clock + 1 : ork_arbiter_wave_bound(p, bound, p->clock + 1);
    case ORK_KIND_FINALIZE:
        return NEVER;
    default:
        return p->clock + 1;
    }
}

/* `greatest`: of all clocks. An unsuccessful test ends there. */
static uint64_t after_ask(const struct rank *p, uint64_t greatest)
{
    const struct ask *ask = &p->ask;
    uint64_t after = p->clock + 1;

    if (ask->answer == ANSWER_FINAL && ask->record.mode != ORK_ASK_CANCEL)
        return after_message(p, ask->took.time);
    switch (ask->record.mode) {
    case ORK_ASK_WAIT_ANY:
    case ORK_ASK_TEST_ANY:
    case ORK_ASK_TEST_ALL:
        after =
            after_requests(p, ask->list, ask->record.count, ask->record.mode == ORK_ASK_TEST_ALL);
        break;
    case ORK_ASK_PROBE:
    case ORK_ASK_TEST_PROBE:
        after = after_probe(p, &ask->record);
        break;
    default:
        break;
    }
    bool is_test = ask->record.mode == ORK_ASK_TEST_ANY || ask->record.mode == ORK_ASK_TEST_ALL ||
                   ask->record.mode == ORK_ASK_TEST_PROBE;
    return is_test && greatest + 2 < after ? greatest + 2 : after;
}

static uint64_t after_rank(const struct rank *p, uint64_t greatest)
{
    if (p->ended && p->queued == 0)
        return NEVER;
    if (p->lost || p->queued > 0)
        return p->clock + 1;
    return p->ask.open && p->ask.record.mode != ORK_ASK_ENTER ? after_ask(p, greatest)
                                                              : after_call(p, p->arbiter->bound);
}

void ork_arbiter_bound_update(struct ork_arbiter *a)
{
    uint64_t greatest = ork_arbiter_greatest_clock(a);
    bool is_stable = false;

    for (uint32_t r = 0; r < a->nprocs; r++)
        a->bound[r] = NEVER;
    while (!is_stable) {
        is_stable = true;
        for (uint32_t r = 0; r < a->nprocs; r++) {
            uint64_t bound = after_rank(&a->rank[r], greatest);
            ORK_ASSERT(bound <= a->bound[r]);
            is_stable &= bound == a->bound[r];
            a->bound[r] = bound;
        }
    }
    a->bound_is_old = false;
}
