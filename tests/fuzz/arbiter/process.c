/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/arbiter/process.h"

#include "common/hash.h"

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

/* ---- records ---- */

static void put(struct process *p, struct ork_record record, const uint32_t *list, uint32_t count)
{
    if (p->is_free)
        return;
    if (p->records + 1 + ork_record_conts(count) > MAX_RECORDS)
        abort();
    record.count = count;
    p->record[p->records++] = record;
    for (uint32_t done = 0; done < count; done += ORK_CONT_WORDS) {
        uint32_t words = count - done < ORK_CONT_WORDS ? count - done : ORK_CONT_WORDS;
        struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)words};
        memcpy(cont.word, list + done, words * sizeof(uint32_t));
        memcpy(&p->record[p->records++], &cont, sizeof(cont));
    }
}

static void ask(struct process *p, enum ork_ask what, struct ork_record record,
                const uint32_t *list, uint32_t count)
{
    record.kind = ORK_KIND_ASK;
    record.mode = (uint16_t)what;
    record.extra = ++p->asks;
    p->answered = false;
    put(p, record, list, count);
}

static bool is_nothing(const struct process *p)
{
    return p->answered && p->answer.decided == ORK_DECIDED_NOTHING;
}

/* ---- receives ---- */

static bool overlap(const struct op *op, uint32_t comm, int32_t source, int32_t tag)
{
    return op->comm == comm &&
           (op->source == ORK_ANY_SOURCE || source == ORK_ANY_SOURCE || op->source == source) &&
           (op->tag == ORK_ANY_TAG || tag == ORK_ANY_TAG || op->tag == tag);
}

/* Is an operation of the rank, before this one, held although it could take the same message? */
static bool is_behind(const struct process *p, uint32_t before, uint32_t comm, int32_t source,
                      int32_t tag)
{
    for (uint32_t i = 0; i < before; i++) {
        const struct op *op = &p->library->op[i];
        if (op->rank == p->rank && op->state == OP_HELD && overlap(op, comm, source, tag))
            return true;
    }
    return false;
}

/* Start the receives that may be started. */
static bool pump(struct process *p)
{
    struct library *l = p->library;
    bool any = false;

    for (uint32_t i = 0; i < l->ops; i++) {
        struct op *op = &l->op[i];
        if (op->rank != p->rank || op->state != OP_HELD)
            continue;
        if (!p->is_free &&
            ((op->wildcard && !op->decided) || is_behind(p, i, op->comm, op->source, op->tag)))
            continue;
        library_start(l, op);
        any = true;
    }
    return any;
}

static bool holds(const struct process *p)
{
    return is_behind(p, p->library->ops, ORK_COMM_WORLD, ORK_ANY_SOURCE, ORK_ANY_TAG) ||
           is_behind(p, p->library->ops, COMM_DUP, ORK_ANY_SOURCE, ORK_ANY_TAG) ||
           is_behind(p, p->library->ops, COMM_INTER, ORK_ANY_SOURCE, ORK_ANY_TAG);
}

static int32_t world_of(const struct process *p, uint32_t comm, int32_t peer)
{
    return peer == ORK_ANY_SOURCE ? peer : (int32_t)library_world_of(comm, p->rank, peer);
}

static uint32_t post_receive(struct process *p, uint32_t comm, int32_t peer, int32_t tag)
{
    uint32_t op = library_receive(p->library, comm, p->rank, world_of(p, comm, peer), tag);

    if (peer == ORK_ANY_SOURCE)
        p->library->op[op].number = ++p->wildcards;
    return op;
}

static void apply(struct process *p, const struct ork_decision *d)
{
    struct library *l = p->library;

    if (d->decided != ORK_DECIDED_RECEIVE) {
        if (d->number == p->asks) {
            p->answer = *d;
            p->answered = true;
        }
        return;
    }
    for (uint32_t i = 0; i < l->ops; i++) {
        struct op *op = &l->op[i];
        if (op->rank != p->rank || op->is_send || op->number != d->number)
            continue;
        if (op->state != OP_HELD || op->decided || d->tag < 0 ||
            (op->tag != ORK_ANY_TAG && op->tag != d->tag))
            p->problem = "an impossible decision";
        op->decided = true;
        op->source = world_of(p, op->comm, d->source);
        op->tag = d->tag;
        return;
    }
    p->problem = "a decision for a receive that was not posted";
}

static bool read_inbox(struct process *p)
{
    bool any = p->inbox_count > 0;

    for (uint32_t i = 0; i < p->inbox_count; i++)
        apply(p, &p->inbox[i]);
    p->inbox_count = 0;
    return any;
}

