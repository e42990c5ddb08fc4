/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes and other calls, and the program from call to call. */
#include "tests/fuzz/arbiter/calls.h"

#include <string.h>

void process_init(struct process *p, struct library *l, struct wfg_random *random, uint32_t rank,
                  bool is_free)
{
    memset(p, 0, sizeof(*p));
    p->library = l;
    p->random = random;
    p->rank = rank;
    p->is_free = is_free;
    p->latest = NOBODY;
}

/* ---- probes ---- */

/* The message that the probe finds now; MAX_OPS: none. */
static uint32_t found(const struct process *p, const struct step *s, bool asked)
{
    int32_t source = process_world_of(p, s->comm, s->peer), tag = s->tag;

    if (asked && !p->answered)
        return MAX_OPS;
    if (asked) {
        source = process_world_of(p, s->comm, p->answer.source);
        tag = p->answer.tag;
    }
    if (!p->is_free && process_is_behind(p, p->library->ops, s->comm, source, tag))
        return MAX_OPS;
    return library_probe(p->library, s->comm, p->rank, source, tag);
}

static bool receive_probed(struct process *p)
{
    process_put(p, (struct ork_record){.kind = ORK_KIND_MRECV, .arg = p->messages++}, NULL, 0);
    p->library->message[p->probed].state = RECEIVED;
    return process_next_call(p);
}

static bool do_probe(struct process *p, const struct step *s)
{
    bool matched = s->verb == VERB_MPROBE;
    struct ork_record record = process_record_of(s, ORK_KIND_PROBE);
    int32_t source = process_world_of(p, s->comm, s->peer);

    if (p->phase == 3)
        return receive_probed(p);
    record.flags = matched ? ORK_F_MATCHED : 0;
    if (p->phase == 0) {
        bool asks = s->peer == ORK_ANY_SOURCE || wfg_random_percent(p->random, 30) ||
                    process_is_behind(p, p->library->ops, s->comm, source, s->tag);
        process_put(p, record, NULL, 0);
        bool is_told = !p->is_free && (asks || matched) && process_told_probe(p, s);
        if (asks && !p->is_free && !is_told)
            process_ask(p, ORK_ASK_PROBE, record, NULL, 0);
        p->phase = asks && !p->is_free ? 1 : 2;
        return true;
    }
    uint32_t message = found(p, s, p->phase == 1);
    if (message == MAX_OPS)
        return false;
    const struct packet *m = &p->library->message[message];
    if (matched || s->peer == ORK_ANY_SOURCE || s->tag == ORK_ANY_TAG)
        process_put(p,
                    (struct ork_record){.kind = ORK_KIND_EXIT,
                                        .peer = library_peer_of(s->comm, m->from),
                                        .tag = m->tag,
                                        .request = p->messages},
                    NULL, 0);
    process_note(p, m);
    if (!matched)
        return process_next_call(p);
    p->library->message[message].state = TAKEN;
    p->probed = message;
    p->phase = 3;
    return true;
}

/* Does it find the message of a source that it names, so that it need not ask? */
static bool is_there(struct process *p, const struct step *s)
{
    if (s->peer == ORK_ANY_SOURCE || wfg_random_percent(p->random, 30))
        return false;
    uint32_t message = found(p, s, false);
    if (message == MAX_OPS)
        return false;
    p->answer = (struct ork_decision){
        .decided = ORK_DECIDED_PROBE, .source = s->peer, .tag = p->library->message[message].tag};
    p->answered = true;
    p->asks++;
    return true;
}

static bool do_iprobe(struct process *p, const struct step *s)
{
    struct ork_record record = process_record_of(s, ORK_KIND_PROBED);

    if (p->phase == 0 && !p->is_free) {
        if (!process_is_question(p))
            return process_poll_again(p, s);
        if (!process_told_probe(p, s) && !is_there(p, s))
            process_ask(p, ORK_ASK_TEST_PROBE, record, NULL, 0);
        p->phase = 1;
        return true;
    }
    if (process_is_nothing(p))
        return process_after_question(p, s);
    uint32_t message = found(p, s, !p->is_free);
    if (message == MAX_OPS)
        return p->is_free && process_poll_again(p, s);
    const struct packet *m = &p->library->message[message];
    record.peer2 = library_peer_of(s->comm, m->from);
    record.tag2 = m->tag;
    process_put(p, record, NULL, 0);
    process_add(p, p->polls);
    process_note(p, m);
    return process_next_call(p);
}

/* ---- other calls ---- */

