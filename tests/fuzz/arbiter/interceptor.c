/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/arbiter/calls.h"

#include "common/hash.h"

#include <string.h>

/* ---- records ---- */

void process_put(struct process *p, struct ork_record record, const uint32_t *list, uint32_t count)
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

void process_ask(struct process *p, enum ork_ask what, struct ork_record record,
                 const uint32_t *list, uint32_t count)
{
    record.kind = ORK_KIND_ASK;
    record.mode = (uint16_t)what;
    record.extra = ++p->asks;
    record.bytes = p->told = p->one_sided;
    p->answered = p->ending = p->ended_test = false;
    process_put(p, record, list, count);
}

void process_tell(struct process *p)
{
    p->told = p->one_sided;
    process_put(
        p, (struct ork_record){.kind = ORK_KIND_ASK, .mode = ORK_ASK_STEPS, .bytes = p->one_sided},
        NULL, 0);
}

bool process_is_nothing(const struct process *p)
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

bool process_is_behind(const struct process *p, uint32_t before, uint32_t comm, int32_t source,
                       int32_t tag)
{
    for (uint32_t i = 0; i < before; i++) {
        const struct op *op = &p->library->op[i];
        if (op->rank == p->rank && op->state == OP_HELD && overlap(op, comm, source, tag))
            return true;
    }
    return false;
}

bool process_pump(struct process *p)
{
    struct library *l = p->library;
    bool any = false;

    for (uint32_t i = 0; i < l->ops; i++) {
        struct op *op = &l->op[i];
        if (op->rank != p->rank || op->state != OP_HELD)
            continue;
        if (!p->is_free && ((op->wildcard && !op->decided) ||
                            process_is_behind(p, i, op->comm, op->source, op->tag)))
            continue;
        library_start(l, op);
        any = true;
    }
    return any;
}

bool process_holds(const struct process *p)
{
    return process_is_behind(p, p->library->ops, ORK_COMM_WORLD, ORK_ANY_SOURCE, ORK_ANY_TAG) ||
           process_is_behind(p, p->library->ops, COMM_DUP, ORK_ANY_SOURCE, ORK_ANY_TAG) ||
           process_is_behind(p, p->library->ops, COMM_INTER, ORK_ANY_SOURCE, ORK_ANY_TAG);
}

int32_t process_world_of(const struct process *p, uint32_t comm, int32_t peer)
{
    return peer == ORK_ANY_SOURCE ? peer : (int32_t)library_world_of(comm, p->rank, peer);
}

uint32_t process_post_receive(struct process *p, uint32_t comm, int32_t peer, int32_t tag)
{
    uint32_t op = library_receive(p->library, comm, p->rank, process_world_of(p, comm, peer), tag);

    if (peer == ORK_ANY_SOURCE)
        p->library->op[op].number = ++p->wildcards;
    p->post_is = p->post_is_any = false;
    if (!p->is_free)
        process_told_receive(p, &p->library->op[op], comm, peer, tag);
    return op;
}

static void apply(struct process *p, const struct ork_decision *d)
{
    struct library *l = p->library;

    if (ork_decided_is_upcoming(d->decided)) {
        process_told_read(p, d);
        return;
    }
    if (d->decided == ORK_DECIDED_ENDING) {
        p->ending = d->number == p->asks && !process_is_nothing(p);
        return;
    }
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
        if (op->decided && op->source == process_world_of(p, op->comm, d->source) &&
            op->tag == d->tag)
            return; /* it was known before */
        if (op->state != OP_HELD || op->decided || d->tag < 0 ||
            (op->tag != ORK_ANY_TAG && op->tag != d->tag))
            p->problem = "an impossible decision";
        op->decided = true;
        op->source = process_world_of(p, op->comm, d->source);
        op->tag = d->tag;
        return;
    }
    p->problem = "a decision for a receive that was not posted";
}

bool process_read_inbox(struct process *p)
{
    bool any = p->inbox_count > 0;

    for (uint32_t i = 0; i < p->inbox_count; i++)
        apply(p, &p->inbox[i]);
    p->inbox_count = 0;
    return any;
}

/* ---- outcomes ---- */

void process_add(struct process *p, uint64_t what)
{
    p->hash = ork_hash_add(ork_hash_add(p->hash, p->pc), what);
}

void process_note(struct process *p, const struct packet *m)
{
    p->latest = (int32_t)m->from;
    process_add(p, m->id);
}

bool process_next(struct process *p)
{
    p->pc++;
    p->phase = p->polls = 0;
    return true;
}

bool process_next_call(struct process *p)
{
    p->row = 0;
    return process_next(p);
}

const struct packet *process_message_of(const struct process *p, const struct op *op)
{
    return &p->library->message[op->message];
}

void process_describe(const struct process *p, const struct op *op, uint32_t word[2])
{
    word[0] = (uint32_t)ORK_NO_PEER;
    word[1] = 0;
    if (op->is_send)
        return;
    if (op->state == OP_CANCELLED) {
        word[0] = (uint32_t)ORK_CANCELLED;
        return;
    }
    word[0] = (uint32_t)library_peer_of(op->comm, process_message_of(p, op)->from);
    word[1] = (uint32_t)process_message_of(p, op)->tag;
}

struct op *process_op_of(const struct process *p, uint32_t slot)
{
    return &p->library->op[p->slot[slot].op];
}

bool process_is_complete(const struct process *p, uint32_t slot)
{
    return !p->slot[slot].active || library_is_complete(p->library, process_op_of(p, slot));
}

void process_consume(struct process *p, uint32_t slot)
{
    struct op *op = process_op_of(p, slot);

    if (!p->slot[slot].active)
        return;
    p->slot[slot].active = false;
    if (op->state == OP_CANCELLED)
        process_add(p, 77);
    else if (!op->is_send)
        process_note(p, process_message_of(p, op));
}

bool process_needs_exit(const struct op *op)
{
    return op->state == OP_CANCELLED || op->wildcard || op->named_any;
}

const struct step *process_step_of(const struct process *p)
{
    return &p->library->p->step[p->rank][p->pc];
}

struct ork_record process_record_of(const struct step *s, enum ork_kind kind)
{
    return (struct ork_record){
        .kind = (uint8_t)kind, .comm = s->comm, .peer = s->peer, .tag = s->tag, .bytes = 8};
}
