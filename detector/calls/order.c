/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank hand communicators and requests to each other, by a join or a lock that the
 * tool does not see. But the records of a rank have one order, and no thread may overtake the queue
 * of another thread on anything that both name: the k-th collective call on a communicator is that
 * of the records, a number means what it meant when the record was written, and MPI_Finalize comes
 * last. */
#include "detector/calls/call.h"
#include "detector/calls/order.h"
#include "detector/calls/request.h"

#include <stdlib.h>
#include <string.h>

/* A record and its list, in a queue or of the call in which a thread is held. */
struct event {
    const struct ork_record *rec;
    const struct record_queue *queue;
    size_t at;
    const uint32_t *list;
};

static const struct ork_record *slot(const struct record_queue *q, size_t i)
{
    return &q->slot[(q->first + i) & (q->cap - 1)];
}

static uint64_t when(const struct record_queue *q, size_t i)
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
    return rec->comm != ORK_COMM_UNKNOWN && ork_record_has(rec, ORK_HAS_COMM);
}

static uint32_t requests(const struct ork_record *rec)
{
    if (rec->kind == ORK_KIND_TESTED)
        return rec->count / 3;
    if (ork_record_has(rec, ORK_LISTS_REQUESTS))
        return rec->count;
    return ork_record_has(rec, ORK_NAMES_REQUEST) || ork_makes_request(rec);
}

static uint32_t request(const struct event *e, uint32_t i)
{
    if (e->rec->kind == ORK_KIND_TESTED)
        return word(e, 3 * i);
    return ork_record_has(e->rec, ORK_LISTS_REQUESTS) ? word(e, i) : e->rec->request;
}

static bool uses_request(const struct event *e, uint32_t wanted)
{
    for (uint32_t i = 0; i < requests(e->rec); i++) {
        if (request(e, i) == wanted)
            return true;
    }
    return false;
}

static bool is_destructor(const struct ork_record *rec)
{
    return rec->kind == ORK_KIND_COLL && ork_coll_has(rec->mode, ORK_IS_DESTRUCTOR);
}

/* ---- counts of the names in a queue, a fast test for absence ---- */

enum name { DEFINED, COLLECTIVE, USED, REQUEST, NAME_KINDS }; /* a communicator; a request */
enum { ID_COUNTS_FIRST = 64, ID_COUNTS_MAX = 1 << 16 };

/* Exact for numbers below ID_COUNTS_MAX. */
struct id_counts {
    uint32_t size; /* a power of two */
    uint32_t count[];
};

static uint32_t *count_of(struct id_counts *n, enum name kind, uint32_t number)
{
    return &n->count[(uint32_t)kind * n->size + (number & (n->size - 1))];
}

static void add_to(uint32_t *count, uint32_t change)
{
    ORK_ASSERT(change == 1 || *count > 0); /* an event that leaves the queue was counted before */
    *count += change;
}

