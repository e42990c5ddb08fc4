/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that have returned: what they completed. The records of a rank may say so before those of
 * the sender do: then the rank waits here for these. */
#include "order/arbiter/internal.h"

/* Is it known what a receive of a call that has returned took? One that cannot be known counts as
 * known. */
static bool is_known(const struct rank *p, const struct receive *r)
{
    struct message *m;

    if (r == NULL || r->box == NULL || r->from == NULL)
        return true;
    return ork_arbiter_rank_is_silent(&p->arbiter->rank[r->from->rank]) &&
           ork_arbiter_match_first(r->from, r->tag, r->position, &m) == KNOWN_NOTHING;
}

bool ork_arbiter_receive_took(struct rank *p, struct receive *r, int32_t source, int32_t tag)
{
    struct message *m;

    if (r == NULL || r->box == NULL || r->from != NULL || source < 0 ||
        (uint32_t)source >= r->box->sources)
        return true;
    struct channel *c = ork_arbiter_channel_find(r->box, r->box->first + (uint32_t)source);
    if (ork_arbiter_match_first(c, tag, r->position, &m) != KNOWN_SURE)
        return false;
    ORK_ASSERT(c != NULL);
    if (r->tag != ORK_ANY_TAG && r->tag != m->tag)
        return true; /* the record is wrong */
    ork_arbiter_match_decide(p->arbiter, r, c, m);
    return true;
}

/* The same for a receive whose call has returned. One that cannot be known counts as known. */
static bool took(struct rank *p, struct receive *r, int32_t source, int32_t tag)
{
    if (ork_arbiter_receive_took(p, r, source, tag))
        return true;
    uint32_t from = ork_comms_rank_of(r->box->comm, r->box->first + (uint32_t)source);
    return ork_arbiter_rank_is_silent(&p->arbiter->rank[from]);
}

/* The receive of a call is over. */
static void take(struct rank *p, struct receive *r, bool is_cancelled)
{
    if (r == NULL)
        return;
    if (r->matched && !is_cancelled)
        ork_arbiter_rank_take(p, r->took);
    ork_arbiter_match_withdraw(p->arbiter, r);
}

/* ---- messages ---- */

static bool leave_message(struct rank *p, const struct ork_record *exit)
{
    const struct ork_record *call = &p->call;
    bool has_no_message = ork_call_did_nothing(exit);
    uint32_t to;

    if (!has_no_message &&
        (!is_known(p, p->receive) || (exit != NULL && !took(p, p->receive, exit->peer, exit->tag))))
        return false;
    take(p, p->receive, has_no_message);
    ork_arbiter_match_release(p->receive);
    p->receive = NULL;
    struct ork_comm_ref ref = ork_arbiter_comm_ref(p, call->comm);
    if (!has_no_message || call->kind != ORK_KIND_SEND || ref.comm == NULL ||
        !ork_comms_peer(ref, call->peer, &to))
        return true;
    const struct place *place = ref.comm->state;
    if (place->mailbox[to] != NULL)
        ork_arbiter_match_unsend(place->mailbox[to], ref.me, p->clock.message);
    return true;
}

/* A probe found a message of that source and tag, and was not decided. */
static bool leave_probe(struct rank *p, int32_t peer, int32_t tag)
{
    struct ork_record probe = p->call;
    struct choice choice;

    probe.peer = peer;
    probe.tag = tag;
    if (peer == ORK_ANY_SOURCE || !ork_arbiter_choice_of_probe(p, &probe, &choice))
        return true;
    if (choice.message == NULL) {
        struct ork_comm_ref ref = ork_arbiter_comm_ref(p, probe.comm);
        uint32_t from = 0;
        return ork_comms_peer(ref, peer, &from) &&
               ork_arbiter_rank_is_silent(ork_arbiter_member(p->arbiter, ref.comm, from));
    }
    ork_arbiter_rank_take(p, choice.best);
    if (p->call.flags & ORK_F_MATCHED)
        ork_arbiter_match_take(p->arbiter, choice.channel, choice.message);
    return true;
}

/* ---- requests ---- */

static bool are_known(const struct rank *p, const uint32_t *list, uint32_t count, uint32_t step)
{
    for (uint32_t i = 0; i < count; i += step) {
        const struct request *r = ork_arbiter_rank_request(p, list[i]);
        if (r != NULL && !is_known(p, r->receive))
            return false;
    }
    return true;
}

/* Merge the messages of the list; the requests stay. */
static void merge_all(struct rank *p, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct request *r = ork_arbiter_rank_request(p, list[i]);
        if (r != NULL && r->receive != NULL && r->receive->matched)
            ork_arbiter_rank_take(p, r->receive->took);
    }
}

static void complete(struct rank *p, uint32_t id, int32_t source)
{
    struct request *r = ork_arbiter_rank_request(p, id);

    if (r == NULL)
        return;
    take(p, r->receive, source == ORK_CANCELLED);
    if (r->made == NULL) {
        ork_arbiter_request_free(r);
        return;
    }
    ork_arbiter_match_release(r->receive);
    r->receive = NULL;
    r->active = false;
}

static bool is_cancelled(const struct ork_record *exit, const uint32_t *outcome, uint32_t index)
{
    for (uint32_t i = 0; exit != NULL && i + 2 < exit->count; i += 3) {
        if (outcome[i] == index)
            return (int32_t)outcome[i + 1] == ORK_CANCELLED;
    }
    return false;
}

