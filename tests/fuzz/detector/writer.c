/* SPDX-License-Identifier: BSD-3-Clause */
/* What an interceptor writes at each call and after it. */
#include "tests/fuzz/detector/writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- records ---- */

static void put(struct writer *w, unsigned rank, const struct ork_record *record,
                const uint32_t *list)
{
    struct stream *s = &w->run->stream[rank];

    if (s->count + 1 + ork_record_conts(record->count) > MAX_RECORDS)
        abort();
    s->record[s->count++] = *record;
    for (uint32_t done = 0; done < record->count; done += ORK_CONT_WORDS) {
        uint32_t n = record->count - done < ORK_CONT_WORDS ? record->count - done : ORK_CONT_WORDS;
        struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)n};
        memcpy(cont.word, list + done, n * sizeof(*list));
        memcpy(&s->record[s->count++], &cont, sizeof(cont));
    }
}

static uint32_t group_size(const struct program *p, uint8_t comm)
{
    return comm == 0 ? p->ranks : (uint32_t)__builtin_popcount(p->members[comm]);
}

/* Rank in the communicator of a rank of MPI_COMM_WORLD. */
static int32_t peer_in(const struct program *p, uint8_t comm, int peer)
{
    if (peer < 0 || comm == 0)
        return peer;
    return __builtin_popcount(p->members[comm] & ((1u << peer) - 1));
}

static struct ork_record record_of(const struct writer *w, unsigned rank, enum ork_kind kind,
                                   const struct step *s)
{
    return (struct ork_record){.kind = (uint8_t)kind,
                               .site = w->run->state.pc[rank] + 1u,
                               .comm = w->comm[rank][s->comm],
                               .request = ORK_REQUEST_NULL,
                               .peer = peer_in(w->p, s->comm, s->peer),
                               .tag = s->tag,
                               .mode = s->mode};
}

/* ---- requests ---- */

static uint32_t take_id(struct writer *w, unsigned rank)
{
    uint32_t id = 0;

    while (w->id_used[rank][id])
        id++;
    w->id_used[rank][id] = true;
    return id;
}

static void give_id(struct writer *w, unsigned rank, unsigned step)
{
    uint32_t id = w->request[rank][step];
    enum verb verb = w->p->step[rank][step].verb;

    if (verb == VERB_SEND_INIT || verb == VERB_RECV_INIT)
        return;
    if (id < MAX_IDS)
        w->id_used[rank][id] = false;
    w->request[rank][step] = ORK_REQUEST_NULL;
}

static bool is_at_once(const struct writer *w, const struct step *s)
{
    bool buffered = s->mode == ORK_SEND_STANDARD || s->mode == ORK_SEND_BUFFERED;

    if (s->verb == VERB_IRECV)
        return s->peer == ORK_PROC_NULL;
    return s->verb == VERB_ISEND && (s->peer == ORK_PROC_NULL || (w->p->shared && buffered));
}

static uint32_t new_request(struct writer *w, unsigned rank)
{
    unsigned pc = w->run->state.pc[rank];
    const struct step *s = &w->p->step[rank][pc];
    bool shared = is_at_once(w, s) && wfg_random_percent(w->random, 60);

    w->request[rank][pc] = shared ? ORK_REQUEST_SHARED : take_id(w, rank);
    return w->request[rank][pc];
}

static bool is_wildcard(const struct step *s)
{
    bool recv = s->verb == VERB_RECV || s->verb == VERB_IRECV || s->verb == VERB_RECV_INIT ||
                s->verb == VERB_PROBE || s->verb == VERB_MPROBE || s->verb == VERB_IPROBE;

    if (s->verb == VERB_SENDRECV)
        return s->peer2 == ORK_ANY_SOURCE || s->tag2 == ORK_ANY_TAG;
    return recv && (s->peer == ORK_ANY_SOURCE || s->tag == ORK_ANY_TAG);
}

/* The number of each request of a call, in the order of the steps that made them. */
static uint32_t request_list(const struct writer *w, unsigned rank, uint32_t set, uint32_t *list)
{
    uint32_t n = 0;

    for (unsigned q = 0; q < MAX_STEPS; q++) {
        if (set >> q & 1)
            list[n++] = w->request[rank][q];
    }
    return n;
}

/* ---- entering a call ---- */

