/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages, and calls that complete requests. */
#include "tests/fuzz/arbiter/calls.h"

/* ---- messages ---- */

static uint32_t send_to(struct process *p, const struct step *s)
{
    uint32_t to = library_world_of(s->comm, p->rank, s->peer);

    process_told_sent(p, to);
    return library_send(p->library, s->comm, p->rank, to, s->tag, s->synchronous);
}

bool process_do_send(struct process *p, struct step s)
{
    if (p->phase > 0)
        return library_is_complete(p->library, &p->library->op[p->send]) && process_next_call(p);
    if (s.peer == PEER_LATEST && p->latest == NOBODY)
        return process_next(p);
    if (s.peer == PEER_LATEST)
        s.peer = p->latest;
    process_put(p, process_record_of(&s, ORK_KIND_SEND), NULL, 0);
    p->send = send_to(p, &s);
    p->phase = 1;
    return true;
}

bool process_do_nonblocking(struct process *p, const struct step *s)
{
    struct ork_record record =
        process_record_of(s, s->verb == VERB_ISEND ? ORK_KIND_SEND : ORK_KIND_RECV);

    if (p->phase > 0) {
        record.flags = ORK_F_NONBLOCKING;
        record.request = s->slot;
        process_put(p, record, NULL, 0);
        if (s->verb == VERB_IRECV)
            process_told_posted(p, s->slot);
        return process_next_call(p);
    }
    if (p->slot[s->slot].active)
        return process_next(p);
    p->slot[s->slot] = (struct slot){.active = true,
                                     .op = s->verb == VERB_ISEND
                                               ? send_to(p, s)
                                               : process_post_receive(p, s->comm, s->peer, s->tag)};
    process_pump(p);
    p->phase = 1;
    return true;
}

static void put_exit_of_receive(struct process *p, const struct op *op)
{
    uint32_t word[2];

    process_describe(p, op, word);
    if (process_needs_exit(op))
        process_put(p,
                    (struct ork_record){
                        .kind = ORK_KIND_EXIT, .peer = (int32_t)word[0], .tag = (int32_t)word[1]},
                    NULL, 0);
    process_note(p, process_message_of(p, op));
}

bool process_do_recv(struct process *p, const struct step *s)
{
    if (p->phase == 0) {
        process_put(p, process_record_of(s, ORK_KIND_RECV), NULL, 0);
        p->receive = process_post_receive(p, s->comm, s->peer, s->tag);
        if (s->peer == ORK_ANY_SOURCE && !p->post_is_any && !p->is_free)
            process_ask(p, ORK_ASK_RECEIVE, (struct ork_record){0}, NULL, 0);
        p->phase = 1;
        process_pump(p);
        return true;
    }
    const struct op *op = &p->library->op[p->receive];
    if (op->state != OP_DONE)
        return false;
    put_exit_of_receive(p, op);
    return process_next_call(p);
}

bool process_do_sendrecv(struct process *p, const struct step *s)
{
    if (p->phase == 0) {
        struct ork_record record = process_record_of(s, ORK_KIND_SENDRECV);
        record.peer2 = s->peer2;
        record.tag2 = s->tag2;
        process_put(p, record, NULL, 0);
        p->send = send_to(p, s);
        p->receive = process_post_receive(p, s->comm, s->peer2, s->tag2);
        if (s->peer2 == ORK_ANY_SOURCE && !p->post_is_any && !p->is_free)
            process_ask(p, ORK_ASK_RECEIVE, (struct ork_record){0}, NULL, 0);
        p->phase = 1;
        process_pump(p);
        return true;
    }
    const struct op *op = &p->library->op[p->receive];
    if (op->state != OP_DONE || !library_is_complete(p->library, &p->library->op[p->send]))
        return false;
    put_exit_of_receive(p, op);
    return process_next_call(p);
}

bool process_do_start(struct process *p, const struct step *s)
{
    uint32_t list[SLOTS], n = 0;

    for (uint32_t i = FIRST_PERSISTENT; i < SLOTS; i++) {
        if ((s->set >> i & 1) != 0 && !p->slot[i].active)
            list[n++] = i;
    }
    if (n == 0)
        return process_next(p);
    process_put(p, (struct ork_record){.kind = ORK_KIND_START}, list, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct step *made = &p->library->p->persistent[p->rank][list[i]];
        bool sends = made->verb == VERB_ISEND;
        p->slot[list[i]] =
            (struct slot){.active = true,
                          .op = sends ? send_to(p, made)
                                      : process_post_receive(p, made->comm, made->peer, made->tag)};
        if (!sends && !p->is_free)
            process_told_posted(p, list[i]);
    }
    process_pump(p);
    return process_next_call(p);
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

/* Is one of them a receive that the library has not got? */
static bool holds_any(const struct process *p, const uint32_t *slot, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (p->slot[slot[i]].active && process_op_of(p, slot[i])->state == OP_HELD)
            return true;
    }
    return false;
}