static bool do_cancel(struct process *p, const struct step *s)
{
    struct op *op = process_op_of(p, s->slot);
    struct ork_record record = {.kind = ORK_KIND_CANCEL, .request = s->slot};

    if (!p->slot[s->slot].active || op->is_send)
        return process_next(p);
    if (p->phase == 0) {
        process_told_cancels(p, s->slot);
        process_put(p, record, NULL, 0);
        process_ask(p, ORK_ASK_CANCEL, record, NULL, 0);
        p->phase = 1;
        return true;
    }
    if (!p->is_free && !p->answered)
        return false;
    if (process_is_nothing(p) && op->state == OP_DONE)
        p->problem = "a receive was cancelled that has its message";
    if (process_is_nothing(p) || (p->is_free && op->state != OP_DONE))
        op->state = OP_CANCELLED;
    return process_next_call(p);
}

static bool do_free(struct process *p, const struct step *s)
{
    if (!p->slot[s->slot].active || s->slot >= FIRST_PERSISTENT)
        return process_next(p);
    process_put(p, (struct ork_record){.kind = ORK_KIND_REQUEST_FREE, .request = s->slot}, NULL, 0);
    p->slot[s->slot].active = false;
    return process_next_call(p);
}

static bool has_entered(const struct process *p, uint32_t comm, uint32_t rank)
{
    return p->library->entered[comm][rank] >= p->calls[comm];
}

/* A collective call; `mode` is the operation. */
static bool call_all(struct process *p, uint32_t comm, enum ork_coll mode, int32_t root)
{
    struct library *l = p->library;
    bool of_root = mode == ORK_COLL_BCAST;

    if (p->phase == 0) {
        process_put(p,
                    (struct ork_record){.kind = ORK_KIND_COLL,
                                        .comm = comm,
                                        .mode = (uint16_t)mode,
                                        .peer = of_root ? root : ORK_NO_PEER,
                                        .bytes = of_root ? 8 : 0},
                    NULL, 0);
        p->calls[comm]++;
        p->phase = 1;
        if (!p->is_free && process_holds(p))
            process_ask(p, ORK_ASK_ENTER, (struct ork_record){0}, NULL, 0);
        return true;
    }
    if (p->phase == 1) {
        if (!p->is_free && process_holds(p) && !process_is_nothing(p))
            return false;
        l->entered[comm][p->rank]++;
        p->phase = 2;
        return true;
    }
    if (of_root)
        return has_entered(p, comm, p->rank) && has_entered(p, comm, (uint32_t)root);
    for (uint32_t r = 0; r < l->p->ranks; r++) {
        if (!has_entered(p, comm, r))
            return false;
    }
    return true;
}

static bool do_coll(struct process *p, const struct step *s)
{
    bool is_bcast = s->verb == VERB_BCAST;
    bool is_over = p->phase == 2;

    return call_all(p, s->comm, is_bcast ? ORK_COLL_BCAST : ORK_COLL_BARRIER, s->root) &&
           (!is_over || process_next_call(p));
}

static void define_dup(struct process *p)
{
    process_put(p,
                (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                    .comm = COMM_DUP,
                                    .flags = ORK_F_SAME_GROUP,
                                    .mode = ORK_COLL_COMM_DUP,
                                    .extra = 4711},
                NULL, 0);
}

static void define_inter(struct process *p)
{
    uint32_t ranks = p->library->p->ranks;
    uint32_t run[2][3] = {{0, 2, (ranks + 1) / 2}, {1, 2, ranks / 2}};
    uint32_t list[6], mine = p->rank % 2;

    memcpy(list, run[mine], sizeof(run[0]));
    memcpy(list + 3, run[!mine], sizeof(run[0]));
    process_put(p,
                (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                    .comm = COMM_INTER,
                                    .flags = ORK_F_INTER,
                                    .arg2 = 1,
                                    .mode = ORK_COLL_INTERCOMM_CREATE,
                                    .extra = 42},
                list, 6);
}

static void define_persistent(struct process *p)
{
    for (uint32_t i = FIRST_PERSISTENT; i < SLOTS; i++) {
        const struct step *s = &p->library->p->persistent[p->rank][i];
        struct ork_record record =
            process_record_of(s, s->verb == VERB_ISEND ? ORK_KIND_SEND : ORK_KIND_RECV);
        record.flags = ORK_F_PERSISTENT;
        record.request = i;
        process_put(p, record, NULL, 0);
    }
}

/* Make the communicators and persistent requests. */
static bool initialise(struct process *p)
{
    const struct program *is = p->library->p;

    if (is->has_dup && p->calls[ORK_COMM_WORLD] <= 1 && p->pc == 0) {
        bool is_over = p->phase == 2;
        if (!call_all(p, ORK_COMM_WORLD, ORK_COLL_COMM_DUP, 0))
            return false;
        if (!is_over)
            return true;
        define_dup(p);
    }
    if (is->has_inter)
        define_inter(p);
    if (is->has_window)
        process_define_window(p);
    define_persistent(p);
    p->phase = 0;
    p->initialised = true;
    return true;
}