/* ---- outcomes ---- */

static void add(struct process *p, uint64_t what)
{
    p->hash = ork_hash_add(ork_hash_add(p->hash, p->pc), what);
}

static void note(struct process *p, const struct packet *m)
{
    p->latest = (int32_t)m->from;
    add(p, m->id);
}

static bool next(struct process *p)
{
    p->pc++;
    p->phase = p->polls = 0;
    return true;
}

/* After a call that is no unsuccessful poll. */
static bool next_call(struct process *p)
{
    p->row = 0;
    return next(p);
}

static const struct packet *message_of(const struct process *p, const struct op *op)
{
    return &p->library->message[op->message];
}

/* A word triple of EXIT or TESTED. */
static void describe(const struct process *p, const struct op *op, uint32_t word[2])
{
    word[0] = (uint32_t)ORK_NO_PEER;
    word[1] = 0;
    if (op->is_send)
        return;
    if (op->state == OP_CANCELLED) {
        word[0] = (uint32_t)ORK_CANCELLED;
        return;
    }
    word[0] = (uint32_t)library_peer_of(op->comm, message_of(p, op)->from);
    word[1] = (uint32_t)message_of(p, op)->tag;
}

static struct op *op_of(const struct process *p, uint32_t slot)
{
    return &p->library->op[p->slot[slot].op];
}

static bool is_complete(const struct process *p, uint32_t slot)
{
    return !p->slot[slot].active || library_is_complete(p->library, op_of(p, slot));
}

static void consume(struct process *p, uint32_t slot)
{
    struct op *op = op_of(p, slot);

    if (!p->slot[slot].active)
        return;
    p->slot[slot].active = false;
    if (op->state == OP_CANCELLED)
        add(p, 77);
    else if (!op->is_send)
        note(p, message_of(p, op));
}

static bool needs_exit(const struct op *op)
{
    return op->state == OP_CANCELLED || op->wildcard || op->named_any;
}

/* ---- messages ---- */

static const struct step *step_of(const struct process *p)
{
    return &p->library->p->step[p->rank][p->pc];
}

static struct ork_record record_of(const struct step *s, enum ork_kind kind)
{
    return (struct ork_record){
        .kind = (uint8_t)kind, .comm = s->comm, .peer = s->peer, .tag = s->tag, .bytes = 8};
}

static uint32_t send_to(struct process *p, const struct step *s)
{
    return library_send(p->library, s->comm, p->rank, library_world_of(s->comm, p->rank, s->peer),
                        s->tag, s->synchronous);
}

static bool do_send(struct process *p, struct step s)
{
    if (p->phase > 0)
        return library_is_complete(p->library, &p->library->op[p->send]) && next_call(p);
    if (s.peer == PEER_LATEST && p->latest == NOBODY)
        return next(p);
    if (s.peer == PEER_LATEST)
        s.peer = p->latest;
    put(p, record_of(&s, ORK_KIND_SEND), NULL, 0);
    p->send = send_to(p, &s);
    p->phase = 1;
    return true;
}

/* The record of a nonblocking call is written when it has returned. */
static bool do_nonblocking(struct process *p, const struct step *s)
{
    struct ork_record record = record_of(s, s->verb == VERB_ISEND ? ORK_KIND_SEND : ORK_KIND_RECV);

    if (p->phase > 0) {
        record.flags = ORK_F_NONBLOCKING;
        record.request = s->slot;
        put(p, record, NULL, 0);
        return next_call(p);
    }
    if (p->slot[s->slot].active)
        return next(p);
    p->slot[s->slot] = (struct slot){
        .active = true,
        .op = s->verb == VERB_ISEND ? send_to(p, s) : post_receive(p, s->comm, s->peer, s->tag)};
    pump(p);
    p->phase = 1;
    return true;
}

static void put_exit_of_receive(struct process *p, const struct op *op)
{
    uint32_t word[2];

    describe(p, op, word);
    if (needs_exit(op))
        put(p,
            (struct ork_record){
                .kind = ORK_KIND_EXIT, .peer = (int32_t)word[0], .tag = (int32_t)word[1]},
            NULL, 0);
    note(p, message_of(p, op));
}

static bool do_recv(struct process *p, const struct step *s)
{
    if (p->phase == 0) {
        put(p, record_of(s, ORK_KIND_RECV), NULL, 0);
        p->receive = post_receive(p, s->comm, s->peer, s->tag);
        p->phase = 1;
        pump(p);
        return true;
    }
    const struct op *op = &p->library->op[p->receive];
    if (op->state != OP_DONE)
        return false;
    put_exit_of_receive(p, op);
    return next_call(p);
}