bool process_do_wait_for_all(struct process *p, uint32_t set, enum ork_wait_mode mode)
{
    uint32_t list[SLOTS], slot[SLOTS], exit[3 * SLOTS], n, words = 0;

    list_of(p, set, list, slot, &n);
    if (p->phase == 0) {
        process_put(p, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = (uint16_t)mode}, list, n);
        if (holds_any(p, slot, n) && !p->is_free)
            process_ask(p, ORK_ASK_RECEIVE, (struct ork_record){0}, NULL, 0);
        p->phase = 1;
        return true;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!process_is_complete(p, slot[i]))
            return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (p->slot[slot[i]].active && process_needs_exit(process_op_of(p, slot[i]))) {
            exit[words] = i;
            process_describe(p, process_op_of(p, slot[i]), exit + words + 1);
            words += 3;
        }
        process_consume(p, slot[i]);
    }
    if (words > 0)
        process_put(p, (struct ork_record){.kind = ORK_KIND_EXIT}, exit, words);
    return process_next_call(p);
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
        if (p->slot[slot[i]].active && process_is_complete(p, slot[i]))
            return i;
    }
    return UINT32_MAX;
}

bool process_do_waitany(struct process *p, const struct step *s)
{
    uint32_t list[SLOTS], slot[SLOTS], n, exit[3];
    uint32_t active = list_of(p, s->set, list, slot, &n);

    if (p->phase == 0) {
        process_put(p, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ANY}, list, n);
        if (active > 0 && !process_told_index(p, slot, n))
            process_ask(p, ORK_ASK_WAIT_ANY, (struct ork_record){0}, list, n);
        p->phase = 1;
        return true;
    }
    if (active == 0)
        return process_next_call(p);
    uint32_t i = completed_one(p, slot, n);
    if (i == UINT32_MAX)
        return false;
    exit[0] = i;
    process_describe(p, process_op_of(p, slot[i]), exit + 1);
    process_put(p, (struct ork_record){.kind = ORK_KIND_EXIT}, exit, 3);
    process_add(p, i);
    process_consume(p, slot[i]);
    return process_next_call(p);
}

bool process_poll_again(struct process *p, const struct step *s)
{
    p->row++;
    p->phase = 0;
    return ++p->polls >= s->polls ? process_next(p) : true;
}

bool process_is_question(const struct process *p)
{
    return !p->is_free && p->row == 7;
}

bool process_after_question(struct process *p, const struct step *s)
{
    p->row = UINT32_MAX; /* process_poll_again() makes it 0 */
    return process_poll_again(p, s);
}

/* Does it find them complete, so that it need not ask? */
static bool finds_all(struct process *p, const uint32_t *slot, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!process_is_complete(p, slot[i]))
            return false;
    }
    p->answered = p->ending = false;
    p->asks++;
    return wfg_random_percent(p->random, 70);
}

/* It has read that its test is over, and looks no more. */
static bool say_ended(struct process *p)
{
    bool is_new = !p->ended_test;

    if (is_new)
        process_put(
            p, (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_ENDED, .bytes = p->told},
            NULL, 0);
    p->ended_test = true;
    return is_new;
}

bool process_do_test(struct process *p, const struct step *s)
{
    uint32_t list[SLOTS], slot[SLOTS], n, tested[3 * SLOTS], words = 0;
    bool all = s->verb == VERB_TESTALL;
    uint32_t active = list_of(p, s->set, list, slot, &n), i = UINT32_MAX;

    if (active == 0)
        return process_next_call(p);
    if (p->phase == 0 && !p->is_free) {
        if (!process_is_question(p))
            return process_poll_again(p, s);
        if (all ? !finds_all(p, slot, n) : !process_told_index(p, slot, n))
            process_ask(p, all ? ORK_ASK_TEST_ALL : ORK_ASK_TEST_ANY, (struct ork_record){0}, list,
                        n);
        p->phase = 1;
        return true;
    }
    if (process_is_nothing(p))
        return process_after_question(p, s);
    if (p->ending)
        return say_ended(p);
    if (all) {
        for (i = 0; i < n && process_is_complete(p, slot[i]);)
            i++;
        i = i == n ? 0 : UINT32_MAX;
    } else {
        i = completed_one(p, slot, n);
    }
    if (i == UINT32_MAX)
        return p->is_free && process_poll_again(p, s);
    for (uint32_t k = all ? 0 : i; k < (all ? n : i + 1); k++) {
        if (!p->slot[slot[k]].active)
            continue;
        tested[words] = slot[k];
        process_describe(p, process_op_of(p, slot[k]), tested + words + 1);
        words += 3;
        process_consume(p, slot[k]);
    }
    process_add(p, 1000 + i + p->polls * (uint64_t)100);
    process_put(p, (struct ork_record){.kind = ORK_KIND_TESTED}, tested, words);
    return process_next_call(p);
}