static bool do_skip(struct process *p)
{
    p->pc += (p->hash & 1) != 0;
    return process_next(p);
}

static bool do_step(struct process *p)
{
    const struct step *s = process_step_of(p);

    if (p->phase == 0 && p->told != p->one_sided && s->verb != VERB_PUT && s->verb != VERB_ATOMIC)
        process_tell(p);
    switch ((int)s->verb) {
    case VERB_SEND:
        return process_do_send(p, *s);
    case VERB_ISEND:
    case VERB_IRECV:
        return process_do_nonblocking(p, s);
    case VERB_RECV:
        return process_do_recv(p, s);
    case VERB_SENDRECV:
        return process_do_sendrecv(p, s);
    case VERB_START:
        return process_do_start(p, s);
    case VERB_WAIT:
        return process_do_wait_for_all(p, 1u << s->slot, ORK_WAIT_ONE);
    case VERB_WAITALL:
        return process_do_wait_for_all(p, s->set, ORK_WAIT_ALL);
    case VERB_WAITANY:
        return process_do_waitany(p, s);
    case VERB_TESTALL:
    case VERB_TESTANY:
        return process_do_test(p, s);
    case VERB_PROBE:
    case VERB_MPROBE:
        return do_probe(p, s);
    case VERB_IPROBE:
        return do_iprobe(p, s);
    case VERB_CANCEL:
        return do_cancel(p, s);
    case VERB_FREE:
        return do_free(p, s);
    case VERB_BARRIER:
    case VERB_BCAST:
        return do_coll(p, s);
    case VERB_LOCK:
        return process_do_lock(p, s);
    case VERB_UNLOCK:
        return process_do_unlock(p, s);
    case VERB_ATOMIC:
        return process_do_atomic(p, s);
    case VERB_PUT:
        return process_do_put(p);
    default:
        return do_skip(p);
    }
}

/* Does it block inside the library, so that it does not look at its decisions? */
static bool is_inside_library(const struct process *p)
{
    if (p->library->p->polls_in_collectives)
        return false;
    if (p->ended)
        return !process_holds(p) || process_is_nothing(p);
    return p->initialised && p->phase == 2 && p->pc < p->library->p->steps[p->rank] &&
           (process_step_of(p)->verb == VERB_BARRIER || process_step_of(p)->verb == VERB_BCAST);
}

bool process_step(struct process *p)
{
    bool moved = false;

    if (!is_inside_library(p)) {
        moved = process_read_inbox(p);
        moved |= process_pump(p);
    }
    if (p->ended)
        return moved;
    if (!p->initialised)
        return initialise(p) || moved;
    if (p->pc >= p->library->p->steps[p->rank]) {
        process_put(p, (struct ork_record){.kind = ORK_KIND_FINALIZE}, NULL, 0);
        if (!p->is_free && process_holds(p))
            process_ask(p, ORK_ASK_ENTER, (struct ork_record){0}, NULL, 0);
        p->ended = true;
        return true;
    }
    return do_step(p) || moved;
}

/* ---- the end of a run ---- */

/* Who would take a message that no receive has taken. */
static void look_at_message(const struct process *p, const struct packet *m, bool *starved,
                            bool *is_known)
{
    const struct library *l = p->library;

    for (uint32_t i = 0; i < l->ops; i++) {
        const struct op *op = &l->op[i];
        if (op->is_send || op->state != OP_HELD || op->rank != p->rank || op->comm != m->comm ||
            !library_fits(op->source, op->tag, m))
            continue;
        *(op->wildcard && !op->decided ? starved : is_known) = true;
        return;
    }
    const struct step *s = process_step_of(p);
    if ((s->verb != VERB_PROBE && s->verb != VERB_MPROBE) || p->phase == 0 || s->comm != m->comm ||
        !library_fits(process_world_of(p, s->comm, s->peer), s->tag, m))
        return;
    *(process_is_behind(p, l->ops, s->comm, (int32_t)m->from, m->tag) ? is_known : starved) = true;
}

bool process_is_starved(const struct process *p, bool *is_known)
{
    bool starved = false;

    if (p->ended || !p->initialised)
        return false;
    for (uint32_t i = 0; i < p->library->messages; i++) {
        const struct packet *m = &p->library->message[i];
        if (m->state == ARRIVED && m->to == p->rank)
            look_at_message(p, m, &starved, is_known);
    }
    if (starved && is_inside_library(p)) {
        *is_known = true;
        return false;
    }
    return starved;
}