static bool do_sendrecv(struct process *p, const struct step *s)
{
    if (p->phase == 0) {
        struct ork_record record = record_of(s, ORK_KIND_SENDRECV);
        record.peer2 = s->peer2;
        record.tag2 = s->tag2;
        put(p, record, NULL, 0);
        p->send = send_to(p, s);
        p->receive = post_receive(p, s->comm, s->peer2, s->tag2);
        p->phase = 1;
        pump(p);
        return true;
    }
    const struct op *op = &p->library->op[p->receive];
    if (op->state != OP_DONE || !library_is_complete(p->library, &p->library->op[p->send]))
        return false;
    put_exit_of_receive(p, op);
    return next_call(p);
}

static bool do_start(struct process *p, const struct step *s)
{
    uint32_t list[SLOTS], n = 0;

    for (uint32_t i = FIRST_PERSISTENT; i < SLOTS; i++) {
        if ((s->set >> i & 1) != 0 && !p->slot[i].active)
            list[n++] = i;
    }
    if (n == 0)
        return next(p);
    put(p, (struct ork_record){.kind = ORK_KIND_START}, list, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct step *made = &p->library->p->persistent[p->rank][list[i]];
        p->slot[list[i]] = (struct slot){
            .active = true,
            .op = made->verb == VERB_ISEND ? send_to(p, made)
                                           : post_receive(p, made->comm, made->peer, made->tag)};
    }
    pump(p);
    return next_call(p);
}

/* ---- completion ---- */

/* The requests of the set; inactive ones as null or by their number. Number of active ones. */
static uint32_t list_of(const struct process *p, uint32_t set, uint32_t *list, uint32_t *slot,
                        uint32_t *n)
{
    uint32_t active = 0;

    *n = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if ((set >> i & 1) == 0)
            continue;
        active += p->slot[i].active;
        slot[*n] = i;
        list[(*n)++] = p->slot[i].active ? i : ORK_REQUEST_NULL;
    }
    return active;
}

static bool do_wait_for_all(struct process *p, uint32_t set, enum ork_wait_mode mode)
{
    uint32_t list[SLOTS], slot[SLOTS], exit[3 * SLOTS], n, words = 0;

    list_of(p, set, list, slot, &n);
    if (p->phase == 0) {
        put(p, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = (uint16_t)mode}, list, n);
        p->phase = 1;
        return true;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!is_complete(p, slot[i]))
            return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (p->slot[slot[i]].active && needs_exit(op_of(p, slot[i]))) {
            exit[words] = i;
            describe(p, op_of(p, slot[i]), exit + words + 1);
            words += 3;
        }
        consume(p, slot[i]);
    }
    if (words > 0)
        put(p, (struct ork_record){.kind = ORK_KIND_EXIT}, exit, words);
    return next_call(p);
}

/* An index of the list that completes now; UINT32_MAX: none. */
static uint32_t completed_one(struct process *p, const uint32_t *slot, uint32_t n)
{
    uint32_t start = n == 0 ? 0 : wfg_random_below(p->random, n);

    if (!p->is_free && !p->answered)
        return UINT32_MAX;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = p->is_free ? (start + k) % n : (uint32_t)p->answer.source;
        if (i >= n || (!p->is_free && !p->slot[slot[i]].active)) {
            p->problem = "an impossible index";
            return UINT32_MAX;
        }
        if (p->slot[slot[i]].active && is_complete(p, slot[i]))
            return i;
    }
    return UINT32_MAX;
}

static bool do_waitany(struct process *p, const struct step *s)
{
    uint32_t list[SLOTS], slot[SLOTS], n, exit[3];
    uint32_t active = list_of(p, s->set, list, slot, &n);

    if (p->phase == 0) {
        put(p, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ANY}, list, n);
        if (active > 0)
            ask(p, ORK_ASK_WAIT_ANY, (struct ork_record){0}, list, n);
        p->phase = 1;
        return true;
    }
    if (active == 0)
        return next_call(p);
    uint32_t i = completed_one(p, slot, n);
    if (i == UINT32_MAX)
        return false;
    exit[0] = i;
    describe(p, op_of(p, slot[i]), exit + 1);
    put(p, (struct ork_record){.kind = ORK_KIND_EXIT}, exit, 3);
    add(p, i);
    consume(p, slot[i]);
    return next_call(p);
}

/* A poll was unsuccessful. */
static bool poll_again(struct process *p, const struct step *s)
{
    p->row++;
    p->phase = 0;
    return ++p->polls >= s->polls ? next(p) : true;
}

/* Is this poll a question? */
static bool is_question(const struct process *p)
{
    return !p->is_free && p->row == 7;
}