static bool leave_wait_for_all(struct rank *p, const struct ork_record *exit,
                               const uint32_t *outcome)
{
    bool failed = ork_call_has_failed(exit);

    for (uint32_t i = 0; i < p->call.count && !failed; i++) {
        const struct request *r = ork_arbiter_rank_request(p, p->list[i]);
        if (r != NULL && !is_known(p, r->receive) && !is_cancelled(exit, outcome, i))
            return false;
    }
    for (uint32_t i = 0; i < p->call.count; i++) {
        const struct request *r = ork_arbiter_rank_request(p, p->list[i]);
        if (r == NULL || (failed && r->receive != NULL && !r->receive->matched))
            continue;
        complete(p, p->list[i], is_cancelled(exit, outcome, i) ? ORK_CANCELLED : ORK_NO_PEER);
    }
    return true;
}

static bool leave_wait_for_some(struct rank *p, const struct ork_record *exit,
                                const uint32_t *outcome)
{
    uint32_t words = exit == NULL ? 0 : exit->count;

    for (uint32_t i = 0; i + 2 < words && !ork_call_has_failed(exit); i += 3) {
        const struct request *r =
            outcome[i] < p->call.count ? ork_arbiter_rank_request(p, p->list[outcome[i]]) : NULL;
        if (r != NULL && (int32_t)outcome[i + 1] != ORK_CANCELLED && !is_known(p, r->receive))
            return false;
    }
    for (uint32_t i = 0; i + 2 < words; i += 3) {
        if (outcome[i] < p->call.count)
            complete(p, p->list[outcome[i]], (int32_t)outcome[i + 1]);
    }
    return true;
}

static bool leave_tested(struct rank *p)
{
    const struct ork_record *call = &p->call;

    for (uint32_t i = 0; i + 2 < call->count && !ork_call_has_failed(call); i += 3) {
        const struct request *r = ork_arbiter_rank_request(p, p->list[i]);
        if (r != NULL && (int32_t)p->list[i + 1] != ORK_CANCELLED && !is_known(p, r->receive))
            return false;
    }
    for (uint32_t i = 0; i + 2 < call->count; i += 3)
        complete(p, p->list[i], (int32_t)p->list[i + 1]);
    return true;
}

/* MPI_Start failed: none of the requests is active. */
static void fail_start(struct rank *p)
{
    for (uint32_t i = 0; i < p->call.count; i++) {
        if (ork_arbiter_rank_request(p, p->list[i]) != NULL)
            complete(p, p->list[i], ORK_CANCELLED);
    }
}

/* ---- collective calls ---- */

static bool leave_coll(struct rank *p, const struct ork_record *exit)
{
    if (ork_call_did_nothing(exit)) {
        ork_arbiter_wave_retract(p);
        return true;
    }
    if (!ork_call_has_failed(exit) && !ork_arbiter_wave_merge(p))
        return false;
    ork_arbiter_wave_leave(p);
    if (ork_coll_has(p->call.mode, ORK_IS_DESTRUCTOR))
        ork_arbiter_comm_drop(p, p->call.comm);
    return true;
}

bool ork_arbiter_call_leave(struct rank *p, const struct ork_record *exit, const uint32_t *outcome)
{
    const struct ork_record *call = &p->call;

    p->arbiter->bound_is_old = true;
    switch (call->kind) {
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        return leave_message(p, exit);
    case ORK_KIND_PROBE:
        if (p->probed || ork_call_has_failed(exit))
            return true;
        return exit != NULL && exit->peer >= 0 ? leave_probe(p, exit->peer, exit->tag)
                                               : leave_probe(p, call->peer, call->tag);
    case ORK_KIND_PROBED:
        return p->probed || leave_probe(p, call->peer2, call->tag2);
    case ORK_KIND_WAIT:
        return call->mode == ORK_WAIT_ONE || call->mode == ORK_WAIT_ALL
                   ? leave_wait_for_all(p, exit, outcome)
                   : leave_wait_for_some(p, exit, outcome);
    case ORK_KIND_TESTED:
        return leave_tested(p);
    case ORK_KIND_START:
        if (ork_call_has_failed(exit))
            fail_start(p);
        return true;
    case ORK_KIND_COLL:
        return leave_coll(p, exit);
    case ORK_KIND_WIN_LOCK:
        if (ork_call_has_failed(exit) && p->has_lock)
            ork_arbiter_lock_fail(p);
        return true;
    default:
        return true;
    }
}

bool ork_arbiter_ask_leave(struct rank *p)
{
    struct ask *ask = &p->ask;
    bool is_test_all = ask->record.mode == ORK_ASK_TEST_ALL;

    if (is_test_all && !are_known(p, ask->list, ask->record.count, 1))
        return false;
    if (is_test_all)
        merge_all(p, ask->list, ask->record.count);
    else if (ork_arbiter_ask_has_message(ask))
        ork_arbiter_rank_take(p, ask->took);
    bool is_probe = ask->record.mode == ORK_ASK_PROBE || ask->record.mode == ORK_ASK_TEST_PROBE;
    p->probed = ask->answer == ANSWER_FINAL && is_probe;
    ork_arbiter_ask_ended(p);
    ask->open = false;
    p->arbiter->bound_is_old = true;
    return true;
}