/* The library rejects the arguments of another collective call, which the rank tries first. */
static void put_rejected(struct writer *w, unsigned rank, struct ork_record call)
{
    struct ork_record error = {.kind = ORK_KIND_EXIT,
                               .flags = ORK_F_ERROR,
                               .site = call.site,
                               .peer = ORK_NO_PEER,
                               .request = ORK_REQUEST_NULL};

    call.mode = wfg_random_below(w->random, 2) ? call.mode : ORK_COLL_SCAN;
    put(w, rank, &call, NULL);
    put(w, rank, &error, NULL);
}

static void put_coll(struct writer *w, unsigned rank, const struct step *s)
{
    struct ork_record r = record_of(w, rank, ORK_KIND_COLL, s);

    r.bytes = s->mode == ORK_COLL_BARRIER ? 0 : 8;
    if (s->verb == VERB_CONSTRUCT)
        r.peer = ORK_NO_PEER;
    if (s->verb == VERB_ICOLL) {
        r.flags = ORK_F_NONBLOCKING;
        r.request = new_request(w, rank);
    } else if (wfg_random_below(w->random, 3) == 0) {
        r.flags = ORK_F_FALLIBLE;
        if (wfg_random_below(w->random, 3) == 0)
            put_rejected(w, rank, r);
    }
    put(w, rank, &r, NULL);
}

static void put_mrecv(struct writer *w, unsigned rank, const struct step *s)
{
    struct ork_record r = record_of(w, rank, ORK_KIND_MRECV, s);

    r.peer = ORK_NO_PEER;
    r.arg = w->message[rank][s->of];
    if (s->verb == VERB_IMRECV) {
        r.flags = ORK_F_NONBLOCKING;
        r.request = new_request(w, rank);
    }
    put(w, rank, &r, NULL);
}

static void put_listed(struct writer *w, unsigned rank, enum ork_kind kind, uint16_t mode,
                       const struct step *s)
{
    uint32_t list[MAX_STEPS];
    struct ork_record r = {.kind = (uint8_t)kind,
                           .site = w->run->state.pc[rank] + 1u,
                           .mode = mode,
                           .peer = ORK_NO_PEER,
                           .request = ORK_REQUEST_NULL};

    r.count = request_list(w, rank, s->set, list);
    if (kind == ORK_KIND_CANCEL || kind == ORK_KIND_REQUEST_FREE) {
        r.count = 0;
        r.request = list[0];
    }
    put(w, rank, &r, list);
}

static void put_p2p(struct writer *w, unsigned rank, enum ork_kind kind, const struct step *s)
{
    struct ork_record r = record_of(w, rank, kind, s);

    r.bytes = 8;
    if (s->verb == VERB_ISEND || s->verb == VERB_IRECV)
        r.flags = ORK_F_NONBLOCKING;
    if (s->verb == VERB_SEND_INIT || s->verb == VERB_RECV_INIT)
        r.flags = ORK_F_PERSISTENT;
    if (s->verb == VERB_MPROBE)
        r.flags = ORK_F_MATCHED;
    if (s->verb == VERB_SENDRECV) {
        r.peer2 = peer_in(w->p, s->comm, s->peer2);
        r.tag2 = s->tag2;
    }
    if (r.flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT))
        r.request = new_request(w, rank);
    put(w, rank, &r, NULL);
}

void writer_enter(struct writer *w, unsigned rank)
{
    const struct step *s = &w->p->step[rank][w->run->state.pc[rank]];

    switch (s->verb) {
    case VERB_SEND:
    case VERB_ISEND:
    case VERB_SEND_INIT:
        put_p2p(w, rank, ORK_KIND_SEND, s);
        break;
    case VERB_RECV:
    case VERB_IRECV:
    case VERB_RECV_INIT:
        put_p2p(w, rank, ORK_KIND_RECV, s);
        break;
    case VERB_SENDRECV:
        put_p2p(w, rank, ORK_KIND_SENDRECV, s);
        break;
    case VERB_PROBE:
    case VERB_MPROBE:
        put_p2p(w, rank, ORK_KIND_PROBE, s);
        break;
    case VERB_MRECV:
    case VERB_IMRECV:
        put_mrecv(w, rank, s);
        break;
    case VERB_START:
        put_listed(w, rank, ORK_KIND_START, 0, s);
        break;
    case VERB_WAIT:
        put_listed(w, rank, ORK_KIND_WAIT, ORK_WAIT_ALL, s);
        break;
    case VERB_WAITANY:
        put_listed(w, rank, ORK_KIND_WAIT, ORK_WAIT_ANY, s);
        break;
    case VERB_WAITSOME:
        put_listed(w, rank, ORK_KIND_WAIT, ORK_WAIT_SOME, s);
        break;
    case VERB_CANCEL:
        put_listed(w, rank, ORK_KIND_CANCEL, 0, s);
        break;
    case VERB_FREE:
        put_listed(w, rank, ORK_KIND_REQUEST_FREE, 0, s);
        give_id(w, rank, (unsigned)__builtin_ctz(s->set));
        break;
    case VERB_COLL:
    case VERB_ICOLL:
    case VERB_CONSTRUCT:
        put_coll(w, rank, s);
        break;
    case VERB_FINALIZE:
        put_p2p(w, rank, ORK_KIND_FINALIZE, s);
        break;
    case VERB_IPROBE:
    case VERB_TEST: /* written when they returned true */
        break;
    }
}