static bool after_question(struct process *p, const struct step *s)
{
    p->row = UINT32_MAX; /* poll_again() makes it 0 */
    return poll_again(p, s);
}

static bool do_test(struct process *p, const struct step *s)
{
    uint32_t list[SLOTS], slot[SLOTS], n, tested[3 * SLOTS], words = 0;
    bool all = s->verb == VERB_TESTALL;
    uint32_t active = list_of(p, s->set, list, slot, &n), i = UINT32_MAX;

    if (active == 0)
        return next_call(p);
    if (p->phase == 0 && !p->is_free) {
        if (!is_question(p))
            return poll_again(p, s);
        ask(p, all ? ORK_ASK_TEST_ALL : ORK_ASK_TEST_ANY, (struct ork_record){0}, list, n);
        p->phase = 1;
        return true;
    }
    if (is_nothing(p))
        return after_question(p, s);
    if (all) {
        for (i = 0; i < n && is_complete(p, slot[i]);)
            i++;
        i = i == n ? 0 : UINT32_MAX;
    } else {
        i = completed_one(p, slot, n);
    }
    if (i == UINT32_MAX)
        return p->is_free && poll_again(p, s);
    for (uint32_t k = all ? 0 : i; k < (all ? n : i + 1); k++) {
        if (!p->slot[slot[k]].active)
            continue;
        tested[words] = slot[k];
        describe(p, op_of(p, slot[k]), tested + words + 1);
        words += 3;
        consume(p, slot[k]);
    }
    add(p, 1000 + i + p->polls * (uint64_t)100);
    put(p, (struct ork_record){.kind = ORK_KIND_TESTED}, tested, words);
    return next_call(p);
}

/* ---- probes ---- */

/* The message that the probe finds now; MAX_OPS: none. */
static uint32_t found(const struct process *p, const struct step *s, bool asked)
{
    int32_t source = world_of(p, s->comm, s->peer), tag = s->tag;

    if (asked && !p->answered)
        return MAX_OPS;
    if (asked) {
        source = world_of(p, s->comm, p->answer.source);
        tag = p->answer.tag;
    }
    if (!p->is_free && is_behind(p, p->library->ops, s->comm, source, tag))
        return MAX_OPS;
    return library_probe(p->library, s->comm, p->rank, source, tag);
}

static bool receive_probed(struct process *p)
{
    put(p, (struct ork_record){.kind = ORK_KIND_MRECV, .arg = p->messages++}, NULL, 0);
    p->library->message[p->probed].state = RECEIVED;
    return next_call(p);
}

static bool do_probe(struct process *p, const struct step *s)
{
    bool matched = s->verb == VERB_MPROBE;
    struct ork_record record = record_of(s, ORK_KIND_PROBE);
    int32_t source = world_of(p, s->comm, s->peer);

    if (p->phase == 3)
        return receive_probed(p);
    record.flags = matched ? ORK_F_MATCHED : 0;
    if (p->phase == 0) {
        bool asks = s->peer == ORK_ANY_SOURCE || wfg_random_percent(p->random, 30) ||
                    is_behind(p, p->library->ops, s->comm, source, s->tag);
        put(p, record, NULL, 0);
        if (asks && !p->is_free)
            ask(p, ORK_ASK_PROBE, record, NULL, 0);
        p->phase = asks && !p->is_free ? 1 : 2;
        return true;
    }
    uint32_t message = found(p, s, p->phase == 1);
    if (message == MAX_OPS)
        return false;
    const struct packet *m = &p->library->message[message];
    if (matched || s->peer == ORK_ANY_SOURCE || s->tag == ORK_ANY_TAG)
        put(p,
            (struct ork_record){.kind = ORK_KIND_EXIT,
                                .peer = library_peer_of(s->comm, m->from),
                                .tag = m->tag,
                                .request = p->messages},
            NULL, 0);
    note(p, m);
    if (!matched)
        return next_call(p);
    p->library->message[message].state = TAKEN;
    p->probed = message;
    p->phase = 3;
    return true;
}

static bool do_iprobe(struct process *p, const struct step *s)
{
    struct ork_record record = record_of(s, ORK_KIND_PROBED);

    if (p->phase == 0 && !p->is_free) {
        if (!is_question(p))
            return poll_again(p, s);
        ask(p, ORK_ASK_TEST_PROBE, record, NULL, 0);
        p->phase = 1;
        return true;
    }
    if (is_nothing(p))
        return after_question(p, s);
    uint32_t message = found(p, s, !p->is_free);
    if (message == MAX_OPS)
        return p->is_free && poll_again(p, s);
    const struct packet *m = &p->library->message[message];
    record.peer2 = library_peer_of(s->comm, m->from);
    record.tag2 = m->tag;
    put(p, record, NULL, 0);
    add(p, p->polls);
    note(p, m);
    return next_call(p);
}

