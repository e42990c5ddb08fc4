/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower bounds: the earliest time at which a rank can send its next message, and the messages that
 * a receive can take, now and later. The bounds hold for all time, whatever the ranks do. */
#include "order/arbiter/internal.h"

static const struct stamp never = {.time = NEVER, .sender = UINT32_MAX, .lock = NEVER};

/* ---- messages ---- */

/* Add one source. */
static void look(const struct ork_arbiter *a, struct choice *choice, uint32_t rank,
                 struct channel *channel, int32_t tag, uint64_t position)
{
    struct message *m;
    struct stamp at = {.time = a->bound[rank].message, .sender = rank, .lock = a->bound[rank].lock};
    enum known known = ork_arbiter_match_first(channel, tag, position, &m);

    if (known != KNOWN_NOTHING) {
        at.time = m->time;
        at.lock = m->lock;
    }
    if (at.lock < choice->lock)
        choice->lock = at.lock;
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
    struct choice choice = {.best = never, .limit = never, .lock = NEVER};
    uint32_t next = 0;

    if (member != UINT32_MAX) {
        look(a, &choice, ork_comms_rank_of(box->comm, member),
             ork_arbiter_channel_find(box, member), tag, position);
        return choice;
    }
    for (uint32_t i = box->first; i < box->first + box->sources; i++) {
        while (next < box->channels && box->channel[next]->member < i)
            next++;
        bool is_there = next < box->channels && box->channel[next]->member == i;
        look(a, &choice, ork_comms_rank_of(box->comm, i), is_there ? box->channel[next] : NULL, tag,
             position);
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
    struct ork_comm_ref ref = ork_arbiter_comm_ref(p, record->comm);
    uint32_t member = UINT32_MAX;

    if (ref.comm == NULL || record->tag < ORK_ANY_TAG ||
        (record->peer != ORK_ANY_SOURCE && !ork_comms_peer(ref, record->peer, &member)))
        return false;
    struct mailbox *box = ork_arbiter_mailbox_of(p->arbiter, ref);
    if (box == NULL)
        return false;
    *choice = ork_arbiter_choice_of(p->arbiter, box, member, record->tag, LAST);
    return true;
}

/* ---- ranks ---- */

struct times ork_arbiter_greatest_clock(const struct ork_arbiter *a)
{
    struct times most = {0, 0};

    for (uint32_t r = 0; r < a->nprocs; r++)
        most = ork_times_later(most, a->rank[r].clock);
    return most;
}

static const struct times no_more = {NEVER, NEVER};

static struct times at_once(const struct rank *p)
{
    return ork_times_after(p->clock, 1);
}

/* After a call that receives a message of that time. */
static struct times after_message(const struct rank *p, struct times at)
{
    return ork_times_later(at_once(p), ork_times_after(at, 2));
}

static struct times after_taken(const struct rank *p, struct stamp took)
{
    return after_message(p, (struct times){.message = took.time, .lock = took.lock});
}

static struct times after_choice(const struct rank *p, const struct choice *choice)
{
    uint64_t first = choice->best.time;

    return after_message(
        p, (struct times){.message = choice->limit.time < first ? choice->limit.time : first,
                          .lock = choice->lock});
}

/* NULL: no receive that is followed. */
static struct times after_receive(const struct rank *p, const struct receive *r)
{
    if (r == NULL || (r->box == NULL && !r->matched))
        return at_once(p);
    if (r->matched)
        return after_taken(p, r->took);
    struct choice choice = ork_arbiter_choice_of_receive(p->arbiter, r);
    return r->cancelling ? at_once(p) : after_choice(p, &choice);
}

static struct times after_probe(const struct rank *p, const struct ork_record *record)
{
    struct choice choice;