/* ---- returning from it ---- */

static uint8_t message_of(const struct writer *w, unsigned act)
{
    const struct run *run = w->run;

    return (run->state.withdrawn >> act & 1) ? (uint8_t)NO_ACT : run->known.message[act];
}

static void tell_message(struct writer *w, unsigned act)
{
    w->run->known.message[act] = message_of(w, act);
    w->run->known.act[act] = true;
}

/* (name, source, tag) of a completed request. */
static void put_element(struct writer *w, unsigned rank, unsigned act, uint32_t name,
                        uint32_t *list)
{
    const struct act *a = &w->run->model.act[act];
    const struct step *maker = &w->p->step[rank][a->request];
    int32_t source = ORK_NO_PEER;
    uint32_t tag = 0;

    if (a->type == ACT_RECV && (a->may_be_cancelled || is_wildcard(maker))) {
        uint8_t message = message_of(w, act);
        tell_message(w, act);
        if (message == NO_ACT)
            source = ORK_CANCELLED;
        else if (is_wildcard(maker)) {
            source = peer_in(w->p, a->comm, w->run->model.act[message].rank);
            tag = (uint32_t)w->run->model.act[message].tag;
        }
    }
    list[0] = name;
    list[1] = (uint32_t)source;
    list[2] = tag;
}

static bool is_reported(const struct writer *w, unsigned rank, unsigned act, enum verb verb)
{
    const struct act *a = &w->run->model.act[act];

    return verb != VERB_WAIT ||
           (a->type == ACT_RECV &&
            (a->may_be_cancelled || is_wildcard(&w->p->step[rank][a->request])));
}

static void put_completed(struct writer *w, unsigned rank, const struct move *move)
{
    struct run *run = w->run;
    unsigned pc = run->state.pc[rank];
    const struct step *s = &w->p->step[rank][pc];
    uint32_t list[3 * MAX_STEPS];
    struct ork_record r = {.kind = s->verb == VERB_TEST ? ORK_KIND_TESTED : ORK_KIND_EXIT,
                           .site = pc + 1,
                           .mode = s->verb == VERB_TEST ? ORK_WAIT_SOME : 0,
                           .request = ORK_REQUEST_NULL,
                           .peer = ORK_NO_PEER};
    uint32_t index = 0;

    for (unsigned q = 0; q < MAX_STEPS; q++) {
        if (!(s->set >> q & 1))
            continue;
        uint8_t act = model_active(&run->model, &run->state, rank, q);
        if (act != NO_ACT && (move->set >> act & 1) && is_reported(w, rank, act, s->verb)) {
            put_element(w, rank, act, s->verb == VERB_TEST ? w->request[rank][q] : index,
                        list + r.count);
            r.count += 3;
        }
        index++;
    }
    for (unsigned q = 0; q < MAX_STEPS; q++) {
        uint8_t act =
            (s->set >> q & 1) ? model_active(&run->model, &run->state, rank, q) : (uint8_t)NO_ACT;
        if (act != NO_ACT && (move->set >> act & 1))
            give_id(w, rank, q);
    }
    if (r.count > 0 || s->verb == VERB_WAITANY || s->verb == VERB_WAITSOME)
        put(w, rank, &r, list);
}

static void put_found(struct writer *w, unsigned rank, unsigned message, bool tell, uint32_t id)
{
    const struct model *m = &w->run->model;
    unsigned pc = w->run->state.pc[rank];
    const struct step *s = &w->p->step[rank][pc];
    struct ork_record r = {.kind = ORK_KIND_EXIT,
                           .site = pc + 1,
                           .request = id,
                           .peer = peer_in(w->p, s->comm, m->act[message].rank),
                           .tag = m->act[message].tag};

    if (tell)
        put(w, rank, &r, NULL);
}