static bool is_named(struct id_counts *n, enum name kind, uint32_t number)
{
    return (number < n->size || n->size == ID_COUNTS_MAX) && *count_of(n, kind, number) > 0;
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

static void count_ids(struct id_counts *n, const struct event *e, uint32_t change)
{
    if (has_comm(e->rec)) {
        add_to(count_of(n, USED, e->rec->comm), change);
        if (e->rec->kind == ORK_KIND_COMM_DEF)
            add_to(count_of(n, DEFINED, e->rec->comm), change);
        else if (e->rec->kind == ORK_KIND_COLL)
            add_to(count_of(n, COLLECTIVE, e->rec->comm), change);
    }
    for (uint32_t i = 0; i < requests(e->rec); i++) {
        if (request(e, i) < ORK_REQUEST_SHARED)
            add_to(count_of(n, REQUEST, request(e, i)), change);
    }
}

static size_t next_event(const struct record_queue *q, size_t i)
{
    return i + 1 + ork_record_conts(slot(q, i)->count);
}

/* Count the names in the queue, with room for them and for `number`. */
static struct id_counts *name_queue(struct mpi_thread *th, uint32_t number)
{
    const struct record_queue *q = &th->queue;
    uint32_t size = ID_COUNTS_FIRST;

    for (size_t i = 0; i < q->count; i = next_event(q, i)) {
        uint32_t most = largest_name(&(struct event){.rec = slot(q, i), .queue = q, .at = i});
        number = most > number ? most : number;
    }
    while (size <= number && size < ID_COUNTS_MAX)
        size *= 2;
    free(th->id_counts);
    th->id_counts =
        calloc(1, sizeof(*th->id_counts) + NAME_KINDS * size * sizeof(*th->id_counts->count));
    if (th->id_counts == NULL) {
        th->proc->d->failed = true;
        return NULL;
    }
    th->id_counts->size = size;
    for (size_t i = 0; i < q->count; i = next_event(q, i))
        count_ids(th->id_counts, &(struct event){.rec = slot(q, i), .queue = q, .at = i}, 1);
    return th->id_counts;
}

/* RATIONALE: created when another thread asks for the first time, so never with one thread. */
static struct id_counts *ids_of(struct mpi_thread *th)
{
    return th->id_counts != NULL ? th->id_counts : name_queue(th, 0);
}

void ork_thread_order_queued(struct mpi_thread *th, const struct ork_record *rec,
                             const uint32_t *list)
{
    struct event e = {.rec = rec, .list = list};
    uint32_t most = largest_name(&e);

    if (most >= th->id_counts->size && th->id_counts->size < ID_COUNTS_MAX &&
        name_queue(th, most) == NULL)
        return;
    count_ids(th->id_counts, &e, 1);
}

void ork_thread_order_taken(struct mpi_thread *th, const struct ork_record *rec,
                            const uint32_t *list)
{
    count_ids(th->id_counts, &(struct event){.rec = rec, .list = list}, UINT32_MAX);
}

/* May some event counted in `n` have to come before `late`? */
static bool may_precede(struct id_counts *n, const struct event *late)
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

/* Threads may create groups from one communicator at the same time; the tag distinguishes them. */
static bool are_one_order(const struct ork_record *a, const struct ork_record *b)
{
    bool of_group = a->mode == ORK_COLL_COMM_CREATE_GROUP;

    return of_group == (b->mode == ORK_COLL_COMM_CREATE_GROUP) && (!of_group || a->tag == b->tag);
}

static enum thread_order comm_order(const struct ork_record *early, const struct ork_record *late,
                                    bool in_call)
{
    if (!has_comm(early) || !has_comm(late) || early->comm != late->comm)
        return ORDER_FREE;
    if (in_call) /* it has its place in the order already, but its number is not free yet */
        return late->kind == ORK_KIND_COMM_DEF ? ORDER_WAIT_ID_REUSE : ORDER_FREE;
    if (late->kind == ORK_KIND_COMM_DEF)
        return ORDER_WAIT_ID_REUSE;
    if (early->kind == ORK_KIND_COMM_DEF || is_destructor(late))
        return ORDER_WAIT_PROGRAM;
    return early->kind == ORK_KIND_COLL && late->kind == ORK_KIND_COLL && are_one_order(early, late)
               ? ORDER_WAIT_PROGRAM
               : ORDER_FREE;
}

static enum thread_order request_order(const struct event *early, const struct event *late)
{
    if (requests(early->rec) == 0)
        return ORDER_FREE;
    for (uint32_t i = 0; i < requests(late->rec); i++) {
        uint32_t number = request(late, i);
        if (number < ORK_REQUEST_SHARED && uses_request(early, number))
            return ork_makes_request(late->rec) ? ORDER_WAIT_ID_REUSE : ORDER_WAIT_PROGRAM;
    }
    return ORDER_FREE;
}

static enum thread_order order(const struct event *early, const struct event *late)
{
    enum thread_order thread_order = comm_order(early->rec, late->rec, early->queue == NULL);

    return thread_order != ORDER_FREE ? thread_order : request_order(early, late);
}

/* *until: position of the event that must come first; 0: the call in which `other` is held. */
static enum thread_order order_after(struct mpi_thread *other, const struct event *late,
                                     uint64_t place, uint64_t *until)
{
    const struct record_queue *q = &other->queue;
    struct event in_call = {.rec = &other->call, .list = other->list};
    enum thread_order thread_order = other->in_call ? order(&in_call, late) : ORDER_FREE;

    *until = 0;
    if (late->rec->kind == ORK_KIND_FINALIZE) {
        *until = q->count > 0 ? when(q, q->count - 1) : 0;
        return q->count > 0 || (other->in_call && !other->unknown) ? ORDER_WAIT_PROGRAM
                                                                   : ORDER_FREE;
    }
    if (thread_order != ORDER_FREE || q->count == 0)
        return thread_order;
    struct id_counts *id_counts = ids_of(other);
    if (id_counts == NULL || !may_precede(id_counts, late))
        return ORDER_FREE;
    for (size_t i = 0; thread_order == ORDER_FREE && i < q->count && when(q, i) < place;
         i = next_event(q, i)) {
        *until = when(q, i);
        thread_order = order(&(struct event){.rec = slot(q, i), .queue = q, .at = i}, late);
    }
    return thread_order;
}

void ork_thread_order_look(struct mpi_thread *th)
{
    struct proc *p = th->proc;
    const struct record_queue *q = &th->queue;
    struct event front = {.rec = slot(q, 0), .queue = q};

    th->thread_order = ORDER_FREE;
    for (uint32_t i = 0; i < p->num_threads && th->thread_order == ORDER_FREE; i++) {
        th->goes_after = p->thread[i];
        if (th->goes_after != th)
            th->thread_order = order_after(th->goes_after, &front, when(q, 0), &th->until);
    }
}

bool ork_thread_order_may_have_come(const struct mpi_thread *th,
                                    const struct mpi_thread *goes_after)
{
    const struct record_queue *q = &goes_after->queue;

    return th->thread_order != ORDER_FREE && th->goes_after == goes_after &&
           (q->count == 0 || when(q, 0) > th->until);
}
