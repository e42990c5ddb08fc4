/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank hand communicators and requests to each other, by a join or a lock that nobody
 * sees here. But the records of a rank have one order, and a strand must not get ahead of another
 * one's queue in what both name: the k-th collective call on a communicator is that of the records,
 * a number means what it meant when the record was written, and MPI_Finalize comes last. */
#include "detector/calls/call.h"
#include "detector/calls/turn.h"

#include <stdlib.h>
#include <string.h>

/* A record and its list, in a queue or (held) beside it. */
struct event {
    const struct ork_record *rec;
    const struct slots *queue;
    size_t at;
    const uint32_t *list;
};

static const struct ork_record *slot(const struct slots *q, size_t i)
{
    return &q->slot[(q->first + i) & (q->cap - 1)];
}

static uint64_t when(const struct slots *q, size_t i)
{
    return q->when[(q->first + i) & (q->cap - 1)];
}

static uint32_t word(const struct event *e, uint32_t i)
{
    struct ork_cont cont;

    if (e->queue == NULL)
        return e->list[i];
    memcpy(&cont, slot(e->queue, e->at + 1 + i / ORK_CONT_WORDS), sizeof(cont));
    return cont.word[i % ORK_CONT_WORDS];
}

/* ---- what a record names ---- */

static bool has_comm(const struct ork_record *rec)
{
    if (rec->comm == ORK_COMM_UNKNOWN)
        return false;
    switch ((int)rec->kind) {
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
    case ORK_KIND_PROBE:
    case ORK_KIND_PROBED:
    case ORK_KIND_COLL:
    case ORK_KIND_COMM_DEF:
    case ORK_KIND_COMM_NAME:
    case ORK_KIND_WIN_POST:
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_COMPLETE:
    case ORK_KIND_WIN_WAIT:
    case ORK_KIND_WIN_TESTED:
    case ORK_KIND_WIN_LOCK:
    case ORK_KIND_WIN_UNLOCK:
        return true;
    default:
        return false;
    }
}

static bool makes_request(const struct ork_record *rec)
{
    return (rec->kind == ORK_KIND_SEND || rec->kind == ORK_KIND_RECV ||
            rec->kind == ORK_KIND_COLL || rec->kind == ORK_KIND_MRECV) &&
           (rec->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT));
}

static uint32_t requests(const struct ork_record *rec)
{
    switch ((int)rec->kind) {
    case ORK_KIND_START:
    case ORK_KIND_WAIT:
        return rec->count;
    case ORK_KIND_TESTED:
        return rec->count / 3;
    case ORK_KIND_CANCEL:
    case ORK_KIND_REQUEST_FREE:
    case ORK_KIND_EARLY:
        return 1;
    default:
        return makes_request(rec);
    }
}

static uint32_t request(const struct event *e, uint32_t i)
{
    switch ((int)e->rec->kind) {
    case ORK_KIND_START:
    case ORK_KIND_WAIT:
        return word(e, i);
    case ORK_KIND_TESTED:
        return word(e, 3 * i);
    default:
        return e->rec->request;
    }
}

static bool names_request(const struct event *e, uint32_t wanted)
{
    for (uint32_t i = 0; i < requests(e->rec); i++) {
        if (request(e, i) == wanted)
            return true;
    }
    return false;
}

static bool is_destructor(const struct ork_record *rec)
{
    return rec->kind == ORK_KIND_COLL && ork_call_destroys(rec->mode);
}

/* ---- how often a queue names what, to find soon that it does not ---- */

enum name { DEFINED, COLLECTIVE, USED, REQUEST, NAME_KINDS }; /* a communicator; a request */
enum { NAMES_FIRST = 64, NAMES_MAX = 1 << 16 };

/* Exact for numbers below NAMES_MAX. */
struct names {
    uint32_t size; /* a power of two */
    uint32_t count[];
};

static uint32_t *count_of(struct names *n, enum name kind, uint32_t number)
{
    return &n->count[(uint32_t)kind * n->size + (number & (n->size - 1))];
}

static bool is_named(struct names *n, enum name kind, uint32_t number)
{
    return (number < n->size || n->size == NAMES_MAX) && *count_of(n, kind, number) > 0;
}

static uint32_t largest_name(const struct event *e)
{
    uint32_t most = has_comm(e->rec) ? e->rec->comm : 0;

    for (uint32_t i = 0; i < requests(e->rec); i++) {
        uint32_t number = request(e, i);
        if (number < ORK_REQUEST_SHARED && number > most)
            most = number;
    }
    return most;
}

static void count_names(struct names *n, const struct event *e, uint32_t change)
{
    if (has_comm(e->rec)) {
        *count_of(n, USED, e->rec->comm) += change;
        if (e->rec->kind == ORK_KIND_COMM_DEF)
            *count_of(n, DEFINED, e->rec->comm) += change;
        else if (e->rec->kind == ORK_KIND_COLL)
            *count_of(n, COLLECTIVE, e->rec->comm) += change;
    }
    for (uint32_t i = 0; i < requests(e->rec); i++) {
        if (request(e, i) < ORK_REQUEST_SHARED)
            *count_of(n, REQUEST, request(e, i)) += change;
    }
}

static size_t next_event(const struct slots *q, size_t i)
{
    return i + 1 + ork_record_conts(slot(q, i)->count);
}

/* Count the queue, with room for what it names and for `number`. */
static struct names *name_queue(struct strand *st, uint32_t number)
{
    const struct slots *q = &st->queue;
    uint32_t size = NAMES_FIRST;

