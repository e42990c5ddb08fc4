/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a rank, one after the other, as far as what they mean is known. */
#include "order/arbiter/internal.h"

/* RATIONALE: no rank makes so many calls, and the times of all ranks together do not overflow. */
static const uint64_t STEPS_MAX = UINT64_C(1) << 44;

static const struct ork_record *head_of(const struct rank *p)
{
    return &p->queue[p->queue_first];
}

/* Number of records of the first one and its list; 0: some are missing. */
static uint32_t size_of_head(struct rank *p)
{
    const struct ork_record *record = head_of(p);

    if (record->kind == ORK_KIND_CONT || record->kind >= ORK_KIND_MAX ||
        record->count > ORK_LIST_MAX) {
        ork_arbiter_rank_lose(p);
        return 0;
    }
    uint32_t conts = ork_record_conts(record->count);
    return conts < p->queued ? 1 + conts : 0;
}

static bool read_list(struct rank *p, uint32_t **list, uint32_t *room)
{
    if (!ork_vec_reserve(list, room, head_of(p)->count, sizeof(**list))) {
        p->arbiter->failed = true;
        return false;
    }
    if (!ork_record_read_list(head_of(p), *list)) {
        ork_arbiter_rank_lose(p);
        return false;
    }
    return true;
}

/* Records that say nothing of a call. */
static bool is_ignored(const struct ork_record *record)
{
    switch (record->kind) {
    case ORK_KIND_COMM_NAME:
    case ORK_KIND_NEIGHBORS:
    case ORK_KIND_OVERWRITTEN:
    case ORK_KIND_CONTROL:
    case ORK_KIND_EARLY:
    case ORK_KIND_THREAD_END:
        return true;
    default:
        return record->kind != ORK_KIND_ASK && ork_record_has(record, ORK_IS_SOURCE);
    }
}

/* Does the rank ask inside its latest call? */
static bool is_inside_call(const struct rank *p, const struct ork_record *ask)
{
    switch (ask->mode) {
    case ORK_ASK_WAIT_ANY:
        return p->call.kind == ORK_KIND_WAIT;
    case ORK_ASK_PROBE:
        return p->call.kind == ORK_KIND_PROBE;
    case ORK_ASK_ENTER:
        return p->call.kind == ORK_KIND_COLL || p->call.kind == ORK_KIND_FINALIZE;
    case ORK_ASK_LOCK:
        return p->call.kind == ORK_KIND_WIN_LOCK;
    case ORK_ASK_RECEIVE:
        return p->call.kind == ORK_KIND_RECV || p->call.kind == ORK_KIND_SENDRECV ||
               p->call.kind == ORK_KIND_WAIT;
    default:
        return false;
    }
}

/* The rank goes on: what it waited for is over. False: its outcome is not known yet. */
static bool leave(struct rank *p, const struct ork_record *exit)
{
    if (p->ask.open && !ork_arbiter_ask_leave(p))
        return false;
    if (!p->inside)
        return true;
    if (!ork_arbiter_call_leave(p, exit, p->outcome))
        return false;
    p->inside = p->is_over = p->probed = false;
    return true;
}

static bool follow_exit(struct rank *p)
{
    return !p->inside || (read_list(p, &p->outcome, &p->outcome_room) && leave(p, head_of(p)));
}

static void note_steps(struct rank *p, uint64_t steps)
{
    if (steps <= p->steps)
        return;
    p->clock.lock += steps - p->steps;
    p->steps = steps;
}

/* The rank has taken a message that it was told of. */
static void follow_taken(struct rank *p, const struct ork_record *ask)
{
    const struct request *r = ork_arbiter_rank_request(p, ask->request);

    if (r != NULL)
        ork_arbiter_receive_took(p, r->receive, ask->peer, ask->tag);
}

static bool follow_ask(struct rank *p)
{
    struct ask *ask = &p->ask;

    if (head_of(p)->mode == ORK_ASK_ENDED) {
        ork_arbiter_ask_ended(p);
        return true;
    }
    if (!(p->inside && is_inside_call(p, head_of(p))) && !leave(p, NULL))
        return false;
    if (head_of(p)->mode >= ORK_ASK_MAX || head_of(p)->bytes > STEPS_MAX) {
        ork_arbiter_rank_lose(p);
        return false;
    }
    if (!read_list(p, &ask->list, &ask->room))
        return false;
    note_steps(p, head_of(p)->bytes);
    if (head_of(p)->mode == ORK_ASK_TAKEN)
        follow_taken(p, head_of(p));
    ask->open = head_of(p)->mode != ORK_ASK_STEPS && head_of(p)->mode != ORK_ASK_TAKEN;
    ask->record = *head_of(p);
    ask->answer = ANSWER_NONE;
    ask->at = (struct stamp){.time = p->clock.lock, .sender = p->number};
    p->arbiter->bound_is_old = true;
    return true;
}

static bool follow_call(struct rank *p)
{
    if (!leave(p, NULL) || !read_list(p, &p->list, &p->list_room))
        return false;
    p->call = *head_of(p);
    p->inside = true;
    /* the outcome of these is in the record itself */
    p->is_over = p->call.kind == ORK_KIND_TESTED || p->call.kind == ORK_KIND_PROBED;
    p->has_lock = false;
    p->probed &= p->call.kind == ORK_KIND_PROBED || p->call.kind == ORK_KIND_PROBE;
    ork_arbiter_call_enter(p);
    return true;
}

static bool follow_definition(struct rank *p)
{
    if (!leave(p, NULL) || !read_list(p, &p->list, &p->list_room))
        return false;
    ork_arbiter_comm_define(p, head_of(p), p->list);
    return true;
}

static bool follow_record(struct rank *p)
{
    const struct ork_record *record = head_of(p);

    if (is_ignored(record))
        return true;
    /* the order of several threads is not decided, nor that of calls that are not known */
    if (record->thread != 0 || record->kind == ORK_KIND_UNHOOKED) {
        ork_arbiter_rank_lose(p);
        return false;
    }
    switch (record->kind) {
    case ORK_KIND_EXIT:
        return follow_exit(p);
    case ORK_KIND_ASK:
        return follow_ask(p);
    case ORK_KIND_COMM_DEF:
        return follow_definition(p);
    default:
        return follow_call(p);
    }
}

static void follow_rank(struct rank *p)
{
    while (!p->lost && !p->arbiter->failed) {
        if (p->is_over && !leave(p, NULL))
            return;
        uint32_t size = p->queued > 0 ? size_of_head(p) : 0;
        bool counts = size > 0 && !is_ignored(head_of(p));
        if (size == 0 || !follow_record(p) || p->lost)
            return;
        p->arbiter->events += counts;
        p->queue_first += size;
        p->queued -= size;
        p->arbiter->bound_is_old = true;
    }
}

void ork_arbiter_follow(struct ork_arbiter *a)
{
    while (a->ready != NULL) {
        struct rank *p = a->ready;
        a->ready = p->ready_next;
        p->ready = false;
        follow_rank(p);
    }
}