/* ---- other calls ---- */

static bool do_cancel(struct process *p, const struct step *s)
{
    struct op *op = op_of(p, s->slot);
    struct ork_record record = {.kind = ORK_KIND_CANCEL, .request = s->slot};

    if (!p->slot[s->slot].active || op->is_send)
        return next(p);
    if (p->phase == 0) {
        put(p, record, NULL, 0);
        ask(p, ORK_ASK_CANCEL, record, NULL, 0);
        p->phase = 1;
        return true;
    }
    if (!p->is_free && !p->answered)
        return false;
    if (is_nothing(p) && op->state == OP_DONE)
        p->problem = "a receive was cancelled that has its message";
    if (is_nothing(p) || (p->is_free && op->state != OP_DONE))
        op->state = OP_CANCELLED;
    return next_call(p);
}

static bool do_free(struct process *p, const struct step *s)
{
    if (!p->slot[s->slot].active || s->slot >= FIRST_PERSISTENT)
        return next(p);
    put(p, (struct ork_record){.kind = ORK_KIND_REQUEST_FREE, .request = s->slot}, NULL, 0);
    p->slot[s->slot].active = false;
    return next_call(p);
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
        put(p,
            (struct ork_record){.kind = ORK_KIND_COLL,
                                .comm = comm,
                                .mode = (uint16_t)mode,
                                .peer = of_root ? root : ORK_NO_PEER,
                                .bytes = of_root ? 8 : 0},
            NULL, 0);
        p->calls[comm]++;
        p->phase = 1;
        if (!p->is_free && holds(p))
            ask(p, ORK_ASK_ENTER, (struct ork_record){0}, NULL, 0);
        return true;
    }
    if (p->phase == 1) {
        if (!p->is_free && holds(p) && !is_nothing(p))
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
           (!is_over || next_call(p));
}

static void define_dup(struct process *p)
{
    put(p,
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
    put(p,
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
            record_of(s, s->verb == VERB_ISEND ? ORK_KIND_SEND : ORK_KIND_RECV);
        record.flags = ORK_F_PERSISTENT;
        record.request = i;
        put(p, record, NULL, 0);
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
    define_persistent(p);
    p->phase = 0;
    p->initialised = true;
    return true;
}

static bool do_skip(struct process *p)
{
    p->pc += (p->hash & 1) != 0;
    return next(p);
}

static bool do_step(struct process *p)
{
    const struct step *s = step_of(p);

    switch ((int)s->verb) {
    case VERB_SEND:
        return do_send(p, *s);
    case VERB_ISEND:
    case VERB_IRECV:
        return do_nonblocking(p, s);
    case VERB_RECV:
        return do_recv(p, s);
    case VERB_SENDRECV:
        return do_sendrecv(p, s);
    case VERB_START:
        return do_start(p, s);
    case VERB_WAIT:
        return do_wait_for_all(p, 1u << s->slot, ORK_WAIT_ONE);
    case VERB_WAITALL:
        return do_wait_for_all(p, s->set, ORK_WAIT_ALL);
    case VERB_WAITANY:
        return do_waitany(p, s);
    case VERB_TESTALL:
    case VERB_TESTANY:
        return do_test(p, s);
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
        return !holds(p) || is_nothing(p);
    return p->initialised && p->phase == 2 && p->pc < p->library->p->steps[p->rank] &&
           (step_of(p)->verb == VERB_BARRIER || step_of(p)->verb == VERB_BCAST);
}

bool process_step(struct process *p)
{
    bool moved = false;

    if (!is_inside_library(p)) {
        moved = read_inbox(p);
        moved |= pump(p);
    }
    if (p->ended)
        return moved;
    if (!p->initialised)
        return initialise(p) || moved;
    if (p->pc >= p->library->p->steps[p->rank]) {
        put(p, (struct ork_record){.kind = ORK_KIND_FINALIZE}, NULL, 0);
        if (!p->is_free && holds(p))
            ask(p, ORK_ASK_ENTER, (struct ork_record){0}, NULL, 0);
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
    const struct step *s = step_of(p);
    if ((s->verb != VERB_PROBE && s->verb != VERB_MPROBE) || p->phase == 0 || s->comm != m->comm ||
        !library_fits(world_of(p, s->comm, s->peer), s->tag, m))
        return;
    *(is_behind(p, l->ops, s->comm, (int32_t)m->from, m->tag) ? is_known : starved) = true;
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