    for (size_t i = 0; i < q->count; i = next_event(q, i)) {
        uint32_t most = largest_name(&(struct event){.rec = slot(q, i), .queue = q, .at = i});
        number = most > number ? most : number;
    }
    while (size <= number && size < NAMES_MAX)
        size *= 2;
    free(st->names);
    st->names = calloc(1, sizeof(*st->names) + NAME_KINDS * size * sizeof(*st->names->count));
    if (st->names == NULL) {
        st->proc->d->failed = true;
        return NULL;
    }
    st->names->size = size;
    for (size_t i = 0; i < q->count; i = next_event(q, i))
        count_names(st->names, &(struct event){.rec = slot(q, i), .queue = q, .at = i}, 1);
    return st->names;
}

/* RATIONALE: made when another strand asks for the first time; with one thread nobody does. */
static struct names *names_of(struct strand *st)
{
    return st->names != NULL ? st->names : name_queue(st, 0);
}

void ork_turn_queued(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    struct event e = {.rec = rec, .list = list};
    uint32_t most = largest_name(&e);

    if (most >= st->names->size && st->names->size < NAMES_MAX && name_queue(st, most) == NULL)
        return;
    count_names(st->names, &e, 1);
}

void ork_turn_taken(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    count_names(st->names, &(struct event){.rec = rec, .list = list}, UINT32_MAX);
}

/* May some event that is counted in `n` have to come before `late`? */
static bool may_precede(struct names *n, const struct event *late)
{
    uint32_t comm = late->rec->comm;

    if (has_comm(late->rec)) {
        if (late->rec->kind == ORK_KIND_COMM_DEF || is_destructor(late->rec))
            return is_named(n, USED, comm);
        if (is_named(n, DEFINED, comm) ||
            (late->rec->kind == ORK_KIND_COLL && is_named(n, COLLECTIVE, comm)))
            return true;
    }
    for (uint32_t i = 0; i < requests(late->rec); i++) {
        if (request(late, i) < ORK_REQUEST_SHARED && is_named(n, REQUEST, request(late, i)))
            return true;
    }
    return false;
}

/* ---- order of two records ---- */

/* Threads may make groups out of one communicator at the same time; the tag tells them apart. */
static bool are_one_order(const struct ork_record *a, const struct ork_record *b)
{
    bool of_group = a->mode == ORK_COLL_COMM_CREATE_GROUP;

    return of_group == (b->mode == ORK_COLL_COMM_CREATE_GROUP) && (!of_group || a->tag == b->tag);
}

static enum turn comm_turn(const struct ork_record *early, const struct ork_record *late, bool held)
{
    if (!has_comm(early) || !has_comm(late) || early->comm != late->comm)
        return TURN_NOW;
    if (held) /* its place in the order is taken; but it still is to give the number back */
        return is_destructor(early) && late->kind == ORK_KIND_COMM_DEF ? TURN_NUMBER : TURN_NOW;
    if (late->kind == ORK_KIND_COMM_DEF)
        return TURN_NUMBER;
    if (early->kind == ORK_KIND_COMM_DEF || is_destructor(late))
        return TURN_AFTER;
    return early->kind == ORK_KIND_COLL && late->kind == ORK_KIND_COLL && are_one_order(early, late)
               ? TURN_AFTER
               : TURN_NOW;
}

static enum turn request_turn(const struct event *early, const struct event *late)
{
    if (requests(early->rec) == 0)
        return TURN_NOW;
    for (uint32_t i = 0; i < requests(late->rec); i++) {
        uint32_t number = request(late, i);
        if (number < ORK_REQUEST_SHARED && names_request(early, number))
            return makes_request(late->rec) ? TURN_NUMBER : TURN_AFTER;
    }
    return TURN_NOW;
}

static enum turn order(const struct event *early, const struct event *late)
{
    enum turn turn = comm_turn(early->rec, late->rec, early->queue == NULL);

    return turn != TURN_NOW ? turn : request_turn(early, late);
}

/* *until: place of the event that has to go first; 0: the call in which `other` is held. */
static enum turn turn_behind(struct strand *other, const struct event *late, uint64_t place,
                             uint64_t *until)
{
    const struct slots *q = &other->queue;
    struct event held = {.rec = &other->call, .list = other->list};
    enum turn turn = other->held ? order(&held, late) : TURN_NOW;

    *until = 0;
    if (late->rec->kind == ORK_KIND_FINALIZE) {
        *until = q->count > 0 ? when(q, q->count - 1) : 0;
        return q->count > 0 || (other->held && !other->unknown) ? TURN_AFTER : TURN_NOW;
    }
    if (turn != TURN_NOW || q->count == 0)
        return turn;
    struct names *names = names_of(other);
    if (names == NULL || !may_precede(names, late))
        return TURN_NOW;
    for (size_t i = 0; turn == TURN_NOW && i < q->count && when(q, i) < place;
         i = next_event(q, i)) {
        *until = when(q, i);
        turn = order(&(struct event){.rec = slot(q, i), .queue = q, .at = i}, late);
    }
    return turn;
}

void ork_turn_look(struct strand *st)
{
    struct proc *p = st->proc;
    const struct slots *q = &st->queue;
    struct event front = {.rec = slot(q, 0), .queue = q};

    st->turn = TURN_NOW;
    for (uint32_t i = 0; i < p->num_strands && st->turn == TURN_NOW; i++) {
        st->behind = p->strand[i];
        if (st->behind != st)
            st->turn = turn_behind(st->behind, &front, when(q, 0), &st->until);
    }
}

bool ork_turn_may_have_come(const struct strand *st, const struct strand *behind)
{
    const struct slots *q = &behind->queue;

    return st->turn != TURN_NOW && st->behind == behind &&
           (q->count == 0 || when(q, 0) > st->until);
}