    return ork_arbiter_choice_of_probe(p, record, &choice) ? after_choice(p, &choice) : at_once(p);
}

/* After all, or one, of the requests of the list. */
static struct times after_requests(const struct rank *p, const uint32_t *list, uint32_t count,
                                   bool all)
{
    struct times result = all ? at_once(p) : no_more;
    bool any = all;

    for (uint32_t i = 0; i < count; i++) {
        const struct request *r = ork_arbiter_rank_request(p, list[i]);
        if (list[i] == ORK_REQUEST_NULL || (r != NULL && !r->active))
            continue;
        struct times after = after_receive(p, r == NULL ? NULL : r->receive);
        result = all ? ork_times_later(result, after) : ork_times_earlier(result, after);
        any = true;
    }
    return any ? result : at_once(p);
}

static struct times after_call(const struct rank *p, const struct times *bound)
{
    const struct ork_record *call = &p->call;

    switch (p->inside ? call->kind : ORK_KIND_CONT) {
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        return after_receive(p, p->receive);
    case ORK_KIND_PROBE:
        return p->probed ? at_once(p) : after_probe(p, call);
    case ORK_KIND_WAIT:
        return after_requests(p, p->list, call->count,
                              call->mode == ORK_WAIT_ONE || call->mode == ORK_WAIT_ALL);
    case ORK_KIND_COLL:
        return p->wave == NULL ? at_once(p) : ork_arbiter_wave_bound(p, bound, at_once(p));
    case ORK_KIND_FINALIZE:
        return no_more;
    default:
        return at_once(p);
    }
}

/* Of a lock or an atomic. A rank that was granted it may go on at once. */
static struct times after_turn(struct rank *p, const struct times *bound)
{
    struct times after = at_once(p);
    struct lock lock;

    if (p->ask.answer != ANSWER_FINAL && ork_arbiter_lock_of(p, &lock))
        after.lock = ork_arbiter_later(after.lock,
                                       ork_arbiter_after(ork_arbiter_lock_bound(&lock, bound), 2));
    return after;
}

/* `greatest`: of all clocks. An unsuccessful test ends there. */
static struct times after_ask(struct rank *p, struct times greatest)
{
    const struct ask *ask = &p->ask;
    struct times after = at_once(p);

    if (ork_arbiter_ask_has_message(ask))
        return after_taken(p, ask->took);
    if (ask->expired)
        return after;
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
    case ORK_ASK_LOCK:
    case ORK_ASK_ATOMIC:
        return after_turn(p, p->arbiter->bound);
    default:
        break;
    }
    bool is_test = ask->record.mode == ORK_ASK_TEST_ANY || ask->record.mode == ORK_ASK_TEST_ALL ||
                   ask->record.mode == ORK_ASK_TEST_PROBE || ask->record.mode == ORK_ASK_TEST_WIN;
    return is_test ? ork_times_earlier(ork_times_after(greatest, 2), after) : after;
}

static struct times after_rank(struct rank *p, struct times greatest)
{
    if (p->ended && p->queued == 0)
        return no_more;
    if (p->lost || p->queued > 0)
        return at_once(p);
    bool is_asking =
        p->ask.open && p->ask.record.mode != ORK_ASK_ENTER && p->ask.record.mode != ORK_ASK_RECEIVE;
    return is_asking ? after_ask(p, greatest) : after_call(p, p->arbiter->bound);
}

void ork_arbiter_bound_update(struct ork_arbiter *a)
{
    struct times greatest = ork_arbiter_greatest_clock(a);
    bool is_stable = false;

    for (uint32_t r = 0; r < a->nprocs; r++)
        a->bound[r] = no_more;
    while (!is_stable) {
        is_stable = true;
        for (uint32_t r = 0; r < a->nprocs; r++) {
            struct times bound = after_rank(&a->rank[r], greatest);
            ORK_ASSERT(bound.message <= a->bound[r].message && bound.lock <= a->bound[r].lock);
            is_stable &= bound.message == a->bound[r].message && bound.lock == a->bound[r].lock;
            a->bound[r] = bound;
        }
    }
    a->bound_is_old = false;
}