static void put_probed(struct writer *w, unsigned rank, unsigned message)
{
    const struct step *s = &w->p->step[rank][w->run->state.pc[rank]];
    struct ork_record r = record_of(w, rank, ORK_KIND_PROBED, s);

    r.peer2 = peer_in(w->p, s->comm, w->run->model.act[message].rank);
    r.tag2 = w->run->model.act[message].tag;
    put(w, rank, &r, NULL);
}

/* The receive of a blocking call. */
static void put_received(struct writer *w, unsigned rank, const struct step *s)
{
    const struct model *m = &w->run->model;
    unsigned pc = w->run->state.pc[rank];
    unsigned act = m->first[rank][pc + 1] - 1u;

    if (!is_wildcard(s) || m->act[act].peer == ORK_PROC_NULL)
        return;
    tell_message(w, act);
    put_found(w, rank, w->run->known.message[act], true, ORK_REQUEST_NULL);
}

static void put_comm_def(struct writer *w, unsigned rank, const struct step *s)
{
    const struct program *p = w->p;
    uint32_t list[3 * MAX_RANKS];
    struct ork_record r = {.kind = ORK_KIND_COMM_DEF,
                           .site = w->run->state.pc[rank] + 1u,
                           .mode = s->mode,
                           .flags = p->is_dup[s->of] ? ORK_F_SAME_GROUP : 0};

    if (!(p->members[s->of] >> rank & 1))
        return;
    for (unsigned i = 0; i < p->ranks && !p->is_dup[s->of]; i++) {
        if (!(p->members[s->of] >> i & 1))
            continue;
        list[r.count] = i;
        list[r.count + 1] = 1;
        list[r.count + 2] = 1;
        r.count += 3;
    }
    r.arg2 = group_size(p, s->of);
    r.comm = w->comm[rank][s->of] = w->comms[rank]++;
    put(w, rank, &r, list);
}

/* A call that might have failed has returned. In a run its thread is seen to be outside; here a
 * record says so that says nothing else. */
static void put_returned(struct writer *w, unsigned rank)
{
    const struct stream *s = &w->run->stream[rank];
    const struct ork_record *last = s->count > 0 ? &s->record[s->count - 1] : NULL;

    if (last != NULL && last->kind == ORK_KIND_COLL && (last->flags & ORK_F_FALLIBLE))
        put(w, rank, &(struct ork_record){.kind = ORK_KIND_CONTROL, .arg = 1}, NULL);
}

void writer_return(struct writer *w, unsigned rank, const struct move *move)
{
    const struct step *s = &w->p->step[rank][w->run->state.pc[rank]];
    unsigned pc = w->run->state.pc[rank];

    put_returned(w, rank);
    switch ((int)s->verb) {
    case VERB_RECV:
    case VERB_SENDRECV:
        put_received(w, rank, s);
        break;
    case VERB_PROBE:
        if (move->a != NO_ACT)
            put_found(w, rank, move->a, is_wildcard(s), ORK_REQUEST_NULL);
        break;
    case VERB_IPROBE:
        if (move->a != NO_ACT)
            put_probed(w, rank, move->a);
        break;
    case VERB_MPROBE:
        w->message[rank][pc] = w->messages[rank]++;
        put_found(w, rank, move->a, true, w->message[rank][pc]);
        w->run->known.act[w->run->model.first[rank][pc]] = true;
        w->run->known.message[w->run->model.first[rank][pc]] = move->a;
        break;
    case VERB_WAIT:
    case VERB_WAITANY:
    case VERB_WAITSOME:
    case VERB_TEST:
        put_completed(w, rank, move);
        break;
    case VERB_CONSTRUCT:
        put_comm_def(w, rank, s);
        break;
    default:
        break;
    }
}

void writer_match(struct writer *w, unsigned send, unsigned act)
{
    const struct act *a = &w->run->model.act[act];
    const struct act *message = &w->run->model.act[send];
    const struct step *maker = &w->p->step[a->rank][a->request];
    uint32_t request = w->request[a->rank][a->request];

    if (a->type != ACT_RECV || !a->is_request || !is_wildcard(maker) || request >= MAX_IDS)
        return;
    w->run->early[act] = (struct early){.exists = true,
                                        .record = {.kind = ORK_KIND_EARLY,
                                                   .flags = ORK_F_NONBLOCKING,
                                                   .request = request,
                                                   .peer = peer_in(w->p, a->comm, message->rank),
                                                   .tag = message->tag},
                                        .from = w->run->stream[a->rank].count};
}
